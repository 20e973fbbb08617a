//! What stores of covers keep although it can be found again, and a list of all stores: where memory is short, all forget.
//!
//! Memory is the process's, so the list is, too. What stores forget changes no result, only the time that it takes.

use std::sync::atomic::{AtomicU32, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard, Weak};

use gleaner_base::FixedMap;
use gleaner_lang::program::Clause;

use super::numbers::{ExampleNumbers, NumbersKey};
use super::part::Part;
use super::store::Cover;

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

    use super::{Kept, keep_fewer_covers, stores};
    use crate::coverage::component::Extreme;
    use crate::coverage::component::numbers::{ExampleNumbers, NumbersKey};
    use gleaner_base::PredicateId;
    use gleaner_lang::program::{Atom, Clause};

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
