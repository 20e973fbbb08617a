//! XML: its events with their places, and the attributes of elements. Two formats share it.

use quick_xml::events::{BytesStart, Event};
use quick_xml::{Reader, XmlVersion};

use gleaner_lang::syntax::{Diagnostic, FileId, Span};

use super::places::malformed;

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
