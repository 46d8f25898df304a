"""A cluster whose messages are small and which encrypts what it keeps."""

import os
import subprocess
import sys
import textwrap

import pytest
from cluster import Cluster

DRIVER = """
    import sys
    sys.path.insert(0, {tests!r})
    import numpy as np
    from cluster import session
    from sqmax.spark import RGp, RGpModel

    strict = {{"spark.rpc.message.maxSize": "1", "spark.io.encryption.enabled": "true"}}  # MiB
    spark = session({master!r}, name="strict", **strict)
    frame = spark.range(2000).selectExpr("id AS user", "explode(sequence(10 * id, 10 * id + 12)) AS item")
    for item_bytes in (1 << 20, 1 << 26):  # ranges that are too large for a message, alone or together
        folder = {folder!r} + f"/{{item_bytes}}"
        recommender = RGp(rank=32, maxIter=2, tol=0.0, itemBlockBytes=item_bytes, checkpointDir=f"{{folder}}/kept")
        model = recommender.fit(frame)
        assert model._learned.Q.nbytes > 2 << 20
        model.save(f"{{folder}}/model")
        again = RGpModel.load(f"{{folder}}/model")
        assert np.array_equal(again._learned.Q, model._learned.Q)
        assert np.array_equal(again._learned.item_degrees, model._learned.item_degrees)
        assert not np.isnan([row["prediction"] for row in again.transform(frame.limit(100)).collect()]).any()
        resumed = recommender.fit(frame)  # all sweeps are in the checkpoint
        assert np.array_equal(resumed._learned.Q, model._learned.Q)
    spark.stop()
    print("whole")
"""


@pytest.mark.slow
def test_items_that_no_message_could_hold(tmp_path):
    cluster = Cluster(tmp_path, workers=1)
    try:
        script = DRIVER.format(tests=os.path.dirname(__file__), master=cluster.url, folder=str(tmp_path))
        done = subprocess.run([sys.executable, "-c", textwrap.dedent(script)], capture_output=True, text=True)
    finally:
        cluster.stop()
    assert done.returncode == 0 and done.stdout.split()[-1] == "whole", done.stderr[-3000:]
