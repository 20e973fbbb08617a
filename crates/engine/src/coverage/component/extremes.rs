//! Questions of an engine for the extreme numbers of the examples that a body covers, and covers by such numbers.

use std::cmp::Ordering;
use std::sync::Arc;

use crate::coverage::groups::Groups;
use gleaner_base::{ConstantId, ExampleSet, PredicateId, VariableId};
use gleaner_lang::program::{Atom, Clause, Literal, Term, Threshold, canonical};

use super::number_path::NumberPath;
use super::numbers::{ExampleNumbers, Extreme, Extremes, NumbersKey};
use super::on_examples::groups_of;
use super::{ComponentEngine, Interrupted, Unweighed};

/// The numbers of a variable of a part.
#[derive(Clone, Debug)]
pub(super) struct PartNumbers {
    numbers: Arc<ExampleNumbers>,
    /// Whether they say which examples the part covers, so that the part itself is not asked.
    is_whole: bool,
}

/// What is known of the numbers of a part for all examples.
enum OfAll {
    /// The numbers.
    Known(Arc<ExampleNumbers>),
    /// They are found by proofs, for each group of examples that agree in these arguments.
    ByProofs(NumberPath, u64),
    /// There are none.
    None,
}

impl ComponentEngine<'_> {
    /// As [`Extremes::sums`] or [`Extremes::open_sums`], for the thresholds that a seed's value passes. If that value is no threshold itself, it
    /// comes first, in the place of the one that covers the same examples.
    pub fn sums_from<T: Clone + Default>(
        &self,
        (seed_value, is_exact): (ConstantId, bool),
        extremes: &Extremes,
        of: impl Fn(usize) -> T,
        add: impl Fn(&mut T, &T),
    ) -> Vec<(ConstantId, T)> {
        let mut sums = if is_exact { extremes.sums(of, add) } else { extremes.open_sums(of, add) };
        let Some(value) = self.number(seed_value) else { return Vec::new() };
        let order = |constant: ConstantId| self.number(constant).map(|number| value.compare(number));
        let passes = |&(constant, _): &(ConstantId, T)| match extremes.extreme {
            Extreme::Greatest => order(constant).is_some_and(Ordering::is_ge),
            Extreme::Least => order(constant).is_some_and(Ordering::is_le),
        };
        let n_beyond = sums.partition_point(|step| !passes(step));
        let is_there =
            sums.get(n_beyond).is_some_and(|&(constant, _)| order(constant).is_some_and(Ordering::is_eq));
        match n_beyond.checked_sub(1) {
            // Between two bins there may be further numbers, so that no bin covers the examples of the seed's value. Below
            // all bins it covers what the last one covers.
            Some(last) if !is_there && (is_exact || !extremes.are_many() || n_beyond == sums.len()) => {
                sums[last].0 = seed_value;
                sums.drain(..last);
            }
            _ => drop(sums.drain(..n_beyond)),
        }
        sums
    }

    /// A round number in the place of a threshold, where one lets the same covered examples pass; else the threshold.
    /// Thresholds are numbers of examples or that of a seed.
    ///
    /// **Cost**: one pass over the examples with a number.
    pub fn rounded(&self, extremes: &Extremes, threshold: ConstantId) -> ConstantId {
        let round = || {
            let world = self.store.worlds.first()?;
            let beyond = extremes.nearest_beyond(threshold)?;
            world.round_between(world.number(threshold)?, world.number(beyond)?)
        };
        round().unwrap_or(threshold)
    }
}

impl ComponentEngine<'_> {
    /// The greatest or least number that a variable takes over the proofs of each example that the clause of the head and
    /// these literals covers. Examples without such a number are left out, as no threshold covers them.
    ///
    /// **Cost**: where the literals that lead to the variable form a tree, a pass over the rows of their atoms for the
    /// first such question; the numbers are kept. Else a proof by all rows for each covered group of examples.
    ///
    /// # Errors
    ///
    /// [`Interrupted`] when the budget ran out first.
    pub fn extremes(
        &mut self,
        literals: &[u16],
        variable: VariableId,
        extreme: Extreme,
    ) -> Result<Extremes, Interrupted> {
        self.ask(|counter| counter.extremes(literals, variable, extreme))
    }

    pub(super) fn extremes_by_parts(
        &mut self,
        literals: &[u16],
        variable: VariableId,
        extreme: Extreme,
    ) -> Result<Extremes, Interrupted> {
        let mut parts = self.split(literals);
        let of_head = self.head.arguments.iter().position(|term| *term == Term::Variable(variable));
        let numbers = match of_head {
            Some(argument) => Some(self.argument_numbers(argument, extreme)),
            None => {
                let holds = |part: &usize| {
                    let mut literals = self.parts[*part].literals.iter();
                    literals.any(|&literal| self.unbound[usize::from(literal)].contains(&variable))
                };
                match parts.iter().position(holds) {
                    Some(at) => self.part_numbers(&mut parts, at, variable, extreme)?,
                    None => None,
                }
            }
        };
        let numbers = numbers.unwrap_or_else(|| Arc::new(ExampleNumbers::none(self.store.universe.len())));
        self.intersect(&parts, Unweighed, &|_| true)?;
        self.store.kept().add_bytes(std::mem::take(&mut self.prover.n_bytes));
        Ok(Extremes::new(extreme, &self.current, &self.matching, numbers, self.store.universe))
    }

    /// The numbers that an argument of the examples has.
    fn argument_numbers(&mut self, argument: usize, extreme: Extreme) -> Arc<ExampleNumbers> {
        let head = Atom { predicate: PredicateId::new(0), arguments: Vec::new() };
        let key = (Clause::renumbered(&head, &[]), 1 << argument, extreme);
        if let Some(known) = self.store.numbers(&key) {
            return known;
        }
        let universe = self.store.universe;
        let mut numbers = ExampleNumbers::none(universe.len());
        for (position, id) in universe.iter() {
            let world = &self.store.worlds[universe.examples().world(id).index()];
            let value = universe.examples().arguments(id)[argument];
            if world.number(value).is_some() {
                numbers.set(position, value, world);
            }
        }
        self.keep_numbers(key, numbers)
    }

    /// The numbers of a variable of one of several parts. Where they are known for all examples, the part itself leaves
    /// the list: the numbers say which examples it covers. `None`: it covers none.
    fn part_numbers(
        &mut self,
        parts: &mut Vec<usize>,
        at: usize,
        variable: VariableId,
        extreme: Extreme,
    ) -> Result<Option<Arc<ExampleNumbers>>, Interrupted> {
        let part = parts[at];
        if let Some(known) = self.numbers.get(&(part, variable, extreme)) {
            let PartNumbers { numbers, is_whole } = known.clone();
            if is_whole {
                parts.swap_remove(at);
            }
            return Ok(Some(numbers));
        }
        let literals = self.literals_at(&self.parts[part].literals);
        if let Some(numbers) = self.numbers_within(&literals, variable, extreme)? {
            let known = PartNumbers { numbers: Arc::clone(&numbers), is_whole: false };
            self.numbers.insert((part, variable, extreme), known);
            return Ok(Some(numbers));
        }
        match self.numbers_of_all(&literals, variable, extreme)? {
            OfAll::Known(numbers) => {
                parts.swap_remove(at);
                let known = PartNumbers { numbers: Arc::clone(&numbers), is_whole: true };
                self.numbers.insert((part, variable, extreme), known);
                Ok(Some(numbers))
            }
            OfAll::ByProofs(path, mask) => {
                let groups = self.store.universe.groups(mask);
                self.intersect(parts, Unweighed, &|_| true)?;
                let looked_at = groups_of(&self.current, &groups);
                Ok(Some(Arc::new(self.find_numbers(&path, &groups, &looked_at)?)))
            }
            OfAll::None => Ok(None),
        }
    }

    /// The numbers of a variable in the literals of a part, for all examples at once.
    fn numbers_of_all(
        &mut self,
        literals: &[Literal],
        variable: VariableId,
        extreme: Extreme,
    ) -> Result<OfAll, Interrupted> {
        let store = Arc::clone(&self.store);
        let (interface, key) = self.numbers_key(literals, variable, extreme);
        if let Some(known) = store.numbers(&key) {
            return Ok(OfAll::Known(known));
        }
        let intern = &mut |of: &[VariableId], literals: &[Literal]| store.part(of, literals);
        match NumberPath::compile(&interface, literals, (variable, extreme), store.worlds, intern) {
            None => Ok(OfAll::None),
            Some(path) if path.has_values() || path.is_one_atom() => {
                let groups = store.universe.groups(key.1);
                let all: Vec<usize> = (0..groups.len()).collect();
                let numbers = self.find_numbers(&path, &groups, &all)?;
                Ok(OfAll::Known(self.keep_numbers(key, numbers)))
            }
            Some(path) => Ok(OfAll::ByProofs(path, key.1)),
        }
    }

    /// The numbers of the examples of some groups.
    fn find_numbers(
        &mut self,
        path: &NumberPath,
        groups: &Groups,
        looked_at: &[usize],
    ) -> Result<ExampleNumbers, Interrupted> {
        let mut numbers = ExampleNumbers::none(self.store.universe.len());
        path.of_groups(groups, looked_at, self.store.worlds, &mut self.prover, &mut numbers);
        self.check_stop()?;
        Ok(numbers)
    }

    /// The numbers that examples have without the thresholds that a part sets to the same variable, where these are the
    /// numbers of all examples that pass. The greatest is that, if some number is at least a constant; and each is where
    /// no example has two.
    fn numbers_within(
        &mut self,
        literals: &[Literal],
        variable: VariableId,
        extreme: Extreme,
    ) -> Result<Option<Arc<ExampleNumbers>>, Interrupted> {
        let Some((thresholds, rest)) = without_thresholds(literals, variable) else { return Ok(None) };
        let decides = |threshold: &Threshold| extreme_of(*threshold) == extreme;
        let OfAll::Known(numbers) = self.numbers_of_all(&rest, variable, extreme)? else { return Ok(None) };
        if thresholds.iter().all(decides) {
            return Ok(Some(numbers));
        }
        match self.numbers_of_all(&rest, variable, extreme.other())? {
            OfAll::Known(other) if Arc::ptr_eq(&other, &numbers) => Ok(Some(numbers)),
            _ => Ok(None),
        }
    }

    /// The question for the numbers of a variable in the literals of a part, and the interface of the part.
    fn numbers_key(
        &self,
        literals: &[Literal],
        variable: VariableId,
        extreme: Extreme,
    ) -> (Vec<VariableId>, NumbersKey) {
        let (interface, mask) = self.interface(literals);
        let terms = interface.iter().chain([&variable]).map(|&variable| Term::Variable(variable));
        let head = Atom { predicate: PredicateId::new(0), arguments: terms.collect() };
        let key = (canonical(&Clause::renumbered(&head, literals)), mask, extreme);
        (interface, key)
    }

    /// The cover of a part with thresholds on one variable, where the numbers that decide them are found for all examples
    /// at once; else `None`. Both ends of a range are decided so only where no example has two numbers.
    ///
    /// **Cost**: one pass over the examples, in place of one over the rows of the part's atoms.
    pub(super) fn covered_by_numbers(&mut self, part: usize) -> Result<Option<ExampleSet>, Interrupted> {
        let positions = &self.parts[part].literals;
        let threshold = |&literal: &u16| Threshold::of(&self.literals[usize::from(literal)]);
        let Some(Threshold { variable, .. }) = positions.iter().find_map(threshold) else { return Ok(None) };
        let literals = self.literals_at(positions);
        // The numbers of aggregates that only clauses have follow those of the problem: their ids need not ascend.
        let has_late = self.store.worlds.first().is_some_and(|world| {
            literals.iter().flat_map(Literal::atoms).any(|atom| world.is_late(atom.predicate))
        });
        let Some((thresholds, rest)) = without_thresholds(&literals, variable).filter(|_| !has_late) else {
            return Ok(None);
        };
        let mut covered: Option<(ExampleSet, Arc<ExampleNumbers>)> = None;
        for threshold in thresholds {
            let numbers = self.numbers_of_all(&rest, variable, extreme_of(threshold))?;
            let (OfAll::Known(numbers), Some(world)) = (numbers, self.store.worlds.first()) else {
                return Ok(None);
            };
            let passing = numbers.passing(threshold, world);
            match &mut covered {
                None => covered = Some((passing, numbers)),
                Some((covered, known)) if Arc::ptr_eq(known, &numbers) => covered.intersect_with(&passing),
                Some(_) => return Ok(None),
            }
        }
        Ok(covered.map(|(covered, _)| covered))
    }

    /// Keeps numbers for all examples. Where greatest and least are the same they are kept as one.
    fn keep_numbers(&mut self, key: NumbersKey, numbers: ExampleNumbers) -> Arc<ExampleNumbers> {
        let (head, mask, extreme) = &key;
        let other = self.store.numbers(&(head.clone(), *mask, extreme.other()));
        if let Some(same) = other.filter(|other| other.is_same(&numbers)) {
            return self.store.keep_numbers(key, same);
        }
        self.prover.n_bytes += numbers.n_bytes();
        self.store.keep_numbers(key, Arc::new(numbers))
    }
}

/// The thresholds that literals set to a variable, and the other literals, if there are some of both.
fn without_thresholds(literals: &[Literal], variable: VariableId) -> Option<(Vec<Threshold>, Vec<Literal>)> {
    let of_variable =
        |literal: &Literal| Threshold::of(literal).filter(|threshold| threshold.variable == variable);
    let thresholds: Vec<Threshold> = literals.iter().filter_map(of_variable).collect();
    let rest = || literals.iter().filter(|literal| of_variable(literal).is_none()).cloned().collect();
    (!thresholds.is_empty() && thresholds.len() < literals.len()).then(|| (thresholds, rest()))
}

/// The number of an example that decides a threshold.
const fn extreme_of(threshold: Threshold) -> Extreme {
    if threshold.is_least { Extreme::Greatest } else { Extreme::Least }
}
