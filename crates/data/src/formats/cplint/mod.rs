//! Interpretations: cplint's program with its settings, bias and models, or the files of ACE and Tilde.
//!
//! cplint's programs: models by a first argument, or between `begin(model(m))` and `end(model(m))`.
//!
//! The model becomes the first argument of every predicate, so that a clause is about one model only. A declaration of
//! `p/n` thus is one of `p/(n+1)`, with `+model` first in modes.

mod ace;

use std::borrow::Cow;
use std::path::Path;

use crate::faults;
use crate::formats::file_format::{About, Asked, Clue, FileFormat, content, single_program};
use crate::gather::{DataFile, FileReader, FileReading, Files, Habits, MakeReader, Role, make};
use crate::mode_terms::{Marker, ModeSide, name_and_arity, plain_text};
use gleaner_base::ConstantId;
use gleaner_lang::program::lower::{atom_parts, ground_constant};
use gleaner_lang::program::{ComparisonOperator, PredicateName, TargetName};
use gleaner_lang::syntax::ast::{Statement, Term};
use gleaner_lang::syntax::{Diagnostic, Span, TermKind};

use ace::class_fact;

/// cplint's layout.
#[derive(Debug)]
pub(super) struct Cplint;

impl FileFormat for Cplint {
    fn about(&self) -> About {
        About {
            name: "cplint",
            files_in_words: "output(p/n), or ACE's NAME.kb, NAME.s",
            habits: Habits { is_foreign: true, has_positives_among_facts: true, ..Habits::default() },
            clue: Clue::Statements,
        }
    }

    /// A program that names its target by `output(…)` and holds models, or ACE's models beside their settings.
    fn is_recognised(&self, path: &Path) -> bool {
        ace::is_recognised(path)
            || single_program(path).is_some_and(|file| {
                let text = content(&file);
                let begins = |what: &str| text.lines().any(|line| line.trim_start().starts_with(what));
                begins("output(") && (begins("neg(") || begins("begin(model("))
            })
    }

    fn files(&self, asked: &Asked<'_>) -> Result<Option<Files>, Vec<Diagnostic>> {
        if let Some(stem) = ace::stem(asked.path) {
            return Ok(Some(ace::files(&stem)));
        }
        let missing = || vec![faults::missing_file(&asked.path.join("*.pl"), "the models")];
        let program = single_program(asked.path).ok_or_else(missing)?;
        Ok(Some(Files::undivided(vec![DataFile::read_by(program, make::<Models>)])))
    }

    fn modes(&self) -> MakeReader {
        make::<Models>
    }
}

/// The type of models.
const MODEL: &str = "model";

/// The variable for the model in rules of the background.
const MODEL_VARIABLE: &str = "Model";

/// The facts of a file of modes that are declarations.
const DECLARATIONS: [&str; 3] = ["modeh", "modeb", "determination"];

/// A program of models while it is read.
#[derive(Debug, Default)]
struct Models {
    /// The model of the current block, if the file consists of blocks.
    model: Option<String>,
}

impl FileReader for Models {
    /// `modeh(1, active).` declares a target without arguments.
    fn keywords(&self) -> &'static [&'static str] {
        &["modeh", "modeb"]
    }

    fn statement(&mut self, statement: &Statement<'_>, reading: &mut FileReading<'_>) -> bool {
        let span = statement.span;
        let Some(head) = statement.head.as_ref().filter(|_| !reading.notes.have_keys) else { return false };
        // Any other statement of a file of modes keeps its arity.
        let is_declared = atom_parts(head).is_some_and(|(name, _)| DECLARATIONS.contains(&name));
        if reading.role == Role::Modes && !is_declared {
            return false;
        }
        if !statement.body.is_empty() {
            let body: Vec<Term<'_>> = statement.body.iter().map(in_model).collect();
            reading.rule(&in_model(head), &body, span);
            return true;
        }
        match atom_parts(head) {
            Some(("output", [target])) => {
                if let Some(name) = name_and_arity(target) {
                    reading.name_target(|| TargetName { arity: Some(name.arity + 1), name: name.name });
                }
            }
            Some(("input" | "input_cw", [_])) => {}
            Some(("modeh", [limit, subject])) => mode(ModeSide::Head, limit, subject, span, reading),
            Some(("modeb", [limit, subject])) => mode(ModeSide::Body, limit, subject, span, reading),
            Some(("determination", [target, body])) => {
                if let Some([mut target, mut body]) = reading.read_determination(target, body, span) {
                    [&mut target, &mut body].into_iter().for_each(add_model);
                    reading.add_determination(target, body, span);
                }
            }
            Some(("fold", [name, models])) => fold(name, models, reading),
            Some(("neg", [atom])) => self.false_fact(atom, span, reading),
            Some(("begin", [model])) => {
                self.set_model(model_name(model).map(|term| term.to_string()), reading);
            }
            Some(("end", [_])) => self.set_model(None, reading),
            Some(("bg", [Term { kind: TermKind::List(items, None), .. }])) if items.is_empty() => {}
            Some((
                name @ ("bg" | "in" | "lookahead" | "lookahead_cons" | "lookahead_cons_var" | "banned"),
                arguments,
            )) => {
                let name = format!("{name}/{}", arguments.len());
                reading.tell(faults::ignored_directive(reading.place(span), &name));
            }
            Some((name, arguments)) => self.fact(name, arguments, head, span, reading),
            None => reading.fact(head, span),
        }
        true
    }

    fn directive(&mut self, goal: &Term<'_>, reading: &mut FileReading<'_>) -> bool {
        match atom_parts(goal) {
            Some((name, [setting, value])) if name.starts_with("set_") => {
                reading.set(plain_text(setting), plain_text(value), reading.place(goal.span));
                true
            }
            Some(("lift" | "sc" | "pita" | "mc" | "begin_bg" | "end_bg", [])) => true,
            _ => false,
        }
    }
}

impl Models {
    /// A block of a model begins or ends; within one, facts get the model as an argument.
    fn set_model(&mut self, model: Option<String>, reading: &mut FileReading<'_>) {
        reading.has_plain_facts = model.is_none();
        self.model = model;
    }

    /// The constants of an atom, the model first: the first argument as written, or the model of the block.
    fn row(&self, arguments: &[Term<'_>], reading: &mut FileReading<'_>) -> Option<Vec<ConstantId>> {
        let symbols = &mut reading.statements.symbols;
        let model = self.model.as_ref().map(|model| symbols.constant(model, None));
        let rest: Option<Vec<ConstantId>> =
            arguments.iter().map(|argument| ground_constant(argument, symbols)).collect();
        rest.map(|rest| model.into_iter().chain(rest).collect())
    }

    fn fact(
        &self,
        name: &str,
        arguments: &[Term<'_>],
        head: &Term<'_>,
        span: Span,
        reading: &mut FileReading<'_>,
    ) {
        let model = self.model.as_ref().filter(|_| arguments.is_empty());
        let model = model.map(|model| reading.statements.symbols.constant(model, None));
        if model.is_some_and(|model| class_fact(name, model, reading.place(span), reading)) {
            return;
        }
        match self.row(arguments, reading) {
            Some(row) => reading.fact_row(name, &row, None, reading.place(span)),
            None => {
                let model = self.model.as_ref().map(|model| reading.statements.symbols.constant(model, None));
                reading.universal_fact(model, head, span);
            }
        }
    }

    /// Takes `neg(atom)`: a negative example of the target; for other predicates it says nothing new.
    fn false_fact(&self, atom: &Term<'_>, span: Span, reading: &mut FileReading<'_>) {
        let place = reading.place(span);
        let Some((name, arguments)) = atom_parts(atom) else {
            return reading.tell(faults::not_an_example(place, "`neg(target(model, a)).`"));
        };
        let arity = arguments.len() + usize::from(self.model.is_some());
        if !reading.statements.declarations.is_query(&PredicateName::new(name, arity)) {
            return reading.notes.false_facts.add(place);
        }
        if let Some(row) = self.row(arguments, reading) {
            reading.example_row(name, &row, false, None, place);
        }
    }
}

fn mode(side: ModeSide, limit: &Term<'_>, subject: &Term<'_>, span: Span, reading: &mut FileReading<'_>) {
    if let Some(mut mode) = reading.read_mode(side, Some(limit), subject, span) {
        mode.add_first_argument(Marker::Input, MODEL.to_owned());
        reading.statements.declarations.modes.push(mode);
    }
}

/// Adds the model to a predicate's arguments; comparisons have none.
fn add_model(name: &mut PredicateName) {
    if name.arity != 2 || ComparisonOperator::from_symbol(&name.name).is_none() {
        name.arity += 1;
    }
}

/// `fold(name, models)`.
fn fold(name: &Term<'_>, models: &Term<'_>, reading: &mut FileReading<'_>) {
    let TermKind::List(models, None) = &models.kind else { return };
    for model in models {
        if let Some(model) = ground_constant(model, &mut reading.statements.symbols) {
            reading.notes.folds_of_first_arguments.push((model, plain_text(name)));
        }
    }
}

/// The `m` of `model(m)`.
fn model_name<'t, 's>(term: &'t Term<'s>) -> Option<&'t Term<'s>> {
    match atom_parts(term) {
        Some(("model", [model])) => Some(model),
        _ => None,
    }
}

/// A literal of a rule, with the model as its first argument.
fn in_model<'s>(term: &Term<'s>) -> Term<'s> {
    let model = || Term { kind: TermKind::Variable(Cow::Borrowed(MODEL_VARIABLE)), span: term.span };
    let kind = match &term.kind {
        TermKind::Compound(name, arguments) if arguments.len() == 1 && matches!(&**name, "\\+" | "not") => {
            TermKind::Compound(name.clone(), arguments.iter().map(in_model).collect())
        }
        TermKind::Compound(name, arguments)
            if arguments.len() == 2 && ComparisonOperator::from_symbol(name).is_some() =>
        {
            return term.clone();
        }
        TermKind::Compound(name, arguments) => TermKind::Compound(
            name.clone(),
            std::iter::once(model()).chain(arguments.iter().cloned()).collect(),
        ),
        TermKind::Atom(name) if !matches!(&**name, "!" | "[]") => {
            TermKind::Compound(name.clone(), vec![model()])
        }
        _ => return term.clone(),
    };
    Term { kind, span: term.span }
}
