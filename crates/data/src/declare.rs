//! The third stage of loading: the target and the language of its clauses.
//!
//! Modes and negatives that loading makes because the files do not give them.

use crate::classes::{self, with_class};
use crate::closed_world::{MadeNegatives, TuplesFrom, lists_all_but_train, make_negatives};
use crate::defined::{self, Defined, askable_predicates, defined_predicates};
use crate::derive::Derived;
use crate::gather::{Facts, Files, RawExamples, Statements, fit};
use crate::mode_terms::RawMode;
use crate::propose::{declaration, modes_text, propose, propose_aggregates, propose_target};
use crate::provisional::Provisional;
use crate::request::{BuildRequest, KnownTarget, LoadPurpose, TargetRequest};
use crate::rule_graph::body_predicates;
use crate::stated::Stated;
use crate::types::ColumnTypes;
use crate::{asked, check, faults, train_rules};
use gleaner_base::PredicateId;
use gleaner_lang::program::lower::{LowerFault, Variables, lower_body};
use gleaner_lang::program::{Clause, PredicateName};
use gleaner_lang::syntax::{Diagnostic, Place, Severity, codes, read_conjunction};

/// Data without a fault, with the task that they declare.
pub(super) struct Declared {
    pub(super) task: Task,
    pub(super) statements: Statements,
    pub(super) facts: Facts,
    pub(super) rules: Vec<Clause>,
    /// The positions of examples whose fold is not known yet, ascending.
    pub(super) unplaced: Vec<usize>,
    warnings: Vec<Diagnostic>,
}

impl Declared {
    /// Takes the warnings so far.
    pub(super) fn take_warnings(&mut self) -> Vec<Diagnostic> {
        std::mem::take(&mut self.warnings)
    }
}

/// The learning task: the target and the language of its clauses.
pub(super) struct Task {
    pub(super) target: PredicateName,
    pub(super) head: RawMode,
    pub(super) body: Vec<RawMode>,
    /// Whether loading must still propose the modes.
    pub(super) is_proposed: bool,
    pub(super) extra: Extra,
    /// How bodies may know the target, if they may.
    pub(super) known_target: Option<KnownTarget>,
}

/// Finds the target and the modes, and checks all data. Messages refer to `files`, the files of the data.
///
/// # Errors
///
/// Every fault, with the warnings beside them.
pub(super) fn declare(
    request: &BuildRequest<'_>,
    files: &Files,
    mut stated: Stated,
) -> Result<Declared, Vec<Diagnostic>> {
    let mut found = stated.take_found();
    let Stated { mut statements, mut facts, .. } = stated;
    defined::name_those_of_modes(&statements.declarations.modes, &mut statements.symbols);
    let rules = check::rules(&statements, &mut found);
    let is_scoring = request.target.purpose == LoadPurpose::Score;
    let is_lenient = request.target.purpose == LoadPurpose::Inspect && statements.habits.is_foreign;
    let Some(target) = target(&request.target, is_lenient, &statements, &facts, &mut found) else {
        return Err(found);
    };
    check::adopt_target(&target, statements.habits, &mut statements.declarations.modes);
    // Without examples no file may name the target.
    statements.symbols.predicate(&target.name, target.arity);
    let extra = lower_extra(request, &target, &mut statements, &mut found);
    let has_target = target != check::no_target();
    let mut unplaced = Vec::new();
    if has_target && is_scoring {
        let Statements { symbols, examples, .. } = &mut statements;
        unplaced = scored(&target, &request.target, facts.are_in_folds(), examples, symbols, &mut found);
    }
    if has_target {
        check::examples(&target, &request.target, &statements, &facts, files, &mut found);
    }
    let is_missing = check::are_modes_missing(&statements.declarations.modes, &found);
    let is_asked = request.proposes_modes && !statements.has_modes_of_schema();
    let is_proposed = has_target && !is_scoring && (is_asked || is_missing);
    let is_read = has_target && !is_proposed && !(is_scoring && is_missing);
    let n_before = found.len();
    let mut modes = if is_read { check::modes(&target, &statements, &mut found) } else { None };
    if is_scoring && asked::forget_faults(&mut found, n_before) {
        modes = None;
    }
    classes::check_folds(&statements.examples, &mut found);
    if is_lenient {
        found = check::without_learning(found, faults::LOOKED_AT);
    }
    let is_optional = is_lenient || is_proposed || is_scoring;
    let modes = modes.or_else(|| is_optional.then(|| (check::unmoded_head(&target), Vec::new())));
    let has_errors = found.iter().any(|told| told.severity() == Severity::Error);
    let (Some((head, body)), false) = (modes, has_errors) else { return Err(found) };
    facts.fit(&statements.symbols);
    fit(&mut statements.examples.rows, &statements.symbols);
    let head = with_class(head, &statements.examples);
    let task = Task { target, head, body, is_proposed, extra, known_target: request.known_target };
    let of_train = train_rules::check(&task, &statements);
    if !of_train.is_empty() {
        found.extend(of_train);
        return Err(found);
    }
    Ok(Declared { task, statements, facts, rules, unplaced, warnings: found })
}

/// The target, or a placeholder for data that are only inspected; none where faults forbid it.
fn target(
    asked: &TargetRequest<'_>,
    is_lenient: bool,
    statements: &Statements,
    facts: &Facts,
    found: &mut Vec<Diagnostic>,
) -> Option<PredicateName> {
    let fault = match check::target(asked, statements, facts) {
        Ok(target) => return Some(target),
        Err(fault) => fault,
    };
    let has_examples = !statements.examples.listed.is_empty();
    if is_lenient && fault.code() == codes::SEVERAL_TARGETS && !has_examples {
        found.push(fault.into_warning(faults::LOOKED_AT));
        return Some(check::no_target());
    }
    // Unreadable or missing labels already explain why there are no examples.
    let explains = [
        codes::MALFORMED_TABLE,
        codes::NO_LABEL_COLUMN,
        codes::BAD_SCHEMA,
        codes::BROKEN_FILE,
        codes::BAD_CORPUS,
        codes::BAD_ANNOTATION,
        codes::NO_CANDIDATES,
    ];
    let of_database = [codes::UNREADABLE_FILE, codes::TOO_LONG, codes::NOT_A_NUMBER];
    let is_database = statements.habits.is_database;
    let does_explain = |known: &Diagnostic| {
        known.severity() == Severity::Error
            && (explains.contains(&known.code()) || is_database && of_database.contains(&known.code()))
    };
    let is_malformed = found.iter().any(does_explain);
    if !is_malformed || fault.code() != codes::NO_EXAMPLES {
        found.push(fault);
    }
    None
}

/// Prepares the examples to score. Gives the positions of those whose fold is not known yet.
fn scored(
    target: &PredicateName,
    asked: &TargetRequest<'_>,
    has_fold_facts: bool,
    examples: &mut RawExamples,
    symbols: &Provisional,
    found: &mut Vec<Diagnostic>,
) -> Vec<usize> {
    let warnings = asked::settle(target, asked.makes_negatives, examples, symbols);
    if !asked.has_atoms {
        found.extend(warnings);
        return Vec::new();
    }
    // If the atoms of the list have faults, these explain why it has no examples.
    let has_faults = found.iter().any(|fault| fault.code() == codes::BAD_EXAMPLE);
    asked::choose(target, has_fold_facts, examples, symbols).unwrap_or_else(|fault| {
        found.extend(Some(fault).filter(|fault| !has_faults || fault.code() != codes::NO_EXAMPLES));
        Vec::new()
    })
}

/// The restriction over provisional ids, and the predicates with a peculiar part in clauses.
#[derive(Debug)]
pub(super) struct Extra {
    pub(super) restriction: Option<Clause>,
    /// Those of modes that no clause may use.
    pub(super) undetermined: Vec<(PredicateName, Place)>,
    /// Those of the request that the data neither name nor declare.
    pub(super) unnamed: Vec<PredicateName>,
}

fn lower_extra(
    request: &BuildRequest<'_>,
    target: &PredicateName,
    statements: &mut Statements,
    diagnostics: &mut Vec<Diagnostic>,
) -> Extra {
    let defined = askable_predicates(statements);
    let undetermined = check::undetermined(target, statements);
    let unnamed = name_predicates(request.predicates, statements);
    let mut extra = Extra { restriction: None, undetermined, unnamed };
    let symbols = &mut statements.symbols;
    if let Some(text) = request.restriction {
        match restriction(text, target, symbols) {
            Ok(clause) => {
                let defined = Defined::with(defined, symbols);
                diagnostics.extend(check_restriction(text, &clause, defined));
                extra.restriction = Some(clause);
            }
            Err(fault) => diagnostics.push(fault),
        }
    }
    extra
}

/// Gives ids to the predicates of a model's clauses. Returns those that the data neither name nor declare: there they
/// may have other names.
fn name_predicates(predicates: &[PredicateName], statements: &mut Statements) -> Vec<PredicateName> {
    let n_named = statements.symbols.predicates().len();
    let ids: Vec<PredicateId> =
        predicates.iter().map(|name| statements.symbols.predicate(&name.name, name.arity)).collect();
    let tests = defined::type_tests(statements, &defined_predicates(statements));
    let declarations = &statements.declarations;
    let is_declared = |name: &PredicateName| {
        let of_modes = declarations.modes.iter().any(|mode| mode.subject.predicate() == Some(name));
        of_modes || declarations.declared_types.iter().any(|(of, ..)| of == name)
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
fn restriction(text: &str, target: &PredicateName, symbols: &mut Provisional) -> Result<Clause, Diagnostic> {
    let goals = read_conjunction(text).map_err(|found| faults::bad_clause(text, &found[0].to_string()))?;
    let names = (0..target.arity).map(gleaner_lang::program::display::variable_name);
    let predicate = symbols.predicate(&target.name, target.arity);
    let (clause, variables) = lower_body(predicate, Variables::with_names(names), &goals, symbols)
        .map_err(|fault| outside(text, &fault))?;
    check::evaluable(&clause, &variables).map_err(|what| faults::bad_clause(text, &what))?;
    Ok(clause)
}

/// Faults of predicates in the restriction that the data do not define.
fn check_restriction(text: &str, clause: &Clause, mut defined: Defined<'_>) -> Vec<Diagnostic> {
    let named = body_predicates(clause).map(|predicate| defined.name(predicate));
    let unknown: Vec<&PredicateName> = named.flat_map(|name| defined.asked_by(name)).collect();
    let unknown: Vec<&PredicateName> = unknown.into_iter().filter(|name| !defined.has_name(name)).collect();
    let fault = |name| faults::unknown_predicate_in_clause(text, name, defined.meant(name));
    unknown.into_iter().map(fault).collect()
}

/// Negatives and modes that loading made.
#[derive(Debug, Default)]
pub(super) struct Made {
    pub(super) negatives: MadeNegatives,
    pub(super) proposed_modes: Option<String>,
}

/// Proposes modes and takes negatives if they are requested or missing.
///
/// # Errors
///
/// There are no negatives, or too many.
pub(super) fn complete(
    request: &BuildRequest<'_>,
    derived: &mut Derived,
    warnings: &mut Vec<Diagnostic>,
) -> Result<Made, Diagnostic> {
    let Derived { task, statements, worlds, .. } = derived;
    let mut made = Made { negatives: MadeNegatives::of_listed(request.negatives), proposed_modes: None };
    // Of a database those are shown that learners use.
    if request.proposes_modes && statements.has_modes_of_schema() {
        made.proposed_modes = Some(modes_text(&task.head, task.body.iter().map(|mode| (mode, None))));
    }
    let proposes_aggregates = request.proposes_aggregates && !request.negatives.is_scoring;
    if task.is_proposed || proposes_aggregates || request.negatives.train.is_some() {
        worlds.hide_test(&task.target, &statements.examples, &statements.symbols);
        let types = ColumnTypes::infer(statements, worlds.tables.iter());
        if task.is_proposed {
            let proposal = propose(&task.target, statements, &worlds.tables, &types);
            if !request.proposes_modes {
                warnings.push(faults::proposed_modes(proposal.body.len()));
            }
            let body = proposal.body.iter().map(|proposed| (&proposed.mode, proposed.fan_out));
            made.proposed_modes = Some(modes_text(&proposal.head, body));
            task.head = proposal.head;
            task.body = proposal.body.into_iter().map(|proposed| proposed.mode).collect();
        }
        if proposes_aggregates {
            match propose_aggregates(&task.target, statements, worlds, &types) {
                Some(further) => {
                    if let Some(text) = &mut made.proposed_modes {
                        further.iter().for_each(|mode| text.push_str(&declaration(mode)));
                    }
                    task.body.extend(further);
                }
                None => warnings.push(faults::no_aggregates_proposed()),
            }
        }
        let target = statements.symbols.find_predicate(&task.target);
        if let (Some(wanted), Some(target)) = (request.negatives.train, target) {
            let symbols = &statements.symbols;
            let is_listed = statements.examples.of(target).any(|it| !it.is_positive && it.is_labelled);
            if worlds.cut_off_argument().is_some()
                && (!is_listed || lists_all_but_train(target, &statements.examples))
            {
                return Err(faults::negatives_beside_times(&task.target));
            }
            let from = TuplesFrom { target, tables: &worlds.tables, types: &types, symbols };
            made.negatives = make_negatives(wanted, request.negatives, &from, &mut statements.examples)?;
        }
        worlds.show_test();
    }
    warnings.append(&mut made.negatives.warnings);
    if task.known_target.is_some() && worlds.tables.len() == 1 {
        propose_target(&task.target, &task.head, &mut task.body);
    }
    Ok(made)
}
