//! Makes clauses Boolean features in an `ndarray`, for another library to learn from.
//!
//! `cargo run --release --example features_to_ndarray`

#![expect(clippy::print_stdout, reason = "an example shows what it finds")]

use gleaner::{Dataset, Error, Learner};
use ndarray::{Array2, Axis};

pub(crate) fn main() -> Result<(), Error> {
    let data = Dataset::open("fixtures/university")?;
    let model = Learner::named("gleaner")?.with("clauses", 200)?.with("seeds", 5)?.fit(&data)?;
    let mut clauses = model.clauses();
    clauses.sort_unstable();
    clauses.dedup();

    let table = data.features(&clauses, None)?;
    let shape = (table.examples.len(), table.clauses.len());
    let features = Array2::from_shape_vec(shape, table.dense()).expect("a value for each row and column");
    let n_covered = features.mapv(usize::from).sum_axis(Axis(0));
    println!("{} examples, {} clauses", shape.0, shape.1);
    for (clause, n) in table.clauses.iter().zip(&n_covered).take(5) {
        println!("{n} examples: {clause}");
    }
    Ok(())
}
