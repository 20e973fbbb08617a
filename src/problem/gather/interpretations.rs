//! cplint's programs: models by a first argument, or between `begin(model(m))` and `end(model(m))`.
//!
//! The model becomes an argument of every predicate, so that a clause speaks of one model only. What a
//! program declares of `p/n` is thus of `p/(n+1)`, the model first, a `+model` in modes.

use std::borrow::Cow;

use crate::base::ConstantId;
use crate::program::{ComparisonOperator, PredicateName};
use crate::syntax::ast::{Statement, Term};
use crate::syntax::{Span, TermKind};

use super::reading::Reading;
use super::statements::{name_and_arity, plain_text};
use super::{Gathered, Role};
use crate::problem::faults;
use crate::problem::lower::{atom_parts, ground_constant};
use crate::problem::mode_terms::{Marker, ModeSide};
use crate::problem::{SetDirective, TargetName};

/// The type of models.
const MODEL: &str = "model";

/// The variable that rules of the background get as their model.
const MODEL_VARIABLE: &str = "Model";

impl Reading<'_> {
    pub(super) fn model_statement(&mut self, statement: &Statement<'_>) {
        let span = statement.span;
        let Some(head) = &statement.head else {
            statement.body.iter().for_each(|goal| self.model_directive(goal));
            return;
        };
        if !statement.body.is_empty() {
            let body: Vec<Term<'_>> = statement.body.iter().map(in_model).collect();
            return self.rule(&in_model(head), &body, span);
        }
        match atom_parts(head) {
            Some(("output", [target])) => {
                if let Some(name) = name_and_arity(target) {
                    let with_model = TargetName { arity: Some(name.arity + 1), name: name.name };
                    self.gathered.query.get_or_insert(with_model);
                }
            }
            Some(("input" | "input_cw", [_])) => {}
            Some(("modeh", [limit, subject])) => self.model_mode(ModeSide::Head, limit, subject, span),
            Some(("modeb", [limit, subject])) => self.model_mode(ModeSide::Body, limit, subject, span),
            Some(("determination", [target, body])) => {
                let known = self.gathered.determinations.len();
                self.determination(target, body, span);
                for (target, body, _) in &mut self.gathered.determinations[known..] {
                    target.arity += 1;
                    body.arity += 1;
                }
            }
            Some(("fold", [name, models])) => self.fold_of_models(name, models),
            Some(("neg", [atom])) => self.false_model_fact(atom, span),
            Some(("begin", [model])) => self.model = model_name(model).map(|term| term.to_string()),
            Some(("end", [_])) => self.model = None,
            Some(("bg", [Term { kind: TermKind::List(items, None), .. }])) if items.is_empty() => {}
            Some((
                "bg" | "in" | "lookahead" | "lookahead_cons" | "lookahead_cons_var" | "banned",
                arguments,
            )) => {
                let name = format!("{}/{}", atom_parts(head).map_or("", |(name, _)| name), arguments.len());
                self.gathered.diagnostics.push(faults::ignored_directive(self.place(span), &name));
            }
            Some((name, arguments)) => self.model_fact(name, arguments, head, span),
            None => self.fact(head, span),
        }
    }

    fn model_directive(&mut self, goal: &Term<'_>) {
        match atom_parts(goal) {
            Some((name, [setting, value])) if name.starts_with("set_") => {
                let span = self.place(goal.span).span;
                let (name, value) = (plain_text(setting), plain_text(value));
                self.gathered.settings.push(SetDirective {
                    name,
                    value,
                    file: self.id,
                    span,
                    is_foreign: true,
                });
            }
            Some(
                ("lift" | "sc" | "pita" | "mc" | "begin_bg" | "end_bg", [])
                | ("use_module" | "use_rendering", [_]),
            ) => {}
            _ => self.directive(goal),
        }
    }

    fn model_mode(&mut self, side: ModeSide, limit: &Term<'_>, subject: &Term<'_>, span: Span) {
        let known = self.gathered.modes.len();
        self.mode(side, Some(limit), subject, span);
        for mode in &mut self.gathered.modes[known..] {
            mode.add_first_argument((Marker::Input, MODEL.to_owned()));
        }
    }

    fn fold_of_models(&mut self, name: &Term<'_>, models: &Term<'_>) {
        let TermKind::List(models, None) = &models.kind else { return };
        for model in models {
            if let Some(model) = ground_constant(model, &mut self.gathered.symbols) {
                self.gathered.folds_of_models.push((model, plain_text(name)));
            }
        }
    }

    /// The constants of an atom with its model: the first argument as written, or the one of the block.
    fn model_row(&mut self, arguments: &[Term<'_>]) -> Option<Vec<ConstantId>> {
        let symbols = &mut self.gathered.symbols;
        let model = self.model.as_ref().map(|model| symbols.constant(model, None));
        let rest: Option<Vec<ConstantId>> =
            arguments.iter().map(|argument| ground_constant(argument, symbols)).collect();
        rest.map(|rest| model.into_iter().chain(rest).collect())
    }

    fn model_fact(&mut self, name: &str, arguments: &[Term<'_>], head: &Term<'_>, span: Span) {
        match self.model_row(arguments) {
            Some(row) => {
                let span = self.place(span).span;
                self.take_row(name, &row, (Role::Interpretations, None), span);
            }
            None => self.rule(&in_model(head), &[], span),
        }
    }

    /// `neg(atom)`: a negative example of the target; of other predicates it need not be said.
    fn false_model_fact(&mut self, atom: &Term<'_>, span: Span) {
        let place = self.place(span);
        let Some((name, arguments)) = atom_parts(atom) else {
            let fault = faults::not_an_example(place, "`neg(target(model, a)).`");
            self.gathered.diagnostics.push(fault);
            return;
        };
        let arity = arguments.len() + usize::from(self.model.is_some());
        if !self.gathered.is_query(&PredicateName::new(name, arity)) {
            self.gathered.false_facts.add(place);
            return;
        }
        if let Some(row) = self.model_row(arguments) {
            self.take_row(name, &row, (Role::Negatives, None), place.span);
            self.role = Role::Interpretations;
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

impl Gathered {
    /// Puts the examples of models into the folds that the program makes of its models.
    pub(super) fn divide_models(&mut self) {
        let folds_of_models = std::mem::take(&mut self.folds_of_models);
        if folds_of_models.is_empty() {
            return;
        }
        for (_, name) in &folds_of_models {
            self.fold_named(name);
        }
        for example in &mut self.examples {
            let row = self.example_rows.rows(example.predicate).row(example.row);
            let fold = folds_of_models.iter().find(|(model, _)| row.first() == Some(model));
            example.fold = fold.and_then(|(_, name)| self.fold_names.iter().position(|known| known == name));
        }
    }
}
