//! A tree by hand, whose leaves an order moves, and a bottom clause by hand, which an order makes another one.

use std::collections::BTreeSet;

use gleaner::experiment::runs::monotone::modes_of_run;
use gleaner::experiment::{default_settings, load};
use gleaner::{Dataset, Learner, Source, Table};
use gleaner_data::LoadRequest;
use gleaner_engine::bias::{SaturationConfig, saturate};
use gleaner_lang::program::Thresholds;
use gleaner_lang::program::clause::ObjectIdentity;
use gleaner_lang::program::display::literal_text;
use gleaner_lang::program::mode::Negation;
use gleaner_lang::syntax::Sources;

use crate::support::fresh_folder;

/// Forty small houses with gardens at 0; of eight large ones four with gardens at 14, four without at -2.
fn houses() -> Dataset {
    let (mut names, mut prices, mut facts) = (Vec::new(), Vec::new(), String::new());
    let groups = [(40, 1, true, 0), (4, 2, true, 14), (4, 2, false, -2)];
    for (group, (n, rooms, has_garden, price)) in groups.into_iter().enumerate() {
        for at in 0..n {
            let name = format!("h{group}_{at}");
            facts += &format!("rooms({name},{rooms}).\n");
            if has_garden {
                facts += &format!("garden({name}).\n");
            }
            names.push(name);
            prices.push(price);
        }
    }
    let modes =
        ":- modeh(1, price(+house, #euros)). :- modeb(1, garden(+house)). :- modeb(1, rooms(+house, -rooms)).
                 :- modeb(1, +rooms >= #rooms).";
    let labels = vec![true; names.len()];
    let prices = Table::new("price").column("house", names).column("euros", prices).column("label", labels);
    let source = Source::facts([prices]).program(facts).program(modes);
    Dataset::reader(source).number_argument(2).open().expect("a data set")
}

/// The predictions for a small house, a large one with a garden and one without.
fn predicted(monotone: &str) -> [f64; 3] {
    let settings = [
        ("leaves", "3"),
        ("tree-depth", "2"),
        ("node-sample", "1000"),
        ("number-thresholds", "exact"),
        ("refit", "none"),
        ("tune", "0"),
        ("monotone", monotone),
    ];
    let learner =
        settings.iter().fold(Learner::named("tree").expect("a learner"), |learner, (name, value)| {
            learner.with(name, value).unwrap_or_else(|fault| panic!("{name}: {fault}"))
        });
    let data = houses();
    let predictions = learner.fit(&data).expect("a model").predict(&data).expect("it scores");
    ["h0_0", "h1_0", "h2_0"].map(|name| {
        let text = Some(format!("price({name})"));
        let examples = predictions.texts("example").expect("a column");
        let at = examples.iter().position(|example| *example == text).expect("an example");
        predictions.numbers("predicted").expect("a column")[at].expect("a prediction")
    })
}

/// The first test is that of two rooms: means of 6 and 0 explain 8 * 25 + 40 * 1 = 240 of the squares about the mean of 1, and
/// gardens 44 * (3/11)^2 + 4 * 9 = 39.3. Below, gardens tell 14 from -2: a large house without one is less than a small one. In
/// order, large houses are at least half-way from 0 to 6, which is 3, and small ones at most that.
#[test]
fn leaves_meet_half_way() {
    let is_near = |found: [f64; 3], expected: [f64; 3]| {
        found.iter().zip(expected).all(|(found, expected)| (found - expected).abs() < 1e-12)
    };
    let free = predicted("none");
    assert!(is_near(free, [0.0, 14.0, -2.0]), "{free:?}");
    let rising = predicted("rooms=+");
    assert!(is_near(rising, [0.0, 14.0, 3.0]), "{rising:?}");
    // Falling with rooms, no test of rooms is in order: only gardens are left, at 56 / 44 and -2.
    let falling = predicted("rooms=-");
    assert!(is_near(falling, [56.0 / 44.0, 56.0 / 44.0, -2.0]), "{falling:?}");
}

/// Two orders of 7 each: without an order of amounts, one variable stands for both, so that clauses may say that they are equal.
/// With one, each has its own, and no literal goes against it or asks which number it is.
#[test]
fn the_numbers_of_two_rows_have_two_variables() {
    let folder = fresh_folder("monotone_bottom");
    let files = [
        (
            "background.pl",
            "order(ann, o1). order(ann, o2). amount(o1, 7). amount(o2, 7). order(bob, o3). amount(o3, 4).\n",
        ),
        ("pos.pl", "good(ann).\n"),
        ("neg.pl", "good(bob).\n"),
        (
            "modes.pl",
            ":- modeh(1, good(+person)).\n:- modeb(*, order(+person, -order)).\n:- modeb(1, amount(+order, -euros)).\n\
             :- modeb(1, +euros >= #euros).\n:- modeb(1, +euros =< #euros).\n:- modeb(1, +euros = #euros).\n\
             :- modeb(1, +order \\= +order).\n",
        ),
    ];
    for (name, text) in files {
        std::fs::write(folder.join(name), text).expect("written");
    }
    let request = LoadRequest { path: folder, ..LoadRequest::default() };
    let problem = load(&request, &mut Sources::new()).expect("it loads").problem;
    let literals = |monotone: &str| -> BTreeSet<String> {
        let mut settings = default_settings();
        settings.set("monotone", monotone).expect("a value");
        let modes = modes_of_run(&problem, &settings);
        let config = SaturationConfig {
            depth: 3,
            max_bottom_literals: 100,
            negation: Negation::Modes,
            object_identity: ObjectIdentity::Proposed,
            thresholds: Thresholds::Open,
            max_thresholds: usize::MAX,
        };
        let ann = problem.examples().ids().find(|&id| problem.examples().is_positive(id)).expect("one");
        let bottom = saturate(&problem.worlds()[0], &modes, problem.examples(), ann, config);
        bottom.literals.iter().map(|literal| literal_text(&literal.literal, problem.symbols())).collect()
    };
    let set = |literals: &[&str]| literals.iter().map(|&literal| literal.to_owned()).collect::<BTreeSet<_>>();
    let both = ["order(A,B)", "order(A,C)", "B \\= C", "C \\= B", "amount(B,D)"];
    let free = ["amount(C,D)", "D >= 7", "D =< 7", "D = 7"];
    assert_eq!(literals("none"), set(&[&both[..], &free].concat()));
    assert_eq!(literals("euros=+"), set(&[&both[..], &["amount(C,E)", "D >= 7", "E >= 7"]].concat()));
    assert_eq!(literals("euros=-"), set(&[&both[..], &["amount(C,E)", "D =< 7", "E =< 7"]].concat()));
    // A run that nobody checked learns nothing by a name that the data lack.
    assert_eq!(literals("pounds=+"), BTreeSet::new());
}
