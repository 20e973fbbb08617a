//! Synthetic relational problems, two of the shape of well-known ones, with rules planted in them.
//!
//! A generator first creates a relational world. Then a few planted rules decide which examples are positive, and a
//! stated amount of noise changes labels. The result is plain data ([`Generated`]): texts of files in the project's
//! layout, and the planted clauses. A [`Shop`] is a database that may be too large for that, and writes its tables row by
//! row. No code here reads a clause back: each generator has separate code for the covers of its rules. So an evaluation
//! of the planted clauses compares two independent computations.
//!
//! Randomness comes only from [`gleaner_base::random`], and no result depends on hash order, so a configuration
//! always gives the same bytes.

mod accounts;
mod generated;
mod sentences;
mod shop;
mod university;

pub use accounts::{AccountsConfig, accounts};
pub use generated::{GenerateError, Generated, GeneratedFile};
pub use sentences::{SentencesConfig, sentences};
pub use shop::{Shop, ShopConfig, ShopExample, shop};
pub use university::{UniversityConfig, university};

use generated::{FactText, modes_text, nearest};

#[cfg(test)]
mod naive;
