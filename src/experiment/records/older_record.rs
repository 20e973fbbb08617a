//! Run records of earlier versions, with this version's names. Their measurements keep their meaning.

use serde_json::{Map, Value as Json};

/// The version whose `auc_pr` was the area through the operating points, and whose `auc_pr_score` that of the ranking.
pub(crate) const AREA_OF_POINTS: u64 = 1;

/// The two areas by the names of version 1 and by those of version 2, in an order that overwrites nothing.
const AREAS: [[&str; 2]; 2] = [["auc_pr", "auc_pr_points"], ["auc_pr_score", "auc_pr"]];

/// Renames the areas of a record of version 1: those of runs, on test and on tune, and those of learning curves.
pub(crate) fn rename_areas(record: &mut Json) {
    let runs = record.get_mut("runs").and_then(Json::as_array_mut);
    for run in runs.into_iter().flatten().filter_map(Json::as_object_mut) {
        ["metrics", "tune_metrics"].iter().for_each(|set| rename_of(run, set));
        let points = run.get_mut("learning_curve").and_then(Json::as_array_mut);
        for point in points.into_iter().flatten().filter_map(Json::as_object_mut) {
            // The metrics on test are fields of the point itself.
            rename(point);
            rename_of(point, "tune");
        }
    }
}

fn rename_of(object: &mut Map<String, Json>, set: &str) {
    object.get_mut(set).and_then(Json::as_object_mut).into_iter().for_each(rename);
}

fn rename(metrics: &mut Map<String, Json>) {
    for [then, now] in AREAS {
        if let Some(value) = metrics.remove(then) {
            metrics.insert(now.to_owned(), value);
        }
    }
}
