//! Tells why a clause was not learnt: whether the modes admit it, which examples it covers, and the cost of each
//! literal.
//!
//! Nothing here is searched. The user's clause is checked against the modes, bounds and examples that a search would
//! have.

use std::collections::BTreeSet;
use std::sync::Arc;

use gleaner_base::{Budget, ConstantId, Counts, ExampleId, ExampleSet, Totals};
use gleaner_data::Problem;
use gleaner_engine::bias::admission::{Admission, Verdict, admit};
use gleaner_engine::bias::{BottomClause, LimitCut, is_candidate, most_answers, saturate};
use gleaner_engine::coverage::component::cover_clause_sharing;
use gleaner_engine::coverage::reference::witness;
use gleaner_engine::coverage::{CoverStore, Universe};
use gleaner_engine::datalog::Background;
use gleaner_engine::search::{ClauseScore, Score};
use gleaner_lang::program::clause::ObjectIdentity;
use gleaner_lang::program::mode::{BodyMode, Modes};
use gleaner_lang::program::safety::{Place, check_evaluable};
use gleaner_lang::program::settings::nearest;
use gleaner_lang::program::{Clause, ComparisonOperator, Literal, Symbols, Term};
use gleaner_learn::gleaner::GleanerConfig;

use crate::experiment::runs::split::SetExamples;

/// Covered positives whose bottom clauses are looked into.
const MOST_SEEDS: usize = 100;
/// Rows and tests within which a proof is looked for.
const MOST_STEPS: u64 = 1_000_000;
/// Constants among which a near one is looked for.
const MOST_NEAR: usize = 100_000;

/// A question about a clause.
#[derive(Clone, Copy, Debug)]
pub struct Question<'q> {
    /// The problem.
    pub problem: &'q Problem,
    /// The symbols of the problem, followed by the constants that only the clause has.
    pub symbols: &'q Symbols,
    /// The worlds of the problem, over these symbols.
    pub worlds: &'q [Background],
    /// The clause: of the target, and evaluable.
    pub clause: &'q Clause,
    /// The settings that learning would have.
    pub config: &'q GleanerConfig,
    /// Named sets of examples; the first is the one that clauses are searched on.
    pub sets: &'q [(&'static str, SetExamples)],
}

/// The examples of one set that the clause covers, counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SetCounts {
    /// The name: `all`, or `train`, `tune`, `test`.
    pub name: &'static str,
    /// How many examples it holds.
    pub totals: Totals,
    /// The counts of the covered examples.
    pub counts: Counts,
}

impl SetCounts {
    /// The value of a score for a clause with `n_literals` literals; `None` where undefined.
    pub fn score(&self, score: &Score, n_literals: usize) -> Option<f64> {
        score.of(self.counts, self.totals, n_literals)
    }

    /// `TP / P`; `None` without positives.
    pub fn recall(&self) -> Option<f64> {
        self.counts.recall(self.totals)
    }
}

/// A bound that keeps a clause from being kept or from voting.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum BoundFault {
    /// Fewer true positives than `--min-pos`.
    MinPositives(usize),
    /// Less precision than `--min-precision`.
    MinPrecision(f64),
    /// More negatives than `--max-neg`.
    MaxNegatives(usize),
    /// Fewer tune positives than `--min-tune-pos`.
    MinTunePositives(usize),
}

/// A constant of a literal that no fact has where the literal has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownConstant {
    /// The argument, or the side of a comparison, from 0.
    pub argument: usize,
    /// The constant.
    pub constant: ConstantId,
    /// The one nearest to it by name among those that facts have there.
    pub nearest: Option<ConstantId>,
}

/// The effect of one body literal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// Whether the literal waits for later literals to give its variables values: these then carry its losses.
    pub waits: bool,
    /// The counts of the first set that the clause up to this literal covers.
    pub left: Counts,
    /// The counts that the literals before this one covered, and that it loses.
    pub lost: Counts,
    /// The positives among these, in the problem's order.
    pub lost_positives: Vec<ExampleId>,
    /// The counts that the whole clause covers without this literal and those of `needed_by`.
    pub without: Counts,
    /// Literals that could not be evaluated without it.
    pub needed_by: Vec<usize>,
    /// Constants that no fact has there.
    pub unknown_constants: Vec<UnknownConstant>,
    /// The instantiation limit of the mode that admits it and the most answers that a call has, where a
    /// limit may cut what the literal needs.
    pub cut: Option<(u32, usize)>,
}

/// In how many seeds' bottom clauses the clause is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reach {
    /// Covered positives that were taken as seeds.
    pub n_tried: usize,
    /// Seeds whose bottom clause has the clause as a candidate.
    pub n_reached: usize,
    /// Seeds for which this is unknown.
    pub n_open: usize,
    /// Limits that cut the bottom clauses of those that do not reach it.
    pub cuts: BTreeSet<LimitCut>,
    /// Constants of the clause that the bottom clause of an unreached seed lacks, though no limit cut it.
    pub missing_constants: BTreeSet<ConstantId>,
    /// Seeds that do not reach the clause because two of its variables have one value in their first proof. A bottom
    /// clause has one variable for both.
    pub n_one_value: usize,
}

/// The findings about a clause.
#[derive(Clone, Debug)]
pub struct Findings {
    /// The modes that were asked: those of the problem, and then proposed ones.
    pub modes: Vec<BodyMode>,
    /// The verdict of these modes.
    pub admission: Admission,
    /// The covers of each set, in the order asked.
    pub sets: Vec<SetCounts>,
    /// Bounds that it fails.
    pub bound_faults: Vec<BoundFault>,
    /// The examples of the first set that the head alone covers.
    pub head: Counts,
    /// Each body literal, in the order written.
    pub steps: Vec<Step>,
    /// The bottom clauses that have it; `None` where modes do not admit it.
    pub reach: Option<Reach>,
}

impl Findings {
    /// Whether a search of the problem may meet the clause, as far as is known: modes and length admit it,
    /// and where it covers positives, some seed's bottom clause may have it.
    pub fn is_in_language(&self, depth: u32) -> bool {
        let is_reached = match &self.reach {
            Some(reach) if reach.n_tried > 0 => reach.n_reached + reach.n_open > 0,
            _ => self.admission.depth() <= depth,
        };
        self.admission.is_admitted() && is_reached
    }
}

/// Answers a question.
///
/// **Cost**: twice as many clauses are evaluated as the body has literals; at most 100 bottom clauses are
/// made, and the answers of modes with an instantiation limit are counted over their relations.
///
/// # Panics
///
/// When no set is asked about, or the clause is not evaluable.
pub fn why(question: &Question<'_>) -> Findings {
    let Question { problem, clause, config, .. } = *question;
    let language = config.gathering.saturation.negation.language(problem.modes());
    let identity = config.gathering.saturation.object_identity;
    let admission = admit(clause, &language, identity, config.gathering.max_literals);
    let universes: Vec<Universe> =
        question.sets.iter().map(|(_, set)| set.universe(problem.examples())).collect();
    let stores: Vec<Arc<CoverStore<'_>>> =
        universes.iter().map(|universe| Arc::new(CoverStore::new(question.worlds, universe))).collect();
    let all: Vec<usize> = (0..clause.body.len()).collect();
    let sets: Vec<SetCounts> = question
        .sets
        .iter()
        .zip(&stores)
        .map(|((name, _), store)| SetCounts {
            name,
            totals: store.universe().totals(),
            counts: store.universe().counts(&cover(store, clause, &all)),
        })
        .collect();
    let (head, steps) = steps(question, &stores[0], &admission, &language.modes);
    let covered = cover(&stores[0], clause, &all);
    let reach = is_admitted_at_any_length(&admission).then(|| {
        let searched = searched_part(clause, &admission, identity);
        reach(question, &searched, positives(problem, &universes[0], &covered))
    });
    let bound_faults = bound_faults(config, &sets);
    Findings { modes: language.modes.body.clone(), admission, sets, bound_faults, head, steps, reach }
}

/// Length is a bound of searches; bottom clauses know none.
fn is_admitted_at_any_length(admission: &Admission) -> bool {
    use gleaner_engine::bias::admission::ClauseFault::TooLong;
    admission.faults.iter().all(|fault| matches!(fault, TooLong(_)))
        && admission.literals.iter().all(Verdict::is_admitted)
}

fn bound_faults(config: &GleanerConfig, sets: &[SetCounts]) -> Vec<BoundFault> {
    let (limits, searched) = (&config.gathering.limits, &sets[0]);
    let mut faults = Vec::new();
    if searched.counts.true_positives < limits.min_positives {
        faults.push(BoundFault::MinPositives(limits.min_positives));
    }
    let precision = searched.score(&Score::Precision, 0);
    // Precision is undefined where nothing is covered, and then positives are missed.
    if precision.is_some_and(|precision| precision < limits.min_precision) {
        faults.push(BoundFault::MinPrecision(limits.min_precision));
    }
    if let Some(most) =
        limits.max_negatives.filter(|_| !limits.allows(searched.counts, searched.totals.negative_weight))
    {
        faults.push(BoundFault::MaxNegatives(most));
    }
    let is_below =
        |set: &SetCounts| set.name == "tune" && set.counts.true_positives < config.min_tune_positives;
    if sets.iter().any(is_below) {
        faults.push(BoundFault::MinTunePositives(config.min_tune_positives));
    }
    faults
}

/// The literals at these positions that can be evaluated without the others.
fn evaluable_part(clause: &Clause, positions: &[usize]) -> Vec<usize> {
    let mut kept = positions.to_vec();
    loop {
        match check_evaluable(&part(clause, &kept)) {
            Err(fault) => match fault.place {
                Place::Body(position) => _ = kept.remove(position),
                Place::Head => return kept,
            },
            Ok(()) => return kept,
        }
    }
}

fn part(clause: &Clause, positions: &[usize]) -> Clause {
    let body: Vec<Literal> = positions.iter().map(|&position| clause.body[position].clone()).collect();
    Clause::renumbered(&clause.head, &body)
}

fn cover(store: &Arc<CoverStore<'_>>, clause: &Clause, positions: &[usize]) -> ExampleSet {
    cover_clause_sharing(store, &part(clause, positions), &Budget::unlimited())
        .expect("an unlimited budget never interrupts")
}

/// The cover of the head, and each literal's step.
fn steps(
    question: &Question<'_>,
    store: &Arc<CoverStore<'_>>,
    admission: &Admission,
    modes: &Modes,
) -> (Counts, Vec<Step>) {
    let (clause, universe) = (question.clause, store.universe());
    let mut before = cover(store, clause, &[]);
    let head = universe.counts(&before);
    let steps = (0..clause.body.len())
        .map(|position| {
            let up_to: Vec<usize> = (0..=position).collect();
            let kept = evaluable_part(clause, &up_to);
            let left = cover(store, clause, &kept);
            let mut lost = ExampleSet::empty(universe.len());
            lost.union_with_difference(&before, &left);
            let others: Vec<usize> = (0..clause.body.len()).filter(|&other| other != position).collect();
            let rest = evaluable_part(clause, &others);
            let step = Step {
                waits: !kept.contains(&position),
                left: universe.counts(&left),
                lost: universe.counts(&lost),
                lost_positives: positives(question.problem, universe, &lost),
                without: universe.counts(&cover(store, clause, &rest)),
                needed_by: others.into_iter().filter(|other| !rest.contains(other)).collect(),
                unknown_constants: unknown_constants(question, &clause.body[position]),
                cut: cut(question, modes, &admission.literals[position]),
            };
            before = left;
            step
        })
        .collect();
    (head, steps)
}

fn positives(problem: &Problem, universe: &Universe, set: &ExampleSet) -> Vec<ExampleId> {
    set.iter()
        .filter_map(|position| universe.example(position))
        .filter(|&id| problem.examples().is_positive(id))
        .collect()
}

/// The limit of the modes that admit a literal, where all have one and some call has more answers.
fn cut(question: &Question<'_>, modes: &Modes, verdict: &Verdict) -> Option<(u32, usize)> {
    let Verdict::Admitted { modes: admitting, .. } = verdict else { return None };
    let mut least_cut = None;
    for &mode in admitting {
        let mode = &modes.body[mode];
        let limit = mode.instantiation_limit?;
        let n_answers = question.worlds.iter().map(|world| most_answers(world, mode)).max().unwrap_or(0);
        if n_answers <= limit as usize {
            return None;
        }
        least_cut = least_cut.max(Some((limit, n_answers)));
    }
    least_cut
}

/// The clause without the literals that object identity adds to each candidate: bottom clauses lack these.
fn searched_part(clause: &Clause, admission: &Admission, identity: ObjectIdentity) -> Clause {
    let is_searched = |position: &usize| {
        identity != ObjectIdentity::On || !matches!(admission.literals[*position], Verdict::Inequality { .. })
    };
    part(clause, &(0..clause.body.len()).filter(is_searched).collect::<Vec<_>>())
}

/// In which bottom clauses of covered positives a clause is.
fn reach(question: &Question<'_>, clause: &Clause, covered: Vec<ExampleId>) -> Reach {
    let Question { problem, config, .. } = *question;
    let mut reach = Reach::default();
    for seed in covered.into_iter().take(MOST_SEEDS) {
        let world = &question.worlds[problem.examples().world(seed).index()];
        let bottom = saturate(world, problem.modes(), problem.examples(), seed, config.gathering.saturation);
        reach.n_tried += 1;
        let number = |constant| question.symbols.constants.number(constant);
        match is_candidate(clause, &bottom, &number) {
            Some(true) => reach.n_reached += 1,
            Some(false) if bottom.cuts.is_empty() => {
                reach.missing_constants.extend(missing_constants(clause, &bottom));
                let proof = witness(world, clause, problem.examples().arguments(seed), MOST_STEPS);
                reach.n_one_value += usize::from(proof.is_some_and(|values| has_one_value_twice(&values)));
            }
            Some(false) => reach.cuts.extend(bottom.cuts),
            None => reach.n_open += 1,
        }
    }
    reach
}

/// The constants of a clause's body that a bottom clause has nowhere.
fn missing_constants(clause: &Clause, bottom: &BottomClause) -> BTreeSet<ConstantId> {
    let known: BTreeSet<ConstantId> =
        bottom.literals.iter().flat_map(|literal| constants_of(&literal.literal)).collect();
    clause.body.iter().flat_map(constants_of).filter(|constant| !known.contains(constant)).collect()
}

fn constants_of(literal: &Literal) -> impl Iterator<Item = ConstantId> {
    literal.terms().flatten().filter_map(Term::constant)
}

fn has_one_value_twice(values: &[Option<ConstantId>]) -> bool {
    let known: Vec<ConstantId> = values.iter().flatten().copied().collect();
    known.iter().collect::<BTreeSet<_>>().len() < known.len()
}

/// The constants of a literal that no fact has where the literal has them.
fn unknown_constants(question: &Question<'_>, literal: &Literal) -> Vec<UnknownConstant> {
    use ComparisonOperator::{Identical, NotIdentical, NotUnify, Unify};
    let of_atoms = literal.atoms().flat_map(|atom| {
        let relations = || question.worlds.iter().map(|world| world.relation(atom.predicate));
        (atom.arguments.iter().enumerate())
            .filter_map(|(argument, &term)| Some((argument, term.constant()?)))
            .filter(move |&(argument, constant)| {
                relations().all(|relation| relation.rows_with(argument, constant).is_empty())
            })
            .map(move |(argument, constant)| {
                let there: BTreeSet<ConstantId> =
                    relations().flat_map(|relation| relation.column(argument).iter().copied()).collect();
                let nearest = near(question, constant, there.into_iter());
                UnknownConstant { argument, constant, nearest }
            })
    });
    let n_known = question.problem.symbols().constants.n_given();
    let identity = literal
        .comparison()
        .filter(|comparison| [Identical, NotIdentical, NotUnify, Unify].contains(&comparison.operator));
    let of_sides = identity.into_iter().flat_map(|comparison| {
        let sides = [&comparison.left, &comparison.right].into_iter().enumerate();
        sides
            .filter_map(|(argument, side)| Some((argument, side.plain_term()?.constant()?)))
            .filter(|(_, constant)| constant.index() >= n_known)
            .map(|(argument, constant)| UnknownConstant {
                argument,
                constant,
                nearest: near(question, constant, (0..n_known).map(ConstantId::new)),
            })
    });
    of_atoms.chain(of_sides).collect()
}

/// The constant that is nearest by name; none where there are too many to look at.
fn near(
    question: &Question<'_>,
    constant: ConstantId,
    among: impl ExactSizeIterator<Item = ConstantId>,
) -> Option<ConstantId> {
    if among.len() > MOST_NEAR {
        return None;
    }
    let ids: Vec<ConstantId> = among.collect();
    let constants = &question.symbols.constants;
    let found = nearest(constants.text(constant), ids.iter().map(|&id| constants.text(id)))?;
    ids.into_iter().find(|&id| constants.text(id) == found)
}
