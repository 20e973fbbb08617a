//! Scores of one classifier on the scale of another.

/// Maps the scores of one classifier to those of another, by a rising line. The line gives both the same mean and the
/// same standard deviation over weighted rows.
///
/// Classifiers that learnt from a row more or less differ in intercept and spread. A calibration or threshold that is
/// fitted to the scores of several classifiers would take that for evidence. For most examples may lie a hair above or
/// below a step. A line keeps every order of scores. A step function that fits better would tie most scores that both
/// classifiers have learnt by heart.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Alignment {
    slope: f64,
    offset: f64,
}

impl Alignment {
    /// The alignment over rows that weigh something. Scores that are all equal, or absent, keep their spread.
    pub fn fit(scores: &[f64], others: &[f64], weights: &[f64]) -> Self {
        let weight: f64 = weights.iter().sum();
        if weight <= 0.0 {
            return Self { slope: 1.0, offset: 0.0 };
        }
        let mean = |values: &[f64]| -> f64 {
            values.iter().zip(weights).map(|(value, weight)| value * weight).sum::<f64>() / weight
        };
        let spread = |values: &[f64], mean: f64| -> f64 {
            let squares =
                values.iter().zip(weights).map(|(value, weight)| (value - mean) * (value - mean) * weight);
            (squares.sum::<f64>() / weight).sqrt()
        };
        let (of_scores, of_others) = (mean(scores), mean(others));
        let spreads = [spread(scores, of_scores), spread(others, of_others)];
        let slope = if spreads.iter().all(|&spread| spread > 0.0) { spreads[1] / spreads[0] } else { 1.0 };
        let offset = slope.mul_add(-of_scores, of_others);
        if slope.is_finite() && offset.is_finite() {
            Self { slope, offset }
        } else {
            Self { slope: 1.0, offset: 0.0 }
        }
    }

    /// A score of one classifier on the scale of the other.
    pub fn at(self, score: f64) -> f64 {
        self.slope * score + self.offset
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::{prop_assert, proptest};

    use super::Alignment;

    fn assert_close(found: &[f64], expected: &[f64]) {
        let is_close = found.len() == expected.len()
            && found.iter().zip(expected).all(|(found, expected)| (found - expected).abs() < 1e-12);
        assert!(is_close, "{found:?}, not {expected:?}");
    }

    /// By hand, weights 1, 1, 2: means (0 + 2 + 2·3) / 4 = 2 and (1 + 7 + 2·10) / 4 = 7; variances (4 + 0 + 2) / 4 = 1.5 and
    /// (36 + 0 + 18) / 4 = 13.5, so the slope is 3. The last row weighs nothing.
    #[test]
    fn alignment_by_hand() {
        let alignment =
            Alignment::fit(&[0.0, 2.0, 3.0, 99.0], &[1.0, 7.0, 10.0, -9.0], &[1.0, 1.0, 2.0, 0.0]);
        assert_close(&[0.0, 1.0, 2.0, 5.0].map(|score| alignment.at(score)), &[1.0, 4.0, 7.0, 16.0]);
    }

    #[test]
    fn equal_scores_stay_to_the_bit() {
        let scores = [0.1, 0.7, 1e9, -3.3];
        let alignment = Alignment::fit(&scores, &scores, &[0.3, 2.0, 1.0, 0.1]);
        assert!(
            scores.iter().all(|&score| alignment.at(score).to_bits() == score.to_bits()),
            "{alignment:?}"
        );
    }

    #[test]
    fn without_rows_scores_stay_and_without_spread_they_are_moved() {
        assert_close(&[Alignment::fit(&[], &[], &[]).at(0.25)], &[0.25]);
        assert_close(&[Alignment::fit(&[2.0, 2.0], &[5.0, 7.0], &[1.0, 1.0]).at(3.0)], &[7.0]);
    }

    proptest! {
        /// No two scores that differ well are tied, whatever the other classifier says of them.
        #[test]
        fn order_is_kept(rows in proptest::collection::vec((-9.0_f64..9.0, -9.0_f64..9.0), 2..30)) {
            let (scores, others): (Vec<f64>, Vec<f64>) = rows.into_iter().unzip();
            let alignment = Alignment::fit(&scores, &others, &vec![1.0; scores.len()]);
            let mut sorted = scores.clone();
            sorted.sort_by(f64::total_cmp);
            let is_kept = sorted.windows(2).all(|pair| alignment.at(pair[0]) <= alignment.at(pair[1]));
            prop_assert!(is_kept, "{alignment:?}");
        }
    }
}
