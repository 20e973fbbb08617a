//! What `predict` decides by: of the thresholds that a model has, the one that is asked for.

use crate::base::{Counts, Totals, real_number};
use crate::program::settings::{Form, Refusal, SettingType};

/// The decision that `predict` classifies by, chosen on tune.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OperatingPoint {
    /// Highest F1.
    BestF1,
    /// Recall nearest to this.
    Recall(f64),
    /// Highest recall with at least this precision, or the highest precision where none has it.
    Precision(f64),
}

impl SettingType for OperatingPoint {
    type Range = ();

    const FORM: Form = Form::Word;
    const VALUE_NAME: &'static str = "POINT";

    fn accepted(_: &()) -> String {
        "best-f1, recall=R or precision=P with R and P from 0 to 1".to_owned()
    }

    fn parse(text: &str, _: &()) -> Result<Self, Refusal> {
        if text == "best-f1" {
            return Ok(Self::BestF1);
        }
        let share = |text: &str| real_number(text).filter(|share| (0.0..=1.0).contains(share));
        let point = text.split_once('=').and_then(|(name, text)| match name {
            "recall" => share(text).map(Self::Recall),
            "precision" => share(text).map(Self::Precision),
            _ => None,
        });
        point.ok_or(Refusal::NotAccepted)
    }
}

impl OperatingPoint {
    /// The position of the decision that classifies, by what each covers on tune; `None` where there are none. Of
    /// equals the first.
    #[must_use]
    pub fn choose(self, decisions: &[Counts], totals: Totals) -> Option<usize> {
        let key = |counts: Counts| -> (f64, f64) {
            let precision = counts.precision(totals.negative_weight).unwrap_or(0.0);
            let recall = counts.recall(totals).unwrap_or(0.0);
            match self {
                Self::BestF1 if precision + recall > 0.0 => {
                    (2.0 * precision * recall / (precision + recall), recall)
                }
                Self::BestF1 => (0.0, 0.0),
                Self::Recall(wanted) => (-(recall - wanted).abs(), precision),
                Self::Precision(wanted) if precision >= wanted => (1.0 + recall, precision),
                Self::Precision(_) => (precision - 1.0, recall),
            }
        };
        // The first of equals: `max_by` keeps the last, so the order is reversed.
        (0..decisions.len()).rev().max_by(|&left, &right| {
            let (left, right) = (key(decisions[left]), key(decisions[right]));
            left.0.total_cmp(&right.0).then(left.1.total_cmp(&right.1))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::OperatingPoint;
    use crate::base::{Counts, NegativeWeight, Totals};

    const TOTALS: Totals = Totals { n_positives: 10, n_negatives: 40, negative_weight: NegativeWeight::ONE };

    fn counts(true_positives: usize, false_positives: usize) -> Counts {
        Counts { true_positives, false_positives }
    }

    #[test]
    fn operating_points_by_hand() {
        let decisions = [counts(3, 0), counts(6, 4)];
        // F1: 2·1·.3/1.3 = .46 against 2·.6·.6/1.2 = .6.
        assert_eq!(OperatingPoint::BestF1.choose(&decisions, TOTALS), Some(1));
        assert_eq!(OperatingPoint::Recall(0.4).choose(&decisions, TOTALS), Some(0));
        assert_eq!(OperatingPoint::Precision(0.55).choose(&decisions, TOTALS), Some(1));
        assert_eq!(OperatingPoint::Precision(0.9).choose(&decisions, TOTALS), Some(0));
        assert_eq!(OperatingPoint::BestF1.choose(&[], TOTALS), None);
    }

    /// One negative stands for five.
    #[test]
    fn sampled_negatives_are_weighed() {
        let decisions = [counts(6, 2), counts(10, 8)];
        // F1 on tune: 2·.375·.6/.975 = .46 against 2·.2·1/1.2 = .33; unweighted .67 and .67.
        let weighted = Totals { negative_weight: NegativeWeight::new(5, 1), ..TOTALS };
        assert_eq!(OperatingPoint::BestF1.choose(&decisions, weighted), Some(0));
        let unweighted = OperatingPoint::BestF1.choose(&decisions, TOTALS);
        assert_eq!(unweighted, Some(1), "6/8 at .6 is .667, 10/18 at 1 is .714");
    }
}
