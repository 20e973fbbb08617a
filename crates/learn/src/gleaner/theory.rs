//! Theories: the clauses kept over all seeds, and their votes. [GLEANER §3.1.2]
//!
//! Clauses of a bin that differ enough from those taken before them. [DIRECTED §5]

use std::collections::BTreeMap;
use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::Covers;
use crate::learner::Fitting;
use crate::saved::over_clauses;
use crate::shared_config::VoteSet;
use gleaner_base::{Budget, Counts, ExampleSet, NegativeWeight, Pooling, Totals};
use gleaner_engine::coverage::component::Interrupted;
use gleaner_lang::program::Clause;
use gleaner_stats::ml::PseudoCounts;

use super::config::{Duplicates, VoteWeights};
use super::gather::{GatheredPart, Gathering, KeptClause, SeedResult};

/// A clause of a theory.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TheoryClause<C = Clause> {
    /// The clause, canonical.
    pub clause: C,
    /// Its counts on train.
    #[serde(rename = "train")]
    pub counts: Counts,
    /// Its counts on tune; older files have none.
    #[serde(default = "nothing")]
    pub tune: Counts,
    /// How often a clause of this coverage was kept: over seeds, and over restarts where each restart keeps one.
    pub n_kept: usize,
}

const fn nothing() -> Counts {
    Counts::NONE
}

over_clauses!(TheoryClause { clause; counts, tune, n_kept });

/// Clauses that vote together.
///
/// **Invariant**: the clauses differ in train coverage. They have the canonical order of the problem that they were
/// learnt on, before any is reduced. In this order, weighted votes are summed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Theory<C = Clause> {
    /// The clauses.
    pub clauses: Vec<TheoryClause<C>>,
}

over_clauses!(Theory { in clauses; });

impl Theory {
    /// The theory of some bins, from 0, at one checkpoint of the first seeds. Each distinct train coverage is there
    /// once, represented by the shortest clause, then the canonically first. Nothing of tune is known yet.
    pub fn of_bins(gathering: &Gathering, part: GatheredPart, bins: Range<usize>) -> Self {
        Self::of_seeds(&mut gathering.seeds[..part.n_seeds].iter(), part.checkpoint_idx, bins)
    }

    /// As [`Self::of_bins`], of some seeds that were searched on the same examples.
    pub fn of_seeds(
        seeds: &mut dyn Iterator<Item = &SeedResult>,
        checkpoint_idx: usize,
        bins: Range<usize>,
    ) -> Self {
        let kept = seeds.flat_map(|seed| seed.bins[checkpoint_idx][bins.clone()].iter().flatten());
        Self::of_kept(kept.map(|kept| &**kept))
    }

    /// As [`Self::of_bins`], of the clauses of each bin that differ enough from those before them. [DIRECTED §5]
    ///
    /// # Errors
    ///
    /// [`Interrupted`] when the budget of `fitting` ran out first.
    pub fn of_different_clauses(
        gathering: &Gathering,
        part: GatheredPart,
        bins: Range<usize>,
        least_difference: f64,
        fitting: &Fitting<'_>,
    ) -> Result<Self, Interrupted> {
        let seeds = &gathering.seeds[..part.n_seeds];
        let mut taken = Vec::new();
        for bin_idx in bins {
            let kept = seeds.iter().flat_map(|seed| &seed.bins[part.checkpoint_idx][bin_idx]);
            let kept: Vec<&KeptClause> = kept.map(|kept| &**kept).collect();
            taken.extend(different_clauses(&kept, least_difference, fitting.train, fitting.budget)?);
        }
        Ok(Self::of_kept(taken.into_iter()))
    }

    fn of_kept<'k>(kept_clauses: impl Iterator<Item = &'k KeptClause>) -> Self {
        let mut distinct: BTreeMap<(Counts, u128), (&KeptClause, usize)> = BTreeMap::new();
        for kept in kept_clauses {
            let (known, n_kept) = distinct.entry((kept.counts, kept.coverage)).or_insert((kept, 0));
            *n_kept += 1;
            if represents_better(&kept.clause, &known.clause) {
                *known = kept;
            }
        }
        let clause = |(kept, n_kept): (&KeptClause, usize)| TheoryClause {
            clause: kept.clause.clone(),
            counts: kept.counts,
            tune: Counts::NONE,
            n_kept,
        };
        let mut clauses: Vec<TheoryClause> = distinct.into_values().map(clause).collect();
        clauses.sort_by(|left, right| left.clause.cmp(&right.clause));
        Self { clauses }
    }

    /// The weight of each clause's vote, in order.
    #[expect(clippy::cast_precision_loss, reason = "counts are far below 2^53")]
    pub fn weights(&self, rule: &VoteRule) -> Vec<f64> {
        self.clauses
            .iter()
            .map(|clause| {
                let copies = match rule.duplicates {
                    Duplicates::Merge => 1.0,
                    Duplicates::Count => clause.n_kept as f64,
                };
                let weights = match rule.vote_set {
                    VoteSet::Train => clause.counts.weighted(rule.train_weight),
                    VoteSet::Tune => clause.tune.weighted(rule.tune.negative_weight),
                };
                let (true_positives, covered) = (weights.positives, weights.sum());
                match rule.votes {
                    VoteWeights::Equal => copies,
                    // Nothing where the clause covers nothing.
                    VoteWeights::Precision | VoteWeights::Shared if true_positives <= 0.0 => 0.0,
                    VoteWeights::Precision => copies * true_positives / covered,
                    VoteWeights::Shared => {
                        // Multiplied out, as `powi` may round differently on another platform.
                        let shrunken = true_positives / (covered + 3.0);
                        let square = shrunken * shrunken;
                        copies * square * square * shrunken / true_positives
                    }
                    VoteWeights::NaiveBayes => copies * rule.log_odds(clause.tune),
                }
            })
            .collect()
    }
}

/// How votes are weighed, and the sets that this refers to.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(from = "RuleFields", into = "RuleFields")]
pub struct VoteRule {
    /// The weight of a vote.
    pub votes: VoteWeights,
    /// The examples whose counts weigh it, if it goes by precision.
    pub vote_set: VoteSet,
    /// The number of votes for duplicates.
    pub duplicates: Duplicates,
    /// The pseudo-counts that votes by naive Bayes add to counts.
    pub smoothing: PseudoCounts,
    /// The number of examples that a negative of train stands for.
    pub train_weight: NegativeWeight,
    /// The size of the tune set.
    pub tune: Totals,
}

/// A [`VoteRule`] as the fields of a model file.
#[derive(Clone, Copy, Serialize, Deserialize)]
struct RuleFields {
    n_tune_positives: usize,
    #[serde(default)]
    n_tune_negatives: usize,
    votes: VoteWeights,
    /// Train in files that do not say.
    #[serde(default = "train", skip_serializing_if = "is_train")]
    vote_set: VoteSet,
    duplicates: Duplicates,
    /// One in files that do not say.
    #[serde(default, skip_serializing_if = "is_one")]
    smoothing: PseudoCounts,
    /// The number of examples that each negative of tune stands for.
    #[serde(default, skip_serializing_if = "NegativeWeight::is_one")]
    negative_weight: NegativeWeight,
    /// The number that each negative of train stands for, where it differs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    train_negative_weight: Option<NegativeWeight>,
}

const fn train() -> VoteSet {
    VoteSet::Train
}

fn is_train(set: &VoteSet) -> bool {
    *set == VoteSet::Train
}

fn is_one(smoothing: &PseudoCounts) -> bool {
    *smoothing == PseudoCounts::One
}

impl From<RuleFields> for VoteRule {
    fn from(fields: RuleFields) -> Self {
        let RuleFields { votes, vote_set, duplicates, smoothing, negative_weight, .. } = fields;
        let (n_positives, n_negatives) = (fields.n_tune_positives, fields.n_tune_negatives);
        Self {
            votes,
            vote_set,
            duplicates,
            smoothing,
            train_weight: fields.train_negative_weight.unwrap_or(negative_weight),
            tune: Totals { n_positives, n_negatives, negative_weight },
        }
    }
}

impl From<VoteRule> for RuleFields {
    fn from(rule: VoteRule) -> Self {
        let VoteRule { votes, vote_set, duplicates, smoothing, train_weight, tune } = rule;
        Self {
            n_tune_positives: tune.n_positives,
            n_tune_negatives: tune.n_negatives,
            votes,
            vote_set,
            duplicates,
            smoothing,
            negative_weight: tune.negative_weight,
            train_negative_weight: Some(train_weight).filter(|train| *train != tune.negative_weight),
        }
    }
}

impl VoteRule {
    /// How counts on train and on tune are added.
    pub fn pooling(&self) -> Pooling {
        Pooling::of(self.train_weight, self.tune.negative_weight)
    }

    /// The log-odds that covering adds to a naive Bayes classifier, against not covering.
    fn log_odds(&self, tune: Counts) -> f64 {
        let (held, all) = (tune.weighted(self.tune.negative_weight), self.tune.weighted());
        self.smoothing.log_odds(held, all) - self.smoothing.log_odds(all.minus(held), all)
    }
}

fn represents_better(challenger: &Clause, known: &Clause) -> bool {
    (challenger.n_literals(), challenger) < (known.n_literals(), known)
}

/// The clauses of one bin that differ enough. They are looked at in the order of the seeds, and of each seed in the order in
/// which it kept them. A clause is taken if it differs on train by at least `least` from all that were taken before it. `least`
/// is above 0, so of clauses with one cover only the first is taken.
///
/// Clauses differ by the Jaccard distance of their covers, `1 - |A ∩ B| / |A ∪ B|`, from 0 to 1, where negatives count for
/// those that they stand for.
///
/// DIVERGENCE: the paper names the idea without details. Each seed searches alone there and here, so clauses are compared
/// when the seeds' clauses are united; a seed whose best clause is not taken has no other clause in its place.
///
/// **Cost**: the cover of each clause, and a comparison with each that is taken. The covers of these are held.
///
/// # Errors
///
/// [`Interrupted`] when the budget ran out first.
fn different_clauses<'g>(
    kept: &[&'g KeptClause],
    least: f64,
    train: &Covers<'_>,
    budget: &Budget,
) -> Result<Vec<&'g KeptClause>, Interrupted> {
    let clauses: Vec<&Clause> = kept.iter().map(|kept| &kept.clause).collect();
    let universe = train.universe();
    let size = |set: &ExampleSet| universe.counts(set).weighted(universe.negative_weight()).sum();
    let (mut taken, mut covers_taken) = (Vec::new(), Vec::new());
    train.visit(&clauses, budget, |first, covers| {
        for (&kept, cover) in kept[first..].iter().zip(covers) {
            if take(cover, &mut covers_taken, least, &size) {
                taken.push(kept);
            }
        }
    })?;
    Ok(taken)
}

/// Takes a cover if it differs enough from all that are taken.
fn take(
    cover: &ExampleSet,
    taken: &mut Vec<ExampleSet>,
    least: f64,
    size: &dyn Fn(&ExampleSet) -> f64,
) -> bool {
    let differs = taken.iter().all(|other| difference(other, cover, size) >= least);
    if differs {
        taken.push(cover.clone());
    }
    differs
}

/// The Jaccard distance of two sets of this size; 0 where both are empty.
fn difference(left: &ExampleSet, right: &ExampleSet, size: &dyn Fn(&ExampleSet) -> f64) -> f64 {
    let mut common = left.clone();
    common.intersect_with(right);
    let both = size(&common);
    let either = size(left) + size(right) - both;
    if either > 0.0 { (either - both) / either } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use crate::covers::curve_of;
    use crate::gleaner::config::{Duplicates, VoteWeights};
    use crate::gleaner::gather::{GatheredPart, Gathering, KeptClause, SeedResult};
    use crate::shared_config::VoteSet;
    use crate::{Density, NetworkWork, SeedSearch};
    use gleaner_base::{Counts, ExampleId, ExampleSet, NegativeWeight, PredicateId, StopReason, Totals};
    use gleaner_engine::search::Funnel;
    use gleaner_lang::program::{Atom, Clause, Literal};
    use gleaner_stats::ml::PseudoCounts;

    use super::{Theory, TheoryClause, VoteRule, difference, take};

    const fn counts(true_positives: usize, false_positives: usize) -> Counts {
        Counts { true_positives, false_positives }
    }

    /// `p0 :- p1, ...` with these body predicates.
    fn clause(body: &[usize]) -> Clause {
        let atom = |position| Atom { predicate: PredicateId::new(position), arguments: Vec::new() };
        let body: Vec<Literal> = body.iter().map(|&position| Literal::Positive(atom(position))).collect();
        Clause::renumbered(&atom(0), &body)
    }

    fn kept(body: &[usize], counts: Counts, coverage: &[usize]) -> Arc<KeptClause> {
        Arc::new(KeptClause {
            clause: clause(body),
            counts,
            coverage: ExampleSet::from_positions(70, coverage.iter().copied()).fingerprint(),
        })
    }

    fn seed(bins: Vec<Vec<Arc<KeptClause>>>) -> SeedResult {
        SeedResult {
            search: SeedSearch {
                seed_example: ExampleId::new(0),
                n_bottom_literals: 3,
                cuts: Vec::new(),
                stop: StopReason::ClausesEvaluated,
                funnel: Funnel::default(),
                networks: NetworkWork::default(),
            },
            density: Density::new(Totals {
                n_positives: 2,
                n_negatives: 6,
                negative_weight: NegativeWeight::ONE,
            }),
            bins: vec![bins],
        }
    }

    /// Two bins, two seeds; the first seed keeps one coverage in two restarts.
    fn gathering() -> Gathering {
        let first = vec![
            vec![kept(&[2, 3], counts(1, 0), &[0]), kept(&[1], counts(1, 0), &[0])],
            vec![kept(&[4], counts(2, 1), &[0, 1, 64])],
        ];
        let second =
            vec![vec![kept(&[3], counts(1, 0), &[1])], vec![kept(&[1, 4], counts(2, 1), &[0, 1, 64])]];
        Gathering { checkpoints: vec![10], seeds: vec![seed(first), seed(second)] }
    }

    #[test]
    fn a_coverage_is_one_clause_that_counts_how_often_it_was_kept() {
        let theory_of = |bins| {
            Theory::of_bins(&gathering(), GatheredPart { n_seeds: 2, checkpoint_idx: 0 }, bins).clauses
        };
        let one = |body: &[usize], counts, n_kept| TheoryClause {
            clause: clause(body),
            counts,
            tune: self::counts(0, 0),
            n_kept,
        };
        // Of {2,3} and {1} the shorter represents; of {4} and {1,4} likewise.
        let small = [one(&[1], counts(1, 0), 2), one(&[3], counts(1, 0), 1)];
        let large = [one(&[4], counts(2, 1), 2)];
        assert_eq!(theory_of(0..1), small);
        assert_eq!(theory_of(1..2), large);
        assert_eq!(theory_of(0..2), [&small[..], &large].concat());
    }

    #[test]
    fn weights_by_hand() {
        let clause =
            TheoryClause { clause: clause(&[1]), counts: counts(3, 1), tune: counts(2, 1), n_kept: 3 };
        let theory = Theory { clauses: vec![clause] };
        // Precision 3/4; shrunken 3/7; its fifth power is shared by three positives. On tune 2 of 4 positives
        // and 1 of 8 negatives: covered (3/6) / (2/10), not covered (3/6) / (8/10); the ratio is 4.
        let expected = [
            (VoteWeights::Equal, 1.0),
            (VoteWeights::Precision, 0.75),
            (VoteWeights::Shared, 81.0 / 16_807.0),
            (VoteWeights::NaiveBayes, 4.0_f64.ln()),
        ];
        let tune = Totals { n_positives: 4, n_negatives: 8, negative_weight: NegativeWeight::ONE };
        for (votes, weight) in expected {
            let train_weight = NegativeWeight::ONE;
            let rule = |duplicates| VoteRule {
                votes,
                vote_set: VoteSet::Train,
                duplicates,
                smoothing: PseudoCounts::One,
                train_weight,
                tune,
            };
            let of = |duplicates| theory.weights(&rule(duplicates))[0];
            assert!((of(Duplicates::Merge) - weight).abs() < 1e-12, "{votes:?}");
            assert!((of(Duplicates::Count) - 3.0 * weight).abs() < 1e-12, "{votes:?}");
        }
    }

    /// On tune the clause covers 2 positives and 1 negative that stands for 3: its precision is 2/5, shrunken 2/8, and two
    /// positives share the fifth power. Nothing is the precision of a clause that covers nothing.
    #[test]
    fn weights_of_tune_by_hand() {
        let one = |tune| TheoryClause { clause: clause(&[1]), counts: counts(3, 1), tune, n_kept: 1 };
        let theory = Theory { clauses: vec![one(counts(2, 1)), one(counts(0, 2)), one(counts(0, 0))] };
        let rule = |votes| VoteRule {
            votes,
            vote_set: VoteSet::Tune,
            duplicates: Duplicates::Merge,
            smoothing: PseudoCounts::One,
            train_weight: NegativeWeight::ONE,
            tune: Totals { n_positives: 4, n_negatives: 8, negative_weight: NegativeWeight::new(24, 8) },
        };
        for (votes, weight) in [(VoteWeights::Precision, 0.4), (VoteWeights::Shared, 1.0 / 2_048.0)] {
            let found = theory.weights(&rule(votes));
            assert!((found[0] - weight).abs() < 1e-15, "{votes:?}: {found:?}");
            assert_eq!(found[1..], [0.0, 0.0], "{votes:?}");
        }
        // The set is kept in files; older ones are of train.
        let text = serde_json::to_string(&rule(VoteWeights::Precision)).expect("it can be written");
        assert!(text.contains(r#""vote_set":"tune""#), "{text}");
        let read = |text: &str| serde_json::from_str::<VoteRule>(text).expect("it can be read").vote_set;
        assert_eq!(read(&text), VoteSet::Tune);
        assert_eq!(read(&text.replace(r#""vote_set":"tune","#, "")), VoteSet::Train);
    }

    #[test]
    fn equal_votes_enter_a_curve_together() {
        let (pos, neg) = (counts(1, 0), counts(0, 1));
        let ranked = vec![(1.0, pos), (3.0, pos), (1.0, neg), (2.0, neg), (3.0, pos)];
        assert_eq!(curve_of(ranked), [(3.0, counts(2, 0)), (2.0, counts(2, 1)), (1.0, counts(3, 2))]);
    }

    fn set(positions: &[usize]) -> ExampleSet {
        ExampleSet::from_positions(70, positions.iter().copied())
    }

    /// Each position from 64 on counts for three, as a negative may.
    fn size(set: &ExampleSet) -> f64 {
        set.iter().map(|position| if position < 64 { 1.0 } else { 3.0 }).sum()
    }

    #[test]
    fn distances_are_shares_of_the_union() {
        // 3 of 5 are common; of 1 + 1 + 3 a negative of three.
        assert!((difference(&set(&[1, 2, 3, 4]), &set(&[1, 2, 3, 5]), &size) - 0.4).abs() < 1e-12);
        assert!((difference(&set(&[1, 64]), &set(&[2, 64]), &size) - 0.4).abs() < 1e-12);
        let ends = [(&set(&[1]), &set(&[65]), 1.0), (&set(&[1, 69]), &set(&[1, 69]), 0.0)];
        for (left, right, expected) in ends {
            assert!((difference(left, right, &size) - expected).abs() < 1e-12);
        }
        assert!(difference(&set(&[]), &set(&[]), &size).abs() < 1e-12);
    }

    #[test]
    fn a_cover_is_compared_with_all_that_are_taken() {
        // The second is .4 from the first; the third has 2 of 6 in common with either; the last is the first again.
        let covers = [set(&[1, 2, 3, 4]), set(&[1, 2, 3, 5]), set(&[1, 2, 6, 7]), set(&[1, 2, 3, 4])];
        let taken = |least: f64| {
            let mut taken = Vec::new();
            covers.iter().map(|cover| take(cover, &mut taken, least, &size)).collect::<Vec<_>>()
        };
        assert_eq!(taken(0.01), [true, true, true, false]);
        assert_eq!(taken(0.4), [true, true, true, false]);
        assert_eq!(taken(0.41), [true, false, true, false]);
        assert_eq!(taken(0.7), [true, false, false, false]);
    }
}
