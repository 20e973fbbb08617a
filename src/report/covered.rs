//! What clauses cover, as rows of CSV and as events.

use serde_json::{Value as Json, json};

use crate::eval::Confusion;

/// One clause and what it covers.
#[derive(Clone, Debug)]
pub struct CoveredClause {
    /// The clause as it was written, on one line.
    pub clause: String,
    /// Its counts.
    pub confusion: Confusion,
    /// The covered examples as atoms, where they were asked for.
    pub examples: Option<Vec<String>>,
}

impl CoveredClause {
    /// How many examples it covers: `TP + FP`.
    const fn support(&self) -> u64 {
        self.confusion.true_positives() + self.confusion.false_positives()
    }

    /// The event of the clause.
    #[must_use]
    pub fn event(&self) -> Json {
        let mut event = json!({
            "event": "clause",
            "clause": self.clause,
            "tp": self.confusion.true_positives(),
            "fp": self.confusion.false_positives(),
            "precision": self.confusion.precision(),
            "recall": self.confusion.recall(),
            "support": self.support(),
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
            self.confusion.true_positives().to_string(),
            self.confusion.false_positives().to_string(),
            super::csv_tables::number(self.confusion.precision()),
            super::csv_tables::number(self.confusion.recall()),
            self.support().to_string(),
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
