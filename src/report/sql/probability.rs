//! The probability of a score as an expression.

use gleaner_stats::eval::calibration::{
    Beta, Binning, Blend, Calibrator, Curve, EDGE, Isotonic, Platt, Step,
};

use super::dialect::Dialect;

/// The probability of the column `score`. Databases work out logarithms and exponentials with a last bit of their own.
pub(super) fn probability(calibrator: &Calibrator, dialect: Dialect) -> String {
    let writing = Writing { dialect };
    let curve = match &calibrator.curve {
        Curve::Blend(blend) => writing.blend(blend),
        Curve::Isotonic { steps: Isotonic { steps }, is_interpolated } => {
            writing.steps(steps, *is_interpolated)
        }
        Curve::Binning(Binning { bins }) => writing.steps(bins, false),
        Curve::Platt(platt) => writing.sigmoid(&writing.platt(platt, "score")),
        Curve::Beta(beta) => writing.sigmoid(&writing.beta(beta)),
    };
    writing.clamp(&curve, calibrator.clamp)
}

struct Writing {
    dialect: Dialect,
}

impl Writing {
    fn number(&self, value: f64) -> String {
        self.dialect.constant(value)
    }

    /// A value between a bound and 1 minus the bound.
    fn clamp(&self, value: &str, bound: f64) -> String {
        let (low, high) = (self.number(bound), self.number(1.0 - bound));
        match self.dialect {
            Dialect::Sqlite => format!("min(max({value}, {low}), {high})"),
            Dialect::DuckDb | Dialect::Postgres => format!("least(greatest({value}, {low}), {high})"),
        }
    }

    fn sigmoid(&self, log_odds: &str) -> String {
        let one = self.number(1.0);
        // Beyond these log-odds an exponential would be none.
        let (low, high) = (self.number(-700.0), self.number(700.0));
        let held = match self.dialect {
            Dialect::Sqlite => format!("min(max({log_odds}, {low}), {high})"),
            Dialect::DuckDb | Dialect::Postgres => format!("least(greatest({log_odds}, {low}), {high})"),
        };
        format!("{one} / ({one} + exp(-({held})))")
    }

    fn platt(&self, platt: &Platt, score: &str) -> String {
        format!("(-({} * {score} + {}))", self.number(platt.slope), self.number(platt.offset))
    }

    fn beta(&self, beta: &Beta) -> String {
        let share = beta.before.as_ref().map_or_else(
            || "score".to_owned(),
            |platt| format!("({})", self.sigmoid(&self.platt(platt, "score"))),
        );
        let held = self.clamp(&share, EDGE);
        format!(
            "({} * ln({held}) - {} * ln({} - {held}) + {})",
            self.number(beta.a),
            self.number(beta.b),
            self.number(1.0),
            self.number(beta.c)
        )
    }

    fn blend(&self, blend: &Blend) -> String {
        if blend.steps.steps.is_empty() {
            return self.number(0.5);
        }
        let step = self.clamp(&self.steps(&blend.steps.steps, true), blend.bound);
        let of_steps = format!("ln(({step}) / ({} - ({step})))", self.number(1.0));
        let fitted = format!(
            "({} * {of_steps} + {} * {} + {})",
            self.number(1.0 - blend.share),
            self.number(blend.share),
            self.platt(&blend.sigmoid, "score"),
            self.number(blend.shift)
        );
        let base = self.number(blend.base);
        self.sigmoid(&format!("{base} + {} * ({fitted} - {base})", self.number(blend.trust)))
    }

    /// The probability of the step that a score is on; between two steps that of the lower one, or a line.
    fn steps(&self, steps: &[Step], is_interpolated: bool) -> String {
        let Some(last) = steps.last() else { return self.number(0.5) };
        let mut text = "CASE".to_owned();
        for pair in steps.windows(2) {
            let [lower, upper] = pair else { continue };
            let of_lower = self.number(lower.probability);
            if is_interpolated {
                let line = format!(
                    "{of_lower} + (score - {greatest}) / ({least} - {greatest}) * ({} - {of_lower})",
                    self.number(upper.probability),
                    greatest = self.number(lower.greatest),
                    least = self.number(upper.least),
                );
                text += &format!(
                    "\n      WHEN score <= {} THEN {of_lower} WHEN score < {} THEN {line}",
                    self.number(lower.greatest),
                    self.number(upper.least)
                );
            } else {
                text += &format!("\n      WHEN score < {} THEN {of_lower}", self.number(upper.least));
            }
        }
        if steps.len() == 1 {
            return self.number(last.probability);
        }
        format!("{text}\n      ELSE {} END", self.number(last.probability))
    }
}
