//! Trees as a Prolog program.

use crate::prolog::{Program, number};

use super::model::TreeModel;
use super::tree::Node;

const RULES: &str = "\
% The score is the base and the value of the example's leaf in each tree.
gleaner_score_of(Example, Score) :-
    findall(Value, ( gleaner_tree(Tree), gleaner_comes_to(Tree, 0, Example, Value) ), Values),
    gleaner_base(Base),
    gleaner_sum(Values, Base, Score).

gleaner_comes_to(Tree, Node, _, Value) :-
    gleaner_leaf(Tree, Node, Value),
    !.
gleaner_comes_to(Tree, Node, Example, Value) :-
    gleaner_test(Tree, Node, Clause, OnTrue, OnFalse),
    ( gleaner_covers(Clause, Example) -> Next = OnTrue ; Next = OnFalse ),
    gleaner_comes_to(Tree, Next, Example, Value).

";

pub(super) fn program(model: &TreeModel) -> Program<'_> {
    let mut program = Program::default();
    program.table("gleaner_base", 1);
    program.row("gleaner_base", &[number(model.base)]);
    for (name, arity) in [("gleaner_tree", 1), ("gleaner_leaf", 3), ("gleaner_test", 5)] {
        program.table(name, arity);
    }
    for at in 1..=model.trees.len() {
        program.row("gleaner_tree", &[at.to_string()]);
    }
    let nodes = model.trees.iter().zip(1..).flat_map(|(tree, number)| {
        tree.nodes.iter().enumerate().map(move |(node_idx, node)| (number, node_idx, node))
    });
    let (leaves, splits): (Vec<_>, Vec<_>) = nodes.partition(|(.., node)| matches!(node, Node::Leaf(_)));
    for (tree, node_idx, node) in leaves.into_iter().chain(splits) {
        let place = [tree.to_string(), node_idx.to_string()];
        match node {
            Node::Leaf(leaf) => program.row("gleaner_leaf", &[&place[..], &[number(leaf.value)]].concat()),
            Node::Split(split) => {
                let clause = program.clause(&split.clause);
                let ways = [clause, split.on_true, split.on_false].map(|number| number.to_string());
                program.row("gleaner_test", &[&place[..], &ways].concat());
            }
        }
    }
    program.rules(RULES);
    program.decide_by_score(model.threshold.map(|(least, _)| least));
    program
}
