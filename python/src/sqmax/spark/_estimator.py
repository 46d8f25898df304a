"""Estimators: a fit as Spark jobs. The driver holds what is of the size of the items, never of the users."""

from __future__ import annotations

import numpy as np
from pyspark.ml import Estimator
from pyspark.ml.util import DefaultParamsReadable, DefaultParamsWritable

from .. import _core
from ._blocks import blocks_of, numbered_items, pairs_of, warn_of_nulls, without_nulls
from ._checkpoints import Checkpoints, fingerprint
from ._learned import Declared, Items, Learned, release_left
from ._params import FitParams, at_least, settings_of
from ._passes import degree_pass, matrices_of, sweep_pass


class SeparableEstimator(Estimator, FitParams, DefaultParamsReadable, DefaultParamsWritable):
    """What the estimators of all separable losses have in common."""

    loss: str = ""
    model_class: type = None

    def __init__(self, **params):
        super().__init__()
        self._set_fit_defaults(self.loss)
        self.setParams(**params)

    def setParams(self, **params):
        """Sets params by name."""
        for name in params:
            if not self.hasParam(name):
                known = ", ".join(sorted(p.name for p in self.params))
                raise TypeError(f"{type(self).__name__} has no param {name!r}; it has {known}.")
        return self._set(**params)

    def _fit(self, dataset):
        release_left()
        model = self.model_class()
        model._resetUid(self.uid)
        self._copyValues(model)
        return model._take(Fit(self, dataset).run()).persist()

    def _rating(self, dataset) -> str | None:
        name = self.getRatingCol()
        if name in dataset.columns:
            return name
        if self.isSet(self.ratingCol) and name:
            raise ValueError(f"There is no column {name!r} of ratings; set ratingCol to '' if there are none.")
        return None


class Fit:
    """One fit, from a DataFrame to what is learned from it."""

    def __init__(self, estimator: SeparableEstimator, dataset):
        self.estimator = estimator
        self.dataset = dataset
        self.spark = dataset.sparkSession
        self.context = self.spark.sparkContext
        self.kept = []  # what Spark caches
        for name, least in (("rank", 1), ("maxIter", 1), ("itemBlockBytes", 1), ("numUserBlocks", 0), ("rankDepth", 1)):
            at_least(least, name, estimator.getOrDefault(name))
        estimator._drops_unknown()
        self.seed = estimator.getSeed() % 2**64  # Spark's may be negative

    def run(self) -> Learned:
        try:
            return self.learn()
        except BaseException:
            for frame in self.kept:
                frame.unpersist()
            raise
        finally:
            self.context.setLocalProperty("spark.job.description", None)

    def learn(self) -> Learned:
        estimator = self.estimator
        items, blocks, item_count = self.read()
        self.tell("degrees")
        matrices = matrices_of(blocks)
        degrees, user_degrees, hashed = degree_pass(matrices, item_count)
        degrees = degrees.astype(np.int32)
        declared = Declared.of(estimator.loss, settings_of(estimator, estimator.loss), user_degrees, degrees)
        most = estimator.getItemBlockBytes()
        sides = Items(declared, degrees, estimator.getRank(), most)
        identity = fingerprint(declared.law, estimator.getRank(), self.seed, degrees, user_degrees, hashed)
        Q, sent, sweeps = self.sweep(matrices, sides, identity)
        return Learned(self.spark, declared, items, blocks, self.kept, degrees, Q, sweeps, most, sent)

    def read(self):
        estimator = self.estimator
        partitions = estimator.getNumUserBlocks() or max(1, self.context.defaultParallelism)
        rating = estimator._rating(self.dataset)
        chosen = pairs_of(
            self.dataset, estimator.getUserCol(), estimator.getItemCol(), rating, estimator.getMinRating()
        )
        pairs, seen = without_nulls(chosen)
        self.tell("items")
        items, item_count = numbered_items(pairs, partitions, self.kept)
        warn_of_nulls(seen)
        if item_count == 0:
            raise ValueError("The data has no interaction: there is nothing to learn from.")
        return items, blocks_of(pairs, items, item_count, partitions, self.kept), item_count

    def sweep(self, matrices, sides: Items, identity: str):
        """Q after the last sweep, the same as it was sent, and how many sweeps there were."""
        estimator = self.estimator
        most = estimator.getMaxIter()
        store = Checkpoints(self.spark, estimator.getCheckpointDir(), identity)
        start = _core.start_of_items(0, sides.plan.item_count, estimator.getRank(), self.seed)
        done, residual, Q = store.load(start, most)
        sent = sides.send(self.context, Q)
        try:
            while done < most and not residual <= estimator.getTol():
                done += 1
                self.tell(f"sweep {done} of {most}")
                before, Q = Q, sides.solve(*sweep_pass(matrices, sent))
                sent.forget()
                sent = sides.send(self.context, Q)  # for the checkpoint, and the next sweep or the model
                residual = _core.relative_change(before, Q)
                store.save(done, residual, sent)
        except BaseException:
            sent.forget()
            raise
        return Q, sent, done

    def tell(self, what: str) -> None:
        self.context.setLocalProperty("spark.job.description", f"sqmax {self.estimator.loss}: {what}")
