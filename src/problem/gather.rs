//! Reading: every statement of every file into provisional tables.

use bumpalo::Bump;

use crate::base::{ConstantId, FixedMap, PredicateId};
use crate::program::{Clause, FactTable, PredicateName};
use crate::syntax::ast::{Statement, Term};
use crate::syntax::{Diagnostic, FileId, Sources, Span, TermKind, read_statements};

use super::SetDirective;
use super::boostsrl;
use super::faults::{self, Place};
use super::layout::{Format, Layout, LayoutFile, Role};
use super::lower::{Variables, atom_parts, ground_constant, lower_clause};
use super::mode_terms::{ModeSide, RawMode, read_mode};
use super::provisional::Provisional;

/// A rule with its place and the names of its variables.
#[derive(Debug)]
pub(super) struct RawRule {
    pub(super) clause: Clause,
    pub(super) variables: Variables,
    pub(super) place: Place,
}

/// An example as read.
#[derive(Debug)]
pub(super) struct RawExample {
    pub(super) predicate: PredicateId,
    pub(super) arguments: Box<[ConstantId]>,
    pub(super) fold: Option<usize>,
    pub(super) is_positive: bool,
    pub(super) place: Place,
}

/// Everything the files say.
#[derive(Debug)]
pub(super) struct Gathered<'arena> {
    pub(super) symbols: Provisional<'arena>,
    pub(super) global: FactTable,
    pub(super) folds: Vec<FactTable>,
    pub(super) rules: Vec<RawRule>,
    pub(super) modes: Vec<RawMode>,
    pub(super) determinations: Vec<(PredicateName, PredicateName, Place)>,
    pub(super) settings: Vec<SetDirective>,
    pub(super) examples: Vec<RawExample>,
    /// Where each predicate first has a fact.
    pub(super) first_facts: FixedMap<PredicateId, Place>,
    pub(super) diagnostics: Vec<Diagnostic>,
}

/// Reads all files of a layout.
pub(super) fn gather<'arena>(
    layout: &Layout,
    sources: &mut Sources,
    arena: &'arena Bump,
) -> Gathered<'arena> {
    let mut gathered = Gathered {
        symbols: Provisional::new(arena),
        global: FactTable::default(),
        folds: vec![FactTable::default(); layout.fold_names.len()],
        rules: Vec::new(),
        modes: Vec::new(),
        determinations: Vec::new(),
        settings: Vec::new(),
        examples: Vec::new(),
        first_facts: FixedMap::default(),
        diagnostics: Vec::new(),
    };
    let mut queue: Vec<LayoutFile> = layout.files.iter().rev().cloned().collect();
    let mut imported: Vec<std::path::PathBuf> = Vec::new();
    while let Some(file) = queue.pop() {
        let id = match sources.load(&file.path) {
            Ok(id) => id,
            Err(diagnostic) => {
                gathered.diagnostics.push(diagnostic);
                continue;
            }
        };
        let mut reading = Reading { gathered: &mut gathered, format: layout.format, file: &file, id };
        for import in reading.read(sources) {
            let path =
                file.path.parent().map_or_else(|| import.clone().into(), |folder| folder.join(&import));
            if !imported.contains(&path) {
                imported.push(path.clone());
                queue.push(LayoutFile { path, ..file.clone() });
            }
        }
    }
    let arities: Vec<usize> = gathered.symbols.predicates().iter().map(|predicate| predicate.arity).collect();
    for table in std::iter::once(&mut gathered.global).chain(&mut gathered.folds) {
        for &arity in &arities[table.n_predicates()..] {
            table.add_predicate(arity);
        }
    }
    gathered
}

/// One file while it is read.
struct Reading<'r, 'arena> {
    gathered: &'r mut Gathered<'arena>,
    format: Format,
    file: &'r LayoutFile,
    id: FileId,
}

impl Reading<'_, '_> {
    /// Reads the file; returns the files it imports.
    fn read(&mut self, sources: &Sources) -> Vec<String> {
        let text = sources.get(self.id).text();
        let (faults, imports) = if self.format == Format::Boostsrl {
            let translated = boostsrl::translate(text);
            (
                read_statements(&translated.text, &mut |statement| self.statement(&statement)),
                translated.imports,
            )
        } else {
            (read_statements(text, &mut |statement| self.statement(&statement)), Vec::new())
        };
        let id = self.id;
        self.gathered.diagnostics.extend(faults.iter().map(|fault| fault.to_diagnostic(id)));
        imports
    }

    fn place(&self, span: Span) -> Place {
        (self.id, span)
    }

    fn statement(&mut self, statement: &Statement<'_>) {
        match (&statement.head, self.file.role) {
            (Some(head), Role::Positives) => self.example(head, statement, true),
            (Some(head), Role::Negatives) => self.example(head, statement, false),
            (None, Role::Positives | Role::Negatives) => {
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

    fn example(&mut self, head: &Term<'_>, statement: &Statement<'_>, is_positive: bool) {
        let place = self.place(statement.span);
        let symbols = &mut self.gathered.symbols;
        let atom = atom_parts(head).filter(|_| statement.body.is_empty()).and_then(|(name, arguments)| {
            let values: Option<Box<[ConstantId]>> =
                arguments.iter().map(|argument| ground_constant(argument, symbols)).collect();
            Some((symbols.predicate(name, arguments.len()), values?))
        });
        match atom {
            Some((predicate, arguments)) => {
                let fold = self.file.fold;
                self.gathered.examples.push(RawExample { predicate, arguments, fold, is_positive, place });
            }
            None => {
                let fault =
                    faults::not_an_example(place, "a ground atom with a full stop, as `target(a, b).`");
                self.gathered.diagnostics.push(fault);
            }
        }
    }

    fn fact(&mut self, head: &Term<'_>, span: Span) {
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
        let table = match self.file.fold {
            Some(fold) => &mut self.gathered.folds[fold],
            None => &mut self.gathered.global,
        };
        while table.n_predicates() <= predicate.index() {
            let known = PredicateId::new(table.n_predicates());
            table.add_predicate(self.gathered.symbols.predicate_name(known).arity);
        }
        table.rows_mut(predicate).push(&row);
    }

    /// Rules are global, whichever file holds them: each world applies them to its own facts.
    fn rule(&mut self, head: &Term<'_>, body: &[Term<'_>], span: Span) {
        let mut variables = Variables::default();
        match lower_clause(head, body, &mut self.gathered.symbols, &mut variables) {
            Ok(clause) => {
                let place = self.place(span);
                self.gathered.rules.push(RawRule { clause, variables, place });
            }
            Err(unsupported) => {
                let fault = faults::unsupported(self.place(unsupported.span), &unsupported.what);
                self.gathered.diagnostics.push(fault);
            }
        }
    }

    fn directive(&mut self, goal: &Term<'_>) {
        let Some((name, arguments)) = atom_parts(goal) else {
            self.gathered
                .diagnostics
                .push(faults::ignored_directive(self.place(goal.span), &goal.to_string()));
            return;
        };
        match (name, arguments) {
            ("modeh", [limit, subject]) => self.mode(ModeSide::Head, Some(limit), subject, goal.span),
            ("modeb", [limit, subject]) => self.mode(ModeSide::Body, Some(limit), subject, goal.span),
            ("mode", [limit, subject]) => self.mode(ModeSide::Either, Some(limit), subject, goal.span),
            ("determination", [target, body]) => self.determination(target, body, goal.span),
            ("set" | "aleph_set", [name, value]) => self.gathered.settings.push(SetDirective {
                name: plain_text(name),
                value: plain_text(value),
                file: self.id,
                span: goal.span,
                is_aleph: self.format == Format::Aleph,
            }),
            _ => {
                let name = format!("{name}/{}", arguments.len());
                self.gathered.diagnostics.push(faults::ignored_directive(self.place(goal.span), &name));
            }
        }
    }

    fn mode(&mut self, side: ModeSide, limit: Option<&Term<'_>>, subject: &Term<'_>, span: Span) {
        let place = self.place(span);
        match read_mode(side, limit, subject, place) {
            Ok(mode) => self.gathered.modes.push(mode),
            Err(what) => {
                let accepted = "a mode is `modeb(limit, p(+type, -type, #type))`, limit * or a whole number";
                self.gathered.diagnostics.push(faults::bad_declaration(place, &what, accepted));
            }
        }
    }

    fn determination(&mut self, target: &Term<'_>, body: &Term<'_>, span: Span) {
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

fn name_and_arity(term: &Term<'_>) -> Option<PredicateName> {
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
fn plain_text(term: &Term<'_>) -> String {
    match &term.kind {
        TermKind::Atom(text) | TermKind::Text(text) => text.to_string(),
        // `min-pos` reads as a difference, `recall=0.5` as an equation.
        _ => term.to_string().replace(' ', ""),
    }
}
