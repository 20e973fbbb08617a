//! A model as its file holds it: made of a run, with its origin, and applied to data that it scores.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::Arc;

use crate::store::ModelFile;
use crate::store::label_header::LabelHeader;
use crate::store::model_file::{DivisionHeader, Header};
use gleaner_base::{ConstantId, ExampleId};
use gleaner_data::clauses::{Binding, ClauseFaults, usable_predicates};
use gleaner_data::{Division, Problem};
use gleaner_lang::program::settings::Settings;
use gleaner_lang::program::{Clause, PredicateName};
use gleaner_lang::syntax::{Diagnostic, codes};
use gleaner_learn::Model;

use crate::experiment::classes::validation::learnt_share;
use crate::experiment::default_settings;
use crate::experiment::numbers::result::NumberRun;
use crate::experiment::runs::facts::{GroundFact, kept_statistics, with_statistics};
use crate::experiment::runs::known_target::{knowing, known_facts, withheld};
use crate::experiment::runs::result::RunResult;
use crate::experiment::runs::split::{Split, SplitFault, SplitRequest, divided, splits};

/// The data, settings and seed that a run was made with.
#[derive(Clone, Copy, Debug)]
pub struct RunOrigin<'a> {
    /// The problem; of many classes, that of the run's class.
    pub problem: &'a Problem,
    /// The settings.
    pub settings: &'a Settings,
    /// The seed.
    pub rng_seed: u64,
    /// The target's argument, from 0, that grouped made folds.
    pub group: Option<usize>,
    /// The restriction of the examples.
    pub restriction: Option<&'a str>,
}

/// The file of a run's model.
pub fn model_file(origin: RunOrigin<'_>, run: &RunResult) -> ModelFile {
    let problem = origin.problem;
    let header = Header {
        hull_thresholds: run.hull_thresholds.clone(),
        calibration: run.calibration.clone(),
        stopped: run.search.outer_stop(),
        labels: LabelHeader::of(problem, learnt_share(run)),
        known: known_facts(problem, &run.split),
        statistics: kept_statistics(problem, &run.split),
        ..origin.header(&run.split.name)
    };
    let header = header.with_withheld(&withheld(problem, &run.split)).with_reading(&run.reading);
    ModelFile::new(&*run.model, problem.symbols(), header)
}

impl RunOrigin<'_> {
    /// The file of the model of a run of numbers.
    pub fn number_model_file(self, run: &NumberRun) -> ModelFile {
        let labels = LabelHeader::of(self.problem, 0.0);
        let header = Header { stopped: run.stop, labels, ..self.header(&run.split.name) };
        ModelFile::new(&*run.model, self.problem.symbols(), header)
    }

    /// What files of all models have.
    fn header(self, fold: &str) -> Header {
        let Self { problem, settings, rng_seed, group, restriction } = self;
        Header {
            learner: settings.learner(),
            settings: settings.recorded().map(|(name, value)| (name.to_owned(), value)).collect(),
            rng_seed,
            fold: fold.to_owned(),
            group: group.map(|argument| argument + 1),
            division: DivisionHeader::of(problem.table_rows()),
            frozen: frozen_folds(problem),
            schema: problem.schema().map(str::to_owned),
            target: problem.target().to_string(),
            restriction: restriction.map(str::to_owned),
            ..Header::default()
        }
    }
}

/// The folds of a database's examples that were frozen, with their times.
fn frozen_folds(problem: &Problem) -> Vec<String> {
    let rows = problem.table_rows().into_iter();
    rows.flat_map(|rows| &rows.frozen).map(ToString::to_string).collect()
}

/// A model over the ids of a problem, and the problem as the model scores it.
#[derive(Debug)]
pub struct BoundModel {
    /// The problem of the model's class, with the links that the model knows and the constants of its clauses.
    pub problem: Problem,
    /// The model.
    pub model: Arc<dyn Model>,
    /// The clauses of the model's file, then further ones that were asked for.
    pub clauses: Vec<Clause>,
}

impl BoundModel {
    /// Binds a saved model to a problem, with further clauses of the target over the same ids. Constants that the data
    /// lack cover nothing.
    ///
    /// **Cost**: reading the clauses; where the model knows links, also the cost of [`knowing`].
    ///
    /// # Errors
    ///
    /// A problem of another target or of other classes; a clause that the data cannot evaluate.
    pub(crate) fn of(file: &ModelFile, problem: &Problem, further: &[String]) -> Result<Self, ClauseFaults> {
        let problem = of_class(file, problem).map_err(ClauseFaults::one)?;
        let usable = vec![true; problem.symbols().predicates.len()];
        let clauses = file.clause_texts();
        let n_clauses = clauses.len();
        let known = file.header.known.iter().map(|fact| format!("{fact}."));
        let n_known = file.header.known.len();
        let statistics = file.header.statistics_as_clauses();
        let all = clauses.into_iter().chain(further.iter().cloned()).chain(known).chain(statistics);
        let binding = Binding::of(&problem, &usable, all)?;
        let (clauses, facts) = binding.clauses().split_at(n_clauses + further.len());
        let (facts, statistics) = facts.split_at(n_known);
        let model = file
            .to_model(&clauses[..n_clauses])
            .map_err(|error| ClauseFaults::one(bad_model(&error.to_string())))?;
        let mut bound = binding.bound(&problem);
        if !facts.is_empty() {
            let links: Vec<Vec<ConstantId>> = facts.iter().filter_map(|fact| fact.head.constants()).collect();
            bound = knowing(bound, &links, &file.header.withheld());
        }
        let statistics: Vec<GroundFact> = statistics.iter().filter_map(body_fact).collect();
        bound = with_statistics(bound, &statistics).map_err(ClauseFaults::one)?;
        Ok(Self { problem: bound, model, clauses: clauses.to_vec() })
    }
}

/// The fact that is the body of a clause.
fn body_fact(clause: &Clause) -> Option<GroundFact> {
    let atom = clause.body.first()?.positive_atom()?;
    Some((atom.predicate, atom.constants()?))
}

/// The predicates of models' clauses that have no facts in a problem.
#[derive(Debug, Default)]
pub(crate) struct WithoutFacts {
    /// Those that the data name or declare: they are empty.
    pub(crate) empty: BTreeSet<PredicateName>,
    /// Those that the data never name: they may have other names there.
    pub(crate) unnamed: BTreeSet<PredicateName>,
}

impl WithoutFacts {
    /// The predicates without facts among those of the models.
    ///
    /// # Errors
    ///
    /// A problem of another target or of other classes; a clause that is none.
    pub(crate) fn of(files: &[&ModelFile], problem: &Problem) -> Result<Self, Diagnostic> {
        let (symbols, usable) = (problem.symbols(), usable_predicates(problem));
        let mut without = Self::default();
        for file in files {
            of_class(file, problem)?;
            // Heads name the target, whose links are no facts, unless the model knows some.
            let is_target = |name: &PredicateName| name.to_string() == file.header.target;
            for name in file.predicates().map_err(|error| bad_model(&error.to_string()))? {
                match symbols.find_predicate(&name.name, name.arity) {
                    Some(id) if usable[id.index()] || is_target(name) => {}
                    Some(_) if !problem.unnamed_predicates().contains(name) => {
                        without.empty.insert(name.clone());
                    }
                    Some(_) | None => {
                        without.unnamed.insert(name.clone());
                    }
                }
            }
        }
        Ok(without)
    }
}

/// The problem of the model's class, where there are many classes; else the problem itself.
fn of_class<'p>(file: &ModelFile, problem: &'p Problem) -> Result<Cow<'p, Problem>, Diagnostic> {
    let header = &file.header;
    let own = header.labels.own_problem(problem)?;
    if own.target().to_string() == header.target {
        return Ok(own);
    }
    let message = format!("the model has the target {}, the data have {}", header.target, own.target());
    Err(Diagnostic::error(codes::WRONG_TARGET, message)
        .with_help("choose the data's target when they are read"))
}

pub(crate) fn bad_model(what: &str) -> Diagnostic {
    Diagnostic::error(codes::BAD_MODEL, what.to_owned())
}

/// The settings that a model was learnt with.
///
/// # Errors
///
/// A setting that this release does not know.
pub fn model_settings(file: &ModelFile) -> Result<Settings, Diagnostic> {
    let mut settings = default_settings();
    for (name, value) in &file.header.settings {
        let Some(value) = value else { continue };
        settings
            .set(name, &value.to_string())
            .map_err(|fault| bad_model(&format!("the model's settings: {fault}")).with_help(fault.help()))?;
    }
    Ok(settings)
}

/// The runs of a model's cross-validation over examples that are only scored: made folds are made again in the same
/// way. Sets of given folds may miss a class. An example without a label is in no made fold, as where it was learnt.
///
/// # Errors
///
/// Folds cannot be made where no example has a label, or where a class has too few examples.
pub fn scored_splits(file: &ModelFile, problem: &Problem) -> Result<Vec<Split>, Diagnostic> {
    let request = SplitRequest::of(&model_settings(file)?, file.header.rng_seed, file.header.group);
    let group = file.header.division.as_ref().and_then(|division| division.group.as_ref());
    let has_group = problem.table_rows().is_some_and(|rows| rows.group.is_some());
    if let Some(group) = group.filter(|_| problem.division() == Division::None && !has_group) {
        let message = format!(
            "the model's folds keep the values of {group} together, and the data have no such column"
        );
        return Err(Diagnostic::error(codes::BAD_FOLD, message)
            .with_help("leave ⁅fold⁆ out: all examples are scored"));
    }
    if problem.division() != Division::None {
        return divided(problem, &request).map_err(|fault| Diagnostic::from(&fault));
    }
    let fault = |fault: SplitFault| Diagnostic::from(&fault);
    let examples = problem.examples();
    let labelled: Vec<ExampleId> = examples.ids().filter(|&id| examples.is_labelled(id)).collect();
    if labelled.is_empty() {
        let message = "folds need examples with labels, and no example has one";
        return Err(Diagnostic::error(codes::BAD_FOLD, message)
            .with_help("leave ⁅fold⁆ out: all examples are scored"));
    }
    if labelled.len() == examples.len() {
        return splits(problem, &request).map_err(fault);
    }
    // Folds were made of the labelled examples alone, which keep their order.
    let of_labelled = problem.with_examples(examples.filtered(|id| examples.is_labelled(id)));
    let mut made = splits(&of_labelled, &request).map_err(fault)?;
    for ids in made.iter_mut().flat_map(|split| [&mut split.train, &mut split.tune, &mut split.test]) {
        ids.iter_mut().for_each(|id| *id = labelled[id.index()]);
    }
    Ok(made)
}
