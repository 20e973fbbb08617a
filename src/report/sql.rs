//! A model as SQL: views of the relations that its clauses ask for, and a query whose rows are the examples with their
//! scores.
//!
//! Of a database the views are over the user's own tables; of other data each relation is a table. A clause is a query of
//! the examples that it covers, so the last query reads as the model does. Everything of the model's file is written
//! anew: names and texts in quotes, comments without line ends.

mod aggregate;
mod body;
mod clauses;
mod database;
mod dialect;
mod formula;
mod hanging;
mod rows;
mod shared;
mod source;
mod tables;
mod text;
mod times;

use std::fmt::Write;

use gleaner_data::DatabaseSchema;
use gleaner_lang::program::{PredicateName, Symbols};
use gleaner_learn::prolog::{DecisionRule, Program};

pub use dialect::Dialect;
pub use shared::NoSql;

use crate::store::model_file::{DivisionHeader, Header};

use clauses::Clauses;
use formula::Formulas;
use shared::{Named, Shared};
use source::{Source, Uses};
use text::{in_comment, quoted};
use times::Freezing;

/// The most arguments of a target. A file can name any number, and the query has them all.
const MOST_ARGUMENTS: usize = 100;

/// The statements of a model. `header` is that of its file.
///
/// # Errors
///
/// [`NoSql`] when no query scores as the model does.
pub fn sql(
    program: &Program<'_>,
    symbols: &Symbols,
    header: &Header,
    dialect: Dialect,
) -> Result<String, NoSql> {
    let target = target(header)?;
    let uses = Uses::of(&program.clauses, symbols)?;
    let source = match &header.schema {
        None => rows::source(&target, (&program.clauses, symbols), &uses, dialect),
        Some(text) => {
            let schema = DatabaseSchema::read(text).ok_or(NoSql::Schema)?;
            let class = Some(header.labels.class_name()).filter(|class| !class.is_empty());
            let split = header.division.as_ref().and_then(DivisionHeader::split);
            let freezing = Freezing::of(header.frozen_folds().map_err(|_| NoSql::Schema)?, split.as_ref());
            let source = database::source(&schema, &uses, (dialect, class), &freezing)?;
            if source.argument_names.len() != target.arity {
                return Err(NoSql::Schema);
            }
            source
        }
    };
    let mut shared = Shared::new(&source, &uses, dialect, aggregate::found);
    let mut clauses = Clauses::default();
    for clause in &program.clauses {
        clauses.add(clause, symbols, &mut shared)?;
    }
    let inputs = shared.inputs();
    let (tables, table_of) = clauses.tables(&shared);
    let mut text = introduction(header, &target, &source, dialect);
    text.push_str(dialect.prelude());
    text.push_str(&source.text);
    let asked = source.relations.values().filter(|relation| shared.used.contains(&relation.view));
    let asked: String = asked.map(|relation| relation.statements.as_str()).collect();
    if !asked.is_empty() {
        let _ = write!(text, "\n-- What the clauses ask for.\n{asked}");
    }
    let headings: [(&str, &[Named]); 4] = [
        ("What the clauses count and sum up.", &shared.queries),
        ("What they compare: these values of each example.", &inputs),
        (
            "The parts of the clauses that share no variable: the examples for which each holds.",
            &clauses.parts,
        ),
        ("The clauses: 1 where one covers an example.", &tables),
    ];
    for (heading, queries) in headings.into_iter().filter(|(_, queries)| !queries.is_empty()) {
        let _ = writeln!(text, "\n-- {heading}");
        for Named { comment, before, name, text: query, after } in queries {
            let create = dialect.create(true, name);
            let before = before.as_deref().unwrap_or_default();
            if !comment.is_empty() {
                let _ = writeln!(text, "-- {}", in_comment(comment));
            }
            let _ = writeln!(text, "{before}{create}\n  {query};");
            text.push_str(after);
        }
    }
    text.push_str(&scores(program, (header, &source), table_of, dialect));
    Ok(text)
}

/// The target that a model's file names.
fn target(header: &Header) -> Result<PredicateName, NoSql> {
    let parts = header.target.rsplit_once('/');
    let named = parts.and_then(|(name, arity)| Some(PredicateName::new(name, arity.parse().ok()?)));
    let target = named.unwrap_or_else(|| PredicateName::new(header.target.as_str(), 0));
    if target.arity > MOST_ARGUMENTS {
        return Err(NoSql::Arguments(MOST_ARGUMENTS));
    }
    if !header.statistics.is_empty() {
        return Err(NoSql::Statistics);
    }
    if header.known.is_empty() { Ok(target) } else { Err(NoSql::KnownLinks(target.to_string())) }
}

fn introduction(header: &Header, target: &PredicateName, source: &Source, dialect: Dialect) -> String {
    let (learner, version) = (in_comment(&header.learner), in_comment(&header.gleaner_version));
    let mut text = format!(
        "-- A model of {} that gleaner {version} learnt; learner {learner}. For {}.\n--\n\
         -- The last statement gives a row for each example: its arguments, its score, and what follows from it.\n",
        in_comment(&target.to_string()),
        dialect.title()
    );
    for remark in &source.remarks {
        let _ = writeln!(text, "-- {}", in_comment(remark));
    }
    if let Some(restriction) = &header.restriction {
        let _ = writeln!(
            text,
            "-- It was learnt from the examples for which this holds: {}",
            in_comment(restriction)
        );
    }
    text
}

/// The queries of the score, and the last one.
fn scores(
    program: &Program<'_>,
    (header, source): (&Header, &Source),
    table_of: Vec<usize>,
    dialect: Dialect,
) -> String {
    let scoring = &program.scoring;
    let Some(score) = &scoring.score else { return String::new() };
    let formulas = Formulas::of(scoring, score, table_of, dialect);
    let mut text = String::new();
    text.push_str("\n-- What the score is made of.\n");
    for (name, query) in formulas.queries() {
        let _ = writeln!(text, "{}\n  {query};", dialect.create(true, &name));
    }
    let arguments = source.argument_names.iter().enumerate();
    let mut columns: Vec<String> =
        arguments.map(|(at, name)| format!("a{} AS {}", at + 1, quoted(name))).collect();
    columns.push("score".to_owned());
    match &scoring.prediction {
        Some(prediction) => {
            let is_score = prediction == score;
            let number = if is_score { "score".to_owned() } else { exponential(prediction, dialect) };
            columns.push(format!("{number} AS prediction"));
        }
        None => {
            if let Some(calibration) = &header.calibration {
                let probability = formula::probability(&calibration.calibrator, dialect);
                columns.push(format!("{probability} AS probability"));
            }
            let decides = match scoring.decision {
                DecisionRule::Never => "0".to_owned(),
                DecisionRule::Score(least) => {
                    format!("CASE WHEN score >= {} THEN 1 ELSE 0 END", dialect.constant(least))
                }
                DecisionRule::Step { step, least } => format!(
                    "CASE WHEN {} >= {} THEN 1 ELSE 0 END",
                    scoring.steps[step].name,
                    dialect.constant(least)
                ),
            };
            columns.push(format!("{decides} AS decision"));
        }
    }
    let _ = write!(
        text,
        "\n-- The examples with their scores.\nSELECT\n  {}\nFROM g_scores\nORDER BY example;\n",
        columns.join(",\n  ")
    );
    text
}

/// The prediction of a score that is a logarithm within bounds.
fn exponential(prediction: &gleaner_learn::prolog::Formula, dialect: Dialect) -> String {
    use gleaner_learn::prolog::Formula;
    if let Formula::Exponential(inner) = prediction
        && let Formula::Clamped { low, high, .. } = &**inner
    {
        let (low, high) = (dialect.constant(*low), dialect.constant(*high));
        return format!(
            "exp(CASE WHEN score < {low} THEN {low} WHEN score > {high} THEN {high} ELSE score END)"
        );
    }
    "score".to_owned()
}
