//! Statistics of train examples, and the worlds that have them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, PoisonError};

use gleaner_base::{ConstantId, ExampleId, PredicateId, WorldId};
use gleaner_engine::datalog::{Background, FixpointError, fixpoint};
use gleaner_engine::relation::Relation;
use gleaner_lang::program::{Clause, FactTable, Rows};
use gleaner_lang::syntax::{Diagnostic, quote_atom};

use super::{NewNumbers, TrainRules, add_facts};
use crate::Problem;
use crate::faults;

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
            |rule: &Clause| super::body_predicates(rule).any(|id| self.of_train.contains(&Some(id)));
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
