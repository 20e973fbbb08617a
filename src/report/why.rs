//! The answer of `why` as text and as events.

use std::fmt::Write;

use serde_json::{Value as Json, json};

use crate::bias::admission::{ClauseFault, Obstacle, Verdict};
use crate::experiment::why::{Answer, BoundFault, Reach, SetCounts, Step};
use crate::learn::gleaner::GleanerConfig;
use crate::problem::Problem;
use crate::program::display::{argument_text, mode_declaration};
use crate::program::lower::Variables;
use crate::program::mode::{ArgumentMode, ModeSubject};
use crate::program::settings::nearest;
use crate::program::{Clause, Literal, PredicateName, Symbols};
use crate::search::Score;
use crate::syntax::{Place, Sources};

use super::text::cut_name;
use super::{metric, wrapped};

/// The clause that was asked about, as it was written.
#[derive(Clone, Copy, Debug)]
pub struct Asked<'a> {
    /// The whole clause on one line.
    pub text: &'a str,
    /// Each body literal.
    pub literals: &'a [String],
    /// The names of its variables.
    pub variables: &'a Variables,
    /// What was read.
    pub clause: &'a Clause,
}

/// An answer with all that it is about.
#[derive(Clone, Copy, Debug)]
pub struct Report<'a> {
    /// The problem.
    pub problem: &'a Problem,
    /// Its symbols, and the constants of the clause.
    pub symbols: &'a Symbols,
    /// Its files.
    pub sources: &'a Sources,
    /// The settings that learning would have.
    pub config: &'a GleanerConfig,
    /// The clause.
    pub asked: Asked<'a>,
    /// What was found.
    pub answer: &'a Answer,
    /// Lost positives that are named for each literal.
    pub n_examples: usize,
}

impl Report<'_> {
    /// The whole answer for a terminal.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = format!("{}\n\n{}\n", self.asked.text, self.language_line());
        for fault in self.clause_faults() {
            let _ = writeln!(text, "     {fault}");
        }
        for position in 0..self.asked.literals.len() {
            let _ = writeln!(text, "{:>3}  {}", position + 1, self.asked.literals[position]);
            for line in self.admission_lines(position) {
                let _ = writeln!(text, "     {line}");
            }
        }
        text.push_str(&self.written_order());
        text.push_str(&self.reach_line());
        let _ = write!(text, "\n{}{}\n", self.set_table(), self.acceptance());
        if !self.asked.literals.is_empty() {
            let _ = write!(text, "\n{}", self.step_table());
        }
        text
    }

    /// An event for each literal, then `done`.
    #[must_use]
    pub fn events(&self) -> Vec<Json> {
        let mut events: Vec<Json> = (0..self.asked.literals.len()).map(|at| self.literal_event(at)).collect();
        let answer = self.answer;
        let order: Vec<usize> = answer.admission.order.iter().map(|position| position + 1).collect();
        let sets: serde_json::Map<String, Json> =
            answer.sets.iter().map(|set| (set.name.to_owned(), self.set_json(set))).collect();
        let reach = answer.reach.as_ref();
        let seeds = reach
            .map(|reach| json!({ "tried": reach.n_tried, "reached": reach.n_reached, "open": reach.n_open }));
        events.push(json!({
            "event": "done",
            "version": 1,
            "clause": self.asked.text,
            "in_language": self.is_in_language(),
            "faults": self.clause_faults(),
            "order": order,
            "literals": self.asked.clause.n_literals(),
            "depth": answer.admission.depth(),
            "bounds": {
                "max_literals": self.config.max_literals,
                "depth": self.config.saturation.depth,
                "min_pos": self.config.limits.min_positives,
                "min_precision": self.config.limits.min_precision,
                "min_tune_pos": self.config.min_tune_positives,
            },
            "sets": sets,
            "head": { "tp": answer.head.true_positives, "fp": answer.head.false_positives },
            "acceptable": answer.bound_faults.is_empty(),
            "bound_faults": self.bound_faults(),
            "seeds": seeds,
        }));
        events
    }

    fn is_in_language(&self) -> bool {
        self.answer.is_in_language(self.config.saturation.depth)
    }

    fn language_line(&self) -> String {
        let (n_literals, most) = (self.asked.clause.n_literals(), self.config.max_literals);
        let (depth, deepest) = (self.answer.admission.depth(), self.config.saturation.depth);
        let is_in = if self.is_in_language() { "yes" } else { "no" };
        format!(
            "in the language: {is_in}; {n_literals} literals of at most {most}, depth {depth} of at most {deepest}"
        )
    }

    fn variable(&self, variable: crate::base::VariableId) -> &str {
        self.asked.variables.name(variable)
    }

    fn clause_faults(&self) -> Vec<String> {
        let head = &self.problem.modes.head.arguments;
        let mode = |argument: usize| argument_text(head[argument], &self.problem.symbols);
        let text = |fault: &ClauseFault| match *fault {
            ClauseFault::HeadConstant(argument) => format!(
                "head: argument {} is a constant; the mode has a variable, {}",
                argument + 1,
                mode(argument)
            ),
            ClauseFault::HeadVariable(argument) => format!(
                "head: argument {} is a variable; the mode has a constant, {}",
                argument + 1,
                mode(argument)
            ),
            ClauseFault::HeadTypes(argument, variable) => format!(
                "head: argument {}, {}, is of another type before; the mode has {}",
                argument + 1,
                self.variable(variable),
                mode(argument)
            ),
            ClauseFault::NoBody => "a clause without a body is not searched".to_owned(),
            ClauseFault::TooLong(most) => {
                format!("{} literals are more than --max-literals {most}", self.asked.clause.n_literals())
            }
        };
        let mut faults: Vec<String> = self.answer.admission.faults.iter().map(text).collect();
        let (depth, deepest) = (self.answer.admission.depth(), self.config.saturation.depth);
        if depth > deepest && !self.is_in_language() {
            faults.push(format!("depth {depth} is more than --depth {deepest}"));
        }
        faults
    }

    /// What the modes say of a literal.
    fn admission_lines(&self, position: usize) -> Vec<String> {
        let mut lines = match &self.answer.admission.literals[position] {
            Verdict::Admitted { modes, depth } => {
                let deepest = self.config.saturation.depth;
                let excess = if *depth > deepest { format!(" (--depth {deepest})") } else { String::new() };
                vec![format!("depth {depth}{excess} by {}", self.mode(modes[0])), self.place(modes[0])]
            }
            Verdict::Repeated(first) => vec![format!("not admitted: it repeats literal {}", first + 1)],
            Verdict::NoMode => self.no_mode(position),
            Verdict::Unfit(unfit) => {
                let nearest = &unfit[0];
                let mut lines =
                    vec![format!("not admitted by {}", self.mode(nearest.mode)), self.place(nearest.mode)];
                lines.extend(
                    nearest
                        .obstacles
                        .iter()
                        .map(|obstacle| format!("  {}", self.obstacle(nearest.mode, obstacle))),
                );
                if nearest.obstacles.is_empty() {
                    lines.push("  other literals give its variables other types".to_owned());
                }
                match unfit.len() - 1 {
                    0 => {}
                    1 => lines.push("1 other mode fits no better".to_owned()),
                    n_others => lines.push(format!("{n_others} other modes fit no better")),
                }
                lines
            }
        };
        let step = &self.answer.steps[position];
        if let Some((limit, n_answers)) = step.cut {
            lines.push(format!(
                "warning: the mode takes {limit} of a call's answers, and a call has up to {n_answers}"
            ));
        }
        lines.extend(self.unknown_constants(position, step));
        lines
    }

    fn mode(&self, mode: usize) -> String {
        mode_declaration(&self.problem.modes.body[mode], &self.problem.symbols)
    }

    fn place(&self, mode: usize) -> String {
        format!("at {}", self.written_at(self.problem.mode_places[mode]))
    }

    fn written_at(&self, place: Place) -> String {
        let source = self.sources.get(place.file);
        format!("{}:{}", source.name(), source.line_column(place.span.start).0)
    }

    fn obstacle(&self, mode: usize, obstacle: &Obstacle) -> String {
        let slot = |argument: usize| {
            argument_text(self.problem.modes.body[mode].arguments[argument], &self.problem.symbols)
        };
        let type_name = |argument: usize| {
            let slot: ArgumentMode = self.problem.modes.body[mode].arguments[argument];
            self.problem.symbols.type_name(slot.type_id())
        };
        match *obstacle {
            Obstacle::Constant { argument } => {
                format!("argument {}: a constant, where the mode has {}", argument + 1, slot(argument))
            }
            Obstacle::Variable { argument } => {
                format!("argument {}: a variable, where the mode has {}", argument + 1, slot(argument))
            }
            Obstacle::OtherType { argument, variable, has } => format!(
                "argument {}: {} has type {}, the mode {}",
                argument + 1,
                self.variable(variable),
                self.problem.symbols.type_name(has),
                type_name(argument)
            ),
            Obstacle::NotGiven { argument, variable, is_in_others } => {
                let name = self.variable(variable);
                let why = if is_in_others {
                    format!("only literals that are not admitted have {name}")
                } else {
                    format!("nothing else has {name}")
                };
                format!("argument {}: {} needs a value, and {why}", argument + 1, slot(argument))
            }
            Obstacle::Arithmetic { argument } => format!(
                "the {} side is arithmetic, which no mode makes: put it into a rule",
                if argument == 0 { "left" } else { "right" }
            ),
            Obstacle::SameVariable => "it compares a variable with itself".to_owned(),
        }
    }

    /// That nothing declares a literal, and what is nearest.
    fn no_mode(&self, position: usize) -> Vec<String> {
        let symbols = &self.problem.symbols;
        let (name, wanted) = match &self.asked.clause.body[position] {
            Literal::Positive(atom) => {
                let name = symbols.predicate(atom.predicate).clone();
                let arguments = vec!["+type"; name.arity].join(",");
                (name.clone(), format!("{}({arguments})", name.name))
            }
            Literal::Negative(atom) => {
                let name = symbols.predicate(atom.predicate).clone();
                let arguments = vec!["+type"; name.arity].join(",");
                (name.clone(), format!("\\+ {}({arguments})", name.name))
            }
            Literal::Comparison(comparison) => {
                let symbol = comparison.operator.symbol();
                (PredicateName::new(symbol, 2), format!("+type {symbol} #type"))
            }
        };
        if let Some((_, place)) = self.problem.undetermined.iter().find(|(known, _)| *known == name) {
            return vec![
                format!("not admitted: {name} has a mode but no determination"),
                format!("at {}", self.written_at(*place)),
                format!("add `:- determination({}, {name}).`", self.problem.target()),
            ];
        }
        let mut lines = vec![
            format!("not admitted: no mode is of `{}`", wanted.replace("+type", "…").replace("#type", "…")),
            format!("add `:- modeb(*, {wanted}).` with its types"),
        ];
        let moded: Vec<&PredicateName> = self
            .problem
            .modes
            .body
            .iter()
            .filter_map(|mode| match mode.subject {
                ModeSubject::Relation(predicate) | ModeSubject::Negated(predicate) => {
                    Some(symbols.predicate(predicate))
                }
                ModeSubject::Comparison(_) => None,
            })
            .filter(|known| **known != name)
            .collect();
        if let Some(near) = nearest(&name.name, moded.iter().map(|known| known.name.as_str()))
            && let Some(known) = moded.iter().find(|known| known.name == near)
        {
            lines.push(format!("there is a mode of {known}"));
        }
        lines
    }

    fn unknown_constants(&self, position: usize, step: &Step) -> Vec<String> {
        let constants = &self.symbols.constants;
        let place = match &self.asked.clause.body[position] {
            Literal::Comparison(_) => "no fact has".to_owned(),
            Literal::Positive(atom) | Literal::Negative(atom) => {
                format!("no fact of {} has", self.problem.symbols.predicate(atom.predicate))
            }
        };
        step.unknown_constants
            .iter()
            .map(|unknown| {
                let near = unknown
                    .nearest
                    .map_or_else(String::new, |near| format!("; did you mean {}?", constants.text(near)));
                format!("warning: {place} {}{near}", constants.text(unknown.constant))
            })
            .collect()
    }

    /// The order in which the literals can be called, where that is not as they are written.
    fn written_order(&self) -> String {
        let order = &self.answer.admission.order;
        if order.is_sorted() || !self.answer.admission.is_admitted() {
            return String::new();
        }
        let numbers: Vec<String> = order.iter().map(|position| (position + 1).to_string()).collect();
        format!("     called in the order {}\n", numbers.join(", "))
    }

    fn reach_line(&self) -> String {
        let Some(Reach { n_tried, n_reached, n_open, cuts }) = &self.answer.reach else {
            return String::new();
        };
        if *n_tried == 0 {
            return String::new();
        }
        let mut text = format!(
            "     {n_reached} of {n_tried} positives that it covers have it in their bottom clauses\n"
        );
        if *n_open > 0 {
            let _ = writeln!(text, "     of {n_open} of them that was not found out");
        }
        if *n_reached + *n_open == 0 && cuts.is_empty() {
            let deepest = self.config.saturation.depth;
            text.push_str(if self.answer.admission.depth() > deepest {
                "     nothing else gives its variables in fewer rounds\n"
            } else {
                "     two of its variables have one value there, and are one variable\n"
            });
        }
        if !cuts.is_empty() {
            let names: Vec<&str> = cuts.iter().map(|cut| cut_name(*cut)).collect();
            let _ = writeln!(text, "     those of the others were cut by {}", names.join(" and "));
        }
        text
    }

    fn set_table(&self) -> String {
        let name = self.config.limits.score.to_string();
        // A formula has a line of its own below the table.
        let is_long = name.chars().count() >= SCORE_COLUMNS;
        let mut text = format!(
            "{:<8}{:>10}{:>10}{:>8}{:>8}{:>11}{:>8}{:>17}\n",
            "set",
            "positives",
            "negatives",
            "TP",
            "FP",
            "precision",
            "recall",
            if is_long { "score" } else { &name }
        );
        for set in &self.answer.sets {
            let _ = writeln!(
                text,
                "{:<8}{:>10}{:>10}{:>8}{:>8}{:>11}{:>8}{:>17}",
                set.name,
                set.totals.n_positives,
                set.totals.n_negatives,
                set.counts.true_positives,
                set.counts.false_positives,
                metric(set.score(&Score::Precision, 0)),
                metric(set.recall()),
                metric(self.score(set))
            );
        }
        if is_long {
            let _ = writeln!(text, "score: {name}");
        }
        text
    }

    fn score(&self, set: &SetCounts) -> Option<f64> {
        set.score(&self.config.limits.score, self.asked.clause.n_literals())
    }

    fn bound_faults(&self) -> Vec<String> {
        let name = self.answer.sets[0].name;
        self.answer
            .bound_faults
            .iter()
            .map(|fault| match fault {
                BoundFault::MinPositives(least) => format!("TP on {name} is below --min-pos {least}"),
                BoundFault::MinPrecision(least) => {
                    format!("the precision on {name} is below --min-precision {least}")
                }
                BoundFault::MinTunePositives(least) => format!("TP on tune is below --min-tune-pos {least}"),
            })
            .collect()
    }

    fn acceptance(&self) -> String {
        let limits = &self.config.limits;
        let faults = self.bound_faults();
        if faults.is_empty() {
            let mut text = format!(
                "acceptable: --min-pos {}, --min-precision {}",
                limits.min_positives, limits.min_precision
            );
            if self.is_in_language() {
                text.push_str(
                    "\nnothing keeps `learn` from it: more --clauses or --seeds make it likelier that a\n\
                     search meets it, and of each bin only the best clauses vote",
                );
            }
            return text;
        }
        format!("not acceptable: {}", faults.join(";\n                "))
    }

    /// A row for each literal, and below it what needs words.
    fn step_table(&self) -> String {
        let answer = self.answer;
        let mut text = format!(
            "{:<10}{:>8}{:>18}{:>17}\n",
            format!("on {}:", answer.sets[0].name),
            "up to it",
            "lost by it",
            "without it"
        );
        let columns = ("TP", "FP");
        let _ = writeln!(text, "{0:>10}{1:>8}{0:>10}{1:>8}{0:>9}{1:>8}", columns.0, columns.1);
        let head = answer.head;
        let _ =
            writeln!(text, "{:>10}{:>8}{:37}the head alone", head.true_positives, head.false_positives, "");
        for (position, step) in answer.steps.iter().enumerate() {
            let _ = writeln!(
                text,
                "{:>2}{:>8}{:>8}{:>10}{:>8}{:>9}{:>8}  {}",
                position + 1,
                step.left.true_positives,
                step.left.false_positives,
                step.lost.true_positives,
                step.lost.false_positives,
                step.without.true_positives,
                step.without.false_positives,
                self.asked.literals[position]
            );
            for line in self.step_lines(step) {
                let _ = writeln!(text, "      {line}");
            }
        }
        text
    }

    fn step_lines(&self, step: &Step) -> Vec<String> {
        let mut lines = Vec::new();
        if step.waits {
            lines.push("it waits for values that later literals give".to_owned());
        }
        if step.left.true_positives == 0 && step.lost.true_positives > 0 {
            lines.push("*** no positive is left from here on".to_owned());
        }
        lines.extend(wrapped(self.need(step).split(' ').map(str::to_owned), STEP_COLUMNS));
        if !step.lost_positives.is_empty() && self.n_examples > 0 {
            let shown = self.lost_positives(step);
            let n_more = step.lost_positives.len() - shown.len();
            let words = ["loses".to_owned()].into_iter().chain(shown);
            let more = (n_more > 0).then(|| format!("and {n_more} more"));
            lines.extend(wrapped(words.chain(more), STEP_COLUMNS));
        }
        lines
    }

    fn lost_positives(&self, step: &Step) -> Vec<String> {
        step.lost_positives.iter().take(self.n_examples).map(|&id| self.problem.example_text(id)).collect()
    }

    /// What would change without the literal. A clause never covers less with a literal less.
    fn need(&self, step: &Step) -> String {
        let (with, without) = (self.answer.sets[0].counts, step.without);
        let numbers: Vec<String> = step.needed_by.iter().map(|other| (other + 1).to_string()).collect();
        let it = match numbers.as_slice() {
            [] => "it".to_owned(),
            others => format!("it and {}, which it gives values,", others.join(", ")),
        };
        let grows = |with: usize, without: usize| format!("from {with} to {without}");
        let tp = grows(with.true_positives, without.true_positives);
        let fp = grows(with.false_positives, without.false_positives);
        match (with.true_positives != without.true_positives, with.false_positives != without.false_positives)
        {
            (true, _) if with.true_positives == 0 => {
                format!("without {it} TP grows {tp}, FP {fp}")
            }
            (true, true) => format!("needed: without {it} FP grows {fp}, TP {tp}"),
            (false, true) => format!("needed: without {it} FP grows {fp}, TP stays"),
            (true, false) => format!("harmful: without {it} TP grows {tp}, FP stays"),
            (false, false) if with.true_positives + with.false_positives == 0 => {
                format!("without {it} nothing is covered either")
            }
            (false, false) => format!("not needed: without {it} nothing changes"),
        }
    }

    fn literal_event(&self, position: usize) -> Json {
        let step = &self.answer.steps[position];
        let verdict = &self.answer.admission.literals[position];
        let (mode, depth) = match verdict {
            Verdict::Admitted { modes, depth } => (Some(modes[0]), Some(*depth)),
            _ => (None, None),
        };
        let lines = self.admission_lines(position);
        let faults: Vec<String> = match verdict {
            Verdict::Admitted { .. } => Vec::new(),
            _ => lines.iter().map(|line| line.trim().to_owned()).collect(),
        };
        let pair = |counts: crate::base::Counts| json!({ "tp": counts.true_positives, "fp": counts.false_positives });
        json!({
            "event": "literal",
            "position": position + 1,
            "literal": self.asked.literals[position],
            "admitted": mode.is_some(),
            "mode": mode.map(|mode| self.mode(mode)),
            "place": mode.map(|mode| self.written_at(self.problem.mode_places[mode])),
            "depth": depth,
            "faults": faults,
            "limit": step.cut.map(|(limit, n_answers)| json!({ "limit": limit, "most_answers": n_answers })),
            "unknown_constants": self.unknown_constants(position, step),
            "waits": step.waits,
            "left": pair(step.left),
            "lost": pair(step.lost),
            "lost_positives": self.lost_positives(step),
            "without": pair(step.without),
            "needed_by": step.needed_by.iter().map(|other| other + 1).collect::<Vec<_>>(),
        })
    }

    fn set_json(&self, set: &SetCounts) -> Json {
        json!({
            "positives": set.totals.n_positives,
            "negatives": set.totals.n_negatives,
            "tp": set.counts.true_positives,
            "fp": set.counts.false_positives,
            "precision": set.score(&Score::Precision, 0),
            "recall": set.recall(),
            "score": self.score(set),
        })
    }
}

/// Columns of the table of sets that hold the score.
const SCORE_COLUMNS: usize = 17;

/// Columns that lines below a row of the table have.
const STEP_COLUMNS: usize = 74;
