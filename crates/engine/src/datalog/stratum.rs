//! One stratum, run in one datafrog iteration.
//!
//! Each head predicate is a variable of the iteration, and so is each operator's input. Each pattern that an
//! operator joins with is an index: a fixed relation where its predicate is complete, else a variable that
//! follows the head predicate. A round joins only new tuples.

use std::cell::Cell;
use std::cmp::Ordering;

use datafrog::{Iteration, Relation, Variable};

use gleaner_base::{ConstantId, FixedMap, PredicateId, VariableId};
use gleaner_lang::program::{FactTable, Number, Rows};

use super::plan::{Check, Operator, Pattern, Plan, Source};
use super::tuple::{Batch, Keyed, Spending, Tuple, gather, tuple, value_of};

/// The numbers among the constants, to which `is` adds.
pub trait NumberTable {
    /// The number of a constant, if the constant is a number.
    fn number(&self, constant: ConstantId) -> Option<Number>;

    /// The constant of a number: the known one if there is one, else a new one.
    fn intern(&mut self, number: Number) -> ConstantId;
}

/// The counts of one stratum's run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct StratumOutcome {
    pub(super) n_rounds: usize,
    pub(super) n_derived_facts: usize,
}

/// The limit that a run passed, with a head predicate to report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LimitPassed {
    /// The limit of derived facts, perhaps with the others.
    Facts(PredicateId),
    /// The limit of work or memory.
    Work(PredicateId),
}

/// Runs the plans of a stratum to their fixpoint and puts the result into `facts`.
///
/// `heads` are the stratum's predicates. Tuples of width `N` are wide enough for every operator.
///
/// **Cost**: each join result once, and `O(log n)` moves for each distinct tuple. **Memory**: the
/// distinct tuples of every operator and index.
///
/// # Errors
///
/// When the rules derive too many facts, or no work or memory is left; `facts` is then unchanged.
pub(super) fn run_stratum<const N: usize>(
    plans: &[Plan],
    heads: &[PredicateId],
    facts: &mut FactTable,
    constants: &mut dyn NumberTable,
    spending: &mut Spending,
) -> Result<StratumOutcome, LimitPassed> {
    let mut runner = Runner::<N>::new(plans, heads, facts, *spending);
    runner.start(facts, constants)?;
    let (mut n_rounds, mut n_derived_facts) = (0, 0);
    while runner.iteration.changed() {
        n_rounds += 1;
        n_derived_facts = runner.check_limit()?;
        runner.run_round(constants)?;
    }
    *spending = runner.spending.get();
    for head in runner.heads {
        let predicate = head.predicate;
        let arity = facts.rows(predicate).arity();
        let mut rows = Rows::new(arity);
        for tuple in head.variable.complete().iter() {
            rows.push(&tuple[..arity]);
        }
        *facts.rows_mut(predicate) = rows;
    }
    Ok(StratumOutcome { n_rounds, n_derived_facts })
}

struct Head<const N: usize> {
    predicate: PredicateId,
    variable: Variable<Tuple<N>>,
    n_given: usize,
}

impl<const N: usize> Head<N> {
    fn n_derived(&self) -> usize {
        n_tuples(&self.variable) - self.n_given
    }
}

fn n_tuples<T: Ord>(variable: &Variable<T>) -> usize {
    let n_stable: usize = variable.stable.borrow().iter().map(|batch| batch.len()).sum();
    n_stable + variable.recent.borrow().len()
}

/// The tuples that a pattern takes from its predicate.
enum Index<const N: usize> {
    Fixed(Relation<Keyed<N>>),
    Absent(Relation<Tuple<N>>),
    Growing {
        pattern: Pattern,
        head_idx: usize,
        variable: Variable<Keyed<N>>,
    },
    /// Rows that are read once or as they come, and joined with nothing.
    None,
}

/// A plan with the iteration's variables.
struct Chain<'p, const N: usize> {
    plan: &'p Plan,
    head_idx: usize,
    /// The index of each operator.
    indexes: Vec<usize>,
    /// The output of each operator but the last.
    outputs: Vec<Variable<Keyed<N>>>,
}

struct Runner<'p, const N: usize> {
    iteration: Iteration,
    /// Takes the empty results of datafrog's operators: see [`Emitter`].
    sink: Variable<()>,
    heads: Vec<Head<N>>,
    head_of: FixedMap<PredicateId, usize>,
    indexes: Vec<Index<N>>,
    chains: Vec<Chain<'p, N>>,
    spending: Cell<Spending>,
}

impl<'p, const N: usize> Runner<'p, N> {
    fn new(plans: &'p [Plan], predicates: &[PredicateId], facts: &FactTable, spending: Spending) -> Self {
        let mut iteration = Iteration::new();
        let sink = iteration.variable("sink");
        let mut heads = Vec::new();
        for &predicate in predicates {
            let variable = iteration.variable("head");
            let given: Relation<Tuple<N>> =
                facts.rows(predicate).iter().map(|row| tuple(row.iter().copied())).collect();
            heads.push(Head { predicate, n_given: given.len(), variable: Variable::clone(&variable) });
            variable.insert(given);
        }
        let head_of =
            predicates.iter().enumerate().map(|(head_idx, &predicate)| (predicate, head_idx)).collect();
        let mut runner = Self {
            iteration,
            sink,
            heads,
            head_of,
            indexes: Vec::new(),
            chains: Vec::new(),
            spending: Cell::new(spending),
        };
        // Many rules join one predicate in the same way, and share one index.
        let mut known = FixedMap::default();
        for plan in plans {
            let indexes = plan
                .operators
                .iter()
                .map(|operator| runner.index(&operator.source, facts, &mut known))
                .collect();
            let outputs = plan.operators.iter().skip(1).map(|_| runner.iteration.variable("step")).collect();
            let head_idx = runner.head_of[&plan.head.predicate];
            runner.chains.push(Chain { plan, head_idx, indexes, outputs });
        }
        runner
    }

    /// The position of the index that an operator joins with; makes the index where there is none.
    fn index(
        &mut self,
        source: &'p Source,
        facts: &FactTable,
        known: &mut FixedMap<(&'p Pattern, bool), usize>,
    ) -> usize {
        let (pattern, is_negated) = match source {
            Source::Join(pattern) => (pattern, false),
            Source::Antijoin(pattern) => (pattern, true),
            Source::Unit | Source::Scan(_) => {
                self.indexes.push(Index::None);
                return self.indexes.len() - 1;
            }
        };
        *known.entry((pattern, is_negated)).or_insert_with(|| {
            let rows = || facts.rows(pattern.predicate).iter().filter_map(|row| pattern.keyed(row));
            self.indexes.push(match self.head_of.get(&pattern.predicate) {
                Some(&head_idx) => {
                    let variable = self.iteration.variable("index");
                    Index::Growing { pattern: pattern.clone(), head_idx, variable }
                }
                None if is_negated => Index::Absent(rows().map(|(key, _)| key).collect()),
                None => Index::Fixed(rows().collect()),
            });
            self.indexes.len() - 1
        })
    }

    /// Runs the first operators that no round changes.
    fn start(&self, facts: &FactTable, constants: &mut dyn NumberTable) -> Result<(), LimitPassed> {
        for chain in &self.chains {
            let mut emitter = self.emitter(chain, 0, constants);
            match &chain.plan.operators[0].source {
                Source::Scan(pattern) if !self.head_of.contains_key(&pattern.predicate) => {
                    // Nothing is emitted once the limits are passed.
                    facts.rows(pattern.predicate).iter().for_each(|row| emitter.emit_row(pattern, row));
                }
                Source::Unit => {
                    emitter.emit();
                }
                _ => continue,
            }
            emitter.finish(self, chain, 0)?;
        }
        Ok(())
    }

    fn run_round(&self, constants: &mut dyn NumberTable) -> Result<(), LimitPassed> {
        for index in &self.indexes {
            if let Index::Growing { pattern, head_idx, variable } = index {
                let recent = self.heads[*head_idx].variable.recent.borrow();
                variable.extend(recent.iter().filter_map(|row| pattern.keyed(row)));
            }
        }
        for chain in &self.chains {
            for operator_idx in 0..chain.plan.operators.len() {
                let mut emitter = self.emitter(chain, operator_idx, constants);
                if self.run_operator(chain, operator_idx, &mut emitter) {
                    emitter.finish(self, chain, operator_idx)?;
                }
            }
        }
        Ok(())
    }

    /// Feeds an operator's new tuples to the emitter. False: `start` ran the operator, and no round changes it.
    fn run_operator(&self, chain: &Chain<'_, N>, operator_idx: usize, emitter: &mut Emitter<'_, N>) -> bool {
        let operator = &chain.plan.operators[operator_idx];
        if let Source::Scan(pattern) = &operator.source {
            let Some(&head_idx) = self.head_of.get(&pattern.predicate) else { return false };
            self.sink.from_map(&self.heads[head_idx].variable, |row| emitter.emit_row(pattern, row));
            return true;
        }
        let Some(input) = operator_idx.checked_sub(1).map(|previous| &chain.outputs[previous]) else {
            return false;
        };
        let mut join = |key: &Tuple<N>, value: &Tuple<N>, gained: &Tuple<N>| {
            emitter.load(&operator.key, key);
            emitter.load(&operator.value, value);
            emitter.load(&operator.gained, gained);
            emitter.emit()
        };
        match &self.indexes[chain.indexes[operator_idx]] {
            Index::Fixed(relation) => join_sorted(&input.recent.borrow(), relation, &mut join),
            Index::Growing { variable, .. } => join_growing(input, variable, &mut join),
            Index::Absent(relation) => self.sink.from_antijoin(input, relation, |key, value| {
                emitter.load(&operator.key, key);
                emitter.load(&operator.value, value);
                emitter.emit();
            }),
            Index::None => return false,
        }
        true
    }

    fn emitter<'e>(
        &self,
        chain: &Chain<'e, N>,
        operator_idx: usize,
        constants: &'e mut dyn NumberTable,
    ) -> Emitter<'e, N>
    where
        'p: 'e,
    {
        let plan = chain.plan;
        let mut spending = self.spending.get();
        spending.work();
        // A batch of more distinct tuples than this holds too many new ones, for at most `n_given` are old.
        let n_given = self.heads[chain.head_idx].n_given;
        let most_heads = spending.facts_left().min(spending.room(size_of::<Tuple<N>>()));
        Emitter {
            operator: &plan.operators[operator_idx],
            next: plan.operators.get(operator_idx + 1),
            plan,
            bindings: vec![ConstantId::default(); plan.n_variables],
            constants,
            steps: Batch::new(spending.room(size_of::<Keyed<N>>())),
            heads: Batch::new(most_heads.saturating_add(n_given)),
            spending,
        }
    }

    /// The number of facts derived so far, or the limit that is passed.
    fn check_limit(&self) -> Result<usize, LimitPassed> {
        let n_derived: usize = self.heads.iter().map(Head::n_derived).sum();
        let mut spending = self.spending.get();
        spending.hold_only(self.n_bytes(n_derived));
        self.spending.set(spending);
        let is_within = n_derived <= spending.facts_left();
        if is_within && !spending.is_over() {
            return Ok(n_derived);
        }
        let largest = self.heads.iter().rev().max_by_key(|head| head.n_derived());
        let predicate = largest.expect("a stratum has a head").predicate;
        Err(if is_within { LimitPassed::Work(predicate) } else { LimitPassed::Facts(predicate) })
    }

    /// The bytes of the tuples made: derived facts, tuples between literals, and their indices.
    fn n_bytes(&self, n_derived: usize) -> usize {
        let outputs = self.chains.iter().flat_map(|chain| &chain.outputs);
        let indexes = self.indexes.iter().filter_map(|index| match index {
            Index::Growing { variable, .. } => Some(variable),
            _ => None,
        });
        let n_keyed: usize = outputs.chain(indexes).map(n_tuples).sum();
        n_derived * size_of::<Tuple<N>>() + n_keyed * size_of::<Keyed<N>>()
    }
}

/// Takes the bindings that an operator makes through its checks to its output.
///
/// Datafrog's operators make one tuple for each match and keep it. Ours make an empty one and write to the
/// emitter instead. So a failed check leaves nothing behind, and the emitter drops repeats before they pile up.
struct Emitter<'e, const N: usize> {
    plan: &'e Plan,
    operator: &'e Operator,
    next: Option<&'e Operator>,
    /// Values by variable; stale for variables that nothing later needs.
    bindings: Vec<ConstantId>,
    constants: &'e mut dyn NumberTable,
    steps: Batch<Keyed<N>>,
    heads: Batch<Tuple<N>>,
    spending: Spending,
}

impl<const N: usize> Emitter<'_, N> {
    fn load(&mut self, variables: &[VariableId], values: &[ConstantId]) {
        for (variable, &value) in variables.iter().zip(values) {
            self.bindings[variable.index()] = value;
        }
    }

    fn emit_row(&mut self, pattern: &Pattern, row: &[ConstantId]) {
        if pattern.selects(row) {
            for (variable, value) in self.operator.gained.iter().zip(pattern.values(row)) {
                self.bindings[variable.index()] = value;
            }
            self.emit();
        }
    }

    /// False once a limit is passed: the caller then emits nothing more.
    fn emit(&mut self) -> bool {
        self.spending.work();
        if self.spending.is_over() {
            return false;
        }
        let operator = self.operator;
        if !operator.checks.iter().all(|check| self.passes(check)) {
            return true;
        }
        let bindings = &self.bindings;
        match self.next {
            Some(next) => {
                self.steps.push((gather(&next.key, bindings), gather(&next.value, bindings)));
                !self.steps.is_over()
            }
            None => {
                self.heads.push(tuple(self.plan.head.arguments.iter().map(|&term| value_of(term, bindings))));
                !self.heads.is_over()
            }
        }
    }

    fn passes(&mut self, check: &Check) -> bool {
        let value = |variable: VariableId| self.bindings[variable.index()];
        let number = |constant| self.constants.number(constant);
        match check {
            Check::Test(comparison) => comparison.holds(&value, &number),
            Check::Assign(variable, term) => {
                self.bindings[variable.index()] = value_of(*term, &self.bindings);
                true
            }
            Check::Compute(variable, expression) => match expression.evaluate(&value, &number) {
                Some(number) => {
                    let constant = self.constants.intern(number);
                    self.spending.number(constant);
                    self.bindings[variable.index()] = constant;
                    true
                }
                None => false,
            },
        }
    }

    /// Adds the output to the next operator's input, or to the head predicate if the operator is the last.
    fn finish(
        self,
        runner: &Runner<'_, N>,
        chain: &Chain<'_, N>,
        operator_idx: usize,
    ) -> Result<(), LimitPassed> {
        let head = &runner.heads[chain.head_idx];
        let mut spending = self.spending;
        if spending.is_over() {
            return Err(LimitPassed::Work(head.predicate));
        }
        if self.next.is_some() {
            let steps = self.steps.into_relation().ok_or(LimitPassed::Work(head.predicate))?;
            spending.hold(steps.len() * size_of::<Keyed<N>>());
            chain.outputs[operator_idx].insert(steps);
        } else {
            let is_within = spending.room(size_of::<Tuple<N>>()) >= spending.facts_left();
            let passed = if is_within { LimitPassed::Facts } else { LimitPassed::Work };
            let heads = self.heads.into_relation().ok_or(passed(head.predicate))?;
            spending.hold(heads.len() * size_of::<Tuple<N>>());
            head.variable.insert(heads);
        }
        runner.spending.set(spending);
        Ok(())
    }
}

/// Joins the new tuples of each side with all tuples of the other.
fn join_growing<const N: usize>(
    left: &Variable<Keyed<N>>,
    right: &Variable<Keyed<N>>,
    take: &mut impl FnMut(&Tuple<N>, &Tuple<N>, &Tuple<N>) -> bool,
) {
    let (recent_left, recent_right) = (left.recent.borrow(), right.recent.borrow());
    right.stable.borrow().iter().for_each(|batch| join_sorted(&recent_left, batch, take));
    left.stable.borrow().iter().for_each(|batch| join_sorted(batch, &recent_right, take));
    join_sorted(&recent_left, &recent_right, take);
}

/// Gives each pair with equal keys to `take`, until `take` returns false. Datafrog's own join cannot stop early.
///
/// **Cost**: `O(log n)` for each key of the shorter side, and the pairs.
fn join_sorted<const N: usize>(
    mut left: &[Keyed<N>],
    mut right: &[Keyed<N>],
    take: &mut impl FnMut(&Tuple<N>, &Tuple<N>, &Tuple<N>) -> bool,
) {
    while let (Some((left_key, _)), Some((right_key, _))) = (left.first(), right.first()) {
        match left_key.cmp(right_key) {
            Ordering::Less => left = from(left, |key| key < right_key),
            Ordering::Greater => right = from(right, |key| key < left_key),
            Ordering::Equal => {
                let n_left = left.iter().take_while(|(key, _)| key == left_key).count();
                let n_right = right.iter().take_while(|(key, _)| key == right_key).count();
                for (key, value) in &left[..n_left] {
                    for (_, gained) in &right[..n_right] {
                        if !take(key, value, gained) {
                            return;
                        }
                    }
                }
                (left, right) = (&left[n_left..], &right[n_right..]);
            }
        }
    }
}

/// The rest of a sorted slice from the first key for which `is_before` is false, found in steps that double.
fn from<const N: usize>(slice: &[Keyed<N>], is_before: impl Fn(&Tuple<N>) -> bool) -> &[Keyed<N>] {
    let mut step = 1;
    while slice.get(step).is_some_and(|(key, _)| is_before(key)) {
        step *= 2;
    }
    let end = slice.len().min(step);
    let start = step / 2;
    &slice[start + slice[start..end].partition_point(|(key, _)| is_before(key))..]
}
