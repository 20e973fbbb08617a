//! Sentences with their tokens and phrases: those of the corpus where it gives them, else found in the text.
//!
//! Phrases of a sentence, side by side: each word is in one of them at most, as in [GLEANER §4.1.3].

use std::ops::Range;

use rust_stemmers::{Algorithm, Stemmer};

use crate::corpus::Document;
use crate::tags::{Tag, tags};
use crate::tokens::{sentences, tokens};

/// A sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct AnalysedSentence {
    /// Its name, unique in the corpus.
    pub(crate) id: String,
    /// Its bytes in the document.
    pub(crate) range: Range<usize>,
    /// Its tokens, ascending.
    pub(crate) tokens: Vec<Token>,
    /// Its phrases, ascending.
    pub(crate) phrases: Vec<Phrase>,
}

/// A token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Token {
    /// Its bytes in the document.
    pub(crate) range: Range<usize>,
    /// Its stem in lower case, or the lemma that the corpus gives.
    pub(crate) stem: String,
    /// The stem of its word, where a lemma takes the place of that: lists of words are compared by stems.
    pub(crate) stem_of_word: Option<String>,
    /// Its part of speech.
    pub(crate) tag: Tag,
    /// The position of the token that governs it in the sentence, and the name of the arc, if the corpus gives it.
    pub(crate) arc: Option<(usize, String)>,
}

/// Divides texts. Cheap to make.
pub(crate) struct Analyser {
    stemmer: Stemmer,
    /// Whether tokens end where entities do: not where the task is to find the phrases that entities stand in.
    cuts_at_entities: bool,
    /// Whether sentences are called as the corpus calls them.
    keeps_names: bool,
}

impl Analyser {
    /// An analyser of English. With `cuts_at_entities`, a token ends where an entity begins or ends. With `keeps_names`,
    /// sentences are called as the corpus calls them, which needs different names.
    pub(crate) fn new(cuts_at_entities: bool, keeps_names: bool) -> Self {
        Self { stemmer: Stemmer::create(Algorithm::English), cuts_at_entities, keeps_names }
    }

    /// The sentences of a document. **Cost**: proportional to its text.
    pub(crate) fn sentences(&self, document: &Document) -> Vec<AnalysedSentence> {
        let given = document.sentences.iter().map(|sentence| (sentence.id.clone(), sentence.range.clone()));
        let mut ranges: Vec<(Option<String>, Range<usize>)> = given.collect();
        if ranges.is_empty() {
            ranges =
                joined(document, sentences(&document.text)).into_iter().map(|range| (None, range)).collect();
        }
        let mut cuts: Vec<usize> = Vec::new();
        if self.cuts_at_entities {
            let all = document.entities.iter().flat_map(|entity| &entity.ranges);
            cuts.extend(all.flat_map(|range| [range.start, range.end]));
            cuts.sort_unstable();
            cuts.dedup();
        }
        let sentence = |(number, (id, range)): (usize, (Option<String>, Range<usize>))| {
            let id = id.filter(|_| self.keeps_names).unwrap_or_else(|| format!("{}.s{number}", document.id));
            let tokens = if document.tokens.is_empty() {
                self.found(document, &range, &cuts)
            } else {
                self.given(document, &range)
            };
            let tags: Vec<Tag> = tokens.iter().map(|token| token.tag).collect();
            AnalysedSentence { id, range, phrases: phrases(&tags), tokens }
        };
        ranges.into_iter().enumerate().map(sentence).collect()
    }

    /// The tokens that are found in the text.
    fn found(&self, document: &Document, sentence: &Range<usize>, cuts: &[usize]) -> Vec<Token> {
        let text = &document.text[sentence.clone()];
        let inside: Vec<usize> =
            cuts.iter().filter(|&&at| sentence.contains(&at)).map(|at| at - sentence.start).collect();
        let ranges = tokens(text, &inside);
        let words: Vec<&str> = ranges.iter().map(|range| &text[range.clone()]).collect();
        let tags = tags(&words);
        let token = |((range, word), tag): ((&Range<usize>, &&str), Tag)| Token {
            range: sentence.start + range.start..sentence.start + range.end,
            stem: self.stem(word),
            stem_of_word: None,
            tag,
            arc: None,
        };
        ranges.iter().zip(&words).zip(tags).map(token).collect()
    }

    /// The tokens that the corpus gives.
    fn given(&self, document: &Document, sentence: &Range<usize>) -> Vec<Token> {
        let all = &document.tokens;
        let first = all.partition_point(|token| token.range.start < sentence.start);
        let own: Vec<_> = all[first..].iter().take_while(|token| token.range.end <= sentence.end).collect();
        let words: Vec<&str> = own.iter().map(|token| &document.text[token.range.clone()]).collect();
        let guessed = if own.iter().all(|token| token.tag.is_some()) { Vec::new() } else { tags(&words) };
        let token = |(at, given): (usize, &&crate::corpus::GivenToken)| Token {
            range: given.range.clone(),
            stem: given.lemma.as_ref().map_or_else(|| self.stem(words[at]), |lemma| lemma.to_lowercase()),
            stem_of_word: given.lemma.as_ref().map(|_| self.stem(words[at])),
            tag: given.tag.as_deref().map_or_else(|| guessed[at], Tag::named),
            arc: given.arc.as_ref().and_then(|(head, name)| Some((head.checked_sub(first)?, name.clone()))),
        };
        own.iter().enumerate().map(token).collect()
    }

    /// The stem of a word.
    fn stem(&self, word: &str) -> String {
        self.stemmer.stem(&word.to_lowercase()).into_owned()
    }
}

/// Sentences, where no entity goes over the end of one: a full stop in a name ends none.
fn joined(document: &Document, sentences: Vec<Range<usize>>) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::with_capacity(sentences.len());
    for sentence in sentences {
        let goes_over = |end: usize| {
            document.entities.iter().any(|entity| entity.extent().start < end && entity.extent().end > end)
        };
        match found.last_mut() {
            Some(last) if goes_over(last.end) => last.end = sentence.end,
            _ => found.push(sentence),
        }
    }
    found
}

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
    use crate::tags::Tag;

    use super::{PhraseKind, phrases};

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
