//! RelBench's folders: the tables of a database below `db`, and below `tasks` a folder of examples for each task.
//!
//! The files of a task are its parts: `train`, `val` and `test`. All tasks are of one database, so one is read and the
//! others are left out. The tables are CSV, or since RelBench 3 Parquet with a manifest. [Robinson and others, RelBench, NeurIPS 2024 Datasets and Benchmarks]
//!
//! RelBench's manifests: `manifest.yaml` says keys, foreign keys and times of the tables, and that of a task says its columns.
//!
//! [RelBench 3, relbench/manifest.py: `DatasetManifest` and `TaskManifest`]

use std::path::{Path, PathBuf};

use saphyr_parser::{Event, Parser, ScalarStyle};

use crate::faults;
use crate::formats::file_format::{About, Asked, Clue, FileFormat, entries, stem_name};
use crate::gather::{DataFile, Division, FileReading, Files, Habits, MakeReader, part_rank, whole};
use crate::tables::schema::{GivenBy, Kind, Says};
use gleaner_lang::syntax::{Diagnostic, Span};

use super::as_database;

/// The folder of the database's tables, and that of the tasks.
const DATABASE: &str = "db";

const TASKS: &str = "tasks";

/// The file that says the keys of the tables, or the columns of a task.
const MANIFEST: &str = "manifest.yaml";

/// The layout of RelBench's folders.
#[derive(Debug)]
pub(in crate::formats) struct Relbench;

impl FileFormat for Relbench {
    fn about(&self) -> About {
        About {
            name: "relbench",
            files_in_words: "db/NAME.csv, tasks/NAME/train.csv",
            habits: Habits::DATABASE,
            clue: Clue::PairOfNames,
        }
    }

    /// The folder that holds database and tasks, or that of one task.
    fn is_recognised(&self, path: &Path) -> bool {
        Place::of(path).is_some()
    }

    fn files(&self, asked: &Asked<'_>) -> Result<Option<Files>, Vec<Diagnostic>> {
        let Some(place) = Place::of(asked.path) else { return Ok(None) };
        let database = tables(&place.root.join(DATABASE), asked.reader_of_tables).into_iter();
        let mut named: Vec<(String, Vec<DataFile>)> = database
            .map(|(path, reader)| (stem_name(&path), vec![DataFile::read_by(path, reader)]))
            .collect();
        let mut found = Files::default();
        let manifest = place.root.join(MANIFEST);
        let mut manifests: Vec<DataFile> = Vec::new();
        if manifest.is_file() {
            manifests.push(DataFile::read_by(manifest, || whole(read_database)));
        }
        if let Some(task) = place.task(asked, &named).map_err(|fault| vec![fault])? {
            let parts = parts(&task, asked.reader_of_tables).map_err(|fault| vec![fault])?;
            found = divided(&parts);
            let manifest = task.join(MANIFEST);
            if manifest.is_file() {
                manifests.push(DataFile::read_by(manifest, || whole(read_task)).of_table(folder_name(&task)));
            }
            named.push((folder_name(&task), parts.into_iter().map(|(_, file)| file).collect()));
        }
        // The order of tables is that of their names, wherever they lie.
        named.sort_by(|left, right| left.0.cmp(&right.0));
        found.files = manifests.into_iter().chain(named.into_iter().flat_map(|(_, files)| files)).collect();
        Ok(as_database(found, place.root))
    }
}

/// Where the folders are, and which task the path names.
struct Place<'p> {
    root: &'p Path,
    task: Option<PathBuf>,
}

impl<'p> Place<'p> {
    fn of(path: &'p Path) -> Option<Self> {
        let is_root = |path: &Path| {
            path.join(DATABASE).is_dir() && (path.join(TASKS).is_dir() || path.join(MANIFEST).is_file())
        };
        if is_root(path) {
            return Some(Self { root: path, task: None });
        }
        let tasks = path.parent().filter(|tasks| path.is_dir() && tasks.ends_with(TASKS))?;
        let root = tasks.parent().filter(|root| is_root(&root.join(".")))?;
        Some(Self { root, task: Some(path.to_owned()) })
    }

    /// The folder of the task to read: that which the path names, else that of the label's table, else the only one. None
    /// if the label is of one of the database's tables, `named`, or nothing needs examples.
    fn task(
        &self,
        asked: &Asked<'_>,
        named: &[(String, Vec<DataFile>)],
    ) -> Result<Option<PathBuf>, Diagnostic> {
        if self.task.is_some() {
            return Ok(self.task.clone());
        }
        let mut tasks = entries(&self.root.join(TASKS));
        tasks.retain(|task| task.is_dir());
        match asked.label.filter(|label| !label.table.is_empty()) {
            Some(label) => {
                let task = tasks.iter().find(|task| folder_name(task) == label.table);
                let is_table = named.iter().any(|(name, _)| *name == label.table);
                match task {
                    None if !is_table => Err(faults::no_task(&label.table, &tasks)),
                    task => Ok(task.cloned()),
                }
            }
            None if tasks.len() == 1 => Ok(tasks.pop()),
            None if asked.needs_no_labels || tasks.is_empty() => Ok(None),
            None => Err(faults::several_tasks(self.root, &tasks)),
        }
    }
}

/// The tables of a folder, ascending by name, with the reader of each.
fn tables(folder: &Path, reader: fn(&Path) -> Option<MakeReader>) -> Vec<(PathBuf, MakeReader)> {
    entries(folder).into_iter().filter_map(|path| reader(&path).map(|reader| (path, reader))).collect()
}

/// The parts of a task, train first: the name of each, and its file.
fn parts(
    task: &Path,
    reader: fn(&Path) -> Option<MakeReader>,
) -> Result<Vec<(String, DataFile)>, Diagnostic> {
    let mut found: Vec<(usize, String, PathBuf, MakeReader)> = tables(task, reader)
        .into_iter()
        .filter_map(|(path, reader)| Some((part_rank(&stem_name(&path))?, stem_name(&path), path, reader)))
        .collect();
    found.sort_by_key(|(rank, ..)| *rank);
    if found.first().is_none_or(|(rank, ..)| *rank > 0) {
        return Err(faults::missing_file(&task.join("train.csv"), "the examples to learn from"));
    }
    found.dedup_by_key(|(rank, ..)| *rank);
    let table = folder_name(task);
    let file = |(fold, (_, name, path, reader)): (usize, (usize, String, PathBuf, MakeReader))| {
        (name, DataFile::read_by(path, reader).of_table(table.as_str()).in_fold(Some(fold)))
    };
    Ok(found.into_iter().enumerate().map(file).collect())
}

/// The division that these parts make: the last one is the test.
fn divided(parts: &[(String, DataFile)]) -> Files {
    let division = match parts.len() {
        0 | 1 => return Files::default(),
        2 => Division::TrainTest,
        _ => Division::TrainTuneTest,
    };
    let fold_names = parts.iter().map(|(name, _)| name.clone()).collect();
    Files { fold_names, division, ..Files::default() }
}

fn folder_name(folder: &Path) -> String {
    folder.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

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
fn read_database(text: &str, reading: &mut FileReading<'_>) {
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
fn read_task(text: &str, reading: &mut FileReading<'_>) {
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
