//! A model as a Prolog program: the parts that all learners' programs share around their own tables and rules.
//!
//! A model's file may come from anyone, and loading its program must run nothing of it. So the program is a module that
//! inherits from the system alone. Its clauses call the user's predicates by links (`data`). Every name and constant is
//! written anew from its parsed form (`terms`).

mod data;
mod terms;

use std::collections::BTreeSet;
use std::fmt::Write;

use crate::store::model_file::Header;
use gleaner_lang::program::display::variable_name;
use gleaner_lang::program::{Clause, Literal, PredicateName, Symbols};
use gleaner_learn::prolog::Program;

pub use terms::NoProgram;

use data::{Definition, LIBRARIES};
pub(super) use terms::ordered;
use terms::{Names, atom, indicator};

/// The predicates that all programs define.
const SHARED: &str = "\
% Whether a clause covers an example.
gleaner_covers(Clause, Example) :-
    \\+ \\+ gleaner_clause(Clause, Example).

% What arithmetic cannot work out is false.
gleaner_test(Goal) :-
    catch(Goal, error(_, _), fail).

% A sum in the order given: that of sums of floats matters.
gleaner_sum([], Sum, Sum).
gleaner_sum([Number|Numbers], Before, Sum) :-
    Next is Before + Number,
    gleaner_sum(Numbers, Next, Sum).

gleaner_greatest([], Greatest, Greatest).
gleaner_greatest([Number|Numbers], Before, Greatest) :-
    Next is max(Before, Number),
    gleaner_greatest(Numbers, Next, Greatest).
";

/// Arguments that a target may have. A file can name any number, and the program writes them all.
const MOST_ARGUMENTS: usize = 1000;

/// The program of a model, for SWI-Prolog 9. `header` is that of its file.
///
/// # Errors
///
/// [`NoProgram`] when no program scores as the model does, beside facts as the user has them.
pub fn program(program: &Program<'_>, symbols: &Symbols, header: &Header) -> Result<String, NoProgram> {
    let target = target(header)?;
    let arity = target.arity;
    let called = used_predicates(program, symbols);
    let aggregates = Definition::all(symbols, &called.iter().copied().collect::<Vec<_>>())?;
    let asked = aggregates.iter().flat_map(Definition::asked);
    let mut used: BTreeSet<&PredicateName> = called.iter().copied().chain(asked).collect();
    used.retain(|name| !aggregates.iter().any(|aggregate| aggregate.name() == *name));
    data::check(&used, &target, header)?;
    let mut text = introduction(header, &target, &used);
    text.push_str(&opening(program, header, arity));
    text.push_str(if aggregates.is_empty() { "" } else { LIBRARIES });
    text.push_str(&data::links(&used));
    for (at, aggregate) in aggregates.iter().enumerate() {
        text.push_str(if at == 0 { "\n% What the clauses count.\n" } else { "" });
        text.push_str(&aggregate.text()?);
    }
    text.push_str(&entry(arity));
    if !header.labels.are_decided() {
        text.push_str(&number_entry(arity));
    }
    text.push_str("\n% The clauses, of examples as lists of the target's arguments.\n");
    for (at, clause) in program.clauses.iter().enumerate() {
        text.push_str(&clause_text(at + 1, clause, symbols)?);
    }
    let _ = write!(text, "\n{}\n{}\n{SHARED}", program.facts, program.rules);
    Ok(text)
}

/// The target that a model's file names.
fn target(header: &Header) -> Result<PredicateName, NoProgram> {
    let parts = header.target.rsplit_once('/');
    let named = parts.and_then(|(name, arity)| Some(PredicateName::new(name, arity.parse().ok()?)));
    let target = named.unwrap_or_else(|| PredicateName::new(header.target.as_str(), 0));
    if target.arity > MOST_ARGUMENTS { Err(NoProgram::Arguments(MOST_ARGUMENTS)) } else { Ok(target) }
}

/// The predicates that clauses call, ascending.
fn used_predicates<'s>(program: &Program<'_>, symbols: &'s Symbols) -> BTreeSet<&'s PredicateName> {
    let literals = program.clauses.iter().flat_map(|clause| &clause.body);
    literals.flat_map(Literal::atoms).map(|atom| symbols.predicate(atom.predicate)).collect()
}

/// The target's arguments as variables.
fn arguments(arity: usize) -> String {
    (0..arity).map(variable_name).collect::<Vec<_>>().join(", ")
}

/// A text within a comment, which ends with its line.
fn in_comment(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_control() || matches!(c, '\u{2028}' | '\u{2029}') {
            shown.extend(c.escape_unicode());
        } else {
            shown.push(c);
        }
    }
    shown
}

/// The comment that describes the program, and what the user puts beside it.
fn introduction(header: &Header, target: &PredicateName, used: &BTreeSet<&PredicateName>) -> String {
    let (learner, version) = (in_comment(&header.learner), in_comment(&header.gleaner_version));
    let arity = target.arity;
    let arguments = arguments(arity);
    let score = if arity == 0 { "Score".to_owned() } else { format!("{arguments}, Score") };
    let decision = if arity == 0 { String::new() } else { format!("({arguments})") };
    let answer = if !header.labels.are_decided() {
        let prediction = score.replace("Score", "Number");
        format!("% gleaner_prediction({prediction}): the number that the model predicts.")
    } else {
        format!("% gleaner_decision{decision}: the model calls it positive.")
    };
    let mut text = format!(
        "% A model of {} that gleaner {version} learnt; learner {learner}. For SWI-Prolog.\n%\n\
         % gleaner_score({score}): the score of an example, whose arguments are bound.\n\
         {answer}\n%\n\
         % Load it beside your facts and rules, in any order. The clauses ask them for the predicates below, by names\n\
         % with data_ before them, and call nothing else. Of those that you do not define nothing is true.\n",
        indicator(target)
    );
    for name in used {
        let _ = writeln!(text, "%   {}", indicator(name));
    }
    text.push_str(data::ADVICE);
    if let Some(restriction) = &header.restriction {
        let _ = writeln!(
            text,
            "%\n% It was learnt from the examples for which this holds: {}",
            in_comment(restriction)
        );
    }
    text
}

/// The module. It inherits from the system alone, so that no predicate of the user's stands in for one that it calls.
fn opening(program: &Program<'_>, header: &Header, arity: usize) -> String {
    let module = match header.labels.class_name() {
        "" => "gleaner_model".to_owned(),
        class => atom(&format!("gleaner_model of {class}")),
    };
    let answer = if !header.labels.are_decided() {
        format!("gleaner_prediction/{}", arity + 1)
    } else {
        format!("gleaner_decision/{arity}")
    };
    let own = [("gleaner_clause", 2), ("gleaner_data", 3)].into_iter().chain(program.tables.iter().copied());
    let own: Vec<String> = own.map(|(name, arity)| format!("{name}/{arity}")).collect();
    format!(
        "\n:- module({module}, [gleaner_score/{}, {answer}]).\n\
         :- system:set_module({module}:base(system)).\n:- use_module(library(lists), []).\n\
         :- dynamic {}.\n:- style_check(-singleton).\n",
        arity + 1,
        own.join(", ")
    )
}

/// The predicate that predicts a number.
fn number_entry(arity: usize) -> String {
    let list = arguments(arity);
    let separator = if arity == 0 { "" } else { ", " };
    format!(
        "\ngleaner_prediction({list}{separator}Number) :-\n    gleaner_prediction_of([{list}], Number).\n"
    )
}

/// The predicates to be called.
fn entry(arity: usize) -> String {
    let list = arguments(arity);
    let (score, decision) = match arity {
        0 => ("gleaner_score(Score)".to_owned(), "gleaner_decision".to_owned()),
        _ => (format!("gleaner_score({list}, Score)"), format!("gleaner_decision({list})")),
    };
    format!(
        "\n{score} :-\n    gleaner_score_of([{list}], Score).\n\n\
         {decision} :-\n    \\+ \\+ gleaner_decides([{list}]).\n"
    )
}

/// A clause of the model. Its goals are ordered so that tests come once their variables have values.
fn clause_text(number: usize, clause: &Clause, symbols: &Symbols) -> Result<String, NoProgram> {
    let names = Names::of(clause, symbols)?;
    let head: Vec<String> = clause.head.arguments.iter().map(|term| names.term(*term)).collect();
    let mut text = format!("gleaner_clause({number}, [{}])", head.join(", "));
    for (at, literal) in ordered(clause, Some(symbols)).into_iter().enumerate() {
        text.push_str(if at == 0 { " :-\n    " } else { ",\n    " });
        text.push_str(&literal.map_or_else(|| "fail".to_owned(), |literal| literal.text(&names)));
    }
    text.push_str(".\n");
    Ok(text)
}
