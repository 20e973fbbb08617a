use super::{Comparison, Outcome, compare_variants};

fn three() -> Comparison {
    let variant = |name: &str, values: [f64; 4]| (name.to_owned(), values.map(Some).to_vec());
    compare_variants(&[
        variant("good", [0.9, 0.8, 0.85, 0.95]),
        variant("bad", [0.5, 0.45, 0.4, 0.6]),
        variant("odd", [0.95, 0.4, 0.9, 0.3]),
    ])
}

#[test]
fn every_pair_is_compared_once() {
    let comparison = three();
    let pairs: Vec<(usize, usize)> = comparison.pairs.iter().map(|pair| (pair.left, pair.right)).collect();
    assert_eq!(pairs, [(0, 1), (0, 2), (1, 2)]);
    let names: Vec<&str> = comparison.variants.iter().map(|variant| variant.name.as_str()).collect();
    assert_eq!(names, ["good", "bad", "odd"]);
    assert!((comparison.variants[0].summary.mean.expect("four values") - 0.875).abs() < 1e-12);
    let difference = comparison.pairs[0].paired.mean_difference.expect("four pairs");
    assert!((difference - (0.875 - 0.4875)).abs() < 1e-12);
}

#[test]
fn outcomes_mirror_each_other() {
    let comparison = three();
    assert_eq!(comparison.outcome(0, 1, false), Outcome::Better);
    assert_eq!(comparison.outcome(1, 0, false), Outcome::Worse);
    assert_eq!(comparison.outcome(0, 1, true), Outcome::Worse);
    assert_eq!(comparison.outcome(1, 0, true), Outcome::Better);
    for (row, column) in [(0, 0), (0, 2), (2, 1), (0, 9)] {
        assert_eq!(comparison.outcome(row, column, false), Outcome::Neither);
    }
}

#[test]
fn few_variants_have_few_pairs() {
    assert!(compare_variants(&[]).pairs.is_empty());
    assert!(compare_variants(&[("alone".to_owned(), vec![None])]).pairs.is_empty());
}
