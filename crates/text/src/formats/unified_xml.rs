//! The unified XML of interactions: a text for each sentence, entities by characters of it, and interactions between them.
//!
//! `<document id set><sentence id text><entity id charOffset="0-4,8-9" type text/><interaction e1 e2 type/></sentence></document>`.
//! The end of an offset is exclusive. An interaction has no direction,
//! but the order of its ends is kept: with `--directed` it is from `e1` to `e2`.
//!
//! `<pair e1 e2 interaction="True"/>` means the same, as corpora of proteins have it, and so does `ddi="true"`, as those of drugs do.
//! "False" says of a pair what is true of all others.

use std::path::Path;

use quick_xml::events::{BytesStart, Event};

use gleaner_lang::syntax::{Diagnostic, FileId, Place, Sources, Span};

use super::shared::{Events, Places, misplaced, unknown_end};
use crate::corpus::{Document, Entity, Relation, Sentence};

/// Reads a file.
pub(super) fn read(path: &Path, sources: &mut Sources) -> Result<Vec<Document>, Vec<Diagnostic>> {
    let file = sources.load(path).map_err(|fault| vec![fault])?;
    let events = Events::new(sources.get(file).text(), file);
    let mut reading = Reading { file, events, documents: Vec::new(), sentence_of: None, pairs: Vec::new() };
    let mut faults = Vec::new();
    loop {
        match reading.events.read() {
            Ok(Event::Eof) => {
                reading.end_document(&mut faults);
                break;
            }
            Ok(Event::Start(element)) if element.name().as_ref() == "document" => {
                reading.end_document(&mut faults);
                faults.extend(reading.element(&element).err());
            }
            Ok(Event::Start(element)) => faults.extend(reading.element(&element).err()),
            Ok(_) => {}
            Err(fault) => {
                faults.push(fault);
                break;
            }
        }
    }
    if faults.is_empty() { Ok(reading.documents) } else { Err(faults) }
}

struct Reading<'t> {
    file: FileId,
    events: Events<'t>,
    documents: Vec<Document>,
    /// Where the sentence begins that is open, and its characters.
    sentence_of: Option<(usize, Places)>,
    /// The pairs of the document that is open.
    pairs: Vec<Pair>,
}

/// What is said of two entities: that they interact, or that they do not.
struct Pair {
    relation: Relation,
    interacts: bool,
    span: Span,
}

/// The attributes of a pair that say whether it interacts.
const SAYS_WHETHER: [&str; 2] = ["interaction", "ddi"];

impl Reading<'_> {
    fn element(&mut self, element: &BytesStart<'_>) -> Result<(), Diagnostic> {
        match element.name().as_ref() {
            "document" => {
                let id = self.events.needed(element, "id")?;
                let set = self.events.attribute(element, "set")?;
                let at = Place::new(self.file, self.events.span());
                self.documents.push(Document { id, set, at, ..Document::default() });
                self.sentence_of = None;
                Ok(())
            }
            "sentence" => self.sentence(element),
            "entity" => self.entity(element),
            "interaction" => {
                let relation = self.relation(element)?;
                self.document()?.relations.push(relation);
                Ok(())
            }
            "pair" => self.pair(element),
            name => self.unread(element, name),
        }
    }

    fn sentence(&mut self, element: &BytesStart<'_>) -> Result<(), Diagnostic> {
        let (id, text) = (self.events.attribute(element, "id")?, self.events.needed(element, "text")?);
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
        let (id, offset) = (self.events.needed(element, "id")?, self.events.needed(element, "charOffset")?);
        let kind = self.events.attribute(element, "type")?.unwrap_or_default();
        let said = self.events.attribute(element, "text")?;
        let Some((start, places)) = &self.sentence_of else {
            return Err(misplaced(
                self.file,
                self.events.span(),
                "an entity stands outside of the sentences",
            ));
        };
        let mut ranges = Vec::new();
        for part in offset.split(',') {
            let numbers = part
                .trim()
                .split_once('-')
                .and_then(|(start, end)| Some((start.parse().ok()?, end.parse().ok()?)));
            let Some((first, last)) = numbers else {
                return Err(misplaced(self.file, self.events.span(), format!("{part} is no offset"))
                    .with_help("an offset is two numbers of characters, as 0-4"));
            };
            let range = places.bytes(first, last, *start);
            let outside = || {
                misplaced(
                    self.file,
                    self.events.span(),
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
            return Err(misplaced(self.file, self.events.span(), what)
                .with_help("offsets count characters, not bytes"));
        }
        document.entities.push(entity);
        document.places.push(Place::new(self.file, self.events.span()));
        Ok(())
    }

    /// The ends and the type of an interaction, or of a pair.
    fn relation(&mut self, element: &BytesStart<'_>) -> Result<Relation, Diagnostic> {
        let ids = [self.events.needed(element, "e1")?, self.events.needed(element, "e2")?];
        let kind = self.events.attribute(element, "type")?.unwrap_or_default();
        let (file, span) = (self.file, self.events.span());
        let document = self.document()?;
        let position = |id: &String| {
            let found = document.entities.iter().rposition(|entity| entity.id == *id);
            found.ok_or_else(|| unknown_end(file, span, id))
        };
        let ends = [position(&ids[0])?, position(&ids[1])?];
        Ok(Relation { kind, ends, is_directed: false, has_order: true })
    }

    fn pair(&mut self, element: &BytesStart<'_>) -> Result<(), Diagnostic> {
        let relation = self.relation(element)?;
        let said = SAYS_WHETHER.iter().find_map(|name| self.events.attribute(element, name).transpose());
        let said = said.transpose()?;
        let is_said = |word: &str| said.as_deref().is_some_and(|said| said.eq_ignore_ascii_case(word));
        let interacts = is_said("true");
        if !interacts && !is_said("false") {
            let what = match &said {
                Some(said) => format!("{said} does not say whether a pair interacts"),
                None => "<pair> does not say whether it interacts".to_owned(),
            };
            return Err(misplaced(self.file, self.events.span(), what).with_help(
                "write interaction=\"True\" or \"False\"; or take the pair out: entities of one sentence are pairs without it",
            ));
        }
        self.pairs.push(Pair { relation, interacts, span: self.events.span() });
        Ok(())
    }

    /// Adds the pairs that interact. A pair that is an interaction beside it is one relation.
    fn end_document(&mut self, faults: &mut Vec<Diagnostic>) {
        let pairs = std::mem::take(&mut self.pairs);
        let Some(document) = self.documents.last_mut() else { return };
        for Pair { relation, interacts, span } in pairs {
            let [one, other] = relation.ends;
            let is_same = |known: &Relation| known.ends == [one, other] || known.ends == [other, one];
            match (interacts, document.relations.iter().any(is_same)) {
                (true, false) => document.relations.push(relation),
                (false, true) => {
                    let [one, other] = [one, other].map(|end| &document.entities[end].id);
                    let what = format!("{one} and {other} interact by one element, and do not by another");
                    faults.push(misplaced(self.file, span, what).with_help("take out the one that is wrong"));
                }
                (true, true) | (false, false) => {}
            }
        }
    }

    /// Another element says nothing that is read; one that relates two entities is no relation without a word.
    fn unread(&mut self, element: &BytesStart<'_>, name: &str) -> Result<(), Diagnostic> {
        let Some(document) = self.documents.last() else { return Ok(()) };
        let is_entity = |end: &str| {
            let id = self.events.attribute(element, end).ok().flatten();
            id.is_some_and(|id| document.entities.iter().any(|entity| entity.id == id))
        };
        if !(is_entity("e1") && is_entity("e2")) {
            return Ok(());
        }
        let what = format!("<{name}> relates two entities, and is not read");
        Err(misplaced(self.file, self.events.span(), what)
            .with_help("write <interaction e1=\"...\" e2=\"...\"/> for a relation, or take it out"))
    }

    fn document(&mut self) -> Result<&mut Document, Diagnostic> {
        let outside = misplaced(self.file, self.events.span(), "this stands outside of the documents");
        self.documents.last_mut().ok_or(outside)
    }
}
