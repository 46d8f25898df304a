"""Pieces: vectors of items as rows of a table. Executors cut them out of what was broadcast; tasks carry numbers alone.

    begin, vectors, ...   position of the first item, bytes of the vectors of up to PIECE items, and of what else they have
"""

from __future__ import annotations

import numpy as np
import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession

from ._passes import ItemVectors, received

PIECE = 4096


def pieces_of(spark: SparkSession, items: ItemVectors, **more) -> DataFrame:
    """more: arrays that were sent, with an entry for each item, by the names of their columns."""
    ranges = items.plan.ranges

    def cut(batches):
        for batch in batches:
            for number in batch["id"].to_pylist():
                yield from cut_range(number)
                items.let_go(number)

    def cut_range(number):
        begin, end = ranges[number]
        vectors = received(items.broadcasts[number])
        for first in range(begin, end, PIECE):
            last = min(first + PIECE, end)
            parts = [vectors[first - begin : last - begin], *(received(sent)[first:last] for sent in more.values())]
            columns = [pa.array([part.tobytes()], pa.binary()) for part in parts]
            names = ["begin", "vectors", *more]
            yield pa.RecordBatch.from_arrays([pa.array([first], pa.int32()), *columns], names=names)

    schema = ", ".join(["begin int", "vectors binary", *(f"{name} binary" for name in more)])
    tasks = min(len(ranges), spark.sparkContext.defaultParallelism)
    return spark.range(0, len(ranges), 1, tasks).mapInArrow(cut, schema)


def joined(rows: list, name: str, kind) -> np.ndarray:
    """A column of pieces, collected in any order, as one array."""
    ordered = sorted(rows, key=lambda row: row["begin"])
    return np.concatenate([np.frombuffer(row[name], kind) for row in ordered])
