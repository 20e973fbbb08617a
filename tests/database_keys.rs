//! Keys of several columns: what is proposed, what is said, and that a clause joins by them as by a key of one.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use rusqlite::Connection;

use crate::support::{covered, fresh_folder, gleaner, printed, write};

/// The places of the weather; one has a sign that stands between the values of a key.
const PLACES: [&str; 3] = ["EWR", "J|K", "LGA"];

/// The weather of a place on a day, by hand: the millimetres of rain.
fn rain(place: usize, day: usize) -> usize {
    (place * 5 + day * 7) % 11
}

/// The row of a trip: its place and its day. The last days have no weather.
fn trip(number: usize) -> (usize, usize) {
    (number * 7 % 3, number * 13 % 42)
}

/// Whether a trip is late: in heavy rain, and now and then without.
fn is_late(number: usize) -> bool {
    let (place, day) = trip(number);
    day < 40 && rain(place, day) >= 8 || number.is_multiple_of(17)
}

fn date(day: usize) -> String {
    format!("2024-{:02}-{:02}", 1 + day / 28, 1 + day % 28)
}

const N_TRIPS: usize = 300;

/// A forecast is known before its day. Else no key would be proposed by which a trip sees the weather of its own day.
const FORECAST: &str = "[weather]\nday = \"time\"\n";

/// The tables `weather` and `trips`, with names for the place and the day of each, or with a key of one column.
fn tables(folder: &Path, db: &str, names: Option<[[&str; 2]; 2]>) {
    let [of_weather, of_trips] = match names {
        Some(names) => names.map(|[place, day]| format!("{place},{day}")),
        None => ["spot", "spot"].map(str::to_owned),
    };
    let key = |place: usize, day: usize| match names {
        Some(_) => format!("{},{}", PLACES[place], date(day)),
        None => format!("{} {}", PLACES[place], date(day)),
    };
    let mut weather = format!("{of_weather},rain\n");
    for day in 0..40 {
        for place in 0..3 {
            let _ = writeln!(weather, "{},{}", key(place, day), rain(place, day));
        }
    }
    let mut trips = format!("id,{of_trips},late\n");
    for number in 0..N_TRIPS {
        let (place, day) = trip(number);
        let _ = writeln!(trips, "{},{},{}", number + 1, key(place, day), u8::from(is_late(number)));
    }
    write(folder, &format!("{db}/weather.csv"), &weather);
    write(folder, &format!("{db}/trips.csv"), &trips);
    if names.is_some() {
        write(folder, &format!("{db}/schema.toml"), FORECAST);
    }
}

/// The lines of a proposed schema that say what several columns are together, without their reasons.
fn composites(folder: &Path, db: &str) -> Vec<String> {
    let schema = printed(folder, &["inspect", db, "--label", "trips.late", "--propose-schema", "--quiet"]);
    let lines = schema.lines().filter(|line| line.contains(" = ["));
    lines.filter_map(|line| line.split(" #").next()).map(str::to_owned).collect()
}

/// How many positives and negatives have at least so much rain, by the clause's relation.
fn covers(folder: &Path, db: &str, relation: &str) -> [usize; 2] {
    covered(folder, db, "trips.late", &format!("trips_late(A) :- {relation}(A, B), B >= 6.\n"))
}

#[test]
fn a_key_of_two_columns_joins_as_one_does() {
    let folder = fresh_folder("database-keys-join");
    tables(&folder, "two", Some([["place", "day"], ["place", "day"]]));
    tables(&folder, "one", None);
    let mut expected = [0, 0];
    for number in 0..N_TRIPS {
        let (place, day) = trip(number);
        expected[usize::from(!is_late(number))] += usize::from(day < 40 && rain(place, day) >= 6);
    }
    assert!(expected[0] > 0 && expected[1] > 0);
    assert_eq!(covers(&folder, "one", "trips_spot_rain"), expected);
    assert_eq!(covers(&folder, "two", "trips_place_and_day_rain"), expected);
    let found = composites(&folder, "two");
    assert_eq!(found, ["\"-> weather\" = [\"place\", \"day\"]", "key = [\"place\", \"day\"]"]);
    let shown = printed(&folder, &["inspect", "two", "--label", "trips.late", "--quiet"]);
    assert!(shown.contains("place + day -> weather"), "{shown}");
}

/// Columns of other names match by their values. Then all of them must be within the key.
#[test]
fn names_are_not_needed_and_guesses_can_be_mended() {
    let folder = fresh_folder("database-keys-names");
    tables(&folder, "same", Some([["place", "day"], ["place", "day"]]));
    tables(&folder, "other", Some([["place", "day"], ["from", "left_on"]]));
    // Some trips have days without weather, so values alone do not say enough.
    assert!(composites(&folder, "other").is_empty());
    let trips = std::fs::read_to_string(folder.join("other/trips.csv")).expect("trips");
    let known: Vec<&str> =
        trips.lines().filter(|line| (40..42).all(|day| !line.contains(&date(day)))).collect();
    assert!(known.len() > 200 && known.len() < 301);
    write(&folder, "within/trips.csv", &(known.join("\n") + "\n"));
    std::fs::copy(folder.join("other/weather.csv"), folder.join("within/weather.csv")).expect("a copy");
    write(&folder, "within/schema.toml", FORECAST);
    let by_values = ["\"-> weather\" = [\"from\", \"left_on\"]", "key = [\"place\", \"day\"]"];
    assert_eq!(composites(&folder, "within"), by_values);
    // What is said goes before what is proposed, and an empty list denies.
    write(&folder, "same/schema.toml", &format!("{FORECAST}key = []\n"));
    assert!(composites(&folder, "same").is_empty());
    write(&folder, "same/schema.toml", &format!("{FORECAST}[trips]\n\"-> weather\" = []\n"));
    assert!(composites(&folder, "same").is_empty());
    let said = "[weather]\nkey = [\"place\", \"day\"]\n[trips]\n\"-> weather\" = [\"from\", \"left_on\"]\n";
    write(&folder, "other/schema.toml", said);
    assert_eq!(composites(&folder, "other"), by_values);
    let [same, other] = [
        covers(&folder, "within", "trips_from_and_left_on_rain"),
        covers(&folder, "other", "trips_from_and_left_on_rain"),
    ];
    assert_eq!(same, other, "trips without weather have no rain");
    // A schema that was proposed says the same again.
    let proposed = ["inspect", "other", "--label", "trips.late", "--propose-schema", "--quiet"];
    let schema = printed(&folder, &proposed);
    write(&folder, "other/schema.toml", &schema);
    assert_eq!(composites(&folder, "other"), by_values);
}

/// Columns that count something are within many keys, and rows that repeat have no key.
#[test]
fn pairs_by_chance_are_no_keys() {
    let folder = fresh_folder("database-keys-chance");
    // Order `n` has 3 to 9 lines.
    let n_lines = |order: usize| 3 + order * 5 % 7;
    let mut lines = "order_id,no,price\n".to_owned();
    let mut trips = "order_id,late\n".to_owned();
    for order in 1..=80_usize {
        for no in 1..=n_lines(order) {
            let _ = writeln!(lines, "{order},{no},{}", order * no % 50);
        }
        let _ = writeln!(trips, "{order},{}", u8::from(order % 3 == 0));
    }
    // Parcels hold one or two boxes, seldom nine; none has more than its order has lines.
    let mut parcels = "of_order,n_boxes,weight\n".to_owned();
    let mut returns = "ref,line,why\n".to_owned();
    for row in 0..160_usize {
        let order = 1 + row * 37 % 80;
        let n_boxes = if n_lines(order) == 9 && row % 3 == 0 { 9 } else { 1 + row % 2 };
        let _ = writeln!(parcels, "{order},{n_boxes},{}", row % 9);
        let _ = writeln!(returns, "{order},{},{}", n_lines(order) - row / 80, ["late", "broken"][row % 2]);
    }
    let orders: String = (1..=80).map(|order| format!("{order},{}\n", ["web", "shop"][order % 2])).collect();
    write(&folder, "db/orders.csv", &format!("id,way\n{orders}"));
    write(&folder, "db/lines.csv", &lines);
    write(&folder, "db/parcels.csv", &parcels);
    write(&folder, "db/trips.csv", &trips);
    assert!(composites(&folder, "db").is_empty(), "numbers of boxes are no numbers of lines");
    // The number of a line that is sent back is one.
    write(&folder, "db/returns.csv", &returns);
    let found = composites(&folder, "db");
    assert_eq!(found, ["key = [\"order_id\", \"no\"]", "\"-> lines\" = [\"ref\", \"line\"]"]);
    // With a row twice there is no key.
    write(&folder, "db/lines.csv", &format!("{lines}1,1,7\n"));
    assert!(composites(&folder, "db").is_empty());
}

/// SQLite and DuckDB declare keys of several columns, in any order and under other names.
#[test]
fn declared_keys_are_taken() {
    let folder = fresh_folder("database-keys-declared");
    tables(&folder, "csv", Some([["place", "day"], ["from", "left_on"]]));
    let of_weather =
        "CREATE TABLE weather(\"place\" VARCHAR, \"day\" VARCHAR, rain BIGINT, PRIMARY KEY(place, day))";
    let of_trips = "CREATE TABLE trips(id BIGINT PRIMARY KEY, \"from\" VARCHAR, left_on VARCHAR, late BIGINT, \
                    FOREIGN KEY (left_on, \"from\") REFERENCES weather(day, place))";
    write(&folder, "duck/schema.sql", &format!("{of_weather};\n{of_trips};\n"));
    let copied = ["weather", "trips"].map(|table| format!("COPY {table} FROM '{table}.csv' (header 1);\n"));
    write(&folder, "duck/load.sql", &copied.concat());
    let database = Connection::open(folder.join("trips.sqlite")).expect("a database");
    // Some trips have no weather.
    database.execute_batch("PRAGMA foreign_keys = OFF").expect("a setting");
    database.execute_batch(&format!("{of_weather};{of_trips}")).expect("tables");
    for (table, n_columns) in [("weather", 3), ("trips", 4)] {
        let text = std::fs::read_to_string(folder.join(format!("csv/{table}.csv"))).expect("a table");
        write(&folder, &format!("duck/{table}.csv"), &text);
        let places = vec!["?"; n_columns].join(",");
        let mut insert =
            database.prepare(&format!("INSERT INTO {table} VALUES ({places})")).expect("a statement");
        for line in text.lines().skip(1) {
            insert.execute(rusqlite::params_from_iter(line.split(','))).expect("a row");
        }
    }
    drop(database);
    let expected = ["\"-> weather\" = [\"from\", \"left_on\"]", "key = [\"place\", \"day\"]"];
    for data in ["duck", "trips.sqlite"] {
        let mut found = composites(&folder, data);
        found.sort();
        assert_eq!(found, expected, "{data}");
        let counts = covers(&folder, data, "trips_from_and_left_on_rain");
        let said =
            "[weather]\nkey = [\"place\", \"day\"]\n[trips]\n\"-> weather\" = [\"from\", \"left_on\"]\n";
        write(&folder, "csv/schema.toml", said);
        assert_eq!(counts, covers(&folder, "csv", "trips_from_and_left_on_rain"), "{data}");
        let (_, _, stderr) = gleaner(&folder, &["inspect", data, "--label", "trips.late"]);
        assert!(!stderr.contains("G140"), "{data}: {stderr}");
    }
}

/// A manifest says a key of several columns by a list, in either notation of YAML; a list of one is a key of one column.
/// Its foreign keys are of one column each, so `schema.toml` says those of several.
#[test]
fn a_list_of_a_manifest_is_a_key_of_several_columns() {
    let folder = fresh_folder("database-keys-manifest");
    tables(&folder, "rel/db", Some([["place", "day"], ["place", "day"]]));
    tables(&folder, "one", None);
    let expected = covers(&folder, "one", "trips_spot_rain");
    let manifest = |pkey: &str| {
        let of_trips = "  trips:\n    pkey: [id]\n    time_col: null\n    fkeys: {}\n";
        let of_weather = format!("  weather:\n    pkey: {pkey}\n    time_col: null\n    fkeys: {{}}\n");
        write(&folder, "rel/manifest.yaml", &format!("name: rel-trips\ntables:\n{of_trips}{of_weather}"));
    };
    let said = |what: &str| {
        let inspect = ["inspect", "rel", "--label", "trips.late", "--propose-schema", "--quiet"];
        let shown = printed(&folder, &inspect);
        let why = shown.lines().find_map(|line| line.strip_prefix(what)).map(str::to_owned);
        why.unwrap_or_else(|| format!("nothing: {shown}"))
    };
    for list in ["[place, day]", "\n    - place\n    - \"day\""] {
        manifest(list);
        assert_eq!(said("key = [\"place\", \"day\"]"), " # as manifest.yaml says");
        assert_eq!(said("id = \"key\""), " # as manifest.yaml says");
        // Nothing else is proposed for the tables of a manifest.
        assert_eq!(composites(&folder, "rel"), ["key = [\"place\", \"day\"]"]);
        write(&folder, "rel/schema.toml", "[trips]\n\"-> weather\" = [\"place\", \"day\"]\n");
        assert_eq!(covers(&folder, "rel", "trips_place_and_day_rain"), expected);
        std::fs::remove_file(folder.join("rel/schema.toml")).expect("it was there");
    }
    // The order of the list is that of the key.
    manifest("[day, place]");
    assert_eq!(said("key = [\"day\", \"place\"]"), " # as manifest.yaml says");
    // A list that names no key of the rows, a column that is not there, and nothing.
    for (list, code, what) in [
        ("[place, rain]", Some(1), "error[G129]: place + rain is no key of weather"),
        ("[place, hour]", Some(0), "warning[G140]: the table weather has no column hour"),
        ("[]", Some(0), ""),
    ] {
        manifest(list);
        let (exit, _, stderr) = gleaner(&folder, &["inspect", "rel", "--label", "trips.late"]);
        assert!(exit == code && stderr.contains(what), "{list}: {stderr}");
    }
    assert!(composites(&folder, "rel").is_empty());
}

/// Scores join back by all columns of a key.
#[test]
fn scores_name_rows_by_all_columns_of_the_key() {
    let folder = fresh_folder("database-keys-rows");
    tables(&folder, "db", Some([["place", "day"], ["place", "day"]]));
    let mut wet = "place,day,storm\n".to_owned();
    for day in 0..40 {
        for (place, name) in PLACES.iter().enumerate() {
            let _ = writeln!(wet, "{name},{},{}", date(day), u8::from(rain(place, day) >= 9));
        }
    }
    write(&folder, "db/storms.csv", &wet);
    write(
        &folder,
        "db/schema.toml",
        "[storms]\nkey = [\"place\", \"day\"]\n\"-> weather\" = [\"place\", \"day\"]\n",
    );
    let label = ["--label", "storms.storm"];
    let learn = ["learn", "db", "--learner", "tree", "--fold", "1", "-o", "m.json", "--quiet"];
    printed(&folder, &[&learn[..], &label].concat());
    let predict = ["predict", "m.json", "db", "--to", "rows", "--quiet"];
    let stdout = printed(&folder, &predict);
    let mut reader = csv::Reader::from_reader(stdout.as_bytes());
    assert_eq!(
        reader.headers().expect("a header").iter().take(3).collect::<Vec<_>>(),
        ["place", "day", "score"]
    );
    let scored: BTreeMap<(String, String), String> = reader
        .records()
        .map(|row| row.expect("a row"))
        .map(|row| ((row[0].to_owned(), row[1].to_owned()), row[row.len() - 1].to_owned()))
        .collect();
    assert_eq!(scored.len(), 120);
    for day in 0..40 {
        for place in 0..3 {
            let decision = &scored[&(PLACES[place].to_owned(), date(day))];
            assert_eq!(*decision, u8::from(rain(place, day) >= 9).to_string(), "{place} {day}");
        }
    }
}

#[test]
fn keys_that_name_no_row_are_refused() {
    let folder = fresh_folder("database-keys-faulty");
    tables(&folder, "db", Some([["place", "day"], ["place", "day"]]));
    for (schema, what) in [
        ("[weather]\nkey = [\"place\", \"rain\"]\n", "place + rain is no key of weather"),
        ("[weather]\nkey = [\"place\", \"hour\"]\n", "no column hour"),
        ("[weather]\nlabel = [\"place\", \"day\"]\n", "several columns are"),
        ("[trips]\n\"-> weather\" = [\"id\", \"day\"]\n", "no column id"),
    ] {
        write(&folder, "db/schema.toml", schema);
        let (code, _, stderr) = gleaner(&folder, &["inspect", "db", "--label", "trips.late", "--quiet"]);
        let errors: Vec<&str> = stderr.lines().filter(|line| line.starts_with("error")).collect();
        assert!(code == Some(1) && errors.len() == 1, "{schema}: {stderr}");
        assert!(stderr.contains("G129") && stderr.contains(what), "{schema}: {stderr}");
    }
}
