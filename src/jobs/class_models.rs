//! Models of many classes: one file with a model for each class.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use crate::store::model_file::ClassHeader;
use crate::store::{ClassModels, ModelError, ModelFile};
use gleaner_lang::program::PredicateName;
use gleaner_lang::program::TargetName;
use gleaner_lang::program::lower::atom_parts;
use gleaner_lang::syntax::{Diagnostic, codes, quote_atom, read_clause};
use gleaner_learn::links::LinkModel;

use super::failure::Failure;
use super::files::{read_text, warn_of_other_run};
use super::links::bad_links;
use super::listener::Listener;

/// The content of a model file.
#[derive(Clone, Debug)]
pub(crate) enum AnyModel {
    /// One model.
    One(Arc<ModelFile>),
    /// One for each class.
    Many(Arc<ClassModels>),
    /// Rules for all relations of a graph.
    Links(Arc<LinkModel>),
}

impl AnyModel {
    /// Reads a file, and warns if it is not of the run that it was written with.
    pub(crate) fn read(path: &Path, listener: &dyn Listener) -> Result<Self, Failure> {
        warn_of_other_run(path, listener);
        Self::of_text(path, &read_text(path)?)
    }

    /// Reads the text of a file.
    pub(crate) fn of_text(path: &Path, text: &str) -> Result<Self, Failure> {
        if LinkModel::is_one(text) {
            let model = LinkModel::from_json(text).map_err(|error| bad_links(path, &error))?;
            return Ok(Self::Links(Arc::new(model)));
        }
        match ClassModels::from_json(text).map_err(|error| bad_model(path, &error))? {
            Some(many) => Ok(Self::Many(Arc::new(many))),
            None => {
                let one = ModelFile::from_json(text).map_err(|error| bad_model(path, &error))?;
                Ok(Self::One(Arc::new(one)))
            }
        }
    }

    /// Reads the text of a file that is no model of links.
    pub(crate) fn of_examples(path: &Path, text: &str) -> Result<Self, Failure> {
        match Self::of_text(path, text)? {
            Self::Links(_) => Err(is_of_links(path)),
            of_examples => Ok(of_examples),
        }
    }

    /// The text of its file.
    pub(crate) fn to_json(&self) -> String {
        match self {
            Self::One(one) => one.to_json(),
            Self::Many(many) => many.to_json(),
            Self::Links(links) => links.to_json(),
        }
    }

    /// The models of examples in the file, in the order of the classes.
    pub(crate) fn models(&self) -> &[Arc<ModelFile>] {
        match self {
            Self::One(one) => std::slice::from_ref(one),
            Self::Many(many) => &many.models,
            Self::Links(_) => &[],
        }
    }

    /// The model of a class, if there are several; else the one model.
    pub(crate) fn chosen(&self, class: Option<&str>) -> Result<Arc<ModelFile>, Failure> {
        match self {
            Self::One(one) => Ok(Arc::clone(one)),
            Self::Links(_) => Err(is_of_links(Path::new(""))),
            Self::Many(many) => {
                let names = many.names().join(", ");
                let mut models = many.models.iter().cloned();
                let is_chosen = |model: &Arc<ModelFile>| class == Some(class_of(model).name());
                models.find(is_chosen).ok_or_else(|| {
                    let message = match class {
                        Some(class) => format!("⁅class={class}⁆: the model has no such class"),
                        None => "the file holds a model for each class".to_owned(),
                    };
                    Failure::fault(
                        Diagnostic::error(codes::BAD_CLASSES, message)
                            .with_help(format!("⁅class=NAME⁆ chooses one of {names}")),
                    )
                })
            }
        }
    }
}

/// The failure that a file, or a model without one, is of links where examples are asked for.
pub(crate) fn is_of_links(path: &Path) -> Failure {
    let message = said_of(path, &"it is a model of links");
    Failure::fault(
        Diagnostic::error(codes::BAD_MODEL, message)
            .with_help("`gleaner rank MODEL DATA` ranks links by it, `gleaner show MODEL` shows its rules"),
    )
}

/// The class whose score an example asks for: the value of its class argument, or its predicate.
pub(crate) fn class_of_atom(models: &[Arc<ModelFile>], atom: &str) -> Option<String> {
    let text = format!("{}.", atom.trim().trim_end_matches('.'));
    let statement = read_clause(&text).ok()?;
    let (name, arguments) = atom_parts(statement.head.as_ref()?)?;
    let says = |model: &&Arc<ModelFile>| {
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
pub(crate) fn class_of(model: &ModelFile) -> &ClassHeader {
    model.header.class.as_ref().expect("models of classes were checked when they were read")
}

/// The failure that a file is no model.
pub(crate) fn bad_model(path: &Path, error: &ModelError) -> Failure {
    let code = if matches!(error, ModelError::Version(_)) { codes::MODEL_VERSION } else { codes::BAD_MODEL };
    Failure::fault(
        Diagnostic::error(code, said_of(path, error))
            .with_help("a model file is what `gleaner learn DATA -o MODEL` writes"),
    )
}

/// A message about a file; about a text without a file if the path is empty.
pub(crate) fn said_of(path: &Path, what: &dyn fmt::Display) -> String {
    if path.as_os_str().is_empty() { what.to_string() } else { format!("{}: {what}", path.display()) }
}
