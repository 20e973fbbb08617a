//! A test of a node.

use gleaner_base::{ConstantId, TypeId};
use gleaner_lang::program::{Literal, Threshold};

/// One literal or two, over the variables of a clause and new ones; the new ones are numbered on from those of the
/// clause. Inequalities may make the first literal another answer of a call of the clause.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Test {
    /// The literals.
    pub literals: Vec<Literal>,
    /// The constants of each literal, with the types at their places.
    pub constants: Vec<Vec<(ConstantId, TypeId)>>,
    /// The types of the new variables.
    pub types: Vec<TypeId>,
    /// Whether it asks for another answer of a call that the clause has.
    pub counts: bool,
    /// The literal that is an open threshold: it stands for all numbers in place of the one that it has.
    pub open: Option<usize>,
}

impl Test {
    /// The test with a number for its open threshold.
    pub fn with_threshold(&self, constant: ConstantId) -> Self {
        let mut test = self.clone();
        if let Some(open) = test.open.take() {
            test.literals[open] = Threshold::moved(&test.literals[open], constant);
        }
        test
    }
}
