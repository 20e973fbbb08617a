//! What statements mean: examples, facts, rules, modes, settings.

use super::reading::Reading;
use super::{RawExample, RawRule, fit};
use crate::base::{ConstantId, PredicateId};
use crate::problem::SetDirective;
use crate::problem::faults;
use crate::problem::layout::{Format, Role};
use crate::problem::lower::{Variables, atom_parts, ground_constant, lower_clause};
use crate::problem::mode_terms::{ModeSide, Subject, read_mode};
use crate::program::PredicateName;
use crate::syntax::ast::{Statement, Term};
use crate::syntax::{Diagnostic, Place, Span, TermKind};

/// The most literals of a rule: each is a join of its own in every round.
const MOST_LITERALS: usize = 1000;

impl Reading<'_> {
    pub(super) fn read_statement(&mut self, statement: &Statement<'_>) {
        if let Some(role) = self.section(statement) {
            self.role = role;
            return;
        }
        if self.role == Role::Interpretations {
            return self.model_statement(statement);
        }
        if let Some(goal) = self.headless_example(statement) {
            if let Some((name, arguments)) = atom_parts(goal) {
                let predicate = PredicateName::new(name, arguments.len());
                self.gathered.query.get_or_insert_with(|| predicate.into());
            }
            return self.example(goal, statement.span, true, false);
        }
        match (&statement.head, self.role) {
            (Some(head), Role::Positives) => {
                self.example(head, statement.span, statement.body.is_empty(), true)
            }
            (Some(head), Role::Negatives) => {
                self.example(head, statement.span, statement.body.is_empty(), false)
            }
            (Some(head), Role::Labelled) => self.labelled(head, statement),
            (_, Role::Bias) => {
                let place = self.place(statement.span);
                if !self.gathered.bias.add(statement, place) {
                    let fault = faults::ignored_constraint(place);
                    self.gathered.diagnostics.push(fault);
                }
            }
            (None, Role::Positives | Role::Negatives | Role::Labelled) => {
                let fault =
                    faults::not_an_example(self.place(statement.span), "a ground atom with a full stop");
                self.gathered.diagnostics.push(fault);
            }
            (None, _) => statement.body.iter().for_each(|goal| self.directive(goal)),
            (Some(head), Role::Modes) if is_mode_term(head) && statement.body.is_empty() => {
                self.mode(ModeSide::Either, None, head, statement.span);
            }
            (Some(head), _) if statement.body.is_empty() => self.fact(head, statement.span),
            (Some(head), _) => self.rule(head, &statement.body, statement.span),
        }
    }

    /// The part that a section of Aleph's single files plays, where a directive begins or ends one.
    pub(super) fn section(&self, statement: &Statement<'_>) -> Option<Role> {
        let ([goal], None, Format::Aleph) = (&*statement.body, &statement.head, self.format) else {
            return None;
        };
        match atom_parts(goal)? {
            ("begin_in_pos", []) => Some(Role::Positives),
            ("begin_in_neg", []) => Some(Role::Negatives),
            ("begin_bg" | "end_bg" | "end_in_pos" | "end_in_neg", []) => Some(Role::Background),
            _ => None,
        }
    }

    /// The atom of a headless clause that Progol has for a negative example.
    pub(super) fn headless_example<'t, 's>(&self, statement: &'t Statement<'s>) -> Option<&'t Term<'s>> {
        let ([goal], None, Format::Progol) = (&*statement.body, &statement.head, self.format) else {
            return None;
        };
        let (name, _) = atom_parts(goal)?;
        let is_directive = DIRECTIVES.contains(&name);
        let holds_examples = matches!(self.role, Role::Positives | Role::Negatives | Role::Program);
        (holds_examples && !is_directive).then_some(goal)
    }

    /// `pos(atom)` or `neg(atom)`.
    pub(super) fn labelled(&mut self, head: &Term<'_>, statement: &Statement<'_>) {
        match atom_parts(head) {
            Some(("pos", [example])) => {
                self.example(example, statement.span, statement.body.is_empty(), true)
            }
            Some(("neg", [example])) => {
                self.example(example, statement.span, statement.body.is_empty(), false)
            }
            _ => {
                let place = self.place(statement.span);
                let fault = faults::not_an_example(place, "`pos(target(a)).` or `neg(target(b)).`");
                self.gathered.diagnostics.push(fault);
            }
        }
    }

    pub(super) fn example(&mut self, head: &Term<'_>, span: Span, is_fact: bool, is_positive: bool) {
        let place = self.place(span);
        let symbols = &mut self.gathered.symbols;
        let atom = atom_parts(head).filter(|_| is_fact).and_then(|(name, arguments)| {
            let values: Option<Vec<ConstantId>> =
                arguments.iter().map(|argument| ground_constant(argument, symbols)).collect();
            Some((symbols.predicate(name, arguments.len()), values?))
        });
        match atom {
            Some((predicate, arguments)) => {
                self.add_example(predicate, &arguments, is_positive, place);
            }
            None => {
                let fault =
                    faults::not_an_example(place, "a ground atom with a full stop, as `target(a, b).`");
                self.gathered.diagnostics.push(fault);
            }
        }
    }

    pub(super) fn add_example(
        &mut self,
        predicate: PredicateId,
        arguments: &[ConstantId],
        is_positive: bool,
        place: Place,
    ) {
        if self.gathered.example_rows.n_predicates() <= predicate.index() {
            fit(&mut self.gathered.example_rows, &self.gathered.symbols);
        }
        let rows = self.gathered.example_rows.rows_mut(predicate);
        let (row, fold) = (rows.len(), self.fold);
        rows.push(arguments);
        self.gathered.examples.push(RawExample { predicate, row, fold, is_positive, place });
    }

    pub(super) fn fact(&mut self, head: &Term<'_>, span: Span) {
        let place = self.place(span);
        let symbols = &mut self.gathered.symbols;
        let Some((name, arguments)) = atom_parts(head) else {
            self.gathered.diagnostics.push(faults::unsupported(place, &format!("`{head}` as a fact")));
            return;
        };
        let mut row = Vec::with_capacity(arguments.len());
        for argument in arguments {
            match ground_constant(argument, symbols) {
                Some(constant) => row.push(constant),
                // A fact with variables is a rule without a body, and unsafe as one.
                None => return self.rule(head, &[], span),
            }
        }
        let predicate = symbols.predicate(name, arguments.len());
        self.gathered.first_facts.entry(predicate).or_insert(place);
        self.add_fact(predicate, &row);
    }

    /// Rules are global, whichever file holds them: each world applies them to its own facts.
    pub(super) fn rule(&mut self, head: &Term<'_>, body: &[Term<'_>], span: Span) {
        if body.len() > MOST_LITERALS {
            let what = format!("a rule of {} literals, more than {MOST_LITERALS}", body.len());
            let fault = faults::unsupported(self.place(span), &what);
            return self.leave_out(head, fault);
        }
        let mut variables = Variables::default();
        match lower_clause(head, body, &mut self.gathered.symbols, &mut variables) {
            Ok(clause) => {
                let place = self.place(span);
                self.gathered.rules.push(RawRule { clause, variables, place });
            }
            Err(unsupported) => {
                let fault = faults::unsupported(self.place(unsupported.span), &unsupported.what);
                self.leave_out(head, fault);
            }
        }
    }

    /// A rule outside the language: a fault in the own layout, to be left out where it is another
    /// system's.
    pub(super) fn leave_out(&mut self, head: &Term<'_>, fault: Diagnostic) {
        let fault = match atom_parts(head) {
            Some((name, arguments)) if self.format.is_foreign() && name.starts_with(char::is_alphabetic) => {
                let predicate = self.gathered.symbols.predicate(name, arguments.len());
                self.gathered.incomplete.push(predicate);
                fault.into_warning(faults::RULE_LEFT_OUT)
            }
            _ if self.format.is_foreign() => fault.into_warning("the statement is left out"),
            _ => fault,
        };
        self.gathered.diagnostics.push(fault);
    }

    pub(super) fn directive(&mut self, goal: &Term<'_>) {
        let Some((name, arguments)) = atom_parts(goal) else {
            self.gathered
                .diagnostics
                .push(faults::ignored_directive(self.place(goal.span), &goal.to_string()));
            return;
        };
        match (name, arguments) {
            ("modeh", [limit, subject]) => self.mode(ModeSide::Head, Some(limit), subject, goal.span),
            ("modeb", [limit, subject]) => self.mode(ModeSide::Body, Some(limit), subject, goal.span),
            ("mode", [subject]) if self.format == Format::Progol => {
                self.mode(ModeSide::Either, None, subject, goal.span);
            }
            ("mode", [limit, subject]) => self.mode(ModeSide::Either, Some(limit), subject, goal.span),
            ("determination", [target, body]) => self.determination(target, body, goal.span),
            ("set" | "aleph_set", [name, value]) => self.gathered.settings.push(SetDirective {
                name: plain_text(name),
                value: plain_text(value),
                file: self.id,
                span: self.place(goal.span).span,
                is_foreign: self.format.is_foreign(),
            }),
            // How facts are stored and what is complained about: nothing that a reader misses.
            ("discontiguous" | "dynamic" | "multifile" | "style_check" | "if" | "endif", _)
                if self.format.is_foreign() => {}
            ("aleph", []) | ("use_module", [_]) if self.format == Format::Aleph => {}
            ("use_module" | "use_rendering", [_]) if self.format.is_foreign() => {}
            _ => {
                let name = format!("{name}/{}", arguments.len());
                self.gathered.diagnostics.push(faults::ignored_directive(self.place(goal.span), &name));
            }
        }
    }

    pub(super) fn mode(&mut self, side: ModeSide, limit: Option<&Term<'_>>, subject: &Term<'_>, span: Span) {
        let place = self.place(span);
        match read_mode(side, limit, subject, place) {
            Ok(mode) => {
                if let (ModeSide::Head, Subject::Relation(name)) = (mode.side, &mode.subject)
                    && self.format == Format::Progol
                {
                    self.gathered.query.get_or_insert_with(|| name.clone().into());
                }
                self.gathered.modes.push(mode);
            }
            Err(what) => {
                let accepted = "a mode is `modeb(limit, p(+type, -type, #type))`, limit * or a whole number";
                let fault = faults::bad_declaration(place, &what, accepted);
                let is_foreign = self.format.is_foreign();
                let fault = if is_foreign { fault.into_warning("the mode is left out") } else { fault };
                self.gathered.diagnostics.push(fault);
            }
        }
    }

    pub(super) fn determination(&mut self, target: &Term<'_>, body: &Term<'_>, span: Span) {
        let place = self.place(span);
        match (name_and_arity(target), name_and_arity(body)) {
            (Some(target), Some(body)) => self.gathered.determinations.push((target, body, place)),
            _ => {
                let accepted = "a determination is `determination(target/arity, body/arity)`";
                let fault = faults::bad_declaration(place, "this is no determination", accepted);
                self.gathered.diagnostics.push(fault);
            }
        }
    }
}

/// What headless clauses of Progol's programs are that are no negative examples.
pub(super) const DIRECTIVES: [&str; 14] = [
    "modeh",
    "modeb",
    "mode",
    "determination",
    "set",
    "aleph_set",
    "discontiguous",
    "dynamic",
    "multifile",
    "style_check",
    "if",
    "endif",
    "use_module",
    "commutative",
];

/// Whether a term is a mode: all its arguments carry markers.
pub(super) fn is_mode_term(term: &Term<'_>) -> bool {
    atom_parts(term).is_some_and(|(_, arguments)| {
        !arguments.is_empty()
            && arguments.iter().all(|argument| {
                matches!(&argument.kind, TermKind::Compound(sign, inner)
                    if matches!(&**sign, "+" | "-" | "#") && inner.len() == 1)
            })
    })
}

pub(super) fn name_and_arity(term: &Term<'_>) -> Option<PredicateName> {
    match &term.kind {
        TermKind::Compound(slash, sides) if slash == "/" => {
            match (&sides[0].kind, sides.get(1).map(|side| &side.kind)) {
                (TermKind::Atom(name), Some(TermKind::Integer(arity))) => {
                    Some(PredicateName::new(name.as_ref(), usize::try_from(*arity).ok()?))
                }
                _ => None,
            }
        }
        _ => None,
    }
}

/// A term as a setting's name or value: atoms and strings without quotes.
pub(in crate::problem) fn plain_text(term: &Term<'_>) -> String {
    match &term.kind {
        TermKind::Atom(text) | TermKind::Text(text) => text.to_string(),
        // `min-pos` reads as a difference, `recall=0.5` as an equation.
        _ => term.to_string().replace(' ', ""),
    }
}
