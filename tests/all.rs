//! All tests that can share a process, as one program: they link once. `cargo test NAME` runs those of a file,
//! as `cargo test cover::`.

mod agreement;
mod best_clause;
mod boosting;
mod budgets;
mod cli;
mod closed_world;
mod compare;
mod compat;
mod compressed;
mod convert;
mod cover;
mod covering;
mod curves;
mod determinism;
mod directed;
mod docs;
mod explain;
mod flags;
mod front_door;
mod hostile_text;
mod kills;
mod layouts;
mod lint;
mod long_rules;
mod manual;
mod messages;
mod nothing_learnt;
mod outputs;
mod predict;
mod quirks;
mod rdf;
mod real_agreement;
mod real_data;
mod resume;
mod scores;
mod searches;
mod settings;
mod show;
mod shown_clauses;
#[cfg(unix)]
mod special_files;
mod support;
mod tidy;
mod variants;
mod why;
