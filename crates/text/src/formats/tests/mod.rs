//! Formats side by side, and what all of them do with damaged files.

mod bioc;
mod brat;
mod conllu;

use std::fs;
use std::ops::Range;

use gleaner_lang::syntax::{Diagnostic, Place, Sources, codes, render};

use super::read;
use crate::corpus::{Corpus, Document};

const UNIFIED: &str = r#"<corpus><document id="d1"><sentence id="s1" text="β SigK &amp; GerE gene.">
<entity id="e1" charOffset="2-6" type="protein" text="SigK"/><entity id="e2" charOffset="9-13,14-18" type="gene"/>
<interaction e1="e1" e2="e2" type="binds"/></sentence></document></corpus>"#;

/// The corpus of a folder with these files, without its places: layouts say the same at different ones.
fn corpus(files: &[(&str, &str)]) -> Result<Corpus, Vec<Diagnostic>> {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        fs::write(folder.path().join(name), text).unwrap();
    }
    let mut corpus = read(folder.path(), &mut Sources::new())?;
    for document in &mut corpus.documents {
        document.at = Place::default();
        document.places.clear();
    }
    Ok(corpus)
}

/// The only document of a corpus.
fn document(files: &[(&str, &str)]) -> Document {
    let mut corpus = corpus(files).unwrap();
    assert_eq!(corpus.documents.len(), 1);
    corpus.documents.remove(0)
}

/// The faults of a corpus: codes, messages and help.
fn faults(files: &[(&str, &str)]) -> String {
    let faults = corpus(files).unwrap_err();
    assert!(faults.iter().all(|fault| !fault.labels().is_empty() && !fault.help().is_empty()), "{faults:?}");
    let told = faults.iter().map(|fault| format!("{}: {}\n", fault.code(), fault.message()));
    told.collect()
}

/// What stands at ranges.
fn texts<'d>(document: &'d Document, ranges: impl IntoIterator<Item = &'d Range<usize>>) -> Vec<&'d str> {
    ranges.into_iter().map(|range| &document.text[range.clone()]).collect()
}

fn entity_texts(document: &Document) -> Vec<Vec<&str>> {
    document.entities.iter().map(|entity| texts(document, &entity.ranges)).collect()
}

fn kinds(document: &Document) -> Vec<(&str, [&str; 2], bool)> {
    let ends = |ends: [usize; 2]| ends.map(|end| document.entities[end].id.as_str());
    let relations = document.relations.iter();
    relations.map(|related| (related.kind.as_str(), ends(related.ends), related.is_directed)).collect()
}

/// Whatever becomes of a file, it is read or refused with a code, and all places of what is read are in the text.
fn survives(name: &str, text: &str, others: &[(&str, &str)]) {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in others {
        fs::write(folder.path().join(name), text).unwrap();
    }
    let path = folder.path().join(name);
    let bytes = text.as_bytes();
    let prefixes = (0..bytes.len()).map(|end| bytes[..end].to_vec());
    let changes = ["", "9", "<", "\"", "\t", "\n", "-", "é", " T1 ", "\0"];
    let changed = (0..bytes.len()).flat_map(|at| [0, 1, 2, 3].map(|n| (at, n))).map(|(at, n)| {
        let end = (at + n).min(bytes.len());
        let by = changes[(at + 7 * n) % changes.len()];
        [&bytes[..at], by.as_bytes(), &bytes[end..]].concat()
    });
    for damaged in prefixes.chain(changed) {
        fs::write(&path, &damaged).unwrap();
        let mut sources = Sources::new();
        match read(folder.path(), &mut sources) {
            Ok(corpus) => corpus.documents.iter().for_each(is_sound),
            Err(faults) => {
                let known = ["G006", "G153", "G154"];
                let is_known = |fault: &Diagnostic| known.contains(&fault.code().to_string().as_str());
                let told = render(&faults, &sources, false);
                assert!(!faults.is_empty() && faults.iter().all(is_known), "{told}");
            }
        }
    }
}

fn is_sound(document: &Document) {
    let ranges = document.entities.iter().flat_map(|entity| &entity.ranges);
    for range in ranges.chain(document.tokens.iter().map(|token| &token.range)) {
        assert!(!document.text[range.clone()].is_empty());
    }
    assert!(document.entities.iter().all(|entity| entity.ranges.is_sorted_by_key(|range| range.start)));
    assert!(document.sentences.is_sorted_by(|one, other| one.range.end <= other.range.start));
    assert!(document.tokens.is_sorted_by_key(|token| token.range.start));
    assert!(document.sentences.iter().all(|sentence| document.text.get(sentence.range.clone()).is_some()));
    let arcs = document.tokens.iter().filter_map(|token| token.arc.as_ref());
    assert!(arcs.into_iter().all(|(head, _)| *head < document.tokens.len()));
    assert!(
        document.relations.iter().flat_map(|related| related.ends).all(|end| end < document.entities.len())
    );
}

#[test]
fn damaged_corpora_are_refused_or_read() {
    survives("a.xml", UNIFIED, &[]);
    let lines =
        r#"{"id": 1, "text": "β SigK", "entities": [{"id": "e1", "start": 2, "end": 6}], "relations": []}"#;
    survives("a.jsonl", lines, &[]);
    let marked = format!("\u{feff}{lines}");
    assert_eq!(corpus(&[("a.jsonl", &marked)]).unwrap(), corpus(&[("a.jsonl", lines)]).unwrap());
    let cut = UNIFIED.replace("</corpus>", "");
    assert_eq!(faults(&[("a.xml", &cut)]), "G153: the file ends within an element\n");
}

/// Five entities of one sentence, and these elements after them.
fn five(elements: &str) -> [(&'static str, String); 1] {
    let mut text = "<corpus><document id=\"d\"><sentence id=\"s\" text=\"a b c d e\">".to_owned();
    for (at, name) in ["a", "b", "c", "d", "e"].into_iter().enumerate() {
        text.push_str(&format!("<entity id=\"{name}\" charOffset=\"{}-{}\"/>", 2 * at, 2 * at + 1));
    }
    [("a.xml", format!("{text}{elements}</sentence></document></corpus>"))]
}

/// The corpora of proteins list all pairs, and say of each whether it interacts; those of drugs call that `ddi`.
#[test]
fn pairs_say_whether_they_interact() {
    let read = |elements: &str| {
        let [(name, text)] = five(elements);
        document(&[(name, &text)])
    };
    let pairs = r#"<pair e1="a" e2="b" interaction="False"/><pair e1="d" e2="c" interaction="True"/>
        <pair e1="a" e2="e" ddi="true" type="effect"/><pair e1="b" e2="e" ddi="false"/>"#;
    let found = read(pairs);
    assert_eq!(kinds(&found), [("", ["d", "c"], false), ("effect", ["a", "e"], false)]);
    assert!(found.relations.iter().all(|related| related.has_order));
    // One relation, whichever element says it first and in which order of its ends.
    let interaction = r#"<interaction e1="c" e2="d" type="binds"/>"#;
    let pair = r#"<pair e1="d" e2="c" interaction="true"/>"#;
    for both in [format!("{interaction}{pair}"), format!("{pair}{interaction}")] {
        assert_eq!(kinds(&read(&both)), [("binds", ["c", "d"], false)]);
    }
}

/// What relates two entities is read or refused; what relates anything else, as words of a parse, is no matter.
#[test]
fn what_relates_two_entities_is_not_passed_over() {
    let told = |elements: &str| {
        let [(name, text)] = five(elements);
        faults(&[(name, &text)])
    };
    let cases = [
        (r#"<pair e1="c" e2="d"/>"#, "<pair> does not say whether it interacts"),
        (r#"<pair e1="c" e2="d" interaction="2"/>"#, "2 does not say whether a pair interacts"),
        (
            r#"<pair e1="c" e2="x" interaction="True"/>"#,
            "a relation has the end x, and no entity is called so",
        ),
        (r#"<relation e1="c" e2="d" type="binds"/>"#, "<relation> relates two entities, and is not read"),
        (
            r#"<interaction e1="c" e2="d"/><pair e1="d" e2="c" interaction="False"/>"#,
            "d and c interact by one element, and do not by another",
        ),
    ];
    for (elements, expected) in cases {
        assert_eq!(told(elements), format!("G154: {expected}\n"));
    }
    let [(name, text)] = five(r#"<dependency e1="t1" e2="t2"/><token id="t1"/>"#);
    assert_eq!(kinds(&document(&[(name, &text)])), []);
}
