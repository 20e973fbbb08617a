//! Models of many classes: one file with a model for each class.

use std::path::Path;
use std::sync::Arc;

use crate::base::ClassId;
use crate::experiment::apply::classes_of;
use crate::experiment::class_predict::{ClassModel, ClassScores};
use crate::learn::Model;
use crate::links::LinkModel;
use crate::problem::{ClassRequest, LoadRequest, Problem, TargetName};
use crate::program::PredicateName;
use crate::program::lower::atom_parts;
use crate::store::model_file::ClassHeader;
use crate::store::{ClassModels, ModelFile};
use crate::syntax::{Diagnostic, codes, quote_atom, read_clause};

use super::failure::Failure;
use super::file_output::warn_of_other_run;
use super::memory::MemoryCap;
use super::output::Output;
use super::predict::{Applied, bad_model, chosen_examples, load_scored, read_one_model};
use super::session::read_text;

/// What a model file holds.
pub(super) enum AnyModel {
    /// One model.
    One(Box<ModelFile>),
    /// One for each class.
    Many(ClassModels),
}

impl AnyModel {
    /// Reads a file, and says if it is not of the run that it was written with.
    pub(super) fn read(path: &Path, output: &Output) -> Result<Self, Failure> {
        warn_of_other_run(path, output);
        Self::of_text(path, &read_text(path)?)
    }

    /// Reads the text of a file.
    pub(super) fn of_text(path: &Path, text: &str) -> Result<Self, Failure> {
        if LinkModel::is_one(text) {
            let message = format!("{}: it is a model of links", path.display());
            return Err(Failure::fault(Diagnostic::error(codes::BAD_MODEL, message).with_help(
                "`gleaner rank MODEL DATA` ranks links by it, `gleaner show MODEL` shows its rules",
            )));
        }
        match ClassModels::from_json(text).map_err(|error| bad_model(path, &error))? {
            Some(many) => Ok(Self::Many(many)),
            None => Ok(Self::One(Box::new(read_one_model(path, text)?))),
        }
    }

    /// Its models, in the order of the classes.
    pub(super) fn models(&self) -> &[ModelFile] {
        match self {
            Self::One(one) => std::slice::from_ref(&**one),
            Self::Many(many) => &many.models,
        }
    }

    /// The model of a class, of several; of one, it.
    pub(super) fn chosen(self, class: Option<&str>) -> Result<ModelFile, Failure> {
        match self {
            Self::One(one) => Ok(*one),
            Self::Many(many) => {
                let names = many.names().join(", ");
                let mut models = many.models.into_iter();
                let is_chosen = |model: &ModelFile| class == Some(class_of(model).name());
                models.find(is_chosen).ok_or_else(|| {
                    let message = match class {
                        Some(class) => format!("--class {class}: the model has no such class"),
                        None => "the file holds a model for each class".to_owned(),
                    };
                    Failure::fault(
                        Diagnostic::error(codes::BAD_CLASSES, message)
                            .with_help(format!("--class NAME chooses one of {names}")),
                    )
                })
            }
        }
    }
}

/// The class whose score an example asks for: what its class argument is, or its predicate.
pub(super) fn class_of_atom(models: &[ModelFile], atom: &str) -> Option<String> {
    let text = format!("{}.", atom.trim().trim_end_matches('.'));
    let statement = read_clause(&text).ok()?;
    let (name, arguments) = atom_parts(statement.head.as_ref()?)?;
    let says = |model: &&ModelFile| {
        let class = class_of(model);
        match class.class_argument.and_then(|argument| arguments.get(argument - 1)) {
            Some(argument) => {
                let said = argument.to_string();
                said == class.name() || said == quote_atom(class.name())
            }
            None => class.targets.get(class.own).is_some_and(|own| {
                own.parse().is_ok_and(|own: TargetName| own.is(&PredicateName::new(name, arguments.len())))
            }),
        }
    };
    models.iter().find(says).map(|model| class_of(model).name().to_owned())
}

/// The class of a model among others.
fn class_of(model: &ModelFile) -> &ClassHeader {
    model.header.class.as_ref().expect("models of classes were checked when they were read")
}

/// How data are to be read for a model of classes: as those that it was learnt from. Another way that is asked for is a fault.
pub(super) fn classes_asked(file: &ModelFile, asked: &ClassRequest) -> Result<ClassRequest, Failure> {
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
    output: &Output,
) -> Result<(Problem, Vec<(Problem, Arc<dyn Model>)>), Failure> {
    let clauses: Vec<String> = files.iter().flat_map(ModelFile::clause_texts).collect();
    let problem = load_scored(&files[0], clauses, request, output)?;
    let mut rest = &problem.clauses[..];
    let mut models = Vec::with_capacity(files.len());
    for file in files {
        let (own, others) = rest.split_at(file.clause_texts().len());
        rest = others;
        let model = file
            .to_model(own)
            .map_err(|error| Failure::fault(Diagnostic::error(codes::BAD_MODEL, error.to_string())))?;
        models.push((problem.of_class(ClassId::new(class_of(file).own)), model));
    }
    Ok((problem, models))
}

/// Loads the data and scores their examples by the models of all classes.
pub(super) fn apply_all(
    files: &[ModelFile],
    applied: Applied,
    memory: &MemoryCap,
    output: &Output,
) -> Result<(Problem, ClassScores), Failure> {
    let (problem, models) = load_all(files, applied.request, output)?;
    let chosen = chosen_examples(&files[0], &problem, applied.fold.as_ref(), output)?;
    let models: Vec<ClassModel<'_>> = files
        .iter()
        .zip(&models)
        .map(|(file, (problem, model))| ClassModel {
            problem,
            model: &**model,
            calibration: file.header.calibration.as_ref(),
            prior: class_of(file).prior,
        })
        .collect();
    let scores = ClassScores::of(&models, &chosen, memory.loaded(1));
    Ok((problem, scores))
}
