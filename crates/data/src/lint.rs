//! Warnings about data that load; they never refuse the data.
//!
//! Each check is at most a pass over the rows, with a table by constant: it costs little beside loading.

use std::collections::{BTreeMap, BTreeSet};

use gleaner_base::{ConstantId, FixedMap, FixedSet, PredicateId};
use gleaner_lang::program::settings::nearest;
use gleaner_lang::program::{FactTable, PredicateName};
use gleaner_lang::syntax::{Diagnostic, Place};

use super::defined::defined_predicates;
use super::faults;
use super::gather::{Gathered, RawExample};
use super::mode_terms::{Marker, RawMode};
use super::rule_graph::asked_by;
use super::{Division, PredicateProfile};

/// The data to check.
pub(super) struct Looked<'l> {
    pub(super) gathered: &'l Gathered,
    /// The place of the first rule of each predicate with rules.
    pub(super) first_rules: &'l FixedMap<PredicateId, Place>,
    /// The number of given facts, by predicate.
    pub(super) n_facts: &'l [usize],
    /// The rows of each world after the rules.
    pub(super) tables: &'l [FactTable],
    pub(super) target: &'l PredicateName,
    pub(super) head: &'l RawMode,
    pub(super) body: &'l [RawMode],
}

/// All warnings.
pub(super) fn lint(looked: &Looked<'_>) -> Vec<Diagnostic> {
    let mut found = several_arities(looked);
    found.extend(types_without_constants(looked));
    let reached = reached(looked);
    found.extend(facts_out_of_reach(looked, &reached));
    let is_number = numbers(looked.gathered);
    // A warning of its own tells of predicates that no clause can use; they get no other.
    let used: Vec<PredicateId> = defined(looked.gathered)
        .into_iter()
        .filter(|id| reached.is_empty() || reached.contains(id))
        .collect();
    found.extend(mixed_arguments(looked, &used, &is_number));
    found.extend(unknown_constants(looked, &is_number));
    found.extend(separating_numbers(looked, &used, &is_number));
    found.extend(shared_entities(looked, &is_number));
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
fn numbers(gathered: &Gathered) -> Vec<bool> {
    let mut is_number = vec![false; gathered.symbols.constants().len()];
    for &id in gathered.symbols.numbers().keys() {
        is_number[id as usize] = true;
    }
    is_number
}

/// The defined predicates, ascending by name.
fn defined(gathered: &Gathered) -> Vec<PredicateId> {
    let mut defined: Vec<PredicateId> = defined_predicates(gathered).into_iter().collect();
    defined.sort_by_key(|&id| gathered.symbols.predicate_name(id).clone());
    defined
}

/// The types of the modes as predicates: Aleph's files list the things of each type as its facts.
fn types_of_modes(looked: &Looked<'_>) -> BTreeSet<PredicateName> {
    let heads = looked.head.arguments.iter();
    let arguments = heads.chain(looked.body.iter().flat_map(|mode| &mode.arguments));
    arguments.map(|(_, name)| PredicateName::new(name.as_str(), 1)).collect()
}

/// The defined predicates that share a name with others, by name.
fn namesakes<'l>(looked: &Looked<'l>) -> BTreeMap<&'l str, Vec<PredicateId>> {
    let types = types_of_modes(looked);
    let mut by_name: BTreeMap<&str, Vec<PredicateId>> = BTreeMap::new();
    for id in defined(looked.gathered) {
        let name = looked.gathered.symbols.predicate_name(id);
        if !types.contains(name) {
            by_name.entry(&name.name).or_default().push(id);
        }
    }
    by_name.retain(|_, ids| ids.len() > 1);
    by_name
}

/// Warns of predicates that share a name: a misspelt call or a lost argument makes another predicate of that name.
fn several_arities(looked: &Looked<'_>) -> Vec<Diagnostic> {
    let gathered = looked.gathered;
    let n_facts = |id: PredicateId| looked.n_facts.get(id.index()).copied().unwrap_or(0);
    let clash = |ids: &Vec<PredicateId>| -> Option<Diagnostic> {
        // The one with fewer facts is the odd one.
        let rarest = *ids.iter().min_by_key(|&&id| n_facts(id))?;
        let names: Vec<String> = ids
            .iter()
            .map(|&id| {
                let name = gathered.symbols.predicate_name(id);
                format!("{name} ({})", faults::counted(n_facts(id), "fact"))
            })
            .collect();
        Some(faults::several_arities(&names, place_of(looked, rarest)))
    };
    namesakes(looked).values().filter_map(clash).collect()
}

/// The place where a file first defines a predicate: its first fact, or else its first rule.
fn place_of(looked: &Looked<'_>, id: PredicateId) -> Option<Place> {
    let of_fact = looked.gathered.first_facts.get(&id);
    of_fact.or_else(|| looked.first_rules.get(&id)).copied()
}

/// Warns of types of modes whose columns are all empty: a mode with such an input is never called.
fn types_without_constants(looked: &Looked<'_>) -> Vec<Diagnostic> {
    let mut held: BTreeSet<&str> = looked.head.arguments.iter().map(|(_, name)| name.as_str()).collect();
    for mode in looked.body {
        let Some(id) = mode_predicate(mode, looked.gathered) else { continue };
        if looked.tables.iter().any(|table| !table.rows(id).is_empty()) {
            held.extend(mode.arguments.iter().map(|(_, name)| name.as_str()));
        }
    }
    let mut told: BTreeSet<&str> = BTreeSet::new();
    let mut found = Vec::new();
    for mode in looked.body {
        let missing = mode.arguments.iter().map(|(_, name)| name.as_str()).find(|name| !held.contains(name));
        if let Some(name) = missing.filter(|name| told.insert(name)) {
            found.push(faults::type_without_constants(name, mode.place));
        }
    }
    found
}

fn mode_predicate(mode: &RawMode, gathered: &Gathered) -> Option<PredicateId> {
    mode.subject.predicate().and_then(|name| gathered.symbols.find_predicate(name))
}

/// The predicates of body modes and of the rules behind them; none if there are no body modes.
fn reached(looked: &Looked<'_>) -> FixedSet<PredicateId> {
    let gathered = looked.gathered;
    let moded = looked.body.iter().filter_map(|mode| mode_predicate(mode, gathered));
    asked_by(moded, gathered.rules.iter().map(|rule| &rule.clause))
}

/// Warns of predicates with facts that occur in no mode and in no rule behind a mode.
fn facts_out_of_reach(looked: &Looked<'_>, reached: &FixedSet<PredicateId>) -> Option<Diagnostic> {
    if reached.is_empty() {
        return None;
    }
    let gathered = looked.gathered;
    // Other warnings already tell of these: the target's facts, modes without a determination or the reverse, names of
    // several arities, predicates left out.
    let mut told: FixedSet<PredicateId> =
        gathered.modes.iter().filter_map(|mode| mode_predicate(mode, gathered)).collect();
    let determined = gathered.determinations.iter().filter(|(head, _, _)| head == looked.target);
    told.extend(determined.filter_map(|(_, body, _)| gathered.symbols.find_predicate(body)));
    told.extend(gathered.symbols.find_predicate(looked.target));
    told.extend(gathered.incomplete.iter().copied());
    told.extend(namesakes(looked).into_values().flatten());
    let types = types_of_modes(looked);
    let left: Vec<PredicateId> = defined(gathered)
        .into_iter()
        .filter(|&id| !types.contains(gathered.symbols.predicate_name(id)))
        .filter(|id| !reached.contains(id) && !told.contains(id) && gathered.first_facts.contains_key(id))
        .collect();
    let names: Vec<String> = left.iter().map(|&id| gathered.symbols.predicate_name(id).to_string()).collect();
    let n_facts = left.iter().filter_map(|id| looked.n_facts.get(id.index())).sum();
    left.first().map(|&first| faults::facts_out_of_reach(&names, n_facts, place_of(looked, first)))
}

/// Warns of columns that hold both numbers and other constants.
fn mixed_arguments(looked: &Looked<'_>, used: &[PredicateId], is_number: &[bool]) -> Vec<Diagnostic> {
    let gathered = looked.gathered;
    let mut found = Vec::new();
    for &id in used {
        let name = gathered.symbols.predicate_name(id);
        for argument in 0..name.arity {
            // The counts of numbers and of other constants, with a sample of each.
            let mut counts = [0_usize; 2];
            let mut samples = [None; 2];
            for table in looked.tables {
                for constant in table.rows(id).column(argument) {
                    let kind = usize::from(!is_number[constant.index()]);
                    counts[kind] += 1;
                    samples[kind].get_or_insert(constant);
                }
            }
            if let [Some(number), Some(other)] = samples {
                let text = |constant: ConstantId| gathered.symbols.constant_text(constant);
                let place = place_of(looked, id);
                let samples = [text(number), text(other)];
                found.push(faults::mixed_argument(name, argument + 1, counts, samples, place));
            }
        }
    }
    found
}

/// Examples of the target, with the table of their world.
fn examples<'l>(looked: &Looked<'l>) -> impl Iterator<Item = (&'l RawExample, &'l FactTable)> {
    let (gathered, tables) = (looked.gathered, looked.tables);
    let target = gathered.symbols.find_predicate(looked.target);
    gathered.examples.iter().filter(move |example| Some(example.predicate) == target).map(move |example| {
        let last = tables.len() - 1;
        (example, &tables[example.fold.filter(|&fold| fold < last).unwrap_or(last)])
    })
}

/// Warns of examples with a constant that no fact of their world holds: the facts say nothing of it.
fn unknown_constants(looked: &Looked<'_>, is_number: &[bool]) -> Option<Diagnostic> {
    let gathered = looked.gathered;
    let mut known: Vec<Vec<bool>> = Vec::new();
    for table in looked.tables {
        let mut in_table = vec![false; is_number.len()];
        for id in (0..table.n_predicates()).map(PredicateId::new) {
            for argument in 0..table.rows(id).arity() {
                table.rows(id).column(argument).for_each(|constant| in_table[constant.index()] = true);
            }
        }
        known.push(in_table);
    }
    let last = known.len() - 1;
    let are_things = arguments_with_facts(looked);
    let mut first: Option<(&RawExample, ConstantId)> = None;
    let mut n_unknown = 0_usize;
    for (example, _) in examples(looked) {
        let known = &known[example.fold.filter(|&fold| fold < last).unwrap_or(last)];
        let things = gathered.arguments(example).iter().zip(&are_things);
        let mut things = things.filter(|(_, is_thing)| **is_thing).map(|(&constant, _)| constant);
        let is_unknown = |constant: &ConstantId| !known[constant.index()] && !is_number[constant.index()];
        if let Some(constant) = things.find(is_unknown) {
            n_unknown += 1;
            first.get_or_insert((example, constant));
        }
    }
    let (example, constant) = first?;
    let known = &known[example.fold.filter(|&fold| fold < last).unwrap_or(last)];
    let nearest = nearest_constant(constant, known, gathered);
    let text = gathered.symbols.constant_text(constant);
    Some(faults::unknown_constants(n_unknown, text, nearest, example.place))
}

/// For each argument of the target, whether facts should mention its constants. A constant of the head mode is only a
/// value, such as the name of a class. So is a column of the labelled table that no relation takes, unless relations
/// take none of the columns.
fn arguments_with_facts(looked: &Looked<'_>) -> Vec<bool> {
    let relations = looked.body.iter().filter(|mode| mode_predicate(mode, looked.gathered).is_some());
    let called: BTreeSet<&str> =
        relations.flat_map(|mode| mode.arguments.iter().map(|(_, name)| name.as_str())).collect();
    let head = &looked.head.arguments;
    let is_called = |name: &str| called.contains(name);
    let is_any_called = head.iter().any(|(_, name)| is_called(name.as_str()));
    head.iter()
        .map(|(marker, name)| *marker != Marker::Constant && (!is_any_called || is_called(name.as_str())))
        .collect()
}

/// The most constants among which to look for one that a misspelt one may mean.
const MOST_COMPARED: usize = 100_000;

/// The known constant that a misspelt one may mean: it differs in case or quotes, or else in few letters. A constant
/// with other digits means another thing.
fn nearest_constant<'l>(constant: ConstantId, known: &[bool], gathered: &'l Gathered) -> Option<&'l str> {
    if known.len() > MOST_COMPARED {
        return None;
    }
    let letters = |text: &str| text.trim_matches(['\'', '"']).to_lowercase();
    let digits = |text: &str| text.chars().filter(char::is_ascii_digit).collect::<String>();
    let text = gathered.symbols.constant_text(constant);
    let of = digits(text);
    let ids = (0..known.len()).filter(|&id| known[id]).map(ConstantId::new);
    let mut candidates: Vec<&str> = ids.map(|id| gathered.symbols.constant_text(id)).collect();
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
fn separating_numbers(looked: &Looked<'_>, used: &[PredicateId], is_number: &[bool]) -> Vec<Diagnostic> {
    let gathered = looked.gathered;
    let mut found = Vec::new();
    for argument in 0..looked.target.arity {
        let classes = classes(looked, argument, is_number.len());
        for &id in used {
            let name = gathered.symbols.predicate_name(id);
            for column in (0..name.arity).filter(|&column| is_numeric(looked, id, column, is_number)) {
                let leak = (0..name.arity)
                    .filter(|&other| other != column)
                    .find_map(|other| separation(looked, id, other, column, &classes));
                if let Some(ranges) = leak {
                    let ranges = ranges.map(|range| (range.least, range.greatest));
                    found.push(faults::separating_numbers(name, column + 1, ranges, place_of(looked, id)));
                }
            }
        }
    }
    found
}

fn is_numeric(looked: &Looked<'_>, id: PredicateId, column: usize, is_number: &[bool]) -> bool {
    let mut tables = looked.tables.iter().filter(|table| !table.rows(id).is_empty()).peekable();
    tables.peek().is_some()
        && tables.all(|table| table.rows(id).column(column).all(|constant| is_number[constant.index()]))
}

/// For each constant, the class of the examples that have it as this argument; none if both classes have it, or
/// neither.
fn classes(looked: &Looked<'_>, argument: usize, n_constants: usize) -> Vec<Option<bool>> {
    let mut classes = vec![None; n_constants];
    let mut is_both = vec![false; n_constants];
    for (example, _) in examples(looked).filter(|(example, _)| example.is_labelled) {
        let constant = looked.gathered.arguments(example)[argument].index();
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
    looked: &Looked<'_>,
    id: PredicateId,
    other: usize,
    column: usize,
    classes: &[Option<bool>],
) -> Option<[Range; 2]> {
    let numbers = looked.gathered.symbols.numbers();
    let mut ranges = [Range::NONE; 2];
    let mut seen: FixedSet<ConstantId> = FixedSet::default();
    for table in looked.tables {
        let rows = table.rows(id);
        for (thing, number) in rows.column(other).zip(rows.column(column)) {
            let Some(is_positive) = classes[thing.index()] else { continue };
            let number = numbers.get(&number.raw())?;
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
fn shared_entities(looked: &Looked<'_>, is_number: &[bool]) -> Option<Diagnostic> {
    let gathered = looked.gathered;
    // The parts of a graph of links share their things on purpose.
    if gathered.division == Division::None || gathered.habits.is_one_graph {
        return None;
    }
    // Folds share classes on purpose.
    let is_class =
        |at: usize| gathered.classes.as_ref().is_some_and(|classes| classes.argument() == Some(at));
    let mut fold_of: Vec<Option<usize>> = vec![None; is_number.len()];
    let mut is_shared = vec![false; is_number.len()];
    let mut first: Option<(&RawExample, ConstantId, usize)> = None;
    let twice = examples_in_several_folds(looked);
    for (example, _) in examples(looked).filter(|(example, _)| !twice.contains(gathered.arguments(example))) {
        for (_, &constant) in gathered.arguments(example).iter().enumerate().filter(|(at, _)| !is_class(*at))
        {
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
    let (constant, fold) = (gathered.symbols.constant_text(constant), &*gathered.fold_names[fold]);
    Some(faults::shared_entities([n_shared, n_all], constant, fold, example.place))
}

/// The arguments of examples that are in several folds of the same facts; another warning tells of these.
fn examples_in_several_folds<'l>(looked: &Looked<'l>) -> FixedSet<&'l [ConstantId]> {
    if looked.tables.len() > 1 {
        return FixedSet::default();
    }
    let mut fold_of: FixedMap<&[ConstantId], Option<usize>> = FixedMap::default();
    let mut twice = FixedSet::default();
    for (example, _) in examples(looked) {
        let arguments = looked.gathered.arguments(example);
        if *fold_of.entry(arguments).or_insert(example.fold) != example.fold {
            twice.insert(arguments);
        }
    }
    twice
}
