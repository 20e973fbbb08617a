//! Public data sets load with the numbers that their README counts by other means.
//!
//! `GLEANER_DATA` names the folder that holds them; without it these tests say that they are skipped.

use std::path::PathBuf;
use std::sync::Arc;

use gleaner_base::random::{Purpose, stream};
use gleaner_base::{Budget, ExampleId, FoldId};
use gleaner_data::{Division, Format, LoadPurpose, LoadRequest, Problem};
use gleaner_engine::bias::{RefinementSpace, SaturationConfig, saturate};
use gleaner_engine::coverage::{ComponentEngine, CoverStore, Universe, reference};
use gleaner_lang::program::clause::ObjectIdentity;
use gleaner_lang::program::mode::Negation;
use gleaner_lang::program::{Literal, PredicateName};
use gleaner_lang::syntax::{Sources, render};

/// The folder of a data set, or a word on why the test does nothing.
#[expect(clippy::print_stderr, reason = "a skipped test says so")]
fn data(set: &str) -> Option<PathBuf> {
    let Some(folder) = std::env::var_os("GLEANER_DATA") else {
        eprintln!("skipped: GLEANER_DATA is not set");
        return None;
    };
    let folder = PathBuf::from(folder).join(set);
    if folder.exists() {
        return Some(folder);
    }
    eprintln!("skipped: {} is not there", folder.display());
    None
}

fn load(set: &str, target: Option<(&str, usize)>, restriction: Option<&str>) -> Option<Problem> {
    let request = LoadRequest {
        path: data(set)?,
        target: target.map(|(name, arity)| PredicateName::new(name, arity).into()),
        restriction: restriction.map(str::to_owned),
        ..LoadRequest::default()
    };
    let mut sources = Sources::new();
    match gleaner::experiment::load(&request, &mut sources) {
        Ok(loaded) => Some(loaded.problem),
        Err(faults) => panic!("{set} does not load:\n{}", render(&faults, &sources, false)),
    }
}

/// Positives and negatives of each fold, and of the whole.
fn sizes(problem: &Problem) -> (Vec<(usize, usize)>, (usize, usize)) {
    let count = |keep: &dyn Fn(ExampleId) -> bool| {
        let kept: Vec<bool> = problem
            .examples()
            .ids()
            .filter(|&id| keep(id))
            .map(|id| problem.examples().is_positive(id))
            .collect();
        let n_positives = kept.iter().filter(|&&is_positive| is_positive).count();
        (n_positives, kept.len() - n_positives)
    };
    let folds = (0..problem.fold_names().len())
        .map(|fold| count(&|id| problem.examples().fold(id) == Some(FoldId::new(fold))))
        .collect();
    (folds, count(&|_| true))
}

/// Given facts of each predicate that has some, largest first.
fn facts(problem: &Problem) -> Vec<(String, usize)> {
    let mut facts: Vec<(String, usize)> = problem
        .profile()
        .iter()
        .filter(|profile| profile.n_facts > 0)
        .map(|profile| (profile.predicate.clone(), profile.n_facts))
        .collect();
    facts.sort_by(|left, right| right.1.cmp(&left.1).then_with(|| left.0.cmp(&right.0)));
    facts
}

fn n_facts(problem: &Problem) -> usize {
    problem.profile().iter().map(|profile| profile.n_facts).sum()
}

fn n_predicates(problem: &Problem) -> usize {
    facts(problem).len()
}

/// README, 2.1.
#[test]
fn uwcse() {
    let Some(problem) = load("uwcse/boostsrl", None, None) else { return };
    assert_eq!(problem.target().to_string(), "advisedby/2");
    assert_eq!((problem.format(), problem.division()), (Format::Boostsrl.name(), Division::Folds));
    assert_eq!(problem.fold_names(), ["fold1", "fold2", "fold3", "fold4", "fold5"]);
    let (folds, all) = sizes(&problem);
    assert_eq!(folds, [(16, 2_385), (33, 5_151), (9, 775), (20, 3_701), (35, 4_589)]);
    assert_eq!(all, (113, 16_601));
    let expected = [
        ("publication/2", 734),
        ("taughtby/3", 286),
        ("sameperson/2", 278),
        ("student/1", 216),
        ("ta/3", 195),
        ("sameproject/2", 151),
        ("inphase/2", 140),
        ("yearsinprogram/2", 140),
        ("courselevel/2", 132),
        ("samecourse/2", 132),
        ("professor/1", 62),
        ("hasposition/2", 52),
        ("tempadvisedby/2", 37),
        ("projectmember/2", 5),
    ];
    assert_eq!(facts(&problem), expected.map(|(name, n)| (name.to_owned(), n)));
    // Areas are worlds: facts of one are not seen from another. The last has the shared facts alone.
    assert_eq!(problem.worlds().len(), 6);
    let per_world = |world: usize| -> usize {
        (0..problem.symbols().predicates.len())
            .map(|predicate| {
                problem.worlds()[world].relation(gleaner_base::PredicateId::new(predicate)).n_rows()
            })
            .sum()
    };
    assert_eq!((0..6).map(per_world).collect::<Vec<_>>(), [465, 733, 182, 449, 731, 0]);
}

/// The task that the literature quotes.
#[test]
fn uwcse_of_students_and_professors() {
    let Some(problem) = load("uwcse/boostsrl", None, Some("student(A), professor(B)")) else { return };
    let (folds, all) = sizes(&problem);
    assert_eq!(folds, [(16, 452), (33, 939), (9, 151), (20, 448), (35, 721)]);
    assert_eq!(all, (113, 2_711));
}

/// README, 2.4.
#[test]
fn webkb() {
    let Some(problem) = load("webkb", None, None) else { return };
    assert_eq!(problem.target().to_string(), "faculty/1");
    let (folds, all) = sizes(&problem);
    assert_eq!(folds, [(46, 149), (42, 167), (34, 143), (31, 134)]);
    assert_eq!(all, (153, 593));
    let expected = [
        ("sameperson/2", 711),
        ("student/1", 558),
        ("project/2", 392),
        ("courseprof/2", 130),
        ("courseta/2", 121),
    ];
    assert_eq!(facts(&problem), expected.map(|(name, n)| (name.to_owned(), n)));
}

/// README, 2.5.
#[test]
fn imdb() {
    let Some(problem) = load("imdb/boostsrl", Some(("workedUnder", 2)), None) else { return };
    let (folds, all) = sizes(&problem);
    assert_eq!(folds, [(56, 112), (58, 116), (178, 356), (45, 90), (45, 90)]);
    assert_eq!(all, (382, 764));
    assert_eq!((n_facts(&problem), n_predicates(&problem)), (696, 5));
}

#[test]
fn trains() {
    let Some(problem) = load("trains/aleph", None, None) else { return };
    assert_eq!(
        (problem.target().to_string().as_str(), problem.format()),
        ("eastbound/1", Format::Aleph.name())
    );
    assert_eq!(sizes(&problem), (Vec::new(), (5, 5)));
    assert_eq!((n_facts(&problem), n_predicates(&problem)), (230, 13));
    assert_eq!((problem.division(), problem.worlds().len()), (Division::None, 1));
}

#[test]
fn toys() {
    let Some(cancer) = load("toy_cancer", None, None) else { return };
    assert_eq!((cancer.target().to_string().as_str(), cancer.division()), ("cancer/1", Division::TrainTest));
    assert_eq!(sizes(&cancer).0, [(4, 2), (3, 2)]);
    assert_eq!((n_facts(&cancer), n_predicates(&cancer)), (15 + 13, 2));
    let Some(father) = load("toy_father", None, None) else { return };
    assert_eq!((father.target().to_string().as_str(), father.division()), ("father/2", Division::TrainTest));
    assert_eq!(sizes(&father).0, [(5, 21), (3, 4)]);
    assert_eq!((n_facts(&father), n_predicates(&father)), (41 + 11, 3));
}

/// Random legal candidates from bottom clauses: engines over a store that all bottom clauses share, one
/// that keeps everything and one that forgets all the time, against the reference, clause by clause.
fn engines_agree(problem: &Problem, n_candidates: usize, max_literals: usize) {
    let all: Vec<ExampleId> = problem.examples().ids().collect();
    // The slow engine bounds how many examples can be asked for: every positive, some negatives.
    let step = all.len().div_ceil(300);
    let chosen: Vec<ExampleId> =
        all.into_iter().filter(|&id| problem.examples().is_positive(id) || id.index() % step == 0).collect();
    let universe = Universe::new(Arc::clone(problem.examples()), &chosen);
    let mut rng = stream(7, Purpose::Search, &[]);
    let seeds: Vec<ExampleId> = universe.positives().step_by(universe.n_positives().div_ceil(10)).collect();
    let config = SaturationConfig {
        depth: 2,
        max_bottom_literals: 500,
        negation: Negation::Proposed,
        object_identity: ObjectIdentity::Off,
        thresholds: gleaner_lang::program::Thresholds::Seed,
        max_thresholds: usize::MAX,
    };
    let stores = [usize::MAX, 1 << 12]
        .map(|capacity| Arc::new(CoverStore::with_capacity(problem.worlds(), &universe, capacity)));
    let (mut n_compared, mut n_selective) = (0, 0);
    for seed in &seeds {
        let background = &problem.worlds()[problem.examples().world(*seed).index()];
        let bottom = saturate(background, problem.modes(), problem.examples(), *seed, config);
        let space = RefinementSpace::new(&bottom, max_literals);
        let literals: Vec<Literal> = bottom.literals.iter().map(|literal| literal.literal.clone()).collect();
        let mut engines = [0, 1].map(|store| {
            let (head, literals) = (bottom.head.clone(), literals.clone());
            ComponentEngine::sharing(&stores[store], head, literals, Budget::unlimited())
        });
        for number in 0..n_candidates.div_ceil(seeds.len()) {
            let candidate = space.draw(1 + number % (max_literals - 1), &mut rng);
            let clause = bottom.clause(candidate.positions());
            let expected = reference::cover(problem.worlds(), &clause, &universe);
            assert!(
                expected.iter().any(|position| universe.example(position) == Some(*seed)),
                "the seed is covered"
            );
            n_compared += 1;
            n_selective += usize::from(expected.count() < chosen.len() / 2);
            for engine in &mut engines {
                let found = engine.cover(candidate.positions()).expect("nothing interrupts");
                let text = gleaner_lang::program::display::clause_text(&clause, problem.symbols());
                assert_eq!(found, expected, "{text}");
            }
        }
    }
    // Clauses that cover everything would agree whatever the engines do.
    assert!(n_compared >= n_candidates && n_selective > n_compared / 5, "{n_selective} of {n_compared}");
}

/// Needs no data of others: relations large enough that semi-joins choose their sparser side.
#[test]
fn engines_agree_on_the_fixture() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/university").into();
    let request = LoadRequest { path, ..LoadRequest::default() };
    let loaded =
        gleaner::experiment::load(&request, &mut Sources::new()).expect("the fixture is well formed");
    engines_agree(&loaded.problem, 300, 5);
}

#[test]
fn engines_agree_on_uwcse() {
    if let Some(problem) = load("uwcse/boostsrl", None, Some("student(A), professor(B)")) {
        engines_agree(&problem, 200, 4);
    }
}

#[test]
fn engines_agree_on_trains() {
    if let Some(problem) = load("trains/aleph", None, None) {
        engines_agree(&problem, 200, 6);
    }
}

/// A set as its README counts it; none is not counted there, or counted otherwise.
struct Counted {
    set: &'static str,
    target: &'static str,
    positives: usize,
    negatives: usize,
    facts: Option<usize>,
    predicates: Option<usize>,
    format: Format,
}

const fn counted(
    set: &'static str,
    target: &'static str,
    (positives, negatives): (usize, usize),
    (facts, predicates): (Option<usize>, Option<usize>),
    format: Format,
) -> Counted {
    Counted { set, target, positives, negatives, facts, predicates, format }
}

/// README, 1 and 2.9, 2.10. Repeated examples are counted once; where train and test are one set in two
/// folders, and where they are two, both count. Where facts differ: the README counts facts with variables
/// (`eq(A,A).`), which are unsafe rules here (- n); of upgrade it counts the file of facts alone, and 55 more
/// of four predicates stand among the rules; of imdb, single, the training half has 952.
const COUNTED: &[Counted] = &[
    counted("uwcse/popper", "advisedBy/2", (113, 39_177), (Some(2_560), Some(14)), Format::Popper),
    counted("uwcse/will", "advisedby/2", (35, 4_589), (Some(731), Some(14)), Format::Boostsrl),
    // `eq(A,A).` is read as the comparison `=`.
    counted("mutagenesis/popper", "active/1", (125, 63), (Some(15_076 - 2), None), Format::Popper),
    counted(
        "mutagenesis/popper/exs_non_regression_friendly.pl",
        "active/1",
        (13, 29),
        (Some(15_076 - 2), None),
        Format::Popper,
    ),
    counted("trains/popper_trains1", "f/1", (394, 606), (Some(28_503), Some(23)), Format::Popper),
    counted("trains/aleph_single_file", "eastbound/1", (5, 5), (Some(230), Some(13)), Format::Aleph),
    counted(
        "imdb/boostsrl_single",
        "female_gender/1",
        (2 * 95, 2 * 146),
        (Some(952 + 951), Some(4)),
        Format::Boostsrl,
    ),
    counted(
        "icml/uppercase",
        "CoAuthor/2",
        (109 + 46, 4_549 + 1_949),
        (Some(2 * 1_395), Some(4)),
        Format::Boostsrl,
    ),
    counted("krk_illegal/chess", "illegal/6", (3_182, 6_628), (Some(58), None), Format::Boostsrl),
    counted("upgrade", "upgrade/1", (15, 79), (Some(6_860 + 55), Some(73 + 4)), Format::Boostsrl),
    counted("toy_advice", "ha/1", (141 + 2_496, 109 + 2_504), (Some(250 + 5_000), Some(1)), Format::Boostsrl),
    counted("popper_examples/1d_flip", "out/3", (31, 915), (Some(1_664), None), Format::Popper),
    counted("popper_examples/iggp-buttons-next", "next/2", (98, 432), (Some(656), None), Format::Popper),
    counted(
        "popper_examples/iggp-coins-next-cell",
        "next_cell/3",
        (576, 1_968),
        (Some(1_101), None),
        Format::Popper,
    ),
    counted(
        "popper_examples/iggp-rps-next-score",
        "next_score/3",
        (108, 356),
        (Some(297), None),
        Format::Popper,
    ),
    counted("popper_examples/kinship-ancestor", "ancestor/2", (3, 0), (Some(12), None), Format::Popper),
    counted("popper_examples/kinship-pi", "grandparent/2", (5, 1), (Some(8), None), Format::Popper),
    counted("popper_examples/robots-recursion", "f/2", (20, 21), (Some(3 - 2), None), Format::Popper),
    counted("popper_examples/synthesis-contains", "f/1", (20, 20), (Some(106 - 3), None), Format::Popper),
    counted("popper_examples/synthesis-dropk", "f/3", (10, 10), (Some(7 - 3), None), Format::Popper),
    counted("popper_examples/zendo1", "zendo/1", (20, 20), (Some(928), None), Format::Popper),
    counted("aleph_examples/abduce", "grandparent/2", (16, 768), (None, None), Format::Aleph),
    counted("aleph_examples/gcws", "normal/1", (1_212, 388), (None, None), Format::Aleph),
    counted("aleph_examples/posonly", "class/2", (10, 0), (None, None), Format::Aleph),
    counted("aleph_examples/recursion", "mem/2", (19, 6), (None, None), Format::Aleph),
    counted("aleph_examples/numbers/guess", "p/1", (5, 4), (None, None), Format::Aleph),
    counted("aleph_examples/numbers/ineq", "p/1", (5, 4), (None, None), Format::Aleph),
    counted("aleph_examples/numbers/line", "p/2", (4, 3), (None, None), Format::Aleph),
    counted("aleph_examples/numbers/miline", "p/3", (6, 3), (None, None), Format::Aleph),
    counted("aleph_examples/tree/animals", "class/2", (10, 0), (None, None), Format::Aleph),
    counted("aleph_examples/tree/weather", "class/2", (14, 0), (None, None), Format::Aleph),
    counted("aleph_examples/tree/wedge", "f/2", (5, 0), (None, None), Format::Aleph),
];

/// All that differ are told at once.
#[test]
fn layouts_of_other_systems_have_the_numbers_counted_by_other_means() {
    let mut wrong = Vec::new();
    for counted in COUNTED {
        // An Aleph path may be a stem.
        let folder = counted.set.rsplit_once('/').map_or(counted.set, |(folder, _)| folder);
        let Some(root) = data(folder) else { continue };
        let name = counted.set.rsplit('/').next().unwrap_or_default();
        let path = if folder == counted.set { root } else { root.join(name) };
        let request = LoadRequest { path, purpose: LoadPurpose::Inspect, ..LoadRequest::default() };
        let mut sources = Sources::new();
        let problem = match gleaner::experiment::load(&request, &mut sources) {
            Ok(loaded) => loaded.problem,
            Err(faults) => panic!("{} does not load:\n{}", counted.set, render(&faults, &sources, false)),
        };
        let (_, (positives, negatives)) = sizes(&problem);
        let found = (problem.target().to_string(), positives, negatives, problem.format());
        if found != (counted.target.to_owned(), counted.positives, counted.negatives, counted.format.name()) {
            wrong.push(format!("{}: {found:?}", counted.set));
        }
        let (n_facts, n_predicates) = (n_facts(&problem), n_predicates(&problem));
        if counted.facts.is_some_and(|facts| facts != n_facts)
            || counted.predicates.is_some_and(|predicates| predicates != n_predicates)
        {
            wrong.push(format!("{}: {n_facts} facts of {n_predicates} predicates", counted.set));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// A set that is loaded with flags, as its README counts it.
struct Asked<'a> {
    set: &'a str,
    format: Option<Format>,
    target: Option<(&'a str, Option<usize>)>,
    background: &'a [&'a str],
    modes: Option<&'a str>,
    /// `(target, positives, negatives)`.
    examples: (&'a str, usize, usize),
    /// Positives and negatives of each fold.
    folds: &'a [(usize, usize)],
    /// Facts, and the predicates that have some.
    facts: (usize, usize),
}

fn check_asked(asked: &Asked<'_>) {
    let Some(path) = data(asked.set) else { return };
    let Some(root) = data("") else { return };
    let request = LoadRequest {
        path,
        format: asked.format,
        target: asked
            .target
            .map(|(name, arity)| gleaner_lang::program::TargetName { name: name.to_owned(), arity }),
        background: asked.background.iter().map(|file| root.join(file)).collect(),
        modes: asked.modes.map(|file| root.join(file)),
        purpose: LoadPurpose::Inspect,
        ..LoadRequest::default()
    };
    let mut sources = Sources::new();
    let problem = match gleaner::experiment::load(&request, &mut sources) {
        Ok(loaded) => loaded.problem,
        Err(faults) => panic!("{} does not load:\n{}", asked.set, render(&faults, &sources, false)),
    };
    let (folds, (positives, negatives)) = sizes(&problem);
    assert_eq!(
        (problem.target().to_string().as_str(), positives, negatives),
        asked.examples,
        "examples of {}",
        asked.set
    );
    assert_eq!(folds, asked.folds, "folds of {}", asked.set);
    assert_eq!((n_facts(&problem), n_predicates(&problem)), asked.facts, "facts of {}", asked.set);
}

/// README, 1, 2.1: the areas are the folds in the order of their names.
#[test]
fn interpretations() {
    check_asked(&Asked {
        set: "uwcse/interpretations",
        format: None,
        target: None,
        background: &[],
        modes: None,
        examples: ("advisedby/3", 113, 4_079),
        folds: &[(35, 1_814), (20, 341), (9, 91), (33, 1_488), (16, 345)],
        facts: (2_560, 14),
    });
}

/// README, 1: the query alone names the target, nothing is listed of it.
#[test]
fn databases() {
    check_asked(&Asked {
        set: "uwcse/mln",
        format: None,
        target: None,
        background: &[],
        modes: None,
        examples: ("advisedBy/2", 0, 0),
        folds: &[],
        facts: (731, 14),
    });
    // Both files together, 1,454 and 1,406 facts; 126 and 156 positives.
    check_asked(&Asked {
        set: "twitter",
        format: None,
        target: Some(("AccountType", None)),
        background: &[],
        modes: None,
        examples: ("AccountType/2", 282, 0),
        folds: &[(126, 0), (156, 0)],
        facts: (1_454 + 1_406, 2),
    });
}

/// README, 2.8. The 7,268, 659 and 722 triples of one relation were counted by `cut` and `grep`; the facts
/// are those of the training part, as the others are kept back for tests.
#[test]
fn triples() {
    check_asked(&Asked {
        set: "fb15k237",
        format: None,
        target: Some(("/film/film/genre", Some(2))),
        background: &[],
        modes: None,
        examples: ("/film/film/genre/2", 7_268 + 659 + 722, 0),
        folds: &[(7_268, 0), (659, 0), (722, 0)],
        facts: (272_115 - 7_268, 236),
    });
    check_asked(&Asked {
        set: "fb15k237",
        format: None,
        target: None,
        background: &[],
        modes: None,
        examples: ("none/0", 0, 0),
        folds: &[(0, 0), (0, 0), (0, 0)],
        facts: (272_115, 237),
    });
}

const MUTAGENESIS: &[&str] = &[
    "mutagenesis/progol_aleph/data/atom_bond.pl",
    "mutagenesis/progol_aleph/data/ring_struc.pl",
    "mutagenesis/progol_aleph/data/logp.pl",
    "mutagenesis/progol_aleph/data/lumo.pl",
    "mutagenesis/progol_aleph/data/ind1.pl",
    "mutagenesis/progol_aleph/data/inda.pl",
    "mutagenesis/progol_aleph/data/log_mutag.pl",
];

/// README, 1 and 2.2, with the modes of each of the three systems; Progol's file has nine elements beside.
#[test]
fn fold_files_with_headless_negatives() {
    for (system, more_facts) in [("aleph", (0, 0)), ("progol", (9, 1)), ("golem", (0, 0))] {
        let modes = format!("mutagenesis/progol_aleph/data/{system}/mode.pl");
        check_asked(&Asked {
            set: "mutagenesis/progol_aleph/lp/188",
            format: None,
            target: None,
            background: MUTAGENESIS,
            modes: Some(&modes),
            examples: ("active/1", 125, 63),
            folds: &[
                (14, 5),
                (9, 10),
                (12, 7),
                (16, 3),
                (14, 5),
                (14, 5),
                (13, 6),
                (8, 11),
                (14, 5),
                (11, 6),
            ],
            facts: (15_065 + more_facts.0, 19 + more_facts.1),
        });
    }
    check_asked(&Asked {
        set: "mutagenesis/progol_aleph/lp/42",
        format: Some(Format::Progol),
        target: None,
        background: MUTAGENESIS,
        modes: Some("mutagenesis/progol_aleph/data/aleph/mode.pl"),
        examples: ("active/1", 13, 29),
        folds: &[],
        facts: (15_065, 19),
    });
}

/// README, 1; the comment in the file of positives that tells the classes apart gives the counts of
/// `toy_father` itself.
#[test]
fn files_of_will() {
    check_asked(&Asked {
        set: "will_toy",
        format: None,
        target: None,
        background: &[],
        modes: None,
        examples: ("P/1", 5, 4),
        folds: &[],
        facts: (50, 8),
    });
    check_asked(&Asked {
        set: "toy_father/will",
        format: None,
        target: None,
        background: &[],
        modes: None,
        examples: ("father/2", 8, 25),
        folds: &[(5, 21), (3, 4)],
        facts: (41 + 11, 3),
    });
}

/// README, 2.9: declarations and rules only.
#[test]
fn what_has_no_examples_is_looked_at() {
    for (set, file, target) in [
        ("aleph_examples/constraints", "fam.b", "false/0"),
        ("aleph_examples/interactive", "mem.b", "none/0"),
        ("aleph_examples/numbers", "mut.b", "active/2"),
    ] {
        let Some(folder) = data(set) else { return };
        let request =
            LoadRequest { path: folder.join(file), purpose: LoadPurpose::Inspect, ..LoadRequest::default() };
        let mut sources = Sources::new();
        match gleaner::experiment::load(&request, &mut sources) {
            Ok(loaded) => assert_eq!(loaded.problem.target().to_string(), target, "of {file}"),
            Err(faults) => panic!("{file} does not load:\n{}", render(&faults, &sources, false)),
        }
    }
}

/// README, 2.3: the example files hold four targets; 7,060 facts of six predicates.
#[test]
fn several_targets_in_one_file() {
    let folds = |problem: &Problem| sizes(problem).1;
    for (target, positives, negatives) in [
        ("samebib", 30_971, 21_952),
        ("samevenue", 3_017, 5_022),
        ("sameauthor", 812, 74),
        ("sametitle", 698, 716),
    ] {
        let Some(path) = data("cora") else { return };
        let request = LoadRequest {
            path,
            target: Some(gleaner_lang::program::TargetName { name: target.to_owned(), arity: None }),
            purpose: LoadPurpose::Inspect,
            ..LoadRequest::default()
        };
        let mut sources = Sources::new();
        let problem = match gleaner::experiment::load(&request, &mut sources) {
            Ok(loaded) => loaded.problem,
            Err(faults) => panic!("cora does not load:\n{}", render(&faults, &sources, false)),
        };
        assert_eq!(folds(&problem), (positives, negatives), "{target}");
        assert_eq!((n_facts(&problem), n_predicates(&problem), problem.fold_names().len()), (7_060, 6, 5));
    }
}
