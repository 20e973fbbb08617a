//! Tables in memory are what the same tables in files are: equal models, to the byte, and equal scores.

use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;

use gleaner::{Dataset, DatasetReader, Error, Learner, Model, Source, Table, ValidationOptions, Values};
use parquet::basic::Compression;
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DataType, DoubleType, Int32Type, Int64Type};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::parser::parse_message_type;

use crate::support::{fresh_folder, write};

/// A table: its name, and its columns.
type Columns = (&'static str, Vec<(&'static str, Values)>);

const N_PATIENTS: i32 = 60;
const DAY: i64 = 86_400_000_000;
/// Days from 1970 to 2021-01-01.
const OF_2021: i32 = 18_628;

/// What the tables mean, as a file says it.
const SCHEMA: &str = "[patients]\nid = \"key\"\nborn = \"time\"\n\n[visits]\nvisit = \"key\"\npatient = \"-> patients\"\n\
                      day = \"row time\"\nward = \"category\"\n\n[labels]\npatient = \"-> patients\"\nday = \"row time\"\n\
                      level = \"class\"\nstate = \"left out\"\nspent = \"left out\"\n";

fn index(at: i32) -> usize {
    usize::try_from(at).expect("no negative number")
}

/// Patients with text keys, dates and booleans; visits with whole numbers as keys, times, and costs that may be missing or `1.0`;
/// and labels of three kinds. Visits in the ward `c` and their costs tell these, and visits in the ward `a` who smokes.
fn clinic() -> Vec<Columns> {
    let mut state = 7_u64;
    let mut draw = |below: i32| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        i32::try_from(state >> 33).expect("31 bits") % below
    };
    let (mut owners, mut days, mut wards, mut costs) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let (mut states, mut levels, mut spent, mut smokes) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for patient in 0..N_PATIENTS {
        let (mut has_a, mut has_c, mut sum) = (false, false, 0.0);
        for _ in 0..=draw(4) {
            let (day, ward) = (OF_2021 + draw(170), ["a", "b", "c"][index(draw(3))]);
            let cost = [Some(1.0), None, Some(2.5), Some(12.25), Some(30.0), Some(7.75)][index(draw(6))];
            has_a |= ward == "a" && day < OF_2021 + 150;
            has_c |= ward == "c";
            sum += cost.unwrap_or(0.0);
            owners.push(Some(format!("p{patient}")));
            days.push(Some(i64::from(day) * DAY));
            wards.push(Some(ward));
            costs.push(cost);
        }
        smokes.push(Some(has_a != (draw(12) == 0)).filter(|_| patient % 9 > 0));
        states.push(has_c != (draw(12) == 0));
        levels.push(if sum > 25.0 {
            "high"
        } else if has_c {
            "mid"
        } else {
            "low"
        });
        spent.push(sum + if has_c { 20.0 } else { 0.0 } + f64::from(draw(10)) / 8.0);
    }
    let names = || (0..N_PATIENTS).map(|patient| format!("p{patient}")).collect::<Vec<_>>();
    let towns = (0..N_PATIENTS).map(|at| [Some("bern"), Some("oslo"), None][index(at * at % 3)]);
    let born = (0..N_PATIENTS).map(|at| (at % 11 > 0).then_some(at * 31 % 9000));
    vec![
        (
            "patients",
            vec![
                ("town", towns.collect::<Vec<_>>().into()),
                ("id", names().into()),
                ("born", Values::Date(born.collect())),
                ("smokes", smokes.into()),
            ],
        ),
        (
            "visits",
            vec![
                ("visit", (1000..).take(owners.len()).collect::<Vec<i64>>().into()),
                ("patient", owners.into()),
                ("day", Values::Time(days)),
                ("cost", costs.into()),
                ("ward", wards.into()),
            ],
        ),
        (
            "labels",
            vec![
                ("patient", names().into()),
                ("day", Values::Date((0..N_PATIENTS).map(|at| Some(OF_2021 + 175 + at % 5)).collect())),
                ("state", states.into()),
                ("level", levels.into()),
                ("spent", spent.into()),
            ],
        ),
    ]
}

fn in_memory(tables: &[Columns]) -> Vec<Table> {
    let table = |(name, columns): &Columns| {
        columns.iter().fold(Table::new(*name), |table, (name, values)| table.column(*name, values.clone()))
    };
    tables.iter().map(table).collect()
}

/// The tables with what [`SCHEMA`] says, by the calls of tables.
fn with_meanings(tables: Vec<Table>) -> Vec<Table> {
    let Ok([patients, visits, labels]) = <[Table; 3]>::try_from(tables) else { panic!("three tables") };
    vec![
        labels
            .foreign_key(&["patient"], "patients")
            .row_time("day")
            .kind("level", "class")
            .kind("state", "left out")
            .kind("spent", "left out"),
        patients.key(&["id"]).kind("born", "time"),
        visits.key(&["visit"]).foreign_key(&["patient"], "patients").row_time("day").kind("ward", "category"),
    ]
}

/// The text of a cell in CSV, where a number keeps its point.
fn cell(values: &Values, row: usize) -> String {
    match values {
        Values::Flag(flags) => flags[row].map(|flag| flag.to_string()).unwrap_or_default(),
        Values::Number(numbers) => numbers[row].map(|number| format!("{number:?}")).unwrap_or_default(),
        _ => values.text(row).unwrap_or_default(),
    }
}

fn write_csv(folder: &Path, tables: &[Columns]) {
    for (name, columns) in tables {
        let header: Vec<&str> = columns.iter().map(|(name, _)| *name).collect();
        let mut text = header.join(",") + "\n";
        for row in 0..columns[0].1.len() {
            let cells: Vec<String> = columns.iter().map(|(_, values)| cell(values, row)).collect();
            let _ = writeln!(text, "{}", cells.join(","));
        }
        write(folder, &format!("{name}.csv"), &text);
    }
}

/// Writes a column; cells without a value have the level 0.
fn write_column<T: DataType>(
    group: &mut SerializedRowGroupWriter<'_, std::fs::File>,
    cells: impl Iterator<Item = Option<T::T>> + Clone,
) {
    let levels: Vec<i16> = cells.clone().map(|cell| i16::from(cell.is_some())).collect();
    let values: Vec<T::T> = cells.flatten().collect();
    let mut column = group.next_column().expect("it can be written").expect("a column");
    column.typed::<T>().write_batch(&values, Some(&levels), None).expect("they fit");
    column.close().expect("it can be written");
}

fn write_parquet(folder: &Path, tables: &[Columns]) {
    for (name, columns) in tables {
        let field = |(name, values): &(&str, Values)| match values {
            Values::Text(_) => format!("optional binary {name} (UTF8);"),
            Values::Integer(_) => format!("optional int64 {name};"),
            Values::Number(_) => format!("optional double {name};"),
            Values::Flag(_) => format!("optional boolean {name};"),
            Values::Date(_) => format!("optional int32 {name} (DATE);"),
            Values::Time(_) => format!("optional int64 {name} (TIMESTAMP(MICROS,false));"),
        };
        let fields: String = columns.iter().map(field).collect();
        let schema = parse_message_type(&format!("message {name} {{ {fields} }}")).expect("a schema");
        let properties = WriterProperties::builder().set_compression(Compression::SNAPPY).build();
        let file = std::fs::File::create(folder.join(format!("{name}.parquet"))).expect("a file");
        let mut writer =
            SerializedFileWriter::new(file, Arc::new(schema), Arc::new(properties)).expect("a writer");
        let mut group = writer.next_row_group().expect("a row group");
        for (_, values) in columns {
            match values {
                Values::Text(of) => {
                    write_column::<ByteArrayType>(
                        &mut group,
                        of.iter().map(|text| text.as_deref().map(ByteArray::from)),
                    );
                }
                Values::Integer(of) | Values::Time(of) => {
                    write_column::<Int64Type>(&mut group, of.iter().copied());
                }
                Values::Number(of) => write_column::<DoubleType>(&mut group, of.iter().copied()),
                Values::Flag(of) => write_column::<BoolType>(&mut group, of.iter().copied()),
                Values::Date(of) => write_column::<Int32Type>(&mut group, of.iter().copied()),
            }
        }
        group.close().expect("it can be written");
        writer.close().expect("it can be written");
    }
}

/// SQLite has neither booleans nor dates: they are texts there.
fn write_sqlite(path: &Path, tables: &[Columns]) {
    use rusqlite::types::Value;
    let connection = rusqlite::Connection::open(path).expect("a database");
    for (name, columns) in tables {
        let names: Vec<&str> = columns.iter().map(|(name, _)| *name).collect();
        connection.execute(&format!("CREATE TABLE {name}({})", names.join(", ")), []).expect("a table");
        let marks = vec!["?"; names.len()].join(", ");
        let mut insert =
            connection.prepare(&format!("INSERT INTO {name} VALUES ({marks})")).expect("a statement");
        for row in 0..columns[0].1.len() {
            let value = |(_, values): &(&str, Values)| match values {
                Values::Integer(of) => of[row].map_or(Value::Null, Value::Integer),
                Values::Number(of) => of[row].map_or(Value::Null, Value::Real),
                _ => Some(cell(values, row)).filter(|text| !text.is_empty()).map_or(Value::Null, Value::Text),
            };
            insert.execute(rusqlite::params_from_iter(columns.iter().map(value))).expect("a row");
        }
    }
}

/// Writes the tables in all notations; with a schema beside them if it is given.
fn write_all(folder: &Path, tables: &[Columns], schema: Option<&str>) {
    for name in ["csv", "parquet", "sqlite"] {
        std::fs::create_dir_all(folder.join(name)).expect("a folder");
        if let Some(schema) = schema {
            write(folder, &format!("{name}/schema.toml"), schema);
        }
    }
    write_csv(&folder.join("csv"), tables);
    write_parquet(&folder.join("parquet"), tables);
    write_sqlite(&folder.join("sqlite/db.sqlite"), tables);
}

fn learner() -> Learner {
    let settings = [("rounds", "2"), ("min-pos", "3"), ("folds", "3")];
    settings.iter().fold(Learner::named("rdn-boost").expect("a learner"), |learner, (name, value)| {
        learner.with(name, value).expect("a setting")
    })
}

/// The column that is predicted: of two classes, of many, of numbers; and one of two classes at a cut-off for all.
type Asked = (&'static str, fn(DatasetReader) -> DatasetReader);

const ASKED: [Asked; 4] = [
    ("state", |reader| reader.label("labels.state")),
    ("level", |reader| reader.label("labels.level")),
    ("spent", |reader| reader.label("labels.spent").number_label()),
    ("smokes", |reader| reader.label("patients.smokes").cut_off("2021-06-01")),
];

fn sources(folder: &Path) -> [(&'static str, Source); 3] {
    [
        ("csv", folder.join("csv").into()),
        ("parquet", folder.join("parquet").into()),
        ("sqlite", folder.join("sqlite/db.sqlite").into()),
    ]
}

fn learnt(source: Source, ask: fn(DatasetReader) -> DatasetReader) -> (Dataset, Model) {
    let data = ask(Dataset::reader(source)).open().expect("it loads");
    let model = learner().fit(&data).expect("it learns");
    (data, model)
}

/// Where nobody says what the tables mean, where a schema does, and where the tables in memory do: each as files, and each model
/// as any other.
#[test]
fn models_are_equal_to_the_byte() {
    let folder = fresh_folder("memory-models");
    let tables = clinic();
    for (name, schema) in [("plain", None), ("said", Some(SCHEMA))] {
        let folder = folder.join(name);
        write_all(&folder, &tables, schema);
        for (kind, ask) in ASKED {
            let plain = in_memory(&tables);
            let mut of_memory = vec![match schema {
                Some(_) => learnt(with_meanings(plain.clone()).into(), ask).1,
                None => learnt(plain.clone().into(), ask).1,
            }];
            if let Some(schema) = schema {
                let data = ask(Dataset::reader(plain).schema(schema)).open().expect("it loads");
                of_memory.push(learner().fit(&data).expect("it learns"));
            }
            let json = of_memory[0].to_json();
            assert!(json.contains("visits_"), "{name}, {kind}: the model sees the visits");
            assert!(of_memory.iter().all(|model| model.to_json() == json), "{name}, {kind}: memory");
            for (notation, source) in sources(&folder) {
                assert_eq!(learnt(source, ask).1.to_json(), json, "{name}, {kind}: {notation}");
            }
        }
    }
}

/// A model from memory is saved and loaded, and gives each row the same in files and in memory, where labels may lack.
#[test]
fn models_score_files_and_memory_alike() {
    let folder = fresh_folder("memory-scores");
    let mut tables = clinic();
    for (kind, ask) in ASKED {
        let (data, model) = learnt(in_memory(&tables).into(), ask);
        let path = folder.join(format!("{kind}.json"));
        model.save(&path).expect("it is saved");
        let loaded = Model::load(&path).expect("it loads");
        assert_eq!(loaded.predict(&data).expect("scores"), model.predict(&data).expect("scores"), "{kind}");
        let place = folder.join(kind);
        write_all(&place, &tables, None);
        let holds = |(_, columns): &Columns| columns.iter().any(|(name, _)| *name == kind);
        let at = tables.iter().position(holds).expect("a table has the label");
        let known = tables[at].1.clone();
        let opened = |source: Source| {
            let reader = loaded.reader(source).expect("a model of rows");
            let reader = if kind == "smokes" { reader.cut_off("2021-06-01") } else { reader };
            loaded.predict(&reader.open().expect("it loads")).expect("scores")
        };
        let scored = opened(in_memory(&tables).into());
        for (notation, source) in sources(&place) {
            assert_eq!(opened(source), scored, "{kind}: {notation}");
        }
        tables[at].1.retain(|(name, _)| *name != kind);
        let unlabelled = opened(in_memory(&tables).into());
        assert_eq!(unlabelled.len(), scored.len(), "{kind}");
        assert_eq!(unlabelled.numbers("score"), scored.numbers("score"), "{kind}");
        tables[at].1 = known;
    }
}

fn code(result: Result<Dataset, Error>) -> Option<String> {
    let faults = result.err()?.messages().into_iter().filter(|message| !message.is_warning);
    faults.map(|message| message.code).next()
}

#[test]
fn faults_of_tables_have_codes() {
    let people = || Table::new("people").column("id", vec![1, 2, 3]).column("label", vec![true, false, true]);
    let open = |table: Table| Dataset::open(table);
    for (what, code_of, result) in [
        ("lengths", "G090", open(people().column("town", vec!["bern"]))),
        ("no columns", "G090", open(Table::new("people"))),
        ("no name", "G090", open(Table::new(" ").column("label", vec![1, 0]))),
        ("a name twice", "G090", open(people().column("id", vec![4, 5, 6]))),
        ("a column without a name", "G090", open(people().column("", vec![4, 5, 6]))),
        ("a table twice", "G090", Dataset::open([people(), people()])),
        ("no table", "G090", Dataset::open(Vec::new())),
        (
            "no row",
            "G020",
            open(Table::new("people").column("id", Vec::<i64>::new()).column("label", Vec::<i64>::new())),
        ),
        ("an unknown key", "G129", open(people().key(&["idd"]))),
        (
            "a key that is none",
            "G129",
            open(people().column("town", vec!["bern", "bern", "oslo"]).key(&["town"])),
        ),
        ("columns twice", "G129", open(people().key(&["id", "id"]))),
        ("an unknown table", "G129", open(people().foreign_key(&["id"], "towns"))),
        ("an unknown time", "G129", open(people().row_time("day"))),
        ("an unknown kind", "G129", open(people().kind("id", "keys"))),
        ("a bad schema", "G129", Dataset::reader(people()).schema("[people\n").open()),
        ("a date beyond all", "G090", open(people().column("day", Values::Date(vec![Some(i32::MAX); 3])))),
        ("a time beyond all", "G090", open(people().column("day", Values::Time(vec![Some(i64::MAX); 3])))),
        ("another layout", "G031", Dataset::reader(people()).format("aleph").open()),
        ("a key of facts", "G129", Dataset::open(Source::facts([people().key(&["id"])]))),
        ("two columns", "G090", Dataset::open(Source::triples(people()))),
    ] {
        assert_eq!(code(result).as_deref(), Some(code_of), "{what}");
    }
    for (table, meant) in [
        (people().key(&["idd"]), "id"),
        (people().key(&["Id"]), "id"),
        (people().foreign_key(&["id"], "poeple"), "people"),
        (people().kind("id", "keys"), "key"),
        (people().kind("id", "row_time"), "row time"),
    ] {
        let error = open(table).expect_err("a name is not known").to_string();
        assert!(error.contains(&format!("did you mean {meant}?")), "{error}");
    }
    let error = open(people().column("town", vec!["bern"])).expect_err("a column is too short").to_string();
    assert!(error.contains("the column town has 1 values, and id has 3"), "{error}");
    assert!(error.contains("people: column town"), "{error}");
}

/// Facts and triples are what files of them are.
#[test]
fn facts_and_triples_are_those_of_files() {
    let folder = fresh_folder("memory-facts");
    let model = |data: &Dataset| {
        let learner = Learner::named("gleaner").expect("a learner");
        let learner =
            learner.with("clauses", 200).and_then(|learner| learner.with("seeds", 3)).expect("settings");
        learner.fit(data).expect("it learns").to_json()
    };
    let n = 60_u32;
    let name = |at: u32| format!("p{}", at % n);
    let links: Vec<[String; 3]> = (0..3 * n)
        .map(|at| {
            let relation = ["knows", "likes", "pays"][at as usize % 3];
            let step = if relation == "likes" { at / 3 % 7 * 2 } else { at / 3 % 7 };
            [name(at / 3), relation.to_owned(), name(at / 3 + 1 + step)]
        })
        .collect();
    let text: String = links.iter().map(|link| link.join("\t") + "\n").collect();
    write(&folder, "links.txt", &text);
    let column = |at: usize| links.iter().map(|link| link[at].clone()).collect::<Vec<_>>();
    let table =
        Table::new("links").column("head", column(0)).column("relation", column(1)).column("tail", column(2));
    let ask = |reader: DatasetReader| reader.target("likes/2").negatives("200").open().expect("it loads");
    let of_memory = ask(Dataset::reader(Source::triples(table)));
    assert_eq!(model(&of_memory), model(&ask(Dataset::reader(folder.join("links.txt")))));

    let (ages, likes) = ((0..n).map(|at| 20 + at * 7 % 45), (0..n).map(|at| name(at * 11 + 5)));
    let (mut ages_csv, mut likes_csv, mut nice_csv) =
        ("person,years\n".to_owned(), "person,person\n".to_owned(), "person,label\n".to_owned());
    let is_nice = |at: u32| (at * 11 + 5) % n * 7 % 45 > 20;
    for ((at, age), liked) in (0..n).zip(ages.clone()).zip(likes.clone()) {
        let _ = writeln!(ages_csv, "{},{age}", name(at));
        let _ = writeln!(likes_csv, "{},{liked}", name(at));
        let _ = writeln!(nice_csv, "{},{}", name(at), u8::from(is_nice(at)));
    }
    for (file, text) in [("age", &ages_csv), ("likes", &likes_csv), ("nice", &nice_csv)] {
        write(&folder, &format!("facts/{file}.csv"), text);
    }
    let names = || (0..n).map(name).collect::<Vec<_>>();
    let tables = [
        Table::new("nice").column("person", names()).column("label", (0..n).map(is_nice).collect::<Vec<_>>()),
        Table::new("likes").column("person", names()).column("person", likes.collect::<Vec<_>>()),
        Table::new("age").column("person", names()).column("years", ages.collect::<Vec<_>>()),
    ];
    let of_memory = Dataset::open(Source::facts(tables.clone())).expect("it loads");
    let of_files = model(&Dataset::open(folder.join("facts")).expect("it loads"));
    assert_eq!(model(&of_memory), of_files);
    Dataset::reader(Source::facts(tables)).convert("csv", folder.join("converted")).expect("it is written");
    assert_eq!(model(&Dataset::open(folder.join("converted")).expect("it loads")), of_files);
}

/// A run of tables in memory is recorded with their hashes, without a place; another value is another input. What is shown of
/// them is what is shown of files.
#[test]
fn runs_record_tables_in_memory() {
    let folder = fresh_folder("memory-runs");
    let mut tables = clinic();
    let run = |tables: &[Columns], name: &str| {
        let data = Dataset::reader(in_memory(tables)).label("labels.state").open().expect("it loads");
        let options = ValidationOptions { folder: Some(folder.join(name)), ..ValidationOptions::default() };
        learner().validate(&data, &[("", &learner())], &options).expect("it runs");
        let text = |file: &str| std::fs::read_to_string(folder.join(name).join(file)).expect("a file");
        let timing: serde_json::Value = serde_json::from_str(&text("timing.json")).expect("JSON");
        assert!(timing.get("data").is_none(), "tables in memory have no place: {timing}");
        text("run.json")
    };
    let record = run(&tables, "one");
    let inputs = |record: &str| {
        let record: serde_json::Value = serde_json::from_str(record).expect("JSON");
        let inputs = record["request"]["inputs"].as_array().expect("inputs").clone();
        inputs
            .iter()
            .map(|input| (input["name"].to_string(), input["sha256"].to_string()))
            .collect::<Vec<_>>()
    };
    let before = inputs(&record);
    let names: Vec<&str> = before.iter().map(|(name, _)| &**name).collect();
    assert_eq!(names, ["\"labels\"", "\"patients\"", "\"visits\""]);
    tables.reverse();
    assert_eq!(run(&tables, "again"), record, "the order of tables says nothing");
    let data = Dataset::reader(in_memory(&tables)).label("labels.state").open().expect("it loads");
    write_all(&folder, &tables, None);
    let of_files = Dataset::reader(folder.join("csv")).label("labels.state").open().expect("it loads");
    assert_eq!(
        data.inspect().expect("an answer").to_string(),
        of_files.inspect().expect("an answer").to_string()
    );
    let Values::Number(costs) = &mut tables[1].1[3].1 else { panic!("costs are numbers") };
    costs[0] = Some(99.0);
    let changed = inputs(&run(&tables, "changed"));
    let different: Vec<bool> = before.iter().zip(&changed).map(|(one, other)| one != other).collect();
    assert_eq!(different, [false, false, true], "the visits alone");
}
