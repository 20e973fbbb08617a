//! Models of many classes: one for each class against the rest, in one file.

use std::path::Path;
use std::sync::Arc;

use crate::experiment::class_predict::{self, ClassPredictAnswer};
use crate::jobs::AnyModel;
use crate::jobs::scoring::{apply_all, request_to_score};
use crate::store::{ClassModels, write_whole};
use gleaner_data::LoadRequest;
use gleaner_lang::syntax::{Diagnostic, codes};

use super::model::text_of;
use super::{Dataset, DatasetReader, Error, ScoringOptions};

/// Models of many classes: one for each class against the rest.
///
/// # Example
///
/// ```no_run
/// use gleaner::ClassModel;
///
/// let model = ClassModel::load("model.json")?;
/// let data = model.reader("accounts")?.open()?;
/// for prediction in model.predict(&data)? {
///     println!("{}: {}", prediction.arguments.join(", "), prediction.predicted);
/// }
/// # Ok::<(), gleaner::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct ClassModel {
    models: Arc<ClassModels>,
}

/// The prediction for one example from the models of all classes.
#[derive(Clone, Debug, PartialEq)]
pub struct ClassPrediction {
    /// The target's arguments but for the class, as cells of a table hold them.
    pub arguments: Vec<String>,
    /// The class of the example in the data; none where the data do not give it.
    pub class: Option<String>,
    /// The most probable class.
    pub predicted: String,
    /// The probability of each class, in the order of [`ClassModel::classes`]; their sum is 1.
    pub probabilities: Vec<f64>,
}

impl ClassModel {
    pub(super) fn of_learnt(model: &AnyModel) -> Result<Self, Error> {
        match model {
            AnyModel::Many(models) => Ok(Self { models: Arc::clone(models) }),
            AnyModel::One(_) | AnyModel::Links(_) => {
                let message = "the data have two classes";
                Err(Error::fault(
                    Diagnostic::error(codes::BAD_CLASSES, message)
                        .with_help("`Learner::fit` learns from them"),
                ))
            }
        }
    }

    /// The models as jobs take them.
    pub(super) fn any(&self) -> AnyModel {
        AnyModel::Many(Arc::clone(&self.models))
    }

    /// Reads a model that `gleaner learn` wrote of data with many classes.
    ///
    /// # Errors
    ///
    /// When the file cannot be read, or is no model of many classes of a known version.
    pub fn load(path: impl AsRef<Path>) -> Result<Self, Error> {
        Self::from_json(&text_of(path.as_ref())?)
    }

    /// Reads a model from the text of its file.
    ///
    /// # Errors
    ///
    /// When it is no model of many classes of a known version.
    pub fn from_json(text: &str) -> Result<Self, Error> {
        match AnyModel::of_text(Path::new(""), text)? {
            AnyModel::Many(models) => Ok(Self { models }),
            links @ AnyModel::Links(_) => Err(links.of_links(Path::new("")).into()),
            AnyModel::One(_) => {
                let message = "this is a model of two classes";
                Err(Error::fault(
                    Diagnostic::error(codes::BAD_MODEL, message).with_help("`Model::load` reads it"),
                ))
            }
        }
    }

    /// The text of the model's file: readable JSON.
    #[must_use]
    pub fn to_json(&self) -> String {
        self.models.to_json()
    }

    /// Writes the model's file: whole, or not at all.
    ///
    /// # Errors
    ///
    /// When it cannot be written.
    pub fn save(&self, path: impl AsRef<Path>) -> Result<(), Error> {
        let path = path.as_ref();
        write_whole(path, self.to_json().as_bytes()).map_err(|error| Error::unwritable(path, &error))
    }

    /// The names of the classes.
    #[must_use]
    pub fn classes(&self) -> &[String] {
        self.models.names()
    }

    /// How to read a file or folder whose examples this model is to score: classes and modes need not be there.
    ///
    /// # Errors
    ///
    /// When the model's target is no name.
    pub fn reader(&self, path: impl AsRef<Path>) -> Result<DatasetReader, Error> {
        let request = LoadRequest { path: path.as_ref().to_owned(), rng_seed: 1, ..LoadRequest::default() };
        Ok(DatasetReader::of(request_to_score(&self.models.models, request)?))
    }

    /// The classes of all examples of a data set.
    ///
    /// # Errors
    ///
    /// When the data are of other classes, or have neither facts nor rules of a predicate that the models use.
    pub fn predict(&self, data: &Dataset) -> Result<Vec<ClassPrediction>, Error> {
        self.predict_with(data, &ScoringOptions::default())
    }

    /// Predicts the classes of the test examples of one fold. The fold is one of the cross-validation that the model's
    /// settings make; folds count from 1.
    ///
    /// # Errors
    ///
    /// As for [`ClassModel::predict`], and when there is no such fold.
    pub fn predict_fold(&self, data: &Dataset, fold: usize) -> Result<Vec<ClassPrediction>, Error> {
        self.predict_with(data, &ScoringOptions::default().fold(&fold.to_string())?)
    }

    /// Predicts the classes of examples as the options say; an operating point and intervals have no effect.
    ///
    /// # Errors
    ///
    /// As for [`ClassModel::predict`]; a fold that there is not.
    pub fn predict_with(
        &self,
        data: &Dataset,
        options: &ScoringOptions,
    ) -> Result<Vec<ClassPrediction>, Error> {
        let applied = options.applied(data);
        let scores = options.with_means(|means| apply_all(&self.models.models, &applied, means))?;
        let answer = ClassPredictAnswer::of(&applied.problem, &scores);
        let prediction = |of: class_predict::ClassPrediction| ClassPrediction {
            arguments: of.arguments,
            class: of.class,
            predicted: of.predicted,
            probabilities: of.probabilities,
        };
        Ok(answer.predictions.into_iter().map(prediction).collect())
    }
}
