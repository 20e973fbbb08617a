//! To learn and to cross-validate with options.

use std::path::PathBuf;

use crate::jobs::kinds::Learnt;
use crate::jobs::variants::Variant;
use crate::jobs::{
    CrossValidate, Earlier, FeatureClauses, FolderOutput, Learn, LearntModel, RunPlace, Session,
};
use gleaner_learn::shown::Extent;

use super::options::{FitOptions, ValidationOptions, fold_named};
use super::{Answer, Dataset, Error, Learner, Model, Validation};

impl FitOptions {
    fn job(&self) -> Result<Learn, Error> {
        Ok(Learn {
            fold: self.fold.as_deref().map(fold_named).transpose()?,
            count_filtered: self.count_filtered,
            feature_clauses: given(&self.feature_clauses),
            counts_clauses: self.folder.is_some(),
        })
    }
}

fn given(sources: &[PathBuf]) -> FeatureClauses {
    FeatureClauses { sources: sources.to_vec(), ..FeatureClauses::default() }
}

impl Learner {
    /// As [`Learner::fit`]; the options say from which examples. Also gives the report of `gleaner learn`.
    ///
    /// # Errors
    ///
    /// As for [`Learner::fit`]; a fold that there is not; files of clauses that cannot be read; a run folder that holds
    /// something, or cannot be written.
    pub fn fit_with(&self, data: &Dataset, options: &FitOptions) -> Result<(Model, Answer), Error> {
        let learnt = self.learn(data, options)?;
        Ok((Model::of(learnt.model()), Answer::shown(&learnt.answer(Extent::Short))))
    }

    fn learn(&self, data: &Dataset, options: &FitOptions) -> Result<Box<dyn Learnt>, Error> {
        let (session, job) = (self.session(data)?, options.job()?);
        self.context.run(|means| {
            let ready = job.ready(session.into(), means)?;
            let folder = options.folder.as_deref();
            let claim = |folder| FolderOutput::claim(folder, Earlier::Run, false, means.listener);
            let folder = folder.map(claim).transpose()?;
            let LearntModel { learnt, took } = ready.run()?;
            folder.map_or(Ok(()), |folder| folder.write_or_save(|sink| learnt.write(took, sink)))?;
            Ok(learnt)
        })
    }

    /// Cross-validates learners on the same folds, each under its name, or one without a name. Seed, threads and limits
    /// are those of this learner.
    ///
    /// # Errors
    ///
    /// As for [`Learner::fit`]; a run folder that holds something else, or cannot be written.
    pub fn validate(
        &self,
        data: &Dataset,
        learners: &[(&str, &Self)],
        options: &ValidationOptions,
    ) -> Result<Validation, Error> {
        let session = self.session(data)?;
        let job = Self::validation_job(&session, learners, options)?;
        let found = self.context.run(|means| {
            let found = job.run(session.into(), means)?;
            let stops = found.as_ref().map_or_else(String::new, |found| found.validated.stop_lines());
            stops.lines().for_each(|line| means.listener.note(line));
            Ok(found)
        })?;
        let found = found.ok_or_else(Error::nothing_to_do)?;
        found.saved?;
        Ok(Validation::of(&*found.validated))
    }

    /// The job that cross-validates these learners on the data of a session.
    fn validation_job(
        session: &Session,
        learners: &[(&str, &Self)],
        options: &ValidationOptions,
    ) -> Result<CrossValidate, Error> {
        let variants = learners.iter().map(|&(name, learner)| {
            let settings = learner.resolved(&session.problem)?;
            Ok(Variant { name: name.to_owned(), short_name: name.to_owned(), settings })
        });
        let place = options.folder.as_ref().map(|path| RunPlace {
            path: path.clone(),
            resume: options.resume,
            overwrite: options.overwrite,
            keep_every: options.keep_every,
        });
        Ok(CrossValidate {
            count_filtered: options.count_filtered,
            variants: variants.collect::<Result<_, Error>>()?,
            feature_clauses: given(&options.feature_clauses),
            n_repeats: options.repeats.max(1),
            place,
            plan: None,
        })
    }
}
