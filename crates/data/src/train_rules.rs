//! Rules about train examples: facts that each run has of its own. [GLEANER §4.1.3, Appendix A.7]
//!
//! Rules may ask for `train_positive(A, ...)` and `train_negative(A, ...)`, which are true of a run's train examples, with
//! the target's arguments. What follows from them differs from run to run, so loading leaves it empty.
//!
//! The predicates of rules that ask for train examples are *statistics*. They are found over the facts of all worlds of train
//! together, and given to every world; a model keeps them. All other rules then run in each world alone. So data that were not
//! learnt from get the same facts as a tested fold.
//!
//! Which arguments of derived predicates may be numbers that rules compute.
//!
//! Statistics of train examples, and the worlds that have them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};

use crate::declare::Task;
use crate::defined::defined_predicates;
use crate::gather::Statements;
use crate::provisional::number_text;
use crate::rule_graph::{TRAIN_PREDICATES, asking, body_predicates, is_of_train};
use crate::{Problem, faults};
use gleaner_base::{ConstantId, ExampleId, FixedMap, FixedSet, PredicateId, VariableId, WorldId};
use gleaner_engine::datalog::{Background, FixpointError, NumberTable, fixpoint};
use gleaner_engine::relation::Relation;
use gleaner_lang::program::{Clause, ComparisonOperator, FactTable, Literal, Number, Rows, Symbols, Term};
use gleaner_lang::syntax::{Diagnostic, quote_atom};

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

/// A predicate's argument, from 0.
type Column = (PredicateId, usize);

/// The arguments that hold what `is` or an aggregate computes, directly or through other rules.
///
/// **Cost**: a pass over the rules for each argument found, at most.
fn computed_columns(rules: &[Clause]) -> BTreeSet<Column> {
    let mut columns = BTreeSet::new();
    loop {
        let n_before = columns.len();
        for rule in rules {
            let computed = computed_variables(rule, &columns);
            for (at, term) in rule.head.arguments.iter().enumerate() {
                if term.variable().is_some_and(|variable| computed.contains(&variable)) {
                    columns.insert((rule.head.predicate, at));
                }
            }
        }
        if columns.len() == n_before {
            return columns;
        }
    }
}

/// The variables of a rule that may have a computed value.
fn computed_variables(rule: &Clause, columns: &BTreeSet<Column>) -> BTreeSet<VariableId> {
    let mut computed = BTreeSet::new();
    loop {
        let n_before = computed.len();
        for literal in &rule.body {
            match literal {
                Literal::Positive(atom) => {
                    let of = |(at, term): (usize, &Term)| {
                        term.variable().filter(|_| columns.contains(&(atom.predicate, at)))
                    };
                    computed.extend(atom.arguments.iter().enumerate().filter_map(of));
                }
                Literal::Aggregate(aggregate) => computed.extend(aggregate.value.variable()),
                Literal::Comparison(comparison) => {
                    let sides = [&comparison.left, &comparison.right];
                    let variables = sides.map(|side| side.plain_term().and_then(Term::variable));
                    let is_computed = match comparison.operator {
                        ComparisonOperator::Is => true,
                        ComparisonOperator::Unify => {
                            variables.iter().flatten().any(|variable| computed.contains(variable))
                        }
                        _ => false,
                    };
                    if is_computed {
                        computed.extend(variables.into_iter().flatten());
                    }
                }
                Literal::Negative(_) => {}
            }
        }
        if computed.len() == n_before {
            return computed;
        }
    }
}

/// The numbers of a problem, with those that rules compute after all constants.
///
/// **Cost**: it hashes the problem's numbers once; a copy is a copy of the new ones.
#[derive(Clone, Debug)]
pub struct NewNumbers<'s> {
    symbols: &'s Symbols,
    known: Arc<FixedMap<String, ConstantId>>,
    new: Vec<(String, Option<Number>)>,
    ids: FixedMap<String, ConstantId>,
}

impl<'s> NewNumbers<'s> {
    /// The numbers of these symbols.
    pub fn of(symbols: &'s Symbols) -> Self {
        let constants = &symbols.constants;
        let numbers = (0..constants.len()).map(ConstantId::new).filter(|&id| constants.number(id).is_some());
        let known = numbers.map(|id| (constants.text(id).to_owned(), id)).collect();
        Self { symbols, known: Arc::new(known), new: Vec::new(), ids: FixedMap::default() }
    }

    /// These numbers, and new ones with the ids that follow; there must be no new ones before.
    fn and(mut self, new: &[(String, Option<Number>)]) -> Self {
        for (text, number) in new {
            let id = ConstantId::new(self.symbols.constants.len() + self.new.len());
            self.ids.insert(text.clone(), id);
            self.new.push((text.clone(), *number));
        }
        self
    }

    /// The numbers that the symbols lack.
    pub fn new_numbers(&self) -> &[(String, Option<Number>)] {
        &self.new
    }
}

impl NumberTable for NewNumbers<'_> {
    fn number(&self, constant: ConstantId) -> Option<Number> {
        match constant.index().checked_sub(self.symbols.constants.len()) {
            None => self.symbols.constants.number(constant),
            Some(new) => self.new[new].1,
        }
    }

    fn intern(&mut self, number: Number) -> ConstantId {
        let text = number_text(number);
        if let Some(&known) = self.known.get(&text) {
            return known;
        }
        let next = ConstantId::new(self.symbols.constants.len() + self.new.len());
        *self.ids.entry_ref(text.as_str()).or_insert_with(|| {
            self.new.push((text.clone(), Some(number)));
            next
        })
    }
}

/// The facts of predicates that rules define by train examples.
#[derive(Clone, Debug)]
pub struct Statistics<'s> {
    rows: BTreeMap<PredicateId, Rows>,
    numbers: NewNumbers<'s>,
}

impl<'s> Statistics<'s> {
    /// Given facts, over a problem's ids: those that a model keeps.
    pub fn given(
        facts: impl IntoIterator<Item = (PredicateId, Vec<ConstantId>)>,
        numbers: NewNumbers<'s>,
    ) -> Self {
        let mut rows: BTreeMap<PredicateId, Rows> = BTreeMap::new();
        for (predicate, tuple) in facts {
            rows.entry(predicate).or_insert_with(|| Rows::new(tuple.len())).push(&tuple);
        }
        Self { rows, numbers }
    }

    /// The facts as text, without a full stop, ascending.
    pub fn texts(&self, problem: &Problem) -> Vec<String> {
        let symbols = problem.symbols();
        let text = |constant: ConstantId| match constant.index().checked_sub(symbols.constants.len()) {
            None => symbols.constants.text(constant),
            Some(new) => &self.numbers.new_numbers()[new].0,
        };
        let mut texts = Vec::new();
        for (&predicate, rows) in &self.rows {
            let name = quote_atom(&symbols.predicate(predicate).name);
            for row in rows.iter() {
                let arguments: Vec<&str> = row.iter().map(|&constant| text(constant)).collect();
                texts.push(match arguments.is_empty() {
                    true => name.to_string(),
                    false => format!("{name}({})", arguments.join(",")),
                });
            }
        }
        texts.sort_unstable();
        texts
    }
}

impl TrainRules {
    /// The statistics of these train examples, which ascend, over the facts of their worlds together.
    ///
    /// **Cost**: a copy of the facts that the rules ask for, and the rules once. They are kept: the next time they cost nothing.
    ///
    /// # Errors
    ///
    /// The rules derive too much.
    pub fn statistics<'s>(
        &self,
        problem: &Problem,
        train: Vec<ExampleId>,
        numbers: NewNumbers<'s>,
    ) -> Result<Statistics<'s>, Diagnostic> {
        let key = (problem.symbols().constants.len(), train);
        if let Some((rows, new)) = self.kept.lock().unwrap_or_else(PoisonError::into_inner).get(&key) {
            return Ok(Statistics { rows: rows.clone(), numbers: numbers.and(new) });
        }
        let mut table = empty_table(problem);
        let worlds: BTreeSet<WorldId> = key.1.iter().map(|&id| problem.examples().world(id)).collect();
        for world in worlds {
            add_facts(&mut table, &problem.worlds()[world.index()], self.asked().into_iter());
        }
        for &id in &key.1 {
            let of = self.of_train[usize::from(!problem.examples().is_positive(id))];
            if let Some(predicate) = of {
                table.rows_mut(predicate).push(problem.examples().arguments(id));
            }
        }
        let mut statistics = Statistics { rows: BTreeMap::new(), numbers };
        self.run(&self.rules, problem, &mut table, &mut statistics.numbers)?;
        for &predicate in &self.statistics {
            statistics.rows.insert(predicate, table.take_rows(predicate));
        }
        let kept = (statistics.rows.clone(), statistics.numbers.new_numbers().to_vec());
        self.kept.lock().unwrap_or_else(PoisonError::into_inner).insert(key, kept);
        Ok(statistics)
    }

    /// The facts of a world that follow from statistics, with the numbers that are new.
    ///
    /// **Cost**: a copy of the facts that the rules ask for, and the rules once.
    ///
    /// # Errors
    ///
    /// The rules derive too much.
    pub fn derived<'s>(
        &self,
        problem: &Problem,
        world: &Background,
        statistics: &Statistics<'s>,
    ) -> Result<Statistics<'s>, Diagnostic> {
        let asks_for_train =
            |rule: &Clause| body_predicates(rule).any(|id| self.of_train.contains(&Some(id)));
        let rules: Vec<Clause> = self.rules.iter().filter(|rule| !asks_for_train(rule)).cloned().collect();
        let mut table = empty_table(problem);
        add_facts(&mut table, world, self.asked().into_iter());
        for (&predicate, rows) in &statistics.rows {
            table.rows_mut(predicate).append(rows);
        }
        let mut numbers = statistics.numbers.clone();
        self.run(&rules, problem, &mut table, &mut numbers)?;
        let rows = self.derived.iter().map(|&predicate| (predicate, table.take_rows(predicate))).collect();
        Ok(Statistics { rows, numbers })
    }

    fn run(
        &self,
        rules: &[Clause],
        problem: &Problem,
        table: &mut FactTable,
        numbers: &mut NewNumbers<'_>,
    ) -> Result<(), Diagnostic> {
        let fault = |error: FixpointError| {
            let name = |predicate: PredicateId| problem.symbols().predicate(predicate).to_string();
            let what = match error {
                FixpointError::TooManyFacts { predicate, limit } => {
                    format!("derive more than {limit} facts, most of them of {}", name(predicate))
                }
                FixpointError::TooMuchWork { predicate } => {
                    format!(
                        "of {} join too many facts for a limit of {} derived facts",
                        name(predicate),
                        self.limit
                    )
                }
                other => format!("fail: {other}"),
            };
            faults::fixpoint_failed(None, &format!("the rules about train examples {what}"))
        };
        fixpoint(rules, table, numbers, self.limit).map(drop).map_err(fault)
    }
}

impl Statistics<'_> {
    /// The world with these facts. Facts with numbers that the problem's symbols lack are left out: no clause has their
    /// predicates.
    pub fn added_to(&self, world: &Background, n_constants: usize) -> Background {
        let mut world = world.clone();
        for (&predicate, rows) in &self.rows {
            let mut known = Rows::new(rows.arity());
            for row in rows.iter().filter(|row| row.iter().all(|constant| constant.index() < n_constants)) {
                known.push(row);
            }
            world = world.with_relation(predicate, Arc::new(Relation::new(&known)));
        }
        world
    }

    /// The numbers that the problem's symbols lack.
    pub const fn numbers(&self) -> &NewNumbers<'_> {
        &self.numbers
    }
}

fn empty_table(problem: &Problem) -> FactTable {
    FactTable::new(problem.symbols().predicates.iter().map(|name| name.arity))
}
