//! The goals of a clause, as far as words tell them apart.

use gleaner_lang::syntax::{Term, TermKind};

/// A goal of a clause's body.
pub(super) enum Goal<'t> {
    /// A relation of two arguments.
    Relation { name: &'t str, row: &'t Term<'t>, value: &'t Term<'t> },
    /// A comparison of a variable with a constant.
    Compares { variable: &'t str, operator: &'static str, constant: &'t Term<'t> },
    /// An aggregate.
    Aggregates { of: Summary<'t>, goals: Vec<Goal<'t>>, value: &'t Term<'t> },
    /// Goals that do not hold.
    Not(Vec<Goal<'t>>),
}

/// What an aggregate makes of the rows of its goal.
#[derive(Clone, Copy)]
pub(super) struct Summary<'t> {
    pub(super) operator: &'t str,
    /// The variable that it is of.
    pub(super) template: Option<&'t str>,
    /// Of a share, how that variable is compared.
    pub(super) counted: Option<(&'static str, &'t Term<'t>)>,
}

impl<'t> Goal<'t> {
    /// The variable of the row that a relation is of.
    pub(super) fn row(&self) -> Option<&'t str> {
        match self {
            Self::Relation { row, .. } => variable(row),
            Self::Compares { .. } | Self::Aggregates { .. } | Self::Not(_) => None,
        }
    }

    /// Whether it speaks of rows beside the example's.
    pub(super) fn is_of_rows(&self, example: &str) -> bool {
        match self {
            Self::Not(inner) => inner.iter().any(|goal| goal.is_of_rows(example)),
            _ => self.row().is_some_and(|row| row != example),
        }
    }

    /// Whether it has a variable.
    pub(super) fn mentions(&self, name: &str) -> bool {
        match self {
            Self::Relation { row, value, .. } => {
                [row, value].into_iter().any(|it| variable(it) == Some(name))
            }
            Self::Compares { variable, .. } => *variable == name,
            Self::Aggregates { goals, .. } | Self::Not(goals) => goals.iter().any(|goal| goal.mentions(name)),
        }
    }

    /// The variable of the value that a goal gives.
    pub(super) fn value(&self) -> Option<&'t str> {
        match self {
            Self::Relation { value, .. } | Self::Aggregates { value, .. } => variable(value),
            Self::Compares { .. } | Self::Not(_) => None,
        }
    }
}

/// The goals of a body; none where one is of another form.
pub(super) fn goals<'t>(body: &'t [Term<'t>]) -> Option<Vec<Goal<'t>>> {
    body.iter().map(goal).collect()
}

/// The variable that a term is; `_` is none.
pub(super) fn variable<'t>(term: &'t Term<'_>) -> Option<&'t str> {
    match &term.kind {
        TermKind::Variable(name) if name != "_" => Some(name),
        _ => None,
    }
}

/// Whether a term is a variable.
pub(super) const fn is_variable(term: &Term<'_>) -> bool {
    matches!(term.kind, TermKind::Variable(_))
}

fn goal<'t>(term: &'t Term<'t>) -> Option<Goal<'t>> {
    let TermKind::Compound(name, arguments) = &term.kind else { return None };
    match (&**name, &arguments[..]) {
        ("\\+", [inner]) => Some(Goal::Not(goals_of(inner)?)),
        ("aggregate_all", [template, inner, value]) => {
            let summary = |operator, template| Summary { operator, template, counted: None };
            let (of, inner) = match (&template.kind, distinct(inner)) {
                (TermKind::Atom(operator), Some((of, goals))) if operator == "count" => {
                    (summary(DISTINCT, Some(variable(of)?)), goals)
                }
                (TermKind::Atom(operator), _) => (summary(operator, None), inner),
                (TermKind::Compound(name, of), _) => match &of[..] {
                    [of] if name == SHARE => {
                        let Some(Goal::Compares { variable, operator, constant }) = goal(of) else {
                            return None;
                        };
                        let counted = Some((operator, constant));
                        (Summary { operator: SHARE, template: Some(variable), counted }, inner)
                    }
                    [of] => (summary(name, Some(variable(of)?)), inner),
                    _ => return None,
                },
                _ => return None,
            };
            Some(Goal::Aggregates { of, goals: goals_of(inner)?, value })
        }
        (name, [left, right]) => match (operator(name), variable(left), variable(right)) {
            (Some((operator, _)), Some(variable), _) if !is_variable(right) => {
                Some(Goal::Compares { variable, operator, constant: right })
            }
            (Some((_, turned)), _, Some(variable)) if !is_variable(left) => {
                Some(Goal::Compares { variable, operator: turned, constant: left })
            }
            (Some(_), ..) => None,
            (None, ..) => Some(Goal::Relation { name, row: left, value: right }),
        },
        _ => None,
    }
}

/// The name of the share of the rows that a comparison holds for.
pub(super) const SHARE: &str = "share";

/// The name of a count of different values.
pub(super) const DISTINCT: &str = "distinct";

/// The variable and the goals of `distinct(Variable, Goals)`.
fn distinct<'t>(term: &'t Term<'t>) -> Option<(&'t Term<'t>, &'t Term<'t>)> {
    match &term.kind {
        TermKind::Compound(name, both) if name == DISTINCT => match &both[..] {
            [of, goals] => Some((of, goals)),
            _ => None,
        },
        _ => None,
    }
}

/// The goals that commas join.
fn goals_of<'t>(term: &'t Term<'t>) -> Option<Vec<Goal<'t>>> {
    match &term.kind {
        TermKind::Compound(name, both) if name == "," => {
            let mut all = Vec::new();
            for part in both {
                all.extend(goals_of(part)?);
            }
            Some(all)
        }
        _ => Some(vec![goal(term)?]),
    }
}

/// A comparison as it is written, and with its sides in the other order.
fn operator(name: &str) -> Option<(&'static str, &'static str)> {
    match name {
        ">=" => Some((">=", "=<")),
        "=<" => Some(("=<", ">=")),
        ">" => Some((">", "<")),
        "<" => Some(("<", ">")),
        "=" | "==" | "=:=" => Some(("=", "=")),
        "\\=" | "\\==" | "=\\=" => Some(("\\=", "\\=")),
        _ => None,
    }
}
