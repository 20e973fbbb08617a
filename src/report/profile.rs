//! What a problem holds as text, for `inspect`.

use std::fmt::Write;

use crate::experiment::inspect::{InspectAnswer, ModesAnswer, RunSizes};

use crate::experiment::modes_estimate::ModesEstimate;

use super::{Answer, text::problem_line};

impl Answer for InspectAnswer {
    /// Predicates, modes, folds and examples.
    fn text(&self) -> String {
        let mut text = problem_line(&self.problem);
        text.push('\n');
        let _ = writeln!(
            text,
            "{} constants, {} predicates with facts or rules, {} worlds\n",
            self.constants,
            self.predicates.len(),
            self.worlds
        );
        let _ = writeln!(
            text,
            "{:<36}{:>12}{:>12}{:>8}{:>12}",
            "predicate", "facts", "distinct", "rules", "tuples"
        );
        for row in &self.predicates {
            let _ = writeln!(
                text,
                "{:<36}{:>12}{:>12}{:>8}{:>12}",
                row.predicate, row.n_facts, row.n_distinct, row.n_rules, row.n_tuples
            );
        }
        let _ = writeln!(text, "\nhead: {}", self.head);
        let width = self.body.iter().map(|mode| mode.chars().count()).max().unwrap_or(0);
        for (mode, round) in self.body.iter().zip(&self.called.first_rounds) {
            let called = match round {
                Some(round) => format!("from depth {round}"),
                None => "never called".to_owned(),
            };
            let _ = writeln!(text, "body: {mode:<width$}  {called}");
        }
        let _ = writeln!(text, "depth: {}", self.called.depth);
        if let Some(ModesEstimate { given, proposed }) = self.modes_estimate {
            let _ = writeln!(
                text,
                "area of short clauses on a sample: {given:.2} with these modes, {proposed:.2} with proposed ones, which have \
                 constants (--propose-modes)"
            );
        }
        if let Some(way) = self.target_in_body {
            let _ = writeln!(
                text,
                "worth a try: --target-in-body {way}, for links of the target that tell of others"
            );
        }
        if let Some(class) = self.problem.classes.first() {
            let _ = writeln!(text, "\nexamples of class {} (pos) and of the others (neg)", class.class);
        }
        let _ = writeln!(
            text,
            "\n{:<12}{:>16}{:>16}{:>16}",
            "run", "train pos/neg", "tune pos/neg", "test pos/neg"
        );
        for RunSizes { name, sets } in &self.runs {
            let [train, tune, test] = sets.map(|[positives, negatives]| format!("{positives}/{negatives}"));
            let _ = writeln!(text, "{name:<12}{train:>16}{tune:>16}{test:>16}");
        }
        text
    }
}

impl Answer for ModesAnswer<'_> {
    fn text(&self) -> String {
        self.modes.to_owned()
    }
}
