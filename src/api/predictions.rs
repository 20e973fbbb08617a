//! The predictions of a model: a table of typed columns, and the scores of positives and negatives.

use gleaner_stats::eval::{
    Measuring, Metrics, PrCurve, PrPoint, ProbabilityMetrics, Ranking, metrics, probability_metrics,
};

use crate::experiment::metrics::columns::{Column, Columns, Values};
use crate::report::csv_tables::records;
use gleaner_lang::syntax::{Diagnostic, codes};

use super::Error;

/// The predictions for examples: a table of typed columns, a row for each example, with a label or without.
///
/// Rows stand in the order of [`Dataset::examples`](crate::Dataset::examples), which is not that of a table's rows. Of the rows of a
/// database's table, [`Predictions::keys`] tell which is which; else the arguments do, in columns with the names that a table of
/// facts gives them, or `argument1`, `argument2` and so on.
///
/// The columns are those that `gleaner predict` prints: of positives and negatives `example`, the arguments, `score`,
/// `probability`, `decision`, `confidence`, `label`; of many classes the arguments, `class`, `predicted`, `p_CLASS` of each; of
/// numbers `example`, the arguments, `predicted`, `low_80`, `high_80`, `low_90`, `high_90`, `number`. A label, class or number
/// that the data do not give is `None`.
///
/// ```
/// use gleaner::{Dataset, Learner, Table};
///
/// let persons = Table::new("persons").column("id", (1..=40).collect::<Vec<i64>>()).key(&["id"]);
/// let persons = persons.column("town", (1..=40).map(|id| ["bern", "oslo"][id % 2]).collect::<Vec<_>>());
/// let won = (1..=40).map(|id| (id < 40).then_some(id % 2 == 0)).collect::<Vec<_>>();
/// let data = Dataset::reader(persons.column("won", won)).label("persons.won").open()?;
/// let predictions = Learner::named("rdn-boost")?.with("rounds", 3)?.fit(&data)?.predict(&data)?;
/// let last = predictions.texts("id").unwrap().iter().position(|id| id.as_deref() == Some("40")).unwrap();
/// assert_eq!(predictions.flags("label").unwrap()[last], None);
/// assert_eq!(predictions.flags("decision").unwrap()[last], Some(true));
/// # Ok::<(), gleaner::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Predictions {
    pub(super) columns: Columns,
    pub(super) keys: Columns,
    /// The prevalence among the examples that the model learnt from, if it has a calibration.
    pub(super) prior: Option<f64>,
}

impl Predictions {
    /// How many rows there are.
    pub fn len(&self) -> usize {
        self.columns.n_rows()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// All columns, in order.
    pub fn columns(&self) -> &[Column] {
        &self.columns.0
    }

    /// The columns that name each row of a database's table, under their names there: its key, or else its foreign keys and its
    /// cut-off; before them `row`, its number from 1, where two rows agree in these. They are what `gleaner predict --to rows`
    /// writes, as texts, also for whole numbers. `texts` finds them by name, unless a column of the predictions has that
    /// name. Empty for other data.
    pub fn keys(&self) -> &[Column] {
        &self.keys.0
    }

    fn values(&self, name: &str) -> Option<&Values> {
        let mut columns = self.columns.0.iter().chain(&self.keys.0);
        columns.find(|column| column.name == name).map(|column| &column.values)
    }

    /// The numbers of a column, one a row; `None` if no column of numbers has this name.
    pub fn numbers(&self, name: &str) -> Option<&[Option<f64>]> {
        match self.values(name)? {
            Values::Number(numbers) => Some(numbers),
            _ => None,
        }
    }

    /// The texts of a column, one a row; `None` if no column of texts has this name.
    pub fn texts(&self, name: &str) -> Option<&[Option<String>]> {
        match self.values(name)? {
            Values::Text(texts) => Some(texts),
            _ => None,
        }
    }

    /// Yes or no of a column, one a row; `None` if no such column has this name.
    pub fn flags(&self, name: &str) -> Option<&[Option<bool>]> {
        match self.values(name)? {
            Values::Flag(flags) => Some(flags),
            _ => None,
        }
    }

    /// The columns as CSV, with a header, as `gleaner predict` prints them.
    pub fn csv(&self) -> String {
        records(self.columns.records())
    }

    /// The scores of positives and negatives, which have metrics and curves.
    ///
    /// # Errors
    ///
    /// Predictions of many classes, of numbers or of links.
    pub fn scores(&self) -> Result<Scores, Error> {
        let columns = (self.texts("example"), self.flags("decision"), self.flags("label"));
        let (Some(examples), Some(decisions), Some(labels)) = columns else {
            let message = "these are no scores of positives and negatives";
            let fault = Diagnostic::error(codes::BAD_SCORES, message);
            return Err(Error::fault(fault.with_help("`columns` has what the model predicts")));
        };
        let number = |name: &str, row: usize| self.numbers(name).and_then(|numbers| numbers[row]);
        let ends = |row: usize| Some([number("probability_low", row)?, number("probability_high", row)?]);
        let score = |row: usize| Score {
            example: examples[row].clone().unwrap_or_default(),
            arguments: self.arguments(row),
            score: number("score", row).unwrap_or_default(),
            probability: number("probability", row),
            probability_interval: ends(row),
            decision: decisions[row].unwrap_or_default(),
            confidence: number("confidence", row).unwrap_or_default(),
            label: labels[row],
            weight: number("weight", row).unwrap_or(1.0),
        };
        Ok(Scores { scores: (0..self.len()).map(score).collect(), prior: self.prior })
    }

    /// The cells of the arguments, which stand between the example and its score.
    fn arguments(&self, row: usize) -> Vec<String> {
        let after = self.columns.0.iter().skip(1).map_while(|column| match &column.values {
            Values::Text(texts) => texts[row].clone(),
            _ => None,
        });
        after.collect()
    }
}

/// One example with its score from a model.
#[derive(Clone, Debug, PartialEq)]
pub struct Score {
    /// The example as an atom, as `advisedby(ann,bob)`.
    pub example: String,
    /// The values of the target's arguments, as cells of a table hold them: names without quotes, numbers as they are
    /// written.
    pub arguments: Vec<String>,
    /// Higher is more likely positive; finite. Its range depends on the learner.
    pub score: f64,
    /// The probability that the example is positive, 0 to 1; none if the model has no calibration.
    pub probability: Option<f64>,
    /// The Venn-Abers interval, as two probabilities; one of them is well calibrated. `None` unless
    /// [`ScoringOptions::intervals`](crate::ScoringOptions::intervals) asks for it.
    pub probability_interval: Option<[f64; 2]>,
    /// Whether the model calls it positive, at the operating point it was learnt with.
    pub decision: bool,
    /// The share of the greatest possible support that it has; 0 to 1. It is no probability.
    pub confidence: f64,
    /// Whether it is positive; `None` where the data do not say it.
    pub label: Option<bool>,
    /// How many examples of the population it stands for; more than 1 for negatives that are a sample.
    pub weight: f64,
}

/// The scores of a data set's examples, in the data set's order.
#[derive(Clone, Debug, PartialEq)]
pub struct Scores {
    scores: Vec<Score>,
    /// The prevalence among the examples that the model learnt from, if it has a calibration.
    prior: Option<f64>,
}

impl Scores {
    /// The scores, in the data set's order.
    pub fn iter(&self) -> std::slice::Iter<'_, Score> {
        self.scores.iter()
    }

    /// The scores from the highest to the lowest; equal ones in the data set's order.
    pub fn ranked(&self) -> Vec<&Score> {
        let mut ranked: Vec<&Score> = self.scores.iter().collect();
        ranked.sort_by(|left, right| right.score.total_cmp(&left.score));
        ranked
    }

    /// The precision-recall curve of the ranking by score, from the highest score to the lowest: recall and precision
    /// of each threshold. Between two points precision is no straight line: [`Scores::metrics`] has the exact area.
    ///
    /// # Errors
    ///
    /// As for [`Scores::metrics`].
    pub fn curve(&self) -> Result<Vec<PrPoint>, Error> {
        Ok(PrCurve::from_ranking(&self.ranked_by(|score| score.score)?).points())
    }

    /// The measures of the ranking by score: exact areas under the precision-recall and the ROC curve, and more.
    /// Examples without a label are left out; a measure that the labels leave undefined is `None`. Sampled
    /// negatives are weighted, so that all figures estimate the full population.
    ///
    /// # Errors
    ///
    /// When a score is not finite, which no model of gleaner gives.
    pub fn metrics(&self) -> Result<Metrics, Error> {
        Ok(metrics(&self.ranked_by(|score| score.score)?))
    }

    /// The measures of the probabilities: mean cross entropy beside that of the base rate, Brier score, expected and
    /// observed positives, and more. Precision and recall are those of calling examples of at least the given
    /// probability positive. `None` if the model has no calibration. Examples without a label are left out.
    ///
    /// # Errors
    ///
    /// When a probability is not finite, which no model of gleaner gives.
    pub fn probability_metrics(&self, at_probability: f64) -> Result<Option<ProbabilityMetrics>, Error> {
        if self.scores.iter().any(|score| score.probability.is_none()) {
            return Ok(None);
        }
        let ranking = self.ranked_by(|score| score.probability.unwrap_or_default())?;
        Ok(Some(probability_metrics(&ranking, Measuring { prior: self.prior, at_probability })))
    }

    /// The examples with a label, ranked by a number of each.
    fn ranked_by(&self, number: impl Fn(&Score) -> f64) -> Result<Ranking, Error> {
        let labelled = self.scores.iter().filter_map(|score| {
            let is_positive = score.label?;
            Some((number(score), is_positive, if is_positive { 1.0 } else { score.weight }))
        });
        Ranking::weighted(labelled)
            .map_err(|error| Error::fault(Diagnostic::error(codes::BAD_SCORES, error.to_string())))
    }
}

impl<'s> IntoIterator for &'s Scores {
    type Item = &'s Score;
    type IntoIter = std::slice::Iter<'s, Score>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}
