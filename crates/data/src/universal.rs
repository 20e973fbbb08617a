//! Facts with variables: true for all constants that the variables may stand for.
//!
//! `likes(X, pizza).` is true of every constant of its argument's domain. The domain is the columns of the argument's
//! type, which a mode declares or which shared constants show, in facts and in examples. The fact becomes one fact for
//! each constant of each world, before any rule runs.

use std::collections::BTreeMap;

use roaring::RoaringBitmap;

use gleaner_base::{ConstantId, FixedMap, FixedSet, PredicateId, VariableId};
use gleaner_lang::program::Term;
use gleaner_lang::syntax::Diagnostic;

use crate::faults::{self, Universal, WrittenFact};
use crate::gather::{Facts, Statements, UniversalFact};
use crate::mode_terms::ANY_TYPE;
use crate::types::ColumnTypes;

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
