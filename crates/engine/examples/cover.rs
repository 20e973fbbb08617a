//! The covers of clauses: facts come from arrays, clauses from text.
//!
//! `cargo run -p gleaner-engine --example cover`

#![expect(clippy::print_stdout, reason = "an example shows what it finds")]

use std::error::Error;
use std::sync::Arc;

use gleaner_base::interner::Interner;
use gleaner_base::{Budget, ClassId, PredicateId, WorldId};
use gleaner_engine::coverage::universe::cover_clauses;
use gleaner_engine::coverage::{CoverStore, Universe};
use gleaner_engine::datalog::Background;
use gleaner_engine::relation::Relation;
use gleaner_lang::program::lower::{Widened, lower_clause};
use gleaner_lang::program::{
    Clause, Constants, ExampleLabel, Examples, NumberColumn, PredicateName, Rows, Symbols,
};
use gleaner_lang::syntax::read_clause;

const PARENTS: [[&str; 2]; 6] =
    [["ann", "bob"], ["ann", "cleo"], ["bob", "dora"], ["cleo", "emil"], ["dora", "finn"], ["emil", "gina"]];

/// Pairs, and whether the first is a grandparent of the second.
const EXAMPLES: [([&str; 2], bool); 7] = [
    (["ann", "dora"], true),
    (["ann", "emil"], true),
    (["bob", "finn"], true),
    (["cleo", "gina"], true),
    (["ann", "bob"], false),
    (["dora", "finn"], false),
    (["bob", "gina"], false),
];

const CLAUSES: [&str; 3] = [
    "grandparent(A,B) :- parent(A,C), parent(C,B).",
    "grandparent(A,B) :- parent(A,C).",
    "grandparent(A,B) :- parent(A,C), \\+ parent(A,B).",
];

/// The pairs as rows of the frozen ids of their constants.
fn rows<'p>(
    pairs: impl Iterator<Item = &'p [&'p str; 2]>,
    names: &Interner,
    ids: &[gleaner_base::ConstantId],
) -> Rows {
    let id = |name: &str| ids[names.find(name.as_bytes()).expect("every name was interned") as usize];
    let mut rows = Rows::new(2);
    pairs.for_each(|[first, second]| rows.push(&[id(first), id(second)]));
    rows
}

fn main() -> Result<(), Box<dyn Error>> {
    // Names become ids in canonical order: of one domain here, for all are persons.
    let mut names = Interner::default();
    PARENTS.iter().chain(EXAMPLES.iter().map(|(pair, _)| pair)).flatten().for_each(|name| {
        names.intern(name);
    });
    let (constants, ids) = Constants::freeze(&names, &NumberColumn::default(), &vec![0; names.len()], &[]);
    let predicates = vec![PredicateName::new("grandparent", 2), PredicateName::new("parent", 2)];
    let symbols = Arc::new(Symbols { constants, predicates, ..Symbols::default() });
    let target = symbols.find_predicate("grandparent", 2).expect("it was named");

    let parents = Relation::new(&rows(PARENTS.iter(), &names, &ids));
    let relations = vec![Arc::new(Relation::new(&Rows::new(2))), Arc::new(parents)];
    let worlds = [Background::new(Arc::clone(&symbols), relations)];
    let universe = universe(target, &rows(EXAMPLES.iter().map(|(pair, _)| pair), &names, &ids));

    // Clauses may use `parent` alone.
    let mut clause_names = Widened::new(&symbols, &[false, true]);
    let mut clauses: Vec<Clause> = Vec::new();
    for text in CLAUSES {
        let statement = read_clause(text).map_err(|faults| format!("{text}: {faults:?}"))?;
        let head = statement.head.as_ref().ok_or("a clause has a head")?;
        let lowered = lower_clause(head, target, &statement.body, &mut clause_names);
        clauses.push(lowered.map_err(|faults| format!("{text}: {faults:?}"))?.0);
    }

    let store = Arc::new(CoverStore::new(&worlds, &universe));
    let covered =
        cover_clauses(&store, &universe, &clauses.iter().collect::<Vec<_>>(), false, &Budget::unlimited());
    for (text, covered) in CLAUSES.iter().zip(covered) {
        let counts = covered?.counts;
        println!("{} TP, {} FP: {text}", counts.true_positives, counts.false_positives);
    }
    Ok(())
}

/// All examples, those that [`EXAMPLES`] calls positive first.
fn universe(target: PredicateId, arguments: &Rows) -> Universe {
    let label = |&(_, is_positive): &([&str; 2], bool)| ExampleLabel {
        world: WorldId::new(0),
        fold: None,
        is_positive,
        is_labelled: true,
        class: ClassId::new(usize::from(!is_positive)),
    };
    let labels: Vec<ExampleLabel> = EXAMPLES.iter().map(label).collect();
    let examples = Arc::new(Examples::new(target, arguments, &labels));
    let all: Vec<_> = examples.ids().collect();
    Universe::new(examples, &all)
}
