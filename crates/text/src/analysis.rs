//! Sentences with their tokens and phrases: those of the corpus where it gives them, else found in the text.

use std::ops::Range;

use rust_stemmers::{Algorithm, Stemmer};

use crate::corpus::Document;
use crate::phrases::{Phrase, phrases};
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
