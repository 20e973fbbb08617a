//! Messages about missing examples, and about a target that nothing names.

use crate::label_columns::LabelColumn;
use gleaner_lang::program::PredicateName;
use gleaner_lang::syntax::{Diagnostic, codes};

use super::first_of;

pub(crate) fn no_examples(class: &str, target: &PredicateName) -> Diagnostic {
    Diagnostic::error(codes::NO_EXAMPLES, format!("there are no {class} examples of {target}"))
        .with_help("learning needs both classes; --target name/arity names the target, --where restricts it")
}

/// There are no examples. The message suggests facts that could be examples, and columns that could hold the class.
pub(crate) fn nothing_to_learn(facts: &[PredicateName], columns: &[LabelColumn]) -> Diagnostic {
    let diagnostic = with_columns(
        Diagnostic::error(codes::NO_EXAMPLES, "there are no positive examples"),
        "no table has a label column",
        columns,
    );
    match facts {
        [] => diagnostic.with_help("learning needs both classes; --target name/arity names the target"),
        [first, ..] => diagnostic.with_help(format!(
            "if the facts of a predicate are the positives, name it: --target {first} --negatives all; there are facts of {}",
            first_of(facts)
        )),
    }
}

/// Names the columns that could hold the class, each with the flags for it.
fn with_columns(diagnostic: Diagnostic, what: &str, columns: &[LabelColumn]) -> Diagnostic {
    const SHOWN: usize = 3;
    columns.iter().take(SHOWN).fold(diagnostic, |diagnostic, column| {
        let LabelColumn { name, table, argument, n_values } = column;
        diagnostic.with_help(format!(
            "{what}; the column {name} of {} could hold the class ({n_values} values): --target {table} \
             --class-argument {}",
            table.name,
            argument + 1
        ))
    })
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
        "negative" => "--negatives all (or N, or ratio:K) makes them from tuples that are not listed",
        _ => "if the target is another predicate, name it by --target",
    })
}

/// `is_graph`: the data are triples, whose relations can all be learnt.
pub(crate) fn no_target(predicates: &[PredicateName], is_graph: bool) -> Diagnostic {
    let diagnostic = Diagnostic::error(codes::SEVERAL_TARGETS, "the data do not name a target predicate")
        .with_help(format!("name it by --target; there are facts of {}", first_of(predicates)));
    if is_graph {
        return diagnostic.with_help("--target all learns all relations of the graph");
    }
    diagnostic
}
