//! A saved model, as it was printed when it was learnt.

use serde::{Serialize, Serializer};
use serde_json::{Value as Json, json};

use crate::store::ModelFile;
use gleaner_lang::program::Symbols;
use gleaner_lang::program::display::clause_text;
use gleaner_learn::Model;
use gleaner_learn::shown::Extent;

use super::{Answer, Document, Events, model_text, stopped};

/// A model with its file. It serialises to `model`, the content of the file.
#[derive(Debug)]
pub struct ShowAnswer<'a> {
    /// The file.
    pub file: &'a ModelFile,
    /// The model over its own names.
    pub model: &'a dyn Model,
    /// The names of the model's clauses.
    pub symbols: &'a Symbols,
    /// How much of it is shown.
    pub extent: Extent,
}

impl Serialize for ShowAnswer<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let model: Json = serde_json::from_str(&self.file.to_json()).map_err(serde::ser::Error::custom)?;
        json!({ "model": model }).serialize(serializer)
    }
}

impl Events for ShowAnswer<'_> {}

impl Answer for ShowAnswer<'_> {
    fn document(&self) -> Document {
        let mut document =
            model_text::model(self.model, self.symbols, &self.file.header.reading(), self.extent);
        if let Some(reason) = self.file.header.stopped {
            document.line(stopped::of_model(reason));
        }
        document
    }
}

/// The clauses of a model whose positives are exactly the examples that any clause covers. Each stands once, one a
/// line; those with most literals come last.
///
/// # Errors
///
/// The reason, in words, why the model is no such theory.
pub fn theory(model: &dyn Model, symbols: &Symbols) -> Result<String, String> {
    let mut clauses = model.theory()?;
    clauses.sort_by_key(|clause| (clause.n_literals(), *clause));
    clauses.dedup();
    Ok(clauses.iter().map(|clause| clause_text(clause, symbols) + "\n").collect())
}
