//! A table of scores, or a model's scores, measured.

use serde::Serialize;

use crate::eval::{Metrics, PrCurve, PrPoint, Ranking, achievable_auc_pr, metrics};

use super::filtered::Filtered;

/// What a ranking reaches.
#[derive(Clone, Debug, Serialize)]
pub struct EvaluateAnswer {
    /// Positives ranked.
    pub positives: u64,
    /// Negatives ranked.
    pub negatives: u64,
    /// Positives that the restriction leaves out.
    #[serde(skip_serializing_if = "super::filtered::is_zero")]
    pub filtered_positives: usize,
    /// The same, and whether they count.
    #[serde(skip)]
    pub filtered: Filtered,
    /// The measures.
    pub metrics: RankingMetrics,
    /// The curve, ascending by recall.
    #[serde(skip)]
    pub curve: Vec<PrPoint>,
}

/// The measures of a ranking, and the one that takes thresholds chosen on other examples.
#[derive(Clone, Debug, Serialize)]
pub struct RankingMetrics {
    /// Those of the ranking alone.
    #[serde(flatten)]
    pub of_ranking: Metrics,
    /// The achievable area, of a model that has thresholds for it; undefined where a class is missing. [GLEANER §9.3]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub auc_pr_achievable: Option<Option<f64>>,
}

impl EvaluateAnswer {
    /// Measures a ranking; the thresholds of its achievable curve, falling, are of a model's file, or none.
    #[must_use]
    pub fn of(ranking: Ranking, filtered: Filtered, hull_thresholds: &[f64]) -> Self {
        let ranking = &ranking.with_last_positives(filtered.n_counted());
        let of_ranking = metrics(ranking);
        let curve = PrCurve::from_ranking(ranking).points();
        let has_thresholds = !hull_thresholds.is_empty();
        Self {
            positives: of_ranking.n_positives,
            negatives: of_ranking.n_negatives,
            filtered_positives: filtered.n_positives,
            filtered,
            metrics: RankingMetrics {
                of_ranking,
                auc_pr_achievable: has_thresholds.then(|| achievable_auc_pr(ranking, hull_thresholds)),
            },
            curve,
        }
    }
}

/// Score, label and weight of an example, as [`Ranking::weighted`] takes them.
pub type WeighedScore = (f64, bool, f64);

/// Which columns of a table are read.
#[derive(Clone, Copy, Debug)]
pub struct ScoreColumns<'c> {
    /// The column of labels.
    pub label: &'c str,
    /// The column of scores.
    pub score: &'c str,
}

/// The scores of examples, and how many have no label, so that nothing can be measured on them.
#[derive(Clone, Debug, Default)]
pub struct LabelledScores {
    /// Those with a label.
    pub scores: Vec<WeighedScore>,
    /// How many have none.
    pub n_unlabelled: usize,
    /// The positives that a restriction left out.
    pub filtered: Filtered,
}

/// The scores of a CSV with a header; without a column `weight` each weighs 1. Rows whose label is empty are counted.
///
/// # Errors
///
/// What is wrong with the table, with the line.
pub fn read_scores(text: &str, columns: ScoreColumns<'_>) -> Result<LabelledScores, String> {
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let headers = reader.headers().map_err(|error| error.to_string())?.clone();
    let column = |name: &str| {
        headers.iter().position(|header| header.trim() == name).ok_or_else(|| {
            let known: Vec<&str> = headers.iter().collect();
            match &known[..] {
                [] => "it is empty".to_owned(),
                known => format!("there is no column {name}; there are {}", known.join(", ")),
            }
        })
    };
    let (label_column, score_column) = (column(columns.label)?, column(columns.score)?);
    let weight_column = headers.iter().position(|header| header.trim() == "weight");
    let mut read = LabelledScores::default();
    for record in reader.records() {
        let record = record.map_err(|error| error.to_string())?;
        let line = record.position().map_or(0, csv::Position::line);
        let (label, score) = (record[label_column].trim(), record[score_column].trim());
        if label.is_empty() {
            read.n_unlabelled += 1;
            continue;
        }
        let label = parse_label(label)
            .ok_or_else(|| format!("line {line}: {label:?} is no label (1/0, true/false, pos/neg, +/-)"))?;
        let score: f64 = score.parse().map_err(|_| format!("line {line}: {score:?} is no number"))?;
        let weight: f64 = match weight_column.map(|column| record[column].trim()) {
            None => 1.0,
            Some(text) => text.parse().map_err(|_| format!("line {line}: {text:?} is no weight"))?,
        };
        read.scores.push((score, label, weight));
    }
    Ok(read)
}

fn parse_label(text: &str) -> Option<bool> {
    match text.to_lowercase().as_str() {
        "1" | "1.0" | "true" | "pos" | "positive" | "+" | "+1" => Some(true),
        "0" | "0.0" | "false" | "neg" | "negative" | "-" | "-1" => Some(false),
        _ => None,
    }
}
