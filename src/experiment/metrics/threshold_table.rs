//! What each threshold of the probability would call positive, over the test examples of all folds.

use gleaner_stats::eval::{PrPoint, Ranking};

use crate::experiment::records::finished_run::FinishedRun;

/// Up to so many thresholds are all listed.
const ALL_LISTED: usize = 300;

/// Of more, those between which so large a part of the positives is added, or of what is called positive.
const PART_OF_POSITIVES: f64 = 1.0 / 150.0;
const PART_OF_CALLED: f64 = 0.04;

/// Thresholds, the greatest first.
#[derive(Clone, Debug, Default)]
pub(crate) struct ThresholdTable {
    /// The positives there are, and the negatives, each counted for those it stands for.
    pub(crate) positives: f64,
    pub(crate) negatives: f64,
    pub(crate) rows: Vec<ThresholdRow>,
}

/// A threshold with what it calls positive.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ThresholdRow {
    /// The least probability that is called positive.
    pub(crate) least: f64,
    pub(crate) true_positives: f64,
    pub(crate) false_positives: f64,
}

impl ThresholdRow {
    /// The share of positives among what is called positive.
    pub(crate) fn precision(&self) -> f64 {
        self.true_positives / (self.true_positives + self.false_positives)
    }
}

impl ThresholdTable {
    /// The thresholds of a run: all, where they are few, else some hundreds. Only the first repetition counts, so that each
    /// example counts once. Empty without probabilities.
    ///
    /// **Cost**: sorting the test examples.
    pub(crate) fn of(run: &FinishedRun) -> Self {
        let first = run.folds.iter().zip(&run.record.runs).filter(|(_, record)| record.repeat == 0);
        let scored = first.flat_map(|(fold, record)| {
            let weight = record.negative_weights.map_or(1.0, |[_, _, test]| test);
            fold.predictions.iter().filter_map(move |row| {
                let is_positive = row.label? == 1;
                Some((row.probability?, is_positive, if is_positive { 1.0 } else { weight }))
            })
        });
        let Ok(ranking) = Ranking::weighted(scored) else { return Self::default() };
        let (positives, negatives) = ranking.class_weights();
        let mut table = Self { positives, negatives, rows: Vec::new() };
        let mut reached = ThresholdRow { least: 1.0, true_positives: 0.0, false_positives: 0.0 };
        let n_groups = ranking.groups().len();
        for (at, group) in ranking.groups().iter().enumerate() {
            reached.least = group.score;
            reached.true_positives += group.positives;
            reached.false_positives += group.negatives;
            let is_far = |known: &ThresholdRow| {
                let called = |row: &ThresholdRow| row.true_positives + row.false_positives;
                reached.true_positives - known.true_positives >= PART_OF_POSITIVES * positives
                    || called(&reached) >= (1.0 + PART_OF_CALLED) * called(known)
            };
            if n_groups <= ALL_LISTED || at + 1 == n_groups || table.rows.last().is_none_or(is_far) {
                table.rows.push(reached);
            }
        }
        table
    }

    /// The thresholds as points of a precision-recall curve, ascending by recall.
    pub(crate) fn curve(&self) -> Vec<PrPoint> {
        if self.positives <= 0.0 || self.negatives <= 0.0 {
            return Vec::new();
        }
        let point = |(at, row): (usize, &ThresholdRow)| PrPoint {
            recall: row.true_positives / self.positives,
            precision: row.precision(),
            true_positives: row.true_positives,
            false_positives: row.false_positives,
            origin: Some(at),
        };
        self.rows.iter().enumerate().map(point).collect()
    }

    /// The row of the best F1, if there is one.
    pub(crate) fn best_f1(&self) -> Option<usize> {
        let f1 = |row: &ThresholdRow| {
            2.0 * row.true_positives / (row.true_positives + row.false_positives + self.positives)
        };
        (0..self.rows.len())
            .rev()
            .max_by(|&one, &other| f1(&self.rows[one]).total_cmp(&f1(&self.rows[other])))
    }
}
