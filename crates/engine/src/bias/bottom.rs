//! The bottom clause: the most specific clause within the bias that covers a seed example.

use std::sync::Arc;

use gleaner_base::VariableId;
use gleaner_lang::program::object_identity::Distinctions;
use gleaner_lang::program::{Atom, Clause, Literal};

/// A body literal of a bottom clause, with the variables that it needs and those that it gives.
///
/// A threshold has the seed's own value. One that is left open would be a field here: candidates read the variables
/// alone, and the literal is read where it becomes a clause's ([`BottomClause::clause`], `learn::seed_pipeline`) or
/// is compared (`is_candidate`, `search::directed`, `experiment::why`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BottomLiteral {
    /// The literal, over the bottom clause's variables.
    pub literal: Literal,
    /// Alternative sets of input variables, each sorted: one for each mode that produced the literal.
    /// The literal may stand where all variables of one set are known.
    pub input_sets: Vec<Vec<VariableId>>,
    /// All variables of the literal, ascending; they are known once the literal stands.
    pub variables: Vec<VariableId>,
    /// The round of saturation that added it, from 1.
    pub depth: u32,
}

/// A limit that left literals out of a bottom clause.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LimitCut {
    /// A mode's instantiation limit cut the answers of at least one call.
    InstantiationLimit,
    /// The limit on literals of the bottom clause was reached.
    BottomLiterals,
}

/// A seed example's most specific clause. [GLEANER §2.3]
///
/// **Invariant**: literals are distinct, and each has an input set whose variables occur in the head
/// or in literals before it. `saturate` builds it so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BottomClause {
    /// The head; its terms are variables, or constants where the head mode says `#`.
    pub head: Atom,
    /// The body.
    pub literals: Vec<BottomLiteral>,
    /// How many variables head and body have.
    pub n_variables: usize,
    /// The limits that cut, ascending.
    pub cuts: Vec<LimitCut>,
    /// The distinctions that object identity demands of clauses, if it is on.
    pub distinctions: Option<Arc<Distinctions>>,
}

impl BottomClause {
    /// The distinct variables of the head, ascending.
    #[must_use]
    pub fn head_variables(&self) -> Vec<VariableId> {
        let mut variables: Vec<_> = self.head.arguments.iter().filter_map(|term| term.variable()).collect();
        variables.sort_unstable();
        variables.dedup();
        variables
    }

    /// The clause made of the head and the body literals at these positions. They are in an order in which those before
    /// each enable it, and variables are renumbered by first occurrence. Inequalities that object identity demands come
    /// last.
    #[must_use]
    pub fn clause(&self, positions: &[u16]) -> Clause {
        let mut body: Vec<Literal> = self
            .enabled_order(positions)
            .iter()
            .map(|&position| self.literals[usize::from(position)].literal.clone())
            .collect();
        body.extend(self.distinctions.iter().flat_map(|distinctions| distinctions.of(positions)));
        Clause::renumbered(&self.head, &body)
    }

    /// Positions in an order in which each literal's inputs are known; those that nothing enables
    /// come last, in their own order.
    fn enabled_order(&self, positions: &[u16]) -> Vec<u16> {
        let mut known = vec![false; self.n_variables];
        for variable in self.head_variables() {
            known[variable.index()] = true;
        }
        let mut rest = positions.to_vec();
        let mut ordered = Vec::with_capacity(rest.len());
        while !rest.is_empty() {
            let next = rest.iter().position(|&position| self.is_enabled(position, &known)).unwrap_or(0);
            let position = rest.remove(next);
            for variable in &self.literals[usize::from(position)].variables {
                known[variable.index()] = true;
            }
            ordered.push(position);
        }
        ordered
    }

    /// Whether the literal at a position may stand where these variables are known.
    #[must_use]
    pub fn is_enabled(&self, position: u16, known: &[bool]) -> bool {
        self.literals[usize::from(position)]
            .input_sets
            .iter()
            .any(|inputs| inputs.iter().all(|variable| known[variable.index()]))
    }
}
