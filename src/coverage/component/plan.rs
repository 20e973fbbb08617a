//! Plans: how the parts of a body are proved, compiled once and shared by all candidates.
//!
//! A *part* is a set of literals connected by variables that are not yet bound. It is proved by
//! enumerating one of its literals (the *generator*); what remains falls into smaller parts that
//! share no unbound variable and are proved independently. A part is known by its literals and its
//! *interface*, the bound variables that occur in it, so equal sub-problems of different candidates
//! are one part, and what was learnt of it for one value of the interface serves them all. On a
//! tree-shaped part this is the semi-join from the leaves, evaluated on demand.

use crate::base::{ConstantId, FixedMap, VariableId};
use crate::datalog::Background;
use crate::program::{Atom, Literal, Term};

/// A part of the plan table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct PartId(u32);

impl PartId {
    pub(super) const fn index(self) -> usize {
        self.0 as usize
    }
}

/// The literals of a part, ascending, and its interface.
type PartKey = (Box<[u16]>, Box<[VariableId]>);

/// What one part does.
#[derive(Debug)]
pub(super) struct Part {
    /// Its literals, ascending.
    literals: Box<[u16]>,
    /// Whether every variable gets a value from the interface or a positive literal.
    is_safe: bool,
    /// The bound variables that occur in it, ascending.
    pub(super) interface: Box<[VariableId]>,
    pub(super) step: Step,
}

#[derive(Debug)]
pub(super) enum Step {
    /// A literal whose variables are all bound.
    Check(u16),
    /// A literal that is enumerated, then the parts that it leaves.
    Join { generator: Generator, children: Box<[PartId]> },
    /// A variable that nothing values: never true.
    Never,
}

/// An enumerated atom.
#[derive(Debug)]
pub(super) struct Generator {
    pub(super) literal: u16,
    pub(super) columns: Box<[Column]>,
}

/// What happens to one argument while an atom is enumerated.
#[derive(Clone, Copy, Debug)]
pub(super) enum Column {
    /// Equals this constant.
    Constant(ConstantId),
    /// Equals the value of a variable bound before.
    Bound(VariableId),
    /// Gives a variable its value.
    Bind(VariableId),
    /// Equals a variable that an earlier argument of the same atom binds.
    Repeat(VariableId),
}

/// The compiled parts over one table of literals.
#[derive(Debug)]
pub(super) struct Plan {
    literals: Vec<Literal>,
    variables: Vec<Vec<VariableId>>,
    fan_outs: Vec<Vec<f64>>,
    parts: Vec<Part>,
    ids: FixedMap<PartKey, PartId>,
}

impl Plan {
    pub(super) fn new(worlds: &[Background], literals: Vec<Literal>) -> Self {
        let variables = literals.iter().map(Literal::variables).collect();
        let fan_outs = literals.iter().map(|literal| fan_outs(worlds, literal)).collect();
        Self { literals, variables, fan_outs, parts: Vec::new(), ids: FixedMap::default() }
    }

    pub(super) fn part(&self, id: PartId) -> &Part {
        &self.parts[id.index()]
    }

    pub(super) fn literal(&self, literal: u16) -> &Literal {
        &self.literals[usize::from(literal)]
    }

    pub(super) const fn n_parts(&self) -> usize {
        self.parts.len()
    }

    fn is_safe(&self, literals: &[u16], interface: &[VariableId]) -> bool {
        let mut valued: Vec<VariableId> = interface.to_vec();
        let positive = |&&literal: &&u16| matches!(self.literal(literal), Literal::Positive(_));
        valued.extend(
            literals.iter().filter(positive).flat_map(|&literal| &self.variables[usize::from(literal)]),
        );
        literals
            .iter()
            .flat_map(|&literal| &self.variables[usize::from(literal)])
            .all(|variable| valued.contains(variable))
    }

    /// The known parts with one literal less and the same interface, which cover no less. The rest of
    /// a part may fall apart, and then is none; an unsafe rest covers nothing, which says nothing.
    pub(super) fn sub_parts(&self, id: PartId) -> Vec<PartId> {
        let part = self.part(id);
        if part.literals.len() < 2 {
            return Vec::new();
        }
        (0..part.literals.len())
            .filter_map(|left_out| {
                let rest = [&part.literals[..left_out], &part.literals[left_out + 1..]].concat();
                let id = self.ids.get(&(rest.into_boxed_slice(), part.interface.clone())).copied()?;
                self.part(id).is_safe.then_some(id)
            })
            .collect()
    }

    /// The parts into which literals fall where these variables are bound.
    pub(super) fn split(&mut self, literals: &[u16], bound: &[VariableId]) -> Vec<PartId> {
        let mut rest: Vec<u16> = literals.to_vec();
        let mut parts = Vec::new();
        while let Some(first) = rest.pop() {
            let mut group = vec![first];
            let mut next = 0;
            while next < group.len() {
                let current = group[next];
                next += 1;
                let shared: Vec<VariableId> = self.variables[usize::from(current)]
                    .iter()
                    .copied()
                    .filter(|variable| bound.binary_search(variable).is_err())
                    .collect();
                rest.retain(|&other| {
                    let connected =
                        self.variables[usize::from(other)].iter().any(|variable| shared.contains(variable));
                    if connected {
                        group.push(other);
                    }
                    !connected
                });
            }
            group.sort_unstable();
            parts.push(self.intern(group, bound));
        }
        parts
    }

    fn intern(&mut self, literals: Vec<u16>, bound: &[VariableId]) -> PartId {
        let mut interface: Vec<VariableId> = literals
            .iter()
            .flat_map(|&literal| &self.variables[usize::from(literal)])
            .copied()
            .filter(|variable| bound.binary_search(variable).is_ok())
            .collect();
        interface.sort_unstable();
        interface.dedup();
        let key = (literals.into_boxed_slice(), interface.into_boxed_slice());
        if let Some(&id) = self.ids.get(&key) {
            return id;
        }
        let step = self.compile(&key.0, &key.1);
        let id = PartId(u32::try_from(self.parts.len()).expect("fewer than 2^32 parts"));
        let is_safe = self.is_safe(&key.0, &key.1);
        self.parts.push(Part { literals: key.0.clone(), is_safe, interface: key.1.clone(), step });
        self.ids.insert(key, id);
        id
    }

    fn compile(&mut self, literals: &[u16], interface: &[VariableId]) -> Step {
        let is_bound = |variable: &VariableId| interface.binary_search(variable).is_ok();
        if let [only] = literals
            && self.variables[usize::from(*only)].iter().all(is_bound)
        {
            return Step::Check(*only);
        }
        let cheapest = literals
            .iter()
            .copied()
            .filter(|&literal| matches!(self.literal(literal), Literal::Positive(_)))
            .min_by(|&left, &right| {
                self.expected_rows(left, interface).total_cmp(&self.expected_rows(right, interface))
            });
        let Some(generator) = cheapest else { return Step::Never };
        let Literal::Positive(atom) = self.literal(generator) else { return Step::Never };
        let columns = columns(atom, interface);
        let rest: Vec<u16> = literals.iter().copied().filter(|&literal| literal != generator).collect();
        let mut bound: Vec<VariableId> = interface.to_vec();
        bound.extend(&self.variables[usize::from(generator)]);
        bound.sort_unstable();
        bound.dedup();
        let mut children = self.split(&rest, &bound);
        // Checks before joins: they are cheap and often fail.
        children.sort_by_key(|child| (!matches!(self.part(*child).step, Step::Check(_)), *child));
        Step::Join {
            generator: Generator { literal: generator, columns },
            children: children.into_boxed_slice(),
        }
    }

    /// The rows an atom is expected to give where these variables are bound, by the independence of
    /// its columns.
    fn expected_rows(&self, literal: u16, bound: &[VariableId]) -> f64 {
        let Literal::Positive(atom) = self.literal(literal) else { return f64::INFINITY };
        let fan_outs = &self.fan_outs[usize::from(literal)];
        let mut seen: Vec<VariableId> = Vec::new();
        let mut selectivity = 1.0;
        for (column, term) in atom.arguments.iter().enumerate() {
            let is_known = match term {
                Term::Constant(_) => true,
                Term::Variable(variable) => {
                    let known = bound.binary_search(variable).is_ok() || seen.contains(variable);
                    seen.push(*variable);
                    known
                }
            };
            if is_known {
                selectivity *= fan_outs[column + 1];
            }
        }
        fan_outs[0] * selectivity
    }
}

/// Rows of an atom's relation, then for each column the share of rows that its constant selects, or
/// that one value of a variable selects on average.
fn fan_outs(worlds: &[Background], literal: &Literal) -> Vec<f64> {
    let Literal::Positive(atom) = literal else { return Vec::new() };
    #[expect(clippy::cast_precision_loss, reason = "an estimate")]
    let total = |count: &dyn Fn(&Background) -> usize| worlds.iter().map(count).sum::<usize>() as f64;
    let mut estimates = vec![total(&|world| world.relation(atom.predicate).n_rows())];
    for (column, term) in atom.arguments.iter().enumerate() {
        estimates.push(match *term {
            // A frequent word is far above the average: count its rows.
            Term::Constant(constant) => {
                let n_rows = total(&|world| world.relation(atom.predicate).rows_with(column, constant).len());
                n_rows / estimates[0].max(1.0)
            }
            Term::Variable(_) => {
                1.0 / total(&|world| world.relation(atom.predicate).n_distinct(column)).max(1.0)
            }
        });
    }
    estimates
}

fn columns(atom: &Atom, bound: &[VariableId]) -> Box<[Column]> {
    let mut bound_here: Vec<VariableId> = Vec::new();
    atom.arguments
        .iter()
        .map(|term| match *term {
            Term::Constant(constant) => Column::Constant(constant),
            Term::Variable(variable) if bound.binary_search(&variable).is_ok() => Column::Bound(variable),
            Term::Variable(variable) if bound_here.contains(&variable) => Column::Repeat(variable),
            Term::Variable(variable) => {
                bound_here.push(variable);
                Column::Bind(variable)
            }
        })
        .collect()
}
