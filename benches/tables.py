"""Tables of a database: gleaner beside ways to make features for LightGBM, on the same folds.

    python3 benches/tables.py GLEANER [--lines 100000] [--seeds 1,2] [--conditions] [--random-names] [--ways rules,dfs,...]

For each seed, `gleaner generate shop` makes a database with three planted rules (others with `--conditions`), and `cv` divides
the shoppers into five folds. A line has means over the test folds: average precision, and F1 and accuracy of the decisions. CPU
seconds are those of the whole cross-validation, user and system, and MB is the most memory of a process. The ways:

    gleaner      `gleaner cv DATA --label labels.label --seed 1`
    rdn-boost    the same with `--learner rdn-boost`
    dfs          featuretools: deep feature synthesis at the cut-offs, of all rows and of those of 30 and 90 days
    fastprop     getML: FastProp over the same windows, learnt from the train folds
    multirel     getML: Multirel, likewise
    aggregates   pandas: count, sum, mean, least, greatest and last of each number, counts of each word, the same windows
    hand-made    the numbers that the planted rules ask for, without thresholds
    rules        no learner: how many planted rules cover a shopper

The features go to LightGBM. It takes one of three settings by average precision on a quarter of train, and there the threshold
of the best mean F1 of both classes, as gleaner does; then it learns from all of train. Only rows before a shopper's cut-off are
seen. gleaner gets the tables alone; the others get keys, times and categories from this file, as their users declare them. With
`--random-names` gleaner's tables have random names, by the same seed; the others have the same cells under plain names.

Needs Linux, pandas, scikit-learn and lightgbm; featuretools for `dfs`; getML with its engine and psutil for `fastprop` and
`multirel`. The last message of a way that fails is shown.
"""

import argparse
import csv
import json
import os
import re
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path

N_FOLDS = 5
WINDOWS = (None, 30, 90)
GLEANER_WAYS = {"gleaner": [], "rdn-boost": ["--learner", "rdn-boost"]}
# Leaves, rounds, rate, least examples of a leaf, share of the features for each tree.
SETTINGS = ((31, 100, 0.1, 20, 1.0), (15, 300, 0.03, 10, 0.5), (4, 300, 0.1, 5, 0.5))
CATEGORIES = ("channel", "category", "country", "reason")


def tables_of(folder):
    """The tables, and rows that are seen: each with its shopper and its age in days at the cut-off."""
    import pandas as pd

    times = {"labels": "as_of", "orders": "placed_at", "returns": "returned_on", "shoppers": "joined", "suppliers": "since"}
    names = ("labels", "shoppers", "orders", "lines", "products", "suppliers", "returns")
    read = lambda name: pd.read_csv(folder / f"{name}.csv", parse_dates=[times[name]] if name in times else [])
    t = {name: read(name).drop(columns=["basket_note", "remark"], errors="ignore") for name in names}
    cut_offs = t["labels"].set_index("shopper").as_of
    t["orders"] = orders = t["orders"].rename(columns={"buyer": "shopper"})
    suppliers = t["suppliers"].drop(columns="since")
    products = t["products"].merge(suppliers, left_on="vendor", right_on="id").drop(columns=["id", "vendor"])
    lines = t["lines"].merge(orders, left_on="order_ref", right_on="order_id")
    t["lines"] = lines.merge(products, left_on="item", right_on="product_code")
    returns = t["returns"].merge(orders[["order_id", "shopper", "channel"]], left_on="of_order", right_on="order_id")
    t["returns"] = returns.merge(products, left_on="what", right_on="product_code")
    seen = {}
    for name, time in (("orders", "placed_at"), ("lines", "placed_at"), ("returns", "returned_on")):
        rows = t[name].rename(columns={time: "time"})
        rows["age"] = (rows.shopper.map(cut_offs) - rows.time).dt.total_seconds() / 86400
        keys = ["order_ref", "order_id", "item", "product_code", "of_order", "what", "return_id"]
        seen[name] = rows[rows.age > 0].drop(columns=keys, errors="ignore").sort_values("time", kind="stable")
    return t, seen


def own_columns(t):
    """A row for each example: the columns of its shopper."""
    own = t["labels"][["shopper", "as_of"]].merge(t["shoppers"], left_on="shopper", right_on="shopper_no")
    own["joined"] = (own.as_of - own.joined).dt.days
    return own.drop(columns=["as_of", "shopper_no"]).set_index("shopper")


def aggregates(t, seen):
    import pandas as pd

    own, found = own_columns(t), []
    for name, rows in seen.items():
        numbers = [column for column in rows.columns if rows[column].dtype.kind in "if" and column not in ("shopper", "age")]
        for window in WINDOWS:
            part = rows if window is None else rows[rows.age <= window]
            groups = part.groupby("shopper")
            counts = [pd.crosstab(part.shopper, part[word]) for word in CATEGORIES if word in part]
            columns = [count.reindex(own.index, fill_value=0) for count in (groups.size().rename("count"), *counts)]
            columns += [groups.age.agg(way).rename(f"age_{way}") for way in ("min", "max")]
            for number in numbers:
                columns += [groups[number].agg(way).rename(f"{number}_{way}") for way in ("sum", "mean", "min", "max", "last")]
            found.append(pd.concat(columns, axis=1).reindex(own.index).add_prefix(f"{name}_{window}_"))
    return [pd.concat([own, *found], axis=1)] * N_FOLDS


def dfs(t):
    import featuretools as ft
    import pandas as pd

    # Columns of products and suppliers beside the rows: so a depth of two has conditions on them.
    frames = {name: t[name] for name in ("shoppers", "orders")}
    frames["lines"] = t["lines"][["order_ref", "placed_at", "quantity", "unit_price", "discount", "category", "country"]]
    frames["returns"] = t["returns"][["return_id", "of_order", "returned_on", "reason", "category", "country"]]
    keys = {"shoppers": "shopper_no", "orders": "order_id", "lines": "line", "returns": "return_id"}
    times = {"shoppers": None, "returns": "returned_on"}
    entities = ft.EntitySet("shop")
    for name, rows in frames.items():
        words = [word for word in (*CATEGORIES, "region", "segment") if word in rows]
        given = {"index": keys[name], "make_index": name == "lines", "time_index": times.get(name, "placed_at")}
        entities.add_dataframe(rows, dataframe_name=name, logical_types=dict.fromkeys(words, "Categorical"), **given)
        if name != "shoppers":
            values = {word: sorted(set(rows[word].dropna())) for word in words}
            entities.add_interesting_values(dataframe_name=name, values=values)
    entities.add_relationship("shoppers", "shopper_no", "orders", "shopper")
    entities.add_relationship("orders", "order_id", "lines", "order_ref")
    entities.add_relationship("orders", "order_id", "returns", "of_order")
    cut_offs = t["labels"].rename(columns={"shopper": "shopper_no", "as_of": "time"})[["shopper_no", "time"]]
    given = {"entityset": entities, "target_dataframe_name": "shoppers", "cutoff_time": cut_offs, "include_cutoff_time": False}
    given["agg_primitives"] = ["count", "sum", "mean", "min", "max", "last", "num_unique", "mode", "time_since_last"]
    given |= {"where_primitives": ["count", "sum", "max", "time_since_last"], "trans_primitives": [], "max_depth": 2}
    found = []
    for window in WINDOWS:
        matrix, _ = ft.dfs(**given, training_window=None if window is None else f"{window} days")
        found.append(ft.selection.remove_single_value_features(matrix).add_suffix(f" in {window}"))
    return [pd.concat(found, axis=1).reindex(t["labels"].shopper)] * N_FOLDS


ENGINE = {"cpu": 0.0, "memory": 0.0}


def by_getml(kind, t, seen, folds):
    """The features of getML, and what its engine used, which is no child of this process."""
    import getml
    import psutil

    getml.engine.launch(in_memory=True, launch_browser=False)
    getml.engine.set_project("tables")
    try:
        return getml_features(getml, kind, t, seen, folds)
    finally:
        for process in psutil.process_iter(["exe", "cpu_times"]):
            if (process.info["exe"] or "").startswith(str(Path(getml.__file__).parent)):
                ENGINE["cpu"] += sum(process.info["cpu_times"][:2])
                most = re.search(r"VmHWM:\s+(\d+)", Path(f"/proc/{process.pid}/status").read_text())
                ENGINE["memory"] = max(ENGINE["memory"], int(most[1]) / 1024 if most else 0)
        getml.engine.shutdown()


def getml_features(getml, kind, t, seen, folds):
    import pandas as pd

    own = own_columns(t).reset_index().assign(as_of=t["labels"].as_of, label=t["labels"].label.astype(float))

    def frame(name, rows, time, target=()):
        rows = rows.drop(columns="age", errors="ignore")
        words = [word for word in (*CATEGORIES, "region", "segment", "newsletter") if word in rows]
        numbers = [column for column in rows if column not in ("shopper", time, *target, *words)]
        rows = rows.assign(**{word: rows[word].astype(str) for word in words})
        roles = {"join_key": ["shopper"], "time_stamp": [time], "target": list(target), "categorical": words}
        roles = getml.data.Roles(**roles, numerical=numbers)
        return getml.DataFrame.from_pandas(rows, name=name, roles=roles)

    model, peripheral = getml.data.DataModel("population"), {}
    for name in seen:
        rows = frame(name, seen[name], "time")
        for window in WINDOWS:
            memory = {} if window is None else {"memory": getml.data.time.days(window)}
            # A second later, so that rows at the cut-off are not seen.
            given = {"on": "shopper", "time_stamps": ("as_of", "time"), "horizon": getml.data.time.seconds(1), **memory}
            model.population.join(getml.data.Placeholder(f"{name}_{window}", roles=rows.roles), **given)
            peripheral[f"{name}_{window}"] = rows
    settings = {"loss_function": getml.feature_learning.loss_functions.CrossEntropyLoss, "num_threads": 1, "silent": True}
    settings |= {"num_features": 1000, "n_most_frequent": 20} if kind == "fastprop" else {}
    learner = getml.feature_learning.FastProp if kind == "fastprop" else getml.feature_learning.Multirel
    found = []
    for fold in range(1, N_FOLDS + 1):
        parts = (("train", own[folds != fold]), ("all", own))
        container = getml.data.Container(**{part: frame(f"{part}_{fold}", rows, "as_of", ["label"]) for part, rows in parts})
        container.add(**peripheral)
        pipe = getml.Pipeline(data_model=model, feature_learners=[learner(**settings)])
        pipe.fit(container.train, check=False)
        found.append(pd.DataFrame(pipe.transform(container.all)).set_axis(t["labels"].shopper))
    return [pd.concat([rows, own.set_index("shopper").drop(columns=["as_of", "label"])], axis=1) for rows in found]


def planted(folder, t, seen):
    """For each planted rule, the numbers that it asks for, and which shoppers it covers."""
    import pandas as pd

    orders, lines, returns = seen.values()
    found, text = [], " ".join((folder / "planted.txt").read_text().split())
    for clause in text.split("labels(A,B) :-")[1:]:
        named = lambda column: re.search(rf"_{column}\(\w,(\w+)\)", clause)[1]
        has = lambda rows, column: rows[rows[column] == named(column)].groupby("shopper")
        limits = [float(number.rstrip(".")) for number in re.findall(r"[A-Z] >= (\d[\d.]*)", clause)]
        days = re.search(r"D =< (\d+)", clause)
        recent = lines[lines.age <= float(days[1])] if days else lines
        if "suppliers_country" in clause:
            numbers, limits = [has(recent[recent.country == named("country")], "category").size()], [1]
        elif "returns_reason" in clause:
            numbers = [has(returns, "reason").size()]
        elif "sum(P)" in clause:
            numbers = [has(recent, "category").unit_price.sum()]
        elif "min(D)" in clause:
            numbers = [has(orders, "channel").size(), has(orders, "channel").age.min()]
        elif "100 * M" in clause:
            count = orders.groupby("shopper").size()
            numbers = [count, has(orders, "channel").size() / count]
            limits[1] /= 100
        else:
            numbers = [has(recent, "channel").unit_price.max()]
        numbers = [number.reindex(t["labels"].shopper).fillna(0) for number in numbers]
        holds = [number >= limit - 1e-9 for number, limit in zip(numbers, limits, strict=True)]
        found.append((numbers, pd.concat(holds, axis=1).all(axis=1)))
    features = pd.concat([number for numbers, _ in found for number in numbers], axis=1)
    return features, sum(holds.astype(int) for _, holds in found)


def scores_and_decisions(features, labels, train, test):
    """Of LightGBM, for the examples of test."""
    import lightgbm as lgb
    import numpy as np
    from sklearn.metrics import average_precision_score, f1_score
    from sklearn.model_selection import train_test_split

    rest, tune = train_test_split(train, test_size=0.25, stratify=labels[train], random_state=0)
    best = (-1.0,)
    for leaves, rounds, rate, least, share in SETTINGS:
        given = {"num_leaves": leaves, "n_estimators": rounds, "learning_rate": rate, "min_child_samples": least}
        model = lgb.LGBMClassifier(**given, colsample_bytree=share, n_jobs=1, random_state=0, verbose=-1)
        found = model.fit(features.iloc[rest], labels[rest]).predict_proba(features.iloc[tune])[:, 1]
        best = max(best, (average_precision_score(labels[tune], found), model, found), key=lambda of: of[0])
    _, model, found = best
    limits = np.unique(np.sort(found)[-10 * int(labels[tune].sum()) :])
    threshold = max(limits, key=lambda limit: f1_score(labels[tune], found >= limit, average="macro"))
    found = model.fit(features.iloc[train], labels[train]).predict_proba(features.iloc[test])[:, 1]
    return found, found >= threshold


def child(way, folder):
    """Cross-validates one way, and prints its metrics as JSON."""
    import numpy as np
    import pandas as pd
    from sklearn.metrics import accuracy_score, average_precision_score, f1_score

    warnings.filterwarnings("ignore")
    t, seen = tables_of(folder)
    labels, folds = t["labels"].label.to_numpy(), np.array(json.loads((folder / "folds.json").read_text()))
    ways = {
        "dfs": lambda: dfs(t),
        "aggregates": lambda: aggregates(t, seen),
        "rules": lambda: [planted(folder, t, seen)[1].to_frame()] * N_FOLDS,
        "hand-made": lambda: [planted(folder, t, seen)[0]] * N_FOLDS,
    }
    by_fold = ways[way]() if way in ways else by_getml(way, t, seen, folds)
    is_number = lambda column: isinstance(column.dtype, np.dtype) and column.dtype.kind in "iufb"
    plain = lambda column: column.astype("float32") if is_number(column) else column.astype(str).astype("category")
    metrics = []
    for fold, features in enumerate(by_fold, 1):
        train, test = np.flatnonzero(folds != fold), np.flatnonzero(folds == fold)
        features = pd.concat([plain(column) for _, column in features.items()], axis=1)
        features.columns = [f"c{at}" for at in range(features.shape[1])]
        scores = features.c0.to_numpy()[test]
        scores, decisions = (scores, scores >= 1) if way == "rules" else scores_and_decisions(features, labels, train, test)
        of = labels[test]
        metrics.append([average_precision_score(of, scores), f1_score(of, decisions), accuracy_score(of, decisions)])
    print(json.dumps({"metrics": np.mean(metrics, axis=0).tolist(), "features": by_fold[0].shape[1], "engine": ENGINE}))


def measured(command):
    """Standard output of a command, its CPU seconds, and its most MB: at least those of this process, which imports little."""
    with tempfile.TemporaryFile("w+") as errors:
        environment = {**os.environ, "OMP_NUM_THREADS": "1"}
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors, text=True, env=environment)
        text = process.stdout.read()
        _, status, use = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        errors.seek(0)
        if process.returncode != 0:
            lines = errors.read().splitlines() or [f"ended with {process.returncode}"]
            raise RuntimeError(([line for line in lines if re.match(r"\w*error\b", line, re.IGNORECASE)] or lines)[-1])
    return text, use.ru_utime + use.ru_stime, use.ru_maxrss / 1024


def by_gleaner(gleaner, data, run, flags):
    """Metrics of `gleaner cv`, and the fold of each example."""
    command = [gleaner, "cv", data, "--label", "labels.label", "--seed", "1", "--run", run, "--quiet", *flags]
    _, cpu, memory = measured(command)
    folds = {}
    for fold in range(1, N_FOLDS + 1):
        for line in (run / f"fold{fold}" / "predictions.csv").read_text().splitlines()[1:]:
            folds[int(re.search(r"\((\d+),", line)[1])] = fold
    metrics = list(csv.DictReader((run / "metrics.csv").read_text().splitlines()))[:N_FOLDS]
    means = [sum(float(row[name]) for row in metrics) / N_FOLDS for name in ("average_precision", "f1", "accuracy")]
    return means, cpu, memory, [folds[at] for at in sorted(folds)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("gleaner")
    ways = "gleaner,rdn-boost,dfs,fastprop,multirel,aggregates,hand-made,rules"
    for flag, default in (("--lines", "100000"), ("--seeds", "1,2"), ("--ways", ways)):
        parser.add_argument(flag, default=default)
    for flag in ("--conditions", "--random-names"):
        parser.add_argument(flag, action="store_true")
    args = parser.parse_args()
    for seed in args.seeds.split(","):
        with tempfile.TemporaryDirectory() as name:
            one_set(args, seed, Path(name))


def one_set(args, seed, folder):
    make = [args.gleaner, "generate", "shop", "--lines", args.lines, "--seed", seed, *["--conditions"] * args.conditions]
    plain = data = folder / "plain"
    text = measured([*make, "-o", plain])[0]
    (plain / "planted.txt").write_text(text)
    if args.random_names:
        data = folder / "named"
        measured([*make, "-o", data, "--random-names", seed])
    kind = ", ".join(["conditions"] * args.conditions + ["random names"] * args.random_names) or "plain names"
    print(f"\nshop of {args.lines} lines, seed {seed}, {kind}; {re.search('planted theory.*', text)[0]}")
    print(f"{'way':12s} {'features':>8s} {'avg.prec':>8s} {'f1':>7s} {'accuracy':>8s} {'CPU s':>8s} {'MB':>6s}", flush=True)
    # The first way says the folds.
    folds, ways = None, args.ways.split(",")
    for way in ways if ways[0] in GLEANER_WAYS else ["rdn-boost", *ways]:
        try:
            if way in GLEANER_WAYS:
                metrics, cpu, memory, its_folds = by_gleaner(args.gleaner, data, folder / way, GLEANER_WAYS[way])
                assert folds in (None, its_folds), "other folds"
                folds, features = its_folds, ""
                (plain / "folds.json").write_text(json.dumps(folds))
            else:
                text, cpu, memory = measured([sys.executable, __file__, "--child", way, plain])
                told = json.loads(text.splitlines()[-1])
                metrics, features = told["metrics"], told["features"]
                cpu, memory = cpu + told["engine"]["cpu"], max(memory, told["engine"]["memory"])
        except RuntimeError as error:
            print(f"{way:12s} did not run: {str(error)[:400]}", flush=True)
            continue
        area, f1, accuracy = metrics
        print(f"{way:12s} {features:>8} {area:8.4f} {f1:7.4f} {accuracy:8.4f} {cpu:8.1f} {memory:6.0f}", flush=True)


if __name__ == "__main__":
    if sys.argv[1] == "--child":
        child(sys.argv[2], Path(sys.argv[3]))
    else:
        main()
