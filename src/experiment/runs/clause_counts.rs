//! What each clause of a model covers of train, tune and test, what it adds to the clauses before it, and test examples that it
//! covers.

use std::collections::BTreeSet;

use gleaner_base::{Budget, Counts, ExampleId, ExampleSet, Pooling};
use gleaner_data::{DatabaseSchema, Problem};
use gleaner_engine::coverage::component::Interrupted;
use gleaner_lang::program::Clause;
use gleaner_lang::program::display::clause_text;
use gleaner_lang::syntax::read_clause;
use gleaner_learn::shown::Reading;
use gleaner_learn::{Covers, Model};

use crate::experiment::scoring::explain::{Binding, binding};

/// The most clauses of a model that are counted: a reader looks at the best.
const MOST_CLAUSES: usize = 2000;

/// How many clauses, from the first, show test examples that they cover.
const MOST_SHOWN: usize = 20;

/// A clause with its counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClauseCounts {
    /// The clause, in the form that people read.
    pub clause: String,
    /// Its conditions in words, if the data are a database that has words for them.
    pub in_words: Option<String>,
    /// What it covers of train, tune and test.
    pub covered: [Counts; 3],
    /// What it covers of train and tune that no clause before it covers.
    pub added: Counts,
    /// The first positive and the first negative of test that it covers; none of clauses that come late.
    pub shown: [Option<CoveredExample>; 2],
}

/// A test example that a clause covers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CoveredExample {
    /// The example.
    pub example: ExampleId,
    /// The clause, as the model has it.
    pub clause: Clause,
    /// Values of its variables, where a proof was found.
    pub binding: Option<Binding>,
}

/// The clauses of a model, those of the highest F1 on train and tune together first, of equals the shortest; those that add nothing to
/// the others come last. None where the budget ends first. `covers` are those of train, tune and test.
///
/// **Cost**: the covers of the clauses on all sets, twice on train and tune.
pub fn clause_counts(
    model: &dyn Model,
    problem: &Problem,
    reading: &Reading,
    covers: &[Covers<'_>; 3],
    budget: &Budget,
) -> Vec<ClauseCounts> {
    let distinct: BTreeSet<&Clause> = model.clauses().into_iter().collect();
    let distinct: Vec<&Clause> = distinct.into_iter().collect();
    let text = |clause: &Clause| {
        let text = clause_text(clause, problem.symbols());
        reading.forms.get(&text).cloned().unwrap_or(text)
    };
    let schema = reading.schema.as_deref().and_then(DatabaseSchema::read);
    let in_words = |clause: &str| Some(format!("if {}", schema.as_ref()?.in_words(clause)?.join(" and ")));
    let n_literals = |clause: &Clause| {
        let shown = reading.forms.get(&clause_text(clause, problem.symbols()));
        let shown = shown.and_then(|shown| Some(read_clause(shown).ok()?.body.len()));
        shown.unwrap_or(clause.body.len())
    };
    ordered(covers, &distinct, &n_literals, budget).map_or_else(
        |_| Vec::new(),
        |counted| {
            let shown = |clause: &Clause, example| {
                let binding = binding(problem, problem.examples(), example, clause);
                CoveredExample { example, clause: clause.clone(), binding }
            };
            let named = |(clause, covered, added, first): Counted<'_>| {
                let shown = first.map(|example| example.map(|example| shown(clause, example)));
                let clause = text(clause);
                ClauseCounts { in_words: in_words(&clause), clause, covered, added, shown }
            };
            counted.into_iter().map(named).collect()
        },
    )
}

/// A clause, its counts, and the first positive and negative of test that it covers.
type Counted<'c> = (&'c Clause, [Counts; 3], Counts, [Option<ExampleId>; 2]);

fn ordered<'c>(
    covers: &[Covers<'_>; 3],
    clauses: &[&'c Clause],
    n_literals: &dyn Fn(&Clause) -> usize,
    budget: &Budget,
) -> Result<Vec<Counted<'c>>, Interrupted> {
    let mut counts = vec![[Counts::NONE; 3]; clauses.len()];
    for (set, covers) in covers.iter().enumerate() {
        covers.visit(clauses, budget, |first, block| {
            for (at, cover) in (first..).zip(block) {
                counts[at][set] = covers.universe().counts(cover);
            }
        })?;
    }
    let totals = covers.each_ref().map(|covers| covers.universe().totals());
    let pooling = Pooling::of(totals[0].negative_weight, totals[1].negative_weight);
    let all = pooling.totals(totals[0], totals[1]);
    let f1 = |at: &usize| pooling.counts(counts[*at][0], counts[*at][1]).f_beta(1.0, all).unwrap_or(0.0);
    let mut order: Vec<usize> = (0..clauses.len()).collect();
    let lengths: Vec<usize> = clauses.iter().map(|clause| n_literals(clause)).collect();
    order.sort_by(|&one, &other| {
        let by_f1 = f1(&other).total_cmp(&f1(&one));
        by_f1.then((lengths[one], clauses[one]).cmp(&(lengths[other], clauses[other])))
    });
    order.truncate(MOST_CLAUSES);
    let best: Vec<&Clause> = order.iter().map(|&at| clauses[at]).collect();
    let mut added = vec![Counts::NONE; best.len()];
    for covers in &covers[..2] {
        let universe = covers.universe();
        let mut reached = ExampleSet::empty(universe.len());
        let mut before = Counts::NONE;
        covers.visit(&best, budget, |first, block| {
            for (at, cover) in (first..).zip(block) {
                reached.union_with(cover);
                let after = universe.counts(&reached);
                added[at].true_positives += after.true_positives - before.true_positives;
                added[at].false_positives += after.false_positives - before.false_positives;
                before = after;
            }
        })?;
    }
    // What adds nothing changes nothing that clauses after it add.
    let (some, nothing): (Vec<_>, Vec<_>) =
        order.into_iter().zip(added).partition(|&(_, added)| added != Counts::NONE);
    let order: Vec<(usize, Counts)> = some.into_iter().chain(nothing).collect();
    let best: Vec<&Clause> = order.iter().map(|&(at, _)| clauses[at]).collect();
    let first = first_covered(&covers[2], &best[..best.len().min(MOST_SHOWN)], budget)?;
    let first = first.into_iter().chain(std::iter::repeat([None, None]));
    let counted = order.into_iter().zip(first);
    Ok(counted.map(|((at, added), first)| (clauses[at], counts[at], added, first)).collect())
}

/// The first positive and the first negative that each clause covers.
fn first_covered(
    covers: &Covers<'_>,
    clauses: &[&Clause],
    budget: &Budget,
) -> Result<Vec<[Option<ExampleId>; 2]>, Interrupted> {
    let universe = covers.universe();
    let mut first = Vec::with_capacity(clauses.len());
    covers.visit(clauses, budget, |_, block| {
        first.extend(block.iter().map(|cover| {
            [true, false].map(|is_positive| {
                let position = cover.iter().find(|&at| universe.is_positive(at) == is_positive)?;
                universe.example(position)
            })
        }));
    })?;
    Ok(first)
}
