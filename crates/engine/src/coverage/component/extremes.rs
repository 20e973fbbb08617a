//! Questions of an engine for the extreme numbers of the examples that a body covers, and covers by such numbers.

use std::cmp::Ordering;
use std::sync::Arc;

use gleaner_base::{ConstantId, ExampleSet, PredicateId, VariableId};
use gleaner_lang::program::{Atom, Clause, Literal, Term, Threshold, canonical};

use super::number_path::NumberPath;
use super::numbers::{ExampleNumbers, Extreme, Extremes, NumbersKey};
use super::on_examples::groups_of;
use super::{ComponentEngine, Interrupted, Unweighed};

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
        self.store.keep_bytes(std::mem::take(&mut self.prover.n_bytes));
        Ok(Extremes::new(extreme, self.current.clone(), numbers, self.store.universe))
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
        if let Some(known) = self.numbers.get(&(parts[at], variable, extreme)) {
            parts.swap_remove(at);
            return Ok(Some(Arc::clone(known)));
        }
        let store = Arc::clone(&self.store);
        let part = parts[at];
        let literals = self.literals_at(&self.parts[parts[at]].literals);
        let (interface, key) = self.numbers_key(&literals, variable, extreme);
        let mask = key.1;
        if let Some(known) = store.numbers(&key) {
            parts.swap_remove(at);
            self.numbers.insert((part, variable, extreme), Arc::clone(&known));
            return Ok(Some(known));
        }
        let intern = &mut |of: &[VariableId], literals: &[Literal]| store.part(of, literals);
        let Some(path) =
            NumberPath::compile(&interface, &literals, (variable, extreme), store.worlds, intern)
        else {
            return Ok(None);
        };
        let groups = store.universe.groups(mask);
        let at_once = path.has_values();
        let looked_at = if at_once {
            (0..groups.len()).collect()
        } else {
            self.intersect(parts, Unweighed, &|_| true)?;
            groups_of(&self.current, &groups)
        };
        let mut numbers = ExampleNumbers::none(store.universe.len());
        path.of_groups(&groups, &looked_at, store.worlds, &mut self.prover, &mut numbers);
        self.check_stop()?;
        if !at_once {
            return Ok(Some(Arc::new(numbers)));
        }
        parts.swap_remove(at);
        let numbers = self.keep_numbers(key, numbers);
        self.numbers.insert((part, variable, extreme), Arc::clone(&numbers));
        Ok(Some(numbers))
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

    /// The cover of a part with a threshold, where the numbers that decide it are known from a sweep; else `None`.
    ///
    /// **Cost**: one pass over the examples that pass, in place of one over the rows of the part's atoms.
    pub(super) fn covered_by_numbers(&self, part: usize) -> Option<ExampleSet> {
        let positions = &self.parts[part].literals;
        let threshold = |(at, &literal)| Some((at, Threshold::of(&self.literals[usize::from(literal)])?));
        let (at, Threshold { variable, constant, is_least }) =
            positions.iter().enumerate().find_map(threshold).filter(|_| positions.len() > 1)?;
        let mut literals = self.literals_at(positions);
        literals.remove(at);
        let extreme = if is_least { Extreme::Greatest } else { Extreme::Least };
        let numbers = self.store.numbers(&self.numbers_key(&literals, variable, extreme).1)?;
        let threshold = self.number(constant)?;
        let is_below = |&position: &u32| {
            let number = self.number(ConstantId::from_raw(numbers.ids[position as usize]));
            number.is_some_and(|number| {
                let order = number.compare(threshold);
                if is_least { order.is_lt() } else { order.is_le() }
            })
        };
        let order = numbers.in_order();
        let (below, above) = order.split_at(order.partition_point(is_below));
        let passing = if is_least { above } else { below };
        let universe = self.store.universe;
        Some(ExampleSet::from_positions(universe.len(), passing.iter().map(|&position| position as usize)))
    }

    fn keep_numbers(&mut self, key: NumbersKey, numbers: ExampleNumbers) -> Arc<ExampleNumbers> {
        self.prover.n_bytes += numbers.n_bytes();
        self.store.keep_numbers(key, Arc::new(numbers))
    }
}
