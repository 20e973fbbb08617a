//! The profile of a problem, for `inspect`.

use std::fmt::Write;

use crate::experiment::Split;
use crate::problem::Problem;
use crate::program::Symbols;
use crate::program::mode::{ArgumentMode, BodyMode, ModeSubject};

/// Predicates, modes, folds and examples as text.
#[must_use]
pub fn profile(problem: &Problem, splits: &[Split]) -> String {
    let mut text = super::text::problem_line(problem);
    text.push('\n');
    let _ = writeln!(
        text,
        "{} constants, {} predicates with facts or rules, {} worlds\n",
        problem.symbols.constants.len(),
        problem.profile.len(),
        problem.worlds.len()
    );
    let _ =
        writeln!(text, "{:<36}{:>12}{:>12}{:>8}{:>12}", "predicate", "facts", "distinct", "rules", "tuples");
    for row in &problem.profile {
        let _ = writeln!(
            text,
            "{:<36}{:>12}{:>12}{:>8}{:>12}",
            row.predicate, row.n_facts, row.n_distinct, row.n_rules, row.n_tuples
        );
    }
    let _ = writeln!(text, "\nhead: {}", head_text(problem));
    for mode in &problem.modes.body {
        let _ = writeln!(text, "body: {}", mode_text(mode, &problem.symbols));
    }
    let _ =
        writeln!(text, "\n{:<12}{:>16}{:>16}{:>16}", "run", "train pos/neg", "tune pos/neg", "test pos/neg");
    for split in splits {
        let count = |ids: &[crate::base::ExampleId]| {
            let n_positives = ids.iter().filter(|&&id| problem.examples.is_positive(id)).count();
            format!("{n_positives}/{}", ids.len() - n_positives)
        };
        let _ = writeln!(
            text,
            "{:<12}{:>16}{:>16}{:>16}",
            split.name,
            count(&split.train),
            count(&split.tune),
            count(&split.test)
        );
    }
    text
}

fn head_text(problem: &Problem) -> String {
    let arguments = arguments_text(&problem.modes.head.arguments, &problem.symbols);
    format!("{}({})", problem.target().name, arguments.join(","))
}

fn mode_text(mode: &BodyMode, symbols: &Symbols) -> String {
    let limit = mode.instantiation_limit.map_or_else(|| "*".to_owned(), |limit| limit.to_string());
    format!("{}, at most {limit} answers a call", mode_atom(mode, symbols))
}

/// What a mode makes, as it is declared: `p(+a,-b)`, `\+ p(+a)`, `+a < #a`.
pub(super) fn mode_atom(mode: &BodyMode, symbols: &Symbols) -> String {
    let arguments = arguments_text(&mode.arguments, symbols);
    match mode.subject {
        ModeSubject::Relation(predicate) => {
            format!("{}({})", symbols.predicate(predicate).name, arguments.join(","))
        }
        ModeSubject::Negated(predicate) => {
            format!("\\+ {}({})", symbols.predicate(predicate).name, arguments.join(","))
        }
        ModeSubject::Comparison(operator) => arguments.join(&format!(" {} ", operator.symbol())),
    }
}

fn arguments_text(arguments: &[ArgumentMode], symbols: &Symbols) -> Vec<String> {
    arguments.iter().map(|&argument| argument_text(argument, symbols)).collect()
}

/// An argument of a mode, as `+person`.
pub(super) fn argument_text(argument: ArgumentMode, symbols: &Symbols) -> String {
    let marker = match argument {
        ArgumentMode::Input(_) => '+',
        ArgumentMode::Output(_) => '-',
        ArgumentMode::Constant(_) => '#',
    };
    format!("{marker}{}", symbols.type_name(argument.type_id()))
}
