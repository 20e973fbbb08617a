//! The messages about what is odd in tables.

use gleaner_lang::syntax::{Code, Diagnostic, Place, codes};

use super::super::keys::without_id_word;
use crate::tables::schema::key;
use crate::tables::store::{Database, StoredColumn, StoredTable};
use crate::texts::Notation;
use crate::texts::number_texts::NumberStyle;

/// Examples of some classes, and how many of them have something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::database) struct Side {
    /// The classes in words, as `the positives`.
    pub(in crate::database) words: String,
    pub(in crate::database) filled: usize,
    pub(in crate::database) all: usize,
}

/// A column with its table.
#[derive(Clone, Copy)]
pub(in crate::database) struct Column<'c> {
    pub(in crate::database) table: &'c StoredTable,
    pub(in crate::database) column: &'c StoredColumn,
}

impl Database {
    /// A column, by the places of its table and of itself.
    pub(in crate::database) fn column(&self, (table, column): (usize, usize)) -> Column<'_> {
        let table = &self.tables[table];
        Column { table, column: &table.columns[column] }
    }
}

/// The odd cells of a column; there is at least one.
pub(in crate::database) struct OddCells {
    /// How many there are.
    pub(in crate::database) n: usize,
    /// The text of the first.
    pub(in crate::database) text: String,
    /// The row of the first in the files, from 0.
    pub(in crate::database) row: usize,
}

impl Column<'_> {
    fn name(self) -> String {
        format!("{}.{}", self.table.name, self.column.name)
    }

    fn warn(self, code: Code, what: String) -> Diagnostic {
        Diagnostic::warning(code, what).at(self.column.place, "this column")
    }

    /// The line of a schema that says what it is.
    fn line(self, says: &str) -> String {
        format!("{} = \"{says}\"", key(&self.column.name))
    }

    /// What to write into the schema so that clauses do not see the column.
    fn left_out(self) -> String {
        format!("`{} = \"left out\"` below [{}] in schema.toml hides it", self.column.name, self.table.name)
    }
}

/// A share as a person reads it.
#[expect(clippy::cast_precision_loss, reason = "a share of counts")]
fn percent(n: usize, of: usize) -> String {
    format!("{:.1} %", 100.0 * n as f64 / of.max(1) as f64)
}

/// The shares of both sides.
fn shares(sides: &[Side; 2]) -> String {
    let share = |side: &Side| format!("{} of {}", percent(side.filled, side.all), side.words);
    format!("{} and {}", share(&sides[0]), share(&sides[1]))
}

/// A table of keys is made, for `names`, each a table and its column.
pub(in crate::database) fn made_key(table: &str, names: &[[&str; 2]], place: Place) -> Diagnostic {
    let columns: Vec<String> = names.iter().map(|name| name.join(".")).collect();
    let what = format!(
        "{} name the same things, which no table has: a table {table} is made of them",
        all_of(&columns)
    );
    let [first_table, first_column] = names[0];
    Diagnostic::warning(codes::KEY_WITHOUT_FILE, what).at(place, "the keys of this column").with_help(
        format!(
            "`{} = \"category\"` below [{}] in schema.toml undoes it",
            key(first_column),
            key(first_table)
        ),
    )
}

/// Names as a list in a sentence.
fn all_of(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [name] => name.clone(),
        [names @ .., last] => format!("{} and {last}", names.join(", ")),
    }
}

/// `is_time` says that only times no later than the cut-offs count.
pub(in crate::database) fn filled_by_class(at: Column<'_>, sides: &[Side; 2], is_time: bool) -> Diagnostic {
    let by = if is_time { " by the cut-off" } else { "" };
    let what = format!("{} is filled{by} for {}", at.name(), shares(sides));
    at.warn(codes::KNOWN_AFTERWARDS, what)
        .with_help(
            "is it known when the label is not? If it is filled with the label or after it, leave it out",
        )
        .with_help(at.left_out())
}

pub(in crate::database) fn filled_by_label(
    at: Column<'_>,
    [filled, all]: [usize; 2],
    [without, unlabelled]: [usize; 2],
) -> Diagnostic {
    let what = format!(
        "{} is filled for {} of the rows with a label, and for {} of those without one",
        at.name(),
        percent(filled, all),
        percent(without, unlabelled)
    );
    at.warn(codes::KNOWN_AFTERWARDS, what)
        .with_help("a model that uses it knows nothing of the rows that it is to score")
        .with_help(at.left_out())
}

pub(in crate::database) fn rows_by_class(table: &StoredTable, sides: &[Side; 2]) -> Diagnostic {
    let what = format!("{} has rows for {}", table.name, shares(sides));
    Diagnostic::warning(codes::KNOWN_AFTERWARDS, what)
        .at(table.place, "this table")
        .with_help("do its rows exist when the label is not known yet? If they have a time, name it `row time` in schema.toml")
        .with_help("else leave the table out")
}

pub(in crate::database) fn rows_afterwards(table: &StoredTable, seeing: usize, with: usize) -> Diagnostic {
    let what = format!(
        "rows of {} come to be only after the cut-offs: {} of the examples that have rows there see one",
        table.name,
        percent(seeing, with)
    );
    Diagnostic::warning(codes::KNOWN_AFTERWARDS, what).at(table.place, "this table").with_help(
        "clauses learn nothing from it; leave it out, or say in schema.toml when its rows are known",
    )
}

pub(in crate::database) fn tells_class(at: Column<'_>, n_wrong: usize, n: usize) -> Diagnostic {
    let what =
        format!("{} alone tells the class of {} of the examples", at.name(), percent(n - n_wrong.min(n), n));
    at.warn(codes::TELLS_CLASS, what)
        .with_help("if it is the label in another form, or made from it, leave it out")
        .with_help(at.left_out())
}

pub(in crate::database) fn id_as_number(at: Column<'_>, n_distinct: u64) -> Diagnostic {
    let what = format!("{} is called an id, and clauses compare its {n_distinct} numbers", at.name());
    at.warn(codes::ID_AS_NUMBER, what).with_help(format!(
        "`{} = \"category\"` or `\"left out\"` below [{}] in schema.toml says that its order means nothing",
        at.column.name, at.table.name
    ))
}

/// `taken` is the table that the column points to, `other` one that has its numbers, too.
pub(in crate::database) fn open_foreign_key(at: Column<'_>, taken: &str, other: &str, n: u64) -> Diagnostic {
    let what = format!(
        "{} is taken for a key of {taken} by its {n} numbers alone, which are among the keys of {other}, too",
        at.name()
    );
    at.warn(codes::OPEN_FOREIGN_KEY, what).with_help(format!(
        "say what it is by `{}` below [{}] in schema.toml, or by `{}`, or by `\"category\"`",
        at.line(&format!("-> {other}")),
        key(&at.table.name),
        at.line(&format!("-> {taken}")),
    ))
}

/// Why a column does not name each row.
pub(in crate::database) struct KeyFaults {
    /// How many rows have a value of their own, one of each value.
    pub(in crate::database) n_own: usize,
    /// The first two rows with one value.
    pub(in crate::database) pair: Option<Pair>,
    /// The first row without a value.
    pub(in crate::database) first_without: Option<usize>,
}

/// Two rows with the same value in a column.
pub(in crate::database) struct Pair {
    pub(in crate::database) value: String,
    /// Their numbers, from 0.
    pub(in crate::database) rows: [usize; 2],
    /// The first column in which they differ.
    pub(in crate::database) differs_in: Option<String>,
}

impl Pair {
    /// Which rows they are, counted from 1.
    pub(in crate::database) fn in_words(&self) -> String {
        let differ = match &self.differs_in {
            Some(column) => format!(", and differ in {column}"),
            None => ", and are the same".to_owned(),
        };
        format!("rows {} and {} both have {}{differ}", self.rows[0] + 1, self.rows[1] + 1, self.value)
    }
}

/// `holder` is a column of another table that holds its values.
pub(in crate::database) fn nearly_a_key(
    at: Column<'_>,
    faults: &KeyFaults,
    holder: Option<&str>,
) -> Diagnostic {
    let n_rows = at.table.n_rows;
    let n = n_rows - faults.n_own.min(n_rows);
    let is = if holder.is_some() { "would be a key, but" } else { "is called a key, and" };
    let what = format!(
        "{} {is} {n} of {n_rows} rows ({}) have no value of their own",
        at.name(),
        percent(n, n_rows)
    );
    let mut fault = at.warn(codes::NEARLY_A_KEY, what);
    if let Some(pair) = &faults.pair {
        fault = fault.with_help(pair.in_words());
    }
    if let Some(row) = faults.first_without {
        fault = fault.with_help(format!("row {} has no value", row + 1));
    }
    let until = match holder {
        Some(holder) => format!("{holder} holds its values, but does not lead to this table"),
        None => "no foreign key leads to this table".to_owned(),
    };
    let remedy = if faults.pair.is_some() {
        "remove rows that are there twice"
    } else {
        "fill in those that are missing"
    };
    fault.with_help(format!("{until} until each row has a value of its own: {remedy}; rows count from 1"))
}

/// Rows have no time, and a column may say it, in a notation if it is one; `says` is what the column is taken for.
pub(in crate::database) fn rows_without_time(
    at: Column<'_>,
    notation: Option<Notation>,
    says: &str,
) -> Diagnostic {
    let table = &at.table.name;
    let what = format!(
        "no time is known of rows of {table}, so examples see those of after their cut-offs: {} may say it",
        at.name()
    );
    let below = format!("below [{}] in schema.toml", key(table));
    let remedy = match notation {
        Some(notation) => {
            let line = at.line(&format!("row time, as {}", notation.words()));
            let last = if notation.is_of_periods() { "; each counts as its last day" } else { "" };
            format!("if it does, `{line}` {below} hides rows of after the cut-offs{last}")
        }
        None => "if it does, write all its cells as 2018-12-31, 2018-12 or 2018-W52: then rows of after the cut-offs are hidden"
            .to_owned(),
    };
    at.warn(codes::KNOWN_AFTERWARDS, what)
        .with_help(remedy)
        .with_help(format!("`{}` {below} says that it does not, and leaves it so", at.line(says)))
}

pub(in crate::database) fn dates_not_read(at: Column<'_>, n_other: u64, n_distinct: u64) -> Diagnostic {
    let what = format!("{n_other} of {n_distinct} dates in {} are in a notation that is not read", at.name());
    at.warn(codes::VALUES_NOT_READ, what)
        .with_help("write all dates as 2020-12-31, or 2020-12-31T23:59:00: until then the column is text")
}

/// Columns that are read in a notation; there is at least one.
pub(in crate::database) fn other_notation(columns: &[Column<'_>], notation: Notation) -> Diagnostic {
    const SHOWN: usize = 5;
    let mut names: Vec<String> = columns.iter().take(SHOWN).map(|column| column.name()).collect();
    if columns.len() > SHOWN {
        names.push(format!("{} more", columns.len() - SHOWN));
    }
    let (first, is_one) = (columns[0], columns.len() == 1);
    let (things, verb) = match notation {
        Notation::Dates(_) => ("dates", if is_one { "is" } else { "are" }),
        Notation::Numbers(_) => ("numbers", if is_one { "is" } else { "are" }),
    };
    let what = format!("{} {verb} read as {things}, written as {}", all_of(&names), notation.words());
    let mut fault = first.warn(codes::OTHER_NOTATION, what);
    if notation.has_short_years() {
        fault = fault.with_help("years of two digits are those from 1930 to 2029");
    }
    if notation.is_of_periods() {
        fault = fault.with_help(
            "each counts as its last day: what is said of it is known when it is over. If labels are of an earlier day, \
             write that day",
        );
    }
    let (column, table) = (key(&first.column.name), &first.table.name);
    fault.with_help(format!(
        "if that is wrong, `{column} = \"category\"` or `\"left out\"` below [{table}] in schema.toml undoes it"
    ))
}

/// Columns of numbers, all of which a person may read in two ways; there is at least one, and `text` is a number of the first.
pub(in crate::database) fn open_points(columns: &[Column<'_>], text: &str) -> Diagnostic {
    let names: Vec<String> = columns.iter().map(|column| column.name()).collect();
    let (verb, first) = (if columns.len() == 1 { "is" } else { "are" }, columns[0]);
    let (value, other) = (text.trim_end_matches('0').trim_end_matches('.'), text.replace('.', ""));
    let what =
        format!("{} {verb} read as numbers with fractions: {text} is {value}, not {other}", all_of(&names));
    let table = key(&first.table.name);
    first
        .warn(codes::OTHER_NOTATION, what)
        .with_help(format!(
            "if points stand between thousands, write `{}` below [{table}] in schema.toml",
            first.line("number, as 1.234,5")
        ))
        .with_help(format!("`{}` says that they do not", first.line("number, as 1,234.5")))
}

/// Columns that are left out, each with the reason; there is at least one.
pub(in crate::database) fn columns_left_out(columns: &[(Column<'_>, &str)]) -> Diagnostic {
    let (first, _) = columns[0];
    let what = match columns.len() {
        1 => "1 column is left out: clauses do not see it".to_owned(),
        n => format!("{n} columns are left out: clauses do not see them"),
    };
    let names: Vec<String> =
        columns.iter().map(|(column, why)| format!("{} ({why})", column.name())).collect();
    let (column, table) = (key(&first.column.name), &first.table.name);
    first.warn(codes::COLUMNS_LEFT_OUT, what).with_help(names.join(", ")).with_help(format!(
        "if one means something, say it in schema.toml, as `{column} = \"category\"` below [{table}]; `\"left out\"` says \
         that it does not"
    ))
}

/// A column of texts or numbers that may be read in several notations. Dates are taken for the times of the rows if a table
/// has no others: else what came after the cut-offs would be seen.
pub(in crate::database) fn several_notations(
    at: Column<'_>,
    notations: &[Notation],
    is_text: bool,
    has_times: bool,
) -> Diagnostic {
    let (things, kind) = match notations {
        [Notation::Dates(_), ..] => ("dates", if has_times { "time" } else { "row time" }),
        _ => ("numbers", "number"),
    };
    let words: Vec<&str> = notations.iter().map(|notation| notation.words()).collect();
    let until = if is_text { "it is text" } else { "they are numbers" };
    let what =
        format!("{} holds {things} that may be written as {}: {until}", at.name(), words.join(" or as "));
    let (column, table) = (key(&at.column.name), &at.table.name);
    let lines: Vec<String> =
        words.iter().map(|words| format!("`{column} = \"{kind}, as {words}\"`")).collect();
    at.warn(codes::VALUES_NOT_READ, what)
        .with_help(format!("say below [{table}] in schema.toml which: {}", lines.join(" or ")))
}

pub(in crate::database) fn dates_missing(at: Column<'_>, odd: &OddCells) -> Diagnostic {
    counted_as_missing(at, odd, "date").with_help("write all dates as 2020-12-31, or 2020-12-31T23:59:00")
}

pub(in crate::database) fn dates_as_numbers(at: Column<'_>, n_distinct: u64) -> Diagnostic {
    let what = format!(
        "the {n_distinct} numbers in {} look like days as 20201231, or like seconds since 1970",
        at.name()
    );
    let (column, table) = (key(&at.column.name), &at.table.name);
    at.warn(codes::VALUES_NOT_READ, what)
        .with_help("until it is said they are numbers, and hide nothing")
        .with_help(format!(
            "`{column} = \"time\"` below [{table}] in schema.toml reads them as dates, and `\"row time\"` says that they are \
             the times of the rows; `\"number\"` keeps them"
        ))
}

pub(in crate::database) fn nothing_to_hide() -> Diagnostic {
    let what = "⁅cut-off⁆ hides nothing: no rows that examples lead to have a time";
    Diagnostic::warning(codes::NO_CUT_OFF, what).with_help(
        "`COLUMN = \"row time\"` below [TABLE] in schema.toml says which column is the time of rows",
    )
}

/// `n` rows name rows that came later. What those say of them is known from then on.
pub(in crate::database) fn named_later(of: &StoredTable, later: Column<'_>, n: usize) -> Diagnostic {
    let what = format!(
        "{n} of {} rows of {} name a row of {} that came later, by {}: what that row says of them is not seen before",
        of.n_rows,
        of.name,
        later.table.name,
        later.name()
    );
    later.warn(codes::KNOWN_AFTERWARDS, what).with_help(format!(
        "`{}` below [{}] in schema.toml shows it in time, if rows of {} exist before {}",
        later.line("time"),
        key(&later.table.name),
        later.table.name,
        later.name()
    ))
}

/// Rows see nothing through a key, as it may lead to what came later.
pub(in crate::database) fn key_in_circle(at: Column<'_>) -> Diagnostic {
    let what = format!(
        "rows of {} see nothing through {}: it leads back to their table, whose rows have times, and maybe to later ones",
        at.table.name,
        at.name()
    );
    at.warn(codes::KNOWN_AFTERWARDS, what).with_help(format!(
        "`{}` below [{}] in schema.toml leaves it out, and ends this message",
        at.line("left out"),
        key(&at.table.name)
    ))
}

/// Rows without a time of their own have the times of several others.
pub(in crate::database) fn as_young_as_another(
    of: &StoredTable,
    (main, other): (Column<'_>, Column<'_>),
    n: usize,
) -> Diagnostic {
    let what = format!(
        "{n} of {} rows of {} count from {}, and not from {}: without a time of their own they have the latest of those that they name",
        of.n_rows,
        of.name,
        other.name(),
        main.name()
    );
    other.warn(codes::KNOWN_AFTERWARDS, what).with_help(format!(
        "`{}` below [{}] in schema.toml lets them count from {} alone",
        other.line("time"),
        key(&other.table.name),
        main.name()
    ))
}

/// Two columns of the labels may be the cut-off.
pub(in crate::database) fn two_cut_offs(taken: Column<'_>, other: Column<'_>) -> Diagnostic {
    let what = format!(
        "{} is taken for the cut-off of each label, but {} is a time of each, too",
        taken.name(),
        other.name()
    );
    let help = format!(
        "`{}` below [{}] in schema.toml makes that one the cut-off; `{}` says that this one is it",
        other.line("row time"),
        key(&other.table.name),
        taken.line("row time")
    );
    taken.warn(codes::NO_CUT_OFF, what).with_help(help)
}

/// A column of dates is not taken for the time of rows, as many of its cells are empty.
pub(in crate::database) fn time_with_gaps(at: Column<'_>, n_empty: usize) -> Diagnostic {
    let what = format!(
        "examples see rows of {} whatever their time: {} is empty in {n_empty} of {} rows",
        at.table.name,
        at.name(),
        at.table.n_rows
    );
    at.warn(codes::KNOWN_AFTERWARDS, what)
        .with_help(format!(
            "`{}` below [{}] in schema.toml hides rows of after the cut-offs, and rows without a time",
            at.line("row time"),
            key(&at.table.name)
        ))
        .with_help(format!("`{}` says that rows exist before it, and leaves it so", at.line("time")))
}

pub(in crate::database) fn nothing_hidden(
    at: Column<'_>,
    labels: &StoredTable,
    apart: Option<(&str, &str)>,
    between: Option<String>,
) -> Diagnostic {
    let what = format!(
        "rows of {} have a time, but labels have no cut-off: clauses see also what came after a label",
        at.table.name
    );
    let of_table = match apart {
        Some((key, label)) => Some(format!(
            "rows hang on {}, so that no column of it is a cut-off: make a table of the labels alone, as labels.csv with \
             the columns {key}, day and {label}, leave {label} out of {}, and say ⁅label=labels.{label}⁆",
            labels.name, labels.name
        )),
        None if between.is_some() => None,
        None => Some(format!(
            "if they are of several days, give {} a column with it, and say `COLUMN = \"row time\"` below [{}] in schema.toml",
            labels.name, labels.name
        )),
    };
    let warning = Diagnostic::warning(codes::NO_CUT_OFF, what)
        .at(at.column.place, "this time")
        .with_help("if all labels are of one day, ⁅cut-off=DATE⁆ says which: what came later is then hidden");
    of_table.into_iter().chain(between).fold(warning, Diagnostic::with_help)
}

/// How a schema says that labels, and the rows that hang on them, are both of things that no table holds. `day` is the time of the
/// labels, `label_key` their key.
pub(in crate::database) fn made_key_between(
    day: Column<'_>,
    label_key: &str,
    pointing: &[Column<'_>],
) -> String {
    let thing = match without_id_word(label_key) {
        "" => "thing",
        bare => bare,
    };
    let taken = |name: &str| name.eq_ignore_ascii_case(&day.table.name);
    let made = if taken(thing) { format!("{thing}_key") } else { thing.to_owned() };
    let to_it =
        |column: &str, table: &str| format!("`{} = \"-> {made}\"` below [{}]", key(column), key(table));
    let lines: Vec<String> = std::iter::once(to_it(label_key, &day.table.name))
        .chain(pointing.iter().map(|of| to_it(&of.column.name, &of.table.name)))
        .collect();
    format!(
        "if {} is the day of each label, say so in schema.toml: `{} = \"made key\"` below [{}], {}",
        day.name(),
        key(label_key),
        key(&made),
        all_of(&lines)
    )
}

/// Cells that hold no such thing as the others of their column; the first is named.
fn counted_as_missing(at: Column<'_>, odd: &OddCells, thing: &str) -> Diagnostic {
    let OddCells { n, text, row } = odd;
    let (of, name) = (at.column.cells.len(), at.name());
    let (what, first) = match n {
        1 => (format!("1 of {of} cells in {name} is no {thing}, and counts as missing"), "it"),
        n => (format!("{n} of {of} cells in {name} are no {thing}s, and count as missing"), "the first"),
    };
    let help = format!("{first} is `{text}` in row {}; rows count from 1", row + 1);
    at.warn(codes::VALUES_NOT_READ, what).with_help(help)
}

/// `remedy` says how to write the first, if a person reads it as a number.
pub(in crate::database) fn numbers_missing(
    at: Column<'_>,
    odd: &OddCells,
    remedy: Option<&str>,
) -> Diagnostic {
    let (table, column) = (&at.table.name, &at.column.name);
    let as_words = || {
        format!(
            "if its words mean something, say so below [{table}] in schema.toml: `{column} = \"category\"`"
        )
    };
    counted_as_missing(at, odd, "number").with_help(remedy.map_or_else(as_words, str::to_owned))
}

/// `first` is the first number in a notation that is not read.
pub(in crate::database) fn other_numbers(
    at: Column<'_>,
    notation: NumberStyle,
    first: &OddCells,
) -> Diagnostic {
    let what = format!(
        "{} of {} cells in {} look like {}, which are not read",
        first.n,
        at.column.cells.len(),
        at.name(),
        notation.in_words()
    );
    at.warn(codes::VALUES_NOT_READ, what)
        .with_help(format!("the first is `{}` in row {}; rows count from 1", first.text, first.row + 1))
        .with_help(format!("until then the column is text: {}", notation.remedy()))
}

/// `n` of so many examples point to rows of a table by a column, and these came to be after the cut-offs, as `time` says.
pub(in crate::database) fn rows_after(
    (by, to): (Column<'_>, &StoredTable),
    time: Column<'_>,
    [n, all]: [usize; 2],
) -> Diagnostic {
    let what = format!(
        "{n} of {all} examples point to rows of {} by {} that came after their cut-offs: of these they see the key alone",
        to.name,
        by.name()
    );
    time.warn(codes::KNOWN_AFTERWARDS, what).with_help(format!(
        "`{}` below [{}] in schema.toml shows them, if {} does not say when a row came to be",
        time.line("time"),
        key(&time.table.name),
        time.name()
    ))
}

/// As [`rows_after`], of rows of the moment of the cut-offs, which are seen.
pub(in crate::database) fn rows_of_same_moment(
    (by, to): (Column<'_>, &StoredTable),
    time: Column<'_>,
    [n, all]: [usize; 2],
) -> Diagnostic {
    let what = format!(
        "{n} of {all} examples point to rows of {} by {} that are of the moment of their cut-offs: these they see",
        to.name,
        by.name()
    );
    time.warn(codes::KNOWN_AFTERWARDS, what)
        .with_help(
            "is all of such a row known when the label is not? Leave out the columns that are filled later",
        )
        .with_help(format!(
            "`{}` below [{}] in schema.toml says that it is",
            time.line("row time"),
            key(&time.table.name)
        ))
}

/// A foreign key of several columns leads `n` examples to the row of their own moment, and is not proposed.
pub(in crate::database) fn key_of_same_moment(
    (from, names): (&StoredTable, &[&str]),
    time: Column<'_>,
    n: usize,
) -> Diagnostic {
    let to = &time.table.name;
    let quoted: Vec<String> = names.iter().map(|name| format!("{name:?}")).collect();
    let what = format!(
        "{} of {} lead {n} rows to the row of {to} of their own moment: they are not taken for a foreign key",
        all_of(&names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>()),
        from.name
    );
    time.warn(codes::KNOWN_AFTERWARDS, what)
        .with_help(format!(
            "if all of such a row is known when the label is not, say so below [{}] in schema.toml",
            key(&from.name)
        ))
        .with_help(format!("`{} = [{}]`", key(&format!("-> {to}")), quoted.join(", ")))
}
