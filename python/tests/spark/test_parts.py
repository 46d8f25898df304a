"""Parts, ranges and partials, without a cluster."""

import numpy as np
import pyarrow as pa
import pytest
import scipy.sparse

from sqmax import _core
from sqmax.spark import _blocks, _passes


def some_part(matrix, rank=3):
    """Its vectors, and the part that has them."""
    csr = _core.Csr(matrix.indptr.astype(np.int64), matrix.indices, matrix.shape)
    degrees, rows = np.unique(np.diff(matrix.indptr), return_counts=True)
    declared = _core.declare(
        "rg2", {"links": 0.0}, degrees.astype(np.int32), rows, matrix.getnnz(axis=0).astype(np.int32)
    )
    part = _core.UserPart(csr, declared["law"], declared["item_weight"])
    Q = np.random.default_rng(0).standard_normal((matrix.shape[1], rank)).astype(np.float32)
    part.pull(0, Q, 1)
    side = _core.ItemSide(declared["law"], declared["user_weight"], matrix.getnnz(axis=0).astype(np.int32))
    part.solve(*side.sums(0, Q), 1)
    return part, part.vectors()


def test_pushes_are_products_whatever_is_sent():
    dense = np.zeros((4, 30), np.float32)
    dense[:, :8] = 1  # all of a range
    dense[2, 11] = dense[3, 17] = 1  # little of one
    part, P = some_part(scipy.sparse.csr_matrix(dense))
    sent = []
    for begin in (0, 10, 20):
        rows, values = part.push(begin, begin + 10, 1)
        sent.append((len(rows), len(values)))
        _, total = _passes.add_pushed([(rows, values), (rows, values)], 10)
        assert np.allclose(total, 2 * dense[:, begin : begin + 10].T @ P, atol=1e-5)
    assert sent == [(0, 10), (2, 2), (0, 0)]


def test_ranges_cover_all_items():
    assert _passes.ranges_of(10, 4, 3 * 16) == ((0, 3), (3, 6), (6, 9), (9, 10))
    assert _passes.ranges_of(10, 4, 1) == tuple((i, i + 1) for i in range(10))


def test_blocks_have_each_pair_once_and_users_in_order():
    users = pa.array(["b", "a", "b", "a", "c", "b"])
    index = pa.array([4, 2, 1, 2, 0, 4], pa.int32())
    batch = pa.RecordBatch.from_arrays([users, index], names=["user", "index"])
    (block,) = _blocks.block_batches([batch.slice(0, 2), batch.slice(2)], 5)
    assert block["users"].to_pylist() == [["a", "b", "c"]]
    matrix = _blocks.matrix_of(block["indptr"][0].as_py(), block["indices"][0].as_py(), 5)
    assert matrix.indptr.tolist() == [0, 1, 3, 4] and matrix.indices.tolist() == [2, 1, 4, 0]


def test_blocks_are_cut_where_they_grow_too_large():
    assert list(_blocks.cuts(np.array([0, 2, 4, 9, 10, 11]), 4)) == [(0, 2), (2, 3), (3, 5)]
    assert list(_blocks.cuts(np.array([0]), 4)) == []


@pytest.mark.parametrize("options", [{"alpha": 0.1, "links": 0.0}])
def test_laws_that_are_not_separable_are_refused(options):
    degrees = np.array([1], np.int32)
    declared = _core.declare("rgp", options, degrees, np.array([1]), degrees)
    csr = _core.Csr(np.array([0, 1]), np.array([0], np.int32), (1, 1))
    with pytest.raises(ValueError, match="in parts"):
        _core.UserPart(csr, declared["law"], 1.0)
