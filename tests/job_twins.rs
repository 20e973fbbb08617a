//! The library and the command line run the same jobs: the events, files and models of both are equal.

use std::collections::BTreeMap;
use std::path::Path;

use gleaner::{
    Context, Dataset, Domain, Error, EvaluationOptions, FitOptions, Learner, LinkPart, Model, ModelForm,
    RankAmong, RunSet, ScoreTable, ScoringOptions, Source, Table, UniversityConfig, ValidationOptions,
};

use crate::classes::{ends, shelves};
use crate::support::{files, fixture, fresh_folder, without_settings};

/// Little work: these tests ask whether two ways agree.
const LITTLE: [&str; 4] = ["--clauses", "100", "--seeds", "2"];

fn little(learner: &str) -> Result<Learner, Error> {
    Learner::named(learner)?.with("clauses", 100)?.with("seeds", 2)
}

fn path(name: &str) -> String {
    fixture(name).to_string_lossy().into_owned()
}

/// The events that a command prints, one a line.
fn events(folder: &Path, arguments: &[&str]) -> Vec<String> {
    let printed = ends(folder, &[arguments, &["--json", "--quiet"]].concat());
    printed.lines().map(str::to_owned).collect()
}

#[test]
fn what_data_hold_and_why_a_clause_is_not_learnt() -> Result<(), Error> {
    let folder = fresh_folder("jobs_inspect");
    let data = path("university");
    let read = Dataset::open(&data)?;
    assert_eq!(events(&folder, &["inspect", &data]), read.inspect()?.events());
    let clause = "advisedby(A,B) :- publication(C,A), publication(C,B), hasposition(B,faculty).";
    let why = little("gleaner")?.why(&read, clause, None)?;
    assert_eq!(events(&folder, &["why", &data, clause]), why.events());
    assert!(little("gleaner")?.why(&read, "advisedby(A,B) :- nothing(A).", None).is_err());
    Ok(())
}

/// The flags of a fold, of the best queries, and of what is ranked among, have calls that say the same.
#[test]
fn parts_of_data() -> Result<(), Error> {
    let folder = fresh_folder("jobs_parts");
    let data = path("university");
    let read = Dataset::open(&data)?;
    let clause = "advisedby(A,B) :- publication(C,A), publication(C,B), hasposition(B,faculty).";
    let why = little("gleaner")?.why(&read, clause, Some("2"))?;
    assert_eq!(events(&folder, &["why", &data, clause, "--fold", "2"]), why.events());
    assert_ne!(why, little("gleaner")?.why(&read, clause, None)?);
    let levels = ["--query-length", "2"];
    let learner = Learner::default().with("query-length", 2)?;
    let mine = |name: &str, flags: &[&str]| {
        ends(&folder, &[&["mine", &data, "-o", name, "--quiet"], &levels[..], flags].concat());
        std::fs::read_to_string(folder.join(name)).expect("it was written")
    };
    assert_eq!(mine("best.pl", &["--best", "3"]), learner.mine(&read, Some(3), None)?.to_string());
    let of_train = learner.mine(&read, None, Some(("1", RunSet::Train)))?;
    assert_eq!(mine("train.pl", &["--fold", "1", "--set", "train"]), of_train.to_string());
    let n_rows = |set| Ok::<_, Error>(read.features([clause], Some(("1", set)))?.examples.len());
    let [train, tune, test] = [RunSet::Train, RunSet::Tune, RunSet::Test].map(n_rows);
    assert_eq!(train? + tune? + test?, read.examples().count());
    Ok(())
}

/// Options of scoring do what the flags of `predict`, `explain` and `evaluate` do.
#[test]
fn scores_with_options() -> Result<(), Error> {
    let folder = fresh_folder("jobs_scores");
    let data = path("university");
    let learn = ["learn", &data, "--learner", "srl", "--fold", "1", "-o", "model.json", "--quiet"];
    ends(&folder, &[&learn[..], &LITTLE].concat());
    let model = Model::load(folder.join("model.json"))?;
    let (fitted, answer) = little("srl")?.fit_with(
        &Dataset::open(&data)?,
        &FitOptions { fold: Some("1".to_owned()), ..FitOptions::default() },
    )?;
    assert_eq!(fitted.to_json(), model.to_json());
    assert_eq!(events(&folder, &[&learn[..6], &LITTLE].concat()), answer.events());

    let read = model.reader(&data)?.open()?;
    let of_fold = || ScoringOptions { fold: Some("1".to_owned()), ..ScoringOptions::default() };
    let operating_point = Some("recall=0.95".to_owned());
    let options = ScoringOptions { operating_point, intervals: true, ..of_fold() };
    let scores = model.predict_with(&read, &options)?.scores()?;
    let flags = ["--fold", "1", "--operating-point", "recall=0.95", "--intervals"];
    let printed = events(&folder, &[&["predict", "model.json", &data][..], &flags].concat());
    assert_eq!(printed.len(), scores.iter().len() + 1, "the last one sums up");
    for (event, score) in printed.iter().zip(&scores) {
        let event: serde_json::Value = serde_json::from_str(event).expect("an event is JSON");
        assert_eq!(event["score"], score.score);
        assert_eq!(event["decision"], score.decision);
        let interval = score.probability_interval.expect("it is asked for");
        assert_eq!([&event["probability_low"], &event["probability_high"]], [interval[0], interval[1]]);
    }
    assert_ne!(scores, model.predict_fold(&read, 1)?.scores()?);

    let measured = EvaluationOptions { by: Some("2".to_owned()), at_probability: 0.3, count_filtered: false };
    let evaluated = model.evaluate(&read, &of_fold(), &measured)?;
    let flags = ["--fold", "1", "--by", "2", "--at-probability", "0.3"];
    assert_eq!(
        events(&folder, &[&["evaluate", "model.json", &data][..], &flags].concat()),
        evaluated.events()
    );
    Ok(())
}

/// A predicate that the data never name is refused, or taken to be empty where that is allowed.
#[test]
fn missing_predicates() -> Result<(), Error> {
    let folder = fresh_folder("jobs_missing");
    let model = little("gleaner")?.fit(&Dataset::open(path("university"))?)?;
    model.save(folder.join("model.json"))?;
    let program = ":- modeh(1, advisedby(+person, +person)). :- modeb(*, publication(-paper, +person)).
                   publication(p,ann). publication(p,bob).";
    let asked = Table::new("advisedby").column("one", vec!["ann"]).column("other", vec!["bob"]);
    let asked = asked.column("label", vec![None::<bool>]);
    let refused = model
        .predict(&Dataset::open(Source::facts([asked]).program(program))?)
        .expect_err("it lacks the others")
        .to_string();
    assert!(refused.contains("G012") && refused.contains("allow_missing goes on"), "{refused}");

    std::fs::create_dir(folder.join("facts")).expect("it can be made");
    std::fs::write(folder.join("facts/background.pl"), "publication(p,ann). publication(p,bob).\n")
        .expect("written");
    std::fs::write(folder.join("atoms.pl"), "advisedby(ann,bob).\n").expect("written");
    let flags = ["predict", "model.json", "facts", "--examples-file", "atoms.pl", "--allow-missing"];
    let printed = events(&folder, &flags);
    let read = model.reader(folder.join("facts"))?.examples(folder.join("atoms.pl")).open()?;
    let allowing = ScoringOptions { allow_missing: true, ..ScoringOptions::default() };
    let scores = model.predict_with(&read, &allowing)?.scores()?;
    let event: serde_json::Value = serde_json::from_str(&printed[0]).expect("an event is JSON");
    assert_eq!((scores.iter().len(), &event["score"]), (1, &scores.ranked()[0].score.into()));
    assert!(model.predict(&read).is_err(), "it is not allowed unless one says so");
    Ok(())
}

/// A run that is done again from its folder, with repetitions.
#[test]
fn repeated_runs() -> Result<(), Error> {
    let folder = fresh_folder("jobs_repeats");
    let data = path("family");
    let flags =
        ["cv", &data, "--learner", "best-clause", "--repeats", "2", "--folds", "2", "--run", "command"];
    ends(&folder, &[&flags[..], &["--quiet"], &LITTLE].concat());
    let learner = little("best-clause")?.with("folds", 2)?;
    let options = ValidationOptions {
        repeats: 2,
        folder: Some(folder.join("library")),
        ..ValidationOptions::default()
    };
    let read = Dataset::open(&data)?;
    let validation = learner.validate(&read, &[("", &learner)], &options)?;
    assert_eq!(validation.learners().map(|(_, folds)| folds.len()).sum::<usize>(), 4);
    let [by_command, by_library] = ["command", "library"].map(|name| twin_files(&folder.join(name)));
    assert_eq!(by_command, by_library);
    let again = ValidationOptions { resume: true, ..options.clone() };
    assert!(learner.validate(&read, &[("", &learner)], &again).is_err(), "nothing is left to do");
    let anew = ValidationOptions { overwrite: true, ..options };
    assert!(learner.validate(&read, &[("", &learner)], &anew).is_ok());
    Ok(())
}

#[test]
fn mined_queries() -> Result<(), Error> {
    let folder = fresh_folder("jobs_mine");
    let data = path("family");
    ends(&folder, &["mine", &data, "-o", "queries.pl", "--quiet"]);
    let mined = Learner::default().mine(&Dataset::open(&data)?, None, None)?;
    let written = std::fs::read_to_string(folder.join("queries.pl")).expect("it was written");
    assert_eq!(written, mined.to_string());
    assert!(!mined.queries.is_empty() && !mined.is_cut_short);
    Ok(())
}

/// A column has as many rows as its clause covers examples, and the command writes the same table.
#[test]
fn features() -> Result<(), Error> {
    let folder = fresh_folder("jobs_features");
    let data = path("university");
    let clauses =
        ["advisedby(A,B) :- tempadvisedby(A,B).", "advisedby(A,B) :- publication(C,A), publication(C,B)."];
    let read = Dataset::open(&data)?;
    let table = read.features(clauses, None)?;
    for (column, counts) in read.evaluate(clauses)?.iter().enumerate() {
        let covered = &table.columns[column];
        let positives = covered.iter().filter(|&&row| table.labels[row as usize]).count();
        assert_eq!([positives, covered.len() - positives], [counts.true_positives, counts.false_positives]);
        assert!(!covered.is_empty());
    }
    std::fs::write(folder.join("clauses.pl"), clauses.join("\n")).expect("it can be written");
    ends(&folder, &["features", "clauses.pl", &data, "-o", "table.csv", "--quiet"]);
    let mut reader = csv::Reader::from_path(folder.join("table.csv")).expect("a table");
    let rows: Vec<csv::StringRecord> = reader.records().map(|row| row.expect("a row")).collect();
    assert_eq!(rows.len(), table.examples.len());
    for ((row, example), values) in rows.iter().zip(&table.examples).zip(table.dense().chunks(clauses.len()))
    {
        assert_eq!(&row[0], example);
        let cells: Vec<u8> = row.iter().skip(row.len() - values.len()).flat_map(str::parse).collect();
        assert_eq!(cells, values, "{example}");
    }
    Ok(())
}

/// The files of a run folder, but for the one that says how long it took, and for the lines of its page that name settings:
/// each surface writes these in its own words.
fn twin_files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = files(folder);
    assert!(files.remove("timing.json").is_some(), "{}", folder.display());
    let page = files.get_mut("report.html").expect("a run has a page");
    *page = without_settings(&String::from_utf8_lossy(page)).into_bytes();
    files
}

/// Two learners on the same folds, and the run folder of one.
#[test]
fn cross_validations() -> Result<(), Error> {
    let folder = fresh_folder("jobs_cv");
    let data = path("university");
    let read = Dataset::open(&data)?;
    let two = ["cv", &data, "--learner", "gleaner", "--learner", "best-clause"];
    let printed = events(&folder, &[&two[..], &LITTLE].concat());
    let (gleaner, other) = (little("gleaner")?, little("best-clause")?);
    let learners = [("gleaner", &gleaner), ("best-clause", &other)];
    let validation = gleaner.validate(&read, &learners, &ValidationOptions::default())?;
    assert_eq!(printed.last(), validation.answer().events().last());
    assert_eq!(validation.learners().map(|(name, _)| name).collect::<Vec<_>>(), ["gleaner", "best-clause"]);
    let first = validation.learners().next().map(|(_, folds)| folds[0].metric("accuracy"));
    assert!(first.flatten().is_some_and(|accuracy| accuracy > 0.5));

    ends(
        &folder,
        &[&["cv", &data, "--learner", "gleaner", "--run", "command", "--quiet"], &LITTLE[..]].concat(),
    );
    let options = ValidationOptions { folder: Some(folder.join("library")), ..ValidationOptions::default() };
    gleaner.validate(&read, &[("", &gleaner)], &options)?;
    let [by_command, by_library] = ["command", "library"].map(|name| twin_files(&folder.join(name)));
    assert_eq!(by_command, by_library);
    assert!(gleaner.validate(&read, &[("", &gleaner)], &options).is_err(), "it is there");

    let runs = [folder.join("command"), folder.join("library")];
    let compared = gleaner::compare_runs(&runs, &["auc_pr"])?;
    assert_eq!(events(&folder, &["compare", "command", "library", "--metric", "auc_pr"]), compared.events());
    Ok(())
}

#[test]
fn a_model_of_many_classes() -> Result<(), Error> {
    let folder = fresh_folder("jobs_classes");
    let data = shelves("jobs_classes_data").to_string_lossy().into_owned();
    let learn =
        ["learn", &data, "--class-argument", "2", "--learner", "gleaner", "-o", "model.json", "--quiet"];
    ends(&folder, &[&learn[..], &LITTLE].concat());
    let read = Dataset::reader(&data).class_argument(2).open()?;
    let model = little("gleaner")?.fit(&read)?;
    let written = std::fs::read_to_string(folder.join("model.json")).expect("it was written");
    assert_eq!(written, model.to_json());
    Ok(())
}

#[test]
fn links_of_a_graph() -> Result<(), Error> {
    let folder = fresh_folder("jobs_links");
    let graph = folder.join("graph").to_string_lossy().into_owned();
    std::fs::create_dir(&graph).expect("it can be made");
    let pairs = |at: usize| format!("a{at}\tabove\tb{at}\nb{at}\tbelow\ta{at}\n");
    std::fs::write(folder.join("graph/train.txt"), (0..30).map(pairs).collect::<String>()).expect("written");
    ends(&folder, &["learn", &graph, "--target", "all", "-o", "links.json", "--quiet"]);
    let learner = Learner::default();
    let written = std::fs::read_to_string(folder.join("links.json")).expect("it was written");
    assert_eq!(written, learner.fit_links(&graph)?.to_json());
    let model = Model::load(folder.join("links.json"))?;
    let ranks = model.rank(&graph, LinkPart::Train, RankAmong::Entities)?.answer;
    assert_eq!(events(&folder, &["rank", "links.json", &graph, "--part", "train"]), ranks.events());
    let ranks = model.rank(&graph, LinkPart::Train, RankAmong::Type)?.answer;
    let within = ["rank", "links.json", &graph, "--part", "train", "--rank-within", "type"];
    assert_eq!(events(&folder, &within), ranks.events());
    let printed = events(&folder, &["cv", &graph, "--target", "all"]);
    assert_eq!(printed, learner.cross_validate_links(&graph)?.answer().events());
    Ok(())
}

#[test]
fn files_from_files() -> Result<(), Error> {
    let folder = fresh_folder("jobs_files");
    let data = path("family");
    ends(&folder, &["convert", &data, "--to", "popper", "-o", "by_command", "--quiet"]);
    Dataset::reader(&data).convert("popper", folder.join("by_library"))?;
    assert_eq!(files(&folder.join("by_command")), files(&folder.join("by_library")));
    assert!(Dataset::reader(&data).convert("poper", folder.join("none")).is_err());

    ends(&folder, &["generate", "university", "-o", "made_by_command", "--seed", "3", "--quiet"]);
    let university = Domain::University(UniversityConfig { seed: 3, ..UniversityConfig::default() });
    gleaner::generate(university, folder.join("made_by_library"), &Context::default())?;
    assert_eq!(files(&folder.join("made_by_command")), files(&folder.join("made_by_library")));

    std::fs::write(folder.join("scores.csv"), "label,score\n1,0.9\n0,0.4\n1,0.3\n")
        .expect("it can be written");
    let measured =
        gleaner::evaluate_table(&ScoreTable::new(folder.join("scores.csv")), &EvaluationOptions::default())?;
    assert_eq!(events(&folder, &["evaluate", "scores.csv"]), measured.events());

    let learn = ["learn", &path("university"), "--learner", "gleaner", "-o", "model.json", "--quiet"];
    ends(&folder, &[&learn[..], &LITTLE].concat());
    let program = Model::load(folder.join("model.json"))?.shown(ModelForm::Pl, None)?;
    assert_eq!(ends(&folder, &["show", "model.json", "--to", "pl"]), program);
    Ok(())
}
