//! Models as SQL: SQLite runs what `show --to sql` writes, and its rows are those of `predict`.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use rusqlite::Connection;
use rusqlite::functions::FunctionFlags;
use rusqlite::types::ValueRef;

use crate::support::{fixture, fresh_folder, printed, write};

fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// Puts the CSV files of a folder into a database, each as a table of texts. `is_facts` calls the columns `a1`, `a2`
/// and so on, and leaves out those of labels and folds.
pub(crate) fn loaded(folder: &Path, is_facts: bool) -> Connection {
    let database = Connection::open_in_memory().expect("a database");
    // SQLite's own program has both.
    for (name, of) in [("exp", f64::exp as fn(f64) -> f64), ("ln", f64::ln)] {
        let function = move |context: &rusqlite::functions::Context<'_>| Ok(of(context.get(0)?));
        database
            .create_scalar_function(name, 1, FunctionFlags::SQLITE_DETERMINISTIC, function)
            .expect("a function");
    }
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.extension().is_none_or(|extension| extension != "csv") {
            continue;
        }
        let mut reader = csv::Reader::from_path(&path).expect("a table");
        let header: Vec<String> = reader.headers().expect("a header").iter().map(str::to_owned).collect();
        let is_kept = |name: &str| !is_facts || !matches!(name, "label" | "fold");
        let kept: Vec<usize> = (0..header.len()).filter(|&at| is_kept(&header[at])).collect();
        let name = |(at, &column): (usize, &usize)| {
            if is_facts { format!("a{} TEXT", at + 1) } else { format!("{} TEXT", quoted(&header[column])) }
        };
        let columns: Vec<String> = kept.iter().enumerate().map(name).collect();
        let table = quoted(path.file_stem().and_then(|stem| stem.to_str()).expect("a name"));
        database
            .execute_batch(&format!("CREATE TABLE {table} ({}); BEGIN", columns.join(", ")))
            .expect("a table");
        let places = vec!["?"; kept.len()].join(", ");
        let mut insert =
            database.prepare(&format!("INSERT INTO {table} VALUES ({places})")).expect("a statement");
        for record in reader.records() {
            let record = record.expect("a row");
            let cells: Vec<&str> = kept.iter().map(|&at| &record[at]).collect();
            insert.execute(rusqlite::params_from_iter(cells)).expect("a row");
        }
        drop(insert);
        database.execute_batch("COMMIT").expect("rows");
    }
    database
}

/// A row of the answer: score, probability and decision.
pub(crate) type Answered = (f64, Option<f64>, i64);

/// Runs the statements. Gives what the last one says of each example, by its arguments.
pub(crate) fn answered(database: &Connection, sql: &str) -> BTreeMap<Vec<String>, Answered> {
    let (statements, query) = sql.split_once("\n-- The examples with their scores.\n").expect("a last query");
    database.execute_batch(statements).unwrap_or_else(|error| panic!("{error}"));
    let mut query = database.prepare(query).expect("a query");
    let columns: Vec<String> = query.column_names().map(str::to_owned).collect();
    let place = |name: &str| columns.iter().position(|known| known == name);
    let (score, probability) = (place("score").expect("a score"), place("probability"));
    let decision = place("decision").expect("a decision");
    let mut rows = query.query([]).expect("rows");
    let mut found = BTreeMap::new();
    while let Some(row) = rows.next().expect("a row") {
        let text = |at: usize| match row.get_ref(at).expect("a cell") {
            ValueRef::Integer(value) => value.to_string(),
            ValueRef::Text(value) => String::from_utf8_lossy(value).into_owned(),
            other => panic!("{other:?}"),
        };
        let key: Vec<String> = (0..score).map(text).collect();
        let number = |at: usize| row.get::<_, f64>(at).expect("a number");
        found.insert(key, (number(score), probability.map(number), row.get(decision).expect("a decision")));
    }
    found
}

/// The rows of `predict`, by the arguments of the examples.
pub(crate) fn predicted(folder: &Path, arguments: &[&str]) -> BTreeMap<Vec<String>, Answered> {
    let csv = printed(folder, &[&["predict"], arguments, &["--quiet"]].concat());
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    let header = reader.headers().expect("a header").clone();
    let place = |name: &str| header.iter().position(|known| known == name).expect("a column");
    let (score, probability, decision) = (place("score"), place("probability"), place("decision"));
    let rows = reader.records().map(|record| {
        let record = record.expect("a row");
        let key = (1..score).map(|at| record[at].to_owned()).collect();
        let of = (
            record[score].parse().expect("a number"),
            record[probability].parse().ok(),
            record[decision].parse().expect("0 or 1"),
        );
        (key, of)
    });
    rows.collect()
}

/// Scores and decisions are the same to the bit; logarithms and exponentials have a last bit of their own.
pub(crate) fn compare(
    name: &str,
    expected: &BTreeMap<Vec<String>, Answered>,
    found: &BTreeMap<Vec<String>, Answered>,
) {
    assert_eq!(expected.keys().collect::<Vec<_>>(), found.keys().collect::<Vec<_>>(), "{name}: the examples");
    let scores: std::collections::BTreeSet<u64> = expected.values().map(|of| of.0.to_bits()).collect();
    assert!(scores.len() > 1, "{name}: all examples have one score, so nothing is compared");
    for (key, (score, probability, decision)) in expected {
        let of = &found[key];
        assert!(
            of.0.to_bits() == (score + 0.0).to_bits() && of.2 == *decision,
            "{name}: {key:?}: {score} {of:?}"
        );
        let is_near = match (probability, of.1) {
            (Some(expected), Some(found)) => (expected - found).abs() < 1e-12,
            (None, None) => true,
            _ => false,
        };
        assert!(is_near, "{name}: {key:?}: probability {probability:?}, {of:?}");
    }
}

/// A model of each kind: its name, and the settings that learn one in a moment.
const MODELS: [(&str, &[&str]); 11] = [
    ("gleaner", &["--clauses", "200", "--seeds", "4"]),
    ("aleph", &["--learner", "aleph", "--clauses", "200"]),
    ("aleph-cn2", &["--learner", "aleph", "--clauses", "200", "--theory-weights", "cn2"]),
    ("aleph-tan", &["--learner", "aleph", "--clauses", "200", "--theory-weights", "tan"]),
    ("aleph-ensemble", &["--learner", "aleph-ensemble", "--ensemble-size", "3", "--theory-nodes", "100"]),
    ("rankboost", &["--learner", "rankboost", "--rounds", "5", "--calibration", "beta"]),
    ("prankboost-path", &["--learner", "prankboost-path", "--rounds", "5", "--calibration", "isotonic"]),
    ("srl", &["--learner", "srl", "--clauses", "200", "--seeds", "4", "--calibration", "platt"]),
    ("sayu-tan", &["--learner", "sayu", "--network", "tan", "--clauses", "200", "--seeds", "8"]),
    ("rdn-boost", &["--learner", "rdn-boost", "--rounds", "5", "--forests", "2"]),
    (
        "kfoil-pairs",
        &["--learner", "kfoil", "--network", "polynomial-svm", "--clauses", "200", "--seeds", "4"],
    ),
];

#[test]
fn facts_as_tables_have_the_scores_of_predict() {
    let folder = fresh_folder("sql-facts");
    let data = fixture("university").to_string_lossy().into_owned();
    printed(&folder, &["convert", &data, "--to", "csv", "-o", "tables", "--quiet"]);
    let database = loaded(&folder.join("tables"), true);
    for (name, settings) in MODELS {
        let model = format!("{name}.json");
        let learn = ["learn", data.as_str(), "--fold", "1", "--quiet", "-o", &model];
        printed(&folder, &[&learn[..], settings].concat());
        let sql = printed(&folder, &["show", &model, "--to", "sql", "--dialect", "sqlite"]);
        compare(name, &predicted(&folder, &[&model, &data]), &answered(&database, &sql));
    }
}

/// Aggregates, windows of time, ages, places among the latest rows, and negation, over the user's tables.
#[test]
fn a_shop_has_the_scores_of_predict() {
    let folder = fresh_folder("sql-shop");
    let generate = ["generate", "shop", "--lines", "4000", "--seed", "3", "--noise", "0.1", "-o", "shop"];
    printed(&folder, &[&generate[..], &["--quiet"]].concat());
    let database = loaded(&folder.join("shop"), false);
    let of_label = ["shop", "--label", "labels.label"];
    for (name, settings) in [
        ("prankboost-clause", &["--learner", "prankboost-clause", "--rounds", "20"][..]),
        ("rdn-boost", &["--learner", "rdn-boost", "--rounds", "10", "--forests", "2"]),
    ] {
        let model = format!("{name}.json");
        let learn = [&["learn"], &of_label[..], &["--fold", "1", "--quiet", "-o", &model], settings].concat();
        printed(&folder, &learn);
        let sql = printed(&folder, &["show", &model, "--to", "sql", "--dialect", "sqlite"]);
        let data = [&[model.as_str()], &of_label[..]].concat();
        compare(name, &predicted(&folder, &data), &answered(&database, &sql));
    }
}

/// Orders of customers: sums of cents, windows of time, and rows that some examples see and others do not.
fn orders(folder: &Path) {
    std::fs::create_dir_all(folder).expect("a folder");
    let day = |number: u32| format!("2024-{:02}-{:02}", number / 28 % 12 + 1, number % 28 + 1);
    let mut rows = Vec::new();
    for number in 0..900_u32 {
        let cents = if number % 5 == 0 { number % 17 * 100 } else { number * 7907 % 2000 };
        rows.push((number * 37 % 40 + 1, number * 7919 % 336, cents));
    }
    let mut text = "buyer,placed_at,total\n".to_owned();
    for (buyer, at, cents) in &rows {
        let _ = match cents % 100 {
            0 => writeln!(text, "{buyer},{},{}", day(*at), cents / 100),
            rest => writeln!(text, "{buyer},{},{}.{rest:02}", day(*at), cents / 100),
        };
    }
    std::fs::write(folder.join("orders.csv"), text).expect("a table");
    let mut text = "id,town\n".to_owned();
    for id in 1..=40 {
        let _ = writeln!(text, "{id},t{}", id % 3);
    }
    std::fs::write(folder.join("customers.csv"), text).expect("a table");
    let mut text = "customer,as_of,label\n".to_owned();
    for number in 0..600_u32 {
        let (customer, cut_off) = (number * 17 % 40 + 1, 60 + number * 101 % 276);
        let seen = rows.iter().filter(|it| it.0 == customer && it.1 < cut_off);
        let (recent, all): (u32, Vec<u32>) = (
            seen.clone().filter(|it| it.1 + 60 >= cut_off).map(|it| it.2).sum(),
            seen.map(|it| it.2).collect(),
        );
        let mean = all.iter().sum::<u32>() / u32::try_from(all.len().max(1)).expect("few rows");
        let label = if number % 2 == 0 { mean > 860 } else { (recent > 2200) != (number % 23 == 0) };
        let _ = writeln!(text, "{customer},{},{}", day(cut_off), u32::from(label));
    }
    std::fs::write(folder.join("labels.csv"), text).expect("a table");
}

/// Means and sums of fractions near to what they are compared with, over all rows and over the latest ones.
#[test]
fn rows_that_hang_on_examples_have_the_scores_of_predict() {
    let folder = fresh_folder("sql-orders");
    orders(&folder.join("db"));
    let database = loaded(&folder.join("db"), false);
    let of_label = ["db", "--label", "labels.label"];
    let settings =
        ["--learner", "rdn-boost", "--rounds", "20", "--test-literals", "determinate", "--min-leaf", "5"];
    printed(&folder, &[&["learn"], &of_label[..], &settings, &["--quiet", "-o", "m.json"]].concat());
    let sql = printed(&folder, &["show", "m.json", "--to", "sql", "--dialect", "sqlite"]);
    // All rows, windows, and fractions that are added in order.
    for part in ["g_running_", "v.moment >= l.cut_off - ", "v.n > l.n - ", "g_near_"] {
        assert!(sql.contains(part), "the model has no {part}");
    }
    compare(
        "orders",
        &predicted(&folder, &[&["m.json"], &of_label[..]].concat()),
        &answered(&database, &sql),
    );
}

/// Orders of customers that no row stands for: they have no latest shop, though their orders count.
#[test]
fn keys_without_a_row_have_the_scores_of_predict() {
    let folder = fresh_folder("sql-ghosts");
    let day = |number: u32| format!("2024-{:02}-{:02}", number / 28 % 12 + 1, number % 28 + 1);
    let rows: Vec<(u32, u32, u32)> =
        (0..900).map(|nth| (nth * 37 % 40 + 1, nth * 7919 % 336, nth * 29 % 12)).collect();
    let mut tables =
        ["buyer,placed_at,shop\n", "id,town\n", "no,size\n", "customer,as_of,label\n"].map(str::to_owned);
    for (buyer, at, shop) in &rows {
        let _ = writeln!(tables[0], "{buyer},{},{shop}", day(*at));
    }
    for number in 0..36 {
        let _ = writeln!(tables[1], "{},t{}", number + 1, number % 3);
        let _ = if number < 12 { writeln!(tables[2], "{number},{}", number * 5 % 7) } else { Ok(()) };
    }
    for number in 0..600_u32 {
        let (customer, cut_off) = (number * 17 % 40 + 1, 60 + number * 101 % 276);
        let seen = rows.iter().filter(|row| row.1 < cut_off);
        let last = seen.clone().filter(|row| row.0 == customer).max_by_key(|row| row.1).map(|row| row.2);
        let of_shop = seen.filter(|row| Some(row.2) == last).count();
        let is_busy = of_shop * 4 > cut_off as usize;
        let _ =
            writeln!(tables[3], "{customer},{},{}", day(cut_off), u32::from(is_busy != (number % 23 == 0)));
    }
    for (name, text) in ["orders", "customers", "shops", "labels"].iter().zip(&tables) {
        write(&folder, &format!("db/{name}.csv"), text);
    }
    let schema = "[orders]\nbuyer = \"-> customers\"\nshop = \"-> shops\"\nplaced_at = \"row time\"\n\
                  [labels]\ncustomer = \"-> customers\"\nas_of = \"row time\"\n";
    write(&folder, "db/schema.toml", schema);
    let of_label = ["db", "--label", "labels.label"];
    printed(
        &folder,
        &[&["learn"], &of_label[..], &["--learner", "tree", "--quiet", "-o", "m.json"]].concat(),
    );
    let sql = printed(&folder, &["show", "m.json", "--to", "sql", "--dialect", "sqlite"]);
    assert!(sql.contains("_orders_shop_latest"), "{sql}");
    let found = predicted(&folder, &[&["m.json"], &of_label[..]].concat());
    compare("ghosts", &found, &answered(&loaded(&folder.join("db"), false), &sql));
}

/// Laps as people time them: a number of seconds is one, too, and other texts are none.
#[test]
fn durations_have_the_scores_of_predict() {
    let folder = fresh_folder("sql-durations");
    std::fs::create_dir_all(folder.join("db")).expect("a folder");
    let mut text = "id,lap,label\n".to_owned();
    for number in 0..120_u32 {
        let thousandths = number * 7919 % 1000;
        let lap = match number % 12 {
            0 => String::new(),
            1 => "DNF".to_owned(),
            2 => format!("{}.{thousandths}", 60 + number % 50),
            3 => format!("1:{:02}:{:02}.{thousandths:03}", number % 60, number % 7),
            4 => format!("{}:05", number % 40),
            _ => format!("1:{:02}.{thousandths:03}", number * 37 % 60),
        };
        let is_fast = number * 37 % 60 < 30;
        let _ = writeln!(text, "{},{lap},{}", number + 1, u32::from(is_fast != (number % 9 == 0)));
    }
    std::fs::write(folder.join("db/laps.csv"), text).expect("a table");
    std::fs::write(folder.join("db/schema.toml"), "[laps]\nlap = \"duration\"\n").expect("a schema");
    let database = loaded(&folder.join("db"), false);
    let learn = ["learn", "db", "--label", "laps.label", "--learner", "rdn-boost", "--rounds", "10"];
    printed(&folder, &[&learn[..], &["--min-leaf", "3", "--quiet", "-o", "m.json"]].concat());
    let sql = printed(&folder, &["show", "m.json", "--to", "sql", "--dialect", "sqlite"]);
    compare("laps", &predicted(&folder, &["m.json", "db"]), &answered(&database, &sql));
}

/// A key of two columns names the examples, and leads to what happened the same day at the same place. One name holds
/// the sign between the values of a key, and some rows have no place.
#[test]
fn keys_of_several_columns_have_the_scores_of_predict() {
    let folder = fresh_folder("sql-keys");
    std::fs::create_dir_all(folder.join("db")).expect("a folder");
    let mut weather = "place,day,rain\n".to_owned();
    let mut trips = "id,place,day,label\n".to_owned();
    for number in 0..180_u32 {
        let (place, day) = (["EWR", "J|K", "L\\A"][number as usize % 3], number / 3);
        let rain = number * 7 % 11;
        let _ = writeln!(weather, "{place},{day},{rain}");
        let place = if number % 23 == 0 { "" } else { place };
        let is_late = rain >= 6 && number % 23 != 0 || number % 13 == 0;
        let _ = writeln!(trips, "{},{place},{day}.0,{}", number + 1, u32::from(is_late));
    }
    std::fs::write(folder.join("db/weather.csv"), weather).expect("a table");
    std::fs::write(folder.join("db/trips.csv"), &trips).expect("a table");
    std::fs::write(folder.join("db/schema.toml"), "[weather]\nkey = [\"place\", \"day\"]\n")
        .expect("a schema");
    let database = loaded(&folder.join("db"), false);
    let learn = ["learn", "db", "--label", "trips.label", "--learner", "rdn-boost", "--rounds", "5"];
    printed(&folder, &[&learn[..], &["--min-leaf", "5", "--quiet", "-o", "m.json"]].concat());
    let shown = printed(&folder, &["show", "m.json"]);
    assert!(shown.contains("place + day.rain"), "{shown}");
    let sql = printed(&folder, &["show", "m.json", "--to", "sql", "--dialect", "sqlite"]);
    compare("keys", &predicted(&folder, &["m.json", "db"]), &answered(&database, &sql));
}

/// Labels of customers on several days and their orders name customers that no file holds; one writes them as `17.0`.
#[test]
fn keys_of_no_file_have_the_scores_of_predict() {
    let folder = fresh_folder("sql-made-keys");
    std::fs::create_dir_all(folder.join("db")).expect("a folder");
    let mut labels = "customer_id,as_of,label\n".to_owned();
    let mut orders = "order_no,customer,placed,amount\n".to_owned();
    for number in 0..240_u32 {
        let (who, month) = (100 + 7 * (number % 60), 3 * (1 + number / 60));
        let _ = writeln!(labels, "{who},2023-{month:02}-15,{}", u32::from(number * number % 7 == 2));
    }
    for number in 0..700_u32 {
        let who = 100 + 7 * (number * number % 61);
        let (day, amount) = (format!("2023-{:02}-{:02}", 1 + number % 12, 1 + number % 28), number * 11 % 83);
        let _ = writeln!(orders, "{number},{who}.0,{day},{amount}");
    }
    std::fs::write(folder.join("db/labels.csv"), labels).expect("a table");
    std::fs::write(folder.join("db/orders.csv"), orders).expect("a table");
    let database = loaded(&folder.join("db"), false);
    let learn = ["learn", "db", "--label", "labels.label", "--learner", "rdn-boost", "--rounds", "5"];
    printed(&folder, &[&learn[..], &["--min-leaf", "5", "--quiet", "-o", "m.json"]].concat());
    let sql = printed(&folder, &["show", "m.json", "--to", "sql", "--dialect", "sqlite"]);
    assert!(sql.contains("UNION"), "{sql}");
    compare("made keys", &predicted(&folder, &["m.json", "db"]), &answered(&database, &sql));
}

/// Guests with stays and a mood that one column, a count and a sum tell; one mood has a quotation mark in its name.
fn moods(folder: &Path) {
    std::fs::create_dir_all(folder).expect("a folder");
    let (mut guests, mut stays) = ("id,town,age\n".to_owned(), "guest,arrived,nights\n".to_owned());
    let mut asked = "guest,asked_on,mood\n".to_owned();
    for guest in 1..=150_u32 {
        let _ = writeln!(guests, "{guest},{},{}", ["rome", "oslo"][guest as usize % 2], 20 + guest * 7 % 50);
        let n_stays = guest * 11 % 4;
        let nights = |stay: u32| 1 + (guest + stay * 5) % 9;
        for stay in 0..n_stays {
            let _ = writeln!(stays, "{guest},2024-0{}-1{},{}", 1 + stay, guest % 10, nights(stay));
        }
        let n_nights: u32 = (0..n_stays).map(nights).sum();
        let mood = match (n_stays, n_nights) {
            (0, _) => "so so",
            (_, 12..) => "it's bad",
            _ => "good",
        };
        let mood = if guest % 31 == 0 { "good" } else { mood };
        let _ = writeln!(asked, "{guest},2024-06-0{},{mood}", 1 + guest % 5);
    }
    for (name, text) in [("guests", guests), ("stays", stays), ("asked", asked)] {
        std::fs::write(folder.join(format!("{name}.csv")), text).expect("a table");
    }
}

/// Of three classes each is a model of its own: their probabilities over their sum are those that `predict` gives, and
/// the greatest is its class.
#[test]
fn three_classes_have_the_probabilities_of_predict() {
    let folder = fresh_folder("sql-classes");
    moods(&folder.join("db"));
    let learn = ["learn", "db", "--label", "asked.mood", "--learner", "rdn-boost", "--rounds", "8"];
    printed(&folder, &[&learn[..], &["--min-leaf", "3", "--quiet", "-o", "m.json"]].concat());
    let csv = printed(&folder, &["predict", "m.json", "db", "--to", "rows", "--quiet"]);
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    let header: Vec<String> = reader.headers().expect("a header").iter().map(str::to_owned).collect();
    assert_eq!(header[..3], ["guest", "asked_on", "predicted"]);
    let classes: Vec<&str> = header[3..].iter().filter_map(|name| name.strip_prefix("p_")).collect();
    assert_eq!(classes.len(), 3, "{header:?}");
    // By guest and day, what SQL says of each class, in the order of the columns.
    let mut found: BTreeMap<[String; 2], Vec<f64>> = BTreeMap::new();
    for class in &classes {
        let show = ["show", "m.json", "--class", class, "--to", "sql", "--dialect", "sqlite"];
        let database = loaded(&folder.join("db"), false);
        for (key, (_, probability, _)) in answered(&database, &printed(&folder, &show)) {
            // The row's number, its guest, the class, and the cut-off.
            assert_eq!(key[2], *class);
            let of = found.entry([key[1].clone(), key[3].clone()]).or_default();
            of.push(probability.expect("a probability"));
        }
    }
    let (mut n_rows, mut predicted) = (0, std::collections::BTreeSet::new());
    for row in reader.records().map(|row| row.expect("a row")) {
        let of = &found[&[row[0].to_owned(), row[1].to_owned()]];
        let sum: f64 = of.iter().sum();
        assert_eq!(of.len(), 3);
        let mut greatest = 0;
        for (at, probability) in of.iter().enumerate() {
            let expected: f64 = row[3 + at].parse().expect("a probability");
            assert!((probability / sum - expected).abs() < 1e-12, "{row:?}: {of:?}");
            greatest = if *probability > of[greatest] { at } else { greatest };
        }
        assert_eq!(row[2], *classes[greatest], "{of:?}");
        predicted.insert(row[2].to_owned());
        n_rows += 1;
    }
    assert_eq!((n_rows, predicted.len(), found.len()), (150, 3, 150));
}

/// Aggregates for each row that another literal finds, of rows that hang on it: for none of them, too.
#[test]
fn aggregates_of_found_rows_have_the_scores_of_predict() {
    let folder = fresh_folder("sql-found-rows");
    let generate = ["generate", "shop", "--lines", "4000", "--seed", "5", "-o", "shop", "--quiet"];
    printed(&folder, &generate);
    let modes = ":- modeh(1, labels_label(+labels, +shoppers, +time)).\n\
                 :- modeb(*, orders_buyer(-orders, +shoppers)).\n\
                 :- modeb(*, orders_placed_at_age(+orders, -age)).\n\
                 :- modeb(*, lines_order_ref(-lines, +orders)).\n\
                 :- modeb(*, lines_quantity(+lines, -quantity)).\n\
                 :- modeb(*, lines_unit_price(+lines, -price)).\n\
                 :- modeb(*, returns_of_order(-returns, +orders)).\n";
    let counted = "aggregate_all(count, lines_order_ref(L,O), N)";
    let summed = |what: &str, column: &str| {
        format!("aggregate_all({what}(V), (lines_order_ref(L,O), lines_{column}(L,V)), N)")
    };
    let bodies = [
        format!("orders_buyer(O,B), {counted}, N >= 4"),
        format!("orders_buyer(O,B), {counted}, N =< 1, orders_placed_at_age(O,D), D =< 90"),
        format!(
            "orders_buyer(O,B), orders_placed_at_age(O,D), D =< 60, {}, N >= 9",
            summed("sum", "quantity")
        ),
        format!("orders_buyer(O,B), {}, N >= 120.5", summed("avg", "unit_price")),
        format!("orders_buyer(O,B), {}, N =< 3.25", summed("min", "unit_price")),
        // Two aggregates of one order, of which the second may be 0.
        format!(
            "orders_buyer(O,B), {counted}, N >= 2, aggregate_all(count, returns_of_order(R,O), M), M =< 0"
        ),
        format!("orders_buyer(O,B), \\+ {}", summed("avg", "quantity").replace(", N)", ", _)")),
    ];
    let clauses: String = bodies.iter().map(|body| format!("labels_label(A,B,C) :- {body}.\n")).collect();
    for (name, text) in [("modes.pl", modes), ("clauses.pl", &clauses)] {
        std::fs::write(folder.join(name), text).expect("it can be written");
    }
    let of_label = ["shop", "--label", "labels.label", "--modes", "modes.pl"];
    let settings = ["--learner", "srl", "--feature-clauses", "clauses.pl", "--quiet", "-o", "m.json"];
    printed(&folder, &[&["learn"], &of_label[..], &settings].concat());
    let database = loaded(&folder.join("shop"), false);
    let sql = printed(&folder, &["show", "m.json", "--to", "sql", "--dialect", "sqlite"]);
    assert!(sql.contains("JOIN g_asked_1 AS s ON s.example = e.example"), "{sql}");
    let data = [&["m.json"], &of_label[..]].concat();
    compare("found rows", &predicted(&folder, &data), &answered(&database, &sql));
}

/// A fold that the model froze is frozen in SQL, whether a column of folds or the cut-offs say which it is.
#[test]
fn frozen_folds_have_the_scores_of_predict() {
    let folder = fresh_folder("sql-frozen");
    crate::frozen::write(&folder, "db", crate::frozen::sets);
    let database = loaded(&folder.join("db"), false);
    let freeze = ["--frozen", "test=2022-02-01"];
    let learn = ["learn", "db", "--label", "labels.label", "--learner", "tree", "--quiet"];
    let mut found = Vec::new();
    for (name, further) in [
        ("column.json", &[&freeze[..], &["--fold", "1"]].concat()),
        ("split.json", &[&freeze[..], &["--split-time", "2022-01-01", "--horizon", "0"]].concat()),
        ("rolling.json", &vec!["--fold", "1"]),
    ] {
        printed(&folder, &[&learn[..], further, &["-o", name]].concat());
        let sql = printed(&folder, &["show", name, "--to", "sql", "--dialect", "sqlite"]);
        let expected = predicted(&folder, &[name, "db"]);
        compare(name, &expected, &answered(&database, &sql));
        // The test rows are those from 41 on, and frozen all of them are negative.
        let of_test = expected.iter().filter(|(key, _)| key[0].parse().is_ok_and(|row: u32| row > 40));
        found.push(of_test.map(|(_, of)| of.2).sum::<i64>());
    }
    assert_eq!(found, [0, 0, 20]);
}
