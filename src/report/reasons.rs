//! Why examples have their scores, as a table: the parts of the model that speak for each, facts without which it would be
//! called negative, and the example that is most alike but called otherwise.

use std::collections::BTreeMap;

use crate::experiment::classes::mistakes::ClassMistake;
use crate::experiment::loading::load::marked_sentences;
use crate::experiment::records::finished_run::ExplanationRow;
use crate::experiment::scoring::explain::Binding;
use crate::experiment::scoring::reasons::{Kind, Reasons};
use crate::experiment::scoring::what_if::Fact;
use gleaner_base::{ConstantId, ExampleId};
use gleaner_data::Problem;
use gleaner_lang::program::display::{clause_text, literal_text, variable_name};
use gleaner_lang::program::{Atom, Clause, Literal, Symbols, Term};
use gleaner_learn::shown::Part;

use super::csv_tables::{number, table};
use super::fitted::Words;
use super::ways::{self, Sum};

/// `example,kind,share,amount,text`: several rows for each example. The kinds are `sentence`, `reason`, `reasons`, `sum`, `negative_without`,
/// `alike`, `differing`, `only_this` and `only_alike`.
pub fn csv(reasons: &[Reasons], problem: &Problem) -> String {
    let writer = Writer::of(problem);
    let rows = reasons.iter().flat_map(|of| writer.rows(of)).map(|row| {
        vec![row.example, row.kind.name().to_owned(), number(row.share), number(row.amount), row.text]
    });
    table(&["example", "kind", "share", "amount", "text"], rows)
}

/// A test example that is taken for another class, in texts. Of pairs the first is of the class that it is taken for, the
/// second of its own.
pub(crate) struct MistakeTexts {
    /// The name of the variant; empty where there is one.
    pub(crate) variant: String,
    pub(crate) fold: String,
    /// With the class that it is taken for.
    pub(crate) example: String,
    pub(crate) classes: [String; 2],
    pub(crate) probabilities: [f64; 2],
    pub(crate) reasons: [Vec<ExplanationRow>; 2],
}

/// The mistakes of a variant in texts.
pub(crate) fn mistake_texts(
    variant: &str,
    mistakes: &[ClassMistake],
    names: &[String],
    problem: &Problem,
) -> Vec<MistakeTexts> {
    let writer = Writer::of(problem);
    let texts = |of: &ClassMistake| MistakeTexts {
        variant: variant.to_owned(),
        fold: of.fold.clone(),
        example: problem.of_class(of.classes[0]).example_text(of.example),
        classes: of.classes.map(|class| names[class.index()].clone()),
        probabilities: of.probabilities,
        reasons: of.reasons.each_ref().map(|reasons| writer.rows(reasons)),
    };
    mistakes.iter().map(texts).collect()
}

/// `fold,example,predicted,p_predicted,class,p_class,speaks_for,kind,share,amount,text`, after `variant` where there are
/// several: several rows for each example.
pub(crate) fn mistakes_csv(mistakes: &[MistakeTexts], is_several: bool) -> String {
    let names = [
        "fold",
        "example",
        "predicted",
        "p_predicted",
        "class",
        "p_class",
        "speaks_for",
        "kind",
        "share",
        "amount",
        "text",
    ];
    let header: Vec<&str> = is_several.then_some("variant").into_iter().chain(names).collect();
    let rows = mistakes.iter().flat_map(|of| {
        let [predicted, class] = &of.classes;
        let [p_predicted, p_class] = of.probabilities.map(|p| p.to_string());
        let first: Vec<String> = is_several.then(|| of.variant.clone()).into_iter().collect();
        let own =
            [of.fold.clone(), of.example.clone(), predicted.clone(), p_predicted, class.clone(), p_class];
        let first = [first, own.to_vec()].concat();
        let row = move |(class, row): (&String, &ExplanationRow)| {
            let numbers = [row.share, row.amount].map(number);
            let last = [class.clone(), row.kind.name().to_owned()].into_iter().chain(numbers);
            first.iter().cloned().chain(last).chain([row.text.clone()]).collect::<Vec<_>>()
        };
        let rows = of.classes.iter().zip(&of.reasons);
        rows.flat_map(|(class, rows)| rows.iter().map(move |row| (class, row))).map(row)
    });
    table(&header, rows)
}

/// A fact as text.
pub(super) fn fact_text((predicate, arguments): &Fact, symbols: &Symbols) -> String {
    let arguments = arguments.iter().copied().map(Term::Constant).collect();
    literal_text(&Literal::Positive(Atom { predicate: *predicate, arguments }), symbols)
}

/// Writes clauses with the values of a proof.
pub(super) struct Writer<'p> {
    problem: &'p Problem,
    words: Words,
}

impl<'p> Writer<'p> {
    pub(super) fn of(problem: &'p Problem) -> Self {
        Self { problem, words: Words::of(problem.schema()) }
    }

    /// A clause that covers an example.
    pub(super) fn covered(&self, example: ExampleId, clause: &Clause, binding: Option<&Binding>) -> String {
        let values = binding.map_or(&[][..], |binding| &binding.values);
        format!("{} :- {}", self.problem.example_text(example), self.conditions(clause, values))
    }

    fn rows(&self, of: &Reasons) -> Vec<ExplanationRow> {
        let example = self.problem.example_text(of.example);
        let mut rows = Vec::new();
        let mut push = |kind: Kind, [share, amount]: [Option<f64>; 2], text: String| {
            rows.push(ExplanationRow { example: example.clone(), kind, share, amount, text });
        };
        for sentence in marked_sentences(self.problem, self.problem.examples(), of.example) {
            push(Kind::Sentence, [None, None], sentence);
        }
        for (part, binding) in &of.parts {
            push(Kind::Reason, [part.share, part.amount], self.reason(part, binding.as_ref()));
        }
        let mut push = |kind, text| push(kind, [None, None], text);
        push(Kind::Reasons, of.n_parts.to_string());
        rows.extend(self.sums(of, &example));
        let mut push = |kind: Kind, text: String| {
            rows.push(ExplanationRow { example: example.clone(), kind, share: None, amount: None, text });
        };
        for fact in of.what_if.iter().flat_map(|found| &found.facts) {
            push(Kind::NegativeWithout, fact_text(fact, self.problem.symbols()));
        }
        if let Some(alike) = &of.alike {
            push(Kind::Alike, self.problem.example_text(alike.example));
            push(Kind::Differing, alike.n_differing.to_string());
            for (kind, clause) in [(Kind::OnlyThis, &alike.only_asked), (Kind::OnlyAlike, &alike.only_other)]
            {
                clause.iter().for_each(|clause| push(kind, self.conditions(clause, &[])));
            }
        }
        rows
    }

    /// What tests add over all trees, by what they ask about.
    fn sums(&self, of: &Reasons, example: &str) -> Vec<ExplanationRow> {
        let ways = of.ways.iter().map(Vec::as_slice);
        let sums = ways::sums(ways, of.score, &self.words, self.problem.symbols());
        let row = |Sum { about, adds, .. }: Sum| ExplanationRow {
            example: example.to_owned(),
            kind: Kind::Sum,
            share: None,
            amount: Some(adds),
            text: about.unwrap_or_default(),
        };
        sums.into_iter().map(row).collect()
    }

    fn reason(&self, part: &Part, binding: Option<&Binding>) -> String {
        let values = binding.map_or(&[][..], |binding| &binding.values);
        let mut text = self.conditions(&part.clause, values);
        if !part.covers {
            text.insert_str(0, "this does not hold: ");
        }
        let but_not = if part.covers { "; but not " } else { "; nor " };
        for failed in ways::failed(&part.way, &self.words, self.problem.symbols()) {
            text.push_str(but_not);
            text.push_str(&failed);
        }
        text
    }

    /// The body of a clause with these values: in words where the data have some, else as literals, each once.
    fn conditions(&self, clause: &Clause, values: &[Option<ConstantId>]) -> String {
        let symbols = self.problem.symbols();
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
