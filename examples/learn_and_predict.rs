//! Learns from files without one fold, predicts that fold, and saves the model.
//!
//! `cargo run --release --example learn_and_predict`

#![expect(clippy::print_stdout, reason = "an example shows what it finds")]

use gleaner::{Dataset, Error, Learner, Model};

pub(crate) fn main() -> Result<(), Error> {
    let data = Dataset::open("fixtures/university")?;
    println!("{data}");

    let learner = Learner::named("gleaner")?.with("clauses", 1_000)?.with("seeds", 10)?;
    let model = learner.fit_without_fold(&data, 1)?;
    println!("{model}\n");

    let predictions = model.predict_fold(&data, 1)?;
    let scores = predictions.scores()?;
    for score in scores.ranked().into_iter().take(5) {
        println!("{:.3}  {:<34}{:?}", score.score, score.example, score.label);
    }
    let metrics = scores.metrics()?;
    let shown = |value: Option<f64>| value.map_or_else(|| "n/a".to_owned(), |value| format!("{value:.3}"));
    println!("area {}, of a random ranking {}", shown(metrics.auc_pr), shown(metrics.prevalence));

    let path = std::env::temp_dir().join("gleaner-university.json");
    model.save(&path)?;
    let again = Model::load(&path)?.predict_fold(&data, 1)?;
    assert_eq!(again, predictions, "a model that is loaded scores the same");
    Ok(())
}
