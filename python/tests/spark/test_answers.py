"""What a fitted model answers is what the model of one machine answers."""

import numpy as np
import pytest
from models import assert_close, learned, one_machine
from pyspark.sql import functions as F

from sqmax.spark import RG2, RGp


@pytest.fixture(scope="module", params=[RGp, RG2])
def model(request, data):
    return request.param(rank=6, maxIter=3, tol=0.0, itemBlockBytes=40 * 4 * 6).fit(data.frame)


@pytest.fixture(scope="module")
def local(model, data):
    return one_machine(model, data, **({"alpha": 0.0} if model.loss == "rgp" else {}))


def lists_of(frame, column, other):
    return {row[column]: [(e[other], e["rating"]) for e in row["recommendations"]] for row in frame.collect()}


def assert_same_lists(found, users, items, places, scores):
    """places and scores have one entry more than the lists, which tells how near the last one's follower is."""
    assert sorted(found) == sorted(users)
    compared = 0
    for row, user in enumerate(users):
        known = int((places[row] >= 0).sum())
        kept = min(known, places.shape[1] - 1)
        assert len(found[user]) == kept
        assert np.allclose([rating for _, rating in found[user]], scores[row][:kept], rtol=1e-3, atol=1e-5)
        gaps = np.concatenate([[np.inf], -np.diff(scores[row][:known]), [np.inf]])
        clear = (np.minimum(gaps[:-1], gaps[1:]) > 1e-4)[:kept]  # rounding may swap the others
        compared += clear.sum()
        for place in np.nonzero(clear)[0]:
            assert found[user][place][0] == items[places[row][place]]
    assert compared > 0.8 * sum(len(entries) for entries in found.values())


def test_lists_of_all_users(model, local, data):
    users, _, items, _ = learned(model)
    found = lists_of(model.recommendForAllUsers(7), "user", "item")
    matrix = data.matrix(users, items)
    assert_same_lists(found, users, items, *local.recommend(np.arange(len(users)), matrix, N=8))


def test_seen_items_can_be_asked_for(model, local, data):
    users, _, items, _ = learned(model)
    everything = model.copy().setFilterSeen(False)
    found = lists_of(everything.recommendForAllUsers(5), "user", "item")
    matrix = data.matrix(users, items)
    ranked = local.recommend(np.arange(len(users)), matrix, N=6, filter_already_liked_items=False)
    assert_same_lists(found, users, items, *ranked)


def test_lists_of_some_users(model, data):
    everybody = lists_of(model.recommendForAllUsers(4), "user", "item")
    asked = data.frame.where("user in ('user 3', 'user 17')").union(data.frame.limit(1).select(F.lit("new"), "item"))
    found = lists_of(model.recommendForUserSubset(asked, 4), "user", "item")
    assert sorted(found) == ["user 17", "user 3"]
    for user, entries in found.items():
        assert [item for item, _ in entries] == [item for item, _ in everybody[user]]


def test_lists_of_items(model, local, data):
    users, P, items, Q = learned(model)
    matrix = data.matrix(users, items).toarray() > 0
    scored = {row["item"]: row for row in model.recommendForAllItems(3).collect()}
    assert sorted(scored) == sorted(items)
    o = P @ Q.T
    o[matrix] = -np.inf
    for place, item in enumerate(items):
        best = np.sort(o[:, place])[::-1][:3]
        chosen = [users.index(entry["user"]) for entry in scored[item]["recommendations"]]
        assert np.allclose(o[chosen, place], best, rtol=1e-3, atol=1e-5)
    some = model.recommendForItemSubset(data.frame.where("item = 'item 5'"), 3).collect()
    assert [row["item"] for row in some] == ["item 5"]
    assert some[0]["recommendations"] == scored["item 5"]["recommendations"]


def test_transform_scores_pairs(model, local, data):
    users, _, items, _ = learned(model)
    found = model.transform(data.frame.limit(200)).collect()
    left, right = local.inner_product_vectors()
    for row in found:
        score = left[users.index(row["user"])] @ right[items.index(row["item"])]
        assert row["prediction"] == pytest.approx(score, rel=1e-3, abs=1e-4)


def test_cold_start(model, spark):
    pairs = spark.createDataFrame([("user 1", "item 2"), ("new", "item 2"), ("user 1", "new")], "user string, item string")
    found = {(row["user"], row["item"]): row["prediction"] for row in model.transform(pairs).collect()}
    assert len(found) == 3 and not np.isnan(found["user 1", "item 2"])
    assert np.isnan(found["new", "item 2"]) and np.isnan(found["user 1", "new"])
    dropped = model.copy().setColdStartStrategy("Drop").transform(pairs).collect()  # as Spark's ALS takes it
    assert [(row["user"], row["item"]) for row in dropped] == [("user 1", "item 2")]
    with pytest.raises(ValueError, match="must be nan or drop"):
        model.copy().setColdStartStrategy("keep").transform(pairs)


def test_lists_have_at_least_one_entry(model, data):
    for count in (0, -2):
        for ask in (model.recommendForAllUsers, model.recommendForAllItems):
            with pytest.raises(ValueError, match="must be at least 1"):
                ask(count)
        for ask in (model.recommendForUserSubset, model.recommendForItemSubset):
            with pytest.raises(ValueError, match="must be at least 1"):
                ask(data.frame, count)


def test_names_of_columns_are_free(data):
    frame = data.frame.toDF("who", "what")
    model = RGp(rank=3, maxIter=1, userCol="who", itemCol="what", predictionCol="score").fit(frame)
    assert model.transform(frame.limit(2)).columns == ["who", "what", "score"]
    lists = model.recommendForAllUsers(2)
    assert lists.columns == ["who", "recommendations"]
    assert lists.schema["recommendations"].dataType.elementType.names == ["what", "rating"]
