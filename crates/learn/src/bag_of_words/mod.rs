//! Naive Bayes over bags of words: a baseline without relations. [GLEANER §5.7, Table 5.4]
//!
//! A *bag* is a body mode that has one constant and otherwise inputs, such as `word_between(+mention, +mention, #word)`, with arguments
//! of the target for its inputs. Its *words* are the constants. A clause of one literal says that an example has a word:
//! `related(A, B) :- word_between(A, B, bind)`. The bags of the thesis are, of a text, `word_inside` (two: one for each argument), and
//! with `word_between`, `word_before` and `word_after` five.
//!
//! DIVERGENCE: an example has a word or not, however often it stands there, since facts are sets. Words that train lacks count
//! nothing; the thesis gives them a share of their own, which speaks for the rarer class whatever the word is.

pub mod bags;
pub mod config;
mod held_out;
pub mod learner;
pub mod model;

pub use bags::{Bag, bag_names, bags};
pub use config::{BagNames, BagOfWordsConfig};
pub use learner::BagOfWords;
