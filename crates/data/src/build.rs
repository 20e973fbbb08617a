//! From gathered data to a problem: the stages in their order. Each is a type that is made of the one before.
//!
//! Loading: from files to a problem.
//!
//! The second stage of loading: no statement waits for others.
//!
//! A target that is a predicate of the facts: its facts become the positive examples, and leave the background.
//!
//! Leaves out rules of other systems that are outside the language, and rules with cuts, with everything that depends on them.
//!
//! A predicate with some rules missing would silently be true too seldom, and its negation too often. So all its rules,
//! all rules that use it, and its modes are left out; its facts are only counted.

use std::collections::BTreeMap;

use crate::declare::{complete, declare};
use crate::derive::derive;
use crate::formats::Format;
use crate::freeze::freeze;
use crate::gather::{Declarations, Facts, Files, Gathered, Gathering, Statements, fit, gather};
use crate::mode_terms::{Marker, ModeSide, RawMode, Subject};
use crate::problem::Loaded;
use crate::recognise::{database_format, recognise, wide_tables, with_lenient_format};
use crate::request::{BuildRequest, LoadPurpose, LoadRequest, TargetRequest};
use crate::rule_graph::asking;
use crate::{check, classes, database, directions, faults, lint, rewrites, target_numbers, time};
use gleaner_base::{Budget, FixedMap, PredicateId};
use gleaner_lang::program::safety::check_safety;
use gleaner_lang::program::{NumberSource, TargetName};
use gleaner_lang::syntax::{Code, Diagnostic, Place, Severity, Sources, codes};

/// Reads all files.
pub(super) fn read(files: &Files, sources: &mut Sources) -> Gathered {
    finished(gather(files, sources))
}

/// Ends reading: the tables of a database become facts.
pub(super) fn finished(mut gathering: Gathering) -> Gathered {
    let Gathering { gathered, notes } = &mut gathering;
    if let Some(tables) = &mut notes.database {
        database::settle(tables, &notes.database_request, &notes.given_schema, gathered);
    }
    gathering.finish()
}

/// Checks the gathered data, runs the rules and freezes the problem. Messages refer to `files`, the files of the data.
pub(super) fn build(
    request: &BuildRequest<'_>,
    format: Format,
    files: &Files,
    gathered: Gathered,
) -> Result<Loaded, Vec<Diagnostic>> {
    go_on(request.budget)?;
    let stated = Stated::for_target(&request.target, gathered);
    let mut declared = declare(request, files, stated)?;
    let mut warnings = declared.take_warnings();
    let derived = derive(declared, request.max_derived_facts, &mut warnings);
    let completed = derived.and_then(|mut derived| {
        go_on(request.budget).map_err(|mut faults| faults.remove(0))?;
        warnings.extend(lint::lint(&derived));
        let made = complete(request, &mut derived, &mut warnings)?;
        Ok((derived, made))
    });
    let (derived, made) = match completed {
        Ok(completed) => completed,
        Err(fault) => {
            warnings.push(fault);
            return Err(warnings);
        }
    };
    go_on(request.budget)?;
    let symbols = &derived.statements.symbols;
    let first_facts: BTreeMap<String, Place> = derived
        .statements
        .first_facts
        .iter()
        .map(|(&id, &place)| (symbols.predicate_name(id).to_string(), place))
        .collect();
    let (problem, selection) = freeze(request, format, derived, made);
    warnings.extend(lint::repeated_facts(problem.profile(), &first_facts));
    Ok(Loaded { problem, selection, warnings: grouped(warnings) })
}

/// The fault that the budget ended before the data were read, if it did.
fn go_on(budget: &Budget) -> Result<(), Vec<Diagnostic>> {
    budget.check().map_err(|reason| vec![faults::stopped(reason)])
}

/// Joins the warnings that say the same of several places into one.
fn grouped(diagnostics: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let mut places: FixedMap<(Code, String), usize> = FixedMap::default();
    let mut grouped: Vec<(Diagnostic, usize)> = Vec::new();
    for diagnostic in diagnostics {
        let is_warning = diagnostic.severity() == Severity::Warning;
        let key = (diagnostic.code(), diagnostic.message().to_owned());
        match places.get(&key).filter(|_| is_warning) {
            Some(&place) => grouped[place].1 += 1,
            None => {
                places.insert(key, grouped.len());
                grouped.push((diagnostic, 0_usize));
            }
        }
    }
    let with_count = |(diagnostic, n_more): (Diagnostic, usize)| match n_more {
        0 => diagnostic,
        1 => diagnostic.with_help("and once more"),
        _ => diagnostic.with_help(format!("and {n_more} times more")),
    };
    grouped.into_iter().map(with_count).collect()
}

/// The schema of a database as a file: what its own says, and what is proposed of the rest, with the evidence. Beside it
/// stand the messages; the database needs no labels. None if the data are in another layout.
///
/// # Errors
///
/// Every fault of the files that was found.
pub fn schema_of(
    request: &LoadRequest,
    sources: &mut Sources,
) -> Result<(Option<String>, Vec<Diagnostic>), Vec<Diagnostic>> {
    let of_path = || request.tables.is_none().then(|| database_format(&request.path));
    let asked = LoadRequest { format: request.format.or_else(of_path), ..request.clone() };
    sources.hold(&request.texts);
    let (_, files) = recognise(&asked, true)?;
    let gathered = read(&files, sources);
    let mut found = gathered.messages.into_vec();
    found.retain(|told| told.code() != codes::NO_LABEL_COLUMN || request.label.is_some());
    match found.iter().any(|told| told.severity() == Severity::Error) {
        true => Err(found),
        false => Ok((gathered.statements.schema, found)),
    }
}

/// Loads a problem; adds the files that it reads to `sources`, for messages.
///
/// A folder of tables that nothing asks to be read as facts, with a table of several attributes, is read as a database
/// where keys join all tables: each column is a relation then, and an empty cell is no fact.
///
/// # Errors
///
/// Every fault of the files that was found, with the warnings beside them.
pub fn load(request: &LoadRequest, sources: &mut Sources) -> Result<Loaded, Vec<Diagnostic>> {
    if let Some(asked) = wide_tables(request) {
        let mut read = sources.clone();
        let loaded = load_as_asked(&asked, &mut read);
        let is_whole = |told: &Diagnostic| told.code() != codes::TABLE_ALONE;
        if let Ok(mut loaded) = loaded
            && loaded.warnings.iter().all(is_whole)
        {
            *sources = read;
            loaded.warnings.push(faults::facts_as_tables(&request.path));
            return Ok(loaded);
        }
    }
    load_as_asked(request, sources)
}

fn load_as_asked(request: &LoadRequest, sources: &mut Sources) -> Result<Loaded, Vec<Diagnostic>> {
    sources.hold(&request.texts);
    let (format, files) = recognise(request, false)?;
    let gathering = gather(&files, sources);
    go_on(&request.budget)?;
    let gathered = finished(gathering);
    let built = build(&request.of_build(), format, &files, gathered);
    built.map_err(|faults| with_lenient_format(faults, format, &request.path, request.format))
}

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
    fn for_target(asked: &TargetRequest<'_>, mut gathered: Gathered) -> Self {
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
