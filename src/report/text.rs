//! Tables and summaries that several answers have.

use std::fmt::Write;

use crate::experiment::loading::inspect::{NumberRange, ProblemSummary};
use crate::experiment::loading::load::Filtered;
use crate::experiment::metrics::metric_list::{Metric, fold_columns};
use crate::experiment::runs::cross_validation::PooledProbabilities;
use crate::experiment::{CrossValidation, MetricSummary, RunMetrics, RunResult, SearchSummary, SeedSummary};
use gleaner_base::StopReason;
use gleaner_engine::search::Funnel;
use gleaner_learn::shown::Noun;

use super::document::{Cell, Column, Document, Table, shortened};
use super::metric;

/// What a validation says before it begins: the problem, and the number of folds.
pub(crate) fn headline(problem: &ProblemSummary, n_folds: usize) -> Document {
    let folds = if n_folds == 1 { "fold" } else { "folds" };
    let mut headline = Document::new();
    headline.lines(&narrow(&format!("{}; {n_folds} {folds}", problem_line(problem))));
    headline
}

/// The problem that is learnt from, in a line or two.
pub fn problem_line(problem: &ProblemSummary) -> String {
    let ProblemSummary { target, positives, negatives, classes, numbers, negative_weight: weight, format } =
        problem;
    if let Some(NumberRange { least, greatest, mean, median, .. }) = numbers {
        let n = positives + negatives;
        return format!(
            "{target}: {n} examples with numbers from {least} to {greatest} (mean {mean:.4}, median {median}); layout {format}"
        );
    }
    if !classes.is_empty() {
        return class_line(problem);
    }
    #[expect(clippy::cast_precision_loss, reason = "shown to three digits")]
    let skew = match positives {
        0 => "n/a".to_owned(),
        _ => format!("1 to {:.1}", *negatives as f64 * weight.ratio() / *positives as f64),
    };
    let layout = format;
    let mut text =
        format!("{target}: {positives} positives, {negatives} negatives ({skew}); layout {layout}");
    if !weight.is_one() {
        let _ = write!(
            text,
            "\nthe negatives are a sample, each of weight {:.1}, so that precision, areas and\n\
             prevalence estimate the whole population",
            weight.ratio()
        );
    }
    text
}

/// Classes that the first line names.
const N_SHOWN_CLASSES: usize = 6;

/// The problem that is learnt from, where there are many classes.
fn class_line(problem: &ProblemSummary) -> String {
    let ProblemSummary { target, positives, negatives, classes, format, .. } = problem;
    let mut named: Vec<String> = classes
        .iter()
        .take(N_SHOWN_CLASSES)
        .map(|size| format!("{} {}", size.class, size.examples))
        .collect();
    if classes.len() > N_SHOWN_CLASSES {
        named.push(format!("{} more", classes.len() - N_SHOWN_CLASSES));
    }
    format!(
        "{target}: {} examples of {} classes ({}); layout {}",
        positives + negatives,
        classes.len(),
        named.join(", "),
        format
    )
}

/// The line of a problem, and what stands behind it, within 80 columns: the layout begins a line where one is too short.
pub fn narrow(lines: &str) -> String {
    const COLUMNS: usize = 80;
    let narrow = |line: &str| match line.split_once("; layout ") {
        Some((what, layout)) if line.chars().count() > COLUMNS => {
            let mut lines = super::wrapped(format!("{what};").split(' ').map(str::to_owned), COLUMNS);
            lines.push(format!("  layout {layout}"));
            lines.join("\n")
        }
        _ => line.to_owned(),
    };
    lines.lines().map(narrow).collect::<Vec<_>>().join("\n")
}

/// A column of a metric: its title below the width, its name where there is room.
pub(super) fn metric_column(name: &str, width: usize) -> Column {
    let title = Metric::find(name).map_or_else(|| shortened(name, width), |metric| metric.title.to_owned());
    Column::number(title, width).named(name)
}

/// A row for each fold, then mean, standard deviation and how sure the mean is.
pub fn fold_table(validation: &CrossValidation) -> Document {
    let sizes = [
        Column::text("fold", 12).below(12),
        Column::number("pos", 6).named("positives"),
        Column::number("neg", 8).named("negatives"),
    ];
    let mut table = Table::new(
        sizes.into_iter().chain(fold_columns().into_iter().map(|known| metric_column(known.name, 9))),
    );
    for run in &validation.runs {
        let sizes = run.sizes[2].numbers().map(|size| size.to_string());
        let metrics = fold_columns().into_iter().map(|known| metric(run.metrics.get(known.name)));
        table.row([run.name()].into_iter().chain(sizes).chain(metrics));
    }
    let is_repeated = validation.runs.len() > validation.n_folds();
    for (title, of) in &SUMMARY_ROWS[..SUMMARY_ROWS.len() - usize::from(!is_repeated)] {
        let value = |known: &Metric| metric(validation.summaries.get(known.name).and_then(of)).into();
        let values = fold_columns().into_iter().map(value);
        table.row([Cell::spanning(*title, 3)].into_iter().chain(values));
    }
    let mut document = Document::new();
    document.table(table);
    document.lines(&achievable(validation));
    document.lines(&probabilities(validation));
    let first = || validation.runs.iter().filter(|run| run.repeat == 0);
    let n_tested = first().map(|run| run.sizes[2].n_positives).sum();
    let filtered = first().map(|run| run.split.filtered).fold(Filtered::default(), Filtered::plus);
    filtered_line(&mut document, n_tested, filtered);
    test_samples(&mut document, &validation.runs);
    document.line(
        "auc_pr: exact area of the ranking by score; points: of the operating points;\n\
         f1: of the operating decision; decisions were chosen without test",
    );
    document.line(format!(
        "95% +-: half the 95 % interval of the mean over folds, by Student's t{}",
        if is_repeated {
            "; a fold\nis the mean of its repetitions; of repetitions: what random seeds alone change"
        } else {
            ""
        }
    ));
    document
}

/// The achievable area, which has no column, over the folds; empty if no fold has one.
fn achievable(validation: &CrossValidation) -> String {
    let Some(area) = validation.summaries.get("auc_pr_achievable") else { return String::new() };
    if area.summary.mean.is_none() {
        return String::new();
    }
    let [mean, sd, ci95] = [area.summary.mean, area.summary.sd, area.intervals.ci95].map(metric);
    format!("achievable: mean {mean}, sd {sd}, 95% +- {ci95} (at thresholds of tune)\n")
}

/// The quality of the probabilities, beside that of the base rate alone; empty if there are none.
fn probabilities(validation: &CrossValidation) -> String {
    let Some(pooled) = PooledProbabilities::of(validation) else { return String::new() };
    let mean = |name: &str| metric(validation.summaries.mean(name));
    let [entropy, prior] = ["mean_cross_entropy", "prior_cross_entropy"].map(mean);
    let [brier, error] = ["brier", "calibration_error"].map(mean);
    let PooledProbabilities { expected_positives, observed_positives, .. } = pooled;
    let mut text = format!(
        "probabilities: cross entropy {entropy} (base rate {prior}), brier {brier},\n\
         calibration error {error}; {expected_positives:.1} positives expected, {observed_positives:.1} observed\n"
    );
    for (runs, what) in
        [(&pooled.worse_than_prior, "worse than the base rate"), (&pooled.not_calibrated, "no probabilities")]
    {
        if !runs.is_empty() {
            let _ = writeln!(text, "{what}: {}", some_names(runs));
        }
    }
    text
}

/// The first names, and how many others there are.
fn some_names(names: &[String]) -> String {
    const MOST: usize = 5;
    let shown = names[..names.len().min(MOST)].join(", ");
    if names.len() > MOST { format!("{shown} and {} more", names.len() - MOST) } else { shown }
}

/// Adds how many of all test positives are tested, if a restriction or the candidates of a corpus leave some out.
pub fn filtered_line(document: &mut Document, n_tested: usize, filtered: Filtered) {
    let Filtered { n_positives: n_filtered, are_counted } = filtered;
    if n_filtered == 0 {
        return;
    }
    let meaning = if are_counted {
        "they count as false negatives, unless everything is called positive"
    } else {
        "false negatives of the whole task, which ⁅count-filtered⁆ counts"
    };
    let n_all = n_tested + n_filtered;
    document.line(format!("{n_tested} of {n_all} positives tested; {n_filtered} are left out:\n{meaning}"));
}

/// Adds that runs drew test negatives of their own, with the weight of each.
fn test_samples(document: &mut Document, runs: &[RunResult]) {
    let weights = runs.iter().map(|run| run.split.negative_weights.test.ratio());
    let drew = |run: &&RunResult| {
        let weights = run.split.negative_weights;
        weights.test != weights.train && !weights.test.is_one()
    };
    if runs.iter().find(drew).is_none() {
        return;
    }
    let (least, most) =
        weights.fold((f64::INFINITY, 0.0_f64), |(least, most), at| (least.min(at), most.max(at)));
    document.line(format!(
        "the test negatives are samples, each of weight {least:.1} to {most:.1}: all figures are\n\
         estimates of those on all negatives"
    ));
}

/// The value that a row below the folds shows of each metric.
type OfMetric = fn(&MetricSummary) -> Option<f64>;

/// The rows below the folds; the last only where these are repeated.
pub(super) const SUMMARY_ROWS: [(&str, OfMetric); 4] = [
    ("mean", |metric| metric.summary.mean),
    ("sd", |metric| metric.summary.sd),
    ("95% +-", |metric| metric.intervals.ci95),
    ("95% +- of repetitions", |metric| metric.intervals.ci95_repeats),
];

/// The results of each part of the search on tune and on test. `50x1000` is 50 seeds or theories, each of 1,000
/// clauses.
pub fn learning_curve(validation: &CrossValidation) -> Document {
    let columns = [
        ("searched", 16),
        ("clauses", 16),
        ("tune auc_pr", 13),
        ("test auc_pr", 13),
        ("sd", 8),
        ("test auc_roc", 14),
    ];
    let mut table = Table::new(columns.map(|(title, width)| Column::number(title, width)));
    for point in &validation.learning_curve {
        let clauses = point.clauses.mean.map_or_else(String::new, |mean| format!("{mean:.0}"));
        let [tune, test] = [&point.tune, &point.test].map(|metrics| metric(metrics.mean("auc_pr")));
        let (sd, auc_roc) = (metric(point.test.sd("auc_pr")), metric(point.test.mean("auc_roc")));
        table.row([point.point.clone(), clauses, tune, test, sd, auc_roc]);
    }
    let mut document = Document::new();
    document.table(table);
    document.line("tune auc_pr flatters: each part's decisions were chosen on the tune examples");
    document
}

/// The statistics of a search, and the limits that cut.
pub fn search_lines(search: &SearchSummary) -> String {
    let [smallest, median, largest] = search.bottom_literals;
    let mut text = String::new();
    if search.own.has_searched() {
        let _ = writeln!(
            text,
            "{}; bottom clauses of {smallest} to {largest} literals (median {median}); {} clauses evaluated",
            Noun::SEEDS.counted(search.n_seeds),
            search.funnel.evaluated()
        );
    }
    if search.n_cut_bottoms > 0 {
        let names: Vec<String> = search.cuts.iter().map(|cut| cut_name(*cut).to_owned()).collect();
        let _ = writeln!(text, "{} bottom clauses were cut by {}", search.n_cut_bottoms, names.join(" and "));
    }
    for (reason, n_seeds) in &search.stops {
        if !search.own.tells_ends() || reason.is_outer() {
            let _ = writeln!(text, "{} ended: {}", Noun::SEEDS.counted(*n_seeds), stop_name(*reason));
        }
    }
    text.push_str(&search.own.lines());
    text
}

/// A limit of saturation in words.
pub(super) const fn cut_name(cut: gleaner_engine::bias::LimitCut) -> &'static str {
    match cut {
        gleaner_engine::bias::LimitCut::InstantiationLimit => "the modes' instantiation limits",
        gleaner_engine::bias::LimitCut::BottomLiterals => "⁅max-bottom-literals⁆",
    }
}

/// A stop reason in words.
pub const fn stop_name(reason: StopReason) -> &'static str {
    use StopReason::{
        ClausesEvaluated, Found, Interrupted, LiteralsEvaluated, MemoryLimit, SpaceExhausted, TimeLimit,
    };
    match reason {
        ClausesEvaluated => "all clauses asked for were evaluated",
        LiteralsEvaluated => "all literals asked for were evaluated",
        SpaceExhausted => "no new clause was left within the limits",
        TimeLimit => "the time limit passed",
        Interrupted => "interrupted",
        MemoryLimit => "⁅memory⁆ was nearly reached",
        Found => "a clause was kept",
    }
}

/// A stop reason in words, of the run of a fold: of a time limit each fold has its share.
pub const fn stop_in_fold(reason: StopReason) -> &'static str {
    match reason {
        StopReason::TimeLimit => "the fold's share of the time limit passed",
        other => stop_name(other),
    }
}

/// Rows that are shown where there is something to count.
const ABOVE_MAX_NEGATIVES: &str = "  above the maximum of negatives";
const LEFT_OUT: &str = "  redundant on train, left out";
const INFERRED: &str = "  evaluated by what a shorter one covers";

/// Where the candidates went.
pub fn funnel(funnel: &Funnel) -> Table {
    let rows = [
        ("proposed by the search", funnel.generated),
        ("  proposed before, not evaluated again", funnel.repeated),
        ("  below the minimum of positives", funnel.below_min_positives),
        ("  below the minimum precision", funnel.below_min_precision),
        (ABOVE_MAX_NEGATIVES, funnel.above_max_negatives),
        ("  acceptable", funnel.acceptable),
        (LEFT_OUT, funnel.left_out),
        (INFERRED, funnel.inferred),
    ];
    let is_rare = |row: &str| [ABOVE_MAX_NEGATIVES, LEFT_OUT, INFERRED].contains(&row);
    let is_shown = |row: &(&str, u64)| row.1 > 0 || !is_rare(row.0);
    Table::new([Column::text("", 42).named("candidates"), Column::number("", 14).named("clauses")]).with_rows(
        rows.into_iter().filter(is_shown).map(|(name, count)| [name.to_owned(), count.to_string()]),
    )
}

/// Seeds whose candidates are shown; the run folder and the events have all.
const N_SHOWN_SEEDS: usize = 10;

/// Where the candidates of each of the first seeds went; empty for a single seed, which has them all.
pub fn seed_funnels(seeds: &[SeedSummary]) -> Document {
    let mut document = Document::new();
    if seeds.len() < 2 {
        return document;
    }
    let counts = [("literals", 9), ("proposed", 10), ("min-pos", 10), ("min-prec", 10), ("kept", 9)];
    let example = Column { is_code: true, ..Column::text("seed example", 32).below(32) };
    let counts = counts.map(|(title, width)| Column::number(title, width));
    let row = |SeedSummary { example, bottom_literals, funnel }: &SeedSummary| {
        [
            example.clone(),
            bottom_literals.to_string(),
            funnel.generated.to_string(),
            funnel.below_min_positives.to_string(),
            funnel.below_min_precision.to_string(),
            funnel.acceptable.to_string(),
        ]
    };
    document.table(
        Table::new([example].into_iter().chain(counts)).with_rows(seeds.iter().take(N_SHOWN_SEEDS).map(row)),
    );
    if seeds.len() > N_SHOWN_SEEDS {
        document.line(format!("... and {} more seeds", seeds.len() - N_SHOWN_SEEDS));
    }
    document
}

/// A named metric a row.
pub fn metric_table(metrics: &RunMetrics) -> Table {
    let columns = [Column::text("", 24).named("metric"), Column::number("", 9).named("value")];
    Table::new(columns).with_rows(metrics.named().map(|(name, value)| [name.to_owned(), metric(value)]))
}
