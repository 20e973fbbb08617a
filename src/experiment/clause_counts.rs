//! What each clause of a model covers of train, tune and test, and what it adds to the clauses before it.

use std::collections::BTreeSet;

use gleaner_base::{Budget, Counts, ExampleSet, Pooling};
use gleaner_data::DatabaseSchema;
use gleaner_engine::coverage::component::Interrupted;
use gleaner_lang::program::display::clause_text;
use gleaner_lang::program::{Clause, Symbols};
use gleaner_learn::shown::Reading;
use gleaner_learn::{Covers, Model};

/// The most clauses of a model that are counted: a reader looks at the best.
const MOST_CLAUSES: usize = 2000;

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
}

/// The clauses of a model, those of the highest F1 on train and tune together first. None where the budget ends first.
/// `covers` are those of train, tune and test.
///
/// **Cost**: the covers of the clauses on all sets, twice on train and tune.
#[must_use]
pub fn clause_counts(
    model: &dyn Model,
    symbols: &Symbols,
    reading: &Reading,
    covers: &[Covers<'_>; 3],
    budget: &Budget,
) -> Vec<ClauseCounts> {
    let distinct: BTreeSet<&Clause> = model.clauses().into_iter().collect();
    let distinct: Vec<&Clause> = distinct.into_iter().collect();
    let text = |clause: &Clause| {
        let text = clause_text(clause, symbols);
        reading.forms.get(&text).cloned().unwrap_or(text)
    };
    let schema = reading.schema.as_deref().and_then(DatabaseSchema::read);
    let in_words = |clause: &str| Some(format!("if {}", schema.as_ref()?.in_words(clause)?.join(" and ")));
    ordered(covers, &distinct, budget).map_or_else(
        |_| Vec::new(),
        |counted| {
            let named = |(clause, covered, added)| {
                let clause = text(clause);
                ClauseCounts { in_words: in_words(&clause), clause, covered, added }
            };
            counted.into_iter().map(named).collect()
        },
    )
}

type Counted<'c> = (&'c Clause, [Counts; 3], Counts);

fn ordered<'c>(
    covers: &[Covers<'_>; 3],
    clauses: &[&'c Clause],
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
    order
        .sort_by(|one, other| f1(other).total_cmp(&f1(one)).then_with(|| clauses[*one].cmp(clauses[*other])));
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
    Ok(order.into_iter().zip(added).map(|(at, added)| (clauses[at], counts[at], added)).collect())
}
