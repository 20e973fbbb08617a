//! Saved models of positives and negatives, and of many classes: one file with a model for each class.

use std::path::Path;
use std::sync::Arc;

use gleaner_lang::program::lower::atom_parts;
use gleaner_lang::program::{PredicateName, TargetName};
use gleaner_lang::syntax::{Diagnostic, codes, quote_atom, read_clause};

use crate::experiment::classes::predict::{ClassEvaluateAnswer, ClassPredictAnswer};
use crate::experiment::links::ranks::RankAnswer;
use crate::experiment::scoring::evaluate::LabelledScores;
use crate::experiment::scoring::predict::PredictAnswer;
use crate::jobs::evaluate::{Evaluated, Measured, evaluated, tell_unlabelled};
use crate::jobs::failure::{Failure, bad_model};
use crate::jobs::links::Rank;
use crate::jobs::listener::{Listener, Means};
use crate::jobs::predict::{Predicted, Scoring};
use crate::jobs::scoring::{apply, apply_all, class_of};
use crate::jobs::show::{Form, Show};
use crate::report::answer::Shown;
use crate::store::{ClassModels, ModelFile};

use super::models::{AnyModel, Displayed, SavedModel, TargetKind};

/// A model of positives and negatives.
#[derive(Debug)]
pub(super) struct TwoClasses(pub(super) Arc<ModelFile>);

/// A model for each class.
#[derive(Debug)]
pub(super) struct ManyClasses(pub(super) ClassModels);

impl SavedModel for TwoClasses {
    fn target_kind(&self) -> TargetKind {
        TargetKind::TwoClasses
    }

    fn to_json(&self) -> String {
        self.0.to_json()
    }

    fn models(&self) -> &[Arc<ModelFile>] {
        std::slice::from_ref(&self.0)
    }

    fn predict(&self, scoring: &Scoring, means: Means<'_>) -> Result<Predicted, Failure> {
        scoring.refuse_links()?;
        let applied = scoring.applied(self.models(), means.listener)?;
        let answer = apply(&self.0, &applied, means)?;
        let calibration = self.0.header.calibration.as_ref();
        let answer = if scoring.intervals { answer.with_intervals(calibration) } else { answer };
        let (n, rows) = (answer.n_examples, answer.row_columns());
        Ok(Predicted::of_examples(answer, n, rows, &applied.problem))
    }

    fn evaluate(
        &self,
        path: &Path,
        scoring: &Scoring,
        measured: &Measured,
        means: Means<'_>,
    ) -> Result<Evaluated, Failure> {
        let applied = scoring.applied(self.models(), means.listener)?;
        let answer = apply(&self.0, &applied, means)?;
        let group = measured.by.as_deref().map(|said| argument_of(&answer, said)).transpose()?;
        let labelled = LabelledScores {
            scores: answer.labelled_scores(group).collect(),
            n_unlabelled: answer.n_examples - answer.n_labelled,
            filtered: answer.filtered.counted_if(measured.count_filtered),
        };
        let header = &self.0.header;
        let prior = header.calibration.as_ref().map(|calibration| calibration.prior);
        evaluated(path, &labelled, measured, (&header.hull_thresholds, prior), means.listener)
    }
}

impl ManyClasses {
    /// Reads a file with a model for each class.
    pub(super) fn read(path: &Path, text: &str) -> Result<Option<AnyModel>, Failure> {
        let models = ClassModels::from_json(text).map_err(|error| bad_model(path, &error))?;
        Ok(models.map(|models| Arc::new(Self(models)) as AnyModel))
    }
}

impl SavedModel for ManyClasses {
    fn target_kind(&self) -> TargetKind {
        TargetKind::Classes
    }

    fn to_json(&self) -> String {
        self.0.to_json()
    }

    fn models(&self) -> &[Arc<ModelFile>] {
        &self.0.models
    }

    fn class_names(&self) -> &[String] {
        self.0.names()
    }

    fn chosen(&self, class: Option<&str>) -> Result<Arc<ModelFile>, Failure> {
        let is_chosen = |model: &&Arc<ModelFile>| class == Some(class_of(model).name());
        self.0.models.iter().find(is_chosen).cloned().ok_or_else(|| {
            let message = match class {
                Some(class) => format!("⁅class={class}⁆: the model has no such class"),
                None => "the file holds a model for each class".to_owned(),
            };
            let help = format!("⁅class=NAME⁆ chooses one of {}", self.0.names().join(", "));
            Failure::fault(Diagnostic::error(codes::BAD_CLASSES, message).with_help(help))
        })
    }

    /// An atom holds the class, and behind a row's key stands `=CLASS`.
    fn named_example(&self, example: &str) -> Result<(String, Option<String>), Failure> {
        let names = self.0.names();
        // No atom ends so, and `a=b` would be one of two arguments.
        if let Some((key, class)) = example.rsplit_once('=')
            && names.iter().any(|name| *name == class)
        {
            return Ok((key.to_owned(), Some(class.to_owned())));
        }
        if let Some(class) = class_of_atom(&self.0.models, example) {
            return Ok((example.to_owned(), Some(class)));
        }
        let message = format!("{example} names no class of the model");
        Err(Failure::fault(Diagnostic::error(codes::BAD_CLASSES, message).with_help(format!(
            "a score belongs to one class: name the class in the example, or as KEY=CLASS behind a row's key; one of {}",
            names.join(", ")
        ))))
    }

    fn predict(&self, scoring: &Scoring, means: Means<'_>) -> Result<Predicted, Failure> {
        scoring.refuse_links()?;
        let applied = scoring.applied(self.models(), means.listener)?;
        scoring.warn_of_points("many classes", means.listener);
        let scores = apply_all(&self.0.models, &applied, means)?;
        let answer = ClassPredictAnswer::of(&applied.problem, &scores);
        let (n, rows) = (answer.n_examples, answer.row_columns());
        Ok(Predicted::of_examples(answer, n, rows, &applied.problem))
    }

    fn evaluate(
        &self,
        _: &Path,
        scoring: &Scoring,
        measured: &Measured,
        means: Means<'_>,
    ) -> Result<Evaluated, Failure> {
        let applied = scoring.applied(self.models(), means.listener)?;
        measured.refuse_curve(
            "⁅curve⁆ and ⁅by⁆ need two classes: `cv ⁅run=DIR⁆` writes the curves of each class",
        )?;
        let scores = apply_all(&self.0.models, &applied, means)?;
        let n_labelled = scores.scored.iter().filter(|score| score.truth.is_some()).count();
        let n_unlabelled = scores.scored.len() - n_labelled;
        if n_unlabelled > 0 {
            tell_unlabelled(n_unlabelled, n_labelled, means.listener)?;
        }
        let shown = Shown::of(&ClassEvaluateAnswer::of(self.0.names(), &scores));
        Ok(Evaluated { shown, curve: None })
    }

    fn rank(&self, asked: &Rank, _: Means<'_>) -> Result<RankAnswer, Failure> {
        Err(asked.ranks_none("a model of several classes"))
    }

    fn show(&self, asked: &Show, listener: &dyn Listener) -> Result<Displayed, Failure> {
        asked.of_examples(listener);
        match (&asked.class, asked.form) {
            (None, Form::Text) => asked.all(&self.0.models),
            (None, Form::Json) => Ok(Displayed::File(self.to_json())),
            (class, _) => asked.one(&self.chosen(class.as_deref())?),
        }
    }
}

/// The argument that a measured group is the values of.
fn argument_of(answer: &PredictAnswer, said: &str) -> Result<usize, Failure> {
    answer.argument(said).ok_or_else(|| {
        let known = answer.argument_names.join(", ");
        let message = format!(
            "⁅by={said}⁆: the target has no such argument; give one of {known}, or its number from 1"
        );
        Failure::usage(codes::SETTING_VALUE, message)
    })
}

/// The class whose score an example asks for: the value of its class argument, or its predicate.
fn class_of_atom(models: &[Arc<ModelFile>], atom: &str) -> Option<String> {
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
