//! A cross-validation of many classes as a document and as CSV.

use crate::experiment::classes::metrics::ClassScore;
use crate::experiment::classes::validation::{
    ClassAnswer, ClassResult, ClassRun, ClassSummary, ClassValidation, OneClass,
};
use crate::experiment::metrics::metric_list::{Metric, of_classes};
use crate::experiment::scoring::predict::argument_names;
use gleaner_data::Problem;
use gleaner_stats::eval::ConfusionMatrix;

use super::csv_tables::table;
use super::document::{Cell, Column, Table, shortened};
use super::{Answer, Document, Events, metric, stopped};

/// The notes that explain the columns.
const NOTES: [&str; 2] = [
    "accuracy: of the most probable class; log loss: of the classes' probabilities;\n\
    prior: of the classes' shares of train and tune; micro f1 is the accuracy",
    "auc_pr, auc_roc: of each class against the rest by its probability, averaged",
];

impl Events for ClassAnswer {}

impl Answer for ClassAnswer {
    fn document(&self) -> Document {
        let mut document = Document::new();
        for variant in &self.variants {
            if !variant.names.name.is_empty() {
                document.gap();
                document.heading(variant.names.name.as_str());
            }
            document.extend_apart(validation_document(&variant.validation));
        }
        if self.variants.len() > 1 {
            document.gap();
            document.heading("all, on the same folds");
            document.gap();
            document.table(side_by_side(&self.variants));
        }
        NOTES.iter().for_each(|note| document.line(*note));
        document
    }
}

/// The searches that were stopped, in lines.
pub fn stop_lines(answer: &ClassAnswer) -> String {
    stopped::lines(&answer.stopped) + &stopped::repeats_left_out_line(answer.repeats_left_out)
}

/// The metrics of the table of folds, which is as wide as a terminal, with their places among all.
fn shown() -> impl Iterator<Item = (usize, &'static Metric)> {
    of_classes().enumerate().filter(|(_, metric)| metric.shown.in_folds > 0)
}

/// The columns of the shown metrics.
fn metric_columns() -> impl Iterator<Item = Column> {
    shown().map(|(_, metric)| Column::number(metric.title, 9).named(metric.name))
}

/// The value that a row below the folds shows of each metric.
type OfSummary = fn(&ClassSummary) -> Option<f64>;

fn validation_document(validation: &ClassValidation) -> Document {
    let sizes = [Column::text("fold", 11).below(11), Column::number("n", 6).named("examples")];
    let mut table = Table::new(sizes.into_iter().chain(metric_columns()));
    for run in &validation.runs {
        let values = shown().map(|(_, known)| metric(known.of_classes(&run.metrics)));
        table.row([run.name.clone(), run.scored.len().to_string()].into_iter().chain(values));
    }
    let rows: [(&str, OfSummary); 3] = [
        ("mean", |metric| metric.summary.mean),
        ("sd", |metric| metric.summary.sd),
        ("95% +-", |metric| metric.intervals.ci95),
    ];
    for (title, of) in rows {
        let values = shown().map(|(position, _)| metric(of(&validation.summaries[position])).into());
        table.row([Cell::spanning(title, 2)].into_iter().chain(values));
    }
    let mut document = Document::new();
    document.table(table);
    document.gap();
    document.table(class_table(&validation.classes));
    document.extend_apart(confusion_table(&validation.names, &validation.confusion));
    document
}

pub(super) fn class_table(classes: &[OneClass]) -> Table {
    let numbers =
        [("n", 8), ("prior", 8), ("precision", 10), ("recall", 8), ("f1", 8), ("auc_pr", 8), ("auc_roc", 8)];
    let numbers = numbers.map(|(title, width)| Column::number(title, width));
    let row = |one: &OneClass| {
        let OneClass { class, examples, prior, precision, recall, f1, auc_pr, auc_roc } = one;
        let values = [prior, precision, recall, f1, auc_pr, auc_roc].map(|value| metric(*value));
        [class.clone(), examples.to_string()].into_iter().chain(values)
    };
    Table::new([Column::text("class", 20).below(20)].into_iter().chain(numbers))
        .with_rows(classes.iter().map(row))
}

/// Classes whose columns fit a terminal.
const MOST_COLUMNS: usize = 7;

/// The confusion table: true classes by rows, predicted ones by columns. If the classes are many, only the run folder has it.
pub fn confusion_table(names: &[String], confusion: &ConfusionMatrix) -> Document {
    let mut document = Document::new();
    if names.len() > MOST_COLUMNS {
        document.line(format!(
            "{} classes: confusion.csv of ⁅run⁆ has the predictions for each class",
            names.len()
        ));
        return document;
    }
    let said = names.iter().map(|name| Column::number(shortened(name, 9), 9).named(name.as_str()));
    let row = |(name, row): (&String, &Vec<u64>)| {
        [name.clone()].into_iter().chain(row.iter().map(ToString::to_string)).collect::<Vec<_>>()
    };
    document.table(
        Table::new([Column::text("class, is said:", 17).below(17)].into_iter().chain(said))
            .with_rows(names.iter().zip(confusion.rows()).map(row)),
    );
    document
}

fn side_by_side(variants: &[ClassResult]) -> Table {
    let name = Column::text("", 17).below(17).named("variant");
    let row = |variant: &ClassResult| {
        let means = shown().map(|(position, _)| metric(variant.validation.summaries[position].summary.mean));
        [variant.names.short_name.clone()].into_iter().chain(means).collect::<Vec<_>>()
    };
    Table::new([name].into_iter().chain(metric_columns())).with_rows(variants.iter().map(row))
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
pub fn metrics_csv(variants: &[ClassResult]) -> String {
    of_variants(variants, |validation| {
        let names = of_classes().map(|metric| metric.name);
        let header = ["fold", "examples"].into_iter().chain(names).map(str::to_owned).collect();
        let row = |run: &ClassRun| {
            let numbers = of_classes().map(|metric| number(metric.of_classes(&run.metrics)));
            [run.name.clone(), run.scored.len().to_string()].into_iter().chain(numbers).collect()
        };
        std::iter::once(header).chain(validation.runs.iter().map(row)).collect()
    })
}

/// `class,examples,prior,precision,recall,f1,auc_pr,auc_roc`: a row for each class.
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

/// `class` and each class by name: by true class, the number of test examples predicted to be of each.
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
