//! Mutual information of two Boolean variables, from their margins.

/// `I = sum_ij p_ij ln(p_ij / (p_i p_j))` in nats, of two Boolean variables. Of `n` examples, the first variable holds
/// for `n_first` and the second for `n_second`. `departure` is `n_11 n_00 - n_10 n_01`, which equals
/// `n_11 n - n_first n_second`. `0 ln 0 = 0`. Counts may be weighted. Range: 0 to `ln 2`; 0 exactly at departure 0. An
/// exchange of both variables gives the same bits.
///
/// Let `D` be the departure. Each cell departs from its value at independence by the share `x_ij = +-D / (n_i n_j)`. As
/// these departures cancel, `I = sum_ij p_i p_j f(x_ij)` with `f(x) = (1 + x) ln(1 + x) - x >= 0`. The textbook's sum
/// has terms of both signs, which near independence leave few digits or a negative number. This sum has no terms that
/// cancel.
pub fn mutual_information(n_first: f64, n_second: f64, n: f64, departure: f64) -> f64 {
    let square = n * n;
    let term = |margin: f64, other: f64, departure: f64| {
        let expected = margin * other;
        if expected > 0.0 { expected / square * excess(departure / expected) } else { 0.0 }
    };
    let (rest_first, rest_second) = (n - n_first, n - n_second);
    let agree = term(n_first, n_second, departure) + term(rest_first, rest_second, departure);
    let differ = term(n_first, rest_second, -departure) + term(rest_first, n_second, -departure);
    agree + differ
}

/// As [`mutual_information`], of a Boolean variable and a class among any number. `held` has the weight of each class
/// for which the variable holds; `all` has the whole weight of each class. Range: 0 to `ln 2`. For two classes it
/// equals [`mutual_information`].
///
/// # Panics
///
/// When the lists differ in length.
pub fn information_on_classes(held: &[f64], all: &[f64]) -> f64 {
    assert_eq!(held.len(), all.len(), "a value for each class");
    let n: f64 = all.iter().sum();
    let n_held: f64 = held.iter().sum();
    let square = n * n;
    let term = |margin: f64, of_class: f64, departure: f64| {
        let expected = margin * of_class;
        if expected > 0.0 { expected / square * excess(departure / expected) } else { 0.0 }
    };
    let cells = held.iter().zip(all).map(|(&held, &of_class)| {
        let departure = held * n - n_held * of_class;
        term(n_held, of_class, departure) + term(n - n_held, of_class, -departure)
    });
    cells.sum()
}

/// `f(x) = (1 + x) ln(1 + x) - x` for `x >= -1`, with `f(-1) = 1`.
fn excess(x: f64) -> f64 {
    if x <= -1.0 {
        return 1.0;
    }
    if x.abs() > 0.05 {
        return (1.0 + x) * x.ln_1p() - x;
    }
    // The series `sum_(k >= 2) (-x)^k / (k (k - 1))`: the two parts above would cancel. At 0.05 the terms
    // after k = 12 are below 1e-16 of the sum.
    let mut sum = 0.0;
    for k in (2..=12).rev() {
        let k = f64::from(k);
        sum = 1.0 / (k * (k - 1.0)) - x * sum;
    }
    x * x * sum
}

#[cfg(test)]
mod tests {
    use super::{excess, information_on_classes, mutual_information};

    /// Of 8 examples of three classes, 4, 3 and 1, a variable holds 3, 0 and 1. By the textbook: `3/8 ln(3/8 / (4/8 4/8))
    /// + 1/8 ln(1/8 / (4/8 1/8)) + 1/8 ln(1/8 / (4/8 4/8)) + 3/8 ln(3/8 / (4/8 3/8))`, which is
    /// `3/8 ln 3/2 + 1/8 ln 2 + 1/8 ln 1/2 + 3/8 ln 2 = 3/8 ln 3`.
    #[test]
    fn information_on_three_classes_by_hand() {
        let found = information_on_classes(&[3.0, 0.0, 1.0], &[4.0, 3.0, 1.0]);
        assert!((found - 0.375 * 3.0_f64.ln()).abs() < 1e-15, "{found}");
    }

    #[test]
    fn on_two_classes_it_is_that_of_two_variables() {
        for (held, all) in [([3.0, 5.0], [7.0, 90.0]), ([0.0, 4.0], [2.0, 8.0]), ([1.0, 1.0], [3.0, 3.0])] {
            let n = all[0] + all[1];
            let departure = held[0] * n - (held[0] + held[1]) * all[0];
            let of_two = mutual_information(held[0] + held[1], all[0], n, departure);
            assert!((information_on_classes(&held, &all) - of_two).abs() < 1e-15);
        }
    }

    #[test]
    fn the_series_meets_the_formula() {
        for x in [0.05_f64, -0.05] {
            let formula = (1.0 + x) * x.ln_1p() - x;
            assert!((excess(x) - formula).abs() < 1e-14 * formula / x.abs(), "{x}");
        }
        assert!((excess(-1.0) - 1.0).abs() < f64::EPSILON);
    }

    use proptest::collection::vec;
    use proptest::prelude::*;

    proptest! {
        /// `I(X; Y, C) = I(X; C) + I(X; Y | C)` for Boolean X and Y and three classes, on any table of counts. No
        /// information is below 0, or above that of X with itself.
        #[test]
        fn the_chain_rule(cells in vec(0_u32..40, 12)) {
            // By class, Y and X.
            let count = |class: usize, y: usize, x: usize| f64::from(cells[class * 4 + y * 2 + x]);
            let n: f64 = cells.iter().map(|&cell| f64::from(cell)).sum();
            prop_assume!(n > 0.0);
            let of_pair = |class: usize, y: usize| count(class, y, 0) + count(class, y, 1);
            let pairs: Vec<(usize, usize)> = (0..3).flat_map(|class| [(class, 0), (class, 1)]).collect();
            let held: Vec<f64> = pairs.iter().map(|&(class, y)| count(class, y, 1)).collect();
            let all: Vec<f64> = pairs.iter().map(|&(class, y)| of_pair(class, y)).collect();
            let together = information_on_classes(&held, &all);

            let held: Vec<f64> = (0..3).map(|class| count(class, 0, 1) + count(class, 1, 1)).collect();
            let all: Vec<f64> = (0..3).map(|class| of_pair(class, 0) + of_pair(class, 1)).collect();
            let of_class = information_on_classes(&held, &all);
            let given_class: f64 = (0..3)
                .map(|class| {
                    let (n_x, n_y, n_both) = (held[class], of_pair(class, 1), count(class, 1, 1));
                    let all = all[class];
                    if all == 0.0 { 0.0 } else { all / n * mutual_information(n_x, n_y, all, n_both * all - n_x * n_y) }
                })
                .sum();
            prop_assert!((together - of_class - given_class).abs() < 1e-12, "{together} {of_class} {given_class}");
            let n_x: f64 = held.iter().sum();
            let entropy = mutual_information(n_x, n_x, n, n_x * n - n_x * n_x);
            prop_assert!(of_class >= 0.0 && given_class >= 0.0 && together <= entropy + 1e-12);
        }

        /// Exchanged, two variables have the same information to the bit; and so have a variable and its complement.
        #[test]
        fn symmetry(cells in vec(0_u32..1_000, 4)) {
            let [neither, first, second, both] = [0, 1, 2, 3].map(|cell| f64::from(cells[cell]));
            let n = neither + first + second + both;
            prop_assume!(n > 0.0);
            let (n_first, n_second) = (first + both, second + both);
            let departure = both * n - n_first * n_second;
            let found = mutual_information(n_first, n_second, n, departure);
            prop_assert_eq!(found.to_bits(), mutual_information(n_second, n_first, n, departure).to_bits());
            let complement = mutual_information(n - n_first, n_second, n, -departure);
            prop_assert!((found - complement).abs() < 1e-15);
        }
    }
}
