//! Parameters carried from one seed example's bottom clause to the next. [DIRECTED §5, future work]

use crate::base::{FixedMap, VariableId};
use crate::bias::BottomClause;
use crate::program::{Literal, Term};

use super::network::Network;
use super::parameters::{Parameters, Prior, Priors};

/// What searches taught, by literals up to the names of their variables.
///
/// Two literals, of one bottom clause or of two, are of one *kind* when they agree in predicate, sign,
/// constants and their places, head variables and their places (a head variable is known by the first
/// argument of the head that it is), and layer; which other variables they have does not matter. Two arcs
/// are of one kind when their parents are and their children are.
///
/// A search gives each kind the mean counts of the nodes or arcs of that kind over all bottom clauses
/// before it, so that what is carried weighs as much as one search, however many there were, and what it
/// counts itself soon weighs more. Kinds not met before begin uniform.
///
/// **Cost**: `O(n_nodes + n_arcs)` table look-ups at the beginning and at the end of a search.
#[derive(Clone, Debug, Default)]
pub struct Transfer {
    kinds: FixedMap<Kind, usize>,
    nodes: FixedMap<usize, Counts>,
    arcs: FixedMap<(usize, usize), Counts>,
}

/// A literal up to the names of its variables.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Kind {
    /// Each head variable is the place in the head where it is first met; each other is [`OTHER`].
    literal: Literal,
    layer: u32,
}

/// Stands for every variable that is not of the head.
const OTHER: VariableId = VariableId::from_raw(u32::MAX);

/// Sums over the nodes or arcs of one kind.
#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    n_met: f64,
    exploit: Prior,
    explored: Prior,
}

impl Counts {
    fn add(&mut self, exploit: Prior, explored: Prior) {
        self.n_met += 1.0;
        for (sum, one) in [(&mut self.exploit, exploit), (&mut self.explored, explored)] {
            sum.n_true += one.n_true;
            sum.n_all += one.n_all;
        }
    }

    fn means(counts: Option<&Self>) -> (Prior, Prior) {
        let Some(counts) = counts else { return (Prior::default(), Prior::default()) };
        let mean = |sum: Prior| Prior { n_true: sum.n_true / counts.n_met, n_all: sum.n_all / counts.n_met };
        (mean(counts.exploit), mean(counts.explored))
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

    /// What is known of the nodes and arcs of a network, for EXPLOIT and for EXPLORED.
    pub(super) fn priors(&self, bottom: &BottomClause, network: &Network) -> (Priors, Priors) {
        let kinds: Vec<Option<usize>> = network
            .positions()
            .map(|position| self.kinds.get(&Kind::of(bottom, network, position)).copied())
            .collect();
        let kind = |position: u16| kinds[usize::from(position)];
        let nodes =
            kinds.iter().map(|kind| Counts::means(kind.and_then(|kind| self.nodes.get(&kind)))).unzip();
        let arcs = (0..network.n_arcs())
            .map(|arc| {
                let arc = network.arc(arc);
                let kinds = kind(arc.parent).zip(kind(arc.child));
                Counts::means(kinds.and_then(|kinds| self.arcs.get(&kinds)))
            })
            .unzip();
        priors_of(nodes, arcs)
    }

    /// Adds what a search counted by itself, for EXPLOIT and for EXPLORED.
    pub(super) fn learn(
        &mut self,
        bottom: &BottomClause,
        network: &Network,
        (exploit, explored): (&Parameters, &Parameters),
    ) {
        let mut kinds = Vec::with_capacity(network.n_nodes());
        for position in network.positions() {
            let next = self.kinds.len();
            let kind = *self.kinds.entry(Kind::of(bottom, network, position)).or_insert(next);
            kinds.push(kind);
            let counts = self.nodes.entry(kind).or_default();
            counts.add(exploit.node_counts(position), explored.node_counts(position));
        }
        for idx in 0..network.n_arcs() {
            let arc = network.arc(idx);
            let counts =
                self.arcs.entry((kinds[usize::from(arc.parent)], kinds[usize::from(arc.child)])).or_default();
            counts.add(exploit.arc_counts(network, idx), explored.arc_counts(network, idx));
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
            Term::Constant(_) => term,
        };
        let literal = bottom.literals[usize::from(position)].literal.map_terms(&mut { mask });
        Self { literal, layer: network.node(position).layer }
    }
}

fn priors_of(nodes: (Vec<Prior>, Vec<Prior>), arcs: (Vec<Prior>, Vec<Prior>)) -> (Priors, Priors) {
    (Priors { nodes: nodes.0, arcs: arcs.0 }, Priors { nodes: nodes.1, arcs: arcs.1 })
}
