//! Turns gathered data into a frozen problem: rules to a fixpoint, canonical ids, indexed relations.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use rayon::prelude::*;

use gleaner_base::{ClassId, ConstantId, FixedMap, FoldId, PredicateId, TypeId, WorldId};
use gleaner_engine::datalog::{Background, FixpointError, fixpoint};
use gleaner_engine::relation::Relation;
use gleaner_lang::program::lower::{LowerFault, Variables, lower_body};
use gleaner_lang::program::mode::{ArgumentMode, BodyMode, HeadMode, Modes};
use gleaner_lang::program::stratify::stratify;
use gleaner_lang::program::{ClassList, SaidBy};
use gleaner_lang::program::{
    Clause, Constants, ExampleLabel, Examples, FactTable, PredicateName, Rows, SharedSymbols, Symbols,
};
use gleaner_lang::syntax::{Code, Diagnostic, Place, Severity, codes, read_conjunction};

use super::asked;
use super::check;
use super::classes::{self, with_class};
use super::closed_world::TuplesFrom;
use super::defined::{Defined, askable_predicates, defined_predicates};
use super::domains::Domains;
use super::faults;
use super::formats::Format;
use super::frozen::{FilteredPositives, Loaded, Problem};
use super::gather::{Files, Gathered, RawClasses, RawExample};
use super::leave_out::leave_out;
use super::lint;
use super::made_negatives::{MadeNegatives, make_negatives};
use super::mode_terms::{Marker, RawMode};
use super::propose::{propose, propose_target};
use super::request::{BuildRequest, KnownTarget, LoadPurpose};
use super::rule_graph::asking;
use super::scored;
use super::sizes::Given;
use super::type_predicates::{self, type_tests};
use super::types::ColumnTypes;

/// The limit of facts that the rules may derive in all worlds together; beyond it they count as endless. The limit
/// grows with the given facts, between a least and a most. Small data thus cannot fill the memory.
const LEAST_DERIVED_FACTS: usize = 250_000;
const DERIVED_FACTS_PER_FACT: usize = 50;
const MOST_DERIVED_FACTS: usize = 20_000_000;

/// Checks the gathered data, runs the rules and freezes the problem. Messages refer to `files`, the files of the data.
pub(super) fn build(
    request: &BuildRequest<'_>,
    format: Format,
    files: &Files,
    mut gathered: Gathered,
) -> Result<Loaded, Vec<Diagnostic>> {
    let mut diagnostics = std::mem::take(&mut gathered.diagnostics).into_vec();
    if gathered.habits.is_foreign {
        leave_out(&mut gathered, &mut diagnostics);
    }
    type_predicates::name_those_of_modes(&mut gathered);
    let rules = check_rules(&gathered, &mut diagnostics);
    let plan = plan(request, files, &mut gathered, &mut diagnostics);
    let has_errors = diagnostics.iter().any(|diagnostic| diagnostic.severity() == Severity::Error);
    let (Some(mut plan), false) = (plan, has_errors) else { return Err(diagnostics) };
    gathered.fit_tables();
    let given = Given::new(&gathered, n_worlds(&gathered));
    let completed = run_rules(&rules, request.max_derived_facts, &mut gathered).and_then(|facts| {
        asked::place(&mut gathered, &facts.tables)?;
        diagnostics.extend(looked_over(&plan, &gathered, &facts, &given));
        let made = complete(request, &mut plan, &mut gathered, &facts, &mut diagnostics)?;
        if plan.known_target.is_some() && facts.tables.len() == 1 {
            propose_target(&plan.target, &plan.head, &mut plan.body);
        }
        Ok((facts, made))
    });
    let (facts, made) = match completed {
        Ok(completed) => completed,
        Err(fault) => {
            diagnostics.push(fault);
            return Err(diagnostics);
        }
    };
    gathered.symbols.close();
    let first_facts: BTreeMap<String, Place> = gathered
        .first_facts
        .iter()
        .map(|(&id, &place)| (gathered.symbols.predicate_name(id).to_string(), place))
        .collect();
    let problem = freeze(format, gathered, &given, facts, &plan, made);
    diagnostics.extend(lint::repeated_facts(&problem.profile, &first_facts));
    Ok(Loaded { problem, warnings: grouped(diagnostics) })
}

/// Warnings about data that load.
fn looked_over(plan: &Plan, gathered: &Gathered, facts: &WorldFacts, given: &Given) -> Vec<Diagnostic> {
    let mut first_rules = FixedMap::default();
    for rule in &gathered.rules {
        first_rules.entry(rule.clause.head.predicate).or_insert(rule.place);
    }
    lint::lint(&lint::Looked {
        gathered,
        first_rules: &first_rules,
        n_facts: &given.n_facts,
        tables: &facts.tables,
        target: &plan.target,
        head: &plan.head,
        body: &plan.body,
    })
}

/// Joins the warnings that say the same of several places into one.
fn grouped(diagnostics: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let mut places: FixedMap<(Code, String), usize> = FixedMap::default();
    let mut grouped: Vec<(Diagnostic, usize)> = Vec::new();
    for diagnostic in diagnostics {
        let is_warning = diagnostic.severity() == Severity::Warning;
        let key = (diagnostic.code(), diagnostic.message().to_owned());
        match places.get(&key).filter(|_| is_warning) {
            Some(&place) => grouped[place].1 += 1,
            None => {
                places.insert(key, grouped.len());
                grouped.push((diagnostic, 0_usize));
            }
        }
    }
    let with_count = |(diagnostic, n_more): (Diagnostic, usize)| match n_more {
        0 => diagnostic,
        1 => diagnostic.with_help("and once more"),
        _ => diagnostic.with_help(format!("and {n_more} times more")),
    };
    grouped.into_iter().map(with_count).collect()
}

fn check_rules(gathered: &Gathered, diagnostics: &mut Vec<Diagnostic>) -> Vec<Clause> {
    check::rules(gathered, diagnostics);
    check::undefined_in_rules(gathered, diagnostics);
    let rules: Vec<Clause> = gathered.rules.iter().map(|rule| rule.clause.clone()).collect();
    if let Err(fault) = stratify(&rules, gathered.symbols.predicates().len()) {
        let negated = gathered.symbols.predicate_name(fault.negated);
        diagnostics.push(faults::unstratifiable(gathered.rules[fault.rule].place, negated));
    }
    rules
}

/// The learning task: the target and the language of its clauses.
struct Plan {
    target: PredicateName,
    head: RawMode,
    body: Vec<RawMode>,
    /// Whether loading must still propose the modes.
    is_proposed: bool,
    extra: Extra,
    /// How bodies may know the target.
    known_target: Option<KnownTarget>,
}

/// Finds the target and the modes; none where faults forbid it.
fn plan(
    request: &BuildRequest<'_>,
    files: &Files,
    gathered: &mut Gathered,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Plan> {
    let is_scoring = request.target.purpose == LoadPurpose::Score;
    let is_lenient = request.target.purpose == LoadPurpose::Inspect && gathered.habits.is_foreign;
    let target = match check::target(&request.target, gathered) {
        Ok(target) => target,
        Err(fault)
            if is_lenient && fault.code() == codes::SEVERAL_TARGETS && gathered.examples.is_empty() =>
        {
            diagnostics.push(fault.into_warning(faults::LOOKED_AT));
            check::no_target()
        }
        Err(fault) => {
            // The unreadable labels already explain why there are no examples.
            let is_malformed = diagnostics.iter().any(|known| known.code() == codes::MALFORMED_TABLE);
            if !is_malformed || fault.code() != codes::NO_EXAMPLES {
                diagnostics.push(fault);
            }
            return None;
        }
    };
    check::adopt_target(&target, gathered);
    // Without examples no file may name the target.
    gathered.symbols.predicate(&target.name, target.arity);
    let extra = lower_extra(request, &target, gathered, diagnostics);
    let has_target = target != check::no_target();
    if has_target && is_scoring {
        let warnings = scored::settle(&target, request.target.makes_negatives, gathered);
        if request.target.has_atoms {
            let has_fold_facts = n_worlds(gathered) > 1;
            // If the atoms of the list have faults, these explain why it has no examples.
            let has_faults = diagnostics.iter().any(|fault| fault.code() == codes::BAD_EXAMPLE);
            let faults = asked::choose(&target, has_fold_facts, gathered);
            diagnostics
                .extend(faults.into_iter().filter(|fault| !has_faults || fault.code() != codes::NO_EXAMPLES));
        } else {
            diagnostics.extend(warnings);
        }
    }
    if has_target {
        check::examples(&target, &request.target, gathered, files, diagnostics);
    }
    let is_missing = check::are_modes_missing(gathered, diagnostics);
    let is_proposed = has_target && !is_scoring && (request.proposes_modes || is_missing);
    let is_read = has_target && !is_proposed && !(is_scoring && is_missing);
    let n_before = diagnostics.len();
    let mut modes = if is_read { check::modes(&target, gathered, diagnostics) } else { None };
    if is_scoring && scored::forget_faults(diagnostics, n_before) {
        modes = None;
    }
    let modes = modes.map(|(head, body)| (head.clone(), body.into_iter().cloned().collect()));
    classes::check_folds(gathered, diagnostics);
    if is_lenient {
        *diagnostics = std::mem::take(diagnostics).into_iter().map(looked_at).collect();
    }
    let (head, body) = match modes {
        Some(modes) => modes,
        None if is_lenient || is_proposed || is_scoring => (check::unmoded_head(&target), Vec::new()),
        None => return None,
    };
    let head = with_class(head, gathered);
    Some(Plan { target, head, body, is_proposed, extra, known_target: request.known_target })
}

/// Negatives and modes that loading made because the files do not give them.
#[derive(Debug, Default)]
struct Made {
    negatives: MadeNegatives,
    proposed_modes: Option<String>,
}

/// Proposes modes and takes negatives if they are requested or missing.
fn complete(
    request: &BuildRequest<'_>,
    plan: &mut Plan,
    gathered: &mut Gathered,
    facts: &WorldFacts,
    diagnostics: &mut Vec<Diagnostic>,
) -> Result<Made, Diagnostic> {
    let mut made = Made { negatives: MadeNegatives::of_listed(request.negatives), proposed_modes: None };
    if !plan.is_proposed && request.negatives.train.is_none() {
        diagnostics.append(&mut made.negatives.warnings);
        return Ok(made);
    }
    gathered.fit_tables();
    let types = ColumnTypes::infer(gathered, &facts.tables);
    if plan.is_proposed {
        let proposal = propose(&plan.target, gathered, &facts.tables, &types);
        if !request.proposes_modes {
            diagnostics.push(faults::proposed_modes(proposal.body.len()));
        }
        made.proposed_modes = Some(proposal.text());
        plan.head = proposal.head;
        plan.body = proposal.body.into_iter().map(|proposed| proposed.mode).collect();
    }
    let target = gathered.symbols.find_predicate(&plan.target);
    if let (Some(wanted), Some(target)) = (request.negatives.train, target) {
        let from = TuplesFrom { target, tables: &facts.tables, types: &types };
        made.negatives = make_negatives(wanted, request.negatives, &from, gathered)?;
    }
    diagnostics.append(&mut made.negatives.warnings);
    Ok(made)
}

/// Faults that only prevent learning become warnings when the data are only inspected.
fn looked_at(fault: Diagnostic) -> Diagnostic {
    let of_learning = [codes::NO_MODES, codes::NO_EXAMPLES, codes::BOTH_CLASSES, codes::EMPTY_FOLD];
    if of_learning.contains(&fault.code()) { fault.into_warning(faults::LOOKED_AT) } else { fault }
}

/// The restriction over provisional ids, and the predicates with a peculiar part in clauses.
#[derive(Debug, Default)]
struct Extra {
    restriction: Option<Clause>,
    undetermined: Vec<(PredicateName, Place)>,
    unnamed: Vec<PredicateName>,
}

fn lower_extra(
    request: &BuildRequest<'_>,
    target: &PredicateName,
    gathered: &mut Gathered,
    diagnostics: &mut Vec<Diagnostic>,
) -> Extra {
    let defined = askable_predicates(gathered);
    let undetermined = check::undetermined(target, gathered);
    let unnamed = name_predicates(request.predicates, gathered);
    let mut extra = Extra { restriction: None, undetermined, unnamed };
    if let Some(text) = request.restriction {
        match lower_restriction(text, target, gathered) {
            Ok(clause) => {
                let defined = Defined::with(defined, gathered);
                check_restriction(text, &clause, defined, diagnostics);
                extra.restriction = Some(clause);
            }
            Err(fault) => diagnostics.push(fault),
        }
    }
    extra
}

/// Gives ids to the predicates of a model's clauses. Returns those that the data neither name nor declare: there they
/// may have other names.
fn name_predicates(predicates: &[PredicateName], gathered: &mut Gathered) -> Vec<PredicateName> {
    let n_named = gathered.symbols.predicates().len();
    let ids: Vec<PredicateId> =
        predicates.iter().map(|name| gathered.symbols.predicate(&name.name, name.arity)).collect();
    let tests = type_tests(gathered, &defined_predicates(gathered));
    let is_declared = |name: &PredicateName| {
        let of_modes = gathered.modes.iter().any(|mode| mode.subject.predicate() == Some(name));
        of_modes || gathered.declared_types.iter().any(|(of, ..)| of == name)
    };
    let is_unnamed = |id: &PredicateId, name: &PredicateName| {
        id.index() >= n_named && !tests.contains(id) && !is_declared(name)
    };
    let named = ids.iter().zip(predicates);
    named.filter(|(id, name)| is_unnamed(id, name)).map(|(_, name)| name.clone()).collect()
}

fn outside(text: &str, fault: &LowerFault) -> Diagnostic {
    faults::bad_clause(text, &format!("{} is outside the language", fault.what()))
}

/// Reads `target(A, B, …) :- restriction`; the variables name the target's arguments in order.
fn lower_restriction(
    text: &str,
    target: &PredicateName,
    gathered: &mut Gathered,
) -> Result<Clause, Diagnostic> {
    let goals = read_conjunction(text).map_err(|found| faults::bad_clause(text, &found[0].to_string()))?;
    let names = (0..target.arity).map(gleaner_lang::program::display::variable_name);
    let predicate = gathered.symbols.predicate(&target.name, target.arity);
    let (clause, variables) =
        lower_body(predicate, Variables::with_names(names), &goals, &mut gathered.symbols)
            .map_err(|fault| outside(text, &fault))?;
    check::evaluable(&clause, &variables).map_err(|what| faults::bad_clause(text, &what))?;
    Ok(clause)
}

fn check_restriction(
    text: &str,
    clause: &Clause,
    mut defined: Defined<'_>,
    diagnostics: &mut Vec<Diagnostic>,
) {
    for predicate in check::body_predicates(clause) {
        if !defined.has(predicate) {
            let name = defined.name(predicate);
            let nearest = defined.meant(name);
            diagnostics.push(faults::unknown_predicate_in_clause(text, name, nearest));
        }
    }
}

/// The facts of each world after the rules, over provisional ids.
///
/// Without fold facts there is one world. Else each fold is a world with its own facts and the global ones. The last
/// world, for examples outside the folds, has only the global facts. `shared` marks the predicates that no fold's facts
/// reach: every world has the same rows of them.
struct WorldFacts {
    tables: Vec<FactTable>,
    shared: Vec<bool>,
}

fn run_rules(
    rules: &[Clause],
    max_derived_facts: Option<usize>,
    gathered: &mut Gathered,
) -> Result<WorldFacts, Diagnostic> {
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
    let n_given: usize = tables.iter().map(FactTable::n_rows).sum();
    let usual = n_given.saturating_mul(DERIVED_FACTS_PER_FACT).clamp(LEAST_DERIVED_FACTS, MOST_DERIVED_FACTS);
    let limit = max_derived_facts.unwrap_or(usual);
    let tests = type_tests(gathered, &defined_predicates(gathered));
    type_predicates::fill(&tests, &mut tables, gathered);
    let mut left = limit;
    for table in &mut tables {
        match fixpoint(rules, table, &mut gathered.symbols, left) {
            Ok(statistics) => left -= statistics.n_derived_facts,
            Err(error) => return Err(fixpoint_fault(&error, limit, gathered)),
        }
    }
    Ok(WorldFacts { tables, shared })
}

/// The number of worlds: one for each fold and one for the global facts, if folds have facts of their own; else one.
fn n_worlds(gathered: &Gathered) -> usize {
    if gathered.folds.iter().any(|fold| fold.n_rows() > 0) { gathered.folds.len() + 1 } else { 1 }
}

fn fixpoint_fault(error: &FixpointError, limit: usize, gathered: &Gathered) -> Diagnostic {
    let (rule, message) = match error {
        FixpointError::TooManyFacts { predicate, .. } => {
            let name = gathered.symbols.predicate_name(*predicate);
            (None, format!("the rules derive more than {limit} facts, most of them of {name}"))
        }
        FixpointError::TooMuchWork { predicate } => {
            let name = gathered.symbols.predicate_name(*predicate);
            (None, format!("the rules of {name} join too many facts, for at most {limit} to be derived"))
        }
        FixpointError::Unsafe { rule, .. } | FixpointError::TooWide { rule, .. } => {
            (Some(*rule), error.to_string())
        }
        _ => (None, error.to_string()),
    };
    let place = rule.map(|rule| gathered.rules[rule].place);
    faults::fixpoint_failed(place, &message)
}

/// The predicates that have no fold facts and depend on no predicate that has.
fn shared_predicates(rules: &[Clause], gathered: &Gathered) -> Vec<bool> {
    let n_predicates = gathered.symbols.predicates().len();
    let has_fold_facts = |id: &PredicateId| gathered.folds.iter().any(|fold| !fold.rows(*id).is_empty());
    let local = asking((0..n_predicates).map(PredicateId::new).filter(has_fold_facts), rules.iter());
    (0..n_predicates).map(|id| !local.contains(&PredicateId::new(id))).collect()
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

    fn classes(&self, classes: RawClasses) -> ClassList {
        let said_by = match classes.said_by {
            SaidBy::Argument(argument, constants) => {
                SaidBy::Argument(argument, constants.into_iter().map(|id| self.constant(id)).collect())
            }
            SaidBy::Predicate(predicates) => {
                SaidBy::Predicate(predicates.into_iter().map(|id| self.predicates[id.index()]).collect())
            }
        };
        ClassList { names: classes.names, said_by, own: ClassId::default() }
    }

    fn constant(&self, provisional: ConstantId) -> ConstantId {
        self.constants[provisional.index()]
    }
}

fn freeze(
    format: Format,
    gathered: Gathered,
    given: &Given,
    facts: WorldFacts,
    plan: &Plan,
    made: Made,
) -> Problem {
    let (target, extra) = (&plan.target, &plan.extra);
    let (symbols, renumbering) = freeze_symbols(&gathered, &facts, &plan.head, &plan.body);
    let target_id =
        symbols.find_predicate(&target.name, target.arity).expect("the target is a known predicate");
    let examples = freeze_examples(&gathered, &renumbering, target_id, facts.tables.len())
        .with_negative_weight(made.negatives.weight);
    let Gathered {
        symbols: provisional, settings, rules, fold_names, division, argument_names, classes, ..
    } = gathered;
    let mut named = argument_names.into_iter().filter(|(predicate, _)| predicate == target);
    let argument_names = named.next().map(|(_, names)| names);
    let shared = facts.shared.clone();
    let worlds = freeze_worlds(&symbols, &renumbering, facts);
    let profile = given.profile(&provisional, &rules, &worlds, &renumbering.predicates, &shared);
    let (modes, mode_places) = freeze_modes(&symbols, target_id, &plan.head, &plan.body);
    Problem {
        format: format.name(),
        is_graph: format == Format::Triples,
        modes,
        mode_places,
        undetermined: extra.undetermined.clone(),
        worlds,
        examples: Arc::new(examples),
        classes: classes.map(|classes| renumbering.classes(classes)),
        argument_names,
        fold_names,
        division,
        settings,
        unnamed_predicates: extra.unnamed.clone(),
        given_clauses: None,
        profile,
        proposed_modes: made.proposed_modes,
        restriction: extra.restriction.as_ref().map(|clause| renumbering.clause(clause)),
        negatives_to_sample: made.negatives.to_sample,
        set_negatives: made.negatives.of_sets,
        filtered_positives: FilteredPositives::default(),
        known_target: plan.known_target,
        symbols,
    }
}

fn freeze_symbols(
    gathered: &Gathered,
    facts: &WorldFacts,
    head: &RawMode,
    body: &[RawMode],
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
    let types: BTreeSet<&str> = std::iter::once(head)
        .chain(body)
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
    let has_classes = gathered.classes.is_some();
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
            is_labelled: example.is_labelled,
            class: if has_classes { example.class } else { ClassId::new(usize::from(!example.is_positive)) },
        })
        .collect();
    let old = renumbering.predicates.iter().position(|&new| new == target).unwrap_or(0);
    // Some rows may be unused, as when only a sample of negatives is taken.
    let given = gathered.example_rows.rows(PredicateId::new(old));
    let mut rows = Rows::new(given.arity());
    for example in gathered.examples.iter().filter(of_target) {
        rows.push(given.row(example.row));
    }
    Examples::new(target, &rows.map_constants(|constant| renumbering.constant(constant)), &labels)
}

/// The modes, and the places of the body modes.
fn freeze_modes(
    symbols: &SharedSymbols,
    target: PredicateId,
    head: &RawMode,
    body: &[RawMode],
) -> (Modes, Vec<Place>) {
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
    let mut placed: Vec<(BodyMode, Place)> = body
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
    (Modes { head: HeadMode { predicate: target, arguments: arguments(head) }, body }, places)
}
