"""Conditional aggregates held against DuckDB, on random databases.

    python3 benches/aggregates_duckdb.py GLEANER [--databases 500] [--seed 1] [--first 0] [--learn 8]

Each database has labels of buyers, most with a cut-off, and orders, lines of orders, visits or notes that hang on the buyers.
They have words, numbers, codes, times and keys of items, with missing cells, ties, equal rows, buyers without rows, keys without
a row, and times at the very second of a cut-off. pandas writes them. Labels follow an aggregate whose word is not the column's
first. Random clauses have one or two aggregates: `gleaner cover` lists the examples of each, and so does SQL that is made from
the description of the clause alone. Both must be the same. Numbers are multiples of 0.25, so that sums are exact, and thresholds
are values that occur. Ages are multiples of a second: thresholds of their sums and means lie 10.55 seconds away from values.
On every eighth database (`--learn`) a tree and boosted trees are learnt, which find aggregates by themselves. DuckDB runs
`show --to sql` over the files; scores and decisions must be those of `gleaner predict` to the bit, probabilities to 1e-12.
`--first` is the number of the first database. All are left in a folder that the last line names. Needs duckdb and pandas.
"""

import argparse
import io
import os
import random
import re
import subprocess
import tempfile
from collections import Counter
from datetime import datetime, timedelta
from pathlib import Path

import duckdb
import pandas

SCHEMA = {  # A column with a question mark may be lacking.
    "buyers": {"buyer_id": "key", "town": "category", "size": "number", "joined": "row time?"},
    "items": {"item_id": "key", "kind": "category", "weight": "number", "since": "row time?"},
    "orders": {"order_id": "key?", "buyer": "-> buyers", "item": "-> items", "channel": "category", "price": "number"}
    | {"amount": "code", "gift": "category", "placed": "row time?", "shipped": "time?"},
    "lines": {"order_ref": "-> orders", "item": "-> items?", "device": "category", "length": "number"},
    "visits": {"who": "-> buyers", "device": "category", "length": "number", "began": "row time"},
    "notes": {"who": "-> buyers", "device": "category", "length": "number"},
    "labels": {"label_id": "key?", "buyer": "-> buyers", "as_of": "row time", "label": "label"},
}
NEAR = [timedelta(-n, s) for n, s in ((0, 0), (0, 0), (0, -1), (0, 1), (1, 0), (7, 0), (30, 0), (30, -1))]
WORDS = ["web", "app", "at shop", "Kiosk", "zebra", "none", "O'Hara", "b-side", "naïve", "x,y", "late", "early"]
MACROS = [  # A day counts as its end.
    "moment(x) AS TRY_CAST(replace(x, '+00:00', '') AS TIMESTAMP)",
    "known(x) AS moment(x) + CASE WHEN x LIKE '%:%' THEN INTERVAL 0 DAY ELSE INTERVAL 1 DAY - INTERVAL 1 MICROSECOND END",
    "number(x) AS TRY_CAST(x AS DOUBLE)",
    "name(x) AS coalesce(CAST(TRY_CAST(number(x) AS BIGINT) AS VARCHAR), x)",
    "age(c, x) AS (epoch_us(c) - epoch_us(moment(x))) / CAST(86400000000 AS DOUBLE)",
]
COUNTS = Counter()
quoted = lambda text: "'" + text.replace("'", "''") + "'"


class Shop:
    """A random database: of each column the kind and the cells."""

    def __init__(self, rng, size):
        self.rng, self.tables, self.names, self.keys, self.links, self.row_times = rng, {}, {}, {}, {}, {}
        self.regime = rng.choice(["day", "day", "moment", "moment", "mixed", "utc", "none", "flag" if size == 1 else "day"])
        clock = lambda: 0 if self.regime in ("day", "flag") else rng.choice([0, 45, 750])
        self.cut_offs = [datetime(2023, 4, 1) + timedelta(rng.randrange(180), 60 * clock()) for _ in range(5)]
        self.hanging = ["orders", *rng.choice([["lines"], ["lines"], ["visits"], ["notes"], []])]
        for table in ("buyers", "items", *self.hanging, "labels"):
            self.fill(table, 9 if table == "items" else {"buyers": 20, "labels": 50}.get(table, rng.randrange(40, 160)) * size)
        # Without times of rows there is nothing to cut.
        self.is_cut = self.regime != "none" and (any(map(self.sources, self.hanging)) or "shipped" in self.tables["orders"])

    def fill(self, table, n):
        rng, columns, letter = self.rng, self.tables.setdefault(table, {}), self.rng.choice(["", table[0]])
        # The last name has no row. Labels alone name the first.
        self.names[table] = names = [f"{letter}{at}" if letter else 100 + at for at in range(n + 1)]
        for name, kind in SCHEMA[table].items():
            is_lacking = kind.endswith("?") and rng.random() < 0.4 and (name != "order_id" or "lines" not in self.hanging)
            if is_lacking or name == "as_of" and self.regime in ("none", "flag"):
                continue
            kind, share = kind.rstrip("?"), 0 if table == "labels" else rng.choice([0, 0, 0.1, 0.3])
            numbers = [rng.randrange(-40, 60) / 4 for _ in range(rng.choice([3, 12, 60]))]
            words = [True, False] if name == "gift" else rng.sample(WORDS, rng.randrange(2, 6))
            known = {"number": numbers, "code": [1, 2, 3, 5], "category": words}.get(kind, [0, 1])
            known = self.names[kind[3:]][table != "labels" :] if kind.startswith("->") else known
            # Whole numbers with missing cells become floats, as pandas has them. Rows without a key are there twice.
            cells = [None if rng.random() < share else rng.choice(known) for _ in range(n)]
            cells = cells if f"{table[:-1]}_id" in columns else cells[:-8] + cells[:8]
            cells = self.times(n, name == "as_of") if kind.endswith("time") else cells
            columns[name] = (kind, rng.sample(names[:-1], n) if kind == "key" else cells)
        of_kind = lambda some: [name for name, (kind, _) in columns.items() if kind.startswith(some)]
        self.keys[table], self.row_times[table] = of_kind("key"), of_kind("row time")
        self.links[table] = [(name, columns[name][0][3:]) for name in of_kind("->")]

    def times(self, n, is_cut_off):
        """A column of times, many of them near a cut-off, as pandas writes days, moments, moments in UTC, or days and moments."""
        rng, kind = self.rng, self.regime if is_cut_off else self.rng.choice(["day", "moment", "utc", "mixed"])
        near = lambda: rng.choice(self.cut_offs) + rng.choice([timedelta(), timedelta(7)] if is_cut_off else NEAR)
        any_time = lambda: datetime(2023, 1, 1) + rng.randrange(8640) * timedelta(minutes=45)
        cells = [near() if is_cut_off or rng.random() < 0.4 else any_time() for _ in range(n)]
        missing, is_day = rng.choice([0, 0, 0.1]), lambda: kind == "day" or kind == "mixed" and rng.random() < 0.5
        cells = [None if rng.random() < missing else at.date() if is_day() else at for at in cells]
        series = pandas.Series([at and str(at) for at in cells] if kind == "mixed" else cells, dtype="object")
        return series if kind == "mixed" else pandas.to_datetime(series, utc=kind == "utc")

    def write(self, folder):
        folder.mkdir(parents=True, exist_ok=True)
        schema = ""
        for table, columns in self.tables.items():
            pandas.DataFrame({name: cells for name, (_, cells) in columns.items()}).to_csv(folder / f"{table}.csv", index=False)
            schema += f"[{table}]\n" + "".join(f'{name} = "{kind}"\n' for name, (kind, _) in columns.items())
        (folder / "schema.toml").write_text(schema)

    def sources(self, table):
        """The columns that say when rows came to be: their own, or those of the nearest rows that they point to."""
        return self.row_times[table] or [f"{name}_{at}" for name, to in self.links[table] for at in self.sources(to)]


def loaded(folder, macros=()):
    database = duckdb.connect(config={"threads": 1})
    tables = [f"TABLE {of.stem} AS FROM read_csv('{of}', header = true, all_varchar = true)" for of in folder.glob("*.csv")]
    for what in [f"MACRO {macro}" for macro in macros] + tables:
        database.execute(f"CREATE {what}")
    return database


class Oracle:
    """The database in DuckDB, with a view for each table that hangs on buyers: a row for each example and each row that it sees.
    Columns are called as the relations of gleaner, without the name of the table. What is missing or not known is NULL."""

    def __init__(self, shop, folder):
        self.shop, self.ways, self.kinds, database = shop, {}, {}, loaded(folder, MACROS)
        self.asked = lambda sql: database.execute(sql).fetchall()
        for table in shop.tables:
            self.make_rows(table)
        w = {"flag": f"'{shop.cut_offs[0].date()}'", "none": "'2023-01-01'"}.get(shop.regime, "as_of")
        known = "c IS NOT NULL" if shop.is_cut else "true"
        self.asked(f"CREATE TABLE e AS FROM (SELECT key AS n, buyer AS b, moment({w}) AS c FROM r_labels) WHERE {known}")
        for table in shop.hanging:
            self.make_view(table)

    def make_rows(self, table):
        """The rows with numbers and names as such, a `key`, and `at`, when they came to be."""
        columns, links = self.shop.tables[table], self.shop.links[table]
        calls = {"key": "name", "-> ": "name", "num": "number", "cod": "number"}
        cells = [f"{calls.get(kind[:3], '')}(t.{name}) AS {name}" for name, (kind, _) in columns.items()]
        at = [f"known(t.{at})" for at in self.shop.row_times[table]] or [f"r_{to}.at" for _, to in links] or ["NULL::TIMESTAMP"]
        key = f"name({table[:-1]}_id)" if self.shop.keys[table] else "CAST(row_number() OVER () AS VARCHAR)"
        joins = " ".join(f"LEFT JOIN r_{to} ON r_{to}.key = name(t.{name})" for name, to in links)
        rows = f"(SELECT *, {key} AS key FROM {table}) t {joins}"
        self.asked(f"CREATE TABLE r_{table} AS SELECT t.key, {', '.join(cells)}, greatest({', '.join(at)}) AS at FROM {rows}")

    def make_view(self, table):
        shop, found, joins, ways = self.shop, {}, [], []
        exists = lambda row, of: f"{row}.at < e.c" if shop.is_cut and shop.sources(of) else "true"

        def walk(at, alias, path, tables):
            for column, (kind, _) in shop.tables[at].items():
                name, place, to, row = f"{path}{column}", f"{alias}.{column}", kind[3:], f"j{len(joins)}"
                if kind in ("category", "number", "code"):
                    found[name] = (kind, place)
                elif shop.is_cut and (kind == "time" and at == table or kind == "row time" and shop.sources(table) == [name]):
                    found[f"{name}_age"] = ("age", f"CASE WHEN known({place}) < e.c THEN age(e.c, {place}) END")
                elif kind.startswith("->") and to not in tables:
                    ways.extend([(name, place)] if to == "buyers" else [])
                    if len(tables) < 3:
                        joins.append(f"LEFT JOIN r_{to} {row} ON {row}.key = {place} AND ({row}.at IS NULL OR {exists(row, to)})")
                        walk(to, row, f"{name}_", [*tables, to])

        walk(table, "t", "", [table])
        if shop.is_cut and shop.sources(table):
            # The latest first; of one time the greater key, or else cells in turn: numbers, texts, what is missing.
            by = [f"t.{name}" for name in shop.keys[table] or shop.tables[table]]
            by = [f"{name} IS NULL DESC, number({name}) DESC NULLS LAST, CAST({name} AS VARCHAR) DESC" for name in by]
            found["recency"] = ("place", f"row_number() OVER (PARTITION BY e.n ORDER BY {', '.join(['t.at DESC', *by])})")
        if table == "orders" and "lines" in shop.tables:
            found["has_lines"] = ("lines", f"EXISTS (FROM r_lines c WHERE c.order_ref = t.key AND {exists('c', 'lines')})")
        if table == "lines":
            found["has_order"] = ("order", f"EXISTS (FROM r_orders o WHERE o.key = t.order_ref AND {exists('o', 'orders')})")
        columns = [f"{place} AS {name}" for name, (_, place) in found.items()]
        rows = f"e JOIN r_{table} t ON {exists('t', table)} {' '.join(joins)} WHERE {ways[0][1]} = e.b"
        self.asked(f"CREATE TABLE v_{table} AS SELECT e.n, {', '.join(columns)} FROM {rows}")
        n_known = self.asked(f"SELECT count(COLUMNS(* EXCLUDE n)) FROM v_{table}")[0]  # Ages that no example sees are left out.
        self.kinds[table] = {name: kind for (name, (kind, _)), n in zip(found.items(), n_known) if n or kind != "age"}
        self.ways[table] = f"{table}_{ways[0][0]}"

    def some(self, table, column):
        """A value of a column that an example sees, and the first of all."""
        rows = self.asked(f"SELECT DISTINCT {column} FROM v_{table} WHERE {column} IS NOT NULL ORDER BY 1")
        return (self.shop.rng.choice(rows)[0], rows[0][0]) if rows else (None, None)


class Aggregate:
    """A random aggregate of a clause, whose value is the variable `value`."""

    def __init__(self, oracle, rng, value):
        table, row = rng.choice(list(oracle.ways)), f"R{value}"
        way, kinds = oracle.ways[table], oracle.kinds[table]
        relations = {name: f"{way}_recency" if name == "recency" else f"{table}_{name}" for name in kinds}
        through_orders = (f"orders_buyer(O{value}, B), lines_order_ref({row}, O{value})", "has_order")
        parts = [through_orders if table == "lines" and rng.random() < 0.5 else (f"{way}({row}, B)", "true")]
        add = lambda literal, condition: parts.append((literal, condition))

        def variable(name):
            add(f"{relations[name]}({row}, V{value}{len(parts)})", f"{name} IS NOT NULL")
            return f"V{value}{len(parts) - 1}"

        self.is_late, of = False, lambda *some: [name for name, kind in kinds.items() if kind in some]
        numbers, words, windows = of("number", "code", "age", "place"), of("category", "code"), of("age", "place")
        for _ in range(rng.choice([0, 1, 1, 2, 2, 3])):
            shape = rng.choice(["word", "word", "word", "not", "bound", "bound", "window", "missing", "pair", "lines"])
            name = rng.choice(words if shape in ("word", "not") else shape == "window" and windows or numbers)
            (constant, first), is_word, other = oracle.some(table, name), kinds[name] == "category", rng.choice(numbers)
            if shape == "lines" and "has_lines" in kinds:
                add(f"\\+ lines_order_ref(_, {row})", "NOT has_lines")
            elif shape == "missing":
                add(f"\\+ {relations[name]}({row}, _)", f"{name} IS NULL")
            elif shape == "pair":
                add(f"{variable(name)} >= {variable(other)}", f"{name} >= {other}")
            elif shape in ("word", "not") and constant is not None:
                self.is_late |= shape == "word" and is_word and constant != first
                constant = "platinum" if rng.random() < 0.05 and is_word else constant
                written = quoted(constant) if is_word else int(constant)
                negated, sign = ("", "=") if shape == "word" else ("\\+ ", "IS DISTINCT FROM")
                add(f"{negated}{relations[name]}({row}, {written})", f"{name} {sign} {written}")
            elif shape in ("bound", "window") and constant is not None:
                sign = rng.choice([">=", "=<", ">", "<"]) if shape == "bound" else "=<"
                add(f"{variable(name)} {sign} {constant!r}", f"{name} {sign.replace('=<', '<=')} number('{constant!r}')")
        operator = rng.choice(["count", "count", "distinct", "sum", "avg", "min", "max", "last", "share"])
        name, by = rng.choice(numbers + words if operator in ("distinct", "share") else numbers), rng.choice(numbers)
        constant, is_word = oracle.some(table, name)[0], kinds[name] == "category"
        if operator == "share" and constant is None:
            operator, name = "count", numbers[0]
        one = variable(name) if operator != "count" else ""
        time = variable(by) if operator == "last" else ""
        sign, written = ("=", quoted(str(constant))) if is_word else (rng.choice([">=", "=<"]), repr(constant))
        met = f"{name} = {written}" if is_word else f"{name} {sign.replace('=<', '<=')} number('{written}')"
        begin, sql = {
            "share": (f"share({one} {sign} {written}), ", f"count_if({met}) / count(*)"),
            "count": ("count, ", "count(*)"),
            "distinct": (f"count, distinct({one}, ", f"count(DISTINCT {name})"),
            "avg": (f"avg({one}), ", f"sum({name}) / count(*)"),
            "last": (f"last({one}, {time}), ", f"list({name} ORDER BY {by} DESC, {name} DESC)[1]"),
        }.get(operator, (f"{operator}({one}), ", f"{operator}({name})"))
        self.is_rough = operator in ("sum", "avg") and kinds[name] == "age"
        goal, end = ", ".join(literal for literal, _ in parts), ")" * (operator == "distinct")
        self.text = lambda value: f"aggregate_all({begin}({goal}){end}, {value})"
        where, none = " AND ".join(condition for _, condition in parts), 0 if operator in ("count", "distinct", "sum") else "NULL"
        values = f"SELECT n, CAST({sql} AS DOUBLE) AS value FROM v_{table} WHERE {where} GROUP BY n"
        # SQL of the value for each example.
        self.values = f"(SELECT e.n, coalesce(value, {none}) AS value FROM e LEFT JOIN ({values}) USING (n))"


def clause(oracle, rng):
    """A clause, and SQL of the examples that it covers."""
    one, other, shape, sign = Aggregate(oracle, rng, "N"), Aggregate(oracle, rng, "M"), rng.random(), rng.choice([">=", "=<"])
    head, compared = f"labels_label(A, B{', C' * oracle.shop.is_cut}) :- ", sign.replace("=<", "<=")
    if shape < 0.08:
        return f"{head}\\+ {one.text('_')}.", f"SELECT n FROM {one.values} WHERE value IS NULL"
    if shape < 0.2 and not one.is_rough and not other.is_rough:
        both = f"{one.values} x JOIN {other.values} y USING (n) WHERE x.value {compared} y.value"
        return f"{head}{one.text('N')}, {other.text('M')}, N {sign} M.", f"SELECT n FROM {both}"
    known = sorted({row[0] for row in oracle.asked(f"SELECT value FROM {one.values} WHERE value IS NOT NULL")})
    bound = rng.choice(known + known + [0.0]) + (rng.choice([-1, 1]) / 8192 if one.is_rough else 0)
    written = int(bound) if bound == int(bound) and rng.random() < 0.5 else bound
    where = f"value {compared} number('{bound!r}')"
    return f"{head}{one.text('N')}, N {sign} {written!r}.", f"SELECT n FROM {one.values} WHERE {where}"


def planted(oracle, rng):
    """Labels that follow an aggregate, but for some noise."""
    for one in (Aggregate(oracle, rng, "N") for _ in range(300)):
        rows = oracle.asked(f"SELECT value FROM r_labels LEFT JOIN {one.values} ON n = key") if one.is_late else []
        for bound in sorted({value for (value,) in rows if value is not None}):
            truth = [value is not None and value >= bound for (value,) in rows]
            if 0.1 * len(rows) < sum(truth) < 0.5 * len(rows):
                return [int(is_true != (rng.random() < 0.03)) for is_true in truth]
    return [int(rng.random() < 0.3) for _ in oracle.asked("FROM r_labels")]


def differs(folder, name, *lines):
    COUNTS["disagreements"] += 1
    print(f"{folder}: {name}", *lines, sep="\n    ", flush=True)


def run(folder, *arguments):
    done = subprocess.run([*arguments, "--quiet"], cwd=folder, capture_output=True, text=True)
    assert done.returncode in (0, 3), f"{folder}: {arguments}: {done.stderr}"  # 3: nothing was learnt.
    of_csv = {"dtype": {"argument1": str}, "keep_default_na": False, "float_precision": "round_trip"}
    return pandas.read_csv(io.StringIO(done.stdout), **of_csv) if arguments[1] in ("cover", "predict") else done.stdout


def compare_clauses(gleaner, oracle, folder, rng):
    made = [clause(oracle, rng) for _ in range(rng.randrange(10, 21))]
    (folder / "clauses.pl").write_text("\n".join(text for text, _ in made) + "\n")
    flag = ["--cut-off", str(oracle.shop.cut_offs[0].date())] if oracle.shop.regime == "flag" else []
    covers = run(folder, gleaner, "cover", "db", "clauses.pl", "--label", "labels.label", "--examples", "all", *flag)
    ((n,),) = oracle.asked("SELECT count(*) FROM e")
    for (text, sql), examples in zip(made, covers.examples):
        found, expected = set(re.findall(r"labels_label\('?(\w+)'?,", examples)), {name for (name,) in oracle.asked(sql)}
        COUNTS.update(f"aggregates: {operator}" for operator in re.findall(r"aggregate_all\((count, distinct|\w+)", text))
        COUNTS.update({"clauses": 1, "clauses that cover some, but not all": 0 < len(expected) < n, "clauses times examples": n})
        if found != expected:
            differs(folder, text, f"gleaner alone {sorted(found - expected)}", f"SQL alone {sorted(expected - found)}", sql)


def compare_scores(gleaner, folder, learner, *flags):
    model = f"{learner}.json"
    run(folder, gleaner, "learn", "db", "--label", "labels.label", "--learner", learner, "--seed", "1", "-o", model, *flags)
    if not (folder / model).exists():
        return COUNTS.update([f"{learner}: nothing learnt"])
    predicted = run(folder, gleaner, "predict", model, "db").set_index("argument1")
    statements, query = run(folder, gleaner, "show", model, "--to", "sql").split("\n-- The examples with their scores.\n")
    answered = loaded(folder / "db").execute(statements).execute(query).df()
    n_answered, answered = len(answered), answered.set_index(answered.iloc[:, 0].astype(str)).reindex(predicted.index)
    is_near = (predicted.probability - answered.probability).abs() < 1e-12
    is_same = (predicted.score == answered.score) & (predicted.decision == answered.decision) & is_near
    COUNTS.update({f"{learner}: models": 1, f"{learner}: scores": len(predicted), "different scores": predicted.score.nunique()})
    COUNTS[f"{learner}: models with aggregates"] += "aggregate_all" in (folder / model).read_text()
    if not is_same.all() or n_answered != len(predicted):
        differs(folder, f"{learner}: scores by SQL beside those of predict", answered[~is_same], predicted[~is_same])


parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("gleaner", type=os.path.abspath)
for flag, usual in (("--databases", 500), ("--seed", 1), ("--first", 0), ("--learn", 8)):
    parser.add_argument(flag, type=int, default=usual)
args, root = parser.parse_args(), Path(tempfile.mkdtemp(prefix="aggregates-"))
for number in range(args.first, args.first + args.databases):
    rng, learns, folder = random.Random(f"{args.seed}:{number}"), number % args.learn == 0, root / f"database-{number}"
    shop = Shop(rng, 6 if learns else 1)
    shop.write(folder / "db")
    oracle = Oracle(shop, folder / "db")
    shop.tables["labels"]["label"] = ("label", planted(oracle, rng))
    shop.write(folder / "db")
    COUNTS.update(["databases", f"databases: {shop.regime}"])
    compare_clauses(args.gleaner, oracle, folder, rng)
    for learner in [("tree",), ("rdn-boost", "--rounds", "4", "--forests", "1")] * learns:
        compare_scores(args.gleaner, folder, *learner)
print(*(f"{what}: {n}" for what, n in sorted(COUNTS.items())), f"CPU seconds: {sum(os.times()[:4]):.0f}", root, sep="\n")
raise SystemExit(COUNTS["disagreements"] > 0)
