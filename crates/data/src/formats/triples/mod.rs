//! Triples in one table, or in three: train, valid and test.
//!
//! All triples of a folder as one graph.
//!
//! Finds the files of a folder that are the parts of a graph.

mod text;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::faults;
use crate::formats::file_format::{About, Asked, Clue, FileFormat, found, has_ending, head};
use crate::formats::tables::{ColumnRows, check_lengths};
use crate::gather::{DataFile, Division, FileReading, Files, Habits, MakeReader, Role, whole};
use crate::provisional::Provisional;
use crate::rows::{CellValue, Rows};
use crate::tables::Table;
use crate::texts::number_texts::cell_number;
use gleaner_base::FixedSet;
use gleaner_lang::program::PredicateName;
use gleaner_lang::program::examples::GraphData;
use gleaner_lang::syntax::{Diagnostic, FileId, Place, Sources, Span, check_regular, codes, unreadable};

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

/// The name of the layout.
pub const FORMAT: &str = "triples";

/// A graph with the warnings of its loading.
#[derive(Debug)]
pub struct LoadedGraph {
    /// The graph.
    pub graph: GraphData,
    /// The warnings.
    pub warnings: Vec<Diagnostic>,
}

/// Reads a graph of triples: a file, a folder with train.txt, and perhaps valid.txt and test.txt, or a table in memory. Adds
/// what it reads to `sources`.
///
/// # Errors
///
/// Every fault of the files that was found.
pub fn load_graph(
    path: &Path,
    tables: Option<&[Arc<Table>]>,
    sources: &mut Sources,
) -> Result<LoadedGraph, Vec<Diagnostic>> {
    let Some(tables) = tables else { return load_files(path, sources) };
    let mut rows = Vec::new();
    for table in tables {
        let names = table.columns.iter().map(|(name, _)| name.clone()).collect();
        let file = sources.add_in_memory(&table.name, names, Arc::<Table>::clone(table));
        triples_of(table, file, &mut rows).map_err(|fault| vec![fault])?;
    }
    let train = rows.iter().map(|row| row.each_ref().map(String::as_str)).collect();
    Ok(of_parts(&[train, Vec::new(), Vec::new(), Vec::new(), Vec::new()]))
}

/// The graph of train, tune, test and the false triples of tune and test.
fn of_parts(parts: &[Vec<[&str; 3]>; 5]) -> LoadedGraph {
    let of_values = relations_of_values(&parts[..3]);
    let warnings = (!of_values.is_empty()).then(|| faults::examples::numbers_as_entities(&of_values));
    LoadedGraph { graph: GraphData::of_names(parts), warnings: warnings.into_iter().collect() }
}

fn load_files(path: &Path, sources: &mut Sources) -> Result<LoadedGraph, Vec<Diagnostic>> {
    if !path.exists() {
        return Err(vec![unreadable(path, &std::io::ErrorKind::NotFound.into())]);
    }
    if !holds_triples(path) {
        let message =
            format!("⁅target=all⁆ learns the links of a graph, but {} has no triples", path.display());
        let accepted = format!("train.txt, and perhaps valid.txt and test.txt, of {ACCEPTED}");
        return Err(vec![
            Diagnostic::error(codes::UNKNOWN_LAYOUT, message).with_help(format!("a graph is {accepted}")),
        ]);
    }
    if path.is_dir() {
        present(path)?;
    }
    let mut ids: [Option<FileId>; 6] = [None; 6];
    for (id, file) in ids.iter_mut().zip(graph_files(path)) {
        let Some(file) = file else { continue };
        check_regular(&file).map_err(|error| vec![unreadable(&file, &error)])?;
        *id = Some(sources.load_data(&file).map_err(|fault| vec![fault])?);
    }
    let (mut faults, mut warnings) = (Vec::new(), Vec::new());
    let [mut train, tune, test, tune_false, test_false, known] =
        ids.map(|id| id.map_or_else(Vec::new, |id| cells(id, sources, &mut faults, &mut warnings)));
    let listed: FixedSet<[&str; 3]> = train.iter().copied().collect();
    train.extend(known.into_iter().filter(|link| !listed.contains(link)));
    let parts = [train, tune, test, tune_false, test_false];
    if !faults.is_empty() {
        return Err(faults);
    }
    warnings.extend(ids.iter().flatten().filter_map(|&id| sources.replacement_warning(id)));
    let LoadedGraph { graph, warnings: of_parts } = of_parts(&parts);
    warnings.extend(of_parts);
    Ok(LoadedGraph { graph, warnings })
}

/// Adds the subject, relation and object of each row of a table.
fn triples_of(table: &Table, file: FileId, rows: &mut Vec<[String; 3]>) -> Result<(), Diagnostic> {
    check_lengths(table, file)?;
    let mut reader = ColumnRows::of(table, file);
    each_triple(&mut reader, |_, found| {
        rows.push(found?.map(str::to_owned));
        Ok(())
    })
}

/// The relations whose objects are values: numbers alone, which are no subjects, and objects of no relation that also has names. Each
/// with its first link. Where the subjects are called by digits, too, digits are names.
fn relations_of_values<'s>(parts: &[Vec<[&'s str; 3]>]) -> Vec<[&'s str; 3]> {
    let links = || parts.iter().flatten();
    let is_number = |text: &str| cell_number(text).is_some();
    let is_name = |text: &str| !text.bytes().all(|byte| byte.is_ascii_digit()) && !is_number(text);
    let (mut first, mut with_names): (Vec<[&str; 3]>, FixedSet<&str>) = Default::default();
    let (mut known, mut named): (FixedSet<&str>, FixedSet<&str>) = Default::default();
    for link @ [subject, relation, object] in links() {
        if known.insert(relation) {
            first.push(*link);
        }
        if !is_number(object) {
            with_names.insert(relation);
        }
        if is_name(subject) {
            named.insert(relation);
        }
    }
    let subjects = links().map(|[subject, ..]| *subject);
    let objects =
        links().filter(|[_, relation, _]| with_names.contains(relation)).map(|[.., object]| *object);
    let entities: FixedSet<&str> = subjects.chain(objects).collect();
    let with_entities: FixedSet<&str> =
        links().filter(|[.., object]| entities.contains(object)).map(|[_, relation, _]| *relation).collect();
    first.retain(|[_, relation, _]| {
        named.contains(relation) && !with_names.contains(relation) && !with_entities.contains(relation)
    });
    first
}

/// The constant of each entity of a graph, as clauses write it.
pub fn constant_texts(graph: &GraphData) -> Vec<String> {
    let mut symbols = Provisional::default();
    let text = |cell: &String| {
        let id = text::entity(cell, &mut symbols);
        symbols.constant_text(id).to_owned()
    };
    graph.entities.iter().map(text).collect()
}

/// The files of train, tune and test, of the false triples of tune and of test, and of the facts known beside train.
fn graph_files(path: &Path) -> [Option<PathBuf>; 6] {
    if !path.is_dir() {
        return [Some(path.to_owned()), None, None, None, None, None];
    }
    let [train, tune, test] = PARTS.map(|(names, _)| part(path, names));
    let [_, tune_false, test_false] = PARTS.map(|(names, _)| false_part(path, names));
    [train, tune, test, tune_false, test_false, facts_file(path)]
}

/// The cells of a file's triples.
fn cells<'s>(
    id: FileId,
    sources: &'s Sources,
    faults: &mut Vec<Diagnostic>,
    warnings: &mut Vec<Diagnostic>,
) -> Vec<[&'s str; 3]> {
    let mut cells = Vec::new();
    let triples = TripleText::new(sources.get(id).text());
    warnings.extend(triples.header().map(|header| faults::header_line(Place::new(id, header.span))));
    for line in triples.triples() {
        match line {
            Ok(Triple { relation, arguments: [subject, object], .. }) => {
                cells.push([subject, relation, object]);
            }
            Err(span) => {
                faults.push(faults::odd_line(Place::new(id, span), ACCEPTED));
            }
        }
    }
    cells
}

/// The parts with their folds' names.
const PARTS: [(&[&str], &str); 3] =
    [(&["train"], "train"), (&["valid", "validation", "dev"], "valid"), (&["test"], "test")];

fn part(folder: &Path, names: &[&str]) -> Option<PathBuf> {
    part_with(folder, names, "")
}

/// The file of triples of tune or test that were checked to be false.
fn false_part(folder: &Path, names: &[&str]) -> Option<PathBuf> {
    part_with(folder, names, "_negatives")
}

fn part_with(folder: &Path, names: &[&str], suffix: &str) -> Option<PathBuf> {
    let endings = ["txt", "tsv"];
    let file = |name: &str, ending| folder.join(format!("{name}{suffix}.{ending}"));
    names.iter().flat_map(|name| endings.map(|ending| file(name, ending))).find_map(found)
}

/// The existing parts of a folder, the training part first, with their folds' names.
fn present(folder: &Path) -> Result<Vec<(PathBuf, &'static str)>, Vec<Diagnostic>> {
    let present: Vec<(PathBuf, &str)> =
        PARTS.iter().filter_map(|(names, fold)| Some((part(folder, names)?, *fold))).collect();
    let Some((_, "train")) = present.first() else {
        return Err(vec![faults::missing_file(&folder.join("train.txt"), "the training triples")]);
    };
    for (names, fold) in &PARTS[1..] {
        if false_part(folder, names).is_some() && present.iter().all(|(_, of)| of != fold) {
            let missing = folder.join(format!("{fold}.txt"));
            let what = "the true triples beside those checked to be false";
            return Err(vec![faults::missing_file(&missing, what)]);
        }
    }
    Ok(present)
}

/// `facts.txt` beside the training part, if it holds triples. In Neural-LP's folders it holds most links.
fn facts_file(folder: &Path) -> Option<PathBuf> {
    part(folder, &["facts"]).filter(|file| holds_triples(file))
}

/// Whether a file, or a folder's training part, begins with triples.
fn holds_triples(path: &Path) -> bool {
    if path.is_dir() { part(path, PARTS[0].0).is_some_and(|table| is_table(&table)) } else { is_table(path) }
}

fn is_table(file: &Path) -> bool {
    let head = head(file);
    let triples = TripleText::new(&head);
    // Words may be anything, so that the file's name must fit, too.
    let is_named = || ["txt", "tsv"].iter().any(|ending| has_ending(file, ending));
    triples.is_recognised() && (triples.has_tabs() || is_named())
}
