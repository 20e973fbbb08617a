//! Aggregates with conditions that runs find in their train and tune sets, as relations of the problem.
//!
//! What is found is text, as a user would write it. So the relations, their rows and their words are those of any aggregate.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use gleaner_base::random::{Purpose, stream};
use gleaner_base::{Budget, ExampleId, FixedMap, PredicateId, TypeId};
use gleaner_data::clauses::{Binding, ClauseFaults, usable_predicates};
use gleaner_data::{DatabaseRelation, DatabaseSchema, Problem};
use gleaner_lang::program::literal::Subject;
use gleaner_lang::program::mode::{ArgumentMode, BodyMode, Modes};
use gleaner_lang::program::{Atom, ComparisonOperator, Literal, PredicateName, Symbols, Term, ToTell};
use gleaner_learn::families::{Measure, SearchedExamples, Target, found_aggregates};
use rand::seq::SliceRandom;

use crate::experiment::runs::split::Split;

/// The most negatives that are searched, unless there are so many of each positive.
const MOST_NEGATIVES: usize = 2_000;

const MOST_NEGATIVES_OF_POSITIVE: usize = 10;

/// The most examples that are searched where the target is a number.
const MOST_NUMBERS: usize = 6_000;

/// The problem with the aggregates of all runs. Each run has modes for those that it found. These replace proposed modes of rows;
/// modes that are given stay.
///
/// **Cost**: a search for each run, and a walk over the rows of each example for each aggregate.
///
/// # Errors
///
/// Aggregates that join too many facts.
pub(crate) fn with_learnt_aggregates<'s>(
    problem: &Problem,
    splits: impl IntoIterator<Item = &'s Split>,
    is_frozen: bool,
    budget: &Budget,
) -> Result<Problem, ClauseFaults> {
    let measures = measures(problem, is_frozen);
    let mut texts: Vec<String> = Vec::new();
    let mut of_runs: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for split in splits {
        let of_run = of_runs.entry(split.run_idx).or_default();
        for text in aggregates_of_run(problem, split, &measures, budget) {
            let at = texts.iter().position(|known| *known == text).unwrap_or_else(|| {
                texts.push(text);
                texts.len() - 1
            });
            of_run.push(at);
        }
    }
    if texts.is_empty() {
        return Ok(problem.clone());
    }
    let usable = usable_predicates(problem);
    let binding = Binding::for_searches(problem, &usable, &texts, comes_to_others(problem))?;
    let aggregate = |clause: &gleaner_lang::program::Clause| {
        clause.body.first().and_then(Literal::positive_atom).cloned().expect("an aggregate")
    };
    let atoms: Vec<Atom> = binding.clauses().iter().map(aggregate).collect();
    let bound = with_own_types(&binding.bound(problem), atoms.len());
    let first_type = bound.symbols().types.len() - atoms.len();
    let usual = bound.modes();
    let of_run = |members: &Vec<usize>| {
        let mut body = if members.is_empty() { usual.body.clone() } else { without_rows(&bound) };
        body.extend(members.iter().flat_map(|&at| modes_of(&atoms[at], TypeId::new(first_type + at), usual)));
        body.sort_unstable();
        body.dedup();
        body
    };
    let bodies = of_runs.iter().map(|(run, members)| (*run, of_run(members))).collect();
    Ok(bound.with_modes_of_runs(bodies))
}

/// Whether clauses come to things of the types that examples have: these have aggregates, too.
fn comes_to_others(problem: &Problem) -> bool {
    let modes = problem.modes();
    let of_head: BTreeSet<TypeId> = modes.head.arguments.iter().map(|argument| argument.type_id()).collect();
    let mut found = without_rows(problem).into_iter().flat_map(|mode| mode.arguments);
    found.any(|argument| matches!(argument, ArgumentMode::Output(type_id) if of_head.contains(&type_id)))
}

/// The aggregates that train and tune of a run propose and confirm, as clauses.
fn aggregates_of_run(
    problem: &Problem,
    split: &Split,
    measures: &FixedMap<PredicateId, Measure>,
    budget: &Budget,
) -> Vec<String> {
    // What follows from train examples differs by run: no relation of all runs can aggregate it.
    let mut modes = problem.modes().clone();
    modes.body.retain(|mode| {
        let is_of_runs = |rules: &gleaner_data::TrainRules| {
            mode.subject.predicate().is_some_and(|predicate| rules.predicates().contains(predicate))
        };
        !problem.train_rules().is_some_and(is_of_runs)
    });
    let (worlds, examples) = (problem.worlds(), problem.examples());
    let mut texts = BTreeSet::new();
    for (ids, target, weights) in searches(problem, split) {
        let data = SearchedExamples { worlds, modes: &modes, examples, ids: &ids, measures };
        let found = found_aggregates(&data, &target, &weights, budget);
        texts.extend(found.into_iter().map(|aggregate| aggregate.clause));
    }
    texts.into_iter().collect()
}

/// The relations of a database whose numbers are times, ages or places of rows. Where rows of a fold are frozen, they end before its
/// cut-offs: ages say something else there than in other folds.
fn measures(problem: &Problem, is_frozen: bool) -> FixedMap<PredicateId, Measure> {
    use DatabaseRelation::{Age, AgeOfExample, AgeOfRow, Recency, Year};
    let Some(schema) = problem.schema().and_then(DatabaseSchema::read) else { return FixedMap::default() };
    let measure = |name: &PredicateName| match schema.relation(&name.name) {
        [Age(_) | AgeOfExample(_) | AgeOfRow(_)] if is_frozen => Some(Measure::Nothing),
        [Age(_) | AgeOfExample(_) | AgeOfRow(_) | Year(_)] => Some(Measure::Time),
        [Recency(_)] => Some(Measure::Rank),
        _ => None,
    };
    let predicates = problem.symbols().predicates.iter().enumerate();
    predicates.filter_map(|(at, name)| Some((PredicateId::new(at), measure(name)?))).collect()
}

/// What is searched for: the positives, each class against the rest, or numbers. With the examples and their weights.
fn searches(problem: &Problem, split: &Split) -> Vec<(Vec<ExampleId>, Target, Vec<f64>)> {
    let (labels, examples) = (problem.labels(), problem.examples());
    let known: Vec<ExampleId> = split.train.iter().chain(&split.tune).copied().collect();
    let of_all = |to_tell: ToTell| match to_tell {
        ToTell::Class(class) => sample(&known, |id| examples.class(id) == class),
        ToTell::Number => {
            let ids = some(&known, MOST_NUMBERS);
            let of = |&id: &ExampleId| Some((id, labels.number(examples, id)?));
            let (ids, numbers): (Vec<ExampleId>, Vec<f64>) = ids.iter().filter_map(of).unzip();
            let weights = vec![1.0; ids.len()];
            (ids, Target::Number(numbers), weights)
        }
    };
    labels.to_tell().into_iter().map(of_all).collect()
}

/// All positives and so many negatives, with the weight of each.
fn sample(
    known: &[ExampleId],
    is_positive: impl Fn(ExampleId) -> bool,
) -> (Vec<ExampleId>, Target, Vec<f64>) {
    let (positives, negatives): (Vec<ExampleId>, Vec<ExampleId>) =
        known.iter().copied().partition(|&id| is_positive(id));
    let kept = some(&negatives, MOST_NEGATIVES.max(MOST_NEGATIVES_OF_POSITIVE * positives.len()));
    let weight = negatives.len() as f64 / kept.len().max(1) as f64;
    let (truth, weights) = (vec![true; positives.len()], vec![1.0; positives.len()]);
    let of_negatives = (vec![false; kept.len()], vec![weight; kept.len()]);
    (
        [positives, kept].concat(),
        Target::Class([truth, of_negatives.0].concat()),
        [weights, of_negatives.1].concat(),
    )
}

/// At most so many by chance, in their order: the order of rows may follow a pattern.
fn some(ids: &[ExampleId], most: usize) -> Vec<ExampleId> {
    if ids.len() <= most {
        return ids.to_vec();
    }
    let mut places: Vec<usize> = (0..ids.len()).collect();
    places.shuffle(&mut stream(0, Purpose::Resample, &[ids.len() as u64, most as u64]));
    places.truncate(most);
    places.sort_unstable();
    places.into_iter().map(|at| ids[at]).collect()
}

/// The problem with a type for the values of each of so many aggregates: thresholds of one mean nothing for another.
fn with_own_types(problem: &Problem, n_aggregates: usize) -> Problem {
    let known = problem.symbols();
    let further = (1..=n_aggregates).map(|number| format!("aggregate_{number}"));
    let types = known.types.iter().cloned().chain(further).collect();
    let symbols = Arc::new(Symbols { types, ..Symbols::clone(known) });
    let worlds = problem.worlds().iter().map(|world| world.with_symbols(Arc::clone(&symbols))).collect();
    problem.with_facts(symbols, worlds)
}

/// The modes of an aggregate's value and of its thresholds.
fn modes_of(atom: &Atom, type_id: TypeId, usual: &Modes) -> Vec<BodyMode> {
    use ComparisonOperator::{GreaterOrEqual, LessOrEqual};
    let head = &usual.head.arguments;
    let group = |term: &Term| {
        let variable = term.variable().expect("groups are variables of the head");
        ArgumentMode::Input(head[variable.index()].type_id())
    };
    let groups = &atom.arguments[..atom.arguments.len() - 1];
    let mut arguments: Vec<ArgumentMode> = groups.iter().map(group).collect();
    arguments.push(ArgumentMode::Output(type_id));
    let value =
        BodyMode { subject: Subject::Relation(atom.predicate), arguments, instantiation_limit: Some(1) };
    let given = usual.body.iter().filter(|mode| mode.is_threshold()).map(|mode| mode.subject);
    let mut compared: BTreeSet<Subject> = given.collect();
    if compared.is_empty() {
        compared.extend([GreaterOrEqual, LessOrEqual].map(Subject::Comparison));
    }
    let threshold = |subject: Subject| BodyMode {
        subject,
        arguments: vec![ArgumentMode::Input(type_id), ArgumentMode::Constant(type_id)],
        instantiation_limit: Some(1),
    };
    std::iter::once(value).chain(compared.into_iter().map(threshold)).collect()
}

/// The modes of a run beside those of its aggregates. Proposed modes of rows are left out: what rows tell is found.
fn without_rows(problem: &Problem) -> Vec<BodyMode> {
    let mut body = problem.modes().body.clone();
    if problem.proposed_modes().is_none() && !problem.has_proposed_modes() {
        return body;
    }
    body.retain(|mode| mode.is_threshold() || mode.instantiation_limit == Some(1));
    let found: BTreeSet<TypeId> = body
        .iter()
        .flat_map(|mode| &mode.arguments)
        .filter(|argument| matches!(argument, ArgumentMode::Output(_)))
        .map(|argument| argument.type_id())
        .collect();
    body.retain(|mode| !mode.is_threshold() || found.contains(&mode.arguments[0].type_id()));
    body
}
