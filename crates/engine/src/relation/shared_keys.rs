//! Keys that the relations of one table share: its columns are functions of the names of its rows.

use std::sync::{Arc, OnceLock};

use gleaner_base::ConstantId;
use gleaner_lang::program::rows::{Function, Rows};

use super::table::Keys;

/// The keys of functions among some rows, each put into order once, when a relation first asks for it.
#[derive(Debug)]
pub struct SharedKeys {
    known: Vec<Known>,
}

/// The columns of keys as given, and under new ids: none if two keys are the same.
type Known = (Vec<Arc<[ConstantId]>>, OnceLock<Option<Keys>>);

impl SharedKeys {
    /// The keys of these rows. Cost: a look at each.
    #[must_use]
    pub fn of<'r>(rows: impl IntoIterator<Item = &'r Rows>) -> Self {
        let mut known: Vec<Known> = Vec::new();
        for Function { keys, .. } in rows.into_iter().filter_map(Rows::as_function) {
            if !known.iter().any(|(other, _)| are_same(other, keys)) {
                known.push((keys.to_vec(), OnceLock::new()));
            }
        }
        Self { known }
    }

    /// These keys under new ids; none if they are not among the known ones, or two are the same.
    ///
    /// **Invariant**: all calls renumber alike.
    pub(super) fn renumbered(
        &self,
        keys: &[Arc<[ConstantId]>],
        renumber: impl Fn(ConstantId) -> ConstantId,
    ) -> Option<&Keys> {
        let (_, renumbered) = self.known.iter().find(|(known, _)| are_same(known, keys))?;
        renumbered.get_or_init(|| Keys::renumbered(keys, renumber)).as_ref()
    }
}

/// Whether these are the very same columns.
fn are_same(one: &[Arc<[ConstantId]>], other: &[Arc<[ConstantId]>]) -> bool {
    one.len() == other.len() && one.iter().zip(other).all(|(one, other)| Arc::ptr_eq(one, other))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use gleaner_base::ConstantId;
    use gleaner_lang::program::Rows;
    use proptest::prelude::{prop, prop_assert_eq, proptest};

    use super::super::Relation;
    use super::SharedKeys;

    proptest! {
        /// The plain twin is a relation of the same rows on its own.
        #[test]
        fn sharing_changes_nothing(
            rows in prop::collection::vec((0..6_u32, 0..6_u32, 0..5_u32, 0..5_u32), 0..14),
            shift in 1..13_u32,
        ) {
            let id = ConstantId::from_raw;
            // Another order of ids; thirteen is prime, so they stay different.
            let renumber = |constant: ConstantId| id((constant.raw() * shift + 3) % 13);
            let keys: Vec<Arc<[ConstantId]>> =
                vec![rows.iter().map(|row| id(row.0)).collect(), rows.iter().map(|row| id(row.1)).collect()];
            let values: [Vec<ConstantId>; 2] =
                [rows.iter().map(|row| id(row.2)).collect(), rows.iter().map(|row| id(row.3)).collect()];
            let [one, other] = values;
            let functions = [
                Rows::function(keys.clone(), one.clone()),
                Rows::function(keys[..1].to_vec(), one),
                Rows::function(keys, other),
            ];
            let shared = SharedKeys::of(&functions);
            for function in &functions {
                let (found, alone) = (Relation::sharing(function, &shared, renumber), Relation::renumbered(function, renumber));
                prop_assert_eq!(found.n_rows(), alone.n_rows());
                for column in 0..function.arity() {
                    prop_assert_eq!(found.column(column), alone.column(column));
                    prop_assert_eq!(found.n_distinct(column), alone.n_distinct(column));
                    for value in (0..13).map(id) {
                        let rows = |relation: &Relation| relation.rows_with(column, value).iter().collect::<Vec<_>>();
                        prop_assert_eq!(rows(&found), rows(&alone));
                    }
                }
            }
        }
    }
}
