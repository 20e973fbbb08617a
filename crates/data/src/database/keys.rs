//! Keys by uniqueness, and foreign keys by inclusion of values: across names of columns, with names as evidence.
//!
//! Whole numbers that count something lie within the numbers of any key that begins at 1. So without a name as evidence a
//! foreign key of numbers must also reach over the key's range, and what is more within the smallest key that it fits. Where
//! the keys are numbers with gaps, it is no chance that many values are among them. Where they count the rows, it often is: then
//! no other column of the table, and of few numbers no column at all, may have the name of the key's table.
//!
//! Of tables with a row each for the same things, one has the key and the others point to it. A column that fits several of
//! them then points to that key, so that all of them join.
//! [Abedjan and others, Data Profiling, 2018, on inclusion dependencies and what tells foreign keys from them]

mod likely;

use rayon::prelude::*;

use self::likely::Likely;
use super::profile::Profile;
use crate::tables::store::{Database, StoredTable};
pub(crate) use likely::LinksByColumn;
use likely::own_link;

/// A column by its table and its place there.
pub(crate) type ColumnAt = (usize, usize);

/// A foreign key: its column, the key that it points to, and the evidence.
#[derive(Clone, Debug)]
pub(crate) struct Link {
    pub(crate) from: ColumnAt,
    pub(crate) to: ColumnAt,
    /// The share of its distinct values that the key has.
    pub(crate) share: f64,
    /// The share of the key's values that it names.
    pub(crate) coverage: f64,
    /// What the names say of it.
    pub(super) naming: Naming,
    /// Whether other numbers would be among the keys as well, since these count the rows.
    is_by_chance: bool,
    /// Whether it has few distinct values, as codes and counts have.
    is_of_few: bool,
}

/// What names say of a foreign key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Naming {
    /// Nothing.
    None,
    /// It says what a row is to another of its table, as that of `manager_id`.
    Role,
    /// It has the name of the key.
    Key,
    /// Its last word is the name of the key's table, as that of `home_team`.
    LastWord,
    /// It has the name of the key's table.
    Table,
}

/// What somebody says of columns, as far as it opens or closes them to the search.
pub(super) struct Open<'o> {
    /// Whether a column may point to a key.
    pub(super) is_source: &'o dyn Fn(ColumnAt) -> bool,
    /// Whether a column may be the key of its table.
    pub(super) is_key: &'o dyn Fn(ColumnAt) -> bool,
}

/// The least share of values within the key where names say that a column points to it.
pub(super) const LEAST_SHARE_NAMED: f64 = 0.5;

/// The least share for words.
pub(super) const LEAST_SHARE_OF_WORDS: f64 = 0.9;

/// The least share for numbers, and the least part of the key's range that they reach over.
pub(super) const LEAST_SHARE_OF_NUMBERS: f64 = 0.99;
pub(super) const LEAST_SPREAD: f64 = 0.8;

/// The mean length of words, in bytes, from which on they are prose and no keys.
pub(super) const LENGTH_OF_PROSE: f64 = 60.0;

/// The fewest distinct values of a foreign key that no name tells.
pub(super) const FEWEST_VALUES: u64 = 5;

/// The most distinct numbers that are rather counts or codes than keys that count the rows of a table, where others have its name.
const FEW_NUMBERS: u64 = 30;

/// The greatest probability with which numbers drawn from the keys' range would all be keys, where that is no evidence.
const LEAST_CHANCE: f64 = 1e-6;

impl Link {
    /// The evidence in words.
    pub(crate) fn why(&self) -> String {
        let share = (self.share * 1000.0).floor() / 10.0;
        let names = match (self.is_named(), self.is_by_chance) {
            (true, _) => ", and its name says so",
            (false, true) => ", though no name says so",
            (false, false) => "",
        };
        format!("{share} % of its values are keys there{names}")
    }

    /// Whether the names say so.
    pub(super) fn is_named(&self) -> bool {
        self.naming > Naming::None
    }

    /// Whether its values are keys by chance, and columns of these tables have the name of the tables that they point to: one
    /// beside it, or, where its values are few, any other. That rows point to their own table says nothing of others.
    pub(super) fn is_less_likely_than(&self, named: &[(usize, usize)]) -> bool {
        let is_better = |&(from, to): &(usize, usize)| {
            from != to && to == self.to.0 && (self.is_of_few || from == self.from.0)
        };
        self.is_by_chance && !self.is_named() && named.iter().any(is_better)
    }

    /// Whether it leads from one of two keys to the other, and the other has many values that this one lacks: then the
    /// other column rather points to this one.
    fn is_backwards(&self, back: &Self) -> bool {
        self.share < LEAST_SHARE_OF_WORDS && (self.naming, self.share) < (back.naming, back.share)
    }

    /// Whether the evidence is better. Examples are no one's rows if other rows may be meant; of two keys with the same
    /// values, the one that is called the key of its table, else that of the wider table, is more likely to be pointed to.
    fn is_better(&self, other: &Self, database: &Database, label: ColumnAt) -> bool {
        let rank = |link: &Self| {
            let n_columns = database.tables[link.to.0].columns.len();
            let fits = (link.coverage.min(link.share), link.share);
            (link.is_named(), link.to.0 != label.0, fits, is_called_own_key(link.to, database), n_columns)
        };
        rank(self) > rank(other)
    }
}

/// The best foreign key that each column may be, to any column that may be a key.
///
/// **Cost**: for each column that may point and each that may be a key, a look at their names, sizes and ranges; where these
/// leave a chance, an intersection of their distinct values.
pub(super) fn links(
    database: &Database,
    profiles: &[Vec<Profile>],
    open: &Open<'_>,
    label: ColumnAt,
) -> Vec<Link> {
    let columns = |table: usize| (0..database.tables[table].columns.len()).map(move |column| (table, column));
    let all: Vec<ColumnAt> = (0..database.tables.len()).flat_map(columns).filter(|&at| at != label).collect();
    let may_be_key = |at: &ColumnAt| may_be_key(&profiles[at.0][at.1]) && (open.is_key)(*at);
    let of_keys = |keys: Vec<ColumnAt>| {
        let likely = Likely::new(database, profiles, &keys);
        Searching { database, profiles, label, keys, likely }
    };
    let searching = of_keys(all.iter().copied().filter(may_be_key).collect());
    // Examples that are each of another row are no one's rows themselves.
    let of_examples =
        |at: &ColumnAt| at.0 == label.0 && (open.is_source)(*at) && searching.points_forwards(*at);
    let searching = of_keys(searching.keys.iter().copied().filter(|at| !of_examples(at)).collect());
    let sources: Vec<ColumnAt> = all.into_iter().filter(|&from| (open.is_source)(from)).collect();
    let mut found: Vec<Link> = sources.par_iter().filter_map(|&from| searching.best(from)).collect();
    drop_chances(&mut found, database);
    let mut found = drop_mutual(&found, database, label);
    searching.lead_on(&mut found);
    found
}

/// The search for foreign keys.
struct Searching<'d> {
    database: &'d Database,
    profiles: &'d [Vec<Profile>],
    label: ColumnAt,
    /// The columns that may be keys.
    keys: Vec<ColumnAt>,
    likely: Likely,
}

impl Searching<'_> {
    /// The best key that a column may point to.
    fn best(&self, from: ColumnAt) -> Option<Link> {
        let Self { database, profiles, label, keys, likely } = self;
        let profile = &profiles[from.0][from.1];
        if !may_point(profile) {
            return None;
        }
        // Two tables that count their rows have the same keys, which says nothing.
        let counts_rows = from.0 != label.0 && profile.is_unique() && profile.is_whole();
        let likely = likely.keys(from, profile).map(|at| keys[at]);
        let (own, others): (Vec<ColumnAt>, Vec<ColumnAt>) = likely.partition(|to| to.0 == from.0);
        let others = others.into_iter().filter_map(|to| link(from, to, database, profiles));
        let others = others.filter(|link| link.is_named() || !counts_rows);
        let own = own.into_iter().filter(|&to| to != from);
        let own = own.filter_map(|to| own_link(from, to, database, profiles));
        let better =
            |best: Link, link: Link| if link.is_better(&best, database, *label) { link } else { best };
        match (others.reduce(better), own.reduce(better)) {
            (Some(other), Some(own)) if own.is_named() && !other.is_named() => Some(own),
            (other, own) => other.or(own),
        }
    }

    /// Whether the best key that a column may point to is rather that of other rows than a column that points back.
    fn points_forwards(&self, from: ColumnAt) -> bool {
        let back = |best: &Link| link(best.to, from, self.database, self.profiles);
        self.best(from).is_some_and(|best| back(&best).is_none_or(|back| !best.is_backwards(&back)))
    }

    /// The foreign keys of columns that lead on, from the key that they point to.
    fn longer(&self, found: &[Link]) -> Vec<Option<Link>> {
        let of_columns = LinksByColumn::new(found);
        let next = |of: &Link| {
            let to = of_columns.of(of.to)?.to;
            let next = link(of.from, to, self.database, self.profiles)?;
            (of.naming < Naming::Table && to.0 != of.from.0 && next.share >= of.share).then_some(next)
        };
        found.iter().map(next).collect()
    }

    /// Where columns point to a key that points to another key itself, lets them point to the latter, if they fit it. A
    /// column with the name of the table keeps to it.
    fn lead_on(&self, found: &mut [Link]) {
        // No path is longer than there are links, though they make a circle.
        for _ in 0..found.len() {
            let longer = self.longer(found);
            if longer.iter().all(Option::is_none) {
                return;
            }
            for (of, longer) in found.iter_mut().zip(longer) {
                if let Some(longer) = longer {
                    *of = longer;
                }
            }
        }
    }
}

/// Leaves out numbers that are among the keys of a table by chance, where another column has the table's name; and numbers of rows,
/// where any other column points to the table.
fn drop_chances(found: &mut Vec<Link>, database: &Database) {
    let named: Vec<ColumnAt> =
        found.iter().filter(|link| link.is_named()).map(|link| (link.from.0, link.to.0)).collect();
    found.retain(|link| !link.is_less_likely_than(&named));
    let is_number =
        |link: &Link| link.is_by_chance && !link.is_named() && is_called_own_key(link.from, database);
    let others: Vec<ColumnAt> =
        found.iter().filter(|link| !is_number(link)).map(|link| (link.from.0, link.to.0)).collect();
    found.retain(|link| !is_number(link) || !others.contains(&(link.from.0, link.to.0)));
}

/// Of two tables that point to each other, the one with the labels, else the one whose column is not called the key of its table, else
/// the later one, is the one that points; but one that lacks many of the other's keys rather points than is pointed to.
fn drop_mutual(found: &[Link], database: &Database, label: ColumnAt) -> Vec<Link> {
    let of_columns = LinksByColumn::new(found);
    let is_kept = |link: &Link| {
        let back = of_columns.of(link.to).filter(|other| other.to == link.from);
        back.is_none_or(|back| {
            let rank = |link: &Link| {
                let is_key = is_called_own_key(link.from, database);
                (link.from.0 == label.0, link.is_named(), !is_key, link.from)
            };
            !link.is_backwards(back) && (back.is_backwards(link) || rank(link) > rank(back))
        })
    };
    found.iter().filter(|link| is_kept(link)).cloned().collect()
}

/// Whether a column's values may name its rows.
fn may_be_key(profile: &Profile) -> bool {
    let is_measure = profile.n_decimal > 0 && profile.is_mostly_numeric();
    profile.is_unique()
        && !is_measure
        && (profile.is_whole() || profile.n_words > 0)
        && profile.mean_length < LENGTH_OF_PROSE
}

/// Whether a column's values may name other rows.
fn may_point(profile: &Profile) -> bool {
    profile.n_values > 0 && profile.n_long == 0 && (profile.is_whole() || profile.n_words > 0)
}

/// The values that a column has in common with a key.
#[derive(Clone, Copy, Debug)]
struct Shared {
    n: u64,
    /// In shares of the column's values.
    share: f64,
    /// In shares of the keys.
    coverage: f64,
}

impl Shared {
    /// None if there are none. **Cost**: an intersection.
    #[expect(clippy::cast_precision_loss, reason = "shares of counts")]
    fn of(of: &Profile, key: &Profile) -> Option<Self> {
        let n = of.distinct.intersection_len(&key.distinct);
        let share = |n_all: u64| n as f64 / n_all as f64;
        (n > 0).then(|| Self { n, share: share(of.n_distinct()), coverage: share(key.n_distinct()) })
    }
}

/// The foreign key that a column may be to another, if that is a key.
pub(super) fn link(
    from: ColumnAt,
    to: ColumnAt,
    database: &Database,
    profiles: &[Vec<Profile>],
) -> Option<Link> {
    let (of, key) = (&profiles[from.0][from.1], &profiles[to.0][to.1]);
    let Shared { n: n_shared, share, coverage } = Shared::of(of, key)?;
    let naming = naming(from, to, database);
    let name = &database.tables[from.0].columns[from.1].name;
    // Numbers of the rows of a table are rather names of these.
    let is_called_id = is_called_id(name) && !is_called_own_key(from, database);
    let is_by_chance = of.is_whole() && !is_called_id && are_keys_by_chance(of, key);
    let is_likely = if naming > Naming::None {
        share >= LEAST_SHARE_NAMED
    } else if of.is_whole() {
        // A measure often is 0, which is seldom a key.
        let begins_within = of.range.zip(key.range).is_some_and(|(of, key)| of.0 >= key.0);
        begins_within
            && !(is_by_chance && is_called_measure(name))
            && share >= LEAST_SHARE_OF_NUMBERS
            && spread(of, key) >= LEAST_SPREAD
            && of.n_distinct() >= FEWEST_VALUES
    } else {
        // Words among numbers are codes: `R` beside places 1 to 20.
        let are_words = of.n_words > of.n_whole;
        are_words && share >= LEAST_SHARE_OF_WORDS && n_shared >= FEWEST_VALUES.min(key.n_distinct())
    };
    let is_of_few = of.n_distinct() <= FEW_NUMBERS;
    is_likely.then_some(Link { from, to, share, coverage, naming, is_by_chance, is_of_few })
}

/// Whether numbers of the keys' range would be keys as well, since the keys leave few of them out.
#[expect(clippy::cast_precision_loss, reason = "a probability of counts")]
fn are_keys_by_chance(of: &Profile, key: &Profile) -> bool {
    let Some((first, last)) = key.range else { return false };
    let density = (key.n_distinct() as f64 / (last - first + 1.0)).min(1.0);
    density.powf(of.n_distinct() as f64) > LEAST_CHANCE
}

/// Whether a column is called an id: its last word is `id` or the like, as that of `buyer_id` and `buyerId`.
fn is_called_id(name: &str) -> bool {
    matches!(last_word(name).as_str(), "id" | "key" | "ref" | "fk" | "identifier")
}

/// The last word of a name, in small letters: words end at signs, at digits and before capitals that follow small letters.
fn last_word(name: &str) -> String {
    let name = name.trim_end_matches(|c: char| !c.is_alphabetic());
    let mut word: Vec<char> = Vec::new();
    for c in name.chars().rev() {
        if !c.is_alphabetic()
            || word.last().is_some_and(|next: &char| next.is_uppercase()) && c.is_lowercase()
        {
            break;
        }
        word.push(c);
    }
    word.iter().rev().flat_map(|c| c.to_lowercase()).collect()
}

/// The part of the key's range that the numbers reach over.
pub(super) fn spread(of: &Profile, key: &Profile) -> f64 {
    match (of.range, key.range) {
        (Some((least, greatest)), Some((first, last))) if last > first => (greatest - least) / (last - first),
        _ => 0.0,
    }
}

/// What the names say of a column that points to a key: it has the key's name, or that of the key's table, with or
/// without a word as `id`.
fn naming(from: ColumnAt, to: ColumnAt, database: &Database) -> Naming {
    let (from_table, to_table) = (&database.tables[from.0], &database.tables[to.0]);
    let name = plain(&from_table.columns[from.1].name);
    let key = plain(&to_table.columns[to.1].name);
    let table = plain(&to_table.name);
    let (bare, bare_key) = (without_id(&name), without_id(&key));
    if !bare.is_empty() && (bare == table || bare == singular(&table)) {
        return Naming::Table;
    }
    // A key called `id` alone is said by the table's name.
    let is_key = !bare_key.is_empty() && (name == key || name == bare_key || bare == key);
    if is_of_one(&from_table.columns[from.1].name, &table) {
        Naming::LastWord
    } else if is_key {
        Naming::Key
    } else {
        Naming::None
    }
}

/// Another table than the one that a column points to by few numbers alone, where its keys hold these numbers, too: the first of those
/// that `keys` has.
pub(super) fn other_target(
    from: ColumnAt,
    to: ColumnAt,
    keys: impl Iterator<Item = ColumnAt>,
    (database, profiles): (&Database, &[Vec<Profile>]),
) -> Option<ColumnAt> {
    let profile = &profiles[from.0][from.1];
    let is_open = profile.is_whole()
        && profile.n_distinct() <= FEW_NUMBERS
        && naming(from, to, database) == Naming::None;
    let mut others = keys.filter(|key| ![from.0, to.0].contains(&key.0) && is_open);
    others.find(|key| profile.distinct.is_subset(&profiles[key.0][key.1].distinct))
}

/// Whether a column's last word is a table's name in the singular: `home_team` is one of the teams, `n_orders` a number of
/// orders.
fn is_of_one(column: &str, table: &str) -> bool {
    const NUMBERS: [&str; 8] = ["n", "num", "number", "count", "total", "max", "min", "per"];
    let first: String = column.chars().take_while(char::is_ascii_alphabetic).collect();
    let last = last_word(without_id_word(column));
    !last.is_empty() && last == singular(table) && !NUMBERS.contains(&first.to_lowercase().as_str())
}

/// A name in small letters and digits.
pub(super) fn plain(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// The words for an id at the end of names.
const ID_WORDS: [&str; 8] = ["identifier", "number", "code", "key", "ref", "id", "no", "nr"];

/// A name in small letters without the word for an id at its end.
fn without_id(name: &str) -> &str {
    ID_WORDS.iter().find_map(|word| name.strip_suffix(word)).unwrap_or(name)
}

/// A name as it is written, without the word for an id at its end.
pub(super) fn without_id_word(name: &str) -> &str {
    let bare = |word: &&str| {
        let at = name.len().checked_sub(word.len())?;
        name.get(at..).filter(|end| end.eq_ignore_ascii_case(word)).map(|_| &name[..at])
    };
    let signs = |sign: char| !sign.is_alphanumeric();
    ID_WORDS.iter().find_map(bare).map_or(name, |bare| bare.trim_end_matches(signs))
}

/// Whether two columns have the same name, with or without a word for an id. Such a word alone is no name.
pub(super) fn are_called_alike(one: &str, other: &str) -> bool {
    let (one, other) = (plain(one), plain(other));
    !without_id(&one).is_empty() && without_id(&one) == without_id(&other)
}

/// A name without the ending of a plural.
fn singular(name: &str) -> String {
    match name {
        "people" => "person".to_owned(),
        "children" => "child".to_owned(),
        _ if name.ends_with("ies") => format!("{}y", &name[..name.len() - 3]),
        _ if name.ends_with("ses") || name.ends_with("xes") => name[..name.len() - 2].to_owned(),
        _ => name.strip_suffix('s').unwrap_or(name).to_owned(),
    }
}

/// What numbers measure or count, by the last words of names; `index` counts the rows of a table that pandas wrote.
const MEASURES: [&str; 68] = [
    "age",
    "amount",
    "area",
    "attendance",
    "balance",
    "budget",
    "capacity",
    "click",
    "cost",
    "count",
    "day",
    "depth",
    "discount",
    "distance",
    "duration",
    "fee",
    "goal",
    "grade",
    "height",
    "hour",
    "idx",
    "income",
    "index",
    "lap",
    "length",
    "level",
    "loss",
    "mark",
    "minute",
    "month",
    "pct",
    "percent",
    "percentage",
    "place",
    "point",
    "population",
    "position",
    "price",
    "priority",
    "profit",
    "qty",
    "quantity",
    "rank",
    "rate",
    "rating",
    "ratio",
    "revenue",
    "round",
    "row",
    "rownum",
    "salary",
    "score",
    "second",
    "severity",
    "size",
    "speed",
    "star",
    "step",
    "sum",
    "tax",
    "temperature",
    "total",
    "view",
    "volume",
    "vote",
    "week",
    "weight",
    "win",
];

/// Whether a column is called after what it measures.
fn is_called_measure(name: &str) -> bool {
    let last = last_word(name);
    MEASURES.iter().any(|measure| *measure == last || *measure == singular(&last))
}

/// Whether a column is called like the key of its own table.
fn is_called_own_key((table, column): ColumnAt, database: &Database) -> bool {
    let stored = &database.tables[table];
    is_called_key(&stored.name, &stored.columns[column].name)
}

/// Whether a column is called like the key of its table: `id`, or the table's name with such a word.
pub(super) fn is_called_key(table: &str, column: &str) -> bool {
    let called = plain(column);
    let bare = without_id(&called);
    let table = plain(table);
    called != bare && (bare.is_empty() || bare == table || bare == singular(&table))
}

/// The column that names the rows of a table, if one does: the one that most others point to, else one that is called
/// so, else one that counts the rows, else the first.
pub(crate) fn named_key(
    table: usize,
    database: &Database,
    profiles: &[Vec<Profile>],
    links: &LinksByColumn<'_>,
    label: ColumnAt,
) -> Option<usize> {
    let StoredTable { name, columns, .. } = &database.tables[table];
    let points = |column: usize| links.of((table, column)).is_some();
    let n_pointing = |column: usize| links.n_to((table, column));
    let is_called_so = |column: usize| is_called_key(name, &columns[column].name);
    // Ids count the rows, with few gaps.
    #[expect(clippy::cast_precision_loss, reason = "a rough comparison")]
    let counts = |column: usize| {
        let profile = &profiles[table][column];
        let n_rows = profile.n_values as f64;
        profile.is_whole() && profile.range.is_some_and(|(first, last)| last - first < 1.2 * n_rows)
    };
    (0..columns.len())
        .filter(|&column| (table, column) != label && may_be_key(&profiles[table][column]))
        .filter(|&column| n_pointing(column) > 0 || !points(column))
        .filter(|&column| n_pointing(column) > 0 || is_called_so(column) || column == 0 || counts(column))
        .max_by_key(|&column| {
            (n_pointing(column), is_called_so(column), counts(column), std::cmp::Reverse(column))
        })
}
