//! Comma-separated values: a table for each predicate.

mod records;
mod rows;

use std::collections::BTreeMap;
use std::path::Path;

use gleaner_base::{ConstantId, PredicateId};
use gleaner_lang::program::PredicateName;
use gleaner_lang::syntax::Diagnostic;

use crate::cells::cell_text;
use crate::file_names::encoded_name;
use crate::formats::csv::records::record_text;
use crate::formats::file_format::{About, Asked, Clue, FileFormat, Writer};
use crate::formats::folder::has_ending;
use crate::formats::own::names;
use crate::formats::tables::{files, holds, one_table};
use crate::gather::{Files, Habits, MakeReader};
use crate::rows::{FOLD, LABEL, type_header};
use crate::writing::{ConvertedFile, Fold, Losses, Material, Page, declarations};

/// The ending of the names of tables.
const CSV: &str = "csv";

/// The layout of tables.
#[derive(Debug)]
pub(super) struct Csv;

impl FileFormat for Csv {
    fn about(&self) -> About {
        About { name: "csv", files_in_words: "NAME.csv", habits: Habits::default(), clue: Clue::Tables }
    }

    /// A folder with tables, or one table.
    fn is_recognised(&self, path: &Path) -> bool {
        holds(path, CSV) || is_table(path)
    }

    fn files(&self, asked: &Asked<'_>) -> Result<Option<Files>, Vec<Diagnostic>> {
        if is_table(asked.path) {
            return Ok(Some(one_table(asked.path, rows::reader)));
        }
        Ok(holds(asked.path, CSV).then(|| files(asked)))
    }

    fn facts(&self, path: &Path) -> Option<MakeReader> {
        has_ending(path, CSV).then_some(rows::reader)
    }

    fn writer(&self) -> Option<Writer> {
        Some(written)
    }
}

/// Whether a path is one table.
fn is_table(path: &Path) -> bool {
    has_ending(path, CSV) && path.is_file()
}

/// The most bytes of a table's name: systems allow 255 with the ending.
const MOST_BYTES: usize = 240;

fn written(material: &Material<'_>, losses: &mut Losses) -> Result<Vec<ConvertedFile>, Diagnostic> {
    let mut background = Page::default();
    let mut tables = Vec::new();
    let mut cells = Cells::default();
    for &predicate in &material.predicates {
        let parts = material.parts();
        let n_arguments = material.predicate(predicate).arity;
        let has_fold_facts = parts[1..].iter().any(|&fold| !material.facts(predicate, &[fold]).is_empty());
        let is_long = encoded_name(&material.predicate(predicate).name).len() > MOST_BYTES;
        if (n_arguments == 0 || is_long) && !has_fold_facts {
            // A table without columns has no rows, and aggregates have names too long for files.
            background.facts_of(material, predicate, &[None]);
        } else {
            tables.extend(fact_table(material, predicate, has_fold_facts, &mut cells));
        }
        tables.extend(example_table(material, predicate, &mut cells));
    }
    background.rules(material);
    let mut modes = Page::default();
    modes.directives(&declarations(material, losses));
    let pages = [(background, names::BACKGROUND), (modes, names::MODES)];
    let pages = pages.into_iter().filter(|(page, _)| !page.text.is_empty());
    Ok(pages.map(|(page, path)| page.file(path)).chain(tables).collect())
}

/// The cells of constants whose text is not their cell.
#[derive(Default)]
struct Cells(BTreeMap<ConstantId, String>);

impl Cells {
    fn row(&mut self, material: &Material<'_>, row: &[ConstantId]) -> Vec<String> {
        let mut cell = |id: ConstantId| {
            let text = material.text(id);
            if text.bytes().all(|byte| byte.is_ascii_lowercase()) && !matches!(&*text, "is" | "mod") {
                return text.into_owned();
            }
            let known = self.0.entry(id);
            known.or_insert_with(|| cell_text(&text).unwrap_or_else(|| text.into_owned())).clone()
        };
        row.iter().map(|&id| cell(id)).collect()
    }
}

fn fact_table(
    material: &Material<'_>,
    predicate: PredicateId,
    has_folds: bool,
    cells: &mut Cells,
) -> Option<ConvertedFile> {
    let name = material.predicate(predicate);
    let mut page = Page::default();
    for part in material.parts() {
        for row in material.facts(predicate, &[part]) {
            let mut record = cells.row(material, row);
            if has_folds {
                record.push(material.fold_name(part).to_owned());
            }
            push_record(&mut page, &record);
            page.counts.facts += 1;
        }
    }
    let columns = if has_folds { &[FOLD][..] } else { &[] };
    let has_examples = !material.examples(predicate, &material.parts()).is_empty();
    let ending = if has_examples { "facts.csv" } else { "csv" };
    table(material, name, &page, columns, ending)
}

fn example_table(
    material: &Material<'_>,
    predicate: PredicateId,
    cells: &mut Cells,
) -> Option<ConvertedFile> {
    let mut page = Page::default();
    let is_divided = material.is_divided();
    for example in material.examples(predicate, &material.parts()) {
        let mut record = cells.row(material, example.row);
        record.push(if example.is_positive { "1" } else { "0" }.to_owned());
        if is_divided {
            record.push(material.fold_name(example.fold).to_owned());
        }
        push_record(&mut page, &record);
        let counts = &mut page.counts;
        *(if example.is_positive { &mut counts.positives } else { &mut counts.negatives }) += 1;
    }
    let columns = if is_divided { &[LABEL, FOLD][..] } else { &[LABEL] };
    table(material, material.predicate(predicate), &page, columns, "csv")
}

fn push_record(page: &mut Page, record: &[String]) {
    page.text.push_str(&record_text(record.iter().map(String::as_str)));
}

/// The page's text below a header; none if the page is empty.
fn table(
    material: &Material<'_>,
    name: &PredicateName,
    page: &Page,
    columns: &[&str],
    ending: &str,
) -> Option<ConvertedFile> {
    if page.text.is_empty() {
        return None;
    }
    let mut header: Vec<String> = material.types(name).iter().map(|name| type_header(name)).collect();
    header.extend(columns.iter().map(|&column| column.to_owned()));
    let text = record_text(header.iter().map(String::as_str)) + &page.text;
    let page = Page { text, counts: page.counts };
    Some(page.file(format!("{}.{ending}", stem(material, name))))
}

/// The name of a predicate's file, with the arity if other predicates with tables share the name.
fn stem(material: &Material<'_>, name: &PredicateName) -> String {
    let has_table = |id: PredicateId| {
        let parts: Vec<Fold> = material.parts();
        !material.facts(id, &parts).is_empty() || !material.examples(id, &parts).is_empty()
    };
    let of_name = material.predicates.iter().filter(|&&id| material.predicate(id).name == name.name);
    let encoded = encoded_name(&name.name);
    if of_name.filter(|&&id| has_table(id)).count() > 1 {
        format!("{encoded}.{}", name.arity)
    } else {
        encoded
    }
}
