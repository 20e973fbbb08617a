//! Manual pages: one for each command, of what `--help` says, which `man` and `groff` read without a warning.

use std::path::Path;
use std::process::Command;

use crate::support::{fresh_folder, gleaner, names, printed, texts};

/// The text without the backspaces by which bold and underlined letters are printed.
fn plain(text: &str) -> String {
    let mut plain = String::new();
    for letter in text.chars() {
        if letter == '\u{8}' {
            plain.pop();
        } else {
            plain.push(letter);
        }
    }
    plain
}

/// The commands that `--help` lists.
fn commands(folder: &Path) -> Vec<String> {
    let help = printed(folder, &["--help"]);
    let listed = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let listed = listed.take_while(|line| !line.is_empty()).filter(|line| !line.starts_with("   "));
    let named = listed.filter_map(|line| line.split_whitespace().next());
    named.filter(|name| *name != "help").map(str::to_owned).collect()
}

/// What a program that reads pages prints, and what it complains of; `None` if there is none, which is said.
#[expect(clippy::print_stderr, reason = "a test says what it could not try")]
fn read(program: &str, arguments: &[&str], page: &Path) -> Option<[String; 2]> {
    let mut command = Command::new(program);
    command.env("LC_ALL", "C.UTF-8").env("MANWIDTH", "80").env("MANROFFSEQ", "");
    match command.args(arguments).arg(page).output() {
        Ok(output) => {
            Some([output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()))
        }
        Err(error) => {
            eprintln!("{program} is absent, pages are not read by it: {error}");
            None
        }
    }
}

#[test]
fn each_command_has_a_page() {
    let folder = fresh_folder("man_pages");
    let commands = commands(&folder);
    assert!(commands.len() >= 18 && commands.contains(&"man".to_owned()), "{commands:?}");
    let (code, stdout, stderr) = gleaner(&folder, &["man", "-o", "made/man1"]);
    assert_eq!((code, stdout.as_str()), (Some(0), ""));
    assert!(stderr.contains(&format!("{} pages in made/man1", commands.len() + 1)), "{stderr}");
    let mut expected: Vec<String> = commands.iter().map(|command| format!("gleaner-{command}.1")).collect();
    expected.push("gleaner.1".to_owned());
    expected.sort();
    let pages = folder.join("made/man1");
    assert_eq!(names(&pages), expected);
    let texts = texts(&pages);
    assert_eq!(texts["gleaner.1"], printed(&folder, &["man"]));
    for command in &commands {
        assert!(
            texts["gleaner.1"].contains(&format!("gleaner\\-{}(1)", command.replace('-', "\\-"))),
            "{command}"
        );
    }
    for (page, flag) in
        [("cv", "\\-\\-repeats"), ("convert", "\\-\\-negatives\\-test"), ("learn", "best\\-clause")]
    {
        assert!(texts[&format!("gleaner-{page}.1")].contains(flag), "{page} without {flag}");
    }
    // Written again, the same stand there; what else is in the folder stays.
    std::fs::write(pages.join("other.1"), "kept").expect("it can be written");
    let event = printed(&folder, &["man", "-o", "made/man1", "--json", "--quiet"]);
    let event: serde_json::Value = serde_json::from_str(&event).expect("one line of JSON");
    assert_eq!(event["files"].as_array().map(Vec::len), Some(commands.len() + 1));
    assert_eq!(names(&pages).len(), commands.len() + 2);
}

#[test]
fn pages_are_read_without_a_warning() {
    let folder = fresh_folder("man_read");
    printed(&folder, &["man", "-o", ".", "--quiet"]);
    let man = ["--warnings", "-E", "UTF-8", "-l", "-Tutf8"];
    let groff = ["-man", "-Tutf8", "-Kutf8", "-wall"];
    for (program, arguments) in [("man", &man[..]), ("groff", &groff)] {
        for page in names(&folder) {
            let Some([text, complaints]) = read(program, arguments, &folder.join(&page)) else { break };
            let text = plain(&text);
            assert_eq!(complaints, "", "{program} {page}");
            let name = page.trim_end_matches(".1");
            assert!(text.contains(name) && text.contains("quiet"), "{program} {page}:\n{text}");
        }
    }
}

#[test]
fn a_page_is_data() {
    let folder = fresh_folder("man_data");
    let (code, stdout, stderr) = gleaner(&folder, &["man", "--markdown"]);
    assert!(code == Some(1) && stdout.is_empty() && stderr.contains("error[G106]"), "{stderr}");
    std::fs::write(folder.join("file"), "").expect("it can be written");
    let (code, _, stderr) = gleaner(&folder, &["man", "-o", "file"]);
    assert!(code == Some(1) && stderr.contains("gleaner.1 cannot be written"), "{stderr}");
    let event = printed(&folder, &["man", "--json"]);
    let event: serde_json::Value = serde_json::from_str(&event).expect("one line of JSON");
    assert_eq!(event["page"].as_str(), Some(printed(&folder, &["man"]).as_str()));
}
