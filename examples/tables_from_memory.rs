//! Learns from tables in memory, with keys and times: cross-validates, explains a row, and ends a long search.
#![expect(clippy::print_stdout, reason = "an example shows what it finds")]

use gleaner::{Cancel, Context, Dataset, Error, Event, Learner, ScoringOptions, Table, Values, Watcher};

pub(crate) fn main() -> Result<(), Error> {
    // Of 120 customers with three orders each, those come back who bought a gift before the first of June, day 19,875.
    let kind = |order: i32| if order * order % 13 == 1 { "gift" } else { "book" };
    let day = |order: i32| 19_800 + order * 7 % 100;
    let is_back = |of: i32| (of * 3..of * 3 + 3).any(|at| kind(at) == "gift" && day(at) < 19_875);
    let customers = Table::new("customers").column("id", Vec::from_iter(0..120)).key(&["id"]);
    let orders = Table::new("orders")
        .column("customer", Vec::from_iter((0..360).map(|order| order / 3)))
        .column("day", Values::Date((0..360).map(day).map(Some).collect()))
        .column("kind", Vec::from_iter((0..360).map(kind)))
        .foreign_key(&["customer"], "customers")
        .row_time("day");
    let labels = Table::new("labels")
        .column("customer", Vec::from_iter(0..120))
        .column("as_of", vec!["2024-06-01"; 120])
        .column("back", Vec::from_iter((0..120).map(is_back)))
        .foreign_key(&["customer"], "customers")
        .row_time("as_of");
    let data = Dataset::reader([customers, orders, labels]).label("labels.back").open()?;
    let learner = Learner::named("rdn-boost")?.with("rounds", 5)?;
    println!("{}", learner.cross_validate(&data)?);
    let model = learner.fit(&data)?;
    let predictions = model.predict(&data)?;
    println!("{:?} {:?}", predictions.texts("customer"), predictions.numbers("probability"));
    println!(
        "{}",
        model.explain(&data, &predictions.scores()?.ranked()[0].example, &ScoringOptions::default())?
    );
    let cancel = Cancel::new();
    let context = Context::default().cancelled_by(&cancel);
    let watcher = Watcher::new(move |event| {
        let _ = matches!(event, Event::SeedsDone(_)).then(|| cancel.cancel());
    });
    let long = Learner::named("gleaner")?.with("seeds", 100_000)?.within(&context.watched_by(&watcher));
    println!("cut short: {}", long.fit(&data)?.is_cut_short());
    Ok(())
}
