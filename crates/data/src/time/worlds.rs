//! A world for each cut-off: the facts that exist for its examples.

use gleaner_base::{ConstantId, FixedMap, FixedSet, PredicateId};
use gleaner_engine::datalog::NumberTable;
use gleaner_lang::program::{Clause, FactTable, Number, PredicateName, Rows};
use gleaner_lang::syntax::{Diagnostic, Severity};

use super::columns::{Pointed, TimeTable, WorldRows};
use super::rows::{Dating, TimedRows, TimedTable};
use crate::faults;
use crate::gather::time_terms::TimeDeclarations;
use crate::gather::{Declarations, Facts, RawExample, RawExamples, Statements};
use crate::provisional::Provisional;
use crate::rule_graph::asking;
use crate::texts::number_texts::{decimal_number, whole_number};
use crate::texts::{Limit, Point, Time};

/// The most facts of all worlds together, before rules run. Each takes about 25 bytes in the end.
const MOST_FACTS: usize = 100_000_000;

/// A relation of a world takes as much memory as so many facts.
const FACTS_PER_RELATION: usize = 8;

/// The world of each example, by its cut-off.
#[derive(Clone, Debug)]
pub(in super::super) struct TimeWorlds {
    /// The argument of the target that is the cut-off.
    pub(in super::super) argument: usize,
    worlds: FixedMap<(Option<usize>, ConstantId), usize>,
}

impl TimeWorlds {
    /// The number of the world of examples in a fold with these arguments.
    pub(in super::super) fn world(&self, fold: Option<usize>, arguments: &[ConstantId]) -> Option<usize> {
        self.worlds.get(&(fold, arguments[self.argument])).copied()
    }
}

/// The facts of each world before rules run.
#[derive(Debug)]
pub(in super::super) struct TimedWorlds {
    /// The facts that all worlds share.
    pub(in super::super) common: FactTable,
    /// By world, the other facts.
    pub(in super::super) tables: Vec<FactTable>,
    /// The predicates that worlds do not share: those with a time or of folds, and those whose rules ask for them.
    pub(in super::super) local: FixedSet<PredicateId>,
    pub(in super::super) worlds: TimeWorlds,
}

/// Reads a time as a directive writes it.
pub(super) fn read_time(text: &str) -> Option<Time> {
    let whole = whole_number(text).map(Number::Integer);
    Time::read(text, whole.or_else(|| decimal_number(text).map(Number::Float)))
}

/// Divides the facts into worlds by the cut-offs of the target's examples. Adds what it finds to `found`.
///
/// **Cost**: the facts of all worlds together.
///
/// # Errors
///
/// Times or cut-offs that cannot be read or are missing; worlds with too many facts. All but the last are in `found`.
pub(in super::super) fn timed_worlds(
    target: &PredicateName,
    rules: &[Clause],
    further_local: &[PredicateId],
    facts: Facts,
    statements: &mut Statements,
    found: &mut Vec<Diagnostic>,
) -> Result<TimedWorlds, Diagnostic> {
    let mut dating = Dating::new(statements);
    let mut of_folds: FixedSet<PredicateId> = FixedSet::default();
    let tables = scope_tables(facts, &mut of_folds);
    let mut scopes = Scopes(tables.into_iter().map(|table| dating.divide(table)).collect());
    let cut_offs = CutOffs::new(target, statements, &dating, scopes.0.len());
    found.extend(dating.found);
    let cut_offs = cut_offs?;
    if let Some(at) = found.iter().rposition(|told| told.severity() == Severity::Error) {
        return Err(found.remove(at));
    }
    let timed = scopes.0.iter().flat_map(|scope| &scope.timed);
    let timed = timed.flat_map(|rows| std::iter::once(rows.predicate).chain(rows.ages.map(|(_, age)| age)));
    let timed = timed.chain(statements.declarations.times.places.iter().map(|(_, places, _)| *places));
    let first = timed.chain(of_folds).chain(further_local.iter().copied());
    let local = asking(first, rules.iter());
    let declared = statements.declarations.times.clone();
    let reached = declared.reached.as_ref();
    if reached.is_none() {
        scopes.check_size(&cut_offs, &local)?;
    }
    let pointed = reached.map(|reached| Pointed::new(reached, &scopes.0[0].untimed));
    let common = scopes.take_common(&local);
    let mut ages =
        Ages { symbols: &mut statements.symbols, known: FixedMap::default(), counts: Counts::default() };
    let mut tables = Vec::with_capacity(cut_offs.worlds.len());
    let mut n_facts = 0;
    for (world, examples) in cut_offs.worlds.iter().zip(&cut_offs.examples) {
        let existing = |predicate| scopes.existing(world, predicate);
        let rows = reached.zip(pointed.as_ref());
        let rows = rows.map(|(reached, pointed)| WorldRows::new(reached, pointed, examples, existing));
        let table = scopes.table(world, (rows.as_ref(), &declared), &mut ages);
        n_facts += table.n_rows() + local.len() * FACTS_PER_RELATION;
        tables.push(table);
        if n_facts > MOST_FACTS {
            return Err(faults::too_many_cut_offs(cut_offs.worlds.len(), n_facts, MOST_FACTS));
        }
    }
    Ok(TimedWorlds { common, tables, local, worlds: cut_offs.by_example })
}

/// The given facts of each fold with the global ones, and last the global ones alone; only these, if folds have no facts.
fn scope_tables(facts: Facts, of_folds: &mut FixedSet<PredicateId>) -> Vec<FactTable> {
    let mut tables = Vec::new();
    if facts.are_in_folds() {
        for fold in facts.folds {
            let mut table = facts.global.clone();
            for id in (0..fold.n_predicates()).map(PredicateId::new) {
                if !fold.rows(id).is_empty() {
                    of_folds.insert(id);
                    table.rows_mut(id).append(fold.rows(id));
                }
            }
            tables.push(table);
        }
    }
    tables.push(facts.global);
    tables
}

/// A world: examples of one scope and one cut-off.
#[derive(Clone, Copy, Debug)]
struct World {
    scope: usize,
    cut_off: Time,
    limit: Limit,
    /// The limit of a frozen fold.
    frozen: Option<Limit>,
    /// Whether rows that examples name may be of the moment of the cut-off: their fold is not frozen by then.
    sees_same: bool,
}

/// What tells a world from others: the scope, the cut-off, and the directive that freezes the fold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct WorldKey {
    scope: usize,
    cut_off: ConstantId,
    freeze: Option<usize>,
}

/// The worlds of all examples, ascending by scope and cut-off.
struct CutOffs {
    worlds: Vec<World>,
    /// The first argument of each world's examples.
    examples: Vec<Vec<ConstantId>>,
    by_example: TimeWorlds,
}

impl CutOffs {
    fn new(
        target: &PredicateName,
        statements: &Statements,
        dating: &Dating<'_>,
        n_scopes: usize,
    ) -> Result<Self, Diagnostic> {
        let Statements { symbols, examples, declarations: Declarations { times, .. }, .. } = statements;
        let Some(of_target) = times.cut_offs.iter().find(|it| it.target == *target) else {
            return Err(faults::no_cut_off(target, times.timed.first().map(|facts| facts.place)));
        };
        let mut known: FixedMap<WorldKey, World> = FixedMap::default();
        let mut keys: FixedMap<(Option<usize>, ConstantId), WorldKey> = FixedMap::default();
        for example in symbols.find_predicate(target).into_iter().flat_map(|id| examples.of(id)) {
            let cut_off = examples.arguments(example)[of_target.argument];
            if keys.contains_key(&(example.fold, cut_off)) {
                continue;
            }
            let Some(time) = dating.cut_off(cut_off) else {
                let text = symbols.constant_text(cut_off);
                return Err(faults::cut_off_is_no_time(example.place, text, dating.sample()));
            };
            let scope = example.fold.filter(|fold| fold + 1 < n_scopes).unwrap_or(n_scopes - 1);
            let key = WorldKey { scope, cut_off, freeze: freeze_of(example, examples, times) };
            keys.insert((example.fold, cut_off), key);
            let frozen = key.freeze.and_then(|at| read_time(&times.frozen[at].time));
            let limit = time.limit(of_target.is_inclusive);
            let sees_same = frozen.is_none_or(|at| at.is_after(time));
            let frozen = frozen.map(|at| at.limit(false));
            known.insert(key, World { scope, cut_off: time, limit, frozen, sees_same });
        }
        let mut order: Vec<(WorldKey, World)> = known.into_iter().collect();
        order.sort_by(|(left, of_left), (right, of_right)| {
            let by_time = || of_left.cut_off.of_fact().compare(&of_right.cut_off.of_fact());
            let by_text = || symbols.constant_text(left.cut_off).cmp(symbols.constant_text(right.cut_off));
            let by_scope = left.scope.cmp(&right.scope);
            by_scope.then_with(by_time).then_with(by_text).then(left.freeze.cmp(&right.freeze))
        });
        let numbers: FixedMap<WorldKey, usize> =
            order.iter().enumerate().map(|(number, (key, _))| (*key, number)).collect();
        let worlds = keys.into_iter().map(|(of_example, key)| (of_example, numbers[&key])).collect();
        let by_example = TimeWorlds { argument: of_target.argument, worlds };
        let mut of_worlds: Vec<Vec<ConstantId>> = vec![Vec::new(); order.len()];
        for example in symbols.find_predicate(target).into_iter().flat_map(|id| examples.of(id)) {
            let arguments = examples.arguments(example);
            let world = by_example.world(example.fold, arguments);
            world.into_iter().for_each(|world| of_worlds[world].extend(arguments.first()));
        }
        let worlds = order.into_iter().map(|(_, world)| world).collect();
        Ok(Self { worlds, examples: of_worlds, by_example })
    }
}

/// The directive that freezes the fold of an example.
fn freeze_of(example: &RawExample, examples: &RawExamples, times: &TimeDeclarations) -> Option<usize> {
    let name = &examples.fold_names[example.fold?];
    times.frozen.iter().position(|freeze| freeze.fold == *name)
}

/// The facts of each scope, with those that have a time apart.
struct Scopes(Vec<TimedTable>);

impl World {
    /// How many of these facts exist: the first ones.
    fn n_existing(&self, rows: &TimedRows, times: &TimeTable) -> usize {
        let exists =
            |point: &Point| self.limit.admits(point) && self.frozen.is_none_or(|frozen| frozen.admits(point));
        let n_existing = times.n_existing(exists);
        rows.ranks.partition_point(|&rank| rank < n_existing)
    }

    /// The later facts of the moment of the cut-off.
    fn same<'t>(&self, rows: &'t TimedRows, n_existing: usize, times: &TimeTable) -> Vec<&'t [ConstantId]> {
        let later = (n_existing..rows.ranks.len()).filter(|_| self.sees_same);
        let timed = later.filter_map(|position| Some((position, times.at(rows.ranks[position])?)));
        let may_be = |(_, time): &(usize, Time)| time.of_fact().compare(&self.cut_off.of_fact()).is_le();
        let is_same = |(_, time): &(usize, Time)| time.is_no_later_than(self.cut_off);
        timed.take_while(may_be).filter(is_same).map(|(position, _)| rows.rows.row(position)).collect()
    }
}

impl Scopes {
    /// Checks that the worlds are not too many for their facts.
    fn check_size(&self, cut_offs: &CutOffs, local: &FixedSet<PredicateId>) -> Result<(), Diagnostic> {
        let n_of_world = |world: &World| -> usize {
            let TimedTable { untimed, timed, times } = &self.0[world.scope];
            let of_rules = local.iter().filter(|id| id.index() < untimed.n_predicates());
            let n_untimed: usize = of_rules.map(|&id| untimed.rows(id).len()).sum();
            let n_each = |rows: &TimedRows| self_and_age(rows) * world.n_existing(rows, times);
            n_untimed + timed.iter().map(n_each).sum::<usize>()
        };
        let n_facts = cut_offs.worlds.iter().map(n_of_world).sum();
        let n_worlds = cut_offs.worlds.len();
        // A world without facts takes memory, too.
        let n_relations = n_worlds * local.len() * FACTS_PER_RELATION;
        if n_facts + n_relations > MOST_FACTS {
            Err(faults::too_many_cut_offs(n_worlds, n_facts, MOST_FACTS))
        } else {
            Ok(())
        }
    }

    /// Takes the facts that all worlds share: those of the first scope, since no fold has its own.
    fn take_common(&mut self, local: &FixedSet<PredicateId>) -> FactTable {
        let mut common = FactTable::default();
        for (number, scope) in self.0.iter_mut().enumerate() {
            for id in (0..scope.untimed.n_predicates()).map(PredicateId::new) {
                let is_local = local.contains(&id);
                let arity = scope.untimed.rows(id).arity();
                let shared = if is_local { Rows::new(arity) } else { scope.untimed.take_rows(id) };
                if number == 0 {
                    common.add_predicate(arity);
                    *common.rows_mut(id) = shared;
                }
            }
        }
        common
    }

    /// The facts of a predicate that have a time, and how many of them exist in a world.
    fn existing(&self, world: &World, predicate: PredicateId) -> Option<(&TimedRows, usize)> {
        let TimedTable { timed, times, .. } = &self.0[world.scope];
        let rows = timed.iter().find(|rows| rows.predicate == predicate)?;
        Some((rows, world.n_existing(rows, times)))
    }

    /// The facts of a world that others do not share; of `rows` alone, if examples come to no others.
    fn table(
        &self,
        world: &World,
        (reached, declared): (Option<&WorldRows<'_>>, &TimeDeclarations),
        ages: &mut Ages<'_>,
    ) -> FactTable {
        let TimedTable { untimed, timed, times } = &self.0[world.scope];
        // The facts that all share were taken out.
        let mut table = untimed.clone();
        for rows in timed {
            let n_existing = world.n_existing(rows, times);
            let given = table.rows_mut(rows.predicate);
            let met = reached.map(|reached| reached.of(rows.predicate));
            let is_met = |row: &&[ConstantId]| met.as_ref().is_none_or(|met| met.admits(row));
            rows.rows.iter().take(n_existing).filter(is_met).for_each(|row| given.push(row));
            if declared.named.get(&rows.predicate).is_some_and(|&knows_same| knows_same) {
                let same = world.same(rows, n_existing, times).into_iter();
                same.filter(is_met).for_each(|row| given.push(row));
            }
            let Some((argument, age_predicate)) = rows.ages else { continue };
            let mut aged: Vec<ConstantId> = Vec::new();
            for row in rows.rows.iter().take(n_existing).filter(is_met) {
                let own = times.time(row[argument].raw());
                let Some(age) = own.and_then(|own| own.age_at(world.cut_off)) else { continue };
                aged.clear();
                aged.extend_from_slice(row);
                aged[argument] = ages.constant(age);
                table.rows_mut(age_predicate).push(&aged);
            }
        }
        for &(down, places, times) in &declared.places {
            let Some((rows, n_existing)) = self.existing(world, down) else { continue };
            ages.counts.begin();
            let met = reached.map(|reached| reached.of(down));
            let of_table = table.rows_mut(places);
            // All rows count, also those that no example of this world comes to: places do not depend on the examples.
            let mut put = |row: &[ConstantId]| {
                let place = i64::from(ages.counts.one_more(row[1]));
                if met.as_ref().is_none_or(|met| met.admits(row)) {
                    let place = ages.constant(Number::Integer(place));
                    of_table.push(&[row[0], place]);
                }
            };
            let known_later_first = (0..n_existing).rev().map(|position| rows.rows.row(position));
            let Some((of_rows, n_rows)) = times.and_then(|times| self.existing(world, times)) else {
                known_later_first.for_each(&mut put);
                continue;
            };
            // A row may hang there from later on than it came to be, and its own time counts.
            let order = of_rows.rows.iter().take(n_rows).zip(0_usize..);
            let order: FixedMap<ConstantId, usize> = order.map(|(row, at)| (row[0], at)).collect();
            let mut sorted: Vec<&[ConstantId]> = known_later_first.collect();
            sorted.sort_by_key(|row| std::cmp::Reverse(order.get(&row[0])));
            sorted.into_iter().for_each(put);
        }
        table
    }
}

/// How many facts each of these gives to a world.
const fn self_and_age(rows: &TimedRows) -> usize {
    if rows.ages.is_some() { 2 } else { 1 }
}

/// The constants of ages: most worlds have the same whole ones.
struct Ages<'s> {
    symbols: &'s mut Provisional,
    known: FixedMap<i64, ConstantId>,
    counts: Counts,
}

/// Counts by constant that begin anew in constant time: worlds may be many, and most have few of the constants.
#[derive(Default)]
struct Counts {
    /// By constant, the round of its count, and the count.
    of: Vec<(u32, u32)>,
    round: u32,
}

impl Counts {
    fn begin(&mut self) {
        self.round = self.round.checked_add(1).unwrap_or_else(|| {
            self.of.clear();
            1
        });
    }

    /// The count of a constant in this round, with one more.
    fn one_more(&mut self, constant: ConstantId) -> u32 {
        if constant.index() >= self.of.len() {
            self.of.resize((constant.index() + 1).next_power_of_two(), (0, 0));
        }
        let (round, n) = &mut self.of[constant.index()];
        *n = if *round == self.round { *n + 1 } else { 1 };
        *round = self.round;
        *n
    }
}

impl Ages<'_> {
    fn constant(&mut self, age: Number) -> ConstantId {
        match age {
            Number::Integer(whole) => {
                let symbols = &mut *self.symbols;
                *self.known.entry(whole).or_insert_with(|| symbols.intern(age))
            }
            Number::Float(_) => self.symbols.intern(age),
        }
    }
}
