//! The component engine: coverage as intersections of the covers of independent parts.
//!
//! With the head bound, a body falls into parts that share no variable, and a clause covers the
//! intersection of what its parts cover. Candidates over one bottom clause share most of their
//! parts, so the engine keeps what it learnt of each as a pair of sets: where the cover is known, and
//! the cover. A part is proved only for examples that the other parts cover, once for all examples
//! that agree in the head variables it uses, and not at all where a sub-part of it is known to fail.

mod plan;
mod prove;

use crate::base::{Budget, ConstantId, ExampleSet, StopReason, WorldId};
use crate::datalog::Background;
use crate::program::{Atom, Clause, Literal, Term};

use super::normal::normalise;
use super::universe::Universe;
use plan::{PartId, Plan};
use prove::{Scratch, World};

/// Covers kept by one engine; beyond it all are forgotten and found again.
const MAX_COVER_BYTES: usize = 128 << 20;

/// True and false positives of a clause.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
pub struct Counts {
    /// `TP`: positives covered.
    pub true_positives: usize,
    /// `FP`: negatives covered.
    pub false_positives: usize,
}

/// Why coverage could not be found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interrupted(pub StopReason);

impl std::fmt::Display for Interrupted {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "coverage was interrupted before it was known")
    }
}

impl std::error::Error for Interrupted {}

/// Coverage of all bodies over one table of literals, in one universe. One worker owns it.
///
/// **Memory**: at most 128 MB of covers and 64 MB of answers, and the plans.
#[derive(Debug)]
pub struct ComponentEngine<'a> {
    worlds: &'a [Background],
    universe: &'a Universe,
    head: Atom,
    head_variables: Vec<crate::base::VariableId>,
    /// The examples that unify with the head.
    matching: ExampleSet,
    plan: Plan,
    covers: Vec<Option<PartCover>>,
    cover_bytes: usize,
    scratch: Scratch,
    current: ExampleSet,
}

/// What is known of the examples a part covers.
#[derive(Debug)]
struct PartCover {
    covered: ExampleSet,
    /// Where `covered` is known.
    known: ExampleSet,
}

impl<'a> ComponentEngine<'a> {
    /// An engine over bodies made of `literals`, for a head over the same variables.
    #[must_use]
    pub fn new(
        worlds: &'a [Background],
        universe: &'a Universe,
        head: Atom,
        literals: Vec<Literal>,
        budget: Budget,
    ) -> Self {
        let highest = |atom: &Atom| {
            atom.arguments
                .iter()
                .filter_map(|term| term.variable())
                .map(|variable| variable.index() + 1)
                .max()
        };
        let body_variables =
            literals.iter().flat_map(Literal::variables).map(|variable| variable.index() + 1).max();
        let n_variables = highest(&head).max(body_variables).unwrap_or(0);
        let mut head_variables: Vec<_> = head.arguments.iter().filter_map(|term| term.variable()).collect();
        head_variables.sort_unstable();
        head_variables.dedup();
        let examples = universe.examples();
        let matching = ExampleSet::from_positions(
            universe.len(),
            universe
                .iter()
                .filter(|&(_, id)| unifies(&head, examples.arguments(id)))
                .map(|(position, _)| position),
        );
        Self {
            worlds,
            universe,
            head,
            head_variables,
            current: matching.clone(),
            matching,
            plan: Plan::new(worlds, literals),
            covers: Vec::new(),
            cover_bytes: 0,
            scratch: Scratch::new(n_variables, budget),
        }
    }

    /// Goes on without a budget: what was found before a stop can then still be covered exactly.
    pub fn lift_budget(&mut self) {
        self.scratch.lift_budget();
    }

    /// The examples covered by the clause of the head and the literals at these positions.
    ///
    /// # Errors
    ///
    /// [`Interrupted`] when the budget ran out first; never a partial set.
    pub fn cover(&mut self, literals: &[u16]) -> Result<ExampleSet, Interrupted> {
        self.evaluate(literals, 0)?;
        Ok(self.current.clone())
    }

    /// True and false positives of the clause of the head and these literals; `None` when it covers
    /// fewer than `min_positives` positives, and then negatives are not looked at.
    ///
    /// **Cost**: one pass of words for each part whose cover is kept; else proofs of the new part.
    ///
    /// # Errors
    ///
    /// [`Interrupted`] when the budget ran out first.
    pub fn count(&mut self, literals: &[u16], min_positives: usize) -> Result<Option<Counts>, Interrupted> {
        if !self.evaluate(literals, min_positives)? {
            return Ok(None);
        }
        let (true_positives, false_positives) = self.universe.counts(&self.current);
        Ok((true_positives >= min_positives).then_some(Counts { true_positives, false_positives }))
    }

    /// Leaves the cover in `current`; false when the positives are too few and the rest was left out.
    fn evaluate(&mut self, literals: &[u16], min_positives: usize) -> Result<bool, Interrupted> {
        let mut parts = self.plan.split(literals, &self.head_variables);
        self.covers.resize_with(self.plan.n_parts(), || None);
        self.current.clone_from(&self.matching);
        // New parts last: they are proved only where the known ones hold.
        parts.sort_unstable_by_key(|part| (self.covers[part.index()].is_none(), *part));
        let n_positive_words = self.universe.n_positive_words();
        let n_words = self.current.words().len();
        let mut enough = true;
        for range in [0..n_positive_words, n_positive_words..n_words] {
            for &part in &parts {
                self.prove_within(part, range.clone())?;
                if let Some(cover) = &self.covers[part.index()] {
                    self.current.intersect_words_with(&cover.covered, range.clone());
                }
            }
            if self.universe.counts(&self.current).0 < min_positives {
                enough = false;
                break;
            }
        }
        self.forget_when_full();
        Ok(enough)
    }

    /// Makes the cover of a part known on `current`, in a range of words. One proof serves all
    /// examples that agree in the arguments the part depends on.
    fn prove_within(&mut self, part: PartId, range: std::ops::Range<usize>) -> Result<(), Interrupted> {
        let mut cover = match self.covers[part.index()].take() {
            Some(cover) => cover,
            None => self.new_cover(part),
        };
        let outcome = self.prove_unknown(part, range, &mut cover);
        self.covers[part.index()] = Some(cover);
        outcome
    }

    /// A cover of which only that is known what the part's own sub-parts rule out: a literal more
    /// never covers more.
    fn new_cover(&mut self, part: PartId) -> PartCover {
        let n_positions = self.universe.len();
        let mut cover =
            PartCover { covered: ExampleSet::empty(n_positions), known: ExampleSet::empty(n_positions) };
        for sub_part in self.plan.sub_parts(part) {
            if let Some(Some(sub)) = self.covers.get(sub_part.index()) {
                cover.known.union_with_difference(&sub.known, &sub.covered);
            }
        }
        self.cover_bytes += 2 * cover.known.words().len() * 8;
        cover
    }

    fn prove_unknown(
        &mut self,
        part: PartId,
        range: std::ops::Range<usize>,
        cover: &mut PartCover,
    ) -> Result<(), Interrupted> {
        let mut groups = None;
        for word in range {
            loop {
                let open = self.current.words()[word] & !cover.known.words()[word];
                if open == 0 {
                    break;
                }
                let groups = groups.get_or_insert_with(|| self.universe.groups(self.argument_mask(part)));
                let group = groups.group_at(word * 64 + open.trailing_zeros() as usize);
                self.bind(groups.arguments(), group.key);
                let is_true = self.is_true(part, group.world)?;
                for &position in group.positions {
                    cover.known.insert(position);
                    if is_true {
                        cover.covered.insert(position);
                    }
                }
            }
        }
        Ok(())
    }

    fn is_true(&mut self, part: PartId, world: WorldId) -> Result<bool, Interrupted> {
        let world = World { id: world, background: &self.worlds[world.index()] };
        let answer = prove::is_true(&self.plan, part, world, &mut self.scratch);
        self.scratch.stopped.map_or(Ok(answer), |reason| Err(Interrupted(reason)))
    }

    /// The head arguments that hold the part's interface, one for each variable.
    fn argument_mask(&self, part: PartId) -> u64 {
        let interface = &self.plan.part(part).interface;
        let mut mask = 0;
        for variable in interface {
            let argument = self.head.arguments.iter().position(|term| term.variable() == Some(*variable));
            mask |= 1 << argument.expect("the interface of a whole part is made of head variables");
        }
        mask
    }

    fn bind(&mut self, arguments: &[usize], key: &[ConstantId]) {
        for (&argument, &value) in arguments.iter().zip(key) {
            if let Term::Variable(variable) = self.head.arguments[argument] {
                self.scratch.values[variable.index()] = value;
            }
        }
    }

    fn forget_when_full(&mut self) {
        if self.cover_bytes > MAX_COVER_BYTES {
            self.covers.iter_mut().for_each(|cover| *cover = None);
            self.cover_bytes = 0;
        }
    }
}

/// The examples that one clause covers, whatever literals it has.
///
/// # Errors
///
/// [`Interrupted`] when the budget ran out first.
///
/// # Panics
///
/// When the body has 2^16 literals or more; readers of clauses refuse such.
pub fn cover_clause(
    worlds: &[Background],
    clause: &Clause,
    universe: &Universe,
    budget: &Budget,
) -> Result<ExampleSet, Interrupted> {
    let Some(clause) = normalise(clause) else { return Ok(ExampleSet::empty(universe.len())) };
    let all: Vec<u16> =
        (0..u16::try_from(clause.body.len()).expect("readers refuse bodies this long")).collect();
    ComponentEngine::new(worlds, universe, clause.head, clause.body, budget.clone()).cover(&all)
}

/// Whether the head equals the example for some values of its variables.
fn unifies(head: &Atom, example: &[ConstantId]) -> bool {
    head.arguments.iter().enumerate().all(|(argument, term)| match term {
        Term::Constant(constant) => *constant == example[argument],
        Term::Variable(_) => head.arguments[..argument]
            .iter()
            .position(|earlier| earlier == term)
            .is_none_or(|earlier| example[earlier] == example[argument]),
    })
}
