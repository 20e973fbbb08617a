//! Why an example has its score under a model.

use std::fmt;

use crate::jobs::explain::Explain;
use crate::report::explain::{N_SHOWN, Report};
use crate::report::fitted::fitted;
use gleaner_lang::program::display::clause_text;
use gleaner_lang::syntax::marks::in_library;
use gleaner_learn::shown::Part;

use super::{Dataset, Error, Model, ScoringOptions};

/// Columns of a terminal of usual width.
const COLUMNS: usize = 80;

/// Why an example has its score: the parts of the model that speak for it.
///
/// `Display` prints the text of `gleaner explain`, for a terminal of 80 columns.
#[derive(Clone, Debug, PartialEq)]
pub struct ScoreExplanation {
    /// The score, as [`Model::predict`] has it.
    pub score: f64,
    /// The probability that the example is positive; none if the model has no calibration.
    pub probability: Option<f64>,
    /// Whether the model calls it positive.
    pub decision: bool,
    /// The clauses that speak for it, the heaviest first.
    pub parts: Vec<ScorePart>,
    text: String,
}

/// A clause of a model that speaks for an example.
#[derive(Clone, Debug, PartialEq)]
pub struct ScorePart {
    /// The clause, as `gleaner show` prints it.
    pub clause: String,
    /// Whether the clause covers the example: a clause may vote for an example that it does not cover.
    pub covers: bool,
    /// The clause's share of the score, above 0 and at most 1, where the score is a sum of such shares.
    pub share: Option<f64>,
}

impl Model {
    /// Why an example of the data has its score: an atom of the target, as the column `example` of
    /// [`Predictions`](crate::Predictions) has it, or the key of a row: `3`, or `3,1` if the key has two columns. If there are many
    /// classes, it names the class, in the atom or as `3=CLASS`. The options say among which examples it is looked for.
    ///
    /// ```
    /// use gleaner::{Dataset, Learner, ScoringOptions};
    ///
    /// let data = Dataset::open("fixtures/university")?;
    /// let model = Learner::named("prankboost-clause")?.with("rounds", 5)?.fit(&data)?;
    /// let best = model.predict(&data)?.scores()?.ranked()[0].clone();
    /// let why = model.explain(&data, &best.example, &ScoringOptions::default())?;
    /// assert_eq!(why.score, best.score);
    /// assert!(why.parts[0].covers);
    /// # Ok::<(), gleaner::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`Model::predict_with`], and when the text is no atom of the target whose constants are known.
    pub fn explain(
        &self,
        data: &Dataset,
        example: &str,
        options: &ScoringOptions,
    ) -> Result<ScoreExplanation, Error> {
        let (example, class) = self.any().named_example(example)?;
        let (file, applied) = (self.any().chosen(class.as_deref())?, options.applied(data)?);
        let job = Explain { file, applied, example, in_short: true, n_bindings: N_SHOWN };
        let found = self.context.run_whole("the score was explained", |means| job.run(means))?;
        let Report { problem, explained, .. } = found.report(false);
        let explanation = &explained.explanation;
        let part = |part: &Part| ScorePart {
            clause: clause_text(&part.clause, problem.symbols()),
            covers: part.covers,
            share: part.share,
        };
        Ok(ScoreExplanation {
            score: explanation.score,
            probability: explained.probability,
            decision: explanation.decision,
            parts: explanation.parts.iter().map(part).collect(),
            text: fitted(&found.report(false).document().worded(in_library).text(), COLUMNS),
        })
    }
}

impl fmt::Display for ScoreExplanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text.trim_end())
    }
}
