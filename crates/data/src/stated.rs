//! The second stage of loading: no statement waits for others.

use crate::gather::{Declarations, Facts, Gathered, Statements, fit};
use crate::mode_terms::{Marker, ModeSide, RawMode, Subject};
use crate::request::{LoadPurpose, TargetRequest};
use crate::rule_graph::asking;
use crate::{check, classes, directions, faults, rewrites, target_numbers, time};
use gleaner_base::PredicateId;
use gleaner_lang::program::safety::check_safety;
use gleaner_lang::program::{NumberSource, TargetName};
use gleaner_lang::syntax::Diagnostic;

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
        targets.for_each(|target| take_facts(target, &mut gathered));
        if let Some(short) = without_number(asked) {
            take_facts(&short, &mut gathered);
        }
        classes::settle(asked, &mut gathered);
        target_numbers::settle(asked, &mut gathered);
        Self::of(gathered, asked.purpose)
    }

    /// Settles all that waits.
    pub(super) fn of(mut gathered: Gathered, purpose: LoadPurpose) -> Self {
        gathered.fit_tables();
        let Gathered { mut statements, mut facts, waiting, mut messages } = gathered;
        let universal = rewrites::settle(waiting, &mut statements, &facts, &mut messages);
        messages.extend(time::settle(&mut statements, universal.first().map(|fact| fact.place)));
        name_empty_predicates(&mut statements);
        // Relations of ages may be new.
        facts.fit(&statements.symbols);
        fit(&mut statements.examples.rows, &statements.symbols);
        messages.extend(rewrites::expand(&universal, &mut statements, &mut facts));
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

/// Makes examples of this target's facts, if it has no examples. Clauses then may not use the target, so the body modes
/// of the target go. If no mode of the head exists, the first of them gives the types of the head.
fn take_facts(target: &TargetName, gathered: &mut Gathered) {
    let Statements { symbols, first_facts, examples, rules, .. } = &gathered.statements;
    let predicates = symbols.predicates();
    let has_examples = examples
        .listed
        .iter()
        .chain(&examples.asked)
        .any(|example| target.is(&predicates[example.predicate.index()]));
    let mut with_facts = first_facts.keys().filter(|id| target.is(&predicates[id.index()]));
    let (Some(&only), None) = (with_facts.next(), with_facts.next()) else { return };
    if has_examples || rules.first_of(only).is_some() {
        return;
    }
    let target = Subject::from(symbols.predicate_name(only).clone());
    gathered.make_examples_of_facts(only);
    take_modes(&target, &mut gathered.statements.declarations.modes);
}

fn take_modes(target: &Subject, modes: &mut Vec<RawMode>) {
    let is_of_body = |mode: &RawMode| mode.subject == *target && mode.side == ModeSide::Body;
    let has_head = modes.iter().any(|mode| mode.subject == *target && mode.side != ModeSide::Body);
    let of_facts = modes.iter().find(|mode| is_of_body(mode)).filter(|_| !has_head);
    let head = of_facts.map(|mode| RawMode {
        side: ModeSide::Head,
        arguments: mode.arguments.iter().map(|(_, name)| (Marker::Input, name.clone())).collect(),
        ..mode.clone()
    });
    modes.retain(|mode| !is_of_body(mode));
    modes.extend(head);
}

/// Leaves out rules and modes that depend on unreadable or unsafe rules.
fn leave_out(statements: &mut Statements, diagnostics: &mut Vec<Diagnostic>) {
    // In the own layout an unsafe rule, or one that calls what nothing defines, is an error, which is told elsewhere.
    let is_foreign = statements.habits.is_foreign;
    let calls = if is_foreign { check::dead_calls(statements) } else { Vec::new() };
    let (called, faults_of_calls): (Vec<_>, Vec<_>) = calls.into_iter().unzip();
    let Statements { symbols, declarations, rules, .. } = statements;
    let mut unsafe_rules = faults_of_calls;
    if is_foreign {
        check::safety(&rules.list, &mut unsafe_rules);
    }
    diagnostics.extend(unsafe_rules.into_iter().map(|fault| fault.into_warning(faults::RULE_LEFT_OUT)));
    let heads = rules.list.iter().filter(|rule| is_foreign && check_safety(&rule.clause).is_err());
    let faulty =
        rules.incomplete.iter().copied().chain(called).chain(heads.map(|rule| rule.clause.head.predicate));
    let left_out = asking(faulty, rules.list.iter().map(|rule| &rule.clause));
    if left_out.is_empty() {
        return;
    }
    rules.list.retain(|rule| !left_out.contains(&rule.clause.head.predicate));
    declarations.modes.retain(|mode| {
        let predicate = mode.subject.predicate().and_then(|name| symbols.find_predicate(name));
        predicate.is_none_or(|predicate| !left_out.contains(&predicate))
    });
    let mut names: Vec<String> =
        left_out.iter().map(|&predicate| symbols.predicate_name(predicate).to_string()).collect();
    names.sort();
    rules.incomplete = left_out.into_iter().collect();
    diagnostics.push(faults::left_out(&names));
}
