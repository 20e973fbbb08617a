//! Why an example has its score, as text and as events.

use std::fmt::Write;

use serde_json::{Map, Value as Json, json};

use crate::base::{ConstantId, Counts, VariableId};
use crate::experiment::explain::{Asked, Explanation, Parts, binding};
use crate::learn::boost::{BoostModel, Share};
use crate::learn::covering::{Backer, Backing, CoveringModel, Scorer};
use crate::learn::gleaner::{Ballot, GleanerModel, Voter};
use crate::problem::Problem;
use crate::program::display::{clause_text, variable_name};
use crate::program::{Clause, Term};

use super::model_text::votes_text;
use super::{figure, wrapped};

/// Rounds or clauses that are shown, unless all are asked for.
const N_SHOWN: usize = 20;
/// Columns before what a clause's variables are bound to.
const BINDING_INDENT: usize = 8;
const COLUMNS: usize = 80;

/// An explanation with all that it is about.
#[derive(Clone, Copy, Debug)]
pub struct Report<'a> {
    /// The problem.
    pub problem: &'a Problem,
    /// The name of the model's learner.
    pub learner: &'a str,
    /// The example.
    pub asked: &'a Asked,
    /// What was found.
    pub explanation: &'a Explanation<'a>,
    /// Whether all rounds or clauses are shown; events have all.
    pub shows_all: bool,
}

impl Report<'_> {
    /// The whole explanation for a terminal.
    #[must_use]
    pub fn text(&self) -> String {
        let explanation = self.explanation;
        let score = match explanation.greatest {
            Some(greatest) => format!("score {:.4} of at most {greatest:.4}", explanation.score),
            None => format!("score {:.4}", explanation.score),
        };
        let head = format!("{}\n{}\n\n{score}", self.example(), self.origin());
        let parts = match &explanation.parts {
            Parts::Rounds(model, shares) => self.rounds(model, shares),
            Parts::Votes(model, ballot) => self.votes(model, ballot.as_ref()),
            Parts::Clauses(model, backing) => self.clauses(model, backing),
        };
        format!("{head}{parts}")
    }

    /// An event for each round or clause that speaks for the example, then `done`.
    #[must_use]
    pub fn events(&self) -> Vec<Json> {
        let explanation = self.explanation;
        let (mut events, further): (Vec<Json>, Json) = match &explanation.parts {
            Parts::Rounds(model, shares) => {
                let further = json!({
                    "rounds": model.rounds.len(),
                    "silent_rounds": model.rounds.len() - shares.len(),
                });
                (shares.iter().map(|share| self.round_event(share)).collect(), further)
            }
            Parts::Votes(model, ballot) => self.vote_events(model, ballot.as_ref()),
            Parts::Clauses(model, backing) => {
                let further = json!({
                    "clauses": model.n_distinct_clauses(),
                    "covering_clauses": backing.backers.len(),
                    "theories": model.theories.len(),
                    "covering_theories": backing.n_theories,
                });
                (backing.backers.iter().map(|backer| self.clause_event(backer)).collect(), further)
            }
        };
        let shares: Vec<Json> = events.iter().map(|event| event["share"].clone()).collect();
        let mut done = json!({
            "event": "done",
            "version": 1,
            "example": self.example(),
            "listed": self.asked.is_listed,
            "label": self.asked.label(),
            "learner": self.learner,
            "score": explanation.score,
            "greatest": explanation.greatest,
            "least": explanation.least,
            "decision": explanation.decision,
            "confidence": explanation.confidence,
            "shares": shares,
        });
        if let (Some(done), Json::Object(further)) = (done.as_object_mut(), further) {
            done.extend(further);
        }
        events.push(done);
        events
    }

    fn example(&self) -> String {
        self.problem.atom_text(self.asked.arguments())
    }

    /// Where the example comes from, and what scores it.
    fn origin(&self) -> String {
        let class = match self.asked.label() {
            None => "no example of the data".to_owned(),
            Some(is_positive) => {
                let class = if is_positive { "a positive" } else { "a negative" };
                match self.asked.examples.fold(self.asked.id) {
                    Some(fold) => format!("{class} of {}", self.problem.fold_name(fold)),
                    None => class.to_owned(),
                }
            }
        };
        format!("{class}; learner {}", self.learner)
    }

    /// What the score is beside the least that is called positive.
    fn decision(&self) -> String {
        let explanation = self.explanation;
        let Some(least) = explanation.least else { return "; nothing decides\n".to_owned() };
        let word = if explanation.decision { "positive" } else { "negative" };
        let share = explanation.score / least;
        if least > 0.0 {
            format!(": {word},\n{} of {}, the least that is called positive\n", percent(share), figure(least))
        } else {
            format!(": {word};\nfrom {least:.4} on an example is called positive\n")
        }
    }

    fn n_shown(&self, n_all: usize) -> usize {
        if self.shows_all { n_all } else { n_all.min(N_SHOWN) }
    }

    /// How many are not shown, and what share of the score they have, where that is told.
    fn rest(&self, what: &str, shares: &[f64]) -> String {
        let n_shown = self.n_shown(shares.len());
        if n_shown == shares.len() {
            return String::new();
        }
        let sum: f64 = shares[n_shown..].iter().sum();
        let together = if sum > 0.0 { format!(", {} together", percent(sum)) } else { String::new() };
        format!("and {} more {what}{together}; --all shows them\n", shares.len() - n_shown)
    }

    fn rounds(&self, model: &BoostModel, shares: &[Share<'_>]) -> String {
        let n_silent = model.rounds.len() - shares.len();
        let mut text = self.decision();
        if shares.is_empty() {
            let _ = writeln!(text, "\nnone of the {n_silent} rounds says anything of it");
            return text;
        }
        let _ = writeln!(
            text,
            "\n{} of {} rounds {} for it, {n_silent} {} nothing; the largest shares first:",
            shares.len(),
            model.rounds.len(),
            if shares.len() == 1 { "speaks" } else { "speak" },
            if n_silent == 1 { "says" } else { "say" }
        );
        let _ =
            writeln!(text, "{:>6}{:>9}{:>9}{:>9}{:>8}  rule", "round", "weight", "value", "product", "share");
        for share in &shares[..self.n_shown(shares.len())] {
            let _ = writeln!(
                text,
                "{:>6}{:>9}{:>9}{:>9}{:>8}  {}",
                share.round_idx + 1,
                figure(share.round.alpha),
                figure(share.rule.value),
                figure(share.product),
                percent(share.share),
                self.clause(&share.rule.clause)
            );
            text.push_str(&self.binding_lines(&share.rule.clause));
        }
        text.push_str(&self.rest("rounds", &shares.iter().map(|share| share.share).collect::<Vec<_>>()));
        text
    }

    fn votes(&self, model: &GleanerModel, ballot: Option<&Ballot<'_>>) -> String {
        let Some(ballot) = ballot else { return "; nothing decides\n".to_owned() };
        let mut text = match ballot.best.map(|best| &model.decisions[best]) {
            None => ": no decision covers it\n".to_owned(),
            Some(best) => format!(
                ": the precision, where it was chosen, of the\nbest decision that covers it, bin {} from {} \
                 votes of theory {} on\n",
                best.target_bin,
                votes_text(best.threshold),
                best.theory_bin
            ),
        };
        text.push_str(&self.deciding_votes(model, ballot));
        let _ = writeln!(
            text,
            "\ntheory {} gives it {} of {} votes;\n{} of its {} clauses do not cover it",
            ballot.theory_bin,
            votes_text(ballot.votes),
            votes_text(ballot.greatest),
            ballot.n_clauses - ballot.n_covering,
            ballot.n_clauses
        );
        if ballot.voters.is_empty() {
            return text;
        }
        let n_shown = self.n_shown(ballot.voters.len());
        let _ = writeln!(text, "\n{} clauses vote for it, the heaviest first:", ballot.voters.len());
        let _ = writeln!(text, "{:>10}{:>8}{:>6}{:>7}  clause", "votes", "share", "TP", "FP");
        for voter in &ballot.voters[..n_shown] {
            let _ = writeln!(
                text,
                "{:>10}{:>8}{}",
                votes_text(voter.votes),
                percent(voter.share),
                self.counted(voter.clause.counts, &voter.clause.clause)
            );
            if voter.covers {
                text.push_str(&self.binding_lines(&voter.clause.clause));
            } else {
                let _ = writeln!(text, "{:BINDING_INDENT$}it does not cover it, and votes so", "");
            }
        }
        text.push_str(&self.rest("clauses", &ballot.voters.iter().map(|v| v.share).collect::<Vec<_>>()));
        text
    }

    /// What the operating decision says.
    fn deciding_votes(&self, model: &GleanerModel, ballot: &Ballot<'_>) -> String {
        let operating = model.operating_decision.map(|position| &model.decisions[position]);
        let (Some(decision), Some(votes)) = (operating, ballot.deciding_votes) else {
            return "nothing decides\n".to_owned();
        };
        let word = if self.explanation.decision { "positive" } else { "negative" };
        format!(
            "{word}: {} votes of theory {}, and {} decide\n",
            votes_text(votes),
            decision.theory_bin,
            votes_text(decision.threshold)
        )
    }

    fn clauses(&self, model: &CoveringModel, backing: &Backing<'_>) -> String {
        let mut text = self.decision();
        let n_covering = backing.backers.len();
        let is_ensemble = model.scorer == Scorer::Theories;
        text.push('\n');
        if is_ensemble {
            let n_theories = model.theories.len();
            let _ = writeln!(text, "{} of {n_theories} theories cover it", backing.n_theories);
        }
        let n_clauses = model.n_distinct_clauses();
        let _ =
            writeln!(text, "{n_covering} of {n_clauses} clauses cover it{}", order_words(model, n_covering));
        if n_covering == 0 {
            return text;
        }
        let columns = Columns::of(&model.scorer);
        let _ = writeln!(text, "{}{:>6}{:>7}  clause", columns.titles(), "TP", "FP");
        for backer in &backing.backers[..self.n_shown(n_covering)] {
            let counted = self.counted(backer.member.train, &backer.member.clause);
            let _ = writeln!(text, "{}{counted}", columns.cells(backer));
            text.push_str(&self.binding_lines(&backer.member.clause));
        }
        let shares: Vec<f64> = backing.backers.iter().map(|backer| backer.share.unwrap_or(0.0)).collect();
        text.push_str(&self.rest("clauses", &shares));
        text
    }

    fn clause(&self, clause: &Clause) -> String {
        clause_text(clause, &self.problem.symbols)
    }

    /// A clause after its counts on train.
    fn counted(&self, counts: Counts, clause: &Clause) -> String {
        format!("{:>6}{:>7}  {}", counts.true_positives, counts.false_positives, self.clause(clause))
    }

    /// The values of the variables that the example itself does not tell; nothing where there are none.
    fn binding_lines(&self, clause: &Clause) -> String {
        let Some(values) = binding(self.problem, self.asked, clause) else { return String::new() };
        let constants = &self.problem.symbols.constants;
        let of_head =
            |variable: usize| clause.head.arguments.contains(&Term::Variable(VariableId::new(variable)));
        let words: Vec<String> = (values.iter().enumerate())
            .filter(|&(variable, _)| !of_head(variable))
            .filter_map(|(variable, value)| {
                Some(format!("{} = {}", variable_name(variable), constants.text((*value)?)))
            })
            .collect();
        if words.is_empty() {
            return String::new();
        }
        let n_words = words.len();
        let words = words.into_iter().enumerate().map(|(at, word)| {
            let begin = if at == 0 { "with " } else { "" };
            format!("{begin}{word}{}", if at + 1 < n_words { "," } else { "" })
        });
        let lines = wrapped(words, COLUMNS - BINDING_INDENT);
        lines.iter().map(|line| format!("{:BINDING_INDENT$}{line}\n", "")).collect()
    }

    /// The values of all variables by name; `null` where they were not found.
    fn binding_json(&self, clause: &Clause) -> Json {
        let Some(values) = binding(self.problem, self.asked, clause) else { return Json::Null };
        let constants = &self.problem.symbols.constants;
        let text = |value: &Option<ConstantId>| json!(value.map(|value| constants.text(value)));
        let entries = values.iter().enumerate().map(|(at, value)| (variable_name(at), text(value)));
        Json::Object(entries.collect::<Map<String, Json>>())
    }

    fn round_event(&self, share: &Share<'_>) -> Json {
        json!({
            "event": "round",
            "round": share.round_idx + 1,
            "weight": share.round.alpha,
            "value": share.rule.value,
            "product": share.product,
            "share": share.share,
            "clause": self.clause(&share.rule.clause),
            "tp": share.rule.train.true_positives,
            "fp": share.rule.train.false_positives,
            "binding": self.binding_json(&share.rule.clause),
        })
    }

    fn vote_events(&self, model: &GleanerModel, ballot: Option<&Ballot<'_>>) -> (Vec<Json>, Json) {
        let Some(ballot) = ballot else { return (Vec::new(), json!({})) };
        let event = |voter: &Voter<'_>| {
            json!({
                "event": "clause",
                "clause": self.clause(&voter.clause.clause),
                "covers": voter.covers,
                "votes": voter.votes,
                "share": voter.share,
                "tp": voter.clause.counts.true_positives,
                "fp": voter.clause.counts.false_positives,
                "binding": if voter.covers { self.binding_json(&voter.clause.clause) } else { Json::Null },
            })
        };
        let decision = |position: Option<usize>| {
            position.map(|position| &model.decisions[position]).map(|decision| {
                json!({
                    "bin": decision.target_bin,
                    "theory": decision.theory_bin,
                    "least_votes": decision.threshold,
                })
            })
        };
        let further = json!({
            "theory": ballot.theory_bin,
            "votes": ballot.votes,
            "greatest_votes": ballot.greatest,
            "clauses": ballot.n_clauses,
            "covering_clauses": ballot.n_covering,
            "best_decision": decision(ballot.best),
            "operating_decision": decision(model.operating_decision),
            "deciding_votes": ballot.deciding_votes,
        });
        (ballot.voters.iter().map(event).collect(), further)
    }

    fn clause_event(&self, backer: &Backer<'_>) -> Json {
        json!({
            "event": "clause",
            "clause": self.clause(&backer.member.clause),
            "theories": backer.n_theories,
            "value": backer.value,
            "share": backer.share,
            "tp": backer.member.train.true_positives,
            "fp": backer.member.train.false_positives,
            "binding": self.binding_json(&backer.member.clause),
        })
    }
}

/// What stands before the counts of a covering model's clauses.
#[derive(Clone, Copy, Debug)]
enum Columns {
    Theories,
    ValueAndShare,
    Value,
    Nothing,
}

impl Columns {
    const fn of(scorer: &Scorer) -> Self {
        match scorer {
            Scorer::Theories => Self::Theories,
            Scorer::Sum(_) => Self::ValueAndShare,
            Scorer::Greatest(_) => Self::Value,
            Scorer::Ratio(_) | Scorer::NaiveBayes(_) | Scorer::Tan(_) => Self::Nothing,
        }
    }

    fn titles(self) -> String {
        match self {
            Self::Theories => format!("{:>10}", "theories"),
            Self::ValueAndShare => format!("{:>10}{:>8}", "value", "share"),
            Self::Value => format!("{:>10}", "value"),
            Self::Nothing => String::new(),
        }
    }

    fn cells(self, backer: &Backer<'_>) -> String {
        let value = backer.value.map_or_else(String::new, figure);
        match self {
            Self::Theories => format!("{:>10}", backer.n_theories),
            Self::ValueAndShare => {
                format!("{value:>10}{:>8}", backer.share.map_or_else(|| "n/a".to_owned(), percent))
            }
            Self::Value => format!("{value:>10}"),
            Self::Nothing => String::new(),
        }
    }
}

/// What a covering model's clauses are ordered by, and how their values make the score.
fn order_words(model: &CoveringModel, n_covering: usize) -> &'static str {
    match &model.scorer {
        _ if n_covering == 0 => "",
        Scorer::Theories => ", those of most theories first:",
        Scorer::Sum(_) => "; the score is the sum of their values:",
        Scorer::Greatest(_) => "; the score is the greatest of their values:",
        Scorer::Ratio(_) => "; the score is a mean over them:",
        Scorer::NaiveBayes(_) | Scorer::Tan(_) => "; the score is log-odds of these and the others:",
    }
}

/// A share as a percentage: `0.125` as `12.5%`; one that is not nothing is never shown as nothing.
fn percent(share: f64) -> String {
    let percent = share * 100.0;
    if percent > 0.0 && percent < 0.05 { "<0.1%".to_owned() } else { format!("{percent:.1}%") }
}
