//! The library scores what `gleaner predict` scores, to the bit: for a saved model of every learner, of many classes, of links, and of
//! data that are read otherwise than by default.

use std::collections::BTreeMap;
use std::path::Path;

use gleaner::{Dataset, Learner, LinkPart, Model, Predictions, RankAmong, ScoringOptions, TargetKind};

use crate::classes::{ends, shelves};
use crate::known_target::planted;
use crate::support::{fixture, fresh_folder, gleaner};

/// Little work for each learner: this asks whether two ways agree.
const LITTLE: [&str; 14] = [
    "--seeds",
    "2",
    "--clauses",
    "100",
    "--rounds",
    "3",
    "--theory-nodes",
    "60",
    "--ensemble-size",
    "2",
    "--candidates",
    "200",
    "--restarts",
    "4",
];

type Rows = Vec<BTreeMap<String, String>>;

fn table(text: &str) -> Rows {
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let header = reader.headers().expect("a header").clone();
    let row = |record: csv::StringRecord| {
        header.iter().map(str::to_owned).zip(record.iter().map(str::to_owned)).collect()
    };
    reader.records().map(|record| row(record.expect("a row"))).collect()
}

/// Each row is the score of the same example, in the same order.
fn assert_same(rows: &Rows, predictions: &Predictions, what: &str) {
    let scores = predictions.scores().expect("scores");
    assert_eq!(rows.len(), scores.iter().len(), "{what}");
    assert!(!rows.is_empty(), "{what}");
    let bits = |text: &str| text.parse::<f64>().expect("a number").to_bits();
    for (row, score) in rows.iter().zip(&scores) {
        let what = format!("{what}: {}", score.example);
        assert_eq!(row["example"], score.example, "{what}");
        assert_eq!(bits(&row["score"]), score.score.to_bits(), "{what}");
        match score.probability {
            Some(probability) => assert_eq!(bits(&row["probability"]), probability.to_bits(), "{what}"),
            None => assert_eq!(row["probability"], "n/a", "{what}"),
        }
        assert_eq!(row["decision"] == "1", score.decision, "{what}");
        assert_eq!(bits(&row["confidence"]), score.confidence.to_bits(), "{what}");
        let label = match &*row["label"] {
            "1" => Some(true),
            "0" => Some(false),
            _ => None,
        };
        assert_eq!(label, score.label, "{what}");
        for (at, argument) in score.arguments.iter().enumerate() {
            assert_eq!(&row[&format!("argument{}", at + 1)], argument, "{what}");
        }
    }
}

/// The model in `model.json` on data, by the command and by the library, which reads the data as any and as for this model.
fn assert_twins(
    folder: &Path,
    data: &str,
    flags: &[&str],
    read: impl Fn(gleaner::DatasetReader) -> gleaner::DatasetReader,
    what: &str,
) {
    let rows = table(&ends(folder, &[&["predict", "model.json", data, "--quiet"], flags].concat()));
    let model = Model::load(folder.join("model.json")).expect("a model");
    let path = folder.join(data);
    let any = read(Dataset::reader(&path)).open().expect("it loads");
    assert_same(&rows, &model.predict(&any).expect("scores"), what);
    let own = read(model.reader(&path).expect("a reader")).open().expect("it loads");
    assert_same(&rows, &model.predict(&own).expect("scores"), &format!("{what}, read for the model"));
    let asked = &rows[rows.len() / 3]["example"];
    let printed = ends(folder, &[&["explain", "model.json", data, asked, "--quiet"], flags].concat());
    let explained = model.explain(&any, asked, &ScoringOptions::default()).expect("an explanation");
    assert_eq!(printed.trim_end().replace("--all", "all"), explained.to_string(), "{what}");
    let of_fold =
        table(&ends(folder, &[&["predict", "model.json", data, "--fold", "2", "--quiet"], flags].concat()));
    assert_same(&of_fold, &model.predict_fold(&any, 2).expect("scores"), &format!("{what}, fold 2"));
}

#[test]
fn every_learner() {
    let folder = fresh_folder("twins_learners");
    let data = fixture("university").to_string_lossy().into_owned();
    // These data have no sentences.
    for (learner, _) in Learner::names().filter(|(name, _)| *name != "text-hmm") {
        let learn = ["learn", &data, "--fold", "2", "--learner", learner, "-o", "model.json", "--quiet"];
        ends(&folder, &[&learn[..], &LITTLE].concat());
        assert_twins(&folder, &data, &[], |reader| reader, learner);
    }
}

/// Bodies know the links of train, and each example is proved without its own.
#[test]
fn known_links() {
    let folder = fresh_folder("twins_known");
    let data = planted("twins_known_data").to_string_lossy().into_owned();
    for way in ["folds", "leave-one-out"] {
        for learner in ["gleaner", "aleph", "srl"] {
            let learn = [
                "learn",
                &data,
                "--target-in-body",
                way,
                "--learner",
                learner,
                "-o",
                "model.json",
                "--quiet",
            ];
            let (code, _, stderr) = gleaner(&folder, &[&learn[..], &LITTLE].concat());
            if way == "leave-one-out" && code == Some(1) {
                assert!(stderr.contains("leave-one-out"), "{learner}: {stderr}");
                continue;
            }
            assert_eq!(code, Some(0), "{learner} {way}: {stderr}");
            let model = std::fs::read_to_string(folder.join("model.json")).expect("a model");
            assert!(model.contains("\"known\""), "{learner} {way}");
            assert_twins(&folder, &data, &[], |reader| reader, &format!("{learner} {way}"));
        }
    }
}

#[test]
fn restricted_data() {
    let folder = fresh_folder("twins_where");
    let data = fixture("university").to_string_lossy().into_owned();
    let only = "student(A), professor(B)";
    ends(&folder, &[&["learn", &data, "--where", only, "-o", "model.json", "--quiet"], &LITTLE[..]].concat());
    assert_twins(&folder, &data, &["--where", only], |reader| reader.restrict(only), "--where");
}

#[test]
fn sampled_negatives() {
    let folder = fresh_folder("twins_negatives");
    let data = fixture("university").to_string_lossy().into_owned();
    let learn = ["learn", &data, "--negatives", "ratio:3", "-o", "model.json", "--quiet"];
    ends(&folder, &[&learn[..], &LITTLE].concat());
    assert_twins(&folder, &data, &[], |reader| reader, "learnt from a sample");
    let flags = ["--negatives", "ratio:3"];
    assert_twins(&folder, &data, &flags, |reader| reader.negatives("ratio:3"), "one sample");
    let flags = ["--negatives", "25%"];
    assert_twins(&folder, &data, &flags, |reader| reader.negatives("25%"), "a share");
    let flags = ["--negatives-test", "200"];
    assert_twins(&folder, &data, &flags, |reader| reader.negatives_of_test("200"), "a sample for test");
}

#[test]
fn many_classes() {
    let folder = fresh_folder("twins_classes");
    let data = shelves("twins_classes_data").to_string_lossy().into_owned();
    for learner in ["mlynx", "gleaner"] {
        let learn = [
            "learn",
            &data,
            "--class-argument",
            "2",
            "--learner",
            learner,
            "--folds",
            "3",
            "-o",
            "model.json",
            "--quiet",
        ];
        ends(&folder, &[&learn[..], &LITTLE].concat());
        let model = Model::load(folder.join("model.json")).expect("a model");
        let own = model.reader(&data).expect("a reader").open().expect("it loads");
        let any = Dataset::reader(&data).class_argument(2).open().expect("it loads");
        for fold in [None, Some(2)] {
            let number = fold.map(|fold: usize| fold.to_string());
            let flags: Vec<&str> = number.iter().flat_map(|number| ["--fold", number]).collect();
            let rows =
                table(&ends(&folder, &[&["predict", "model.json", &data, "--quiet"], &flags[..]].concat()));
            for data in [&own, &any] {
                let predictions = match fold {
                    None => model.predict(data),
                    Some(fold) => model.predict_fold(data, fold),
                };
                let predictions = predictions.expect("predictions");
                assert_eq!(rows.len(), predictions.len());
                assert!(!rows.is_empty());
                let texts = |name: &str| predictions.texts(name).expect("a column of texts");
                for (at, row) in rows.iter().enumerate() {
                    for name in ["argument1", "class", "predicted"] {
                        assert_eq!(Some(&row[name]), texts(name)[at].as_ref(), "{learner}");
                    }
                    for class in model.classes() {
                        let name = format!("p_{class}");
                        let printed: f64 = row[&name].parse().expect("a number");
                        let probability = predictions.numbers(&name).expect("a column of numbers")[at];
                        assert_eq!(
                            Some(printed.to_bits()),
                            probability.map(f64::to_bits),
                            "{learner} {row:?}"
                        );
                    }
                }
                assert!(predictions.scores().is_err(), "there are many classes");
            }
        }
        assert_eq!((model.kind(), model.classes().len()), (TargetKind::Classes, 3));
    }
}

#[test]
fn links() {
    let folder = fresh_folder("twins_links");
    let data = folder.join("graph");
    std::fs::create_dir_all(&data).expect("it can be made");
    let person = |number: usize| format!("p{}", number % 40);
    let lines: Vec<String> = (0..40)
        .flat_map(|at| {
            let [one, other] = [person(at), person(at * 7 + 3)];
            [format!("{one}\tknows\t{other}\n"), format!("{other}\tknown_by\t{one}\n")]
        })
        .collect();
    let part = |wanted: usize| {
        lines.iter().enumerate().filter(move |(at, _)| at % 9 == wanted).map(|(_, line)| line.as_str())
    };
    let known: String =
        lines.iter().enumerate().filter(|(at, _)| at % 9 < 7).map(|(_, line)| line.as_str()).collect();
    for (name, text) in
        [("train.txt", known), ("valid.txt", part(7).collect()), ("test.txt", part(8).collect())]
    {
        std::fs::write(data.join(name), text).expect("it can be written");
    }
    ends(&folder, &["learn", "graph", "--target", "all", "-o", "model.json", "--quiet"]);
    ends(&folder, &["rank", "model.json", "graph", "-o", "ranks.csv", "--quiet"]);
    let rows = table(&std::fs::read_to_string(folder.join("ranks.csv")).expect("a table"));
    let model = Model::load(folder.join("model.json")).expect("a model");
    let ranks = model.rank(&data, LinkPart::Test, RankAmong::Entities).expect("ranks");
    assert_eq!(rows.len(), ranks.links.len());
    assert!(rows.len() > 5 && ranks.mrr.is_some_and(|mrr| mrr > 0.5), "{:?}", ranks.mrr);
    for (row, ranked) in rows.iter().zip(&ranks.links) {
        assert_eq!(
            [&row["subject"], &row["relation"], &row["object"]],
            [&ranked.link[0], &ranked.link[1], &ranked.link[2]]
        );
        let rank = |column: &str| row[column].parse::<f64>().expect("a rank").to_bits();
        assert_eq!(rank("rank_of_subject"), ranked.of_subject.to_bits());
        assert_eq!(rank("rank_of_object"), ranked.of_object.to_bits());
    }
    assert_eq!(model.kind(), TargetKind::Links);
    let people = Dataset::open("fixtures/university").expect("it loads");
    assert!(model.predict(&people).is_err(), "it lists new links, and predicts nothing for examples");
    let other = Model::load("fixtures/compat/aleph.json").expect("a model");
    let error = other.relations().expect_err("it is none of links");
    assert!(error.to_string().contains("`Learner::fit_links` learns one"), "{error}");
}

/// The library learns with known links as the command line does: the same file.
#[test]
fn a_model_learnt_by_the_library_knows_its_links() {
    let folder = fresh_folder("twins_learnt");
    let data = planted("twins_learnt_data").to_string_lossy().into_owned();
    let learn = [
        "learn",
        &data,
        "--target-in-body",
        "folds",
        "--learner",
        "aleph",
        "--clauses",
        "100",
        "-o",
        "model.json",
        "--quiet",
    ];
    ends(&folder, &learn);
    let dataset = Dataset::reader(&data).target_in_body("folds").open().expect("it loads");
    let learner =
        Learner::named("aleph").and_then(|learner| learner.with("clauses", 100)).expect("a learner");
    let model = learner.fit(&dataset).expect("a model");
    assert_eq!(model.to_json(), std::fs::read_to_string(folder.join("model.json")).expect("a model"));
}

/// Messages of the library have a code, say what is taken, and name the nearest; `Debug` is as short as `Display`.
#[test]
fn errors_say_what_is_taken() {
    let data = fixture("university");
    let refused = |reader: gleaner::DatasetReader| reader.open().expect_err("it is refused");
    for (error, code, part) in [
        (refused(Dataset::reader(&data).format("progoll")), "G031", "did you mean progol?"),
        (refused(Dataset::reader(&data).negatives("many")), "G041", "ratio:K"),
        (refused(Dataset::reader(&data).target_in_body("fold")), "G041", "folds or leave-one-out"),
        (Learner::named("aleh").expect_err("it is refused"), "G041", "did you mean aleph?"),
        (Learner::default().with("clausse", 3).expect_err("it is refused"), "G040", "did you mean clauses?"),
    ] {
        let messages = error.messages();
        assert_eq!(messages.len(), 1, "{error}");
        assert_eq!(messages[0].code, code, "{error}");
        assert!(messages[0].help.join(" ").contains(part), "{error}");
        assert_eq!(format!("{error:?}"), error.to_string());
    }
}

#[test]
fn settings_are_listed() {
    let known: Vec<gleaner::SettingInfo> = Learner::settings().collect();
    let clauses = known.iter().find(|setting| setting.name == "clauses").expect("it is one of them");
    assert!(!clauses.takes.is_empty() && !clauses.help.is_empty() && !clauses.default.is_empty());
    for setting in &known {
        if setting.default != "auto" && !setting.default.is_empty() {
            let learner = Learner::default().with(setting.name, setting.default);
            assert!(learner.is_ok(), "{setting:?} takes its default");
        }
    }
}
