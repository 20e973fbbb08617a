//! Rules for links as clauses.

use gleaner_base::EntityId;
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

/// The variables between the ends of a path.
const MIDDLES: [&str; LONGEST - 1] = ["C", "D", "E", "F"];

impl Names<'_> {
    /// A closed rule as a clause: `r(A,B) :- s(A,C), t(C,B).`
    #[must_use]
    pub fn closed(&self, rule: &ClosedRule) -> String {
        let mut body = Vec::new();
        let mut from = "A";
        for (at, &step) in rule.path.iter().enumerate() {
            let to = if at + 1 == rule.path.len() { "B" } else { MIDDLES[at] };
            body.push(self.atom(step, from, to));
            from = to;
        }
        format!("{} :- {}.", self.atom(Directed::forward(rule.relation), "A", "B"), body.join(", "))
    }

    /// An anchored rule as a clause: `r(A,c) :- s(A,d).`: an entity with the links of `body` has a link of `directed`
    /// to `anchor`.
    #[must_use]
    pub fn anchored(&self, directed: Directed, anchor: EntityId, body: (Directed, EntityId)) -> String {
        let entity = |entity: EntityId| quote_atom(&self.entities[entity.index()]);
        let (step, other) = body;
        let variable = if directed.is_backward() { "B" } else { "A" };
        let head = self.atom(directed, variable, &entity(anchor));
        format!("{head} :- {}.", self.atom(step, variable, &entity(other)))
    }

    /// A general rule as a clause: `r(A,c) :- s(A,_).`: an entity with any link of `body` has one of `directed` to `answer`.
    #[must_use]
    pub fn any_link(&self, directed: Directed, answer: EntityId, body: Directed) -> String {
        let variable = if directed.is_backward() { "B" } else { "A" };
        let head = self.atom(directed, variable, &quote_atom(&self.entities[answer.index()]));
        format!("{head} :- {}.", self.atom(body, variable, "_"))
    }

    /// The rule that an answer is frequent: `r(A,c).`
    #[must_use]
    pub fn frequent(&self, directed: Directed, answer: EntityId) -> String {
        let variable = if directed.is_backward() { "B" } else { "A" };
        format!("{}.", self.atom(directed, variable, &quote_atom(&self.entities[answer.index()])))
    }

    /// A link as an atom.
    #[must_use]
    pub fn link(&self, link: Link) -> String {
        let [subject, object] =
            [link.subject, link.object].map(|end| quote_atom(&self.entities[end.index()]));
        self.atom(Directed::forward(link.relation), &subject, &object)
    }

    /// A step as an atom of its relation, with the entities that it leads from and to.
    fn atom(&self, step: Directed, from: &str, to: &str) -> String {
        let (subject, object) = if step.is_backward() { (to, from) } else { (from, to) };
        format!("{}({subject},{object})", quote_atom(&self.relations[step.relation().index()]))
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
