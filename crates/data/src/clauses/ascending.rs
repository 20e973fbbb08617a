//! Values of aggregates whose ids ascend with the numbers.
//!
//! Sweeps of thresholds follow ids: within a column these ascend with the numbers. The values of an aggregate that is found later are
//! numbers of the data and new ones, in no such order. So they get ids of their own, one after the other.

use gleaner_base::{ConstantId, FixedMap};
use gleaner_lang::program::symbols::Constants;
use gleaner_lang::program::{Number, Rows};

/// The rows of one relation in each world, with values whose ids ascend with the numbers, and the constants with these.
///
/// **Cost**: a pass over the rows, and a sort of their values.
pub(super) fn ascending_values(constants: Constants, of_worlds: &[Rows]) -> (Constants, Vec<Rows>) {
    let value = |row: &[ConstantId]| *row.last().expect("an aggregate has a value");
    let mut values: Vec<ConstantId> = of_worlds.iter().flat_map(|rows| rows.iter().map(value)).collect();
    values.sort_unstable();
    values.dedup();
    let numbers: Option<Vec<(Number, ConstantId)>> =
        values.iter().map(|&value| Some((constants.number(value)?, value))).collect();
    // What is no number has no threshold.
    let Some(mut numbers) = numbers else { return (constants, of_worlds.to_vec()) };
    numbers.sort_by(|left, right| left.0.compare(right.0).then(left.1.cmp(&right.1)));
    let first = constants.len();
    let ids: FixedMap<ConstantId, ConstantId> =
        numbers.iter().enumerate().map(|(at, &(_, value))| (value, ConstantId::new(first + at))).collect();
    let copies: Vec<(String, Number)> =
        numbers.into_iter().map(|(number, value)| (constants.text(value).to_owned(), number)).collect();
    let renumbered = |rows: &Rows| {
        let mut all = Rows::new(rows.arity());
        for row in rows.iter() {
            let (_, groups) = row.split_last().expect("an aggregate has a value");
            all.push(&[groups, &[ids[&value(row)]]].concat());
        }
        all
    };
    let of_worlds = of_worlds.iter().map(renumbered).collect();
    (constants.with_copies(&copies), of_worlds)
}
