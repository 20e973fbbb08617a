//! Parts: connected literals with their interface, compiled once and shared by all searches.
//!
//! A *part* is a set of literals connected by variables that are not yet bound. A proof enumerates one of its
//! literals (the *generator*). The other literals fall into smaller parts that share no unbound variable and are
//! proved independently. A part is known by its canonical form: a clause whose head lists the *interface*, the bound
//! variables that occur in the part. Equal sub-problems of different candidates, and of different seeds, are one
//! part.
//!
//! Compiling a part chooses the atom to enumerate, makes the parts that it leaves, and estimates the cost of a proof.
//! [`normalise`] takes the equalities out of a clause before it falls into parts.

use std::sync::{Arc, Mutex, OnceLock};

use crate::datalog::Background;
use gleaner_base::{ConstantId, PredicateId, VariableId};
use gleaner_lang::program::{Atom, Clause, Comparison, Literal, Term};

use super::value_set::{ByWorld, Link, ValueSet};

/// A compiled part. Its variables are numbered, those of the interface first.
#[derive(Debug)]
pub(super) struct Part {
    /// The number of the part in its store.
    pub(super) id: u32,
    pub(super) n_interface: usize,
    pub(super) n_variables: usize,
    /// Whether every variable gets a value from the interface or a positive literal.
    pub(super) is_safe: bool,
    /// Whether it is a tree of atoms (several may join the same variables), so that semi-joins find its values.
    pub(super) is_tree: bool,
    pub(super) step: Step,
    /// Roughly how many look-ups a proof takes.
    pub(super) n_lookups: f64,
    /// By world: the values of the one interface variable that make the part true, once they were asked for.
    pub(super) values: OnceLock<ByWorld<ValueSet>>,
    /// Where the part checks rows of other atoms: the rows that pass.
    pub(super) checked_rows: Mutex<Vec<CheckedRows>>,
}

#[derive(Debug)]
pub(super) enum Step {
    /// A literal whose variables are all bound.
    Check {
        literal: Literal,
        /// The literal as links to one of its variables, where it is an atom that has them.
        link: Option<(Link, usize)>,
    },
    /// An atom that is enumerated, and then the parts that it leaves.
    Join(Join),
    /// Some variable gets no value, so the part is never true.
    Never,
}

/// An atom that is enumerated, and then the parts that it leaves.
#[derive(Debug)]
pub(super) struct Join {
    pub(super) generator: Generator,
    pub(super) children: Box<[Child]>,
    /// How to prove the part, for one value of each interface variable, without going through rows.
    pub(super) word_join: Option<WordJoin>,
}

/// How the values of a join's one variable are found.
#[derive(Debug)]
pub(super) struct WordJoin {
    /// The variable that is given a value.
    pub(super) variable: usize,
    /// The links that give its values.
    pub(super) links: Box<[Link]>,
    /// The children that are sets of its values, by position.
    pub(super) sets: Box<[usize]>,
    /// The other children, by position: proved for each value.
    pub(super) rest: Box<[usize]>,
}

/// An enumerated atom.
#[derive(Debug)]
pub(super) struct Generator {
    pub(super) predicate: PredicateId,
    pub(super) columns: Box<[Column]>,
}

/// The use of one argument while an atom is enumerated; variables by number.
#[derive(Clone, Copy, Debug)]
pub(super) enum Column {
    /// Equals this constant.
    Constant(ConstantId),
    /// Equals the value of a variable bound before.
    Bound(usize),
    /// Gives a variable its value.
    Bind(usize),
    /// Equals a variable that an earlier argument of the same atom binds.
    Repeat(usize),
}

/// A part that another leaves.
#[derive(Debug)]
pub(super) struct Child {
    pub(super) part: Arc<Part>,
    /// The parent's variable for each of the child's interface.
    pub(super) variables: Box<[usize]>,
}

/// Rows of a relation in the order of one of its columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RowOrder {
    pub(super) predicate: PredicateId,
    pub(super) column: usize,
}

/// Rows that pass a check, as bits.
#[derive(Debug)]
pub(super) struct CheckedRows {
    pub(super) world: usize,
    pub(super) order: RowOrder,
    /// The columns that were looked at.
    pub(super) columns: Box<[usize]>,
    pub(super) passing: Arc<[u64]>,
}

impl Part {
    /// Whether its truth can be found for all values of its one interface variable at once, by
    /// enumerating the generator.
    pub(super) fn has_values(&self) -> bool {
        self.n_interface == 1
            && matches!(&self.step, Step::Join(Join { generator, .. })
                if generator.columns.iter().any(|column| matches!(column, Column::Bound(0))))
    }
}

impl Part {
    /// Whether it is true of the same values in two worlds, as these share all of its relations.
    fn is_same(&self, one: &Background, other: &Background) -> bool {
        match &self.step {
            Step::Check { literal, .. } => literal.atoms().all(|atom| one.shares(other, atom.predicate)),
            Step::Join(join) => is_same_join(&join.generator, &join.children, one, other),
            Step::Never => true,
        }
    }
}

/// Whether a join has the same rows in two worlds, as these share all of its relations.
pub(super) fn is_same_join(
    generator: &Generator,
    children: &[Child],
    one: &Background,
    other: &Background,
) -> bool {
    one.shares(other, generator.predicate) && children.iter().all(|child| child.part.is_same(one, other))
}

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

/// Compiles literals with an interface towards a variable.
pub(super) type CompileInner<'i, T> =
    dyn Fn(&[VariableId], &[Literal], VariableId, &mut Intern<'_>) -> T + 'i;

/// A part compiled on the way to one of its variables.
pub(super) struct Towards<T> {
    pub(super) part: Part,
    /// The variable in the part's own numbering.
    pub(super) target: VariableId,
    /// The child that holds the variable: its part, the parent's variable for each of its interface, and what was
    /// compiled of it in turn. `None` where the part's own generator or links hold the variable.
    pub(super) inner: Option<(Arc<Part>, Box<[usize]>, T)>,
}

impl Part {
    /// Compiles literals with an interface, and with `compile_inner` those of the child that leads to `target`. `None`
    /// where no literal holds the target.
    pub(super) fn compile_towards<T>(
        interface: &[VariableId],
        literals: &[Literal],
        target: VariableId,
        worlds: &[Background],
        intern: &mut Intern<'_>,
        compile_inner: &CompileInner<'_, T>,
    ) -> Option<Towards<T>> {
        let arguments = interface.iter().map(|&variable| Term::Variable(variable)).collect();
        let head = Atom { predicate: PredicateId::new(0), arguments };
        let (clause, names) = Clause::renumbered_from(&head, literals);
        let target = VariableId::new(names.iter().position(|&known| known == target)?);
        let mut inner = None;
        // No store ever sees this part, so its number is one that no store gives.
        let part = Self::compile(u32::MAX, &clause, worlds, &mut |interface, literals| {
            let part = intern(interface, literals);
            let has_target = literals.iter().any(|literal| literal.variables().contains(&target));
            if has_target && !interface.contains(&target) {
                let compiled = compile_inner(interface, literals, target, intern);
                let variables: Box<[usize]> = interface.iter().map(|variable| variable.index()).collect();
                inner = Some((Arc::clone(&part), variables, compiled));
            }
            part
        });
        Some(Towards { part, target, inner })
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
fn connected(literals: &[&Literal], is_bound: &dyn Fn(VariableId) -> bool) -> Vec<Vec<Literal>> {
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

/// The clause with every positive `=` between terms carried out by substitution. `None` when two distinct constants
/// would have to be equal, so that the clause covers nothing.
///
/// Without function symbols this keeps the meaning: a substitution proves the one iff it proves the
/// other. Cost: `O(b * n)` for `b` unifications and `n` term occurrences.
pub(crate) fn normalise(clause: &Clause) -> Option<Clause> {
    let mut current = clause.clone();
    while let Some(position) = current.body.iter().position(|literal| unified(literal).is_some()) {
        let [left, right] = unified(&current.body[position])?;
        current.body.remove(position);
        let (from, to) = match (left, right) {
            (Term::Constant(left), Term::Constant(right)) if left == right => continue,
            (Term::Constant(_), Term::Constant(_)) | (Term::Any, _) | (_, Term::Any) => return None,
            (Term::Variable(_), _) => (left, right),
            (Term::Constant(_), Term::Variable(_)) => (right, left),
        };
        let mut replace = |term| if term == from { to } else { term };
        let head = current.head.map_terms(&mut replace);
        let body: Vec<Literal> = current.body.iter().map(|literal| literal.map_terms(&mut replace)).collect();
        current = Clause { head, body, n_variables: current.n_variables };
    }
    Some(Clause::renumbered(&current.head, &current.body))
}

fn unified(literal: &Literal) -> Option<[Term; 2]> {
    literal.comparison().and_then(Comparison::unified)
}
