//! A saved model over the names that its own clauses hold: as far as needed to show it, without any data.

use std::collections::BTreeMap;
use std::sync::Arc;

use gleaner_base::{ConstantId, PredicateId};
use gleaner_lang::program::lower::{Names, Widened, lower_rule};
use gleaner_lang::program::{Clause, Constants, Number, PredicateName, Symbols};
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
    pub fn predicates(&self) -> Result<&[PredicateName], ModelError> {
        if let Some(known) = self.predicates.get() {
            return Ok(known);
        }
        let found = own_names(&self.clause_texts())?.0.predicates;
        Ok(self.predicates.get_or_init(|| found))
    }
}

/// The names that clauses hold, and the clauses over them.
fn own_names(texts: &[String]) -> Result<(Symbols, Vec<Clause>), ModelError> {
    let nothing = Symbols { constants: Constants::default(), predicates: Vec::new(), types: Vec::new() };
    let mut names = Growing { constants: Widened::new(&nothing, &[]), predicates: BTreeMap::new() };
    let mut clauses: Vec<Clause> =
        texts.iter().map(|text| lower(text, &mut names)).collect::<Result<_, _>>()?;
    // Predicates were numbered as they came; symbols have them in the order of their names.
    let mut ids = vec![PredicateId::default(); names.predicates.len()];
    for (rank, came) in names.predicates.values().enumerate() {
        ids[came.index()] = PredicateId::new(rank);
    }
    for clause in &mut clauses {
        clause.map_predicates(|came| ids[came.index()]);
    }
    let constants = nothing.constants.widened(names.constants.further());
    let predicates = names.predicates.into_keys().collect();
    Ok((Symbols { constants, predicates, types: Vec::new() }, clauses))
}

/// Names that grow with the clauses that are read.
struct Growing<'s> {
    constants: Widened<'s>,
    /// The predicates, numbered as they came.
    predicates: BTreeMap<PredicateName, PredicateId>,
}

impl Names for Growing<'_> {
    fn constant(&mut self, text: &str, number: Option<Number>) -> ConstantId {
        self.constants.constant(text, number)
    }

    fn known_predicate(&self, name: &str, arity: usize) -> Option<PredicateId> {
        self.predicates.get(&PredicateName::new(name, arity)).copied()
    }

    fn is_open(&self) -> bool {
        true
    }

    fn new_predicate(&mut self, name: &str, arity: usize) -> Option<PredicateId> {
        let next = PredicateId::new(self.predicates.len());
        Some(*self.predicates.entry(PredicateName::new(name, arity)).or_insert(next))
    }
}

fn lower(text: &str, names: &mut Growing<'_>) -> Result<Clause, ModelError> {
    let bad = |what: String| ModelError::Clause { clause: text.to_owned(), what };
    let statement = read_clause(text).map_err(|faults| bad(faults[0].to_string()))?;
    let head = statement.head.as_ref().ok_or_else(|| bad("it has no head".to_owned()))?;
    match lower_rule(head, &statement.body, names) {
        Ok((clause, _)) => Ok(clause),
        Err(fault) => Err(bad(fault.what())),
    }
}
