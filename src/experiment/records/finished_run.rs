//! A run that has ended, as its folder holds it: the record, and the tables beside it.

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value as Json;

use gleaner_data::folder_name;
use gleaner_stats::eval::PrPoint;

use crate::experiment::links::ranks::{RankAnswer, RankedText};
use crate::experiment::links::run::shown_name;
use crate::experiment::links::validation::LinkVariant;
use crate::experiment::loading::inspect::DataProfile;
use crate::experiment::records::record_kind;
use crate::experiment::records::run_record::RunRecord;
use crate::experiment::scoring::reasons::Kind;

/// A run with its tables.
#[derive(Clone, Debug)]
pub(crate) struct FinishedRun {
    pub(crate) record: RunRecord,
    /// The record as it was written: it tells more than is read back.
    pub(crate) json: Json,
    /// In the order of the record's runs.
    pub(crate) folds: Vec<FinishedFold>,
    pub(crate) mean_curve: Vec<MeanPoint>,
    pub(crate) reliability: Vec<ReliabilityRow>,
    pub(crate) profile: DataProfile,
}

/// The tables of one fold. Those that a learner does not have are empty.
#[derive(Clone, Debug, Default)]
pub(crate) struct FinishedFold {
    pub(crate) name: String,
    /// The test curve, ascending by recall.
    pub(crate) curve: Vec<PrPoint>,
    pub(crate) predictions: Vec<Prediction>,
    pub(crate) decisions: Vec<DecisionRow>,
    pub(crate) diversity: Vec<DiversityRow>,
    pub(crate) density: Vec<DensityRow>,
    pub(crate) clauses: Vec<ClauseRow>,
    pub(crate) theories: Vec<TheoryRow>,
    pub(crate) explanations: Vec<ExplanationRow>,
    /// The test examples of a target that is a number, in the place of all others.
    pub(crate) numbers: Vec<NumberRow>,
    /// The links of a graph, in the place of all others: those of test with their ranks, and the closed rules.
    pub(crate) ranked: Vec<RankRow>,
    pub(crate) rules: Vec<RuleRow>,
}

/// The mean precision over folds at a recall.
#[derive(Clone, Copy, Debug, Deserialize)]
pub(crate) struct MeanPoint {
    pub(crate) recall: f64,
    pub(crate) precision_mean: Option<f64>,
    pub(crate) precision_ci95: Option<f64>,
}

/// A range of probabilities.
#[derive(Clone, Copy, Debug, Deserialize)]
pub(crate) struct ReliabilityRow {
    pub(crate) above: f64,
    pub(crate) up_to: f64,
    pub(crate) examples: f64,
    pub(crate) mean_probability: Option<f64>,
    pub(crate) frequency: Option<f64>,
    pub(crate) expected_positives: f64,
    pub(crate) positives: f64,
}

/// A test example with its score. The label is empty for examples without one.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Prediction {
    pub(crate) example: String,
    pub(crate) score: f64,
    /// Empty, or a word, where the model has no probabilities.
    #[serde(deserialize_with = "csv::invalid_option")]
    pub(crate) probability: Option<f64>,
    pub(crate) decision: u8,
    pub(crate) label: Option<u8>,
}

/// A test example with its number and the one that is predicted.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct NumberRow {
    pub(crate) example: String,
    pub(crate) predicted: f64,
    pub(crate) number: Option<f64>,
}

/// A test link with the ranks of its ends.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct RankRow {
    subject: String,
    relation: String,
    object: String,
    rank_of_subject: f64,
    rank_of_object: f64,
}

/// A closed rule.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct RuleRow {
    pub(crate) rule: String,
    pub(crate) correct: usize,
    pub(crate) predicted: usize,
    pub(crate) confidence: f64,
}

/// A decision of Gleaner, with its counts on test.
#[derive(Clone, Copy, Debug, Deserialize)]
pub(crate) struct DecisionRow {
    pub(crate) target_bin: usize,
    pub(crate) theory_bin: usize,
    pub(crate) votes: f64,
    pub(crate) test_true_positives: usize,
    pub(crate) test_false_positives: usize,
}

/// What a theory calls positive of test with so many votes at least, the most votes first.
#[derive(Clone, Copy, Debug, Deserialize)]
pub(crate) struct TheoryRow {
    pub(crate) theory_bin: usize,
    pub(crate) votes: f64,
    pub(crate) true_positives: usize,
    pub(crate) false_positives: usize,
}

/// The clauses of a bin, and how many of them cover differently.
#[derive(Clone, Copy, Debug, Deserialize)]
pub(crate) struct DiversityRow {
    pub(crate) bin: usize,
    pub(crate) kept: usize,
    pub(crate) unique_fraction: Option<f64>,
}

/// Evaluated clauses of a recall and a precision, both in percent.
#[derive(Clone, Copy, Debug, Deserialize)]
pub(crate) struct DensityRow {
    pub(crate) recall: u8,
    pub(crate) precision: u8,
    pub(crate) clauses: u64,
}

/// A clause of the model with what it covers of each set, and what it adds to the clauses above it.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct ClauseRow {
    pub(crate) clause: String,
    pub(crate) train_true_positives: usize,
    pub(crate) train_false_positives: usize,
    pub(crate) tune_true_positives: usize,
    pub(crate) tune_false_positives: usize,
    pub(crate) test_true_positives: usize,
    pub(crate) test_false_positives: usize,
    pub(crate) added_true_positives: usize,
    pub(crate) added_false_positives: usize,
    /// Empty where there are no words for it.
    pub(crate) in_words: String,
    /// The first positive of test that it covers, with a proof; empty of clauses that come late.
    #[serde(default)]
    pub(crate) test_true_positive: String,
    /// The first negative likewise.
    #[serde(default)]
    pub(crate) test_false_positive: String,
}

/// A row of what explains an example's score; an example has several.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct ExplanationRow {
    pub(crate) example: String,
    pub(crate) kind: Kind,
    /// Of the score, where the score is a sum of shares.
    pub(crate) share: Option<f64>,
    /// To the score, of either sign, where the score is a base and a sum of amounts.
    #[serde(default)]
    pub(crate) amount: Option<f64>,
    pub(crate) text: String,
}

/// A point of the test curve.
#[derive(Clone, Copy, Debug, Deserialize)]
struct CurveRow {
    recall: f64,
    precision: f64,
    true_positives: f64,
    false_positives: f64,
}

/// A file of a run that cannot be read, and why.
#[derive(Debug, thiserror::Error)]
#[error("{file}: {why}")]
pub(crate) struct BadFile {
    file: String,
    why: String,
}

/// Gives the text of a file below the run's folder; none if it is not there.
pub(crate) type Files<'f> = &'f dyn Fn(&str) -> std::io::Result<Option<String>>;

impl FinishedRun {
    /// Reads the tables of a run beside its record. `below` is empty, or the folder of a variant with `/` at its end.
    ///
    /// # Errors
    ///
    /// A file that cannot be read, or is no such table.
    pub(crate) fn read(record: RunRecord, below: &str, files: Files<'_>) -> Result<Self, BadFile> {
        let text = text_of(&format!("{below}run.json"), files)?.unwrap_or_default();
        let json = serde_json::from_str(&text).unwrap_or_default();
        let folds = record.runs.iter().map(|run| {
            let name = run.name();
            let folder = table_folder(&record, below, &name);
            record_kind::of(&record).read_fold(name, &folder, files)
        });
        let folds = folds.collect::<Result<_, _>>()?;
        let mean_curve = rows(&format!("{below}mean_curve.csv"), files)?;
        let reliability = rows(&format!("{below}reliability.csv"), files)?;
        let profile = DataProfile {
            predicates: rows(&format!("{below}predicates.csv"), files)?,
            warnings: rows(&format!("{below}warnings.csv"), files)?,
        };
        Ok(Self { json, folds, mean_curve, reliability, profile, record })
    }

    /// The mean of a metric over the runs, as the record sums it up; of one run its value.
    pub(crate) fn mean_of(&self, name: &str) -> Option<f64> {
        let summed = self.json["summaries"][name]["mean"].as_f64();
        let only = || match self.record.runs.as_slice() {
            [only] => only.metrics.get(name),
            _ => None,
        };
        summed.or_else(only)
    }

    /// What the runs over the links of a graph come to.
    pub(crate) fn links(&self) -> LinkVariant {
        let runs = self.folds.iter().zip(&self.record.runs).filter_map(|(fold, record)| {
            let ranked = fold.ranked.iter().map(RankRow::text).collect();
            let ranks = RankAnswer { ranked, ..record.links.as_ref()?.ranks.clone() };
            (ranks.links > 0).then(|| (shown_name(&record.fold, record.repeat), ranks))
        });
        LinkVariant::of(runs)
    }

    /// The share of positives among the test examples of all folds, each counted for those it stands for.
    #[expect(clippy::cast_precision_loss, reason = "numbers of examples are far below 2^52")]
    pub(crate) fn prevalence(&self) -> Option<f64> {
        let (mut positives, mut all) = (0.0, 0.0);
        for run in &self.record.runs {
            let weight = run.negative_weights.map_or(1.0, |[_, _, test]| test);
            positives += run.test[0] as f64;
            all += run.test[0] as f64 + run.test[1] as f64 * weight;
        }
        (all > 0.0).then(|| positives / all)
    }
}

impl RankRow {
    /// The link by name.
    pub(crate) fn text(&self) -> RankedText {
        let Self { subject, relation, object, rank_of_subject, rank_of_object } = self;
        RankedText {
            link: [subject, relation, object].map(String::clone),
            of_subject: *rank_of_subject,
            of_object: *rank_of_object,
        }
    }
}

/// The test curves of a run's results, in the order of its record.
///
/// # Errors
///
/// A file that cannot be read, or is no such table.
pub(crate) fn curves(record: &RunRecord, files: Files<'_>) -> Result<Vec<Vec<PrPoint>>, BadFile> {
    let of_run = |name: String| curve(&format!("{}curve.csv", table_folder(record, "", &name)), files);
    record.runs.iter().map(|run| of_run(run.name())).collect()
}

/// The folder of a result's tables. A single run has its tables beside its record; so has the one run over the links of a
/// graph.
pub(crate) fn table_folder(record: &RunRecord, below: &str, name: &str) -> String {
    match record.request.command.as_str() {
        "learn" => below.to_owned(),
        _ if record.runs.len() == 1 && record_kind::of(record).joins_single_run() => below.to_owned(),
        _ => format!("{below}{}/", folder_name(name)),
    }
}

/// The test curve of a file; empty if it is not there.
pub(crate) fn curve(file: &str, files: Files<'_>) -> Result<Vec<PrPoint>, BadFile> {
    let rows: Vec<CurveRow> = rows(file, files)?;
    let point = |(at, row): (usize, &CurveRow)| PrPoint {
        recall: row.recall,
        precision: row.precision,
        true_positives: row.true_positives,
        false_positives: row.false_positives,
        origin: Some(at),
    };
    Ok(rows.iter().enumerate().map(point).collect())
}

fn text_of(file: &str, files: Files<'_>) -> Result<Option<String>, BadFile> {
    files(file).map_err(|error| BadFile { file: file.to_owned(), why: error.to_string() })
}

/// The rows of a table; none if it is not there.
pub(crate) fn rows<R: DeserializeOwned>(file: &str, files: Files<'_>) -> Result<Vec<R>, BadFile> {
    let Some(text) = text_of(file, files)? else { return Ok(Vec::new()) };
    let rows = csv::Reader::from_reader(text.as_bytes()).into_deserialize().collect::<Result<_, _>>();
    rows.map_err(|error: csv::Error| BadFile { file: file.to_owned(), why: error.to_string() })
}
