//! What BioC says in XML and in JSON, and documents made of it.
//!
//! - Offsets count characters from the begin of the document; a passage or a sentence says where its text begins. Texts
//!   stand in ascending order and do not overlap.
//! - The text of a document is that of its passages, joined by empty lines. Sentences of a passage without a text are
//!   joined by blanks, where there are characters between them.
//! - Sentences are taken if they hold all words of all passages. Else all texts are divided anew: a whole passage is no
//!   sentence.
//! - The type of an annotation or a relation is its infon `type`; there may be none. Other infons are skipped.
//! - The text of an annotation with one location is compared with what stands there, unless it is empty. With several,
//!   it is not compared: writers differ in what they put between the parts.
//! - An annotation without a name is called by its position, as `a0`.
//! - A relation has two nodes or more, and the first is related with each other one. It is directed, from the first on,
//!   if the roles of the two differ.
//! - A relation without two nodes is refused, as those between concepts. So is one with a relation for a node.
//!
//! BioC in JSON: a collection, a document alone, several of these one after another, or a list of them.
//!
//! `{"documents": [{"id": "d1", "passages": [{"offset": 0, "text": "SigK binds GerE.", "annotations": [{"id": "T1",
//! "infons": {"type": "protein"}, "text": "SigK", "locations": [{"offset": 0, "length": 4}]}], "relations": [{"id":
//! "R1", "infons": {"type": "binds"}, "nodes": [{"refid": "T1", "role": "agent"}, …]}]}]}]}`. Other keys are skipped,
//! as the source and the date of a collection.

use std::iter::{once, repeat};
use std::mem::take;
use std::ops::Range;
use std::path::Path;

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::corpus::{Document, Entity, Sentence};
use gleaner_lang::syntax::{Diagnostic, FileId, Sources, Span};

use super::shared::{BYTE_ORDER_MARK, DocumentBuilder, Name, Places, is_same, malformed};

/// It ends a sentence, also where a title has no full stop.
const BETWEEN_PASSAGES: &str = "\n\n";

const COUNT: &str = "count characters, not bytes, and from the begin of the document";

/// A document as the file has it.
#[derive(Default)]
pub(super) struct GivenDocument {
    pub(super) id: Option<String>,
    /// What stands in the document itself, and then its passages.
    pub(super) passages: Vec<Passage>,
    pub(super) annotations: Vec<Annotation>,
    pub(super) relations: Vec<GivenRelation>,
}

#[derive(Default)]
pub(super) struct Passage {
    /// Its own text, or none.
    pub(super) own: Piece,
    pub(super) sentences: Vec<Piece>,
}

/// A text, and where it begins.
#[derive(Default)]
pub(super) struct Piece {
    pub(super) offset: Option<usize>,
    pub(super) text: String,
    pub(super) span: Span,
}

#[derive(Default, Deserialize)]
pub(super) struct Annotation {
    pub(super) id: Option<Name>,
    #[serde(default)]
    pub(super) infons: Infons,
    pub(super) text: Option<String>,
    #[serde(default)]
    pub(super) locations: Vec<Location>,
    #[serde(skip)]
    pub(super) span: Span,
}

#[derive(Default, Deserialize)]
pub(super) struct Infons {
    #[serde(rename = "type")]
    pub(super) kind: Option<Name>,
}

#[derive(Deserialize)]
pub(super) struct Location {
    pub(super) offset: usize,
    pub(super) length: usize,
}

#[derive(Default, Deserialize)]
pub(super) struct GivenRelation {
    pub(super) id: Option<Name>,
    #[serde(default)]
    pub(super) infons: Infons,
    #[serde(default)]
    pub(super) nodes: Vec<Node>,
    #[serde(skip)]
    pub(super) span: Span,
}

#[derive(Deserialize)]
pub(super) struct Node {
    pub(super) refid: Name,
    pub(super) role: Option<String>,
}

impl Infons {
    fn kind(&self) -> String {
        self.kind.as_ref().map(Name::text).unwrap_or_default()
    }
}

/// The documents of a file. Those without a name are called by what they say and their numbers.
pub(super) fn documents(
    given: &[GivenDocument],
    name: &str,
    file: FileId,
) -> Result<Vec<Document>, Vec<Diagnostic>> {
    let (mut documents, mut faults) = (Vec::new(), Vec::new());
    for (number, given) in (1..).zip(given) {
        let given_id = given.id.clone().filter(|id| !id.is_empty());
        let number = given_id.is_none().then_some(number);
        let id = given_id.unwrap_or_else(|| name.to_owned());
        let builder = DocumentBuilder::new(Document { id, number, ..Document::default() }, file);
        let mut texts = Texts { builder, pieces: Vec::new() };
        texts.passages(&given.passages);
        for (at, annotation) in given.annotations.iter().enumerate() {
            texts.annotation(annotation, at);
        }
        for relation in &given.relations {
            texts.relation(relation);
        }
        texts.builder.finish(&mut documents, &mut faults);
    }
    if faults.is_empty() { Ok(documents) } else { Err(faults) }
}

/// A document, and which of its characters stand where in the text.
struct Texts {
    builder: DocumentBuilder,
    /// Ascending, and none goes into another.
    pieces: Vec<PieceAt>,
}

struct PieceAt {
    offset: usize,
    /// Its first byte in the text.
    start: usize,
    places: Places,
}

impl Texts {
    fn passages(&mut self, passages: &[Passage]) {
        let n_signs = |piece: &Piece| piece.text.chars().filter(|sign| !sign.is_whitespace()).count();
        let mut is_divided = true;
        for passage in passages {
            let sentences = passage.sentences.iter().filter(|sentence| !sentence.text.is_empty());
            if passage.own.text.is_empty() {
                for (sentence, between) in sentences.zip(once(BETWEEN_PASSAGES).chain(repeat(" "))) {
                    let range = self.piece(sentence, between);
                    self.builder.document.sentences.push(Sentence { id: None, range });
                }
            } else {
                self.piece(&passage.own, BETWEEN_PASSAGES);
                is_divided &= sentences.clone().map(n_signs).sum::<usize>() == n_signs(&passage.own);
                sentences.for_each(|sentence| self.sentence(sentence));
            }
        }
        if !is_divided {
            self.builder.document.sentences.clear();
        }
    }

    /// Adds a text, after a sign that stands between it and the last.
    fn piece(&mut self, piece: &Piece, between: &str) -> Range<usize> {
        let end = self.pieces.last().map_or(0, PieceAt::end);
        let offset = piece.offset.unwrap_or(end);
        if piece.offset.is_none() {
            let help = "say how many characters of the document stand before it";
            self.builder.misplaced(piece.span, "a text has no offset", help);
        }
        if offset < end {
            let what = format!("a text begins at {offset}, and the one before it ends at {end}");
            self.builder.misplaced(piece.span, what, COUNT);
        }
        let text = &mut self.builder.document.text;
        if !text.is_empty() && (between == BETWEEN_PASSAGES || offset > end) {
            text.push_str(between);
        }
        let start = text.len();
        text.push_str(&piece.text);
        let range = start..text.len();
        self.pieces.push(PieceAt { offset, start, places: Places::of(&piece.text) });
        range
    }

    /// Adds a sentence of a passage that has a text of its own.
    fn sentence(&mut self, sentence: &Piece) {
        let length = sentence.text.chars().count();
        let range = sentence.offset.and_then(|offset| self.bytes(offset, length));
        let document = &mut self.builder.document;
        let end = document.sentences.last().map_or(0, |last| last.range.end);
        match range {
            Some(range) if range.start >= end && is_same(&document.text[range.clone()], &sentence.text) => {
                document.sentences.push(Sentence { id: None, range });
            }
            _ => {
                let what = format!("the sentence {} is not the next of its passage", sentence.text);
                self.builder.misplaced(sentence.span, what, COUNT);
            }
        }
    }

    fn annotation(&mut self, annotation: &Annotation, at: usize) {
        let id = annotation.id.as_ref().map_or_else(|| format!("a{at}"), Name::text);
        let mut ranges = Vec::new();
        for location in &annotation.locations {
            let Location { offset, length } = location;
            match self.bytes(*offset, *length) {
                Some(range) => ranges.push(range),
                None => {
                    let what = format!(
                        "the entity {id} stands at {offset}, {length} characters long, where no text is"
                    );
                    return self.builder.misplaced(annotation.span, what, COUNT);
                }
            }
        }
        if ranges.is_empty() {
            let help = "give it an offset and a length, or take it out of the file";
            return self.builder.misplaced(annotation.span, format!("the entity {id} has no location"), help);
        }
        let said = annotation.text.as_deref().filter(|said| ranges.len() == 1 && !said.is_empty());
        self.builder.entity(Entity { id, kind: annotation.infons.kind(), ranges }, said, annotation.span);
    }

    fn relation(&mut self, relation: &GivenRelation) {
        let [first, others @ ..] = relation.nodes.as_slice() else {
            return self.too_few(relation);
        };
        if others.is_empty() {
            self.too_few(relation);
        }
        for other in others {
            let ids = [first.refid.text(), other.refid.text()];
            let is_directed = first.role != other.role;
            let [one, two] = &ids;
            self.builder.relation(&relation.infons.kind(), [one, two], is_directed, relation.span);
        }
    }

    fn too_few(&mut self, relation: &GivenRelation) {
        let id = relation.id.as_ref().map(Name::text).unwrap_or_default();
        let help = "name the annotations that it relates in two nodes; relations of concepts are not read";
        self.builder.misplaced(relation.span, format!("the relation {id} has less than two nodes"), help);
    }

    /// The bytes of so many characters of the document; none where there is no text.
    fn bytes(&self, offset: usize, length: usize) -> Option<Range<usize>> {
        let last = offset.checked_add(length)?.checked_sub(1)?;
        (offset <= last).then_some(())?;
        let range = self.character(offset)?.start..self.character(last)?.end;
        (range.start < range.end).then_some(range)
    }

    /// The bytes of a character of the document.
    fn character(&self, at: usize) -> Option<Range<usize>> {
        let next = self.pieces.partition_point(|piece| piece.offset <= at);
        let piece = self.pieces.get(next.checked_sub(1)?)?;
        let within = at - piece.offset;
        piece.places.bytes(within, within + 1, piece.start)
    }
}

impl PieceAt {
    fn end(&self) -> usize {
        self.offset.saturating_add(self.places.n_characters())
    }
}

/// Reads a file.
pub(super) fn read(path: &Path, sources: &mut Sources) -> Result<Vec<Document>, Vec<Diagnostic>> {
    let file = sources.load(path).map_err(|fault| vec![fault])?;
    let reading = Reading { file, text: sources.get(file).text() };
    let given = reading.all().map_err(|fault| vec![fault])?;
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    documents(&given, &name, file)
}

#[derive(Deserialize)]
struct Collection<'t> {
    #[serde(borrow)]
    documents: Option<Vec<&'t RawValue>>,
}

/// A document, a passage or a sentence.
#[derive(Deserialize)]
struct Part<'t> {
    id: Option<Name>,
    offset: Option<usize>,
    text: Option<String>,
    #[serde(borrow)]
    passages: Option<Vec<&'t RawValue>>,
    #[serde(borrow)]
    sentences: Option<Vec<&'t RawValue>>,
    #[serde(borrow)]
    annotations: Option<Vec<&'t RawValue>>,
    #[serde(borrow)]
    relations: Option<Vec<&'t RawValue>>,
}

/// A text in which values keep their places.
struct Reading<'t> {
    file: FileId,
    text: &'t str,
}

impl<'t> Reading<'t> {
    fn all(&self) -> Result<Vec<GivenDocument>, Diagnostic> {
        let mut documents = Vec::new();
        let text = self.text.trim_start_matches(BYTE_ORDER_MARK);
        for value in serde_json::Deserializer::from_str(text).into_iter::<&RawValue>() {
            let value = value.map_err(|error| self.malformed(text, &error))?;
            let listed = if value.get().starts_with('[') { self.parsed(value)? } else { vec![value] };
            for value in listed {
                let collection: Collection<'_> = self.parsed(value)?;
                for document in collection.documents.unwrap_or_else(|| vec![value]) {
                    documents.push(self.document(document)?);
                }
            }
        }
        Ok(documents)
    }

    fn document(&self, value: &'t RawValue) -> Result<GivenDocument, Diagnostic> {
        let mut part: Part<'_> = self.parsed(value)?;
        if part.passages.is_none() && part.sentences.is_none() && part.text.is_none() {
            return Err(malformed(self.file, self.span(value.get()), "this is no document of BioC")
                .with_help(r#"a document is {"id": "d1", "passages": [...]}"#));
        }
        let mut document = GivenDocument { id: part.id.as_ref().map(Name::text), ..GivenDocument::default() };
        let passages = part.passages.take().unwrap_or_default();
        // A text of the document itself begins where it does.
        part.offset = Some(0);
        let own = self.passage(&mut part, value, &mut document)?;
        document.passages.push(own);
        let (annotations, relations) = (take(&mut document.annotations), take(&mut document.relations));
        for passage in passages {
            let read = self.passage(&mut self.parsed(passage)?, passage, &mut document)?;
            document.passages.push(read);
        }
        document.annotations.extend(annotations);
        document.relations.extend(relations);
        Ok(document)
    }

    fn passage(
        &self,
        part: &mut Part<'t>,
        value: &'t RawValue,
        document: &mut GivenDocument,
    ) -> Result<Passage, Diagnostic> {
        let mut sentences = Vec::new();
        for sentence in part.sentences.take().unwrap_or_default() {
            sentences.push(self.piece(&mut self.parsed(sentence)?, sentence, document)?);
        }
        Ok(Passage { own: self.piece(part, value, document)?, sentences })
    }

    /// The text of a part, after the document has got its annotations.
    fn piece(
        &self,
        part: &mut Part<'t>,
        value: &'t RawValue,
        document: &mut GivenDocument,
    ) -> Result<Piece, Diagnostic> {
        let span = self.span(value.get());
        if part.passages.is_some() || part.sentences.is_some() {
            return Err(malformed(self.file, span, "passages or sentences stand where none may be")
                .with_help("a document has passages, and these have sentences"));
        }
        for value in part.annotations.take().unwrap_or_default() {
            let annotation: Annotation = self.parsed(value)?;
            document.annotations.push(Annotation { span: self.span(value.get()), ..annotation });
        }
        for value in part.relations.take().unwrap_or_default() {
            let relation: GivenRelation = self.parsed(value)?;
            document.relations.push(GivenRelation { span: self.span(value.get()), ..relation });
        }
        Ok(Piece { offset: part.offset, text: part.text.take().unwrap_or_default(), span })
    }

    fn parsed<T: Deserialize<'t>>(&self, value: &'t RawValue) -> Result<T, Diagnostic> {
        serde_json::from_str(value.get()).map_err(|error| self.malformed(value.get(), &error))
    }

    /// Where a part of the text stands.
    fn span(&self, part: &str) -> Span {
        let start = part.as_ptr() as usize - self.text.as_ptr() as usize;
        Span::new(start, start + part.len())
    }

    /// The fault of a part of the text. The place says its line, so the message need not.
    fn malformed(&self, part: &str, error: &serde_json::Error) -> Diagnostic {
        let all = self.span(part);
        let before: usize =
            part.split_inclusive('\n').take(error.line().saturating_sub(1)).map(str::len).sum();
        let start = (all.start + before + error.column().saturating_sub(1)).min(all.end);
        let what = error.to_string();
        let what = what.split(" at line ").next().unwrap_or_default();
        malformed(self.file, Span::new(start, all.end), format!("this is no BioC: {what}"))
            .with_help(r#"a collection is {"documents": [{"id": "d1", "passages": [...]}]}"#)
    }
}
