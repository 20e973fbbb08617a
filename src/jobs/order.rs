//! Orders that scores are to keep by numbers: what is refused, and what is left out for them.

use gleaner_data::Problem;
use gleaner_lang::program::display::mode_declaration;
use gleaner_lang::program::monotone::OrderFault;
use gleaner_lang::program::settings::{Settings, nearest};
use gleaner_lang::syntax::{Diagnostic, codes};

use crate::experiment::runs::monotone::{
    NotOrdered, OrderedModes, asked_numbers, candidates_left_out, check_keeps_order, derived_predicates,
    ordered_modes,
};

use super::failure::Failure;
use super::listener::Listener;

/// Modes that a remark names one by one.
const MOST_NAMED: usize = 3;
/// Names that a message lists, where one is not known.
const MOST_NAMES: usize = 20;

/// Refuses an order that the learner does not keep, or that the data have no numbers for. Says what is left out for it.
pub(super) fn check_order(
    problem: &Problem,
    settings: &Settings,
    has_feature_clauses: bool,
    listener: &dyn Listener,
) -> Result<(), Failure> {
    if asked_numbers(settings).0.is_empty() {
        return Ok(());
    }
    let asked = settings.value("monotone").map_or_else(String::new, |value| value.to_string());
    let apart = |other: &str, help: String| {
        let message = format!("⁅monotone={asked}⁆ does not go with {other}");
        Err(Failure::fault(Diagnostic::error(codes::SETTINGS_APART, message).with_help(help)))
    };
    match check_keeps_order(settings) {
        Ok(()) => {}
        Err(NotOrdered::Learner(known)) => {
            let help = format!("learners whose scores keep an order: {}", known.join(", "));
            return apart(&format!("⁅learner={}⁆", settings.learner()), help);
        }
        Err(NotOrdered::Setting { name, word, kept_by }) => {
            let help = format!("words of ⁅{name}⁆ that go with it: {}", kept_by.join(", "));
            return apart(&format!("⁅{name}={word}⁆"), help);
        }
    }
    if problem.labels().is_one_of_several() {
        let help = "leave it out, or learn from data of two classes".to_owned();
        return apart("many classes: where one class gets more probable, others get less so", help);
    }
    if has_feature_clauses {
        return apart("⁅feature-clauses⁆", "leave one of the two out".to_owned());
    }
    let ordered = ordered_modes(problem, settings).map_err(|fault| fault_of(&asked, &fault))?;
    remark(problem, settings, &ordered, listener);
    Ok(())
}

fn fault_of(asked: &str, fault: &OrderFault) -> Failure {
    let (message, help) = match fault {
        OrderFault::Unknown { name, known } if known.is_empty() => (
            format!("⁅monotone={asked}⁆: there is no number {name}, as no mode asks for thresholds"),
            "it takes a mode such as `modeb(1, +amount >= #amount)`".to_owned(),
        ),
        OrderFault::Unknown { name, known } => {
            let known_names = format!("numbers that modes compare: {}", first_of(known, MOST_NAMES));
            let help = match nearest(name, known.iter().map(String::as_str)) {
                Some(near) => format!("did you mean {near}? {known_names}"),
                None => known_names,
            };
            (format!("⁅monotone={asked}⁆: no mode compares a number {name}"), help)
        }
        OrderFault::Several { name, types } => (
            format!("⁅monotone={asked}⁆: {name} has several numbers"),
            format!("name one of its types: {}", types.join(", ")),
        ),
        OrderFault::TwoDirections { of_type } => (
            format!("⁅monotone={asked}⁆: it gives {of_type} both directions"),
            "give each type one direction".to_owned(),
        ),
        OrderFault::TwoTypes { predicate, of_type, other } => (
            format!(
                "⁅monotone={asked}⁆: modes give one argument of {predicate} the types {of_type} and {other}"
            ),
            "give both the same direction, or the argument one type".to_owned(),
        ),
        OrderFault::HeadConstant { of_type } => (
            format!(
                "⁅monotone={asked}⁆: the mode of the head has #{of_type}, so each clause is of one number"
            ),
            format!("write +{of_type} in the mode of the head"),
        ),
    };
    Failure::fault(Diagnostic::error(codes::MONOTONE_NUMBERS, message).with_help(help))
}

/// Says which candidates and modes are left out, and what the order does not cover.
fn remark(problem: &Problem, settings: &Settings, ordered: &OrderedModes, listener: &dyn Listener) {
    let learners = candidates_left_out(settings);
    if !learners.is_empty() {
        listener.warn(
            codes::SETTINGS_APART,
            &format!(
                "⁅monotone⁆ leaves out {} of the candidates of ⁅learner={}⁆: scores keep no order",
                learners.join(", "),
                settings.learner()
            ),
        );
    }
    let left_out: Vec<String> =
        ordered.left_out.iter().map(|mode| mode_declaration(mode, problem.symbols())).collect();
    if !left_out.is_empty() {
        listener.warn(
            codes::MONOTONE_NUMBERS,
            &format!(
                "⁅monotone⁆ leaves out modes that ask which number it is: {}",
                first_of(&left_out, MOST_NAMED)
            ),
        );
    }
    let derived = derived_predicates(problem);
    if !derived.is_empty() {
        listener.warn(
            codes::MONOTONE_NUMBERS,
            &format!(
                "⁅monotone⁆ is about facts: it says nothing of numbers that the rules of {} read",
                first_of(&derived, MOST_NAMED)
            ),
        );
    }
}

/// The first names of a list, and how many more there are.
fn first_of(names: &[impl std::borrow::Borrow<str>], most: usize) -> String {
    let more = names.len().saturating_sub(most);
    let shown = names[..names.len() - more].join(", ");
    if more > 0 { format!("{shown} and {more} more") } else { shown }
}
