use super::*;

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
