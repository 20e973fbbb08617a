//! `gleaner cv DATA`: cross-validation, of one learner or of several on the same folds.

use std::collections::BTreeSet;
use std::io;
use std::path::PathBuf;
use std::sync::Mutex;
use std::time::Duration;

use clap::Args;

use crate::experiment::asked::{Asked, AskedVariant, CvRequest};
use crate::experiment::class_answer::{ClassAnswer, ClassResult, part_name};
use crate::experiment::inspect::ProblemSummary;
use crate::experiment::nothing_learnt::NothingLearnt;
use crate::experiment::reading::reading;
use crate::experiment::run_record::{RunRecord, RunResults};
use crate::experiment::side_by_side::{CvAnswer, CvResults, SideBySide, VariantName};
use crate::experiment::without_effect::{Use, without_effect};
use crate::experiment::{CrossValidation, Split, cross_validate_problems};
use crate::report::cv::{rules_text, run_event, stop_lines, told_run, variant_text};
use crate::report::{Answer, chosen, classes, comparison, text};
use crate::store::Checkpoint;
use gleaner_base::{Forgetful, Keeper};
use gleaner_data::{Problem, folder_name};
use gleaner_lang::program::settings::Settings;
use gleaner_learn::RunContext;

use super::checkpoint::{self, Beginning, Choice, TimedKeeper};
use super::conduct::on_threads;
use super::deadline::Deadline;
use super::failure::Failure;
use super::feature_clauses::{FeatureClauses, Runs};
use super::flags::{ConductFlags, CountingFlags, ProblemFlags, TableFlags};
use super::folder_output::{Earlier, FolderOutput, Sink};
use super::links;
use super::memory::MemoryCap;
use super::output::Output;
use super::progress::{Progress, Took, Work, n_seeds};
use super::run_folder;
use super::session::{Session, check_calibration, check_settings, check_target_in_body, warn_of_tune};
use super::setting_flags::SeveralLearners;
use super::values::{parse_time, whole_of};
use super::variants::{Variant, VariantFlags, variants};

/// The tables beside the variants' folders.
const COMPARISON: &str = "comparison.csv";
const CHOSEN: &str = "chosen.csv";

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// Write the run folder.
    ///
    /// It holds run.json, models, predictions, curves.
    #[arg(long, value_name = "DIR")]
    run: Option<PathBuf>,
    /// Go on with a run that did not end.
    ///
    /// It was killed or stopped: what it finished is kept in DIR.partial.
    #[arg(long, requires = "run", conflicts_with = "overwrite")]
    resume: bool,
    /// Replace an earlier run, or begin one anew.
    ///
    /// It stands in the folder of --run, or did not end.
    #[arg(long, requires = "run")]
    overwrite: bool,
    /// How often a long search is kept for --resume.
    ///
    /// So much work of an unfinished fold is lost at most by a kill: 90s, 10m or 2h, say. Results do not depend on it.
    #[arg(long, value_name = "TIME", value_parser = parse_time, default_value = "1m", requires = "run")]
    keep_every: Duration,
    #[command(flatten)]
    variants: VariantFlags,
    #[command(flatten)]
    feature_clauses: FeatureClauses,
    /// Repeat every fold N times.
    ///
    /// Each time uses other random streams.
    #[arg(long, value_name = "N", value_parser = whole_of::<u32>(1..=10_000), default_value_t = 1)]
    repeats: u32,
    #[command(flatten)]
    counting: CountingFlags,
    #[command(flatten)]
    problem: ProblemFlags<SeveralLearners>,
    #[command(flatten)]
    tables: TableFlags,
    #[command(flatten)]
    conduct: ConductFlags,
}

pub(super) fn cv(arguments: &Arguments, output: &Output) -> Result<(), Failure> {
    if links::are_asked(&arguments.problem) {
        links::refuse(&[("--run", arguments.run.is_some())])?;
        return links::cross_validate(&arguments.problem, &arguments.conduct, output);
    }
    cross_validate(arguments, &output.with_tables(arguments.tables))
}

fn cross_validate(arguments: &Arguments, output: &Output) -> Result<(), Failure> {
    let conduct = &arguments.conduct;
    let memory = MemoryCap::watch(&conduct.resources)?;
    let deadline = Deadline::begin(conduct.time, &memory, output);
    let mut session = Session::open_to_learn(&arguments.problem, output)?;
    session.problem.filtered_positives.are_counted = arguments.counting.count_filtered;
    let budget = deadline.loaded();
    let splits = session.splits()?;
    let variants = variants(&arguments.variants, &arguments.problem.settings.made, &session.settings)?;
    for variant in &variants {
        check_settings(&variant.settings)?;
        check_calibration(&session.problem, &variant.settings)?;
        check_target_in_body(&session.problem, &variant.settings)?;
    }
    let n_repeats = arguments.repeats as usize;
    let of_variants = variants.iter().map(|variant| &variant.settings);
    arguments.feature_clauses.check(of_variants, &arguments.problem.settings.made, output)?;
    session.warn_of_new_entities(&splits, output);
    let runs = Runs { splits: &splits, n_repeats: Some(n_repeats) };
    arguments.feature_clauses.give(&mut session, &runs, output)?;
    let sessions = session.of_classes();
    let parts = Part::all(&sessions, &variants);
    let Some(place) = Place::claim(arguments, &session, &splits, &parts, output)? else { return Ok(()) };
    session.warn_of_division(Use::Runs, output);
    session.warn_of_depth(output);
    session.advise_constants(output);
    for message in
        variants.iter().flat_map(|variant| without_effect(&variant.settings)).collect::<BTreeSet<_>>()
    {
        output.note(&format!("warning: {message}"));
    }
    let headline =
        format!("{}; {} folds\n", text::problem_line(&ProblemSummary::of(&session.problem)), splits.len());
    match output.text(&headline) {
        // Nobody reads, but the run folder is still wanted.
        Err(Failure::ClosedPipe) if place.folder.is_some() => {}
        said => said?,
    }
    let n_runs = (splits.len() * n_repeats * sessions.len()) as u64;
    // Variants may share their search: then nobody knows how many seeds there will be.
    let n_seeds = n_seeds(&session.settings)
        .filter(|_| variants.len() == 1 && !arguments.feature_clauses.are_given())
        .map(|seeds| seeds * n_runs);
    let progress = Progress::new(n_seeds, output.shows_progress()).after(place.work_before());
    let keeper = place.keeper(&progress);
    let (rng_seed, cover_bytes) = (session.rng_seed, memory.loaded(splits.len()));
    let context = RunContext { budget, rng_seed, monitor: &progress, cover_bytes, keeper: &*keeper };
    let folder_is_wanted = arguments.run.is_some();
    on_threads(&conduct.resources, || {
        let settings: Vec<Settings> = variants.iter().map(|variant| variant.settings.clone()).collect();
        let problems: Vec<Problem> = sessions.iter().map(|session| session.problem.clone()).collect();
        let mut validations = cross_validate_problems(&problems, &settings, &splits, n_repeats, &context);
        for (part, validation) in parts.iter().zip(&mut validations) {
            find_readings(validation, part.session, folder_is_wanted, &context);
        }
        let took = progress.finish();
        let is_empty =
            validations.iter().all(|validation| validation.runs.iter().all(|run| run.model.is_empty()));
        let names: Vec<VariantName> = variants.iter().map(name).collect();
        let answer = (!is_empty).then(|| Answered::of(&session.problem, &names, &validations));
        let saved = place.write(&validations, took, output, |sink| {
            for (part, validation) in parts.iter().zip(&validations) {
                write_validation(part, validation, took, sink)?;
            }
            answer
                .as_ref()
                .map_or(Ok(()), |answer| answer.write(&session.problem, &names, &validations, sink))
        });
        let Some(answer) = answer else {
            saved?;
            return Err(Failure::NothingLearnt(Box::new(NothingLearnt::of(
                &validations[0].runs,
                &variants[0].settings,
            ))));
        };
        for (part, validation) in parts.iter().zip(&validations) {
            report(part, validation, output)?;
        }
        answer.tell(took, output)?;
        // What was found is told though it could not be written where it was to be.
        saved
    })
}

/// What is learnt by one variant of one of the problems: of many classes each has one.
struct Part<'a> {
    /// The variant; of many classes its name tells the class, too.
    variant: Variant,
    session: &'a Session,
}

impl<'a> Part<'a> {
    /// By problem and then variant.
    fn all(sessions: &'a [Session], variants: &[Variant]) -> Vec<Self> {
        let named = |session: &'a Session, variant: &Variant| {
            let mut variant = variant.clone();
            if let Some(list) = &session.problem.classes {
                variant.name = part_name(&variant.name, list.name(list.own));
                variant.short_name = part_name(&variant.short_name, list.name(list.own));
            }
            Self { variant, session }
        };
        sessions
            .iter()
            .flat_map(|session| variants.iter().map(move |variant| named(session, variant)))
            .collect()
    }
}

/// What is answered: of two classes, or of many.
enum Answered {
    Two(Box<CvAnswer>),
    Many(Box<ClassAnswer>),
}

impl Answered {
    fn of(problem: &Problem, names: &[VariantName], validations: &[CrossValidation]) -> Self {
        if problem.classes.is_none() {
            return Self::Two(Box::new(CvAnswer::of(problem, names, validations)));
        }
        let of_variant = |variant: usize| validations.iter().skip(variant).step_by(names.len()).collect();
        let of_variants: Vec<Vec<&CrossValidation>> = (0..names.len()).map(of_variant).collect();
        Self::Many(Box::new(ClassAnswer::of(problem, names, &of_variants)))
    }

    /// Writes the tables beside the variants' and the classes' folders.
    fn write(
        &self,
        problem: &Problem,
        names: &[VariantName],
        validations: &[CrossValidation],
        sink: Sink<'_>,
    ) -> io::Result<()> {
        match self {
            Self::Two(answer) => match &answer.results {
                CvResults::Several(several) => write_comparison(several, names, validations, sink),
                CvResults::One(_) => Ok(()),
            },
            Self::Many(answer) => write_classes(problem, &answer.variants, sink),
        }
    }

    /// Tells it, and how long it took.
    fn tell(&self, took: Took, output: &Output) -> Result<(), Failure> {
        let (text, stops) = match self {
            Self::Two(answer) => (answer.text(), stop_lines(answer)),
            Self::Many(answer) => (answer.text(), classes::stop_lines(answer)),
        };
        if !text.is_empty() {
            output.text(&text)?;
        }
        output.note(&took.line());
        if !stops.is_empty() {
            output.say(stops.trim_end());
        }
        match self {
            Self::Two(answer) => output.events(&**answer),
            Self::Many(answer) => output.events(&**answer),
        }
    }
}

/// What the models of all classes say together.
fn write_classes(problem: &Problem, variants: &[ClassResult], sink: Sink<'_>) -> io::Result<()> {
    let tables = [
        ("class_metrics.csv", classes::metrics_csv(variants)),
        ("classes.csv", classes::classes_csv(variants)),
        ("confusion.csv", classes::confusion_csv(variants)),
        ("class_probabilities.csv", classes::probabilities_csv(problem, variants)),
    ];
    tables.iter().try_for_each(|(name, table)| sink(name, table))
}

/// Where the results go, if anywhere, and what keeps them until then.
#[derive(Debug)]
struct Place<'o> {
    folder: Option<FolderOutput>,
    checkpoint: Option<Checkpoint<'o>>,
    /// Runs of all variants.
    n_runs: usize,
}

impl<'o> Place<'o> {
    /// Holds the place of the run folder, and says before the work begins that it could not be written; none where
    /// nothing is left to do.
    fn claim(
        arguments: &Arguments,
        session: &Session,
        splits: &[Split],
        parts: &[Part<'_>],
        output: &'o Output,
    ) -> Result<Option<Self>, Failure> {
        let n_repeats = arguments.repeats as usize;
        let n_runs = splits.len() * n_repeats * parts.len();
        let Some(path) = &arguments.run else {
            return Ok(Some(Self { folder: None, checkpoint: None, n_runs }));
        };
        let runs = run_names(splits, n_repeats)?;
        // Of an earlier run `--resume` asks below whether it is this one.
        let folder = FolderOutput::claim(path, Earlier::Run, arguments.overwrite || arguments.resume, output)
            .map_err(|failure| checkpoint::or_go_on(failure, path))?;
        // Repetitions differ in a number: the last have the longest names.
        let checked = runs.iter().take(splits.len()).chain(&runs[runs.len() - splits.len()..]);
        let folders =
            parts.iter().flat_map(|part| checked.clone().map(|run| format!("{}{run}", below(&part.variant))));
        folder.check_names(&folders.collect::<Vec<_>>())?;
        let asked: Vec<AskedVariant<'_>> = parts
            .iter()
            .map(|Part { variant, .. }| AskedVariant { name: &variant.name, settings: &variant.settings })
            .collect();
        let request = run_folder::request(session, "cv", None);
        let asked =
            CvRequest { request: &request, problem: &session.problem, splits, n_repeats, variants: &asked };
        let beginning = Beginning {
            path,
            folder: folder.target(),
            asked: Asked::of(&asked),
            variants: parts.iter().map(|part| part.variant.name.as_str()).collect(),
            choice: Choice { resume: arguments.resume, overwrite: arguments.overwrite },
            keep_every: arguments.keep_every,
        };
        let checkpoint = beginning.checkpoint(output)?;
        Ok(checkpoint.map(|checkpoint| Self { folder: Some(folder), checkpoint: Some(checkpoint), n_runs }))
    }

    /// What the processes worked that this one goes on from.
    fn work_before(&self) -> Work {
        let noted = self.checkpoint.as_ref().and_then(Checkpoint::work);
        noted.map_or_else(Work::default, |text| Work::from_json(&text))
    }

    fn keeper<'p>(&'p self, progress: &'p Progress) -> Box<dyn Keeper + 'p> {
        match &self.checkpoint {
            Some(checkpoint) => Box::new(TimedKeeper { checkpoint, progress, noting: Mutex::default() }),
            None => Box::new(Forgetful),
        }
    }

    /// Writes the run folder. Then the checkpoint has done its work.
    fn write(
        &self,
        validations: &[CrossValidation],
        took: Took,
        output: &Output,
        files: impl Fn(Sink<'_>) -> io::Result<()>,
    ) -> Result<(), Failure> {
        let Some(folder) = &self.folder else { return Ok(()) };
        folder.write_or_save(files)?;
        if let Some(checkpoint) = &self.checkpoint {
            checkpoint.note_work(&took.total().to_json());
            checkpoint::end(checkpoint, validations, self.n_runs, output);
        }
        Ok(())
    }
}

/// Finds the model in short of each run, or only of the run whose rules are printed. `learn` does so too: for the same fold both
/// write the same model file.
fn find_readings(
    validation: &mut CrossValidation,
    session: &Session,
    of_all: bool,
    context: &RunContext<'_>,
) {
    let ending = context.budget.ending();
    let told = told_run(validation);
    for (at, run) in validation.runs.iter_mut().enumerate() {
        if of_all || Some(at) == told {
            run.reading = reading(&session.problem, &run.split, &*run.model, &ending, context.cover_bytes);
        }
    }
}

fn name(variant: &Variant) -> VariantName {
    VariantName { name: variant.name.clone(), short_name: variant.short_name.clone() }
}

/// The tables of the comparison.
fn write_comparison(
    several: &SideBySide,
    names: &[VariantName],
    validations: &[CrossValidation],
    sink: Sink<'_>,
) -> io::Result<()> {
    sink(COMPARISON, &comparison::csv(&several.comparison.0))?;
    let Some(chosen) = &several.chosen_on_tune else { return Ok(()) };
    sink(CHOSEN, &chosen::csv(chosen, names, validations))
}

/// What the paths of a variant's files begin with: a folder of its own where there are several.
fn below(variant: &Variant) -> String {
    if variant.name.is_empty() { String::new() } else { format!("{}/", folder_name(&variant.name)) }
}

/// The folders of the runs within a variant's, each once.
fn run_names(splits: &[Split], n_repeats: usize) -> Result<Vec<String>, Failure> {
    let name = |split: &Split, repeat: usize| match repeat {
        0 => folder_name(&split.name),
        repeat => folder_name(&format!("{}-{}", split.name, repeat + 1)),
    };
    let mut known = BTreeSet::new();
    let names: Vec<String> =
        (0..n_repeats).flat_map(|repeat| splits.iter().map(move |split| name(split, repeat))).collect();
    match names.iter().find(|name| !known.insert(*name)) {
        None => Ok(names),
        Some(twice) => {
            let message = format!("--repeats: the fold {twice} has the name of another's repetition");
            Err(Failure::Usage(message))
        }
    }
}

fn write_validation(
    part: &Part<'_>,
    validation: &CrossValidation,
    took: Took,
    sink: Sink<'_>,
) -> io::Result<()> {
    let Part { variant, session } = part;
    let below = below(variant);
    for run in &validation.runs {
        let folder = format!("{below}{}/", folder_name(&run.name()));
        run_folder::write_run(&folder, session, &variant.settings, run, sink)?;
    }
    run_folder::write_validation(&below, validation, sink)?;
    let request = run_folder::request(session, "cv", None);
    let record = RunRecord::of(request, &variant.settings, &session.problem, &RunResults::All(validation));
    run_folder::write_records(&below, &record.to_json(), took, session, sink)
}

fn report(part: &Part<'_>, validation: &CrossValidation, output: &Output) -> Result<(), Failure> {
    let name = &name(&part.variant);
    // What each class's model says by itself is in the run folder; of many classes all are told together.
    if part.session.problem.classes.is_none() {
        if !name.name.is_empty() {
            output.text(&format!("\n== {}\n", name.name))?;
        }
        output.text(&variant_text(name, validation))?;
        output.text(&rules_text(validation, &part.session.problem.symbols))?;
    }
    for run in &validation.runs {
        warn_of_tune(&*run.model, &format!("{}: ", run.name()), output);
        if output.is_json() {
            output.event(&run_event(name, run))?;
        }
        for (reason, n_seeds) in &run.search.stops {
            if reason.is_outer() {
                let (name, reason) = (run.name(), text::stop_name(*reason));
                output.note(&format!("{name}: {n_seeds} seeds ended early: {reason}"));
            }
        }
    }
    Ok(())
}
