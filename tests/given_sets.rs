//! Corpora that say which documents are train and which are test: the sets are kept, as those of any other data.

use std::fmt::Write as _;
use std::path::Path;

use crate::support::{fresh_folder, gleaner, names, printed, write};

/// The documents of test, which are neither the first nor the last.
const TEST: [usize; 4] = [3, 4, 8, 13];

/// Sixteen documents with two pairs each; the first pair of each is related. `set` gives the value of a document's attribute.
fn corpus(folder: &Path, set: impl Fn(usize) -> String) {
    let mut text = "<corpus>".to_owned();
    for number in 0..16 {
        let of_set = set(number);
        let _ = write!(text, "<document id=\"d{number:02}\"{of_set}>");
        for (sentence, verb) in ["binds", "saw"].into_iter().enumerate() {
            let id = format!("d{number:02}.s{sentence}");
            let _ = write!(
                text,
                "<sentence id=\"{id}\" text=\"SigK {verb} GerE.\"><entity id=\"{id}.a\" charOffset=\"0-4\" type=\"protein\"/>\
                 <entity id=\"{id}.b\" charOffset=\"{0}-{1}\" type=\"protein\"/>",
                6 + verb.len(),
                10 + verb.len()
            );
            if sentence == 0 {
                let _ = write!(text, "<interaction e1=\"{id}.a\" e2=\"{id}.b\"/>");
            }
            text.push_str("</sentence>");
        }
        text.push_str("</document>");
    }
    write(folder, "corpus.xml", &(text + "</corpus>\n"));
}

/// What `inspect` says of the sizes of the runs.
fn runs(folder: &Path, data: &str) -> Vec<String> {
    let shown = printed(folder, &["inspect", data, "--quiet"]);
    let at = shown.find("run ").expect("a table of runs");
    shown[at..].lines().skip(1).map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect()
}

/// Most in train, and a few in test.
fn of_both(number: usize) -> String {
    format!(" set=\"{}\"", if TEST.contains(&number) { "test" } else { "train" })
}

#[test]
fn documents_stay_in_their_sets() {
    let folder = fresh_folder("given-sets");
    corpus(&folder, of_both);
    // Of the twelve documents of train a quarter tunes.
    assert_eq!(runs(&folder, "corpus.xml"), ["test 9/9 3/3 4/4"]);
    let said = printed(&folder, &["text", "corpus.xml", "-o", "data", "--quiet"]);
    assert!(said.contains("train and test of documents"), "{said}");
    assert_eq!(names(&folder.join("data")), ["background.pl", "modes.pl", "test", "train"]);
    let positives = std::fs::read_to_string(folder.join("data/test/pos.pl")).expect("it is written");
    let documents: Vec<usize> = positives
        .lines()
        .map(|line| line[line.find(".s0").expect("the first sentence") - 2..][..2].parse().expect("a number"))
        .collect();
    assert_eq!(documents, TEST);
    assert_eq!(runs(&folder, "data"), ["test 9/9 3/3 4/4"]);
    // Both are tested on the same documents by the same model.
    let cv = |data: &str| printed(&folder, &["cv", data, "--learner", "aleph", "--quiet"]);
    let table = |text: String| text.lines().skip(2).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(table(cv("corpus.xml")), table(cv("data")));
}

#[test]
fn a_set_to_tune_is_one() {
    let folder = fresh_folder("given-sets-tune");
    let set = |number: usize| match (number % 4, TEST.contains(&number)) {
        (_, true) => "Test",
        (2, _) => "devel",
        _ => "train",
    };
    corpus(&folder, |number| format!(" set=\"{}\"", set(number)));
    // By hand: 2, 6, 10 and 14 tune.
    assert_eq!(runs(&folder, "corpus.xml"), ["test 8/8 4/4 4/4"]);
}

/// Where the sets are none of a run the documents are dealt out, and a warning says why, where, and how many folds there are.
#[test]
fn sets_that_are_no_division_are_told() {
    let folder = fresh_folder("given-sets-other");
    // One document of the sixteen, neither the first nor the last, is not as the others; and all are of one set.
    let odd = |number: usize, odd: &str| if number == 9 { odd.to_owned() } else { of_both(number) };
    type Set = Box<dyn Fn(usize) -> String>;
    let cases: [(Set, &str, &str); 6] = [
        (Box::new(|_| " set=\"train\"".to_owned()), "no document is of test", "d00"),
        (Box::new(|_| " set=\"test\"".to_owned()), "no document is of train", "d00"),
        (Box::new(move |number| odd(number, "")), "1 of 16 documents say no set, as d09", "d09"),
        (Box::new(move |number| odd(number, " set=\" \"")), "1 of 16 documents say no set, as d09", "d09"),
        (Box::new(move |number| odd(number, " set=\"../b\"")), "d09 is of the set `../b`", "d09"),
        // The last document has no relation.
        (
            Box::new(|number| format!(" set=\"{}\"", if number == 15 { "test" } else { "train" })),
            "no document of test has a relation",
            "d15",
        ),
    ];
    for (set, why, at) in cases {
        corpus(&folder, set);
        if why.contains("relation") {
            let text = std::fs::read_to_string(folder.join("corpus.xml")).expect("it is written");
            let without = text.replace("<interaction e1=\"d15.s0.a\" e2=\"d15.s0.b\"/>", "");
            assert_ne!(text, without);
            write(&folder, "corpus.xml", &without);
        }
        assert_eq!(runs(&folder, "corpus.xml").len(), 3, "{why}");
        for command in [&["inspect", "corpus.xml"][..], &["text", "corpus.xml", "-o", "data", "--overwrite"]]
        {
            let (code, _, stderr) = gleaner(&folder, command);
            assert_eq!(code, Some(0), "{why}: {stderr}");
            let said = stderr.split_whitespace().collect::<Vec<_>>().join(" ");
            assert!(said.contains("warning[G173]") && said.contains(why), "{command:?}: {stderr}");
            assert!(said.contains("make 3 folds"), "{stderr}");
            let text = std::fs::read_to_string(folder.join("corpus.xml")).expect("it is written");
            let column = text.find(&format!("<document id=\"{at}\"")).expect("the document") + 1;
            assert!(said.contains(&format!("corpus.xml:1:{column}")), "{why}, not {column}: {stderr}");
        }
    }
}

/// No message where the user asks for folds, or where no document says a set.
#[test]
fn folds_that_are_wanted_are_made_without_a_word() {
    let folder = fresh_folder("given-sets-folds");
    let told = |to: &str, more: &[&str]| {
        let text = ["text", "corpus.xml", "-o", to];
        let (code, said, stderr) = gleaner(&folder, &[&text[..], more].concat());
        assert_eq!(code, Some(0), "{stderr}");
        assert!(!stderr.contains("G173"), "{stderr}");
        said
    };
    corpus(&folder, of_both);
    assert!(told("one", &["--folds", "4"]).contains("4 folds of documents"));
    corpus(&folder, |_| " set=\"train\"".to_owned());
    assert!(told("two", &["--folds", "4"]).contains("4 folds of documents"));
    corpus(&folder, |_| String::new());
    assert!(told("three", &[]).contains("3 folds of documents"));
}
