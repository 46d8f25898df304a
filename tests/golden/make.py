#!/usr/bin/env python3
"""Golden numbers: every case in this folder, from dense matrices and the definitions alone.

    python3 tests/golden/make.py            rewrites <case>/{input.tsv, config.json, expected.json}

Needs NumPy; the tests read the JSON only. Nothing is shared with the program, the algorithms least of
all: where rank is no limit the losses are convex in the scores O, and O is found by proximal gradient
steps with singular value thresholding; below that, by one dense SVD. Both are unique, so scores can
be compared although vectors are free to turn. Never edit the numbers: change this file and run it.
"""
import json
import pathlib
import platform

import numpy as np

USERS, ITEMS = 14, 11
TRAIN, VALID, TEST = 0, 1, 2
CUTS = (3, 5)
HERE = pathlib.Path(__file__).parent

ROUNDING = ("scores are computed in single precision from vectors that an iteration stops improving "
            "at a relative residual of 1e-6; the scores of a list are at least three times this far apart")
CASES = {
    "rg2_exact": dict(loss="rg2", rank=4, options=dict(**{"lambda": 0.2}, ridge="weighted"), solver="exact"),
    "rgp_exact": dict(loss="rgp", rank=5, solver="exact",
                      options=dict(**{"lambda": 0.15}, ridge="weighted", prior=0.75, activity=1.0, alpha=0.0, blend=0.5, links=0)),
    "rgp_activity": dict(loss="rgp", rank=3, solver="exact",
                         options=dict(**{"lambda": 0.1}, ridge="weighted", prior=1.0, activity=0.5, alpha=0.0, blend=1.0, links=0)),
    "rg2_plain": dict(loss="rg2", rank=ITEMS, options=dict(**{"lambda": 0.5}, ridge="plain"), solver="spectral"),
    "rgp_confidence": dict(loss="rgp", rank=ITEMS, solver="als",
                           options=dict(**{"lambda": 0.4}, ridge="plain", prior=0.5, activity=0.7, alpha=0.3, blend=0.25, links=0)),
    "rgp_weighted_confidence": dict(loss="rgp", rank=ITEMS, solver="als",
                                    options=dict(**{"lambda": 0.2}, ridge="weighted", prior=0.75, activity=0.8, alpha=0.2,
                                                 blend=0.75, links=0)),
    "wrmf_convex": dict(loss="wrmf", rank=ITEMS, options=dict(**{"lambda": 1.5}, alpha=4.0), solver="als"),
    "popularity": dict(loss="popularity", rank=1, options={}, solver="auto"),
}


# ---- interactions ---------------------------------------------------------------------------------------
def draw_interactions(seed, with_newcomer):
    """Rows (user, item, part); positions are given by first appearance. One item has no training user
    and, if asked for, one user no training item."""
    rng = np.random.default_rng(seed)
    popularity = rng.permutation(np.linspace(0.25, 0.9, ITEMS))
    rows = []
    for user in range(USERS):
        items = np.flatnonzero(rng.random(ITEMS) < popularity)
        for item in items:
            part = rng.choice([TRAIN, TRAIN, TRAIN, VALID, TEST])
            cold = item == ITEMS - 1 or (with_newcomer and user == USERS - 1)
            rows.append((user, int(item), int(TEST if cold else part)))
    rows = [rows[i] for i in rng.permutation(len(rows))]
    user_order = list(dict.fromkeys(row[0] for row in rows))
    item_order = list(dict.fromkeys(row[1] for row in rows))
    place = lambda order, key: order.index(key)
    rows = [(place(user_order, u), place(item_order, i), part) for u, i, part in rows]
    matrix = np.full((len(user_order), len(item_order)), -1)
    for u, i, part in rows:
        matrix[u, i] = part
    return rows, matrix


# ---- the losses, as dense weights: L = Σ W o² − 2 B o + ridge ---------------------------------------------
class Weights:
    """W and B of any history, with what was learned of the training matrix as a whole."""

    def __init__(self, loss, options, R):
        self.loss, self.options, self.N = loss, options, R.shape[1]
        degrees, self.popularity = R.sum(1), R.sum(0)
        if loss == "rgp":
            pi = np.maximum(self.popularity, 0.5) ** options["prior"]
            self.pi = pi / pi.sum()
            self.c = degrees[degrees > 0].mean() ** (1 - options["activity"])

    def rows(self, R):
        n = R.sum(1, keepdims=True)
        if self.loss == "wrmf":
            alpha = self.options["alpha"]
            return 1 + alpha * R, (1 + alpha) * R
        if self.loss == "rg2":
            base = np.repeat(n / self.N, self.N, axis=1)
            return base, R - base
        base = self.c * np.maximum(n, 1) ** self.options["activity"] * self.pi
        return base + self.options["alpha"] * R, R - base

    def ridge(self, total):
        """λ of rows whose weights sum to `total`."""
        weighted = self.options.get("ridge") == "weighted"
        return self.options["lambda"] * (total if weighted else np.ones_like(total))


def minimise_convex(W, B, row_ridge, col_ridge):
    """O and Q of  min Σ W o² − 2 B o + Σ λ|p|² + Σ μ|q|²  without a limit on the rank.

    The ridge of the best factors is 2‖√λ O √μ‖_*, so with Z = √λ O √μ this is a smooth function plus
    a nuclear norm: accelerated proximal gradient, restarted whenever momentum points uphill."""
    scale = np.sqrt(np.outer(row_ridge, col_ridge))
    w, b = W / scale ** 2, B / scale
    step = 1 / (2 * w.max())
    Z = Y = np.zeros_like(W)
    t = 1.0
    for _ in range(20000):
        U, s, Vt = np.linalg.svd(Y - step * 2 * (w * Y - b), full_matrices=False)
        after = (U * np.maximum(s - 2 * step, 0)) @ Vt
        if ((Y - after) * (after - Z)).sum() > 0:
            t, Y = 1.0, Z
            continue
        t_after = (1 + np.sqrt(1 + 4 * t * t)) / 2
        moved = np.abs(after - Z).max()
        Y, Z, t = after + (t - 1) / t_after * (after - Z), after, t_after
        if moved < 1e-13 * max(1.0, np.abs(Z).max()):
            break
    U, s, Vt = np.linalg.svd(Z, full_matrices=False)
    return Z / scale, (Vt.T * np.sqrt(s)) / np.sqrt(col_ridge)[:, None]


def minimise_closed_form(W, B, a, b, rank):
    """The same for W = u vᵀ, λ = a u, μ = b v and a rank: A = B/√W, singular values less √(ab)."""
    root = np.sqrt(W)
    A = np.divide(B, root, out=np.zeros_like(B), where=root > 0)
    U, s, Vt = np.linalg.svd(A, full_matrices=False)
    assert s[rank - 1] - s[rank] > 0.02 * s[0], "the singular values at the rank are too close"
    kept = np.maximum(s[:rank] - np.sqrt(a * b), 0)
    assert kept[1] > 0, "the ridge leaves less than two dimensions"
    total_u, v = W.sum(), W.sum(0) / W.sum()          # Σ v = 1 for both losses
    u = W.sum(1)
    O_scaled = (U[:, :rank] * kept) @ Vt[:rank]
    O = np.divide(O_scaled, root, out=np.zeros_like(B), where=root > 0)
    Q = Vt[:rank].T * np.sqrt(kept) * (a / b) ** 0.25 / np.sqrt(v)[:, None]
    assert np.isclose(u.sum(), total_u)
    return O, Q


def fold_in(weights, history, Q):
    """o of somebody with this history: least squares over one vector with Q fixed."""
    R = np.zeros((1, len(Q)))
    R[0, history] = 1
    W, B = (m[0] for m in weights.rows(R))
    ridge = weights.ridge(np.array([W.sum()]))[0]
    p = np.linalg.solve(Q.T @ (Q * W[:, None]) + ridge * np.eye(Q.shape[1]), Q.T @ B)
    return Q @ p


def to_scores(case, weights, O):
    if case["loss"] == "rgp":
        return (weights.N * weights.pi) ** case["options"]["blend"] * (1 + O)
    return O


# ---- ranking and metrics ----------------------------------------------------------------------------------
def ranking(scores, seen):
    """All candidates, best first, ties to the lower index."""
    candidates = [y for y in range(len(scores)) if not seen[y]]
    return sorted(candidates, key=lambda y: (-scores[y], y))


def user_metrics(order, relevant, k, popularity):
    top = order[:k]
    rel = [1.0 if y in relevant else 0.0 for y in top]
    best = min(k, len(relevant))
    dcg = sum(r / np.log2(i + 2) for i, r in enumerate(rel))
    ideal = sum(1 / np.log2(i + 2) for i in range(best))
    precision_at = [sum(rel[:i + 1]) / (i + 1) for i in range(len(rel))]
    return {"ndcg": dcg / ideal,
            "mrr": max([r / (i + 1) for i, r in enumerate(rel)], default=0.0),
            "map": sum(p * r for p, r in zip(precision_at, rel)) / best,
            "recall": sum(rel) / len(relevant),
            "precision": sum(rel) / k,
            "hitrate": float(any(rel)),
            "popularity": float(np.mean([popularity[y] for y in top])) if top else 0.0}


def gini(counts):
    """Mean absolute difference of all pairs over twice the mean."""
    counts = np.asarray(counts, float)
    return float(np.abs(counts[:, None] - counts[None, :]).mean() / (2 * counts.mean()))


def evaluate(scores, parts, part):
    seen = (parts == TRAIN) | ((parts == VALID) if part == TEST else False)
    popularity = (parts == TRAIN).sum(0)
    users = [x for x in range(len(parts)) if (parts[x] == part).any()]
    orders = {x: ranking(scores[x], seen[x]) for x in users}
    result = {}
    for k in CUTS:
        rows = [user_metrics(orders[x], set(np.flatnonzero(parts[x] == part)), k, popularity) for x in users]
        for name in rows[0]:
            result[f"{name}@{k}"] = float(np.mean([row[name] for row in rows]))
        counts = np.bincount([y for x in users for y in orders[x][:k]], minlength=parts.shape[1])
        result[f"coverage@{k}"] = float((counts > 0).mean())
        result[f"gini@{k}"] = gini(counts)
    return {"users": len(users), "metrics": result}


def smallest_gap(scores, seen):
    """Between neighbours of a ranking. Rows of zeros are left out: their ties are exact everywhere."""
    gaps = [1.0]
    for row, known in zip(scores, seen):
        if row.any():
            gaps.extend(-np.diff(row[ranking(row, known)]))
    return min(gaps)


# ---- files ------------------------------------------------------------------------------------------------
def solve(case, weights, R):
    if case["loss"] == "popularity":
        return np.tile(R.shape[1] * weights.popularity / weights.popularity.sum(), (len(R), 1)), None
    W, B = weights.rows(R)
    if case["solver"] == "exact":
        strength = case["options"]["lambda"]
        O, Q = minimise_closed_form(W, B, strength, strength * W.sum(), case["rank"])
    else:
        active = W.sum(1) > 0
        O = np.zeros_like(W)
        O[active], Q = minimise_convex(W[active], B[active], weights.ridge(W.sum(1))[active], weights.ridge(W.sum(0)))
    return to_scores(case, weights, O), Q


def digits(values):
    return [[float(f"{value:.10g}") for value in row] for row in values]


def make(name, case, tolerance):
    with_newcomer = case["loss"] != "rgp"           # RGp's newcomer has scores that nearly tie
    for seed in range(1000):
        rows, parts = draw_interactions(seed, with_newcomer)
        R = (parts == TRAIN).astype(float)
        trained = ((R.sum(1) > 0).sum(), (R.sum(0) > 0).sum())
        enough = parts.shape == (USERS, ITEMS) and trained == (USERS - with_newcomer, ITEMS - 1)
        if not enough or not all((parts == part).any() for part in (VALID, TEST)):
            continue
        weights = Weights(case["loss"], case["options"], R)
        try:
            scores, Q = solve(case, weights, R)
        except AssertionError:
            continue
        scores = np.round(scores, 10) + 0.0         # what is zero but for rounding is zero
        if case["loss"] == "popularity" or smallest_gap(scores, parts == TRAIN) > 3 * tolerance:
            break
    else:
        raise SystemExit(f"{name}: no seed keeps the lists apart")

    histories = [] if Q is None else [np.flatnonzero(R[0]).tolist(), [1], [0, 2, 3, 7], [2, 10]]
    if case["loss"] in ("rgp", "wrmf"):
        histories.append([])
    folded = [to_scores(case, weights, fold_in(weights, h, Q)) for h in histories]
    expected = {
        "made_with": {"python": platform.python_version(), "numpy": np.__version__, "seed": seed},
        "users": [f"u{x}" for x in range(USERS)],
        "items": [f"i{y}" for y in range(ITEMS)],
        "scores": digits(scores),
        "histories": [[f"i{y}" for y in h] for h in histories],
        "fold_in_scores": digits(folded),
        "top": [[f"i{y}" for y in ranking(scores[x], parts[x] == TRAIN)[:max(CUTS)]] for x in range(USERS)],
        "valid": evaluate(scores, parts, VALID),
        "test": evaluate(scores, parts, TEST),
    }
    config = dict(case, tolerance=tolerance, reason=ROUNDING)
    folder = HERE / name
    folder.mkdir(exist_ok=True)
    table = "".join(f"u{u}\ti{i}\t{('train', 'valid', 'test')[part]}\n" for u, i, part in rows)
    (folder / "input.tsv").write_text("user\titem\tsplit\n" + table)
    (folder / "config.json").write_text(json.dumps(config, indent=1) + "\n")
    lines = ",\n".join(f' {json.dumps(key)}: {json.dumps(value)}' for key, value in expected.items())
    (folder / "expected.json").write_text("{\n" + lines.replace("], [", "],\n  [") + "\n}\n")
    print(f"{name}: seed {seed}, ndcg@5 {expected['test']['metrics']['ndcg@5']:.4f}")


if __name__ == "__main__":
    for case_name, case_config in CASES.items():
        make(case_name, case_config, 2e-4)
