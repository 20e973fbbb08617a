//! The saved models of all classes of one problem, in one file.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::model_file::{ModelError, ModelFile};

/// The version of the format that this release writes.
pub const CLASS_MODELS_VERSION: u32 = 1;

/// A model for each class against the rest, in the order of the classes.
#[derive(Debug)]
pub struct ClassModels {
    /// The models, at least two; each is of a class, and all of the same classes.
    pub models: Vec<Arc<ModelFile>>,
}

impl ClassModels {
    /// The names of the classes.
    pub fn names(&self) -> &[String] {
        self.models.first().and_then(|first| first.header.labels.class()).map_or(&[], |class| &class.names)
    }

    /// The file's text.
    ///
    /// # Panics
    ///
    /// Never: models hold only finite numbers and string keys.
    pub fn to_json(&self) -> String {
        #[derive(Serialize)]
        struct Whole {
            gleaner_class_models: u32,
            models: Vec<serde_json::Value>,
        }
        let value =
            |model: &Arc<ModelFile>| serde_json::from_str(&model.to_json()).expect("it was written so");
        let models = self.models.iter().map(value).collect();
        let whole = Whole { gleaner_class_models: CLASS_MODELS_VERSION, models };
        let mut text = serde_json::to_string_pretty(&whole).expect("models are plain data");
        text.push('\n');
        text
    }

    /// Reads the models of all classes; none where the text is a model of its own, or no model at all.
    ///
    /// # Errors
    ///
    /// [`ModelError`] when they are of an unknown version, or contradict themselves or each other.
    pub fn from_json(text: &str) -> Result<Option<Self>, ModelError> {
        #[derive(Deserialize)]
        struct Whole<'t> {
            gleaner_class_models: u64,
            #[serde(borrow)]
            models: Vec<&'t RawValue>,
        }
        let Ok(whole) = serde_json::from_str::<Whole<'_>>(text) else { return Ok(None) };
        if whole.gleaner_class_models != u64::from(CLASS_MODELS_VERSION) {
            return Err(ModelError::Version(whole.gleaner_class_models));
        }
        let models: Vec<Arc<ModelFile>> = whole
            .models
            .iter()
            .map(|model| ModelFile::from_json(model.get()).map(Arc::new))
            .collect::<Result<_, _>>()?;
        let classes = models.first().and_then(|first| first.header.labels.class().cloned());
        let classes = classes.ok_or(ModelError::Inconsistent("its models name no class"))?;
        let is_of_class = |(position, model): (usize, &Arc<ModelFile>)| {
            let class = model.header.labels.class();
            class.is_some_and(|class| class.own == position && class.is_beside(&classes))
        };
        if models.len() != classes.names.len() || !models.iter().enumerate().all(is_of_class) {
            return Err(ModelError::Inconsistent("it does not have one model for each class"));
        }
        Ok(Some(Self { models }))
    }
}
