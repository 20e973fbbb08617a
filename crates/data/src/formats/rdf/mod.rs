//! RDF graphs in N-Triples (`.nt`) and Turtle (`.ttl`): each triple `s p o` is a fact `p(s, o)`.
//!
//! The facts of `--target` are the positive examples, as in `triples`. `rdf:type` is a relation as any other:
//! `s rdf:type c` is `type(s, c)`. A folder holds one graph, for names are made short within a file ([`names`]).

use std::path::{Path, PathBuf};

use crate::formats::file_format::{About, Asked, Clue, FileFormat};
use crate::formats::folder::{entries, has_ending};
use crate::gather::{DataFile, FileReading, Files, Habits, MakeReader, whole};
use gleaner_lang::syntax::{Diagnostic, codes};

mod graph;
mod names;

use graph::{BadStatement, Graph};
use names::Names;

/// The layout of RDF graphs.
#[derive(Debug)]
pub(super) struct Rdf;

impl FileFormat for Rdf {
    fn about(&self) -> About {
        About {
            name: "rdf",
            files_in_words: "*.nt, *.ttl",
            habits: Habits {
                is_foreign: true,
                has_positives_among_facts: true,
                is_one_graph: true,
                ..Habits::default()
            },
            clue: Clue::Graphs,
        }
    }

    fn is_recognised(&self, path: &Path) -> bool {
        if path.is_dir() { !self.problems(path).is_empty() } else { is_graph(path) }
    }

    fn problems(&self, path: &Path) -> Vec<PathBuf> {
        entries(path).into_iter().filter(|entry| is_graph(entry)).collect()
    }

    fn facts(&self, path: &Path) -> Option<MakeReader> {
        is_graph(path).then_some(|| whole(read_graph))
    }

    fn files(&self, asked: &Asked<'_>) -> Result<Option<Files>, Vec<Diagnostic>> {
        let path =
            if asked.path.is_dir() { self.problems(asked.path).pop() } else { Some(asked.path.to_owned()) };
        Ok(path.map(|path| Files::undivided(vec![DataFile::read_by(path, || whole(read_graph))])))
    }
}

/// Whether a file's name says that it is a graph.
fn is_graph(path: &Path) -> bool {
    has_ending(path, "nt") || has_ending(path, "ttl")
}

/// Reads a graph. N-Triples are a part of Turtle, and are read as Turtle.
fn read_graph(text: &str, reading: &mut FileReading<'_>) {
    let graph = Graph::read(text);
    for fault in graph.faults {
        reading.tell(bad_statement(&fault, reading));
    }
    let mut names = Names::new(&graph.triples);
    for triple in &graph.triples {
        let place = reading.place_in_file(triple.line);
        let subject = names.subject(triple, &mut reading.statements.symbols);
        let object = names.object(triple, &mut reading.statements.symbols);
        let fold = reading.fold;
        reading.fact_row(names.relation(triple), &[subject, object], fold, place);
    }
}

fn bad_statement(fault: &BadStatement, reading: &FileReading<'_>) -> Diagnostic {
    Diagnostic::error(codes::ODD_LINE, format!("this is no triple: {}", fault.message))
        .at(reading.place_in_file(fault.span), "here")
        .with_help("a triple is `<subject> <predicate> <object> .`, or the short forms of Turtle")
}
