//! Rules compiled to chains of operators; each operator takes the tuples of the one before.
//!
//! A plan orders the positive literals greedily, and runs each comparison and each negation as soon as its variables
//! have values. From one operator to the next it carries only the variables that something later needs. A [`Pattern`]
//! has the rows and columns that a body atom takes from its predicate.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use gleaner_base::{ConstantId, PredicateId, VariableId};
use gleaner_lang::program::literal::Role;
use gleaner_lang::program::{Atom, Clause, Comparison, Expression, Literal, Term};

use super::tuple::{Keyed, tuple};

/// The widest tuple, and the most variables that may be live at one point.
pub(super) const MAX_WIDTH: usize = 32;

/// The source of an operator's tuples.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Source {
    /// One empty tuple: the rule has no positive literal.
    Unit,
    /// The rows of the first literal.
    Scan(Pattern),
    /// The incoming tuples, joined on their key.
    Join(Pattern),
    /// The incoming tuples whose key is none of the pattern's keys.
    Antijoin(Pattern),
}

/// A test or an assignment that an operator applies to each tuple it makes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Check {
    /// Drop it where the comparison is false.
    Test(Comparison),
    /// Give the variable the value of the term.
    Assign(VariableId, Term),
    /// Give the variable the number; drop the tuple where the expression has none.
    Compute(VariableId, Expression),
}

/// One operator. **Invariant**: every variable that `checks` or the next operator mention is in `key`,
/// `value` or `gained`, or is given a value by an earlier check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Operator {
    pub(super) source: Source,
    /// Variables of the incoming key, and of the pattern's key; ascending.
    pub(super) key: Vec<VariableId>,
    /// The other incoming variables, ascending.
    pub(super) value: Vec<VariableId>,
    /// Variables that the pattern's value gives, ascending.
    pub(super) gained: Vec<VariableId>,
    pub(super) checks: Vec<Check>,
}

/// A rule as a chain of operators; the last one makes head tuples.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Plan {
    pub(super) operators: Vec<Operator>,
    pub(super) head: Atom,
    pub(super) n_variables: usize,
    /// Columns of the widest tuple, at most [`MAX_WIDTH`].
    pub(super) width: usize,
}

impl Plan {
    /// Compiles a safe rule. `n_rows` estimates a predicate's size, to begin with the smallest.
    ///
    /// **Cost**: `O(body_len^2)` orderings and `O(body_len * n_variables)` sets.
    ///
    /// # Errors
    ///
    /// The number of columns or live variables, where it is more than [`MAX_WIDTH`].
    pub(super) fn new(rule: &Clause, n_rows: &dyn Fn(PredicateId) -> usize) -> Result<Self, usize> {
        let mut schedule = Schedule::new(rule);
        schedule.run(n_rows);
        let mut needed: BTreeSet<VariableId> =
            rule.head.arguments.iter().filter_map(|term| term.variable()).collect();
        let (mut width, mut n_live) = (rule.head.arguments.len(), needed.len());
        let mut operators = Vec::with_capacity(schedule.stages.len());
        for (stage_idx, stage) in schedule.stages.into_iter().enumerate().rev() {
            let operator = stage.compile(stage_idx, &schedule.valued_at, &mut needed);
            let [key, value, gained] = [&operator.key, &operator.value, &operator.gained].map(Vec::len);
            width = width.max(key).max(value).max(gained);
            n_live = n_live.max(key + value).max(key + gained);
            operators.push(operator);
        }
        operators.reverse();
        let widest = width.max(n_live);
        if widest > MAX_WIDTH {
            return Err(widest);
        }
        Ok(Self { operators, head: rule.head.clone(), n_variables: rule.n_variables, width })
    }
}

/// The literal of a stage.
#[derive(Clone, Copy)]
enum Input<'c> {
    Unit,
    Positive(&'c Atom),
    Negative(&'c Atom),
}

/// A literal and the checks that can run after it.
struct Stage<'c> {
    input: Input<'c>,
    checks: Vec<Check>,
}

impl Stage<'_> {
    /// The stage as an operator. `needed` holds the variables that later stages and the head need; this stage adds
    /// those that it needs.
    fn compile(self, stage_idx: usize, valued_at: &[usize], needed: &mut BTreeSet<VariableId>) -> Operator {
        for check in &self.checks {
            check.visit_variables(&mut |variable| {
                needed.insert(variable);
            });
        }
        let atom = match self.input {
            Input::Unit => None,
            Input::Positive(atom) | Input::Negative(atom) => Some(atom),
        };
        let is_incoming = |variable: &VariableId| valued_at[variable.index()] < stage_idx;
        let in_atom: BTreeSet<VariableId> =
            atom.iter().flat_map(|atom| &atom.arguments).filter_map(|term| term.variable()).collect();
        let (key, new): (Vec<VariableId>, Vec<VariableId>) = in_atom.iter().partition(|v| is_incoming(v));
        let value = needed.difference(&in_atom).copied().filter(is_incoming).collect();
        let gained: Vec<VariableId> = new.into_iter().filter(|variable| needed.contains(variable)).collect();
        needed.extend(in_atom);
        let source = match self.input {
            Input::Unit => Source::Unit,
            Input::Positive(atom) if stage_idx == 0 => Source::Scan(Pattern::new(atom, &[], &gained)),
            Input::Positive(atom) => Source::Join(Pattern::new(atom, &key, &gained)),
            Input::Negative(atom) => Source::Antijoin(Pattern::new(atom, &key, &[])),
        };
        Operator { source, key, value, gained, checks: self.checks }
    }
}

impl Check {
    fn visit_variables(&self, visit: &mut dyn FnMut(VariableId)) {
        match self {
            Self::Test(comparison) => comparison.visit_variables(visit),
            Self::Assign(variable, term) => {
                visit(*variable);
                term.variable().into_iter().for_each(visit);
            }
            Self::Compute(variable, expression) => {
                visit(*variable);
                expression.visit_variables(visit);
            }
        }
    }
}

const NEVER: usize = usize::MAX;

/// The order of a rule's literals, while it is being found.
struct Schedule<'c> {
    positive: Vec<&'c Atom>,
    negative: Vec<&'c Atom>,
    comparisons: Vec<&'c Comparison>,
    /// The stage that gives each variable its value, or [`NEVER`].
    valued_at: Vec<usize>,
    stages: Vec<Stage<'c>>,
}

impl<'c> Schedule<'c> {
    fn new(rule: &'c Clause) -> Self {
        let mut schedule = Self {
            positive: Vec::new(),
            negative: Vec::new(),
            comparisons: Vec::new(),
            valued_at: vec![NEVER; rule.n_variables],
            stages: Vec::new(),
        };
        for literal in &rule.body {
            match literal {
                Literal::Positive(atom) => schedule.positive.push(atom),
                Literal::Negative(atom) => schedule.negative.push(atom),
                Literal::Comparison(comparison) => schedule.comparisons.push(comparison),
                Literal::Aggregate(_) => unreachable!("plain rules took the place of rules with aggregates"),
            }
        }
        schedule
    }

    fn run(&mut self, n_rows: &dyn Fn(PredicateId) -> usize) {
        if self.positive.is_empty() {
            self.add_stage(Input::Unit);
        }
        while let Some(position) = self.best(n_rows) {
            let atom = self.positive.remove(position);
            self.add_stage(Input::Positive(atom));
        }
        debug_assert!(self.comparisons.is_empty() && self.negative.is_empty(), "the rule is safe");
    }

    fn is_valued(&self, term: Term) -> bool {
        term.variable().is_none_or(|variable| self.valued_at[variable.index()] != NEVER)
    }

    /// The next literal. Literals connected with those before come first, then those with the most known arguments,
    /// then those with the fewest rows, then the first written.
    fn best(&self, n_rows: &dyn Fn(PredicateId) -> usize) -> Option<usize> {
        let is_shared = |term: &Term| term.variable().is_some() && self.is_valued(*term);
        (0..self.positive.len()).max_by_key(|&position| {
            let atom = self.positive[position];
            let n_known = atom.arguments.iter().filter(|term| self.is_valued(**term)).count();
            // A ground atom is a test: it cannot multiply the tuples.
            let is_connected = n_known == atom.arguments.len() || atom.arguments.iter().any(is_shared);
            (is_connected, n_known, Reverse(n_rows(atom.predicate)), Reverse(position))
        })
    }

    /// Adds the literal with the checks that can run after it, and then the negations that can.
    fn add_stage(&mut self, input: Input<'c>) {
        let stage_idx = self.stages.len();
        if let Input::Positive(atom) = input {
            for variable in atom.arguments.iter().filter_map(|term| term.variable()) {
                let valued_at = &mut self.valued_at[variable.index()];
                *valued_at = (*valued_at).min(stage_idx);
            }
        }
        let checks = self.possible_checks(stage_idx);
        self.stages.push(Stage { input, checks });
        let (ready, waiting) = self
            .negative
            .iter()
            .partition::<Vec<&Atom>, _>(|atom| atom.arguments.iter().all(|&term| self.is_valued(term)));
        self.negative = waiting;
        self.stages
            .extend(ready.into_iter().map(|atom| Stage { input: Input::Negative(atom), checks: Vec::new() }));
    }

    /// Takes out the comparisons that can run now, in a possible order.
    fn possible_checks(&mut self, stage_idx: usize) -> Vec<Check> {
        let (comparisons, valued_at) = (&mut self.comparisons, &mut self.valued_at);
        let mut checks = Vec::new();
        loop {
            let n_waiting = comparisons.len();
            comparisons.retain(|&comparison| {
                let is_valued = |variable: VariableId| valued_at[variable.index()] != NEVER;
                let (check, given) = match comparison.role(&is_valued) {
                    Role::Wait | Role::Enumerate(_) | Role::Aggregate(_) => return true,
                    Role::Test => (Check::Test(comparison.clone()), None),
                    Role::Assign(variable, term) => (Check::Assign(variable, term), Some(variable)),
                    Role::Compute(variable, expression) => {
                        (Check::Compute(variable, expression.clone()), Some(variable))
                    }
                };
                if let Some(variable) = given {
                    valued_at[variable.index()] = stage_idx;
                }
                checks.push(check);
                false
            });
            if comparisons.len() == n_waiting {
                return checks;
            }
        }
    }
}

/// A selection and projection of a predicate's rows. Constants and repeated variables select rows; the first columns
/// of the requested variables are kept. Equal patterns share one index.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Pattern {
    /// The predicate.
    pub(super) predicate: PredicateId,
    constants: Vec<(usize, ConstantId)>,
    repeats: Vec<(usize, usize)>,
    key: Vec<usize>,
    value: Vec<usize>,
}

impl Pattern {
    /// The pattern of an atom that is looked up by the variables of `key` and gives those of `value`. All of them
    /// occur in the atom.
    pub(super) fn new(atom: &Atom, key: &[VariableId], value: &[VariableId]) -> Self {
        let first_column = |term: Term| {
            atom.arguments.iter().position(|&other| other == term).expect("the atom has the term")
        };
        let columns = |variables: &[VariableId]| {
            variables.iter().map(|&variable| first_column(Term::Variable(variable))).collect()
        };
        let mut pattern = Self {
            predicate: atom.predicate,
            constants: Vec::new(),
            repeats: Vec::new(),
            key: columns(key),
            value: columns(value),
        };
        for (column, &term) in atom.arguments.iter().enumerate() {
            let first = first_column(term);
            match term {
                Term::Constant(constant) => pattern.constants.push((column, constant)),
                Term::Variable(_) if first != column => pattern.repeats.push((first, column)),
                Term::Variable(_) | Term::Any => {}
            }
        }
        pattern
    }

    /// Whether a row has the atom's constants, and equal values for equal variables.
    pub(super) fn selects(&self, row: &[ConstantId]) -> bool {
        self.constants.iter().all(|&(column, constant)| row[column] == constant)
            && self.repeats.iter().all(|&(first, column)| row[first] == row[column])
    }

    /// The row's values for the variables of `value`.
    pub(super) fn values(&self, row: &[ConstantId]) -> impl Iterator<Item = ConstantId> {
        self.value.iter().map(|&column| row[column])
    }

    /// Key and value of a row, where the pattern selects it.
    pub(super) fn keyed<const N: usize>(&self, row: &[ConstantId]) -> Option<Keyed<N>> {
        let key = || tuple(self.key.iter().map(|&column| row[column]));
        self.selects(row).then(|| (key(), tuple(self.values(row))))
    }
}
