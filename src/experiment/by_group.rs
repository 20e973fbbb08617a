//! Metrics of groups of examples: those that agree in an argument.

use std::collections::BTreeMap;

use serde::{Serialize, Serializer};

use gleaner_stats::eval::{
    EvalError, Measuring, Metrics, ProbabilityMetrics, Ranking, metrics, probability_metrics,
};

use super::labelled_score::LabelledScore;
use super::metric_list::{METRICS, MetricSources};

/// The metrics of the examples of one group.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GroupMetrics {
    /// The value that the group's examples share.
    pub group: String,
    /// Positives.
    pub positives: u64,
    /// Negatives.
    pub negatives: u64,
    /// The metrics of the ranking.
    #[serde(flatten)]
    pub ranking: GroupRanking,
    /// The metrics of the probabilities, if there are any.
    #[serde(flatten)]
    pub probabilities: Option<ProbabilityMetrics>,
}

/// The metrics of a group's ranking; those that are of groups serialise.
#[derive(Clone, Debug, PartialEq)]
pub struct GroupRanking(pub Metrics);

impl Serialize for GroupRanking {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let measured = MetricSources { ranking: Some(&self.0), ..MetricSources::default() };
        let of_groups = METRICS.iter().filter(|metric| metric.shown.is_of_groups);
        serializer.collect_map(of_groups.map(|metric| (metric.name, metric.value(measured))))
    }
}

/// The groups of the examples that have one. Groups with most positives come first; equal ones ascend by name.
///
/// # Errors
///
/// When a score is not finite, or a weight is negative.
pub fn by_group(scores: &[LabelledScore], measuring: Measuring) -> Result<Vec<GroupMetrics>, EvalError> {
    let mut groups: BTreeMap<&str, Vec<&LabelledScore>> = BTreeMap::new();
    for scored in scores {
        if let Some(group) = &scored.group {
            groups.entry(group).or_default().push(scored);
        }
    }
    let of_group = |(&group, scores): (&&str, &Vec<&LabelledScore>)| {
        let ranking = Ranking::weighted(scores.iter().map(|scored| scored.weighed()))?;
        let found = metrics(&ranking);
        Ok(GroupMetrics {
            group: group.to_owned(),
            positives: found.n_positives,
            negatives: found.n_negatives,
            ranking: GroupRanking(found),
            probabilities: ranking_of_probabilities(scores.iter().copied())?
                .map(|ranking| probability_metrics(&ranking, measuring)),
        })
    };
    let mut found: Vec<GroupMetrics> = groups.iter().map(of_group).collect::<Result<_, EvalError>>()?;
    found.sort_by_key(|group| std::cmp::Reverse(group.positives));
    Ok(found)
}

/// The examples ranked by probability; `None` if one of them has no probability.
///
/// # Errors
///
/// As for [`by_group`].
pub fn ranking_of_probabilities<'s>(
    scores: impl Iterator<Item = &'s LabelledScore>,
) -> Result<Option<Ranking>, EvalError> {
    let probability = |scored: &LabelledScore| Some((scored.probability?, scored.is_positive, scored.weight));
    let all: Option<Vec<(f64, bool, f64)>> = scores.map(probability).collect();
    all.map(Ranking::weighted).transpose()
}

#[cfg(test)]
mod tests {
    use super::{Measuring, by_group};
    use crate::experiment::labelled_score::LabelledScore;

    /// By hand. Group b: a positive above a negative that counts twice, probabilities .5 and .25. Group a: a negative alone.
    #[test]
    fn each_group_by_itself() {
        let of = |group: &str, score: f64, is_positive: bool, weight: f64| LabelledScore {
            score,
            is_positive,
            weight,
            probability: Some(score / 2.0),
            group: Some(group.to_owned()),
        };
        let scores = [of("a", 0.25, false, 1.0), of("b", 1.0, true, 1.0), of("b", 0.5, false, 2.0)];
        let found = by_group(&scores, Measuring { prior: Some(0.5), at_probability: 0.5 }).expect("numbers");
        assert_eq!(found.iter().map(|group| group.group.as_str()).collect::<Vec<_>>(), ["b", "a"]);
        let [b, a] = &found[..] else { panic!("two groups") };
        let areas = |group: &super::GroupMetrics| [group.ranking.0.auc_pr, group.ranking.0.auc_roc];
        assert_eq!((b.positives, b.negatives, areas(b)), (1, 1, [Some(1.0); 2]));
        let of_b = b.probabilities.as_ref().expect("probabilities");
        let entropy = (2.0_f64.ln() - 2.0 * 0.75_f64.ln()) / 3.0;
        assert!(of_b.mean_cross_entropy.is_some_and(|found| (found - entropy).abs() < 1e-12));
        assert_eq!((of_b.expected_positives, of_b.precision_at_probability), (Some(1.0), Some(1.0)));
        assert_eq!((areas(a)[0], a.negatives), (None, 1));
        let without = scores.map(|scored| LabelledScore { probability: None, ..scored });
        let found = by_group(&without, Measuring { prior: None, at_probability: 0.5 }).expect("numbers");
        assert!(found.iter().all(|group| group.probabilities.is_none()));
    }
}
