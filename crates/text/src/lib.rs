//! From annotated text to a relational learning problem: corpora of documents with entities and relations become facts, modes and
//! examples. [GLEANER §4 and Appendix A]
//!
//! [`read`] reads a corpus of any known format. [`problem`] divides its texts into sentences, tokens and phrases, says
//! which pairs are examples, and writes facts about sentences, with rules that derive from these what stands inside, between,
//! before and after the arguments.

mod analysis;
mod candidates;
mod corpus;
mod facts;
mod formats;
mod problem;
mod program;
mod tags;
mod tokens;

pub use candidates::Candidates;
pub use corpus::{Corpus, Document, Entity, GivenToken, Relation, Sentence};
pub use facts::{FactValue, FoldPart, TextFact};
pub use formats::{is_corpus, is_plainly_corpus, read};
pub use problem::{FoldTexts, TextProblem, TextRequest, TextSummary, pairs_of_phrases, problem};
pub use tokens::word_list;
