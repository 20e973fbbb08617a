//! Tables and summaries for a terminal of 80 columns.

use std::fmt::Write;

use crate::experiment::CrossValidation;
use crate::experiment::run::{RunResult, SearchSummary, SeedSummary};
use crate::learn::gleaner::GleanerModel;
use crate::learn::gleaner::threshold::Decision;
use crate::problem::Problem;
use crate::program::Symbols;
use crate::program::display::clause_text;
use crate::search::Funnel;

use super::metric;

/// What is learnt from, in a line or two.
#[must_use]
pub fn problem_line(problem: &Problem) -> String {
    let n_positives = problem.examples.n_positives();
    let n_negatives = problem.examples.len() - n_positives;
    #[expect(clippy::cast_precision_loss, reason = "shown to three digits")]
    let skew = match n_positives {
        0 => "n/a".to_owned(),
        _ => format!(
            "1 to {:.1}",
            n_negatives as f64 * problem.examples.negative_weight().ratio() / n_positives as f64
        ),
    };
    let mut text = format!(
        "{}: {n_positives} positives, {n_negatives} negatives ({skew}); layout {}",
        problem.target(),
        problem.format.name()
    );
    let weight = problem.examples.negative_weight();
    if !weight.is_one() {
        let _ = write!(
            text,
            "\nthe negatives are a sample, each stands for {:.1}; precision, areas and prevalence\n\
             are those of the whole population",
            weight.ratio()
        );
    }
    text
}

/// The metrics in the columns of the fold table.
const COLUMNS: [(&str, &str); 6] = [
    ("auc_pr", "auc_pr"),
    ("auc_pr_score", "of score"),
    ("average_precision", "avg.prec"),
    ("auc_roc", "auc_roc"),
    ("f1", "f1"),
    ("prevalence", "preval."),
];

/// A row for each fold, then mean and standard deviation.
#[must_use]
pub fn fold_table(validation: &CrossValidation) -> String {
    let mut text = format!("{:<12}{:>6}{:>8}", "fold", "pos", "neg");
    for (_, title) in COLUMNS {
        let _ = write!(text, "{title:>9}");
    }
    text.push('\n');
    for run in &validation.runs {
        let (positives, negatives) = run.sizes[2];
        let _ = write!(text, "{:<12}{positives:>6}{negatives:>8}", shortened(&run.split.name, 12));
        let named = run.metrics.named();
        for (name, _) in COLUMNS {
            let value = named.iter().find(|(known, _)| *known == name).and_then(|(_, value)| *value);
            let _ = write!(text, "{:>9}", metric(value));
        }
        text.push('\n');
    }
    for (title, is_mean) in [("mean", true), ("sd", false)] {
        let _ = write!(text, "{title:<26}");
        for (name, _) in COLUMNS {
            let summary =
                validation.summaries.iter().find(|(known, _)| *known == name).map(|(_, summary)| summary);
            let value = summary.and_then(|summary| if is_mean { summary.mean } else { summary.sd });
            let _ = write!(text, "{:>9}", metric(value));
        }
        text.push('\n');
    }
    text.push_str(
        "auc_pr: exact area through the bins' points; of score: of the examples' scores;\n\
         f1: of the operating decision; decisions were chosen without test\n",
    );
    text
}

/// The name, or its beginning where it has `width` characters or more.
pub(super) fn shortened(name: &str, width: usize) -> String {
    if name.chars().count() < width {
        name.to_owned()
    } else {
        name.chars().take(width - 2).chain(['…']).collect()
    }
}

/// The area at each number of clauses per seed.
#[must_use]
pub fn learning_curve(validation: &CrossValidation) -> String {
    if validation.learning_curve.len() < 2 {
        return String::new();
    }
    let mut text = format!("{:>16}{:>10}{:>9}\n", "clauses per seed", "auc_pr", "sd");
    for (clauses, summary) in &validation.learning_curve {
        let _ = writeln!(text, "{clauses:>16}{:>10}{:>9}", metric(summary.mean), metric(summary.sd));
    }
    text
}

/// What a search did, and which limits cut.
#[must_use]
pub fn search_lines(search: &SearchSummary) -> String {
    let [smallest, median, largest] = search.bottom_literals;
    let mut text = format!(
        "{} seeds; bottom clauses of {smallest} to {largest} literals (median {median}); {} clauses evaluated\n",
        search.n_seeds,
        search.funnel.evaluated()
    );
    if search.n_cut_bottoms > 0 {
        let names: Vec<String> = search.cuts.iter().map(|cut| cut_name(*cut).to_owned()).collect();
        let _ = writeln!(text, "{} bottom clauses were cut by {}", search.n_cut_bottoms, names.join(" and "));
    }
    for (reason, n_seeds) in &search.stops {
        let _ = writeln!(text, "{n_seeds} seeds ended: {}", stop_name(*reason));
    }
    text
}

/// A limit of saturation in words.
pub(super) const fn cut_name(cut: crate::bias::LimitCut) -> &'static str {
    match cut {
        crate::bias::LimitCut::InstantiationLimit => "the modes' instantiation limits",
        crate::bias::LimitCut::BottomLiterals => "--max-bottom-literals",
    }
}

/// A stop reason in words.
#[must_use]
pub const fn stop_name(reason: crate::base::StopReason) -> &'static str {
    use crate::base::StopReason::{ClausesEvaluated, Interrupted, MemoryLimit, SpaceExhausted, TimeLimit};
    match reason {
        ClausesEvaluated => "all clauses asked for were evaluated",
        SpaceExhausted => "no new clause was left within the limits",
        TimeLimit => "the time limit passed",
        Interrupted => "interrupted",
        MemoryLimit => "--memory was nearly reached",
    }
}

/// Where the candidates went.
#[must_use]
pub fn funnel(funnel: &Funnel) -> String {
    let rows = [
        ("proposed by the search", funnel.generated),
        ("  proposed before, not evaluated again", funnel.repeated),
        ("  below the minimum of positives", funnel.below_min_positives),
        ("  below the minimum precision", funnel.below_min_precision),
        ("  acceptable", funnel.acceptable),
    ];
    rows.iter().fold(String::new(), |mut text, (name, count)| {
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

/// The model's decisions and the clauses of the theory that classifies.
#[must_use]
pub fn model(model: &GleanerModel, symbols: &Symbols) -> String {
    let mut text = String::new();
    let n_theories = model.theories.iter().filter(|theory| !theory.clauses.is_empty()).count();
    let _ = writeln!(
        text,
        "{} distinct clauses in {n_theories} {}; {} of {} decisions, with their figures on tune:",
        model.n_distinct_clauses(),
        if n_theories == 1 { "theory" } else { "theories" },
        shown_decisions(model).count(),
        model.decisions.len()
    );
    let _ = writeln!(
        text,
        "{:>4}{:>8}{:>14}{:>12}{:>16}{:>13}",
        "bin", "theory", "least votes", "of", "tune precision", "tune recall"
    );
    for (position, decision) in shown_decisions(model) {
        let mark = if model.operating_decision == Some(position) { "  <- decides" } else { "" };
        let votes = |votes: f64| match format!("{votes:.4}").as_str() {
            "0.0000" if votes > 0.0 => format!("{votes:.1e}"),
            text => text.replace(".0000", ""),
        };
        let _ = writeln!(
            text,
            "{:>4}{:>8}{:>14}{:>12}{:>16}{:>13}{mark}",
            decision.target_bin,
            decision.theory_bin,
            votes(decision.threshold),
            votes(model.greatest_votes(decision.theory_bin)),
            metric(decision.tune_precision(model.negative_weight)),
            metric(decision.tune_recall(model.n_tune_positives)),
        );
    }
    if let Some(decision) = model.operating_decision.map(|position| model.decisions[position]) {
        let theory = &model.theories[decision.theory_bin - 1];
        let weights = theory.weights(model.votes, model.duplicates, model.negative_weight);
        let mut heaviest: Vec<usize> = (0..weights.len()).collect();
        heaviest.sort_by(|&left, &right| weights[right].total_cmp(&weights[left]));
        heaviest.truncate(N_SHOWN_CLAUSES);
        let _ = writeln!(
            text,
            "\nthe theory that decides, {} of its {} clauses, the heaviest first (train TP, FP):",
            heaviest.len(),
            weights.len()
        );
        for position in heaviest {
            let clause = &theory.clauses[position];
            let counts = clause.counts;
            let _ = writeln!(
                text,
                "{:>6}{:>7}  {}",
                counts.true_positives,
                counts.false_positives,
                clause_text(&clause.clause, symbols)
            );
        }
    }
    text
}

/// Every so many decisions that about [`N_SHOWN_DECISIONS`] remain, the last, and the one that decides.
fn shown_decisions(model: &GleanerModel) -> impl Iterator<Item = (usize, &Decision)> {
    let n_decisions = model.decisions.len();
    let step = n_decisions.div_ceil(N_SHOWN_DECISIONS).max(1);
    model.decisions.iter().enumerate().filter(move |(position, _)| {
        (n_decisions - 1 - position).is_multiple_of(step) || model.operating_decision == Some(*position)
    })
}

/// Decisions that are shown, or one more; the model file has all.
const N_SHOWN_DECISIONS: usize = 20;

/// Clauses of the deciding theory that are shown; the model file has all.
const N_SHOWN_CLAUSES: usize = 40;

/// A named metric a line, for one test set.
#[must_use]
pub fn metric_lines(run: &RunResult) -> String {
    run.metrics.named().iter().fold(String::new(), |mut text, (name, value)| {
        let _ = writeln!(text, "{name:<20}{:>9}", metric(*value));
        text
    })
}
