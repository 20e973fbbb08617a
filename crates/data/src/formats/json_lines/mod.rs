//! Lines of JSON: a statement as an object in each.

mod lines;

use std::path::Path;

use gleaner_base::ConstantId;
use gleaner_lang::program::PredicateName;
use gleaner_lang::syntax::Diagnostic;
use serde_json::Value;

use crate::cells::json_text;
use crate::formats::file_format::{About, Asked, Clue, FileFormat, Writer};
use crate::formats::folder::has_ending;
use crate::formats::tables::{files, holds};
use crate::gather::{DataFile, Files, Habits, MakeReader};
use crate::writing::{ConvertedFile, Fold, Losses, Material, Page, declarations};

/// The ending of the names of files of JSON lines.
const JSON_LINES: &str = "jsonl";

/// The layout of lines.
#[derive(Debug)]
pub(super) struct JsonLines;

impl FileFormat for JsonLines {
    fn about(&self) -> About {
        About {
            name: "json-lines",
            files_in_words: "NAME.jsonl",
            habits: Habits::default(),
            clue: Clue::Tables,
        }
    }

    fn is_recognised(&self, path: &Path) -> bool {
        if path.is_dir() { holds(path, JSON_LINES) } else { has_ending(path, JSON_LINES) }
    }

    /// The files of lines in a folder, or any single file.
    fn files(&self, asked: &Asked<'_>) -> Result<Option<Files>, Vec<Diagnostic>> {
        let path = asked.path;
        if path.is_dir() {
            return Ok(holds(path, JSON_LINES).then(|| files(asked)));
        }
        let lines = || Files::undivided(vec![DataFile::read_by(path.to_owned(), lines::reader)]);
        Ok(path.exists().then(lines))
    }

    fn facts(&self, path: &Path) -> Option<MakeReader> {
        has_ending(path, JSON_LINES).then_some(lines::reader)
    }

    fn writer(&self) -> Option<Writer> {
        Some(written)
    }
}

fn written(material: &Material<'_>, losses: &mut Losses) -> Result<Vec<ConvertedFile>, Diagnostic> {
    let mut page = Page::default();
    for goal in declarations(material, losses).into_iter().chain(material.empty_predicates()) {
        page.line(&format!("{{\"directive\":{}}}", string(&goal)));
        page.counts.declarations += 1;
    }
    for rule in material.rules() {
        page.line(&format!("{{\"clause\":{}}}", string(&rule)));
        page.counts.rules += 1;
    }
    for &predicate in &material.predicates {
        let name = material.predicate(predicate);
        for part in material.parts() {
            for row in material.facts(predicate, &[part]) {
                page.line(&object(material, name, row, None, part));
                page.counts.facts += 1;
            }
        }
    }
    for &predicate in &material.predicates {
        let name = material.predicate(predicate);
        for example in material.examples(predicate, &material.parts()) {
            let line = object(material, name, example.row, Some(example.is_positive), example.fold);
            page.example(&line, example.is_positive);
        }
    }
    Ok(vec![page.file(format!("{}.jsonl", material.name()))])
}

fn string(text: &str) -> String {
    Value::from(text).to_string()
}

/// A fact or, with a label, an example.
fn object(
    material: &Material<'_>,
    name: &PredicateName,
    row: &[ConstantId],
    label: Option<bool>,
    part: Fold,
) -> String {
    let arguments: Vec<String> = row.iter().map(|&id| argument(material, id)).collect();
    let label = label.map_or_else(String::new, |label| format!(",\"label\":{label}"));
    let fold = part.map_or_else(String::new, |_| format!(",\"fold\":{}", string(material.fold_name(part))));
    format!("{{\"predicate\":{},\"arguments\":[{}]{label}{fold}}}", string(&name.name), arguments.join(","))
}

/// A number as it is, else a string.
fn argument(material: &Material<'_>, id: ConstantId) -> String {
    let text = material.text(id);
    if material.statements.symbols.numbers().contains(id.raw()) {
        return text.into_owned();
    }
    string(&json_text(&text).unwrap_or_else(|| text.into_owned()))
}
