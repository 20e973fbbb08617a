//! Learners side by side, and the same as CSV.

use crate::experiment::comparing::compare::{CompareAnswer, OwnSetting, RunVariant};
use crate::experiment::comparing::comparison::{ComparedMetric, Outcome, VariantPair};
use crate::experiment::comparing::dominance::Dominance;
use crate::experiment::metrics::mean_curve::{MeanPoint, NamedCurve, Reached};
use crate::experiment::metrics::metric_list::Metric;
use gleaner_base::statistics::{Paired, Summary};

use super::csv_tables::{number, table};
use super::document::{Block, Column, Table, shortened};
use super::figures::Wins;
use super::text::{filtered_line, metric_column};
use super::{Answer, Document, Events, metric, stopped};

/// Columns of a terminal.
const WIDTH: usize = 80;

impl Events for CompareAnswer {}

impl Answer for CompareAnswer {
    fn document(&self) -> Document {
        let (n_runs, n_folds) = (self.variants.len(), self.n_folds);
        let folds = if n_folds == 1 { "fold" } else { "folds" };
        let mut document = Document::new();
        document.line(format!("{}; {n_runs} runs over the same {n_folds} {folds}", self.target));
        document.extend(variant_table(&self.variants));
        let (n_tested, filtered) = self.tested();
        filtered_line(&mut document, n_tested, filtered);
        let mut stops = Document::new();
        stops.lines(&stopped::lines(&self.stopped));
        stops.lines(&stopped::repeat_lines(&self.repeats));
        document.extend_apart(stops);
        let metrics = &self.metrics.0;
        document.gap();
        mean_tables(metrics).into_iter().for_each(|table| document.table(table));
        for metric in &metrics[..self.n_paired] {
            document.extend_apart(pair_table(metric));
            document.extend_apart(win_matrix(metric));
        }
        document.extend_apart(pair_notes());
        // Curves are of the area: nothing to those who ask for other metrics.
        if metrics.iter().any(|metric| metric.name == "auc_pr") {
            document.extend_apart(dominance_table(&self.dominance));
            document.extend_apart(curve_tables(&self.learning_curves));
            document.extend_apart(reached_table(&self.clauses_until_reached));
        }
        document
    }
}

impl CompareAnswer {
    /// Which run has the greater mean area than which, on these data.
    pub(crate) fn wins(&self) -> Wins {
        let area = self.metrics.0.iter().find(|metric| metric.name == "auc_pr");
        let names: Vec<String> = self.variants.iter().map(|variant| variant.name.clone()).collect();
        let is_better = |row: usize, column: usize| {
            area.is_some_and(|area| area.comparison.outcome(row, column, false) == Outcome::Better)
        };
        let row = |row: usize| (0..names.len()).map(|column| u32::from(is_better(row, column))).collect();
        let counts = (0..names.len()).map(row).collect();
        Wins { counts, names, n_data_sets: u32::from(area.is_some()) }
    }
}

/// The columns of numbered names and remarks on each.
fn numbered() -> [Column; 2] {
    [Column::number("", 3).named("no."), Column::text("", 0).after(1).named("name")]
}

/// These names with their numbers, from 1.
pub(super) fn numbered_names<'n>(names: impl Iterator<Item = &'n str>) -> Table {
    Table::new(numbered())
        .with_rows((1..).zip(names).map(|(number, name)| [number.to_string(), name.to_owned()]))
}

/// Each variant by its number and name, beside its values that the others do not share.
pub fn variant_table(variants: &[RunVariant]) -> Document {
    let mut table = Table::new(numbered().into_iter().chain([Column::text("", 0).named("settings")]));
    for (position, variant) in variants.iter().enumerate() {
        let number = (position + 1).to_string();
        let mut n_columns = number.chars().count().max(3) + 1 + variant.name.chars().count();
        let mut own = String::new();
        for OwnSetting { name, value } in &variant.own {
            let word = format!("  {name} {value}");
            if n_columns + word.chars().count() > WIDTH {
                own.push_str("\n   ");
                n_columns = 3;
            }
            n_columns += word.chars().count();
            own.push_str(&word);
        }
        table.row([number, variant.name.clone(), own]);
    }
    let mut document = Document::new();
    document.table(table);
    if variants.iter().all(|variant| variant.own.is_empty()) {
        document.line("the records show no setting in which they differ");
    }
    document
}

/// Metrics side by side; further ones go below.
const METRICS_A_BLOCK: usize = 6;

/// Mean and standard deviation of each variant in each metric.
pub fn mean_tables(metrics: &[ComparedMetric]) -> Vec<Table> {
    let of_block = |block: &[ComparedMetric]| {
        let mut table = mean_table(block.iter().map(|metric| metric.name.as_str()));
        for (position, variant) in block[0].comparison.variants.iter().enumerate() {
            let summaries: Vec<&Summary> =
                block.iter().map(|metric| &metric.comparison.variants[position].summary).collect();
            mean_rows(&mut table, &(position + 1).to_string(), &variant.name, &summaries);
        }
        table
    };
    metrics.chunks(METRICS_A_BLOCK).map(of_block).collect()
}

/// A table of means and standard deviations of these metrics, without rows.
pub(super) fn mean_table<'n>(metrics: impl Iterator<Item = &'n str>) -> Table {
    let [number, name] = numbered();
    let name = Column { width: 17, ..name }.below(17);
    let first = [number, name, Column::text("", 4).named("of folds")];
    Table::new(first.into_iter().chain(metrics.map(|name| metric_column(name, 9))))
}

/// Adds a row of means and one of standard deviations.
pub(super) fn mean_rows(table: &mut Table, number: &str, name: &str, summaries: &[&Summary]) {
    let cells = |of: fn(&Summary) -> Option<f64>| summaries.iter().map(move |summary| figure(of(summary)));
    let first = |cells: [&str; 3]| cells.map(str::to_owned).into_iter();
    table.row(first([number, name, "mean"]).chain(cells(|summary| summary.mean)));
    table.row(first(["", "", "sd"]).chain(cells(|summary| summary.sd)));
}

/// A row for each pair of variants.
pub fn pair_table(compared: &ComparedMetric) -> Document {
    let pair = Column::text(shortened(&compared.name, 10), 9).named(compared.name.as_str());
    let numbers = [
        ("difference", 11),
        ("95 % interval", 19),
        ("effect", 8),
        ("t", 9),
        ("p of t", 9),
        ("p ranks", 9),
        ("n", 5),
    ];
    let numbers = numbers.map(|(title, width)| Column::number(title, width));
    let row = |VariantPair { left, right, paired }: &VariantPair| {
        let interval = paired.interval.map_or_else(
            || "n/a".to_owned(),
            |[low, high]| format!("{} to {}", figure(Some(low)), figure(Some(high))),
        );
        [
            format!("{} - {}", left + 1, right + 1),
            figure(paired.mean_difference),
            interval,
            short_figure(paired.effect_size),
            short_figure(paired.t_test.map(|test| test.t)),
            probability(paired.t_test.map(|test| test.p)),
            probability(paired.signed_rank.map(|test| test.p)),
            paired.n_pairs.to_string(),
        ]
    };
    let mut document = Document::new();
    let columns = [pair].into_iter().chain(numbers);
    document.table(Table::new(columns).with_rows(compared.comparison.pairs.iter().map(row)));
    left_out(&mut document, compared);
    document
}

/// In how many results the curve of one run dominates that of another; empty where none does.
fn dominance_table(pairs: &[Dominance]) -> Document {
    let mut document = Document::new();
    let shown: Vec<&Dominance> =
        pairs.iter().filter(|pair| pair.first_dominates + pair.second_dominates > 0).collect();
    if shown.is_empty() {
        return document;
    }
    let columns = [
        Column::text("curves", 13).named("pair"),
        Column::number("first above", 12),
        Column::number("second above", 13),
        Column::number("equal", 6),
        Column::number("of", 4).named("results"),
    ];
    let row = |pair: &&Dominance| {
        let counts = [pair.first_dominates, pair.second_dominates, pair.equal, pair.results];
        std::iter::once(format!("{} - {}", pair.first + 1, pair.second + 1))
            .chain(counts.map(|count| count.to_string()))
            .collect::<Vec<String>>()
    };
    document.table(Table::new(columns).with_rows(shown.iter().map(row)));
    document.line(
        "above: nowhere below on test, so at most as costly whatever mistakes cost, in\n\
         ROC space as in that of precision and recall; other curves cross",
    );
    document
}

/// The notes below the tables of pairs, once.
pub fn pair_notes() -> Document {
    let mut document = Document::new();
    document.line(
        "difference: first minus second; effect: Cohen's d of the pairs; p: two-sided, by\n\
         Student's t and by Wilcoxon's signed ranks. Folds share training examples, and p\n\
         is not corrected for the number of pairs: one near 0.05 shows little.\n\
         Repetitions of a fold are one value, their mean",
    );
    document
}

/// Adds the pairs that lack folds, with how many.
fn left_out(document: &mut Document, compared: &ComparedMetric) {
    let pairs = compared.comparison.pairs.iter().filter(|pair| pair.paired.n_left_out > 0);
    for VariantPair { left, right, paired } in pairs {
        let (n, is) = (paired.n_left_out, if paired.n_left_out == 1 { "run is" } else { "runs are" });
        let [left, right] = [left + 1, right + 1];
        document.line(format!("{left} - {right}: {n} {is} left out, undefined in one or both"));
    }
}

/// Fewer variants are seen at a glance in the table of pairs.
const LEAST_IN_MATRIX: usize = 4;

/// Columns of the matrix side by side; further ones go below.
const COLUMNS_A_BLOCK: usize = 24;

/// The outcome of each pair by the paired t-test: `>` where the variant of the row is better than that of the column,
/// `<` where it is worse, `.` where neither is known. Empty for three variants or fewer.
pub fn win_matrix(compared: &ComparedMetric) -> Document {
    let mut document = Document::new();
    let n_variants = compared.comparison.variants.len();
    if n_variants < LEAST_IN_MATRIX {
        return document;
    }
    let name = shortened(&compared.name, 29);
    document.line(format!("{name}: > row better than column, < worse (p of t < 0.05)"));
    let is_loss = Metric::find(&compared.name).is_some_and(|metric| metric.is_loss);
    let columns: Vec<usize> = (0..n_variants).collect();
    let cell = |row: usize, column: usize| match compared.comparison.outcome(row, column, is_loss) {
        _ if row == column => "",
        Outcome::Better => ">",
        Outcome::Worse => "<",
        Outcome::Neither => ".",
    };
    for block in columns.chunks(COLUMNS_A_BLOCK) {
        let numbers = block.iter().map(|column| Column::number((column + 1).to_string(), 3));
        let row = |&row: &usize| {
            let cells = block.iter().map(move |&column| cell(row, column).to_owned());
            [(row + 1).to_string()].into_iter().chain(cells).collect::<Vec<_>>()
        };
        let first = Column::number("", 3).named("no.");
        document.table(Table::new([first].into_iter().chain(numbers)).with_rows(columns.iter().map(row)));
    }
    document
}

/// Columns of a terminal for each of two curves.
const CURVE_COLUMNS: usize = 41;

/// Learning curves side by side, two to a block; empty if there are none.
pub fn curve_tables(variants: &[NamedCurve]) -> Document {
    let mut document = Document::new();
    let drawn: Vec<Document> = (1..)
        .zip(variants)
        .filter(|(_, curve)| !curve.points.is_empty())
        .map(|(number, curve)| curve_document(number, curve))
        .collect();
    for pair in drawn.chunks(2) {
        document.blocks.push(Block::Beside { width: CURVE_COLUMNS, documents: pair.to_vec() });
    }
    document
}

/// One variant's curve, 39 columns wide.
fn curve_document(number: usize, NamedCurve { name, points }: &NamedCurve) -> Document {
    let row = |MeanPoint { point, clauses, auc_pr }: &MeanPoint| {
        let clauses = clauses.mean.map_or_else(|| "n/a".to_owned(), |mean| format!("{mean:.0}"));
        [point.clone(), clauses, metric(auc_pr.mean), metric(auc_pr.sd)]
    };
    let columns =
        [("clauses", 11), ("auc_pr", 8), ("sd", 8)].map(|(title, width)| Column::number(title, width));
    let point = Column::number("point", 12).below(13);
    let mut document = Document::new();
    document.line(format!("{number:>3} {}", shortened(name, 35)));
    document.table(Table::new([point].into_iter().chain(columns)).with_rows(points.iter().map(row)));
    document
}

/// Variants side by side in the table of clauses; further ones go below.
const VARIANTS_A_BLOCK: usize = 6;

/// Mean clauses evaluated by each variant until its mean test area is that of the row; empty if no variant reaches one.
pub fn reached_table(reached: &[Reached]) -> Document {
    let mut document = Document::new();
    let Some(first) = reached.first() else { return document };
    document.line("clauses evaluated until the mean test area is reached");
    let columns: Vec<usize> = (0..first.clauses.len()).collect();
    for block in columns.chunks(VARIANTS_A_BLOCK) {
        let numbers = block.iter().map(|column| Column::number((column + 1).to_string(), 12));
        let row = |Reached { area, clauses }: &Reached| {
            let clauses = block.iter().map(|&column| whole(clauses[column]));
            [area.to_string()].into_iter().chain(clauses).collect::<Vec<_>>()
        };
        let columns = [Column::number("auc_pr", 8)].into_iter().chain(numbers);
        document.table(Table::new(columns).with_rows(reached.iter().map(row)));
    }
    document
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
