//! Parameters carried from one seed example's bottom clause to the next. [DIRECTED §5, future work]

use serde::{Deserialize, Serialize};

use crate::bias::BottomClause;
use gleaner_base::{FixedMap, VariableId};
use gleaner_lang::program::{Literal, Term};

use super::network::Network;
use super::parameters::{Parameters, Prior, Priors};

/// The counts of good clauses that earlier searches made, by literals up to the names of their variables.
///
/// Only EXPLOIT is carried. EXPLORED says which clauses of this bottom clause were evaluated; carried over from
/// other bottom clauses, it keeps a search from the very clauses that were good there. Measured on 20 seeds of
/// 3,000 clauses on generated sentences, as the mean over seeds of the sum over bins of the best precision
/// times recall: 2.10 without transfer, 2.35 with that of EXPLOIT, 1.04 with that of EXPLORED; restarts
/// without networks 1.85.
///
/// Two literals, of one bottom clause or of two, are of one *kind* when they agree in predicate, sign, layer, constants
/// and their places, and head variables and their places. The first argument of the head that a head variable is
/// identifies the variable. Other variables do not matter. Two arcs are of one kind when their parents are and their
/// children are.
///
/// A search gives each kind the mean counts of the nodes or arcs of that kind over all bottom clauses before it. So
/// the carried counts weigh as much as one search, however many there were, and the search's own counts soon weigh
/// more. Kinds not met before begin uniform.
///
/// **Cost**: `O(n_nodes + n_arcs)` table look-ups at the beginning and at the end of a search.
///
/// When it is serialised, its maps are lists, ascending by their keys.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(into = "SavedTransfer", from = "SavedTransfer")]
pub struct Transfer {
    kinds: FixedMap<Kind, usize>,
    nodes: FixedMap<usize, Sums>,
    arcs: FixedMap<(usize, usize), Sums>,
}

/// A literal up to the names of its variables.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
struct Kind {
    /// Each head variable is the place in the head where it is first met; each other is [`OTHER`].
    literal: Literal,
    layer: u32,
}

/// Stands for every variable that is not of the head.
const OTHER: VariableId = VariableId::from_raw(u32::MAX);

/// Sums over the nodes or arcs of one kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Sums {
    n_met: f64,
    counts: Prior,
}

impl Sums {
    fn add(&mut self, counts: Prior) {
        self.n_met += 1.0;
        self.counts.n_true += counts.n_true;
        self.counts.n_all += counts.n_all;
    }

    fn mean(&self) -> Prior {
        Prior { n_true: self.counts.n_true / self.n_met, n_all: self.counts.n_all / self.n_met }
    }
}

/// A [`Transfer`] as lists.
#[derive(Serialize, Deserialize)]
struct SavedTransfer {
    /// The kinds, by number.
    kinds: Vec<Kind>,
    nodes: Vec<(usize, Sums)>,
    arcs: Vec<((usize, usize), Sums)>,
}

impl From<Transfer> for SavedTransfer {
    fn from(transfer: Transfer) -> Self {
        let mut kinds: Vec<(Kind, usize)> = transfer.kinds.into_iter().collect();
        kinds.sort_unstable_by_key(|&(_, number)| number);
        let mut nodes: Vec<_> = transfer.nodes.into_iter().collect();
        nodes.sort_unstable_by_key(|&(kind, _)| kind);
        let mut arcs: Vec<_> = transfer.arcs.into_iter().collect();
        arcs.sort_unstable_by_key(|&(kinds, _)| kinds);
        Self { kinds: kinds.into_iter().map(|(kind, _)| kind).collect(), nodes, arcs }
    }
}

impl From<SavedTransfer> for Transfer {
    fn from(saved: SavedTransfer) -> Self {
        Self {
            kinds: saved.kinds.into_iter().zip(0..).collect(),
            nodes: saved.nodes.into_iter().collect(),
            arcs: saved.arcs.into_iter().collect(),
        }
    }
}

impl Transfer {
    /// Nothing learnt yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// How many kinds of literals were met.
    #[must_use]
    pub fn n_kinds(&self) -> usize {
        self.kinds.len()
    }

    /// The prior counts of a network's nodes and arcs.
    pub(super) fn priors(&self, bottom: &BottomClause, network: &Network) -> Priors {
        let kinds: Vec<Option<usize>> = network
            .positions()
            .map(|position| self.kinds.get(&Kind::of(bottom, network, position)).copied())
            .collect();
        let kind = |position: u16| kinds[usize::from(position)];
        let mean = |sums: Option<&Sums>| sums.map_or_else(Prior::default, Sums::mean);
        let nodes = kinds.iter().map(|kind| mean(kind.and_then(|kind| self.nodes.get(&kind)))).collect();
        let arcs = (0..network.n_arcs())
            .map(|arc| {
                let arc = network.arc(arc);
                mean(kind(arc.parent).zip(kind(arc.child)).and_then(|kinds| self.arcs.get(&kinds)))
            })
            .collect();
        Priors { nodes, arcs }
    }

    /// Adds the counts that a search made, without the carried ones.
    pub(super) fn learn(&mut self, bottom: &BottomClause, network: &Network, exploit: &Parameters) {
        let mut kinds = Vec::with_capacity(network.n_nodes());
        for position in network.positions() {
            let next = self.kinds.len();
            let kind = *self.kinds.entry(Kind::of(bottom, network, position)).or_insert(next);
            kinds.push(kind);
            self.nodes.entry(kind).or_default().add(exploit.node_counts(position));
        }
        for idx in 0..network.n_arcs() {
            let arc = network.arc(idx);
            let kind = (kinds[usize::from(arc.parent)], kinds[usize::from(arc.child)]);
            self.arcs.entry(kind).or_default().add(exploit.arc_counts(network, idx));
        }
    }
}

impl Kind {
    fn of(bottom: &BottomClause, network: &Network, position: u16) -> Self {
        let mask = |term: Term| match term {
            Term::Variable(_) => {
                let place = bottom.head.arguments.iter().position(|&argument| argument == term);
                Term::Variable(place.map_or(OTHER, VariableId::new))
            }
            Term::Constant(_) | Term::Any => term,
        };
        let literal = bottom.literals[usize::from(position)].literal.map_terms(&mut { mask });
        Self { literal, layer: network.node(position).layer }
    }
}
