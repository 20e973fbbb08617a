//! The compilation of a part: the atom to enumerate, the parts that it leaves, and the expected cost of a proof.

use std::sync::{Arc, Mutex, OnceLock};

use crate::datalog::Background;
use gleaner_base::VariableId;
use gleaner_lang::program::{Atom, Clause, Literal, Term};

use super::link::Link;
use super::part::{Child, Column, Generator, Join, Part, Step, WordJoin};

/// The number of look-ups that a proof by rows counts as.
const DEAR: f64 = 8.0;

/// Gives the part made of literals with an interface.
pub(super) type Intern<'i> = dyn FnMut(&[VariableId], &[Literal]) -> Arc<Part> + 'i;

impl Part {
    /// Compiles a canonical clause whose head lists the interface; `intern` gives the parts it leaves.
    pub(super) fn compile(id: u32, clause: &Clause, worlds: &[Background], intern: &mut Intern<'_>) -> Self {
        let n_interface = clause.head.arguments.len();
        let step = step(clause, n_interface, worlds, intern);
        Self {
            id,
            n_interface,
            n_variables: clause.n_variables,
            is_safe: is_safe(clause, n_interface),
            is_tree: n_interface == 1 && is_tree(&step),
            n_lookups: n_lookups(&step),
            step,
            values: OnceLock::new(),
            checked_rows: Mutex::default(),
        }
    }
}

/// The expected look-ups of a proof. A join looks up each child that is no set, once for each expected value.
fn n_lookups(step: &Step) -> f64 {
    match step {
        Step::Check { link, .. } => link.as_ref().map_or(DEAR, |_| 1.0),
        Step::Join(Join { children, word_join: Some(word_join), .. }) => {
            word_join.n_lookups(&word_join.rest, children)
        }
        Step::Join(Join { word_join: None, .. }) => DEAR,
        Step::Never => 0.0,
    }
}

fn is_tree(step: &Step) -> bool {
    let Step::Join(Join { generator, children, .. }) = step else { return false };
    let n_bound = generator.columns.iter().filter(|column| matches!(column, Column::Bound(_))).count();
    n_bound == 1
        && !generator.columns.iter().any(|column| matches!(column, Column::Repeat(_)))
        && children.iter().all(|child| child.part.is_tree || matches!(child.part.step, Step::Check { .. }))
}

fn is_safe(clause: &Clause, n_interface: usize) -> bool {
    let mut valued = vec![false; clause.n_variables];
    valued[..n_interface].fill(true);
    for literal in clause.body.iter().filter(|literal| literal.positive_atom().is_some()) {
        literal.visit_variables(&mut |variable| valued[variable.index()] = true);
    }
    valued.iter().all(|&valued| valued)
}

fn step(clause: &Clause, n_interface: usize, worlds: &[Background], intern: &mut Intern<'_>) -> Step {
    let mut bound = vec![false; clause.n_variables];
    bound[..n_interface].fill(true);
    let is_ground = |literal: &Literal| literal.variables().iter().all(|variable| bound[variable.index()]);
    if let [only] = &*clause.body
        && is_ground(only)
        && (n_interface != 1 || only.positive_atom().is_none())
    {
        let link = only.positive_atom().and_then(|atom| Link::to_last(atom, worlds));
        return Step::Check { literal: only.clone(), link };
    }
    let Some(position) = cheapest(clause, n_interface, &bound, worlds) else { return Step::Never };
    let Some(atom) = clause.body[position].positive_atom() else { return Step::Never };
    let columns = columns(atom, &bound);
    let generator = Generator { predicate: atom.predicate, columns };
    clause.body[position].visit_variables(&mut |variable| bound[variable.index()] = true);
    let rest: Vec<&Literal> = clause
        .body
        .iter()
        .enumerate()
        .filter(|&(at, _)| at != position)
        .map(|(_, literal)| literal)
        .collect();
    let mut children: Vec<Child> = connected(&rest, &|variable| bound[variable.index()])
        .into_iter()
        .map(|group| {
            let mut interface: Vec<VariableId> = group.iter().flat_map(Literal::variables).collect();
            interface.sort_unstable();
            interface.dedup();
            interface.retain(|variable| bound[variable.index()]);
            let part = intern(&interface, &group);
            Child { part, variables: interface.iter().map(|variable| variable.index()).collect() }
        })
        .collect();
    // Sets and checks before joins: they are cheap and often fail.
    children.sort_by_key(|child| {
        (!child.part.has_values() && !matches!(child.part.step, Step::Check { .. }), child.part.n_interface)
    });
    let word_join = WordJoin::new(&generator, &children, worlds);
    Step::Join(Join { generator, children: children.into_boxed_slice(), word_join })
}

/// The literals in groups that share no unbound variable.
pub(super) fn connected(literals: &[&Literal], is_bound: &dyn Fn(VariableId) -> bool) -> Vec<Vec<Literal>> {
    let unbound = |literal: &Literal| {
        let mut variables = literal.variables();
        variables.retain(|&variable| !is_bound(variable));
        variables
    };
    let mut rest: Vec<(&Literal, Vec<VariableId>)> =
        literals.iter().map(|&literal| (literal, unbound(literal))).collect();
    let mut groups = Vec::new();
    while let Some((first, mut shared)) = rest.pop() {
        let mut group = vec![first.clone()];
        while let Some(at) =
            rest.iter().position(|(_, variables)| variables.iter().any(|variable| shared.contains(variable)))
        {
            let (literal, variables) = rest.swap_remove(at);
            group.push(literal.clone());
            shared.extend(variables);
        }
        groups.push(group);
    }
    groups
}

/// The positive literal that is expected to give the fewest rows. In a part with one interface variable, literals
/// that hold it come first, so that the literal gives that variable's values too.
fn cheapest(clause: &Clause, n_interface: usize, bound: &[bool], worlds: &[Background]) -> Option<usize> {
    let interface = Term::Variable(VariableId::new(0));
    let holds_interface = |atom: &Atom| n_interface == 1 && atom.arguments.contains(&interface);
    (0..clause.body.len())
        .filter_map(|position| {
            let atom = clause.body[position].positive_atom()?;
            Some((!holds_interface(atom), expected_rows(atom, bound, worlds), position))
        })
        .min_by(|left, right| {
            left.0.cmp(&right.0).then(left.1.total_cmp(&right.1)).then(left.2.cmp(&right.2))
        })
        .map(|(_, _, position)| position)
}

/// The expected number of rows of an atom where these variables are bound, if its columns are independent.
#[expect(clippy::cast_precision_loss, reason = "an estimate")]
fn expected_rows(atom: &Atom, bound: &[bool], worlds: &[Background]) -> f64 {
    let total = |count: &dyn Fn(&Background) -> usize| worlds.iter().map(count).sum::<usize>() as f64;
    let n_rows = total(&|world| world.relation(atom.predicate).n_rows());
    let mut rows = n_rows;
    for (column, term) in atom.arguments.iter().enumerate() {
        rows *= match *term {
            // A frequent constant has far more rows than the average, so its rows are counted.
            Term::Constant(constant) => {
                total(&|world| world.relation(atom.predicate).rows_with(column, constant).len())
                    / n_rows.max(1.0)
            }
            Term::Variable(variable)
                if bound[variable.index()] || atom.arguments[..column].contains(term) =>
            {
                1.0 / total(&|world| world.relation(atom.predicate).n_distinct(column)).max(1.0)
            }
            Term::Variable(_) | Term::Any => 1.0,
        };
    }
    rows
}

fn columns(atom: &Atom, bound: &[bool]) -> Box<[Column]> {
    let arguments = atom.arguments.iter().enumerate();
    arguments
        .map(|(position, term)| match *term {
            Term::Constant(constant) => Column::Constant(constant),
            Term::Variable(variable) if bound[variable.index()] => Column::Bound(variable.index()),
            Term::Variable(variable) if atom.arguments[..position].contains(term) => {
                Column::Repeat(variable.index())
            }
            Term::Variable(variable) => Column::Bind(variable.index()),
            Term::Any => unreachable!("only negated atoms have `_`, and they are not enumerated"),
        })
        .collect()
}
