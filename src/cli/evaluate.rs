//! `gleaner evaluate SCORES`: named metrics of a table of scores, or of a model on data.

use std::path::{Path, PathBuf};

use clap::ArgMatches;

use crate::eval::Ranking;
use crate::experiment::evaluate::{EvaluateAnswer, ScoreColumns, WeighedScore, read_scores};
use crate::report::csv_tables;
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
        on_threads(matches, || Ok(apply(&file, matches, &memory, output)?.weighed_scores().collect()))?
    } else {
        scores_of_file(&path, matches)?
    };
    let ranking = Ranking::weighted(scores).map_err(|error| bad_scores(&path, &error.to_string()))?;
    let answer = EvaluateAnswer::of(&ranking);
    if let Some(file) = matches.get_one::<PathBuf>("curve") {
        let table = csv_tables::curve(&answer.curve);
        write_whole(file, table.as_bytes()).map_err(|error| Failure::write(file, &error))?;
    }
    output.answer(&answer)
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

/// The scores of a table on file.
fn scores_of_file(path: &Path, matches: &ArgMatches) -> Result<Vec<WeighedScore>, Failure> {
    let text = read_text(path)?;
    if text.trim_start().starts_with('{') {
        return Err(Failure::Usage(format!(
            "{} looks like a model: give the DATA to apply it to",
            path.display()
        )));
    }
    let name = |flag: &str| matches.get_one::<String>(flag).map_or("", String::as_str);
    let columns = ScoreColumns { label: name("label-column"), score: name("score-column") };
    read_scores(&text, columns).map_err(|what| bad_scores(path, &what))
}
