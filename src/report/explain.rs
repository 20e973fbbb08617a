//! Why an example has its score, as a document and as events.

use serde_json::{Map, Value as Json, json};

use crate::experiment::loading::load::marked_sentences;
use crate::experiment::runs::counted_rows::CountedRows;
use crate::experiment::scoring::explain::{Asked, Binding, Explained};
use gleaner_base::{ConstantId, VariableId};
use gleaner_data::Problem;
use gleaner_lang::program::display::{clause_text, literal_text, variable_name};
use gleaner_lang::program::{Clause, Term};
use gleaner_learn::Explanation;
use gleaner_learn::shown::{Extent, Part, Reading, WayTest, percent, signed};

use super::answer::EVENTS_VERSION;
use super::document::{Column, Document, Table};
use super::fitted::Words;
use super::reasons::fact_text;
use super::ways::{self, Sum};
use super::{model_text, wrapped};

/// Rounds or clauses that are shown, unless all are asked for.
pub const N_SHOWN: usize = 20;
/// Columns before the bindings of a clause's variables.
const BINDING_INDENT: usize = 8;
const COLUMNS: usize = 80;
/// Columns before the rules of the model in short.
const RULE_INDENT: usize = 4;

/// An explanation with all that it is about.
#[derive(Clone, Copy, Debug)]
pub struct Report<'a> {
    /// The problem.
    pub problem: &'a Problem,
    /// The name of the model's learner.
    pub learner: &'a str,
    /// The example.
    pub asked: &'a Asked,
    /// The explanation of the example.
    pub explained: &'a Explained,
    /// What the tables of a database meant, if the model is of one: its clauses have words.
    pub schema: Option<&'a str>,
    /// Whether all rounds or clauses are shown; events have all.
    pub shows_all: bool,
}

impl Report<'_> {
    /// The whole explanation.
    pub fn document(&self) -> Document {
        let explanation = &self.explained.explanation;
        let score = match explanation.greatest {
            Some(greatest) => format!("score {:.4} of at most {greatest:.4}", explanation.score),
            None => format!("score {:.4}", explanation.score),
        };
        let mut document = Document::new();
        document.line(self.example());
        document.line(self.origin());
        for sentence in self.sentences() {
            let lines = wrapped(sentence.split_whitespace().map(str::to_owned), COLUMNS);
            lines.into_iter().for_each(|line| document.line(line));
        }
        document.gap();
        let words = Words::of(self.schema);
        document.extend(self.first(&words));
        document.lines(&format!("{score}{}", explanation.text));
        for table in &explanation.tables {
            document.extend(model_text::table(table, &Reading::default(), &Words::of(None), Extent::Whole));
        }
        document.extend(self.parts(&words));
        document.extend_apart(self.sums(&words));
        document.extend_apart(self.what_if());
        document.extend_apart(self.alike(&words));
        if self.has_words(&words) && !self.shows_all {
            document.line("⁅all⁆ shows the clauses, and the rows that they are of");
        }
        document
    }

    /// The facts without which the example would not be called positive.
    fn what_if(&self) -> Document {
        let mut document = Document::new();
        let Some(found) = &self.explained.what_if else {
            if self.explained.explanation.decision && self.problem.labels().are_decided() {
                document.line("no few facts were found without which it would be called negative");
            }
            return document;
        };
        let facts = match found.facts.len() {
            1 => "this fact".to_owned(),
            n => format!("these {n} facts"),
        };
        document.line(format!("without {facts} it would be called negative:"));
        let fact = Column::code("").after(RULE_INDENT).named("fact");
        document.table(Table::new([fact]).with_rows(self.facts_without().into_iter().map(|fact| [fact])));
        match (found.facts.len(), found.is_least) {
            (1, _) => {}
            (_, true) => document.line("no single fact of its proofs would do"),
            (_, false) => document.line("each of them is needed"),
        }
        document
    }

    /// The example that is most alike, but called otherwise, and what tells the two apart.
    fn alike(&self, words: &Words) -> Document {
        let mut document = Document::new();
        let Some(alike) = &self.explained.alike else { return document };
        let otherwise = if self.explained.explanation.decision { "negative" } else { "positive" };
        document.line(format!("most alike, but called {otherwise}:"));
        let fact = Column::code("").after(RULE_INDENT).named("example");
        let text = self.problem.example_text(alike.example);
        document.table(Table::new([fact]).with_rows([[text]]));
        document.line(match alike.n_differing {
            1 => "1 clause covers only one of the two".to_owned(),
            n => format!("{n} clauses cover only one of the two"),
        });
        for (which, clause) in [("this", &alike.only_asked), ("that", &alike.only_other)] {
            let Some(clause) = clause else { continue };
            document.line(format!("only {which} one is covered by"));
            let mut said = self.said(clause, None, words, COLUMNS - RULE_INDENT);
            if said.is_empty() {
                said.push(self.clause(clause));
            }
            let column = Column::code("").after(RULE_INDENT).named("clause");
            document.table(Table::new([column]).with_rows(said.into_iter().map(|line| [line])));
        }
        document
    }

    fn alike_json(&self) -> Json {
        let clause = |clause: &Option<Clause>| clause.as_ref().map(|clause| self.clause(clause));
        self.explained.alike.as_ref().map_or(Json::Null, |alike| {
            json!({
                "example": self.problem.example_text(alike.example),
                "differing": alike.n_differing,
                "only_this": clause(&alike.only_asked),
                "only_that": clause(&alike.only_other),
            })
        })
    }

    /// The sentences that the example is about, if the data are of a text.
    fn sentences(&self) -> Vec<String> {
        marked_sentences(self.problem, &self.asked.examples, self.asked.id)
    }

    fn facts_without(&self) -> Vec<String> {
        let facts = self.explained.what_if.iter().flat_map(|found| &found.facts);
        facts.map(|fact| fact_text(fact, self.problem.symbols())).collect()
    }

    /// Whether a clause that is shown has words.
    fn has_words(&self, words: &Words) -> bool {
        let Explained { explanation, telling, .. } = self.explained;
        let parts = explanation.parts.iter().take(N_SHOWN).map(|part| &part.clause);
        let mut clauses = telling.iter().map(|(clause, _)| clause).chain(parts);
        !words.are_none() && clauses.any(|clause| !words.clause(&self.clause(clause), COLUMNS).is_empty())
    }

    /// The answers to a person's first questions: how probable the example is, and which of the few telling rules hold.
    fn first(&self, words: &Words) -> Document {
        let Explained { probability, n_telling, telling, .. } = self.explained;
        let mut document = Document::new();
        if let Some(probability) = probability {
            let word = if self.explained.explanation.decision { "positive" } else { "negative" };
            document.line(format!("{word}; probability {probability:.4} of being positive"));
        }
        if *n_telling > 0 {
            let rules = if *n_telling == 1 { "rule" } else { "rules" };
            document.line(match telling.len() {
                0 => format!("the model in short has {n_telling} {rules}; none holds for it"),
                1 => format!("1 of {n_telling} {rules} of the model in short holds for it:"),
                n => format!("{n} of {n_telling} {rules} of the model in short hold for it:"),
            });
        }
        let rule = Column::code("").after(RULE_INDENT).named("rule");
        let mut table = Table { remark_indent: RULE_INDENT, ..Table::new([rule]) };
        let gap = BINDING_INDENT - RULE_INDENT;
        for (clause, binding) in telling {
            let said = self.said(clause, binding.as_ref(), words, COLUMNS - RULE_INDENT);
            let below = self.below(clause, binding.as_ref(), !said.is_empty());
            let below = below.into_iter().map(|line| format!("{:gap$}{line}", ""));
            let mut lines = said.into_iter();
            let first = lines.next().unwrap_or_else(|| self.clause(clause));
            table.remarked_row([first], lines.chain(below).collect());
        }
        if !table.rows.is_empty() {
            document.table(table);
        }
        if !document.is_empty() {
            document.gap();
        }
        document
    }

    /// An event for each round or clause that speaks for the example, then `done`.
    pub fn events(&self) -> Vec<Json> {
        let explanation = &self.explained.explanation;
        let binding = |at: usize| self.explained.bindings.get(at).and_then(Option::as_ref);
        let mut events: Vec<Json> = (explanation.parts.iter().enumerate())
            .map(|(at, part)| self.part_event(part, binding(at)))
            .collect();
        let shares: Vec<Option<f64>> = explanation.parts.iter().map(|part| part.share).collect();
        let mut done = json!({
            "event": "done",
            "version": EVENTS_VERSION,
            "example": self.example(),
            "listed": self.asked.is_listed,
            "label": self.label(),
            "learner": self.learner,
            "score": explanation.score,
            "probability": self.explained.probability,
            "rules": self.explained.telling.iter().map(|(clause, _)| self.clause(clause)).collect::<Vec<_>>(),
            "greatest": explanation.greatest,
            "least": explanation.least,
            "decision": explanation.decision,
            "confidence": explanation.confidence,
            "shares": shares,
            "negative_without": self.explained.what_if.as_ref().map(|_| self.facts_without()),
            "alike": self.alike_json(),
        });
        if let Some(done) = done.as_object_mut() {
            let sentences = self.sentences();
            if !sentences.is_empty() {
                done.insert("sentences".to_owned(), json!(sentences));
            }
            let sums = self.all_sums(&Words::of(self.schema));
            if !sums.is_empty() {
                let sum = |sum: &Sum| json!({ "about": sum.about, "adds": sum.adds, "tests": sum.n_tests });
                done.insert("sums".to_owned(), sums.iter().map(sum).collect());
            }
            done.extend(explanation.further.clone());
        }
        events.push(done);
        events
    }

    fn part_event(&self, part: &Part, binding: Option<&Binding>) -> Json {
        let mut event = json!({
            "event": self.explained.explanation.noun.one,
            "share": part.share,
            "clause": self.clause(&part.clause),
            "binding": binding.map(|binding| self.binding_json(binding)),
        });
        if let Some(event) = event.as_object_mut() {
            let counted = binding.map_or(&[][..], |binding| &binding.counted);
            if !counted.is_empty() {
                let rows = |it: &CountedRows| json!({"n_rows": it.n_rows, "rows": it.rows});
                event.insert("counted".to_owned(), counted.iter().map(rows).collect());
            }
            if !part.way.is_empty() {
                let test = |test: &WayTest| {
                    let goals = test.literals.iter().map(|of| literal_text(of, self.problem.symbols()));
                    let goals: Vec<String> = goals.collect();
                    json!({ "test": goals.join(", "), "passed": test.passed, "adds": test.adds })
                };
                event.insert("way".to_owned(), part.way.iter().map(test).collect());
            }
            event.extend(part.fields.clone());
        }
        event
    }

    fn example(&self) -> String {
        self.problem.atom_text(self.asked.arguments())
    }

    /// The origin of the example, and the learner that scores it.
    fn origin(&self) -> String {
        let class = match (self.asked.is_listed, self.asked.label()) {
            (false, _) => "no example of the data".to_owned(),
            (true, label) => {
                let class = match (self.number(), label) {
                    (Some(number), _) => format!("an example with the number {number}"),
                    (None, Some(true)) => "a positive".to_owned(),
                    (None, Some(false)) => "a negative".to_owned(),
                    (None, None) => "an example without a label".to_owned(),
                };
                match self.asked.examples.fold(self.asked.id) {
                    Some(fold) => format!("{class} of {}", self.problem.fold_name(fold)),
                    None => class,
                }
            }
        };
        format!("{class}; learner {}", self.learner)
    }

    /// The number of the example, where the target is a number and the data give it.
    fn number(&self) -> Option<f64> {
        self.problem.labels().number(&self.asked.examples, self.asked.id)
    }

    /// The class or the number of the example, if the data give it.
    fn label(&self) -> Json {
        self.number().map_or_else(|| json!(self.asked.label()), |number| json!(number))
    }

    fn n_shown(&self, n_all: usize) -> usize {
        if self.shows_all { n_all } else { n_all.min(N_SHOWN) }
    }

    /// The number of parts that are not shown, and their share of the score, where it is known.
    fn rest(&self, what: &str, shares: &[f64]) -> Option<String> {
        let n_shown = self.n_shown(shares.len());
        if n_shown == shares.len() {
            return None;
        }
        let sum: f64 = shares[n_shown..].iter().sum();
        let together = if sum > 0.0 { format!(", {} together", percent(sum)) } else { String::new() };
        Some(format!("and {} more {what}{together}; ⁅all⁆ shows them", shares.len() - n_shown))
    }

    /// A row for each part that is shown, with the bindings of its variables.
    fn parts(&self, words: &Words) -> Document {
        let mut document = Document::new();
        let explanation = &self.explained.explanation;
        let Explanation { columns, parts, .. } = explanation;
        if parts.is_empty() {
            return document;
        }
        let n_before = columns.iter().map(|column| column.width).sum::<usize>() + 2;
        let columns = model_text::columns(columns, &format!("  {}", explanation.clause_title));
        let mut table = Table { remark_indent: BINDING_INDENT, ..Table::new(columns) };
        for (at, part) in parts[..self.n_shown(parts.len())].iter().enumerate() {
            let binding = self.explained.bindings.get(at).and_then(Option::as_ref);
            let binding = binding.filter(|_| part.covers);
            let said = self.said(&part.clause, binding, words, COLUMNS - BINDING_INDENT);
            let has_words = !said.is_empty();
            let (first, mut remarks) = match &said[..] {
                [] => (format!("  {}", self.clause(&part.clause)), said),
                // One short line stands beside the cells.
                [only] if n_before + only.chars().count() <= COLUMNS => (format!("  {only}"), Vec::new()),
                _ => (String::new(), said),
            };
            if !part.covers {
                remarks.push(match has_words {
                    true => "it votes for the example because this does not hold".to_owned(),
                    false => "it votes for the example because it does not cover it".to_owned(),
                });
            }
            for failed in ways::failed(&part.way, words, self.problem.symbols()) {
                let text = if part.covers { "but not" } else { "nor" };
                let text = format!("{text} {failed}");
                remarks.extend(wrapped(text.split(' ').map(str::to_owned), COLUMNS - BINDING_INDENT));
            }
            remarks.extend(self.below(&part.clause, binding, has_words));
            table.remarked_row(part.cells.iter().cloned().chain([first]), remarks);
        }
        document.table(table);
        let shares: Vec<f64> = parts.iter().map(|part| part.share.unwrap_or(0.0)).collect();
        self.rest(explanation.noun.many, &shares).into_iter().for_each(|line| document.line(line));
        document
    }

    fn all_sums(&self, words: &Words) -> Vec<Sum> {
        let explanation = &self.explained.explanation;
        let ways = explanation.parts.iter().map(|part| part.way.as_slice());
        ways::sums(ways, explanation.score, words, self.problem.symbols())
    }

    /// What tests add over all trees; nothing of models without trees.
    fn sums(&self, words: &Words) -> Document {
        let mut document = Document::new();
        let sums = self.all_sums(words);
        let Some((rest, tests)) = sums.split_last() else { return document };
        document.line("what the outcomes of tests add over all trees, by what they ask about:");
        let columns = [
            Column::number("adds", 10),
            Column::number("tests", 7),
            Column::text("  asks about", 0).named("asks about"),
        ];
        let n_shown = self.n_shown(tests.len());
        let row = |sum: &Sum| {
            let about = sum.about.as_deref().unwrap_or("nothing: the rest of the score");
            let n_tests = sum.about.as_ref().map_or_else(String::new, |_| sum.n_tests.to_string());
            [signed(sum.adds), n_tests, format!("  {about}")]
        };
        let shown = tests[..n_shown].iter().chain([rest]).map(row);
        document.table(Table::new(columns).with_rows(shown));
        if n_shown < tests.len() {
            document.line(format!("and {} more; ⁅all⁆ shows them", tests.len() - n_shown));
        }
        document
    }

    fn clause(&self, clause: &Clause) -> String {
        clause_text(clause, self.problem.symbols())
    }

    /// The words for a clause in lines of so many columns, with the values that the binding gives; empty if there are none.
    fn said(
        &self,
        clause: &Clause,
        binding: Option<&Binding>,
        words: &Words,
        n_columns: usize,
    ) -> Vec<String> {
        let constants = &self.problem.symbols().constants;
        let values = binding.iter().flat_map(|binding| binding.values.iter().enumerate());
        let value = |(variable, value): (usize, &Option<ConstantId>)| {
            Some((variable_name(variable), constants.text((*value)?).to_owned()))
        };
        words.clause_of(&self.clause(clause), &values.filter_map(value).collect(), n_columns)
    }

    /// What stands below a clause: the values of its variables and the rows of its aggregates. Below words, which have the
    /// values, stands nothing, or the clause too if all is shown.
    fn below(&self, clause: &Clause, binding: Option<&Binding>, has_words: bool) -> Vec<String> {
        if has_words && !self.shows_all {
            return Vec::new();
        }
        let mut lines = if has_words { vec![self.clause(clause)] } else { Vec::new() };
        lines.extend(binding.into_iter().flat_map(|binding| self.binding_lines(clause, binding)));
        lines
    }

    /// The values of the variables that the example itself does not give, and the rows that aggregates count; empty if
    /// there are none.
    fn binding_lines(&self, clause: &Clause, binding: &Binding) -> Vec<String> {
        let mut lines = self.value_lines(clause, &binding.values);
        for CountedRows { value, rows, n_rows } in &binding.counted {
            let of = value.map_or_else(|| "counted".to_owned(), |it| variable_name(it.index()));
            let n = if *n_rows == 1 { "1 row".to_owned() } else { format!("{n_rows} rows") };
            lines.push(format!("{of} is of {n}{}", if rows.is_empty() { "" } else { ":" }));
            lines.extend(rows.iter().flat_map(|row| {
                let words = row.split_inclusive(", ").map(|word| word.trim_end().to_owned());
                wrapped(words, COLUMNS - BINDING_INDENT - 2).into_iter().map(|line| format!("  {line}"))
            }));
            if *n_rows > rows.len() && !rows.is_empty() {
                lines.push(format!("  and {} more", n_rows - rows.len()));
            }
        }
        lines
    }

    fn value_lines(&self, clause: &Clause, values: &[Option<ConstantId>]) -> Vec<String> {
        let constants = &self.problem.symbols().constants;
        let of_head =
            |variable: usize| clause.head.arguments.contains(&Term::Variable(VariableId::new(variable)));
        let words: Vec<String> = (values.iter().enumerate())
            .filter(|&(variable, _)| !of_head(variable))
            .filter_map(|(variable, value)| {
                Some(format!("{} = {}", variable_name(variable), constants.text((*value)?)))
            })
            .collect();
        if words.is_empty() {
            return words;
        }
        let n_words = words.len();
        let words = words.into_iter().enumerate().map(|(at, word)| {
            let begin = if at == 0 { "with " } else { "" };
            format!("{begin}{word}{}", if at + 1 < n_words { "," } else { "" })
        });
        wrapped(words, COLUMNS - BINDING_INDENT)
    }

    /// The values of all variables by name.
    fn binding_json(&self, Binding { values, .. }: &Binding) -> Json {
        let constants = &self.problem.symbols().constants;
        let text = |value: &Option<ConstantId>| json!(value.map(|value| constants.text(value)));
        let entries = values.iter().enumerate().map(|(at, value)| (variable_name(at), text(value)));
        Json::Object(entries.collect::<Map<String, Json>>())
    }
}
