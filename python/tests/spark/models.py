"""Data and models that tests of sqmax.spark compare."""

import numpy as np
import pandas
import scipy.sparse

import sqmax


class Data:
    """Pairs of ids, and the same as a DataFrame."""

    def __init__(self, spark, users, items):
        self.users, self.items = np.asarray(users), np.asarray(items)
        self.frame = spark.createDataFrame(pandas.DataFrame({"user": self.users, "item": self.items})).cache()

    def matrix(self, user_order, item_order) -> scipy.sparse.csr_matrix:
        """Rows and columns in the order of ids that is given."""
        rows = positions(user_order, self.users)
        cols = positions(item_order, self.items)
        ones = np.ones(len(rows), np.float32)
        made = scipy.sparse.csr_matrix((ones, (rows, cols)), (len(user_order), len(item_order)))
        made.data[:] = 1.0
        return made


def positions(order, ids) -> np.ndarray:
    place = {name: position for position, name in enumerate(order)}
    return np.array([place[name] for name in ids])


def tasteful_pairs(users: int, items: int, seed: int = 0):
    """Users of four tastes, with ids that are words; everybody has something, some have much."""
    random = np.random.default_rng(seed)
    taste = random.integers(4, size=users)
    likes = np.where(taste[:, None] == np.arange(items) % 4, 0.3, 0.03) * random.uniform(0.3, 1.5, (users, 1))
    chosen = random.random((users, items)) < likes
    chosen[np.arange(users), random.integers(items, size=users)] = True
    rows, cols = np.nonzero(chosen)
    return [f"user {row}" for row in rows], [f"item {col}" for col in cols]


def learned(model):
    """(ids of users, P, ids of items, Q), items by their index."""
    users = sorted(model.userFactors.collect(), key=lambda row: row["id"])
    index = {row["id"]: row["index"] for row in model._learned.items.collect()}
    items = sorted(model.itemFactors.collect(), key=lambda row: index[row["id"]])
    P = np.array([row["features"] for row in users], np.float32)
    Q = np.array([row["features"] for row in items], np.float32)
    return [row["id"] for row in users], P, [row["id"] for row in items], Q


def one_machine(model, data, **params):
    """The model that one machine learns from the same pairs, users and items in the order of learned()."""
    users, _, items, _ = learned(model)
    made = getattr(sqmax, type(model).__name__.removesuffix("Model"))(
        factors=model.rank, iterations=model.sweeps, solver="spectral", tolerance=0.0, links=0, **params
    )
    return made.fit(data.matrix(users, items), show_progress=False)


def assert_close(actual, expected, tolerance=2e-5):
    scale = np.abs(expected).max()
    assert scale > 0
    assert np.abs(np.asarray(actual) - expected).max() <= tolerance * scale
