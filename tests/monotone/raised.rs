//! The promise itself: of a random problem one number of one row is raised, and no score falls (`+`) or rises (`-`).

use proptest::prelude::{ProptestConfig, TestCaseError, prop_assert, proptest};

use gleaner::{Dataset, Learner, Model, Source, Table};

/// A row of an example: its amount and size, whether it is of the web, and the row that it leads to.
#[derive(Clone, Debug)]
struct OneRow {
    amount: i64,
    size: Option<i64>,
    is_web: bool,
    next: Option<usize>,
}

/// An example: its age, its rows by number, and whether it is a positive.
#[derive(Clone, Debug)]
struct OneExample {
    age: i64,
    rows: Vec<usize>,
    is_positive: bool,
    count: i64,
}

#[derive(Clone, Debug)]
struct World {
    rows: Vec<OneRow>,
    examples: Vec<OneExample>,
}

/// Numbers from a seed.
struct Lots(u64);

impl Lots {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n
    }

    fn number(&mut self, n: u64) -> i64 {
        i64::try_from(self.below(n)).expect("small")
    }
}

impl World {
    /// Few distinct numbers, so that rows share them, and classes that follow from amounts and ages only by half.
    fn random(seed: u64) -> Self {
        let lots = &mut Lots(seed);
        let mut world = Self { rows: Vec::new(), examples: Vec::new() };
        for _ in 0..40 {
            let first = world.rows.len();
            for _ in 0..lots.below(4) {
                let size = (lots.below(3) > 0).then(|| lots.number(8));
                let next = (lots.below(2) > 0 && !world.rows.is_empty())
                    .then(|| usize::try_from(lots.below(world.rows.len() as u64)).expect("small"));
                world.rows.push(OneRow { amount: lots.number(9), size, is_web: lots.below(2) > 0, next });
            }
            let rows: Vec<usize> = (first..world.rows.len()).collect();
            let age = lots.number(9);
            let most =
                rows.iter().filter(|&&row| world.rows[row].is_web).map(|&row| world.rows[row].amount).max();
            let tends = most.is_some_and(|most| most >= 5 && age <= 6);
            let is_positive = if lots.below(10) < 6 { tends } else { lots.below(2) > 0 };
            let count = lots.number(4) + if tends { 3 } else { 0 };
            world.examples.push(OneExample { age, rows, is_positive, count });
        }
        // Both classes, in any case.
        world.examples[0].is_positive = true;
        world.examples[1].is_positive = false;
        world
    }

    /// The data set; modes ask for all that may break an order, too.
    fn data(&self, is_of_numbers: bool) -> Dataset {
        let mut facts = String::new();
        for (at, row) in self.rows.iter().enumerate() {
            let kind = if row.is_web { "web" } else { "street" };
            facts += &format!("amount(r{at},{}). kind(r{at},{kind}).\n", row.amount);
            facts.extend(row.size.map(|size| format!("size(r{at},{size}).\n")));
            facts.extend(row.next.map(|next| format!("next(r{at},r{next}).\n")));
        }
        // All relations have facts in any case.
        facts += "size(other,1). next(other,other). amount(other,1). kind(other,web). row(nobody,other).\n";
        for (at, example) in self.examples.iter().enumerate() {
            facts += &format!("age(e{at},{}).\n", example.age);
            facts.extend(example.rows.iter().map(|row| format!("row(e{at},r{row}).\n")));
        }
        let names: Vec<String> = (0..self.examples.len()).map(|at| format!("e{at}")).collect();
        let table = Table::new("target").column("person", names);
        let (table, head) = if is_of_numbers {
            let counts: Vec<_> = self.examples.iter().map(|example| example.count).collect();
            let table = table.column("count", counts).column("label", vec![true; self.examples.len()]);
            (table, "modeh(1, target(+person, #count))")
        } else {
            let labels: Vec<bool> = self.examples.iter().map(|example| example.is_positive).collect();
            (table.column("label", labels), "modeh(1, target(+person))")
        };
        let modes: String = std::iter::once(head).chain(MODES).map(|mode| format!(":- {mode}.\n")).collect();
        let reader = Dataset::reader(Source::facts([table]).program(facts).program(modes));
        let reader = if is_of_numbers { reader.number_argument(2) } else { reader };
        reader.open().expect("a data set")
    }
}

const MODES: [&str; 16] = [
    "modeb(*, row(+person, -row))",
    "modeb(1, amount(+row, -amount))",
    "modeb(1, amount(+row, #amount))",
    "modeb(*, amount(-row, +amount))",
    "modeb(1, size(+row, -size))",
    "modeb(1, kind(+row, #kind))",
    "modeb(1, next(+row, -row))",
    "modeb(1, age(+person, -age))",
    "modeb(1, +amount >= #amount)",
    "modeb(1, +amount =< #amount)",
    "modeb(1, +amount = #amount)",
    "modeb(1, +amount < +amount)",
    "modeb(1, +amount >= +size)",
    "modeb(1, +size >= #size)",
    "modeb(1, +age >= #age)",
    "modeb(1, +age =< #age)",
];

/// The score and the probability of each example.
type Scores = Vec<[f64; 2]>;

/// A model that is read from its file.
struct Learnt {
    model: Model,
    is_of_numbers: bool,
}

impl Learnt {
    fn of(learner: &Learner, world: &World, is_of_numbers: bool) -> Option<Self> {
        // Where no clause is better than none, there is no model.
        let model = learner.fit(&world.data(is_of_numbers)).ok()?;
        Some(Self { model: Model::from_json(&model.to_json()).expect("its own file"), is_of_numbers })
    }

    fn scores(&self, world: &World) -> Scores {
        let found = self.model.predict(&world.data(self.is_of_numbers)).expect("it scores");
        let numbers = |name: &str| found.numbers(name).unwrap_or(&[]).to_vec();
        let scores = numbers(if self.is_of_numbers { "predicted" } else { "score" });
        let probability = |at: usize| numbers("probability").get(at).copied().flatten().unwrap_or(0.0);
        let all = scores.iter().enumerate();
        all.map(|(at, score)| [score.expect("each has a score"), probability(at)]).collect()
    }
}

/// Learners that keep an order, with settings that make them small.
const LEARNERS: [(&str, &[(&str, &str)]); 9] = [
    ("aleph", &[("clauses", "300")]),
    ("aleph-ensemble", &[("ensemble-size", "4"), ("clauses", "100")]),
    ("gleaner", &[("seeds", "4"), ("clauses", "150")]),
    ("best-clause", &[("seeds", "4"), ("clauses", "150")]),
    ("rankboost", &[("rounds", "6"), ("lookahead", "2"), ("number-thresholds", "open")]),
    ("prankboost-path", &[("rounds", "6"), ("lookahead", "2"), ("number-thresholds", "open")]),
    ("tree", &[("tree-depth", "5")]),
    ("rdn-boost", &[("rounds", "6"), ("tree-negatives", "2")]),
    ("auto", &[("rounds", "4"), ("clauses", "200")]),
];

fn learner(name: &str, settings: &[(&str, &str)], monotone: &str) -> Learner {
    let made = [settings, &[("monotone", monotone)]].concat();
    made.iter().fold(Learner::named(name).expect("a learner"), |learner, (setting, value)| {
        learner.with(setting, value).unwrap_or_else(|fault| panic!("{setting}: {fault}"))
    })
}

/// Each number in turn, a few of them, raised by a random amount: how many scores went the wrong way, of all.
fn wrong(learnt: &Learnt, world: &World, lots: &mut Lots) -> (usize, usize) {
    let before = learnt.scores(world);
    let (mut n_wrong, mut n) = (0, 0);
    for turn in 0..12 {
        let mut raised = world.clone();
        let by = 1 + lots.number(9);
        let rises = turn % 3 > 0 && !raised.rows.is_empty();
        if rises {
            let row = usize::try_from(lots.below(raised.rows.len() as u64)).expect("small");
            raised.rows[row].amount += by;
        } else {
            let example = usize::try_from(lots.below(raised.examples.len() as u64)).expect("small");
            raised.examples[example].age += by;
        }
        for (before, after) in before.iter().zip(learnt.scores(&raised)) {
            n += 1;
            let goes = |at: usize| if rises { after[at] - before[at] } else { before[at] - after[at] };
            // A probability is a curve of the score: its last digits may round otherwise.
            n_wrong += usize::from(goes(0) < 0.0 || goes(1) < -1e-12);
        }
    }
    (n_wrong, n)
}

fn check(seed: u64, is_of_numbers: bool, learner: &Learner) -> Result<(), TestCaseError> {
    let world = World::random(seed);
    let Some(learnt) = Learnt::of(learner, &world, is_of_numbers) else { return Ok(()) };
    let (n_wrong, n) = wrong(&learnt, &world, &mut Lots(seed ^ 1));
    prop_assert!(n_wrong == 0, "{learner:?}: {n_wrong} of {n} scores");
    Ok(())
}

proptest! {
    // Each run draws other worlds.
    #![proptest_config(ProptestConfig { cases: 4, ..ProptestConfig::default() })]

    #[test]
    fn no_score_falls_with_amounts_or_rises_with_ages(seed: u64) {
        for (name, settings) in LEARNERS {
            check(seed, false, &learner(name, settings, "amount=+,age=-"))?;
        }
    }

    /// Steps by Newton's method, by the mean gradient, and with inequalities between answers.
    #[test]
    fn trees_keep_the_order_with_any_leaves(seed: u64) {
        for settings in [
            &[("leaf-step", "mean"), ("rounds", "5"), ("leaves", "12"), ("tree-depth", "6")][..],
            &[("leaf-step", "newton"), ("rounds", "5"), ("shrinkage", "0.3"), ("number-thresholds", "exact")],
            &[("rounds", "5"), ("node-sample", "10"), ("min-leaf", "1"), ("most-step", "0.5")],
        ] {
            check(seed, false, &learner("rdn-boost", settings, "amount=+,age=-"))?;
        }
    }

    #[test]
    fn predicted_numbers_keep_the_order(seed: u64) {
        for loss in ["squared", "poisson", "quantile"] {
            check(seed, true, &learner("rdn-boost", &[("rounds", "6"), ("loss", loss)], "amount=+,age=-"))?;
            check(seed, true, &learner("tree", &[("loss", loss)], "amount=+,age=-"))?;
        }
        check(seed, true, &learner("auto", &[("rounds", "4")], "amount=+,age=-"))?;
    }
}

/// Without the order, scores go the wrong way: so the tests above can fail.
#[test]
fn scores_go_any_way_without_an_order() {
    for (name, settings) in [LEARNERS[2], LEARNERS[6], LEARNERS[7]] {
        let mut n_wrong = 0;
        for seed in 0..6 {
            let world = World::random(seed);
            let learnt = Learnt::of(&learner(name, settings, "none"), &world, false).expect("a model");
            n_wrong += wrong(&learnt, &world, &mut Lots(seed ^ 1)).0;
        }
        assert!(n_wrong > 0, "{name}");
    }
}

/// With the order, models still tell the classes apart by amounts and ages.
#[test]
fn models_with_an_order_use_its_numbers() {
    for (name, settings) in LEARNERS {
        let mut n_with = 0;
        for seed in 0..4 {
            let world = World::random(seed);
            let learner = learner(name, settings, "amount=+,age=-");
            let Ok(model) = learner.fit(&world.data(false)) else { continue };
            n_with += model
                .clauses()
                .iter()
                .filter(|clause| clause.contains(">=") || clause.contains("=<"))
                .count();
        }
        assert!(n_with > 0, "{name}");
    }
}
