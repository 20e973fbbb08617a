//! To cross-validate and to learn the links of a graph.

use std::collections::BTreeSet;
use std::io;
use std::sync::Arc;

use gleaner_base::Budget;
use gleaner_data::graph::FORMAT;
use gleaner_lang::program::examples::GraphData;
use gleaner_lang::program::settings::{DataSummary, SettingGroup as _, Settings};
use gleaner_lang::syntax::{Diagnostic, codes};
use gleaner_learn::links::longer::LONGEST;
use gleaner_learn::links::{Better, LinkConfig, LinkModel};
use gleaner_learn::shown::Extent;

use crate::experiment::comparing::side_by_side::{Results, VariantName};
use crate::experiment::links::ranks::{LinkLearnAnswer, telling};
use crate::experiment::links::run::{LinkFold, LinkRun};
use crate::experiment::links::validation::{
    ALL_LINKS, LINK_LEARNER, LinkCrossValidation, LinkCvAnswer, LinkWork, cross_validate_links, folds,
    work_on_links,
};
use crate::experiment::loading::inspect::DataProfile;
use crate::experiment::records::finished_run::table_folder;
use crate::experiment::records::run_record::{Recorded, RunRecord, RunRequest, Subject};
use crate::experiment::runs::scheduled_runs::Measured;
use crate::experiment::runs::split::SplitSettings;
use crate::experiment::settings::asked::Asked;
use crate::jobs::cross_validate::CrossValidate;
use crate::jobs::failure::Failure;
use crate::jobs::folder_output::Sink;
use crate::jobs::learn::{Learn, apart};
use crate::jobs::links::stopped;
use crate::jobs::listener::{Listener, Took};
use crate::jobs::run_folder::{
    Reported, input_hashes, reading_flags, write_beside, write_timing, write_warnings,
};
use crate::jobs::run_place::{RunNames, below};
use crate::jobs::session::{Session, chosen_position};
use crate::jobs::variants::Variant;
use crate::report::answer::Shown;
use crate::report::links::{metrics_csv, ranks_csv, relations_csv, rules_csv};
use crate::report::stopped;
use crate::report::text::stop_name;

use super::links::Links;
use super::models::AnyModel;
use super::{Learnt, OutputItem, Ready, ReadyRuns, Validated, Working};

/// A graph with its settings and request.
type GraphSession = Session<GraphData>;

/// The runs of a cross-validation.
pub(crate) struct LinkRuns {
    session: GraphSession,
    folds: Vec<LinkFold>,
    variants: Vec<Variant>,
    n_repeats: usize,
}

impl LinkRuns {
    /// Divides the graph, and refuses what does not go with links.
    pub(crate) fn ready(asked: &CrossValidate, session: GraphSession) -> Result<Self, Failure> {
        if asked.feature_clauses.are_given() {
            return Err(apart("feature-clauses"));
        }
        check_variants(&asked.variants)?;
        let folds = folds_of(&session)?;
        Ok(Self { session, folds, variants: asked.variants.clone(), n_repeats: asked.n_repeats })
    }
}

impl Ready<Box<dyn Validated>> for LinkRuns {
    fn begin(&self, _: bool, listener: &dyn Listener) -> Result<(), Failure> {
        for name in self
            .variants
            .iter()
            .flat_map(|variant| unread(&variant.settings, &self.session))
            .collect::<BTreeSet<_>>()
        {
            let message = format!("⁅{name}⁆ has no effect on cv ⁅target={ALL_LINKS}⁆");
            listener.warn(codes::UNUSED_SETTING, &message);
        }
        Ok(())
    }

    fn n_numbered(&self) -> Option<usize> {
        Some(self.folds.len() * self.variants.len() * self.n_repeats)
    }

    fn run(self: Box<Self>, working: Working<'_>) -> Result<Box<dyn Validated>, Failure> {
        let Self { session, folds, variants, n_repeats } = *self;
        let settings: Vec<Settings> = variants.iter().map(|variant| variant.settings.clone()).collect();
        let work = |work: &LinkWork<'_>| cross_validate_links(&folds, &settings, n_repeats, work);
        let validations = with_work(working.is_written, working, work).map_err(stopped)?;
        let names: Vec<VariantName> = variants.iter().map(Variant::named).collect();
        let answer = LinkCvAnswer::of(&names, &validations);
        Ok(Box::new(LinksValidated { session, variants, validations, answer }))
    }
}

impl ReadyRuns for LinkRuns {
    fn work(&self, working: Working<'_>) {
        let Self { folds, n_repeats, .. } = self;
        let settings: Vec<Settings> = self.variants.iter().map(|variant| variant.settings.clone()).collect();
        // Whoever gathers may write a run folder.
        with_work(true, working, |work| work_on_links(folds, &settings, *n_repeats, work));
    }

    fn names(&self) -> RunNames<'_> {
        RunNames {
            folds: self.folds.iter().map(|fold| &*fold.name).collect(),
            n_repeats: self.n_repeats,
            variants: self.variants.iter().collect(),
        }
    }

    fn asked(&self) -> Asked {
        let request = request(&self.session, "cv", None);
        self.names().asked(&request, (ALL_LINKS, FORMAT), |_| LINK_LEARNER.to_owned())
    }
}

/// A model that is to be learnt.
pub(crate) struct LinkLearning {
    session: GraphSession,
    /// The fold that is kept for test, with its number from 1.
    fold: Option<(usize, LinkFold)>,
}

impl LinkLearning {
    /// Divides the graph if a fold is asked for, and refuses what does not go with links.
    pub(crate) fn ready(asked: &Learn, session: GraphSession) -> Result<Self, Failure> {
        if asked.feature_clauses.are_given() {
            return Err(apart("feature-clauses"));
        }
        let Some(choice) = &asked.fold else { return Ok(Self { session, fold: None }) };
        let mut folds = folds_of(&session)?;
        let names: Vec<&str> = folds.iter().map(|fold| &*fold.name).collect();
        let at = chosen_position(&names, choice)?;
        Ok(Self { fold: Some((at + 1, folds.swap_remove(at))), session })
    }
}

impl Ready<Box<dyn Learnt>> for LinkLearning {
    fn n_numbered(&self) -> Option<usize> {
        Some(1)
    }

    fn run(self: Box<Self>, working: Working<'_>) -> Result<Box<dyn Learnt>, Failure> {
        let Self { session, fold } = *self;
        let settings = &session.settings;
        working.context.monitor.share_done(0, 0.0);
        let run = with_work(true, working, |work: &LinkWork<'_>| match &fold {
            Some((_, fold)) => work.one(fold, settings),
            None => Ok(work.whole(session.problem.clone(), settings)),
        });
        let run = run.map_err(stopped)?;
        let model = run.model.clone().expect("a run that is asked for has a model");
        Ok(Box::new(LearntLinks { number: fold.map(|(number, _)| number), session, run, model }))
    }
}

/// Does work whose better models the listener hears of.
fn with_work<T>(
    is_written: bool,
    Working { context, listener, .. }: Working<'_>,
    work: impl FnOnce(&LinkWork<'_>) -> T,
) -> T {
    let told = |better| tell(better, listener);
    let learnt = |model: &LinkModel, budget: &Budget| tell_untried(model, budget, listener);
    work(&LinkWork { context, is_written, told: &told, learnt: &learnt })
}

/// Tells of a model that is better than the one before.
fn tell(better: Better, listener: &dyn Listener) {
    let Better { path_length, links, mrr } = better;
    listener.note(&format!("MRR {mrr:.4} on {links} links kept back, by paths of up to {path_length} links"));
}

/// Tells that longer paths were not tried, for too few links were kept back to choose by.
fn tell_untried(model: &LinkModel, budget: &Budget, listener: &dyn Listener) {
    let longest = model.closed.iter().map(|rule| rule.path.len()).max().unwrap_or(0);
    let is_untried = model.config.path_length.is_none() && model.chosen_on.mrr.is_none();
    if is_untried && (1..LONGEST).contains(&longest) && budget.stop().is_none() {
        listener.note(&format!(
            "too few links are kept back to try paths of more than {longest} links by;\n⁅path-length⁆ counts them"
        ));
    }
}

/// The folds of a graph; refuses one that has too few links.
fn folds_of(session: &GraphSession) -> Result<Vec<LinkFold>, Failure> {
    let graph = &session.problem;
    let n_folds = SplitSettings::of(&session.settings, DataSummary::default()).n_folds;
    if graph.test.is_empty() && graph.train.len() < n_folds as usize {
        let message = format!("{} links cannot be divided into {n_folds} folds", graph.train.len());
        return Err(Failure::fault(
            Diagnostic::error(codes::TOO_FEW_EXAMPLES, message).with_help("⁅folds=K⁆ makes fewer folds"),
        ));
    }
    Ok(folds(graph.clone(), n_folds, session.rng_seed))
}

/// Refuses variants that links cannot tell apart.
fn check_variants(variants: &[Variant]) -> Result<(), Failure> {
    let config = |variant: &Variant| LinkConfig::of(&variant.settings, DataSummary::default());
    for (at, variant) in variants.iter().enumerate() {
        if let Some(same) = variants[..at].iter().find(|other| config(other) == config(variant)) {
            let message = format!(
                "{} and {} are the same with ⁅target={ALL_LINKS}⁆, whose rules depend on other settings",
                same.name, variant.name
            );
            let known = LinkConfig::declarations();
            let known: Vec<&str> = known.iter().map(|known| known.about().name).collect();
            return Err(
                Failure::usage(codes::SETTING_VALUE, message).with_help(format!("vary {}", known.join(", ")))
            );
        }
    }
    Ok(())
}

/// The settings of a variant that links do not read, beside those of all variants.
fn unread(settings: &Settings, session: &GraphSession) -> Vec<&'static str> {
    let known = LinkConfig::declarations();
    let is_read = |name: &str| known.iter().any(|known| known.about().name == name);
    let all = settings.catalog().iter().map(|known| known.about().name);
    all.filter(|name| settings.is_chosen(name) && !session.settings.is_chosen(name) && !is_read(name))
        .collect()
}

/// The request, for the record.
fn request(session: &GraphSession, command: &str, fold: Option<usize>) -> RunRequest {
    let mut flags = reading_flags(&session.request);
    flags.retain(|name, _| ["target", "format"].contains(&name.as_str()));
    RunRequest {
        command: command.to_owned(),
        rng_seed: session.rng_seed,
        fold,
        flags,
        inputs: input_hashes(&session.sources, &session.request.path),
        ..RunRequest::default()
    }
}

/// The record of results.
fn record(
    (session, command, fold): (&GraphSession, &str, Option<usize>),
    settings: &Settings,
    results: &dyn Recorded,
) -> RunRecord {
    let (request, subject) = (request(session, command, fold), Subject::of_links(&session.problem));
    RunRecord::of(request, (LINK_LEARNER.to_owned(), settings), subject, results)
}

/// Writes a record with the files of its runs, and the page that shows them.
fn write_runs(
    below: &str,
    record: &RunRecord,
    runs: &[LinkRun],
    (session, took): (&GraphSession, Took),
    reported: &Reported<'_>,
) -> io::Result<()> {
    let sink: Sink<'_> = &|path, content| reported.write(path, content);
    for run in runs {
        let Some(model) = &run.model else { continue };
        let folder = table_folder(record, below, &run.result_name());
        let write = |name: &str, content: &str| sink(&format!("{folder}{name}"), content);
        write("model.json", &model.to_json())?;
        if run.ranks.links > 0 {
            write("ranks.csv", &ranks_csv(&run.ranks))?;
            write("relations.csv", &relations_csv(&run.ranks))?;
        }
        write("rules.csv", &rules_csv(&telling(model, usize::MAX)))?;
    }
    sink(&format!("{below}run.json"), &record.to_json())?;
    let profile =
        DataProfile::of_warnings(&session.worded_warnings(), &session.sources, &session.request.path);
    write_warnings(below, &profile, sink)?;
    write_timing(below, took, session, sink)?;
    reported.write_page(below)
}

/// The cross-validation of links.
struct LinksValidated {
    session: GraphSession,
    variants: Vec<Variant>,
    /// The runs of each variant.
    validations: Vec<LinkCrossValidation>,
    answer: LinkCvAnswer,
}

impl Validated for LinksValidated {
    fn runs(&self) -> Vec<(&str, Vec<&dyn Measured>)> {
        let variants = self.variants.iter().zip(&self.validations);
        variants
            .map(|(variant, of)| (&*variant.name, of.runs.iter().map(|run| run as &dyn Measured).collect()))
            .collect()
    }

    fn answer(&self) -> Shown {
        Shown::of(&self.answer)
    }

    fn stop_lines(&self) -> String {
        stopped::answer_lines(&self.answer)
    }

    /// No clause is evaluated.
    fn work_line(&self, _: Took) -> Option<String> {
        None
    }

    fn write(&self, took: Took, sink: Sink<'_>) -> io::Result<()> {
        let Self { session, variants, validations, answer } = self;
        let reported = Reported::new(sink, session.wording);
        for (variant, validation) in variants.iter().zip(validations) {
            let record = record((session, "cv", None), &variant.settings, validation);
            write_runs(&below(variant), &record, &validation.runs, (session, took), &reported)?;
            sink(&format!("{}metrics.csv", below(variant)), &metrics_csv(&validation.runs))?;
        }
        let Results::Several(several) = &answer.results else { return Ok(()) };
        let places = variants.iter().map(|variant| (variant.name.clone(), below(variant)));
        reported.write_comparison(&places.collect::<Vec<_>>())?;
        let runs: Vec<&[LinkRun]> = validations.iter().map(|validation| &*validation.runs).collect();
        write_beside(several, &runs, ("kept_back_mrr", LinkRun::held_out), sink)
    }
}

/// The model that was learnt, with its run.
struct LearntLinks {
    session: GraphSession,
    /// The number of the fold that was kept for test.
    number: Option<usize>,
    run: LinkRun,
    model: Arc<LinkModel>,
}

impl Learnt for LearntLinks {
    fn model(&self) -> AnyModel {
        Arc::new(Links(Arc::clone(&self.model)))
    }

    fn run_models(&self) -> Vec<(String, String)> {
        vec![("model.json".to_owned(), self.model.to_json())]
    }

    fn output(&self, extent: Extent) -> Vec<OutputItem> {
        let stopped = self.run.stop.map(|reason| {
            let lacks = match (&self.model.chosen_on.mrr, &self.model.likelihood) {
                (None, _) => "the default weights, and no probabilities",
                (Some(_), None) => "no probabilities",
                (Some(_), Some(_)) => "the rules that were counted",
            };
            OutputItem::Say(format!("stopped: {}; the model has {lacks}", stop_name(reason)))
        });
        stopped.into_iter().chain(OutputItem::answer(self.answer(extent))).collect()
    }

    fn answer(&self, _: Extent) -> Shown {
        let ranks = self.number.map(|_| self.run.ranks.clone());
        Shown::of(&LinkLearnAnswer { ranks, ..LinkLearnAnswer::of(&self.model) })
    }

    fn write(&self, took: Took, sink: Sink<'_>) -> io::Result<()> {
        let Self { session, number, run, .. } = self;
        let runs = std::slice::from_ref(run);
        let record = record((session, "learn", *number), &session.settings, run);
        write_runs("", &record, runs, (session, took), &Reported::new(sink, session.wording))
    }
}
