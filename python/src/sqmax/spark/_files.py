"""Files: a model as a folder of Parquet tables and metadata.

    metadata                 format, params, loss, law, sweeps
    userFactors, itemFactors id, features: what Spark's ALS writes, for others to read
    items, vectors, blocks   what is read again
"""

from __future__ import annotations

from dataclasses import asdict

import numpy as np
from pyspark.ml.util import DefaultParamsReader, DefaultParamsWriter, MLReader, MLWriter
from pyspark.storagelevel import StorageLevel

from ._learned import Declared, Learned, release_left
from ._passes import send
from ._pieces import joined, pieces_of

FORMAT = 1


def check_format(metadata: dict, path: str) -> None:
    """Folders from before there was a number are of format 1."""
    found = metadata.get("format", 1)
    if found != FORMAT:
        raise ValueError(f"{path} is a model of format {found}, and this sqmax reads format {FORMAT}.")


class ModelWriter(MLWriter):
    def __init__(self, model):
        super().__init__()
        self.model = model

    def saveImpl(self, path: str) -> None:
        found = self.model._learned
        extra = {
            "format": FORMAT,
            "declared": asdict(found.declared),
            "sweeps": found.sweeps,
            "rank": self.model.rank,
            "itemBlockBytes": found.item_block_bytes,
        }
        DefaultParamsWriter.saveMetadata(self.model, path, self.sc, extraMetadata=extra)
        self.model.userFactors.write.parquet(f"{path}/userFactors")
        self.model.itemFactors.write.parquet(f"{path}/itemFactors")
        found.items.write.parquet(f"{path}/items")
        found.blocks.write.parquet(f"{path}/blocks")
        degrees = send(self.sc, found.item_degrees)
        try:
            pieces_of(self.sparkSession, found.vectors, degrees=degrees).write.parquet(f"{path}/vectors")
        finally:
            degrees.destroy()


class ModelReader(MLReader):
    def __init__(self, cls):
        super().__init__()
        self.cls = cls

    def load(self, path: str):
        release_left()
        metadata = DefaultParamsReader.loadMetadata(path, self.sc, f"{self.cls.__module__}.{self.cls.__name__}")
        check_format(metadata, path)
        read = self.sparkSession.read.parquet
        rows = read(f"{path}/vectors").collect()
        Q, degrees = joined(rows, "vectors", np.float32), joined(rows, "degrees", np.int32)
        blocks = read(f"{path}/blocks").persist(StorageLevel.MEMORY_AND_DISK)
        learned = Learned(
            self.sparkSession,
            Declared(**metadata["declared"]),
            read(f"{path}/items"),
            blocks,
            [blocks],
            degrees,
            Q.reshape(-1, metadata["rank"]),
            metadata["sweeps"],
            metadata["itemBlockBytes"],
        )
        model = self.cls()
        model._resetUid(metadata["uid"])
        DefaultParamsReader.getAndSetParams(model, metadata)
        model._take(learned)
        model._users = read(f"{path}/userFactors")
        return model
