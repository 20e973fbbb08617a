//! Schemas as texts: `schema.toml`, a line for each column.
//!
//! What a file does not say is proposed. So one line mends a wrong guess.

use std::fmt::Write;

use gleaner_lang::syntax::{Diagnostic, FileId, Place, Span};
use toml::de::{DeTable, DeValue};

use super::faults;
use super::given::{GivenColumn, GivenSchema, Says};
use super::schema::{GivenBy, Kind, Schema};

/// The kinds by the words for them.
const WORDS: [(&str, Kind); 9] = [
    ("key", Kind::Key),
    ("category", Kind::Category),
    ("number", Kind::Number),
    ("code", Kind::Code),
    ("duration", Kind::Duration),
    ("time", Kind::Time),
    ("label", Kind::Label),
    ("fold", Kind::Fold),
    ("left out", Kind::LeftOut),
];

/// The word for the time of rows, and the sign before a table that is pointed to.
const ROW_TIME: &str = "row time";
const POINTS_TO: &str = "->";

impl Says {
    fn read(text: &str) -> Option<Self> {
        if let Some(table) = text.strip_prefix(POINTS_TO) {
            return Some(Self::PointsTo(table.trim().to_owned()));
        }
        let kind = WORDS.iter().find(|(word, _)| *word == text).map(|(_, kind)| Self::Is(*kind));
        kind.or_else(|| (text == ROW_TIME).then_some(Self::RowTime))
    }
}

impl GivenSchema {
    /// Reads a file. Tells of each line that says nothing.
    pub(crate) fn read(text: &str, file: FileId) -> (Self, Vec<Diagnostic>) {
        let place = |span: std::ops::Range<usize>| Place::new(file, Span::new(span.start, span.end));
        let tables = match DeTable::parse(text) {
            Ok(tables) => tables,
            Err(fault) => {
                let place = place(fault.span().unwrap_or_default());
                return (Self::default(), vec![faults::bad_schema(place, fault.message())]);
            }
        };
        let (mut given, mut found) = (Self::default(), Vec::new());
        for (table, columns) in tables.get_ref() {
            let DeValue::Table(columns) = columns.get_ref() else {
                found.push(faults::bad_schema(place(columns.span()), "this stands below no table"));
                continue;
            };
            for (column, said) in columns {
                let place = place(said.span());
                let text = match said.get_ref() {
                    DeValue::String(text) => text.as_ref(),
                    _ => "",
                };
                let Some(says) = Says::read(text) else {
                    found.push(faults::bad_schema(place, &format!("`{text}` is no kind of a column")));
                    continue;
                };
                let (table, column) = (table.get_ref().to_string(), column.get_ref().to_string());
                given.columns.push(GivenColumn { table, column, says, by: GivenBy::SchemaFile, place });
            }
        }
        (given, found)
    }

    /// This, and before it what the tables of a model meant.
    pub(crate) fn with_model(&self, text: &str) -> Self {
        let (mut given, _) = Self::read(text, FileId::default());
        given.columns.iter_mut().for_each(|column| column.by = GivenBy::Model);
        given.columns.extend(self.columns.iter().cloned());
        given.whole_tables.clone_from(&self.whole_tables);
        given
    }
}

/// A schema as a file, with the evidence for each line.
pub(crate) fn schema_text(schema: &Schema) -> String {
    let mut text = String::from(
        "# What the tables mean. Change a line where it is wrong, and save this as schema.toml beside the tables.\n\
         # Kinds: key, -> TABLE (the key of a row there), category, number, code, duration, time, row time, label, fold, left out.\n",
    );
    for table in &schema.tables {
        let _ = writeln!(text, "\n[{}] # {} rows", key(&table.name), table.n_rows);
        for (position, column) in table.columns.iter().enumerate() {
            let says = match column.kind {
                Kind::Foreign(to) => format!("{POINTS_TO} {}", schema.tables[to].name),
                Kind::Time if table.time == Some(position) => ROW_TIME.to_owned(),
                kind => {
                    let word = WORDS.iter().find(|(_, known)| *known == kind);
                    word.map_or("", |(word, _)| word).to_owned()
                }
            };
            let _ = writeln!(text, "{} = {} # {}", key(&column.name), quoted(&says), column.why);
        }
    }
    text
}

/// A name as a key of TOML.
fn key(name: &str) -> String {
    let is_bare = !name.is_empty()
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'));
    if is_bare { name.to_owned() } else { quoted(name) }
}

fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            _ if c.is_control() => {
                let _ = write!(quoted, "\\u{:04X}", u32::from(c));
            }
            _ => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

#[cfg(test)]
mod tests {
    use super::{GivenSchema, Says};
    use crate::database::schema::Kind;
    use gleaner_lang::syntax::FileId;

    #[test]
    fn a_line_says_the_kind_of_a_column() {
        let text =
            "[orders]\nid = \"key\"\n\"sold to\" = \"-> people\"\nday = \"row time\"\nnote = \"left out\"\n";
        let (given, found) = GivenSchema::read(text, FileId::default());
        assert!(found.is_empty(), "{found:?}");
        let says = |column| given.of("orders", column).map(|given| given.says.clone());
        assert_eq!(says("id"), Some(Says::Is(Kind::Key)));
        assert_eq!(says("sold to"), Some(Says::PointsTo("people".to_owned())));
        assert_eq!(says("day"), Some(Says::RowTime));
        assert_eq!(says("note"), Some(Says::Is(Kind::LeftOut)));
        assert_eq!(says("other"), None);
    }

    #[test]
    fn faults_have_their_places() {
        for (text, n) in [("[orders]\nid = \"keys\"\nday = \"date\"\n", 2), ("[orders\n", 1), ("id = 3\n", 1)]
        {
            assert_eq!(GivenSchema::read(text, FileId::default()).1.len(), n, "{text}");
        }
    }
}
