//! Pages of runs: `report.html` in each run folder, `gleaner report`, and the figures of `gleaner plot`.
//!
//! A headless browser, if one is there, shows that the page has no fault and asks no address for anything.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value as Json;

use crate::support::{fixture, fresh_folder, gleaner, printed, without_settings, write};

/// A small cross-validation with everything that Gleaner writes.
fn run_folder(name: &str) -> PathBuf {
    let folder = fresh_folder(name);
    let data = fixture("university");
    let data = data.to_str().expect("a path");
    let cv = [
        "cv",
        data,
        "--learner",
        "gleaner",
        "--seeds",
        "4",
        "--clauses",
        "100",
        "--learning-curve",
        "50,100",
    ];
    printed(&folder, &[&cv[..], &["--run", "run", "--quiet"]].concat());
    folder
}

fn text(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn json(path: &Path) -> Json {
    serde_json::from_str(&text(path)).expect("JSON")
}

/// The browser, if there is one.
#[expect(clippy::print_stderr, reason = "whoever runs the tests should know what was not tested")]
fn browser() -> Option<&'static str> {
    let is_there =
        |name: &&str| Command::new(name).arg("--version").output().is_ok_and(|it| it.status.success());
    let found = ["chromium", "chromium-browser", "google-chrome"].into_iter().find(is_there);
    if found.is_none() {
        eprintln!("no browser is here: the page is looked at as text alone");
    }
    found
}

/// The page as the browser has it after its scripts ran, and what the console said.
fn shown(browser: &str, folder: &Path, page: &Path) -> (String, String) {
    let profile = folder.join("profile");
    let flags = [
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--enable-logging=stderr",
        "--virtual-time-budget=2000",
        "--dump-dom",
    ];
    let output = Command::new(browser)
        .args(flags)
        .arg(format!("--user-data-dir={}", profile.display()))
        .arg(format!("file://{}", page.display()))
        .output()
        .expect("a browser");
    let said = String::from_utf8_lossy(&output.stderr);
    let console: String = said.lines().filter(|line| line.contains("CONSOLE")).collect();
    (String::from_utf8_lossy(&output.stdout).into_owned(), console)
}

/// The rows of the table with this id: of each its first cell, and the exact values of the others by their titles.
fn rows(page: &str, id: &str) -> BTreeMap<String, BTreeMap<String, String>> {
    let table = page.split(&format!(" id=\"{id}\">")).nth(1).expect("the table");
    let table = table.split("</table>").next().expect("its end");
    let inner = |cell: &str| {
        let cell = cell.split_once('>').expect("a cell").1;
        cell.split('<').next().expect("a text").to_owned()
    };
    let head = table.split("<thead>").nth(1).expect("titles").split("</thead>").next().expect("their end");
    let titles: Vec<String> = head.split("<th ").skip(1).map(inner).collect();
    let body = table.split("<tbody>").nth(1).expect("rows");
    let row = |row: &str| {
        let row = row.split("</tr>").next().expect("an end");
        let cells: Vec<&str> = row.split("<th ").flat_map(|part| part.split("<td")).skip(1).collect();
        let exact = |cell: &str| match cell.split("data-value=\"").nth(1) {
            Some(value) => value.split('"').next().expect("an end").to_owned(),
            None => inner(cell),
        };
        let values = titles.iter().zip(&cells).map(|(title, cell)| (title.clone(), exact(cell)));
        (inner(cells[0]), values.filter(|(_, value)| !value.is_empty()).collect())
    };
    body.split("<tr>").skip(1).map(row).collect()
}

#[test]
fn a_page_has_the_values_of_the_record() {
    let folder = run_folder("page-values");
    let page = text(&folder.join("run/report.html"));
    let record = json(&folder.join("run/run.json"));
    let folds = rows(&page, "folds");
    let runs = record["runs"].as_array().expect("runs");
    let mut n_compared = 0;
    for run in runs {
        let row = &folds[run["fold"].as_str().expect("a name")];
        for (name, value) in
            row.iter().filter(|(name, _)| !matches!(name.as_str(), "fold" | "positives" | "negatives"))
        {
            assert_eq!(value.parse::<f64>().ok(), run["metrics"][name].as_f64(), "{name}");
            n_compared += 1;
        }
        assert_eq!(row["positives"].parse::<u64>().ok(), run["test"][0].as_u64());
    }
    for (title, name) in [("mean", "mean"), ("standard deviation", "sd")] {
        for (metric, value) in folds[title].iter().filter(|(metric, _)| *metric != "fold") {
            let known = record["summaries"][metric][name].as_f64();
            assert_eq!(value.parse::<f64>().ok(), known, "{title} of {metric}");
            n_compared += 1;
        }
    }
    assert!(n_compared >= 30, "{n_compared} values");
    // The page of the folder is the page of the command, and equal runs have equal pages.
    printed(&folder, &["report", "run", "-o", "again.html", "--quiet"]);
    assert_eq!(text(&folder.join("again.html")), page);
    let by_library = gleaner::report_page([folder.join("run")]).expect("a page");
    assert_eq!(without_settings(&by_library), without_settings(&page));
    let other = run_folder("page-values-again");
    assert_eq!(text(&other.join("run/report.html")), page);
    assert!(page.len() < 300_000, "{} bytes", page.len());
}

/// The thresholds of the slider, against a count of the predictions.
#[test]
fn thresholds_count_the_predictions() {
    let folder = run_folder("page-thresholds");
    let page = text(&folder.join("run/report.html"));
    let data =
        page.split("data-thresholds='").nth(1).expect("thresholds").split('\'').next().expect("an end");
    let thresholds: Vec<[f64; 3]> = serde_json::from_str(data).expect("numbers");
    let mut scored: Vec<(f64, bool)> = Vec::new();
    for fold in 1..=4 {
        let table = text(&folder.join(format!("run/fold{fold}/predictions.csv")));
        let mut reader = csv::Reader::from_reader(table.as_bytes());
        let header = reader.headers().expect("a header").clone();
        let at = |name: &str| header.iter().position(|known| known == name).expect("a column");
        let (probability, label) = (at("probability"), at("label"));
        for row in reader.records() {
            let row = row.expect("a row");
            scored.push((row[probability].parse().expect("a probability"), &row[label] == "1"));
        }
    }
    assert!(thresholds.len() > 5, "{thresholds:?}");
    for [least, tp, fp] in thresholds {
        let count = |label: bool| scored.iter().filter(|(value, is)| *value >= least && *is == label).count();
        let counted = [count(true), count(false)].map(|n| n.to_string());
        assert_eq!([tp, fp].map(|n| n.to_string()), counted, "from {least}");
    }
}

/// The most precise clause of each tenth of recall, by the counts in `clauses.csv`.
#[test]
fn the_best_clause_of_each_tenth_of_recall_is_shown() {
    let folder = run_folder("page-tenths");
    let page = text(&folder.join("run/report.html"));
    let record = json(&folder.join("run/run.json"));
    let [train, test] = ["train", "test"].map(|set| record["runs"][0][set][0].as_f64().expect("positives"));
    let table = text(&folder.join("run/fold1/clauses.csv"));
    let mut reader = csv::Reader::from_reader(table.as_bytes());
    let number = |row: &csv::StringRecord, at: usize| row[at].parse::<f64>().expect("a count");
    let counted: Vec<csv::StringRecord> = reader.records().map(|row| row.expect("a row")).collect();
    let precision =
        |row: &csv::StringRecord, at: usize| number(row, at) / (number(row, at) + number(row, at + 1));
    let shown = rows(&page, "clauses-by-recall");
    let mut n_shown = 0;
    for tenth in 1..=10 {
        let of_tenth = |row: &&csv::StringRecord| {
            let recall = number(row, 1) / train;
            recall > f64::from(tenth - 1) / 10.0 + 1e-12 && recall <= f64::from(tenth) / 10.0 + 1e-12
        };
        let of_it: Vec<&csv::StringRecord> = counted.iter().filter(of_tenth).collect();
        let Some(best) = of_it.iter().map(|row| precision(row, 1)).reduce(f64::max) else { continue };
        let is_shown = |row: &&&csv::StringRecord| shown.keys().any(|key| unescaped(key) == row[0]);
        let row = of_it.iter().find(is_shown).expect("one of them is shown");
        let cells = &shown[shown.keys().find(|key| unescaped(key) == row[0]).expect("it")];
        let value = |title: &str| cells[title].parse::<f64>().expect("a number");
        let shown = ["train precision", "train recall", "test recall"].map(value);
        let counted = [best, number(row, 1) / train, number(row, 5) / test];
        assert_eq!(shown.map(f64::to_bits), counted.map(f64::to_bits), "{}", &row[0]);
        n_shown += 1;
    }
    assert!(n_shown == shown.len() && n_shown > 2, "{n_shown} of {}", shown.len());
}

/// A text of the page without its escapes.
fn unescaped(text: &str) -> String {
    text.replace("&#x2f;", "/")
        .replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&#x27;", "'")
        .replace("&quot;", "\"")
        .replace("&amp;", "&")
}

/// What each clause covers of test and adds on train and tune, by `cover` on the same sets.
#[test]
fn clauses_are_counted_as_cover_counts_them() {
    let folder = run_folder("page-clauses");
    let table = text(&folder.join("run/fold2/clauses.csv"));
    let mut reader = csv::Reader::from_reader(table.as_bytes());
    let counted: Vec<Vec<String>> =
        reader.records().map(|row| row.expect("a row").iter().map(str::to_owned).collect()).collect();
    let clauses: Vec<&str> = counted.iter().map(|row| row[0].as_str()).collect();
    write(&folder, "clauses.pl", &clauses.join("\n"));
    let data = fixture("university");
    let data = data.to_str().expect("a path");
    let mut covered: BTreeMap<&str, Vec<[String; 2]>> = BTreeMap::new();
    let mut reached: BTreeMap<&str, Vec<std::collections::BTreeSet<String>>> = BTreeMap::new();
    for set in ["train", "tune", "test"] {
        let arguments =
            ["cover", data, "clauses.pl", "--fold", "2", "--set", set, "--examples", "all", "--json"];
        let out = printed(&folder, &[&arguments[..], &["--quiet"]].concat());
        let events = out.lines().map(|line| serde_json::from_str::<Json>(line).expect("an event"));
        for event in events.filter(|event| event["event"] == "clause") {
            covered.entry(set).or_default().push(["tp", "fp"].map(|name| event[name].to_string()));
            let examples = event["examples"].as_array().expect("examples").iter();
            reached.entry(set).or_default().push(examples.map(ToString::to_string).collect());
        }
    }
    assert!(counted.len() > 10);
    let mut known = [std::collections::BTreeSet::new(), std::collections::BTreeSet::new()];
    for (at, row) in counted.iter().enumerate() {
        for (set, columns) in [("train", [1, 2]), ("tune", [3, 4]), ("test", [5, 6])] {
            assert_eq!(columns.map(|column| row[column].clone()), covered[set][at], "{set} {}", row[0]);
        }
        let mut n_added = 0;
        for (set, known) in ["train", "tune"].into_iter().zip(&mut known) {
            n_added += reached[set][at].iter().filter(|example| known.insert((*example).clone())).count();
        }
        let told: usize = [7, 8].iter().map(|&column| row[column].parse::<usize>().expect("a count")).sum();
        assert_eq!(told, n_added, "{}", row[0]);
    }
    let adds_nothing = |row: &Vec<String>| row[7] == "0" && row[8] == "0";
    assert!(counted.iter().map(adds_nothing).is_sorted() && counted.iter().any(adds_nothing));
}

/// A logarithmic axis shows rare positives. Where half of the examples are positive, it hides the upper half.
#[test]
fn common_positives_have_linear_axes() {
    let folder = run_folder("page-axes");
    let rare = text(&folder.join("run/report.html"));
    assert!(rare.contains("as the probabilities say. Both axes are logarithmic"), "the positives are rare");
    crate::shown_clauses::trains(&folder);
    printed(&folder, &["cv", "trains", "--learner", "aleph", "--run", "common", "--folds", "4", "--quiet"]);
    let common = text(&folder.join("common/report.html"));
    assert!(common.contains("as the probabilities say.") && !common.contains("Both axes are logarithmic"));
}

/// Each of the first clauses has a positive and a negative of test that `cover` lists, where there are any, and a proof whose
/// facts are in the data.
#[test]
fn clauses_show_examples_that_they_cover() {
    let folder = run_folder("page-covered");
    let fold = folder.join("run/fold2");
    let data = fixture("university");
    let facts = text(&data.join("fold2/background.pl"));
    let mut reader = csv::Reader::from_path(fold.join("predictions.csv")).expect("a table");
    let labels: BTreeMap<String, String> = reader
        .records()
        .map(|row| row.expect("a row"))
        .map(|row| (row[0].to_owned(), row[row.len() - 1].to_owned()))
        .collect();
    let mut reader = csv::Reader::from_path(fold.join("clauses.csv")).expect("a table");
    let (mut n_shown, mut n_facts) = (0, 0);
    for row in reader.records().take(20).map(|row| row.expect("a row")) {
        for (count, cell, label) in [(5, 10, "1"), (6, 11, "0")] {
            assert_eq!(row[cell].is_empty(), &row[count] == "0", "{row:?}");
            let Some((example, proof)) = row[cell].split_once(" :- ") else { continue };
            assert_eq!(labels[example], label, "{example}");
            n_shown += 1;
            write(&folder, "clause.pl", &row[0]);
            let data = data.to_str().expect("a path");
            let arguments = ["cover", data, "clause.pl", "--fold", "2", "--set", "test", "--examples", "all"];
            let listed = printed(&folder, &[&arguments[..], &["--json", "--quiet"]].concat());
            assert!(listed.contains(&format!("\"{example}\"")), "{example} by {}", &row[0]);
            for literal in proof.split_inclusive("), ").map(|part| part.trim_end_matches(", ")) {
                let is_plain = !literal.starts_with("\\+") && literal.contains('(');
                let has_variable = literal
                    .split(['(', ','])
                    .skip(1)
                    .any(|of| of.starts_with(|c: char| c.is_uppercase() || c == '_'));
                if is_plain && !has_variable {
                    assert!(facts.contains(literal), "{literal}");
                    n_facts += 1;
                }
            }
        }
    }
    assert!(n_shown > 20 && n_facts > 40, "{n_shown} examples, {n_facts} facts");
}

/// The predicates are those of `inspect`, and the warnings those that the command says, wherever the data stand.
#[test]
fn the_data_and_their_warnings_are_told() {
    let folder = fresh_folder("page-data");
    let parts = [
        (
            "data/modes.pl",
            ":- modeh(1, likes(+person)).\n:- modeb(*, tall(+person)).\n:- modeb(*, colour(+shade,-paint)).\n",
        ),
        (
            "data/background.pl",
            "tall(p1). tall(p2). tall(p1).\ncolour(red, dark). unused(p1, p2).\ngrown(X) :- tall(X).\n",
        ),
    ];
    for (name, content) in parts {
        write(&folder, name, content);
    }
    let examples = |of: &str, first: usize| -> String {
        (0..9).map(|n| format!("likes({of}{}).\n", first + n)).collect()
    };
    write(&folder, "data/pos.pl", &examples("p", 1));
    write(&folder, "data/neg.pl", &examples("p", 11));
    let learn =
        ["learn", "data", "--learner", "gleaner", "--seeds", "2", "--clauses", "20", "-o", "model.json"];
    let (code, _, said) = gleaner(&folder, &[&learn[..], &["--run", "run"]].concat());
    assert_eq!(code, Some(0), "{said}");
    let page = text(&folder.join("run/report.html"));
    let mut reader = csv::Reader::from_path(folder.join("run/warnings.csv")).expect("a table");
    let warnings: Vec<csv::StringRecord> = reader.records().map(|row| row.expect("a row")).collect();
    assert!(!warnings.is_empty());
    for row in &warnings {
        assert!(said.contains(&row[1]) && said.contains(&row[0]), "{row:?}\n{said}");
        assert!(unescaped(&page).contains(&row[1]), "{row:?}");
    }
    assert_eq!(said.matches("warning[").count(), warnings.len(), "{said}");
    assert!(warnings.iter().any(|row| row[3].starts_with("modes.pl:")), "{warnings:?}");
    let known = printed(&folder, &["inspect", "data", "--json", "--quiet"]);
    let known: Json = serde_json::from_str(known.lines().last().expect("an event")).expect("JSON");
    let shown: BTreeMap<String, BTreeMap<String, String>> =
        rows(&page, "predicates").into_iter().map(|(name, row)| (unescaped(&name), row)).collect();
    let predicates = known["predicates"].as_array().expect("predicates");
    assert_eq!(shown.len(), predicates.len());
    for predicate in predicates {
        let row = &shown[predicate["predicate"].as_str().expect("a name")];
        for (title, name) in
            [("facts", "n_facts"), ("distinct", "n_distinct"), ("rules", "n_rules"), ("tuples", "n_tuples")]
        {
            assert_eq!(row[title].parse::<u64>().ok(), predicate[name].as_u64(), "{predicate} {title}");
        }
    }
    assert_eq!(shown["tall/1"]["how clauses use it"], "tall(+person)");
    assert_eq!(shown["unused/2"]["how clauses use it"], "not used by clauses");
    // The same data at another place make the same page, and so does the folder.
    std::fs::create_dir(folder.join("deep")).expect("a folder");
    std::fs::rename(folder.join("data"), folder.join("deep/data")).expect("a move");
    let learn = learn.map(|word| if word == "data" { "deep/data" } else { word });
    let (code, _, said) = gleaner(&folder, &[&learn[..], &["--run", "moved", "--quiet"]].concat());
    assert_eq!(code, Some(0), "{said}");
    assert_eq!(text(&folder.join("moved/report.html")), page);
    printed(&folder, &["report", "run", "-o", "again.html", "--quiet"]);
    assert_eq!(text(&folder.join("again.html")), page);
}

#[test]
fn a_browser_shows_the_page_without_a_fault() {
    let folder = run_folder("page-browser");
    let page = folder.join("run/report.html");
    let written = text(&page);
    let addresses: Vec<&str> = written
        .split("http")
        .skip(1)
        .filter(|rest| rest.starts_with("://") || rest.starts_with("s://"))
        .collect();
    assert!(addresses.iter().all(|rest| rest.starts_with("://www.w3.org/2000/svg")), "{addresses:?}");
    assert_eq!(
        written.matches("<svg ").count(),
        written.matches("aria-label=\"").count() - labelled_others(&written)
    );
    let Some(browser) = browser() else { return };
    let (shown, console) = shown(browser, &folder, &page);
    assert_eq!(console, "", "the console");
    // The slider stands at the threshold of the best F1, and the numbers beside it are those of its row in the table.
    let output = |id: &str| {
        let after = shown.split(&format!("id=\"{id}\">")).nth(1).expect("an element");
        after.split('<').next().expect("a text").to_owned()
    };
    let f1: f64 = output("s-f1").parse().expect("a number");
    let best = rows(&written, "thresholds").into_values().map(|row| row["F1"].parse::<f64>().expect("F1"));
    let best = best.fold(0.0, f64::max);
    assert!((f1 - best).abs() < 1e-4, "{f1} and {best}");
    assert!(shown.contains("<circle r=\"7\""), "the ring on the curve");
}

/// Labels of the page that are not those of charts.
fn labelled_others(page: &str) -> usize {
    page.matches("<nav aria-label=\"").count() + page.matches("role=\"region\" aria-label=\"").count()
}

/// Names of examples, folds and predicates that would be code in a page, or turn the direction of writing.
#[test]
fn odd_names_are_shown_and_never_run() {
    let folder = fresh_folder("page-names");
    let long = "x".repeat(1_000_000);
    let odd = [
        "</script><script>alert(1)</script>",
        "a\"b' onload='alert(1)",
        "\u{202e}desrever",
        "<img src=x onerror=alert(1)>",
        &long,
    ];
    let mut table = "who,label,fold\n".to_owned();
    let mut facts = "who,likes\n".to_owned();
    for number in 0..60_usize {
        let name =
            if number % 6 == 0 { format!("{}{number}", odd[number / 6 % 4]) } else { format!("p{number}") };
        let name = if number == 36 { long.clone() } else { name };
        let quoted = |text: &str| format!("\"{}\"", text.replace('"', "\"\""));
        let (name, fold) = (quoted(&name), quoted(odd[number % 2]));
        table.push_str(&format!("{name},{},{fold}\n", usize::from(number % 3 == 0)));
        facts.push_str(&format!("{name},{}\n", ["tea", "</script>"][usize::from(number % 3 == 0)]));
    }
    write(&folder, "data/target.csv", &table);
    write(&folder, "data/likes.csv", &facts);
    write(&folder, "data/modes.pl", ":- modeh(target(+who)).\n:- modeb(likes(+who, #thing)).\n");
    let cv = ["cv", "data", "--format", "csv", "--learner", "gleaner", "--seeds", "3", "--clauses", "20"];
    let (code, _, stderr) = gleaner(&folder, &[&cv[..], &["--run", "run", "--quiet"]].concat());
    assert_eq!(code, Some(0), "{stderr}");
    let page = text(&folder.join("run/report.html"));
    assert!(page.len() < 1_000_000, "{} bytes", page.len());
    assert_eq!(page.matches("<script>").count(), 1, "only the page's own script");
    assert!(!page.contains("<img") && !page.contains('\u{202e}'), "a name is code, or turns the text");
    assert!(page.contains("&lt;script&gt;alert(1)") && page.contains("\\u{202e}"), "the names are not shown");
    let Some(browser) = browser() else { return };
    let (_, console) = shown(browser, &folder, &folder.join("run/report.html"));
    assert_eq!(console, "", "the console");
}

/// The page that is made again of a folder of variants is that which `cv` wrote, in the order of the command.
#[test]
fn variants_keep_the_order_of_the_command() {
    let folder = fresh_folder("page-order");
    let data = fixture("university");
    let data = data.to_str().expect("a path");
    let cv = ["cv", data, "--learner", "gleaner", "--seeds", "3", "--clauses", "60", "--quiet"];
    let vary = ["--vary", "bins=10,5,20", "--vary", "score=f-beta:2,f1", "--run", "varied"];
    printed(&folder, &[&cv[..], &vary].concat());
    let written = text(&folder.join("varied/report.html"));
    assert_eq!(printed(&folder, &["report", "varied", "-o", "-"]), written);
    let one = ["--vary", "search=scs,rrr", "--run", "one"];
    printed(&folder, &[&cv[..], &one].concat());
    assert_eq!(printed(&folder, &["report", "one", "-o", "-"]), text(&folder.join("one/report.html")));
}

/// Four hundred names, each of five thousand signs that the page writes as codes: it stays below a megabyte, and has all rows.
#[test]
fn many_long_names_make_no_large_page() {
    let folder = fresh_folder("page-long-names");
    let name = |at: usize| format!("\"{}{at}\"", "'<&>\"\"".repeat(1000));
    let (mut table, mut likes) = ("who,label,fold\n".to_owned(), "who,likes\n".to_owned());
    let mut friends = "who,friend\n".to_owned();
    for at in 0..400_usize {
        table.push_str(&format!("{},{},f{}\n", name(at), usize::from(at % 3 == 0), at % 4));
        for drink in 0..3 {
            likes.push_str(&format!("{},{}drink{}\n", name(at), "<".repeat(3000), (at + drink) % 9));
        }
        friends.push_str(&format!("{},{}\n", name(at), name((at * 7 + 3) % 400)));
    }
    write(&folder, "data/target.csv", &table);
    write(&folder, "data/likes.csv", &likes);
    write(&folder, "data/friend.csv", &friends);
    let modes = ":- modeh(target(+who)).\n:- modeb(likes(+who, #thing)).\n:- modeb(friend(+who, -who)).\n";
    write(&folder, "data/modes.pl", modes);
    let cv = ["cv", "data", "--format", "csv", "--learner", "gleaner", "--seeds", "10", "--clauses", "200"];
    printed(&folder, &[&cv[..], &["--run", "run", "--quiet"]].concat());
    let page = text(&folder.join("run/report.html"));
    assert!(page.len() < 1_000_000, "{} bytes", page.len());
    let n_explained = page.matches("<tr class=\"why\">").count();
    assert!(n_explained >= 60, "{n_explained} examples are explained");
}

#[test]
fn pages_of_single_runs_numbers_and_comparisons() {
    let folder = run_folder("page-kinds");
    let data = fixture("university");
    let data = data.to_str().expect("a path");
    let learn = ["learn", data, "--learner", "best-clause", "--seeds", "3", "--clauses", "50", "--fold", "1"];
    printed(&folder, &[&learn[..], &["--run", "one", "--quiet"]].concat());
    let one = text(&folder.join("one/report.html"));
    assert!(one.contains("one division into train, tune and test") && one.contains("--fold 1"), "{one}");
    let vary = ["cv", data, "--learner", "gleaner", "--clauses", "50", "--vary", "seeds=2,3", "--run", "two"];
    printed(&folder, &[&vary[..], &["--quiet"]].concat());
    let both = text(&folder.join("two/report.html"));
    assert!(both.contains("2 runs side by side") && both.contains("seeds=3"), "{both}");
    printed(&folder, &["report", "two/seeds=2", "two/seeds=3", "-o", "both.html"]);
    assert!(text(&folder.join("both.html")).contains("2 runs side by side"));
    let (mut prices, mut sizes) = ("house,label\n".to_owned(), "house,metres\n".to_owned());
    for number in 0..60_u32 {
        let metres = 40 + number * 37 % 101;
        prices.push_str(&format!("h{number},{}\n", 1000 * metres + number * number % 977));
        sizes.push_str(&format!("h{number},{metres}\n"));
    }
    write(&folder, "houses/price.csv", &prices);
    write(&folder, "houses/size.csv", &sizes);
    let cv =
        ["cv", "houses", "--number-argument", "label", "--learner", "tree", "--run", "numbers", "--quiet"];
    printed(&folder, &cv);
    let numbers = text(&folder.join("numbers/report.html"));
    assert!(numbers.contains("Predicted by observed") && numbers.contains("The largest errors"), "{numbers}");
}

#[test]
fn figures_are_svg_with_their_numbers() {
    let folder = run_folder("page-figures");
    for name in ["pr", "roc", "theories", "density", "learning", "diversity", "origins", "reliability"] {
        let svg = format!("{name}.svg");
        printed(&folder, &["plot", "run", "--figure", name, "-o", &svg, "--quiet"]);
        let drawn = text(&folder.join(&svg));
        assert!(drawn.starts_with("<svg ") && drawn.contains("<text "), "{name}: letters are texts");
        let numbers = text(&folder.join(format!("{name}.csv")));
        // The library draws the same.
        let figure = gleaner::run_figure(folder.join("run"), name).expect("a figure");
        assert_eq!((figure.svg, &figure.csv), (drawn, &numbers), "{name}");
        assert!(numbers.lines().count() > 2, "{name}: {numbers}");
    }
    // The mean curve is that of the run's own table.
    let numbers = text(&folder.join("pr.csv"));
    let mean: Vec<&str> = numbers.lines().filter_map(|line| line.strip_prefix("mean,")).collect();
    let table = text(&folder.join("run/mean_curve.csv"));
    let known: Vec<String> =
        table.lines().skip(1).map(|line| line.split(',').take(2).collect::<Vec<_>>().join(",")).collect();
    assert_eq!(mean, known);
    let shown = printed(&folder, &["plot", "run", "--figure", "pr", "-o", "-", "--quiet"]);
    assert_eq!(shown, text(&folder.join("pr.svg")));
    assert!(!folder.join("-.csv").exists(), "numbers of a figure on standard output");
    let (code, _, stderr) = gleaner(&folder, &["plot", "run", "--figure", "pr", "-o", "pr.csv"]);
    assert!(code == Some(2) && stderr.contains("-o names the SVG file"), "{stderr}");
}

/// The page of a graph has the ranks of `rank` by the model beside it, and names are shown, never run.
#[test]
fn the_page_of_links() {
    let folder = fresh_folder("page-links");
    let odd = "<script>alert(1)</script>";
    let (mut train, mut test) = (String::new(), String::new());
    for number in 0..30 {
        let below = format!("{odd}{}", number / 3);
        train.push_str(&format!("t{number}\ton\t{below}\n"));
        let to = if number % 5 == 0 { &mut test } else { &mut train };
        to.push_str(&format!("{below}\tunder\tt{number}\n"));
    }
    write(&folder, "graph/train.txt", &train);
    write(&folder, "graph/test.txt", &test);
    for (threads, run) in [("1", "run"), ("2", "again")] {
        printed(&folder, &["cv", "graph", "--target", "all", "--threads", threads, "--run", run, "--quiet"]);
    }
    let model = ["rank", "run/model.json", "graph", "-o"];
    printed(&folder, &[&model[..], &["ranks.csv", "--quiet"]].concat());
    printed(&folder, &[&model[..], &["relations.csv", "--rows", "relation", "--quiet"]].concat());
    for name in ["ranks.csv", "relations.csv"] {
        assert_eq!(text(&folder.join(name)), text(&folder.join("run").join(name)));
    }
    for name in ["report.html", "run.json", "model.json", "rules.csv"] {
        assert_eq!(text(&folder.join("run").join(name)), text(&folder.join("again").join(name)));
    }
    let page = text(&folder.join("run/report.html"));
    assert!(!page.contains(odd) && page.contains("gleaner cv DATA --target all --seed"), "{page}");
    let relation = rows(&page, "relations").remove("under").expect("the relation");
    let record = json(&folder.join("run/run.json"));
    let ranks = &record["runs"][0]["links"]["ranks"]["relations"][0];
    assert_eq!(ranks["relation"], "under");
    assert_eq!(relation["questions"], "12");
    let mrr: f64 = relation["MRR"].parse().expect("a number");
    assert!((mrr - ranks["mrr"].as_f64().expect("a number")).abs() < 1e-4, "{mrr} {ranks}");
    assert_eq!(text(&folder.join("run/rules.csv")).lines().count() - 1, rows(&page, "rules").len());
    if let Some(browser) = browser() {
        let (shown, console) = shown(browser, &folder, &folder.join("run/report.html"));
        assert_eq!(console, "", "the console");
        assert!(!shown.contains(odd));
    }
    printed(&folder, &["report", "run", "-o", "other.html", "--quiet"]);
    assert_eq!(text(&folder.join("other.html")), page);
    printed(
        &folder,
        &["cv", "graph/train.txt", "--target", "all", "--folds", "3", "--run", "folds", "--quiet"],
    );
    let page = text(&folder.join("folds/report.html"));
    assert!(page.contains("fold 3") && page.contains("first fold") && page.contains("--folds 3"), "{page}");
    assert!(folder.join("folds/fold3/ranks.csv").exists());
}
