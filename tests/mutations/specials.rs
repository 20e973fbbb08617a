//! Inputs made to hurt: depth, width, length, and files that are none.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use flate2::Compression;
use flate2::write::GzEncoder;
use gleaner_data::{LoadPurpose, LoadRequest};
use gleaner_lang::syntax::MAX_STATEMENT_BYTES;

use crate::meter::measure;
use crate::mutate::Files;
use crate::{HANGS, Said, alone, corpus, most_bytes, request, said, write};

/// Sizes are divided by so much, unless `GLEANER_LARGE` is set.
fn scale() -> usize {
    if std::env::var_os("GLEANER_LARGE").is_some() { 1 } else { 20 }
}

/// Two seconds, and more for long files; unoptimised code on a busy machine gets more.
fn most_time(n_input: usize) -> Duration {
    let factor = if cfg!(debug_assertions) { 5 } else { 1 };
    factor * (Duration::from_secs(2) + Duration::from_nanos(50 * n_input as u64))
}

fn folder(case: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("specials").join(case)
}

/// The files of a written problem.
fn files(name: &str) -> Files {
    corpus::written().into_iter().find(|sample| sample.name == name).expect("a layout's name").files
}

#[expect(clippy::print_stderr, reason = "the figures are for those who ask")]
fn load_folder(case: &str, path: PathBuf, n_input: usize) -> Said {
    let request = LoadRequest { path, purpose: LoadPurpose::Inspect, ..LoadRequest::default() };
    let measured =
        measure(HANGS, move || said(&request)).unwrap_or_else(|problem| panic!("{case}: {problem}"));
    let (time, n_bytes) = (measured.time, measured.n_bytes);
    let said = measured.outcome;
    eprintln!("{case}: {n_input} bytes, {time:.3?}, {:.1} MB, {}", n_bytes as f64 / 1e6, short(&said));
    assert!(n_bytes <= most_bytes(n_input), "{case}: {n_bytes} bytes held for {n_input}");
    assert!(time <= most_time(n_input), "{case}: {time:?}");
    said
}

fn short(said: &Said) -> String {
    let codes = said.codes[..said.codes.len().min(5)].join(" ");
    format!("{} {codes}", if said.is_loaded { "loaded" } else { "refused" })
}

/// A written problem with a file put in or replaced; what loading it says.
fn load_with(case: &str, layout: &str, name: &str, bytes: Vec<u8>) -> Said {
    let mut files = files(layout);
    files.retain(|(known, _)| known != name);
    files.push((name.to_owned(), bytes));
    let n_input = files.iter().map(|(_, bytes)| bytes.len()).sum();
    write(&folder(case), &files);
    drop(files);
    load_folder(case, folder(case), n_input)
}

fn refused(case: &str, layout: &str, name: &str, bytes: Vec<u8>, code: &str) {
    let said = load_with(case, layout, name, bytes);
    assert!(
        !said.is_loaded && said.codes.iter().any(|known| code.split('|').any(|code| known == code)),
        "{case}: {:?}\n{}",
        short(&said),
        said.shown
    );
    let _ = std::fs::remove_dir_all(folder(case));
}

fn loaded(case: &str, layout: &str, name: &str, bytes: Vec<u8>, codes: &[&str]) {
    let said = load_with(case, layout, name, bytes);
    assert!(said.is_loaded, "{case}:\n{}", said.shown);
    assert!(
        codes.iter().all(|code| said.codes.iter().any(|known| known == code)),
        "{case}: {:?}",
        said.codes
    );
    let _ = std::fs::remove_dir_all(folder(case));
}

/// The background of the own problem with more before it.
fn background(more: &[u8]) -> Vec<u8> {
    let files = files("own");
    let (_, bytes) = files.iter().find(|(name, _)| name == "background.pl").expect("it has a background");
    [more, b"\n", bytes].concat()
}

fn nested(open: &str, close: &str, depth: usize) -> Vec<u8> {
    background(format!("deep({}a{}).", open.repeat(depth), close.repeat(depth)).as_bytes())
}

const MILLION: usize = 1_000_000;

#[test]
fn depth_is_refused() {
    let _alone = alone();
    for (case, open, close) in
        [("terms", "f(", ")"), ("lists", "[", "]"), ("brackets", "(", ")"), ("negations", "\\+ ", "")]
    {
        let depth = MILLION / scale();
        // Brackets alone make no term deeper.
        if case == "brackets" {
            loaded(case, "own", "background.pl", nested(open, close, depth.min(100_000)), &[]);
        } else {
            refused(case, "own", "background.pl", nested(open, close, depth), "G001|G004");
        }
        let code = if case == "negations" { "G001|G004" } else { "G001" };
        refused(&format!("{case} open"), "own", "background.pl", nested(open, "", depth), code);
    }
    refused("signs", "own", "background.pl", nested("- ", "", MILLION / scale()), "G001|G004");
    let json = |depth: usize| {
        format!("{{\"predicate\":\"p\",\"arguments\":[{}{}]}}\n", "[".repeat(depth), "]".repeat(depth))
    };
    refused("json", "json-lines", "deep.jsonl", json(MILLION / scale()).into_bytes(), "G091");
    let objects = "{\"label\":".repeat(MILLION / scale());
    refused("json objects", "json-lines", "deep.jsonl", objects.into_bytes(), "G091");
    let cell = format!("\n\"{}a{}\"\n", "f(".repeat(MILLION / scale()), ")".repeat(MILLION / scale()));
    loaded("a deep cell", "csv", "deep.1.csv", cell.into_bytes(), &[]);
}

#[test]
fn width_is_borne_or_refused() {
    let _alone = alone();
    let n = MILLION / scale();
    let items = |n: usize| (0..n).map(|item| format!("i{item}")).collect::<Vec<_>>().join(",");
    loaded(
        "a long list",
        "own",
        "background.pl",
        background(format!("l([{}]).", items(n / 5)).as_bytes()),
        &[],
    );
    let longer = format!("l([{}]).", items(MILLION));
    refused("a longer list", "own", "background.pl", background(longer.as_bytes()), "G001");
    loaded(
        "many arguments",
        "own",
        "background.pl",
        background(format!("p({}).", items(n / 10)).as_bytes()),
        &[],
    );
    let body = |n: usize| (0..n).map(|_| "parent(X,Y)").collect::<Vec<_>>().join(", ");
    let rule = |n: usize| background(format!("r(X) :- {}.", body(n)).as_bytes());
    loaded("a long rule", "own", "background.pl", rule(1000), &[]);
    refused("a longer rule", "own", "background.pl", rule(10_000), "G016");
    let chain =
        |n: usize| (0..n).map(|at| format!("parent(X{at},X{})", at + 1)).collect::<Vec<_>>().join(", ");
    let rule = format!("r(X0) :- {}.", chain(1000));
    loaded("a long chain", "own", "background.pl", background(rule.as_bytes()), &[]);
    let rules: String = (0..20_000 / scale()).map(|at| format!("r{}(X) :- r{at}(X).\n", at + 1)).collect();
    let rules = format!("r0(X) :- parent(X,_).\n{rules}");
    loaded("many rules", "own", "background.pl", background(rules.as_bytes()), &[]);
    let n = n.min(MILLION / 20);
    let header = format!("{}\n{}\n", vec!["t"; n].join(","), vec!["a"; n].join(","));
    loaded("many columns", "csv", "wide.csv", header.into_bytes(), &[]);
    refused("more columns", "csv", "wide.csv", ",".repeat(MILLION).into_bytes(), "G090");
}

#[test]
fn length_is_borne() {
    let _alone = alone();
    let n = 200 * MILLION / scale();
    loaded(
        "a long name",
        "own",
        "background.pl",
        background(format!("{}(a).", "n".repeat(n / 20)).as_bytes()),
        &[],
    );
    loaded(
        "a long comment",
        "own",
        "background.pl",
        background(&[b"% ".to_vec(), vec![b'c'; n]].concat()),
        &[],
    );
    refused("a long line", "own", "background.pl", background(&b"p(a) ".repeat(n / 5)), "G001");
    loaded("a long line of facts", "own", "background.pl", background(&b"p(a). ".repeat(n / 6)), &[]);
    let quote = [b"p('".to_vec(), vec![b'q'; n / 4]].concat();
    refused("an open quote", "own", "background.pl", [background(b""), quote].concat(), "G002");
    let comment = [b"/* ".to_vec(), vec![b'c'; n / 4]].concat();
    refused("an open comment", "own", "background.pl", [background(b""), comment].concat(), "G002");
    refused("quotes", "own", "background.pl", background(&b"'a\n".repeat(n / 60)), "G002");
    refused("faults", "own", "background.pl", background(&b"p(. \n".repeat(n / 10)), "G001");
    refused("no text", "own", "background.pl", background(&vec![0xFF; n / 2]), "G006");
    refused("zeros", "own", "background.pl", background(&vec![0; n / 2]), "G001");
    loaded(
        "a long cell",
        "csv",
        "long.csv",
        [b"\n\"".to_vec(), vec![b'c'; n / 2], b"\"\n".to_vec()].concat(),
        &[],
    );
    refused(
        "odd lines",
        "triples",
        "train.txt",
        [b"a\tr\tb\n".to_vec(), b"a\n".repeat(n / 20)].concat(),
        "G033",
    );
    refused("odd rows", "csv", "odd.csv", [b"a,b\n".to_vec(), b"a\n".repeat(n / 20)].concat(), "G090");
    refused("odd objects", "json-lines", "odd.jsonl", b"{\n".repeat(n / 20), "G091");
}

#[test]
fn bytes_that_are_not_utf8() {
    let _alone = alone();
    let name = background(b"name(ann, 'Ren\xE9'). name(bob, \"\xC3\x28\xFF\"). % \xE4\n");
    loaded("quoted bytes", "own", "background.pl", name, &["G008"]);
    refused(
        "bare bytes",
        "own",
        "background.pl",
        background(b"name(ann, ren\xE9). name(bob, '\xFF').\n"),
        "G006",
    );
    loaded("a cell", "csv", "name.csv", b",\nann,Ren\xE9\n\"\xFF\",b\n".to_vec(), &["G008"]);
    let line = b"{\"predicate\":\"name\",\"arguments\":[\"ann\",\"Ren\xE9\"]}\n".to_vec();
    loaded("a string", "json-lines", "name.jsonl", line, &["G008"]);
    refused("a bare string", "json-lines", "name.jsonl", b"{\"predicate\":\xE9}\n".to_vec(), "G006");
    refused("bare, translated", "boostsrl", "train/train_facts.txt", b"age(ren\xE9,3).\n".to_vec(), "G006");
    loaded("zeros within quotes", "own", "background.pl", background(b"name(ann, 'a\0b').\n"), &[]);
    refused("zeros", "own", "background.pl", background(b"name(ann, a\0b).\n"), "G001");
}

#[test]
fn imports_end() {
    let _alone = alone();
    let bk = |import: &str| {
        format!("mode: father(+name,+name).\nmode: male(+name).\nimport: \"{import}\".\n").into_bytes()
    };
    loaded("itself", "boostsrl", "background.txt", bk("background.txt"), &[]);
    loaded(
        "a ring",
        "boostsrl",
        "more_bk.txt",
        b"import: \"./background.txt\".\nmode: age(+name,#years).\n".to_vec(),
        &[],
    );
    loaded("by many ways", "boostsrl", "more_bk.txt", b"import: \"train/../more_bk.txt\".\n".to_vec(), &[]);
    refused("a folder", "boostsrl", "background.txt", bk("train"), "G005");
    refused("missing", "boostsrl", "background.txt", bk("none.txt"), "G005");
}

fn compressed(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).expect("memory takes all");
    encoder.finish().expect("memory takes all")
}

#[test]
fn compressed_files_may_be_cut_or_huge() {
    let whole = compressed(&background(b""));
    let half = whole[..whole.len() / 2].to_vec();
    let n = 1000 * MILLION / scale();
    let zeros = compressed(&vec![0; n]);
    let spaces = compressed(&vec![b' '; n]);
    let lines = compressed(&b"p(a).\n".repeat(n / 6));
    let _alone = alone();
    for (case, bytes, code) in [
        ("half", half, "G005"),
        ("only a head", vec![0x1F, 0x8B], "G005"),
        ("no gzip", vec![0x1F, 0x8B, 8, 0, 7], "G005"),
        ("zeros", zeros, "G005"),
        ("spaces", spaces, "G005"),
        ("lines", lines, "G005"),
    ] {
        let mut files = files("own");
        files.retain(|(name, _)| name != "background.pl");
        // What is read is the content, up to so many times the file.
        let n_input = 200 * bytes.len();
        files.push(("background.pl.gz".to_owned(), bytes));
        write(&folder(case), &files);
        let said = load_folder(case, folder(case), n_input);
        assert!(!said.is_loaded && said.codes.iter().any(|known| known == code), "{case}: {}", said.shown);
    }
}

#[cfg(unix)]
#[test]
fn files_that_are_none() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let _alone = alone();
    for case in ["a folder for a file", "a link to itself", "unreadable"] {
        write(&folder(case), &files("own"));
        let path = folder(case).join("background.pl");
        match case {
            "unreadable" => {
                std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o0))
                    .expect("permissions can be set");
                if std::fs::read(&path).is_ok() {
                    // For the superuser nothing is unreadable.
                    continue;
                }
            }
            _ => {
                std::fs::remove_file(&path).expect("the file is there");
                if case == "a link to itself" {
                    symlink(&path, &path).expect("links can be made");
                } else {
                    std::fs::create_dir(&path).expect("the folder can be made");
                }
            }
        }
        let said = load_folder(case, folder(case), 0);
        assert!(
            !said.is_loaded && said.codes.iter().all(|code| code.starts_with('G')),
            "{case}: {}",
            said.shown
        );
    }
}

/// More than any line may have, of zeros: a sparse file takes no room.
const ENDLESS: usize = MAX_STATEMENT_BYTES + (1 << 21);

#[test]
fn a_line_without_an_end_is_refused_in_every_layout() {
    let _alone = alone();
    for sample in corpus::written() {
        let case = format!("endless {}", sample.name);
        write(&folder(&case), &sample.files);
        // That of most bytes is read by every layout.
        let (name, _) = sample.files.iter().max_by_key(|(_, bytes)| bytes.len()).expect("it has files");
        let file = File::create(folder(&case).join(name)).expect("the file can be made");
        file.set_len(ENDLESS as u64).expect("it can be as long");
        // Its format is given, and it is only looked at.
        let request = request(&sample, &folder(&case), 2);
        let measured =
            measure(HANGS, move || said(&request)).unwrap_or_else(|problem| panic!("{case}: {problem}"));
        let said = measured.outcome;
        // If only the content shows the layout, there is none.
        let is_told = said.codes.iter().any(|code| ["G009", "G031"].contains(&code.as_str()));
        assert!(!said.is_loaded && is_told, "{case} {name}: {}", said.shown);
        assert!(measured.n_bytes <= most_bytes(ENDLESS), "{case}: {} bytes held", measured.n_bytes);
        let _ = std::fs::remove_dir_all(folder(&case));
    }
}
