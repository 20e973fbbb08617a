//! Lines of public data sets that a strict reader of Prolog rejects or misreads: each kind has a line of its
//! own here, of the same shape, with what it must be read as.

use std::path::Path;

use gleaner_base::WorldId;
use gleaner_data::{Format, LoadPurpose, LoadRequest, Loaded};
use gleaner_lang::program::TargetName;
use gleaner_lang::program::mode::{ArgumentMode, ModeSubject};
use gleaner_lang::syntax::{Code, Diagnostic, Severity, Sources, codes, render};

pub(crate) type Files<'f> = &'f [(&'f str, &'f str)];

fn write(folder: &Path, files: Files<'_>) {
    for (name, text) in files {
        let path = folder.join(name);
        std::fs::create_dir_all(path.parent().expect("files have a folder")).expect("the folder can be made");
        std::fs::write(path, text).expect("the file can be written");
    }
}

pub(crate) fn load(files: Files<'_>) -> Loaded {
    load_as(files, LoadRequest::default())
}

pub(crate) fn load_as(files: Files<'_>, request: LoadRequest) -> Loaded {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    write(folder.path(), files);
    let request = LoadRequest { path: folder.path().to_owned(), ..request };
    let mut sources = Sources::new();
    match gleaner::experiment::load(&request, &mut sources) {
        Ok(loaded) => loaded,
        Err(faults) => panic!("it does not load:\n{}", render(&faults, &sources, false)),
    }
}

/// WILL's four files: modes, facts, and an example of each class.
fn will<'f>(modes: &'f str, facts: &'f str) -> [(&'f str, &'f str); 4] {
    [("a_bk.txt", modes), ("a_facts.txt", facts), ("a_pos.txt", "f(a).\n"), ("a_neg.txt", "f(b).\n")]
}

/// Aleph's three files.
pub(crate) fn aleph(background: &str) -> [(&str, &str); 3] {
    [("a.b", background), ("a.f", "f(a).\n"), ("a.n", "f(b).\n")]
}

/// Popper's three files.
pub(crate) fn popper<'f>(background: &'f str, bias: &'f str) -> [(&'f str, &'f str); 3] {
    [("bk.pl", background), ("exs.pl", "pos(f(a)).\nneg(f(b)).\n"), ("bias.pl", bias)]
}

const RED: &str = "mode: f(+thing).\nmode: red(+thing).\n";
pub(crate) const ALEPH_RED: &str = ":- modeh(1, f(+thing)).\n:- modeb(1, red(+thing)).\n";

/// The tuples of a predicate that are true, as text.
pub(crate) fn tuples(loaded: &Loaded, name: &str, arity: usize) -> Vec<String> {
    let problem = &loaded.problem;
    let Some(id) = problem.symbols().find_predicate(name, arity) else { return Vec::new() };
    let mut tuples = Vec::new();
    for world in (0..problem.worlds().len()).map(WorldId::new) {
        let relation = problem.worlds()[world.index()].relation(id);
        for row in 0..relation.n_rows() {
            let value = |column| problem.symbols().constants.text(relation.value(row, column));
            tuples.push((0..arity).map(value).collect::<Vec<_>>().join(","));
        }
    }
    tuples.sort();
    tuples.dedup();
    tuples
}

/// The examples of a class as text, ascending.
fn examples(loaded: &Loaded, is_positive: bool) -> Vec<String> {
    let problem = &loaded.problem;
    let ids = problem.examples().ids().filter(|&id| problem.examples().is_positive(id) == is_positive);
    let mut texts: Vec<String> = ids.map(|id| problem.example_text(id)).collect();
    texts.sort();
    texts
}

/// Body modes as text: `p(+a,-b)`, `+a>=#a`.
pub(crate) fn modes(loaded: &Loaded) -> Vec<String> {
    let symbols = loaded.problem.symbols();
    let argument = |argument: &ArgumentMode| {
        let (sign, id) = match *argument {
            ArgumentMode::Input(id) => ('+', id),
            ArgumentMode::Output(id) => ('-', id),
            ArgumentMode::Constant(id) => ('#', id),
        };
        format!("{sign}{}", symbols.types[id.index()])
    };
    let text = |mode: &gleaner_lang::program::mode::BodyMode| {
        let arguments: Vec<String> = mode.arguments.iter().map(argument).collect();
        match mode.subject {
            ModeSubject::Relation(predicate) => {
                format!("{}({})", symbols.predicate(predicate).name, arguments.join(","))
            }
            ModeSubject::Negated(predicate) => {
                format!("\\+{}({})", symbols.predicate(predicate).name, arguments.join(","))
            }
            ModeSubject::Comparison(operator) => arguments.join(operator.symbol()),
            ModeSubject::Aggregate(_) => panic!("no mode is of an aggregate"),
        }
    };
    let mut modes: Vec<String> = loaded.problem.modes().body.iter().map(text).collect();
    modes.sort();
    modes
}

/// What is said, but that so few lines leave some example unknown.
pub(crate) fn warned(loaded: &Loaded) -> Vec<Code> {
    assert!(loaded.warnings.iter().all(|warning| warning.severity() == Severity::Warning));
    let mut found: Vec<Code> = loaded.warnings.iter().map(Diagnostic::code).collect();
    found.retain(|code| *code != codes::UNKNOWN_CONSTANTS);
    found.sort();
    found
}

#[test]
fn double_slashes_comment_beside_percent_and_stars() {
    let facts = "red(a). // 6,7,8\n// red(c).\n% red(d).\n/* red(e).\n red(g). */ red(b). % b // b\n";
    let loaded = load(&will(RED, facts));
    assert_eq!(tuples(&loaded, "red", 1), ["a", "b"]);
    assert_eq!(warned(&loaded), []);
}

#[test]
fn an_apostrophe_in_a_comment_opens_no_quote() {
    let loaded =
        load(&will("mode: f(+thing). // Cap'ed.\nmode: red(+thing).\n", "red(a). // a's\n% b's\nred(b).\n"));
    assert_eq!((tuples(&loaded, "red", 1).len(), modes(&loaded)), (2, vec!["red(+thing)".to_owned()]));
}

#[test]
fn facts_that_are_commented_out_are_none() {
    let loaded = load(&will(RED, "red(a).\n//red(b).\n  //red(c).\nred(d).\n"));
    assert_eq!(tuples(&loaded, "red", 1), ["a", "d"]);
}

#[test]
fn a_comment_may_be_glued_to_the_full_stop() {
    let text = format!("{ALEPH_RED}:- set(i,3).% rounds\nred(a).% red\nred(b).%red(c).\n");
    let loaded = load(&aleph(&text));
    assert_eq!(tuples(&loaded, "red", 1), ["a", "b"]);
    let settings: Vec<_> = loaded.problem.settings().iter().map(|set| (&*set.name, &*set.value)).collect();
    assert_eq!(settings, [("i", "3")]);
}

#[test]
fn a_line_may_hold_several_clauses() {
    let text = format!("{ALEPH_RED}red(a).  red(b). red(c).\n");
    assert_eq!(tuples(&load(&aleph(&text)), "red", 1), ["a", "b", "c"]);
}

#[test]
fn a_semicolon_ends_a_clause_of_will() {
    let files = [
        ("a_bk.txt", "mode: f(+thing).\nmode: near(+thing, -thing).\n"),
        ("a_facts.txt", "near(1, 1);\nnear(1, 2); near(2, 1);  \n near('a;b', 2) ;\n"),
        ("a_pos.txt", "f(1);\n"),
        ("a_neg.txt", "f(2);\n"),
    ];
    let loaded = load(&files);
    assert_eq!(tuples(&loaded, "near", 2), ["'a;b',2", "1,1", "1,2", "2,1"]);
    assert_eq!(
        (examples(&loaded, true), examples(&loaded, false)),
        (vec!["f(1)".into()], vec!["f(2)".into()])
    );
}

/// Progol's and Golem's declarations, given to examples of Progol's.
fn progol(declarations: &str) -> Loaded {
    let other = tempfile::tempdir().expect("a temporary folder can be made");
    write(other.path(), &[("mode.pl", declarations)]);
    let request = LoadRequest { modes: Some(other.path().join("mode.pl")), ..LoadRequest::default() };
    load_as(&[("s1.pl", "f(a).\n:- f(b).\n"), ("s2.pl", "f(c).\n:- f(d).\n")], request)
}

#[test]
fn a_question_mark_ends_a_clause_of_progol() {
    let loaded = progol(":- modeh(1,f(+thing))?\n:- modeb(1,size(+thing,-number))?\nsize(a,3). size(b,4).\n");
    assert_eq!((modes(&loaded), tuples(&loaded, "size", 2).len()), (vec!["size(+thing,-number)".into()], 2));
    assert_eq!(loaded.problem.format(), Format::Progol.name());
}

#[test]
fn an_exclamation_mark_opens_a_directive_of_golem() {
    let loaded = progol("!- mode(f(+)).\n!- mode(size(+,-)).\nsize(a,3).\n");
    assert_eq!(modes(&loaded), ["size(+any,-any)"]);
}

#[test]
fn a_statement_of_will_may_have_no_end() {
    let loaded = load(&will("okIfUnknown: red/1\nmode: f(+thing)\nmode: red(+thing)\n", "red(a).\n"));
    assert_eq!((modes(&loaded), warned(&loaded)), (vec!["red(+thing)".into()], vec![]));
}

#[test]
fn an_import_may_end_its_file_without_a_line_feed() {
    let mut files = will("import: \"more/modes.txt\"", "red(a).\n").to_vec();
    files.push(("more/modes.txt", RED));
    let loaded = load(&files);
    assert_eq!((modes(&loaded), warned(&loaded)), (vec!["red(+thing)".into()], vec![]));
}

fn inspecting(target: &str) -> LoadRequest {
    let target = Some(TargetName { name: target.to_owned(), arity: None });
    LoadRequest { purpose: LoadPurpose::Inspect, target, ..LoadRequest::default() }
}

#[test]
fn databases_have_neither_full_stops_nor_variables() {
    let files = [("t.db", "Kind(B7,Fan)\nKind(B8,Club)\nFollows(B7,B8)\n")];
    let loaded = load_as(&files, inspecting("Kind"));
    assert_eq!(examples(&loaded, true), ["'Kind'('B7','Fan')", "'Kind'('B8','Club')"]);
    assert_eq!(tuples(&loaded, "Follows", 2), ["'B7','B8'"]);
}

#[test]
fn a_space_before_a_comma_is_none_of_the_constant() {
    let loaded = load_as(&[("t.db", "Wrote(Ann1 , Book2)\nGood(Ann1)\n")], inspecting("Good"));
    assert_eq!(tuples(&loaded, "Wrote", 2), ["'Ann1','Book2'"]);
    let loaded = load(&will("mode: f(+t).\nmode: near(+t,-t).\n", "near(a , b).\nnear( b,c ).\n"));
    assert_eq!(tuples(&loaded, "near", 2), ["a,b", "b,c"]);
}

#[test]
fn weighted_clauses_are_another_systems_model() {
    let mln =
        "*wrote(person,book)\ngood(person)\n0  good(a1) v !wrote(a1,a2) v *wrote(a2,+a1)\n-1.5  !good(a1)\n";
    let files = [("p.mln", mln), ("e.db", "wrote(Ann,B1)\ngood(Ann)\n"), ("query.db", "good(x)")];
    let loaded = load_as(&files, inspecting("good"));
    assert_eq!(
        (examples(&loaded, true), tuples(&loaded, "wrote", 2)),
        (vec!["good('Ann')".into()], vec!["'Ann','B1'".into()])
    );
    let ignored = loaded.warnings.iter().find(|warning| warning.code() == codes::IGNORED_DIRECTIVE);
    let message = ignored.map(Diagnostic::message).unwrap_or_default();
    assert_eq!(message, "2 formulas of another system's model have no meaning here");
}

#[test]
fn capitals_may_begin_a_predicate_and_quotes_hold_any_letters() {
    let files = [
        ("a_bk.txt", "mode: Wrote(+name).\nmode: Topic(+name,-topic).\n"),
        (
            "a_facts.txt",
            "Topic(\"Zoë_K\",\"Gauß–Markov_process\").\nTopic(\"Bo\",\"Gauß–Markov_process\").\n",
        ),
        ("a_pos.txt", "Wrote(\"Zoë_K\").\n"),
        ("a_neg.txt", "Wrote(\"Bo\").\n"),
    ];
    let loaded = load(&files);
    let process = "\"Gauß–Markov_process\"";
    assert_eq!(tuples(&loaded, "Topic", 2), [format!("\"Bo\",{process}"), format!("\"Zoë_K\",{process}")]);
    assert_eq!((examples(&loaded, true), warned(&loaded)), (vec!["'Wrote'(\"Zoë_K\")".into()], vec![]));
}

#[test]
fn an_example_in_capitals_is_of_the_mode_without() {
    let files = [
        ("a_bk.txt", "mode: q(+number).\nmode: low(+number).\n"),
        ("a_facts.txt", "low(1);\nlow(3);\n"),
        ("a_pos.txt", "Q(1);\n"),
        ("a_neg.txt", "Q(3);\n"),
    ];
    let loaded = load(&files);
    assert_eq!(
        (loaded.problem.target().to_string(), modes(&loaded)),
        ("Q/1".into(), vec!["low(+number)".into()])
    );
}

#[test]
fn quoted_atoms_hold_commas_colons_and_numbers() {
    let facts = "grade(a, '13, 30').\nmonths(a, '19.77'). note(a, 'mode: x').\nmonths(b, 19.77).\n";
    let modes = "mode: f(+t).\nmode: grade(+t,#g).\nmode: months(+t,#m).\nmode: note(+t,#n).\n";
    let loaded = load(&will(modes, facts));
    assert_eq!(
        (tuples(&loaded, "grade", 2), tuples(&loaded, "note", 2)),
        (vec!["a,'13, 30'".into()], vec!["a,'mode: x'".into()])
    );
    assert_eq!(tuples(&loaded, "months", 2), ["a,'19.77'", "b,19.77"]);
    assert_eq!(warned(&loaded), [codes::MIXED_ARGUMENT], "a quoted number is none");
}

#[test]
fn headless_clauses_are_negatives() {
    let loaded = progol(":- modeh(1,f(+thing))?\n:- modeb(1,red(+thing))?\nred(a).\n");
    assert_eq!(examples(&loaded, true), ["f(a)", "f(c)"]);
    assert_eq!(examples(&loaded, false), ["f(b)", "f(d)"]);
}

#[test]
fn examples_may_be_wrapped() {
    let loaded = load(&popper("red(a).\n", "head_pred(f,1).\nbody_pred(red,1).\n"));
    assert_eq!(
        (examples(&loaded, true), examples(&loaded, false)),
        (vec!["f(a)".into()], vec!["f(b)".into()])
    );
    let text = "output(near/2).\ninput(red/1).\nmodeh(*,near(+t,+t)).\nmodeb(*,red(+t)).\n\
        near(m1,a,b).\nneg(near(m1,b,a)).\nred(m1,a).\n";
    let loaded = load(&[("models.pl", text)]);
    assert_eq!(examples(&loaded, false), ["near(m1,b,a)"]);
}

/// The file of negatives is empty, as it is where the comment stands.
#[test]
fn a_comment_tells_that_the_rest_is_false() {
    let mut files = will(RED, "red(a).\nred(b).\n");
    files[2].1 = "// true:\nf(a).\n//the rest should be false\nf(b).\nf(c).\n";
    files[3].1 = "";
    let loaded = load(&files);
    assert_eq!(
        (examples(&loaded, true), examples(&loaded, false)),
        (vec!["f(a)".into()], vec!["f(b)".into(), "f(c)".into()])
    );
    assert_eq!(warned(&loaded)[0], codes::CLASSES_BY_COMMENT);
}

#[test]
fn an_empty_file_of_examples_is_no_examples() {
    let mut files = will(RED, "red(a).\n");
    files[3].1 = "";
    let loaded = load_as(&files, LoadRequest { purpose: LoadPurpose::Inspect, ..LoadRequest::default() });
    assert_eq!((examples(&loaded, false).len(), warned(&loaded)), (0, vec![codes::NO_EXAMPLES]));
}

#[test]
fn modes_may_have_no_keyword() {
    let mut files =
        will("f(+thing).\nnear(+thing,-thing).\nsize(+thing,#number).\n", "near(a,b).\nsize(a,3).\n");
    files[0].0 = "background.txt";
    assert_eq!(modes(&load(&files)), ["near(+thing,-thing)", "size(+thing,#number)"]);
}

#[test]
fn modes_may_have_options() {
    let modes_text = "mode: f(+thing).\nmode: size(+thing, #number)        maxPerInputVars=1.\nmode: red(+thing), target=f/1.\n";
    let loaded = load(&will(modes_text, "size(a,3).\nred(a).\n"));
    assert_eq!(modes(&loaded), ["red(+thing)", "size(+thing,#number)"]);
}

#[test]
fn modes_have_marks_beyond_plus_minus_and_hash() {
    let modes_text = "mode: f(+thing).\nmode: near(+thing, `thing).\nmode: size(+Thing!1, -number!2).\n";
    let loaded = load(&will(modes_text, "near(a,b).\nsize(a,3).\n"));
    let found = modes(&loaded);
    assert_eq!(found[0], "near(+thing,-thing)");
    assert!(found[1].starts_with("size(+") && found[1].ends_with(",-number)"), "{found:?}");
}

#[test]
fn modes_may_hold_operators() {
    let text = format!(
        "{ALEPH_RED}:- modeb(1,size(+thing,-number)).\n:- modeb(1,(+number)=(#number)).\n\
         :- mode(1,((+list) = ([-any|-list]))).\nred(a).\nsize(a,3).\n"
    );
    let loaded = load(&aleph(&text));
    assert_eq!(modes(&loaded), ["+number=#number", "red(+thing)", "size(+thing,-number)"]);
    assert_eq!(warned(&loaded), [codes::BAD_DECLARATION], "of lists nothing is known");
}

#[test]
fn determinations_may_quote_and_bracket() {
    let text = format!(
        "{ALEPH_RED}:- modeb(1,(+thing)=(#thing)).\n:- modeb(1,not(red(+thing))).\n:- determination(f/1,red/1).\n\
         :- determination(f/1,'='/2).\n:- determination(f/1,(not)/1).\nred(a).\nred(c).\n"
    );
    let loaded = load(&aleph(&text));
    assert!(modes(&loaded).contains(&"+thing=#thing".to_owned()), "{:?}", modes(&loaded));
    assert!(!warned(&loaded).contains(&codes::BAD_DECLARATION), "{:?}", warned(&loaded));
}

#[test]
fn determinations_may_name_what_does_not_exist() {
    let text = format!("{ALEPH_RED}:- determination(f/1,red/1).\n:- determination(f/1,rde/1).\nred(a).\n");
    let loaded = load(&aleph(&text));
    assert_eq!((modes(&loaded), warned(&loaded)), (vec!["red(+thing)".into()], vec![codes::EMPTY_PREDICATE]));
    let text =
        format!("{ALEPH_RED}:- determination(f/1,red/1).\n:- determination(g/2,mometric/1).\nred(a).\n");
    assert_eq!(warned(&load(&aleph(&text))), [], "what is of another target is not asked for");
}

#[test]
fn a_tuple_may_end_with_a_comma() {
    let bias =
        "head_pred(f,1).\nbody_pred(red,1).\ntype(f,(thing,)).\ntype(red,(thing,)).\ndirection(red,(in,)).\n";
    let loaded = load(&popper("red(a).\n", bias));
    assert_eq!((modes(&loaded), warned(&loaded)), (vec!["red(+thing)".into()], vec![]));
}

#[test]
fn constraints_of_answer_sets_are_left_out_with_a_warning() {
    let bias = "head_pred(f,1).\nbody_pred(red,1).\n:- clause(C), #count{V : var_type(C,V,thing)} != 1.\n";
    let loaded = load(&popper("red(a).\n", bias));
    assert_eq!((modes(&loaded), warned(&loaded)), (vec!["red(+any)".into()], vec![codes::IGNORED_DIRECTIVE]));
}

#[test]
fn a_bias_may_have_rules_with_variables_for_names() {
    let bias = "head_pred(f,1).\nbody_pred(P,1):-word(P,_).\nword(red,thing).\nword(blue,thing).\n";
    let loaded = load(&popper("red(a).\nblue(b).\n", bias));
    assert_eq!((modes(&loaded), warned(&loaded)), (vec!["blue(+any)".into(), "red(+any)".into()], vec![]));
}

#[test]
fn finite_domains_are_outside_the_language() {
    let background = "red(a).\nstep(X1,X2):- Size = 6, X1 #< Size, X2 #= X1 + 1.\n";
    let loaded = load(&popper(background, "head_pred(f,1).\nbody_pred(red,1).\nbody_pred(step,2).\n"));
    assert_eq!(modes(&loaded), ["red(+any)"]);
    assert_eq!(warned(&loaded), [codes::UNSUPPORTED, codes::LEFT_OUT]);
}

#[test]
fn a_malformed_declaration_gets_a_warning() {
    let bias = "head_pred(f,1).\nbody_pred(size,2).\ntype(f,(thing,)).\ntype(size,(thing),(number)).\n";
    let loaded = load(&popper("size(a,3).\nsize(b,4).\n", bias));
    assert_eq!(warned(&loaded), [codes::BAD_DECLARATION]);
}

#[test]
fn conditions_and_modules_are_passed_over() {
    let text = format!(
        ":- use_module(library(lists)).\n:- if(current_predicate(use_rendering/1)).\n:- use_rendering(prolog).\n\
         :- endif.\n:- dynamic(red/1).\n{ALEPH_RED}red(a).\n"
    );
    let loaded = load(&aleph(&text));
    assert_eq!((modes(&loaded), warned(&loaded)), (vec!["red(+thing)".into()], vec![]));
}

#[test]
fn arguments_may_be_lists_terms_and_numbers_of_any_writing() {
    let text = ":- modeh(1, f(+t)).\n:- modeb(1, rings(+t, #l)).\n:- modeb(1, charge(+t, -q)).\n:- modeb(1, +q >= #q).\n\
        rings(a,[[a_6,a_7],[a_8],[]]).\nrings(b,pair(x,[1])).\ncharge(a,-0.117).\ncharge(b, 3).\ncharge(c,-2).\n";
    let loaded = load(&aleph(text));
    assert_eq!(tuples(&loaded, "rings", 2), ["a,[[a_6, a_7], [a_8], []]", "b,pair(x, [1])"]);
    assert_eq!(tuples(&loaded, "charge", 2), ["a,-0.117", "b,3", "c,-2"]);
    assert_eq!((modes(&loaded).len(), warned(&loaded)), (3, vec![]));
}

#[test]
fn facts_with_variables_are_left_out_with_a_warning() {
    let text = format!(
        "{ALEPH_RED}red(a).\n:- modeb(1,father(-thing,+thing)).\nfather(dad(X),X):- red(X).\nfather(adam,X).\n"
    );
    let loaded = load(&aleph(&text));
    assert_eq!(modes(&loaded), ["red(+thing)"]);
    let found = warned(&loaded);
    assert!(found.contains(&codes::UNSUPPORTED) && found.contains(&codes::LEFT_OUT), "{found:?}");
}

#[test]
fn one_name_may_have_two_arities() {
    let text = format!(
        "{ALEPH_RED}:- modeb(1,shape(+thing,#form)).\n:- modeb(1,shape(+thing)).\nred(a).\nshape(a,oval).\nshape(b,oval).\nshape(a).\n"
    );
    let loaded = load(&aleph(&text));
    assert_eq!((tuples(&loaded, "shape", 1).len(), tuples(&loaded, "shape", 2).len()), (1, 2));
    assert_eq!(modes(&loaded), ["red(+thing)", "shape(+thing)", "shape(+thing,#form)"]);
    assert_eq!(warned(&loaded), [codes::SEVERAL_ARITIES]);
}

#[test]
fn an_exponent_needs_no_fraction() {
    let text = ":- modeh(1, f(+t)).\n:- modeb(1, far(+t, -n)).\n:- modeb(1, +n >= #n).\nfar(a,1e10).\nfar(b,2E-3).\n";
    let loaded = load(&aleph(text));
    assert_eq!(
        loaded.problem.symbols().find_predicate("far", 2).map(|_| tuples(&loaded, "far", 2).len()),
        Some(2)
    );
    assert_eq!(warned(&loaded), [], "both are numbers");
}

#[test]
fn weights_before_rules_and_cuts_for_bodies_get_warnings() {
    let loaded = load(&will(RED, "red(a).\n4.0 pink(A) :- !.\n2.5 red(A) :- pink(A).\nred(c)."));
    assert_eq!(tuples(&loaded, "red", 1), ["a", "c"]);
    assert_eq!((modes(&loaded), warned(&loaded)), (vec!["red(+thing)".into()], vec![codes::UNSUPPORTED]));
    let text = format!("{ALEPH_RED}:- modeb(1,pink(+thing)).\nred(a).\npink(A) :- !.\n");
    let loaded = load(&aleph(&text));
    assert_eq!(warned(&loaded), [codes::UNSUPPORTED, codes::LEFT_OUT]);
}

#[test]
fn rules_that_collect_sets_are_left_out_with_a_warning() {
    let modes_text = "mode: f(+t).\nmode: red(+t).\nmode: busy(+t, #n).\nprecompute1:\n\
        busy(P, N) :- all([C, Q], taught(C, P, Q), L), N is length(L).\n";
    let loaded = load(&will(modes_text, "red(a).\ntaught(c1, a, q1).\n"));
    assert_eq!(modes(&loaded), ["red(+t)"]);
    let found = warned(&loaded);
    assert!(found.contains(&codes::UNSUPPORTED) && found.contains(&codes::LEFT_OUT), "{found:?}");
}

#[test]
fn other_statements_of_will_are_passed_over() {
    let modes_text = "setParam: depth = 4.\nimportLibrary: lists.\nmode: f(+thing).\nmode: red(+thing).\n\
        range: size = {1, 3}.\nisa: dog isa thing;\nbridger: red/1.\nokIfUnknown: red/1\nrelevant: red/1, RELEVANT.\n\
        inline: pink/1.\nthreshold: size(+thing, -n), arg=2.\nprecompute1:\npink(X) :- red(X).\nmode: pink(+thing).\n";
    let loaded = load(&will(modes_text, "red(a).\n"));
    assert_eq!(
        (modes(&loaded), warned(&loaded)),
        (vec!["pink(+thing)".into(), "red(+thing)".into()], vec![])
    );
    assert_eq!(tuples(&loaded, "pink", 1), ["a"]);
}

#[test]
fn lines_may_end_in_two_ways_in_one_file() {
    let facts = "red(a). // one\r\nred(b).\n//red(c).\r\nred(d);\r\n";
    let loaded = load(&will("setParam: x = 1.\r\nmode: f(+thing).\r\nmode: red(+thing).\n", facts));
    assert_eq!(
        (tuples(&loaded, "red", 1), modes(&loaded)),
        (vec!["a".into(), "b".into(), "d".into()], vec!["red(+thing)".into()])
    );
    let db = load_as(&[("t.db", "Near(A,B)\r\nGood(A)\nGood(B)\r\n")], inspecting("Good"));
    assert_eq!(
        (examples(&db, true), tuples(&db, "Near", 2)),
        (vec!["'Good'('A')".into(), "'Good'('B')".into()], vec!["'A','B'".into()])
    );
}

/// cplint's one file of models: two settings, a target without arguments, comparisons by determination.
const MODELS: &str = "\
:- set_sc(megaex_bottom,4).
:- set_sc(neg_ex,given).
output(active/0).
modeh(1,active).
modeb(*,atm(-atom,-charge)).
modeb(*,(+charge)>=(#charge)).
determination(active/0,atm/2).
determination(active/0,'>='/2).
active(m1).
neg(active(m2)).
atm(m1,a1,0.5).
atm(m2,a2,0.1).
";

#[test]
fn a_head_of_cplint_may_have_no_arguments() {
    let loaded = load(&[("models.pl", MODELS)]);
    assert_eq!(loaded.problem.target().to_string(), "active/1");
    assert_eq!(modes(&loaded), ["+charge>=#charge", "atm(+model,-atom,-charge)"]);
    assert_eq!(
        (examples(&loaded, true), examples(&loaded, false)),
        (vec!["active(m1)".into()], vec!["active(m2)".into()])
    );
    // Of the declarations none is a fact of a model named 1.
    let facts: Vec<_> = loaded.problem.profile().iter().map(|of| (&*of.predicate, of.n_facts)).collect();
    assert_eq!((facts, warned(&loaded)), (vec![("atm/3", 2)], vec![]));
}

#[test]
fn one_message_lists_the_settings_of_another_system() {
    let loaded = load(&[("models.pl", MODELS)]);
    let (_, warnings) = gleaner::experiment::resolve_settings(loaded.problem.settings(), &Default::default())
        .expect("what another system sets is no fault");
    let warnings: Vec<_> = warnings.iter().map(|warning| (warning.code(), warning.message())).collect();
    let message = "2 settings of another system are ignored: megaex_bottom, neg_ex";
    assert_eq!(warnings, [(codes::UNUSED_SETTING, message)]);
}

/// Aleph's words for searches mean ours, which may stand there too.
#[test]
fn searches_of_aleph_are_taken() {
    let searches = [
        ("bf", "breadth-first"),
        ("df", "depth-first"),
        ("heuristic", "best-first"),
        ("ibs", "iterated-beam"),
        ("id", "iterative-deepening"),
        ("scs", "scs"),
        ("walksat", "walksat"),
    ];
    for (theirs, ours) in searches {
        let background = format!("{ALEPH_RED}:- set(search, {theirs}).\nred(a).\n");
        let loaded = load(&aleph(&background));
        let (settings, warnings) =
            gleaner::experiment::resolve_settings(loaded.problem.settings(), &Default::default())
                .expect("a search");
        let search = settings.value("search").map(|search| search.to_string());
        assert_eq!((search.as_deref(), warnings.len()), (Some(ours), 0), "{theirs}");
    }
}

/// Loads files with modes of another file.
fn load_with_modes(files: Files<'_>, modes: &str) -> Loaded {
    let other = tempfile::tempdir().expect("a temporary folder can be made");
    write(other.path(), &[("modes.pl", modes)]);
    let request = LoadRequest { modes: Some(other.path().join("modes.pl")), ..LoadRequest::default() };
    load_as(files, request)
}

#[test]
fn given_modes_replace_those_of_the_file() {
    let given = ":- modeh(1, active(+model)).\n:- modeb(*, atm(+model, -atom, #charge)).\n";
    let loaded = load_with_modes(&[("models.pl", MODELS)], given);
    assert_eq!((modes(&loaded), warned(&loaded)), (vec!["atm(+model,-atom,#charge)".into()], vec![]));
    // As the file writes them they get the model there, too.
    let loaded =
        load_with_modes(&[("models.pl", MODELS)], "modeh(1,active).\nmodeb(*,atm(-atom,#charge)).\n");
    assert_eq!((modes(&loaded), warned(&loaded)), (vec!["atm(+model,-atom,#charge)".into()], vec![]));
    let background = format!("{ALEPH_RED}:- determination(f/1, red/1).\nred(a).\nblue(a).\n");
    let given = ":- modeh(1, f(+thing)).\n:- modeb(1, blue(+thing)).\n";
    let loaded = load_with_modes(&aleph(&background), given);
    // The facts of red are out of reach now.
    assert_eq!(
        (modes(&loaded), warned(&loaded)),
        (vec!["blue(+thing)".into()], vec![codes::UNREACHED_FACTS])
    );
}

#[test]
fn constants_of_will_may_begin_with_a_digit() {
    let facts = "near(162_s43,5_cyclic).\nnear(a , 7). near(1e2,'8_x').\n";
    let mut files = will("mode: f(+t).\nmode: near(+t,-t).\n", facts);
    files[2].1 = "f(162_s43).\n";
    let loaded = load(&files);
    assert_eq!(tuples(&loaded, "near", 2), ["'162_s43','5_cyclic'", "100.0,'8_x'", "a,7"]);
    assert_eq!(examples(&loaded, true), ["f('162_s43')"]);
}

#[test]
fn constants_of_will_may_begin_with_an_underscore_in_facts() {
    let facts = "red(a).\nred(_b).\nred(_c_1).\n";
    let mut files =
        will("mode: f(+t).\nmode: red(+t).\nmode: pink(+t).\nprecompute1:\npink(_x) :- red(_x).\n", facts);
    files[3].1 = "f(_b).\n";
    let loaded = load(&files);
    assert_eq!(tuples(&loaded, "red", 1), ["'_b'", "'_c_1'", "a"]);
    assert_eq!(tuples(&loaded, "pink", 1), tuples(&loaded, "red", 1));
    assert_eq!((examples(&loaded, false), warned(&loaded)), (vec!["f('_b')".into()], vec![]));
}

#[test]
fn variables_of_will_may_begin_with_question_marks() {
    let modes_text = "useLeadingQuestionMarkVariables: true.\nmode: f(+Thing).\nmode: Red(+Thing).\nmode: pink(+Thing).\n\
        precompute1:\npink(?x) :- Red(?x).\n";
    let mut files = will(modes_text, "Red(Ann).\nRed(bob).\n");
    files[2].1 = "f(Ann).\n";
    let loaded = load(&files);
    assert_eq!(tuples(&loaded, "Red", 1), ["'Ann'", "bob"]);
    assert_eq!(tuples(&loaded, "pink", 1), ["'Ann'", "bob"]);
    assert_eq!(
        (examples(&loaded, true), modes(&loaded)),
        (vec!["f('Ann')".into()], vec!["Red(+Thing)".into(), "pink(+Thing)".into()])
    );
}

/// Quotes that the reader adds move no place.
#[test]
fn places_in_files_of_will_are_those_of_the_file() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    write(folder.path(), &will(RED, "red(1_a). red(2_b).\nred(3_c). red(c d).\n"));
    let request = LoadRequest { path: folder.path().to_owned(), ..LoadRequest::default() };
    let mut sources = Sources::new();
    let Err(faults) = gleaner::experiment::load(&request, &mut sources) else { panic!("it loads") };
    let text = render(&faults, &sources, false);
    assert!(text.contains("a_facts.txt:2:17"), "{text}");
}

/// One more line takes no other with it: of `near` are the two written ones and one for each thing.
#[test]
fn a_fact_with_variables_is_true_of_all_constants_of_its_argument() {
    let text = ":- modeh(1, f(+thing)).\n:- modeb(1, near(+thing, #place)).\nnear(a, rome).\nnear(c, oslo).\nnear(Ann, rome).\n";
    let loaded = load(&aleph(text));
    // The example b is a thing by its mode.
    assert_eq!(tuples(&loaded, "near", 2), ["a,rome", "b,rome", "c,oslo", "c,rome"]);
    assert_eq!(warned(&loaded), [codes::FACT_WITH_VARIABLES]);
    let warning = &loaded.warnings[0];
    assert_eq!(warning.message(), "near(Ann, rome) stands for 3 facts: Ann is a variable");
    // Without modes the constants that columns share tell it.
    let loaded = load_as(
        &[
            ("bk.pl", "near(a,b).\nnear(b,a).\nred(a).\nred(b).\nred(X).\nbig(X,X) .\nbig(a,a).\n"),
            ("exs.pl", "pos(f(a)).\nneg(f(b)).\n"),
        ],
        inspecting("f"),
    );
    assert_eq!(tuples(&loaded, "red", 1), ["a", "b"]);
    assert_eq!(tuples(&loaded, "big", 2), ["a,a", "b,b"]);
}

#[test]
fn a_fact_with_variables_and_without_constants_is_left_out_alone() {
    let ten: String = (0..10).map(|n| format!("red(c{n}). ")).collect();
    let text = format!(
        "{ALEPH_RED}{ten}:- modeb(1,wide(+thing,+thing,+thing,+thing,+thing,+thing,+thing)).\n\
         wide(a,a,a,a,a,a,a).\nwide(A,B,C,D,E,F,G).\n:- modeb(1,far(+thing,-unit)).\nfar(a,m).\nfar(far(X),m).\n\
         lost(X).\n"
    );
    let loaded = load(&aleph(&text));
    assert_eq!(
        (tuples(&loaded, "wide", 7), tuples(&loaded, "far", 2)),
        (vec!["a,a,a,a,a,a,a".into()], vec!["a,m".into()])
    );
    let warnings: Vec<&str> = loaded.warnings.iter().map(Diagnostic::message).collect();
    // Ten, and a and b of the examples: 12^7.
    assert!(
        warnings.contains(&"wide(A, B, C, D, E, F, G) is left out: it would stand for 35831808 facts"),
        "{warnings:?}"
    );
    assert!(
        warnings.contains(&"lost(X) is left out: no constants are known for its variables"),
        "{warnings:?}"
    );
    assert!(
        warnings.contains(
            &"a compound term or list with variables in the fact far(far(X), m) is outside the language"
        ),
        "{warnings:?}"
    );
    assert!(!warned(&loaded).contains(&codes::LEFT_OUT));
}

#[test]
fn a_fact_with_variables_is_true_in_each_world_of_its_constants() {
    let files = [
        ("modes.pl", ":- modeh(1, f(+t)).\n:- modeb(*, near(+t, -t)).\n"),
        ("background.pl", "near(X, hub).\n"),
        ("fold1/background.pl", "near(a, b).\n"),
        ("fold1/pos.pl", "f(a).\n"),
        ("fold1/neg.pl", "f(b).\n"),
        ("fold2/background.pl", "near(c, d).\n"),
        ("fold2/pos.pl", "f(c).\n"),
        ("fold2/neg.pl", "f(e).\n"),
    ];
    let loaded = load(&files);
    let id = loaded.problem.symbols().find_predicate("near", 2).expect("near has facts");
    let n_rows: Vec<usize> =
        loaded.problem.worlds().iter().map(|world| world.relation(id).n_rows()).collect();
    // Of the first fold a, b, of the second c, d and the example e, to the hub; the hub is written with it alone.
    assert_eq!(n_rows, [3, 4, 0]);
}

/// A program of Aleph's with its examples apart, under the own layout's names.
const CUTS: &str = ":- modeh(1, f(+thing)).\n:- modeb(1, red(+thing)).\n:- modeb(1, pale(+thing)).\n\
    red(a).\nred(c).\npale(X) :- red(X), !, X == a.\n";

#[test]
fn examples_of_the_own_names_may_lie_beside_a_program_with_modes_and_cuts() {
    let examples_text = [("pos.pl", "f(a).\n"), ("neg.pl", "f(b).\nf(c).\n")];
    for name in ["background.pl", "theory.pl"] {
        let loaded = load(&[(name, CUTS), examples_text[0], examples_text[1]]);
        assert_eq!(
            (loaded.problem.format(), modes(&loaded)),
            (Format::Aleph.name(), vec!["red(+thing)".into()])
        );
        assert_eq!((examples(&loaded, true).len(), examples(&loaded, false).len()), (1, 2));
        assert_eq!(
            (tuples(&loaded, "red", 1), warned(&loaded)),
            (vec!["a".into(), "c".into()], vec![codes::UNSUPPORTED, codes::LEFT_OUT])
        );
    }
    // Without cuts it is ours, and headless clauses are Progol's.
    let own = CUTS.replace(", !", "");
    let loaded = load(&[("background.pl", &own), examples_text[0], examples_text[1]]);
    assert_eq!(loaded.problem.format(), Format::Own.name());
    let loaded = load(&[("theory.pl", CUTS), examples_text[0], ("neg.pl", ":- f(b).\n:- f(c).\n")]);
    assert_eq!((loaded.problem.format(), examples(&loaded, false).len()), (Format::Aleph.name(), 2));
}

#[test]
fn given_background_stands_for_a_missing_file_of_it() {
    let other = tempfile::tempdir().expect("a temporary folder can be made");
    write(other.path(), &[("facts.pl", &format!("{ALEPH_RED}red(a).\n"))]);
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    write(folder.path(), &[("a.f", "f(a).\n"), ("a.n", "f(b).\n")]);
    let request = LoadRequest {
        path: folder.path().join("a.f"),
        background: vec![other.path().join("facts.pl")],
        ..LoadRequest::default()
    };
    let loaded = gleaner::experiment::load(&request, &mut Sources::new()).expect("nothing is missing");
    assert_eq!((modes(&loaded), tuples(&loaded, "red", 1)), (vec!["red(+thing)".into()], vec!["a".into()]));
    let Err(faults) =
        gleaner::experiment::load(&LoadRequest { background: Vec::new(), ..request }, &mut Sources::new())
    else {
        panic!("the background is missing")
    };
    assert_eq!(faults[0].code(), codes::MISSING_FILE);
}

#[test]
fn a_file_beside_the_same_compressed_gets_a_warning() {
    let background = format!("{ALEPH_RED}red(a).\n");
    let mut files = aleph(&background).to_vec();
    files.push(("a.b.gz", "no gzip at all"));
    let loaded = load(&files);
    assert!(warned(&loaded).contains(&codes::COMPRESSED_TWIN), "{:?}", warned(&loaded));
    let tables = [
        ("red.csv", "thing\na\n"),
        ("red.csv.gz", "no gzip at all"),
        ("f.csv", "thing,label\na,1\nb,0\n"),
        ("modes.pl", ALEPH_RED),
    ];
    let loaded = load(&tables);
    assert_eq!(
        (tuples(&loaded, "red", 1), warned(&loaded)),
        (vec!["a".into()], vec![codes::COMPRESSED_TWIN])
    );
}

/// The modes of a file of Aleph's with sizes and these clauses of `gteq/2`.
fn with_gteq(mode: &str, clauses: &str) -> Loaded {
    load(&aleph(&format!(
        ":- modeh(1, f(+thing)).\n:- modeb(1, size(+thing, -number)).\n{mode}\n\
         :- determination(f/1, size/2).\n:- determination(f/1, gteq/2).\n{clauses}\nsize(a, 3).\nsize(b, 1.5).\n\
         :- modeb(1, big(+thing)).\n:- determination(f/1, big/1).\nbig(X) :- size(X, Y), gteq(Y, 2).\n"
    )))
}

#[test]
fn predicates_that_only_compare_numbers_are_comparisons() {
    let clauses = [
        "gteq(X,Y) :- not(var(X)), not(var(Y)), !, X >= Y.\ngteq(X,X) :- not(var(X)).",
        "gteq(X,Y) :- number(X), var(Y), !, Y is X.\ngteq(X,Y) :- number(X), number(Y), X >= Y.",
        "gteq(X,Y) :- not(var(X)), not(var(Y)), float(X), float(Y), X >= Y, !.\ngteq(X,X) :- not(var(X)), float(X).",
        "gteq(X,Y) :- Y =< X.",
    ];
    for clauses in clauses {
        for mode in [":- modeb(1, gteq(+number, #number)).", ":- modeb(1, gteq(+number, #real))."] {
            let loaded = with_gteq(mode, clauses);
            assert_eq!(
                modes(&loaded),
                ["+number>=#number", "big(+thing)", "size(+thing,-number)"],
                "{clauses}"
            );
            assert_eq!(
                (tuples(&loaded, "big", 1), warned(&loaded)),
                (vec!["a".into()], vec![codes::READ_AS_COMPARISON])
            );
        }
    }
    let loaded = with_gteq(":- modeb(1, gteq(+number, #number)).", clauses[0]);
    assert_eq!(loaded.warnings[0].message(), "gteq/2 is read as the comparison >=");
}

#[test]
fn predicates_that_do_more_than_compare_are_none() {
    let more = "gteq(X,Y) :- not(var(X)), !, X >= Y.\ngteq(X,Y) :- size(Y,X).";
    let loaded = with_gteq(":- modeb(1, gteq(+number, #number)).", more);
    assert_eq!(modes(&loaded), ["size(+thing,-number)"]);
    assert!(
        warned(&loaded).contains(&codes::LEFT_OUT) && !warned(&loaded).contains(&codes::READ_AS_COMPARISON)
    );
}

#[test]
fn tests_of_what_a_term_is_are_built_in() {
    let tests = ["number", "integer", "float", "atom", "atomic", "var", "nonvar", "ground"];
    let rules: String = tests.iter().map(|test| format!("is_{test}(X) :- red(X), {test}(X).\n")).collect();
    let text = format!(
        "{ALEPH_RED}:- modeb(1, integer(+thing)).\nred(a). red(3). red(1.5). red('A b'). red(\"s\"). red(p(q)).\n{rules}\
         plain(X) :- red(X), \\+ number(X).\n"
    );
    let loaded = load(&aleph(&text));
    let of = |name: &str| tuples(&loaded, name, 1);
    assert_eq!(
        (of("is_number"), of("is_integer"), of("is_float")),
        (vec!["1.5".to_owned(), "3".to_owned()], vec!["3".to_owned()], vec!["1.5".to_owned()])
    );
    assert_eq!(of("is_atom"), ["'A b'", "a"]);
    assert_eq!(of("is_atomic"), ["\"s\"", "'A b'", "1.5", "3", "a"]);
    assert_eq!((of("is_var").len(), of("is_nonvar").len(), of("is_ground").len()), (0, 6, 6));
    assert_eq!(of("plain"), ["\"s\"", "'A b'", "a", "p(q)"]);
    assert_eq!(modes(&loaded), ["integer(+thing)", "red(+thing)"]);
    assert!(!warned(&loaded).contains(&codes::EMPTY_PREDICATE));
}

const CSV_MODES: (&str, &str) =
    ("modes.pl", ":- modeh(1, f(+thing)).\n:- modeb(1, size(+thing, #number)).\n");

#[test]
fn labels_of_tables_may_be_written_as_pandas_does() {
    for [yes, no] in [["True", "False"], ["1.0", "0.0"], ["TRUE", "FALSE"], ["Pos", "Neg"]] {
        for header in ["label", "Label", "LABEL"] {
            let examples_text = format!("thing,{header}\na,{yes}\nb,{no}\n");
            let loaded =
                load(&[("f.csv", &examples_text), ("size.csv", "thing,number\na,3\nb,4\n"), CSV_MODES]);
            assert_eq!(
                (examples(&loaded, true), examples(&loaded, false)),
                (vec!["f(a)".into()], vec!["f(b)".into()])
            );
            assert_eq!(warned(&loaded), []);
        }
    }
}

#[test]
fn row_numbers_of_pandas_are_no_argument() {
    let load =
        |examples_text: &str, sizes: &str| load(&[("f.csv", examples_text), ("size.csv", sizes), CSV_MODES]);
    for header in ["", "Unnamed: 0"] {
        let examples_text = format!("{header},thing,label\n0,a,1\n1,b,0\n");
        let loaded = load(&examples_text, "thing,number\na,3\nb,4\n");
        assert_eq!(
            (loaded.problem.target().to_string(), warned(&loaded)),
            ("f/1".into(), vec![codes::INDEX_COLUMN])
        );
    }
    // A filter and a sort leave some numbers out, in any order.
    let loaded = load("thing,label\na,1\nb,0\n", ",thing,number\n7,a,3\n3,b,4\n");
    assert_eq!(warned(&loaded), vec![codes::INDEX_COLUMN]);
    assert_eq!(tuples(&loaded, "size", 2), ["a,3", "b,4"]);
    // A header that says no type is not the same: these cells number no rows.
    let loaded = load("thing,label\na,1\nb,0\n", ",number\na,3\nb,4\n");
    assert_eq!((tuples(&loaded, "size", 2), warned(&loaded)), (vec!["a,3".into(), "b,4".into()], vec![]));
}

#[test]
fn empty_cells_get_a_warning() {
    let tables = [
        ("f.csv", "thing,label\na,1\nb,0\n"),
        ("size.csv", "thing,number\na,3\nb,NaN\nc,\nd,4\n"),
        CSV_MODES,
    ];
    let loaded = load(&tables);
    let message = loaded
        .warnings
        .iter()
        .find(|warning| warning.code() == codes::MISSING_CELLS)
        .map(Diagnostic::message);
    assert_eq!(message, Some("2 cells of this column have no value"));
    assert_eq!(tuples(&loaded, "size", 2), ["a,3", "b,'NaN'", "c,''", "d,4"]);
}

#[test]
fn semicolons_and_tabs_may_separate_cells() {
    for separator in [";", "\t"] {
        let table = |text: &str| text.replace('|', separator);
        let (examples_text, sizes) =
            (table("thing|label\na|1\n\"b|c\"|0\n"), table("thing|number\na|3\n\"b|c\"|4\n"));
        let loaded = load(&[("f.csv", &examples_text), ("size.csv", &sizes), CSV_MODES]);
        assert_eq!((examples(&loaded, true), tuples(&loaded, "size", 2).len()), (vec!["f(a)".into()], 2));
    }
}

#[test]
fn entities_of_digits_are_names_in_triples() {
    let text = "01234567\tlike\t12345678\n12345678\tlike\t01234567\n12345678\tof\t1.5\n";
    let loaded = load_as(&[("train.txt", text)], inspecting("like"));
    assert_eq!(examples(&loaded, true), ["like('01234567','12345678')", "like('12345678','01234567')"]);
    assert_eq!(tuples(&loaded, "of", 2), ["'12345678',1.5"]);
    assert!(!warned(&loaded).contains(&codes::MIXED_ARGUMENT), "{:?}", warned(&loaded));
}

/// The same fact in each format that may be given beside data.
#[test]
fn background_may_be_in_any_format() {
    let files = [
        ("red.csv", "thing\na\n"),
        ("more.jsonl", "{\"predicate\":\"red\",\"arguments\":[\"a\"]}\n"),
        ("more.db", "red(a)\n"),
        ("b_facts.txt", "red(a); // WILL\n"),
        ("more.pl", "red(a).\n"),
    ];
    for (name, text) in files {
        let other = tempfile::tempdir().expect("a temporary folder can be made");
        write(other.path(), &[(name, text)]);
        let request = LoadRequest { background: vec![other.path().join(name)], ..LoadRequest::default() };
        let loaded = load_as(&aleph(ALEPH_RED), request);
        assert_eq!((tuples(&loaded, "red", 1), warned(&loaded)), (vec!["a".into()], vec![]), "{name}");
    }
    for (name, text) in [
        ("more.tsv", "a\tnear\tb\n"),
        ("more.txt", "a\tnear\tb\n"),
        ("more.nt", "<http://x.org/a> <http://x.org/near> <http://x.org/b> .\n"),
    ] {
        let other = tempfile::tempdir().expect("a temporary folder can be made");
        write(other.path(), &[(name, text)]);
        let request = LoadRequest { background: vec![other.path().join(name)], ..LoadRequest::default() };
        let modes = ":- modeh(1, f(+thing)).\n:- modeb(1, near(+thing, -thing)).\n";
        let loaded = load_as(&aleph(modes), request);
        assert_eq!(tuples(&loaded, "near", 2), ["a,b"], "{name}");
    }
}
