//! What the tests of several files need: the program, its folders, and the texts that it should print.

pub(crate) mod answers;
pub(crate) mod areas;
pub(crate) mod asked;
pub(crate) mod prover;
pub(crate) mod task;
pub(crate) mod weights;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The folder of the package.
pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A folder or file of `fixtures`.
pub(crate) fn fixture(name: &str) -> PathBuf {
    root().join("fixtures").join(name)
}

/// A fresh folder below the target folder; no two tests may share a name.
pub(crate) fn fresh_folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("the folder can be made");
    folder
}

/// The program, to be run in a folder.
pub(crate) fn program(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_gleaner"));
    command.current_dir(folder);
    command
}

/// The arguments; `learn` and `cv` get `--learner gleaner` unless they name a learner. Most tests are of what all learners share.
/// The default tries several learners and would take ten times as long.
pub(crate) fn of_gleaner<'a>(arguments: &[&'a str]) -> Vec<&'a str> {
    let learns = matches!(arguments.first(), Some(&("learn" | "cv")));
    let says = |&argument: &&str| {
        let flags = ["--learner", "--variant", "--preset", "--config", "--help", "-h"];
        flags.iter().any(|flag| argument == *flag || argument.starts_with(&format!("{flag}=")))
            || argument.starts_with("learner=")
    };
    let is_of_links = arguments.windows(2).any(|pair| pair == ["--target", "all"]);
    let mut all = arguments.to_vec();
    if learns && !is_of_links && !arguments.iter().any(says) {
        all.extend(["--learner", "gleaner"]);
    }
    all
}

/// What a command prints that succeeds in a folder.
pub(crate) fn printed(folder: &Path, arguments: &[&str]) -> String {
    let (code, stdout, stderr) = gleaner(folder, arguments);
    assert_eq!(code, Some(0), "{arguments:?}: {stderr}");
    stdout
}

/// Runs the program in a folder; exit code, standard output, standard error. It never panics.
pub(crate) fn gleaner(folder: &Path, arguments: &[&str]) -> (Option<i32>, String, String) {
    let output = program(folder).args(of_gleaner(arguments)).output().expect("the program runs");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("output is UTF-8");
    let (stdout, stderr) = (text(output.stdout), text(output.stderr));
    // 70 is a bug, whatever was asked.
    assert!(!stderr.contains("panicked") && output.status.code() != Some(70), "{arguments:?}:\n{stderr}");
    (output.status.code(), stdout, stderr)
}

/// Writes a text into a file of a folder, and makes the folders on the way.
pub(crate) fn write(folder: &Path, name: &str, text: &str) {
    let path = folder.join(name);
    std::fs::create_dir_all(path.parent().expect("a folder")).expect("the folder can be made");
    std::fs::write(path, text).expect("it can be written");
}

/// How many positives and negatives of a database a clause covers.
pub(crate) fn covered(folder: &Path, data: &str, label: &str, clause: &str) -> [usize; 2] {
    write(folder, "clause.pl", clause);
    let stdout = printed(folder, &["cover", data, "--label", label, "clause.pl", "--quiet"]);
    let mut reader = csv::Reader::from_reader(stdout.as_bytes());
    let header = reader.headers().expect("a header").clone();
    let row = reader.records().next().expect("a clause").expect("a row");
    ["tp", "fp"].map(|name| {
        let at = header.iter().position(|known| known == name).expect("a column");
        row[at].parse().expect("a count")
    })
}

/// What a folder holds, ascending by name.
pub(crate) fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).expect("the folder can be read");
    let mut names: Vec<String> = entries
        .map(|entry| entry.expect("entries can be read").file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

/// Every file below a folder, by its path from there.
pub(crate) fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut open = vec![folder.to_owned()];
    while let Some(next) = open.pop() {
        for entry in std::fs::read_dir(&next).expect("the folder can be read") {
            let path = entry.expect("entries can be read").path();
            if path.is_dir() {
                open.push(path);
            } else {
                let name = path.strip_prefix(folder).expect("found below it").to_string_lossy().into_owned();
                found.insert(name, std::fs::read(&path).expect("the file can be read"));
            }
        }
    }
    found
}

/// Every text below a folder, by its path from there.
pub(crate) fn texts(folder: &Path) -> BTreeMap<String, String> {
    let text = |bytes| String::from_utf8(bytes).expect("the file is a text");
    files(folder).into_iter().map(|(name, bytes)| (name, text(bytes))).collect()
}

/// A page without the lines that name settings: each surface writes these in its own words.
pub(crate) fn without_settings(page: &str) -> String {
    let names_settings =
        |line: &&str| line.contains("gleaner cv DATA") || line.contains("Would more labels pay?");
    let text = page.replace("--at-probability", "at_probability");
    text.lines().filter(|line| !names_settings(line)).collect::<Vec<_>>().join("\n")
}

/// Compares what was printed with the text of a file, and names the lines that differ. With `BLESS=1` in the environment the file takes
/// what was printed instead; read the difference before you commit it.
pub(crate) fn expect_text(path: &Path, printed: &str) {
    if std::env::var_os("BLESS").is_some_and(|value| value == "1") {
        std::fs::write(path, printed).expect("the expected text can be written");
    }
    let expected = std::fs::read_to_string(path).expect("an expected text");
    let name = path.strip_prefix(root()).unwrap_or(path).display();
    let only_in = |text: &str, other: &str| -> String {
        text.lines()
            .filter(|line| !other.lines().any(|there| there == *line))
            .map(|line| format!("  {line}\n"))
            .collect()
    };
    let (more, fewer) = (only_in(printed, &expected), only_in(&expected, printed));
    assert!(printed == expected, "{name}: these lines were printed\n{more}and these were expected\n{fewer}");
}

/// A model file of a theory for `t/1` whose clauses vote, the first with 1, the second with 2, and so on; so many votes are positive.
pub(crate) fn voting_model(clauses: &[impl AsRef<str>], threshold: f64) -> serde_json::Value {
    let counts = serde_json::json!({ "true_positives": 1, "false_positives": 0 });
    let member = |clause: &str| serde_json::json!({ "clause": clause, "train": counts, "tune": counts });
    let text = std::fs::read_to_string(fixture("compat/aleph.json")).expect("a model");
    let mut model: serde_json::Value = serde_json::from_str(&text).expect("a model is JSON");
    let values: Vec<f64> = (0_i32..).take(clauses.len()).map(|at| 2_f64.powi(at)).collect();
    model["target"] = "t/1".into();
    let members: Vec<serde_json::Value> = clauses.iter().map(|clause| member(clause.as_ref())).collect();
    model["theories"] = serde_json::json!([members]);
    model["scorer"] = serde_json::json!({ "sum": values });
    model["threshold"] = serde_json::json!([threshold, counts]);
    model
}
