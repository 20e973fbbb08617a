use std::collections::BTreeSet;

use ComparisonOperator::{Greater, GreaterOrEqual, Less, LessOrEqual, NotUnify, Unify};
use Tendency::{Against, Free, Mixed, With};

use crate::program::mode::{ArgumentMode, BodyMode, HeadMode, ModeSubject, Modes};
use crate::program::settings::SettingType;
use crate::program::{
    ArithmeticFunction, Comparison, ComparisonOperator, Expression, Literal, PredicateName, Symbols, Term,
};
use gleaner_base::{ConstantId, PredicateId, TypeId, VariableId};

use super::{Direction, MonotoneNumbers, OrderFault, Orders, Tendency, favourable, ordered, orders};

/// Types `age`, `amount`, `order`, `person`, and predicates `amount/2`, `both/3`, `good/1`, `ordered/2`.
fn symbols() -> Symbols {
    let predicate = |(name, arity): (&str, usize)| PredicateName::new(name, arity);
    Symbols {
        predicates: [("amount", 2), ("both", 3), ("good", 1), ("ordered", 2)].map(predicate).to_vec(),
        types: ["age", "amount", "order", "person"].map(str::to_owned).to_vec(),
        ..Symbols::default()
    }
}

/// The argument of a text as `+amount`.
fn argument(text: &str) -> ArgumentMode {
    let type_id = symbols().types.iter().position(|known| known == &text[1..]).expect("a known type");
    let type_id = TypeId::new(type_id);
    match &text[..1] {
        "+" => ArgumentMode::Input(type_id),
        "-" => ArgumentMode::Output(type_id),
        _ => ArgumentMode::Constant(type_id),
    }
}

fn mode(subject: ModeSubject, arguments: &[&str]) -> BodyMode {
    let arguments = arguments.iter().map(|text| argument(text)).collect();
    BodyMode { subject, arguments, instantiation_limit: None }
}

fn relation(name: &str, arguments: &[&str]) -> BodyMode {
    let id = symbols().find_predicate(name, arguments.len()).expect("a known predicate");
    mode(ModeSubject::Relation(id), arguments)
}

fn compared(left: &str, operator: ComparisonOperator, right: &str) -> BodyMode {
    mode(ModeSubject::Comparison(operator), &[left, right])
}

fn modes(head: &str, body: Vec<BodyMode>) -> Modes {
    let head = HeadMode { predicate: PredicateId::new(2), arguments: vec![argument(head)] };
    Modes { head, body, orders: Orders::default() }
}

fn usual() -> Vec<BodyMode> {
    vec![
        relation("ordered", &["+person", "-order"]),
        relation("amount", &["+order", "-amount"]),
        compared("+amount", GreaterOrEqual, "#amount"),
        compared("+amount", LessOrEqual, "#amount"),
    ]
}

fn numbers(text: &str) -> MonotoneNumbers {
    MonotoneNumbers::parse(text, &()).expect("a list")
}

fn amount_rises() -> Orders {
    Orders::new([(TypeId::new(1), Direction::Rising)])
}

/// Of `amount=+`, `V >= c` goes with it, `c >= V` against it; an equality may do either. `W` has no direction.
#[test]
fn tendencies_by_hand() {
    let (v, w, c) = (
        Term::Variable(VariableId::new(0)),
        Term::Variable(VariableId::new(1)),
        Term::Constant(ConstantId::new(7)),
    );
    let of = |direction: Direction, literal: Literal| {
        Tendency::of_literal(&literal, &|variable| (variable == VariableId::new(0)).then_some(direction))
    };
    let cases = [
        (v, GreaterOrEqual, c, With),
        (v, Greater, w, With),
        (v, LessOrEqual, c, Against),
        (w, GreaterOrEqual, v, Against),
        (c, Less, v, With),
        (v, Unify, c, Mixed),
        (v, NotUnify, w, Mixed),
        (v, GreaterOrEqual, v, Mixed),
        (w, Unify, c, Free),
    ];
    for (left, operator, right, expected) in cases {
        let literal = Literal::compared(left, operator, right);
        assert_eq!(of(Direction::Rising, literal.clone()), expected, "{literal:?}");
        let other_way = match expected {
            With => Against,
            Against => With,
            Free | Mixed => expected,
        };
        assert_eq!(of(Direction::Falling, literal), other_way);
    }
    let left = Expression::Unary(ArithmeticFunction::Negate, Box::new(Expression::Term(v)));
    let computed = Comparison { operator: GreaterOrEqual, left, right: Expression::Term(c) };
    assert_eq!(of(Direction::Rising, computed.into()), Mixed);
}

#[test]
fn conjuncts_of_both_tendencies_go_neither_way() {
    assert_eq!([With.and(With), With.and(Free), Free.and(Free)], [With, With, Free]);
    assert_eq!([Against.and(Against), Free.and(Against), With.and(Against)], [Against, Against, Mixed]);
    assert_eq!(Mixed.and(Free), Mixed);
}

/// Out go what joins amounts, what names one, and what asks for equality. Out of the favourable modes goes `=<`, too.
#[test]
fn modes_that_go_neither_way_are_left_out() {
    let mut body = usual();
    let joins = [
        relation("amount", &["+order", "+amount"]),
        relation("amount", &["+order", "#amount"]),
        mode(ModeSubject::Negated(PredicateId::new(0)), &["+order", "+amount"]),
        compared("+amount", Unify, "#amount"),
        compared("+amount", NotUnify, "+amount"),
        compared("+amount", Less, "+amount"),
    ];
    body.extend(joins.iter().cloned());
    // Whether there is a row does not depend on its number, nor does another type.
    let kept = [
        mode(ModeSubject::Negated(PredicateId::new(0)), &["+order", "-amount"]),
        compared("+age", Unify, "#age"),
        compared("+amount", Greater, "+age"),
    ];
    body.extend(kept.iter().cloned());
    let (under, left_out) = ordered(&modes("+person", body), amount_rises());
    assert_eq!(left_out, joins);
    assert_eq!(under.body, [usual(), kept.to_vec()].concat());
    let mut expected = under.body.clone();
    expected.remove(3);
    assert_eq!(favourable(&under).body, expected);
    assert_eq!(favourable(&modes("+person", usual())).body, usual());
}

#[test]
fn names_are_types_or_predicates_with_one() {
    let found = |text: &str, modes: &Modes| orders(&numbers(text), modes, &symbols());
    let plain = modes("+person", usual());
    assert_eq!(found("amount=+", &plain), Ok(amount_rises()));
    let unknown =
        |name: &str| OrderFault::Unknown { name: name.to_owned(), known: vec!["amount".to_owned()] };
    // `order` is a type without thresholds, and `ordered` has no argument of a type with any.
    for name in ["amuont", "order", "ordered", "age"] {
        assert_eq!(found(&format!("{name}=+"), &plain), Err(unknown(name)));
    }
    let mut body = usual();
    body.push(relation("both", &["+order", "-amount", "-age"]));
    let known = |modes: &Modes| match found("no=+", modes) {
        Err(OrderFault::Unknown { known, .. }) => known,
        other => unreachable!("{other:?}"),
    };
    assert_eq!(
        found("both=-", &modes("+person", body.clone())),
        Ok(Orders::new([(TypeId::new(1), Direction::Falling)]))
    );
    assert_eq!(known(&modes("+person", body.clone())), ["amount", "both"]);
    body.push(compared("+age", LessOrEqual, "#age"));
    let types = ["age", "amount"].map(str::to_owned).to_vec();
    assert_eq!(
        found("both=-", &modes("+person", body.clone())),
        Err(OrderFault::Several { name: "both".to_owned(), types })
    );
    assert_eq!(known(&modes("+person", body)), ["age", "amount"]);
}

#[test]
fn orders_that_contradict_themselves_are_refused() {
    let found = |text: &str, modes: &Modes| orders(&numbers(text), modes, &symbols());
    let mut body = usual();
    body.extend([relation("both", &["+order", "-amount", "-order"])]);
    let of_type = "amount".to_owned();
    assert_eq!(
        found("amount=+,both=-", &modes("+person", body.clone())),
        Err(OrderFault::TwoDirections { of_type: of_type.clone() })
    );
    assert_eq!(found("amount=+,both=+", &modes("+person", body)), Ok(amount_rises()));
    assert_eq!(
        found("amount=+", &modes("#amount", usual())),
        Err(OrderFault::HeadConstant { of_type: of_type.clone() })
    );
    assert!(found("amount=+", &modes("+amount", usual())).is_ok());
    let mut body = usual();
    body.extend([relation("amount", &["+order", "-age"]), compared("+age", LessOrEqual, "#age")]);
    let two = OrderFault::TwoTypes { predicate: "amount/2".to_owned(), of_type, other: "age".to_owned() };
    assert_eq!(found("amount=+", &modes("+person", body.clone())), Err(two));
    // Both types have the same numbers, so both need the direction.
    let types: BTreeSet<TypeId> = found("amount=+,age=+", &modes("+person", body))
        .expect("one direction")
        .iter()
        .map(|(of, _)| of)
        .collect();
    assert_eq!(types, BTreeSet::from([TypeId::new(0), TypeId::new(1)]));
}

fn kept(text: &str) -> Option<String> {
    MonotoneNumbers::parse(text, &()).ok().map(|parsed| parsed.kept(text).to_string())
}

#[test]
fn lists_by_hand() {
    assert_eq!(kept("none").as_deref(), Some("none"));
    assert_eq!(kept(" amount = + , age=-").as_deref(), Some("amount=+,age=-"));
    // A name may have the sign in it.
    assert_eq!(
        MonotoneNumbers::parse("a=b=-", &()).ok().map(|list| list.0[0].clone()),
        Some(("a=b".to_owned(), Direction::Falling))
    );
    for wrong in ["", "amount", "amount=", "amount=up", "=+", "a=+,", "a=+,a=-"] {
        assert_eq!(kept(wrong), None, "{wrong}");
    }
}
