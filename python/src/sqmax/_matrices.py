"""Matrices: SciPy's at the border, checked, as the library's own behind it."""

from __future__ import annotations

import warnings

import numpy as np
import scipy.sparse

from . import _core

_MOST = np.iinfo(np.int32).max


def to_core(matrix, what: str, *, copy: bool = False) -> _core.Csr:
    """The library's matrix of the stored, non-zero entries of a sparse matrix.

    Nothing is copied if the types fit and `copy` is false.
    """
    csr = _as_csr(matrix, what)
    rows, cols = csr.shape
    if rows > _MOST or cols > _MOST:
        raise ValueError(f"{what} is {rows} × {cols}: more than {_MOST} rows or columns.")
    if _has_zeros(csr.data, what):
        csr = csr.copy()
        csr.eliminate_zeros()
    return _core.Csr(
        np.ascontiguousarray(csr.indptr, dtype=np.int64),
        _as_positions(csr.indices, cols, what),
        (rows, cols),
        copy,
        what,
    )


def to_scipy(matrix: _core.Csr, dtype=np.float32) -> scipy.sparse.csr_matrix:
    """A SciPy matrix of ones."""
    index = np.int32 if matrix.nnz <= _MOST else np.int64
    parts = (np.ones(matrix.nnz, dtype=dtype), matrix.indices.astype(index), matrix.indptr.astype(index))
    return scipy.sparse.csr_matrix(parts, shape=tuple(matrix.shape))


def row_of(matrix, row: int, what: str):
    """One row, as a matrix."""
    csr = _as_csr(matrix, what)
    if not 0 <= row < csr.shape[0]:
        raise IndexError(f"{what} has {csr.shape[0]} rows: there is no row {row}.")
    return csr[[row]]


def warn_of_values(matrix, what: str) -> None:
    """Says so if a matrix has values that will be taken for ones."""
    data = _as_csr(matrix, what).data
    if len(data) and data.dtype != bool and not (data == 1).all():
        warnings.warn(
            f"{what} has values other than 1. sqmax learns from whether a pair occurs, not from how "
            "often; pass (matrix > threshold) to choose which pairs count.",
            UserWarning,
            stacklevel=4,
        )


def _as_csr(matrix, what: str):
    if not scipy.sparse.issparse(matrix):
        kind = type(matrix).__name__
        raise ValueError(f"{what} must be a SciPy sparse matrix (users × items); a {kind} is not.")
    if matrix.ndim != 2:
        raise ValueError(f"{what} must have two dimensions; {matrix.ndim} are not two.")
    csr = matrix if matrix.format == "csr" else matrix.tocsr()
    if len(csr.data) != len(csr.indices):
        raise ValueError(
            f"{what} is no CSR matrix: {len(csr.data)} values for {len(csr.indices)} columns."
        )
    return csr


def _has_zeros(data: np.ndarray, what: str) -> bool:
    if data.dtype.kind not in "biuf":
        raise ValueError(f"{what} has values of type {data.dtype}; they must be numbers.")
    if len(data) == 0:
        return False
    least = data.min()
    if np.isnan(least):
        raise ValueError(f"{what} has values that are NaN.")
    if least < 0:
        raise ValueError(
            f"{what} has negative values. A pair is there or not: leave out what was disliked."
        )
    return bool(least == 0)


def _as_positions(indices: np.ndarray, cols: int, what: str) -> np.ndarray:
    if indices.dtype != np.int32 and len(indices):
        low, high = indices.min(), indices.max()
        if low < 0 or high >= cols:
            wrong = low if low < 0 else high
            raise ValueError(f"{what} has column {wrong}, but only {cols} columns.")
    return np.ascontiguousarray(indices, dtype=np.int32)


def positions(ids, what: str) -> np.ndarray:
    """Ids of users or items as an array of positions; one id is an array of one."""
    array = np.atleast_1d(np.asarray(ids))
    if array.ndim != 1:
        raise ValueError(f"{what} must be one id or a list of them, not {array.ndim}-dimensional.")
    if array.size and array.dtype.kind not in "iu":
        raise ValueError(f"{what} must be whole numbers, positions in the matrix; {array.dtype} are not.")
    if array.size and (array.min() < np.iinfo(np.int32).min or array.max() > _MOST):
        raise IndexError(f"{what} has ids past {_MOST}.")
    return np.ascontiguousarray(array, dtype=np.int32)
