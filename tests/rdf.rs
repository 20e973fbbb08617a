//! RDF graphs: triples as facts, and the names of what they speak of.

use std::path::{Path, PathBuf};

use gleaner::experiment::catalog;
use gleaner_data::convert::convert;
use gleaner_data::{Format, LoadPurpose, LoadRequest, Loaded};
use gleaner_lang::program::TargetName;
use gleaner_lang::syntax::{Sources, codes, render};

fn request(path: &Path, target: &str) -> LoadRequest {
    let target = Some(TargetName { name: target.to_owned(), arity: None });
    LoadRequest { path: path.to_owned(), purpose: LoadPurpose::Inspect, target, ..LoadRequest::default() }
}

fn loaded(path: &Path, target: &str) -> Loaded {
    let mut sources = Sources::new();
    match gleaner::experiment::load(&request(path, target), &mut sources) {
        Ok(loaded) => loaded,
        Err(faults) => panic!("it does not load:\n{}", render(&faults, &sources, false)),
    }
}

fn refused(path: &Path, target: &str) -> String {
    let mut sources = Sources::new();
    let faults = gleaner::experiment::load(&request(path, target), &mut sources).expect_err("a fault");
    render(&faults, &sources, false)
}

fn fixture() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/graph")
}

fn examples(loaded: &Loaded) -> Vec<String> {
    let mut examples: Vec<String> =
        loaded.problem.examples().ids().map(|example| loaded.problem.example_text(example)).collect();
    examples.sort();
    examples
}

/// Worked by hand: see `fixtures/graph/SOURCE.md`.
#[test]
fn triples_are_facts_and_the_target_s_are_positives() {
    let loaded = loaded(&fixture(), "gives_honey_to");
    assert_eq!(loaded.problem.format(), Format::Rdf.name());
    let eva = "'http://example.org/people/eva'";
    let expected = [
        format!("gives_honey_to(ann,{eva})"),
        "gives_honey_to(ann,bob)".to_owned(),
        format!("gives_honey_to(bob,{eva})"),
        "gives_honey_to(dan,ann)".to_owned(),
    ];
    assert_eq!(examples(&loaded), expected);
    assert_eq!(loaded.problem.examples().n_positives(), 4);
    let sizes: Vec<(&str, usize)> =
        loaded.problem.profile().iter().map(|size| (size.predicate.as_str(), size.n_facts)).collect();
    let expected =
        [("age/2", 2), ("flower/2", 3), ("garden/2", 2), ("name/2", 2), ("neighbour/2", 4), ("sunny/2", 2)];
    assert_eq!(sizes, expected.into_iter().chain([("type/2", 2)]).collect::<Vec<_>>());
}

#[test]
fn names_are_short_where_they_are_clear() {
    let of = |target: &str| examples(&loaded(&fixture(), target));
    assert_eq!(of("age"), ["age(ann,41)", "age(bob,39.5)"]);
    assert_eq!(of("name"), [r#"name('http://example.org/people/eva',"Eva@de")"#, r#"name(ann,"Ann")"#]);
    assert_eq!(of("type"), ["type(ann,'Keeper')", "type(bob,'Keeper')"]);
    assert_eq!(of("sunny"), ["sunny('_:meadow',true)", "sunny('http://example.org/places/eva',false)"]);
    let gardens = ["garden('http://example.org/people/eva','_:[1]')", "garden(dan,'_:meadow')"];
    assert_eq!(of("garden"), gardens);
}

#[test]
fn n_triples_are_lines() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let file = folder.path().join("small.nt");
    let text = "<http://e.org/a#ann> <http://e.org/r#likes> <http://e.org/a#bob> .\r\n# a note\n\
                <http://e.org/a#ann> <http://e.org/r#likes> \"caf\\u00E9\" .\n\
                _:x <http://e.org/r#age> \"7\"^^<http://www.w3.org/2001/XMLSchema#int> .\n";
    std::fs::write(&file, text).expect("the file can be written");
    assert_eq!(examples(&loaded(&file, "likes")), [r#"likes(ann,"café")"#, "likes(ann,bob)"]);
    assert_eq!(examples(&loaded(folder.path(), "age")), ["age('_:x',7)"]);
}

/// The two lines with faults are told, each at its place; the others would have been read.
#[test]
fn what_is_no_triple_is_told() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let file = folder.path().join("broken.nt");
    let text = "<http://e.org/ann> <http://e.org/likes> <http://e.org/bob> .\n\
                <http://e.org/ann> <http://e.org/likes> .\n\
                <http://e.org/bob> <http://e.org/likes> <http://e.org/ann> .\n\
                <http://e.org/bob> <not an iri> <http://e.org/ann> .\n";
    std::fs::write(&file, text).expect("the file can be written");
    let shown = refused(&file, "likes");
    assert_eq!(shown.matches("error[G033]: this is no triple").count(), 2, "{shown}");
    assert!(shown.contains("broken.nt:2:41") && shown.contains("broken.nt:4:"), "{shown}");
    assert!(shown.contains("<subject> <predicate> <object> ."), "{shown}");
}

#[test]
fn a_folder_of_several_graphs_is_several_problems() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    for name in ["a.nt", "b.ttl"] {
        let text = "<http://e.org/ann> <http://e.org/likes> <http://e.org/bob> .\n";
        std::fs::write(folder.path().join(name), text).expect("the file can be written");
    }
    let shown = refused(folder.path(), "likes");
    assert!(shown.contains("holds several problems") && shown.contains("a.nt or "), "{shown}");
}

#[test]
fn graphs_are_not_written() {
    assert!(Format::written().all(|format| format != Format::Rdf));
    let request = request(&fixture(), "gives_honey_to");
    let faults =
        convert(&request, Format::Rdf, catalog(), &mut Sources::new()).expect_err("it is not written");
    assert_eq!(faults.last().map(|fault| fault.code()), Some(codes::UNKNOWN_LAYOUT));
}
