//! Keys of several columns, proposed from the values.
//!
//! A key of two or three columns is proposed where no single column is one, no two rows agree in the columns, and
//! another table has columns whose values together are keys there. Columns match by their names; else by their values,
//! and then all of them must be within the key, and not by chance alone.
//! [Abedjan and others, Data Profiling, 2018, on unique column combinations and n-ary inclusion dependencies]

use std::cmp::Reverse;

use gleaner_base::{FixedMap, FixedSet};

use super::given::SaidColumns;
use super::keys::{
    ColumnAt, FEWEST_VALUES, LEAST_SHARE_NAMED, LEAST_SHARE_OF_NUMBERS, LEAST_SPREAD, LENGTH_OF_PROSE, Link,
    plain, spread,
};
use super::profile::Profile;
use crate::tables::schema::{Composite, GivenBy, GivenComposite, GivenSchema, Kind, Says};
use crate::tables::store::{Database, LONG, MISSING, StoredTable};

/// The most columns of a key that is proposed.
const MOST_PARTS: usize = 3;

/// The most columns of a table that are tried as parts of its key.
const MOST_CANDIDATES: usize = 12;

/// The most sets of columns of a table whose rows are compared.
const MOST_SETS: usize = 60;

/// The most matches of columns with the columns of a key.
const MOST_MATCHES: usize = 16;

/// The most columns of a table whose values are compared with those of columns of other names.
const MOST_COMPARED: usize = 64;

/// The most part of strangers' values within the key where values that match say something.
const MOST_BY_CHANCE: f64 = 0.8;

/// What is known when composite keys are sought.
pub(super) struct Known<'k> {
    pub(super) database: &'k Database,
    pub(super) profiles: &'k [Vec<Profile>],
    pub(super) given: &'k GivenSchema,
    pub(super) said_columns: &'k SaidColumns<'k>,
    /// The composite keys that are said.
    pub(super) said: &'k [Composite],
    /// By table, the column that is its key.
    pub(super) keys: &'k [Option<usize>],
    /// The foreign keys of one column.
    pub(super) links: &'k [Link],
    pub(super) label: ColumnAt,
}

/// Composite keys, and the foreign keys that point to them, beside those that are said.
///
/// **Cost**: for each two tables of which one has no key, a comparison of the distinct values of each two columns; then
/// for each set of columns that match by name or by values a hash of the rows up to the first two that agree, and for
/// each set that is a key one of each row of the other table.
pub(super) fn propose_composites(known: &Known<'_>) -> Vec<Composite> {
    let n_tables = known.database.tables.len();
    let search = Search { known, names: names(known.database) };
    let mut found: Vec<Pointing> = Vec::new();
    let mut proposed: Vec<(usize, Vec<usize>)> = Vec::new();
    for table in 0..n_tables {
        let is_key = |of: &&Composite| of.table == table && of.kind == Kind::Key;
        if let Some(key) = known.said.iter().find(is_key) {
            found.extend(search.pointing(table, &key.columns));
        } else if search.is_open(table) {
            let best = (2..=MOST_PARTS).find_map(|n_parts| search.best_key(table, n_parts));
            if let Some((key, pointing)) = best {
                proposed.push((table, key));
                found.extend(pointing);
            }
        }
    }
    let found = drop_mutual(&found, known.label);
    let is_pointed_to = |(table, _): &&(usize, Vec<usize>)| found.iter().any(|link| link.to.0 == *table);
    let keys = proposed.iter().filter(is_pointed_to).map(|(table, columns)| Composite {
        table: *table,
        columns: columns.clone(),
        kind: Kind::Key,
        said_by: None,
        why: "no two rows have the same values".to_owned(),
    });
    let links = found.iter().map(|link| Composite {
        table: link.from.0,
        columns: link.from.1.clone(),
        kind: Kind::Foreign(link.to.0),
        said_by: None,
        why: link.why(),
    });
    keys.chain(links).collect()
}

/// Columns of a table, by their places there.
type ColumnsAt = (usize, Vec<usize>);

/// Columns that together point to a key.
#[derive(Clone, Debug)]
struct Pointing {
    from: ColumnsAt,
    to: ColumnsAt,
    /// The share of its distinct values that the key has.
    share: f64,
    /// The share of the key's values that it names.
    coverage: f64,
    /// How many of its columns have the name of the key's.
    n_named: usize,
}

impl Pointing {
    fn why(&self) -> String {
        let share = (self.share * 1000.0).floor() / 10.0;
        let names = if self.n_named == self.to.1.len() { ", and their names say so" } else { "" };
        format!("{share} % of their values are keys there{names}")
    }
}

/// A column that may stand for a part of a key.
#[derive(Clone, Copy, Debug)]
struct Match {
    column: usize,
    is_named: bool,
    /// Whether its values alone are hardly within the part's by chance.
    is_strong: bool,
}

/// The search for composite keys.
struct Search<'k> {
    known: &'k Known<'k>,
    /// By table, its columns by their names in small letters and digits; of several with one name the first.
    names: Vec<FixedMap<String, usize>>,
}

fn names(database: &Database) -> Vec<FixedMap<String, usize>> {
    let of_table = |table: &StoredTable| {
        let columns = table.columns.iter().enumerate().rev();
        columns.map(|(at, column)| (plain(&column.name), at)).collect()
    };
    database.tables.iter().map(of_table).collect()
}

impl Search<'_> {
    /// Whether a table may get a composite key. Examples are no one's rows, unless somebody says so.
    fn is_open(&self, table: usize) -> bool {
        let name = &self.known.database.tables[table].name;
        let is_denied = |of: &GivenComposite| of.table == *name && of.says == Says::Is(Kind::Key);
        table != self.known.label.0
            && self.known.keys[table].is_none()
            && self.known.database.tables[table].n_rows as u64 >= FEWEST_VALUES
            && !self.known.said_columns.is_whole(table)
            && !self.known.given.composites.iter().any(is_denied)
    }

    /// Whether foreign keys of a table to another may be proposed.
    fn may_point(&self, from: usize, to: usize) -> bool {
        let (from_name, to_name) =
            (&self.known.database.tables[from].name, &self.known.database.tables[to].name);
        let is_said = |of: &GivenComposite| {
            of.table == *from_name && matches!(&of.says, Says::PointsTo(table) if table == to_name)
        };
        from != to
            && !self.known.said_columns.is_whole(from)
            && !self.known.given.composites.iter().any(is_said)
    }

    /// Whether a column may be a part of a key, or of a foreign key.
    fn may_be_part(&self, at: ColumnAt) -> bool {
        let (stored, profile) = (&self.known.database.tables[at.0], &self.known.profiles[at.0][at.1]);
        let column = &stored.columns[at.1];
        let is_closed = self.known.said_columns.of(at).is_some_and(|given| {
            let is_no_part = |says: &Says| {
                says.is_label() || matches!(says, Says::Is(Kind::Key | Kind::Fold | Kind::LeftOut))
            };
            given.by == GivenBy::Model || is_no_part(&given.says)
        });
        let is_fold = at.0 == self.known.label.0 && column.name.eq_ignore_ascii_case(crate::rows::FOLD);
        at != self.known.label
            && !is_closed
            && !is_fold
            && profile.n_long == 0
            && profile.n_distinct() > 1
            && profile.n_decimal == 0
            && profile.mean_length < LENGTH_OF_PROSE
    }

    /// The key of so many columns that other tables point to best, with what points to it.
    fn best_key(&self, table: usize, n_parts: usize) -> Option<(Vec<usize>, Vec<Pointing>)> {
        let n_columns = self.known.database.tables[table].columns.len();
        let may_be_part = |&column: &usize| {
            self.may_be_part((table, column)) && self.known.profiles[table][column].is_complete()
        };
        let parts: Vec<usize> = (0..n_columns).filter(may_be_part).collect();
        let others: Vec<Vec<Vec<Match>>> = (0..self.known.database.tables.len())
            .filter(|&other| self.may_point(other, table))
            .map(|other| parts.iter().map(|&part| self.matches((table, part), other)).collect())
            .collect();
        // A part must have a match in another table; those with a name go first.
        let rank = |at: usize| {
            let of = others.iter().flat_map(|other| &other[at]);
            of.map(|found| (found.is_named, found.is_strong)).max().map(|best| (Reverse(best), at))
        };
        let mut candidates: Vec<_> = (0..parts.len()).filter_map(rank).collect();
        candidates.sort_unstable();
        candidates.truncate(MOST_CANDIDATES);
        let candidates: Vec<usize> = candidates.into_iter().map(|(_, at)| at).collect();
        let matched =
            |set: &Vec<usize>| others.iter().any(|other| set.iter().all(|&at| !other[at].is_empty()));
        let sets = combinations(&candidates, n_parts).into_iter().filter(matched);
        let sets = sets.map(|set| {
            let mut set: Vec<usize> = set.iter().map(|&at| parts[at]).collect();
            set.sort_unstable();
            set
        });
        let keys: Vec<Vec<usize>> = sets.take(MOST_SETS).filter(|set| self.is_key(table, set)).collect();
        self.best_pointing(table, &keys)
    }

    /// The columns of another table that may stand for a column of this one: those of its name, else those with values
    /// within it.
    fn matches(&self, part: ColumnAt, other: usize) -> Vec<Match> {
        let tables = &self.known.database.tables;
        let named = self.names[other].get(&plain(&tables[part.0].columns[part.1].name)).copied();
        let of = |column: usize| -> Option<Match> {
            let from = (other, column);
            self.may_be_part(from).then(|| self.matching(from, part, named == Some(column)))?
        };
        if let Some(found) = named.and_then(of) {
            return vec![found];
        }
        let are_few = [part.0, other].iter().all(|&table| tables[table].columns.len() <= MOST_COMPARED);
        (0..tables[other].columns.len()).filter(|_| are_few).filter_map(of).collect()
    }

    #[expect(clippy::cast_precision_loss, reason = "shares of counts")]
    fn matching(&self, from: ColumnAt, part: ColumnAt, is_named: bool) -> Option<Match> {
        let (of, key) = (&self.known.profiles[from.0][from.1], &self.known.profiles[part.0][part.1]);
        let are_same =
            of.is_numeric() == key.is_numeric() && of.is_time() == key.is_time() && of.n_decimal == 0;
        let (bounds, of_key) = (of.bounds(), key.bounds());
        let may_share = are_same && bounds.0 <= of_key.1 && of_key.0 <= bounds.1;
        let n_shared = if may_share { of.distinct.intersection_len(&key.distinct) } else { 0 };
        if n_shared == 0 {
            return None;
        }
        let target = |at: ColumnAt| self.known.links.iter().find(|link| link.from == at).map(|link| link.to);
        let have_same_target = target(from).is_some() && target(from) == target(part);
        let are_words = !of.is_numeric();
        let share = n_shared as f64 / of.n_distinct() as f64;
        let spreads =
            spread(of, key) >= LEAST_SPREAD && of.range.zip(key.range).is_some_and(|(of, key)| of.0 >= key.0);
        let is_likely = is_named
            || share >= LEAST_SHARE_OF_NUMBERS
                && (have_same_target || if are_words { n_shared > 2 } else { spreads });
        let is_strong = have_same_target || are_words && n_shared >= FEWEST_VALUES;
        is_likely.then_some(Match { column: from.1, is_named, is_strong })
    }

    /// Whether no two rows of a table agree in these columns.
    fn is_key(&self, table: usize, set: &[usize]) -> bool {
        let n_rows = self.known.database.tables[table].n_rows;
        let n_possible = set.iter().fold(1_u64, |product, &column| {
            product.saturating_mul(self.known.profiles[table][column].n_distinct())
        });
        if (n_rows as u64) < FEWEST_VALUES || n_possible < n_rows as u64 {
            return false;
        }
        let mut seen: FixedSet<Values> = FixedSet::default();
        self.values(table, set).all(|values| values.is_none_or(|values| seen.insert(values)))
    }

    /// The values of each row in up to three columns; none where one is missing.
    fn values<'v>(&'v self, table: usize, set: &'v [usize]) -> impl Iterator<Item = Option<Values>> + 'v {
        let stored = &self.known.database.tables[table];
        (0..stored.n_rows).map(move |row| {
            let mut values = [MISSING; MOST_PARTS];
            for (value, &column) in values.iter_mut().zip(set) {
                *value = Some(stored.columns[column].cells[row]).filter(|&cell| cell < LONG)?;
            }
            Some(values)
        })
    }

    /// Of keys of a table the one that others point to best, with what points to it.
    fn best_pointing(&self, table: usize, keys: &[Vec<usize>]) -> Option<(Vec<usize>, Vec<Pointing>)> {
        let of_key = |key: &Vec<usize>| {
            let pointing = self.pointing(table, key);
            let best = pointing
                .iter()
                .map(|link| (link.n_named, link.share))
                .max_by(|one, other| one.0.cmp(&other.0).then(one.1.total_cmp(&other.1)))?;
            Some((best, key.clone(), pointing))
        };
        let found = keys.iter().filter_map(of_key).fold(None, |best: Option<(_, _, _)>, next| match best {
            Some(best) if best.0 >= next.0 => Some(best),
            _ => Some(next),
        });
        found.map(|(_, key, pointing)| (key, pointing))
    }

    /// The columns of other tables that together point to a key.
    fn pointing(&self, table: usize, key: &[usize]) -> Vec<Pointing> {
        if key.len() > MOST_PARTS {
            return Vec::new();
        }
        let rows: FixedSet<Values> = self.values(table, key).flatten().collect();
        let mut found = Vec::new();
        for other in (0..self.known.database.tables.len()).filter(|&other| self.may_point(other, table)) {
            let of_parts: Vec<Vec<Match>> =
                key.iter().map(|&part| self.matches((table, part), other)).collect();
            let choices = choices(&of_parts);
            let of_other =
                choices.iter().filter_map(|choice| self.within((other, choice), (table, key), &rows));
            let mut of_other: Vec<Pointing> = of_other.collect();
            let most_named = of_other.iter().map(|link| link.n_named).max();
            of_other.retain(|link| Some(link.n_named) == most_named);
            if most_named == Some(0) {
                // Without a name several are likely to be wrong.
                let rank = |link: &Pointing| (link.coverage, Reverse(link.from.1.clone()));
                let best = of_other.into_iter().reduce(|best, next| {
                    if rank(&next).partial_cmp(&rank(&best)).is_some_and(std::cmp::Ordering::is_gt) {
                        next
                    } else {
                        best
                    }
                });
                of_other = best.into_iter().collect();
            }
            found.extend(of_other);
        }
        found
    }

    /// How columns point to a key, if enough of their values are there.
    #[expect(clippy::cast_precision_loss, reason = "shares of counts")]
    fn within(
        &self,
        (from, choice): (usize, &[Match]),
        (to, key): (usize, &[usize]),
        rows: &FixedSet<Values>,
    ) -> Option<Pointing> {
        let columns: Vec<usize> = choice.iter().map(|found| found.column).collect();
        let n_named = choice.iter().filter(|found| found.is_named).count();
        let are_named = n_named == choice.len();
        if !are_named && !choice.iter().any(|found| found.is_named || found.is_strong) {
            return None;
        }
        let mut values: FixedSet<Values> = FixedSet::default();
        for of_row in self.values(from, &columns).flatten() {
            let is_new = values.insert(of_row);
            // Where all must be keys, one that is none is enough.
            if is_new && !are_named && !rows.contains(&of_row) {
                return None;
            }
        }
        let n_shared = values.iter().filter(|of_row| rows.contains(*of_row)).count();
        let share = n_shared as f64 / values.len() as f64;
        let is_likely = n_shared as u64 >= FEWEST_VALUES
            && share >= LEAST_SHARE_NAMED
            && (are_named || self.is_no_chance((from, choice), rows));
        is_likely.then(|| Pointing {
            from: (from, columns),
            to: (to, key.to_vec()),
            share,
            coverage: n_shared as f64 / rows.len() as f64,
            n_named,
        })
    }

    /// Whether the values of columns are within a key not only because each value is in its column: numbers of strangers,
    /// those of the row before, are there less often. Of names, times and words this is not asked.
    #[expect(clippy::cast_precision_loss, reason = "a share of counts")]
    fn is_no_chance(&self, (from, choice): (usize, &[Match]), rows: &FixedSet<Values>) -> bool {
        let is_number = |found: &Match| {
            !found.is_named && !found.is_strong && self.known.profiles[from][found.column].is_numeric()
        };
        let Some(number) = choice.iter().position(is_number) else { return true };
        let columns: Vec<usize> = choice.iter().map(|found| found.column).collect();
        let (mut n, mut n_within, mut before) = (0_usize, 0_usize, None);
        for mut values in self.values(from, &columns).flatten() {
            if let Some(of_before) = before.replace(values[number]) {
                values[number] = of_before;
                n += 1;
                n_within += usize::from(rows.contains(&values));
            }
        }
        n > 0 && n_within as f64 <= MOST_BY_CHANCE * n as f64
    }
}

/// The values of a row in the columns of a key.
type Values = [u32; MOST_PARTS];

/// The sets of so many of the items, in their order.
fn combinations(items: &[usize], n: usize) -> Vec<Vec<usize>> {
    if n == 0 {
        return vec![Vec::new()];
    }
    let mut found = Vec::new();
    for (at, &first) in items.iter().enumerate() {
        for mut rest in combinations(&items[at + 1..], n - 1) {
            rest.insert(0, first);
            found.push(rest);
        }
    }
    found
}

/// The ways to take a match for each part, no column twice.
fn choices(of_parts: &[Vec<Match>]) -> Vec<Vec<Match>> {
    let mut found: Vec<Vec<Match>> = vec![Vec::new()];
    for matches in of_parts {
        let longer = found.iter().flat_map(|choice| {
            let is_free = |next: &&Match| !choice.iter().any(|taken: &Match| taken.column == next.column);
            matches.iter().filter(is_free).map(|&next| choice.iter().copied().chain([next]).collect())
        });
        found = longer.take(MOST_MATCHES).collect();
    }
    found
}

/// Of two tables whose keys point to each other, the one with the labels, else the one with more of its values there,
/// else the later one, is the one that points.
fn drop_mutual(found: &[Pointing], label: ColumnAt) -> Vec<Pointing> {
    let is_kept = |link: &&Pointing| {
        let back = found.iter().find(|other| other.from == link.to && other.to == link.from);
        back.is_none_or(|back| {
            let is_of_labels = |link: &Pointing| link.from.0 == label.0;
            let order = is_of_labels(link)
                .cmp(&is_of_labels(back))
                .then(link.share.total_cmp(&back.share))
                .then(link.from.cmp(&back.from));
            order.is_gt()
        })
    };
    found.iter().filter(is_kept).cloned().collect()
}
