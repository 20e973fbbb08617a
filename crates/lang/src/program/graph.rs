//! Graphs: links of many relations, each of which is learnt.

use serde::{Deserialize, Serialize};

use gleaner_base::{EntityId, LinkRelationId};

/// A link of a graph: `relation(subject, object)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Link {
    /// Where it begins.
    pub subject: EntityId,
    /// The relation between both entities.
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
    /// Links on which settings are chosen.
    pub tune: Vec<Link>,
    /// Links that the model is to predict.
    pub test: Vec<Link>,
    /// Links that people checked to be false, for use with `tune`.
    pub tune_false: Vec<Link>,
    /// Links that people checked to be false, for use with `test`.
    pub test_false: Vec<Link>,
}

impl GraphData {
    /// The graph of links given by names: subject, relation and object. The five parts are train, tune, test, false
    /// links of tune and false links of test.
    ///
    /// # Panics
    ///
    /// When there are 2^32 names or more.
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
