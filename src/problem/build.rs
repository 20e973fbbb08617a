//! From what was read to a frozen problem: rules to a fixpoint, canonical ids, indexed relations.

use std::collections::BTreeSet;
use std::sync::Arc;

use rayon::prelude::*;

use crate::base::{ConstantId, FixedSet, FoldId, PredicateId, TypeId, WorldId};
use crate::datalog::{Background, FixpointError, fixpoint};
use crate::program::mode::{ArgumentMode, BodyMode, HeadMode, ModeSubject, Modes};
use crate::program::stratify::stratify;
use crate::program::{
    Clause, Constants, ExampleLabel, Examples, FactTable, PredicateName, Rows, SharedSymbols, Symbols,
};
use crate::relation::Relation;
use crate::syntax::{Diagnostic, Severity, Sources, codes, read_clause, read_conjunction};

use super::check;
use super::domains::Domains;
use super::faults;
use super::gather::{Gathered, RawExample, RawRule, gather};
use super::layout::Layout;
use super::leave_out::leave_out;
use super::lower::{Variables, lower_atom, lower_clause, lower_literal};
use super::mode_terms::{Marker, RawMode, Subject};
use super::provisional::Provisional;
use super::{LoadRequest, Loaded, PredicateProfile, Problem};

/// Facts that the rules may derive in one world before they count as endless.
const MAX_DERIVED_FACTS: usize = 20_000_000;

/// Reads, checks, runs the rules and freezes.
pub(super) fn build(
    request: &LoadRequest,
    layout: &Layout,
    sources: &mut Sources,
) -> Result<Loaded, Vec<Diagnostic>> {
    let mut gathered = gather(layout, sources);
    let mut diagnostics = std::mem::take(&mut gathered.diagnostics);
    if layout.format.is_foreign() {
        leave_out(&mut gathered, &mut diagnostics);
    }
    check::rules(&gathered, &mut diagnostics);
    check::undefined_in_rules(&gathered, &mut diagnostics);
    let rules: Vec<Clause> = gathered.rules.iter().map(|rule| rule.clause.clone()).collect();
    if let Err(fault) = stratify(&rules, gathered.symbols.predicates().len()) {
        let negated = gathered.symbols.predicate_name(fault.negated);
        diagnostics.push(faults::unstratifiable(gathered.rules[fault.rule].place, negated));
    }
    let target = match check::target(request, &gathered) {
        Ok(target) => target,
        Err(fault) => {
            diagnostics.push(fault);
            return Err(diagnostics);
        }
    };
    // Without examples nothing names it.
    gathered.symbols.predicate(&target.name, target.arity);
    let extra = lower_extra(request, &target, &mut gathered, &mut diagnostics);
    check::examples(&target, &gathered, layout, &mut diagnostics);
    let modes = check::modes(&target, &gathered, layout.format.is_foreign(), &mut diagnostics);
    let no_modes = check::unmoded_head(&target);
    let is_lenient = request.is_inspection && layout.format.is_foreign();
    let modes = modes.or(is_lenient.then_some((&no_modes, Vec::new())));
    if is_lenient {
        diagnostics = diagnostics.into_iter().map(looked_at).collect();
    }
    let has_errors = diagnostics.iter().any(|diagnostic| diagnostic.severity() == Severity::Error);
    let (Some((head, body)), false) = (modes, has_errors) else { return Err(diagnostics) };
    let (head, body): (RawMode, Vec<RawMode>) = (head.clone(), body.into_iter().cloned().collect());
    gathered.fit_tables();
    let given = Given::new(&gathered);
    let facts = match run_rules(&rules, &mut gathered) {
        Ok(facts) => facts,
        Err(fault) => {
            diagnostics.push(fault);
            return Err(diagnostics);
        }
    };
    gathered.symbols.close();
    let problem = freeze(layout, gathered, (&given, facts), &target, (&head, &body), &extra);
    Ok(Loaded { problem, warnings: diagnostics })
}

/// What keeps data of other systems from being learnt from is no fault where they are only looked at.
fn looked_at(fault: Diagnostic) -> Diagnostic {
    let of_learning = [codes::NO_MODES, codes::NO_EXAMPLES, codes::BOTH_CLASSES, codes::EMPTY_FOLD];
    if of_learning.contains(&fault.code()) { fault.into_warning(faults::LOOKED_AT) } else { fault }
}

/// The request's clauses and restriction over provisional ids.
#[derive(Debug, Default)]
struct Extra {
    clauses: Vec<Clause>,
    restriction: Option<Clause>,
}

fn lower_extra(
    request: &LoadRequest,
    target: &PredicateName,
    gathered: &mut Gathered,
    diagnostics: &mut Vec<Diagnostic>,
) -> Extra {
    let defined = check::defined_predicates(gathered);
    let mut extra = Extra::default();
    let mut undefined: BTreeSet<PredicateId> = BTreeSet::new();
    for text in &request.clauses {
        match lower_text(text, gathered) {
            Ok(clause) => {
                undefined.extend(check::body_predicates(&clause).filter(|id| !defined.contains(id)));
                extra.clauses.push(clause);
            }
            Err(fault) => diagnostics.push(fault),
        }
    }
    if !undefined.is_empty() {
        let mut names: Vec<String> =
            undefined.iter().map(|&id| gathered.symbols.predicate_name(id).to_string()).collect();
        names.sort();
        diagnostics.push(faults::undefined_in_clauses(&names));
    }
    if let Some(text) = &request.restriction {
        match lower_restriction(text, target, gathered) {
            Ok(clause) => {
                check_restriction(text, &clause, gathered, &defined, diagnostics);
                extra.restriction = Some(clause);
            }
            Err(fault) => diagnostics.push(fault),
        }
    }
    extra
}

fn lower_text(text: &str, gathered: &mut Gathered) -> Result<Clause, Diagnostic> {
    let syntax = |fault: &dyn std::fmt::Display| faults::bad_clause(text, &fault.to_string());
    let statement = read_clause(text).map_err(|found| syntax(&found[0]))?;
    let head = statement.head.as_ref().ok_or_else(|| faults::bad_clause(text, "it has no head"))?;
    let mut variables = Variables::default();
    let clause = lower_clause(head, &statement.body, &mut gathered.symbols, &mut variables)
        .map_err(|fault| faults::bad_clause(text, &format!("{} is outside the language", fault.what)))?;
    check::evaluable(&clause, &variables).map_err(|what| faults::bad_clause(text, &what))?;
    Ok(clause)
}

/// `target(A, B, …) :- restriction`, the variables named after the target's arguments in order.
fn lower_restriction(
    text: &str,
    target: &PredicateName,
    gathered: &mut Gathered,
) -> Result<Clause, Diagnostic> {
    let goals = read_conjunction(text).map_err(|found| faults::bad_clause(text, &found[0].to_string()))?;
    let names: Vec<String> = (0..target.arity).map(crate::program::display::variable_name).collect();
    let mut variables = Variables::with_names(names.iter().cloned());
    let head_text =
        if names.is_empty() { "target.".to_owned() } else { format!("target({}).", names.join(",")) };
    let head = read_clause(&head_text).ok().and_then(|statement| {
        let mut head = lower_atom(statement.head.as_ref()?, &mut gathered.symbols, &mut variables).ok()?;
        head.predicate = gathered.symbols.predicate(&target.name, target.arity);
        Some(head)
    });
    let body = goals
        .iter()
        .map(|goal| lower_literal(goal, &mut gathered.symbols, &mut variables))
        .collect::<Result<Vec<_>, _>>()
        .map_err(|fault| faults::bad_clause(text, &format!("{} is outside the language", fault.what)))?;
    let head = head.ok_or_else(|| faults::bad_clause(text, "the target has no such arguments"))?;
    let clause = Clause { head, body, n_variables: variables.len() };
    check::evaluable(&clause, &variables).map_err(|what| faults::bad_clause(text, &what))?;
    Ok(clause)
}

fn check_restriction(
    text: &str,
    clause: &Clause,
    gathered: &Gathered,
    defined: &FixedSet<PredicateId>,
    diagnostics: &mut Vec<Diagnostic>,
) {
    for predicate in check::body_predicates(clause) {
        if !defined.contains(&predicate) {
            let name = gathered.symbols.predicate_name(predicate);
            let nearest = check::nearest_predicate(name, gathered);
            diagnostics.push(faults::unknown_predicate_in_clause(text, name, nearest));
        }
    }
}

/// The facts of each world after the rules, over provisional ids.
///
/// Without fold facts there is one world. Else each fold is a world of its own facts and the global
/// ones, and the last world, for examples outside the folds, has the global ones alone. `shared` are
/// the predicates that no fold's facts reach: every world has the same rows of them.
struct WorldFacts {
    tables: Vec<FactTable>,
    shared: Vec<bool>,
}

fn run_rules(rules: &[Clause], gathered: &mut Gathered) -> Result<WorldFacts, Diagnostic> {
    let shared = shared_predicates(rules, gathered);
    let n_predicates = gathered.symbols.predicates().len();
    let mut tables = Vec::new();
    if n_worlds(gathered) > 1 {
        for fold in std::mem::take(&mut gathered.folds) {
            let mut table = gathered.global.clone();
            for id in (0..n_predicates).map(PredicateId::new) {
                table.rows_mut(id).append(fold.rows(id));
            }
            tables.push(table);
        }
    }
    tables.push(std::mem::take(&mut gathered.global));
    for table in &mut tables {
        if let Err(error) = fixpoint(rules, table, &mut gathered.symbols, MAX_DERIVED_FACTS) {
            return Err(fixpoint_fault(&error, gathered));
        }
    }
    Ok(WorldFacts { tables, shared })
}

/// One for each fold and one for the global facts alone, where folds have facts of their own; else one.
fn n_worlds(gathered: &Gathered) -> usize {
    let n_predicates = gathered.symbols.predicates().len();
    let has_facts =
        |fold: &FactTable| (0..n_predicates).any(|id| !fold.rows(PredicateId::new(id)).is_empty());
    if gathered.folds.iter().any(has_facts) { gathered.folds.len() + 1 } else { 1 }
}

fn fixpoint_fault(error: &FixpointError, gathered: &Gathered) -> Diagnostic {
    let (rule, message) = match error {
        FixpointError::TooManyFacts { predicate, limit } => {
            let name = gathered.symbols.predicate_name(*predicate);
            (None, format!("the rules derive more than {limit} facts, most of them of {name}"))
        }
        FixpointError::Unsafe { rule, .. } | FixpointError::TooWide { rule, .. } => {
            (Some(*rule), error.to_string())
        }
        _ => (None, error.to_string()),
    };
    let place = rule.map(|rule| gathered.rules[rule].place);
    faults::fixpoint_failed(place, &message)
}

/// The predicates without fold facts that depend on none with.
fn shared_predicates(rules: &[Clause], gathered: &Gathered) -> Vec<bool> {
    let n_predicates = gathered.symbols.predicates().len();
    let mut shared: Vec<bool> = (0..n_predicates)
        .map(|id| gathered.folds.iter().all(|fold| fold.rows(PredicateId::new(id)).is_empty()))
        .collect();
    loop {
        let mut changed = false;
        for rule in rules {
            let is_local = check::body_predicates(rule).any(|predicate| !shared[predicate.index()]);
            let head = rule.head.predicate.index();
            if is_local && shared[head] {
                shared[head] = false;
                changed = true;
            }
        }
        if !changed {
            return shared;
        }
    }
}

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

    fn constant(&self, provisional: ConstantId) -> ConstantId {
        self.constants[provisional.index()]
    }
}

fn freeze(
    layout: &Layout,
    gathered: Gathered,
    (given, facts): (&Given, WorldFacts),
    target: &PredicateName,
    modes: (&RawMode, &[RawMode]),
    extra: &Extra,
) -> Problem {
    let (symbols, renumbering) = freeze_symbols(&gathered, &facts, modes);
    let target_id =
        symbols.find_predicate(&target.name, target.arity).expect("the target is a known predicate");
    let examples = freeze_examples(&gathered, &renumbering, target_id, facts.tables.len());
    let Gathered { symbols: provisional, settings, rules, .. } = gathered;
    let shared = facts.shared.clone();
    let worlds = freeze_worlds(&symbols, &renumbering, facts);
    let profile = given.profile(&provisional, &rules, &worlds, (&renumbering, &shared));
    Problem {
        format: layout.format,
        modes: freeze_modes(&symbols, target_id, modes),
        worlds,
        examples: Arc::new(examples),
        fold_names: layout.fold_names.clone(),
        division: layout.division,
        settings,
        clauses: extra.clauses.iter().map(|clause| renumbering.clause(clause)).collect(),
        profile,
        restriction: extra.restriction.as_ref().map(|clause| renumbering.clause(clause)),
        symbols,
    }
}

fn freeze_symbols(
    gathered: &Gathered,
    facts: &WorldFacts,
    modes: (&RawMode, &[RawMode]),
) -> (SharedSymbols, Renumbering) {
    let provisional = gathered.symbols.predicates();
    let arities: Vec<usize> = provisional.iter().map(|predicate| predicate.arity).collect();
    let (texts, numbers) = (gathered.symbols.constants(), gathered.symbols.numbers());
    let mut domains = Domains::new(&arities, texts.len());
    facts.tables.iter().chain([&gathered.example_rows]).for_each(|table| domains.add_table(table));
    let (constants, constant_ids) = Constants::freeze(texts, numbers, &domains.by_constant());
    let mut order: Vec<usize> = (0..provisional.len()).collect();
    order.sort_by(|&left, &right| provisional[left].cmp(&provisional[right]));
    let mut predicate_ids = vec![PredicateId::default(); provisional.len()];
    for (rank, &old) in order.iter().enumerate() {
        predicate_ids[old] = PredicateId::new(rank);
    }
    let types: BTreeSet<&str> = std::iter::once(modes.0)
        .chain(modes.1)
        .flat_map(|mode| mode.arguments.iter().map(|(_, type_name)| type_name.as_str()))
        .collect();
    let symbols = Symbols {
        constants,
        predicates: order.iter().map(|&old| provisional[old].clone()).collect(),
        types: types.into_iter().map(str::to_owned).collect(),
    };
    (Arc::new(symbols), Renumbering { constants: constant_ids, predicates: predicate_ids })
}

fn freeze_worlds(symbols: &SharedSymbols, renumbering: &Renumbering, facts: WorldFacts) -> Vec<Background> {
    let mut old_ids = vec![PredicateId::default(); symbols.predicates.len()];
    for (old, new) in renumbering.predicates.iter().enumerate() {
        old_ids[new.index()] = PredicateId::new(old);
    }
    let mut worlds: Vec<Background> = Vec::new();
    let mut first: Option<Vec<Arc<Relation>>> = None;
    for mut table in facts.tables {
        let rows: Vec<Rows> = old_ids.iter().map(|&old| table.take_rows(old)).collect();
        let relations: Vec<Arc<Relation>> = rows
            .into_par_iter()
            .enumerate()
            .map(|(new, rows)| match &first {
                Some(first) if facts.shared[old_ids[new].index()] => Arc::clone(&first[new]),
                _ => Arc::new(Relation::renumbered(&rows, |constant| renumbering.constant(constant))),
            })
            .collect();
        first.get_or_insert_with(|| relations.clone());
        worlds.push(Background::new(Arc::clone(symbols), relations));
    }
    worlds
}

fn freeze_examples(
    gathered: &Gathered,
    renumbering: &Renumbering,
    target: PredicateId,
    n_worlds: usize,
) -> Examples {
    let of_target = |example: &&RawExample| renumbering.predicates[example.predicate.index()] == target;
    let labels: Vec<ExampleLabel> = gathered
        .examples
        .iter()
        .filter(of_target)
        .map(|example| ExampleLabel {
            // With fold facts world `f` is fold `f`; the last world has the global facts alone.
            world: WorldId::new(example.fold.filter(|&fold| fold + 1 < n_worlds).unwrap_or(n_worlds - 1)),
            fold: example.fold.map(FoldId::new),
            is_positive: example.is_positive,
        })
        .collect();
    let old = renumbering.predicates.iter().position(|&new| new == target).unwrap_or(0);
    let rows = gathered.example_rows.rows(PredicateId::new(old));
    Examples::new(target, &rows.map_constants(|constant| renumbering.constant(constant)), &labels)
}

fn freeze_modes(symbols: &SharedSymbols, target: PredicateId, (head, body): (&RawMode, &[RawMode])) -> Modes {
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
    let mut body_modes: Vec<BodyMode> = body
        .iter()
        .map(|mode| BodyMode {
            subject: match &mode.subject {
                Subject::Relation(name) => ModeSubject::Relation(predicate(name)),
                Subject::Negated(name) => ModeSubject::Negated(predicate(name)),
                Subject::Comparison(operator) => ModeSubject::Comparison(*operator),
            },
            arguments: arguments(mode),
            instantiation_limit: mode.instantiation_limit,
        })
        .collect();
    body_modes.sort();
    body_modes.dedup();
    Modes { head: HeadMode { predicate: target, arguments: arguments(head) }, body: body_modes }
}

/// The sizes of predicates before the rules are run, by provisional id.
#[derive(Debug)]
struct Given {
    n_facts: Vec<usize>,
    /// `None` where the distinct facts are those of the one world's relation, to be counted there.
    n_distinct: Vec<Option<usize>>,
}

impl Given {
    fn new(gathered: &Gathered) -> Self {
        let mut is_derived = vec![n_worlds(gathered) > 1; gathered.symbols.predicates().len()];
        for rule in &gathered.rules {
            is_derived[rule.clause.head.predicate.index()] = true;
        }
        let tables = || std::iter::once(&gathered.global).chain(&gathered.folds);
        let sum = |id: usize, count: fn(&Rows) -> usize| -> usize {
            tables().map(|table| count(table.rows(PredicateId::new(id)))).sum()
        };
        Self {
            n_facts: (0..is_derived.len()).map(|id| sum(id, Rows::len)).collect(),
            n_distinct: (0..).zip(is_derived).map(|(id, it)| it.then(|| sum(id, Rows::n_distinct))).collect(),
        }
    }

    fn profile(
        &self,
        provisional: &Provisional,
        rules: &[RawRule],
        worlds: &[Background],
        (renumbering, shared): (&Renumbering, &[bool]),
    ) -> Vec<PredicateProfile> {
        let mut profile: Vec<PredicateProfile> = Vec::new();
        for (id, name) in provisional.predicates().iter().enumerate() {
            let n_rules = rules.iter().filter(|rule| rule.clause.head.predicate.index() == id).count();
            if self.n_facts[id] + n_rules == 0 {
                continue;
            }
            let n_worlds = if shared[id] { 1 } else { worlds.len() };
            let rows = |world: &Background| world.relation(renumbering.predicates[id]).n_rows();
            let n_tuples = worlds[..n_worlds].iter().map(rows).sum();
            profile.push(PredicateProfile {
                predicate: name.to_string(),
                n_facts: self.n_facts[id],
                n_distinct: self.n_distinct[id].unwrap_or(n_tuples),
                n_rules,
                n_tuples,
            });
        }
        profile.sort_by(|left, right| left.predicate.cmp(&right.predicate));
        profile
    }
}
