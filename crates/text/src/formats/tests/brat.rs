use std::collections::BTreeSet;

use super::*;

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
