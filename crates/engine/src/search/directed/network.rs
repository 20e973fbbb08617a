//! The structure: which literals of a bottom clause others depend on. [DIRECTED §2.1, Figure 3]

use std::ops::Range;

use crate::bias::{BottomClause, Candidate};
use gleaner_base::budget::Poll;
use gleaner_base::{Budget, StopReason, VariableId};

/// Literals that are linked between looks at the budget: one may have thousands of parents.
const NODES_BETWEEN_LOOKS: u32 = 64;

/// An acyclic graph whose nodes are the body literals of a bottom clause, by their position there.
///
/// Nodes are placed layer by layer. A layer holds the literals whose inputs are all head variables or
/// occur in earlier layers; within a layer they are placed by position. A placed literal gets an arc from
/// each literal placed before it that outputs one of its *open inputs*, those that are no head variables.
/// An arc from a literal placed later would close a cycle, as in the paper's drawing; the network has no such arcs.
///
/// A literal may have alternative sets of inputs, where several modes produced it; the paper has one mode
/// for each literal. Decisions:
/// - it is placed as soon as one alternative is reached, and has arcs for the open inputs of all;
/// - it outputs the variables that are no input of at least one alternative;
/// - where one alternative has no open input, the head alone enables the literal, and it has no arcs;
/// - an alternative that contains another is left out: it is never the more probable one.
///
/// **Shape**: `n_nodes` literals, `n_arcs` pairs of parent and child. Memory: 12 bytes for each arc and 4
/// for each input that it satisfies, for each set of parameters 16 more.
/// **Cost**: to build, `O(n_arcs log(arcs of a node))`; a variable that `k` literals output and `m` take has up to
/// `k * m` arcs.
#[derive(Clone, Debug)]
pub struct Network {
    nodes: Vec<Node>,
    n_variables: usize,
    head_variables: Vec<VariableId>,
    /// The variable of each open input; the inputs of a node are neighbours.
    inputs: Vec<VariableId>,
    /// By parent, those to simple children before those to compound ones, by child.
    arcs: Vec<Arc>,
    /// Where the arcs of each parent begin, and where those to compound children do.
    arcs_from: Vec<[u32; 2]>,
    /// The open inputs of the child that each arc's parent satisfies, arc after arc.
    arc_inputs: Vec<u32>,
    /// The arcs into each node, node after node.
    arcs_into: Vec<u32>,
    first_into: Vec<u32>,
}

/// A literal in the network.
#[derive(Clone, Debug)]
pub struct Node {
    /// The layer, from 1.
    pub layer: u32,
    /// The order in which nodes were placed, from 0: parents stand before their children.
    pub place: u32,
    need: Need,
    /// The position of its first open input among those of the network.
    first_input: u32,
    n_inputs: u32,
    /// Its variables that are not of the head.
    variables: Box<[VariableId]>,
}

/// The inputs that must be satisfied, beside the head variables, to enable a literal.
#[derive(Clone, Debug, PartialEq)]
enum Need {
    /// Nothing.
    Head,
    /// One open input.
    Simple(VariableId),
    /// The open inputs of one of these alternatives.
    Compound(Box<[Box<[u32]>]>),
}

/// A dependency of one literal on another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arc {
    /// The literal that outputs.
    pub parent: u16,
    /// The literal that takes it as input.
    pub child: u16,
    first_input: u32,
}

impl Network {
    /// The network of a bottom clause.
    ///
    /// # Panics
    ///
    /// Never: an unlimited budget never stops.
    pub fn new(bottom: &BottomClause) -> Self {
        Self::within(bottom, &Budget::unlimited()).expect("an unlimited budget never stops")
    }

    /// As `new`, within a budget.
    ///
    /// # Errors
    ///
    /// The outer stop.
    pub fn within(bottom: &BottomClause, budget: &Budget) -> Result<Self, StopReason> {
        let mut poll = Poll::new(budget, NODES_BETWEEN_LOOKS);
        let mut network = Self {
            nodes: Vec::with_capacity(bottom.literals.len()),
            n_variables: bottom.n_variables,
            head_variables: bottom.head_variables(),
            inputs: Vec::new(),
            arcs: Vec::new(),
            arcs_from: Vec::new(),
            arc_inputs: Vec::new(),
            arcs_into: Vec::new(),
            first_into: Vec::new(),
        };
        for literal in &bottom.literals {
            poll.step()?;
            network.add_node(&literal.input_sets, &literal.variables);
        }
        let order = network.place(&mut poll)?;
        let dependencies = network.dependencies(&order, &mut poll)?;
        for of_parent in dependencies {
            poll.step()?;
            network.add_arcs(of_parent);
        }
        network.arcs_from.push([count(network.arcs.len()); 2]);
        network.index_children(&mut poll)?;
        Ok(network)
    }

    fn add_node(&mut self, input_sets: &[Vec<VariableId>], variables: &[VariableId]) {
        let is_open = |variable: &&VariableId| self.head_variables.binary_search(variable).is_err();
        let alternatives = minimal(
            input_sets.iter().map(|inputs| inputs.iter().filter(is_open).copied().collect()).collect(),
        );
        let mut open: Vec<VariableId> = alternatives.iter().flatten().copied().collect();
        open.sort_unstable();
        open.dedup();
        let first_input = count(self.inputs.len());
        let input_of = |variable: &VariableId| {
            first_input + count(open.binary_search(variable).expect("it is among all of them"))
        };
        let need = match (&alternatives[..], &open[..]) {
            (_, []) if !alternatives.is_empty() => Need::Head,
            ([_], [only]) => Need::Simple(*only),
            _ => Need::Compound(
                alternatives.iter().map(|inputs| inputs.iter().map(input_of).collect()).collect(),
            ),
        };
        let variables = variables.iter().filter(is_open).copied().collect();
        let n_inputs = count(open.len());
        self.inputs.extend(open);
        self.nodes.push(Node { layer: 0, place: 0, need, first_input, n_inputs, variables });
    }

    /// Gives every node its layer and place; returns the positions in the order placed. Literals that nothing enables
    /// form a last layer; saturation never makes such literals.
    fn place(&mut self, poll: &mut Poll<'_>) -> Result<Vec<u16>, StopReason> {
        let mut known = self.head_known();
        let mut order = Vec::with_capacity(self.nodes.len());
        let mut rest: Vec<u16> = self.positions().collect();
        let mut layer = 0;
        while !rest.is_empty() {
            poll.step()?;
            layer += 1;
            let (mut group, later): (Vec<u16>, Vec<u16>) =
                rest.into_iter().partition(|&position| self.is_enabled(position, &known));
            rest = later;
            if group.is_empty() {
                group = std::mem::take(&mut rest);
            }
            for &position in &group {
                let node = &mut self.nodes[usize::from(position)];
                (node.layer, node.place) = (layer, count(order.len()));
                order.push(position);
            }
            group.iter().for_each(|&position| self.learn(position, &mut known));
        }
        Ok(order)
    }

    /// For each open input of each node the nodes placed before it that output its variable. Shape: by parent.
    fn dependencies(&self, order: &[u16], poll: &mut Poll<'_>) -> Result<Vec<Vec<Dependency>>, StopReason> {
        let mut producers: Vec<Vec<u16>> = vec![Vec::new(); self.n_variables];
        let mut dependencies: Vec<Vec<Dependency>> = vec![Vec::new(); self.nodes.len()];
        for &child in order {
            let is_compound = matches!(self.node(child).need, Need::Compound(_));
            for input in self.inputs_of(child) {
                poll.step()?;
                let parents = &producers[self.inputs[input].index()];
                let dependency = Dependency { is_compound, child, input: count(input) };
                parents.iter().for_each(|&parent| dependencies[usize::from(parent)].push(dependency));
            }
            for &variable in &self.node(child).variables {
                if self.outputs(child, variable) {
                    producers[variable.index()].push(child);
                }
            }
        }
        Ok(dependencies)
    }

    /// Whether a variable of a literal is no input of at least one alternative.
    fn outputs(&self, position: u16, variable: VariableId) -> bool {
        match &self.node(position).need {
            Need::Head => true,
            Need::Simple(input) => *input != variable,
            Need::Compound(alternatives) => alternatives
                .iter()
                .any(|inputs| inputs.iter().all(|&input| self.inputs[input as usize] != variable)),
        }
    }

    /// Adds the arcs from the next parent.
    fn add_arcs(&mut self, mut dependencies: Vec<Dependency>) {
        dependencies.sort_unstable();
        let parent = u16::try_from(self.arcs_from.len()).expect("the limit on bottom literals is below 2^16");
        let n_simple = dependencies.partition_point(|dependency| !dependency.is_compound);
        let mut starts = [count(self.arcs.len()); 2];
        let (simple, compound) = dependencies.split_at(n_simple);
        for (start, of_kind) in starts.iter_mut().zip([simple, compound]) {
            *start = count(self.arcs.len());
            for same in of_kind.chunk_by(|left, right| left.child == right.child) {
                let first_input = count(self.arc_inputs.len());
                self.arcs.push(Arc { parent, child: same[0].child, first_input });
                self.arc_inputs.extend(same.iter().map(|dependency| dependency.input));
            }
        }
        self.arcs_from.push(starts);
    }

    fn index_children(&mut self, poll: &mut Poll<'_>) -> Result<(), StopReason> {
        let mut ends = vec![0; self.nodes.len() + 1];
        self.arcs.iter().for_each(|arc| ends[usize::from(arc.child) + 1] += 1);
        for child in 1..ends.len() {
            ends[child] += ends[child - 1];
        }
        self.first_into.clone_from(&ends);
        let mut arcs = vec![0; self.arcs.len()];
        for parent in self.positions() {
            poll.step()?;
            for arc in self.arcs_from(parent) {
                let end = &mut ends[usize::from(self.arcs[arc].child)];
                arcs[*end as usize] = count(arc);
                *end += 1;
            }
        }
        self.arcs_into = arcs;
        Ok(())
    }

    /// The number of literals.
    pub fn n_nodes(&self) -> usize {
        self.nodes.len()
    }

    /// The number of pairs of parent and child.
    pub fn n_arcs(&self) -> usize {
        self.arcs.len()
    }

    /// The positions of all literals.
    pub(super) fn positions(&self) -> impl Iterator<Item = u16> + use<> {
        0..u16::try_from(self.nodes.len()).expect("the limit on bottom literals is below 2^16")
    }

    /// The literal at a position.
    pub fn node(&self, position: u16) -> &Node {
        &self.nodes[usize::from(position)]
    }

    /// Whether the head alone enables a literal; it then has no parents.
    pub fn is_head_enabled(&self, position: u16) -> bool {
        self.node(position).need == Need::Head
    }

    /// Whether a literal has one open input.
    pub fn is_simple(&self, position: u16) -> bool {
        matches!(self.node(position).need, Need::Simple(_))
    }

    /// An arc.
    pub fn arc(&self, arc: usize) -> Arc {
        self.arcs[arc]
    }

    /// The open inputs of the child that an arc's parent satisfies.
    pub(super) fn arc_inputs(&self, arc: usize) -> &[u32] {
        let end = self.arcs.get(arc + 1).map_or(self.arc_inputs.len(), |next| next.first_input as usize);
        &self.arc_inputs[self.arcs[arc].first_input as usize..end]
    }

    /// The arcs to children with one open input.
    pub fn simple_arcs(&self, parent: u16) -> Range<usize> {
        let [start, end] = self.arcs_from[usize::from(parent)];
        start as usize..end as usize
    }

    /// The arcs to children with several open inputs or alternatives.
    pub fn compound_arcs(&self, parent: u16) -> Range<usize> {
        let start = self.arcs_from[usize::from(parent)][1];
        start as usize..self.arcs_from[usize::from(parent) + 1][0] as usize
    }

    /// All arcs from a literal.
    pub fn arcs_from(&self, parent: u16) -> Range<usize> {
        self.simple_arcs(parent).start..self.compound_arcs(parent).end
    }

    /// The arcs into a literal, by parent.
    pub fn arcs_into(&self, child: u16) -> &[u32] {
        let child = usize::from(child);
        &self.arcs_into[self.first_into[child] as usize..self.first_into[child + 1] as usize]
    }

    /// The arc between two literals, where there is one. Cost: `O(log children)`.
    pub fn arc_between(&self, parent: u16, child: u16) -> Option<usize> {
        let range = if self.is_simple(child) { self.simple_arcs(parent) } else { self.compound_arcs(parent) };
        let at = self.arcs[range.clone()].binary_search_by_key(&child, |arc| arc.child).ok()?;
        Some(range.start + at)
    }

    /// How many open inputs all literals have.
    pub(super) fn n_inputs(&self) -> usize {
        self.inputs.len()
    }

    /// The open inputs of a literal.
    pub(super) fn inputs_of(&self, position: u16) -> Range<usize> {
        let node = self.node(position);
        node.first_input as usize..(node.first_input + node.n_inputs) as usize
    }

    /// The greatest product that an alternative of a literal has over its open inputs; `of` gives the probability
    /// that an input is satisfied.
    pub(super) fn best_alternative(&self, position: u16, of: impl Fn(u32) -> f64) -> f64 {
        match &self.node(position).need {
            Need::Head => 1.0,
            Need::Simple(_) => of(self.node(position).first_input),
            Need::Compound(alternatives) => {
                let product = |inputs: &[u32]| inputs.iter().map(|&input| of(input)).product();
                alternatives.iter().map(|inputs| product(inputs)).fold(0.0, f64::max)
            }
        }
    }

    fn head_known(&self) -> Vec<bool> {
        let mut known = vec![false; self.n_variables];
        self.head_variables.iter().for_each(|variable| known[variable.index()] = true);
        known
    }

    fn learn(&self, position: u16, known: &mut [bool]) {
        self.node(position).variables.iter().for_each(|variable| known[variable.index()] = true);
    }

    fn is_enabled(&self, position: u16, known: &[bool]) -> bool {
        match &self.node(position).need {
            Need::Head => true,
            Need::Simple(variable) => known[variable.index()],
            Need::Compound(alternatives) => alternatives
                .iter()
                .any(|inputs| inputs.iter().all(|&input| known[self.inputs[input as usize].index()])),
        }
    }

    /// The literals that may be added to a legal candidate, by position. They are the same that
    /// [`crate::bias::RefinementSpace::additions`] adds where the length allows one more. Cost: one look at each node,
    /// 2 ns.
    pub fn additions(&self, candidate: &Candidate) -> Vec<u16> {
        let mut known = self.head_known();
        candidate.positions().iter().for_each(|&position| self.learn(position, &mut known));
        let mut next_in = candidate.positions().iter().peekable();
        self.positions()
            .filter(|position| next_in.next_if_eq(&position).is_none() && self.is_enabled(*position, &known))
            .collect()
    }
}

/// The dependency of a child's open input on a parent that outputs it; ordered as a parent's arcs are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Dependency {
    is_compound: bool,
    child: u16,
    input: u32,
}

/// The sets that contain no other one, each once, shorter first.
fn minimal(mut sets: Vec<Vec<VariableId>>) -> Vec<Vec<VariableId>> {
    sets.sort_by(|left, right| left.len().cmp(&right.len()).then_with(|| left.cmp(right)));
    let mut kept: Vec<Vec<VariableId>> = Vec::with_capacity(sets.len());
    for set in sets {
        if !kept.iter().any(|smaller| smaller.iter().all(|variable| set.contains(variable))) {
            kept.push(set);
        }
    }
    kept
}

fn count(n: usize) -> u32 {
    u32::try_from(n).expect("pairs of fewer than 2^16 literals and their inputs are fewer than 2^32")
}
