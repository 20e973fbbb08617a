//! Phrases of a sentence, side by side: each word is in one of them at most, as in [GLEANER §4.1.3].

use std::ops::Range;

use super::tags::Tag;

/// The kind of a phrase.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum PhraseKind {
    /// Nouns with what belongs to them.
    Noun,
    /// Verbs with their auxiliaries and adverbs.
    Verb,
    /// A preposition.
    Preposition,
    /// Adjectives or adverbs that stand alone.
    Modifier,
    /// A conjunction or anything else that is no punctuation.
    Other,
}

impl PhraseKind {
    /// Its name in facts.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Noun => "noun_phrase",
            Self::Verb => "verb_phrase",
            Self::Preposition => "preposition",
            Self::Modifier => "modifier",
            Self::Other => "other",
        }
    }
}

/// A phrase: its kind, and the positions of its tokens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Phrase {
    /// Its kind.
    pub(crate) kind: PhraseKind,
    /// The positions of its tokens in the sentence.
    pub(crate) tokens: Range<usize>,
}

/// The phrases of a sentence whose words have these parts of speech, ascending. Punctuation is in none.
pub(crate) fn phrases(tags: &[Tag]) -> Vec<Phrase> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < tags.len() {
        if matches!(tags[at], Tag::Punctuation | Tag::Symbol) {
            at += 1;
            continue;
        }
        let (kind, end) = match noun_phrase(tags, at) {
            Some(end) => (PhraseKind::Noun, end),
            None => other_phrase(tags, at),
        };
        found.push(Phrase { kind, tokens: at..end });
        at = end;
    }
    found
}

/// The end of the noun phrase that begins here: an article, what describes the nouns, and the nouns; or a pronoun.
fn noun_phrase(tags: &[Tag], start: usize) -> Option<usize> {
    if tags[start] == Tag::Pronoun {
        return Some(start + 1);
    }
    let has_article = tags[start] == Tag::Determiner;
    let first = start + usize::from(has_article);
    let mut end = None;
    for (at, tag) in tags.iter().enumerate().skip(first) {
        match tag {
            Tag::Noun | Tag::ProperNoun | Tag::Other => end = Some(at + 1),
            Tag::Number => end = if at > first || has_article { Some(at + 1) } else { end },
            Tag::Adjective => {}
            // "highly conserved" before a noun.
            Tag::Adverb if tags.get(at + 1) == Some(&Tag::Adjective) && (has_article || at > first) => {}
            // "activated kinase": a form of a verb between an article or an adjective and a noun.
            Tag::Verb if is_before_noun(tags, at) && (has_article || at > first) && end.is_none() => {}
            _ => break,
        }
    }
    end
}

fn is_before_noun(tags: &[Tag], at: usize) -> bool {
    matches!(tags.get(at + 1), Some(Tag::Noun | Tag::ProperNoun | Tag::Other | Tag::Adjective))
}

fn other_phrase(tags: &[Tag], start: usize) -> (PhraseKind, usize) {
    let run = |of: fn(Tag) -> bool| start + tags[start..].iter().take_while(|&&tag| of(tag)).count();
    let verbal = run(|tag| matches!(tag, Tag::Verb | Tag::Auxiliary | Tag::Particle | Tag::Adverb));
    if tags[start..verbal].iter().any(|tag| matches!(tag, Tag::Verb | Tag::Auxiliary)) {
        return (PhraseKind::Verb, verbal);
    }
    match tags[start] {
        Tag::Adposition | Tag::Subordinator => (PhraseKind::Preposition, start + 1),
        Tag::Adjective | Tag::Adverb => {
            (PhraseKind::Modifier, run(|tag| matches!(tag, Tag::Adjective | Tag::Adverb)))
        }
        _ => (PhraseKind::Other, start + 1),
    }
}

#[cfg(test)]
mod tests {
    use super::{PhraseKind, phrases};
    use crate::tags::Tag;

    fn said(sentence: &str) -> Vec<String> {
        let (words, tags): (Vec<&str>, Vec<Tag>) = sentence
            .split_whitespace()
            .map(|token| token.rsplit_once('/').expect("a tag"))
            .map(|(word, tag)| (word, Tag::named(tag)))
            .unzip();
        let shown = |phrase: super::Phrase| {
            let short = match phrase.kind {
                PhraseKind::Noun => "N",
                PhraseKind::Verb => "V",
                PhraseKind::Preposition => "P",
                PhraseKind::Modifier => "M",
                PhraseKind::Other => "O",
            };
            format!("{short}[{}]", words[phrase.tokens].join(" "))
        };
        phrases(&tags).into_iter().map(shown).collect()
    }

    #[test]
    fn sentences_are_divided_into_phrases() {
        assert_eq!(
            said("YRB1p/propn is/aux located/verb in/adp the/det cytosol/noun ./punct"),
            ["N[YRB1p]", "V[is located]", "P[in]", "N[the cytosol]"]
        );
        assert_eq!(
            said(
                "a/det highly/adv conserved/adj G/propn protein/noun and/cconj it/pron did/aux not/part bind/verb activated/verb Raf/propn"
            ),
            ["N[a highly conserved G protein]", "O[and]", "N[it]", "V[did not bind activated]", "N[Raf]"]
        );
        assert_eq!(said("the/det activated/verb kinase/noun"), ["N[the activated kinase]"]);
        assert_eq!(said("very/adv large/adj ,/punct the/det"), ["M[very large]", "O[the]"]);
    }

    #[test]
    fn phrases_are_side_by_side() {
        let all = [
            Tag::Adverb,
            Tag::Determiner,
            Tag::Verb,
            Tag::Noun,
            Tag::Particle,
            Tag::Number,
            Tag::Other,
            Tag::Pronoun,
        ];
        for seed in 0..4096_usize {
            let tags: Vec<Tag> = (0..4).map(|at| all[(seed >> (3 * at)) & 7]).collect();
            let mut end = 0;
            for phrase in phrases(&tags) {
                assert!(phrase.tokens.start == end && phrase.tokens.end > end, "{tags:?}");
                end = phrase.tokens.end;
            }
            assert_eq!(end, tags.len(), "{tags:?}");
        }
    }
}
