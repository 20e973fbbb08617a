//! The parameters: weighted counts over the structure, and the probabilities that they give [DIRECTED §2.2].
//!
//! [`Transfer`] carries them from one seed example's bottom clause to the next [DIRECTED §5, future work].

use serde::{Deserialize, Serialize};

use crate::bias::{BottomClause, Candidate};
use gleaner_base::{FixedMap, VariableId};
use gleaner_lang::program::{Clause, Term};

use super::candidate_probability::{LnProduct, ln};
use super::network::Network;

/// The least factor of a literal of a legal clause. A dropped arc can leave it without a parent that
/// enables it, and would make the clause as impossible as an illegal one.
///
/// Factors of absent literals need no such bound: smoothing keeps them above 0.
pub const LEAST_FACTOR: f64 = 1e-6;

/// The counts from before the search, for one node or one arc.
#[derive(Clone, Copy, Debug, PartialEq, Default, serde::Serialize, serde::Deserialize)]
pub struct Prior {
    /// The weight of the clauses with the literal, or with the child as well as the parent.
    pub n_true: f64,
    /// The weight of all clauses, or of those with the parent.
    pub n_all: f64,
}

/// The prior counts of each node and each arc of the network.
#[derive(Clone, Debug, PartialEq)]
pub struct Priors {
    /// By position.
    pub nodes: Vec<Prior>,
    /// By arc.
    pub arcs: Vec<Prior>,
}

/// Weighted counts of clauses over a [`Network`], with add-one smoothing.
///
/// With `w` the weight of the clauses that a condition holds for,
///
/// ```text
/// P(n = true)              = (w(n) + 1) / (w() + 2)              where the head enables n
/// P(n = false | R = true)  = (w(R) - w(R, n) + 1) / (w(R) + 2)   for each arc from R to n
/// P(n = true | parents)    = max over alternatives of the product over their open inputs j of
///                            1 - product over the true parents R that output j of P(n = false | R = true)
/// ```
///
/// and a candidate's probability is the product over all nodes of `P(n = true | parents)` for its
/// literals, at least [`LEAST_FACTOR`] each, and of `1 - P(n = true | parents)` for all others. An illegal
/// one has probability 0: some literal of it has no alternative whose open inputs are all output by
/// literals of it. Before any clause was counted every conditional probability is one half.
///
/// DIVERGENCE: the paper's literals have one set of inputs; of alternative sets we take the most probable,
/// so that a literal that a second mode produced too is no more probable for it.
///
/// **Cost**: an update looks up the arcs between the clause's literals, `O(body_len^2 log children)`. The next use
/// computes again the values that depend on the updated literals, `O(their arcs + head-enabled literals)`.
#[derive(Clone, Debug)]
pub struct Parameters {
    n_clauses: f64,
    with_node: Vec<f64>,
    with_arc: Vec<f64>,
    priors: Option<Priors>,
    derived: Derived,
}

/// The values computed from the counts, and computed again where the counts change.
#[derive(Clone, Debug)]
struct Derived {
    /// By arc: P(child = false | parent = true).
    false_given: Vec<f64>,
    /// By node: the logarithm of the product of `false_given` over its children with one open input. This is the cost
    /// of its presence while these children are absent.
    absent_children: Vec<f64>,
    /// By head-enabled node: the logarithm of its odds, P(true) at least the least factor.
    odds: Vec<f64>,
    /// The logarithm of the probability that no head-enabled literal is true.
    empty: f64,
    stale: Vec<u16>,
    is_stale: Vec<bool>,
    is_total_stale: bool,
}

impl Parameters {
    /// Parameters before this search counts any clause, with the counts of earlier searches if there are any.
    pub fn new(network: &Network, priors: Option<Priors>) -> Self {
        let n_nodes = network.n_nodes();
        Self {
            n_clauses: 0.0,
            with_node: vec![0.0; n_nodes],
            with_arc: vec![0.0; network.n_arcs()],
            priors,
            derived: Derived {
                false_given: vec![0.0; network.n_arcs()],
                absent_children: vec![0.0; n_nodes],
                odds: vec![0.0; n_nodes],
                empty: 0.0,
                stale: network.positions().collect(),
                is_stale: vec![true; n_nodes],
                is_total_stale: true,
            },
        }
    }

    /// Counts a clause with a weight of at least 0.
    pub fn update(&mut self, network: &Network, candidate: &Candidate, weight: f64) {
        self.n_clauses += weight;
        self.derived.is_total_stale = true;
        for &parent in candidate.positions() {
            self.with_node[usize::from(parent)] += weight;
            if !std::mem::replace(&mut self.derived.is_stale[usize::from(parent)], true) {
                self.derived.stale.push(parent);
            }
            if network.arcs_from(parent).is_empty() {
                continue;
            }
            for &child in candidate.positions() {
                if let Some(arc) = network.arc_between(parent, child) {
                    self.with_arc[arc] += weight;
                }
            }
        }
    }

    /// The counts of a node, without the priors: the weight of the clauses with it, and of all clauses.
    fn node_counts(&self, position: u16) -> Prior {
        Prior { n_true: self.with_node[usize::from(position)], n_all: self.n_clauses }
    }

    /// The counts of an arc, without the priors: the weight of the clauses with both literals, and of those with the
    /// parent.
    fn arc_counts(&self, network: &Network, arc: usize) -> Prior {
        let parent = usize::from(network.arc(arc).parent);
        Prior { n_true: self.with_arc[arc], n_all: self.with_node[parent] }
    }

    /// P(n = true) of a head-enabled literal.
    pub fn frequency(&self, position: u16) -> f64 {
        let counts = self.node_counts(position);
        let prior = self.priors.as_ref().map_or_else(Prior::default, |p| p.nodes[usize::from(position)]);
        (counts.n_true + prior.n_true + 1.0) / (counts.n_all + prior.n_all + 2.0)
    }

    /// P(child = false | parent = true) of an arc.
    pub fn false_given(&self, network: &Network, arc: usize) -> f64 {
        let counts = self.arc_counts(network, arc);
        let prior = self.priors.as_ref().map_or_else(Prior::default, |priors| priors.arcs[arc]);
        let n_false = (counts.n_all - counts.n_true) + (prior.n_all - prior.n_true);
        (n_false + 1.0) / (counts.n_all + prior.n_all + 2.0)
    }

    /// Computes again the values that depend on changed counts.
    pub(super) fn refresh(&mut self, network: &Network) {
        for position in std::mem::take(&mut self.derived.stale) {
            self.derived.is_stale[usize::from(position)] = false;
            let mut absent = LnProduct::ONE;
            for arc in network.simple_arcs(position) {
                let false_given = self.false_given(network, arc);
                self.derived.false_given[arc] = false_given;
                absent.multiply(false_given);
            }
            for arc in network.compound_arcs(position) {
                self.derived.false_given[arc] = self.false_given(network, arc);
            }
            self.derived.absent_children[usize::from(position)] = absent.ln();
        }
        if std::mem::take(&mut self.derived.is_total_stale) {
            let mut empty = LnProduct::ONE;
            for position in network.positions().filter(|&position| network.is_head_enabled(position)) {
                let frequency = self.frequency(position);
                empty.multiply(1.0 - frequency);
                self.derived.odds[usize::from(position)] =
                    ln(frequency.max(LEAST_FACTOR) / (1.0 - frequency));
            }
            self.derived.empty = empty.ln();
        }
    }

    /// As [`Self::false_given`], after [`Self::refresh`].
    pub(super) fn known_false_given(&self, arc: usize) -> f64 {
        self.derived.false_given[arc]
    }

    pub(super) fn absent_children(&self, position: u16) -> f64 {
        self.derived.absent_children[usize::from(position)]
    }

    pub(super) fn odds(&self, position: u16) -> f64 {
        self.derived.odds[usize::from(position)]
    }

    pub(super) fn empty(&self) -> f64 {
        self.derived.empty
    }
}

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
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Transfer {
    kinds: FixedMap<Kind, usize>,
    nodes: FixedMap<usize, Sums>,
    arcs: FixedMap<(usize, usize), Sums>,
}

/// A literal up to the names of its variables.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
struct Kind<C = Clause> {
    /// The literal below the head. Each head variable is the place in the head where it is first met; each other is
    /// [`OTHER`].
    clause: C,
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

/// A [`Transfer`] as lists, ascending by the keys of its maps. Its literals are bodies of clauses, which may have any form.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ListedTransfer<C = Clause> {
    /// The kinds, by number.
    kinds: Vec<Kind<C>>,
    nodes: Vec<(usize, Sums)>,
    arcs: Vec<((usize, usize), Sums)>,
}

impl<C> ListedTransfer<C> {
    /// The clauses of its literals, in order.
    pub fn clauses(&self) -> impl Iterator<Item = &C> {
        self.kinds.iter().map(|kind| &kind.clause)
    }

    /// The same with clauses of another form.
    pub fn map<D>(&self, map: &mut dyn FnMut(&C) -> D) -> ListedTransfer<D> {
        let kind = |kind: &Kind<C>| Kind { clause: map(&kind.clause), layer: kind.layer };
        let kinds = self.kinds.iter().map(kind).collect();
        ListedTransfer { kinds, nodes: self.nodes.clone(), arcs: self.arcs.clone() }
    }
}

impl From<&Transfer> for ListedTransfer {
    fn from(transfer: &Transfer) -> Self {
        let mut kinds: Vec<(&Kind, usize)> = transfer.kinds.iter().map(|(kind, &n)| (kind, n)).collect();
        kinds.sort_unstable_by_key(|&(_, number)| number);
        let mut nodes: Vec<_> = transfer.nodes.iter().map(|(&kind, &sums)| (kind, sums)).collect();
        nodes.sort_unstable_by_key(|&(kind, _)| kind);
        let mut arcs: Vec<_> = transfer.arcs.iter().map(|(&kinds, &sums)| (kinds, sums)).collect();
        arcs.sort_unstable_by_key(|&(kinds, _)| kinds);
        Self { kinds: kinds.into_iter().map(|(kind, _)| kind.clone()).collect(), nodes, arcs }
    }
}

impl From<ListedTransfer> for Transfer {
    fn from(listed: ListedTransfer) -> Self {
        Self {
            kinds: listed.kinds.into_iter().zip(0..).collect(),
            nodes: listed.nodes.into_iter().collect(),
            arcs: listed.arcs.into_iter().collect(),
        }
    }
}

impl Transfer {
    /// Nothing learnt yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// How many kinds of literals were met.
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
        let head = bottom.head.map_terms(&mut { mask });
        let mut variables = literal.variables();
        variables.extend(head.arguments.iter().filter_map(|term| term.variable()));
        variables.sort_unstable();
        variables.dedup();
        let clause = Clause { head, body: vec![literal], n_variables: variables.len() };
        Self { clause, layer: network.node(position).layer }
    }
}
