//! Learns from facts in memory, and scores people of another data set whose labels nobody knows.
//!
//! `cargo run --release --example facts_in_memory`

#![expect(clippy::print_stdout, reason = "an example shows what it finds")]

use gleaner::{Dataset, DatasetBuilder, Error, Learner};

/// Who pays whom: accounts that are paid by a known fraud are suspect.
fn payments<'p>(builder: &mut DatasetBuilder, payments: impl IntoIterator<Item = (&'p str, &'p str)>) {
    builder.mode("modeh(1, fraud(+account))");
    builder.mode("modeb(*, pays(-account, +account))");
    builder.mode("modeb(1, reported(+account))");
    for (from, to) in payments {
        builder.fact("pays", [from, to]);
    }
}

pub(crate) fn main() -> Result<(), Error> {
    let mut known = Dataset::builder();
    // Account 5n is reported and pays the next two, which are frauds; the others pay each other.
    let names: Vec<String> = (0..100).map(|number| format!("account{number}")).collect();
    payments(&mut known, (0..99).map(|number| (names[number].as_str(), names[number + 1].as_str())));
    for (number, name) in names.iter().enumerate() {
        if number % 5 == 0 {
            known.fact("reported", [name.as_str()]);
        }
        if number % 5 == 1 {
            known.positive("fraud", [name.as_str()]);
        } else {
            known.negative("fraud", [name.as_str()]);
        }
    }
    let model = Learner::named("gleaner")?.with("clauses", 500)?.with("seeds", 5)?.fit(&known.build()?)?;
    println!("{model}\n");

    let mut asked = Dataset::builder();
    payments(&mut asked, [("ann", "bob"), ("cleo", "dan")]);
    asked.fact("reported", ["ann"]);
    asked.unlabelled("fraud", ["bob"]).unlabelled("fraud", ["dan"]);
    let scores = model.predict(&asked.build()?)?.scores()?;
    for score in scores.ranked() {
        println!("{:.3}  {}", score.score, score.example);
    }
    let [bob, dan] = scores.ranked()[..] else { unreachable!("two accounts were asked for") };
    assert!(bob.example == "fraud(bob)" && bob.score > dan.score);
    Ok(())
}
