use std::sync::Arc;

use super::{Theory, TheoryClause, VoteRule};
use crate::gleaner::config::{Duplicates, VoteWeights};
use crate::gleaner::gather::{GatheredPart, Gathering, KeptClause, SeedResult};
use crate::shared_config::VoteSet;
use crate::votes::curve_of;
use crate::{Density, NetworkWork, SeedSearch};
use gleaner_base::{Counts, ExampleId, ExampleSet, NegativeWeight, PredicateId, StopReason, Totals};
use gleaner_engine::search::Funnel;
use gleaner_lang::program::{Atom, Clause, Literal};
use gleaner_stats::ml::PseudoCounts;

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
    let second = vec![vec![kept(&[3], counts(1, 0), &[1])], vec![kept(&[1, 4], counts(2, 1), &[0, 1, 64])]];
    Gathering { checkpoints: vec![10], seeds: vec![seed(first), seed(second)] }
}

#[test]
fn a_coverage_is_one_clause_that_counts_how_often_it_was_kept() {
    let theory_of =
        |bins| Theory::of_bins(&gathering(), GatheredPart { n_seeds: 2, checkpoint_idx: 0 }, bins).clauses;
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
    let clause = TheoryClause { clause: clause(&[1]), counts: counts(3, 1), tune: counts(2, 1), n_kept: 3 };
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
