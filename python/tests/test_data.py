"""Datasets: the same interactions in any form are the same dataset."""

import numpy as np
import pandas
import polars
import pyarrow
import pyarrow.parquet
import pytest
import scipy.sparse

import sqmax
from conftest import random_matrix

USERS = ["ann", "bob", "ann", "cem", "bob", "dan"]
ITEMS = [7, 7, 9, 9, 3, 12]
STARS = [5.0, 2.0, 4.0, 1.0, 5.0, 3.0]


def tables():
    columns = {"who": USERS, "item_id": ITEMS, "stars": STARS}
    yield pandas.DataFrame(columns)
    yield polars.DataFrame(columns)
    yield pyarrow.table(columns)


def dense(data):
    return {(data.users[u], data.items[i]) for u, i in zip(*data.train.nonzero())}


def test_tables_pairs_and_files_are_the_same(tmp_path):
    pandas.DataFrame({"who": USERS, "item_id": ITEMS, "stars": STARS}).to_csv(tmp_path / "t.csv", index=False)
    pyarrow.parquet.write_table(pyarrow.table({"who": USERS, "item_id": ITEMS}), tmp_path / "t.parquet")
    forms = [*tables(), (USERS, ITEMS), (np.array(USERS), np.array(ITEMS)), tmp_path / "t.parquet"]
    made = [sqmax.prepare(form, split="none") for form in forms]
    made.append(sqmax.prepare(tmp_path / "t.csv", user="who", item="item_id", split="none"))
    for data in made:
        assert data.users == ["ann", "bob", "cem", "dan"] and data.items == ["7", "9", "3", "12"]
        assert dense(data) == set(zip(USERS, map(str, ITEMS)))


@pytest.mark.parametrize("table", list(tables()))
def test_columns_by_name_and_ratings(table):
    data = sqmax.prepare(table, user="item_id", item="who", rating="stars", min_rating=3, split="none")
    good = {(str(item), user) for user, item, star in zip(USERS, ITEMS, STARS) if star >= 3}
    assert dense(data) == good


WRONG = {
    "no such column": ({"user": "nobody"}, ValueError, "nobody"),
    "the same column": ({"user": "who", "item": "who"}, ValueError, "both"),
    "rating without column": ({"min_rating": 3}, ValueError, "rating="),
    "rating of words": ({"rating": "who", "min_rating": 3}, ValueError, "numbers"),
    "ratios": ({"ratios": (0.5, 0.5)}, ValueError, "three"),
    "ratios past one": ({"ratios": (0.9, 0.9, 0.9)}, ValueError, "."),
    "split": ({"split": "magic"}, ValueError, "magic"),
    "for files": ({"delimiter": ","}, TypeError, "files"),
    "core": ({"kcore": 100, "split": "none"}, ValueError, "."),
}


@pytest.mark.parametrize("case", WRONG)
def test_wrong_requests(case):
    more, error, sentence = WRONG[case]
    with pytest.raises(error, match=sentence):
        sqmax.prepare(pandas.DataFrame({"who": USERS, "item_id": ITEMS, "stars": STARS}), **more)


@pytest.mark.parametrize("source", [5, None, ([1, 2], [3]), pandas.DataFrame({"a": [1]}), ([None, "x"], [1, 2]),
                                    ([np.nan, 1.0], [1, 2]), ([[1, 2]], [[1, 2]]), ([1, "x", None], [1, 2, 3])])
def test_wrong_sources(source):
    with pytest.raises(ValueError):
        sqmax.prepare(source)


def test_files_that_are_not_there(tmp_path):
    with pytest.raises(FileNotFoundError):
        sqmax.prepare(tmp_path / "nothing.csv")
    (tmp_path / "bad.csv").write_text("user,item\n1,2\nonly one\n")
    with pytest.raises(ValueError, match="bad.csv"):
        sqmax.prepare(tmp_path / "bad.csv")


def test_a_dataset_is_a_partition(matrix):
    data = sqmax.prepare(matrix, seed=3)
    parts = [data.train, data.valid, data.test]
    assert ((sum(parts) != matrix).nnz == 0) and all(part.nnz for part in parts)
    assert "train=" in repr(data) and "<table>" in data._repr_html_()


@pytest.mark.parametrize("kind", ["ratio", "leave-one-out", "none"])
def test_splits_are_partitions_and_keep_values(matrix, kind):
    valued = matrix.copy()
    valued.data = np.arange(1, matrix.nnz + 1, dtype=np.float32)
    parts = sqmax.split(valued, kind=kind, seed=2)
    assert (sum(parts) != valued).nnz == 0
    assert sum(part.nnz for part in parts) == matrix.nnz
    if kind == "leave-one-out":
        assert set(parts[2].getnnz(axis=1)) <= {0, 1}
    assert [(a != b).nnz for a, b in zip(parts, sqmax.split(valued, kind=kind, seed=2))] == [0, 0, 0]


def test_splits_are_those_of_prepare(matrix):
    data = sqmax.prepare(matrix, seed=5)
    for part, expected in zip(sqmax.split(matrix, seed=5), (data.train, data.valid, data.test)):
        assert (part != expected).nnz == 0


def test_the_core_is_the_largest(matrix):
    core, users, items = sqmax.kcore(random_matrix(60, 50, 0.08), 4)
    assert core.getnnz(axis=1).min() >= 4 and core.getnnz(axis=0).min() >= 4
    whole = random_matrix(60, 50, 0.08)
    kept = np.ix_(users, items)
    assert (core.toarray() == whole.toarray()[kept]).all()
    alive_users, alive_items = np.arange(60), np.arange(50)
    dense_whole = whole.toarray()
    while True:
        part = dense_whole[np.ix_(alive_users, alive_items)]
        more_users = alive_users[part.sum(axis=1) >= 4]
        more_items = alive_items[part.sum(axis=0) >= 4]
        if len(more_users) == len(alive_users) and len(more_items) == len(alive_items):
            break
        alive_users, alive_items = more_users, more_items
    assert users.tolist() == alive_users.tolist() and items.tolist() == alive_items.tolist()
    with pytest.raises(ValueError):
        sqmax.kcore(matrix, 1000)


def test_times_order_a_split():
    users = ["a"] * 5 + ["b"] * 5
    items = list(range(5)) * 2
    times = pandas.to_datetime(["2020-01-0%d" % day for day in (1, 2, 3, 4, 5, 5, 4, 3, 2, 1)])
    table = pandas.DataFrame({"user": users, "item": items, "when": times})
    data = sqmax.prepare(table, time="when", split="leave-one-out")
    assert {(data.users[u], data.items[i]) for u, i in zip(*data.test.nonzero())} == {("a", "4"), ("b", "0")}


def test_a_matrix_of_64_bits_is_one_of_32(matrix):
    wide = scipy.sparse.csr_matrix(matrix, copy=True)
    wide.indices, wide.indptr = wide.indices.astype(np.int64), wide.indptr.astype(np.int64)
    assert (sqmax.prepare(wide).train != sqmax.prepare(matrix).train).nnz == 0
