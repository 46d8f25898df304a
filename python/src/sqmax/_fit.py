"""fit(): a good model without a decision."""

from __future__ import annotations

import warnings

import numpy as np

from . import _core, _models
from ._data import Dataset, prepare
from ._listening import bar, spoken


def fit(
    interactions,
    loss: str = "rgp",
    *,
    budget: str = "",
    metrics: str = "ndcg@10,recall@10,map@10,mrr@10",
    valid: float = 0.1,
    test: float = 0.0,
    refit: bool = True,
    show_progress: bool = True,
    random_state=None,
    num_threads: int = 0,
    user: str | None = None,
    item: str | None = None,
    rating: str | None = None,
    time: str | None = None,
    min_rating: float | None = None,
    kcore: int = 1,
    split: str | None = None,
    **params,
) -> _models.Model:
    """Learns a model, with settings and rank searched on held-out interactions.

    A share of each user's interactions is held out, settings that rank it best are looked for, and the
    best ones are learned once more from everything.

    Parameters
    ----------
    interactions
        Whatever sqmax.prepare takes, or a Dataset, whose own parts are used.
    loss : str
        See sqmax.LOSSES.
    budget : str
        How long to search: "30s", "5m" or "100trials"; 24 trials if empty.
    metrics : str
        What to measure; the first one decides.
    valid, test : float
        Shares that are held out. Nothing is learned from the test part, on which the model is measured.
    refit : bool
        Whether validation interactions are learned from in the end.
    params
        Options of the loss that are not to be searched, and factors.

    Returns
    -------
    Model
        Its report has the trials and what was measured.

    >>> import scipy.sparse, sqmax
    >>> matrix = scipy.sparse.random(200, 60, 0.2, format="csr", random_state=1).astype(bool)
    >>> model = sqmax.fit(matrix, budget="2trials", factors=4, show_progress=False)
    >>> len(model.report["trials"])
    2
    """
    seed = _models._seed(random_state)
    data = interactions
    if not isinstance(data, Dataset):
        data = prepare(
            interactions,
            user=user,
            item=item,
            rating=rating,
            time=time,
            min_rating=min_rating,
            kcore=kcore,
            split=split,
            ratios=(1.0 - valid - test, valid, test),
            seed=seed,
        )
    model = _class_for(loss)(random_state=seed, num_threads=num_threads)
    model.set_params(**params)
    if not _can_search(data):
        return model.fit(data, show_progress=show_progress)
    fitted, told = _search(model, data, _request(budget, metrics, params, refit), params, show_progress)
    if data._core.test.nnz:
        told["test"] = _core.measure(fitted, data._core, True, metrics, num_threads).means
    return _dressed(model, fitted, {**told, "seed": seed, "data_fingerprint": data._core.fingerprint})


def _class_for(loss: str) -> type:
    if loss not in _models.CLASSES:
        raise ValueError(f"There is no loss {loss!r}; there are {', '.join(_models.CLASSES)}.")
    return _models.CLASSES[loss]


def _can_search(data: Dataset) -> bool:
    judges = int(np.count_nonzero(np.diff(data._core.valid.indptr)))
    if judges < _core.FEWEST_JUDGES:
        warnings.warn(
            f"{judges} users have validation interactions, too few to choose settings by: "
            "the model has the default settings.",
            UserWarning,
            stacklevel=3,
        )
    return judges >= _core.FEWEST_JUDGES


def _request(budget: str, metrics: str, params: dict, refit: bool) -> _core.TuneRequest:
    request = _core.TuneRequest()
    request.budget = budget
    request.metrics = metrics
    request.search_rank = not {"factors", "rank"} & set(params)
    request.refit = refit
    request.memory = _available_memory()
    return request


def _search(model, data, request, params, show_progress):
    """The model's own settings are searched, but for those in params."""
    wanted = model.request()
    fixed = {model._aliases().get(name, name) for name in params}
    keywords = {name: _models.keyword_of(name) for name in wanted.settings}
    wanted.settings = {name: value for name, value in wanted.settings.items() if keywords[name] in fixed}
    if "iterations" not in params:
        wanted.iterations = None
    progress = bar(None, show_progress, desc=f"tuning {model.loss}", unit="trial")

    def heard(number, trials, best):
        if progress is not None:
            progress.total = trials or None
            progress.set_postfix(best=f"{best:.4f}", refresh=False)
            progress.update(number - progress.n)

    try:
        with spoken():
            return _core.tune(data._core, wanted, request, heard)
    finally:
        if progress is not None:
            progress.close()


def _dressed(model, fitted, told):
    made = _models._model_of(fitted, type(model))
    for name in ("random_state", "num_threads", "solver"):
        setattr(made, name, getattr(model, name))
    made._take(fitted, told)
    return made


def _available_memory() -> int:
    try:
        with open("/proc/meminfo", encoding="ascii") as file:
            lines = dict(line.split(":", 1) for line in file)
        return int(lines["MemAvailable"].split()[0]) * 1024
    except (OSError, KeyError, ValueError):
        return 2**62
