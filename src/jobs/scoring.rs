//! Models applied to data: which data they take, over whose names, and which of their examples.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use gleaner_base::ExampleId;
use gleaner_data::{Division, FrozenFold, LoadPurpose, LoadRequest, Problem};
use gleaner_engine::coverage::component::Interrupted;
use gleaner_lang::program::settings::SettingType;
use gleaner_lang::program::{NumberSource, PredicateName, TargetName};
use gleaner_lang::syntax::{Diagnostic, Sources, codes};
use gleaner_learn::{Model, OperatingPoint};

use crate::experiment::classes::predict::{ClassModel, ClassScores};
use crate::experiment::runs::split::{SetExamples, undivided};
use crate::experiment::scoring::model_file::{BoundModel, WithoutFacts, scored_splits};
use crate::experiment::scoring::predict::{PredictAnswer, predict};
use crate::store::ModelFile;
use crate::store::label_header::ClassHeader;

use super::failure::{Failure, bad_model};
use super::listener::{Listener, Means};
use super::session::{FoldChoice, chosen_split, load_problem};

/// Files of older releases have none, and so have models that were learnt with `--calibration none`.
const NOT_CALIBRATED: &str = "the model file holds no calibration, so the column probability says n/a; learn the model \
                              anew, with ⁅calibration=isotonic⁆, say";

/// The data that a model is applied to, and how.
#[derive(Clone, Debug)]
pub(crate) struct Applied {
    /// The data.
    pub(crate) problem: Arc<Problem>,
    /// Only the test examples of this fold.
    pub(crate) fold: Option<FoldChoice>,
    /// Another point to decide at than that of the model.
    pub(crate) operating_point: Option<OperatingPoint>,
    /// Whether predicates that the data never name are taken to be empty; else they are a fault.
    pub(crate) allows_missing: bool,
}

impl Applied {
    /// All examples, decided as the model decides.
    pub(crate) const fn to_all(problem: Arc<Problem>) -> Self {
        Self { problem, fold: None, operating_point: None, allows_missing: false }
    }
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
        let message = "⁅operating-point⁆: the model file keeps no thresholds to choose from: an older release or \
                       `⁅calibration=none⁆` made it, or it decides without a threshold";
        let help = "learn it anew with this flag; or take the rows whose probability is high enough for you";
        Failure::usage(codes::SETTINGS_APART, message).with_help(help)
    })
}

/// Scores the examples, or those of one fold.
pub(crate) fn apply(file: &ModelFile, applied: &Applied, means: Means<'_>) -> Result<PredictAnswer, Failure> {
    let listener = means.listener;
    let BoundModel { problem, mut model, .. } = bind(file, applied, &[], listener)?;
    if let Some(point) = applied.operating_point {
        model = deciding_at(file, model, point)?;
    }
    let chosen = chosen_examples(file, &problem, applied.fold.as_ref(), listener)?;
    if let Some(seen) = applied.fold.is_none().then(|| seen_examples(file, &problem)).flatten() {
        listener.warn(codes::FLATTERING, &seen);
    }
    let calibration = file.header.calibration.as_ref();
    if calibration.is_none() {
        listener.warn(codes::OTHER_FORM, NOT_CALIBRATED);
    }
    predict(&problem, &*model, calibration, &chosen, means.scoring()).map_err(unscored)
}

/// The budget ended before all examples were scored.
pub(crate) fn unscored(Interrupted(reason): Interrupted) -> Failure {
    Failure::stopped(reason, "all examples were scored")
}

/// Binds a model to the data, with further clauses.
pub(crate) fn bind(
    file: &ModelFile,
    applied: &Applied,
    further: &[String],
    listener: &dyn Listener,
) -> Result<BoundModel, Failure> {
    check_predicates(&[file], applied, listener)?;
    Ok(BoundModel::of(file, &applied.problem, further)?)
}

/// Warns of predicates of the models' clauses that are empty in the data. It is a fault if the data never name them,
/// unless that is allowed.
fn check_predicates(files: &[&ModelFile], applied: &Applied, listener: &dyn Listener) -> Result<(), Failure> {
    let WithoutFacts { empty, unnamed } =
        WithoutFacts::of(files, &applied.problem).map_err(Failure::fault)?;
    let message = |names: &BTreeSet<PredicateName>| {
        let mut names: Vec<String> = names.iter().map(ToString::to_string).collect();
        names.sort();
        format!("the model's clauses use predicates that these data lack: {}", names.join(", "))
    };
    let warn = |names: &BTreeSet<PredicateName>| {
        let warning = Diagnostic::warning(codes::EMPTY_PREDICATE, message(names))
            .with_help("clauses with them cover nothing here; were the data made from the same predicates?");
        listener.warnings(&[warning], &Sources::new());
    };
    if !empty.is_empty() {
        warn(&empty);
    }
    if unnamed.is_empty() {
        return Ok(());
    }
    if applied.allows_missing {
        warn(&unnamed);
        return Ok(());
    }
    Err(Failure::fault(
        Diagnostic::error(codes::EMPTY_PREDICATE, message(&unnamed))
            .with_help(
                "add facts or rules of these predicates; if they are only empty, declare them by a mode",
            )
            .with_help("⁅allow-missing⁆ goes on, and takes all their facts to be false"),
    ))
}

/// Reads data whose examples are to be scored by models.
pub(crate) fn load_to_score(
    files: &[Arc<ModelFile>],
    request: LoadRequest,
    listener: &dyn Listener,
) -> Result<Arc<Problem>, Failure> {
    let of_modes = [(request.propose_modes, "propose-modes"), (request.aggregates.is_some(), "aggregates")];
    for (_, flag) in of_modes.into_iter().filter(|(is_given, _)| *is_given) {
        let message = format!("⁅{flag}⁆ has no effect: the clauses of a model need no modes");
        listener.warn(codes::UNUSED_SETTING, &message);
    }
    let request = request_to_score(files, request)?;
    let problem = load_problem(&request, listener)?.0.problem;
    let restriction = files[0].header.restriction.as_deref();
    if request.restriction.as_deref() != restriction {
        let learnt = restriction.unwrap_or("none");
        listener.warn(codes::SETTINGS_APART, &format!("the model was learnt with another ⁅where⁆: {learnt}"));
    }
    frozen_examples(&request, &problem).iter().for_each(|note| listener.note(note));
    Ok(Arc::new(problem))
}

/// For each fold that the model froze, and not the user, what its examples do not see.
fn frozen_examples(request: &LoadRequest, problem: &Problem) -> Vec<String> {
    let of_model = request.frozen_for_model.iter().filter(|_| request.frozen.is_empty());
    let note = |freeze: &FrozenFold| {
        let at = problem.fold_names().iter().position(|name| *name == freeze.fold)?;
        let examples = problem.examples();
        let is_of = |id: &ExampleId| examples.fold(*id).is_some_and(|fold| fold.index() == at);
        let n = examples.ids().filter(is_of).count();
        (n > 0).then(|| {
            format!(
                "the model was learnt with ⁅frozen={freeze}⁆: {n} of {} examples see no rows from then on; \
                 ⁅frozen={}=9999-01-01⁆ shows them all rows before their cut-offs",
                examples.len(),
                freeze.fold
            )
        })
    };
    of_model.filter_map(note).collect()
}

/// The request for data whose examples are to be scored by models: labels and modes need not be there, and target,
/// classes and predicates are those of the models.
pub(crate) fn request_to_score(
    files: &[Arc<ModelFile>],
    request: LoadRequest,
) -> Result<LoadRequest, Failure> {
    let file = &files[0];
    let classes = file.header.labels.classes_to_read(&request.classes).map_err(Failure::fault)?;
    let number = number_asked(file, request.number)?;
    let target = match classes.targets.first() {
        Some(first) => first.clone(),
        None => target_of(file, request.target, number)?,
    };
    let mut predicates: BTreeSet<PredicateName> = BTreeSet::new();
    for file in files {
        let of_file = file.predicates().map_err(|error| bad_model(Path::new(""), &error))?;
        predicates.extend(of_file.iter().cloned());
    }
    let division = file.header.division.as_ref();
    Ok(LoadRequest {
        purpose: LoadPurpose::Score,
        split: request.split.or_else(|| division?.split()),
        group: division.and_then(|division| division.group.clone()),
        frozen_for_model: file.header.frozen_folds().map_err(|error| bad_model(Path::new(""), &error))?,
        schema: file.header.schema.clone(),
        classes,
        number,
        target: Some(target),
        predicates: predicates.into_iter().collect(),
        ..request
    })
}

/// The source of numbers in the data, which the model knows. Another that is asked for is a fault.
fn number_asked(file: &ModelFile, asked: Option<NumberSource>) -> Result<Option<NumberSource>, Failure> {
    let own = file.header.labels.number_source();
    if asked.is_none() || asked == own {
        return Ok(own);
    }
    let message = match own {
        Some(own) => format!("the model has its numbers from ⁅number-argument={own}⁆"),
        None => "the model predicts classes, and ⁅number-argument⁆ is given".to_owned(),
    };
    Err(Failure::fault(
        Diagnostic::error(codes::WRONG_TARGET, message)
            .with_help("leave ⁅number-argument⁆ out: the model knows its target"),
    ))
}

/// The model's target; another that is asked for is a fault.
///
/// Where an argument holds the number, the data have the target with this argument.
fn target_of(
    file: &ModelFile,
    asked: Option<TargetName>,
    number: Option<NumberSource>,
) -> Result<TargetName, Failure> {
    let known = &file.header.target;
    let target: TargetName = known.parse().map_err(|fault: String| {
        Failure::fault(Diagnostic::error(codes::BAD_MODEL, format!("its target: {fault}")))
    })?;
    let target = match number {
        Some(NumberSource::Argument(_)) => {
            TargetName { arity: target.arity.map(|arity| arity + 1), ..target }
        }
        Some(NumberSource::Label) | None => target,
    };
    let is_same = |asked: &TargetName| {
        asked.name == target.name && (asked.arity.is_none() || asked.arity == target.arity)
    };
    match asked.filter(|asked| !is_same(asked)) {
        None => Ok(target),
        Some(other) => {
            let message = format!("the model has the target {known}, ⁅target⁆ is {other}");
            Err(Failure::fault(
                Diagnostic::error(codes::WRONG_TARGET, message)
                    .with_help("leave ⁅target⁆ out, or give a model of it"),
            ))
        }
    }
}

/// The warning that the model was learnt from some of the examples, as far as its file and the data's folds show.
fn seen_examples(file: &ModelFile, problem: &Problem) -> Option<String> {
    let kept = &file.header.fold;
    let at = problem.fold_names().iter().position(|name| name == kept)?;
    let examples = problem.examples();
    let is_seen = |id: &ExampleId| examples.fold(*id).is_some_and(|fold| fold.index() != at);
    let n_seen = examples.ids().filter(is_seen).count();
    let fold = match problem.division() {
        Division::TrainTest | Division::TrainTuneTest => 1,
        Division::None | Division::Folds => at + 1,
    };
    (n_seen > 0).then(|| {
        format!(
            "the model kept {kept} for test: {n_seen} of {} examples are of the folds that it learnt from; \
             ⁅fold={fold}⁆ scores only those of {kept}",
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
    let examples = problem.examples();
    let n_unlabelled = examples.ids().filter(|&id| !examples.is_labelled(id)).count();
    if n_unlabelled > 0 && problem.division() == Division::None {
        let message = match n_unlabelled {
            1 => "1 example without a label is in no fold".to_owned(),
            n => format!("{n} examples without a label are in no fold"),
        };
        listener.warn(codes::UNLABELLED, &message);
    }
    if split.name != file.header.fold {
        listener.warn(
            codes::FLATTERING,
            &format!("the model kept {} for test: it has seen examples of {}", file.header.fold, split.name),
        );
    }
    let [_, _, test] = split.sets();
    Ok(test)
}

/// The class of a model among others.
pub(crate) fn class_of(model: &ModelFile) -> &ClassHeader {
    model.header.labels.class().expect("models of classes were checked when they were read")
}

/// Scores the examples by the models of all classes.
pub(crate) fn apply_all(
    files: &[Arc<ModelFile>],
    applied: &Applied,
    means: Means<'_>,
) -> Result<ClassScores, Failure> {
    check_predicates(&files.iter().map(|file| &**file).collect::<Vec<_>>(), applied, means.listener)?;
    let problem = &*applied.problem;
    let bound: Vec<BoundModel> =
        files.iter().map(|file| BoundModel::of(file, problem, &[])).collect::<Result<_, _>>()?;
    let chosen = chosen_examples(&files[0], problem, applied.fold.as_ref(), means.listener)?;
    let models: Vec<ClassModel<'_>> = files
        .iter()
        .zip(&bound)
        .map(|(file, BoundModel { problem, model, .. })| ClassModel {
            problem,
            model: &**model,
            calibration: file.header.calibration.as_ref(),
            prior: class_of(file).prior,
        })
        .collect();
    ClassScores::of(&models, &chosen, means.scoring()).map_err(unscored)
}
