"""NDCG@k in NumPy, as docs/evaluation.md defines it, for anybody's vectors."""

import numpy as np

BLOCK = 1024


def top_lists(P, Q, seen, k=10):
    """The best k of each user by inner product, without what the user has."""
    lists = np.empty((P.shape[0], k), np.int64)
    for begin in range(0, P.shape[0], BLOCK):
        end = min(begin + BLOCK, P.shape[0])
        scores = P[begin:end] @ Q.T
        scores[seen[begin:end].nonzero()] = -np.inf
        best = np.argpartition(-scores, k, axis=1)[:, :k]
        order = np.argsort(-np.take_along_axis(scores, best, axis=1), axis=1, kind="stable")
        lists[begin:end] = np.take_along_axis(best, order, axis=1)
    return lists


def hits(lists, held_out):
    """Whether place i of a list holds a held-out item."""
    found = np.zeros(lists.shape, bool)
    for begin in range(0, len(lists), BLOCK):
        block = held_out[begin:begin + BLOCK].toarray() > 0
        found[begin:begin + BLOCK] = np.take_along_axis(block, lists[begin:begin + BLOCK], axis=1)
    return found


def ndcg(lists, held_out):
    """Mean over the users who have held-out items."""
    k = lists.shape[1]
    relevant = np.diff(held_out.indptr)
    gains = 1.0 / np.log2(np.arange(2, k + 2))
    ideal = np.concatenate(([0.0], np.cumsum(gains)))[np.minimum(relevant, k)]
    gained = hits(lists, held_out) @ gains
    return float(np.mean(gained[relevant > 0] / ideal[relevant > 0]))


def quality(P, Q, parts):
    """NDCG@10 on validation and on test; before the test, validation items are no candidates."""
    valid = ndcg(top_lists(P, Q, parts["train"]), parts["valid"])
    test = ndcg(top_lists(P, Q, parts["train"] + parts["valid"]), parts["test"])
    return {"valid": valid, "test": test}
