//! A planted rule that is a window: learners find it in data where only the last days count.

use std::fmt::Write;

use gleaner::{Dataset, FitOptions, Learner, Scores, Source, Table};

const PROGRAM: &str = ":- timed(sold(key(sale), time), sale_age). :- cutoff(returns(_, time)).
:- modeh(1, returns(+customer, +day)).
:- modeb(*, bought(+customer, -sale)). :- modeb(1, amount(+sale, -amount)). :- modeb(1, +amount >= #amount).
:- modeb(1, sale_age(+sale, -age)). :- modeb(1, +age =< #age).
:- set(depth, 3).
";

/// The dates of cut-offs: the first of each month of 2011, as days since 2010 ended.
const MONTHS: [u32; 12] = [1, 32, 60, 91, 121, 152, 182, 213, 244, 274, 305, 335];

struct Numbers(u64);

impl Numbers {
    fn next(&mut self, most: u32) -> u32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        u32::try_from(self.0 >> 33).expect("31 bits") % most
    }
}

/// The date of a day of 2010 or 2011; day 1 is 2011-01-01.
fn date(day: i64) -> String {
    let lengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let (year, mut rest) = if day < 1 { (2010, day + 365) } else { (2011, day) };
    let month = lengths.iter().position(|&length| {
        let is_here = rest <= length;
        rest -= if is_here { 0 } else { length };
        is_here
    });
    format!("{year}-{:02}-{rest:02}", month.expect("a day of the year") + 1)
}

struct Planted {
    data: Dataset,
    /// For each example of test, as it is written: what the rule says, and the label.
    test: Vec<(String, bool, bool)>,
}

/// Customers with sales of 2010 and 2011. An example is positive if a sale of its last 30 days is above 100, and one in
/// twenty has the other label.
fn planted() -> Planted {
    let mut numbers = Numbers(11);
    let (mut text, mut rows, mut test) = (PROGRAM.to_owned(), Vec::new(), Vec::new());
    let mut sales: Vec<(u32, i64, u32)> = Vec::new();
    for number in 0..900_usize {
        let sale = (numbers.next(50), i64::from(numbers.next(425)) - 60, 1 + numbers.next(130));
        let (customer, day, amount) = sale;
        let _ = write!(text, "sold(t{number}, '{}'). bought(c{customer}, t{number}). ", date(day));
        let _ = writeln!(text, "amount(t{number}, {amount}).");
        sales.push(sale);
    }
    for (month, &cut_off) in MONTHS.iter().enumerate() {
        let fold = if month < 7 {
            "train"
        } else if month < 9 {
            "tune"
        } else {
            "test"
        };
        for customer in 0..50 {
            let age = |day: i64| i64::from(cut_off) - day;
            let holds = sales
                .iter()
                .any(|&(of, day, amount)| of == customer && (1..=30).contains(&age(day)) && amount > 100);
            let label = holds ^ (numbers.next(20) == 0);
            let (customer, cut_off) = (format!("c{customer}"), date(cut_off.into()));
            if fold == "test" {
                test.push((format!("returns({customer},'{cut_off}')"), holds, label));
            }
            rows.push((customer, cut_off, fold, label));
        }
    }
    let returns = Table::new("returns")
        .column("customer", rows.iter().map(|of| of.0.clone()).collect::<Vec<_>>())
        .column("day", rows.iter().map(|of| of.1.clone()).collect::<Vec<_>>())
        .column("fold", rows.iter().map(|of| of.2.to_owned()).collect::<Vec<_>>())
        .column("label", rows.iter().map(|of| of.3).collect::<Vec<_>>());
    let data = Dataset::open(Source::facts([returns]).program(text)).expect("it loads");
    Planted { data, test }
}

/// The area under the ROC curve of scores with labels: the share of pairs in the right order.
fn area(scores: &[(f64, bool)]) -> f64 {
    let of = |class: bool| scores.iter().filter(move |(_, label)| *label == class).map(|(score, _)| *score);
    let (mut right, mut n_pairs) = (0.0, 0.0);
    for positive in of(true) {
        for negative in of(false) {
            n_pairs += 1.0;
            right += if positive > negative {
                1.0
            } else if positive < negative {
                0.0
            } else {
                0.5
            };
        }
    }
    right / n_pairs
}

#[test]
fn a_window_is_found() {
    let planted = planted();
    let own: Vec<(f64, bool)> =
        planted.test.iter().map(|(_, holds, label)| (f64::from(u8::from(*holds)), *label)).collect();
    let own = area(&own);
    assert!((0.9..0.99).contains(&own), "{own}");
    for (name, settings) in [
        ("rdn-boost", &[][..]),
        ("srl", &[("clauses", "400"), ("seeds", "10")][..]),
        ("gleaner", &[("clauses", "400"), ("seeds", "10")][..]),
    ] {
        let learner =
            settings.iter().fold(Learner::named(name).expect("a learner"), |learner, (setting, value)| {
                learner.with(setting, value).expect("a setting")
            });
        let of_test = FitOptions { fold: Some("test".to_owned()), ..FitOptions::default() };
        let model = learner.fit_with(&planted.data, &of_test).expect("it learns").0;
        let found = model.predict(&planted.data).expect("it scores");
        let scores: Scores = found.scores().expect("scores");
        let of =
            |example: &str| scores.iter().find(|score| score.example == example).expect("it is scored").score;
        let found: Vec<(f64, bool)> =
            planted.test.iter().map(|(example, _, label)| (of(example), *label)).collect();
        let found = area(&found);
        println!("{name}: {found:.3}; the planted rule: {own:.3}\n{}", model.clauses().join("\n"));
        assert!(found > own - 0.05, "{name}: {found:.3}; the planted rule: {own:.3}");
    }
}
