//! Rules for links as clauses.

use gleaner_base::{EntityId, LinkRelationId};
use gleaner_lang::program::graph::Link;
use gleaner_lang::syntax::quote_atom;

use super::closed::ClosedRule;
use super::graph::Directed;
use super::longer::LONGEST;

/// The names of entities and relations.
#[derive(Clone, Copy, Debug)]
pub struct Names<'a> {
    /// The names of entities, by id.
    pub entities: &'a [String],
    /// The names of relations, by id.
    pub relations: &'a [String],
}

/// An end of a link in a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The subject of the predicted link, unless that is an entity.
    Subject,
    /// The object of the predicted link, unless that is an entity.
    Object,
    /// An entity between them, by its place on the path, from 0.
    Between(usize),
    /// Any entity.
    Any,
    /// This entity.
    Entity(EntityId),
}

/// A link in a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RuleLink {
    /// Its relation.
    pub relation: LinkRelationId,
    /// Its subject and its object.
    pub ends: [End; 2],
}

impl RuleLink {
    /// A step, with the ends that it leads from and to.
    const fn of(step: Directed, from: End, to: End) -> Self {
        let ends = if step.is_backward() { [to, from] } else { [from, to] };
        Self { relation: step.relation(), ends }
    }
}

/// A rule for links: the links of the body predict that of the head.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkRule {
    /// What it predicts.
    pub head: RuleLink,
    /// What it asks for.
    pub body: Vec<RuleLink>,
}

impl LinkRule {
    /// A closed rule: `r(A,B) :- s(A,C), t(C,B).`
    pub fn closed(rule: &ClosedRule) -> Self {
        let mut body = Vec::with_capacity(rule.path.len());
        let mut from = End::Subject;
        for (at, &step) in rule.path.iter().enumerate() {
            let to = if at + 1 == rule.path.len() { End::Object } else { End::Between(at) };
            body.push(RuleLink::of(step, from, to));
            from = to;
        }
        Self { head: RuleLink::of(Directed::forward(rule.relation), End::Subject, End::Object), body }
    }

    /// An anchored rule: `r(A,c) :- s(A,d).`: an entity with the links of `body` has a link of `directed` to `anchor`.
    pub fn anchored(directed: Directed, anchor: EntityId, (step, other): (Directed, EntityId)) -> Self {
        Self::of_one(directed, anchor, Some((step, End::Entity(other))))
    }

    /// A rule for links of one entity, by the links that the other end has, if it asks for any.
    fn of_one(directed: Directed, answer: EntityId, body: Option<(Directed, End)>) -> Self {
        let from = if directed.is_backward() { End::Object } else { End::Subject };
        let body = body.map(|(step, to)| RuleLink::of(step, from, to));
        Self { head: RuleLink::of(directed, from, End::Entity(answer)), body: body.into_iter().collect() }
    }
}

/// The variables of the ends of a path, and of the entities between them.
const ENDS: [&str; 2] = ["A", "B"];
const MIDDLES: [&str; LONGEST - 1] = ["C", "D", "E", "F"];

impl Names<'_> {
    /// A rule as a clause: `r(A,B) :- s(A,C), t(C,B).`
    pub fn clause(&self, rule: &LinkRule) -> String {
        let body: Vec<String> = rule.body.iter().map(|link| self.atom(link)).collect();
        let body = if body.is_empty() { String::new() } else { format!(" :- {}", body.join(", ")) };
        format!("{}{body}.", self.atom(&rule.head))
    }

    /// A closed rule as a clause: `r(A,B) :- s(A,C), t(C,B).`
    pub fn closed(&self, rule: &ClosedRule) -> String {
        self.clause(&LinkRule::closed(rule))
    }

    /// An anchored rule as a clause: `r(A,c) :- s(A,d).`: an entity with the links of `body` has a link of `directed`
    /// to `anchor`.
    pub fn anchored(&self, directed: Directed, anchor: EntityId, body: (Directed, EntityId)) -> String {
        self.clause(&LinkRule::anchored(directed, anchor, body))
    }

    /// A general rule as a clause: `r(A,c) :- s(A,_).`: an entity with any link of `body` has one of `directed` to `answer`.
    pub fn any_link(&self, directed: Directed, answer: EntityId, body: Directed) -> String {
        self.clause(&LinkRule::of_one(directed, answer, Some((body, End::Any))))
    }

    /// The rule that an answer is frequent: `r(A,c).`
    pub fn frequent(&self, directed: Directed, answer: EntityId) -> String {
        self.clause(&LinkRule::of_one(directed, answer, None))
    }

    /// A link as an atom.
    pub fn link(&self, link: Link) -> String {
        let ends = [link.subject, link.object].map(End::Entity);
        self.atom(&RuleLink { relation: link.relation, ends })
    }

    /// A link of a rule as an atom.
    pub fn atom(&self, link: &RuleLink) -> String {
        let [subject, object] = link.ends.map(|end| self.end(end));
        format!("{}({subject},{object})", quote_atom(&self.relations[link.relation.index()]))
    }

    /// An end of a link as a term.
    pub fn end(&self, end: End) -> String {
        match end {
            End::Subject => ENDS[0].to_owned(),
            End::Object => ENDS[1].to_owned(),
            End::Between(at) => MIDDLES[at].to_owned(),
            End::Any => "_".to_owned(),
            End::Entity(entity) => quote_atom(&self.entities[entity.index()]).into_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Names;
    use crate::links::closed::ClosedRule;
    use crate::links::evidence::Evidence;
    use crate::links::graph::Directed;
    use gleaner_base::{EntityId, LinkRelationId};

    #[test]
    fn rules_are_clauses() {
        let names = Names {
            entities: &["anna".to_owned(), "Bern".to_owned()],
            relations: &["lives".to_owned(), "/at/in".to_owned()],
        };
        let [lives, within] = [0, 1].map(LinkRelationId::new);
        let evidence = Evidence { correct: 1, predicted: 1 };
        let path = vec![Directed::forward(lives), Directed::backward(within)];
        let rule = ClosedRule { relation: lives, path, evidence };
        assert_eq!(names.closed(&rule), "lives(A,B) :- lives(A,C), '/at/in'(B,C).");
        let body = (Directed::forward(within), EntityId::new(0));
        let of_object = names.anchored(Directed::forward(lives), EntityId::new(1), body);
        assert_eq!(of_object, "lives(A,'Bern') :- '/at/in'(A,anna).");
        let body = (Directed::backward(within), EntityId::new(0));
        let of_subject = names.anchored(Directed::backward(lives), EntityId::new(1), body);
        assert_eq!(of_subject, "lives('Bern',B) :- '/at/in'(anna,B).");
        let bern = EntityId::new(1);
        let any = names.any_link(Directed::backward(lives), bern, Directed::forward(within));
        assert_eq!(any, "lives('Bern',B) :- '/at/in'(B,_).");
        assert_eq!(names.frequent(Directed::forward(lives), bern), "lives(A,'Bern').");
        assert_eq!(names.link(Directed::backward(lives).link(bern, EntityId::new(0))), "lives(anna,'Bern')");
    }
}
