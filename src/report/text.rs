//! Tables and summaries for a terminal of 80 columns.

use std::fmt::Write;

use crate::experiment::filtered::Filtered;
use crate::experiment::inspect::ProblemSummary;
use crate::experiment::metrics::{FOLD_COLUMNS, Metric};
use crate::experiment::pooled_probabilities::PooledProbabilities;
use crate::experiment::{CrossValidation, MetricSummary, Metrics, RunResult, SearchSummary, SeedSummary};
use gleaner_base::StopReason;
use gleaner_engine::search::Funnel;

use super::metric;

/// What is learnt from, in a line or two.
#[must_use]
pub fn problem_line(problem: &ProblemSummary) -> String {
    let ProblemSummary { target, positives, negatives, classes, negative_weight: weight, format } = problem;
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

/// What is learnt from where there are many classes.
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

/// A row for each fold, then mean, standard deviation and how sure the mean is.
#[must_use]
pub fn fold_table(validation: &CrossValidation) -> String {
    let mut text = format!("{:<12}{:>6}{:>8}", "fold", "pos", "neg");
    for name in FOLD_COLUMNS {
        let _ = write!(text, "{:>9}", Metric::find(name).map_or(name, |metric| metric.title));
    }
    text.push('\n');
    for run in &validation.runs {
        let [positives, negatives] = run.sizes[2].numbers();
        let _ = write!(text, "{:<12}{positives:>6}{negatives:>8}", shortened(&run.name(), 12));
        for name in FOLD_COLUMNS {
            let _ = write!(text, "{:>9}", metric(run.metrics.get(name)));
        }
        text.push('\n');
    }
    let is_repeated = validation.runs.len() > validation.n_folds();
    for (title, of) in &SUMMARY_ROWS[..SUMMARY_ROWS.len() - usize::from(!is_repeated)] {
        let _ = write!(text, "{title:<26}");
        for name in FOLD_COLUMNS {
            let _ = write!(text, "{:>9}", metric(validation.summaries.get(name).and_then(of)));
        }
        text.push('\n');
    }
    text.push_str(&achievable(validation));
    text.push_str(&probabilities(validation));
    let first = || validation.runs.iter().filter(|run| run.repeat == 0);
    let n_tested = first().map(|run| run.sizes[2].n_positives).sum();
    let filtered = first().map(|run| run.split.filtered).fold(Filtered::default(), Filtered::plus);
    text.push_str(&filtered_line(n_tested, filtered));
    text.push_str(&test_samples(&validation.runs));
    text.push_str(
        "auc_pr: exact area of the ranking by score; points: of the operating points;\n\
         f1: of the operating decision; decisions were chosen without test\n\
         95% +-: half the 95 % interval of the mean over folds, by Student's t",
    );
    text.push_str(if is_repeated {
        "; a fold\nis the mean of its repetitions; of repetitions: what random seeds alone change\n"
    } else {
        "\n"
    });
    text
}

/// The achievable area, which has no column, over the folds; nothing where no fold has one.
fn achievable(validation: &CrossValidation) -> String {
    let Some(area) = validation.summaries.get("auc_pr_achievable") else { return String::new() };
    if area.summary.mean.is_none() {
        return String::new();
    }
    let [mean, sd, ci95] = [area.summary.mean, area.summary.sd, area.intervals.ci95].map(metric);
    format!("achievable: mean {mean}, sd {sd}, 95% +- {ci95} (at thresholds of tune)\n")
}

/// What the probabilities are worth, beside those of the base rate alone; nothing where there are none.
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

/// How many of all test positives are tested, if a restriction leaves some out.
#[must_use]
pub fn filtered_line(n_tested: usize, filtered: Filtered) -> String {
    let Filtered { n_positives: n_filtered, are_counted } = filtered;
    if n_filtered == 0 {
        return String::new();
    }
    let meaning = if are_counted {
        "they count as false negatives, found only where everything is called positive"
    } else {
        "false negatives of the whole task, which --count-filtered counts"
    };
    let n_all = n_tested + n_filtered;
    format!("{n_tested} of {n_all} positives tested; --where leaves out {n_filtered}:\n{meaning}\n")
}

/// That runs drew test negatives of their own, and what each stands for.
fn test_samples(runs: &[RunResult]) -> String {
    let weights = runs.iter().map(|run| run.split.negative_weights.test.ratio());
    let drew = |run: &&RunResult| {
        let weights = run.split.negative_weights;
        weights.test != weights.train && !weights.test.is_one()
    };
    if runs.iter().find(drew).is_none() {
        return String::new();
    }
    let (least, most) =
        weights.fold((f64::INFINITY, 0.0_f64), |(least, most), at| (least.min(at), most.max(at)));
    format!(
        "the test negatives are samples, each of weight {least:.1} to {most:.1}: all figures are\n\
         estimates of those on all negatives\n"
    )
}

/// What a row below the folds has of each metric.
type OfMetric = fn(&MetricSummary) -> Option<f64>;

/// The rows below the folds; the last only where these are repeated.
const SUMMARY_ROWS: [(&str, OfMetric); 4] = [
    ("mean", |metric| metric.summary.mean),
    ("sd", |metric| metric.summary.sd),
    ("95% +-", |metric| metric.intervals.ci95),
    ("95% +- of repetitions", |metric| metric.intervals.ci95_repeats),
];

/// The name, or its beginning where it has `width` characters or more.
pub(super) fn shortened(name: &str, width: usize) -> String {
    if name.chars().count() < width {
        name.to_owned()
    } else {
        name.chars().take(width - 2).chain(['…']).collect()
    }
}

/// What each part of the search gives on tune and on test; `50x1000` is 50 seeds or theories, each of 1,000 clauses.
#[must_use]
pub fn learning_curve(validation: &CrossValidation) -> String {
    let mut text = format!(
        "{:>16}{:>16}{:>13}{:>13}{:>8}{:>14}\n",
        "searched", "clauses", "tune auc_pr", "test auc_pr", "sd", "test auc_roc"
    );
    for point in &validation.learning_curve {
        let clauses = point.clauses.mean.map_or_else(String::new, |mean| format!("{mean:.0}"));
        let [tune, test] = [&point.tune, &point.test].map(|metrics| metric(metrics.mean("auc_pr")));
        let (sd, auc_roc) = (metric(point.test.sd("auc_pr")), metric(point.test.mean("auc_roc")));
        let _ = writeln!(text, "{:>16}{clauses:>16}{tune:>13}{test:>13}{sd:>8}{auc_roc:>14}", point.point);
    }
    text.push_str("tune auc_pr flatters: each part's decisions were chosen on the tune examples\n");
    text
}

/// What a search did, and which limits cut.
#[must_use]
pub fn search_lines(search: &SearchSummary) -> String {
    let [smallest, median, largest] = search.bottom_literals;
    let mut text = String::new();
    if search.own.has_searched() {
        let _ = writeln!(
            text,
            "{} seeds; bottom clauses of {smallest} to {largest} literals (median {median}); {} clauses evaluated",
            search.n_seeds,
            search.funnel.evaluated()
        );
    }
    if search.n_cut_bottoms > 0 {
        let names: Vec<String> = search.cuts.iter().map(|cut| cut_name(*cut).to_owned()).collect();
        let _ = writeln!(text, "{} bottom clauses were cut by {}", search.n_cut_bottoms, names.join(" and "));
    }
    for (reason, n_seeds) in &search.stops {
        if !search.own.tells_ends() || reason.is_outer() {
            let _ = writeln!(text, "{n_seeds} seeds ended: {}", stop_name(*reason));
        }
    }
    text.push_str(&search.own.lines());
    text
}

/// A limit of saturation in words.
pub(super) const fn cut_name(cut: gleaner_engine::bias::LimitCut) -> &'static str {
    match cut {
        gleaner_engine::bias::LimitCut::InstantiationLimit => "the modes' instantiation limits",
        gleaner_engine::bias::LimitCut::BottomLiterals => "--max-bottom-literals",
    }
}

/// A stop reason in words.
#[must_use]
pub const fn stop_name(reason: StopReason) -> &'static str {
    use StopReason::{ClausesEvaluated, Found, Interrupted, MemoryLimit, SpaceExhausted, TimeLimit};
    match reason {
        ClausesEvaluated => "all clauses asked for were evaluated",
        SpaceExhausted => "no new clause was left within the limits",
        TimeLimit => "the time limit passed",
        Interrupted => "interrupted",
        MemoryLimit => "--memory was nearly reached",
        Found => "a clause was kept",
    }
}

/// Rows that are shown where there is something to count.
const ABOVE_MAX_NEGATIVES: &str = "  above the maximum of negatives";
const LEFT_OUT: &str = "  redundant on train, left out";
const INFERRED: &str = "  evaluated by what a shorter one covers";

/// Where the candidates went.
#[must_use]
pub fn funnel(funnel: &Funnel) -> String {
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
    let is_shown = |row: &&(&str, u64)| row.1 > 0 || !is_rare(row.0);
    rows.iter().filter(is_shown).fold(String::new(), |mut text, (name, count)| {
        let _ = writeln!(text, "{name:<42}{count:>14}");
        text
    })
}

/// Seeds whose candidates are told of; the run folder and the events have all.
const N_SHOWN_SEEDS: usize = 10;

/// Where the candidates of each of the first seeds went; nothing for a single seed, whose are all.
#[must_use]
pub fn seed_funnels(seeds: &[SeedSummary]) -> String {
    if seeds.len() < 2 {
        return String::new();
    }
    let mut text = format!(
        "{:<32}{:>9}{:>10}{:>10}{:>10}{:>9}\n",
        "seed example", "literals", "proposed", "min-pos", "min-prec", "kept"
    );
    for SeedSummary { example, bottom_literals, funnel } in seeds.iter().take(N_SHOWN_SEEDS) {
        let _ = writeln!(
            text,
            "{:<32}{bottom_literals:>9}{:>10}{:>10}{:>10}{:>9}",
            shortened(example, 32),
            funnel.generated,
            funnel.below_min_positives,
            funnel.below_min_precision,
            funnel.acceptable
        );
    }
    if seeds.len() > N_SHOWN_SEEDS {
        let _ = writeln!(text, "... and {} more seeds", seeds.len() - N_SHOWN_SEEDS);
    }
    text
}

/// A named metric a line.
#[must_use]
pub fn metric_lines(metrics: &Metrics) -> String {
    metrics.named().iter().fold(String::new(), |mut text, (name, value)| {
        let _ = writeln!(text, "{name:<24}{:>9}", metric(*value));
        text
    })
}
