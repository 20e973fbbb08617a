//! From a constant in one column to the set of those beside it in another.

use std::sync::Arc;

use crate::base::ConstantId;

use super::Relation;

/// For each constant of a key column, the constants of a target column that it occurs with, as words of
/// bits; every other column is a function of the key.
///
/// Constants of one kind that belong together have neighbouring ids, so that most keys take one word or
/// two, and sets that many keys share are met by an AND.
///
/// **Memory**: 16 bytes for each key and each word of its targets, 4 for each id between the least and
/// the greatest key.
#[derive(Debug)]
pub struct Links {
    first_key: u32,
    /// Where each key's words begin; one entry more than ids from the first key to the last.
    starts: Box<[u32]>,
    words: Box<[LinkWord]>,
    /// The other columns, and their value for each key.
    determined: Box<[(usize, Box<[ConstantId]>)]>,
}

/// 64 neighbouring constants, of which some are linked.
#[derive(Clone, Copy, Debug)]
pub struct LinkWord {
    /// The least constant's id by 64.
    pub word: u32,
    /// The linked ones.
    pub bits: u64,
}

impl Links {
    /// The targets of a constant, words ascending.
    #[must_use]
    pub fn of(&self, key: ConstantId) -> &[LinkWord] {
        let Some(slot) = self.slot(key) else { return &[] };
        &self.words[self.starts[slot] as usize..self.starts[slot + 1] as usize]
    }

    /// The columns that are neither key nor target, with the value of each for a constant, which must
    /// have targets.
    pub fn determined(&self, key: ConstantId) -> impl Iterator<Item = (usize, ConstantId)> + '_ {
        let slot = self.slot(key).unwrap_or(0);
        self.determined.iter().map(move |(column, values)| (*column, values[slot]))
    }

    fn slot(&self, key: ConstantId) -> Option<usize> {
        let slot = key.raw().checked_sub(self.first_key)? as usize;
        (slot + 1 < self.starts.len()).then_some(slot)
    }
}

impl Relation {
    /// The links from a column to another; none where a third column is no function of the first, or
    /// where ids of the first are too far apart for a table. Made at the first call and kept. Cost then:
    /// `O(n log n)`.
    #[must_use]
    pub fn links(&self, key: usize, target: usize) -> Option<Arc<Links>> {
        self.links[key * self.arity() + target].get_or_init(|| self.make_links(key, target)).clone()
    }

    fn make_links(&self, key: usize, target: usize) -> Option<Arc<Links>> {
        let ids = self.indices[key].dense_range()?;
        let mut links = Links {
            first_key: ids.start,
            starts: vec![0; ids.len() + 1].into(),
            words: Box::default(),
            determined: Box::default(),
        };
        let mut determined: Vec<(usize, Box<[ConstantId]>)> = (0..self.arity())
            .filter(|column| ![key, target].contains(column))
            .map(|column| (column, vec![ConstantId::default(); ids.len()].into()))
            .collect();
        let (mut words, mut targets): (Vec<LinkWord>, Vec<u32>) = (Vec::new(), Vec::new());
        for id in ids.clone() {
            let slot = (id - ids.start) as usize;
            let rows = self.rows_with(key, ConstantId::new(id as usize));
            for (column, values) in &mut determined {
                let mut of_rows = rows.iter().map(|row| self.value(row, *column));
                let Some(value) = of_rows.next() else { continue };
                if of_rows.any(|other| other != value) {
                    return None;
                }
                values[slot] = value;
            }
            targets.clear();
            targets.extend(rows.iter().map(|row| self.value(row, target).raw()));
            targets.sort_unstable();
            let start = words.len();
            for &target in &targets {
                match words[start..].last_mut() {
                    Some(last) if last.word == target / 64 => last.bits |= 1 << (target % 64),
                    _ => words.push(LinkWord { word: target / 64, bits: 1 << (target % 64) }),
                }
            }
            links.starts[slot + 1] = u32::try_from(words.len()).expect("words are no more than rows");
        }
        links.words = words.into();
        links.determined = determined.into();
        Some(Arc::new(links))
    }
}
