use proptest::prelude::{Just, Strategy, any, prop, proptest};

use super::canonical;
use crate::base::{ConstantId, PredicateId, VariableId};
use crate::program::{Atom, Clause, Literal, Term};

fn term() -> impl Strategy<Value = Term> {
    prop::sample::select((0..7_u32).collect::<Vec<_>>()).prop_map(|number| {
        if number < 5 {
            Term::Variable(VariableId::from_raw(number))
        } else {
            Term::Constant(ConstantId::from_raw(number))
        }
    })
}

fn literal() -> impl Strategy<Value = Literal> {
    (0..3_u32, prop::collection::vec(term(), 2), any::<bool>()).prop_map(|(predicate, arguments, negate)| {
        let atom = Atom { predicate: PredicateId::from_raw(predicate), arguments };
        if negate { Literal::Negative(atom) } else { Literal::Positive(atom) }
    })
}

proptest! {
    #[test]
    fn order_and_names_do_not_matter(
        (body, shuffled) in prop::collection::vec(literal(), 0..6)
            .prop_flat_map(|body| (Just(body.clone()), Just(body).prop_shuffle())),
        names in Just((0..5_u32).collect::<Vec<_>>()).prop_shuffle(),
    ) {
        let head = Atom {
            predicate: PredicateId::from_raw(9),
            arguments: vec![Term::Variable(VariableId::from_raw(0)), Term::Variable(VariableId::from_raw(1))],
        };
        let mut rename = |term| match term {
            Term::Variable(variable) => Term::Variable(VariableId::from_raw(names[variable.index()])),
            constant @ Term::Constant(_) => constant,
        };
        let renamed_head = head.map_terms(&mut rename);
        let renamed_body: Vec<Literal> = shuffled.iter().map(|literal| literal.map_terms(&mut rename)).collect();
        let clause = Clause::renumbered(&head, &body);
        let variant = Clause::renumbered(&renamed_head, &renamed_body);
        assert_eq!(canonical(&clause), canonical(&variant));
        assert_eq!(canonical(&canonical(&clause)), canonical(&clause));
    }
}
