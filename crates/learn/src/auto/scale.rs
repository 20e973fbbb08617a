//! Scores of a learner as log-odds, so that those of several learners have a mean.

use serde::{Deserialize, Serialize};

use gleaner_stats::eval::Ranking;
use gleaner_stats::eval::calibration::{Beta, EDGE, Platt};

use crate::formula::Formula;

/// Log-odds of scores. They rise with the score wherever it tells something, so that equal log-odds are rare. Steps, as
/// those of isotonic regression, would tie examples that the learner tells apart.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Scale {
    /// For scores from 0 to 1.
    Beta(Beta),
    /// For any other scores.
    Platt(Platt),
    /// For scores that tell nothing, or the contrary of what they should.
    Constant(f64),
}

impl Scale {
    /// The scale of highest likelihood; 0 for all scores where a class is missing.
    ///
    /// **Cost**: a sort, and some passes over the ranking.
    pub fn fit(ranking: &Ranking) -> Self {
        let (positives, negatives) = ranking.class_weights();
        if !(positives > 0.0 && negatives > 0.0) {
            return Self::Constant(0.0);
        }
        let prior = ((positives + 1.0) / (negatives + 1.0)).ln();
        let is_share = ranking.groups().iter().all(|group| (0.0..=1.0).contains(&group.score));
        let fitted = if is_share {
            Beta::fit(ranking).filter(|beta| beta.a + beta.b > 0.0).map(Self::Beta)
        } else {
            Platt::fit(ranking).filter(|platt| platt.slope < 0.0).map(Self::Platt)
        };
        fitted.filter(Self::is_sound).unwrap_or(Self::Constant(prior))
    }

    /// The log-odds of a positive at a score.
    pub fn log_odds(&self, score: f64) -> f64 {
        match self {
            Self::Beta(beta) => beta.log_odds(score),
            Self::Platt(platt) => platt.log_odds(score),
            Self::Constant(log_odds) => *log_odds,
        }
    }

    /// How much the log-odds rise with the score, where they do so everywhere alike; else 0.
    pub fn slope(&self) -> f64 {
        match self {
            Self::Platt(_) => self.log_odds(1.0) - self.log_odds(0.0),
            Self::Beta(_) | Self::Constant(_) => 0.0,
        }
    }

    /// The log-odds as a formula of the score.
    pub fn formula(&self, score: Formula) -> Formula {
        match self {
            Self::Beta(Beta { a, b, c, .. }) => {
                Formula::Beta { share: Box::new(score), parameters: [*a, *b, *c], edge: EDGE }
            }
            Self::Platt(Platt { slope, offset }) => {
                let negated = Formula::Product(Box::new(score), -slope);
                Formula::Sum(vec![negated, Formula::Number(-offset)])
            }
            Self::Constant(log_odds) => Formula::Number(*log_odds),
        }
    }

    /// Whether it gives numbers; a file may have been changed by hand.
    pub fn is_sound(&self) -> bool {
        match self {
            Self::Beta(Beta { a, b, c, before: None }) => {
                (0.0..=1e9).contains(a) && (0.0..=1e9).contains(b) && c.abs() < 1e9
            }
            Self::Beta(Beta { before: Some(_), .. }) => false,
            Self::Platt(Platt { slope, offset }) => (-1e9..=0.0).contains(slope) && offset.abs() < 1e9,
            Self::Constant(log_odds) => log_odds.is_finite(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Scale;
    use gleaner_stats::eval::Ranking;

    fn scale(scores: &[(f64, bool)]) -> Scale {
        Scale::fit(&Ranking::new(scores.iter().copied()).expect("numbers"))
    }

    /// Shares have a beta curve, other numbers a sigmoid; both rise strictly.
    #[test]
    fn log_odds_rise_with_the_score() {
        let shares = [(0.1, false), (0.2, false), (0.3, true), (0.7, false), (0.8, true), (0.9, true)];
        let margins = shares.map(|(score, is_positive)| (20.0 * score - 9.0, is_positive));
        for scale in [scale(&shares), scale(&margins)] {
            let found: Vec<f64> = shares.iter().map(|&(score, _)| scale.log_odds(score)).collect();
            assert!(found.is_sorted_by(|lower, higher| lower < higher), "{scale:?}: {found:?}");
            assert!(scale.is_sound());
        }
        assert!(matches!(scale(&shares), Scale::Beta(_)));
        assert!(matches!(scale(&margins), Scale::Platt(_)));
    }

    /// By hand: (2 + 1) / (3 + 1) of scores that are the wrong way round.
    #[test]
    fn scores_the_wrong_way_round_tell_nothing() {
        let wrong = [(-1.0, true), (0.0, true), (3.0, false), (4.0, false), (5.0, false)];
        assert_eq!(scale(&wrong), Scale::Constant(0.75_f64.ln()));
        assert_eq!(scale(&[(0.5, true)]), Scale::Constant(0.0));
    }
}
