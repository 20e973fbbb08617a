//! The manual of codes is whole and true: a page for each code, and each example gives the code it is
//! of, loaded as data or run as a command; what is to be written instead does not.

use std::path::Path;
use std::process::Command;

use gleaner::experiment::{GivenSettings, load, resolve_settings};
use gleaner_data::LoadRequest;
use gleaner_lang::syntax::codes::{Page, PagePart, page, pages};
use gleaner_lang::syntax::{Diagnostic, Sources, codes};

use crate::support::{fixture, gleaner, root};

const MANUAL: &str = include_str!("../crates/lang/src/syntax/codes.md");

/// The files that a page shows; those to be written instead, or those at fault.
fn files(page: &Page, instead: bool) -> Vec<(&'static str, &'static str)> {
    let blocks = page.parts().into_iter().filter_map(|part| match part {
        PagePart::Block(label, text) if label.contains('.') => Some((label, text)),
        _ => None,
    });
    blocks
        .filter_map(|(label, text)| match label.strip_suffix(" instead") {
            Some(name) => instead.then_some((name, text)),
            None => (!instead).then_some((label, text)),
        })
        .collect()
}

/// The commands that a page shows, as a script.
fn commands(page: &Page) -> Option<String> {
    let parts = page.parts().into_iter().filter_map(|part| match part {
        PagePart::Block("console", text) => Some(text),
        _ => None,
    });
    let lines: Vec<&str> = parts.flat_map(str::lines).filter_map(|line| line.strip_prefix("$ ")).collect();
    (!lines.is_empty()).then(|| lines.join("\n"))
}

/// The problem that the pages change, below `folder`; none of it where a page brings another layout.
fn write_base(folder: &Path, shown: &[&str]) {
    std::fs::create_dir_all(folder).expect("the folder can be made");
    // Another layout shows all its files.
    if shown.iter().any(|name| {
        [".b", ".db", ".txt", ".csv", ".jsonl", "exs.pl"].iter().any(|ending| name.ends_with(ending))
    }) {
        return;
    }
    let has_folds = shown.iter().any(|name| name.starts_with("fold"));
    let base = fixture("family");
    for name in ["background.pl", "modes.pl", "pos.pl", "neg.pl"] {
        if !(has_folds && ["pos.pl", "neg.pl"].contains(&name)) {
            std::fs::copy(base.join(name), folder.join(name)).expect("the file can be copied");
        }
    }
}

/// What loading says of the base with these files, settings included.
fn said(layers: &[&[(&str, &str)]]) -> Vec<Diagnostic> {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let names: Vec<&str> = layers.iter().flat_map(|files| files.iter().map(|(name, _)| *name)).collect();
    write_base(folder.path(), &names);
    for (name, text) in layers.iter().flat_map(|files| files.iter()) {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().expect("files have a folder")).expect("the folder can be made");
        // An example may end where its file does: without a line feed after it.
        std::fs::write(path, text.trim_end()).expect("the file can be written");
    }
    let request = LoadRequest { path: folder.path().to_owned(), ..LoadRequest::default() };
    match load(&request, &mut Sources::new()) {
        Err(faults) => faults,
        Ok(loaded) => match resolve_settings(loaded.problem.settings(), &GivenSettings::default()) {
            Ok((_, warnings)) => [loaded.warnings, warnings].concat(),
            Err(faults) => faults,
        },
    }
}

#[test]
fn every_code_has_one_page_under_its_title() {
    let headings: Vec<&str> = pages().map(|page| page.heading).collect();
    let expected: Vec<String> = codes::ALL.iter().map(|(code, title)| format!("{code}: {title}")).collect();
    assert_eq!(headings, expected, "crates/lang/src/syntax/codes.md");
    for (code, _) in codes::ALL {
        let page = page(*code).expect("each heading was found above");
        let is_shown = !files(&page, false).is_empty() || commands(&page).is_some();
        assert!(is_shown, "{code} shows no example");
        assert!(page.parts().first().is_some_and(|part| matches!(part, PagePart::Prose(_))), "{code}");
    }
}

#[test]
fn pages_fit_a_terminal() {
    let long = |text: &str, most: usize| -> Vec<String> {
        text.lines().filter(|line| line.chars().count() > most).map(str::to_owned).collect()
    };
    assert_eq!(long(MANUAL, 80), Vec::<String>::new());
    for page in pages() {
        assert_eq!(long(&gleaner::report::manual::page_document(&page).text(), 80), Vec::<String>::new());
    }
}

#[test]
fn data_of_the_manual_give_the_code_of_their_page() {
    for (code, _) in codes::ALL {
        let page = page(*code).expect("every code has a page");
        let (faulty, instead) = (files(&page, false), files(&page, true));
        let codes_of = |layers: &[&[(&str, &str)]]| -> Vec<String> {
            said(layers).iter().map(|diagnostic| diagnostic.code().to_string()).collect()
        };
        if !faulty.is_empty() {
            let found = codes_of(&[&faulty]);
            assert!(found.contains(&code.to_string()), "{code}: its example gives only {found:?}");
        }
        if !instead.is_empty() {
            let others: Vec<_> = faulty.iter().copied().filter(|(name, _)| *name != instead[0].0).collect();
            let found = said(&[&others, &instead]);
            let codes: Vec<String> = found.iter().map(|diagnostic| diagnostic.code().to_string()).collect();
            assert!(!codes.contains(&code.to_string()), "{code}: written so, it is still said: {found:?}");
        }
    }
}

#[test]
fn commands_of_the_manual_give_the_code_of_their_page() {
    let program = Path::new(env!("CARGO_BIN_EXE_gleaner"));
    let mut path = vec![program.parent().expect("the program is in a folder").to_owned()];
    path.extend(std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()));
    let path = std::env::join_paths(path).expect("the path was made of paths");
    for (code, _) in codes::ALL {
        let Some(script) = commands(&page(*code).expect("every code has a page")) else { continue };
        let folder = tempfile::tempdir().expect("a temporary folder can be made");
        write_base(&folder.path().join("family"), &[]);
        let output = Command::new("sh")
            .current_dir(folder.path())
            .env("PATH", &path)
            .args(["-c", &script])
            .output()
            .expect("a shell runs");
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(stderr.contains(&format!("[{code}]")), "{code}:\n{script}\n{stderr}");
        let is_fault = stderr.contains(&format!("error[{code}]"));
        // Out of time, or nothing learnt, is no fault of the data.
        let expected =
            if [codes::TIME_LIMIT, codes::NOTHING_LEARNT].contains(code) { 3 } else { i32::from(is_fault) };
        assert_eq!(output.status.code(), Some(expected), "{code}:\n{script}\n{stderr}");
    }
}

/// Runs `explain-code` with these arguments; exit code, standard output, standard error.
fn explain(arguments: &[&str]) -> (Option<i32>, String, String) {
    gleaner(root(), &[&["explain-code"], arguments].concat())
}

#[test]
fn a_page_is_printed_by_any_name_of_its_code() {
    let (code, stdout, stderr) = explain(&["G012"]);
    assert_eq!((code, stderr.as_str()), (Some(0), ""));
    let start = "G012: predicate without facts or rules\n\nA mode, rule, clause, determination or";
    assert!(stdout.starts_with(start), "{stdout}");
    assert!(stdout.contains("\n  modes.pl:\n    :- modeh(1, grandparent(+person, +person)).\n"), "{stdout}");
    for name in ["g012", "12", "012"] {
        assert_eq!(explain(&[name]).1, stdout);
    }
    let (_, events, _) = explain(&["G012", "--json", "--quiet"]);
    let event: serde_json::Value = serde_json::from_str(&events).expect("one line of JSON");
    assert_eq!((&event["event"], &event["code"]), (&"done".into(), &"G012".into()));
    assert_eq!(event["page"].as_str(), Some(stdout.as_str()));
}

#[test]
fn without_a_code_all_are_listed_and_an_unknown_one_is_wrong_usage() {
    let (code, stdout, _) = explain(&[]);
    let expected: String = codes::ALL.iter().map(|(code, title)| format!("{code}  {title}\n")).collect();
    assert_eq!((code, stdout), (Some(0), expected));
    let (code, stdout, stderr) = explain(&["G065"]);
    assert_eq!((code, stdout.as_str()), (Some(2), ""));
    let nearest = "help: the nearest are G063 and G070; `gleaner explain-code` lists all\n";
    assert!(
        stderr.starts_with("error[G041]: there is no code G065\n") && stderr.contains(nearest),
        "{stderr}"
    );
    let (code, _, stderr) = explain(&["mothr"]);
    assert!(code == Some(2) && stderr.contains("as messages show it, such as G012"), "{stderr}");
}
