//! Jobs from files to files.

use std::path::Path;

use crate::experiment::links::RankedPart;
use crate::jobs::compare::Compare;
use crate::jobs::convert::Convert;
use crate::jobs::evaluate::{Evaluate, ScoreSource};
use crate::jobs::generate::{Domain, Generate};
use crate::jobs::rank::Rank;
use crate::jobs::show::{Form, Show, Shown};
use gleaner_data::Format;
use gleaner_generate::{AccountsConfig, SentencesConfig, UniversityConfig};
use gleaner_learn::links::rank::Among;

use super::dataset::unknown_layout;
use super::{Answer, DatasetReader, Error, Learner, LinkModel, LinkPart, LinkRanks, RankedLink, Watcher};

/// Compares runs over the same folds that [`Learner::cross_validate_into`] or `gleaner cv --run` wrote. Compares these
/// metrics, or the usual ones if none is named.
///
/// # Errors
///
/// Folders that hold no run, or runs over other examples.
pub fn compare_runs<P: AsRef<Path>>(
    runs: impl IntoIterator<Item = P>,
    metrics: &[&str],
) -> Result<Answer, Error> {
    let job = Compare {
        runs: runs.into_iter().map(|run| run.as_ref().to_owned()).collect(),
        metrics: metrics.iter().map(|&name| name.to_owned()).collect(),
    };
    Ok(Answer::of(&job.run()?))
}

/// Measures a table of scores: a CSV with a header, a column of labels and one of scores, higher for positives.
///
/// # Errors
///
/// A file that cannot be read, or lacks the columns.
pub fn evaluate_table(path: impl AsRef<Path>, label: &str, score: &str) -> Result<Answer, Error> {
    let job = Evaluate {
        path: path.as_ref().to_owned(),
        source: ScoreSource::Table { label: label.to_owned(), score: score.to_owned(), probability: None },
        at_probability: 0.5,
        by: None,
        wants_curve: false,
    };
    Ok(Answer::of(&Learner::default().with_means(|means| job.run(means))?))
}

/// Writes a synthetic problem into a new folder: `university`, `sentences` or `accounts`, of the usual size.
///
/// # Errors
///
/// Another name; a folder that cannot be written.
pub fn generate(domain: &str, folder: impl AsRef<Path>, seed: u64) -> Result<Answer, Error> {
    let domain = match domain {
        "university" => Domain::University(UniversityConfig { seed, ..UniversityConfig::default() }),
        "sentences" => Domain::Sentences(SentencesConfig { seed, ..SentencesConfig::default() }),
        "accounts" => Domain::Accounts(AccountsConfig { seed, ..AccountsConfig::default() }),
        other => {
            return Err(Error::bad_value("generate", other, "it takes university, sentences or accounts"));
        }
    };
    let job = Generate { domain, folder: folder.as_ref().to_owned(), overwrite: false };
    Ok(Answer::of(&job.run(&Watcher::deaf())?))
}

/// Ranks the links of a graph by a saved model of all relations or of one. Ranks are filtered, among all entities.
///
/// # Errors
///
/// A file that is no model of links, or a graph without links of this part.
pub fn rank_links(model: impl AsRef<Path>, graph: impl AsRef<Path>, part: LinkPart) -> Result<Answer, Error> {
    let job = ranking(model.as_ref(), graph.as_ref(), part);
    Ok(Answer::of(&Learner::default().with_means(|means| job.run(means))?))
}

fn ranking(model: &Path, graph: &Path, part: LinkPart) -> Rank {
    Rank {
        model: model.to_owned(),
        data: graph.to_owned(),
        part: Some(match part {
            LinkPart::Test => RankedPart::Test,
            LinkPart::Tune => RankedPart::Tune,
            LinkPart::Train => RankedPart::Train,
        }),
        among: Among::Entities,
    }
}

impl LinkModel {
    /// Ranks the links of a part of a graph of triples, a file or a folder.
    ///
    /// # Errors
    ///
    /// Every fault of the files; a part without links.
    pub fn rank(&self, path: impl AsRef<Path>, part: LinkPart) -> Result<LinkRanks, Error> {
        let job = ranking(Path::new(""), path.as_ref(), part);
        let model = self.inner().clone();
        let answer = Learner::default().with_means(|means| job.by_links(model, means))?;
        let ranked = answer.ranked.into_iter().map(|of| RankedLink {
            link: of.link,
            rank_of_subject: of.of_subject,
            rank_of_object: of.of_object,
        });
        let metrics = answer.metrics;
        Ok(LinkRanks {
            links: ranked.collect(),
            mrr: metrics.mrr,
            hits: [metrics.hits_1, metrics.hits_3, metrics.hits_10],
        })
    }
}

/// The text of a Prolog program that scores and decides as a saved model does. Of many classes it is the model of `class`.
///
/// # Errors
///
/// A file that is no model, or a model that cannot be a program.
pub fn prolog_program(model: impl AsRef<Path>, class: Option<&str>) -> Result<String, Error> {
    let path = model.as_ref().to_owned();
    let class = class.map(str::to_owned);
    let job = Show { path, form: Form::Pl, class, relation: None, best: None };
    match job.run(&Watcher::deaf())? {
        Shown::File(program) => Ok(program),
        Shown::One(_) | Shown::Many(_) | Shown::Links(_) => unreachable!("a program is a file"),
    }
}

impl DatasetReader {
    /// Writes the data in another layout, one of those that `gleaner convert --to` takes, into a new folder.
    ///
    /// # Errors
    ///
    /// Every fault of the files; an unknown layout; a folder that cannot be written.
    pub fn convert(self, layout: &str, folder: impl AsRef<Path>) -> Result<Answer, Error> {
        let to = Format::named(layout).ok_or_else(|| unknown_layout(layout))?;
        let request = self.request()?;
        let job = Convert { request, to, folder: folder.as_ref().to_owned(), overwrite: false };
        Ok(Answer::of(&job.run(&Watcher::deaf())?.answer()))
    }
}
