//! A saved model over the names that its own clauses hold: as far as needed to show it, without any data.

use std::collections::BTreeSet;
use std::sync::Arc;

use gleaner_lang::program::lower::{LowerFault, Widened, lower_rule};
use gleaner_lang::program::{Clause, Constants, PredicateName, Symbols};
use gleaner_lang::syntax::read_clause;
use gleaner_learn::Model;

use super::model_file::{ModelError, ModelFile};

/// A model over the names that its clauses hold.
#[derive(Clone, Debug)]
pub struct OwnModel {
    /// The names; predicates ascend.
    pub symbols: Symbols,
    /// The model over them.
    pub model: Arc<dyn Model>,
}

impl ModelFile {
    /// The model over its own names.
    ///
    /// # Errors
    ///
    /// [`ModelError`] when one of its clauses is none.
    pub fn own_model(&self) -> Result<OwnModel, ModelError> {
        let (symbols, clauses) = own_names(&self.clause_texts())?;
        Ok(OwnModel { model: self.to_model(&clauses)?, symbols })
    }

    /// The predicates of its clauses, ascending by name.
    ///
    /// # Errors
    ///
    /// [`ModelError`] when one of its clauses is none.
    pub fn predicates(&self) -> Result<Vec<PredicateName>, ModelError> {
        Ok(own_names(&self.clause_texts())?.0.predicates)
    }
}

/// The names that clauses hold, and the clauses over them.
fn own_names(texts: &[String]) -> Result<(Symbols, Vec<Clause>), ModelError> {
    let mut predicates: BTreeSet<PredicateName> = BTreeSet::new();
    loop {
        let symbols = Symbols {
            constants: Constants::default(),
            predicates: predicates.iter().cloned().collect(),
            types: Vec::new(),
        };
        let is_usable = vec![true; symbols.predicates.len()];
        let mut names = Widened::new(&symbols, &is_usable);
        let mut clauses = Vec::with_capacity(texts.len());
        let mut is_missing = false;
        for text in texts {
            match lower(text, &mut names)? {
                Lowered::Clause(clause) => clauses.push(clause),
                Lowered::Missing(name) => is_missing |= predicates.insert(name),
            }
        }
        if !is_missing {
            let constants = symbols.constants.widened(names.further());
            return Ok((Symbols { constants, ..symbols }, clauses));
        }
    }
}

/// A clause, or a predicate that was not known yet.
enum Lowered {
    Clause(Clause),
    Missing(PredicateName),
}

fn lower(text: &str, names: &mut Widened<'_>) -> Result<Lowered, ModelError> {
    let bad = |what: String| ModelError::Clause { clause: text.to_owned(), what };
    let statement = read_clause(text).map_err(|faults| bad(faults[0].to_string()))?;
    let head = statement.head.as_ref().ok_or_else(|| bad("it has no head".to_owned()))?;
    match lower_rule(head, &statement.body, names) {
        Ok((clause, _)) => Ok(Lowered::Clause(clause)),
        Err(LowerFault::UnknownPredicate(name, _)) => Ok(Lowered::Missing(name)),
        Err(fault @ LowerFault::Unsupported(..)) => Err(bad(fault.what())),
    }
}
