//! Work that a stop cuts: what is left of it, and what is said of it. No test here reads the clock: its budgets are of looks at it.

use std::fmt::Write as _;
use std::path::PathBuf;

use gleaner::experiment::{default_settings, load};
use gleaner_base::Budget;
use gleaner_data::{LoadRequest, Problem};
use gleaner_lang::program::settings::{DataSummary, LEARNER};
use gleaner_lang::syntax::Sources;
use gleaner_learn::auto::model::AutoModel;
use gleaner_learn::learner::{Fitting, Found};
use gleaner_learn::reduction::ReducedClauses;
use gleaner_learn::trees::TreesRecord;
use gleaner_learn::trees::model::TreeModel;
use gleaner_learn::{Covers, Model, StreamPath, configured_learner};

use crate::numbers::parcels;
use crate::support::task::{Conditions, on_sets, set_stores, sets};
use crate::support::{fresh_folder, gleaner, write};

/// The number of atoms of a molecule.
const N_ATOMS: usize = 12;

/// Molecules whose atoms and bonds propose many tests. Every third has a bond of kind `three` from an atom `z` to one `b`.
fn molecules(name: &str) -> PathBuf {
    let folder = fresh_folder(name);
    let mut background = String::new();
    let mut examples = vec![[String::new(), String::new()]; 4];
    for molecule in 0..60 {
        let is_positive = molecule % 3 == 0;
        for atom in 0..N_ATOMS {
            let (kind, next) = ((molecule * 5 + atom * 7) % 4, (atom + 1) % N_ATOMS);
            let element = if is_positive && atom == 4 { "z" } else { ["a", "b", "c", "d"][kind] };
            let element = if is_positive && atom == 5 { "b" } else { element };
            let bond = if is_positive && atom == 4 { "three" } else { ["one", "two"][(molecule + atom) % 2] };
            let charge = (molecule * 31 + atom * 17) % 23;
            let _ = writeln!(background, "atom(m{molecule}, m{molecule}_{atom}, {element}, {charge}).");
            let _ =
                writeln!(background, "bond(m{molecule}, m{molecule}_{atom}, m{molecule}_{next}, {bond}).");
        }
        let _ = writeln!(examples[molecule / 3 % 4][usize::from(!is_positive)], "active(m{molecule}).");
    }
    let modes = ":- modeh(1, active(+molecule)).\n:- modeb(*, atom(+molecule, -atom, #element, -charge)).\n\
                 :- modeb(*, atom(+molecule, +atom, #element, -charge)).\n\
                 :- modeb(*, bond(+molecule, -atom, -atom, #kind)).\n:- modeb(*, bond(+molecule, +atom, -atom, #kind)).\n\
                 :- modeb(1, +charge =< #charge).\n:- modeb(1, +charge >= #charge).\n";
    write(&folder, "background.pl", &background);
    write(&folder, "modes.pl", modes);
    for (fold, [positives, negatives]) in examples.iter().enumerate() {
        write(&folder, &format!("fold{}/pos.pl", fold + 1), positives);
        write(&folder, &format!("fold{}/neg.pl", fold + 1), negatives);
    }
    folder
}

fn problem(path: PathBuf) -> Problem {
    let request = LoadRequest { path, ..LoadRequest::default() };
    let loaded = load(&request, &mut Sources::new());
    loaded.map_err(|faults| format!("{faults:?}")).expect("the problem loads").problem
}

/// What a learner finds within a budget, shown with the model that it makes of it after a stop.
fn learnt<R>(
    problem: &Problem,
    settings: &[(&str, &str)],
    budget: &Budget,
    show: impl FnOnce(&Found, &dyn Model) -> R,
) -> R {
    let conditions = Conditions { rng_seed: 1, budget };
    on_sets(problem, &sets(problem), conditions, |task, context, stores| {
        let mut all = default_settings();
        for (name, value) in settings {
            all.set(name, value).expect("a setting");
        }
        let data = DataSummary { n_train_positives: task.train.n_positives(), ..DataSummary::default() };
        let learner = configured_learner(&all, data);
        let found = learner.search(task, context, set_stores(stores));
        let [train, tune] = [0, 1].map(|set: usize| Covers::sharing(&stores[set]));
        let fitting = Fitting {
            train: &train,
            tune: &tune,
            labels: problem.labels(),
            stream: StreamPath { rng_seed: 1, run_idx: 0 },
            budget: &Budget::unlimited(),
            reduced: &ReducedClauses::default(),
        };
        let whole = learner.points(&found).pop().expect("a learning curve ends with the whole search");
        let learnt = learner.fit(&found, &whole, &fitting).expect("there is time");
        show(&found, &*learnt.model)
    })
}

/// The rounds that were found, whether a stop came, and the trees.
fn trees(problem: &Problem, learner: &str, budget: &Budget) -> (usize, bool, TreeModel) {
    let settings = [(LEARNER, learner), ("rounds", "3"), ("forests", "2")];
    let settings = if learner == "tree" { &settings[..1] } else { &settings[..] };
    learnt(problem, settings, budget, |found, model| {
        let record = found.record.own.downcast::<TreesRecord>().expect("trees have such a record");
        let model = model.downcast::<TreeModel>().expect("trees").clone();
        (record.rounds, found.record.is_stopped(), model)
    })
}

/// Looks at the clock before the first tree.
const LOOKS_BEFORE: u64 = 4;

/// Proposing the tests of a first node took as long as there was time, and nothing was left of it: a single tree was whole or
/// none. Then six trees shared the time, and more of it left less where one of them had no test.
#[test]
fn a_first_tree_has_a_test_whatever_the_time() {
    let problem = problem(molecules("starved_trees"));
    for learner in ["tree", "rdn-boost"] {
        let (rounds, is_stopped, whole) = trees(&problem, learner, &Budget::unlimited());
        assert!(rounds > 0 && !is_stopped, "{learner}");
        let mut n_looks = LOOKS_BEFORE;
        loop {
            let (rounds, is_stopped, model) = trees(&problem, learner, &Budget::of_looks(n_looks));
            if !is_stopped {
                assert_eq!(model, whole, "{learner}: a limit that does not end it changes nothing");
                break;
            }
            let has_tests = !model.trees.is_empty() && model.trees.iter().all(|tree| tree.nodes.len() > 1);
            assert!(rounds > 0 && has_tests, "{learner}: {n_looks} looks: {rounds} rounds {:?}", model.trees);
            n_looks += n_looks / 4;
        }
        assert!(n_looks > 100 * LOOKS_BEFORE, "{learner}: {n_looks} looks");
    }
}

/// The mean was taken of learners that had found nothing: their scores were the base rate.
#[test]
fn a_candidate_that_found_nothing_is_in_no_mean() {
    let problem = problem(molecules("starved_auto"));
    let settings = [
        (LEARNER, "auto"),
        ("candidate-learners", "tree,rdn-boost,srl"),
        ("seeds", "4"),
        ("clauses", "100"),
        ("rounds", "3"),
        ("forests", "2"),
    ];
    let mut n_looks = 64;
    loop {
        let is_stopped = learnt(&problem, &settings, &Budget::of_looks(n_looks), |found, model| {
            let auto = model.downcast::<AutoModel>().expect("a choice");
            let empty: Vec<&str> = auto
                .members
                .iter()
                .filter(|member| member.model.is_empty())
                .map(|member| member.learner.as_str())
                .collect();
            assert!(
                empty.is_empty() || auto.members.len() == 1,
                "{n_looks} looks: {:?} {empty:?}",
                auto.choice
            );
            let weighed = auto.choice.options.iter().filter(|option| option.learners.len() == 1);
            let areas: Vec<(&String, f64)> =
                weighed.map(|option| (&option.learners[0], option.area)).collect();
            assert!(auto.members.len() == 1 || areas.len() > 1, "{n_looks} looks: {areas:?}");
            found.record.is_stopped()
        });
        if !is_stopped {
            break;
        }
        n_looks *= 2;
    }
}

/// `--quiet` hid it, as it was among the figures.
#[test]
fn numbers_that_are_cut_say_so_on_standard_error() {
    let folder = parcels("starved_numbers");
    let flags = ["--number-argument", "label", "--learner", "rdn-boost", "--time", "0s", "--quiet"];
    for command in ["cv", "learn"] {
        let (_, _, told) = gleaner(&folder, &[&[command, "."], &flags[..]].concat());
        assert!(told.contains("stopped: ") && told.contains("the time limit passed"), "{command}: {told}");
    }
}

/// Visits by people on days: both folds have the same days.
#[test]
fn a_cut_off_is_no_thing_of_several_folds() {
    let folder = fresh_folder("starved_cut_offs");
    let mut background = ":- timed(visit(_, time)).\n:- cutoff(ill(_, time)).\n".to_owned();
    for person in 0..12 {
        let _ = writeln!(background, "visit(p{person}, '2020-01-{:02}').", person + 1);
    }
    write(&folder, "background.pl", &background);
    write(&folder, "modes.pl", ":- modeh(1, ill(+person, +day)).\n:- modeb(1, visit(+person, -day)).\n");
    let example = |person: usize| format!("ill(p{person}, '2020-02-{:02}').\n", person % 3 + 1);
    let fold = |people: [usize; 6]| people.map(example).concat();
    write(&folder, "fold1/pos.pl", &fold([0, 1, 2, 0, 1, 2]));
    write(&folder, "fold1/neg.pl", &fold([3, 4, 5, 3, 4, 5]));
    write(&folder, "fold2/pos.pl", &fold([6, 7, 8, 6, 7, 8]));
    write(&folder, "fold2/neg.pl", &fold([9, 10, 11, 9, 10, 11]));
    let (_, _, told) = gleaner(&folder, &["inspect", "."]);
    assert!(!told.contains("G049"), "{told}");
    // The people of a fold are still told, and the days are not counted among them.
    write(&folder, "fold2/neg.pl", &fold([9, 10, 5, 9, 10, 5]));
    let (_, _, told) = gleaner(&folder, &["inspect", "."]);
    assert!(told.contains("1 of the 11 constants in examples occurs in several folds"), "{told}");
}
