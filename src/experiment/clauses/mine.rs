//! Frequent queries, with the examples of each class that they cover.

use serde::{Serialize, Serializer};

use gleaner_base::StopReason;
use gleaner_base::statistics::information_on_classes;
use gleaner_data::Problem;
use gleaner_engine::coverage::Universe;
use gleaner_engine::mining::{Level, Mined, Support};
use gleaner_lang::program::display::clause_text;

/// The result of mining.
#[derive(Clone, Debug, Serialize)]
pub struct MineAnswer {
    /// The classes, each with its examples.
    #[serde(flatten)]
    pub classes: ByClass,
    /// Frequent queries found.
    pub frequent: usize,
    /// How many are written.
    pub written: usize,
    /// The result for each query length.
    pub levels: Vec<Level>,
    /// The reason why mining stopped before its end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stop: Option<StopReason>,
    /// The queries that are written, by length and then in canonical order.
    #[serde(skip)]
    pub queries: Vec<QuerySupport>,
}

/// Numbers of examples by the names of their classes, of two `positives` and `negatives`; in JSON a field each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ByClass(pub Vec<(String, usize)>);

impl Serialize for ByClass {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, n)| (name, n)))
    }
}

/// A query with the number of examples that it covers.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct QuerySupport {
    /// The query as a clause of the target.
    pub query: String,
    /// The number of its literals, without those that object identity adds.
    pub length: usize,
    /// The number of examples of each class that it covers.
    #[serde(flatten)]
    pub covered: ByClass,
    /// The mutual information of the query with the class, in nats.
    pub information: f64,
}

impl MineAnswer {
    /// The answer with all queries, or with those of each class that tell most of it: `best` of each.
    pub fn of(problem: &Problem, mined: &Mined, universe: &Universe, best: Option<usize>) -> Self {
        let classes = class_sizes(problem, universe);
        let sizes: Vec<usize> = classes.0.iter().map(|&(_, n)| n).collect();
        let frequent = mined.queries.len();
        let kept: Vec<usize> = match best {
            Some(best) => {
                let supports: Vec<&Support> = mined.queries.iter().map(|query| &query.support).collect();
                best_of_each_class(&supports, &sizes, best)
            }
            None => (0..frequent).collect(),
        };
        let shown = |&at: &usize| {
            let query = &mined.queries[at];
            let covered = classes.0.iter().zip(&query.support.0).map(|((name, _), &n)| (name.clone(), n));
            QuerySupport {
                query: clause_text(&query.clause, problem.symbols()),
                length: query.length,
                covered: ByClass(covered.collect()),
                information: information(&query.support, &sizes),
            }
        };
        let queries: Vec<QuerySupport> = kept.iter().map(shown).collect();
        Self {
            frequent,
            written: queries.len(),
            levels: mined.levels.clone(),
            stop: mined.stop,
            queries,
            classes,
        }
    }
}

fn class_sizes(problem: &Problem, universe: &Universe) -> ByClass {
    let names = problem.labels().class_names();
    if !problem.labels().is_one_of_several() {
        let sizes = [("positives", universe.n_positives()), ("negatives", universe.n_negatives())];
        return ByClass(sizes.map(|(name, n)| (name.to_owned(), n)).to_vec());
    }
    let sizes = universe.class_sets(names.len()).into_iter().map(|set| set.count());
    ByClass(names.into_iter().map(str::to_owned).zip(sizes).collect())
}

#[expect(clippy::cast_precision_loss, reason = "examples are fewer than 2^53")]
fn information(support: &Support, sizes: &[usize]) -> f64 {
    let held: Vec<f64> = support.0.iter().map(|&n| n as f64).collect();
    let all: Vec<f64> = sizes.iter().map(|&n| n as f64).collect();
    information_on_classes(&held, &all)
}

/// The class of which a query covers the largest share, the first of equals. The query speaks for this class.
fn spoken_for(support: &Support, sizes: &[usize]) -> usize {
    let mut best = 0;
    for class in 1..sizes.len() {
        if support.0[class] * sizes[best] > support.0[best] * sizes[class] {
            best = class;
        }
    }
    best
}

/// The positions of the queries that tell most of the classes, ascending: up to `best` for each class that they speak
/// for.
fn best_of_each_class(supports: &[&Support], sizes: &[usize], best: usize) -> Vec<usize> {
    let mut kept = Vec::new();
    let told: Vec<f64> = supports.iter().map(|support| information(support, sizes)).collect();
    for class in 0..sizes.len() {
        let mut of_class: Vec<usize> =
            (0..supports.len()).filter(|&at| spoken_for(supports[at], sizes) == class).collect();
        of_class.sort_by(|&left, &right| told[right].total_cmp(&told[left]));
        kept.extend(of_class.into_iter().take(best));
    }
    kept.sort_unstable();
    kept
}

#[cfg(test)]
mod tests {
    use super::{Support, best_of_each_class, information};

    /// Of 4 positives and 8 negatives, the first and third query cover a greater share of the positives. The others
    /// cover a greater share of the negatives. The third covers just all positives, the fourth just all negatives.
    #[test]
    fn the_best_of_each_class_are_kept_in_order() {
        let sizes = [4, 8];
        let all = [[2, 2], [1, 4], [4, 0], [0, 8]].map(|by_class| Support(Box::new(by_class)));
        let all: Vec<&Support> = all.iter().collect();
        assert!((information(all[2], &sizes) - information(all[3], &sizes)).abs() < 1e-15);
        assert_eq!(best_of_each_class(&all, &sizes, 1), [2, 3]);
        assert_eq!(best_of_each_class(&all, &sizes, 2), [0, 1, 2, 3]);
        // Three classes: a query that covers all of the smallest speaks for it, though it covers more of another.
        let three = [[1, 2, 5], [3, 0, 0]].map(|by_class| Support(Box::new(by_class)));
        let three: Vec<&Support> = three.iter().collect();
        assert_eq!(best_of_each_class(&three, &[10, 2, 50], 1), [0, 1]);
    }
}
