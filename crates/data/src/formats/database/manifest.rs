//! RelBench's manifests: `manifest.yaml` says keys, foreign keys and times of the tables, and that of a task says its columns.
//!
//! [RelBench 3, relbench/manifest.py: `DatasetManifest` and `TaskManifest`]

use saphyr_parser::{Event, Parser, ScalarStyle};

use crate::faults;
use crate::gather::FileReading;
use crate::tables::given::Says;
use crate::tables::schema::{GivenBy, Kind};
use gleaner_lang::syntax::{Diagnostic, Span};

/// The deepest nesting of a manifest: real ones have three.
const DEEPEST: usize = 64;

/// A value with its place.
#[derive(Clone, Debug)]
struct Node {
    value: Value,
    span: Span,
}

#[derive(Clone, Debug)]
enum Value {
    /// A text; none for `null`.
    Text(Option<String>),
    List(Vec<Node>),
    Map(Vec<(String, Node)>),
}

impl Node {
    /// The value of a key.
    fn get(&self, key: &str) -> Option<&Self> {
        match &self.value {
            Value::Map(entries) => entries.iter().find(|(known, _)| known == key).map(|(_, node)| node),
            _ => None,
        }
    }

    /// The text of a key.
    fn text(&self, key: &str) -> Option<&str> {
        match &self.get(key)?.value {
            Value::Text(text) => text.as_deref(),
            _ => None,
        }
    }

    /// The entries of a key that holds such; none are there if it is missing.
    fn entries(&self, key: &str) -> &[(String, Self)] {
        match self.get(key).map(|node| &node.value) {
            Some(Value::Map(entries)) => entries,
            _ => &[],
        }
    }

    /// The texts of a list; none of anything else.
    fn texts(&self) -> Vec<String> {
        let text = |item: &Self| match &item.value {
            Value::Text(text) => text.clone(),
            Value::List(_) | Value::Map(_) => None,
        };
        self.items().iter().filter_map(text).collect()
    }

    /// The items of a key that holds a list.
    fn items(&self) -> &[Self] {
        match &self.value {
            Value::List(items) => items,
            _ => &[],
        }
    }
}

/// Reads the manifest of a database.
pub(super) fn read_database(text: &str, reading: &mut FileReading<'_>) {
    let manifest = match read(text, reading) {
        Ok(manifest) => manifest,
        Err(fault) => return reading.tell(fault),
    };
    if manifest.entries("tables").is_empty() {
        let place = reading.place_in_file(Span::new(0, 0));
        return reading.tell(faults::bad_manifest(place, "no key `tables` names the tables"));
    }
    for (table, node) in manifest.entries("tables") {
        let place = reading.place_in_file(node.span);
        let mut says: Vec<(String, Says)> = Vec::new();
        for (column, to) in node.entries("fkeys") {
            if let Value::Text(Some(to)) = &to.value {
                says.push((column.clone(), Says::PointsTo(to.clone())));
            }
        }
        says.extend(node.text("time_col").map(|column| (column.to_owned(), Says::RowTime)));
        says.extend(node.text("pkey").map(|column| (column.to_owned(), Says::Is(Kind::Key))));
        let key: Vec<String> = node.get("pkey").map(Node::texts).unwrap_or_default();
        let composites = match <[String; 1]>::try_from(key) {
            Ok([column]) => {
                says.push((column, Says::Is(Kind::Key)));
                Vec::new()
            }
            Err(columns) if columns.is_empty() => Vec::new(),
            Err(columns) => vec![(columns, Says::Is(Kind::Key))],
        };
        let given = &mut reading.notes.given_schema;
        given.add_composites(GivenBy::Manifest, place, table, composites);
        given.add(GivenBy::Manifest, place, table, says);
        given.whole_tables.push(table.clone());
    }
}

/// Reads the manifest of a task, whose table the file is of. That of the database is read before.
pub(super) fn read_task(text: &str, reading: &mut FileReading<'_>) {
    let Some(task) = reading.table.clone() else { return };
    let manifest = match read(text, reading) {
        Ok(manifest) => manifest,
        Err(fault) => return reading.tell(fault),
    };
    let place = reading.place_in_file(manifest.span);
    let mut says: Vec<(String, Says)> = Vec::new();
    let given = &mut reading.notes.given_schema;
    let mut hidden: Vec<(&str, &str)> = Vec::new();
    let (mut entity, mut time) = (manifest.text("entity_col"), manifest.text("time_col"));
    let of_entity = manifest.text("entity_table");
    let completed;
    if manifest.text("kind") == Some("autocomplete") {
        // A column of the database is the label: it has the entity's own key and time, and clauses must not see it.
        let of = |says: &Says| {
            let mut columns = given.columns.iter().filter(|known| Some(&*known.table) == of_entity);
            columns.find(|known| known.says == *says).map(|known| known.column.clone())
        };
        completed = (of(&Says::Is(Kind::Key)), of(&Says::RowTime));
        entity = entity.or(completed.0.as_deref());
        time = time.or(completed.1.as_deref());
        hidden.extend(of_entity.zip(manifest.text("target_col")));
        let removed = manifest.get("remove_columns").map(Node::items).unwrap_or_default();
        hidden.extend(removed.iter().filter_map(|pair| match pair.items() {
            [Node { value: Value::Text(Some(table)), .. }, Node { value: Value::Text(Some(column)), .. }] => {
                Some((table.as_str(), column.as_str()))
            }
            _ => None,
        }));
    }
    let links = [
        (entity, of_entity),
        (manifest.text("src_entity_col"), manifest.text("src_entity_table")),
        (manifest.text("dst_entity_col"), manifest.text("dst_entity_table")),
    ];
    for (column, table) in links.into_iter().filter_map(|(column, table)| column.zip(table)) {
        says.push((column.to_owned(), Says::PointsTo(table.to_owned())));
    }
    says.extend(time.map(|column| (column.to_owned(), Says::RowTime)));
    says.extend(manifest.text("target_col").map(|column| (column.to_owned(), Says::Is(Kind::Label))));
    given.add(GivenBy::Manifest, place, &task, says);
    given.whole_tables.push(task);
    for (table, column) in hidden {
        // It goes before what the database's manifest says of the column.
        given.columns.retain(|known| known.table != table || known.column != column);
        given.add(GivenBy::Manifest, place, table, vec![(column.to_owned(), Says::Is(Kind::LeftOut))]);
    }
}

/// Reads a text of YAML.
fn read(text: &str, reading: &FileReading<'_>) -> Result<Node, Diagnostic> {
    let fault = |span: Span, what: &str| faults::bad_manifest(reading.place_in_file(span), what);
    parsed(text).map_err(|(span, what)| fault(span, &what))
}

/// Why a text is no manifest, and where.
type NoManifest = (Span, String);

/// A collection that is not closed yet.
struct Open {
    start: usize,
    items: Vec<Node>,
    /// For a map: the keys so far, and that without a value.
    keys: Option<(Vec<String>, Option<String>)>,
}

fn parsed(text: &str) -> Result<Node, NoManifest> {
    let offsets: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
    let offset = |index: usize| offsets.get(index).copied().unwrap_or(text.len());
    let mut open: Vec<Open> = Vec::new();
    for event in Parser::new_from_str(text) {
        let (event, span) = event.map_err(|error| {
            let at = offset(error.marker().index());
            (Span::new(at, at), error.info().to_owned())
        })?;
        let span = Span::new(offset(span.start.index()), offset(span.end.index()));
        let value = match event {
            Event::Scalar(text, style, ..) => {
                let is_null =
                    style == ScalarStyle::Plain && matches!(&*text, "" | "~" | "null" | "Null" | "NULL");
                Value::Text((!is_null).then(|| text.into_owned()))
            }
            Event::MappingStart(..) | Event::SequenceStart(..) => {
                if open.len() == DEEPEST {
                    return Err((span, "this is nested too deep".to_owned()));
                }
                let keys = matches!(event, Event::MappingStart(..)).then(|| (Vec::new(), None));
                open.push(Open { start: span.start, items: Vec::new(), keys });
                continue;
            }
            Event::MappingEnd | Event::SequenceEnd => {
                let Some(Open { start, items, keys }) = open.pop() else { continue };
                let value = match keys {
                    Some((keys, _)) => Value::Map(keys.into_iter().zip(items).collect()),
                    None => Value::List(items),
                };
                let node = Node { value, span: Span::new(start, span.end) };
                match open.last_mut() {
                    Some(outer) => outer.take(node)?,
                    None => return Ok(node),
                }
                continue;
            }
            Event::Alias(_) => return Err((span, "an alias stands for something else".to_owned())),
            _ => continue,
        };
        match open.last_mut() {
            Some(outer) => outer.take(Node { value, span })?,
            None => break,
        }
    }
    Err((Span::new(0, 0), "this is no mapping of keys to values".to_owned()))
}

impl Open {
    /// Takes an item, or the key or value of an entry.
    fn take(&mut self, node: Node) -> Result<(), NoManifest> {
        match &mut self.keys {
            Some((_, waiting @ None)) => match node.value {
                Value::Text(text) => *waiting = Some(text.unwrap_or_default()),
                _ => return Err((node.span, "a key is a text".to_owned())),
            },
            Some((keys, waiting)) => {
                keys.extend(waiting.take());
                self.items.push(node);
            }
            None => self.items.push(node),
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::parsed;

    #[test]
    fn manifests_are_maps_of_texts() {
        let text = "name: rel-é\ndescription: 'It''s\n  folded.'\ntables:\n  races:\n    pkey: raceId\n    time_col: null\n    \
                    fkeys:\n      circuitId: circuits\n  \"odd: name\":\n    pkey: ~\n    fkeys: {}\nremove_columns:\n- - results\n  \
                    - points\nsql: |-\n  SELECT a: b\n  FROM t\n";
        let node = parsed(text).expect("it is a manifest");
        assert_eq!(node.text("name"), Some("rel-é"));
        assert_eq!(node.text("description"), Some("It's folded."));
        let tables = node.entries("tables");
        assert_eq!(tables.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(), ["races", "odd: name"]);
        assert_eq!(tables[0].1.text("pkey"), Some("raceId"));
        assert_eq!(tables[0].1.text("time_col"), None);
        assert_eq!(tables[0].1.entries("fkeys").len(), 1);
        assert!(text[tables[0].1.span.start..].starts_with("pkey: raceId"));
        assert_eq!(node.get("remove_columns").expect("a list").items()[0].items().len(), 2);
        assert_eq!(node.text("sql"), Some("SELECT a: b\nFROM t"));
    }

    #[test]
    fn other_texts_have_faults_with_places() {
        let deep = "[".repeat(100);
        for text in
            ["", "just words", "a: [1, 2", "a: &x 1\nb: *x\n", "? [a]\n: b\n", "a: b: c\n", "\t", &deep]
        {
            assert!(parsed(text).is_err(), "{text}");
        }
    }
}
