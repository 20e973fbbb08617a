//! `gleaner predict MODEL DATA`: scores of examples.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;

use crate::base::{ClassId, ConstantId, ExampleId};
use crate::experiment::apply::scored_splits;
use crate::experiment::class_predict::ClassPredictAnswer;
use crate::experiment::known_target::knowing;
use crate::experiment::predict::{self, PredictAnswer};
use crate::experiment::split::{SetExamples, undivided};
use crate::learn::{Model, OperatingPoint};
use crate::problem::{Division, LoadRequest, Problem, TargetName};
use crate::program::settings::SettingType;
use crate::report::Answer;
use crate::store::{ModelError, ModelFile};
use crate::syntax::{Diagnostic, codes};

use super::class_models::{AnyModel, apply_all, classes_asked};
use super::conduct::on_threads;
use super::deadline::end_after;
use super::failure::Failure;
use super::file_output::FileOutput;
use super::flags::{DEFAULT_SEED, DataFlags, FoldChoice, ModelFlags, ResourceFlags, TableFlags, TimeFlag};
use super::memory::MemoryCap;
use super::output::Output;
use super::session::{chosen_split, load_problem};

/// Files of older releases have none, and so have models that were learnt with `--calibration none`.
const NOT_CALIBRATED: &str = "warning: the model file holds no calibration, so the column probability says n/a; learn the model \
                              anew, with --calibration isotonic, say";

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// A model file of `learn`.
    #[arg(value_name = "MODEL")]
    model: PathBuf,
    /// Score only the test examples of this fold, as the model's cv had them; a number from 1, or a name.
    #[arg(long, value_name = "FOLD")]
    fold: Option<FoldChoice>,
    /// Score the atoms of this file, one in each line, in place of the data's examples.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["fold", "negatives"])]
    examples_file: Option<PathBuf>,
    /// Decide at this point, chosen anew by what the model held out: mean-f1, best-f1, recall=R, precision=P, f-beta=B, accuracy or
    /// cost=FP:FN; by default the one it was learnt with.
    #[arg(long, value_name = "POINT")]
    operating_point: Option<String>,
    /// Add columns probability_low and probability_high: two probabilities, one of them well calibrated.
    ///
    /// Venn-Abers: what isotonic regression gives if the example is a negative, and if it is a positive.
    #[arg(long)]
    intervals: bool,
    /// Write the CSV to this file instead; - is standard output.
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    applying: ModelFlags,
    #[command(flatten)]
    data: DataFlags,
    #[command(flatten)]
    tables: TableFlags,
    #[command(flatten)]
    resources: ResourceFlags,
    #[command(flatten)]
    time: TimeFlag,
}

pub(super) fn predict(arguments: &Arguments, output: &Output) -> Result<(), Failure> {
    end_after(arguments.time, output);
    let operating_point = arguments.operating_point.as_deref().map(read_operating_point).transpose()?;
    let output = &output.with_tables(arguments.tables);
    let read = [Some(&arguments.model), arguments.examples_file.as_ref()].into_iter().flatten();
    if let Some(path) = &arguments.output {
        FileOutput::spare(path, "-o", read.clone().map(PathBuf::as_path).chain(arguments.data.files()))?;
    }
    let table = arguments.output.as_ref().map(|path| FileOutput::check(path, "-o", output)).transpose()?;
    let any = AnyModel::read(&arguments.model, output)?;
    let memory = MemoryCap::watch(&arguments.resources)?;
    on_threads(&arguments.resources, || {
        let request = LoadRequest {
            examples: arguments.examples_file.clone(),
            allows_missing: arguments.applying.allow_missing,
            ..arguments.data.request(DEFAULT_SEED)
        };
        let applied = Applied { request, fold: arguments.fold.clone(), operating_point };
        let table = table.as_ref();
        match &any {
            AnyModel::One(file) => {
                let answer = apply(file, applied, &memory, output)?;
                let calibration = file.header.calibration.as_ref();
                let answer = if arguments.intervals { answer.with_intervals(calibration) } else { answer };
                tell(&answer, answer.n_examples, table, output)
            }
            AnyModel::Many(many) => {
                for (is_given, flag) in
                    [(arguments.intervals, "--intervals"), (operating_point.is_some(), "--operating-point")]
                {
                    if is_given {
                        output.note(&format!("warning: {flag} has no effect on a model of many classes"));
                    }
                }
                let (problem, scores) = apply_all(&many.models, applied, &memory, output)?;
                let answer = ClassPredictAnswer::of(&problem, &scores);
                tell(&answer, answer.n_examples, table, output)
            }
        }
    })
}

/// The operating point that a flag names.
fn read_operating_point(text: &str) -> Result<OperatingPoint, Failure> {
    OperatingPoint::parse(text, &()).map_err(|_| {
        Failure::Usage(format!("--operating-point {text}: it is {}", OperatingPoint::accepted(&())))
    })
}

/// The model as it decides at another operating point than the one that it was learnt with.
fn deciding_at(
    file: &ModelFile,
    model: Arc<dyn Model>,
    point: OperatingPoint,
) -> Result<Arc<dyn Model>, Failure> {
    let learnt = file.header.settings.get("operating-point").and_then(Option::as_ref);
    if learnt.is_some_and(|learnt| OperatingPoint::parse(&learnt.to_string(), &()) == Ok(point)) {
        return Ok(model);
    }
    let thresholds = file.header.calibration.as_ref().and_then(|calibration| calibration.thresholds.as_ref());
    let deciding = thresholds.and_then(|thresholds| model.deciding(thresholds.choose(point)));
    deciding.ok_or_else(|| {
        Failure::Usage(
            "--operating-point: the model file keeps no thresholds to choose among: it is of an older release, was learnt with \
             `--calibration none`, or decides otherwise than by a threshold of its scores\n\
             help: learn it anew with this flag; or take the rows whose probability is high enough for you"
                .to_owned(),
        )
    })
}

/// Writes the table of an answer, or prints it.
fn tell(
    answer: &impl Answer,
    n_examples: usize,
    table: Option<&FileOutput>,
    output: &Output,
) -> Result<(), Failure> {
    match table {
        Some(table) => {
            table.write_table(&answer.text(), output)?;
            output.note(&format!("{n_examples} examples scored"));
        }
        None if output.is_json() => {}
        None => output.data(&output.table(&answer.text()))?,
    }
    output.events(answer)
}

/// What a model is applied to.
#[derive(Debug)]
pub(super) struct Applied {
    /// The data.
    pub(super) request: LoadRequest,
    /// Only the test examples of this fold.
    pub(super) fold: Option<FoldChoice>,
    /// Another point to decide at than that of the model.
    pub(super) operating_point: Option<OperatingPoint>,
}

/// The model of a file's text.
pub(super) fn read_one_model(path: &Path, text: &str) -> Result<ModelFile, Failure> {
    ModelFile::from_json(text).map_err(|error| bad_model(path, &error))
}

/// That a file is no model.
pub(super) fn bad_model(path: &Path, error: &ModelError) -> Failure {
    let code = if matches!(error, ModelError::Version(_)) { codes::MODEL_VERSION } else { codes::BAD_MODEL };
    Failure::fault(
        Diagnostic::error(code, format!("{}: {error}", path.display()))
            .with_help("a model file is what `gleaner learn DATA -o MODEL` writes"),
    )
}

/// Loads the data with the model's clauses and scores its examples, or those of one fold.
pub(super) fn apply(
    file: &ModelFile,
    applied: Applied,
    memory: &MemoryCap,
    output: &Output,
) -> Result<PredictAnswer, Failure> {
    let (problem, mut model) = load_with_model(file, applied.request, output)?;
    if let Some(point) = applied.operating_point {
        model = deciding_at(file, model, point)?;
    }
    let chosen = chosen_examples(file, &problem, applied.fold.as_ref(), output)?;
    if let Some(seen) = applied.fold.is_none().then(|| seen_examples(file, &problem)).flatten() {
        output.note(&seen);
    }
    let calibration = file.header.calibration.as_ref();
    if calibration.is_none() {
        output.note(NOT_CALIBRATED);
    }
    Ok(predict::predict(&problem, &*model, calibration, &chosen, memory.loaded(1)))
}

/// Loads the data with the model's clauses, and the model over their symbols.
pub(super) fn load_with_model(
    file: &ModelFile,
    request: LoadRequest,
    output: &Output,
) -> Result<(Problem, Arc<dyn Model>), Failure> {
    load_with_clauses(file, &[], request, output)
}

/// As [`load_with_model`], with clauses beside those of the model, which come after them.
pub(super) fn load_with_clauses(
    file: &ModelFile,
    further: &[String],
    request: LoadRequest,
    output: &Output,
) -> Result<(Problem, Arc<dyn Model>), Failure> {
    let known: Vec<String> = file.header.known.iter().map(|fact| format!("{fact}.")).collect();
    let clauses = [&file.clause_texts(), further, &known].concat();
    let mut problem = load_scored(file, clauses, request, output)?;
    if !known.is_empty() {
        let facts = problem.clauses.split_off(problem.clauses.len() - known.len());
        let links: Vec<Vec<ConstantId>> = facts.iter().filter_map(|fact| fact.head.constants()).collect();
        problem = knowing(problem, &links, &file.header.withheld());
    }
    let problem = match &file.header.class {
        Some(class) => problem.of_class(ClassId::new(class.own)),
        None => problem,
    };
    let model = file
        .to_model(&problem.clauses[..problem.clauses.len().saturating_sub(further.len())])
        .map_err(|error| Failure::fault(Diagnostic::error(codes::BAD_MODEL, error.to_string())))?;
    Ok((problem, model))
}

/// Loads data to be scored by a model, with these clauses.
pub(super) fn load_scored(
    file: &ModelFile,
    clauses: Vec<String>,
    mut request: LoadRequest,
    output: &Output,
) -> Result<Problem, Failure> {
    if request.propose_modes {
        output.note("warning: --propose-modes has no effect: the clauses of a model need no modes");
    }
    request.clauses = clauses;
    request.is_scoring = true;
    request.classes = classes_asked(file, &request.classes)?;
    request.target = match request.classes.targets.first() {
        Some(first) => Some(first.clone()),
        None => Some(target_of(file, request.target.take())?),
    };
    let (problem, _) = load_problem(&request, output)?;
    if request.restriction != file.header.restriction {
        let learnt = file.header.restriction.as_deref().unwrap_or("none");
        output.note(&format!("warning: the model was learnt with another --where: {learnt}"));
    }
    Ok(problem)
}

/// The model's target; another that is asked for is a fault.
fn target_of(file: &ModelFile, asked: Option<TargetName>) -> Result<TargetName, Failure> {
    let known = &file.header.target;
    let target: TargetName = known.parse().map_err(|fault: String| {
        Failure::fault(Diagnostic::error(codes::BAD_MODEL, format!("its target: {fault}")))
    })?;
    let is_same = |asked: &TargetName| {
        asked.name == target.name && (asked.arity.is_none() || asked.arity == target.arity)
    };
    match asked.filter(|asked| !is_same(asked)) {
        None => Ok(target),
        Some(other) => {
            let message = format!("the model is of {known}, --target is {other}");
            Err(Failure::fault(
                Diagnostic::error(codes::WRONG_TARGET, message)
                    .with_help("leave --target out, or give a model of it"),
            ))
        }
    }
}

/// That the model was learnt from some of the examples, as far as its file and the data's folds tell.
fn seen_examples(file: &ModelFile, problem: &Problem) -> Option<String> {
    let kept = &file.header.fold;
    let at = problem.fold_names.iter().position(|name| name == kept)?;
    let examples = &problem.examples;
    let is_seen = |id: &ExampleId| examples.fold(*id).is_some_and(|fold| fold.index() != at);
    let n_seen = examples.ids().filter(is_seen).count();
    let fold = match problem.division {
        Division::TrainTest | Division::TrainTuneTest => 1,
        Division::None | Division::Folds => at + 1,
    };
    (n_seen > 0).then(|| {
        format!(
            "warning: the model kept {kept} for test: {n_seen} of {} examples are of the folds that it learnt from; \
             --fold {fold} scores only those of {kept}",
            examples.len()
        )
    })
}

/// All examples, or those that run `--fold` of the model's cross-validation was tested on.
pub(super) fn chosen_examples(
    file: &ModelFile,
    problem: &Problem,
    fold: Option<&FoldChoice>,
    output: &Output,
) -> Result<SetExamples, Failure> {
    let Some(fold) = fold else { return Ok(undivided(problem, file.header.rng_seed)) };
    let splits = scored_splits(file, problem).map_err(Failure::fault)?;
    let split = chosen_split(&splits, fold)?;
    if split.name != file.header.fold {
        output.note(&format!(
            "warning: the model kept {} for test: it has seen examples of {}",
            file.header.fold, split.name
        ));
    }
    let [_, _, test] = split.sets();
    Ok(test)
}
