//! Covering theories as a learner of the registry.

use std::fmt::Write;

use crate::explanation::Noun;
use crate::learner::{CurvePoint, Disorder, Fitting, Learner, LearnerName, Learnt, WHOLE};
use crate::record::{Own, OwnRecord, SearchRecord};
use crate::{RunContext, SetStores, Task};
use gleaner_engine::coverage::component::Interrupted;
use gleaner_lang::program::settings::{DataSummary, Given, Settings, Source};

use super::config::{CoveringConfig, OWN_DEFAULTS, THEORY_WEIGHTS};
use super::grow::{GrownPart, GrownTheory, Growth, grow};
use super::model::{CoveringModel, learn_from};
use super::weights::TheoryWeights;

/// Covering theories, one or an ensemble.
#[derive(Clone, Copy, Debug)]
pub struct Covering;

impl Learner for Covering {
    type Config = CoveringConfig;
    type Found = Growth;
    type Part = GrownPart;
    type Own = GrowthRecord;
    type Saved = CoveringModel<String>;

    const NAMES: &'static [LearnerName] = &[
        LearnerName { name: "aleph", help: "one covering theory, as Aleph learns it" },
        LearnerName { name: "aleph-ensemble", help: "an ensemble of covering theories that vote" },
    ];

    const OWN_DEFAULTS: &'static [(&'static str, &'static str)] = OWN_DEFAULTS;

    /// Theories of an ensemble vote. Of one theory, one more clause that covers must not lower the score: a mean may fall.
    fn keeps_order(settings: &Settings) -> Result<(), Disorder> {
        let given = Given { settings, data: DataSummary::default() };
        if CoveringConfig::is_ensemble().read(&given) {
            return Ok(());
        }
        Disorder::unless(
            THEORY_WEIGHTS,
            CoveringConfig::weights().read(&given),
            TheoryWeights::are_for_positives,
        )
    }

    fn same_search(left: &CoveringConfig, right: &CoveringConfig) -> bool {
        left.same_search(right)
    }

    fn search(
        task: &Task<'_>,
        config: &CoveringConfig,
        context: &RunContext<'_>,
        stores: SetStores<'_, '_>,
    ) -> Growth {
        grow(task, config, context, stores)
    }

    fn record(found: &Growth) -> SearchRecord {
        let searches = |theory: &GrownTheory| theory.searches.clone();
        SearchRecord {
            searches: found.theories.iter().flat_map(searches).collect(),
            // An ensemble has thousands.
            n_told: found.theories.first().map_or(0, |theory| theory.searches.len()),
            stop: found.stop,
            density: None,
            own: Own::new(GrowthRecord { theories: found.theories.iter().map(TheoryRecord::of).collect() }),
        }
    }

    /// One clause of a tenth, a quarter, ... of the theories, then all theories at each number of clauses.
    fn points(config: &CoveringConfig, found: &Growth) -> Vec<CurvePoint<GrownPart>> {
        let n_theories = found.theories.len();
        let most = found.theories.iter().map(|theory| theory.clauses.len()).max().unwrap_or(0);
        let point = |n_theories: usize, n_clauses: usize| {
            let part = GrownPart { n_theories, n_clauses };
            let name = format!("{n_theories}x{n_clauses}");
            CurvePoint { name, n_evaluated: found.n_evaluated(part), part }
        };
        let mut points: Vec<CurvePoint<GrownPart>> = Vec::new();
        if config.is_ensemble {
            let mut fewer = [n_theories / 10, n_theories / 4, n_theories / 2, n_theories * 3 / 4].to_vec();
            fewer.retain(|&n| n > 0 && n < n_theories);
            fewer.dedup();
            points.extend(fewer.into_iter().map(|n| point(n, 1)));
        }
        let sizes = config.curve_clauses.iter().copied().filter(|&size| size <= most);
        points.extend(sizes.map(|size| point(n_theories, size)));
        // The whole, with the seeds that gave no clause.
        let whole = found.theories.iter().map(|theory| theory.n_evaluated).sum();
        points.push(CurvePoint { name: WHOLE.to_owned(), n_evaluated: whole, ..point(n_theories, most) });
        points
    }

    fn fit(
        config: &CoveringConfig,
        found: &Growth,
        part: &GrownPart,
        fitting: &Fitting<'_>,
    ) -> Result<Learnt, Interrupted> {
        let mut model = learn_from(found, *part, config, fitting)?;
        let members = model.theories.iter_mut().flatten();
        fitting.reduce(config.reduce_clauses, members.map(|member| &mut member.clause))?;
        Ok(Learnt::new(model))
    }
}

/// The record that only covering has of its search.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct GrowthRecord {
    /// Each theory.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub theories: Vec<TheoryRecord>,
}

/// A covering theory as it grew.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct TheoryRecord {
    /// Its clauses.
    pub clauses: usize,
    /// Seed examples searched from.
    pub seeds: usize,
    /// Of these, without an acceptable clause.
    pub singletons: usize,
    /// Clauses evaluated.
    pub evaluated: u64,
}

impl TheoryRecord {
    fn of(theory: &GrownTheory) -> Self {
        Self {
            clauses: theory.clauses.len(),
            seeds: theory.searches.len(),
            singletons: theory.n_singletons,
            evaluated: theory.n_evaluated,
        }
    }
}

impl OwnRecord for GrowthRecord {
    fn lines(&self) -> String {
        theories_line(&[self])
    }

    fn lines_of_runs(&self, further: &[&dyn OwnRecord]) -> String {
        let further = further.iter().filter_map(|record| record.downcast::<Self>());
        theories_line(&std::iter::once(self).chain(further).collect::<Vec<_>>())
    }
}

/// Sizes of theories, over searches, and how many seeds gave no clause.
fn theories_line(searches: &[&GrowthRecord]) -> String {
    let theories: Vec<_> = searches.iter().flat_map(|search| &search.theories).collect();
    let mut sizes: Vec<usize> = theories.iter().map(|theory| theory.clauses).collect();
    sizes.sort_unstable();
    let (Some(least), Some(most)) = (sizes.first(), sizes.last()) else { return String::new() };
    let n_singletons: usize = theories.iter().map(|theory| theory.singletons).sum();
    let n_seeds: usize = theories.iter().map(|theory| theory.seeds).sum();
    let mut line = String::new();
    if sizes.len() > 1 {
        let median = sizes[sizes.len() / 2];
        let _ = write!(line, "{} theories of {least} to {most} clauses (median {median}); ", sizes.len());
    }
    let _ = writeln!(line, "{n_singletons} of {} gave no clause", Noun::SEEDS.counted(n_seeds));
    line
}
