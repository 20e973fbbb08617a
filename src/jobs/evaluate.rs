//! To measure scores: those of a table, or of a model on data.
//!
//! Orders that scores are to keep by numbers: what is refused, and what is left out for them.

use std::path::Path;

use gleaner_data::Problem;
use gleaner_lang::program::display::mode_declaration;
use gleaner_lang::program::monotone::OrderFault;
use gleaner_lang::program::settings::{Settings, nearest};
use gleaner_lang::syntax::{Diagnostic, codes};
use gleaner_stats::eval::Measuring;

use crate::experiment::runs::monotone::{
    NotOrdered, OrderedModes, asked_numbers, candidates_left_out, check_keeps_order, derived_predicates,
    ordered_modes,
};
use crate::experiment::scoring::evaluate::{
    Against, EvaluateAnswer, LabelledScores, ScoreColumns, read_scores,
};
use crate::report::answer::Shown;
use crate::report::csv_tables;

use super::failure::Failure;
use super::files::read_text;
use super::listener::Listener;

/// How scores are measured.
#[derive(Clone, Debug)]
pub(crate) struct Measured {
    /// The least probability that counts as positive, for further precision and recall.
    pub(crate) at_probability: f64,
    /// An argument of the target, or a column, each of whose values is measured.
    pub(crate) by: Option<String>,
    /// Whether the points of the curve are wanted.
    pub(crate) wants_curve: bool,
    /// Test positives that a restriction leaves out count.
    pub(crate) count_filtered: bool,
}

impl Measured {
    /// Refuses what positives and negatives alone have.
    pub(super) fn refuse_curve(&self, message: &str) -> Result<(), Failure> {
        if self.wants_curve || self.by.is_some() {
            Err(Failure::usage(codes::SETTINGS_APART, message))
        } else {
            Ok(())
        }
    }
}

/// How good scores are.
#[derive(Debug)]
pub(crate) struct Evaluated {
    /// The measures.
    pub(crate) shown: Shown,
    /// The points of the curve as CSV, of positives and negatives.
    pub(crate) curve: Option<String>,
}

/// Scores on file, with the names of their columns.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TableOfScores<'t> {
    pub(crate) path: &'t Path,
    pub(crate) label: &'t str,
    pub(crate) score: &'t str,
    pub(crate) probability: Option<&'t str>,
}

impl TableOfScores<'_> {
    /// Measures them.
    pub(crate) fn evaluate(&self, asked: &Measured, listener: &dyn Listener) -> Result<Evaluated, Failure> {
        let Self { path, label, score, probability } = *self;
        let columns = ScoreColumns { label, score, probability, group: asked.by.as_deref() };
        let labelled = scores_of_file(path, columns)?;
        evaluated(path, &labelled, asked, (&[], None), listener)
    }
}

/// Measures labelled scores, against the thresholds and the prior of their model.
pub(super) fn evaluated(
    path: &Path,
    labelled: &LabelledScores,
    asked: &Measured,
    (hull_thresholds, prior): (&[f64], Option<f64>),
    listener: &dyn Listener,
) -> Result<Evaluated, Failure> {
    if labelled.n_unlabelled > 0 {
        tell_unlabelled(labelled.n_unlabelled, labelled.scores.len(), listener)?;
    }
    let measuring = Measuring { prior, at_probability: asked.at_probability };
    let against = Against { hull_thresholds: hull_thresholds.to_vec(), measuring };
    let answer =
        EvaluateAnswer::of(labelled, &against).map_err(|error| bad_scores(path, &error.to_string()))?;
    Ok(Evaluated { shown: Shown::of(&answer), curve: Some(csv_tables::curve(&answer.curve)) })
}

/// Warns of examples without a label, which cannot measure the scores. If none has a label, it is a fault.
pub(super) fn tell_unlabelled(
    n_unlabelled: usize,
    n_labelled: usize,
    listener: &dyn Listener,
) -> Result<(), Failure> {
    if n_labelled > 0 {
        listener.warn(codes::UNLABELLED, &left_out(n_unlabelled, "label"));
        return Ok(());
    }
    let message = format!("none of the {n_unlabelled} examples has a label");
    Err(Failure::fault(Diagnostic::error(codes::NO_EXAMPLES, message).with_help(
        "scores are measured on examples of known classes; `gleaner predict` gives the scores alone",
    )))
}

/// The message that examples without a label, or a number, are left out.
pub(super) fn left_out(n_examples: usize, lacks: &str) -> String {
    match n_examples {
        1 => format!("1 example without a {lacks} is left out"),
        n => format!("{n} examples without a {lacks} are left out"),
    }
}

fn bad_scores(path: &Path, what: &str) -> Failure {
    Failure::fault(
        Diagnostic::error(codes::BAD_SCORES, format!("{}: {what}", path.display()))
            .with_help(
                "a table of scores is a CSV with a header, a column of labels and one of finite numbers",
            )
            .with_help("⁅label-column⁆ and ⁅score-column⁆ name them"),
    )
}

/// The scores of a table on file.
fn scores_of_file(path: &Path, columns: ScoreColumns<'_>) -> Result<LabelledScores, Failure> {
    let text = read_text(path)?;
    if text.trim_start().starts_with('{') {
        return Err(Failure::usage(
            codes::SETTING_VALUE,
            format!("{} looks like a model: give the DATA to apply it to", path.display()),
        ));
    }
    read_scores(&text, columns).map_err(|what| bad_scores(path, &what))
}

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
