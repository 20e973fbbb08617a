//! Graphs in files.

pub use super::formats::triples::{LoadedGraph, constant_texts, load_graph};
