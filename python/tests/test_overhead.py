"""What Python adds: to an import, to an answer, to a fit, to a disk."""

import importlib.metadata
import os
import statistics
import subprocess
import sys
import time

import numpy as np
import pytest
import scipy.sparse

import sqmax


def median_seconds(call, rounds=50):
    times = []
    for _ in range(rounds):
        begin = time.perf_counter()
        call()
        times.append(time.perf_counter() - begin)
    return statistics.median(times)


@pytest.mark.slow
def test_one_recommendation_costs_less_than_a_millisecond_more():
    matrix = scipy.sparse.random(500, 1000, 0.02, format="csr", random_state=0).astype(bool)
    model = sqmax.RGp(factors=16).fit(matrix, show_progress=False)
    row = matrix[3]
    core = sqmax._matrices.to_core(row, "row")
    users = np.array([3], dtype=np.int32)
    inside = median_seconds(
        lambda: sqmax._core.recommend(model._fitted, users, core, 10, True, False, None, 0), 300
    )
    assert median_seconds(lambda: model.recommend(3, row), 300) - inside < 1e-3


@pytest.mark.slow
def test_a_fit_costs_little_more():
    matrix = scipy.sparse.random(8000, 3000, 0.01, format="csr", random_state=0).astype(bool)
    model = sqmax.WRMF(factors=64, iterations=3, solver="als")
    begin = time.perf_counter()
    model.fit(matrix, show_progress=False)
    whole = time.perf_counter() - begin
    assert whole - model.report["seconds"] < 0.05 * whole  # 1 % on a quiet machine


IMPORT = """
import json, time
import numpy, scipy.sparse
begin = time.perf_counter()
import sqmax
print(time.perf_counter() - begin)
"""


@pytest.mark.slow
def test_the_import_is_quick():
    times = [float(subprocess.check_output([sys.executable, "-c", IMPORT])) for _ in range(5)]
    assert min(times) < 0.1


def test_the_wheel_is_small():
    files = importlib.metadata.files("sqmax")
    assert sum(os.path.getsize(file.locate()) for file in files) < 30e6
    dist = os.path.join(os.path.dirname(__file__), "..", "..", "build", "dist")
    for name in os.listdir(dist) if os.path.isdir(dist) else []:
        assert os.path.getsize(os.path.join(dist, name)) < 10e6, name


ALONE = """
import sys
for name in ("pandas", "polars", "pyarrow", "tqdm", "matplotlib", "sklearn", "implicit"):
    sys.modules[name] = None
import scipy.sparse, sqmax
matrix = scipy.sparse.random(60, 40, 0.2, format="csr", random_state=1).astype(bool)
model = sqmax.RGp(factors=4).fit(matrix)
model.recommend(0, matrix[0])
print(sorted(name for name in ("pandas", "tqdm") if sys.modules.get(name)))
"""


def test_numpy_and_scipy_are_enough():
    assert subprocess.check_output([sys.executable, "-W", "error", "-c", ALONE], text=True) == "[]\n"
