//! Facts about sentences, as text.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use gleaner_lang::syntax::quote_atom;

use crate::analysis::AnalysedSentence;
use crate::candidates::{Candidates, Examples, Mention};
use crate::corpus::Document;
use crate::shapes::shapes;

/// Writes facts to a text.
pub(crate) struct Facts<'t> {
    text: &'t mut String,
}

/// A value of a fact.
enum Value<'v> {
    Name(&'v str),
    Number(usize),
}

use Value::{Name, Number};

impl<'t> Facts<'t> {
    pub(crate) const fn new(text: &'t mut String) -> Self {
        Self { text }
    }

    fn fact(&mut self, predicate: &str, values: &[Value<'_>]) {
        self.text.push_str(predicate);
        for (at, value) in values.iter().enumerate() {
            self.text.push(if at == 0 { '(' } else { ',' });
            match value {
                Name(name) => self.text.push_str(&quote_atom(name)),
                Number(number) => write!(self.text, "{number}").expect("writing to memory does not fail"),
            }
        }
        self.text.push_str(").\n");
    }

    /// The facts of a sentence that has examples. The words of entities are their kinds: which protein it is tells little, that it
    /// is one tells much.
    pub(crate) fn sentence(
        &mut self,
        document: &Document,
        sentence: &AnalysedSentence,
        examples: &Examples,
        candidates: Candidates,
        dictionaries: &BTreeMap<String, BTreeSet<String>>,
    ) {
        let id = sentence.id.as_str();
        let text = &document.text[sentence.range.clone()];
        self.fact("sentence", &[Name(id), Name(text)]);
        let inside =
            |at: usize| examples.mentions.iter().find(|mention| (mention.first..=mention.last).contains(&at));
        for (at, token) in sentence.tokens.iter().enumerate() {
            let word = &document.text[token.range.clone()];
            let mention = inside(at);
            let kind = mention
                .filter(|_| candidates == Candidates::Entities)
                .map(|mention| format!("<{}>", mention.kind));
            let stem = kind.as_deref().unwrap_or(&token.stem);
            self.fact("token", &[Name(id), Number(at), Name(stem), Name(token.tag.name())]);
            for shape in mention.iter().flat_map(|_| shapes(word)) {
                self.fact("shape", &[Name(id), Number(at), Name(shape)]);
            }
            for (name, _) in dictionaries.iter().filter(|(_, words)| words.contains(&token.stem)) {
                self.fact("listed", &[Name(id), Number(at), Name(name)]);
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
            let Mention { id: name, kind, first, last } = mention;
            let (first, last) = (*first, *last);
            self.fact("mention", &[Name(name), Name(id), Number(first), Number(last), Name(kind)]);
            let extent = sentence.tokens[first].range.start..sentence.tokens[last].range.end;
            let characters = |at: usize| Number(document.text[sentence.range.start..at].chars().count());
            self.fact("span", &[Name(name), Name(id), characters(extent.start), characters(extent.end)]);
            self.fact("named", &[Name(name), Name(&document.text[extent].to_lowercase())]);
            for token in &sentence.tokens[first..=last] {
                self.fact("word_inside", &[Name(name), Name(&token.stem)]);
            }
        }
        for &([first, second], _) in &examples.pairs {
            let names = [first, second].map(|at| examples.mentions[at].id.as_str());
            self.fact("candidate", &[Name(names[0]), Name(names[1]), Name(id)]);
        }
    }

    /// An example.
    pub(crate) fn example(&mut self, target: &str, examples: &Examples, [first, second]: [usize; 2]) {
        let names = [first, second].map(|at| Name(examples.mentions[at].id.as_str()));
        self.fact(target, &names);
    }
}
