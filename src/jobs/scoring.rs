//! Models applied to data: which data they take, over whose names, and which of their examples.

use std::sync::Arc;

use crate::experiment::apply::{BoundModel, classes_of, scored_splits};
use crate::experiment::class_predict::{ClassModel, ClassScores};
use crate::experiment::known_target::knowing;
use crate::experiment::predict::{PredictAnswer, predict};
use crate::experiment::split::{SetExamples, undivided};
use crate::store::ModelFile;
use gleaner_base::{ClassId, ConstantId, ExampleId};
use gleaner_data::{ClassRequest, Division, LoadPurpose, LoadRequest, Problem};
use gleaner_lang::program::TargetName;
use gleaner_lang::program::settings::SettingType;
use gleaner_lang::syntax::{Diagnostic, codes};
use gleaner_learn::{Model, OperatingPoint};

use super::class_models::class_of;
use super::failure::Failure;
use super::fold_choice::FoldChoice;
use super::listener::{Listener, Means};
use super::session::{chosen_split, load_problem};

/// Files of older releases have none, and so have models that were learnt with `--calibration none`.
const NOT_CALIBRATED: &str = "warning: the model file holds no calibration, so the column probability says n/a; learn the model \
                              anew, with --calibration isotonic, say";

/// The data that a model is applied to, and how.
#[derive(Debug)]
pub(crate) struct Applied {
    /// The data.
    pub(crate) request: LoadRequest,
    /// Only the test examples of this fold.
    pub(crate) fold: Option<FoldChoice>,
    /// Another point to decide at than that of the model.
    pub(crate) operating_point: Option<OperatingPoint>,
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

/// Loads the data with the model's clauses and scores its examples, or those of one fold.
pub(crate) fn apply(file: &ModelFile, applied: Applied, means: Means<'_>) -> Result<PredictAnswer, Failure> {
    let listener = means.listener;
    let (problem, mut model) = load_with_model(file, applied.request, listener)?;
    if let Some(point) = applied.operating_point {
        model = deciding_at(file, model, point)?;
    }
    let chosen = chosen_examples(file, &problem, applied.fold.as_ref(), listener)?;
    if let Some(seen) = applied.fold.is_none().then(|| seen_examples(file, &problem)).flatten() {
        listener.note(&seen);
    }
    let calibration = file.header.calibration.as_ref();
    if calibration.is_none() {
        listener.note(NOT_CALIBRATED);
    }
    Ok(predict(&problem, &*model, calibration, &chosen, means.limits.cover_bytes(1)))
}

/// Loads the data with the model's clauses, and the model over their symbols.
pub(crate) fn load_with_model(
    file: &ModelFile,
    request: LoadRequest,
    listener: &dyn Listener,
) -> Result<(Problem, Arc<dyn Model>), Failure> {
    load_with_clauses(file, &[], request, listener)
}

/// As [`load_with_model`], with further clauses after those of the model.
pub(crate) fn load_with_clauses(
    file: &ModelFile,
    further: &[String],
    request: LoadRequest,
    listener: &dyn Listener,
) -> Result<(Problem, Arc<dyn Model>), Failure> {
    let known: Vec<String> = file.header.known.iter().map(|fact| format!("{fact}.")).collect();
    let clauses = [&file.clause_texts(), further, &known].concat();
    let mut problem = load_scored(file, clauses, request, listener)?;
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
pub(crate) fn load_scored(
    file: &ModelFile,
    clauses: Vec<String>,
    mut request: LoadRequest,
    listener: &dyn Listener,
) -> Result<Problem, Failure> {
    if request.propose_modes {
        listener.note("warning: --propose-modes has no effect: the clauses of a model need no modes");
    }
    request.clauses = clauses;
    request.purpose = LoadPurpose::Score;
    request.classes = classes_asked(file, &request.classes)?;
    request.target = match request.classes.targets.first() {
        Some(first) => Some(first.clone()),
        None => Some(target_of(file, request.target.take())?),
    };
    let (problem, _) = load_problem(&request, listener)?;
    if request.restriction != file.header.restriction {
        let learnt = file.header.restriction.as_deref().unwrap_or("none");
        listener.note(&format!("warning: the model was learnt with another --where: {learnt}"));
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

/// The warning that the model was learnt from some of the examples, as far as its file and the data's folds show.
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
pub(crate) fn chosen_examples(
    file: &ModelFile,
    problem: &Problem,
    fold: Option<&FoldChoice>,
    listener: &dyn Listener,
) -> Result<SetExamples, Failure> {
    let Some(fold) = fold else { return Ok(undivided(problem, file.header.rng_seed)) };
    let splits = scored_splits(file, problem).map_err(Failure::fault)?;
    let split = chosen_split(&splits, fold)?;
    if split.name != file.header.fold {
        listener.note(&format!(
            "warning: the model kept {} for test: it has seen examples of {}",
            file.header.fold, split.name
        ));
    }
    let [_, _, test] = split.sets();
    Ok(test)
}

/// The way to read data for a model of classes: as for the data it was learnt from. Asking for another way is a fault.
pub(crate) fn classes_asked(file: &ModelFile, asked: &ClassRequest) -> Result<ClassRequest, Failure> {
    let differs = |help: String| {
        let message = "the model is of other classes than --class-argument and --target say";
        Err(Failure::fault(Diagnostic::error(codes::WRONG_TARGET, message.to_owned()).with_help(help)))
    };
    let Some(class) = &file.header.class else {
        return if *asked == ClassRequest::default() {
            Ok(ClassRequest::default())
        } else {
            differs("the model knows positives and negatives alone: leave them out".to_owned())
        };
    };
    let own = classes_of(class).map_err(Failure::fault)?;
    let is_same = (asked.argument.is_none() || asked.argument == own.argument)
        && (asked.targets.is_empty() || asked.targets == own.targets);
    if !is_same {
        return differs("leave them out: the model says what its classes are".to_owned());
    }
    Ok(own)
}

/// The binary problem of each class over the data with the clauses of all classes' models, and its model.
fn load_all(
    files: &[ModelFile],
    request: LoadRequest,
    listener: &dyn Listener,
) -> Result<(Problem, Vec<BoundModel>), Failure> {
    let clauses: Vec<String> = files.iter().flat_map(ModelFile::clause_texts).collect();
    let problem = load_scored(&files[0], clauses, request, listener)?;
    let mut rest = &problem.clauses[..];
    let mut models = Vec::with_capacity(files.len());
    for file in files {
        let (own, others) = rest.split_at(file.clause_texts().len());
        rest = others;
        let model = file
            .to_model(own)
            .map_err(|error| Failure::fault(Diagnostic::error(codes::BAD_MODEL, error.to_string())))?;
        models.push(BoundModel { problem: problem.of_class(ClassId::new(class_of(file).own)), model });
    }
    Ok((problem, models))
}

/// Loads the data and scores their examples by the models of all classes.
pub(crate) fn apply_all(
    files: &[ModelFile],
    applied: Applied,
    means: Means<'_>,
) -> Result<(Problem, ClassScores), Failure> {
    let listener = means.listener;
    let (problem, models) = load_all(files, applied.request, listener)?;
    let chosen = chosen_examples(&files[0], &problem, applied.fold.as_ref(), listener)?;
    let models: Vec<ClassModel<'_>> = files
        .iter()
        .zip(&models)
        .map(|(file, BoundModel { problem, model })| ClassModel {
            problem,
            model: &**model,
            calibration: file.header.calibration.as_ref(),
            prior: class_of(file).prior,
        })
        .collect();
    let scores = ClassScores::of(&models, &chosen, means.limits.cover_bytes(1));
    Ok((problem, scores))
}
