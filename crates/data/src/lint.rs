//! Warnings about data that load; they never refuse the data.
//!
//! Each check is at most a pass over the rows, with a table by constant: it costs little beside loading.

use std::collections::{BTreeMap, BTreeSet};

use gleaner_base::{ConstantId, FixedMap, FixedSet, PredicateId};
use gleaner_lang::program::settings::nearest;
use gleaner_lang::program::{Atom, ComparisonOperator, Literal, PredicateName, Term};
use gleaner_lang::syntax::{Diagnostic, Place};

use crate::asked::held_constants;
use crate::defined::{defined_predicates, type_tests};
use crate::derive::Derived;
use crate::gather::{RawExample, RawRule, Statements};
use crate::mode_terms::{Marker, RawMode};
use crate::provisional::Provisional;
use crate::rule_graph::asked_by;
use crate::texts::number_values::is_number_with_comma;
use crate::train_rules::of_runs;
use crate::{Division, PredicateProfile, faults};

/// All warnings about data whose rules have run.
pub(super) fn lint(derived: &Derived) -> Vec<Diagnostic> {
    // Of a database relations, types and modes come from the schema, and fit each other.
    if derived.statements.schema.is_some() {
        return shared_entities(derived, &numbers(&derived.statements.symbols)).into_iter().collect();
    }
    let mut found = several_arities(derived);
    found.extend(types_without_constants(derived));
    let reached = reached(derived);
    found.extend(facts_out_of_reach(derived, &reached));
    let is_number = numbers(&derived.statements.symbols);
    // A warning of its own tells of predicates that no clause can use; they get no other.
    let used: Vec<PredicateId> = defined(&derived.statements)
        .into_iter()
        .filter(|id| reached.is_empty() || reached.contains(id))
        .collect();
    found.extend(mixed_arguments(derived, &used, &is_number));
    found.extend(numbers_with_commas(derived, &used));
    found.extend(tests_that_give_values(&derived.statements));
    found.extend(unknown_constants(derived, &is_number));
    found.extend(separating_numbers(derived, &used, &is_number));
    found.extend(shared_entities(derived, &is_number));
    found
}

/// Warns of facts that are given more than once.
pub(super) fn repeated_facts(
    profile: &[PredicateProfile],
    first_facts: &BTreeMap<String, Place>,
) -> Option<Diagnostic> {
    let repeated = |profile: &PredicateProfile| profile.n_facts.saturating_sub(profile.n_distinct);
    // The tuples of a derived predicate are not only the given facts.
    let given: Vec<&PredicateProfile> = profile.iter().filter(|profile| profile.n_rules == 0).rev().collect();
    let n_repeated: usize = given.iter().map(|profile| repeated(profile)).sum();
    let most = given.iter().max_by_key(|profile| repeated(profile))?;
    let place = first_facts.get(&most.predicate).copied();
    (n_repeated > 0).then(|| faults::repeated_facts(n_repeated, &most.predicate, repeated(most), place))
}

/// For each constant, whether it is a number.
fn numbers(symbols: &Provisional) -> Vec<bool> {
    let mut is_number = vec![false; symbols.constants().len()];
    for id in symbols.numbers().ids() {
        is_number[id as usize] = true;
    }
    is_number
}

/// The defined predicates, ascending by name.
fn defined(statements: &Statements) -> Vec<PredicateId> {
    let mut defined: Vec<PredicateId> = defined_predicates(statements).into_iter().collect();
    defined.sort_by_key(|&id| statements.symbols.predicate_name(id).clone());
    defined
}

/// The types of the modes as predicates: Aleph's files list the things of each type as its facts.
fn types_of_modes(derived: &Derived) -> BTreeSet<PredicateName> {
    let heads = derived.task.head.arguments.iter();
    let arguments = heads.chain(derived.task.body.iter().flat_map(|mode| &mode.arguments));
    arguments.map(|(_, name)| PredicateName::new(name.as_str(), 1)).collect()
}

/// The defined predicates that share a name with others, by name.
fn namesakes(derived: &Derived) -> BTreeMap<&str, Vec<PredicateId>> {
    let types = types_of_modes(derived);
    let mut by_name: BTreeMap<&str, Vec<PredicateId>> = BTreeMap::new();
    for id in defined(&derived.statements) {
        let name = derived.statements.symbols.predicate_name(id);
        if !types.contains(name) {
            by_name.entry(&name.name).or_default().push(id);
        }
    }
    by_name.retain(|_, ids| ids.len() > 1);
    by_name
}

/// Warns of predicates that share a name: a misspelt call or a lost argument makes another predicate of that name.
fn several_arities(derived: &Derived) -> Vec<Diagnostic> {
    let statements = &derived.statements;
    let n_facts = |id: PredicateId| derived.given.n_facts.get(id.index()).copied().unwrap_or(0);
    let clash = |ids: &Vec<PredicateId>| -> Option<Diagnostic> {
        // The one with fewer facts is the odd one.
        let rarest = *ids.iter().min_by_key(|&&id| n_facts(id))?;
        let names: Vec<String> = ids
            .iter()
            .map(|&id| {
                let name = statements.symbols.predicate_name(id);
                format!("{name} ({})", faults::counted(n_facts(id), "fact"))
            })
            .collect();
        Some(faults::several_arities(&names, place_of(derived, rarest)))
    };
    namesakes(derived).values().filter_map(clash).collect()
}

/// The place where a file first defines a predicate: its first fact, or else its first rule.
fn place_of(derived: &Derived, id: PredicateId) -> Option<Place> {
    let of_fact = derived.statements.first_facts.get(&id);
    of_fact.or_else(|| derived.given.first_rules.get(&id)).copied()
}

/// Warns of types of modes whose columns are all empty: a mode with such an input is never called.
fn types_without_constants(derived: &Derived) -> Vec<Diagnostic> {
    let mut held: BTreeSet<&str> =
        derived.task.head.arguments.iter().map(|(_, name)| name.as_str()).collect();
    // What follows from train examples is empty until a run has some.
    let of_runs = of_runs(&derived.statements);
    for mode in &derived.task.body {
        let Some(id) = mode_predicate(mode, &derived.statements.symbols) else { continue };
        if of_runs.contains(&id) || derived.worlds.tables.iter().any(|table| !table.rows(id).is_empty()) {
            held.extend(mode.arguments.iter().map(|(_, name)| name.as_str()));
        }
    }
    let mut told: BTreeSet<&str> = BTreeSet::new();
    let mut found = Vec::new();
    for mode in &derived.task.body {
        let missing = mode.arguments.iter().map(|(_, name)| name.as_str()).find(|name| !held.contains(name));
        if let Some(name) = missing.filter(|name| told.insert(name)) {
            found.push(faults::type_without_constants(name, mode.place));
        }
    }
    found
}

fn mode_predicate(mode: &RawMode, symbols: &Provisional) -> Option<PredicateId> {
    mode.subject.predicate().and_then(|name| symbols.find_predicate(name))
}

/// The predicates of body modes and of the rules behind them; none if there are no body modes.
fn reached(derived: &Derived) -> FixedSet<PredicateId> {
    let statements = &derived.statements;
    let moded = derived.task.body.iter().filter_map(|mode| mode_predicate(mode, &statements.symbols));
    let rules = statements.rules.list.iter().map(|rule| &rule.clause);
    asked_by(moded, rules.chain(statements.symbols.aggregates()))
}

/// The facts of a text that clauses do not use: where an argument stands, and its sentence.
pub const SENTENCE_FACTS: [(&str, usize); 2] = [("span", 4), ("sentence", 2)];

/// Warns of predicates with facts that occur in no mode and in no rule behind a mode.
fn facts_out_of_reach(derived: &Derived, reached: &FixedSet<PredicateId>) -> Option<Diagnostic> {
    if reached.is_empty() {
        return None;
    }
    let statements = &derived.statements;
    let Statements { symbols, declarations, rules, first_facts, .. } = statements;
    // Other warnings already tell of these: the target's facts, modes without a determination or the reverse, names of
    // several arities, predicates left out.
    let mut told: FixedSet<PredicateId> =
        declarations.modes.iter().filter_map(|mode| mode_predicate(mode, symbols)).collect();
    let determined = declarations.determinations.iter().filter(|(head, _, _)| *head == derived.task.target);
    told.extend(determined.filter_map(|(_, body, _)| symbols.find_predicate(body)));
    told.extend(symbols.find_predicate(&derived.task.target));
    told.extend(rules.incomplete.iter().copied());
    // They say when other facts exist, whether or not clauses ask for them.
    let timed = declarations.times.timed.iter();
    let timed = timed.flat_map(|facts| std::iter::once(facts.predicate.clone()).chain(facts.age_predicate()));
    told.extend(timed.filter_map(|name| symbols.find_predicate(&name)));
    told.extend(namesakes(derived).into_values().flatten());
    // By these the sentences of examples are shown.
    let of_text =
        SENTENCE_FACTS.map(|(name, arity)| symbols.find_predicate(&PredicateName::new(name, arity)));
    told.extend(of_text.iter().flatten().filter(|_| of_text.iter().all(Option::is_some)));
    let types = types_of_modes(derived);
    let left: Vec<PredicateId> = defined(statements)
        .into_iter()
        .filter(|&id| !types.contains(symbols.predicate_name(id)))
        .filter(|id| !reached.contains(id) && !told.contains(id) && first_facts.contains_key(id))
        .collect();
    let names: Vec<String> = left.iter().map(|&id| symbols.predicate_name(id).to_string()).collect();
    let n_facts = left.iter().filter_map(|id| derived.given.n_facts.get(id.index())).sum();
    left.first().map(|&first| faults::facts_out_of_reach(&names, n_facts, place_of(derived, first)))
}

/// Warns of columns that hold both numbers and other constants.
fn mixed_arguments(derived: &Derived, used: &[PredicateId], is_number: &[bool]) -> Vec<Diagnostic> {
    let statements = &derived.statements;
    let mut found = Vec::new();
    for &id in used {
        let name = statements.symbols.predicate_name(id);
        for argument in 0..name.arity {
            // The counts of numbers and of other constants, with a sample of each.
            let mut counts = [0_usize; 2];
            let mut samples = [None; 2];
            for table in &derived.worlds.tables {
                for constant in table.rows(id).column(argument) {
                    let kind = usize::from(!is_number[constant.index()]);
                    counts[kind] += 1;
                    samples[kind].get_or_insert(constant);
                }
            }
            if let [Some(number), Some(other)] = samples {
                let text = |constant: ConstantId| statements.symbols.constant_text(constant);
                let place = place_of(derived, id);
                let samples = [text(number), text(other)];
                found.push(faults::mixed_argument(name, argument + 1, counts, samples, place));
            }
        }
    }
    found
}

/// Warns of the first rule that computes numbers of values that only a test of their kind gives: it has those of the data alone.
fn tests_that_give_values(statements: &Statements) -> Option<Diagnostic> {
    let tests = type_tests(statements, &defined_predicates(statements));
    let first = |rule: &RawRule| {
        let body = &rule.clause.body;
        let is_computed = |literal: &Literal| matches!(literal, Literal::Comparison(of) if of.operator == ComparisonOperator::Is);
        let atoms = || body.iter().filter_map(Literal::positive_atom);
        let is_test = |atom: &&Atom| tests.contains(&atom.predicate);
        let is_given = |term: &Term| atoms().any(|atom| !is_test(&atom) && atom.arguments.contains(term));
        let of_variable =
            |atom: &&Atom| matches!(atom.arguments[..], [term @ Term::Variable(_)] if !is_given(&term));
        let test = atoms().filter(is_test).find(of_variable).filter(|_| body.iter().any(is_computed))?;
        let name = |id: PredicateId| statements.symbols.predicate_name(id);
        Some(faults::test_gives_values(name(rule.clause.head.predicate), name(test.predicate), rule.place))
    };
    statements.rules.list.iter().find_map(first)
}

/// Warns of arguments whose constants are all numbers to a person, with a comma: to clauses they are names.
fn numbers_with_commas(derived: &Derived, used: &[PredicateId]) -> Vec<Diagnostic> {
    const FEWEST: usize = 3;
    let statements = &derived.statements;
    let text = |constant: ConstantId| statements.symbols.constant_text(constant);
    let mut found = Vec::new();
    for &id in used {
        let name = statements.symbols.predicate_name(id);
        for argument in 0..name.arity {
            let columns = || derived.worlds.tables.iter().flat_map(|table| table.rows(id).column(argument));
            let mut distinct: FixedSet<ConstantId> = FixedSet::default();
            let are_all = columns().all(|of| !distinct.insert(of) || is_number_with_comma(text(of)));
            if let Some(first) = columns().next().filter(|_| are_all && distinct.len() >= FEWEST) {
                let place = place_of(derived, id);
                found.push(faults::numbers_with_commas(name, argument + 1, text(first), place));
            }
        }
    }
    found
}

/// Examples of the target.
fn examples(derived: &Derived) -> impl Iterator<Item = &RawExample> {
    let statements = &derived.statements;
    let target = statements.symbols.find_predicate(&derived.task.target).into_iter();
    target.flat_map(|id| statements.examples.of(id))
}

/// For each constant, whether a fact of a world holds it.
fn known_constants(derived: &Derived, world: usize, n_constants: usize) -> Vec<bool> {
    let n_common = derived.worlds.n_common();
    let tables = &derived.worlds.tables;
    let mut known = held_constants(&tables[world + n_common], n_constants);
    for common in &tables[..n_common] {
        let common = held_constants(common, n_constants);
        known.iter_mut().zip(common).for_each(|(known, of_all)| *known |= of_all);
    }
    known
}

/// Warns of examples with a constant that no fact of their world holds: the facts say nothing of it.
fn unknown_constants(derived: &Derived, is_number: &[bool]) -> Option<Diagnostic> {
    let statements = &derived.statements;
    let mut by_world: BTreeMap<usize, Vec<(usize, &RawExample)>> = BTreeMap::new();
    for (position, example) in examples(derived).enumerate() {
        let world = derived.worlds.world(example.fold, statements.examples.arguments(example));
        by_world.entry(world).or_default().push((position, example));
    }
    let are_things = arguments_with_facts(derived);
    let mut first: Option<(usize, &RawExample, ConstantId, usize)> = None;
    let mut n_unknown = 0_usize;
    for (world, examples) in by_world {
        let known = known_constants(derived, world, is_number.len());
        for (position, example) in examples {
            let things = statements.examples.arguments(example).iter().zip(&are_things);
            let mut things = things.filter(|(_, is_thing)| **is_thing).map(|(&constant, _)| constant);
            let is_unknown = |constant: &ConstantId| !known[constant.index()] && !is_number[constant.index()];
            let Some(constant) = things.find(is_unknown) else { continue };
            n_unknown += 1;
            if first.is_none_or(|(before, ..)| position < before) {
                first = Some((position, example, constant, world));
            }
        }
    }
    let (_, example, constant, world) = first?;
    let known = known_constants(derived, world, is_number.len());
    let nearest = nearest_constant(constant, &known, &statements.symbols);
    let text = statements.symbols.constant_text(constant);
    Some(faults::unknown_constants(n_unknown, text, nearest, example.place))
}

/// For each argument of the target, whether facts should mention its constants. A constant of the head mode is only a
/// value, such as the name of a class. So is a column of the labelled table that no relation takes, unless relations
/// take none of the columns.
fn arguments_with_facts(derived: &Derived) -> Vec<bool> {
    let relations =
        derived.task.body.iter().filter(|mode| mode_predicate(mode, &derived.statements.symbols).is_some());
    let called: BTreeSet<&str> =
        relations.flat_map(|mode| mode.arguments.iter().map(|(_, name)| name.as_str())).collect();
    let head = &derived.task.head.arguments;
    let is_called = |name: &str| called.contains(name);
    let is_any_called = head.iter().any(|(_, name)| is_called(name.as_str()));
    let cut_off = derived.worlds.cut_off_argument();
    let is_thing = |(argument, (marker, name)): (usize, &(Marker, String))| {
        *marker != Marker::Constant
            && cut_off != Some(argument)
            && (!is_any_called || is_called(name.as_str()))
    };
    head.iter().enumerate().map(is_thing).collect()
}

/// The most constants among which to look for one that a misspelt one may mean.
const MOST_COMPARED: usize = 100_000;

/// The known constant that a misspelt one may mean: it differs in case or quotes, or else in few letters. A constant
/// with other digits means another thing.
fn nearest_constant<'l>(constant: ConstantId, known: &[bool], symbols: &'l Provisional) -> Option<&'l str> {
    if known.len() > MOST_COMPARED {
        return None;
    }
    let letters = |text: &str| text.trim_matches(['\'', '"']).to_lowercase();
    let digits = |text: &str| text.chars().filter(char::is_ascii_digit).collect::<String>();
    let text = symbols.constant_text(constant);
    let of = digits(text);
    let ids = (0..known.len()).filter(|&id| known[id]).map(ConstantId::new);
    let mut candidates: Vec<&str> = ids.map(|id| symbols.constant_text(id)).collect();
    candidates.retain(|candidate| digits(candidate) == of);
    candidates.sort_unstable();
    let same = candidates.iter().find(|candidate| letters(candidate) == letters(text));
    same.copied().or_else(|| nearest(text, candidates.iter().copied()))
}

/// The least and the greatest number of one class, and the number of its things that have one.
#[derive(Clone, Copy, Debug)]
struct Range {
    least: f64,
    greatest: f64,
    n_values: usize,
}

impl Range {
    const NONE: Self = Self { least: f64::INFINITY, greatest: f64::NEG_INFINITY, n_values: 0 };

    fn add(&mut self, value: f64) {
        self.least = self.least.min(value);
        self.greatest = self.greatest.max(value);
        self.n_values += 1;
    }
}

/// The fewest things of each class for a judgement on a column of numbers.
const FEWEST_OF_A_CLASS: usize = 5;

/// Warns of columns of numbers in which a threshold separates the classes without a fault. An example is the activity
/// from which the classes of a data set were derived: a clause with it learns nothing else.
fn separating_numbers(derived: &Derived, used: &[PredicateId], is_number: &[bool]) -> Vec<Diagnostic> {
    let statements = &derived.statements;
    let mut found = Vec::new();
    for argument in 0..derived.task.target.arity {
        let classes = classes(derived, argument, is_number.len());
        for &id in used {
            let name = statements.symbols.predicate_name(id);
            for column in (0..name.arity).filter(|&column| is_numeric(derived, id, column, is_number)) {
                let leak = (0..name.arity)
                    .filter(|&other| other != column)
                    .find_map(|other| separation(derived, id, other, column, &classes));
                if let Some(ranges) = leak {
                    let ranges = ranges.map(|range| (range.least, range.greatest));
                    found.push(faults::separating_numbers(name, column + 1, ranges, place_of(derived, id)));
                }
            }
        }
    }
    found
}

fn is_numeric(derived: &Derived, id: PredicateId, column: usize, is_number: &[bool]) -> bool {
    let mut tables = derived.worlds.tables.iter().filter(|table| !table.rows(id).is_empty()).peekable();
    tables.peek().is_some()
        && tables.all(|table| table.rows(id).column(column).all(|constant| is_number[constant.index()]))
}

/// For each constant, the class of the examples that have it as this argument; none if both classes have it, or
/// neither.
fn classes(derived: &Derived, argument: usize, n_constants: usize) -> Vec<Option<bool>> {
    let mut classes = vec![None; n_constants];
    let mut is_both = vec![false; n_constants];
    for example in examples(derived).filter(|example| example.is_labelled) {
        let constant = derived.statements.examples.arguments(example)[argument].index();
        match classes[constant] {
            None => classes[constant] = Some(example.is_positive),
            Some(class) => is_both[constant] |= class != example.is_positive,
        }
    }
    let clear = |(class, is_both): (Option<bool>, bool)| if is_both { None } else { class };
    classes.into_iter().zip(is_both).map(clear).collect()
}

/// The ranges of negatives and positives, if the numbers of `column` lie apart for the classes of the things in
/// `other`. Nearly all things with a class must have a number.
fn separation(
    derived: &Derived,
    id: PredicateId,
    other: usize,
    column: usize,
    classes: &[Option<bool>],
) -> Option<[Range; 2]> {
    let numbers = derived.statements.symbols.numbers();
    let mut ranges = [Range::NONE; 2];
    let mut seen: FixedSet<ConstantId> = FixedSet::default();
    for table in &derived.worlds.tables {
        let rows = table.rows(id);
        for (thing, number) in rows.column(other).zip(rows.column(column)) {
            let Some(is_positive) = classes[thing.index()] else { continue };
            let number = numbers.get(number.raw())?;
            seen.insert(thing);
            ranges[usize::from(is_positive)].add(number.as_f64());
            let [negatives, positives] = ranges;
            let overlap = negatives.n_values > 0
                && positives.n_values > 0
                && negatives.least <= positives.greatest
                && positives.least <= negatives.greatest;
            if overlap {
                return None;
            }
        }
    }
    let n_labelled = classes.iter().filter(|class| class.is_some()).count();
    let of_class =
        |is_positive: bool| seen.iter().filter(|thing| classes[thing.index()] == Some(is_positive)).count();
    let is_leak = of_class(true) >= FEWEST_OF_A_CLASS
        && of_class(false) >= FEWEST_OF_A_CLASS
        && seen.len() * 10 >= n_labelled * 9;
    is_leak.then_some(ranges)
}

/// Warns of things that occur in examples of several folds.
fn shared_entities(derived: &Derived, is_number: &[bool]) -> Option<Diagnostic> {
    let Statements { symbols, examples: all, habits, .. } = &derived.statements;
    // The parts of a graph of links share their things on purpose.
    if all.division == Division::None || habits.is_one_graph {
        return None;
    }
    // Folds share classes on purpose; a cut-off is a time, and no thing.
    let class = all.classes.as_ref().and_then(|classes| classes.argument());
    let is_thing = |at: usize| class != Some(at) && derived.worlds.cut_off_argument() != Some(at);
    let mut fold_of: Vec<Option<usize>> = vec![None; is_number.len()];
    let mut is_shared = vec![false; is_number.len()];
    let mut first: Option<(&RawExample, ConstantId, usize)> = None;
    let twice = examples_in_several_folds(derived);
    for example in examples(derived).filter(|example| !twice.contains(all.arguments(example))) {
        for (_, &constant) in all.arguments(example).iter().enumerate().filter(|(at, _)| is_thing(*at)) {
            match (fold_of[constant.index()], example.fold) {
                _ if is_number[constant.index()] => {}
                (None, fold) => fold_of[constant.index()] = fold,
                (Some(known), Some(fold)) if known != fold => {
                    is_shared[constant.index()] = true;
                    first.get_or_insert((example, constant, known));
                }
                _ => {}
            }
        }
    }
    let (example, constant, fold) = first?;
    let n_shared = is_shared.iter().filter(|&&is_shared| is_shared).count();
    let n_all = fold_of.iter().filter(|fold| fold.is_some()).count();
    let (constant, fold) = (symbols.constant_text(constant), &*all.fold_names[fold]);
    Some(faults::shared_entities([n_shared, n_all], constant, fold, example.place))
}

/// The arguments of examples that are in several folds of the same facts; another warning tells of these.
fn examples_in_several_folds(derived: &Derived) -> FixedSet<&[ConstantId]> {
    if derived.worlds.tables.len() > 1 {
        return FixedSet::default();
    }
    let mut fold_of: FixedMap<&[ConstantId], Option<usize>> = FixedMap::default();
    let mut twice = FixedSet::default();
    for example in examples(derived) {
        let arguments = derived.statements.examples.arguments(example);
        if *fold_of.entry(arguments).or_insert(example.fold) != example.fold {
            twice.insert(arguments);
        }
    }
    twice
}
