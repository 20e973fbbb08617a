//! The messages of loading: the fault, its place, and the accepted form.

pub(super) mod examples;
mod layouts;
mod lint;
mod time;

use std::path::Path;

use gleaner_base::{StopReason, VariableId};
use gleaner_lang::program::{Clause, Literal, PredicateName, TargetName};
use gleaner_lang::syntax::{Diagnostic, Place, codes};

pub use examples::took_negatives;
pub(super) use examples::{
    Graph, LabelColumn, asked_of_no_fold, asked_of_other, asked_of_several_folds, asked_with_variable,
    classes_of_arities, classes_said_twice, empty_fold, fold_without_classes, in_both_classes, in_two_folds,
    negatives_left_out, negatives_of_classes, no_class_argument, no_examples, no_examples_in, no_target,
    no_typed_tuples, not_an_example, nothing_to_learn, nothing_to_score, of_two_classes, other_examples,
    other_target, repeated_examples, scored_without_classes, sets_draw_negatives, several_targets,
    too_few_classes, too_many_negatives, unlisted_in_train,
};
#[cfg(feature = "sqlite")]
pub(super) use layouts::locked;
#[cfg(feature = "parquet")]
pub(super) use layouts::unread_parquet;
#[cfg(not(all(feature = "parquet", feature = "sqlite")))]
pub(super) use layouts::without_feature;
pub(super) use layouts::{
    bad_manifest, chosen_directions, determination_without_mode, empty_determination, empty_predicate,
    facts_as_tables, files_by_name, missing_file, mode_without_determination, native_duckdb, no_body_modes,
    no_head_mode, no_recursion, no_task, odd_export, one_table, read_as_comparison, read_uncompressed,
    several_problems, several_tasks, tables_as_facts, unknown_layout, unreachable_mode, unused_key,
};
#[cfg(any(feature = "parquet", feature = "sqlite"))]
pub(super) use layouts::{broken_file, broken_rows, unread_column};
pub(super) use lint::{
    LeakedBy, facts_out_of_reach, mixed_argument, numbers_with_commas, repeated_facts, separating_argument,
    separating_literal, separating_numbers, several_arities, shared_entities, test_gives_values,
    type_without_constants, unknown_constants,
};

pub(super) use time::{
    ages_known, cut_off_is_no_time, cut_off_of_no_database, cut_off_without_times, frozen_at_no_time,
    frozen_of_no_database, keys_of_other_type, negatives_beside_times, no_cut_off, no_time, no_timed_facts,
    numbers_without_type, places_known, rows_without_time, schema_of_no_database,
    target_in_body_beside_times, times_of_two_kinds, too_many_cut_offs, universal_beside_times,
};

/// The budget ended before the data were read.
pub(super) fn stopped(reason: StopReason) -> Diagnostic {
    let why = match reason {
        StopReason::TimeLimit => "the time limit passed",
        StopReason::MemoryLimit => "⁅memory⁆ was nearly reached",
        _ => "interrupted",
    };
    Diagnostic::error(codes::TIME_LIMIT, format!("{why} before the data were read"))
        .with_help(format!("a part of the data does not hold for all: {}", reason.remedy()))
}

/// The path does not exist.
pub(super) fn no_such_path(path: &Path) -> Diagnostic {
    Diagnostic::error(codes::NO_SUCH_PATH, format!("{} does not exist", path.display())).with_help(
        "give a folder or file of facts and examples; `gleaner generate university -o DIR` makes one",
    )
}

pub(super) fn bad_declaration(place: Place, what: &str, accepted: &str) -> Diagnostic {
    Diagnostic::error(codes::BAD_DECLARATION, what.to_owned())
        .at(place, "here")
        .with_help(accepted.to_owned())
}

pub(super) fn malformed_table(place: Place, what: &str, accepted: &str) -> Diagnostic {
    Diagnostic::error(codes::MALFORMED_TABLE, what.to_owned())
        .at(place, "here")
        .with_help(accepted.to_owned())
}

/// A table in text holds bytes of value 0.
pub(super) fn zero_bytes(place: Place, n: usize) -> Diagnostic {
    let what = match n {
        1 => "this file holds a NUL byte".to_owned(),
        _ => format!("this file holds {n} NUL bytes"),
    };
    Diagnostic::warning(codes::MALFORMED_TABLE, what)
        .at(place, "the first; it is a part of its cell")
        .with_help("no program writes them into a table: copy the file once more, or write it anew")
}

/// Further rows of a table are malformed as those are that were shown; the last is at the place.
pub(super) fn more_malformed_rows(place: Place, what: &str) -> Diagnostic {
    Diagnostic::error(codes::MALFORMED_TABLE, what.to_owned()).at(place, "the last of them")
}

pub(super) fn index_column(place: Place, header: &str) -> Diagnostic {
    let column =
        if header.is_empty() { "the first column".to_owned() } else { format!("the column {header}") };
    Diagnostic::warning(codes::INDEX_COLUMN, format!("{column} holds row numbers: it is left out"))
        .at(place, "not read")
        .with_help("write the table without them (pandas: index=False); a column with a name is read")
}

/// A table of a database has no columns, as pandas writes an empty frame.
pub(super) fn empty_table(place: Place, table: &str) -> Diagnostic {
    Diagnostic::warning(
        codes::MALFORMED_TABLE,
        format!("the table {table} has no columns: it is taken as empty"),
    )
    .at(place, "no names of columns")
    .with_help("the first line names each column; leave the file out if there is nothing to say")
}

pub(super) fn missing_cells(place: Place, n_missing: usize) -> Diagnostic {
    let what = format!(
        "{} of this column {} no value",
        counted(n_missing, "cell"),
        if n_missing == 1 { "has" } else { "have" }
    );
    Diagnostic::warning(codes::MISSING_CELLS, what)
        .at(place, "the first one; it is read as a constant")
        .with_help("give each attribute its own table, and leave out rows without a value")
}

pub(super) fn malformed_line(place: Place, what: &str, accepted: &str) -> Diagnostic {
    Diagnostic::error(codes::MALFORMED_LINE, what.to_owned()).at(place, "here").with_help(accepted.to_owned())
}

/// The help for a variable of a literal, or of the head, that gets no value.
pub(super) fn value_help(name: &str, literal: Option<&Literal>) -> String {
    let or_any = if literal.is_some_and(Literal::allows_any) { ", or write _ for any value" } else { "" };
    format!("use {name} in a positive literal of the body{or_any}")
}

/// The help for a variable of a rule that gets no value. A grouping variable of an aggregate, and a variable of its goal
/// alone, need other literals.
pub(super) fn rule_value_help(
    name: &str,
    variable: VariableId,
    rule: &Clause,
    literal: Option<&Literal>,
) -> String {
    let mut aggregates = rule.body.iter().filter_map(Literal::aggregate);
    if literal.and_then(Literal::aggregate).is_some_and(|it| it.is_local(variable)) {
        format!("use {name} in a positive literal of the aggregate's goal")
    } else if aggregates.any(|it| it.groups().binary_search(&variable).is_ok()) {
        format!(
            "the aggregate groups by {name}: the variable must have a value from a literal beside the aggregate"
        )
    } else {
        value_help(name, literal)
    }
}

pub(super) fn unsafe_rule(place: Place, variable: &str, of: &str, help: String) -> Diagnostic {
    Diagnostic::error(codes::UNSAFE_RULE, format!("variable {variable} of {of} gets no value"))
        .at(place, "unsafe rule")
        .with_help(help)
}

/// The outcome of a fact with variables.
#[derive(Clone, Copy, Debug)]
pub(super) enum Universal {
    /// The number of facts that it became.
    Facts(usize),
    /// Nothing: no constant is known for a variable.
    Unknown,
    /// Nothing: this number of facts is too large.
    TooMany(u64),
}

/// A fact with variables as the user wrote it.
#[derive(Clone, Copy, Debug)]
pub(super) struct WrittenFact<'a> {
    pub(super) text: &'a str,
    /// The first variable of the fact.
    pub(super) variable: &'a str,
    pub(super) place: Place,
}

/// `n_more` further facts of the predicate had the same outcome.
pub(super) fn universal(fact: WrittenFact<'_>, what: Universal, n_more: usize) -> Diagnostic {
    let WrittenFact { text, variable, place } = fact;
    let (said, label) = match what {
        Universal::Facts(n_facts) => {
            let facts = counted(n_facts, "fact");
            (format!("{text} stands for {facts}: {variable} is a variable"), "true for all its constants")
        }
        Universal::Unknown => {
            (format!("{text} is left out: no constants are known for its variables"), "has no effect")
        }
        Universal::TooMany(n_facts) => {
            (format!("{text} is left out: it would stand for {n_facts} facts"), "has no effect")
        }
    };
    let warning = Diagnostic::warning(codes::FACT_WITH_VARIABLES, said).at(place, label);
    let warning = warning.with_help(if variable == "_" {
        "_ stands for every constant of its argument; to mean one constant, write it".to_owned()
    } else {
        format!("variables begin with a capital or _; if {variable} is a constant, write '{variable}'")
    });
    match n_more {
        0 => warning,
        1 => warning.with_help("and one more fact of the predicate has variables"),
        _ => warning.with_help(format!("and {n_more} more facts of the predicate have variables")),
    }
}

pub(super) fn unstratifiable(place: Place, predicate: &PredicateName, is_aggregated: bool) -> Diagnostic {
    if is_aggregated {
        let message = format!("this rule aggregates over {predicate}, which depends on the rule's own head");
        return Diagnostic::error(codes::UNSTRATIFIABLE, message)
            .at(place, "aggregate through recursion")
            .with_help("an aggregated predicate must be complete before a rule uses it: break the cycle");
    }
    Diagnostic::error(
        codes::UNSTRATIFIABLE,
        format!("this rule negates {predicate}, which depends on the rule's own head"),
    )
    .at(place, "negation through recursion")
    .with_help("a negated predicate must be complete before a rule uses it: break the cycle")
}

pub(super) fn unsupported(place: Place, what: &str) -> Diagnostic {
    Diagnostic::error(codes::UNSUPPORTED, format!("{what} is outside the language"))
        .at(place, "here")
        .with_help(
            "rules are made of atoms over variables and ground terms, \\+, the comparisons \
             = \\= == \\== < > =< >= is and aggregate_all",
        )
}

/// The note on faults of learning where data are only inspected.
pub(super) const LOOKED_AT: &str = "the data can still be inspected";

pub(super) fn no_body_predicates() -> Diagnostic {
    Diagnostic::error(codes::NO_MODES, "no predicate of a body mode has facts or rules")
        .with_help("check that modes and facts use the same names and arities")
}

/// The note on a rule of another system that is outside the language.
pub(super) const RULE_LEFT_OUT: &str = "the rule is left out";

pub(super) fn left_out(names: &[String]) -> Diagnostic {
    let (verb, what) = if names.len() == 1 { ("is", "it depends") } else { ("are", "they depend") };
    Diagnostic::warning(
        codes::LEFT_OUT,
        format!("{} {verb} left out: {what} on rules outside the language", names.join(", ")),
    )
    .with_help("their modes are not used; write the rules in the language, or their tuples as facts")
}

pub(super) fn ignored_directive(place: Place, name: &str) -> Diagnostic {
    Diagnostic::warning(codes::IGNORED_DIRECTIVE, format!("directive {name} has no meaning here"))
        .at(place, "ignored")
        .with_help("modeh, modeb, mode, determination and set are read")
}

/// Aleph's `depth` and Gleaner's `depth` mean different things.
pub(super) fn proof_depth(place: Place) -> Diagnostic {
    Diagnostic::warning(
        codes::IGNORED_DIRECTIVE,
        "set(depth, N) bounds Aleph's proofs, and has no meaning here",
    )
    .at(place, "ignored")
    .with_help("proofs are unbounded here; set(i, N) or ⁅depth=N⁆ bounds the depth of variables")
}

/// A rule that steers Aleph's search.
pub(super) fn search_rule(place: Place, what: &str) -> Diagnostic {
    Diagnostic::warning(
        codes::IGNORED_DIRECTIVE,
        format!("{what}: it is left out, and clauses that it forbids may be learnt"),
    )
    .at(place, "this rule")
    .with_help("modes, ⁅max-literals⁆, ⁅min-precision⁆ and ⁅max-neg⁆ bound the clauses")
}

pub(super) fn ignored_constraint(place: Place) -> Diagnostic {
    Diagnostic::warning(
        codes::IGNORED_DIRECTIVE,
        "a constraint on another system's search has no meaning here",
    )
    .at(place, "ignored")
    .with_help("gleaner reads head_pred, body_pred, type, direction and max_body from a bias file")
}

/// A fact of a bias file that is no declaration.
pub(super) fn ignored_bias(place: Place, name: &str) -> Diagnostic {
    Diagnostic::warning(codes::IGNORED_DIRECTIVE, format!("{name} in a bias file has no meaning here"))
        .at(place, "ignored")
        .with_help("gleaner reads head_pred, body_pred, type, direction and max_body from a bias file")
}

pub(super) fn classes_by_comment(place: Place) -> Diagnostic {
    Diagnostic::warning(codes::CLASSES_BY_COMMENT, "the examples after this comment are read as negatives")
        .at(place, "this comment")
        .with_help("to be sure, move them to the file of negatives")
}

pub(super) fn proposed_modes(n_modes: usize) -> Diagnostic {
    Diagnostic::warning(
        codes::PROPOSED_MODES,
        format!("the data have no modes: gleaner proposes {n_modes} and uses them"),
    )
    .with_help(
        "`gleaner inspect DATA ⁅propose-modes⁆ > modes.pl` writes them to a file; edit it and give it by ⁅modes⁆",
    )
}

pub(super) fn no_aggregates_proposed() -> Diagnostic {
    Diagnostic::warning(
        codes::PROPOSED_MODES,
        "no aggregates are proposed: they have too many rows".to_owned(),
    )
    .with_help("declare those that matter: `:- modeb(*, aggregate_all(count, order(_, +customer), -count)).`")
}

pub(super) fn not_written(format: &str, written: &str) -> Diagnostic {
    Diagnostic::error(
        codes::UNKNOWN_LAYOUT,
        format!("gleaner reads the layout {format} but does not write it"),
    )
    .with_help(format!("{written} can be written"))
}

pub(super) fn numbers_not_written() -> Diagnostic {
    let what = "examples with numbers, as regressionExample(p(a), 2.5), are read but not written";
    Diagnostic::error(codes::UNKNOWN_LAYOUT, what)
        .with_help("write `p(a, 2.5).` in their place: ⁅number-argument=2⁆ learns from such examples, too")
}

/// `1 fact`, `2 facts`.
pub(super) fn counted(n: usize, what: &str) -> String {
    format!("{n} {}", plural(n, what))
}

/// `1 fact is`, `2 facts are`.
fn are(n: usize, what: &str) -> String {
    format!("{n} {} {}", plural(n, what), if n == 1 { "is" } else { "are" })
}

fn plural<N: From<u8> + PartialEq + Copy>(n: N, what: &str) -> String {
    if n == N::from(1) { what.to_owned() } else { format!("{what}s") }
}

/// Suggests the nearest known name, or else the other remedy.
fn meant_or(nearest: Option<String>, otherwise: &str) -> String {
    nearest.map_or_else(|| otherwise.to_owned(), |nearest| format!("did you mean {nearest}?"))
}

/// The first names, and how many more there are.
fn first_of<T: ToString>(names: &[T]) -> String {
    const SHOWN: usize = 5;
    let mut shown: Vec<String> = names.iter().take(SHOWN).map(ToString::to_string).collect();
    if names.len() > SHOWN {
        shown.push(format!("{} more", names.len() - SHOWN));
    }
    shown.join(", ")
}

/// Adds the place where a file first names a predicate, if there is one.
fn placed(diagnostic: Diagnostic, place: Option<Place>, label: &str) -> Diagnostic {
    match place {
        Some(place) => diagnostic.at(place, label),
        None => diagnostic,
    }
}

pub(super) fn odd_line(place: Place, accepted: &str) -> Diagnostic {
    Diagnostic::error(codes::ODD_LINE, "gleaner does not understand this line")
        .at(place, "here")
        .with_help(format!("a line is {accepted}"))
}

pub(super) fn header_line(place: Place) -> Diagnostic {
    Diagnostic::warning(codes::ODD_LINE, "the first line names the columns, and is no triple")
        .at(place, "left out")
        .with_help("if it is a triple, put it in another line")
}

/// `n` lines of a file of triples are comments.
pub(super) fn comments(place: Place, n: usize) -> Diagnostic {
    let what = match n {
        1 => "a line that begins with # is no triple".to_owned(),
        n => format!("{n} lines that begin with # are no triples"),
    };
    Diagnostic::warning(codes::ODD_LINE, what)
        .at(place, "left out")
        .with_help("in a triple, put tabs between the cells")
}

pub(super) fn stops(place: Place) -> Diagnostic {
    Diagnostic::warning(codes::ODD_LINE, "a full stop ends each line, and is no part of a name")
        .at(place, "left out")
        .with_help("leave the full stops out")
}

pub(super) fn ignored_formulas(place: Place, n_formulas: usize) -> Diagnostic {
    Diagnostic::warning(
        codes::IGNORED_DIRECTIVE,
        format!(
            "{n_formulas} {} of another system's model {} no meaning here",
            plural(n_formulas, "formula"),
            if n_formulas == 1 { "has" } else { "have" }
        ),
    )
    .at(place, "the first one")
    .with_help("gleaner reads only the declarations `predicate(type,type)` of an .mln file")
}

pub(super) fn false_facts(place: Place, n_facts: usize) -> Diagnostic {
    Diagnostic::warning(
        codes::FALSE_FACTS,
        format!("{} listed as false for predicates other than the target", are(n_facts, "fact")),
    )
    .at(place, "for instance this one")
    .with_help("leave them out: a background fact that is not listed is false")
}

pub(super) fn hidden_facts(place: Place, n_facts: usize) -> Diagnostic {
    Diagnostic::warning(
        codes::HIDDEN_FACTS,
        format!("{} kept back for tests, in relations other than the target", are(n_facts, "fact")),
    )
    .at(place, "for instance this one")
    .with_help("only the training part is background; to use this file too, give it by ⁅background⁆")
}

pub(super) fn odd_declaration(place: Place, what: &str, accepted: &str) -> Diagnostic {
    Diagnostic::warning(codes::BAD_DECLARATION, format!("malformed declaration: {what}"))
        .at(place, "here")
        .with_help(accepted.to_owned())
}

pub(super) fn fixpoint_failed(place: Option<Place>, message: &str) -> Diagnostic {
    placed(Diagnostic::error(codes::RULES_FAILED, message.to_owned()), place, "in this rule").with_help(
        "if rules create numbers without end, bound them by a comparison; to allow more facts, raise \
         ⁅max-derived-facts⁆",
    )
}

/// A rule asks for train examples with another number of arguments than the target has.
pub(super) fn train_arity(place: Place, name: &PredicateName, target: &PredicateName) -> Diagnostic {
    let PredicateName { name: asked, .. } = name;
    let message = format!("{name} is in a rule, and the target is {target}");
    Diagnostic::error(codes::TRAIN_IN_RULES, message)
        .at(place, "in this rule")
        .with_help(format!("the train examples of this target are {asked}/{}", target.arity))
}

/// Rules ask for train examples, beside what does not go with that.
pub(super) fn train_apart(place: Place, what: &str) -> Diagnostic {
    Diagnostic::error(codes::TRAIN_IN_RULES, format!("rules about train examples do not go with {what}"))
        .at(place, "in this rule")
        .with_help("leave out one of them")
}

/// An aggregate of a mode counts facts that follow from train examples.
pub(super) fn train_in_aggregate(aggregate: &str) -> Diagnostic {
    let message = format!("{aggregate} in a mode depends on train examples");
    Diagnostic::error(codes::TRAIN_IN_RULES, message)
        .with_help("let a rule aggregate, and give the rule's predicate a mode")
}

/// The data have examples, but none of the model's target.
pub(super) fn wrong_target(target: &TargetName, known: &[PredicateName]) -> Diagnostic {
    let names: Vec<String> = known.iter().map(ToString::to_string).collect();
    let message =
        format!("the model's target is {target}, but the data have examples of {}", names.join(", "));
    Diagnostic::error(codes::WRONG_TARGET, message)
        .with_help("give data of the model's target, or another model")
}

/// The fault of a rule that calls what Prolog has and this language lacks.
pub(super) fn built_in_in_rule(place: Place, predicate: &PredicateName) -> Diagnostic {
    Diagnostic::error(codes::UNSUPPORTED, format!("{predicate} of Prolog is outside the language"))
        .at(place, "this rule would hold for no values")
        .with_help("write its answers as facts of a predicate of that name")
}

pub(super) fn undefined_in_rule(
    place: Place,
    predicate: &PredicateName,
    nearest: Option<String>,
) -> Diagnostic {
    let or_declare = format!(
        "add facts or rules for it; if it is meant to be empty, write `:- dynamic {}.`",
        predicate.indicator()
    );
    Diagnostic::error(codes::EMPTY_PREDICATE, format!("{predicate} is in a rule but has no facts or rules"))
        .at(place, "it would be false for all values")
        .with_help(meant_or(nearest, &or_declare))
}

pub(super) fn target_in_background(place: Place, target: &PredicateName) -> Diagnostic {
    Diagnostic::warning(
        codes::TARGET_IN_BACKGROUND,
        format!("the background has facts or rules of the target {target}"),
    )
    .at(place, "a mode for it would give clauses the answer")
    .with_help("examples belong only in the example files")
}

/// A clause or restriction that cannot be used.
pub fn bad_clause(text: &str, what: &str) -> Diagnostic {
    Diagnostic::error(codes::BAD_CLAUSE, format!("`{text}`: {what}"))
        .with_help("a clause is written `head(A, B) :- p(A, C), \\+ q(C), C > 3.`; a restriction is its body")
}

pub(super) fn unknown_predicate_in_clause(
    text: &str,
    predicate: &PredicateName,
    nearest: Option<String>,
) -> Diagnostic {
    let diagnostic =
        Diagnostic::error(codes::EMPTY_PREDICATE, format!("`{text}`: {predicate} has no facts or rules"));
    match nearest {
        Some(nearest) => diagnostic.with_help(format!("did you mean {nearest}?")),
        None => diagnostic,
    }
}
