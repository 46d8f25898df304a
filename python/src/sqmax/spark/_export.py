"""Export: a model in one file, on one machine. Users pass through the driver block by block, on their way to disk."""

from __future__ import annotations

import json
import os
import tempfile

import numpy as np
import pyarrow as pa
import pyarrow.compute

from .. import _core
from ._answers import ids_by_index
from ._learned import Learned


def export_model(learned: Learned, loss: str, path: str, like: str | None) -> None:
    """See SeparableModel.exportModel."""
    folder = os.path.dirname(os.path.abspath(path))
    with tempfile.TemporaryDirectory(dir=folder, prefix=".sqmax-") as scratch:
        parts = gathered(learned, scratch)
        if like is not None:
            parts = arranged(parts, _core.Dataset.load(like), learned)
        assembled(learned, loss, parts).save(path)


def gathered(learned: Learned, scratch: str) -> dict:
    """Users in the order of the blocks; what is as long as they are is in files."""
    plan, vectors = learned.sides.plan, learned.vectors
    users = Columns(scratch, ["P", "indptr", "indices", "offsets", "text"])
    pairs = text = 0
    users.add("indptr", np.zeros(1, np.int64))
    users.add("offsets", np.zeros(1, np.int64))
    for row in learned.blocks.rdd.toLocalIterator(prefetchPartitions=True):
        part = plan.part(row.indptr, row.indices)
        part.pull(0, learned.Q, 0)
        part.solve(vectors.gram, vectors.lean, 0)
        users.add("P", part.vectors())
        users.add("indptr", np.frombuffer(row.indptr, np.int64)[1:] + pairs)
        users.add("indices", np.frombuffer(row.indices, np.int32))
        offsets, letters = text_of(pa.array(row.users))
        users.add("offsets", offsets[1:] + text)
        users.add("text", letters)
        pairs += len(row.indices) // 4
        text += len(letters)
    P = users.array("P", np.float32).reshape(-1, learned.Q.shape[1])
    matrix = (users.array("indptr", np.int64), users.array("indices", np.int32))
    seen = _core.Csr(*matrix, (len(P), plan.item_count), copy=False)
    user_ids = (users.array("offsets", np.int64), users.array("text", np.uint8))
    return {"P": P, "Q": learned.Q, "seen": seen, "users": user_ids, "items": text_of(ids_by_index(learned.items))}


class Columns:
    """Arrays that grow in files."""

    def __init__(self, folder: str, names: list):
        self.paths = {name: os.path.join(folder, name) for name in names}
        self.files = {name: open(path, "wb") for name, path in self.paths.items()}

    def add(self, name: str, values: np.ndarray) -> None:
        self.files[name].write(np.ascontiguousarray(values).data)

    def array(self, name: str, kind) -> np.ndarray:
        self.files[name].close()
        if os.path.getsize(self.paths[name]) == 0:
            return np.empty(0, kind)
        return np.memmap(self.paths[name], kind, "r")


def text_of(ids: pa.Array) -> tuple[np.ndarray, np.ndarray]:
    """Ids as the library keeps them: positions in one text."""
    strings = pa.compute.cast(ids, pa.large_string())
    _, offsets, letters = strings.buffers()
    begins = np.frombuffer(offsets, np.int64)[strings.offset : strings.offset + len(strings) + 1]
    text = np.frombuffer(letters, np.uint8)[begins[0] : begins[-1]] if letters else np.empty(0, np.uint8)
    return begins - begins[0], text


def arranged(parts: dict, dataset: _core.Dataset, learned: Learned) -> dict:
    """The same model with the users and items of a dataset, in its order; who is new has no interactions."""
    users = positions(parts["users"], dataset.users, "user")
    items = positions(parts["items"], dataset.items, "item")
    rank = learned.Q.shape[1]
    Q = np.zeros((len(dataset.items), rank), np.float32)
    Q[items] = parts["Q"]
    unknown = learned.sides.plan.part(np.zeros(2, np.int64).tobytes(), b"")
    unknown.pull(0, learned.Q, 0)
    unknown.solve(learned.vectors.gram, learned.vectors.lean, 0)
    P = np.repeat(unknown.vectors(), len(dataset.users), axis=0)
    P[users] = parts["P"]
    rows = np.repeat(users, np.diff(parts["seen"].indptr))
    seen = _core.grouped(rows, items[parts["seen"].indices], len(P), len(Q))
    texts = (pa.array(dataset.users, pa.string()), pa.array(dataset.items, pa.string()))
    return {"P": P, "Q": Q, "seen": seen, "users": text_of(texts[0]), "items": text_of(texts[1])}


def positions(ids: tuple, wanted: list, side: str) -> np.ndarray:
    """Where each id is in the dataset."""
    place = {name: position for position, name in enumerate(wanted)}
    offsets, text = ids
    letters = text.tobytes()
    names = [letters[begin:end].decode() for begin, end in zip(offsets[:-1], offsets[1:])]
    missing = next((name for name in names if name not in place), None)
    if missing is not None:
        raise ValueError(f"The dataset has no {side} {missing!r}, which the model was trained on.")
    return np.array([place[name] for name in names], np.int32)


def assembled(learned: Learned, loss: str, parts: dict) -> _core.Fitted:
    story = {"loss": loss, "options": learned.declared.options, "rank": learned.Q.shape[1], "solver": "spectral"}
    return _core.assemble(
        loss,
        learned.declared.options,
        learned.declared.law,
        parts["P"],
        parts["Q"],
        parts["seen"],
        *parts["users"],
        *parts["items"],
        json.dumps({**story, "steps": learned.sweeps}),
    )
