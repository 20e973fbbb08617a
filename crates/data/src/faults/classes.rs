//! Messages about many classes.

use gleaner_lang::program::PredicateName;
use gleaner_lang::syntax::{Diagnostic, Place, codes};

/// The target has no argument of that number, from 0.
pub(crate) fn no_class_argument(argument: usize, target: &PredicateName) -> Diagnostic {
    let message = format!("--class-argument {}: {target} has {} arguments", argument + 1, target.arity);
    Diagnostic::error(codes::BAD_CLASSES, message)
        .with_help("arguments are counted from 1: of accounttype(a1, fan) argument 2 is the class")
}

pub(crate) fn too_few_classes(names: &[String]) -> Diagnostic {
    let message = match names.first() {
        Some(only) => format!("all examples are of the class {only}"),
        None => "no example has a class".to_owned(),
    };
    Diagnostic::error(codes::BAD_CLASSES, message)
        .with_help("at least two classes are needed; check --class-argument and --target")
}

pub(crate) fn classes_of_arities(names: &[PredicateName]) -> Diagnostic {
    let names: Vec<String> = names.iter().map(ToString::to_string).collect();
    let message = format!("the targets have different numbers of arguments: {}", names.join(", "));
    Diagnostic::error(codes::BAD_CLASSES, message)
        .with_help("all targets classify the same entities, as --target student/1,professor/1")
}

pub(crate) fn classes_said_twice() -> Diagnostic {
    let message = "--class-argument and several targets both name the class";
    Diagnostic::error(codes::BAD_CLASSES, message.to_owned())
        .with_help("give --class-argument with one target, or several targets without it")
}

pub(crate) fn negatives_of_classes() -> Diagnostic {
    let message =
        "--negatives does not apply: the examples of the other classes are the negatives of a class";
    Diagnostic::error(codes::BAD_CLASSES, message.to_owned()).with_help("leave --negatives out")
}

/// An example is listed in two classes.
pub(crate) fn of_two_classes(example: &str, said: [(Place, &str); 2], n_more: usize) -> Diagnostic {
    let [(first, one), (second, other)] = said;
    let more = if n_more > 0 { format!(" (and {n_more} more)") } else { String::new() };
    Diagnostic::error(codes::BOTH_CLASSES, format!("{example} has two classes, {one} and {other}{more}"))
        .at(second, format!("{other} here"))
        .at(first, format!("{one} here"))
        .with_help("an example has one class: remove one of the two")
}

pub(crate) fn negatives_left_out(place: Place, n: usize) -> Diagnostic {
    let are = if n == 1 { "1 example is".to_owned() } else { format!("{n} examples are") };
    Diagnostic::warning(codes::NEGATIVES_LEFT_OUT, format!("{are} left out: they name no class"))
        .at(place, if n == 1 { "this one" } else { "for instance this one" })
        .with_help("with many classes, list each example as a positive, and fill the cell of its class")
}

pub(crate) fn fold_without_classes(fold: &str, missing: &[&str]) -> Diagnostic {
    let message = format!("{fold} has no example of {}", missing.join(", "));
    Diagnostic::warning(codes::EMPTY_FOLD, message)
        .with_help("means leave out this fold's measures of these classes")
}
