//! Figures at the ends of their ranges, against 50 digits and more. The values are of
//! `tests/support/boosting_values.py` (mpmath 1.3.0).

use crate::support::asked::{clauses_of, with_clauses};
use std::sync::Arc;

use gleaner_base::{Budget, ClassWeights, ExampleId, ExampleSet};
use gleaner_data::LoadRequest;
use gleaner_engine::coverage::Universe;
use gleaner_lang::program::canonical;
use gleaner_learn::boost::weights::Trail;
use gleaner_learn::boost::{BoostModel, BoostWeights, Objective, Step, alpha_of, boost, learn_from};
use gleaner_learn::{Covers, Model};
use gleaner_stats::eval::{NarrowingCurve, OperatingPoints, PrCurve, auc_pr_of_point};
use serde_json::Value as Json;

use super::by_hand::{expected, number, numbers};
use super::{Ground, config, fixture, loaded, problem, set_stores};

const TOLERANCE: f64 = 1e-12;
const TOTALS: ClassWeights = weights_of(1.0, 149.0);

const fn weights_of(positives: f64, negatives: f64) -> ClassWeights {
    ClassWeights { positives, negatives }
}

/// Near in proportion, but for what is far below the least number of full precision.
fn is_close(found: f64, expected: f64) -> bool {
    (found - expected).abs() <= TOLERANCE * expected.abs() + 1e-307
}

#[test]
fn alphas_are_exact() {
    let expected = expected();
    for case in expected["alphas"].as_array().expect("cases") {
        let (r, alpha) = (number(&case["r"]), number(&case["alpha"]));
        assert!(is_close(alpha_of(r), alpha), "{r:e}: {:e}, not {alpha:e}", alpha_of(r));
    }
}

/// So many positives and as many negatives.
fn some_of_each(ground: &Ground, n: usize) -> Universe {
    let examples = ground.problem.examples();
    let of = |class: bool| examples.ids().filter(move |&id| examples.is_positive(id) == class).take(n);
    let chosen: Vec<ExampleId> = of(true).chain(of(false)).collect();
    Universe::new(Arc::clone(examples), &chosen)
}

fn first_negative(universe: &Universe) -> usize {
    let mut positions = universe.iter().map(|(position, _)| position);
    positions.find(|&position| !universe.is_positive(position)).expect("there are negatives")
}

/// The weights of examples whose scores are far apart: what underflows is 0, and the rest as if it were not there.
#[test]
fn weights_of_distant_scores_are_exact() {
    let ground = Ground::whole(problem(fixture("boosting")), 1);
    for case in expected()["weights"].as_array().expect("cases") {
        let scores = numbers(&case["scores"]);
        let universe = some_of_each(&ground, scores.len());
        let mut weights = BoostWeights::new(&universe, TOTALS);
        let first_negative = first_negative(&universe);
        for (at, &score) in scores.iter().enumerate() {
            let cover = ExampleSet::from_positions(universe.len(), [at, first_negative + at]);
            weights.update(&Step { covers: &[&cover], values: &[1.0] }, score);
        }
        for (first, class) in [(0, "positives"), (first_negative, "negatives")] {
            for (at, expected) in numbers(&case[class]).into_iter().enumerate() {
                let found = weights.weights().at(first + at);
                assert!(is_close(found, expected), "{scores:?} {class} {at}: {found}, not {expected}");
            }
        }
        assert_eq!(weights.scores()[..scores.len()], scores);
    }
}

/// Examples of equal scores have weights of the same bits.
#[test]
fn equal_scores_weigh_the_same() {
    let ground = Ground::whole(problem(fixture("boosting")), 1);
    let universe = some_of_each(&ground, 5);
    let mut weights = BoostWeights::new(&universe, TOTALS);
    for alpha in [0.1, 0.7, 10.5] {
        weights.update(&Step { covers: &[universe.all()], values: &[1.0] }, alpha);
        let bits = |from: usize| -> Vec<u64> {
            (from..from + 5).map(|at| weights.weights().at(at).to_bits()).collect()
        };
        assert_eq!(bits(0), [0.2_f64.to_bits(); 5]);
        assert!(bits(first_negative(&universe)).windows(2).all(|pair| pair[0] == pair[1]));
    }
}

fn points(case: &Json) -> Vec<(f64, f64)> {
    let point = |point: &Json| (number(&point[0]), number(&point[1]));
    case["points"].as_array().expect("points").iter().map(point).collect()
}

/// From the last point, which covers most, to the first: what a climb would push.
#[test]
fn areas_of_narrowing_rules_are_exact() {
    let expected = expected();
    let cases = expected["areas"]["narrowing"].as_array().expect("cases");
    assert!(cases.len() > 30);
    for case in cases {
        let (points, area) = (points(case), number(&case["area"]));
        let mut curve = NarrowingCurve::new(TOTALS.positives, TOTALS.negatives);
        for &(tp, fp) in points.iter().rev() {
            let with = curve.auc_pr_with(tp, fp);
            curve.push(tp, fp);
            assert!(is_close(curve.auc_pr(), with), "{points:?}");
        }
        assert!(is_close(curve.auc_pr(), area), "{points:?}: {}, not {area}", curve.auc_pr());
        let right = curve.areas_to_the_right();
        assert!(right.iter().all(|area| (0.0..=1.0).contains(area)) && right.is_sorted(), "{points:?}");
        if let [(tp, fp)] = points[..] {
            let alone = auc_pr_of_point(tp, fp, TOTALS.positives, TOTALS.negatives);
            assert_eq!(alone.is_none(), tp + fp == 0.0);
            assert!(alone.is_none_or(|alone| is_close(alone, area)), "{points:?}: {alone:?}, not {area}");
        }
        let is_rising =
            points.windows(2).all(|pair| pair[0].0 < pair[1].0) && points.iter().all(|point| point.0 > 0.0);
        if is_rising {
            let general = PrCurve::new(
                OperatingPoints::from_classifiers(&points, TOTALS.positives, TOTALS.negatives)
                    .expect("within"),
            );
            assert!(general.auc_pr().is_some_and(|found| is_close(found, area)), "{points:?}");
        }
    }
}

#[test]
fn areas_where_classifiers_cross_are_exact() {
    let expected = expected();
    for case in expected["areas"]["crossing"].as_array().expect("cases") {
        let (points, area) = (points(case), number(&case["area"]));
        let general = PrCurve::new(
            OperatingPoints::from_classifiers(&points, TOTALS.positives, TOTALS.negatives).expect("within"),
        );
        let found = general.auc_pr();
        assert!(found.is_some_and(|found| is_close(found, area)), "{points:?}: {found:?}, not {area}");
    }
}

/// What covers nothing or everything says nothing, and is no rise; what covers only positives, or all of them
/// alone, is worth what its recall says. By hand: the most general rule is worth 1/150.
#[test]
fn rules_that_cover_all_or_none_have_values() {
    let everything = 1.0 / 150.0;
    for objective in [Objective::Roc, Objective::Single, Objective::Path] {
        let trail = Trail::begin(objective, TOTALS, TOTALS);
        let least = if objective == Objective::Roc { 0.0 } else { everything };
        assert!(is_close(trail.value(), least), "{objective:?}");
        assert!(is_close(trail.value_with(weights_of(1.0, 0.0)), 1.0), "{objective:?}");
        assert!(is_close(trail.value_with(TOTALS), least), "{objective:?}");
        // Nothing, only negatives, and what weighs nothing of the positives: no rise.
        for covered in [(0.0, 0.0), (0.0, 149.0), (0.0, 3.0), (0.0, 1e-320), (1e-320, 1.0)] {
            let value = trail.value_with(weights_of(covered.0, covered.1));
            assert!((0.0..=1.0).contains(&value), "{objective:?} {covered:?}: {value}");
            assert!(!Trail::is_rise(value, trail.value()), "{objective:?} {covered:?}: {value}");
        }
        assert!(trail.may_rise(0.5, trail.value()) && !trail.may_rise(0.0, trail.value()), "{objective:?}");
        // Whatever its negatives are, a rule is a rise only if its positives say that it may be one.
        for negatives in [0.0, 1e-320, 1e-12, 1.0, 148.0, 149.0] {
            for positives in [0.0, 1e-320, 1e-9, 0.5, 1.0] {
                let value = trail.value_with(weights_of(positives, negatives));
                for least in [trail.value(), trail.value().max(value * (1.0 - 1e-9))] {
                    let may = trail.may_rise(positives, least);
                    assert!(
                        may || !Trail::is_rise(value, least),
                        "{objective:?} {positives:e} {negatives:e}"
                    );
                }
            }
        }
    }
}

/// What keeps its rule's precision and loses recall leaves the path's area as it was; sums of it differ in the last
/// digits, which is no rise.
#[test]
fn rounding_is_no_rise() {
    let mut trail = Trail::begin(Objective::Path, TOTALS, TOTALS);
    trail.push(weights_of(0.7, 12.3));
    let shares = (1..1_000).map(|thousandths| f64::from(thousandths) / 1_000.0);
    let values: Vec<f64> =
        shares.map(|share| trail.value_with(weights_of(0.7 * share, 12.3 * share))).collect();
    assert!(values.iter().any(|&value| value > trail.value()), "else this shows nothing");
    assert!(values.iter().all(|&value| !Trail::is_rise(value, trail.value())));
    assert!(values.iter().all(|&value| !Trail::is_rise(trail.value(), value)));
    assert!(Trail::is_rise(trail.value_with(weights_of(0.7, 12.3 * (1.0 - 1e-9))), trail.value()));
}

#[test]
fn path_values_have_ends() {
    let mut trail = Trail::begin(Objective::Path, TOTALS, TOTALS);
    assert_eq!(trail.path_values(), [1.0]);
    trail.push(weights_of(1.0, 10.0));
    trail.push(weights_of(1.0, 0.0));
    // All recall is at the last rule: the others have nothing to their right.
    assert_eq!(trail.path_values(), [0.0, 0.0, 1.0]);
    trail.push(weights_of(0.0, 0.0));
    assert_eq!(trail.path_values().last(), Some(&1.0));
}

/// A model that has the problem's clauses of these numbers, each in a round of its own with a weight.
fn model_of(like: &BoostModel, ground: &Ground, rounds: &[(usize, f64)]) -> BoostModel {
    let round = |&(clause, alpha): &(usize, f64)| {
        let mut round = like.rounds[0].clone();
        round.rules.truncate(1);
        round.rules[0].clause = canonical(&clauses_of(&ground.problem)[clause]);
        round.rules[0].value = 1.0;
        round.alpha = alpha;
        round
    };
    BoostModel { rounds: rounds.iter().map(round).collect(), ..like.clone() }
}

/// Examples that the same rules cover have scores of the same bits; sums that are equal only in mathematics are not
/// equal: they are taken in the order of the rounds, and the last bit decides, on every machine alike.
#[test]
fn ties_are_those_of_the_sums() {
    let clauses = ["good(A) :- r(A).", "good(A) :- s(A)."];
    let request = LoadRequest { path: fixture("boosting"), ..LoadRequest::default() };
    let ground = Ground::whole(with_clauses(&loaded(&request), clauses), 1);
    ground.on(|task, context, stores| {
        let config = config("prankboost-path", &[("rounds", "12"), ("min-pos", "1")]);
        let boosting = boost(task, &config, context, set_stores(stores));
        let (tune, unlimited) = (Covers::sharing(&stores[1]), Budget::unlimited());
        let model = learn_from(&boosting, 12, tune.universe().totals());
        let scores = |model: &BoostModel| -> Vec<(String, f64)> {
            let scoring = model.score(&tune, &unlimited).expect("no budget");
            let named = task.tune.iter().map(|(position, id)| (ground.problem.example_text(id), position));
            named.map(|(name, position)| (name, scoring.scores[position])).collect()
        };
        let of = |scores: &[(String, f64)], name: &str| {
            let name = format!("good({name})");
            scores.iter().find(|(known, _)| *known == name).expect("an example").1.to_bits()
        };
        let learnt = scores(&model);
        // a4 and a5 have r and s, b03 and b07 have p and t.
        assert_eq!(of(&learnt, "a4"), of(&learnt, "a5"));
        assert_eq!(of(&learnt, "b03"), of(&learnt, "b07"));
        // b08 has r and t, b02 s alone, a4 r and s.
        let [r, s] = [0, 1];
        let sums = scores(&model_of(&model, &ground, &[(r, 0.1), (r, 0.2), (s, 0.3)]));
        assert_eq!(of(&sums, "b08"), (0.1_f64 + 0.2).to_bits());
        assert_eq!(of(&sums, "b02"), 0.3_f64.to_bits());
        assert_ne!(of(&sums, "b08"), of(&sums, "b02"));
        assert_eq!(of(&sums, "a4"), (0.1_f64 + 0.2 + 0.3).to_bits());
    });
}
