//! Facts with a time, and examples with a cut-off: a fact that is not before its example's cut-off does not exist.
//!
//! Each distinct cut-off is a world of its own (`worlds`): its facts are those without a time and those before the
//! cut-off, and the rules run on these alone. So negations, aggregates and every learner see what was known then, and
//! nothing later. `gather::time_terms` reads the directives, `columns` finds the arguments that name rows
//! with a time, `rows` finds the time of each fact, and `texts::moment` compares times, each of which is read once.
//!
//! Checks the directives about time against the other statements, and names the relations of ages.

mod columns;
mod rows;
mod worlds;

use std::collections::BTreeSet;

use crate::defined::defined_predicates;
use crate::faults;
use crate::gather::Statements;
use crate::gather::time_terms::{LatestFirst, TimeDeclarations, TimedArgument, TimedFacts, Undated};
use gleaner_base::{FixedSet, PredicateId};
use gleaner_lang::program::PredicateName;
use gleaner_lang::syntax::{Diagnostic, Place};

use worlds::read_time;

pub(super) use columns::TimeTable;
pub(super) use worlds::{TimeWorlds, TimedWorlds, timed_worlds};

/// Checks the directives, and makes the relations of ages known: they are filled when rules run. Gives the faults.
/// `universal` is the place of a fact with variables, if there is one.
pub(super) fn settle(statements: &mut Statements, universal: Option<Place>) -> Vec<Diagnostic> {
    let TimeDeclarations { timed, cut_offs, frozen, latest, undated, untimed, .. } =
        statements.declarations.times.clone();
    let mut found = Vec::new();
    if !timed.is_empty() {
        found.extend(universal.map(faults::universal_beside_times));
    }
    let row_types: BTreeSet<&str> = timed.iter().filter_map(TimedFacts::key_type).collect();
    let mut seen: FixedSet<&PredicateName> = FixedSet::default();
    for facts in &timed {
        if !seen.insert(&facts.predicate) {
            let what = format!("{} is timed twice", facts.predicate);
            found.push(faults::bad_declaration(facts.place, &what, "keep one of the directives"));
        }
        found.extend(empty((&facts.predicate, "timed"), facts.place, statements));
        found.extend(row_without_time(facts, &row_types));
        found.extend(name_ages(facts, statements));
    }
    found.extend(untimed.iter().filter_map(|(facts, place)| empty((facts, "untimed"), *place, statements)));
    found.extend(untimed.iter().filter(|(facts, _)| seen.contains(facts)).map(|(facts, place)| {
        let what = format!("{facts} is timed and untimed");
        faults::bad_declaration(*place, &what, "keep one of the directives")
    }));
    let is_timed = |facts: &PredicateName| seen.contains(facts);
    found.extend(undated.iter().filter_map(|it| settle_undated(it, is_timed(&it.facts), statements)));
    let are_timed = |it: &LatestFirst| is_timed(&it.facts) && it.times.as_ref().is_none_or(&is_timed);
    found.extend(latest.iter().filter_map(|it| name_places(it, are_timed(it), statements)));
    let mut targets: FixedSet<&PredicateName> = FixedSet::default();
    for cut_off in &cut_offs {
        if !targets.insert(&cut_off.target) {
            let what = format!("{} has two cut-offs", cut_off.target);
            found.push(faults::bad_declaration(cut_off.place, &what, "keep one of the directives"));
        }
        if timed.is_empty() {
            found.push(faults::cut_off_without_times(cut_off.place, &cut_off.target));
        }
    }
    let folds = &statements.examples.fold_names;
    for freeze in &frozen {
        if read_time(&freeze.time).is_none() {
            found.push(faults::frozen_at_no_time(freeze.place, &freeze.time));
        }
        // New data may come without folds.
        if !folds.is_empty() && !folds.contains(&freeze.fold) {
            let what = format!("there is no fold {}", freeze.fold);
            let accepted = format!("the folds are {}", folds.join(", "));
            found.push(faults::bad_declaration(freeze.place, &what, &accepted));
        }
    }
    found
}

/// The fault of a predicate that the data do not know: a misspelt name would let later facts through.
fn empty((facts, said): (&PredicateName, &str), place: Place, statements: &Statements) -> Option<Diagnostic> {
    let is_declared = statements.declarations.declared_types.iter().any(|(of, ..)| of == facts);
    let id = statements.symbols.find_predicate(facts);
    let has_facts = id.is_some_and(|id| statements.first_facts.contains_key(&id));
    let may_be_empty = statements.declarations.may_be_empty.contains(facts);
    (!is_declared && !has_facts && !may_be_empty).then(|| faults::no_timed_facts(place, facts, said))
}

/// Makes the predicate of facts known that exist without a time.
fn settle_undated(undated: &Undated, is_timed: bool, statements: &mut Statements) -> Option<Diagnostic> {
    let &Undated { ref facts, is_inclusive, place } = undated;
    if !is_timed {
        return Some(not_timed(facts, place));
    }
    let id = statements.symbols.predicate(&facts.name, facts.arity);
    statements.declarations.times.named.insert(id, is_inclusive);
    None
}

/// Makes a relation of places known.
fn name_places(latest: &LatestFirst, is_timed: bool, statements: &mut Statements) -> Option<Diagnostic> {
    let LatestFirst { facts, places, times, place } = latest;
    if !is_timed {
        return Some(not_timed(facts, *place));
    }
    if facts.arity != 2 {
        let what = format!("{facts} is not between rows and what they hang on");
        return Some(faults::bad_declaration(*place, &what, "name a predicate with two arguments"));
    }
    let defined = defined_predicates(statements);
    let id = statements.symbols.predicate(&places.name, places.arity);
    if defined.contains(&id) || statements.examples.of(id).next().is_some() {
        return Some(faults::places_known(*place, places));
    }
    statements.first_facts.insert(id, *place);
    let facts = statements.symbols.predicate(&facts.name, facts.arity);
    let times = times.as_ref().map(|times| statements.symbols.predicate(&times.name, times.arity));
    statements.declarations.times.places.push((facts, id, times));
    None
}

fn not_timed(facts: &PredicateName, place: Place) -> Diagnostic {
    let what = format!("{facts} has no time");
    faults::bad_declaration(place, &what, "name a predicate that a directive `timed` is about")
}

/// The fault of a directive whose rows would get no time: it names none, and no row that has one.
fn row_without_time(facts: &TimedFacts, row_types: &BTreeSet<&str>) -> Option<Diagnostic> {
    let has_time = facts.arguments.iter().any(|argument| match argument {
        TimedArgument::Time => true,
        TimedArgument::Of(name) => row_types.contains(name.as_str()),
        TimedArgument::Any | TimedArgument::Key(_) => false,
    });
    let accepted = "name the time, or a type of rows that another directive has as its key";
    let what = || format!("no argument of {} gives it a time", facts.predicate);
    (!has_time).then(|| faults::bad_declaration(facts.place, &what(), accepted))
}

/// Makes the relation of ages of these facts known, with the types of the facts.
fn name_ages(facts: &TimedFacts, statements: &mut Statements) -> Option<Diagnostic> {
    let (age, time) = (facts.age_predicate()?, facts.time_argument()?);
    let defined = defined_predicates(statements);
    let id: PredicateId = statements.symbols.predicate(&age.name, age.arity);
    if defined.contains(&id) || statements.examples.of(id).next().is_some() {
        return Some(faults::ages_known(facts.place, &age));
    }
    statements.first_facts.insert(id, facts.place);
    let declared = &mut statements.declarations.declared_types;
    if let Some((_, types, place)) = declared.iter().find(|(of, ..)| *of == facts.predicate) {
        let (mut types, place) = (types.clone(), *place);
        if let Some(of_time) = types.get_mut(time) {
            of_time.clone_from(&age.name);
        }
        declared.push((age, types, place));
    }
    None
}
