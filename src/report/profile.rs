//! The description of a problem, for `inspect`.
//!
//! What a run was learned from, as tables.

use gleaner_learn::shown::Noun;

use crate::experiment::loading::inspect::{
    DataProfile, InspectAnswer, ModesAnswer, NumberRange, RunSizes, TableKeys,
};
use crate::experiment::loading::modes_estimate::ModesEstimate;

use super::csv_tables::table;
use super::document::{Column, Table};
use super::numbers::shown;
use super::text::{narrow, problem_line};
use super::{Answer, Document, Events};

impl Events for InspectAnswer {}

impl Answer for InspectAnswer {
    /// Predicates, modes, folds and examples.
    fn document(&self) -> Document {
        let mut document = Document::new();
        document.lines(&narrow(&problem_line(&self.problem)));
        document.line(format!(
            "{} constants, {} predicates with facts or rules, {}",
            self.constants,
            self.predicates.len(),
            Noun { one: "world", many: "worlds" }.counted(self.worlds)
        ));
        document.gap();
        if let Some(tables) = &self.tables {
            document.table(key_table(tables));
            document.gap();
            document.line(format!("head: {}", self.head));
            document.line(format!(
                "{} modes of bodies are proposed from what the columns mean:",
                self.body.len()
            ));
            document.line("⁅propose-modes⁆ prints them, and ⁅propose-schema⁆ what the columns mean");
        } else {
            document.table(self.predicate_table());
            document.gap();
            document.line(format!("head: {}", self.head));
            document.table(self.mode_table());
        }
        document.line(format!("depth: {}", self.called.depth));
        if let Some(ModesEstimate { given, proposed }) = self.modes_estimate {
            document.line(format!(
                "area of short clauses on a sample: {given:.2} with these modes, {proposed:.2} with proposed ones, which have \
                 constants (⁅propose-modes⁆)"
            ));
        }
        if let Some(way) = self.target_in_body {
            document.line(format!(
                "worth a try: ⁅target-in-body={way}⁆, since links of the target help to predict others"
            ));
        }
        if let Some(numbers) = &self.problem.numbers {
            document.gap();
            document.table(number_table(numbers));
            document.gap();
            document.line("examples of the upper half of the numbers (pos) and of the lower half (neg)");
        }
        if let Some(class) = self.problem.classes.first() {
            document.gap();
            document.line(format!("examples of class {} (pos) and of the others (neg)", class.class));
        }
        document.gap();
        document.table(self.run_table());
        document
    }
}

/// The tables of a database: what names their rows, says when these came to be, and leads to others.
fn key_table(tables: &[TableKeys]) -> Table {
    const TITLES: [&str; 4] = ["table", "key", "time", "points to"];
    let row = |table: &TableKeys| {
        let cell = |name: &Option<String>| name.clone().unwrap_or_default();
        let link = |[column, to]: &[String; 2]| {
            if column == to { column.clone() } else { format!("{column} -> {to}") }
        };
        let links: Vec<String> = table.links.iter().map(link).collect();
        [table.name.clone(), cell(&table.key), cell(&table.time), links.join(", ")]
    };
    let rows: Vec<[String; 4]> = tables.iter().map(row).collect();
    let column = |at: usize| {
        let cells = rows.iter().map(|row| row[at].chars().count());
        let width = if at == 3 { 0 } else { cells.max().unwrap_or(0).max(TITLES[at].len()) };
        Column::text(TITLES[at], width).after(if at == 0 { 0 } else { 2 })
    };
    Table::new((0..TITLES.len()).map(column)).with_rows(rows.iter().cloned())
}

/// The numbers of the examples: how many there are, their mean and spread, and their quarters.
fn number_table(numbers: &NumberRange) -> Table {
    let columns = [
        ("numbers", 7),
        ("distinct", 8),
        ("mean", 8),
        ("sd", 8),
        ("least", 8),
        ("25 %", 8),
        ("median", 8),
        ("75 %", 8),
        ("greatest", 8),
    ];
    let counts = [numbers.n, numbers.distinct].map(|n| n.to_string());
    let NumberRange { mean, sd, least, lower_quartile, median, upper_quartile, greatest, .. } = *numbers;
    let figures = [Some(mean), sd, Some(least), Some(lower_quartile), Some(median), Some(upper_quartile)];
    let figures = figures.into_iter().chain([Some(greatest)]).map(shown);
    Table::new(columns.map(|(title, width)| Column::number(title, width).after(1)))
        .with_rows([counts.into_iter().chain(figures)])
}

impl InspectAnswer {
    fn predicate_table(&self) -> Table {
        let numbers = [("facts", 12), ("distinct", 12), ("rules", 8), ("tuples", 12)];
        let numbers = numbers.map(|(title, width)| Column::number(title, width));
        Table::new([Column::text("predicate", 36)].into_iter().chain(numbers)).with_rows(
            self.predicates.iter().map(|row| {
                let counts = [row.n_facts, row.n_distinct, row.n_rules, row.n_tuples];
                [row.predicate.to_string()].into_iter().chain(counts.map(|count| count.to_string()))
            }),
        )
    }

    /// The modes of bodies, and from which depth on each is called.
    fn mode_table(&self) -> Table {
        let columns = [
            Column::text("", 0).named("of"),
            Column::code("").after(1).named("mode"),
            Column::text("", 0).after(2).named("called"),
        ];
        let rows = self.body.iter().zip(&self.called.first_rounds).map(|(mode, round)| {
            let called = match round {
                Some(round) => format!("from depth {round}"),
                None => "never called".to_owned(),
            };
            ["body:".to_owned(), mode.clone(), called]
        });
        Table::new(columns).with_rows(rows).fitted(1)
    }

    fn run_table(&self) -> Table {
        let sets = ["train pos/neg", "tune pos/neg", "test pos/neg"].map(|title| Column::number(title, 16));
        let row = |RunSizes { name, sets }: &RunSizes| {
            let sets = sets.map(|[positives, negatives]| format!("{positives}/{negatives}"));
            [name.clone()].into_iter().chain(sets).collect::<Vec<_>>()
        };
        Table::new([Column::text("run", 12)].into_iter().chain(sets)).with_rows(self.runs.iter().map(row))
    }
}

impl Events for ModesAnswer<'_> {}

impl Answer for ModesAnswer<'_> {
    fn document(&self) -> Document {
        let mut document = Document::new();
        document.clauses(self.modes.lines().map(str::to_owned).collect());
        document
    }
}

/// `predicate,facts,distinct,rules,tuples,modes`: a row for each predicate.
pub fn predicates_csv(profile: &DataProfile) -> String {
    let rows = profile.predicates.iter().map(|row| {
        let counts = [row.facts, row.distinct, row.rules, row.tuples].map(|count| count.to_string());
        [row.predicate.clone()].into_iter().chain(counts).chain([row.modes.clone()]).collect()
    });
    table(&["predicate", "facts", "distinct", "rules", "tuples", "modes"], rows)
}

/// `code,message,help,place`: a row for each warning.
pub fn warnings_csv(profile: &DataProfile) -> String {
    let rows = profile
        .warnings
        .iter()
        .map(|row| vec![row.code.clone(), row.message.clone(), row.help.clone(), row.place.clone()]);
    table(&["code", "message", "help", "place"], rows)
}
