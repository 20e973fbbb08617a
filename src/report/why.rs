//! The answer of `why` as text and as events.

use std::fmt::Write;

use serde_json::Value as Json;

use crate::experiment::why_answer::{LiteralAnswer, Seeds, WhyAnswer};

use super::text::cut_name;
use super::{Answer, answer, metric, wrapped};

impl Answer for WhyAnswer {
    fn text(&self) -> String {
        let mut text = format!("{}\n\n{}\n", self.clause, self.language_line());
        for fault in &self.faults {
            let _ = writeln!(text, "     {fault}");
        }
        for step in &self.steps {
            let _ = writeln!(text, "{:>3}  {}", step.position, step.literal);
            for line in &step.remarks {
                let _ = writeln!(text, "     {line}");
            }
        }
        text.push_str(&self.added_line());
        text.push_str(&self.written_order());
        text.push_str(&self.seeds.as_ref().map_or_else(String::new, |seeds| self.reach_line(seeds)));
        let _ = write!(text, "\n{}{}\n", self.set_table(), self.acceptance());
        if !self.steps.is_empty() {
            let _ = write!(text, "\n{}", self.step_table());
        }
        text
    }

    fn items(&self) -> Vec<Json> {
        self.steps.iter().map(|step| answer::event("literal", step)).collect()
    }
}

impl WhyAnswer {
    fn language_line(&self) -> String {
        let (most, deepest) = (self.bounds.max_literals, self.bounds.depth);
        let is_in = if self.in_language { "yes" } else { "no" };
        format!(
            "in the language: {is_in}; {} literals of at most {most}, depth {} of at most {deepest}",
            self.n_literals, self.depth
        )
    }

    /// What object identity adds to the clause wherever a search meets it.
    fn added_line(&self) -> String {
        if self.added.is_empty() || !self.is_admitted {
            return String::new();
        }
        format!("     --object-identity on adds {}\n", self.added.join(", "))
    }

    /// The order in which the literals can be called, where that is not as they are written.
    fn written_order(&self) -> String {
        if self.order.is_sorted() || !self.is_admitted {
            return String::new();
        }
        let numbers: Vec<String> = self.order.iter().map(ToString::to_string).collect();
        format!("     called in the order {}\n", numbers.join(", "))
    }

    fn reach_line(&self, seeds: &Seeds) -> String {
        let Seeds { tried, reached, open, cuts, missing_constants, n_one_value } = seeds;
        if *tried == 0 {
            return String::new();
        }
        let mut text =
            format!("     {reached} of {tried} positives that it covers have it in their bottom clauses\n");
        if *open > 0 {
            let _ = writeln!(text, "     of {open} of them that was not found out");
        }
        if *reached + *open == 0 && cuts.is_empty() {
            text.push_str(&self.why_not_reached(*tried, missing_constants, *n_one_value));
        }
        if !cuts.is_empty() {
            let names: Vec<&str> = cuts.iter().map(|cut| cut_name(*cut)).collect();
            let _ = writeln!(text, "     those of the others were cut by {}", names.join(" and "));
        }
        text
    }

    /// Why no bottom clause has it, as far as that is known.
    fn why_not_reached(&self, n_tried: usize, missing: &[String], n_one_value: usize) -> String {
        if self.depth > self.bounds.depth {
            return "     nothing else gives its variables in fewer rounds\n".to_owned();
        }
        match missing {
            [] if n_one_value == n_tried => {
                "     two of its variables have one value there, and are one variable\n".to_owned()
            }
            [] => "     why is not known: none has all its literals together\n".to_owned(),
            [one] => format!("     one lacks {one}: its constants are the values that its seed has\n"),
            [one, ..] => format!(
                "     one lacks {one}, and {} more: its constants are the values that its seed has\n",
                missing.len() - 1
            ),
        }
    }

    fn set_table(&self) -> String {
        let name = &self.score_name;
        // A formula has a line of its own below the table.
        let is_long = name.chars().count() >= SCORE_COLUMNS;
        let mut text = format!(
            "{:<8}{:>10}{:>10}{:>8}{:>8}{:>11}{:>8}{:>17}\n",
            "set",
            "positives",
            "negatives",
            "TP",
            "FP",
            "precision",
            "recall",
            if is_long { "score" } else { name }
        );
        for name in &self.set_names {
            let set = &self.sets[name];
            let _ = writeln!(
                text,
                "{name:<8}{:>10}{:>10}{:>8}{:>8}{:>11}{:>8}{:>17}",
                set.positives,
                set.negatives,
                set.covered.tp,
                set.covered.fp,
                metric(set.precision),
                metric(set.recall),
                metric(set.score)
            );
        }
        if is_long {
            let _ = writeln!(text, "score: {name}");
        }
        text
    }

    fn acceptance(&self) -> String {
        if self.acceptable {
            let mut text = format!(
                "acceptable: --min-pos {}, --min-precision {}",
                self.bounds.min_positives, self.bounds.min_precision
            );
            let most = self.bounds.max_negatives;
            let _ = most.map_or(Ok(()), |most| write!(text, ", --max-neg {most}"));
            if self.in_language {
                text.push_str(
                    "\nnothing keeps `learn` from it: more --clauses or --seeds make it likelier that a\n\
                     search meets it, and of each bin only the best clauses vote",
                );
            }
            return text;
        }
        format!("not acceptable: {}", self.bound_faults.join(";\n                "))
    }

    /// A row for each literal, and below it what needs words.
    fn step_table(&self) -> String {
        let mut text = format!(
            "{:<10}{:>8}{:>18}{:>17}\n",
            format!("on {}:", self.set_names[0]),
            "up to it",
            "lost by it",
            "without it"
        );
        let _ = writeln!(text, "{0:>10}{1:>8}{0:>10}{1:>8}{0:>9}{1:>8}", "TP", "FP");
        let _ = writeln!(text, "{:>10}{:>8}{:37}the head alone", self.head.tp, self.head.fp, "");
        for step in &self.steps {
            let _ = writeln!(
                text,
                "{:>2}{:>8}{:>8}{:>10}{:>8}{:>9}{:>8}  {}",
                step.position,
                step.left.tp,
                step.left.fp,
                step.lost.tp,
                step.lost.fp,
                step.without.tp,
                step.without.fp,
                step.literal
            );
            for line in self.step_lines(step) {
                let _ = writeln!(text, "      {line}");
            }
        }
        text
    }

    fn step_lines(&self, step: &LiteralAnswer) -> Vec<String> {
        let mut lines = Vec::new();
        if step.waits {
            lines.push("it waits for values that later literals give".to_owned());
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

    /// What would change without the literal. A clause never covers less with a literal less.
    fn need(&self, step: &LiteralAnswer) -> String {
        let (with, without) = (self.sets[self.set_names[0]].covered, step.without);
        let numbers: Vec<String> = step.needed_by.iter().map(ToString::to_string).collect();
        let it = match numbers.as_slice() {
            [] => "it".to_owned(),
            others => format!("it and {}, which it gives values,", others.join(", ")),
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
