//! The kinds that read saved models.

use std::path::Path;
use std::sync::Arc;

use crate::experiment::links::ranks::RankAnswer;
use crate::jobs::failure::{Failure, bad_model};
use crate::jobs::files::{read_text, warn_of_other_run};
use crate::jobs::links::Rank;
use crate::jobs::listener::{Listener, Means};
use crate::jobs::show::Show;
use crate::store::ModelFile;

use super::class_models::{ManyClasses, TwoClasses};
use super::models::{AnyModel, Displayed};
use super::numbers::NumberModel;

/// Reads the text of a file as a model of one kind; `None` where it is not of this kind.
type Reader = fn(&Path, &str) -> Result<Option<AnyModel>, Failure>;

/// The kinds of saved models. The last takes any text, and says why it is no model.
const READERS: [Reader; 3] = [super::links::read, ManyClasses::read, one_model];

/// Reads the model of positives and negatives, or of numbers.
fn one_model(path: &Path, text: &str) -> Result<Option<AnyModel>, Failure> {
    let file = Arc::new(ModelFile::from_json(text).map_err(|error| bad_model(path, &error))?);
    Ok(Some(if !file.header.labels.are_decided() {
        Arc::new(NumberModel(file))
    } else {
        Arc::new(TwoClasses(file))
    }))
}

/// Reads a model file, and warns if it is not of the run that it was written with.
pub(crate) fn read_model(path: &Path, listener: &dyn Listener) -> Result<AnyModel, Failure> {
    warn_of_other_run(path, listener);
    model_of_text(path, &read_text(path)?)
}

/// Reads the text of a model file.
pub(crate) fn model_of_text(path: &Path, text: &str) -> Result<AnyModel, Failure> {
    let models = READERS.iter().map(|read| read(path, text).transpose());
    models.flatten().next().expect("the last kind takes any text")
}

/// Reads a model file, and gives it in the form that is asked for.
pub(crate) fn show(asked: &Show, listener: &dyn Listener) -> Result<Displayed, Failure> {
    read_model(&asked.path, listener)?.show(asked, listener)
}

/// Reads a model file, and ranks the links of a graph by it.
pub(crate) fn rank(asked: &Rank, means: Means<'_>) -> Result<RankAnswer, Failure> {
    model_of_text(&asked.model, &read_text(&asked.model)?)?.rank(asked, means)
}
