//! The model: words with their log-odds.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::Covers;
use crate::contradiction::{Contradiction, check_counts};
use crate::decision::ChosenThreshold;
use crate::explanation::Account;
use crate::network::{Network, check_network};
use crate::prolog::Program;
use crate::ranked::Ranker;
use crate::saved::{Checked, CountedClause, OverClauses, over_clauses};
use crate::shown::{Extent, Table};
use gleaner_base::{Budget, ClassWeights, Counts, Totals};
use gleaner_engine::coverage::component::Interrupted;
use gleaner_lang::program::{Clause, Symbols};
use gleaner_stats::ml::naive_bayes::NaiveBayes;

use super::learner::CountedBag;

/// Naive Bayes over words.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BagOfWordsModel<C = Clause> {
    /// The threshold that decides.
    #[serde(flatten)]
    pub decision: ChosenThreshold,
    /// The log-odds of each word.
    pub network: Network,
    /// The words as clauses of one literal: those that speak most clearly first.
    pub clauses: Vec<CountedClause<C>>,
}

over_clauses!(BagOfWordsModel { in clauses; decision, network });

/// The log-odds that a word adds, by the m-estimate: `(n + m / |V|) / (N + m)` is its share in a class, where `n` examples of the class
/// have it, `N` is the sum of these numbers over the bag's words, and `|V|` is how many words the bag has. [GLEANER §5.7]
///
/// Here of a word that `word` examples of each class have, in a bag of `n_words` words and `all` occurrences.
#[must_use]
pub fn log_odds(word: [f64; 2], all: [f64; 2], n_words: usize, m: f64) -> f64 {
    let [positive, negative] =
        [0, 1].map(|class| ((word[class] + m / n_words as f64) / (all[class] + m)).ln());
    positive - negative
}

/// The model of the words of bags. `totals` are those of train and of tune.
pub(super) fn model(bags: &[CountedBag], [totals, of_tune]: [Totals; 2], m: f64) -> BagOfWordsModel {
    let weighted = |counts: Counts| {
        let ClassWeights { positives, negatives } = counts.weighted(totals.negative_weight);
        [positives, negatives]
    };
    let mut words: Vec<(f64, CountedClause)> = Vec::new();
    for bag in bags {
        let mut all = [0.0; 2];
        for (_, counts) in &bag.words {
            let [positives, negatives] = weighted(*counts);
            all = [all[0] + positives, all[1] + negatives];
        }
        words.extend(bag.words.iter().map(|(clause, train)| {
            let odds = log_odds(weighted(*train), all, bag.words.len(), m);
            (odds, CountedClause { clause: clause.clone(), train: *train, tune: Counts::NONE })
        }));
    }
    words.sort_by(|(left, left_of), (right, right_of)| {
        right.abs().total_cmp(&left.abs()).then_with(|| left_of.clause.cmp(&right_of.clause))
    });
    let (added, clauses) = words.into_iter().unzip();
    // A class without examples has no odds; half an example stands for none.
    let ClassWeights { positives, negatives } = totals.weighted();
    let [positives, negatives] = [positives, negatives].map(|n| n.max(0.5));
    let network = Network::NaiveBayes(NaiveBayes { base: (positives / negatives).ln(), added });
    BagOfWordsModel { decision: ChosenThreshold::none(of_tune), network, clauses }
}

impl BagOfWordsModel {
    fn clauses_with_counts(&self) -> Vec<(&Clause, Counts)> {
        self.clauses.iter().map(|counted| (&counted.clause, counted.train)).collect()
    }
}

impl Ranker for BagOfWordsModel {
    fn decision(&self) -> ChosenThreshold {
        self.decision
    }

    fn decision_mut(&mut self) -> &mut ChosenThreshold {
        &mut self.decision
    }

    fn scores(&self, covers: &Covers<'_>, budget: &Budget) -> Result<Vec<f64>, Interrupted> {
        self.network.scores_on(covers, &self.all_clauses(), budget)
    }

    fn account(&self, covering: &BTreeSet<&Clause>) -> Account {
        self.network.account(&self.clauses_with_counts(), covering)
    }

    fn head(&self) -> String {
        self.network.words()
    }

    fn contents(&self, symbols: &Symbols, extent: Extent) -> Vec<Table> {
        vec![self.network.table(&self.clauses_with_counts(), symbols, extent)]
    }

    fn program(&self) -> Option<Program<'_>> {
        self.network.program(self.all_clauses())
    }
}

impl Checked for BagOfWordsModel<String> {
    type Head = ChosenThreshold;

    fn check(&self) -> Result<(), Contradiction> {
        check_network(&self.network, self.clauses.len(), self.decision)?;
        check_counts(self.clauses.iter().map(|counted| counted.train))
    }
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
