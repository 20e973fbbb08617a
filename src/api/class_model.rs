//! Models of many classes: one for each class against the rest, in one file.

use std::path::Path;
use std::sync::Arc;

use crate::experiment::apply::{BoundModel, request_to_score, scored_splits};
use crate::experiment::class_predict::{self, ClassPredictAnswer, ClassScores};
use crate::experiment::split::{SetExamples, undivided};
use crate::jobs::AnyModel;
use crate::store::{ClassModels, write_whole};
use gleaner_lang::syntax::{Diagnostic, codes};

use super::model::text_of;
use super::{Dataset, DatasetReader, Error};

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
    pub(super) fn of_learnt(model: AnyModel) -> Result<Self, Error> {
        match model {
            AnyModel::Many(models) => Ok(Self { models: Arc::new(models) }),
            AnyModel::One(_) => {
                let message = "these data are of two classes";
                Err(Error::fault(
                    Diagnostic::error(codes::BAD_CLASSES, message)
                        .with_help("`Learner::fit` learns from them"),
                ))
            }
        }
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
        let models = ClassModels::from_json(text).map_err(|error| Error::bad_model(&error))?;
        let models = models.ok_or_else(|| {
            let message = "this is no model of many classes";
            Error::fault(
                Diagnostic::error(codes::BAD_MODEL, message)
                    .with_help("`Model::load` reads a model of two classes, `LinkModel::load` one of links"),
            )
        })?;
        Ok(Self { models: Arc::new(models) })
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
        let request = request_to_score(&self.models.models[0], path.as_ref().to_owned());
        Ok(DatasetReader::of(request.map_err(Error::fault)?))
    }

    /// The classes of all examples of a data set.
    ///
    /// # Errors
    ///
    /// When the data are of other classes, or have neither facts nor rules of a predicate that the models use.
    pub fn predict(&self, data: &Dataset) -> Result<Vec<ClassPrediction>, Error> {
        let seed = self.models.models[0].header.rng_seed;
        self.score(data, &undivided(data.problem(), seed))
    }

    /// Predicts the classes of the test examples of one fold. The fold is one of the cross-validation that the model's
    /// settings make; folds count from 1.
    ///
    /// # Errors
    ///
    /// As for [`ClassModel::predict`], and when there is no such fold.
    pub fn predict_fold(&self, data: &Dataset, fold: usize) -> Result<Vec<ClassPrediction>, Error> {
        let splits = scored_splits(&self.models.models[0], data.problem()).map_err(Error::fault)?;
        let split = super::model::fold_of(&splits, fold)?;
        let [_, _, test] = split.sets();
        self.score(data, &test)
    }

    fn score(&self, data: &Dataset, chosen: &SetExamples) -> Result<Vec<ClassPrediction>, Error> {
        let files = &self.models.models;
        let bound: Vec<BoundModel> =
            files.iter().map(|file| BoundModel::of(file, data.problem())).collect::<Result<_, _>>()?;
        let models: Vec<class_predict::ClassModel<'_>> = files
            .iter()
            .zip(&bound)
            .map(|(file, bound)| class_predict::ClassModel {
                problem: &bound.problem,
                model: &*bound.model,
                calibration: file.header.calibration.as_ref(),
                prior: file.header.class.as_ref().map_or(0.0, |class| class.prior),
            })
            .collect();
        let scores = ClassScores::of(&models, chosen, usize::MAX);
        let answer = ClassPredictAnswer::of(data.problem(), &scores);
        let prediction = |of: class_predict::ClassPrediction| ClassPrediction {
            arguments: of.arguments,
            class: of.class,
            predicted: of.predicted,
            probabilities: of.probabilities,
        };
        Ok(answer.predictions.into_iter().map(prediction).collect())
    }
}
