//! A loaded problem with its settings and splits, and the messages about it: settings as they are given, and a fold as
//! people name it.

use std::path::PathBuf;

use gleaner_base::whole_number;
use gleaner_data::{Aggregates, KnownTarget, LoadRequest, Loaded, Problem, TargetInBody};
use gleaner_lang::program::settings::{DataSummary, Settings};
use gleaner_lang::syntax::marks::{Wording, in_library};
use gleaner_lang::syntax::{Diagnostic, Sources, codes};
use gleaner_learn::auto::config::AUTO;
use gleaner_learn::calibration::{CalibrationConfig, CalibrationWay};
use gleaner_learn::{Model, learner_named};

use crate::experiment::loading::inspect::DataProfile;
use crate::experiment::loading::modes_estimate::{CalledModes, advice};
use crate::experiment::records::run_record::RunInput;
use crate::experiment::runs::facts::with_numbers_of_runs;
use crate::experiment::runs::known_target::{MOST_LEFT_OUT, new_entities_warning};
use crate::experiment::runs::learnt_aggregates::with_learnt_aggregates;
use crate::experiment::scoring::predict::argument_names;
use crate::experiment::settings::without_effect::{Dividing, Use, without_effect_on_division};
use crate::experiment::{
    Divisions, GivenSettings, Split, SplitRequest, check_agreement, is_reduced, left_out_warnings, load,
    resolve_settings, splits, undivided_warning,
};

use super::failure::Failure;
use super::listener::Listener;

/// The request for the data, before they are read.
#[derive(Clone, Debug)]
pub(crate) struct Opening {
    /// The data, and how they are read.
    pub(crate) request: LoadRequest,
    /// The settings that are made.
    pub(crate) given: GivenSettings,
    /// What has values that stay within one made fold.
    pub(crate) group: Option<GroupChoice>,
}

/// A loaded problem, with its sources, settings and request. A graph is a problem, too.
#[derive(Clone, Debug)]
pub(crate) struct Session<P = Problem> {
    pub(crate) problem: P,
    pub(crate) sources: Sources,
    pub(crate) settings: Settings,
    pub(crate) split_request: SplitRequest,
    pub(crate) rng_seed: u64,
    /// The request for the data.
    pub(crate) request: LoadRequest,
    /// The files of `--feature-clauses`, with hashes of their clauses.
    pub(crate) feature_clauses: Vec<RunInput>,
    /// What was warned of, for the run folder.
    pub(crate) warnings: Vec<Diagnostic>,
    /// The same files, as they were named.
    pub(crate) clause_sources: Vec<PathBuf>,
    /// How its run folder names settings.
    pub(crate) wording: Wording,
}

/// Loads a problem; the listener hears its warnings.
pub(crate) fn load_problem(
    request: &LoadRequest,
    listener: &dyn Listener,
) -> Result<(Loaded, Sources), Failure> {
    if request.modes.is_some() && request.propose_modes {
        listener.warn(codes::UNUSED_SETTING, "with ⁅propose-modes⁆, ⁅modes⁆ only names the target");
    }
    let mut sources = Sources::new();
    match load(request, &mut sources) {
        Ok(loaded) => {
            listener.has_read(&sources)?;
            listener.warnings(&loaded.warnings, &sources);
            let has_rules = loaded.problem.profile().iter().any(|predicate| predicate.n_rules > 0);
            if request.max_derived_facts.is_some() && !has_rules {
                listener
                    .warn(codes::UNUSED_SETTING, "⁅max-derived-facts⁆ has no effect: the data have no rules");
            }
            Ok((loaded, sources))
        }
        Err(diagnostics) => Err(Failure::Data(diagnostics, sources)),
    }
}

/// The warning that a model's clauses cover nothing of tune. `of_run` names its run, where there are several.
pub(crate) fn tune_warning(model: &dyn Model, of_run: &str) -> Option<Diagnostic> {
    (!model.is_empty() && !model.covers_tune()).then(|| {
        let message = format!(
            "{of_run}no clause of the model covers a tune example, so train chose the threshold, which flatters; \
             hold back more by ⁅tune⁆, or learn shorter clauses"
        );
        Diagnostic::warning(codes::FLATTERING, message)
    })
}

/// Refuses settings that do not go together.
pub(crate) fn check_settings(settings: &Settings) -> Result<(), Failure> {
    check_agreement(settings).map_err(|faults| Failure::Data(faults, Sources::new()))
}

/// Refuses to let bodies use the target where that would leak classes, or where there are no links to use.
pub(crate) fn check_target_in_body(problem: &Problem, settings: &Settings) -> Result<(), Failure> {
    if problem.known_target().is_some() && is_reduced(settings) {
        let message = "⁅train-share⁆ below 1 does not go with ⁅target-in-body⁆: bodies know all links";
        return Err(Failure::fault(
            Diagnostic::error(codes::SETTINGS_APART, message).with_help("leave one out"),
        ));
    }
    let apart = |message: String| {
        Err(Failure::fault(
            Diagnostic::error(codes::SETTINGS_APART, message)
                .with_help("⁅target-in-body=folds⁆ goes with all learners and any number of links"),
        ))
    };
    let Some(KnownTarget { way, own_links, .. }) = problem.known_target() else { return Ok(()) };
    if own_links.has_inverse() && !problem.links_one_type() {
        let message = format!(
            "⁅exclude-inverse⁆ needs a target of two arguments of one type, and {} is not one",
            problem.target()
        );
        return Err(Failure::fault(Diagnostic::error(codes::SETTINGS_APART, message).with_help(
            "leave ⁅exclude-inverse⁆ out, or give both arguments one type in the mode of the head",
        )));
    }
    if problem.labels().is_one_of_several() {
        let message = "⁅target-in-body⁆ does not go with many classes: each class is a target of its own";
        return Err(Failure::fault(
            Diagnostic::error(codes::SETTINGS_APART, message)
                .with_help("leave it out, or learn from data of two classes"),
        ));
    }
    if way == TargetInBody::Folds {
        return Ok(());
    }
    let name = settings.learner();
    if learner_named(&name).is_some_and(|learner| learner.may_speak_against()) {
        return apart(format!(
            "⁅target-in-body=leave-one-out⁆ does not go with ⁅learner={name}⁆: it leaves out the links of positives \
             alone, so a missing link would reveal the class of a train example"
        ));
    }
    let n_positives = problem.examples().n_positives();
    if n_positives > MOST_LEFT_OUT {
        return apart(format!(
            "⁅target-in-body=leave-one-out⁆ takes at most {MOST_LEFT_OUT} positives, and there are {n_positives}"
        ));
    }
    Ok(())
}

/// Many classes are compared by their probabilities, so each needs a calibration.
pub(crate) fn check_calibration(problem: &Problem, settings: &Settings) -> Result<(), Failure> {
    if !problem.labels().is_one_of_several()
        || CalibrationConfig::of(settings, DataSummary::default()).way != CalibrationWay::None
    {
        return Ok(());
    }
    let message =
        "⁅calibration=none⁆ does not go with many classes: the model predicts the most probable class";
    Err(Failure::fault(
        Diagnostic::error(codes::SETTINGS_APART, message)
            .with_help("leave ⁅calibration⁆ out, or choose a method"),
    ))
}

impl<P> Session<P> {
    /// A problem that is loaded, with its settings and the request that it was loaded by.
    pub(crate) fn of(
        problem: P,
        sources: Sources,
        settings: Settings,
        request: LoadRequest,
        group: Option<usize>,
    ) -> Self {
        let rng_seed = request.rng_seed;
        let split_request = SplitRequest::of(&settings, rng_seed, group);
        Self {
            problem,
            sources,
            settings,
            split_request,
            rng_seed,
            request,
            feature_clauses: Vec::new(),
            warnings: Vec::new(),
            clause_sources: Vec::new(),
            wording: in_library,
        }
    }

    /// What was warned of, in the words of the run folder.
    pub(crate) fn worded_warnings(&self) -> Vec<Diagnostic> {
        self.warnings.iter().map(|warning| warning.clone().worded(self.wording)).collect()
    }
}

impl Session {
    /// As [`Self::load`], to learn from the problem: bodies may use the target.
    pub(crate) fn load_to_learn(opening: Opening, listener: &dyn Listener) -> Result<Self, Failure> {
        let session = Self::load(opening, listener)?;
        if session.request.target_in_body.is_some() && session.problem.worlds().len() > 1 {
            listener.warn(codes::UNUSED_SETTING,
                "⁅target-in-body⁆ gives test no links: each fold has its own facts, so literals of the target \
                 are false there",
            );
        }
        Ok(session)
    }

    /// Loads a problem and resolves its settings.
    pub(crate) fn load(opening: Opening, listener: &dyn Listener) -> Result<Self, Failure> {
        let Opening { mut request, given, group } = opening;
        request.group = group.as_ref().and_then(GroupChoice::column).map(str::to_owned);
        let (Loaded { problem, mut warnings, .. }, sources) = load_problem(&request, listener)?;
        let group = group.map(|group| group.argument(&problem)).transpose()?.flatten();
        let settings = match resolve_settings(problem.settings(), &given) {
            Ok((settings, of_settings)) => {
                listener.warnings(&of_settings, &sources);
                warnings.extend(of_settings);
                settings
            }
            Err(diagnostics) => return Err(Failure::Data(diagnostics, sources)),
        };
        let wording = listener.wording();
        Ok(Self { warnings, wording, ..Self::of(problem, sources, settings, request, group) })
    }

    /// Warns of settings for the division of examples that have no effect on this use of them.
    pub(crate) fn warn_of_division(&self, use_of_examples: Use, listener: &dyn Listener) {
        let dividing = Dividing {
            division: self.problem.division(),
            n_given_folds: self.problem.fold_names().len(),
            has_group: self.split_request.group.is_some() || has_groups(&self.problem),
            use_of_examples,
        };
        for message in without_effect_on_division(&self.settings, &dividing) {
            listener.warn(codes::UNUSED_SETTING, &message);
        }
    }

    /// Gives the numbers that rules about train examples make of the runs their constants.
    pub(crate) fn add_numbers_of_runs<'s>(
        &mut self,
        splits: impl IntoIterator<Item = &'s Split>,
    ) -> Result<(), Failure> {
        let splits: Vec<&Split> = splits.into_iter().collect();
        if self.learns_aggregates() {
            let (of, budget) = (splits.iter().copied(), &self.request.budget);
            let is_frozen = !self.request.frozen.is_empty();
            self.problem = with_learnt_aggregates(&self.problem, of, is_frozen, budget)?;
        }
        if self.problem.train_rules().is_some() {
            self.problem = with_numbers_of_runs(self.problem.clone(), splits).map_err(Failure::fault)?;
        }
        Ok(())
    }

    /// Whether runs find aggregates: of a database they do, unless modes are given.
    fn learns_aggregates(&self) -> bool {
        self.request
            .aggregates
            .map_or_else(|| self.problem.has_proposed_modes(), |way| way == Aggregates::Learn)
    }

    /// Warns of rules about train examples in a command that has no runs.
    pub(crate) fn warn_without_train(&self, listener: &dyn Listener) {
        if self.request.aggregates == Some(Aggregates::Learn) {
            listener.warn(
                codes::UNUSED_SETTING,
                "⁅aggregates=learn⁆ has no effect: runs find aggregates, and only learn and cv have runs",
            );
        }
        if self.problem.train_rules().is_some() {
            listener.warn(codes::TRAIN_IN_RULES,
                "rules about train examples derive nothing here: what follows from train examples is of a run; learn \
                 and cv have runs",
            );
        }
    }

    /// Warns of arguments of the target whose entities in test have no known links.
    pub(crate) fn warn_of_new_entities(&mut self, splits: &[Split], listener: &dyn Listener) {
        let warning = new_entities_warning(&self.problem, splits);
        listener.warnings(warning.as_slice(), &Sources::new());
        self.warnings.extend(warning);
    }

    /// Warns of classes that runs leave out, and of runs that hold nothing back for tune.
    pub(crate) fn warn_of_few<'s>(
        &mut self,
        splits: impl Iterator<Item = &'s Split> + Clone,
        listener: &dyn Listener,
    ) {
        let mut warnings = left_out_warnings(&self.problem, splits.clone());
        warnings.extend(undivided_warning(&self.problem, &self.split_request, splits));
        listener.warnings(&warnings, &Sources::new());
        self.warnings.extend(warnings);
    }

    /// Warns of modes that the depth shuts out, and of facts that no mode reaches.
    pub(crate) fn warn_of_depth(&self, listener: &dyn Listener) {
        listener.warnings(&self.depth_warnings(), &Sources::new());
    }

    fn depth_warnings(&self) -> Vec<Diagnostic> {
        let called = CalledModes::of(&self.problem, &self.settings);
        let uncalled = called.message(&self.problem).map(|message| (codes::UNREACHABLE_MODE, message));
        let unreached =
            called.unreached_message(&self.problem).map(|message| (codes::UNREACHED_FACTS, message));
        let found = uncalled.into_iter().chain(unreached);
        found.map(|(code, message)| Diagnostic::warning(code, message)).collect()
    }

    /// What the run folder tells of the data.
    pub(crate) fn profile(&self) -> DataProfile {
        let of_depth = self.depth_warnings().into_iter().map(|warning| warning.worded(self.wording));
        let warnings: Vec<Diagnostic> = self.worded_warnings().into_iter().chain(of_depth).collect();
        DataProfile::of(&self.problem, &warnings, &self.sources, &self.request.path)
    }

    /// If `auto` chooses the learner and no mode has a constant, says how to try modes with constants.
    pub(crate) fn advise_constants(&self, listener: &dyn Listener) {
        if let Some(advice) = advice(&self.problem).filter(|_| self.settings.learner() == AUTO) {
            listener.note(advice);
        }
    }

    /// The session itself; refuses many classes, for a job that knows only positives and negatives.
    pub(crate) fn of_two_classes(self, command: &str) -> Result<Self, Failure> {
        refuse_many_classes(&self.problem, command)?;
        Ok(self)
    }

    /// The problem; refuses a target that is a number, for a job that knows classes alone.
    pub(crate) fn problem_of_classes(&self, command: &str) -> Result<&Problem, Failure> {
        if self.problem.labels().are_decided() { Ok(&self.problem) } else { Err(knows_classes(command)) }
    }

    /// The class that the problem is about, of many.
    pub(crate) fn class_name(&self) -> &str {
        self.problem.labels().own_class_name()
    }

    /// The runs of cross-validation.
    pub(crate) fn splits(&self) -> Result<Vec<Split>, Failure> {
        problem_splits(&self.problem, &self.split_request)
    }

    /// The runs with the share of the examples that each variant asks for.
    pub(crate) fn divisions(&self, splits: &[Split], variants: &[Settings]) -> Result<Divisions, Failure> {
        Divisions::of(&self.problem, splits, variants, self.rng_seed)
            .map_err(|fault| Failure::fault(Diagnostic::from(&fault)))
    }

    /// The split with the share of the examples that the settings ask for.
    pub(crate) fn used(&self, split: Split) -> Result<Split, Failure> {
        split
            .with_share(&self.problem, &self.settings, self.rng_seed)
            .map_err(|fault| Failure::fault(Diagnostic::from(&fault)))
    }
}

/// The failure that a job knows classes alone, and the target is a number.
fn knows_classes(command: &str) -> Failure {
    let message = format!("`{command}` knows classes, and the target is a number");
    Failure::fault(Diagnostic::error(codes::BAD_NUMBERS, message).with_help(
        "leave ⁅number-argument⁆ out; inspect, learn, cv, predict, evaluate, show and explain know numbers",
    ))
}

/// Refuses many classes and numbers, for a job that knows only positives and negatives.
pub(crate) fn refuse_many_classes(problem: &Problem, command: &str) -> Result<(), Failure> {
    let labels = problem.labels();
    if labels.needs_both() {
        return Ok(());
    }
    if !labels.are_decided() {
        return Err(knows_classes(command));
    }
    let message = format!("`{command}` knows positives and negatives alone");
    Err(Failure::fault(
        Diagnostic::error(codes::BAD_CLASSES, message)
            .with_help("leave ⁅class-argument⁆ out; inspect, mine, learn, cv, predict, evaluate and explain know many classes"),
    ))
}

/// The runs of cross-validation over a problem.
pub(crate) fn problem_splits(problem: &Problem, request: &SplitRequest) -> Result<Vec<Split>, Failure> {
    splits(problem, request).map_err(|fault| Failure::fault(Diagnostic::from(&fault)))
}

/// The run whose fold is asked for.
pub(crate) fn chosen_split<'s>(splits: &'s [Split], fold: &FoldChoice) -> Result<&'s Split, Failure> {
    let names: Vec<&str> = splits.iter().map(|split| split.name.as_str()).collect();
    Ok(&splits[chosen_position(&names, fold)?])
}

/// The position of the chosen fold among the folds.
pub(crate) fn chosen_position(names: &[&str], fold: &FoldChoice) -> Result<usize, Failure> {
    const SHOWN: usize = 5;
    fold.position(names).ok_or_else(|| {
        let message = format!("there is no fold {fold}");
        let more = if names.len() > SHOWN { ", ..." } else { "" };
        let shown = names[..names.len().min(SHOWN)].join(", ");
        Failure::fault(
            Diagnostic::error(codes::BAD_FOLD, message)
                .with_help(format!("folds are 1 to {}, or by name {shown}{more}", names.len())),
        )
    })
}

/// A setting that is made.
#[derive(Clone, Debug)]
pub(crate) struct Made {
    /// The setting's name.
    pub(crate) name: &'static str,
    /// The setting's values, one for each time it is given; there is at least one.
    pub(crate) values: Vec<String>,
}

/// Warns of settings of the command line that a command does not read.
pub(crate) fn warn_of_others(
    command: &str,
    made: &[Made],
    is_read: impl Fn(&str) -> bool,
    listener: &dyn Listener,
) {
    let others: Vec<String> =
        made.iter().filter(|made| !is_read(made.name)).map(|made| format!("⁅{}⁆", made.name)).collect();
    if !others.is_empty() {
        let have = if others.len() == 1 { "has" } else { "have" };
        listener.warn(codes::UNUSED_SETTING, &format!("{} {have} no effect on {command}", others.join(", ")));
    }
}

/// Whether the rows of a table have groups.
fn has_groups(problem: &Problem) -> bool {
    problem.table_rows().is_some_and(|rows| rows.group.is_some())
}

/// The user's choice of what has values that stay within one made fold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum GroupChoice {
    /// An argument of the target, from 1.
    Argument(usize),
    /// A column of the target's table.
    Column(String),
}

impl GroupChoice {
    /// The name of the column.
    fn column(&self) -> Option<&str> {
        match self {
            Self::Argument(_) => None,
            Self::Column(name) => Some(name),
        }
    }

    /// The argument of the target, from 1; none where the rows of a table have the groups.
    ///
    /// # Errors
    ///
    /// There is no such column.
    fn argument(&self, problem: &Problem) -> Result<Option<usize>, Failure> {
        let name = match self {
            Self::Argument(argument) => return Ok(Some(*argument)),
            Self::Column(_) if has_groups(problem) => return Ok(None),
            Self::Column(name) => name,
        };
        let names = match problem.table_rows() {
            Some(rows) => rows.columns.clone(),
            None => argument_names(problem),
        };
        let known = names.iter().position(|known| known == name);
        match known.filter(|_| problem.table_rows().is_none()) {
            Some(argument) => Ok(Some(argument + 1)),
            None => Err(Failure::usage(
                codes::SETTING_VALUE,
                format!("⁅group={name}⁆: there is no such column; there are {}", names.join(", ")),
            )),
        }
    }
}

/// The number of an argument, from 1, or the name of a column.
impl std::str::FromStr for GroupChoice {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        match text.parse() {
            Ok(argument @ 1..) => Ok(Self::Argument(argument)),
            _ if is_number || text.is_empty() => {
                Err("give the number of an argument, from 1, or the name of a column".to_owned())
            }
            _ => Ok(Self::Column(text.to_owned())),
        }
    }
}

/// The user's choice of a fold: its number from 1, or its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FoldChoice(String);

impl FoldChoice {
    /// The position of the chosen fold among these names, if it is one of them. A number is first the fold of that
    /// number, and only then a name.
    pub(crate) fn position(&self, names: &[&str]) -> Option<usize> {
        let number = whole_number(&self.0).and_then(|number| usize::try_from(number).ok());
        let by_number = number.and_then(|number| number.checked_sub(1)).filter(|&at| at < names.len());
        by_number.or_else(|| names.iter().position(|name| *name == self.0))
    }
}

impl std::fmt::Display for FoldChoice {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

/// A number from 1, or the name of a fold.
impl std::str::FromStr for FoldChoice {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let is_number = text.starts_with(['-', '+']) || text.starts_with(|c: char| c.is_ascii_digit());
        if text.is_empty() || is_number && text.parse() == Ok(0) {
            return Err("give the number of a fold, from 1, or its name".to_owned());
        }
        Ok(Self(text.to_owned()))
    }
}
