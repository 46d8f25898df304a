"""What tests of sqmax.spark share: a cluster of two workers, a session on it, and small data."""

import pytest
from cluster import Cluster, session
from models import Data, tasteful_pairs


@pytest.fixture(scope="session")
def cluster(tmp_path_factory):
    made = Cluster(tmp_path_factory.mktemp("cluster"))
    yield made
    made.stop()


@pytest.fixture(scope="session")
def spark(cluster):
    made = session(cluster.url)
    yield made
    made.stop()


@pytest.fixture(scope="session")
def data(spark):
    return Data(spark, *tasteful_pairs(400, 90))
