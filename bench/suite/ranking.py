"""Metrics at k in NumPy, as docs/evaluation.md defines them, for anybody's vectors."""

import numpy as np

BLOCK = 256
GROUP = 32


def best_groups(scores, k):
    """Columns that hold the best k of each row: those of the k groups with the highest maxima."""
    groups = scores.shape[1] // GROUP
    highest = scores.reshape(len(scores), GROUP, groups).max(axis=1)
    chosen = np.argpartition(-highest, min(k, groups - 1), axis=1)[:, :k]
    return (chosen[:, :, None] + groups * np.arange(GROUP)).reshape(len(scores), -1)


def top_lists(P, Q, seen, k=10):
    """The best k of each user by inner product, without what the user has."""
    lists = np.empty((P.shape[0], k), np.int64)
    items = Q.shape[0]
    Q = np.pad(Q, ((0, -items % GROUP), (0, 0)))
    for begin in range(0, P.shape[0], BLOCK):
        end = min(begin + BLOCK, P.shape[0])
        scores = P[begin:end] @ Q.T
        scores[seen[begin:end].nonzero()] = np.finfo(scores.dtype).min
        scores[:, items:] = -np.inf  # below what is seen: never in a list
        columns = best_groups(scores, k)
        scores = np.take_along_axis(scores, columns, axis=1)
        best = np.argpartition(-scores, k, axis=1)[:, :k]
        order = np.argsort(-np.take_along_axis(scores, best, axis=1), axis=1, kind="stable")
        best = np.take_along_axis(best, order, axis=1)
        lists[begin:end] = np.take_along_axis(columns, best, axis=1)
    return lists


def hits(lists, held_out):
    """Whether place i of a list holds a held-out item."""
    found = np.zeros(lists.shape, bool)
    for begin in range(0, len(lists), BLOCK):
        block = held_out[begin:begin + BLOCK].toarray() > 0
        found[begin:begin + BLOCK] = np.take_along_axis(block, lists[begin:begin + BLOCK], axis=1)
    return found


def metrics(lists, held_out):
    """NDCG, MRR and MAP at the length of the lists: means over the users who have held-out items."""
    k = lists.shape[1]
    places = np.arange(1, k + 1)
    judged = np.diff(held_out.indptr) > 0
    found = hits(lists, held_out)[judged]
    possible = np.minimum(np.diff(held_out.indptr)[judged], k)
    gains = 1.0 / np.log2(places + 1)
    precisions = np.cumsum(found, axis=1) / places
    return {f"ndcg@{k}": float(np.mean(found @ gains / np.cumsum(gains)[possible - 1])),
            f"mrr@{k}": float(np.mean((found / places).max(axis=1))),
            f"map@{k}": float(np.mean((precisions * found).sum(axis=1) / possible))}


def ndcg(lists, held_out):
    return metrics(lists, held_out)[f"ndcg@{lists.shape[1]}"]


def validated(P, Q, parts):
    return metrics(top_lists(P, Q, parts["train"]), parts["valid"])


def tested(P, Q, parts):
    """Validation items are no candidates."""
    return metrics(top_lists(P, Q, parts["train"] + parts["valid"]), parts["test"])


def quality(P, Q, parts):
    """NDCG@10 on validation and on test."""
    return {"valid": validated(P, Q, parts)["ndcg@10"], "test": tested(P, Q, parts)["ndcg@10"]}
