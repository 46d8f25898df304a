"""Evaluator: ranking metrics of the library, from the places that a model's rankCol tells."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
from pyspark.ml.evaluation import Evaluator
from pyspark.ml.param import TypeConverters
from pyspark.ml.util import DefaultParamsReadable, DefaultParamsWritable
from pyspark.sql import functions as F

from .. import _core
from ._params import add_accessors, param


class RankingEvaluator(Evaluator, DefaultParamsReadable, DefaultParamsWritable):
    """The mean over users of a metric such as ndcg@10, all items ranked.

    It reads what ``transform`` gives if ``rankCol`` is set: a row for each held-out pair, with its place.
    """

    metricName = param("metricName", "a metric of the library and its cut-off, such as ndcg@10", TypeConverters.toString)
    userCol = param("userCol", "column of user ids", TypeConverters.toString)
    itemCol = param("itemCol", "column of item ids", TypeConverters.toString)
    rankCol = param("rankCol", "column of places, from 1; null: further down", TypeConverters.toString)

    def __init__(self, **params):
        super().__init__()
        self._setDefault(metricName="ndcg@10", userCol="user", itemCol="item", rankCol="rank")
        self._set(**params)

    def isLargerBetter(self) -> bool:
        return True

    def _evaluate(self, dataset) -> float:
        metric = self.getMetricName()
        _core.check_metric(metric)
        pairs = dataset.select(
            F.col(self.getUserCol()).alias("user"),
            F.col(self.getItemCol()).alias("item"),
            F.col(self.getRankCol()).cast("int").alias("rank"),
        ).distinct()
        users = pairs.groupBy("user").agg(
            F.collect_list("rank").alias("ranks"), F.count(F.lit(1)).cast("int").alias("held_out")
        )

        def measure(batches):
            for batch in batches:
                ranks = batch["ranks"]
                offsets = ranks.offsets.to_numpy().astype(np.int64)
                flat = ranks.values.to_numpy(zero_copy_only=False).astype(np.int32)
                values = _core.metric_values(metric, offsets, flat, batch["held_out"].to_numpy())
                yield pa.RecordBatch.from_arrays([pa.array(values)], names=["value"])

        found = users.select("ranks", "held_out").mapInArrow(measure, "value double").agg(F.avg("value")).first()[0]
        return float("nan") if found is None else found


add_accessors(RankingEvaluator)
