"""Aggregates of rules against SWI-Prolog and DuckDB, on random small tables.

    pip install duckdb && python3 tests/support/aggregates_oracle.py target/release/gleaner [TABLES]

The rules are read by gleaner and by SWI-Prolog as they stand. gleaner must derive as many tuples as SWI-Prolog
answers, and each of them; DuckDB must find the same numbers by SQL. Numbers are halves, so no sum is rounded.
"""

import json
import random
import subprocess
import sys
import tempfile
from pathlib import Path

import duckdb

GOAL = "(t(T, C), v(T, V))"
JOINED = "(SELECT c, t.t, x, s FROM t JOIN v ON t.t = v.t)"


def over(value):
    """SQL for a value of the joined rows of each group."""
    return f"SELECT g.c, {value} FROM g LEFT JOIN {JOINED} j ON j.c = g.c GROUP BY g.c"


# Each rule with the SQL of its tuples; no row of SQL has no value.
QUERIES = {
    "n": (f"count, {GOAL}", over("count(s)")),
    "d": (f"count, distinct(V, {GOAL})", over("count(DISTINCT s)")),
    "s": (f"sum(V), {GOAL}", over("coalesce(sum(x), 0)")),
    "lo": (f"min(V), {GOAL}", over("min(x)")),
    "hi": (f"max(V), {GOAL}", over("max(x)")),
    "high": ("count, (t(T, C), v(T, V), V > 1)", over("count(s) FILTER (x > 1)")),
    "twice": ("sum(W), (t(T, C), v(T, V), W is V * 2)", over("coalesce(sum(x * 2), 0)")),
    "lacks": (
        "count, (t(T, C), \\+ v(T, _))",
        "SELECT g.c, (SELECT count(*) FROM t WHERE t.c = g.c AND t.t NOT IN (SELECT t FROM v)) FROM g",
    ),
    "other": (
        "count, (t(T, _), \\+ t(T, C))",
        "SELECT g.c, (SELECT count(*) FROM t WHERE t.t NOT IN (SELECT t FROM t WHERE t.c = g.c)) FROM g",
    ),
    "all": ("count, v(_, _)", "SELECT g.c, (SELECT count(*) FROM v) FROM g"),
}


def number(draw):
    whole = draw.randint(-4, 4)
    return str(whole) if draw.random() < 0.5 else repr(whole / 2)


def tables(draw):
    """Facts without repeats: groups, rows of groups, values of rows."""
    t = {(f"t{draw.randint(0, 7)}", f"c{draw.randint(0, 3)}") for _ in range(draw.randint(1, 14))}
    v = {(f"t{draw.randint(0, 7)}", number(draw)) for _ in range(draw.randint(1, 14))}
    return [f"c{c}" for c in range(4)], sorted(t), sorted(v)


def program(g, t, v, draw):
    facts = [f"g({c})." for c in g] + [f"t({row},{c})." for row, c in t] + [f"v({row},{x})." for row, x in v]
    draw.shuffle(facts)
    facts.sort(key=lambda fact: fact.split("(")[0])
    rules = [f"{name}(C, N) :- g(C), aggregate_all({asked}, N)." for name, (asked, _) in QUERIES.items()]
    return "\n".join(facts + rules) + "\n"


def of_prolog(folder):
    # `other` has rows of no group when C has a value: the answers are asked for each group.
    goal = (
        f"forall(member(P, [{', '.join(QUERIES)}]), (G =.. [P, C, N], findall(C-N, G, L), sort(L, S), "
        "forall(member(A-B, S), (write(P), write(' '), write(A), write(' '), print(B), nl))))"
    )
    command = ["swipl", "-q", "-g", goal, "-t", "halt", str(folder / "background.pl")]
    lines = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
    return {name: {tuple(line.split()[1:]) for line in lines if line.split()[0] == name} for name in QUERIES}


def of_duckdb(g, t, v):
    base = duckdb.connect()
    base.execute("CREATE TABLE g (c TEXT); CREATE TABLE t (t TEXT, c TEXT)")
    base.execute("CREATE TABLE v (t TEXT, s TEXT, x DOUBLE)")
    base.executemany("INSERT INTO g VALUES (?)", [[c] for c in g])
    base.executemany("INSERT INTO t VALUES (?, ?)", t)
    base.executemany("INSERT INTO v VALUES (?, ?, ?)", [(row, x, float(x)) for row, x in v])
    return {
        name: {(c, float(x)) for c, x in base.execute(sql).fetchall() if x is not None}
        for name, (_, sql) in QUERIES.items()
    }


def check_gleaner(gleaner, folder, expected):
    """Whether gleaner derives these tuples and no others."""
    positives = [f"z({name},{c},{n})." for name, tuples in expected.items() for c, n in sorted(tuples)]
    modes = [":- modeh(1, z(+q, +c, +n))."] + [f":- modeb(*, {name}(+c, +n))." for name in QUERIES]
    clauses = [f"z(Q, C, N) :- Q = {name}, {name}(C, N)." for name in QUERIES]
    for file, lines in [("pos.pl", positives), ("neg.pl", ["z(none,none,none)."]), ("modes.pl", modes)]:
        (folder / file).write_text("\n".join(lines) + "\n")
    clauses_file = folder.parent / "clauses.txt"
    clauses_file.write_text("\n".join(clauses) + "\n")

    def run(*arguments):
        command = [gleaner, *arguments, "--json", "--quiet"]
        lines = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
        return [json.loads(line) for line in lines]

    profile = {row["predicate"]: row["n_tuples"] for row in run("inspect", str(folder))[-1]["predicates"]}
    covered = [line["tp"] for line in run("cover", str(folder), str(clauses_file)) if line["event"] == "clause"]
    return [
        name
        for name, n_covered in zip(QUERIES, covered, strict=True)
        if not n_covered == len(expected[name]) == profile[f"{name}/2"]
    ]


def main():
    gleaner, n_tables = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 100
    n_tuples = n_wrong = 0
    for seed in range(n_tables):
        draw = random.Random(seed)
        g, t, v = tables(draw)
        with tempfile.TemporaryDirectory() as root:
            folder = Path(root) / "data"
            folder.mkdir()
            (folder / "background.pl").write_text(program(g, t, v, draw))
            expected = of_prolog(folder)
            sql = of_duckdb(g, t, v)
            wrong = check_gleaner(gleaner, folder, expected)
        by_sql = [
            name for name in QUERIES if {(c, float(n)) for c, n in expected[name]} != sql[name]
        ]
        n_tuples += sum(map(len, expected.values()))
        if wrong or by_sql:
            n_wrong += 1
            print(f"table {seed}: gleaner differs on {wrong}, DuckDB on {by_sql}")
    version = subprocess.run(["swipl", "--version"], check=True, capture_output=True, text=True).stdout.strip()
    print(f"{n_tables} tables, {n_tuples} tuples, {n_wrong} tables differ; {version}; DuckDB {duckdb.__version__}")
    sys.exit(n_wrong > 0)


if __name__ == "__main__":
    main()
