//! The component engine: coverage as intersections of the covers of independent parts.
//!
//! With the head bound, a body falls into parts that share no variable, and a clause covers the
//! intersection of what its parts cover. Candidates over one bottom clause share most of their
//! parts, so the engine keeps each part's cover. A part on one head variable is proved once for each
//! value of that variable; a part on several is proved only for examples that the other parts cover,
//! and what is known of it is kept as a pair of sets.

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
    top_parts: Vec<PartId>,
    current: ExampleSet,
}

/// What is known of the examples a part covers.
#[derive(Debug)]
struct PartCover {
    covered: ExampleSet,
    /// Where `covered` is known; `None` when it is known everywhere.
    known: Option<ExampleSet>,
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
            top_parts: Vec::new(),
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
        let mut parts = std::mem::take(&mut self.top_parts);
        parts.clear();
        parts.extend(self.plan.split(literals, &self.head_variables));
        self.covers.resize_with(self.plan.n_parts(), || None);
        self.current.clone_from(&self.matching);
        // Parts on several head variables last: they are proved only where the others hold.
        parts.sort_unstable_by_key(|part| (self.plan.part(*part).interface.len() > 1, *part));
        let mut enough = true;
        let mut first_restricted = parts.len();
        for (position, &part) in parts.iter().enumerate() {
            if self.plan.part(part).interface.len() > 1 {
                first_restricted = position;
                break;
            }
            self.prove_groups(part)?;
            self.intersect(part);
        }
        let n_positive_words = self.universe.n_positive_words();
        let n_words = self.current.words().len();
        for range in [0..n_positive_words, n_positive_words..n_words] {
            for &part in &parts[first_restricted..] {
                self.prove_within(part, range.clone())?;
                self.intersect_words(part, range.clone());
            }
            if self.universe.counts(&self.current).0 < min_positives {
                enough = false;
                break;
            }
        }
        self.top_parts = parts;
        self.forget_when_full();
        Ok(enough)
    }

    fn intersect(&mut self, part: PartId) {
        if let Some(cover) = &self.covers[part.index()] {
            self.current.intersect_with(&cover.covered);
        }
    }

    fn intersect_words(&mut self, part: PartId, range: std::ops::Range<usize>) {
        if let Some(cover) = &self.covers[part.index()] {
            self.current.intersect_words_with(&cover.covered, range);
        }
    }

    /// Finds the whole cover of a part on at most one head variable, one proof for each value.
    fn prove_groups(&mut self, part: PartId) -> Result<(), Interrupted> {
        if self.covers[part.index()].is_some() {
            return Ok(());
        }
        let mask = self.argument_mask(part);
        let groups = self.universe.groups(mask);
        let mut covered = ExampleSet::empty(self.universe.len());
        for (world, key, positions) in groups.iter() {
            self.bind(&groups.arguments, key);
            let is_true = self.is_true(part, world)?;
            if is_true {
                for &position in positions {
                    covered.insert(position);
                }
            }
        }
        self.cover_bytes += covered.words().len() * 8;
        self.covers[part.index()] = Some(PartCover { covered, known: None });
        Ok(())
    }

    /// Makes the cover of a part known on `current`, in a range of words.
    fn prove_within(&mut self, part: PartId, range: std::ops::Range<usize>) -> Result<(), Interrupted> {
        let n_positions = self.universe.len();
        let cover = self.covers[part.index()].take().unwrap_or_else(|| {
            self.cover_bytes += 2 * n_positions.div_ceil(64) * 8;
            PartCover { covered: ExampleSet::empty(n_positions), known: Some(ExampleSet::empty(n_positions)) }
        });
        let PartCover { mut covered, known: Some(mut known) } = cover else {
            self.covers[part.index()] = Some(cover);
            return Ok(());
        };
        let outcome = self.prove_unknown(part, range, &mut covered, &mut known);
        self.covers[part.index()] = Some(PartCover { covered, known: Some(known) });
        outcome
    }

    fn prove_unknown(
        &mut self,
        part: PartId,
        range: std::ops::Range<usize>,
        covered: &mut ExampleSet,
        known: &mut ExampleSet,
    ) -> Result<(), Interrupted> {
        let universe = self.universe;
        let mask = self.argument_mask(part);
        let arguments: Vec<usize> =
            (0..universe.examples().arity()).filter(|&argument| mask >> argument & 1 == 1).collect();
        let mut key = Vec::with_capacity(arguments.len());
        for word in range {
            let mut open = self.current.words()[word] & !known.words()[word];
            while open != 0 {
                let position = word * 64 + open.trailing_zeros() as usize;
                open &= open - 1;
                let Some(example) = universe.example(position) else { continue };
                let values = universe.examples().arguments(example);
                key.clear();
                key.extend(arguments.iter().map(|&argument| values[argument]));
                self.bind(&arguments, &key);
                if self.is_true(part, universe.examples().world(example))? {
                    covered.insert(position);
                }
                known.insert(position);
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
