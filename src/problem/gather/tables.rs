//! Lines that are no programs: Alchemy's atoms and declarations, triples.

use crate::base::ConstantId;
use crate::program::PredicateName;
use crate::syntax::{Place, Span};

use super::{Reading, Role};
use crate::problem::alchemy::{OddLine, declarations, ground_atoms};
use crate::problem::cells::cell_constant;
use crate::problem::faults;
use crate::problem::triples::triples;

impl Reading<'_> {
    /// A file whose role is not that of a program; false where it is.
    pub(super) fn table(&mut self, text: &str) -> bool {
        match self.file.role {
            Role::Evidence => self.evidence(text),
            Role::Query => self.query(text),
            Role::Declarations => self.declarations(text),
            Role::Triples => self.triples(text, true),
            Role::HiddenTriples => self.triples(text, false),
            _ => return false,
        }
        true
    }

    fn evidence(&mut self, text: &str) {
        for line in ground_atoms(text) {
            match line {
                Ok(atom) if atom.is_false => self.false_atom(atom.name, &atom.arguments, atom.span),
                Ok(atom) => {
                    let row = self.cells(&atom.arguments);
                    self.take_row(atom.name, &row, (Role::Evidence, self.file.fold), atom.span);
                }
                Err(OddLine(span)) => {
                    self.odd_line(span, "a ground atom, as `Follows(A1,A2)` or `!Follows(A1,A3)`");
                }
            }
        }
    }

    /// What is said to be false is a negative example of the target; of other predicates it need not be said.
    fn false_atom(&mut self, name: &str, arguments: &[&str], span: Span) {
        let predicate = PredicateName::new(name, arguments.len());
        if self.gathered.is_query(&predicate) {
            let row = self.cells(arguments);
            self.take_row(name, &row, (Role::Negatives, self.file.fold), span);
        } else {
            self.gathered.false_facts.add(Place::new(self.id, span));
        }
    }

    fn query(&mut self, text: &str) {
        for atom in ground_atoms(text).flatten() {
            let predicate = PredicateName::new(atom.name, atom.arguments.len());
            self.gathered.query.get_or_insert_with(|| predicate.into());
        }
    }

    fn declarations(&mut self, text: &str) {
        let read = declarations(text);
        for (predicate, types, span) in read.predicates {
            self.gathered.declared_types.push((predicate, types, Place::new(self.id, span)));
        }
        if let Some(&first) = read.formulas.first() {
            let fault = faults::ignored_formulas(Place::new(self.id, first), read.formulas.len());
            self.gathered.diagnostics.push(fault);
        }
    }

    /// Of triples that are not known beforehand only the target's are read.
    fn triples(&mut self, text: &str, is_known: bool) {
        for line in triples(text) {
            let Ok(triple) = line else {
                self.odd_line(
                    line.err().unwrap_or_default(),
                    "three cells with tabs between: head, relation, tail",
                );
                continue;
            };
            let is_target = self.gathered.is_query(&PredicateName::new(triple.relation, 2));
            if is_target || is_known {
                let row = self.cells(&triple.arguments);
                let fold = if is_target { self.file.fold } else { None };
                self.take_row(triple.relation, &row, (Role::Evidence, fold), triple.span);
            } else {
                self.gathered.hidden_facts.add(Place::new(self.id, triple.span));
            }
        }
    }

    fn cells(&mut self, cells: &[&str]) -> Vec<ConstantId> {
        cells.iter().map(|cell| cell_constant(cell, &mut self.gathered.symbols)).collect()
    }

    fn odd_line(&mut self, span: Span, accepted: &str) {
        self.gathered.diagnostics.push(faults::odd_line(Place::new(self.id, span), accepted));
    }
}
