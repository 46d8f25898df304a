"""Files of models: paths, file objects, bytes."""

from __future__ import annotations

import os
import tempfile

from . import _core


def write_model(fitted: _core.Fitted, target):
    """To a path, to a file object, or, without one, as bytes."""
    if isinstance(target, (str, os.PathLike)):
        fitted.save(os.fspath(target))
        return None
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "model.safetensors")
        fitted.save(path)
        with open(path, "rb") as file:
            content = file.read()
    if target is None:
        return content
    target.write(content)
    return None


def read_model(source, mmap: bool) -> _core.Fitted:
    """From a path, a file object or bytes."""
    if isinstance(source, (str, os.PathLike)):
        return _core.Fitted.load(os.fspath(source), bool(mmap))
    content = source if isinstance(source, bytes) else source.read()
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "model.safetensors")
        with open(path, "wb") as file:
            file.write(content)
        return _core.Fitted.load(path, False)
