//! What the library's door gives beyond single calls: keys of rows, rows without a label, what the target is, metrics of all classes
//! together, a code for each error, a context of every call, and what is in memory as what is in files.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use gleaner::{
    ArgumentRole, Cancel, Context, Dataset, DatasetReader, Domain, Error, Learner, LinkPart, Model,
    NewLinkQuery, Predictions, RankAmong, ScoringOptions, Source, Table, TargetKind, UniversityConfig,
    ValidationOptions, generate,
};

use crate::classes::{ends, shelves};
use crate::support::{files, fixture, fresh_folder, without_settings, write};

/// The tables of each kind of target: their folder, their label, and the flags of the command line.
const KINDS: [(&str, &str, &[&str]); 3] = [
    ("kinds/won", "labels.won", &[]),
    ("kinds/level", "labels.level", &[]),
    ("kinds/spent", "labels.spent", &["--number-argument", "label"]),
];

fn reader(data: impl Into<Source>, label: &str) -> DatasetReader {
    let reader = Dataset::reader(data).label(label);
    if label == "labels.spent" { reader.number_label() } else { reader }
}

fn learner() -> Learner {
    Learner::named("rdn-boost").and_then(|learner| learner.with("rounds", 3)).expect("a learner")
}

/// The rows of a table, each with its header.
fn rows(text: &str) -> Vec<Vec<(String, String)>> {
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let header = reader.headers().expect("a header").clone();
    let row = |record: csv::StringRecord| {
        header.iter().zip(&record).map(|(name, cell)| (name.to_owned(), cell.to_owned())).collect()
    };
    reader.records().map(|record| row(record.expect("a row"))).collect()
}

/// The cells that name each prediction's row.
fn keys(predictions: &Predictions) -> Vec<Vec<(String, String)>> {
    let cell = |row: usize| {
        let named = predictions.keys().iter();
        named.map(|column| (column.name.clone(), column.values.text(row).unwrap_or_default())).collect()
    };
    (0..predictions.len()).map(cell).collect()
}

/// Each row of `predict --to rows` has a prediction whose keys and numbers are its own.
#[test]
fn predictions_name_the_rows_of_their_table() -> Result<(), Error> {
    for (data, label, flags) in KINDS {
        let folder = fresh_folder(&format!("door_keys/{label}"));
        let path = fixture(data);
        let model = learner().fit(&reader(&path, label).open()?)?;
        model.save(folder.join("model.json"))?;
        let path = path.to_string_lossy().into_owned();
        let asked = ["predict", "model.json", &path, "--label", label, "--to", "rows", "--quiet"];
        let printed = rows(&ends(&folder, &[&asked[..], flags].concat()));
        let predictions = model.predict(&model.reader(&path)?.label(label).open()?)?;
        let keys = keys(&predictions);
        assert_eq!((keys.len(), keys[0].len()), (printed.len(), 2), "{label}: a person and a day");
        for row in printed {
            let (named, said) = row.split_at(2);
            let at = keys.iter().position(|keys| keys == named).unwrap_or_else(|| panic!("{named:?}"));
            let (name, cell) = &said[0];
            let column = predictions.columns().iter().find(|column| column.name == *name).expect("a column");
            assert_eq!(column.values.text(at).as_ref(), Some(cell), "{label} {named:?}");
            let person = predictions.texts("person").expect("a key");
            assert_eq!(person[at].as_ref(), Some(&named[0].1));
        }
    }
    Ok(())
}

/// A copy of the tables of a kind without the labels of some rows; how many there are.
fn with_unknown(folder: &Path, data: &str, label: &str) -> usize {
    std::fs::create_dir(folder.join("data")).expect("it can be made");
    for (name, text) in files(&fixture(data)) {
        let mut text = String::from_utf8(text).expect("it is text");
        if name == "labels.csv" {
            let header: Vec<&str> = text.lines().next().expect("a header").split(',').collect();
            let column = header.iter().position(|name| label.ends_with(name)).expect("it has the label");
            let without = |(at, line): (usize, &str)| {
                let mut cells: Vec<&str> = line.split(',').collect();
                if at % 7 == 3 {
                    cells[column] = "";
                }
                cells.join(",") + "\n"
            };
            text = text.lines().enumerate().map(without).collect();
        }
        write(&folder.join("data"), &name, &text);
    }
    let labels = std::fs::read_to_string(folder.join("data/labels.csv")).expect("it was written");
    (1..labels.lines().count()).filter(|at| at % 7 == 3).count()
}

/// Rows without a label are predicted, with no label, as the command predicts them; what is learnt is what the command learns.
#[test]
fn rows_without_a_label_are_predicted_and_not_learnt_from() -> Result<(), Error> {
    for (data, label, flags) in KINDS {
        let folder = fresh_folder(&format!("door_unlabelled/{label}"));
        let n_unknown = with_unknown(&folder, data, label);
        let learn = ["learn", "data", "--label", label, "--learner", "rdn-boost", "--rounds", "3"];
        ends(&folder, &[&learn[..], &["-o", "model.json", "--quiet"], flags].concat());
        let read = reader(folder.join("data"), label).open()?;
        assert!(n_unknown > 3 && read.n_unlabelled() == n_unknown, "{label}: {read}");
        let model = learner().fit(&read)?;
        let written = std::fs::read_to_string(folder.join("model.json")).expect("a model");
        assert_eq!(model.to_json(), written, "{label}");
        let predictions = model.predict(&read)?;
        let name = match model.kind() {
            TargetKind::TwoClasses => "label",
            TargetKind::Classes => "class",
            _ => "number",
        };
        let known = predictions.columns().iter().find(|column| column.name == name).expect("a column");
        let unknown = (0..predictions.len()).filter(|&row| known.values.text(row).is_none()).count();
        assert_eq!(unknown, n_unknown, "{label}");
        let predict = ["predict", "model.json", "data", "--label", label, "--quiet"];
        assert_eq!(predictions.csv(), ends(&folder, &[&predict[..], flags].concat()), "{label}");
        assert!(read.to_string().ends_with(&format!("; {n_unknown} without a label")), "{read}");
    }
    Ok(())
}

/// What a data set says of its target is what `inspect` says: numbers have a range, classes their sizes.
#[test]
fn a_data_set_tells_its_target_as_inspect_does() -> Result<(), Error> {
    for ((data, label, _), part) in
        KINDS.into_iter().zip(["positives, ", " classes (", " examples with numbers from "])
    {
        let read = reader(fixture(data), label).open()?;
        let shown = read.to_string();
        assert!(shown.contains(part), "{shown}");
        let inspected = read.inspect()?.to_string().replace("\n  ", " ");
        assert!(inspected.starts_with(&shown), "{shown}\n{inspected}");
    }
    Ok(())
}

/// Each argument of a target made from tables is named, with or without a key.
#[test]
fn arguments_say_what_they_are() -> Result<(), Error> {
    let told = |data: &Dataset| -> Vec<(String, ArgumentRole)> {
        data.arguments().into_iter().map(|argument| (argument.name, argument.role)).collect()
    };
    let is = |name: &str, role| (name.to_owned(), role);
    let level = reader(fixture("kinds/level"), "labels.level").open()?;
    let expected = [
        is("row", ArgumentRole::RowNumber),
        is("person", ArgumentRole::ForeignKey),
        is("level", ArgumentRole::Class),
        is("day", ArgumentRole::CutOff),
    ];
    assert_eq!(told(&level), expected);
    assert_eq!(level.target(), format!("labels_level/{}", expected.len()));
    let alone = Table::new("people").column("id", Vec::from_iter(0..8)).key(&["id"]);
    let alone = alone.column("town", vec!["bern", "bern", "oslo", "rome", "oslo", "bern", "rome", "oslo"]);
    let alone = alone.column("won", Vec::from_iter((0..8).map(|at| at % 2 == 0)));
    let alone = Dataset::reader(alone).label("people.won").open()?;
    assert_eq!(told(&alone), [is("id", ArgumentRole::Key)]);
    let two = Dataset::open(fixture("university"))?.arguments();
    assert!(two.len() == 2 && two.iter().all(|argument| argument.role == ArgumentRole::Other), "{two:?}");
    Ok(())
}

/// Of many classes the metrics are those that `cv` reports: of all classes together, by fold and in the mean.
#[test]
fn many_classes_have_joint_metrics() -> Result<(), Error> {
    let folder = fresh_folder("door_joint");
    let data = shelves("door_joint_data");
    let validation = learner().cross_validate(&Dataset::reader(&data).class_argument(2).open()?)?;
    let path = data.to_string_lossy().into_owned();
    let flags = ["--class-argument", "2", "--learner", "rdn-boost", "--rounds", "3", "--json", "--quiet"];
    let events = ends(&folder, &[&["cv", &path][..], &flags].concat());
    let done: serde_json::Value =
        serde_json::from_str(events.lines().last().expect("an event")).expect("JSON");
    for name in ["accuracy", "macro_auc_pr", "log_loss"] {
        let metric = &done["variants"][0]["metrics"][name];
        assert_eq!(validation.means(name), [metric["mean"].as_f64()], "{name}");
        let folds: Vec<Option<f64>> = validation.folds().iter().map(|fold| fold.metric(name)).collect();
        let expected: Vec<Option<f64>> =
            metric["folds"].as_array().expect("folds").iter().map(serde_json::Value::as_f64).collect();
        assert_eq!(folds, expected, "{name}");
        assert!(folds.len() > 1 && folds[0].is_some(), "{name}: {folds:?}");
    }
    let classes: Vec<&str> = validation.of_classes().map(|(name, _)| name).collect();
    assert_eq!(classes.len(), 3, "{classes:?}");
    let (_, of_first) = validation.of_classes().next().expect("a class");
    assert!(of_first[0].metric("auc_pr").is_some() && of_first[0].metric("macro_auc_pr").is_none());
    Ok(())
}

fn code<T>(result: Result<T, Error>) -> String {
    let error = result.map(drop).expect_err("it is an error");
    assert!(error.to_string().starts_with(&format!("error[{}]: ", error.messages()[0].code)), "{error}");
    error.messages()[0].code.clone()
}

/// A search that keeps nothing has a code, and one that is ended before it keeps something the code of a stop.
#[test]
fn every_error_has_a_code() -> Result<(), Error> {
    let data = Dataset::open(fixture("university"))?;
    let learner = Learner::named("gleaner")?.with("seeds", 2)?;
    assert_eq!(code(learner.clone().with("min-pos", 10_000)?.fit(&data)), "G107");
    let cancel = Cancel::new();
    cancel.cancel();
    assert_eq!(code(learner.within(&Context::default().cancelled_by(&cancel)).fit(&data)), "G088");
    Ok(())
}

/// A context that has ended ends every call, before it reads or writes anything.
#[test]
fn a_context_ends_every_call() -> Result<(), Error> {
    let folder = fresh_folder("door_context");
    let data = Dataset::open(fixture("university"))?;
    let model = Learner::named("rdn-boost")?.with("rounds", 2)?.fit(&data)?;
    let example = data.examples().next().expect("an example").text;
    let clause = "advisedby(A,B) :- publication(C,A), publication(C,B).";
    let cancel = Cancel::new();
    cancel.cancel();
    for context in
        [Context::default().cancelled_by(&cancel), Context::default().time_limit(Duration::ZERO).threads(1)]
    {
        let of_files = || Dataset::reader(fixture("university")).within(&context);
        assert_eq!(code(of_files().open()), "G088");
        assert_eq!(code(reader(fixture("kinds/won"), "labels.won").within(&context).open()), "G088");
        assert_eq!(code(of_files().convert("csv", folder.join("converted"))), "G088");
        let university = Domain::University(UniversityConfig::default());
        assert_eq!(code(generate(university, folder.join("made"), &context)), "G088");
        assert_eq!(code(data.clone().within(&context).inspect()), "G088");
        let within = model.clone().within(&context);
        assert_eq!(code(within.explain(&data, &example, &ScoringOptions::default())), "G088");
        assert_eq!(code(Learner::default().within(&context).why(&data, clause, None)), "G088");
        assert!(!folder.join("converted").exists() && !folder.join("made").exists());
    }
    // A reader's context is that of its data.
    let patient = Context::default().threads(2);
    let read = Dataset::reader(fixture("university")).within(&patient).open()?;
    assert_eq!(read.inspect()?, data.inspect()?);
    Ok(())
}

/// A graph in memory is the graph of a file: the same model, ranks, explanations and new links.
#[test]
fn triples_in_memory_are_those_of_files() -> Result<(), Error> {
    let folder = fresh_folder("door_triples");
    let ends = |at: usize| [format!("a{}", at % 20), format!("b{}", (at * 7 + at / 20) % 20)];
    let lines: Vec<[String; 3]> = (0..60)
        .map(|at| {
            let ([head, tail], relation) = (ends(at), ["above", "near", "below"][at % 3]);
            [head, relation.to_owned(), tail]
        })
        .collect();
    let text: String = lines.iter().map(|line| line.join("\t") + "\n").collect();
    write(&folder, "graph.txt", &text);
    let column = |at: usize| lines.iter().map(|line| line[at].clone()).collect::<Vec<_>>();
    let table = Table::new("graph").column("head", column(0));
    let table = table.column("relation", column(1)).column("tail", column(2));
    let (of_file, of_memory) = (Source::from(folder.join("graph.txt")), Source::triples(table));
    let learner = Learner::default();
    let model = learner.fit_links(of_file.clone())?;
    assert_eq!(learner.fit_links(of_memory.clone())?.to_json(), model.to_json());
    let ranks = |source| model.rank(source, LinkPart::Train, RankAmong::Entities);
    assert_eq!(ranks(of_memory.clone())?, ranks(of_file.clone())?);
    assert!(ranks(of_file.clone())?.mrr.is_some());
    let explained = |source| model.explain_link("above(a0,b0)", source);
    assert_eq!(explained(of_memory.clone())?, explained(of_file.clone())?);
    let new = |source| model.new_links(NewLinkQuery::default(), Some(source), 5);
    assert_eq!(new(of_memory.clone())?, new(of_file)?);
    let two = Table::new("graph").column("head", vec!["a"]).column("tail", vec!["b"]);
    assert_eq!(code(learner.fit_links(Source::triples(two))), "G090");
    assert!(learner.cross_validate_links(of_memory)?.means("mrr")[0].is_some());
    Ok(())
}

/// The model of data, and the files of their cross-validation, but for those that name places and times.
fn found(data: &Dataset, folder: &Path) -> Result<(String, Vec<(String, String)>), Error> {
    let learner = Learner::named("aleph")?.with("clauses", 100)?;
    let options = ValidationOptions { folder: Some(folder.to_owned()), ..ValidationOptions::default() };
    learner.validate(data, &[("", &learner)], &options)?;
    let of_run = files(folder).into_iter().filter(|(name, _)| !name.ends_with("timing.json"));
    let text =
        |(name, content): (String, Vec<u8>)| (name, without_settings(&String::from_utf8_lossy(&content)));
    Ok((learner.fit(data)?.to_json(), of_run.map(text).collect()))
}

/// Documents in memory are those of a folder, to the byte: in lines of JSON, and as annotations of brat beside their texts.
#[test]
fn a_corpus_in_memory_is_that_of_files() -> Result<(), Error> {
    let folder = fresh_folder("door_corpus");
    let lines = std::fs::read_to_string(fixture("kinds/corpus.jsonl")).expect("the corpus");
    let of_line = |(at, line): (usize, &str)| (format!("d{at}.jsonl"), format!("{line}\n"));
    let of_lines: Vec<(String, String)> = lines.lines().enumerate().map(of_line).collect();
    let of_brat = (0..24).flat_map(|at: usize| {
        let (word, event) =
            if at.is_multiple_of(2) { ("binds", "R1\tbinds Arg1:T1 Arg2:T2\n") } else { ("meets", "") };
        let text = format!("p{at} {word} q{at}.");
        let [first, second] = [format!("p{at}").len(), text.len() - 1];
        let begin = second - format!("q{at}").len();
        let annotations =
            format!("T1\tprotein 0 {first}\tp{at}\nT2\tprotein {begin} {second}\tq{at}\n{event}");
        [(format!("d{at}.txt"), text), (format!("d{at}.ann"), annotations)]
    });
    for (name, documents) in [("jsonl", of_lines), ("brat", of_brat.collect())] {
        let data = folder.join(name);
        std::fs::create_dir(&data).expect("it can be made");
        documents.iter().for_each(|(name, text)| write(&data, name, text));
        let of_files = Dataset::reader(&data).format("corpus").open()?;
        let of_memory = Dataset::open(Source::corpus(documents))?;
        let told = |data: &Dataset| -> Vec<(String, String)> {
            data.warnings().into_iter().map(|warning| (warning.code, warning.text)).collect()
        };
        assert_eq!(told(&of_memory), told(&of_files), "{name}");
        assert!(of_files.n_positives() > 5 && of_files.n_negatives() > 5, "{name}: {of_files}");
        let memory = found(&of_memory, &folder.join(format!("{name}_memory")))?;
        let written = found(&of_files, &folder.join(format!("{name}_files")))?;
        assert_eq!(memory.0, written.0, "{name}");
        let names =
            |files: &[(String, String)]| files.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>();
        assert_eq!(names(&memory.1), names(&written.1), "{name}");
        for ((file, memory), (_, written)) in memory.1.iter().zip(&written.1) {
            assert_eq!(memory, written, "{name}: {file}");
        }
    }
    assert_eq!(code(Dataset::open(Source::corpus([("notes.md", "no corpus")]))), "G153");
    Ok(())
}

/// Texts of modes and rules say what files of them say, beside a folder and beside tables in memory.
#[test]
fn texts_in_memory_are_files() -> Result<(), Error> {
    let folder = fresh_folder("door_texts");
    let modes = ":- modeh(1, advisedby(+person, +person)).\n:- modeb(1, coauthor(+person, +person)).\n";
    let rules = "coauthor(A, B) :- publication(T, A), publication(T, B).\n";
    write(&folder, "modes.pl", modes);
    write(&folder, "rules.pl", rules);
    let data = fixture("university");
    let of_files =
        Dataset::reader(&data).modes(folder.join("modes.pl")).background(folder.join("rules.pl")).open()?;
    let of_texts = Dataset::open(Source::from(&data).program(rules).modes(modes))?;
    let learner = Learner::named("aleph")?.with("clauses", 200)?;
    let model = learner.fit(&of_files)?;
    assert_eq!(learner.fit(&of_texts)?.to_json(), model.to_json());
    assert!(model.to_json().contains("coauthor"), "{model}");
    assert_eq!(of_texts.inspect()?.to_string(), of_files.inspect()?.to_string());
    let faulty =
        Dataset::open(Source::from(&data).program("coauthor(A, B) :- .")).expect_err("it is no rule");
    let place = faulty.messages()[0].place.clone().expect("a place");
    assert_eq!((&*place.file, place.line), ("program1", 1), "{faulty}");
    let people = Table::new("people").column("person", vec!["a", "b"]).column("label", vec![true, false]);
    let shared: Arc<str> = ":- modeh(1, people(+person)). :- modeb(1, tall(+person)).".into();
    let read = Dataset::open(Source::facts([people]).program(shared).program("tall(a)."))?;
    assert_eq!((read.n_positives(), read.target()), (1, "people/1".to_owned()));
    assert!(Model::from_json(&model.to_json())?.predict(&of_texts)?.scores()?.metrics()?.auc_pr.is_some());
    Ok(())
}
