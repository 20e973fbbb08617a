//! From flags to a loaded problem with its settings and splits.

use std::path::{Path, PathBuf};

use crate::experiment::called_modes::CalledModes;
use crate::experiment::known_target::{MOST_LEFT_OUT, new_entities_warning};
use crate::experiment::modes_estimate::advice;
use crate::experiment::run_record::RunInput;
use crate::experiment::settings_file::{FileSetting, file_settings};
use crate::experiment::without_effect::{Dividing, Use, without_effect_on_division};
use crate::experiment::{
    GivenSettings, Split, SplitRequest, catalog, check_agreement, default_settings, load, resolve_settings,
    splits,
};
use gleaner_data::{ClassRequest, KnownTarget, LoadRequest, Negatives, Problem, TargetInBody};
use gleaner_lang::program::OwnLinks;
use gleaner_lang::program::settings::{DataSummary, Settings};
use gleaner_lang::syntax::{Diagnostic, Sources, codes};
use gleaner_learn::auto::config::AUTO;
use gleaner_learn::calibration::{CalibrationConfig, CalibrationWay};
use gleaner_learn::{Model, learner_named};

use super::failure::Failure;
use super::flags::{DataFlags, FoldChoice, ProblemFlags, ReadingFlags, SplitFlags, TogetherFlags};
use super::output::Output;
use super::setting_flags::{Made, Taken};

/// A loaded problem, and everything that was said about it.
#[derive(Clone, Debug)]
pub(super) struct Session {
    pub(super) problem: Problem,
    pub(super) sources: Sources,
    pub(super) settings: Settings,
    pub(super) split_request: SplitRequest,
    pub(super) rng_seed: u64,
    pub(super) data: PathBuf,
    pub(super) restriction: Option<String>,
    pub(super) negatives: Option<Negatives>,
    pub(super) negatives_test: Negatives,
    /// The files of `--feature-clauses`, with hashes of their clauses.
    pub(super) feature_clauses: Vec<RunInput>,
}

impl ReadingFlags {
    /// What is asked of the data in this place.
    pub(super) fn request(&self, path: &Path, rng_seed: u64) -> LoadRequest {
        LoadRequest {
            path: named(path),
            format: self.format,
            target: self.target.first().cloned(),
            classes: ClassRequest {
                argument: self.class_argument.map(|argument| argument as usize - 1),
                targets: if self.target.len() > 1 { self.target.clone() } else { Vec::new() },
                names: None,
            },
            modes: self.modes.clone(),
            background: self.background.clone(),
            restriction: self.restriction.clone(),
            is_inspection: false,
            is_scoring: false,
            allows_missing: false,
            examples: None,
            negatives: self.negatives,
            negatives_test: self.negatives_test.unwrap_or_default(),
            rng_seed,
            propose_modes: self.propose_modes,
            max_derived_facts: self.max_derived_facts,
            target_in_body: None,
            own_links: OwnLinks::default(),
            clauses: Vec::new(),
        }
    }
}

/// The path of the data: `-` is standard input, as elsewhere.
fn named(path: &Path) -> PathBuf {
    if path.as_os_str() == "-" { PathBuf::from("/dev/stdin") } else { path.to_owned() }
}

impl DataFlags {
    /// What is asked of the data.
    pub(super) fn request(&self, rng_seed: u64) -> LoadRequest {
        self.reading.request(&self.path, rng_seed)
    }
}

/// Loads a problem; warnings go to standard error.
pub(super) fn load_problem(request: &LoadRequest, output: &Output) -> Result<(Problem, Sources), Failure> {
    if request.modes.is_some() && request.propose_modes {
        output.note("warning: --modes has no effect with --propose-modes, but for the target that it names");
    }
    let mut sources = Sources::new();
    match load(request, &mut sources) {
        Ok(loaded) => {
            output.warnings(&loaded.warnings, &sources);
            let has_rules = loaded.problem.profile.iter().any(|predicate| predicate.n_rules > 0);
            if request.max_derived_facts.is_some() && !has_rules {
                output.note("warning: --max-derived-facts has no effect: the data have no rules");
            }
            Ok((loaded.problem, sources))
        }
        Err(diagnostics) => Err(Failure::Data(diagnostics, sources)),
    }
}

/// Says of a model that its clauses cover nothing of tune; `of_run` names its run, where there are several.
pub(super) fn warn_of_tune(model: &dyn Model, of_run: &str, output: &Output) {
    if !model.is_empty() && !model.covers_tune() {
        output.note(&format!(
            "warning: {of_run}no clause of the model covers a tune example, so train chose the threshold, which flatters; \
             hold back more by --tune, or learn shorter clauses"
        ));
    }
}

/// Says which settings of the command line a command does not read.
pub(super) fn warn_of_others(command: &str, made: &[Made], is_read: impl Fn(&str) -> bool, output: &Output) {
    let others: Vec<String> =
        made.iter().filter(|made| !is_read(made.name)).map(|made| format!("--{}", made.name)).collect();
    if !others.is_empty() {
        let have = if others.len() == 1 { "has" } else { "have" };
        output.note(&format!("warning: {} {have} no effect on {command}", others.join(", ")));
    }
}

/// The settings that the user makes, checked before the data are read.
pub(super) fn given_beside_data(together: &TogetherFlags, made: &[Made]) -> Result<GivenSettings, Failure> {
    let first = |made: &Made| Some((made.name.to_owned(), made.values.first()?.clone()));
    let command_line: Vec<(String, String)> = made.iter().filter_map(first).collect();
    // Settings that are wrong by themselves are wrong usage.
    let mut alone = default_settings();
    for (name, value) in &command_line {
        alone.set(name, value).map_err(|fault| Failure::Usage(format!("{fault}\nhelp: {}", fault.help())))?;
    }
    let file = match &together.config {
        Some(path) => settings_of_file(path)?,
        None => Vec::new(),
    };
    Ok(GivenSettings { preset: together.preset, file, command_line })
}

fn settings_of_file(path: &Path) -> Result<Vec<FileSetting>, Failure> {
    let mut sources = Sources::new();
    let settings = sources
        .load(path)
        .map_err(|fault| vec![fault])
        .and_then(|file| file_settings(catalog(), sources.get(file).text(), file));
    settings.map_err(|faults| Failure::Data(faults, sources))
}

/// Refuses settings that do not go together.
pub(super) fn check_settings(settings: &Settings) -> Result<(), Failure> {
    check_agreement(settings).map_err(|faults| Failure::Data(faults, Sources::new()))
}

/// Says that a command learns nothing, so that no body needs to know the target.
pub(super) fn warn_of_target_in_body<T: Taken>(flags: &ProblemFlags<T>, output: &Output) {
    if flags.split.target_in_body.is_some() {
        output.note("warning: --target-in-body has an effect on learn and cv alone, with one target");
    }
}

/// Refuses to let bodies use the target where that would leak classes, or where there are no links to use.
pub(super) fn check_target_in_body(problem: &Problem, settings: &Settings) -> Result<(), Failure> {
    let apart = |message: String| {
        Err(Failure::fault(
            Diagnostic::error(codes::SETTINGS_APART, message)
                .with_help("--target-in-body folds goes with all learners and any number of links"),
        ))
    };
    let Some(KnownTarget { way, own_links, .. }) = problem.known_target else { return Ok(()) };
    if own_links.has_inverse() && !problem.links_one_type() {
        let message = format!(
            "--exclude-inverse needs a target of two arguments of one type, and {} is none",
            problem.target()
        );
        return Err(Failure::fault(Diagnostic::error(codes::SETTINGS_APART, message).with_help(
            "leave --exclude-inverse out, or give both arguments one type in the mode of the head",
        )));
    }
    if problem.classes.is_some() {
        let message = "--target-in-body does not go with many classes: each class is a target of its own";
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
            "--target-in-body leave-one-out does not go with --learner {name}: left out are positives alone, so a link \
             that is missing would tell the classes of train apart"
        ));
    }
    let n_positives = problem.examples.n_positives();
    if n_positives > MOST_LEFT_OUT {
        return apart(format!(
            "--target-in-body leave-one-out takes at most {MOST_LEFT_OUT} positives, and there are {n_positives}"
        ));
    }
    Ok(())
}

/// Many classes are compared by their probabilities, so each needs a calibration.
pub(super) fn check_calibration(problem: &Problem, settings: &Settings) -> Result<(), Failure> {
    if problem.classes.is_none()
        || CalibrationConfig::of(settings, DataSummary::default()).way != CalibrationWay::None
    {
        return Ok(());
    }
    let message = "--calibration none does not go with many classes: the most probable one is said";
    Err(Failure::fault(
        Diagnostic::error(codes::SETTINGS_APART, message)
            .with_help("leave --calibration out, or choose a method"),
    ))
}

impl Session {
    /// Loads the problem that the flags name and resolves its settings. Bodies know the target only where something is learnt.
    pub(super) fn open<T: Taken>(flags: &ProblemFlags<T>, output: &Output) -> Result<Self, Failure> {
        warn_of_target_in_body(flags, output);
        let given = given_beside_data(&flags.together, &flags.settings.made)?;
        Self::load(&flags.data.request(flags.split.seed), &given, flags.split, output)
    }

    /// As `open`, to learn from the problem.
    pub(super) fn open_to_learn<T: Taken>(flags: &ProblemFlags<T>, output: &Output) -> Result<Self, Failure> {
        let given = given_beside_data(&flags.together, &flags.settings.made)?;
        let target_in_body = flags.split.target_in_body;
        let own_links = flags.split.own_links();
        let request = LoadRequest { target_in_body, own_links, ..flags.data.request(flags.split.seed) };
        let session = Self::load(&request, &given, flags.split, output)?;
        if target_in_body.is_some() && session.problem.worlds.len() > 1 {
            output.note(
                "warning: --target-in-body gives test no links: folds have facts of their own, so that literals of the target are \
                 false there",
            );
        }
        Ok(session)
    }

    /// As `open`, for a problem that is only looked at: a class may have no examples.
    pub(super) fn open_to_inspect<T: Taken>(
        flags: &ProblemFlags<T>,
        output: &Output,
    ) -> Result<Self, Failure> {
        warn_of_target_in_body(flags, output);
        let given = given_beside_data(&flags.together, &flags.settings.made)?;
        let request = LoadRequest { is_inspection: true, ..flags.data.request(flags.split.seed) };
        Self::load(&request, &given, flags.split, output)
    }

    fn load(
        request: &LoadRequest,
        given: &GivenSettings,
        split: SplitFlags,
        output: &Output,
    ) -> Result<Self, Failure> {
        let data = request.path.clone();
        let restriction = request.restriction.clone();
        let (negatives, negatives_test) = (request.negatives, request.negatives_test);
        let (problem, sources) = load_problem(request, output)?;
        let settings = match resolve_settings(&problem.settings, given) {
            Ok((settings, warnings)) => {
                output.warnings(&warnings, &sources);
                settings
            }
            Err(diagnostics) => return Err(Failure::Data(diagnostics, sources)),
        };
        let rng_seed = split.seed;
        let group = split.group.map(|argument| argument as usize);
        let split_request = SplitRequest::of(&settings, rng_seed, group);
        Ok(Self {
            problem,
            sources,
            settings,
            split_request,
            rng_seed,
            data,
            restriction,
            negatives,
            negatives_test,
            feature_clauses: Vec::new(),
        })
    }

    /// Says what was asked of the division of examples and has no effect on this use of them.
    pub(super) fn warn_of_division(&self, use_of_examples: Use, output: &Output) {
        let dividing = Dividing {
            division: self.problem.division,
            n_given_folds: self.problem.fold_names.len(),
            has_group: self.split_request.group.is_some(),
            use_of_examples,
        };
        for message in without_effect_on_division(&self.settings, &dividing) {
            output.note(&format!("warning: {message}"));
        }
    }

    /// Says which arguments of the target have entities in test whose known links are not known.
    pub(super) fn warn_of_new_entities(&self, splits: &[Split], output: &Output) {
        let warning = new_entities_warning(&self.problem, splits);
        output.warnings(warning.as_slice(), &Sources::new());
    }

    /// Says which modes the depth shuts out, and which facts no mode comes to.
    pub(super) fn warn_of_depth(&self, output: &Output) {
        let called = CalledModes::of(&self.problem, &self.settings);
        let messages = [called.message(&self.problem), called.unreached_message(&self.problem)];
        for message in messages.into_iter().flatten() {
            output.note(&format!("warning: {message}"));
        }
    }

    /// Where `auto` is to choose the learner: says how modes with constants can be tried, if none has one.
    pub(super) fn advise_constants(&self, output: &Output) {
        if let Some(advice) = advice(&self.problem).filter(|_| self.settings.learner() == AUTO) {
            output.note(advice);
        }
    }

    /// The same, for a command that knows positives and negatives alone: of many classes it is refused.
    pub(super) fn of_two_classes(self, command: &str) -> Result<Self, Failure> {
        if self.problem.classes.is_none() {
            return Ok(self);
        }
        let message = format!("`{command}` knows positives and negatives alone");
        Err(Failure::fault(
            Diagnostic::error(codes::BAD_CLASSES, message)
                .with_help("leave --class-argument out; inspect, mine, learn, cv, predict, evaluate and explain know many classes"),
        ))
    }

    /// The same of each class against the rest, where there are many; else itself.
    pub(super) fn of_classes(&self) -> Vec<Self> {
        match &self.problem.classes {
            Some(list) => {
                let of_class = |class| Self { problem: self.problem.of_class(class), ..self.clone() };
                list.ids().map(of_class).collect()
            }
            None => vec![self.clone()],
        }
    }

    /// The runs of cross-validation.
    pub(super) fn splits(&self) -> Result<Vec<Split>, Failure> {
        problem_splits(&self.problem, &self.split_request)
    }
}

/// The runs of cross-validation over a problem.
pub(super) fn problem_splits(problem: &Problem, request: &SplitRequest) -> Result<Vec<Split>, Failure> {
    splits(problem, request).map_err(|fault| Failure::fault(Diagnostic::from(&fault)))
}

/// The run whose fold is asked for.
pub(super) fn chosen_split<'s>(splits: &'s [Split], fold: &FoldChoice) -> Result<&'s Split, Failure> {
    Ok(&splits[chosen_position(splits, fold)?])
}

/// Its position among the runs.
pub(super) fn chosen_position(splits: &[Split], fold: &FoldChoice) -> Result<usize, Failure> {
    const SHOWN: usize = 5;
    let names: Vec<&str> = splits.iter().map(|split| split.name.as_str()).collect();
    fold.position(&names).ok_or_else(|| {
        let message = format!("there is no fold {fold}");
        let more = if names.len() > SHOWN { ", ..." } else { "" };
        let shown = names[..names.len().min(SHOWN)].join(", ");
        Failure::fault(
            Diagnostic::error(codes::BAD_FOLD, message)
                .with_help(format!("folds are 1 to {}, or by name {shown}{more}", names.len())),
        )
    })
}

/// Reads a file as text.
pub(super) fn read_text(path: &Path) -> Result<String, Failure> {
    let mut sources = Sources::new();
    match sources.load(path) {
        Ok(id) => Ok(sources.get(id).text().to_owned()),
        Err(fault) => Err(Failure::Data(vec![fault], sources)),
    }
}
