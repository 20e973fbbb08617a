//! The job that learns a model, or one for each class, from all examples or as one run of a cross-validation does.
//!
//! What is learnt from: labelled examples, or a graph.
//!
//! What learners of words and sentences need of the data.

use gleaner_base::Forgetful;
use gleaner_data::graph::LoadedGraph;
use gleaner_data::{LoadRequest, Problem};
use gleaner_lang::program::examples::GraphData;
use gleaner_lang::program::settings::{DataSummary, Settings};
use gleaner_lang::syntax::{Diagnostic, Sources, codes};
use gleaner_learn::bag_of_words::{BagOfWords, BagOfWordsConfig, bag_names};
use gleaner_learn::settings::n_seeds;
use gleaner_learn::text_hmm::{TEXT_PREDICATES, TextHmm, TextPredicates};
use gleaner_learn::{Learner, RunContext};

use crate::experiment::links::validation::ALL_LINKS;
use crate::experiment::runs::split::whole;
use crate::experiment::settings::without_effect::{Use, without_effect};
use crate::experiment::{Split, resolve_settings};

use super::failure::Failure;
use super::feature_clauses::{FeatureClauses, Runs};
use super::kinds::link_runs::LinkLearning;
use super::kinds::{self, Further, Kind, Learnt, Ready, RunAsked, Working};
use super::links::load_links;
use super::listener::{Listener, Means, Took, Work, WorkMeter};
use super::session::{FoldChoice, Opening, Session, chosen_position};

/// The request to learn, and the examples to learn from.
#[derive(Clone, Debug, Default)]
pub(crate) struct Learn {
    /// Learn as the run of this fold does; else from all examples.
    pub(crate) fold: Option<FoldChoice>,
    /// Count test positives that a restriction leaves out as false negatives.
    pub(crate) count_filtered: bool,
    /// Clauses in place of a search.
    pub(crate) feature_clauses: FeatureClauses,
    /// Count what each clause covers, for the page of the run.
    pub(crate) counts_clauses: bool,
}

/// A model that is ready to be learnt.
pub(crate) struct ReadyToLearn<'m> {
    ready: Box<dyn Ready<Box<dyn Learnt>>>,
    rng_seed: u64,
    is_written: bool,
    means: Means<'m>,
}

impl Learn {
    /// Divides the data, and refuses those that cannot be learnt from.
    pub(crate) fn ready(self, data: ToLearn, means: Means<'_>) -> Result<ReadyToLearn<'_>, Failure> {
        means.limits.loaded();
        let (rng_seed, is_written) = (data.rng_seed(), self.counts_clauses);
        let ready: Box<dyn Ready<Box<dyn Learnt>>> = match data {
            ToLearn::Examples(session) => Box::new(self.examples(*session, means.listener)?),
            ToLearn::Graph(session) => Box::new(LinkLearning::ready(&self, *session)?),
        };
        Ok(ReadyToLearn { ready, rng_seed, is_written, means })
    }

    /// Divides the examples.
    fn examples(self, mut session: Session, listener: &dyn Listener) -> Result<ExampleLearning, Failure> {
        session.problem = session.problem.counting_filtered(self.count_filtered);
        let kind = kinds::of(&session);
        let without_effect = without_effect(&session.settings);
        let further = Further {
            count_filtered: self.count_filtered,
            has_feature_clauses: self.feature_clauses.are_given(),
        };
        kind.prepare(&session.problem, &mut session.settings, further, listener)?;
        let (splits, split, number) = match &self.fold {
            None => (Vec::new(), session.used(all_examples(&session)?)?, None),
            Some(fold) => {
                let splits = session.splits()?;
                let names: Vec<&str> = splits.iter().map(|split| split.name.as_str()).collect();
                let at = chosen_position(&names, fold)?;
                let split = session.used(splits[at].clone())?;
                (splits, split, Some(at + 1))
            }
        };
        self.feature_clauses.check(std::iter::once(&session.settings), listener)?;
        session.warn_of_new_entities(std::slice::from_ref(&split), listener);
        session.warn_of_few(std::iter::once(&split), listener);
        let runs = Runs { splits: &splits, n_repeats: None };
        self.feature_clauses.give(&mut session, &runs, listener)?;
        session.add_numbers_of_runs(std::iter::once(&split))?;
        let parts = kind.parts(&session);
        Ok(ExampleLearning { asked: self, kind, session, parts, without_effect, split, number })
    }
}

/// All examples, divided into train and tune.
fn all_examples(session: &Session) -> Result<Split, Failure> {
    whole(&session.problem, &session.split_request)
        .map_err(|fault| Failure::fault(Diagnostic::error(codes::TOO_FEW_EXAMPLES, fault.to_string())))
}

/// A problem that was loaded and checked, ready to be learnt from.
struct ExampleLearning {
    asked: Learn,
    kind: &'static dyn Kind,
    session: Session,
    parts: Vec<(Option<String>, Session)>,
    /// Messages about settings without effect.
    without_effect: Vec<String>,
    split: Split,
    /// The number of the fold's run, from 1, if there is a fold.
    number: Option<usize>,
}

impl Ready<Box<dyn Learnt>> for ExampleLearning {
    fn begin(&self, _: bool, listener: &dyn Listener) -> Result<(), Failure> {
        let Self { asked, session, without_effect, .. } = self;
        session.warn_of_division(if asked.fold.is_some() { Use::Runs } else { Use::Whole }, listener);
        session.warn_of_depth(listener);
        session.advise_constants(listener);
        without_effect.iter().for_each(|message| listener.warn(codes::UNUSED_SETTING, message));
        Ok(())
    }

    fn n_seeds(&self) -> Option<u64> {
        n_seeds(&self.session.settings).filter(|_| !self.asked.feature_clauses.are_given())
    }

    fn n_numbered(&self) -> Option<usize> {
        (self.parts.len() == 1).then_some(1)
    }

    fn run(self: Box<Self>, working: Working<'_>) -> Result<Box<dyn Learnt>, Failure> {
        let Self { kind, session, parts, split, number, .. } = *self;
        let Working { is_written, context, listener } = working;
        kind.learn(RunAsked { session, parts, split, number, is_written, context, listener })
    }
}

/// A model, and how long it took.
pub(crate) struct LearntModel {
    pub(crate) learnt: Box<dyn Learnt>,
    pub(crate) took: Took,
}

impl ReadyToLearn<'_> {
    /// Learns.
    ///
    /// # Errors
    ///
    /// [`Failure::NothingLearnt`] where all models are empty.
    pub(crate) fn run(self) -> Result<LearntModel, Failure> {
        let Self { ready, rng_seed, is_written, means } = self;
        let listener = means.listener;
        ready.begin(is_written, listener)?;
        let meter = WorkMeter::begin(ready.n_seeds(), Work::default(), listener).of_runs(ready.n_numbered());
        let context = RunContext {
            budget: means.limits.loaded(),
            rng_seed,
            monitor: &meter,
            cover_bytes: means.limits.cover_bytes(1),
            keeper: &Forgetful,
        };
        let learnt = ready.run(Working { is_written, context: &context, listener });
        let took = meter.finish();
        Ok(LearntModel { learnt: learnt?, took })
    }
}

/// Data that were read to learn from.
#[derive(Clone, Debug)]
pub(crate) enum ToLearn {
    /// Labelled examples of a problem.
    Examples(Box<Session>),
    /// A graph, whose links are learnt.
    Graph(Box<Session<GraphData>>),
}

impl From<Session> for ToLearn {
    fn from(session: Session) -> Self {
        Self::Examples(Box::new(session))
    }
}

/// Whether all links of a graph are asked for.
pub(crate) fn asks_links(request: &LoadRequest) -> bool {
    let target = request.target.as_ref().filter(|_| request.classes.targets.is_empty());
    target.is_some_and(|target| target.name == ALL_LINKS && target.arity.is_none())
}

impl ToLearn {
    /// Reads the data and resolves the settings.
    pub(crate) fn load(opening: Opening, listener: &dyn Listener) -> Result<Self, Failure> {
        if !asks_links(&opening.request) {
            return Ok(Self::Examples(Box::new(Session::load_to_learn(opening, listener)?)));
        }
        let Opening { request, given, group } = opening;
        if group.is_some() {
            return Err(apart("group"));
        }
        let (settings, _) =
            resolve_settings(&[], &given).map_err(|faults| Failure::Data(faults, Sources::new()))?;
        let (LoadedGraph { graph, warnings }, sources) = load_links(&request, listener)?;
        let session = Session::of(graph, sources, settings, request, None);
        let wording = listener.wording();
        Ok(Self::Graph(Box::new(Session { warnings, wording, ..session })))
    }

    /// The settings.
    pub(crate) fn settings(&self) -> &Settings {
        match self {
            Self::Examples(session) => &session.settings,
            Self::Graph(session) => &session.settings,
        }
    }

    /// The seed of everything random.
    pub(crate) fn rng_seed(&self) -> u64 {
        match self {
            Self::Examples(session) => session.rng_seed,
            Self::Graph(session) => session.rng_seed,
        }
    }
}

/// The failure that a setting has no meaning for links.
pub(crate) fn apart(setting: &str) -> Failure {
    let message = format!("⁅{setting}⁆ does not go with ⁅target={ALL_LINKS}⁆");
    Failure::usage(codes::SETTINGS_APART, message).with_help("leave it out")
}

/// Refuses to learn words or sentences from data that have none.
pub(crate) fn check_learner_data(problem: &Problem, settings: &Settings) -> Result<(), Failure> {
    let name = settings.learner();
    let refusal = if name == BagOfWords::NAMES[0].name {
        without_bags(problem, settings)
    } else if name == TextHmm::NAMES[0].name {
        without_sentences(problem)
    } else {
        None
    };
    match refusal {
        Some((message, help)) => {
            Err(Failure::fault(Diagnostic::error(codes::SETTINGS_APART, message).with_help(help)))
        }
        None => Ok(()),
    }
}

/// Why there are not the bags of words that are asked for, and the remedy.
fn without_bags(problem: &Problem, settings: &Settings) -> Option<(String, String)> {
    let asked = BagOfWordsConfig::of(settings, DataSummary::default()).bags;
    let known = bag_names(problem.modes(), problem.symbols());
    let unknown = asked.0.iter().find(|name| !known.contains(name));
    let message = match unknown {
        Some(name) => format!("⁅bags⁆: no mode makes {name} a bag of words"),
        None if known.is_empty() => "⁅learner=bag-of-words⁆: no mode makes a bag of words".to_owned(),
        None => return None,
    };
    let help = if known.is_empty() {
        "a bag is a mode with one constant (#) and otherwise inputs (+) of the target's types".to_owned()
    } else {
        format!("bags are {}", known.join(", "))
    };
    Some((message, help))
}

/// Why there are no pairs in sentences, and the remedy.
fn without_sentences(problem: &Problem) -> Option<(String, String)> {
    let n_arguments = problem.modes().head.arguments.len();
    let message = match TextPredicates::of(problem.symbols()) {
        Ok(_) if n_arguments == 2 => return None,
        Ok(_) => format!("⁅learner=text-hmm⁆ learns pairs, and {} is none", problem.target()),
        Err(missing) => format!("⁅learner=text-hmm⁆ reads sentences, and there is no {missing}"),
    };
    let facts = TEXT_PREDICATES.map(|(name, arity)| format!("{name}/{arity}")).join(", ");
    Some((message, format!("gleaner text CORPUS writes what it reads: {facts}")))
}
