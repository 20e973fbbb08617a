//! What examples see of rows that they point to: by whatever path, nothing of what came after their cut-offs.

use std::fmt::Write as _;
use std::path::Path;

use crate::sql_times::{compare_all, weighed};
use crate::support::{covered, fresh_folder, gleaner, printed, write};

/// How many examples of either class a clause covers.
fn n_covered(folder: &Path, label: &str, clause: &str) -> usize {
    covered(folder, "db", label, &format!("{clause}\n")).iter().sum()
}

/// The messages of codes that tell of what is known afterwards.
fn told(folder: &Path, label: &str) -> Vec<String> {
    let (_, _, messages) = gleaner(folder, &["inspect", "db", "--label", label]);
    messages.lines().filter(|line| line.contains("[G146]")).map(str::to_owned).collect()
}

/// The times of a row and of the label that names it, and whether the row is seen. By hand: a day is there at its end, and
/// a cut-off of a day is its beginning; the very same moment is seen.
const TIMES: [(&str, &str, bool); 10] = [
    ("2024-03-09", "2024-03-10", true),
    ("2024-03-10", "2024-03-10", true),
    ("2024-03-11", "2024-03-10", false),
    ("2024-03-10 00:00:00", "2024-03-10", true),
    ("2024-03-10 09:00:00", "2024-03-10", false),
    ("2024-03-10", "2024-03-10 09:00:00", false),
    ("2024-03-10 09:00:00", "2024-03-10T11:00:00+02:00", true),
    ("2024-03-10 09:00:01", "2024-03-10 09:00:00", false),
    ("2024-03-10T00:30:00+02:00", "2024-03-10", true),
    ("", "2024-03-10", true),
];

/// Eighty labels of as many claims, eight for each pair of times, whose number is the claim's word. Claims point to offices
/// if `points` says so.
fn claims(folder: &Path, points: bool) {
    let mut claims = format!("claim_id,note,filed{}\n", if points { ",office" } else { "" });
    let mut labels = "claim_id,as_of,label\n".to_owned();
    for number in 0..80 {
        let (filed, as_of, _) = TIMES[number % 10];
        let office = if points { format!(",o{}", number % 3) } else { String::new() };
        let _ = writeln!(claims, "c{number},n{},{filed}{office}", number % 10);
        let _ = writeln!(labels, "c{number},{as_of},{}", u32::from(number % 7 < 3));
    }
    write(folder, "db/claims.csv", &claims);
    write(folder, "db/labels.csv", &labels);
    if points {
        write(folder, "db/offices.csv", "office,town\no0,rome\no1,oslo\no2,bern\n");
    }
}

#[test]
fn a_row_that_a_label_names_is_seen_if_it_came_no_later() {
    for (name, points) in [("later-pointing", true), ("later-alone", false)] {
        let folder = fresh_folder(name);
        claims(&folder, points);
        // Without a row that hangs on something there are no ages, and the cut-off is no argument.
        let head = if points { "labels_label(A, B)" } else { "labels_label(A)" };
        write(&folder, "db/schema.toml", "[claims]\nfiled = \"row time\"\n");
        for (number, (filed, as_of, is_seen)) in TIMES.iter().enumerate() {
            let clause = format!("{head} :- labels_claim_id_note(A, n{number}).");
            let expected = if *is_seen { 8 } else { 0 };
            assert_eq!(n_covered(&folder, "labels.label", &clause), expected, "{name}: {filed} at {as_of}");
        }
        // The key itself is known, whenever the row came.
        let known = format!("{head} :- labels_claim_id(A, D).");
        assert_eq!(n_covered(&folder, "labels.label", &known), 80, "{name}");
        let bodies =
            ["labels_claim_id_note(A, n1)", "labels_claim_id_note(A, n4)", "labels_claim_id_note(A, n6)"];
        weighed(&folder, head, &bodies, &[]);
        compare_all(&folder, "m.json");
    }
}

/// A line is as old as its order. Of 90 labels of lines, each third order came later. Of the others each second customer did, which
/// hides neither the order nor the line.
#[test]
fn what_lies_behind_a_later_row_is_not_seen() {
    let folder = fresh_folder("later-path");
    let (mut lines, mut orders) =
        ("line_id,order_id,note\n".to_owned(), "order_id,customer,channel,placed\n".to_owned());
    let (mut customers, mut labels) =
        ("customer,rating,joined\n".to_owned(), "line_id,as_of,label\n".to_owned());
    for number in 0..90 {
        let (placed, joined) = (
            if number % 3 == 0 { "05-20" } else { "05-02" },
            if number % 2 == 0 { "05-11" } else { "05-01" },
        );
        let _ = writeln!(lines, "l{number},p{number},{}", ["late", "dear", "odd"][number / 3 % 3]);
        let _ = writeln!(orders, "p{number},k{number},{},2024-{placed}", ["web", "shop"][number / 6 % 2]);
        let _ = writeln!(customers, "k{number},{},2024-{joined}", ["good", "poor"][number / 6 % 2]);
        let _ = writeln!(labels, "l{number},2024-05-10,{}", u32::from(number % 5 < 2));
    }
    for (name, text) in
        [("lines", &lines), ("orders", &orders), ("customers", &customers), ("labels", &labels)]
    {
        write(&folder, &format!("db/{name}.csv"), text);
    }
    // Each thing has one of the next here, so the values alone do not say which points to which.
    let schema = "[lines]\norder_id = \"-> orders\"\n[orders]\norder_id = \"key\"\ncustomer = \"-> customers\"\n\
                  [customers]\ncustomer = \"key\"\n";
    write(&folder, "db/schema.toml", schema);
    let n = |body: &str| n_covered(&folder, "labels.label", &format!("labels_label(A, B) :- {body}."));
    // By hand: of 90 lines 60 have an order before the cut-off.
    for (relation, words) in [("note", &["late", "dear", "odd"][..]), ("order_id_channel", &["web", "shop"])]
    {
        let n: usize = words.iter().map(|word| n(&format!("labels_line_id_{relation}(A, {word})"))).sum();
        assert_eq!(n, 60, "{relation}");
    }
    let head = "labels_label(A, B)";
    weighed(
        &folder,
        head,
        &["labels_line_id_note(A, late)", "labels_line_id_order_id_channel(A, shop)"],
        &[],
    );
    compare_all(&folder, "m.json");
}

/// A frozen fold sees nothing from its day on, its own moment neither.
#[test]
fn a_frozen_fold_sees_no_row_of_its_day() {
    let folder = fresh_folder("later-frozen");
    let (mut claims, mut labels) =
        ("claim_id,note,filed,office\n".to_owned(), "claim_id,as_of,label,fold\n".to_owned());
    for number in 0..60 {
        let day = 8 + number % 5;
        let _ = writeln!(claims, "c{number},n{day},2024-03-{day:02},o{}", number % 3);
        let fold = if number % 2 == 0 { "test" } else { "train" };
        let _ = writeln!(labels, "c{number},2024-03-{day:02},{},{fold}", u32::from(number % 7 < 3));
    }
    write(&folder, "db/claims.csv", &claims);
    write(&folder, "db/labels.csv", &labels);
    write(&folder, "db/offices.csv", "office,town\no0,rome\no1,oslo\no2,bern\n");
    let bodies =
        ["labels_claim_id_note(A, n9)", "labels_claim_id_note(A, n10)", "labels_claim_id_note(A, n11)"];
    weighed(&folder, "labels_label(A, B)", &bodies, &["--frozen", "test=2024-03-10"]);
    compare_all(&folder, "m.json");
    let scores = crate::sql::predicted(&folder, &["m.json", "db"]);
    let score =
        |number: usize| scores[&vec![(number + 1).to_string(), format!("2024-03-{:02}", 8 + number % 5)]].0;
    // Number 2 is of test and the 10th, 7 of train and the 10th; 0 sees no word of the clauses, and neither does 2.
    assert!((score(2) - score(0)).abs() < 1e-12 && (score(7) - score(0)).abs() > 1e-6);
    assert!((score(6) - score(0)).abs() > 1e-6, "a row of the 9th is seen in test");
}

/// The visits of four stations on 28 days, and what was measured there on that day.
fn stations(folder: &Path, schema: &str) {
    let (mut measured, mut visits) =
        ("station,day,sky\n".to_owned(), "visit_id,station,day,label\n".to_owned());
    for number in 0..112 {
        let (station, day) = (["alp", "bay", "cape", "dune"][number % 4], 1 + number / 4 % 28);
        let _ = writeln!(measured, "{station},2024-02-{day:02},{}", ["fog", "sun", "rain"][number * 5 % 3]);
        let _ = writeln!(visits, "v{number},{station},2024-02-{day:02},{}", u32::from(number * 5 % 3 == 1));
    }
    write(folder, "db/measured.csv", &measured);
    write(folder, "db/visits.csv", &visits);
    write(folder, "db/schema.toml", schema);
}

#[test]
fn a_key_of_several_columns_is_not_proposed_for_rows_of_the_moment() {
    let folder = fresh_folder("later-composite");
    stations(&folder, "");
    let proposed =
        || printed(&folder, &["inspect", "db", "--label", "visits.label", "--propose-schema", "-q"]);
    assert!(!proposed().contains("-> measured"), "{}", proposed());
    let found = told(&folder, "visits.label");
    let what = "station and day of visits lead 112 rows to the row of measured of their own moment";
    assert!(found.iter().any(|line| line.contains(what)), "{found:?}");
    // The advice, followed: who says so sees the rows.
    stations(&folder, "[visits]\n\"-> measured\" = [\"station\", \"day\"]\n");
    assert!(proposed().contains("\"-> measured\" = [\"station\", \"day\"]"));
    let n = n_covered(&folder, "visits.label", "visits_label(A) :- visits_station_and_day_sky(A, sun).");
    // By hand: 5 n mod 3 is 1 where n mod 3 is 2.
    assert_eq!(n, (0..112).filter(|number| number % 3 == 2).count());
}

#[test]
fn rows_that_are_hidden_are_counted_and_the_advice_shows_them() {
    let folder = fresh_folder("later-told");
    let (mut claims, mut labels) = ("claim_id,note,filed\n".to_owned(), "claim_id,as_of,label\n".to_owned());
    for number in 0..80 {
        let _ = writeln!(claims, "c{number},{},2024-03-{}", ["bad", "fine"][number / 4 % 2], 10 + number % 4);
        let _ = writeln!(labels, "c{number},2024-03-12,{}", u32::from(number % 7 < 3));
    }
    write(&folder, "db/claims.csv", &claims);
    write(&folder, "db/labels.csv", &labels);
    let n = |head: &str| {
        n_covered(&folder, "labels.label", &format!("labels_label({head}) :- labels_claim_id_note(A, bad)."))
    };
    // By hand: 20 of each of four days, of which one is after the 12th and one the 12th.
    assert_eq!(n("A"), 30);
    let found = told(&folder, "labels.label");
    let [after, same] = &found[..] else { panic!("{found:?}") };
    assert!(
        after.contains("20 of 80 examples point to rows of claims by labels.claim_id that came after"),
        "{after}"
    );
    assert!(
        same.contains("20 of 80 examples point to rows of claims by labels.claim_id that are of the moment"),
        "{same}"
    );
    // What happened to a claim has an age at the cut-off, which then is an argument.
    for (line, head, n_seen) in [("filed = \"time\"", "A, B", 40), ("filed = \"row time\"", "A", 30)] {
        write(&folder, "db/schema.toml", &format!("[claims]\n{line}\n"));
        assert_eq!(n(head), n_seen, "{line}");
        assert_eq!(told(&folder, "labels.label"), Vec::<String>::new(), "{line}");
    }
}

/// Modes of the user lead by the key to relations of the claims themselves: later claims are not seen there either.
#[test]
fn modes_of_the_user_lead_to_no_later_row() {
    for (name, points) in [("later-modes-pointing", true), ("later-modes-alone", false)] {
        let folder = fresh_folder(name);
        claims(&folder, points);
        write(&folder, "db/schema.toml", "[claims]\nfiled = \"row time\"\n");
        let head = if points { "labels_label(A, B)" } else { "labels_label(A)" };
        let modes = "modeh(1, labels_label(+labels)).\nmodeb(1, labels_claim_id(+labels, -claims)).\n\
                     modeb(1, claims_note(+claims, #claims_note)).\n";
        let with_cut_off = modes.replace("(+labels)).", "(+labels, +cut_off)).");
        write(&folder, "modes.pl", if points { &with_cut_off } else { modes });
        let (_, _, told) =
            gleaner(&folder, &["inspect", "db", "--label", "labels.label", "--modes", "modes.pl"]);
        for (number, (filed, as_of, is_seen)) in TIMES.iter().enumerate() {
            let clause = format!("{head} :- labels_claim_id(A, D), claims_note(D, n{number}).");
            write(&folder, "c.pl", &clause);
            let flags = ["cover", "db", "--label", "labels.label", "--modes", "modes.pl", "c.pl", "-q"];
            let (code, rows, stderr) = gleaner(&folder, &flags);
            if points {
                let expected = if *is_seen { "8" } else { "0" };
                let row = rows.lines().nth(1).unwrap_or_default();
                assert_eq!(row.rsplit(',').next(), Some(expected), "{filed} at {as_of}: {rows}{stderr}");
            } else {
                // Nothing is said of a claim itself, as one that points to nothing is in all worlds.
                assert!(
                    code == Some(1) && told.contains("claims_note/2 is in a mode but has no facts"),
                    "{told}{rows}"
                );
            }
        }
    }
}

/// Customers point to their last orders, and orders to customers. Of 40 customers the last order of each fourth one came
/// before the cut-off, of the next on `later`, of the next at the cut-off, and of half of the next no one knows when. What
/// the others see does not depend on the second ones.
#[test]
fn a_row_that_came_later_is_not_seen_where_two_tables_point_to_each_other() {
    for (name, later, is_later) in
        [("later-cycle", "2024-01-31", true), ("later-cycle-before", "2023-12-31", false)]
    {
        let folder = fresh_folder(name);
        let mut customers = "customer_id,last_order,region\n".to_owned();
        let mut orders = "order_id,customer_id,placed_at,kind\n".to_owned();
        let mut labels = "customer_id,as_of,label\n".to_owned();
        for number in 0..40 {
            let (before, after) = (2 * number, 2 * number + 1);
            let last = if number % 4 == 0 { before } else { after };
            let region = if number % 2 == 0 { "north" } else { "east" };
            let first = if number % 8 == 0 { "late" } else { "early" };
            let (placed, kind) =
                [("2024-02-02", "ok"), (later, "bad"), ("2024-01-01", "same"), ("", "undated")][number % 4];
            let (placed, kind) = if number % 8 == 3 { ("2023-11-23", "fine") } else { (placed, kind) };
            let _ = writeln!(customers, "c{number},o{last},{region}");
            let _ = writeln!(orders, "o{before},c{number},2023-11-22,{first}");
            let _ = writeln!(orders, "o{after},c{number},{placed},{kind}");
            let _ = writeln!(labels, "c{number},2024-01-01,{}", u32::from(number % 4 == 1));
        }
        write(&folder, "db/customers.csv", &customers);
        write(&folder, "db/orders.csv", &orders);
        write(&folder, "db/labels.csv", &labels);
        let seen = if is_later { 0 } else { 10 };
        // What points to each other says nothing of when it came to be: all customers are there.
        let last = |kind: &str| format!("labels_customer_id_last_order_kind(A, {kind})");
        let counts = [
            (last("bad"), seen),
            (last("late"), 5),
            (last("same"), 10),
            (last("undated"), 5),
            (last("fine"), 5),
            ("customers_region(B, north)".to_owned(), 20),
            ("customers_region(B, east)".to_owned(), 20),
            ("orders_customer_id(D, B), orders_kind(D, early)".to_owned(), 35),
            ("orders_customer_id(D, B), orders_kind(D, bad)".to_owned(), seen),
            ("orders_customer_id(D, B), orders_kind(D, same)".to_owned(), 0),
            ("orders_customer_id(D, B), orders_kind(D, undated)".to_owned(), 0),
        ];
        for (body, expected) in &counts {
            let clause = format!("labels_label(A, B, C) :- {body}.");
            assert_eq!(n_covered(&folder, "labels.label", &clause), *expected, "{name}: {body}");
        }
        let bodies: Vec<&str> = counts.iter().map(|(body, _)| body.as_str()).collect();
        weighed(&folder, "labels_label(A, B, C)", &bodies, &[]);
        compare_all(&folder, "m.json");
    }
}

/// Each customer has one ticket, and was looked at on the first of the year. Of 40 the ticket of each fourth one was closed before that.
#[test]
fn what_happened_to_a_row_after_the_cut_off_is_not_known() {
    let folder = fresh_folder("later-closed");
    let mut customers = "customer_id,region,churned\n".to_owned();
    let mut tickets = "ticket_id,customer_id,opened_at,closed_at\n".to_owned();
    let mut labels = "customer_id,as_of,renewed_at,label\n".to_owned();
    for number in 0..40 {
        let closed =
            if number % 4 == 1 { "2023-12-22".to_owned() } else { format!("2024-03-{:02}", 1 + number % 28) };
        let renewed = if number % 5 == 2 { "2023-10-24" } else { "2024-05-05" };
        let is_positive = u32::from(number % 4 == 2);
        let _ = writeln!(customers, "c{number},{},{is_positive}", ["S", "N", "W"][number % 3]);
        let _ = writeln!(tickets, "t{number},c{number},2023-{:02}-20,{closed}", 2 + number % 10);
        let _ = writeln!(labels, "c{number},2024-01-01,{renewed},{is_positive}");
    }
    write(&folder, "one/customers.csv", &customers);
    write(&folder, "one/tickets.csv", &tickets);
    write(&folder, "db/labels.csv", &labels);
    // By hand: from the 22nd of December ten days, from the 24th of October 69.
    let of_ticket = "customers_churned(A, C) :- customers_customer_id_closed_at_age(A, ";
    let of_label = "labels_label(A, C) :- labels_renewed_at_age(A, ";
    for (head, days, data, expected) in [(of_ticket, "10", "one", 10), (of_label, "69", "db", 8)] {
        let (label, flags) = match data {
            "one" => ("customers.churned", &["--cut-off", "2024-01-01"][..]),
            _ => ("labels.label", &[][..]),
        };
        for age in ["D", days] {
            write(&folder, "c.pl", &format!("{head}{age}).\n"));
            let rows = printed(&folder, &[&["cover", data, "--label", label, "c.pl", "-q"], flags].concat());
            let cells: Vec<&str> = rows.lines().nth(1).expect("a row").rsplit(',').collect();
            assert_eq!(cells[0], expected.to_string(), "{rows}");
        }
    }
}

/// One cell in five of the dates of visits is empty, so they are not the time of rows. A message says so, and its advice hides
/// later rows.
#[test]
fn dates_with_gaps_hide_nothing_until_the_advice_is_followed() {
    let folder = fresh_folder("later-gaps");
    // A visit has the time of the person then, who joined before all.
    let mut people = "who,town,joined\n".to_owned();
    let mut visits = "visit,who,place,seen_on\n".to_owned();
    let mut labels = "who,as_of,label\n".to_owned();
    for number in 0..40 {
        let _ = writeln!(
            people,
            "p{number},{},2020-01-{:02}",
            ["rome", "oslo", "bern"][number % 3],
            1 + number % 28
        );
        let _ = writeln!(visits, "v{number},p{number},{},2024-02-11", ["bar", "zoo"][number % 2]);
        let day = if number < 16 { String::new() } else { format!("2023-05-{:02}", 1 + number % 28) };
        let _ = writeln!(visits, "w{number},p{number},inn,{day}");
        let _ = writeln!(labels, "p{number},2024-01-01,{}", u32::from(number % 2 == 1));
    }
    for (name, text) in [("people", &people), ("visits", &visits), ("labels", &labels)] {
        write(&folder, &format!("db/{name}.csv"), text);
    }
    let n = |place: &str| {
        let clause = format!("labels_label(A, B, C) :- visits_who(D, B), visits_place(D, {place}).");
        n_covered(&folder, "labels.label", &clause)
    };
    assert_eq!([n("zoo"), n("inn")], [20, 40]);
    let found = told(&folder, "labels.label");
    let what = "examples see rows of visits whatever their time: visits.seen_on is empty in 16 of 80 rows";
    assert!(found.iter().any(|line| line.contains(what)), "{found:?}");
    write(&folder, "db/schema.toml", "[visits]\nseen_on = \"row time\"\n");
    assert_eq!([n("zoo"), n("inn")], [0, 24]);
    assert_eq!(told(&folder, "labels.label"), Vec::<String>::new());
}

/// Of 60 labels each third names the next one, of a day of after its cut-off, by whose amount it could be told.
#[test]
fn a_later_label_that_a_label_names_is_not_seen() {
    let folder = fresh_folder("later-label");
    let (mut labels, mut customers) =
        ("label_id,customer,next_id,as_of,amount,label\n".to_owned(), "customer,town\n".to_owned());
    for number in 0..60_usize {
        let (next, day) = match number % 3 {
            0 => (format!("l{}", number + 1), "2024-02-03"),
            1 => (String::new(), "2024-03-01"),
            _ => (format!("l{}", (number + 4) % 60 / 3 * 3), "2024-03-05"),
        };
        let amount = if number % 3 == 1 { 100 + number % 2 } else { 7 };
        let _ = writeln!(
            labels,
            "l{number},k{},{next},{day},{amount},{}",
            number % 20,
            u32::from(number % 7 < 3)
        );
    }
    (0..20).for_each(|number| {
        let _ = writeln!(customers, "k{number},{}", ["rome", "oslo"][number % 2]);
    });
    write(&folder, "db/labels.csv", &labels);
    write(&folder, "db/customers.csv", &customers);
    write(&folder, "db/schema.toml", "[labels]\nlabel_id = \"key\"\nnext_id = \"-> labels\"\n");
    let n = |body: &str| n_covered(&folder, "labels.label", &format!("labels_label(A) :- {body}."));
    // By hand: the next ones of the first are of March, and those that the last name are of February.
    assert_eq!(n("labels_next_id_amount(A, V), V >= 100"), 0);
    assert_eq!(n("labels_next_id_amount(A, 7)"), 20);
    assert!(
        told(&folder, "labels.label")
            .iter()
            .any(|line| line.contains("20 of 60 examples point to rows of labels"))
    );
}

/// Of 40 products each second one was given up after all cut-offs. That hides what the product says, and not its order. A message
/// counts them, and its advice shows them.
#[test]
fn rows_that_name_later_rows_are_told_and_the_advice_shows_them() {
    let folder = fresh_folder("later-named");
    let (mut people, mut labels) = ("who,town\n".to_owned(), "who,started_on,as_of,label\n".to_owned());
    let mut orders = "order_id,who,product,placed_at\n".to_owned();
    let mut products = "product,kind,discontinued_on\n".to_owned();
    for number in 0..40 {
        let _ = writeln!(people, "w{number},{}", ["rome", "oslo"][number % 2]);
        let _ = writeln!(orders, "o{number},w{number},p{number},2023-04-{:02}", 1 + number % 28);
        let given_up = if number % 2 == 1 { 2025 } else { 2022 };
        let _ = writeln!(products, "p{number},{},{given_up}-05-06", ["pen", "ink"][number % 2]);
        let _ = writeln!(labels, "w{number},2020-02-03,2024-01-01,{}", u32::from(number % 7 < 3));
    }
    for (name, text) in
        [("people", &people), ("orders", &orders), ("products", &products), ("labels", &labels)]
    {
        write(&folder, &format!("db/{name}.csv"), text);
    }
    let of_labels = "as_of = \"row time\"\n";
    let keys = "[people]\nwho = \"key\"\n[products]\nproduct = \"key\"\n[orders]\nwho = \"-> people\"\nproduct = \"-> products\"\n\
                [labels]\nwho = \"-> people\"\n";
    write(&folder, "db/schema.toml", keys);
    let (_, _, stderr) = gleaner(&folder, &["inspect", "db", "--label", "labels.label"]);
    let what = "labels.started_on is taken for the cut-off of each label, but labels.as_of is a time of each";
    assert!(stderr.contains(what), "{stderr}");
    write(&folder, "db/schema.toml", &format!("{keys}{of_labels}"));
    let n = |body: &str| n_covered(&folder, "labels.label", &format!("labels_label(A, B, C) :- {body}."));
    let of_kind = |kind: &str| n(&format!("orders_who(D, B), orders_product_kind(D, {kind})"));
    assert_eq!((n("orders_who(D, B)"), of_kind("pen"), of_kind("ink")), (40, 20, 0));
    let found = told(&folder, "labels.label");
    let what = "20 of 40 rows of orders name a row of products that came later, by products.discontinued_on";
    assert!(found.iter().any(|line| line.contains(what)), "{found:?}");
    write(
        &folder,
        "db/schema.toml",
        &format!(
            "{}{of_labels}",
            keys.replace("product = \"key\"", "product = \"key\"\ndiscontinued_on = \"time\"")
        ),
    );
    assert_eq!((of_kind("pen"), of_kind("ink")), (20, 20));
    assert!(!told(&folder, "labels.label").iter().any(|line| line.contains("rows of orders")));
}
