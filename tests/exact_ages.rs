//! Ages of tables are exact: of dates, of times of day, and of both in one column, in clauses and in models as SQL.

use std::fmt::Write as _;
use std::path::Path;

use crate::sql_times::{compare_all, weighed};
use crate::support::{covered, fresh_folder, write};

/// Seconds of a day.
const DAY: u32 = 86_400;

/// A time: seconds since March began, and whether it is a whole day.
#[derive(Clone, Copy)]
struct Moment {
    start: u32,
    is_day: bool,
}

impl Moment {
    fn new(seconds: u32, is_day: bool) -> Self {
        Self { start: if is_day { seconds - seconds % DAY } else { seconds }, is_day }
    }

    fn text(self) -> String {
        // From January on: 31 days, 29 of February, 31 of March, 30 of April, 31 of May, 30 of June.
        let (mut day, mut month) = (self.start / DAY, 1);
        for length in [31, 29, 31, 30, 31, 30] {
            if day < length {
                break;
            }
            (day, month) = (day - length, month + 1);
        }
        let [hour, minute, second] = [self.start / 3600 % 24, self.start / 60 % 60, self.start % 60];
        let time = format!(" {hour:02}:{minute:02}:{second:02}");
        format!("2024-{month:02}-{:02}{}", day + 1, if self.is_day { "" } else { &time })
    }

    /// Whether it is over before another begins: of times of day, whether it is earlier.
    fn is_before(self, other: Self) -> bool {
        if self.is_day { self.start + DAY <= other.start } else { self.start < other.start }
    }
}

/// The orders of buyers, and the cut-offs at which these are looked at.
struct Shop {
    orders: Vec<(u32, Moment)>,
    labels: Vec<(u32, Moment)>,
}

impl Shop {
    fn write(&self, folder: &Path) {
        let (mut orders, mut buyers) = ("id,buyer,placed\n".to_owned(), "buyer,town\n".to_owned());
        let mut labels = "buyer,as_of,label\n".to_owned();
        for (number, (buyer, placed)) in self.orders.iter().enumerate() {
            let _ = writeln!(orders, "o{number},b{buyer},{}", placed.text());
        }
        for (number, (buyer, as_of)) in self.labels.iter().enumerate() {
            let _ = writeln!(labels, "b{buyer},{},{}", as_of.text(), u32::from(number * 3 % 7 < 3));
        }
        for buyer in 0..40 {
            let _ = writeln!(buyers, "b{buyer},{}", ["rome", "oslo", "bern"][buyer % 3]);
        }
        for (name, text) in [("orders", orders), ("buyers", buyers), ("labels", labels)] {
            write(folder, &format!("db/{name}.csv"), &text);
        }
    }

    /// For how many labels something holds of the ages of the orders that exist, in seconds.
    fn n_of(&self, holds: impl Fn(&[u32]) -> bool) -> usize {
        let ages = |(buyer, as_of): &(u32, Moment)| -> Vec<u32> {
            let own = self.orders.iter().filter(|(of, placed)| of == buyer && placed.is_before(*as_of));
            own.map(|(_, placed)| as_of.start - placed.start).collect()
        };
        self.labels.iter().filter(|label| holds(&ages(label))).count()
    }
}

const HEAD: &str = "labels_label(A, B, C)";

/// The goals of the aggregates that are proposed, and others that differ in their windows.
fn goal(window: &str) -> String {
    format!("labels_buyer(A, X), orders_buyer(R, X), orders_placed_age(R, E), {window}")
}

fn n_covered(folder: &Path, body: &str) -> usize {
    covered(folder, "db", "labels.label", &format!("{HEAD} :- {body}.\n")).iter().sum()
}

/// Each of twenty buyers has an order at ten o'clock and one of the same day, and is looked at ninety days later at six:
/// the first is less than ninety days old, the second more.
#[test]
fn a_window_has_the_rows_that_are_young_enough_though_days_and_times_are_mixed() {
    let folder = fresh_folder("ages-window");
    let mut shop = Shop { orders: Vec::new(), labels: Vec::new() };
    for buyer in 0..40 {
        let day = (3 + buyer % 20) * DAY;
        shop.orders.push((buyer, Moment::new(day + 5 * 3600, true)));
        let hour = if buyer < 20 { 10 } else { 5 };
        shop.orders.push((buyer, Moment::new(day + hour * 3600, false)));
        shop.labels.push((buyer, Moment::new(day + 90 * DAY + 6 * 3600, false)));
    }
    shop.write(&folder);
    for (window, expected) in [("E =< 90", 20), ("E < 90", 20), ("E =< 90.2", 40), ("E =< 89.8", 0)] {
        let body = format!("aggregate_all(count, ({}), N), N >= 1", goal(window));
        assert_eq!(n_covered(&folder, &body), expected, "{window}");
    }
    // The youngest is of ten o'clock, or of five; the oldest is always the day.
    let extreme = |symbol: &str| {
        format!(
            "aggregate_all({symbol}(E), (labels_buyer(A, X), orders_buyer(R, X), orders_placed_age(R, E)), N)"
        )
    };
    for (symbol, test, expected) in
        [("min", "N < 90", 20), ("min", "N > 90.04", 20), ("max", "N > 90.2", 40), ("max", "N < 90.2", 0)]
    {
        assert_eq!(n_covered(&folder, &format!("{}, {test}", extreme(symbol))), expected, "{symbol} {test}");
    }
}

#[test]
fn ages_of_mixed_columns_are_those_of_a_plain_count_and_of_sql() {
    let folder = fresh_folder("ages-plain");
    let mut shop = Shop { orders: Vec::new(), labels: Vec::new() };
    for number in 0..600_u32 {
        let seconds = DAY + number.wrapping_mul(2_654_435_761) / 7 % (60 * DAY);
        shop.orders.push((number % 40, Moment::new(seconds, number % 5 < 2)));
    }
    for number in 0..120_u32 {
        let seconds = 40 * DAY + number.wrapping_mul(2_246_822_519) / 3 % (60 * DAY);
        shop.labels.push((number % 40, Moment::new(seconds, number % 4 == 0)));
    }
    shop.write(&folder);
    for days in [30_u32, 90, 12] {
        for least in [1_usize, 3, 5, 8] {
            let body = format!("aggregate_all(count, ({}), N), N >= {least}", goal(&format!("E =< {days}")));
            let expected = shop.n_of(|ages| ages.iter().filter(|age| **age <= days * DAY).count() >= least);
            assert_eq!(n_covered(&folder, &body), expected, "{least} in {days} days");
        }
    }
    for quarters in [2_u32, 9, 31, 120, 170, 221] {
        let seconds = quarters * DAY / 4;
        let days = format!("{}.{:02}", quarters / 4, quarters % 4 * 25);
        let ages = "labels_buyer(A, X), orders_buyer(R, X), orders_placed_age(R, E)";
        let youngest = format!("aggregate_all(min(E), ({ages}), N), N =< {days}");
        let expected = shop.n_of(|ages| ages.iter().min().is_some_and(|age| *age <= seconds));
        assert_eq!(n_covered(&folder, &youngest), expected, "youngest of at most {days}");
        let oldest = format!("aggregate_all(max(E), ({ages}), N), N >= {days}");
        let expected = shop.n_of(|ages| ages.iter().max().is_some_and(|age| *age >= seconds));
        assert_eq!(n_covered(&folder, &oldest), expected, "oldest of at least {days}");
    }
    let count = |window: &str| format!("aggregate_all(count, ({}), N), N >= 3", goal(window));
    let ages = "labels_buyer(A, X), orders_buyer(R, X), orders_placed_age(R, E)";
    let bodies = [
        count("E =< 30"),
        count("E =< 12.25"),
        format!("aggregate_all(min(E), ({ages}), N), N =< 2.5"),
        format!("aggregate_all(max(E), ({ages}), N), N >= 55.3"),
        "orders_buyer(D, B), orders_placed_age(D, E), E =< 1.75".to_owned(),
    ];
    let bodies: Vec<&str> = bodies.iter().map(String::as_str).collect();
    weighed(&folder, HEAD, &bodies, &[]);
    compare_all(&folder, "m.json");
}
