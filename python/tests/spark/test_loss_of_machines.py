"""Executors and drivers that die: nothing changes but the time."""

import os
import signal
import subprocess
import sys
import textwrap

import numpy as np
import pytest
from models import Data, learned, tasteful_pairs

from sqmax.spark import RGp
from sqmax.spark import _estimator as estimator_module


def at_sweep(monkeypatch, number, action):
    """Calls action when that sweep begins."""
    tell = estimator_module.Fit.tell

    def told(fit, what):
        tell(fit, what)
        if what.startswith(f"sweep {number} "):
            action()

    monkeypatch.setattr(estimator_module.Fit, "tell", told)


def sweeps_told(monkeypatch):
    heard = []
    tell = estimator_module.Fit.tell
    monkeypatch.setattr(estimator_module.Fit, "tell", lambda fit, what: (heard.append(what), tell(fit, what)))
    return heard


def test_a_stopped_fit_goes_on_from_its_checkpoint(data, tmp_path, monkeypatch):
    whole = RGp(rank=5, maxIter=4, tol=0.0)
    expected = learned(whole.fit(data.frame))
    kept = whole.copy().setCheckpointDir(str(tmp_path))

    def stop():
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        at_sweep(patch, 4, stop)
        with pytest.raises(KeyboardInterrupt):
            kept.fit(data.frame)
    assert len(list(tmp_path.glob("*-*/_SUCCESS"))) == 2  # the last two
    heard = sweeps_told(monkeypatch)
    model = kept.fit(data.frame)
    assert [what for what in heard if what.startswith("sweep")] == ["sweep 4 of 4"]
    for mine, its in zip(learned(model), expected):
        assert np.array_equal(mine, its)
    kept.copy().setRegParam(0.7).fit(data.frame)  # another loss does not go on from it
    assert "sweep 1 of 4" in heard


@pytest.mark.slow
def test_a_worker_killed_in_a_sweep_costs_time_alone(spark, cluster, monkeypatch):
    data = Data(spark, *tasteful_pairs(3000, 800, seed=2))
    recommender = RGp(rank=32, maxIter=4, tol=0.0, numUserBlocks=6)
    expected = learned(recommender.fit(data.frame))
    read = spark.sparkContext.accumulator(0)
    before = []

    def count(batches):
        for batch in batches:
            read.add(batch.num_rows)
            yield batch

    def kill():
        before.append(read.value)
        cluster.workers[0].kill()
        cluster.add_worker()

    at_sweep(monkeypatch, 2, kill)
    found = learned(recommender.fit(data.frame.mapInArrow(count, data.frame.schema)))
    assert cluster.workers[0].process.poll() == -signal.SIGKILL
    assert before == [2 * len(data.users)] and read.value > before[0]  # lost blocks were made again from the source
    for mine, its in zip(found, expected):
        assert np.array_equal(mine, its)


DRIVER = """
    import os, signal, sys
    sys.path.insert(0, {tests!r})
    import numpy as np
    from cluster import session
    from models import Data, learned, tasteful_pairs
    from sqmax.spark import RGp
    from sqmax.spark import _estimator

    deadly = int(sys.argv[1])
    heard, tell = [], _estimator.Fit.tell

    def told(fit, what):
        heard.append(what)
        if what.startswith(f"sweep {{deadly}} "):
            os.kill(os.getpid(), signal.SIGKILL)
        tell(fit, what)

    _estimator.Fit.tell = told
    spark = session({master!r}, name="driver", **{{"spark.cores.max": "1"}})
    data = Data(spark, *tasteful_pairs(300, 60))
    model = RGp(rank=4, maxIter=4, tol=0.0, numUserBlocks=3, checkpointDir={folder!r} if deadly >= 0 else "").fit(data.frame)
    np.savez({out!r}, P=learned(model)[1], Q=learned(model)[3])
    print(sum(what.startswith("sweep") for what in heard))
    spark.stop()
"""


@pytest.mark.slow
def test_a_new_driver_goes_on_where_a_killed_one_was(tmp_path):
    def drive(deadly, out):
        script = DRIVER.format(
            tests=os.path.dirname(__file__), master="local[1]", folder=str(tmp_path / "kept"), out=str(tmp_path / out)
        )
        return subprocess.run([sys.executable, "-c", textwrap.dedent(script), str(deadly)], capture_output=True, text=True)

    assert drive(3, "none").returncode == -signal.SIGKILL
    resumed, whole = drive(0, "resumed.npz"), drive(-1, "whole.npz")
    assert resumed.stdout.split()[-1] == "2" and whole.stdout.split()[-1] == "4"
    left, right = np.load(tmp_path / "resumed.npz"), np.load(tmp_path / "whole.npz")
    assert np.array_equal(left["Q"], right["Q"]) and np.array_equal(left["P"], right["P"])
