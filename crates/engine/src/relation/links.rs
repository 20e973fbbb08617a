//! Links from a constant in one column to the set of constants beside it in another.

use gleaner_base::ConstantId;

use super::table::Table;

/// For each constant of a key column, the constants of a target column that occur in rows with it, as words of bits.
/// Every other column is a function of the key.
///
/// Constants of one kind that belong together have neighbouring ids. So most keys take one word or two, and an AND
/// intersects the sets of several keys.
///
/// **Memory**: 16 bytes for each id between the least and the greatest key, and for each word of a key's
/// targets beyond its first.
#[derive(Debug)]
pub struct Links {
    first_key: u32,
    /// By id, from the first key to the last.
    heads: Box<[LinkHead]>,
    /// For each key with further words, the position where they begin; and the end of the last key's words.
    more_starts: Box<[u32]>,
    more: Box<[LinkWord]>,
    /// The other columns, and their value for each key.
    determined: Box<[(usize, Box<[ConstantId]>)]>,
}

/// 64 neighbouring constants; some are linked.
#[derive(Clone, Copy, Debug)]
pub struct LinkWord {
    /// The id of the least constant, divided by 64.
    pub word: u32,
    /// The linked constants, as bits.
    pub bits: u64,
}

/// The first word of a key's targets. One look-up finds it, and for most keys it holds all targets.
#[derive(Clone, Copy, Debug)]
pub struct LinkHead {
    word: u32,
    /// One more than the number of the key among those with further words; 0 for a key without.
    more: u32,
    bits: u64,
}

impl LinkHead {
    /// No targets.
    pub const EMPTY: Self = Self { word: 0, more: 0, bits: 0 };

    /// Whether there are further words.
    #[must_use]
    pub const fn has_more(self) -> bool {
        self.more != 0
    }

    /// The first word; it has no bits where there are no targets.
    #[must_use]
    pub const fn first(self) -> LinkWord {
        LinkWord { word: self.word, bits: self.bits }
    }
}

impl Links {
    /// The links from a column to another, if a table holds them.
    pub(super) fn new(table: &Table, key: usize, target: usize) -> Option<Self> {
        let ids = table.index(key).dense_range()?;
        let mut links = Self {
            first_key: ids.start,
            heads: vec![LinkHead::EMPTY; ids.len()].into(),
            more_starts: Box::default(),
            more: Box::default(),
            determined: Box::default(),
        };
        let mut determined: Vec<(usize, Box<[ConstantId]>)> = (0..table.arity())
            .filter(|column| ![key, target].contains(column))
            .map(|column| (column, vec![ConstantId::default(); ids.len()].into()))
            .collect();
        let (mut more, mut more_starts) = (Vec::new(), vec![0]);
        let (mut words, mut targets): (Vec<LinkWord>, Vec<u32>) = (Vec::new(), Vec::new());
        for id in ids.clone() {
            let slot = (id - ids.start) as usize;
            let rows = table.rows_with(key, ConstantId::new(id as usize));
            for (column, values) in &mut determined {
                let mut of_rows = rows.iter().map(|row| table.value(row, *column));
                let Some(value) = of_rows.next() else { continue };
                if of_rows.any(|other| other != value) {
                    return None;
                }
                values[slot] = value;
            }
            targets.clear();
            targets.extend(rows.iter().map(|row| table.value(row, target).raw()));
            targets.sort_unstable();
            words.clear();
            for &target in &targets {
                match words.last_mut() {
                    Some(last) if last.word == target / 64 => last.bits |= 1 << (target % 64),
                    _ => words.push(LinkWord { word: target / 64, bits: 1 << (target % 64) }),
                }
            }
            let Some((&LinkWord { word, bits }, further)) = words.split_first() else { continue };
            links.heads[slot] = LinkHead { word, more: 0, bits };
            if !further.is_empty() {
                more.extend_from_slice(further);
                links.heads[slot].more = narrow(more_starts.len());
                more_starts.push(narrow(more.len()));
            }
        }
        links.more = more.into();
        links.more_starts = more_starts.into();
        links.determined = determined.into();
        Some(links)
    }

    /// The first word of the targets of a constant.
    #[inline]
    #[must_use]
    pub fn head(&self, key: ConstantId) -> LinkHead {
        self.heads.get(self.slot(key)).copied().unwrap_or(LinkHead::EMPTY)
    }

    /// The words after the first, ascending.
    #[inline]
    #[must_use]
    pub fn more(&self, head: LinkHead) -> &[LinkWord] {
        match head.more as usize {
            0 => &[],
            more => &self.more[self.more_starts[more - 1] as usize..self.more_starts[more] as usize],
        }
    }

    /// The targets in one word.
    #[inline]
    #[must_use]
    pub fn bits(&self, head: LinkHead, word: u32) -> u64 {
        if head.word == word {
            return head.bits;
        }
        let more = self.more(head);
        // Most keys have a word or two.
        if more.len() <= 8 {
            return more.iter().find(|known| known.word == word).map_or(0, |known| known.bits);
        }
        more.binary_search_by_key(&word, |known| known.word).map_or(0, |position| more[position].bits)
    }

    /// The columns that are neither key nor target, each with its value for a constant. The constant must have targets.
    pub fn determined(&self, key: ConstantId) -> impl Iterator<Item = (usize, ConstantId)> + '_ {
        let slot = self.slot(key);
        self.determined.iter().map(move |(column, values)| (*column, values[slot]))
    }

    /// The slot of a key, if the key is between the first and the last.
    const fn slot(&self, key: ConstantId) -> usize {
        key.raw().wrapping_sub(self.first_key) as usize
    }
}

fn narrow(n: usize) -> u32 {
    u32::try_from(n).expect("words are no more than rows")
}
