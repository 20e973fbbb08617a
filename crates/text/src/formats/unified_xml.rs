//! The unified XML of interactions: a text for each sentence, entities by characters of it, and interactions between them.
//!
//! `<document id><sentence id text><entity id charOffset="0-4,8-9" type text/><interaction e1 e2 type/></sentence></document>`.
//! The end of an offset is exclusive. An interaction has no direction.

use std::path::Path;

use quick_xml::events::{BytesStart, Event};
use quick_xml::{Reader, XmlVersion};

use gleaner_lang::syntax::{Diagnostic, FileId, Sources, Span};

use super::places::{Places, malformed, misplaced, no_xml, unknown_end};
use crate::corpus::{Document, Entity, Relation, Sentence};

/// Reads a file.
pub(super) fn read(path: &Path, sources: &mut Sources) -> Result<Vec<Document>, Vec<Diagnostic>> {
    let file = sources.load(path).map_err(|fault| vec![fault])?;
    let text = sources.get(file).text().to_owned();
    let mut reading =
        Reading { file, documents: Vec::new(), sentence_of: None, faults: Vec::new(), span: Span::default() };
    reading.all(&text);
    if reading.faults.is_empty() { Ok(reading.documents) } else { Err(reading.faults) }
}

struct Reading {
    file: FileId,
    documents: Vec<Document>,
    /// Where the sentence begins that is open, and its characters.
    sentence_of: Option<(usize, Places)>,
    faults: Vec<Diagnostic>,
    /// The element that is read.
    span: Span,
}

impl Reading {
    fn all(&mut self, text: &str) {
        let mut reader = Reader::from_str(text);
        loop {
            let start = position(&reader);
            let event = reader.read_event();
            self.span = Span::new(start, position(&reader).clamp(start, text.len()));
            match event {
                Ok(Event::Eof) => return,
                Ok(Event::Start(element) | Event::Empty(element)) => {
                    if let Err(fault) = self.element(&element) {
                        self.faults.push(fault);
                    }
                }
                Ok(Event::DocType(kind)) if kind.contains('[') => {
                    self.faults.push(
                        malformed(self.file, self.span, "the file declares entities of its own").with_help(
                            "write their texts in their places: such entities may grow without bounds",
                        ),
                    );
                    return;
                }
                Ok(_) => {}
                Err(error) => {
                    self.faults.push(no_xml(self.file, self.span, &error));
                    return;
                }
            }
        }
    }

    fn element(&mut self, element: &BytesStart<'_>) -> Result<(), Diagnostic> {
        match element.name().as_ref() {
            "document" => {
                let id = self.needed(element, "id")?;
                self.documents.push(Document { id, ..Document::default() });
                self.sentence_of = None;
                Ok(())
            }
            "sentence" => self.sentence(element),
            "entity" => self.entity(element),
            "interaction" => self.interaction(element),
            _ => Ok(()),
        }
    }

    fn sentence(&mut self, element: &BytesStart<'_>) -> Result<(), Diagnostic> {
        let (id, text) = (self.attribute(element, "id")?, self.needed(element, "text")?);
        let document = self.document()?;
        if !document.text.is_empty() {
            document.text.push('\n');
        }
        let start = document.text.len();
        document.text.push_str(&text);
        document.sentences.push(Sentence { id, range: start..start + text.len() });
        self.sentence_of = Some((start, Places::of(&text)));
        Ok(())
    }

    fn entity(&mut self, element: &BytesStart<'_>) -> Result<(), Diagnostic> {
        let (id, offset) = (self.needed(element, "id")?, self.needed(element, "charOffset")?);
        let kind = self.attribute(element, "type")?.unwrap_or_default();
        let said = self.attribute(element, "text")?;
        let Some((start, places)) = &self.sentence_of else {
            return Err(misplaced(self.file, self.span, "an entity stands outside of the sentences"));
        };
        let mut ranges = Vec::new();
        for part in offset.split(',') {
            let numbers = part
                .trim()
                .split_once('-')
                .and_then(|(start, end)| Some((start.parse().ok()?, end.parse().ok()?)));
            let Some((first, last)) = numbers else {
                return Err(misplaced(self.file, self.span, format!("{part} is no offset"))
                    .with_help("an offset is two numbers of characters, as 0-4"));
            };
            let range = places.bytes(first, last, *start);
            let outside = || {
                misplaced(
                    self.file,
                    self.span,
                    format!("the entity {id} stands at {part}, which is not in its sentence"),
                )
                .with_help(
                    "count characters from 0, from the begin of the sentence; the end is the first after it",
                )
            };
            ranges.push(range.ok_or_else(outside)?);
        }
        ranges.sort_by_key(|range| range.start);
        let document = self.documents.last_mut().expect("a sentence is open");
        let entity = Entity { id, kind, ranges };
        let found = document.text.get(entity.extent()).unwrap_or_default();
        if let Some(said) = said.filter(|said| entity.ranges.len() == 1 && said != found) {
            let what = format!("the entity {} is {said}, but at its offset stands {found}", entity.id);
            return Err(
                misplaced(self.file, self.span, what).with_help("offsets count characters, not bytes")
            );
        }
        document.entities.push(entity);
        Ok(())
    }

    fn interaction(&mut self, element: &BytesStart<'_>) -> Result<(), Diagnostic> {
        let ids = [self.needed(element, "e1")?, self.needed(element, "e2")?];
        let kind = self.attribute(element, "type")?.unwrap_or_default();
        let (file, span) = (self.file, self.span);
        let document = self.document()?;
        let position = |id: &String| {
            let found = document.entities.iter().rposition(|entity| entity.id == *id);
            found.ok_or_else(|| unknown_end(file, span, id))
        };
        let ends = [position(&ids[0])?, position(&ids[1])?];
        document.relations.push(Relation { kind, ends, is_directed: false });
        Ok(())
    }

    fn document(&mut self) -> Result<&mut Document, Diagnostic> {
        let outside = misplaced(self.file, self.span, "this stands outside of the documents");
        self.documents.last_mut().ok_or(outside)
    }

    fn needed(&self, element: &BytesStart<'_>, name: &str) -> Result<String, Diagnostic> {
        self.attribute(element, name)?.ok_or_else(|| {
            let what = format!("<{}> has no {name}", element.name().as_ref());
            malformed(self.file, self.span, what)
        })
    }

    fn attribute(&self, element: &BytesStart<'_>, name: &str) -> Result<Option<String>, Diagnostic> {
        let fault = |error: String| no_xml(self.file, self.span, &error);
        let found = element.try_get_attribute(name).map_err(|error| fault(error.to_string()))?;
        found
            .map(|found| found.normalized_value(XmlVersion::Implicit1_0).map(|value| value.into_owned()))
            .transpose()
            .map_err(|error| fault(error.to_string()))
    }
}

/// The bytes that are read.
fn position(reader: &Reader<&[u8]>) -> usize {
    usize::try_from(reader.buffer_position()).unwrap_or(usize::MAX)
}
