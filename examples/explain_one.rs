//! Learns from vectors, cross-validates, explains one score, and ends a long search after two seconds with what it found.

#![expect(clippy::print_stdout, reason = "an example shows what it finds")]
#![expect(clippy::disallowed_methods, reason = "a program of its own looks at the clock")]

use std::time::{Duration, Instant};

use gleaner::{Cancel, Context, Dataset, Error, Event, Learner, Value, Watcher};

pub(crate) fn main() -> Result<(), Error> {
    // A person is trusted who knows somebody of fifty or more.
    let people: Vec<(String, u32)> = (0..90).map(|at| (format!("p{at}"), 20 + at * 7 % 45)).collect();
    let mut builder = Dataset::builder();
    builder.mode("modeh(1, trusted(+person))").mode("modeb(*, knows(+person, -person))");
    builder.mode("modeb(1, age(+person, -age))").mode("modeb(1, +age >= #age)");
    for (at, (person, age)) in people.iter().enumerate() {
        let (friend, age_of_friend) = &people[(at * 11 + 5) % people.len()];
        builder.fact("knows", [person, friend]).fact("age", [Value::from(person), (*age).into()]);
        if *age_of_friend >= 50 {
            builder.positive("trusted", [person]);
        } else {
            builder.negative("trusted", [person]);
        }
    }
    let data = builder.build()?;

    let learner = Learner::named("srl")?.with("seeds", 10)?.with("clauses", 500)?;
    println!("mean area over five folds: {:?}", learner.cross_validate(&data)?.auc_pr());
    let model = learner.fit(&data)?;
    println!("{}", model.explain(&data, "trusted(p3)")?);

    let cancel = Cancel::new();
    let (begun, at_two_seconds) = (Instant::now(), cancel.clone());
    let watcher = Watcher::new(move |event| {
        if matches!(event, Event::SeedsDone(_)) && begun.elapsed() >= Duration::from_secs(2) {
            at_two_seconds.cancel();
        }
    });
    let context = Context::default().cancelled_by(&cancel).watched_by(&watcher);
    let long = Learner::named("gleaner")?.with("seeds", 100_000)?.within(&context);
    let best_so_far = long.fit(&data)?;
    println!("cut short: {}, {} clauses", best_so_far.is_cut_short(), best_so_far.clauses().len());
    Ok(())
}
