use super::DatabaseSchema;

const SHOP: &str = "\
[people]\nid = \"key\"\nborn = \"time\"\ncity = \"category\"\n\
[orders]\nid = \"key\"\nbuyer = \"-> people\"\nplaced = \"row time\"\nshop = \"-> shops\"\nprice = \"number\"\n\
[shops]\nno = \"key\"\ntown = \"category\"\n\
[visits]\nshop = \"-> shops\"\nmins = \"number\"\nwhen = \"row time\"\n\
[labels]\nwho = \"-> people\"\nday = \"row time\"\nscore = \"number\"\nback = \"label\"\n";

fn words(body: &str) -> Option<Vec<String>> {
    let schema = DatabaseSchema::read(SHOP).expect("a schema");
    schema.in_words(&format!("labels_back(A,B,C) :- {body}."))
}

fn said(body: &str) -> String {
    words(body).map_or_else(|| "nothing".to_owned(), |conditions| conditions.join("; "))
}

#[test]
fn aggregates_are_said() {
    let of = |what: &str, rows: &str| {
        said(&format!("aggregate_all({what}, (labels_who(A, R), orders_buyer(Q, R){rows}), D), D >= 2"))
    };
    assert_eq!(of("count", ""), "number of orders rows of its who >= 2");
    assert_eq!(
        of("avg(V)", ", orders_buyer_recency(Q, K), K =< 20, orders_price(Q, V)"),
        "average orders.price of its who over the last 20 rows >= 2"
    );
    assert_eq!(
        of("max(V)", ", orders_placed_age(Q, K), K =< 30, orders_price(Q, V)"),
        "greatest orders.price of its who over the last 30 days >= 2"
    );
    assert_eq!(of("min(V)", ", orders_placed_age(Q, V)"), "days since the last orders row of its who >= 2");
    assert_eq!(
        of("count", ", orders_shop_town(Q, york), orders_price(Q, P), P > 5"),
        "number of orders rows of its who with shop.town = york and price > 5 >= 2"
    );
    assert_eq!(said("labels_who_orders_shop_latest(A, R)"), "its who's latest orders.shop is known");
    assert_eq!(
        said(
            "aggregate_all(sum(V), (labels_who_orders_shop_latest(A, R), visits_shop(Q, R), visits_mins(Q, V)), D), \
             D >= 2, D =< 9, \\+ aggregate_all(avg(V), (labels_who(A, R), orders_buyer(Q, R), orders_price(Q, V)), _)"
        ),
        "sum of visits.mins of its who's latest orders.shop >= 2 and =< 9; average orders.price of its who is missing"
    );
}

#[test]
fn conditions_of_aggregates_are_said() {
    let of = |what: &str, rows: &str| {
        said(&format!("aggregate_all({what}, (labels_who(A, R), orders_buyer(Q, R){rows}), D), D >= 2"))
    };
    let aged =
        |bounds: &str| of("sum(V)", &format!(", orders_placed_age(Q, K), orders_price(Q, V), {bounds}"));
    assert_eq!(aged("K >= 30"), "sum of orders.price of its who over all days but the last 30 >= 2");
    assert_eq!(
        aged("K =< 90, K >= 30"),
        "sum of orders.price of its who over the last 90 days but the last 30 >= 2"
    );
    let share = |counted: &str, rows: &str| of(&format!("share({counted})"), rows);
    assert_eq!(
        share("T = york", ", orders_shop_town(Q, T), orders_placed_age(Q, K), K =< 90"),
        "share of shop.town = york among orders rows of its who over the last 90 days >= 2"
    );
    assert_eq!(
        share("P >= 5.5", ", orders_price(Q, P)"),
        "share of price >= 5.5 among orders rows of its who >= 2"
    );
    assert_eq!(
        share("K =< 30", ", orders_placed_age(Q, K), K =< 90"),
        "share of the last 30 days among orders rows of its who over the last 90 days >= 2"
    );
    let ranked = |bounds: &str| of("count", &format!(", orders_buyer_recency(Q, K), {bounds}"));
    assert_eq!(ranked("K >= 3"), "number of orders rows of its who over all rows but the last 2 >= 2");
    assert_eq!(
        ranked("K >= 3, K =< 9"),
        "number of orders rows of its who over the last 9 rows but the last 2 >= 2"
    );
    assert_eq!(
        of("max(V)", ", orders_price(Q, V), V =< 7"),
        "greatest orders.price of its who with price =< 7 >= 2"
    );
    assert_eq!(
        of("avg(V)", ", orders_placed_age(Q, V), V =< 60"),
        "average age in days of orders rows of its who over the last 60 days >= 2"
    );
    assert_eq!(
        said(
            "aggregate_all(count, distinct(T, (labels_who(A, R), orders_buyer(Q, R), orders_shop_town(Q, T))), D), D >= 2"
        ),
        "number of different orders.shop.town of its who >= 2"
    );
    assert_eq!(
        said("aggregate_all(count, distinct(Q, (labels_who(A, R), orders_buyer(Q, R))), D), D >= 2"),
        "nothing"
    );
}

#[test]
fn examples_and_rows_are_said() {
    assert_eq!(said("labels_score(A, S), S >= 3, labels_who_city(A, york)"), "score >= 3; who.city = york");
    assert_eq!(said("labels_who_born_age(A, D), 900 >= D"), "days since who.born =< 900");
    let test = |goals: &str| DatabaseSchema::read(SHOP).expect("a schema").test_in_words(goals);
    assert_eq!(test("labels_score(A,D), D >= 3"), Some(vec!["score >= 3".to_owned()]));
    assert_eq!(test("\\+ orders_buyer(D,B)"), None);
    assert_eq!(test("orders_buyer(D,B)"), None, "it may be a row that was met before");
    assert_eq!(said("labels_score(A, S), S >= 4.918918918918919"), "score >= 4.9189");
    assert_eq!(said("\\+ labels_score(A, _), labels_who_city(A, _)"), "score is missing; who.city is known");
    assert_eq!(
        said("orders_buyer(R, B), orders_shop_town(R, 'Bad Ems'), orders_placed_age(R, D), D =< 7"),
        "an orders row of its who with shop.town = 'Bad Ems' over the last 7 days"
    );
    assert_eq!(
        said("\\+ (orders_buyer(R, B), orders_price(R, 3))"),
        "no orders row of its who with price = 3"
    );
}

/// What is left unsaid would be another clause.
#[test]
fn what_words_do_not_say_is_left_to_the_clause() {
    for body in [
        "orders_buyer(R, B), orders_price(R, P), labels_score(A, P)",
        "orders_buyer(R, B), orders_price(R, P), labels_score(A, S), P > S",
        "orders_buyer(R, B), orders_shop(R, S), visits_shop(V, S)",
        "orders_buyer(R, B), orders_buyer_recency(R, K), K > 3",
        "labels_score(A, S), S >= 3, T =< 4",
        "orders_buyer(R, B), orders_placed_age(R, C)",
        "aggregate_all(count, (orders_buyer(R, B), orders_price(R, P)), D), labels_score(A, P), D > 1",
        "people_city(B, york)",
        "labels_who_orders_shop_latest(A, B)",
        "unknown(A, B)",
        "labels_score(A)",
    ] {
        assert_eq!(words(body), None, "{body}");
    }
}

/// Values stand where words compare them; those of rows within an aggregate are many, and have none.
#[test]
fn values_of_an_example_are_named() {
    let schema = DatabaseSchema::read(SHOP).expect("a schema");
    let values =
        [("D", "3"), ("S", "4.918918918918919"), ("P", "7"), ("Y", "'Bad Ems'"), ("R", "12"), ("N", "x")];
    let values = values.map(|(name, value)| (name.to_owned(), value.to_owned())).into();
    let said = |body: &str| {
        let words = schema.in_words_of(&format!("labels_back(A,B,C) :- {body}."), &values);
        words.map_or_else(|| "nothing".to_owned(), |conditions| conditions.join("; "))
    };
    let counted =
        "aggregate_all(count, (labels_who(A, R), orders_buyer(Q, R), orders_price(Q, P), P > 5), D)";
    assert_eq!(
        said(&format!("{counted}, D >= 2, D =< 9")),
        "number of orders rows of its who with price > 5 >= 2 and =< 9 (here 3)"
    );
    assert_eq!(said("labels_score(A, S)"), "score is known (here 4.9189)");
    assert_eq!(
        said("labels_score(A, S), S >= 1, labels_who_city(A, york)"),
        "score >= 1 (here 4.9189); who.city = york"
    );
    assert_eq!(
        said("orders_buyer(R, B), orders_price(R, P), P >= 6, orders_placed_age(R, N), N =< 30"),
        "an orders row of its who with price >= 6 (here 7) over the last 30 days"
    );
    assert_eq!(said("\\+ labels_score(A, _)"), "score is missing");
}

/// Without cut-offs, columns of times are numbers of years. By hand: the 288th day of 2023 is the 15th of October, and 287 / 365
/// is .7863; 183 days of 2024 end with the 1st of July; .7870 of 2023 are 287.255 days, so 6:07.
#[test]
fn years_are_said_as_dates() {
    let without_cut_off = SHOP.replace("day = \"row time\"\n", "");
    let schema = DatabaseSchema::read(&without_cut_off).expect("a schema");
    let born = |years: &str| {
        let words = schema.in_words(&format!("labels_back(A,B) :- labels_who_born(A, Y), Y >= {years}."));
        words.map_or_else(|| "nothing".to_owned(), |conditions| conditions.join("; "))
    };
    assert_eq!(born("2023.7863"), "who.born >= 2023-10-15");
    assert_eq!(born("2024"), "who.born >= 2024-01-01");
    assert_eq!(born("2024.5"), "who.born >= 2024-07-02");
    assert_eq!(born("2023.787"), "who.born >= 2023-10-15 06:07");
}

/// Both are of the example, so that each has one value; of rows no words say so.
#[test]
fn equal_values_of_the_example_are_said() {
    let count = |town: &str| {
        format!(
            "aggregate_all(count, (labels_who(A, R), orders_buyer(Q, R), orders_shop_town(Q, {town})), D)"
        )
    };
    assert_eq!(
        said(&format!("{}, D >= 2, {}", count("york"), count("bath"))),
        "number of orders rows of its who with shop.town = york >= 2; \
         number of orders rows of its who with shop.town = bath = number of orders rows of its who with shop.town = york"
    );
    assert_eq!(
        said(&format!("labels_score(A, D), {}, D >= 2", count("bath"))),
        "score >= 2; number of orders rows of its who with shop.town = bath = score"
    );
    assert_eq!(words("labels_score(A, D), orders_buyer(R, B), orders_price(R, D)"), None);
}
