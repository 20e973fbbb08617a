//! Triples in one table, or in three: train, valid and test.

use std::path::{Path, PathBuf};

use crate::faults;
use crate::formats::file_format::{About, Asked, Clue, FileFormat};
use crate::formats::folder::has_ending;
use crate::gather::{DataFile, Division, FileReading, Files, Habits, MakeReader, Role, whole};
use crate::rows::{CellValue, Rows};
use gleaner_base::FixedSet;
use gleaner_lang::program::PredicateName;
use gleaner_lang::syntax::{Diagnostic, Place, Span};

mod graph;
mod parts;
mod text;

pub use graph::{FORMAT, LoadedGraph, constant_texts, load_graph};

use parts::{PARTS, facts_file, false_part, holds_triples, present};
use text::{ACCEPTED, Triple, TripleText};

/// The layout of triples.
#[derive(Debug)]
pub(super) struct Triples;

impl FileFormat for Triples {
    fn about(&self) -> About {
        About {
            name: FORMAT,
            files_in_words: "train.txt, test.txt",
            habits: Habits {
                is_foreign: true,
                has_positives_among_facts: true,
                is_one_graph: true,
                ..Habits::default()
            },
            clue: Clue::Cells,
        }
    }

    /// A file, or a folder's training part, begins with triples.
    fn is_recognised(&self, path: &Path) -> bool {
        holds_triples(path)
    }

    fn facts(&self, path: &Path) -> Option<MakeReader> {
        let is_table = has_ending(path, "tsv") || has_ending(path, "txt") && self.is_recognised(path);
        is_table.then_some(|| whole(|text, reading| take_triples(text, true, reading)))
    }

    fn files(&self, asked: &Asked<'_>) -> Result<Option<Files>, Vec<Diagnostic>> {
        files(asked.path).map(Some)
    }
}

/// Takes triples as facts; the target's become examples. If `is_known` is false, it takes only the target's triples,
/// and counts the others.
fn take_triples(text: &str, is_known: bool, reading: &mut FileReading<'_>) {
    let mut relations = FixedSet::default();
    for line in triples(text, reading) {
        let Some(triple) = read_line(line, reading) else { continue };
        let place = reading.place_in_file(triple.span);
        if take_triple((triple.relation, triple.arguments), is_known, place, reading)
            && relations.insert(triple.relation)
        {
            add_relation(triple.relation, reading);
        }
    }
}

/// Takes the rows of a table of head, relation and tail as triples that are known.
///
/// # Errors
///
/// Another number of columns.
pub(super) fn take_rows<R: Rows>(mut rows: R, reading: &mut FileReading<'_>) -> Result<(), Diagnostic> {
    each_triple(&mut rows, |place, found| {
        match found {
            Ok([head, relation, tail]) => {
                if take_triple((relation, [head, tail]), true, place, reading) {
                    add_relation(relation, reading);
                }
            }
            Err(fault) => reading.tell(fault),
        }
        Ok(())
    })
}

/// Gives `take` the place and the head, relation and tail of each row, or the fault of a row that lacks one.
fn each_triple(
    rows: &mut impl Rows,
    mut take: impl FnMut(Place, Result<[&str; 3], Diagnostic>) -> Result<(), Diagnostic>,
) -> Result<(), Diagnostic> {
    const N_COLUMNS: usize = 3;
    let n_columns = rows.columns().len();
    if n_columns != N_COLUMNS {
        let what = format!("this table has {n_columns} columns");
        return Err(faults::malformed_table(rows.place(None), &what, "triples are head, relation and tail"));
    }
    while rows.next()? {
        let missing = (0..N_COLUMNS).find(|&column| rows.cell(column).words().is_empty());
        if let Some(column) = missing {
            let place = rows.place(Some(column));
            let fault = faults::malformed_table(place, "this triple lacks a value", "leave the row out");
            take(place, Err(fault))?;
            continue;
        }
        let cells = [0, 1, 2].map(|column| rows.cell(column));
        let words = cells.each_ref().map(CellValue::words);
        take(rows.place(None), Ok(words.each_ref().map(AsRef::as_ref)))?;
    }
    Ok(())
}

/// The whole numbers of a relation of triples may be names.
fn add_relation(relation: &str, reading: &mut FileReading<'_>) {
    let relation = reading.statements.symbols.predicate(relation, 2);
    reading.notes.graph_relations.insert(relation);
}

/// Takes a triple as a fact; false if it is none that is known.
fn take_triple(
    (relation, arguments): (&str, [&str; 2]),
    is_known: bool,
    place: Place,
    reading: &mut FileReading<'_>,
) -> bool {
    let is_target = reading.statements.declarations.is_query(&PredicateName::new(relation, 2));
    if is_target && reading.role == Role::Background {
        // The parts hold the examples.
        return false;
    }
    if is_target || is_known {
        let row = arguments.map(|cell| text::entity(cell, &mut reading.statements.symbols));
        let fold = if is_target { reading.fold } else { None };
        reading.fact_row(relation, &row, fold, place);
    } else {
        reading.notes.hidden_facts.add(place);
    }
    is_target || is_known
}

/// Takes triples that were checked to be false: the target's are negative examples; all others say nothing here.
fn take_false_triples(text: &str, reading: &mut FileReading<'_>) {
    for line in triples(text, reading) {
        let Some(triple) = read_line(line, reading) else { continue };
        if reading.statements.declarations.is_query(&PredicateName::new(triple.relation, 2)) {
            let place = reading.place_in_file(triple.span);
            let row = triple.arguments.map(|cell| text::entity(cell, &mut reading.statements.symbols));
            reading.example_row(triple.relation, &row, false, reading.fold, place);
        }
    }
}

/// The triples of a text; a header gets a message.
fn triples<'text>(
    text: &'text str,
    reading: &mut FileReading<'_>,
) -> impl Iterator<Item = Result<Triple<'text>, Span>> + use<'text> {
    let text = TripleText::new(text);
    if let Some((first, n)) = text.comments() {
        reading.tell(faults::comments(reading.place_in_file(first), n));
    }
    if let Some(stop) = text.stop() {
        reading.tell(faults::stops(reading.place_in_file(stop)));
    }
    if let Some(header) = text.header() {
        reading.tell(faults::header_line(reading.place_in_file(header.span)));
    }
    text.triples()
}

/// The triple of a line; any other line gets a message.
fn read_line<'text>(
    line: Result<Triple<'text>, Span>,
    reading: &mut FileReading<'_>,
) -> Option<Triple<'text>> {
    line.map_err(|span| reading.tell(faults::odd_line(reading.place_in_file(span), ACCEPTED))).ok()
}

/// A file of known triples.
fn known(path: PathBuf) -> DataFile {
    DataFile::read_by(path, || whole(|text, reading| take_triples(text, true, reading)))
}

/// A file of hidden triples: only the target's are read, as examples.
fn hidden(path: PathBuf) -> DataFile {
    DataFile::read_by(path, || whole(|text, reading| take_triples(text, false, reading)))
}

/// A file of triples that people checked to be false: only the target's are read, as examples.
fn checked_false(path: PathBuf) -> DataFile {
    DataFile::read_by(path, || whole(take_false_triples))
}

/// Finds the files. The training part, with `facts.txt` if it exists, is known. The other parts only give examples;
/// those of tune and test also come from files of triples that were checked to be false.
fn files(path: &Path) -> Result<Files, Vec<Diagnostic>> {
    if !path.is_dir() {
        return Ok(Files::undivided(vec![known(path.to_path_buf())]));
    }
    let present = present(path)?;
    let facts = facts_file(path);
    if present.len() == 1 {
        return Ok(Files::undivided(
            facts.into_iter().chain(present.into_iter().map(|(file, _)| file)).map(known).collect(),
        ));
    }
    // Facts beside train are known in the same way as train.
    let facts = facts.map(|facts| known(facts).in_fold(Some(0)));
    let parts = present.iter().enumerate().map(|(fold, (file, name))| {
        let make = if *name == "train" { known } else { hidden };
        make(file.clone()).in_fold(Some(fold))
    });
    let mut files: Vec<DataFile> = facts.into_iter().chain(parts).collect();
    for (fold, (_, name)) in present.iter().enumerate().skip(1) {
        let names = PARTS.iter().find(|(_, of)| of == name).map_or(&[][..], |(names, _)| names);
        files.extend(false_part(path, names).map(|file| checked_false(file).in_fold(Some(fold))));
    }
    let fold_names: Vec<String> = present.iter().map(|(_, name)| (*name).to_owned()).collect();
    let division = if present.len() == 3 { Division::TrainTuneTest } else { Division::TrainTest };
    Ok(Files { files, fold_names, division, ..Files::default() })
}
