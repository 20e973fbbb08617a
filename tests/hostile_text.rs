//! Text of data that a terminal would obey: escape sequences, a bell, a bidirectional override. People see it
//! escaped, in every command; data for programs keep it.

use std::path::{Path, PathBuf};

use crate::support::{fresh_folder, gleaner};

/// Red text, a bell, and what shows the rest from right to left.
const HOSTILE: &str = "\u{1b}[31mred\u{7}\u{202e}";
const SHOWN: &str = "\\u{1b}[31mred\\u{7}\\u{202e}";

/// Whether a terminal would obey some of it.
fn is_obeyed(text: &str) -> bool {
    text.contains(|c: char| c.is_control() && c != '\n' || ('\u{202A}'..='\u{202E}').contains(&c))
}

/// Tables with hostile names of a person, a course and a fold, in a folder of such a name.
fn problem(name: &str) -> (PathBuf, String) {
    let folder = fresh_folder(name);
    let data = format!("data{HOSTILE}");
    std::fs::create_dir(folder.join(&data)).expect("such names are allowed");
    let write =
        |file: &str, text: String| std::fs::write(folder.join(&data).join(file), text).expect("written");
    let person = |idx: usize| if idx == 0 { format!("ann{HOSTILE}") } else { format!("person{idx}") };
    let rows = |n, row: &dyn Fn(usize) -> String| (0..n).map(row).collect::<String>();
    let fold = |idx: usize| if idx.is_multiple_of(2) { HOSTILE } else { "b" };
    let example = |idx| format!("{},{},{}\n", person(idx), u8::from(idx < 12), fold(idx));
    write("happy.csv", format!("person,label,fold\n{}", rows(24, &example)));
    let takes = |idx| format!("{},{}\n", person(idx), if idx < 12 { HOSTILE } else { "logic" });
    write("takes.csv", format!("person,course\n{}", rows(24, &takes)));
    write("modes.pl", ":- modeh(1, happy(+person)).\n:- modeb(1, takes(+person, #course)).\n".to_owned());
    (folder, data)
}

/// What people see of a command.
fn seen(folder: &Path, arguments: &[&str]) -> String {
    let (code, stdout, stderr) = gleaner(folder, arguments);
    let seen = stdout + &stderr;
    assert!(!is_obeyed(&seen), "{arguments:?}, {code:?}:\n{seen:?}");
    seen
}

#[test]
fn no_command_passes_escapes_on_to_a_person() {
    let (folder, data) = problem("hostile_text");
    let [inspect, learn, model] = ["inspect", "learn", "model.json"];
    assert!(seen(&folder, &[inspect, &data]).contains("red"));
    assert!(seen(&folder, &[learn, &data, "-o", model]).contains("\\x1B\\[31mred"));
    let cv = seen(&folder, &["cv", &data, "--run", "run"]);
    assert!(cv.contains(SHOWN), "{cv}");
    assert!(seen(&folder, &["explain", model, &data, "happy(person1)"]).contains("red"));
    assert!(seen(&folder, &["why", &data, "happy(A) :- takes(A, logic)."]).contains("logic"));
    seen(&folder, &["compare", "run", "run"]);
    seen(&folder, &["inspect", HOSTILE]);
    seen(&folder, &["inspect", &data, "--format", HOSTILE]);
    seen(&folder, &["learn", &data, "-o", model, &format!("--{HOSTILE}")]);
}

#[test]
fn a_message_shows_escapes_and_points_at_the_right_place() {
    let (folder, data) = problem("hostile_message");
    std::fs::write(folder.join(&data).join("background.pl"), format!("known('{HOSTILE}', ).\n"))
        .expect("written");
    let said = seen(&folder, &["inspect", &data]);
    assert!(said.contains(&format!("data{SHOWN}/background.pl:1:21")), "{said}");
    let lines: Vec<&str> = said.lines().collect();
    let line = lines.iter().position(|line| line.contains("known(")).expect("an excerpt");
    assert!(lines[line].contains(&format!("known('{SHOWN}', ).")), "{said}");
    assert_eq!(lines[line].find(" ).").map(|at| at + 1), lines[line + 1].find('^'), "{said}");
}

#[test]
fn data_for_programs_keep_their_characters() {
    let (folder, data) = problem("hostile_data");
    gleaner(&folder, &["learn", &data, "-o", "model.json", "--quiet"]);
    let (code, csv, _) = gleaner(&folder, &["predict", "model.json", &data]);
    assert_eq!(code, Some(0));
    assert!(csv.contains("\u{202e}") && !csv.contains(SHOWN), "{csv:?}");
    let (_, events, _) = gleaner(&folder, &["inspect", &data, "--json", "--quiet"]);
    for line in events.lines() {
        serde_json::from_str::<serde_json::Value>(line).expect("an event");
    }
}

/// Names that a spreadsheet runs, in a table of predictions and in those of a run. They are written as they are, with a word on
/// it, unless another form is asked for; numbers are never changed, and both forms are measured alike.
#[test]
fn names_that_a_spreadsheet_runs_are_marked_on_request() {
    let folder = fresh_folder("hostile_cells");
    std::fs::create_dir(folder.join("data")).expect("the folder is made");
    let write =
        |file: &str, text: String| std::fs::write(folder.join("data").join(file), text).expect("written");
    let names = ["=HYPERLINK(\"\"x\"\",\"\"y\"\")", "+1 555", "-x", "@sum", "\t=1", "-0.5", "ann"];
    let rows = |row: &dyn Fn(usize) -> String| (0..28).map(row).collect::<String>();
    let name = |idx: usize| {
        format!("\"{}\"", names.get(idx).map_or_else(|| format!("p{idx}"), |&name| name.to_owned()))
    };
    write(
        "happy.csv",
        format!(
            "person,label\n{}",
            rows(&|idx| format!("{},{}\n", name(idx), u8::from(idx.is_multiple_of(2))))
        ),
    );
    let food = |idx: usize| if idx.is_multiple_of(2) || idx == 9 { "cake" } else { "soup" };
    write("eats.csv", format!("person,food\n{}", rows(&|idx| format!("{},{}\n", name(idx), food(idx)))));
    write("modes.pl", ":- modeh(1, happy(+person)).\n:- modeb(*, eats(+person, #food)).\n".to_owned());
    let learn = ["learn", "data", "-o", "model.json", "--learner", "rankboost", "--rounds", "3", "--quiet"];
    assert_eq!(gleaner(&folder, &learn).0, Some(0));
    let cells = |text: &str| -> Vec<Vec<String>> {
        let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(text.as_bytes());
        reader.records().map(|row| row.expect("a row").iter().map(str::to_owned).collect()).collect()
    };
    let (code, plain, told) = gleaner(&folder, &["predict", "model.json", "data"]);
    assert!(code == Some(0) && told.matches("--csv-safe").count() == 1, "{told}");
    let (code, safe, told) = gleaner(&folder, &["predict", "model.json", "data", "--csv-safe"]);
    assert!(code == Some(0) && !told.contains("--csv-safe"), "{told}");
    let mut n_marked = 0;
    for (row, marked) in cells(&plain).iter().zip(cells(&safe)) {
        for (cell, marked) in row.iter().zip(marked) {
            let is_number = cell.parse::<f64>().is_ok();
            if cell.starts_with(['=', '+', '-', '@', '\t']) && !is_number {
                assert_eq!(marked, format!("'{cell}"));
                n_marked += 1;
            } else {
                assert_eq!(&marked, cell);
            }
        }
    }
    assert!(n_marked == 5, "{n_marked}:\n{safe}");
    assert!(plain.contains("=HYPERLINK") && cells(&safe).len() == 29);
    std::fs::write(folder.join("plain.csv"), &plain).expect("written");
    std::fs::write(folder.join("safe.csv"), &safe).expect("written");
    let measured = |file: &str| gleaner(&folder, &["evaluate", file, "--json", "--quiet"]);
    assert_eq!(measured("plain.csv"), measured("safe.csv"));
    assert_eq!(measured("safe.csv").0, Some(0));
    for (run, flag, is_marked) in [("kept", None, false), ("marked", Some("--csv-safe"), true)] {
        let cv = ["cv", "data", "--run", run, "--learner", "rankboost", "--rounds", "3", "--folds", "2"];
        let (code, _, told) = gleaner(&folder, &[&cv[..], flag.as_slice()].concat());
        assert!(code == Some(0) && told.matches("--csv-safe").count() == usize::from(!is_marked), "{told}");
        let tables = crate::support::texts(&folder.join(run));
        let tables = tables.iter().filter(|(name, _)| name.ends_with("predictions.csv"));
        let text: String = tables.map(|(_, text)| text.as_str()).collect();
        assert_eq!(text.contains(",'-x,"), is_marked, "{text}");
    }
}

/// A terminal is shown what it would obey; `script` is one.
#[cfg(target_os = "linux")]
#[test]
fn a_table_on_a_terminal_shows_its_escapes() {
    let (folder, data) = problem("hostile_terminal");
    gleaner(&folder, &["learn", &data, "-o", "model.json", "--quiet"]);
    let program = env!("CARGO_BIN_EXE_gleaner");
    std::fs::rename(folder.join(&data), folder.join("data")).expect("it is renamed");
    std::fs::write(folder.join("clauses.pl"), "happy(A) :- takes(A, B).\n").expect("it is written");
    for command in [
        "predict model.json data --quiet",
        "predict model.json data --quiet -o -",
        "features model.json data --quiet --as csv -o -",
        "features model.json data --quiet --as libsvm -o -",
        "cover data clauses.pl --quiet --examples all",
        "mine data --quiet -o -",
    ] {
        let arguments = ["-q", "-e", "-c", &format!("'{program}' {command} 2>/dev/null"), "/dev/null"];
        let Ok(output) = std::process::Command::new("script").current_dir(&folder).args(arguments).output()
        else {
            eprintln!("skipped: there is no program `script`");
            return;
        };
        let shown = String::from_utf8_lossy(&output.stdout).replace("\r\n", "\n");
        assert!(shown.contains(SHOWN) || shown.contains("\\x1B\\"), "{command}:\n{shown:?}");
        assert!(!is_obeyed(&shown), "{command}:\n{shown:?}");
    }
}
