"""Metrics against implicit's and against their definitions."""

import warnings

import numpy as np
import pytest

import sqmax
from conftest import random_matrix
from sqmax import evaluation


@pytest.mark.parametrize("K", [1, 3, 10])
def test_metrics_of_implicit(oracle, K):
    import implicit.evaluation

    whole = random_matrix(40, 30, 0.4, seed=7)
    train, test = evaluation.train_test_split(whole, 0.6, random_state=1)
    oracle.user_factors = oracle.item_factors = None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        oracle.fit(train, show_progress=False)
        theirs = implicit.evaluation.ranking_metrics_at_k(oracle, train, test, K=K, show_progress=False)
    ours = evaluation.ranking_metrics_at_k(oracle, train, test, K=K, show_progress=False)
    assert ours["capped_recall"] == pytest.approx(theirs["precision"], abs=1e-9)
    for name in ("map", "ndcg", "auc"):
        assert ours[name] == pytest.approx(theirs[name], abs=1e-6), name


def test_metrics_are_those_of_evaluate():
    whole = random_matrix(60, 30, 0.4, seed=8)
    train, test = evaluation.train_test_split(whole, 0.6, random_state=1)
    model = sqmax.RGp(factors=4).fit(train, show_progress=False)
    ours = evaluation.ranking_metrics_at_k(model, train, test, K=5, show_progress=False)
    report = sqmax.evaluate(model, test, metrics="precision@5,recall@5,map@5,ndcg@5")
    for name in ("precision", "recall", "map", "ndcg"):
        assert ours[name] == pytest.approx(report[f"{name}@5"], abs=1e-6)
        assert report.intervals[f"{name}@5"][0] <= report[f"{name}@5"] <= report.intervals[f"{name}@5"][1]
        assert report.per_user(f"{name}@5").mean() == pytest.approx(report[f"{name}@5"])
    assert evaluation.ndcg_at_k(model, train, test, K=5, show_progress=False) == ours["ndcg"]
    assert "ndcg@5" in repr(report) and "<table>" in report._repr_html_()


def test_reports_against_each_other():
    train, _, test = sqmax.split(random_matrix(80, 30, 0.4))
    a = sqmax.evaluate(sqmax.RGp(factors=2).fit(train, show_progress=False), test, train)
    b = sqmax.evaluate(sqmax.Popularity().fit(train, show_progress=False), test, train)
    row = a.versus(b)[0]
    assert row["difference"] == pytest.approx(a[row["metric"]] - b[row["metric"]])
    assert 0 < row["p"] <= 1


def test_a_part_that_was_learned_is_refused():
    data = sqmax.prepare(random_matrix(80, 30, 0.4))
    model = sqmax.RGp(factors=2).fit(data, show_progress=False)
    assert sqmax.evaluate(model, data)["ndcg@10"] >= 0
    assert sqmax.evaluate(model, data, part="valid")["ndcg@10"] >= 0
    cheat = sqmax.RGp(factors=2).fit(data.train + data.test, show_progress=False)
    with pytest.raises(ValueError, match="trained on"):
        sqmax.evaluate(cheat, data)
    with pytest.raises(ValueError, match="metric"):
        sqmax.evaluate(model, data, metrics="beauty@10")


@pytest.mark.parametrize("share", [0.0, 0.3])
def test_leaving_out_k(share):
    whole = random_matrix(200, 30, 0.3, seed=2)
    train, test = evaluation.leave_k_out_split(whole, K=3, train_only_size=share, random_state=5)
    assert (train + test != whole).nnz == 0
    counts = test.getnnz(axis=1)
    assert set(counts) <= {0, 3}
    assert np.mean(counts == 0) == pytest.approx(share, abs=0.12)
    again = evaluation.leave_k_out_split(whole, K=3, train_only_size=share, random_state=5)
    assert (again[1] != test).nnz == 0
    with pytest.raises(ValueError):
        evaluation.leave_k_out_split(whole, K=0)
    with pytest.raises(ValueError):
        evaluation.leave_k_out_split(whole, train_only_size=1.5)


def test_splitting_entries():
    whole = random_matrix(200, 50, 0.3, seed=2)
    train, test = evaluation.train_test_split(whole, 0.7, random_state=1)
    assert (train + test != whole).nnz == 0 and train.multiply(test).nnz == 0
    assert train.nnz / whole.nnz == pytest.approx(0.7, abs=0.05)
    assert train.dtype == whole.dtype and train.shape == whole.shape
