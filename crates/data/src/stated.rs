//! The second stage of loading: no statement waits for others.

use gleaner_base::PredicateId;
use gleaner_lang::syntax::Diagnostic;

use crate::classes;
use crate::directions;
use crate::gather::{Declarations, Facts, Gathered, Statements, fit};
use crate::idioms;
use crate::leave_out::leave_out;
use crate::request::{LoadPurpose, TargetRequest};
use crate::target_facts;
use crate::target_numbers;
use crate::time;
use crate::universal;
use gleaner_lang::program::{NumberSource, TargetName};

/// The target without the argument of its number: examples that are scored need none.
fn without_number(asked: &TargetRequest<'_>) -> Option<TargetName> {
    let target = asked.target.filter(|_| asked.purpose == LoadPurpose::Score)?;
    let Some(NumberSource::Argument(_)) = asked.number else { return None };
    Some(TargetName { name: target.name.clone(), arity: Some(target.arity?.checked_sub(1)?) })
}

/// Names the predicates of modes that are declared to be empty: `:- dynamic p/2.` in our own files.
fn name_empty_predicates(statements: &mut Statements) {
    let Declarations { modes, may_be_empty, .. } = &statements.declarations;
    for name in modes.iter().filter_map(|mode| mode.subject.predicate()) {
        if !statements.habits.is_foreign && may_be_empty.contains(name) {
            statements.symbols.predicate(&name.name, name.arity);
        }
    }
}

/// Takes the rows of aggregates that stand in the data, as those of a database that was written in another layout.
fn take_given_aggregates(statements: &mut Statements, facts: &Facts) {
    let relations: Vec<PredicateId> =
        statements.symbols.aggregates().iter().map(|definition| definition.head.predicate).collect();
    let is_given = |relation: &PredicateId| !facts.global.rows(*relation).is_empty();
    relations.into_iter().filter(is_given).for_each(|relation| statements.symbols.take_as_given(relation));
}

/// What the files say, once rules and facts that depend on other statements are settled.
pub(super) struct Stated {
    pub(super) statements: Statements,
    pub(super) facts: Facts,
    found: Vec<Diagnostic>,
}

impl Stated {
    /// Settles the examples of the requested target and their classes, then all that waits.
    pub(super) fn for_target(asked: &TargetRequest<'_>, mut gathered: Gathered) -> Self {
        let targets = asked.target.into_iter().chain(&asked.classes.targets);
        targets.for_each(|target| target_facts::take(target, &mut gathered));
        if let Some(short) = without_number(asked) {
            target_facts::take(&short, &mut gathered);
        }
        classes::settle(asked, &mut gathered);
        target_numbers::settle(asked, &mut gathered);
        Self::of(gathered, asked.purpose)
    }

    /// Settles all that waits.
    pub(super) fn of(mut gathered: Gathered, purpose: LoadPurpose) -> Self {
        gathered.fit_tables();
        let Gathered { mut statements, mut facts, waiting, mut messages } = gathered;
        let universal = idioms::settle(waiting, &mut statements, &facts, &mut messages);
        messages.extend(time::settle(&mut statements, universal.first().map(|fact| fact.place)));
        name_empty_predicates(&mut statements);
        // Relations of ages may be new.
        facts.fit(&statements.symbols);
        fit(&mut statements.examples.rows, &statements.symbols);
        messages.extend(universal::expand(&universal, &mut statements, &mut facts));
        // The number of answers must not depend on facts after the cut-offs.
        if statements.declarations.times.timed.is_empty() {
            let chosen = directions::choose(&mut statements.declarations, &statements.symbols, &facts);
            messages.extend(chosen.filter(|_| purpose != LoadPurpose::Score));
        }
        take_given_aggregates(&mut statements, &facts);
        let mut found = messages.into_vec();
        if statements.habits.is_foreign || !statements.rules.incomplete.is_empty() {
            leave_out(&mut statements, &mut found);
        }
        Self { statements, facts, found }
    }

    /// Takes the messages so far.
    pub(super) fn take_found(&mut self) -> Vec<Diagnostic> {
        std::mem::take(&mut self.found)
    }
}
