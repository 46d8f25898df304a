"""Evaluation: metrics of full rankings, with intervals; several losses compared."""

from __future__ import annotations

import time

import numpy as np

from . import _core, _fit, _models
from ._data import Dataset, prepare
from ._listening import spoken
from ._matrices import to_core
from ._show import table_html, text

_METRICS = "ndcg@10,recall@10,map@10,mrr@10"


class Report:
    """Means of metrics over users, their 95 % bootstrap intervals, and every user's values."""

    def __init__(self, core: _core.Evaluation):
        self._core = core
        self.metrics: dict = core.means
        self.intervals: dict = core.intervals
        self.users: np.ndarray = core.users

    def __getitem__(self, metric: str) -> float:
        return self.metrics[metric]

    def per_user(self, metric: str) -> np.ndarray:
        """The metric of each of `users`."""
        return self._core.values[:, self._core.user_metrics.index(metric)]

    def versus(self, other: Report) -> list:
        """Differences of this and another report on the same users, with intervals and p-values."""
        return _core.compare_paired(other._core, self._core)

    def _rows(self):
        for name, mean in self.metrics.items():
            low, high = self.intervals.get(name, (None, None))
            yield name, mean, "" if low is None else f"{low:.4f} – {high:.4f}"

    def __repr__(self):
        inside = ", ".join(f"{name}: {mean:.4f}" for name, mean in self.metrics.items())
        return f"Report({inside}; {len(self.users)} users)"

    def _repr_html_(self):
        return table_html(("metric", "mean", "95 % interval"), self._rows())


def evaluate(model, held_out, train=None, *, metrics: str = _METRICS, part: str = "test") -> Report:
    """Ranks all items for every user with held-out ones.

    Parameters
    ----------
    held_out : sparse matrix or Dataset
        Of a dataset, the named part.
    train : sparse matrix, optional
        What users have, which is never recommended; what the model was trained on if not given.

    >>> import scipy.sparse, sqmax
    >>> matrix = scipy.sparse.random(60, 40, 0.5, format="csr", random_state=1).astype(bool)
    >>> train, _, test = sqmax.split(matrix)
    >>> model = sqmax.RGp(factors=4).fit(train, show_progress=False)
    >>> report = sqmax.evaluate(model, test, metrics="ndcg@10")
    >>> 0 < report["ndcg@10"] < 1
    True
    """
    fitted = model._need()
    threads = model.num_threads
    with spoken():
        if isinstance(held_out, Dataset):
            if part not in ("test", "valid"):
                raise ValueError(f"part must be 'test' or 'valid'; {part!r} is not.")
            return Report(_core.measure(fitted, held_out._core, part == "test", metrics, threads))
        seen = fitted.seen if train is None else to_core(train, "train")
        return Report(_core.evaluate(fitted, seen, to_core(held_out, "held_out"), metrics, threads))


class Comparison:
    """Losses on one dataset, each with the same budget: the best on validation first."""

    def __init__(self, results: list):
        self.results = sorted(results, key=lambda result: -next(iter(result["valid"].values())))

    def _table(self):
        metrics = list(self.results[0]["test"])
        header = ["loss", f"valid {metrics[0]}", *(f"test {name}" for name in metrics), "trials", "seconds"]
        rows = [
            [
                result["loss"],
                result["valid"][metrics[0]],
                *(result["test"][name] for name in metrics),
                result["trials"],
                result["seconds"],
            ]
            for result in self.results
        ]
        return header, rows

    def to_pandas(self):
        """The table as a pandas.DataFrame."""
        import pandas

        header, rows = self._table()
        return pandas.DataFrame(rows, columns=header)

    def to_markdown(self) -> str:
        """The table for a document."""
        header, rows = self._table()
        lines = [header, ["---"] * len(header), *([text(cell) for cell in row] for row in rows)]
        return "\n".join("| " + " | ".join(line) + " |" for line in lines)

    def plot(self, metric: str | None = None, ax=None):
        """Bars of a test metric with its intervals; wants matplotlib."""
        import matplotlib.pyplot as plt

        metric = metric or next(iter(self.results[0]["test"]))
        ax = ax or plt.gca()
        for place, result in enumerate(reversed(self.results)):
            mean = result["test"][metric]
            low, high = result["intervals"].get(metric, (mean, mean))
            ax.barh(place, mean, xerr=[[mean - low], [high - mean]], color="tab:blue")
        ax.set_yticks(range(len(self.results)), [result["loss"] for result in reversed(self.results)])
        ax.set_xlabel(metric)
        return ax

    def __repr__(self):
        return self.to_markdown()

    def _repr_html_(self):
        return table_html(*self._table())


def compare(
    interactions,
    losses=None,
    *,
    budget: str = "",
    metrics: str = _METRICS,
    random_state=None,
    num_threads: int = 0,
    show_progress: bool = True,
    factors: int | None = None,
    **preparing,
) -> Comparison:
    """Tunes several losses with equal budgets and measures them on the same test interactions.

    Parameters
    ----------
    interactions
        Whatever sqmax.prepare takes (with its parameters), or a Dataset with a test part.
    losses : list of str, optional
        All of them if not given.
    """
    data = interactions
    if not isinstance(data, Dataset):
        data = prepare(interactions, seed=_models._seed(random_state), **preparing)
    elif preparing:
        raise TypeError(f"{', '.join(preparing)}: only for interactions that are not prepared yet.")
    if data._core.test.nnz == 0:
        raise ValueError("The dataset has no test part to compare on.")
    options = {} if factors is None else {"factors": factors}
    results = []
    for loss in losses or _models.CLASSES:
        start = time.perf_counter()
        model = _fit.fit(
            data,
            loss,
            budget=budget,
            metrics=metrics,
            random_state=random_state,
            num_threads=num_threads,
            show_progress=show_progress,
            **options,
        )
        seconds = time.perf_counter() - start
        report = evaluate(model, data, metrics=metrics)
        told = model.report
        results.append(
            {
                "loss": loss,
                "options": model._need().options,
                "valid": told["valid"],
                "test": report.metrics,
                "intervals": report.intervals,
                "trials": len(told.get("trials", [])),
                "seconds": seconds,
                "model": model,
                "report": report,
            }
        )
    return Comparison(results)
