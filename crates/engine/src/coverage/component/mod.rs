//! The component engine: coverage as intersections of the covers of independent parts.
//!
//! With the head bound, a body falls into parts that share no variable. A clause covers the examples that all its
//! parts cover. Candidates share most of their parts, over all seeds, so a store keeps the cover of each part.
//!
//! # One clause, file by file
//!
//! Take `speaks(A, B) :- noun(A), before(A, C), verb(C), starts(C, D), ends(C, D), near(A, B).`
//!
//! 1. `mod` splits the body into three parts: `noun(A)`; the four literals that share `C` and `D`; and
//!    `near(A, B)`. It looks each up in the `store` by its canonical form.
//! 2. `part` compiles each part that is new. The second one enumerates `before(A, C)`, and leaves
//!    `verb(C)` and `starts(C, D), ends(C, D)` as children, which are parts again.
//! 3. Both depend on the one variable `A`, so `on_examples` asks for every `A` that makes them true, by the semi-joins
//!    of `semi_join`. `filter` is its inner loop: it takes the rows of `before` whose `C` is in the children's
//!    `value_set`, and first finds the rows of `starts` that pass `ends`.
//! 4. `near(A, B)` depends on two head variables. Where many examples share `A`, `semi_join` finds all `B` for
//!    each `A` at once. Otherwise `on_examples` proves it for the examples that the other parts cover, and
//!    `word_join` proves many of them side by side.
//! 5. A variable between others, such as `C` above once `A` is known, takes the values that all its neighbours
//!    link to (`value_set`): `word_join` finds them by an AND of words. Values that no link gives, `prover` finds row by row.
//! 6. `intersection` keeps the intersection of the parts that a candidate shares with its neighbours, and counts
//!    the one part that differs within it.
//!
//! `prover` holds the state of a worker for all of this: values of variables, remembered answers, the budget.

mod body;
mod counter;
mod extremes;
mod filter;
mod intersection;
mod number_path;
mod numbers;
mod on_examples;
mod part;
mod prover;
mod semi_join;
mod store;
mod value_set;
mod word_join;

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use bumpalo::Bump;
use bumpalo::collections::Vec as BumpVec;

use crate::datalog::Background;
use gleaner_base::{
    Budget, ConstantId, Counts, ExampleSet, ExampleWeights, FixedMap, StopReason, VariableId,
};
use gleaner_lang::program::clause::Distinctions;
use gleaner_lang::program::{Atom, Clause, FixedThresholds, Literal, Number, Term};

use super::universe::Universe;
pub use counter::Counter;
use intersection::{Bases, Shared, Unweighed, Weighing};
pub use intersection::{Mass, Weighed};
pub use numbers::{BinSums, Binned, Extreme, Extremes, at_quantiles, keep_quantiles};
pub(super) use part::normalise;
use prover::Prover;
use store::{Cover, PartialCover};
pub use store::{CoverStore, keep_covers_again, keep_fewer_covers};

/// How often a part is proved on a base before its cover is kept, and the most examples of such a base.
const MAX_PASSING_PROOFS: u32 = 2;
const MAX_PASSING_EXAMPLES: usize = 8_192;

/// Why coverage could not be found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("coverage was interrupted before it was known")]
pub struct Interrupted(pub StopReason);

/// Coverage of all bodies over one table of literals, in one universe. One worker owns it.
///
/// **Memory**: that of its store, 64 MB of answers, and a list of the parts it met.
#[derive(Debug)]
pub struct ComponentEngine<'a> {
    store: Arc<CoverStore<'a>>,
    head: Atom,
    literals: Vec<Literal>,
    /// The variables of each literal that the head does not bind.
    unbound: Vec<Box<[VariableId]>>,
    /// The examples that unify with the head.
    matching: Arc<ExampleSet>,
    n_matching: usize,
    /// The parts of several literals that the engine met, by their literals, ascending.
    known_parts: FixedMap<Box<[u16]>, usize>,
    single_parts: Vec<Option<usize>>,
    parts: Vec<KnownPart>,
    /// The numbers of a variable of a part, as the store keeps them.
    numbers: FixedMap<(usize, VariableId, Extreme), extremes::PartNumbers>,
    generation: u64,
    n_forgotten: u64,
    bases: Bases,
    /// How many clauses were evaluated.
    n_evaluated: u64,
    prover: Prover,
    /// Memory of `split_known` for one body.
    arena: Bump,
    current: ExampleSet,
    identity: Option<body::Identity>,
    thresholds: Option<body::Thresholds>,
    implied: body::KnownImplied,
}

#[derive(Debug)]
struct KnownPart {
    literals: Box<[u16]>,
    cover: Arc<Cover>,
    /// The number of the last clause that had this part.
    last_used: u64,
    /// How often it was proved although its cover was not kept.
    n_proved: u32,
}

/// The variables of a literal that the head does not bind.
fn unbound(head: &Atom, literal: &Literal) -> Box<[VariableId]> {
    let mut variables = literal.variables();
    variables.retain(|&variable| !head.arguments.contains(&Term::Variable(variable)));
    variables.into_boxed_slice()
}

impl<'a> ComponentEngine<'a> {
    /// An engine over bodies made of `literals`, for a head over the same variables, with a store of
    /// its own.
    pub fn new(
        worlds: &'a [Background],
        universe: &'a Universe,
        head: Atom,
        literals: Vec<Literal>,
        budget: Budget,
    ) -> Self {
        Self::sharing(&Arc::new(CoverStore::new(worlds, universe)), head, literals, budget)
    }

    /// As `new`, over the worlds and the universe of a store that other engines may use at the same
    /// time.
    pub fn sharing(store: &Arc<CoverStore<'a>>, head: Atom, literals: Vec<Literal>, budget: Budget) -> Self {
        let matching = store.matching(&head);
        let n_literals = literals.len();
        Self {
            unbound: literals.iter().map(|literal| unbound(&head, literal)).collect(),
            store: Arc::clone(store),
            head,
            literals,
            current: ExampleSet::clone(&matching),
            n_matching: matching.count(),
            matching,
            known_parts: FixedMap::default(),
            single_parts: vec![None; n_literals],
            parts: Vec::new(),
            numbers: FixedMap::default(),
            generation: store.kept().generation(),
            n_forgotten: store.kept().n_forgotten(),
            bases: Bases::default(),
            n_evaluated: 0,
            prover: Prover::new(budget),
            arena: Bump::new(),
            identity: None,
            thresholds: None,
            implied: body::KnownImplied::default(),
        }
    }

    /// The same engine under object identity: a clause also holds the literals that its own literals demand.
    pub fn with_distinctions(mut self, distinctions: Arc<Distinctions>) -> Self {
        self.identity = Some(body::Identity::new(distinctions, self.literals.len()));
        self
    }

    /// The same engine for candidates with thresholds that a search fixed. Their positions follow those of the literals.
    pub fn with_thresholds(mut self, fixed: Arc<FixedThresholds>) -> Self {
        self.thresholds = Some(body::Thresholds::new(fixed, self.literals.len()));
        self
    }

    /// The same engine for some of the universe's examples: covers leave the others out. What the store learns of
    /// parts stays true of all examples, so engines over other examples can use it.
    pub fn within(mut self, examples: &ExampleSet) -> Self {
        let mut matching = ExampleSet::clone(&self.matching);
        matching.intersect_with(examples);
        self.matching = Arc::new(matching);
        self
    }

    /// Goes on within another budget. So clauses that a search found before a stop can still be covered exactly.
    pub fn go_on_within(&mut self, budget: Budget) {
        self.prover.go_on_within(budget);
    }

    /// The outer reason to stop now, if there is one; the engine itself looks only as it visits rows.
    pub fn outer_stop(&self) -> Option<StopReason> {
        self.prover.outer_stop()
    }

    /// The number that a constant is.
    pub fn number(&self, constant: ConstantId) -> Option<Number> {
        self.store.worlds.first().and_then(|world| world.number(constant))
    }

    /// The examples that it covers.
    pub fn universe(&self) -> &'a Universe {
        self.store.universe
    }

    /// The budget of the engine.
    pub const fn budget(&self) -> &Budget {
        self.prover.budget()
    }

    /// The examples covered by the clause of the head and the literals at these positions.
    ///
    /// # Errors
    ///
    /// [`Interrupted`] when the budget ran out first; never a partial set.
    pub fn cover(&mut self, literals: &[u16]) -> Result<ExampleSet, Interrupted> {
        self.ask(|counter| counter.cover(literals))
    }

    fn cover_by_parts(&mut self, literals: &[u16]) -> Result<ExampleSet, Interrupted> {
        let parts = self.split(literals);
        self.intersect(&parts, Unweighed, &|_| true)?;
        self.store.kept().add_bytes(std::mem::take(&mut self.prover.n_bytes));
        Ok(self.current.clone())
    }

    /// True and false positives of the clause of the head and these literals. `None` when the clause covers fewer than
    /// `min_positives` positives; negatives are then not counted.
    ///
    /// **Cost**: one pass over words for a clause that differs in one known part from clauses before it; for other
    /// clauses one pass for each part whose cover is known; beyond that, proofs of the new part.
    ///
    /// # Errors
    ///
    /// [`Interrupted`] when the budget ran out first.
    pub fn count(&mut self, literals: &[u16], min_positives: usize) -> Result<Option<Counts>, Interrupted> {
        let is_wanted = |positives: Mass| positives.n >= min_positives;
        let measured = self.ask(|counter| counter.measure(literals, None, &is_wanted))?;
        Ok(measured.map(|weighed| weighed.counts()))
    }

    /// As `count`, with the sums of the weights. `None` when `is_wanted` refuses the covered positives, and then it
    /// does not count negatives. The sums' bits depend on the cover alone.
    ///
    /// **Cost**: as `count`, and a pass over the weights of the covered words.
    ///
    /// # Errors
    ///
    /// [`Interrupted`] when the budget ran out first.
    pub fn weigh(
        &mut self,
        literals: &[u16],
        weights: &ExampleWeights,
        is_wanted: &dyn Fn(Mass) -> bool,
    ) -> Result<Option<Weighed>, Interrupted> {
        self.ask(|counter| counter.measure(literals, Some(weights), is_wanted))
    }

    fn measure_by_parts<W: Weighing>(
        &mut self,
        literals: &[u16],
        weighing: W,
        is_wanted: &dyn Fn(Mass) -> bool,
    ) -> Result<Option<Weighed>, Interrupted> {
        let mut parts = self.split(literals);
        parts.sort_unstable();
        let newest = parts.iter().copied().min_by_key(|&part| self.parts[part].last_used);
        self.n_evaluated += 1;
        for &part in &parts {
            self.parts[part].last_used = self.n_evaluated;
        }
        let weighed = match newest {
            Some(newest) if parts.len() > 1 => self.measure_with_base(&parts, newest, weighing, is_wanted)?,
            _ => self.intersect(&parts, weighing, is_wanted)?,
        };
        self.store.kept().add_bytes(std::mem::take(&mut self.prover.n_bytes));
        Ok(weighed)
    }

    /// The number and weight of the examples that a clause of several parts, ascending, covers; uses a base if it can.
    fn measure_with_base<W: Weighing>(
        &mut self,
        parts: &[usize],
        newest: usize,
        weighing: W,
        is_wanted: &dyn Fn(Mass) -> bool,
    ) -> Result<Option<Weighed>, Interrupted> {
        let (base, other) = match self.bases.find(parts, newest) {
            Shared::None => return self.intersect(parts, weighing, is_wanted),
            Shared::Base(base, other) => (base, other),
            Shared::New(shared, other) => {
                self.intersect(&shared, Unweighed, &|_| true)?;
                self.bases.keep(shared, &self.current, self.store.universe.n_positive_words());
                (0, other)
            }
        };
        if self.is_passing(base, other) {
            self.parts[other].n_proved += 1;
            return self.measure_by_proofs(base, other, weighing, is_wanted);
        }
        self.begin_cover(other)?;
        let cover = &self.parts[other].cover;
        let weighed = if let Some(covered) = cover.complete.get() {
            Some(self.bases.measure(base, covered, weighing, is_wanted))
        } else {
            let partial = cover.lock_partial();
            partial.as_ref().and_then(|partial| self.bases.measure_known(base, partial, weighing, is_wanted))
        };
        match weighed {
            Some(weighed) => Ok(weighed),
            None => self.intersect(parts, weighing, is_wanted),
        }
    }

    /// Whether to prove a part on a base and not keep its cover. Most parts on several head variables are asked for
    /// once or twice, and a partial cover takes two bits for each example.
    fn is_passing(&self, base: usize, part: usize) -> bool {
        let KnownPart { cover, n_proved, .. } = &self.parts[part];
        *n_proved < MAX_PASSING_PROOFS
            && self.bases.n_examples(base) <= MAX_PASSING_EXAMPLES
            && !cover.part.is_tree
            && cover.complete.get().is_none()
            && cover.part.values.get().is_none()
            && cover.lock_partial().is_none()
    }

    /// Leaves the cover in `current`, and gives its number and weight of examples. `None`: the positives are not
    /// wanted, and `current` holds the cover only among the positives.
    fn intersect<W: Weighing>(
        &mut self,
        parts: &[usize],
        weighing: W,
        is_wanted: &dyn Fn(Mass) -> bool,
    ) -> Result<Option<Weighed>, Interrupted> {
        for &part in parts {
            self.begin_cover(part)?;
        }
        // Parts that are not known everywhere last: they are proved only where the others hold.
        let mut parts = parts.to_vec();
        parts.sort_unstable_by_key(|&part| (self.parts[part].cover.complete.get().is_none(), part));
        let n_positive_words = self.store.universe.n_positive_words();
        let n_words = self.current.words().len();
        let mut mass_in = |range: Range<usize>| -> Result<Mass, Interrupted> {
            let n = self.restrict(&parts, range.clone())?;
            Ok(Mass { n, weight: weighing.words(&self.current, range) })
        };
        let positives = mass_in(0..n_positive_words)?;
        if !is_wanted(positives) {
            return Ok(None);
        }
        let negatives = mass_in(n_positive_words..n_words)?;
        Ok(Some(Weighed { positives, negatives }))
    }

    /// Leaves in a range of `current` the examples that match the head and that all parts cover; returns their number.
    fn restrict(&mut self, parts: &[usize], range: Range<usize>) -> Result<usize, Interrupted> {
        self.current.copy_words_from(&self.matching, range.clone());
        let mut n_left = None;
        for &part in parts {
            let cover = Arc::clone(&self.parts[part].cover);
            let n_covered = if let Some(covered) = cover.complete.get() {
                self.current.intersect_words_with(covered, range.clone())
            } else {
                let mut known = cover.lock_partial();
                let Some(partial) = &mut *known else { continue };
                if let Err(interrupted) = self.prove_unknown(&cover, range.clone(), partial) {
                    *known = None;
                    return Err(interrupted);
                }
                self.current.intersect_words_with(&partial.covered, range.clone())
            };
            n_left = Some(n_covered);
            if n_covered == 0 {
                break;
            }
        }
        Ok(n_left.unwrap_or_else(|| self.current.count_words(range)))
    }

    /// These literals, in their order, without those that the rest implies on the facts. The shorter body covers the
    /// same examples of this universe.
    ///
    /// Under object identity all literals stay, for a literal that goes would take the literals it demands with it. All
    /// stay, too, in a body with a fixed threshold.
    ///
    /// **Cost**: for each pair asked for before, some words; for each other pair, a pass over the facts of a literal up
    /// to the first counterexample. **Memory**: a byte for each pair of literals.
    pub fn without_implied(&mut self, literals: &[u16]) -> &[u16] {
        let stay = self.identity.is_some() || self.has_fixed(literals);
        let facts = body::Facts { store: &self.store, head: &self.head, literals: &self.literals };
        self.implied.without_implied(&facts, literals, stay)
    }

    /// Those of these literals that have no variable to themselves and that the rest implies on the facts, each taken
    /// alone. A body with more literals covers the same examples with or without such a literal.
    ///
    /// **Cost**: as of [`Self::without_implied`].
    pub fn idle_literals(&mut self, literals: &[u16]) -> Vec<u16> {
        let stay = self.identity.is_some() || self.has_fixed(literals);
        let facts = body::Facts { store: &self.store, head: &self.head, literals: &self.literals };
        self.implied.idle_literals(&facts, literals, stay)
    }

    /// The parts of a body, by number.
    fn split(&mut self, literals: &[u16]) -> Vec<usize> {
        let kept = self.store.kept();
        if self.n_forgotten != kept.n_forgotten() {
            self.n_forgotten = kept.n_forgotten();
            self.prover.forget_answers();
        }
        if self.generation != kept.generation() {
            self.generation = kept.generation();
            self.known_parts.clear();
            self.single_parts.fill(None);
            self.parts.clear();
            self.numbers.clear();
            self.bases.clear();
        }
        let body = self.body_of(literals);
        self.split_known(&body)
    }

    /// The literals of a body, in the table, with those that object identity demands.
    fn body_of<'l>(&mut self, literals: &'l [u16]) -> Cow<'l, [u16]> {
        let body = self.in_table(literals);
        match self.identity.take() {
            None => body,
            Some(mut identity) => {
                let body = self.with_demanded(literals, body.into_owned(), &mut identity);
                self.identity = Some(identity);
                Cow::Owned(body)
            }
        }
    }

    fn split_known(&mut self, literals: &[u16]) -> Vec<usize> {
        // Taken out of the engine, because `look_up` borrows the whole engine.
        let mut arena = std::mem::take(&mut self.arena);
        let mut parts = Vec::with_capacity(literals.len());
        {
            let mut rest = BumpVec::from_iter_in(literals.iter().copied(), &arena);
            let mut group = BumpVec::with_capacity_in(literals.len(), &arena);
            while let Some(first) = rest.pop() {
                group.clear();
                group.push(first);
                let mut next = 0;
                while next < group.len() {
                    let shared = &self.unbound[usize::from(group[next])];
                    next += 1;
                    if shared.is_empty() {
                        continue;
                    }
                    let unbound = &self.unbound;
                    rest.retain(|&other| {
                        let is_connected =
                            unbound[usize::from(other)].iter().any(|variable| shared.contains(variable));
                        if is_connected {
                            group.push(other);
                        }
                        !is_connected
                    });
                }
                group.sort_unstable();
                let known = match *group {
                    [one] => self.single_parts[usize::from(one)],
                    _ => self.known_parts.get(&*group).copied(),
                };
                parts.push(known.unwrap_or_else(|| self.look_up(&group)));
            }
        }
        arena.reset();
        self.arena = arena;
        parts
    }

    /// Looks up the part of these literals in the store.
    fn look_up(&mut self, group: &[u16]) -> usize {
        let literals = self.literals_at(group);
        let (interface, argument_mask) = self.interface(&literals);
        let cover = self.store.cover(&interface, &literals, argument_mask);
        let part = self.parts.len();
        self.parts.push(KnownPart { literals: group.into(), cover, last_used: 0, n_proved: 0 });
        match *group {
            [one] => self.single_parts[usize::from(one)] = Some(part),
            _ => {
                self.known_parts.insert(group.into(), part);
            }
        }
        part
    }

    fn literals_at(&self, positions: &[u16]) -> Vec<Literal> {
        positions.iter().map(|&literal| self.literals[usize::from(literal)].clone()).collect()
    }

    /// The head's variables that occur in some literals, and the arguments they are first at, as bits.
    fn interface(&self, literals: &[Literal]) -> (Vec<VariableId>, u64) {
        let occurring: Vec<VariableId> = literals.iter().flat_map(Literal::variables).collect();
        let (mut interface, mut argument_mask) = (Vec::new(), 0);
        for (argument, term) in self.head.arguments.iter().enumerate() {
            if let Term::Variable(variable) = *term
                && occurring.contains(&variable)
                && !interface.contains(&variable)
            {
                interface.push(variable);
                argument_mask |= 1 << argument;
            }
        }
        (interface, argument_mask)
    }

    /// Begins the cover of a part, unless it was begun. The cover is complete where the values of the part's interface,
    /// or pairs of them, give it at once. Else it is partial and begins with the examples that relaxations rule out:
    /// a clause with one more literal never covers more.
    fn begin_cover(&mut self, part: usize) -> Result<(), Interrupted> {
        let cover = Arc::clone(&self.parts[part].cover);
        if cover.complete.get().is_some() || cover.lock_partial().is_some() {
            return Ok(());
        }
        let n_bytes = self.matching.words().len() * 8;
        let mut covered = match self.covered_by_numbers(part)? {
            None => self.covered_by_values(&cover)?,
            known => known,
        };
        if covered.is_none() {
            let known = self.ruled_out(part)?;
            covered = self.covered_by_pairs(part, &known)?;
            if covered.is_none() {
                let covered = ExampleSet::empty(self.store.universe.len());
                self.prover.n_bytes += 2 * n_bytes;
                cover.lock_partial().get_or_insert(PartialCover { covered, known });
            }
        }
        if let Some(covered) = covered {
            self.prover.n_bytes += n_bytes;
            cover.complete.get_or_init(|| covered);
        }
        Ok(())
    }

    /// The examples that some relaxation of a part is known not to cover.
    fn ruled_out(&mut self, part: usize) -> Result<ExampleSet, Interrupted> {
        let mut relaxations = self.sub_parts(part);
        for projection in self.projections(part) {
            self.begin_cover(projection)?;
            relaxations.push(projection);
        }
        let mut ruled_out = ExampleSet::empty(self.store.universe.len());
        for relaxation in relaxations {
            let cover = &self.parts[relaxation].cover;
            if let Some(covered) = cover.complete.get() {
                ruled_out.union_with_difference(self.store.universe.all(), covered);
            } else if let Some(partial) = &*cover.lock_partial() {
                ruled_out.union_with_difference(&partial.known, &partial.covered);
            }
        }
        Ok(ruled_out)
    }

    /// The parts that remain of a part when it keeps only one of its head variables, and that semi-joins find.
    /// Negations and comparisons are left out too.
    fn projections(&mut self, part: usize) -> Vec<usize> {
        let KnownPart { literals, cover, .. } = &self.parts[part];
        let (literals, argument_mask) = (literals.clone(), cover.argument_mask);
        let mut projections = Vec::new();
        if argument_mask.count_ones() < 2 {
            return projections;
        }
        for argument in (0..self.head.arguments.len()).filter(|argument| argument_mask >> argument & 1 == 1) {
            let looked_at = self.head.arguments[argument];
            let is_other = |term: &Term| {
                *term != looked_at && term.variable().is_some() && self.head.arguments.contains(term)
            };
            let stays = |&literal: &u16| {
                let atom = self.literals[usize::from(literal)].positive_atom();
                atom.is_some_and(|atom| !atom.arguments.iter().any(is_other))
            };
            let left: Vec<u16> = literals.iter().copied().filter(stays).collect();
            for projection in self.split_known(&left) {
                let cover = &self.parts[projection].cover;
                if cover.argument_mask == 1 << argument && cover.part.has_values() {
                    projections.push(projection);
                }
            }
        }
        projections
    }

    /// The known parts with one literal less, which cover no less. A rest that falls apart is no part; an unsafe rest
    /// covers nothing, so it rules nothing out.
    fn sub_parts(&self, part: usize) -> Vec<usize> {
        let literals = &self.parts[part].literals;
        (0..literals.len())
            .filter_map(|left_out| {
                let rest = [&literals[..left_out], &literals[left_out + 1..]].concat();
                let sub_part = match *rest {
                    [one] => self.single_parts[usize::from(one)]?,
                    _ => *self.known_parts.get(&*rest)?,
                };
                let sub = &self.parts[sub_part].cover;
                sub.part.is_safe.then_some(sub_part)
            })
            .collect()
    }

    fn check_stop(&self) -> Result<(), Interrupted> {
        self.prover.stopped.map_or(Ok(()), |reason| Err(Interrupted(reason)))
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
    cover_clause_sharing(&Arc::new(CoverStore::new(worlds, universe)), clause, budget)
}

/// As `cover_clause`, over the worlds and the universe of a store that other clauses may use too.
///
/// # Errors
///
/// [`Interrupted`] when the budget ran out first.
///
/// # Panics
///
/// When the body has 2^16 literals or more; readers of clauses refuse such.
pub fn cover_clause_sharing(
    store: &Arc<CoverStore<'_>>,
    clause: &Clause,
    budget: &Budget,
) -> Result<ExampleSet, Interrupted> {
    let universe = store.universe;
    let Some(clause) = normalise(clause) else { return Ok(ExampleSet::empty(universe.len())) };
    let all: Vec<u16> =
        (0..u16::try_from(clause.body.len()).expect("readers refuse bodies this long")).collect();
    ComponentEngine::sharing(store, clause.head, clause.body, budget.clone()).cover(&all)
}
