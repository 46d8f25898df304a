"""Datasets of sqmax as SciPy matrices (docs/file-formats.md)."""

import json
import struct

import numpy as np
from scipy.sparse import csr_matrix

TYPES = {"F32": "<f4", "I32": "<i4", "I64": "<i8", "U8": "u1"}


def load(path):
    raw = np.memmap(path, mode="r")
    start = 8 + struct.unpack("<Q", raw[:8].tobytes())[0]
    header = json.loads(raw[8:start].tobytes())
    return {name: raw[start:][slice(*t["data_offsets"])].view(TYPES[t["dtype"]]).reshape(t["shape"])
            for name, t in header.items() if name != "__metadata__"}


def parts(path):
    """train, valid and test: users × items, ones in single precision."""
    tensors = load(path)
    shape = (len(tensors["users.offsets"]) - 1, len(tensors["items.offsets"]) - 1)
    return {part: csr_matrix((np.ones(len(tensors[f"{part}.indices"]), np.float32),
                              np.array(tensors[f"{part}.indices"]),
                              np.array(tensors[f"{part}.offsets"])), shape=shape)
            for part in ("train", "valid", "test")}


def ids(path, side):
    tensors = load(path)
    text, cuts = tensors[f"{side}.text"].tobytes(), tensors[f"{side}.offsets"]
    return [text[a:b].decode() for a, b in zip(cuts, cuts[1:])]
