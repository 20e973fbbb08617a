//! Data that are no database: each relation is a table of its name, with columns `a1`, `a2` and so on.

use std::collections::BTreeMap;
use std::fmt::Write;

use gleaner_lang::program::{Clause, PredicateName, Symbols};

use super::dialect::Dialect;
use super::kinds::Kinds;
use super::source::{Kind, Relation, Source, Uses};
use super::text::{Names, in_comment, own, quoted};

/// The views of the relations, and the examples: the rows of a table that has the target's name.
pub(super) fn source(
    target: &PredicateName,
    (clauses, symbols): (&[&Clause], &Symbols),
    uses: &Uses,
    dialect: Dialect,
) -> Source {
    let mut kinds = Kinds::of(clauses, symbols, uses);
    let mut tables: BTreeMap<&PredicateName, Vec<Kind>> = BTreeMap::new();
    for name in uses.relations.keys().chain([target]) {
        tables.insert(name, (0..name.arity).map(|at| kinds.kind(name, at)).collect());
    }
    let all: Vec<PredicateName> = tables.keys().map(|name| (*name).clone()).collect();
    let mut names = Names::default();
    let mut remarks = vec![
        "Each relation is a table of its name. Fill the tables with your facts, and with what your rules derive:"
            .to_owned(),
    ];
    remarks.extend(tables.iter().map(|(name, kinds)| {
        let column = |(at, kind): (usize, &Kind)| {
            let of_kind = match kind {
                Kind::Name => dialect.text_type(),
                Kind::Number => dialect.number_type(),
            };
            format!("a{} {of_kind}", at + 1)
        };
        let columns: Vec<String> = kinds.iter().enumerate().map(column).collect();
        let what = if *name == target { "the examples" } else { "facts" };
        let columns = if columns.is_empty() { "a0 INTEGER".to_owned() } else { columns.join(", ") };
        format!("  CREATE TABLE {} ({columns}); -- {what}", quoted(&table_name(name, &all)))
    }));
    let mut text = String::new();
    let mut relations = BTreeMap::new();
    for (name, kinds) in tables.iter().filter(|(name, _)| uses.relations.contains_key(**name)) {
        let view = own(&names.one_like(&format!("g_{}", name.name)));
        let columns = columns(kinds, dialect);
        let _ = write!(
            text,
            "\n{}\n  SELECT {} FROM {};\n",
            dialect.create(true, &view),
            if columns.is_empty() { "1 AS a0" } else { &columns },
            quoted(&table_name(name, &all))
        );
        for argument in 1..=kinds.len() {
            let index = own(&names.one_like(&format!("g_index_{argument}_{}", name.name)));
            text.push_str(&dialect.index(&index, &view, &format!("a{argument}")));
        }
        text.push_str(&dialect.analyze(&view));
        relations.insert((*name).clone(), Relation::plain(view, kinds.clone()));
    }
    let example_kinds = tables.remove(target).unwrap_or_default();
    let columns = columns(&example_kinds, dialect);
    let _ = write!(
        text,
        "\n-- The examples.\n{}\n  SELECT row_number() OVER () AS example, t.*\n  FROM (SELECT DISTINCT {} FROM {}) AS t;\n{}",
        dialect.create(true, "g_examples"),
        if columns.is_empty() { "1 AS a0" } else { &columns },
        quoted(&table_name(target, &all)),
        dialect.index("g_examples_by_example", "g_examples", "example") + &dialect.analyze("g_examples"),
    );
    let argument_names = (1..=target.arity).map(|argument| format!("a{argument}")).collect();
    let remarks = remarks.iter().map(|remark| in_comment(remark)).collect();
    Source { text, relations, example_kinds, argument_names, remarks }
}

/// The table of a relation. If relations of several arities share a name, the arity is part of the table's name.
fn table_name(name: &PredicateName, all: &[PredicateName]) -> String {
    if all.iter().filter(|other| other.name == name.name).count() > 1 {
        format!("{}/{}", name.name, name.arity)
    } else {
        name.name.clone()
    }
}

fn columns(kinds: &[Kind], dialect: Dialect) -> String {
    let column = |(at, kind): (usize, &Kind)| {
        let cell = format!("a{}", at + 1);
        let value = match kind {
            Kind::Name => dialect.name(&format!("CAST({cell} AS {})", dialect.text_type())),
            Kind::Number => format!("CAST({cell} AS {})", dialect.number_type()),
        };
        format!("{value} AS {cell}")
    };
    kinds.iter().enumerate().map(column).collect::<Vec<_>>().join(", ")
}
