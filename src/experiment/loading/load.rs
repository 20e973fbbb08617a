//! Loading a problem and applying its restriction (`--where`). Positives that it leaves out of a test set are false
//! negatives of the whole task, which no score can find. [GLEANER §4.1.2]
//!
//! The sentences that an example is about, with its arguments marked, where the data are of a text.
//!
//! `gleaner text` writes `sentence(S,Text)` and `span(A,S,Start,End)`: the argument `A` stands at these characters of the sentence `S`.

use std::sync::Arc;

use gleaner_base::random::{Purpose, stream};
use gleaner_base::{Budget, ConstantId, ExampleId, FoldId, NegativeWeight};
use gleaner_data::faults::{bad_clause, took_negatives};
use gleaner_data::{
    Division, LoadPurpose, LoadRequest, Loaded, NegativeSource, Negatives, Problem, SENTENCE_FACTS, leaks,
};
use gleaner_engine::coverage::Universe;
use gleaner_engine::coverage::component::cover_clause;
use gleaner_lang::program::{Clause, Examples};
use gleaner_lang::syntax::{Diagnostic, Sources};
use rand::seq::SliceRandom;

/// Loads a problem and keeps the examples for which the request's restriction holds.
///
/// # Errors
///
/// Every fault of the files; a restriction that leaves a class without examples.
pub fn load(request: &LoadRequest, sources: &mut Sources) -> Result<Loaded, Vec<Diagnostic>> {
    let mut loaded = gleaner_data::load(request, sources)?;
    if let Some(restriction) = &loaded.selection.restriction {
        loaded.problem = restricted(&loaded.problem, restriction, request)?;
        if let Some(wanted) = loaded.selection.negatives {
            let (sampled, remark) = with_sample_of_negatives(&loaded.problem, wanted, request.rng_seed);
            loaded.problem = sampled;
            loaded.warnings.extend(remark);
        }
    }
    if request.purpose != LoadPurpose::Score {
        loaded.warnings.extend(leaks(&loaded.problem));
    }
    Ok(loaded)
}

/// The problem with a uniform sample of its negatives, and a remark if that leaves some out.
fn with_sample_of_negatives(
    problem: &Problem,
    wanted: Negatives,
    rng_seed: u64,
) -> (Problem, Option<Diagnostic>) {
    let examples = problem.examples();
    let is_negative = |id: ExampleId| !examples.is_positive(id) && examples.is_labelled(id);
    let mut negatives: Vec<ExampleId> = examples.ids().filter(|&id| is_negative(id)).collect();
    let population = negatives.len() as u64;
    let source = NegativeSource { n_held: population, stands_for: examples.negative_weight() };
    let n_wanted = wanted.of(source, examples.n_positives() as u64);
    if population == 0 {
        return (problem.clone(), None);
    }
    let mut rng = stream(rng_seed, Purpose::Negatives, &[]);
    let (chosen, _) = negatives.partial_shuffle(&mut rng, usize::try_from(n_wanted).unwrap_or(usize::MAX));
    let mut is_kept: Vec<bool> = examples.ids().map(|id| !is_negative(id)).collect();
    chosen.iter().for_each(|id| is_kept[id.index()] = true);
    let weight = examples.negative_weight().times(NegativeWeight::new(population, n_wanted));
    let sampled = examples.filtered(|id| is_kept[id.index()]).with_negative_weight(weight);
    let remark =
        (n_wanted < population).then(|| took_negatives(n_wanted, population, "that satisfy ⁅where⁆"));
    (problem.with_examples(sampled), remark)
}

/// The problem with the examples for which the restriction holds.
fn restricted(
    problem: &Problem,
    restriction: &Clause,
    request: &LoadRequest,
) -> Result<Problem, Vec<Diagnostic>> {
    let text = request.restriction.as_deref().unwrap_or_default();
    let all: Vec<ExampleId> = problem.examples().ids().collect();
    let universe = Universe::new(Arc::clone(problem.examples()), &all);
    let covered = cover_clause(problem.worlds(), restriction, &universe, &Budget::unlimited())
        .expect("an unlimited budget never interrupts");
    let mut kept = vec![false; problem.examples().len()];
    for (position, id) in universe.iter() {
        kept[id.index()] = covered.contains(position);
    }
    let is_filtered = |id: &ExampleId| problem.examples().is_positive(*id) && !kept[id.index()];
    let filtered = problem.examples().ids().filter(is_filtered);
    let mut left_out = problem.filtered_positives().clone();
    left_out.folds.extend(filtered.map(|id| problem.examples().fold(id)));
    let examples = problem.examples().filtered(|id| kept[id.index()]);
    let n_positives = examples.n_positives();
    let is_scored = request.purpose == LoadPurpose::Score && !examples.is_empty();
    let faults: Vec<Diagnostic> = [(n_positives, "positive"), (examples.len() - n_positives, "negative")]
        .into_iter()
        .filter(|(n_left, _)| *n_left == 0 && !is_scored)
        .map(|(_, class)| bad_clause(text, &format!("no {class} example satisfies it")))
        .collect();
    if !faults.is_empty() {
        return Err(faults);
    }
    Ok(problem.with_examples(examples).with_filtered_positives(left_out))
}

/// The positives of one test set that the restriction leaves out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Filtered {
    /// How many there are.
    pub n_positives: usize,
    /// Whether they count as positives that no threshold finds.
    pub are_counted: bool,
}

impl Filtered {
    /// The filtered positives of the whole problem.
    pub fn of_all(problem: &Problem) -> Self {
        Self::of(problem, problem.filtered_positives().folds.len())
    }

    /// The filtered positives of a tested fold, from 0. Made folds share the problem's filtered positives evenly, but
    /// for one.
    pub(crate) fn of_fold(problem: &Problem, fold: usize, n_folds: usize) -> Self {
        let folds = &problem.filtered_positives().folds;
        let n_positives = match problem.division() {
            Division::None => folds.len() / n_folds + usize::from(fold < folds.len() % n_folds),
            Division::Folds | Division::TrainTest | Division::TrainTuneTest => {
                folds.iter().filter(|of| of.map(FoldId::index) == Some(fold)).count()
            }
        };
        Self::of(problem, n_positives)
    }

    fn of(problem: &Problem, n_positives: usize) -> Self {
        Self { n_positives, are_counted: problem.filtered_positives().are_counted }
    }

    /// The same; they count if they did, or if it is asked for.
    pub(crate) const fn counted_if(self, is_asked: bool) -> Self {
        Self { are_counted: self.are_counted || is_asked, ..self }
    }

    /// How many count.
    pub const fn n_counted(self) -> usize {
        if self.are_counted { self.n_positives } else { 0 }
    }

    /// The filtered positives of two test sets.
    pub const fn plus(self, other: Self) -> Self {
        Self {
            n_positives: self.n_positives + other.n_positives,
            are_counted: self.are_counted || other.are_counted,
        }
    }
}

/// Whether an answer leaves a number out.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "as serde asks")]
pub(crate) const fn is_zero(n: &usize) -> bool {
    *n == 0
}

/// The sentences with the arguments of an example, these in brackets; none if the data are of no text.
pub fn marked_sentences(problem: &Problem, examples: &Examples, id: ExampleId) -> Vec<String> {
    let symbols = problem.symbols();
    let found = SENTENCE_FACTS.map(|(name, arity)| symbols.find_predicate(name, arity));
    let [Some(span), Some(sentence)] = found else { return Vec::new() };
    let world = &problem.worlds()[examples.world(id).index()];
    let (spans, sentences) = (world.relation(span), world.relation(sentence));
    let number = |constant: ConstantId| symbols.constants.text(constant).parse::<usize>().ok();
    let mut marks: Vec<(ConstantId, Vec<[usize; 2]>)> = Vec::new();
    for &argument in examples.arguments(id) {
        let rows = spans.rows_with(0, argument);
        for row in (0..rows.len()).map(|at| rows.get(at)) {
            let [of, start, end] = [1, 2, 3].map(|column| spans.value(row, column));
            let (Some(start), Some(end)) = (number(start), number(end)) else { continue };
            match marks.iter_mut().find(|(known, _)| *known == of) {
                Some((_, marks)) => marks.push([start, end]),
                None => marks.push((of, vec![[start, end]])),
            }
        }
    }
    let marked = |(of, marks): &(ConstantId, Vec<[usize; 2]>)| {
        let rows = sentences.rows_with(0, *of);
        (!rows.is_empty()).then(|| marked(&problem.cell(sentences.value(rows.get(0), 1)), marks))
    };
    marks.iter().filter_map(marked).collect()
}

/// A text with brackets around these characters.
fn marked(text: &str, marks: &[[usize; 2]]) -> String {
    let mut shown = String::with_capacity(text.len() + 2 * marks.len());
    let is_at = |side: usize, at: usize| {
        marks.iter().filter(move |mark| mark[side] == at && mark[0] < mark[1]).count()
    };
    let n_signs = text.chars().count();
    for (at, sign) in text.chars().map(Some).chain([None]).enumerate().take(n_signs + 1) {
        shown.extend(std::iter::repeat_n(']', is_at(1, at)));
        shown.extend(std::iter::repeat_n('[', is_at(0, at)));
        shown.extend(sign);
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::marked;

    #[test]
    fn arguments_stand_in_brackets() {
        assert_eq!(marked("äb binds c", &[[0, 2], [9, 10]]), "[äb] binds [c]");
        assert_eq!(marked("abc", &[[0, 3], [1, 3]]), "[a[bc]]");
        assert_eq!(marked("abc", &[[2, 9], [1, 1]]), "ab[c");
    }
}
