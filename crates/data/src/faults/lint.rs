//! Warnings about data that load: see `lint` and `leaks`.

use gleaner_lang::program::PredicateName;
use gleaner_lang::syntax::{Diagnostic, Place, codes};

use super::{counted, first_of, placed, plural};

pub(crate) fn several_arities(names: &[String], place: Option<Place>) -> Diagnostic {
    let diagnostic = Diagnostic::warning(
        codes::SEVERAL_ARITIES,
        format!("several predicates share one name: {}", names.join(", ")),
    );
    placed(diagnostic, place, "the one with the fewest facts")
        .with_help("they are different predicates; check for a missing or extra argument")
}

pub(crate) fn type_without_constants(name: &str, place: Place) -> Diagnostic {
    Diagnostic::warning(codes::EMPTY_TYPE, format!("type {name} has no constants"))
        .at(place, "no clause can use this mode")
        .with_help("all predicates with this type are empty; check that their rules derive facts")
}

pub(crate) fn facts_out_of_reach(names: &[String], n_facts: usize, place: Option<Place>) -> Diagnostic {
    let diagnostic = Diagnostic::warning(
        codes::UNREACHED_FACTS,
        format!("no mode uses {}, directly or by a rule: {}", counted(n_facts, "fact"), first_of(names)),
    );
    placed(diagnostic, place, "for instance")
        .with_help("no clause can use them; give them modes, or leave them out")
}

pub(crate) fn mixed_argument(
    name: &PredicateName,
    argument: usize,
    [n_numbers, n_others]: [usize; 2],
    [number, other]: [&str; 2],
    place: Option<Place>,
) -> Diagnostic {
    let diagnostic = Diagnostic::warning(
        codes::MIXED_ARGUMENT,
        format!(
            "argument {argument} of {name} is a number in {n_numbers} {}, as {number}, but not in {n_others}, as \
             {other}",
            plural(n_numbers, "fact"),
        ),
    );
    let diagnostic = placed(diagnostic, place, "the predicate's first fact");
    if other.trim_matches(['\'', '"']).parse::<f64>().is_ok() {
        return diagnostic.with_help(format!("the quotes make {other} a name, not a number: remove them"));
    }
    diagnostic.with_help("comparisons hold only for numbers; leave out facts whose value is missing")
}

/// `rule` is the head of a rule that computes, `test` the test that alone says which values a variable has.
pub(crate) fn test_gives_values(rule: &PredicateName, test: &PredicateName, place: Place) -> Diagnostic {
    let what = format!(
        "in this rule of {rule} a variable has those values of the data that pass {}: what rules compute is not among \
         them",
        test.name
    );
    Diagnostic::warning(codes::TEST_GIVES_VALUES, what).at(place, "this rule").with_help(
        "results of this rule give it nothing: list all values as facts, and call these in place of the test",
    )
}

pub(crate) fn numbers_with_commas(
    name: &PredicateName,
    argument: usize,
    text: &str,
    place: Option<Place>,
) -> Diagnostic {
    let what = format!("argument {argument} of {name} holds names that are numbers with a comma, as {text}");
    let diagnostic = Diagnostic::warning(codes::VALUES_NOT_READ, what);
    placed(diagnostic, place, "the predicate's first fact").with_help(
        "comparisons hold only for numbers: write them in digits with at most one point, as 1234.5",
    )
}

pub(crate) fn unknown_constants(
    n_examples: usize,
    constant: &str,
    nearest: Option<&str>,
    place: Place,
) -> Diagnostic {
    let what = match n_examples {
        1 => "an example has a constant that is in no fact".to_owned(),
        _ => format!("{n_examples} examples have constants that are in no fact"),
    };
    let diagnostic =
        Diagnostic::warning(codes::UNKNOWN_CONSTANTS, what).at(place, format!("no fact has {constant}"));
    diagnostic.with_help(match nearest {
        Some(nearest) => format!("no literal about it can be true; did you mean {nearest}?"),
        None => "no literal about it can be true; check its spelling, and the facts of this fold".to_owned(),
    })
}

/// The pairs are the least and the greatest number of the negatives and of the positives.
pub(crate) fn separating_numbers(
    name: &PredicateName,
    argument: usize,
    [negatives, positives]: [(f64, f64); 2],
    place: Option<Place>,
) -> Diagnostic {
    let diagnostic = Diagnostic::warning(
        codes::SEPARATING_NUMBERS,
        format!(
            "argument {argument} of {name} alone tells the classes apart: positives from {} to {}, negatives from {} to {}",
            positives.0, positives.1, negatives.0, negatives.1
        ),
    );
    placed(diagnostic, place, "the predicate's first fact")
        .with_help("if the classes were computed from it, remove it from the background")
}

pub(crate) fn shared_entities(
    [n_shared, n_all]: [usize; 2],
    constant: &str,
    other_fold: &str,
    place: Place,
) -> Diagnostic {
    Diagnostic::warning(
        codes::SHARED_ENTITIES,
        format!(
            "{n_shared} of the {n_all} constants in examples {} in several folds",
            if n_shared == 1 { "occurs" } else { "occur" }
        ),
    )
    .at(place, format!("{constant} is in {other_fold}, too"))
    .with_help("a model may know them from training, so test results may look too good")
}

pub(crate) fn repeated_facts(
    n_repeated: usize,
    predicate: &str,
    n_of_it: usize,
    place: Option<Place>,
) -> Diagnostic {
    let of = if n_of_it == n_repeated {
        format!("all of {predicate}")
    } else {
        format!("{n_of_it} of them of {predicate}")
    };
    let what = if n_repeated == 1 {
        format!("1 fact of {predicate} is repeated")
    } else {
        format!("{n_repeated} facts are repeated, {of}")
    };
    placed(Diagnostic::warning(codes::REPEATED_FACTS, what), place, "the predicate's first fact").with_help(
        "each fact counts once; `gleaner inspect` counts facts and distinct facts of every predicate",
    )
}

/// The most values that a message lists.
const MOST_LISTED: usize = 3;

/// A few values of an argument belong to one class only. The numbers count that class's examples with these values, all
/// its examples, and those of the other class.
pub(crate) fn separating_argument(
    target: &PredicateName,
    argument: usize,
    values: &[&str],
    [n_with, n_class, n_other]: [usize; 3],
    is_positive: bool,
) -> Diagnostic {
    let mut listed = values[..values.len().min(MOST_LISTED)].join(", ");
    if values.len() > MOST_LISTED {
        listed.push_str(", ...");
    }
    let classes = if is_positive { ["positives", "negatives"] } else { ["negatives", "positives"] };
    let what = format!(
        "argument {argument} of {target} alone tells the classes apart: {n_with} of {n_class} {} and 0 of {n_other} {} \
         have {listed}",
        classes[0], classes[1]
    );
    Diagnostic::warning(codes::SEPARATING_LITERAL, what)
        .with_help("if it was computed from the class, write the examples without it")
}

/// One literal, or condition in words, covers nearly all positives and no negative. The numbers count the positives that it
/// covers, all positives, and all negatives.
pub(crate) fn separating_literal(
    said: &str,
    [n_covered, n_positives, n_negatives]: [usize; 3],
    predicate: &PredicateName,
    by: LeakedBy<'_>,
) -> Diagnostic {
    let what = format!(
        "{said} alone tells the classes apart: it covers {n_covered} of {n_positives} positives and 0 of \
         {n_negatives} negatives"
    );
    let warning = Diagnostic::warning(codes::SEPARATING_LITERAL, what);
    match by {
        LeakedBy::Mode(place) => placed(warning, place, "its mode").with_help(format!(
            "if {predicate} was computed from the class, drop its mode; if not, this literal is a full answer"
        )),
        LeakedBy::Column { lines: [table, line], place } => {
            placed(warning, place, "this column").with_help(format!(
                "if it was computed from the class, or is known only afterwards, write `{line}` in schema.toml below \
                 `{table}`; if not, it is a full answer"
            ))
        }
        LeakedBy::Rows => warning.with_help(
            "if its rows come with the class, leave the column out that joins them: `COLUMN = \"left out\"` in \
             schema.toml; if not, it is a full answer",
        ),
    }
}

/// What a literal that covers one class alone was made by.
#[derive(Clone, Copy, Debug)]
pub(crate) enum LeakedBy<'n> {
    /// A mode, which stands there if the user wrote it.
    Mode(Option<Place>),
    /// A column of a table of a database.
    Column {
        /// The lines of a schema that leave it out: that of its table, and its own.
        lines: &'n [String; 2],
        /// The place of the column's name.
        place: Option<Place>,
    },
    /// The rows of a table of a database, together.
    Rows,
}
