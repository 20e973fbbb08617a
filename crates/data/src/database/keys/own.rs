//! Foreign keys to rows of their own table: an employee's manager, a category's parent.
//!
//! Whole numbers of a table lie within its own keys by chance, where these count the rows: so such a column needs a name
//! that says so. Words, and numbers that leave no such chance, need none; but a copy of the key points nowhere.

use super::{
    ColumnAt, FEWEST_VALUES, LEAST_SHARE_NAMED, LEAST_SHARE_OF_NUMBERS, LEAST_SHARE_OF_WORDS, LEAST_SPREAD,
    Link, Naming, Shared, are_keys_by_chance, is_called_id, is_called_key, is_called_measure, is_of_one,
    last_word, plain, spread, without_id, without_id_word,
};
use crate::database::profile::Profile;
use crate::tables::store::{Database, LONG};

/// What a row is to another of its table, as the last word of a column.
const ROLES: [&str; 21] = [
    "ancestor",
    "boss",
    "chief",
    "dam",
    "father",
    "manager",
    "mentor",
    "mgr",
    "mother",
    "next",
    "parent",
    "partner",
    "predecessor",
    "prev",
    "previous",
    "sibling",
    "sire",
    "spouse",
    "successor",
    "superior",
    "supervisor",
];

/// What a row is to another of its table, as the end of a column's name without signs.
const ENDINGS: [&str; 15] = [
    "childof",
    "copiedfrom",
    "copyof",
    "derivedfrom",
    "duplicateof",
    "forkedfrom",
    "invitedby",
    "managedby",
    "partof",
    "referredby",
    "replacedby",
    "replyto",
    "reportsto",
    "supersededby",
    "supervisedby",
];

/// The fewest distinct whole numbers where a role alone says what they are: fewer may say whether there is one.
const FEWEST_OF_ROLE: u64 = 3;

/// How much a name says of a column that leads to rows of its own table.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Says {
    Nothing,
    /// A role, which may also count such rows.
    Role,
    /// That it holds keys.
    Keys,
}

/// The foreign key that a column may be to the key of its own table.
///
/// **Cost**: an intersection of their distinct values; where that is likely, a pass over the rows.
pub(super) fn own_link(
    from: ColumnAt,
    to: ColumnAt,
    database: &Database,
    profiles: &[Vec<Profile>],
) -> Option<Link> {
    let (of, key) = (&profiles[from.0][from.1], &profiles[to.0][to.1]);
    let Shared { n: n_shared, share, coverage } = Shared::of(of, key)?;
    let is_by_chance = of.is_whole() && are_keys_by_chance(of, key);
    let says = says(from, to, database, is_by_chance);
    let is_likely = match says {
        Says::Keys => share >= LEAST_SHARE_NAMED,
        Says::Role if of.is_whole() => {
            let begins_within = of.range.zip(key.range).is_some_and(|(of, key)| of.0 >= key.0);
            begins_within && share >= LEAST_SHARE_OF_NUMBERS && of.n_distinct() >= FEWEST_OF_ROLE
        }
        Says::Role => share >= LEAST_SHARE_NAMED,
        Says::Nothing => {
            let least = if of.is_whole() { LEAST_SHARE_OF_NUMBERS } else { LEAST_SHARE_OF_WORDS };
            let are_words = of.n_words > of.n_whole;
            // Numbers that stay at one end of the keys count something.
            let name = &database.tables[from.0].columns[from.1].name;
            let counts = of.is_whole() && (is_called_measure(name) || spread(of, key) < LEAST_SPREAD);
            !is_by_chance
                && !counts
                && !of.is_unique()
                && (of.is_whole() || are_words)
                && share >= least
                && n_shared >= FEWEST_VALUES
        }
    };
    let is_named = says != Says::Nothing;
    let naming = if is_named { Naming::Role } else { Naming::None };
    let link = Link { from, to, share, coverage, naming, is_by_chance: false, is_of_few: false };
    (is_likely && leads_elsewhere(from, to, database, is_named)).then_some(link)
}

/// What the name of a column says of rows of its own table. Where a number is a key by chance, the table's name after
/// another word may be that of what is counted.
fn says(from: ColumnAt, to: ColumnAt, database: &Database, is_by_chance: bool) -> Says {
    let table = &database.tables[from.0];
    let (name, key) = (&*table.columns[from.1].name, &*table.columns[to.1].name);
    if is_called_key(&table.name, name) {
        return Says::Nothing;
    }
    let (called, of_key) = (plain(name), plain(key));
    let bare = without_id(&called);
    let is_role = ROLES.contains(&&*last_word(without_id_word(name)));
    // A key that is called `id` alone is no name.
    let is_other_key = !without_id(&of_key).is_empty()
        && called.strip_suffix(&*of_key).is_some_and(|before| !before.is_empty());
    let is_of_table = is_of_one(name, &plain(&table.name));
    let is_id = is_called_id(name);
    if is_other_key || ENDINGS.iter().any(|end| bare.ends_with(end)) || (is_role || is_of_table) && is_id {
        Says::Keys
    } else if is_role || is_of_table && !is_by_chance {
        Says::Role
    } else {
        Says::Nothing
    }
}

/// Whether rows point to others than themselves: one of them, if the name says so, else most of them.
fn leads_elsewhere(from: ColumnAt, to: ColumnAt, database: &Database, is_named: bool) -> bool {
    let columns = &database.tables[from.0].columns;
    let pairs = || columns[from.1].cells.iter().zip(&columns[to.1].cells).filter(|(cell, _)| **cell < LONG);
    let n_others = pairs().filter(|(cell, key)| cell != key).count();
    if is_named { n_others > 0 } else { 2 * n_others > pairs().count() }
}
