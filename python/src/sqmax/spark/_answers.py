"""Answers: scores of pairs and ranked lists, computed where the data is."""

from __future__ import annotations

from typing import Iterator, Tuple

import numpy as np
import pandas as pd
import pyarrow as pa
from pyspark.sql import DataFrame, Window
from pyspark.sql import functions as F
from pyspark.sql.types import ArrayType, BinaryType, FloatType, IntegerType, StructField, StructType

from .. import _core
from ._passes import ItemVectors, own_threads, received, send


class Serving:
    """Items as executors need them to score: vectors, scales, ids."""

    def __init__(self, context, items: ItemVectors, scaling: tuple, ids: pa.Array):
        self.items = items
        self.scaling_sent = [send(context, values) for values in scaling]
        self.ids_sent = context.broadcast(to_bytes(ids))

    def scorer(self) -> _core.ItemScorer:
        return _core.ItemScorer(self.items.whole(), *self.scaling())

    def scaling(self) -> tuple:
        """Scale and bias of each item; empty: 1 and 0."""
        return tuple(received(sent) for sent in self.scaling_sent)

    def ids(self) -> pa.Array:
        return from_bytes(self.ids_sent.value)


def to_bytes(ids: pa.Array) -> bytes:
    batch = pa.RecordBatch.from_arrays([ids], names=["id"])
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, batch.schema) as stream:
        stream.write_batch(batch)
    return sink.getvalue().to_pybytes()


def from_bytes(data: bytes) -> pa.Array:
    return pa.ipc.open_stream(data).read_all().column("id").combine_chunks()


def ids_by_index(items: DataFrame) -> pa.Array:
    """All ids, by index."""
    schema = StructType([StructField("ids", BinaryType()), StructField("index", BinaryType())])

    def pack(batches):
        for batch in batches:
            if batch.num_rows:
                index = batch["index"].to_numpy().astype(np.int32).tobytes()
                yield pa.RecordBatch.from_arrays(
                    [pa.array([to_bytes(batch["id"])], pa.binary()), pa.array([index], pa.binary())],
                    names=["ids", "index"],
                )

    rows = items.select("id", "index").mapInArrow(pack, schema).collect()
    ids = pa.concat_arrays([from_bytes(bytes(row["ids"])) for row in rows])
    index = np.concatenate([np.frombuffer(row["index"], np.int32) for row in rows])
    return ids.take(pa.array(np.argsort(index)))


# Lists of users


def list_schema(user_field: StructField, item: str, item_type) -> StructType:
    """What Spark's ALS gives: the id, and an array of (other id, rating)."""
    entry = StructType([StructField(item, item_type), StructField("rating", FloatType())])
    return StructType([user_field, StructField("recommendations", ArrayType(entry))])


def list_batch(users: pa.Array, places: np.ndarray, scores: np.ndarray, ids: pa.Array, schema) -> pa.RecordBatch:
    """Lists of positions and scores, -1 where there is none, with the ids that the positions stand for."""
    kept = places >= 0
    offsets = np.concatenate([[0], np.cumsum(kept.sum(axis=1))]).astype(np.int32)
    names = schema["recommendations"].dataType.elementType.names
    entries = pa.StructArray.from_arrays(
        [ids.take(pa.array(places[kept])), pa.array(scores[kept], pa.float32())], names=names
    )
    lists = pa.ListArray.from_arrays(pa.array(offsets), entries)
    return pa.RecordBatch.from_arrays([users, lists], names=schema.names)


ROWS_AT_ONCE = 1 << 14  # lists of a batch that goes back to Spark


def lists_of_parts(parts, serving: Serving, k: int, leave_out: bool, schema):
    """parts: pairs of ids of users, and their UserPart."""
    scorer = ids = None
    for users, part in parts:
        if scorer is None:
            scorer, ids = serving.scorer(), serving.ids()
        serving.items.solve([part])
        places, scores = part.best_items(scorer, k, leave_out, own_threads())
        for begin in range(0, len(users), ROWS_AT_ONCE):
            chosen = slice(begin, begin + ROWS_AT_ONCE)
            yield list_batch(users[chosen], places[chosen], scores[chosen], ids, schema)


def lists_of_all(blocks: DataFrame, serving: Serving, k: int, leave_out: bool, schema) -> DataFrame:
    plan = serving.items.plan

    def rank(batches):
        parts = (
            (batch["users"][row].values, plan.part(batch["indptr"][row].as_py(), batch["indices"][row].as_py()))
            for batch in batches
            for row in range(batch.num_rows)
        )
        yield from lists_of_parts(parts, serving, k, leave_out, schema)

    return blocks.mapInArrow(rank, schema)


def histories_of(blocks: DataFrame) -> DataFrame:
    """A row for each user: id, and the indices of its items as bytes."""
    schema = StructType([StructField("id", blocks.schema["users"].dataType.elementType), StructField("items", BinaryType())])

    def unpack(batches):
        for batch in batches:
            for row in range(batch.num_rows):
                users = batch["users"][row].values
                offsets = 4 * np.frombuffer(batch["indptr"][row].as_buffer(), np.int64)
                for begin in range(0, len(users), ROWS_AT_ONCE):
                    end = min(begin + ROWS_AT_ONCE, len(users))
                    inside = batch["indices"][row].as_buffer()[int(offsets[begin]) : int(offsets[end])]
                    own = pa.py_buffer((offsets[begin : end + 1] - offsets[begin]).astype(np.int32))
                    items = pa.Array.from_buffers(pa.binary(), end - begin, [None, own, inside])
                    yield pa.RecordBatch.from_arrays([users[begin:end], items], names=["id", "items"])

    return blocks.mapInArrow(unpack, schema)


def lists_of_some(histories: DataFrame, serving: Serving, k: int, leave_out: bool, schema) -> DataFrame:
    """Of rows (id, items)."""
    plan = serving.items.plan

    def part_of(batch):
        items = batch["items"]
        indptr = np.frombuffer(items.buffers()[1], np.int32)[items.offset : items.offset + len(items) + 1]
        inside = bytes(items.buffers()[2])[indptr[0] : indptr[-1]]
        return plan.part(((indptr - indptr[0]) // 4).astype(np.int64).tobytes(), inside)

    def rank(batches):
        parts = ((batch["id"], part_of(batch)) for batch in batches if batch.num_rows)
        yield from lists_of_parts(parts, serving, k, leave_out, schema)

    return histories.mapInArrow(rank, schema)


# Lists of items


def users_of_items(blocks: DataFrame, serving: Serving, k: int, leave_out: bool) -> DataFrame:
    """For each item the best users of each block: index, user, rating."""
    plan = serving.items.plan
    id_type = blocks.schema["users"].dataType.elementType
    schema = StructType(
        [StructField("index", IntegerType()), StructField("user", id_type), StructField("rating", FloatType())]
    )

    def rank(batches):
        for batch in batches:
            for row in range(batch.num_rows):
                users = batch["users"][row].values
                part = plan.part(batch["indptr"][row].as_py(), batch["indices"][row].as_py())
                serving.items.solve([part])
                yield from best_of(users, part)

    def best_of(users, part):
        scale, bias = serving.scaling()
        for begin, vectors in serving.items.each():
            places, scores = part.best_users(begin, vectors, k, leave_out, own_threads())
            item, place = np.nonzero(places >= 0)
            index = (begin + item).astype(np.int32)
            rating = scores[item, place]
            if len(scale):
                rating = scale[index] * rating + bias[index]
            who = users.take(pa.array(places[item, place]))
            yield pa.RecordBatch.from_arrays(
                [pa.array(index), who, pa.array(rating, pa.float32())], names=["index", "user", "rating"]
            )

    return blocks.mapInArrow(rank, schema)


def lists_of_items(best: DataFrame, items: DataFrame, k: int, item: str, user: str) -> DataFrame:
    """The best of all blocks, with the ids of items."""
    order = Window.partitionBy("index").orderBy(F.desc("rating"), F.asc("user"))
    first = best.withColumn("place", F.row_number().over(order)).where(F.col("place") <= k)
    entry = F.struct("place", F.col("user").alias(user), "rating")
    lists = first.groupBy("index").agg(F.sort_array(F.collect_list(entry)).alias("found"))
    without_place = F.transform("found", lambda e: F.struct(e[user].alias(user), e["rating"].alias("rating")))
    named = lists.join(items, "index")
    return named.select(F.col("id").alias(item), without_place.alias("recommendations"))


# Scores of pairs


def score_column(serving: Serving, features, index):
    """The score of a user's vector and an item's position; NaN where one of them is null."""

    @F.pandas_udf("float")
    def score(batches: Iterator[Tuple[pd.Series, pd.Series]]) -> Iterator[pd.Series]:
        return scores_of_pairs(batches, serving)

    return F.coalesce(score(features, index), F.lit(float("nan")).cast("float"))  # pandas calls NaN a null


def scores_of_pairs(batches, serving: Serving):
    """Of each batch of (vectors, places); all items are taken once."""
    Q = None
    for vectors, places in batches:
        made = np.full(len(places), np.nan, np.float32)
        known = (vectors.notna() & places.notna()).to_numpy()
        if known.any():
            Q = serving.items.whole() if Q is None else Q
            P = np.stack(vectors[known].to_numpy()).astype(np.float32)
            chosen = places[known].to_numpy().astype(np.int32)
            made[known] = _core.pair_scores(P, chosen, Q, *serving.scaling())
        yield pd.Series(made)
