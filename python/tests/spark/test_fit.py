"""A fit on a cluster is the fit of one machine, whatever the partitions, the ids and the dirt in the data."""

import warnings

import numpy as np
import pytest
from models import Data, assert_close, learned, one_machine, tasteful_pairs
from pyspark.sql import functions as F

from sqmax.spark import RG2, RGp
from sqmax.spark import _estimator as estimator_module

ALONE = {"alpha": 0.0}  # what RGp must have to be learned in parts


@pytest.mark.parametrize("ridge", ["weighted", pytest.param("plain", marks=pytest.mark.slow)])
def test_rgp_is_that_of_one_machine(data, ridge):
    model = RGp(rank=6, ridge=ridge, regParam=0.2, seed=3, tol=0.0, maxIter=3).fit(data.frame)
    local = one_machine(model, data, regularization=0.2, ridge=ridge, random_state=3, **ALONE)
    _, P, _, Q = learned(model)
    assert_close(Q, local.item_factors)
    assert_close(P, local.user_factors)


def test_rg2_is_that_of_one_machine(data):
    model = RG2(rank=5, tol=0.0, maxIter=4).fit(data.frame)
    local = one_machine(model, data)
    _, P, _, Q = learned(model)
    assert_close(Q, local.item_factors)
    assert_close(P, local.user_factors)


# Partitions past FLAT are added in a tree; ranges of 40 items make three broadcasts.
@pytest.mark.parametrize("partitions, item_bytes", [(1, 1 << 20), (12, 40 * 4 * 6)])
def test_partitions_and_ranges_do_not_matter(data, reference, partitions, item_bytes):
    model = RGp(rank=6, tol=0.0, maxIter=3, numUserBlocks=partitions, itemBlockBytes=item_bytes).fit(data.frame)
    users, P, items, Q = learned(model)
    assert items == reference[2] and users == reference[0]
    assert_close(Q, reference[3])
    assert_close(P, reference[1])


@pytest.fixture(scope="module")
def reference(data):
    return learned(RGp(rank=6, tol=0.0, maxIter=3).fit(data.frame))


def test_the_same_fit_has_the_same_bytes(data, reference):
    again = learned(RGp(rank=6, tol=0.0, maxIter=3).fit(data.frame.repartition(5)))
    assert np.array_equal(again[3], reference[3])
    assert np.array_equal(again[1], reference[1])


def test_a_fit_reads_the_data_eight_times_at_most(spark, data, monkeypatch):
    read = spark.sparkContext.accumulator(0)

    def count(batches):
        for batch in batches:
            read.add(batch.num_rows)
            yield batch

    passes = []
    sweep = estimator_module.sweep_pass
    monkeypatch.setattr(estimator_module, "sweep_pass", lambda *given: (passes.append(1), sweep(*given))[1])
    model = RGp(rank=4).fit(data.frame.mapInArrow(count, data.frame.schema))
    assert read.value == 2 * len(data.users)  # to number the items, to make the blocks and count degrees
    assert 2 + len(passes) + 1 <= 8  # one more for the users
    assert model.sweeps == len(passes)


def test_sweeps_end_when_items_rest(data):
    assert RGp(rank=2, regParam=50.0, maxIter=40, tol=1e-2).fit(data.frame).sweeps < 40


def test_nulls_are_left_out_with_a_warning_and_duplicates_count_once(spark, data, reference):
    nulls = spark.createDataFrame([(None, "item 1"), ("user 1", None), (None, None)], "user string, item string")
    dirty = data.frame.union(data.frame.sample(0.5, seed=1)).union(nulls)
    with pytest.warns(UserWarning, match="3 rows with a null"):
        model = RGp(rank=6, tol=0.0, maxIter=3).fit(dirty)
    users, P, _, Q = learned(model)
    assert users == reference[0]
    assert_close(Q, reference[3])
    assert_close(P, reference[1])


def test_clean_data_warns_of_nothing(data):
    with warnings.catch_warnings():
        warnings.simplefilter("error", UserWarning)
        RGp(rank=2, maxIter=1).fit(data.frame)


def test_ratings_say_what_is_an_interaction(data, reference):
    rated = data.frame.withColumn("rating", F.lit(4.0))
    low = data.frame.limit(50).select(F.concat(F.lit("no "), "user").alias("user"), "item", F.lit(2.0).alias("rating"))
    none = data.frame.limit(50).select(F.lit("nobody").alias("user"), "item", F.lit(0.0).alias("rating"))
    model = RGp(rank=6, tol=0.0, maxIter=3, minRating=3.0).fit(rated.union(low).union(none))
    assert learned(model)[0] == reference[0]
    assert_close(learned(model)[3], reference[3])
    with pytest.raises(ValueError, match="no column 'stars'"):
        RGp(ratingCol="stars").fit(data.frame)


def test_ids_of_any_type(spark, data, reference):
    numbers = {name: position * 10**10 - 7 for position, name in enumerate(reference[0])}
    wide = Data(spark, [numbers[name] for name in data.users], data.items)
    model = RGp(rank=6, tol=0.0, maxIter=3).fit(wide.frame)
    users, P, _, _ = learned(model)
    assert users == sorted(numbers.values())
    assert_close(P, reference[1][np.argsort([numbers[name] for name in reference[0]])])


def test_seeds_may_be_negative(data):
    below, above = (RGp(rank=4, maxIter=1, seed=seed).fit(data.frame)._learned.Q for seed in (-3, 2**64 - 3))
    assert np.array_equal(below, above)


def test_params_are_looked_at_before_the_data(data):
    for mistake in ({"rank": 0}, {"maxIter": 0}, {"rankDepth": 0}, {"numUserBlocks": -1}):
        (name,) = mistake
        with pytest.raises(ValueError, match=f"{name} must be at least"):
            RGp(**mistake).fit(data.frame)
    with pytest.raises(ValueError, match="must be nan or drop; 'skip' is neither"):
        RGp(coldStartStrategy="skip").fit(data.frame)


def test_an_empty_frame_is_a_mistake(data):
    with pytest.raises(ValueError, match="no interaction"):
        RGp().fit(data.frame.where("user = 'nobody'"))


def test_unknown_params_are_mistakes():
    with pytest.raises(TypeError, match="no param 'facters'"):
        RGp(facters=3)
    with pytest.raises(TypeError, match="no param 'alpha'"):  # a law with it is not separable
        RGp(alpha=0.1)


@pytest.mark.slow
def test_ml_1m_is_that_of_one_machine(spark):
    data = Data(spark, *tasteful_pairs(6040, 3706))
    model = RGp(rank=64, tol=0.0, maxIter=5, numUserBlocks=8).fit(data.frame)
    local = one_machine(model, data, **ALONE)
    _, P, _, Q = learned(model)
    assert_close(Q, local.item_factors, 1e-4)
    assert_close(P, local.user_factors, 1e-4)


# One user with a million interactions, one item that everybody has, and most partitions without a user.
@pytest.mark.slow
def test_skewed_data(spark):
    million = spark.range(1_000_000).select(F.lit(0).cast("long").alias("user"), F.col("id").alias("item"))
    crowd = spark.range(1, 20_000).select(F.col("id").alias("user"), F.lit(7).cast("long").alias("item"))
    frame = million.union(crowd).union(crowd.select("user", (F.col("user") % 5).alias("item")))
    model = RGp(rank=4, maxIter=2, numUserBlocks=16, itemBlockBytes=4 << 20).fit(frame)
    few = RGp(rank=4, maxIter=2, numUserBlocks=1).fit(frame)
    P = {row["id"]: row["features"] for row in few.userFactors.where("id < 50").collect()}
    for row in model.userFactors.where("id < 50").collect():
        assert_close(row["features"], np.array(P[row["id"]], np.float32), 1e-3)
    assert model.userFactors.count() == 20_000
    assert model.itemFactors.count() == 1_000_000


@pytest.mark.slow
def test_empty_partitions(spark):
    data = Data(spark, *tasteful_pairs(5, 9))
    model = RGp(rank=2, tol=0.0, maxIter=2, numUserBlocks=40).fit(data.frame)
    local = one_machine(model, data, **ALONE)
    assert_close(learned(model)[3], local.item_factors)
