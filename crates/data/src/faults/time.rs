//! Messages about facts with a time, and examples with a cut-off.

use gleaner_lang::program::PredicateName;
use gleaner_lang::syntax::{Diagnostic, Place, codes};

use super::counted;

/// How times are written.
const TIMES: &str = "a time is a number, a date as '2010-03-01', or a date-time as '2010-03-01T12:00:00'";

fn at_first_fact(diagnostic: Diagnostic, place: Option<Place>) -> Diagnostic {
    match place {
        Some(place) => diagnostic.at(place, "the first fact of this predicate"),
        None => diagnostic,
    }
}

pub(crate) fn no_time(place: Option<Place>, text: &str, fact: &str) -> Diagnostic {
    let message = format!("{text} in {fact} is no time");
    at_first_fact(Diagnostic::error(codes::BAD_TIME, message), place)
        .with_help(format!("{TIMES}; leave out a fact whose time is not known"))
}

pub(crate) fn times_of_two_kinds(place: Option<Place>, first: &str, other: &str) -> Diagnostic {
    let message = format!("times are of two kinds: {first} and {other}");
    at_first_fact(Diagnostic::error(codes::BAD_TIME, message), place)
        .with_help("write all times as numbers of one unit, or all as dates and date-times")
}

pub(crate) fn cut_off_is_no_time(place: Place, text: &str, sample: Option<&str>) -> Diagnostic {
    let message = match sample {
        Some(sample) => format!("the cut-off {text} is no time as {sample}, which a fact has"),
        None => format!("the cut-off {text} is no time"),
    };
    Diagnostic::error(codes::BAD_TIME, message).at(place, "the cut-off of this example").with_help(TIMES)
}

pub(crate) fn frozen_at_no_time(place: Place, text: &str) -> Diagnostic {
    Diagnostic::error(codes::BAD_TIME, format!("{text} is no time")).at(place, "here").with_help(TIMES)
}

pub(crate) fn no_cut_off(target: &PredicateName, timed: Option<Place>) -> Diagnostic {
    let mut arguments = vec!["_"; target.arity];
    if let Some(last) = arguments.last_mut() {
        *last = "time";
    }
    let fault = Diagnostic::error(
        codes::NO_CUT_OFF,
        format!("there are facts with a time, and examples of {target} have no cut-off"),
    );
    let fault = match timed {
        Some(place) => fault.at(place, "facts with a time"),
        None => fault,
    };
    let help = "give the target an argument that is the cut-off, and name it";
    fault.with_help(format!("{help}: `:- cutoff({}({})).`", target.name, arguments.join(", ")))
}

pub(crate) fn cut_off_without_times(place: Place, target: &PredicateName) -> Diagnostic {
    Diagnostic::warning(
        codes::UNUSED_DECLARATION,
        format!("examples of {target} have a cut-off, and no fact has a time"),
    )
    .at(place, "has no effect")
    .with_help("say which facts have a time, as `:- timed(visit(_, time)).`")
}

pub(crate) fn too_many_cut_offs(n_cut_offs: usize, n_facts: usize, most: usize) -> Diagnostic {
    Diagnostic::error(
        codes::TOO_MANY_CUT_OFFS,
        format!("{n_cut_offs} cut-offs see {n_facts} facts together, more than {most}"),
    )
    .with_help(
        "each cut-off has the facts before it: use coarser cut-offs, as the first of each month, or fewer facts",
    )
}

pub(crate) fn rows_without_time(
    place: Option<Place>,
    facts: &PredicateName,
    row_type: &str,
    row: &str,
    n_facts: usize,
) -> Diagnostic {
    let named = if n_facts == 1 { "names" } else { "name" };
    let message =
        format!("{} of {facts} {named} a {row_type} without a time, as {row}", counted(n_facts, "fact"));
    at_first_fact(Diagnostic::warning(codes::ROWS_WITHOUT_TIME, message), place)
        .with_help("they exist for no example: give each row its time")
}

/// An argument without a type holds numbers, which may be keys or not.
pub(crate) fn numbers_without_type(
    place: Option<Place>,
    facts: &PredicateName,
    argument: usize,
    number: &str,
    row_type: &str,
) -> Diagnostic {
    let message = format!(
        "argument {} of {facts} holds {number}, which is also the key of a {row_type}, and has no type",
        argument + 1
    );
    let mut arguments = vec!["_"; facts.arity];
    arguments[argument] = row_type;
    at_first_fact(Diagnostic::error(codes::KEYS_WITHOUT_TYPE, message), place).with_help(format!(
        "give it a type by a mode, or write `:- timed({}({})).` if it names one; other arguments are _",
        facts.name,
        arguments.join(", ")
    ))
}

/// An argument of another type holds names of rows with a time.
pub(crate) fn keys_of_other_type(
    place: Option<Place>,
    facts: &PredicateName,
    argument: usize,
    name: &str,
    row_type: &str,
) -> Diagnostic {
    let message = format!(
        "argument {} of {facts} holds {name}, which is the key of a {row_type}, and has another type",
        argument + 1
    );
    at_first_fact(Diagnostic::warning(codes::KEYS_WITHOUT_TYPE, message), place).with_help(format!(
        "its facts exist whatever the time of the {row_type}: is the type {row_type} meant?"
    ))
}

pub(crate) fn no_timed_facts(place: Place, facts: &PredicateName, said: &str) -> Diagnostic {
    Diagnostic::error(codes::EMPTY_PREDICATE, format!("{facts} is {said} but has no facts"))
        .at(place, "here")
        .with_help("correct the name or the number of its arguments, or remove the directive")
}

pub(crate) fn ages_known(place: Place, ages: &PredicateName) -> Diagnostic {
    Diagnostic::error(
        codes::BAD_DECLARATION,
        format!("the ages of these facts would be {ages}, and the data define that already"),
    )
    .at(place, "here")
    .with_help("name the ages otherwise: `timed(visit(_, time), days_since_visit)`")
}

pub(crate) fn places_known(place: Place, places: &PredicateName) -> Diagnostic {
    let what = format!("the places of these facts would be {places}, and the data define that already");
    let help = "name the places otherwise: `latest(ordered/2, place_of_order)`";
    Diagnostic::error(codes::BAD_DECLARATION, what).at(place, "here").with_help(help)
}

pub(crate) fn universal_beside_times(place: Place) -> Diagnostic {
    Diagnostic::error(codes::BAD_DECLARATION, "a fact with variables stands beside facts with a time")
        .at(place, "true of things that only later facts name")
        .with_help("write a rule that says what the variables stand for: `likes(X, pizza) :- person(X).`")
}

pub(crate) fn negatives_beside_times(target: &PredicateName) -> Diagnostic {
    Diagnostic::error(
        codes::SETTINGS_APART,
        format!("negatives of {target} cannot be made: each would need a cut-off"),
    )
    .with_help("list the negatives with their cut-offs; ⁅negatives⁆ can then sample them")
}

pub(crate) fn target_in_body_beside_times() -> Diagnostic {
    Diagnostic::error(codes::SETTINGS_APART, "⁅target-in-body⁆ does not go with cut-offs")
        .with_help("give earlier links as facts with a time, under another name")
}

/// Folds are to be frozen of data that are no database.
pub(crate) fn frozen_of_no_database(format: &str) -> Diagnostic {
    let what = format!("⁅frozen⁆ is of databases, and the layout is {format}");
    Diagnostic::error(codes::NO_CUT_OFF, what)
        .with_help("`:- frozen(test, '2010-01-01').` in a program hides facts with a time from a fold")
        .with_help("⁅label=TABLE.COLUMN⁆ reads a folder of tables as a database")
}

/// Meanings are given for columns of data that are no database.
pub(crate) fn schema_of_no_database(format: &str) -> Diagnostic {
    let what = format!("keys, times and kinds are of the tables of a database, and the layout is {format}");
    Diagnostic::error(codes::BAD_SCHEMA, what)
        .with_help("leave them out, or read the tables as a database: ⁅format=tables⁆")
}

/// A cut-off is named for data that are no database.
pub(crate) fn cut_off_of_no_database(format: &str) -> Diagnostic {
    let what = format!("⁅cut-off⁆ is of databases, and the layout is {format}");
    Diagnostic::error(codes::NO_CUT_OFF, what)
        .with_help(
            "`:- cutoff(target(_, time)).` in a program says which argument of the target is the cut-off",
        )
        .with_help("⁅label=TABLE.COLUMN⁆ reads a folder of tables as a database")
}
