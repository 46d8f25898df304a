"""fit() and compare(): a model without a decision."""

import pickle

import numpy as np
import pandas
import pytest

import sqmax
from conftest import random_matrix


def blocks(users=120, items=40, seed=0):
    """Two tastes, so that there is something to learn."""
    random = np.random.default_rng(seed)
    taste = random.integers(2, size=users)
    likes = np.where(taste[:, None] == (np.arange(items) % 2)[None, :], 0.5, 0.05)
    return random.random((users, items)) < likes


@pytest.fixture(scope="module")
def table():
    users, items = np.nonzero(blocks())
    return pandas.DataFrame({"user": [f"u{u}" for u in users], "item": [f"i{i}" for i in items]})


def test_a_table_is_enough(table):
    model = sqmax.fit(table, budget="3trials", show_progress=False)
    assert isinstance(model, sqmax.RGp) and len(model.report["trials"]) == 3
    assert model.report["refit"] and model.seen.nnz == len(table)
    assert model.report["valid"]["ndcg@10"] > 0.1
    assert set(model.user_ids) == set(table["user"])
    assert model.factors == model.item_factors.shape[1]
    refitted = type(model)(**model.get_params())
    assert refitted.get_params() == model.get_params()
    assert pickle.loads(pickle.dumps(model)).report == model.report
    assert "validation ndcg@10" in model._repr_html_()


def test_settings_that_are_given_stay(table):
    model = sqmax.fit(table, "wrmf", budget="3trials", alpha=7.0, factors=5, show_progress=False)
    assert {trial["options"]["alpha"] for trial in model.report["trials"]} == {7.0}
    assert {trial["rank"] for trial in model.report["trials"]} == {5}
    assert len({trial["options"]["lambda"] for trial in model.report["trials"]}) == 3


def test_a_test_part_is_never_learned(table):
    model = sqmax.fit(table, budget="2trials", test=0.2, factors=4, show_progress=False)
    assert model.seen.nnz < 0.9 * len(table) and "ndcg@10" in model.report["test"]


def test_the_same_seed_gives_the_same_model(table):
    first, second = (
        sqmax.fit(table, budget="3trials", random_state=3, num_threads=threads, show_progress=False)
        for threads in (1, 2)
    )
    assert (first.item_factors == second.item_factors).all()


def test_too_little_to_choose_by():
    with pytest.warns(UserWarning, match="too few"):
        model = sqmax.fit(random_matrix(5, 6, 0.5), factors=2, show_progress=False)
    assert model.item_factors.shape == (6, 2)


def test_mistakes(table):
    with pytest.raises(ValueError, match="there are"):
        sqmax.fit(table, "magic")
    with pytest.raises(ValueError, match="soon"):
        sqmax.fit(table, budget="soon", show_progress=False)
    with pytest.raises(TypeError, match="facters"):
        sqmax.fit(table, facters=3, show_progress=False)
    with pytest.raises(ValueError, match="metric"):
        sqmax.fit(table, metrics="beauty@3", show_progress=False)


def test_losses_compared(table):
    result = sqmax.compare(table, ["popularity", "rgp", "wrmf"], budget="2trials", factors=4, show_progress=False)
    frame = result.to_pandas()
    assert set(frame["loss"]) == {"popularity", "rgp", "wrmf"} and frame["loss"].iloc[-1] == "popularity"
    assert frame["valid ndcg@10"].is_monotonic_decreasing
    assert result.to_markdown().count("\n") == 4 and "<table>" in result._repr_html_()
    import matplotlib

    matplotlib.use("Agg")
    assert len(result.plot().patches) == 3
    with pytest.raises(ValueError, match="no test part"):
        sqmax.compare(sqmax.prepare(table, split="none"))
