//! Which pairs are examples, of one sentence or of a few: of tagged entities, or of noun phrases. [GLEANER §4.1.2, §4.4]

use std::collections::{BTreeMap, BTreeSet};

use crate::analysis::{AnalysedSentence, PhraseKind, Token};
use crate::corpus::{Corpus, Document, Entity, Relation};

/// What the arguments of an example are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Candidates {
    /// Entities as the corpus marks them.
    #[default]
    Entities,
    /// Noun phrases: entities say which pairs are positive, and nothing else.
    Phrases,
}

/// The kind of an entity of which the corpus says nothing.
const ENTITY: &str = "entity";

/// What the whole corpus says of its relations.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Scheme {
    /// The kind of relations that are positive; all if none is asked for.
    pub(crate) relation: Option<String>,
    /// Whether the order of the ends matters.
    pub(crate) is_directed: bool,
    /// Whether the order in which a corpus gives the ends of relations is their direction.
    takes_order: bool,
    /// Whether the corpus has several kinds of entities. A single kind is called `entity`, so that a model of one corpus can
    /// score another.
    has_kinds: bool,
    /// The kinds of ends that relations have, the first end first.
    kinds: BTreeSet<[String; 2]>,
    /// Kinds of entities that are roles in relations: they would tell the label.
    pub(crate) roles: BTreeSet<String>,
}

/// An argument of examples.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Mention {
    /// Its name, unique in the corpus.
    pub(crate) id: String,
    /// The kind of the entity, or `noun_phrase`.
    pub(crate) kind: String,
    /// The positions of its first and its last token.
    pub(crate) first: usize,
    pub(crate) last: usize,
    /// Where the file has it.
    pub(crate) at: gleaner_lang::syntax::Place,
}

/// The examples of a sentence.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Examples {
    pub(crate) mentions: Vec<Mention>,
    /// Pairs of positions among the mentions, with whether they are related.
    pub(crate) pairs: Vec<([usize; 2], bool)>,
}

impl Examples {
    /// The mention that a token is of.
    pub(crate) fn mention_at(&self, token: usize) -> Option<&Mention> {
        self.mentions.iter().find(|mention| (mention.first..=mention.last).contains(&token))
    }
}

/// The examples whose arguments stand in different sentences.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Crossing {
    /// The first and the last sentence.
    pub(crate) sentences: [usize; 2],
    /// Pairs of mentions, each by its sentence and its position there, with whether they are related.
    pub(crate) pairs: Vec<([Place; 2], bool)>,
}

/// The number of a sentence, and a mention's position in it.
pub(crate) type Place = (usize, usize);

/// The examples of a document.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct DocumentExamples {
    /// Those of each sentence.
    pub(crate) of_sentences: Vec<Examples>,
    /// Those over several sentences, ascending.
    pub(crate) crossing: Vec<Crossing>,
    /// How many relations are no examples.
    pub(crate) lost: usize,
    /// How many pairs are left out, since something else is said of them.
    pub(crate) unclear: usize,
}

impl DocumentExamples {
    /// The mention at a place.
    pub(crate) fn mention(&self, (sentence, at): Place) -> &Mention {
        &self.of_sentences[sentence].mentions[at]
    }

    /// Whether a sentence has mentions of examples: each has facts of its own.
    pub(crate) fn has_facts(&self, sentence: usize) -> bool {
        let is_crossed = |crossing: &Crossing| {
            let of_pair = |(pair, _): &([Place; 2], bool)| pair.iter().any(|place| place.0 == sentence);
            crossing.pairs.iter().any(of_pair)
        };
        !self.of_sentences[sentence].pairs.is_empty() || self.crossing.iter().any(is_crossed)
    }
}

impl Scheme {
    /// The scheme of a corpus whose relations of this kind, or of all kinds, are positive. `takes_order` says whether the order of
    /// their ends is their direction.
    pub(crate) fn of(corpus: &Corpus, relation: Option<&str>, takes_order: bool) -> Self {
        let kinds: BTreeSet<&str> =
            corpus.documents.iter().flat_map(|of| &of.entities).map(|entity| entity.kind.as_str()).collect();
        let mut scheme = Self {
            relation: relation.map(str::to_owned),
            roles: roles(corpus),
            has_kinds: kinds.len() > 1,
            takes_order,
            ..Self::default()
        };
        for document in &corpus.documents {
            for related in &document.relations {
                if scheme.is_positive(&related.kind) {
                    let is_directed = scheme.has_direction(related);
                    scheme.is_directed |= is_directed;
                    let ends = related.ends.map(|end| scheme.kind(&document.entities[end]).to_owned());
                    if !is_directed {
                        scheme.kinds.insert([ends[1].clone(), ends[0].clone()]);
                    }
                    scheme.kinds.insert(ends);
                }
            }
        }
        scheme
    }

    /// Whether a relation holds in one order of its ends alone.
    const fn has_direction(&self, related: &Relation) -> bool {
        related.is_directed || self.takes_order && related.has_order
    }

    fn is_positive(&self, kind: &str) -> bool {
        self.relation.as_deref().is_none_or(|relation| relation == kind)
    }

    /// The kind of an entity; roles say nothing.
    pub(crate) fn kind<'e>(&self, entity: &'e Entity) -> &'e str {
        let is_told = self.has_kinds && !entity.kind.is_empty() && !self.roles.contains(&entity.kind);
        if is_told { &entity.kind } else { ENTITY }
    }

    /// Whether entities of these kinds may be related, in this order.
    fn may_relate(&self, first: &str, second: &str) -> bool {
        self.kinds.is_empty() || self.kinds.iter().any(|[one, other]| one == first && other == second)
    }

    /// The pairs of entities of a document that are related, each by positions.
    fn related(&self, document: &Document) -> BTreeSet<[usize; 2]> {
        let own = document.relations.iter().filter(|related| self.is_positive(&related.kind));
        own.flat_map(|related| {
            let [first, second] = related.ends;
            [Some([first, second]), (!self.has_direction(related)).then_some([second, first])]
                .into_iter()
                .flatten()
        })
        .collect()
    }

    /// The examples of a document: pairs within so many sentences.
    pub(crate) fn examples(
        &self,
        document: &Document,
        sentences: &[AnalysedSentence],
        (candidates, window): (Candidates, usize),
        name: &dyn Fn(&Entity) -> String,
    ) -> DocumentExamples {
        let mut of_sentences = Vec::with_capacity(sentences.len());
        // A phrase can be the mention of several entities.
        let mut places: BTreeMap<usize, Place> = BTreeMap::new();
        for (number, sentence) in sentences.iter().enumerate() {
            let (mentions, of_entities) = match candidates {
                Candidates::Entities => self.entities(document, sentence, name),
                Candidates::Phrases => noun_phrases(document, sentence),
            };
            places.extend(of_entities.into_iter().map(|(entity, at)| (entity, (number, at))));
            of_sentences.push(Examples { mentions, pairs: Vec::new() });
        }
        let place = |[one, other]: [usize; 2]| -> Option<[Place; 2]> {
            let ends = [*places.get(&one)?, *places.get(&other)?];
            (ends[0] != ends[1] && ends[0].0.abs_diff(ends[1].0) < window).then_some(ends)
        };
        let positive: BTreeSet<[Place; 2]> = self.related(document).into_iter().filter_map(place).collect();
        let own = document.relations.iter().filter(|related| self.is_positive(&related.kind));
        let ends = own.map(|related| match (related.ends, self.has_direction(related)) {
            (ends, true) => ends,
            ([one, other], false) => [one.min(other), one.max(other)],
        });
        let lost: BTreeSet<[usize; 2]> = ends.filter(|&ends| place(ends).is_none()).collect();
        let said = document.unclear.iter().filter(|said| self.is_positive(&said.kind));
        let pairs =
            said.filter_map(|said| place(said.ends)).flat_map(|[one, other]| [[one, other], [other, one]]);
        // Without relations there is nothing to learn from: then all pairs can be scored.
        let unclear: BTreeSet<[Place; 2]> = match self.kinds.is_empty() {
            true => BTreeSet::new(),
            false => pairs.filter(|pair| !positive.contains(pair)).collect(),
        };
        let (of_lost, crossing) = (lost.len(), Vec::new());
        let mut examples = DocumentExamples { of_sentences, crossing, lost: of_lost, unclear: 0 };
        self.pair(&mut examples, [&positive, &unclear], (candidates, window));
        examples
    }

    /// Makes all pairs within so many sentences, but for those of which it is unclear whether they are related.
    fn pair(
        &self,
        examples: &mut DocumentExamples,
        [positive, unclear]: [&BTreeSet<[Place; 2]>; 2],
        (candidates, window): (Candidates, usize),
    ) {
        let n_sentences = examples.of_sentences.len();
        let is_candidate = |one: &Mention, other: &Mention| {
            candidates == Candidates::Phrases || self.may_relate(&one.kind, &other.kind)
        };
        let mut left_out: BTreeSet<[Place; 2]> = BTreeSet::new();
        for first in 0..n_sentences {
            for last in first..n_sentences.min(first + window) {
                let mut pairs = Vec::new();
                let mut add = |one: Place, other: Place| {
                    let [one_of, other_of] =
                        [one, other].map(|(of, at)| &examples.of_sentences[of].mentions[at]);
                    if is_candidate(one_of, other_of) && unclear.contains(&[one, other]) {
                        left_out.insert([one.min(other), one.max(other)]);
                    } else if is_candidate(one_of, other_of) {
                        pairs.push(([one, other], positive.contains(&[one, other])));
                    }
                };
                for one in 0..examples.of_sentences[first].mentions.len() {
                    for other in 0..examples.of_sentences[last].mentions.len() {
                        if first != last || (if self.is_directed { one != other } else { one < other }) {
                            add((first, one), (last, other));
                        }
                        if first != last && self.is_directed {
                            add((last, other), (first, one));
                        }
                    }
                }
                if first == last {
                    let own = |([one, other], is_related): ([Place; 2], bool)| ([one.1, other.1], is_related);
                    examples.of_sentences[first].pairs = pairs.into_iter().map(own).collect();
                } else if !pairs.is_empty() {
                    examples.crossing.push(Crossing { sentences: [first, last], pairs });
                }
            }
        }
        examples.unclear = left_out.len();
    }

    /// The entities of a sentence, in their order there; with them which mention each entity is.
    fn entities(
        &self,
        document: &Document,
        sentence: &AnalysedSentence,
        name: &dyn Fn(&Entity) -> String,
    ) -> (Vec<Mention>, Vec<(usize, usize)>) {
        let within = |entity: &Entity| {
            let extent = entity.extent();
            sentence.range.start <= extent.start && extent.end <= sentence.range.end
        };
        let own = document.entities.iter().enumerate().filter(|(_, entity)| within(entity));
        let mut own: Vec<(usize, Mention)> = own
            .filter_map(|(at, entity)| {
                let (first, last) = positions(&sentence.tokens, &entity.ranges)?;
                let kind = self.kind(entity).to_owned();
                Some((
                    at,
                    Mention {
                        id: name(entity),
                        kind,
                        first,
                        last,
                        at: document.places.get(at).copied().unwrap_or(document.at),
                    },
                ))
            })
            .collect();
        own.sort_by(|(one_at, one), (other_at, other)| {
            (one.first, one.last, one_at).cmp(&(other.first, other.last, other_at))
        });
        let of_entities = own.iter().enumerate().map(|(at, (entity, _))| (*entity, at)).collect();
        (own.into_iter().map(|(_, mention)| mention).collect(), of_entities)
    }
}

/// The noun phrases of a sentence; with them which phrase each entity stands in. An entity over several is that of the last, which
/// usually holds its main noun. [GLEANER §4.4]
fn noun_phrases(document: &Document, sentence: &AnalysedSentence) -> (Vec<Mention>, Vec<(usize, usize)>) {
    let nouns = sentence.phrases.iter().filter(|phrase| phrase.kind == PhraseKind::Noun);
    let mentions: Vec<Mention> = nouns
        .enumerate()
        .map(|(number, phrase)| Mention {
            id: format!("{}.np{number}", sentence.id),
            kind: PhraseKind::Noun.name().to_owned(),
            first: phrase.tokens.start,
            last: phrase.tokens.end - 1,
            at: document.at,
        })
        .collect();
    let phrase_of = |(at, entity): (usize, &Entity)| {
        let (first, last) = positions(&sentence.tokens, &entity.ranges)?;
        Some((at, mentions.iter().rposition(|mention| mention.first <= last && first <= mention.last)?))
    };
    let of_entities = document.entities.iter().enumerate().filter_map(phrase_of).collect();
    (mentions, of_entities)
}

/// The first and the last token that lie in the ranges.
fn positions(tokens: &[Token], ranges: &[std::ops::Range<usize>]) -> Option<(usize, usize)> {
    let is_inside = |token: &Token| {
        ranges.iter().any(|range| range.start < token.range.end && token.range.start < range.end)
    };
    let first = tokens.iter().position(is_inside)?;
    Some((first, tokens.iter().rposition(is_inside)?))
}

/// The kinds of entities that are roles: all entities of the kind are ends of relations, always the same end, and other kinds are
/// the other end alone. Such a kind tells who is related, and nobody knows it before.
fn roles(corpus: &Corpus) -> BTreeSet<String> {
    /// How many entities of a kind there are, how many are a first and a second end, and how many are no end.
    #[derive(Default)]
    struct Ends {
        first: usize,
        second: usize,
        none: usize,
    }
    let mut ends: BTreeMap<&str, Ends> = BTreeMap::new();
    for document in &corpus.documents {
        let firsts: BTreeSet<usize> = document.relations.iter().map(|related| related.ends[0]).collect();
        let seconds: BTreeSet<usize> = document.relations.iter().map(|related| related.ends[1]).collect();
        for (at, entity) in document.entities.iter().enumerate() {
            let of = ends.entry(&entity.kind).or_default();
            of.first += usize::from(firsts.contains(&at));
            of.second += usize::from(seconds.contains(&at));
            of.none += usize::from(!firsts.contains(&at) && !seconds.contains(&at));
        }
    }
    // With one kind alone there is nothing to tell apart.
    let is_told = ends.len() > 1 && ends.values().all(|of| of.none == 0);
    let is_one_end = |of: &Ends| of.first == 0 || of.second == 0;
    if is_told && ends.values().filter(|of| is_one_end(of)).count() > 1 {
        ends.into_keys().map(str::to_owned).collect()
    } else {
        BTreeSet::new()
    }
}

#[cfg(test)]
mod tests {
    use super::Scheme;
    use crate::corpus::{Corpus, Document, Entity, Relation};

    /// Where some relations have a direction, those without one still hold in both orders.
    #[test]
    fn relations_without_direction_hold_in_both_orders() {
        let entity = |id: &str, at: usize| Entity {
            id: id.to_owned(),
            kind: if id == "c" { "gene" } else { "protein" }.to_owned(),
            ranges: std::iter::once(at..at + 1).collect(),
        };
        let relation =
            |ends, is_directed| Relation { kind: "r".to_owned(), ends, is_directed, has_order: false };
        let document = Document {
            text: "a b c d".to_owned(),
            entities: vec![entity("a", 0), entity("b", 2), entity("c", 4), entity("d", 6)],
            relations: vec![relation([0, 1], false), relation([0, 2], true)],
            ..Document::default()
        };
        let corpus = Corpus { documents: vec![document.clone()] };
        let scheme = Scheme::of(&corpus, None, false);
        assert!(scheme.is_directed);
        assert!(scheme.related(&document).into_iter().eq([[0, 1], [0, 2], [1, 0]]));
        assert!(scheme.may_relate("protein", "gene") && !scheme.may_relate("gene", "protein"));
    }

    /// Ends that a corpus gives in an order are directed if that is asked for; an equivalence never is.
    #[test]
    fn the_order_of_ends_is_a_direction_if_it_is_asked_for() {
        let entity = |id: &str, at: usize| Entity {
            id: id.to_owned(),
            kind: String::new(),
            ranges: std::iter::once(at..at + 1).collect(),
        };
        let relation =
            |ends, has_order| Relation { kind: "r".to_owned(), ends, is_directed: false, has_order };
        let document = Document {
            text: "a b c".to_owned(),
            entities: vec![entity("a", 0), entity("b", 2), entity("c", 4)],
            relations: vec![relation([2, 1], true), relation([0, 1], false)],
            ..Document::default()
        };
        let corpus = Corpus { documents: vec![document.clone()] };
        for (takes_order, related) in
            [(false, vec![[0, 1], [1, 0], [1, 2], [2, 1]]), (true, vec![[0, 1], [1, 0], [2, 1]])]
        {
            let scheme = Scheme::of(&corpus, None, takes_order);
            assert_eq!(scheme.is_directed, takes_order);
            assert!(scheme.related(&document).into_iter().eq(related), "{takes_order}");
        }
    }
}
