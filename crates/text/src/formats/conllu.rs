//! CoNLL-U: sentences of tokens with lemmas, parts of speech and dependency arcs. A token is a line of ten fields, with
//! tabs between.
//!
//! ```text
//! # newdoc id = d1
//! # sent_id = s1
//! # text = SigK binds GerE.
//! # entity = e1 protein 1-1
//! # entity = e2 protein 3-3
//! # relation = binds e1 e2
//! 1   SigK    SigK    PROPN   _   _   2   nsubj   _   _
//! 2   binds   bind    VERB    _   _   0   root    _   _
//! 3   GerE    GerE    PROPN   _   _   2   obj     _   SpaceAfter=No
//! 4   .       .       PUNCT   _   _   2   punct   _   _
//! ```
//!
//! - `# newdoc` begins a document. What stands before the first is a document called as the file.
//! - `# text` is the text of a sentence, and its tokens are found in it in order, with only white space between.
//!   Without it, tokens are joined by blanks, but for those with `SpaceAfter=No`. Sentences are joined by line feeds.
//! - A token over several words, as `1-2`, is found in the text in their place. If the words joined are the token, each
//!   has its part; else each stands where the whole token does. Empty nodes, as `1.1`, are skipped.
//! - The type of an arc is in lower case. An arc without one is called `dep`.
//! - CoNLL-U has no entities, so this reader has its own comments. `# entity = ID TYPE FIRST-LAST` gives the numbers of
//!   the first and the last word in the sentence. `# relation = TYPE ID1 ID2` is directed, unless `undirected` follows.
//!   It may relate entities of two sentences of a document.
//! - Or the last field of a word has `NER=B-protein` or `Entity=B-protein`, and of the words that go on with it
//!   `NER=I-protein`. `O` is none; of two such tags the first counts, and other notations are refused. Such entities are
//!   called by their sentence and number, as `s1.e0`.
//! - Skipped are language-specific tags, features, enhanced arcs, all else in the last field, and other comments.

use std::mem::take;
use std::ops::Range;
use std::path::Path;

use gleaner_lang::syntax::{Diagnostic, FileId, Sources, Span};

use super::shared::{DocumentBuilder, lines, malformed, misplaced};
use crate::corpus::{Document, Entity, GivenToken, Sentence};

/// Reads a file.
pub(super) fn read(path: &Path, sources: &mut Sources) -> Result<Vec<Document>, Vec<Diagnostic>> {
    let file = sources.load(path).map_err(|fault| vec![fault])?;
    let mut reading = Reading {
        file,
        name: path.file_stem().unwrap_or_default().to_string_lossy().into_owned(),
        n_documents: 0,
        builder: None,
        relations: Vec::new(),
        sentence: GivenSentence::default(),
        documents: Vec::new(),
        faults: Vec::new(),
    };
    for (span, line) in lines(sources.get(file).text()) {
        let read = match line.strip_prefix('#') {
            Some(comment) => reading.comment(span, comment),
            None if line.trim().is_empty() => reading.end_sentence(),
            None => reading.sentence.line(file, span, line),
        };
        if let Err(fault) = read {
            // What follows may not be divided rightly.
            reading.faults.push(fault);
            return Err(reading.faults);
        }
    }
    if let Err(fault) = reading.end_sentence() {
        reading.faults.push(fault);
    }
    reading.end_document();
    if reading.faults.is_empty() { Ok(reading.documents) } else { Err(reading.faults) }
}

struct Reading<'t> {
    file: FileId,
    /// What the file is called.
    name: String,
    n_documents: usize,
    builder: Option<DocumentBuilder>,
    /// What relations of the document say.
    relations: Vec<(Span, &'t str)>,
    sentence: GivenSentence<'t>,
    documents: Vec<Document>,
    faults: Vec<Diagnostic>,
}

/// A sentence as the file has it.
#[derive(Default)]
struct GivenSentence<'t> {
    id: Option<&'t str>,
    text: Option<(Span, &'t str)>,
    /// What its entities say.
    entities: Vec<(Span, &'t str)>,
    words: Vec<Word<'t>>,
    surfaces: Vec<Surface<'t>>,
}

/// A syntactic word.
struct Word<'t> {
    span: Span,
    form: &'t str,
    lemma: &'t str,
    tag: &'t str,
    head: &'t str,
    arc: &'t str,
    /// What else is said of it.
    others: &'t str,
}

/// What stands in the text for a word, or for several.
struct Surface<'t> {
    span: Span,
    form: &'t str,
    words: Range<usize>,
    has_space_after: bool,
}

impl<'t> Reading<'t> {
    fn comment(&mut self, span: Span, comment: &'t str) -> Result<(), Diagnostic> {
        if !self.sentence.words.is_empty() {
            return Err(malformed(self.file, span, "a comment stands within a sentence")
                .with_help("end the sentence before it by an empty line"));
        }
        let (key, value) = comment.split_once('=').unwrap_or((comment, ""));
        let value = value.trim();
        match key.trim() {
            "newdoc" | "newdoc id" => {
                self.end_document();
                self.begin_document(value);
            }
            "sent_id" => self.sentence.id = Some(value),
            "text" => self.sentence.text = Some((span, value)),
            "entity" => self.sentence.entities.push((span, value)),
            "relation" => self.relations.push((span, value)),
            _ => {}
        }
        Ok(())
    }

    fn begin_document(&mut self, id: &str) {
        self.n_documents += 1;
        let number = id.is_empty().then_some(self.n_documents);
        let id = if id.is_empty() { self.name.clone() } else { id.to_owned() };
        self.builder = Some(DocumentBuilder::new(Document { id, number, ..Document::default() }, self.file));
    }

    fn end_document(&mut self) {
        if self.builder.is_none() && !self.relations.is_empty() {
            self.begin_document("");
        }
        let Some(mut builder) = self.builder.take() else { return };
        for (span, relation) in take(&mut self.relations) {
            let mut words = relation.split_whitespace();
            match [(); 5].map(|()| words.next()) {
                [Some(kind), Some(first), Some(second), None, _] => {
                    builder.relation(kind, [first, second], true, span);
                }
                [Some(kind), Some(first), Some(second), Some("undirected"), None] => {
                    builder.relation(kind, [first, second], false, span);
                }
                _ => builder.misplaced(span, "this is no relation", "write it as # relation = binds e1 e2"),
            }
        }
        builder.finish(&mut self.documents, &mut self.faults);
    }

    fn end_sentence(&mut self) -> Result<(), Diagnostic> {
        let sentence = take(&mut self.sentence);
        if sentence.words.is_empty() {
            let lost = sentence.text.iter().chain(&sentence.entities).next();
            return lost.map_or(Ok(()), |(span, _)| {
                Err(malformed(self.file, *span, "a sentence has no tokens")
                    .with_help("write its tokens right after its comments"))
            });
        }
        if self.builder.is_none() {
            self.begin_document("");
        }
        // It was made right before.
        self.builder.as_mut().map_or(Ok(()), |builder| sentence.add_to(builder, self.file))
    }
}

impl<'t> GivenSentence<'t> {
    /// Reads the line of a token.
    fn line(&mut self, file: FileId, span: Span, line: &'t str) -> Result<(), Diagnostic> {
        const NUMBERS: &str = "number the words of each sentence from 1, and end it by an empty line";
        let fields: Vec<&str> = line.split('\t').collect();
        let [number, form, lemma, tag, _, _, head, arc, _, others] = fields[..] else {
            let what = format!("a token has {} fields", fields.len());
            return Err(malformed(file, span, what).with_help("write ten, with tabs between, and _ for none"));
        };
        if form.trim().is_empty() {
            return Err(
                malformed(file, span, "a token has no form").with_help("write what stands in the text")
            );
        }
        let wrong = || malformed(file, span, format!("{number} is not the next word")).with_help(NUMBERS);
        let is_digits = |text: &str| !text.is_empty() && text.bytes().all(|sign| sign.is_ascii_digit());
        if number.split_once('.').is_some_and(|(word, empty)| is_digits(word) && is_digits(empty)) {
            return Ok(());
        }
        let n_words = self.words.len();
        let n_covered = self.surfaces.last().map_or(0, |last| last.words.end);
        let has_space_after = !others.split('|').any(|other| other == "SpaceAfter=No");
        let mut surface = |words| self.surfaces.push(Surface { span, form, words, has_space_after });
        if let Some((first, last)) = number.split_once('-') {
            let (Ok(first), Ok(last)) = (first.parse::<usize>(), last.parse::<usize>()) else {
                return Err(wrong());
            };
            if first != n_words + 1 || last < first || n_covered > n_words {
                return Err(wrong());
            }
            surface(n_words..last);
            return Ok(());
        }
        if number.parse() != Ok(n_words + 1) {
            return Err(wrong());
        }
        if n_covered == n_words {
            surface(n_words..n_words + 1);
        }
        self.words.push(Word { span, form, lemma, tag, head, arc, others });
        Ok(())
    }

    /// Adds the sentence to a document, with what does not fit its text as faults there.
    fn add_to(&self, builder: &mut DocumentBuilder, file: FileId) -> Result<(), Diagnostic> {
        let first_word = builder.document.tokens.len();
        let ranges = self.ranges(&mut builder.document, file)?;
        for (word, range) in self.words.iter().zip(&ranges) {
            let token = GivenToken {
                range: range.clone(),
                lemma: given(word.lemma),
                tag: given(word.tag).map(|tag| tag.to_lowercase()),
                arc: self.arc(word, first_word, file)?,
            };
            builder.document.tokens.push(token);
        }
        self.marked(builder, &ranges);
        self.tagged(builder, &ranges);
        Ok(())
    }

    /// Adds the text, and says where in it the words stand.
    fn ranges(&self, document: &mut Document, file: FileId) -> Result<Vec<Range<usize>>, Diagnostic> {
        if !document.text.is_empty() {
            document.text.push('\n');
        }
        let start = document.text.len();
        let text = self.text.map_or_else(|| self.joined(), |(_, text)| text.to_owned());
        document.text.push_str(&text);
        document
            .sentences
            .push(Sentence { id: self.id.map(str::to_owned), range: start..document.text.len() });
        let mut ranges = Vec::with_capacity(self.words.len());
        let mut rest = text.as_str();
        for surface in &self.surfaces {
            rest = rest.trim_start();
            let at = document.text.len() - rest.len();
            rest = rest.strip_prefix(surface.form).ok_or_else(|| {
                let next: String = rest.chars().take(20).collect();
                let what = format!(
                    "the token {} is not the next of the text, which goes on as {next:?}",
                    surface.form
                );
                misplaced(file, surface.span, what)
                    .with_help("write the tokens of # text in its order, and all")
            })?;
            let words = self.words.get(surface.words.clone()).ok_or_else(|| {
                malformed(
                    file,
                    surface.span,
                    format!("{} is a token of words that are not there", surface.form),
                )
                .with_help("write the words after it")
            })?;
            let is_divided = words.iter().map(|word| word.form).collect::<String>() == surface.form;
            let mut start = at;
            for word in words {
                ranges.push(if is_divided {
                    start..start + word.form.len()
                } else {
                    at..at + surface.form.len()
                });
                start += word.form.len();
            }
        }
        match self.text {
            Some((span, _)) if !rest.trim().is_empty() => {
                Err(misplaced(file, span, format!("no token stands for {rest:?} at the end of the text"))
                    .with_help("write the tokens of # text in its order, and all"))
            }
            _ => Ok(ranges),
        }
    }

    /// The text of a sentence that gives none.
    fn joined(&self) -> String {
        let mut text = String::new();
        for (at, surface) in self.surfaces.iter().enumerate() {
            text.push_str(surface.form);
            if surface.has_space_after && at + 1 < self.surfaces.len() {
                text.push(' ');
            }
        }
        text
    }

    fn arc(
        &self,
        word: &Word<'_>,
        first_word: usize,
        file: FileId,
    ) -> Result<Option<(usize, String)>, Diagnostic> {
        if matches!(word.head, "0" | "_") {
            return Ok(None);
        }
        let head = word.head.parse().ok().filter(|head| (1..=self.words.len()).contains(head));
        let head = head.ok_or_else(|| {
            misplaced(file, word.span, format!("the head {} is no word of the sentence", word.head))
                .with_help("write the number of a word of the sentence, 0 for the root, or _")
        })?;
        let name = given(word.arc).unwrap_or_else(|| "dep".to_owned());
        Ok(Some((first_word + head - 1, name.to_lowercase())))
    }

    /// Adds the entities of comments.
    fn marked(&self, builder: &mut DocumentBuilder, ranges: &[Range<usize>]) {
        for &(span, entity) in &self.entities {
            let mut words = entity.split_whitespace();
            let [Some(id), Some(kind), Some(place), None] = [(); 4].map(|()| words.next()) else {
                let help = "write it as # entity = e1 protein 1-2";
                builder.misplaced(span, "this is no entity", help);
                continue;
            };
            let (first, last) = place.split_once('-').unwrap_or((place, place));
            let number = |text: &str| text.parse::<usize>().ok()?.checked_sub(1);
            let place = number(first).zip(number(last)).filter(|(first, last)| first <= last);
            let found = place.and_then(|(first, last)| Some(ranges.get(first)?.start..ranges.get(last)?.end));
            let Some(range) = found else {
                let what = format!("the entity {id} stands at no words of the sentence");
                builder.misplaced(span, what, "write the numbers of its first and last word, as 1-2");
                continue;
            };
            let entity = Entity { id: id.to_owned(), kind: kind.to_owned(), ranges: vec![range] };
            builder.entity(entity, None, span);
        }
    }

    /// Adds the entities of tags.
    fn tagged(&self, builder: &mut DocumentBuilder, ranges: &[Range<usize>]) {
        let number = builder.document.sentences.len() - 1;
        let name = self.id.map_or_else(|| format!("s{number}"), str::to_owned);
        let mut found: Vec<(Span, &str, Range<usize>)> = Vec::new();
        let mut is_open = false;
        for (word, range) in self.words.iter().zip(ranges) {
            let others = word.others.split('|').filter_map(|other| other.split_once('='));
            let tag = others.filter(|(key, _)| matches!(*key, "NER" | "Entity")).map(|(_, tag)| tag).next();
            let tag = tag.unwrap_or("O");
            match (tag.split_once('-'), found.last_mut()) {
                (None, _) if tag == "O" => is_open = false,
                (Some(("B", kind)), _) => {
                    found.push((word.span, kind, range.clone()));
                    is_open = true;
                }
                (Some(("I", kind)), Some((_, open, whole))) if is_open && *open == kind => {
                    whole.end = range.end;
                }
                _ => {
                    let what = format!("the tag {tag} begins and continues no entity");
                    let help =
                        "write B-TYPE at the first word of an entity, I-TYPE at its others, and O elsewhere";
                    builder.misplaced(word.span, what, help);
                    is_open = false;
                }
            }
        }
        for (number, (span, kind, range)) in found.into_iter().enumerate() {
            let entity =
                Entity { id: format!("{name}.e{number}"), kind: kind.to_owned(), ranges: vec![range] };
            builder.entity(entity, None, span);
        }
    }
}

/// What a field holds, if anything.
fn given(field: &str) -> Option<String> {
    (field != "_").then(|| field.to_owned())
}
