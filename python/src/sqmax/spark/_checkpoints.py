"""Checkpoints: Q after each sweep, on any file system that Spark writes to."""

from __future__ import annotations

import hashlib
import json

import numpy as np
from pyspark.sql import functions as F

from ._passes import ItemVectors
from ._pieces import joined, pieces_of


def fingerprint(law: list, rank: int, seed: int, item_degrees: np.ndarray, user_degrees: dict, hashed: int) -> str:
    """The same for the same data, loss, options, rank and seed; hashed: that of the histories."""
    digest = hashlib.sha256(json.dumps([law, rank, seed, sorted(user_degrees.items()), hashed]).encode())
    digest.update(np.ascontiguousarray(item_degrees).tobytes())
    return digest.hexdigest()[:16]


class Checkpoints:
    """A folder `<fingerprint>-<sweep>` after each sweep, the last two of them. Without a folder: nothing."""

    def __init__(self, spark, folder: str, identity: str):
        self.spark, self.folder, self.identity = spark, folder, identity

    def path(self, steps: int) -> str:
        return f"{self.folder.rstrip('/')}/{self.identity}-{steps:04d}"

    def save(self, steps: int, residual: float, sent: ItemVectors) -> None:
        if not self.folder:
            return
        told = [F.lit(steps).cast("int").alias("steps"), F.lit(float(residual)).alias("residual")]
        frame = pieces_of(self.spark, sent).select("*", *told)
        frame.write.mode("overwrite").parquet(self.path(steps))
        self._delete(steps - 2)

    def load(self, start: np.ndarray, most: int):
        """(sweeps, residual, Q) of the last whole checkpoint within `most` sweeps, or the start."""
        for path in reversed(self._whole() if self.folder else []):
            rows = self.spark.read.parquet(path).collect()
            Q = joined(rows, "vectors", np.float32)
            if Q.size == start.size and rows[0].steps <= most:
                return rows[0].steps, rows[0].residual, Q.reshape(start.shape)
        return 0, float("nan"), start

    def _system(self):
        path = self.spark._jvm.org.apache.hadoop.fs.Path(self.folder)
        return path.getFileSystem(self.spark._jsc.hadoopConfiguration())

    def _whole(self) -> list:
        """Folders that were written to the end, by sweep."""
        to_path = self.spark._jvm.org.apache.hadoop.fs.Path
        found = self._system().globStatus(to_path(f"{self.folder.rstrip('/')}/{self.identity}-*/_SUCCESS"))
        return sorted(status.getPath().getParent().toString() for status in (found or []))

    def _delete(self, steps: int) -> None:
        if steps > 0:
            self._system().delete(self.spark._jvm.org.apache.hadoop.fs.Path(self.path(steps)), True)
