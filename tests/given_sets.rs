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

#[test]
fn documents_stay_in_their_sets() {
    let folder = fresh_folder("given-sets");
    corpus(&folder, |number| format!(" set=\"{}\"", if TEST.contains(&number) { "test" } else { "train" }));
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

/// Where the sets are none of a run, or are not wanted, the documents are dealt out.
#[test]
fn other_sets_make_no_division() {
    let folder = fresh_folder("given-sets-other");
    let in_some = |number: usize| if number < 15 { " set=\"train\"".to_owned() } else { String::new() };
    let of_two = |number: usize| format!(" set=\"{}\"", ["a", "../b"][number % 2]);
    corpus(&folder, |_| " set=\"train\"".to_owned());
    assert_eq!(runs(&folder, "corpus.xml").len(), 3);
    corpus(&folder, in_some);
    assert_eq!(runs(&folder, "corpus.xml").len(), 3);
    corpus(&folder, of_two);
    assert_eq!(runs(&folder, "corpus.xml").len(), 3);
    corpus(&folder, |number| format!(" set=\"{}\"", if TEST.contains(&number) { "test" } else { "train" }));
    let (code, said, _) = gleaner(&folder, &["text", "corpus.xml", "-o", "data", "--folds", "4"]);
    assert!(code == Some(0) && said.contains("4 folds of documents"), "{said}");
}
