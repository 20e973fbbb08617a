//! The fourth stage of loading: the facts of each world after the rules.

use gleaner_base::{ConstantId, PredicateId};
use gleaner_engine::datalog::{FixpointError, fixpoint};
use gleaner_lang::program::{Clause, FactTable, Literal, PredicateName};
use gleaner_lang::syntax::Diagnostic;

use crate::aggregates::add_aggregates;
use crate::declare::{Declared, Task};
use crate::defined::{self, defined_predicates, type_tests};
use crate::freeze::Given;
use crate::gather::{Division, Facts, RawExamples, Statements, fit};
use crate::provisional::Provisional;
use crate::rule_graph::{asking, has_cycle};
use crate::time::{TimeWorlds, TimedWorlds, timed_worlds};
use crate::{asked, faults, train_rules};

/// The limit of facts that the rules may derive in all worlds together; beyond it they count as endless. The limit
/// grows with the given facts, between a least and a most. Small data thus cannot fill the memory.
const LEAST_DERIVED_FACTS: usize = 250_000;
const DERIVED_FACTS_PER_FACT: usize = 50;
const MOST_DERIVED_FACTS: usize = 20_000_000;
/// The most where no rule uses its own conclusions, so that the rules end: some 2 GB of facts.
const MOST_DERIVED_FACTS_THAT_END: usize = 60_000_000;

/// Data whose rules have run: worlds have taken the place of the given facts.
pub(super) struct Derived {
    pub(super) task: Task,
    pub(super) statements: Statements,
    /// The sizes of predicates before the rules ran.
    pub(super) given: Given,
    pub(super) worlds: WorldFacts,
}

/// Runs the rules, and finds the folds of examples that only their facts tell. Adds what it finds to `found`.
///
/// # Errors
///
/// The rules derive too much, or an atom to score is in no fold, or in several; times or cut-offs are missing or
/// malformed.
pub(super) fn derive(
    declared: Declared,
    max_derived_facts: Option<usize>,
    found: &mut Vec<Diagnostic>,
) -> Result<Derived, Diagnostic> {
    let Declared { task, mut statements, facts, rules, unplaced, .. } = declared;
    let is_timed = !statements.declarations.times.timed.is_empty();
    let n_predicates = statements.symbols.predicates().len();
    let given = Given::new(&statements.rules.list, &facts, n_predicates, is_timed);
    let n_constants = statements.symbols.constants().len();
    if !is_timed {
        let of_runs = train_rules::of_runs(&statements);
        let is_of_data = |rule: &(usize, &Clause)| !of_runs.contains(&rule.1.head.predicate);
        let rules = SomeRules::new(rules.iter().enumerate().filter(is_of_data).collect());
        let worlds = run_rules(&rules, max_derived_facts, facts, &mut statements)?;
        let n_constants = statements.symbols.constants().len();
        asked::place(&unplaced, &mut statements.examples, n_constants, &worlds.tables)?;
        return Ok(Derived { task, statements, given, worlds });
    }
    if task.known_target.is_some() {
        return Err(faults::target_in_body_beside_times());
    }
    if facts.are_in_folds() && !unplaced.is_empty() {
        let tables: Vec<FactTable> = facts.folds.iter().chain([&facts.global]).cloned().collect();
        asked::place(&unplaced, &mut statements.examples, n_constants, &tables)?;
    }
    let tests = type_tests(&statements, &defined_predicates(&statements));
    let of_worlds: Vec<PredicateId> = tests
        .iter()
        .copied()
        .chain(statements.symbols.open_aggregates().iter().map(|it| it.head.predicate))
        .collect();
    let timed = timed_worlds(&task.target, &rules, &of_worlds, facts, &mut statements, found)?;
    let worlds = run_rules_by_time(&rules, &tests, max_derived_facts, timed, &mut statements)?;
    Ok(Derived { task, statements, given, worlds })
}

/// The facts of each world after the rules, over provisional ids.
///
/// Without fold facts there is one world. Else each fold is a world with its own facts and the global ones. The last
/// world, for examples outside the folds, has only the global facts. `shared` marks the predicates that no fold's facts
/// reach: every world has the same rows of them.
///
/// With times each fold and cut-off is a world. The first table then is no world: it holds the facts that all share, and
/// the others lack them.
pub(super) struct WorldFacts {
    pub(super) tables: Vec<FactTable>,
    shared: Vec<bool>,
    by_time: Option<TimeWorlds>,
    /// Worlds that are taken out for a while, with their positions.
    hidden: Vec<(usize, FactTable)>,
}

impl WorldFacts {
    /// Adds the rows of aggregates that were proposed.
    ///
    /// # Errors
    ///
    /// There are too many rows.
    pub(super) fn add_aggregates(&mut self, n_known: usize, statements: &mut Statements) -> Result<(), ()> {
        let definitions = statements.symbols.aggregates()[n_known..].to_vec();
        let hidden = self.hidden.iter_mut().map(|(_, table)| table);
        self.tables.iter_mut().chain(hidden).for_each(|table| fit(table, &statements.symbols));
        fit(&mut statements.examples.rows, &statements.symbols);
        if self.by_time.is_some() {
            return self.add_aggregates_by_time(&definitions, statements);
        }
        let is_shared = |definition: &Clause| {
            let mut atoms = definition.body.iter().flat_map(Literal::atoms);
            atoms.all(|atom| self.shared[atom.predicate.index()])
        };
        let new: Vec<bool> = definitions.iter().map(is_shared).collect();
        self.shared.extend(new);
        let n_given = self.tables.iter().map(FactTable::n_rows).sum();
        let limits = (statements.symbols.constants().len(), usual_limit(n_given));
        let examples = &statements.examples.rows;
        add_aggregates(&definitions, &mut self.tables, examples, &mut statements.symbols, limits)
            .map_err(drop)
    }

    /// As [`Self::add_aggregates`], where each world has its own facts beside those that all share.
    fn add_aggregates_by_time(
        &mut self,
        definitions: &[Clause],
        statements: &mut Statements,
    ) -> Result<(), ()> {
        self.shared.resize(statements.symbols.predicates().len(), false);
        let Some((common, worlds)) = self.tables.split_first_mut() else { return Ok(()) };
        let hidden = self.hidden.iter_mut().map(|(_, table)| table);
        for table in worlds.iter_mut().chain(hidden) {
            let limits = (statements.symbols.constants().len(), usual_limit(table.n_rows()));
            let (examples, table_only) = (&statements.examples.rows, std::slice::from_mut(table));
            exchange_shared(&self.shared, common, &mut table_only[0]);
            let added = add_aggregates(definitions, table_only, examples, &mut statements.symbols, limits);
            exchange_shared(&self.shared, common, table);
            added.map_err(drop)?;
        }
        Ok(())
    }

    /// How many tables before those of the worlds hold what all worlds share.
    pub(super) const fn n_common(&self) -> usize {
        if self.by_time.is_some() { 1 } else { 0 }
    }

    /// The number of worlds.
    pub(super) const fn n_worlds(&self) -> usize {
        self.tables.len() - self.n_common()
    }

    /// The world of an example in a fold with these arguments.
    pub(super) fn world(&self, fold: Option<usize>, arguments: &[ConstantId]) -> usize {
        // The last world has the global facts alone.
        let last = self.n_worlds().saturating_sub(1);
        match &self.by_time {
            Some(by_time) => by_time.world(fold, arguments).unwrap_or(last),
            None => fold.filter(|&fold| fold < last).unwrap_or(last),
        }
    }

    /// Takes out the worlds that only test examples have, if there are times: nothing that is learnt with may depend on
    /// them. [`Self::show_test`] puts them back.
    pub(super) fn hide_test(
        &mut self,
        target: &PredicateName,
        examples: &RawExamples,
        symbols: &Provisional,
    ) {
        let test = match examples.division {
            Division::TrainTest | Division::TrainTuneTest => examples.fold_names.len().checked_sub(1),
            Division::None | Division::Folds => None,
        };
        let (Some(test), Some(_), Some(target)) = (test, &self.by_time, symbols.find_predicate(target))
        else {
            return;
        };
        let mut is_hidden = vec![true; self.n_worlds()];
        for example in examples.of(target).filter(|example| example.fold != Some(test)) {
            is_hidden[self.world(example.fold, examples.arguments(example))] = false;
        }
        let hidden =
            (0..is_hidden.len()).filter(|&world| is_hidden[world]).map(|world| world + self.n_common());
        let hidden: Vec<usize> = hidden.collect();
        let nothing = FactTable::new(symbols.predicates().iter().map(|name| name.arity));
        let mut take = |at: usize| (at, std::mem::replace(&mut self.tables[at], nothing.clone()));
        self.hidden = hidden.into_iter().map(&mut take).collect();
    }

    /// Puts hidden worlds back.
    pub(super) fn show_test(&mut self) {
        for (at, table) in std::mem::take(&mut self.hidden) {
            self.tables[at] = table;
        }
    }

    /// The argument of the target that is the cut-off, if examples have one.
    pub(super) fn cut_off_argument(&self) -> Option<usize> {
        self.by_time.as_ref().map(|by_time| by_time.argument)
    }

    /// For each predicate, whether all worlds have the same rows of it.
    pub(super) fn shared(&self) -> &[bool] {
        &self.shared
    }
}

fn run_rules(
    rules: &SomeRules,
    max_derived_facts: Option<usize>,
    facts: Facts,
    statements: &mut Statements,
) -> Result<WorldFacts, Diagnostic> {
    let tests = type_tests(statements, &defined_predicates(statements));
    let n_predicates = statements.symbols.predicates().len();
    let shared = shared_predicates(&rules.rules, &statements.symbols.open_aggregates(), &facts, n_predicates);
    let mut tables = Vec::new();
    if facts.are_in_folds() {
        for fold in facts.folds {
            let mut table = facts.global.clone();
            for id in (0..n_predicates).map(PredicateId::new) {
                table.rows_mut(id).append(fold.rows(id));
            }
            tables.push(table);
        }
    }
    tables.push(facts.global);
    let n_given: usize = tables.iter().map(FactTable::n_rows).sum();
    let limit = max_derived_facts.unwrap_or_else(|| limit_of_rules(&rules.rules, n_given));
    defined::fill(&tests, &mut tables, &statements.symbols);
    let mut left = limit;
    for table in &mut tables {
        rules.run(table, statements, limit, &mut left)?;
    }
    let definitions = statements.symbols.open_aggregates();
    let n_constants = statements.symbols.constants().len();
    let examples = &statements.examples.rows;
    add_aggregates(&definitions, &mut tables, examples, &mut statements.symbols, (n_constants, left))
        .map_err(|fault| aggregate_fault(fault, limit, statements))?;
    Ok(WorldFacts { tables, shared, by_time: None, hidden: Vec::new() })
}

/// Runs the rules of what all worlds share once, and the others in each world.
fn run_rules_by_time(
    rules: &[Clause],
    tests: &[PredicateId],
    max_derived_facts: Option<usize>,
    timed: TimedWorlds,
    statements: &mut Statements,
) -> Result<WorldFacts, Diagnostic> {
    let TimedWorlds { mut common, mut tables, local, worlds } = timed;
    let n_predicates = statements.symbols.predicates().len();
    let shared: Vec<bool> = (0..n_predicates).map(|id| !local.contains(&PredicateId::new(id))).collect();
    let n_given = common.n_rows() + tables.iter().map(FactTable::n_rows).sum::<usize>();
    let limit = max_derived_facts.unwrap_or_else(|| limit_of_rules(rules, n_given));
    let is_of_all = |rule: &(usize, &Clause)| shared[rule.1.head.predicate.index()];
    let (of_all, of_worlds) = rules.iter().enumerate().partition(is_of_all);
    let (of_all, of_worlds) = (SomeRules::new(of_all), SomeRules::new(of_worlds));
    let mut left = limit;
    of_all.run(&mut common, statements, limit, &mut left)?;
    for table in &mut tables {
        // The rules meet the facts that all share without a copy of them.
        exchange_shared(&shared, &mut common, table);
        defined::fill_with_own(tests, table, &statements.symbols);
        let ran = of_worlds.run(table, statements, limit, &mut left);
        let added = ran.and_then(|()| aggregates_of_world(table, statements, limit, left));
        exchange_shared(&shared, &mut common, table);
        added?;
    }
    tables.insert(0, common);
    Ok(WorldFacts { tables, shared, by_time: Some(worlds), hidden: Vec::new() })
}

/// Adds the rows of aggregates that modes and clauses name to a whole world.
fn aggregates_of_world(
    table: &mut FactTable,
    statements: &mut Statements,
    limit: usize,
    left: usize,
) -> Result<(), Diagnostic> {
    let definitions = statements.symbols.open_aggregates();
    let n_constants = statements.symbols.constants().len();
    let (examples, tables) = (&statements.examples.rows, std::slice::from_mut(table));
    add_aggregates(&definitions, tables, examples, &mut statements.symbols, (n_constants, left))
        .map_err(|fault| aggregate_fault(fault, limit, statements))
}

/// Some of the rules, with their positions among all.
struct SomeRules {
    rules: Vec<Clause>,
    positions: Vec<usize>,
}

impl SomeRules {
    fn new(rules: Vec<(usize, &Clause)>) -> Self {
        let (positions, rules) = rules.into_iter().map(|(at, rule)| (at, rule.clone())).unzip();
        Self { rules, positions }
    }

    /// Runs the rules, which may derive so many facts more.
    fn run(
        &self,
        table: &mut FactTable,
        statements: &mut Statements,
        limit: usize,
        left: &mut usize,
    ) -> Result<(), Diagnostic> {
        let statistics = fixpoint(&self.rules, table, &mut statements.symbols, *left);
        let fault = |error| fixpoint_fault(&self.among_all(error), limit, statements);
        *left -= statistics.map_err(fault)?.n_derived_facts;
        Ok(())
    }

    /// The same error with the rule's position among all rules.
    fn among_all(&self, error: FixpointError) -> FixpointError {
        match error {
            FixpointError::Unsafe { rule, fault } => {
                FixpointError::Unsafe { rule: self.positions[rule], fault }
            }
            FixpointError::TooWide { rule, width } => {
                FixpointError::TooWide { rule: self.positions[rule], width }
            }
            other => other,
        }
    }
}

/// Exchanges the rows of shared predicates between two tables.
fn exchange_shared(shared: &[bool], common: &mut FactTable, table: &mut FactTable) {
    for id in (0..shared.len()).filter(|&id| shared[id]).map(PredicateId::new) {
        std::mem::swap(common.rows_mut(id), table.rows_mut(id));
    }
}

/// The most facts that any rules may derive of so many.
pub(super) fn usual_limit(n_given: usize) -> usize {
    limit_below(MOST_DERIVED_FACTS, n_given)
}

/// The most facts that these rules may derive of so many.
fn limit_of_rules(rules: &[Clause], n_given: usize) -> usize {
    limit_below(if has_cycle(rules) { MOST_DERIVED_FACTS } else { MOST_DERIVED_FACTS_THAT_END }, n_given)
}

fn limit_below(most: usize, n_given: usize) -> usize {
    n_given.saturating_mul(DERIVED_FACTS_PER_FACT).clamp(LEAST_DERIVED_FACTS, most)
}

fn aggregate_fault(fault: FixpointError, limit: usize, statements: &Statements) -> Diagnostic {
    let name = |predicate| &statements.symbols.predicate_name(predicate).name;
    match fault {
        FixpointError::TooManyFacts { predicate, .. } => {
            let name = name(predicate);
            faults::fixpoint_failed(None, &format!("{name} takes more than {limit} derived facts"))
        }
        FixpointError::TooMuchWork { predicate } => {
            let what =
                format!("{} joins too many facts for a limit of {limit} derived facts", name(predicate));
            faults::fixpoint_failed(None, &what)
        }
        error => faults::fixpoint_failed(None, &error.to_string()),
    }
}

fn fixpoint_fault(error: &FixpointError, limit: usize, statements: &Statements) -> Diagnostic {
    let (rule, message) = match error {
        FixpointError::TooManyFacts { predicate, .. } => {
            let name = statements.symbols.predicate_name(*predicate);
            (None, format!("the rules derive more than {limit} facts, most of them of {name}"))
        }
        FixpointError::TooMuchWork { predicate } => {
            let name = statements.symbols.predicate_name(*predicate);
            (None, format!("the rules of {name} join too many facts for a limit of {limit} derived facts"))
        }
        FixpointError::Unsafe { rule, .. } | FixpointError::TooWide { rule, .. } => {
            (Some(*rule), error.to_string())
        }
        _ => (None, error.to_string()),
    };
    let place = rule.map(|rule| statements.rules.list[rule].place);
    faults::fixpoint_failed(place, &message)
}

/// The predicates that have no fold facts and depend on no predicate that has.
fn shared_predicates(
    rules: &[Clause],
    aggregates: &[Clause],
    facts: &Facts,
    n_predicates: usize,
) -> Vec<bool> {
    let has_fold_facts = |id: &PredicateId| facts.folds.iter().any(|fold| !fold.rows(*id).is_empty());
    let local = asking(
        (0..n_predicates).map(PredicateId::new).filter(has_fold_facts),
        rules.iter().chain(aggregates),
    );
    (0..n_predicates).map(|id| !local.contains(&PredicateId::new(id))).collect()
}
