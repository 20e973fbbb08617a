"""Targets that are numbers: `gleaner cv` beside scikit-learn's histogram boosting, on the same folds.

    python3 benches/predicted_numbers.py GLEANER counts|friedman|diabetes [FLAGS OF CV]

`counts` plants a Poisson count: a customer's visits have the mean exp(0.2 + 0.35 L - 0.8 S), where L is the number of the
customer's transactions above 200 and S says that some transaction is of the kind `refund`. scikit-learn gets hand-made
aggregates of the transactions. `friedman` is scikit-learn's friedman1 (2,000 rows, noise 1), `diabetes` its table of that
name; both are one table, a fact for each cell. Folds are five, drawn with seed 0. With `--loss quantile --quantile 0.9`, say,
scikit-learn predicts that quantile, too. Needs numpy and scikit-learn.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
from sklearn.datasets import load_diabetes, make_friedman1
from sklearn.ensemble import HistGradientBoostingRegressor
from sklearn.metrics import (
    mean_absolute_error,
    mean_pinball_loss,
    mean_poisson_deviance,
    mean_squared_error,
    r2_score,
)

N_FOLDS = 5


def write(folder, name, header, rows):
    """Writes a table; numbers as Python writes them."""
    text = lambda cell: repr(float(cell)) if isinstance(cell, (float, np.floating)) else str(cell)
    lines = [header] + [",".join(text(cell) for cell in row) for row in rows]
    (folder / f"{name}.csv").write_text("\n".join(lines) + "\n")


def folds_of(n):
    """A fold for each example."""
    folds = np.empty(n, int)
    folds[np.random.default_rng(0).permutation(n)] = np.arange(n) % N_FOLDS + 1
    return folds


def write_targets(folder, numbers, folds, first):
    """Writes the target's table."""
    rows = ((f"{first}{at}", number, f"f{fold}") for at, (number, fold) in enumerate(zip(numbers, folds)))
    write(folder, "target", "case,label,fold", rows)


def one_table(folder, features, numbers, names):
    """Writes a table with a fact for each cell."""
    folds = folds_of(len(numbers))
    write_targets(folder, numbers, folds, "c")
    for at, name in enumerate(names):
        write(folder, name, f"case,{name}", ((f"c{row}", value) for row, value in enumerate(features[:, at])))
    return features, numbers, folds


def counts(folder, n=2_000, seed=1):
    """Plants counts of visits; gives hand-made aggregates of each customer's transactions."""
    rng = np.random.default_rng(seed)
    kinds = np.array(["food", "books", "tools", "refund"])
    of_customer, amounts, kind_of, features, means = [], [], [], [], []
    for customer in range(n):
        size = rng.poisson(6)
        amount = np.round(rng.lognormal(4.6, 0.8, size), 2)
        kind = kinds[rng.choice(4, size, p=[0.5, 0.3, 0.15, 0.05])]
        large = int((amount > 200).sum())
        means.append(np.exp(0.2 + 0.35 * min(large, 6) - 0.8 * bool((kind == "refund").any())))
        of_customer += [customer] * size
        amounts += list(amount)
        kind_of += list(kind)
        known = amount if size else np.array([0.0])
        of_kind = [int((kind == name).sum()) for name in kinds]
        over = [int((amount > limit).sum()) for limit in (50, 100, 300)]
        features.append([size, amount.sum(), known.mean(), known.max(), known.min(), *of_kind, *over])
    numbers = rng.poisson(means).astype(float)
    folds = folds_of(n)
    write_targets(folder, numbers, folds, "c")
    rows = list(enumerate(of_customer))
    write(folder, "transaction", "case,transaction", ((f"c{customer}", f"t{at}") for at, customer in rows))
    write(folder, "amount", "transaction,euros", ((f"t{at}", float(amount)) for at, amount in enumerate(amounts)))
    write(folder, "kind", "transaction,kind", ((f"t{at}", kind) for at, kind in enumerate(kind_of)))
    return np.array(features, float), numbers, folds, np.array(means)


def predicted(make, features, numbers, folds):
    """The predictions of each fold by a model of the others."""
    found = np.zeros(len(numbers))
    for fold in np.unique(folds):
        test = folds == fold
        found[test] = make().fit(features[~test], numbers[~test]).predict(features[test])
    return found


def told(name, numbers, found, has_deviance, quantile=None):
    """A line of metrics; of a quantile also its loss and the share of numbers that are at most the prediction."""
    line = (
        f"{name:38s} MAE {mean_absolute_error(numbers, found):8.4f}"
        f" RMSE {mean_squared_error(numbers, found) ** 0.5:8.4f} R2 {r2_score(numbers, found):7.4f}"
    )
    if has_deviance:
        line += f" deviance {mean_poisson_deviance(numbers, np.maximum(found, 1e-9)):7.4f}"
    if quantile is not None:
        line += f" pinball {mean_pinball_loss(numbers, found, alpha=quantile):8.4f} below {(numbers <= found).mean():.3f}"
    print(line)


def main():
    gleaner, task, flags = sys.argv[1], sys.argv[2], sys.argv[3:]
    is_count = task == "counts"
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if is_count:
            features, numbers, folds, means = counts(folder)
            told("the planted means", numbers, means, True)
        elif task == "friedman":
            features, numbers = make_friedman1(2_000, 10, noise=1.0, random_state=1)
            features, numbers, folds = one_table(folder, features, numbers, [f"x{at}" for at in range(10)])
        else:
            data = load_diabetes()
            features, numbers, folds = one_table(folder, data.data, data.target, data.feature_names)
        value = lambda flag, other: flags[flags.index(flag) + 1] if flag in flags else other
        quantile = float(value("--quantile", "0.5")) if value("--loss", "") == "quantile" else None
        loss = "quantile" if quantile is not None else "poisson" if is_count else "squared_error"
        for leaves, rate, rounds in ((31, 0.1, 100), (8, 0.1, 100), (8, 0.05, 200)):
            make = lambda: HistGradientBoostingRegressor(
                loss=loss, quantile=quantile, learning_rate=rate, max_iter=rounds, max_leaf_nodes=leaves, random_state=1
            )
            name = f"HGB {loss}, {leaves} leaves, {rounds} x {rate}"
            told(name, numbers, predicted(make, features, numbers, folds), is_count, quantile)
        own = ["--loss", "poisson"] if is_count and "--loss" not in flags else []
        command = [gleaner, "cv", str(folder), "--number-argument", "label", *own, *flags]
        sys.stdout.flush()
        subprocess.run(command, check=True)


if __name__ == "__main__":
    main()
