//! Mutual information of two Boolean variables, from their margins.

/// `I = sum_ij p_ij ln(p_ij / (p_i p_j))` in nats, of two Boolean variables; the first holds
/// `n_first` times of `n`, the second `n_second`, and `departure` is `n_11 n_00 - n_10 n_01`, or
/// `n_11 n - n_first n_second`, which is the same. `0 ln 0 = 0`. Counts may be weighted. Range: 0 to `ln 2`;
/// 0 exactly at departure 0. Equal, bit for bit, when the variables are exchanged.
///
/// With `D` the departure each cell departs from independence by `x_ij = +-D / (n_i n_j)`, relative to what
/// it would be, and as these departures cancel, `I = sum_ij p_i p_j f(x_ij)` with
/// `f(x) = (1 + x) ln(1 + x) - x >= 0`. The textbook's sum has terms of both signs, which near independence
/// leave few digits or a negative number; here nothing cancels.
#[must_use]
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
    use super::excess;

    #[test]
    fn the_series_meets_the_formula() {
        for x in [0.05_f64, -0.05] {
            let formula = (1.0 + x) * x.ln_1p() - x;
            assert!((excess(x) - formula).abs() < 1e-14 * formula / x.abs(), "{x}");
        }
        assert!((excess(-1.0) - 1.0).abs() < f64::EPSILON);
    }
}
