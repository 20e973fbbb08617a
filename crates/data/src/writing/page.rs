//! Files made of gathered data, statement by statement.
//!
//! Folds in layouts that have none, or use other names for them.
//!
//! Statements as text of a program that reads back as the same statements.
//!
//! The names of rows without a key, as they are written.
//!
//! Such a row is known by its number, which is no constant of the data. In a file it gets a name that no constant has, and
//! names ascend as the rows do: so the examples are read back in the same order.

use std::ops::Range;

use crate::gather::{RawRule, SetDirective};
use crate::mode_terms::{Marker, ModeSide, RawMode, plain_text};
use crate::provisional::Provisional;
use crate::writing::material::{Fold, Losses, Material};
use gleaner_base::{ConstantId, FixedSet, PredicateId};
use gleaner_lang::program::literal::Notation;
use gleaner_lang::program::lower::Variables;
use gleaner_lang::program::{AggregateText, Atom, Comparison, Expression, PredicateName, Term};
use gleaner_lang::syntax::{PlainConstant, TermKind, plain_constant, quote_atom, read_clause};

/// The numbers of statements in a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Counts {
    /// Facts.
    pub facts: usize,
    /// Rules.
    pub rules: usize,
    /// Positive examples.
    pub positives: usize,
    /// Negative examples.
    pub negatives: usize,
    /// Modes, determinations and settings.
    pub declarations: usize,
}

/// One file of a converted problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConvertedFile {
    /// The path of the file, relative to the problem's folder and with `/` between folders.
    pub path: String,
    /// The whole text, UTF-8, each line ended by one line feed.
    pub text: String,
    /// The numbers of its statements.
    pub counts: Counts,
}

/// A file while it is written.
#[derive(Debug, Default)]
pub(crate) struct Page {
    pub(crate) text: String,
    pub(crate) counts: Counts,
}

impl Page {
    pub(crate) fn file(self, path: impl Into<String>) -> ConvertedFile {
        ConvertedFile { path: path.into(), text: self.text, counts: self.counts }
    }

    pub(crate) fn line(&mut self, text: &str) {
        self.text.push_str(text);
        self.text.push('\n');
    }

    /// Writes the facts of these parts together.
    pub(crate) fn facts(&mut self, material: &Material<'_>, parts: &[Fold]) {
        for &predicate in &material.predicates {
            self.facts_of(material, predicate, parts);
        }
    }

    /// Writes the facts of one predicate.
    pub(crate) fn facts_of(&mut self, material: &Material<'_>, predicate: PredicateId, parts: &[Fold]) {
        let name = quote_atom(&material.predicate(predicate).name);
        for row in material.facts(predicate, parts) {
            push_atom(&mut self.text, &name, row, material);
            self.text.push_str(".\n");
            self.counts.facts += 1;
        }
    }

    /// Writes the rules, after declarations of the predicates that they call and nothing defines.
    pub(crate) fn rules(&mut self, material: &Material<'_>) {
        material.empty_predicates().iter().for_each(|goal| self.line(&format!(":- {goal}.")));
        for rule in material.rules() {
            self.line(&rule);
            self.counts.rules += 1;
        }
    }

    /// Writes the examples of one class in these parts, each once, but only of predicates for which `keep` is true.
    pub(crate) fn examples(
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

    pub(crate) fn example(&mut self, line: &str, is_positive: bool) {
        self.line(line);
        let count = if is_positive { &mut self.counts.positives } else { &mut self.counts.negatives };
        *count += 1;
    }

    /// Writes directives with these goals.
    pub(crate) fn directives(&mut self, goals: &[String]) {
        for goal in goals {
            self.line(&format!(":- {goal}."));
            self.counts.declarations += 1;
        }
    }
}

/// The examples of one class in these parts as atoms, each once.
pub(crate) fn example_texts(
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
            push_atom(&mut text, &name, row, material);
            texts.push(text);
        }
    }
    texts
}

fn push_atom(text: &mut String, name: &str, row: &[ConstantId], material: &Material<'_>) {
    text.push_str(name);
    for (position, &constant) in row.iter().enumerate() {
        text.push(if position == 0 { '(' } else { ',' });
        text.push_str(&material.text(constant));
    }
    if !row.is_empty() {
        text.push(')');
    }
}

/// The goals of all declarations: modes, determinations and settings, in their order.
pub(crate) fn declarations(material: &Material<'_>, losses: &mut Losses) -> Vec<String> {
    let mut goals = modes_and_determinations(material);
    goals.extend(material.declarations.times.goals());
    losses.say_times();
    goals.extend(settings(material, losses, |directive| &directive.name));
    goals
}

/// The modes, then the determinations, each once.
pub(crate) fn modes_and_determinations(material: &Material<'_>) -> Vec<String> {
    let modes = material.declarations.modes.iter().map(|mode| mode_goal(material, mode));
    let determinations =
        material.declarations.determinations.iter().map(|(target, body, _)| determination(target, body));
    let mut goals: Vec<String> = Vec::new();
    for goal in modes.chain(determinations) {
        if !goals.contains(&goal) {
            goals.push(goal);
        }
    }
    goals
}

/// The goals of settings, each by its name in the layout.
pub(crate) fn settings(
    material: &Material<'_>,
    losses: &mut Losses,
    name: impl Fn(&SetDirective) -> &str,
) -> Vec<String> {
    let goal = |directive: &SetDirective| setting(name(directive), &directive.value);
    material.settings(losses).into_iter().map(goal).collect()
}

/// `modeb(*, p(+a, -b))`. A mode that may be of a head or a body is a head's if it is of the target.
fn mode_goal(material: &Material<'_>, mode: &RawMode) -> String {
    let is_of_target = mode.subject.name();
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

/// Tells that the layout has no folds.
pub(crate) fn told_of_folds(material: &Material<'_>, losses: &mut Losses) {
    if !material.is_divided() {
        return;
    }
    let what = format!("the {} folds become one set", material.n_folds());
    let has_facts = (0..material.n_folds()).any(|fold| material.has_facts(Some(fold)));
    let help = if has_facts {
        "facts of one fold then hold for the examples of all; own, csv and json-lines keep folds"
    } else {
        "own, boostsrl, csv and json-lines keep folds"
    };
    losses.folds(&what, help);
    let n_contradictions =
        material.predicates.iter().map(|&id| n_contradictions(material, id)).sum::<usize>();
    if n_contradictions > 0 {
        let what = format!("{n_contradictions} examples are positive in one fold and negative in another");
        losses.examples(&what, "without folds they contradict each other, and loading refuses them");
    }
}

/// The number of a predicate's examples that are in both classes once folds are united.
fn n_contradictions(material: &Material<'_>, predicate: PredicateId) -> usize {
    let rows = |is_positive: bool| -> FixedSet<&[ConstantId]> {
        let examples = material.examples(predicate, &material.parts()).into_iter();
        examples.filter(|example| example.is_positive == is_positive).map(|example| example.row).collect()
    };
    rows(true).intersection(&rows(false)).count()
}

/// The folders of the folds: the folds' names if they are `foldN` in ascending order, else new names of that form.
pub(crate) fn written_folders(material: &Material<'_>, losses: &mut Losses) -> Vec<String> {
    let names = &material.statements.examples.fold_names;
    let number = |name: &String| -> Option<u64> { name.to_lowercase().strip_prefix("fold")?.parse().ok() };
    let numbers: Option<Vec<u64>> = names.iter().map(number).collect();
    if numbers.is_some_and(|numbers| numbers.is_sorted_by(|left, right| left < right)) {
        return names.clone();
    }
    let folders: Vec<String> = (1..=names.len()).map(|number| format!("fold{number}")).collect();
    let renamed: Vec<String> =
        names.iter().zip(&folders).map(|(name, folder)| format!("{name} is {folder}")).collect();
    let what = format!("folds become folders foldN: {}", renamed.join(", "));
    losses.folds(&what, "csv and json-lines keep the names");
    folders
}

/// A rule with the names of its variables.
pub(crate) fn rule(rule: &RawRule, symbols: &Provisional) -> String {
    let names = Names { symbols, variables: &rule.variables };
    let body: Vec<String> = rule.clause.body.iter().map(|literal| literal.text(&names)).collect();
    let head = names.atom(&rule.clause.head);
    if body.is_empty() { format!("{head}.") } else { format!("{head} :- {}.", body.join(", ")) }
}

/// The names behind the ids of a rule.
struct Names<'r> {
    symbols: &'r Provisional,
    variables: &'r Variables,
}

impl Notation for Names<'_> {
    fn atom(&self, atom: &Atom) -> String {
        let name = quote_atom(&self.symbols.predicate_name(atom.predicate).name);
        let arguments: Vec<&str> = atom.arguments.iter().map(|&term| self.term(term)).collect();
        if arguments.is_empty() { name.into_owned() } else { format!("{name}({})", arguments.join(",")) }
    }

    fn comparison(&self, comparison: &Comparison) -> String {
        format!(
            "{} {} {}",
            self.expression(&comparison.left),
            comparison.operator.symbol(),
            self.expression(&comparison.right)
        )
    }

    fn term(&self, term: Term) -> String {
        Names::term(self, term).to_owned()
    }
}

impl Names<'_> {
    fn term(&self, term: Term) -> &str {
        match term {
            Term::Variable(variable) => self.variables.name(variable),
            Term::Constant(constant) => self.symbols.constant_text(constant),
            Term::Any => "_",
        }
    }

    /// Operands get brackets, whatever their priority; so do constants that operators may make.
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
            Expression::Unary(function, inner) => {
                format!("{}({})", function.symbol(), self.expression(inner))
            }
            Expression::Binary(operator, left, right) if operator.is_before() => {
                format!("{}({}, {})", operator.symbol(), self.expression(left), self.expression(right))
            }
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

/// `determination(target/1, p/2)`.
pub(crate) fn determination(target: &PredicateName, body: &PredicateName) -> String {
    format!("determination({}, {})", target.indicator(), body.indicator())
}

/// `p(+a,-b)`, `\+ p(+a)` or `+a < +b`.
pub(crate) fn mode_text(mode: &RawMode) -> String {
    let arguments: Vec<String> = mode.arguments.iter().map(|(marker, name)| marked(*marker, name)).collect();
    let atom = |name: &PredicateName| {
        if let Some(text) = AggregateText::of(&name.name, name.arity) {
            return text.with(|argument| arguments[argument].clone());
        }
        let name = quote_atom(&name.name);
        if arguments.is_empty() { name.into_owned() } else { format!("{name}({})", arguments.join(",")) }
    };
    mode.subject.text(atom, &arguments)
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

/// A type as a term; a type with a capital is written as a variable. In some layouts a type may be no term; it gets
/// quotes.
pub(crate) fn type_text(name: &str) -> String {
    let is_term = argument_of(name, |term| term.to_string() == name).unwrap_or(false);
    if is_term { name.to_owned() } else { quote_atom(name).into_owned() }
}

/// The result of `look` for the term of this text; none if the text is no term.
fn argument_of<T>(text: &str, look: impl FnOnce(&gleaner_lang::syntax::Term<'_>) -> T) -> Option<T> {
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
pub(super) fn setting(name: &str, value: &str) -> String {
    let written = |text: &str| {
        let is_same = argument_of(text, |term| plain_text(term) == text).unwrap_or(false);
        if is_same { text.to_owned() } else { quote_atom(text).into_owned() }
    };
    format!("set({}, {})", written(name), written(value))
}

/// The names of rows, `row001` and so on.
#[derive(Debug)]
pub(super) struct RowTexts {
    /// The constants that name rows, a range for each table.
    ranges: Vec<Range<u32>>,
    /// What stands before the number.
    stem: String,
    n_digits: usize,
}

impl RowTexts {
    /// Cost: a look at all constants, if rows have names at all.
    pub(super) fn of(symbols: &Provisional) -> Self {
        let ranges = symbols.all_row_names().to_vec();
        let n_rows: usize = ranges.iter().map(ExactSizeIterator::len).sum();
        let mut stem = "row".to_owned();
        let is_taken = |stem: &str| {
            let mut texts =
                (0..symbols.constants().len()).map(|id| symbols.constant_text(ConstantId::new(id)));
            texts.any(|text| {
                text.strip_prefix(stem).is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
            })
        };
        while n_rows > 0 && is_taken(&stem) {
            stem.push('_');
        }
        Self { ranges, stem, n_digits: n_rows.to_string().len() }
    }

    /// The constants that name rows, in their order.
    pub(super) fn ids(&self) -> impl Iterator<Item = ConstantId> + '_ {
        self.ranges.iter().flat_map(Clone::clone).map(ConstantId::from_raw)
    }

    /// Whether a constant names a row.
    pub(super) fn is_row(&self, id: ConstantId) -> bool {
        self.ranges.iter().any(|range| range.contains(&id.raw()))
    }

    /// The name of a row, if the constant is one.
    pub(super) fn text(&self, id: ConstantId) -> Option<String> {
        let mut n_before = 0;
        for range in &self.ranges {
            if range.contains(&id.raw()) {
                let number = n_before + (id.raw() - range.start) + 1;
                return Some(format!("{}{number:0width$}", self.stem, width = self.n_digits));
            }
            n_before += range.end - range.start;
        }
        None
    }
}
