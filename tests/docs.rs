//! The guide is true: each command of README.md and of `docs` runs, and prints what is shown below it.
//!
//! The commands of one page run one after another in one folder, which holds `fixtures` and the files that the
//! page shows. A block whose label has a second word, as ```` ```prolog family/pos.pl ````, is the file of that
//! name. A label ```` ```console exit 1 ```` says how its last command ends. Below a command stands what it prints on
//! standard output, or on standard error where the former is empty; a line `...` stands for any lines. With
//! `BLESS=1` in the environment blocks without such a line take what was printed.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use gleaner::experiment::metrics::metric_list::{METRICS, Metric, Of};
use gleaner_lang::syntax::marks::worded;

use crate::support::{fresh_folder, root};

/// A command with what is shown below it.
struct Shown {
    command: String,
    /// Where the output begins and ends in the page.
    output: std::ops::Range<usize>,
    exit_code: i32,
}

/// What a page shows, in its order.
enum Part {
    File { name: String, text: String },
    Command(Shown),
}

/// The folder of the program before the others that commands are looked for in.
fn search_path() -> std::ffi::OsString {
    let program = Path::new(env!("CARGO_BIN_EXE_gleaner"));
    let mut path = vec![program.parent().expect("the program is in a folder").to_owned()];
    path.extend(std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()));
    std::env::join_paths(path).expect("the path was made of paths")
}

/// The files and commands of a page.
fn parts(page: &str) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut at = 0;
    while let Some(fence) = find(page, at, "```") {
        let label_end = page[fence..].find('\n').map_or(page.len(), |length| fence + length);
        let end = find(page, label_end, "```").expect("each block ends");
        let (label, start) = (page[fence + 3..label_end].trim(), label_end + 1);
        let words: Vec<&str> = label.split(' ').collect();
        match words[..] {
            ["console"] => parts.extend(commands(page, start..end, 0)),
            ["console", "exit", code] => {
                parts.extend(commands(page, start..end, code.parse().expect("an exit code")));
            }
            [_, name] => {
                parts.push(Part::File { name: name.to_owned(), text: page[start..end].to_owned() });
            }
            [..] => {}
        }
        at = end + 3;
    }
    parts
}

/// Where a line that begins with this text begins.
fn find(page: &str, from: usize, start: &str) -> Option<usize> {
    if page[from..].starts_with(start) && (from == 0 || page[..from].ends_with('\n')) {
        return Some(from);
    }
    page[from..].find(&format!("\n{start}")).map(|at| from + at + 1)
}

/// The commands of a block; the last ends with this code, the others with 0.
fn commands(page: &str, block: std::ops::Range<usize>, exit_code: i32) -> Vec<Part> {
    let mut found: Vec<Shown> = Vec::new();
    let mut at = block.start;
    for line in page[block].split_inclusive('\n') {
        let end = at + line.len();
        if let Some(command) = line.strip_prefix("$ ") {
            found.push(Shown { command: command.to_owned(), output: end..end, exit_code: 0 });
        } else if let Some(last) = found.last_mut() {
            match line.strip_prefix("> ") {
                Some(further) if last.output.is_empty() => {
                    last.command.push_str(further);
                    last.output = end..end;
                }
                _ => last.output.end = end,
            }
        }
        at = end;
    }
    if let Some(last) = found.last_mut() {
        last.exit_code = exit_code;
    }
    // What builds the program, or needs the network, is no business of a test.
    let is_run =
        |shown: &Shown| !["cargo ", "git ", "cd "].iter().any(|word| shown.command.starts_with(word));
    found.into_iter().filter(is_run).map(Part::Command).collect()
}

/// Whether a text has the lines shown, where a line `...` stands for any.
fn is_as_shown(printed: &str, shown: &str) -> bool {
    let lines = |text: &str| text.lines().map(str::trim_end).map(str::to_owned).collect::<Vec<_>>();
    let (printed, shown) = (lines(printed), lines(shown));
    let mut rest = &printed[..];
    let groups: Vec<&[String]> = shown.split(|line| line == "...").collect();
    let n_groups = groups.len();
    for (idx, group) in groups.into_iter().enumerate() {
        let is_last = idx + 1 == n_groups;
        let at = match (idx, is_last) {
            (0, _) => rest.starts_with(group).then_some(0),
            (_, true) => rest.ends_with(group).then(|| rest.len() - group.len()),
            (_, false) => {
                (0..=rest.len().saturating_sub(group.len())).find(|&at| rest[at..].starts_with(group))
            }
        };
        let Some(at) = at else { return false };
        rest = &rest[at + group.len()..];
    }
    n_groups > 1 || rest.is_empty()
}

/// Runs the commands of a page; it with what they print, and what is not as it shows.
fn run_page(page: &str, folder: &Path) -> (String, String) {
    std::os::unix::fs::symlink(root().join("fixtures"), folder.join("fixtures")).expect("a link can be made");
    let (mut blessed, mut faults, mut copied) = (String::new(), String::new(), 0);
    for part in parts(page) {
        let shown = match part {
            Part::File { name, text } => {
                let path = folder.join(name);
                std::fs::create_dir_all(path.parent().expect("files have a folder")).expect("it can be made");
                std::fs::write(path, text).expect("the file can be written");
                continue;
            }
            Part::Command(shown) => shown,
        };
        let mut shell = Command::new("sh");
        shell.current_dir(folder).env("PATH", search_path()).args(["-c", &shown.command]);
        let output = shell.output().expect("a shell runs");
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("output is UTF-8");
        let (stdout, stderr) = (text(output.stdout), text(output.stderr));
        if output.status.code() != Some(shown.exit_code) {
            write!(faults, "$ {}ends with {:?}:\n{stderr}\n", shown.command, output.status)
                .expect("text grows");
        }
        let printed = if stdout.is_empty() { stderr } else { stdout };
        let expected = &page[shown.output.clone()];
        if expected.is_empty() || is_as_shown(&printed, expected) {
            continue;
        }
        write!(faults, "$ {}prints\n{printed}\nbut the page shows\n{expected}\n", shown.command)
            .expect("text grows");
        if !expected.lines().any(|line| line == "...") {
            blessed.push_str(&page[copied..shown.output.start]);
            printed.lines().for_each(|line| writeln!(blessed, "{}", line.trim_end()).expect("text grows"));
            copied = shown.output.end;
        }
    }
    blessed.push_str(&page[copied..]);
    (blessed, faults)
}

/// The pages of the guide, ascending.
fn pages() -> Vec<PathBuf> {
    let mut pages: Vec<PathBuf> = std::fs::read_dir(root().join("docs"))
        .expect("the guide is there")
        .map(|entry| entry.expect("entries can be read").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "md"))
        .collect();
    pages.sort();
    pages
}

fn check(name: &str) {
    let path = root().join(name);
    let page = std::fs::read_to_string(&path).expect("the page is there");
    let folder = fresh_folder(&format!("docs/{}", name.replace('/', "_")));
    let (blessed, faults) = run_page(&page, &folder);
    if std::env::var_os("BLESS").is_some_and(|value| value == "1") {
        std::fs::write(&path, blessed).expect("the page can be written");
    }
    assert!(faults.is_empty(), "{name}:\n{faults}");
}

macro_rules! pages {
    ($($test:ident $page:literal;)*) => {
        $(#[test]
        fn $test() {
            check($page);
        })*

        /// A page without a test would look tested.
        #[test]
        fn every_page_is_tested() {
            let below = |path: PathBuf| path.strip_prefix(root()).expect("below it").to_owned();
            let names: Vec<PathBuf> = pages().into_iter().map(below).collect();
            let mut tested: Vec<PathBuf> = vec![$($page.into()),*];
            tested.retain(|page| page.starts_with("docs"));
            tested.sort();
            assert_eq!(names, tested);
        }
    };
}

pages! {
    readme "README.md";
    classes "docs/classes.md";
    from_a_database "docs/from-a-database.md";
    links "docs/links.md";
    from_text "docs/from-text.md";
    comparing "docs/comparing.md";
    file_formats "docs/file-formats.md";
    first_model "docs/first-model.md";
    internals "docs/internals.md";
    learners "docs/learners.md";
    library "docs/library.md";
    messages "docs/messages.md";
    numbers "docs/numbers.md";
    papers "docs/papers.md";
    performance "docs/performance.md";
    probabilities "docs/probabilities.md";
    reading_results "docs/reading-results.md";
    security "docs/security.md";
    your_data "docs/your-data.md";
}

/// Each command of the published comparisons runs, over fewer clauses, seeds and folds than it says.
#[test]
fn the_published_comparisons_run() {
    let page = std::fs::read_to_string(root().join("docs/comparing.md")).expect("the page is there");
    let folder = fresh_folder("docs/published");
    std::os::unix::fs::symlink(root().join("fixtures"), folder.join("fixtures")).expect("a link can be made");
    let smaller = [("--seeds", "2"), ("--clauses", "20"), ("--theory-nodes", "20"), ("--repeats", "1")];
    let rows = page.lines().filter_map(|line| line.split_once("| `cv DATA ")).map(|(_, rest)| rest);
    let mut n_run = 0;
    for row in rows {
        let command = row.split_once('`').expect("the command ends").0;
        let mut words: Vec<&str> = command.split_whitespace().collect();
        for (flag, value) in smaller {
            match words.iter().position(|word| *word == flag) {
                Some(at) => words[at + 1] = value,
                // Not for all of them: ensembles have theories, boosting has rounds.
                None if flag == "--seeds" || flag == "--clauses" => words.extend([flag, value]),
                None => {}
            }
        }
        if let Some(at) = words.iter().position(|word| *word == "--run") {
            words.drain(at..at + 2);
        }
        for (learner, flag) in [("ensemble", "--ensemble-size"), ("boost", "--rounds")] {
            if command.contains(learner) {
                words.extend([flag, "2"]);
            }
        }
        let mut arguments = vec!["cv", "fixtures/university", "--quiet", "--min-pos", "2"];
        arguments.extend(words);
        let (code, _, stderr) = crate::support::gleaner(&folder, &arguments);
        assert_eq!(code, Some(0), "{arguments:?}: {stderr}");
        n_run += 1;
    }
    assert!(n_run >= 10, "{n_run} commands");
}

/// The README's first screen stays short, and its links lead somewhere.
#[test]
fn the_readme_is_short_and_links_hold() {
    let mut broken = Vec::new();
    for path in [pages(), vec![root().join("README.md"), root().join("CONTRIBUTING.md")]].concat() {
        let text = std::fs::read_to_string(&path).expect("the page is there");
        let folder = path.parent().expect("pages have a folder");
        for target in text.split("](").skip(1).filter_map(|rest| rest.split([')', '#']).next()) {
            let is_elsewhere = target.is_empty() || target.starts_with("http");
            if !is_elsewhere && !folder.join(target).exists() {
                broken.push(format!("{}: {target}", path.display()));
            }
        }
    }
    assert!(broken.is_empty(), "{broken:#?}");
    let readme = std::fs::read_to_string(root().join("README.md")).expect("it is there");
    assert!(readme.lines().count() <= 150, "README.md has {} lines", readme.lines().count());
}

#[test]
fn dots_stand_for_any_lines() {
    let printed = "a\nb\nc\nd\n";
    for shown in ["a\nb\nc\nd\n", "a\n...\n", "...\nd\n", "a\n...\nc\n...\n", "...\n", "a\n...\nd\n"] {
        assert!(is_as_shown(printed, shown), "{shown:?}");
    }
    for shown in ["a\nb\nc\n", "b\n...\n", "...\nc\n", "a\n...\nx\n...\nd\n", ""] {
        assert!(!is_as_shown(printed, shown), "{shown:?}");
    }
}

/// A line of the table of metrics.
fn metric_line(metric: &Metric) -> String {
    let Metric { name, meaning, is_loss, .. } = metric;
    let better = if *is_loss { "lower" } else { "higher" };
    let of = match metric.of {
        Of::Ranking(_) => "scores",
        Of::Decisions(_) => "decisions",
        Of::Probabilities(_) => "probabilities",
        Of::Classes(_) => "many classes",
        Of::Numbers(_) => "numbers",
        Of::Links(_) => "links",
    };
    let flag = |name: &str, value: Option<&str>| match value {
        None => format!("--{name}"),
        Some(value) => format!("--{name} {value}"),
    };
    format!("| `{name}` | {better} | {of} | {} |\n", worded(meaning, flag))
}

/// `docs/comparing.md` has a line for each metric; with `BLESS=1` it takes them from the list.
#[test]
fn all_metrics_are_in_the_docs() {
    const BEGIN: &str = "| metric | better for `compare` | of | meaning |\n|---|---|---|---|\n";
    let path = root().join("docs/comparing.md");
    let page = std::fs::read_to_string(&path).expect("pages are text");
    let start = page.find(BEGIN).expect("the page has the table") + BEGIN.len();
    let end = start + page[start..].find("\n\n").expect("the table ends") + 1;
    let lines: String = METRICS.iter().map(metric_line).collect();
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, page[..start].to_owned() + &lines + &page[end..]).expect("it can be written");
    } else {
        assert_eq!(page[start..end], lines);
    }
}
