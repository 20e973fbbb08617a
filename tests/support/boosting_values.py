"""Values of boosting worked out apart from gleaner, for fixtures/boosting/expected.json.

    pip install mpmath==1.3.0 && python3 tests/support/boosting_values.py > fixtures/boosting/expected.json

Table 1 of the paper is followed to the letter with 50 digits: every weight is multiplied and divided round by round,
every area of a climb is an integral by quadrature of precision over recall, every literal of the seed is tried.
Where two literals are not worth the same, they must differ by so much that no rounding could swap them.
"""

import json
from pathlib import Path

import mpmath
from mpmath import exp, log, mp, mpf, quad, workdps

mp.dps = 50
LEAST_MARGIN = mpf("1e-6")
ROUNDS = 3
FIRST_ROUNDS = 1
# What the streams of these seeds draw; the test sees to it that they do.
SEED_ORDERS = {
    1: ["a5", "a1", "a2"],
    2: ["a5", "a4", "a3"],
    3: ["a3", "a5", "a1"],
}
CLAUSE, PATH, MIX1 = ("single", "clause"), ("path", "path"), ("path", "clause")
PLANS = {
    "rankboost": [("roc", "clause")] * 3,
    "prankboost-clause": [CLAUSE] * 3,
    "prankboost-path": [PATH] * 3,
    "mix1": [MIX1] * 3,
    "mix2": [("single", "path")] * 3,
    "mix3": [CLAUSE, PATH, CLAUSE],
    "two-stage": [CLAUSE, MIX1, MIX1],
}


def read_facts(folder):
    """The letters p, q, ... that are true of each example, positives first."""
    letters = {}
    for name in ("pos.pl", "neg.pl"):
        for line in (folder / name).read_text().split():
            letters[line[5:-2]] = ""
    for line in (folder / "background.pl").read_text().split():
        letters[line[2:-2]] += line[0]
    return letters


def integral(start, end):
    """Of precision over true positives, from one point to the next."""
    (tp_a, fp_a), (tp_b, fp_b) = start, end
    if tp_b - tp_a < mpf(10) ** -40:
        return mpf(0)
    if tp_a + fp_a == 0:
        return (tp_b - tp_a) * tp_b / (tp_b + fp_b)
    skew = (fp_b - fp_a) / (tp_b - tp_a)
    return quad(lambda x: x / (x + fp_a + skew * (x - tp_a)), [tp_a, (tp_a + tp_b) / 2, tp_b])


def curve_area(points):
    """Of a curve through points that ascend; from recall 0 on at the first one's precision."""
    return sum((integral(a, b) for a, b in zip([(mpf(0), mpf(0))] + points, points)), mpf(0))


class Learner:
    def __init__(self, letters, variant):
        self.letters = letters
        self.positives = [name for name in letters if name.startswith("a")]
        self.negatives = [name for name in letters if name.startswith("b")]
        n_pos, n_neg = len(self.positives), len(self.negatives)
        self.total = mpf(1) if variant == "rankboost" else mpf(n_neg) / n_pos
        self.weight = {name: mpf(1) / n_pos for name in self.positives}
        self.weight |= {name: self.total / n_neg for name in self.negatives}
        self.score = {name: mpf(0) for name in letters}
        self.n_evaluated = 0

    def covers(self, body, name):
        return set(body) <= set(self.letters[name])

    def point(self, body):
        covered = lambda names: sum((self.weight[name] for name in names if self.covers(body, name)), mpf(0))
        return covered(self.positives), covered(self.negatives)

    def r(self, objective, path):
        everything = (mpf(1), self.total)
        points = [self.point(body) for body in reversed(path)]
        if objective == "roc":
            return max(mpf(0), points[0][0] - points[0][1] / self.total)
        return curve_area((points[:1] if objective == "single" else points) + [everything])

    def climb(self, seed, objective):
        path = [""]
        best = self.r(objective, path)
        self.n_evaluated += 1
        while True:
            longer = ["".join(sorted(path[-1] + letter)) for letter in self.letters[seed] if letter not in path[-1]]
            values = {body: self.r(objective, path + [body]) for body in longer}
            self.n_evaluated += len(longer)
            first = max(values, key=values.get, default=None)
            others = [value for body, value in values.items() if body != first]
            assert all(values[first] - value > LEAST_MARGIN for value in others)
            assert first is None or abs(values[first] - best) > LEAST_MARGIN
            if first is None or values[first] < best:
                return path, best
            path, best = path + [first], values[first]

    def values(self, path):
        """The share of the area at each rule's recall and beyond; 1 of the last."""
        points = [self.point(body) for body in reversed(path)] + [(mpf(1), self.total)]
        whole = curve_area(points)
        beyond = [curve_area(points) - curve_area(points[: at + 1]) for at in range(len(path))]
        shares = [area / whole for area in reversed(beyond)]
        return shares[:-1] + [mpf(1)]

    def round(self, seed, objective, hypothesis):
        path, r = self.climb(seed, objective)
        assert len(path) > 1 and r < 1 - mpf("1e-8")
        alpha = log((1 + r) / (1 - r)) / 2
        rules = list(zip(path, self.values(path)))
        rules = rules if hypothesis == "path" else rules[-1:]
        points = [self.point(body) for body, _ in rules]
        for name in self.letters:
            said = [value for body, value in rules if self.covers(body, name)]
            h = said[-1] if said else mpf(0)
            self.score[name] += alpha * h
            self.weight[name] *= exp(-alpha * h if name in self.positives else alpha * h)
        z1 = sum(self.weight[name] for name in self.positives)
        z0 = sum(self.weight[name] for name in self.negatives) / self.total
        for name in self.letters:
            self.weight[name] /= z1 if name in self.positives else z0
        return {
            "objective": objective,
            "hypothesis": hypothesis,
            "r": float(r),
            "alpha": float(alpha),
            "z1": float(z1),
            "z0": float(z0),
            "rules": [
                {"body": body, "tp": float(tp), "fp": float(fp), "value": float(value)}
                for (body, value), (tp, fp) in zip(rules, points)
            ],
            "weights": [float(weight) for weight in self.weight.values()],
        }


def boosted(letters, variant, rng_seed):
    learner = Learner(letters, variant)
    seeds = SEED_ORDERS[rng_seed]
    rounds = [learner.round(seed, *plan) for seed, plan in zip(seeds, PLANS[variant])]
    return {
        "variant": variant,
        "rng_seed": rng_seed,
        "n_evaluated": learner.n_evaluated,
        "rounds": rounds,
        "scores": [float(score) for score in learner.score.values()],
    }


def alphas():
    """Of r as floats have them, at most 1 - 1e-9."""
    shares = [0.0, 1e-300, 1e-16, 1e-9, 1e-3, 0.5, 0.9, 1 - 1e-9, 1 - 1e-15, 1.0]
    clamped = [(r, mpf(min(r, 1 - 1e-9))) for r in shares]
    with workdps(700):
        return [{"r": r, "alpha": float(log((1 + share) / (1 - share)) / 2)} for r, share in clamped]


def weights_after():
    """Of a positive and of a negative class whose scores are these, each class weighing 1 and 149 together."""
    cases = []
    for scores in ([0, 0, 0], [0, 800, 0], [0, 2000, 1], [3, 3.5, 700.25], [1e-9, 0, 2e-9], [1, 740, 745, 746]):
        terms = [[exp(sign * mpf(score)) for score in scores] for sign in (-1, 1)]
        shares = [[total * term / sum(side) for term in side] for side, total in zip(terms, (1, 149))]
        cases.append({"scores": scores, "positives": [float(x) for x in shares[0]], "negatives": [float(x) for x in shares[1]]})
    return cases


def exact_area(points, n_positives, n_negatives):
    """By the antiderivative, with so many digits that nothing it subtracts matters; where recall stays the curve
    falls, as that of a ranking does."""
    whole = mpf(0)
    points = [(mpf(tp), mpf(fp)) for tp, fp in points] + [(mpf(n_positives), mpf(n_negatives))]
    for (tp_a, fp_a), (tp_b, fp_b) in zip([(mpf(0), mpf(0))] + points, points):
        if tp_b == tp_a:
            continue
        skew = (fp_b - fp_a) / (tp_b - tp_a)
        a, c = 1 + skew, fp_a - skew * tp_a
        if a == 0:
            whole += (tp_b**2 - tp_a**2) / (2 * c)
        elif c == 0:
            whole += (tp_b - tp_a) / a
        else:
            whole += (tp_b - tp_a) / a - c / a**2 * log((a * tp_b + c) / (a * tp_a + c))
    return whole / n_positives


def areas():
    """Curves of weights, narrowing from the last point to the first, and some with a slope of about -1."""
    narrowing = [
        [],
        [(0.0, 0.0)],
        [(0.0, 3.0)],
        [(1.0, 0.0)],
        [(1.0, 149.0)],
        [(0.0, 0.0), (1.0, 149.0)],
        [(0.25, 0.0), (0.25, 12.5), (1.0, 12.5)],
        # c = 0 and about it: on the line from nothing to everything.
        [(0.5, 74.5)],
        [(0.5, 74.5 * (1 + 1e-15))],
        [(0.5, 74.5 * (1 - 1e-12))],
        [(0.5, 74.5 * (1 + 1e-9))],
        [(0.1, 14.9), (0.7, 104.3)],
        [(1 / 3, 149 / 3), (2 / 3, 298 / 3)],
        [(0.25, 1e-9), (0.5, 2e-9), (0.75, 3.000000001e-9)],
        # Hardly any step.
        [(0.5, 10.0), (0.5 + 2**-53, 10.0), (0.5 + 2**-53, 10.000000000000002)],
        [(0.5, 10.0), (0.5 + 1e-12, 11.0)],
        [(0.5, 10.0), (0.5 + 1e-12, 10.0 + 1e-12)],
        # Weights that all but vanished.
        [(1e-12, 1e-12)],
        [(1e-12, 0.0)],
        [(1e-12, 1e-6), (0.5, 1e-6)],
        [(1e-60, 1e-40), (1e-20, 1e-20), (0.25, 3.0)],
        [(1e-160, 0.0), (1e-150, 1e-140)],
        [(1e-200, 1e-200), (0.5, 1e-180)],
        [(1e-300, 0.0)],
        [(1e-300, 1e-300), (1e-3, 1.0)],
        [(0.0, 1e-300)],
        [(1e-306, 1e-306)],
        [(1e-307, 0.0)],
        [(1e-310, 1e-308)],
        [(1e-320, 0.0)],
        [(0.0, 1e-320)],
        [(1e-320, 1e-320), (0.5, 1e-320), (0.75, 5.0)],
        [(5e-324, 5e-324), (5e-324, 1.0), (0.5, 1.0)],
        [(0.5, 1e-320)],
        [(1 - 1e-16, 149 - 1e-13)],
        [(1.0, 1e-320)],
    ]
    # The slope is about -1: what is called positive all but stays the same.
    crossing = [
        [(0.3, 0.7), (0.8, 0.2)],
        [(0.3, 0.7), (0.8, 0.2 + 1e-12)],
        [(0.3, 0.7), (0.8, 0.2 - 1e-9)],
        [(0.3, 0.7), (0.8, 0.1)],
        [(1e-9, 1.0), (0.5, 0.5)],
        [(0.25, 0.25), (0.25 + 1e-9, 0.25 - 1e-9)],
    ]
    with workdps(2000):
        of = lambda points: float(exact_area(points, 1, 149))
        return {
            "narrowing": [{"points": points, "area": of(points)} for points in narrowing],
            "crossing": [{"points": points, "area": of(points)} for points in crossing],
        }


def main():
    letters = read_facts(Path(__file__).parents[2] / "fixtures/boosting")
    values = {
        "made_by": f"tests/support/boosting_values.py, mpmath {mpmath.__version__}",
        "seed_orders": {str(seed): order for seed, order in SEED_ORDERS.items()},
        "boosted": [boosted(letters, variant, seed) for variant in PLANS for seed in SEED_ORDERS],
        "alphas": alphas(),
        "weights": weights_after(),
        "areas": areas(),
    }
    print(json.dumps(values, indent=1))


main()
