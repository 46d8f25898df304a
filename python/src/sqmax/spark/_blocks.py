"""Blocks: interactions of any ids as CSR matrices, a few for each partition, all of a user in one.

    items   id, index        one row for each item, numbered the same way whatever the partitions
    blocks  users, indptr, indices   ids of some users, ascending, and their items as bytes of a CSR matrix
"""

from __future__ import annotations

import warnings

import numpy as np
import pyarrow as pa
import pyarrow.compute
from pyspark.sql import DataFrame, Observation, Window
from pyspark.sql import functions as F
from pyspark.sql.types import ArrayType, BinaryType, StructField, StructType
from pyspark.storagelevel import StorageLevel

from .. import _core

BUCKETS = 256  # in which items are numbered side by side
LARGEST_BLOCK = 1 << 24  # interactions; a user with more has a block alone


def pairs_of(dataset: DataFrame, user: str, item: str, rating: str | None, least: float) -> DataFrame:
    """The columns user and item of rows that are interactions; nulls are counted in `observed`."""
    columns = [F.col(user).alias("user"), F.col(item).alias("item")]
    if rating is not None:
        columns.append(F.col(rating).alias("rating"))
    chosen = dataset.select(*columns)
    if rating is not None:  # a null is neither: it is dropped as such below
        chosen = chosen.where(F.col("rating").isNull() | ((F.col("rating") > 0) & (F.col("rating") >= least)))
    return chosen


def without_nulls(pairs: DataFrame) -> tuple[DataFrame, Observation]:
    """And how many rows had one, known after the first action."""
    is_null = F.lit(False)
    for name in pairs.columns:
        is_null = is_null | F.col(name).isNull()
    seen = Observation()
    counted = pairs.observe(seen, F.coalesce(F.sum(is_null.cast("long")), F.lit(0)).alias("nulls"))
    return counted.dropna().select("user", "item"), seen


def warn_of_nulls(seen: Observation) -> None:
    nulls = seen.get.get("nulls", 0)  # nothing was seen of an empty frame
    if nulls:
        warnings.warn(f"{nulls} rows with a null among user, item and rating were left out.", stacklevel=4)


def numbered_items(pairs: DataFrame, partitions: int, kept: list) -> tuple[DataFrame, int]:
    """Ids with positions from 0, by hash and then by id, and how many there are; what Spark caches goes to `kept`."""
    bucket = F.pmod(F.xxhash64("item"), F.lit(BUCKETS)).cast("int")
    distinct = pairs.select("item").distinct().withColumn("bucket", bucket)
    place = F.row_number().over(Window.partitionBy("bucket").orderBy("item"))
    placed = distinct.repartition(partitions, "bucket").withColumn("place", place)
    kept.append(placed.persist(StorageLevel.MEMORY_AND_DISK))
    sizes = np.zeros(BUCKETS, np.int64)
    for row in placed.groupBy("bucket").agg(F.max("place").alias("size")).collect():
        sizes[row["bucket"]] = row["size"]
    before = F.array(*[F.lit(int(offset)) for offset in np.cumsum(sizes) - sizes])
    index = (F.element_at(before, F.col("bucket") + 1) + F.col("place") - 1).cast("int")
    items = placed.select(F.col("item").alias("id"), index.alias("index"))
    return items, int(sizes.sum())


def blocks_of(pairs: DataFrame, items: DataFrame, item_count: int, partitions: int, kept: list) -> DataFrame:
    """Cached by the first action."""
    known = items.withColumnRenamed("id", "item")
    indexed = pairs.join(known, "item").select("user", "index")
    id_type = indexed.schema["user"].dataType
    schema = StructType(
        [
            StructField("users", ArrayType(id_type, containsNull=False)),
            StructField("indptr", BinaryType()),
            StructField("indices", BinaryType()),
        ]
    )

    def build(batches):
        return block_batches(batches, item_count)

    made = indexed.repartition(partitions, "user").mapInArrow(build, schema)
    kept.append(made.persist(StorageLevel.MEMORY_AND_DISK))
    return made


def block_batches(batches, item_count: int):
    """Arrow batches of (user, index), in any order, to batches of one block each."""
    batches = list(batches)
    table = pa.Table.from_batches(batches) if batches else None
    if table is None or table.num_rows == 0:
        return
    encoded = table.column("user").dictionary_encode().combine_chunks()  # text of all rows may be past 2 GiB
    cols = table.column("index").to_numpy().astype(np.int32, copy=False)
    del batches, table
    order = pa.compute.sort_indices(encoded.dictionary)
    rank = np.empty(len(order), np.int32)
    rank[order.to_numpy()] = np.arange(len(order), dtype=np.int32)
    users = encoded.dictionary.take(order)
    rows = rank[encoded.indices.to_numpy(zero_copy_only=False)]
    csr = _core.grouped(rows, cols, len(users), item_count)
    for begin, end in cuts(csr.indptr, LARGEST_BLOCK):
        yield block_batch(users[begin:end], csr.indptr[begin : end + 1], csr.indices)


def cuts(indptr: np.ndarray, largest: int):
    """Ranges of rows that have at most so many interactions, or are one row."""
    begin, rows = 0, len(indptr) - 1
    while begin < rows:
        end = int(np.searchsorted(indptr, indptr[begin] + largest, side="right")) - 1
        end = max(begin + 1, end)
        yield begin, end
        begin = end


def block_batch(users: pa.Array, indptr: np.ndarray, indices: np.ndarray) -> pa.RecordBatch:
    ids = pa.ListArray.from_arrays(pa.array([0, len(users)], pa.int32()), users)
    offsets = (indptr - indptr[0]).astype(np.int64)
    inside = indices[indptr[0] : indptr[-1]]
    return pa.RecordBatch.from_arrays(
        [ids, pa.array([offsets.tobytes()], pa.binary()), pa.array([inside.tobytes()], pa.binary())],
        names=["users", "indptr", "indices"],
    )


def matrix_of(indptr: bytes, indices: bytes, item_count: int) -> _core.Csr:
    """The matrix of a block, sharing its bytes."""
    offsets = np.frombuffer(indptr, np.int64)
    return _core.Csr(offsets, np.frombuffer(indices, np.int32), (len(offsets) - 1, item_count), copy=False)
