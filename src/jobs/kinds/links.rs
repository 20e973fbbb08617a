//! Links of a graph.

use std::path::Path;

use crate::report::answer::{Events as _, Shown};
use crate::report::link_rules;
use gleaner_data::LoadRequest;
use gleaner_lang::syntax::{Diagnostic, codes};
use gleaner_learn::links::LinkModel;

use super::OutputItem;
use super::models::{AskedExample, Displayed, ModelKind, TargetKind};
use crate::jobs::class_models::{AnyModel, is_of_links};
use crate::jobs::evaluate::{Evaluated, Measured};
use crate::jobs::failure::Failure;
use crate::jobs::listener::{Listener, Means};
use crate::jobs::new_links::{ExplainLink, PredictLinks};
use crate::jobs::predict::{DataToScore, NewLinks, PredictForm, Predicted, Scoring, refuse};
use crate::jobs::show::{Form, RULES_SHOWN, Show, rules};

/// Links of all relations of a graph.
pub(crate) struct Links;

/// New links that are listed unless another number is asked for.
const LINKS_LISTED: usize = 10;

impl ModelKind for Links {
    fn target_kind(&self, _: &AnyModel) -> TargetKind {
        TargetKind::Links
    }

    fn predict(&self, model: &AnyModel, scoring: &Scoring, means: Means<'_>) -> Result<Predicted, Failure> {
        if let Some(DataToScore::Loaded(_)) = &scoring.data {
            // Listing new links in the place of predictions for these examples would be silently wrong.
            return Err(is_of_links(Path::new("")));
        }
        let request = request(scoring);
        let without_effect = [
            ("⁅fold⁆", scoring.fold.is_some()),
            ("⁅examples-file⁆", request.is_some_and(|request| request.examples.is_some())),
            ("⁅operating-point⁆", scoring.operating_point.is_some()),
            ("⁅intervals⁆", scoring.intervals),
            ("⁅to⁆", scoring.form != PredictForm::default()),
            ("⁅allow-missing⁆", scoring.allows_missing),
        ];
        refuse(&without_effect, "does not go with a model of links")?;
        let NewLinks { relation, head, tail, most } = scoring.new_links.clone();
        let job = PredictLinks { relation, head, tail, most: most.unwrap_or(LINKS_LISTED) };
        let data = request.map(|request| request.path.as_path());
        let answer = job.run(links(model)?.clone(), data, means)?;
        let note = format!("{} new links", answer.n_links);
        Ok(Predicted::of(answer, note))
    }

    fn evaluate(
        &self,
        (path, _): (&Path, &AnyModel),
        _: &Scoring,
        _: &Measured,
        _: Means<'_>,
    ) -> Result<Evaluated, Failure> {
        Err(is_of_links(path))
    }

    fn explain(
        &self,
        model: &AnyModel,
        scoring: &Scoring,
        asked: &AskedExample,
        means: Means<'_>,
    ) -> Result<Shown, Failure> {
        let without_effect = [
            ("⁅fold⁆", scoring.fold.is_some()),
            ("⁅examples-file⁆", request(scoring).is_some_and(|request| request.examples.is_some())),
            ("⁅allow-missing⁆", scoring.allows_missing),
        ];
        refuse(&without_effect, "does not go with a model of links")?;
        let path = request(scoring).map_or(Path::new(""), |request| &request.path);
        let job = ExplainLink { link: asked.example.clone() };
        let answer = job.run(links(model)?.clone(), path, means)?;
        Ok(Shown { document: answer.shown(asked.shows_all), events: answer.events() })
    }

    fn show(&self, model: &AnyModel, asked: &Show, _: &dyn Listener) -> Result<Displayed, Failure> {
        let model = links(model)?;
        let relation = asked.relation.as_deref();
        let some = |best: usize| rules(model, relation, asked.best.unwrap_or(best));
        Ok(Displayed::File(match asked.form {
            Form::Text => {
                return Ok(Displayed::Items(OutputItem::answer(Shown::of(&some(RULES_SHOWN)?)).collect()));
            }
            Form::Json => model.to_json(),
            Form::Pl => link_rules::prolog(&some(usize::MAX)?, model.names()),
            Form::Theory => link_rules::clauses(&some(usize::MAX)?),
            Form::Anyburl => link_rules::anyburl(&some(usize::MAX)?, model.names()),
            Form::Dot | Form::Sql => {
                let message = "a model of links is no SQL and no graph for Graphviz";
                return Err(Failure::fault(
                    Diagnostic::error(codes::OTHER_FORM, message)
                        .with_help("⁅to=text⁆, ⁅to=pl⁆, ⁅to=theory⁆ and ⁅to=anyburl⁆ write its rules"),
                ));
            }
        }))
    }
}

/// The request for the graph.
fn request(scoring: &Scoring) -> Option<&LoadRequest> {
    match &scoring.data {
        Some(DataToScore::Read(request)) => Some(request),
        Some(DataToScore::Loaded(_)) | None => None,
    }
}

/// The rules of a model of links.
fn links(model: &AnyModel) -> Result<&LinkModel, Failure> {
    match model {
        AnyModel::Links(links) => Ok(links),
        AnyModel::One(_) | AnyModel::Many(_) => {
            Err(Failure::usage(codes::BAD_MODEL, "this is no model of links"))
        }
    }
}
