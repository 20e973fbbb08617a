//! What DuckDB's `EXPORT DATABASE` writes: `schema.sql`, which makes the tables, and `load.sql`, which names the file of each.
//!
//! The statements of SQL that say what tables are: words, and what a table's declaration says of its keys.
//!
//! `CREATE TABLE` alone is understood, and of it the columns, primary keys and foreign keys. Everything else in brackets
//! (types, defaults, checks) is stepped over. [ISO/IEC 9075-2, 11.3]

use std::path::{Path, PathBuf};

use crate::database::{DeclaredLink, DeclaredTable, declared};
use crate::faults;
use crate::formats::file_format::{About, Asked, Clue, FileFormat, content, entries};
use crate::gather::{DataFile, FileReading, Files, Habits, whole};
use crate::tables::schema::GivenBy;
use gleaner_lang::syntax::{Diagnostic, Span, read_head};

use super::as_database;

/// The two files that every export has.
const SCHEMA: &str = "schema.sql";

const LOAD: &str = "load.sql";

/// What stands in a database of DuckDB itself, behind a checksum of eight bytes.
const MAGIC: &[u8] = b"DUCK";

const BEFORE_MAGIC: u64 = 8;

/// The separators and the words for missing values that tables may have.
const SEPARATORS: [&str; 4] = [",", ";", "\t", "\\t"];

const MISSING: [&str; 4] = ["", "NULL", "NA", "\\N"];

/// The layout of DuckDB's exports.
#[derive(Debug)]
pub(in crate::formats) struct Duckdb;

impl FileFormat for Duckdb {
    fn about(&self) -> About {
        About {
            name: "duckdb",
            files_in_words: "schema.sql, load.sql",
            habits: Habits::DATABASE,
            clue: Clue::PairOfNames,
        }
    }

    fn is_recognised(&self, path: &Path) -> bool {
        path.join(SCHEMA).is_file() && path.join(LOAD).is_file()
    }

    fn files(&self, asked: &Asked<'_>) -> Result<Option<Files>, Vec<Diagnostic>> {
        let folder = asked.path;
        if !self.is_recognised(folder) {
            return Ok(None);
        }
        let load = content(&folder.join(LOAD));
        let (mut files, mut missing) = (Vec::new(), Vec::new());
        for copy in statements(&load).iter().filter_map(|statement| copied(&statement.words)) {
            let path = folder.join(&copy.file);
            let Some(reader) = (asked.reader_of_tables)(&path) else {
                missing.push(faults::odd_export(&path, "no table in CSV or Parquet"));
                continue;
            };
            if let Some(what) = copy.odd_option {
                missing.push(faults::odd_export(&path, &what));
                continue;
            }
            if !path.exists() {
                missing.push(faults::missing_file(&path, &format!("the table {}", copy.table)));
                continue;
            }
            files.push(DataFile::read_by(path, reader).of_table(copy.table));
        }
        if !missing.is_empty() {
            return Err(missing);
        }
        files.sort_by(|left, right| left.table.cmp(&right.table));
        // An export may have no table.
        files.push(DataFile::read_by(folder.join(SCHEMA), || whole(read_schema)));
        Ok(as_database(Files::undivided(files), folder))
    }
}

/// The database of DuckDB itself that a path is, or that lies in the folder: it is in a form that DuckDB alone reads.
pub(in crate::formats) fn native(path: &Path) -> Option<PathBuf> {
    let is_one = |file: &PathBuf| {
        let head = file.is_file().then(|| read_head(file, BEFORE_MAGIC + MAGIC.len() as u64));
        head.is_some_and(|head| head.is_ok_and(|head| head.ends_with(MAGIC)))
    };
    if path.is_dir() { entries(path).into_iter().find(is_one) } else { Some(path.to_owned()).filter(is_one) }
}

/// A table, and the file that it is loaded from.
struct Copied {
    table: String,
    file: PathBuf,
    /// An option by which the file is no table that is read, in words.
    odd_option: Option<String>,
}

/// What a statement as `COPY orders FROM 'orders.csv' (FORMAT 'csv', header 1)` loads.
fn copied(statement: &[Word]) -> Option<Copied> {
    let (copy, rest) = statement.split_first()?;
    let (table, rest) = qualified_name(rest).filter(|_| copy.is("copy"))?;
    let [from, Word::Text(path), rest @ ..] = rest else { return None };
    if !from.is("from") {
        return None;
    }
    // The path is that of the export's day; the file lies beside.
    let name = path.rsplit(['/', '\\']).next().unwrap_or_default();
    let options = items(rest).unwrap_or_default();
    Some(Copied { table, file: PathBuf::from(name), odd_option: options.into_iter().find_map(odd_option) })
}

/// Why a table with this option is not read.
fn odd_option(option: &[Word]) -> Option<String> {
    let (name, values) = option.split_first()?;
    let value = match values.first() {
        Some(Word::Text(text) | Word::Plain(text) | Word::Quoted(text)) => text.as_str(),
        Some(Word::Sign(_)) | None => return None,
    };
    let is_one_of = |known: &[&str]| known.contains(&value);
    if name.is("header") && ["0", "false"].iter().any(|no| value.eq_ignore_ascii_case(no)) {
        return Some("a table without the names of its columns".to_owned());
    }
    if ["delimiter", "delim", "sep"].iter().any(|known| name.is(known)) && !is_one_of(&SEPARATORS) {
        return Some(format!("a table with `{value}` between its cells"));
    }
    if ["quote", "escape"].iter().any(|known| name.is(known)) && !is_one_of(&["\"", ""]) {
        return Some(format!("a table with `{value}` as quotes"));
    }
    let is_null = name.is("nullstr") || name.is("null");
    (is_null && !is_one_of(&MISSING)).then(|| format!("a table with `{value}` for missing values"))
}

/// Reads what the tables' declarations say.
fn read_schema(text: &str, reading: &mut FileReading<'_>) {
    let (mut tables, mut places) = (Vec::new(), Vec::new());
    for Statement { words, start } in statements(text) {
        if let Some(table) = created_table(&words) {
            tables.push(table);
            places.push(Span::new(start, start + text[start..].find('(').unwrap_or(0)));
        }
    }
    for (found, span) in declared(&tables).into_iter().zip(places) {
        let place = reading.place_in_file(span);
        for what in found.unused {
            reading.tell(faults::unused_key(place, &what));
        }
        let given = &mut reading.notes.given_schema;
        given.add(GivenBy::Statements, place, &found.table, found.says);
        given.add_composites(GivenBy::Statements, place, &found.table, found.composites);
    }
}

/// A word of a statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Word {
    /// A name or a keyword as it is written.
    Plain(String),
    /// A name in quotes.
    Quoted(String),
    /// A text in single quotes.
    Text(String),
    /// Any other character.
    Sign(char),
}

impl Word {
    /// Whether it is this keyword, in any case.
    pub(super) fn is(&self, keyword: &str) -> bool {
        matches!(self, Self::Plain(word) if word.eq_ignore_ascii_case(keyword))
    }

    fn is_sign(&self, sign: char) -> bool {
        *self == Self::Sign(sign)
    }

    /// The name that it is.
    fn name(&self) -> Option<&str> {
        match self {
            Self::Plain(name) | Self::Quoted(name) => Some(name),
            Self::Text(_) | Self::Sign(_) => None,
        }
    }
}

/// A statement.
#[derive(Clone, Debug, Default)]
pub(super) struct Statement {
    pub(super) words: Vec<Word>,
    /// Where its first word begins.
    pub(super) start: usize,
}

/// The statements of a text. A quote that is not closed ends with the text. Cost: one pass.
pub(super) fn statements(text: &str) -> Vec<Statement> {
    let mut found = vec![Statement::default()];
    let mut rest = text.trim_start_matches('\u{feff}');
    while let Some(first) = rest.chars().next() {
        let after = &rest[first.len_utf8()..];
        let (word, left) = match first {
            _ if first.is_whitespace() => (None, after),
            '-' if after.starts_with('-') => (None, after.find('\n').map_or("", |end| &after[end..])),
            '/' if after.starts_with('*') => (None, after.find("*/").map_or("", |end| &after[end + 2..])),
            '\'' | '"' | '`' => {
                let (text, left) = in_quotes(after, first);
                (Some(if first == '\'' { Word::Text(text) } else { Word::Quoted(text) }), left)
            }
            _ if is_of_name(first) => {
                let end = rest.find(|c| !is_of_name(c)).unwrap_or(rest.len());
                (Some(Word::Plain(rest[..end].to_owned())), &rest[end..])
            }
            ';' => {
                found.push(Statement::default());
                (None, after)
            }
            _ => (Some(Word::Sign(first)), after),
        };
        if let Some((last, word)) = found.last_mut().zip(word) {
            if last.words.is_empty() {
                last.start = text.len() - rest.len();
            }
            last.words.push(word);
        }
        rest = left;
    }
    found.retain(|statement| !statement.words.is_empty());
    found
}

fn is_of_name(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '$')
}

/// The text up to the closing quote, a doubled quote being one, and what follows.
fn in_quotes(text: &str, quote: char) -> (String, &str) {
    let mut found = String::new();
    let mut rest = text;
    while let Some(end) = rest.find(quote) {
        found.push_str(&rest[..end]);
        rest = &rest[end + 1..];
        if !rest.starts_with(quote) {
            return (found, rest);
        }
        found.push(quote);
        rest = &rest[1..];
    }
    found.push_str(rest);
    (found, "")
}

/// The name at the beginning of the words, with the schema before it unless that is `main`, and what follows.
fn qualified_name(words: &[Word]) -> Option<(String, &[Word])> {
    let (first, mut rest) = words.split_first()?;
    let mut parts = vec![first.name()?.to_owned()];
    while let [dot, name, after @ ..] = rest
        && dot.is_sign('.')
    {
        parts.push(name.name()?.to_owned());
        rest = after;
    }
    if parts.len() > 1 && parts[0] == "main" {
        parts.remove(0);
    }
    Some((parts.join("."), rest))
}

/// The table that a statement makes; none for other statements.
fn created_table(statement: &[Word]) -> Option<DeclaredTable> {
    let (create, mut rest) = statement.split_first()?;
    if !create.is("create") {
        return None;
    }
    while rest.first().is_some_and(|word| word.is("temp") || word.is("temporary")) {
        rest = &rest[1..];
    }
    let (table, mut rest) = rest.split_first()?;
    if !table.is("table") {
        return None;
    }
    if let [first, second, third, after @ ..] = rest
        && first.is("if")
        && second.is("not")
        && third.is("exists")
    {
        rest = after;
    }
    let (name, rest) = qualified_name(rest)?;
    let mut made = DeclaredTable { name, ..DeclaredTable::default() };
    for item in items(rest)? {
        take(item, &mut made);
    }
    Some(made)
}

/// The items in the brackets that the words begin with, divided at commas outside inner brackets.
pub(super) fn items(words: &[Word]) -> Option<Vec<&[Word]>> {
    let (open, rest) = words.split_first()?;
    if !open.is_sign('(') {
        return None;
    }
    let (mut depth, mut start, mut found) = (0_usize, 0, Vec::new());
    for (at, word) in rest.iter().enumerate() {
        match word {
            Word::Sign('(' | '[') => depth += 1,
            Word::Sign(')') if depth == 0 => {
                found.push(&rest[start..at]);
                return Some(found);
            }
            Word::Sign(')' | ']') => depth = depth.saturating_sub(1),
            Word::Sign(',') if depth == 0 => {
                found.push(&rest[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    None
}

/// Takes a column or a constraint.
fn take(mut item: &[Word], made: &mut DeclaredTable) {
    if item.first().is_some_and(|word| word.is("constraint")) {
        item = item.get(2..).unwrap_or_default();
    }
    match item {
        [first, second, rest @ ..] if first.is("primary") && second.is("key") => {
            made.key = names(rest);
        }
        [first, second, rest @ ..] if first.is("foreign") && second.is("key") => {
            let at = rest.iter().position(|word| word.is("references"));
            made.foreign_keys.extend(at.and_then(|at| reference(names(rest), &rest[at + 1..])));
        }
        [first, Word::Sign('('), ..] if first.is("unique") || first.is("check") => {}
        [first, rest @ ..] => {
            let Some(name) = first.name().map(str::to_owned) else { return };
            of_column(&name, rest, made);
            made.columns.push(name);
        }
        [] => {}
    }
}

/// Takes what stands behind the name of a column.
fn of_column(name: &str, words: &[Word], made: &mut DeclaredTable) {
    let mut depth = 0_usize;
    for (at, word) in words.iter().enumerate() {
        match word {
            Word::Sign('(' | '[') => depth += 1,
            Word::Sign(')' | ']') => depth = depth.saturating_sub(1),
            _ if depth > 0 => {}
            _ if word.is("primary") && words.get(at + 1).is_some_and(|next| next.is("key")) => {
                made.key = vec![name.to_owned()];
            }
            _ if word.is("references") => {
                made.foreign_keys.extend(reference(vec![name.to_owned()], &words[at + 1..]));
            }
            _ => {}
        }
    }
}

/// A foreign key of these columns, by the words behind `REFERENCES`.
fn reference(columns: Vec<String>, words: &[Word]) -> Option<DeclaredLink> {
    let (table, rest) = qualified_name(words)?;
    Some(DeclaredLink { columns, table, to: names(rest) })
}

/// The names in the brackets that the words begin with.
fn names(words: &[Word]) -> Vec<String> {
    let first = |item: &&[Word]| item.first().and_then(Word::name).map(str::to_owned);
    items(words).unwrap_or_default().iter().filter_map(first).collect()
}

#[cfg(test)]
mod tests {
    use crate::database::DeclaredTable;

    use super::{Word, copied, created_table, statements};

    #[test]
    fn statements_name_files_and_odd_tables() {
        for (text, table, file, odd) in [
            (
                "COPY \"my people\" FROM 'd/my_people.csv' (FORMAT 'csv', quote '\"', delimiter ',', header 1);",
                "my people",
                "my_people.csv",
                None,
            ),
            ("COPY other.t FROM 'C:\\x\\t.parquet' (FORMAT 'parquet')", "other.t", "t.parquet", None),
            ("COPY t FROM 't.csv' (header false)", "t", "t.csv", Some("without the names")),
            (
                "COPY t FROM 't.csv' (force_not_null ('a', 'b'), delimiter '|')",
                "t",
                "t.csv",
                Some("`|` between"),
            ),
            ("COPY t FROM 't.csv' (nullstr 'nil')", "t", "t.csv", Some("`nil` for missing")),
        ] {
            let copy = copied(&statements(text)[0].words).expect("it loads a table");
            assert_eq!((&*copy.table, copy.file.to_str()), (table, Some(file)), "{text}");
            let found = copy.odd_option.as_deref();
            assert_eq!(found.is_some(), odd.is_some(), "{text}: {found:?}");
            assert!(found.unwrap_or_default().contains(odd.unwrap_or_default()), "{text}: {found:?}");
        }
        for text in ["COPY t TO 't.csv'", "COPY", "SELECT 1", "COPY t FROM t2"] {
            assert!(copied(&statements(text)[0].words).is_none(), "{text}");
        }
    }

    fn table(text: &str) -> DeclaredTable {
        let read = statements(text);
        let mut made = read.iter().filter_map(|statement| created_table(&statement.words));
        let first = made.next().unwrap_or_else(|| panic!("no table in {text}"));
        assert!(made.next().is_none(), "{text}");
        first
    }

    #[test]
    fn words_keep_what_is_quoted() {
        let words = |text: &str| -> Vec<Word> {
            statements(text).into_iter().flat_map(|statement| statement.words).collect()
        };
        let quoted = |text: &str| Word::Quoted(text.to_owned());
        assert_eq!(words("\"a \"\"b\"\"\""), [quoted("a \"b\"")]);
        assert_eq!(words("'it''s; -- no'"), [Word::Text("it's; -- no".to_owned())]);
        assert_eq!(words("-- a\nb /* c; */ d"), [Word::Plain("b".to_owned()), Word::Plain("d".to_owned())]);
        let starts = |text| statements(text).iter().map(|statement| statement.start).collect::<Vec<_>>();
        assert_eq!(starts(";;a b; -- c\n'd"), [2, 12]);
        assert_eq!(words("\"open"), [quoted("open")]);
    }

    #[test]
    fn keys_stand_beside_columns_or_below_them() {
        let made = table(
            "CREATE TABLE \"my people\"(id INTEGER PRIMARY KEY, \"full name\" VARCHAR NOT NULL DEFAULT('x,y)'), \
             amount DECIMAL(10,2), l INTEGER[3], CHECK((amount > 0)), boss INTEGER REFERENCES \"my people\"(id));",
        );
        assert_eq!(made.name, "my people");
        assert_eq!(made.columns, ["id", "full name", "amount", "l", "boss"]);
        assert_eq!(made.key, ["id"]);
        assert_eq!(made.foreign_keys.len(), 1);
        assert_eq!(
            (&*made.foreign_keys[0].table, &made.foreign_keys[0].to),
            ("my people", &vec!["id".to_owned()])
        );
        let made = table(
            "create table if not exists main.lines(\"no\" int, o bigint, PRIMARY KEY(o, \"no\"), CONSTRAINT f FOREIGN \
             KEY (o) REFERENCES other.orders(oid), unique(o)); CREATE INDEX i ON lines(o); create view v as select 1;",
        );
        assert_eq!((&*made.name, made.columns.len()), ("lines", 2));
        assert_eq!(made.key, ["o", "no"]);
        assert_eq!(made.foreign_keys[0].columns, ["o"]);
        assert_eq!(made.foreign_keys[0].table, "other.orders");
    }

    #[test]
    fn broken_statements_make_no_table() {
        for text in [
            "create table",
            "create table t",
            "create table t(a int",
            "create table t.(a)",
            "table t(a)",
            "(",
        ] {
            let read = statements(text);
            assert!(read.iter().all(|statement| created_table(&statement.words).is_none()), "{text}");
        }
    }
}
