"""Manners: parameters, copies, files, threads, interruptions."""

import copy
import inspect
import io
import pathlib
import pickle
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import sqmax
from conftest import random_matrix


@pytest.mark.parametrize("loss", sqmax.LOSSES)
def test_every_loss_has_a_class_with_its_options(loss, matrix):
    made = sqmax._models.CLASSES[loss]
    assert getattr(sqmax, made.__name__) is made
    assert made.__name__ in sqmax.__all__
    names = set(inspect.signature(made).parameters)
    for option in sqmax.LOSSES[loss]["options"]:
        keyword = sqmax._losses.keyword_of(option["name"])
        assert keyword in names and option["help"] in made.__doc__
    model = made(factors=3, iterations=2).fit(matrix, show_progress=False)
    ids, scores = model.recommend(np.arange(4), matrix[:4], N=5)
    assert ids.shape == (4, 5) and np.isfinite(scores).all() and (ids >= 0).all()
    for u in range(4):
        assert not set(ids[u]) & set(matrix[u].indices)
    again = pickle.loads(pickle.dumps(model))
    assert (again.recommend(np.arange(4), matrix[:4], N=5)[1] == scores).all()


def test_parameters_like_those_of_scikit_learn(model_class):
    from sklearn.base import clone

    model = model_class(12, regularization=0.5, random_state=4)
    assert model.factors == 12 and model.get_params()["regularization"] == 0.5
    copied = clone(model)
    assert copied is not model and copied.get_params() == model.get_params()
    assert model_class(rank=12, lambda_=0.5).get_params() == model_class(factors=12, regularization=0.5).get_params()
    assert repr(model) == f"{model_class.__name__}(factors=12, regularization=0.5, random_state=4)"


def test_a_grid_in_the_manner_of_scikit_learn(matrix):
    from sklearn.model_selection import ParameterGrid

    train, test = sqmax.evaluation.train_test_split(matrix, random_state=0)
    scores = {}
    for setting in ParameterGrid({"factors": [2, 4], "regularization": [0.1, 10.0]}):
        model = sqmax.WRMF().set_params(**setting).fit(train, show_progress=False)
        scores[tuple(setting.values())] = sqmax.evaluate(model, test)["ndcg@10"]
    assert len(set(scores.values())) > 1


@pytest.mark.parametrize(
    "wrong", [{"factors": 0}, {"factors": 2.5}, {"iterations": -1}, {"regularization": -1}, {"solver": "magic"},
              {"random_state": "x"}, {"num_threads": -2}, {"alpha": "much"}, {"dtype": np.float64}, {"use_gpu": True}]
)
def test_wrong_parameters_are_named(wrong, matrix):
    with pytest.raises(ValueError, match=next(iter(wrong))):
        sqmax.WRMF(**wrong).fit(matrix, show_progress=False)


def test_an_unknown_parameter_is_an_error():
    with pytest.raises(TypeError, match="facters"):
        sqmax.RGp(facters=3)
    with pytest.raises(TypeError):
        sqmax.RGp(3, 4)


def test_factors_past_the_smaller_side_are_zero(matrix):
    few = matrix[:, :5]
    model = sqmax.WRMF(factors=9).fit(few, show_progress=False)
    assert model.item_factors.shape == (5, 9) and (model.item_factors[:, 5:] == 0).all()
    assert model.recalculate_user(0, few[0]) == pytest.approx(model.user_factors[0], abs=1e-3)


def test_seeds(matrix):
    def vectors(**seed):
        return sqmax.WRMF(factors=3, iterations=1, **seed).fit(matrix, show_progress=False).item_factors

    assert (vectors() == vectors(random_state=0)).all()
    assert (vectors(random_state=1) != vectors(random_state=2)).any()
    assert (vectors(random_state=np.random.default_rng(5)) == vectors(random_state=np.random.default_rng(5))).all()


def test_the_same_bytes_for_any_number_of_threads(model_class, tmp_path):
    matrix = random_matrix(300, 200, 0.1)
    files = []
    for threads in (1, 2):
        model_class(factors=5, num_threads=threads).fit(matrix, show_progress=False).save(tmp_path / "m")
        files.append((tmp_path / "m").read_bytes())
    assert files[0] == files[1]


def test_copies_and_pickles_are_equal(model, matrix):
    for made in (copy.deepcopy(model), copy.copy(model), pickle.loads(pickle.dumps(model))):
        assert made.get_params() == model.get_params()
        assert (made.user_factors == model.user_factors).all()
        assert (made.recommend(0, matrix[0])[1] == model.recommend(0, matrix[0])[1]).all()
    kept = model.user_factors.copy()
    copied = copy.deepcopy(model)
    copied.partial_fit_users([0], matrix[5])
    assert (model.user_factors == kept).all() and (copied.user_factors[0] != kept[0]).any()
    assert pickle.loads(pickle.dumps(type(model)())).user_factors is None


@pytest.mark.parametrize("mmap", [False, True])
def test_files(model, matrix, tmp_path, mmap):
    path = tmp_path / "model.safetensors"
    model.save(path)
    for made in (type(model).load(path, mmap=mmap), sqmax.load(str(path), mmap=mmap)):
        assert type(made) is type(model) and made.factors == model.factors
        assert (made.item_factors == model.item_factors).all()
        assert (made.recommend(1, matrix[1])[0] == model.recommend(1, matrix[1])[0]).all()
    buffer = io.BytesIO()
    model.save(buffer)
    assert buffer.getvalue() == path.read_bytes()
    buffer.seek(0)
    assert (type(model).load(buffer).item_factors == model.item_factors).all()


def test_files_that_are_none(tmp_path, model):
    with pytest.raises(OSError):
        sqmax.load(tmp_path / "nothing")
    (tmp_path / "text").write_text("not a model, but long enough to have a header of eight bytes")
    with pytest.raises(ValueError, match="text"):
        sqmax.load(tmp_path / "text")
    with pytest.raises(OSError):
        model.save(tmp_path / "no folder" / "model")
    model.save(tmp_path / "model")
    with pytest.raises(ValueError, match="not of BPR"):
        sqmax.BPR.load(tmp_path / "model")


def test_partial_fits_are_recalculations(model, matrix):
    users, items = matrix.shape
    expected = model.recalculate_user([users + 2, 1], matrix[[4, 5]])
    kept = model.user_factors[2].copy()
    model.partial_fit_users([users + 2, 1], matrix[[4, 5]])
    assert model.user_factors.shape[0] == users + 3
    assert (model.user_factors[[users + 2, 1]] == expected).all()
    assert (model.user_factors[2] == kept).all() and (model.user_factors[users] == 0).all()
    assert set(model.seen[1].indices) == set(matrix[5].indices)
    assert len(model.user_ids) == users + 3
    by_item = matrix.T.tocsr()
    by_item.resize(items, users + 3)
    expected = model.recalculate_item([items], by_item[[2]])
    model.partial_fit_items([items], by_item[[2]])
    assert (model.item_factors[items] == expected[0]).all()
    assert model.recommend(0, N=items + 1, filter_already_liked_items=False)[0].max() == items


def test_fold_in_gives_the_vectors_of_training(model, matrix):
    """The last half-step of training is the users': folding in a row makes the same vector."""
    users = np.arange(matrix.shape[0])
    assert model.recalculate_user(users, matrix) == pytest.approx(model.user_factors, abs=2e-3)


def test_factors_are_views_that_outlive_the_model(matrix):
    model = sqmax.WRMF(factors=3).fit(matrix, show_progress=False)
    first, second = model.user_factors, model.user_factors
    assert np.shares_memory(first, second) and not first.flags.writeable
    kept = first.copy()
    del model, second
    assert (first == kept).all()


def test_popularity_has_no_vectors(matrix):
    model = sqmax.Popularity().fit(matrix, show_progress=False)
    assert model.user_factors.shape == (40, 0)
    assert model.recommend(0, N=30, filter_already_liked_items=False)[0][0] == matrix.sum(axis=0).argmax()
    with pytest.raises(ValueError, match="no vectors"):
        model.similar_items(0)
    with pytest.raises(ValueError, match="cannot be explained"):
        model.explain(0, matrix, 1)
    again = pickle.loads(pickle.dumps(model))
    assert again.fit(matrix, show_progress=False).recalculate_user(0, matrix[0]).shape == (0,)


def test_a_fit_that_diverges_says_so(matrix):
    with pytest.warns(RuntimeWarning, match="diverged"):
        model = sqmax.SM(factors=3, iterations=30, solver="sgd", learning_rate=1e3).fit(matrix, show_progress=False)
    assert np.isfinite(model.item_factors).all()


def test_inner_products_are_scores(matrix):
    model = sqmax.RGp(factors=4, links=0).fit(matrix, show_progress=False)
    users, items = model.inner_product_vectors()
    ids, scores = model.recommend(3, matrix[3], N=5)
    assert users[3] @ items[ids].T == pytest.approx(scores, abs=1e-4)


def test_threads_share_a_model(model, matrix):
    users = np.arange(matrix.shape[0])
    expected = model.recommend(users, matrix, N=5)[0]
    copied = pickle.loads(pickle.dumps(model))  # nothing is made yet that answers need
    wrong = []

    def ask():
        for u in users:
            if (copied.recommend(int(u), matrix[int(u)], N=5)[0] != expected[u]).any():
                wrong.append(u)
            copied.similar_items(3)
            copied.recalculate_user(0, matrix[0])

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_callbacks(model_class, matrix):
    heard = []
    model = model_class(factors=3, iterations=4, calculate_training_loss=True)
    model.fit(matrix, show_progress=False, callback=lambda *event: heard.append(event))
    assert [event[0] for event in heard] == list(range(len(heard))) and len(heard) == 4
    losses = [event[2] for event in heard]
    assert losses == sorted(losses, reverse=True)
    assert all(event[1] >= 0 for event in heard)

    def stop(*_):
        raise StopIteration("enough")

    kept = model.item_factors.copy()
    with pytest.raises(StopIteration, match="enough"):
        model.fit(matrix, show_progress=False, callback=stop)
    assert (model.item_factors == kept).all()


def test_progress_is_a_bar(matrix, capsys):
    sqmax.WRMF(factors=3, iterations=4).fit(matrix)
    assert "4/4" in capsys.readouterr().err
    sqmax.WRMF(factors=3, iterations=4).fit(matrix, show_progress=False)
    assert capsys.readouterr() == ("", "")


LONG = """
import sys
import numpy as np, scipy.sparse, sqmax
matrix = scipy.sparse.random(3000, 1000, 0.02, format="csr", random_state=0).astype(bool)
print("ready", flush=True)
model = sqmax.WRMF(factors=32, iterations=100000, tolerance=0.0)
try:
    model.fit(matrix, show_progress=False)
except KeyboardInterrupt:
    print("interrupted", model.user_factors is None, flush=True)
"""


def test_an_interrupt_ends_a_fit():
    with subprocess.Popen([sys.executable, "-c", LONG], stdout=subprocess.PIPE, text=True) as run:
        assert run.stdout.readline() == "ready\n"
        time.sleep(0.3)
        run.send_signal(signal.SIGINT)
        try:
            told, _ = run.communicate(timeout=20)
        finally:
            run.kill()
    assert told == "interrupted True\n" and run.returncode == 0


def test_other_threads_run_during_a_fit():
    matrix = random_matrix(2000, 800, 0.05)
    stop = threading.Event()
    ticks = []

    def tick():
        while not stop.is_set():
            ticks.append(time.perf_counter())
            time.sleep(0.001)

    thread = threading.Thread(target=tick)
    thread.start()
    begin = time.perf_counter()
    sqmax.WRMF(factors=64, iterations=4, solver="als", num_threads=1).fit(matrix, show_progress=False)
    end = time.perf_counter()
    stop.set()
    thread.join()
    during = sum(begin < tick < end for tick in ticks)
    assert during > 0.1 * (end - begin) / 0.001


def test_notebooks_see_tables(model):
    shown = model._repr_html_()
    assert shown.startswith("<strong>") and "<table>" in shown and "factors" in shown
    assert "<td>" in type(model)()._repr_html_()


def test_the_version_is_that_of_the_library():
    root = pathlib.Path(__file__).parents[2]
    assert f"VERSION {sqmax.__version__} " in (root / "CMakeLists.txt").read_text()
    assert f'version = "{sqmax.__version__}"' in (root / "python" / "pyproject.toml").read_text()
