//! The rules of a model of links, as files for other programs.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use gleaner_base::LinkRelationId;
use gleaner_lang::syntax::quote_atom;
use gleaner_learn::links::saved::{End, LinkRule, Names, RuleLink};

use crate::experiment::links::ranks::{LinkRulesAnswer, ShownRule};

fn rules(answer: &LinkRulesAnswer) -> impl Iterator<Item = &ShownRule> {
    answer.relations.iter().flat_map(|relation| &relation.rules)
}

/// The clauses alone, one a line.
pub fn clauses(answer: &LinkRulesAnswer) -> String {
    rules(answer).map(|rule| format!("{}\n", rule.rule)).collect()
}

/// A Prolog program: `predicted(Relation, Subject, Object, Confidence)` holds once for each rule that predicts a link from the
/// user's facts. Its rules do not call each other, so that every question ends.
pub fn prolog(answer: &LinkRulesAnswer, names: Names<'_>) -> String {
    let mut text = "% predicted(Relation, Subject, Object, Confidence): a rule predicts this link from links that are facts,\n\
                    % as `relation(subject, object).` Beside each rule stand its correct predictions, and all of them.\n\
                    % The answers of a question are joined by noisy-or: 1 - (1 - Confidence1) * (1 - Confidence2) ...\n\n"
        .to_owned();
    let asked: BTreeSet<LinkRelationId> =
        rules(answer).flat_map(|rule| &rule.parts.body).map(|link| link.relation).collect();
    for relation in asked {
        let _ = writeln!(text, ":- dynamic {}/2.", quote_atom(&names.relations[relation.index()]));
    }
    text.push('\n');
    for rule in rules(answer) {
        let LinkRule { head, body } = &rule.parts;
        let relation = quote_atom(&names.relations[head.relation.index()]);
        let [subject, object] = head.ends.map(|end| names.end(end));
        let mut goals: Vec<String> = body.iter().map(|link| names.atom(link)).collect();
        goals.extend(distinct(&rule.parts, names));
        let _ = writeln!(
            text,
            "predicted({relation}, {subject}, {object}, {}) :- {}. % {} of {}",
            rule.confidence,
            goals.join(", "),
            rule.correct,
            rule.predicted
        );
    }
    text
}

/// Distinct variables stand for distinct entities.
fn distinct<'a>(rule: &'a LinkRule, names: Names<'a>) -> impl Iterator<Item = String> + 'a {
    let mut ends: Vec<End> = Vec::new();
    for end in rule.body.iter().flat_map(|link| link.ends) {
        if !ends.contains(&end) && !matches!(end, End::Any | End::Entity(_)) {
            ends.push(end);
        }
    }
    let pairs = (0..ends.len()).flat_map(|at| (at + 1..ends.len()).map(move |other| (at, other)));
    let pairs: Vec<[End; 2]> = pairs.map(|(at, other)| [ends[at], ends[other]]).collect();
    pairs.into_iter().map(move |pair| {
        let [left, right] = pair.map(|end| names.end(end));
        format!("{left} \\== {right}")
    })
}

/// A file of AnyBURL's rules: predictions, correct ones, confidence and rule, with tabs between them. `X` and `Y` are the ends
/// of the predicted link.
pub fn anyburl(answer: &LinkRulesAnswer, names: Names<'_>) -> String {
    let end = |end: End| match end {
        End::Subject => "X".to_owned(),
        End::Object => "Y".to_owned(),
        End::Between(at) => ["A", "B", "C", "D"][at].to_owned(),
        End::Any => "A".to_owned(),
        End::Entity(entity) => names.entities[entity.index()].clone(),
    };
    let atom = |link: &RuleLink| {
        let [subject, object] = link.ends.map(end);
        format!("{}({subject},{object})", names.relations[link.relation.index()])
    };
    let mut text = String::new();
    for ShownRule { parts: LinkRule { head, body }, correct, predicted, confidence, .. } in rules(answer) {
        let body: Vec<String> = body.iter().map(atom).collect();
        let _ = writeln!(text, "{predicted}\t{correct}\t{confidence}\t{} <= {}", atom(head), body.join(", "));
    }
    text
}
