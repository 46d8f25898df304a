"""What tests share: small matrices, and the program."""

import importlib.util
import os
import warnings

# implicit is slow if its BLAS has several threads; it is read when NumPy is loaded.
os.environ["OPENBLAS_NUM_THREADS"] = "1"

import numpy as np
import pytest
import scipy.sparse

import sqmax


# Tests of sqmax.spark have an environment of their own: tools/test_spark.sh
if importlib.util.find_spec("pyspark") is None:
    collect_ignore = ["spark"]


def pytest_configure(config):
    config.addinivalue_line("markers", "slow: more than a second; left out of the short form")


def random_matrix(users=40, items=30, density=0.25, seed=0, dtype=np.float32):
    """Ones at random places; nobody and nothing is left without."""
    random = np.random.default_rng(seed)
    dense = random.random((users, items)) < density
    dense[np.arange(users), random.integers(items, size=users)] = True
    dense[random.integers(users, size=items), np.arange(items)] = True
    return scipy.sparse.csr_matrix(dense.astype(dtype))


@pytest.fixture
def matrix():
    return random_matrix()


@pytest.fixture(scope="session")
def program():
    path = os.environ.get("SQMAX_PROGRAM")
    if not path:
        pytest.skip("SQMAX_PROGRAM does not name the program")
    return path


@pytest.fixture(params=["RGp", "WRMF"])
def model_class(request):
    return getattr(sqmax, request.param)


@pytest.fixture
def model(model_class, matrix):
    return model_class(factors=6, iterations=3).fit(matrix, show_progress=False)


@pytest.fixture
def oracle(matrix):
    """implicit's model of the same data."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from implicit.cpu.als import AlternatingLeastSquares

        als = AlternatingLeastSquares(factors=6, iterations=3, num_threads=1, random_state=0)
    als.fit(matrix, show_progress=False)
    return als
