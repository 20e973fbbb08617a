//! Literals that a query's own literals imply on the facts that queries can meet. Adding them never changes a cover.

use std::collections::BTreeSet;
use std::sync::Mutex;

use crate::datalog::Background;
use gleaner_base::{ConstantId, FixedMap, PredicateId};
use gleaner_lang::program::{Atom, Clause, Literal, Term};

use super::query::{Addition, Query};

/// The implications between literals on the facts of some worlds; each question is answered once.
#[derive(Debug)]
pub struct Implications<'a> {
    /// Each world, and the same world with only the facts that queries can meet.
    worlds: Vec<(&'a Background, &'a Background)>,
    implied: Mutex<FixedMap<(Literal, Literal), bool>>,
    determined: Mutex<FixedMap<(PredicateId, u64), bool>>,
}

impl<'a> Implications<'a> {
    /// Implications on these worlds. Beside each world stands the same world with only the facts that queries can meet;
    /// implications must hold for these facts.
    #[must_use]
    pub fn new(worlds: Vec<(&'a Background, &'a Background)>) -> Self {
        Self { worlds, implied: Mutex::default(), determined: Mutex::default() }
    }

    /// Whether the addition is redundant beside a literal of the query, or makes that literal redundant. One implies
    /// the other, or both stand for the same fact.
    ///
    /// **Cost**: for a question not asked before, a pass over the facts of a literal.
    #[must_use]
    pub fn is_idle(&self, query: &Query, addition: &Addition) -> bool {
        let added = &addition.literal;
        query.clause.body.iter().any(|literal| {
            self.implies(&query.clause, literal, added)
                || self.implies(&query.clause, added, literal)
                || self.are_one_fact(literal, added)
        })
    }

    /// Whether two atoms agree in arguments that determine their other arguments.
    fn are_one_fact(&self, left: &Literal, right: &Literal) -> bool {
        let (Some(left), Some(right)) = (left.positive_atom(), right.positive_atom()) else { return false };
        let shared = (0..left.arguments.len())
            .filter(|&at| left.predicate == right.predicate && left.arguments[at] == right.arguments[at]);
        let mask = shared.fold(0, |mask, at| mask | 1 << at);
        mask != 0 && self.are_determined(left.predicate, mask)
    }

    /// Whether a literal is an atom, the other has no further variable, and each fact of the atom makes the other true.
    fn implies(&self, clause: &Clause, literal: &Literal, other: &Literal) -> bool {
        let Some(atom) = literal.positive_atom().filter(|_| other.atom().is_some()) else {
            return false;
        };
        let (literal, is_given) = (other, |of| atom.arguments.contains(&Term::Variable(of)));
        if !literal.variables().into_iter().all(is_given) {
            return false;
        }
        let empty = Atom { predicate: clause.head.predicate, arguments: Vec::new() };
        let pair = Clause::renumbered(&empty, &[atom.clone().into(), literal.clone()]);
        let [first, literal] = &pair.body[..] else { unreachable!("two literals were given") };
        let key = (first.clone(), literal.clone());
        if let Some(&known) = self.lock_implied().get(&key) {
            return known;
        }
        let n_variables = pair.n_variables;
        let is_implied = first.positive_atom().is_some_and(|atom| {
            self.worlds.iter().all(|(all, met)| met.includes_within(atom, literal, n_variables, all))
        });
        self.lock_implied().insert(key, is_implied);
        is_implied
    }

    fn lock_implied(&self) -> std::sync::MutexGuard<'_, FixedMap<(Literal, Literal), bool>> {
        self.implied.lock().expect("no thread panics while it holds the lock")
    }

    /// Whether the arguments in a mask determine the other arguments of a relation.
    fn are_determined(&self, predicate: PredicateId, mask: u64) -> bool {
        let mut determined = self.determined.lock().expect("no thread panics while it holds the lock");
        *determined.entry((predicate, mask)).or_insert_with(|| {
            self.worlds.iter().all(|(_, met)| {
                let relation = met.relation(predicate);
                let columns: Vec<usize> = (0..relation.arity()).filter(|at| mask >> at & 1 == 1).collect();
                let mut met = BTreeSet::new();
                (0..relation.n_rows()).all(|row| {
                    let values: Vec<ConstantId> =
                        columns.iter().map(|&column| relation.value(row, column)).collect();
                    met.insert(values)
                })
            })
        })
    }
}
