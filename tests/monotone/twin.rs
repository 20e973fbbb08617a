//! The tree of one test under an order against plain loops over all tests that may be taken.

use proptest::prelude::{ProptestConfig, prop_assert, proptest};

use gleaner::{Dataset, Learner, Model, Source, Table};

/// An example: its number, its colours and its sizes.
type Small = (i64, Vec<u8>, Vec<u8>);

fn data(examples: &[Small]) -> Dataset {
    let mut facts = "colour(other,c0). size(other,0).\n".to_owned();
    for (at, (_, colours, sizes)) in examples.iter().enumerate() {
        colours.iter().for_each(|colour| facts += &format!("colour(e{at},c{colour}).\n"));
        sizes.iter().for_each(|size| facts += &format!("size(e{at},{size}).\n"));
    }
    let modes = ":- modeh(1, value(+thing, #number)). :- modeb(*, colour(+thing, #colour)).
                 :- modeb(*, size(+thing, -size)). :- modeb(1, +size >= #size). :- modeb(1, +size =< #size).";
    let values = Table::new("value")
        .column("thing", (0..examples.len()).map(|at| format!("e{at}")).collect::<Vec<_>>())
        .column("number", examples.iter().map(|(number, ..)| *number).collect::<Vec<_>>())
        .column("label", vec![true; examples.len()]);
    let source = Source::facts([values]).program(facts).program(modes);
    Dataset::reader(source).number_argument(2).open().expect("a data set")
}

/// The model of one test, which learns from all examples.
fn tree(data: &Dataset, monotone: &str) -> Model {
    let settings = [
        ("leaves", "2"),
        ("tree-depth", "1"),
        ("node-sample", "1000"),
        ("min-leaf", "2"),
        ("number-thresholds", "exact"),
        ("refit", "none"),
        ("object-identity", "off"),
        ("tune", "0"),
        ("monotone", monotone),
    ];
    let learner =
        settings.iter().fold(Learner::named("tree").expect("a learner"), |learner, (name, value)| {
            learner.with(name, value).unwrap_or_else(|fault| panic!("{name}: {fault}"))
        });
    learner.fit(data).expect("a model")
}

fn squares(numbers: &[f64]) -> f64 {
    let mean = mean(numbers);
    numbers.iter().map(|number| (number - mean).powi(2)).sum()
}

fn mean(numbers: &[f64]) -> f64 {
    numbers.iter().sum::<f64>() / numbers.len().max(1) as f64
}

/// The least sum of squares about the means of two sides, over all tests of one literal or two. The side of the larger sizes
/// has the larger mean, or the smaller one, as `sign` says; 0 for any.
fn least_squares(examples: &[Small], least: usize, sign: f64) -> f64 {
    let all: Vec<f64> = examples.iter().map(|of| of.0 as f64).collect();
    let mut best = squares(&all);
    let mut weigh = |passes: &dyn Fn(&Small) -> bool, direction: f64| {
        let (passing, failing): (Vec<&Small>, Vec<&Small>) = examples.iter().partition(|of| passes(of));
        let [passing, failing] =
            [passing, failing].map(|side| side.iter().map(|of| of.0 as f64).collect::<Vec<_>>());
        let is_in_order = (mean(&passing) - mean(&failing)) * direction * sign >= 0.0;
        if passing.len() >= least && failing.len() >= least && is_in_order {
            best = best.min(squares(&passing) + squares(&failing));
        }
    };
    weigh(&|(_, _, sizes)| !sizes.is_empty(), 0.0);
    for colour in 0..4 {
        weigh(&|(_, colours, _)| colours.contains(&colour), 0.0);
    }
    for size in 0..10 {
        weigh(&|(_, _, sizes)| sizes.iter().any(|own| *own >= size), 1.0);
        weigh(&|(_, _, sizes)| sizes.iter().any(|own| *own <= size), -1.0);
    }
    best
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, ..ProptestConfig::default() })]

    #[test]
    fn one_test_is_the_best_of_those_in_order(
        examples in proptest::collection::vec(
            (-20_i64..20, proptest::collection::vec(0_u8..4, 0..3), proptest::collection::vec(0_u8..10, 0..3)), 4..14,
        ),
    ) {
        let mut examples = examples;
        // Two numbers at least.
        examples[0].0 = 21;
        let data = data(&examples);
        for (monotone, sign) in [("none", 0.0), ("size=+", 1.0), ("size=-", -1.0)] {
            let predicted = tree(&data, monotone).predict(&data).expect("it scores");
            let [numbers, found] = ["number", "predicted"].map(|name| predicted.numbers(name).expect("numbers"));
            let square = |(number, found): (&Option<f64>, &Option<f64>)| {
                (number.expect("a number") - found.expect("a prediction")).powi(2)
            };
            let found: f64 = numbers.iter().zip(found).map(square).sum();
            let expected = least_squares(&examples, 2, sign);
            prop_assert!((found - expected).abs() <= 1e-9 * (1.0 + expected), "{monotone}: {found} for {expected}");
        }
    }
}
