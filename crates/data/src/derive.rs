//! The fourth stage of loading: the facts of each world after the rules.

use gleaner_base::PredicateId;
use gleaner_engine::datalog::{FixpointError, fixpoint};
use gleaner_lang::program::{Clause, FactTable, Literal};
use gleaner_lang::syntax::Diagnostic;

use super::aggregates::add_aggregates;
use super::asked;
use super::declare::{Declared, Task};
use super::defined::defined_predicates;
use super::faults;
use super::gather::{Facts, Statements, fit};
use super::rule_graph::asking;
use super::sizes::Given;
use super::type_predicates::{self, type_tests};

/// The limit of facts that the rules may derive in all worlds together; beyond it they count as endless. The limit
/// grows with the given facts, between a least and a most. Small data thus cannot fill the memory.
const LEAST_DERIVED_FACTS: usize = 250_000;
const DERIVED_FACTS_PER_FACT: usize = 50;
const MOST_DERIVED_FACTS: usize = 20_000_000;

/// Data whose rules have run: worlds have taken the place of the given facts.
pub(super) struct Derived {
    pub(super) task: Task,
    pub(super) statements: Statements,
    /// The sizes of predicates before the rules ran.
    pub(super) given: Given,
    pub(super) worlds: WorldFacts,
}

/// Runs the rules, and finds the folds of examples that only their facts tell.
///
/// # Errors
///
/// The rules derive too much, or an atom to score is in no fold, or in several.
pub(super) fn derive(declared: Declared, max_derived_facts: Option<usize>) -> Result<Derived, Diagnostic> {
    let Declared { task, mut statements, facts, rules, unplaced, .. } = declared;
    let given = Given::new(&statements.rules.list, &facts, statements.symbols.predicates().len());
    let worlds = run_rules(&rules, max_derived_facts, facts, &mut statements)?;
    let n_constants = statements.symbols.constants().len();
    asked::place(&unplaced, &mut statements.examples, n_constants, &worlds.tables)?;
    Ok(Derived { task, statements, given, worlds })
}

/// The facts of each world after the rules, over provisional ids.
///
/// Without fold facts there is one world. Else each fold is a world with its own facts and the global ones. The last
/// world, for examples outside the folds, has only the global facts. `shared` marks the predicates that no fold's facts
/// reach: every world has the same rows of them.
pub(super) struct WorldFacts {
    pub(super) tables: Vec<FactTable>,
    shared: Vec<bool>,
}

impl WorldFacts {
    /// Adds the rows of aggregates that were proposed.
    ///
    /// # Errors
    ///
    /// There are too many rows.
    pub(super) fn add_aggregates(&mut self, n_known: usize, statements: &mut Statements) -> Result<(), ()> {
        let definitions = statements.symbols.aggregates()[n_known..].to_vec();
        self.tables.iter_mut().for_each(|table| fit(table, &statements.symbols));
        fit(&mut statements.examples.rows, &statements.symbols);
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

    /// For each predicate, whether all worlds have the same rows of it.
    pub(super) fn shared(&self) -> &[bool] {
        &self.shared
    }
}

fn run_rules(
    rules: &[Clause],
    max_derived_facts: Option<usize>,
    facts: Facts,
    statements: &mut Statements,
) -> Result<WorldFacts, Diagnostic> {
    let tests = type_tests(statements, &defined_predicates(statements));
    let n_predicates = statements.symbols.predicates().len();
    let shared = shared_predicates(rules, statements.symbols.aggregates(), &facts, n_predicates);
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
    let limit = max_derived_facts.unwrap_or(usual_limit(n_given));
    type_predicates::fill(&tests, &mut tables, &statements.symbols);
    let mut left = limit;
    for table in &mut tables {
        match fixpoint(rules, table, &mut statements.symbols, left) {
            Ok(statistics) => left -= statistics.n_derived_facts,
            Err(error) => return Err(fixpoint_fault(&error, limit, statements)),
        }
    }
    let definitions = statements.symbols.aggregates().to_vec();
    let n_constants = statements.symbols.constants().len();
    let examples = &statements.examples.rows;
    add_aggregates(&definitions, &mut tables, examples, &mut statements.symbols, (n_constants, left))
        .map_err(|fault| aggregate_fault(fault, limit, statements))?;
    Ok(WorldFacts { tables, shared })
}

/// The most facts that rules may derive of so many.
fn usual_limit(n_given: usize) -> usize {
    n_given.saturating_mul(DERIVED_FACTS_PER_FACT).clamp(LEAST_DERIVED_FACTS, MOST_DERIVED_FACTS)
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
