//! Numbers of examples in memory.

use gleaner_lang::program::NumberSource;

use crate::{LoadRequest, Loaded, Problem, Table, load};
use gleaner_lang::syntax::Sources;

const MODES: &str = ":- modeh(1, price(+house, #euros)).\n:- modeb(1, garden(+house)).\n";

/// The problem of tables, beside a garden of `b`.
fn loaded(tables: impl IntoIterator<Item = Table>, number: NumberSource) -> Loaded {
    let request = LoadRequest::of_facts(tables, format!("{MODES}garden(b)."));
    load(&LoadRequest { number: Some(number), ..request }, &mut Sources::new()).expect("it loads")
}

fn numbers(problem: &Problem) -> Vec<Option<f64>> {
    problem.examples().ids().map(|id| problem.number(id)).collect()
}

/// Examples ascend by their arguments; classes are ranks of the numbers, and zero has one sign.
#[test]
fn an_argument_holds_the_number() {
    let prices = Table::new("price").column("house", vec!["d", "a", "b", "c"]);
    let prices = prices.column("euros", vec![2.5, 0.0, -0.0, -7.0]).column("label", vec![true; 4]);
    let problem = loaded([prices], NumberSource::Argument(1)).problem;
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
    let prices = Table::new("price").column("house", vec!["a", "b", "c", "d"]);
    let prices = prices.column("euros", vec![Some(1), Some(2), Some(5), None]);
    let prices = prices.column("label", vec![true, true, false, true]);
    let loaded = loaded([prices], NumberSource::Argument(1));
    assert_eq!(numbers(&loaded.problem), [Some(1.0), Some(2.0)]);
    let code = gleaner_lang::syntax::codes::WITHOUT_NUMBER;
    assert_eq!(loaded.warnings.iter().filter(|known| known.code() == code).count(), 1);
}

/// Where numbers are expected, the labels of a table in memory are numbers; one that is missing is left out, or stays.
#[test]
fn labels_of_tables_in_memory_are_numbers() {
    let prices = Table::new("price").column("house", vec!["a", "b", "c"]);
    let prices = prices.column("label", vec![Some(1.5), Some(3.0), None]);
    let problem = loaded([prices.clone()], NumberSource::Label).problem;
    assert_eq!(numbers(&problem), [Some(1.5), Some(3.0)]);
    let request = LoadRequest::of_facts([prices], format!("{MODES}garden(b)."));
    let number = Some(NumberSource::Label);
    let request = LoadRequest { number, keeps_unlabelled: true, ..request };
    let problem = load(&request, &mut Sources::new()).expect("it loads").problem;
    assert_eq!(numbers(&problem), [Some(1.5), Some(3.0), None]);
}
