//! The types of columns, from declarations and from the constants that columns share.

use std::collections::BTreeMap;

use roaring::RoaringBitmap;

use gleaner_base::{ConstantId, FixedMap, PredicateId};
use gleaner_lang::program::{FactTable, Rows};

use crate::gather::Statements;
use crate::provisional::Provisional;

/// The types of all columns.
///
/// Two columns are of one type when they are declared so, or when they share enough constants, and so on from column to
/// column. Enough is half of the constants of the smaller column; for numbers, half of both together. Columns with
/// different declared types are never joined. A column without a row has no type of its own. [Picado et al. 2017, on
/// approximate inclusion of columns]
#[derive(Debug)]
pub(super) struct ColumnTypes {
    first_columns: Vec<usize>,
    /// The type of each column.
    types: Vec<usize>,
    /// The name of each type.
    names: Vec<String>,
    /// The distinct constants of each column.
    distinct: Vec<RoaringBitmap>,
    numeric: Vec<bool>,
}

/// The share of the smaller column's constants that the larger one must hold for both to be of one type, as a fraction.
const SHARED: (u64, u64) = (1, 2);

impl ColumnTypes {
    /// The types of the columns of these tables and of the examples. Cost: `O(values)` to collect the
    /// constants, then an intersection for each pair of columns.
    pub(super) fn infer<'t>(statements: &'t Statements, tables: impl Iterator<Item = &'t FactTable>) -> Self {
        let Statements { symbols, examples, .. } = statements;
        let predicates = symbols.predicates();
        // By name, so that the order of the files does not matter.
        let mut order: Vec<usize> = (0..predicates.len()).collect();
        order.sort_by(|&left, &right| predicates[left].cmp(&predicates[right]));
        let mut first_columns = vec![0; predicates.len()];
        let mut n_columns = 0;
        for predicate in order {
            first_columns[predicate] = n_columns;
            n_columns += predicates[predicate].arity;
        }
        let mut distinct = vec![RoaringBitmap::new(); n_columns];
        for table in tables.chain([&examples.rows]) {
            for predicate in (0..table.n_predicates()).map(PredicateId::new) {
                add_constants(&mut distinct[first_columns[predicate.index()]..], table.rows(predicate));
            }
        }
        let numbers = symbols.numbers();
        let numeric: Vec<bool> = distinct
            .iter()
            .map(|constants| !constants.is_empty() && constants.iter().all(|id| numbers.contains(id)))
            .collect();
        let mut columns = Joined::new(n_columns);
        let declared = declared(statements, &first_columns);
        columns.join_declared(&declared);
        columns.join_alike(&distinct, &numeric);
        let mut inferred =
            Self { first_columns, types: columns.numbered(), names: Vec::new(), distinct, numeric };
        inferred.names = inferred.name_types(symbols, &declared);
        inferred
    }

    pub(super) fn type_of(&self, predicate: PredicateId, argument: usize) -> usize {
        self.types[self.first_columns[predicate.index()] + argument]
    }

    pub(super) fn name(&self, type_idx: usize) -> &str {
        &self.names[type_idx]
    }

    /// The number of distinct constants of a column.
    pub(super) fn n_distinct(&self, predicate: PredicateId, argument: usize) -> u64 {
        self.distinct[self.first_columns[predicate.index()] + argument].len()
    }

    /// The number of distinct constants of all columns of a type.
    pub(super) fn n_constants(&self, type_idx: usize) -> u64 {
        let columns = self.types.iter().zip(&self.distinct).filter(|(known, _)| **known == type_idx);
        columns.fold(RoaringBitmap::new(), |all, (_, constants)| all | constants).len()
    }

    /// Whether a column holds numbers only, and at least one.
    pub(super) fn is_numeric(&self, predicate: PredicateId, argument: usize) -> bool {
        self.numeric[self.first_columns[predicate.index()] + argument]
    }

    /// The number of columns of a type that hold constants.
    pub(super) fn n_columns(&self, type_idx: usize) -> usize {
        let columns = self.types.iter().zip(&self.distinct);
        columns.filter(|(known, constants)| **known == type_idx && !constants.is_empty()).count()
    }

    /// The constants of a type in a world: those of all its columns there.
    pub(super) fn constants(&self, type_idx: usize, table: &FactTable) -> RoaringBitmap {
        let mut constants = RoaringBitmap::new();
        for predicate in (0..table.n_predicates()).map(PredicateId::new) {
            let rows = table.rows(predicate);
            for argument in
                (0..rows.arity()).filter(|&argument| self.type_of(predicate, argument) == type_idx)
            {
                constants.extend(rows.column(argument).map(ConstantId::raw));
            }
        }
        constants
    }

    /// A name for each type: the declared one, the common beginning of its constants (as in `person12`), or the name of
    /// its largest column.
    fn name_types(&self, symbols: &Provisional, declared: &[Option<String>]) -> Vec<String> {
        let n_types = self.types.iter().max().map_or(0, |last| last + 1);
        let mut taken: FixedMap<String, usize> = FixedMap::default();
        let mut names = Vec::with_capacity(n_types);
        for type_idx in 0..n_types {
            let columns: Vec<usize> =
                (0..self.types.len()).filter(|&column| self.types[column] == type_idx).collect();
            let name = columns
                .iter()
                .find_map(|&column| declared[column].clone())
                .or_else(|| self.common_stem(symbols, &columns))
                .unwrap_or_else(|| self.name_of_column(symbols, &columns));
            let n_before = taken.entry(name.clone()).or_insert(0);
            *n_before += 1;
            names.push(if *n_before == 1 { name } else { format!("{name}_{n_before}") });
        }
        names
    }

    /// The letters at the beginning of nearly all constants of some columns, without digits.
    fn common_stem(&self, symbols: &Provisional, columns: &[usize]) -> Option<String> {
        const FEWEST_LETTERS: usize = 2;
        let mut stems: BTreeMap<&str, usize> = BTreeMap::new();
        let mut n_constants = 0;
        for &column in columns {
            for id in &self.distinct[column] {
                let text = symbols.constant_text(ConstantId::from_raw(id)).trim_matches(['\'', '"']);
                let stem = text.trim_end_matches(|c: char| c.is_ascii_digit()).trim_end_matches('_');
                *stems.entry(stem).or_insert(0) += 1;
                n_constants += 1;
            }
        }
        let (stem, n_with) = stems.into_iter().max_by_key(|&(_, n)| n)?;
        let is_name =
            stem.len() >= FEWEST_LETTERS && stem.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        let is_common = n_with * 5 >= n_constants * 4 && n_constants > 1;
        (is_name && is_common && stem.starts_with(|c: char| c.is_ascii_alphabetic()))
            .then(|| stem.to_lowercase())
    }

    /// The name of the column with the most constants, as `predicate_2`; a column that stands alone has its predicate's
    /// name.
    fn name_of_column(&self, symbols: &Provisional, columns: &[usize]) -> String {
        let Some(&largest) =
            columns.iter().max_by_key(|&&column| (self.distinct[column].len(), std::cmp::Reverse(column)))
        else {
            return "any".to_owned();
        };
        let predicates = symbols.predicates();
        let holds = |&id: &usize| {
            (self.first_columns[id]..self.first_columns[id] + predicates[id].arity).contains(&largest)
        };
        let Some(predicate) = (0..predicates.len()).find(holds) else { return "any".to_owned() };
        let name = &predicates[predicate];
        let stem: String = name
            .name
            .chars()
            .map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '_' })
            .collect();
        let stem = stem.trim_matches('_');
        let stem = if stem.starts_with(|c: char| c.is_ascii_alphabetic()) {
            stem.to_owned()
        } else {
            format!("t_{stem}")
        };
        if name.arity == 1 { stem } else { format!("{stem}_{}", largest - self.first_columns[predicate] + 1) }
    }
}

fn add_constants(columns: &mut [RoaringBitmap], rows: &Rows) {
    for (argument, constants) in columns.iter_mut().enumerate().take(rows.arity()) {
        constants.extend(rows.column(argument).map(ConstantId::raw));
    }
}

/// The declared type of each column.
fn declared(statements: &Statements, first_columns: &[usize]) -> Vec<Option<String>> {
    let Statements { symbols, declarations, .. } = statements;
    let n_columns = symbols.predicates().iter().map(|predicate| predicate.arity).sum();
    let mut declared = vec![None; n_columns];
    for (predicate, types, _) in &declarations.declared_types {
        if let Some(id) = symbols.find_predicate(predicate) {
            for (argument, name) in types.iter().enumerate().filter(|(_, name)| !name.is_empty()) {
                declared[first_columns[id.index()] + argument] = Some(name.clone());
            }
        }
    }
    declared
}

/// Columns joined to types: a forest with the smallest column of a type as root.
#[derive(Debug)]
struct Joined {
    parents: Vec<usize>,
    /// For each root, the declared name of its columns.
    declared: Vec<Option<String>>,
}

impl Joined {
    fn new(n_columns: usize) -> Self {
        Self { parents: (0..n_columns).collect(), declared: vec![None; n_columns] }
    }

    fn root(&self, mut column: usize) -> usize {
        while self.parents[column] != column {
            column = self.parents[column];
        }
        column
    }

    /// Joins two columns, unless they are declared to be of different types.
    fn join(&mut self, left: usize, right: usize) {
        let (left, right) = (self.root(left), self.root(right));
        let (first, second) = (left.min(right), left.max(right));
        let names = (self.declared[first].clone(), self.declared[second].clone());
        if first == second || matches!(&names, (Some(one), Some(other)) if one != other) {
            return;
        }
        self.parents[second] = first;
        self.declared[first] = names.0.or(names.1);
    }

    fn join_declared(&mut self, declared: &[Option<String>]) {
        self.declared = declared.to_vec();
        let mut first_of: BTreeMap<&str, usize> = BTreeMap::new();
        for (column, name) in declared.iter().enumerate() {
            if let Some(name) = name {
                let first = *first_of.entry(name).or_insert(column);
                self.join(first, column);
            }
        }
    }

    fn join_alike(&mut self, distinct: &[RoaringBitmap], numeric: &[bool]) {
        for left in 0..distinct.len() {
            for right in left + 1..distinct.len() {
                let is_new = numeric[left] == numeric[right] && self.root(left) != self.root(right);
                if is_new && are_alike(&distinct[left], &distinct[right], numeric[left]) {
                    self.join(left, right);
                }
            }
        }
    }

    /// The types as numbers from 0, in the order of their first columns.
    fn numbered(&self) -> Vec<usize> {
        let mut numbers: FixedMap<usize, usize> = FixedMap::default();
        (0..self.parents.len())
            .map(|column| {
                let next = numbers.len();
                *numbers.entry(self.root(column)).or_insert(next)
            })
            .collect()
    }
}

/// Whether two columns share enough constants. Most columns of numbers contain small numbers, so they must share half
/// of both together.
fn are_alike(left: &RoaringBitmap, right: &RoaringBitmap, are_numbers: bool) -> bool {
    let smaller = left.len().min(right.len());
    if smaller == 0 {
        return false;
    }
    let n_shared = left.intersection_len(right);
    let whole = if are_numbers { left.len() + right.len() - n_shared } else { smaller };
    n_shared * SHARED.1 >= whole * SHARED.0
}

#[cfg(test)]
mod tests {
    use roaring::RoaringBitmap;

    use super::{Joined, are_alike};

    fn set(ids: &[u32]) -> RoaringBitmap {
        ids.iter().copied().collect()
    }

    #[test]
    fn half_of_the_smaller_column_makes_one_type_and_of_numbers_half_of_both() {
        let (small, large) = (set(&[1, 2, 3, 4]), set(&[3, 4, 5, 6, 7, 8, 9]));
        assert!(are_alike(&small, &large, false), "2 of 4");
        assert!(!are_alike(&small, &large, true), "2 of 9");
        assert!(!are_alike(&small, &set(&[4, 5, 6, 7]), false), "1 of 4");
        assert!(!are_alike(&small, &set(&[]), false));
    }

    #[test]
    fn declared_types_are_kept_apart() {
        let name = |text: &str| Some(text.to_owned());
        let mut columns = Joined::new(4);
        columns.join_declared(&[name("person"), name("title"), None, name("person")]);
        let same = set(&[1, 2]);
        columns.join_alike(&[same.clone(), same.clone(), same, set(&[7])], &[false; 4]);
        assert_eq!(columns.numbered(), [0, 1, 0, 0], "the third joins the first that it is like");
    }
}
