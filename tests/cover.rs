//! `gleaner cover`: counts worked by hand and by the slow engine, streams longer than a block, the same
//! bytes by every way in and out, and faults with their places.

use crate::support::asked::{clauses_of, with_clauses};
use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Read, Write as _};
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::sync::Arc;

use gleaner_base::{Counts, ExampleId};
use gleaner_data::{LoadRequest, load};
use gleaner_engine::coverage::{Universe, reference};
use gleaner_lang::syntax::Sources;
use serde_json::Value as Json;
use tempfile::TempDir;

use crate::support::{expect_text, fixture, program};

/// People and their ages; who is whose grandparent: 2 positives, 3 negatives.
struct Family(TempDir);

impl Family {
    fn new() -> Self {
        let family = Self(tempfile::tempdir().expect("a temporary folder can be made"));
        family.write(
            "background.pl",
            "parent(ann,bob). parent(bob,cid). parent(bob,dee). parent(eve,fay).
             age(ann,70). age(bob,40). age(cid,12). age(dee,9). age(eve,50). age(fay,20.5).",
        );
        let modes = ":- modeh(1, grandparent(+person,+person)). :- modeb(*, parent(+person,-person)).
                     :- modeb(1, age(+person,-year)).";
        family.write("modes.pl", modes);
        family.write("pos.pl", "grandparent(ann,cid). grandparent(ann,dee).");
        family.write("neg.pl", "grandparent(ann,bob). grandparent(bob,cid). grandparent(eve,cid).");
        family
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.path(name), text).expect("the file can be written");
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).expect("the file can be read")
    }

    /// `gleaner cover . …`, run in the folder.
    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = program(self.0.path());
        command.args(["cover", "."]).args(arguments);
        command
    }

    /// Runs what must end with this exit code; standard output and standard error.
    fn ends(&self, code: i32, arguments: &[&str]) -> (String, String) {
        said(code, &self.command(arguments).output().expect("the program runs"))
    }

    /// Covers these clauses; standard output.
    fn cover(&self, clauses: &str, arguments: &[&str]) -> String {
        self.write("clauses.pl", clauses);
        self.ends(0, &[&["clauses.pl", "--quiet"], arguments].concat()).0
    }
}

fn said(code: i32, output: &Output) -> (String, String) {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("output is UTF-8");
    let (stdout, stderr) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(code), "{stdout}\n{stderr}");
    assert!(!stderr.contains("panicked"), "{stderr}");
    (stdout, stderr)
}

const HEADER: &str = "clause,tp,fp,precision,recall,support\n";

/// Clauses with the cells after their text, worked by hand.
const WORKED: [(&str, &str); 10] = [
    ("grandparent(A,B) :- parent(A,C), parent(C,B).", "2,0,1,1,2"),
    ("grandparent(Old,Young) :- parent(Old,Young).", "0,2,0,0,2"),
    ("grandparent(_,_).", "2,3,0.4,1,5"),
    // No fact holds 10.5, nor 50.5: numbers compare by value all the same.
    ("grandparent(A,B) :- age(B,N), N < 10.5.", "1,0,1,0.5,1"),
    ("grandparent(A,B) :- age(A,N), age(B,M), N > M + 50.5.", "2,0,1,1,2"),
    // Nor zoe: nothing is true of her, and everything that is negated.
    ("grandparent(A,zoe).", "0,0,,0,0"),
    ("grandparent(A,B) :- parent(zoe,A).", "0,0,,0,0"),
    ("grandparent(A,B) :- \\+ parent(B,zoe), A \\== eve.", "2,2,0.5,1,4"),
    ("grandparent(A,B) :- A = ann, B = cid.", "1,0,1,0.5,1"),
    ("grandparent(A,A).", "0,0,,0,0"),
];

fn worked(pick: impl Fn(usize) -> usize, n: usize) -> (String, String) {
    let (mut clauses, mut rows) = (String::new(), HEADER.to_owned());
    for (clause, cells) in (0..n).map(|idx| WORKED[pick(idx)]) {
        let _ = writeln!(clauses, "{clause}");
        let quoted = if clause.contains([',', '"']) { format!("\"{clause}\"") } else { clause.to_owned() };
        let _ = writeln!(rows, "{quoted},{cells}");
    }
    (clauses, rows)
}

#[test]
fn counts_are_those_worked_by_hand() {
    let (clauses, rows) = worked(|idx| idx, WORKED.len());
    assert_eq!(Family::new().cover(&clauses, &[]), rows);
}

/// More than one block of text and than one chunk of clauses; by file, by standard input, to a file, on
/// any number of threads.
#[test]
fn a_long_stream_keeps_its_order_by_every_way() {
    let family = Family::new();
    let (clauses, rows) = worked(|idx| idx * idx % WORKED.len(), 15_000);
    assert!(clauses.len() > 1 << 19, "no longer than a block");
    assert_eq!(family.cover(&clauses, &["--threads", "1"]), rows);
    assert_eq!(family.cover(&clauses, &["--threads", "2"]), rows);
    assert_eq!(family.cover(&clauses, &["-o", "rows.csv"]), "");
    assert_eq!(family.read("rows.csv"), rows);
    let file = std::fs::File::open(family.path("clauses.pl")).expect("it was written");
    let output = family.command(&["-"]).stdin(file).output().expect("the program runs");
    let (stdout, stderr) = said(0, &output);
    assert_eq!(stdout, rows);
    assert!(stderr.contains("15000 clauses evaluated, ") && stderr.contains(" clauses/s"), "{stderr}");
}

/// Each clause with a constant of its own, more of them than are kept.
#[test]
fn constants_without_end_are_no_fault() {
    let n_clauses = 70_000;
    let clauses: String = (0..n_clauses).map(|n| format!("grandparent(A,B):-age(B,N),N<{n}.25.\n")).collect();
    let stdout = Family::new().cover(&clauses, &[]);
    let mut n_rows = 0;
    for (n, row) in stdout.lines().skip(1).enumerate() {
        // Of cid, aged 12, there are a positive and two negatives, of dee (9) and bob (40) one.
        let (tp, fp) = (u8::from(n >= 12) + u8::from(n >= 9), 2 * u8::from(n >= 12) + u8::from(n >= 40));
        assert!(row.contains(&format!("N<{n}.25.\",{tp},{fp},")), "{n}: {row}");
        n_rows += 1;
    }
    assert_eq!(n_rows, n_clauses);
}

/// The slow engine, and the loader that reads a model's clauses, find the same.
#[test]
fn every_row_agrees_with_the_reference() {
    let literals = [
        "parent(A,B)",
        "parent(A,C)",
        "parent(C,B)",
        "parent(C,A)",
        "\\+ parent(A,B)",
        "age(A,N)",
        "age(B,M)",
        "age(C,70)",
        "\\+ age(B,9.0)",
        "A \\== eve",
        "B = cid",
        "age(B,X), X >= 12.0",
        "\\+ parent(zoe,B)",
    ];
    let mut texts = Vec::new();
    for (idx, first) in literals.iter().enumerate() {
        texts.push(format!("grandparent(A,B) :- {first}."));
        // Heads of other shapes.
        if !first.contains('A') {
            texts.push(format!("grandparent(ann,B) :- {first}."));
        }
        if !first.contains('B') {
            texts.push(format!("grandparent(A,A) :- {first}."));
        }
        for second in &literals[idx + 1..] {
            texts.push(format!("grandparent(A,B) :- {first}, {second}."));
            texts.push(format!("grandparent(A,B) :- {second}, age(A,Y), Y \\= 41, {first}, ann = A."));
        }
    }
    let family = Family::new();
    let rows = family.cover(&texts.join("\n"), &[]);
    let request = LoadRequest { path: family.path(""), ..LoadRequest::default() };
    let problem = load(&request, &mut Sources::new()).expect("the problem is well formed").problem;
    let problem = with_clauses(&problem, &texts);
    let all: Vec<ExampleId> = problem.examples().ids().collect();
    let universe = Universe::new(Arc::clone(problem.examples()), &all);
    let mut table = csv::Reader::from_reader(rows.as_bytes());
    let records: Vec<csv::StringRecord> = table.records().map(|row| row.expect("rows are CSV")).collect();
    assert_eq!(records.len(), texts.len());
    for ((record, text), clause) in records.iter().zip(&texts).zip(clauses_of(&problem)) {
        let Counts { true_positives: tp, false_positives: fp } =
            universe.counts(&reference::cover(problem.worlds(), clause, &universe));
        assert_eq!((&record[0], &record[1], &record[2]), (&**text, &*tp.to_string(), &*fp.to_string()));
    }
}

#[test]
fn events_hold_what_the_rows_hold() {
    let family = Family::new();
    let (clauses, rows) = worked(|idx| idx, WORKED.len());
    family.write("clauses.pl", &clauses);
    let (stdout, stderr) = family.ends(0, &["clauses.pl", "--json", "-o", "rows.csv"]);
    assert!(stderr.contains("10 clauses evaluated"), "{stderr}");
    assert_eq!(family.read("rows.csv"), rows);
    let events: Vec<Json> =
        stdout.lines().map(|line| serde_json::from_str(line).expect("each line is JSON")).collect();
    let done = events.last().expect("there is a last event");
    assert_eq!((&done["event"], &done["clauses"], &done["stop"]), (&"done".into(), &10.into(), &Json::Null));
    assert_eq!((&done["positives"], &done["negatives"]), (&2.into(), &3.into()));
    let mut table = csv::Reader::from_reader(rows.as_bytes());
    let names = table.headers().expect("a header").clone();
    for (record, event) in table.records().zip(&events[..events.len() - 1]) {
        let record = record.expect("rows are CSV");
        assert_eq!(event["event"], "clause");
        assert_eq!(event["clause"], record[0]);
        for (name, cell) in names.iter().zip(&record).skip(1) {
            assert_eq!(event[name].as_f64(), cell.parse().ok(), "{name} of {event}");
        }
    }
}

#[test]
fn covered_examples_are_listed_on_demand() {
    let family = Family::new();
    let clauses =
        "grandparent(A,B) :- parent(A,C), parent(C,B). grandparent(A,B) :- B = cid. grandparent(B,B).";
    let listed = |which: &str| -> Vec<String> {
        let stdout = family.cover(clauses, &["--examples", which]);
        let mut table = csv::Reader::from_reader(stdout.as_bytes());
        assert_eq!(table.headers().expect("a header").iter().next_back(), Some("examples"));
        table.records().map(|row| row.expect("rows are CSV")[6].to_owned()).collect()
    };
    let (cid, dee) = ("grandparent(ann,cid).", "grandparent(ann,dee).");
    let others = "grandparent(bob,cid). grandparent(eve,cid).";
    assert_eq!(listed("all"), [format!("{cid} {dee}"), format!("{cid} {others}"), String::new()]);
    assert_eq!(listed("positives"), [format!("{cid} {dee}"), cid.to_owned(), String::new()]);
    assert_eq!(listed("negatives"), ["", others, ""]);
    let stdout = family.cover(clauses, &["--examples", "all", "--json"]);
    let first: Json = serde_json::from_str(stdout.lines().next().expect("a line")).expect("it is JSON");
    assert_eq!(first["examples"], serde_json::json!(["grandparent(ann,cid)", "grandparent(ann,dee)"]));
}

#[test]
fn clauses_come_back_on_one_line_as_they_were() {
    let clauses = "% first\ngrandparent( A, B ):-parent(A,B). grandparent(Old,\n   Young) :- % why\n\
                   parent(Old, 'bob'), /* or */ age(Young,9).\r\n/* last\n grandparent(A,B). */ grandparent(A,'A b').";
    let stdout = Family::new().cover(clauses, &[]);
    let mut table = csv::Reader::from_reader(stdout.as_bytes());
    let found: Vec<String> = table.records().map(|row| row.expect("rows are CSV")[0].to_owned()).collect();
    let expected = [
        "grandparent( A, B ):-parent(A,B).",
        "grandparent(Old, Young) :- parent(Old, bob), age(Young, 9).",
        "grandparent(A,'A b').",
    ];
    assert_eq!(found, expected);
    assert_eq!(Family::new().cover("% nothing\n", &[]), HEADER);
}

/// `gleaner cover ../university …`, run among the fixtures' clauses.
fn university(code: i32, arguments: &[&str]) -> (String, String) {
    let mut command = program(&fixture("clauses"));
    command.args(["cover", "../university"]).args(arguments);
    said(code, &command.output().expect("the program runs"))
}

/// The counts of each clause.
fn counts(table: &str) -> Vec<(u64, u64)> {
    let mut table = csv::Reader::from_reader(table.as_bytes());
    let number = |cell: &str| cell.parse().expect("a count");
    table
        .records()
        .map(|row| row.expect("rows are CSV"))
        .map(|row| (number(&row[1]), number(&row[2])))
        .collect()
}

/// Folds with facts of their own: what they cover adds up, and so does what a run's sets cover.
#[test]
fn folds_and_sets_add_up() {
    let all = counts(&university(0, &["advisedby.pl"]).0);
    assert_eq!(all[5], (100, 1674), "the clause without a body covers everything");
    assert_eq!(all[6], (0, 0), "nobody's position is nowhere");
    let sum = |tables: Vec<Vec<(u64, u64)>>| -> Vec<(u64, u64)> {
        let add =
            |idx: usize| tables.iter().fold((0, 0), |(tp, fp), table| (tp + table[idx].0, fp + table[idx].1));
        (0..all.len()).map(add).collect()
    };
    let of = |arguments: &[&str]| counts(&university(0, &[&["advisedby.pl"], arguments].concat()).0);
    assert_eq!(sum(["1", "2", "3", "4"].map(|fold| of(&["--fold", fold])).to_vec()), all);
    assert_eq!(sum(["train", "tune", "test"].map(|set| of(&["--fold", "2", "--set", set])).to_vec()), all);
    assert_eq!(of(&["--fold", "3", "--set", "test"]), of(&["--fold", "3"]));
    let faculty = of(&["--where", "hasposition(B, faculty)"]);
    assert_eq!(faculty[0], all[0], "the first rule asks for that already");
    assert!(faculty[5].1 < all[5].1 && faculty[5].0 > 0, "{faculty:?}");
}

#[test]
fn every_fault_is_told_with_its_place() {
    let (stdout, stderr) = university(1, &["faulty.pl"]);
    expect_text(&fixture("clauses/expected.txt"), &stderr);
    assert_eq!(stdout, "");
}

/// Far down in a stream, lines are still counted; and on standard input.
#[test]
fn a_late_fault_has_its_line() {
    let family = Family::new();
    let (clauses, _) = worked(|idx| idx % WORKED.len(), 9_999);
    let clauses =
        clauses + "grandparent(A,B) :- parent(A,\n  B), aged(A,3). grandparent(A,B) :- parent(A,C\n, age(.\n";
    family.write("late.pl", &clauses);
    let (_, stderr) = family.ends(1, &["late.pl"]);
    assert!(stderr.contains("late.pl:10001:7") && stderr.contains("did you mean age/2?"), "{stderr}");
    assert!(stderr.contains("late.pl:10002:7") && stderr.matches("error[").count() == 2, "{stderr}");
    let file = std::fs::File::open(family.path("late.pl")).expect("it was written");
    let output = family.command(&["-"]).stdin(file).output().expect("the program runs");
    assert_eq!(said(1, &output).1, stderr.replace("late.pl", "standard input"));
}

#[test]
fn a_fault_leaves_the_file_as_it_was() {
    let family = Family::new();
    family.write("rows.csv", "before");
    let (clauses, rows) = worked(|idx| idx % WORKED.len(), 9_000);
    family.write("faulty.pl", &(clauses.clone() + "grandparent(A,B) :- nothing(A).\n"));
    let (stdout, stderr) = family.ends(1, &["faulty.pl", "-o", "rows.csv"]);
    assert!(stdout.is_empty() && stderr.contains("error[G012]"), "{stderr}");
    assert_eq!(family.read("rows.csv"), "before");
    let names = std::fs::read_dir(family.path("")).expect("it is a folder");
    let left = names.map(|entry| entry.expect("it can be read").file_name().into_string().expect("UTF-8"));
    assert_eq!(left.filter(|name| name.starts_with(".gleaner")).count(), 0);
    family.cover(&clauses, &["-o", "rows.csv"]);
    assert_eq!(family.read("rows.csv"), rows);
    // Into a place that is none, nothing is evaluated.
    let (stdout, stderr) = family.ends(1, &["clauses.pl", "-o", "rows.csv/rows.csv"]);
    assert!(stdout.is_empty() && stderr.contains("error[G080]"), "{stderr}");
}

/// Whatever the bytes, there are rows or a message.
#[test]
fn no_bytes_panic() {
    let family = Family::new();
    let junk: [&[u8]; 12] = [
        b"\xFF\xFE:\0-\0",
        b"\0\0\0",
        b"'",
        b"grandparent(((((((((((((",
        b":- :- :-.",
        b"3. \"x\". [a|B]. X. \\+ p.",
        b"grandparent(A,B) :- grandparent(A,B).",
        b"grandparent(A,B) :- X.",
        b"grandparent(A,B) :- 3 < parent(A,B).",
        b"grandparent(A,B), parent(A,B).",
        b"grandparent(A,B) :- age(A,N), M is N + 1, parent(A,C).",
        b"/* no end",
    ];
    for bytes in junk {
        std::fs::write(family.path("junk.pl"), bytes).expect("the file can be written");
        let (stdout, stderr) = family.ends(1, &["junk.pl"]);
        assert!(stdout.is_empty() && stderr.contains("error[G"), "{bytes:?}:\n{stderr}");
    }
    std::fs::write(family.path("latin1.pl"), b"grandparent(A,B).\ngrandparent(A,'Jos\xe9').\n")
        .expect("written");
    let (_, stderr) = family.ends(1, &["latin1.pl"]);
    assert!(stderr.contains("error[G006]") && stderr.contains("latin1.pl:2:19"), "{stderr}");
    // A text of another kind is not looked through to its end.
    family.write("table.csv", &"clause,tp,fp\n1,2,3.\n".repeat(100_000));
    let (_, stderr) = family.ends(1, &["table.csv"]);
    assert!(stderr.contains("more of this code (syntax error) not shown"), "{stderr}");
    for missing in ["nowhere.pl", "."] {
        assert!(family.ends(1, &[missing]).1.contains("error[G005]"), "{missing}");
    }
}

/// Long bodies are evaluated, and longer ones refused.
#[test]
fn long_bodies_are_no_panic() {
    let family = Family::new();
    let body = |n: usize| (0..n).map(|idx| format!("parent(A,X{idx})")).collect::<Vec<_>>().join(", ");
    assert!(family.cover(&format!("grandparent(A,B) :- {}.", body(1_000)), &[]).contains(",2,3,0.4,1,5"));
    family.write("clauses.pl", &format!("grandparent(A,B) :- {}.", body(70_000)));
    assert!(family.ends(1, &["clauses.pl"]).1.contains("error[G050]: a body of 70000 literals"));
}

#[test]
fn no_time_covers_nothing_and_says_so() {
    let family = Family::new();
    family.write("clauses.pl", "grandparent(A,B).");
    let (stdout, stderr) = family.ends(0, &["clauses.pl", "--time", "0s"]);
    assert_eq!(stdout, HEADER);
    assert!(stderr.contains("0 clauses evaluated") && stderr.contains("time limit"), "{stderr}");
    let (stdout, _) = family.ends(0, &["clauses.pl", "--time", "0s", "--json"]);
    assert!(stdout.contains("\"stop\":\"time_limit\""), "{stdout}");
}

/// What is asked of standard input is answered at once, and Ctrl-C is heard while nothing comes.
#[cfg(unix)]
#[test]
fn a_conversation_can_be_held_and_ended() {
    let family = Family::new();
    let mut command = family.command(&["-"]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the program starts");
    let mut stdin = child.stdin.take().expect("stdin is piped");
    let mut stdout = BufReader::new(child.stdout.take().expect("stdout is piped"));
    let mut expected = HEADER.to_owned();
    for (clause, cells) in &WORKED[..2] {
        writeln!(stdin, "{clause}").expect("the program listens");
        let _ = writeln!(expected, "\"{clause}\",{cells}");
        let mut line = String::new();
        while !expected.is_empty() {
            line.clear();
            stdout.read_line(&mut line).expect("the program answers");
            expected = expected.strip_prefix(&line).unwrap_or_else(|| panic!("{line}")).to_owned();
        }
    }
    let kill = format!("kill -INT {}", child.id());
    assert!(Command::new("sh").args(["-c", &kill]).status().expect("sh runs").success());
    let mut stderr = String::new();
    child.stderr.take().expect("stderr is piped").read_to_string(&mut stderr).expect("stderr is UTF-8");
    assert_eq!(child.wait().expect("the program ends").code(), Some(130), "{stderr}");
    assert!(stderr.contains("2 clauses evaluated") && stderr.contains("interrupted"), "{stderr}");
    drop(stdin);
}

#[test]
fn a_closed_pipe_ends_quietly() {
    let family = Family::new();
    let (clauses, rows) = worked(|idx| idx % WORKED.len(), 20_000);
    family.write("clauses.pl", &clauses);
    for arguments in
        [vec!["clauses.pl"], vec!["clauses.pl", "--json"], vec!["clauses.pl", "--json", "-o", "rows.csv"]]
    {
        let mut command = family.command(&arguments);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
        let mut stdout = BufReader::new(child.stdout.take().expect("stdout is piped"));
        assert!(stdout.read_line(&mut String::new()).expect("a line can be read") > 0);
        drop(stdout);
        let mut stderr = String::new();
        child.stderr.take().expect("stderr is piped").read_to_string(&mut stderr).expect("stderr is UTF-8");
        assert_eq!(child.wait().expect("the program ends").code(), Some(0), "{arguments:?}:\n{stderr}");
        assert!(!stderr.contains("error") && !stderr.contains("panicked"), "{arguments:?}:\n{stderr}");
    }
    assert_eq!(family.read("rows.csv"), rows, "the file was asked for too");
}
