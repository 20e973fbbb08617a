//! What generators give: files as texts, planted clauses, and errors of settings.

use std::fmt::Write;

/// One file of a generated problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GeneratedFile {
    /// Where the file belongs, relative to the problem's folder and with `/` between folders, for
    /// instance `fold1/pos.pl`.
    pub path: String,
    /// The whole text, ASCII, each line ended by one newline.
    pub text: String,
}

/// A generated problem.
///
/// **Shape**: `background.pl` and `modes.pl` first, then for each fold `foldN/pos.pl` and
/// `foldN/neg.pl`, after `foldN/background.pl` where a fold has facts of its own. An example stands
/// in one file only.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Generated {
    /// The files, in the order above.
    pub files: Vec<GeneratedFile>,
    /// The planted clauses as Prolog text, each ended by a full stop. The same lines stand as a
    /// comment at the end of `modes.pl`: a file of clauses would be loaded as background.
    pub planted: Vec<String>,
    /// Examples labelled positive, over all folds.
    pub n_positives: usize,
    /// Examples labelled negative, over all folds.
    pub n_negatives: usize,
    /// The classes, where there are more than two. All examples are then among the positive ones, each with its class
    /// as an argument.
    pub classes: Vec<String>,
    /// The properties of the generated problem, as pairs of a name and a value, in the order in which to show them.
    pub summary: Vec<(String, String)>,
}

/// The whole number nearest to a size computed in floating point; negative sizes become 0.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the only conversion of this room: the checks of the settings keep sizes far below 2^53"
)]
pub(crate) fn nearest(size: f64) -> usize {
    size.round().max(0.0) as usize
}

/// A setting out of its range, or rules that find no place in the requested world.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{0}")]
pub struct GenerateError(Kind);

#[derive(Clone, Debug, PartialEq, thiserror::Error)]
enum Kind {
    #[error("`{setting}` is {value}, but must lie between {low} and {high}")]
    Count { setting: &'static str, value: usize, low: usize, high: usize },
    #[error("`{setting}` is {value}, but must lie between {low} and {high}")]
    Fraction { setting: &'static str, value: f64, low: f64, high: f64 },
    #[error(
        "planted rule {rule} should cover {wanted} examples, but found room for {planted} only: \
         ask for fewer positives, less noise or more sentences"
    )]
    CannotPlant { rule: usize, wanted: usize, planted: usize },
    #[error(
        "no constants make planted rule {rule} cover between 1 and {most} shoppers: ask for more lines, or take another seed"
    )]
    CannotTune { rule: usize, most: usize },
}

impl GenerateError {
    /// Fails unless a count lies in `low..=high`.
    pub(crate) fn check_count(
        setting: &'static str,
        value: usize,
        low: usize,
        high: usize,
    ) -> Result<(), Self> {
        if (low..=high).contains(&value) {
            return Ok(());
        }
        Err(Self(Kind::Count { setting, value, low, high }))
    }

    /// Fails unless a number lies in `low..=high`; `NaN` always fails.
    pub(crate) fn check_fraction(setting: &'static str, value: f64, low: f64, high: f64) -> Result<(), Self> {
        if (low..=high).contains(&value) {
            return Ok(());
        }
        Err(Self(Kind::Fraction { setting, value, low, high }))
    }

    /// The fault of rule number `rule`, from 1, which covers `planted` pairs and finds no place for more.
    pub(crate) fn cannot_plant(rule: usize, wanted: usize, planted: usize) -> Self {
        Self(Kind::CannotPlant { rule, wanted, planted })
    }

    /// The fault of rule number `rule`, from 1, for which no constants cover between 1 and `most` examples.
    pub(crate) fn cannot_tune(rule: usize, most: usize) -> Self {
        Self(Kind::CannotTune { rule, most })
    }

    /// The setting that is out of range, if that is the fault.
    pub fn setting(&self) -> Option<&'static str> {
        match self.0 {
            Kind::Count { setting, .. } | Kind::Fraction { setting, .. } => Some(setting),
            Kind::CannotPlant { .. } | Kind::CannotTune { .. } => None,
        }
    }
}

/// Facts written one after another, with their number.
#[derive(Debug, Default)]
pub(crate) struct FactText {
    /// One fact on each line.
    pub(crate) text: String,
    /// Facts written so far.
    pub(crate) n_facts: usize,
}

impl FactText {
    /// An empty text with room for `n_bytes`.
    pub(crate) fn with_capacity(n_bytes: usize) -> Self {
        Self { text: String::with_capacity(n_bytes), n_facts: 0 }
    }

    /// Appends one fact; the arguments must be atoms as Prolog writes them.
    pub(crate) fn fact(&mut self, predicate: &str, arguments: &[&str]) {
        self.text.push_str(predicate);
        for (position, argument) in arguments.iter().enumerate() {
            self.text.push(if position == 0 { '(' } else { ',' });
            self.text.push_str(argument);
        }
        self.text.push_str(").\n");
        self.n_facts += 1;
    }
}

/// The text of `modes.pl`: the head's mode, the body modes, one determination for each predicate, the depth, and the
/// planted clauses as a comment. `modes` must have modes of one predicate together.
pub(crate) fn modes_text(head: &str, modes: &[String], planted: &[String]) -> String {
    let mut text = format!(":- modeh(1, {head}).\n");
    for mode in modes {
        push_line(&mut text, format_args!(":- modeb({mode})."));
    }
    let target = signature(head);
    let mut previous = String::new();
    for mode in modes {
        let (_, literal) = mode.split_once(", ").unwrap_or(("", mode));
        let body = signature(literal);
        if body != previous {
            push_line(&mut text, format_args!(":- determination({target}, {body})."));
        }
        previous = body;
    }
    text.push_str(":- set(i, 2).\n% Planted clauses:\n");
    for clause in planted {
        push_line(&mut text, format_args!("% {clause}"));
    }
    text
}

/// `name/arity` of a literal without nested terms.
fn signature(literal: &str) -> String {
    let name = literal.split('(').next().unwrap_or(literal);
    format!("{name}/{}", literal.matches(',').count() + 1)
}

/// Appends a line; writing to a string cannot fail.
pub(crate) fn push_line(text: &mut String, line: std::fmt::Arguments<'_>) {
    writeln!(text, "{line}").expect("a string takes any text");
}
