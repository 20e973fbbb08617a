//! Layouts of other systems, on lines written for what is odd in each.

use std::path::Path;

use gleaner::problem::{Format, LoadRequest, Loaded};
use gleaner::program::mode::{ArgumentMode, ModeSubject};
use gleaner::syntax::{Code, Severity, Sources, codes, render};

fn write(folder: &Path, files: &[(&str, &str)]) {
    for (name, text) in files {
        std::fs::write(folder.join(name), text).expect("the file can be written");
    }
}

fn load(files: &[(&str, &str)], is_inspection: bool) -> Loaded {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    write(folder.path(), files);
    let request = LoadRequest { path: folder.path().to_owned(), is_inspection, ..LoadRequest::default() };
    let mut sources = Sources::new();
    match gleaner::experiment::load(&request, &mut sources) {
        Ok(loaded) => loaded,
        Err(faults) => panic!("it does not load:\n{}", render(&faults, &sources, false)),
    }
}

/// Body modes as text: `p(+a,-b)`.
fn modes(loaded: &Loaded) -> Vec<String> {
    let symbols = &loaded.problem.symbols;
    let mut modes: Vec<String> = loaded
        .problem
        .modes
        .body
        .iter()
        .map(|mode| {
            let ModeSubject::Relation(predicate) = mode.subject else { return String::new() };
            let argument = |argument: &ArgumentMode| {
                let (sign, id) = match *argument {
                    ArgumentMode::Input(id) => ('+', id),
                    ArgumentMode::Output(id) => ('-', id),
                    ArgumentMode::Constant(id) => ('#', id),
                };
                format!("{sign}{}", symbols.types[id.index()])
            };
            let arguments: Vec<String> = mode.arguments.iter().map(argument).collect();
            format!("{}({})", symbols.predicate(predicate).name, arguments.join(","))
        })
        .collect();
    modes.sort();
    modes
}

fn warned(loaded: &Loaded) -> Vec<Code> {
    assert!(loaded.warnings.iter().all(|warning| warning.severity() == Severity::Warning));
    let mut codes: Vec<Code> = loaded.warnings.iter().map(gleaner::syntax::Diagnostic::code).collect();
    codes.sort();
    codes
}

const BK: (&str, &str) = ("bk.pl", "has(a,c1). has(b,c2). red(c1). size(c1,3). size(c2,4).\n");
const EXS: (&str, &str) = ("exs.pl", "pos(f(a)).\nneg(f(b)).\n");

#[test]
fn a_bias_with_directions_gives_their_modes() {
    let bias = "max_vars(4).\nhead_pred(f,1).\nbody_pred(has,2). body_pred(red,1).\n\
        type(f,(thing,)). type(has,(thing,part)). type(red,(part,)).\n\
        direction(has,(in,out)). direction(red,(in,)).\n:- clause(C), #count{V : v(C,V)} != 1.\n";
    let loaded = load(&[BK, EXS, ("bias.pl", bias)], false);
    assert_eq!(loaded.problem.format, Format::Popper);
    assert_eq!((loaded.problem.examples.n_positives(), loaded.problem.examples.len()), (1, 2));
    assert_eq!(modes(&loaded), ["has(+thing,+part)", "has(+thing,-part)", "red(+part)"]);
    assert_eq!(warned(&loaded), [codes::IGNORED_DIRECTIVE]);
}

#[test]
fn a_bias_without_types_and_directions_allows_each_argument_to_be_known() {
    let loaded = load(&[BK, EXS, ("bias.pl", "head_pred(f,1).\nbody_pred(has,2).\n")], false);
    assert_eq!(modes(&loaded), ["has(+any,+any)", "has(+any,-any)", "has(-any,+any)"]);
}

#[test]
fn rules_of_a_bias_are_over_its_facts() {
    let bias = "head_pred(f,1).\nconstant(red,part). body_pred(C,1):-constant(C,_).\n\
        type(C,(T,)):- constant(C,T).\nbody_pred(size,2). type(size,(part,number)).\ntype(f,(part,)).\n";
    let loaded = load(&[BK, EXS, ("bias.pl", bias)], false);
    let expected = ["red(+part)", "size(+part,+number)", "size(+part,-number)", "size(-part,+number)"];
    assert_eq!(modes(&loaded), expected);
}

/// `deep` is read, but `even` is half of what it should be, and `odd` is made of it.
#[test]
fn what_depends_on_a_rule_outside_the_language_is_left_out() {
    let bk = "has(a,c1). has(b,c2). even(c1).\neven(s(X)) :- odd(X).\nodd(X) :- has(_,X), even(X).\n\
        deep(X) :- has(Y,X), has(Y,X).\nsame(X,X).\n";
    let bias = "head_pred(f,1). body_pred(has,2). body_pred(even,1). body_pred(odd,1). body_pred(deep,1).\n\
        direction(has,(in,out)).\nbody_pred(same,2). body_pred(missing,1).\n";
    let loaded = load(&[("bk.pl", bk), EXS, ("bias.pl", bias)], false);
    assert_eq!(modes(&loaded), ["deep(+any)", "has(+any,+any)", "has(+any,-any)"]);
    let expected = [codes::EMPTY_PREDICATE, codes::UNSAFE_RULE, codes::UNSUPPORTED, codes::LEFT_OUT];
    assert_eq!(warned(&loaded), expected);
    let left_out = loaded.warnings.iter().find(|warning| warning.code() == codes::LEFT_OUT);
    let message = left_out.map(gleaner::syntax::Diagnostic::message).unwrap_or_default();
    assert!(message.starts_with("even/1, odd/1, same/2 are left out"), "{message}");
}

#[test]
fn one_file_with_sections_is_read_by_them() {
    let text = ":- use_module(library(aleph)).\n:- aleph.\n:- modeh(1,f(+thing)).\n:- modeb(*,has(+thing,-part)).\n\
        :- modeb(1,red(+part)).\n:-begin_bg.\nhas(a,c1). has(b,c2). red(c1).\n:-end_bg.\n\
        :-begin_in_pos.\nf(a).\n:-end_in_pos.\n:-begin_in_neg.\nf(b). f(c).\n:-end_in_neg.\n";
    let loaded = load(&[("train.pl", text)], false);
    assert_eq!(loaded.problem.format, Format::Aleph);
    assert_eq!((loaded.problem.examples.n_positives(), loaded.problem.examples.len()), (1, 3));
    assert_eq!(modes(&loaded), ["has(+thing,-part)", "red(+part)"]);
    assert_eq!(warned(&loaded), []);
}

#[test]
fn other_systems_data_without_a_class_are_looked_at_only() {
    let exs = ("exs.pl", "pos(f(a)).\n");
    let files = [BK, exs, ("bias.pl", "head_pred(f,1). body_pred(red,1).\n")];
    let loaded = load(&files, true);
    assert_eq!(warned(&loaded), [codes::NO_EXAMPLES]);
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    write(folder.path(), &files);
    let request = LoadRequest { path: folder.path().to_owned(), ..LoadRequest::default() };
    let faults = gleaner::experiment::load(&request, &mut Sources::new()).expect_err("nothing can be learnt");
    assert_eq!(
        faults.iter().map(gleaner::syntax::Diagnostic::code).collect::<Vec<_>>(),
        [codes::NO_EXAMPLES]
    );
}

#[test]
fn flat_folders_with_marks_of_their_own() {
    let files = [
        ("a_bk.txt", "setParam: x = 1.\nmode: f(+thing).\nmode: has(+thing, `part!2).\nmode: red(+part).\n"),
        ("a_facts.txt", "has(a,c1). // one\nhas(b,c2).\nred(c1).\n"),
        ("a_pos.txt", "f(a).\n"),
        ("a_neg.txt", "f(b).\n"),
    ];
    let loaded = load(&files, false);
    assert_eq!(loaded.problem.format, Format::Boostsrl);
    assert_eq!(modes(&loaded), ["has(+thing,-part)", "red(+part)"]);
}

#[test]
fn predicates_may_have_capitals() {
    let files = [
        ("a_bk.txt", "mode: CoAuthor(+name).\nmode: Writes(+name,-topic).\n"),
        ("a_facts.txt", "Writes(\"Ann_B\",\"Kullback–Leibler\").\nWrites(\"Bob\",t2).\n"),
        ("a_pos.txt", "CoAuthor(\"Ann_B\").\n"),
        ("a_neg.txt", "CoAuthor(\"Bob\").\n"),
    ];
    let loaded = load(&files, false);
    assert_eq!(loaded.problem.target().to_string(), "CoAuthor/1");
    assert_eq!(modes(&loaded), ["Writes(+name,-topic)"]);
    assert_eq!(warned(&loaded), []);
}
