//! A problem written in another layout is the same problem: examples, folds, facts, what follows from them,
//! modes, settings and what random clauses cover, as far as the layout can say them. What was written is
//! written again byte by byte.
//!
//! `GLEANER_DATA` names the folder of public data sets; without it their test says that it is skipped.

use crate::support::asked::{clauses_of, with_clauses};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use gleaner::experiment::{GivenSettings, catalog, resolve_settings};
use gleaner_base::random::{Purpose, stream};
use gleaner_base::{Budget, ExampleId, FoldId, PredicateId, WorldId};
use gleaner_data::convert::{Converted, convert};
use gleaner_data::{Division, Format, LoadRequest, Problem, load};
use gleaner_engine::bias::{RefinementSpace, SaturationConfig, saturate};
use gleaner_engine::coverage::Universe;
use gleaner_engine::coverage::component::cover_clause;
use gleaner_lang::program::PredicateName;
use gleaner_lang::program::clause::ObjectIdentity;
use gleaner_lang::program::display::clause_text;
use gleaner_lang::program::mode::{ArgumentMode, ModeSubject, Negation};
use gleaner_lang::program::settings::Settings;
use gleaner_lang::syntax::{Code, Diagnostic, Sources, codes, quote_atom, quote_text, render};
use proptest::prelude::{
    ProptestConfig, Strategy, any, prop, prop_assert, prop_assert_eq, prop_oneof, proptest,
};

use crate::support::{expect_text, fixture, gleaner, names};

const FORMATS: [Format; 6] =
    [Format::Own, Format::Aleph, Format::Boostsrl, Format::Popper, Format::Csv, Format::JsonLines];

type Files = [(&'static str, &'static str)];

fn write(folder: &Path, files: &[(impl AsRef<str>, impl AsRef<str>)]) {
    for (name, text) in files {
        let path = folder.join(name.as_ref());
        std::fs::create_dir_all(path.parent().expect("files have a folder")).expect("the folder can be made");
        std::fs::write(path, text.as_ref()).expect("the file can be written");
    }
}

fn loaded(request: &LoadRequest) -> Problem {
    let mut sources = Sources::new();
    match load(request, &mut sources) {
        Ok(loaded) => loaded.problem,
        Err(faults) => panic!("it does not load:\n{}", render(&faults, &sources, false)),
    }
}

fn converted(request: &LoadRequest, to: Format) -> Converted {
    let mut sources = Sources::new();
    match convert(request, to, catalog(), &mut sources) {
        Ok(converted) => converted,
        Err(faults) => panic!("it does not convert:\n{}", render(&faults, &sources, false)),
    }
}

fn write_converted(folder: &Path, converted: &Converted) {
    let files: Vec<(&str, &str)> =
        converted.files.iter().map(|file| (file.path.as_str(), file.text.as_str())).collect();
    write(folder, &files);
}

fn codes_of(warnings: &[Diagnostic]) -> BTreeSet<Code> {
    warnings.iter().map(Diagnostic::code).collect()
}

/// The facts of a world as text, derived ones too.
fn facts(problem: &Problem, world: WorldId) -> BTreeSet<String> {
    let mut facts = BTreeSet::new();
    for predicate in (0..problem.symbols().predicates.len()).map(PredicateId::new) {
        let relation = problem.worlds()[world.index()].relation(predicate);
        let name = problem.symbols().predicate(predicate);
        for row in 0..relation.n_rows() {
            let values: Vec<&str> = (0..relation.arity())
                .map(|column| problem.symbols().constants.text(relation.value(row, column)))
                .collect();
            facts.insert(format!("{name}: {}", values.join(" , ")));
        }
    }
    facts
}

/// What is true in each fold, in the order of the folds, and in the last place outside them if there are
/// examples there.
fn facts_of_folds(problem: &Problem) -> Vec<BTreeSet<String>> {
    let has_outside = problem.examples().ids().any(|id| problem.examples().fold(id).is_none());
    let last = problem.worlds().len() - 1;
    (0..problem.fold_names().len())
        .map(|fold| if last == 0 { 0 } else { fold })
        .chain(has_outside.then_some(last))
        .map(|world| facts(problem, WorldId::new(world)))
        .collect()
}

type LabelledExamples = BTreeSet<(String, bool, Option<usize>)>;

fn examples(problem: &Problem, has_folds: bool) -> LabelledExamples {
    let fold = |id| problem.examples().fold(id).filter(|_| has_folds).map(FoldId::index);
    problem
        .examples()
        .ids()
        .map(|id| (problem.example_text(id), problem.examples().is_positive(id), fold(id)))
        .collect()
}

fn mode_argument(problem: &Problem, argument: ArgumentMode) -> (char, String) {
    let (sign, id) = match argument {
        ArgumentMode::Input(id) => ('+', id),
        ArgumentMode::Output(id) => ('-', id),
        ArgumentMode::Constant(id) => ('#', id),
    };
    (sign, problem.symbols().types[id.index()].clone())
}

type BodyModes = BTreeSet<(String, Vec<(char, String)>, Option<u32>)>;

fn modes(problem: &Problem) -> (Vec<(char, String)>, BodyModes) {
    let arguments = |arguments: &[ArgumentMode]| -> Vec<(char, String)> {
        arguments.iter().map(|&argument| mode_argument(problem, argument)).collect()
    };
    let body = problem.modes().body.iter().map(|mode| {
        let subject = match mode.subject {
            ModeSubject::Relation(predicate) => problem.symbols().predicate(predicate).to_string(),
            ModeSubject::Negated(predicate) => format!("\\+ {}", problem.symbols().predicate(predicate)),
            ModeSubject::Comparison(operator) => format!("{operator:?}"),
            ModeSubject::Aggregate(_) => panic!("no mode is of an aggregate"),
        };
        (subject, arguments(&mode.arguments), mode.instantiation_limit)
    });
    (arguments(&problem.modes().head.arguments), body.collect())
}

/// What of the body modes a layout can say.
fn sayable(modes: BodyModes, to: Format) -> BodyModes {
    let is_relation = |subject: &str| subject.contains('/');
    let modes = modes.into_iter();
    match to {
        Format::Boostsrl => modes
            .filter(|(subject, arguments, _)| {
                is_relation(subject) && !subject.starts_with('\\') && !arguments.is_empty()
            })
            .map(|(subject, arguments, _)| (subject, arguments, None))
            .collect(),
        // Which argument is known is compared by writing again.
        Format::Popper => modes
            .filter(|(subject, ..)| is_relation(subject) && !subject.starts_with('\\'))
            .map(|(subject, ..)| (subject, Vec::new(), None))
            .collect(),
        _ => modes.collect(),
    }
}

fn settings(problem: &Problem) -> Settings {
    resolve_settings(problem.settings(), &GivenSettings::default()).expect("the settings are well formed").0
}

/// Clauses drawn from bottom clauses, as text.
fn random_clauses(problem: &Problem, n_clauses: usize) -> Vec<String> {
    let positives: Vec<ExampleId> =
        problem.examples().ids().filter(|&id| problem.examples().is_positive(id)).collect();
    let seeds: Vec<ExampleId> = positives.iter().step_by(positives.len().div_ceil(5)).copied().collect();
    let config = SaturationConfig {
        depth: 2,
        max_bottom_literals: 200,
        negation: Negation::Modes,
        object_identity: ObjectIdentity::Off,
        thresholds: gleaner_lang::program::Thresholds::Seed,
        max_thresholds: usize::MAX,
    };
    let mut rng = stream(5, Purpose::Search, &[]);
    let mut clauses = Vec::new();
    for &seed in &seeds {
        let background = &problem.worlds()[problem.examples().world(seed).index()];
        let bottom = saturate(background, problem.modes(), problem.examples(), seed, config);
        let space = RefinementSpace::new(&bottom, 4);
        for number in 0..n_clauses.div_ceil(seeds.len()) {
            let candidate = space.draw(1 + number % 3, &mut rng);
            clauses.push(clause_text(&bottom.clause(candidate.positions()), problem.symbols()));
        }
    }
    clauses
}

/// The examples that each clause covers: all positives, and of the negatives some.
fn covered(problem: &Problem) -> Vec<BTreeSet<String>> {
    let mut chosen: Vec<(String, ExampleId)> =
        problem.examples().ids().map(|id| (problem.example_text(id), id)).collect();
    // The order of ids is canonical within a problem; between problems it is that of the texts.
    chosen.sort();
    let step = chosen.len().div_ceil(1_000);
    let chosen: Vec<ExampleId> = chosen
        .into_iter()
        .enumerate()
        .filter(|(position, (_, id))| problem.examples().is_positive(*id) || position % step == 0)
        .map(|(_, (_, id))| id)
        .collect();
    let mut ids = chosen;
    ids.sort();
    let universe = Universe::new(Arc::clone(problem.examples()), &ids);
    let budget = Budget::unlimited();
    clauses_of(problem)
        .iter()
        .map(|clause| {
            let covered =
                cover_clause(problem.worlds(), clause, &universe, &budget).expect("nothing interrupts");
            covered
                .iter()
                .filter_map(|position| universe.example(position))
                .map(|id| problem.example_text(id))
                .collect()
        })
        .collect()
}

/// The predicates that no rule defines, with what holds of them anywhere.
fn given_facts(problem: &Problem) -> BTreeSet<String> {
    let derived: BTreeSet<&str> = problem
        .profile()
        .iter()
        .filter(|profile| profile.n_rules > 0)
        .map(|profile| profile.predicate.as_str())
        .collect();
    let all = (0..problem.worlds().len()).flat_map(|world| facts(problem, WorldId::new(world)));
    all.filter(|fact| !derived.contains(fact.split(": ").next().unwrap_or_default())).collect()
}

/// A problem with what is compared in each layout, found once.
struct Original<'r> {
    request: &'r LoadRequest,
    problem: Problem,
    /// Random clauses, and what each covers.
    clauses: Vec<String>,
    covered: Vec<BTreeSet<String>>,
}

impl<'r> Original<'r> {
    fn of(request: &'r LoadRequest, n_clauses: usize) -> Self {
        let problem = loaded(request);
        let clauses = random_clauses(&problem, n_clauses);
        let covered = covered(&with_clauses(&loaded(request), &clauses));
        Self { request, problem, clauses, covered }
    }

    /// Converts the problem and compares; what differs, in words.
    fn round_trip(&self, to: Format) -> Vec<String> {
        let before = &self.problem;
        let first = converted(self.request, to);
        let folder = tempfile::tempdir().expect("a temporary folder can be made");
        write_converted(folder.path(), &first);
        let target = self.request.target.clone();
        let again = LoadRequest { path: folder.path().to_owned(), target, ..LoadRequest::default() };
        let after = match load(&again, &mut Sources::new()) {
            Ok(loaded) => loaded.problem,
            Err(faults) => return vec![format!("it loads with {:?} only", codes_of(&faults))],
        };
        let mut differences = Vec::new();
        let mut compare = |is_same: bool, what: &str| {
            if !is_same {
                differences.push(format!("{} differ", what));
            }
        };
        compare(after.format() == to.name(), "layouts");
        compare(after.target() == before.target(), "targets");
        let is_divided = before.division() != Division::None;
        let keeps_folds = match to {
            Format::Aleph => false,
            Format::Popper => before.division() == Division::TrainTest,
            _ => true,
        };
        compare(examples(&after, keeps_folds) == examples(before, keeps_folds), "examples");
        compare(
            after.division() == before.division() || matches!(to, Format::Aleph | Format::Popper),
            "divisions",
        );
        if is_divided && keeps_folds {
            compare(facts_of_folds(&after) == facts_of_folds(before), "facts of folds");
        } else if is_divided {
            compare(given_facts(&after) == given_facts(before), "given facts");
        } else {
            let all = |problem| facts(problem, WorldId::new(0));
            compare(all(&after) == all(before), "facts");
        }
        if matches!(to, Format::Csv | Format::JsonLines) {
            compare(after.fold_names() == before.fold_names(), "names of folds");
        }
        let ((head, body), (head_before, body_before)) = (modes(&after), modes(before));
        compare(head == head_before || to == Format::Popper, "head modes");
        // Popper's modes that only compare numbers are lost: they are read as comparisons, with a warning.
        let is_exact =
            before.format() == to.name() && !codes_of(&first.warnings).contains(&codes::MODES_NOT_SAID);
        compare(!is_exact || body == body_before, "body modes of one layout");
        compare(sayable(body, to) == sayable(body_before, to), "body modes");
        compare(
            settings(&after) == settings(before) || matches!(to, Format::Boostsrl | Format::Popper),
            "settings",
        );
        if !is_divided || keeps_folds {
            compare(covered(&with_clauses(&after, &self.clauses)) == self.covered, "covered examples");
        }
        let second = converted(&again, to);
        compare(second.files == first.files, "bytes written again");
        differences
    }
}

fn check(request: &LoadRequest) {
    let original = Original::of(request, 100);
    for to in FORMATS {
        let differences = original.round_trip(to);
        assert!(differences.is_empty(), "{}: {differences:?}", to.name());
    }
}

fn check_files(files: &Files) {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    write(folder.path(), files);
    check(&LoadRequest { path: folder.path().to_owned(), ..LoadRequest::default() });
}

#[test]
fn the_university_is_the_same_in_every_layout() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/university");
    check(&LoadRequest { path, ..LoadRequest::default() });
}

const ODD_BACKGROUND: &str = r#"
p(a, 'Hello, world', 1.5e20). p(b, "a \"quoted\", string", -3). p(c, 'O\'Neil // Sons', 2.0).
p(d, 'ünï % ö', 7). p(e, [a, 'B c', 1, [x|y]], 0.0000001). p(f, f(x, g('Y', "z")), 12).
p(g, a - b, 1). p(h, 1/2, 2). p(i, - a, 3). p(j, "two\nlines\tand \x1\", 4). p('007', '12', 5).
p('', 'label', 6). p('(a - b)', [], 8). p('[]', 'true', 9). p('a,b', 'fold', 10). p('é', a:b, 11).
p(k, 'mode: p(+a)', 13). p(l, '+', 14). p(m, '- a', 15). p(n, 'f(x)', 16). p(o, "12", 17).
shape(a). shape(b). shape(a, round). shape(c, 'long, thin').
'is a'(a, 'Big thing'). 'is a'(b, thing). 'Part.of'(a, b). 'Part.of'(c, d). 'is'(a, b). 'x/y%2'(a).
flag. 'a//b'(a, 'c//d').
big(X) :- p(X, _, N), \+ shape(X), N > 1.5e0, Y is N*2 - -3, Y >= -(4) + 1.
like(X, Y) :- p(X, A, _), p(Y, B, _), X \== Y, A \= B, X \= 'O\'Neil'.
half(X) :- p(X, _, N), M is N // 2, 7 >= M, N >= 0.
minus(X) :- p(X, A, _), A = (a - b).
under(X) :- 'is a'(X, _Kind), flag, \+ 'Part.of'(X, X), X \= (a:b).
'My rule'(Größe) :- p(Größe, "12", _).
"#;
const ODD_MODES: &str = ":- modeh(1, t(+'my type', +thing)).\n:- modeb(*, p(+'my type', -thing, -number)).\n\
    :- modeb(3, p(+'my type', #thing, -number)).\n:- modeb(1, +number >= #number).\n:- modeb(1, \\+ shape(+'my type')).\n\
    :- modeb(1, shape(+'my type', #list(form))).\n:- modeb(*, like(+'my type', -'my type')).\n:- modeb(1, flag).\n\
    :- modeb(*, 'is a'(+'my type', -thing)).\n:- modeb(*, 'Part.of'(+'my type', -'my type')).\n\
    :- modeb(1, big(+'my type')).\n:- modeb(1, half(+'my type')).\n:- modeb(1, 'x/y%2'(+'my type')).\n:- modeb(1, 'My rule'(+'my type')).\n\
    :- set(depth, 3).\n:- set(min-pos, 1).\n:- set(operating-point, recall=0.5).\n:- set(learning-curve, '100,200').\n";
const ODD_POSITIVES: &str = "t(a, 'Hello, world').\nt(c, x).\nt(e, [a, b]).\nt('007', '12').\nt(g, \"s\").\n";
const ODD_NEGATIVES: &str =
    "t(b, 'Hello, world').\nt(d, x).\nt(f, 1.0e-7).\nt('', 12).\nt(h, a - b).\nt(i, 12.0).\n";

#[test]
fn odd_constants_and_names_are_the_same_in_every_layout() {
    check_files(&[
        ("background.pl", ODD_BACKGROUND),
        ("modes.pl", ODD_MODES),
        ("pos.pl", ODD_POSITIVES),
        ("neg.pl", ODD_NEGATIVES),
    ]);
}

/// Facts of folds, of no arguments too, and examples outside the folds; folds that are not counted from 1.
const FOLDS: [(&str, &str); 10] = [
    ("background.pl", "q(a, b). q(b, c). r(X) :- q(X, Y), s(Y). r(X) :- hot, q(X, _).\n"),
    (
        "modes.pl",
        ":- modeh(1, t(+x)).\n:- modeb(*, q(+x, -x)).\n:- modeb(1, r(+x)).\n:- modeb(1, s(+x)).\n\
        :- determination(t/1, r/1).\n:- determination(t/1, s/1).\n",
    ),
    ("fold2/background.pl", "s(b). s(c). q(a, d).\n"),
    ("fold2/pos.pl", "t(a).\n"),
    ("fold2/neg.pl", "t(b).\n"),
    ("fold10/background.pl", "hot. s(d).\n"),
    ("fold10/pos.pl", "t(d).\n"),
    ("fold10/neg.pl", "t(c).\nt(g).\n"),
    ("fold11/pos.pl", "t(h).\n"),
    ("fold11/neg.pl", "t(i).\n"),
];

#[test]
fn folds_with_facts_of_their_own_are_the_same() {
    check_files(&FOLDS);
}

#[test]
fn examples_outside_the_folds_stay_there() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    write(folder.path(), &FOLDS);
    write(folder.path(), &[("pos.pl", "t(e).\n"), ("neg.pl", "t(f).\n")]);
    let request = LoadRequest { path: folder.path().to_owned(), ..LoadRequest::default() };
    let original = Original::of(&request, 50);
    for to in [Format::Own, Format::Csv, Format::JsonLines] {
        assert_eq!(original.round_trip(to), [""; 0], "{}", to.name());
    }
    let boostsrl = converted(&request, Format::Boostsrl);
    assert!(codes_of(&boostsrl.warnings).contains(&codes::EXAMPLES_NOT_SAID));
}

#[test]
fn parts_to_train_and_to_test_are_the_same() {
    check_files(&[
        ("modes.pl", ":- modeh(1, t(+x)).\n:- modeb(*, q(+x, -x)).\n:- modeb(1, s(+x)).\n"),
        ("background.pl", "s(X) :- q(X, Y), q(Y, X).\n"),
        ("q.csv", "x,x,fold\r\na,b,train\r\nb,a,\r\nc,d,test\r\nd,c,test\r\nAnn B.,\"O'Neil, J.\",\r\n"),
        (
            "t.csv",
            "\u{feff}fold,x,label\ntrain,a,1\ntrain,b,-\ntest,c,pos\ntest,d,false\ntrain,Ann B.,true\n",
        ),
    ]);
}

#[test]
fn folds_by_name_are_the_same() {
    check_files(&[(
        "problem.jsonl",
        r#"{"directive": "modeh(1, t(+x))"}
{"directive": ":- modeb(*, q(+x, -x)), modeb(1, s(+x))."}
{"clause": "s(X) :- q(X, \"a \\\"b\\\"\")."}
{"predicate": "q", "arguments": ["a", "\"a \\\"b\\\"\""]}
{"predicate": "q", "arguments": ["12", 12], "fold": "theory"}

{"predicate": "q", "arguments": [1.0, true], "fold": "ai"}
{"predicate": "t", "arguments": ["a"], "label": true, "fold": "theory"}
{"predicate": "t", "arguments": [12], "label": 0, "fold": "theory"}
{"predicate": "t", "arguments": ["12"], "label": 1, "fold": "ai"}
{"predicate": "t", "arguments": [1.0], "label": false, "fold": "ai"}
"#,
    )]);
}

/// `f/2` has facts and examples, and another predicate has examples besides the target.
#[test]
fn examples_of_other_predicates_are_kept() {
    let files = [
        ("background.pl", "f(a, b). g(a). g(b).\n"),
        ("modes.pl", ":- modeh(1, f(+x, +x)).\n:- modeb(1, g(+x)).\n:- modeb(*, f(+x, -x)).\n"),
        ("pos.pl", "f(a, a).\nother(a).\n"),
        ("neg.pl", "f(b, a).\nother(b).\n"),
    ];
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    write(folder.path(), &files);
    let mut request = LoadRequest { path: folder.path().to_owned(), ..LoadRequest::default() };
    let (mut n_examples, mut told): (Vec<usize>, Vec<(Format, bool)>) = (Vec::new(), Vec::new());
    for to in FORMATS {
        let converted = converted(&request, to);
        n_examples
            .push(converted.files.iter().map(|file| file.counts.positives + file.counts.negatives).sum());
        told.push((to, codes_of(&converted.warnings).contains(&codes::EXAMPLES_NOT_SAID)));
    }
    assert_eq!(n_examples, [4, 4, 4, 2, 4, 4]);
    assert!(told.iter().all(|&(to, is_told)| is_told == (to == Format::Popper)), "{told:?}");
    request.target = Some(PredicateName::new("f", 2).into());
    let original = Original::of(&request, 20);
    for to in FORMATS.into_iter().filter(|&to| to != Format::Boostsrl) {
        assert_eq!(original.round_trip(to), [""; 0], "{}", to.name());
    }
}

#[test]
fn what_a_layout_cannot_say_is_told() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    write(folder.path(), &FOLDS);
    write(
        folder.path(),
        &[(
            "modes.pl",
            ":- modeh(1, t(+x)).\n:- modeb(2, q(+x, #x)).\n:- modeb(1, \\+ s(+x)).\n:- set(depth, 3).\n",
        )],
    );
    let request = LoadRequest { path: folder.path().to_owned(), ..LoadRequest::default() };
    let told: BTreeMap<&str, Vec<String>> = FORMATS
        .into_iter()
        .map(|to| {
            let codes = codes_of(&converted(&request, to).warnings);
            (to.name(), codes.iter().map(ToString::to_string).collect())
        })
        .collect();
    let expected = [
        ("aleph", vec!["G092"]),
        ("boostsrl", vec!["G093", "G094"]),
        ("csv", vec![]),
        ("json-lines", vec![]),
        ("own", vec![]),
        ("popper", vec!["G092", "G093", "G094"]),
    ];
    assert_eq!(
        told,
        expected.map(|(name, codes)| (name, codes.into_iter().map(str::to_owned).collect())).into()
    );
}

/// The order of the lines of the files does not reach the bytes.
#[test]
fn the_order_of_facts_does_not_matter() {
    let folders = [false, true].map(|is_reversed| {
        let folder = tempfile::tempdir().expect("a temporary folder can be made");
        write(folder.path(), &FOLDS);
        let mut facts: Vec<&str> =
            "q(a, b). q(10, 9). q(b, 2.5). q('Z', \"z\"). r(a). r(z).".split_inclusive(". ").collect();
        let mut examples = ["t(a).\n", "t(c).\n", "t(10).\n", "t(9).\n"];
        if is_reversed {
            facts.reverse();
            examples.reverse();
        }
        write(folder.path(), &[("background.pl", facts.join(" ")), ("fold2/pos.pl", examples.concat())]);
        folder
    });
    for to in FORMATS {
        let [one, other] = [0, 1].map(|number: usize| {
            converted(&LoadRequest { path: folders[number].path().to_owned(), ..LoadRequest::default() }, to)
                .files
        });
        assert_eq!(one, other, "{}", to.name());
    }
}

/// What the files of each layout look like.
#[test]
fn each_layout_is_written_in_its_own_words() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let modes = ":- modeh(1, likes(+person, +thing)).\n:- modeb(*, owns(+person, -thing)).\n\
        :- modeb(1, price(+thing, #money)).\n:- modeb(1, \\+ dear(+thing)).\n:- set(depth, 2).\n";
    let background = "owns('Ann', \"old bike\"). owns(bob, 'kite, red'). price('kite, red', 12.5). price('kite, red', 7).\n\
        dear(Thing) :- price(Thing, Price), Price >= 1.0e1.\n";
    write(folder.path(), &[("modes.pl", modes), ("background.pl", background)]);
    for (path, text) in [
        ("fold1/pos.pl", "likes(bob, 'kite, red').\n"),
        ("fold1/neg.pl", "likes('Ann', kite).\n"),
        ("fold2/pos.pl", "likes('Ann', \"old bike\").\n"),
        ("fold2/neg.pl", "likes(bob, \"old bike\").\n"),
    ] {
        write(folder.path(), &[(path, text)]);
    }
    let request = LoadRequest { path: folder.path().to_owned(), ..LoadRequest::default() };
    let mut written = String::new();
    for to in FORMATS {
        for file in converted(&request, to).files {
            writeln!(written, "--- {}: {}\n{}", to.name(), file.path, file.text.trim_end())
                .expect("text grows");
        }
    }
    expect_text(&fixture("converted/expected.txt"), &written);
}

/// `gleaner convert` with the university, below a folder: exit code, standard output, standard error.
fn run(folder: &Path, arguments: &[&str]) -> (Option<i32>, String, String) {
    let university = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/university");
    gleaner(folder, &[&["convert", university], arguments].concat())
}

#[test]
fn the_command_says_what_it_writes() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let (code, stdout, stderr) = run(folder.path(), &["--to", "json-lines", "-o", "out"]);
    let expected = "advisedby.jsonl  1677 facts, 100 positives, 1674 negatives, 39 declarations\n";
    assert_eq!((code, stdout.as_str(), stderr.as_str()), (Some(0), expected, ""));
    std::fs::create_dir(folder.path().join("empty")).expect("a folder can be made");
    let (code, stdout, stderr) = run(folder.path(), &["--to", "popper", "-o", "empty", "--json"]);
    let events: Vec<serde_json::Value> =
        stdout.lines().map(|line| serde_json::from_str(line).expect("events are JSON")).collect();
    assert_eq!((code, events.len(), &events[0]["path"]), (Some(0), 4, &"bk.pl".into()));
    assert_eq!((&events[1]["counts"]["positives"], &events[3]["event"]), (&100.into(), &"done".into()));
    assert!(stderr.contains("warning[G092]: popper: the 4 folds become one set"), "{stderr}");
    assert_eq!(names(&folder.path().join("empty")), ["bias.pl", "bk.pl", "exs.pl"]);
    assert_eq!(names(folder.path()), ["empty", "out"]);
}

#[test]
fn nothing_is_written_into_a_folder_in_use_or_of_faulty_data() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    write(folder.path(), &[("used/notes.txt", "mine\n"), ("file", "mine\n")]);
    let (code, _, stderr) = run(folder.path(), &["--to", "csv", "-o", "used"]);
    assert_eq!(code, Some(1));
    assert!(stderr.contains("error[G083]"), "{stderr}");
    let (code, _, stderr) = run(folder.path(), &["--to", "csv", "-o", "file"]);
    assert_eq!(code, Some(1));
    assert!(stderr.contains("error[G080]"), "{stderr}");
    let (code, _, stderr) = run(folder.path(), &["--to", "csv", "-o", "out", "--where", "student(A)"]);
    assert_eq!(code, Some(2), "{stderr}");
    write(folder.path(), &[("more.pl", "p(X) :- q(Y).\n")]);
    let (code, _, stderr) = run(folder.path(), &["--to", "csv", "-o", "out", "--background", "more.pl"]);
    assert_eq!(code, Some(1));
    assert!(stderr.contains("error[G014]"), "{stderr}");
    assert_eq!(names(folder.path()), ["file", "more.pl", "used"]);
    assert_eq!(names(&folder.path().join("used")), ["notes.txt"]);
}

/// Several targets, none of them chosen, are written where a layout can hold them; and data without modes.
#[test]
fn what_cannot_be_learnt_from_can_be_converted() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    write(
        folder.path(),
        &[("p.csv", "x,\na,b\n"), ("one.csv", "x,label\na,1\n"), ("two.csv", ",label\na,+\n")],
    );
    let request = LoadRequest { path: folder.path().to_owned(), ..LoadRequest::default() };
    let again = converted(&request, Format::Csv);
    let texts: Vec<(&str, &str)> =
        again.files.iter().map(|file| (file.path.as_str(), file.text.as_str())).collect();
    assert_eq!(texts, [("one.csv", "x,label\na,1\n"), ("p.csv", "x,\na,b\n"), ("two.csv", ",label\na,1\n")]);
    let faults =
        convert(&request, Format::Popper, catalog(), &mut Sources::new()).expect_err("it has two targets");
    assert!(codes_of(&faults).contains(&codes::SEVERAL_TARGETS));
}

/// Constants as a program writes them.
fn constant() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        "[a-z][a-z0-9_]{0,3}",
        "[A-Za-z0-9 ,'\"().%/-]{0,4}".prop_map(|name| quote_atom(&name).into_owned()),
        any::<String>().prop_map(|name| quote_atom(&name).into_owned()),
        any::<String>().prop_map(|text| quote_text(&text)),
        any::<i64>().prop_map(|value| value.to_string()),
        any::<f64>().prop_filter("finite", |value| value.is_finite()).prop_map(|value| format!("{value:?}")),
    ];
    leaf.prop_recursive(2, 6, 3, |inner| {
        let items = prop::collection::vec(inner, 1..3);
        prop_oneof![
            items.clone().prop_map(|items| format!("[{}]", items.join(","))),
            ("[a-z]|'A b'", items.clone()).prop_map(|(name, items)| format!("{name}({})", items.join(","))),
            ("[-+*:]", items)
                .prop_map(|(operator, items)| format!("({})", items.join(&format!(" {operator} ")))),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn any_constants_are_the_same_in_every_layout(
        constants in prop::collection::vec(constant(), 2..8),
        names in ["[a-z]{1,3}|[A-Z a-z.%/é]{1,4}", "[a-z]{1,3}|[A-Z a-z.,%/é]{2,4}"],
    ) {
        let folder = tempfile::tempdir().expect("a temporary folder can be made");
        let (mut facts, mut classes) = (String::new(), [String::new(), String::new()]);
        let (fact, target) = (quote_atom(&names[0]), quote_atom(&names[1]));
        for (number, constant) in constants.iter().enumerate() {
            let other = &constants[constants.len() - 1 - number];
            writeln!(facts, "{fact}({constant},{other}).").expect("text grows");
            writeln!(classes[number % 2], "{target}({number},{constant},k).").expect("text grows");
        }
        let modes = format!(":- modeh(1, {target}(+n,+x,+k)).\n:- modeb(*, {fact}(+x,-x)).\n");
        let [positives, negatives] = classes;
        write(folder.path(), &[
            ("background.pl", facts), ("modes.pl", modes), ("pos.pl", positives), ("neg.pl", negatives),
        ]);
        let request = LoadRequest { path: folder.path().to_owned(), ..LoadRequest::default() };
        let original = Original::of(&request, 5);
        for to in FORMATS {
            prop_assert_eq!(original.round_trip(to), [""; 0], "{}", to.name());
        }
    }
}

proptest! {
    /// Whatever stands in a table or in lines, there is a message or a problem, never a panic.
    #[test]
    fn no_text_panics(
        table in "(x|label|fold|,|\"|\r?\n|\u{feff}|1|'|\\(|\\[|é){0,24}",
        lines in r#"(\{|\}|"predicate"|"arguments"|"label"|"clause"|:|,|\[|\]|"p"|"é\\u0000"|1e9|null|\n){0,24}"#,
    ) {
        for (name, text) in [("p.csv", &table), ("x.jsonl", &lines)] {
            let folder = tempfile::tempdir().expect("a temporary folder can be made");
            write(folder.path(), &[(name, text)]);
            let request = LoadRequest { path: folder.path().to_owned(), ..LoadRequest::default() };
            let mut sources = Sources::new();
            let shown = load(&request, &mut sources).map_err(|faults| render(&faults, &sources, false));
            prop_assert!(shown.is_err_and(|text| text.contains("error[G")));
        }
    }
}

/// Public data sets, with the target where their files hold several.
const SETS: &[(&str, Option<(&str, usize)>)] = &[
    ("toy_cancer", None),
    ("toy_father", None),
    ("toy_advice", None),
    ("trains/aleph", None),
    ("trains/boostsrl", None),
    ("trains/aleph_single_file", None),
    ("trains/popper_trains1", None),
    ("webkb", None),
    ("imdb/boostsrl", Some(("workedUnder", 2))),
    ("imdb/boostsrl_single", None),
    ("uwcse/will", None),
    ("uwcse/boostsrl", None),
    ("uwcse/popper", None),
    ("mutagenesis/popper", None),
    ("icml/uppercase", None),
    ("krk_illegal/muggleChess", None),
    ("upgrade", None),
    ("cora", Some(("sameauthor", 2))),
    ("cora", None),
    ("toy_father/will", None),
    ("popper_examples/kinship-ancestor", None),
    ("aleph_examples/posonly", None),
    ("aleph_examples/tree/animals", None),
    ("aleph_examples/tree/weather", None),
    ("aleph_examples/tree/wedge", None),
    ("popper_examples/1d_flip", None),
    ("popper_examples/iggp-buttons-next", None),
    ("popper_examples/iggp-coins-next-cell", None),
    ("popper_examples/iggp-rps-next-score", None),
    ("popper_examples/kinship-pi", None),
    ("popper_examples/robots-recursion", None),
    ("popper_examples/synthesis-contains", None),
    ("popper_examples/synthesis-dropk", None),
    ("popper_examples/zendo1", None),
    ("aleph_examples/abduce", None),
    ("aleph_examples/gcws", None),
    ("aleph_examples/recursion", None),
    ("aleph_examples/numbers/guess", None),
    ("aleph_examples/numbers/ineq", None),
    ("aleph_examples/numbers/line", None),
    ("aleph_examples/numbers/miline", None),
    ("uwcse/interpretations", None),
    ("will_toy", None),
    ("twitter", Some(("AccountType", 2))),
];

/// Where folds name different things alike, which are then of both classes without folds.
const CONTRADICTORY: &[(&str, Format)] = &[("toy_advice", Format::Aleph)];

/// The layouts in which data that cannot be learnt from are not written again byte by byte; none where there
/// are no data.
fn written_twice(request: &LoadRequest) -> Option<Vec<Format>> {
    let write_as = |request: &LoadRequest, to| convert(request, to, catalog(), &mut Sources::new()).ok();
    write_as(request, Format::Own)?;
    let mut differing = Vec::new();
    for to in FORMATS {
        // Several targets are not one.
        let Some(first) = write_as(request, to) else { continue };
        let folder = tempfile::tempdir().expect("a temporary folder can be made");
        write_converted(folder.path(), &first);
        let again = LoadRequest { path: folder.path().to_owned(), ..request.clone() };
        if write_as(&again, to).is_none_or(|second| second.files != first.files) {
            differing.push(to);
        }
    }
    Some(differing)
}

/// All that differ are told at once.
#[expect(
    clippy::print_stderr,
    reason = "a skipped test says so, and so does a set that cannot be learnt from"
)]
fn check_sets(keep: impl Fn(usize) -> bool) {
    let Some(data) = std::env::var_os("GLEANER_DATA").map(PathBuf::from) else {
        eprintln!("skipped: GLEANER_DATA is not set");
        return;
    };
    let mut wrong = Vec::new();
    for (_, (set, target)) in SETS.iter().enumerate().filter(|(number, _)| keep(*number)) {
        let target = target.map(|(name, arity)| PredicateName::new(name, arity));
        let request =
            LoadRequest { path: data.join(set), target: target.map(Into::into), ..LoadRequest::default() };
        if load(&request, &mut Sources::new()).is_err() {
            match written_twice(&request) {
                Some(differing) => {
                    eprintln!("{set} cannot be learnt from; written twice it differs in {differing:?}");
                    wrong.extend(differing.iter().map(|to| format!("{set} as {} differs", to.name())));
                }
                None => eprintln!("skipped: {set} is not there"),
            }
            continue;
        }
        let original = Original::of(&request, 100);
        for to in FORMATS {
            #[expect(clippy::disallowed_methods, reason = "a run shows how long a set takes")]
            let started = std::time::Instant::now();
            let differences = original.round_trip(to);
            eprintln!("{set} as {}: {differences:?} {:.1?}", to.name(), started.elapsed());
            if CONTRADICTORY.contains(&(*set, to)) {
                let told = codes_of(&converted(&request, to).warnings);
                assert!(
                    told.contains(&codes::EXAMPLES_NOT_SAID) && differences.len() == 1,
                    "{set}: {differences:?}"
                );
            } else if !differences.is_empty() {
                wrong.push(format!("{set} as {}: {differences:?}", to.name()));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn public_data_are_the_same_in_every_layout() {
    check_sets(|number| number % 2 == 0);
}

#[test]
fn more_public_data_are_the_same_in_every_layout() {
    check_sets(|number| number % 2 == 1);
}
