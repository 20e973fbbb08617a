//! Links of a graph.

use std::path::Path;
use std::sync::Arc;

use gleaner_data::LoadRequest;
use gleaner_lang::syntax::{Diagnostic, codes};
use gleaner_learn::links::LinkModel;

use crate::experiment::links::ranks::{LinkLearnAnswer, RankAnswer};
use crate::jobs::evaluate::{Evaluated, Measured};
use crate::jobs::failure::{Failure, is_of_links};
use crate::jobs::links::{ExplainLink, PredictLinks, Rank, bad_links};
use crate::jobs::listener::{Listener, Means};
use crate::jobs::predict::{DataToScore, NewLinks, PredictForm, Predicted, Scoring, refuse};
use crate::jobs::show::{Form, RULES_SHOWN, Show, rules};
use crate::report::answer::{Answer as _, Events as _, Shown};
use crate::report::{Document, links};
use crate::store::ModelFile;

use super::OutputItem;
use super::models::{AnyModel, AskedExample, Displayed, SavedModel, TargetKind};

/// A saved model of the links of all relations of a graph.
#[derive(Debug)]
pub(super) struct Links(pub(super) Arc<LinkModel>);

/// New links that are listed unless another number is asked for.
const LINKS_LISTED: usize = 10;

/// Reads a model of links.
pub(super) fn read(path: &Path, text: &str) -> Result<Option<AnyModel>, Failure> {
    if !LinkModel::is_one(text) {
        return Ok(None);
    }
    let model = LinkModel::from_json(text).map_err(|error| bad_links(path, &error))?;
    Ok(Some(Arc::new(Links(Arc::new(model)))))
}

impl SavedModel for Links {
    fn target_kind(&self) -> TargetKind {
        TargetKind::Links
    }

    fn to_json(&self) -> String {
        self.0.to_json()
    }

    fn models(&self) -> &[Arc<ModelFile>] {
        &[]
    }

    fn links(&self) -> Result<&LinkModel, Failure> {
        Ok(&self.0)
    }

    fn predict(&self, scoring: &Scoring, means: Means<'_>) -> Result<Predicted, Failure> {
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
        let answer = job.run(LinkModel::clone(&self.0), request, means)?;
        let note = format!("{} new links", answer.n_links);
        Ok(Predicted::of(answer, note))
    }

    fn evaluate(&self, path: &Path, _: &Scoring, _: &Measured, _: Means<'_>) -> Result<Evaluated, Failure> {
        Err(is_of_links(path))
    }

    fn rank(&self, asked: &Rank, means: Means<'_>) -> Result<RankAnswer, Failure> {
        asked.by_links(LinkModel::clone(&self.0), means)
    }

    fn explain(&self, scoring: &Scoring, asked: &AskedExample, means: Means<'_>) -> Result<Shown, Failure> {
        let without_effect = [
            ("⁅fold⁆", scoring.fold.is_some()),
            ("⁅examples-file⁆", request(scoring).is_some_and(|request| request.examples.is_some())),
            ("⁅allow-missing⁆", scoring.allows_missing),
        ];
        refuse(&without_effect, "does not go with a model of links")?;
        let job = ExplainLink { link: asked.example.clone() };
        let nowhere = LoadRequest::default();
        let answer = job.run(LinkModel::clone(&self.0), request(scoring).unwrap_or(&nowhere), means)?;
        Ok(Shown { document: answer.shown(asked.shows_all), events: answer.events() })
    }

    fn document(&self) -> Result<Document, Failure> {
        Ok(LinkLearnAnswer::of(&self.0).document())
    }

    fn show(&self, asked: &Show, _: &dyn Listener) -> Result<Displayed, Failure> {
        let model = &*self.0;
        let relation = asked.relation.as_deref();
        let some = |best: usize| rules(model, relation, asked.best.unwrap_or(best));
        Ok(Displayed::File(match asked.form {
            Form::Text => {
                return Ok(Displayed::Items(OutputItem::answer(Shown::of(&some(RULES_SHOWN)?)).collect()));
            }
            Form::Json => model.to_json(),
            Form::Pl => links::prolog(&some(usize::MAX)?, model.names()),
            Form::Theory => links::clauses(&some(usize::MAX)?),
            Form::Anyburl => links::anyburl(&some(usize::MAX)?, model.names()),
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
