//! BioC in XML: collections of documents with passages, annotations and relations. What all of it means is said in
//! `bioc`.
//!
//! ```xml
//! <collection><document><id>d1</id><passage><offset>0</offset><text>SigK binds GerE.</text>
//! <annotation id="T1"><infon key="type">protein</infon><location offset="0" length="4"/><text>SigK</text></annotation>
//! <relation id="R1"><infon key="type">binds</infon><node refid="T1" role="agent"/>…</relation>
//! </passage></document></collection>
//! ```
//!
//! Annotations and relations stand in documents, passages or sentences. The source, date, key and version of a
//! collection are skipped, as are elements that BioC does not have. The end of a line is one character, as XML has it.
//! A file that declares entities of its own is refused.

use std::mem::take;
use std::path::Path;

use quick_xml::escape::resolve_xml_entity;
use quick_xml::events::{BytesRef, BytesStart, Event};

use gleaner_lang::syntax::{Diagnostic, Sources};

use super::bioc::{Annotation, GivenDocument, GivenRelation, Location, Node, Passage, Piece, documents};
use super::shared::{Events, Name};
use crate::corpus::Document;

/// Reads a file.
pub(super) fn read(path: &Path, sources: &mut Sources) -> Result<Vec<Document>, Vec<Diagnostic>> {
    let file = sources.load(path).map_err(|fault| vec![fault])?;
    let mut reading = Reading::new(Events::new(sources.get(file).text(), file));
    reading.all().map_err(|fault| vec![fault])?;
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    documents(&reading.documents, &name, file)
}

struct Reading<'t> {
    events: Events<'t>,
    documents: Vec<GivenDocument>,
    /// The names of the elements that are open; below is what the innermost of each kind has.
    open: Vec<String>,
    document: GivenDocument,
    /// What stands in the document itself.
    outer: Passage,
    passage: Passage,
    sentence: Piece,
    annotation: Annotation,
    relation: GivenRelation,
    /// The key of the infon.
    key: String,
    /// The text of the innermost element.
    content: String,
}

impl<'t> Reading<'t> {
    fn new(events: Events<'t>) -> Self {
        Self {
            events,
            documents: Vec::new(),
            open: Vec::new(),
            document: GivenDocument::default(),
            outer: Passage::default(),
            passage: Passage::default(),
            sentence: Piece::default(),
            annotation: Annotation::default(),
            relation: GivenRelation::default(),
            key: String::new(),
            content: String::new(),
        }
    }

    fn all(&mut self) -> Result<(), Diagnostic> {
        loop {
            match self.events.read()? {
                Event::Eof => return Ok(()),
                Event::Start(element) => self.start(&element)?,
                Event::End(_) => self.end()?,
                Event::Text(text) => self.content.push_str(&text.xml10_content()),
                Event::CData(text) => self.content.push_str(&text.xml10_content()),
                Event::GeneralRef(reference) => self.reference(&reference)?,
                _ => {}
            }
        }
    }

    /// The character that a reference stands for.
    fn reference(&mut self, reference: &BytesRef<'_>) -> Result<(), Diagnostic> {
        let character =
            reference.resolve_char_ref().map_err(|error| self.events.no_xml(&error.to_string()))?;
        match (character, resolve_xml_entity(reference)) {
            (Some(character), _) => self.content.push(character),
            (None, Some(text)) => self.content.push_str(text),
            (None, None) => {
                let what = format!("the entity {} is not known", &**reference);
                return Err(self.events.malformed(what).with_help("write its text in its place"));
            }
        }
        Ok(())
    }

    fn start(&mut self, element: &BytesStart<'_>) -> Result<(), Diagnostic> {
        let (name, span) = (element.name().as_ref().to_owned(), self.events.span());
        let parent = self.open.last().map_or("", String::as_str);
        if !is_in_place(&name, parent) {
            let what = format!("<{name}> stands in <{parent}>");
            return Err(self.events.malformed(what).with_help("write elements where BioC has them"));
        }
        self.content.clear();
        let piece = Piece { span, ..Piece::default() };
        let id = || self.events.attribute(element, "id").map(|id| id.map(Name::Text));
        match name.as_str() {
            "document" => {
                self.outer = Passage { own: Piece { offset: Some(0), ..piece }, ..Passage::default() }
            }
            "passage" => self.passage = Passage { own: piece, ..Passage::default() },
            "sentence" => self.sentence = piece,
            "annotation" => self.annotation = Annotation { id: id()?, span, ..Annotation::default() },
            "relation" => self.relation = GivenRelation { id: id()?, span, ..GivenRelation::default() },
            "location" => {
                let offset = self.number(&self.events.needed(element, "offset")?)?;
                let length = self.number(&self.events.needed(element, "length")?)?;
                self.annotation.locations.push(Location { offset, length });
            }
            "node" => {
                let refid = Name::Text(self.events.needed(element, "refid")?);
                let role = self.events.attribute(element, "role")?;
                self.relation.nodes.push(Node { refid, role });
            }
            "infon" => self.key = self.events.attribute(element, "key")?.unwrap_or_default(),
            _ => {}
        }
        self.open.push(name);
        Ok(())
    }

    fn end(&mut self) -> Result<(), Diagnostic> {
        let name = self.open.pop().unwrap_or_default();
        let parent = self.open.last().map_or("", String::as_str);
        match (name.as_str(), parent) {
            ("document", _) => {
                self.document.passages.insert(0, take(&mut self.outer));
                self.documents.push(take(&mut self.document));
            }
            ("passage", _) => self.document.passages.push(take(&mut self.passage)),
            ("sentence", _) => {
                let to = if parent == "document" { &mut self.outer } else { &mut self.passage };
                to.sentences.push(take(&mut self.sentence));
            }
            ("annotation", _) => self.document.annotations.push(take(&mut self.annotation)),
            ("relation", _) => self.document.relations.push(take(&mut self.relation)),
            ("id", "document") => self.document.id = Some(take(&mut self.content)),
            ("infon", "annotation") if self.key == "type" => {
                self.annotation.infons.kind = Some(Name::Text(take(&mut self.content)));
            }
            ("infon", "relation") if self.key == "type" => {
                self.relation.infons.kind = Some(Name::Text(take(&mut self.content)));
            }
            ("offset", _) => {
                let offset = self.number(&self.content)?;
                let of = if parent == "passage" { &mut self.passage.own } else { &mut self.sentence };
                of.offset = Some(offset);
            }
            ("text", _) => return self.text(),
            _ => {}
        }
        Ok(())
    }

    /// The end of a text.
    fn text(&mut self) -> Result<(), Diagnostic> {
        let of = match self.open.last().map_or("", String::as_str) {
            "document" => &mut self.outer.own.text,
            "passage" => &mut self.passage.own.text,
            "sentence" => &mut self.sentence.text,
            _ => self.annotation.text.get_or_insert_default(),
        };
        if !of.is_empty() {
            return Err(self
                .events
                .malformed("a second <text> stands here")
                .with_help("make one text of them"));
        }
        *of = take(&mut self.content);
        Ok(())
    }

    fn number(&self, text: &str) -> Result<usize, Diagnostic> {
        text.trim().parse().map_err(|_| {
            self.events.malformed(format!("{text} is no number of characters")).with_help("write it as 12")
        })
    }
}

/// Whether an element may stand in another. Elements that BioC does not have may stand where no text is lost by it.
fn is_in_place(name: &str, parent: &str) -> bool {
    match name {
        "collection" => parent.is_empty(),
        "document" => parent == "collection",
        "passage" => parent == "document",
        "sentence" => matches!(parent, "document" | "passage"),
        "annotation" | "relation" => matches!(parent, "document" | "passage" | "sentence"),
        "location" => parent == "annotation",
        "node" => parent == "relation",
        "text" => matches!(parent, "document" | "passage" | "sentence" | "annotation"),
        "offset" => matches!(parent, "passage" | "sentence"),
        _ => !matches!(parent, "text" | "offset" | "id" | "infon"),
    }
}
