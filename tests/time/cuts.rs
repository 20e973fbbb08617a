//! Facts with a time, against a copy of the facts that plain loops cut at each example's cut-off.

use std::collections::BTreeSet;
use std::fmt::Write;

use proptest::prelude::{Strategy, any, prop, prop_assert_eq, proptest};

use gleaner_base::PredicateId;
use gleaner_data::{LoadRequest, Problem, Table, Values, load};
use gleaner_engine::datalog::Background;
use gleaner_lang::syntax::Sources;

/// How the whole numbers of a test are written as times.
#[derive(Clone, Copy, Debug)]
enum Unit {
    Number,
    /// A number is a day.
    Date,
    /// A number is an hour; a day has three of them here.
    Hour,
}

/// From a leap day's week.
const DATES: [&str; 10] = [
    "2012-02-25",
    "2012-02-26",
    "2012-02-27",
    "2012-02-28",
    "2012-02-29",
    "2012-03-01",
    "2012-03-02",
    "2012-03-03",
    "2012-03-04",
    "2012-03-05",
];

impl Unit {
    fn name(self, time: u32) -> String {
        match self {
            Self::Number => time.to_string(),
            Self::Date => DATES[time as usize].to_owned(),
            Self::Hour => format!("{}T{:02}:00:00Z", DATES[time as usize / 3], 8 * (time % 3)),
        }
    }

    fn text(self, time: u32) -> String {
        match self {
            Self::Number => self.name(time),
            Self::Date | Self::Hour => format!("'{}'", self.name(time)),
        }
    }

    /// The age, as a constant is written.
    fn age(self, age: u32) -> String {
        match self {
            Self::Number | Self::Date => age.to_string(),
            // A third of a day.
            Self::Hour if age.is_multiple_of(3) => (age / 3).to_string(),
            Self::Hour => format!("{}", f64::from(age) / 3.0),
        }
    }
}

/// Facts and examples of one random problem. Persons and orders are numbered.
#[derive(Clone, Debug)]
struct Random {
    /// Person, kind, time.
    visits: Vec<(u8, u8, u32)>,
    /// By order: person, amount, and the delivery that gives it its time.
    orders: Vec<(u8, u8, u8)>,
    /// By delivery: its time, if it has one.
    deliveries: Vec<Option<u32>>,
    /// Person and cut-off.
    examples: Vec<(u8, u32)>,
    is_inclusive: bool,
}

const MODES: &str = ":- modeh(1, late(+person, +time_of)).
:- modeb(*, visit(+person, -kind, -when)). :- modeb(*, orders(-order, +person)). :- modeb(1, amount(+order, -amount)).
:- modeb(1, order_delivery(+order, -delivery)). :- modeb(1, sent(+delivery, -when)). :- modeb(1, vip(+person)).
";

const RULES: &str = "
seen(P) :- visit(P, _, _).
unseen(P) :- person(P), \\+ seen(P).
visits(P, N) :- person(P), aggregate_all(count, visit(P, _, _), N).
kinds(P, N) :- person(P), aggregate_all(count, distinct(K, visit(P, K, _)), N).
spent(P, S) :- person(P), aggregate_all(sum(V), (orders(O, P), amount(O, V)), S).
most(P, M) :- person(P), aggregate_all(max(V), (orders(O, P), amount(O, V)), M).
last_visit(P, N) :- person(P), aggregate_all(min(A), visit_age(P, _, A), N).
poor(P) :- spent(P, S), S < 3, \\+ vip(P).
large(O) :- amount(O, V), V >= 2.
known(P) :- person(P), \\+ unseen(P).
known(P) :- orders(O, P), large(O).
lone(O) :- orders(O, P), \\+ two(P).
two(P) :- orders(A, P), orders(B, P), A \\== B.
recent(O) :- order_delivery(O, D), sent_age(D, A), A =< 1.
friend(P, Q) :- person(P), person(Q), vip(P), \\+ vip(Q).
";

/// What exists at every cut-off, so that no predicate is without a fact.
const ALWAYS: &str = "person(p0). person(p1). person(p2). vip(p1).\n";

impl Random {
    fn exists(&self, time: u32, cut_off: u32) -> bool {
        if self.is_inclusive { time <= cut_off } else { time < cut_off }
    }

    fn timed(&self, unit: Unit) -> String {
        let mut text = ALWAYS.to_owned();
        let rule = if self.is_inclusive { ", up_to" } else { "" };
        let _ = writeln!(text, ":- timed(visit(_, _, time)). :- timed(sent(key(delivery), time)).");
        let _ =
            writeln!(text, ":- timed(order_delivery(key(order), delivery)). :- cutoff(late(_, time){rule}).");
        for (person, kind, time) in &self.visits {
            let _ = writeln!(text, "visit(p{person}, {kind}, {}).", unit.text(*time));
        }
        for (number, time) in self.deliveries.iter().enumerate() {
            if let Some(time) = time {
                let _ = writeln!(text, "sent(d{number}, {}).", unit.text(*time));
            }
        }
        for (number, (person, amount, delivery)) in self.orders.iter().enumerate() {
            let _ = writeln!(
                text,
                "orders(o{number}, p{person}). amount(o{number}, {amount}). order_delivery(o{number}, d{delivery})."
            );
        }
        text
    }

    /// The facts that exist at a cut-off, with their ages, as plain facts.
    fn cut(&self, cut_off: u32, unit: Unit) -> String {
        let mut text = ALWAYS.to_owned();
        for (person, kind, time) in &self.visits {
            if self.exists(*time, cut_off) {
                let _ = writeln!(text, "visit(p{person}, {kind}, {}).", unit.text(*time));
                let _ = writeln!(text, "visit_age(p{person}, {kind}, {}).", unit.age(cut_off - *time));
            }
        }
        let sent = |delivery: usize| {
            self.deliveries.get(delivery).copied().flatten().filter(|&time| self.exists(time, cut_off))
        };
        for number in 0..self.deliveries.len() {
            if let Some(time) = sent(number) {
                let _ = writeln!(
                    text,
                    "sent(d{number}, {}). sent_age(d{number}, {}).",
                    unit.text(time),
                    unit.age(cut_off - time)
                );
            }
        }
        for (number, (person, amount, delivery)) in self.orders.iter().enumerate() {
            if sent(usize::from(*delivery)).is_some() {
                let _ = writeln!(
                    text,
                    "orders(o{number}, p{person}). amount(o{number}, {amount}). order_delivery(o{number}, d{delivery})."
                );
            }
        }
        text
    }
}

fn problem(text: &str, examples: &[(u8, u32)], unit: Unit) -> Problem {
    let cut_offs: Values = match unit {
        Unit::Number => examples.iter().map(|of| i64::from(of.1)).collect::<Vec<_>>().into(),
        Unit::Date | Unit::Hour => examples.iter().map(|of| unit.name(of.1)).collect::<Vec<_>>().into(),
    };
    let late = Table::new("late")
        .column("person", examples.iter().map(|of| format!("p{}", of.0)).collect::<Vec<_>>())
        .column("day", cut_offs)
        .column("label", (0..examples.len()).map(|number| number % 2 == 0).collect::<Vec<_>>());
    let request = LoadRequest::of_facts([late], format!("{MODES}{RULES}{text}"));
    match load(&request, &mut Sources::new()) {
        Ok(loaded) => loaded.problem,
        Err(faults) => panic!("{text}\n{faults:?}"),
    }
}

/// The tuples of a world as texts.
fn tuples(problem: &Problem, world: &Background) -> BTreeSet<String> {
    let mut tuples = BTreeSet::new();
    for (id, name) in problem.symbols().predicates.iter().enumerate() {
        let relation = world.relation(PredicateId::new(id));
        for row in 0..relation.n_rows() {
            let values = (0..relation.arity())
                .map(|column| problem.symbols().constants.text(relation.value(row, column)));
            tuples.insert(format!("{}({})", name.name, values.collect::<Vec<_>>().join(",")));
        }
    }
    tuples
}

fn random() -> impl Strategy<Value = Random> {
    let visit = (0..3_u8, 0..3_u8, 1..9_u32);
    let order = (0..3_u8, 0..4_u8, 0..4_u8);
    let delivery = prop::option::weighted(0.8, 1..9_u32);
    (
        prop::collection::vec(visit, 0..8),
        prop::collection::vec(order, 0..8),
        prop::collection::vec(delivery, 3),
        prop::collection::btree_set((0..3_u8, 1..9_u32), 2..7),
        any::<bool>(),
    )
        .prop_map(|(mut visits, mut orders, mut deliveries, examples, is_inclusive)| {
            // These exist at every cut-off, so that no predicate is without a fact.
            visits.push((0, 1, 0));
            deliveries.push(Some(0));
            orders.push((0, 1, 3));
            let examples = examples.into_iter().collect();
            Random { visits, orders, deliveries, examples, is_inclusive }
        })
}

proptest! {
    #[test]
    fn worlds_are_the_facts_before_each_cut_off(
        random in random(),
        unit in prop::sample::select(vec![Unit::Number, Unit::Date, Unit::Hour]),
    ) {
        let timed = problem(&random.timed(unit), &random.examples, unit);
        prop_assert_eq!(timed.examples().len(), random.examples.len());
        for id in timed.examples().ids() {
            let text = timed.example_text(id);
            let is_same = |(person, cut_off): &&(u8, u32)| text == format!("late(p{person},{})", unit.text(*cut_off));
            let &(_, cut_off) = random.examples.iter().find(is_same).expect("an example");
            let cut = problem(&random.cut(cut_off, unit), &random.examples, unit);
            let world = &timed.worlds()[timed.examples().world(id).index()];
            prop_assert_eq!(tuples(&timed, world), tuples(&cut, &cut.worlds()[0]), "at {}", text);
        }
    }
}

/// A problem whose folds are named, with visits and examples.
fn in_folds(program: &str, visits: &[(&str, i64, Option<&str>)], examples: &[(&str, i64, &str)]) -> Problem {
    let texts = |texts: Vec<Option<&str>>| -> Values {
        texts.into_iter().map(|text| text.map(str::to_owned)).collect::<Vec<_>>().into()
    };
    let visit = Table::new("visit")
        .column("person", texts(visits.iter().map(|of| Some(of.0)).collect()))
        .column("day", visits.iter().map(|of| of.1).collect::<Vec<_>>())
        .column("fold", texts(visits.iter().map(|of| of.2).collect()));
    let late = Table::new("late")
        .column("person", texts(examples.iter().map(|of| Some(of.0)).collect()))
        .column("day", examples.iter().map(|of| of.1).collect::<Vec<_>>())
        .column("fold", texts(examples.iter().map(|of| Some(of.2)).collect()))
        .column("label", (0..examples.len()).map(|number| number % 2 == 0).collect::<Vec<_>>());
    let program = format!(":- modeh(1, late(+person, +day)).\n{program}");
    load(&LoadRequest::of_facts([visit, late], program), &mut Sources::new()).expect("it loads").problem
}

const OF_VISITS: &str =
    ":- timed(visit(_, time)). :- cutoff(late(_, time)). :- modeb(*, visit(+person, -day)).
:- modeb(1, no_visit(+person)). person(ann). person(bob). no_visit(P) :- person(P), \\+ visit(P, _).
";

/// The tuples that an example sees, of the predicates with one of these names.
fn seen(problem: &Problem, example: &str, fold: &str, names: &[&str]) -> Vec<String> {
    let is_same = |&id: &gleaner_base::ExampleId| {
        let of = problem.examples().fold(id).map(|fold| problem.fold_name(fold));
        problem.example_text(id) == example && of == Some(fold)
    };
    let id = problem.examples().ids().find(is_same).expect("an example");
    let all = tuples(problem, &problem.worlds()[problem.examples().world(id).index()]);
    all.into_iter().filter(|tuple| names.iter().any(|name| tuple.starts_with(&format!("{name}(")))).collect()
}

/// Visits of ann on days 1, 4 and 6. Test is frozen at day 4, and ages count from its cut-off.
#[test]
fn a_frozen_fold_does_not_see_what_came_from_its_time_on() {
    let program = format!("{OF_VISITS}:- frozen(test, 4).");
    let visits = [("ann", 1, None), ("ann", 4, None), ("ann", 6, None), ("bob", 4, None)];
    let examples = [
        ("ann", 6, "train"),
        ("bob", 6, "train"),
        ("ann", 6, "test"),
        ("bob", 3, "test"),
        ("ann", 3, "test"),
    ];
    let problem = in_folds(&program, &visits, &examples);
    let names = ["visit", "visit_age", "no_visit"];
    let of_train = [
        "visit(ann,1)",
        "visit(ann,4)",
        "visit(bob,4)",
        "visit_age(ann,2)",
        "visit_age(ann,5)",
        "visit_age(bob,2)",
    ];
    assert_eq!(seen(&problem, "late(ann,6)", "train", &names), of_train);
    let of_test = ["no_visit(bob)", "visit(ann,1)", "visit_age(ann,5)"];
    assert_eq!(seen(&problem, "late(ann,6)", "test", &names), of_test, "the ages are those at day 6");
    let early = ["no_visit(bob)", "visit(ann,1)", "visit_age(ann,2)"];
    assert_eq!(seen(&problem, "late(bob,3)", "test", &names), early, "the earlier of cut-off and freeze");
    assert_eq!(problem.worlds().len(), 3);
}

/// Facts of a fold are seen by its examples alone, and by these from their time on.
#[test]
fn facts_of_folds_have_times_too() {
    let visits = [("ann", 1, Some("a")), ("ann", 3, Some("a")), ("bob", 2, Some("b")), ("ann", 2, None)];
    let examples = [("ann", 3, "a"), ("bob", 4, "a"), ("ann", 3, "b"), ("bob", 2, "b")];
    let problem = in_folds(OF_VISITS, &visits, &examples);
    let names = ["visit", "no_visit"];
    assert_eq!(seen(&problem, "late(ann,3)", "a", &names), ["no_visit(bob)", "visit(ann,1)", "visit(ann,2)"]);
    assert_eq!(
        seen(&problem, "late(bob,4)", "a", &names),
        ["no_visit(bob)", "visit(ann,1)", "visit(ann,2)", "visit(ann,3)"]
    );
    assert_eq!(seen(&problem, "late(ann,3)", "b", &names), ["visit(ann,2)", "visit(bob,2)"]);
    assert_eq!(seen(&problem, "late(bob,2)", "b", &names), ["no_visit(ann)", "no_visit(bob)"]);
}

/// A row takes the latest time of the rows it hangs on, however many steps away; one that hangs on itself alone never is.
#[test]
fn rows_take_the_latest_time_of_a_chain() {
    let program = ":- timed(sent(key(box), time)). :- timed(in(key(box), box)). :- timed(part(key(part), box)).
        :- cutoff(late(_, time)). :- modeb(*, holds(+person, -part)). :- modeb(*, in(+box, -box)). :- modeb(1, part(+part, -box)).
        sent(b1, 5). sent(b2, 2). in(b2, b3). in(b3, b1). in(b4, b5). in(b5, b4).
        part(p1, b1). part(p2, b2). part(p3, b3). part(p4, b4). part(p9, b9). sent(b9, 1).
        holds(ann, p1). holds(ann, p2). holds(ann, p3). holds(ann, p4). holds(ann, p9).";
    let problem =
        in_folds(program, &[], &[("ann", 3, "a"), ("bob", 3, "a"), ("ann", 6, "b"), ("bob", 6, "b")]);
    assert_eq!(
        seen(&problem, "late(ann,3)", "a", &["holds"]),
        ["holds(ann,p9)"],
        "b2 is in b3, which is in b1"
    );
    let late = ["holds(ann,p1)", "holds(ann,p2)", "holds(ann,p3)", "holds(ann,p9)"];
    assert_eq!(seen(&problem, "late(ann,6)", "b", &["holds"]), late);
}
