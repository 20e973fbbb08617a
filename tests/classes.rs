//! Many classes from end to end: layouts, faults, cross-validation and its figures, which are computed anew from its tables.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::Value as Json;

use gleaner::experiment::load;
use gleaner_data::{ClassRequest, LoadRequest, Problem};
use gleaner_lang::program::{SaidBy, TargetName};
use gleaner_lang::syntax::{Diagnostic, Sources};
use gleaner_stats::eval::{Ranking, metrics};

use crate::support::{files, fresh_folder, gleaner, texts};

fn request(path: &Path, target: &[&str], argument: Option<usize>) -> LoadRequest {
    let targets: Vec<TargetName> = target.iter().map(|name| name.parse().expect("a target")).collect();
    LoadRequest {
        path: path.to_owned(),
        target: targets.first().cloned(),
        classes: ClassRequest {
            argument,
            targets: if targets.len() > 1 { targets } else { Vec::new() },
            names: None,
        },
        ..LoadRequest::default()
    }
}

fn loaded(request: &LoadRequest) -> Result<(Problem, Vec<Diagnostic>), Vec<Diagnostic>> {
    load(request, &mut Sources::new()).map(|loaded| (loaded.problem, loaded.warnings))
}

fn written(name: &str, texts: &[(&str, &str)]) -> PathBuf {
    let folder = fresh_folder(name);
    for (path, text) in texts {
        let path = folder.join(path);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("the folder can be made");
        std::fs::write(path, text).expect("the file can be written");
    }
    folder
}

/// Each example with the name of its class, by its first argument.
fn classes_of(problem: &Problem) -> BTreeMap<String, String> {
    let list = problem.classes().expect("many classes");
    let examples = problem.examples();
    let of = |id| (problem.argument_cells(id)[0].clone(), list.name(examples.class(id)).to_owned());
    examples.ids().map(of).collect()
}

/// The same things in four layouts: what is on a shelf, and its colour.
#[test]
fn every_layout_says_classes() {
    let expected: BTreeMap<String, String> =
        [("a", "red"), ("b", "green"), ("c", "blue"), ("d", "red"), ("e", "blue"), ("f", "green")]
            .map(|(thing, colour)| (thing.to_owned(), colour.to_owned()))
            .into();
    let modes = ":- modeh(1, colour(+thing, #colour)).\n:- modeb(*, on(+thing, -shelf)).\n:- modeb(*, top(+shelf)).\n";
    let on = "on(a, s). on(b, s). on(c, t). on(d, t). on(e, s). on(f, t). top(s).\n";
    let colours = "colour(a, red). colour(b, green). colour(c, blue). colour(d, red). colour(e, blue). colour(f, green).\n";
    let own = written(
        "classes_own",
        &[("background.pl", on), ("modes.pl", modes), ("pos.pl", colours), ("neg.pl", "")],
    );
    // Facts of the target leave the background.
    let of_facts = written(
        "classes_facts",
        &[
            ("background.pl", &format!("{on}{colours}")),
            (
                "modes.pl",
                ":- modeh(1, other(+thing)).\n:- modeb(*, on(+thing, -shelf)).\n:- modeb(*, colour(+thing, #colour)).\n",
            ),
            ("pos.pl", "other(a).\n"),
            ("neg.pl", "other(b).\n"),
        ],
    );
    let aleph = written(
        "classes_aleph",
        &[
            (
                "shelf.b",
                &format!(
                    ":- modeh(1, colour(+thing, #colour)).\n:- modeb(*, on(+thing, -shelf)).\n:- determination(colour/2, on/2).\n{on}"
                ),
            ),
            ("shelf.f", colours),
        ],
    );
    let alchemy = written(
        "classes_alchemy",
        &[("shelf.db", &format!("{}{}", on, colours).replace(". ", "\n").replace(".\n", "\n"))],
    );
    let tables = written(
        "classes_tables",
        &[
            ("colour.csv", "thing,colour\na,red\nb,green\nc,blue\nd,red\ne,blue\nf,green\n"),
            ("on.csv", "thing,shelf\na,s\nb,s\nc,t\nd,t\ne,s\nf,t\n"),
        ],
    );
    for (path, target) in [
        (&own, &[][..]),
        (&of_facts, &["colour/2"]),
        (&aleph, &["colour/2"]),
        (&alchemy, &["colour"]),
        (&tables, &["colour/2"]),
    ] {
        let (problem, _) = loaded(&request(path, target, Some(1)))
            .unwrap_or_else(|faults| panic!("{}: {faults:?}", path.display()));
        let list = problem.classes().expect("many classes");
        assert_eq!(list.names, ["blue", "green", "red"], "{}", path.display());
        assert_eq!(classes_of(&problem), expected, "{}", path.display());
        let profile: Vec<&str> = problem.profile().iter().map(|of| of.predicate.as_str()).collect();
        assert!(!profile.contains(&"colour/2"), "{}: {profile:?}", path.display());
        // The problem of each class: its examples are positive, under the same ids.
        for class in list.ids() {
            let own = problem.of_class(class);
            assert_eq!(own.examples().len(), problem.examples().len());
            for id in own.examples().ids() {
                assert_eq!(own.examples().is_positive(id), problem.examples().class(id) == class);
                assert_eq!(
                    own.argument_cells(id),
                    [problem.argument_cells(id)[0].clone(), list.name(class).to_owned()]
                );
            }
        }
    }
}

#[test]
fn several_targets_are_classes() {
    let folder = written(
        "classes_targets",
        &[
            ("background.pl", "on(a, s). on(b, s). on(c, t). on(d, t).\n"),
            (
                "modes.pl",
                ":- modeh(1, red(+thing)).\n:- modeh(1, blue(+thing)).\n:- modeb(*, on(+thing, -shelf)).\n",
            ),
            ("pos.pl", "red(a). red(c). blue(b). blue(d).\n"),
            ("neg.pl", ""),
        ],
    );
    let (problem, _) = loaded(&request(&folder, &["red/1", "blue/1"], None)).expect("a problem");
    let list = problem.classes().expect("many classes");
    assert_eq!(list.names, ["red", "blue"], "in the order asked for");
    let classes: Vec<String> = classes_of(&problem).into_values().collect();
    assert_eq!(classes, ["red", "blue", "red", "blue"]);
    let of_second = problem.of_class(list.ids().nth(1).expect("two"));
    assert_eq!(of_second.target().to_string(), "blue/1");
    assert!(matches!(list.said_by, SaidBy::Predicate(_)));
    // Without it they stay several problems.
    assert!(loaded(&request(&folder, &[], None)).is_err());
}

#[test]
fn what_is_wrong_is_told() {
    let files = |pos: &str, neg: &str| {
        [
            ("background.pl", "on(a, s). on(b, s). on(c, t).\n".to_owned()),
            (
                "modes.pl",
                ":- modeh(1, colour(+thing, #colour)).\n:- modeb(*, on(+thing, -shelf)).\n".to_owned(),
            ),
            ("pos.pl", pos.to_owned()),
            ("neg.pl", neg.to_owned()),
        ]
    };
    let codes = |name: &str, pos: &str, neg: &str, request: &dyn Fn(&Path) -> LoadRequest| -> Vec<String> {
        let texts = files(pos, neg);
        let texts: Vec<(&str, &str)> = texts.iter().map(|(name, text)| (*name, text.as_str())).collect();
        let folder = written(name, &texts);
        let told = match loaded(&request(&folder)) {
            Ok((_, warnings)) => warnings,
            Err(faults) => faults,
        };
        told.iter().map(|told| told.code().to_string()).collect()
    };
    let by_argument = |path: &Path| request(path, &[], Some(1));
    let good = "colour(a, red). colour(b, blue). colour(c, red).\n";
    assert_eq!(codes("classes_good", good, "", &by_argument), [""; 0]);
    let twice = "colour(a, red). colour(b, blue). colour(a, blue).\n";
    assert_eq!(codes("classes_twice", twice, "", &by_argument), ["G021"]);
    assert_eq!(codes("classes_one", "colour(a, red). colour(b, red).\n", "", &by_argument), ["G102"]);
    assert_eq!(codes("classes_argument", good, "", &|path| request(path, &[], Some(2))), ["G102"]);
    assert_eq!(codes("classes_negatives", good, "colour(a, blue).\n", &by_argument), ["G103"]);
    let with_negatives = |path: &Path| LoadRequest { negatives: "all".parse().ok(), ..by_argument(path) };
    assert_eq!(codes("classes_drawn", good, "", &with_negatives), ["G102"]);
    let both = |path: &Path| LoadRequest {
        classes: ClassRequest {
            argument: Some(1),
            targets: vec!["colour/2".parse().expect("a target"), "on/2".parse().expect("a target")],
            names: None,
        },
        ..by_argument(path)
    };
    assert_eq!(codes("classes_both", good, "", &both)[0], "G102");
}

/// Sixty things of three classes, which rules over their shelves tell apart but for a few.
pub(crate) fn shelves(name: &str) -> PathBuf {
    let (mut background, mut positives) = (String::new(), String::new());
    for thing in 0..60 {
        let class = ["red", "green", "blue"][(thing * 7 + thing / 9) % 3];
        // Every eleventh lies on the shelf of another class.
        let shelf = if thing % 11 == 0 { "wood" } else { class };
        background
            .push_str(&format!("on(t{thing}, {shelf}_shelf). next(t{thing}, t{}).\n", (thing + 1) % 60));
        positives.push_str(&format!("colour(t{thing}, {class}).\n"));
    }
    let modes = ":- modeh(1, colour(+thing, #colour)).\n:- modeb(*, on(+thing, #shelf)).\n\
                 :- modeb(*, next(+thing, -thing)).\n:- set(min_pos, 2).\n";
    written(
        name,
        &[("background.pl", &background), ("modes.pl", modes), ("pos.pl", &positives), ("neg.pl", "")],
    )
}

pub(crate) fn ends(folder: &Path, arguments: &[&str]) -> String {
    let (code, stdout, stderr) = gleaner(folder, arguments);
    assert_eq!(code, Some(0), "{arguments:?}:\n{stderr}");
    stdout
}

fn table(text: &str) -> Vec<BTreeMap<String, String>> {
    let mut lines = text.lines().map(|line| line.split(',').map(str::to_owned).collect::<Vec<String>>());
    let header = lines.next().expect("a header");
    lines.map(|cells| header.iter().cloned().zip(cells).collect()).collect()
}

fn number(row: &BTreeMap<String, String>, column: &str) -> f64 {
    row[column].parse().unwrap_or_else(|_| panic!("{column} of {row:?}"))
}

/// The areas under the ROC and the PR curve of the printed probabilities of a class against the rest.
fn areas(rows: &[&BTreeMap<String, String>], name: &str) -> [f64; 2] {
    let of = |row: &BTreeMap<String, String>| number(row, &format!("p_{name}"));
    let (own, others): (Vec<_>, Vec<_>) = rows.iter().copied().partition(|row| row["class"] == name);
    let in_order = |own: f64, other: f64| {
        f64::from(u8::from(own > other)) + 0.5 * f64::from(u8::from(own.to_bits() == other.to_bits()))
    };
    let pairs = own.iter().flat_map(|own| others.iter().map(|other| in_order(of(own), of(other))));
    let roc = pairs.sum::<f64>() / (own.len() * others.len()) as f64;
    let ranked = rows.iter().map(|row| (of(row), row["class"] == name));
    let curve = metrics(&Ranking::new(ranked).expect("probabilities"));
    [roc, curve.auc_pr.expect("there are both")]
}

/// All figures of `class_metrics.csv` and `confusion.csv`, computed anew from the probabilities of each example.
#[test]
fn figures_are_those_of_the_probabilities() {
    let folder = fresh_folder("classes_figures");
    let data = shelves("classes_figures_data").to_string_lossy().into_owned();
    for learner in ["gleaner", "mlynx"] {
        let asked = [
            "cv",
            &data,
            "--class-argument",
            "2",
            "--learner",
            learner,
            "--folds",
            "3",
            "--seeds",
            "6",
            "--clauses",
            "200",
            "--run",
            learner,
            "--quiet",
        ];
        let text = ends(&folder, &asked);
        let run = folder.join(learner);
        let read = |name: &str| std::fs::read_to_string(run.join(name)).expect("a table");
        let examples = table(&read("class_probabilities.csv"));
        assert_eq!(examples.len(), 60);
        let names = ["blue", "green", "red"];
        let mut confusion: BTreeMap<(String, String), u64> = BTreeMap::new();
        for row in &examples {
            let of: Vec<f64> = names.iter().map(|name| number(row, &format!("p_{name}"))).collect();
            assert!((of.iter().sum::<f64>() - 1.0).abs() < 1e-12);
            let best = of.iter().copied().fold(0.0, f64::max);
            assert!((number(row, &format!("p_{}", row["predicted"])) - best).abs() < 1e-15);
            *confusion.entry((row["class"].clone(), row["predicted"].clone())).or_default() += 1;
        }
        for row in table(&read("confusion.csv")) {
            for name in names {
                let expected = confusion.get(&(row["class"].clone(), name.to_owned())).copied().unwrap_or(0);
                assert_eq!(row[name].parse::<u64>(), Ok(expected));
            }
        }
        for fold in table(&read("class_metrics.csv")) {
            let of_fold: Vec<_> = examples.iter().filter(|row| row["fold"] == fold["fold"]).collect();
            let n = of_fold.len() as f64;
            let right = of_fold.iter().filter(|row| row["class"] == row["predicted"]).count() as f64;
            assert!((number(&fold, "accuracy") - right / n).abs() < 1e-12);
            assert!((number(&fold, "micro_f1") - right / n).abs() < 1e-12);
            let loss: f64 = of_fold.iter().map(|row| -number(row, &format!("p_{}", row["class"])).ln()).sum();
            assert!((number(&fold, "log_loss") - loss / n).abs() < 1e-9);
            let f1 = |name: &str| {
                let count = |of: &dyn Fn(&BTreeMap<String, String>) -> bool| {
                    of_fold.iter().filter(|row| of(row)).count() as f64
                };
                let both = count(&|row| row["class"] == name && row["predicted"] == name);
                2.0 * both / (count(&|row| row["class"] == name) + count(&|row| row["predicted"] == name))
            };
            let macro_f1 = names.iter().map(|name| f1(name)).sum::<f64>() / 3.0;
            assert!((number(&fold, "macro_f1") - macro_f1).abs() < 1e-12);
            // The areas are of the printed probabilities. Of the ROC curve: pairs that are in the right order.
            let areas = names.map(|name| areas(&of_fold, name));
            for (metric, at) in [("macro_auc_roc", 0), ("macro_auc_pr", 1)] {
                let expected = areas.iter().map(|of| of[at]).sum::<f64>() / 3.0;
                assert!((number(&fold, metric) - expected).abs() < 1e-12, "{learner} {metric}");
            }
        }
        let accuracy: f64 =
            examples.iter().filter(|row| row["class"] == row["predicted"]).count() as f64 / 60.0;
        assert!(accuracy > 0.8, "{learner}: {accuracy}\n{text}");
    }
}

/// The bytes of a run do not depend on threads, and a finished run is not done again.
#[test]
fn runs_repeat() {
    let folder = fresh_folder("classes_repeat");
    let data = shelves("classes_repeat_data").to_string_lossy().into_owned();
    let asked = |run: &str, further: &[&str]| {
        let asked = [
            "cv",
            &data,
            "--class-argument",
            "2",
            "--learner",
            "mlynx",
            "--learner",
            "prankboost-clause",
            "--rounds",
            "4",
            "--restarts",
            "8",
            "--folds",
            "3",
            "--run",
            run,
            "--quiet",
        ];
        ends(&folder, &[&asked[..], further].concat())
    };
    asked("one", &["--threads", "1"]);
    asked("two", &["--threads", "2"]);
    let of = |run: &str| {
        let mut all = texts(&folder.join(run));
        all.retain(|name, _| !name.ends_with("timing.json"));
        all
    };
    assert!(of("one").len() > 30, "{:?}", of("one").keys());
    assert_eq!(of("one"), of("two"));
    let before = files(&folder.join("one"));
    asked("one", &["--resume"]);
    assert_eq!(files(&folder.join("one")), before, "nothing was left to do");
}

/// A model learnt for a fold says of its test examples what cross-validation says, and what is measured is what it predicts.
#[test]
fn models_of_all_classes_are_one_file() {
    let folder = fresh_folder("classes_models");
    let data = shelves("classes_models_data").to_string_lossy().into_owned();
    for learner in ["mlynx", "prankboost-clause"] {
        let asked = [
            &data,
            "--class-argument",
            "2",
            "--learner",
            learner,
            "--restarts",
            "8",
            "--rounds",
            "4",
            "--folds",
            "3",
            "--quiet",
        ];
        let model = format!("{learner}.json");
        ends(&folder, &[&["learn"][..], &asked, &["--fold", "2", "-o", &model]].concat());
        ends(&folder, &[&["cv"][..], &asked, &["--run", learner]].concat());
        let of_cv =
            std::fs::read_to_string(folder.join(learner).join("class_probabilities.csv")).expect("a table");
        let of_cv: Vec<_> = table(&of_cv).into_iter().filter(|row| row["fold"] == "fold2").collect();
        let predicted = table(&ends(&folder, &["predict", &model, &data, "--fold", "2", "--quiet"]));
        assert_eq!(predicted.len(), 20);
        for (one, other) in predicted.iter().zip(&of_cv) {
            assert_eq!(one["argument1"], other["argument1"]);
            for column in ["class", "predicted", "p_red", "p_green", "p_blue"] {
                assert_eq!(one[column], other[column], "{learner}: {one:?}");
            }
        }
        let right = predicted.iter().filter(|row| row["class"] == row["predicted"]).count() as f64 / 20.0;
        let measured = ends(&folder, &["evaluate", &model, &data, "--fold", "2", "--json", "--quiet"]);
        let measured: Json = serde_json::from_str(measured.lines().last().expect("an event")).expect("JSON");
        assert_eq!(measured["metrics"]["accuracy"].as_f64(), Some(right));
        assert_eq!(measured["confusion"].as_array().map(Vec::len), Some(3));

        let shown = ends(&folder, &["show", &model, "--quiet"]);
        assert!(
            ["== class blue", "== class green", "== class red"].iter().all(|title| shown.contains(title))
        );
        assert!(shown.contains("colour(A,red)"), "heads name the class:\n{shown}");
        let why = ends(&folder, &["explain", &model, &data, "colour(t5,red)", "--quiet"]);
        assert!(why.contains("colour(t5,red)"), "{why}");
        for (asked, code) in [
            (&["explain", &model, &data, "colour(t5,purple)"][..], "G102"),
            (&["show", &model, "--to", "pl"][..], "G102"),
            (&["predict", &model, &data, "--class-argument", "1"][..], "G062"),
            (&["predict", &model, &data, "--target", "on/2"][..], "G062"),
        ] {
            let (exit, _, told) = gleaner(&folder, &[asked, &["--quiet"]].concat());
            assert!(exit != Some(0) && told.contains(code), "{asked:?}: {told}");
        }
    }
    // A boosted model of one class is a program as any other.
    let program =
        ends(&folder, &["show", "prankboost-clause.json", "--to", "pl", "--class", "red", "--quiet"]);
    assert!(program.contains("[A, red]"), "{program}");
}

/// Accounts with their class and the shelf that tells it, but for every eleventh.
fn accounts() -> Vec<(String, &'static str, String)> {
    (0..60)
        .map(|thing| {
            let class = ["club", "person", "shop"][(thing * 7 + thing / 9) % 3];
            let shelf = if thing % 11 == 0 { "club" } else { class };
            (format!("a{thing}"), class, format!("{shelf}_shelf"))
        })
        .collect()
}

const MODES_OF_ACCOUNTS: &str =
    ":- modeh(1, accounts(+account, #kind)).\n:- modeb(*, on(+account, #shelf)).\n";
const BY_ARGUMENT: [&str; 4] = ["--target", "accounts/2", "--class-argument", "2"];

/// The tables of some accounts, whose class is a column.
fn account_tables(accounts: &[(String, &str, String)]) -> [(&'static str, String); 3] {
    let classes = accounts.iter().map(|(thing, class, _)| format!("{thing},{class}\n"));
    let shelves = accounts.iter().map(|(thing, _, shelf)| format!("{thing},{shelf}\n"));
    [
        ("column/accounts.csv", format!("account,kind\n{}", classes.collect::<String>())),
        ("column/on.csv", format!("account,shelf\n{}", shelves.collect::<String>())),
        ("column/modes.pl", MODES_OF_ACCOUNTS.to_owned()),
    ]
}

/// Tables say the class by a column, or have one table for each class; the same data as Prolog facts are their twin.
#[test]
fn a_table_whose_column_is_the_class_is_scored_and_measured() {
    let accounts = accounts();
    let classes = ["club", "person", "shop"];
    let lines =
        |line: &dyn Fn(&(String, &str, String)) -> String| accounts.iter().map(line).collect::<String>();
    let facts = lines(&|(thing, _, shelf)| format!("on({thing}, {shelf}).\n"));
    let examples = lines(&|(thing, class, _)| format!("accounts({thing}, {class}).\n"));
    let heads: String = classes.iter().map(|class| format!(":- modeh(1, {class}(+account)).\n")).collect();
    let tables = account_tables(&accounts);
    let mut texts: Vec<(String, String)> =
        tables.iter().map(|(name, text)| ((*name).to_owned(), text.clone())).collect();
    texts.extend(classes.map(|class| {
        let own = accounts.iter().filter(|(_, of, _)| *of == class).map(|(thing, ..)| format!("{thing}\n"));
        (format!("tables/{class}.csv"), format!("account\n{}", own.collect::<String>()))
    }));
    texts.extend([
        ("tables/on.csv".to_owned(), tables[1].1.clone()),
        ("tables/modes.pl".to_owned(), format!("{heads}:- modeb(*, on(+account, #shelf)).\n")),
        ("facts/background.pl".to_owned(), facts),
        ("facts/modes.pl".to_owned(), MODES_OF_ACCOUNTS.to_owned()),
        ("facts/pos.pl".to_owned(), examples),
        ("facts/neg.pl".to_owned(), String::new()),
    ]);
    let texts: Vec<(&str, &str)> = texts.iter().map(|(name, text)| (&**name, &**text)).collect();
    let folder = written("classes_column", &texts);
    let by_predicate = ["--target", "club/1,person/1,shop/1"];
    let mut of_layouts: Vec<BTreeMap<String, Vec<String>>> = Vec::new();
    for (data, said) in [("facts", &BY_ARGUMENT[..]), ("column", &BY_ARGUMENT), ("tables", &by_predicate)] {
        let model = format!("{data}.json");
        let learn = ["learn", data, "--learner", "mlynx", "--folds", "3", "--quiet", "-o", &model];
        ends(&folder, &[&learn[..], said].concat());
        let rows = table(&ends(&folder, &["predict", &model, data, "--quiet"]));
        assert_eq!(rows.len(), 60, "{data}");
        let cells = |row: &BTreeMap<String, String>| {
            let name = row.values().find(|cell| accounts.iter().any(|(thing, ..)| thing == *cell));
            let columns = ["class", "predicted", "p_club", "p_person", "p_shop"];
            (name.expect("an account").clone(), columns.map(|column| row[column].clone()).to_vec())
        };
        let of_accounts: BTreeMap<_, _> = rows.iter().map(cells).collect();
        assert!(accounts.iter().all(|(thing, class, _)| of_accounts[thing][0] == *class), "{data}");
        let right = rows.iter().filter(|row| row["class"] == row["predicted"]).count() as f64 / 60.0;
        let measured = ends(&folder, &["evaluate", &model, data, "--json", "--quiet"]);
        let measured: Json = serde_json::from_str(measured.lines().last().expect("an event")).expect("JSON");
        assert_eq!(measured["metrics"]["accuracy"].as_f64(), Some(right), "{data}");
        of_layouts.push(of_accounts);
        ends(&folder, &[&learn[..], &["--fold", "2"], said].concat());
        let tested = table(&ends(&folder, &["predict", &model, data, "--fold", "2", "--quiet"]));
        assert!(tested.len() == 20 && tested.iter().all(|row| !row["class"].is_empty()), "{data}");
        ends(&folder, &["evaluate", &model, data, "--fold", "2", "--quiet"]);
    }
    assert_eq!(of_layouts[0], of_layouts[1], "a column");
    assert_eq!(of_layouts[0], of_layouts[2], "a table for each class");
}

/// Nothing is learnt from a row whose class is empty: all is as without the row. It is scored, and not measured.
#[test]
fn a_row_with_an_empty_class_has_none() {
    let mut accounts = accounts();
    let at = accounts.iter().position(|(thing, ..)| thing == "a7").expect("it is there");
    accounts[at].1 = "";
    let with = account_tables(&accounts);
    let column = with[0].1.replace("a7,\n", "");
    let fewer = [("accounts.csv", &column), ("on.csv", &with[1].1), ("modes.pl", &with[2].1)];
    let fewer = fewer.map(|(name, text)| (format!("fewer/{name}"), text));
    let texts = with.iter().map(|(name, text)| (*name, &**text));
    let texts: Vec<(&str, &str)> =
        texts.chain(fewer.iter().map(|(name, text)| (&**name, &***text))).collect();
    let folder = written("classes_empty", &texts);
    let learnt = ["fewer", "column"].map(|data| {
        let learn = ["learn", data, "--learner", "mlynx", "-o", "model.json"];
        let (code, printed, told) = gleaner(&folder, &[&learn[..], &BY_ARGUMENT].concat());
        assert_eq!(code, Some(0), "{told}");
        assert_eq!(told.matches("G103").count(), usize::from(data == "column"), "{told}");
        assert!(!told.contains("G056"), "{told}");
        (printed, std::fs::read_to_string(folder.join("model.json")).expect("a model"))
    });
    assert_eq!(learnt[0], learnt[1]);
    let rows = table(&ends(&folder, &["predict", "model.json", "column", "--quiet"]));
    assert_eq!(rows.len(), 60);
    assert!(rows.iter().all(|row| row["class"].is_empty() == (row["account"] == "a7")));
    let measured = ends(&folder, &["evaluate", "model.json", "column", "--quiet"]);
    assert!(measured.starts_with("59 examples of 3 classes"), "{measured}");
}

/// What has no class is scored all the same: atoms of a file, with anything in the place of the class.
#[test]
fn unknown_classes_are_predicted() {
    let folder = fresh_folder("classes_unknown");
    let data = shelves("classes_unknown_data").to_string_lossy().into_owned();
    ends(
        &folder,
        &["learn", &data, "--class-argument", "2", "--learner", "mlynx", "-o", "model.json", "--quiet"],
    );
    std::fs::write(folder.join("asked.pl"), "colour(t1, red).\ncolour(t2, red).\ncolour(t3, red).\n")
        .expect("written");
    let all = table(&ends(&folder, &["predict", "model.json", &data, "--quiet"]));
    let asked =
        table(&ends(&folder, &["predict", "model.json", &data, "--examples-file", "asked.pl", "--quiet"]));
    assert_eq!(asked.len(), 3);
    for row in &asked {
        let same = all.iter().find(|other| other["argument1"] == row["argument1"]).expect("it is listed");
        assert_eq!(same, row);
    }
}

/// The planted clauses of a generated problem of three classes: mining finds each of them, and the search for sets keeps a query
/// for each class that covers what one of its planted clauses covers, or nearly so.
#[test]
fn planted_queries_are_mined_and_kept() {
    let folder = fresh_folder("classes_planted");
    let made =
        ends(&folder, &["generate", "accounts", "-o", "accounts", "--accounts", "400", "--noise", "0.05"]);
    assert!(made.contains("planted theory"), "{made}");
    let asked = ["accounts", "--class-argument", "2"];
    ends(&folder, &[&["mine"][..], &asked, &["-o", "queries.csv", "--quiet"]].concat());
    let text = std::fs::read_to_string(folder.join("queries.csv")).expect("a table");
    // Object identity demands that what differs in the planted clauses differs: `A \\= B` of equal types.
    for body in [
        "wrote(A,C), about(C,match)",
        "follows(C,A), likes(C,cheering)",
        "sells(A,C), costs(C,low)",
        "wrote(A,C), about(C,parcel)",
        "follows(A,C), follows(C,A)",
    ] {
        assert!(text.contains(body), "{body} is not among the mined queries:\n{text}");
    }
    let learnt = ["--learner", "mlynx", "-o", "model.json", "--quiet"];
    ends(&folder, &[&["learn"][..], &asked, &learnt].concat());
    let shown = ends(&folder, &["show", "model.json", "--quiet"]);
    for planted in [
        "follows(A,B), follows(B,A)",
        "about(B,match)",
        "likes(B,cheering)",
        "costs(B,low)",
        "about(B,parcel)",
    ] {
        assert!(shown.contains(planted), "{planted} is not in the model:\n{shown}");
    }
    let found = table(&ends(&folder, &["predict", "model.json", "accounts", "--quiet"]));
    let right = found.iter().filter(|row| row["class"] == row["predicted"]).count();
    assert!(right >= 340, "{right} of 400");
}

/// Clauses that are given serve for every class, whichever their heads name; what knows two classes alone says so.
#[test]
fn clauses_are_given_for_all_classes() {
    let folder = fresh_folder("classes_given");
    let data = shelves("classes_given_data").to_string_lossy().into_owned();
    let clauses = "colour(A, red) :- on(A, red_shelf).\ncolour(A, B) :- on(A, green_shelf).\ncolour(A, red) :- on(A, blue_shelf).\n";
    std::fs::write(folder.join("given.pl"), clauses).expect("written");
    for learner in ["srl", "mlynx"] {
        let asked = [
            "learn",
            &data,
            "--class-argument",
            "2",
            "--learner",
            learner,
            "--feature-clauses",
            "given.pl",
            "-o",
            "m.json",
        ];
        ends(&folder, &[&asked[..], &["--quiet"]].concat());
        let found = table(&ends(&folder, &["predict", "m.json", &data, "--quiet"]));
        let right = found.iter().filter(|row| row["class"] == row["predicted"]).count();
        assert!(right >= 54, "{learner}: {right} of 60");
        let shown = ends(&folder, &["show", "m.json", "--class", "blue", "--quiet"]);
        assert!(shown.contains("colour(A,blue) :- on(A,blue_shelf)"), "{shown}");
    }
    for asked in [
        &["cover", &data, "given.pl"][..],
        &["features", "given.pl", &data, "-o", "f.csv"],
        &["why", &data, "colour(A, red) :- on(A, red_shelf)."],
    ] {
        let (code, _, told) = gleaner(&folder, &[asked, &["--class-argument", "2", "--quiet"]].concat());
        assert!(code == Some(1) && told.contains("G102"), "{asked:?}: {told}");
    }
}

/// The most probable class is said, so each class needs a calibration.
#[test]
fn no_calibration_is_refused() {
    let folder = fresh_folder("classes_uncalibrated");
    let data = shelves("classes_uncalibrated_data").to_string_lossy().into_owned();
    let asked = ["--class-argument", "2", "--calibration", "none", "--quiet"];
    for command in [&["cv", &data][..], &["learn", &data, "-o", "m.json"]] {
        let (code, _, told) = gleaner(&folder, &[command, &asked].concat());
        assert!(code == Some(1) && told.contains("G059"), "{command:?}: {told}");
    }
}
