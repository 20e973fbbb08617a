//! How numbers are given, and what is refused.

use gleaner_data::{LoadPurpose, LoadRequest};
use gleaner_lang::syntax::{Diagnostic, Severity, codes};

use super::{loaded, numbers_of, request, written};

const MODES: &str = ":- modeh(1, price(+house, #euros)).\n:- modeb(1, garden(+house)).\n";
const PRICES: &str = "price(a, 3.5). price(b, 2). price(c, -1). price(d, 2).\n";

fn expected() -> Vec<(String, Option<f64>)> {
    [("price(a)", 3.5), ("price(b)", 2.0), ("price(c)", -1.0), ("price(d)", 2.0)]
        .map(|(example, number)| (example.to_owned(), Some(number)))
        .to_vec()
}

/// The same houses in five layouts: as an argument, as a label, as facts.
#[test]
fn every_layout_says_numbers() {
    let garden = "garden(a). garden(b).\n";
    let own = written("numbers-own", &[("background.pl", garden), ("modes.pl", MODES), ("pos.pl", PRICES)]);
    let both = format!("{garden}{PRICES}");
    let facts = written("numbers-facts", &[("background.pl", &both), ("modes.pl", MODES)]);
    let of_garden = ("garden.csv", "house\na\nb\n");
    let label = ("price.csv", "house,label\na,3.5\nb,2\nc,-1\nd,2.0\n");
    let labels = written("numbers-labels", &[of_garden, label]);
    let column = ("price.csv", "house,euros\na,3.5\nb,2\nc,-1\nd,2.0\n");
    let columns = written("numbers-columns", &[of_garden, column]);
    let lines = "{\"predicate\":\"garden\",\"arguments\":[\"a\"]}\n{\"predicate\":\"garden\",\"arguments\":[\"b\"]}\n\
                 {\"predicate\":\"price\",\"arguments\":[\"a\"],\"label\":3.5}\n\
                 {\"predicate\":\"price\",\"arguments\":[\"b\"],\"label\":2}\n\
                 {\"predicate\":\"price\",\"arguments\":[\"c\"],\"label\":-1}\n\
                 {\"predicate\":\"price\",\"arguments\":[\"d\"],\"label\":2.0}\n";
    let json = written("numbers-json", &[("houses.jsonl", lines)]);
    for (path, target, source) in [
        (&own, None, "2"),
        (&facts, Some("price/2"), "2"),
        (&labels, None, "label"),
        (&columns, Some("price/2"), "2"),
        (&json, None, "label"),
    ] {
        let (problem, _) = loaded(&request(path, target, source)).expect("it loads");
        assert_eq!(numbers_of(&problem), expected(), "{}", path.display());
        assert_eq!(problem.target().to_string(), "price/1");
        assert_eq!(problem.modes().head.arguments.len(), 1);
    }
}

/// Examples above the median are the upper half; where most have the least number, all others are.
#[test]
fn halves_by_hand() {
    let upper = |name: &str, prices: &str| {
        let folder =
            written(name, &[("background.pl", "garden(a).\n"), ("modes.pl", MODES), ("pos.pl", prices)]);
        let (problem, _) = loaded(&request(&folder, None, "2")).expect("it loads");
        let is_upper = |id: &gleaner_base::ExampleId| problem.examples().is_positive(*id);
        problem.examples().ids().filter(is_upper).map(|id| problem.example_text(id)).collect::<Vec<_>>()
    };
    assert_eq!(
        upper("halves-1", "price(a, 1). price(b, 2). price(c, 3). price(d, 4).\n"),
        ["price(c)", "price(d)"]
    );
    assert_eq!(upper("halves-2", "price(a, 0). price(b, 0). price(c, 0). price(d, 4).\n"), ["price(d)"]);
    assert_eq!(upper("halves-3", "price(a, 0). price(b, 4). price(c, 4). price(d, 4).\n").len(), 3);
}

fn told(request: &LoadRequest) -> Vec<Diagnostic> {
    loaded(request).map_or_else(|faults| faults, |(_, warnings)| warnings)
}

fn only(told: &[Diagnostic], code: gleaner_lang::syntax::Code, severity: Severity) -> &Diagnostic {
    let mut found = told.iter().filter(|known| known.code() == code && known.severity() == severity);
    let first = found.next().unwrap_or_else(|| panic!("{code} is not said: {told:?}"));
    assert!(found.next().is_none(), "{code} is said once");
    first
}

#[test]
fn what_cannot_be_a_number_is_refused_with_its_place() {
    let own = |name: &str, prices: &str| {
        written(name, &[("background.pl", "garden(a).\n"), ("modes.pl", MODES), ("pos.pl", prices)])
    };
    let words = own("numbers-words", "price(a, 1). price(b, dear). price(c, 2). price(d, cheap).\n");
    let said = told(&request(&words, None, "2"));
    let fault = only(&said, codes::NOT_A_NUMBER, Severity::Error);
    assert!(fault.message().contains("`dear` is no number, nor is that of one more"), "{}", fault.message());
    assert_eq!(fault.labels().len(), 1, "it has a place");
    let faulty = |name: &str, prices: &str, source: &str| {
        let said = told(&request(&own(name, prices), None, source));
        only(&said, codes::BAD_NUMBERS, Severity::Error).message().to_owned()
    };
    assert!(faulty("numbers-3", PRICES, "3").contains("price/2 has 2 arguments"));
    assert!(
        faulty("numbers-same", "price(a, 1). price(b, 1).\n", "2").contains("all examples have the number 1")
    );
    let twice = told(&request(&own("numbers-twice", "price(a, 1). price(b, 2). price(a, 3).\n"), None, "2"));
    let fault = only(&twice, codes::BOTH_CLASSES, Severity::Error);
    assert!(fault.message().contains("price(a) has two numbers, 1 and 3"), "{}", fault.message());
    // `price/1` is known otherwise.
    let clash = written(
        "numbers-clash",
        &[("background.pl", "garden(a). price(z).\n"), ("modes.pl", MODES), ("pos.pl", PRICES)],
    );
    let said = told(&request(&clash, None, "2"));
    assert!(
        only(&said, codes::BAD_NUMBERS, Severity::Error).message().contains("price/1, which the data define")
    );
    let classes = LoadRequest {
        classes: gleaner_data::ClassRequest { argument: Some(1), ..Default::default() },
        ..request(&own("numbers-classes", PRICES), None, "2")
    };
    only(&told(&classes), codes::BAD_NUMBERS, Severity::Error);
    let negatives = LoadRequest {
        negatives: "all".parse().ok(),
        ..request(&own("numbers-negatives", PRICES), None, "2")
    };
    only(&told(&negatives), codes::BAD_NUMBERS, Severity::Error);
}

/// A message names row and column of a label that is no number. An example with an empty label is left out of learning, and
/// a model predicts its number.
#[test]
fn missing_numbers_are_left_out_or_scored() {
    let table = |name: &str, rows: &str| {
        written(name, &[("garden.csv", "house\na\nb\n"), ("price.csv", &format!("house,label\n{rows}"))])
    };
    let some = table("numbers-missing", "a,3.5\nb,\nc,NaN\nd,2\n");
    let asked = request(&some, None, "label");
    let (problem, warnings) = loaded(&asked).expect("it loads");
    let left = [("price(a)".to_owned(), Some(3.5)), ("price(d)".to_owned(), Some(2.0))];
    assert_eq!(numbers_of(&problem), left);
    let warning = only(&warnings, codes::WITHOUT_NUMBER, Severity::Warning);
    assert!(warning.message().contains("2 examples are left out"), "{}", warning.message());
    let scored = LoadRequest {
        purpose: LoadPurpose::Score,
        target: Some("price/1".parse().expect("a target")),
        ..asked.clone()
    };
    let (problem, _) = loaded(&scored).expect("it loads");
    assert_eq!(numbers_of(&problem).iter().filter(|(_, number)| number.is_none()).count(), 2);
    let odd = table("numbers-odd", "a,3.5\nb,dear\nc,1\n");
    let said = told(&request(&odd, None, "label"));
    only(&said, codes::NOT_A_NUMBER, Severity::Error);
    // Who forgets to say that labels are numbers is told how.
    let forgot = told(&LoadRequest { number: None, ..request(&some, None, "label") });
    let help = format!("{forgot:?}");
    assert!(help.contains("⁅number-argument=label⁆"), "{help}");
}

/// Many numbers as classes are seldom meant.
#[test]
fn numbers_as_classes_are_told() {
    let prices: String = (0..12).map(|house| format!("price(h{house}, {house}.5).\n")).collect();
    let folder = written(
        "numbers-as-classes",
        &[("background.pl", "garden(h1).\n"), ("modes.pl", MODES), ("pos.pl", &prices)],
    );
    let classes = |path| LoadRequest {
        classes: gleaner_data::ClassRequest { argument: Some(1), ..Default::default() },
        number: None,
        ..request(path, None, "2")
    };
    let said = told(&classes(&folder));
    let warning = only(&said, codes::NUMBERS_AS_CLASSES, Severity::Warning);
    assert!(format!("{warning:?}").contains("⁅number-argument=2⁆"));
    let few: String = (0..12).map(|house| format!("price(h{house}, {}).\n", house % 3)).collect();
    let folder =
        written("few-numbers", &[("background.pl", "garden(h1).\n"), ("modes.pl", MODES), ("pos.pl", &few)]);
    assert!(!told(&classes(&folder)).iter().any(|known| known.code() == codes::NUMBERS_AS_CLASSES));
}
