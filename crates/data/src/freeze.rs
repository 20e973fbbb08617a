//! The last stage of loading: a problem with canonical ids and indexed relations.
//!
//! Clauses that a user gives as features.
//!
//! The sizes of predicates, for the profile of a problem.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use rayon::prelude::*;

use crate::aggregates::Domains;
use crate::declare::{Made, Task};
use crate::derive::{Derived, WorldFacts, usual_limit};
use crate::formats::Format;
use crate::gather::{Facts, RawExamples, RawRule, Statements};
use crate::mode_terms::{Marker, RawMode};
use crate::problem::{FilteredPositives, Knowledge, Origin, Problem, Selection};
use crate::provisional::Provisional;
use crate::request::BuildRequest;
use crate::train_rules::TrainRules;
use gleaner_base::{ClassId, ConstantId, FixedMap, FoldId, PredicateId, TypeId, WorldId};
use gleaner_engine::datalog::Background;
use gleaner_engine::relation::{Relation, SharedKeys};
use gleaner_lang::program::mode::{ArgumentMode, BodyMode, HeadMode, Modes};
use gleaner_lang::program::monotone::Orders;
use gleaner_lang::program::{
    ClassList, Clause, Constants, ExampleLabel, Examples, FactTable, Labels, PredicateName, Rows, SaidBy,
    SharedSymbols, Symbols,
};
use gleaner_lang::syntax::Place;

/// Provisional to canonical ids.
struct Renumbering {
    constants: Vec<ConstantId>,
    predicates: Vec<PredicateId>,
}

impl Renumbering {
    fn clause(&self, clause: &Clause) -> Clause {
        let mut clause = clause.map_constants(|constant| self.constant(constant));
        clause.map_predicates(|predicate| self.predicates[predicate.index()]);
        clause
    }

    fn classes(&self, classes: ClassList) -> ClassList {
        let said_by = match classes.said_by {
            SaidBy::Argument(argument, constants) => {
                SaidBy::Argument(argument, constants.into_iter().map(|id| self.constant(id)).collect())
            }
            SaidBy::Predicate(predicates) => {
                SaidBy::Predicate(predicates.into_iter().map(|id| self.predicates[id.index()]).collect())
            }
        };
        ClassList { said_by, ..classes }
    }

    fn constant(&self, provisional: ConstantId) -> ConstantId {
        self.constants[provisional.index()]
    }
}

/// Freezes the problem.
pub(super) fn freeze(
    request: &BuildRequest<'_>,
    format: Format,
    derived: Derived,
    made: Made,
) -> (Problem, Selection) {
    let Derived { task, statements, given, worlds: facts } = derived;
    let train_rules = TrainRules::of(&statements, request.negatives.rng_seed);
    let has_proposed_modes = statements.has_modes_of_schema();
    let Statements { symbols: mut provisional, examples, declarations, rules, .. } = statements;
    provisional.close();
    let tables: Vec<&FactTable> = facts.tables.iter().chain([&examples.rows]).collect();
    let (symbols, renumbering) = freeze_symbols(&provisional, &tables, &task);
    provisional.forget_constants();
    let target_id = symbols.find_predicate(&task.target.name, task.target.arity);
    let target_id = target_id.expect("the target is a known predicate");
    let (modes, mode_places) = freeze_modes(&symbols, target_id, &task);
    let symbols = if modes.has_thresholds() { symbols.with_round_numbers() } else { symbols };
    let of_runs = train_rules.iter().flat_map(TrainRules::predicates);
    let unordered = of_runs.map(|id| renumbering.predicates[id.index()]).collect();
    let symbols = Arc::new(Symbols { unordered, ..symbols });
    let Task { target, extra, known_target, .. } = task;
    let frozen = freeze_examples(&examples, &renumbering, target_id, &facts)
        .with_negative_weight(made.negatives.weight);
    let RawExamples { fold_names, division, classes, numbers, .. } = examples;
    let mut named = declarations.argument_names.into_iter().filter(|(predicate, _)| *predicate == target);
    let argument_names = named.next().map(|(_, names)| names);
    let shared = facts.shared().to_vec();
    let cut_off_argument = facts.cut_off_argument();
    let n_facts = facts.tables.iter().map(FactTable::n_rows).sum();
    let limit = request.max_derived_facts.unwrap_or_else(|| usual_limit(n_facts));
    let renamed = |rules: TrainRules| {
        let predicate = |id: PredicateId| renumbering.predicates[id.index()];
        rules.renamed(|rule| renumbering.clause(rule), predicate, limit)
    };
    let train_rules = train_rules.map(renamed);
    let worlds = freeze_worlds(&symbols, &renumbering, facts, &shared);
    let table_rows =
        statements.table_rows.map(|rows| rows.renumbered(|constant| renumbering.constant(constant)));
    let profile = given.profile(&provisional, &rules.list, &worlds, &renumbering.predicates, &shared);
    let origin = Origin {
        format: format.name(),
        is_graph: format == Format::Triples,
        mode_places,
        undetermined: extra.undetermined,
        argument_names,
        fold_names,
        settings: declarations.settings,
        unnamed_predicates: extra.unnamed.clone(),
        profile,
        proposed_modes: made.proposed_modes,
        has_proposed_modes,
        schema: statements.schema,
        table_rows,
        known_target,
        cut_off_argument,
        train_rules,
    };
    let problem = Problem {
        knowledge: Knowledge {
            symbols,
            worlds: worlds.into(),
            modes: Arc::new(modes),
            origin: Arc::new(origin),
        },
        examples: Arc::new(frozen),
        labels: match (numbers, classes) {
            (Some(numbers), _) => Labels::Numbers(numbers.list),
            (None, Some(classes)) => Labels::Classes(renumbering.classes(classes)),
            (None, None) => Labels::Two,
        },
        given_clauses: None,
        modes_of_runs: Arc::default(),
        filtered_positives: Arc::new(FilteredPositives::lost(&declarations.lost_positives)),
        division,
        set_negatives: made.negatives.of_sets,
    };
    let selection = Selection {
        restriction: extra.restriction.as_ref().map(|clause| renumbering.clause(clause)),
        negatives: made.negatives.to_sample,
    };
    (problem, selection)
}

fn freeze_symbols(names: &Provisional, tables: &[&FactTable], task: &Task) -> (Symbols, Renumbering) {
    let provisional = names.predicates();
    let arities: Vec<usize> = provisional.iter().map(|predicate| predicate.arity).collect();
    let (texts, numbers) = (names.constants(), names.numbers());
    let mut domains = Domains::new(&arities, texts.len());
    tables.iter().for_each(|table| domains.add_table(table));
    let (constants, constant_ids) =
        Constants::freeze(texts, numbers, &domains.by_constant(), names.all_row_names());
    let mut order: Vec<usize> = (0..provisional.len()).collect();
    order.sort_by(|&left, &right| provisional[left].cmp(&provisional[right]));
    let mut predicate_ids = vec![PredicateId::default(); provisional.len()];
    for (rank, &old) in order.iter().enumerate() {
        predicate_ids[old] = PredicateId::new(rank);
    }
    let types: BTreeSet<&str> = std::iter::once(&task.head)
        .chain(&task.body)
        .flat_map(|mode| mode.arguments.iter().map(|(_, type_name)| type_name.as_str()))
        .collect();
    let symbols = Symbols {
        constants,
        predicates: order.iter().map(|&old| provisional[old].clone()).collect(),
        n_late: 0,
        types: types.into_iter().map(str::to_owned).collect(),
        aggregates: FixedMap::default(),
        unordered: BTreeSet::new(),
    };
    let aggregates = names.aggregates().iter();
    let symbols = symbols
        .with_aggregates(aggregates.map(|definition| predicate_ids[definition.head.predicate.index()]));
    (symbols, Renumbering { constants: constant_ids, predicates: predicate_ids })
}

fn freeze_worlds(
    symbols: &SharedSymbols,
    renumbering: &Renumbering,
    facts: WorldFacts,
    shared: &[bool],
) -> Vec<Background> {
    let mut old_ids = vec![PredicateId::default(); symbols.predicates.len()];
    for (old, new) in renumbering.predicates.iter().enumerate() {
        old_ids[new.index()] = PredicateId::new(old);
    }
    let mut worlds: Vec<Background> = Vec::new();
    let mut first: Option<Vec<Arc<Relation>>> = None;
    let n_common = facts.n_common();
    for (number, mut table) in facts.tables.into_iter().enumerate() {
        let rows: Vec<Rows> = old_ids.iter().map(|&old| table.take_rows(old)).collect();
        let keys = SharedKeys::of(&rows);
        let relations: Vec<Arc<Relation>> = rows
            .into_par_iter()
            .enumerate()
            .map(|(new, rows)| match &first {
                Some(first) if shared[old_ids[new].index()] => Arc::clone(&first[new]),
                _ => Arc::new(Relation::sharing(&rows, &keys, |constant| renumbering.constant(constant))),
            })
            .collect();
        first.get_or_insert_with(|| relations.clone());
        if number >= n_common {
            worlds.push(Background::new(Arc::clone(symbols), relations));
        }
    }
    worlds
}

fn freeze_examples(
    examples: &RawExamples,
    renumbering: &Renumbering,
    target: PredicateId,
    facts: &WorldFacts,
) -> Examples {
    let has_classes = examples.classes.is_some() || examples.numbers.is_some();
    let old = PredicateId::new(renumbering.predicates.iter().position(|&new| new == target).unwrap_or(0));
    let labels: Vec<ExampleLabel> = examples
        .of(old)
        .map(|example| ExampleLabel {
            world: WorldId::new(facts.world(example.fold, examples.arguments(example))),
            fold: example.fold.map(FoldId::new),
            is_positive: example.is_positive,
            is_labelled: example.is_labelled,
            class: if has_classes { example.class } else { ClassId::new(usize::from(!example.is_positive)) },
        })
        .collect();
    // Some rows may be unused, as when only a sample of negatives is taken.
    let given = examples.rows.rows(old);
    let mut rows = Rows::new(given.arity());
    for example in examples.of(old) {
        rows.push(given.row(example.row));
    }
    Examples::new(target, &rows.map_constants(|constant| renumbering.constant(constant)), &labels)
}

/// The modes, and the places of the body modes.
fn freeze_modes(symbols: &Symbols, target: PredicateId, task: &Task) -> (Modes, Vec<Place>) {
    let type_id = |name: &str| {
        let rank = symbols.types.binary_search_by(|known| known.as_str().cmp(name));
        TypeId::new(rank.expect("types are gathered from the modes"))
    };
    let arguments = |mode: &RawMode| -> Vec<ArgumentMode> {
        mode.arguments
            .iter()
            .map(|(marker, name)| match marker {
                Marker::Input => ArgumentMode::Input(type_id(name)),
                Marker::Output => ArgumentMode::Output(type_id(name)),
                Marker::Constant => ArgumentMode::Constant(type_id(name)),
            })
            .collect()
    };
    let predicate = |name: &PredicateName| {
        symbols.find_predicate(&name.name, name.arity).expect("modes without facts or rules were refused")
    };
    let mut placed: Vec<(BodyMode, Place)> = task
        .body
        .iter()
        .map(|mode| {
            let frozen = BodyMode {
                subject: mode.subject.map(predicate),
                arguments: arguments(mode),
                instantiation_limit: mode.instantiation_limit,
            };
            (frozen, mode.place)
        })
        .collect();
    placed.sort();
    placed.dedup_by(|later, earlier| later.0 == earlier.0);
    let (body, places) = placed.into_iter().unzip();
    let head = HeadMode { predicate: target, arguments: arguments(&task.head) };
    (Modes { head, body, orders: Orders::default() }, places)
}

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
    /// Where facts have a time, no world has all of them.
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
    use gleaner_base::PredicateId;
    use gleaner_lang::program::{Atom, Clause};

    use super::GivenClauses;

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
