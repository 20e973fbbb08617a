//! Learns from facts in memory, and scores people of another data set whose labels nobody knows.
//!
//! `cargo run --release --example facts_in_memory`

#![expect(clippy::print_stdout, reason = "an example shows what it finds")]

use gleaner::{Dataset, Error, Learner, Source, Table};

/// Who pays whom, who is reported, and who is known as a fraud: an account that a reported one pays is suspect.
fn payments(from: &[&str], to: &[&str], reported: &[&str], frauds: Vec<(&str, Option<bool>)>) -> Source {
    let (names, labels): (Vec<&str>, Vec<Option<bool>>) = frauds.into_iter().unzip();
    let tables = [
        Table::new("pays").column("from", from.to_vec()).column("to", to.to_vec()),
        Table::new("reported").column("account", reported.to_vec()),
        Table::new("fraud").column("account", names).column("label", labels),
    ];
    Source::facts(tables).program(
        ":- modeh(1, fraud(+account)). :- modeb(*, pays(-account, +account)). :- modeb(1, reported(+account)).",
    )
}

pub(crate) fn main() -> Result<(), Error> {
    // Account 5n is reported and pays the next, which is a fraud; the others pay each other.
    let names: Vec<String> = (0..100).map(|number| format!("account{number}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let reported: Vec<&str> = names.iter().copied().step_by(5).collect();
    let frauds = names.iter().enumerate().map(|(number, &name)| (name, Some(number % 5 == 1))).collect();
    let known = Dataset::open(payments(&names[..99], &names[1..], &reported, frauds))?;
    let model = Learner::named("gleaner")?.with("clauses", 500)?.with("seeds", 5)?.fit(&known)?;
    println!("{model}\n");

    let asked = payments(&["ann", "cleo"], &["bob", "dan"], &["ann"], vec![("bob", None), ("dan", None)]);
    let scores = model.predict(&Dataset::open(asked)?)?.scores()?;
    for score in scores.ranked() {
        println!("{:.3}  {}", score.score, score.example);
    }
    let [bob, dan] = scores.ranked()[..] else { unreachable!("two accounts were asked for") };
    assert!(bob.example == "fraud(bob)" && bob.score > dan.score);
    Ok(())
}
