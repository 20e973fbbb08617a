//! Models over clauses in any form: ids in memory, texts in files, so that a person can read these.
//!
//! The type of a model has its clauses' type as a parameter. What a file holds is the model over texts, as `serde` writes
//! it; [`OverClauses::map`] is the way from one to the other.
//!
//! Parts of a model's file that do not fit together.

use std::fmt;
use std::sync::Arc;

use serde::de::DeserializeOwned;

use gleaner_base::{Counts, NegativeWeight};
use gleaner_lang::program::Clause;

use super::{Model, Saved};

/// A model, or a part of one, whose clauses may have any form.
pub trait OverClauses {
    /// The clauses' form.
    type Clause;
    /// The same over clauses of another form.
    type Over<D>;

    /// Calls `visit` with each clause, in order.
    fn visit<'m>(&'m self, visit: &mut dyn FnMut(&'m Self::Clause));

    /// The same with other clauses: `map` of each, in order.
    fn map<D>(&self, map: &mut dyn FnMut(&Self::Clause) -> D) -> Self::Over<D>;

    /// The clauses, in order; one may come several times.
    fn all_clauses(&self) -> Vec<&Self::Clause> {
        let mut clauses = Vec::new();
        self.visit(&mut |clause| clauses.push(clause));
        clauses
    }
}

impl<P: OverClauses> OverClauses for Vec<P> {
    type Clause = P::Clause;
    type Over<D> = Vec<P::Over<D>>;

    fn visit<'m>(&'m self, visit: &mut dyn FnMut(&'m P::Clause)) {
        self.iter().for_each(|part| part.visit(visit));
    }

    fn map<D>(&self, map: &mut dyn FnMut(&P::Clause) -> D) -> Vec<P::Over<D>> {
        self.iter().map(|part| part.map(map)).collect()
    }
}

impl<P: OverClauses> OverClauses for Option<P> {
    type Clause = P::Clause;
    type Over<D> = Option<P::Over<D>>;

    fn visit<'m>(&'m self, visit: &mut dyn FnMut(&'m P::Clause)) {
        self.iter().for_each(|part| part.visit(visit));
    }

    fn map<D>(&self, map: &mut dyn FnMut(&P::Clause) -> D) -> Option<P::Over<D>> {
        self.as_ref().map(|part| part.map(map))
    }
}

impl<P: OverClauses> OverClauses for Arc<P> {
    type Clause = P::Clause;
    type Over<D> = Arc<P::Over<D>>;

    fn visit<'m>(&'m self, visit: &mut dyn FnMut(&'m P::Clause)) {
        (**self).visit(visit);
    }

    fn map<D>(&self, map: &mut dyn FnMut(&P::Clause) -> D) -> Arc<P::Over<D>> {
        Arc::new((**self).map(map))
    }
}

/// Implements [`OverClauses`] for a struct with one field of clauses, and fields that do not depend on their form. The
/// first field is a clause, `NAME { clause; .. }`, or has parts that are over clauses, `NAME { in parts; .. }`.
macro_rules! over_clauses {
    ($name:ident { $clause:ident; $($other:ident),* }) => {
        $crate::saved::over_clauses!(@ $name, $clause, $($other),*; |field, visit| visit(field), |field, map| map(field));
    };
    ($name:ident { in $parts:ident; $($other:ident),* }) => {
        $crate::saved::over_clauses!(
            @ $name, $parts, $($other),*;
            |field, visit| $crate::saved::OverClauses::visit(field, visit),
            |field, map| $crate::saved::OverClauses::map(field, map)
        );
    };
    (
        @ $name:ident, $field:ident, $($other:ident),*;
        |$at:ident, $visit:ident| $visited:expr, |$of:ident, $map:ident| $mapped:expr
    ) => {
        impl<C> $crate::saved::OverClauses for $name<C> {
            type Clause = C;
            type Over<D> = $name<D>;

            fn visit<'m>(&'m self, $visit: &mut dyn FnMut(&'m C)) {
                let $at = &self.$field;
                $visited;
            }

            fn map<D>(&self, $map: &mut dyn FnMut(&C) -> D) -> $name<D> {
                let $of = &self.$field;
                $name { $field: $mapped, $($other: Clone::clone(&self.$other)),* }
            }
        }
    };
}

pub(crate) use over_clauses;

/// A clause with its counts.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct CountedClause<C = Clause> {
    /// The clause, canonical.
    pub clause: C,
    /// Its counts on train.
    pub train: Counts,
    /// Its counts on tune.
    pub tune: Counts,
}

over_clauses!(CountedClause { clause; train, tune });

/// A model of a file, whose parts may not fit together: the file may have been changed by hand.
pub trait Checked {
    /// The fields of the file that stand in a struct of their own within the model; `IgnoredAny` where none do. Of a
    /// file that cannot be read they are read by themselves: `serde` forgets the lines of fields that it flattens.
    type Head: DeserializeOwned;

    /// Whether its parts fit together.
    ///
    /// # Errors
    ///
    /// The contradiction between parts that do not fit.
    fn check(&self) -> Result<(), Contradiction>;
}

impl<M> Saved for M
where
    M: OverClauses<Clause = String, Over<Clause>: Model> + Checked,
    M: serde::Serialize + fmt::Debug + Send + Sync + 'static,
{
    fn check(&self) -> Result<(), Contradiction> {
        Checked::check(self)
    }

    fn clause_texts(&self) -> Vec<String> {
        self.all_clauses().into_iter().cloned().collect()
    }

    fn to_model(&self, loaded: &mut dyn Iterator<Item = Clause>) -> Arc<dyn Model> {
        Arc::new(self.map(&mut |_| loaded.next().expect("there is a clause for each text")))
    }
}

/// The reason why a saved model does not fit together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Contradiction(pub &'static str);

/// Checks that negatives stand for something.
///
/// # Errors
///
/// If they do not.
pub fn check_weight(weight: NegativeWeight) -> Result<(), Contradiction> {
    if weight.is_sound() {
        return Ok(());
    }
    Err(Contradiction("the weight of the negatives is not above 0"))
}

/// Checks that all clauses cover something.
///
/// # Errors
///
/// If one does not.
pub fn check_counts(mut counts: impl Iterator<Item = Counts>) -> Result<(), Contradiction> {
    if counts.all(|counts| counts.true_positives + counts.false_positives > 0) {
        return Ok(());
    }
    Err(Contradiction("a clause covers no training example"))
}
