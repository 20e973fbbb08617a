//! From tables and their schema to facts, examples and declarations.
//!
//! Each relation is between a row and one value, so a clause takes one column at a time, and a cell without a value is
//! no fact.

use gleaner_base::{ConstantId, PredicateId};
use gleaner_lang::program::PredicateName;
use gleaner_lang::syntax::{Diagnostic, Place, quote_atom};

use super::examples::{add_examples, fold_names};
use super::faults;
use super::given::GivenSchema;
use super::links::{ExampleLink, are_rows_met, foreign_links, latest_links};
use super::modes::{declare_modes, value_type};
use super::paths::Seen;
use super::propose::{FrozenFold, LabelName, find_label, propose_schema};
use super::rows::RowGraph;
use super::schema::{Kind, Schema};
use super::schema_text::schema_text;
use super::star::Star;
use super::store::{Database, LONG, MISSING};
use super::summaries::{Summaries, View};
use super::times::{RowTimes, days_before, in_years, row_times};
use crate::gather::Gathered;
use crate::time::Time;
use crate::time::reach::ReachedRows;
use crate::time::terms::{CutOff, Freeze, TimedArgument, TimedFacts};

/// What is asked of a database.
#[derive(Clone, Debug, Default)]
pub(crate) struct DatabaseRequest {
    /// The column of labels, if the user names it.
    pub(crate) label: Option<LabelName>,
    /// Whether the examples are only scored.
    pub(crate) is_scored: bool,
    /// Whether the labels are numbers to predict.
    pub(crate) takes_numbers: bool,
    /// Whether the schema is all that is asked for.
    pub(crate) only_schema: bool,
    /// Whether the user gives modes, which then are the only ones.
    pub(crate) has_modes: bool,
    /// The times from which on rows do not exist for the examples of a fold.
    pub(crate) frozen: Vec<FrozenFold>,
}

/// Puts what the tables say into the gathered data. Tells what is wrong or odd.
pub(crate) fn settle(
    database: &Database,
    request: &DatabaseRequest,
    given: &GivenSchema,
    gathered: &mut Gathered,
) {
    // What is wrong in a table explains what would be wrong with all of them.
    if gathered.messages.have_error() {
        return;
    }
    if let Err(fault) = compiled(database, request, given, gathered) {
        gathered.messages.push(fault);
    }
}

fn compiled(
    database: &Database,
    request: &DatabaseRequest,
    given: &GivenSchema,
    gathered: &mut Gathered,
) -> Result<(), Diagnostic> {
    let symbols = &mut gathered.statements.symbols;
    let (given, unknown) = given.settled(database);
    let label = find_label(database, request.label.as_ref(), &given);
    let schema = propose_schema(database, label.as_ref().ok().copied(), &given, symbols);
    gathered.messages.extend(unknown);
    gathered.statements.schema = Some(schema_text(&schema));
    gathered.statements.has_given_modes = request.has_modes;
    label?;
    if request.only_schema {
        return Ok(());
    }
    let symbols = &mut gathered.statements.symbols;
    let star = Star::new(&schema);
    let graph = RowGraph::new(database, &schema, symbols);
    let times = row_times(&schema, &star, &graph, symbols);
    tell_of_joins(database, &schema, &star, &graph, gathered);
    let views = views(database, &schema, times.as_ref(), request, gathered);
    let tables = Summaries { database, schema: &schema, graph: &graph, times: times.as_ref(), views };
    let mut links = foreign_links(&schema, &star, &tables);
    links.extend(latest_links(&schema, &star, &tables, &links, &gathered.statements.symbols));
    let mut writer = Writer { database, schema: &schema, star: &star, graph: &graph, gathered };
    writer.examples_values(times.as_ref());
    writer.latest_links(&links);
    let are_met = |&table: &usize| {
        let is_met = || are_rows_met(table, &schema, &star, times.as_ref(), &links);
        table != star.examples && star.is_met[table] && (request.has_modes || is_met())
    };
    for table in (0..schema.tables.len()).filter(are_met) {
        writer.rows_of(table, times.as_ref());
    }
    // Modes of the user may lead anywhere: then all facts of a row have its time, and no row is left out.
    if let Some(times) = times.as_ref().filter(|_| !request.has_modes) {
        let reached = reached_rows(&schema, &star, times, &links, gathered);
        gathered.statements.declarations.times.reached = Some(reached);
    }
    add_examples(database, &schema, (&graph, &star), times.as_ref(), request, gathered)?;
    if request.has_modes {
        return Ok(());
    }
    let summaries = declare_modes(&schema, &star, times.as_ref(), &links, gathered);
    tables.add_all(&summaries, gathered);
    for (_, relation) in &summaries {
        gathered.statements.symbols.take_as_given(*relation);
    }
    Ok(())
}

/// Tells of tables that nothing joins to the examples, and of foreign keys without a row.
fn tell_of_joins(
    database: &Database,
    schema: &Schema,
    star: &Star,
    graph: &RowGraph<'_>,
    gathered: &mut Gathered,
) {
    for (table, stored) in database.tables.iter().enumerate() {
        if !star.is_met[table] {
            gathered.messages.push(faults::joins_nothing(stored));
            continue;
        }
        for (column, to) in schema.foreign_keys(table) {
            if let (n, Some(first)) = graph.without_row(table, column) {
                let first = gathered.statements.symbols.constants().text(first);
                let fault = faults::keys_without_row(&stored.columns[column], &database.tables[to], n, first);
                gathered.messages.push(fault);
            }
        }
    }
}

/// Writes facts and what is declared of them.
struct Writer<'w> {
    database: &'w Database,
    schema: &'w Schema,
    star: &'w Star,
    graph: &'w RowGraph<'w>,
    gathered: &'w mut Gathered,
}

impl Writer<'_> {
    /// What examples see: it is known at their cut-offs, whatever its time.
    fn examples_values(&mut self, times: Option<&RowTimes>) {
        let table = self.star.examples;
        for seen in &self.star.seen[table] {
            let kind = seen.kind(self.schema);
            let mut cells = self.graph.cells(seen, self.schema);
            let mut name = seen.name.clone();
            if kind == Kind::Time {
                match times {
                    Some(times) if seen.path.is_empty() && seen.end.1 == times.cut_off => continue,
                    Some(times) => {
                        let cut_offs = &self.database.tables[table].columns[times.cut_off].cells;
                        let symbols = &mut self.gathered.statements.symbols;
                        let pairs = cells.iter_mut().zip(cut_offs);
                        pairs
                            .filter(|(cell, cut_off)| **cell < LONG && **cut_off < LONG)
                            .for_each(|(cell, &cut_off)| *cell = days_before(*cell, cut_off, symbols));
                        name.push_str(AGE);
                    }
                    None => self.years(&mut cells),
                }
            }
            self.relation(&name, seen, &cells);
        }
    }

    /// What the latest rows point to.
    fn latest_links(&mut self, links: &[ExampleLink]) {
        for link in links.iter().filter(|link| link.is_latest) {
            let names = self.graph.names(link.to);
            let name = |&row: &u32| names.get(row as usize).copied().unwrap_or(MISSING);
            let cells: Vec<u32> = link.rows.iter().map(name).collect();
            let predicate = self.facts(&link.name, self.star.examples, &cells);
            let types = [self.star.examples, link.to].map(|table| self.schema.tables[table].stem.clone());
            self.declare_types(predicate, types.to_vec());
        }
    }

    /// What the rows of another table see.
    fn rows_of(&mut self, table: usize, times: Option<&RowTimes>) {
        let of_table = times.and_then(|times| times.of_tables[table].as_ref());
        if let Some(of_table) = of_table {
            let key = TimedArgument::Key(self.schema.tables[table].stem.clone());
            let predicate = self.facts(&of_table.name, table, &of_table.cells);
            let types = vec![self.schema.tables[table].stem.clone(), of_table.name.clone()];
            self.declare_types(predicate, types);
            self.timed(predicate, vec![key, TimedArgument::Time], true);
        }
        for seen in &self.star.seen[table] {
            let mut cells = self.graph.cells(seen, self.schema);
            match seen.kind(self.schema) {
                Kind::Time if of_table.is_some_and(|of| of.name == seen.name) => {}
                Kind::Time if times.is_none() => {
                    self.years(&mut cells);
                    self.relation(&seen.name, seen, &cells);
                }
                // What happened to a row later than it came to be is known from then on.
                Kind::Time if seen.path.is_empty() => {
                    let predicate = self.relation(&seen.name, seen, &cells);
                    self.timed(predicate, vec![TimedArgument::Any, TimedArgument::Time], true);
                }
                Kind::Time => {}
                Kind::Foreign(_) => {
                    let predicate = self.relation(&seen.name, seen, &cells);
                    if of_table.is_some() {
                        let row = TimedArgument::Of(self.schema.tables[table].stem.clone());
                        self.timed(predicate, vec![row, TimedArgument::Any], false);
                        // Its facts are those of each cut-off.
                        let recency = self.facts(&format!("{}{RECENCY}", seen.name), table, &[]);
                        let of_row = self.schema.tables[table].stem.clone();
                        self.declare_types(recency, vec![of_row, format!("{}{RECENCY}", seen.name)]);
                    }
                }
                _ => {
                    self.relation(&seen.name, seen, &cells);
                }
            }
        }
    }

    /// The facts of a column, with their types.
    fn relation(&mut self, name: &str, seen: &Seen, cells: &[u32]) -> PredicateId {
        let predicate = self.facts(name, seen.table, cells);
        let types = vec![self.schema.tables[seen.table].stem.clone(), value_type(seen, self.schema)];
        self.declare_types(predicate, types);
        predicate
    }

    /// Adds a fact for each cell with a value.
    fn facts(&mut self, name: &str, table: usize, cells: &[u32]) -> PredicateId {
        let statements = &mut self.gathered.statements;
        let predicate = statements.symbols.predicate(name, 2);
        statements.first_facts.entry(predicate).or_insert(self.database.tables[table].place);
        self.gathered.facts.fit(&statements.symbols);
        let rows = self.gathered.facts.global.rows_mut(predicate);
        for (&row, &cell) in self.graph.names(table).iter().zip(cells) {
            if cell < LONG && row < LONG {
                rows.push(&[ConstantId::from_raw(row), ConstantId::from_raw(cell)]);
            }
        }
        predicate
    }

    fn declare_types(&mut self, predicate: PredicateId, types: Vec<String>) {
        let statements = &mut self.gathered.statements;
        let name = statements.symbols.predicate_name(predicate).clone();
        statements.declarations.declared_types.push((name, types, Place::default()));
    }

    fn timed(&mut self, predicate: PredicateId, arguments: Vec<TimedArgument>, has_ages: bool) {
        let statements = &mut self.gathered.statements;
        let predicate = statements.symbols.predicate_name(predicate).clone();
        let place = Place::default();
        let timed = TimedFacts { predicate, arguments, age_name: None, is_in_whole_days: has_ages, place };
        statements.declarations.times.timed.push(timed);
    }

    fn years(&mut self, cells: &mut [u32]) {
        let symbols = &mut self.gathered.statements.symbols;
        cells.iter_mut().filter(|cell| **cell < LONG).for_each(|cell| *cell = in_years(*cell, symbols));
    }
}

/// The end of the names of relations between rows and their ages.
pub(super) const AGE: &str = "_age";

/// The end of the names of relations between rows and their places among those that hang on the same thing: 1 is the
/// latest.
pub(super) const RECENCY: &str = "_recency";

/// Declares that an argument of the target is the cut-off.
pub(super) fn declare_cut_off(target: &PredicateName, request: &DatabaseRequest, gathered: &mut Gathered) {
    let cut_off = CutOff {
        target: target.clone(),
        argument: target.arity - 1,
        is_inclusive: false,
        place: Place::default(),
    };
    gathered.statements.declarations.times.cut_offs.push(cut_off);
    for FrozenFold { fold, time } in &request.frozen {
        let (fold, time) = (fold.clone(), quote_atom(time).into_owned());
        gathered.statements.declarations.times.frozen.push(Freeze { fold, time, place: Place::default() });
    }
}

/// The rows that clauses come to from examples: those that hang on what these point to.
fn reached_rows(
    schema: &Schema,
    star: &Star,
    times: &RowTimes,
    links: &[ExampleLink],
    gathered: &mut Gathered,
) -> ReachedRows {
    let symbols = &mut gathered.statements.symbols;
    let mut reached = ReachedRows::default();
    for table in (0..schema.tables.len()).filter(|&table| table != star.examples) {
        let Some(of_table) = &times.of_tables[table] else { continue };
        let is_time = |seen: &&Seen| seen.kind(schema) == Kind::Time && seen.path.is_empty();
        let of_times = star.seen[table].iter().filter(is_time).map(|seen| &seen.name);
        for name in of_times.chain([&of_table.name]) {
            reached.tables.insert(symbols.predicate(name, 2), table);
        }
        for (down, to) in star.links(table, schema) {
            let recency = symbols.predicate(&format!("{}{RECENCY}", down.name), 2);
            let down = symbols.predicate(&down.name, 2);
            reached.recency.push((down, recency));
            reached.tables.insert(down, table);
            let of_links = links.iter().filter(|link| link.to == to);
            let ups: Vec<Option<PredicateId>> =
                of_links.map(|up| Some(symbols.predicate(&up.name, 2))).collect();
            let own = (to == star.examples).then_some(None);
            reached.hanging.extend(ups.into_iter().chain(own).map(|up| (up, down)));
        }
    }
    reached
}

/// What each example may see: rows before its cut-off, and before the time at which its fold is frozen.
fn views(
    database: &Database,
    schema: &Schema,
    times: Option<&RowTimes>,
    request: &DatabaseRequest,
    gathered: &Gathered,
) -> Vec<Option<View>> {
    let (Some((table, _)), Some(times)) = (schema.label, times) else { return Vec::new() };
    let stored = &database.tables[table];
    let symbols = &gathered.statements.symbols;
    let folds = fold_names(stored, &schema.tables[table], gathered);
    let view = |row: usize| {
        let cell = stored.columns[times.cut_off].cells[row];
        let cut_off = Time::read((cell < LONG).then(|| symbols.constants().text(cell))?, None)?;
        let freeze = request.frozen.iter().find(|freeze| folds[row].as_deref() == Some(&*freeze.fold));
        let frozen = freeze.and_then(|freeze| Time::read(&freeze.time, None)).map(|time| time.limit(false));
        Some(View { cut_off, limits: [Some(cut_off.limit(false)), frozen] })
    };
    (0..stored.n_rows).map(view).collect()
}
