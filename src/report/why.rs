//! The answer of `why` as a document and as events.

use serde_json::Value as Json;

use crate::experiment::scoring::why_answer::{LiteralAnswer, Seeds, WhyAnswer};

use super::document::{Align, Cell, Column, Table};
use super::text::cut_name;
use super::{Answer, Document, Events, answer, metric, wrapped};

impl Events for WhyAnswer {
    fn items(&self) -> Vec<Json> {
        self.steps.iter().map(|step| answer::event("literal", step)).collect()
    }
}

impl Answer for WhyAnswer {
    fn document(&self) -> Document {
        let mut document = Document::new();
        document.clauses(vec![self.clause.clone()]);
        document.gap();
        document.line(self.language_line());
        self.faults.iter().for_each(|fault| document.line(format!("     {fault}")));
        document.table(self.literal_table());
        self.added_line().into_iter().for_each(|line| document.line(line));
        self.written_order().into_iter().for_each(|line| document.line(line));
        if let Some(seeds) = self.seeds.as_ref().filter(|seeds| seeds.tried > 0) {
            self.reach_lines(&mut document, seeds);
        }
        document.gap();
        self.set_table(&mut document);
        self.acceptance(&mut document);
        if !self.steps.is_empty() {
            document.gap();
            document.table(self.step_table());
        }
        document
    }
}

impl WhyAnswer {
    /// The literals by their numbers, with remarks on each.
    fn literal_table(&self) -> Table {
        let columns = [Column::number("", 3).named("no."), Column::code("").after(2).named("literal")];
        let mut table = Table { remark_indent: 5, ..Table::new(columns) };
        for step in &self.steps {
            table.remarked_row([step.position.to_string(), step.literal.clone()], step.remarks.clone());
        }
        table
    }

    fn language_line(&self) -> String {
        let (most, deepest) = (self.bounds.max_literals, self.bounds.depth);
        let is_in = if self.in_language { "yes" } else { "no" };
        format!(
            "in the language: {is_in}; {} literals of at most {most}, depth {} of at most {deepest}",
            self.n_literals, self.depth
        )
    }

    /// The literals that object identity adds to the clause wherever a search meets it.
    fn added_line(&self) -> Option<String> {
        let is_told = !self.added.is_empty() && self.is_admitted;
        is_told.then(|| format!("     ⁅object-identity=on⁆ adds {}", self.added.join(", ")))
    }

    /// The order in which the literals can be called, where that is not as they are written.
    fn written_order(&self) -> Option<String> {
        let numbers: Vec<String> = self.order.iter().map(ToString::to_string).collect();
        let is_told = !self.order.is_sorted() && self.is_admitted;
        is_told.then(|| format!("     called in the order {}", numbers.join(", ")))
    }

    fn reach_lines(&self, document: &mut Document, seeds: &Seeds) {
        let Seeds { tried, reached, open, cuts, missing_constants, n_one_value } = seeds;
        document.line(format!(
            "     {reached} of {tried} positives that it covers have it in their bottom clauses"
        ));
        if *open > 0 {
            document.line(format!("     for {open} of them the check was not finished"));
        }
        if *reached + *open == 0 && cuts.is_empty() {
            document.line(self.why_not_reached(*tried, missing_constants, *n_one_value));
        }
        if !cuts.is_empty() {
            let names: Vec<&str> = cuts.iter().map(|cut| cut_name(*cut)).collect();
            document.line(format!("     {} cut the bottom clauses of the others", names.join(" and ")));
        }
    }

    /// Why no bottom clause has it, as far as that is known.
    fn why_not_reached(&self, n_tried: usize, missing: &[String], n_one_value: usize) -> String {
        if self.depth > self.bounds.depth {
            return "     no other literals give its variables at a smaller depth".to_owned();
        }
        match missing {
            [] if n_one_value == n_tried => {
                "     two of its variables have the same value there, and become one variable".to_owned()
            }
            [] => "     reason unknown: no bottom clause has all its literals".to_owned(),
            [one] => format!("     one lacks {one}: a bottom clause has only the constants of its own seed"),
            [one, ..] => format!(
                "     one lacks {one}, and {} more: a bottom clause has only the constants of its own seed",
                missing.len() - 1
            ),
        }
    }

    fn set_table(&self, document: &mut Document) {
        let name = &self.score_name;
        // A formula has a line of its own below the table.
        let is_long = name.chars().count() >= SCORE_COLUMNS;
        let numbers =
            [("positives", 10), ("negatives", 10), ("TP", 8), ("FP", 8), ("precision", 11), ("recall", 8)];
        let numbers = numbers.map(|(title, width)| Column::number(title, width));
        let score = Column::number(if is_long { "score" } else { name }, SCORE_COLUMNS);
        let row = |name: &&'static str| {
            let set = &self.sets[*name];
            let counts = [set.positives, set.negatives, set.covered.tp, set.covered.fp];
            [(*name).to_owned()]
                .into_iter()
                .chain(counts.map(|count| count.to_string()))
                .chain([set.precision, set.recall, set.score].map(metric))
                .collect::<Vec<_>>()
        };
        let columns = [Column::text("set", 8)].into_iter().chain(numbers).chain([score]);
        document.table(Table::new(columns).with_rows(self.set_names.iter().map(row)));
        if is_long {
            document.line(format!("score: {name}"));
        }
    }

    fn acceptance(&self, document: &mut Document) {
        if !self.acceptable {
            document.line(format!("not acceptable: {}", self.bound_faults.join(";\n                ")));
            return;
        }
        let most = self.bounds.max_negatives.map_or_else(String::new, |most| format!(", ⁅max-neg={most}⁆"));
        document.line(format!(
            "acceptable: ⁅min-pos={}⁆, ⁅min-precision={}⁆{most}",
            self.bounds.min_positives, self.bounds.min_precision
        ));
        if self.in_language {
            document.line(
                "`learn` can find it: more ⁅clauses⁆ or ⁅seeds⁆ make that likelier;\n\
                 of each bin, only the best clauses vote",
            );
        }
    }

    /// A row for each literal, with remarks below it.
    fn step_table(&self) -> Table {
        let counts = [("up to it", 8, 8), ("lost by it", 10, 8), ("without it", 9, 8)];
        let pair = |(name, left, right): (&str, usize, usize)| {
            [("TP", left), ("FP", right)]
                .map(|(title, width)| Column::number(title, width).named(format!("{name}: {title}")))
        };
        let columns = [Column::number("", 2).named("no.")]
            .into_iter()
            .chain(counts.into_iter().flat_map(pair))
            .chain([Column::code("").after(2).named("literal")]);
        let on = Cell { align: Some(Align::Left), ..Cell::spanning(format!("on {}:", self.set_names[0]), 2) };
        let [up_to, lost, without] = counts.map(|(name, ..)| name);
        let above = vec![on, up_to.into(), Cell::spanning(lost, 2), Cell::spanning(without, 2)];
        let mut table = Table { above, remark_indent: 6, ..Table::new(columns) };
        let [tp, fp] = [self.head.tp, self.head.fp].map(|count| count.to_string());
        table.row(["", &tp, &fp, "", "", "", "", "the head alone"]);
        for step in &self.steps {
            let LiteralAnswer { position, left, lost, without, .. } = step;
            let counts = [*position, left.tp, left.fp, lost.tp, lost.fp, without.tp, without.fp];
            let counts = counts.map(|count| count.to_string());
            table.remarked_row(counts.into_iter().chain([step.literal.clone()]), self.step_lines(step));
        }
        table
    }

    fn step_lines(&self, step: &LiteralAnswer) -> Vec<String> {
        let mut lines = Vec::new();
        if step.waits {
            lines.push("it needs values that later literals give".to_owned());
        }
        if step.left.tp == 0 && step.lost.tp > 0 {
            lines.push("*** no positive is left from here on".to_owned());
        }
        lines.extend(wrapped(self.need(step).split(' ').map(str::to_owned), STEP_COLUMNS));
        if !step.lost_positives.is_empty() {
            let n_more = step.lost.tp - step.lost_positives.len();
            let words = ["loses".to_owned()].into_iter().chain(step.lost_positives.iter().cloned());
            let more = (n_more > 0).then(|| format!("and {n_more} more"));
            lines.extend(wrapped(words.chain(more), STEP_COLUMNS));
        }
        lines
    }

    /// The covers without the literal. Removing a literal never makes a clause cover less.
    fn need(&self, step: &LiteralAnswer) -> String {
        let (with, without) = (self.sets[self.set_names[0]].covered, step.without);
        let numbers: Vec<String> = step.needed_by.iter().map(ToString::to_string).collect();
        let it = match numbers.as_slice() {
            [] => "it".to_owned(),
            others => format!("it and {}, which need its values,", others.join(", ")),
        };
        let grows = |with: usize, without: usize| format!("from {with} to {without}");
        let tp = grows(with.tp, without.tp);
        let fp = grows(with.fp, without.fp);
        match (with.tp != without.tp, with.fp != without.fp) {
            (true, _) if with.tp == 0 => {
                format!("without {it} TP grows {tp}, FP {fp}")
            }
            (true, true) => format!("needed: without {it} FP grows {fp}, TP {tp}"),
            (false, true) => format!("needed: without {it} FP grows {fp}, TP stays"),
            (true, false) => format!("harmful: without {it} TP grows {tp}, FP stays"),
            (false, false) if with.tp + with.fp == 0 => {
                format!("without {it} nothing is covered either")
            }
            (false, false) => format!("not needed: without {it} nothing changes"),
        }
    }
}

/// Columns of the table of sets that hold the score.
const SCORE_COLUMNS: usize = 17;

/// Columns that lines below a row of the table have.
const STEP_COLUMNS: usize = 74;
