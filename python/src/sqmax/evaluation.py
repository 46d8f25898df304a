"""Splits and metrics under the names of implicit.evaluation, for any model with its recommend method.

What differs: `precision` is precision, the mean over users of hits/K. What implicit calls so, the hits of
all users together over what could have been hit, is `capped_recall`. A place without an item (id -1) is
never a hit. Every function depends on its random_state alone.
"""

from __future__ import annotations

import numpy as np
import scipy.sparse

from ._listening import bar

_BATCH = 1000


def train_test_split(ratings, train_percentage: float = 0.8, random_state=None):
    """Each entry goes to the first matrix with this probability, to the second one otherwise.

    >>> import scipy.sparse
    >>> matrix = scipy.sparse.random(30, 20, 0.5, format="csr", random_state=1)
    >>> train, test = train_test_split(matrix, 0.75, random_state=0)
    >>> (train + test != matrix).nnz
    0
    """
    coo = ratings.tocoo()
    in_train = np.random.default_rng(random_state).random(len(coo.data)) < train_percentage
    return _part(coo, in_train), _part(coo, ~in_train)


def leave_k_out_split(ratings, K: int = 1, train_only_size: float = 0.0, random_state=None):
    """K entries of every user with more than K go to the second matrix.

    A share `train_only_size` of the users is left whole.

    >>> import scipy.sparse
    >>> matrix = scipy.sparse.random(30, 20, 0.5, format="csr", random_state=1)
    >>> train, test = leave_k_out_split(matrix, K=2, random_state=0)
    >>> sorted(set(test.getnnz(axis=1).tolist()))
    [2]
    """
    if K < 1:
        raise ValueError("The 'K' must be >= 1.")
    if not 0.0 <= train_only_size < 1.0:
        raise ValueError("The 'train_only_size' must be in the range (0.0 <= x < 1.0).")
    random = np.random.default_rng(random_state)
    csr = ratings.tocsr()
    csr.sort_indices()
    coo = csr.tocoo()
    order = np.lexsort((random.random(len(coo.data)), coo.row))
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.arange(len(order)) - np.repeat(csr.indptr[:-1], np.diff(csr.indptr))
    may_test = (np.diff(csr.indptr) > K) & (random.random(csr.shape[0]) >= train_only_size)
    in_test = may_test[coo.row] & (place < K)
    return _part(coo, ~in_test), _part(coo, in_test)


def _part(coo, chosen):
    entries = (coo.data[chosen], (coo.row[chosen], coo.col[chosen]))
    return scipy.sparse.csr_matrix(entries, shape=coo.shape, dtype=coo.dtype)


def ranking_metrics_at_k(
    model, train_user_items, test_user_items, K: int = 10, show_progress: bool = True, num_threads: int = 1
) -> dict:
    """precision, capped_recall, recall, map, ndcg and auc of the first K places.

    Users without test items are skipped; training items are never recommended. `num_threads` is there
    for implicit's sake: the model has its own.
    """
    train, test = train_user_items.tocsr(), test_user_items.tocsr()
    users = np.flatnonzero(np.diff(test.indptr))
    if len(users) == 0:
        raise ValueError("No user has test items.")
    progress = bar(len(users), show_progress)
    totals = np.zeros(7)
    for begin in range(0, len(users), _BATCH):
        batch = users[begin : begin + _BATCH]
        ids, _ = model.recommend(batch, train[batch], N=K, filter_already_liked_items=True)
        totals += _sums(ids, test[batch], K)
        if progress is not None:
            progress.update(len(batch))
    if progress is not None:
        progress.close()
    hits, could = totals[5:]
    names = ("precision", "recall", "map", "ndcg", "auc")
    return {**dict(zip(names, (totals[:5] / len(users)).tolist())), "capped_recall": float(hits / could)}


def _sums(ids, test, K: int) -> np.ndarray:
    """Of a batch: precision, recall, map, ndcg, auc; hits, and how many there could have been."""
    rows = np.repeat(np.arange(len(ids)), ids.shape[1])
    likes = scipy.sparse.csr_matrix((np.ones(test.nnz, bool), test.indices, test.indptr), shape=test.shape)
    found = np.asarray(likes[rows, np.maximum(ids, 0).ravel()]).reshape(ids.shape) & (ids >= 0)
    hit = found.astype(float)
    places = np.arange(1, ids.shape[1] + 1)
    relevant = np.diff(test.indptr).astype(float)
    capped = np.minimum(K, relevant)
    gain = 1.0 / np.log2(places + 1)
    ideal = np.cumsum(1.0 / np.log2(np.arange(2, K + 2)))[capped.astype(int) - 1]
    count = hit.sum(axis=1)
    average = (hit * np.cumsum(hit, axis=1) / places).sum(axis=1) / capped
    # A miss is right about the hits above it; what was not ranked is right half of the time.
    others = test.shape[1] - relevant
    misses = (~found).sum(axis=1)
    pairs = (np.cumsum(hit, axis=1) * ~found).sum(axis=1) + (count + relevant) / 2 * (others - misses)
    auc = pairs / np.maximum(relevant * others, 1)
    means = (count / K, count / relevant, average, (hit * gain).sum(axis=1) / ideal, auc)
    return np.array([*(value.sum() for value in means), count.sum(), capped.sum()])


def precision_at_k(model, train_user_items, test_user_items, K=10, show_progress=True, num_threads=1):
    """The mean over users of hits/K."""
    return _one("precision", model, train_user_items, test_user_items, K, show_progress)


def mean_average_precision_at_k(model, train_user_items, test_user_items, K=10, show_progress=True, num_threads=1):
    """MAP, each user's divided by min(K, test items)."""
    return _one("map", model, train_user_items, test_user_items, K, show_progress)


def ndcg_at_k(model, train_user_items, test_user_items, K=10, show_progress=True, num_threads=1):
    """NDCG, the ideal list as long as min(K, test items)."""
    return _one("ndcg", model, train_user_items, test_user_items, K, show_progress)


def AUC_at_k(model, train_user_items, test_user_items, K=10, show_progress=True, num_threads=1):
    """The area under the curve, what is not among the first K ranked at random."""
    return _one("auc", model, train_user_items, test_user_items, K, show_progress)


def _one(name, model, train, test, K, show_progress):
    return ranking_metrics_at_k(model, train, test, K, show_progress)[name]
