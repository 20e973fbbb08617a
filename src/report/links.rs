//! Rules for links and ranks of links, as documents, events and CSV.
//!
//! The rules of a model of links, as files for other programs.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use gleaner_base::LinkRelationId;
use gleaner_lang::syntax::quote_atom;
use gleaner_learn::links::closed::Uncounted;
use gleaner_learn::links::kinds::{Kind, KindWeight};
use gleaner_learn::links::rank::{Among, RankMetrics};
use gleaner_learn::links::saved::{End, LinkRule, Names, RuleLink};
use gleaner_learn::shown::metric;
use serde_json::Value as Json;

use crate::experiment::comparing::side_by_side::{NamedVariant, Results};
use crate::experiment::links::ranks::{
    LinkLearnAnswer, LinkRulesAnswer, NotAll, RankAnswer, RelationRules, ShownRule,
};
use crate::experiment::links::run::LinkRun;
use crate::experiment::links::validation::{LinkCvAnswer, LinkVariant};
use crate::experiment::metrics::metric_list::of_links;
use crate::experiment::runs::scheduled_runs::Measured as _;

use super::answer::{Answer, Events, event};
use super::csv_tables::{number, table};
use super::cv::side_by_side_document;
use super::document::{Column, Document, Table};
use super::text::stop_name;

impl Events for LinkLearnAnswer {}

/// A rule of each kind, for the kinds in their order.
const SAYS: [&str; 8] = [
    "r(A,B) :- s(A,B).",
    "r(A,B) :- s(A,C), t(C,B).",
    "r(A,B) :- longer paths",
    "r(A,answer) :- s(A,d).",
    "r(asked,B) :- s(B,d).",
    "r(A,answer) :- s(A,_).",
    "r(asked,B) :- s(B,_).",
    "r(A,answer).",
];

impl Answer for LinkLearnAnswer {
    fn document(&self) -> Document {
        let Self {
            entities,
            relations,
            links,
            closed_rules,
            weights,
            own_weights,
            chosen_on,
            probabilities_from,
            uncounted,
            telling,
            ranks,
        } = self;
        let mut document = Document::new();
        document.line(format!("{links} links of {relations} relations between {entities} entities"));
        let of_lengths: Vec<String> =
            (1..).zip(closed_rules).map(|(n_links, n)| format!("{n} of {n_links}")).collect();
        let of_lengths = of_lengths.join(", ");
        document.line(format!("closed rules by links: {of_lengths};"));
        document.line("  the others are counted when needed");
        document.line("weights of the kinds of rules: of the strongest of a kind, of four more");
        let of_kind = |(kind, says): (Kind, &str)| {
            let KindWeight { strongest, further } = weights.of(kind);
            [format!("{strongest:.4}"), format!("{further:.4}"), says.to_owned()]
        };
        let columns = [Column::number("", 8), Column::number("", 7).after(1), Column::code("").after(2)];
        document.table(Table::new(columns).with_rows(Kind::ALL.into_iter().zip(SAYS).map(of_kind)));
        if weights.discounts {
            document.line("  answers that have links of the relation count less, by the share lacking more");
        }
        if *own_weights > 0 {
            document.line(format!("  {own_weights} directions of relations have weights of their own"));
        }
        if chosen_on.links > 0 {
            let set = if chosen_on.are_of_train { "train links kept back" } else { "tune links" };
            document.line(format!("  chosen on {} {set}: MRR {}", chosen_on.links, metric(chosen_on.mrr)));
        } else {
            document.line("  the default weights, since too few links could choose others");
        }
        if let Some(n) = probabilities_from {
            document.line(format!("  probabilities of new links from {n} links"));
        }
        if let Some(Uncounted { reason, relations, bodies }) = uncounted {
            document.line(format!(
                "stopped: {}; not counted: closed rules of {relations} relations, {bodies} bodies",
                stop_name(*reason)
            ));
        }
        document.gap();
        document.line("most telling closed rules (correct, predicted, confidence):");
        document.table(rule_table(telling));
        if let Some(ranks) = ranks {
            document.gap();
            document.extend(ranks.document());
        }
        document
    }
}

fn rule_table(rules: &[ShownRule]) -> Table {
    let columns = [
        Column::number("", 6).named("correct"),
        Column::number("", 7).after(1).named("predicted"),
        Column::number("", 6).after(1).named("confidence"),
        Column::code("").after(2).named("rule"),
    ];
    let row = |rule: &ShownRule| {
        let confidence = format!("{:.3}", rule.confidence);
        [rule.correct.to_string(), rule.predicted.to_string(), confidence, rule.rule.clone()]
    };
    Table::new(columns).with_rows(rules.iter().map(row))
}

impl Events for LinkRulesAnswer {}

impl Answer for LinkRulesAnswer {
    fn document(&self) -> Document {
        let mut document = Document::new();
        for RelationRules { relation, links, closed_rules, anchored_rules, rules } in &self.relations {
            let anchored = anchored_rules.map_or_else(String::new, |n| format!(", {n} anchored ones"));
            document.line(format!("% {relation}: {links} links, {closed_rules} closed rules{anchored}"));
            document.table(rule_table(rules));
        }
        document
    }
}

/// The columns of ranks, with their names in JSON.
const COLUMNS: [&str; 5] = ["mrr", "hits_1", "hits_3", "hits_10", "mean_rank"];

fn values(of: &RankMetrics) -> [Option<f64>; 5] {
    [of.mrr, of.hits_1, of.hits_3, of.hits_10, of.mean_rank]
}

fn row(name: &str, of: &RankMetrics) -> Vec<String> {
    let [mrr, first, third, tenth, mean] = values(of);
    let mean = mean.map_or_else(|| "n/a".to_owned(), |mean| format!("{mean:.1}"));
    let metrics = [mrr, first, third, tenth].map(metric);
    [name.to_owned(), of.questions.to_string()].into_iter().chain(metrics).chain([mean]).collect()
}

fn rank_table() -> Table {
    let numbers =
        [("questions", 9), ("MRR", 8), ("hits@1", 8), ("hits@3", 8), ("hits@10", 8), ("mean rank", 10)];
    let numbers = numbers.map(|(title, width)| Column::number(title, width).after(1));
    Table::new([Column::text("ranked", 10)].into_iter().chain(numbers))
}

impl Events for RankAnswer {
    fn items(&self) -> Vec<Json> {
        self.relations.iter().map(|relation| event("relation", relation)).collect()
    }
}

impl Answer for RankAnswer {
    fn document(&self) -> Document {
        let mut document = Document::new();
        document.table(rank_table().with_rows([
            row("all", &self.metrics),
            row("subjects", &self.subjects),
            row("objects", &self.objects),
        ]));
        let among = match self.among {
            Among::Entities => format!("all {} entities", self.entities),
            Among::Type => "the entities that known links have in the answer's place".to_owned(),
        };
        document.line(format!(
            "each answer is ranked among {among};\nother true answers are left out (filtered), ties share their mean rank"
        ));
        if let Some(NotAll { stop, of }) = self.not_all {
            let stop = stop_name(stop);
            document
                .line(format!("stopped: {stop}; {} of {of} links were ranked, drawn by chance", self.links));
        }
        if let Some(checked) = &self.checked {
            document.line(format!(
                "against {} links that are known to be false: auc_pr {}, auc_roc {}, accuracy {}",
                checked.negatives,
                metric(checked.auc_pr),
                metric(checked.auc_roc),
                metric(checked.accuracy)
            ));
        }
        document
    }
}

impl Events for LinkCvAnswer {}

impl Answer for LinkCvAnswer {
    fn document(&self) -> Document {
        match &self.results {
            Results::One(only) => variant_document(only),
            Results::Several(several) => {
                let mut document = Document::new();
                for NamedVariant { names, result } in &several.variants {
                    document.gap();
                    document.heading(names.name.as_str());
                    document.extend(variant_document(result));
                }
                let chosen_by = "the highest MRR of links that were kept back from train and tune";
                document.extend(side_by_side_document(several, chosen_by));
                document
            }
        }
    }
}

/// The runs of a variant, each in a row, and their means; of a single one the ranks of both ends.
pub fn variant_document(variant: &LinkVariant) -> Document {
    if let [only] = &variant.folds[..] {
        return only.document();
    }
    let folds = variant.names.iter().zip(&variant.folds).map(|(name, answer)| row(name, &answer.metrics));
    let mut table = rank_table().with_rows(folds);
    let means = [variant.mrr, variant.hits_1, variant.hits_3, variant.hits_10].map(metric);
    table.row(["mean".to_owned(), String::new()].into_iter().chain(means));
    let mut document = Document::new();
    document.table(table);
    document.line("each answer is ranked among all entities;");
    document.line("other true answers are left out (filtered)");
    document
}

/// `subject,relation,object,rank_of_subject,rank_of_object`: a row for each link.
pub fn ranks_csv(answer: &RankAnswer) -> String {
    let header = ["subject", "relation", "object", "rank_of_subject", "rank_of_object"];
    let rows = answer.ranked.iter().map(|ranked| {
        let ranks = [ranked.of_subject, ranked.of_object].map(|rank| rank.to_string());
        ranked.link.iter().cloned().chain(ranks).collect()
    });
    table(&header, rows)
}

/// `fold,links` and each metric: a row for each run.
pub fn metrics_csv(runs: &[LinkRun]) -> String {
    let names: Vec<&str> = of_links().map(|metric| metric.name).collect();
    let header: Vec<&str> = ["fold", "links"].into_iter().chain(names.iter().copied()).collect();
    let rows = runs.iter().map(|run| {
        let numbers = names.iter().map(|name| number(run.metric(name)));
        [run.result_name(), run.ranks.links.to_string()].into_iter().chain(numbers).collect()
    });
    table(&header, rows)
}

/// `relation,questions` and the metrics: a row for each relation.
pub fn relations_csv(answer: &RankAnswer) -> String {
    let header: Vec<&str> = ["relation", "questions"].into_iter().chain(COLUMNS).collect();
    let rows = answer.relations.iter().map(|of| {
        let numbers = values(&of.metrics).map(|value| value.map_or_else(String::new, |v| v.to_string()));
        [of.relation.clone(), of.metrics.questions.to_string()].into_iter().chain(numbers).collect()
    });
    table(&header, rows)
}

/// `rule,correct,predicted,confidence`: a row for each rule.
pub fn rules_csv(rules: &[ShownRule]) -> String {
    let rows = rules.iter().map(|of| {
        vec![of.rule.clone(), of.correct.to_string(), of.predicted.to_string(), of.confidence.to_string()]
    });
    table(&["rule", "correct", "predicted", "confidence"], rows)
}

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
