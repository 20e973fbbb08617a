//! Formats side by side, and what all of them do with damaged files.

use std::collections::BTreeSet;
use std::fs;
use std::ops::Range;

use crate::corpus::{Corpus, Document};
use gleaner_lang::syntax::{Diagnostic, Place, Sources, codes, render};

use super::read;

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

/// Unlike in bytes and in characters: β stands before all entities.
const BIOC_XML: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE collection SYSTEM "BioC.dtd">
<collection><source>hand</source><date/><key/>
<document><id>d1</id><infon key="type">abstract</infon>
<passage><infon key="type">title</infon><offset>0</offset><text>On β&amp;&#947;.</text></passage>
<passage><offset>8</offset>
<sentence><offset>8</offset><text>A β binds SigK.</text>
<annotation id="T1"><infon key="type">protein</infon><location offset="18" length="4"/><text>SigK</text></annotation>
</sentence>
<sentence><offset>24</offset><text>GerE gene</text></sentence>
<annotation id="T2"><infon key="type">gene</infon><location offset="24" length="4"/>
<location offset="29" length="4"/></annotation>
<relation id="R1"><infon key="type">binds</infon><node refid="T1" role="agent"/>
<node refid="T2" role="target"/><node refid="T3" role="agent"/></relation>
</passage>
<annotation id="T3"><infon key="type">gene</infon><location offset="3" length="1"/><text>β</text></annotation>
</document><document><id>d2</id></document></collection>
"#;

const BIOC_JSON: &str = r#"{"source": "hand", "documents": [{"id": "d1", "infons": {"type": "abstract"}, "passages": [
{"offset": 0, "infons": {"type": "title"}, "text": "On β&γ.", "sentences": [], "annotations": [], "relations": []},
{"offset": 8, "text": "", "sentences": [
{"offset": 8, "text": "A β binds SigK.", "annotations": [{"id": "T1", "infons": {"type": "protein"}, "text": "SigK",
"locations": [{"offset": 18, "length": 4}]}], "relations": []},
{"offset": 24, "text": "GerE gene"}],
"annotations": [{"id": "T2", "infons": {"type": "gene", "other": null},
"locations": [{"offset": 24, "length": 4}, {"offset": 29, "length": 4}]}],
"relations": [{"id": "R1", "infons": {"type": "binds"}, "nodes": [{"refid": "T1", "role": "agent"},
{"refid": "T2", "role": "target"}, {"refid": "T3", "role": "agent"}]}]}],
"annotations": [{"id": "T3", "infons": {"type": "gene"}, "text": "β", "locations": [{"offset": 3, "length": 1}]}],
"relations": []}, {"id": "d2", "passages": []}]}"#;

#[test]
fn bioc_says_the_same_in_xml_and_json() {
    let corpora = [("a.xml", BIOC_XML), ("a.json", BIOC_JSON)].map(|(name, text)| {
        let read = corpus(&[(name, text)]).unwrap();
        // A byte order mark is not part of what is said, and the ends of lines are one character.
        let marked = format!("\u{feff}{}", text.replace('\n', "\r\n"));
        assert_eq!(corpus(&[(name, &marked)]).unwrap(), read);
        read
    });
    assert_eq!(corpora[0], corpora[1]);
    let document = &corpora[0].documents[0];
    assert_eq!(document.text, "On β&γ.\n\nA β binds SigK. GerE gene");
    // The title is not divided.
    assert_eq!(document.sentences, []);
    assert_eq!(entity_texts(document), [vec!["SigK"], vec!["GerE", "gene"], vec!["β"]]);
    assert_eq!(kinds(document), [("binds", ["T1", "T2"], true), ("binds", ["T1", "T3"], false)]);
    assert_eq!(corpora[0].documents[1], Document { id: "d2".to_owned(), ..Document::default() });
}

#[test]
fn bioc_in_json_may_be_a_document_or_several_values() {
    let one = r#"{"id": 7, "passages": [{"offset": 3, "text": "ab cd", "sentences": [{"offset": 3, "text": "ab"},
        {"offset": 6, "text": "cd"}], "annotations": [{"infons": {}, "locations": [{"offset": 6, "length": 2}]}]}]}"#;
    let found = document(&[("a.json", one)]);
    assert_eq!((found.id.as_str(), found.text.as_str()), ("7", "ab cd"));
    assert_eq!(texts(&found, found.sentences.iter().map(|sentence| &sentence.range)), ["ab", "cd"]);
    assert_eq!((found.entities[0].id.as_str(), entity_texts(&found)), ("a0", vec![vec!["cd"]]));
    let other = r#"{"documents": [{"passages": []}]}"#;
    for all in [format!("{one}\r\n{other}"), format!("[{one}, {other}]")] {
        let names = corpus(&[("a.json", &all)]).unwrap().documents;
        let names: Vec<&str> = names.iter().map(|document| document.id.as_str()).collect();
        assert!(names[0] == "7" && names[1].starts_with("a.") && names[1].ends_with(".2"), "{names:?}");
    }
}

#[test]
fn bioc_that_does_not_fit_is_told() {
    let of_xml = |from: &str, to: &str| {
        assert!(BIOC_XML.contains(from), "{from}");
        faults(&[("a.xml", &BIOC_XML.replace(from, to))])
    };
    let cases = [
        (r#"offset="18""#, r#"offset="19""#, "G154: the entity T1 is SigK, but at its offset stands igK."),
        (
            r#"offset="18""#,
            r#"offset="99""#,
            "G154: the entity T1 stands at 99, 4 characters long, where no text is",
        ),
        (r#"offset="18""#, r#"offset="18446744073709551615""#, "G154: the entity T1 stands at 184467440737"),
        (r#"length="1""#, r#"length="0""#, "G154: the entity T3 stands at 3, 0 characters long"),
        (r#"<location offset="3" length="1"/>"#, "", "G154: the entity T3 has no location"),
        (r#"refid="T2""#, r#"refid="T9""#, "G154: a relation has the end T9"),
        (r#"annotation id="T3""#, r#"annotation id="T1""#, "G154: two entities are called T1"),
        (
            r#"<node refid="T2" role="target"/><node refid="T3" role="agent"/>"#,
            "",
            "G154: the relation R1 has less",
        ),
        ("<offset>8</offset><text>", "<text>", "G154: a text has no offset"),
        (
            "<offset>24</offset>",
            "<offset>22</offset>",
            "G154: a text begins at 22, and the one before it ends at 23",
        ),
        ("<offset>24</offset>", "<offset>x</offset>", "G153: x is no number of characters"),
        (r#"refid="T2""#, "", "G153: <node> has no refid"),
        ("&#947;", "&#x110000;", "G153: this is no XML: "),
        ("</sentence>", "</sent>", "G153: this is no XML: "),
        ("&amp;", "&amq;", "G153: the entity amq is not known"),
        ("GerE gene", "GerE <b>gene</b>", "G153: <b> stands in <text>"),
        ("<document><id>d2</id></document>", "<passage/>", "G153: <passage> stands in <collection>"),
        ("</document></collection>", "</document>", "G153: the file ends within an element"),
        (r#"SYSTEM "BioC.dtd""#, r#"[<!ENTITY a "aa">]"#, "G153: the file declares entities of its own"),
    ];
    for (from, to, expected) in cases {
        let found = of_xml(from, to);
        assert!(found.starts_with(expected), "{from} -> {to}: {found}");
    }
    let json = faults(&[("a.json", &BIOC_JSON.replace(r#""length": 1}"#, r#""length": -1}"#))]);
    assert!(json.starts_with("G153: this is no BioC: invalid value: integer `-1`"), "{json}");
    let json = faults(&[("a.json", r#"{"documents": [{"infons": {"passages": 1}}]}"#)]);
    assert_eq!(json, "G153: this is no document of BioC\n");
}

#[test]
fn a_fault_in_json_has_its_place() {
    let text = BIOC_JSON.replace(r#""refid": "T2""#, r#""refid": "T9""#);
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.json"), text).unwrap();
    let mut sources = Sources::new();
    let faults = read(folder.path(), &mut sources).unwrap_err();
    assert!(render(&faults, &sources, false).contains("a.json:9:15"), "{}", render(&faults, &sources, false));
}

#[test]
fn damaged_bioc_is_refused_or_read() {
    survives("a.xml", BIOC_XML, &[]);
    survives("a.json", BIOC_JSON, &[]);
}

const BRAT_TEXT: &str = "Éin SigK binds GerE\r\ngene β";

const BRAT: &str = "R1\tbinds Arg2:T2 Arg1:T1\r\nT1\tprotein 4 8\tSigK\r\nT2\tgene 15 19;21 25\tGerE gene\n\
    T3\tprotein 4 8\tSigK\nT4\tgene 26 27\tβ\nT5\tbinding 9 14\tbinds\n*\tEquiv T1 T3\n\
    E1\tRegulation:T5 Theme:T2 Cause:T1 Theme2:T4 Site:T3\nE2\tRegulation:T5 Theme:E1 Cause:T1\n\
    A1\tNegation E1\n#1\tAnnotatorNotes T1\tsure\nR2\tknows Arg1:E1 Arg2:T1\n";

const BRAT_LINES: &str = r#"{"id": "a", "text": "Éin SigK binds GerE\r\ngene β", "entities": [
    {"id": "T1", "start": 4, "end": 8, "type": "protein"}, {"id": "T2", "start": 15, "end": 25, "type": "gene"},
    {"id": "T3", "start": 4, "end": 8, "type": "protein"}, {"id": "T4", "start": 26, "end": 27, "type": "gene"},
    {"id": "T5", "start": 9, "end": 14, "type": "binding"}], "relations": [
    {"head": "T1", "tail": "T2", "type": "binds"},
    {"head": "T1", "tail": "T2", "type": "Regulation"}, {"head": "T1", "tail": "T4", "type": "Regulation"}]}"#;

#[test]
fn brat_says_the_same_as_lines_of_json() {
    let found = document(&[("a.ann", BRAT), ("a.txt", BRAT_TEXT)]);
    let mut expected = document(&[("a.jsonl", &BRAT_LINES.replace('\n', " "))]);
    // A line of JSON has no gaps.
    let start = BRAT_TEXT.find("GerE").unwrap();
    expected.entities[1].ranges = vec![start..start + 4, start + 6..start + 10];
    // By hand: E1 says more of its arguments than who acts on whom; those of E2 and R2 have an event for an end.
    let pairs: BTreeSet<[&str; 2]> = found.unclear.iter().map(|of| named(&found, of.ends)).collect();
    let all = ["T1 T2", "T1 T3", "T1 T4", "T2 T3", "T2 T4", "T3 T4"];
    assert_eq!(pairs, all.iter().map(|pair| pair.split_once(' ').unwrap().into()).collect());
    expected.unclear.clone_from(&found.unclear);
    assert_eq!(found, expected);
    assert_eq!(document(&[("a.ann", ""), ("a.txt", "")]).text, "");
}

/// The names of two entities, ascending.
fn named(document: &Document, ends: [usize; 2]) -> [&str; 2] {
    let mut names = ends.map(|end| &*document.entities[end].id);
    names.sort_unstable();
    names
}

/// Events as GENIA writes them: what they state is read, and of what they say otherwise no pair is left.
#[test]
fn events_relate_what_they_state() {
    const TEXT: &str = "A B C D E F G";
    let entities: String = TEXT
        .chars()
        .enumerate()
        .filter(|(_, sign)| *sign != ' ')
        .map(|(at, sign)| format!("{sign}\tprotein {at} {}\t{sign}\n", at + 1))
        .collect();
    // A line for each entity; its name is that of its letter, which `T` begins.
    let entities = entities.lines().map(|line| format!("T{line}\n")).collect::<String>();
    let read = |events: &str| {
        let found = document(&[("a.ann", &format!("{entities}{events}")), ("a.txt", TEXT)]);
        let related: Vec<String> = found
            .relations
            .iter()
            .map(|of| {
                let [one, other] = of.ends.map(|end| &found.entities[end].id[1..]);
                format!("{one}{}{other}", if of.is_directed { ">" } else { "-" })
            })
            .collect();
        let unclear: BTreeSet<String> =
            found.unclear.iter().map(|of| named(&found, of.ends).map(|name| &name[1..]).concat()).collect();
        (related.join(" "), unclear.into_iter().collect::<Vec<_>>().join(" "))
    };
    for (events, related, unclear) in [
        ("E1\tBinding:TG Theme:TA Theme2:TB\n", "A-B", ""),
        ("E1\tBinding:TG Theme:TC Theme:TA Theme:TB\n", "C-A C-B A-B", ""),
        ("E1\tActivation:TG Agent:TC Target:TA\n", "C>A", ""),
        ("E1\tActivation:TG Patient:TC Agent:TA\n", "A>C", ""),
        ("E1\tPhosphorylation:TG Theme:TA Site:TB\n", "", "AB"),
        ("E1\tTransfer:TG Giver:TD Recipient:TB\n", "", "BD"),
        // D regulates the binding of A and B; and E the regulation of it.
        ("E1\tBinding:TG Theme:TA Theme2:TB\nE2\tRegulation:TF Cause:TD Theme:E1\n", "A-B", "AD BD"),
        (
            "E3\tRegulation:TF Cause:TE Theme:E2\nE2\tRegulation:TF Cause:TD Theme:E1\nE1\tBinding:TG Theme:TA\n",
            "",
            "AD AE DE",
        ),
        // Two events that name each other end.
        ("E1\tR:TG Theme:E2 Cause:TA\nE2\tR:TG Theme:E1 Cause:TB\n", "", "AB"),
        ("E1\tBinding:TG Theme:TA\nR1\tcauses Arg1:TC Arg2:E1\n", "", "AC"),
    ] {
        assert_eq!(read(events), (related.to_owned(), unclear.to_owned()), "{events}");
    }
}

#[test]
fn brat_that_does_not_fit_is_told() {
    let cases = [
        ("T1\tprotein 4 8\tSigL", "G154: the entity T1 is SigL, but at its offset stands SigK"),
        ("T1\tprotein 4 99\tSigK", "G154: the entity T1 stands at 4 99"),
        ("T1\tprotein 4 4\t", "G154: the entity T1 stands at 4 4"),
        ("T1\tprotein 4 x\t", "G153: 4 x is no offset"),
        ("T1 protein 4 8 SigK", "G153: an entity has no offset"),
        ("R1\tbinds Arg1:T1 Arg2:T1", "G154: a relation has the end T1"),
        ("R1\tbinds Arg1:T1", "G153: a relation needs two ends"),
        ("E1\tRegulation:T1", "G154: a relation has the end T1"),
        ("*\tEquiv T1", "G153: an equivalence needs two entities"),
        ("Q1\tx", "G153: this is no annotation"),
    ];
    for (line, expected) in cases {
        let found = faults(&[("a.ann", line), ("a.txt", BRAT_TEXT)]);
        assert!(found.starts_with(expected), "{line}: {found}");
    }
    let alone = corpus(&[("a.ann", "")]).unwrap_err();
    assert_eq!((alone[0].code(), alone.len()), (codes::BAD_CORPUS, 1));
    assert!(alone[0].message().ends_with("a.txt"), "{alone:?}");
}

#[test]
fn damaged_brat_is_refused_or_read() {
    survives("a.ann", BRAT, &[("a.txt", BRAT_TEXT)]);
    survives("a.txt", BRAT_TEXT, &[("a.ann", BRAT)]);
}

const CONLLU: &str = "# newdoc id = d1\r\n# sent_id = s1\n# text = β don't bindet zum SigK.\n# entity = e1 protein 6-7\n\
    # relation = binds e1 s2.e0\n\
    1\tβ\tβ\tNOUN\t_\t_\t4\tnsubj:x\t_\t_\n2-3\tdon't\t_\t_\t_\t_\t_\t_\t_\t_\n2\tdo\tdo\tAUX\t_\t_\t4\t_\t_\t_\n\
    3\tn't\tnot\tPART\t_\t_\t4\tadvmod\t_\t_\n3.1\tx\t_\t_\t_\t_\t_\t_\t_\t_\n4\tbindet\tbinden\tVERB\t_\t_\t0\troot\t_\t_\n\
    5-6\tzum\t_\t_\t_\t_\t_\t_\t_\t_\n5\tzu\tzu\tADP\t_\t_\t7\tcase\t_\t_\n6\tdem\tder\tDET\t_\t_\t7\tdet\t_\t_\n\
    7\tSigK\tSigK\tPROPN\t_\t_\t4\tobl\t_\tSpaceAfter=No\r\n8\t.\t.\tPUNCT\t_\t_\t4\tpunct\t_\t_\n\n\
    # sent_id = s2\n1\tGerE\t_\t_\t_\t_\t_\t_\t_\tNER=B-gene\n2\tgene\t_\tNOUN\t_\t_\t1\tFlat\t_\tNER=I-gene|SpaceAfter=No\n\
    3\t!\t_\t_\t_\t_\t_\t_\t_\tNER=O\n\n# newdoc\n# relation = y z z undirected\n";

#[test]
fn sentences_of_conllu_have_their_tokens() {
    let file = CONLLU.replace("# relation = y z z undirected\n", "");
    let marked = format!("\u{feff}{}", file.replace("\r\n", "\n").replace('\n', "\r\n"));
    let read = corpus(&[("a.conllu", &file)]).unwrap();
    assert_eq!(corpus(&[("a.conllu", &marked)]).unwrap(), read);
    let id = read.documents[1].id.clone();
    assert!(id.starts_with("a.") && id.ends_with(".2"), "{id}");
    assert_eq!(read.documents[1], Document { id, ..Document::default() });
    let found = &read.documents[0];
    assert_eq!(found.text, "β don't bindet zum SigK.\nGerE gene!");
    let words = texts(found, found.tokens.iter().map(|token| &token.range));
    let expected = ["β", "do", "n't", "bindet", "zum", "zum", "SigK", ".", "GerE", "gene", "!"];
    assert_eq!(words, expected);
    let arcs: Vec<_> = found.tokens.iter().map(|token| token.arc.as_ref()).collect();
    let is_arc = |at: usize, head, name: &str| arcs[at] == Some(&(head, name.to_owned()));
    assert!(
        is_arc(0, 3, "nsubj:x") && is_arc(1, 3, "dep") && arcs[3].is_none() && is_arc(9, 8, "flat"),
        "{arcs:?}"
    );
    let (lemma, tag) = (&found.tokens[2].lemma, &found.tokens[2].tag);
    assert_eq!((lemma.as_deref(), tag.as_deref()), (Some("not"), Some("part")));
    assert_eq!(found.tokens[8].lemma, None);
    assert_eq!(texts(found, found.sentences.iter().map(|sentence| &sentence.range))[1], "GerE gene!");
    assert_eq!(entity_texts(found), [["zum SigK"], ["GerE gene"]]);
    assert_eq!(kinds(found), [("binds", ["e1", "s2.e0"], true)]);
}

#[test]
fn conllu_that_does_not_fit_is_told() {
    let cases = [
        ("6-7", "6-9", "G154: the entity e1 stands at no words of the sentence"),
        ("6-7", "7-6", "G154: the entity e1 stands at no words of the sentence"),
        ("protein 6-7", "protein", "G154: this is no entity"),
        ("s2.e0", "s2.e1", "G154: a relation has the end s2.e1"),
        ("binds e1 s2.e0", "binds e1", "G154: this is no relation"),
        ("\t7\tcase", "\t9\tcase", "G154: the head 9 is no word of the sentence"),
        (
            "SigK.\n",
            "SigL.\n",
            "G154: the token SigK is not the next of the text, which goes on as \"SigL.\"",
        ),
        ("SigK.\n", "SigK. It\n", "G154: no token stands for \" It\" at the end of the text"),
        ("B-gene", "I-gene", "G154: the tag I-gene begins and continues no entity"),
        ("B-gene", "(gene", "G154: the tag (gene begins"),
        ("2-3\t", "3-4\t", "G153: 3-4 is not the next word"),
        ("\n8\t", "\n9\t", "G153: 9 is not the next word"),
        ("\tSigK\tSigK", "\tSigK", "G153: a token has 9 fields"),
        ("\n# sent_id = s2", "# sent_id = s2", "G153: a comment stands within a sentence"),
        ("\n# newdoc\n", "\n# text = lost\n", "G153: a sentence has no tokens"),
    ];
    for (from, to, expected) in cases {
        assert!(CONLLU.contains(from), "{from}");
        let found = faults(&[("a.conllu", &CONLLU.replace(from, to))]);
        assert!(found.starts_with(expected), "{from} -> {to}: {found}");
    }
}

#[test]
fn damaged_conllu_is_refused_or_read() {
    survives("a.conllu", CONLLU, &[]);
}
