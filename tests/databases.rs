//! Tables of a database, through the command line: what they are taken to mean, and what clauses over them cover.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::Value;

use crate::support::{fresh_folder, gleaner, printed};

/// A generated shop; gives the planted rules.
fn shop(folder: &Path, name: &str, further: &[&str]) -> Vec<String> {
    shop_of(folder, name, "16000", further)
}

/// The same of so many lines.
fn shop_of(folder: &Path, name: &str, lines: &str, further: &[&str]) -> Vec<String> {
    let generate =
        ["generate", "shop", "--lines", lines, "--seed", "2", "--noise", "0.2", "-o", name, "--json"];
    let stdout = printed(folder, &[&generate[..], further].concat());
    let event: Value = serde_json::from_str(stdout.lines().last().expect("an event")).expect("it is JSON");
    let planted = event["planted"].as_array().expect("clauses");
    planted.iter().map(|clause| clause.as_str().expect("a text").to_owned()).collect()
}

/// What a proposed schema says: by table the number of rows, and by column its kind.
fn schema(folder: &Path, name: &str) -> BTreeMap<String, (String, BTreeMap<String, String>)> {
    let mut tables = BTreeMap::new();
    let mut current = String::new();
    let label = if name.contains('.') { "wide.label" } else { "labels.label" };
    for line in printed(folder, &["inspect", name, "--label", label, "--propose-schema", "--quiet"]).lines() {
        if let Some((table, rows)) = line.strip_prefix('[').and_then(|rest| rest.split_once("] # ")) {
            table.clone_into(&mut current);
            tables.insert(current.clone(), (rows.to_owned(), BTreeMap::new()));
        } else if let Some((column, says)) = line.split_once(" = \"")
            && let Some((_, columns)) = tables.get_mut(&current)
        {
            let kind = says.split('"').next().unwrap_or_default();
            columns.insert(column.to_owned(), kind.to_owned());
        }
    }
    tables
}

fn kind<'s>(schema: &'s BTreeMap<String, (String, BTreeMap<String, String>)>, column: &str) -> &'s str {
    let (table, column) = column.split_once('.').expect("a table and a column");
    &schema[table].1[column]
}

/// What each clause covers: true and false positives.
fn covers(folder: &Path, data: &[&str], clauses: &[String]) -> Vec<(u64, u64)> {
    std::fs::write(folder.join("clauses.pl"), clauses.join("\n")).expect("it can be written");
    let stdout = printed(folder, &[&["cover"], data, &["clauses.pl", "--quiet"]].concat());
    let mut reader = csv::Reader::from_reader(stdout.as_bytes());
    let header = reader.headers().expect("a header").clone();
    let place = |name: &str| header.iter().position(|known| known == name).expect("a column");
    let (tp, fp) = (place("tp"), place("fp"));
    let number = |text: &str| text.parse().expect("a count");
    reader
        .records()
        .map(|record| record.expect("a row"))
        .map(|row| (number(&row[tp]), number(&row[fp])))
        .collect()
}

#[test]
fn keys_are_found_whatever_they_are_called() {
    let folder = fresh_folder("databases-keys");
    shop(&folder, "plain", &[]);
    shop(&folder, "random", &["--random-names", "3"]);
    let plain = schema(&folder, "plain");
    for (column, says) in [
        ("labels.shopper", "-> shoppers"),
        ("labels.as_of", "row time"),
        ("labels.label", "label"),
        ("orders.order_id", "key"),
        ("orders.buyer", "-> shoppers"),
        ("orders.placed_at", "row time"),
        ("orders.channel", "category"),
        ("lines.order_ref", "-> orders"),
        ("lines.item", "-> products"),
        ("lines.quantity", "code"),
        ("lines.unit_price", "number"),
        ("products.vendor", "-> suppliers"),
        ("returns.of_order", "-> orders"),
        ("returns.what", "-> products"),
        ("returns.returned_on", "row time"),
        ("shoppers.remark", "left out"),
        ("suppliers.rating", "number"),
    ] {
        assert_eq!(kind(&plain, column), says, "of {column}");
    }
    // The same tables under other names: tables are known by their numbers of rows, columns by what is said of them.
    let anonymous = |schema: &BTreeMap<String, (String, BTreeMap<String, String>)>| {
        let rows = |table: &str| schema[table].0.clone();
        let kind = |kind: &String| {
            kind.strip_prefix("-> ").map_or_else(|| kind.clone(), |table| format!("-> {}", rows(table)))
        };
        let mut tables: Vec<(String, Vec<String>)> = schema
            .values()
            .map(|(rows, columns)| {
                let mut kinds: Vec<String> = columns.values().map(kind).collect();
                kinds.sort();
                (rows.clone(), kinds)
            })
            .collect();
        tables.sort();
        tables
    };
    assert_eq!(anonymous(&schema(&folder, "random")), anonymous(&plain));
}

/// Numbers that count something lie within the keys of any table, and say nothing by that.
#[test]
fn numbers_that_count_are_no_foreign_keys() {
    let folder = fresh_folder("databases-counts");
    std::fs::create_dir_all(folder.join("db")).expect("the folder can be made");
    let write = |name: &str, text: &str| {
        std::fs::write(folder.join("db").join(name), text).expect("it can be written")
    };
    let things: String = (1..=100).map(|id| format!("{id},{}\n", ["red", "green", "blue"][id % 3])).collect();
    write("things.csv", &format!("nr,colour\n{things}"));
    let events: String = (1..=300)
        .map(|row| format!("{},{},{}\n", row % 100 + 1, row % 9 + 1, f64::from(row % 7) + 0.5))
        .collect();
    write("events.csv", &format!("about,amount,weight\n{events}"));
    let labels: String = (1..=100).map(|id| format!("{id},{}\n", u8::from(id % 4 == 0))).collect();
    write("labels.csv", &format!("whose,label\n{labels}"));
    let found = schema(&folder, "db");
    for (column, says) in [
        ("events.about", "-> things"),
        ("events.amount", "code"),
        ("events.weight", "number"),
        ("labels.whose", "-> things"),
        ("things.nr", "key"),
    ] {
        assert_eq!(kind(&found, column), says, "of {column}");
    }
    // A line of `schema.toml` decides, and leaves all others as they were.
    write("schema.toml", "[events]\namount = \"left out\"\n");
    let mut expected = found;
    expected.get_mut("events").expect("a table").1.insert("amount".to_owned(), "left out".to_owned());
    assert_eq!(schema(&folder, "db"), expected);
}

/// A planted rule with the relations that rows see at the end of their foreign keys.
fn over_the_star(rule: &str) -> String {
    let constant = |after: &str, until: char| {
        let start = rule.find(after).unwrap_or_else(|| panic!("{after} in {rule}")) + after.len();
        rule[start..].split(until).next().expect("a constant").trim().to_owned()
    };
    if rule.contains("suppliers_country") {
        let (days, category, country) = (
            constant("D =< ", ','),
            constant("products_category(F,", ')'),
            constant("suppliers_country(G,", ')'),
        );
        return format!(
            "labels_label(E,S,T) :- lines_order_ref_buyer(L,S), lines_order_ref_placed_at_age(L,D), D =< {days}, \
             lines_item_category(L,{category}), lines_item_vendor_country(L,{country})."
        );
    }
    if rule.contains("returns_reason") {
        let (reason, least) = (constant("returns_reason(D,", ')'), constant("E >= ", '.'));
        return format!(
            "labels_label(E,S,T) :- aggregate_all(count, (labels_shopper(E,X), returns_of_order_buyer(R,X), \
             returns_reason(R,{reason})), N), N >= {least}."
        );
    }
    let (days, channel) = (constant("D =< ", ','), constant("orders_channel(C,", ')'));
    let price = rule.rsplit_once(">= ").expect("a price").1.trim_end_matches('.');
    format!(
        "labels_label(E,S,T) :- lines_order_ref_buyer(L,S), lines_order_ref_placed_at_age(L,D), D =< {days}, \
         lines_order_ref_channel(L,{channel}), lines_unit_price(L,P), P >= {price}."
    )
}

/// The rules of `--conditions` over the relations of the star.
fn conditions_over_the_star(planted: &[String]) -> Vec<String> {
    let between = |rule: &str, start: &str, end: &str| {
        let rest = rule.split(start).nth(1).expect("it is there");
        rest.split(end).next().expect("it ends").to_owned()
    };
    let [spent, share, quiet] = planted else { panic!("three rules") };
    let (category, sum) = (between(spent, "products_category(F,", ")"), between(spent, "S >= ", ".\n"));
    let (channel, least) = (between(share, "orders_channel(D,", ")"), between(share, "N >= ", ","));
    let percent = between(share, "100 * M >= ", " ");
    let (by, many) = (between(quiet, "orders_channel(C,", ")"), between(quiet, "N >= ", ","));
    let days = between(quiet, "M >= ", ".");
    vec![
        format!(
            "labels_label(E,S,T) :- aggregate_all(sum(P), (lines_order_ref_buyer(L,S), \
             lines_order_ref_placed_at_age(L,D), D =< 60, lines_item_category(L,{category}), lines_unit_price(L,P)), X), \
             X >= {}.",
            sum.trim_end_matches('.')
        ),
        format!(
            "labels_label(E,S,T) :- aggregate_all(count, orders_buyer(_,S), N), N >= {least}, \
             aggregate_all(count, (orders_buyer(O,S), orders_channel(O,{channel})), M), 100 * M >= {percent} * N."
        ),
        format!(
            "labels_label(E,S,T) :- aggregate_all(count, (orders_buyer(O,S), orders_channel(O,{by})), N), N >= {many}, \
             aggregate_all(min(D), (orders_buyer(Q,S), orders_channel(Q,{by}), orders_placed_at_age(Q,D)), M), M >= {days}."
        ),
    ]
}

/// The generator counts in one pass over its own draws, before it writes a table.
#[test]
fn planted_rules_cover_what_the_generator_says() {
    let folder = fresh_folder("databases-planted");
    for further in [&[][..], &["--conditions"]] {
        let planted = shop(&folder, "shop", &[further, &["--overwrite"]].concat());
        let usual = [
            "generate",
            "shop",
            "--lines",
            "16000",
            "--seed",
            "2",
            "--noise",
            "0.2",
            "-o",
            "shop",
            "--overwrite",
        ];
        let shown = printed(&folder, &[&usual[..], further].concat());
        let said: Vec<(u64, u64)> = shown
            .lines()
            .filter_map(|line| {
                let words: Vec<&str> = line.split_whitespace().collect();
                let is_counts = matches!(words[..], [_, "TP", _, "FP", ..]);
                is_counts.then(|| (words[0].parse().expect("TP"), words[2].parse().expect("FP")))
            })
            .collect();
        let rules: Vec<String> = match further {
            [] => planted.iter().map(|rule| over_the_star(rule)).collect(),
            _ => conditions_over_the_star(&planted),
        };
        assert_eq!(covers(&folder, &["shop", "--label", "labels.label"], &rules), said, "{rules:?}");
    }
}

/// Aggregates that modes propose have their values from the tables. The same goal in another order is another relation,
/// whose rows come of the facts of each cut-off by rules.
#[test]
fn aggregates_of_tables_are_those_that_rules_derive() {
    let folder = fresh_folder("databases-aggregates");
    shop(&folder, "shop", &[]);
    let of_orders = ["labels_shopper(E,X)", "orders_buyer(R,X)"];
    let of_lines = ["labels_shopper(E,X)", "lines_order_ref_buyer(R,X)"];
    let of_returns = ["labels_shopper(E,X)", "returns_of_order_buyer(R,X)"];
    let in_90_days = ["orders_placed_at_age(R,A)", "A =< 90"];
    let latest = ["orders_buyer_recency(R,K)", "K =< 5"];
    let goals: [(&str, Vec<&str>, &[&str]); 9] = [
        ("count", of_orders.to_vec(), &["0", "3", "8"]),
        ("count", [of_orders, in_90_days].concat(), &["1", "2"]),
        ("count", [&of_orders[..], &in_90_days, &["orders_channel(R,app)"]].concat(), &["1"]),
        ("count", [&of_returns[..], &["returns_reason(R,broken)"]].concat(), &["1", "2"]),
        ("avg(V)", [&of_orders[..], &latest, &["orders_shipping(R,V)"]].concat(), &["1", "4.3", "5"]),
        ("max(V)", [&of_lines[..], &["lines_unit_price(R,V)"]].concat(), &["20", "100", "250"]),
        ("min(V)", [&of_orders[..], &["orders_placed_at_age(R,V)"]].concat(), &["10", "100"]),
        ("sum(V)", [&of_lines[..], &["lines_unit_price(R,V)"]].concat(), &["0", "500", "2000"]),
        ("avg(V)", [&of_lines[..], &["lines_item_weight(R,V)"]].concat(), &["1", "3"]),
    ];
    let clause = |operator: &str, goal: &[&str], least: &str| {
        format!("labels_label(E,S,T) :- aggregate_all({operator}, ({}), N), N >= {least}.", goal.join(", "))
    };
    let (mut as_proposed, mut turned) = (Vec::new(), Vec::new());
    for (operator, goal, thresholds) in &goals {
        let backwards: Vec<&str> = goal.iter().rev().copied().collect();
        for least in *thresholds {
            as_proposed.push(clause(operator, goal, least));
            turned.push(clause(operator, &backwards, least));
        }
    }
    let data = ["shop", "--label", "labels.label"];
    let found = covers(&folder, &data, &as_proposed);
    assert_eq!(found, covers(&folder, &data, &turned));
    assert!(found.iter().any(|(tp, fp)| *tp > 0 && *fp > 50), "{found:?}");
}

#[test]
fn rows_without_a_label_are_scored_as_those_with_one() {
    let folder = fresh_folder("databases-unlabelled");
    shop_of(&folder, "shop", "4000", &[]);
    let learn = ["learn", "shop", "--label", "labels.label", "--learner", "tree", "-o", "m.json", "--quiet"];
    printed(&folder, &learn);
    let predict = |to: &str| {
        printed(&folder, &["predict", "m.json", "shop", "--label", "labels.label", "-o", to, "--quiet"])
    };
    let scores = |name: &str| -> BTreeMap<String, String> {
        let mut reader = csv::Reader::from_path(folder.join(name)).expect("a table");
        let header = reader.headers().expect("a header").clone();
        let place = |name: &str| header.iter().position(|known| known == name).expect("a column");
        let (example, score) = (place("example"), place("score"));
        let row = |record: Result<csv::StringRecord, csv::Error>| {
            record.map(|row| (row[example].to_owned(), row[score].to_owned()))
        };
        reader.records().map(|record| row(record).expect("a row")).collect()
    };
    predict("with.csv");
    let path = folder.join("shop/labels.csv");
    let text = std::fs::read_to_string(&path).expect("a table");
    let without: String = text
        .lines()
        .enumerate()
        .map(|(at, line)| {
            let cut = line.rfind(',').expect("a comma");
            if at == 0 { format!("{line}\n") } else { format!("{},\n", &line[..cut]) }
        })
        .collect();
    std::fs::write(&path, without).expect("it can be written");
    predict("without.csv");
    let scores = ["with.csv", "without.csv"].map(scores);
    assert_eq!(scores[0].len(), text.lines().count() - 1);
    assert_eq!(scores[0], scores[1]);
}

/// Rows at or after the cut-off, or the time at which a fold is frozen, do not exist.
#[test]
fn rows_exist_before_the_cut_off_and_the_freeze() {
    let folder = fresh_folder("databases-frozen");
    std::fs::create_dir_all(folder.join("db")).expect("the folder can be made");
    let write = |name: &str, text: &str| {
        std::fs::write(folder.join("db").join(name), text).expect("it can be written")
    };
    write("people.csv", "id,town\n1,rome\n2,rome\n3,oslo\n4,oslo\n5,rome\n6,oslo\n");
    // Each person has a visit in January, in March and in May.
    let visits: String = (1..=6)
        .flat_map(|person| ["2020-01-10", "2020-03-10", "2020-05-10"].map(|day| format!("{person},{day}\n")))
        .collect();
    write("visits.csv", &format!("who,day\n{visits}"));
    write(
        "labels.csv",
        "who,day,label,fold\n1,2020-02-01,1,train\n2,2020-03-10,0,train\n3,2020-04-01,1,train\n4,2020-06-01,0,train\n\
         5,2020-06-01,1,test\n6,2020-03-11,0,test\n",
    );
    let clause = |n: usize| {
        format!(
            "labels_label(E,P,T) :- aggregate_all(count, (labels_who(E,X), visits_who(V,X)), N), N >= {n}."
        )
    };
    let navigated = "labels_label(E,P,T) :- visits_who(V,P), visits_day_age(V,D), D >= 100.".to_owned();
    let clauses: Vec<String> = (1..=3).map(clause).chain([navigated]).collect();
    let data = ["db", "--label", "labels.label"];
    // Before their cut-offs 1 and 2 have one visit, 3 and 6 two, 4 and 5 three; of 4 and 5 that in January is 143 days old.
    assert_eq!(covers(&folder, &data, &clauses), [(3, 3), (2, 2), (1, 1), (1, 1)]);
    // Before February 5 and 6 have one visit; the ages are those at their cut-offs.
    let frozen = [&data[..], &["--frozen", "test=2020-02-01"]].concat();
    assert_eq!(covers(&folder, &frozen, &clauses), [(3, 3), (1, 1), (0, 1), (1, 1)]);
}

/// Each fault has its message, and no other that only follows from it.
#[test]
fn faulty_tables_are_told_by_their_faults_alone() {
    let folder = fresh_folder("databases-faulty");
    for (text, label, code, what) in [
        ("a,b,label\n1,2,1\n1,2\n3,4,0\n", "t.label", "G090", "this row has 2 cells, the header 3"),
        ("a,a,label\n1,2,1\n3,4,0\n", "t.label", "G090", "a second column is called a"),
        ("a,,label\n1,2,1\n3,4,0\n", "t.label", "G090", "this column has no name"),
        ("", "t.label", "G126", "the table t has no column label"),
        ("a,\n1,2\n3,2\n", "t.label", "G090", "this column has no name"),
        ("a,label\n1,x\n2,y\n3,z\n", "t.label", "G126", "3 labels, and two are needed"),
        ("a,label\n1,1\n2,0\n", "t.lable", "G126", "the table t has no column lable"),
        ("a,label\n1,1\n2,0\n", "u.label", "G126", "there is no table u"),
    ] {
        std::fs::write(folder.join("t.csv"), text).expect("it can be written");
        let (exit, _, stderr) = gleaner(&folder, &["inspect", "t.csv", "--label", label, "--quiet"]);
        assert_eq!(exit, Some(1), "{text:?}: {stderr}");
        let errors: Vec<&str> = stderr.lines().filter(|line| line.starts_with("error")).collect();
        assert!(
            matches!(errors[..], [only] if only.contains(code) && only.contains(what)),
            "{text:?}: {stderr}"
        );
    }
    let told = |bytes: &[u8]| {
        std::fs::write(folder.join("t.csv"), bytes).expect("it can be written");
        gleaner(&folder, &["inspect", "t.csv", "--label", "t.label", "--quiet"]).2
    };
    let stderr = told(b"a,label\n1,1\na,label\n2,0\n");
    assert!(stderr.contains("a row holds label there: does the header stand twice?"), "{stderr}");
    // A quote that is never closed.
    let mut endless = b"a,label\n\"".to_vec();
    endless.resize(65 << 20, b'y');
    let stderr = told(&endless);
    assert!(stderr.contains("G009") && !stderr.contains("G020"), "{stderr}");
}

#[test]
fn all_columns_of_a_wide_table_count() {
    let folder = fresh_folder("databases-wide");
    let columns = 0..1000;
    let header: String = columns.clone().map(|column| format!("c{column},")).collect();
    let row = |row: u32| {
        let cells: String = columns.clone().map(|column| format!("{},", (row * 7 + column) % 13)).collect();
        // The last column alone tells the classes apart.
        format!("{cells}{},{}\n", row % 2 * 100 + row, row % 2)
    };
    let rows: String = (0..40).map(row).collect();
    std::fs::write(folder.join("wide.csv"), format!("{header}last,label\n{rows}"))
        .expect("it can be written");
    let clause = "wide_label(E) :- wide_last(E,V), V >= 100.".to_owned();
    assert_eq!(covers(&folder, &["wide.csv", "--label", "wide.label"], &[clause]), [(20, 0)]);
}

/// Tests of determinate trees speak of the example alone: its aggregates and columns, but no row that hangs on it.
#[test]
fn determinate_trees_speak_of_no_single_row() {
    let folder = fresh_folder("databases-determinate");
    shop_of(&folder, "shop", "4000", &[]);
    let data = [
        "shop",
        "--label",
        "labels.label",
        "--fold",
        "1",
        "--learner",
        "rdn-boost",
        "--rounds",
        "6",
        "--quiet",
    ];
    let rows = ["lines_order_ref_buyer(", "orders_buyer(", "returns_of_order_buyer("];
    for (literals, aggregates, speaks_of_rows) in
        [("all", "none", true), ("all", "learn", false), ("determinate", "none", false)]
    {
        let file = format!("{literals}-{aggregates}.json");
        let further = ["--test-literals", literals, "--aggregates", aggregates, "-o", &file];
        printed(&folder, &[&["learn"], &data[..], &further].concat());
        let shown = printed(&folder, &["show", &file]);
        // What stands within an aggregate is no literal of its own.
        let mut own = shown.lines().filter(|line| !line.contains("aggregate_all("));
        let found = own.any(|line| rows.iter().any(|row| line.contains(row)));
        assert_eq!(found, speaks_of_rows, "{literals}: {shown}");
    }
}

/// The default learner of a database has candidates of its own, and says which it took and why.
#[test]
fn the_default_learner_of_a_database_chooses_on_tune() {
    let folder = fresh_folder("databases-default");
    shop_of(&folder, "shop", "8000", &[]);
    let data =
        ["shop", "--label", "labels.label", "--fold", "1", "--learner", "auto", "--rounds", "5", "--quiet"];
    for (file, threads) in [("one.json", "1"), ("two.json", "2")] {
        printed(&folder, &[&["learn"], &data[..], &["-o", file, "--threads", threads]].concat());
    }
    let shown = printed(&folder, &["show", "one.json"]);
    assert!(
        shown.contains("auto chose: ") && shown.contains(" parts of tune, and distance from the best"),
        "{shown}"
    );
    assert!(!shown.contains("aleph"), "{shown}");
    let [one, two] =
        ["one.json", "two.json"].map(|file| std::fs::read(folder.join(file)).expect("it is there"));
    assert!(one == two, "threads change the model");
}

/// The tables of the shop on one screen, with what joins them; users' modes are listed, as elsewhere.
#[test]
fn inspect_shows_the_tables_of_a_database() {
    let folder = fresh_folder("databases-inspect");
    shop(&folder, "shop", &["--quiet"]);
    let shown = printed(&folder, &["inspect", "shop", "--label", "labels.label", "--quiet"]);
    assert!(shown.lines().count() <= 24 && shown.lines().all(|line| line.chars().count() <= 100), "{shown}");
    let row = |table: &str| -> Vec<&str> {
        let line = shown.lines().find(|line| line.split_whitespace().next() == Some(table));
        line.unwrap_or_else(|| panic!("{table}: {shown}")).split_whitespace().collect()
    };
    assert_eq!(row("orders"), ["orders", "order_id", "placed_at", "buyer", "->", "shoppers"]);
    assert_eq!(row("lines"), ["lines", "order_ref", "->", "orders,", "item", "->", "products"]);
    assert_eq!(row("labels"), ["labels", "as_of", "shopper", "->", "shoppers"]);
    std::fs::write(
        folder.join("modes.pl"),
        ":- modeh(labels_label(+labels, +shoppers, +time)).\n:- modeb(*, orders_buyer(-orders, +shoppers)).\n",
    )
    .expect("it can be written");
    let given = ["inspect", "shop", "--label", "labels.label", "--modes", "modes.pl", "--quiet"];
    let shown = printed(&folder, &given);
    assert!(shown.contains("body: orders_buyer(-orders,+shoppers)"), "{shown}");
}
