//! The area by labelled examples: whether more labels would pay.

use std::collections::BTreeMap;

use gleaner_base::statistics::mean;

use crate::experiment::records::finished_run::FinishedRun;
use crate::experiment::records::run_record::FoldRecord;
use crate::experiment::runs::split::SplitSettings;
use crate::experiment::settings::command_words::setting_text;

use super::compared::line;
use super::{Axis, Chart, Figure, Ink, Layer, Marks, Value};

/// A run of a part of the labels.
struct Labelled<'r> {
    /// The run's name without its share of the labels.
    name: String,
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
        let parts = name.split([' ', ',']).filter(|part| !part.contains(SplitSettings::TRAIN_SHARE));
        // With `--tune 0` tune may be train.
        let has_own_tune = setting(run, "tune") != Some(0.0);
        let of_folds = |of: fn(&[usize; 2]) -> usize| {
            let of_fold = |fold: &FoldRecord| {
                let is_same = !has_own_tune && fold.train == fold.tune;
                of(&fold.train) + if is_same { 0 } else { of(&fold.tune) }
            };
            #[expect(clippy::cast_precision_loss, reason = "places on an axis")]
            let counts: Vec<f64> = run.record.runs.iter().map(|fold| of_fold(fold) as f64).collect();
            mean(&counts)
        };
        Some(Self {
            name: parts.collect::<Vec<_>>().join(" "),
            positives: of_folds(|counts| counts[0])?,
            examples: of_folds(|counts| counts[0] + counts[1])?,
            auc_pr: run.mean_of("auc_pr")?,
            half_width: run.json["summaries"]["auc_pr"]["ci95"].as_f64(),
            run,
        })
    }

    /// The settings but for the share of the labels, as a text: runs that have them in common are one line.
    fn others(&self) -> String {
        let settings = self.run.record.settings.iter();
        let others = settings.filter(|(name, _)| *name != SplitSettings::TRAIN_SHARE);
        others.map(|(name, value)| format!("{name}={}\n", setting_text(value.as_ref()))).collect()
    }

    fn row(&self) -> Vec<Value> {
        let share = setting(self.run, SplitSettings::TRAIN_SHARE);
        let numbers = [share, Some(self.positives), Some(self.examples), Some(self.auc_pr), self.half_width];
        std::iter::once(Value::Word(self.name.clone())).chain(numbers.map(Value::Number)).collect()
    }
}

/// The value of a setting that is a number.
fn setting(run: &FinishedRun, name: &str) -> Option<f64> {
    run.record.settings.get(name)?.as_ref()?.to_string().parse().ok()
}

/// Runs of the same settings, each line ascending by labelled positives; only lines with different labels.
fn lines<'r>(runs: &[(&str, &'r FinishedRun)]) -> Vec<Vec<Labelled<'r>>> {
    let mut by_others: BTreeMap<String, Vec<Labelled<'r>>> = BTreeMap::new();
    for labelled in runs.iter().filter_map(|(name, run)| Labelled::of(name, run)) {
        by_others.entry(labelled.others()).or_default().push(labelled);
    }
    let mut lines: Vec<Vec<Labelled<'r>>> = by_others.into_values().collect();
    for line in &mut lines {
        line.sort_by(|one, other| one.positives.total_cmp(&other.positives));
    }
    lines.retain(|line| line[0].positives < line[line.len() - 1].positives);
    lines.sort_by(|one, other| one[0].name.cmp(&other[0].name));
    lines
}

/// The mean area of runs that differ in their share of the labels, by labelled positives: a line for each of the other
/// settings in which they differ. `None` where no two runs have different labels.
pub(crate) fn labels(runs: &[(&str, &FinishedRun)]) -> Option<Figure> {
    let lines = lines(runs);
    if lines.is_empty() {
        return None;
    }
    let greatest = lines.iter().flatten().map(|at| at.positives).fold(1.0, f64::max);
    let drawn = lines.iter().enumerate().flat_map(|(nth, all)| {
        let points: Vec<[f64; 2]> = all.iter().map(|at| [at.positives, at.auc_pr]).collect();
        let name = if lines.len() > 1 { &all[0].name } else { "mean of the folds" };
        let line = line(nth, name, points.clone());
        [Layer { ink: line.ink, marks: Marks::Dots(points), name: None }, line]
    });
    let mut layers: Vec<Layer> = drawn.collect();
    // Bands of several lines would hide each other.
    if let [only] = lines.as_slice() {
        let interval = |at: &Labelled<'_>| {
            let half = at.half_width?;
            Some([at.positives, (at.auc_pr - half).max(0.0), (at.auc_pr + half).min(1.0)])
        };
        let marks = Marks::Band(only.iter().filter_map(interval).collect());
        layers.insert(0, Layer { ink: Ink::Blue, marks, name: Some("95 % interval of the mean".to_owned()) });
    }
    Some(Figure {
        id: "labels",
        title: "Area by labelled positives",
        caption: said(&lines),
        chart: Chart {
            x: Axis::new("labelled positives", 0.0..greatest * 1.05),
            y: Axis::share("area"),
            layers,
        },
        header: ["run", "train_share", "labelled_positives", "labelled_examples", "auc_pr", "ci95"]
            .map(str::to_owned)
            .to_vec(),
        rows: lines.iter().flatten().map(Labelled::row).collect(),
    })
}

/// What the last labels gave.
fn said(lines: &[Vec<Labelled<'_>>]) -> String {
    let said = lines.iter().filter_map(|all| {
        let [.., before, last] = all.as_slice() else { return None };
        let of = if lines.len() > 1 { format!(" of {}", last.name) } else { String::new() };
        Some(format!(
            "From {:.0} to {:.0} labelled positives the area{of} goes from {} to {}.",
            before.positives,
            last.positives,
            crate::report::metric(Some(before.auc_pr)),
            crate::report::metric(Some(last.auc_pr))
        ))
    });
    let rises = "Where the line still rises at its right end, more labels would pay.".to_owned();
    std::iter::once(rises).chain(said).collect::<Vec<_>>().join(" ")
}
