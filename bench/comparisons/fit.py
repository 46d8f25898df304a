"""A full fit in closed form, against the default fit of implicit (15 iterations of conjugate gradients)."""

import itertools

import numpy as np

from comparisons.setup import EXACT
from suite import contest as contests
from suite import figures, program, ranking

REGULARIZATIONS = [0.01, 1.0, 10.0, 30.0, 100.0, 300.0]
ALPHAS = [1.0, 2.0, 4.0, 10.0, 30.0, 100.0]  # below 1, an observed pair would count less than the others
TRIALS = len(REGULARIZATIONS) * len(ALPHAS)
TUNED = ["--budget", f"{TRIALS}trials", "--search", "random", "--no-refit"]  # like the others: no more than their data
OUR_RUNS = 5  # of a round: each takes a part of a second, and theirs half a minute


def ours(setup, loss):
    """Seconds of the fit from the matrix by user; like implicit's, they include transposing it. The median run counts."""
    runs = [setup.train(setup.dataset, ["--no-tune", *EXACT[loss]]) for _ in range(OUR_RUNS)]
    answer = figures.median_run(runs, lambda run: run["seconds"]["fit"])
    return {"seconds": answer["seconds"]["fit"], "steps": answer["steps"],
            "peak_memory_bytes": answer["peak_memory_bytes"]}


def theirs(setup):
    model = setup.implicit()
    seconds, _ = contests.timed(lambda: model.fit(setup.parts["train"], show_progress=False))
    return {"seconds": seconds}


def our_row(setup, loss, options, name):
    """Everybody's lists are judged by the same NumPy code; `reported` is what sqmax says itself."""
    answer = setup.train(setup.real_dataset, [*options, *EXACT[loss]], "real")
    vectors = setup.folder / "real-vectors"
    program.checked([setup.sqmax, "export", setup.folder / "real.safetensors", "--to", "npy", "-o", vectors, "--quiet"])
    P, Q = (np.load(vectors / f"{side}_vectors.npy") for side in ("user", "item"))
    return {"method": name, "settings": answer["options"], "reported": answer["test"]["ndcg@10"],
            **ranking.quality(P, Q, setup.real_parts)}


def their_row(setup, name, options):
    model = setup.implicit(**options)
    model.fit(setup.real_parts["train"], show_progress=False)
    return {"method": name, "settings": options,
            **ranking.quality(model.user_factors, model.item_factors, setup.real_parts)}


def at_edge(options):
    """Whether a wider grid might have found something better."""
    return options["regularization"] in (REGULARIZATIONS[0], REGULARIZATIONS[-1]) or options["alpha"] == ALPHAS[-1]


def their_best(setup):
    tried = [their_row(setup, "implicit, tuned", {"regularization": r, "alpha": a})
             for r, a in itertools.product(REGULARIZATIONS, ALPHAS)]
    best = max(tried, key=lambda row: row["valid"])
    return best | ({"method": "implicit, tuned (at the edge of its grid)"} if at_edge(best["settings"]) else {})


def quality(setup):
    """Everybody with defaults, and everybody tuned on validation with as many trials."""
    rows = []
    for loss, name in (("rgp", "RGp"), ("rg2", "RG²")):
        rows.append(our_row(setup, loss, ["--no-tune"], f"{name}, defaults"))
        rows.append(our_row(setup, loss, TUNED, f"{name}, tuned"))
    return [*rows, their_row(setup, "implicit, defaults", {}), their_best(setup)]


def contest(setup):
    return contests.Contest(
        name="fit", title="Full fit",
        contestants={"RGp, exact": lambda: ours(setup, "rgp"), "RG², exact": lambda: ours(setup, "rg2"),
                     "implicit ALS": lambda: theirs(setup)},
        pairs=[["RGp, exact", "implicit ALS", 60], ["RG², exact", "implicit ALS", 60]],
        settings=setup.settings() | {"trials": TRIALS}, quality=lambda: quality(setup))
