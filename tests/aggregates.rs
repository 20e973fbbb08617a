//! Aggregates in rules: worked by hand, refused, and against plain loops.

use std::collections::BTreeSet;
use std::path::Path;

use gleaner_base::WorldId;
use gleaner_data::{LoadRequest, Loaded};
use gleaner_lang::syntax::{Diagnostic, Sources};
use proptest::prelude::{Just, Strategy, prop, prop_oneof};
use proptest::{prop_assert_eq, proptest};

use crate::quirks::{load, tuples};
use crate::support::{fresh_folder, gleaner};

const MODES: &str = ":- modeh(1, t(+any)).\n:- modeb(*, seed(+any)).\n";

/// The four files of a problem with this background.
fn files(background: &str) -> [(&'static str, String); 4] {
    let background = format!("seed(a). seed(b).\n{background}");
    [
        ("background.pl", background),
        ("modes.pl", MODES.to_owned()),
        ("pos.pl", "t(a).\n".to_owned()),
        ("neg.pl", "t(b).\n".to_owned()),
    ]
}

fn loaded(background: &str) -> Loaded {
    let files = files(background);
    load(&files.each_ref().map(|(name, text)| (*name, text.as_str())))
}

fn write(folder: &Path, background: &str) {
    for (name, text) in files(background) {
        std::fs::write(folder.join(name), text).expect("written");
    }
}

/// The faults with which a background is refused.
fn refused(background: &str) -> Vec<Diagnostic> {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    write(folder.path(), background);
    let request = LoadRequest { path: folder.path().to_owned(), ..LoadRequest::default() };
    gleaner::experiment::load(&request, &mut Sources::new()).expect_err(background)
}

/// Customer c1 has three transactions, one without an amount; c2 has one; c3 has none.
const SHOP: &str = "customer(c1). customer(c2). customer(c3).\n\
    transaction(t1, c1). transaction(t2, c1). transaction(t3, c1). transaction(t4, c2). transaction(t4, c2).\n\
    amount(t1, 5). amount(t2, 5). amount(t4, 2.5).\n\
    kind(t1, food). kind(t2, food). kind(t3, books).\n";

fn shop(rules: &str) -> Loaded {
    loaded(&format!("{SHOP}{rules}\n"))
}

#[test]
fn groups_are_counted_summed_and_compared() {
    let loaded = shop(
        "bought(C, N) :- customer(C), aggregate_all(count, transaction(_, C), N).\n\
         spent(C, S) :- customer(C), aggregate_all(sum(V), (transaction(T, C), amount(T, V)), S).\n\
         largest(C, M) :- aggregate_all(max(V), (transaction(T, C), amount(T, V)), M), customer(C).\n\
         least(C, M) :- aggregate_all(min(V), (transaction(T, C), amount(T, V)), M), customer(C).\n\
         kinds(C, N) :- customer(C), aggregate_all(count, distinct(K, (transaction(T, C), kind(T, K))), N).\n\
         amounts(C, N) :- customer(C), aggregate_all(count, distinct(V, (transaction(T, C), amount(T, V))), N).",
    );
    // t4 is given twice and is one fact.
    assert_eq!(tuples(&loaded, "bought", 2), ["c1,3", "c2,1", "c3,0"]);
    // Equal amounts of two transactions are both summed. Nothing sums to 0, and has no greatest.
    assert_eq!(tuples(&loaded, "spent", 2), ["c1,10", "c2,2.5", "c3,0"]);
    assert_eq!(tuples(&loaded, "largest", 2), ["c1,5", "c2,2.5"]);
    assert_eq!(tuples(&loaded, "least", 2), ["c1,5", "c2,2.5"]);
    assert_eq!(tuples(&loaded, "kinds", 2), ["c1,2", "c2,0", "c3,0"]);
    assert_eq!(tuples(&loaded, "amounts", 2), ["c1,1", "c2,1", "c3,0"]);
}

#[test]
fn goals_negate_and_compare() {
    let loaded = shop(
        "unpaid(C, N) :- customer(C), aggregate_all(count, (transaction(T, C), \\+ amount(T, _)), N).\n\
         dear(C, N) :- customer(C), aggregate_all(count, (transaction(T, C), amount(T, V), V >= 3), N).\n\
         double(C, S) :- customer(C), aggregate_all(sum(W), (transaction(T, C), amount(T, V), W is V * 2), S).\n\
         above(C, L, N) :- customer(C), limit(L), aggregate_all(count, (amount(T, V), V > L), N).\n\
         others(C, N) :- customer(C), aggregate_all(count, (transaction(T, _), \\+ transaction(T, C)), N).\n\
         limit(1). limit(4).",
    );
    assert_eq!(tuples(&loaded, "unpaid", 2), ["c1,1", "c2,0", "c3,0"]);
    assert_eq!(tuples(&loaded, "dear", 2), ["c1,2", "c2,0", "c3,0"]);
    assert_eq!(tuples(&loaded, "double", 2), ["c1,20", "c2,5.0", "c3,0"]);
    // The groups stand in a comparison or a negation alone: the rule's other literals give them.
    let above = ["c1,1,3", "c1,4,2", "c2,1,3", "c2,4,2", "c3,1,3", "c3,4,2"];
    assert_eq!(tuples(&loaded, "above", 3), above);
    assert_eq!(tuples(&loaded, "others", 2), ["c1,1", "c2,3", "c3,4"]);
}

#[test]
fn a_rule_has_several_aggregates_and_a_program_aggregates_of_aggregates() {
    let loaded = shop(
        "both(C, N, M) :- customer(C), aggregate_all(count, transaction(_, C), N), \
         aggregate_all(count, (transaction(T, C), kind(T, K)), M).\n\
         mean(C, A) :- customer(C), aggregate_all(count, (transaction(T, C), amount(T, V)), N), \
         aggregate_all(sum(V), (transaction(T, C), amount(T, V)), S), N > 0, A is S / N.\n\
         n(C, N) :- customer(C), aggregate_all(count, transaction(_, C), N).\n\
         most(M) :- aggregate_all(max(N), n(_, N), M).\n\
         best(C) :- n(C, M), most(M).\n\
         same(C, N) :- customer(C), aggregate_all(max(V), (transaction(T, C), amount(T, V)), M), \
         aggregate_all(count, (transaction(T, C), amount(T, M)), N).\n\
         all(N) :- aggregate_all(count, transaction(_, _), N).\n\
         none(N) :- aggregate_all(count, kind(_, toys), N).",
    );
    assert_eq!(tuples(&loaded, "both", 3), ["c1,3,3", "c2,1,0", "c3,0,0"]);
    assert_eq!(tuples(&loaded, "mean", 2), ["c1,5", "c2,2.5"]);
    assert_eq!(tuples(&loaded, "most", 1), ["3"]);
    assert_eq!(tuples(&loaded, "best", 1), ["c1"]);
    // The greatest amount is a group of the second aggregate.
    assert_eq!(tuples(&loaded, "same", 2), ["c1,2", "c2,1"]);
    assert_eq!((tuples(&loaded, "all", 1), tuples(&loaded, "none", 1)), (vec!["4".into()], vec!["0".into()]));
}

#[test]
fn the_value_may_be_given_and_is_compared_by_identity() {
    let loaded = shop(
        "pair(C) :- customer(C), aggregate_all(count, transaction(_, C), 3).\n\
         idle(C) :- customer(C), aggregate_all(sum(V), (transaction(T, C), amount(T, V)), 0).\n\
         float(C) :- customer(C), aggregate_all(sum(V), (transaction(T, C), amount(T, V)), 10.0).\n\
         said(C, N) :- says(C, N), aggregate_all(count, transaction(_, C), N).\n\
         some(C) :- customer(C), aggregate_all(max(V), (transaction(T, C), amount(T, V)), _).\n\
         says(c1, 3). says(c2, 0). says(c3, 0).",
    );
    assert_eq!(tuples(&loaded, "pair", 1), ["c1"]);
    assert_eq!(tuples(&loaded, "idle", 1), ["c3"]);
    assert_eq!(tuples(&loaded, "float", 1), [""; 0]);
    assert_eq!(tuples(&loaded, "said", 2), ["c1,3", "c3,0"]);
    assert_eq!(tuples(&loaded, "some", 1), ["c1", "c2"]);
}

#[test]
fn derived_predicates_are_complete_first() {
    let loaded = loaded(
        "edge(a, b). edge(b, c). edge(c, d). edge(e, e). node(a). node(b). node(c). node(d). node(e).\n\
         path(X, Y) :- edge(X, Y).\npath(X, Y) :- path(X, Z), edge(Z, Y).\n\
         reach(X, N) :- node(X), aggregate_all(count, path(X, _), N).\n\
         level(X) :- reach(X, N), N >= 2.\nhigher(N) :- aggregate_all(count, level(_), N).",
    );
    assert_eq!(tuples(&loaded, "reach", 2), ["a,3", "b,2", "c,1", "d,0", "e,1"]);
    assert_eq!(tuples(&loaded, "higher", 1), ["2"]);
}

#[test]
fn what_is_no_number_has_no_part() {
    let loaded = loaded(
        "g(x). g(y). v(x, 1, p). v(x, two, q). v(y, many, p). big(k, 9223372036854775807). big(l, 1).\n\
         s(G, S) :- g(G), aggregate_all(sum(V), v(G, V, _), S).\n\
         h(G, S) :- g(G), aggregate_all(max(V), v(G, V, _), S).\n\
         c(G, S) :- g(G), aggregate_all(count, v(G, _, _), S).\n\
         over(S) :- aggregate_all(sum(V), big(_, V), S).",
    );
    assert_eq!(tuples(&loaded, "s", 2), ["x,1", "y,0"]);
    assert_eq!(tuples(&loaded, "h", 2), ["x,1"]);
    assert_eq!(tuples(&loaded, "c", 2), ["x,2", "y,1"]);
    // An integer that is too large is no value.
    assert_eq!(tuples(&loaded, "over", 1), [""; 0]);
}

#[test]
fn sums_do_not_depend_on_the_order_of_the_facts() {
    let rule = "s(S) :- aggregate_all(sum(V), v(_, V), S).\nm(M) :- aggregate_all(max(V), v(_, V), M).\n";
    let facts = ["v(a, 0.1).", "v(b, 0.2).", "v(c, 0.3).", "v(d, 10000000000000000.0).", "v(e, 3)."];
    let mut results = BTreeSet::new();
    for first in 0..facts.len() {
        let mut turned = facts.to_vec();
        turned.rotate_left(first);
        let loaded = loaded(&format!("{}\n{rule}", turned.join("\n")));
        results.insert([tuples(&loaded, "s", 1), tuples(&loaded, "m", 1)].concat());
    }
    assert_eq!(results.len(), 1, "{results:?}");
}

#[test]
fn each_world_has_its_own_values() {
    let lines = [
        r#"{"directive":"modeh(1, t(+x))"}"#,
        r#"{"directive":"modeb(*, n(+x, -n))"}"#,
        r#"{"clause":"n(X, N) :- of(X), aggregate_all(count, has(X, _), N)."}"#,
        r#"{"predicate":"of","arguments":["a"]}"#,
        r#"{"predicate":"has","arguments":["a","p"],"fold":"one"}"#,
        r#"{"predicate":"has","arguments":["a","q"],"fold":"one"}"#,
        r#"{"predicate":"has","arguments":["a","p"],"fold":"two"}"#,
        r#"{"predicate":"t","arguments":["a"],"label":true,"fold":"one"}"#,
        r#"{"predicate":"t","arguments":["b"],"label":false,"fold":"one"}"#,
        r#"{"predicate":"t","arguments":["a"],"label":true,"fold":"two"}"#,
        r#"{"predicate":"t","arguments":["c"],"label":false,"fold":"two"}"#,
    ];
    let loaded = load(&[("data.jsonl", &(lines.join("\n") + "\n"))]);
    let problem = &loaded.problem;
    let id = problem.symbols().find_predicate("n", 2).expect("it has a rule");
    let of_world = |world: usize| {
        let relation = problem.worlds()[WorldId::new(world).index()].relation(id);
        let values =
            (0..relation.n_rows()).map(|row| problem.symbols().constants.text(relation.value(row, 1)));
        values.map(str::to_owned).collect::<Vec<_>>()
    };
    let worlds: Vec<Vec<String>> = (0..problem.worlds().len()).map(of_world).collect();
    assert_eq!(worlds[..2], [["2"], ["1"]]);
}

/// Each background, the code, and words of message or help.
const REFUSED: [(&str, &str, &str); 13] = [
    (
        "n(N) :- aggregate_all(sum(V), e(_, V), N), V > 1. e(a, 2).",
        "G014",
        "variable V of an aggregate gets no value",
    ),
    (
        "n(N) :- aggregate_all(count, e(M), N), aggregate_all(count, e(C), M), seed(C), D = C, E > N.\ne(1).",
        "G014",
        "variable E of a comparison",
    ),
    (
        "n(C, N) :- aggregate_all(count, seed(C), N).",
        "G014",
        "the aggregate groups by C: the variable must have a value",
    ),
    ("n(N) :- aggregate_all(count, e(N, _), N). e(a, b).", "G014", "the aggregate groups by N"),
    (
        "n(N) :- seed(X), aggregate_all(count, V > 1, N).",
        "G014",
        "use V in a positive literal of the aggregate's goal",
    ),
    (
        "n(S) :- aggregate_all(sum(V), seed(_), S).",
        "G014",
        "use V in a positive literal of the aggregate's goal",
    ),
    ("n(X, N) :- seed(X), aggregate_all(count, n(X, _), N).", "G015", "this rule aggregates over n/2"),
    (
        "n(X) :- seed(X), aggregate_all(count, m(X), 0). m(X) :- n(X).",
        "G015",
        "an aggregated predicate must be complete",
    ),
    // The source of the groups is complete first, too.
    (
        "n(X, N) :- n(X, M), aggregate_all(count, (seed(Y), Y \\== X), N).\nn(a, 1).",
        "G015",
        "this rule aggregates over n/2",
    ),
    (
        "n(N) :- aggregate_all(count, (seed(X), aggregate_all(count, seed(X), 1)), N).",
        "G016",
        "an aggregate within an aggregate",
    ),
    ("n(N) :- aggregate_all(bag(X), seed(X), N).", "G016", "`bag(X)` in aggregate_all"),
    ("n(N) :- aggregate_all(sum(2), seed(_), N).", "G016", "`2` in place of a variable"),
    ("n(X) :- seed(X), \\+ aggregate_all(count, seed(_), 1).", "G016", "`aggregate_all`/3 here"),
];

#[test]
fn what_has_no_meaning_is_refused() {
    for (background, code, words) in REFUSED {
        let faults = refused(&format!("{background}\n"));
        let text = |fault: &Diagnostic| format!("{} {:?}", fault.message(), fault.help());
        let found = faults.iter().find(|fault| fault.code().to_string() == code);
        let found = found.unwrap_or_else(|| panic!("{background}: {faults:?}"));
        assert!(text(found).contains(words), "{background}: {}", text(found));
    }
    let many = "aggregate_all(count, seed(_), N)".to_owned();
    let body = vec![many; 7].join(", ");
    assert_eq!(refused(&format!("n(N) :- {body}.\n"))[0].code().to_string(), "G016");
}

/// Rows behind an aggregate count as derived facts. The message names the rule's predicate or a known one.
#[test]
fn limits_hold_for_what_lies_behind() {
    let folder = fresh_folder("aggregates_limits");
    let wide = "w(N) :- aggregate_all(count, (customer(A), customer(B), customer(C), customer(D)), N).\n";
    write(&folder, &format!("{SHOP}{wide}"));
    let inspect = |limit| gleaner(&folder, &["inspect", ".", "--max-derived-facts", limit]);
    let (code, _, stderr) = inspect("80");
    let expected = "the rules derive more than 80 facts, most of them of w/1";
    assert!(code == Some(1) && stderr.contains("G017") && stderr.contains(expected), "{stderr}");
    assert_eq!(inspect("83").0, Some(0));
    let columns: Vec<String> = (0..40).map(|column| format!("customer(V{column})")).collect();
    let wide = format!("w(N) :- aggregate_all(count, ({}), N).\n", columns.join(", "));
    write(&folder, &format!("{SHOP}{wide}"));
    let (code, _, stderr) = inspect("1000k");
    assert!(code == Some(1) && stderr.contains("rule 1: needs 40 variables"), "{stderr}");
}

/// A rule that only aggregates use a predicate of is not told of as one that nothing uses, and a predicate without
/// facts is named.
#[test]
fn predicates_of_goals_are_used() {
    let told = |rule: &str| {
        let warnings = shop(rule).warnings;
        warnings.iter().map(Diagnostic::message).collect::<Vec<_>>().join("\n")
    };
    let unused = told("idle(C) :- customer(C), aggregate_all(count, transaction(_, C), 0).");
    assert!(unused.contains("no mode uses 14 facts"), "{unused}");
    // The mode of seed/1 uses what its rules count.
    let used = told("seed(C) :- customer(C), aggregate_all(count, transaction(_, C), 0).");
    assert!(used.contains("no mode uses 6 facts, directly or by a rule: amount/2, kind/2"), "{used}");
    let folder = fresh_folder("aggregates_undefined");
    let rule = "n(C, N) :- customer(C), aggregate_all(count, (transaction(T, C), \\+ refund(T)), N).";
    write(&folder, &format!("{SHOP}{rule}"));
    let (code, _, undefined) = gleaner(&folder, &["cv", "."]);
    assert!(code == Some(1) && undefined.contains("error[G012]: refund/1"), "{undefined}");
}

#[test]
fn layouts_keep_the_rules() {
    let rules = "spent(C,S) :- customer(C), aggregate_all(sum(V), (transaction(T,C), amount(T,V), V >= 1), S).\n\
         kinds(C,N) :- customer(C), aggregate_all(count, distinct(K, (transaction(T,C), kind(T,K))), N).\n\
         free(C,N) :- customer(C), aggregate_all(count, \\+ transaction(_,C), N).\n\
         bought(C) :- customer(C), aggregate_all(count, transaction(_,C), 3).\n";
    let folder = fresh_folder("aggregates_converted");
    write(&folder, &format!("{SHOP}{rules}"));
    let known = shop(rules);
    for layout in ["own", "aleph", "json-lines", "popper"] {
        let (code, _, stderr) = gleaner(&folder, &["convert", ".", "--to", layout, "-o", layout]);
        assert_eq!(code, Some(0), "{layout}: {stderr}");
        let request = LoadRequest { path: folder.join(layout), ..LoadRequest::default() };
        let read = gleaner::experiment::load(&request, &mut Sources::new()).expect(layout);
        for (name, arity) in [("spent", 2), ("kinds", 2), ("free", 2), ("bought", 1)] {
            assert_eq!(tuples(&read, name, arity), tuples(&known, name, arity), "{layout} {name}");
        }
        let texts = crate::support::files(&folder.join(layout));
        let written: String = texts.values().map(|bytes| String::from_utf8_lossy(bytes)).collect();
        for rule in rules.lines() {
            let rule = if layout == "json-lines" { rule.replace('\\', "\\\\") } else { rule.to_owned() };
            assert!(written.contains(rule.trim()), "{layout}: {rule}\n{written}");
        }
    }
}

/// A number or a name as facts have it.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Cell {
    Whole(i64),
    Half(i64),
    Name,
}

impl Cell {
    fn text(self) -> String {
        match self {
            Self::Whole(value) => value.to_string(),
            Self::Half(_) => format!("{:?}", self.value().unwrap_or(0.0)),
            Self::Name => "many".to_owned(),
        }
    }

    #[expect(clippy::cast_precision_loss, reason = "the numbers are small")]
    fn value(self) -> Option<f64> {
        match self {
            Self::Whole(value) => Some(value as f64),
            Self::Half(value) => Some(value as f64 / 2.0),
            Self::Name => None,
        }
    }
}

fn cells() -> impl Strategy<Value = Cell> {
    prop_oneof![(-3_i64..4).prop_map(Cell::Whole), (-3_i64..4).prop_map(Cell::Half), Just(Cell::Name)]
}

const RULES: &str = "n(C, N) :- g(C), aggregate_all(count, (t(T, C), v(T, V)), N).\n\
    d(C, N) :- g(C), aggregate_all(count, distinct(V, (t(T, C), v(T, V))), N).\n\
    s(C, N) :- g(C), aggregate_all(sum(V), (t(T, C), v(T, V)), N).\n\
    lo(C, N) :- g(C), aggregate_all(min(V), (t(T, C), v(T, V)), N).\n\
    hi(C, N) :- g(C), aggregate_all(max(V), (t(T, C), v(T, V)), N).\n\
    high(C, N) :- g(C), aggregate_all(count, (t(T, C), v(T, V), V > 1), N).\n\
    lacks(C, N) :- g(C), aggregate_all(count, (t(T, C), \\+ v(T, _)), N).\n\
    other(C, N) :- g(C), aggregate_all(count, (t(T, D), \\+ t(T, C)), N).\n\
    two(C, N, M) :- g(C), aggregate_all(count, t(_, C), N), aggregate_all(sum(V), (t(T, C), v(T, V)), M).\n";

/// What the rules derive, by loops: predicate and tuple.
fn by_loops(t: &[(usize, usize)], v: &[(usize, Cell)]) -> BTreeSet<(&'static str, String)> {
    let t: BTreeSet<_> = t.iter().copied().collect();
    let mut distinct: Vec<(usize, Cell)> = Vec::new();
    for cell in v {
        if !distinct.contains(cell) {
            distinct.push(*cell);
        }
    }
    let mut found = BTreeSet::new();
    for c in 0..3 {
        let (mut n, mut high, mut lacks, mut other, mut of_c) = (0, 0, 0, 0, 0);
        let (mut sum, mut has_float) = (0.0, false);
        let mut values: Vec<Cell> = Vec::new();
        for &(row, customer) in &t {
            other += i64::from(!t.contains(&(row, c)));
            if customer != c {
                continue;
            }
            of_c += 1;
            let own: Vec<Cell> = distinct.iter().filter(|cell| cell.0 == row).map(|cell| cell.1).collect();
            lacks += i64::from(own.is_empty());
            for cell in own {
                n += 1;
                high += i64::from(cell.value().is_some_and(|value| value > 1.0));
                sum += cell.value().unwrap_or(0.0);
                has_float |= matches!(cell, Cell::Half(_));
                if !values.contains(&cell) {
                    values.push(cell);
                }
            }
        }
        let sum = if has_float { format!("{:?}", sum + 0.0) } else { format!("{sum}") };
        let mut add = |name, value: String| found.insert((name, format!("c{c},{value}")));
        add("n", n.to_string());
        add("d", values.len().to_string());
        add("two", format!("{of_c},{sum}"));
        add("s", sum);
        add("high", high.to_string());
        add("lacks", lacks.to_string());
        add("other", other.to_string());
        // Of equal numbers the one with a point is both least and greatest.
        let least = |a: &Cell, b: &Cell| a.value().partial_cmp(&b.value()).expect("finite");
        let is_half = |cell: &Cell| matches!(cell, Cell::Half(_));
        let numbers = || values.iter().filter(|cell| cell.value().is_some());
        let lo = numbers().min_by(|a, b| least(a, b).then(is_half(b).cmp(&is_half(a))));
        let hi = numbers().max_by(|a, b| least(a, b).then(is_half(a).cmp(&is_half(b))));
        for (name, found) in [("lo", lo), ("hi", hi)] {
            if let Some(cell) = found {
                add(name, cell.text());
            }
        }
    }
    found
}

proptest! {
    #[test]
    fn loops_find_the_same(
        t in prop::collection::vec((0_usize..5, 0_usize..3), 0..9),
        v in prop::collection::vec((0_usize..5, cells()), 0..9),
    ) {
        let mut facts = "g(c0). g(c1). g(c2).\nt(none, none). v(none, 0).\n".to_owned();
        t.iter().for_each(|(row, customer)| facts += &format!("t(t{row}, c{customer}).\n"));
        v.iter().for_each(|(row, cell)| facts += &format!("v(t{row}, {}).\n", cell.text()));
        let loaded = loaded(&format!("{facts}{RULES}"));
        let names = [("n", 2), ("d", 2), ("s", 2), ("lo", 2), ("hi", 2), ("high", 2), ("lacks", 2), ("other", 2), ("two", 3)];
        let derived: BTreeSet<(&str, String)> = names
            .into_iter()
            .flat_map(|(name, arity)| tuples(&loaded, name, arity).into_iter().map(move |it| (name, it)))
            .collect();
        // The row of nothing is one of each customer's others.
        let expected = by_loops(&t, &v).into_iter().map(|(name, tuple)| match (name, tuple.split_once(',')) {
            ("other", Some((c, n))) => (name, format!("{c},{}", n.parse::<i64>().expect("a count") + 1)),
            _ => (name, tuple),
        });
        prop_assert_eq!(derived, expected.collect::<BTreeSet<_>>());
    }
}
