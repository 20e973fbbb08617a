//! The operating point: which of a model's thresholds `predict` decides by.
//!
//! Scores of one classifier on the scale of another.

use gleaner_base::{ClassWeights, real_number};
use gleaner_lang::program::settings::{Form, Refusal, SettingType};

/// The decision that `predict` classifies by.
///
/// Each figure is an expected one: an example with probability `p` counts `p` as a positive and `1 - p` as a negative.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OperatingPoint {
    /// Highest mean of the F1 of the positives and the F1 of the negatives. Where positives are few, this is the
    /// threshold of highest F1, as the other F1 hardly changes. Where classes are balanced, it does not call nearly
    /// everything positive, as highest F1 does.
    MeanF1,
    /// Highest F1.
    BestF1,
    /// Recall nearest to this.
    Recall(f64),
    /// Highest recall with at least this precision, or the highest precision where none has it.
    Precision(f64),
    /// Highest F-beta, `(1 + b) p r / (b p + r)`: above 1 recall counts more, below 1 precision.
    FBeta(f64),
    /// Highest share of examples called rightly: `(TP + TN) / (P + N)`.
    Accuracy,
    /// Least cost of mistakes.
    Cost(MistakeCosts),
}

/// The costs of mistakes; those of a classifier cost `false_positive * FP + false_negative * FN` together.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct MistakeCosts {
    /// A negative that is called positive.
    pub false_positive: f64,
    /// A positive that is not.
    pub false_negative: f64,
}

impl MistakeCosts {
    /// Parses costs as `5:1`: of false positives, then of false negatives. Neither is below 0, one is above.
    fn parse(text: &str) -> Option<Self> {
        let (false_positive, false_negative) = text.split_once(':')?;
        let cost = |text| real_number(text).filter(|cost| cost.is_finite() && *cost >= 0.0);
        let costs = Self { false_positive: cost(false_positive)?, false_negative: cost(false_negative)? };
        (costs.false_positive + costs.false_negative > 0.0).then_some(costs)
    }

    /// The total cost of a classifier's mistakes.
    fn of(self, called: ClassWeights, all: ClassWeights) -> f64 {
        self.false_positive * called.negatives + self.false_negative * (all.positives - called.positives)
    }
}

impl SettingType for OperatingPoint {
    type Range = ();

    const FORM: Form = Form::Word;
    const VALUE_NAME: &'static str = "POINT";

    fn accepted(_: &()) -> String {
        "mean-f1, best-f1, recall=R or precision=P with R and P from 0 to 1, f-beta=B with B from 0, accuracy, or cost=FP:FN \
         with what a false positive and a false negative cost"
            .to_owned()
    }

    fn parse(text: &str, _: &()) -> Result<Self, Refusal> {
        match text {
            "mean-f1" => return Ok(Self::MeanF1),
            "best-f1" => return Ok(Self::BestF1),
            "accuracy" => return Ok(Self::Accuracy),
            _ => {}
        }
        let share = |text: &str| real_number(text).filter(|share| (0.0..=1.0).contains(share));
        let point = text.split_once('=').and_then(|(name, text)| match name {
            "recall" => share(text).map(Self::Recall),
            "precision" => share(text).map(Self::Precision),
            "f-beta" => real_number(text).filter(|beta| beta.is_finite() && *beta >= 0.0).map(Self::FBeta),
            "cost" => MistakeCosts::parse(text).map(Self::Cost),
            _ => None,
        });
        point.ok_or(Refusal::NotAccepted)
    }
}

impl OperatingPoint {
    /// The position of the decision that classifies; `None` where there are no decisions. Each decision is given by the
    /// positives and negatives that it calls positive; `all` has all that there are. If decisions are equal, the first.
    pub fn choose(self, decisions: &[ClassWeights], all: ClassWeights) -> Option<usize> {
        let key = |called: ClassWeights| -> (f64, f64) {
            let precision = called.precision().unwrap_or(0.0);
            let recall = called.recall(all).unwrap_or(0.0);
            match self {
                Self::MeanF1 => {
                    let of_negatives = all.minus(called).exchanged().f_beta(1.0, all.exchanged());
                    (called.f_beta(1.0, all).unwrap_or(0.0) + of_negatives.unwrap_or(0.0), recall)
                }
                Self::BestF1 => (called.f_beta(1.0, all).unwrap_or(0.0), recall),
                Self::Recall(wanted) => (-(recall - wanted).abs(), precision),
                Self::Precision(wanted) if precision >= wanted => (1.0 + recall, precision),
                Self::Precision(_) => (precision - 1.0, recall),
                Self::FBeta(beta) => (called.f_beta(beta, all).unwrap_or(0.0), recall),
                Self::Accuracy => (called.positives - called.negatives, recall),
                Self::Cost(costs) => (-costs.of(called, all), recall),
            }
        };
        // The first of equals: `max_by` keeps the last, so the order is reversed.
        (0..decisions.len()).rev().max_by(|&left, &right| {
            let (left, right) = (key(decisions[left]), key(decisions[right]));
            left.0.total_cmp(&right.0).then(left.1.total_cmp(&right.1))
        })
    }
}

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

    use gleaner_base::{ClassWeights, NegativeWeight, Totals};
    use gleaner_lang::program::settings::SettingType;

    use super::{Alignment, MistakeCosts, OperatingPoint};

    const TOTALS: Totals = Totals { n_positives: 10, n_negatives: 40, negative_weight: NegativeWeight::ONE };

    fn counts(positives: u32, negatives: u32) -> ClassWeights {
        ClassWeights { positives: positives.into(), negatives: negatives.into() }
    }

    /// The position of the decision, where each negative stands for so many.
    fn choose(point: OperatingPoint, decisions: &[ClassWeights], totals: Totals) -> Option<usize> {
        let ratio = totals.negative_weight.ratio();
        let weigh = |of: &ClassWeights| ClassWeights { negatives: of.negatives * ratio, ..*of };
        point.choose(&decisions.iter().map(weigh).collect::<Vec<_>>(), totals.weighted())
    }

    #[test]
    fn operating_points_by_hand() {
        let decisions = [counts(3, 0), counts(6, 4)];
        // F1: 2·1·.3/1.3 = .46 against 2·.6·.6/1.2 = .6.
        assert_eq!(choose(OperatingPoint::BestF1, &decisions, TOTALS), Some(1));
        assert_eq!(choose(OperatingPoint::Recall(0.4), &decisions, TOTALS), Some(0));
        assert_eq!(choose(OperatingPoint::Precision(0.55), &decisions, TOTALS), Some(1));
        assert_eq!(choose(OperatingPoint::Precision(0.9), &decisions, TOTALS), Some(0));
        assert_eq!(choose(OperatingPoint::BestF1, &[], TOTALS), None);
    }

    /// 10 positives and 10 negatives: where best F1 calls nearly everything positive, others need not.
    #[test]
    fn balanced_sets_need_not_be_called_positive() {
        let totals = Totals { n_negatives: 10, ..TOTALS };
        let decisions = [counts(5, 0), counts(7, 2), counts(10, 8)];
        let chosen = |text: &str| {
            let point = OperatingPoint::parse(text, &()).expect("an operating point");
            choose(point, &decisions, totals).expect("there are decisions")
        };
        // F1: 10/15 = .667, 14/19 = .737, 20/28 = .714; of the negatives 20/25 = .8, 16/21 = .762, 4/12 = .333.
        assert_eq!(chosen("best-f1"), 1);
        assert_eq!(chosen("mean-f1"), 1);
        // 18/21 = .857 and 16/19 = .842 of the second are more than 14/17 = .824 and 20/23 = .870 of the first.
        assert_eq!(choose(OperatingPoint::MeanF1, &[counts(7, 0), counts(9, 2)], totals), Some(1));
        assert_eq!(chosen("f-beta=1"), 1);
        // (1 + B) TP / (10 B + TP + FP), B as it is and not its square. B = 4: 25/45 = .556, 35/49 = .714, 50/58 = .862.
        assert_eq!(chosen("f-beta=4"), 2);
        // B = 1/4: 6.25/7.5 = .833, 8.75/11.5 = .761, 12.5/20.5 = .61.
        assert_eq!(chosen("f-beta=0.25"), 0);
        // Accuracy: 15/20, 15/20, 12/20; of equals the higher recall.
        assert_eq!(chosen("accuracy"), 1);
        // 5 and 0 mistakes of the first, 3 and 2 of the second, 0 and 8 of the third.
        assert_eq!(chosen("cost=1:1"), 1, "5, 5 and 8");
        assert_eq!(chosen("cost=2:1"), 0, "5, 7 and 16");
        assert_eq!(chosen("cost=1:4"), 2, "20, 14 and 8");
        assert_eq!(chosen("cost=0:0.5"), 2, "2.5, 1.5 and 0");
    }

    /// Each negative stands for five: 10 and 50. The second calls 6 + 40 rightly, the first 5 + 50.
    #[test]
    fn sampled_negatives_weigh_in_costs_and_accuracy() {
        let totals = Totals { n_negatives: 10, negative_weight: NegativeWeight::new(5, 1), ..TOTALS };
        let decisions = [counts(5, 0), counts(9, 2)];
        let cost = |false_positive, false_negative| {
            OperatingPoint::Cost(MistakeCosts { false_positive, false_negative })
        };
        assert_eq!(choose(OperatingPoint::Accuracy, &decisions, totals), Some(0), "55/60 against 49/60");
        assert_eq!(choose(cost(1.0, 1.0), &decisions, totals), Some(0), "5 against 10 + 1");
        assert_eq!(choose(cost(1.0, 3.0), &decisions, totals), Some(1), "15 against 10 + 3");
        // B = 4, weighed: 25/(40 + 5) = .556 against 45/(40 + 9 + 10) = .763.
        assert_eq!(choose(OperatingPoint::FBeta(4.0), &decisions, totals), Some(1));
    }

    #[test]
    fn what_is_no_operating_point_is_refused() {
        for text in [
            "f-beta",
            "f-beta=-1",
            "f-beta=inf",
            "accuracy=1",
            "cost=1",
            "cost=0:0",
            "cost=-1:1",
            "cost=1:x",
            "recall=2",
        ] {
            assert!(OperatingPoint::parse(text, &()).is_err(), "{text}");
        }
    }

    /// One negative stands for five.
    #[test]
    fn sampled_negatives_are_weighed() {
        let decisions = [counts(6, 2), counts(10, 8)];
        // F1 on tune: 2·.375·.6/.975 = .46 against 2·.2·1/1.2 = .33; unweighted .67 and .67.
        let weighted = Totals { negative_weight: NegativeWeight::new(5, 1), ..TOTALS };
        assert_eq!(choose(OperatingPoint::BestF1, &decisions, weighted), Some(0));
        let unweighted = choose(OperatingPoint::BestF1, &decisions, TOTALS);
        assert_eq!(unweighted, Some(1), "6/8 at .6 is .667, 10/18 at 1 is .714");
    }

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
