//! The tree of one test against plain loops over all tests of the modes, on small random problems; and trees by hand.

use std::path::Path;

use proptest::prelude::{ProptestConfig, prop_assert, proptest};

use gleaner::experiment::default_settings;
use gleaner::experiment::numbers::result::NumberRun;
use gleaner::experiment::numbers::run::run_numbers;
use gleaner::experiment::runs::split::{SplitRequest, whole};
use gleaner_base::{Budget, Forgetful};
use gleaner_data::Problem;
use gleaner_learn::trees::model::TreeModel;
use gleaner_learn::trees::tree::{LeafNumbers, Node};
use gleaner_learn::{RunContext, Silent};

use super::{loaded, request, written};

/// Learns from all examples, none of which is held out.
fn learn(problem: &Problem, made: &[(&str, &str)]) -> NumberRun {
    let mut settings = default_settings();
    for (name, value) in made {
        settings.set(name, value).unwrap_or_else(|fault| panic!("{name}: {fault:?}"));
    }
    let asked = SplitRequest { n_folds: 5, group: None, tune_share: 0.0, rng_seed: 1 };
    let split = whole(problem, &asked).expect("two examples");
    let budget = Budget::unlimited();
    let context = RunContext {
        budget: &budget,
        rng_seed: 1,
        monitor: &Silent,
        cover_bytes: 1 << 24,
        keeper: &Forgetful,
    };
    run_numbers(problem, &settings, &split, &context)
}

/// The leaves of a model's trees: how many examples, their numbers, and what each adds.
fn leaves(run: &NumberRun) -> Vec<Vec<(usize, LeafNumbers, f64)>> {
    let model = run.model.downcast::<TreeModel>().expect("trees");
    let leaf = |node: &Node| match node {
        Node::Leaf(leaf) => {
            let n = leaf.train.true_positives + leaf.train.false_positives;
            Some((n, leaf.numbers.expect("numbers"), leaf.value))
        }
        Node::Split(_) => None,
    };
    model.trees.iter().map(|tree| tree.nodes.iter().filter_map(leaf).collect()).collect()
}

const ONE_TEST: [(&str, &str); 9] = [
    ("learner", "tree"),
    ("leaves", "2"),
    ("tree-depth", "1"),
    ("test-length", "2"),
    ("node-sample", "1000"),
    ("min-leaf", "2"),
    ("number-thresholds", "exact"),
    ("refit", "none"),
    ("object-identity", "off"),
];

/// An example of a small problem: its number, its colours and its sizes.
type Small = (i32, Vec<u8>, Vec<u8>);

/// The greatest fall of the squares by one test: whether an example has a colour, some size, or a size at least or at most so
/// large.
fn best_by_loops(examples: &[Small], least: usize) -> f64 {
    let squares = |numbers: &[f64]| {
        let mean = numbers.iter().sum::<f64>() / numbers.len().max(1) as f64;
        numbers.iter().map(|number| (number - mean).powi(2)).sum::<f64>()
    };
    type Test = Box<dyn Fn(&Small) -> bool>;
    let mut tests: Vec<Test> = vec![Box::new(|(_, _, sizes)| !sizes.is_empty())];
    for colour in 0..4 {
        tests.push(Box::new(move |(_, colours, _)| colours.contains(&colour)));
    }
    for size in 0..10 {
        tests.push(Box::new(move |(_, _, sizes)| sizes.iter().any(|own| *own >= size)));
        tests.push(Box::new(move |(_, _, sizes)| sizes.iter().any(|own| *own <= size)));
    }
    let all: Vec<f64> = examples.iter().map(|of| f64::from(of.0)).collect();
    let mut best = 0.0_f64;
    let mut weigh = |test: &dyn Fn(&Small) -> bool| {
        let (passing, failing): (Vec<&Small>, Vec<&Small>) = examples.iter().partition(|of| test(of));
        if passing.len() >= least && failing.len() >= least {
            let of = |part: Vec<&Small>| squares(&part.iter().map(|of| f64::from(of.0)).collect::<Vec<_>>());
            best = best.max(squares(&all) - of(passing) - of(failing));
        }
    };
    tests.iter().for_each(|test| weigh(test));
    best
}

fn problem_of(name: &str, examples: &[Small]) -> Problem {
    let mut background = String::new();
    let mut positives = String::new();
    for (at, (number, colours, sizes)) in examples.iter().enumerate() {
        positives += &format!("value(e{at}, {number}).\n");
        colours.iter().for_each(|colour| background += &format!("colour(e{at}, c{colour}).\n"));
        sizes.iter().for_each(|size| background += &format!("size(e{at}, {size}).\n"));
    }
    // Both relations have facts in any case.
    background += "colour(other, c0).\nsize(other, 0).\n";
    let modes = ":- modeh(1, value(+thing, #number)).\n:- modeb(*, colour(+thing, #colour)).\n\
                 :- modeb(*, size(+thing, -size)).\n:- modeb(1, +size >= #size).\n:- modeb(1, +size =< #size).\n";
    let files = [("background.pl", &*background), ("modes.pl", modes), ("pos.pl", &positives)];
    let folder = written(name, &files);
    loaded(&request(Path::new(&folder), None, "2")).expect("it loads").0
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, ..ProptestConfig::default() })]

    /// The tree's test lessens the squares as much as the best of all.
    #[test]
    fn one_test_is_the_best_of_all(
        examples in proptest::collection::vec(
            (-20..20, proptest::collection::vec(0_u8..4, 0..3), proptest::collection::vec(0_u8..10, 0..3)), 4..14,
        ),
    ) {
        let mut examples = examples;
        // Two numbers at least.
        examples[0].0 = 21;
        let problem = problem_of("numbers-twin", &examples);
        let run = learn(&problem, &ONE_TEST);
        let expected = best_by_loops(&examples, 2);
        let all: Vec<f64> = examples.iter().map(|of| f64::from(of.0)).collect();
        let mean = all.iter().sum::<f64>() / all.len() as f64;
        let found = leaves(&run).first().map_or(0.0, |leaves| {
            leaves.iter().map(|(n, of, _)| *n as f64 * (of.mean - mean).powi(2)).sum()
        });
        prop_assert!((found - expected).abs() <= 1e-9 * (1.0 + expected), "{found} for {expected}");
    }
}

/// Four houses with gardens at 10, 12, 14 and 12, four without at 2, 4, 6 and 4.
fn houses(name: &str) -> Problem {
    let background = "garden(a). garden(b). garden(c). garden(d).\n";
    let prices = "price(a, 10). price(b, 12). price(c, 14). price(d, 12).\n\
                  price(e, 2). price(f, 4). price(g, 6). price(h, 4).\n";
    let modes = ":- modeh(1, price(+house, #euros)).\n:- modeb(1, garden(+house)).\n";
    let folder = written(name, &[("background.pl", background), ("modes.pl", modes), ("pos.pl", prices)]);
    loaded(&request(&folder, None, "2")).expect("it loads").0
}

fn is_near(found: f64, expected: f64) -> bool {
    (found - expected).abs() < 1e-12
}

/// The leaves have the means 12 and 4, with variances (4 + 0 + 4 + 0) / 4 = 2. From the mean of 8 they add 4 and -4.
#[test]
fn a_tree_by_hand() {
    let run = learn(&houses("numbers-tree"), &ONE_TEST);
    let leaves = &leaves(&run)[0];
    for ((n, numbers, adds), (mean, step)) in leaves.iter().zip([(12.0, 4.0), (4.0, -4.0)]) {
        assert_eq!(*n, 4);
        assert!(is_near(numbers.mean, mean) && is_near(numbers.deviation, 2.0_f64.sqrt()));
        assert!(is_near(*adds, step));
    }
    assert!(is_near(run.scale.mean, 8.0) && is_near(run.scale.median, 8.0));
}

/// Two rounds with half of each step: 8 and 2, then of what is left, 2, another 1. With counts the first round starts at ln 8
/// and steps by (48 - 32) / 32 and (16 - 32) / 32, halved.
#[test]
fn rounds_by_hand() {
    let rounds = |name: &str, further: &[(&str, &str)]| {
        let mut made =
            vec![("learner", "rdn-boost"), ("rounds", "2"), ("forests", "1"), ("shrinkage", "0.5")];
        made.extend(ONE_TEST.iter().filter(|(name, _)| *name != "learner"));
        made.extend(further);
        let run = learn(&houses(name), &made);
        let base = run.model.downcast::<TreeModel>().expect("trees").base;
        (
            base,
            leaves(&run)
                .iter()
                .map(|leaves| leaves.iter().map(|of| of.2).collect())
                .collect::<Vec<Vec<f64>>>(),
        )
    };
    let (base, steps) = rounds("numbers-rounds", &[]);
    assert!(is_near(base, 8.0));
    for (found, expected) in steps.iter().flatten().zip([2.0, -2.0, 1.0, -1.0]) {
        assert!(is_near(*found, expected), "{steps:?}");
    }
    let (base, steps) = rounds("numbers-counts", &[("loss", "poisson")]);
    assert!(is_near(base, 8.0_f64.ln()));
    assert!(is_near(steps[0][0], 0.25) && is_near(steps[0][1], -0.25), "{steps:?}");
    // The medians of what is left are 4 and -4.
    let (base, steps) = rounds("numbers-medians", &[("loss", "quantile")]);
    assert!(
        is_near(base, 8.0) && is_near(steps[0][0], 2.0) && is_near(steps[0][1], -2.0),
        "{base} {steps:?}"
    );
}
