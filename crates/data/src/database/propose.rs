//! A schema proposed from the values: keys, foreign keys, times, and the kind of each column.

use rayon::prelude::*;

use gleaner_lang::syntax::Diagnostic;

use super::composite_keys::{Known, propose_composites};
use super::given::SaidColumns;
use super::keys::{ColumnAt, LinksByColumn, Open, links, named_key};
use super::made_keys::said_composites;
use super::oddities::drop_same_moment;
use super::profile::{Profile, Seen};
use super::to_score::is_form;
use crate::provisional::Provisional;
use crate::tables::LabelName;
use crate::tables::schema::{
    ColumnSchema, Composite, GivenBy, GivenColumn, GivenSchema, Kind, Says, Schema, TableSchema, name_stems,
    stem,
};
use crate::tables::store::{Database, StoredTable};

/// The most distinct words of a column for clauses to name them, however few rows each has.
const FEW_WORDS: u64 = 30;

/// The fewest rows for each distinct word, where there are more.
const ROWS_PER_WORD: u64 = 5;

/// The most distinct words of a category.
const MOST_WORDS: u64 = 2000;

/// The most distinct whole numbers of a column that may be codes.
const MOST_CODES: u64 = 200;

/// The mean length of words that are prose, in bytes.
const LENGTH_OF_PROSE: f64 = 40.0;

/// Proposes the schema of a database, beside the figures of its columns and what is odd in it. `label` is the column of labels. Of a column that
/// `given` names, what it says counts.
///
/// **Cost**: a pass over all cells.
pub(crate) fn propose_schema(
    database: &Database,
    label: Option<ColumnAt>,
    given: &GivenSchema,
    symbols: &Provisional,
) -> (Schema, Vec<Vec<Profile>>, Vec<Diagnostic>) {
    let profiles = profiles(database, symbols);
    let of_schema = label;
    let label = label.unwrap_or(NOWHERE);
    let said = &given.by_place(database);
    let is_plain = |at: ColumnAt| database.tables[at.0].columns[at.1].notation.is_none();
    let is_source =
        |at: ColumnAt| !said.is_whole(at.0) && is_plain(at) && (said.of(at).is_none() || may_yield(said, at));
    let said_keys: Vec<Option<usize>> =
        (0..database.tables.len()).map(|table| said_key(said, database, table)).collect();
    let is_key = |at: ColumnAt| said_keys[at.0].map_or_else(|| is_plain(at), |key| key == at.1);
    let open = Open { is_source: &is_source, is_key: &is_key };
    let mut found = links(database, &profiles, &open, label);
    let declared = declared_links(given, database);
    found.retain(|link| !link.is_less_likely_than(&declared));
    let said_composites = said_composites(given, database);
    let of_columns = LinksByColumn::new(&found);
    let key = |table: usize| {
        if said_composites.iter().any(|said| said.table == table && said.kind == Kind::Key) {
            return None;
        }
        if let Some(key) = said_keys[table] {
            let at = (table, key);
            // Rows of a table that nothing points to need no names.
            let yields = may_yield(said, at) && of_columns.of(at).is_some() && of_columns.n_to(at) == 0;
            return (!yields).then_some(key);
        }
        let is_open = |column: &usize| {
            let at = (table, *column);
            said.of(at).is_none() && !said.is_whole(table) && is_plain(at)
        };
        named_key(table, database, &profiles, &of_columns, label).filter(is_open)
    };
    let keys: Vec<Option<usize>> = (0..database.tables.len()).map(key).collect();
    drop(of_columns);
    found.retain(|link| keys[link.to.0] == Some(link.to.1) && keys[link.from.0] != Some(link.from.1));
    let known = Known {
        database,
        profiles: &profiles,
        given,
        said_columns: said,
        said: &said_composites,
        keys: &keys,
        links: &found,
        label,
    };
    let composites = propose_composites(&known);
    let of_columns = LinksByColumn::new(&found);
    let tables = database.tables.iter().enumerate();
    let tables =
        tables.map(|(at, table)| table_schema(at, table, &profiles[at], &of_columns, keys[at], label));
    // Two classes need nobody to say so.
    let are_many = |&at: &ColumnAt| profiles[at.0][at.1].n_distinct() > 2;
    let of_label = of_schema.filter(are_many).and_then(|at| said.of(at)).map(|of| &of.says);
    let says_classes = of_label.is_some_and(Says::is_category);
    let mut schema = Schema { tables: tables.collect(), label: of_schema, says_classes, has_classes: false };
    name_stems(&mut schema);
    apply(said, database, &mut schema);
    for (at, (table, profiles)) in schema.tables.iter_mut().zip(&profiles).enumerate() {
        let says = |column: usize| said.of((at, column)).map(|of| &of.says);
        let of_given = (0..profiles.len()).find(|&column| says(column) == Some(&Says::RowTime));
        let is_open = |column: usize| says(column).is_none() && !said.is_whole(at);
        // Of a day and its month the day says when a row came to be.
        let is_period =
            |column: usize| table.columns[column].notation.is_some_and(|notation| notation.is_of_periods());
        let is_day = |column: usize| is_open(column) && !is_period(column);
        let of_periods = || row_time(table, profiles, is_open);
        table.time = of_given.or_else(|| row_time(table, profiles, is_day)).or_else(of_periods);
    }
    let mut composites: Vec<Composite> = said_composites.into_iter().chain(composites).collect();
    let told = drop_same_moment(&mut composites, database, &schema, symbols);
    schema.add_composites(composites);
    (schema, profiles, told)
}

/// The figures of all columns, by table.
fn profiles(database: &Database, symbols: &Provisional) -> Vec<Vec<Profile>> {
    let seen = || Seen::new(symbols.constants().len());
    let of_table = |table: &StoredTable| {
        let columns = table.columns.par_iter();
        columns.map_init(seen, |seen, column| Profile::of(column, seen, symbols)).collect()
    };
    database.tables.iter().map(of_table).collect()
}

/// No column.
const NOWHERE: ColumnAt = (usize::MAX, usize::MAX);

/// The names of columns that hold labels, if no one says which does.
const LABELS: [&str; 4] = ["label", "target", "class", "y"];

/// The tables that columns are said to point from and to.
fn declared_links(given: &GivenSchema, database: &Database) -> Vec<(usize, usize)> {
    let places = database.places();
    let link = |of: &GivenColumn| {
        let Says::PointsTo(to) = &of.says else { return None };
        Some((*places.get(&*of.table)?, *places.get(&**to)?))
    };
    given.columns.iter().filter_map(link).collect()
}

/// The column that is said to be the key of a table.
fn said_key(said: &SaidColumns<'_>, database: &Database, table: usize) -> Option<usize> {
    let is_key = |of: &GivenColumn| of.says == Says::Is(Kind::Key);
    (0..database.tables[table].columns.len()).find(|&column| said.of((table, column)).is_some_and(is_key))
}

/// Whether a column that is said to be a key may be a foreign key by its values: a database declares keys without saying
/// what else they are. Where something is declared to point to the table, it stays the key.
fn may_yield(said: &SaidColumns<'_>, at: ColumnAt) -> bool {
    let is_declared = |of: &GivenColumn| of.says == Says::Is(Kind::Key) && of.by <= GivenBy::Statements;
    said.of(at).is_some_and(is_declared) && !said.is_pointed_to(at.0)
}

/// Puts what is said in the place of what is proposed.
fn apply(said: &SaidColumns<'_>, database: &Database, schema: &mut Schema) {
    let places = database.places();
    let position = |name: &str| places.get(name).copied();
    for (at, table) in schema.tables.iter_mut().enumerate() {
        for (position_there, column) in table.columns.iter_mut().enumerate() {
            let Some(said) = said.of((at, position_there)) else { continue };
            let kind = said.says.kind(position);
            // A key that a database declares may have been found to be a foreign key, too.
            let yields = kind == Some(Kind::Key) && matches!(column.kind, Kind::Foreign(_));
            if let Some(kind) = kind.filter(|_| column.kind != Kind::Label && !yields) {
                column.kind = kind;
                column.said_by = Some(said.by);
                said.by.words().clone_into(&mut column.why);
            }
        }
    }
}

/// The table of a label that is asked for: the named one, else the only one that has the column, else the only one.
///
/// # Errors
///
/// There is no such table, or there are several.
pub(crate) fn label_table(label: &LabelName, database: &Database) -> Result<usize, Diagnostic> {
    let tables = &database.tables;
    if !label.table.is_empty() {
        let table = tables.iter().position(|table| table.name == label.table);
        return table.ok_or_else(|| super::faults::no_label_table(label, database));
    }
    let of = |(at, table): (usize, &StoredTable)| Some((at, table.column_named(&label.column)?));
    let mut found: Vec<(usize, usize)> = tables.iter().enumerate().filter_map(of).collect();
    let examples = found.clone();
    let is_other_form = |table: usize, label: &str| {
        examples.iter().any(|&(other, _)| is_form(&tables[table], &tables[other], label))
    };
    // Rows to be scored may have an empty column of labels.
    let has_labels =
        |&(table, column): &(usize, usize)| tables[table].columns[column].values().next().is_some();
    if found.iter().any(has_labels) {
        found.retain(has_labels);
    }
    found.retain(|&(table, column)| !is_other_form(table, &tables[table].columns[column].name));
    match found[..] {
        [(table, _)] => Ok(table),
        [] if tables.len() == 1 => Ok(0),
        [] => Err(super::faults::no_label_anywhere(label, database)),
        _ => Err(super::faults::several_labels(&found, database)),
    }
}

/// The column of labels: as it is asked for, as a file says, else by its name.
///
/// # Errors
///
/// No column holds labels, or several may.
pub(crate) fn find_label(
    database: &Database,
    label: Option<&LabelName>,
    given: &GivenSchema,
) -> Result<(usize, usize), Diagnostic> {
    let tables = &database.tables;
    if let Some(label) = label {
        let table = label_table(label, database)?;
        let column = tables[table].column_named(&label.column);
        let column = column.ok_or_else(|| super::faults::no_label_column(label, &tables[table]))?;
        return Ok((table, column));
    }
    let columns = |table: usize| (0..tables[table].columns.len()).map(move |column| (table, column));
    let mut all = (0..tables.len()).flat_map(columns);
    let said = given.by_place(database);
    if let Some(label) = all.find(|&at| said.of(at).is_some_and(|of| of.says.is_label())) {
        return Ok(label);
    }
    for name in LABELS {
        let of = |(at, table): (usize, &StoredTable)| Some((at, table.column_named(name)?));
        let found: Vec<(usize, usize)> = tables.iter().enumerate().filter_map(of).collect();
        match found[..] {
            [] => {}
            [only] => return Ok(only),
            _ => return Err(super::faults::several_labels(&found, database)),
        }
    }
    Err(super::faults::no_label(database))
}

fn table_schema(
    at: usize,
    table: &StoredTable,
    profiles: &[Profile],
    links: &LinksByColumn<'_>,
    key: Option<usize>,
    label: (usize, usize),
) -> TableSchema {
    // The words of a short list that others point to, as the names of states, are those of many rows.
    let is_short_list = table.n_rows as u64 <= FEW_WORDS && links.is_pointed_to(at);
    let columns = table.columns.iter().zip(profiles).enumerate().map(|(column, (stored, profile))| {
        let link = links.of((at, column));
        let (kind, why) = if (at, column) == label {
            (Kind::Label, "the label".to_owned())
        } else if at == label.0 && stored.name.eq_ignore_ascii_case(crate::rows::FOLD) {
            (Kind::Fold, "the fold".to_owned())
        } else if key == Some(column) {
            (Kind::Key, "each row has a value of its own".to_owned())
        } else if let Some(link) = link {
            (Kind::Foreign(link.to.0), link.why())
        } else if at == label.0 && profile.is_time() && profile.is_complete() {
            // Labels of one day have one cut-off.
            (Kind::Time, dates_in_words(profile))
        } else {
            let may_count_rows = stored.notation.is_none();
            kind_of_values(profile, is_short_list, may_count_rows)
        };
        let n_distinct = profile.n_distinct();
        ColumnSchema {
            name: stored.name.clone(),
            stem: stem(&stored.name),
            kind,
            n_distinct,
            said_by: None,
            why,
            notation: stored.notation,
            parts: Vec::new(),
        }
    });
    TableSchema {
        name: table.name.clone(),
        stem: stem(&table.name),
        n_rows: table.n_rows,
        columns: columns.collect(),
        time: None,
        is_made: table.is_made,
    }
}

/// The kind of a column that is no key, by its values. Numbers with a unit or other signs never count the rows.
fn kind_of_values(profile: &Profile, is_short_list: bool, may_count_rows: bool) -> (Kind, String) {
    let n_distinct = profile.n_distinct();
    let n_values = profile.n_values as u64;
    let (kind, why) = if n_distinct == 0 {
        (Kind::LeftOut, "no value".to_owned())
    } else if n_distinct == 1 && profile.is_complete() {
        (Kind::LeftOut, "one value in all rows".to_owned())
    } else if profile.is_time() {
        (Kind::Time, dates_in_words(profile))
    } else if profile.is_numeric() || is_of_numbers(profile) {
        kind_of_numbers(profile, may_count_rows)
    } else if profile.is_duration() {
        (Kind::Duration, durations_in_words(profile))
    } else if profile.n_long > 0 || profile.mean_length > LENGTH_OF_PROSE && n_distinct > FEW_WORDS {
        (Kind::LeftOut, "free text".to_owned())
    } else if is_short_list || are_few_words(profile) {
        (Kind::Category, format!("{n_distinct} words"))
    } else {
        (Kind::LeftOut, format!("{n_distinct} different texts in {n_values} rows"))
    };
    (kind, why)
}

/// Why a column is of times.
fn dates_in_words(profile: &Profile) -> String {
    match profile.n_not_times() {
        0 => "dates".to_owned(),
        n_others => format!("dates; {n_others} other values count as missing"),
    }
}

/// Whether each distinct value has rows enough for clauses to name it.
fn are_few_words(profile: &Profile) -> bool {
    let (n_distinct, n_values) = (profile.n_distinct(), profile.n_values as u64);
    n_distinct <= FEW_WORDS && (n_distinct < n_values || n_distinct <= 2)
        || n_distinct <= MOST_WORDS && n_values >= ROWS_PER_WORD * n_distinct
}

/// Whether a column is of numbers though some cells hold none. Among few words one that is no number to a person may be a
/// code: `R` among places.
fn is_of_numbers(profile: &Profile) -> bool {
    let are_numbers = profile.n_odd() == profile.n_other_numbers;
    profile.is_mostly_numeric() && (are_numbers || !are_few_words(profile))
}

/// Why a column is of durations.
fn durations_in_words(profile: &Profile) -> String {
    match profile.n_distinct() - profile.n_durations {
        0 => "durations, in seconds".to_owned(),
        n_others => format!("durations, in seconds; {n_others} other values count as missing"),
    }
}

fn kind_of_numbers(profile: &Profile, may_count_rows: bool) -> (Kind, String) {
    let n_distinct = profile.n_whole + profile.n_decimal;
    let are_whole = profile.n_decimal == 0;
    let (least, greatest) = profile.range.unwrap_or_default();
    let others = match profile.n_distinct() - n_distinct + u64::from(profile.n_long > 0) {
        0 => "",
        _ => "; other cells count as missing",
    };
    let why = format!("{n_distinct} numbers from {least} to {greatest}{others}");
    #[expect(clippy::cast_precision_loss, reason = "a rough comparison")]
    let is_dense = greatest - least < 2.0 * n_distinct as f64;
    if may_count_rows && are_whole && profile.is_unique() && is_dense && n_distinct > FEW_WORDS {
        (Kind::LeftOut, "each row has a number of its own: an id".to_owned())
    } else if n_distinct <= 2 && are_whole {
        (Kind::Category, why)
    } else if are_whole && n_distinct <= MOST_CODES && profile.n_values as u64 >= ROWS_PER_WORD * n_distinct {
        (Kind::Code, why)
    } else {
        (Kind::Number, why)
    }
}

/// The column that says when a row came to be: the first of times in which at most one cell in a hundred is empty, else
/// the first in which at most one in ten is. Rows without a time exist for no example, but rows that came after a
/// cut-off would give the label away.
fn row_time(table: &TableSchema, profiles: &[Profile], is_open: impl Fn(usize) -> bool) -> Option<usize> {
    let of_at_most = |percent: usize| {
        (0..table.columns.len()).find(|&at| {
            let Profile { n_missing, n_values, .. } = profiles[at];
            let is_full = n_missing * 100 <= percent * (n_missing + n_values);
            is_open(at) && table.columns[at].kind == Kind::Time && is_full
        })
    };
    of_at_most(1).or_else(|| of_at_most(10))
}
