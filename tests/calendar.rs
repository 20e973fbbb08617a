//! Months, weekdays and hours of the times of examples.

use std::fmt::Write as _;
use std::path::Path;

use crate::sql_times::{compare_all, weighed};
use crate::support::{fresh_folder, printed};

/// Days since 1970-01-01, which was a Thursday, with what the calendar says: by `date --utc -d DAY '+%-m %u'`.
const DAYS: [(&str, u32, u32); 8] = [
    ("1969-12-28", 12, 7),
    ("1972-02-29", 2, 2),
    ("1999-12-31", 12, 5),
    ("2000-01-01", 1, 6),
    ("2023-06-05", 6, 1),
    ("2024-02-29", 2, 4),
    ("2024-09-21", 9, 6),
    ("2024-12-01", 12, 7),
];

/// Whether a label of a month, a weekday and an hour is positive.
type Rule = fn(u32, u32, Option<u32>) -> bool;

/// The days of 2023, which began on a Sunday.
fn days_of_2023() -> Vec<(String, u32, u32)> {
    let lengths = [31_u32, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let days = (1..).zip(lengths).flat_map(|(month, n)| (1..=n).map(move |day| (month, day)));
    days.zip(0_u32..)
        .map(|((month, day), nth)| (format!("2023-{month:02}-{day:02}"), month, (nth + 6) % 7 + 1))
        .collect()
}

/// Labels of these days, dates and times of day in turn; the label follows the rule.
fn write(folder: &Path, days: &[(String, u32, u32)], is_positive: impl Fn(u32, u32, Option<u32>) -> bool) {
    std::fs::create_dir_all(folder.join("db")).expect("a folder");
    let mut labels = "buyer,as_of,label\n".to_owned();
    let mut buyers = "buyer,town\n".to_owned();
    let mut orders = "id,buyer,placed\n".to_owned();
    for number in 0..240_usize {
        let (day, month, weekday) = &days[number * 11 % days.len()];
        let hour = (number % 3 > 0).then_some(u32::try_from(number * 7 % 24).expect("an hour"));
        let time = hour.map_or_else(String::new, |hour| format!(" {hour:02}:59:59"));
        let _ = writeln!(labels, "b{number},{day}{time},{}", u32::from(is_positive(*month, *weekday, hour)));
        let _ = writeln!(buyers, "b{number},{}", ["rome", "oslo", "bern"][number % 5 % 3]);
        let _ = writeln!(orders, "o{number},b{number},1969-03-{:02}", 1 + number % 20);
    }
    for (name, text) in [("labels", labels), ("buyers", buyers), ("orders", orders)] {
        std::fs::write(folder.join(format!("db/{name}.csv")), text).expect("a table");
    }
}

/// Of cut-offs, and of times where examples have no cut-off, since nothing else has a time.
#[test]
fn parts_of_times_have_the_scores_of_predict_in_sql() {
    let days = DAYS.map(|(day, month, weekday)| (day.to_owned(), month, weekday));
    for (head, has_cut_offs) in [("labels_label(A,B,C)", true), ("labels_label(A)", false)] {
        let folder = fresh_folder(&format!("calendar-sql-{has_cut_offs}"));
        write(&folder, &days, |month, weekday, hour| (month + weekday + hour.unwrap_or(5)) % 3 == 0);
        if !has_cut_offs {
            std::fs::remove_file(folder.join("db/orders.csv")).expect("a table");
        }
        scores_are_those_of_sql(&folder, head);
    }
}

fn scores_are_those_of_sql(folder: &Path, head: &str) {
    let bodies = [
        "labels_as_of_month(A,D), D >= 3, D =< 11",
        "labels_as_of_weekday(A,D), D >= 6",
        "labels_as_of_weekday(A,1)",
        "labels_as_of_hour(A,D), D =< 11",
        "labels_as_of_hour(A,D), D >= 23",
    ];
    weighed(folder, head, &bodies, &[]);
    compare_all(folder, "m.json");
}

/// A rule about each part, none of which is the first column, is found and said in words.
#[test]
fn rules_of_the_calendar_are_learnt() {
    let rules: [(&str, Rule); 3] = [
        ("month of as_of", |month, _, _| month >= 9),
        ("weekday of as_of", |_, weekday, _| weekday >= 6),
        ("hour of as_of", |_, _, hour| hour.is_some_and(|hour| hour < 7)),
    ];
    for (words, rule) in rules {
        let folder = fresh_folder(&format!("calendar-{}", &words[..4]));
        write(&folder, &days_of_2023(), rule);
        let learn =
            ["learn", "db", "--label", "labels.label", "--learner", "tree", "--quiet", "-o", "model.json"];
        printed(&folder, &learn);
        let shown = printed(&folder, &["show", "model.json"]);
        assert!(shown.contains(words), "{words}: {shown}");
    }
}

/// Hours recur from day to day, though there are more of them than days.
#[test]
fn hours_of_few_days_are_proposed() {
    let folder = fresh_folder("calendar-hours");
    let days: Vec<(String, u32, u32)> = days_of_2023().into_iter().take(5).collect();
    write(&folder, &days, |_, _, hour| hour.is_some_and(|hour| hour < 7));
    let modes = printed(&folder, &["inspect", "db", "--label", "labels.label", "--propose-modes"]);
    assert!(modes.contains("labels_as_of_hour(+labels, -labels_as_of_hour)"), "{modes}");
    assert!(!modes.contains("labels_as_of_month") && !modes.contains("labels_as_of_weekday"), "{modes}");
}

/// What is the same for all examples is not proposed, nor what has one date for each value.
#[test]
fn parts_that_do_not_recur_are_not_proposed() {
    for (n_days, has_weekdays) in [(7, false), (14, true)] {
        let folder = fresh_folder(&format!("calendar-same-{n_days}"));
        std::fs::create_dir_all(folder.join("db")).expect("a folder");
        let mut labels = "buyer,as_of,label\n".to_owned();
        let mut orders = "id,buyer,placed\n".to_owned();
        for number in 0..60_usize {
            let _ = writeln!(labels, "b{number},2024-03-{:02},{}", 1 + number % n_days, number % 2);
            let _ = writeln!(orders, "o{number},b{number},2024-02-{:02}", 1 + number % 20);
        }
        std::fs::write(folder.join("db/labels.csv"), labels).expect("a table");
        std::fs::write(folder.join("db/orders.csv"), orders).expect("a table");
        let modes = printed(&folder, &["inspect", "db", "--label", "labels.label", "--propose-modes"]);
        let weekday = "labels_as_of_weekday(+labels, -labels_as_of_weekday)";
        assert_eq!(modes.contains(weekday), has_weekdays, "{n_days}: {modes}");
        assert!(!modes.contains("labels_as_of_month") && !modes.contains("labels_as_of_hour"), "{modes}");
    }
}
