//! A run over the links of a graph: rules of some links, and the ranks that they give to the others.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use gleaner_base::StopReason;
use gleaner_lang::program::examples::GraphData;
use gleaner_learn::links::LinkModel;
use gleaner_learn::links::rank::Among;

use crate::experiment::links::ranks::{LinkPart, RankAnswer, RankedText};
use crate::experiment::metrics::metric_list::Metric;
use crate::experiment::runs::kept_run::{Keepable, KeptOf};
use crate::experiment::runs::scheduled_runs::{Measured, result_name};

/// A fold of a graph, whose test links are ranked by the rules of the others.
#[derive(Clone, Debug)]
pub struct LinkFold {
    /// Its name.
    pub name: String,
    /// Its number, from 0.
    pub fold_idx: usize,
    /// Its links.
    pub data: GraphData,
}

/// The result of one run.
#[derive(Clone, Debug)]
pub struct LinkRun {
    /// The name of the fold that was tested.
    pub fold: String,
    /// The repetition of the experiment that the run belongs to, from 0.
    pub repeat: usize,
    /// The model; none of a run that a stop left out.
    pub model: Option<Arc<LinkModel>>,
    /// The ranks of its test links.
    pub ranks: RankAnswer,
    /// The reason, if time or a signal cut it short.
    pub stop: Option<StopReason>,
    /// Links of train, tune and test, each with those checked to be false.
    pub sizes: [[usize; 2]; 3],
    /// Relations of the graph.
    pub n_relations: usize,
}

impl LinkRun {
    /// The run of a fold, which a stop cut short if there is a reason.
    pub fn of(
        fold: &LinkFold,
        repeat: usize,
        model: Option<Arc<LinkModel>>,
        ranks: RankAnswer,
        stop: Option<StopReason>,
    ) -> Self {
        let mut sizes = [LinkPart::Train, LinkPart::Tune, LinkPart::Test].map(|part| {
            let (links, negatives) = part.links(&fold.data);
            [links.len(), negatives.len()]
        });
        // A model knows each link once.
        model.iter().for_each(|model| sizes[0][0] = model.known.len());
        let n_relations = fold.data.relations.len();
        Self { fold: fold.name.clone(), repeat, model, ranks, stop, sizes, n_relations }
    }

    /// The run of a fold that was not ranked.
    pub fn unranked(
        fold: &LinkFold,
        repeat: usize,
        model: Option<Arc<LinkModel>>,
        stop: Option<StopReason>,
    ) -> Self {
        Self::of(fold, repeat, model, RankAnswer::of_ranks(&fold.data, Among::Entities, &[], None), stop)
    }

    /// The mean reciprocal rank of the links that were kept back from train and tune, if there were enough.
    pub fn held_out(&self) -> Option<f64> {
        self.model.as_ref()?.chosen_on.mrr
    }
}

impl Measured for LinkRun {
    fn fold(&self) -> &str {
        &self.fold
    }

    fn repeat(&self) -> usize {
        self.repeat
    }

    fn metric(&self, name: &str) -> Option<f64> {
        Metric::find(name)?.of_links(&self.ranks)
    }

    fn outer_stop(&self) -> Option<StopReason> {
        self.stop
    }

    fn is_searched(&self) -> bool {
        self.stop.is_none() || self.ranks.links > 0
    }
}

#[derive(Serialize, Deserialize)]
struct KeptLinkRun {
    learner: String,
    fold: String,
    repeat: usize,
    /// The model as its file holds it.
    model: Box<RawValue>,
    ranks: RankAnswer,
    /// The links with their ranks, which the answer has no field for.
    ranked: Vec<RankedText>,
}

impl Keepable<&LinkFold> for LinkRun {
    fn to_text(&self, learner: String, _: &LinkFold) -> Result<String, serde_json::Error> {
        let model = self.model.as_ref().ok_or_else(|| serde::ser::Error::custom("it has no model"))?;
        serde_json::to_string(&KeptLinkRun {
            learner,
            fold: self.fold.clone(),
            repeat: self.repeat,
            model: RawValue::from_string(model.to_json())?,
            ranks: self.ranks.clone(),
            ranked: self.ranks.ranked.clone(),
        })
    }

    fn of_text(text: &str, of: &KeptOf<'_, &LinkFold>) -> Result<Self, String> {
        let kept: KeptLinkRun = serde_json::from_str(text).map_err(|error| error.to_string())?;
        of.check(&kept.learner, &kept.fold, kept.repeat)?;
        let model = LinkModel::from_json(kept.model.get()).map_err(|error| error.to_string())?;
        let ranks = RankAnswer { ranked: kept.ranked, ..kept.ranks };
        Ok(Self::of(of.task, of.place.repeat, Some(Arc::new(model)), ranks, None))
    }

    fn is_same(&self, read: &Self, _: &LinkFold) -> bool {
        (&self.model, &self.ranks, self.result_name()) == (&read.model, &read.ranks, read.result_name())
    }
}

/// The name of a run in a table: `fold 3` of the made fold `fold3`.
pub fn shown_name(fold: &str, repeat: usize) -> String {
    let name = result_name(fold, repeat);
    name.strip_prefix("fold").map_or_else(|| name.clone(), |number| format!("fold {number}"))
}
