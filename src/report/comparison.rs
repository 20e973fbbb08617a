//! Learners side by side for a terminal of 80 columns, and the same as CSV and JSON.

use std::fmt::Write;

use crate::experiment::compare::{CompareAnswer, OwnSetting, RunVariant};
use crate::experiment::comparison::{ComparedMetric, Outcome, VariantPair};
use crate::experiment::mean_curve::{MeanPoint, NamedCurve};
use crate::experiment::metrics::Metric;
use crate::experiment::reached::Reached;
use gleaner_base::statistics::{Paired, Summary};

use super::Answer;
use super::csv_tables::{number, table};
use super::metric;
use super::stopped;
use super::text::{filtered_line, shortened};

/// Columns of a terminal.
const WIDTH: usize = 80;

impl Answer for CompareAnswer {
    fn text(&self) -> String {
        let (n_runs, n_folds) = (self.variants.len(), self.n_folds);
        let folds = if n_folds == 1 { "fold" } else { "folds" };
        let lines = variant_lines(&self.variants);
        let head = format!("{}; {n_runs} runs over the same {n_folds} {folds}\n{lines}", self.target);
        let metrics = &self.metrics.0;
        let (n_tested, filtered) = self.tested();
        let head = head + &filtered_line(n_tested, filtered);
        let stops = stopped::lines(&self.stopped) + &stopped::repeat_lines(&self.repeats);
        let mut parts = vec![head, stops, mean_table(metrics)];
        for metric in &metrics[..self.n_paired] {
            parts.extend([pair_table(metric), win_matrix(metric)]);
        }
        parts.push(pair_notes().to_owned());
        // Curves are of the area: nothing to those who ask for other metrics.
        if metrics.iter().any(|metric| metric.name == "auc_pr") {
            parts.push(curve_table(&self.learning_curves));
            parts.push(reached_table(&self.clauses_until_reached));
        }
        parts.retain(|part| !part.is_empty());
        parts.join("\n")
    }
}

/// Each variant by its number and name, and beside it what it does not share with the others.
#[must_use]
pub fn variant_lines(variants: &[RunVariant]) -> String {
    let mut text = String::new();
    for (position, variant) in variants.iter().enumerate() {
        let mut line = format!("{:>3} {}", position + 1, variant.name);
        for OwnSetting { name, value } in &variant.own {
            let word = format!("  {name} {value}");
            if line.chars().count() + word.chars().count() > WIDTH {
                let _ = writeln!(text, "{line}");
                line = "   ".to_owned();
            }
            line.push_str(&word);
        }
        let _ = writeln!(text, "{line}");
    }
    if variants.iter().all(|variant| variant.own.is_empty()) {
        text.push_str("the records tell of no setting in which they differ\n");
    }
    text
}

/// Metrics side by side; further ones go below.
const METRICS_A_BLOCK: usize = 6;

/// Mean and standard deviation of each variant in each metric.
#[must_use]
pub fn mean_table(metrics: &[ComparedMetric]) -> String {
    let mut text = String::new();
    for block in metrics.chunks(METRICS_A_BLOCK) {
        let _ = write!(text, "{:<25}", "");
        block.iter().for_each(|metric| {
            let _ = write!(text, "{:>9}", title(&metric.name));
        });
        text.push('\n');
        for position in 0..block[0].comparison.variants.len() {
            let name = shortened(&block[0].comparison.variants[position].name, 17);
            let summaries: Vec<&Summary> =
                block.iter().map(|metric| &metric.comparison.variants[position].summary).collect();
            text.push_str(&mean_rows(&(position + 1).to_string(), &name, &summaries));
        }
    }
    text
}

/// A row of means and one of standard deviations.
pub(super) fn mean_rows(number: &str, name: &str, summaries: &[&Summary]) -> String {
    let cells = |of: fn(&Summary) -> Option<f64>| -> String {
        summaries.iter().map(|summary| format!("{:>9}", figure(of(summary)))).collect()
    };
    let (means, spreads) = (cells(|summary| summary.mean), cells(|summary| summary.sd));
    format!("{number:>3} {name:<17}{:<4}{means}\n{:<21}{:<4}{spreads}\n", "mean", "", "sd")
}

/// A metric's name at the head of a column of nine.
fn title(name: &str) -> String {
    Metric::find(name).map_or_else(|| shortened(name, 9), |metric| metric.title.to_owned())
}

/// A row for each pair of variants.
#[must_use]
pub fn pair_table(compared: &ComparedMetric) -> String {
    let mut text = format!(
        "{:<9}{:>11}{:>19}{:>8}{:>9}{:>9}{:>9}{:>5}\n",
        shortened(&compared.name, 10),
        "difference",
        "95 % interval",
        "effect",
        "t",
        "p of t",
        "p ranks",
        "n"
    );
    for VariantPair { left, right, paired } in &compared.comparison.pairs {
        let interval = paired.interval.map_or_else(
            || "n/a".to_owned(),
            |[low, high]| format!("{} to {}", figure(Some(low)), figure(Some(high))),
        );
        let _ = writeln!(
            text,
            "{:<9}{:>11}{interval:>19}{:>8}{:>9}{:>9}{:>9}{:>5}",
            format!("{} - {}", left + 1, right + 1),
            figure(paired.mean_difference),
            short_figure(paired.effect_size),
            short_figure(paired.t_test.map(|test| test.t)),
            probability(paired.t_test.map(|test| test.p)),
            probability(paired.signed_rank.map(|test| test.p)),
            paired.n_pairs
        );
    }
    text.push_str(&left_out(compared));
    text
}

/// What stands below the tables of pairs, once.
#[must_use]
pub fn pair_notes() -> &'static str {
    "difference: first less second; effect: Cohen's d of the pairs; p: two-sided, by\n\
     Student's t and by Wilcoxon's signed ranks. Folds share training examples, and p\n\
     is not corrected for the number of pairs: one near 0.05 shows little.\n\
     Repetitions of a fold are one value, their mean\n"
}

/// The pairs that lack folds, with how many.
fn left_out(compared: &ComparedMetric) -> String {
    compared.comparison.pairs.iter().filter(|pair| pair.paired.n_left_out > 0).fold(
        String::new(),
        |mut text, VariantPair { left, right, paired }| {
            let (n, is) = (paired.n_left_out, if paired.n_left_out == 1 { "run is" } else { "runs are" });
            let _ =
                writeln!(text, "{} - {}: {n} {is} left out, undefined in one or both", left + 1, right + 1);
            text
        },
    )
}

/// Fewer variants are seen at a glance in the table of pairs.
const LEAST_IN_MATRIX: usize = 4;

/// Columns of the matrix side by side; further ones go below.
const COLUMNS_A_BLOCK: usize = 24;

/// `>` where the variant of the row is better than that of the column by the paired t-test, `<` where it is worse, `.`
/// where neither is known; nothing for three variants or fewer.
#[must_use]
pub fn win_matrix(compared: &ComparedMetric) -> String {
    let n_variants = compared.comparison.variants.len();
    if n_variants < LEAST_IN_MATRIX {
        return String::new();
    }
    let mut text =
        format!("{}: > row better than column, < worse (p of t < 0.05)\n", shortened(&compared.name, 29));
    let is_loss = Metric::find(&compared.name).is_some_and(|metric| metric.is_loss);
    let columns: Vec<usize> = (0..n_variants).collect();
    for block in columns.chunks(COLUMNS_A_BLOCK) {
        let _ = write!(text, "{:>3}", "");
        block.iter().for_each(|column| {
            let _ = write!(text, "{:>3}", column + 1);
        });
        text.push('\n');
        for row in 0..n_variants {
            let _ = write!(text, "{:>3}", row + 1);
            for &column in block {
                let cell = match compared.comparison.outcome(row, column, is_loss) {
                    _ if row == column => ' ',
                    Outcome::Better => '>',
                    Outcome::Worse => '<',
                    Outcome::Neither => '.',
                };
                let _ = write!(text, "{cell:>3}");
            }
            text.truncate(text.trim_end().len());
            text.push('\n');
        }
    }
    text
}

/// Learning curves side by side, two to a block; nothing where there are none.
#[must_use]
pub fn curve_table(variants: &[NamedCurve]) -> String {
    let mut text = String::new();
    let drawn: Vec<(usize, &NamedCurve)> =
        variants.iter().enumerate().filter(|(_, curve)| !curve.points.is_empty()).collect();
    for pair in drawn.chunks(2) {
        let blocks: Vec<Vec<String>> =
            pair.iter().map(|(position, curve)| curve_block(*position, curve)).collect();
        for line in 0..blocks.iter().map(Vec::len).max().unwrap_or(0) {
            let cells: Vec<&str> =
                blocks.iter().map(|block| block.get(line).map_or("", String::as_str)).collect();
            let row = cells.iter().map(|cell| format!("{cell:<41}")).collect::<String>();
            let _ = writeln!(text, "{}", row.trim_end());
        }
    }
    text
}

/// One variant's curve, 39 columns wide.
fn curve_block(position: usize, NamedCurve { name, points }: &NamedCurve) -> Vec<String> {
    let mut lines = vec![
        format!("{:>3} {}", position + 1, shortened(name, 35)),
        format!("{:>12}{:>11}{:>8}{:>8}", "point", "clauses", "auc_pr", "sd"),
    ];
    lines.extend(points.iter().map(|MeanPoint { point, clauses, auc_pr }| {
        let clauses = clauses.mean.map_or_else(|| "n/a".to_owned(), |mean| format!("{mean:.0}"));
        let point = shortened(point, 13);
        format!("{point:>12}{clauses:>11}{:>8}{:>8}", metric(auc_pr.mean), metric(auc_pr.sd))
    }));
    lines
}

/// Variants side by side in the table of clauses; further ones go below.
const VARIANTS_A_BLOCK: usize = 6;

/// Mean clauses evaluated by each variant until its mean test area is that of the row; nothing where none is
/// reached.
#[must_use]
pub fn reached_table(reached: &[Reached]) -> String {
    let Some(first) = reached.first() else { return String::new() };
    let mut text = "clauses evaluated until the mean test area is reached\n".to_owned();
    let columns: Vec<usize> = (0..first.clauses.len()).collect();
    for block in columns.chunks(VARIANTS_A_BLOCK) {
        let _ = write!(text, "{:>8}", "auc_pr");
        block.iter().for_each(|column| {
            let _ = write!(text, "{:>12}", column + 1);
        });
        text.push('\n');
        for Reached { area, clauses } in reached {
            let _ = write!(text, "{area:>8}");
            block.iter().for_each(|&column| {
                let _ = write!(text, "{:>12}", whole(clauses[column]));
            });
            text.push('\n');
        }
    }
    text
}

/// A number of clauses in eleven columns, `-` where there is none.
fn whole(clauses: Option<f64>) -> String {
    match clauses {
        None => "-".to_owned(),
        Some(clauses) if clauses < 1e11 => format!("{clauses:.0}"),
        Some(clauses) => format!("{clauses:.3e}"),
    }
}

/// A number of eight columns: four decimals, fewer of a large one.
fn figure(value: Option<f64>) -> String {
    value.map_or_else(|| "n/a".to_owned(), |value| decimals(value, 4))
}

/// The same with two decimals.
fn short_figure(value: Option<f64>) -> String {
    value.map_or_else(|| "n/a".to_owned(), |value| decimals(value, 2))
}

fn decimals(value: f64, n_decimals: usize) -> String {
    match value.abs() {
        size if size < 100.0 => format!("{value:.n_decimals$}"),
        size if size < 1e5 => format!("{value:.1}"),
        _ => format!("{value:.0e}"),
    }
}

/// A probability to four decimals, a small one to two digits.
fn probability(value: Option<f64>) -> String {
    match value {
        Some(p) if p > 0.0 && p < 1e-4 => format!("{p:.1e}"),
        _ => metric(value),
    }
}

/// A row for each metric and pair of variants, numbers in full precision, undefined ones empty.
#[must_use]
pub fn csv(metrics: &[ComparedMetric]) -> String {
    let header = [
        "metric",
        "first",
        "second",
        "first_mean",
        "first_sd",
        "second_mean",
        "second_sd",
        "difference",
        "interval_low",
        "interval_high",
        "effect_size",
        "t",
        "degrees_of_freedom",
        "p_t_test",
        "p_signed_rank",
        "pairs",
        "left_out",
    ];
    let rows = metrics.iter().flat_map(|metric| {
        metric.comparison.pairs.iter().map(|pair| {
            let sides = [pair.left, pair.right].map(|side| &metric.comparison.variants[side]);
            let mut row = vec![metric.name.clone()];
            row.extend(sides.map(|variant| variant.name.clone()));
            row.extend(sides.iter().flat_map(|side| [number(side.summary.mean), number(side.summary.sd)]));
            row.extend(cells(&pair.paired));
            row
        })
    });
    table(&header, rows)
}

fn cells(paired: &Paired) -> [String; 10] {
    let [low, high] = paired.interval.map_or([None, None], |interval| interval.map(Some));
    [
        number(paired.mean_difference),
        number(low),
        number(high),
        number(paired.effect_size),
        number(paired.t_test.map(|test| test.t)),
        paired.t_test.map_or_else(String::new, |test| test.degrees_of_freedom.to_string()),
        number(paired.t_test.map(|test| test.p)),
        number(paired.signed_rank.map(|test| test.p)),
        paired.n_pairs.to_string(),
        paired.n_left_out.to_string(),
    ]
}

#[cfg(test)]
mod tests;
