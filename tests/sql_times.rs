//! Models as SQL over times in all notations, and over places of rows, in every engine that is there: SQLite is; DuckDB
//! is where Python has its module, and PostgreSQL where `psql` finds a server.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::sql::{Answered, answered, compare, loaded, predicted};
use crate::support::{fresh_folder, printed};

/// Notations of one moment, 2024-03-01 12:30 UTC, with what follows the minutes.
const SAME_MOMENT: [&str; 12] = [
    "2024-03-01T12:30Z",
    "2024-03-01 12:30",
    "2024-03-01 12:30:00.000z",
    "2024-03-01T14:30+02",
    "2024-03-01 14:30:00+0200",
    "2024-03-01 14:30:00.0+02:00",
    "2024-03-01T07:00-05:30",
    "2024-03-01t07:00:00,000000-0530",
    "2024-03-02 02:15+13:45",
    "2024-02-29 23:30:00-13",
    "20240301T123000Z",
    "20240301 143000+02",
];

/// Texts of columns of times that say no time.
const NO_TIME: [&str; 6] =
    ["2024-02-30", "2024-03-01 24:00", "2024-03-01+02:00", "2024-03-01 12:30:00.", "0000-00-00", "soon"];

/// Runs statements and a last query by a program that reads them; none where it is not there.
#[expect(clippy::print_stderr, reason = "a skipped engine says so")]
fn asked(engine: &str, script: &str) -> Option<String> {
    let (program, arguments): (&str, &[&str]) = match engine {
        "duckdb" => (
            "python3",
            &[
                "-c",
                "import sys, csv, duckdb\nc = duckdb.connect()\np, q = sys.stdin.read().split('-- The examples with their scores.\\n')\n\
                 c.execute(p)\nr = c.execute(q)\nw = csv.writer(sys.stdout)\nw.writerow([d[0] for d in r.description])\n\
                 w.writerows([repr(v) if isinstance(v, float) else v for v in row] for row in r.fetchall())",
            ],
        ),
        _ => ("psql", &["-q", "--csv", "-v", "ON_ERROR_STOP=1", "-f", "-"]),
    };
    let is_there = match engine {
        "duckdb" => Command::new(program).args(["-c", "import duckdb"]).output(),
        _ => Command::new(program).args(["-c", "SELECT 1"]).output(),
    };
    if !is_there.is_ok_and(|of| of.status.success()) {
        eprintln!("{engine} is not there: its answers are not compared");
        return None;
    }
    let mut child = Command::new(program)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it was there");
    let mut input = child.stdin.take().expect("an input");
    let script = script.to_owned();
    let writer = std::thread::spawn(move || input.write_all(script.as_bytes()));
    let output = child.wait_with_output().expect("an answer");
    let _ = writer.join();
    assert!(output.status.success(), "{engine}: {}", String::from_utf8_lossy(&output.stderr));
    Some(String::from_utf8(output.stdout).expect("a text"))
}

/// The tables of a folder as statements.
fn tables(folder: &Path) -> String {
    let mut script = String::new();
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.extension().is_none_or(|extension| extension != "csv") {
            continue;
        }
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        let mut reader = csv::Reader::from_path(&path).expect("a table");
        let columns: Vec<String> =
            reader.headers().expect("a header").iter().map(|it| format!("\"{it}\" VARCHAR")).collect();
        let _ = writeln!(script, "CREATE TEMP TABLE \"{name}\" ({});", columns.join(", "));
        for record in reader.records() {
            let record = record.expect("a row");
            let cells: Vec<String> =
                record.iter().map(|it| format!("'{}'", it.replace('\'', "''"))).collect();
            let _ = writeln!(script, "INSERT INTO \"{name}\" VALUES ({});", cells.join(", "));
        }
    }
    script
}

/// Compares the scores of `predict` with those that each engine gives.
pub(crate) fn compare_all(folder: &Path, model: &str) {
    compare_with(folder, &[model, "db"]);
}

/// The same, where `predict` has these arguments, the model first.
pub(crate) fn compare_with(folder: &Path, arguments: &[&str]) {
    let expected = predicted(folder, arguments);
    let model = arguments[0];
    for engine in ["sqlite", "duckdb", "postgres"] {
        let sql = printed(folder, &["show", model, "--to", "sql", "--dialect", engine]);
        if engine == "sqlite" {
            compare(engine, &expected, &answered(&loaded(&folder.join("db"), false), &sql));
            continue;
        }
        let Some(csv) = asked(engine, &format!("{}{sql}", tables(&folder.join("db")))) else { continue };
        let mut reader = csv::Reader::from_reader(csv.as_bytes());
        let header: Vec<String> = reader.headers().expect("a header").iter().map(str::to_owned).collect();
        let place = |name: &str| header.iter().position(|known| known == name);
        let score = place("score").expect("a score");
        let found: BTreeMap<Vec<String>, Answered> = reader
            .records()
            .map(|record| {
                let record = record.expect("a row");
                let key = (0..score).map(|at| record[at].to_owned()).collect();
                let decision = record[place("decision").expect("a decision")].parse().expect("0 or 1");
                let probability = place("probability").and_then(|at| record[at].parse().ok());
                (key, (record[score].parse().expect("a number"), probability, decision))
            })
            .collect();
        compare(engine, &expected, &found);
    }
}

/// The head of clauses about a buyer at a cut-off.
const HEAD: &str = "labels_label(A,B,C)";

/// Learns the weights of clauses with this head over a database.
pub(crate) fn weighed(folder: &Path, head: &str, bodies: &[&str], flags: &[&str]) {
    let clauses: String = bodies.iter().map(|body| format!("{head} :- {body}.\n")).collect();
    std::fs::write(folder.join("clauses.pl"), clauses).expect("it can be written");
    let of_label = ["db", "--label", "labels.label", "--learner", "srl"];
    let further = ["--feature-clauses", "clauses.pl", "--quiet", "-o", "m.json"];
    printed(folder, &[&["learn"], &of_label[..], &further, flags].concat());
}

/// Notations of offsets are one moment, whichever says it.
#[test]
fn offsets_in_all_notations_have_the_scores_of_predict() {
    let folder = fresh_folder("sql-offsets");
    std::fs::create_dir_all(folder.join("db")).expect("a folder");
    let mut labels = "buyer,as_of,label\n".to_owned();
    let mut orders = "id,buyer,placed,amount\n".to_owned();
    // The orders of a buyer are all of that moment; cut-offs lie an hour before it and after it.
    for number in 0..120_usize {
        let buyer = number % 40;
        let written = SAME_MOMENT[number * 7 % SAME_MOMENT.len()];
        let _ = writeln!(orders, "o{number},b{buyer},\"{written}\",{}", number % 9);
        let cut_off =
            ["2024-03-01 11:30Z", "2024-03-01T15:30:00.5+02", "2024-03-01 08:00-05:30", "2024-03-31"];
        let is_late = number % 4 != 0;
        let label = is_late != (number % 11 == 0);
        let _ = writeln!(labels, "b{buyer},{},{}", cut_off[number % 4], u32::from(label));
    }
    for (number, written) in NO_TIME.iter().enumerate() {
        let _ = writeln!(orders, "n{number},b{number},\"{written}\",1");
    }
    for number in 0..200 {
        let _ = writeln!(
            orders,
            "p{number},b{},2024-01-{:02} 10:{:02}:00+02,3",
            number % 40,
            1 + number % 28,
            number % 60
        );
    }
    for (name, text) in [("labels", labels), ("orders", orders)] {
        std::fs::write(folder.join(format!("db/{name}.csv")), text).expect("a table");
    }
    weighed(
        &folder,
        HEAD,
        &[
            "orders_buyer(D,B), orders_placed_age(D,E), E =< 10",
            "orders_buyer(D,B), orders_placed_age(D,E), E >= 29, E =< 45",
            "aggregate_all(count, orders_buyer(D,B), N), N >= 7",
        ],
        &[],
    );
    compare_all(&folder, "m.json");
    // By hand, as `date --utc +%s` gives it: one moment for all, and none for what is no time.
    let database = loaded(&folder.join("db"), false);
    let sql = printed(&folder, &["show", "m.json", "--to", "sql", "--dialect", "sqlite"]);
    answered(&database, &sql);
    let moment = |written: &str| -> Option<i64> {
        let query = "SELECT max(g_moment) FROM temp.g_times WHERE g_written = ?";
        database.query_row(query, [written], |row| row.get(0)).expect("a row")
    };
    for written in SAME_MOMENT {
        assert_eq!(moment(written), Some(1_709_296_200_000_000), "{written}");
    }
    for written in NO_TIME {
        assert_eq!(moment(written), None, "{written}");
    }
}

/// The places of rows among those of their item, where the example reaches them by its buyer.
#[test]
fn places_among_rows_that_another_key_reaches_have_the_scores_of_predict() {
    let folder = fresh_folder("sql-places");
    std::fs::create_dir_all(folder.join("db")).expect("a folder");
    let mut labels = "buyer,as_of,label\n".to_owned();
    let mut orders = "id,buyer,item,placed\n".to_owned();
    let mut items = "id,kind\n".to_owned();
    (0..12).for_each(|item| writeln!(items, "i{item},k{}", item % 3).expect("a text"));
    let (mut rows, mut by_hand) = (Vec::new(), Vec::new());
    for number in 0..400_usize {
        rows.push((number * 7 % 30, number * 11 % 12, number * 37 % 200));
        let (buyer, item, day) = rows[number];
        let _ = writeln!(orders, "o{number},b{buyer},i{item},2024-{:02}-{:02}", 1 + day / 28, 1 + day % 28);
    }
    // A buyer is positive whose order is the latest of its item; of orders of one day the later line is the latest.
    for number in 0..90_usize {
        let (buyer, cut_off) = (number % 30, 100 + number * 13 % 100);
        let seen = || rows.iter().enumerate().filter(|(_, row)| row.2 < cut_off);
        let is_latest = |at: usize, item: usize| {
            seen().filter(|(_, row)| row.1 == item).max_by_key(|(at, row)| (row.2, *at)).map(|it| it.0)
                == Some(at)
        };
        let label = seen().any(|(at, row)| row.0 == buyer && is_latest(at, row.1));
        by_hand.push(label);
        let _ = writeln!(
            labels,
            "b{buyer},2024-{:02}-{:02},{}",
            1 + cut_off / 28,
            1 + cut_off % 28,
            u32::from(label)
        );
    }
    for (name, text) in [("labels", labels), ("orders", orders), ("items", items)] {
        std::fs::write(folder.join(format!("db/{name}.csv")), text).expect("a table");
    }
    let latest = "orders_buyer(D,B), orders_item_recency(D,E), E =< 1";
    weighed(&folder, HEAD, &[latest], &[]);
    // The clause says the label, so no positive is missed.
    for (key, (_, _, decision)) in predicted(&folder, &["m.json", "db"]) {
        let row: usize = key[0].parse().expect("the number of a row");
        assert_eq!(decision == 1, by_hand[row - 1], "{key:?}");
    }
    compare_all(&folder, "m.json");
    weighed(
        &folder,
        HEAD,
        &[
            latest,
            "orders_buyer(D,B), orders_item_recency(D,2)",
            "orders_buyer(D,B), \\+ orders_item_recency(D,1)",
            "orders_buyer(D,B), orders_buyer_recency(D,E), E =< 2, orders_item_recency(D,F), F >= 3",
            "aggregate_all(count, (orders_buyer(D,B), orders_item_recency(D,E), E =< 2), N), N >= 2",
        ],
        &[],
    );
    compare_all(&folder, "m.json");
}

/// Sixty labels of one day, and no other time: each example stands once in the answer.
#[test]
fn cut_offs_of_one_day_alone_give_each_example_once() {
    let folder = fresh_folder("sql-one-day");
    std::fs::create_dir_all(folder.join("db")).expect("a folder");
    let mut labels = "buyer,as_of,label\n".to_owned();
    let mut buyers = "buyer,town\n".to_owned();
    let mut orders = "id,buyer,placed\n".to_owned();
    for number in 0..60_usize {
        let _ = writeln!(labels, "b{number},2024-03-10,{}", u32::from(number % 5 < 2));
        let _ = writeln!(buyers, "b{number},{}", ["rome", "oslo", "bern"][number % 3]);
        let _ = writeln!(orders, "o{number},b{number},2024-03-{:02}", 1 + number % 20);
    }
    for (name, text) in [("labels", labels), ("buyers", buyers), ("orders", orders)] {
        std::fs::write(folder.join(format!("db/{name}.csv")), text).expect("a table");
    }
    weighed(&folder, HEAD, &["labels_buyer_town(A,oslo)"], &[]);
    compare_all(&folder, "m.json");
    let database = loaded(&folder.join("db"), false);
    let sql = printed(&folder, &["show", "m.json", "--to", "sql", "--dialect", "sqlite"]);
    answered(&database, &sql);
    let n: i64 =
        database.query_row("SELECT count(*) FROM temp.g_examples", [], |row| row.get(0)).expect("a row");
    assert_eq!(n, 60);
}
