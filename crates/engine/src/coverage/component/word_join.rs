//! Joins that give one variable a value, as intersections of words of constants.
//!
//! A variable that stands between others, as `D` in `before(A,D), before(D,B), verb(D)`, takes the values that all
//! its neighbours link to. One AND of a few words finds them, in place of a loop over rows.

use crate::datalog::Background;
use crate::relation::LinkWord;
use gleaner_base::ConstantId;

use super::link::{Argument, Link, argument};
use super::part::{Child, Column, Generator, Part, Step, WordJoin};
use super::prover::{Prover, World};
use super::value_set::ValueSet;

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
    pub(super) fn values_in<'p>(&mut self, part: &'p Part, world: World<'_>) -> Option<&'p ValueSet> {
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
