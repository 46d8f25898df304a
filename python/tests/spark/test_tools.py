"""Files, pipelines, searches and metrics: a model among the tools of Spark and of the program."""

import gc
import json
import subprocess

import numpy as np
import pytest
from models import Data, assert_close, learned, tasteful_pairs
from pyspark.ml import Pipeline, PipelineModel
from pyspark.ml.tuning import CrossValidator, ParamGridBuilder

import sqmax
from sqmax.spark import RankingEvaluator, RGp, RGpModel
from sqmax.spark._learned import release_left


@pytest.fixture(scope="module")
def model(data):
    return RGp(rank=6, maxIter=3, blend=0.8).fit(data.frame)


def test_a_saved_model_answers_the_same(model, data, tmp_path):
    model.save(str(tmp_path / "model"))
    again = RGpModel.load(str(tmp_path / "model"))
    for mine, its in zip(learned(again), learned(model)):
        assert np.array_equal(mine, its)
    assert again.sweeps == model.sweeps and again.getUserCol() == "user"
    asked = data.frame.where("user = 'user 9'")
    assert again.recommendForUserSubset(asked, 5).collect() == model.recommendForUserSubset(asked, 5).collect()
    again.write().overwrite().save(str(tmp_path / "model2"))
    with pytest.raises(Exception, match="already exists"):
        model.save(str(tmp_path / "model"))


def test_an_exported_model_is_one_of_the_library(model, data, tmp_path):
    model.exportModel(str(tmp_path / "model.safetensors"))
    local = sqmax.load(tmp_path / "model.safetensors")
    users, P, items, Q = learned(model)
    assert sorted(local.user_ids) == users and local.item_ids == items
    order = [local.user_ids.index(user) for user in users]
    assert_close(np.asarray(local.user_factors)[order], P)
    assert np.array_equal(local.item_factors, Q)
    assert (local.seen[order] != data.matrix(users, items)).nnz == 0
    asked = model.recommendForUserSubset(data.frame.where("user = 'user 9'"), 5).first()["recommendations"]
    assert [item for item, _ in local.recommend_ids("user 9", N=5)] == [entry["item"] for entry in asked]


def held_out_data(spark, folder):
    """A dataset of the library, and its training and test part as frames."""
    prepared = sqmax.prepare(tasteful_pairs(300, 80, seed=4), ratios=(0.8, 0.0, 0.2), seed=0)
    prepared.save(folder / "data.safetensors")
    users, items, parts = prepared.users, prepared.items, []
    for part in (prepared.train, prepared.test):
        rows, cols = part.nonzero()
        parts.append(Data(spark, [users[r] for r in rows], [items[c] for c in cols]).frame)
    return parts


def test_the_program_evaluates_and_recommends(spark, program, tmp_path):
    train, test = held_out_data(spark, tmp_path)
    model = RGp(rank=8, rankCol="rank").fit(train)
    data, path = tmp_path / "data.safetensors", tmp_path / "model.safetensors"
    model.exportModel(str(path), like=str(data))
    told = subprocess.run(
        [program, "evaluate", path, data, "--metrics", "ndcg@10,recall@20", "--json"], check=True, capture_output=True
    )
    metrics = json.loads(told.stdout)["metrics"]
    for name, value in metrics.items():
        evaluator = RankingEvaluator(metricName=name)
        assert evaluator.evaluate(model.transform(test)) == pytest.approx(value, abs=2e-3)
    lists = subprocess.run([program, "recommend", path, "--user", "user 5", "--k", "3"], check=True, capture_output=True)
    asked = model.recommendForUserSubset(train.where("user = 'user 5'"), 3).first()["recommendations"]
    assert all(entry["item"].encode() in lists.stdout for entry in asked)


def cached(spark) -> set:
    """What Spark keeps."""
    return set(spark.sparkContext._jsc.getPersistentRDDs())


def test_pipelines_and_searches(spark, tmp_path):
    train, _ = held_out_data(spark, tmp_path)
    train.count()
    release_left()
    before = cached(spark)
    recommender = RGp(rank=4, maxIter=2, rankCol="rank", coldStartStrategy="drop")
    pipeline = Pipeline(stages=[recommender])
    grid = ParamGridBuilder().addGrid(recommender.regParam, [0.1, 1e6]).build()
    search = CrossValidator(
        estimator=pipeline, estimatorParamMaps=grid, evaluator=RankingEvaluator(metricName="ndcg@5"), numFolds=2
    )
    found = search.fit(train)
    assert 0 < len(cached(spark) - before) <= 2 * 3  # the best model and the one before it; there were five
    assert found.avgMetrics[0] > found.avgMetrics[1] >= 0
    best = found.bestModel
    assert isinstance(best, PipelineModel) and isinstance(best.stages[0], RGpModel)
    best.save(str(tmp_path / "pipeline"))
    again = PipelineModel.load(str(tmp_path / "pipeline"))
    assert again.transform(train).count() == train.count()
    del found, best, again
    gc.collect()
    release_left()
    assert cached(spark) <= before
    pipeline.save(str(tmp_path / "estimator"))
    assert Pipeline.load(str(tmp_path / "estimator")).getStages()[0].getRank() == 4


def test_evaluators_know_the_metrics_of_the_library(spark):
    places = spark.createDataFrame(
        [("a", "x", 1), ("a", "y", 4), ("a", "z", None), ("b", "x", None)], "user string, item string, rank int"
    )
    values = {name: RankingEvaluator(metricName=name).evaluate(places) for name in ("hitrate@1", "recall@4", "mrr@4")}
    assert values == {"hitrate@1": pytest.approx(1 / 2), "recall@4": pytest.approx(1 / 3), "mrr@4": pytest.approx(1 / 2)}
    assert RankingEvaluator().isLargerBetter()
    with pytest.raises(ValueError, match="ndcg"):
        RankingEvaluator(metricName="beauty@3").evaluate(places)
