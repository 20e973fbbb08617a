//! `gleaner evaluate SCORES`: named metrics of a table of scores, or of a model on data.

use std::path::{Path, PathBuf};

use clap::ArgMatches;
use serde_json::json;

use crate::eval::{Metrics, PrCurve, Ranking, metrics};
use crate::experiment::run::ScoredExample;
use crate::report::{csv_tables, metric};
use crate::store::write_whole;
use crate::syntax::{Diagnostic, codes};

use super::conduct::on_threads;
use super::failure::Failure;
use super::memory::MemoryCap;
use super::output::Output;
use super::predict::{apply, read_model};
use super::session::read_text;

pub(super) fn evaluate(matches: &ArgMatches, output: &mut Output) -> Result<(), Failure> {
    output.set(matches.get_flag("json"), matches.get_flag("quiet"));
    let path = PathBuf::from(matches.get_one::<String>("scores").cloned().unwrap_or_default());
    let scores = if matches.contains_id("data") {
        let file = read_model(&path)?;
        let memory = MemoryCap::watch(matches)?;
        on_threads(matches, || {
            let (problem, scored) = apply(&file, matches, &memory, output)?;
            let weight = problem.examples.negative_weight().ratio();
            let entry = |scored: &ScoredExample| {
                let is_positive = problem.examples.is_positive(scored.example);
                (scored.score, is_positive, if is_positive { 1.0 } else { weight })
            };
            Ok(scored.iter().map(entry).collect())
        })?
    } else {
        read_scores(&path, matches)?
    };
    let ranking = Ranking::weighted(scores).map_err(|error| bad_scores(&path, &error.to_string()))?;
    let found = metrics(&ranking);
    if let Some(file) = matches.get_one::<PathBuf>("curve") {
        let table = csv_tables::curve(&PrCurve::from_ranking(&ranking).points());
        write_whole(file, table.as_bytes()).map_err(|error| Failure::write(file, &error))?;
    }
    output.text(&table(&found))?;
    output.event(&json!({
        "event": "done",
        "version": 1,
        "positives": found.n_positives,
        "negatives": found.n_negatives,
        "metrics": found,
    }))
}

fn table(found: &Metrics) -> String {
    let rows = [
        ("auc_pr", found.auc_pr, "exact area under the precision-recall curve"),
        ("minimum_auc_pr", found.minimum_auc_pr, "the least that any ranking can have"),
        ("prevalence", found.prevalence, "the area of a random ranking"),
        ("average_precision", found.average_precision, "uninterpolated"),
        ("auc_roc", found.auc_roc, "area under the ROC curve"),
        ("best_f1", found.best_f1, "best threshold, chosen on these very examples"),
        ("break_even", found.break_even, "where precision equals recall"),
        ("eleven_point_average", found.eleven_point_average, "interpolated at recall 0, 0.1, ... 1"),
    ];
    let mut text = format!("{} positives, {} negatives\n", found.n_positives, found.n_negatives);
    for (name, value, meaning) in rows {
        text.push_str(&format!("{name:<22}{:>8}  {meaning}\n", metric(value)));
    }
    text
}

fn bad_scores(path: &Path, what: &str) -> Failure {
    Failure::fault(
        Diagnostic::error(codes::BAD_SCORES, format!("{}: {what}", path.display()))
            .with_help(
                "a table of scores is a CSV with a header, a column of labels and one of finite numbers",
            )
            .with_help("--label-column and --score-column name them"),
    )
}

/// Score, label and weight.
type Scored = (f64, bool, f64);

/// The scores, labels and weights of a CSV; without a column `weight` each weighs 1.
fn read_scores(path: &Path, matches: &ArgMatches) -> Result<Vec<Scored>, Failure> {
    let text = read_text(path)?;
    if text.trim_start().starts_with('{') {
        return Err(Failure::Usage(format!(
            "{} looks like a model: give the DATA to apply it to",
            path.display()
        )));
    }
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let headers = reader.headers().map_err(|error| bad_scores(path, &error.to_string()))?.clone();
    let column = |flag: &str| {
        let name = matches.get_one::<String>(flag).cloned().unwrap_or_default();
        headers.iter().position(|header| header.trim() == name).ok_or_else(|| {
            let known: Vec<&str> = headers.iter().collect();
            bad_scores(path, &format!("there is no column {name}; there are {}", known.join(", ")))
        })
    };
    let (label_column, score_column) = (column("label-column")?, column("score-column")?);
    let weight_column = headers.iter().position(|header| header.trim() == "weight");
    let mut scores = Vec::new();
    for record in reader.records() {
        let record = record.map_err(|error| bad_scores(path, &error.to_string()))?;
        let line = record.position().map_or(0, csv::Position::line);
        let (label, score) = (record[label_column].trim(), record[score_column].trim());
        let label = parse_label(label).ok_or_else(|| {
            bad_scores(path, &format!("line {line}: {label:?} is no label (1/0, true/false, pos/neg, +/-)"))
        })?;
        let score: f64 =
            score.parse().map_err(|_| bad_scores(path, &format!("line {line}: {score:?} is no number")))?;
        let weight: f64 = match weight_column.map(|column| record[column].trim()) {
            None => 1.0,
            Some(text) => {
                text.parse().map_err(|_| bad_scores(path, &format!("line {line}: {text:?} is no weight")))?
            }
        };
        scores.push((score, label, weight));
    }
    Ok(scores)
}

fn parse_label(text: &str) -> Option<bool> {
    match text.to_lowercase().as_str() {
        "1" | "1.0" | "true" | "pos" | "positive" | "+" | "+1" => Some(true),
        "0" | "0.0" | "false" | "neg" | "negative" | "-" | "-1" => Some(false),
        _ => None,
    }
}
