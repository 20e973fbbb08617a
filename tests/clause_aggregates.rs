//! Aggregates in clauses and modes: against plain loops, in models, programs and explanations.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::Path;

use gleaner::Dataset;
use gleaner_data::LoadRequest;
use gleaner_lang::syntax::{Diagnostic, Sources};
use proptest::prelude::{Just, Strategy, prop, prop_oneof};
use proptest::{prop_assert_eq, proptest};
use rand::{RngExt, SeedableRng};

use crate::show::{Compared, swi_prolog};
use crate::support::{fresh_folder, gleaner};

/// Customers have orders, orders have items, and items have prices. Any of these facts may be missing, or be given twice.
#[derive(Clone, Debug)]
struct Shop {
    n_customers: usize,
    orders: Vec<(usize, usize)>,
    items: Vec<(usize, usize)>,
    prices: Vec<(usize, i64)>,
}

fn shops() -> impl Strategy<Value = Shop> {
    let pairs = |left: usize, right: usize, most: usize| prop::collection::vec((0..left, 0..right), 0..most);
    let prices = prop::collection::vec((0..8_usize, -3..6_i64), 0..14);
    (1..5_usize, pairs(6, 5, 12), pairs(8, 6, 14), prices).prop_map(|(n_customers, orders, items, prices)| {
        Shop {
            n_customers,
            orders: orders.into_iter().map(|(order, customer)| (order, customer % n_customers)).collect(),
            items,
            prices,
        }
    })
}

impl Shop {
    fn background(&self) -> String {
        let mut text = String::new();
        for (order, customer) in &self.orders {
            let _ = writeln!(text, "order(o{order}, c{customer}).");
        }
        for (item, order) in &self.items {
            let _ = writeln!(text, "item(i{item}, o{order}).");
        }
        for (item, price) in &self.prices {
            let _ = writeln!(text, "price(i{item}, {price}).");
        }
        // No relation of the goals is empty, and one customer is no example.
        text + "order(o9, c9). item(i9, o9). price(i9, 1).\n"
    }

    fn write(&self, folder: &Path, modes: &str) {
        let (mut positives, mut negatives) = (String::new(), String::from("good(c9).\n"));
        for customer in 0..self.n_customers {
            let class = if customer % 2 == 0 { &mut positives } else { &mut negatives };
            let _ = writeln!(class, "good(c{customer}).");
        }
        let background = self.background();
        let files = [
            ("background.pl", &*background),
            ("modes.pl", modes),
            ("pos.pl", &positives),
            ("neg.pl", &negatives),
        ];
        for (name, text) in files {
            std::fs::write(folder.join(name), text).expect("written");
        }
    }

    /// The distinct rows of each customer: order, item and price, as far as they go.
    fn priced(&self, customer: usize) -> BTreeSet<(usize, usize, i64)> {
        let mut rows = BTreeSet::new();
        for &(order, _) in self.orders.iter().filter(|(_, of)| *of == customer) {
            for &(item, _) in self.items.iter().filter(|(_, of)| *of == order) {
                for &(_, price) in self.prices.iter().filter(|(of, _)| *of == item) {
                    rows.insert((order, item, price));
                }
            }
        }
        rows
    }

    /// The value of an aggregate for a customer, in plain loops.
    #[expect(clippy::cast_precision_loss, reason = "small numbers")]
    fn value(&self, customer: usize, of: Of) -> Option<f64> {
        let rows = self.priced(customer);
        let prices = || rows.iter().map(|row| row.2);
        let orders: BTreeSet<usize> =
            self.orders.iter().filter(|(_, of)| *of == customer).map(|(order, _)| *order).collect();
        Some(match of {
            Of::Orders => orders.len() as f64,
            Of::Rows => rows.len() as f64,
            Of::Dear => rows.iter().filter(|row| row.2 >= 2).count() as f64,
            Of::Prices => prices().collect::<BTreeSet<_>>().len() as f64,
            Of::Sum => prices().sum::<i64>() as f64,
            Of::Max => prices().max()? as f64,
            Of::Min => prices().min()? as f64,
            Of::Mean if rows.is_empty() => return None,
            Of::Mean => prices().sum::<i64>() as f64 / rows.len() as f64,
            Of::Share if rows.is_empty() => return None,
            Of::Share => rows.iter().filter(|row| row.2 >= 2).count() as f64 / rows.len() as f64,
            // Of equal items the dearest.
            Of::Last => rows.iter().max_by_key(|row| (row.0, row.2))?.2 as f64,
        })
    }
}

/// An aggregate of a customer.
#[derive(Clone, Copy, Debug)]
enum Of {
    Orders,
    Rows,
    Dear,
    Prices,
    Sum,
    Max,
    Min,
    Mean,
    Share,
    Last,
}

const ALL: [Of; 10] =
    [Of::Orders, Of::Rows, Of::Dear, Of::Prices, Of::Sum, Of::Max, Of::Min, Of::Mean, Of::Share, Of::Last];

impl Of {
    /// The aggregate with these terms for its group and its value.
    fn text(self, group: &str, value: &str) -> String {
        let path = format!("order(O, {group}), item(I, O), price(I, P)");
        match self {
            Self::Orders => format!("aggregate_all(count, order(_, {group}), {value})"),
            Self::Rows => format!("aggregate_all(count, ({path}), {value})"),
            Self::Dear => format!("aggregate_all(count, ({path}, P >= 2), {value})"),
            Self::Prices => format!("aggregate_all(count, distinct(P, ({path})), {value})"),
            Self::Sum => format!("aggregate_all(sum(P), ({path}), {value})"),
            Self::Max => format!("aggregate_all(max(P), ({path}), {value})"),
            Self::Min => format!("aggregate_all(min(P), ({path}), {value})"),
            Self::Mean => format!("aggregate_all(avg(P), ({path}), {value})"),
            Self::Share => format!("aggregate_all(share(P >= 2), ({path}), {value})"),
            Self::Last => format!("aggregate_all(last(P, D), ({path}, day(O, D)), {value})"),
        }
    }
}

/// Modes of all aggregates, or of one relation alone.
fn modes(has_aggregates: bool) -> String {
    let mut text = String::from(
        ":- modeh(1, good(+customer)).\n:- modeb(*, order(-order, +customer)).\n:- modeb(1, +n >= #n).\n\
         :- modeb(1, +n =< #n).\n",
    );
    if has_aggregates {
        for of in ALL {
            let _ = writeln!(text, ":- modeb(1, {}).", of.text("+customer", "-n"));
        }
    } else {
        text.push_str(":- modeb(1, price(+item, -n)).\n:- modeb(*, item(-item, +order)).\n");
    }
    text
}

/// The rule that gives an order its day: its number.
const DAYS: &str = "day(o0, 0). day(o1, 1). day(o2, 2). day(o3, 3). day(o4, 4). day(o5, 5). day(o9, 9).\n";

proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig::with_cases(60))]

    /// Aggregates that modes declare, and those that only a clause has, cover what plain loops say.
    #[test]
    fn clauses_cover_what_plain_loops_count(
        shop in shops(),
        first in prop::sample::select(ALL.to_vec()),
        second in prop::sample::select(ALL.to_vec()),
        threshold in prop_oneof![Just(0), -4..9_i64],
        has_modes in prop::bool::ANY,
    ) {
        let folder = tempfile::tempdir().expect("a temporary folder can be made");
        shop.write(folder.path(), &modes(has_modes));
        let background = folder.path().join("background.pl");
        std::fs::write(&background, shop.background() + DAYS).expect("written");
        let data = Dataset::open(folder.path()).expect("the data can be read");
        let clauses = [
            format!("good(A) :- {}, N >= {threshold}.", first.text("A", "N")),
            format!("good(A) :- {}, N =< {threshold}.", first.text("A", "N")),
            format!("good(A) :- {}, {}, M > N.", first.text("A", "M"), second.text("A", "N")),
            format!("good(A) :- {}.", first.text("A", "_")),
            format!("good(A) :- order(o1,A), {}, N > {threshold}.", first.text("A", "N")),
        ];
        let table = data.features(&clauses, None).expect("the clauses can be evaluated");
        for (row, example) in table.examples.iter().enumerate() {
            let customer: usize = example[6..example.len() - 1].parse().expect("its number");
            let bound = f64::from(i32::try_from(threshold).expect("small"));
            // Customer 9 has one order beside those that were drawn.
            let own = Shop { n_customers: 10, ..shop.clone() };
            let own = if customer == 9 {
                Shop { orders: vec![(9, 9)], items: vec![(9, 9)], prices: vec![(9, 1)], ..own }
            } else {
                own
            };
            let (one, other) = (own.value(customer, first), own.value(customer, second));
            let expected = [
                one.is_some_and(|value| value >= bound),
                one.is_some_and(|value| value <= bound),
                one.zip(other).is_some_and(|(one, other)| one > other),
                one.is_some(),
                one.is_some_and(|value| value > bound) && own.orders.contains(&(1, customer)),
            ];
            for (column, expected) in expected.into_iter().enumerate() {
                let found = table.columns[column].contains(&u32::try_from(row).expect("few"));
                prop_assert_eq!(found, expected, "{} of {}", clauses[column], example);
            }
        }
    }
}

/// Customers who have three items that are books, over all their orders.
fn planted(folder: &Path, modes: &str) {
    let mut rng = rand_pcg::Pcg64::seed_from_u64(7);
    let (mut facts, mut positives, mut negatives) = (String::new(), String::new(), String::new());
    for customer in 0..160 {
        let _ = writeln!(facts, "customer(c{customer}).");
        let mut n_books = 0;
        for order in 0..rng.random_range(0..5_u32) {
            let _ = writeln!(facts, "order(o{customer}_{order}, c{customer}).");
            for item in 0..rng.random_range(1..4_u32) {
                let name = format!("i{customer}_{order}_{item}");
                let kind = ["book", "toy", "food"][rng.random_range(0..3_usize)];
                n_books += u32::from(kind == "book");
                let _ = writeln!(facts, "item({name}, o{customer}_{order}). kind({name}, {kind}).");
            }
        }
        let class = if n_books >= 3 { &mut positives } else { &mut negatives };
        let _ = writeln!(class, "good(c{customer}).");
    }
    std::fs::create_dir_all(folder).expect("a folder can be made");
    for (name, text) in
        [("background.pl", &*facts), ("pos.pl", &positives), ("neg.pl", &negatives), ("modes.pl", modes)]
    {
        std::fs::write(folder.join(name), text).expect("written");
    }
}

const PLAIN: &str = ":- modeh(1, good(+customer)).\n:- modeb(*, order(-order, +customer)).\n\
    :- modeb(*, item(-item, +order)).\n:- modeb(1, kind(+item, #kind)).\n";
const COUNTS: &str = ":- modeb(*, aggregate_all(count, order(_, +customer), -n)).\n\
    :- modeb(*, aggregate_all(count, (order(O, +customer), item(I, O), kind(I, #kind)), -n)).\n\
    :- modeb(1, +n >= #n).\n:- modeb(1, +n =< #n).\n";
const RULE: &str = "aggregate_all(count, (order(Row, A), item(Row2, Row), kind(Row2, book)), B)";

/// Three learners find a count of rows two joins away. The model scores data whose modes know no count, and its program
/// scores as it does.
#[test]
fn a_planted_count_is_found_and_kept() {
    let folder = fresh_folder("clause_aggregates");
    planted(&folder.join("data"), &format!("{PLAIN}{COUNTS}"));
    planted(&folder.join("plain"), PLAIN);
    let facts = std::fs::read_to_string(folder.join("data/background.pl")).expect("written above");
    let mut lines: Vec<&str> = facts.split_inclusive(". ").flat_map(str::lines).collect();
    lines.sort_unstable();
    std::fs::write(folder.join("facts.pl"), lines.join("\n") + "\n").expect("written");
    for (learner, options) in [
        ("rdn-boost", &["--rounds", "3"][..]),
        ("gleaner", &["--seeds", "4", "--clauses", "200"]),
        ("srl", &["--seeds", "4", "--clauses", "200"]),
    ] {
        let learn = ["learn", "data", "--learner", learner, "-o", "model.json", "--quiet"];
        let (code, shown, stderr) = gleaner(&folder, &[&learn[..], options].concat());
        assert_eq!(code, Some(0), "{learner}: {stderr}");
        let flat = shown.split_whitespace().collect::<Vec<_>>().join(" ");
        let first = flat.find("aggregate_all(").map(|at| &flat[at..]).unwrap_or_default();
        assert!(first.starts_with(RULE), "{learner}: {shown}");
        let predict = |data| gleaner(&folder, &["predict", "model.json", data, "--quiet"]).1;
        assert_eq!(predict("data"), predict("plain"), "{learner}");
        assert!(predict("data").lines().count() > 150);
        if swi_prolog().is_some() {
            let data = "data";
            let compared =
                Compared { folder: &folder, model: "model.json", data, options: &[], facts: "facts.pl" };
            assert_eq!(compared.check()[0], 160, "{learner}");
        }
    }
    let clause = "good(A) :- aggregate_all(count, (order(O, A), item(I, O), kind(I, book)), N), N >= 3.";
    let (code, why, stderr) = gleaner(&folder, &["why", "data", clause]);
    assert!(code == Some(0) && stderr.is_empty() && !why.contains("not admitted"), "{why}{stderr}");
    let (code, why, _) = gleaner(&folder, &["why", "plain", clause]);
    assert!(code == Some(0) && why.contains("no mode declares"), "{why}");
    let positive = std::fs::read_to_string(folder.join("data/pos.pl")).expect("written above");
    let positive = positive.lines().next().expect("a positive").trim_end_matches('.');
    let (code, explained, stderr) = gleaner(&folder, &["explain", "model.json", "data", positive]);
    assert!(code == Some(0) && explained.contains(" rows:\n"), "{explained}{stderr}");
    assert!(explained.contains("order(o"), "{explained}");
}

/// Counts, sums and means of rows that an argument of the target leads to are proposed.
#[test]
fn aggregates_are_proposed() {
    let folder = fresh_folder("clause_aggregates_proposed");
    planted(&folder.join("data"), "");
    std::fs::remove_file(folder.join("data/modes.pl")).expect("written above");
    let (code, modes, stderr) =
        gleaner(&folder, &["inspect", "data", "--propose-modes", "--aggregates", "propose", "--quiet"]);
    assert_eq!(code, Some(0), "{stderr}");
    let counted =
        ":- modeb(*, aggregate_all(count, (order(Row, +customer), item(_, Row)), -count_order_item_2)).";
    assert!(modes.contains(counted), "{modes}");
    assert!(modes.contains(":- modeb(1, +count_order_item_2 >= #count_order_item_2)."), "{modes}");
    // The proposed modes are read as they are written.
    std::fs::write(folder.join("modes.pl"), &modes).expect("written");
    let shown = |options: &[&str]| {
        let _ = std::fs::remove_file(folder.join("model.json"));
        let learn = ["learn", "data", "--learner", "best-clause", "-o", "model.json", "--quiet"];
        let few = ["--seeds", "10", "--clauses", "300"];
        let (code, _, stderr) = gleaner(&folder, &[&learn[..], &few, options].concat());
        assert_eq!(code, Some(0), "{stderr}");
        let (_, shown, _) = gleaner(&folder, &["show", "model.json"]);
        assert!(shown.contains("B >= 3."), "the planted clause: {shown}");
        shown
    };
    assert_eq!(shown(&["--modes", "modes.pl"]), shown(&["--aggregates", "propose"]));
}

/// Each mode or clause, the code, and words of message or help.
const REFUSED_MODES: [(&str, &str); 6] = [
    ("aggregate_all(count, p(_, _), -n)", "at least one + argument"),
    ("aggregate_all(count, p(+c, -c), -n)", "within an aggregate"),
    ("aggregate_all(count, p(+c, _), N)", "`N` is no argument of a mode"),
    ("aggregate_all(bag(X), p(+c, X), -n)", "`bag(Value)` in aggregate_all"),
    ("aggregate_all(count, (p(+c, X), X > Y), -n)", "an aggregate whose goal gives Y no value"),
    (
        "aggregate_all(count, (p(+c, X), aggregate_all(count, p(X, _), 1)), -n)",
        "an aggregate within an aggregate",
    ),
];

#[test]
fn modes_without_a_meaning_are_refused() {
    for (mode, words) in REFUSED_MODES {
        let folder = tempfile::tempdir().expect("a temporary folder can be made");
        let text = format!(":- modeh(1, t(+c)).\n:- modeb(*, p(+c, -c)).\n:- modeb(*, {mode}).\n");
        for (name, text) in [
            ("background.pl", "p(a, b). p(b, a).\n"),
            ("modes.pl", &*text),
            ("pos.pl", "t(a).\n"),
            ("neg.pl", "t(b).\n"),
        ] {
            std::fs::write(folder.path().join(name), text).expect("written");
        }
        let request = LoadRequest { path: folder.path().to_owned(), ..LoadRequest::default() };
        let faults = gleaner::experiment::load(&request, &mut Sources::new()).expect_err(mode);
        let told = faults.iter().map(Diagnostic::message).collect::<Vec<_>>().join("; ");
        assert!(told.contains(words), "{mode}: {told}");
    }
}

#[test]
fn clauses_without_a_meaning_are_refused() {
    let folder = fresh_folder("clause_aggregates_refused");
    planted(&folder.join("data"), PLAIN);
    let clauses = [
        ("good(A) :- aggregate_all(count, order(_, C), N), N > 1, \\+ order(_, C).", "G014", ""),
        ("good(A) :- aggregate_all(count, refund(_, A), N), N > 1.", "G012", ""),
        ("good(A) :- aggregate_all(count, good(A), N), N > 1.", "G0", ""),
        (
            "good(A) :- aggregate_all(count, (order(O, A), \\+ item(X, O)), N), N > 1.",
            "G016",
            "gives X no value",
        ),
        ("good(A) :- aggregate_all(share(X >= 3), order(O, A), S), S > 0.5.", "G016", "gives X no value"),
        (
            "good(A) :- aggregate_all(share(O), order(O, A), S), S > 0.5.",
            "G016",
            "`O` in place of the comparison of a share",
        ),
        ("good(A) :- aggregate_all(share(3 >= 2), order(O, A), S), S > 0.5.", "G016", "share(Price >= 500)"),
        ("good(A) :- aggregate_all(share(O =:= 3), order(O, A), S), S > 0.5.", "G016", "`O =:= 3` in place"),
    ];
    for (clause, code, words) in clauses {
        std::fs::write(folder.join("clauses.pl"), format!("{clause}\n")).expect("written");
        let (status, stdout, stderr) = gleaner(&folder, &["cover", "data", "clauses.pl"]);
        let is_told = stderr.contains(&format!("error[{code}")) && stderr.contains(words);
        assert!(status == Some(1) && is_told, "{clause}: {stdout}{stderr}");
    }
}

/// Searches negate aggregates that have no value for a seed, so models have such clauses. By hand: `c` has no amount, `a`
/// has one, and `b` two.
#[test]
fn negated_aggregates_are_read() {
    let folder = fresh_folder("clause_aggregates_negated");
    for (name, text) in [
        (
            "data/background.pl",
            "amount(a, 1). amount(b, 2). amount(b, 3). person(a). person(b). person(c).\n",
        ),
        ("data/modes.pl", ":- modeh(1, good(+p)).\n:- modeb(*, amount(+p, -n)).\n:- modeb(1, person(+p)).\n"),
        ("data/pos.pl", "good(a). good(b).\n"),
        ("data/neg.pl", "good(c).\n"),
        (
            "clauses.pl",
            "good(A) :- \\+ aggregate_all(max(V), amount(A, V), _).\n\
             good(A) :- \\+ aggregate_all(count, amount(A, _), 2).\n\
             good(A) :- person(A), \\+ aggregate_all(sum(V), amount(A, V), 1).\n",
        ),
    ] {
        let path = folder.join(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        std::fs::write(path, text).expect("written");
    }
    let (code, stdout, stderr) = gleaner(&folder, &["cover", "data", "clauses.pl", "--quiet"]);
    assert_eq!(code, Some(0), "{stderr}");
    let mut reader = csv::Reader::from_reader(stdout.as_bytes());
    let header = reader.headers().expect("a header").clone();
    let place = |name: &str| header.iter().position(|known| known == name).expect("a column");
    let (tp, fp) = (place("tp"), place("fp"));
    let rows: Vec<(String, String)> = reader
        .records()
        .map(|row| row.expect("a row"))
        .map(|row| (row[tp].to_owned(), row[fp].to_owned()))
        .collect();
    let expected = [("0", "1"), ("1", "1"), ("1", "1")].map(|(tp, fp)| (tp.to_owned(), fp.to_owned()));
    assert_eq!(rows, expected, "{stdout}");
}

/// A count of a constant that the data lack is 0, whether modes declare the count with a constant or not.
#[test]
fn what_the_data_lack_is_counted_as_nothing() {
    let folder = fresh_folder("clause_aggregates_lacking");
    planted(&folder.join("declared"), &format!("{PLAIN}{COUNTS}"));
    planted(&folder.join("plain"), PLAIN);
    let count = "good(A) :- aggregate_all(count, (order(O, A), item(I, O), kind(I, gem)), N)";
    let clauses = [format!("{count}, N =< 0."), format!("{count}, N >= 1.")];
    for name in ["declared", "plain"] {
        let data = Dataset::open(folder.join(name)).expect("the data can be read");
        let table = data.features(&clauses, None).expect("the clauses can be evaluated");
        assert_eq!([0, 1].map(|column| table.columns[column].len()), [160, 0], "{name}");
    }
}

/// A restriction of the examples may count.
#[test]
fn examples_are_chosen_by_counts() {
    let folder = fresh_folder("clause_aggregates_where");
    planted(&folder.join("data"), PLAIN);
    let restriction = "aggregate_all(count, order(_, A), N), N >= 1";
    let (code, stdout, stderr) = gleaner(&folder, &["inspect", "data", "--where", restriction]);
    assert_eq!(code, Some(0), "{stderr}");
    let facts = std::fs::read_to_string(folder.join("data/background.pl")).expect("written above");
    let customers: BTreeSet<&str> =
        facts.lines().filter_map(|line| line.strip_prefix("order(")?.split(", ").nth(1)).collect();
    let kept: usize = stdout.split_whitespace().filter_map(|word| word.parse::<usize>().ok()).take(2).sum();
    assert_eq!(kept, customers.len(), "{stdout}");
}
