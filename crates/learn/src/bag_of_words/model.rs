//! The model: words with their log-odds.

use gleaner_base::{ClassWeights, Counts, Totals};
use gleaner_stats::ml::naive_bayes::NaiveBayes;

use crate::decision::ChosenThreshold;
use crate::network::{Network, NetworkModel};
use crate::saved::CountedClause;

use super::learner::CountedBag;

/// The log-odds that a word adds, by the m-estimate: `(n + m / |V|) / (N + m)` is its share in a class, where `n` examples of the class
/// have it, `N` is the sum of these numbers over the bag's words, and `|V|` is how many words the bag has. [GLEANER §5.7]
///
/// Here of a word that `word` examples of each class have, in a bag of `n_words` words and `all` occurrences.
pub fn log_odds(word: [f64; 2], all: [f64; 2], n_words: usize, m: f64) -> f64 {
    let [positive, negative] =
        [0, 1].map(|class| ((word[class] + m / n_words as f64) / (all[class] + m)).ln());
    positive - negative
}

/// What an example without words scores, and what each word adds; words are numbered through all bags.
pub(super) struct LogOdds {
    pub base: f64,
    pub added: Vec<f64>,
}

/// The log-odds of the words of bags, by how many examples of each class have them. Words that none has are none of the bag's.
pub(super) fn log_odds_of(bags: &[Vec<Counts>], totals: Totals, m: f64) -> LogOdds {
    let weighted = |counts: Counts| {
        let ClassWeights { positives, negatives } = counts.weighted(totals.negative_weight);
        [positives, negatives]
    };
    let mut added = Vec::new();
    for bag in bags {
        let is_known = |word: &Counts| *word != Counts::NONE;
        let n_words = bag.iter().filter(|word| is_known(word)).count();
        let all = bag.iter().map(|&word| weighted(word)).fold([0.0; 2], |[left, right], of| {
            let [positives, negatives] = of;
            [left + positives, right + negatives]
        });
        let of_word =
            |word: &Counts| if is_known(word) { log_odds(weighted(*word), all, n_words, m) } else { 0.0 };
        added.extend(bag.iter().map(of_word));
    }
    // A class without examples has no odds; half an example stands for none.
    let ClassWeights { positives, negatives } = totals.weighted();
    let [positives, negatives] = [positives, negatives].map(|n| n.max(0.5));
    LogOdds { base: (positives / negatives).ln(), added }
}

/// The model of the words of bags. `totals` are those of train and of tune.
pub(super) fn model(bags: &[CountedBag], [totals, of_tune]: [Totals; 2], m: f64) -> NetworkModel {
    let on_train: Vec<Vec<Counts>> =
        bags.iter().map(|bag| bag.words.iter().map(|word| word.train).collect()).collect();
    let LogOdds { base, added } = log_odds_of(&on_train, totals, m);
    let counted = bags.iter().flat_map(|bag| bag.words.iter().cloned());
    let mut words: Vec<(f64, CountedClause)> = added.into_iter().zip(counted).collect();
    words.sort_by(|(left, left_of), (right, right_of)| {
        right.abs().total_cmp(&left.abs()).then_with(|| left_of.clause.cmp(&right_of.clause))
    });
    let (added, clauses) = words.into_iter().unzip();
    let network = Network::NaiveBayes(NaiveBayes { base, added });
    NetworkModel { decision: ChosenThreshold::none(of_tune), network, clauses }
}

#[cfg(test)]
mod tests {
    use super::log_odds;

    /// A bag of four words: positives have 3 occurrences, one of the word; negatives 20, two of it. With `m = 1`:
    /// (1 + 1/4) / (3 + 1) = .3125 and (2 + 1/4) / (20 + 1) = .107143, whose quotient is 2.916667. A word that only the other class
    /// has gets the data-free share: (0 + 1/4) / 4 = .0625, [`log_odds`] of it with 5 negatives ln(.0625 / .25).
    #[test]
    fn shares_are_m_estimates() {
        let close = |left: f64, right: f64| (left - right).abs() < 1e-12;
        assert!(close(log_odds([1.0, 2.0], [3.0, 20.0], 4, 1.0), (35.0_f64 / 12.0).ln()));
        assert!(close(log_odds([0.0, 5.0], [3.0, 20.0], 4, 1.0), 0.25_f64.ln()));
        // Ten in place of one: (1 + 2.5) / 13 and (2 + 2.5) / 30.
        assert!(close(log_odds([1.0, 2.0], [3.0, 20.0], 4, 10.0), (3.5_f64 / 13.0 / 0.15).ln()));
    }
}
