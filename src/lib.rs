//! Relational learning on skewed data: readable first-order clauses, honest precision-recall curves.
//!
//! gleaner takes relational facts, rules, modes and labelled examples, and learns ensembles of
//! clauses. Rules are run to a fixpoint on a Datalog engine; clauses are evaluated as joins that
//! yield bitmaps of covered examples, so that recall bins and "at least L of K" are bitset
//! operations.
//!
//! # The way of the data
//!
//! ```text
//! files ──► syntax ──► program ──► relation ⇄ datalog ──► Background (frozen, indexed)
//!           (text→AST)  (names,      (columns,   (rules →        │
//!                        clauses)     indices)    facts)         ▼
//!    modes + a seed example ──► bias ──► BottomClause ──► search ⇄ coverage ──► ExampleSets
//!                                                          │ observers see every evaluated clause
//!                                                       learn ──► Model: example ─► score
//!                                                          │
//!                         eval (curves, areas, folds) ──► experiment ──► report ──► cli
//! ```
//!
//! # Example
//!
//! ```
//! use gleaner::experiment::{SplitRequest, default_settings, load, run, splits};
//! use gleaner::learn::{RunContext, Silent};
//! use gleaner::{base::Budget, problem::LoadRequest, syntax::Sources};
//!
//! let request = LoadRequest { path: "fixtures/university".into(), ..LoadRequest::default() };
//! let problem = load(&request, &mut Sources::new()).expect("the fixture is well formed").problem;
//! let mut settings = default_settings();
//! settings.set("clauses", "200")?;
//! settings.set("seeds", "5")?;
//! let split_request = SplitRequest { n_folds: 5, group: None, tune_share: 0.25, rng_seed: 1 };
//! let runs = splits(&problem, &split_request)?;
//! let budget = Budget::unlimited();
//! let context = RunContext { budget: &budget, rng_seed: 1, monitor: &Silent, cover_bytes: 64 << 20 };
//! let result = run(&problem, &settings, &runs[0], &context);
//! assert!(result.metrics.auc_pr > result.metrics.prevalence);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Sources
//!
//! Docs cite these by key; `DIVERGENCE:` marks where we depart from one, and why.
//!
//! - GLEANER: M. Goadrich, *Learning Ensembles of First-Order Clauses That Optimize Precision-Recall
//!   Curves*, PhD thesis, University of Wisconsin–Madison, 2007. Every bare § refers to it: §2.2 for
//!   curves, §3.1 for the algorithm, §5 for the experiments.
//! - PRCURVE: J. Davis, M. Goadrich, *The Relationship Between Precision-Recall and ROC Curves*, ICML
//!   2006: interpolation and the achievable curve.
//! - DIRECTED: L. Oliphant, J. Shavlik, *Using Bayesian Networks to Direct Stochastic Search in
//!   Inductive Logic Programming*, ILP 2007: which clause to evaluate next.
//! - GLEANERSRL: M. Goadrich, J. Shavlik, *Combining Clauses with Various Precisions and Recalls to
//!   Produce Accurate Probabilistic Estimates*, ILP 2007: clauses as features, equal rows as one.
//! - PRANKBOOST: L. Oliphant, E. Burnside, J. Shavlik, *Boosting First-Order Clauses for Large, Skewed
//!   Data Sets*, ILP 2009: Table 1 for the rounds, §3 and §6 for what a round keeps, §4 for its area.

pub mod base;
pub mod bias;
pub mod cli;
pub mod coverage;
pub mod datalog;
pub mod eval;
pub mod experiment;
pub mod generate;
pub mod learn;
pub mod ml;
pub mod problem;
pub mod program;
pub mod relation;
pub mod report;
pub mod search;
pub mod store;
pub mod syntax;

/// The programs of the guide run as tests; its commands run in `tests/docs.rs`.
#[cfg(doctest)]
#[doc = include_str!("../docs/library.md")]
struct Guide;
