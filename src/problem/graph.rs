//! Graphs: the links of many relations, all of which are learnt.

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::base::{EntityId, LinkRelationId};
use crate::syntax::{Diagnostic, Sources};

use super::formats::triples;

/// A link of a graph: `relation(subject, object)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Link {
    /// Where it begins.
    pub subject: EntityId,
    /// What it says.
    pub relation: LinkRelationId,
    /// Where it ends.
    pub object: EntityId,
}

/// The links of a graph.
///
/// **Invariant**: names ascend, each once; so the order of the files' lines does not matter.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GraphData {
    /// The names of entities.
    pub entities: Vec<String>,
    /// The names of relations.
    pub relations: Vec<String>,
    /// Known links.
    pub train: Vec<Link>,
    /// Links that settings are chosen on.
    pub tune: Vec<Link>,
    /// Links that are asked for.
    pub test: Vec<Link>,
    /// What people checked to be false, beside tune.
    pub tune_false: Vec<Link>,
    /// Beside test.
    pub test_false: Vec<Link>,
}

impl GraphData {
    /// The constant of each entity, as clauses write it.
    #[must_use]
    pub fn constant_texts(&self) -> Vec<String> {
        triples::constant_texts(&self.entities)
    }

    /// The graph of links by name, as subject, relation and object: train, tune, test, false ones of tune, and of test.
    ///
    /// # Panics
    ///
    /// When there are 2^32 names or more.
    #[must_use]
    pub fn of_names(parts: &[Vec<[&str; 3]>; 5]) -> Self {
        let names = |columns: &[usize]| -> Vec<String> {
            let cells = parts.iter().flatten().flat_map(|cells| columns.iter().map(|&column| cells[column]));
            let mut names: Vec<&str> = cells.collect();
            names.sort_unstable();
            names.dedup();
            names.into_iter().map(str::to_owned).collect()
        };
        let (entities, relations) = (names(&[0, 2]), names(&[1]));
        let place = |names: &[String], name: &str| {
            names.binary_search_by(|known| known.as_str().cmp(name)).expect("all names are gathered")
        };
        let link = |&[subject, relation, object]: &[&str; 3]| Link {
            subject: EntityId::new(place(&entities, subject)),
            relation: LinkRelationId::new(place(&relations, relation)),
            object: EntityId::new(place(&entities, object)),
        };
        let [train, tune, test, tune_false, test_false] =
            [0, 1, 2, 3, 4].map(|part| parts[part].iter().map(link).collect::<Vec<_>>());
        Self { entities, relations, train, tune, test, tune_false, test_false }
    }
}

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
