//! Evaluates 100,000 clauses of one's own, and shows the best by F1.
//!
//! `cargo run --release --example evaluate_clauses`

#![expect(clippy::print_stdout, reason = "an example shows what it finds")]

use gleaner::{ClauseCounts, Dataset, Error};

/// Literals that bodies are made of; `A` is the student and `B` the adviser.
fn literals() -> Vec<String> {
    let mut literals: Vec<String> = [
        "student(A)",
        "professor(B)",
        "publication(C,A)",
        "publication(C,B)",
        "publication(D,A)",
        "publication(D,B)",
        "tempadvisedby(A,B)",
        "tempadvisedby(E,B)",
        "ta(F,A,G)",
        "taughtby(F,B,G)",
        "taughtby(H,B,G)",
        "next_quarter(G,I)",
        "projectmember(J,A)",
        "projectmember(J,B)",
    ]
    .map(str::to_owned)
    .to_vec();
    let constants = |predicate: &str, variable: &str, constants: &[&str]| -> Vec<String> {
        constants.iter().map(|constant| format!("{predicate}({variable},{constant})")).collect()
    };
    literals.extend(constants("hasposition", "B", &["faculty", "faculty_adjunct", "faculty_emeritus"]));
    literals.extend(constants("inphase", "A", &["pre_quals", "post_quals", "post_generals"]));
    literals.extend((1..=8).map(|year| format!("yearsinprogram(A,year_{year})")));
    literals.extend(constants("courselevel", "F", &["level_300", "level_400", "level_500"]));
    literals
}

/// The clauses of one to five of the literals, the first 100,000 of them.
fn clauses() -> Vec<String> {
    let literals = literals();
    let mut bodies: Vec<Vec<usize>> = vec![Vec::new()];
    let mut at = 0;
    while bodies.len() <= 100_000 {
        let body = bodies[at].clone();
        let first = body.last().map_or(0, |last| last + 1);
        bodies.extend((first..literals.len()).map(|next| [&body[..], &[next]].concat()));
        at += 1;
    }
    bodies
        .into_iter()
        .skip(1)
        .take(100_000)
        .map(|body| {
            let body: Vec<&str> = body.into_iter().map(|literal| literals[literal].as_str()).collect();
            format!("advisedby(A,B) :- {}.", body.join(", "))
        })
        .collect()
}

/// `2 p r / (p + r)`; 0 for a clause that covers nothing.
fn f1(counts: &ClauseCounts) -> f64 {
    match (counts.precision(), counts.recall()) {
        (Some(precision), Some(recall)) if precision + recall > 0.0 => {
            2.0 * precision * recall / (precision + recall)
        }
        _ => 0.0,
    }
}

pub(crate) fn main() -> Result<(), Error> {
    let data = Dataset::open("fixtures/university")?;
    let clauses = clauses();
    let counts = data.evaluate(&clauses)?;
    assert_eq!(counts.len(), 100_000);
    let mut ranked: Vec<(&String, &ClauseCounts)> = clauses.iter().zip(&counts).collect();
    ranked.sort_by(|left, right| f1(right.1).total_cmp(&f1(left.1)));
    for (clause, counts) in ranked.into_iter().take(5) {
        println!(
            "F1 {:.3}, {} TP, {} FP: {clause}",
            f1(counts),
            counts.true_positives,
            counts.false_positives
        );
    }
    Ok(())
}
