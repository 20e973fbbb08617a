//! `gleaner predict`: examples without labels are scored in every layout, as they are with labels.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::support::{fixture, fresh_folder, gleaner, program};

/// What a table of scores says of an example.
#[derive(Clone, Debug, PartialEq)]
struct Row {
    arguments: Vec<String>,
    score: String,
    decision: String,
    label: String,
}

impl Row {
    fn unlabelled(&self) -> Self {
        Self { label: String::new(), ..self.clone() }
    }
}

fn model() -> String {
    fixture("compat/gleaner.json").to_string_lossy().into_owned()
}

/// Predicts with the model of `fixtures/compat`; the rows by example, and what was told.
fn predicted(folder: &Path, arguments: &[&str]) -> (BTreeMap<String, Row>, String) {
    let model = model();
    let (code, stdout, stderr) = gleaner(folder, &[&["predict", &model], arguments].concat());
    assert_eq!(code, Some(0), "{arguments:?}: {stderr}");
    (rows(&stdout), stderr)
}

fn rows(scores: &str) -> BTreeMap<String, Row> {
    let mut table = csv::Reader::from_reader(scores.as_bytes());
    let header = table.headers().expect("a header").clone();
    let at = |name: &str| header.iter().position(|known| known == name).expect("a column");
    let [score, decision, label] = ["score", "decision", "label"].map(at);
    let cells = |record: csv::StringRecord| {
        let cell = |column: usize| record[column].to_owned();
        let arguments = (1..score).map(cell).collect();
        (cell(0), Row { arguments, score: cell(score), decision: cell(decision), label: cell(label) })
    };
    table.records().map(|record| cells(record.expect("a record"))).collect()
}

fn unlabelled(rows: &BTreeMap<String, Row>) -> BTreeMap<String, Row> {
    rows.iter().map(|(example, row)| (example.clone(), row.unlabelled())).collect()
}

/// `fixtures/university` in another layout, in a folder of its own; and the scores of its examples with labels.
fn converted(name: &str, format: &str) -> (PathBuf, BTreeMap<String, Row>) {
    let folder = fresh_folder(name);
    let data = fixture("university");
    let arguments = ["convert", &data.to_string_lossy(), "--to", format, "-o", "data"];
    let (code, _, stderr) = gleaner(&folder, &arguments);
    assert_eq!(code, Some(0), "{stderr}");
    let labelled = predicted(&folder, &["data"]).0;
    assert_eq!(labelled.len(), 1774, "{format}");
    (folder, labelled)
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).expect("the file can be read")
}

fn write(path: &Path, text: &str) {
    std::fs::write(path, text).expect("the file can be written");
}

/// The table of examples with its labels changed.
fn relabelled(table: &str, label: impl Fn(usize, &str) -> String) -> String {
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(table.as_bytes());
    let mut writer = csv::Writer::from_writer(Vec::new());
    let mut at = None;
    for (number, record) in reader.records().enumerate() {
        let record = record.expect("a record");
        let column =
            *at.get_or_insert_with(|| record.iter().position(|name| name == "label").expect("labels"));
        let cells = record.iter().enumerate().map(|(place, cell)| {
            if place == column && number > 0 { label(number, cell) } else { cell.to_owned() }
        });
        writer.write_record(cells).expect("it is kept in memory");
    }
    String::from_utf8(writer.into_inner().expect("it is whole")).expect("it is UTF-8")
}

/// G090 was said of every empty label.
#[test]
fn rows_of_tables_need_no_label() {
    let (folder, labelled) = converted("predict_csv", "csv");
    let table = folder.join("data/advisedby.csv");
    let text = read(&table);
    write(&table, &relabelled(&text, |_, _| String::new()));
    assert_eq!(predicted(&folder, &["data"]).0, unlabelled(&labelled));
    // A mixture: those with labels are measured.
    write(
        &table,
        &relabelled(&text, |number, label| if number % 2 == 0 { label.to_owned() } else { String::new() }),
    );
    let (mixed, _) = predicted(&folder, &["data"]);
    assert_eq!(unlabelled(&mixed), unlabelled(&labelled));
    let known: BTreeMap<_, _> = mixed.into_iter().filter(|(_, row)| !row.label.is_empty()).collect();
    assert_eq!(known.len(), 887);
    assert!(known.iter().all(|(example, row)| labelled[example] == *row), "labels are those of the data");
    let model = model();
    let measured = |arguments: &[&str]| {
        let (code, stdout, stderr) = gleaner(&folder, &[&["evaluate"], arguments].concat());
        assert_eq!(code, Some(0), "{stderr}");
        assert!(stderr.contains("887 examples without a label are left out"), "{stderr}");
        stdout
    };
    gleaner(&folder, &["predict", &model, "data", "-o", "mixed.csv"]);
    let of_table = measured(&["mixed.csv"]);
    assert_eq!(measured(&[&model, "data"]), of_table);
    let n_positives = known.values().filter(|row| row.label == "1").count();
    assert!(of_table.contains(&format!("{n_positives} positives")), "{of_table}");
}

#[test]
fn tables_need_no_column_of_labels() {
    let (folder, labelled) = converted("predict_csv_bare", "csv");
    let table = folder.join("data/advisedby.csv");
    let text = read(&table);
    let header = text.lines().next().expect("a header");
    let column = header.split(',').position(|name| name == "label").expect("labels");
    let without = |line: &str| {
        let cells = line.split(',').enumerate().filter(|(place, _)| *place != column);
        cells.map(|(_, cell)| cell).collect::<Vec<_>>().join(",") + "\n"
    };
    write(&table, &text.lines().map(without).collect::<String>());
    assert_eq!(predicted(&folder, &["data"]).0, unlabelled(&labelled));
    // Nothing can be measured.
    let model = model();
    let (code, _, stderr) = gleaner(&folder, &["evaluate", &model, "data"]);
    assert!(code == Some(1) && stderr.contains("error[G020]"), "{stderr}");
}

#[test]
fn lines_of_json_need_no_label() {
    let (folder, labelled) = converted("predict_json", "json-lines");
    let names = std::fs::read_dir(folder.join("data")).expect("a folder").flatten();
    for entry in names.filter(|entry| entry.path().extension().is_some_and(|ending| ending == "jsonl")) {
        let text =
            read(&entry.path()).replace("\"label\":true", "\"label\":null").replace(",\"label\":false", "");
        write(&entry.path(), &text);
    }
    assert_eq!(predicted(&folder, &["data"]).0, unlabelled(&labelled));
}

/// G032 was said of the file that is missing, G020 of the class.
#[test]
fn files_of_one_class_are_scored_without_labels() {
    for (format, positives, negatives) in [("aleph", "advisedby.f", "advisedby.n"), ("popper", "exs.pl", "")]
    {
        let (folder, labelled) = converted(&format!("predict_{format}"), format);
        let data = folder.join("data");
        let file = |name: &str| {
            let ending = Path::new(name).extension().expect("an ending").to_owned();
            let mut found = std::fs::read_dir(&data).expect("a folder").flatten().map(|entry| entry.path());
            let is_it = |path: &PathBuf| {
                path.ends_with(name) || format == "aleph" && path.extension() == Some(&ending)
            };
            found.find(is_it).expect("the file was written")
        };
        let path = file(positives);
        let text = match negatives {
            "" => read(&path).replace("neg(", "pos("),
            _ => {
                let of_negatives = file(negatives);
                let text = read(&path) + &read(&of_negatives);
                std::fs::remove_file(of_negatives).expect("the file is removed");
                text
            }
        };
        write(&path, &text);
        let (scored, stderr) = predicted(&folder, &["data"]);
        assert_eq!(scored, unlabelled(&labelled), "{format}");
        assert!(stderr.contains("1774 listed examples are scored without labels"), "{format}: {stderr}");
    }
}

/// A file for each class in each fold, in the own layout and in BoostSRL's.
#[test]
fn folds_of_one_class_are_scored_without_labels() {
    for (format, names) in [("own", ["pos.pl", "neg.pl"]), ("boostsrl", ["test_pos.txt", "test_neg.txt"])] {
        let (folder, labelled) = converted(&format!("predict_{format}"), format);
        let test = if format == "own" { "" } else { "test" };
        for fold in 1..=4 {
            let [positives, negatives] =
                names.map(|name| folder.join(format!("data/fold{fold}")).join(test).join(name));
            write(&positives, &(read(&positives) + &read(&negatives)));
            std::fs::remove_file(negatives).expect("the file is removed");
        }
        let (scored, _) = predicted(&folder, &["data"]);
        assert_eq!(scored, unlabelled(&labelled), "{format}");
        let of_fold = predicted(&folder, &["data", "--fold", "1"]).0;
        assert!(
            !of_fold.is_empty() && of_fold.iter().all(|(example, row)| scored[example] == *row),
            "{format}"
        );
    }
}

/// Scores join with a table by its own names, or by the arguments' numbers.
#[test]
fn arguments_have_columns() {
    let (folder, labelled) = converted("predict_columns", "csv");
    let row = &labelled["advisedby(person1,person16)"];
    assert_eq!(row.arguments, ["person1", "person16"]);
    let header = |stdout: &str| stdout.lines().next().expect("a header").to_owned();
    let model = model();
    let (_, stdout, _) = gleaner(&folder, &["predict", &model, "data"]);
    assert_eq!(header(&stdout), "example,argument1,argument2,score,probability,decision,confidence,label");
    let table = folder.join("data/advisedby.csv");
    let text = read(&table);
    let (first, rest) = text.split_once('\n').expect("rows");
    assert!(first.starts_with("person,person,"), "two columns of one name: {first}");
    for (names, expected) in
        [("student,Advising Prof,", "student,Advising Prof"), ("score,b,", "argument1,argument2")]
    {
        write(&table, &format!("{}\n{rest}", first.replacen("person,person,", names, 1)));
        let (_, stdout, _) = gleaner(&folder, &["predict", &model, "data"]);
        assert!(header(&stdout).starts_with(&format!("example,{expected},score,")), "{}", header(&stdout));
    }
}

/// An atom's quotes are of Prolog; a table has none.
#[test]
fn arguments_are_cells_without_quotes() {
    let folder = fresh_folder("predict_cells");
    let data = folder.join("data");
    std::fs::create_dir(&data).expect("the folder can be made");
    write(&data.join("advisedby.csv"), "person,person\nAnn Lee,\"O'Neil, J.\"\nperson1,007\n");
    write(&data.join("publication.csv"), "title,person\nt1,Ann Lee\n");
    let (rows, _) = predicted(&folder, &["data", "--allow-missing"]);
    assert_eq!(rows["advisedby('Ann Lee','O\\'Neil, J.')"].arguments, ["Ann Lee", "O'Neil, J."]);
    assert_eq!(rows["advisedby(person1,'007')"].arguments, ["person1", "007"]);
}

/// The model of fold 1 has seen the other three: said where it is applied to all.
#[test]
fn scoring_what_was_learnt_from_is_said_without_a_fold() {
    let folder = fresh_folder("predict_seen");
    let data = fixture("university").to_string_lossy().into_owned();
    let (all, stderr) = predicted(&folder, &[&data]);
    let (of_fold, of_fold_told) = predicted(&folder, &[&data, "--fold", "1"]);
    let n_seen = all.len() - of_fold.len();
    let wanted = format!("the model kept fold1 for test: {n_seen} of 1774 examples are of the folds");
    assert!(stderr.contains(&wanted) && stderr.contains("--fold 1"), "{stderr}");
    assert!(!of_fold_told.contains("kept fold1"), "{of_fold_told}");
}

#[test]
fn another_target_than_the_model_s_is_a_fault() {
    let folder = fresh_folder("predict_target");
    let model = model();
    let data = fixture("university").to_string_lossy().into_owned();
    let (code, _, stderr) = gleaner(&folder, &["predict", &model, &data, "--target", "publication/2"]);
    assert!(code == Some(1) && stderr.contains("error[G062]"), "{stderr}");
    let other = fixture("grandparents").to_string_lossy().into_owned();
    let (code, _, stderr) = gleaner(&folder, &["predict", &model, &other]);
    assert!(code == Some(1) && stderr.contains("error[G062]"), "{stderr}");
}

/// Ten atoms of the table of scores, each with the line that a list of atoms has for it.
fn listed(rows: &BTreeMap<String, Row>) -> BTreeMap<String, Row> {
    rows.iter().step_by(rows.len() / 10).map(|(example, row)| (example.clone(), row.clone())).collect()
}

/// A plain list of atoms, with or without full stops: those that the data list keep their labels, in any layout.
#[test]
fn a_list_of_atoms_is_scored() {
    for format in ["own", "csv", "aleph", "boostsrl", "popper", "json-lines"] {
        let (folder, labelled) = converted(&format!("predict_list_{format}"), format);
        let wanted = listed(&labelled);
        let atoms: Vec<&str> = wanted.keys().map(String::as_str).collect();
        write(&folder.join("plain.txt"), &format!("% atoms\n{}\n\n", atoms.join("\n")));
        write(&folder.join("program.pl"), &format!("{}. % the last\n", atoms.join(". ")));
        for list in ["plain.txt", "program.pl"] {
            let (scored, _) = predicted(&folder, &["data", "--examples-file", list]);
            assert_eq!(scored, wanted, "{format}, {list}");
        }
    }
}

/// Without any examples of their own the data are facts alone; folds are found by the constants.
#[test]
fn a_list_of_atoms_needs_no_other_examples() {
    let (folder, labelled) = converted("predict_list_alone", "own");
    for fold in 1..=4 {
        for name in ["pos.pl", "neg.pl"] {
            std::fs::remove_file(folder.join(format!("data/fold{fold}/{name}")))
                .expect("the file is removed");
        }
    }
    let wanted = unlabelled(&listed(&labelled));
    let atoms: Vec<&str> = wanted.keys().map(String::as_str).collect();
    write(&folder.join("atoms.txt"), &atoms.join("\n"));
    let (scored, _) = predicted(&folder, &["data", "--examples-file", "atoms.txt"]);
    assert_eq!(scored, wanted);
}

/// Of Alchemy's names in capitals a list of atoms said only that it is none, and that the data have no examples.
#[test]
fn names_in_capitals_of_a_list_of_atoms_need_quotes() {
    let folder = fresh_folder("predict_list_capitals");
    rule_of_grandparents(&folder);
    write(&folder.join("family.db"), "parent(Ann,Bob)\nparent(Bob,Cid)\n");
    write(&folder.join("list.txt"), "grandparent(Ann,Cid)\n");
    let asked = ["predict", "family.json", "family.db", "--examples-file", "list.txt"];
    let (code, _, stderr) = gleaner(&folder, &asked);
    assert!(code == Some(1) && stderr.contains("error[G023]") && !stderr.contains("G020"), "{stderr}");
    assert!(stderr.contains("needs quotes: 'Ann'"), "{stderr}");
    write(&folder.join("list.txt"), "grandparent('Ann','Cid')\n");
    let (code, stdout, stderr) = gleaner(&folder, &asked);
    assert_eq!(code, Some(0), "{stderr}");
    assert_eq!(rows(&stdout)["grandparent('Ann','Cid')"].score, "1");
}

#[test]
fn faults_of_a_list_of_atoms_have_their_places() {
    let folder = fresh_folder("predict_list_faults");
    let (model, data) = (model(), fixture("university").to_string_lossy().into_owned());
    for (text, code, place) in [
        ("advisedby(person1,person16)\nprofessor(person1)\n", "G062", "list.txt:2:1"),
        ("advisedby(person1,A)\n", "G023", "list.txt:1:1"),
        ("advisedby(person1,person16)\nadvisedby(person1\n", "G001", "list.txt:2:1"),
        ("advisedby(person1,person106)\n", "G100", "list.txt:1:1"),
        ("% nothing\n", "G020", ""),
    ] {
        write(&folder.join("list.txt"), text);
        let arguments = ["predict", &model, &data, "--examples-file", "list.txt"];
        let (code_of_end, _, stderr) = gleaner(&folder, &arguments);
        assert_eq!(code_of_end, Some(1), "{text}: {stderr}");
        assert!(stderr.contains(&format!("error[{code}]")) && stderr.contains(place), "{text}: {stderr}");
    }
}

/// A rule that `fixtures/grandparents` holds, learnt from it.
fn rule_of_grandparents(folder: &Path) {
    let data = fixture("grandparents").to_string_lossy().into_owned();
    let learn = ["learn", &data, "--negatives", "all", "--learner", "aleph", "-o", "family.json"];
    let (code, _, stderr) = gleaner(folder, &learn);
    assert_eq!(code, Some(0), "{stderr}");
}

/// Scores of `family.json` on what these files hold, by example; of a model that only the data know, of `model.json`.
fn scored_files(
    folder: &Path,
    model: &str,
    files: &[(&str, &str)],
    arguments: &[&str],
) -> Vec<(String, Row)> {
    for (name, text) in files {
        let path = folder.join(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("the folder can be made");
        write(&path, text);
    }
    let (code, stdout, stderr) = gleaner(folder, &[&["predict", model], arguments].concat());
    assert_eq!(code, Some(0), "{arguments:?}: {stderr}");
    rows(&stdout).into_iter().collect()
}

/// That two examples have these scores and no label.
fn assert_unlabelled(scored: &[(String, Row)], expected: [(&str, &str); 2], what: &str) {
    let found: Vec<(&str, &str)> = scored.iter().map(|(atom, row)| (&**atom, &*row.score)).collect();
    assert_eq!(found, expected, "{what}");
    assert!(scored.iter().all(|(_, row)| row.label.is_empty()), "{what}: {scored:?}");
}

/// Ann's child Bob has the child Cid; Eve's only child is Fay. By the rule, Ann is Cid's grandparent and Eve is not.
const ASKED: [(&str, &str); 2] = [("grandparent(ann,cid)", "1"), ("grandparent(eve,cid)", "0")];

/// Formats whose readers have no word for a label, or for a negative: beside the data, and in a list of atoms.
#[test]
fn formats_without_labels_are_scored() {
    const TURTLE: &str = "@prefix : <http://example.org/> .\n:ann :parent :bob , :eve . :bob :parent :cid . :eve :parent :fay .\n";
    const TRIPLES: &str = "ann\tparent\tbob\nann\tparent\teve\nbob\tparent\tcid\neve\tparent\tfay\n";
    const FACTS: &str = "parent(ann,bob). parent(ann,eve). parent(bob,cid). parent(eve,fay).\n";
    let of_triples = |line: &dyn Fn([&str; 3]) -> String, facts: &str| {
        let facts = facts.lines().filter_map(|fact| fact.split('\t').collect::<Vec<_>>().try_into().ok());
        facts.map(line).collect::<String>()
    };
    let statement = |[subject, relation, object]: [&str; 3]| {
        let name = |name: &str| format!("<http://example.org/{name}>");
        format!("{} {} {} .\n", name(subject), name(relation), name(object))
    };
    let ground = |[subject, relation, object]: [&str; 3]| format!("{relation}({subject},{object})\n");
    const PAIRS: &str = "ann\tgrandparent\tcid\neve\tgrandparent\tcid\n";
    let (nt, db) = (of_triples(&statement, TRIPLES), of_triples(&ground, TRIPLES));
    let turtle = format!("{TURTLE}:ann :grandparent :cid . :eve :grandparent :cid .\n");
    let headless = format!("{FACTS}:- grandparent(ann,cid).\n:- grandparent(eve,cid).\n");
    let positive = format!("{FACTS}grandparent(ann,cid).\ngrandparent(eve,cid).\n");
    let modes = ":- modeh(1,grandparent(+person,+person))?\n:- modeb(*,parent(+person,-person))?\n";
    let folder = fresh_folder("predict_without_labels");
    rule_of_grandparents(&folder);
    write(&folder.join("list.txt"), "grandparent(ann,cid)\ngrandparent(eve,cid)\n");
    // By folder: with examples, and what is left of it without them.
    for (what, with, without, further) in [
        (
            "triples",
            vec![("t/train.txt", TRIPLES), ("t/test.txt", PAIRS)],
            vec![("u/train.txt", TRIPLES)],
            &[][..],
        ),
        ("turtle", vec![("v/family.ttl", &turtle)], vec![("w/family.ttl", TURTLE)], &[]),
        (
            "n-triples",
            vec![("x/family.nt", &format!("{nt}{}", of_triples(&statement, PAIRS)))],
            vec![("y/family.nt", &nt)],
            &[],
        ),
        (
            "alchemy",
            vec![("a/family.db", &format!("{db}{}", of_triples(&ground, PAIRS)))],
            vec![("b/family.db", &db)],
            &[],
        ),
        ("progol", vec![("p/s1.pl", &headless)], vec![("q/s1.pl", FACTS)], &["--format", "progol"]),
        (
            "progol, positives",
            vec![("r/s1.pl", &format!("{modes}{positive}"))],
            vec![("s/s1.pl", &format!("{modes}{FACTS}"))],
            &["--format", "progol"],
        ),
    ] {
        let data = |files: &[(&str, &str)]| files[0].0.split('/').next().expect("a folder").to_owned();
        let (scored, asked) = (data(&with), data(&without));
        let listed = [&[&*scored][..], further].concat();
        assert_unlabelled(&scored_files(&folder, "family.json", &with, &listed), ASKED, what);
        let asked = [&[&*asked, "--examples-file", "list.txt"][..], further].concat();
        assert_unlabelled(&scored_files(&folder, "family.json", &without, &asked), ASKED, what);
    }
}

/// A model of cplint is about the first argument, which each interpretation adds.
#[test]
fn interpretations_without_labels_are_scored() {
    const ABOUT: &str = "output(grandparent/2).\ninput(parent/2).\nmodeh(*,grandparent(+person,+person)).\nmodeb(*,parent(+person,-person)).\n";
    let learnt = format!(
        "{ABOUT}begin(model(m1)).\nparent(ann,bob). parent(bob,cid). parent(ann,eve). parent(eve,fay).\n\
         grandparent(ann,cid). grandparent(ann,fay). neg(grandparent(eve,cid)). neg(grandparent(bob,cid)).\n\
         neg(grandparent(ann,bob)). neg(grandparent(ann,eve)).\nend(model(m1)).\n\
         begin(model(m2)).\nparent(gus,hal). parent(hal,ida). parent(gus,jon). parent(jon,kay).\n\
         grandparent(gus,ida). grandparent(gus,kay). neg(grandparent(gus,jon)). neg(grandparent(hal,ida)).\n\
         neg(grandparent(gus,hal)).\nend(model(m2)).\n"
    );
    let model = |examples: &str| {
        format!(
            "{ABOUT}begin(model(m3)).\nparent(ann,bob). parent(bob,cid). parent(ann,eve). parent(eve,fay).\n{examples}end(model(m3)).\n"
        )
    };
    let folder = fresh_folder("predict_cplint");
    write(&folder.join("learnt.pl"), &learnt);
    let (code, stdout, stderr) =
        gleaner(&folder, &["learn", "learnt.pl", "--learner", "aleph", "-o", "model.json"]);
    assert_eq!(code, Some(0), "{stderr}");
    assert!(stdout.contains("grandparent(A,B,C) :- parent(A,B,D), parent(A,D,C)."), "{stdout}");
    let expected = [("grandparent(m3,ann,cid)", "1"), ("grandparent(m3,eve,cid)", "0")];
    for (name, examples) in [
        ("positive.pl", "grandparent(ann,cid). grandparent(eve,cid).\n"),
        ("negative.pl", "neg(grandparent(ann,cid)). neg(grandparent(eve,cid)).\n"),
    ] {
        let scored = scored_files(&folder, "model.json", &[(name, &model(examples))], &[name]);
        assert_unlabelled(&scored, expected, name);
    }
    let list = expected.map(|(atom, _)| atom).join("\n");
    let files = [("bare.pl", &*model("")), ("list.txt", &*list)];
    let scored = scored_files(&folder, "model.json", &files, &["bare.pl", "--examples-file", "list.txt"]);
    assert_unlabelled(&scored, expected, "bare.pl");
}

/// `-` was said not to exist, where it is standard input elsewhere.
#[cfg(unix)]
#[test]
fn data_come_from_standard_input() {
    let folder = fresh_folder("predict_stdin");
    rule_of_grandparents(&folder);
    write(&folder.join("family.db"), "parent(Ann,Bob)\nparent(Bob,Cid)\ngrandparent(Ann,Cid)\n");
    let database = std::fs::File::open(folder.join("family.db")).expect("it was written");
    let output = program(&folder)
        .args(["predict", "family.json", "-", "--format", "alchemy"])
        .stdin(database)
        .output()
        .expect("the program runs");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{stderr}");
    assert_eq!(rows(&String::from_utf8_lossy(&output.stdout))["grandparent('Ann','Cid')"].score, "1");
}

/// A table that holds only its header says that there are no such facts: that was not known of a table that is missing.
#[test]
fn a_table_of_a_header_alone_is_no_missing_predicate() {
    let folder = fresh_folder("predict_empty_table");
    rule_of_grandparents(&folder);
    std::fs::create_dir(folder.join("data")).expect("the folder can be made");
    write(&folder.join("data/grandparent.csv"), "person,person\nann,cid\n");
    let (code, stdout, stderr) = gleaner(&folder, &["predict", "family.json", "data"]);
    assert!(code == Some(1) && stdout.is_empty() && stderr.contains("error[G012]"), "{stderr}");
    write(&folder.join("data/parent.csv"), "person,person\n");
    let (code, stdout, stderr) = gleaner(&folder, &["predict", "family.json", "data"]);
    assert!(code == Some(0) && stderr.contains("warning[G012]"), "{stderr}");
    assert_eq!(rows(&stdout)["grandparent(ann,cid)"].score, "0");
}

/// A model file keeps the thresholds that could decide: at another operating point `predict` decides as the model does that was learnt
/// with it, which has the same scores.
#[test]
fn another_operating_point_decides_as_if_learnt_with_it() {
    let folder = fresh_folder("predict_operating_point");
    let data = fixture("university").to_string_lossy().into_owned();
    for learner in ["rdn-boost", "srl", "prankboost-clause", "aleph-ensemble"] {
        let learn = ["learn", &data, "--fold", "1", "--learner", learner, "--seeds", "2", "--clauses", "100"];
        let learn = [&learn[..], &["--rounds", "2", "--ensemble-size", "4", "--quiet"]].concat();
        let learnt = |name: &str, more: &[&str]| {
            let (code, _, stderr) = gleaner(&folder, &[&learn, &["-o", name][..], more].concat());
            assert_eq!(code, Some(0), "{learner}: {stderr}");
        };
        learnt("model.json", &[]);
        let scored = |model: &str, more: &[&str]| {
            let (code, stdout, stderr) =
                gleaner(&folder, &[&["predict", model, &data, "--fold", "1"], more].concat());
            assert_eq!(code, Some(0), "{learner}: {stderr}");
            rows(&stdout)
        };
        let mut n_called = std::collections::BTreeSet::new();
        for point in ["mean-f1", "recall=1", "precision=1", "cost=1:100", "cost=100:1", "accuracy"] {
            learnt("other.json", &["--operating-point", point]);
            let asked = scored("model.json", &["--operating-point", point]);
            assert_eq!(asked, scored("other.json", &[]), "{learner} {point}");
            n_called.insert(asked.values().filter(|row| row.decision == "1").count());
        }
        assert!(n_called.len() > 1, "{learner}: points decide otherwise");
    }
}

#[test]
fn an_operating_point_is_refused_where_no_thresholds_are_kept() {
    let folder = fresh_folder("predict_no_thresholds");
    let data = fixture("university").to_string_lossy().into_owned();
    let ask = |point: &str| {
        let (code, _, stderr) = gleaner(&folder, &["predict", &model(), &data, "--operating-point", point]);
        (code, stderr)
    };
    let (code, stderr) = ask("recall=0.9");
    assert_eq!(code, Some(2), "{stderr}");
    assert!(stderr.contains("keeps no thresholds") && stderr.contains("learn it anew"), "{stderr}");
    let (code, stderr) = ask("recall=9");
    assert_eq!(code, Some(2), "{stderr}");
    assert!(stderr.contains("it is mean-f1, best-f1, recall=R"), "{stderr}");
}

/// Times hide rows, though no clause names them. A message tells of data that lack such a column.
#[test]
fn a_time_that_the_model_knows_and_the_data_lack_is_told() {
    let folder = fresh_folder("predict_without_time");
    let (mut people, mut visits, mut labels) =
        ("person_id,joined,town\n".to_owned(), "visit_id,person,seen_on,kind\n".to_owned(), String::new());
    for person in 0..60 {
        // Who buys early is positive; all others buy after the cut-offs.
        let is_positive = person % 4 == 1;
        let [early, late] = if is_positive { ["buy", "look"] } else { ["look", "buy"] };
        people.push_str(&format!("p{person},2024-01-{:02},t{}\n", 1 + person % 9, person % 3));
        visits.push_str(&format!(
            "v{person}a,p{person},2024-04-02,{early}\nv{person}b,p{person},2024-11-05,{late}\n"
        ));
        labels.push_str(&format!("p{person},2024-06-1{},{}\n", person % 5, u32::from(is_positive)));
    }
    let labels = format!("person,as_of,label\n{labels}");
    let without = |table: &str, at: usize| -> String {
        let keep = |line: &str| {
            let cells = line.split(',').enumerate().filter(|(cell, _)| *cell != at);
            cells.map(|(_, cell)| cell).collect::<Vec<_>>().join(",") + "\n"
        };
        table.lines().map(keep).collect()
    };
    let (no_joined, no_seen_on) = (without(&people, 1), without(&visits, 2));
    for (data, people, visits) in
        [("db", &people, &visits), ("no_joined", &no_joined, &visits), ("no_seen_on", &people, &no_seen_on)]
    {
        std::fs::create_dir_all(folder.join(data)).expect("the folder can be made");
        write(&folder.join(data).join("people.csv"), people);
        write(&folder.join(data).join("visits.csv"), visits);
        write(&folder.join(data).join("labels.csv"), &labels);
    }
    let learn = ["learn", "db", "--label", "labels.label", "--learner", "tree", "-o", "m.json", "--quiet"];
    let (code, _, stderr) = gleaner(&folder, &learn);
    assert_eq!(code, Some(0), "{stderr}");
    for (data, column) in [
        ("db", None),
        ("no_joined", Some("people has no column joined")),
        ("no_seen_on", Some("visits has no column seen_on")),
    ] {
        let (_, _, stderr) = gleaner(&folder, &["predict", "m.json", data]);
        assert_eq!(stderr.contains("G129"), column.is_some(), "{data}: {stderr}");
        assert!(stderr.contains(column.unwrap_or_default()), "{data}: {stderr}");
    }
}
