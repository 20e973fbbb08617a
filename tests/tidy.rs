//! The house rules that no compiler checks: which room may import which, file sizes, dead message
//! codes, undocumented settings, and a panic or a random hasher outside tests.

use std::collections::BTreeSet;
use std::path::PathBuf;

use gleaner::experiment::catalog;

use crate::support::root;

/// The rooms of each crate, by `crate/room`, with the rooms of that crate that they may import. What a crate may import
/// of others, its manifest says. The product's own crate has no name here.
const ROOMS: &[(&str, &[&str])] = &[
    ("base", &[]),
    ("lang/syntax", &[]),
    ("lang/program", &["syntax"]),
    ("stats/ml", &[]),
    ("stats/eval", &[]),
    ("engine/relation", &[]),
    ("engine/datalog", &["relation"]),
    ("engine/bias", &["relation", "datalog"]),
    ("engine/coverage", &["relation", "datalog"]),
    ("engine/search", &["bias", "coverage"]),
    ("engine/mining", &["datalog", "coverage"]),
    ("learn", &[]),
    ("learn/links", &[]),
    // What the data say, from single values up to layouts; above them, problems are made of it.
    ("data/provisional", &[]),
    ("data/texts", &[]),
    ("data/messages", &[]),
    ("data/negatives", &[]),
    ("data/rule_graph", &[]),
    ("data/cells", &["provisional", "texts"]),
    ("data/mode_terms", &["provisional"]),
    ("data/faults", &["negatives"]),
    ("data/tables", &["cells", "faults", "provisional", "texts"]),
    ("data/gather", &["cells", "faults", "messages", "mode_terms", "provisional", "tables", "texts"]),
    ("data/rows", &["cells", "faults", "gather", "provisional", "tables", "texts"]),
    ("data/asked", &["faults", "gather", "provisional"]),
    ("data/defined", &["asked", "gather", "mode_terms", "provisional", "rule_graph"]),
    ("data/time", &["defined", "faults", "gather", "provisional", "rule_graph", "texts"]),
    ("data/database", &["cells", "gather", "mode_terms", "provisional", "rows", "tables", "texts", "time"]),
    ("data/writing", &["defined", "gather", "mode_terms", "provisional"]),
    (
        "data/formats",
        &[
            "cells",
            "database",
            "directions",
            "faults",
            "gather",
            "mode_terms",
            "provisional",
            "rows",
            "tables",
            "texts",
            "writing",
        ],
    ),
    (
        "data",
        &[
            "asked",
            "cells",
            "database",
            "defined",
            "faults",
            "formats",
            "gather",
            "messages",
            "mode_terms",
            "negatives",
            "provisional",
            "rows",
            "rule_graph",
            "tables",
            "texts",
            "time",
            "writing",
        ],
    ),
    ("generate", &[]),
    ("text", &[]),
    ("/store", &[]),
    ("/experiment", &["store"]),
    ("/report", &["store", "experiment"]),
    ("/jobs", &["store", "experiment", "report"]),
    // The library and the command line are two ways to the same jobs.
    ("/api", &["store", "experiment", "report", "jobs"]),
    ("/cli", &["store", "experiment", "report", "jobs"]),
];

/// Longer than this a file does more than one job.
const MOST_LINES: usize = 700;

/// A source file: its path below the root and its code, with comments and test modules blanked.
struct Source {
    path: PathBuf,
    n_lines: usize,
    code: String,
}

impl Source {
    /// `crate/room` of a module of the same crate: the room of its name, or the crate itself.
    fn room_of(&self, module: &str) -> String {
        let parts: Vec<_> = self.path.iter().map(|part| part.to_string_lossy()).collect();
        let package = if parts[0] == "crates" { &parts[1] } else { "" };
        let room = format!("{package}/{module}");
        if ROOMS.iter().any(|(known, _)| *known == room) { room } else { package.to_owned() }
    }

    fn room(&self) -> String {
        let below = self.path.iter().skip_while(|part| *part != "src").nth(1).expect("a path below src");
        self.room_of(below.to_string_lossy().trim_end_matches(".rs"))
    }

    /// `path:line` of a byte of the code.
    fn place(&self, at: usize) -> String {
        format!("{}:{}", self.path.display(), self.code[..at].matches('\n').count() + 1)
    }
}

/// The files of the product and its parts that are not tests, ascending.
fn sources() -> Vec<Source> {
    let parts = std::fs::read_dir(root().join("crates")).expect("the parts can be read");
    let mut folders = vec![root().join("src")];
    folders.extend(parts.map(|part| part.expect("a part can be read").path().join("src")));
    let mut sources = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("src can be read") {
            let path = entry.expect("entries of src can be read").path();
            if path.is_dir() {
                if path.file_name().is_some_and(|name| name != "tests") {
                    folders.push(path);
                }
            } else if path.extension().is_some_and(|extension| extension == "rs")
                && path.file_name().is_some_and(|name| name != "tests.rs")
            {
                let text = std::fs::read_to_string(&path).expect("sources are text");
                let path = path.strip_prefix(root()).expect("found below the root").to_owned();
                sources.push(Source { path, n_lines: text.lines().count(), code: code(&text) });
            }
        }
    }
    sources.sort_by(|left, right| left.path.cmp(&right.path));
    assert!(sources.len() > 300, "the sources were not found");
    sources
}

/// The text with comments and what follows `#[cfg(test)]` replaced by blanks, so that lines stay.
/// Test modules stand last in a file; a `//` within a string is blanked too, which loses nothing here.
fn code(text: &str) -> String {
    let mut is_test = false;
    let mut code = String::with_capacity(text.len());
    for line in text.lines() {
        is_test |= line.trim_start().starts_with("#[cfg(test)]");
        if !is_test {
            code.push_str(line.find("//").map_or(line, |comment| &line[..comment]));
        }
        code.push('\n');
    }
    code
}

fn is_word(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}

/// Where `word` stands by itself in the code.
fn occurrences<'a>(code: &'a str, word: &'a str) -> impl Iterator<Item = usize> + 'a {
    code.match_indices(word)
        .map(|(at, _)| at)
        .filter(move |&at| !code[..at].ends_with(is_word) && !code[at + word.len()..].starts_with(is_word))
}

/// The first segments after each `crate::`, those within braces too, with their places.
fn imported_modules(code: &str) -> Vec<(usize, String)> {
    let word = |text: &str| text.chars().take_while(|&c| is_word(c)).collect::<String>();
    let mut rooms = Vec::new();
    for at in occurrences(code, "crate").filter(|&at| code[at..].starts_with("crate::")) {
        let rest = &code[at + "crate::".len()..];
        let Some(group) = rest.strip_prefix('{') else {
            rooms.push((at, word(rest)));
            continue;
        };
        let (mut depth, mut is_start) = (0, true);
        for (inner, character) in group.char_indices() {
            match character {
                '{' => depth += 1,
                '}' if depth == 0 => break,
                '}' => depth -= 1,
                ',' if depth == 0 => is_start = true,
                c if is_start && is_word(c) => {
                    rooms.push((at, word(&group[inner..])));
                    is_start = false;
                }
                _ => {}
            }
        }
    }
    rooms
}

#[test]
fn rooms_import_only_what_the_plan_allows() {
    let mut forbidden = Vec::new();
    for source in &sources() {
        let room = source.room();
        // The roots of crates name their rooms.
        if source.path.ends_with("src/lib.rs") || source.path.ends_with("src/main.rs") {
            continue;
        }
        let Some((_, allowed)) = ROOMS.iter().find(|(name, _)| *name == room) else {
            forbidden.push(format!("{}: {room} is no room of the plan", source.path.display()));
            continue;
        };
        for (at, module) in imported_modules(&source.code) {
            if source.room_of(&module) != room && !allowed.contains(&module.as_str()) {
                forbidden.push(format!("{}: {room} may not import {module}", source.place(at)));
            }
        }
    }
    assert!(forbidden.is_empty(), "\n{}", forbidden.join("\n"));
}

#[test]
fn braces_and_nested_paths_are_seen() {
    let rooms = |code: &str| imported_modules(code).into_iter().map(|(_, room)| room).collect::<Vec<_>>();
    assert_eq!(rooms("use crate::base::{A, B};\nfn f() -> crate::eval::X"), ["base", "eval"]);
    assert_eq!(rooms("use crate::{base::{A, B}, eval};"), ["base", "eval"]);
    assert_eq!(code("a // crate::b\n#[cfg(test)]\nmod tests;"), "a \n\n\n");
}

/// Commands take their flags as structs: only those of settings, whose names are data, are looked up.
#[test]
fn flags_are_read_by_name_in_one_file() {
    let readers: Vec<String> = sources()
        .iter()
        .filter(|source| occurrences(&source.code, "ArgMatches").next().is_some())
        .map(|source| source.path.display().to_string())
        .collect();
    assert_eq!(readers, ["src/cli/setting_flags.rs"]);
}

/// Folders that a path in prose begins with.
const FOLDERS: [&str; 8] =
    ["src/", "crates/", "tests/", "docs/", "fixtures/", "benches/", "examples/", "fuzz/"];

/// All Markdown files below a folder, but for those that were built.
fn markdown_below(folder: &std::path::Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder can be read") {
        let path = entry.expect("an entry can be read").path();
        let name = path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
        if path.is_dir() && name != "target" && !name.starts_with('.') {
            markdown_below(&path, found);
        } else if name.ends_with(".md") {
            found.push(path);
        }
    }
}

/// What a text names by a link, or by code that begins with one of the folders; without blocks of code.
fn named_paths(text: &str) -> Vec<&str> {
    let is_path = |code: &&str| {
        let is_plain = |sign: char| sign.is_ascii_alphanumeric() || "_-./".contains(sign);
        FOLDERS.iter().any(|folder| code.starts_with(folder)) && code.chars().all(is_plain)
    };
    let mut named = Vec::new();
    for (at, block) in text.split("```").enumerate() {
        if at % 2 == 0 {
            let links = block.split("](").skip(1).filter_map(|rest| rest.split([')', '#']).next());
            named.extend(links.filter(|link| !link.is_empty() && !link.contains(':')));
            named.extend(block.split('`').skip(1).step_by(2).filter(is_path));
        }
    }
    // Capitals stand for a name that the reader chooses.
    named.retain(|path| !path.contains("NAME"));
    named
}

#[test]
fn paths_in_prose_exist() {
    assert_eq!(
        named_paths("a [b](c.md#d) `src/e.rs` `f` [g](https://h)\n```\n`src/x`\n```"),
        ["c.md", "src/e.rs"]
    );
    let mut files = Vec::new();
    markdown_below(root(), &mut files);
    assert!(files.len() > 20, "the documents were not found");
    for file in files {
        let text = std::fs::read_to_string(&file).expect("documents are text");
        let folder = file.parent().expect("a file stands in a folder");
        for path in named_paths(&text) {
            let exists = folder.join(path).exists() || root().join(path).exists();
            assert!(exists, "{}: there is no {path}", file.display());
        }
    }
}

/// Where code asks which kind of target it has to do with.
const ASKS_KIND: [&str; 9] = [
    "problem.classes()",
    "problem.numbers()",
    "labels().classes()",
    "labels().numbers()",
    "labels.class()",
    "Labels::",
    "is_of_links()",
    "record.numbers",
    "refuse_numbers(",
];

/// So many places outside `jobs::kinds` do. Fewer are welcome: lower this then.
const MOST_ASK_KIND: usize = 18;

/// A kind of target is a folder behind a trait; each place that asks for it is one that a new kind touches.
#[test]
fn few_places_ask_for_the_kind_of_target() {
    let is_outside =
        |source: &&Source| source.path.starts_with("src") && !source.path.starts_with("src/jobs/kinds");
    let sources = sources();
    let count = |source: &Source| ASKS_KIND.iter().map(|ask| source.code.matches(ask).count()).sum::<usize>();
    let n_asks: usize = sources.iter().filter(is_outside).map(count).sum();
    assert!(n_asks <= MOST_ASK_KIND, "{n_asks} places ask for the kind of target");
}

#[test]
fn files_are_short() {
    let long: Vec<String> = sources()
        .iter()
        .filter(|source| source.n_lines > MOST_LINES)
        .map(|source| format!("{}: {} lines", source.path.display(), source.n_lines))
        .collect();
    assert!(long.is_empty(), "more than {MOST_LINES} lines:\n{}", long.join("\n"));
}

#[test]
fn every_code_is_used() {
    let sources = sources();
    let is_table = |source: &Source| source.path.ends_with("syntax/codes.rs");
    let table = sources.iter().find(|source| is_table(source)).expect("the table of codes exists");
    let names: BTreeSet<&str> = table
        .code
        .lines()
        .filter_map(|line| line.split_once(" = "))
        .map(|(name, _)| name.trim())
        .filter(|name| name.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_'))
        .collect();
    assert_eq!(names.len(), gleaner_lang::syntax::codes::ALL.len(), "the table was not understood");
    let unused: Vec<&&str> = names
        .iter()
        .filter(|name| {
            let path = format!("codes::{name}");
            !sources.iter().any(|source| occurrences(&source.code, &path).next().is_some())
        })
        .collect();
    assert!(unused.is_empty(), "codes that no message has: {unused:?}");
}

#[test]
fn every_setting_is_in_the_guide() {
    let guide = std::fs::read_to_string(root().join("docs/learners.md")).expect("the guide is there");
    let missing: Vec<&str> = catalog()
        .iter()
        .map(|setting| setting.about().name)
        .filter(|name| {
            let is_flag = |c: char| is_word(c) || c == '-';
            !guide.match_indices(name).any(|(at, _)| {
                let before = guide[..at].trim_end_matches("--");
                !before.ends_with(is_flag) && !guide[at + name.len()..].starts_with(is_flag)
            })
        })
        .collect();
    assert!(missing.is_empty(), "settings that docs/learners.md does not name: {missing:?}");
}

#[test]
fn no_random_hasher_and_no_unwrap_outside_tests() {
    let mut found = Vec::new();
    for source in &sources() {
        let unwraps = source.code.match_indices(".unwrap()").map(|(at, _)| (at, "unwrap()"));
        // Tables with a fixed hasher have names of their own (`FixedMap`), so std's show by theirs.
        let tables = ["HashMap", "HashSet"]
            .into_iter()
            .flat_map(|name| occurrences(&source.code, name).map(move |at| (at, name)))
            .filter(|&(at, _)| !is_hashbrown(&source.code, at));
        found.extend(unwraps.chain(tables).map(|(at, what)| format!("{}: {what}", source.place(at))));
    }
    assert!(found.is_empty(), "\n{}", found.join("\n"));
}

/// Whether the statement around a byte names hashbrown, whose hasher is given.
fn is_hashbrown(code: &str, at: usize) -> bool {
    let start = code[..at].rfind(';').map_or(0, |semicolon| semicolon + 1);
    let end = code[at..].find(';').map_or(code.len(), |semicolon| at + semicolon);
    code[start..end].contains("hashbrown")
}

/// Flags are words of the command line: all other texts mark settings, which each surface writes in its own words. A warning
/// has a code.
#[test]
fn only_the_command_line_writes_flags() {
    let is_flag = |code: &str, at: usize| {
        let (before, after) = (&code[..at], &code[at + 2..]);
        after.starts_with(|c: char| c.is_ascii_lowercase() || c == '{')
            && !before.ends_with(|c: char| is_word(c) || c == '-')
            // A variable of a style sheet.
            && !before.ends_with("var(")
    };
    let places = |source: &Source, found: &str, is_meant: &dyn Fn(&str, usize) -> bool| -> Vec<String> {
        let code = &source.code;
        let found = code.match_indices(found).filter(|&(at, _)| is_meant(code, at));
        found.map(|(at, _)| source.place(at)).collect()
    };
    let sources = sources();
    let others = sources.iter().filter(|source| !source.path.starts_with("src/cli"));
    let flags: Vec<String> = others.flat_map(|source| places(source, "--", &is_flag)).collect();
    assert!(
        flags.is_empty(),
        "flags outside the command line; mark settings as ⁅depth⁆:\n{}",
        flags.join("\n")
    );
    let plain: Vec<String> =
        sources.iter().flat_map(|source| places(source, "\"warning: ", &|_, _| true)).collect();
    assert!(plain.is_empty(), "warnings without a code:\n{}", plain.join("\n"));
}
