use proptest::prelude::*;

use gleaner_base::{Counts, NegativeWeight, Totals};

use super::{ClauseScore, Score};

const TOTALS: Totals = Totals { n_positives: 10, n_negatives: 30, negative_weight: NegativeWeight::ONE };

const fn counts(true_positives: usize, false_positives: usize) -> Counts {
    Counts { true_positives, false_positives }
}

fn parsed(text: &str) -> Score {
    Score::parse(text).unwrap_or_else(|fault| panic!("{text}: {fault}"))
}

/// Each with a name, and formulas.
fn all() -> Vec<Score> {
    let named = Score::NAMES.iter().map(|name| parsed(&name.replace(":B", ":0.5").replace(":M", ":3")));
    let formulas = ["TP - 2*FP", "TP/(TP+FP+1) * sqrt(TP/P)", "log(TP+1) - L^0.5", "max(TP, FP)/N"];
    named.chain(formulas.map(parsed)).collect()
}

/// 15 of 30 negatives, one of the two that are covered: the same numbers, and the same scores and bounds.
#[test]
fn a_sample_scores_as_its_population() {
    let (all_counts, sampled) = (counts(6, 2), counts(6, 1));
    let totals = Totals { n_negatives: 15, negative_weight: NegativeWeight::new(30, 15), ..TOTALS };
    for score in all() {
        assert_eq!(score.of(sampled, totals, 3), score.of(all_counts, TOTALS, 3), "{score}");
        assert_eq!(score.bound(sampled, totals, 3), score.bound(all_counts, TOTALS, 3), "{score}");
    }
}

/// TP = 6, FP = 2, P = 10, N = 30, L = 3, so p = 0.75, r = 0.6, the prior 0.25; worked by hand.
#[test]
fn each_score_by_hand() {
    let entropy = |p: f64| -(p * p.log2() + (1.0 - p) * (1.0 - p).log2());
    let expected = [
        ("precision-recall", 0.75 * 0.6),
        ("precision", 0.75),
        ("f1", 2.0 * 0.75 * 0.6 / (0.75 + 0.6)),
        // 1.5 p r / (0.5 p + r) = 0.675 / 0.975.
        ("f-beta:0.5", 0.675 / 0.975),
        ("f-beta:0", 0.75),
        ("coverage", 4.0),
        ("compression", 1.0),
        ("laplace", 7.0 / 10.0),
        ("m-estimate", (6.0 + 2.0 * 0.25) / 10.0),
        // (6 + 8 · 0.25) / (8 + 8).
        ("m-estimate:8", 0.5),
        // (6 + 8) / (8 + 16); with m = 1 it is Laplace's.
        ("thesis-m-estimate:8", 14.0 / 24.0),
        ("thesis-m-estimate:1", 7.0 / 10.0),
        ("accuracy", 34.0 / 40.0),
        ("wracc", 0.2 * 0.5),
        // 6 (log2 3/4 - log2 1/4) = 6 log2 3.
        ("foil-gain", 6.0 * 3.0_f64.log2()),
        // 8 of 40 are covered with 6 positives, 32 are not with 4.
        ("information-gain", entropy(0.25) - 0.2 * entropy(0.75) - 0.8 * entropy(0.125)),
        // -(3/4 log2 4/3 + 1/4 log2 4) = 3/4 log2 3 - 2.
        ("entropy", 0.75 * 3.0_f64.log2() - 2.0),
        // 0.75 up to recall 0.6; then FP rises by 7 with each TP, x/(8x - 40): its integral from 6 to 10 is
        // 1/8 (4 + 5 ln(40/8)).
        ("pr-area", 0.75 * 0.6 + (4.0 + 5.0 * 5.0_f64.ln()) / 8.0 / 10.0),
        // 0.75 · sqrt(0.6) - 3/30.
        ("TP/(TP+FP) * sqrt(TP/P) - L/N", 0.75 * 0.6_f64.sqrt() - 0.1),
    ];
    for (text, value) in expected {
        let found = parsed(text).of(counts(6, 2), TOTALS, 3).expect("defined");
        assert!((found - value).abs() < 1e-12, "{text}: {found} is not {value}");
    }
}

/// scikit-learn 1.9.1: `mutual_info_score` by `ln 2`, and `auc` over 20,000,001 recalls right of the clause's,
/// densest there (`TP + (P - TP) t^3`), with precision from the counts.
#[test]
fn information_and_area_as_of_scikit_learn() {
    let large = Totals { n_positives: 433, n_negatives: 56_164, ..TOTALS };
    let cases = [
        (counts(6, 2), TOTALS, 0.214_170_945_007_628_98, 0.600_589_869_527_131_3),
        (counts(1, 9), TOTALS, 0.033_061_051_638_793_22, 0.196_822_338_332_806_4),
        (counts(3, 1000), large, 4.824_809_471_488_519e-5, 0.007_359_023_977_698_67),
        (counts(9, 1), large, 0.001_037_646_518_093_665_8, 0.027_378_419_252_929_26),
    ];
    for (counts, totals, information, area) in cases {
        let near = |score: Score, expected: f64, relative: f64| {
            let found = score.of(counts, totals, 3).expect("defined");
            assert!((found / expected - 1.0).abs() < relative, "{score} of {counts:?}: {found}");
        };
        near(Score::InformationGain, information, 1e-10);
        near(Score::PrArea, area, 1e-11);
    }
    // All positives and nothing else: the entropy of the classes, as there.
    let whole = Score::InformationGain.of(counts(10, 0), TOTALS, 3).expect("defined");
    assert!((whole - 0.811_278_124_459_132_4).abs() < 1e-14);
}

#[test]
fn a_clause_that_covers_nothing_has_no_precision() {
    let nothing = counts(0, 0);
    for name in ["precision", "precision-recall", "foil-gain", "entropy", "pr-area", "TP/(TP+FP)"] {
        assert_eq!(parsed(name).of(nothing, TOTALS, 3), None, "{name}");
    }
    assert_eq!(Score::Laplace.of(nothing, TOTALS, 3), Some(0.5));
    assert_eq!(Score::InformationGain.of(nothing, TOTALS, 3), Some(0.0));
}

#[test]
fn f_beta_of_one_is_f1() {
    for (tp, fp) in [(6, 2), (0, 7), (10, 30), (1, 0)] {
        let of = |score: &Score| score.of(counts(tp, fp), TOTALS, 3).map(f64::to_bits);
        assert_eq!(of(&Score::FBeta(1.0)), of(&Score::F1));
    }
}

/// Only negatives covered: limits, where the formula would be 0 times infinity.
#[test]
fn limits_without_positives() {
    let wrong = counts(0, 5);
    assert_eq!(Score::FoilGain.of(wrong, TOTALS, 3), Some(0.0));
    assert_eq!(Score::Entropy.of(wrong, TOTALS, 3), Some(0.0));
    let no_positives = Totals { n_positives: 0, ..TOTALS };
    for name in ["foil-gain", "pr-area", "precision-recall"] {
        assert_eq!(parsed(name).of(wrong, no_positives, 3), None, "{name}");
    }
}

/// TP = 6, FP = 2, P = 10, N = 30, L = 3: by hand, from TP' = 6 and FP' = 0 but where said.
#[test]
fn bounds_by_hand() {
    let cases = [
        ("precision-recall", Some(0.6)),
        ("compression", Some(2.0)),
        ("foil-gain", Some(12.0)),
        ("entropy", Some(0.0)),
        // TP^2 <= 36, and -FP^2 <= 0.
        ("TP^2 - FP^2", Some(36.0)),
        // Of (TP - FP)^2 the greater of 6^2 and (-2)^2.
        ("abs(TP - FP)^2", Some(36.0)),
        ("(TP - FP)^3", Some(216.0)),
        // Least at TP = 0 and L = 4.
        ("1/(TP + L)", Some(0.25)),
        ("TP/(FP + 1) - L", Some(2.0)),
        // The denominator may be anything from 0 on.
        ("TP/(TP + FP)", None),
        ("log(FP)", Some(2.0_f64.ln())),
        // Nowhere defined.
        ("sqrt(-1 - TP)", None),
    ];
    for (text, expected) in cases {
        let found = parsed(text).bound(counts(6, 2), TOTALS, 3);
        let is_near = match (found, expected) {
            (Some(found), Some(expected)) => (found - expected).abs() < 1e-12,
            (found, expected) => found == expected,
        };
        assert!(is_near, "{text}: {found:?} is not {expected:?}");
    }
    // Negatives tell the classes apart too: 5 of 10 positives, but all 30 negatives.
    let all_negatives = Score::InformationGain.of(counts(10, 0), TOTALS, 3);
    assert_eq!(Score::InformationGain.bound(counts(5, 30), TOTALS, 3), all_negatives);
}

fn formulas() -> impl Strategy<Value = Score> {
    let leaves = ["TP", "FP", "TP", "FP", "P", "N", "L", "0", "1", "2", "3", "0.5", "100"];
    let leaf = proptest::sample::select(leaves.to_vec()).prop_map(str::to_owned);
    let tree = leaf.prop_recursive(5, 24, 2, |inner| {
        let unary = proptest::sample::select(vec!["-", "sqrt", "log", "log2", "exp", "abs"]);
        let infix = proptest::sample::select(vec!["+", "-", "*", "/", "^"]);
        let call = proptest::sample::select(vec!["min", "max"]);
        prop_oneof![
            (unary, inner.clone()).prop_map(|(f, x)| format!("({f}({x}))")),
            (infix, inner.clone(), inner.clone()).prop_map(|(f, x, y)| format!("({x} {f} {y})")),
            (call, inner.clone(), inner).prop_map(|(f, x, y)| format!("{f}({x}, {y})")),
        ]
    });
    tree.prop_filter_map("it must use TP or FP", |text| Score::parse(&text).ok())
}

/// A clause's counts and totals, and those of a specialisation: `(counts, L)`, `(counts', L')`.
fn specialisations() -> impl Strategy<Value = ((Counts, usize), (Counts, usize), Totals)> {
    let totals = (0_usize..12, 0_usize..20, 1_u64..4);
    totals.prop_flat_map(|(p, n, weight)| {
        // A ratio that is no whole number too.
        let sampled = (n as u64).max(1);
        let negative_weight = NegativeWeight::new(sampled * weight + u64::from(weight > 1), sampled);
        // More false positives than negatives, as where some are emphasised.
        (0..=p, 0..=n + n / 4).prop_flat_map(move |(tp, fp)| {
            let totals = Totals { n_positives: p, n_negatives: n, negative_weight };
            (0..=tp, 0..=fp, 1_usize..9, 1_usize..5).prop_map(move |(tp2, fp2, l, more)| {
                ((counts(tp, fp), l), (counts(tp2, fp2), l + more), totals)
            })
        })
    })
}

fn holds(score: &Score, clause: (Counts, usize), special: (Counts, usize), totals: Totals) -> bool {
    let bound = score.bound(clause.0, totals, clause.1);
    let value = score.of(special.0, totals, special.1);
    match (value, bound) {
        (Some(value), Some(bound)) => value <= bound + 1e-9 * bound.abs().max(1.0),
        _ => true,
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4_000))]

    #[test]
    fn no_specialisation_exceeds_the_bound((clause, special, totals) in specialisations(), x in 0.0..50.0) {
        for score in all().into_iter().chain([Score::FBeta(x), Score::MEstimate(x), Score::ThesisMEstimate(x)]) {
            prop_assert!(holds(&score, clause, special, totals), "{score} {clause:?} {special:?}");
        }
    }

    #[test]
    fn no_specialisation_exceeds_a_formulas_bound(
        (clause, special, totals) in specialisations(),
        score in formulas(),
    ) {
        prop_assert!(holds(&score, clause, special, totals), "{score} {clause:?} {special:?}");
    }

    /// The bounds of scores with a name are reached, by the best of all specialisations, except by entropy.
    #[test]
    fn bounds_are_not_loose((clause, _, totals) in specialisations()) {
        for name in Score::NAMES.iter().filter(|name| **name != "entropy") {
            let score = parsed(&name.replace(":B", ":0.5").replace(":M", ":3"));
            let (top, longer) = (clause.0, clause.1 + 1);
            let special = (0..=top.true_positives)
                .flat_map(|tp| (0..=top.false_positives).map(move |fp| counts(tp, fp)));
            let best = special.filter_map(|counts| score.of(counts, totals, longer)).reduce(f64::max);
            let (Some(bound), Some(best)) = (score.bound(top, totals, clause.1), best) else { continue };
            prop_assert!((bound - best).abs() <= 1e-9 * bound.abs().max(1.0), "{score}: {bound}, {best}");
        }
    }
}
