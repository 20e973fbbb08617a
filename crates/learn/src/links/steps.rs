//! The steps of probabilities: the share of missing links among pairs of a score, by those that were kept back.

use std::collections::BTreeMap;

use gleaner_stats::eval::Ranking;
use gleaner_stats::eval::calibration::Isotonic;

use super::learn::KeptBack;
use super::likelihood::{OfRelation, Scale};

/// A relation is taken to have so many more links kept back as are expected of it: few links say little of it.
const EXPECTED_BESIDE: f64 = 5.0;

/// With so many links that were kept back, a relation has steps of its own.
const ENOUGH_LINKS: f64 = 30.0;

/// Subjects by which each step has more than were drawn, each with a pair that is no link: a step of few pairs is trusted less. This and the
/// next were chosen on 27 graphs of 1,000 to 16,000 links, made of the train links of three public ones.
const NO_LINKS_BESIDE: f64 = 3.0;

/// Subjects by which a step of a relation's own has more, each with a pair as likely as all relations say.
const USUAL_BESIDE: f64 = 10.0;

/// The odds of steps are multiplied by at most this, and divided by at most this, to expect as many links as there are.
const MOST_CHANGED: f64 = 4.0;

/// The pairs of one relation with about one score: how many, and how many of them are links that were kept back.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Pairs {
    pub n: f64,
    pub links: f64,
}

impl Pairs {
    pub(super) fn add(&mut self, more: Self) {
        self.n += more.n;
        self.links += more.links;
    }
}

/// Whether each relation has probabilities of its own, or all have the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Relations {
    Apart,
    Alike,
}

/// What links that were kept back say of those that are missing.
#[derive(Clone, Copy, Debug)]
pub(super) struct Missing {
    /// The missing links that each of them stands for.
    pub stands_for: f64,
    /// Whether they are known again, and so no longer among the pairs.
    are_known_again: bool,
}

impl Missing {
    pub(super) fn of(kept_back: KeptBack<'_>, n_links: usize) -> Self {
        let KeptBack { n_tested, are_known_again, .. } = kept_back;
        #[expect(clippy::cast_precision_loss, reason = "links are fewer than 2^31")]
        let tested = n_tested as f64 / n_links.max(1) as f64;
        let stands_for = match (are_known_again, n_tested) {
            (true, 0) => 1.0,
            (true, _) => tested,
            (false, _) => 1.0 + tested,
        };
        Self { stands_for, are_known_again }
    }

    /// The pairs that are left.
    fn left(self, pairs: Pairs) -> f64 {
        if self.are_known_again { (pairs.n - pairs.links).max(0.0) } else { pairs.n }
    }
}

/// Pairs by their score, which is rounded down to a hundredth part of itself.
pub(super) type ByScore = BTreeMap<u64, Pairs>;

/// The score without its last 45 binary places.
pub(super) const fn coarse(score: f64) -> u64 {
    score.to_bits() >> 45
}

pub(super) const fn score_of(coarse: u64) -> f64 {
    f64::from_bits(coarse << 45)
}

/// A probability whose odds are multiplied.
pub(super) fn with_odds(probability: f64, factor: f64) -> f64 {
    probability * factor / (1.0 - probability + probability * factor)
}

/// The probability of each score, of all relations and of each. `heaviest` is the greatest number of subjects that one stands for.
pub(super) fn fitted(
    by_relation: &[ByScore],
    missing: Missing,
    heaviest: f64,
    relations: Relations,
) -> Scale {
    let mut all = ByScore::new();
    for (&score, &pairs) in by_relation.iter().flatten() {
        all.entry(score).or_default().add(pairs);
    }
    let of_scores = steps(&all, missing, heaviest, None).unwrap_or_default();
    let of_relation = |pairs: &ByScore| {
        if relations == Relations::Alike {
            return OfRelation::Factor(1.0);
        }
        let usual = |score: f64| of_scores.interpolated(score).unwrap_or(0.0);
        let links: f64 = pairs.values().map(|pairs| pairs.links).sum();
        let weighted = pairs.iter().map(|(&score, pairs)| (usual(score_of(score)), missing.left(*pairs)));
        let weighted: Vec<(f64, f64)> = weighted.collect();
        let factor = factor_of(&weighted, missing.stands_for * links);
        let usual = |score: f64| with_odds(usual(score), factor);
        let own = (links >= ENOUGH_LINKS).then(|| steps(pairs, missing, heaviest, Some(&usual))).flatten();
        own.map_or(OfRelation::Factor(factor), OfRelation::Own)
    };
    Scale { of_relations: by_relation.iter().map(of_relation).collect(), of_scores }
}

/// The probability of each score; `None` without a link. Steps are held near what is usual for their scores if that is known, else near 0. Then
/// all odds are multiplied, so that as many links are expected as there are.
fn steps(
    by_score: &ByScore,
    missing: Missing,
    heaviest: f64,
    usual: Option<&dyn Fn(f64) -> f64>,
) -> Option<Isotonic> {
    let entries = by_score.iter().flat_map(|(&score, pairs)| {
        let score = score_of(score);
        [(score, true, pairs.links), (score, false, (pairs.n - pairs.links).max(0.0))]
    });
    let ranking = Ranking::weighted(entries).expect("scores and weights are finite");
    if ranking.class_weights().0 <= 0.0 {
        return None;
    }
    let mut found = Isotonic::fit(&ranking);
    let mut below = 0.0;
    for step in &mut found.steps {
        let (mut of_step, mut as_usual) = (Pairs::default(), 0.0);
        for (&score, &pairs) in by_score.range(coarse(step.least)..=coarse(step.greatest)) {
            of_step.add(pairs);
            as_usual += pairs.n * usual.map_or(0.0, |usual| usual(score_of(score)));
        }
        let beside = heaviest * usual.map_or(NO_LINKS_BESIDE, |_| USUAL_BESIDE);
        let links_beside = if of_step.n > 0.0 { beside * as_usual / of_step.n } else { 0.0 };
        let left = missing.left(of_step);
        // More than all pairs of a step cannot be links.
        let links = (of_step.links * missing.stands_for).min(left);
        below = f64::max(below, (links + links_beside) / (left + beside));
        step.probability = below;
    }
    // The pairs beside shift the sum.
    let of_score = |(&score, pairs): (&u64, &Pairs)| {
        (found.interpolated(score_of(score)).unwrap_or(0.0), missing.left(*pairs))
    };
    let weighted: Vec<(f64, f64)> = by_score.iter().map(of_score).collect();
    let links: f64 = by_score.values().map(|pairs| pairs.links).sum();
    let factor = factor_for(&weighted, missing.stands_for * links).clamp(1.0 / MOST_CHANGED, MOST_CHANGED);
    multiply(&mut found, factor);
    Some(found)
}

/// Multiplies the odds of all steps.
pub(super) fn multiply(of: &mut Isotonic, factor: f64) {
    of.steps.iter_mut().for_each(|step| step.probability = with_odds(step.probability, factor));
}

/// The factor of a relation's odds: with it, about as many links are expected of its pairs, each with its probability and weight.
fn factor_of(pairs: &[(f64, f64)], links: f64) -> f64 {
    let usual = expected_of(pairs, 1.0);
    factor_for(pairs, usual * (links + EXPECTED_BESIDE) / (usual + EXPECTED_BESIDE))
}

/// The links that are expected of pairs if their odds are multiplied.
pub(super) fn expected_of(pairs: &[(f64, f64)], factor: f64) -> f64 {
    pairs.iter().map(|&(probability, weight)| weight * with_odds(probability, factor)).sum()
}

/// The factor of odds with which so many links are expected of pairs; 1 if none can be.
pub(super) fn factor_for(pairs: &[(f64, f64)], wanted: f64) -> f64 {
    let (mut low, mut high) = (-20.0_f64, 20.0_f64);
    for _ in 0..60 {
        let middle = f64::midpoint(low, high);
        if expected_of(pairs, middle.exp()) < wanted { low = middle } else { high = middle }
    }
    if expected_of(pairs, 1.0) > 0.0 { f64::midpoint(low, high).exp() } else { 1.0 }
}

#[cfg(test)]
mod tests {
    use super::{ByScore, Missing, Pairs, coarse, factor_of, steps, with_odds};

    /// By hand: of ten pairs of score 1 five are links, and three more pairs make odds of 5 to 8; of twenty of score .5 two are, 2 to 21. If each
    /// link stands for two, these are 10 to 3 and 4 to 19. If the links are known again, 5 and 18 pairs are left, and as many or half as many
    /// links among them. Where .3 is usual, three links in ten pairs are added instead. All odds are multiplied so that as many links are
    /// expected as there are.
    #[test]
    fn probabilities_by_hand() {
        let pairs = [(0.5, Pairs { n: 20.0, links: 2.0 }), (1.0, Pairs { n: 10.0, links: 5.0 })];
        let by_score: ByScore = pairs.into_iter().map(|(score, pairs)| (coarse(score), pairs)).collect();
        let of_links = |stands_for: f64| Missing { stands_for, are_known_again: false };
        let of_known = |stands_for: f64| Missing { stands_for, are_known_again: true };
        let usual: &dyn Fn(f64) -> f64 = &|_| 0.3;
        for (missing, usual, [low, high]) in [
            (of_links(1.0), None, [2.0 / 21.0, 5.0 / 8.0]),
            (of_links(2.0), None, [4.0 / 19.0, 10.0 / 3.0]),
            (of_known(1.0), None, [2.0 / 19.0, 5.0 / 3.0]),
            (of_known(0.5), None, [1.0 / 20.0, 2.5 / 5.5]),
            (of_links(1.0), Some(usual), [5.0 / 25.0, 8.0 / 12.0]),
            (of_known(1.0), Some(usual), [5.0 / 23.0, 8.0 / 7.0]),
        ] {
            let found = steps(&by_score, missing, 1.0, usual).expect("there are links").steps;
            let odds = |at: usize| found[at].probability / (1.0 - found[at].probability);
            assert!(found.len() == 2 && (odds(1) / odds(0) - high / low).abs() < 1e-9, "{found:?}");
            let [of_low, of_high] = pairs.map(|(_, pairs)| missing.left(pairs));
            let expected = of_low * found[0].probability + of_high * found[1].probability;
            assert!((expected - 7.0 * missing.stands_for).abs() < 1e-9, "{expected} {missing:?}");
        }
        assert!(steps(&ByScore::new(), of_links(1.0), 1.0, None).is_none());
    }

    /// By hand: three of three pairs stand for nine links, but three pairs cannot hold more than three: three pairs beside make odds of 3 to 3, which
    /// are at most four times as high.
    #[test]
    fn no_more_links_than_pairs() {
        let by_score: ByScore = [(coarse(1.0), Pairs { n: 3.0, links: 3.0 })].into_iter().collect();
        let missing = Missing { stands_for: 3.0, are_known_again: false };
        let found = steps(&by_score, missing, 1.0, None).expect("there are links").steps;
        assert!((found[0].probability - 0.8).abs() < 1e-12, "{found:?}");
    }

    /// By hand: 20 pairs of .1 and 10 of .5 are 7 expected links. Seven links leave the odds as they are. Without one, 7 of 12 parts of five
    /// are expected.
    #[test]
    fn factors_of_odds_by_hand() {
        let pairs = [(0.1, 20.0), (0.5, 10.0)];
        assert!((factor_of(&pairs, 7.0) - 1.0).abs() < 1e-9);
        let factor = factor_of(&pairs, 0.0);
        let expected = 20.0 * with_odds(0.1, factor) + 10.0 * with_odds(0.5, factor);
        assert!((expected - 35.0 / 12.0).abs() < 1e-9, "{expected}");
        assert!((with_odds(0.5, 3.0) - 0.75).abs() < 1e-12);
    }
}
