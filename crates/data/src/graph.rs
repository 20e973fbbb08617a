//! Graphs in files.

use std::path::Path;

use gleaner_lang::program::graph::GraphData;
use gleaner_lang::syntax::{Diagnostic, Sources};

use super::formats::triples;

/// A graph with the warnings of its loading.
#[derive(Debug)]
pub struct LoadedGraph {
    /// The graph.
    pub graph: GraphData,
    /// What was odd.
    pub warnings: Vec<Diagnostic>,
}

/// Reads a graph of triples: a file, or a folder with train.txt, and perhaps valid.txt and test.txt. The files that are read
/// are added to `sources`.
///
/// # Errors
///
/// Every fault of the files that was found.
pub fn load_graph(path: &Path, sources: &mut Sources) -> Result<LoadedGraph, Vec<Diagnostic>> {
    triples::graph(path, sources)
}

/// The constant of each entity of a graph, as clauses write it.
#[must_use]
pub fn constant_texts(graph: &GraphData) -> Vec<String> {
    triples::constant_texts(&graph.entities)
}
