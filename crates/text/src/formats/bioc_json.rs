//! BioC in JSON: a collection, a document alone, several of these one after another, or a list of them. What all of it
//! means is said in `bioc`.
//!
//! `{"documents": [{"id": "d1", "passages": [{"offset": 0, "text": "SigK binds GerE.", "annotations": [{"id": "T1",
//! "infons": {"type": "protein"}, "text": "SigK", "locations": [{"offset": 0, "length": 4}]}], "relations": [{"id":
//! "R1", "infons": {"type": "binds"}, "nodes": [{"refid": "T1", "role": "agent"}, …]}]}]}]}`. Other keys are skipped,
//! as the source and the date of a collection.

use std::mem::take;
use std::path::Path;

use serde::Deserialize;
use serde_json::value::RawValue;

use gleaner_lang::syntax::{Diagnostic, FileId, Sources, Span};

use super::bioc::{Annotation, GivenDocument, GivenRelation, Passage, Piece, documents};
use super::places::{BYTE_ORDER_MARK, Name, malformed};
use crate::corpus::Document;

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
