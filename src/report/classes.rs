//! A cross-validation of many classes as text and as tables.

use std::fmt::Write;

use crate::experiment::class_answer::{ClassAnswer, ClassResult};
use crate::experiment::class_validation::{
    CLASS_METRICS, ClassMetric, ClassRun, ClassScore, ClassValidation, OneClass,
};
use crate::experiment::predict::argument_names;
use gleaner_data::Problem;
use gleaner_stats::eval::ConfusionMatrix;

use super::csv_tables::table;
use super::text::shortened;
use super::{Answer, metric, stopped};

/// The metrics of the table of folds, which is as wide as a terminal.
const COLUMNS: [&str; 7] = [
    "accuracy",
    "accuracy_of_prior",
    "macro_f1",
    "log_loss",
    "log_loss_of_prior",
    "macro_auc_pr",
    "macro_auc_roc",
];

/// What the columns are.
const NOTES: &str = "accuracy, log loss: of the most probable class, and of the classes' probabilities; each\n\
    prior: the same of the classes' shares of train and tune; micro f1 is the accuracy\n\
    auc_pr, auc_roc: means over the classes of the areas of each against the rest, by its probability\n";

impl Answer for ClassAnswer {
    fn text(&self) -> String {
        let mut text = String::new();
        for variant in &self.variants {
            if !variant.names.name.is_empty() {
                let _ = writeln!(text, "\n== {}", variant.names.name);
            }
            let _ = write!(text, "\n{}", validation_text(&variant.validation));
        }
        if self.variants.len() > 1 {
            let _ = write!(text, "\n== all, on the same folds\n\n{}", side_by_side(&self.variants));
        }
        text.push_str(NOTES);
        text
    }
}

/// What was stopped, in lines.
#[must_use]
pub fn stop_lines(answer: &ClassAnswer) -> String {
    stopped::lines(&answer.stopped) + &stopped::repeats_left_out_line(answer.repeats_left_out)
}

fn shown() -> impl Iterator<Item = (usize, ClassMetric)> {
    CLASS_METRICS.into_iter().enumerate().filter(|(_, (name, ..))| COLUMNS.contains(name))
}

fn validation_text(validation: &ClassValidation) -> String {
    let mut text = format!("{:<11}{:>6}", "fold", "n");
    shown().for_each(|(_, (_, title, _))| {
        let _ = write!(text, "{title:>9}");
    });
    text.push('\n');
    for run in &validation.runs {
        let _ = write!(text, "{:<11}{:>6}", shortened(&run.name, 11), run.scored.len());
        shown().for_each(|(_, (.., of))| {
            let _ = write!(text, "{:>9}", metric(of(&run.metrics)));
        });
        text.push('\n');
    }
    for title in ["mean", "sd", "95% +-"] {
        let _ = write!(text, "{title:<17}");
        for (position, _) in shown() {
            let summary = &validation.summaries[position];
            let value = match title {
                "mean" => summary.summary.mean,
                "sd" => summary.summary.sd,
                _ => summary.intervals.ci95,
            };
            let _ = write!(text, "{:>9}", metric(value));
        }
        text.push('\n');
    }
    let _ = write!(text, "\n{}", class_table(&validation.classes));
    let _ = write!(text, "\n{}", confusion_table(&validation.names, &validation.confusion));
    text
}

pub(super) fn class_table(classes: &[OneClass]) -> String {
    let mut text = format!(
        "{:<20}{:>8}{:>8}{:>10}{:>8}{:>8}{:>8}{:>8}\n",
        "class", "n", "prior", "precision", "recall", "f1", "auc_pr", "auc_roc"
    );
    for one in classes {
        let OneClass { class, examples, prior, precision, recall, f1, auc_pr, auc_roc } = one;
        let _ = write!(
            text,
            "{:<20}{examples:>8}{:>8}{:>10}",
            shortened(class, 20),
            metric(*prior),
            metric(*precision)
        );
        for value in [recall, f1, auc_pr, auc_roc] {
            let _ = write!(text, "{:>8}", metric(*value));
        }
        text.push('\n');
    }
    text
}

/// Classes whose columns fit a terminal.
const MOST_COLUMNS: usize = 7;

/// True classes by rows, what is said by columns; of many classes the run folder has it.
#[must_use]
pub fn confusion_table(names: &[String], confusion: &ConfusionMatrix) -> String {
    if names.len() > MOST_COLUMNS {
        return format!("{} classes: confusion.csv of --run has which is taken for which\n", names.len());
    }
    let mut text = format!("{:<17}", "class, is said:");
    names.iter().for_each(|name| {
        let _ = write!(text, "{:>9}", shortened(name, 9));
    });
    text.push('\n');
    for (name, row) in names.iter().zip(confusion.rows()) {
        let _ = write!(text, "{:<17}", shortened(name, 17));
        row.iter().for_each(|count| {
            let _ = write!(text, "{count:>9}");
        });
        text.push('\n');
    }
    text
}

fn side_by_side(variants: &[ClassResult]) -> String {
    let mut text = format!("{:<17}", "");
    shown().for_each(|(_, (_, title, _))| {
        let _ = write!(text, "{title:>9}");
    });
    text.push('\n');
    for variant in variants {
        let _ = write!(text, "{:<17}", shortened(&variant.names.short_name, 17));
        shown().for_each(|(position, _)| {
            let _ = write!(text, "{:>9}", metric(variant.validation.summaries[position].summary.mean));
        });
        text.push('\n');
    }
    text
}

/// A table of the results of all variants; where there are several their names are the first column, `variant`.
fn of_variants(variants: &[ClassResult], of: impl Fn(&ClassValidation) -> Vec<Vec<String>>) -> String {
    let is_several = variants.len() > 1;
    let mut all: Vec<Vec<String>> = Vec::new();
    for variant in variants {
        let rows = of(&variant.validation);
        for row in rows.into_iter().skip(usize::from(!all.is_empty())) {
            let name = if all.is_empty() { "variant" } else { &variant.names.name };
            all.push(is_several.then(|| name.to_owned()).into_iter().chain(row).collect());
        }
    }
    let mut rows = all.into_iter();
    let header = rows.next().unwrap_or_default();
    table(&header.iter().map(String::as_str).collect::<Vec<_>>(), rows)
}

/// `fold,examples` and each metric: a row for each run.
#[must_use]
pub fn metrics_csv(variants: &[ClassResult]) -> String {
    of_variants(variants, |validation| {
        let names = CLASS_METRICS.map(|(name, ..)| name);
        let header = ["fold", "examples"].into_iter().chain(names).map(str::to_owned).collect();
        let row = |run: &ClassRun| {
            let numbers = CLASS_METRICS.map(|(.., of)| number(of(&run.metrics)));
            [run.name.clone(), run.scored.len().to_string()].into_iter().chain(numbers).collect()
        };
        std::iter::once(header).chain(validation.runs.iter().map(row)).collect()
    })
}

/// `class,examples,prior,precision,recall,f1,auc_pr,auc_roc`: a row for each class.
#[must_use]
pub fn classes_csv(variants: &[ClassResult]) -> String {
    of_variants(variants, |validation| {
        let header = ["class", "examples", "prior", "precision", "recall", "f1", "auc_pr", "auc_roc"];
        let row = |one: &OneClass| {
            let numbers = [one.prior, one.precision, one.recall, one.f1, one.auc_pr, one.auc_roc].map(number);
            [one.class.clone(), one.examples.to_string()].into_iter().chain(numbers).collect()
        };
        let rows = validation.classes.iter().map(row);
        std::iter::once(header.map(str::to_owned).to_vec()).chain(rows).collect()
    })
}

/// `class` and each class by name: by true class, how many test examples are said to be of each.
#[must_use]
pub fn confusion_csv(variants: &[ClassResult]) -> String {
    of_variants(variants, |validation| {
        let header = std::iter::once("class".to_owned()).chain(validation.names.clone()).collect();
        let row = |(name, row): (&String, &Vec<u64>)| {
            std::iter::once(name.clone()).chain(row.iter().map(ToString::to_string)).collect()
        };
        let rows = validation.names.iter().zip(validation.confusion.rows()).map(row);
        std::iter::once(header).chain(rows).collect()
    })
}

/// `fold`, the target's arguments without the class, `class`, `predicted` and `p_` of each class: a row for each test example.
#[must_use]
pub fn probabilities_csv(problem: &Problem, variants: &[ClassResult]) -> String {
    let own = problem.class_argument();
    let without_class = |mut cells: Vec<String>| {
        own.map(|argument| cells.remove(argument));
        cells
    };
    let arguments = without_class(argument_names(problem));
    of_variants(variants, |validation| {
        let names = &validation.names;
        let header = std::iter::once("fold".to_owned())
            .chain(arguments.clone())
            .chain(["class", "predicted"].map(str::to_owned))
            .chain(names.iter().map(|name| format!("p_{name}")))
            .collect();
        let row = |run: &ClassRun, score: &ClassScore| {
            let truth = score.truth.map_or_else(String::new, |class| names[class.index()].clone());
            std::iter::once(run.name.clone())
                .chain(without_class(problem.argument_cells(score.example)))
                .chain([truth, names[score.said.index()].clone()])
                .chain(score.probabilities.iter().map(ToString::to_string))
                .collect()
        };
        let rows = validation.runs.iter().flat_map(|run| run.scored.iter().map(move |score| row(run, score)));
        std::iter::once(header).chain(rows).collect()
    })
}

fn number(value: Option<f64>) -> String {
    value.map_or_else(String::new, |value| value.to_string())
}
