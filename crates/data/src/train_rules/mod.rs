//! Rules about train examples: facts that each run has of its own. [GLEANER §4.1.3, Appendix A.7]
//!
//! Rules may ask for `train_positive(A, ...)` and `train_negative(A, ...)`, which are true of a run's train examples, with
//! the target's arguments. What follows from them differs from run to run, so loading leaves it empty.
//!
//! The predicates of rules that ask for train examples are *statistics*. They are found over the facts of all worlds of train
//! together, and given to every world; a model keeps them. All other rules then run in each world alone. So data that were not
//! learnt from get the same facts as a tested fold.

mod computed;
mod statistics;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};

use gleaner_base::{ExampleId, FixedMap, FixedSet, PredicateId};
use gleaner_engine::datalog::Background;
use gleaner_lang::program::{Clause, FactTable, Number, Rows};
use gleaner_lang::syntax::Diagnostic;

use crate::declare::Task;
use crate::defined::defined_predicates;
use crate::faults;
use crate::gather::Statements;
use crate::rule_graph::{TRAIN_PREDICATES, asking, body_predicates, is_of_train};
use computed::computed_columns;

pub use computed::NewNumbers;
pub use statistics::Statistics;

/// The predicates of train examples that rules ask for; predicates with facts or rules of their own are others.
fn train_predicates(statements: &Statements) -> Vec<PredicateId> {
    let names = statements.symbols.predicates().iter().enumerate();
    let named: Vec<PredicateId> =
        names.filter(|(_, name)| is_of_train(name)).map(|(id, _)| PredicateId::new(id)).collect();
    if named.is_empty() {
        return named;
    }
    let defined = defined_predicates(statements);
    named.into_iter().filter(|id| !defined.contains(id)).collect()
}

/// The predicates whose rules ask for train examples, directly or through other rules.
pub(super) fn of_runs(statements: &Statements) -> FixedSet<PredicateId> {
    let of_train = train_predicates(statements);
    let mut all = asking(of_train.iter().copied(), statements.rules.list.iter().map(|rule| &rule.clause));
    of_train.iter().for_each(|id| {
        all.remove(id);
    });
    all
}

/// Faults of rules about train examples.
pub(super) fn check(task: &Task, statements: &Statements) -> Vec<Diagnostic> {
    let of_train = train_predicates(statements);
    let rules = &statements.rules.list;
    let asks = |clause: &Clause| body_predicates(clause).find(|id| of_train.contains(id));
    let Some(first) = rules.iter().find(|rule| asks(&rule.clause).is_some()) else { return Vec::new() };
    let name = |id: PredicateId| statements.symbols.predicate_name(id);
    let mut found = Vec::new();
    for rule in rules {
        let Some(id) = asks(&rule.clause) else { continue };
        if name(id).arity != task.target.arity {
            found.push(faults::train_arity(rule.place, name(id), &task.target));
        }
    }
    let examples = &statements.examples;
    let apart = [
        (task.known_target.is_some(), "⁅target-in-body⁆"),
        (!statements.declarations.times.timed.is_empty(), "facts with a time"),
        (examples.classes.is_some(), "many classes"),
        (examples.numbers.is_some(), "a target that is a number"),
    ];
    found.extend(apart.iter().filter(|(is, _)| *is).map(|(_, what)| faults::train_apart(first.place, what)));
    let of_runs = of_runs(statements);
    let is_of_run = |clause: &&Clause| body_predicates(clause).any(|id| of_runs.contains(&id));
    if let Some(aggregate) = statements.symbols.aggregates().iter().find(is_of_run) {
        found.push(faults::train_in_aggregate(&name(aggregate.head.predicate).name));
    }
    if task.extra.restriction.as_ref().is_some_and(|clause| is_of_run(&clause)) {
        found.push(faults::train_apart(first.place, "a restriction by what follows from train examples"));
    }
    found
}

/// The rules about train examples of a problem, over its ids.
#[derive(Clone, Debug)]
pub struct TrainRules {
    /// The predicates of positives and negatives, where rules ask for them.
    of_train: [Option<PredicateId>; 2],
    /// All rules of predicates that follow from train examples.
    rules: Vec<Clause>,
    /// The heads of rules that ask for train examples.
    statistics: BTreeSet<PredicateId>,
    /// The heads of all.
    derived: BTreeSet<PredicateId>,
    /// Predicates with an argument that may be a new number.
    with_numbers: BTreeSet<PredicateId>,
    /// The most facts that the rules may derive of the facts of all worlds together.
    limit: usize,
    /// The seed by which train examples are dealt out.
    pub rng_seed: u64,
    /// The statistics that were found; copies of the rules share them.
    kept: Arc<Mutex<FixedMap<KeptKey, Kept>>>,
}

/// How many constants the symbols have, and the train examples.
type KeptKey = (usize, Vec<ExampleId>);

/// The facts of each predicate, and the numbers that the symbols lack.
type Kept = (BTreeMap<PredicateId, Rows>, Vec<(String, Option<Number>)>);

impl TrainRules {
    /// The rules about train examples among those of a program, over provisional ids.
    pub(super) fn of(statements: &Statements, rng_seed: u64) -> Option<Self> {
        let of_runs = of_runs(statements);
        if of_runs.is_empty() {
            return None;
        }
        let of_train = train_predicates(statements);
        let name = |id: &PredicateId| &statements.symbols.predicate_name(*id).name;
        let all = statements.rules.list.iter().map(|rule| &rule.clause);
        let rules: Vec<Clause> = all.filter(|rule| of_runs.contains(&rule.head.predicate)).cloned().collect();
        let asks = |rule: &&Clause| body_predicates(rule).any(|id| of_train.contains(&id));
        Some(Self {
            of_train: TRAIN_PREDICATES.map(|wanted| of_train.iter().copied().find(|id| name(id) == wanted)),
            statistics: rules.iter().filter(asks).map(|rule| rule.head.predicate).collect(),
            derived: rules.iter().map(|rule| rule.head.predicate).collect(),
            with_numbers: computed_columns(&rules).into_iter().map(|(predicate, _)| predicate).collect(),
            rules,
            limit: 0,
            rng_seed,
            kept: Arc::default(),
        })
    }

    /// The same rules over other ids, which may derive so many facts.
    pub(super) fn renamed(
        self,
        clause: impl Fn(&Clause) -> Clause,
        predicate: impl Fn(PredicateId) -> PredicateId,
        limit: usize,
    ) -> Self {
        let all = |ids: BTreeSet<PredicateId>| ids.into_iter().map(&predicate).collect();
        Self {
            of_train: self.of_train.map(|id| id.map(&predicate)),
            rules: self.rules.iter().map(clause).collect(),
            statistics: all(self.statistics),
            derived: all(self.derived),
            with_numbers: all(self.with_numbers),
            limit,
            rng_seed: self.rng_seed,
            kept: Arc::default(),
        }
    }

    /// The same rules, which may derive any number of facts: those that ran within the limit before.
    pub fn without_limit(&self) -> Self {
        Self { limit: usize::MAX, ..self.clone() }
    }

    /// The predicates whose facts follow from train examples, ascending.
    pub const fn predicates(&self) -> &BTreeSet<PredicateId> {
        &self.derived
    }

    /// Whether facts of some of these predicates may have numbers that the data lack.
    pub fn may_make_numbers(&self, of: impl IntoIterator<Item = PredicateId>) -> bool {
        of.into_iter().any(|predicate| self.with_numbers.contains(&predicate))
    }

    /// The predicates of facts that rules ask for.
    fn asked(&self) -> BTreeSet<PredicateId> {
        let asked = self.rules.iter().flat_map(body_predicates);
        let of_train = |id: &PredicateId| self.of_train.contains(&Some(*id));
        asked.filter(|id| !self.derived.contains(id) && !of_train(id)).collect()
    }
}

/// Adds the facts of some predicates of a world to a table.
pub(crate) fn add_facts(
    table: &mut FactTable,
    world: &Background,
    predicates: impl Iterator<Item = PredicateId>,
) {
    for predicate in predicates {
        let relation = world.relation(predicate);
        let rows = table.rows_mut(predicate);
        let mut tuple = Vec::with_capacity(relation.arity());
        for row in 0..relation.n_rows() {
            tuple.clear();
            tuple.extend((0..relation.arity()).map(|column| relation.value(row, column)));
            rows.push(&tuple);
        }
    }
}
