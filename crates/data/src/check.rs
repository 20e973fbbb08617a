//! Checks of all gathered data, before any rule runs.

use std::collections::BTreeSet;

use gleaner_base::{FixedMap, FixedSet, PredicateId};
use gleaner_lang::program::names::NameIndex;
use gleaner_lang::program::safety::{check_evaluable, check_safety};
use gleaner_lang::program::stratify::stratify;
use gleaner_lang::program::{Clause, Literal, PredicateName};
use gleaner_lang::syntax::{Diagnostic, Place, Severity, codes};

use crate::classes::label_columns;
use crate::closed_world::{TRAIN, lists_all_but_train};
use crate::defined::{Defined, undefined};
use crate::faults;
use crate::formats::Format;
use crate::gather::{
    ClassRequest, Declarations, Division, Facts, Files, Habits, RawExample, RawExamples, RawRule, Role,
    Statements,
};
use crate::mode_terms::{Marker, ModeSide, RawMode};
use crate::request::{LoadPurpose, TargetRequest};
use gleaner_lang::program::lower::Variables;

/// The target that the request, the modes or the examples name.
pub(super) fn target(
    asked: &TargetRequest<'_>,
    statements: &Statements,
    facts: &Facts,
) -> Result<PredicateName, Diagnostic> {
    let Statements { symbols, declarations, first_facts, habits, .. } = statements;
    if let Some(numbers) = &statements.examples.numbers {
        return Ok(numbers.target.clone());
    }
    let known = named_in_examples(statements);
    if let Some(target) = asked.target.or(declarations.query.as_ref()) {
        let named: Vec<PredicateName> = known.iter().filter(|name| target.is(name)).cloned().collect();
        return match (named.as_slice(), target.arity) {
            ([only], _) => Ok(only.clone()),
            ([_, _, ..], _) => Err(faults::several_targets(&named)),
            ([], Some(arity)) if asked.purpose == LoadPurpose::Inspect && known.is_empty() => {
                Ok(PredicateName::new(target.name.as_str(), arity))
            }
            ([], Some(arity)) if asked.has_atoms => Ok(PredicateName::new(target.name.as_str(), arity)),
            ([], _) if asked.purpose == LoadPurpose::Score && known.is_empty() => {
                Err(faults::nothing_to_score(target))
            }
            ([], _) if asked.purpose == LoadPurpose::Score => Err(faults::wrong_target(target, &known)),
            ([], _) => Err(faults::other_target(target, &known)),
        };
    }
    let heads: BTreeSet<&PredicateName> = declarations
        .modes
        .iter()
        .filter(|mode| mode.side == ModeSide::Head)
        .filter_map(|mode| mode.subject.relation())
        .collect();
    match (heads.len(), known.as_slice()) {
        (1, known) => {
            let head = heads.into_iter().next().cloned().unwrap_or_else(|| PredicateName::new("", 0));
            if known.is_empty() || known.contains(&head) {
                Ok(head)
            } else {
                Err(faults::other_target(&head.into(), known))
            }
        }
        (_, [only]) => Ok(only.clone()),
        (_, []) => {
            let mut names: Vec<PredicateName> =
                first_facts.keys().map(|&id| symbols.predicate_name(id).clone()).collect();
            names.sort();
            Err(if habits.is_foreign {
                let is = |format: Format| format.layout().is_recognised(asked.path);
                let graph = match (is(Format::Triples), is(Format::Rdf)) {
                    (true, _) => faults::Graph::Together,
                    (false, true) => faults::Graph::OneByOne,
                    (false, false) => faults::Graph::None,
                };
                faults::no_target(&names, graph)
            } else {
                faults::nothing_to_learn(&names, &label_columns(statements, facts))
            })
        }
        (_, several) => Err(faults::several_targets(several)),
    }
}

/// The predicates with examples, ascending.
pub(super) fn named_in_examples(statements: &Statements) -> Vec<PredicateName> {
    let mut ids: Vec<PredicateId> = statements.examples.listed.iter().map(|it| it.predicate).collect();
    ids.dedup();
    let ids = ids.into_iter();
    let names: BTreeSet<&PredicateName> = ids.map(|id| statements.symbols.predicate_name(id)).collect();
    names.into_iter().cloned().collect()
}

/// Whether the files give no modes at all, though all declarations could be read.
pub(super) fn are_modes_missing(modes: &[RawMode], diagnostics: &[Diagnostic]) -> bool {
    modes.is_empty() && !diagnostics.iter().any(is_unread)
}

/// Whether a fold is the test part of a database's rows, and all its labels are hidden.
fn is_hidden_test(statements: &Statements, fold: usize) -> bool {
    let examples = &statements.examples;
    let is_part = matches!(examples.division, Division::TrainTest | Division::TrainTuneTest);
    let is_last = fold + 1 == examples.fold_names.len();
    let has_label =
        || examples.listed.iter().any(|example| example.is_labelled && example.fold == Some(fold));
    statements.schema.is_some() && is_part && is_last && !has_label()
}

/// Faults that only prevent learning become warnings, with this help, for data that are not learnt from.
pub(super) fn without_learning(found: Vec<Diagnostic>, help: &str) -> Vec<Diagnostic> {
    let of_learning = [codes::NO_MODES, codes::NO_EXAMPLES, codes::BOTH_CLASSES, codes::EMPTY_FOLD];
    let is_of_learning = |fault: &Diagnostic| of_learning.contains(&fault.code());
    let told = |fault| if is_of_learning(&fault) { fault.into_warning(help) } else { fault };
    found.into_iter().map(told).collect()
}

/// The placeholder target of data that are only inspected and name no target.
pub(super) fn no_target() -> PredicateName {
    PredicateName::new("none", 0)
}

/// The head and body modes of the target. Adds the faults of the declarations to `diagnostics`.
pub(super) fn modes(
    target: &PredicateName,
    statements: &Statements,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<(RawMode, Vec<RawMode>)> {
    let is_head = |mode: &&RawMode| mode.side != ModeSide::Body && is_of_target(mode, target);
    let head = statements.declarations.modes.iter().find(is_head);
    let (mut body, undetermined) = body_modes(target, statements);
    for mode in undetermined {
        let name = mode.subject.name();
        diagnostics.push(faults::mode_without_determination(mode.place, &name.to_string(), target));
    }
    let mut defined = Defined::of(statements);
    check_determined(target, statements, &mut defined, diagnostics);
    // An unreadable declaration may be the missing one.
    if !diagnostics.iter().any(is_unread) {
        if head.is_none() {
            diagnostics.push(faults::no_head_mode(target));
        }
        if body.is_empty() {
            diagnostics.push(faults::no_body_modes(target));
        }
    }
    check_defined(&mut body, &mut defined, statements, diagnostics);
    let head = head?;
    check_reachable(head, &body, diagnostics);
    Some((head.clone(), body.into_iter().cloned().collect()))
}

/// Warns of determinations of the target whose predicate has no mode, and perhaps no facts and rules either.
fn check_determined(
    target: &PredicateName,
    statements: &Statements,
    defined: &mut Defined<'_>,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let Statements { symbols, declarations, rules, .. } = statements;
    let moded: FixedSet<PredicateName> = declarations.modes.iter().map(|mode| mode.subject.name()).collect();
    let left_out: FixedSet<PredicateId> = rules.incomplete.iter().copied().collect();
    for (_, predicate, place) in declarations.determinations.iter().filter(|(head, _, _)| head == target) {
        // A message of its own tells of the predicates that were left out.
        let id = symbols.find_predicate(predicate);
        if moded.contains(predicate) || id.is_some_and(|id| left_out.contains(&id)) {
            continue;
        }
        diagnostics.push(if defined.has_name(predicate) {
            faults::determination_without_mode(*place, predicate)
        } else {
            faults::empty_determination(*place, predicate, defined.meant(predicate))
        });
    }
}

/// Whether a mode is of the target.
fn is_of_target(mode: &RawMode, target: &PredicateName) -> bool {
    mode.subject.relation() == Some(target)
}

/// If the layout ignores case, gives the target's name to modes that differ from it only in case.
pub(super) fn adopt_target(target: &PredicateName, habits: Habits, modes: &mut [RawMode]) {
    if !habits.ignores_case || modes.iter().any(|mode| is_of_target(mode, target)) {
        return;
    }
    for mode in modes {
        let is_negated = mode.subject.is_negated();
        let name = mode.subject.predicate_mut().filter(|_| !is_negated);
        if let Some(name) = name
            && name.arity == target.arity
            && name.name.eq_ignore_ascii_case(&target.name)
        {
            name.name.clone_from(&target.name);
        }
    }
}

/// The body modes that the target's determinations allow, and the others. A target without determinations allows all.
fn body_modes<'g>(
    target: &PredicateName,
    statements: &'g Statements,
) -> (Vec<&'g RawMode>, Vec<&'g RawMode>) {
    let Declarations { modes, determinations, .. } = &statements.declarations;
    let determined: BTreeSet<&PredicateName> =
        determinations.iter().filter(|(head, _, _)| head == target).map(|(_, body, _)| body).collect();
    let is_of_head = |mode: &RawMode| match mode.side {
        ModeSide::Head => true,
        // A mode without a keyword is a head's if its predicate has examples.
        ModeSide::Either => is_of_target(mode, target) || statements.is_other_target(mode),
        ModeSide::Body => false,
    };
    modes.iter().filter(|mode| !is_of_head(mode)).partition(|mode| {
        let name = mode.subject.name();
        let is_aggregate = || statements.symbols.aggregate_of(&name).is_some();
        determined.is_empty() || determined.contains(&name) || is_aggregate()
    })
}

/// The predicates of the modes that no determination of the target allows, with the places of the modes.
pub(super) fn undetermined(target: &PredicateName, statements: &Statements) -> Vec<(PredicateName, Place)> {
    let (_, undetermined) = body_modes(target, statements);
    undetermined.into_iter().map(|mode| (mode.subject.name(), mode.place)).collect()
}

/// The head mode of a target without a declared one: its arguments are of any type.
pub(super) fn unmoded_head(target: &PredicateName) -> RawMode {
    RawMode {
        side: ModeSide::Head,
        subject: target.clone().into(),
        arguments: vec![(Marker::Input, "any".to_owned()); target.arity],
        instantiation_limit: None,
        place: Place::default(),
    }
}

/// Whether a diagnostic is an error about something that could not be read.
fn is_unread(diagnostic: &Diagnostic) -> bool {
    diagnostic.severity() == Severity::Error
        && [codes::BAD_DECLARATION, codes::UNREADABLE_FILE, codes::NOT_UTF8].contains(&diagnostic.code())
}

/// Faults of modes of undefined predicates. Files of other systems may have modes of predicates that their background
/// lacks: a warning tells of such modes, and they are left out.
fn check_defined(
    body: &mut Vec<&RawMode>,
    defined: &mut Defined<'_>,
    statements: &Statements,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let lost = [codes::UNREADABLE_FILE, codes::NOT_UTF8, codes::PROBABILITY];
    if diagnostics.iter().any(|diagnostic| lost.contains(&diagnostic.code())) {
        // An unread file may define any predicate, and so may statements that are left out for their probabilities.
        return;
    }
    let mut reported: FixedSet<&PredicateName> = FixedSet::default();
    // Other systems declare what has facts, too.
    let is_foreign = statements.habits.is_foreign;
    let may_be_empty =
        |name: &PredicateName| !is_foreign && statements.declarations.may_be_empty.contains(name);
    for mode in &*body {
        let Some(name) = mode.subject.predicate() else { continue };
        for name in defined.asked_by(name) {
            if !defined.has_name(name) && !may_be_empty(name) && reported.insert(name) {
                let fault = faults::empty_predicate(mode.place, name, defined.meant(name));
                let help = "the mode is left out";
                diagnostics.push(if is_foreign { fault.into_warning(help) } else { fault });
            }
        }
    }
    if is_foreign && !body.is_empty() {
        body.retain(|mode| mode.subject.predicate().is_none_or(|name| defined.has_name(name)));
        if body.is_empty() {
            diagnostics.push(faults::no_body_predicates());
        }
    }
}

/// Warns of modes with an input type that neither the head nor any usable mode gives.
fn check_reachable(head: &RawMode, body: &[&RawMode], diagnostics: &mut Vec<Diagnostic>) {
    let given = given_types(head, body);
    let names = NameIndex::new(given.iter().copied());
    let mut told: FixedMap<&str, Option<&str>> = FixedMap::default();
    for mode in body {
        let missing = inputs(mode).find(|name| !given.contains(name));
        if let Some(type_name) = missing {
            let nearest = *told.entry(type_name).or_insert_with(|| names.nearest(type_name));
            diagnostics.push(faults::unreachable_mode(mode.place, type_name, nearest));
        }
    }
}

/// The types of a mode's inputs.
fn inputs(mode: &RawMode) -> impl Iterator<Item = &str> {
    let inputs = mode.arguments.iter().filter(|(marker, _)| *marker == Marker::Input);
    inputs.map(|(_, type_name)| type_name.as_str())
}

/// The types that the head gives, or a mode whose own input types are all given.
///
/// **Cost**: linear in the arguments, however long the chain from type to type.
fn given_types<'m>(head: &'m RawMode, body: &[&'m RawMode]) -> FixedSet<&'m str> {
    let mut waiting: FixedMap<&str, Vec<usize>> = FixedMap::default();
    let mut n_missing: Vec<usize> = vec![0; body.len()];
    for (mode_idx, mode) in body.iter().enumerate() {
        for type_name in inputs(mode) {
            waiting.entry(type_name).or_default().push(mode_idx);
            n_missing[mode_idx] += 1;
        }
    }
    let outputs = |mode: &'m RawMode| {
        let outputs = mode.arguments.iter().filter(|(marker, _)| *marker == Marker::Output);
        outputs.map(|(_, type_name)| type_name.as_str())
    };
    let free = body.iter().filter(|mode| inputs(mode).next().is_none());
    let mut open: Vec<&str> = head.arguments.iter().map(|(_, type_name)| type_name.as_str()).collect();
    open.extend(free.flat_map(|mode| outputs(mode)));
    let mut given = FixedSet::default();
    while let Some(type_name) = open.pop() {
        if !given.insert(type_name) {
            continue;
        }
        for mode_idx in waiting.remove(type_name).unwrap_or_default() {
            n_missing[mode_idx] -= 1;
            if n_missing[mode_idx] == 0 {
                open.extend(outputs(body[mode_idx]));
            }
        }
    }
    given
}

/// The rules as clauses. Adds their faults to `diagnostics`.
pub(super) fn rules(statements: &Statements, diagnostics: &mut Vec<Diagnostic>) -> Vec<Clause> {
    let Statements { symbols, rules, .. } = statements;
    safety(&rules.list, diagnostics);
    undefined_in_rules(statements, diagnostics);
    let clauses: Vec<Clause> = rules.list.iter().map(|rule| rule.clause.clone()).collect();
    if let Err(fault) = stratify(&clauses, symbols.predicates().len()) {
        let negated = symbols.predicate_name(fault.negated);
        diagnostics.push(faults::unstratifiable(rules.list[fault.rule].place, negated, fault.is_aggregated));
    }
    clauses
}

/// Faults of unsafe rules.
pub(super) fn safety(rules: &[RawRule], diagnostics: &mut Vec<Diagnostic>) {
    for rule in rules {
        if let Err(fault) = check_safety(&rule.clause) {
            let name = rule.variables.name(fault.variable);
            let literal = fault.place.literal(&rule.clause);
            let place = literal.map_or("the head", Literal::noun);
            let help = faults::rule_value_help(name, fault.variable, &rule.clause, literal);
            diagnostics.push(faults::unsafe_rule(rule.place, name, place, help));
        }
    }
}

/// Whether a clause can be evaluated for examples: safe when an example values the head's variables,
/// and without `is` that makes new values.
pub(super) fn evaluable(clause: &Clause, variables: &Variables) -> Result<(), String> {
    check_evaluable(clause).map_err(|fault| {
        let name = variables.name(fault.variable);
        format!("variable {name} gets no value: use it in a positive literal")
    })
}

/// Faults of predicates in rule bodies that have neither facts nor rules: such a rule never fires, or its negation always
/// holds. Where a mode declares the predicate, a warning, for the mode has a message of its own.
fn undefined_in_rules(statements: &Statements, diagnostics: &mut Vec<Diagnostic>) {
    diagnostics.extend(dead_calls(statements).into_iter().map(|(_, fault)| fault));
    let mut defined = Defined::of(statements);
    for (rule, predicate) in undefined(statements) {
        let name = statements.symbols.predicate_name(predicate);
        let is_told = statements.declarations.may_be_empty.contains(name) || is_prologs(name);
        if has_mode(statements, name) && !is_told {
            let fault = faults::undefined_in_rule(rule.place, name, defined.meant(name));
            diagnostics.push(fault.into_warning("false for all values"));
        }
    }
}

fn has_mode(statements: &Statements, name: &PredicateName) -> bool {
    statements.declarations.modes.iter().any(|mode| mode.subject.predicate() == Some(name))
}

/// The predicates that rules call and nothing defines or declares, each with the fault of its first call.
pub(super) fn dead_calls(statements: &Statements) -> Vec<(PredicateId, Diagnostic)> {
    let mut defined = Defined::of(statements);
    let mut found = Vec::new();
    for (rule, predicate) in undefined(statements) {
        let name = statements.symbols.predicate_name(predicate);
        if statements.declarations.may_be_empty.contains(name) {
            continue;
        }
        if is_prologs(name) {
            found.push((predicate, faults::built_in_in_rule(rule.place, name)));
        } else if !has_mode(statements, name) {
            found.push((predicate, faults::undefined_in_rule(rule.place, name, defined.meant(name))));
        }
    }
    found
}

/// Whether this is a built-in predicate of Prolog's that has no meaning here. Those with one were rewritten as they were
/// read.
fn is_prologs(name: &PredicateName) -> bool {
    const KNOWN: [(&str, usize); 28] = [
        ("append", 3),
        ("arg", 3),
        ("assertz", 1),
        ("atom_chars", 2),
        ("atom_codes", 2),
        ("atom_concat", 3),
        ("atom_length", 2),
        ("atom_number", 2),
        ("atom_string", 2),
        ("bagof", 3),
        ("copy_term", 2),
        ("forall", 2),
        ("functor", 3),
        ("is_list", 1),
        ("last", 2),
        ("length", 2),
        ("msort", 2),
        ("nb_getval", 2),
        ("nth0", 3),
        ("nth1", 3),
        ("number_codes", 2),
        ("reverse", 2),
        ("setof", 3),
        ("sort", 2),
        ("sub_atom", 5),
        ("sum_list", 2),
        ("sumlist", 2),
        ("term_to_atom", 2),
    ];
    KNOWN.iter().any(|(known, arity)| (*known, *arity) == (&*name.name, name.arity))
}

/// Faults and warnings of the target's examples.
pub(super) fn examples(
    target: &PredicateName,
    asked: &TargetRequest<'_>,
    statements: &Statements,
    facts: &Facts,
    files: &Files,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let Statements { symbols, examples, first_facts, rules, .. } = statements;
    let target_id = symbols.find_predicate(target);
    // An example without a class cannot have the wrong one.
    let of_target = target_id.into_iter().flat_map(|id| examples.of(id));
    let of_target: Vec<_> = of_target.filter(|example| example.is_labelled).collect();
    let is_unlabelled = of_target.is_empty() && examples.listed.iter().any(|example| !example.is_labelled);
    // If the classes could not be found, another message says so.
    let asks_for_classes = *asked.classes != ClassRequest::default() || examples.class_argument.is_some();
    let has_classes = asks_for_classes || asked.number.is_some();
    for (is_positive, class) in [(true, "positive"), (false, "negative")] {
        let is_made = !is_positive && asked.makes_negatives;
        if asked.purpose == LoadPurpose::Score
            || is_unlabelled
            || has_classes
            || is_made && !of_target.iter().any(|example| !example.is_positive)
        {
            continue;
        }
        if !of_target.iter().any(|example| example.is_positive == is_positive) {
            if let Some(fault) = &examples.label_fault {
                // It is the same for both classes.
                if !diagnostics.iter().any(|told| told.code() == fault.code()) {
                    diagnostics.push(fault.clone());
                }
                continue;
            }
            let role = if is_positive { Role::Positives } else { Role::Negatives };
            let read_from: Vec<String> = files
                .files
                .iter()
                .filter(|file| file.role == role)
                .map(|file| file.path.display().to_string())
                .collect();
            let mut columns = if is_positive { Vec::new() } else { label_columns(statements, facts) };
            columns.retain(|column| column.table == *target);
            diagnostics.push(faults::no_examples_in(class, target, &read_from, &columns));
            continue;
        }
        let lacks_train =
            target_id.filter(|_| !is_positive).is_some_and(|id| lists_all_but_train(id, examples));
        for (fold_idx, name) in examples.fold_names.iter().enumerate() {
            let is_in_fold = |fold: Option<usize>| fold == Some(fold_idx);
            if lacks_train && fold_idx == TRAIN {
                diagnostics.extend((!is_made).then(|| faults::unlisted_in_train(name)));
            } else if !of_target
                .iter()
                .any(|example| example.is_positive == is_positive && is_in_fold(example.fold))
                && !is_hidden_test(statements, fold_idx)
            {
                diagnostics.push(faults::empty_fold(name, class));
            }
        }
    }
    let has_fold_facts = facts.are_in_folds()
        || files.files.iter().any(|file| file.role == Role::Background && file.fold.is_some());
    check_others(target, statements, diagnostics);
    check_repeats(target, statements, &of_target, diagnostics);
    if !has_fold_facts {
        check_shared(target, statements, &of_target, diagnostics);
    }
    let place = |id| first_facts.get(&id).copied().or_else(|| rules.first_of(id).map(|rule| rule.place));
    if let Some(place) = target_id.and_then(place) {
        diagnostics.push(faults::target_in_background(place, target));
    }
}

fn check_repeats(
    target: &PredicateName,
    statements: &Statements,
    of_target: &[&RawExample],
    diagnostics: &mut Vec<Diagnostic>,
) {
    let examples = &statements.examples;
    let mut sorted = recurring(examples, of_target);
    sorted.sort_by_key(|example| (examples.arguments(example), example.fold, !example.is_positive));
    let mut conflicts = Vec::new();
    let mut repeats: [Vec<&RawExample>; 2] = [Vec::new(), Vec::new()];
    for pair in sorted.windows(2) {
        if examples.arguments(pair[0]) == examples.arguments(pair[1]) && pair[0].fold == pair[1].fold {
            if pair[0].is_positive == pair[1].is_positive {
                repeats[usize::from(pair[0].is_positive)].push(pair[1]);
            } else if examples.classes.is_none() && examples.numbers.is_none() {
                // For many classes another message names them.
                conflicts.push((pair[0], pair[1]));
            }
        }
    }
    if let Some((positive, negative)) = conflicts.iter().min_by_key(|(_, negative)| negative.place) {
        let text = example_text(target, statements, positive);
        diagnostics.push(faults::in_both_classes(positive.place, negative.place, &text, conflicts.len() - 1));
    }
    let classes = if examples.numbers.is_some() { [""; 2] } else { ["negative", "positive"] };
    for (repeated, class) in repeats.iter().zip(classes) {
        if let Some(first) = repeated.iter().min_by_key(|example| example.place) {
            diagnostics.push(faults::repeated_examples(first.place, class, repeated.len()));
        }
    }
}

/// The examples whose arguments occur more than once, in the order given: usually few. Only these can repeat or
/// contradict each other.
fn recurring<'g>(examples: &RawExamples, among: &[&'g RawExample]) -> Vec<&'g RawExample> {
    let mut seen = FixedSet::with_capacity_and_hasher(among.len(), Default::default());
    let again: FixedSet<_> =
        among.iter().map(|example| examples.arguments(example)).filter(|row| !seen.insert(*row)).collect();
    if again.is_empty() {
        return Vec::new();
    }
    among.iter().copied().filter(|example| again.contains(examples.arguments(example))).collect()
}

/// Warns of examples of other predicates than the target.
fn check_others(target: &PredicateName, statements: &Statements, diagnostics: &mut Vec<Diagnostic>) {
    let Statements { symbols, examples, .. } = statements;
    let target_id = symbols.find_predicate(target);
    let others: Vec<&RawExample> =
        examples.listed.iter().filter(|example| Some(example.predicate) != target_id).collect();
    if let Some(first) = others.first() {
        let name = symbols.predicate_name(first.predicate);
        diagnostics.push(faults::other_examples(first.place, others.len(), name, target));
    }
}

/// Warns of examples that several folds share while all folds have the same facts. Such an example serves for both
/// training and test, or has both classes.
fn check_shared(
    target: &PredicateName,
    statements: &Statements,
    of_target: &[&RawExample],
    diagnostics: &mut Vec<Diagnostic>,
) {
    let examples = &statements.examples;
    let mut sorted = recurring(examples, of_target);
    sorted.sort_by_key(|example| (examples.arguments(example), !example.is_positive, example.fold));
    let is_shared = |pair: &&[&RawExample]| {
        examples.arguments(pair[0]) == examples.arguments(pair[1]) && pair[0].fold != pair[1].fold
    };
    let shared: Vec<_> = sorted.windows(2).filter(is_shared).collect();
    let differ =
        |pair: &&&[&RawExample]| examples.numbers.is_none() && pair[0].is_positive != pair[1].is_positive;
    let conflicts: Vec<_> = shared.iter().filter(differ).collect();
    if let Some(pair) = conflicts.first() {
        let text = example_text(target, statements, pair[0]);
        diagnostics.push(faults::in_both_classes(pair[0].place, pair[1].place, &text, conflicts.len() - 1));
    } else if let Some(pair) = shared.first() {
        let text = example_text(target, statements, pair[0]);
        let name = |example: &RawExample| example.fold.map_or("no fold", |fold| &*examples.fold_names[fold]);
        let (places, names) = ([pair[0].place, pair[1].place], [name(pair[0]), name(pair[1])]);
        diagnostics.push(faults::in_two_folds(places, &text, names, shared.len() - 1));
    }
}

fn example_text(target: &PredicateName, statements: &Statements, example: &RawExample) -> String {
    let Statements { symbols, examples, .. } = statements;
    let arguments = examples.arguments(example).iter();
    let arguments: Vec<&str> = arguments.map(|&id| symbols.constant_text(id)).collect();
    format!("{}({})", target.name, arguments.join(","))
}
