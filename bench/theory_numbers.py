#!/usr/bin/env python3
"""The paper's two theorems in numbers: its generalisation bound, and DCG-regret against surrogate regret.

    bench/theory_numbers.py NAME=DATASET.safetensors... [--rank 64] [--seed 0]

Needs the Python package sqmax. Two tables (Markdown) go to standard output; docs/reproduction.md reads them.
"""

import argparse

import numpy as np
import scipy.sparse
import sqmax

CONFIDENCE = 0.05  # δ of the theorem
GIVEN_LAMBDA = 0.2  # of the RG² model whose probabilities are taken for the truth
CUTOFF = 10


def scores(matrix, rank, ridge):
    model = sqmax.RG2(factors=rank, regularization=ridge).fit(matrix, show_progress=False)
    return np.asarray(model.user_factors), np.asarray(model.item_factors)


def bound(matrix, rank):
    """16 ((d+1) B⁴ e^{d+1} L^d / (|D| δ))^{1/(d+2)}, by logarithms, and what it is to be compared with."""
    users, items = matrix.shape
    count = matrix.nnz
    P, Q = scores(matrix, rank, GIVEN_LAMBDA)
    reach = np.linalg.norm(P, axis=1).max() * np.linalg.norm(Q, axis=1).max()
    lipschitz = 2 * (2 * np.sqrt(items) * reach + 1 + items)
    degrees = np.diff(matrix.indptr)
    at_zero = (degrees > 0).sum() * items**2 / count - items  # R̂ of o = 0
    d = rank * (users + items) * np.log(16 * np.e * users / rank)

    def excess(interactions):
        log = np.log(d + 1) + 4 * np.log(at_zero) + d + 1 + d * np.log(lipschitz) - np.log(interactions * CONFIDENCE)
        return 16 * np.exp(log / (d + 2))

    fitted = risk(matrix, P, Q)
    gain = 1 - excess(1e9 * count) / excess(count)
    return [d, count, lipschitz, at_zero, fitted, excess(count), gain]


def risk(matrix, P, Q):
    """R̂ = 1/|D| Σ_x n_x Σ_y (o_xy + 1 − r_xy N/n_x)², without the M × N matrix."""
    users, items = matrix.shape
    degrees = np.diff(matrix.indptr).astype(float)
    gram, total = Q.T @ Q, Q.sum(axis=0)
    squares = np.einsum("ij,jk,ik->i", P, gram, P) + 2 * P @ total + items  # Σ_y (o + 1)²
    rows = np.repeat(np.arange(users), np.diff(matrix.indptr))
    observed = np.einsum("ij,ij->i", P[rows], Q[matrix.indices]) + 1
    cross = np.bincount(rows, observed, users)  # Σ_{y∈I} (o + 1)
    with_items = degrees > 0
    return float((degrees * squares - 2 * items * cross)[with_items].sum() + with_items.sum() * items**2) / matrix.nnz


def truth(matrix, rank):
    """η_xy, the chance of each pair, from a model of the real data: n_x softmax(o_x), to first order."""
    P, Q = scores(matrix, rank, GIVEN_LAMBDA)
    share = np.clip(1 + P @ Q.T, 0.02, None)
    share /= share.sum(axis=1, keepdims=True)
    return np.clip(np.diff(matrix.indptr)[:, None] * share, 0, 0.9)


def dcg(order_by, gains, discounts):
    best = np.argsort(-order_by, axis=1, kind="stable")[:, : len(discounts)]
    return np.take_along_axis(gains, best, axis=1) @ discounts


def regrets(eta, rank, ridge, seed):
    """Means over users: the surrogate regret, the regrets of DCG@10 and of DCG, and their bounds."""
    random = np.random.default_rng(seed)
    drawn = scipy.sparse.csr_matrix(random.random(eta.shape) < eta)
    P, Q = scores(drawn, rank, ridge)
    o = P @ Q.T
    items = eta.shape[1]
    expected = eta.sum(axis=1, keepdims=True)
    surrogate = (expected * (o + 1 - items * eta / expected) ** 2).sum(axis=1)
    row = [ridge, surrogate.mean() / (expected[:, 0] * (1 - items * eta / expected).T ** 2).sum(axis=0).mean()]
    for length in (CUTOFF, items):
        discounts = 1 / np.log2(np.arange(length) + 2)
        best = dcg(eta, eta, discounts)
        regret = (best - dcg(o, eta, discounts)) / best
        constant = np.sqrt(2 * (discounts**2).sum() * expected[:, 0]) / items
        row += [regret.mean(), np.mean(constant * np.sqrt(surrogate) / best)]
    return row


def table(heading, rows):
    print("| " + " | ".join(heading) + " |\n|" + "---|" * len(heading))
    for row in rows:
        print("| " + " | ".join(value if isinstance(value, str) else f"{value:.3g}" for value in row) + " |")
    print()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", nargs="+", metavar="NAME=DATASET")
    parser.add_argument("--rank", type=int, default=64)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    matrices = {}
    for pair in args.data:
        name, path = pair.split("=", 1)
        matrices[name] = sqmax.Dataset.load(path).train.tocsr()
    table(["data", "d", "interactions", "L", "risk of o = 0", "risk of the model", "excess allowed",
           "less with 10⁹ times the data"], [[name, *bound(m, args.rank)] for name, m in matrices.items()])
    name, matrix = next(iter(matrices.items()))
    eta = truth(matrix, args.rank)
    print(f"Truth from {name}:\n")
    table(["λ", "surrogate regret, of that of o = 0", "DCG@10 lost", "bound", "DCG lost", "bound"],
          [regrets(eta, args.rank, ridge, args.seed) for ridge in (3.0, 1.0, 0.5, 0.3, 0.2, 0.1, 0.03, 0.01)])


if __name__ == "__main__":
    main()
