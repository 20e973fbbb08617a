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
