//! Why an example has its score: the amount that each learner's log-odds add, then the parts of their models that speak
//! for it.

use serde_json::json;

use crate::explanation::{Explanation, Noun, Part, json_map, threshold_words};
use crate::shown::{Column, Row, Table, percent, signed};
use crate::{Covers, Model};
use gleaner_base::Budget;
use gleaner_engine::coverage::component::Interrupted;

use super::model::{AutoModel, MemberModel};

/// The amounts that the log-odds of each learner add. They sum to the score, in the order of the learners. Then come
/// the parts of the learners' own explanations: the first of each, the second of each, and so on.
pub(super) fn explain(
    model: &AutoModel,
    covers: &Covers<'_>,
    position: usize,
    budget: &Budget,
) -> Result<Explanation, Interrupted> {
    let scoring = model.score(covers, budget)?;
    let own = |member: &MemberModel| member.model.explain(covers, position, budget);
    let explained: Vec<Explanation> = model.members.iter().map(own).collect::<Result<_, Interrupted>>()?;
    let (score, decision) = (scoring.scores[position], scoring.decided.contains(position));
    let least = model.threshold.map(|(least, _)| least);
    let mut rows = Vec::new();
    let mut learners = Vec::new();
    for (member, explained) in model.members.iter().zip(&explained) {
        let log_odds = member.log_odds(explained.score);
        let adds = log_odds * model.share(member);
        let score = format!("{:.4}", explained.score);
        let cells = vec![member.learner.clone(), score, signed(log_odds), signed(adds)];
        rows.push(Row { cells, last: String::new() });
        learners.push(json!({
            "learner": member.learner,
            "score": explained.score,
            "log_odds": log_odds,
            "adds": adds,
            "further": explained.further,
        }));
    }
    let members = Table {
        lead: "\nthe score is the sum of what the learners' log-odds add:\n".to_owned(),
        columns: [("learner", 20), ("its score", 12), ("log-odds", 12), ("adds", 12)]
            .map(|(title, width)| Column::new(title, width))
            .to_vec(),
        rows,
        ..Table::default()
    };
    let parts_lead = Table {
        lead: "\nwhat speaks for it in each learner's model, the heaviest first:\n".to_owned(),
        ..Table::default()
    };
    let columns = [("learner", 20), ("share", 8)];
    Ok(Explanation {
        score,
        greatest: None,
        least,
        decision,
        confidence: scoring.confidences[position],
        text: threshold_words(least, decision),
        tables: vec![members, parts_lead],
        columns: columns.map(|(title, width)| Column::new(title, width)).to_vec(),
        clause_title: "clause",
        parts: in_turn(model, explained),
        noun: Noun::CLAUSES,
        further: json_map(json!({ "learners": learners })),
    })
}

/// The parts of all learners, in turn.
fn in_turn(model: &AutoModel, explained: Vec<Explanation>) -> Vec<Part> {
    let mut parts: Vec<(usize, Part)> = Vec::new();
    for (member, explained) in model.members.iter().zip(explained) {
        let of_member = |part: Part| {
            let share = part.share.map_or_else(String::new, percent);
            let mut fields = part.fields;
            fields.insert("learner".to_owned(), json!(member.learner));
            fields.insert("share_of_learner".to_owned(), json!(part.share));
            Part { cells: vec![member.learner.clone(), share], share: None, fields, ..part }
        };
        parts.extend(explained.parts.into_iter().map(of_member).enumerate());
    }
    parts.sort_by_key(|&(rank, _)| rank);
    parts.into_iter().map(|(_, part)| part).collect()
}
