//! Which keys a column may point to at all, by a few numbers of each: databases have thousands of tables, and most pairs of
//! columns share nothing.
//!
//! What this rules out, [`super::link`] rules out, too, at a greater price.

use gleaner_base::FixedMap;

use super::{
    ColumnAt, FEWEST_VALUES, LEAST_SHARE_NAMED, LEAST_SHARE_OF_NUMBERS, LEAST_SHARE_OF_WORDS, last_word,
    plain, singular, without_id, without_id_word,
};
use crate::database::profile::Profile;
use crate::tables::store::Database;

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
