//! Layouts of other systems, on lines written for what is odd in each.

use std::path::Path;

use gleaner_data::{Division, Format, LoadPurpose, LoadRequest, Loaded};
use gleaner_lang::program::TargetName;
use gleaner_lang::program::mode::{ArgumentMode, ModeSubject};
use gleaner_lang::syntax::{Code, Severity, Sources, codes, render};

fn write(folder: &Path, files: &[(&str, &str)]) {
    for (name, text) in files {
        std::fs::write(folder.join(name), text).expect("the file can be written");
    }
}

fn load(files: &[(&str, &str)], is_inspection: bool) -> Loaded {
    load_for(files, is_inspection, None)
}

fn load_for(files: &[(&str, &str)], is_inspection: bool, target: Option<&str>) -> Loaded {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    write(folder.path(), files);
    let target = target.map(|name| TargetName { name: name.to_owned(), arity: None });
    let purpose = if is_inspection { LoadPurpose::Inspect } else { LoadPurpose::Learn };
    let request = LoadRequest { path: folder.path().to_owned(), purpose, target, ..LoadRequest::default() };
    let mut sources = Sources::new();
    match gleaner::experiment::load(&request, &mut sources) {
        Ok(loaded) => loaded,
        Err(faults) => panic!("it does not load:\n{}", render(&faults, &sources, false)),
    }
}

/// Body modes as text: `p(+a,-b)`.
fn modes(loaded: &Loaded) -> Vec<String> {
    let symbols = loaded.problem.symbols();
    let mut modes: Vec<String> = loaded
        .problem
        .modes()
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

/// What is said, but that so few lines leave examples unknown and facts out of reach.
fn warned(loaded: &Loaded) -> Vec<Code> {
    assert!(loaded.warnings.iter().all(|warning| warning.severity() == Severity::Warning));
    let mut found: Vec<Code> = loaded.warnings.iter().map(gleaner_lang::syntax::Diagnostic::code).collect();
    found.retain(|code| ![codes::UNKNOWN_CONSTANTS, codes::UNREACHED_FACTS].contains(code));
    found.sort();
    found
}

const BK: (&str, &str) = ("bk.pl", "has(a,c1). has(b,c2). red(c1). size(c1,3). size(c2,4).\n");
const EXS: (&str, &str) = ("exs.pl", "pos(f(a)).\nneg(f(b)).\n");

#[test]
fn a_bias_with_directions_gives_their_modes() {
    let bias = "max_vars(4).\nhead_pred(f,1).\nbody_pred(has,2). body_pred(red,1).\n\
        type(f,(thing,)). type(has,(thing,part)). type(red,(part,)).\n\
        direction(has,(in,out)). direction(red,(in,)).\n:- clause(C), #count{V : v(C,V)} != 1.\n";
    let loaded = load(&[BK, EXS, ("bias.pl", bias)], false);
    assert_eq!(loaded.problem.format(), Format::Popper.name());
    assert_eq!((loaded.problem.examples().n_positives(), loaded.problem.examples().len()), (1, 2));
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
        deep(X) :- has(Y,X), has(Y,X).\nsame(X,X,X).\n";
    let bias = "head_pred(f,1). body_pred(has,2). body_pred(even,1). body_pred(odd,1). body_pred(deep,1).\n\
        direction(has,(in,out)).\nbody_pred(same,3). body_pred(missing,1).\n";
    let loaded = load(&[("bk.pl", bk), EXS, ("bias.pl", bias)], false);
    assert_eq!(modes(&loaded), ["deep(+any)", "has(+any,+any)", "has(+any,-any)"]);
    // Of `same(X,X,X)` no constants are known: that one line is left out, and nothing is left of same/3.
    let nothing_of_it = [codes::EMPTY_PREDICATE; 2];
    let expected = [codes::UNSUPPORTED, codes::LEFT_OUT, codes::FACT_WITH_VARIABLES];
    assert_eq!(warned(&loaded), [&nothing_of_it[..], &expected].concat());
    let left_out = loaded.warnings.iter().find(|warning| warning.code() == codes::LEFT_OUT);
    let message = left_out.map(gleaner_lang::syntax::Diagnostic::message).unwrap_or_default();
    assert!(message.starts_with("even/1, odd/1 are left out"), "{message}");
}

#[test]
fn one_file_with_sections_is_read_by_them() {
    let text = ":- use_module(library(aleph)).\n:- aleph.\n:- modeh(1,f(+thing)).\n:- modeb(*,has(+thing,-part)).\n\
        :- modeb(1,red(+part)).\n:-begin_bg.\nhas(a,c1). has(b,c2). red(c1).\n:-end_bg.\n\
        :-begin_in_pos.\nf(a).\n:-end_in_pos.\n:-begin_in_neg.\nf(b). f(c).\n:-end_in_neg.\n";
    let loaded = load(&[("train.pl", text)], false);
    assert_eq!(loaded.problem.format(), Format::Aleph.name());
    assert_eq!((loaded.problem.examples().n_positives(), loaded.problem.examples().len()), (1, 3));
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
        faults.iter().map(gleaner_lang::syntax::Diagnostic::code).collect::<Vec<_>>(),
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
    assert_eq!(loaded.problem.format(), Format::Boostsrl.name());
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

/// The positives and negatives of the whole.
fn n_examples(loaded: &Loaded) -> (usize, usize) {
    let examples = loaded.problem.examples();
    (examples.n_positives(), examples.len() - examples.n_positives())
}

/// The given facts of a predicate.
fn n_facts(loaded: &Loaded, predicate: &str) -> usize {
    loaded
        .problem
        .profile()
        .iter()
        .find(|known| known.predicate == predicate)
        .map_or(0, |known| known.n_facts)
}

#[test]
fn fold_files_hold_negatives_as_headless_clauses() {
    let bias = "!- mode(active(+)).\n:- modeb(*,atm(+drug,-atomid,#element))?\n:- modeb(1,low(+drug))?\n\
        low(d1). atm(d1,a1,c). atm(d2,a2,n). atm(d3,a3,c).\n";
    let files = [
        ("s10.pl", "active(d1).\n:- active(d2).\n"),
        ("s2.pl", "active(d3).\n:- active(d4).\n"),
        ("s1.pl", "active(d5).\n:- active(d6).\n"),
    ];
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    write(folder.path(), &files);
    let other = tempfile::tempdir().expect("a temporary folder can be made");
    write(other.path(), &[("mode.pl", bias)]);
    let request = LoadRequest {
        path: folder.path().to_owned(),
        modes: Some(other.path().join("mode.pl")),
        ..LoadRequest::default()
    };
    let loaded = gleaner::experiment::load(&request, &mut Sources::new()).expect("it loads");
    assert_eq!((loaded.problem.format(), n_examples(&loaded)), (Format::Progol.name(), (3, 3)));
    assert_eq!(loaded.problem.fold_names(), ["s1", "s2", "s10"]);
    assert_eq!(modes(&loaded), ["atm(+drug,-atomid,#element)", "low(+drug)"]);
}

/// The target's facts before and after its mode are positives.
#[test]
fn one_program_of_progol_holds_all() {
    let text = "p(a).\n:- set(h,5)?\n:- modeh(1,p(+thing))?\n:- modeb(*,q(+thing,-thing))?\np(b).\n\
        :- p(c).\nq(a,b). q(b,c).\n:- p(d)?\n";
    let loaded = load(&[("all.pl", text)], false);
    assert_eq!((loaded.problem.format(), n_examples(&loaded)), (Format::Progol.name(), (2, 2)));
    assert_eq!(n_facts(&loaded, "q/2"), 2);
}

/// `h` is no setting here; `q(M,X)` of the background gets its model as well.
#[test]
fn models_are_a_first_argument() {
    let text = ":- use_module(library(slipcover)).\n:- sc.\n:- set_sc(depth,2).\nfold(f2,[m2]).\nfold(f1,[m1]).\n\
        output(adv/2).\ninput(pub/2).\nmodeh(*,adv(+p,+p)).\nmodeb(*,pub(-t,+p)).\nmodeb(*,good(+p)).\n\
        determination(adv/2,pub/2).\ndetermination(adv/2,good/1).\nbg([]).\ngood(X) :- pub(T,X), \\+ bad(T).\n\
        adv(m1,a,b).\nneg(adv(m1,b,a)).\npub(m1,t1,a).\nneg(pub(m1,t1,b)).\nbad(m1,t9).\n\
        begin(model(m2)).\nadv(c,d).\nneg(adv(d,c)).\npub(t2,c).\npub(t2,d).\nend(model(m2)).\n";
    let loaded = load(&[("models.pl", text)], false);
    assert_eq!((loaded.problem.format(), n_examples(&loaded)), (Format::Interpretations.name(), (2, 2)));
    assert_eq!(loaded.problem.target().to_string(), "adv/3");
    assert_eq!(modes(&loaded), ["good(+model,+p)", "pub(+model,-t,+p)"]);
    assert_eq!((n_facts(&loaded, "pub/3"), n_facts(&loaded, "bad/2")), (3, 1));
    assert_eq!(
        (loaded.problem.division(), loaded.problem.fold_names()),
        (Division::Folds, &["f1".to_owned(), "f2".to_owned()][..])
    );
    let good = loaded.problem.profile().iter().find(|known| known.predicate == "good/2");
    assert_eq!(good.map(|good| good.n_tuples), Some(3), "a of m1, c and d of m2");
    assert_eq!(warned(&loaded), [codes::FALSE_FACTS]);
}

#[test]
fn databases_have_no_full_stops_and_a_query_names_the_target() {
    let mln = "//declarations\n*publication(title,person)\nadvisedBy(person,person)\n\n\
        0  advisedBy(a1,a2) v !publication(a3,a1)\n-1.5  !advisedBy(a1,a2) v *publication(a3,+a1)\n";
    let db = "publication(Title301 , Person63)\npublication(Title301,Person2)\nadvisedBy(Person63,Person2)\n\
        !advisedBy(Person2,Person63)\n!publication(Title1,Person2)\n";
    let files = [("prog.mln", mln), ("evidence.db", db), ("query.db", "advisedBy(x,y)")];
    let loaded = load(&files, true);
    assert_eq!((loaded.problem.format(), n_examples(&loaded)), (Format::Alchemy.name(), (1, 1)));
    assert_eq!(loaded.problem.target().to_string(), "advisedBy/2");
    assert_eq!(n_facts(&loaded, "publication/2"), 2);
    let constants: Vec<String> = (0..loaded.problem.symbols().constants.len())
        .map(|id| loaded.problem.symbols().constants.text(gleaner_base::ConstantId::new(id)).to_owned())
        .collect();
    assert!(constants.contains(&"'Person63'".to_owned()), "{constants:?}");
}

#[test]
fn several_databases_are_folds() {
    let files = [
        ("t-fold1.db", "AccountType(A10,Fan)\nFollows(A10,A11)\n"),
        ("t-fold2.db", "AccountType(A12,Club)\nFollows(A12,A13)\nnonsense\n"),
    ];
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    write(folder.path(), &files);
    let request = LoadRequest {
        path: folder.path().to_owned(),
        purpose: LoadPurpose::Inspect,
        ..LoadRequest::default()
    };
    let mut sources = Sources::new();
    let faults = gleaner::experiment::load(&request, &mut sources).expect_err("a line is odd");
    let shown = render(&faults, &sources, false);
    assert!(shown.contains("error[G033]") && shown.contains("t-fold2.db:3:1"), "{shown}");
    std::fs::write(folder.path().join("t-fold2.db"), files[1].1.replace("nonsense\n", "")).expect("written");
    let target = Some(TargetName { name: "AccountType".to_owned(), arity: None });
    let request = LoadRequest { target, ..request };
    let loaded = gleaner::experiment::load(&request, &mut Sources::new()).expect("it loads");
    assert_eq!((loaded.problem.fold_names().len(), n_examples(&loaded)), (2, (2, 0)));
}

/// Lines end by CR LF; of the test part only the target is read.
#[test]
fn triples_name_their_relation_second() {
    let files = [
        ("train.txt", "/m/1\t/film/genre\t/m/2\r\n/m/1\t/film/by\t/m/3\r\n/m/4\t/film/by\t/m/3\r\n"),
        ("test.txt", "/m/4\t/film/genre\t/m/2\r\n/m/5\t/film/by\t/m/3\r\n"),
    ];
    let loaded = load_for(&files, true, Some("/film/genre"));
    assert_eq!((loaded.problem.format(), n_examples(&loaded)), (Format::Triples.name(), (2, 0)));
    assert_eq!((n_facts(&loaded, "/film/by/2"), loaded.problem.division()), (2, Division::TrainTest));
    assert!(warned(&loaded).contains(&codes::HIDDEN_FACTS));
}

#[test]
fn clauses_of_will_end_with_semicolons_and_capitals_do_not_count() {
    let bk = "setParam: a = 0.1;\nmode: p(+Number). // The target.\n/*\nmode: x(+Number).\n*/\n\
        mode: u(+Number).\ninline: w/1;\nw(X) :- u(X), vv(X).\nmode: w(+Number).\nrelevant: w/1.\n\
        setParam: forLengths = 5\nthreshold: f(+Number, -Number), arg=2.\nokIfUnknown: u/1\nprecompute1:\n\
        z(X) :- w(X).\nmode: z(+Number).\nrange: Size = {1,3}.\nisa: 1 isa Number;\nbridger: u/1.\nimportLibrary: lists.\n";
    let files = [
        ("a_bk.txt", bk),
        ("a_facts.txt", "u(1); \nu(2);\nvv(1);\n"),
        ("a_pos.txt", "P(1);\n"),
        ("a_neg.txt", "P(2);\n"),
    ];
    let loaded = load(&files, false);
    assert_eq!((loaded.problem.target().to_string().as_str(), n_examples(&loaded)), ("P/1", (1, 1)));
    assert_eq!(modes(&loaded), ["u(+Number)", "w(+Number)", "z(+Number)"]);
    assert_eq!(warned(&loaded), []);
}

#[test]
fn a_comment_may_tell_the_classes_apart() {
    let files = [
        ("a_bk.txt", "mode: f(+thing).\nmode: red(+thing).\n"),
        ("a_facts.txt", "red(a). red(b).\n"),
        ("a_pos.txt", "//these two should be true\nf(a). f(b).\n//the rest should be false\nf(c).\n"),
        ("a_neg.txt", ""),
    ];
    let loaded = load(&files, false);
    assert_eq!(n_examples(&loaded), (2, 1));
    assert_eq!(warned(&loaded), [codes::CLASSES_BY_COMMENT]);
}
