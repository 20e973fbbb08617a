//! To show a saved model, as it was printed when it was learnt or in another form.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use gleaner_lang::program::settings::nearest;
use gleaner_lang::syntax::{Diagnostic, codes};
use gleaner_learn::links::LinkModel;
use gleaner_learn::shown::Extent;
use serde_json::json;

use crate::experiment::links::ranks::LinkRulesAnswer;
use crate::report::answer::{Answer as _, Shown, done, event};
use crate::report::learn::{ShowAnswer, theory};
use crate::report::prolog::{self, NoProgram};
use crate::report::sql::Dialect;
use crate::report::{self, Document, model_text};
use crate::store::{ModelFile, OwnModel};

use super::failure::{Failure, bad_model};
use super::kinds::{Displayed, OutputItem};
use super::listener::Listener;

/// Rules of each relation that are shown unless another number is asked for.
pub(super) const RULES_SHOWN: usize = 20;

/// The forms in which a model may be shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum Form {
    /// As `learn` prints it.
    Text,
    /// The model file itself.
    Json,
    /// A Prolog program that scores and decides as the model does.
    #[cfg_attr(feature = "cli", value(alias = "prolog"))]
    Pl,
    /// Its clauses alone, one a line, where any of them decides.
    Theory,
    /// SQL: views, and a query that scores as the model does.
    Sql,
    /// The rules of a model of links, as AnyBURL writes them.
    Anyburl,
    /// A graph for Graphviz; no learner has one yet.
    Dot,
}

/// A model that is to be shown.
#[derive(Clone, Debug)]
pub(crate) struct Show {
    /// The model's file.
    pub(crate) path: PathBuf,
    /// The form in which it is shown.
    pub(crate) form: Form,
    /// The database that runs the SQL; the default where none is given.
    pub(crate) dialect: Option<Dialect>,
    /// The class whose model is shown, for a model of many classes.
    pub(crate) class: Option<String>,
    /// The relation whose rules are shown, for a model of links.
    pub(crate) relation: Option<String>,
    /// The number of rules shown for each relation, for a model of links.
    pub(crate) best: Option<usize>,
    /// How much of the model is shown to a person.
    pub(crate) extent: Extent,
}

/// A model with its file.
#[derive(Debug)]
struct ShownModel {
    file: Arc<ModelFile>,
    own: OwnModel,
}

impl ShownModel {
    fn of(file: Arc<ModelFile>, asked: &Show) -> Result<Self, Failure> {
        let own = file.own_model().map_err(|error| bad_model(&asked.path, &error))?;
        Ok(Self { file, own })
    }

    /// The class that the model is about, of many.
    fn class(&self) -> &str {
        self.file.header.labels.class_name()
    }

    /// The answer for this model.
    fn answer(&self, extent: Extent) -> ShowAnswer<'_> {
        ShowAnswer { file: &self.file, model: &*self.own.model, symbols: &self.own.symbols, extent }
    }
}

impl Show {
    /// Warns of what has no effect on a model of examples.
    pub(super) fn of_examples(&self, listener: &dyn Listener) {
        let without_effect = [("⁅relation⁆", self.relation.is_some()), ("⁅best⁆", self.best.is_some())];
        for (flag, _) in without_effect.iter().filter(|(_, is_given)| *is_given) {
            listener.warn(codes::UNUSED_SETTING, &format!("{flag} has no effect: this is no model of links"));
        }
        if self.dialect.is_some() && self.form != Form::Sql {
            listener.warn(codes::UNUSED_SETTING, "⁅dialect⁆ has no effect without ⁅to=sql⁆");
        }
    }

    /// The models of all classes, one after another.
    pub(super) fn all(&self, models: &[Arc<ModelFile>]) -> Result<Displayed, Failure> {
        let models = models.iter().map(|file| ShownModel::of(Arc::clone(file), self));
        let models = models.collect::<Result<Vec<_>, _>>()?;
        let mut told = Vec::new();
        for model in &models {
            let answer = model.answer(self.extent);
            let parts = Document::of_class(model.class(), answer.document());
            told.extend(parts.into_iter().map(OutputItem::Document));
            told.push(OutputItem::Event(event("class", &answer)));
        }
        let classes: Vec<&str> = models.iter().map(ShownModel::class).collect();
        told.push(OutputItem::Event(done(&json!({ "classes": classes }))));
        Ok(Displayed::Items(told))
    }

    /// One model.
    pub(super) fn one(&self, file: &Arc<ModelFile>) -> Result<Displayed, Failure> {
        let model = || ShownModel::of(Arc::clone(file), self);
        Ok(Displayed::File(match self.form {
            Form::Text => {
                let shown = Shown::of(&model()?.answer(self.extent));
                return Ok(Displayed::Items(OutputItem::answer(shown).collect()));
            }
            Form::Json => file.to_json(),
            Form::Pl => program(file, &model()?.own)?,
            Form::Sql => sql(file, &model()?.own, self.dialect.unwrap_or_default())?,
            Form::Theory => plain_theory(&model()?.own)?,
            Form::Dot => return Err(no_graph(file)),
            Form::Anyburl => {
                let message = "AnyBURL's rules are about links";
                return Err(Failure::fault(
                    Diagnostic::error(codes::OTHER_FORM, message)
                        .with_help("⁅to=theory⁆ and ⁅to=pl⁆ write the clauses of this model"),
                ));
            }
        }))
    }
}

/// A model for a person, under its class if there are several.
pub(super) fn model_document(file: &ModelFile, extent: Extent) -> Result<Document, Failure> {
    let own = file.own_model().map_err(|error| bad_model(Path::new(""), &error))?;
    let model = model_text::model(&*own.model, &own.symbols, &file.header.reading(), extent);
    let mut document = Document::new();
    match file.header.labels.class_name() {
        "" => document.extend(model),
        class => Document::of_class(class, model).into_iter().for_each(|of| document.extend(of)),
    }
    Ok(document)
}

/// The model's clauses alone.
pub(crate) fn plain_theory(own: &OwnModel) -> Result<String, Failure> {
    theory(&*own.model, &own.symbols).map_err(|why| no_theory(&why))
}

/// The model as a program.
pub(crate) fn program(file: &ModelFile, own: &OwnModel) -> Result<String, Failure> {
    let program = own.model.prolog().ok_or_else(|| no_program(file))?;
    prolog::program(&program, &own.symbols, &file.header).map_err(|fault| not_so(&fault))
}

/// The model as SQL.
pub(crate) fn sql(file: &ModelFile, own: &OwnModel, dialect: Dialect) -> Result<String, Failure> {
    let program = own.model.formula().ok_or_else(|| no_formula(file))?;
    report::sql::sql(&program, &own.symbols, &file.header, dialect).map_err(|why| {
        Failure::fault(
            Diagnostic::error(codes::OTHER_FORM, why.to_string())
                .with_help("`gleaner predict` scores by it; ⁅to=text⁆ and ⁅to=json⁆ show every model"),
        )
    })
}

/// A learner may have models whose scores are no formula of their clauses.
fn no_formula(file: &ModelFile) -> Failure {
    let message = format!("a model of {} with this classifier is no SQL", file.header.learner);
    Failure::fault(
        Diagnostic::error(codes::OTHER_FORM, message).with_help("⁅to=text⁆ and ⁅to=json⁆ show every model"),
    )
}

/// The first rules of each relation, or of one.
pub(crate) fn rules(
    model: &LinkModel,
    relation: Option<&str>,
    best: usize,
) -> Result<LinkRulesAnswer, Failure> {
    LinkRulesAnswer::of(model, relation, best).ok_or_else(|| no_relation(relation.unwrap_or_default(), model))
}

fn no_relation(asked: &str, model: &LinkModel) -> Failure {
    let fault = Diagnostic::error(codes::WRONG_TARGET, format!("the model has no relation {asked}"));
    Failure::fault(match nearest(asked, model.relations.iter().map(String::as_str)) {
        Some(nearest) => fault.with_help(format!("did you mean {nearest}?")),
        None => fault.with_help("`gleaner show MODEL` shows all relations"),
    })
}

/// A learner may have models that are no program.
fn no_program(file: &ModelFile) -> Failure {
    let message = format!("a model of {} is no Prolog program", file.header.learner);
    Failure::fault(
        Diagnostic::error(codes::OTHER_FORM, message).with_help("⁅to=text⁆ and ⁅to=json⁆ show every model"),
    )
}

/// The failure that the model's clauses may call predicates that no program can, beside the user's facts.
fn not_so(fault: &NoProgram) -> Failure {
    Failure::fault(
        Diagnostic::error(codes::OTHER_FORM, fault.to_string())
            .with_help("`gleaner predict` scores by it; ⁅to=text⁆ and ⁅to=json⁆ show every model"),
    )
}

/// The failure that the model's clauses do not stand alone.
fn no_theory(why: &str) -> Failure {
    Failure::fault(
        Diagnostic::error(codes::OTHER_FORM, format!("the model is no plain theory: {why}"))
            .with_help("⁅to=pl⁆ writes a program that scores as it does; ⁅learner=aleph⁆ learns one, where single clauses decide"),
    )
}

/// No learner's model is a graph yet; the first that is adds a method to `learn::Model`.
fn no_graph(file: &ModelFile) -> Failure {
    let message = format!("a model of {} is no graph", file.header.learner);
    Failure::fault(
        Diagnostic::error(codes::OTHER_FORM, message)
            .with_help("no model is a graph yet; ⁅to=text⁆ and ⁅to=json⁆ show every model"),
    )
}
