//! Foreign keys that lead in a circle: customers to their last order, and orders to customers.
//!
//! What points to a thing came after it, so keys on a circle say nothing of when rows came to be: they hold what is known
//! now. Rows with times see nothing through them; examples see what existed at their cut-offs.

use gleaner_base::{FixedMap, FixedSet};

use crate::tables::schema::{Kind, Schema};

/// The tables on circles, each with all that it leads to.
#[derive(Debug)]
pub(super) struct Circles(FixedMap<usize, FixedSet<usize>>);

impl Circles {
    /// **Cost**: linear in the foreign keys for each table from which a circle can be reached.
    pub(super) fn new(schema: &Schema) -> Self {
        let tables = 0..schema.tables.len();
        let mut next: FixedMap<usize, Vec<usize>> =
            tables.map(|table| (table, schema.foreign_keys(table).map(|(_, to)| to).collect())).collect();
        // Without those that lead to none of the rest, only tables remain that lead to a circle.
        loop {
            let ends: FixedSet<usize> = next.keys().copied().collect();
            next.retain(|_, to| to.iter().any(|to| ends.contains(to)));
            if next.len() == ends.len() {
                break;
            }
        }
        let reached = |&table: &usize| {
            let (mut reached, mut open) = (FixedSet::default(), vec![table]);
            while let Some(at) = open.pop() {
                let to = next.get(&at).into_iter().flatten().copied();
                open.extend(to.filter(|&to| reached.insert(to)).collect::<Vec<_>>());
            }
            (table, reached)
        };
        Self(next.keys().map(reached).collect())
    }

    fn leads(&self, from: usize, to: usize) -> bool {
        self.0.get(&from).is_some_and(|reached| reached.contains(&to))
    }

    /// Whether a foreign key of a table is on a circle some of whose rows have times.
    pub(super) fn has_timed(&self, (table, column): (usize, usize), schema: &Schema) -> bool {
        let Kind::Foreign(to) = schema.tables[table].columns[column].kind else { return false };
        let is_on_circle = |&at: &usize| self.leads(to, at) && self.leads(at, to);
        self.leads(to, table)
            && self.0.keys().filter(|at| is_on_circle(at)).any(|&at| schema.tables[at].time.is_some())
    }
}
