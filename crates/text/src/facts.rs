//! Facts about sentences.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Display, Formatter};

use gleaner_lang::syntax::{Place, quote_atom};

use crate::analysis::{AnalysedSentence, Token};
use crate::candidates::{Candidates, Crossing, DocumentExamples, Examples, Mention};
use crate::corpus::Document;
use crate::tokens::shapes;

/// A document whose facts are made.
pub(crate) struct Text<'d> {
    pub(crate) document: &'d Document,
    pub(crate) sentences: &'d [AnalysedSentence],
    pub(crate) candidates: Candidates,
    pub(crate) dictionaries: &'d BTreeMap<String, BTreeSet<String>>,
}

/// A fact about a text, or an example, with its place in the corpus. Shown, it is a line of a program.
#[derive(Clone, Copy, Debug)]
pub struct TextFact<'f> {
    /// What it is of a fold.
    pub part: FoldPart,
    /// The predicate.
    pub predicate: &'f str,
    /// The arguments.
    pub values: &'f [FactValue<'f>],
    /// Where the file has the entity that it is about first, or else the document.
    pub place: Place,
}

/// A part of a fold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FoldPart {
    /// Facts.
    Background,
    /// Examples that are related.
    Positives,
    /// Examples that are not.
    Negatives,
}

/// A value of a fact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FactValue<'v> {
    /// An atom.
    Name(&'v str),
    /// A whole number.
    Number(usize),
}

use FactValue::{Name, Number};

impl Display for TextFact<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(self.predicate)?;
        for (at, value) in self.values.iter().enumerate() {
            f.write_str(if at == 0 { "(" } else { "," })?;
            match value {
                Name(name) => f.write_str(&quote_atom(name))?,
                Number(number) => write!(f, "{number}")?,
            }
        }
        f.write_str(").\n")
    }
}

/// Makes the facts of a document.
pub(crate) struct Facts<'t> {
    /// Takes each.
    pub(crate) take: &'t mut dyn FnMut(&TextFact<'_>),
    /// The place of the facts that are made.
    pub(crate) place: Place,
    /// How many facts there were.
    pub(crate) n_facts: usize,
}

impl Facts<'_> {
    fn fact(&mut self, predicate: &str, values: &[FactValue<'_>]) {
        self.n_facts += 1;
        (self.take)(&TextFact { part: FoldPart::Background, predicate, values, place: self.place });
    }

    /// The facts of a sentence that has mentions of examples. The words of entities are their kinds: which protein it is tells little,
    /// that it is one tells much. `is_windowed` says whether arguments can be in different sentences.
    pub(crate) fn sentence(
        &mut self,
        text: &Text<'_>,
        sentence: &AnalysedSentence,
        examples: &Examples,
        is_windowed: bool,
    ) {
        let Text { document, .. } = *text;
        let id = sentence.id.as_str();
        self.place = examples.mentions.first().map_or(document.at, |mention| mention.at);
        self.fact("sentence", &[Name(id), Name(&document.text[sentence.range.clone()])]);
        for (at, token) in sentence.tokens.iter().enumerate() {
            let mention = examples.mention_at(at);
            self.token(text, id, (at, token), mention);
            for shape in mention.iter().flat_map(|_| shapes(&document.text[token.range.clone()])) {
                self.fact("shape", &[Name(id), Number(at), Name(shape)]);
            }
            if let Some((head, arc)) = &token.arc {
                self.fact("arc", &[Name(id), Number(at), Number(*head), Name(arc)]);
            }
        }
        for phrase in &sentence.phrases {
            let (first, last) = (phrase.tokens.start, phrase.tokens.end - 1);
            self.fact("phrase", &[Name(id), Name(phrase.kind.name()), Number(first), Number(last)]);
        }
        for mention in &examples.mentions {
            let Mention { id: name, kind, first, last, .. } = mention;
            let (first, last) = (*first, *last);
            self.place = mention.at;
            self.fact("mention", &[Name(name), Name(id), Number(first), Number(last), Name(kind)]);
            let extent = sentence.tokens[first].range.start..sentence.tokens[last].range.end;
            let characters = |at: usize| Number(document.text[sentence.range.start..at].chars().count());
            self.fact("span", &[Name(name), Name(id), characters(extent.start), characters(extent.end)]);
            self.fact("named", &[Name(name), Name(&document.text[extent].to_lowercase())]);
            let stems: BTreeSet<&str> =
                sentence.tokens[first..=last].iter().map(|token| token.stem.as_str()).collect();
            for stem in stems {
                self.fact("word_inside", &[Name(name), Name(stem)]);
            }
        }
        for &([first, second], _) in &examples.pairs {
            self.candidate([first, second].map(|at| &examples.mentions[at]), id, is_windowed.then_some(0));
        }
    }

    /// A pair that is an example, and how many sentences apart its arguments are, if they can be in different ones.
    fn candidate(&mut self, pair: [&Mention; 2], unit: &str, n_apart: Option<usize>) {
        self.place = pair[0].at;
        let [first, second] = pair.map(|mention| mention.id.as_str());
        self.fact("candidate", &[Name(first), Name(second), Name(unit)]);
        if let Some(n_apart) = n_apart {
            self.fact("sentences_apart", &[Name(first), Name(second), Number(n_apart)]);
        }
    }

    /// The facts of several sentences in a row that have examples over their ends. They are a unit of their own, with the tokens and
    /// phrases of all, numbered on.
    pub(crate) fn crossing(&mut self, text: &Text<'_>, document: &DocumentExamples, crossing: &Crossing) {
        let [from, to] = crossing.sentences;
        let unit = format!("{}+{}", text.sentences[from].id, to - from);
        let mut offset = 0;
        self.place =
            crossing.pairs.first().map_or(text.document.at, |(pair, _)| document.mention(pair[0]).at);
        for (sentence, examples) in text.sentences[from..=to].iter().zip(&document.of_sentences[from..=to]) {
            for (at, token) in sentence.tokens.iter().enumerate() {
                self.token(text, &unit, (offset + at, token), examples.mention_at(at));
            }
            for phrase in &sentence.phrases {
                let (first, last) = (phrase.tokens.start + offset, phrase.tokens.end - 1 + offset);
                self.fact("phrase", &[Name(&unit), Name(phrase.kind.name()), Number(first), Number(last)]);
            }
            for mention in &examples.mentions {
                let (first, last) = (mention.first + offset, mention.last + offset);
                self.fact("stands", &[Name(&mention.id), Name(&unit), Number(first), Number(last)]);
            }
            offset += sentence.tokens.len();
        }
        for (pair, _) in &crossing.pairs {
            self.candidate(pair.map(|place| document.mention(place)), &unit, Some(to - from));
        }
    }

    /// What a token is, and in which lists its word is. The words of entities are their kinds.
    fn token(
        &mut self,
        text: &Text<'_>,
        unit: &str,
        (at, token): (usize, &Token),
        mention: Option<&Mention>,
    ) {
        let kind = mention
            .filter(|_| text.candidates == Candidates::Entities)
            .map(|mention| format!("<{}>", mention.kind));
        let stem = kind.as_deref().unwrap_or(&token.stem);
        self.fact("token", &[Name(unit), Number(at), Name(stem), Name(token.tag.name())]);
        let stem = token.stem_of_word.as_ref().unwrap_or(&token.stem);
        for (name, _) in text.dictionaries.iter().filter(|(_, words)| words.contains(stem)) {
            self.fact("listed", &[Name(unit), Number(at), Name(name)]);
        }
    }

    /// An example.
    pub(crate) fn example(&mut self, predicate: &str, pair: [&Mention; 2], is_positive: bool) {
        let part = if is_positive { FoldPart::Positives } else { FoldPart::Negatives };
        let values = &pair.map(|mention| Name(mention.id.as_str()));
        (self.take)(&TextFact { part, predicate, values, place: pair[0].at });
    }
}
