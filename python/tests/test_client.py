"""Client against a real server on loopback."""

import os
import subprocess
import threading

import numpy as np
import pytest
import scipy.sparse
import sqmax

PROGRAM = os.environ.get("SQMAX_PROGRAM", "")
pytestmark = pytest.mark.skipif(not PROGRAM, reason="SQMAX_PROGRAM names no program")
TOKEN = "a token for tests"


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    random = np.random.default_rng(3)
    matrix = scipy.sparse.csr_matrix(random.random((60, 40)) < 0.2)
    fitted = sqmax.RGp(factors=8, links=3).fit(matrix, show_progress=False)
    path = tmp_path_factory.mktemp("served") / "model.safetensors"
    fitted.save(path)
    return fitted, matrix, path


@pytest.fixture(scope="module")
def url(model, tmp_path_factory):
    events = tmp_path_factory.mktemp("events") / "events.jsonl"
    command = [PROGRAM, "serve", str(model[2]), "--port", "0", "--token", TOKEN, "--events", str(events)]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    yield server.stdout.readline().strip()
    server.terminate()
    assert server.wait(20) == 0


@pytest.fixture
def client(url):
    return sqmax.Client(url, token=TOKEN, timeout=10)


def ids(items):
    return [int(entry["item"]) for entry in items]


def test_lists_are_those_of_the_model(client, model):
    fitted, matrix, _ = model
    for user in (0, 7, 59):
        expected, scores = fitted.recommend(user, matrix[user], N=6)
        items = client.recommend(str(user), N=6)
        assert ids(items) == list(expected)
        np.testing.assert_allclose([entry["score"] for entry in items], scores, rtol=1e-5)


def test_a_history_is_folded_in(client, model):
    fitted, _, _ = model
    history = scipy.sparse.csr_matrix((np.ones(3), ([0, 0, 0], [1, 5, 9])), shape=(1, 40))
    expected, _ = fitted.recommend(0, history, N=5, recalculate_user=True)
    items = client.recommend(history=["5", "1", "9"], N=5)
    assert ids(items) == list(expected)
    assert client.recommend_batch(histories=[["1", "5", "9"], ["2"]], N=5)[0] == items
    first = ids(items)[0]
    assert first not in ids(client.recommend(history=["1", "5", "9"], N=5, exclude=[str(first)]))


def test_explanations_sum_to_the_score(client):
    told = client.explain(["1", "5", "9"], "3")
    parts = sum(part["score"] for part in told["contributions"])
    assert len(told["contributions"]) == 3
    assert parts + told["rest"] == pytest.approx(told["score"], abs=1e-5)


def test_similar_search_and_model(client, model):
    expected, _ = model[0].similar_items(3, N=5)
    assert ids(client.similar("3", N=4)) == list(expected[1:])
    assert client.search("3")[0]["item"] == "3"
    assert client.model()["loss"] == "rgp" and client.ready()


def test_events_are_heard_at_once(client):
    best = client.recommend("4", N=1)[0]["item"]
    assert client.add_events([("4", best)]) == 1
    assert best not in [entry["item"] for entry in client.recommend("4", N=40)]


def test_refusals_are_exceptions(client, url):
    with pytest.raises(sqmax.ServerError) as refused:
        client.recommend(history=["1", "no such item"])
    assert refused.value.status == 400 and "no such item" in str(refused.value)
    with pytest.raises(sqmax.ServerError) as refused:
        sqmax.Client(url, token="another").recommend("1")
    assert refused.value.status == 401
    with pytest.raises(ValueError):
        client.recommend("1", history=["2"])
    with pytest.raises(ValueError):
        sqmax.Client("127.0.0.1:80")


def test_threads_share_a_client(client):
    expected = [client.recommend(str(user), N=5) for user in range(16)]
    found = [None] * 16

    def ask(user):
        found[user] = client.recommend(str(user), N=5)

    threads = [threading.Thread(target=ask, args=(user,)) for user in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == expected


def test_no_server_is_an_os_error():
    with pytest.raises(OSError):
        sqmax.Client("http://127.0.0.1:9", timeout=1).recommend("1")
    assert not sqmax.Client("http://127.0.0.1:9", timeout=1).ready()
