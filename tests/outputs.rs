//! What commands leave at the places they write to: whole folders, or what was there.

use std::path::Path;
use std::process::Command;

use gleaner_learn::registry::{is_table_of_a_learner, learner_names};

use crate::support::{gleaner, names, of_gleaner, program};

/// A problem that is searched in a moment.
fn small(folder: &Path) {
    let problem = ["generate", "university", "--people", "60", "--areas", "3", "-o", "data", "--quiet"];
    done(folder, &problem);
}

/// Runs a command that has to succeed; its standard output.
fn done(folder: &Path, arguments: &[&str]) -> String {
    let (code, stdout, stderr) = gleaner(folder, arguments);
    assert_eq!(code, Some(0), "{arguments:?}:\n{stderr}");
    stdout
}

/// Runs a command that has to be refused with this code; its standard error.
fn refused(folder: &Path, code: &str, arguments: &[&str]) -> String {
    let (exit, _, stderr) = gleaner(folder, arguments);
    assert_eq!(exit, Some(1), "{arguments:?}:\n{stderr}");
    assert!(stderr.contains(&format!("error[{code}]")), "{arguments:?}:\n{stderr}");
    stderr
}

/// Of other settings, seeds, folds or learners: what stands there is replaced as a whole, and only by `--overwrite`.
#[test]
fn an_earlier_run_is_replaced_only_by_overwrite() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let folder = folder.path();
    small(folder);
    let search = ["--clauses", "50", "--seeds", "2", "--quiet", "--run", "run"];
    let cv = [&["cv", "data"], &search[..]].concat();
    let record = || std::fs::read_to_string(folder.join("run/run.json")).expect("a record");
    done(folder, &cv);
    let first = record();
    let stderr = refused(folder, "G085", &[&cv[..], &["--seed", "2"]].concat());
    assert!(stderr.contains("--overwrite"), "{stderr}");
    assert_eq!(record(), first);
    done(folder, &[&cv[..], &["--seed", "2", "--overwrite"]].concat());
    assert_ne!(record(), first);
    let learn = [&["learn", "data", "-o", "model.json"], &search[..]].concat();
    refused(folder, "G085", &learn);
    done(folder, &[&learn[..], &["--overwrite"]].concat());
    assert!(!folder.join("run/fold1").exists(), "{:?}", names(&folder.join("run")));
    let several = [&cv[..], &["--vary", "depth=1,2", "--overwrite"]].concat();
    done(folder, &several);
    done(folder, &several);
    // A file of the user's own, however deep, is not removed.
    std::fs::write(folder.join("run/depth=1/fold1/notes.csv"), "mine").expect("a file can be written");
    let stderr = refused(folder, "G083", &several);
    assert!(stderr.contains("depth=1/fold1/notes.csv"), "{stderr}");
    assert_eq!(names(folder), ["data", "model.json", "run"]);
}

/// Each learner says which tables are its own: whatever it writes, the next run may replace.
#[test]
fn the_files_of_every_learner_are_known_as_a_runs_own() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let folder = folder.path();
    small(folder);
    let few =
        ["--clauses", "50", "--seeds", "2", "--rounds", "2", "--ensemble-size", "2", "--theory-nodes", "50"];
    let learn =
        ["learn", "data", "--fold", "1", "-o", "model.json", "--quiet", "--run", "run", "--overwrite"];
    let mut of_learners = Vec::new();
    // That of sentences has no tables, and these data have no sentences.
    for learner in learner_names().filter(|learner| learner.name != "text-hmm") {
        done(folder, &[&learn[..], &few, &["--learner", learner.name]].concat());
        let shared = [
            "clauses.csv",
            "curve.csv",
            "density.csv",
            "explanations.csv",
            "predicates.csv",
            "predictions.csv",
            "reliability.csv",
            "theories.csv",
        ];
        let names = names(&folder.join("run")).into_iter().filter(|name| !shared.contains(&&**name));
        let tables = names.filter_map(|name| name.strip_suffix(".csv").map(str::to_owned));
        of_learners.extend(tables.map(|table| (learner.name, table)));
    }
    let known = [("gleaner", "decisions"), ("gleaner", "diversity"), ("srl", "diversity")];
    assert_eq!(of_learners, known.map(|(learner, table)| (learner, table.to_owned())));
    assert!(of_learners.iter().all(|(_, table)| is_table_of_a_learner(table)));
    done(folder, &[&learn[..], &few].concat());
    // A table that no learner has is the user's.
    std::fs::write(folder.join("run/diversities.csv"), "mine").expect("a file can be written");
    let stderr = refused(folder, "G083", &[&learn[..], &few].concat());
    assert!(stderr.contains("diversities.csv"), "{stderr}");
}

#[test]
fn learn_refuses_a_run_folder_that_holds_other_things() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let folder = folder.path();
    small(folder);
    std::fs::create_dir(folder.join("run")).expect("a folder can be made");
    std::fs::write(folder.join("run/notes.txt"), "mine").expect("a file can be written");
    let learn = ["learn", "data", "-o", "model.json", "--run", "run", "--overwrite"];
    let stderr = refused(folder, "G083", &learn);
    assert!(stderr.contains("notes.txt"), "{stderr}");
    assert_eq!(names(&folder.join("run")), ["notes.txt"]);
}

#[test]
fn an_earlier_problem_is_replaced_only_by_overwrite() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let folder = folder.path();
    small(folder);
    let facts = || std::fs::read_to_string(folder.join("data/fold1/pos.pl")).expect("positives");
    let generate = ["generate", "university", "--people", "60", "--areas", "3", "-o", "data", "--seed", "9"];
    let first = facts();
    refused(folder, "G085", &generate);
    assert_eq!(facts(), first);
    // The owner's note on it stays.
    std::fs::write(folder.join("data/SOURCE.md"), "mine").expect("a note can be written");
    done(folder, &[&generate[..], &["--overwrite"]].concat());
    assert_ne!(facts(), first);
    assert!(names(&folder.join("data")).contains(&"SOURCE.md".to_owned()));
    // Its third fold would stay beside two others, or go unasked.
    let fewer = ["generate", "university", "--people", "60", "--areas", "2", "-o", "data", "--overwrite"];
    refused(folder, "G083", &fewer);
    let convert = ["convert", "data", "--to", "csv", "-o", "tables"];
    done(folder, &convert);
    refused(folder, "G085", &convert);
    done(folder, &[&convert[..], &["--overwrite"]].concat());
    assert_eq!(names(folder), ["data", "tables"]);
}

/// Runs words of a shell in which `gleaner` is the program; exit code, standard output, standard error.
#[cfg(unix)]
fn shell(folder: &Path, script: &str) -> (Option<i32>, String, String) {
    let script = script.replace("gleaner", env!("CARGO_BIN_EXE_gleaner"));
    let output = Command::new("sh").args(["-c", &script]).current_dir(folder).output().expect("a shell runs");
    let text = |bytes| String::from_utf8(bytes).expect("output is UTF-8");
    (output.status.code(), text(output.stdout), text(output.stderr))
}

/// What stands at the place of `-o` takes the table: it does not become another file.
#[cfg(unix)]
#[test]
fn output_is_written_through_to_what_stands_there() {
    use std::os::unix::fs::{FileTypeExt, MetadataExt, PermissionsExt};
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let folder = folder.path();
    small(folder);
    let at = |name: &str| folder.join(name);
    let read = |name: &str| std::fs::read_to_string(at(name)).expect("it can be read");
    let learn = "gleaner learn data --clauses 50 --seeds 2";
    let (code, model, stderr) = shell(folder, &format!("{learn} -o -"));
    assert_eq!(code, Some(0), "{stderr}");
    assert!(model.starts_with('{') && model.trim_end().ends_with('}'), "the model alone: {model}");
    assert!(stderr.contains("auto chose: "), "the text is beside it: {stderr}");
    std::fs::write(at("model.json"), &model).expect("the model can be written");
    let (_, table, _) = shell(folder, "gleaner predict model.json data");
    let writes = [
        "gleaner predict model.json data -o -",
        "gleaner predict model.json data -o /dev/stdout",
        "gleaner predict model.json data -o /dev/stdout > redirected && cat redirected",
        "(echo before; gleaner predict model.json data -o /dev/fd/3) 3>>appended && cat appended",
        "mkfifo pipe; cat pipe > piped & gleaner predict model.json data -o pipe && wait && cat piped",
        "echo old > real; ln -s real link; gleaner predict model.json data -o link && cat real",
        "echo old > one; ln one other; gleaner predict model.json data -o one && cat other",
        "umask 027; gleaner predict model.json data -o masked && cat masked",
        "touch private; chmod 600 private; gleaner predict model.json data -o private && cat private",
    ];
    for script in writes {
        let (code, stdout, stderr) = shell(folder, script);
        assert_eq!(code, Some(0), "{script}: {stderr}");
        assert_eq!(stdout.trim_start_matches("before\n"), table, "{script}");
        let is_told = stderr.contains("warning[G192]: one is written in place");
        assert_eq!(is_told, script.contains("ln one"), "{script}: {stderr}");
    }
    let metadata = |name: &str| std::fs::symlink_metadata(at(name)).expect("it is there");
    assert!(metadata("pipe").file_type().is_fifo() && metadata("link").is_symlink());
    assert_eq!((metadata("one").nlink(), read("redirected")), (2, table));
    assert_eq!(
        [metadata("masked"), metadata("private")].map(|of| of.permissions().mode() & 0o777),
        [0o640, 0o600]
    );
    let (code, _, stderr) = gleaner(folder, &["predict", "model.json", "data", "-o", "/dev/null"]);
    assert_eq!(code, Some(0), "{stderr}");
    assert!(std::fs::metadata("/dev/null").expect("it is there").file_type().is_char_device());
    let (code, _, stderr) = gleaner(folder, &["predict", "model.json", "data", "-o", "-", "--json"]);
    assert!(code == Some(2) && stderr.contains("-o -"), "{stderr}");
    let other = [
        "gleaner cover data clauses.pl -o - > covered && gleaner cover data clauses.pl | cmp - covered",
        "gleaner predict model.json data | gleaner evaluate /dev/stdin --curve - | head -1",
    ];
    std::fs::write(at("clauses.pl"), "advisedby(A,B) :- professor(B).\n").expect("clauses can be written");
    let (code, _, stderr) = shell(folder, other[0]);
    assert_eq!(code, Some(0), "{stderr}");
    shell(folder, "gleaner predict model.json data -o scores.csv");
    let (_, curve, _) = shell(folder, "gleaner evaluate scores.csv --curve -");
    assert!(curve.starts_with("recall,"), "{curve}");
}

/// An hour of search is not lost to a folder that cannot be written in the end.
#[cfg(unix)]
#[test]
fn results_that_cannot_be_written_are_printed_and_saved_elsewhere() {
    use std::io::{BufRead, BufReader, Read};
    use std::process::Stdio;
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let folder = folder.path();
    small(folder);
    std::fs::create_dir(folder.join("elsewhere")).expect("a folder can be made");
    let mut command = program(folder);
    let endless = ["cv", "data", "--seeds", "2", "--clauses", "100000000000", "--run", "run", "--quiet"];
    command.args(of_gleaner(&endless));
    command.env("TMPDIR", folder.join("elsewhere")).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the program starts");
    let mut stdout = BufReader::new(child.stdout.take().expect("stdout is piped"));
    let mut text = String::new();
    stdout.read_line(&mut text).expect("the headline comes before the search");
    // Somebody takes the place while the search runs.
    std::fs::create_dir(folder.join("run")).expect("a folder can be made");
    std::fs::write(folder.join("run/notes.txt"), "mine").expect("a file can be written");
    std::thread::sleep(std::time::Duration::from_millis(500));
    let interrupt = format!("kill -INT {}", child.id());
    assert_eq!(shell(folder, &interrupt).0, Some(0));
    stdout.read_to_string(&mut text).expect("output is UTF-8");
    let output = child.wait_with_output().expect("the program ends");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{stderr}");
    assert!(text.contains("mean"), "the table is printed: {text}");
    assert!(stderr.contains("error[G083]") && stderr.contains("the results are in"), "{stderr}");
    let saved = folder.join("elsewhere").join(&names(&folder.join("elsewhere"))[0]);
    assert!(stderr.contains(&saved.display().to_string()), "{stderr}");
    assert!(saved.join("run.json").exists() && saved.join("fold1/model.json").exists());
    assert_eq!((names(&folder.join("run")), names(folder).len()), (vec!["notes.txt".to_owned()], 3));
}

/// A file that grew beyond `ulimit -f` ended the program by a signal, without a word, and what it had written stayed.
#[cfg(unix)]
#[test]
fn a_limit_of_file_sizes_has_a_message() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let folder = folder.path();
    small(folder);
    done(folder, &["learn", "data", "--seeds", "4", "--clauses", "100", "-o", "model.json", "--quiet"]);
    for command in [
        "predict model.json data -o big.csv",
        "predict model.json data",
        "cv data --seeds 2 --clauses 50 --run run",
        "convert data --to csv -o tables",
    ] {
        // Blocks of 512 or 1,024 bytes, by the shell.
        let script = format!("ulimit -f 2; gleaner {command} --quiet > out.txt");
        let (code, _, stderr) = shell(folder, &script);
        assert!(code == Some(1) && stderr.contains("error[G080]"), "{command}: {code:?}\n{stderr}");
        assert!(stderr.contains("File too large") && !stderr.contains(".tmp"), "{command}: {stderr}");
        std::fs::remove_file(folder.join("out.txt")).expect("standard output was a file");
        let left: Vec<String> = names(folder)
            .into_iter()
            .filter(|name| !["data", "model.json", "run.partial"].contains(&&**name))
            .collect();
        assert!(left.is_empty(), "{command}: {left:?}");
    }
}

/// Of an earlier run and of what an interrupted one finished only `--overwrite` was named, which loses it.
#[test]
fn an_earlier_run_beside_what_is_kept_names_resume_too() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let folder = folder.path();
    small(folder);
    let validated = ["cv", "data", "--seeds", "2", "--clauses", "50", "--run", "run"];
    done(folder, &validated);
    assert!(!refused(folder, "G085", &validated).contains("--resume"), "nothing is kept");
    std::fs::create_dir(folder.join("run.partial")).expect("a folder can be made");
    let stderr = refused(folder, "G085", &validated);
    assert!(stderr.contains("--overwrite") && stderr.contains("--resume goes on"), "{stderr}");
}

/// `predict model.json data -o model.json` wrote the scores over the model.
#[test]
fn what_a_command_reads_is_not_written_over() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let folder = folder.path();
    small(folder);
    done(folder, &["learn", "data", "--seeds", "4", "--clauses", "100", "-o", "model.json", "--quiet"]);
    let scored = done(folder, &["predict", "model.json", "data", "--quiet", "--where", "professor(B)"]);
    let scores = scored.replace('\r', "");
    let atoms: Vec<&str> = scores.split('"').skip(1).step_by(2).collect();
    assert!(atoms.len() > 3, "{scored}");
    let clause = "advisedby(A,B) :- publication(C,A), publication(C,B).\n";
    for (name, text) in [
        ("atoms.txt", atoms.join("\n")),
        ("more.pl", "professor(nobody).\n".to_owned()),
        ("clauses.pl", clause.to_owned()),
        ("scores.csv", scored.clone()),
        ("settings.toml", "depth = 2\n".to_owned()),
    ] {
        std::fs::write(folder.join(name), text).expect("a file can be written");
    }
    std::fs::create_dir(folder.join("beside")).expect("a folder can be made");
    for arguments in [
        &["predict", "model.json", "data", "-o", "model.json"][..],
        &["predict", "model.json", "data", "-o", "beside/../model.json"],
        &["predict", "model.json", "data", "--examples-file", "atoms.txt", "-o", "atoms.txt"],
        &["predict", "model.json", "data", "--background", "more.pl", "-o", "more.pl"],
        &["evaluate", "scores.csv", "--curve", "scores.csv"],
        &["evaluate", "model.json", "data", "--curve", "model.json"],
        &["cover", "data", "clauses.pl", "-o", "clauses.pl"],
        &["learn", "data", "--modes", "data/modes.pl", "-o", "data/modes.pl"],
        &["learn", "data", "--config", "settings.toml", "-o", "settings.toml"],
    ] {
        let written = folder.join(arguments.last().expect("a path"));
        let before = std::fs::read(&written).expect("an input");
        let (code, _, stderr) = gleaner(folder, arguments);
        assert!(
            code == Some(2) && stderr.contains("this command reads that file"),
            "{arguments:?}\n{stderr}"
        );
        assert_eq!(before, std::fs::read(&written).expect("an input"), "{arguments:?}");
    }
}

/// A table of a folder, a rule that another file imports, and the record of a run are inputs, too.
#[test]
fn no_output_replaces_a_part_of_the_data() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let folder = folder.path();
    for (data, suffix) in [("learnt", "a"), ("new", "b")] {
        std::fs::create_dir(folder.join(data)).expect("a folder can be made");
        let people: String = (0..200)
            .map(|row| {
                format!("{suffix}{row},{},{}\n", row * 7 % 50, if row * 7 % 50 < 20 { "yes" } else { "no" })
            })
            .collect();
        let visits: String =
            (0..400).map(|row| format!("v{row},{suffix}{},{}\n", row % 200, row % 2)).collect();
        for (name, text) in [
            ("people.csv", format!("person,age,label\n{people}")),
            ("visits.csv", format!("visit,person,kind\n{visits}")),
            ("schema.toml", "[visits]\nperson = \"-> people\"\n".to_owned()),
        ] {
            std::fs::write(folder.join(data).join(name), text).expect("a file can be written");
        }
    }
    let label = ["--label", "people.label", "--quiet"];
    let quick = ["--learner", "tree"];
    let learn = [&["learn", "learnt"], &label[..], &quick, &["-o", "model.json"]].concat();
    done(folder, &learn);
    for to in ["learnt/visits.csv", "learnt/people.csv", "learnt/schema.toml"] {
        let there = std::fs::read(folder.join(to)).expect("an input");
        for asked in [
            [&["learn", "learnt"], &label[..], &quick].concat(),
            ["predict", "model.json", "learnt", "--quiet"].to_vec(),
            [&["mine", "learnt"], &label[..]].concat(),
        ] {
            let (code, _, stderr) = gleaner(folder, &[&asked[..], &["-o", to]].concat());
            assert_eq!(code, Some(2), "{asked:?} {to}: {stderr}");
            assert!(stderr.contains(&format!("{to}: this command reads that file")), "{stderr}");
            assert_eq!(std::fs::read(folder.join(to)).expect("an input"), there, "{asked:?} {to}");
        }
    }
    done(folder, &["predict", "model.json", "new", "--quiet", "-o", "learnt/scores.txt"]);
    let again = ["predict", "model.json", "new", "--quiet", "-o", "learnt/scores.txt"];
    done(folder, &again);
}

/// A variant's name may be longer than any file's; the search would be lost.
#[test]
fn names_that_no_file_system_takes_are_found_before_the_search() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let folder = folder.path();
    small(folder);
    // Of 269 bytes, where 255 are the most.
    let vary = format!("score=f1,{}", ["TP"; 90].join("+"));
    let search = ["cv", "data", "--seeds", "2", "--clauses", "50", "--run", "run", "--vary", &vary];
    let stderr = refused(folder, "G080", &search);
    assert!(stderr.contains("takes no folder score=TP+TP"), "{stderr}");
    assert_eq!(names(folder), ["data"]);
    let long = "m".repeat(256);
    refused(folder, "G080", &["learn", "data", "-o", &long]);
}

/// A folder that somebody works in, or that is mounted, cannot be swapped for another: its entries are.
#[cfg(unix)]
#[test]
fn the_folder_that_the_command_runs_in_can_be_written() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let folder = folder.path();
    std::fs::create_dir(folder.join("made")).expect("a folder can be made");
    let generate = "gleaner generate university --people 60 --areas 3 -o .";
    let script = format!(
        "cd made && {generate} && {generate}; {generate} --seed 2 --overwrite && ls -a . && cd .. && ls -A . && \
         gleaner generate university --people 60 --areas 3 --seed 2 -o other >/dev/null && diff -r made other && rm -r made"
    );
    let (code, stdout, stderr) = shell(folder, &script);
    assert_eq!(code, Some(0), "{stdout}{stderr}");
    assert!(stderr.contains("error[G085]") && stderr.contains("written in place"), "{stderr}");
    let listed = ".\n..\nbackground.pl\nfold1\nfold2\nfold3\nmodes.pl\nmade\n";
    assert!(stdout.ends_with(listed), "{stdout}");
}
