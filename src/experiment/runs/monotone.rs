//! The modes of a run whose scores keep an order by numbers, and what stands in the way of one.

use std::borrow::Cow;
use std::collections::BTreeSet;

use gleaner_base::PredicateId;
use gleaner_data::Problem;
use gleaner_lang::program::clause::{OBJECT_IDENTITY, ObjectIdentity};
use gleaner_lang::program::mode::{ArgumentMode, BodyMode, Modes};
use gleaner_lang::program::monotone::{MONOTONE, MonotoneNumbers, OrderFault, Orders, ordered, orders};
use gleaner_lang::program::settings::{DataSummary, Declaration, Given, Settings, Source};
use gleaner_lang::program::{Clause, Literal, Term};
use gleaner_learn::auto::config::left_out_by_order;
use gleaner_learn::calibration::{CalibrationConfig, CalibrationWay};
use gleaner_learn::learner::Disorder;
use gleaner_learn::settings::of_learning;
use gleaner_learn::{learner_named, learners};

use crate::store::aggregate_definition;

/// The numbers by which scores are to keep an order; none by default.
pub fn asked_numbers(settings: &Settings) -> MonotoneNumbers {
    MONOTONE.read(&Given { settings, data: DataSummary::default() })
}

/// The modes of runs that keep the order, and those of the problem that they lack.
#[derive(Clone, Debug)]
pub struct OrderedModes {
    /// The modes.
    pub modes: Modes,
    /// The body modes that ask which number it is, and aggregates over such a number.
    pub left_out: Vec<BodyMode>,
}

/// The modes of a problem under the order that the settings ask for.
///
/// # Errors
///
/// [`OrderFault`] where the data have no such number, or it can have no order.
pub fn ordered_modes(problem: &Problem, settings: &Settings) -> Result<OrderedModes, OrderFault> {
    let orders = orders(&asked_numbers(settings), problem.modes(), problem.symbols())?;
    let with_numbers = arguments_with_numbers(problem, &orders);
    let (mut modes, mut left_out) = ordered(problem.modes(), orders);
    let asks = |mode: &BodyMode| {
        mode.subject.predicate().is_some_and(|&predicate| counts_by(problem, predicate, &with_numbers))
    };
    let (counting, others): (Vec<BodyMode>, Vec<BodyMode>) = modes.body.into_iter().partition(asks);
    modes.body = others;
    left_out.extend(counting);
    left_out.sort_unstable();
    Ok(OrderedModes { modes, left_out })
}

/// The modes that a run learns by: those of the problem, or those under the order that is asked for. Where the data have no
/// such number there are none, and nothing is learnt; jobs refuse that before.
pub fn modes_of_run<'p>(problem: &'p Problem, settings: &Settings) -> Cow<'p, Modes> {
    if asked_numbers(settings).0.is_empty() {
        return Cow::Borrowed(problem.modes());
    }
    Cow::Owned(
        ordered_modes(problem, settings)
            .map_or_else(|_| Modes { body: Vec::new(), ..problem.modes().clone() }, |ordered| ordered.modes),
    )
}

/// An argument of a predicate, by position.
type Place = (String, usize);

/// The arguments of relations whose numbers have an order.
fn arguments_with_numbers(problem: &Problem, orders: &Orders) -> BTreeSet<Place> {
    let mut places = BTreeSet::new();
    for mode in &problem.modes().body {
        let Some(&predicate) = mode.subject.predicate() else { continue };
        for (at, argument) in mode.arguments.iter().enumerate() {
            if orders.of(ArgumentMode::type_id(*argument)).is_some() {
                places.insert((problem.symbols().predicate(predicate).to_string(), at));
            }
        }
    }
    places
}

/// Whether a predicate is an aggregate whose goal asks for such a number. One that cannot be read may ask for any.
fn counts_by(problem: &Problem, predicate: PredicateId, numbers: &BTreeSet<Place>) -> bool {
    if !problem.symbols().is_aggregate(predicate) {
        return false;
    }
    let Some((symbols, definition)) = aggregate_definition(problem.symbols().predicate(predicate)) else {
        return true;
    };
    let goal = definition.body.iter().filter_map(Literal::aggregate).flat_map(|aggregate| &aggregate.goal);
    let atoms = goal.flat_map(Literal::atoms);
    atoms.into_iter().any(|atom| {
        let name = symbols.predicate(atom.predicate).to_string();
        let mut arguments = atom.arguments.iter().enumerate();
        arguments.any(|(at, &term)| numbers.contains(&(name.clone(), at)) && is_asked_for(term, &definition))
    })
}

/// Whether it matters which constant a term of an aggregate's goal stands for: it is one, or a variable that is there twice.
fn is_asked_for(term: Term, definition: &Clause) -> bool {
    let Term::Variable(variable) = term else { return term != Term::Any };
    let mut n = definition.head.arguments.iter().filter(|&&other| other == term).count();
    for aggregate in definition.body.iter().filter_map(Literal::aggregate) {
        n +=
            [aggregate.template, aggregate.time].into_iter().flatten().filter(|&other| other == term).count();
        for literal in aggregate.counted.iter().chain(&aggregate.goal) {
            literal.visit_variables(&mut |other| n += usize::from(other == variable));
        }
    }
    n > 1
}

/// The predicates of the modes that rules derive, as `name/arity`, ascending. The order is one of facts: what a rule makes of
/// a number is another fact.
pub fn derived_predicates(problem: &Problem) -> Vec<&str> {
    let of_modes: BTreeSet<String> = problem
        .modes()
        .body
        .iter()
        .filter_map(|mode| Some(problem.symbols().predicate(*mode.subject.predicate()?).to_string()))
        .collect();
    let derived = problem.profile().iter().filter(|predicate| predicate.n_rules > 0);
    derived.map(|predicate| &*predicate.predicate).filter(|name| of_modes.contains(*name)).collect()
}

/// Why settings go together with no order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotOrdered {
    /// The learner's scores keep none; the names of those that do.
    Learner(Vec<&'static str>),
    /// A word of a setting; the setting, its word, and the words that go with an order.
    Setting {
        /// The setting's name.
        name: &'static str,
        /// Its word.
        word: String,
        /// The words that go with an order.
        kept_by: Vec<&'static str>,
    },
}

/// Whether the learner keeps an order with these settings, and probabilities keep that of the scores.
///
/// # Errors
///
/// [`NotOrdered`].
pub fn check_keeps_order(settings: &Settings) -> Result<(), NotOrdered> {
    let refused = |name: &'static str, kept_by: Vec<&'static str>| {
        let word = settings.value(name).map_or_else(String::new, |value| value.to_string());
        Err(NotOrdered::Setting { name, word, kept_by })
    };
    let learner = learner_named(&settings.learner());
    match learner.map(|learner| learner.keeps_order(settings)) {
        Some(Ok(())) => {}
        Some(Err(Disorder::Setting { name, kept_by })) => return refused(name, kept_by),
        Some(Err(Disorder::Learner)) | None => return Err(NotOrdered::Learner(names_that_keep_order())),
    }
    // A sigmoid or a beta curve falls where held-out scores are the wrong way round, and frequencies of bins go any way.
    let way = CalibrationConfig::of(settings, DataSummary::default()).way;
    let rises = |way| match way {
        CalibrationWay::Blend | CalibrationWay::Isotonic | CalibrationWay::None => true,
        CalibrationWay::Platt | CalibrationWay::Beta | CalibrationWay::Binning => false,
    };
    if let Err(Disorder::Setting { name, kept_by }) = Disorder::unless("calibration", way, rises) {
        return refused(name, kept_by);
    }
    // Distinct variables would have to stand for distinct numbers.
    let identity = |settings: &Settings| {
        OBJECT_IDENTITY.read(&Given { settings, data: DataSummary::default() }) == ObjectIdentity::On
    };
    if of_learning(settings).iter().any(identity) {
        let kept_by = [ObjectIdentity::Off, ObjectIdentity::Proposed].map(ObjectIdentity::word);
        return refused(OBJECT_IDENTITY.about().name, kept_by.to_vec());
    }
    Ok(())
}

/// The names of the learners that keep an order, with their defaults.
fn names_that_keep_order() -> Vec<&'static str> {
    let defaults = crate::experiment::default_settings();
    let keeps = |name: &&'static str| {
        let mut settings = defaults.clone();
        settings.set("learner", name).is_ok()
            && learner_named(name).is_some_and(|learner| learner.keeps_order(&settings).is_ok())
    };
    learners().flat_map(|learner| learner.names()).map(|known| known.name).filter(keeps).collect()
}

/// The candidates of a learner that learns by others which are left out, as they keep no order.
pub fn candidates_left_out(settings: &Settings) -> Vec<&'static str> {
    let learns_by_others =
        learner_named(&settings.learner()).is_some_and(|learner| learner.learns_by_others());
    if learns_by_others { left_out_by_order(settings) } else { Vec::new() }
}
