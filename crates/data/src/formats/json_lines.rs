//! Lines of JSON: a statement as an object in each: facts, examples, rules and directives in one file.

use std::borrow::Cow;
use std::path::Path;

use serde::{Deserialize, Deserializer};
use serde_json::Value;
use serde_json::error::Category;
use serde_json::value::RawValue;

use crate::cells::json_text;
use crate::faults;
use crate::formats::file_format::{About, Asked, Clue, FileFormat, Writer, has_ending};
use crate::formats::tables::{files, holds};
use crate::gather::{
    Class, DataFile, FileReader, FileReading, Files, Habits, MakeReader, Program, read_statement, whole,
};
use crate::rows::{CellValue, Refusal, RowParts, take_row};
use crate::texts::number_texts::{decimal_number, whole_number};
use crate::writing::{ConvertedFile, Fold, Losses, Material, Page, declarations};
use gleaner_base::ConstantId;
use gleaner_lang::program::{NumberSource, PredicateName};
use gleaner_lang::syntax::{Diagnostic, Span, SyntaxFault, read_clause};

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
        let lines = || Files::undivided(vec![DataFile::read_by(path.to_owned(), reader)]);
        Ok(path.exists().then(lines))
    }

    fn facts(&self, path: &Path) -> Option<MakeReader> {
        has_ending(path, JSON_LINES).then_some(reader)
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

/// The object of one line.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Line<'line> {
    #[serde(borrow)]
    predicate: Option<Cow<'line, str>>,
    #[serde(borrow)]
    arguments: Option<Vec<&'line RawValue>>,
    #[serde(default, deserialize_with = "present")]
    label: Option<Value>,
    fold: Option<Value>,
    #[serde(borrow)]
    clause: Option<Cow<'line, str>>,
    #[serde(borrow)]
    directive: Option<Cow<'line, str>>,
}

/// A present value, even if it is `null`: a missing label differs from an unknown one.
fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(deserializer).map(Some)
}

/// The reader of lines.
pub(in crate::formats) fn reader() -> Box<dyn FileReader> {
    whole(read)
}

/// Reads a file of lines, each an object: `{"predicate":NAME,"arguments":[...]}`, `{"clause":RULE}` or
/// `{"directive":GOALS}`. A fact that holds in one fold only has a `fold`; an example has a `label`.
///
/// Cost: one pass, and a look-up for each argument. Faults are gathered with their places.
fn read(text: &str, reading: &mut FileReading<'_>) {
    let mut at = text.strip_prefix('\u{feff}').map_or(0, |rest| text.len() - rest.len());
    for line in text[at..].split_inclusive('\n') {
        let content = line.trim();
        let start = at + (line.len() - line.trim_start().len());
        at += line.len();
        if !content.is_empty() {
            let span = Span::new(start, start + content.len());
            if let Err(fault) = read_line(content, span, reading) {
                reading.tell(fault);
                // Nobody reads more messages.
                if reading.messages.is_full() {
                    break;
                }
            }
        }
    }
}

/// Reads the statement of a line, and takes it.
fn read_line(content: &str, span: Span, reading: &mut FileReading<'_>) -> Result<(), Diagnostic> {
    let place = reading.place_in_file(span);
    let fault = |what: &str, accepted: &str| faults::malformed_line(place, what, accepted);
    let read = serde_json::from_str(content);
    let is_replacement = |error: &serde_json::Error| {
        let at = error.column().clamp(1, content.len()) - 1;
        content.get(at..).is_some_and(|rest| rest.starts_with(char::REPLACEMENT_CHARACTER))
    };
    if let Err(error) = &read
        && reading.is_replaced
        && is_replacement(error)
    {
        let at = span.start + error.column() - 1;
        reading.tell_not_utf8(Span::new(at, at + char::REPLACEMENT_CHARACTER.len_utf8()));
        return Ok(());
    }
    let line: Line<'_> = read.map_err(|error| {
        let (what, column) = (error.to_string(), error.column());
        let what = what.rsplit_once(" at line ").map_or(&*what, |(what, _)| what);
        let at = span.start + column.clamp(1, content.len()) - 1;
        let what = match error.classify() {
            Category::Data => what.to_owned(),
            _ => format!("this line is not a JSON object: {what}"),
        };
        let accepted = match what.starts_with("unknown field `text`") {
            true => format!(
                "for texts without entities, `gleaner text {} ⁅candidates=phrases⁆ -o DIR` pairs their noun phrases",
                reading.path.display()
            ),
            false => "a line is an object with predicate and arguments, and perhaps label and fold; or with clause; or \
                      with directive"
                .to_owned(),
        };
        faults::malformed_line(reading.place_in_file(Span::new(at, at + 1)), &what, &accepted)
    })?;
    let Line { predicate, arguments, label, fold, clause, directive } = line;
    let is_row = predicate.is_some() || arguments.is_some() || label.is_some() || fold.is_some();
    match (predicate, arguments, clause, directive) {
        (Some(name), Some(arguments), None, None) => {
            let row = Row { arguments: &arguments, label: label.as_ref(), fold: fold.as_ref() };
            row.take(&name, span, reading).map_err(|(what, accepted)| fault(&what, accepted))
        }
        (None, None, Some(clause), None) if !is_row => take_text(&clause, span, reading),
        (None, None, None, Some(goals)) if !is_row => {
            let goals = goals.trim().trim_end_matches('.');
            take_text(&format!(":- {}.", goals.trim_start_matches(":-")), span, reading)
        }
        _ => {
            let accepted = "a fact or example has predicate and arguments, a rule has clause alone, and a mode \
                            or setting directive alone";
            Err(fault("this object is no statement", accepted))
        }
    }
}

/// Takes a clause or directive; its faults are shown at the line.
fn take_text(text: &str, span: Span, reading: &mut FileReading<'_>) -> Result<(), Diagnostic> {
    let text = text.trim();
    let whole = if text.ends_with('.') { text.to_owned() } else { format!("{text}.") };
    let told = |fault: &SyntaxFault| {
        let place = reading.place_in_file(span);
        Diagnostic::error(fault.code(), fault.to_string()).at(place, "in this line")
    };
    let statement = read_clause(&whole).map_err(|faults| told(&faults[0]))?;
    reading.line = Some(span);
    read_statement(&statement, &mut Program, reading);
    Ok(())
}

/// A fact or example.
struct Row<'line> {
    arguments: &'line [&'line RawValue],
    label: Option<&'line Value>,
    fold: Option<&'line Value>,
}

type RowFault = (String, &'static str);

impl Row<'_> {
    fn take(&self, name: &str, span: Span, reading: &mut FileReading<'_>) -> Result<(), RowFault> {
        let class = match self.label {
            None => Class::NotSaid,
            Some(label) if reading.notes.number_asked == Some(NumberSource::Label) => number(label, reading)?,
            Some(label) => class(label, reading.notes.keeps_unlabelled)?,
        };
        let (fold, place) = (self.fold.map_or(CellValue::Missing, fold_value), reading.place_in_file(span));
        let row = RowParts { predicate: name, class, fold, place };
        let arguments = self.arguments.iter().map(|argument| argument_value(argument));
        take_row(&row, arguments, reading).map_err(|(_, Refusal { what, accepted })| (what, accepted))
    }
}

fn argument_value(argument: &RawValue) -> CellValue<'_> {
    let text = argument.get();
    let odd = || {
        let accepted = "arguments are strings, numbers, true and false";
        CellValue::Odd(Refusal { what: format!("{text} is no constant"), accepted })
    };
    match text.as_bytes() {
        [b'"', ..] => serde_json::from_str(text).map_or_else(|_| odd(), CellValue::String),
        [b't', ..] => CellValue::Bool(true),
        [b'f', ..] => CellValue::Bool(false),
        [b'-' | b'0'..=b'9', ..] => {
            let is_integer = text.bytes().all(|byte| byte == b'-' || byte.is_ascii_digit());
            let number = if is_integer {
                whole_number(text).map(CellValue::Integer)
            } else {
                decimal_number(text).map(CellValue::Float)
            };
            number.unwrap_or_else(|| {
                let accepted = "integers lie within 64 bits, floats below 1.8e308; a string is a name";
                CellValue::Odd(Refusal { what: format!("number out of range: {text}"), accepted })
            })
        }
        _ => odd(),
    }
}

/// The class of a label: in JSON only a truth value or a whole number is a label.
fn class(label: &Value, may_lack: bool) -> Result<Class, RowFault> {
    let value = match label {
        Value::Bool(value) => Some(CellValue::Bool(*value)),
        Value::Null => Some(CellValue::Missing),
        _ => label.as_i64().map(CellValue::Integer),
    };
    let refused = || (format!("{label} is no label"), "labels are true and false, 1 and 0; a fact has none");
    value.and_then(|value| value.class(may_lack)).ok_or_else(refused)
}

/// The number of a label; `null` leaves it open.
fn number(label: &Value, reading: &mut FileReading<'_>) -> Result<Class, RowFault> {
    if label.is_null() {
        return Ok(Class::Unknown);
    }
    let number = label.as_f64().filter(|number| number.is_finite());
    let refused = || (format!("{label} is no number"), "the target is a number: a label is one, or null");
    let number = number.ok_or_else(refused)?;
    Ok(Class::Number(reading.statements.examples.number_label(number)))
}

fn fold_value(fold: &Value) -> CellValue<'_> {
    match fold {
        Value::String(name) => CellValue::String(name.into()),
        Value::Number(number) => CellValue::String(number.to_string().into()),
        other => CellValue::Odd(Refusal {
            what: format!("{other} is no fold"),
            accepted: "a fold is a string or a number",
        }),
    }
}
