//! Facts of a database, and what is declared of them: their types, and from when on they are known.

use std::sync::Arc;

use gleaner_base::{ConstantId, PredicateId};
use gleaner_lang::program::{PredicateName, Rows};
use gleaner_lang::syntax::Place;

use super::calendar::{is_known, parts_of};
use super::rows::RowGraph;
use super::star::{Seen, Star};
use super::times::{RowTimes, days_before, in_years};
use crate::database::star::{AGE, ExampleLink, RECENCY};
use crate::database::times::value_type;
use crate::gather::Gathered;
use crate::gather::time_terms::{LatestFirst, TimedArgument, TimedFacts};
use crate::tables::schema::{Kind, Schema};
use crate::tables::store::{Database, LONG, MISSING};
use crate::texts::Time;

/// What rows say, where it has a time.
pub(super) struct TimedValues {
    pub(super) predicate: PredicateId,
    /// The table of the rows.
    pub(super) table: usize,
    /// Whether it is known at the very moment of the cut-off, as of rows that examples point to.
    pub(super) knows_same: bool,
}

/// Writes facts and what is declared of them.
pub(super) struct Writer<'w> {
    pub(super) database: &'w Database,
    pub(super) schema: &'w Schema,
    pub(super) star: &'w Star,
    pub(super) graph: &'w RowGraph<'w>,
    pub(super) gathered: &'w mut Gathered,
}

impl Writer<'_> {
    /// What examples see: of themselves, and of the rows that they point to and that exist at their cut-offs.
    pub(super) fn examples_values(&mut self, times: Option<&RowTimes>) {
        let table = self.star.examples;
        for seen in &self.star.seen[table] {
            let kind = seen.kind(self.schema);
            let mut cells = self.graph.cells(seen, self.schema);
            let mut name = seen.name.clone();
            if kind == Kind::Time {
                for part in parts_of(seen, self.star).filter(|_| is_known(seen, times)) {
                    let of_part = part.cells(&cells, &mut self.gathered.statements.symbols);
                    self.untimed(&part.relation(seen), seen, of_part);
                }
                match times {
                    Some(times) if seen.path.is_empty() && seen.end.1 == times.cut_off => continue,
                    Some(times) => {
                        self.ages(times.cut_off, &mut cells);
                        name.push_str(AGE);
                    }
                    None => self.years(&mut cells),
                }
            }
            self.untimed(&name, seen, cells);
        }
    }

    /// A relation of examples. The keys that they name are known, whenever the rows of these came.
    fn untimed(&mut self, name: &str, seen: &Seen, cells: Vec<u32>) {
        let predicate = self.relation(name, seen, cells);
        let name = self.gathered.statements.symbols.predicate_name(predicate).clone();
        self.gathered.statements.declarations.times.untimed.push((name, Place::default()));
    }

    /// What the latest rows point to.
    pub(super) fn latest_links(&mut self, links: &[ExampleLink]) {
        for link in links.iter().filter(|link| link.is_latest) {
            let names = self.graph.names(link.to);
            let name = |&row: &u32| names.get(row as usize).map_or(MISSING, |name| name.raw());
            let cells: Vec<u32> = link.rows.iter().map(name).collect();
            let predicate = self.facts(&link.name, self.star.examples, cells);
            let types = [self.star.examples, link.to].map(|table| self.schema.tables[table].stem.clone());
            self.declare_types(predicate, types.to_vec());
        }
    }

    /// What the rows of these tables see; gives the values that have a time.
    pub(super) fn rows_of_all(
        &mut self,
        tables: impl Iterator<Item = usize>,
        times: Option<&RowTimes>,
        (links, takes_all): (&[ExampleLink], bool),
    ) -> Vec<TimedValues> {
        let mut found = Vec::new();
        for table in tables {
            let sight = self.graph.sight();
            let pointing = || links.iter().filter(|link| link.to == table);
            let hides = pointing().any(|link| sight.is_some_and(|sight| sight.hides_some(link)));
            // By modes of the user all that names a row has its time; so who names it has to be told apart always.
            let is_timed = times.is_some_and(|times| times.of_tables[table].is_some());
            // They lead to what came later, too, by way of rows that name it.
            let is_late = || times.is_some_and(|times| times.is_named_later(table, self.schema));
            let is_named = pointing().next().is_some();
            let hides = hides || takes_all && is_timed && (is_named || is_late());
            let late = self.schema.tables[table].time.filter(|_| takes_all && !hides && is_late());
            let timed = match late {
                Some(own) => self.late_rows(table, own),
                None => self.rows_of(table, times, hides),
            };
            let knows_same = (hides || late.is_some()) && is_named && !pointing().any(|link| link.is_far);
            found.extend(timed.into_iter().map(|(predicate, is_of_row)| TimedValues {
                predicate,
                table,
                knows_same: knows_same && is_of_row,
            }));
        }
        found
    }

    /// What the rows of another table see. Foreign keys have the row's time, and so has all else if examples point to rows that came
    /// later, which they must not see. What rows see through others that came later has the time of these.
    ///
    /// Gives the predicates of all else that has a time, and whether it is the row's.
    fn rows_of(&mut self, table: usize, times: Option<&RowTimes>, hides: bool) -> Vec<(PredicateId, bool)> {
        let mut with_time = Vec::new();
        let of_table = times.and_then(|times| times.of_tables[table].as_ref());
        // What points to nothing is no row of a world. What examples see of such rows is said of the examples themselves.
        if hides && of_table.is_none() {
            return with_time;
        }
        let stem = &self.schema.tables[table].stem;
        if let Some(of_table) = of_table {
            self.times(table, (&of_table.name, &of_table.cells), stem, true);
            for later in &of_table.later {
                let predicate = self.times(table, (&later.name, &later.cells), &later.name, false);
                with_time.push((predicate, false));
            }
        }
        for seen in &self.star.seen[table] {
            let later = of_table.and_then(|of_table| of_table.later(&seen.path));
            let since = TimedArgument::Of(later.map_or(stem, |later| &later.name).clone());
            let mut cells = self.graph.cells(seen, self.schema);
            match seen.kind(self.schema) {
                Kind::Time if of_table.is_some_and(|of| of.name == seen.name) => {}
                Kind::Time if times.is_none() => {
                    self.years(&mut cells);
                    self.relation(&seen.name, seen, cells);
                }
                // What happened to a row later than it came to be is known from then on.
                Kind::Time if seen.path.is_empty() => {
                    let predicate = self.relation(&seen.name, seen, cells);
                    self.timed(predicate, (vec![TimedArgument::Any, TimedArgument::Time], true));
                }
                Kind::Time => {}
                Kind::Foreign(_) => {
                    let predicate = self.relation(&seen.name, seen, cells);
                    if of_table.is_some() {
                        self.timed(predicate, (vec![since, TimedArgument::Any], true));
                        let times = of_table.filter(|_| later.is_some()).map(|of| &*of.name);
                        self.places(&seen.name, stem, times);
                    }
                }
                _ => {
                    let predicate = self.relation(&seen.name, seen, cells);
                    if of_table.is_some() && (hides || later.is_some()) {
                        self.timed(predicate, (vec![since, TimedArgument::Any], true));
                        with_time.push((predicate, later.is_none()));
                    }
                }
            }
        }
        with_time
    }

    /// What the rows of a table see that point to nothing, from their times on. Gives its predicates.
    fn late_rows(&mut self, table: usize, own: usize) -> Vec<(PredicateId, bool)> {
        let stem = &self.schema.tables[table].stem;
        let cells = &self.database.tables[table].columns[own].cells;
        let mut with_time = Vec::new();
        for seen in &self.star.seen[table] {
            if seen.end.1 == own {
                self.times(table, (&seen.name, cells), stem, true);
                continue;
            }
            let predicate = self.relation(&seen.name, seen, self.graph.cells(seen, self.schema));
            let is_time = seen.kind(self.schema) == Kind::Time;
            let of = if is_time { TimedArgument::Time } else { TimedArgument::Any };
            self.timed(predicate, (vec![TimedArgument::Of(stem.clone()), of], true));
            with_time.push((predicate, true));
        }
        with_time
    }

    /// The places of rows among those with the same foreign key, from the latest: its facts are those of each cut-off. `times` names the
    /// times of the rows, where the key may be known from later on.
    fn places(&mut self, foreign_key: &str, stem: &str, times: Option<&str>) {
        let named = |name: String| PredicateName::new(name, 2);
        let [facts, places] = ["", RECENCY].map(|end| named(format!("{foreign_key}{end}")));
        let times = times.map(|name| named(name.to_owned()));
        let types = vec![stem.to_owned(), places.name.clone()];
        self.gathered.statements.symbols.predicate(&places.name, 2);
        let declarations = &mut self.gathered.statements.declarations;
        declarations.declared_types.push((places.clone(), types, Place::default()));
        declarations.times.latest.push(LatestFirst { facts, places, times, place: Place::default() });
    }

    /// The times that rows of a table have, for facts whose first argument has this type.
    fn times(
        &mut self,
        table: usize,
        (name, cells): (&str, &[u32]),
        of_type: &str,
        has_ages: bool,
    ) -> PredicateId {
        let predicate = self.facts(name, table, cells.to_vec());
        self.declare_types(predicate, vec![self.schema.tables[table].stem.clone(), name.to_owned()]);
        let key = TimedArgument::Key(of_type.to_owned());
        self.timed(predicate, (vec![key, TimedArgument::Time], has_ages));
        predicate
    }

    /// The facts of a column, with their types.
    fn relation(&mut self, name: &str, seen: &Seen, cells: Vec<u32>) -> PredicateId {
        let predicate = self.facts(name, seen.table, cells);
        let types = vec![self.schema.tables[seen.table].stem.clone(), value_type(seen, self.schema)];
        self.declare_types(predicate, types);
        predicate
    }

    /// Adds a fact for each cell with a value.
    fn facts(&mut self, name: &str, table: usize, cells: Vec<u32>) -> PredicateId {
        let statements = &mut self.gathered.statements;
        let predicate = statements.symbols.predicate(name, 2);
        statements.first_facts.entry(predicate).or_insert(self.database.tables[table].place);
        self.gathered.facts.fit(&statements.symbols);
        let rows = self.gathered.facts.global.rows_mut(predicate);
        let names = self.graph.names(table);
        let are_given = || names.iter().zip(&cells).all(|(name, &cell)| name.raw() < LONG && cell < LONG);
        if rows.is_empty() && cells.len() == names.len() && are_given() {
            // The relations of a table share its names, and take 4 bytes a row.
            *rows = Rows::function(
                vec![Arc::clone(names)],
                cells.into_iter().map(ConstantId::from_raw).collect(),
            );
            return predicate;
        }
        for (&name, cell) in names.iter().zip(cells) {
            if cell < LONG && name.raw() < LONG {
                rows.push(&[name, ConstantId::from_raw(cell)]);
            }
        }
        predicate
    }

    fn declare_types(&mut self, predicate: PredicateId, types: Vec<String>) {
        let statements = &mut self.gathered.statements;
        let name = statements.symbols.predicate_name(predicate).clone();
        statements.declarations.declared_types.push((name, types, Place::default()));
    }

    fn timed(&mut self, predicate: PredicateId, (arguments, has_ages): (Vec<TimedArgument>, bool)) {
        let statements = &mut self.gathered.statements;
        let predicate = statements.symbols.predicate_name(predicate).clone();
        let place = Place::default();
        let timed = TimedFacts { predicate, arguments, age_name: None, has_ages, place };
        statements.declarations.times.timed.push(timed);
    }

    /// Puts the ages at the cut-offs in the place of what examples know to have happened; by example.
    fn ages(&mut self, cut_off: usize, cells: &mut [u32]) {
        let cut_offs = &self.database.tables[self.star.examples].columns[cut_off].cells;
        let views = self.graph.sight().map_or(&[][..], |sight| &sight.views);
        let symbols = &mut self.gathered.statements.symbols;
        for (example, cell) in cells.iter_mut().enumerate().filter(|(_, cell)| **cell < LONG) {
            let time = Time::read(symbols.constants().text(*cell), None);
            let is_known = views[example].as_ref().zip(time).is_some_and(|(view, time)| view.knows(time));
            *cell = if is_known { days_before(*cell, cut_offs[example], symbols) } else { MISSING };
        }
    }

    fn years(&mut self, cells: &mut [u32]) {
        let symbols = &mut self.gathered.statements.symbols;
        cells.iter_mut().filter(|cell| **cell < LONG).for_each(|cell| *cell = in_years(*cell, symbols));
    }
}
