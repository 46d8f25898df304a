"""Models: what a fit learned, as DataFrames and as answers."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
from pyspark.ml import Model
from pyspark.ml.util import MLReadable, MLWritable
from pyspark.sql import DataFrame
from pyspark.sql import functions as F
from pyspark.sql.types import ArrayType, FloatType, StructField, StructType
from pyspark.storagelevel import StorageLevel

from . import _answers
from ._params import PredictionParams, at_least
from ._passes import ItemVectors


class SeparableModel(Model, PredictionParams, MLWritable, MLReadable):
    """What the models of all separable losses have in common."""

    loss: str = ""

    def __init__(self):
        super().__init__()
        self._set_answer_defaults()

    def _take(self, learned) -> SeparableModel:
        """learned: see Learned in _learned.py."""
        self._learned = learned
        self._serving = None
        self._users = vectors_of_users(learned.blocks, learned.vectors)
        return self

    @property
    def rank(self) -> int:
        """The length of the vectors."""
        return self._learned.Q.shape[1]

    @property
    def sweeps(self) -> int:
        """How many sweeps the fit made."""
        return self._learned.sweeps

    @property
    def userFactors(self) -> DataFrame:
        """DataFrame of id and features, a row for each user."""
        return self._users

    @property
    def itemFactors(self) -> DataFrame:
        """DataFrame of id and features, a row for each item."""
        return vectors_of_items(self._learned.items, self._learned.vectors)

    def persist(self) -> SeparableModel:
        """Keeps the users' vectors, made by one pass over the data."""
        if not any(frame is self._users for frame in self._learned.kept):
            self._learned.kept.append(self._users)
        self._users.persist(StorageLevel.MEMORY_AND_DISK).count()
        return self

    def unpersist(self) -> SeparableModel:
        """Lets go what Spark keeps for it; answers then cost a pass over the original data."""
        for frame in self._learned.kept:
            frame.unpersist()
        return self

    # Scores

    def _transform(self, dataset: DataFrame) -> DataFrame:
        user, item = self.getUserCol(), self.getItemCol()
        drops_unknown = self._drops_unknown()
        known_users = self._users.select(F.col("id").alias("__user"), F.col("features").alias("__features"))
        known_items = self._learned.items.select(F.col("id").alias("__item"), F.col("index").alias("__index"))
        joined = dataset.join(known_users, dataset[user] == F.col("__user"), "left")
        joined = joined.join(known_items, dataset[item] == F.col("__item"), "left")
        score = _answers.score_column(self._answering(), F.col("__features"), F.col("__index"))
        scored = joined.withColumn(self.getPredictionCol(), score)
        scored = scored.drop("__user", "__features", "__item", "__index")
        if self.getRankCol():
            scored = self._with_ranks(scored)
        return scored.where(~F.isnan(self.getPredictionCol())) if drops_unknown else scored

    def _with_ranks(self, scored: DataFrame) -> DataFrame:
        user, item = self.getUserCol(), self.getItemCol()
        lists = self.recommendForUserSubset(scored, self.getRankDepth())
        places = lists.select(F.col(user).alias("__user"), F.posexplode("recommendations").alias("__place", "__entry"))
        places = places.select(
            "__user", F.col(f"__entry.{item}").alias("__item"), (F.col("__place") + 1).alias(self.getRankCol())
        )
        same = (scored[user] == places["__user"]) & (scored[item] == places["__item"])
        return scored.join(places, same, "left").drop("__user", "__item")

    # Lists

    def recommendForAllUsers(self, numItems: int) -> DataFrame:
        """The best items of every user, as Spark's ALS gives them."""
        at_least(1, "numItems", numItems)
        found = self._learned
        return _answers.lists_of_all(
            found.blocks, self._answering(), numItems, self.getFilterSeen(), self._list_schema()
        )

    def recommendForUserSubset(self, dataset: DataFrame, numItems: int) -> DataFrame:
        """The best items of the users of a DataFrame; those who are not known are left out."""
        at_least(1, "numItems", numItems)
        wanted = dataset.select(F.col(self.getUserCol()).alias("id")).dropna().distinct()
        histories = _answers.histories_of(self._learned.blocks).join(wanted, "id", "left_semi")
        return _answers.lists_of_some(
            histories, self._answering(), numItems, self.getFilterSeen(), self._list_schema()
        )

    def recommendForAllItems(self, numUsers: int) -> DataFrame:
        """The best users of every item."""
        return self._lists_of_items(self._learned.items, numUsers)

    def recommendForItemSubset(self, dataset: DataFrame, numUsers: int) -> DataFrame:
        """The best users of the items of a DataFrame; those that are not known are left out."""
        wanted = dataset.select(F.col(self.getItemCol()).alias("id")).dropna().distinct()
        return self._lists_of_items(self._learned.items.join(wanted, "id", "left_semi"), numUsers)

    def _lists_of_items(self, items: DataFrame, count: int) -> DataFrame:
        at_least(1, "numUsers", count)
        best = _answers.users_of_items(self._learned.blocks, self._answering(), count, self.getFilterSeen())
        best = best.join(F.broadcast(items.select("index")), "index", "left_semi")
        return _answers.lists_of_items(best, items, count, self.getItemCol(), self.getUserCol())

    def _list_schema(self) -> StructType:
        id_type = self._learned.blocks.schema["users"].dataType.elementType
        item_type = self._learned.items.schema["id"].dataType
        return _answers.list_schema(StructField(self.getUserCol(), id_type), self.getItemCol(), item_type)

    def _answering(self) -> _answers.Serving:
        if self._serving is None:
            found = self._learned
            ids = _answers.ids_by_index(found.items)
            self._serving = _answers.Serving(found.context, found.vectors, found.scaling(), ids)
        return self._serving

    # Files

    def write(self):
        """A folder on any file system of Spark; also ``model.save(path)``."""
        from ._files import ModelWriter

        return ModelWriter(self)

    @classmethod
    def read(cls):
        """Reads what write has written; also ``RGpModel.load(path)``."""
        from ._files import ModelReader

        return ModelReader(cls)

    def exportModel(self, path: str, like: str | None = None) -> None:
        """A .safetensors model on the driver's disk, which the program and ``sqmax.load`` read.

        like : path of a dataset that ``sqmax prepare`` wrote
            Users and items get its order, so that ``sqmax evaluate`` can measure the model on it.
        """
        from ._export import export_model

        export_model(self._learned, self.loss, path, like)


def vector_schema(id_type) -> StructType:
    return StructType([StructField("id", id_type), StructField("features", ArrayType(FloatType(), False))])


def vector_lists(vectors: np.ndarray) -> pa.ListArray:
    """Rows of a matrix as an Arrow array of lists."""
    offsets = np.arange(0, vectors.size + 1, vectors.shape[1], dtype=np.int32)
    return pa.ListArray.from_arrays(pa.array(offsets), pa.array(np.ascontiguousarray(vectors).ravel()))


def vectors_of_users(blocks: DataFrame, items: ItemVectors) -> DataFrame:
    """Every user's vector, by one pass."""
    plan = items.plan

    def solve(batches):
        for batch in batches:
            for row in range(batch.num_rows):
                part = plan.part(batch["indptr"][row].as_py(), batch["indices"][row].as_py())
                items.solve([part])
                users, vectors = batch["users"][row].values, part.vectors()
                for begin in range(0, len(users), _answers.ROWS_AT_ONCE):
                    chosen = slice(begin, begin + _answers.ROWS_AT_ONCE)
                    yield pa.RecordBatch.from_arrays(
                        [users[chosen], vector_lists(vectors[chosen])], names=["id", "features"]
                    )

    return blocks.mapInArrow(solve, vector_schema(blocks.schema["users"].dataType.elementType))


def vectors_of_items(frame: DataFrame, items: ItemVectors) -> DataFrame:
    """The vectors of items by their index."""

    def look_up(batches):
        whole = None
        for batch in batches:
            if batch.num_rows:
                whole = items.whole() if whole is None else whole
                chosen = whole[batch["index"].to_numpy()]
                yield pa.RecordBatch.from_arrays([batch["id"], vector_lists(chosen)], names=["id", "features"])

    return frame.select("id", "index").mapInArrow(look_up, vector_schema(frame.schema["id"].dataType))
