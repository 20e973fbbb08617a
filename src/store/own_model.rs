//! A saved model over the names that its own clauses hold: as far as needed to show it, without any data.

use std::collections::BTreeMap;
use std::sync::Arc;

use gleaner_base::{ConstantId, PredicateId};
use gleaner_lang::program::lower::{Names, Widened, lower_definition, lower_rule};
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

    /// The predicates of its clauses and of the goals of their aggregates, ascending by name.
    ///
    /// # Errors
    ///
    /// [`ModelError`] when one of its clauses is none.
    pub fn predicates(&self) -> Result<&[PredicateName], ModelError> {
        if let Some(known) = self.predicates.get() {
            return Ok(known);
        }
        let symbols = own_names(&self.clause_texts())?.0;
        let (mut found, mut ids) = (symbols.predicates, (0..).map(PredicateId::new));
        // What an aggregate is made of is asked of the data, not the aggregate.
        found.retain(|_| ids.next().is_some_and(|id| !symbols.aggregates.contains_key(&id)));
        Ok(self.predicates.get_or_init(|| found))
    }
}

/// What an aggregate is, `relation(Groups, Value) :- aggregate_all(…, Value)`, over its own names. The relation's name is
/// the aggregate's text. `None` where that is no aggregate.
pub fn aggregate_definition(name: &PredicateName) -> Option<(Symbols, Clause)> {
    let nothing = Symbols::default();
    let mut names = Growing::of(&nothing);
    let definition = lower_definition(name, &mut names)?;
    let (symbols, mut clauses) = names.symbols(vec![definition]);
    Some((symbols, clauses.pop()?))
}

/// The names that clauses hold, and the clauses over them.
fn own_names(texts: &[String]) -> Result<(Symbols, Vec<Clause>), ModelError> {
    let nothing = Symbols::default();
    let mut names = Growing::of(&nothing);
    let clauses = texts.iter().map(|text| lower(text, &mut names)).collect::<Result<_, _>>()?;
    Ok(names.symbols(clauses))
}

/// Names that grow with the clauses that are read.
struct Growing<'s> {
    constants: Widened<'s>,
    /// The predicates, numbered as they came.
    predicates: BTreeMap<PredicateName, PredicateId>,
    /// Those that stand for aggregates.
    aggregates: Vec<PredicateId>,
}

impl<'s> Growing<'s> {
    fn of(nothing: &'s Symbols) -> Self {
        Self { constants: Widened::new(nothing, &[]), predicates: BTreeMap::new(), aggregates: Vec::new() }
    }

    /// The symbols, and the clauses over them. Predicates were numbered as they came; symbols have them in the order of
    /// their names.
    fn symbols(self, mut clauses: Vec<Clause>) -> (Symbols, Vec<Clause>) {
        let mut ids = vec![PredicateId::default(); self.predicates.len()];
        for (rank, came) in self.predicates.values().enumerate() {
            ids[came.index()] = PredicateId::new(rank);
        }
        let id = |came: PredicateId| ids.get(came.index()).copied().unwrap_or(came);
        clauses.iter_mut().for_each(|clause| clause.map_predicates(id));
        let constants = Constants::default().widened(self.constants.further());
        let aggregates: Vec<PredicateId> = self.aggregates.iter().map(|&came| id(came)).collect();
        let predicates = self.predicates.into_keys().collect();
        let symbols = Symbols { constants, predicates, ..Symbols::default() };
        (symbols.with_aggregates(aggregates), clauses)
    }
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

    fn aggregate(&mut self, name: &PredicateName, _: Clause) -> Option<PredicateId> {
        let id = self.new_predicate(&name.name, name.arity)?;
        self.aggregates.push(id);
        Some(id)
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
