//! What is no regular file, and files without an end: refused with a message, before memory is short.

use std::fs::File;
use std::io::Write;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

use gleaner_lang::syntax::MAX_STATEMENT_BYTES;

use crate::support::{fresh_folder, gleaner, program};

/// A problem in the own layout: `t(a0)` to `t(a5)` are true, for those `q` holds.
fn problem(name: &str) -> PathBuf {
    let folder = fresh_folder(name);
    let atoms = |predicate: &str, constants: &str| -> String {
        (0..6).map(|idx| format!("{predicate}({constants}{idx}).\n")).collect()
    };
    write(&folder, "pos.pl", &atoms("t", "a"));
    write(&folder, "neg.pl", &atoms("t", "b"));
    write(&folder, "background.pl", &(atoms("q", "a") + &atoms("r", "b")));
    write(&folder, "modes.pl", ":- modeh(1, t(+x)).\n:- modeb(1, q(+x)).\n:- modeb(1, r(+x)).\n");
    folder
}

fn write(folder: &Path, file: &str, text: &str) {
    std::fs::write(folder.join(file), text).expect("written");
}

/// A text in the place of a file, for as long as the file is: zeros, which takes no room.
fn zeros(path: &Path, n_bytes: usize) {
    let file = File::create(path).expect("the file can be made");
    file.set_len(n_bytes as u64).expect("it can be as long");
}

fn make_fifo(path: &Path) {
    assert!(Command::new("mkfifo").arg(path).status().expect("mkfifo runs").success());
}

/// What is said of what cannot be read: one message of this code.
fn refused(folder: &Path, code: &str, arguments: &[&str]) -> String {
    let (exit, stdout, stderr) = gleaner(folder, arguments);
    assert_eq!((exit, stdout.as_str()), (Some(1), ""), "{arguments:?}: {stderr}");
    assert!(stderr.contains(&format!("error[{code}]")), "{arguments:?}: {stderr}");
    assert!(stderr.contains("help: "), "{arguments:?}: {stderr}");
    stderr
}

#[test]
fn devices_are_refused_wherever_a_file_is_named() {
    let folder = problem("special_devices");
    let said = refused(&folder, "G005", &["inspect", ".", "--background", "/dev/zero"]);
    assert!(said.contains("cannot read /dev/zero: it is a device, not a file"), "{said}");
    symlink("/dev/zero", folder.join("linked")).expect("a link");
    for arguments in [
        ["inspect", ".", "--background", "linked"],
        ["inspect", ".", "--modes", "linked"],
        ["inspect", ".", "--config", "linked"],
        ["cover", ".", "linked", "--quiet"],
    ] {
        refused(&folder, "G005", &arguments);
    }
    refused(&folder, "G005", &["predict", "/dev/zero", "."]);
    refused(&folder, "G005", &["inspect", "/dev/zero", "--format", "json-lines"]);
    refused(&folder, "G005", &["evaluate", "/dev/zero"]);
}

#[test]
fn what_lies_in_a_folder_is_read_only_if_it_is_a_file() {
    let folder = problem("special_in_folder");
    // Nothing reads these: no layout asks for such a name.
    make_fifo(&folder.join("stray"));
    symlink("/dev/zero", folder.join("notes")).expect("a link");
    assert_eq!(gleaner(&folder, &["inspect", "."]).0, Some(0));
    for (idx, make) in
        [make_fifo, |path: &Path| symlink("/dev/zero", path).expect("a link")].iter().enumerate()
    {
        std::fs::remove_file(folder.join("neg.pl")).expect("it is there");
        make(&folder.join("neg.pl"));
        let said = refused(&folder, "G005", &["inspect", "."]);
        assert!(said.contains(["it is a FIFO", "it is a device"][idx]), "{said}");
    }
    std::fs::remove_file(folder.join("neg.pl")).expect("it is there");
    std::fs::create_dir(folder.join("neg.pl")).expect("a folder");
    refused(&folder, "G005", &["inspect", "."]);
}

#[test]
fn fifos_and_standard_input_are_read_where_they_are_named() {
    let folder = problem("special_named");
    let facts = "s(a1).\ns(b1).\n";
    make_fifo(&folder.join("more"));
    let path = folder.join("more");
    let writer = std::thread::spawn(move || std::fs::write(path, facts).expect("somebody reads"));
    let (code, stdout, stderr) = gleaner(&folder, &["inspect", ".", "--background", "more"]);
    writer.join().expect("it wrote");
    assert_eq!(code, Some(0), "{stderr}");
    assert!(stdout.contains("s/1"), "{stdout}");
    for name in ["-", "/dev/stdin"] {
        let mut child = program(&folder)
            .args(["inspect", ".", "--background", name])
            .stdin(std::process::Stdio::piped())
            .stdout(std::process::Stdio::piped())
            .stderr(std::process::Stdio::piped())
            .spawn()
            .expect("the program runs");
        let mut stdin = child.stdin.take().expect("a pipe");
        stdin.write_all(b"s(a1).\ns(b1.\n").expect("somebody reads");
        drop(stdin);
        let output = child.wait_with_output().expect("it ends");
        let stderr = String::from_utf8(output.stderr).expect("output is UTF-8");
        // The line is shown, though it cannot be read again.
        assert!(stderr.contains("2 | s(b1."), "{name}: {stderr}");
        assert!(stderr.contains(if name == "-" { "standard input:2:" } else { "/dev/stdin:2:" }), "{stderr}");
    }
}

/// What `inspect` would load once more, to compare modes, a FIFO gives only once.
#[test]
fn a_fifo_is_read_once() {
    let folder = fresh_folder("special_once");
    let lines = |line: fn(usize) -> String| (0..30).map(line).collect::<String>();
    write(&folder, "pos.pl", &lines(|at| format!("t(a{at}).\n")));
    write(&folder, "neg.pl", &lines(|at| format!("t(b{at}).\n")));
    let of = |at: usize| ["red", "blue"][at % 2];
    let facts: String =
        (0..30).map(|at| format!("q(a{at}, {}).\nq(b{at}, {}).\n", of(at), of(at / 7))).collect();
    write(&folder, "background.pl", &facts);
    write(&folder, "modes.pl", ":- modeh(1, t(+x)).\n:- modeb(*, q(+x, -colour)).\n");
    let (_, stdout, stderr) = gleaner(&folder, &["inspect", "."]);
    assert!(stdout.contains("area of short clauses on a sample"), "{stdout}{stderr}");
    make_fifo(&folder.join("more"));
    let path = folder.join("more");
    let writer = std::thread::spawn(move || std::fs::write(path, "s(a1).\n").expect("somebody reads"));
    let (code, stdout, stderr) = gleaner(&folder, &["inspect", ".", "--background", "more"]);
    writer.join().expect("it wrote");
    assert_eq!(code, Some(0), "{stderr}");
    assert!(stdout.contains("s/1") && !stdout.contains("area of short clauses"), "{stdout}");
}

#[test]
fn a_text_without_an_end_is_refused_with_its_place_in_every_format() {
    let folder = problem("special_endless");
    let n_bytes = MAX_STATEMENT_BYTES + (1 << 21);
    zeros(&folder.join("zeros.pl"), n_bytes);
    let said = refused(&folder, "G009", &["inspect", ".", "--background", "zeros.pl"]);
    assert!(said.contains("--> zeros.pl:1:1"), "{said}");
    refused(&folder, "G009", &["inspect", ".", "--config", "zeros.pl"]);
    refused(&folder, "G009", &["predict", "zeros.pl", "."]);
    zeros(&folder.join("facts.jsonl"), n_bytes);
    refused(&folder, "G009", &["inspect", "facts.jsonl"]);
    let cover = refused(&folder, "G005", &["cover", ".", "zeros.pl"]);
    assert!(cover.contains("64 MiB without the end of line 1"), "{cover}");
}

#[test]
fn a_comment_that_is_not_closed_ends_at_the_limit() {
    let folder = problem("special_comment");
    let line = "p(a). % and so on, over very many lines\n".repeat(1 << 10);
    let mut file = File::create(folder.join("more.pl")).expect("the file can be made");
    file.write_all(b"s(a1).\ns(b1). /* here\n").expect("written");
    for _ in 0..=MAX_STATEMENT_BYTES / line.len() + 8 {
        file.write_all(line.as_bytes()).expect("written");
    }
    drop(file);
    let said = refused(&folder, "G009", &["inspect", ".", "--background", "more.pl"]);
    assert!(said.contains("--> more.pl:2:8") && said.contains("s(b1). /* here"), "{said}");
}

#[test]
fn what_never_ends_is_ended_by_the_limits_of_inspect() {
    let folder = problem("special_never");
    make_fifo(&folder.join("slow"));
    let path = folder.join("slow");
    // The reader goes away, and the writer with it.
    let writer = std::thread::spawn(move || {
        let mut slow = File::options().write(true).open(path).expect("somebody reads");
        while slow.write_all(b"s(a1).\n").is_ok() {
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
    });
    let (code, stdout, stderr) =
        gleaner(&folder, &["inspect", ".", "--background", "slow", "--time", "0.1s"]);
    writer.join().expect("it ends");
    assert_eq!((code, stdout.as_str()), (Some(3), ""), "{stderr}");
    assert!(stderr.contains("error[G088]"), "{stderr}");
    make_fifo(&folder.join("fast"));
    let path = folder.join("fast");
    let writer = std::thread::spawn(move || {
        let mut fast = File::options().write(true).open(path).expect("somebody reads");
        let facts: Vec<u8> = (0..100_000).flat_map(|idx| format!("s(c{idx}).\n").into_bytes()).collect();
        while fast.write_all(&facts).is_ok() {}
    });
    let (code, stdout, stderr) =
        gleaner(&folder, &["inspect", ".", "--background", "fast", "--memory", "60M"]);
    writer.join().expect("it ends");
    assert_eq!((code, stdout.as_str()), (Some(1), ""), "{stderr}");
    assert!(stderr.contains("error[G084]"), "{stderr}");
}
