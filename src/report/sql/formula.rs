//! Formulas of a model as expressions, and the queries that work them out one after another.
//!
//! The probability of a score as an expression.

use std::collections::BTreeSet;
use std::fmt::Write;

use gleaner_learn::prolog::{Formula, Scoring};
use gleaner_stats::eval::calibration::{
    Beta, Binning, Blend, Calibrator, Curve, EDGE, Isotonic, Platt, Step,
};

use super::clauses::clause_table;
use super::dialect::Dialect;

/// The most summands of one expression: databases limit how deep expressions nest.
const MOST_SUMMANDS: usize = 40;

/// The most tables of clauses that one query joins: SQLite joins 64.
const MOST_TABLES: usize = 20;

/// How a column of clauses is called, but for its number.
const CLAUSE: &str = ".clause_";

/// One query.
#[derive(Default)]
struct Level {
    columns: Vec<String>,
    /// The tables of clauses that they ask.
    tables: BTreeSet<usize>,
}

/// The formulas of a model as queries, each of which adds columns to the one before.
pub(super) struct Formulas {
    dialect: Dialect,
    /// The columns of each query, by its level.
    levels: Vec<Level>,
    /// By step of the model: its column and its level.
    steps: Vec<(String, usize)>,
    n_sums: usize,
    /// The table of each clause, by its number.
    table_of: Vec<usize>,
}

impl Formulas {
    /// The steps of a model, and its score as the column `score`. `table_of` has the table of each clause.
    pub(super) fn of(scoring: &Scoring, score: &Formula, table_of: Vec<usize>, dialect: Dialect) -> Self {
        let mut formulas = Self { dialect, levels: Vec::new(), steps: Vec::new(), n_sums: 0, table_of };
        for step in &scoring.steps {
            let (sql, level) = formulas.expression(&step.formula);
            let level = formulas.column(&sql, &step.name, level);
            formulas.steps.push((step.name.clone(), level + 1));
        }
        let (sql, level) = formulas.expression(score);
        let last = formulas.levels.len().saturating_sub(1);
        formulas.column(&sql, "score", level.max(last));
        formulas
    }

    /// The queries: names and texts. The last has all columns.
    pub(super) fn queries(&self) -> Vec<(String, String)> {
        let mut before = "g_examples".to_owned();
        let mut queries = Vec::new();
        for (at, Level { columns, tables }) in self.levels.iter().enumerate() {
            let name = if at + 1 == self.levels.len() {
                "g_scores".to_owned()
            } else {
                format!("g_scores_{}", at + 1)
            };
            let mut text =
                format!("SELECT e.*,\n      {}\n    FROM {before} AS e", columns.join(",\n      "));
            for number in tables {
                let table = clause_table(*number);
                let _ = write!(text, "\n    JOIN {table} AS c{number} ON c{number}.example = e.example");
            }
            queries.push((name.clone(), text));
            before = name;
        }
        queries
    }

    /// The table of a clause, by its number.
    fn table_of(&self, clause: usize) -> usize {
        self.table_of.get(clause.saturating_sub(1)).copied().unwrap_or_default()
    }

    /// The tables of clauses that an expression asks.
    fn asked(&self, sql: &str) -> BTreeSet<usize> {
        let after = sql.split(CLAUSE).skip(1);
        let numbers = after.filter_map(|rest| rest.split(' ').next()?.parse().ok());
        numbers.map(|clause: usize| self.table_of(clause)).collect()
    }

    /// Adds a column to the first query from this one on that has room for it. Gives the number of that query.
    fn column(&mut self, sql: &str, name: &str, level: usize) -> usize {
        let asked = self.asked(sql);
        let has_room =
            |level: &Level| level.tables.is_empty() || level.tables.union(&asked).count() <= MOST_TABLES;
        let known = (level..self.levels.len()).find(|&at| has_room(&self.levels[at]));
        let at = known.unwrap_or_else(|| self.levels.len().max(level));
        while self.levels.len() <= at {
            self.levels.push(Level::default());
        }
        self.levels[at].columns.push(format!("{sql} AS {name}"));
        self.levels[at].tables.extend(asked);
        at
    }

    /// An expression, and the query that it can be worked out in: one after those of its steps.
    fn expression(&mut self, formula: &Formula) -> (String, usize) {
        let number = |value: f64| self.dialect.constant(value);
        match formula {
            Formula::Number(value) => (number(*value), 0),
            Formula::Step(step) => {
                let (name, level) = &self.steps[*step];
                (format!("e.{name}"), *level)
            }
            Formula::If { clause, covered, other } => {
                let ((covered, of_covered), (other, of_other)) =
                    (self.expression(covered), self.expression(other));
                let covers = format!("c{}{CLAUSE}{clause} = 1", self.table_of(*clause));
                (format!("CASE WHEN {covers} THEN {covered} ELSE {other} END"), of_covered.max(of_other))
            }
            Formula::Sum(parts) => self.sum(parts),
            Formula::Product(inner, factor) => {
                let factor = number(*factor);
                let (inner, level) = self.expression(inner);
                (format!("({inner} * {factor})"), level)
            }
            Formula::Ratio(above, below) => {
                let ((above, of_above), (below, of_below)) = (self.expression(above), self.expression(below));
                (format!("coalesce({above} / nullif({below}, 0), 0)"), of_above.max(of_below))
            }
            Formula::Greatest(parts) => self.greatest(parts),
            Formula::AtLeast { value, least, then } => {
                let (least, then, zero) = (number(*least), number(*then), number(0.0));
                let (value, level) = self.expression(value);
                (format!("CASE WHEN {value} >= {least} THEN {then} ELSE {zero} END"), level)
            }
            Formula::Clamped { value, low, high } => {
                let (low, high) = (number(*low), number(*high));
                let (value, level) = self.expression(value);
                (
                    format!(
                        "CASE WHEN {value} < {low} THEN {low} WHEN {value} > {high} THEN {high} ELSE {value} END"
                    ),
                    level,
                )
            }
            Formula::Exponential(inner) => {
                let (inner, level) = self.expression(inner);
                (format!("exp({inner})"), level)
            }
            Formula::Beta { share, parameters, edge } => {
                let [a, b, c] = parameters.map(number);
                let (low, high, one) = (number(*edge), number(1.0 - edge), number(1.0));
                let (share, level) = self.expression(share);
                let held = format!(
                    "CASE WHEN {share} < {low} THEN {low} WHEN {share} > {high} THEN {high} ELSE {share} END"
                );
                (format!("({a} * ln({held}) - {b} * ln({one} - {held}) + {c})"), level)
            }
        }
    }

    /// A sum from left to right.
    fn sum(&mut self, parts: &[Formula]) -> (String, usize) {
        if parts.is_empty() {
            return (self.dialect.constant(0.0), 0);
        }
        let (sum, level) = self.in_chunks(parts, None, "sum", &|parts| parts.join("\n        + "));
        (format!("({sum})"), level)
    }

    /// The greatest of several values, at least 0. Values that are reached together with a greater one are left out by
    /// no rule: databases are fast here.
    fn greatest(&mut self, parts: &[Formula]) -> (String, usize) {
        let zero = self.dialect.constant(0.0);
        let function = match self.dialect {
            Dialect::Sqlite => "max",
            Dialect::DuckDb | Dialect::Postgres => "greatest",
        };
        self.in_chunks(parts, Some(zero), "greatest", &|parts| {
            format!("{function}({})", parts.join(",\n        "))
        })
    }

    /// What `together` makes of `first` and the parts, in their order. With many parts, the result of the first ones is a
    /// column of this name, with which the next ones go on.
    fn in_chunks(
        &mut self,
        parts: &[Formula],
        first: Option<String>,
        name: &str,
        together: &dyn Fn(&[String]) -> String,
    ) -> (String, usize) {
        let (mut before, mut before_level) = (first, 0);
        let n_chunks = parts.len().div_ceil(MOST_SUMMANDS);
        for (at, chunk) in parts.chunks(MOST_SUMMANDS).enumerate() {
            let (mut all, mut level): (Vec<String>, usize) = (before.into_iter().collect(), before_level);
            for part in chunk {
                let (part, of_part) = self.expression(part);
                level = level.max(of_part);
                all.push(part);
            }
            let text = together(&all);
            if at + 1 == n_chunks {
                (before, before_level) = (Some(text), level);
            } else {
                self.n_sums += 1;
                let name = format!("{name}_{}", self.n_sums);
                let level = self.column(&text, &name, level);
                (before, before_level) = (Some(format!("e.{name}")), level + 1);
            }
        }
        (before.unwrap_or_default(), before_level)
    }
}

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
