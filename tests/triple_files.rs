//! Triples as people and programs write them: numbers, headers, ids, full stops and blanks.

use std::fmt::Write as _;
use std::path::Path;

use crate::support::{fresh_folder, gleaner, printed, write};

/// The facts and examples of a folder, as lines of JSON.
fn converted(folder: &Path, target: &str) -> String {
    printed(folder, &["convert", "kg", "--to", "json-lines", "--target", target, "-o", "out", "--quiet"]);
    let mut texts: Vec<String> = crate::support::texts(&folder.join("out")).into_values().collect();
    texts.sort();
    texts.concat()
}

/// Cities: those of more than four million are large. A city's code and its mayor's badge are digits, too.
fn cities(of: impl Fn(usize) -> String) -> String {
    let mut text = String::new();
    for at in 0..60 {
        let _ = writeln!(text, "c{at}\tpopulation\t{}", of(1_000_000 + at * 7919 % 60 * 100_000));
        let _ = writeln!(text, "c{at}\tin\tk{}", at % 4);
        let _ = writeln!(text, "c{at}\tmayor\t{}", 9000 + at * 31 % 60);
        let _ = writeln!(text, "{}\tlives_in\tc{}", 9000 + at, at * 11 % 60);
        if 1_000_000 + at * 7919 % 60 * 100_000 > 4_000_000 {
            let _ = writeln!(text, "c{at}\tis_a\tmetropolis");
        }
    }
    text
}

/// A byte order mark, a comment or a full stop behind the last cell changes no name. Messages tell what is left out.
#[test]
fn marks_comments_and_full_stops_are_no_names() {
    let folder = fresh_folder("triple_marks");
    let plain = cities(|n| n.to_string());
    let lines = |of: &dyn Fn(&str) -> String| plain.lines().map(of).collect::<String>();
    let read = |text: &str| {
        write(&folder, "kg/train.txt", text);
        let _ = std::fs::remove_dir_all(folder.join("out"));
        let (_, _, stderr) = gleaner(&folder, &["inspect", "kg", "--target", "is_a/2"]);
        (converted(&folder, "is_a/2"), stderr)
    };
    let (expected, told) = read(&plain);
    assert!(!told.contains("G033"), "{told}");
    for (text, told) in [
        (format!("\u{feff}{plain}"), None),
        (
            format!("\u{feff}# of cities\n{plain}# the end\n"),
            Some("2 lines that begin with # are no triples"),
        ),
        (lines(&|line| format!("{line} .\n")), Some("a full stop ends each line, and is no part of a name")),
    ] {
        let (facts, stderr) = read(&text);
        assert_eq!(facts, expected, "{stderr}");
        assert_eq!(stderr.contains("G033"), told.is_some(), "{stderr}");
        assert!(stderr.contains(told.unwrap_or_default()), "{stderr}");
    }
    // One full stop is part of a name.
    let (facts, _) = read(&format!("{plain}c1\tnear\tSt .\n"));
    assert!(facts.contains("\"St .\""), "{facts}");
}

#[test]
fn objects_that_are_numbers_alone_are_numbers() {
    let folder = fresh_folder("triple_numbers");
    let learn = ["learn", "kg", "--target", "is_a/2", "--learner", "tree", "--negatives", "all"];
    let mut models = Vec::new();
    for (ending, is_whole) in [("", true), (".0", false)] {
        write(&folder, "kg/train.txt", &cities(|n| format!("{n}{ending}")));
        let stdout = printed(&folder, &[&learn[..], &["-o", "m.json", "--quiet"]].concat());
        assert!(stdout.contains("precision 1.0000, recall 1.0000"), "{is_whole}: {stdout}");
        models.push(stdout.lines().find(|line| line.contains("population(")).unwrap_or_default().to_owned());
    }
    assert!(models[0].contains("4000000") && models[0] == models[1], "{models:?}");
    // Mayors have facts of their own: their numbers are names, so that they join.
    write(&folder, "kg/train.txt", &cities(|n| n.to_string()));
    let modes = printed(&folder, &["inspect", "kg", "--target", "is_a/2", "--propose-modes", "--quiet"]);
    assert!(!modes.contains("modeb(*, mayor(+mayor"), "{modes}");
    let schema = converted(&folder, "is_a/2");
    assert!(schema.contains("\"9031\"") && schema.contains("4000000") && !schema.contains("\"4000000\""));
}

/// The target's triples are examples, whose arguments are entities: whoever has one of their numbers has a name.
#[test]
fn the_target_s_objects_stay_names() {
    let folder = fresh_folder("triple_target_numbers");
    let mut text = String::new();
    for at in 0..20 {
        let _ = writeln!(text, "p{at}\tage\t{}\np{at}\tclass\t{}", 20 + at, 1 + at % 3);
        let _ = writeln!(text, "p{at}\trank\t{}", 1 + at % 3);
    }
    write(&folder, "kg/train.txt", &text);
    let found = converted(&folder, "class/2");
    assert!(found.contains("[\"p4\",24]") && found.contains("[\"p4\",\"2\"]"), "{found}");
    assert!(!found.contains("[\"p4\",2]"), "{found}");
}

#[test]
fn the_same_triples_in_other_notations_are_the_same() {
    let root = fresh_folder("triple_notations");
    let triples = [
        ["ann", "parent_of", "bob"],
        ["bob", "parent_of", "cid"],
        ["ann", "grandparent_of", "cid"],
        ["gus", "parent_of", "hal"],
        ["hal", "parent_of", "ida"],
        ["gus", "grandparent_of", "ida"],
    ];
    let lines = |of: &dyn Fn(usize, [&str; 3]) -> String| {
        let lines = triples.iter().enumerate().map(|(at, triple)| of(at, *triple) + "\n");
        lines.collect::<String>()
    };
    let plain = lines(&|_, triple| triple.join("\t"));
    let notations = [
        ("plain", plain.clone(), false),
        ("blanks", lines(&|_, triple| triple.join("  ")), false),
        ("ids", lines(&|at, triple| format!("<id_{at}>\t{}", triple.join("\t"))), false),
        ("values", lines(&|at, triple| format!("{at}\t{}\t", triple.join("\t"))), false),
        ("stops", lines(&|_, [h, r, t]| format!("<{h}>\t<{r}>\t<{t}>\t.")), false),
        ("header", format!("head\trelation\ttail\n{plain}"), true),
        ("spo", format!("Subject\tPredicate\tObject\n{plain}"), true),
    ];
    let mut expected = None;
    for (name, text, has_header) in notations {
        let folder = root.join(name);
        write(&folder, "kg/train.txt", &text);
        let found = converted(&folder, "grandparent_of/2");
        let expected = expected.get_or_insert_with(|| found.clone());
        assert_eq!(&found, expected, "{name}");
        let inspect = ["inspect", "kg", "--target", "grandparent_of/2", "--negatives", "all"];
        let (code, _, stderr) = gleaner(&folder, &inspect);
        assert_eq!(code, Some(0), "{name}: {stderr}");
        assert_eq!(stderr.contains("warning[G033]"), has_header, "{name}: {stderr}");
    }
}

/// A header is no link of a graph, either; nor is a relation one that has other links.
#[test]
fn a_graph_s_header_is_no_link() {
    let folder = fresh_folder("triple_header_links");
    let mut text = "from\trel\tto\n".to_owned();
    for at in 0..30 {
        let _ = writeln!(text, "a{at}\tnext\ta{}\na{at}\tnear\ta{}", (at + 1) % 30, (at + 1) % 30);
    }
    write(&folder, "kg/train.txt", &text);
    let learn = ["learn", "kg", "--target", "all", "-o", "m.json"];
    let (code, stdout, stderr) = gleaner(&folder, &learn);
    assert_eq!(code, Some(0), "{stderr}");
    assert!(stderr.contains("warning[G033]"), "{stderr}");
    assert!(stdout.contains("2 relations") && stdout.contains("30 entities"), "{stdout}");
}

#[test]
fn four_cells_that_are_no_ids_are_refused() {
    let folder = fresh_folder("triple_quads");
    write(&folder, "kg/train.txt", "a\tmeets\tb\t2014-01-01\na\tvisits\tb\t2014-01-02\n");
    let (code, _, stderr) =
        gleaner(&folder, &["inspect", "kg", "--format", "triples", "--target", "meets/2"]);
    assert_eq!(code, Some(1), "{stderr}");
    assert!(stderr.contains("error[G033]") && stderr.contains("three words"), "{stderr}");
}

/// Values are told where they count as entities: whole numbers as decimals. Names of digits are entities: mayors live in cities.
#[test]
fn a_graph_s_numbers_are_told() {
    let folder = fresh_folder("triples-graph-numbers");
    let told = |train: &str, test: &str| -> String {
        write(&folder, "kg/train.txt", train);
        write(&folder, "kg/test.txt", test);
        let learn = ["learn", "kg", "--target", "all", "-o", "kg.json", "--path-length", "2"];
        let (code, _, stderr) = gleaner(&folder, &learn);
        let _ = std::fs::remove_file(folder.join("kg.json"));
        assert_eq!(code, Some(0), "{stderr}");
        let said = stderr.split_whitespace().collect::<Vec<_>>().join(" ");
        if said.contains("G175") { said } else { String::new() }
    };
    let whole = cities(|population| population.to_string());
    let decimal = cities(|population| format!("{population}.5"));
    let test = "c7\tin\tk3\n";
    let said = told(&whole, test);
    // The population of the first city, by hand, and no other relation.
    assert!(said.contains("the objects of population, as 1000000 of c0 ="), "{said}");
    assert!(told(&decimal, test).contains("the objects of population, as 1000000.5 of c0 ="));
    // A number that is a name anywhere is a name, and so are all objects of its relation: as a subject, here of test alone.
    assert_eq!(told(&whole, &format!("{test}1000000\tin\tk1\n")), "");
    let without: Vec<&str> = whole.lines().filter(|line| !line.contains("population")).collect();
    assert_eq!(told(&without.join("\n"), test), "");
}
