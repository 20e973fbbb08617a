//! The messages about databases.

use gleaner_lang::program::settings::nearest;
use gleaner_lang::syntax::{Diagnostic, Place, codes};

pub(super) mod lints;

use crate::tables::schema::key;
use crate::tables::store::{Database, StoredColumn, StoredTable};
use crate::tables::{CutOffTime, LabelName};

/// The most names that a message lists.
const SHOWN: usize = 12;

fn listed(mut names: Vec<String>) -> String {
    let n_more = names.len().saturating_sub(SHOWN);
    names.truncate(SHOWN);
    let more = if n_more == 0 { String::new() } else { format!(" and {n_more} more") };
    format!("{}{more}", names.join(", "))
}

/// Which tables there are.
fn of_tables(database: &Database) -> String {
    if database.tables.is_empty() {
        return "the data have no tables with a line of column names, only facts".to_owned();
    }
    format!("the tables are {}", listed(database.tables.iter().map(|table| table.name.clone()).collect()))
}

pub(super) fn no_label_table(label: &LabelName, database: &Database) -> Diagnostic {
    let names = database.tables.iter().map(|table| table.name.as_str());
    let meant = nearest_name(&label.table, names.clone());
    let fault = Diagnostic::error(codes::NO_LABEL_COLUMN, format!("there is no table {}", label.table));
    let fault = match meant {
        Some(table) => fault.with_help(format!("did you mean ⁅label={table}.{}⁆?", label.column)),
        None => fault,
    };
    fault.with_help(of_tables(database))
}

/// No table has the column that a label alone names.
pub(super) fn no_label_anywhere(label: &LabelName, database: &Database) -> Diagnostic {
    let all =
        database.tables.iter().flat_map(|table| table.columns.iter().map(move |column| (table, column)));
    let meant = nearest_name(&label.column, all.clone().map(|(_, column)| column.name.as_str()));
    let fault = Diagnostic::error(codes::NO_LABEL_COLUMN, format!("no table has a column {}", label.column));
    let fault = match all.clone().find(|(_, column)| Some(column.name.as_str()) == meant) {
        Some((table, column)) => {
            fault.with_help(format!("did you mean ⁅label={}.{}⁆?", table.name, column.name))
        }
        None => fault,
    };
    fault.with_help(of_tables(database))
}

/// The data lack the table whose rows a model scores.
/// `has_cut_off` says whether the model's examples have a cut-off, which the user may name.
pub(super) fn no_table_to_score(table: &str, database: &Database, has_cut_off: bool) -> Diagnostic {
    let names = database.tables.iter().map(|known| known.name.as_str());
    let meant = nearest_name(table, names.clone());
    let what = format!("the model scores rows of the table {table}, and the data have no such table");
    let fault = Diagnostic::error(codes::NO_LABEL_COLUMN, what);
    let fault = match meant {
        Some(meant) => fault.with_help(format!("if {meant} is it, call it {table}")),
        None => fault,
    };
    let fault = match has_cut_off {
        true => fault.with_help("if it was made by ⁅cut-off⁆, ⁅cut-off=DATE⁆ makes it here, too"),
        false => fault,
    };
    fault.with_help(of_tables(database))
}

/// Labels cannot leave their table for the cut-off: nothing names its rows.
pub(super) fn no_key_of_labels(table: &StoredTable) -> Diagnostic {
    let what = format!("no column of {} is a key, and a table of labels needs one for ⁅cut-off⁆", table.name);
    Diagnostic::error(codes::NO_CUT_OFF, what).at(table.place, "this table").with_help(
        "write a table of labels, with the columns that name these rows, a day and the label, and leave ⁅cut-off⁆ out",
    )
}

/// Folds are to be frozen of a database whose examples have no cut-off.
pub(super) fn frozen_without_cut_off(label: &str) -> Diagnostic {
    let what = format!("⁅frozen⁆ hides no row: {label} has no cut-off that rows could be before");
    Diagnostic::warning(codes::NO_CUT_OFF, what).with_help(
        "`COLUMN = \"row time\"` below the table of labels in schema.toml, or ⁅cut-off=DATE⁆, gives them one",
    )
}

/// No fold can be frozen, as the labels have none.
pub(super) fn frozen_without_folds(fold: &str, label: &str) -> Diagnostic {
    let what = format!("there is no fold {fold} to freeze: the rows of {label} have no folds of their own");
    Diagnostic::error(codes::BAD_DECLARATION, what).with_help(
        "`COLUMN = \"fold\"` below the table of labels in schema.toml, or ⁅split-time⁆, gives them folds",
    )
}

/// The labels have times of their own, which a cut-off for all of them replaces.
pub(super) fn cut_off_replaced(table: &StoredTable, own: &StoredColumn, time: &CutOffTime) -> Diagnostic {
    let what = format!("⁅cut-off={time}⁆ takes the place of {}.{} for all rows", table.name, own.name);
    Diagnostic::warning(codes::NO_CUT_OFF, what)
        .at(own.place, "this time")
        .with_help("leave ⁅cut-off⁆ out, if that column says when each row is looked at")
}

/// A model whose examples have no cut-off scores rows.
pub(super) fn model_without_cut_off() -> Diagnostic {
    Diagnostic::error(codes::NO_CUT_OFF, "the model was learnt without cut-offs, and ⁅cut-off⁆ is given")
        .with_help("leave ⁅cut-off⁆ out, or learn with it")
}

/// The name that is the same in other case, else the nearest one that is near.
fn nearest_name<'n>(name: &str, names: impl Iterator<Item = &'n str> + Clone) -> Option<&'n str> {
    names.clone().find(|known| known.eq_ignore_ascii_case(name)).or_else(|| nearest(name, names))
}

pub(super) fn no_label_column(label: &LabelName, table: &StoredTable) -> Diagnostic {
    let names = table.columns.iter().map(|column| column.name.as_str());
    let meant = nearest_name(&label.column, names.clone());
    let what = format!("the table {} has no column {}", table.name, label.column);
    let fault = Diagnostic::error(codes::NO_LABEL_COLUMN, what);
    let fault = match meant {
        Some(column) => fault.with_help(format!("did you mean ⁅label={}.{column}⁆?", table.name)),
        None => fault,
    };
    fault.with_help(format!("its columns are {}", listed(names.map(str::to_owned).collect())))
}

pub(super) fn no_label(database: &Database) -> Diagnostic {
    Diagnostic::error(codes::NO_LABEL_COLUMN, "no column is called label".to_owned())
        .with_help("⁅label=TABLE.COLUMN⁆ names the column to predict".to_owned())
        .with_help(of_tables(database))
}

pub(super) fn several_labels(found: &[(usize, usize)], database: &Database) -> Diagnostic {
    let name = |&(table, column): &(usize, usize)| {
        let table = &database.tables[table];
        format!("{}.{}", table.name, table.columns[column].name)
    };
    let names = listed(found.iter().map(name).collect());
    Diagnostic::error(codes::NO_LABEL_COLUMN, "several columns may be the label".to_owned())
        .with_help(format!("⁅label⁆ names one of {names}"))
}

/// Labels that are no numbers, each with how many rows have it, of so many labels.
pub(super) fn labels_no_numbers(column: &StoredColumn, odd: &[(&str, usize)], n_labels: usize) -> Diagnostic {
    const MOST_SHOWN: usize = 3;
    let n_odd: usize = odd.iter().map(|(_, n)| n).sum();
    let shown =
        odd.iter().take(MOST_SHOWN).map(|(text, _)| format!("`{text}`")).collect::<Vec<_>>().join(", ");
    let more = if odd.len() > MOST_SHOWN { ", .." } else { "" };
    let are = if n_odd == 1 { "is no number" } else { "are no numbers" };
    let message = format!("{n_odd} of {n_labels} labels {are}: {shown}{more}");
    // A few such cells among numbers are no classes.
    let help = match 2 * n_odd < n_labels {
        true => "leave these cells empty, and their rows are left out; or write numbers",
        false => "leave out ⁅number-argument⁆ if the labels are classes",
    };
    Diagnostic::error(codes::NOT_A_NUMBER, message)
        .at(column.place, "in this column")
        .with_help(help.to_owned())
}

pub(super) fn odd_labels(
    table: &StoredTable,
    column: &StoredColumn,
    labels: &[(u32, String, usize)],
) -> Diagnostic {
    let StoredTable { name: of, .. } = table;
    let names = listed(labels.iter().map(|(_, text, n)| format!("{text} ({n})")).collect());
    let what = format!("the column {} has {} labels, and two are needed", column.name, labels.len());
    let fault = Diagnostic::error(codes::NO_LABEL_COLUMN, what).at(column.place, "here");
    let fault = match labels.iter().any(|(_, text, _)| *text == column.name) {
        true => fault.with_help(format!("a row holds {} there: does the header stand twice?", column.name)),
        false => fault,
    };
    fault
        .with_help(format!("they are {names}"))
        .with_help(match labels.first() {
            Some((_, text, _)) => {
                format!("⁅label={of}.{}={text}⁆ makes {text} positive, and all others negative", column.name)
            }
            None => "rows without a label cannot be learnt from".to_owned(),
        })
        .with_help("if they are numbers to predict, give ⁅number-argument=label⁆".to_owned())
        .with_help(format!(
            "if they are classes, give a folder of the tables with a file schema.toml that says `{} = \"category\"` below \
             `[{}]`",
            key(&column.name),
            key(of)
        ))
}

pub(super) fn no_such_label(
    column: &StoredColumn,
    positive: &str,
    labels: &[(u32, String, usize)],
) -> Diagnostic {
    let names = listed(labels.iter().map(|(_, text, n)| format!("{text} ({n})")).collect());
    let what = format!("no row has the label {positive} in the column {}", column.name);
    Diagnostic::error(codes::NO_LABEL_COLUMN, what)
        .at(column.place, "here")
        .with_help(format!("its labels are {names}"))
}

pub(super) fn number_and_class(column: &StoredColumn) -> Diagnostic {
    let what = format!("the column {} is to be a number and a class", column.name);
    Diagnostic::error(codes::NO_LABEL_COLUMN, what)
        .at(column.place, "here")
        .with_help("leave out =VALUE to predict numbers, or ⁅number-argument⁆ to predict a class".to_owned())
}

pub(super) fn no_key(
    table: &StoredTable,
    column: &StoredColumn,
    [n_more, n_without]: [u64; 2],
    pair: Option<lints::Pair>,
) -> Diagnostic {
    let what = format!(
        "{} is no key of {}: {n_more} rows have the value of another row, and {n_without} have none",
        column.name, table.name
    );
    let fault = Diagnostic::error(codes::BAD_SCHEMA, what).at(column.place, "in this column");
    let fault = match pair {
        Some(pair) => fault.with_help(format!("{}; rows count from 1", pair.in_words())),
        None => fault,
    };
    fault.with_help("a key names each row; without one rows are known by their numbers".to_owned())
}

pub(super) fn rarer_is_positive(column: &StoredColumn, label: &str, n: usize) -> Diagnostic {
    let what = format!("positive are the {n} rows whose {} is {label}, the rarer label", column.name);
    Diagnostic::warning(codes::POSITIVE_LABEL, what).with_help("write 1 and 0 to choose yourself".to_owned())
}

/// The numbers of rows, from 1, the first of them.
fn row_numbers(rows: &[usize]) -> String {
    let shown: Vec<String> = rows.iter().take(SHOWN).map(|row| (row + 1).to_string()).collect();
    match rows.len().saturating_sub(SHOWN) {
        0 if rows.len() == 1 => format!("row {}", shown.join(", ")),
        0 => format!("rows {}", shown.join(", ")),
        n_more => format!("rows {} and {n_more} more", shown.join(", ")),
    }
}

pub(super) fn rows_without_cut_off(table: &StoredTable, column: &StoredColumn, rows: &[usize]) -> Diagnostic {
    let what = format!(
        "{} of {} rows of {} {}: {} {} no {}, {} cut-off",
        rows.len(),
        table.n_rows,
        table.name,
        if rows.len() == 1 { "is no example" } else { "are no examples" },
        row_numbers(rows),
        if rows.len() == 1 { "has" } else { "have" },
        column.name,
        if rows.len() == 1 { "its" } else { "their" }
    );
    Diagnostic::warning(codes::ROWS_LEFT_OUT, what)
        .at(column.place, "in this column")
        .with_help("without a cut-off nothing says what is known of a row; rows count from 1".to_owned())
}

pub(super) fn split_without_time(table: &StoredTable) -> Diagnostic {
    let what = format!("the table {} has no time to split its rows by", table.name);
    Diagnostic::error(codes::BAD_SPLIT, what)
        .at(table.place, "this table")
        .with_help("if a column is their cut-off, schema.toml says so: `column = \"row time\"`".to_owned())
}

pub(super) fn empty_set(column: &StoredColumn, set: &str, times: &str) -> Diagnostic {
    let what = format!("the split at {times} leaves {set} without rows");
    Diagnostic::error(codes::BAD_SPLIT, what)
        .at(column.place, "by this column")
        .with_help("give times between the first and the last cut-off".to_owned())
}

pub(super) fn no_group(name: &str, table: &StoredTable) -> Diagnostic {
    let names = table.columns.iter().map(|column| column.name.clone()).collect();
    let what =
        format!("the table {} has no column {name}, whose values are to stay within one fold", table.name);
    Diagnostic::error(codes::BAD_SPLIT, what)
        .at(table.place, "this table")
        .with_help(format!("its columns are {}", listed(names)))
}

pub(super) fn fold_column_unused(table: &StoredTable) -> Diagnostic {
    let what = format!("⁅split-time⁆ takes the place of the column of folds of {}", table.name);
    Diagnostic::warning(codes::BAD_SPLIT, what).at(table.place, "in this table")
}

pub(super) fn no_horizon(column: &StoredColumn) -> Diagnostic {
    let what = "labels of train count as known at their cut-offs, though test begins later".to_owned();
    Diagnostic::warning(codes::NO_HORIZON, what).at(column.place, "these are the cut-offs").with_help(
        "⁅horizon=30⁆ says that a label is known 30 days after its cut-off, ⁅horizon=0⁆ that it is at once"
            .to_owned(),
    )
}

pub(super) fn late_labels(
    column: &StoredColumn,
    set: &str,
    [n, n_rows]: [usize; 2],
    next: &str,
    first: &str,
) -> Diagnostic {
    let what = format!(
        "{n} of {n_rows} rows of {set} are left out: {next} begins with {first}, before their labels are known"
    );
    Diagnostic::warning(codes::ROWS_LEFT_OUT, what).at(column.place, "these are the cut-offs")
}

/// What does not fit the tables, in words, and the name that may be meant.
#[derive(Clone, Debug)]
pub(super) struct Misfit {
    pub(super) what: String,
    meant: Option<String>,
}

impl<S: Into<String>> From<S> for Misfit {
    fn from(what: S) -> Self {
        Self { what: what.into(), meant: None }
    }
}

impl Misfit {
    /// One by a name that is none of the known ones.
    pub(super) fn of_name<'n>(
        what: String,
        name: &str,
        known: impl Iterator<Item = &'n str> + Clone,
    ) -> Self {
        Self { what, meant: nearest_name(name, known).map(str::to_owned) }
    }
}

pub(super) fn bad_schema(place: Place, misfit: impl Into<Misfit>) -> Diagnostic {
    let Misfit { what, meant } = misfit.into();
    let fault = Diagnostic::error(codes::BAD_SCHEMA, what).at(place, "here");
    let fault = match meant {
        Some(meant) => fault.with_help(format!("did you mean {meant}?")),
        None => fault,
    };
    let fault = match place {
        Place::Bytes(..) => fault
            .with_help("a line of a column stands below that of its table: `[orders]`")
            .with_help("it is `buyer = \"-> people\"` for a foreign key, or names a kind:"),
        Place::Row(..) => fault.with_help("a table says it of its own columns; kinds are"),
    };
    fault
        .with_help("key, category, number, code, duration, time, row time, label, class,")
        .with_help("fold or left out, as `price = \"number\"`")
}

/// What a source says of a table or column that is not there.
pub(super) fn said_of_nothing(place: Place, who: &str, column: &str, what: &str) -> Diagnostic {
    Diagnostic::warning(codes::UNUSED_KEY, format!("{what}: what is said of {column} does not count"))
        .at(place, who)
        .with_help("the values decide what the column means; schema.toml can say it")
}

/// A model knows when the rows of a table came to be, and these data do not say it.
pub(super) fn no_time_of_model(table: &StoredTable, column: &str) -> Diagnostic {
    let what = format!(
        "the table {} has no column {column}, which says in the data of the model when its rows came to be: \
         examples see these rows whatever their time, and scores may differ",
        table.name
    );
    let help = format!("add {column}; if all rows are older than the cut-offs, scores stay the same");
    Diagnostic::warning(codes::BAD_SCHEMA, what).at(table.place, "this table").with_help(help)
}

pub(super) fn keys_without_row(column: &StoredColumn, to: &StoredTable, n: usize, first: &str) -> Diagnostic {
    let what = match n {
        1 => format!("{first} in {} is no key of {}", column.name, to.name),
        n => format!("{first} and {} more cells in {} are no keys of {}", n - 1, column.name, to.name),
    };
    Diagnostic::warning(codes::KEYS_WITHOUT_ROW, what).at(column.place, "in this column").with_help(
        "nothing is known of such rows; if the column points elsewhere, say so in schema.toml".to_owned(),
    )
}

/// A table whose rows become examples without a label.
pub(super) fn rows_to_score(table: &StoredTable, examples: &str) -> Diagnostic {
    let (name, n) = (&table.name, table.n_rows);
    let what = format!(
        "the {n} rows of {name} have the columns of {examples} without the label: they are rows to be scored"
    );
    Diagnostic::warning(codes::TABLE_ALONE, what)
        .at(table.place, "this table")
        .with_help("nothing is learnt from them; `gleaner predict MODEL DATA ⁅to=submission⁆` scores them")
}

/// A table of test whose rows are added to its table of train.
pub(super) fn rows_beside(table: &StoredTable, of_train: &str) -> Diagnostic {
    let (name, n) = (&table.name, table.n_rows);
    let what = format!("the {n} rows of {name} have the columns of {of_train}: they are rows of it");
    Diagnostic::warning(codes::TABLE_ALONE, what)
        .at(table.place, "this table")
        .with_help("if they are not, give the table another name")
}

/// A table whose rows nearly are such.
pub(super) fn rows_not_scored(table: &StoredTable, examples: &str, why_not: &str) -> Diagnostic {
    let name = &table.name;
    let what =
        format!("{name} looks like rows of {examples} to be scored, but {why_not}: they are not scored");
    Diagnostic::warning(codes::TABLE_ALONE, what).at(table.place, "this table").with_help(format!(
        "give both tables the same columns, and each row a key of its own; or put {name} as {examples} into a folder of its own, with \
         the other tables, and write `gleaner predict MODEL FOLDER`"
    ))
}

/// A table that no foreign key joins. One without rows cannot be joined by its values. `is_form` says that it has the key and the
/// label of the table of `examples` alone.
pub(super) fn joins_nothing(table: &StoredTable, is_form: bool, examples: &str) -> Diagnostic {
    let name = &table.name;
    let fault = |what: String| Diagnostic::warning(codes::TABLE_ALONE, what).at(table.place, "this table");
    if is_form {
        let what = format!("{name} has the key and the label of {examples} alone: it is not learnt from");
        return fault(what).with_help("leave it out, if it is a form for predictions");
    }
    fault(format!("no foreign key leads from the examples to the table {name}: clauses do not see it"))
        .with_help(format!(
            "if its rows belong to others, say in schema.toml which column names them: `COLUMN = \"-> TABLE\"` below \
             [{name}], or below the table that points to it"
        ))
        .with_help("else leave the table out")
}

pub(super) fn no_rows(table: &StoredTable) -> Diagnostic {
    let what = format!("the table {} has no rows: clauses learn nothing from it", table.name);
    Diagnostic::warning(codes::TABLE_ALONE, what)
        .at(table.place, "this table")
        .with_help("if it should have some, export it again; else leave the table out")
}

/// Labels of one class alone, or none: `texts` are the different ones.
pub(super) fn one_class(
    table: &StoredTable,
    column: &StoredColumn,
    n_labels: usize,
    texts: Vec<String>,
) -> Diagnostic {
    let name = format!("{}.{}", table.name, column.name);
    let what = match (table.n_rows, n_labels, &texts[..]) {
        (0, ..) => format!("the table {} has no rows, which are the examples", table.name),
        (n_rows, 0, _) => format!("none of the {n_rows} rows has a label in {name}"),
        (.., [only]) => format!("all {n_labels} labels in {name} are {only}"),
        _ => format!("all {n_labels} labels in {name} are of one class: they are {}", listed(texts)),
    };
    Diagnostic::error(codes::NO_EXAMPLES, what).at(column.place, "here").with_help(
        "learning needs rows of two classes; ⁅label=TABLE.COLUMN⁆ names the column of labels".to_owned(),
    )
}

/// Labels that one row alone has, with the numbers of these rows, from 0.
pub(super) fn single_labels(
    table: &StoredTable,
    column: &StoredColumn,
    labels: &[(String, usize)],
) -> Option<Diagnostic> {
    let name = format!("{}.{}", table.name, column.name);
    let what = match labels {
        [] => return None,
        [(text, row)] => format!("the label {text} in {name} stands in row {} alone", row + 1),
        _ => {
            let each = labels.iter().map(|(text, row)| format!("{text} in row {}", row + 1));
            format!("{} labels in {name} stand in one row each: {}", labels.len(), listed(each.collect()))
        }
    };
    Some(
        Diagnostic::warning(codes::TOO_FEW_EXAMPLES, what)
            .at(column.place, "here")
            .with_help("each label is a class, and a class of one row cannot be learnt and tested; rows count from 1")
            .with_help("mend the label if it is misspelt, or empty it: rows without a label are left out"),
    )
}
