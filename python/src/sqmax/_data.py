"""Data: datasets from files, tables and matrices; splits and cores."""

from __future__ import annotations

import os

import numpy as np
import scipy.sparse

from . import _core
from ._listening import bar, spoken
from ._matrices import to_core, to_scipy
from ._show import table_html
from ._tables import columns_of, is_table, numbers, positions_and_ids


class Dataset:
    """Interactions in three parts, with raw ids: the file that ``sqmax prepare`` writes."""

    def __init__(self, core: _core.Dataset, findings=()):
        self._core = core
        self.findings = list(findings)  #: remarks of the data doctor, pairs (kind, sentence)

    @classmethod
    def load(cls, path) -> Dataset:
        """From a file; its arrays stay there until they are read."""
        return cls(_core.Dataset.load(os.fspath(path)))

    def save(self, path) -> None:
        """To a .safetensors file."""
        self._core.save(os.fspath(path))

    @property
    def train(self) -> scipy.sparse.csr_matrix:
        """What models learn from, users × items."""
        return to_scipy(self._core.train)

    @property
    def valid(self) -> scipy.sparse.csr_matrix:
        """What settings are chosen by."""
        return to_scipy(self._core.valid)

    @property
    def test(self) -> scipy.sparse.csr_matrix:
        """What nobody sees before the end."""
        return to_scipy(self._core.test)

    @property
    def users(self) -> list:
        """Raw ids, by position."""
        return self._core.users

    @property
    def items(self) -> list:
        """Raw ids, by position."""
        return self._core.items

    @property
    def shape(self) -> tuple:
        """Users and items."""
        return tuple(self._core.train.shape)

    def _counts(self) -> dict:
        core = self._core
        sizes = {"train": core.train.nnz, "valid": core.valid.nnz, "test": core.test.nnz}
        return {"users": self.shape[0], "items": self.shape[1], **sizes}

    def __repr__(self):
        return "Dataset(" + ", ".join(f"{name}={count}" for name, count in self._counts().items()) + ")"

    def _repr_html_(self):
        rows = [*self._counts().items(), *self.findings]
        return f"<strong>Dataset</strong>{table_html(('', ''), rows)}"


def prepare(
    source,
    *,
    user: str | None = None,
    item: str | None = None,
    rating: str | None = None,
    time: str | None = None,
    min_rating: float | None = None,
    kcore: int = 1,
    min_user: int = 1,
    min_item: int = 1,
    split: str | None = None,
    ratios=(0.8, 0.1, 0.1),
    seed: int = 0,
    show_progress: bool = False,
    **reading,
) -> Dataset:
    """A dataset from almost anything.

    Parameters
    ----------
    source
        A SciPy matrix of users × items; a pandas, polars or pyarrow table; a pair of arrays, users and
        items; or the path of a file (or a list of them) in any format that ``sqmax prepare`` reads, or
        Parquet if pyarrow is installed.
    user, item, rating, time : str, optional
        Columns by name; users and items are guessed if not given.
    min_rating : float, optional
        Rows rated lower are left out.
    kcore, min_user, min_item : int
        Users and items with fewer interactions are left out, until none is left to leave out.
    split : str, optional
        ratio (the default), leave-one-out, user-time, time, strong, given or none.
    ratios : three numbers
        Shares of training, validation and test.
    reading
        For files: format, delimiter, header, skip_bad_lines.

    >>> import numpy, sqmax
    >>> data = sqmax.prepare((["ann", "ann", "bob"], ["tea", "milk", "tea"]), split="none")
    >>> data.users, data.items, data.train.toarray().astype(int).tolist()
    (['ann', 'bob'], ['tea', 'milk'], [[1, 1], [1, 0]])
    """
    minima = (max(kcore, min_user), max(kcore, min_item))
    shares = tuple(float(share) for share in ratios)
    if len(shares) != 3:
        raise ValueError(f"ratios must be three shares: training, validation, test; {ratios!r} is not.")
    roles = {"user": user, "item": item, "rating": rating, "time": time}
    if _is_path(source):
        paths = [os.fspath(path) for path in (source if isinstance(source, (list, tuple)) else [source])]
        if not paths[0].endswith((".parquet", ".pq")):
            return _read(paths, roles, min_rating, minima, split, shares, seed, reading, show_progress)
        source = _parquet(paths)
    if reading:
        raise TypeError(f"{', '.join(reading)}: only for files.")
    columns, sizes, ids = _columns(source, roles, min_rating)
    with spoken():
        core, findings = _core.prepare(
            columns["user"], columns["item"], columns.get("time"), *ids, sizes, minima, split or "ratio", shares, seed
        )
    return Dataset(core, findings)


def _is_path(source) -> bool:
    def is_one(value):
        return isinstance(value, (str, os.PathLike))

    return is_one(source) or (isinstance(source, (list, tuple)) and len(source) > 0 and all(map(is_one, source)))


def _read(paths, roles, min_rating, minima, split, shares, seed, reading, show_progress) -> Dataset:
    for path in paths:
        if path != "-" and not os.path.exists(path):
            raise FileNotFoundError(f"There is no file {path}.")
    options = _core.ReadOptions()
    given = {**{role: name for role, name in roles.items() if name}, **reading}
    for name, value in given.items():
        if not hasattr(options, name):
            raise TypeError(f"prepare has no parameter {name!r}.")
        setattr(options, name, value)
    if min_rating is not None:
        options.min_rating = float(min_rating)
    progress = bar(None, show_progress, unit="B", unit_scale=True, desc="reading")

    def heard(_, done, total):
        if progress is not None:
            progress.total = total or None
            progress.update(done - progress.n)

    try:
        with spoken():
            core, findings = _core.read(paths, options, minima, split or "", shares, seed, heard)
    finally:
        if progress is not None:
            progress.close()
    return Dataset(core, findings)


def _parquet(paths):
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise ImportError("Reading Parquet wants pyarrow: pip install pyarrow") from None
    return pyarrow.concat_tables([pyarrow.parquet.read_table(path) for path in paths])


def _columns(source, roles, min_rating):
    if scipy.sparse.issparse(source):
        return _matrix_columns(source, min_rating)
    if is_table(source):
        columns = columns_of(source, roles)
    elif isinstance(source, (tuple, list)) and len(source) in (2, 3):
        columns = dict(zip(("user", "item", "time"), (np.asarray(column) for column in source)))
    else:
        raise ValueError(
            "Interactions are a sparse matrix, a table, a pair of arrays or the path of a file; "
            f"a {type(source).__name__} is none of them."
        )
    if len({len(column) for column in columns.values()}) != 1:
        raise ValueError("The columns differ in length.")
    if min_rating is not None:
        if "rating" not in columns:
            raise ValueError("min_rating wants the column of the rating: rating=.")
        kept = numbers(columns["rating"], "rating") >= min_rating
        columns = {role: column[kept] for role, column in columns.items()}
    users, user_ids = positions_and_ids(columns["user"], "user")
    items, item_ids = positions_and_ids(columns["item"], "item")
    made = {"user": users, "item": items}
    if "time" in columns:
        made["time"] = np.floor(numbers(columns["time"], "time")).astype(np.int64)
    return made, (len(user_ids), len(item_ids)), (user_ids, item_ids)


def _matrix_columns(matrix, min_rating):
    if min_rating is not None:
        matrix = matrix.multiply(matrix >= min_rating).tocsr()
    csr = to_core(matrix, "The matrix")
    users = np.repeat(np.arange(csr.shape[0], dtype=np.int32), np.diff(csr.indptr))
    return {"user": users, "item": np.ascontiguousarray(csr.indices)}, tuple(csr.shape), (None, None)


def split(matrix, ratios=(0.8, 0.1, 0.1), *, kind: str = "ratio", seed: int = 0):
    """Training, validation and test of a sparse matrix, of the same shape and type.

    >>> import scipy.sparse, sqmax
    >>> matrix = scipy.sparse.random(60, 40, 0.5, format="csr", random_state=1).astype(bool)
    >>> train, valid, test = sqmax.split(matrix)
    >>> train.nnz + valid.nnz + test.nnz == matrix.nnz
    True
    """
    core = to_core(matrix, "The matrix")
    with spoken():
        parts = _core.split(core, kind, tuple(float(share) for share in ratios), seed)
    if parts[3].nnz:
        raise ValueError("kind='strong' has a part more: use sqmax.prepare, which keeps it.")
    whole = matrix.tocsr()
    return tuple(_valued(part, whole) for part in parts[:3])


def _valued(part: _core.Csr, whole):
    made = to_scipy(part, dtype=bool)
    return made.multiply(whole).tocsr().astype(whole.dtype) if whole.dtype != bool else made


def kcore(matrix, k: int = 5, *, min_user: int | None = None, min_item: int | None = None):
    """The part of a matrix in which every user and item has at least k of the others.

    Returns
    -------
    matrix, users, items
        The positions of rows and columns that stay.

    >>> import scipy.sparse, sqmax
    >>> matrix = scipy.sparse.csr_matrix([[1, 1, 0], [1, 1, 0], [0, 0, 1]])
    >>> core, users, items = sqmax.kcore(matrix, 2)
    >>> core.toarray().tolist(), users.tolist(), items.tolist()
    ([[1, 1], [1, 1]], [0, 1], [0, 1])
    """
    minima = (k if min_user is None else min_user, k if min_item is None else min_item)
    with spoken():
        _, users, items = _core.filter(to_core(matrix, "The matrix"), minima)
    return matrix.tocsr()[users][:, items], users, items
