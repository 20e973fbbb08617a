//! The store of parts and their covers over one universe, shared by all engines that search it.
//!
//! It also keeps the implications between literals on the facts of the universe's worlds; each question is answered
//! once.
//!
//! What stores of covers keep although it can be found again, and a list of all stores: where memory is short, all forget.
//!
//! Memory is the process's, so the list is, too. What stores forget changes no result, only the time that it takes.

use std::sync::atomic::{AtomicU32, AtomicU64, AtomicUsize, Ordering};
use std::sync::{
    Arc, Mutex, MutexGuard, OnceLock, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard, Weak,
};

use crate::coverage::Universe;
use crate::datalog::Background;
use gleaner_base::{ConstantId, ExampleSet, FixedMap, PredicateId, VariableId, WorldId};
use gleaner_lang::program::{Atom, Clause, Literal, Term, canonical};

use super::numbers::{ExampleNumbers, NumbersKey};
use super::part::Part;

/// Heads whose examples are kept. Most problems have one; heads with constants may be many.
const MAX_KEPT_HEADS: usize = 16;

/// The parts of clauses and their covers over one universe.
///
/// The contents of the store depend on the order of requests and on what it had to forget. Results do not: every
/// cover is exact.
///
/// **Memory**: covers and value sets up to its capacity. Each time that new ones fill half of the capacity, the store
/// forgets those not asked for since the time before. Where memory is short it forgets all ([`super::keep_fewer_covers`]). It finds
/// them again when they are needed.
#[derive(Debug)]
pub struct CoverStore<'a> {
    pub(super) worlds: &'a [Background],
    pub(super) universe: &'a Universe,
    kept: Arc<Kept>,
    /// By head, the last to be asked for first.
    matching: Mutex<Vec<(Atom, Arc<ExampleSet>)>>,
    next_part: AtomicU32,
    pub(super) implications: Implications,
    /// The worlds of the universe's examples, ascending.
    pub(super) used_worlds: OnceLock<Vec<WorldId>>,
}

/// A part of a whole body, and the examples that it covers.
#[derive(Debug)]
pub(super) struct Cover {
    pub(super) part: Arc<Part>,
    /// The head arguments that hold its interface: bit `i` is argument `i`.
    pub(super) argument_mask: u64,
    /// The examples it covers, once all were found.
    pub(super) complete: OnceLock<ExampleSet>,
    /// The cover as far as it is known, until it is complete; `None` before it was first asked for.
    pub(super) partial: Mutex<Option<PartialCover>>,
}

/// The cover of a part on some of the examples.
#[derive(Debug)]
pub(super) struct PartialCover {
    pub(super) covered: ExampleSet,
    /// Where `covered` is known.
    pub(super) known: ExampleSet,
}

impl Cover {
    /// Locks the partial cover for this worker alone.
    pub(super) fn lock_partial(&self) -> MutexGuard<'_, Option<PartialCover>> {
        self.partial.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<'a> CoverStore<'a> {
    /// Bytes of covers and value sets that a store keeps by default: 256 MB, or 4,096 covers if these take more. A
    /// search from one seed meets one or two thousand parts; a store that keeps fewer finds them again and again.
    pub fn usual_capacity(universe: &Universe) -> usize {
        (256 << 20).max(universe.len() / 8 * 4_096)
    }

    /// An empty store over the worlds' facts and the universe's examples.
    pub fn new(worlds: &'a [Background], universe: &'a Universe) -> Self {
        Self::with_capacity(worlds, universe, Self::usual_capacity(universe))
    }

    /// As `new`, keeping at most about `capacity` bytes.
    pub fn with_capacity(worlds: &'a [Background], universe: &'a Universe, capacity: usize) -> Self {
        Self {
            worlds,
            universe,
            kept: Kept::new(capacity),
            matching: Mutex::default(),
            next_part: AtomicU32::new(0),
            implications: Implications::default(),
            used_worlds: OnceLock::new(),
        }
    }

    /// The facts by world.
    pub const fn worlds(&self) -> &'a [Background] {
        self.worlds
    }

    /// The universe of its covers.
    pub const fn universe(&self) -> &'a Universe {
        self.universe
    }

    /// The examples that unify with a head.
    pub(super) fn matching(&self, head: &Atom) -> Arc<ExampleSet> {
        let mut known = self.matching.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, matching)) = known.iter().find(|(known, _)| known == head) {
            return Arc::clone(matching);
        }
        let (universe, examples) = (self.universe, self.universe.examples());
        let unifying = universe
            .iter()
            .filter(|&(_, id)| unifies(head, examples.arguments(id)))
            .map(|(position, _)| position);
        let matching = Arc::new(ExampleSet::from_positions(universe.len(), unifying));
        known.truncate(MAX_KEPT_HEADS - 1);
        known.insert(0, (head.clone(), Arc::clone(&matching)));
        matching
    }

    /// What it keeps and can find again.
    pub(super) fn kept(&self) -> &Kept {
        &self.kept
    }

    /// The cover of the part made of these literals. The variables of its interface are the head arguments of
    /// `argument_mask`, in order.
    pub(super) fn cover(
        &self,
        interface: &[VariableId],
        literals: &[Literal],
        argument_mask: u64,
    ) -> Arc<Cover> {
        let part = self.part(interface, literals);
        let mut tables = self.kept.write();
        tables.covers.get_or_insert_with((part.id, argument_mask), || {
            Arc::new(Cover { part, argument_mask, complete: OnceLock::new(), partial: Mutex::new(None) })
        })
    }

    /// The answer to a question for numbers, if it is known.
    pub(super) fn numbers(&self, key: &NumbersKey) -> Option<Arc<ExampleNumbers>> {
        let known = self.kept.read().numbers.get(key).cloned()?;
        let mut tables = self.kept.write();
        Some(tables.numbers.get_or_insert_with(key.clone(), || known))
    }

    /// Keeps the answer to a question for numbers.
    pub(super) fn keep_numbers(&self, key: NumbersKey, numbers: Arc<ExampleNumbers>) -> Arc<ExampleNumbers> {
        let mut tables = self.kept.write();
        tables.numbers.get_or_insert_with(key, || numbers)
    }

    /// The part made of these literals, with this interface.
    pub(super) fn part(&self, interface: &[VariableId], literals: &[Literal]) -> Arc<Part> {
        let arguments = interface.iter().map(|&variable| Term::Variable(variable)).collect();
        // No part is ever looked up by its head's predicate.
        let head = Atom { predicate: PredicateId::new(0), arguments };
        let clause = canonical(&Clause::renumbered(&head, literals));
        let tables = self.kept.read();
        let known = tables.parts.get(&clause).cloned();
        drop(tables);
        if let Some(part) = known {
            let mut tables = self.kept.write();
            return tables.parts.get_or_insert_with(clause, || part);
        }
        let id = self.next_part.fetch_add(1, Ordering::Relaxed);
        let part = Part::compile(id, &clause, self.worlds, &mut |interface, literals| {
            self.part(interface, literals)
        });
        let mut tables = self.kept.write();
        tables.parts.get_or_insert_with(clause, || Arc::new(part))
    }
}

/// Whether the head equals the example for some values of its variables.
fn unifies(head: &Atom, example: &[ConstantId]) -> bool {
    head.arguments.iter().enumerate().all(|(argument, term)| match term {
        Term::Constant(constant) => *constant == example[argument],
        Term::Any => true,
        Term::Variable(_) => head.arguments[..argument]
            .iter()
            .position(|earlier| earlier == term)
            .is_none_or(|earlier| example[earlier] == example[argument]),
    })
}

/// Implications between literals on the facts of a universe's worlds; each question is answered once.
#[derive(Debug, Default)]
pub(super) struct Implications {
    /// By a clause: the answer. The clause is a head and one literal that it may imply, or a head without arguments and
    /// two literals, where the first may imply the second.
    known: Mutex<FixedMap<Clause, bool>>,
}

impl Implications {
    fn lock(&self) -> MutexGuard<'_, FixedMap<Clause, bool>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn known_or(&self, question: Clause, answer: impl FnOnce(&Clause) -> bool) -> bool {
        if let Some(&known) = self.lock().get(&question) {
            return known;
        }
        let is_implied = answer(&question);
        self.lock().insert(question, is_implied);
        is_implied
    }
}

/// All stores, and some that are gone.
static STORES: Mutex<Vec<Weak<Kept>>> = Mutex::new(Vec::new());

/// How often the capacity of each store was halved.
static N_HALVED: AtomicU32 = AtomicU32::new(0);

/// Stores that are gone are looked for when the list has so many, or twice as many as it had after the last time.
const FEW_STORES: usize = 64;

/// Makes all stores of the process forget what they can find again, and keep half as much from now on, as those made later do.
///
/// Each engine lets go of what it held of its store as it begins its next clause. **Cost**: that of freeing the memory.
pub fn keep_fewer_covers() {
    N_HALVED.fetch_add(1, Ordering::Relaxed);
    for store in stores().iter().filter_map(Weak::upgrade) {
        store.forget();
    }
}

/// Lets stores keep as much as they were made for.
pub fn keep_covers_again() {
    N_HALVED.store(0, Ordering::Relaxed);
}

fn stores() -> MutexGuard<'static, Vec<Weak<Kept>>> {
    STORES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What a store keeps.
#[derive(Debug)]
pub(super) struct Kept {
    tables: RwLock<Tables>,
    n_bytes: AtomicUsize,
    capacity: usize,
    generation: AtomicU64,
    n_forgotten: AtomicU64,
}

#[derive(Debug, Default)]
pub(super) struct Tables {
    /// By canonical form: a clause whose head lists the interface.
    pub(super) parts: Aging<Clause, Part>,
    /// By part and the head arguments that hold its interface.
    pub(super) covers: Aging<(u32, u64), Cover>,
    /// The numbers of one of a part's variables.
    pub(super) numbers: Aging<NumbersKey, ExampleNumbers>,
}

/// A table that forgets, each time that it ages, the entries not asked for since it last aged.
#[derive(Debug)]
pub(super) struct Aging<K, V> {
    young: FixedMap<K, Arc<V>>,
    old: FixedMap<K, Arc<V>>,
}

impl<K, V> Default for Aging<K, V> {
    fn default() -> Self {
        Self { young: FixedMap::default(), old: FixedMap::default() }
    }
}

impl<K: Eq + std::hash::Hash, V> Aging<K, V> {
    pub(super) fn get_or_insert_with(&mut self, key: K, make: impl FnOnce() -> Arc<V>) -> Arc<V> {
        let old = &mut self.old;
        Arc::clone(self.young.entry(key).or_insert_with_key(|key| old.remove(key).unwrap_or_else(make)))
    }

    pub(super) fn get(&self, key: &K) -> Option<&Arc<V>> {
        self.young.get(key).or_else(|| self.old.get(key))
    }

    fn age(&mut self) {
        self.old = std::mem::take(&mut self.young);
    }
}

impl Kept {
    /// Nothing yet, and at most about `capacity` bytes ever; on the list of stores.
    pub(super) fn new(capacity: usize) -> Arc<Self> {
        let kept = Arc::new(Self {
            tables: RwLock::default(),
            n_bytes: AtomicUsize::new(0),
            capacity,
            generation: AtomicU64::new(0),
            n_forgotten: AtomicU64::new(0),
        });
        let mut stores = stores();
        if stores.len() >= stores.capacity() {
            stores.retain(|store| store.strong_count() > 0);
            let n_more = stores.len().max(FEW_STORES);
            stores.reserve_exact(n_more);
        }
        stores.push(Arc::downgrade(&kept));
        kept
    }

    pub(super) fn read(&self) -> RwLockReadGuard<'_, Tables> {
        self.tables.read().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn write(&self) -> RwLockWriteGuard<'_, Tables> {
        self.tables.write().unwrap_or_else(PoisonError::into_inner)
    }

    /// How often the tables aged or forgot; an engine then asks for its parts anew.
    pub(super) fn generation(&self) -> u64 {
        self.generation.load(Ordering::Acquire)
    }

    /// How often the tables forgot all.
    pub(super) fn n_forgotten(&self) -> u64 {
        self.n_forgotten.load(Ordering::Acquire)
    }

    /// Adds the bytes of new covers and value sets, and ages the tables when these exceed half of the capacity.
    pub(super) fn add_bytes(&self, n_bytes: usize) {
        let capacity = self.capacity.checked_shr(N_HALVED.load(Ordering::Relaxed)).unwrap_or(0);
        if n_bytes > 0 && self.n_bytes.fetch_add(n_bytes, Ordering::Relaxed) + n_bytes > capacity / 2 {
            let mut tables = self.write();
            tables.parts.age();
            tables.covers.age();
            tables.numbers.age();
            self.n_bytes.store(0, Ordering::Relaxed);
            self.generation.fetch_add(1, Ordering::Release);
        }
    }

    fn forget(&self) {
        let mut tables = self.write();
        let forgotten = std::mem::take(&mut *tables);
        self.n_bytes.store(0, Ordering::Relaxed);
        self.n_forgotten.fetch_add(1, Ordering::Release);
        self.generation.fetch_add(1, Ordering::Release);
        drop(tables);
        // Nobody waits while the memory is freed.
        drop(forgotten);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Weak};

    use crate::coverage::component::Extreme;
    use crate::coverage::component::numbers::{ExampleNumbers, NumbersKey};
    use gleaner_base::PredicateId;
    use gleaner_lang::program::{Atom, Clause};

    use super::{Kept, keep_fewer_covers, stores};

    fn key() -> NumbersKey {
        let head = Atom { predicate: PredicateId::new(0), arguments: Vec::new() };
        (Clause::renumbered(&head, &[]), 0, Extreme::Least)
    }

    /// Whether a store with an entry still has it after each of the steps.
    #[test]
    fn a_store_forgets_all_where_memory_is_short_and_then_keeps_less() {
        let kept = Kept::new(1 << 20);
        let add =
            || drop(kept.write().numbers.get_or_insert_with(key(), || Arc::new(ExampleNumbers::none(8))));
        let has = || kept.read().numbers.get(&key()).is_some();
        add();
        kept.add_bytes(1 << 18);
        assert!(has() && kept.generation() == 0, "a quarter of the capacity is less than half of it");
        keep_fewer_covers();
        assert!(!has() && kept.generation() == 1 && kept.n_forgotten() == 1);
        add();
        kept.add_bytes(1 << 18);
        assert!(has() && kept.generation() == 1, "it is half of half of the capacity, not more");
        kept.add_bytes(1);
        assert!(has() && kept.generation() == 2, "what is old is kept for once");
        kept.add_bytes((1 << 18) + 1);
        assert!(!has() && kept.generation() == 3);
    }

    /// The list does not grow with the stores that ever were.
    #[test]
    fn stores_that_are_gone_leave_the_list() {
        let one = Kept::new(1);
        (0..10_000).for_each(|_| drop(Kept::new(1)));
        let list = stores();
        assert!(list.len() < 1_000, "{}", list.len());
        assert!(list.iter().filter_map(Weak::upgrade).any(|store| Arc::ptr_eq(&store, &one)));
    }
}
