//! Schemas as texts: `schema.toml`, a line for each column.
//!
//! What a file does not say is proposed. So one line mends a wrong guess. A line with a list says what several columns
//! are together: `key = ["order", "line"]`, and `"-> lines" = ["order", "line"]` in another table.

use std::fmt::Write;

use gleaner_lang::syntax::{Diagnostic, FileId, Place, Span};
use toml::Spanned;
use toml::de::{DeArray, DeTable, DeValue};

use super::faults::{self, Misfit};
use crate::tables::schema::{
    ColumnSchema, GivenBy, GivenColumn, GivenComposite, GivenSchema, Kind, Says, Schema, TableSchema, key,
    quoted,
};
use crate::texts::Notation;

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

/// The word for a label whose values are classes, though they be numbers.
const CLASS: &str = "class";

/// The word for the key of a table that stands in no file.
const MADE_KEY: &str = "made key";

/// The words between the kind of a column and the notation of its cells.
const AS: &str = ", as ";

/// What the reader of TOML says of a second line for a key.
const DOUBLED: &str = "duplicate key";

/// The word for a key of several columns.
const KEY: &str = "key";

impl Says {
    fn read(text: &str) -> Option<Self> {
        if let Some(table) = text.strip_prefix(POINTS_TO) {
            return Some(Self::PointsTo(table.trim().to_owned()));
        }
        let kind = WORDS.iter().find(|(word, _)| *word == text).map(|(_, kind)| Self::Is(*kind));
        kind.or(match text {
            ROW_TIME => Some(Self::RowTime),
            CLASS => Some(Self::Class),
            MADE_KEY => Some(Self::MadeKey),
            _ => None,
        })
    }
}

/// The kind of a column, and the notation of its cells: `time, as 31/12/2018`.
fn kind_and_notation(text: &str) -> (&str, Option<Notation>) {
    let parts = text.split_once(AS);
    let named = parts.and_then(|(kind, words)| Some((kind, Some(Notation::named(words)?))));
    named.unwrap_or((text, None))
}

impl GivenSchema {
    /// Reads a file. Tells of each line that says nothing.
    pub(crate) fn read(text: &str, file: FileId) -> (Self, Vec<Diagnostic>) {
        let place = |span: std::ops::Range<usize>| Place::new(file, Span::new(span.start, span.end));
        let tables = match DeTable::parse(text) {
            Ok(tables) => tables,
            Err(fault) => {
                let span = fault.span().unwrap_or_default();
                let what = match fault.message() {
                    DOUBLED => {
                        format!("{} has a line already: one line says what it is", &text[span.clone()])
                    }
                    other => other.to_owned(),
                };
                return (Self::default(), vec![faults::bad_schema(place(span), what)]);
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
                    DeValue::String(said) => said.as_ref(),
                    DeValue::Array(columns) => {
                        let line = List { table: table.get_ref(), role: column.get_ref(), columns, place };
                        if let Err(fault) = line.read(&mut given) {
                            found.push(faults::bad_schema(place, fault));
                        }
                        continue;
                    }
                    _ => {
                        let what = format!(
                            "{} is no kind of a column: kinds are words in quotes",
                            &text[said.span()]
                        );
                        found.push(faults::bad_schema(place, what));
                        continue;
                    }
                };
                let column = column.get_ref().to_string();
                found.extend(given.add_words(table.get_ref(), &[column], text, place).err());
            }
        }
        (given, found)
    }

    /// Adds what is said of columns together, in the words of a line; none of them are a denial.
    ///
    /// # Errors
    ///
    /// Why it says nothing.
    pub(crate) fn add_words(
        &mut self,
        table: &str,
        columns: &[String],
        words: &str,
        place: Place,
    ) -> Result<(), Diagnostic> {
        let (kind, notation) = kind_and_notation(words);
        let Some(says) = Says::read(kind) else {
            let known = WORDS.iter().map(|(word, _)| *word).chain([ROW_TIME, CLASS]);
            let misfit = Misfit::of_name(format!("`{words}` is no kind of a column"), kind, known);
            return Err(faults::bad_schema(place, misfit));
        };
        let added = self.add_together(table, columns.to_vec(), (says, notation), place);
        added.map_err(|fault| faults::bad_schema(place, fault))
    }

    fn add_together(
        &mut self,
        table: &str,
        columns: Vec<String>,
        (says, notation): (Says, Option<Notation>),
        place: Place,
    ) -> Result<(), String> {
        if let Some(twice) = (1..columns.len()).find(|&at| columns[..at].contains(&columns[at])) {
            return Err(format!("the column {} stands twice", columns[twice]));
        }
        let (table, by) = (table.to_owned(), GivenBy::SchemaFile);
        match <[String; 1]>::try_from(columns) {
            Ok([column]) => self.columns.push(GivenColumn { table, column, says, notation, by, place }),
            Err(columns) => self.composites.push(GivenComposite { table, columns, says, by, place }),
        }
        Ok(())
    }

    /// This, and before it what the tables of a model meant.
    pub(crate) fn with_model(&self, text: &str) -> Self {
        let (mut given, _) = Self::read(text, FileId::default());
        given.columns.iter_mut().for_each(|column| column.by = GivenBy::Model);
        given.composites.iter_mut().for_each(|composite| composite.by = GivenBy::Model);
        given.columns.extend(self.columns.iter().cloned());
        given.composites.extend(self.composites.iter().cloned());
        given.whole_tables.clone_from(&self.whole_tables);
        given
    }
}

/// A line that says what several columns are together.
struct List<'l> {
    table: &'l str,
    /// `key`, or the sign and the table that they point to.
    role: &'l str,
    columns: &'l DeArray<'l>,
    place: Place,
}

impl List<'_> {
    /// Adds what the line says.
    ///
    /// # Errors
    ///
    /// In words why it says nothing.
    fn read(&self, given: &mut GivenSchema) -> Result<(), String> {
        let role = self.role.trim();
        let says = match role.strip_prefix(POINTS_TO) {
            Some(table) => Says::PointsTo(table.trim().to_owned()),
            None if role == KEY => Says::Is(Kind::Key),
            None => return Err(format!("several columns are `{KEY}` or `{POINTS_TO} TABLE`, not `{role}`")),
        };
        let lists: Vec<&DeArray<'_>> =
            self.columns.iter().filter_map(|item| item.get_ref().as_array()).collect();
        let has_lists = !lists.is_empty() && lists.len() == self.columns.len() && says != Says::Is(Kind::Key);
        for list in if has_lists { lists } else { vec![self.columns] } {
            let columns: Vec<String> = list.iter().map(column_name).collect::<Result<_, _>>()?;
            given.add_together(self.table, columns, (says.clone(), None), self.place)?;
        }
        Ok(())
    }
}

/// The name of a column in a list.
fn column_name(item: &Spanned<DeValue<'_>>) -> Result<String, String> {
    let name = item.get_ref().as_str().map(str::to_owned);
    name.ok_or_else(|| "a list holds the names of columns".to_owned())
}

/// What a line says of a column of a kind.
pub(super) fn says_kind(column: &ColumnSchema, schema: &Schema) -> String {
    match column.kind {
        Kind::Foreign(to) => format!("{POINTS_TO} {}", schema.tables[to].name),
        kind => {
            let word = WORDS.iter().find(|(_, known)| *known == kind);
            word.map_or("", |(word, _)| word).to_owned()
        }
    }
}

/// A schema as a file, with the evidence for each line.
pub(crate) fn schema_text(schema: &Schema) -> String {
    let class = if schema.says_classes { "class, " } else { "" };
    let made = if schema.tables.iter().any(|table| table.is_made) { "made key, " } else { "" };
    let mut text = format!(
        "# What the tables mean. Change a line where it is wrong, and save this as\n\
         # schema.toml beside the tables. Kinds: key, {made}-> TABLE (the key of a row there),\n\
         # category, number, code, duration, time, row time, label, {class}fold, left out.\n",
    );
    for (at, table) in schema.tables.iter().enumerate() {
        let rows = if table.is_made { "keys that stand in no file" } else { "rows" };
        let _ = writeln!(text, "\n[{}] # {} {rows}", key(&table.name), table.n_rows);
        composite_lines(table, schema, &mut text);
        let columns = table.columns.iter().enumerate();
        for (position, column) in columns.filter(|(_, column)| column.parts.is_empty()) {
            let says = match column.kind {
                Kind::Time if table.time == Some(position) => ROW_TIME.to_owned(),
                Kind::Label if schema.says_classes && schema.label == Some((at, position)) => {
                    CLASS.to_owned()
                }
                Kind::Key if table.is_made => MADE_KEY.to_owned(),
                _ => says_kind(column, schema),
            };
            let says = match column.notation {
                Some(notation) if column.kind != Kind::LeftOut => format!("{says}{AS}{}", notation.words()),
                _ => says,
            };
            let _ = writeln!(text, "{} = {} # {}", key(&column.name), quoted(&says), column.why);
        }
    }
    text
}

/// The lines of the composite key and foreign keys of a table. Several to the same table are one line.
fn composite_lines(table: &TableSchema, schema: &Schema, text: &mut String) {
    let composites = || table.columns.iter().filter(|column| !column.parts.is_empty());
    let names = |column: &ColumnSchema| {
        let names: Vec<String> = column.parts.iter().map(|&part| quoted(&table.columns[part].name)).collect();
        format!("[{}]", names.join(", "))
    };
    let mut line = |role: &str, of: &[&ColumnSchema]| {
        // No name of a column begins with a blank.
        let is_taken = table.columns.iter().any(|column| column.parts.is_empty() && column.name == role);
        let role = key(&if is_taken { format!(" {role}") } else { role.to_owned() });
        let lists: Vec<String> = of.iter().map(|column| names(column)).collect();
        let lists = if of.len() == 1 { lists.concat() } else { format!("[{}]", lists.join(", ")) };
        let why: Vec<&str> = of.iter().map(|column| &*column.why).collect();
        let _ = writeln!(text, "{role} = {lists} # {}", why.join("; "));
    };
    for column in composites().filter(|column| column.kind == Kind::Key) {
        line(KEY, &[column]);
    }
    for (to, of) in schema.tables.iter().enumerate() {
        let to_table: Vec<&ColumnSchema> =
            composites().filter(|column| column.kind == Kind::Foreign(to)).collect();
        if !to_table.is_empty() {
            line(&format!("{POINTS_TO} {}", of.name), &to_table);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{GivenComposite, GivenSchema, Says};
    use crate::tables::schema::Kind;
    use gleaner_lang::syntax::FileId;

    #[test]
    fn a_line_says_the_kind_of_a_column() {
        let text = "[orders]\nid = \"key\"\n\"sold to\" = \"-> people\"\nday = \"row time\"\nnote = \"left out\"\n\
                    stars = \"class\"\n";
        let (given, found) = GivenSchema::read(text, FileId::default());
        assert!(found.is_empty(), "{found:?}");
        let says = |column| given.of("orders", column).map(|given| given.says.clone());
        assert_eq!(says("id"), Some(Says::Is(Kind::Key)));
        assert_eq!(says("sold to"), Some(Says::PointsTo("people".to_owned())));
        assert_eq!(says("day"), Some(Says::RowTime));
        assert_eq!(says("note"), Some(Says::Is(Kind::LeftOut)));
        assert_eq!(says("stars"), Some(Says::Class));
        assert_eq!(says("other"), None);
    }

    #[test]
    fn a_list_says_what_columns_are_together() {
        let text = "[lines]\nkey = [\"order\", \"no\"]\nno = \"number\"\n[gifts]\n\"-> lines\" = [[\"o\", \"n\"], \
                    [\"o\", \"m\"]]\n\"->people\" = [\"who\"]\n\"-> days\" = []\n";
        let (given, found) = GivenSchema::read(text, FileId::default());
        assert!(found.is_empty(), "{found:?}");
        let of = |table: &str, says: &Says| -> Vec<String> {
            let is = |of: &&GivenComposite| of.table == table && of.says == *says;
            given.composites.iter().filter(is).map(|of| of.columns.join(" ")).collect()
        };
        let to = |table: &str| Says::PointsTo(table.to_owned());
        assert_eq!(of("lines", &Says::Is(Kind::Key)), ["order no"]);
        assert_eq!(of("gifts", &to("lines")), ["o n", "o m"]);
        assert_eq!(of("gifts", &to("days")), [""]);
        // A list of one column says what a line for the column says.
        assert_eq!(given.of("gifts", "who").map(|given| given.says.clone()), Some(to("people")));
    }

    #[test]
    fn faults_have_their_places() {
        for text in
            ["key = [1, 2]", "key = [[\"a\", \"b\"]]", "label = [\"a\", \"b\"]", "key = [\"a\", \"a\"]"]
        {
            let text = format!("[orders]\n{text}\n");
            let (given, found) = GivenSchema::read(&text, FileId::default());
            assert!(found.len() == 1 && given.composites.is_empty(), "{text}: {found:?}");
        }
        for (text, n) in [("[orders]\nid = \"keys\"\nday = \"date\"\n", 2), ("[orders\n", 1), ("id = 3\n", 1)]
        {
            assert_eq!(GivenSchema::read(text, FileId::default()).1.len(), n, "{text}");
        }
    }
}
