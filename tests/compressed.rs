//! Files compressed by gzip are read as if they were not, in every layout, and damaged ones are named.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Output;

use flate2::Compression;
use flate2::write::GzEncoder;

use crate::support::{fixture, fresh_folder, program, root};

fn folder(name: &str) -> PathBuf {
    fresh_folder(&format!("compressed/{name}"))
}

pub(crate) fn compressed(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).expect("memory takes all");
    encoder.finish().expect("memory takes all")
}

/// A copy of a folder with every file compressed: `NAME.gz` for `NAME`.
fn compress(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("the folder can be made");
    for entry in std::fs::read_dir(from).expect("the folder can be read") {
        let path = entry.expect("entries can be read").path();
        let name = path.file_name().expect("entries have names").to_string_lossy().into_owned();
        if path.is_dir() {
            compress(&path, &to.join(name));
        } else {
            let bytes = std::fs::read(&path).expect("the file can be read");
            std::fs::write(to.join(format!("{name}.gz")), compressed(&bytes))
                .expect("the file can be written");
        }
    }
}

fn inspect(data: &Path) -> Output {
    program(root()).args([Path::new("inspect"), data]).output().expect("the program runs")
}

fn assert_reads_the_same(plain: &Path, name: &str) {
    let packed = folder(name);
    compress(plain, &packed);
    let (expected, found) = (inspect(plain), inspect(&packed));
    assert!(expected.status.success() && found.status.success(), "{name}: {found:?}");
    assert_eq!(expected.stdout, found.stdout, "{name}");
}

#[test]
fn the_own_layout_is_read_compressed() {
    assert_reads_the_same(&fixture("university"), "own");
}

#[test]
fn tables_and_lines_are_read_compressed() {
    for layout in ["csv", "json-lines"] {
        let plain = folder("converted").join(layout);
        let output = program(root())
            .args(["convert", "fixtures/university", "--quiet", "--to", layout, "-o"])
            .arg(&plain)
            .output()
            .expect("the program runs");
        assert!(output.status.success(), "{output:?}");
        assert_reads_the_same(&plain, layout);
    }
}

#[test]
fn the_layouts_of_aleph_and_boostsrl_are_read_compressed() {
    let modes = ":- modeh(1, t(+x)).\n:- modeb(*, p(+x, #y)).\n";
    let (facts, positives, negatives) = ("p(a, b).\np(c, d).\n", "t(a).\n", "t(c).\n");
    let aleph = folder("aleph_plain");
    let texts = [("n.b", [modes, facts].concat()), ("n.f", positives.into()), ("n.n", negatives.into())];
    for (name, text) in texts {
        std::fs::write(aleph.join(name), text).expect("the file can be written");
    }
    assert_reads_the_same(&aleph, "aleph");

    let boostsrl = folder("boostsrl_plain");
    std::fs::write(boostsrl.join("background.txt"), "mode: t(+x).\nmode: p(+x, #y).\n").expect("written");
    for half in ["train", "test"] {
        std::fs::create_dir_all(boostsrl.join(half)).expect("the folder can be made");
        for (part, text) in [("facts", facts), ("pos", positives), ("neg", negatives)] {
            let name = format!("{half}/{half}_{part}.txt");
            std::fs::write(boostsrl.join(name), text).expect("the file can be written");
        }
    }
    assert_reads_the_same(&boostsrl, "boostsrl");
}

#[test]
fn a_damaged_file_is_named() {
    let data = folder("damaged");
    compress(&fixture("university"), &data);
    let file = data.join("background.pl.gz");
    // Long enough for facts to have been taken before the damage is met.
    let facts: String = (0..400_000).map(|number| format!("knows(p{number}, p{}).\n", number / 7)).collect();
    let mut bytes = compressed(facts.as_bytes());
    bytes.truncate(bytes.len() - 100);
    std::fs::write(&file, &bytes).expect("the file can be written");
    let output = inspect(&data);
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("error[G005]") && said.contains("background.pl.gz"), "{said}");
    assert!(output.stdout.is_empty() && !said.contains("panicked"), "{said}");

    // What is not text is told by its place, however late it comes.
    std::fs::write(&file, compressed(&[facts.as_bytes(), b"p(\xE9).\n"].concat())).expect("written");
    let output = inspect(&data);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("error[G006]: a byte that is not UTF-8") && said.contains("gz:400001:3"), "{said}");
}
