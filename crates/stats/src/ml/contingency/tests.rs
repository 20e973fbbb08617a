use proptest::prelude::{prop_assert, prop_assert_eq, proptest};

use super::Contingency;

const fn table(n11: usize, n10: usize, n01: usize, n00: usize) -> Contingency {
    Contingency { n11, n10, n01, n00 }
}

fn assert_near(table: Contingency, expected: f64, relative: f64) {
    let value = table.mutual_information().expect("there are examples");
    assert!((value - expected).abs() <= relative * expected.abs(), "{table:?}: {value:e}, not {expected:e}");
}

#[test]
fn information_by_hand() {
    let ln2 = std::f64::consts::LN_2;
    // Equal and opposite variables: the entropy, one bit.
    assert_near(table(10, 0, 0, 10), ln2, 1e-15);
    assert_near(table(0, 3, 3, 0), ln2, 1e-15);
    // p = (1/2, 0, 1/4, 1/4): I = 1/2 ln(1/2 / (1/2 * 3/4)) + 1/4 ln(1/4 / (1/2 * 3/4)) + 1/4 ln(1/4 / (1/2 * 1/4)).
    let by_hand = 0.5 * (4.0_f64 / 3.0).ln() + 0.25 * (2.0_f64 / 3.0).ln() + 0.25 * ln2;
    assert_near(table(2, 0, 1, 1), by_hand, 1e-15);
    // Independent: exactly 0, also where a variable is constant.
    for independent in
        [table(5, 5, 5, 5), table(1, 2, 3, 6), table(1, 0, 0, 0), table(2, 0, 5, 0), table(0, 0, 4, 9)]
    {
        assert_eq!(independent.mutual_information().map(f64::to_bits), Some(0));
    }
    assert_eq!(table(0, 0, 0, 0).mutual_information(), None);
}

/// `mutual_info_score` of scikit-learn 1.9.1 on the same tables.
#[test]
fn information_as_of_scikit_learn() {
    assert_near(table(3, 1, 2, 4), 0.086_304_621_735_534_49, 1e-14);
    // 0.693147180559945.
    assert_near(table(10, 0, 0, 10), std::f64::consts::LN_2, 1e-14);
    assert_near(table(0, 7, 9, 0), 0.685_314_207_276_458_1, 1e-14);
    assert_near(table(150, 1_623, 4_000, 275_267), 0.000_513_883_815_872_187_2, 1e-11);
    assert_near(table(70_000, 70_520, 70_260, 70_260), 1.711_757_158_018_301e-6, 1e-9);
}

/// The textbook's sum in decimals of 60 digits, rounded; near independence scikit-learn 1.9.1 gives
/// 1.701226782195456e-11, 1.2434497875801753e-13 and NaN for the last three.
#[test]
fn information_keeps_its_digits_near_independence() {
    assert_near(table(150, 1_623, 4_000, 275_267), 5.138_838_158_737_692e-4, 1e-14);
    assert_near(table(70_000, 70_520, 70_260, 70_260), 1.711_757_158_137_77e-6, 1e-14);
    assert_near(table(1, 1_772, 158, 279_109), 1.701_386_401_158_973e-11, 1e-14);
    assert_near(table(1_000_001, 999_999, 1_000_000, 1_000_000), 1.250_000_000_000_364_5e-13, 1e-14);
    let half = 1 << 31;
    assert_near(table(half, half - 1, half, half + 1), 2.710_505_431_213_761e-20, 1e-14);
}

#[test]
fn totals_that_no_table_has() {
    assert_eq!(Contingency::from_totals(1, 3, 2, 6), Some(table(1, 2, 1, 2)));
    for (n_both, n_first, n_second, n) in [(4, 3, 5, 9), (4, 5, 3, 9), (1, 5, 5, 8), (0, 3, 0, 2)] {
        assert_eq!(Contingency::from_totals(n_both, n_first, n_second, n), None);
    }
}

proptest! {
    #[test]
    fn information_obeys_its_laws(n11 in 0_usize..300, n10 in 0_usize..300, n01 in 0_usize..300, n00 in 1_usize..300) {
        let information = |table: Contingency| table.mutual_information().expect("there are examples");
        let value = information(table(n11, n10, n01, n00));
        prop_assert!((0.0..=std::f64::consts::LN_2 + 1e-15).contains(&value));
        prop_assert_eq!(value.to_bits(), information(table(n11, n01, n10, n00)).to_bits());
        let negated = information(table(n01, n00, n11, n10));
        prop_assert!((value - negated).abs() <= 1e-13 * value);
        // The slow twin: the definition.
        let n = (n11 + n10 + n01 + n00) as f64;
        let (first, second) = ((n11 + n10) as f64, (n11 + n01) as f64);
        let term = |count: usize, margin: f64, other: f64| {
            let count = count as f64;
            if count == 0.0 { 0.0 } else { count / n * (count * n / (margin * other)).ln() }
        };
        let plain = term(n11, first, second) + term(n10, first, n - second)
            + term(n01, n - first, second) + term(n00, n - first, n - second);
        prop_assert!((value - plain).abs() < 1e-14, "{} {}", value, plain);
    }
}
