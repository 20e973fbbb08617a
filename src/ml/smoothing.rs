//! Laplace's smoothing of frequencies, by which no estimate is 0 or 1.

/// `(count + 1) / (total + 2)`: the chance of a two-valued event after `count` of `total`, both may be sums
/// of weights. Range: above 0, below 1.
#[must_use]
pub fn smoothed(count: f64, total: f64) -> f64 {
    (count + 1.0) / (total + 2.0)
}

/// `ln(left / right)` of two smoothed frequencies, each a count with its total.
#[must_use]
pub fn log_odds(left: (f64, f64), right: (f64, f64)) -> f64 {
    (smoothed(left.0, left.1) / smoothed(right.0, right.1)).ln()
}

#[cfg(test)]
mod tests {
    use super::log_odds;

    /// 3 of 4 positives, 1 of 6 negatives: (4/6) / (2/8) = 8/3.
    #[test]
    fn odds_by_hand() {
        assert!((log_odds((3.0, 4.0), (1.0, 6.0)) - (8.0_f64 / 3.0).ln()).abs() < 1e-15);
        assert_eq!(log_odds((0.0, 5.0), (0.0, 5.0)).to_bits(), 0.0_f64.to_bits());
    }
}
