//! Jobs that look at data and learn nothing.

use crate::experiment::inspect::ModesAnswer;
use crate::jobs::chosen_set::ChosenSet;
use crate::jobs::features::{ClauseSource, Features};
use crate::jobs::inspect::{Inspect, Inspected};

use super::{Answer, Dataset, Error, FeatureTable, Learner};

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
        let texts: Vec<String> = clauses.into_iter().map(|clause| clause.as_ref().to_owned()).collect();
        let learner = Learner::default();
        let session = learner.session(self)?;
        let job = Features { source: ClauseSource::Texts(texts), set: ChosenSet::default() };
        Ok(FeatureTable::of(&learner.with_means(|means| job.run(session, means))?))
    }
}
