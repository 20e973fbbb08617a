//! The data to write, in canonical order: predicates by name, facts and examples by their arguments.
//!
//! The content that a layout cannot express: collected during writing, told at the end.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::collections::BTreeSet;

use crate::defined::undefined;
use crate::gather::time_terms::TimeDeclarations;
use crate::gather::{Declarations, Division, Facts, SetDirective, Statements};
use crate::mode_terms::{ModeSide, RawMode};
use crate::writing::encoded_name;
use gleaner_base::{ConstantId, FixedSet, PredicateId};
use gleaner_lang::program::settings::{Catalog, Settings};
use gleaner_lang::program::{FactTable, Literal, PredicateName};
use gleaner_lang::syntax::{Code, Diagnostic, codes};

use super::page;
use super::page::RowTexts;

/// A fold by number; none for the global part.
pub(crate) type Fold = Option<usize>;

/// The gathered data, with their order for writing.
pub(crate) struct Material<'g> {
    pub(crate) statements: &'g Statements,
    pub(crate) declarations: &'g Declarations,
    pub(crate) facts: &'g Facts,
    /// The layout that was read.
    pub(crate) from: &'static str,
    /// The target, or all predicates with examples if none is chosen.
    pub(crate) targets: Vec<PredicateName>,
    /// The predicates, ascending by name.
    pub(crate) predicates: Vec<PredicateId>,
    /// The rank of each constant: numbers by value, then the others by their text.
    ranks: Vec<usize>,
    row_texts: RowTexts,
    /// The settings that are known here.
    pub(crate) catalog: &'static Catalog,
}

/// An example to write. Distinct examples of a predicate ascend by fold, class and arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Example<'g> {
    pub(crate) fold: Fold,
    pub(crate) is_positive: bool,
    pub(crate) row: &'g [ConstantId],
}

impl<'g> Material<'g> {
    pub(crate) fn new(
        statements: &'g Statements,
        facts: &'g Facts,
        from: &'static str,
        targets: Vec<PredicateName>,
        catalog: &'static Catalog,
    ) -> Self {
        let symbols = &statements.symbols;
        let mut predicates: Vec<PredicateId> =
            (0..symbols.predicates().len()).map(PredicateId::new).collect();
        predicates.sort_by_key(|&id| symbols.predicate_name(id));
        let row_texts = RowTexts::of(symbols);
        let all = (0..symbols.constants().len()).map(ConstantId::new);
        let mut order: Vec<ConstantId> = all.filter(|&id| !row_texts.is_row(id)).collect();
        order.sort_by(|&left, &right| {
            let number = |id: ConstantId| symbols.numbers().get(id.raw());
            let by_value = match (number(left), number(right)) {
                (Some(left), Some(right)) => left.table_order(right),
                (left, right) => left.is_none().cmp(&right.is_none()),
            };
            by_value.then_with(|| symbols.constant_text(left).cmp(symbols.constant_text(right)))
        });
        order.extend(row_texts.ids());
        let mut ranks = vec![0; order.len()];
        for (rank, id) in order.into_iter().enumerate() {
            ranks[id.index()] = rank;
        }
        Self {
            statements,
            declarations: &statements.declarations,
            facts,
            from,
            targets,
            predicates,
            ranks,
            row_texts,
            catalog,
        }
    }

    /// A name for files, after the target.
    pub(crate) fn name(&self) -> String {
        self.targets.first().map_or_else(|| "problem".to_owned(), |target| encoded_name(&target.name))
    }

    pub(crate) fn predicate(&self, id: PredicateId) -> &'g PredicateName {
        self.statements.symbols.predicate_name(id)
    }

    /// A constant as it is written.
    pub(crate) fn text(&self, id: ConstantId) -> Cow<'g, str> {
        match self.row_texts.text(id) {
            Some(text) => Cow::Owned(text),
            None => Cow::Borrowed(self.statements.symbols.constant_text(id)),
        }
    }

    pub(crate) fn n_folds(&self) -> usize {
        self.statements.examples.fold_names.len()
    }

    /// All folds, the global part first.
    pub(crate) fn parts(&self) -> Vec<Fold> {
        std::iter::once(None).chain((0..self.n_folds()).map(Some)).collect()
    }

    pub(crate) fn fold_name(&self, fold: Fold) -> &'g str {
        fold.map_or("", |fold| &self.statements.examples.fold_names[fold])
    }

    fn table(&self, fold: Fold) -> &'g FactTable {
        fold.map_or(&self.facts.global, |fold| &self.facts.folds[fold])
    }

    fn compare(&self, left: &[ConstantId], right: &[ConstantId]) -> Ordering {
        let rank = |id: &ConstantId| self.ranks[id.index()];
        left.iter().map(rank).cmp(right.iter().map(rank))
    }

    /// The distinct facts of a predicate in these parts together.
    pub(crate) fn facts(&self, predicate: PredicateId, parts: &[Fold]) -> Vec<&'g [ConstantId]> {
        let mut rows: Vec<&[ConstantId]> =
            parts.iter().flat_map(|&fold| self.table(fold).rows(predicate).iter()).collect();
        self.sort_rows(&mut rows);
        rows
    }

    /// Sorts rows by their arguments, and drops repeated ones.
    pub(crate) fn sort_rows(&self, rows: &mut Vec<&[ConstantId]>) {
        rows.sort_unstable_by(|left, right| self.compare(left, right));
        rows.dedup();
    }

    /// Whether a part has facts of its own.
    pub(crate) fn has_facts(&self, part: Fold) -> bool {
        self.table(part).n_rows() > 0
    }

    /// The distinct examples of a predicate in these parts.
    pub(crate) fn examples(&self, predicate: PredicateId, parts: &[Fold]) -> Vec<Example<'g>> {
        if self.statements.examples.rows.rows(predicate).is_empty() {
            return Vec::new();
        }
        let of_parts = self.statements.examples.of(predicate).filter(|example| parts.contains(&example.fold));
        let mut examples: Vec<Example<'_>> = of_parts
            .map(|example| Example {
                fold: example.fold,
                is_positive: example.is_positive,
                row: self.statements.examples.arguments(example),
            })
            .collect();
        let key = |example: &Example<'_>| (example.fold, !example.is_positive);
        examples.sort_unstable_by(|left, right| {
            key(left).cmp(&key(right)).then_with(|| self.compare(left.row, right.row))
        });
        examples.dedup();
        examples
    }

    /// Whether a part has examples.
    pub(crate) fn has_examples(&self, part: Fold) -> bool {
        self.statements.examples.listed.iter().any(|example| example.fold == part)
    }

    /// The rules in their order, each once.
    pub(crate) fn rules(&self) -> Vec<String> {
        let mut rules: Vec<String> = Vec::new();
        for rule in &self.statements.rules.list {
            let text = page::rule(rule, &self.statements.symbols);
            if !rules.contains(&text) {
                rules.push(text);
            }
        }
        rules
    }

    /// Goals that declare the predicates which rules, modes or directives about time name and nothing defines:
    /// `dynamic p/2`. A column of a database may have no value.
    pub(crate) fn empty_predicates(&self) -> Vec<String> {
        let Statements { symbols, rules, declarations, .. } = self.statements;
        let called = undefined(self.statements).into_iter().map(|(_, predicate)| predicate);
        let modes = self.body_modes().into_iter().filter_map(|mode| mode.subject.predicate());
        let asked = modes.flat_map(|name| match symbols.aggregate_of(name) {
            Some(definition) => {
                definition.body.iter().flat_map(Literal::atoms).map(|it| it.predicate).collect()
            }
            None => symbols.find_predicate(name).into_iter().collect::<Vec<_>>(),
        });
        let times = &declarations.times;
        let timed = times.timed.iter().map(|timed| &timed.predicate);
        let timed = timed.chain(times.untimed.iter().map(|(name, _)| name));
        let timed = timed.filter_map(|name| symbols.find_predicate(name));
        let is_made: FixedSet<PredicateName> = times.made_relations().collect();
        let is_empty = |&predicate: &PredicateId| {
            let has_rule = rules.list.iter().any(|rule| rule.clause.head.predicate == predicate);
            let has_facts = self.parts().iter().any(|&part| !self.table(part).rows(predicate).is_empty());
            !has_rule && !has_facts && !is_made.contains(self.predicate(predicate))
        };
        // Modes of predicates that nothing knows are faults of the data, or left out.
        let is_known = |predicate: &PredicateId| self.statements.first_facts.contains_key(predicate);
        let others = asked.chain(timed).filter(is_known).filter(is_empty);
        let mut seen: FixedSet<PredicateId> = FixedSet::default();
        let all = called.chain(others).filter(|&predicate| seen.insert(predicate));
        all.map(|predicate| format!("dynamic {}", self.predicate(predicate).indicator())).collect()
    }

    pub(crate) fn is_target(&self, name: &PredicateName) -> bool {
        self.targets.contains(name)
    }

    /// Whether a mode is of a head.
    pub(crate) fn is_head(&self, mode: &RawMode) -> bool {
        let is_of_target = mode.subject.relation().is_some_and(|name| self.is_target(name));
        match mode.side {
            ModeSide::Head => true,
            ModeSide::Either => is_of_target || self.statements.is_other_target(mode),
            ModeSide::Body => false,
        }
    }

    /// The body modes that count: those with determinations, if the target has some, else all.
    pub(crate) fn body_modes(&self) -> Vec<&'g RawMode> {
        let determined: Vec<&PredicateName> = self
            .declarations
            .determinations
            .iter()
            .filter(|(target, ..)| self.is_target(target))
            .map(|(_, body, _)| body)
            .collect();
        let is_determined =
            |mode: &RawMode| determined.is_empty() || determined.contains(&&mode.subject.name());
        self.declarations.modes.iter().filter(|mode| !self.is_head(mode) && is_determined(mode)).collect()
    }

    /// The types of a predicate's arguments, from its first mode, else from its table; empty types if neither gives
    /// them.
    pub(crate) fn types(&self, predicate: &PredicateName) -> Vec<String> {
        let mode = self.declarations.modes.iter().find(|mode| mode.subject.predicate() == Some(predicate));
        if let Some(mode) = mode {
            return mode.arguments.iter().map(|(_, name)| page::type_text(name)).collect();
        }
        let declared = self.declarations.declared_types.iter().find(|(name, ..)| name == predicate);
        declared.map_or_else(|| vec![String::new(); predicate.arity], |(_, types, _)| types.clone())
    }

    /// The settings that the written layout can express: known settings, those of our own files, and all if that layout
    /// was read.
    pub(crate) fn settings(&self, losses: &mut Losses) -> Vec<&'g SetDirective> {
        let is_kept = |directive: &&SetDirective| {
            let is_known = Settings::new(self.catalog).set(&directive.name, &directive.value).is_ok();
            let is_said = is_known || !directive.is_foreign || self.from == losses.to();
            if !is_said {
                losses.setting(&directive.name);
            }
            is_said
        };
        self.declarations.settings.iter().filter(is_kept).collect()
    }

    pub(crate) fn is_divided(&self) -> bool {
        self.statements.examples.division != Division::None
    }

    pub(crate) fn is_train_test(&self) -> bool {
        self.statements.examples.division == Division::TrainTest
    }
}

/// The losses of one conversion.
#[derive(Debug)]
pub(crate) struct Losses {
    to: &'static str,
    told: Vec<Diagnostic>,
    modes: BTreeSet<String>,
    settings: BTreeSet<String>,
    /// Whether the layout says which facts have a time.
    are_times_said: bool,
}

/// The most names in a message.
const MOST_NAMED: usize = 5;

fn named(names: &BTreeSet<String>) -> String {
    let mut shown: Vec<&str> = names.iter().take(MOST_NAMED).map(String::as_str).collect();
    let more = format!("{} more", names.len().saturating_sub(MOST_NAMED));
    if names.len() > MOST_NAMED {
        shown.push(&more);
    }
    shown.join(", ")
}

impl Losses {
    pub(crate) const fn new(to: &'static str) -> Self {
        Self {
            to,
            told: Vec::new(),
            modes: BTreeSet::new(),
            settings: BTreeSet::new(),
            are_times_said: false,
        }
    }

    /// The layout that is written.
    pub(crate) const fn to(&self) -> &'static str {
        self.to
    }

    fn tell(&mut self, code: Code, what: &str, help: &str) {
        let message = format!("{}: {what}", self.to);
        self.told.push(Diagnostic::warning(code, message).with_help(help.to_owned()));
    }

    /// Adds a loss about folds.
    pub(crate) fn folds(&mut self, what: &str, help: &str) {
        self.tell(codes::FOLDS_NOT_SAID, what, help);
    }

    /// Adds a loss about examples.
    pub(crate) fn examples(&mut self, what: &str, help: &str) {
        self.tell(codes::EXAMPLES_NOT_SAID, what, help);
    }

    /// Adds a loss about facts.
    pub(crate) fn facts(&mut self, what: &str, help: &str) {
        self.tell(codes::FACTS_NOT_SAID, what, help);
    }

    /// Adds a mode that is left out or reads back as another, with the reason.
    pub(crate) fn mode(&mut self, mode: &str, why: &str) {
        self.modes.insert(format!("{mode} ({why})"));
    }

    /// Adds a setting that is left out.
    pub(crate) fn setting(&mut self, name: &str) {
        self.settings.insert(name.to_owned());
    }

    /// Notes that the layout says which facts have a time.
    pub(crate) const fn say_times(&mut self) {
        self.are_times_said = true;
    }

    /// Adds the loss of times, unless the layout says them.
    pub(crate) fn check_times(&mut self, times: &TimeDeclarations) {
        if !self.are_times_said && !times.goals().is_empty() {
            let help =
                "examples would see facts after their cut-offs: keep the data in the layout they are in";
            self.facts("which facts have a time is left out, and so are cut-offs", help);
        }
    }

    pub(crate) fn into_warnings(mut self) -> Vec<Diagnostic> {
        if !self.modes.is_empty() {
            let what = format!("modes are left out, or change when read back: {}", named(&self.modes));
            self.tell(codes::MODES_NOT_SAID, &what, "give them in a file by ⁅modes⁆");
        }
        if !self.settings.is_empty() {
            let what = format!("settings are left out: {}", named(&self.settings));
            self.tell(codes::SETTINGS_NOT_SAID, &what, "give them on the command line");
        }
        self.told
    }
}
