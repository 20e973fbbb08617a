//! Reading: every statement of every file into provisional tables.

use std::path::PathBuf;

use crate::base::{ConstantId, FixedMap, PredicateId};
use crate::program::{Clause, FactTable, Number, PredicateName};
use crate::syntax::ast::{Statement, Term};
use crate::syntax::{
    Diagnostic, FileId, PlainConstant, PlainFact, ProgramSink, Sources, Span, SyntaxFault, TermKind,
    plain_constant, read_program,
};

use super::SetDirective;
use super::boostsrl;
use super::faults::{self, Place};
use super::layout::{Format, Layout, LayoutFile, Role};
use super::lower::{Variables, atom_parts, ground_constant, lower_clause};
use super::mode_terms::{ModeSide, RawMode, read_mode};
use super::popper::{self, Bias};
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
    /// Its row among those of the predicate in `Gathered::example_rows`.
    pub(super) row: usize,
    pub(super) fold: Option<usize>,
    pub(super) is_positive: bool,
    pub(super) place: Place,
}

/// Everything the files say.
#[derive(Debug, Default)]
pub(super) struct Gathered {
    pub(super) symbols: Provisional,
    pub(super) global: FactTable,
    pub(super) folds: Vec<FactTable>,
    pub(super) rules: Vec<RawRule>,
    /// The heads of rules outside the language, in files of other systems.
    pub(super) incomplete: Vec<PredicateId>,
    pub(super) modes: Vec<RawMode>,
    pub(super) determinations: Vec<(PredicateName, PredicateName, Place)>,
    pub(super) settings: Vec<SetDirective>,
    pub(super) bias: Bias,
    pub(super) examples: Vec<RawExample>,
    /// The examples' arguments, by predicate, in the order given.
    pub(super) example_rows: FactTable,
    /// Where each predicate first has a fact.
    pub(super) first_facts: FixedMap<PredicateId, Place>,
    pub(super) diagnostics: Vec<Diagnostic>,
}

impl Gathered {
    /// The arguments of an example.
    pub(super) fn arguments(&self, example: &RawExample) -> &[ConstantId] {
        self.example_rows.rows(example.predicate).row(example.row)
    }

    /// Makes room for every known predicate in every table.
    pub(super) fn fit_tables(&mut self) {
        let tables = [&mut self.global, &mut self.example_rows].into_iter().chain(&mut self.folds);
        tables.for_each(|table| fit(table, &self.symbols));
    }
}

fn fit(table: &mut FactTable, symbols: &Provisional) {
    for predicate in &symbols.predicates()[table.n_predicates()..] {
        table.add_predicate(predicate.arity);
    }
}

/// Reads all files of a layout.
pub(super) fn gather(layout: &Layout, sources: &mut Sources) -> Gathered {
    let before = sources.clone();
    let mut faulty: Vec<PathBuf> = Vec::new();
    loop {
        match gather_but(&faulty, layout, sources) {
            Ok(gathered) => return gathered,
            // Nothing of a file that is faulty as a whole counts, and part of it was taken.
            Err(path) => faulty.push(path),
        }
        *sources = before.clone();
    }
}

/// Reads all files of a layout; fails with one that turns out to be no text, unless it is known as such.
fn gather_but(faulty: &[PathBuf], layout: &Layout, sources: &mut Sources) -> Result<Gathered, PathBuf> {
    let mut gathered =
        Gathered { folds: vec![FactTable::default(); layout.fold_names.len()], ..Gathered::default() };
    let mut queue: Vec<LayoutFile> = layout.files.iter().rev().cloned().collect();
    let mut imported: Vec<PathBuf> = Vec::new();
    while let Some(file) = queue.pop() {
        let is_translated = layout.format == Format::Boostsrl || file.role == Role::Bias;
        let is_streamed = !is_translated && !faulty.contains(&file.path);
        let mut reading = Reading::new(&mut gathered, layout.format, &file, sources.next_id());
        let imports = if is_streamed {
            match sources.read(&file.path, &mut reading) {
                Ok(true) => Ok(Vec::new()),
                Ok(false) => return Err(file.path),
                Err(diagnostic) => Err(diagnostic),
            }
        } else {
            sources.load(&file.path).map(|id| reading.whole(sources.get(id).text()))
        };
        let faults = std::mem::take(&mut reading.faults);
        gathered.diagnostics.extend(faults);
        let imports = imports.unwrap_or_else(|diagnostic| {
            gathered.diagnostics.push(diagnostic);
            Vec::new()
        });
        for import in imports {
            let path =
                file.path.parent().map_or_else(|| import.clone().into(), |folder| folder.join(&import));
            if !imported.contains(&path) {
                imported.push(path.clone());
                queue.push(LayoutFile { path, ..file.clone() });
            }
        }
    }
    gathered.fit_tables();
    let modes = gathered.bias.modes(&mut gathered.diagnostics);
    gathered.modes.extend(modes);
    Ok(gathered)
}

/// One file while it is read.
struct Reading<'r> {
    gathered: &'r mut Gathered,
    format: Format,
    file: &'r LayoutFile,
    /// The part that what is read plays; sections of a file may change it.
    role: Role,
    id: FileId,
    /// Where the text that spans are relative to begins in the file.
    start: usize,
    /// Statements that could not be read; they are told after all that was found in others.
    faults: Vec<Diagnostic>,
    /// The predicate of the fact taken before.
    last: Option<PredicateId>,
    /// The arguments of the fact that is looked at, else of the one before.
    row: Vec<ConstantId>,
    /// By argument; those far to the right share.
    orders: [Order; N_ORDERS],
}

/// Arguments whose order is told apart.
const N_ORDERS: usize = 8;

/// Whether constants of late came in the order in which they were first named.
#[derive(Clone, Copy, Debug, Default)]
struct Order {
    /// How many more misses are borne.
    credit: u8,
    /// Constants until the next try without credit.
    pause: u8,
}

impl Order {
    const MOST_CREDIT: u8 = 32;
    const PAUSE: u8 = 32;

    const fn is_likely(self) -> bool {
        self.credit > 0 || self.pause == 0
    }

    /// A miss costs about as much as a hit spares.
    const fn learn(&mut self, is_near: bool) {
        if is_near {
            let credit = self.credit + 2;
            self.credit = if credit > Self::MOST_CREDIT { Self::MOST_CREDIT } else { credit };
        } else if self.credit > 0 {
            self.credit -= 1;
        } else {
            self.pause = if self.pause == 0 { Self::PAUSE } else { self.pause - 1 };
        }
    }
}

impl ProgramSink for Reading<'_> {
    fn fact(&mut self, fact: &PlainFact<'_>, start: usize) -> bool {
        // Without a keyword, what looks like a fact may be a mode there.
        let is_data = matches!(self.role, Role::Background | Role::Positives | Role::Negatives);
        let is_taken = is_data && self.constants(fact);
        if is_taken {
            self.start = start;
            self.take(fact);
        } else {
            self.last = None;
        }
        is_taken
    }

    fn statement(&mut self, statement: &Statement<'_>, start: usize) {
        self.start = start;
        self.last = None;
        self.read_statement(statement);
    }

    fn fault(&mut self, fault: &SyntaxFault, start: usize) {
        self.faults.push(fault.to_diagnostic(self.id, start));
    }
}

impl<'r> Reading<'r> {
    const fn new(gathered: &'r mut Gathered, format: Format, file: &'r LayoutFile, id: FileId) -> Self {
        let orders = [Order { credit: 0, pause: 0 }; N_ORDERS];
        Self {
            gathered,
            format,
            file,
            role: file.role,
            id,
            start: 0,
            faults: Vec::new(),
            last: None,
            row: Vec::new(),
            orders,
        }
    }

    /// Reads the file from memory; returns the files it imports.
    fn whole(&mut self, text: &str) -> Vec<String> {
        if self.file.role == Role::Bias {
            let translated = popper::translate(text);
            for span in translated.constraints {
                self.gathered.diagnostics.push(faults::ignored_constraint((self.id, span)));
            }
            read_program(&translated.text, self);
            self.settings_of_bias();
            return Vec::new();
        }
        if self.format != Format::Boostsrl {
            read_program(text, self);
            return Vec::new();
        }
        let translated = boostsrl::translate(text);
        read_program(&translated.text, self);
        translated.imports
    }

    /// Popper's settings are of another system, as Aleph's are.
    fn settings_of_bias(&mut self) {
        let Gathered { bias, settings, .. } = self.gathered;
        settings.extend(bias.settings().map(|(name, value, (file, span))| {
            let name = if name == "max_body" { "max-literals" } else { name };
            SetDirective { name: name.to_owned(), value, file, span, is_foreign: true }
        }));
    }

    /// Puts the constants of a fact into `row`; false, and no new constant is known, where an argument
    /// is not plain.
    fn constants(&mut self, fact: &PlainFact<'_>) -> bool {
        let symbols = &mut self.gathered.symbols;
        self.row.resize(fact.arity(), ConstantId::default());
        let mut n_known = 0;
        let mut beside = None;
        for (column, (constant, argument)) in self.row.iter_mut().zip(fact.arguments()).enumerate() {
            // Begin where this argument of the fact before was, else where the one beside it is.
            let order = &mut self.orders[column % N_ORDERS];
            let near = if order.is_likely() {
                symbols.find_constant_near(argument, *constant, beside)
            } else {
                None
            };
            order.learn(near.is_some());
            let Some(found) = near.or_else(|| symbols.find_constant(argument)) else { break };
            *constant = found;
            beside = Some(found);
            n_known += 1;
        }
        if n_known == fact.arity() {
            return true;
        }
        self.row.truncate(n_known);
        let unknown = || fact.arguments().skip(n_known);
        let is_plain =
            |argument| symbols.find_constant(argument).is_some() || plain_constant(argument).is_some();
        if !unknown().all(is_plain) {
            return false;
        }
        self.row.extend(unknown().map(|argument| {
            let number = match plain_constant(argument) {
                Some(PlainConstant::Integer(value)) => Some(Number::Integer(value)),
                Some(PlainConstant::Float(value)) => Some(Number::Float(value)),
                _ => None,
            };
            symbols.constant(argument, number)
        }));
        true
    }

    /// Takes the fact whose arguments are in `row`.
    fn take(&mut self, fact: &PlainFact<'_>) {
        let symbols = &mut self.gathered.symbols;
        let same =
            self.last.filter(|&last| fact.is_same_name && symbols.predicate_name(last).arity == fact.arity());
        let predicate = same.unwrap_or_else(|| symbols.predicate(fact.name, fact.arity()));
        self.last = Some(predicate);
        let place = self.place(fact.span);
        let row = std::mem::take(&mut self.row);
        match self.role {
            Role::Positives | Role::Negatives => {
                self.add_example(predicate, &row, self.role == Role::Positives, place);
            }
            _ => {
                if same.is_none() {
                    self.gathered.first_facts.entry(predicate).or_insert(place);
                }
                self.add_fact(predicate, &row);
            }
        }
        self.row = row;
    }

    fn add_fact(&mut self, predicate: PredicateId, row: &[ConstantId]) {
        let table = match self.file.fold {
            Some(fold) => &mut self.gathered.folds[fold],
            None => &mut self.gathered.global,
        };
        if table.n_predicates() <= predicate.index() {
            fit(table, &self.gathered.symbols);
        }
        table.rows_mut(predicate).push(row);
    }

    fn place(&self, span: Span) -> Place {
        (self.id, Span::new(self.start + span.start, self.start + span.end))
    }

    fn read_statement(&mut self, statement: &Statement<'_>) {
        if let Some(role) = self.section(statement) {
            self.role = role;
            return;
        }
        match (&statement.head, self.role) {
            (Some(head), Role::Positives) => self.example(head, statement, true),
            (Some(head), Role::Negatives) => self.example(head, statement, false),
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
    fn section(&self, statement: &Statement<'_>) -> Option<Role> {
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

    /// `pos(atom)` or `neg(atom)`.
    fn labelled(&mut self, head: &Term<'_>, statement: &Statement<'_>) {
        match atom_parts(head) {
            Some(("pos", [example])) => self.example(example, statement, true),
            Some(("neg", [example])) => self.example(example, statement, false),
            _ => {
                let place = self.place(statement.span);
                let fault = faults::not_an_example(place, "`pos(target(a)).` or `neg(target(b)).`");
                self.gathered.diagnostics.push(fault);
            }
        }
    }

    fn example(&mut self, head: &Term<'_>, statement: &Statement<'_>, is_positive: bool) {
        let place = self.place(statement.span);
        let symbols = &mut self.gathered.symbols;
        let atom = atom_parts(head).filter(|_| statement.body.is_empty()).and_then(|(name, arguments)| {
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

    fn add_example(
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
        let (row, fold) = (rows.len(), self.file.fold);
        rows.push(arguments);
        self.gathered.examples.push(RawExample { predicate, row, fold, is_positive, place });
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
        self.add_fact(predicate, &row);
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
                self.leave_out(head, fault);
            }
        }
    }

    /// A rule outside the language: a fault in the own layout, to be left out where it is another
    /// system's.
    fn leave_out(&mut self, head: &Term<'_>, fault: Diagnostic) {
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
                span: self.place(goal.span).1,
                is_foreign: self.format.is_foreign(),
            }),
            // How facts are stored and what is complained about: nothing that a reader misses.
            ("discontiguous" | "dynamic" | "multifile" | "style_check" | "if" | "endif", _)
                if self.format.is_foreign() => {}
            ("aleph", []) | ("use_module", [_]) if self.format == Format::Aleph => {}
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
                let fault = faults::bad_declaration(place, &what, accepted);
                let is_foreign = self.format.is_foreign();
                let fault = if is_foreign { fault.into_warning("the mode is left out") } else { fault };
                self.gathered.diagnostics.push(fault);
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

#[cfg(test)]
mod tests;
