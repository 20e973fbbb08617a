//! Which pairs of a sentence are examples: of tagged entities, or of noun phrases. [GLEANER §4.1.2, §4.4]

use std::collections::{BTreeMap, BTreeSet};

use crate::analysis::{AnalysedSentence, Token};
use crate::corpus::{Corpus, Document, Entity};
use crate::phrases::PhraseKind;

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
}

/// The examples of a sentence.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Examples {
    pub(crate) mentions: Vec<Mention>,
    /// Pairs of positions among the mentions, with whether they are related.
    pub(crate) pairs: Vec<([usize; 2], bool)>,
}

impl Scheme {
    /// The scheme of a corpus whose relations of this kind, or of all kinds, are positive.
    pub(crate) fn of(corpus: &Corpus, relation: Option<&str>) -> Self {
        let kinds: BTreeSet<&str> =
            corpus.documents.iter().flat_map(|of| &of.entities).map(|entity| entity.kind.as_str()).collect();
        let mut scheme = Self {
            relation: relation.map(str::to_owned),
            roles: roles(corpus),
            has_kinds: kinds.len() > 1,
            ..Self::default()
        };
        for document in &corpus.documents {
            for related in &document.relations {
                if scheme.is_positive(&related.kind) {
                    scheme.is_directed |= related.is_directed;
                    let ends = related.ends.map(|end| scheme.kind(&document.entities[end]).to_owned());
                    if !related.is_directed {
                        scheme.kinds.insert([ends[1].clone(), ends[0].clone()]);
                    }
                    scheme.kinds.insert(ends);
                }
            }
        }
        scheme
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
            [Some([first, second]), (!related.is_directed).then_some([second, first])].into_iter().flatten()
        })
        .collect()
    }

    /// The examples of each sentence of a document, and how many of its relations are none of them.
    pub(crate) fn examples(
        &self,
        document: &Document,
        sentences: &[AnalysedSentence],
        candidates: Candidates,
        name: &dyn Fn(&Entity) -> String,
    ) -> (Vec<Examples>, usize) {
        let related = self.related(document);
        let mut found = BTreeSet::new();
        let examples = sentences.iter().map(|sentence| match candidates {
            Candidates::Entities => self.of_entities(document, sentence, &related, name, &mut found),
            Candidates::Phrases => self.of_phrases(document, sentence, &related, &mut found),
        });
        let examples = examples.collect();
        let unordered = |pairs: &BTreeSet<[usize; 2]>| {
            let sorted = |&[one, other]: &[usize; 2]| {
                if self.is_directed { [one, other] } else { [one.min(other), one.max(other)] }
            };
            pairs.iter().map(sorted).collect::<BTreeSet<_>>()
        };
        let lost = unordered(&related).difference(&unordered(&found)).count();
        (examples, lost)
    }

    fn of_entities(
        &self,
        document: &Document,
        sentence: &AnalysedSentence,
        related: &BTreeSet<[usize; 2]>,
        name: &dyn Fn(&Entity) -> String,
        found: &mut BTreeSet<[usize; 2]>,
    ) -> Examples {
        let within = |entity: &Entity| {
            let extent = entity.extent();
            sentence.range.start <= extent.start && extent.end <= sentence.range.end
        };
        let own = document.entities.iter().enumerate().filter(|(_, entity)| within(entity));
        let mut own: Vec<(usize, Mention)> = own
            .filter_map(|(at, entity)| {
                let (first, last) = positions(&sentence.tokens, &entity.ranges)?;
                Some((at, Mention { id: name(entity), kind: self.kind(entity).to_owned(), first, last }))
            })
            .collect();
        own.sort_by(|(one_at, one), (other_at, other)| {
            (one.first, one.last, one_at).cmp(&(other.first, other.last, other_at))
        });
        let mut pairs = Vec::new();
        for (one, (one_at, first)) in own.iter().enumerate() {
            for (other, (other_at, second)) in own.iter().enumerate() {
                let is_pair = if self.is_directed { one != other } else { one < other };
                if is_pair && self.may_relate(&first.kind, &second.kind) {
                    let is_related = related.contains(&[*one_at, *other_at]);
                    if is_related {
                        found.insert([*one_at, *other_at]);
                    }
                    pairs.push(([one, other], is_related));
                }
            }
        }
        Examples { mentions: own.into_iter().map(|(_, mention)| mention).collect(), pairs }
    }

    /// Noun phrases. An entity over several is that of the last, which usually holds its main noun. [GLEANER §4.4]
    fn of_phrases(
        &self,
        document: &Document,
        sentence: &AnalysedSentence,
        related: &BTreeSet<[usize; 2]>,
        found: &mut BTreeSet<[usize; 2]>,
    ) -> Examples {
        let nouns = sentence.phrases.iter().filter(|phrase| phrase.kind == PhraseKind::Noun);
        let mentions: Vec<Mention> = nouns
            .enumerate()
            .map(|(number, phrase)| Mention {
                id: format!("{}.np{number}", sentence.id),
                kind: PhraseKind::Noun.name().to_owned(),
                first: phrase.tokens.start,
                last: phrase.tokens.end - 1,
            })
            .collect();
        let phrase_of = |entity: usize| {
            let (first, last) = positions(&sentence.tokens, &document.entities[entity].ranges)?;
            mentions.iter().rposition(|mention| mention.first <= last && first <= mention.last)
        };
        let mut positive = BTreeSet::new();
        for &[one, other] in related {
            if let (Some(first), Some(second)) = (phrase_of(one), phrase_of(other))
                && first != second
            {
                positive.insert([first, second]);
                found.insert([one, other]);
            }
        }
        let mut pairs = Vec::new();
        for first in 0..mentions.len() {
            for second in 0..mentions.len() {
                if if self.is_directed { first != second } else { first < second } {
                    pairs.push(([first, second], positive.contains(&[first, second])));
                }
            }
        }
        Examples { mentions, pairs }
    }
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
        let relation = |ends, is_directed| Relation { kind: "r".to_owned(), ends, is_directed };
        let document = Document {
            text: "a b c d".to_owned(),
            entities: vec![entity("a", 0), entity("b", 2), entity("c", 4), entity("d", 6)],
            relations: vec![relation([0, 1], false), relation([0, 2], true)],
            ..Document::default()
        };
        let corpus = Corpus { documents: vec![document.clone()] };
        let scheme = Scheme::of(&corpus, None);
        assert!(scheme.is_directed);
        assert!(scheme.related(&document).into_iter().eq([[0, 1], [0, 2], [1, 0]]));
        assert!(scheme.may_relate("protein", "gene") && !scheme.may_relate("gene", "protein"));
    }
}
