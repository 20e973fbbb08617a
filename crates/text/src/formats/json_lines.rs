//! Lines of JSON, a document in each.
//!
//! `{"id": "d1", "text": "…", "entities": [{"id": "e1", "start": 0, "end": 4, "type": "protein"}], "relations": [{"head": "e1",
//! "tail": "e2", "type": "binds"}]}`. Only `text` is needed. Offsets count characters, and the end is exclusive. A relation is
//! directed unless it has `"directed": false`.

use std::path::Path;

use serde::Deserialize;
use serde_json::Value;

use gleaner_lang::syntax::{Diagnostic, FileId, Place, Sources, Span};

use super::shared::{Name, Places, lines, malformed, misplaced, unknown_end};
use crate::corpus::{Document, Entity, Relation, Sentence, UnreadKey};

#[derive(Deserialize)]
struct Line {
    #[serde(default)]
    id: Option<Name>,
    text: String,
    #[serde(default)]
    sentences: Vec<[usize; 2]>,
    #[serde(default)]
    entities: Vec<LineEntity>,
    #[serde(default)]
    relations: Vec<LineRelation>,
}

#[derive(Deserialize)]
struct LineEntity {
    id: Name,
    start: usize,
    end: usize,
    #[serde(rename = "type", default)]
    kind: String,
}

#[derive(Deserialize)]
struct LineRelation {
    head: Name,
    tail: Name,
    #[serde(rename = "type", default)]
    kind: String,
    #[serde(default = "is_directed")]
    directed: bool,
}

const fn is_directed() -> bool {
    true
}

/// Reads a file. Documents without a name are called by what they say and their lines.
pub(super) fn read(path: &Path, sources: &mut Sources) -> Result<Vec<Document>, Vec<Diagnostic>> {
    let file = sources.load(path).map_err(|fault| vec![fault])?;
    let text = sources.get(file).text();
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    let (mut documents, mut faults) = (Vec::new(), Vec::new());
    for (number, (span, line)) in (1..).zip(lines(text)) {
        if line.trim().is_empty() {
            continue;
        }
        match document(line, file, span) {
            Ok((id, document)) => {
                let number = id.is_none().then_some(number);
                let id = id.unwrap_or_else(|| name.clone().into_owned());
                documents.push(Document { id, number, ..document });
            }
            Err(fault) => faults.push(fault),
        }
    }
    if faults.is_empty() { Ok(documents) } else { Err(faults) }
}

/// The document of a line, and its name.
fn document(text: &str, file: FileId, span: Span) -> Result<(Option<String>, Document), Diagnostic> {
    let line: Line = serde_json::from_str(text).map_err(|error| {
        // The place says which line it is.
        let what = error.to_string();
        let what = what.split(" at line ").next().unwrap_or_default();
        let at = (span.start + error.column().saturating_sub(1)).min(span.end);
        malformed(file, Span::new(at, span.end), format!("this is no document: {what}"))
            .with_help(r#"a document is {"id": "d1", "text": "...", "entities": [...], "relations": [...]}"#)
    })?;
    // A line has the places of all that it holds.
    let at = Place::new(file, span);
    let unread = unread(text).into_iter().map(|key| (key, at)).collect();
    let places = Places::of(&line.text);
    let inside = |start: usize, end: usize, what: &str| {
        places.bytes(start, end, 0).ok_or_else(|| {
            misplaced(file, span, format!("{what} stands at {start} to {end}, which is not in its text"))
                .with_help("count characters from 0; the end is the first after it")
        })
    };
    let sentence =
        |[start, end]: &[usize; 2]| Ok(Sentence { id: None, range: inside(*start, *end, "a sentence")? });
    let sentences = line.sentences.iter().map(sentence).collect::<Result<_, Diagnostic>>()?;
    let entity = |of: &LineEntity| {
        let id = of.id.text();
        let range = inside(of.start, of.end, &format!("the entity {id}"))?;
        Ok(Entity { id, kind: of.kind.clone(), ranges: vec![range] })
    };
    let entities: Vec<Entity> = line.entities.iter().map(entity).collect::<Result<_, Diagnostic>>()?;
    let end = |name: &Name| {
        let id = name.text();
        let found = entities.iter().position(|entity| entity.id == id);
        found.ok_or_else(|| unknown_end(file, span, &id))
    };
    let relation = |of: &LineRelation| {
        Ok(Relation {
            kind: of.kind.clone(),
            ends: [end(&of.head)?, end(&of.tail)?],
            is_directed: of.directed,
            has_order: false,
        })
    };
    let relations = line.relations.iter().map(relation).collect::<Result<_, Diagnostic>>()?;
    let id = line.id.as_ref().map(Name::text);
    let (text, places) = (line.text, vec![at; entities.len()]);
    Ok((id, Document { at, text, sentences, entities, places, relations, unread, ..Document::default() }))
}

/// The keys that are read, of each kind of object.
const KEYS: [(&str, &[&str], &str); 3] = [
    (
        "a document",
        &["id", "text", "sentences", "entities", "relations"],
        "id, text, sentences, entities and relations",
    ),
    ("an entity", &["id", "start", "end", "type"], "id, start, end and type"),
    ("a relation", &["head", "tail", "type", "directed"], "head, tail, type and directed"),
];

/// The keys of a document that are not read: a misspelt one would be missed without a word.
fn unread(text: &str) -> Vec<UnreadKey> {
    let Ok(Value::Object(document)) = serde_json::from_str(text) else { return Vec::new() };
    let listed = |key: &str| document.get(key).and_then(Value::as_array).into_iter().flatten();
    let mut found = Vec::new();
    let objects = std::iter::once((0, &document))
        .chain(listed("entities").filter_map(Value::as_object).map(|object| (1, object)))
        .chain(listed("relations").filter_map(Value::as_object).map(|object| (2, object)));
    for (kind, object) in objects {
        let (of, keys, known) = KEYS[kind];
        let unknown = object.keys().filter(|key| !keys.contains(&key.as_str()));
        found.extend(unknown.map(|key| UnreadKey { of, key: key.clone(), known }));
    }
    found
}
