//! Parts: connected literals with their interface, compiled once and shared by all searches.
//!
//! A *part* is a set of literals connected by variables that are not yet bound. A proof enumerates one of its literals
//! (the *generator*). The other literals fall into smaller parts that share no unbound variable and are proved
//! independently. A part is known by its canonical form: a clause whose head lists the *interface*, the bound variables
//! that occur in the part. Equal sub-problems of different candidates, and of different seeds, are one part.

use std::sync::{Arc, Mutex, OnceLock};

use gleaner_base::{ConstantId, PredicateId};
use gleaner_lang::program::Literal;

use super::link::Link;
use super::value_set::ValueSet;

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
    pub(super) values: OnceLock<Box<[ValueSet]>>,
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
