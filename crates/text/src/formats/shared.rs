//! What formats share: places of annotations, their names, and documents that grow.
//!
//! XML: its events with their places, and the attributes of elements. Two formats share it.

use std::collections::BTreeMap;
use std::ops::Range;

use quick_xml::events::{BytesStart, Event};
use quick_xml::{Reader, XmlVersion};
use serde::Deserialize;

use crate::corpus::{Document, Entity, Relation};
use gleaner_lang::syntax::{Diagnostic, FileId, Place, Span, codes};

/// Where the characters of a text begin.
pub(super) struct Places {
    /// The first byte of each character, and the end.
    starts: Vec<usize>,
}

impl Places {
    pub(super) fn of(text: &str) -> Self {
        Self { starts: text.char_indices().map(|(at, _)| at).chain([text.len()]).collect() }
    }

    pub(super) fn n_characters(&self) -> usize {
        self.starts.len() - 1
    }

    /// The bytes of the characters from `start` to before `end`, moved by `offset` bytes; none where these are not in
    /// the text, or none at all.
    pub(super) fn bytes(&self, start: usize, end: usize, offset: usize) -> Option<Range<usize>> {
        (start < end).then_some(())?;
        Some(offset + *self.starts.get(start)?..offset + *self.starts.get(end)?)
    }
}

/// The fault of something in a file that is not as the format has it.
pub(super) fn malformed(file: FileId, span: Span, what: impl Into<String>) -> Diagnostic {
    Diagnostic::error(codes::BAD_CORPUS, what).with_label(file, span, "")
}

/// The fault of an annotation that does not fit the text.
pub(super) fn misplaced(file: FileId, span: Span, what: impl Into<String>) -> Diagnostic {
    Diagnostic::error(codes::BAD_ANNOTATION, what).with_label(file, span, "")
}

/// The fault of a relation between entities of which one is not known.
pub(super) fn unknown_end(file: FileId, span: Span, id: &str) -> Diagnostic {
    misplaced(file, span, format!("a relation has the end {id}, and no entity is called so"))
        .with_help("name an entity that stands before it, in the same document")
}

/// The sign that files of some systems begin with.
pub(super) const BYTE_ORDER_MARK: char = '\u{feff}';

/// The lines of a file with their places, without what ends them.
pub(super) fn lines(text: &str) -> impl Iterator<Item = (Span, &str)> {
    let rest = text.trim_start_matches(BYTE_ORDER_MARK);
    let mut start = text.len() - rest.len();
    rest.split('\n').map(move |line| {
        let (from, line_end) = (start, line.strip_suffix('\r').unwrap_or(line));
        start += line.len() + 1;
        (Span::new(from, from + line_end.len()), line_end)
    })
}

/// A name, which may be written as a number.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub(super) enum Name {
    Text(String),
    Number(u64),
}

impl Name {
    pub(super) fn text(&self) -> String {
        match self {
            Self::Text(text) => text.clone(),
            Self::Number(number) => number.to_string(),
        }
    }
}

/// A document that grows, and what does not fit it.
pub(super) struct DocumentBuilder {
    pub(super) document: Document,
    pub(super) faults: Vec<Diagnostic>,
    file: FileId,
    /// The positions of its entities by their names.
    positions: BTreeMap<String, usize>,
}

impl DocumentBuilder {
    pub(super) fn new(document: Document, file: FileId) -> Self {
        let document = Document { at: Place::new(file, Span::default()), ..document };
        Self { document, faults: Vec::new(), file, positions: BTreeMap::new() }
    }

    /// Adds an entity. If the file says what stands at its ranges, that is compared, but for the kind of white space.
    pub(super) fn entity(&mut self, mut entity: Entity, said: Option<&str>, span: Span) {
        entity.ranges.sort_by_key(|range| range.start);
        let parts = entity.ranges.iter().filter_map(|range| self.document.text.get(range.clone()));
        let found = parts.collect::<Vec<_>>().join(" ");
        if let Some(said) = said.filter(|said| !is_same(said, &found)) {
            let what = format!("the entity {} is {said}, but at its offset stands {found}", entity.id);
            self.faults.push(
                misplaced(self.file, span, what)
                    .with_help("count characters, not bytes, and from the begin of the document"),
            );
        }
        if self.positions.insert(entity.id.clone(), self.document.entities.len()).is_some() {
            let what = format!("two entities are called {}", entity.id);
            self.faults.push(
                misplaced(self.file, span, what).with_help("give each entity of a document its own name"),
            );
        }
        self.document.entities.push(entity);
        self.document.places.push(Place::new(self.file, span));
    }

    /// The position of an entity.
    pub(super) fn end(&mut self, id: &str, span: Span) -> Option<usize> {
        let found = self.positions.get(id).copied();
        if found.is_none() {
            self.faults.push(unknown_end(self.file, span, id));
        }
        found
    }

    /// Adds a relation between two entities of these names.
    pub(super) fn relation(&mut self, kind: &str, ids: [&str; 2], is_directed: bool, span: Span) {
        let relation = self.between(kind, ids, is_directed, span);
        self.document.relations.extend(relation);
    }

    /// Adds that something is said of two entities together which is no relation of theirs.
    pub(super) fn unclear(&mut self, kind: &str, ids: [&str; 2], span: Span) {
        let relation = self.between(kind, ids, false, span);
        self.document.unclear.extend(relation);
    }

    fn between(&mut self, kind: &str, ids: [&str; 2], is_directed: bool, span: Span) -> Option<Relation> {
        let [Some(first), Some(second)] = ids.map(|id| self.end(id, span)) else { return None };
        Some(Relation { kind: kind.to_owned(), ends: [first, second], is_directed, has_order: false })
    }

    /// Adds a fault of something at `span` that does not fit the text.
    pub(super) fn misplaced(&mut self, span: Span, what: impl Into<String>, help: &str) {
        self.faults.push(misplaced(self.file, span, what).with_help(help));
    }

    /// Gives the document, if all fits it.
    pub(super) fn finish(self, documents: &mut Vec<Document>, faults: &mut Vec<Diagnostic>) {
        if self.faults.is_empty() {
            documents.push(self.document);
        }
        faults.extend(self.faults);
    }
}

/// Whether two texts are the same but for the kind of white space: writers make a line feed a blank.
pub(super) fn is_same(one: &str, other: &str) -> bool {
    let blank = |sign: char| if sign.is_whitespace() { ' ' } else { sign };
    one.chars().map(blank).eq(other.chars().map(blank))
}

/// Reads the events of a file. An empty element starts and ends.
pub(super) struct Events<'t> {
    reader: Reader<&'t [u8]>,
    file: FileId,
    n_bytes: usize,
    n_open: usize,
    span: Span,
}

impl<'t> Events<'t> {
    pub(super) fn new(text: &'t str, file: FileId) -> Self {
        let mut reader = Reader::from_str(text);
        reader.config_mut().expand_empty_elements = true;
        Self { reader, file, n_bytes: text.len(), n_open: 0, span: Span::default() }
    }

    /// The next event. A fault ends the file.
    pub(super) fn read(&mut self) -> Result<Event<'t>, Diagnostic> {
        let start = self.position();
        let event = self.reader.read_event();
        self.span = Span::new(start, self.position().max(start));
        let event = event.map_err(|error| self.no_xml(&error.to_string()))?;
        match &event {
            Event::Start(_) => self.n_open += 1,
            // The reader has refused an end without a start.
            Event::End(_) => self.n_open = self.n_open.saturating_sub(1),
            Event::Eof if self.n_open > 0 => {
                return Err(self
                    .malformed("the file ends within an element")
                    .with_help("take the whole file"));
            }
            Event::DocType(kind) if kind.contains('[') => {
                return Err(self
                    .malformed("the file declares entities of its own")
                    .with_help("write their texts in their places: such entities may grow without bounds"));
            }
            _ => {}
        }
        Ok(event)
    }

    /// Where the event stands that was read last.
    pub(super) const fn span(&self) -> Span {
        self.span
    }

    /// The fault of what was read last.
    pub(super) fn malformed(&self, what: impl Into<String>) -> Diagnostic {
        malformed(self.file, self.span, what)
    }

    pub(super) fn needed(&self, element: &BytesStart<'_>, name: &str) -> Result<String, Diagnostic> {
        let missing = || {
            let what = format!("<{}> has no {name}", element.name().as_ref());
            self.malformed(what).with_help(format!("give it one, as {name}=\"...\""))
        };
        self.attribute(element, name)?.ok_or_else(missing)
    }

    pub(super) fn attribute(
        &self,
        element: &BytesStart<'_>,
        name: &str,
    ) -> Result<Option<String>, Diagnostic> {
        let found = element.try_get_attribute(name).map_err(|error| self.no_xml(&error.to_string()))?;
        found
            .map(|found| found.normalized_value(XmlVersion::Implicit1_0).map(|value| value.into_owned()))
            .transpose()
            .map_err(|error| self.no_xml(&error.to_string()))
    }

    pub(super) fn no_xml(&self, error: &str) -> Diagnostic {
        self.malformed(format!("this is no XML: {error}"))
            .with_help("write it as XML has it, or take the whole file")
    }

    /// The bytes that are read.
    fn position(&self) -> usize {
        usize::try_from(self.reader.buffer_position()).unwrap_or(usize::MAX).min(self.n_bytes)
    }
}
