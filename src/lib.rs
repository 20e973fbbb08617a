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
//! use gleaner::{Dataset, Learner};
//!
//! let data = Dataset::open("fixtures/university")?;
//! let learner = Learner::named("gleaner")?.with("clauses", 200)?.with("seeds", 5)?;
//! let model = learner.fit_without_fold(&data, 1)?;
//! let predictions = model.predict_fold(&data, 1)?;
//! let metrics = predictions.scores()?.metrics()?;
//! assert!(metrics.auc_pr > metrics.prevalence);
//! println!("{model}");
//! # Ok::<(), gleaner::Error>(())
//! ```
//!
//! [`Dataset`] holds facts, modes and examples, from files or from a [`Table`] or several in memory. [`Learner`] learns a [`Model`],
//! and a model gives [`Predictions`]; what goes wrong is an [`Error`]. The programs in `examples/` show each of them.
//!
//! The feature `cli` is the command line, `parquet` and `sqlite` read files of these kinds, and `tagger` tags words. Without them the
//! library reads everything else, and tables in memory.
//!
//! All modules are internal: they are public for the project's own tests and benchmarks, and may change in any release.
//!
//! # Sources
//!
//! Docs cite these by key; `DIVERGENCE:` marks where we depart from one, and why.
//!
//! - GLEANER: M. Goadrich, *Learning Ensembles of First-Order Clauses That Optimize Precision-Recall
//!   Curves*, PhD thesis, University of Wisconsin–Madison, 2007. Every bare § refers to it: §2.2 for
//!   curves, §3.1 for the algorithm, §5 for the experiments.
//! - PRCURVE: J. Davis, M. Goadrich, *The Relationship Between Precision-Recall and ROC Curves*, ICML
//!   2006: interpolation between operating points.
//! - DIRECTED: L. Oliphant, J. Shavlik, *Using Bayesian Networks to Direct Stochastic Search in
//!   Inductive Logic Programming*, ILP 2007: which clause to evaluate next.
//! - GLEANERSRL: M. Goadrich, J. Shavlik, *Combining Clauses with Various Precisions and Recalls to
//!   Produce Accurate Probabilistic Estimates*, ILP 2007: clauses as features, equal rows as one.
//! - PRANKBOOST: L. Oliphant, E. Burnside, J. Shavlik, *Boosting First-Order Clauses for Large, Skewed
//!   Data Sets*, ILP 2009: Table 1 for the rounds, §3 and §6 for what a round keeps, §4 for its area.
//! - SAYU: J. Davis, E. Burnside, I. de Castro Dutra, D. Page, V. Santos Costa, *An Integrated Approach to
//!   Learning Bayesian Networks of Rules*, ECML 2005: clauses that raise the area on tune.
//! - NFOIL: N. Landwehr, K. Kersting, L. De Raedt, *nFOIL: Integrating Naive Bayes and FOIL*, AAAI 2005.
//! - KFOIL: N. Landwehr, A. Passerini, L. De Raedt, P. Frasconi, *kFOIL: Learning Simple Relational
//!   Kernels*, AAAI 2006.
//! - MLYNX: N. Di Mauro, T. Basile, S. Ferilli, F. Esposito, *mLynx: Relational Mutual Information*: frequent queries as
//!   features, chosen by mutual information.
//! - TILDE: H. Blockeel, L. De Raedt, *Top-down induction of first-order logical decision trees*, Artificial
//!   Intelligence 101, 1998: tests of relational trees, lookahead.
//! - RDNBOOST: S. Natarajan, T. Khot, K. Kersting, B. Gutmann, J. Shavlik, *Gradient-based boosting for statistical
//!   relational learning: the relational dependency network case*, Machine Learning 86, 2012.
//! - SOFTMARGIN: S. Yang, T. Khot, K. Kersting, G. Kunapuli, K. Hauser, S. Natarajan, *Learning from imbalanced data in
//!   relational domains: a soft margin approach*, ICDM 2014.
//! - ANYBURL: C. Meilicke, M. Chekol, D. Ruffinelli, H. Stuckenschmidt, *Anytime Bottom-Up Rule Learning for Knowledge
//!   Graph Completion*, IJCAI 2019: rules for links, their confidence, how the votes of several are joined.
//! - LINKS: A. Bordes, N. Usunier, A. Garcia-Durán, J. Weston, O. Yakhnenko, *Translating Embeddings for Modeling
//!   Multi-relational Data*, NIPS 2013: filtered ranks.

// What reads files of clauses as a stream serves the command line alone.
#![cfg_attr(not(feature = "cli"), expect(dead_code, reason = "the command line uses it"))]

mod api;

pub use api::{
    AccountsConfig, Answer, Argument, ArgumentRole, Cancel, ClauseCounts, Column, Context, Dataset,
    DatasetReader, Domain, Error, EvaluationOptions, Event, Example, FeatureTable, FitOptions, FoldMetrics,
    Learner, LinkPart, LinkRanks, Message, Metrics, MinedQueries, MinedQuery, Model, ModelForm, NewLinkQuery,
    Place, PrPoint, Predictions, ProbabilityMetrics, RankAmong, RankedLink, RunFigure, RunSet, Score,
    ScoreExplanation, ScorePart, ScoreTable, Scores, ScoringOptions, SentencesConfig, SettingInfo,
    ShopConfig, Source, Table, TargetKind, UniversityConfig, Validation, ValidationOptions, Values, Watcher,
    compare_runs, evaluate_table, generate, manual_page, report_page, run_figure,
};

// Internal rooms. Lints look at their documentation; the published documentation shows the front door alone.
#[cfg(feature = "cli")]
#[cfg_attr(not(clippy), doc(hidden))]
pub mod cli;
#[cfg_attr(not(clippy), doc(hidden))]
pub mod experiment;
#[cfg_attr(not(clippy), doc(hidden))]
#[cfg_attr(not(feature = "cli"), expect(unused_imports, reason = "the command line uses them"))]
pub mod jobs;
#[cfg_attr(not(clippy), doc(hidden))]
pub mod report;
#[cfg_attr(not(clippy), doc(hidden))]
pub mod store;

/// The programs of the guide run as tests; its commands run in `tests/docs.rs`.
#[cfg(doctest)]
#[doc = include_str!("../docs/library.md")]
struct Guide;
