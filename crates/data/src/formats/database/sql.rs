//! The statements of SQL that say what tables are: words, and what a table's declaration says of its keys.
//!
//! `CREATE TABLE` alone is understood, and of it the columns, primary keys and foreign keys. Everything else in brackets
//! (types, defaults, checks) is stepped over. [ISO/IEC 9075-2, 11.3]

use crate::database::{DeclaredLink, DeclaredTable};

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
pub(super) fn qualified_name(words: &[Word]) -> Option<(String, &[Word])> {
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
pub(super) fn created_table(statement: &[Word]) -> Option<DeclaredTable> {
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
    use super::{Word, created_table, statements};
    use crate::database::DeclaredTable;

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
