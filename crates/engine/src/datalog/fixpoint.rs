//! Rules run on facts until nothing new follows.
//!
//! The result is the perfect model of a stratified program: strata are completed one after the other, so that a
//! negated atom or an aggregate meets complete rows. The result does not depend on the order of rules, body literals or
//! rows. `datalog::aggregates` makes plain rules of those with aggregates.

use gleaner_base::PredicateId;
use gleaner_lang::program::safety::{UnsafeVariable, check_safety};
use gleaner_lang::program::stratify::{Strata, Stratum, Unstratifiable, stratify};
use gleaner_lang::program::{Clause, FactTable};

use super::NumberTable;
use super::aggregates::Expansion;
use super::plan::{MAX_WIDTH, Plan};
use super::stratum::{LimitPassed, StratumOutcome, run_stratum};
use super::tuple::Spending;

/// The counts of one run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FixpointStatistics {
    /// Strata, that is groups of rules that were run together.
    pub n_strata: usize,
    /// Rounds over all strata; a chain of operators takes one round for each operator, whatever the facts.
    pub n_rounds: usize,
    /// Facts that the rules derived, beyond the given ones.
    pub n_derived_facts: usize,
}

/// Why rules cannot be run to their end. Rules are named by their position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FixpointError {
    /// A variable has no value.
    #[error("rule {}: {fault}", .rule + 1)]
    Unsafe {
        /// The rule.
        rule: usize,
        /// The variable and its place.
        #[source]
        fault: UnsafeVariable,
    },
    /// A negation or an aggregate depends on itself.
    #[error("{0}")]
    Unstratifiable(Unstratifiable),
    /// A rule needs more variables at once, or a wider head, than a tuple holds.
    #[error("rule {}: needs {width} variables or head arguments at once, more than {}", .rule + 1, MAX_WIDTH)]
    TooWide {
        /// The rule.
        rule: usize,
        /// How many it needs.
        width: usize,
    },
    /// The facts derived are more than were allowed.
    #[error(
        "more than {limit} facts derived, most of predicate {}; do its rules count without a bound?",
        .predicate.index()
    )]
    TooManyFacts {
        /// The predicate of the stratum with the most derived facts.
        predicate: PredicateId,
        /// How many were allowed.
        limit: usize,
    },
    /// The rules try too many combinations of facts, or hold too many tuples, for the facts allowed.
    #[error(
        "the rules of predicate {} join too much; do their literals share variables?",
        .predicate.index()
    )]
    TooMuchWork {
        /// The predicate whose rule passed the limit.
        predicate: PredicateId,
    },
}

/// Adds to `facts` all that follows from them by `rules`.
///
/// The rows of head predicates become sorted and distinct; those of other predicates are not touched.
/// The engine chooses the order in which it tries body literals. So it may intern a number that `is` makes
/// although another literal then refuses the combination. The rows from which aggregates are made count as derived
/// facts; they are gone afterwards.
///
/// **Cost**: semi-naive, each combination of body facts once, `O(log n)` for each distinct tuple.
/// **Memory**: for each rule, the distinct tuples of live variables after each body literal; one
/// index for each predicate and way it is joined.
///
/// # Errors
///
/// Before anything runs: an unsafe rule, or a negation or an aggregate that depends on itself. When a stratum's turn comes, and `facts`
/// then holds the strata completed before:
/// - a rule with more than 32 head arguments, or more than 32 live variables at a point;
/// - more than `max_derived_facts` new facts;
/// - more than 80 combinations of body facts tried for each fact allowed (at least 20 million);
/// - tuples (those between two literals of a rule too) or new numbers that take more than 64 bytes for each fact
///   allowed (at least 16 MiB).
///
/// # Panics
///
/// When a rule's predicate is not in `facts`, or an atom has not its predicate's arity.
pub fn fixpoint(
    rules: &[Clause],
    facts: &mut FactTable,
    constants: &mut dyn NumberTable,
    max_derived_facts: usize,
) -> Result<FixpointStatistics, FixpointError> {
    for (rule, clause) in rules.iter().enumerate() {
        check_safety(clause).map_err(|fault| FixpointError::Unsafe { rule, fault })?;
    }
    let n_predicates = facts.n_predicates();
    let strata = stratify(rules, n_predicates).map_err(FixpointError::Unstratifiable)?;
    let spending = Spending::new(max_derived_facts);
    if !rules.iter().flat_map(|rule| &rule.body).any(|literal| literal.aggregate().is_some()) {
        return Run { rules, expansion: None, max_derived_facts, spending }.all(&strata, facts, constants);
    }
    let expansion = Expansion::new(rules, false, facts, constants);
    expanded(&expansion, n_predicates, facts, constants, max_derived_facts)
}

/// Adds to `facts` the values of aggregates. Each definition is `relation(Groups, Value) :- aggregate_all(…, Value)`,
/// whose goal gives its groups their values. The relation gets a row for each group that makes the goal true; groups of
/// which nothing is true, whose count and sum are 0, are left to the caller.
///
/// **Cost**, **memory** and limits: those of [`fixpoint`] for the goals as rules.
///
/// # Errors
///
/// As [`fixpoint`]; a variable of a goal without a value is [`FixpointError::Unsafe`].
///
/// # Panics
///
/// As [`fixpoint`].
pub fn aggregate_relations(
    definitions: &[Clause],
    facts: &mut FactTable,
    constants: &mut dyn NumberTable,
    max_derived_facts: usize,
) -> Result<FixpointStatistics, FixpointError> {
    let n_predicates = facts.n_predicates();
    let expansion = Expansion::new(definitions, true, facts, constants);
    for (position, clause) in expansion.rules_that_run() {
        if let Err(fault) = check_safety(clause) {
            facts.truncate(n_predicates);
            return Err(FixpointError::Unsafe { rule: expansion.origin(position), fault });
        }
    }
    expanded(&expansion, n_predicates, facts, constants, max_derived_facts)
}

/// Runs plain rules and the folds between them.
fn expanded(
    expansion: &Expansion,
    n_predicates: usize,
    facts: &mut FactTable,
    constants: &mut dyn NumberTable,
    max_derived_facts: usize,
) -> Result<FixpointStatistics, FixpointError> {
    let strata = stratify(&expansion.rules, facts.n_predicates());
    let spending = Spending::new(max_derived_facts);
    let run = Run { rules: &expansion.rules, expansion: Some(expansion), max_derived_facts, spending };
    let outcome = strata.map_err(FixpointError::Unstratifiable);
    let outcome = outcome.and_then(|strata| run.all(&strata, facts, constants));
    facts.truncate(n_predicates);
    outcome.map_err(|error| original(error, expansion))
}

/// An error over the rules and predicates that were given, in place of plain and temporary ones.
fn original(error: FixpointError, expansion: &Expansion) -> FixpointError {
    match error {
        FixpointError::Unsafe { rule, fault } => {
            FixpointError::Unsafe { rule: expansion.origin(rule), fault }
        }
        FixpointError::TooWide { rule, width } => {
            FixpointError::TooWide { rule: expansion.origin(rule), width }
        }
        FixpointError::TooManyFacts { predicate, limit } => {
            FixpointError::TooManyFacts { predicate: expansion.known(predicate), limit }
        }
        FixpointError::TooMuchWork { predicate } => {
            FixpointError::TooMuchWork { predicate: expansion.known(predicate) }
        }
        FixpointError::Unstratifiable(fault) => FixpointError::Unstratifiable(Unstratifiable {
            rule: expansion.origin(fault.rule),
            negated: expansion.known(fault.negated),
            is_aggregated: fault.is_aggregated,
        }),
    }
}

/// A run of rules without aggregates, and of the folds between them.
struct Run<'r> {
    rules: &'r [Clause],
    expansion: Option<&'r Expansion>,
    max_derived_facts: usize,
    spending: Spending,
}

impl Run<'_> {
    fn all(
        mut self,
        strata: &Strata,
        facts: &mut FactTable,
        constants: &mut dyn NumberTable,
    ) -> Result<FixpointStatistics, FixpointError> {
        let mut statistics = FixpointStatistics { n_strata: strata.as_slice().len(), ..Default::default() };
        for stratum in strata.as_slice() {
            let outcome = match self.expansion.and_then(|expansion| expansion.fold(stratum)) {
                Some(fold) => fold
                    .run(facts, constants, &mut self.spending)
                    .map(|n_derived_facts| StratumOutcome { n_rounds: 1, n_derived_facts }),
                None => {
                    let plans = plans(self.rules, stratum, facts)?;
                    run_plans(&plans, &stratum.predicates, facts, constants, &mut self.spending)
                }
            };
            let outcome = outcome.map_err(|passed| match passed {
                LimitPassed::Facts(predicate) => {
                    FixpointError::TooManyFacts { predicate, limit: self.max_derived_facts }
                }
                LimitPassed::Work(predicate) => FixpointError::TooMuchWork { predicate },
            })?;
            statistics.n_rounds += outcome.n_rounds;
            statistics.n_derived_facts += outcome.n_derived_facts;
            self.spending.derive(outcome.n_derived_facts);
        }
        Ok(statistics)
    }
}

/// Runs the plans of a stratum in tuples that are wide enough.
fn run_plans(
    plans: &[Plan],
    heads: &[PredicateId],
    facts: &mut FactTable,
    constants: &mut dyn NumberTable,
    spending: &mut Spending,
) -> Result<StratumOutcome, LimitPassed> {
    match plans.iter().map(|plan| plan.width).max().unwrap_or(0) {
        0..=4 => run_stratum::<4>(plans, heads, facts, constants, spending),
        5..=8 => run_stratum::<8>(plans, heads, facts, constants, spending),
        9..=16 => run_stratum::<16>(plans, heads, facts, constants, spending),
        _ => run_stratum::<MAX_WIDTH>(plans, heads, facts, constants, spending),
    }
}

/// The plans of a stratum's rules.
fn plans(rules: &[Clause], stratum: &Stratum, facts: &FactTable) -> Result<Vec<Plan>, FixpointError> {
    let n_rows = |predicate| facts.rows(predicate).len();
    let plan = |&rule: &usize| {
        Plan::new(&rules[rule], &n_rows).map_err(|width| FixpointError::TooWide { rule, width })
    };
    stratum.rules.iter().map(plan).collect()
}

#[cfg(test)]
mod tests;
