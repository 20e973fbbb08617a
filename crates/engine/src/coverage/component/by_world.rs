//! What each world has, kept once for worlds that follow each other with the same relations.
//!
//! Examples with many cut-offs have a world for each; but most relations have no time, and are the same in all.

use std::ops::Index;

use crate::datalog::Background;

/// A value for each world.
#[derive(Debug)]
pub(super) struct ByWorld<T> {
    /// By world, the place of its value.
    places: Box<[u32]>,
    values: Vec<T>,
}

impl<T> ByWorld<T> {
    /// Finds the value of each world; `is_same` says whether two worlds have the same one.
    ///
    /// **Cost**: one value for each world that differs from the one before it.
    pub(super) fn find(
        worlds: &[Background],
        is_same: impl Fn(&Background, &Background) -> bool,
        mut value: impl FnMut(usize, &Background) -> T,
    ) -> Self {
        let mut places = Vec::with_capacity(worlds.len());
        let mut values: Vec<T> = Vec::new();
        for (at, world) in worlds.iter().enumerate() {
            if at == 0 || !is_same(&worlds[at - 1], world) {
                values.push(value(at, world));
            }
            places.push(u32::try_from(values.len() - 1).expect("worlds are numbered by 32 bits"));
        }
        Self { places: places.into_boxed_slice(), values }
    }

    /// The values, each once.
    pub(super) fn distinct(&self) -> &[T] {
        &self.values
    }
}

impl<T> Index<usize> for ByWorld<T> {
    type Output = T;

    fn index(&self, world: usize) -> &T {
        &self.values[self.places[world] as usize]
    }
}
