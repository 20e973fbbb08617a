//! The clauses of a model, or of a text.

use std::fs::File;
use std::io::{BufReader, Read};
use std::path::Path;

use gleaner_base::Budget;
use gleaner_data::Problem;
use gleaner_data::clauses::{Checker, ClauseReader, Next, ReadClause, usable_predicates, widened_symbols};
use gleaner_lang::program::SharedSymbols;

use super::class_models::AnyModel;
use super::failure::Failure;
use super::files::read_text;

/// The clauses, each as often as it is written, and the problem's symbols with the clauses' own constants. Clauses of a
/// model ascend by text.
pub(crate) fn read_clauses(
    problem: &Problem,
    source: &Path,
) -> Result<(Vec<ReadClause>, SharedSymbols), Failure> {
    let usable = usable_predicates(problem);
    let mut checker = Checker::new(problem, &usable);
    if is_model(source) {
        let mut texts: Vec<String> = AnyModel::of_text(source, &read_text(source)?)?
            .models()
            .iter()
            .flat_map(|file| file.clause_texts())
            .collect();
        texts.sort_unstable();
        texts.dedup();
        let read = texts.iter().map(|text| checker.read_one("a clause of the model", text));
        let read = read.map(|written| written.map(|written| written.read)).collect::<Result<_, _>>()?;
        Ok((read, widened_symbols(problem, checker.names())))
    } else {
        let mut reader = ClauseReader::open(source, checker)?;
        let mut all = Vec::new();
        while let Next::Clauses(some) = reader.next(&Budget::unlimited())? {
            all.extend(some);
        }
        let symbols = widened_symbols(problem, reader.names());
        Ok((all, symbols))
    }
}

/// Clauses of a program, each a text of its own.
pub(crate) fn read_texts(
    problem: &Problem,
    texts: &[String],
) -> Result<(Vec<ReadClause>, SharedSymbols), Failure> {
    let usable = usable_predicates(problem);
    let mut checker = Checker::new(problem, &usable);
    let read = texts.iter().map(|text| checker.read_one("a clause", text).map(|written| written.read));
    let read = read.collect::<Result<_, _>>()?;
    Ok((read, widened_symbols(problem, checker.names())))
}

/// Whether a file is a model: JSON begins with a brace, a clause never does. A pipe is read once, so it holds clauses.
/// A file that cannot be read is reported by its reader.
fn is_model(source: &Path) -> bool {
    let first =
        |file: BufReader<File>| file.bytes().map_while(Result::ok).find(|byte| !byte.is_ascii_whitespace());
    source.is_file() && File::open(source).ok().map(BufReader::new).and_then(first) == Some(b'{')
}
