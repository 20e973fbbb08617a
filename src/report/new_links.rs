//! Links that a graph lacks, and why a link has its score, as documents, events and CSV.

use serde_json::{Value as Json, json};

use crate::experiment::links::new_links::{
    KindOfReasons, Known, LikelyLink, LinkReason, LinkReasonsAnswer, NewLinksAnswer,
};
use crate::experiment::metrics::columns::{self, Columns, Tabled, Values};
use gleaner_learn::links::kinds::Kind;

use super::answer::{Answer, Events, event};
use super::document::{Column, Document, Table};
use super::wrapped;

impl Events for NewLinksAnswer {
    fn items(&self) -> Vec<Json> {
        self.links.iter().map(|link| event("link", link)).collect()
    }
}

/// `subject,relation,object,score,probability`: a row for each link.
impl Tabled for NewLinksAnswer {
    fn columns(&self) -> Columns {
        let all = &self.links;
        let texts = |of: fn(&LikelyLink) -> &String| Values::texts(all.iter().map(|link| of(link).clone()));
        let probabilities = all.iter().map(|link| link.probability);
        Columns(vec![
            columns::Column::new("subject", texts(|link| &link.subject)),
            columns::Column::new("relation", texts(|link| &link.relation)),
            columns::Column::new("object", texts(|link| &link.object)),
            columns::Column::new("score", Values::numbers(all.iter().map(|link| link.score))),
            columns::Column::new("probability", Values::Number(probabilities.collect())),
        ])
    }
}

/// Rules of one kind that are shown, unless all are asked for.
const RULES_SHOWN: usize = 5;
const COLUMNS: usize = 80;
/// Columns before a rule, and before the links that it holds by.
const INDENTS: [usize; 2] = [22, 24];

/// What rules of a kind are about.
const fn about(kind: Kind) -> &'static str {
    match kind {
        Kind::OneLink => "one link between the two",
        Kind::TwoLinks => "paths of two links",
        Kind::MoreLinks => "longer paths",
        Kind::OfAnswer => "links of the subject that others with this object have",
        Kind::OfQuestion => "links of the object that others with this subject have",
        Kind::OfAnswerAnyLink => "relations of the subject",
        Kind::OfQuestionAnyLink => "relations of the object",
        Kind::Frequent => "how often either end is seen",
    }
}

impl LinkReasonsAnswer {
    /// The whole explanation, with all rules or the strongest of each kind.
    pub fn shown(&self, shows_all: bool) -> Document {
        let mut document = Document::new();
        document.line(&self.link);
        document.line(match self.known {
            Known::Learnt => "known: the rules were learnt from it, but none uses it for itself",
            Known::KeptBack => "the data have it; the rules were not learnt from it",
            Known::New => "not known",
        });
        let probability = self.probability.map(|of| format!("; probability {of:.4}")).unwrap_or_default();
        document.line(format!("score {:.4}{probability}", self.score));
        document.line(format!(
            "rank of the object {}, of the subject {}, among all entities",
            self.rank_of_object, self.rank_of_subject
        ));
        for (end, discount) in [("object", self.discount_of_object), ("subject", self.discount_of_subject)] {
            if discount < 1.0 {
                document.line(format!("the {end} has links of the relation: it counts {discount:.4}"));
            }
        }
        if self.kinds.is_empty() {
            document.gap();
            document.line("no rule speaks for it");
        }
        for KindOfReasons { kind, adds, rules } in &self.kinds {
            document.gap();
            document.line(format!("{adds:.4} by {}", about(*kind)));
            let n_shown = if shows_all { rules.len() } else { rules.len().min(RULES_SHOWN) };
            document.table(rule_table(&rules[..n_shown]));
            if n_shown < rules.len() {
                document.line(format!("  and {} more (⁅all⁆)", rules.len() - n_shown));
            }
        }
        document
    }
}

fn rule_table(rules: &[LinkReason]) -> Table {
    let columns = [
        Column::number("", 7).after(1).named("adds"),
        Column::number("", 6).named("correct"),
        Column::number("", 7).named("predicted"),
        Column::code("").after(1).named("rule"),
    ];
    let mut table = Table { remark_indent: INDENTS[1], ..Table::new(columns) };
    for LinkReason { rule, correct, predicted, adds, links, .. } in rules {
        let below = wrapped(separated(links), COLUMNS - INDENTS[1]);
        let cells = [format!("{adds:.4}"), correct.to_string(), predicted.to_string(), rule.clone()];
        table.remarked_row(cells, below);
    }
    table
}

/// Links with commas between them.
fn separated(links: &[String]) -> impl Iterator<Item = String> + '_ {
    let last = links.len();
    (1..).zip(links).map(move |(at, link)| format!("{link}{}", if at < last { "," } else { "" }))
}

impl Events for LinkReasonsAnswer {
    fn items(&self) -> Vec<Json> {
        let of_kind = |KindOfReasons { kind, rules, .. }: &KindOfReasons| {
            let kind = json!(kind);
            let rule = move |rule: &LinkReason| {
                let mut event = event("rule", rule);
                event["kind"] = kind.clone();
                event
            };
            rules.iter().map(rule).collect::<Vec<Json>>()
        };
        self.kinds.iter().flat_map(of_kind).collect()
    }
}

impl Answer for LinkReasonsAnswer {
    fn document(&self) -> Document {
        self.shown(false)
    }
}
