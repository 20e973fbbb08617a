//! Statements as text of a program, which reads back as the same, and files made of them.

use crate::base::{ConstantId, PredicateId};
use crate::program::settings::{Kind, SETTINGS};
use crate::program::{Atom, Expression, Literal, PredicateName, Term};
use crate::syntax::{PlainConstant, TermKind, plain_constant, quote_atom, read_clause};

use super::super::SetDirective;
use super::super::check;
use super::super::gather::{RawRule, plain_text};
use super::super::layout::Format;
use super::super::lower::Variables;
use super::super::mode_terms::{Marker, ModeSide, RawMode, Subject};
use super::super::provisional::Provisional;
use super::losses::Losses;
use super::material::{Fold, Material};
use super::{ConvertedFile, Counts};

/// A file while it is written.
#[derive(Debug, Default)]
pub(super) struct Page {
    pub(super) text: String,
    pub(super) counts: Counts,
}

impl Page {
    pub(super) fn file(self, path: impl Into<String>) -> ConvertedFile {
        ConvertedFile { path: path.into(), text: self.text, counts: self.counts }
    }

    pub(super) fn line(&mut self, text: &str) {
        self.text.push_str(text);
        self.text.push('\n');
    }

    /// The facts of these parts together.
    pub(super) fn facts(&mut self, material: &Material<'_>, parts: &[Fold]) {
        for &predicate in &material.predicates {
            self.facts_of(material, predicate, parts);
        }
    }

    /// The facts of one predicate.
    pub(super) fn facts_of(&mut self, material: &Material<'_>, predicate: PredicateId, parts: &[Fold]) {
        let name = quote_atom(&material.predicate(predicate).name);
        for row in material.facts(predicate, parts) {
            push_atom(&mut self.text, &name, row, &material.gathered.symbols);
            self.text.push_str(".\n");
            self.counts.facts += 1;
        }
    }

    pub(super) fn rules(&mut self, material: &Material<'_>) {
        for rule in material.rules() {
            self.line(&rule);
            self.counts.rules += 1;
        }
    }

    /// The examples of one class in these parts, each once; those for which `keep` is false are not written.
    pub(super) fn examples(
        &mut self,
        material: &Material<'_>,
        parts: &[Fold],
        is_positive: bool,
        keep: impl Fn(&PredicateName) -> bool,
    ) {
        for text in example_texts(material, parts, is_positive, keep) {
            self.example(&format!("{text}."), is_positive);
        }
    }

    pub(super) fn example(&mut self, line: &str, is_positive: bool) {
        self.line(line);
        let count = if is_positive { &mut self.counts.positives } else { &mut self.counts.negatives };
        *count += 1;
    }

    /// Directives with these goals.
    pub(super) fn directives(&mut self, goals: &[String]) {
        for goal in goals {
            self.line(&format!(":- {goal}."));
            self.counts.declarations += 1;
        }
    }
}

/// The examples of one class in these parts as atoms, each once.
pub(super) fn example_texts(
    material: &Material<'_>,
    parts: &[Fold],
    is_positive: bool,
    keep: impl Fn(&PredicateName) -> bool,
) -> Vec<String> {
    let mut texts = Vec::new();
    for &predicate in &material.predicates {
        if !keep(material.predicate(predicate)) {
            continue;
        }
        let name = quote_atom(&material.predicate(predicate).name);
        let mut rows: Vec<&[ConstantId]> = material
            .examples(predicate, parts)
            .into_iter()
            .filter(|example| example.is_positive == is_positive)
            .map(|example| example.row)
            .collect();
        material.sort_rows(&mut rows);
        for row in rows {
            let mut text = String::new();
            push_atom(&mut text, &name, row, &material.gathered.symbols);
            texts.push(text);
        }
    }
    texts
}

fn push_atom(text: &mut String, name: &str, row: &[ConstantId], symbols: &Provisional) {
    text.push_str(name);
    for (position, &constant) in row.iter().enumerate() {
        text.push(if position == 0 { '(' } else { ',' });
        text.push_str(symbols.constant_text(constant));
    }
    if !row.is_empty() {
        text.push(')');
    }
}

/// A rule with the names of its variables.
pub(super) fn rule(rule: &RawRule, symbols: &Provisional) -> String {
    let names = Names { symbols, variables: &rule.variables };
    let body: Vec<String> = rule.clause.body.iter().map(|literal| names.literal(literal)).collect();
    let head = names.atom(&rule.clause.head);
    if body.is_empty() { format!("{head}.") } else { format!("{head} :- {}.", body.join(", ")) }
}

/// The names behind the ids of a rule.
struct Names<'r> {
    symbols: &'r Provisional,
    variables: &'r Variables,
}

impl Names<'_> {
    fn literal(&self, literal: &Literal) -> String {
        match literal {
            Literal::Positive(atom) => self.atom(atom),
            Literal::Negative(atom) => format!("\\+ {}", self.atom(atom)),
            Literal::Comparison(comparison) => format!(
                "{} {} {}",
                self.expression(&comparison.left),
                comparison.operator.symbol(),
                self.expression(&comparison.right)
            ),
        }
    }

    fn atom(&self, atom: &Atom) -> String {
        let name = quote_atom(&self.symbols.predicate_name(atom.predicate).name);
        let arguments: Vec<&str> = atom.arguments.iter().map(|&term| self.term(term)).collect();
        if arguments.is_empty() { name.into_owned() } else { format!("{name}({})", arguments.join(",")) }
    }

    fn term(&self, term: Term) -> &str {
        match term {
            Term::Variable(variable) => self.variables.name(variable),
            Term::Constant(constant) => self.symbols.constant_text(constant),
        }
    }

    /// Operands are bracketed, whatever their priority; so are constants that operators may make.
    fn expression(&self, expression: &Expression) -> String {
        let operand = |inner: &Expression| match inner {
            Expression::Term(_) => self.expression(inner),
            _ => format!("({})", self.expression(inner)),
        };
        match expression {
            Expression::Term(term @ Term::Variable(_)) => self.term(*term).to_owned(),
            Expression::Term(term) => {
                let text = self.term(*term);
                if plain_constant(text).is_some() { text.to_owned() } else { format!("({text})") }
            }
            Expression::Negate(inner) => format!("-({})", self.expression(inner)),
            // `//` begins a comment in some systems.
            Expression::Binary(operator, left, right) if operator.symbol() == "//" => {
                format!("'//'({}, {})", operand(left), operand(right))
            }
            Expression::Binary(operator, left, right) => {
                format!("{} {} {}", operand(left), operator.symbol(), operand(right))
            }
        }
    }
}

/// The goals that declare what was read: modes, determinations and settings, in their order.
pub(super) fn declarations(material: &Material<'_>, to: Format, losses: &mut Losses) -> Vec<String> {
    let mut goals = modes_and_determinations(material);
    goals.extend(settings(material, to, losses));
    goals
}

/// The modes, then the determinations, each once.
pub(super) fn modes_and_determinations(material: &Material<'_>) -> Vec<String> {
    let modes = material.gathered.modes.iter().map(|mode| mode_goal(material, mode));
    let determinations =
        material.gathered.determinations.iter().map(|(target, body, _)| determination(target, body));
    let mut goals: Vec<String> = Vec::new();
    for goal in modes.chain(determinations) {
        if !goals.contains(&goal) {
            goals.push(goal);
        }
    }
    goals
}

pub(super) fn settings(material: &Material<'_>, to: Format, losses: &mut Losses) -> Vec<String> {
    let named = |directive: &SetDirective| {
        let name = if to == Format::Aleph { aleph_name(directive) } else { &directive.name };
        setting(name, &directive.value)
    };
    material.settings(to, losses).into_iter().map(named).collect()
}

/// What Aleph calls a number of ours: its `depth` is another thing than our `depth`, which is its `i`.
fn aleph_name(directive: &SetDirective) -> &str {
    let name = directive.name.replace('_', "-");
    let ours = SETTINGS.iter().find(|setting| !directive.is_foreign && setting.name == name);
    ours.filter(|setting| matches!(setting.kind, Kind::Integer(..) | Kind::Real(..)))
        .and_then(|setting| setting.aleph_name)
        .unwrap_or(&directive.name)
}

/// `modeb(*, p(+a, -b))`. A mode that may be of a head or a body is a head's if it is of the target.
fn mode_goal(material: &Material<'_>, mode: &RawMode) -> String {
    let is_of_target = check::subject_name(&mode.subject);
    let keyword = match mode.side {
        ModeSide::Head => "modeh",
        ModeSide::Body => "modeb",
        ModeSide::Either if material.is_target(&is_of_target) => "modeh",
        ModeSide::Either if material.is_head(mode) => "mode",
        ModeSide::Either => "modeb",
    };
    let limit = mode.instantiation_limit.map_or_else(|| "*".to_owned(), |limit| limit.to_string());
    format!("{keyword}({limit}, {})", mode_text(mode))
}

pub(super) fn determination(target: &PredicateName, body: &PredicateName) -> String {
    let signature = |name: &PredicateName| format!("{}/{}", quote_atom(&name.name), name.arity);
    format!("determination({}, {})", signature(target), signature(body))
}

/// `p(+a,-b)`, `\+ p(+a)` or `+a < +b`.
pub(super) fn mode_text(mode: &RawMode) -> String {
    let arguments: Vec<String> = mode.arguments.iter().map(|(marker, name)| marked(*marker, name)).collect();
    let atom = |name: &PredicateName| {
        let name = quote_atom(&name.name);
        if arguments.is_empty() { name.into_owned() } else { format!("{name}({})", arguments.join(",")) }
    };
    match &mode.subject {
        Subject::Relation(name) => atom(name),
        Subject::Negated(name) => format!("\\+ {}", atom(name)),
        Subject::Comparison(operator) => arguments.join(&format!(" {} ", operator.symbol())),
    }
}

fn marked(marker: Marker, type_name: &str) -> String {
    let sign = match marker {
        Marker::Input => '+',
        Marker::Output => '-',
        Marker::Constant => '#',
    };
    let text = type_text(type_name);
    let is_word = text.chars().all(|c| c == '_' || c.is_alphanumeric())
        && !text.starts_with(|c: char| c.is_ascii_digit());
    let is_name = is_word || plain_constant(&text) == Some(PlainConstant::Atom);
    if is_name { format!("{sign}{text}") } else { format!("{sign} ({text})") }
}

/// A type as a term; one with a capital is written as a variable. Some layouts have types that are no terms as they stand.
pub(super) fn type_text(name: &str) -> String {
    let is_term = argument_of(name, |term| term.to_string() == name).unwrap_or(false);
    if is_term { name.to_owned() } else { quote_atom(name).into_owned() }
}

/// What `look` finds in the term of this text; none where it is no term.
fn argument_of<T>(text: &str, look: impl FnOnce(&crate::syntax::Term<'_>) -> T) -> Option<T> {
    let clause = format!("term({text}).");
    let statement = read_clause(&clause).ok()?;
    match statement.head?.kind {
        TermKind::Compound(_, arguments) => match arguments.as_slice() {
            [argument] => Some(look(argument)),
            _ => None,
        },
        _ => None,
    }
}

/// `set(name, value)`.
fn setting(name: &str, value: &str) -> String {
    let written = |text: &str| {
        let is_same = argument_of(text, |term| plain_text(term) == text).unwrap_or(false);
        if is_same { text.to_owned() } else { quote_atom(text).into_owned() }
    };
    format!("set({}, {})", written(name), written(value))
}
