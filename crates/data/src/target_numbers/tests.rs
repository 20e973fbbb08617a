//! Numbers of examples in memory.

use gleaner_lang::program::NumberSource;

use crate::{LoadRequest, Problem, ProblemBuilder, Row, TableHead, Value};

const MODES: &str = ":- modeh(1, price(+house, #euros)).\n:- modeb(1, garden(+house)).\n";

fn request(number: NumberSource) -> LoadRequest {
    LoadRequest { number: Some(number), ..LoadRequest::default() }
}

fn numbers(problem: &Problem) -> Vec<Option<f64>> {
    problem.examples().ids().map(|id| problem.number(id)).collect()
}

/// Examples ascend by their arguments; classes are ranks of the numbers, and zero has one sign.
#[test]
fn an_argument_holds_the_number() {
    let mut builder = ProblemBuilder::default();
    builder.program("modes", MODES).fact(Row::new("garden", &["b".into()]));
    for (house, price) in [("d", 2.5), ("a", 0.0), ("b", -0.0), ("c", -7.0)] {
        builder.example(Row::new("price", &[house.into(), price.into()]), Some(true));
    }
    let problem = builder.build(&request(NumberSource::Argument(1))).0.expect("it loads").problem;
    assert_eq!(numbers(&problem), [Some(0.0), Some(0.0), Some(-7.0), Some(2.5)]);
    let list = problem.numbers().expect("numbers");
    assert_eq!(list.values, [-7.0, 0.0, 2.5]);
    let ranks: Vec<usize> = problem.examples().ids().map(|id| problem.examples().class(id).index()).collect();
    assert_eq!(ranks, [1, 1, 0, 2]);
    assert_eq!((problem.target().arity, problem.examples().arity()), (1, 1));
}

/// A negative example only says what the number is not.
#[test]
fn negatives_and_empty_cells_are_left_out() {
    let mut builder = ProblemBuilder::default();
    builder.program("modes", MODES).fact(Row::new("garden", &["b".into()]));
    for (house, price) in [("a", 1), ("b", 2)] {
        builder.example(Row::new("price", &[house.into(), price.into()]), Some(true));
    }
    builder.example(Row::new("price", &["c".into(), 5.into()]), Some(false));
    builder.example(Row::new("price", &["d".into(), Value::Missing]), Some(true));
    let loaded = builder.build(&request(NumberSource::Argument(1))).0.expect("it loads");
    assert_eq!(numbers(&loaded.problem), [Some(1.0), Some(2.0)]);
    let code = gleaner_lang::syntax::codes::WITHOUT_NUMBER;
    assert_eq!(loaded.warnings.iter().filter(|known| known.code() == code).count(), 1);
}

/// A builder that expects numbers reads the labels of a table in memory as numbers.
#[test]
fn labels_of_tables_in_memory_are_numbers() {
    let mut builder = ProblemBuilder::default();
    builder.take_numbers_as_labels();
    let rows =
        [vec!["a".into(), Value::Float(1.5)], vec!["b".into(), 3.into()], vec!["c".into(), Value::Missing]];
    builder.table(TableHead { name: "price", columns: &["house", "label"], fold: None }, rows.into_iter());
    builder.table(
        TableHead { name: "garden", columns: &["house"], fold: None },
        [vec!["b".into()], vec!["a".into()]].into_iter(),
    );
    let problem = builder.build(&request(NumberSource::Label)).0.expect("it loads").problem;
    assert_eq!(numbers(&problem), [Some(1.5), Some(3.0)]);
}
