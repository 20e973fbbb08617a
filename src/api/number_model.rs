//! Models of a target that is a number.

use std::path::Path;
use std::sync::Arc;

use crate::experiment::number_answers;
use crate::jobs::AnyModel;
use crate::jobs::kinds::numbers::{evaluate, predict};
use crate::jobs::scoring::{Applied, request_to_score};
use crate::store::{ModelFile, write_whole};
use gleaner_data::LoadRequest;
use gleaner_lang::syntax::{Diagnostic, codes};
use gleaner_learn::shown::Extent;
use gleaner_learn::trees::number_scale::LEVELS;
use gleaner_stats::eval::NumberMetrics;

use super::model::text_of;
use super::{Answer, Dataset, DatasetReader, Error, FitOptions, Learner, ScoringOptions};

/// A model of a target that is a number.
///
/// # Example
///
/// ```
/// use gleaner::{Dataset, Learner};
///
/// let mut builder = Dataset::builder();
/// builder.mode("modeh(1, price(+house, #euros))").mode("modeb(1, garden(+house))").number_argument(2);
/// for house in 0..20 {
///     let name = format!("h{house}");
///     builder.positive("price", [name.as_str().into(), gleaner::Value::from(if house < 8 { 300 } else { 200 })]);
///     if house < 8 {
///         builder.fact("garden", [name.as_str()]);
///     }
/// }
/// let data = builder.build()?;
/// let model = Learner::named("tree")?.fit_numbers(&data)?;
/// let of_first = &model.predict(&data)?[0];
/// assert_eq!((of_first.number, of_first.predicted.round()), (Some(300.0), 300.0));
/// # Ok::<(), gleaner::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct NumberModel {
    file: Arc<ModelFile>,
}

/// The prediction of one example's number.
#[derive(Clone, Debug, PartialEq)]
pub struct NumberPrediction {
    /// The example, as an atom.
    pub example: String,
    /// The number of the example in the data; none where the data do not give it.
    pub number: Option<f64>,
    /// The prediction.
    pub predicted: f64,
    /// Intervals about it, by their level; none where the model has none.
    pub intervals: Vec<NumberInterval>,
}

/// An interval that holds the number of a new example with a chance of at least its level.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NumberInterval {
    /// The level: 0.8 or 0.9.
    pub level: f64,
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl Learner {
    /// As [`Learner::fit`], for a target that is a number ([`DatasetReader::number_argument`]).
    ///
    /// # Errors
    ///
    /// As for [`Learner::fit`]; a learner that learns no numbers; data of classes.
    pub fn fit_numbers(&self, data: &Dataset) -> Result<NumberModel, Error> {
        Ok(self.fit_numbers_with(data, &FitOptions::default())?.0)
    }

    /// As [`Learner::fit_numbers`], but as the run of a fold does: its number from 1, or its name. Also gives the report of
    /// `gleaner learn`, with the metrics on the fold.
    ///
    /// # Errors
    ///
    /// As for [`Learner::fit_numbers`]; a fold that there is not.
    pub fn fit_numbers_without_fold(
        &self,
        data: &Dataset,
        fold: &str,
    ) -> Result<(NumberModel, Answer), Error> {
        self.fit_numbers_with(data, &FitOptions { fold: Some(fold.to_owned()), ..FitOptions::default() })
    }

    /// As [`Learner::fit_numbers`]; the options say from which examples, and where the run folder is written. Also gives the
    /// report of `gleaner learn`.
    ///
    /// # Errors
    ///
    /// As for [`Learner::fit_numbers`]; a fold that there is not; a run folder that holds something, or cannot be written;
    /// options that are for positives and negatives.
    pub fn fit_numbers_with(
        &self,
        data: &Dataset,
        options: &FitOptions,
    ) -> Result<(NumberModel, Answer), Error> {
        let learnt = self.learn(&with_numbers(data)?, options)?;
        let AnyModel::One(file) = learnt.model() else { return Err(Error::nothing_to_do()) };
        Ok((NumberModel { file }, Answer::shown(&learnt.answer(Extent::Short))))
    }
}

/// Refuses data of classes.
fn with_numbers(data: &Dataset) -> Result<Dataset, Error> {
    if data.problem().numbers.is_some() {
        return Ok(data.clone());
    }
    let message = "the data have classes, not numbers";
    Err(Error::fault(
        Diagnostic::error(codes::BAD_NUMBERS, message).with_help("`Learner::fit` learns from them"),
    ))
}

impl NumberModel {
    /// Reads a model that `gleaner learn` wrote of data with numbers.
    ///
    /// # Errors
    ///
    /// When the file cannot be read, or is no model of numbers of a known version.
    pub fn load(path: impl AsRef<Path>) -> Result<Self, Error> {
        Self::from_json(&text_of(path.as_ref())?)
    }

    /// Reads a model from the text of its file.
    ///
    /// # Errors
    ///
    /// When it is no model of numbers of a known version.
    pub fn from_json(text: &str) -> Result<Self, Error> {
        match AnyModel::of_text(Path::new(""), text)? {
            AnyModel::One(file) if file.header.number.is_some() => Ok(Self { file }),
            links @ AnyModel::Links(_) => Err(links.of_links(Path::new("")).into()),
            AnyModel::One(_) | AnyModel::Many(_) => {
                let message = "this is a model of classes";
                Err(Error::fault(
                    Diagnostic::error(codes::BAD_MODEL, message)
                        .with_help("`Model::load` or `ClassModel::load` reads it"),
                ))
            }
        }
    }

    /// The text of the model's file: readable JSON.
    #[must_use]
    pub fn to_json(&self) -> String {
        self.file.to_json()
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

    /// How to read a file or folder whose examples this model is to score: numbers and modes need not be there.
    ///
    /// # Errors
    ///
    /// When the model's target is no name.
    pub fn reader(&self, path: impl AsRef<Path>) -> Result<DatasetReader, Error> {
        let request = LoadRequest { path: path.as_ref().to_owned(), rng_seed: 1, ..LoadRequest::default() };
        Ok(DatasetReader::of(request_to_score(std::slice::from_ref(&self.file), request)?))
    }

    /// The numbers of all examples of a data set, by example.
    ///
    /// # Errors
    ///
    /// When the data have another target, or neither facts nor rules of a predicate that the model uses.
    pub fn predict(&self, data: &Dataset) -> Result<Vec<NumberPrediction>, Error> {
        self.predict_with(data, &ScoringOptions::default())
    }

    /// As [`NumberModel::predict`], as the options say; an operating point has no effect, and intervals are always there.
    ///
    /// # Errors
    ///
    /// As for [`NumberModel::predict`]; a fold that there is not.
    pub fn predict_with(
        &self,
        data: &Dataset,
        options: &ScoringOptions,
    ) -> Result<Vec<NumberPrediction>, Error> {
        let applied = options.applied(data);
        let answer = options.with_means(|means| predict(&self.file, &applied, means))?;
        Ok(answer.predictions.into_iter().map(prediction).collect())
    }

    /// The metrics of the predictions of a data set's examples that have numbers.
    ///
    /// # Errors
    ///
    /// As for [`NumberModel::predict`]; data without a number.
    pub fn metrics(&self, data: &Dataset) -> Result<NumberMetrics, Error> {
        let applied = Applied::to_all(Arc::clone(data.shared_problem()));
        let options = ScoringOptions::default();
        Ok(options.with_means(|means| evaluate(&self.file, &applied, means))?.figures.model)
    }
}

fn prediction(of: number_answers::NumberPrediction) -> NumberPrediction {
    let interval = |(&level, ends): (&f64, &Option<[f64; 2]>)| {
        ends.map(|[low, high]| NumberInterval { level, low, high })
    };
    NumberPrediction {
        intervals: LEVELS.iter().zip(&of.intervals).filter_map(interval).collect(),
        example: of.example,
        number: of.number,
        predicted: of.predicted,
    }
}
