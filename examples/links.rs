//! Learns rules for all relations of a graph, and ranks the links of its test part.
//!
//! `cargo run --release --example links`

#![expect(clippy::print_stdout, reason = "an example shows what it finds")]

use std::error::Error;
use std::fs;

use gleaner::{Learner, LinkPart, RankAmong};

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    // Families whose fathers have known children, but for the last child of each.
    let (mut train, mut test) = (String::new(), String::new());
    for family in 0..40 {
        train += &format!("father{family}\tmarried_to\tmother{family}\n");
        for child in 0..3 {
            let name = format!("child{family}_{child}");
            train += &format!("mother{family}\tparent_of\t{name}\n{name}\tchild_of\tmother{family}\n");
            let part = if child == 2 { &mut test } else { &mut train };
            *part += &format!("father{family}\tparent_of\t{name}\n");
        }
    }
    let graph = tempfile::tempdir()?;
    fs::write(graph.path().join("train.txt"), train)?;
    fs::write(graph.path().join("test.txt"), test)?;

    let (learner, graph) = (Learner::default(), graph.path());
    println!("{}", learner.cross_validate_links(graph)?);

    let model = learner.fit_links(graph)?;
    println!("{model}");
    let ranks = model.rank(graph, LinkPart::Test, RankAmong::Entities)?;
    println!("MRR {:.3?}", ranks.mrr);
    for ranked in ranks.links.iter().take(3) {
        println!("{}: object at rank {}", ranked.link.join(" "), ranked.of_object);
    }
    Ok(())
}
