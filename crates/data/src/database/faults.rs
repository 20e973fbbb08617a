//! The messages about databases.

use gleaner_lang::syntax::{Diagnostic, Place, codes};

use super::propose::LabelName;
use super::store::{Database, StoredColumn, StoredTable};

/// The most names that a message lists.
const SHOWN: usize = 12;

fn listed(mut names: Vec<String>) -> String {
    let n_more = names.len().saturating_sub(SHOWN);
    names.truncate(SHOWN);
    let more = if n_more == 0 { String::new() } else { format!(" and {n_more} more") };
    format!("{}{more}", names.join(", "))
}

pub(super) fn no_label_table(label: &LabelName, database: &Database) -> Diagnostic {
    let names = database.tables.iter().map(|table| table.name.clone()).collect();
    Diagnostic::error(codes::NO_LABEL_COLUMN, format!("there is no table {}", label.table))
        .with_help(format!("the tables are {}", listed(names)))
}

pub(super) fn no_label_column(label: &LabelName, table: &StoredTable) -> Diagnostic {
    let names = table.columns.iter().map(|column| column.name.clone()).collect();
    Diagnostic::error(
        codes::NO_LABEL_COLUMN,
        format!("the table {} has no column {}", label.table, label.column),
    )
    .with_help(format!("its columns are {}", listed(names)))
}

pub(super) fn no_label(database: &Database) -> Diagnostic {
    let names = database.tables.iter().map(|table| table.name.clone()).collect();
    Diagnostic::error(codes::NO_LABEL_COLUMN, "no column is called label".to_owned())
        .with_help("--label TABLE.COLUMN names the column to predict".to_owned())
        .with_help(format!("the tables are {}", listed(names)))
}

pub(super) fn several_labels(found: &[(usize, usize)], database: &Database) -> Diagnostic {
    let name = |&(table, column): &(usize, usize)| {
        let table = &database.tables[table];
        format!("{}.{}", table.name, table.columns[column].name)
    };
    let names = listed(found.iter().map(name).collect());
    Diagnostic::error(codes::NO_LABEL_COLUMN, "several columns may be the label".to_owned())
        .with_help(format!("--label names one of {names}"))
}

pub(super) fn label_no_number(column: &StoredColumn, text: &str) -> Diagnostic {
    Diagnostic::error(codes::NOT_A_NUMBER, format!("the label `{text}` is no number"))
        .at(column.place, "in this column")
        .with_help("leave out --number-argument if the labels are classes".to_owned())
}

pub(super) fn odd_labels(column: &StoredColumn, labels: &[(u32, String, usize)]) -> Diagnostic {
    let names = listed(labels.iter().map(|(_, text, n)| format!("{text} ({n})")).collect());
    let what = format!("the column {} has {} labels, and two are needed", column.name, labels.len());
    Diagnostic::error(codes::NO_LABEL_COLUMN, what)
        .at(column.place, "here")
        .with_help(format!("they are {names}"))
        .with_help("if they are numbers to predict, give --number-argument label".to_owned())
}

pub(super) fn rarer_is_positive(column: &StoredColumn, label: &str, n: usize) -> Diagnostic {
    let what = format!("positive are the {n} rows whose {} is {label}, the rarer label", column.name);
    Diagnostic::warning(codes::POSITIVE_LABEL, what).with_help("write 1 and 0 to choose yourself".to_owned())
}

pub(super) fn bad_schema(place: Place, what: &str) -> Diagnostic {
    Diagnostic::error(codes::BAD_SCHEMA, what.to_owned()).at(place, "here").with_help(
        "a table is `[orders]`, and below it a line for a column: `buyer = \"-> people\"`, `key`, `category`, `number`, \
         `code`, `time`, `row time`, `label`, `fold` or `left out`"
            .to_owned(),
    )
}

/// What a source says of a table or column that is not there.
pub(super) fn said_of_nothing(place: Place, who: &str, column: &str, what: &str) -> Diagnostic {
    Diagnostic::warning(codes::UNUSED_KEY, format!("{what}: what is said of {column} does not count"))
        .at(place, who)
        .with_help("the values decide what the column means; schema.toml can say it")
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

pub(super) fn joins_nothing(table: &StoredTable) -> Diagnostic {
    let what =
        format!("no foreign key leads from the examples to the table {}: clauses do not see it", table.name);
    Diagnostic::warning(codes::TABLE_ALONE, what).at(table.place, "this table")
}
