"""Parts, ranges and partials, without a cluster."""

import types

import numpy as np
import pandas
import pyarrow as pa
import pytest
import scipy.sparse

from sqmax import _core
from sqmax.spark import _answers, _blocks, _files, _passes
from sqmax.spark._checkpoints import fingerprint


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


def test_text_of_a_partition_may_be_longer_than_an_array():
    names = pa.array([letter * (1 << 20) for letter in "abcdefghijklmnopqrstuvwxyzABCDEF"])
    index = pa.array(np.arange(32) % 5, pa.int32())
    batch = pa.RecordBatch.from_arrays([names, index], names=["user", "index"])
    (block,) = _blocks.block_batches([batch] * 70, 5)  # 2.2 GiB, in one place
    assert len(block["users"][0].values) == 32
    assert np.frombuffer(block["indptr"][0].as_py(), np.int64).tolist() == list(range(33))


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


def test_histories_have_one_hash_in_any_order(monkeypatch):
    def hashed(*histories):
        indptr = np.concatenate([[0], np.cumsum([len(history) for history in histories])])
        return _passes.hash_of_histories(indptr, np.concatenate(histories).astype(np.int32))

    whole = hashed([0, 1], [2, 3], [2])
    assert whole == hashed([2], [0, 1], [2, 3]) == (hashed([2, 3]) + hashed([2], [0, 1])) % 2**64
    monkeypatch.setattr(_passes, "HASHED_AT_ONCE", 2)
    assert whole == hashed([0, 1], [2, 3], [2])
    assert whole != hashed([0, 2], [1, 3], [2])  # the same degrees
    degrees = np.array([1, 1, 2, 1], np.int32)
    assert fingerprint([], 4, 0, degrees, {1: 1, 2: 2}, whole) != fingerprint([], 4, 0, degrees, {1: 1, 2: 2}, whole + 1)


def test_scores_of_pairs_take_the_items_once():
    random = np.random.default_rng(0)
    P, Q = random.standard_normal((2, 6, 3)).astype(np.float32)
    taken = []
    items = types.SimpleNamespace(whole=lambda: taken.append(1) or Q)
    none = np.empty(0, np.float32)
    serving = types.SimpleNamespace(items=items, scaling=lambda: (none, none))
    vectors = pandas.Series([*P[:5], None])
    places = pandas.Series([4.0, 3.0, 2.0, 1.0, None, 0.0])
    batches = ((vectors[begin : begin + 2], places[begin : begin + 2]) for begin in (0, 2, 4))
    found = np.concatenate([batch.to_numpy() for batch in _answers.scores_of_pairs(batches, serving)])
    assert np.allclose(found[:4], [P[row] @ Q[4 - row] for row in range(4)], atol=1e-5)
    assert np.isnan(found[4:]).all() and len(taken) == 1


def test_ranges_are_let_go_if_they_can_be_read_again():
    ranges = ((0, 2), (2, 3))
    items = _passes.ItemVectors.__new__(_passes.ItemVectors)
    items.plan = _passes.Plan([], 1.0, 3, ranges)
    vectors = np.arange(6, dtype=np.float32).reshape(3, 2)
    memory = types.SimpleNamespace(broadcast=lambda value: types.SimpleNamespace(value=value, _value=value))
    in_file, in_memory = items.broadcasts = [_passes.send(memory, vectors[begin:end]) for begin, end in ranges]
    in_file._path = "somewhere"  # it has none if Spark encrypts
    assert [(begin, there.tolist()) for begin, there in items.each()] == [(0, [[0, 1], [2, 3]]), (2, [[4, 5]])]
    assert not hasattr(in_file, "_value") and hasattr(in_memory, "_value")


def test_folders_of_another_format_are_refused_before_they_are_read(monkeypatch):
    _files.check_format({"format": 1}, "here")
    _files.check_format({}, "here")  # from before there was a number
    for found in (0, 2, "1", None):
        with pytest.raises(ValueError, match=f"here is a model of format {found}, and this sqmax reads format 1"):
            _files.check_format({"format": found}, "here")

    class AnyModel:
        pass

    saved = {"format": 2}
    monkeypatch.setattr(_files.DefaultParamsReader, "loadMetadata", lambda *_: saved)
    monkeypatch.setattr(_files.ModelReader, "sc", None)
    with pytest.raises(ValueError, match="format 2"):
        _files.ModelReader(AnyModel).load("here")
