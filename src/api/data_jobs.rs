//! Jobs that look at data and learn nothing.

use crate::experiment::inspect::ModesAnswer;
use crate::jobs::chosen_set::ChosenSet;
use crate::jobs::features::{ClauseSource, Features};
use crate::jobs::inspect::{Inspect, Inspected};

use super::folds::set_of_fold;
use super::{Answer, Dataset, Error, FeatureTable, Learner, RunSet};

impl Dataset {
    /// Lists the relations, the examples, the modes and the folds, as `gleaner inspect` does.
    ///
    /// # Errors
    ///
    /// Invalid settings of the data.
    pub fn inspect(&self) -> Result<Answer, Error> {
        let learner = Learner::default();
        let session = learner.session(self)?;
        let found = learner.with_means(|means| Inspect::default().run(&session, means))?;
        Ok(match found {
            Inspected::Data(answer) => Answer::of(&*answer),
            Inspected::Modes(modes) => Answer::of(&ModesAnswer { modes: &modes }),
        })
    }

    /// Makes a table of the examples that each clause covers: a row for each labelled example, a column for each
    /// clause.
    ///
    /// Clauses are texts, as for [`Dataset::evaluate`].
    ///
    /// # Errors
    ///
    /// As for [`Dataset::evaluate`].
    pub fn features<I>(&self, clauses: I) -> Result<FeatureTable, Error>
    where
        I: IntoIterator,
        I::Item: AsRef<str>,
    {
        self.feature_table(clauses, ChosenSet::default())
    }

    /// As [`Dataset::features`], with a row for each example of a set of the run of a fold: its number from 1, or its name.
    /// The run is that of cross-validation with the usual settings and the seed 1.
    ///
    /// # Errors
    ///
    /// As for [`Dataset::evaluate`]; a fold that there is not.
    pub fn features_in_fold<I>(&self, clauses: I, fold: &str, set: RunSet) -> Result<FeatureTable, Error>
    where
        I: IntoIterator,
        I::Item: AsRef<str>,
    {
        self.feature_table(clauses, set_of_fold(fold, set)?)
    }

    fn feature_table<I>(&self, clauses: I, set: ChosenSet) -> Result<FeatureTable, Error>
    where
        I: IntoIterator,
        I::Item: AsRef<str>,
    {
        let texts: Vec<String> = clauses.into_iter().map(|clause| clause.as_ref().to_owned()).collect();
        let learner = Learner::default();
        let session = learner.session(self)?;
        let job = Features { source: ClauseSource::Texts(texts), set };
        Ok(FeatureTable::of(&learner.with_means(|means| job.run(session, means))?))
    }
}
