//! Aggregates that only clauses have: their rows, found over the frozen facts of each world.

use gleaner_base::{ConstantId, PredicateId};
use gleaner_engine::datalog::{Background, NumberTable};
use gleaner_lang::program::lower::{LateRelation, Names, Widened};
use gleaner_lang::program::{Clause, FactTable, Literal, Number, Symbols};

use crate::Problem;
use crate::aggregates::add_aggregates;
use crate::provisional::number_text;
use crate::train_rules::add_facts;

/// The most rows of a clause's aggregates, in all worlds together.
const MOST_ROWS: usize = 20_000_000;

/// Finds the rows of all late relations that have none yet.
///
/// **Cost**: a copy of all facts, and that of the aggregates' goals as rules.
///
/// # Errors
///
/// The name of an aggregate that has too many rows, or joins too much.
pub(super) fn find_late_rows(problem: &Problem, names: &mut Widened<'_>) -> Result<(), String> {
    let n_known = names.late().iter().take_while(|late| !late.rows.is_empty()).count();
    let new: Vec<LateRelation> = names.late()[n_known..].to_vec();
    if new.is_empty() {
        return Ok(());
    }
    let of_runs = |it: &&LateRelation| {
        let mut atoms = it.definition.body.iter().flat_map(Literal::atoms);
        let rules = problem.train_rules.as_ref();
        rules.is_some_and(|rules| atoms.any(|atom| rules.predicates().contains(&atom.predicate)))
    };
    if let Some(late) = new.iter().find(of_runs) {
        return Err(format!("{}: depends on train examples; let a rule aggregate", late.name.name));
    }
    let symbols = &problem.symbols;
    let arities = || {
        let late = names.late().iter().map(|late| late.name.arity);
        symbols.predicates.iter().map(|name| name.arity).chain(late)
    };
    let mut tables: Vec<FactTable> = problem.worlds.iter().map(|world| facts(world, arities())).collect();
    let mut examples = FactTable::new(arities());
    let rows = examples.rows_mut(problem.examples.target());
    problem.examples.ids().for_each(|id| rows.push(problem.examples.arguments(id)));
    let definitions: Vec<Clause> = new.iter().map(|late| late.definition.clone()).collect();
    let n_constants = symbols.constants.len() + names.further().len();
    let mut numbers = Numbers { symbols, names };
    add_aggregates(&definitions, &mut tables, &examples, &mut numbers, (n_constants, MOST_ROWS)).map_err(
        |_| {
            let names: Vec<&str> = new.iter().map(|late| late.name.name.as_str()).collect();
            format!("{}: joins too many facts for a limit of {MOST_ROWS} derived facts", names.join("; "))
        },
    )?;
    for (position, definition) in definitions.iter().enumerate() {
        let rows = tables.iter_mut().map(|table| table.take_rows(definition.head.predicate)).collect();
        names.set_late_rows(n_known + position, rows);
    }
    Ok(())
}

/// The facts of a world as a table.
fn facts(world: &Background, arities: impl Iterator<Item = usize>) -> FactTable {
    let mut table = FactTable::new(arities);
    add_facts(&mut table, world, (0..world.n_predicates()).map(PredicateId::new));
    table
}

/// The numbers among a problem's constants and those of clauses.
struct Numbers<'p, 'n, 's> {
    symbols: &'p Symbols,
    names: &'n mut Widened<'s>,
}

impl NumberTable for Numbers<'_, '_, '_> {
    fn number(&self, constant: ConstantId) -> Option<Number> {
        match constant.index().checked_sub(self.symbols.constants.len()) {
            None => self.symbols.constants.number(constant),
            Some(further) => self.names.further()[further].1,
        }
    }

    fn intern(&mut self, number: Number) -> ConstantId {
        self.names.constant(&number_text(number), Some(number))
    }
}
