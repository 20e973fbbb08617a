//! What clauses cover, as rows of CSV and as events.

use serde_json::{Value as Json, json};

use crate::base::{Counts, Totals};

/// One clause and what it covers.
#[derive(Clone, Debug)]
pub struct CoveredClause {
    /// The clause as it was written, on one line.
    pub clause: String,
    /// What it covers.
    pub counts: Counts,
    /// How many examples there are.
    pub totals: Totals,
    /// The covered examples as atoms, where they were asked for.
    pub examples: Option<Vec<String>>,
}

impl CoveredClause {
    fn precision(&self) -> Option<f64> {
        self.counts.precision(self.totals.negative_weight)
    }

    /// The event of the clause.
    #[must_use]
    pub fn event(&self) -> Json {
        let mut event = json!({
            "event": "clause",
            "clause": self.clause,
            "tp": self.counts.true_positives,
            "fp": self.counts.false_positives,
            "precision": self.precision(),
            "recall": self.counts.recall(self.totals),
            "support": self.counts.n_covered(),
        });
        if let Some(examples) = &self.examples {
            event["examples"] = json!(examples);
        }
        event
    }

    /// `clause,tp,fp,precision,recall,support`, and the examples as facts, which read back as such.
    fn row(&self) -> Vec<String> {
        let mut row = vec![
            self.clause.clone(),
            self.counts.true_positives.to_string(),
            self.counts.false_positives.to_string(),
            super::csv_tables::number(self.precision()),
            super::csv_tables::number(self.counts.recall(self.totals)),
            self.counts.n_covered().to_string(),
        ];
        row.extend(self.examples.as_ref().map(|examples| {
            examples.iter().map(|example| format!("{example}.")).collect::<Vec<String>>().join(" ")
        }));
        row
    }
}

/// The header of the rows.
#[must_use]
pub fn header(has_examples: bool) -> String {
    let names = ["clause", "tp", "fp", "precision", "recall", "support", "examples"];
    let n_columns = if has_examples { names.len() } else { names.len() - 1 };
    super::csv_tables::table(&names[..n_columns], std::iter::empty())
}

/// The rows of some clauses, without the header.
#[must_use]
pub fn rows(clauses: &[CoveredClause]) -> String {
    super::csv_tables::records(clauses.iter().map(CoveredClause::row))
}
