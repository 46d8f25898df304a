"""The same questions to implicit and to us: shapes, types and filters are the same."""

import warnings

import numpy as np
import pytest
import scipy.sparse

import sqmax
from conftest import random_matrix

# (method, arguments) as programs that use implicit call them.
CALLS = {
    "one user": lambda m, X: m.recommend(3, X[3]),
    "numpy integer": lambda m, X: m.recommend(np.int64(3), X[3], N=4),
    "users": lambda m, X: m.recommend([1, 5, 2], X[[1, 5, 2]], N=7),
    "array of users": lambda m, X: m.recommend(np.arange(4), X[:4], N=7),
    "no users": lambda m, X: m.recommend([], X[[]], N=5),
    "unfiltered": lambda m, X: m.recommend(2, None, N=9, filter_already_liked_items=False),
    "filter_items of an array": lambda m, X: m.recommend(2, X[2], N=5, filter_items=np.array([3])),
    "filter_items": lambda m, X: m.recommend(2, X[2], N=5, filter_items=[0, 1, 2, 3]),
    "recalculated": lambda m, X: m.recommend([7, 8], X[[7, 8]], N=5, recalculate_user=True),
    "new user": lambda m, X: m.recommend(9999, X[2], N=5, recalculate_user=True),
    "longer than items": lambda m, X: m.recommend(2, X[2], N=100),
    "similar item": lambda m, X: m.similar_items(4),
    "similar items": lambda m, X: m.similar_items([4, 1], N=3),
    "similar without": lambda m, X: m.similar_items(4, N=3, filter_items=[4]),
    "similar recalculated": lambda m, X: m.similar_items(
        0, N=3, recalculate_item=True, item_users=X.T.tocsr()[0]
    ),
    "similar user": lambda m, X: m.similar_users(4, N=3),
    "similar users": lambda m, X: m.similar_users(np.array([4, 5]), N=3, filter_users=[1]),
}


@pytest.mark.parametrize("call", CALLS)
def test_lists_have_the_shapes_and_types_of_implicit(call, model, oracle, matrix):
    ours = CALLS[call](model, matrix)
    theirs = CALLS[call](oracle, matrix)
    assert [part.shape for part in ours] == [part.shape for part in theirs]
    assert [part.dtype for part in ours] == [part.dtype for part in theirs]


@pytest.mark.parametrize("call", ["items", "similar items", "similar users"])
def test_candidates_are_those_of_implicit(call, model, oracle, matrix):
    calls = {
        "items": lambda m: m.recommend([2, 3], matrix[[2, 3]], N=3, items=[7, 1, 20, 4]),
        "similar items": lambda m: m.similar_items(4, N=3, items=[7, 1, 20]),
        "similar users": lambda m: m.similar_users(4, N=3, users=[7, 1, 20]),
    }
    ours, theirs = calls[call](model), calls[call](oracle)
    assert ours[0].shape == theirs[0].shape
    assert set(np.unique(ours[0])) <= {-1, 7, 1, 20, 4}
    assert ours[0].dtype == np.int32  # implicit: int64 here, int32 elsewhere


ERRORS = {
    "rows": lambda m, X: m.recommend(0, X),
    "both": lambda m, X: m.recommend(0, X[0], items=[1], filter_items=[2]),
    "no such user": lambda m, X: m.recommend(999, X[0]),
    "no such item": lambda m, X: m.recommend(0, X[0], items=[999]),
    "both of similar": lambda m, X: m.similar_items(0, items=[1], filter_items=[2]),
    "no such similar": lambda m, X: m.similar_items(0, items=[999]),
    "rows of partial": lambda m, X: m.partial_fit_users([0, 1], X[0]),
}


@pytest.mark.parametrize("call", ERRORS)
def test_mistakes_raise_what_implicit_raises(call, model, oracle, matrix):
    with pytest.raises(Exception) as theirs:
        ERRORS[call](oracle, matrix)
    with pytest.raises(theirs.type):
        ERRORS[call](model, matrix)


def test_lists_of_wrmf_are_those_of_implicit_given_its_factors(matrix, oracle):
    model = sqmax.WRMF(factors=6, alpha=0.0, regularization=0.01).fit(matrix, show_progress=False)
    model.user_factors = oracle.user_factors
    model.item_factors = oracle.item_factors
    users = np.arange(matrix.shape[0])
    for more in ({}, {"filter_already_liked_items": False}, {"filter_items": [0, 3]}, {"items": [1, 2, 9, 8]}):
        ours = model.recommend(users, matrix, N=5, **more)
        theirs = oracle.recommend(users, matrix, N=5, **more)
        there = theirs[1] > -1e30  # implicit fills up with what was filtered
        assert (ours[0][there] == theirs[0][there]).all()
        assert ours[1][there] == pytest.approx(theirs[1][there], abs=1e-5)
        assert (ours[0][~there] == -1).all()
    for ours, theirs in zip(model.similar_items([3, 4], N=6), oracle.similar_items([3, 4], N=6)):
        assert ours == pytest.approx(theirs, abs=1e-5)
    ours, theirs = model.similar_users(3, N=6), oracle.similar_users(3, N=6)
    assert (ours[0] == theirs[0]).all()


def test_new_rows_of_wrmf_are_those_of_implicit(matrix, oracle):
    """implicit's confidence is the value itself, ours 1 + α: α = 0 is a matrix of ones."""
    model = sqmax.WRMF(factors=6, alpha=0.0, regularization=0.01).fit(matrix, show_progress=False)
    model.user_factors = oracle.user_factors
    model.item_factors = oracle.item_factors
    assert model.recalculate_user(0, matrix[0]) == pytest.approx(oracle.recalculate_user(0, matrix[0]), abs=1e-3)
    ours = model.recalculate_item([2, 3], matrix.T.tocsr()[[2, 3]])
    theirs = oracle.recalculate_item([2, 3], matrix.T.tocsr()[[2, 3]])
    assert ours == pytest.approx(theirs, abs=1e-3)
    assert ours.dtype == theirs.dtype and ours.shape == theirs.shape
    total, parts, weights = model.explain(5, matrix, 7, N=3)
    expected, expected_parts, _ = oracle.explain(5, matrix, 7, N=3)
    assert total == pytest.approx(expected, abs=1e-3)
    assert [item for item, _ in parts] == [item for item, _ in expected_parts]
    assert [part for _, part in parts] == pytest.approx([part for _, part in expected_parts], abs=1e-3)
    assert model.explain(5, matrix, 7, user_weights=weights, N=3)[0] == total


def objective(matrix, P, Q, alpha, ridge):
    o = np.asarray(P, dtype=float) @ np.asarray(Q, dtype=float).T
    r = matrix.toarray().astype(float)
    return ((1 + alpha * r) * (o - r) ** 2).sum() + ridge * ((P**2).sum() + (Q**2).sum())


@pytest.mark.slow
@pytest.mark.parametrize("alpha", [1.0, 9.0])
def test_wrmf_reaches_the_objective_of_implicit(alpha):
    from implicit.cpu.als import AlternatingLeastSquares

    matrix = random_matrix(120, 80, 0.15, seed=3)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        theirs = AlternatingLeastSquares(
            factors=8, regularization=5.0, alpha=1 + alpha, iterations=400, use_cg=False, random_state=0
        )
    theirs.fit(matrix, show_progress=False)
    ours = sqmax.WRMF(factors=8, regularization=5.0, alpha=alpha, iterations=400, tolerance=1e-7)
    ours.fit(matrix, show_progress=False)
    expected = objective(matrix, theirs.user_factors, theirs.item_factors, alpha, 5.0)
    found = objective(matrix, ours.user_factors, ours.item_factors, alpha, 5.0)
    assert found == pytest.approx(expected, rel=1e-4)


def every_method(model, X):
    """A program that uses all of implicit's matrix factorisation."""
    X = X.tocsr()
    heard = []
    model.fit(X, show_progress=False, callback=lambda *event: heard.append(event))
    ids, scores = model.recommend(0, X[0], N=5)
    model.recommend(np.arange(5), X[:5], N=5, filter_already_liked_items=False)
    model.similar_items(int(ids[0]))
    model.similar_users(0, N=4)
    model.recalculate_user(0, X[0])
    model.recalculate_item(0, X.T.tocsr()[0])
    total, parts, weights = model.explain(0, X, int(ids[0]))
    model.explain(0, X, int(ids[1]), user_weights=weights)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        ranked = model.rank_items(0, X[0], selected_items=[1, 2, 3])
        every = model.recommend_all(X, N=3)
    users, items = X.shape
    model.partial_fit_users([users + 1], X[0])
    wider = scipy.sparse.csr_matrix((X.T.tocsr()[0].data, X.T.tocsr()[0].indices, [0, X.T.tocsr()[0].nnz]), (1, users + 2))
    model.partial_fit_items([items], wider)
    return {
        "heard": len(heard[0]),
        "first": heard[0][0],
        "iterations": len(heard),
        "scores": scores.shape,
        "total": float(total) == total,
        "parts": len(parts),
        "ranked": len(ranked[0]),
        "every": every.shape,
        "factors": (model.user_factors.shape, model.item_factors.shape),
        "dtypes": (model.user_factors.dtype, model.item_factors.dtype),
        "norms": (model.user_norms.shape, model.item_norms.shape),
        "number": model.factors,
    }


def test_a_program_of_implicit_runs_with_another_import(model_class, oracle, matrix):
    from implicit.cpu.als import AlternatingLeastSquares

    options = {"factors": 6, "regularization": 0.1, "alpha": 2.0, "iterations": 4, "num_threads": 1, "random_state": 3}
    assert every_method(model_class(**options), matrix) == every_method(AlternatingLeastSquares(**options), matrix)


def test_bpr_of_implicit_too(matrix):
    from implicit.cpu.bpr import BayesianPersonalizedRanking

    options = {"factors": 5, "learning_rate": 0.05, "iterations": 3, "random_state": 1, "num_threads": 1}
    ours = sqmax.BPR(**options).fit(matrix, show_progress=False)
    theirs = BayesianPersonalizedRanking(**options)
    theirs.fit(matrix, show_progress=False)
    ids, scores = theirs.recommend([0, 1], matrix[:2], N=4)
    mine = ours.recommend([0, 1], matrix[:2], N=4)
    assert mine[0].shape == ids.shape and mine[1].dtype == scores.dtype
    with pytest.raises(ValueError, match="cannot be explained"):
        ours.explain(0, matrix, 1)


def test_short_lists_end_with_minus_one(model, matrix):
    """implicit fills up with id 0 and with items that were filtered."""
    left = matrix.shape[1] - matrix[2].nnz
    ids, scores = model.recommend(2, matrix[2], N=100)
    assert (ids[:left] >= 0).all() and (ids[left:] == -1).all() and np.isneginf(scores[left:]).all()
    assert not set(ids[:left]) & set(matrix[2].indices)


def test_negative_ids_are_mistakes(model, matrix):
    """implicit counts them from the end."""
    for call in (
        lambda: model.recommend(-1, matrix[0]),
        lambda: model.similar_items(-1),
        lambda: model.recommend(0, matrix[0], items=[-1]),
    ):
        with pytest.raises(IndexError):
            call()


def test_filters_in_full(model, matrix):
    """Against scores of every pair: what may be recommended is, in the order of its scores."""
    everything = model.recommend(4, None, N=matrix.shape[1], filter_already_liked_items=False)
    score = dict(zip(everything[0].tolist(), everything[1].tolist()))
    assert len(score) == matrix.shape[1]
    seen = set(matrix[4].indices.tolist())
    for left_out, kept in (([], None), ([0, 1, 9], None), ([], [2, 3, 5, 8])):
        ids, scores = model.recommend(4, matrix[4], N=10, filter_items=left_out or None, items=kept)
        may = set(kept if kept else score) - seen - set(left_out)
        expected = sorted(may, key=lambda y: (-score[y], y))[: len(ids)]
        assert ids[: len(expected)].tolist() == expected
        assert scores[: len(expected)] == pytest.approx([score[y] for y in expected], abs=1e-6)
