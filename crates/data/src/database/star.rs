//! The star that clauses walk: from an example to the rows that it points to, to the rows that point to these.
//!
//! The relations of a database: what each row is, says or points to, of itself and of the rows that it points to.
//!
//! A foreign key leads from a row to one other row. So what that row says is also said of the first:
//! `lines_item_category(L, C)` is the category of the item of a line. Paths of foreign keys make a star of the database:
//! each row is one step from whatever it hangs on. A table may point to itself, as employees do to their managers.
//!
//! Foreign keys that lead in a circle: customers to their last order, and orders to customers.
//!
//! What points to a thing came after it, so keys on a circle say nothing of when rows came to be: they hold what is known
//! now. Rows with times see nothing through them; examples see what existed at their cut-offs.
//!
//! What examples point to: by foreign keys, and by those of the latest row that hangs on such a thing.
//!
//! A driver points to no team. But his latest result does: so `starts_driver_results_team_latest(E, T)` is his team at
//! the cut-off, and its rows tell of him, too.

use crate::database::times::cut_off;
use crate::tables::schema::{Kind, Schema};
use crate::tables::store::MISSING;
use gleaner_base::{FixedMap, FixedSet};
use gleaner_lang::program::PredicateName;

use super::latest::{Hanging, SeenTables};
use super::times::RowTimes;

/// The relations of a database that clauses use.
#[derive(Debug)]
pub(crate) struct Star {
    /// The table of the examples.
    pub(crate) examples: usize,
    /// By table, what its rows see; empty for tables that no example leads to.
    pub(crate) seen: Vec<Vec<Seen>>,
    /// By table, the foreign keys that lead to it: the table whose rows see each, and its place among what they see.
    pointing: Vec<Vec<(usize, usize)>>,
    /// Whether clauses can come to the rows of a table from an example.
    pub(crate) is_met: Vec<bool>,
    /// Whether examples are rows that hang on other examples, where their table points to itself. Those that point to an
    /// example came after it, so that no example with a cut-off has any.
    pub(crate) do_examples_hang: bool,
}

impl Star {
    /// The relations of a database with labels. Where examples have cut-offs, rows see nothing through a circle of keys.
    pub(crate) fn new(schema: &Schema) -> Self {
        let all = (0..schema.tables.len()).map(|table| seen_by(table, schema)).collect();
        let mut star = Self::of(all, schema);
        if cut_off(schema, &star).is_none() {
            return star;
        }
        let circles = Circles::new(schema);
        let is_known = |seen: &Seen| {
            let mut steps = schema.steps(seen.table, &seen.path).into_iter();
            seen.table == star.examples || !steps.any(|step| circles.has_timed(step, schema))
        };
        let mut known = std::mem::take(&mut star.seen);
        known.iter_mut().for_each(|seen| seen.retain(is_known));
        Self::of(known, schema)
    }

    /// The star of what the rows of each table see.
    fn of(all: Vec<Vec<Seen>>, schema: &Schema) -> Self {
        let examples = schema.label.map_or(0, |(table, _)| table);
        let pointing = pointing(&all, schema);
        let mut is_met = vec![false; all.len()];
        let mut open = vec![examples];
        while let Some(table) = open.pop() {
            if std::mem::replace(&mut is_met[table], true) {
                continue;
            }
            let pointed = all[table].iter().filter_map(|seen| match seen.kind(schema) {
                Kind::Foreign(to) => Some(to),
                _ => None,
            });
            open.extend(pointed);
            open.extend(pointing[table].iter().map(|&(child, _)| child).filter(|&child| child != examples));
        }
        let seen = all.into_iter().zip(&is_met).map(|(seen, &met)| if met { seen } else { Vec::new() });
        Self { examples, seen: seen.collect(), pointing, is_met, do_examples_hang: false }
    }

    /// The same, where examples may be rows that hang on other examples, or may not.
    pub(crate) fn with_hanging(self, do_examples_hang: bool) -> Self {
        Self { do_examples_hang, ..self }
    }

    /// The foreign keys, with or without a path before them, that lead from rows of a table to another table.
    pub(crate) fn links<'s>(
        &'s self,
        table: usize,
        schema: &'s Schema,
    ) -> impl Iterator<Item = (&'s Seen, usize)> + 's {
        self.seen[table].iter().filter_map(|seen| match seen.kind(schema) {
            Kind::Foreign(to) => Some((seen, to)),
            _ => None,
        })
    }

    /// The foreign keys that lead to rows of a table: those of other tables, and its own. Examples are no one's rows but
    /// those of other examples.
    pub(crate) fn links_to(&self, table: usize) -> impl Iterator<Item = &Seen> + '_ {
        let hang = move |of: usize| of != self.examples || of == table && self.do_examples_hang;
        let all = self.pointing[table].iter().filter(move |&&(of, _)| hang(of));
        let all = all.filter_map(|&(of, at)| self.seen[of].get(at));
        // A circle of several tables leads back to where it began.
        all.filter(move |seen| seen.table != table || seen.end.0 == table)
    }

    /// The foreign keys of examples that are arguments of the target: those to what other rows hang on, of other tables.
    pub(crate) fn head_links<'s>(
        &'s self,
        schema: &'s Schema,
    ) -> impl Iterator<Item = (&'s Seen, usize)> + 's {
        self.links(self.examples, schema).filter(move |(seen, _)| self.is_in_head(seen, schema))
    }

    /// Whether what rows see by a foreign key is an argument of the target.
    pub(crate) fn is_in_head(&self, seen: &Seen, schema: &Schema) -> bool {
        let Kind::Foreign(to) = seen.kind(schema) else { return false };
        let is_of_example = seen.table == self.examples && seen.path.is_empty();
        is_of_example && self.links_to(to).any(|down| down.table != to)
    }

    /// What rows of a table say, of themselves and of the rows that they point to.
    pub(crate) fn values<'s>(
        &'s self,
        table: usize,
        schema: &'s Schema,
    ) -> impl Iterator<Item = &'s Seen> + 's {
        let is_value = |seen: &&Seen| {
            matches!(seen.kind(schema), Kind::Category | Kind::Number | Kind::Code | Kind::Time)
        };
        self.seen[table].iter().filter(is_value)
    }
}

/// By table, the foreign keys that lead to it: the table whose rows see each, and its place among what they see.
fn pointing(all: &[Vec<Seen>], schema: &Schema) -> Vec<Vec<(usize, usize)>> {
    let mut pointing = vec![Vec::new(); all.len()];
    for (table, seen) in all.iter().enumerate() {
        for (at, seen) in seen.iter().enumerate() {
            if let Kind::Foreign(to) = seen.kind(schema) {
                pointing[to].push((table, at));
            }
        }
    }
    pointing
}

/// The end of the names of relations between rows and their ages.
pub(super) const AGE: &str = "_age";

/// The end of the names of relations between rows and their places among those that hang on the same thing: 1 is the
/// latest.
pub(super) const RECENCY: &str = "_recency";

/// A thing that each example points to.
#[derive(Clone, Debug)]
pub(super) struct ExampleLink {
    /// The name of the relation between examples and such things.
    pub(super) name: String,
    /// The table of the things.
    pub(super) to: usize,
    /// By example the row there, or [`MISSING`].
    pub(super) rows: Vec<u32>,
    /// Whether it is that of a latest row.
    pub(super) is_latest: bool,
    /// Whether its last step is a composite key of another table than the examples'.
    pub(super) is_far: bool,
}

/// The most foreign keys of a path to a column.
const MOST_STEPS: usize = 2;

/// The most relations of a table beside its own columns: wide databases have very many paths.
const MOST_OF_PATHS: usize = 400;

/// A column of a table as its rows, or rows that lead to it, see it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Seen {
    /// The table whose rows see it.
    pub(crate) table: usize,
    /// The foreign keys that lead to it, each a column of the table that the one before points to.
    pub(crate) path: Vec<usize>,
    /// The column at the end, and its table.
    pub(crate) end: (usize, usize),
    /// The name of the relation.
    pub(crate) name: String,
}

impl Seen {
    /// The kind of the column at the end.
    pub(crate) fn kind(&self, schema: &Schema) -> Kind {
        schema.tables[self.end.0].columns[self.end.1].kind
    }
}

/// All that the rows of a table see, its own columns first, then by the length of the path.
fn seen_by(table: usize, schema: &Schema) -> Vec<Seen> {
    let mut found = Vec::new();
    // Paths with the tables on them: no table is met twice, but where its rows point to rows of their own table.
    let mut paths: Vec<(Vec<usize>, Vec<usize>)> = vec![(Vec::new(), vec![table])];
    for _ in 0..=MOST_STEPS {
        let mut longer = Vec::new();
        for (path, tables) in &paths {
            let at = tables[tables.len() - 1];
            for column in 0..schema.tables[at].columns.len() {
                let kind = schema.tables[at].columns[column].kind;
                if !matches!(kind, Kind::Key | Kind::Label | Kind::Fold | Kind::LeftOut) {
                    found.push(seen(table, path, (at, column), schema));
                }
                let is_new = |to: usize| match to == at {
                    true => !tables[..tables.len() - 1].contains(&to),
                    false => !tables.contains(&to),
                };
                if let Kind::Foreign(to) = kind
                    && is_new(to)
                {
                    let of = |list: &[usize], next| list.iter().copied().chain([next]).collect();
                    longer.push((of(path, column), of(tables, to)));
                }
            }
        }
        paths = longer;
    }
    let n_own = found.iter().take_while(|seen| seen.path.is_empty()).count();
    found.truncate(n_own + MOST_OF_PATHS);
    found
}

/// A column at the end of a path of foreign keys.
pub(super) fn seen(table: usize, path: &[usize], end: (usize, usize), schema: &Schema) -> Seen {
    let name = format!("{}_{}", path_name(table, path, schema), schema.tables[end.0].columns[end.1].stem);
    Seen { table, path: path.to_vec(), end, name }
}

/// A table and the foreign keys that lead on from it, as the names of relations begin.
pub(super) fn path_name(table: usize, path: &[usize], schema: &Schema) -> String {
    let stem = |(at, column): (usize, usize)| &*schema.tables[at].columns[column].stem;
    let steps = schema.steps(table, path).into_iter().map(stem);
    std::iter::once(&*schema.tables[table].stem).chain(steps).collect::<Vec<_>>().join("_")
}

/// The tables on circles, each with all that it leads to.
#[derive(Debug)]
pub(super) struct Circles(FixedMap<usize, FixedSet<usize>>);

impl Circles {
    /// **Cost**: linear in the foreign keys for each table from which a circle can be reached.
    pub(super) fn new(schema: &Schema) -> Self {
        let tables = 0..schema.tables.len();
        let mut next: FixedMap<usize, Vec<usize>> =
            tables.map(|table| (table, schema.foreign_keys(table).map(|(_, to)| to).collect())).collect();
        // Without those that lead to none of the rest, only tables remain that lead to a circle.
        loop {
            let ends: FixedSet<usize> = next.keys().copied().collect();
            next.retain(|_, to| to.iter().any(|to| ends.contains(to)));
            if next.len() == ends.len() {
                break;
            }
        }
        let reached = |&table: &usize| {
            let (mut reached, mut open) = (FixedSet::default(), vec![table]);
            while let Some(at) = open.pop() {
                let to = next.get(&at).into_iter().flatten().copied();
                open.extend(to.filter(|&to| reached.insert(to)).collect::<Vec<_>>());
            }
            (table, reached)
        };
        Self(next.keys().map(reached).collect())
    }

    fn leads(&self, from: usize, to: usize) -> bool {
        self.0.get(&from).is_some_and(|reached| reached.contains(&to))
    }

    /// Whether a foreign key of a table is on a circle some of whose rows have times.
    pub(super) fn has_timed(&self, (table, column): (usize, usize), schema: &Schema) -> bool {
        let Kind::Foreign(to) = schema.tables[table].columns[column].kind else { return false };
        let is_on_circle = |&at: &usize| self.leads(to, at) && self.leads(at, to);
        self.leads(to, table)
            && self.0.keys().filter(|at| is_on_circle(at)).any(|&at| schema.tables[at].time.is_some())
    }
}

/// Whether clauses come to the rows of a table from an example. With cut-offs an example sees the rows alone that hang
/// on what it points to; without them rows that point to nothing say what they say through those that point to them.
pub(super) fn are_rows_met(
    table: usize,
    schema: &Schema,
    star: &Star,
    times: Option<&RowTimes>,
    links: &[ExampleLink],
) -> bool {
    let is_start = |to: usize| to == star.examples || links.iter().any(|link| link.to == to);
    let mut of_table = star.links(table, schema);
    match times {
        _ if table == star.examples => true,
        Some(_) => of_table.any(|(_, to)| is_start(to)),
        None => of_table.next().is_some(),
    }
}

/// Whether a foreign key of examples is a composite key of another table.
pub(super) fn is_far(seen: &Seen, schema: &Schema) -> bool {
    !seen.path.is_empty() && !schema.tables[seen.end.0].columns[seen.end.1].parts.is_empty()
}

/// What examples point to by foreign keys, if other rows hang on it or `takes_all` is true.
pub(super) fn foreign_links(
    schema: &Schema,
    star: &Star,
    tables: &SeenTables<'_>,
    takes_all: bool,
) -> Vec<ExampleLink> {
    let hangs = |to: usize| takes_all || star.links_to(to).next().is_some();
    let links = star.links(star.examples, schema).filter(|(_, to)| hangs(*to));
    let link = |(seen, to): (&Seen, usize)| {
        let path: Vec<usize> = seen.path.iter().copied().chain([seen.end.1]).collect();
        let rows = tables.graph.row_at_end(seen.table, &path, schema);
        ExampleLink { name: seen.name.clone(), to, rows, is_latest: false, is_far: is_far(seen, schema) }
    };
    links.map(link).collect()
}

/// What the latest rows point to that hang on what examples point to.
pub(super) fn latest_links(
    schema: &Schema,
    star: &Star,
    tables: &SeenTables<'_>,
    links: &[ExampleLink],
) -> Vec<ExampleLink> {
    let Some(times) = tables.times else { return Vec::new() };
    let mut found = Vec::new();
    for up in links {
        for down in star.links_to(up.to).filter(|down| down.path.is_empty()) {
            if times.of_tables[down.table].is_none() {
                continue;
            }
            let latest = tables.latest(Hanging { up, down });
            let is_other = |to: usize| to != up.to && star.links_to(to).next().is_some();
            let is_event = |to: usize| times.of_tables[to].is_some() || schema.tables[to].time.is_some();
            for (column, to) in
                schema.foreign_keys(down.table).filter(|(_, to)| is_other(*to) && !is_event(*to))
            {
                let targets = tables.graph.row_at_end(down.table, &[column], schema);
                let row = |row: &Option<u32>| row.map_or(MISSING, |row| targets[row as usize]);
                let of = &schema.tables[down.table].columns[column];
                found.push(ExampleLink {
                    name: format!("{}_{}_{}_latest", up.name, schema.tables[down.table].stem, of.stem),
                    to,
                    rows: latest.iter().map(row).collect(),
                    is_latest: true,
                    is_far: false,
                });
            }
        }
    }
    found
}

/// The target of a database: the column of labels, of a row, of what it points to, of its class if there are many, and
/// of its cut-off if it has one.
pub(super) fn target(schema: &Schema, star: &Star, has_cut_off: bool) -> PredicateName {
    let name = schema.label.map_or_else(String::new, |(table, column)| {
        let table = &schema.tables[table];
        format!("{}_{}", table.stem, table.columns[column].stem)
    });
    let n_others = usize::from(schema.has_classes) + usize::from(has_cut_off);
    PredicateName::new(name, class_argument(schema, star) + n_others)
}

/// The argument of the target that holds the class, from 0, if there are many.
pub(super) fn class_argument(schema: &Schema, star: &Star) -> usize {
    1 + star.head_links(schema).count()
}
