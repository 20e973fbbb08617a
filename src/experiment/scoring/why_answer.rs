//! The answer of `why` in names and words, as data that serialise to events.

use std::collections::BTreeMap;

use serde::Serialize;

use gleaner_base::{Counts, PredicateId};
use gleaner_data::Problem;
use gleaner_data::clauses::WrittenClause;
use gleaner_engine::bias::LimitCut;
use gleaner_engine::bias::admission::{ClauseFault, Obstacle, Verdict};
use gleaner_engine::search::Score;
use gleaner_lang::program::clause::ObjectIdentity;
use gleaner_lang::program::display::{argument_text, mode_declaration};
use gleaner_lang::program::mode::ArgumentMode;
use gleaner_lang::program::settings::nearest;
use gleaner_lang::program::{Comparison, Expression, Literal, PredicateName, Symbols, Term};
use gleaner_lang::syntax::Sources;
use gleaner_lang::syntax::marks::{Wording, worded};
use gleaner_learn::gleaner::GleanerConfig;

use crate::experiment::scoring::why::{BoundFault, Findings, SetCounts, Step};

/// The report on a clause: whether searches can reach it, and which examples it covers.
#[derive(Clone, Debug, Serialize)]
pub struct WhyAnswer {
    /// The clause on one line.
    pub clause: String,
    /// Whether a search may meet it, as far as is known.
    pub in_language: bool,
    /// The faults that keep the whole clause out of the language.
    pub faults: Vec<String>,
    /// The literals that object identity adds to it.
    pub added: Vec<String>,
    /// The order in which its literals can be called, from 1.
    pub order: Vec<usize>,
    /// How many literals it has.
    #[serde(rename = "literals")]
    pub n_literals: usize,
    /// How deep its variables are.
    pub depth: u32,
    /// The bounds that a search would have.
    pub bounds: Bounds,
    /// The examples of each set that the clause covers, by the set's name.
    pub sets: BTreeMap<&'static str, SetAnswer>,
    /// The examples of the first set that the head alone covers.
    pub head: Covered,
    /// Whether the clause meets the bounds.
    pub acceptable: bool,
    /// The bounds that it fails.
    pub bound_faults: Vec<String>,
    /// In how many seeds' bottom clauses it is; `None` where modes do not admit it.
    pub seeds: Option<Seeds>,
    /// The clause's body literals as they are written.
    #[serde(skip)]
    pub steps: Vec<LiteralAnswer>,
    /// The sets in order; the first is the one that clauses are searched on.
    #[serde(skip)]
    pub set_names: Vec<&'static str>,
    /// Whether modes and length admit it.
    #[serde(skip)]
    pub is_admitted: bool,
    /// The score that is shown of each set.
    #[serde(skip)]
    pub score_name: String,
}

impl WhyAnswer {
    /// The answer with its settings in the words of a surface: events hold its faults as they are.
    pub(crate) fn worded(mut self, say: Wording) -> Self {
        let of_steps = self.steps.iter_mut().flat_map(|step| step.faults.iter_mut().chain(&mut step.remarks));
        for text in self.faults.iter_mut().chain(&mut self.bound_faults).chain(of_steps) {
            *text = worded(text, say).into_owned();
        }
        self
    }
}

/// The bounds of a search.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Bounds {
    /// Most literals, the head among them.
    pub max_literals: usize,
    /// Greatest depth of a variable.
    pub depth: u32,
    /// Fewest positives.
    #[serde(rename = "min_pos")]
    pub min_positives: usize,
    /// Least precision.
    pub min_precision: f64,
    /// Most negatives, where there is such a bound.
    #[serde(rename = "max_neg", skip_serializing_if = "Option::is_none")]
    pub max_negatives: Option<usize>,
    /// Fewest positives of tune.
    #[serde(rename = "min_tune_pos")]
    pub min_tune_positives: usize,
}

/// The numbers of covered examples.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Covered {
    /// Positives.
    pub tp: usize,
    /// Negatives.
    pub fp: usize,
}

impl From<Counts> for Covered {
    fn from(counts: Counts) -> Self {
        Self { tp: counts.true_positives, fp: counts.false_positives }
    }
}

/// The covered examples of one set.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SetAnswer {
    /// Positives of the set.
    pub positives: usize,
    /// Negatives of the set.
    pub negatives: usize,
    /// The counts of the covered examples.
    #[serde(flatten)]
    pub covered: Covered,
    /// Precision, each negative counted for those it stands for.
    pub precision: Option<f64>,
    /// `TP / P`.
    pub recall: Option<f64>,
    /// The score that learning would have.
    pub score: Option<f64>,
}

/// In how many seeds' bottom clauses a clause is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Seeds {
    /// Covered positives that were taken as seeds.
    pub tried: usize,
    /// Seeds whose bottom clauses have the clause.
    pub reached: usize,
    /// Seeds for which this is unknown.
    pub open: usize,
    /// Limits that cut the bottom clauses of the others.
    #[serde(skip)]
    pub cuts: Vec<LimitCut>,
    /// Constants of the clause that a bottom clause lacks.
    #[serde(skip)]
    pub missing_constants: Vec<String>,
    /// Seeds in whose proof two of the clause's variables have one value.
    #[serde(skip)]
    pub n_one_value: usize,
}

/// The effect of one body literal.
#[derive(Clone, Debug, Serialize)]
pub struct LiteralAnswer {
    /// The literal's position, from 1.
    pub position: usize,
    /// The literal as it is written.
    pub literal: String,
    /// Whether a mode admits it, or object identity.
    pub admitted: bool,
    /// The mode that admits the literal.
    pub mode: Option<String>,
    /// Where the mode stands, as `modes.pl:3`.
    pub place: Option<String>,
    /// How deep its variables are.
    pub depth: Option<u32>,
    /// Why no mode admits it.
    pub faults: Vec<String>,
    /// The instantiation limit that may cut the values that the literal needs.
    pub limit: Option<CutLimit>,
    /// Constants that no fact has there, in words.
    pub unknown_constants: Vec<String>,
    /// Whether it waits for values that later literals give.
    pub waits: bool,
    /// The examples that the clause up to this literal covers.
    pub left: Covered,
    /// The examples that this literal loses.
    pub lost: Covered,
    /// Positives among these; as many as were asked for.
    pub lost_positives: Vec<String>,
    /// The examples that the clause covers without this literal.
    pub without: Covered,
    /// Literals that go with it, from 1.
    pub needed_by: Vec<usize>,
    /// The remarks of the modes on the literal, a line each.
    #[serde(skip)]
    pub remarks: Vec<String>,
}

/// A mode's instantiation limit, and how many answers a call has.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CutLimit {
    /// The limit.
    pub limit: u32,
    /// Answers of the call that has most.
    pub most_answers: usize,
}

/// The findings, with everything that gives them names.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Naming<'a> {
    /// The problem.
    pub(crate) problem: &'a Problem,
    /// The symbols of the problem, and the constants of the clause.
    pub(crate) symbols: &'a Symbols,
    /// The files of the problem.
    pub(crate) sources: &'a Sources,
    /// The settings that learning would have.
    pub(crate) config: &'a GleanerConfig,
    /// The clause.
    pub(crate) asked: &'a WrittenClause,
    /// The findings.
    pub(crate) found: &'a Findings,
    /// Lost positives that are named for each literal.
    pub(crate) n_examples: usize,
}

impl Naming<'_> {
    /// The answer in names and words.
    pub(crate) fn answer(&self) -> WhyAnswer {
        let (found, config) = (self.found, self.config);
        let seeds = found.reach.as_ref().map(|reach| Seeds {
            tried: reach.n_tried,
            reached: reach.n_reached,
            open: reach.n_open,
            cuts: reach.cuts.iter().copied().collect(),
            missing_constants: reach
                .missing_constants
                .iter()
                .map(|&constant| self.symbols.constants.text(constant).to_owned())
                .collect(),
            n_one_value: reach.n_one_value,
        });
        WhyAnswer {
            clause: self.asked.read.text.clone(),
            in_language: self.is_in_language(),
            faults: self.clause_faults(),
            added: self.added(),
            order: found.admission.order.iter().map(|position| position + 1).collect(),
            n_literals: self.asked.read.clause.n_literals(),
            depth: found.admission.depth(),
            bounds: Bounds {
                max_literals: config.gathering.max_literals,
                depth: config.gathering.saturation.depth,
                min_positives: config.gathering.limits.min_positives,
                min_precision: config.gathering.limits.min_precision,
                max_negatives: config.gathering.limits.max_negatives,
                min_tune_positives: config.min_tune_positives,
            },
            sets: found.sets.iter().map(|set| (set.name, self.set(set))).collect(),
            head: found.head.into(),
            acceptable: found.bound_faults.is_empty(),
            bound_faults: self.bound_faults(),
            seeds,
            steps: (0..self.asked.literals.len()).map(|position| self.literal(position)).collect(),
            set_names: found.sets.iter().map(|set| set.name).collect(),
            is_admitted: found.admission.is_admitted(),
            score_name: config.gathering.limits.score.to_string(),
        }
    }

    fn set(&self, set: &SetCounts) -> SetAnswer {
        SetAnswer {
            positives: set.totals.n_positives,
            negatives: set.totals.n_negatives,
            covered: set.counts.into(),
            precision: set.score(&Score::Precision, 0),
            recall: set.recall(),
            score: set.score(&self.config.gathering.limits.score, self.asked.read.clause.n_literals()),
        }
    }

    fn literal(&self, position: usize) -> LiteralAnswer {
        let step = &self.found.steps[position];
        let (mode, depth) = match &self.found.admission.literals[position] {
            Verdict::Admitted { modes, depth } => (Some(modes[0]), Some(*depth)),
            Verdict::Inequality { depth } => (None, Some(*depth)),
            Verdict::Repeated(_) | Verdict::NoMode | Verdict::Unfit(_) => (None, None),
        };
        let admitted = self.found.admission.literals[position].is_admitted();
        let remarks = self.admission_lines(position);
        let faults = remarks.iter().filter(|_| !admitted).map(|line| line.trim().to_owned());
        LiteralAnswer {
            position: position + 1,
            literal: self.asked.literals[position].clone(),
            admitted,
            mode: mode.map(|mode| self.mode(mode)),
            place: mode
                .filter(|_| self.problem.proposed_modes().is_none())
                .and_then(|mode| self.problem.mode_places().get(mode))
                .map(|&place| self.sources.in_words(place)),
            depth,
            faults: faults.collect(),
            limit: step.cut.map(|(limit, most_answers)| CutLimit { limit, most_answers }),
            unknown_constants: self.unknown_constants(position, step),
            waits: step.waits,
            left: step.left.into(),
            lost: step.lost.into(),
            lost_positives: self.lost_positives(step),
            without: step.without.into(),
            needed_by: step.needed_by.iter().map(|other| other + 1).collect(),
            remarks,
        }
    }

    fn is_in_language(&self) -> bool {
        self.found.is_in_language(self.config.gathering.saturation.depth)
    }

    fn variable(&self, variable: gleaner_base::VariableId) -> &str {
        self.asked.read.variables.name(variable)
    }

    fn clause_faults(&self) -> Vec<String> {
        let head = &self.problem.modes().head.arguments;
        let mode = |argument: usize| argument_text(head[argument], self.problem.symbols());
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
                "head: argument {}, {}, has another type in an earlier place; the mode has {}",
                argument + 1,
                self.variable(variable),
                mode(argument)
            ),
            ClauseFault::NoBody => "a search makes no clause without a body".to_owned(),
            ClauseFault::TooLong(most) => {
                format!(
                    "{} literals are more than ⁅max-literals={most}⁆",
                    self.asked.read.clause.n_literals()
                )
            }
        };
        let mut faults: Vec<String> = self.found.admission.faults.iter().map(text).collect();
        let (depth, deepest) = (self.found.admission.depth(), self.config.gathering.saturation.depth);
        if depth > deepest && !self.is_in_language() {
            faults.push(format!("depth {depth} is more than ⁅depth={deepest}⁆"));
        }
        faults
    }

    /// The literals that object identity adds to the clause, with its own names.
    fn added(&self) -> Vec<String> {
        let constant = |constant| self.symbols.constants.text(constant);
        let side = |side: &Expression| match side {
            Expression::Term(Term::Variable(variable)) => self.variable(*variable).to_owned(),
            Expression::Term(Term::Constant(of)) => constant(*of).to_owned(),
            _ => "_".to_owned(),
        };
        let text = |comparison: &Comparison| {
            let [left, right] = [&comparison.left, &comparison.right].map(side);
            format!("{left} {} {right}", comparison.operator.symbol())
        };
        self.found.admission.added.iter().filter_map(Literal::comparison).map(text).collect()
    }

    /// The lines in which the modes judge a literal.
    fn admission_lines(&self, position: usize) -> Vec<String> {
        let mut lines = match &self.found.admission.literals[position] {
            Verdict::Admitted { modes, depth } => {
                let deepest = self.config.gathering.saturation.depth;
                let excess =
                    if *depth > deepest { format!(" (⁅depth={deepest}⁆)") } else { String::new() };
                vec![format!("depth {depth}{excess} by {}", self.mode(modes[0])), self.place(modes[0])]
            }
            Verdict::Inequality { depth } => {
                let word = self.config.gathering.saturation.object_identity.word();
                vec![format!("depth {depth} by ⁅object-identity={word}⁆")]
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
        let step = &self.found.steps[position];
        if let Some((limit, n_answers)) = step.cut {
            lines.push(format!(
                "the mode takes only {limit} answers of a call, and a call has up to {n_answers}"
            ));
        }
        lines.extend(self.unknown_constants(position, step));
        lines
    }

    fn mode(&self, mode: usize) -> String {
        mode_declaration(&self.found.modes[mode], self.problem.symbols())
    }

    fn place(&self, mode: usize) -> String {
        let place = self.problem.mode_places().get(mode);
        if place.is_some() && self.problem.proposed_modes().is_some() {
            return "proposed from the data".to_owned();
        }
        place.map_or_else(
            || "proposed by ⁅negation⁆".to_owned(),
            |&place| format!("at {}", self.sources.in_words(place)),
        )
    }

    fn obstacle(&self, mode: usize, obstacle: &Obstacle) -> String {
        let slot = |argument: usize| {
            argument_text(self.found.modes[mode].arguments[argument], self.problem.symbols())
        };
        let type_name = |argument: usize| {
            let slot: ArgumentMode = self.found.modes[mode].arguments[argument];
            self.problem.symbols().type_name(slot.type_id())
        };
        match *obstacle {
            Obstacle::Constant { argument } => {
                format!("argument {}: a constant, where the mode has {}", argument + 1, slot(argument))
            }
            Obstacle::Variable { argument } => {
                format!("argument {}: a variable, where the mode has {}", argument + 1, slot(argument))
            }
            Obstacle::Any { argument } => {
                format!("argument {}: `_`, where the mode has {}", argument + 1, slot(argument))
            }
            Obstacle::OtherType { argument, variable, has } => format!(
                "argument {}: {} has type {}, the mode {}",
                argument + 1,
                self.variable(variable),
                self.problem.symbols().type_name(has),
                type_name(argument)
            ),
            Obstacle::NotGiven { argument, variable, is_in_others } => {
                let name = self.variable(variable);
                let why = if is_in_others {
                    format!("only literals that no mode admits have {name}")
                } else {
                    format!("nothing else has {name}")
                };
                format!("argument {}: {} needs a value, and {why}", argument + 1, slot(argument))
            }
            Obstacle::NotOfHead { argument, variable } => format!(
                "argument {}: the head has no {}, and proposed negations take only its variables; declare a mode, or try \
                 rdn-boost ⁅negation=proposed⁆",
                argument + 1,
                self.variable(variable)
            ),
            Obstacle::Arithmetic { argument } => format!(
                "the {} side is arithmetic, which no mode makes: put it into a rule",
                if argument == 0 { "left" } else { "right" }
            ),
            Obstacle::SameVariable => "it compares a variable with itself".to_owned(),
        }
    }

    /// The lines that say that nothing declares a literal, with the nearest mode.
    fn no_mode(&self, position: usize) -> Vec<String> {
        let symbols = self.symbols;
        let literal = &self.asked.read.clause.body[position];
        let subject = literal.subject();
        if subject.comparison().is_some()
            && let Some(advice) = self.advice_of_identity(position)
        {
            return advice;
        }
        let name = subject.map(|predicate| symbols.predicate(*predicate).clone()).name();
        let argument = |term: Option<Term>| match term {
            Some(Term::Constant(_)) if subject.comparison().is_some() => "#type".to_owned(),
            _ => "+type".to_owned(),
        };
        let arguments: Vec<String> = literal.terms().map(argument).collect();
        let atom = |predicate: &PredicateId| match symbols.aggregates.get(predicate) {
            Some(text) => text.with(|at| if at + 1 < arguments.len() { "+type" } else { "-type" }.to_owned()),
            None => format!("{}({})", name.name, arguments.join(",")),
        };
        let wanted = subject.text(atom, &arguments);
        if let Some((_, place)) = self.problem.undetermined().iter().find(|(known, _)| *known == name) {
            return vec![
                format!("not admitted: {name} has a mode but no determination"),
                format!("at {}", self.sources.in_words(*place)),
                format!("add `:- determination({}, {name}).`", self.problem.target()),
            ];
        }
        let mut lines = vec![
            format!(
                "not admitted: no mode declares `{}`",
                wanted.replace("+type", "…").replace("#type", "…")
            ),
            format!("add `:- modeb(*, {wanted}).` with its types"),
        ];
        let moded: Vec<&PredicateName> = self
            .problem
            .modes()
            .body
            .iter()
            .filter_map(|mode| mode.subject.predicate())
            .map(|predicate| symbols.predicate(*predicate))
            .filter(|known| **known != name)
            .collect();
        if let Some(near) = nearest(&name.name, moded.iter().map(|known| known.name.as_str()))
            && let Some(known) = moded.iter().find(|known| known.name == near)
        {
            lines.push(format!("{known} has a mode"));
        }
        lines
    }

    /// The settings that make an inequality a part of the language without a mode.
    fn advice_of_identity(&self, position: usize) -> Option<Vec<String>> {
        let by = &self.found.admission.inequality_by[position];
        let mut lines = vec!["not admitted: no mode declares `… \\= …`".to_owned()];
        if by.contains(&ObjectIdentity::On) {
            lines.push("⁅object-identity=on⁆ admits it: both sides have one type".to_owned());
        }
        if by.contains(&ObjectIdentity::Proposed) {
            lines.push("so does proposed (rdn-boost, tree): one call gives both sides".to_owned());
        }
        (lines.len() > 1).then_some(lines)
    }

    fn unknown_constants(&self, position: usize, step: &Step) -> Vec<String> {
        let constants = &self.symbols.constants;
        let place = match self.asked.read.clause.body[position].atom() {
            None => "no fact has".to_owned(),
            Some(atom) => format!("no fact of {} has", self.symbols.predicate(atom.predicate)),
        };
        step.unknown_constants
            .iter()
            .map(|unknown| {
                let near = unknown
                    .nearest
                    .map_or_else(String::new, |near| format!("; did you mean {}?", constants.text(near)));
                format!("{place} {}{near}", constants.text(unknown.constant))
            })
            .collect()
    }

    fn bound_faults(&self) -> Vec<String> {
        let name = self.found.sets[0].name;
        self.found
            .bound_faults
            .iter()
            .map(|fault| match fault {
                BoundFault::MinPositives(least) => format!("TP on {name} is below ⁅min-pos={least}⁆"),
                BoundFault::MinPrecision(least) => {
                    format!("the precision on {name} is below ⁅min-precision={least}⁆")
                }
                BoundFault::MaxNegatives(most) => format!("FP on {name} is above ⁅max-neg={most}⁆"),
                BoundFault::MinTunePositives(least) => format!("TP on tune is below ⁅min-tune-pos={least}⁆"),
            })
            .collect()
    }

    fn lost_positives(&self, step: &Step) -> Vec<String> {
        step.lost_positives.iter().take(self.n_examples).map(|&id| self.problem.example_text(id)).collect()
    }
}
