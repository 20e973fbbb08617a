//! All triples of a folder as one graph.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::faults;
use crate::formats::memory::{ColumnRows, check_lengths};
use crate::provisional::Provisional;
use crate::tables::Table;
use crate::texts::number_texts::cell_number;
use gleaner_base::FixedSet;
use gleaner_lang::program::graph::GraphData;
use gleaner_lang::syntax::{Diagnostic, FileId, Place, Sources, check_regular, codes, unreadable};

use super::each_triple;
use super::parts::{PARTS, facts_file, false_part, holds_triples, part, present};
use super::text::{self, ACCEPTED, TripleText};

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
    let warnings = (!of_values.is_empty()).then(|| faults::numbers::numbers_as_entities(&of_values));
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
    for (id, file) in ids.iter_mut().zip(files(path)) {
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
fn files(path: &Path) -> [Option<PathBuf>; 6] {
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
            Ok(text::Triple { relation, arguments: [subject, object], .. }) => {
                cells.push([subject, relation, object]);
            }
            Err(span) => {
                faults.push(faults::odd_line(Place::new(id, span), ACCEPTED));
            }
        }
    }
    cells
}
