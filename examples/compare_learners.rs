//! Cross-validates two learners on the same folds, and says whether they differ.
//!
//! `cargo run --release --example compare_learners`

#![expect(clippy::print_stdout, reason = "an example shows what it finds")]

use gleaner::{Dataset, Error, Learner, ValidationOptions};

pub(crate) fn main() -> Result<(), Error> {
    let data = Dataset::open("fixtures/university")?;
    println!("{}", data.inspect()?);

    let rules = Learner::named("gleaner")?.with("clauses", 200)?.with("seeds", 5)?;
    let boosted = Learner::named("prankboost-clause")?.with("rounds", 5)?;
    let both = [("rules", &rules), ("boosted", &boosted)];
    let validation = rules.validate(&data, &both, &ValidationOptions::default())?;
    for ((name, folds), accuracy) in validation.learners().zip(validation.means("accuracy")) {
        let areas: Vec<Option<f64>> = folds.iter().map(|fold| fold.metric("auc_pr")).collect();
        println!("{name}: areas {areas:.3?}, mean accuracy {accuracy:.3?}");
    }
    println!("{validation}");

    println!("{}", rules.why(&data, "advisedby(A,B) :- publication(C,A), publication(C,B).", None)?);
    Ok(())
}
