//! Messages about examples: missing, odd or repeated ones, many classes, negatives that are made, examples to score.
//!
//! Messages about targets that are numbers.

use crate::negatives::{Negatives, SetNegatives};
use gleaner_lang::program::{PredicateName, TargetName};
use gleaner_lang::syntax::{Diagnostic, Place, codes};

use super::{are, first_of, plural};

pub(crate) fn no_examples(class: &str, target: &PredicateName) -> Diagnostic {
    Diagnostic::error(codes::NO_EXAMPLES, format!("there are no {class} examples of {target}"))
        .with_help("learning needs both classes; ⁅target=name/arity⁆ names the target, ⁅where⁆ restricts it")
}

/// A column that could hold the class.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct LabelColumn {
    /// The name of the column in the table.
    pub(crate) name: String,
    /// The predicate of the table.
    pub(crate) table: PredicateName,
    /// The position of the column among the arguments, from 0.
    pub(crate) argument: usize,
    pub(crate) n_values: usize,
    /// Whether another column identifies each row.
    pub(crate) is_beside_key: bool,
}

/// There are no examples. The message suggests columns that could hold the class, and facts that could be examples.
pub(crate) fn nothing_to_learn(facts: &[PredicateName], columns: &[LabelColumn]) -> Diagnostic {
    let diagnostic = Diagnostic::error(codes::NO_EXAMPLES, "there are no positive examples");
    let labels = |name: &dyn Fn(&LabelColumn) -> String| -> Vec<String> {
        columns.iter().take(MOST_COLUMNS).map(|column| format!("⁅label={}⁆", name(column))).collect()
    };
    if let ([_], false) = (facts, columns.is_empty()) {
        // Of one table this flag is all that is needed.
        let labels = labels(&|column| column.name.clone());
        return diagnostic
            .with_help(format!("⁅label⁆ names the column to predict, as {}", labels.join(" or ")));
    }
    let labels = labels(&|column| format!("{}.{}", column.table.name, column.name));
    let diagnostic = match labels.is_empty() {
        true => diagnostic,
        false => diagnostic.with_help(format!(
            "if the tables are a database, ⁅label=TABLE.COLUMN⁆ names the column to predict: {}",
            labels.join(", ")
        )),
    };
    let diagnostic = with_columns(diagnostic, "no table has a label column", columns);
    match facts {
        [] => diagnostic.with_help("learning needs both classes; ⁅target=name/arity⁆ names the target"),
        [first, ..] => diagnostic.with_help(format!(
            "if the facts of a predicate are the positives, name it: ⁅target={first}⁆ ⁅negatives=all⁆; there are facts of {}",
            first_of(facts)
        )),
    }
}

/// The most columns that could hold the class to name.
const MOST_COLUMNS: usize = 3;

/// Names the columns that could hold the class, each with the flags for it.
fn with_columns(diagnostic: Diagnostic, what: &str, columns: &[LabelColumn]) -> Diagnostic {
    // An example is its other arguments: they must tell the rows apart.
    columns.iter().filter(|column| column.is_beside_key).take(MOST_COLUMNS).fold(
        diagnostic,
        |diagnostic, column| {
            let LabelColumn { name, table, argument, n_values, .. } = column;
            diagnostic.with_help(format!(
                "{what}; the column {name} of {} could hold the class ({n_values} values): ⁅target={table}⁆ \
             ⁅class-argument={}⁆",
                table.name,
                argument + 1
            ))
        },
    )
}

/// `columns` are the columns of the target's table that could hold the class.
pub(crate) fn no_examples_in(
    class: &str,
    target: &PredicateName,
    files: &[String],
    columns: &[LabelColumn],
) -> Diagnostic {
    let read_from = match files {
        [] => "no file holds any".to_owned(),
        [file] => format!("{class} examples are read from {file}"),
        [first, .., last] => format!("{class} examples are read from {first} to {last}"),
    };
    let diagnostic =
        Diagnostic::error(codes::NO_EXAMPLES, format!("there are no {class} examples of {target}"))
            .with_help(format!("learning needs both classes; {read_from}"));
    with_columns(diagnostic, "the table has no label column", columns).with_help(match class {
        "negative" => "⁅negatives=all⁆ (or N, 25%, ratio:K) makes them from tuples that are not listed",
        _ => "if the target is another predicate, name it by ⁅target⁆",
    })
}

/// What the data are, if they are a graph, which lists no negatives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Graph {
    None,
    /// Links of one relation at a time can be learnt.
    OneByOne,
    /// All relations can be learnt together, too.
    Together,
}

pub(crate) fn no_target(predicates: &[PredicateName], graph: Graph) -> Diagnostic {
    let all = first_of(predicates);
    let one = predicates.first().map(ToString::to_string).unwrap_or_default();
    let one = format!("`⁅target={one}⁆ ⁅negatives=all⁆` learns one of {all}");
    let help = match graph {
        Graph::None => format!("name it by ⁅target⁆; there are facts of {all}"),
        Graph::OneByOne => one,
        Graph::Together => format!("`⁅target=all⁆` learns all relations of the graph; {one}"),
    };
    Diagnostic::error(codes::SEVERAL_TARGETS, "the data do not name a target predicate").with_help(help)
}

/// The target has no argument of that number, from 0.
pub(crate) fn no_class_argument(argument: usize, target: &PredicateName) -> Diagnostic {
    let message = format!("⁅class-argument={}⁆: {target} has {} arguments", argument + 1, target.arity);
    Diagnostic::error(codes::BAD_CLASSES, message)
        .with_help("arguments are counted from 1: of accounttype(a1, fan) argument 2 is the class")
}

pub(crate) fn too_few_classes(names: &[String]) -> Diagnostic {
    let message = match names.first() {
        Some(only) => format!("all examples are of the class {only}"),
        None => "no example has a class".to_owned(),
    };
    Diagnostic::error(codes::BAD_CLASSES, message)
        .with_help("at least two classes are needed; check ⁅class-argument⁆ and ⁅target⁆")
}

pub(crate) fn classes_of_arities(names: &[PredicateName]) -> Diagnostic {
    let names: Vec<String> = names.iter().map(ToString::to_string).collect();
    let message = format!("the targets have different numbers of arguments: {}", names.join(", "));
    Diagnostic::error(codes::BAD_CLASSES, message)
        .with_help("all targets classify the same entities, as ⁅target=student/1,professor/1⁆")
}

pub(crate) fn classes_said_twice() -> Diagnostic {
    let message = "⁅class-argument⁆ and several targets both name the class";
    Diagnostic::error(codes::BAD_CLASSES, message.to_owned())
        .with_help("give ⁅class-argument⁆ with one target, or several targets without it")
}

pub(crate) fn negatives_of_classes() -> Diagnostic {
    let message =
        "⁅negatives⁆ does not apply: the examples of the other classes are the negatives of a class";
    Diagnostic::error(codes::BAD_CLASSES, message.to_owned()).with_help("leave ⁅negatives⁆ out")
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

/// The warning about negatives that loading made or sampled.
pub fn took_negatives(n_taken: u64, population: u64, of: &str) -> Diagnostic {
    let taken = plural(n_taken, "negative");
    Diagnostic::warning(codes::NEGATIVES_MADE, format!("gleaner takes {n_taken} {taken} of the {population} {of}"))
        .with_help(if n_taken == population {
            "tuples that are not listed as positive count as negative"
        } else {
            "sampled negatives are weighted, so that precision, areas and prevalence estimate the whole population"
        })
}

pub(crate) fn no_typed_tuples(target: &PredicateName) -> Diagnostic {
    Diagnostic::error(
        codes::NEGATIVES_MADE,
        format!("every tuple of the types of {target} is a positive example"),
    )
    .with_help("list the negative examples: the data have no other constants of these types")
}

pub(crate) fn too_many_negatives(n_wanted: u64, most: u64) -> Diagnostic {
    Diagnostic::error(
        codes::NEGATIVES_MADE,
        format!("{n_wanted} negatives are too many: the limit is {most}"),
    )
    .with_help(
        "sample them: ⁅negatives=ratio:100⁆ ⁅negatives-test=ratio:100⁆ takes 100 for each positive; samples are \
         weighted",
    )
}

/// The warning about negatives that each set of a run draws.
pub(crate) fn sets_draw_negatives(of_sets: SetNegatives, is_scoring: bool) -> Option<Diagnostic> {
    let drawn = |wanted: Negatives| match wanted {
        Negatives::All => "all negatives".to_owned(),
        Negatives::Number(n) => format!("a sample of {n} negatives"),
        Negatives::Ratio(ratio) => format!("a sample of {ratio} negatives for each positive"),
        Negatives::Percent(percent) => format!("a sample of {percent} % of its negatives"),
    };
    let (train, test) = (drawn(of_sets.train), drawn(of_sets.test));
    let message = match of_sets {
        SetNegatives { train: Negatives::All, test: Negatives::All, .. } => return None,
        SetNegatives { test: Negatives::All, .. } if is_scoring => return None,
        _ if is_scoring => format!("the scored data have {test}"),
        _ => format!("in each run, train has {train}; tune and test each have {test}"),
    };
    Some(Diagnostic::warning(codes::NEGATIVES_MADE, message).with_help(
        "⁅negatives⁆ sets train, ⁅negatives-test⁆ sets tune, test and scored data; equal values draw one sample for \
         all",
    ))
}

/// Data to be scored hold nothing of the model's target.
pub(crate) fn nothing_to_score(target: &impl std::fmt::Display) -> Diagnostic {
    Diagnostic::error(codes::NO_EXAMPLES, format!("the data have no examples of {target} to score"))
        .with_help("list them with the data, or in a file of `⁅examples-file⁆`; they need no labels")
}

/// An atom to score is not of the model's target.
pub(crate) fn asked_of_other(place: Place, name: &PredicateName, target: &PredicateName) -> Diagnostic {
    Diagnostic::error(
        codes::WRONG_TARGET,
        format!("the model's target is {target}, but this atom is of {name}"),
    )
    .at(place, "here")
    .with_help("a file of examples holds ground atoms of the model's target, one in each line")
}

/// An atom to score is not ground: often a name from a layout whose constants may begin with a capital.
pub(crate) fn asked_with_variable(place: Place, name: &str) -> Diagnostic {
    Diagnostic::error(codes::BAD_EXAMPLE, "this is no example")
        .at(place, format!("{name} is a variable here"))
        .with_help(format!("a name that begins with a capital letter needs quotes: '{name}'"))
        .with_help("an example is a ground atom, as `target(a, b)`")
}

/// An atom that is not listed has constants of folds that share no facts.
pub(crate) fn asked_of_no_fold(place: Place) -> Diagnostic {
    Diagnostic::error(codes::UNKNOWN_EXAMPLE, "no fold's facts have all constants of this atom")
        .at(place, "its constants belong to several folds")
        .with_help("list it with the data, in the fold whose facts shall decide it")
}

/// An atom that is not listed could be proved from the facts of several folds.
pub(crate) fn asked_of_several_folds(place: Place, n_folds: usize) -> Diagnostic {
    let message = format!("{n_folds} folds' facts would give this atom {n_folds} scores");
    Diagnostic::error(codes::UNKNOWN_EXAMPLE, message)
        .at(place, "each of these folds has its constants")
        .with_help("list it with the data, in the fold whose facts shall decide it")
}

/// The data to be scored list examples of one class only.
pub(crate) fn scored_without_classes(missing: &str, target: &PredicateName, n_examples: usize) -> Diagnostic {
    Diagnostic::warning(codes::NO_EXAMPLES, format!("there are no {missing} examples of {target}"))
        .with_help(format!("{} scored without labels", are(n_examples, "listed example")))
}

pub(crate) fn other_examples(
    place: Place,
    n_others: usize,
    name: &PredicateName,
    target: &PredicateName,
) -> Diagnostic {
    Diagnostic::warning(
        codes::OTHER_EXAMPLES,
        format!("{} not of the target {target}", are(n_others, "example")),
    )
    .at(place, format!("of {name}, for instance"))
    .with_help(format!(
        "they are left out; if {name} is misspelt, write {target}; ⁅target⁆ chooses another target"
    ))
}

pub(crate) fn in_two_folds(
    [first, second]: [Place; 2],
    example: &str,
    [one, other]: [&str; 2],
    n_more: usize,
) -> Diagnostic {
    let more = if n_more > 0 { format!(" (so are {n_more} more)") } else { String::new() };
    Diagnostic::warning(codes::SHARED_EXAMPLES, format!("{example} is in {one} and in {other}{more}"))
        .at(second, format!("in {other}"))
        .at(first, format!("in {one}"))
        .with_help("a test would use a training example: keep it in one of them")
}

pub(crate) fn not_an_example(place: Place, accepted: &str) -> Diagnostic {
    Diagnostic::error(codes::BAD_EXAMPLE, "this is no example")
        .at(place, "here")
        .with_help(format!("an example is {accepted}"))
}

pub(crate) fn several_targets(targets: &[PredicateName]) -> Diagnostic {
    let names: Vec<String> = targets.iter().map(ToString::to_string).collect();
    Diagnostic::error(
        codes::SEVERAL_TARGETS,
        format!("the examples are of several predicates: {}", names.join(", ")),
    )
    .with_help(format!("choose one, as ⁅target={}⁆", names[0]))
}

pub(crate) fn other_target(target: &TargetName, known: &[PredicateName]) -> Diagnostic {
    let names: Vec<String> = known.iter().map(ToString::to_string).collect();
    let diagnostic =
        Diagnostic::error(codes::NO_EXAMPLES, format!("there are no examples of the target {target}"));
    if names.is_empty() {
        return diagnostic.with_help("the example files are empty");
    }
    diagnostic.with_help(format!("there are examples of {}", names.join(", ")))
}

pub(crate) fn in_both_classes(positive: Place, negative: Place, example: &str, n_more: usize) -> Diagnostic {
    let more = if n_more > 0 { format!(" (and {n_more} more)") } else { String::new() };
    Diagnostic::error(codes::BOTH_CLASSES, format!("{example} is both positive and negative{more}"))
        .at(negative, "negative here")
        .at(positive, "positive here")
        .with_help("remove it from one of the files")
}

pub(crate) fn repeated_examples(place: Place, class: &str, n_repeated: usize) -> Diagnostic {
    let what = format!("{} repeated", are(n_repeated, format!("{class} example").trim_start()));
    Diagnostic::warning(codes::REPEATED_EXAMPLES, what)
        .at(place, if n_repeated == 1 { "given before" } else { "for instance this one" })
        .with_help("each is counted once")
}

pub(crate) fn empty_fold(name: &str, class: &str) -> Diagnostic {
    Diagnostic::error(codes::EMPTY_FOLD, format!("{name} has no {class} examples"))
        .with_help("areas of that fold would be undefined: add examples, merge the fold, or remove it")
}

/// Train lists no negatives, and other parts do.
pub(crate) fn unlisted_in_train(name: &str) -> Diagnostic {
    Diagnostic::error(codes::EMPTY_FOLD, format!("{name} has no negative examples; other parts list theirs"))
        .with_help(
            "⁅negatives=ratio:K⁆ (or all, N, 25%) makes negatives for train from tuples that no file lists",
        )
}

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
