//! Figures of several runs on the same axes.
//!
//! Which of several settings is better than which, on how many data sets.
//!
//! The area by labelled examples: whether more labels would pay.

use std::collections::BTreeMap;

use gleaner_base::statistics::mean;

use crate::experiment::metrics::mean_curve::NamedCurve;
use crate::experiment::records::finished_run::FinishedRun;
use crate::experiment::records::run_record::FoldRecord;
use crate::experiment::runs::split::SplitSettings;
use crate::experiment::settings::asked::setting_text;

use super::{Axis, Chart, Figure, Ink, Layer, Marks, Value, named_row, powers_around, random_ranking};

/// The colour and the marks of the `nth` of several lines: after the last colour come dashes.
pub(super) fn line(nth: usize, name: &str, points: Vec<[f64; 2]>) -> Layer {
    let n_inks = Ink::SEVERAL.len();
    let ink = Ink::SEVERAL[nth % n_inks];
    let marks = if (nth / n_inks).is_multiple_of(2) { Marks::Line(points) } else { Marks::Dashes(points) };
    Layer { ink, marks, name: Some(name.to_owned()) }
}

/// The mean precision of each run by recall.
pub(crate) fn compared_pr(runs: &[(&str, &FinishedRun)]) -> Option<Figure> {
    let (mut layers, mut rows) = (Vec::new(), Vec::new());
    for (nth, (name, run)) in runs.iter().enumerate() {
        let points = run.mean_curve.iter().filter_map(|point| Some([point.recall, point.precision_mean?]));
        let points: Vec<[f64; 2]> = points.collect();
        rows.extend(points.iter().map(|&point| named_row(name, point)));
        layers.push(line(nth, name, points));
    }
    if rows.is_empty() {
        return None;
    }
    if let Some(prevalence) = runs.first().and_then(|(_, run)| run.prevalence()) {
        layers.push(random_ranking(Ink::Grey, prevalence));
    }
    Some(Figure {
        id: "compared",
        title: "Mean precision by recall on test",
        caption: "The mean over folds of each run.".to_owned(),
        chart: Chart { x: Axis::share("recall"), y: Axis::share("precision"), layers },
        header: ["run", "recall", "precision"].map(str::to_owned).to_vec(),
        rows,
    })
}

/// The mean area of each run by the clauses evaluated.
pub(crate) fn compared_learning(curves: &[NamedCurve]) -> Option<Figure> {
    let (mut layers, mut rows) = (Vec::new(), Vec::new());
    let (mut least, mut greatest) = (f64::INFINITY, 1.0_f64);
    for (nth, curve) in curves.iter().enumerate() {
        let points = curve.points.iter().filter_map(|point| Some([point.clauses.mean?, point.auc_pr.mean?]));
        let points: Vec<[f64; 2]> = points.filter(|point| point[0] >= 1.0).collect();
        for point in &points {
            least = least.min(point[0]);
            greatest = greatest.max(point[0]);
        }
        rows.extend(points.iter().map(|&point| named_row(&curve.name, point)));
        layers.push(line(nth, &curve.name, points));
    }
    (rows.len() > curves.len()).then(|| Figure {
        id: "compared-learning",
        title: "Area by clauses evaluated",
        caption: "The mean over folds of each run.".to_owned(),
        chart: Chart {
            x: Axis::log("clauses evaluated", powers_around(least, greatest)),
            y: Axis::share("area"),
            layers,
        },
        header: ["run", "clauses", "auc_pr"].map(str::to_owned).to_vec(),
        rows,
    })
}

/// The most characters of a name on an axis.
const MOST_CHARACTERS: usize = 12;

/// How often each of some settings is better than each other. [GLEANER §8.2, Figure 8.5]
#[derive(Clone, Debug, Default)]
pub(crate) struct Wins {
    pub(crate) names: Vec<String>,
    /// For each pair, by the positions of winner and loser, on how many data sets.
    pub(crate) counts: Vec<Vec<u32>>,
    pub(crate) n_data_sets: u32,
}

impl Wins {
    /// With those of another data set, for the settings that both have.
    pub(crate) fn and(&self, other: &Self) -> Self {
        let both = |name: &&String| other.names.contains(name);
        let names: Vec<String> = self.names.iter().filter(both).cloned().collect();
        let place = |wins: &Self, name: &String| wins.names.iter().position(|known| known == name);
        let count = |wins: &Self, row: &String, column: &String| {
            place(wins, row).zip(place(wins, column)).map_or(0, |(row, column)| wins.counts[row][column])
        };
        let sum = |row: &String, column: &String| count(self, row, column) + count(other, row, column);
        let counts = names.iter().map(|row| names.iter().map(|column| sum(row, column)).collect()).collect();
        Self { counts, n_data_sets: self.n_data_sets + other.n_data_sets, names }
    }

    /// From the least dominated to the most.
    fn order(&self) -> Vec<usize> {
        let lost = |column: usize| self.counts.iter().map(|row| row[column]).sum::<u32>();
        let won = |row: usize| self.counts[row].iter().sum::<u32>();
        let mut order: Vec<usize> = (0..self.names.len()).collect();
        order.sort_by_key(|&at| (lost(at), std::cmp::Reverse(won(at)), at));
        order
    }
}

/// The names without what all of them begin with up to a `=`.
fn own_parts(names: &[String]) -> Vec<&str> {
    let setting = names.first().and_then(|name| name.split_once('=')).map(|(setting, _)| setting);
    let value = |name: &'_ String| Some(name.len() - name.strip_prefix(setting?)?.strip_prefix('=')?.len());
    let starts: Option<Vec<usize>> = names.iter().map(value).collect();
    let starts = starts.unwrap_or_else(|| vec![0; names.len()]);
    names.iter().zip(starts).map(|(name, start)| &name[start..]).collect()
}

/// Each cell: on what share of the data sets its row is better than its column.
pub(crate) fn wins(wins: &Wins) -> Option<Figure> {
    let order = wins.order();
    if order.len() < 2 || wins.n_data_sets == 0 {
        return None;
    }
    let (mut cells, mut rows) = (Vec::new(), Vec::new());
    #[expect(clippy::cast_precision_loss, reason = "places on an axis")]
    let place = |at: usize| at as f64;
    for (row, &winner) in order.iter().enumerate() {
        for (column, &loser) in order.iter().enumerate().filter(|&(_, &loser)| loser != winner) {
            let count = wins.counts[winner][loser];
            let share = f64::from(count) / f64::from(wins.n_data_sets);
            let words = [winner, loser].map(|at| Value::Word(wins.names[at].clone()));
            rows.push(
                words.into_iter().chain([Some(f64::from(count)), Some(share)].map(Value::Number)).collect(),
            );
            let (x, y) = (place(column), place(order.len() - 1 - row));
            if count > 0 {
                cells.push(([x - 0.5, x + 0.5, y - 0.5, y + 0.5], share));
            }
        }
    }
    let named = own_parts(&wins.names);
    // The numbers are those of the tables beside it.
    let numbered = |&at: &usize| -> String {
        format!("{} {}", at + 1, named[at]).chars().take(MOST_CHARACTERS).collect()
    };
    let rows_named: Vec<String> = order.iter().map(numbered).collect();
    let columns_named = order.iter().map(|at| (at + 1).to_string()).collect();
    let caption = match wins.n_data_sets {
        1 => "A dark cell: its row has the greater mean area than its column, with p below .05.".to_owned(),
        n => format!(
            "The darker a cell, the more often its row has the greater mean area than its column, with p below .05, of {n} \
             data sets."
        ),
    };
    Some(Figure {
        id: "wins",
        title: "Which is better than which",
        caption,
        chart: Chart {
            x: Axis::of_names("is beaten", columns_named),
            y: Axis::of_names("is better", rows_named.into_iter().rev().collect()),
            layers: vec![Layer {
                ink: Ink::Blue,
                marks: Marks::Cells(cells),
                name: Some("share of the data sets".to_owned()),
            }],
        },
        header: ["better", "worse", "data_sets", "share"].map(str::to_owned).to_vec(),
        rows,
    })
}

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
