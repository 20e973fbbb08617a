//! A model that was learnt, of any kind of target: it scores the examples of any data set with its predicates.

use std::fmt;
use std::path::{Path, PathBuf};

use gleaner_lang::syntax::marks::in_library;
use gleaner_lang::syntax::{Diagnostic, codes};
use gleaner_learn::links::LinkModel;
use gleaner_learn::shown::Extent;

use crate::experiment::links::ranks::RankedText as RankedLink;
use crate::experiment::metrics::columns::Tabled as _;
use crate::jobs::failure::{bad_model, is_of_links};
use crate::jobs::files::read_text;
use crate::jobs::kinds::{AnyModel, Displayed, TargetKind, model_of_text};
use crate::jobs::links::{ExplainLink, PredictLinks, Rank};
use crate::jobs::scoring::request_to_score;
use crate::jobs::show::{Form, Show, rules};
use crate::store::{ModelFile, OwnModel, write_whole};

use super::{
    Answer, Context, Dataset, DatasetReader, Error, EvaluationOptions, LinkPart, Predictions, RankAmong,
    ScoringOptions, Source, Watcher,
};

/// A model that was learnt: of two classes, of many, of numbers, or of the links of a graph.
///
/// A model holds names, never numbers of one data set: it may score another data set, or be saved and loaded.
/// Where the other data lack a predicate that the model uses, [`Model::predict`] refuses.
#[derive(Clone, Debug)]
pub struct Model {
    any: AnyModel,
    pub(super) context: Context,
}

impl Model {
    pub(super) fn of(any: AnyModel) -> Self {
        Self { any, context: Context::default() }
    }

    /// The model whose calls work so.
    #[must_use]
    pub fn within(mut self, context: &Context) -> Self {
        self.context = context.clone();
        self
    }

    /// The model as jobs take it.
    pub(super) const fn any(&self) -> &AnyModel {
        &self.any
    }

    /// Reads a model that [`Model::save`] or `gleaner learn` wrote.
    ///
    /// # Errors
    ///
    /// When the file cannot be read, or is no model of a known version.
    pub fn load(path: impl AsRef<Path>) -> Result<Self, Error> {
        Self::from_json(&read_text(path.as_ref())?)
    }

    /// Reads a model from the text of its file.
    ///
    /// # Errors
    ///
    /// When it is no model of a known version.
    pub fn from_json(text: &str) -> Result<Self, Error> {
        let any = model_of_text(Path::new(""), text)?;
        any.models().iter().try_for_each(|file| own(file).map(|_| ()))?;
        Ok(Self::of(any))
    }

    /// The text of the model's file: readable JSON.
    pub fn to_json(&self) -> String {
        self.any.to_json()
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

    /// What it predicts.
    pub fn kind(&self) -> TargetKind {
        self.any.target_kind()
    }

    /// The learner that made it; empty of links.
    pub fn learner(&self) -> &str {
        self.any.models().first().map_or("", |file| &file.header.learner)
    }

    /// The target, as `name/arity`; of many classes that of the first, of links `all`.
    pub fn target(&self) -> &str {
        self.any.models().first().map_or("all", |file| &file.header.target)
    }

    /// The names of the classes, if they are many; else none.
    pub fn classes(&self) -> &[String] {
        self.any.class_names()
    }

    /// Whether a limit or a signal ended the search that it is of.
    pub fn is_cut_short(&self) -> bool {
        self.any.models().iter().any(|file| file.header.stopped.is_some())
    }

    /// The clauses, as the model's file has them; of many classes those of each in turn.
    pub fn clauses(&self) -> Vec<String> {
        self.any.models().iter().flat_map(|file| file.clause_texts()).collect()
    }

    /// The model in a form that `gleaner show --to` takes, as a Prolog program or SQL; of many classes that of `class`.
    ///
    /// # Errors
    ///
    /// When the model does not have this form, or there is one for each class and none is named.
    pub fn shown(&self, form: Form, class: Option<&str>) -> Result<String, Error> {
        let (path, class) = (PathBuf::new(), class.map(str::to_owned));
        let asked =
            Show { path, form, dialect: None, class, relation: None, best: None, extent: Extent::Short };
        match self.any.show(&asked, &Watcher::default())? {
            Displayed::File(text) => Ok(text),
            Displayed::Items(_) => Ok(self.to_string()),
        }
    }

    /// How to read data whose examples this model is to score: labels and modes need not be there.
    ///
    /// # Errors
    ///
    /// When the model's target is no name; a model of links, which reads graphs by itself.
    pub fn reader(&self, source: impl Into<Source>) -> Result<DatasetReader, Error> {
        if self.any.models().is_empty() {
            return Err(is_of_links(Path::new("")).into());
        }
        let request = request_to_score(self.any.models(), source.into().0)?;
        Ok(DatasetReader::of(request).within(&self.context))
    }

    /// Predicts for all examples of a data set, also for those without a label.
    ///
    /// # Errors
    ///
    /// When the data have another target, or neither facts nor rules of a predicate that the model uses. A model of links,
    /// which has [`Model::new_links`].
    pub fn predict(&self, data: &Dataset) -> Result<Predictions, Error> {
        self.predict_with(data, &ScoringOptions::default())
    }

    /// Predicts for the test examples of one fold. The fold is one of the cross-validation that the model's settings make;
    /// folds count from 1.
    ///
    /// # Errors
    ///
    /// As for [`Model::predict`], and when there is no such fold.
    pub fn predict_fold(&self, data: &Dataset, fold: usize) -> Result<Predictions, Error> {
        let fold = Some(fold.to_string());
        self.predict_with(data, &ScoringOptions { fold, ..ScoringOptions::default() })
    }

    /// Predicts as the options say; an operating point and intervals have an effect on positives and negatives alone.
    ///
    /// # Errors
    ///
    /// As for [`Model::predict`]; a fold that there is not; an operating point that the model cannot decide at.
    pub fn predict_with(&self, data: &Dataset, options: &ScoringOptions) -> Result<Predictions, Error> {
        let scoring = options.scoring(data)?;
        let found = self.context.run(|means| self.any.predict(&scoring, means))?;
        let calibration = self.any.models().first().and_then(|file| file.header.calibration.as_ref());
        let columns = found.columns();
        let keys = found.keys(&columns);
        Ok(Predictions { columns, keys, prior: calibration.map(|calibration| calibration.prior) })
    }

    /// Measures the predictions of a data set's labelled examples, as `gleaner evaluate` does.
    ///
    /// # Errors
    ///
    /// As for [`Model::predict_with`]; data without labels; an argument that the target does not have.
    pub fn evaluate(
        &self,
        data: &Dataset,
        options: &ScoringOptions,
        measured: &EvaluationOptions,
    ) -> Result<Answer, Error> {
        let (scoring, measured) = (options.scoring(data)?, measured.measured());
        let found = self.context.run(|means| self.any.evaluate(Path::new(""), &scoring, &measured, means))?;
        Ok(Answer::shown(&found.shown))
    }
}

/// The model over a symbol table of its own, for what needs no data.
fn own(file: &ModelFile) -> Result<OwnModel, Error> {
    file.own_model().map_err(|error| bad_model(Path::new(""), &error).into())
}

impl fmt::Display for Model {
    /// The model as `gleaner learn` prints it; of links how many rules there are, and the most telling ones.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let document = self.any.document().unwrap_or_default();
        f.write_str(document.worded(in_library).text().trim_end())
    }
}

/// How a model ranks links that were kept back.
#[derive(Clone, Debug, PartialEq)]
pub struct LinkRanks {
    /// Each link, with the ranks of its ends, filtered; each from 1, ties in the middle.
    pub links: Vec<RankedLink>,
    /// The mean of the reciprocals of all ranks, 0 to 1; `None` without links.
    pub mrr: Option<f64>,
    /// The shares of ranks of at most 1, 3 and 10.
    pub hits: [Option<f64>; 3],
    /// The report of `gleaner rank`.
    pub answer: Answer,
}

/// The new links that are asked for. With neither end given, those that a path or an anchored rule predicts are looked at.
#[derive(Clone, Copy, Debug, Default)]
pub struct NewLinkQuery<'a> {
    /// Of this relation; of all if none is given.
    pub relation: Option<&'a str>,
    /// From this entity.
    pub head: Option<&'a str>,
    /// To this entity.
    pub tail: Option<&'a str>,
}

/// What models of links have. Of another model each but [`Model::rank`] is an error.
impl Model {
    fn links(&self) -> Result<&LinkModel, Error> {
        self.any.links().map_err(|_| {
            let fault = Diagnostic::error(codes::BAD_MODEL, "this is no model of links");
            Error::fault(fault.with_help("`Learner::fit_links` learns one of a graph"))
        })
    }

    /// The relations that it has rules for, ascending.
    ///
    /// # Errors
    ///
    /// A model that is none of links.
    pub fn relations(&self) -> Result<&[String], Error> {
        Ok(&self.links()?.relations)
    }

    /// The first `best` rules of each relation, or of one, as `gleaner show` prints them.
    ///
    /// # Errors
    ///
    /// When there is no such relation.
    pub fn rules(&self, relation: Option<&str>, best: usize) -> Result<Answer, Error> {
        Ok(Answer::of(&rules(self.links()?, relation, best)?))
    }

    /// The `top` most likely links that the model does not know, the most likely first, with the columns `subject`, `relation`,
    /// `object`, `score` and `probability`. Links of the graph are not new, either.
    ///
    /// # Errors
    ///
    /// A relation or entity that neither the model nor the graph has; every fault of the graph.
    pub fn new_links(
        &self,
        query: NewLinkQuery<'_>,
        graph: Option<Source>,
        top: usize,
    ) -> Result<Predictions, Error> {
        let [relation, head, tail] =
            [query.relation, query.head, query.tail].map(|name| name.map(str::to_owned));
        let job = PredictLinks { relation, head, tail, most: top };
        let (model, graph) = (self.links()?.clone(), graph.map(|graph| graph.0));
        let answer = self.context.run(|means| job.run(model, graph.as_ref(), means))?;
        Ok(Predictions { columns: answer.columns(), ..Predictions::default() })
    }

    /// Why a link has its score, as `gleaner explain` prints it. `link` is an atom, `relation(subject,object)`, or has tabs between
    /// subject, relation and object.
    ///
    /// # Errors
    ///
    /// A text that is no link; names that neither the model nor the graph has; every fault of the graph.
    pub fn explain_link(&self, link: &str, graph: impl Into<Source>) -> Result<Answer, Error> {
        let job = ExplainLink { link: link.to_owned() };
        let (model, Source(graph)) = (self.links()?.clone(), graph.into());
        let answer = self.context.run(|means| job.run(model, &graph, means))?;
        Ok(Answer::of(&answer))
    }

    /// Ranks the links of a part of a graph of triples, by a model of links or of one relation of the graph. Ranks are filtered.
    ///
    /// # Errors
    ///
    /// Every fault of the graph; a part without links; a model that ranks none.
    pub fn rank(
        &self,
        graph: impl Into<Source>,
        part: LinkPart,
        among: RankAmong,
    ) -> Result<LinkRanks, Error> {
        let job = Rank { model: PathBuf::from("this"), data: graph.into().0, part: Some(part), among };
        let answer = self.context.run(|means| self.any.rank(&job, means))?;
        let (shown, metrics) = (Answer::of(&answer), &answer.metrics);
        let (mrr, hits) = (metrics.mrr, [metrics.hits_1, metrics.hits_3, metrics.hits_10]);
        Ok(LinkRanks { mrr, hits, links: answer.ranked, answer: shown })
    }
}
