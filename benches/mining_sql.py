"""What `gleaner mine` counts, by SQL in DuckDB: `python mining_sql.py queries.pl DATA [QUERIES]`.

DATA is a folder of our own layout without worlds, as `gleaner generate` writes. Of each length so many queries of the file are
counted, evenly spread (100 by default). Each support must be that of the file.
"""

import pathlib
import re
import sys
import time

import duckdb

ATOM = re.compile(r"^(\w+)\((.*)\)$")


def atom(text):
    name, arguments = ATOM.match(text.strip()).groups()
    return name, [argument.strip() for argument in arguments.split(",")]


def constant(text):
    return text.strip("'")


def statements(path):
    for line in path.read_text().splitlines():
        line = line.split("%")[0].strip()
        if line and not line.startswith(":-"):
            name, arguments = atom(line.rstrip("."))
            yield name, [constant(argument) for argument in arguments]


def load(folder):
    tables, examples = {}, []
    for path in sorted(folder.rglob("*.pl")):
        if path.name in ("pos.pl", "neg.pl"):
            examples += [(path.name == "pos.pl", *arguments) for _, arguments in statements(path)]
        elif path.name != "modes.pl":
            for name, arguments in statements(path):
                tables.setdefault(name, set()).add(tuple(arguments))
    connection = duckdb.connect()
    connection.execute("SET threads TO 1")
    for name, rows in [("examples", examples)] + sorted(tables.items()):
        rows = sorted(rows)
        columns = ["is_positive BOOLEAN"] if name == "examples" else []
        columns += [f"c{at} VARCHAR" for at in range(len(rows[0]) - len(columns))]
        connection.execute(f'CREATE TABLE "t_{name}" ({", ".join(columns)})')
        for start in range(0, len(rows), 10_000):
            part = rows[start : start + 10_000]
            marks = ", ".join("(" + ", ".join("?" * len(part[0])) + ")" for _ in part)
            connection.execute(f'INSERT INTO "t_{name}" VALUES {marks}', [cell for row in part for cell in row])
    return connection


def read(path):
    """Head arguments, atoms, pairs that differ, and the support of each query."""
    for line in path.read_text().splitlines():
        text, _, support = line.rpartition("  % ")
        if not text:
            continue
        head, body = text.rstrip(".").split(" :- ")
        literals = re.findall(r"\w+\([^()]*\)|\w+ \\= [\w']+", body)
        differ = [literal.split(" \\= ") for literal in literals if "\\=" in literal]
        atoms = [atom(literal) for literal in literals if "\\=" not in literal]
        yield atom(head)[1], atoms, differ, [int(count) for count in support.split()]


def sql(head, atoms, differ):
    places = {variable: f"e.c{at}" for at, variable in enumerate(head)}
    conditions, tables = [], []
    for number, (name, arguments) in enumerate(atoms):
        tables.append(f'"t_{name}" AS t{number}')
        for at, term in enumerate(arguments):
            place = f"t{number}.c{at}"
            if not term[0].isupper():
                conditions.append(f"{place} = '{constant(term)}'")
            elif term in places:
                conditions.append(f"{place} = {places[term]}")
            else:
                places[term] = place
    conditions += [f"{places[left]} <> {places.get(right, repr(constant(right)))}" for left, right in differ]
    body = f"SELECT 1 FROM {', '.join(tables)} WHERE {' AND '.join(conditions or ['TRUE'])}"
    return f'SELECT count(*) FILTER (is_positive), count(*) FILTER (NOT is_positive) FROM "t_examples" e WHERE EXISTS ({body})'


def main():
    connection = load(pathlib.Path(sys.argv[2]))
    wanted = int(sys.argv[3]) if len(sys.argv) > 3 else 100
    by_length = {}
    for query in read(pathlib.Path(sys.argv[1])):
        by_length.setdefault(len(query[1]), []).append(query)
    print(f"DuckDB {duckdb.__version__}, one thread")
    for length, queries in sorted(by_length.items()):
        chosen = queries[:: max(1, len(queries) // wanted)][:wanted]
        started = time.process_time()
        for head, atoms, differ, support in chosen:
            found = list(connection.execute(sql(head, atoms, differ)).fetchone())
            assert found == support, f"{head} {atoms}: {found}, not {support}"
        taken = time.process_time() - started
        print(f"length {length}: {len(chosen)} of {len(queries)} queries, {len(chosen) / taken:.1f} queries/s of CPU time", flush=True)


main()
