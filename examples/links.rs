//! Learns rules for all relations of a graph, and ranks its links.
//!
//! `cargo run --release --example links`

#![expect(clippy::print_stdout, reason = "an example shows what it finds")]

use gleaner::{Error, Learner, LinkPart};

pub(crate) fn main() -> Result<(), Error> {
    let graph = "fixtures/graph";
    let learner = Learner::default();
    println!("{}", learner.cross_validate_links(graph)?);

    let model = learner.fit_links(graph)?;
    println!("{model}");
    // The graph has no test part. No link of train proves itself, but its rules were counted on them.
    let ranks = model.rank(graph, LinkPart::Train)?;
    for ranked in ranks.links.iter().take(3) {
        println!("{}: object at rank {}", ranked.link.join(" "), ranked.rank_of_object);
    }
    Ok(())
}
