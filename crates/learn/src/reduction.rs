//! Clauses without the literals that change nothing.
//!
//! Clauses that are reduced before they vote, where the user wants that.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, MutexGuard, PoisonError};

use rayon::prelude::{IntoParallelRefIterator, ParallelIterator};

use gleaner_base::{Budget, ExampleSet, VariableId};
use gleaner_engine::coverage::component::Interrupted;
use gleaner_engine::datalog::Background;
use gleaner_lang::program::safety::check_evaluable;
use gleaner_lang::program::settings::{Setting, words};
use gleaner_lang::program::{Clause, Comparison, ComparisonOperator, Literal, Term, canonical};

use super::Covers;

/// The examples on which a reduced clause must have the cover of the whole one.
#[derive(Clone, Copy, Debug)]
pub struct Reducing<'a, 's> {
    /// Train.
    pub train: &'a Covers<'s>,
    /// Tune.
    pub tune: &'a Covers<'s>,
    /// The limit on the work for covers.
    pub budget: &'a Budget,
}

impl Reducing<'_, '_> {
    /// The clause without literals whose absence changes its cover on neither train nor tune; the last is left out
    /// first. The remaining literals are linked to the head, and its negations and comparisons have their values. A
    /// variable of the head leaves the body only with a literal that relates one thing to itself.
    ///
    /// Its literals are some of the clause's, so it theta-subsumes the clause: it covers all that the clause covers,
    /// and perhaps more of other examples. **Cost**: for a body of `n` literals at most `n` covers a pass. A further
    /// pass is made only after a pass that left a literal out.
    ///
    /// # Errors
    ///
    /// [`Interrupted`] when the budget ran out first.
    pub fn reduced(&self, clause: &Clause) -> Result<Clause, Interrupted> {
        let mut whole = None;
        let mut body = clause.body.clone();
        let mut n_before = usize::MAX;
        while body.len() < n_before {
            n_before = body.len();
            for at in (0..body.len()).rev() {
                let mut rest = body.clone();
                rest.remove(at);
                let shorter = Clause::renumbered(&clause.head, &rest);
                let needed = if is_reflexive(&body[at]) {
                    body_variables_of_head(&shorter)
                } else {
                    body_variables_of_head(&Clause::renumbered(&clause.head, &body))
                };
                if !stands(&shorter, &needed) {
                    continue;
                }
                let whole = match &whole {
                    Some(known) => known,
                    None => whole.insert(self.covers(clause)?),
                };
                if self.covers_the_same(&shorter, whole)? {
                    body = rest;
                }
            }
        }
        Ok(Clause::renumbered(&clause.head, &body))
    }

    /// The reduced clause as a person reads it: two bounds that leave one value, `A =< 39, A >= 39`, become that value,
    /// `A == 39`. Aggregates whose value nothing uses are left out, too, though a variable of the head leaves the body with them.
    ///
    /// An equal number that is written otherwise, as `39.0`, meets the bounds but is another value. Where an example
    /// has such a number, the bounds stay. **Cost**: that of [`Self::reduced`], and a cover for each pair of bounds.
    ///
    /// # Errors
    ///
    /// [`Interrupted`] when the budget ran out first.
    pub fn readable(&self, clause: &Clause) -> Result<Clause, Interrupted> {
        let mut readable = self.reduced(clause)?;
        let mut whole = None;
        for at in (0..readable.body.len()).rev() {
            if !self.is_idle(&readable, at) {
                continue;
            }
            let mut body = readable.body.clone();
            body.remove(at);
            let shorter = Clause::renumbered(&clause.head, &body);
            if !stands(&shorter, &body_variables_of_head(&shorter)) {
                continue;
            }
            let whole = match &whole {
                Some(known) => known,
                None => whole.insert(self.covers(&readable)?),
            };
            if self.covers_the_same(&shorter, whole)? {
                readable = shorter;
            }
        }
        for at in (0..readable.body.len()).rev() {
            let Some((other, value)) = single_value(&readable, at) else { continue };
            let mut body = readable.body.clone();
            body[at.min(other)] = value;
            body.remove(at.max(other));
            let shorter = Clause::renumbered(&clause.head, &body);
            let whole = match &whole {
                Some(known) => known,
                None => whole.insert(self.covers(&readable)?),
            };
            if self.covers_the_same(&shorter, whole)? {
                readable = shorter;
            }
        }
        Ok(readable)
    }

    /// Whether a literal is an aggregate with a value that neither the head nor another literal has.
    fn is_idle(&self, clause: &Clause, at: usize) -> bool {
        let symbols = self.train.worlds().first().map(Background::symbols);
        let Some(atom) = clause.body[at].positive_atom() else { return false };
        if !symbols.is_some_and(|symbols| symbols.is_aggregate(atom.predicate)) {
            return false;
        }
        let others = clause.body.iter().enumerate().filter(|(other, _)| *other != at);
        let used: BTreeSet<VariableId> = others
            .flat_map(|(_, literal)| literal.variables())
            .chain(clause.head.arguments.iter().filter_map(|term| term.variable()))
            .collect();
        atom.arguments.iter().filter_map(|term| term.variable()).any(|variable| !used.contains(&variable))
    }

    fn covers(&self, clause: &Clause) -> Result<[ExampleSet; 2], Interrupted> {
        Ok([self.cover(self.train, clause)?, self.cover(self.tune, clause)?])
    }

    fn covers_the_same(&self, clause: &Clause, whole: &[ExampleSet; 2]) -> Result<bool, Interrupted> {
        Ok(self.cover(self.train, clause)? == whole[0] && self.cover(self.tune, clause)? == whole[1])
    }

    fn cover(&self, on: &Covers<'_>, clause: &Clause) -> Result<ExampleSet, Interrupted> {
        let mut found = None;
        on.visit(&[clause], self.budget, |_, covers| found = covers.first().cloned())?;
        Ok(found.expect("one clause has one cover"))
    }
}

/// For a bound at a position of the body: the bound before it with which it leaves one value, and the literal that says
/// so.
fn single_value(clause: &Clause, at: usize) -> Option<(usize, Literal)> {
    let is_bound =
        |operator| matches!(operator, ComparisonOperator::LessOrEqual | ComparisonOperator::GreaterOrEqual);
    let own = clause.body.get(at)?.comparison().filter(|own| is_bound(own.operator))?;
    let is_other = |other: &Comparison| {
        is_bound(other.operator)
            && other.operator != own.operator
            && (&other.left, &other.right) == (&own.left, &own.right)
    };
    let [variable @ Term::Variable(_), value @ Term::Constant(_)] = own.plain_sides()? else { return None };
    let other = (0..at).find(|&other| clause.body[other].comparison().is_some_and(is_other))?;
    Some((other, Literal::compared(variable, ComparisonOperator::Identical, value)))
}

/// Whether a literal relates a thing to itself, as `same(B,B)`. Where all examples have it, it says nothing of B.
fn is_reflexive(literal: &Literal) -> bool {
    literal.positive_atom().is_some_and(|atom| {
        atom.arguments.len() > 1
            && atom.arguments[0].variable().is_some()
            && atom.arguments.iter().all(|argument| *argument == atom.arguments[0])
    })
}

/// The positions of the head's arguments whose variables the body has.
fn body_variables_of_head(clause: &Clause) -> Vec<usize> {
    let in_body: BTreeSet<VariableId> = clause.body.iter().flat_map(Literal::variables).collect();
    let arguments = clause.head.arguments.iter().enumerate();
    let is_in_body = |variable: VariableId| in_body.contains(&variable);
    arguments.filter(|(_, term)| term.variable().is_some_and(is_in_body)).map(|(at, _)| at).collect()
}

/// Whether a clause can stand for one with these arguments of the head in its body. It must have them too, all of it
/// must be linked to the head, and literals that need values must have them.
fn stands(clause: &Clause, arguments_in_body: &[usize]) -> bool {
    !clause.body.is_empty()
        && body_variables_of_head(clause) == arguments_in_body
        && check_evaluable(clause).is_ok()
        && is_linked(clause)
}

/// Whether each literal with variables shares one with the head, or with a literal that is linked.
fn is_linked(clause: &Clause) -> bool {
    let mut linked: BTreeSet<VariableId> =
        clause.head.arguments.iter().filter_map(|term| term.variable()).collect();
    let mut left: Vec<Vec<VariableId>> =
        clause.body.iter().map(Literal::variables).filter(|variables| !variables.is_empty()).collect();
    loop {
        let n_left = left.len();
        left.retain(|variables| {
            let is_linked = variables.iter().any(|variable| linked.contains(variable));
            if is_linked {
                linked.extend(variables);
            }
            !is_linked
        });
        if left.is_empty() || left.len() == n_left {
            return left.is_empty();
        }
    }
}

words! {
    /// Whether a model's clauses are reduced.
    pub enum ReduceClauses {
        /// They stay as they were found.
        None = "none",
        /// Literals are left out if their absence changes the cover on neither train nor tune.
        TrainAndTune = "train-and-tune",
    }
}

/// Whether a model's clauses are reduced.
pub static REDUCE_CLAUSES: Setting<ReduceClauses> = Setting::new("reduce-clauses", "none")
    .help("Whether a model's clauses lose literals that change their cover on neither train nor tune")
    .source("our own")
    .recorded_where_changed();

/// The reduced forms of the clauses of one run: parts of its search share most clauses, and each is reduced once.
#[derive(Debug, Default)]
pub struct ReducedClauses {
    known: Mutex<BTreeMap<Clause, Clause>>,
}

impl ReducedClauses {
    /// Puts each clause's reduced form, canonical, in its place. **Cost**: as of [`Reducing::reduced`] for each distinct
    /// clause that was not asked for before, in parallel.
    ///
    /// # Errors
    ///
    /// [`Interrupted`] when the budget ran out first; then all clauses are as they were.
    pub(super) fn replace(
        &self,
        clauses: Vec<&mut Clause>,
        reducing: &Reducing<'_, '_>,
    ) -> Result<(), Interrupted> {
        // The lock is not held while clauses are reduced: a thread that waits for others may take up work of theirs.
        let distinct: BTreeSet<&Clause> = clauses.iter().map(|clause| &**clause).collect();
        let new: Vec<&Clause> = {
            let known = self.known();
            distinct.into_iter().filter(|clause| !known.contains_key(clause)).collect()
        };
        let reduced = |clause: &&Clause| Ok(((*clause).clone(), canonical(&reducing.reduced(clause)?)));
        let reduced: Vec<(Clause, Clause)> =
            new.par_iter().map(reduced).collect::<Result<_, Interrupted>>()?;
        let mut known = self.known();
        known.extend(reduced);
        for clause in clauses {
            if let Some(shorter) = known.get(clause) {
                clause.clone_from(shorter);
            }
        }
        Ok(())
    }

    fn known(&self) -> MutexGuard<'_, BTreeMap<Clause, Clause>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
