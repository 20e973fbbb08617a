//! Joins that give one variable a value, as intersections of words of constants, for one value of a part's interface
//! or for many, side by side.
//!
//! A variable that stands between others, as `D` in `before(A,D), before(D,B), verb(D)`, takes the values that all
//! its neighbours link to. One AND of a few words finds them, in place of a loop over rows.
//!
//! One proof waits for memory most of its time: for a key's place among the links, then for the values that the key
//! links to. Proofs side by side wait together, as the look-ups of one do not depend on those of another.

use crate::datalog::Background;
use crate::relation::LinkWord;
use gleaner_base::ConstantId;

use super::part::{Child, Column, Generator, Join, Part, Step, WordJoin};
use super::prover::{Prover, World};
use super::value_set::{Argument, Columns, Found, FoundWord, Link, ValueSet, argument};

impl WordJoin {
    /// The join by links for the one variable that a generator binds. `None` where the generator binds another number
    /// of variables, or where there are no such links.
    pub(super) fn new(generator: &Generator, children: &[Child], worlds: &[Background]) -> Option<Self> {
        let mut bind = None;
        let mut arguments = Vec::with_capacity(generator.columns.len());
        for (column, action) in generator.columns.iter().enumerate() {
            arguments.push(match *action {
                Column::Constant(constant) => Some(Argument::Constant(constant)),
                Column::Bound(variable) => Some(Argument::Variable(variable)),
                Column::Bind(_) if bind.is_some() => return None,
                Column::Bind(variable) => {
                    bind = Some((column, variable));
                    None
                }
                Column::Repeat(_) => return None,
            });
        }
        let (target, variable) = bind?;
        let mut links = vec![Link::new(generator.predicate, &arguments, target, worlds)?];
        let (mut sets, mut rest) = (Vec::new(), Vec::new());
        for (position, child) in children.iter().enumerate() {
            if child.part.has_values() && *child.variables == [variable] {
                sets.push(position);
            } else if let Some(link) = child_link(child, variable, worlds) {
                links.push(link);
            } else {
                rest.push(position);
            }
        }
        Some(Self { variable, links: links.into(), sets: sets.into(), rest: rest.into() })
    }

    /// The expected number of the variable's values, by the link that gives the fewest.
    pub(super) fn fan_out(&self) -> f64 {
        self.links.iter().map(|link| link.fan_out).fold(f64::INFINITY, f64::min)
    }

    /// Roughly how many look-ups it takes to find the values and to try the children `of` for each.
    #[expect(clippy::cast_precision_loss, reason = "an estimate")]
    pub(super) fn n_lookups(&self, of: &[usize], children: &[Child]) -> f64 {
        let of_children: f64 = of.iter().map(|&child| children[child].part.n_lookups).sum();
        self.links.len() as f64 + self.fan_out() * of_children
    }

    /// Whether some value of the variable makes all children true.
    pub(super) fn is_true(
        &self,
        children: &[Child],
        frame: usize,
        world: World<'_>,
        prover: &mut Prover,
    ) -> bool {
        let Some((first, others)) = self.links.split_first() else { return false };
        let head = first.head(world.idx, &|variable| prover.values[frame + variable]);
        let words = std::iter::once(head.first()).chain(first.more(world.idx, head).iter().copied());
        for LinkWord { word, mut bits } in words {
            if bits == 0 || !prover.tick() {
                return false;
            }
            for other in others {
                bits &= other.bits(word, world.idx, &|variable| prover.values[frame + variable]);
            }
            for &set in &self.sets {
                if bits == 0 {
                    break;
                }
                let Some(known) = prover.values_in(&children[set].part, world) else { return false };
                bits &= known.word(word as usize);
            }
            if bits != 0 && self.rest.is_empty() {
                return true;
            }
            while bits != 0 {
                let value = ConstantId::new(word as usize * 64 + bits.trailing_zeros() as usize);
                bits &= bits - 1;
                prover.values[frame + self.variable] = value;
                if self.rest.iter().all(|&child| prover.child_is_true(&children[child], frame, world)) {
                    return true;
                }
            }
        }
        false
    }
}

impl Prover {
    /// The values of a part in a world; `None` where they cannot be found at once, or when the budget ran out.
    fn values_in<'p>(&mut self, part: &'p Part, world: World<'_>) -> Option<&'p ValueSet> {
        match part.values.get() {
            Some(sets) => Some(&sets[world.idx]),
            None => self.find_values(part, world.worlds).map(|sets| &sets[world.idx]),
        }
    }
}

/// The links to the variable by the atom that a child checks, in the parent's variables.
fn child_link(child: &Child, variable: usize, worlds: &[Background]) -> Option<Link> {
    let Step::Check { literal, .. } = &child.part.step else { return None };
    let atom = literal.positive_atom()?;
    let mut target = None;
    let mut arguments = Vec::with_capacity(atom.arguments.len());
    for (column, &term) in atom.arguments.iter().enumerate() {
        let argument = match argument(term) {
            Argument::Variable(inner) => Argument::Variable(child.variables[inner]),
            constant @ Argument::Constant(_) => constant,
        };
        if matches!(argument, Argument::Variable(known) if known == variable) {
            if target.replace(column).is_some() {
                return None;
            }
            arguments.push(None);
        } else {
            arguments.push(Some(argument));
        }
    }
    Link::new(atom.predicate, &arguments, target?, worlds)
}

/// Values that are tried before an item may be found true by one of them.
const VALUES_PER_BATCH: usize = 2_048;

/// Whether a part is true in a world for each of `n` values of its interface, given by column. When the budget stops
/// the proofs, `prover.stopped` is set, and the answers mean nothing.
pub(super) fn are_true(
    part: &Part,
    columns: &Columns,
    n: usize,
    world: World<'_>,
    prover: &mut Prover,
) -> Vec<bool> {
    match &part.step {
        Step::Never => vec![false; n],
        Step::Check { link: Some((link, target)), .. } => {
            prover.tick_rows(narrow(n));
            let reaches = |item: usize| {
                link.reaches(columns[*target][item], world.idx, &|variable| columns[variable][item])
            };
            (0..n).map(reaches).collect()
        }
        Step::Join(Join { children, word_join: Some(word_join), .. }) => {
            JoinBatch { word_join, children, columns, world }.have_value(n, prover)
        }
        _ => one_by_one(part, columns, n, world, prover),
    }
}

fn one_by_one(part: &Part, columns: &Columns, n: usize, world: World<'_>, prover: &mut Prover) -> Vec<bool> {
    let frame = prover.push_frame(part.n_variables);
    let mut answers = Vec::with_capacity(n);
    for item in 0..n {
        for (variable, column) in columns.iter().enumerate() {
            prover.values[frame + variable] = column[item];
        }
        answers.push(prover.is_true(part, frame, world));
    }
    prover.pop_frame(frame);
    answers
}

/// As `are_true`, for a part that a join leaves.
fn child_are_true(child: &Child, columns: &Columns, world: World<'_>, prover: &mut Prover) -> Vec<bool> {
    let [column] = columns else {
        return are_true(&child.part, columns, columns.first().map_or(1, Vec::len), world, prover);
    };
    if let Some(sets) = prover.find_values(&child.part, world.worlds) {
        return column.iter().map(|&value| sets[world.idx].contains(value)).collect();
    }
    // The prover remembers the answer for one value.
    let [variable] = *child.variables else { return vec![false; column.len()] };
    let frame = prover.push_frame(variable + 1);
    let mut answers = Vec::with_capacity(column.len());
    for &value in column {
        prover.values[frame + variable] = value;
        answers.push(prover.child_is_true(child, frame, world));
    }
    prover.pop_frame(frame);
    answers
}

/// A join that gives one variable a value by links, for the items of some columns.
#[derive(Clone, Copy)]
pub(super) struct JoinBatch<'a> {
    pub(super) word_join: &'a WordJoin,
    pub(super) children: &'a [Child],
    pub(super) columns: &'a Columns,
    pub(super) world: World<'a>,
}

/// Values of a join's variable, with the number of the item of each.
#[derive(Default)]
pub(super) struct Taken {
    pub(super) items: Vec<u32>,
    pub(super) values: Vec<ConstantId>,
}

impl Taken {
    fn clear(&mut self) {
        self.items.clear();
        self.values.clear();
    }

    fn take(&mut self, FoundWord { item, word, mut bits }: FoundWord) {
        while bits != 0 {
            self.items.push(item);
            self.values.push(ConstantId::new(word as usize * 64 + bits.trailing_zeros() as usize));
            bits &= bits - 1;
        }
    }

    fn keep(&mut self, are_kept: &[bool]) {
        let mut are_kept_items = are_kept.iter();
        self.items.retain(|_| are_kept_items.next().copied().unwrap_or(false));
        let mut are_kept_values = are_kept.iter();
        self.values.retain(|_| are_kept_values.next().copied().unwrap_or(false));
    }
}

impl JoinBatch<'_> {
    /// Whether each of `n` items has a value that makes all children true.
    fn have_value(self, n: usize, prover: &mut Prover) -> Vec<bool> {
        let mut answers = vec![false; n];
        let Some(words) = self.allowed(n, prover) else { return answers };
        if self.word_join.rest.is_empty() {
            words.iter().for_each(|word| answers[word.item as usize] = true);
            return answers;
        }
        let mut words = words.into_iter();
        let mut taken = Taken::default();
        while self.take(&mut words, &answers, &mut taken) && prover.stopped.is_none() {
            self.keep_true(&self.word_join.rest, &mut taken, prover);
            taken.items.iter().for_each(|&item| answers[item as usize] = true);
        }
        answers
    }

    /// Replaces the taken values by further ones, of items that are not done; returns whether there are any.
    pub(super) fn take(
        self,
        words: &mut impl Iterator<Item = FoundWord>,
        are_done: &[bool],
        taken: &mut Taken,
    ) -> bool {
        taken.clear();
        while taken.items.len() < VALUES_PER_BATCH
            && let Some(word) = words.next()
        {
            if !are_done[word.item as usize] {
                taken.take(word);
            }
        }
        !taken.items.is_empty()
    }

    /// The words of values that links and sets allow for each of `n` items; `None` when the budget ran out.
    pub(super) fn allowed(self, n: usize, prover: &mut Prover) -> Option<Found> {
        let (first, others) = self.word_join.links.split_first()?;
        let mut words: Found = Vec::with_capacity(n);
        first.add_words(self.columns, n, self.world.idx, &mut words);
        others.iter().for_each(|other| other.restrict_words(self.columns, self.world.idx, &mut words));
        for &set in &self.word_join.sets {
            let known = prover.values_in(&self.children[set].part, self.world)?;
            words.iter_mut().for_each(|word| word.bits &= known.word(word.word as usize));
            words.retain(|word| word.bits != 0);
        }
        prover.tick_rows(narrow(words.len())).then_some(words)
    }

    /// Keeps the values for which some children, by position, are true.
    pub(super) fn keep_true(self, children: &[usize], taken: &mut Taken, prover: &mut Prover) {
        for &child in children {
            if taken.items.is_empty() {
                return;
            }
            let child = &self.children[child];
            let answers = child_are_true(child, &self.columns_of(child, taken), self.world, prover);
            taken.keep(&answers);
        }
    }

    /// The values of a child's interface for the values taken.
    pub(super) fn columns_of(self, child: &Child, taken: &Taken) -> Vec<Vec<ConstantId>> {
        let column = |&variable: &usize| -> Vec<ConstantId> {
            if variable == self.word_join.variable {
                return taken.values.clone();
            }
            let column = &self.columns[variable];
            taken.items.iter().map(|&item| column[item as usize]).collect()
        };
        child.variables.iter().map(column).collect()
    }
}

fn narrow(number: usize) -> u32 {
    u32::try_from(number).expect("batches are small")
}
