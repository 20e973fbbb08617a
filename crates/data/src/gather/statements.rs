//! The meaning of statements in every layout: examples, facts, rules, modes, settings.

use super::built_ins::{Expanded, NumberIdiom, expand, number_idiom};
use super::control::{Rewritten, has_cut, is_settled, rewrite};
use super::declarations::RawExamples;
use super::gathered::{CutRule, HeldRule, OwnMeaning, RawRule, Statements, UniversalFact};
use super::reading::{FileReading, Role};
use super::time_terms as time;
use crate::faults;
use crate::mode_terms::{ModeSide, RawMode, lifted_mode, name_and_arity, plain_text, read_mode};
use gleaner_base::ConstantId;
use gleaner_lang::program::Term::Constant;
use gleaner_lang::program::lower::{
    atom_parts, ground_constant, lower_aggregate, lower_background_rule, lower_rule,
};
use gleaner_lang::program::{Atom, Clause, PredicateName};
use gleaner_lang::syntax::ast::{Statement, Term};
use gleaner_lang::syntax::{Diagnostic, Place, Span, TermKind};

/// The most literals of a rule: each costs a join in every round.
const MOST_LITERALS: usize = 1000;

impl FileReading<'_> {
    /// The declaration in a fact of a file of modes: there `modeb(*, p(+a)).` means the same as after `:-`.
    pub(super) fn declared<'t, 's>(&self, statement: &'t Statement<'s>) -> Option<&'t Term<'s>> {
        let is_declaration = |head: &&Term<'_>| {
            matches!(
                atom_parts(head),
                Some(("modeh" | "modeb" | "mode", [_] | [_, _]) | ("determination", [_, _]))
            )
        };
        let may_be = self.role == Role::Modes && statement.body.is_empty();
        statement.head.as_ref().filter(|_| may_be).filter(is_declaration)
    }

    /// Takes a statement by the current role; a directive goal by goal.
    pub(crate) fn statement(&mut self, statement: &Statement<'_>) {
        let (span, is_fact) = (statement.span, statement.body.is_empty());
        match (&statement.head, self.role) {
            (Some(head), Role::Positives) => self.example(head, span, is_fact, true),
            (Some(head), Role::Negatives) => self.example(head, span, is_fact, false),
            (None, Role::Positives | Role::Negatives) => {
                let fault = faults::not_an_example(self.place(span), "a ground atom with a full stop");
                self.tell(if self.role == Role::Negatives && !self.statements.habits.is_foreign {
                    fault.with_help("⁅format=progol⁆ reads `:- target(a).` as a negative example")
                } else {
                    fault
                });
            }
            (None, Role::Background | Role::Modes | Role::Mixed) => {
                statement.body.iter().for_each(|goal| self.directive(goal));
            }
            (Some(head), Role::Modes) if is_mode_term(head) && is_fact => {
                self.mode(ModeSide::Either, None, head, span);
            }
            (Some(head), _) if is_fact => self.fact(head, span),
            (Some(head), _) => self.rule(head, &statement.body, span),
        }
    }

    /// Takes an atom to score, which must be ground and without a body.
    pub(crate) fn asked(&mut self, head: &Term<'_>, span: Span, is_fact: bool) {
        let n_before = self.statements.examples.listed.len();
        self.example(head, span, is_fact, false);
        let RawExamples { listed, asked, .. } = &mut self.statements.examples;
        for mut example in listed.drain(n_before..) {
            example.forget_class();
            asked.push(example);
        }
    }

    /// Takes an example, which must be ground and without a body.
    pub(crate) fn example(&mut self, head: &Term<'_>, span: Span, is_fact: bool, is_positive: bool) {
        let place = self.place(span);
        let symbols = &mut self.statements.symbols;
        let atom = atom_parts(head).filter(|_| is_fact).and_then(|(name, arguments)| {
            let values: Option<Vec<ConstantId>> =
                arguments.iter().map(|argument| ground_constant(argument, symbols)).collect();
            Some((symbols.predicate(name, arguments.len()), values?))
        });
        match atom {
            Some((predicate, arguments)) => {
                let fold = self.fold;
                self.examples_of(predicate).add(predicate, &arguments, is_positive, fold, place);
            }
            None => {
                let fault =
                    faults::not_an_example(place, "a ground atom with a full stop, as `target(a, b).`");
                self.tell(fault);
            }
        }
    }

    /// Takes a fact; one with variables holds for all constants that they may stand for.
    pub(crate) fn fact(&mut self, head: &Term<'_>, span: Span) {
        let place = self.place(span);
        let symbols = &mut self.statements.symbols;
        let Some((name, arguments)) = atom_parts(head) else {
            self.tell(faults::unsupported(place, &format!("`{head}` as a fact")));
            return;
        };
        let mut row = Vec::with_capacity(arguments.len());
        for argument in arguments {
            match ground_constant(argument, symbols) {
                Some(constant) => row.push(constant),
                None => return self.universal_fact(None, head, span),
            }
        }
        let predicate = symbols.predicate(name, arguments.len());
        self.add_fact(predicate, &row, true, self.fold, place);
    }

    /// Takes a fact with variables, perhaps with a constant before its arguments. An unreadable one of another system
    /// is left out alone.
    pub(crate) fn universal_fact(&mut self, first: Option<ConstantId>, head: &Term<'_>, span: Span) {
        let (place, fold, text) = (self.place(span), self.fold, head.to_string());
        let Statements { symbols, habits, .. } = &mut *self.statements;
        match lower_rule(head, &[], symbols) {
            Ok((Clause { head: Atom { mut predicate, mut arguments }, n_variables, .. }, variables)) => {
                if let Some(first) = first {
                    arguments.insert(0, Constant(first));
                    let name = symbols.predicate_name(predicate).name.clone();
                    predicate = symbols.predicate(&name, arguments.len());
                }
                self.waiting.universal.push(UniversalFact {
                    predicate,
                    arguments,
                    variables,
                    n_variables,
                    fold,
                    text,
                    place,
                    is_meant: false,
                });
            }
            Err(fault) => {
                let fault = faults::unsupported(place, &format!("{} in the fact {text}", fault.what()));
                let left_out = "the fact is left out";
                let is_foreign = habits.is_foreign;
                self.tell(if is_foreign { fault.into_warning(left_out) } else { fault });
            }
        }
    }

    /// Takes a fact that the layout means for all models: they are its only variable.
    pub(crate) fn fact_of_all_models(&mut self, head: &Term<'_>, span: Span) {
        let n_before = self.waiting.universal.len();
        self.universal_fact(None, head, span);
        let new = &mut self.waiting.universal[n_before..];
        new.iter_mut().for_each(|fact| fact.is_meant = fact.n_variables == 1);
    }

    /// Takes a rule. Rules are global, whichever file holds them: each world applies them to its own facts.
    pub(crate) fn rule(&mut self, head: &Term<'_>, body: &[Term<'_>], span: Span) {
        let place = self.place(span);
        let is_foreign = self.statements.habits.is_foreign;
        if let (true, Some(what)) = (is_foreign, search_rule(head)) {
            return self.tell(faults::search_rule(place, what));
        }
        // In the own layout a test such as `number` may be a relation of the data.
        let idiom = if is_foreign || body.len() == 1 { number_idiom(head, body) } else { None };
        let Some(Expanded { body: expanded, called }) = expand(head, body) else {
            let (rules, rewritten) = self.clauses(head, body, span);
            return self.add_rules(head, body, RuleReading { idiom, rules, rewritten, own: None, place });
        };
        let (as_written, _) = self.clauses(head, body, span);
        let (rules, rewritten) = match expanded {
            Ok(expanded) => self.clauses(head, &expanded, span),
            Err((what, span)) => (Err(faults::unsupported(self.place(span), &what)), None),
        };
        let symbols = &mut self.statements.symbols;
        let called = called.into_iter().map(|(name, arity)| symbols.predicate(name, arity)).collect();
        let own = Some(OwnMeaning { called, rules: as_written });
        self.add_rules(head, body, RuleReading { idiom, rules, rewritten, own, place });
    }

    /// The clauses of a rule, or its fault; with the control that was rewritten.
    fn clauses<'s>(
        &mut self,
        head: &Term<'s>,
        body: &[Term<'s>],
        span: Span,
    ) -> (Result<Vec<RawRule>, Diagnostic>, Option<Rewritten<'s>>) {
        // The own layout means its rules as they stand; control is rewritten where that is refused.
        let is_as_written = !self.statements.habits.is_foreign && !body.iter().any(is_settled);
        let as_written = is_as_written.then(|| self.lower(head, body, span));
        let is_open = body.len() <= MOST_LITERALS && !matches!(as_written, Some(Ok(_)));
        let rewritten = if is_open { rewrite(head, body) } else { None };
        let rules = match &rewritten {
            Some(rewritten) => rewritten.bodies.iter().map(|body| self.lower(head, body, span)).collect(),
            None => as_written.unwrap_or_else(|| self.lower(head, body, span)).map(|rule| vec![rule]),
        };
        (rules, rewritten)
    }

    /// Adds a rule, or holds it back if its meaning depends on other statements.
    fn add_rules(&mut self, head: &Term<'_>, body: &[Term<'_>], reading: RuleReading<'_>) {
        let RuleReading { idiom, rules, rewritten, own, place } = reading;
        let has_cut = rewritten.is_some_and(|rewritten| rewritten.has_cut);
        let fault = if has_cut { self.lower(head, body, head.span).err() } else { None };
        // The meaning of such a rule depends on the rules that follow.
        if let (true, Some((name, arguments))) =
            (idiom.is_some() || has_cut || own.is_some(), atom_parts(head))
        {
            let predicate = self.statements.symbols.predicate(name, arguments.len());
            let cut = fault.map(|fault| CutRule {
                fault,
                n_facts: self.facts.n_of(predicate),
                n_rules: self.statements.rules.list.len(),
                n_universal: self.waiting.universal.len(),
            });
            self.waiting.held.push(HeldRule { predicate, idiom, rules, own, cut, place });
            return;
        }
        match rules {
            Ok(rules) => self.statements.rules.list.extend(rules),
            Err(fault) => self.leave_out(head, body, fault),
        }
    }

    /// A clause over ids, or its fault.
    fn lower(&mut self, head: &Term<'_>, body: &[Term<'_>], span: Span) -> Result<RawRule, Diagnostic> {
        let place = self.place(span);
        if body.len() > MOST_LITERALS {
            let what = format!("a rule of {} literals, more than {MOST_LITERALS}", body.len());
            return Err(faults::unsupported(place, &what));
        }
        let lowered = lower_background_rule(head, body, &mut self.statements.symbols);
        lowered.map(|(clause, variables)| RawRule { clause, variables, place }).map_err(|fault| {
            let told = faults::unsupported(self.place(fault.span()), &fault.what());
            match fault.help() {
                Some(help) => told.with_help(help),
                None => told,
            }
        })
    }

    /// Handles a rule outside the language: a fault in the own layout; a rule of another system is left out, and so is one
    /// with a cut in either.
    fn leave_out(&mut self, head: &Term<'_>, body: &[Term<'_>], fault: Diagnostic) {
        let is_left_out = self.statements.habits.is_foreign || has_cut(body);
        let fault = match atom_parts(head) {
            Some((name, arguments)) if is_left_out && name.starts_with(char::is_alphabetic) => {
                let predicate = self.statements.symbols.predicate(name, arguments.len());
                self.statements.rules.incomplete.push(predicate);
                fault.into_warning(faults::RULE_LEFT_OUT)
            }
            _ if is_left_out => fault.into_warning("the statement is left out"),
            _ => fault,
        };
        self.tell(fault);
    }

    /// Takes a goal of a directive: a mode, a determination or a setting; a message tells of any other.
    pub(crate) fn directive(&mut self, goal: &Term<'_>) {
        let is_foreign = self.statements.habits.is_foreign;
        let Some((name, arguments)) = atom_parts(goal) else {
            return self.tell(faults::ignored_directive(self.place(goal.span), &goal.to_string()));
        };
        match (name, arguments) {
            ("modeh", [limit, subject]) => self.mode(ModeSide::Head, Some(limit), subject, goal.span),
            ("modeb", [limit, subject]) => self.mode(ModeSide::Body, Some(limit), subject, goal.span),
            ("mode", [limit, subject]) => self.mode(ModeSide::Either, Some(limit), subject, goal.span),
            // Without a limit, the limit is `*`.
            ("modeh", [subject]) => self.mode(ModeSide::Head, None, subject, goal.span),
            ("modeb", [subject]) => self.mode(ModeSide::Body, None, subject, goal.span),
            ("mode", [subject]) => self.mode(ModeSide::Either, None, subject, goal.span),
            ("determination", [target, body]) => self.determination(target, body, goal.span),
            ("set" | "aleph_set", [name, _]) if is_foreign && plain_text(name) == "depth" => {
                self.tell(faults::proof_depth(self.place(goal.span)));
            }
            ("set" | "aleph_set", [name, value]) => {
                self.set(plain_text(name), plain_text(value), self.place(goal.span));
            }
            ("lost_positives", [n]) => self.lost_positives(n),
            (name, arguments) if time::NAMES.contains(&name) => self.time(name, arguments, goal.span),
            ("dynamic" | "abducible", predicates) => {
                predicates.iter().for_each(|term| self.statements.declarations.may_be_empty(term));
                if name == "abducible" {
                    self.tell(faults::ignored_directive(self.place(goal.span), "abducible/1"));
                }
            }
            // These say how facts are stored and which warnings appear: a reader misses nothing.
            ("discontiguous" | "multifile" | "style_check", _) if is_foreign => {}
            ("use_module" | "use_rendering", [_]) if is_foreign => {}
            _ => {
                let name = format!("{name}/{}", arguments.len());
                self.tell(faults::ignored_directive(self.place(goal.span), &name));
            }
        }
    }

    /// Takes a mode.
    pub(crate) fn mode(&mut self, side: ModeSide, limit: Option<&Term<'_>>, subject: &Term<'_>, span: Span) {
        let mode = self.read_mode(side, limit, subject, span);
        self.statements.declarations.modes.extend(mode);
    }

    /// Reads a mode; tells its fault.
    pub(crate) fn read_mode(
        &mut self,
        side: ModeSide,
        limit: Option<&Term<'_>>,
        subject: &Term<'_>,
        span: Span,
    ) -> Option<RawMode> {
        let place = self.place(span);
        let symbols = &mut self.statements.symbols;
        let aggregate = |mode| match lifted_mode(subject) {
            None => Ok(mode),
            Some(lifted) => lower_aggregate(&lifted, symbols).map(|_| mode).map_err(|fault| fault.what()),
        };
        let refusal = match read_mode(side, limit, subject, place).and_then(aggregate) {
            Ok(mode) => return Some(mode),
            Err(refusal) => refusal,
        };
        let accepted = "a mode is `modeb(limit, p(+type, -type, #type))`, limit * or a whole number";
        let fault = faults::bad_declaration(place, &refusal, accepted);
        let is_foreign = self.statements.habits.is_foreign;
        self.tell(if is_foreign { fault.into_warning("the mode is left out") } else { fault });
        None
    }

    /// Takes a directive that says how many positives of this fold are no examples.
    fn lost_positives(&mut self, n: &Term<'_>) {
        const MOST: i64 = 100_000_000;
        let TermKind::Integer(n @ 0..=MOST) = n.kind else {
            let accepted = "it is a whole number: `lost_positives(12)`";
            let what = "this is no number of positives";
            return self.tell(faults::bad_declaration(self.place(n.span), what, accepted));
        };
        let n = usize::try_from(n).unwrap_or_default();
        self.statements.declarations.lost_positives.extend(std::iter::repeat_n(self.fold, n));
    }

    /// Takes a directive about time.
    fn time(&mut self, name: &str, arguments: &[Term<'_>], span: Span) {
        let place = self.place(span);
        if let Err(refusal) = self.statements.declarations.times.take(name, arguments, place) {
            self.tell(faults::bad_declaration(place, &refusal.what, refusal.accepted));
        }
    }

    /// Takes a determination.
    fn determination(&mut self, target: &Term<'_>, body: &Term<'_>, span: Span) {
        if let Some([target, body]) = self.read_determination(target, body, span) {
            self.add_determination(target, body, span);
        }
    }

    /// Adds a determination.
    pub(crate) fn add_determination(&mut self, target: PredicateName, body: PredicateName, span: Span) {
        let place = self.place(span);
        self.statements.declarations.determinations.push((target, body, place));
    }

    /// Reads a determination; tells its fault.
    pub(crate) fn read_determination(
        &mut self,
        target: &Term<'_>,
        body: &Term<'_>,
        span: Span,
    ) -> Option<[PredicateName; 2]> {
        if let (Some(target), Some(body)) = (name_and_arity(target), name_and_arity(body)) {
            return Some([target, body]);
        }
        let accepted = "a determination is `determination(target/arity, body/arity)`";
        self.tell(faults::bad_declaration(self.place(span), "this is no determination", accepted));
        None
    }
}

/// A rule as it was read.
struct RuleReading<'s> {
    idiom: Option<NumberIdiom>,
    rules: Result<Vec<RawRule>, Diagnostic>,
    rewritten: Option<Rewritten<'s>>,
    own: Option<OwnMeaning>,
    place: Place,
}

/// Describes a rule with this head if it steers Aleph's search and says nothing of the data; else none.
fn search_rule(head: &Term<'_>) -> Option<&'static str> {
    match atom_parts(head)? {
        ("prune", [_]) => Some("prune/1 cuts Aleph's search"),
        ("false", []) => Some("`false :- ...` is a constraint on Aleph's theories"),
        _ => None,
    }
}

/// Whether an atom is written with its probability, as `p(a):0.3`, or several are between `;`.
pub(super) fn is_uncertain(head: &Term<'_>) -> bool {
    match atom_parts(head) {
        Some((":", [_, probability])) => {
            matches!(probability.kind, TermKind::Integer(_) | TermKind::Float(_))
        }
        Some((";", [one, other])) => is_uncertain(one) || is_uncertain(other),
        _ => false,
    }
}

/// Whether a term is a mode: all its arguments carry markers.
fn is_mode_term(term: &Term<'_>) -> bool {
    atom_parts(term).is_some_and(|(_, arguments)| {
        !arguments.is_empty()
            && arguments.iter().all(|argument| {
                matches!(&argument.kind, TermKind::Compound(sign, inner)
                    if matches!(&**sign, "+" | "-" | "#") && inner.len() == 1)
            })
    })
}
