//! Sentences as sequences of phrases, read from facts as `gleaner text` writes them.

use gleaner_base::{ConstantId, PredicateId, VariableId};
use gleaner_engine::datalog::Background;
use gleaner_lang::program::{Atom, Clause, Literal, Number, Symbols, Term};

/// The predicates that sentences are read from, with their arities.
///
/// `candidate(A, B, S)`: the pair of `A` and `B` is in the sentence `S`, or in the sentences in a row that `S` stands for.
/// `stands(A, S, I, J)`: there, `A` is the tokens from `I` to `J`. `phrase(S, P, I, J)`: these tokens are a phrase of the kind `P`.
/// `token(S, K, W, T)`: the token `K` is the word `W`, whose part of speech is `T`.
pub const TEXT_PREDICATES: [(&str, usize); 4] =
    [("candidate", 3), ("stands", 4), ("phrase", 4), ("token", 4)];

/// Their ids in a problem.
#[derive(Clone, Copy, Debug)]
pub struct TextPredicates {
    candidate: PredicateId,
    stands: PredicateId,
    phrase: PredicateId,
    token: PredicateId,
}

/// A phrase of a sentence. A token outside of phrases is one of its own, whose kind is its part of speech.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Segment {
    /// Its kind.
    pub(super) kind: ConstantId,
    /// Its words, in order.
    pub(super) words: Vec<ConstantId>,
    first: i64,
    last: i64,
}

/// The tokens of an argument, from the first to the last.
pub(super) type Extent = [i64; 2];

impl Segment {
    /// Whether it has a token of these.
    pub(super) const fn overlaps(&self, [first, last]: Extent) -> bool {
        self.first <= last && first <= self.last
    }
}

impl TextPredicates {
    /// The ids of the predicates.
    ///
    /// # Errors
    ///
    /// The first predicate that the problem lacks, as `token/4`.
    pub fn of(symbols: &Symbols) -> Result<Self, String> {
        let mut ids = [PredicateId::new(0); 4];
        for (id, (name, arity)) in ids.iter_mut().zip(TEXT_PREDICATES) {
            *id = symbols.find_predicate(name, arity).ok_or_else(|| format!("{name}/{arity}"))?;
        }
        let [candidate, stands, phrase, token] = ids;
        Ok(Self { candidate, stands, phrase, token })
    }

    /// The clause that says what the model reads: a pair of a sentence that has phrases and tokens.
    pub(super) fn clause(&self, target: PredicateId) -> Clause {
        let [a, b, unit] = [0, 1, 2].map(|at| Term::Variable(VariableId::new(at)));
        let mut n_variables = 3;
        let mut fresh = || {
            n_variables += 1;
            Term::Variable(VariableId::new(n_variables - 1))
        };
        let head = Atom { predicate: target, arguments: vec![a, b] };
        let mut body = vec![Atom { predicate: self.candidate, arguments: vec![a, b, unit] }];
        for (predicate, lead) in [
            (self.stands, vec![a, unit]),
            (self.stands, vec![b, unit]),
            (self.phrase, vec![unit]),
            (self.token, vec![unit]),
        ] {
            let n_open = 4 - lead.len();
            let arguments = lead.into_iter().chain((0..n_open).map(|_| fresh())).collect();
            body.push(Atom { predicate, arguments });
        }
        let body: Vec<Literal> = body.into_iter().map(Literal::Positive).collect();
        Clause::renumbered(&head, &body)
    }

    /// The sentences in which a pair is an example, with where its arguments stand there.
    ///
    /// **Cost**: the rows of the pair.
    pub(super) fn places(&self, world: &Background, pair: &[ConstantId]) -> Vec<(ConstantId, [Extent; 2])> {
        let &[first, second] = pair else { return Vec::new() };
        let candidates = world.relation(self.candidate);
        let rows =
            world.matching_rows(self.candidate, &[Some(first), Some(second), None]).collect::<Vec<_>>();
        let mut places = Vec::new();
        for row in rows {
            let unit = candidates.value(row, 2);
            if let (Some(of_first), Some(of_second)) =
                (self.extent(world, first, unit), self.extent(world, second, unit))
            {
                places.push((unit, [of_first, of_second]));
            }
        }
        places
    }

    /// The tokens of an argument in a sentence.
    fn extent(&self, world: &Background, argument: ConstantId, unit: ConstantId) -> Option<Extent> {
        let relation = world.relation(self.stands);
        let bound = [Some(argument), Some(unit), None, None];
        let row = world.matching_rows(self.stands, &bound).next()?;
        Some([integer(world, relation.value(row, 2))?, integer(world, relation.value(row, 3))?])
    }

    /// The phrases of a sentence, in order.
    ///
    /// **Cost**: its tokens and phrases, sorted.
    pub(super) fn segments(&self, world: &Background, unit: ConstantId) -> Vec<Segment> {
        let bound = [Some(unit), None, None, None];
        let phrases = world.relation(self.phrase);
        let mut extents: Vec<(i64, i64, ConstantId)> = world
            .matching_rows(self.phrase, &bound)
            .filter_map(|row| {
                let [first, last] = [2, 3].map(|column| integer(world, phrases.value(row, column)));
                Some((first?, last?, phrases.value(row, 1)))
            })
            .collect();
        extents.sort_unstable();
        let tokens = world.relation(self.token);
        let mut words: Vec<(i64, ConstantId, ConstantId)> = world
            .matching_rows(self.token, &bound)
            .filter_map(|row| {
                Some((integer(world, tokens.value(row, 1))?, tokens.value(row, 2), tokens.value(row, 3)))
            })
            .collect();
        words.sort_unstable();
        let mut segments: Vec<Segment> = Vec::new();
        let mut next = 0;
        for (at, word, tag) in words {
            while extents.get(next).is_some_and(|&(_, last, _)| last < at) {
                next += 1;
            }
            let of_phrase = extents.get(next).filter(|&&(first, _, _)| first <= at);
            let (first, last, kind) =
                of_phrase.map_or((at, at, tag), |&(first, last, kind)| (first, last, kind));
            match segments.last_mut() {
                Some(open) if of_phrase.is_some() && open.first == first && open.last == last => {
                    open.words.push(word);
                }
                _ => segments.push(Segment { kind, words: vec![word], first, last }),
            }
        }
        segments
    }
}

fn integer(world: &Background, constant: ConstantId) -> Option<i64> {
    match world.number(constant)? {
        Number::Integer(value) => Some(value),
        Number::Float(_) => None,
    }
}
