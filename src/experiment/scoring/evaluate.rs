//! A table of scores, or a model's scores, measured: all of them, and groups of examples that agree in an argument.

use std::collections::BTreeMap;

use serde::{Serialize, Serializer};

use gleaner_stats::eval::{
    EvalError, Measuring, Metrics, PrCurve, PrPoint, ProbabilityMetrics, Ranking, ReliabilityBin,
    achievable_auc_pr, metrics, probability_metrics, reliability_table,
};

use crate::experiment::loading::load::Filtered;
use crate::experiment::metrics::metric_list::{METRICS, MetricSources};

/// An example with its label.
#[derive(Clone, Debug, PartialEq)]
pub struct LabelledScore {
    /// Higher is more likely positive.
    pub score: f64,
    /// Its class.
    pub is_positive: bool,
    /// How many examples of the population it stands for.
    pub weight: f64,
    /// The probability that the example is positive, if there is one.
    pub probability: Option<f64>,
    /// The group it is of, if groups are asked for.
    pub group: Option<String>,
}

impl LabelledScore {
    /// Score, label and weight, as [`Ranking::weighted`](gleaner_stats::eval::Ranking::weighted) takes them.
    pub const fn weighed(&self) -> (f64, bool, f64) {
        (self.score, self.is_positive, self.weight)
    }
}

/// The metrics of a ranking.
#[derive(Clone, Debug, Serialize)]
pub struct EvaluateAnswer {
    /// Positives ranked.
    pub positives: u64,
    /// Negatives ranked.
    pub negatives: u64,
    /// Positives that the restriction leaves out.
    #[serde(skip_serializing_if = "crate::experiment::loading::load::is_zero")]
    pub filtered_positives: usize,
    /// The same, and whether they count.
    #[serde(skip)]
    pub filtered: Filtered,
    /// The measures.
    pub metrics: RankingMetrics,
    /// The reliability table of the probabilities, if there are any.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub reliability: Vec<ReliabilityBin>,
    /// The measures of each group, if groups are asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub groups: Vec<GroupMetrics>,
    /// The curve, ascending by recall.
    #[serde(skip)]
    pub curve: Vec<PrPoint>,
}

/// The measures of a ranking, and the one that takes thresholds chosen on other examples.
#[derive(Clone, Debug, Serialize)]
pub struct RankingMetrics {
    /// The metrics of the ranking alone.
    #[serde(flatten)]
    pub of_ranking: Metrics,
    /// The achievable area, if the model has thresholds for it; undefined where a class is missing. [GLEANER §9.3]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub auc_pr_achievable: Option<Option<f64>>,
    /// The metrics of the probabilities, if there are any.
    #[serde(flatten)]
    pub probabilities: Option<ProbabilityMetrics>,
}

/// The settings by which scores are measured.
#[derive(Clone, Debug, PartialEq)]
pub struct Against {
    /// The thresholds of the achievable curve, falling: of a model's file, or none.
    pub hull_thresholds: Vec<f64>,
    /// The settings by which probabilities are measured.
    pub measuring: Measuring,
}

impl EvaluateAnswer {
    /// Measures scores, and probabilities where all examples have one. Positives that a restriction left out have none.
    ///
    /// # Errors
    ///
    /// When a score is not finite, or a weight is negative.
    pub fn of(labelled: &LabelledScores, against: &Against) -> Result<Self, EvalError> {
        let LabelledScores { scores, filtered, .. } = labelled;
        let ranking = Ranking::weighted(scores.iter().map(LabelledScore::weighed))?;
        let ranking = &ranking.with_last_positives(filtered.n_counted());
        let of_ranking = metrics(ranking);
        let curve = PrCurve::from_ranking(ranking).points();
        let by_probability = ranking_of_probabilities(scores.iter())?.filter(|_| !scores.is_empty());
        let thresholds = &against.hull_thresholds;
        Ok(Self {
            positives: of_ranking.n_positives,
            negatives: of_ranking.n_negatives,
            filtered_positives: filtered.n_positives,
            filtered: *filtered,
            metrics: RankingMetrics {
                of_ranking,
                auc_pr_achievable: (!thresholds.is_empty()).then(|| achievable_auc_pr(ranking, thresholds)),
                probabilities: by_probability
                    .as_ref()
                    .map(|ranking| probability_metrics(ranking, against.measuring)),
            },
            reliability: by_probability.as_ref().map_or_else(Vec::new, reliability_table),
            groups: by_group(scores, against.measuring)?,
            curve,
        })
    }
}

/// The columns of a table that are read.
#[derive(Clone, Copy, Debug)]
pub struct ScoreColumns<'c> {
    /// The column of labels.
    pub label: &'c str,
    /// The column of scores.
    pub score: &'c str,
    /// The column of probabilities, if there is one.
    pub probability: Option<&'c str>,
    /// The column whose values are groups, if groups are asked for.
    pub group: Option<&'c str>,
}

/// The scores of examples, and how many have no label, so that nothing can be measured on them.
#[derive(Clone, Debug, Default)]
pub struct LabelledScores {
    /// The scores of rows with a label.
    pub scores: Vec<LabelledScore>,
    /// How many have none.
    pub n_unlabelled: usize,
    /// The positives that a restriction left out.
    pub filtered: Filtered,
}

/// The scores of a CSV with a header. Without a column `weight`, each weighs 1. Rows with an empty label are only
/// counted.
///
/// # Errors
///
/// A fault of the table, with the line.
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
    let probability_column = columns.probability.map(column).transpose()?;
    let group_column = columns.group.map(column).transpose()?;
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
        let probability = probability_column.map(|column| parse_probability(record[column].trim(), line));
        read.scores.push(LabelledScore {
            score,
            is_positive: label,
            weight,
            probability: probability.transpose()?,
            group: group_column.map(|column| record[column].to_owned()),
        });
    }
    Ok(read)
}

fn parse_probability(text: &str, line: u64) -> Result<f64, String> {
    let found: Option<f64> = text.parse().ok();
    found
        .filter(|probability| (0.0..=1.0).contains(probability))
        .ok_or_else(|| format!("line {line}: {text:?} is no probability from 0 to 1"))
}

fn parse_label(text: &str) -> Option<bool> {
    match text.to_lowercase().as_str() {
        "1" | "1.0" | "true" | "t" | "yes" | "y" | "pos" | "positive" | "+" | "+1" => Some(true),
        "0" | "0.0" | "false" | "f" | "no" | "n" | "neg" | "negative" | "-" | "-1" => Some(false),
        _ => None,
    }
}

/// The metrics of the examples of one group.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GroupMetrics {
    /// The value that the group's examples share.
    pub group: String,
    /// Positives.
    pub positives: u64,
    /// Negatives.
    pub negatives: u64,
    /// The metrics of the ranking.
    #[serde(flatten)]
    pub ranking: GroupRanking,
    /// The metrics of the probabilities, if there are any.
    #[serde(flatten)]
    pub probabilities: Option<ProbabilityMetrics>,
}

/// The metrics of a group's ranking; those that are of groups serialise.
#[derive(Clone, Debug, PartialEq)]
pub struct GroupRanking(pub Metrics);

impl Serialize for GroupRanking {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let measured = MetricSources { ranking: Some(&self.0), ..MetricSources::default() };
        let of_groups = METRICS.iter().filter(|metric| metric.shown.is_of_groups);
        serializer.collect_map(of_groups.map(|metric| (metric.name, metric.value(measured))))
    }
}

/// The groups of the examples that have one. Groups with most positives come first; equal ones ascend by name.
///
/// # Errors
///
/// When a score is not finite, or a weight is negative.
pub fn by_group(scores: &[LabelledScore], measuring: Measuring) -> Result<Vec<GroupMetrics>, EvalError> {
    let mut groups: BTreeMap<&str, Vec<&LabelledScore>> = BTreeMap::new();
    for scored in scores {
        if let Some(group) = &scored.group {
            groups.entry(group).or_default().push(scored);
        }
    }
    let of_group = |(&group, scores): (&&str, &Vec<&LabelledScore>)| {
        let ranking = Ranking::weighted(scores.iter().map(|scored| scored.weighed()))?;
        let found = metrics(&ranking);
        Ok(GroupMetrics {
            group: group.to_owned(),
            positives: found.n_positives,
            negatives: found.n_negatives,
            ranking: GroupRanking(found),
            probabilities: ranking_of_probabilities(scores.iter().copied())?
                .map(|ranking| probability_metrics(&ranking, measuring)),
        })
    };
    let mut found: Vec<GroupMetrics> = groups.iter().map(of_group).collect::<Result<_, EvalError>>()?;
    found.sort_by_key(|group| std::cmp::Reverse(group.positives));
    Ok(found)
}

/// The examples ranked by probability; `None` if one of them has no probability.
///
/// # Errors
///
/// As for [`by_group`].
pub fn ranking_of_probabilities<'s>(
    scores: impl Iterator<Item = &'s LabelledScore>,
) -> Result<Option<Ranking>, EvalError> {
    let probability = |scored: &LabelledScore| Some((scored.probability?, scored.is_positive, scored.weight));
    let all: Option<Vec<(f64, bool, f64)>> = scores.map(probability).collect();
    all.map(Ranking::weighted).transpose()
}

#[cfg(test)]
mod tests {
    use super::{LabelledScore, Measuring, by_group};

    /// By hand. Group b: a positive above a negative that counts twice, probabilities .5 and .25. Group a: a negative alone.
    #[test]
    fn each_group_by_itself() {
        let of = |group: &str, score: f64, is_positive: bool, weight: f64| LabelledScore {
            score,
            is_positive,
            weight,
            probability: Some(score / 2.0),
            group: Some(group.to_owned()),
        };
        let scores = [of("a", 0.25, false, 1.0), of("b", 1.0, true, 1.0), of("b", 0.5, false, 2.0)];
        let found = by_group(&scores, Measuring { prior: Some(0.5), at_probability: 0.5 }).expect("numbers");
        assert_eq!(found.iter().map(|group| group.group.as_str()).collect::<Vec<_>>(), ["b", "a"]);
        let [b, a] = &found[..] else { panic!("two groups") };
        let areas = |group: &super::GroupMetrics| [group.ranking.0.auc_pr, group.ranking.0.auc_roc];
        assert_eq!((b.positives, b.negatives, areas(b)), (1, 1, [Some(1.0); 2]));
        let of_b = b.probabilities.as_ref().expect("probabilities");
        let entropy = (2.0_f64.ln() - 2.0 * 0.75_f64.ln()) / 3.0;
        assert!(of_b.mean_cross_entropy.is_some_and(|found| (found - entropy).abs() < 1e-12));
        assert_eq!((of_b.expected_positives, of_b.precision_at_probability), (Some(1.0), Some(1.0)));
        assert_eq!((areas(a)[0], a.negatives), (None, 1));
        let without = scores.map(|scored| LabelledScore { probability: None, ..scored });
        let found = by_group(&without, Measuring { prior: None, at_probability: 0.5 }).expect("numbers");
        assert!(found.iter().all(|group| group.probabilities.is_none()));
    }
}
