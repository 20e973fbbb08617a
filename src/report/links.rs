//! Rules for links and ranks of links, as text, events and CSV.

use std::fmt::Write;

use serde_json::Value as Json;

use crate::experiment::links::{
    LinkCvAnswer, LinkLearnAnswer, LinkRulesAnswer, RankAnswer, RelationRules, ShownRule,
};
use gleaner_learn::links::closed::Uncounted;
use gleaner_learn::links::rank::{Among, RankMetrics};
use gleaner_learn::shown::metric;

use super::answer::{Answer, event};
use super::csv_tables::table;
use super::text::stop_name;

impl Answer for LinkLearnAnswer {
    fn text(&self) -> String {
        let Self {
            entities,
            relations,
            links,
            closed_rules: [one, two],
            weights,
            chosen_on,
            uncounted,
            telling,
        } = self;
        let mut text = format!("{links} links of {relations} relations between {entities} entities\n");
        let _ = writeln!(
            text,
            "closed rules: {one} of one link, {two} of two; anchored rules are counted when needed"
        );
        let (closed, of_answer, of_question) = (weights.closed, weights.of_answer, weights.of_question);
        let _ = writeln!(
            text,
            "votes: closed rules {closed}, rules of the answer {of_answer}, of the question {of_question}"
        );
        if chosen_on.links > 0 {
            let set = if chosen_on.are_of_train { "train links kept back" } else { "tune links" };
            let _ = writeln!(text, "  chosen on {} {set}: MRR {}", chosen_on.links, metric(chosen_on.mrr));
        } else {
            text.push_str("  the usual weights, since too few links could choose others\n");
        }
        if let Some(uncounted) = uncounted {
            text.push_str(&uncounted_line(uncounted));
        }
        text.push_str("\nclosed rules that tell most (correct, predicted):\n");
        text.push_str(&rule_lines(telling));
        text
    }
}

/// What a model lacks that was stopped.
fn uncounted_line(Uncounted { reason, relations, bodies }: &Uncounted) -> String {
    format!(
        "stopped: {}; not counted: closed rules of {relations} relations, {bodies} bodies\n",
        stop_name(*reason)
    )
}

fn rule_lines(rules: &[ShownRule]) -> String {
    let line = |rule: &ShownRule| format!("{:>6} {:>7}  {}\n", rule.correct, rule.predicted, rule.rule);
    rules.iter().map(line).collect()
}

impl Answer for LinkRulesAnswer {
    fn text(&self) -> String {
        let mut text = String::new();
        for RelationRules { relation, links, closed_rules, anchored_rules, rules } in &self.relations {
            let anchored = anchored_rules.map_or_else(String::new, |n| format!(", {n} anchored ones"));
            let _ = writeln!(text, "% {relation}: {links} links, {closed_rules} closed rules{anchored}");
            text.push_str(&rule_lines(rules));
        }
        text
    }
}

/// The columns of ranks, with their names in JSON.
const COLUMNS: [&str; 5] = ["mrr", "hits_1", "hits_3", "hits_10", "mean_rank"];

fn values(of: &RankMetrics) -> [Option<f64>; 5] {
    [of.mrr, of.hits_1, of.hits_3, of.hits_10, of.mean_rank]
}

fn row(name: &str, of: &RankMetrics) -> String {
    let [mrr, first, third, tenth, mean] = values(of);
    let mean = mean.map_or_else(|| "n/a".to_owned(), |mean| format!("{mean:.1}"));
    let [mrr, first, third, tenth] = [mrr, first, third, tenth].map(metric);
    format!("{name:<10} {:>9} {mrr:>8} {first:>8} {third:>8} {tenth:>8} {mean:>10}\n", of.questions)
}

fn header() -> String {
    format!(
        "{:<10} {:>9} {:>8} {:>8} {:>8} {:>8} {:>10}\n",
        "ranked", "questions", "MRR", "hits@1", "hits@3", "hits@10", "mean rank"
    )
}

impl Answer for RankAnswer {
    fn text(&self) -> String {
        let mut text = header();
        text.push_str(&row("all", &self.metrics));
        text.push_str(&row("subjects", &self.subjects));
        text.push_str(&row("objects", &self.objects));
        let among = match self.among {
            Among::Entities => format!("all {} entities", self.entities),
            Among::Type => "the entities that known links have in the answer's place".to_owned(),
        };
        let _ = writeln!(
            text,
            "each answer is ranked among {among};\nother true answers are left out (filtered), ties share their mean rank"
        );
        if let Some(checked) = &self.checked {
            let _ = writeln!(
                text,
                "beside {} links that are checked to be false: auc_pr {}, auc_roc {}, accuracy {}",
                checked.negatives,
                metric(checked.auc_pr),
                metric(checked.auc_roc),
                metric(checked.accuracy)
            );
        }
        text
    }

    fn items(&self) -> Vec<Json> {
        self.relations.iter().map(|relation| event("relation", relation)).collect()
    }
}

impl Answer for LinkCvAnswer {
    fn text(&self) -> String {
        if let [only] = &self.folds[..] {
            return only.text();
        }
        let mut text = header();
        for (fold, answer) in (1..).zip(&self.folds) {
            text.push_str(&row(&format!("fold {fold}"), &answer.metrics));
        }
        let [mrr, first, third, tenth] = [self.mrr, self.hits_1, self.hits_3, self.hits_10].map(metric);
        let _ = writeln!(text, "{:<10} {:>9} {mrr:>8} {first:>8} {third:>8} {tenth:>8}", "mean", "");
        text.push_str(
            "each answer is ranked among all entities; other true answers are left out (filtered)\n",
        );
        text
    }
}

/// `subject,relation,object,rank_of_subject,rank_of_object`: a row for each link.
#[must_use]
pub fn ranks_csv(answer: &RankAnswer) -> String {
    let header = ["subject", "relation", "object", "rank_of_subject", "rank_of_object"];
    let rows = answer.ranked.iter().map(|ranked| {
        let ranks = [ranked.of_subject, ranked.of_object].map(|rank| rank.to_string());
        ranked.link.iter().cloned().chain(ranks).collect()
    });
    table(&header, rows)
}

/// `relation,questions` and the metrics: a row for each relation.
#[must_use]
pub fn relations_csv(answer: &RankAnswer) -> String {
    let header: Vec<&str> = ["relation", "questions"].into_iter().chain(COLUMNS).collect();
    let rows = answer.relations.iter().map(|of| {
        let numbers = values(&of.metrics).map(|value| value.map_or_else(String::new, |v| v.to_string()));
        [of.relation.clone(), of.metrics.questions.to_string()].into_iter().chain(numbers).collect()
    });
    table(&header, rows)
}
