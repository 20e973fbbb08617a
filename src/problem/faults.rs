//! The messages of loading: what is wrong, where, and what would be accepted.

use std::path::Path;

use crate::program::PredicateName;
use crate::syntax::{Diagnostic, FileId, Span, codes};

/// A place in a file.
pub type Place = (FileId, Span);

/// `gleaner` was pointed at something that is not there.
pub(super) fn no_such_path(path: &Path) -> Diagnostic {
    Diagnostic::error(codes::NO_SUCH_PATH, format!("{} does not exist", path.display())).with_help(
        "give a folder or file of facts and examples; `gleaner generate university -o DIR` makes one",
    )
}

pub(super) fn unknown_layout(path: &Path, format: Option<&str>, aleph_stems: &[String]) -> Diagnostic {
    let what = match format {
        Some(format) => format!("{} is not in the layout {format}", path.display()),
        None => format!("{} is in no layout that is known", path.display()),
    };
    let diagnostic = Diagnostic::error(codes::UNKNOWN_LAYOUT, what);
    if let [first, _, ..] = aleph_stems {
        let names = aleph_stems.join(", ");
        return diagnostic.with_help(format!("it holds several problems, {names}: name one, as {first}.b"));
    }
    diagnostic.with_help(
        "own: background.pl, modes.pl, pos.pl, neg.pl, foldN/ · aleph: NAME.b, NAME.f, NAME.n · \
         boostsrl: background.txt, foldN/{train,test}/*_{facts,pos,neg}.txt",
    )
}

pub(super) fn missing_file(path: &Path, role: &str) -> Diagnostic {
    Diagnostic::error(codes::MISSING_FILE, format!("{} is missing", path.display()))
        .with_help(format!("the layout needs it for {role}"))
}

pub(super) fn bad_declaration((file, span): Place, what: &str, accepted: &str) -> Diagnostic {
    Diagnostic::error(codes::BAD_DECLARATION, what.to_owned())
        .with_label(file, span, "here")
        .with_help(accepted.to_owned())
}

pub(super) fn no_head_mode(target: &PredicateName) -> Diagnostic {
    let arguments = vec!["+type"; target.arity].join(", ");
    Diagnostic::error(codes::NO_MODES, format!("no mode declares the head {target}"))
        .with_help(format!("add `:- modeh(1, {}({arguments})).` to the modes", target.name))
}

pub(super) fn no_body_modes(target: &PredicateName) -> Diagnostic {
    Diagnostic::error(codes::NO_MODES, format!("no mode declares a body literal for {target}"))
        .with_help("add `:- modeb(*, p(+type, -type)).` for each predicate p that bodies may use")
}

pub(super) fn empty_predicate(
    (file, span): Place,
    predicate: &PredicateName,
    nearest: Option<String>,
) -> Diagnostic {
    let diagnostic = Diagnostic::error(
        codes::EMPTY_PREDICATE,
        format!("{predicate} is in a mode but has no facts or rules"),
    )
    .with_label(file, span, "no clause with this mode could cover anything");
    match nearest {
        Some(nearest) => diagnostic.with_help(format!("did you mean {nearest}?")),
        None => diagnostic.with_help("add facts or rules for it, or remove the mode"),
    }
}

pub(super) fn determination_without_mode((file, span): Place, predicate: &PredicateName) -> Diagnostic {
    Diagnostic::warning(codes::UNUSED_DECLARATION, format!("{predicate} has a determination but no mode"))
        .with_label(file, span, "has no effect")
        .with_help(format!("add `:- modeb(*, {}(...)).`", predicate.name))
}

pub(super) fn mode_without_determination(
    (file, span): Place,
    predicate: &str,
    target: &PredicateName,
) -> Diagnostic {
    Diagnostic::warning(codes::UNUSED_DECLARATION, format!("{predicate} has a mode but no determination"))
        .with_label(file, span, "not used, because other predicates have determinations")
        .with_help(format!("add `:- determination({target}, {predicate}).`"))
}

pub(super) fn unreachable_mode((file, span): Place, type_name: &str) -> Diagnostic {
    Diagnostic::warning(codes::UNREACHABLE_MODE, format!("nothing gives a value of type {type_name}"))
        .with_label(file, span, "this mode can never be called")
        .with_help(format!(
            "type {type_name} must be an argument of the head or a -{type_name} of another mode"
        ))
}

pub(super) fn unsafe_rule((file, span): Place, variable: &str, place: &str, help: String) -> Diagnostic {
    Diagnostic::error(codes::UNSAFE_RULE, format!("variable {variable} of {place} gets no value"))
        .with_label(file, span, "unsafe rule")
        .with_help(help)
}

pub(super) fn unstratifiable((file, span): Place, predicate: &PredicateName) -> Diagnostic {
    Diagnostic::error(
        codes::UNSTRATIFIABLE,
        format!("this rule negates {predicate}, which depends on the rule's own head"),
    )
    .with_label(file, span, "negation through recursion")
    .with_help("rules are run stratum by stratum: a negated predicate must be complete before it is used")
}

pub(super) fn unsupported((file, span): Place, what: &str) -> Diagnostic {
    Diagnostic::error(codes::UNSUPPORTED, format!("{what} is outside the language"))
        .with_label(file, span, "here")
        .with_help(
            "rules are made of atoms over variables and ground terms, \\+ and the comparisons \
             = \\= == \\== < > =< >= is",
        )
}

/// What is said where data that cannot be learnt from are only looked at.
pub(super) const LOOKED_AT: &str = "they can be looked at all the same";

pub(super) fn no_body_predicates() -> Diagnostic {
    Diagnostic::error(codes::NO_MODES, "no predicate of a body mode has facts or rules")
        .with_help("are the names in the modes those of the facts, arity included?")
}

/// What is done about a rule of another system that is outside the language.
pub(super) const RULE_LEFT_OUT: &str = "the rule is left out";

pub(super) fn left_out(names: &[String]) -> Diagnostic {
    let (verb, what) = if names.len() == 1 { ("is", "it") } else { ("are", "them") };
    Diagnostic::warning(
        codes::LEFT_OUT,
        format!(
            "{} {verb} left out: some of the rules behind {what} are outside the language",
            names.join(", ")
        ),
    )
    .with_help("their modes are not used; write the rules in the language, or their tuples as facts")
}

pub(super) fn ignored_directive((file, span): Place, name: &str) -> Diagnostic {
    Diagnostic::warning(codes::IGNORED_DIRECTIVE, format!("directive {name} has no meaning here"))
        .with_label(file, span, "ignored")
        .with_help("modeh, modeb, mode, determination and set are read")
}

pub(super) fn ignored_constraint((file, span): Place) -> Diagnostic {
    Diagnostic::warning(
        codes::IGNORED_DIRECTIVE,
        "a constraint on another system's search has no meaning here",
    )
    .with_label(file, span, "ignored")
    .with_help("of a bias file head_pred, body_pred, type, direction and max_body are read")
}

pub(super) fn odd_declaration((file, span): Place, what: &str, accepted: &str) -> Diagnostic {
    Diagnostic::warning(codes::BAD_DECLARATION, format!("malformed declaration: {what}"))
        .with_label(file, span, "here")
        .with_help(accepted.to_owned())
}

pub(super) fn fixpoint_failed(place: Option<Place>, message: &str) -> Diagnostic {
    let diagnostic = Diagnostic::error(codes::RULES_FAILED, message.to_owned()).with_help(
        "rules that create numbers without end never reach a fixpoint: bound them by a comparison",
    );
    match place {
        Some((file, span)) => diagnostic.with_label(file, span, "in this rule"),
        None => diagnostic,
    }
}

pub(super) fn no_examples(class: &str, target: Option<&PredicateName>) -> Diagnostic {
    let of = target.map_or_else(String::new, |target| format!(" of {target}"));
    Diagnostic::error(codes::NO_EXAMPLES, format!("there are no {class} examples{of}"))
        .with_help("learning needs both classes; --target name/arity names the target, --where restricts it")
}

pub(super) fn no_examples_in(class: &str, target: &PredicateName, files: &[String]) -> Diagnostic {
    let read_from = match files {
        [] => "no file holds any".to_owned(),
        [file] => format!("{class} examples are read from {file}"),
        [first, .., last] => format!("{class} examples are read from {first} to {last}"),
    };
    Diagnostic::error(codes::NO_EXAMPLES, format!("there are no {class} examples of {target}"))
        .with_help(format!("learning needs both classes; {read_from}"))
}

pub(super) fn undefined_in_rule(
    (file, span): Place,
    predicate: &PredicateName,
    nearest: Option<String>,
) -> Diagnostic {
    let diagnostic = Diagnostic::warning(
        codes::EMPTY_PREDICATE,
        format!("{predicate} is in a rule but has no facts or rules"),
    )
    .with_label(file, span, "false for all values");
    match nearest {
        Some(nearest) => diagnostic.with_help(format!("did you mean {nearest}?")),
        None => diagnostic.with_help("add facts or rules for it"),
    }
}

pub(super) fn undefined_in_clauses(names: &[String]) -> Diagnostic {
    Diagnostic::warning(
        codes::EMPTY_PREDICATE,
        format!("the model's clauses use what these data lack: {}", names.join(", ")),
    )
    .with_help("clauses with them cover nothing here; were the data made from the same predicates?")
}

pub(super) fn other_examples(
    (file, span): Place,
    n_others: usize,
    name: &PredicateName,
    target: &PredicateName,
) -> Diagnostic {
    Diagnostic::warning(codes::OTHER_EXAMPLES, format!("{n_others} examples are not of the target {target}"))
        .with_label(file, span, format!("of {name}, for instance"))
        .with_help(format!(
            "they are left out; if {name} is misspelt, write {target}; --target learns another"
        ))
}

pub(super) fn in_two_folds((first, second): (Place, Place), example: &str, n_more: usize) -> Diagnostic {
    let more = if n_more > 0 { format!(" (and {n_more} more)") } else { String::new() };
    Diagnostic::warning(codes::SHARED_EXAMPLES, format!("{example} is in two folds{more}"))
        .with_label(second.0, second.1, "here")
        .with_label(first.0, first.1, "and here")
        .with_help("what is tested was trained on: keep it in one fold")
}

pub(super) fn not_an_example((file, span): Place, accepted: &str) -> Diagnostic {
    Diagnostic::error(codes::BAD_EXAMPLE, "this is no example")
        .with_label(file, span, "here")
        .with_help(format!("an example is {accepted}"))
}

pub(super) fn several_targets(targets: &[PredicateName]) -> Diagnostic {
    let names: Vec<String> = targets.iter().map(ToString::to_string).collect();
    Diagnostic::error(
        codes::SEVERAL_TARGETS,
        format!("the examples are of several predicates: {}", names.join(", ")),
    )
    .with_help(format!("choose one, as --target {}", names[0]))
}

pub(super) fn other_target(target: &PredicateName, known: &[PredicateName]) -> Diagnostic {
    let names: Vec<String> = known.iter().map(ToString::to_string).collect();
    let diagnostic = Diagnostic::error(codes::NO_EXAMPLES, format!("no example is of the target {target}"));
    if names.is_empty() {
        return diagnostic.with_help("the example files are empty");
    }
    diagnostic.with_help(format!("there are examples of {}", names.join(", ")))
}

pub(super) fn in_both_classes(positive: Place, negative: Place, example: &str, n_more: usize) -> Diagnostic {
    let more = if n_more > 0 { format!(" (and {n_more} more)") } else { String::new() };
    Diagnostic::error(codes::BOTH_CLASSES, format!("{example} is both positive and negative{more}"))
        .with_label(negative.0, negative.1, "negative here")
        .with_label(positive.0, positive.1, "positive here")
        .with_help("remove it from one of the files")
}

pub(super) fn repeated_examples(place: Place, class: &str, n_repeated: usize) -> Diagnostic {
    Diagnostic::warning(codes::REPEATED_EXAMPLES, format!("{n_repeated} {class} examples are repeated"))
        .with_label(place.0, place.1, "for instance this one")
        .with_help("each is counted once")
}

pub(super) fn empty_fold(name: &str, class: &str) -> Diagnostic {
    Diagnostic::error(codes::EMPTY_FOLD, format!("{name} has no {class} examples"))
        .with_help("areas of that fold would be undefined: add examples, merge the fold, or remove it")
}

pub(super) fn target_in_background((file, span): Place, target: &PredicateName) -> Diagnostic {
    Diagnostic::warning(
        codes::TARGET_IN_BACKGROUND,
        format!("the background has facts or rules of the target {target}"),
    )
    .with_label(file, span, "the answer itself, if a mode lets bodies use it")
    .with_help("examples belong into the example files only")
}

/// A clause or restriction that cannot be used.
#[must_use]
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
