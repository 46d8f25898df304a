"""Learned: all that a model is made of, on the driver and in DataFrames."""

from __future__ import annotations

import weakref
from collections import deque
from dataclasses import dataclass

import numpy as np
from pyspark.sql import DataFrame, SparkSession

from .. import _core
from ._passes import ItemVectors, Plan, ranges_of


@dataclass
class Declared:
    """What a loss says about the data: see declare in the library."""

    loss: str
    options: dict
    law: list
    user_weight: float
    item_weight: float
    uses_prior: bool

    @classmethod
    def of(cls, loss: str, settings: dict, user_degrees: dict, item_degrees: np.ndarray) -> Declared:
        degrees = sorted(user_degrees)
        rows = np.array([user_degrees[degree] for degree in degrees], np.int64)
        return cls(loss, **_core.declare(loss, settings, np.array(degrees, np.int32), rows, item_degrees))


class Items:
    """The items' half of a sweep, on the driver, range by range."""

    def __init__(self, declared: Declared, degrees: np.ndarray, rank: int, most_bytes: int):
        self.side = _core.ItemSide(declared.law, declared.user_weight, degrees)
        self.plan = Plan(declared.law, declared.item_weight, len(degrees), ranges_of(len(degrees), rank, most_bytes))

    def send(self, context, Q: np.ndarray) -> ItemVectors:
        """Q to the executors, with its sums."""
        sums = [self.side.sums(begin, Q[begin:end]) for begin, end in self.plan.ranges]
        gram, lean = sums[0]
        for more_gram, more_lean in sums[1:]:
            gram, lean = gram + more_gram, lean + more_lean
        return ItemVectors(context, self.plan, Q, gram, lean)

    def solve(self, pushed: list, gram: np.ndarray, lean: np.ndarray) -> np.ndarray:
        """Q from the sums over users; pushed is used up."""
        Q = np.empty((self.plan.item_count, len(lean)), np.float32)
        for begin, end in self.plan.ranges:
            Q[begin:end] = self.side.solve(begin, pushed.pop(0), gram, lean)
        return Q


# What Spark caches for models that nobody has any more. Python may collect them anywhere, even amid a call to Java, so
# that a collector only writes down what the next fit lets go.
LEFT = deque()


def release_left() -> None:
    while True:
        try:
            kept = LEFT.popleft()
        except IndexError:  # another thread may have had the last one
            return
        for frame in kept:
            if frame.sparkSession.sparkContext._jsc is not None:  # not stopped
                frame.unpersist()


@dataclass
class Learned:
    spark: SparkSession
    declared: Declared
    items: DataFrame  # id, index
    blocks: DataFrame  # users, indptr, indices
    kept: list  # DataFrames that Spark caches for them
    item_degrees: np.ndarray
    Q: np.ndarray
    sweeps: int
    item_block_bytes: int
    vectors: ItemVectors | None = None  # Q, if it was sent

    def __post_init__(self):
        self.sides = Items(self.declared, self.item_degrees, self.Q.shape[1], self.item_block_bytes)
        if self.vectors is None:
            self.vectors = self.sides.send(self.context, self.Q)
        weakref.finalize(self, LEFT.append, self.kept).atexit = False

    @property
    def context(self):
        return self.spark.sparkContext

    def scaling(self) -> tuple:
        """Scale and bias of each item's score; empty: 1 and 0."""
        if not self.declared.uses_prior:
            return np.empty(0, np.float32), np.empty(0, np.float32)
        return self.sides.side.scaling(self.declared.options.get("blend", 1.0))
