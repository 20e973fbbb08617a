//! Jobs from files to files.

use std::path::Path;

use crate::jobs::compare::Compare;
use crate::jobs::convert::Convert;
use crate::jobs::evaluate::TableOfScores;
use crate::jobs::generate::{Domain, Generate};
use crate::jobs::kinds::Displayed;
use crate::jobs::rank::Rank;
use crate::jobs::show::{Form, Show};
use crate::report::manual::CodeAnswer;
use gleaner_data::Format;
use gleaner_lang::syntax::manual::find_code;
use gleaner_learn::shown::Extent;

use super::dataset::unknown_layout;
use super::{
    Answer, Context, DatasetReader, Error, EvaluationOptions, LinkPart, LinkRanks, Model, RankAmong,
    RankedLink, ScoreTable, Watcher,
};

/// Compares runs over the same folds that [`Learner::cross_validate_into`](crate::Learner::cross_validate_into) or `gleaner cv --run` wrote. Compares these
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

/// Measures a table of scores.
///
/// # Errors
///
/// A file that cannot be read, or lacks the columns.
pub fn evaluate_table(table: &ScoreTable, measured: &EvaluationOptions) -> Result<Answer, Error> {
    let ScoreTable { path, label, score, probability } = table;
    let table = TableOfScores { path, label, score, probability: probability.as_deref() };
    Ok(Answer::shown(&table.evaluate(&measured.measured(), &Watcher::default())?.shown))
}

/// The manual page of a message's code, as `G012`; `None` if there is no such code.
#[must_use]
pub fn manual_page(code: &str) -> Option<Answer> {
    find_code(code).map(|code| Answer::of(&CodeAnswer::of(code)))
}

/// Writes a synthetic problem into a new folder, and measures the theory that was planted in it.
///
/// # Example
///
/// ```no_run
/// use gleaner::{Domain, UniversityConfig, generate};
///
/// let university = UniversityConfig { people: 100, seed: 2, ..UniversityConfig::default() };
/// println!("{}", generate(Domain::University(university), "university")?);
/// # Ok::<(), gleaner::Error>(())
/// ```
///
/// # Errors
///
/// Sizes that contradict each other; a folder that cannot be written.
pub fn generate(domain: Domain, folder: impl AsRef<Path>) -> Result<Answer, Error> {
    let job = Generate { domain, folder: folder.as_ref().to_owned(), overwrite: false };
    Ok(Answer::of(&job.run(&Watcher::default())?))
}

/// Ranks the links of a graph by a saved model of all relations or of one. Ranks are filtered.
///
/// # Errors
///
/// A file that is no model of links, or a graph without links of this part.
pub fn rank_links(
    model: impl AsRef<Path>,
    graph: impl AsRef<Path>,
    part: LinkPart,
    among: RankAmong,
) -> Result<Answer, Error> {
    let job = ranking(model.as_ref(), graph.as_ref(), part, among);
    Ok(Answer::of(&Context::default().run(|means| job.run(means))?))
}

fn ranking(model: &Path, graph: &Path, part: LinkPart, among: RankAmong) -> Rank {
    Rank { model: model.to_owned(), data: graph.to_owned(), part: Some(part), among }
}

impl Model {
    /// Ranks the links of a part of a graph of triples, a file or a folder, among all entities.
    ///
    /// # Errors
    ///
    /// Every fault of the files; a part without links.
    pub fn rank(&self, path: impl AsRef<Path>, part: LinkPart) -> Result<LinkRanks, Error> {
        self.rank_among(path, part, RankAmong::Entities)
    }

    /// As [`Model::rank`], among these entities.
    ///
    /// # Errors
    ///
    /// As for [`Model::rank`].
    pub fn rank_among(
        &self,
        path: impl AsRef<Path>,
        part: LinkPart,
        among: RankAmong,
    ) -> Result<LinkRanks, Error> {
        let job = ranking(Path::new(""), path.as_ref(), part, among);
        let model = self.links()?.clone();
        let answer = self.context.run(|means| job.by_links(model, means))?;
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

/// The text of a Prolog program that scores and decides as a saved model does. If there are many classes, it is the model of `class`.
///
/// # Errors
///
/// A file that is no model, or a model that cannot be a program.
pub fn prolog_program(model: impl AsRef<Path>, class: Option<&str>) -> Result<String, Error> {
    let path = model.as_ref().to_owned();
    let class = class.map(str::to_owned);
    let job = Show {
        path,
        form: Form::Pl,
        dialect: None,
        class,
        relation: None,
        best: None,
        extent: Extent::Short,
    };
    match job.run(&Watcher::default())? {
        Displayed::File(program) => Ok(program),
        Displayed::Items(_) => unreachable!("a program is a file"),
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
        Ok(Answer::of(&job.run(&Watcher::default())?.answer()))
    }
}
