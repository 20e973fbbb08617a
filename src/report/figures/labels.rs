//! The area by labelled examples: whether more labels would pay.

use std::collections::BTreeMap;

use gleaner_base::statistics::mean;

use crate::experiment::finished_run::FinishedRun;
use crate::experiment::split::SplitSettings;

use super::compared::line;
use super::{Axis, Chart, Figure, Ink, Layer, Marks, Value};

/// A run of a part of the labels.
struct Labelled<'r> {
    /// The run's settings but for its share of the labels.
    others: String,
    /// Labelled positives of train and tune, the mean over folds.
    positives: f64,
    examples: f64,
    auc_pr: f64,
    /// Half the width of the mean's 95 % interval.
    half_width: Option<f64>,
    run: &'r FinishedRun,
}

impl<'r> Labelled<'r> {
    fn of(name: &str, run: &'r FinishedRun) -> Option<Self> {
        let is_share = |part: &str| part.trim_start().starts_with(SplitSettings::TRAIN_SHARE);
        let parts: Vec<&str> = name.split([' ', ',']).filter(|part| !is_share(part)).collect();
        let of_folds = |of: fn(&[usize; 2]) -> usize| {
            #[expect(clippy::cast_precision_loss, reason = "places on an axis")]
            let counts: Vec<f64> = run
                .record
                .runs
                .iter()
                .map(|fold| {
                    // Tune may be the same examples as train.
                    let is_same = fold.train == fold.tune;
                    (of(&fold.train) + if is_same { 0 } else { of(&fold.tune) }) as f64
                })
                .collect();
            mean(&counts)
        };
        Some(Self {
            others: parts.join(" "),
            positives: of_folds(|counts| counts[0])?,
            examples: of_folds(|counts| counts[0] + counts[1])?,
            auc_pr: run.mean_of("auc_pr")?,
            half_width: run.json["summaries"]["auc_pr"]["ci95"].as_f64(),
            run,
        })
    }

    fn share(&self) -> Value {
        let share = self.run.record.settings.get(SplitSettings::TRAIN_SHARE).and_then(Option::as_ref);
        Value::Number(share.and_then(|value| value.to_string().parse().ok()))
    }
}

/// The mean area of runs that differ in their share of the labels, by labelled positives: a line for each of the other
/// settings in which they differ. `None` where no two runs have different labels.
pub(crate) fn labels(runs: &[(&str, &FinishedRun)]) -> Option<Figure> {
    let mut by_others: BTreeMap<String, Vec<Labelled<'_>>> = BTreeMap::new();
    for labelled in runs.iter().filter_map(|(name, run)| Labelled::of(name, run)) {
        by_others.entry(labelled.others.clone()).or_default().push(labelled);
    }
    for line in by_others.values_mut() {
        line.sort_by(|one, other| one.positives.total_cmp(&other.positives));
    }
    by_others.retain(|_, line| line[0].positives < line[line.len() - 1].positives);
    let all = || by_others.values().flatten();
    let greatest = all().map(|at| at.positives).fold(1.0, f64::max);
    if by_others.is_empty() {
        return None;
    }
    let rows = all().map(|at| {
        let numbers =
            [Some(at.positives), Some(at.examples), Some(at.auc_pr), at.half_width].map(Value::Number);
        [Value::Word(at.others.clone()), at.share()].into_iter().chain(numbers).collect()
    });
    let name =
        |others: &str| if others.is_empty() { "mean of the folds".to_owned() } else { others.to_owned() };
    let layers = by_others.iter().enumerate().flat_map(|(nth, (others, all))| {
        let points: Vec<[f64; 2]> = all.iter().map(|at| [at.positives, at.auc_pr]).collect();
        let line = line(nth, &name(others), points.clone());
        [Layer { ink: line.ink, marks: Marks::Dots(points), name: None }, line]
    });
    let mut layers: Vec<Layer> = layers.collect();
    // Bands of several lines would hide each other.
    if let [only] = by_others.values().collect::<Vec<_>>().as_slice() {
        let interval = |at: &Labelled<'_>| {
            let half = at.half_width?;
            Some([at.positives, (at.auc_pr - half).max(0.0), (at.auc_pr + half).min(1.0)])
        };
        let band: Vec<[f64; 3]> = only.iter().filter_map(interval).collect();
        let name = Some("95 % interval of the mean".to_owned());
        layers.insert(0, Layer { ink: Ink::Blue, marks: Marks::Band(band), name });
    }
    Some(Figure {
        id: "labels",
        title: "Area by labelled positives",
        caption: said(&by_others),
        chart: Chart {
            x: Axis::new("labelled positives", 0.0..greatest * 1.05),
            y: Axis::share("area"),
            layers,
        },
        header: ["run", "train_share", "labelled_positives", "labelled_examples", "auc_pr", "ci95"]
            .map(str::to_owned)
            .to_vec(),
        rows: rows.collect(),
    })
}

/// What the last labels gave.
fn said(by_others: &BTreeMap<String, Vec<Labelled<'_>>>) -> String {
    let said = by_others.iter().filter_map(|(others, all)| {
        let [.., before, last] = all.as_slice() else { return None };
        let of = if others.is_empty() { String::new() } else { format!("{others}: ") };
        Some(format!(
            "{of}from {:.0} to {:.0} labelled positives the area goes from {} to {}",
            before.positives,
            last.positives,
            crate::report::metric(Some(before.auc_pr)),
            crate::report::metric(Some(last.auc_pr))
        ))
    });
    let said: Vec<String> = said.collect();
    format!(
        "Where the line still rises at its right end, more labels would pay. {}.",
        capital(&said.join("; "))
    )
}

fn capital(text: &str) -> String {
    let mut characters = text.chars();
    characters.next().map_or_else(String::new, |first| first.to_uppercase().chain(characters).collect())
}
