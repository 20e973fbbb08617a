//! Facts with variables: true for all constants that the variables may stand for.
//!
//! `likes(X, pizza).` is true of every constant of its argument's domain. The domain is the columns of the argument's
//! type, which a mode declares or which shared constants show, in facts and in examples. The fact becomes one fact for
//! each constant of each world, before any rule runs.
//!
//! Replaces predicates that only compare by comparisons, wherever they are used.

use std::collections::BTreeMap;

use roaring::RoaringBitmap;

use crate::faults::{self, Universal, WrittenFact};
use crate::gather::{Facts, HeldRule, NumberIdiom, Rules, Statements, UniversalFact, Waiting};
use crate::messages::Messages;
use crate::mode_terms::{ANY_TYPE, Marker, RawMode};
use crate::types::ColumnTypes;
use gleaner_base::{ConstantId, FixedMap, FixedSet, PredicateId, VariableId};
use gleaner_lang::program::{ComparisonOperator, Literal, PredicateName, Term};
use gleaner_lang::syntax::Diagnostic;

/// The most facts that all facts with variables may become together.
const MOST_FACTS: usize = 1_000_000;

/// Replaces facts with variables by facts, and gives warnings. A fact whose domain is empty or too large is left out,
/// and the warning names it.
///
/// **Cost**: that of finding types, once, and `O(facts made)`; nothing if no fact has a variable.
pub(super) fn expand(
    universal: &[UniversalFact],
    statements: &mut Statements,
    facts: &mut Facts,
) -> Vec<Diagnostic> {
    if universal.is_empty() {
        return Vec::new();
    }
    let made = Expansion::new(statements, facts).all(universal);
    let told = tell(universal, &made);
    add(universal, made, statements, facts);
    told
}

/// The rows that a fact becomes: in the global table, and in those of folds.
type Made = Vec<(Option<usize>, Vec<ConstantId>)>;

/// The outcome of one fact.
enum Outcome {
    Facts(Made),
    /// No constant is known for a variable.
    Unknown,
    /// The number of facts, which is too large.
    TooMany(u64),
}

/// Domains and tables while facts are made.
struct Expansion<'g> {
    statements: &'g Statements,
    facts: &'g Facts,
    types: ColumnTypes,
    has_fold_facts: bool,
}

/// An argument of a predicate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Column {
    predicate: PredicateId,
    argument: usize,
}

impl<'g> Expansion<'g> {
    fn new(statements: &'g Statements, facts: &'g Facts) -> Self {
        let types = ColumnTypes::infer(statements, facts.tables());
        Self { statements, facts, types, has_fold_facts: facts.are_in_folds() }
    }

    fn all(&self, universal: &[UniversalFact]) -> Vec<Outcome> {
        let mut left = MOST_FACTS;
        let mut made = Vec::with_capacity(universal.len());
        for fact in universal {
            let outcome = self.one(fact, left);
            if let Outcome::Facts(rows) = &outcome {
                left -= rows.len().min(left);
            }
            made.push(outcome);
        }
        made
    }

    fn one(&self, fact: &UniversalFact, most: usize) -> Outcome {
        let domains = self.domains(fact, fact.fold);
        let mut n_wanted = size(&domains);
        if n_wanted > most as u64 {
            return Outcome::TooMany(n_wanted);
        }
        let everywhere: FixedSet<Vec<ConstantId>> = rows(fact, &domains).into_iter().collect();
        let mut made: Made = everywhere.iter().map(|row| (fact.fold, row.clone())).collect();
        // A fold has constants that the global table lacks.
        let n_folds = if fact.fold.is_none() && self.has_fold_facts { self.facts.folds.len() } else { 0 };
        for fold in 0..n_folds {
            let of_fold = self.domains(fact, Some(fold));
            n_wanted = n_wanted.saturating_add(size(&of_fold));
            if n_wanted > most as u64 {
                return Outcome::TooMany(n_wanted);
            }
            let further = rows(fact, &of_fold).into_iter().filter(|row| !everywhere.contains(row));
            made.extend(further.map(|row| (Some(fold), row)));
        }
        if made.is_empty() { Outcome::Unknown } else { Outcome::Facts(made) }
    }

    /// For each variable, the constants that it may stand for in a world: those in the domains of all its arguments.
    fn domains(&self, fact: &UniversalFact, fold: Option<usize>) -> Vec<RoaringBitmap> {
        let mut domains: Vec<Option<RoaringBitmap>> = vec![None; fact.n_variables];
        for (argument, term) in fact.arguments.iter().enumerate() {
            let Term::Variable(variable) = term else { continue };
            let constants = self.constants(Column { predicate: fact.predicate, argument }, fold);
            let domain = &mut domains[variable.index()];
            *domain = Some(match domain.take() {
                Some(known) => known & constants,
                None => constants,
            });
        }
        domains.into_iter().map(Option::unwrap_or_default).collect()
    }

    /// The constants of a column's domain in a world.
    fn constants(&self, column: Column, fold: Option<usize>) -> RoaringBitmap {
        let mut constants = RoaringBitmap::new();
        let of_fold = fold.and_then(|fold| self.facts.folds.get(fold));
        let is_seen = |example: Option<usize>| !self.has_fold_facts || example.is_none() || example == fold;
        for Column { predicate, argument } in self.alike(column) {
            for table in std::iter::once(&self.facts.global).chain(of_fold) {
                constants.extend(table.rows(predicate).column(argument).map(ConstantId::raw));
            }
            let examples = &self.statements.examples;
            let seen = examples.of(predicate).filter(|example| is_seen(example.fold));
            constants.extend(seen.map(|example| examples.arguments(example)[argument].raw()));
        }
        constants
    }

    /// The columns of the same domain as this one: columns that share a type in modes, and all columns of the same
    /// inferred type as any of these.
    fn alike(&self, column: Column) -> Vec<Column> {
        let declared = self.declared(column);
        let mut types: Vec<usize> = declared
            .iter()
            .chain([&column])
            .map(|known| self.types.type_of(known.predicate, known.argument))
            .collect();
        types.sort_unstable();
        types.dedup();
        let predicates = self.statements.symbols.predicates();
        let all = (0..predicates.len()).flat_map(|id| {
            let predicate = PredicateId::new(id);
            (0..predicates[id].arity).map(move |argument| Column { predicate, argument })
        });
        all.filter(|known| types.contains(&self.types.type_of(known.predicate, known.argument))).collect()
    }

    /// The columns that modes give a type of this one.
    fn declared(&self, column: Column) -> Vec<Column> {
        let mut by_type: BTreeMap<&str, Vec<Column>> = BTreeMap::new();
        for mode in &self.statements.declarations.modes {
            let Some(name) = mode.subject.predicate() else { continue };
            let Some(predicate) = self.statements.symbols.find_predicate(name) else { continue };
            for (argument, (_, type_name)) in mode.arguments.iter().enumerate() {
                if type_name != ANY_TYPE {
                    by_type.entry(type_name).or_default().push(Column { predicate, argument });
                }
            }
        }
        by_type.into_values().filter(|columns| columns.contains(&column)).flatten().collect()
    }
}

/// The number of rows that domains make.
fn size(domains: &[RoaringBitmap]) -> u64 {
    domains.iter().fold(1, |size: u64, domain| size.saturating_mul(domain.len()))
}

/// Each row of the fact with constants of the domains in the places of its variables.
fn rows(fact: &UniversalFact, domains: &[RoaringBitmap]) -> Vec<Vec<ConstantId>> {
    let domains: Vec<Vec<u32>> = domains.iter().map(|domain| domain.iter().collect()).collect();
    let mut rows = Vec::new();
    if domains.iter().any(Vec::is_empty) {
        return rows;
    }
    let mut chosen = vec![0_usize; domains.len()];
    loop {
        let value = |term: &Term| match term {
            Term::Constant(constant) => *constant,
            Term::Any => unreachable!("only negated atoms have `_`"),
            Term::Variable(variable) => {
                ConstantId::from_raw(domains[variable.index()][chosen[variable.index()]])
            }
        };
        rows.push(fact.arguments.iter().map(value).collect());
        let next = (0..chosen.len()).rev().find(|&at| chosen[at] + 1 < domains[at].len());
        let Some(next) = next else { return rows };
        chosen[next] += 1;
        chosen[next + 1..].fill(0);
    }
}

/// Warns of the facts: one warning for all facts of a predicate that had the same outcome.
fn tell(universal: &[UniversalFact], made: &[Outcome]) -> Vec<Diagnostic> {
    let mut groups: FixedMap<(PredicateId, bool), usize> = FixedMap::default();
    let mut first: Vec<(usize, usize)> = Vec::new();
    for (at, (fact, outcome)) in universal.iter().zip(made).enumerate() {
        let is_made = matches!(outcome, Outcome::Facts(_));
        if is_made && fact.is_meant {
            continue;
        }
        let group = *groups.entry((fact.predicate, is_made)).or_insert_with(|| {
            first.push((at, 0));
            first.len() - 1
        });
        first[group].1 += 1;
    }
    let warning = |(at, n_of_it): (usize, usize)| {
        let fact = &universal[at];
        let written = WrittenFact {
            text: &fact.text,
            variable: fact.variables.name(VariableId::new(0)),
            place: fact.place,
        };
        let what = match &made[at] {
            Outcome::Facts(rows) => Universal::Facts(rows.len()),
            Outcome::Unknown => Universal::Unknown,
            Outcome::TooMany(n_facts) => Universal::TooMany(*n_facts),
        };
        faults::universal(written, what, n_of_it - 1)
    };
    first.into_iter().map(warning).collect()
}

/// Adds the facts that are not known yet.
fn add(universal: &[UniversalFact], made: Vec<Outcome>, statements: &mut Statements, facts: &mut Facts) {
    let mut known: FixedMap<(PredicateId, Option<usize>), FixedSet<Vec<ConstantId>>> = FixedMap::default();
    for (fact, outcome) in universal.iter().zip(made) {
        let Outcome::Facts(rows) = outcome else { continue };
        statements.first_facts.entry(fact.predicate).or_insert(fact.place);
        for (fold, row) in rows {
            let known = known.entry((fact.predicate, fold)).or_insert_with(|| {
                let table = fold.map_or(&facts.global, |fold| &facts.folds[fold]);
                table.rows(fact.predicate).iter().map(<[ConstantId]>::to_vec).collect()
            });
            if known.insert(row.clone()) {
                facts.add(fact.predicate, &row, fold, &statements.symbols);
            }
        }
    }
}

/// Turns predicates whose clauses only compare numbers into comparisons, in modes, determinations and literals. The
/// held clauses of other predicates become ordinary rules or faults. Gives what still waits.
pub(super) fn settle(
    waiting: Waiting,
    statements: &mut Statements,
    facts: &Facts,
    messages: &mut Messages,
) -> Vec<UniversalFact> {
    let mut waiting = waiting;
    let comparisons = comparisons(&waiting, statements);
    let own = defined_held(&waiting, statements, facts);
    let is_foreign = statements.habits.is_foreign;
    let Statements { symbols, declarations, rules: known, .. } = statements;
    let are_last: Vec<bool> = (0..waiting.held.len()).map(|at| is_last(&waiting, at, known, facts)).collect();
    for (rule, is_last) in waiting.held.into_iter().zip(are_last) {
        if comparisons.contains_key(&rule.predicate) {
            continue;
        }
        let has_cut = rule.cut.is_some();
        let rules = match rule.own {
            Some(meaning) if meaning.called.iter().any(|called| own.contains(called)) => meaning.rules,
            _ => rule.rules,
        };
        let rules = match (rules, rule.cut) {
            (_, Some(cut)) if !is_last => Err(cut.fault),
            (rules, _) => rules,
        };
        match rules {
            Ok(rules) => known.list.extend(rules),
            Err(fault) => {
                let is_left_out = is_foreign || has_cut;
                if is_left_out {
                    known.incomplete.push(rule.predicate);
                }
                messages.push(if is_left_out { fault.into_warning(faults::RULE_LEFT_OUT) } else { fault });
            }
        }
    }
    let named: FixedMap<PredicateName, ComparisonOperator> =
        comparisons.iter().map(|(&id, used)| (symbols.predicate_name(id).clone(), used.operator)).collect();
    declarations.modes.iter_mut().for_each(|mode| compare_in_mode(mode, &named));
    for (_, body, _) in &mut declarations.determinations {
        if let Some(operator) = named.get(body) {
            *body = PredicateName::new(operator.symbol(), 2);
        }
    }
    for rule in &mut known.list {
        rule.clause.body.iter_mut().for_each(|literal| compare_in_rule(literal, &comparisons));
    }
    let is_replaced = |id| comparisons.contains_key(&id);
    let mut read: Vec<(PredicateId, Used)> = comparisons.iter().map(|(&id, &used)| (id, used)).collect();
    read.sort_by_key(|(_, used)| used.place);
    for (id, used) in read {
        let name = symbols.predicate_name(id);
        messages.push(faults::read_as_comparison(used.place, name, used.operator));
    }
    waiting.universal.retain(|fact| !is_replaced(fact.predicate));
    waiting.universal
}

/// The built-in predicates that held rules call and the data define themselves.
fn defined_held(waiting: &Waiting, statements: &Statements, facts: &Facts) -> FixedSet<PredicateId> {
    let called = waiting.held.iter().filter_map(|rule| rule.own.as_ref()).flat_map(|own| own.called.iter());
    let mut called: FixedSet<PredicateId> = called.copied().collect();
    called.retain(|id| {
        statements.first_facts.contains_key(id)
            || facts.n_of(*id) > 0
            || statements.rules.incomplete.contains(id)
            || statements.rules.first_of(*id).is_some()
            || waiting.held.iter().any(|rule| rule.predicate == *id)
            || waiting.universal.iter().any(|fact| fact.predicate == *id)
    });
    called
}

/// Whether a held rule with a cut is the last statement of its predicate, so that the cut cuts nothing.
fn is_last(Waiting { held, universal }: &Waiting, at: usize, rules: &Rules, facts: &Facts) -> bool {
    let HeldRule { predicate, cut, .. } = &held[at];
    let Some(cut) = cut else { return true };
    facts.n_of(*predicate) == cut.n_facts
        && rules.list[cut.n_rules..].iter().all(|rule| rule.clause.head.predicate != *predicate)
        && universal[cut.n_universal..].iter().all(|fact| fact.predicate != *predicate)
        && held[at + 1..].iter().all(|later| later.predicate != *predicate)
}

/// A comparison that replaces a predicate.
#[derive(Clone, Copy, Debug)]
struct Used {
    operator: ComparisonOperator,
    place: gleaner_lang::syntax::Place,
}

/// The predicates whose clauses all have the shape of one and the same comparison.
fn comparisons(waiting: &Waiting, statements: &Statements) -> FixedMap<PredicateId, Used> {
    let Waiting { held, universal } = waiting;
    let mut found: FixedMap<PredicateId, Option<Used>> = FixedMap::default();
    let compares = held.iter().filter_map(|rule| match rule.idiom {
        Some(NumberIdiom::Compares(operator)) => Some((rule, operator)),
        Some(NumberIdiom::MakesEqual) | None => None,
    });
    for (rule, operator) in compares {
        let used = found.entry(rule.predicate).or_insert(Some(Used { operator, place: rule.place }));
        if used.is_some_and(|used| used.operator != operator) {
            *used = None;
        }
    }
    let equal = if statements.habits.is_foreign { universal.as_slice() } else { &[] };
    for fact in equal.iter().filter(|fact| is_equal(fact)) {
        let used = Used { operator: ComparisonOperator::Unify, place: fact.place };
        found.entry(fact.predicate).or_insert(Some(used));
    }
    let has_others = |id: &PredicateId| {
        statements.first_facts.contains_key(id)
            || statements.rules.incomplete.contains(id)
            || held.iter().any(|rule| rule.predicate == *id && rule.idiom.is_none())
            || universal.iter().any(|fact| fact.predicate == *id && !is_equal(fact))
            || universal.iter().any(|fact| fact.predicate == *id)
                && held.iter().any(|rule| rule.predicate == *id)
            || statements.rules.first_of(*id).is_some()
    };
    found.into_iter().filter(|(id, _)| !has_others(id)).filter_map(|(id, used)| Some((id, used?))).collect()
}

/// Whether a fact is `eq(X,X).`
fn is_equal(fact: &UniversalFact) -> bool {
    matches!(*fact.arguments.as_slice(), [Term::Variable(left), Term::Variable(right)] if left == right)
}

/// Turns `gteq(+charge, #real)` into `+charge >= #charge`.
fn compare_in_mode(mode: &mut RawMode, comparisons: &FixedMap<PredicateName, ComparisonOperator>) {
    let Some(name) = mode.subject.relation() else { return };
    let Some(&operator) = comparisons.get(name) else { return };
    let input = mode.arguments.iter().find(|(marker, _)| *marker == Marker::Input).cloned();
    let Some((_, type_name)) = input else { return };
    for (marker, other) in &mut mode.arguments {
        // An argument that is no input becomes the threshold to be found.
        if *marker != Marker::Input {
            *marker = Marker::Constant;
            other.clone_from(&type_name);
        }
    }
    mode.subject = operator.into();
}

fn compare_in_rule(literal: &mut Literal, comparisons: &FixedMap<PredicateId, Used>) {
    if let Literal::Aggregate(aggregate) = literal {
        return aggregate.goal.iter_mut().for_each(|inner| compare_in_rule(inner, comparisons));
    }
    let Some(atom) = literal.positive_atom() else { return };
    let Some(used) = comparisons.get(&atom.predicate) else { return };
    if let [left, right] = *atom.arguments.as_slice() {
        *literal = Literal::compared(left, used.operator, right);
    }
}
