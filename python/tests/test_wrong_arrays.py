"""Arrays that are wrong: a clear exception, and never a crash."""

import numpy as np
import pytest
import scipy.sparse

import sqmax
from conftest import random_matrix


def broken(change):
    matrix = random_matrix().copy()
    change(matrix)
    return matrix


def with_indices(values):
    def change(matrix):
        matrix.indices = np.asarray(values(matrix.indices))

    return change


WRONG = {
    "a list": ([[1, 0], [0, 1]], "sparse"),
    "dense": (np.eye(4), "sparse"),
    "none": (None, "sparse"),
    "not a number": (broken(lambda m: m.data.__setitem__(3, np.nan)), "NaN"),
    "negative": (broken(lambda m: m.data.__setitem__(3, -1)), "negative"),
    "complex": (random_matrix().astype(complex), "numbers"),
    "empty": (scipy.sparse.csr_matrix((5, 4)), "nothing to learn from"),
    "no rows": (scipy.sparse.csr_matrix((0, 4)), "nothing"),
    "no columns": (scipy.sparse.csr_matrix((4, 0)), "nothing"),
    "column too large": (broken(with_indices(lambda i: np.where(i == 3, 1000, i).astype(np.int32))), "column 1000"),
    "column too large, 64 bits": (broken(with_indices(lambda i: i.astype(np.int64) + 2**33)), "columns"),
    "negative column": (broken(with_indices(lambda i: np.where(i == 3, -7, i).astype(np.int32))), "column -7"),
    "indptr falls": (broken(lambda m: m.indptr.__setitem__(2, 10**6)), "indptr"),
    "indptr too long": (broken(lambda m: setattr(m, "indptr", np.append(m.indptr, 9))), "indptr"),
    "indptr negative": (broken(lambda m: m.indptr.__setitem__(0, -5)), "indptr"),
    "values too few": (broken(lambda m: setattr(m, "data", m.data[:3])), "CSR"),
}


@pytest.mark.parametrize("case", WRONG)
def test_fit_refuses(case):
    matrix, sentence = WRONG[case]
    with pytest.raises(ValueError, match=sentence):
        sqmax.RGp(factors=2, iterations=1).fit(matrix, show_progress=False)


@pytest.mark.parametrize("case", ["column too large", "negative column", "indptr falls", "indptr negative"])
def test_questions_refuse(case):
    good = random_matrix()
    model = sqmax.WRMF(factors=2, iterations=1).fit(good, show_progress=False)
    users = np.arange(good.shape[0])
    for ask in (model.recommend, model.recalculate_user, model.partial_fit_users):
        with pytest.raises(ValueError, match=WRONG[case][1]):
            ask(users, WRONG[case][0])
    with pytest.raises(ValueError, match="transposed"):
        model.recommend(np.arange(good.shape[1]), good.T.tocsr())


def test_any_form_of_the_same_matrix_gives_the_same_model(matrix):
    expected = sqmax.WRMF(factors=3).fit(matrix, show_progress=False).item_factors
    shuffled = matrix.copy()
    for r in range(shuffled.shape[0]):
        row = slice(shuffled.indptr[r], shuffled.indptr[r + 1])
        shuffled.indices[row] = shuffled.indices[row][::-1].copy()
    shuffled.has_sorted_indices = False
    doubled = scipy.sparse.csr_matrix(
        (np.ones(2 * matrix.nnz), np.concatenate([np.tile(matrix[r].indices, 2) for r in range(matrix.shape[0])]),
         2 * matrix.indptr), shape=matrix.shape)
    zeros = matrix + 0 * scipy.sparse.csr_matrix(np.ones(matrix.shape))
    wide = matrix.copy()
    wide.indices, wide.indptr = wide.indices.astype(np.int64), wide.indptr.astype(np.int64)
    forms = [matrix.tolil(), matrix.todok(), matrix.tocoo(), matrix.tocsc(), matrix.astype(bool), matrix.astype(np.int8), shuffled, doubled, zeros,
             wide, scipy.sparse.csr_array(matrix)]
    for form in forms:
        found = sqmax.WRMF(factors=3).fit(form, show_progress=False).item_factors
        assert (found == expected).all()


def test_values_are_not_counted_and_it_says_so(matrix):
    with pytest.warns(UserWarning, match="values other than 1"):
        model = sqmax.WRMF(factors=3).fit(matrix * 5, show_progress=False)
    assert (model.item_factors == sqmax.WRMF(factors=3).fit(matrix, show_progress=False).item_factors).all()


def test_the_model_does_not_follow_the_matrix(matrix):
    """Nor does it crash when the caller's arrays change."""
    changed = matrix.copy()
    model = sqmax.RGp(factors=3).fit(changed, show_progress=False)
    before = model.recommend(0)[0]
    changed.indices[:] = 10**6
    assert (model.recommend(0)[0] == before).all()


@pytest.mark.parametrize("user", ["x", 1.5, [[1, 2]], None, [1.0], 2**40])
def test_users_must_be_positions(user, model):
    with pytest.raises((ValueError, IndexError)):
        model.recommend(user)


@pytest.mark.parametrize("N", [-1, 2.5, "3", 2**40, None])
def test_n_must_be_a_number(N, model):
    with pytest.raises((ValueError, TypeError)):
        model.recommend(0, N=N)


def test_factors_must_fit(model):
    for wrong in (np.zeros((2, 2)), np.zeros(3), np.full(model.user_factors.shape, np.nan)):
        with pytest.raises(ValueError):
            model.user_factors = wrong
    with pytest.raises(ValueError):
        model.user_factors[0, 0] = 1.0  # a view of what other threads read


def test_an_unfitted_model_says_so(model_class, matrix):
    for ask in (lambda m: m.recommend(0, matrix[0]), lambda m: m.similar_items(0), lambda m: m.save("x")):
        with pytest.raises(ValueError, match="not been fitted"):
            ask(model_class())
    assert model_class().user_factors is None
