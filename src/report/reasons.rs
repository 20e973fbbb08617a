//! Why examples have their scores, as a table: the parts of the model that speak for each, facts without which it would be
//! called negative, and the example that is most alike but called otherwise.

use std::collections::BTreeMap;

use crate::experiment::reasons::{Kind, Reasons};
use crate::experiment::what_if::Fact;
use gleaner_base::ConstantId;
use gleaner_data::Problem;
use gleaner_lang::program::display::{clause_text, literal_text, variable_name};
use gleaner_lang::program::{Atom, Clause, Literal, Symbols, Term};
use gleaner_learn::explanation::Part;

use super::csv_tables::{number, table};
use super::words::Words;

/// `example,kind,share,text`: several rows for each example. The kinds are `reason`, `reasons`, `negative_without`,
/// `alike`, `differing`, `only_this` and `only_alike`.
#[must_use]
pub fn csv(reasons: &[Reasons], problem: &Problem) -> String {
    let writer = Writer { problem, words: Words::of(problem.schema.as_deref()) };
    table(&["example", "kind", "share", "text"], reasons.iter().flat_map(|of| writer.rows(of)))
}

/// A fact as text.
pub(super) fn fact_text((predicate, arguments): &Fact, symbols: &Symbols) -> String {
    let arguments = arguments.iter().copied().map(Term::Constant).collect();
    literal_text(&Literal::Positive(Atom { predicate: *predicate, arguments }), symbols)
}

struct Writer<'p> {
    problem: &'p Problem,
    words: Words,
}

impl Writer<'_> {
    fn rows(&self, of: &Reasons) -> Vec<Vec<String>> {
        let example = self.problem.example_text(of.example);
        let mut rows = Vec::new();
        let mut push = |kind: Kind, share: Option<f64>, text: String| {
            rows.push(vec![example.clone(), kind.name().to_owned(), number(share), text]);
        };
        for (part, binding) in &of.parts {
            let values = binding.as_ref().map_or(&[][..], |binding| &binding.values);
            push(Kind::Reason, part.share, self.reason(part, values));
        }
        push(Kind::Reasons, None, of.n_parts.to_string());
        for fact in of.what_if.iter().flat_map(|found| &found.facts) {
            push(Kind::NegativeWithout, None, fact_text(fact, &self.problem.symbols));
        }
        if let Some(alike) = &of.alike {
            push(Kind::Alike, None, self.problem.example_text(alike.example));
            push(Kind::Differing, None, alike.n_differing.to_string());
            for (kind, clause) in [(Kind::OnlyThis, &alike.only_asked), (Kind::OnlyAlike, &alike.only_other)]
            {
                clause.iter().for_each(|clause| push(kind, None, self.conditions(clause, &[])));
            }
        }
        rows
    }

    fn reason(&self, part: &Part, values: &[Option<ConstantId>]) -> String {
        let conditions = self.conditions(&part.clause, values);
        if part.covers { conditions } else { format!("this does not hold: {conditions}") }
    }

    /// The body of a clause with these values: in words where the data have some, else as literals, each once.
    fn conditions(&self, clause: &Clause, values: &[Option<ConstantId>]) -> String {
        let symbols = &self.problem.symbols;
        let named = values.iter().enumerate().filter_map(|(variable, value)| {
            Some((variable_name(variable), symbols.constants.text((*value)?).to_owned()))
        });
        let named: BTreeMap<String, String> = named.collect();
        let said = self.words.clause_of(&clause_text(clause, symbols), &named, usize::MAX);
        if !said.is_empty() {
            return said.join(" ");
        }
        let mut filled = |term: Term| match term {
            Term::Variable(variable) => {
                values.get(variable.index()).copied().flatten().map_or(term, Term::Constant)
            }
            Term::Constant(_) | Term::Any => term,
        };
        let mut literals: Vec<String> = Vec::with_capacity(clause.body.len());
        for literal in &clause.body {
            let text = literal_text(&literal.map_terms(&mut filled), symbols);
            if !literals.contains(&text) {
                literals.push(text);
            }
        }
        if literals.is_empty() { "always".to_owned() } else { literals.join(", ") }
    }
}
