//! Scripts that complete commands and flags: each shell that is there reads its own, and bash completes by it.

use std::path::Path;
use std::process::Command;

use crate::support::{fresh_folder, gleaner, printed, write};

/// What a shell prints; `None` if there is no such shell, which is said.
#[expect(clippy::print_stderr, reason = "a test says what it could not try")]
fn run(shell: &str, folder: &Path, arguments: &[&str]) -> Option<String> {
    let output = match Command::new(shell).current_dir(folder).args(arguments).output() {
        Ok(output) => output,
        Err(error) => {
            eprintln!("{shell} is absent, its script is not tried: {error}");
            return None;
        }
    };
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && told.is_empty(), "{shell} {arguments:?}: {told}");
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// What bash offers for the last of these words.
fn offered(folder: &Path, words: &[&str]) -> Option<Vec<String>> {
    let [.., before, last] = words else { panic!("two words") };
    let script = format!(
        "source gleaner.bash\nCOMP_WORDS=({})\nCOMP_CWORD={}\n_gleaner gleaner '{last}' '{before}'\n\
         printf '%s\\n' \"${{COMPREPLY[@]}}\"",
        words.join(" "),
        words.len() - 1
    );
    Some(run("bash", folder, &["-c", &script])?.lines().map(str::to_owned).collect())
}

#[test]
fn shells_read_their_scripts() {
    let folder = fresh_folder("completions");
    for (shell, check) in [("bash", "-n"), ("zsh", "-n"), ("fish", "--no-execute")] {
        let script = printed(&folder, &["completions", shell]);
        let name = format!("gleaner.{shell}");
        write(&folder, &name, &script);
        run(shell, &folder, &[check, &name]);
    }
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = printed(&folder, &["completions", shell]);
        for word in ["explain-code", "negatives-test", "best-clause", "markdown"] {
            let is_there = script.contains(word);
            // A learner is a word of a setting, which takes any text.
            assert_eq!(is_there, word != "best-clause", "{shell}: {word}");
        }
    }
}

#[test]
fn bash_completes_commands_flags_and_words() {
    let folder = fresh_folder("completions_bash");
    write(&folder, "gleaner.bash", &printed(&folder, &["completions", "bash"]));
    let Some(commands) = offered(&folder, &["gleaner", "c"]) else { return };
    assert_eq!(commands, ["cv", "compare", "cover", "convert", "completions"]);
    let flags = offered(&folder, &["gleaner", "cv", "data", "--neg"]).expect("as before");
    assert_eq!(flags, ["--negatives", "--negatives-test", "--negation"]);
    let forms = offered(&folder, &["gleaner", "show", "--to", "j"]).expect("as before");
    assert_eq!(forms, ["json"]);
}

#[test]
fn scripts_are_data() {
    let folder = fresh_folder("completions_data");
    let (code, _, stderr) = gleaner(&folder, &["completions", "tcsh"]);
    assert!(code == Some(2) && stderr.contains("[possible values: bash, elvish, fish"), "{stderr}");
    let (code, stdout, stderr) = gleaner(&folder, &["completions", "bash", "--markdown"]);
    assert!(code == Some(1) && stdout.is_empty() && stderr.contains("error[G106]"), "{stderr}");
    let event = printed(&folder, &["completions", "fish", "--json"]);
    let event: serde_json::Value = serde_json::from_str(&event).expect("one line of JSON");
    assert_eq!((&event["event"], &event["shell"]), (&"done".into(), &"fish".into()));
    assert_eq!(event["script"].as_str(), Some(printed(&folder, &["completions", "fish"]).as_str()));
}
