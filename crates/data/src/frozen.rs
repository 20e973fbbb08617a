//! The problem that loading gives: complete, and never changed.
//!
//! Clauses that a user gives as features.
//!
//! The sizes of predicates, for the profile of a problem.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use gleaner_base::{ClassId, ConstantId, ExampleId, FixedMap, FoldId, PredicateId};
use gleaner_engine::datalog::Background;
use gleaner_engine::relation::Relation;
use gleaner_lang::program::mode::{ArgumentMode, Modes};
use gleaner_lang::program::{
    ClassList, Clause, Examples, Number, NumberList, PredicateName, Rows, SaidBy, SharedSymbols, Symbols,
};
use gleaner_lang::syntax::{Diagnostic, Place, quote_atom};

use crate::cells::cell_text;
use crate::gather::{Division, Facts, RawRule, SetDirective};
use crate::negatives::{Negatives, SetNegatives};
use crate::provisional::Provisional;
use crate::request::KnownTarget;
use crate::tables::table_rows::TableRows;
use crate::train_rules::TrainRules;

/// The size of one predicate, for the profile.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct PredicateProfile {
    /// `name/arity`.
    pub predicate: String,
    /// The number of facts that the files give.
    pub n_facts: usize,
    /// The number of distinct facts among them, counted for each world alone.
    pub n_distinct: usize,
    /// The number of rules that define the predicate.
    pub n_rules: usize,
    /// The number of tuples after the rules, over all worlds.
    pub n_tuples: usize,
}

/// A relational learning problem, complete and frozen.
#[derive(Clone, Debug)]
pub struct Problem {
    /// The name of the layout that was read.
    pub format: &'static str,
    /// Whether that layout holds graphs: each predicate is a relation between two entities.
    pub is_graph: bool,
    /// The names behind the ids.
    pub symbols: SharedSymbols,
    /// The facts of each world, by world id.
    pub worlds: Vec<Background>,
    /// The language bias.
    pub modes: Modes,
    /// The place of each body mode's declaration, in the order of `modes.body`; of equal modes the first.
    pub mode_places: Vec<Place>,
    /// The predicates of modes without a determination of the target, in the order declared, with their places. No
    /// clause may use them.
    pub undetermined: Vec<(PredicateName, Place)>,
    /// The labelled examples.
    pub examples: Arc<Examples>,
    /// The classes of the examples, if they are not positive and negative. `examples` then is the binary problem of the
    /// first class.
    pub classes: Option<ClassList>,
    /// The numbers of the examples, if the target is a number. `examples` then is the binary problem of the upper half.
    pub numbers: Option<NumberList>,
    /// A table's names for the target's arguments, as written; none if no table names them.
    pub argument_names: Option<Vec<String>>,
    /// The given folds' names, by fold id; empty without folds.
    pub fold_names: Vec<String>,
    /// How the files divide the examples.
    pub division: Division,
    /// Settings that the files make.
    pub settings: Vec<SetDirective>,
    /// The predicates of the request that the data neither name nor declare; they have no facts here.
    pub unnamed_predicates: Vec<PredicateName>,
    /// Clauses that serve as features, in place of clauses that a learner would find.
    pub given_clauses: Option<GivenClauses>,
    /// The predicates' sizes, ascending by name.
    pub profile: Vec<PredicateProfile>,
    /// The text of a file of modes proposed from the data, if they are requested or no modes are given.
    pub proposed_modes: Option<String>,
    /// The schema of a database as a file, with the evidence for what it says; none for data of other layouts.
    pub schema: Option<String>,
    /// Whether the modes and aggregates are those that the schema proposes.
    pub has_proposed_modes: bool,
    /// `target(A, B, …) :- restriction`: the examples that the request keeps. Loading does not apply it, since that
    /// takes coverage; `experiment::load` does.
    pub restriction: Option<Clause>,
    /// The requested sample of the negatives that satisfy the restriction; `experiment::load` draws it.
    pub negatives_to_sample: Option<Negatives>,
    /// The negatives that each set of a run draws.
    pub set_negatives: SetNegatives,
    /// The positives that the restriction leaves out.
    pub filtered_positives: FilteredPositives,
    /// How bodies may know the target, if they may; `experiment::known_target` makes the worlds of a run.
    pub known_target: Option<KnownTarget>,
    /// The argument of the target that is the cut-off, if facts have a time. Then each cut-off is a world.
    pub cut_off_argument: Option<usize>,
    /// The rules about train examples, if there are any; `experiment::train_facts` gives each run its facts.
    pub train_rules: Option<Arc<TrainRules>>,
    /// The rows of the table that the examples of a database come from; none for data of other layouts.
    pub table_rows: Option<Arc<TableRows>>,
}

/// The positives that a request's restriction leaves out; `experiment::load` finds them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FilteredPositives {
    /// The given fold of each.
    pub folds: Vec<Option<FoldId>>,
    /// Whether they count as positives that no threshold finds.
    pub are_counted: bool,
}

impl FilteredPositives {
    /// Positives that the data say are no examples, by their folds. They count: whoever prepares data does not choose the task.
    pub(crate) fn lost(folds: &[Option<usize>]) -> Self {
        let folds: Vec<Option<FoldId>> = folds.iter().map(|fold| fold.map(FoldId::new)).collect();
        Self { are_counted: !folds.is_empty(), folds }
    }
}

impl Problem {
    /// The same problem with further numbers after all constants, which no fact has yet.
    pub fn with_numbers(self, further: &[(String, Option<Number>)]) -> Self {
        if further.is_empty() {
            return self;
        }
        let constants = self.symbols.constants.widened(further);
        let symbols = Arc::new(Symbols { constants, ..Symbols::clone(&self.symbols) });
        let worlds = self.worlds.iter().map(|world| world.with_symbols(Arc::clone(&symbols))).collect();
        Self { symbols, worlds, ..self }
    }

    /// The name of a fold.
    pub fn fold_name(&self, fold: FoldId) -> &str {
        &self.fold_names[fold.index()]
    }

    /// The target predicate.
    pub fn target(&self) -> &PredicateName {
        self.symbols.predicate(self.examples.target())
    }

    /// The worlds that these examples see. If examples have cut-offs, all other worlds are empty, so that no result depends
    /// on facts that none of these examples sees. Without cut-offs, all worlds as they are.
    pub fn worlds_seen_by(&self, examples: impl Iterator<Item = ExampleId>) -> Cow<'_, [Background]> {
        if self.cut_off_argument.is_none() {
            return Cow::Borrowed(&self.worlds);
        }
        let mut is_seen = vec![false; self.worlds.len()];
        examples.for_each(|id| is_seen[self.examples.world(id).index()] = true);
        let predicates = self.symbols.predicates.iter();
        let nothing = predicates.map(|name| Arc::new(Relation::new(&Rows::new(name.arity)))).collect();
        let nothing = Background::new(Arc::clone(&self.symbols), nothing);
        let seen = self.worlds.iter().zip(is_seen);
        seen.map(|(world, is_seen)| if is_seen { world.clone() } else { nothing.clone() }).collect()
    }

    /// Whether the target has two arguments, both of one type.
    pub fn links_one_type(&self) -> bool {
        matches!(&self.modes.head.arguments[..], [first, second] if first.type_id() == second.type_id())
    }

    /// Whether links of the target may explain others, and bodies can know the links of train. The target must have two
    /// arguments of one type, or be a relation of a graph. Folds must have no facts of their own: test would then have
    /// no links.
    pub fn may_know_target(&self) -> bool {
        let is_graph = self.is_graph && self.examples.arity() == 2;
        let is_one_world = self.worlds.len() == 1 && self.cut_off_argument.is_none();
        (self.links_one_type() || is_graph) && is_one_world && self.classes.is_none()
    }

    /// The binary problem of one class: its examples are positive, the rest negative. A problem without many classes
    /// gives itself.
    ///
    /// **Invariant**: an example has the same id in the problems of all classes.
    pub fn of_class(&self, class: ClassId) -> Self {
        let Some(list) = &self.classes else { return self.clone() };
        let mut problem = Self { classes: Some(list.of_class(class)), ..self.clone() };
        let examples = self.examples.of_class(class);
        let examples = match &list.said_by {
            SaidBy::Argument(argument, constants) => {
                examples.with_argument(*argument, constants[class.index()])
            }
            SaidBy::Predicate(predicates) => {
                problem.modes.head.predicate = predicates[class.index()];
                examples.with_target(predicates[class.index()])
            }
        };
        problem.examples = Arc::new(examples);
        problem
    }

    /// The head's argument that holds the class, if one does.
    pub fn class_argument(&self) -> Option<usize> {
        let argument = self.classes.as_ref()?.argument()?;
        debug_assert!(matches!(self.modes.head.arguments[argument], ArgumentMode::Constant(_)));
        Some(argument)
    }

    /// The number of an example, where the target is a number and the example's is known.
    pub fn number(&self, example: ExampleId) -> Option<f64> {
        self.numbers.as_ref()?.of(&self.examples, example)
    }

    /// An example as an atom that reads back as the same example.
    pub fn example_text(&self, example: ExampleId) -> String {
        self.atom_text(self.examples.arguments(example))
    }

    /// The target's arguments in an example, as cells of a table that read back as the same arguments.
    pub fn argument_cells(&self, example: ExampleId) -> Vec<String> {
        self.examples.arguments(example).iter().map(|&constant| self.cell(constant)).collect()
    }

    /// A constant as the cell of a table: without the quotes that it has in a program.
    pub fn cell(&self, constant: ConstantId) -> String {
        let text = self.symbols.constants.text(constant);
        cell_text(text).unwrap_or_else(|| text.to_owned())
    }

    /// The target with these arguments, as an atom that reads back as the same atom.
    pub fn atom_text(&self, arguments: &[ConstantId]) -> String {
        let arguments = arguments.iter();
        let arguments: Vec<&str> = arguments.map(|&constant| self.symbols.constants.text(constant)).collect();
        let name = quote_atom(&self.target().name);
        if arguments.is_empty() { name.into_owned() } else { format!("{name}({})", arguments.join(",")) }
    }
}

/// A problem with the warnings of its loading.
#[derive(Debug)]
pub struct Loaded {
    /// The problem.
    pub problem: Problem,
    /// The warnings, worst first.
    pub warnings: Vec<Diagnostic>,
}

/// Clauses that a learner uses as features, in place of clauses that it would find.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GivenClauses {
    /// The clauses of every run.
    pub of_all: Vec<Clause>,
    /// The clauses of single runs, by the name of the run's fold and its repetition, from 0.
    pub of_runs: BTreeMap<(String, usize), Vec<Clause>>,
}

impl GivenClauses {
    /// The clauses of a run, ascending, each once: results do not depend on the order in which they are written.
    pub fn of_run(&self, fold: &str, repeat: usize) -> Vec<Clause> {
        let own = self.of_runs.get(&(fold.to_owned(), repeat)).into_iter().flatten();
        let mut clauses: Vec<Clause> = self.of_all.iter().chain(own).cloned().collect();
        clauses.sort_unstable();
        clauses.dedup();
        clauses
    }
}

use rayon::prelude::*;

/// The given facts and rules of predicates before the rules run, by provisional id.
#[derive(Debug)]
pub(super) struct Given {
    /// The number of given facts.
    pub(super) n_facts: Vec<usize>,
    /// The number of distinct facts. `None` if they are the relation of the only world, to be counted there.
    n_distinct: Vec<Option<usize>>,
    /// The place of the first rule of each predicate with rules.
    pub(super) first_rules: FixedMap<PredicateId, Place>,
}

impl Given {
    /// Of facts with a time, no world has all.
    pub(super) fn new(rules: &[RawRule], facts: &Facts, n_predicates: usize, are_timed: bool) -> Self {
        let mut first_rules = FixedMap::default();
        for rule in rules {
            first_rules.entry(rule.clause.head.predicate).or_insert(rule.place);
        }
        let sum = |id: PredicateId, count: fn(&Rows) -> usize| -> usize {
            facts.tables().map(|table| count(table.rows(id))).sum()
        };
        let ids = (0..n_predicates).map(PredicateId::new);
        let is_counted = |id: &PredicateId| are_timed || facts.are_in_folds() || first_rules.contains_key(id);
        let n_facts = ids.map(|id| sum(id, Rows::len)).collect();
        let ids = (0..n_predicates).into_par_iter().map(PredicateId::new);
        let n_distinct = ids.map(|id| is_counted(&id).then(|| sum(id, Rows::n_distinct))).collect();
        Self { n_facts, n_distinct, first_rules }
    }

    pub(super) fn profile(
        &self,
        provisional: &Provisional,
        rules: &[RawRule],
        worlds: &[Background],
        predicates: &[PredicateId],
        shared: &[bool],
    ) -> Vec<PredicateProfile> {
        let mut n_rules = vec![0; self.n_facts.len()];
        rules.iter().for_each(|rule| n_rules[rule.clause.head.predicate.index()] += 1);
        let mut profile: Vec<PredicateProfile> = Vec::new();
        for (id, name) in provisional.predicates().iter().enumerate() {
            // Aggregates that were proposed came after the count.
            let Some(&n_facts) = self.n_facts.get(id).filter(|&&n| n + n_rules[id] > 0) else { continue };
            let n_worlds = if shared[id] { worlds.len().min(1) } else { worlds.len() };
            let rows = |world: &Background| world.relation(predicates[id]).n_rows();
            let n_tuples = worlds[..n_worlds].iter().map(rows).sum();
            profile.push(PredicateProfile {
                predicate: name.to_string(),
                n_facts,
                n_distinct: self.n_distinct[id].unwrap_or(n_tuples),
                n_rules: n_rules[id],
                n_tuples,
            });
        }
        profile.sort_by(|left, right| left.predicate.cmp(&right.predicate));
        profile
    }
}

#[cfg(test)]
mod tests {
    use super::GivenClauses;
    use gleaner_base::PredicateId;
    use gleaner_lang::program::{Atom, Clause};

    fn clause(n_variables: usize) -> Clause {
        let head = Atom { predicate: PredicateId::new(0), arguments: Vec::new() };
        Clause { head, body: Vec::new(), n_variables }
    }

    #[test]
    fn a_run_has_those_of_all_and_its_own() {
        let given = GivenClauses {
            of_all: vec![clause(3), clause(1)],
            of_runs: [(("fold1".to_owned(), 1), vec![clause(2), clause(3)])].into(),
        };
        assert_eq!(given.of_run("fold1", 1), [clause(1), clause(2), clause(3)]);
        assert_eq!(given.of_run("fold1", 0), [clause(1), clause(3)]);
        assert_eq!(given.of_run("fold2", 1), [clause(1), clause(3)]);
    }
}
