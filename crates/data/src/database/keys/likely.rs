//! Which keys a column may point to at all, by a few numbers of each: databases have thousands of tables, and most pairs of
//! columns share nothing.
//!
//! What this rules out, [`super::link`] rules out, too, at a greater price.
//!
//! Foreign keys to rows of their own table: an employee's manager, a category's parent.
//!
//! Whole numbers of a table lie within its own keys by chance, where these count the rows: so such a column needs a name
//! that says so. Words, and numbers that leave no such chance, need none; but a copy of the key points nowhere.
//!
//! Foreign keys by the columns that they lead from and to.

use gleaner_base::{FixedMap, FixedSet};

use crate::database::keys::{
    ColumnAt, FEWEST_VALUES, LEAST_SHARE_NAMED, LEAST_SHARE_OF_NUMBERS, LEAST_SHARE_OF_WORDS, LEAST_SPREAD,
    Link, Naming, Shared, are_keys_by_chance, is_called_id, is_called_key, is_called_measure, is_of_one,
    last_word, plain, singular, spread, without_id, without_id_word,
};
use crate::database::profile::Profile;
use crate::tables::store::{Database, LONG};

/// The numbers of the names of a database; 0 is the empty name.
struct Names(FixedMap<String, u32>);

impl Names {
    fn number(&mut self, name: &str) -> u32 {
        if name.is_empty() {
            return 0;
        }
        let next = u32::try_from(self.0.len()).unwrap_or(u32::MAX - 1) + 1;
        *self.0.entry_ref(name).or_insert(next)
    }
}

/// A column as one that may point.
#[derive(Clone, Copy, Debug, Default)]
struct Source {
    /// Its name, without a word for an id, and its last word.
    names: [u32; 3],
}

/// A column as one that may be a key.
#[derive(Clone, Copy, Debug, Default)]
struct Key {
    table: usize,
    /// The table's name, and this in the singular.
    of_table: [u32; 2],
    /// Its own name, and this without a word for an id.
    names: [u32; 2],
    n_distinct: u64,
    /// The first and the last of its constants.
    bounds: (u32, u32),
    range: Option<(f64, f64)>,
}

/// The columns of a database, as far as names and sizes tell what they may point to.
pub(super) struct Likely {
    sources: Vec<Vec<Source>>,
    keys: Vec<Key>,
}

impl Likely {
    /// Cost: a pass over the columns.
    pub(super) fn new(database: &Database, profiles: &[Vec<Profile>], keys: &[ColumnAt]) -> Self {
        let mut names = Names(FixedMap::default());
        let mut sources: Vec<Vec<Source>> = Vec::new();
        for table in &database.tables {
            let of_table = table.columns.iter().map(|column| {
                let name = plain(&column.name);
                let last = last_word(without_id_word(&column.name));
                Source { names: [names.number(&name), names.number(without_id(&name)), names.number(&last)] }
            });
            sources.push(of_table.collect());
        }
        let keys = keys.iter().map(|&(table, column)| {
            let profile = &profiles[table][column];
            let name = plain(&database.tables[table].name);
            Key {
                table,
                of_table: [names.number(&name), names.number(&singular(&name))],
                names: [sources[table][column].names[0], sources[table][column].names[1]],
                n_distinct: profile.n_distinct(),
                bounds: profile.bounds(),
                range: profile.range,
            }
        });
        let keys = keys.collect();
        Self { sources, keys }
    }

    /// The places of the keys that a column may point to, ascending. Those of its own table are among them.
    pub(super) fn keys<'k>(
        &'k self,
        from: ColumnAt,
        profile: &'k Profile,
    ) -> impl Iterator<Item = usize> + 'k {
        let of = Pointing {
            names: self.sources[from.0][from.1].names,
            n: profile.n_distinct(),
            bounds: profile.bounds(),
            profile,
        };
        let is_likely = move |key: &Key| key.table == from.0 || of.may_point_to(key);
        self.keys.iter().enumerate().filter(move |(_, key)| is_likely(key)).map(|(at, _)| at)
    }
}

/// A column whose keys are sought.
struct Pointing<'p> {
    names: [u32; 3],
    n: u64,
    bounds: (u32, u32),
    profile: &'p Profile,
}

impl Pointing<'_> {
    #[expect(clippy::cast_precision_loss, reason = "shares of counts")]
    fn may_point_to(&self, key: &Key) -> bool {
        if key.bounds.1 < self.bounds.0 || self.bounds.1 < key.bounds.0 {
            return false;
        }
        let may_share = |least: f64| key.n_distinct as f64 / self.n as f64 >= least;
        if may_share(LEAST_SHARE_NAMED) && self.is_named(key) {
            return true;
        }
        if self.profile.is_whole() {
            let begins_within = || self.profile.range.zip(key.range).is_some_and(|(of, key)| of.0 >= key.0);
            self.n >= FEWEST_VALUES && may_share(LEAST_SHARE_OF_NUMBERS) && begins_within()
        } else {
            may_share(LEAST_SHARE_OF_WORDS)
        }
    }

    /// Whether the names may say so; as [`super::naming`].
    fn is_named(&self, key: &Key) -> bool {
        let [name, bare, last] = self.names;
        let [of_key, bare_key] = key.names;
        bare > 0 && key.of_table.contains(&bare)
            || last > 0 && last == key.of_table[1]
            || bare_key > 0 && (name == of_key || name == bare_key || bare == of_key)
    }
}

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

/// Foreign keys by the columns that they lead from and to. At most one leads from each column.
pub(crate) struct LinksByColumn<'l> {
    from: FixedMap<ColumnAt, &'l Link>,
    n_to: FixedMap<ColumnAt, usize>,
    tables: FixedSet<usize>,
}

impl<'l> LinksByColumn<'l> {
    pub(crate) fn new(links: &'l [Link]) -> Self {
        let mut n_to: FixedMap<ColumnAt, usize> = FixedMap::default();
        links.iter().for_each(|link| *n_to.entry(link.to).or_default() += 1);
        Self {
            from: links.iter().map(|link| (link.from, link)).collect(),
            n_to,
            tables: links.iter().map(|link| link.to.0).collect(),
        }
    }

    /// The foreign key that a column is.
    pub(crate) fn of(&self, from: ColumnAt) -> Option<&'l Link> {
        self.from.get(&from).copied()
    }

    /// How many columns point to a column.
    pub(crate) fn n_to(&self, to: ColumnAt) -> usize {
        self.n_to.get(&to).copied().unwrap_or_default()
    }

    /// Whether columns point to a table.
    pub(crate) fn is_pointed_to(&self, table: usize) -> bool {
        self.tables.contains(&table)
    }
}
