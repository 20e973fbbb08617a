"""Databases of three trades with planted truths: gleaner beside LightGBM on plain aggregates and on the planted feature.

    python3 benches/databases.py GLEANER [--seeds 1,2] [--sets fraud,churn,sales] [--ways rdn-boost,aggregates,planted]

    fraud   4,000 cards, 120,000 payments, 300 merchants; one card in 60 is misused. The truth: the amount of payments of the last
            14 days abroad, online, at merchants of two kinds.
    churn   3,000 members, 90,000 visits, 6,000 tickets; one member in eight leaves. The truth: visits of the last 30 days as a
            share of those of 120 days, and open tickets about prices.
    sales   60 stores, 60 weeks: the turnover of a week, from the store's size, promotions by radio, warmth and season.

Each truth gives a probability, or a mean, and the labels are drawn by it. No planted word is the first of its column, by rows or
by letters. gleaner divides the labels into five folds, and all ways take these. A line has the mean average precision and F1 of the
folds, and expected and observed positives of all; of sales MAE, R2 and the share in the 80 % intervals of all. CPU seconds, user and
system, are those of the whole cross-validation. `planted` scores by the truth.

`aggregates` are pandas' count, sum, mean, least, greatest of each number and counts of each word, of all rows and of the last 30 days
before the cut-off, and the label's own columns. LightGBM takes one of three settings by a quarter of train. For sales it
gets joined columns of the week, and means of the store's past weeks.

Needs pandas, scikit-learn and lightgbm.
"""

import argparse
import resource
import subprocess
import tempfile
from pathlib import Path

import numpy as np
import pandas as pd

START = pd.Timestamp("2024-01-01")
SETTINGS = ((31, 100, 0.1, 20), (15, 300, 0.03, 10), (4, 300, 0.1, 5))


def days(at):
    return START + pd.to_timedelta(np.floor(at), unit="D")


def ages(cut_offs, keys, times):
    return (cut_offs[keys.to_numpy() - 1] - pd.DatetimeIndex(times)).days


def drawn(random, log_odds, share):
    """Labels by these log odds, moved so that about this share is positive."""
    low, high = -30.0, 30.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if (1 / (1 + np.exp(-(log_odds + middle)))).mean() < share else (low, middle)
    truth = 1 / (1 + np.exp(-(log_odds + low)))
    return (random.random(len(truth)) < truth).astype(int), truth


def fraud(random):
    n, n_rows = 4_000, 120_000
    kinds = ["grocer", "fuel", "jewels", "travel", "games", "rent", "tools"]
    merchants = pd.DataFrame(
        {"merchant": np.arange(1, 301), "city": random.choice(list("pqrst"), 300), "kind": random.choice(kinds, 300)}
    )
    cards = pd.DataFrame(
        {
            "card": np.arange(1, n + 1),
            "issued": days(random.uniform(-900, -30, n)),
            "limit_eur": random.choice([500, 1000, 2500, 5000], n),
            "tier": random.choice(["blue", "gold", "plain"], n),
        }
    )
    rate = random.gamma(2.0, 1.0, n)
    card = random.choice(n, n_rows, p=rate / rate.sum())
    payments = pd.DataFrame(
        {
            "payment": np.arange(1, n_rows + 1),
            "card": card + 1,
            "paid_on": days(random.uniform(0, 180, n_rows)),
            "merchant": random.integers(1, 301, n_rows),
            "amount": np.round(random.lognormal(3.2, 1.0, n_rows), 2),
            "channel": random.choice(["chip", "contactless", "online", "stripe"], n_rows, p=[0.4, 0.3, 0.25, 0.05]),
            "country": random.choice(["domestic", "foreign"], n_rows, p=[0.85, 0.15]),
        }
    )
    cut_offs = days(random.uniform(120, 180, n))
    seen = payments.merge(merchants, on="merchant")
    age = ages(cut_offs, seen.card, seen.paid_on)
    counts = (
        (age > 0) & (age <= 14) & (seen.country == "foreign") & (seen.channel == "online") & seen.kind.isin(["jewels", "games"])
    )
    amount = seen.amount.where(counts, 0).groupby(seen.card).sum().reindex(cards.card, fill_value=0).to_numpy()
    label, truth = drawn(random, 4 * np.log1p(amount / 10), 1 / 60)
    labels = pd.DataFrame({"card": cards.card, "seen_on": cut_offs, "misused": label})
    return (
        {"merchants": merchants, "cards": cards, "payments": payments, "labels": labels},
        ("labels", "misused", "card", "seen_on"),
        truth,
    )


def churn(random):
    n, n_rows, n_tickets = 3_000, 90_000, 6_000
    members = pd.DataFrame(
        {
            "member": np.arange(1, n + 1),
            "since": days(random.uniform(-700, -130, n)),
            "plan": random.choice(["basic", "family", "pro"], n),
            "age": random.integers(18, 80, n),
        }
    )
    rate = random.gamma(1.5, 1.0, n)
    fading = random.random(n) < 0.3
    member = random.choice(n, 3 * n_rows, p=rate / rate.sum())
    at = random.uniform(0, 200, 3 * n_rows)
    cut = random.uniform(140, 200, n)
    stays = random.random(3 * n_rows) < np.where(fading[member] & (at > cut[member] - 30), 0.25, 1.0)
    member, at = member[stays][:n_rows], at[stays][:n_rows]
    visits = pd.DataFrame(
        {
            "visit": np.arange(1, n_rows + 1),
            "member": member + 1,
            "day": days(at),
            "device": random.choice(["desk", "mobile", "tablet"], n_rows),
            "minutes": np.round(random.gamma(2.0, 9.0, n_rows), 1),
            "club": random.choice(["east", "north", "west"], n_rows),
        }
    )
    tickets = pd.DataFrame(
        {
            "ticket": np.arange(1, n_tickets + 1),
            "member": random.integers(1, n + 1, n_tickets),
            "opened": days(random.uniform(0, 200, n_tickets)),
            "topic": random.choice(["app", "card", "noise", "price", "staff"], n_tickets),
            "state": random.choice(["closed", "open"], n_tickets, p=[0.65, 0.35]),
        }
    )
    cut_offs = days(cut)
    age = ages(cut_offs, visits.member, visits.day)

    def per_member(rows, counts):
        return counts.groupby(rows.member).sum().reindex(members.member, fill_value=0).to_numpy()

    of = lambda most: per_member(visits, pd.Series((age > 0) & (age <= most)))
    ratio = of(30) / np.maximum(of(120), 1)
    ticket_age = ages(cut_offs, tickets.member, tickets.opened)
    angry = (ticket_age > 0) & (ticket_age <= 90) & (tickets.topic == "price") & (tickets.state == "open")
    angry = per_member(tickets, angry)
    label, truth = drawn(random, -25 * ratio + 5 * np.minimum(angry, 2), 1 / 8)
    labels = pd.DataFrame({"member": members.member, "asked_on": cut_offs, "left": label})
    return (
        {"members": members, "visits": visits, "tickets": tickets, "labels": labels},
        ("labels", "left", "member", "asked_on"),
        truth,
    )


def sales(random):
    n_stores, n_weeks = 60, 60
    cities = pd.DataFrame({"city": ["ash", "birch", "cedar", "elm"], "inhabitants": [41_000, 230_000, 97_000, 560_000]})
    stores = pd.DataFrame(
        {
            "store": np.arange(1, n_stores + 1),
            "city": random.choice(cities.city, n_stores),
            "kind": random.choice(["corner", "market", "outlet"], n_stores),
            "metres": random.integers(80, 2_000, n_stores),
        }
    )
    begins = START + pd.to_timedelta(7 * np.arange(n_weeks), unit="D")
    degrees = np.round(12 + 11 * np.sin(2 * np.pi * (np.arange(n_weeks) - 14) / 52) + random.normal(0, 3, (4, n_weeks)), 1)
    forecasts = pd.DataFrame(
        [
            (cities.city[c], begins[w] - pd.Timedelta(days=2), degrees[c, w], round(random.gamma(1.2, 8), 1))
            for c in range(4)
            for w in range(n_weeks)
        ],
        columns=["city", "published", "degrees", "rain"],
    )
    size = np.log(stores.metres.to_numpy()) + np.where(stores.kind == "market", 0.5, 0.0) + random.normal(0, 0.3, n_stores)
    promotions, weeks, truth = [], [], []
    for s in range(n_stores):
        city = list(cities.city).index(stores.city[s])
        for w in range(n_weeks):
            media = random.choice(["leaflet", "radio", "screen"], random.poisson(0.8))
            cuts = np.round(random.uniform(5, 40, len(media)))
            promotions += [
                (s + 1, begins[w] - pd.Timedelta(days=int(random.integers(2, 8))), medium, cut)
                for medium, cut in zip(media, cuts)
            ]
            lift = 0.02 * cuts[media == "radio"].sum() + 0.02 * max(degrees[city, w] - 15, 0)
            truth.append(np.exp(size[s] - 2 + 0.25 * np.sin(2 * np.pi * (w - 40) / 52) + lift))
            weeks.append((s + 1, begins[w], round(truth[-1] * random.lognormal(0, 0.12), 2)))
    promotions = pd.DataFrame(promotions, columns=["store", "printed_on", "medium", "cut"])
    weeks = pd.DataFrame(weeks, columns=["store", "week", "turnover"])
    past = pd.DataFrame({"store": weeks.store, "counted_on": weeks.week + pd.Timedelta(days=6), "amount": weeks.turnover})
    tables = {
        "cities": cities,
        "stores": stores,
        "forecasts": forecasts,
        "promotions": promotions,
        "takings": past,
        "weeks": weeks,
    }
    for name in ("forecasts", "promotions", "takings", "weeks"):
        tables[name].insert(
            0,
            {"forecasts": "report", "promotions": "leaf", "takings": "entry", "weeks": "row"}[name],
            np.arange(1, len(tables[name]) + 1),
        )
    return tables, ("weeks", "turnover", "store", "week"), np.array(truth)


def seen_rows(rows, time, key, labels, cut_off):
    """The rows before the cut-off of each label, with its position and their age."""
    joined = labels[[key, cut_off]].reset_index(names="label").merge(rows, on=key)
    joined["age"] = (joined[cut_off] - joined[time]).dt.days
    return joined[joined.age > 0].drop(columns=[key, cut_off, time])


def aggregated(name, seen, n):
    """Count, sum, mean, least, greatest of numbers and counts of words, of all rows and of the last 30 days."""
    found = {}
    for window in (None, 30):
        rows = seen if window is None else seen[seen.age <= window]
        group = rows.groupby("label")
        put = lambda what, values: found.__setitem__(f"{name}_{what}_{window}", values.reindex(range(n)))
        put("n", group.size())
        for column in rows.columns.difference(["label", "age"]):
            if pd.api.types.is_numeric_dtype(rows[column]):
                for how in ("sum", "mean", "min", "max"):
                    put(f"{column}_{how}", getattr(group[column], how)())
            else:
                for word in sorted(rows[column].unique()):
                    put(f"{column}_{word}", rows[rows[column] == word].groupby("label").size())
    return pd.DataFrame(found)


def features(which, tables, label):
    """What a person makes of the tables in ten minutes."""
    table, target, key, cut_off = label
    labels, n = tables[table].reset_index(drop=True), len(tables[table])
    see = lambda rows, time: seen_rows(rows, time, key, labels, cut_off)
    if which == "fraud":
        rows = tables["payments"].merge(tables["merchants"], on="merchant").drop(columns=["merchant", "payment"])
        own = labels[[key]].merge(tables["cards"].drop(columns="issued"), on=key)
        parts = [aggregated("payments", see(rows, "paid_on"), n)]
    elif which == "churn":
        own = labels[[key]].merge(tables["members"].drop(columns="since"), on=key)
        parts = [
            aggregated("visits", see(tables["visits"].drop(columns="visit"), "day"), n),
            aggregated("tickets", see(tables["tickets"].drop(columns="ticket"), "opened"), n),
        ]
    else:
        own = labels[[key]].merge(tables["stores"].merge(tables["cities"], on="city"), on=key, how="left")
        own["week"] = labels[cut_off].dt.day_of_year
        forecasts = tables["forecasts"].merge(tables["stores"][["store", "city"]], on="city").drop(columns=["city", "report"])
        last = see(forecasts, "published").sort_values("age").groupby("label").first()
        promotions = see(tables["promotions"].drop(columns="leaf"), "printed_on")
        promotions = promotions[promotions.age <= 7].pivot_table(index="label", columns="medium", values="cut", aggfunc="sum")
        takings = see(tables["takings"].drop(columns="entry"), "counted_on").sort_values("age")
        means = {f"mean_{weeks}": takings[takings.age <= 7 * weeks].groupby("label").amount.mean() for weeks in (1, 4, 13, 60)}
        parts = [last.drop(columns="age"), promotions, pd.DataFrame(means)]
    own = own.drop(columns=key)
    for column in own.select_dtypes(exclude="number"):
        own[column] = own[column].astype("category")
    joined = pd.concat([own] + [part.reindex(range(n)) for part in parts], axis=1)
    return joined.rename(columns={name: f"f{at}" for at, name in enumerate(joined.columns)})


def boosted(x, y, train, is_number):
    """LightGBM with the best of the settings on a quarter of train; of classes with the threshold of the best F1 there."""
    import lightgbm as lgb
    from sklearn.metrics import average_precision_score, f1_score, mean_absolute_error

    inner, held = train[np.arange(len(train)) % 4 != 0], train[np.arange(len(train)) % 4 == 0]

    def fitted(rows, setting):
        leaves, rounds, rate, least = setting
        kind = lgb.LGBMRegressor if is_number else lgb.LGBMClassifier
        model = kind(
            num_leaves=leaves,
            n_estimators=rounds,
            learning_rate=rate,
            min_child_samples=least,
            n_jobs=2,
            verbose=-1,
            random_state=1,
        )
        model.fit(x.iloc[rows], y[rows])
        return model.predict if is_number else lambda x: model.predict_proba(x)[:, 1]

    def quality(setting):
        scores = fitted(inner, setting)(x.iloc[held])
        return -mean_absolute_error(y[held], scores) if is_number else average_precision_score(y[held], scores)

    best = max(SETTINGS, key=quality)
    threshold = None
    if not is_number:
        scores = fitted(inner, best)(x.iloc[held])
        threshold = max(np.unique(scores), key=lambda at: f1_score(y[held], scores >= at, zero_division=0))
    return fitted(train, best), threshold


def judged(y, scores, decisions, folds, is_number, bounds=None):
    """Means over the folds; of numbers, and of expected positives, what holds of all."""
    from sklearn.metrics import average_precision_score, f1_score, mean_absolute_error, r2_score

    if is_number:
        inside = "n/a" if bounds is None else f"{((bounds[0] <= y) & (y <= bounds[1])).mean():.3f}"
        return f"MAE {mean_absolute_error(y, scores):.2f}  R2 {r2_score(y, scores):.4f}  in 80 % {inside}"
    mean = lambda of, values: np.mean([of(y[folds == fold], values[folds == fold]) for fold in np.unique(folds)])
    f1 = "n/a" if decisions is None else f"{mean(f1_score, decisions):.3f}"
    return f"AP {mean(average_precision_score, scores):.3f}  F1 {f1}  expected {scores.sum():.1f} of {y.sum()}"


def by_lightgbm(x, y, folds, is_number):
    scores, decisions = np.zeros(len(y)), np.zeros(len(y), bool)
    for fold in np.unique(folds):
        train, test = np.flatnonzero(folds != fold), np.flatnonzero(folds == fold)
        score, threshold = boosted(x, y, train, is_number)
        scores[test] = score(x.iloc[test])
        decisions[test] = False if is_number else scores[test] >= threshold
    return judged(y, scores, decisions, folds, is_number)


def by_gleaner(gleaner, data, run, label, is_number, flags):
    """What gleaner reached, and the fold of each label."""
    command = [gleaner, "cv", data, "--label", ".".join(label[:2]), "--seed", "1", "--run", run, "--quiet", *flags]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    parts = [pd.read_csv(run / f"fold{fold}" / "predictions.csv").assign(fold=fold) for fold in range(1, 6)]
    # The first argument is the key of the label's row, or its number: in the order of the file.
    rows = pd.concat(parts).sort_values("argument1").reset_index(drop=True)
    if is_number:
        return judged(rows.number, rows.predicted, None, rows.fold, True, (rows.low_80, rows.high_80)), rows.fold.to_numpy()
    # Areas are those of the scores, and expected positives those of the probabilities.
    areas = judged(rows.label, rows.score, rows.decision, rows.fold, False).partition("  expected")[0]
    return f"{areas}  expected {rows.probability.sum():.1f} of {rows.label.sum()}", rows.fold.to_numpy()


def one_set(args, name, seed, folder):
    tables, label, truth = globals()[name](np.random.default_rng(seed))
    data = folder / "data"
    data.mkdir()
    for table, rows in tables.items():
        rows.to_csv(data / f"{table}.csv", index=False)
    y, is_number = tables[label[0]][label[1]].to_numpy(), name == "sales"
    print(f"\n{name}, seed {seed}: {len(y)} labels" + ("" if is_number else f", {y.sum()} positive"), flush=True)
    seconds = lambda: sum(sum(resource.getrusage(who)[:2]) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    folds = None
    for way in ("gleaner", *args.ways.split(",")):
        before = seconds()
        if way == "planted":
            found = judged(y, truth, None, folds, is_number)
        elif way == "aggregates":
            found = by_lightgbm(features(name, tables, label), y, folds, is_number)
        else:
            flags = ["--number-argument", "label"] * is_number + ["--learner", way] * (way != "gleaner")
            found, folds = by_gleaner(args.gleaner, data, folder / f"run-{way}", label, is_number, flags)
        print(f"{way:12s} {found}  {seconds() - before:.1f} CPU s", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("gleaner")
    for flag, default in (("--seeds", "1,2"), ("--sets", "fraud,churn,sales"), ("--ways", "aggregates,planted")):
        parser.add_argument(flag, default=default)
    args = parser.parse_args()
    for name in args.sets.split(","):
        for seed in args.seeds.split(","):
            with tempfile.TemporaryDirectory() as folder:
                one_set(args, name, int(seed), Path(folder))


if __name__ == "__main__":
    main()
