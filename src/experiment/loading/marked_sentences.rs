//! The sentences that an example is about, with its arguments marked, where the data are of a text.
//!
//! `gleaner text` writes `sentence(S,Text)` and `span(A,S,Start,End)`: the argument `A` stands at these characters of the sentence `S`.

use gleaner_base::{ConstantId, ExampleId};
use gleaner_data::{Problem, SENTENCE_FACTS};
use gleaner_lang::program::Examples;

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
