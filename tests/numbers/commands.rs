//! Commands and the library: their figures are computed anew from the tables that they write.

use serde_json::Value as Json;

use gleaner::{Dataset, EvaluationOptions, Learner, Model, ScoringOptions, TargetKind};

use super::{number, parcels, rows, run, written};
use crate::support::{files, gleaner};

const CV: [&str; 9] =
    ["cv", ".", "--number-argument", "label", "--learner", "rdn-boost", "--rounds", "30", "--quiet"];

/// MAE, RMSE and R2 of each fold and of all, those of the constants, and the shares within the intervals.
#[test]
fn figures_follow_from_the_predictions() {
    let folder = parcels("numbers-cv");
    run(&folder, &[&CV[..], &["--run", "run"]].concat());
    let tables = crate::support::texts(&folder.join("run"));
    let metrics = rows(&tables["metrics.csv"]);
    assert_eq!(metrics.len(), 6, "five folds, and all");
    let all_numbers: std::collections::BTreeMap<String, f64> = (1..=5)
        .flat_map(|fold| rows(&tables[&format!("fold{fold}/predictions.csv")]))
        .map(|row| (row["example"].clone(), number(&row["number"])))
        .collect();
    assert_eq!(all_numbers.len(), 60, "each example is tested once");
    let mut pooled: Vec<[f64; 3]> = Vec::new();
    let mut n_within = [0.0; 2];
    for (fold, told) in (1..=5).zip(&metrics) {
        let predictions = rows(&tables[&format!("fold{fold}/predictions.csv")]);
        let is_tested = |example: &String| predictions.iter().any(|row| row["example"] == *example);
        let learnt: Vec<f64> = all_numbers
            .iter()
            .filter(|(example, _)| !is_tested(example))
            .map(|(_, number)| *number)
            .collect();
        let constant = learnt.iter().sum::<f64>() / learnt.len() as f64;
        let pairs: Vec<[f64; 3]> = predictions
            .iter()
            .map(|row| [number(&row["number"]), number(&row["predicted"]), constant])
            .collect();
        let mae = |of: &[[f64; 3]], at: usize| {
            of.iter().map(|pair| (pair[0] - pair[at]).abs()).sum::<f64>() / of.len() as f64
        };
        assert!((number(&told["mae"]) - mae(&pairs, 1)).abs() < 1e-9);
        assert!((number(&told["mae_of_mean"]) - mae(&pairs, 2)).abs() < 1e-9);
        for row in &predictions {
            for (at, level) in ["80", "90"].iter().enumerate() {
                let ends = number(&row[&format!("low_{level}")])..=number(&row[&format!("high_{level}")]);
                n_within[at] += f64::from(u8::from(ends.contains(&number(&row["number"]))));
            }
        }
        pooled.extend(pairs);
    }
    let told = &metrics[5];
    let squares = |center: &dyn Fn(&[f64; 3]) -> f64| {
        pooled.iter().map(|pair| (pair[0] - center(pair)).powi(2)).sum::<f64>()
    };
    let mean = pooled.iter().map(|pair| pair[0]).sum::<f64>() / 60.0;
    let (errors, about_mean) = (squares(&|pair| pair[1]), squares(&|_| mean));
    assert!((number(&told["rmse"]) - (errors / 60.0).sqrt()).abs() < 1e-9);
    assert!((number(&told["r2"]) - (1.0 - errors / about_mean)).abs() < 1e-9);
    assert!((number(&told["within_80"]) - n_within[0] / 60.0).abs() < 1e-9);
    assert!((number(&told["within_90"]) - n_within[1] / 60.0).abs() < 1e-9);
    // Trees find what the prices are made of.
    assert!(number(&told["mae"]) < 0.4 * number(&told["mae_of_mean"]), "{told:?}");
    assert!(number(&told["within_90"]) >= 0.75, "{told:?}");
}

#[test]
fn threads_make_no_difference() {
    let folder = parcels("numbers-threads");
    for threads in ["1", "3"] {
        run(&folder, &[&CV[..], &["--run", threads, "--threads", threads]].concat());
    }
    let mut found = ["1", "3"].map(|threads| files(&folder.join(threads)));
    found.iter_mut().for_each(|files| assert!(files.remove("timing.json").is_some()));
    assert!(found[0] == found[1], "the same bytes");
}

/// A model predicts what it predicted as a run's; data to predict need no numbers, and atoms may come from a list.
#[test]
fn a_model_is_used() {
    let folder = parcels("numbers-use");
    let learn = [
        "learn",
        ".",
        "--number-argument",
        "label",
        "--learner",
        "auto",
        "--rounds",
        "20",
        "-o",
        "m.json",
        "--quiet",
    ];
    let told = run(&folder, &learn);
    assert!(
        told.contains("tried") && told.contains("rdn-boost") && told.contains("interval of 80 %"),
        "{told}"
    );
    let predicted = rows(&run(&folder, &["predict", "m.json", ".", "--quiet"]));
    assert_eq!(predicted.len(), 60);
    std::fs::write(folder.join("asked.txt"), "price(p1)\nprice(p2)\n").expect("written");
    let listed = rows(&run(&folder, &["predict", "m.json", ".", "--examples-file", "asked.txt", "--quiet"]));
    for row in &listed {
        let same = predicted.iter().find(|known| known["example"] == row["example"]);
        assert_eq!(same.map(|known| &known["predicted"]), Some(&row["predicted"]));
    }
    let told: Json = serde_json::from_str(
        run(&folder, &["evaluate", "m.json", ".", "--json", "--quiet"]).lines().last().expect("an event"),
    )
    .expect("JSON");
    let errors: f64 =
        predicted.iter().map(|row| (number(&row["number"]) - number(&row["predicted"])).abs()).sum();
    assert!((told["mae"].as_f64().expect("a number") - errors / 60.0).abs() < 1e-9);
    let explained = run(&folder, &["explain", "m.json", ".", "price(p1)", "--quiet"]);
    assert!(
        explained.contains("an example with the number 28") && explained.contains("the prediction is"),
        "{explained}"
    );
    // The tables without the numbers.
    let bare = written("numbers-bare", &[("price.csv", "parcel\np1\np2\n")]);
    for table in ["weight.csv", "far.csv"] {
        std::fs::copy(folder.join(table), bare.join(table)).expect("copied");
    }
    let model = folder.join("m.json");
    let model = model.to_str().expect("a path");
    let unknown = rows(&run(&bare, &["predict", model, ".", "--quiet"]));
    assert_eq!(unknown.len(), 2);
    for row in &unknown {
        assert_eq!(row["number"], "");
        let same = predicted.iter().find(|known| known["example"] == row["example"]);
        assert_eq!(same.map(|known| &known["predicted"]), Some(&row["predicted"]));
    }
    let (code, _, stderr) = gleaner(&bare, &["evaluate", model, "."]);
    assert!(code == Some(1) && stderr.contains("none of the 2 examples has a number"), "{code:?} {stderr}");
}

/// A program predicts what `predict` does, up to the order of its sums, where SWI-Prolog is there to run it.
#[test]
fn a_program_predicts() {
    if crate::show::swi_prolog().is_none() {
        return;
    }
    let folder = parcels("numbers-prolog");
    for loss in ["squared", "poisson"] {
        let learn = ["learn", ".", "--number-argument", "label", "--learner", "rdn-boost", "--rounds", "5"];
        run(&folder, &[&learn[..], &["--loss", loss, "-o", "m.json", "--quiet"]].concat());
        let program = run(&folder, &["show", "m.json", "--to", "pl"]);
        std::fs::write(folder.join("m.pl"), program).expect("written");
        let mut facts = String::new();
        for (table, name) in [("weight.csv", "weight"), ("far.csv", "far")] {
            let text = std::fs::read_to_string(folder.join(table)).expect("a table");
            for row in text.lines().skip(1) {
                facts += &format!("{name}({row}).\n");
            }
        }
        std::fs::write(folder.join("facts.pl"), facts).expect("written");
        let goal = "consult(facts), consult(m), forall(between(0, 59, N), \
                    (atom_concat(p, N, P), gleaner_prediction(P, X), print(X), nl))";
        let output = std::process::Command::new("swipl")
            .current_dir(&folder)
            .args(["-q", "-g", goal, "-t", "halt"])
            .output()
            .expect("swipl runs");
        let found: Vec<f64> = String::from_utf8_lossy(&output.stdout).lines().map(number).collect();
        let predicted = rows(&run(&folder, &["predict", "m.json", ".", "--quiet"]));
        assert_eq!(found.len(), 60, "{}", String::from_utf8_lossy(&output.stderr));
        for (parcel, found) in found.iter().enumerate() {
            let row = predicted.iter().find(|row| row["parcel"] == format!("p{parcel}")).expect("predicted");
            let expected = number(&row["predicted"]);
            assert!((found - expected).abs() < 1e-9 * (1.0 + expected), "p{parcel}: {found} for {expected}");
        }
    }
}

/// Where an argument holds the number, data to predict may have it, or not.
#[test]
fn an_argument_may_be_missing_when_scored() {
    let houses: String = (0..30).map(|house| format!("price(h{house}, {}).\n", 10 + house % 2 * 5)).collect();
    let garden: String =
        (0..30).filter(|house| house % 2 == 1).map(|house| format!("garden(h{house}).\n")).collect();
    let modes = ":- modeh(1, price(+house, #euros)).\n:- modeb(1, garden(+house)).\n";
    let own = |name: &str, positives: &str| {
        written(name, &[("background.pl", &garden), ("modes.pl", modes), ("pos.pl", positives)])
    };
    let folder = own("numbers-argument", &houses);
    run(&folder, &["learn", ".", "--number-argument", "2", "--learner", "tree", "-o", "m.json", "--quiet"]);
    let with = run(&folder, &["predict", "m.json", ".", "--quiet"]);
    let short = own("numbers-short", &houses.replace(", 10)", ")").replace(", 15)", ")"));
    let model = folder.join("m.json");
    let without = run(&short, &["predict", model.to_str().expect("a path"), ".", "--quiet"]);
    assert_eq!(rows(&with).len(), 30);
    let predicted = |text: &str| rows(text).iter().map(|row| row["predicted"].clone()).collect::<Vec<_>>();
    assert_eq!(predicted(&with), predicted(&without));
    assert_eq!(rows(&with)[0]["number"], "10");
    assert_eq!(rows(&without)[0]["number"], "");
}

#[test]
fn what_does_not_go_with_numbers_is_refused() {
    let folder = parcels("numbers-refused");
    let refused = |arguments: &[&str], code: &str, words: &str| {
        let all = [&arguments[..1], &[".", "--number-argument", "label"], &arguments[1..]].concat();
        let (exit, stdout, stderr) = gleaner(&folder, &all);
        assert!(exit.is_some_and(|exit| exit > 0), "{all:?}: {stdout}");
        assert!(stderr.contains(code) && stderr.contains(words), "{all:?}: {stderr}");
    };
    for learner in ["gleaner", "aleph", "srl", "mlynx", "prankboost-clause", "best-clause"] {
        refused(&["learn", "--learner", learner], "G124", "rdn-boost, tree");
    }
    refused(&["cv", "--learner", "auto", "--candidate-learners", "aleph,srl"], "G124", "learns no numbers");
    refused(&["cv", "--learner", "tree", "--goal", "pinball"], "G059", "--loss quantile");
    refused(&["cv", "--learner", "tree", "--goal", "poisson-deviance"], "G059", "--loss poisson");
    refused(
        &["cv", "--learner", "tree", "--feature-clauses", "weight.csv"],
        "--feature-clauses",
        "--number-argument",
    );
    refused(&["cv", "--learner", "tree", "--learner", "aleph"], "G124", "aleph learns no numbers");
    refused(&["mine", "-o", "q.pl"], "G120", "knows classes");
    let below = written(
        "numbers-below",
        &[("price.csv", "parcel,label\na,-1\nb,2\nc,3\nd,4\n"), ("weight.csv", "parcel,kg\na,1\nb,2\n")],
    );
    let (exit, _, stderr) = gleaner(
        &below,
        &["learn", ".", "--number-argument", "label", "--learner", "tree", "--loss", "poisson"],
    );
    assert!(exit == Some(1) && stderr.contains("G059") && stderr.contains("-1 is below 0"), "{stderr}");
}

/// The library does what the commands do.
#[test]
fn the_library_learns_numbers() {
    let folder = parcels("numbers-library");
    let learn = ["learn", ".", "--number-argument", "label", "--learner", "tree", "-o", "m.json", "--quiet"];
    run(&folder, &learn);
    let data = Dataset::reader(&folder).number_label().open().expect("data");
    let learner = Learner::named("tree").expect("a learner");
    let model = learner.fit(&data).expect("a model");
    let file = std::fs::read_to_string(folder.join("m.json")).expect("the model");
    assert_eq!((model.to_json(), model.kind()), (file.clone(), TargetKind::Numbers));
    let loaded = Model::from_json(&file).expect("the same model");
    let predictions = loaded.predict(&data).expect("predictions");
    assert_eq!(predictions, model.predict(&data).expect("predictions"));
    assert!(
        ["low_80", "high_80", "low_90", "high_90"].iter().all(|name| predictions.numbers(name).is_some())
    );
    let options = (ScoringOptions::default(), EvaluationOptions::default());
    let measured = loaded.evaluate(&data, &options.0, &options.1).expect("metrics");
    let done: serde_json::Value = serde_json::from_str(&measured.events()[0]).expect("an event");
    assert!(done["r2"].as_f64().is_some_and(|r2| r2 > 0.5), "{done}");
    let validation = learner.cross_validate(&data).expect("folds");
    assert_eq!(validation.folds().len(), 5);
    let pooled = |name: &str| validation.pooled(name)[0].expect("a metric of numbers");
    assert!(pooled("mae") < pooled("mae_of_mean"));
    // Numbers are never taken for classes.
    assert!(predictions.scores().is_err());
}

/// Trees learn from train and choose on tune: other numbers in test change nothing of the model, for test's numbers say not
/// which of train's are high.
#[test]
fn models_do_not_depend_on_the_numbers_of_test() {
    let model = |name: &str, more: u32| {
        let (mut prices, mut kilograms) = ("parcel,label,fold\n".to_owned(), "parcel,kg\n".to_owned());
        let mut far = "parcel\n".to_owned();
        for parcel in 0..200_u32 {
            let (kg, is_test) = (parcel * 7 % 13, parcel % 4 == 3);
            let price = 5 + 3 * kg + if parcel % 3 == 0 { 20 } else { 0 } + parcel * 5 % 7;
            let (price, fold) = if is_test { (price + more, "test") } else { (price, "train") };
            prices += &format!("p{parcel},{price},{fold}\n");
            kilograms += &format!("p{parcel},{kg}\n");
            if parcel % 3 == 0 {
                far += &format!("p{parcel}\n");
            }
        }
        let folder = written(name, &[("price.csv", &prices), ("weight.csv", &kilograms), ("far.csv", &far)]);
        let of = ["learn", ".", "--target", "price", "--number-argument", "label", "--quiet"];
        let further: [&[&str]; 2] = [
            &["--learner", "tree", "-o", "tree.json"],
            &["--learner", "rdn-boost", "--rounds", "6", "-o", "boost.json"],
        ];
        further.map(|further| {
            let (code, _, told) = gleaner(&folder, &[&of[..], further].concat());
            assert_eq!(code, Some(0), "{told}");
            let name = further.last().expect("the name of a file");
            std::fs::read_to_string(folder.join(name)).expect("a model")
        })
    };
    let plain = model("numbers-of-test", 0);
    // By hand: of 200 numbers 50 are moved above all others, so the median of all is another one.
    assert!(plain == model("other-numbers-of-test", 200), "the models differ");
}
