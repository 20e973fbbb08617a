//! The queries that the modes span, and the steps between them.
//!
//! A query: a body over the target's arguments, with the types of its variables.

use std::collections::BTreeSet;
use std::hash::{BuildHasher, BuildHasherDefault, Hash};

use crate::datalog::Background;
use gleaner_base::hash::FixedHasher;
use gleaner_base::{ConstantId, PredicateId, TypeId, VariableId};
use gleaner_lang::program::canonical::canonical_from;
use gleaner_lang::program::mode::{ArgumentMode, BodyMode, ModeSubject, Modes};
use gleaner_lang::program::{Atom, Clause, Literal, Term};

/// The literals that may be added to a query: literals by the modes, each with a variable that the query has.
///
/// A literal takes known variables where its mode has `+`, and known or new ones where it has `-`. Where the mode has
/// `#`, it takes the constants that the facts have there. The language ignores limits on the answers of a call
/// (`recall`): they belong to bottom clauses.
#[derive(Debug)]
pub struct QueryLanguage {
    head: Atom,
    head_types: Box<[TypeId]>,
    modes: Vec<MineableMode>,
}

/// A body mode with the constants that its literals may have.
#[derive(Debug)]
struct MineableMode {
    subject: ModeSubject,
    arguments: Vec<ArgumentMode>,
    /// Rows of values for its constants, as facts have them together.
    constants: Vec<Box<[ConstantId]>>,
}

/// The type of a head's argument. No query may ask for a constant of the head, such as the class of an example.
const fn head_type(argument: ArgumentMode) -> TypeId {
    match argument {
        ArgumentMode::Constant(_) => TypeId::from_raw(u32::MAX),
        ArgumentMode::Input(type_id) | ArgumentMode::Output(type_id) => type_id,
    }
}

/// An argument of a literal that is being built.
#[derive(Clone, Copy)]
enum Argument {
    Term(Term),
    /// The next of the mode's constants in a row.
    Constant,
}

impl QueryLanguage {
    /// The language of these modes over these facts. A comparison with a constant has `n_cut_points` thresholds of each
    /// type, or all numbers of the type if these are fewer.
    ///
    /// **Cost**: a pass over the columns of the constants.
    pub fn new(modes: &Modes, worlds: &[&Background], n_cut_points: usize) -> Self {
        let head_types: Box<[TypeId]> =
            modes.head.arguments.iter().map(|&argument| head_type(argument)).collect();
        let variables = (0..head_types.len()).map(|at| Term::Variable(VariableId::new(at)));
        let head = Atom { predicate: modes.head.predicate, arguments: variables.collect() };
        let mineable = |mode: &BodyMode| MineableMode {
            subject: mode.subject,
            arguments: mode.arguments.clone(),
            constants: match mode.subject.predicate() {
                Some(&predicate) => constants_of_facts(predicate, &mode.arguments, worlds),
                None => cut_points(&mode.arguments, modes, worlds, n_cut_points),
            },
        };
        Self { head, head_types, modes: modes.body.iter().map(mineable).collect() }
    }

    /// The query without literals.
    pub fn shortest(&self) -> Query {
        let n_variables = self.head.arguments.len();
        Query {
            clause: Clause { head: self.head.clone(), body: Vec::new(), n_variables },
            types: self.head_types.clone(),
        }
    }

    /// Calls `visit` for each literal that may be added to a query; new variables have one name each. A literal that
    /// several modes give comes several times.
    pub fn visit_additions(&self, query: &Query, visit: &mut dyn FnMut(Addition)) {
        let mut visit_new = |addition: Addition| {
            if !addition.is_in(query) {
                visit(addition);
            }
        };
        for mode in &self.modes {
            mode.fill(query, &mut Vec::new(), &mut Vec::new(), &mut visit_new);
        }
    }

    /// Whether the query's literals have an order in which each may be added to those before it.
    pub fn admits(&self, query: &Query) -> bool {
        let mut is_known: Vec<bool> = (0..query.types.len()).map(|at| at < self.head_types.len()).collect();
        let mut rest: Vec<&Literal> = query.clause.body.iter().collect();
        while !rest.is_empty() {
            let before = rest.len();
            rest.retain(|literal| {
                let can_be_added = self.modes.iter().any(|mode| mode.admits(literal, query, &is_known));
                if can_be_added {
                    literal.visit_variables(&mut |variable| is_known[variable.index()] = true);
                }
                !can_be_added
            });
            if rest.len() == before {
                return false;
            }
        }
        true
    }

    /// The constants of a query with their types.
    pub fn constants_of(&self, query: &Query) -> Vec<(ConstantId, TypeId)> {
        let all_known = vec![true; query.types.len()];
        let mut constants = BTreeSet::new();
        for literal in &query.clause.body {
            let mode = self.modes.iter().find(|mode| mode.admits(literal, query, &all_known));
            for (term, argument) in terms(literal).iter().zip(mode.iter().flat_map(|mode| &mode.arguments)) {
                if let Term::Constant(constant) = *term {
                    constants.insert((constant, argument.type_id()));
                }
            }
        }
        constants.into_iter().collect()
    }
}

impl MineableMode {
    /// Fills the arguments from position `chosen.len()` on, in all ways.
    fn fill(
        &self,
        query: &Query,
        chosen: &mut Vec<Argument>,
        new_types: &mut Vec<TypeId>,
        visit: &mut dyn FnMut(Addition),
    ) {
        let Some(&argument) = self.arguments.get(chosen.len()) else {
            self.constants
                .iter()
                .filter_map(|row| self.addition(query, chosen, new_types, row))
                .for_each(visit);
            return;
        };
        let type_id = match argument {
            ArgumentMode::Constant(_) => {
                chosen.push(Argument::Constant);
                self.fill(query, chosen, new_types, visit);
                chosen.pop();
                return;
            }
            ArgumentMode::Output(_) if self.subject.is_negated() => {
                chosen.push(Argument::Term(Term::Any));
                self.fill(query, chosen, new_types, visit);
                chosen.pop();
                return;
            }
            ArgumentMode::Input(type_id) | ArgumentMode::Output(type_id) => type_id,
        };
        let n_known = query.types.len();
        let is_output = matches!(argument, ArgumentMode::Output(_));
        let n_met = n_known + if is_output { new_types.len() } else { 0 };
        for at in 0..n_met {
            let of_type = if at < n_known { query.types[at] } else { new_types[at - n_known] };
            if of_type == type_id {
                chosen.push(Argument::Term(Term::Variable(VariableId::new(at))));
                self.fill(query, chosen, new_types, visit);
                chosen.pop();
            }
        }
        if is_output {
            chosen.push(Argument::Term(Term::Variable(VariableId::new(n_known + new_types.len()))));
            new_types.push(type_id);
            self.fill(query, chosen, new_types, visit);
            new_types.pop();
            chosen.pop();
        }
    }

    /// The literal with these constants. `None`: it has no variable of the query, or compares a variable with itself.
    fn addition(
        &self,
        query: &Query,
        chosen: &[Argument],
        new_types: &[TypeId],
        row: &[ConstantId],
    ) -> Option<Addition> {
        let is_connected = chosen.iter().any(|argument| match argument {
            Argument::Term(Term::Variable(variable)) => variable.index() < query.types.len(),
            Argument::Term(Term::Constant(_) | Term::Any) | Argument::Constant => false,
        });
        let mut row = row.iter();
        let arguments: Vec<Term> = chosen
            .iter()
            .map(|argument| match *argument {
                Argument::Term(term) => term,
                Argument::Constant => Term::Constant(*row.next().expect("a value for each constant")),
            })
            .collect();
        let literal = self.literal(arguments)?;
        is_connected.then(|| Addition { literal, new_types: new_types.to_vec() })
    }

    fn literal(&self, arguments: Vec<Term>) -> Option<Literal> {
        let compares_itself =
            self.subject.comparison().is_some() && matches!(*arguments, [left, right] if left == right);
        self.subject.literal(arguments).filter(|_| !compares_itself)
    }

    /// Whether a literal may be added where these variables are known.
    fn admits(&self, literal: &Literal, query: &Query, is_known: &[bool]) -> bool {
        if self.subject != literal.subject() {
            return false;
        }
        let is_negated = self.subject.is_negated();
        let has_known = !literal.has_only(|variable| !is_known[variable.index()]);
        let fits = |term: Term, argument: ArgumentMode| match (term, argument) {
            (Term::Constant(_), ArgumentMode::Constant(_)) => true,
            (Term::Variable(variable), ArgumentMode::Input(type_id)) => {
                is_known[variable.index()] && query.type_of(variable) == type_id
            }
            (Term::Variable(_) | Term::Any, ArgumentMode::Output(_)) if is_negated => term == Term::Any,
            (Term::Variable(variable), ArgumentMode::Output(type_id)) => query.type_of(variable) == type_id,
            (Term::Constant(_) | Term::Any, ArgumentMode::Input(_) | ArgumentMode::Output(_))
            | (Term::Variable(_) | Term::Any, ArgumentMode::Constant(_)) => false,
        };
        let mut terms = literal.terms().zip(&self.arguments);
        has_known && terms.all(|(term, &argument)| term.is_some_and(|term| fits(term, argument)))
    }
}

/// The distinct rows of a mode's constants, ascending; one empty row where the mode has no constants.
fn constants_of_facts(
    predicate: PredicateId,
    arguments: &[ArgumentMode],
    worlds: &[&Background],
) -> Vec<Box<[ConstantId]>> {
    let columns: Vec<usize> = (0..arguments.len())
        .filter(|&column| matches!(arguments[column], ArgumentMode::Constant(_)))
        .collect();
    if columns.is_empty() {
        return vec![Box::default()];
    }
    let mut rows = BTreeSet::new();
    for world in worlds {
        let relation = world.relation(predicate);
        for row in 0..relation.n_rows() {
            let values: Box<[ConstantId]> =
                columns.iter().map(|&column| relation.value(row, column)).collect();
            if !rows.contains(&values) {
                rows.insert(values);
            }
        }
    }
    rows.into_iter().collect()
}

/// Thresholds of a comparison: numbers of the constant's type, evenly spread over the distinct numbers in the facts.
fn cut_points(
    arguments: &[ArgumentMode],
    modes: &Modes,
    worlds: &[&Background],
    n_cut_points: usize,
) -> Vec<Box<[ConstantId]>> {
    let Some(type_id) = arguments.iter().find_map(|argument| match argument {
        ArgumentMode::Constant(type_id) => Some(*type_id),
        ArgumentMode::Input(_) | ArgumentMode::Output(_) => None,
    }) else {
        return vec![Box::default()];
    };
    let mut numbers: Vec<ConstantId> = Vec::new();
    for mode in &modes.body {
        let Some(&predicate) = mode.subject.relation() else { continue };
        let of_type = (0..mode.arguments.len()).filter(|&at| mode.arguments[at].type_id() == type_id);
        for column in of_type {
            for world in worlds {
                let values = world.relation(predicate).column(column).iter();
                numbers.extend(values.filter(|&&constant| world.number(constant).is_some()));
            }
        }
    }
    let Some(world) = worlds.first() else { return Vec::new() };
    numbers.sort_unstable();
    numbers.dedup();
    numbers.sort_by(|&left, &right| {
        let number = |constant| world.number(constant).expect("only numbers were taken");
        number(left).compare(number(right)).then(left.cmp(&right))
    });
    let n = numbers.len();
    let taken = n.min(n_cut_points);
    (0..taken).map(|at| Box::from([numbers[(2 * at + 1) * n / (2 * taken)]])).collect()
}

/// A query in canonical form.
///
/// **Shape**: a type for each variable. Object identity is not written out in it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Query {
    /// The target with distinct variables, and the body.
    pub clause: Clause,
    /// The types of the variables.
    pub types: Box<[TypeId]>,
}

impl Query {
    /// The query in canonical form: the same for all orders of its body and names of its variables.
    pub fn new(clause: &Clause, types: &[TypeId]) -> Self {
        let (clause, names) = canonical_from(clause);
        Self { types: names.into_iter().map(|name| types[name.index()]).collect(), clause }
    }

    /// The query with one literal more. The addition gives the types of the literal's new variables.
    pub fn with(&self, addition: &Addition) -> Self {
        let mut body = self.clause.body.clone();
        body.push(addition.literal.clone());
        let n_variables = self.clause.n_variables + addition.new_types.len();
        let types = [&self.types[..], &addition.new_types].concat();
        Self::new(&Clause { head: self.clause.head.clone(), body, n_variables }, &types)
    }

    /// The query without one of its literals.
    pub fn without(&self, position: usize) -> Self {
        self.without_named(position).0
    }

    /// The query without one of its literals, and for each variable of that shorter query its id in this query.
    pub fn without_named(&self, position: usize) -> (Self, Vec<VariableId>) {
        let mut body = self.clause.body.clone();
        body.remove(position);
        let (clause, names) = Clause::renumbered_from(&self.clause.head, &body);
        let (clause, places) = canonical_from(&clause);
        let names: Vec<VariableId> = places.into_iter().map(|place| names[place.index()]).collect();
        let types = names.iter().map(|name| self.types[name.index()]).collect();
        (Self { clause, types }, names)
    }

    /// Whether the query is known to have no symmetry, because its variables differ in how they occur. The check
    /// refines colours of variables by the literals that hold them.
    pub fn is_rigid(&self) -> bool {
        let n_head = self.clause.head.arguments.len();
        let first = |(at, type_id): (usize, &TypeId)| hash(&(at.min(n_head), *type_id));
        let mut colours: Vec<u64> = self.types.iter().enumerate().map(first).collect();
        for _ in 0..colours.len() {
            let mut seen: Vec<Vec<u64>> = colours.iter().map(|&colour| vec![colour]).collect();
            for literal in &self.clause.body {
                let mut terms: Vec<Term> = Vec::new();
                let bare = literal.map_terms(&mut |term| {
                    terms.push(term);
                    term.variable().map_or(term, |_| Term::Variable(VariableId::new(0)))
                });
                let looks: Vec<Option<u64>> =
                    terms.iter().map(|term| term.variable().map(|of| colours[of.index()])).collect();
                for (place, variable) in
                    terms.iter().enumerate().filter_map(|(at, term)| Some((at, term.variable()?)))
                {
                    seen[variable.index()].push(hash(&(&bare, &looks, place)));
                }
            }
            seen.iter_mut().for_each(|seen| seen[1..].sort_unstable());
            colours = seen.iter().map(hash).collect();
        }
        let n_variables = colours.len();
        colours.sort_unstable();
        colours.dedup();
        colours.len() == n_variables
    }

    /// How many literals its body has.
    pub const fn len(&self) -> usize {
        self.clause.body.len()
    }

    /// Whether its body has no literals.
    pub const fn is_empty(&self) -> bool {
        self.clause.body.is_empty()
    }

    /// The type of a variable.
    pub fn type_of(&self, variable: VariableId) -> TypeId {
        self.types[variable.index()]
    }
}

fn hash(of: &impl Hash) -> u64 {
    BuildHasherDefault::<FixedHasher>::default().hash_one(of)
}

/// A literal that may be added to a query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Addition {
    /// The literal; the numbers of its new variables follow those of the query's variables.
    pub literal: Literal,
    /// The types of the new variables.
    pub new_types: Vec<TypeId>,
}

impl Addition {
    /// Whether it is a literal of the query already.
    pub fn is_in(&self, query: &Query) -> bool {
        query.clause.body.contains(&self.literal)
    }
}

/// The terms of an atom, negated or not; a comparison has none here.
pub(super) fn terms(literal: &Literal) -> &[Term] {
    literal.atom().map_or(&[], |atom| &atom.arguments)
}
