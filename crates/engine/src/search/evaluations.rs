//! The evaluation of candidates for one seed: once each, counted, limited, and observed.
//!
//! Redundant clauses: those with a literal that their other literals imply on train.
//!
//! On train, such a clause covers the same examples with and without the literal
//! ([`ComponentEngine::without_implied`](crate::coverage::ComponentEngine::without_implied)). Two things follow.
//!
//! *Its counts need not be found.* Under `infer` they are those of the body without the literal, which is counted
//! once, whichever clause asks first. In all else the clause is treated as evaluated: it counts as an evaluated clause,
//! its score is that of its own length, the observer sees it, and it is refined. So every search takes the same way and
//! every model is the same, whatever budget ends the search. A model may hold such a clause, and then holds the literal
//! too: on tune, test and new data, whose facts were not looked at, the literal may matter.
//!
//! *It can only tie with the shorter clause, and loses the tie.* Under `leave-out` a search from the top down neither
//! counts nor refines such a clause if two conditions hold. All variables of the literal are in the head or in other
//! literals, and the clause without the literal is legal and has a body. Each longer clause is then redundant in the
//! same way: the literals that imply this one are still there, and others bind the variables that it binds. So the
//! longer clause without the literal is legal too, is shorter, and covers the same examples. All observers prefer the
//! shorter of two clauses of equal counts, as long as a score does not rise with the length. So a search that exhausts
//! its space keeps the best clauses.
//!
//! Three kinds of search may keep other clauses. A search that its budget ends spends the saved evaluations on other
//! clauses, and a beam gives them its few places. A search for the best clause only (`Evaluations::for_best_only`) does not
//! refine a clause that could at most equal the best so far. Which of several clauses of one score it keeps may then
//! depend on the order in which it meets them.

use crate::bias::{Candidate, RefinementSpace};
use crate::coverage::component::Interrupted;
use crate::coverage::{ComponentEngine, Universe};
use gleaner_base::{Budget, Counts, ExampleSet, FixedMap, FixedSet, StopReason, Totals};
use gleaner_lang::program::settings::{Setting, words};

use super::ClauseScore;
use super::config::{Funnel, SearchLimits};
use super::directed::DirectedCost;

/// Proposals between looks at the outer stop. The engine looks only as it visits rows, and a known proposal, or one
/// made of known parts, visits none.
const PROPOSALS_BETWEEN_LOOKS: u64 = 64;

/// Which examples count, and how much.
#[derive(Clone, Copy, Debug)]
pub enum Counting<'a> {
    /// Every example of the universe, once.
    Plain,
    /// All negatives, but only these positives: those that a covering theory does not cover yet.
    Remaining {
        /// The positives that count, among the examples of the universe; negatives in this set do not matter.
        positives: &'a ExampleSet,
        /// How many positives these are.
        n_positives: usize,
    },
    /// Every example once; in the score that steers the search some negatives count more often.
    /// [GLEANER §6.1.1]
    Emphasised {
        /// Positions of negatives.
        negatives: &'a ExampleSet,
        /// How often each of them counts in the score, at least 1.
        times: usize,
    },
}

/// A clause as the observer sees it.
#[derive(Clone, Copy, Debug)]
pub struct Evaluated<'a> {
    /// The literals of the bottom clause that the clause has, its thresholds fixed.
    pub candidate: &'a Candidate,
    /// Its counts on the training examples that count, each once.
    pub counts: Counts,
    /// The value that the search maximises; `None` where it is undefined.
    pub score: Option<f64>,
    /// How many clauses were evaluated from this seed, this one included.
    pub n_evaluated: u64,
    /// Which start of the search it belongs to, from 1; 0 for a search without restarts.
    pub start: u64,
}

/// Sees the clauses that a search evaluates, in order.
pub trait Observer {
    /// Called once for each acceptable clause; returns whether the observer keeps the clause for now. Strategies may
    /// learn from the answer, but none depends on it.
    fn observe(&mut self, evaluated: &Evaluated<'_>) -> bool;

    /// Called once for each clause before it is evaluated, acceptable or not.
    fn begin(&mut self, _candidate: &Candidate) {}

    /// The value that the search maximises, called once for each clause with enough positives. By default it is the
    /// value of the configured score. Bounds are always those of the configured score, so an observer with a score of
    /// its own must not take a search [for the best only](Evaluations::for_best_only).
    fn value(&mut self, _candidate: &Candidate, _counts: Counts, score: Option<f64>) -> Option<f64> {
        score
    }

    /// Whether the observer needs no more clauses, so that the search may end.
    fn is_satisfied(&self) -> bool {
        false
    }
}

/// The result of evaluating a clause with enough positives.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scored {
    /// The value that the search maximises; `None` where it is undefined.
    pub score: Option<f64>,
    /// Its counts on the training examples that count, each once.
    pub counts: Counts,
    /// Whether a specialisation of it may be wanted. False where only the best clause is wanted and no specialisation
    /// can beat the best so far.
    pub may_grow: bool,
    /// Whether the observer keeps it.
    pub is_kept: bool,
}

/// The outcome of a proposed candidate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Outcome {
    /// It was evaluated before, or is left out as redundant.
    Repeated,
    /// It covers fewer positives than the minimum, and so does every specialisation of it.
    TooFewPositives,
    /// It was evaluated.
    Scored(Scored),
    /// The search must end.
    Stop(StopReason),
}

/// A candidate whose open thresholds have numbers.
#[derive(Clone, Debug)]
pub(super) struct Swept {
    /// The candidate with fixed thresholds.
    pub candidate: Candidate,
    /// The counts of each example once, and as they count in the score.
    pub counted: Counted,
    /// Counts that no clause of the candidate or of its specialisations exceeds, as they count in the score.
    pub most: Counts,
}

/// The counts of each example once, and as they count in the score.
pub(super) type Counted = (Counts, Counts);

/// The evaluations of one search from one seed.
pub struct Evaluations<'a, 'e> {
    space: &'a RefinementSpace<'a>,
    pub(super) engine: &'a mut ComponentEngine<'e>,
    pub(super) universe: &'a Universe,
    pub(super) totals: Totals,
    pub(super) limits: SearchLimits,
    pub(super) counting: Counting<'a>,
    /// The best score of an acceptable clause, where no other clause is wanted.
    best_wanted: Option<f64>,
    observer: &'a mut dyn Observer,
    seen: FixedSet<Candidate>,
    /// The outcomes of those of `seen` that an earlier strategy evaluated and the present one has not proposed yet.
    known_outcomes: FixedMap<Candidate, Outcome>,
    /// By body without implied literals.
    known_counts: FixedMap<Box<[u16]>, Option<Counted>>,
    pub(super) funnel: Funnel,
    /// Body literals of the clauses that were evaluated.
    n_literals: u64,
    n_starts: u64,
    network_cost: DirectedCost,
}

impl std::fmt::Debug for Evaluations<'_, '_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Evaluations")
            .field("limits", &self.limits)
            .field("funnel", &self.funnel)
            .finish_non_exhaustive()
    }
}

impl<'a, 'e> Evaluations<'a, 'e> {
    /// Evaluations over `space`, counted on `universe`.
    pub fn new(
        space: &'a RefinementSpace<'a>,
        engine: &'a mut ComponentEngine<'e>,
        universe: &'a Universe,
        limits: SearchLimits,
        observer: &'a mut dyn Observer,
    ) -> Self {
        Self {
            space,
            engine,
            universe,
            totals: universe.totals(),
            limits,
            counting: Counting::Plain,
            best_wanted: None,
            observer,
            seen: FixedSet::default(),
            known_outcomes: FixedMap::default(),
            known_counts: FixedMap::default(),
            funnel: Funnel::default(),
            n_literals: 0,
            n_starts: 0,
            network_cost: DirectedCost::default(),
        }
    }

    /// The same evaluations with another way of counting the examples.
    pub fn counting(mut self, counting: Counting<'a>) -> Self {
        match counting {
            Counting::Plain => {}
            Counting::Remaining { n_positives, .. } => self.totals.n_positives = n_positives,
            // A negative that counts often in FP does so in N: FP never exceeds N.
            Counting::Emphasised { negatives, times } => {
                self.totals.n_negatives += (times - 1) * negatives.count();
            }
        }
        self.counting = counting;
        self
    }

    /// The same where only the best clause is wanted: a clause that cannot lead to a better one need not be refined.
    pub const fn for_best_only(mut self) -> Self {
        self.best_wanted = Some(f64::NEG_INFINITY);
        self
    }

    /// Notes the cost of a directed search's networks.
    pub const fn note_network_cost(&mut self, cost: DirectedCost) {
        self.network_cost = cost;
    }

    /// The cost of a directed search's networks; zero for other searches.
    pub const fn network_cost(&self) -> DirectedCost {
        self.network_cost
    }

    /// Notes that the search jumps to a new start.
    pub const fn begin_start(&mut self) {
        self.n_starts += 1;
    }

    /// Hands clauses that one strategy evaluated on to the next. When the next strategy first proposes such a clause,
    /// it gets the known outcome, so that it can refine the clause. The clause is neither evaluated nor shown again.
    pub(super) fn repeat_outcomes(&mut self, evaluated: Vec<(Candidate, Outcome)>) {
        self.known_outcomes.extend(evaluated);
    }

    /// The space that is searched.
    pub const fn space(&self) -> &'a RefinementSpace<'a> {
        self.space
    }

    /// The totals that the score compares its counts with.
    pub const fn totals(&self) -> Totals {
        self.totals
    }

    /// The budget of the search.
    pub const fn budget(&self) -> &Budget {
        self.engine.budget()
    }

    /// How many clauses were evaluated.
    pub const fn n_evaluated(&self) -> u64 {
        self.funnel.evaluated()
    }

    /// Where the candidates went so far.
    pub const fn funnel(&self) -> Funnel {
        self.funnel
    }

    /// Whether a candidate was evaluated.
    pub fn is_known(&self, candidate: &Candidate) -> bool {
        self.seen.contains(candidate)
    }

    /// Evaluates a candidate unless it was evaluated before, and shows it to the observer when it is acceptable.
    pub fn evaluate(&mut self, candidate: &Candidate) -> Outcome {
        self.propose(candidate, false)
    }

    /// As [`Self::evaluate`], for a search that refines each clause it evaluates. Where the user wants that, it leaves
    /// out a clause that is redundant together with all its specialisations.
    pub(super) fn evaluate_refined(&mut self, candidate: &Candidate) -> Outcome {
        self.propose(candidate, self.limits.redundant == RedundantClauses::LeaveOut)
    }

    fn propose(&mut self, candidate: &Candidate, leaves_out: bool) -> Outcome {
        if self.observer.is_satisfied() {
            return Outcome::Stop(StopReason::Found);
        }
        if self.n_evaluated() >= self.limits.clauses {
            return Outcome::Stop(StopReason::ClausesEvaluated);
        }
        if self.limits.literals.is_some_and(|most| self.n_literals >= most) {
            return Outcome::Stop(StopReason::LiteralsEvaluated);
        }
        if self.funnel.generated.is_multiple_of(PROPOSALS_BETWEEN_LOOKS)
            && let Some(reason) = self.engine.outer_stop()
        {
            return Outcome::Stop(reason);
        }
        self.funnel.generated += 1;
        if self.seen.contains(candidate) {
            self.funnel.repeated += 1;
            return self.known_outcomes.remove(candidate).unwrap_or(Outcome::Repeated);
        }
        if leaves_out && is_idle(candidate, self.space, self.engine) {
            self.seen.insert(candidate.clone());
            self.funnel.left_out += 1;
            return Outcome::Repeated;
        }
        self.observer.begin(candidate);
        self.n_literals += candidate.positions().len() as u64;
        let open = self.open_positions(candidate);
        if !open.is_empty() {
            return self.evaluate_swept(candidate, &open);
        }
        let counted = match self.infer_or_count(candidate.positions()) {
            Ok(counted) => counted,
            Err(interrupted) => return Outcome::Stop(interrupted.0),
        };
        self.seen.insert(candidate.clone());
        let Some((counts, scored_counts)) = counted else {
            self.funnel.below_min_positives += 1;
            return Outcome::TooFewPositives;
        };
        let score = self.limits.score.of(scored_counts, self.totals, candidate.n_literals());
        let score = self.observer.value(candidate, counts, score);
        let is_kept = self.show(candidate, counts, score);
        let may_grow = self.may_grow(candidate, scored_counts);
        Outcome::Scored(Scored { score, counts, may_grow, is_kept })
    }

    /// Evaluates a candidate with open thresholds, whose clause has the best numbers for them.
    fn evaluate_swept(&mut self, candidate: &Candidate, open: &[u16]) -> Outcome {
        let swept = match self.sweep(candidate, open) {
            Ok(swept) => swept,
            Err(interrupted) => return Outcome::Stop(interrupted.0),
        };
        self.seen.insert(candidate.clone());
        let Some(Swept { candidate, counted: (counts, scored_counts), most }) = swept else {
            self.funnel.below_min_positives += 1;
            return Outcome::TooFewPositives;
        };
        let score = self.limits.score.of(scored_counts, self.totals, candidate.n_literals());
        let score = self.observer.value(&candidate, counts, score);
        let is_kept = self.show(&candidate, counts, score);
        let may_grow = self.may_grow(&candidate, most);
        Outcome::Scored(Scored { score, counts, may_grow, is_kept })
    }

    /// As `count`, for the body without implied literals; it counts each such body once.
    fn infer_or_count(&mut self, literals: &[u16]) -> Result<Option<Counted>, Interrupted> {
        if self.limits.redundant == RedundantClauses::Evaluate {
            return self.count(literals);
        }
        let body = self.engine.without_implied(literals);
        if let Some(&known) = self.known_counts.get(body) {
            self.funnel.inferred += 1;
            return Ok(known);
        }
        let body: Box<[u16]> = body.into();
        let counted = self.count(&body)?;
        self.known_counts.insert(body, counted);
        Ok(counted)
    }

    /// The counts of each example once, and as they count in the score; `None` below the minimum of
    /// positives.
    fn count(&mut self, literals: &[u16]) -> Result<Option<Counted>, Interrupted> {
        let min_positives = self.limits.min_positives;
        let Some(counts) = self.engine.count(literals, min_positives)? else { return Ok(None) };
        match self.counting {
            Counting::Plain => Ok(Some((counts, counts))),
            Counting::Remaining { positives, n_positives } => {
                if n_positives == self.universe.n_positives() {
                    return Ok(Some((counts, counts)));
                }
                let covered = self.engine.cover(literals)?;
                let true_positives = covered.count_both(positives, 0..self.universe.n_positive_words());
                let counts = Counts { true_positives, ..counts };
                Ok((true_positives >= min_positives).then_some((counts, counts)))
            }
            Counting::Emphasised { negatives, times } => {
                let covered = self.engine.cover(literals)?;
                let emphasised = covered.count_both(negatives, 0..covered.words().len());
                let false_positives = counts.false_positives + (times - 1) * emphasised;
                Ok(Some((counts, Counts { false_positives, ..counts })))
            }
        }
    }

    /// Shows the clause to the observer if it is acceptable; returns whether the observer keeps it.
    fn show(&mut self, candidate: &Candidate, counts: Counts, score: Option<f64>) -> bool {
        let precision = counts.precision(self.totals.negative_weight);
        if precision.is_none_or(|precision| precision < self.limits.min_precision) {
            self.funnel.below_min_precision += 1;
            return false;
        }
        if !self.limits.allows(counts, self.totals.negative_weight) {
            self.funnel.above_max_negatives += 1;
            return false;
        }
        self.funnel.acceptable += 1;
        let n_evaluated = self.n_evaluated();
        let start = self.n_starts;
        let is_kept = self.observer.observe(&Evaluated { candidate, counts, score, n_evaluated, start });
        // A clause that the observer does not keep does not raise the bound.
        if let (Some(best), Some(score), true) = (&mut self.best_wanted, score, is_kept) {
            *best = score.max(*best);
        }
        is_kept
    }

    fn may_grow(&self, candidate: &Candidate, counts: Counts) -> bool {
        let Some(best) = self.best_wanted else { return true };
        let bound = self.limits.score.bound(counts, self.totals, candidate.n_literals());
        bound.is_none_or(|bound| bound > best)
    }
}

words! {
    /// What becomes of a clause with a literal that its others imply on the facts of train.
    pub enum RedundantClauses {
        /// It is evaluated as any other.
        Evaluate = "evaluate",
        /// Its counts are those of the clause without the literal.
        Infer = "infer",
        /// As `infer`; from the top down it is neither counted nor refined where no longer clause needs the literal.
        LeaveOut = "leave-out",
    }
}

/// What becomes of a clause with a literal that its others imply on the facts of train.
pub static REDUNDANT_CLAUSES: Setting<RedundantClauses> = Setting::new("redundant-clauses", "infer")
    .help(
        "Clauses with a literal that their other literals imply on train: evaluate them, infer \
         their counts, or leave-out (only searches from the top down)",
    )
    .source("our own; Popper prunes what is redundant and pointless")
    .recorded_where_changed();

/// Whether one literal of a candidate is redundant on train, in the candidate and in each of its specialisations.
/// Without it each of them covers the same examples and is still a candidate: legal, and not the most general clause,
/// which no search evaluates.
pub(super) fn is_idle(
    candidate: &Candidate,
    space: &RefinementSpace<'_>,
    engine: &mut ComponentEngine<'_>,
) -> bool {
    let idle = engine.idle_literals(candidate.positions());
    idle.iter().any(|left_out| {
        let rest = candidate.positions().iter().copied().filter(|position| position != left_out);
        let rest = Candidate::new(rest.collect());
        !rest.positions().is_empty() && space.is_legal(&rest)
    })
}
