//! Messages about targets that are numbers.

use gleaner_lang::program::PredicateName;
use gleaner_lang::syntax::{Diagnostic, Place, codes};

/// The target has no argument of that number, from 0.
pub(crate) fn no_number_argument(argument: usize, target: &PredicateName) -> Diagnostic {
    let message = format!("⁅number-argument={}⁆: {target} has {} arguments", argument + 1, target.arity);
    Diagnostic::error(codes::BAD_NUMBERS, message)
        .with_help("arguments are counted from 1: of price(h1, 250) argument 2 is the number")
        .with_help("⁅number-argument=label⁆ takes the numbers of the column `label`")
}

pub(crate) fn number_and_class() -> Diagnostic {
    let message = "an example has a class or a number: ⁅number-argument⁆ does not go with classes";
    Diagnostic::error(codes::BAD_NUMBERS, message)
        .with_help("leave ⁅class-argument⁆ out, and name one ⁅target⁆")
}

pub(crate) fn negatives_of_numbers() -> Diagnostic {
    let message = "⁅negatives⁆ does not apply: a target that is a number has no negatives";
    Diagnostic::error(codes::BAD_NUMBERS, message).with_help("leave ⁅negatives⁆ out")
}

pub(crate) fn no_numbers(target: &PredicateName) -> Diagnostic {
    Diagnostic::error(codes::BAD_NUMBERS, format!("no example of {target} has a number"))
        .with_help("check ⁅target⁆ and ⁅number-argument⁆")
}

pub(crate) fn one_number(only: f64) -> Diagnostic {
    Diagnostic::error(codes::BAD_NUMBERS, format!("all examples have the number {only}"))
        .with_help("at least two numbers are needed; check ⁅target⁆ and ⁅number-argument⁆")
}

/// The target without its number would be a predicate that has facts or rules.
pub(crate) fn short_target_defined(place: Place, full: &PredicateName, short: &PredicateName) -> Diagnostic {
    let message = format!("without its number the target {full} is {short}, which the data define");
    Diagnostic::error(codes::BAD_NUMBERS, message).at(place, "here").with_help("rename one of the two")
}

pub(crate) fn not_a_number(place: Place, text: &str, n_more: usize) -> Diagnostic {
    let more = match n_more {
        0 => String::new(),
        1 => ", nor is that of one more example".to_owned(),
        n => format!(", nor are those of {n} more examples"),
    };
    Diagnostic::error(codes::NOT_A_NUMBER, format!("`{text}` is no number{more}"))
        .at(place, "here")
        .with_help("the target is a number: write one, as 3 or 2.5, or leave the cell empty")
}

pub(crate) fn without_number(place: Place, n: usize) -> Diagnostic {
    let are = if n == 1 { "1 example is".to_owned() } else { format!("{n} examples are") };
    Diagnostic::warning(codes::WITHOUT_NUMBER, format!("{are} left out: they have no number"))
        .at(place, if n == 1 { "this one" } else { "for instance this one" })
        .with_help("a model scores them; learning and measuring need their numbers")
}

/// An example is listed with two numbers.
pub(crate) fn of_two_numbers(example: &str, said: [(Place, f64); 2], n_more: usize) -> Diagnostic {
    let [(first, one), (second, other)] = said;
    let more = if n_more > 0 { format!(" (and {n_more} more)") } else { String::new() };
    Diagnostic::error(codes::BOTH_CLASSES, format!("{example} has two numbers, {one} and {other}{more}"))
        .at(second, format!("{other} here"))
        .at(first, format!("{one} here"))
        .with_help(
            "an example has one number: remove one of the two, or tell the examples apart by an argument",
        )
}

/// The classes are many numbers.
pub(crate) fn numbers_as_classes(argument: usize, n_classes: usize) -> Diagnostic {
    let argument = argument + 1;
    Diagnostic::warning(
        codes::NUMBERS_AS_CLASSES,
        format!("argument {argument} has {n_classes} values, all numbers, and each is taken as a class"),
    )
    .with_help(format!("if they are a number to predict, give ⁅number-argument={argument}⁆ instead"))
}

/// Relations of a graph whose objects are values, each with its first link.
pub(crate) fn numbers_as_entities(first_links: &[[&str; 3]]) -> Diagnostic {
    let told: Vec<String> = first_links
        .iter()
        .take(3)
        .map(|[subject, relation, object]| format!("{relation}, as {object} of {subject}"))
        .collect();
    let more = if first_links.len() > told.len() { "; and others" } else { "" };
    let what = format!("numbers are taken for entities: the objects of {}{more}", told.join("; "));
    Diagnostic::warning(codes::NUMBERS_AS_ENTITIES, what)
        .with_help("take these triples out, so that no question asks for a number")
        .with_help(
            "⁅target=RELATION/2⁆ ⁅negatives=all⁆ learns one relation, and its clauses compare the numbers",
        )
}
