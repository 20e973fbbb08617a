//! Advice of messages that a first trial meets: each is followed, and works.

use std::fmt::Write as _;

use crate::support::{covered, fixture, fresh_folder, gleaner, printed, write};

/// Cars whose last column but one tells the origin, which is not the first that could be a class.
fn cars() -> String {
    let mut text = "name,cylinders,weight,origin\n".to_owned();
    for number in 0..90_u32 {
        let weight = 1000 + number * 37 % 900;
        let origin = if weight < 1450 { "asia" } else { "america" };
        let _ = writeln!(text, "car{number},{},{weight},{origin}", 4 + number * 7 % 3 * 2);
    }
    text
}

#[test]
fn a_column_alone_is_a_label_where_one_table_has_it() {
    let folder = fresh_folder("first-advice-label");
    write(&folder, "one/cars.csv", &cars());
    let (code, _, said) = gleaner(&folder, &["cv", "one/cars.csv"]);
    assert_eq!(code, Some(1));
    assert!(said.contains("G020") && said.contains("--label origin"), "{said}");
    assert_eq!(said.matches("= help").count(), 1, "one command helps: {said}");
    let counts = |data: &str, label: &str| {
        printed(&folder, &["cv", data, "--label", label, "--learner", "tree", "--quiet", "--folds", "3"])
    };
    assert_eq!(counts("one/cars.csv", "origin"), counts("one/cars.csv", "cars.origin"));
    // No column need tell the rows apart.
    let cars_alone = cars();
    let bare: Vec<&str> = cars_alone.lines().map(|line| line.split_once(',').expect("cells").1).collect();
    write(&folder, "bare/cars.csv", &bare.join("\n"));
    let (_, _, said) = gleaner(&folder, &["cv", "bare/cars.csv"]);
    assert!(said.contains("G020") && said.contains("--label origin"), "{said}");
    // A table beside it lacks the column; a second one that has it does not say which is meant.
    write(&folder, "two/cars.csv", &cars());
    write(&folder, "two/makers.csv", "name,country\nacme,it\nbolt,de\n");
    assert_eq!(counts("two", "origin"), counts("two", "cars.origin"));
    let refused = |label: &str| {
        let (code, _, said) = gleaner(&folder, &["cv", "two", "--label", label]);
        assert_eq!(code, Some(1), "{said}");
        said
    };
    let said = refused("name");
    assert!(said.contains("cars.name") && said.contains("makers.name"), "{said}");
    let said = refused("orign");
    assert!(said.contains("no table has a column orign") && said.contains("cars.origin"), "{said}");
    let (code, _, said) = gleaner(&folder, &["cv", "two", "--label", "cars."]);
    assert!(code == Some(2) && said.contains("TABLE.COLUMN"), "{said}");
}

#[test]
fn a_row_is_explained_by_its_key() {
    let folder = fresh_folder("first-advice-key");
    write(&folder, "db/cars.csv", &cars());
    let learn =
        ["learn", "db", "--label", "cars.origin=asia", "--learner", "tree", "--quiet", "-o", "m.json"];
    printed(&folder, &learn);
    let by_key = printed(&folder, &["explain", "m.json", "db", "car17"]);
    // Rows are named by their key, so the atom has the same name.
    assert_eq!(by_key, printed(&folder, &["explain", "m.json", "db", "cars_origin(car17)"]));
    assert!(by_key.contains("weight"), "{by_key}");
    let (code, _, said) = gleaner(&folder, &["explain", "m.json", "db", "car170"]);
    assert!(code == Some(1) && said.contains("no row of cars has the key car170"), "{said}");
    // A row without a label, as those to be scored are.
    write(&folder, "new/cars.csv", "name,cylinders,weight\nfresh,4,1100\n");
    assert!(printed(&folder, &["explain", "m.json", "new", "fresh"]).contains("fresh"));
    write(&folder, "asked.txt", "cars_origin(car17).\n");
    let asked = ["explain", "m.json", "db", "cars_origin(car17)", "--examples-file", "asked.txt"];
    assert!(printed(&folder, &asked).contains("car17"));
}

#[test]
fn a_row_of_many_classes_is_explained_by_its_key_and_a_class() {
    let folder = fresh_folder("first-advice-classes");
    // Of the cars with four cylinders those from Asia are from Europe.
    let moved = |line: &str| match line.contains(",4,") {
        true => line.replace("asia", "europe") + "\n",
        false => line.to_owned() + "\n",
    };
    write(&folder, "db/cars.csv", &cars().lines().map(moved).collect::<String>());
    let learn = ["learn", "db", "--label", "origin", "--learner", "tree", "--quiet", "-o", "m.json"];
    printed(&folder, &learn);
    let (code, _, said) = gleaner(&folder, &["explain", "m.json", "db", "car17"]);
    assert!(code == Some(1) && said.contains("KEY=CLASS") && said.contains("europe"), "{said}");
    assert!(printed(&folder, &["explain", "m.json", "db", "car17=europe"]).contains("car17"));
}

#[test]
fn a_clause_that_calls_the_target_is_told_so() {
    let data = fixture("university").to_string_lossy().into_owned();
    let folder = fresh_folder("first-advice-why");
    let clause = "advisedby(A,B) :- publication(C,A), advisedby(C,B).";
    let (code, _, said) = gleaner(&folder, &["why", &data, clause]);
    assert!(code == Some(1) && said.contains("clauses do not call the target"), "{said}");
    let good = "advisedby(A,B) :- publication(C,A), publication(C,B).";
    let on = |n: &str| printed(&folder, &["why", &data, good, "--threads", n]);
    assert_eq!(on("1"), on("2"));
}

#[test]
fn text_without_relations_is_told_how_to_score_its_pairs() {
    let folder = fresh_folder("first-advice-text");
    write(&folder, "some/a.txt", "Ann met Bob.\n");
    write(&folder, "some/a.ann", "T1\tPerson 0 3\tAnn\nT2\tPerson 8 11\tBob\n");
    let (_, _, said) = gleaner(&folder, &["cv", "some"]);
    assert!(said.contains("gleaner text some -o DIR") && !said.contains("G020"), "{said}");
    printed(&folder, &["text", "some", "-o", "DIR", "--quiet"]);
    assert!(folder.join("DIR/pairs.txt").is_file());
}

#[test]
fn text_without_pairs_is_told_what_has_some() {
    let folder = fresh_folder("first-advice-no-pairs");
    // A sentence with one entity and two noun phrases; one without entities; and one without either.
    let one = "{\"text\": \"The factor SigK binds the small gene.\", \"entities\": [{\"id\": 1, \"start\": 11, \"end\": 15}]}";
    write(&folder, "one.jsonl", &format!("{one}\n"));
    write(&folder, "none.jsonl", "{\"text\": \"The factor binds the small gene.\"}\n");
    let bare = "{\"text\": \"GerE\", \"entities\": [{\"id\": 1, \"start\": 0, \"end\": 4}]}";
    write(&folder, "bare.jsonl", &format!("{bare}\n"));
    for corpus in ["one.jsonl", "none.jsonl"] {
        let (code, _, said) = gleaner(&folder, &["cv", corpus]);
        let advice = format!("gleaner text {corpus} --candidates phrases -o DIR");
        assert!(code == Some(1) && said.contains(&advice), "{corpus}: {said}");
        let _ = std::fs::remove_dir_all(folder.join("DIR"));
        printed(&folder, &["text", corpus, "--candidates", "phrases", "-o", "DIR", "--quiet"]);
        assert!(folder.join("DIR/pairs.txt").is_file(), "{corpus}");
        let (code, _, said) = gleaner(&folder, &["text", corpus, "-o", "OTHER"]);
        assert!(
            code == Some(1) && said.contains("--candidates phrases pairs noun phrases"),
            "{corpus}: {said}"
        );
    }
    let (code, _, said) = gleaner(&folder, &["cv", "bare.jsonl"]);
    assert!(code == Some(1) && said.contains("mark entities") && !said.contains("gleaner text"), "{said}");
}

/// The facts of a graph are links, and no file lists negatives: one command says what is learnt and makes them.
#[test]
fn a_graph_is_told_the_commands_that_learn_it() {
    let folder = fresh_folder("first-advice-graph");
    let (mut tabs, mut triples) = (String::new(), String::new());
    for number in 0..30 {
        let other = (number * 7 + 3) % 30;
        for (head, relation, tail) in
            [(number, "under", other), (other, "above", number), (number, "near", (number * 11 + 5) % 30)]
        {
            let _ = writeln!(tabs, "e{head}\t{relation}\te{tail}");
            let _ = writeln!(triples, "<http://x/e{head}> <http://x/{relation}> <http://x/e{tail}> .");
        }
    }
    write(&folder, "graph.tsv", &tabs);
    write(&folder, "graph.nt", &triples);
    let one = ["--target", "above/2", "--negatives", "all"];
    for graph in ["graph.tsv", "graph.nt"] {
        let (code, _, said) = gleaner(&folder, &["cv", graph]);
        assert!(code == Some(1) && said.contains(&format!("`{}`", one.join(" "))), "{graph}: {said}");
        assert_eq!(said.matches("= help").count(), 1, "{graph}: {said}");
        assert_eq!(said.contains("--target all"), graph == "graph.tsv", "{graph}: {said}");
        let cv = [&["cv", graph, "--learner", "aleph", "--quiet"][..], &one].concat();
        assert!(printed(&folder, &cv).contains("above(A,B) :- under(B,A)."), "{graph}");
    }
    printed(&folder, &["cv", "graph.tsv", "--target", "all", "--quiet"]);
}

/// Where rows hang on the rows with labels, no column of these is a cut-off: the advice is another, and works.
#[test]
fn labels_among_customers_get_a_cut_off_by_the_advice() {
    let folder = fresh_folder("lints_cut_off_apart");
    let (mut orders, mut customers, mut apart) = (
        "order_no,customer,placed,amount\n".to_owned(),
        "town,customer,churned\n".to_owned(),
        "customer,day,churned\n".to_owned(),
    );
    for row in 0..240 {
        let _ = writeln!(
            orders,
            "o{row},c{},2023-{:02}-{:02},{}",
            row * 7 % 60,
            row % 12 + 1,
            row % 28 + 1,
            row % 9
        );
    }
    for row in 0..60 {
        let churned = if row % 3 == 1 { "yes" } else { "no" };
        let _ = writeln!(customers, "t{},c{row},{churned}", row % 4);
        let _ = writeln!(apart, "c{row},2023-07-01,{churned}");
    }
    write(&folder, "db/orders.csv", &orders);
    write(&folder, "db/customers.csv", &customers);
    let (_, _, stderr) = gleaner(&folder, &["inspect", "db", "--label", "customers.churned"]);
    let advice = "the columns customer, day and churned, leave churned out of customers, and say --label labels.churned";
    assert!(stderr.contains("warning[G116]") && stderr.contains(advice), "{stderr}");
    let without = customers.replace(",churned", "").replace(",yes", "").replace(",no", "");
    write(&folder, "db/customers.csv", &without);
    write(&folder, "db/labels.csv", &apart);
    let (code, stdout, stderr) = gleaner(&folder, &["inspect", "db", "--label", "labels.churned"]);
    assert!(code == Some(0) && !stderr.contains("G116"), "{stderr}");
    assert!(stdout.contains("head: labels_churned(+labels,+customers,+cut_off)"), "{stdout}");
}

/// The labels have a row for each customer and a day, and no table of customers lies beside the orders: then the orders hang on the
/// labels, whose day hides nothing. The schema that the message gives does.
#[test]
fn labels_that_orders_hang_on_are_given_a_table_between() {
    let folder = fresh_folder("advice-between");
    let (mut orders, mut labels) =
        ("order_no,customer_id,placed,state\n".to_owned(), "churned,snapshot,customer_id\n".to_owned());
    for row in 0..60 {
        let churned = if row % 3 == 1 { "yes" } else { "no" };
        let _ = writeln!(labels, "{churned},2023-07-{:02},c{row}", 1 + row % 20);
        let _ = writeln!(orders, "o{row},c{row},2023-05-{:02},open", 1 + row % 28);
        // Known afterwards.
        let late = if row % 3 == 1 { "closed" } else { "open" };
        let _ = writeln!(orders, "p{row},c{row},2023-09-{:02},{late}", 1 + row % 28);
    }
    write(&folder, "db/orders.csv", &orders);
    write(&folder, "db/labels.csv", &labels);
    let inspect = ["inspect", "db", "--label", "labels.churned"];
    let (_, _, stderr) = gleaner(&folder, &inspect);
    let advice = "if labels.snapshot is the day of each label, say so in schema.toml: `customer_id = \"made key\"` below \
                  [customer], `customer_id = \"-> customer\"` below [labels] and `customer_id = \"-> customer\"` below [orders]";
    assert!(stderr.contains("warning[G116]") && stderr.contains(advice), "{stderr}");
    let schema = "[customer]\ncustomer_id = \"made key\"\n[labels]\ncustomer_id = \"-> customer\"\n\
                  [orders]\ncustomer_id = \"-> customer\"\n";
    write(&folder, "db/schema.toml", schema);
    let (code, stdout, stderr) = gleaner(&folder, &inspect);
    assert!(code == Some(0) && !stderr.contains("G116"), "{stderr}");
    assert!(stdout.contains("+cut_off)"), "{stdout}");
    let clause = "labels_churned(A,B,C) :- orders_customer_id(D,B), orders_state(D,closed).";
    assert_eq!(covered(&folder, "db", "labels.churned", clause), [0, 0]);
}
