"""Seconds for a million sampled triples (user, observed item, drawn item) of a pairwise or sampled loss.

implicit's BPR steps after each triple, in parallel without locks, and draws again while an item is observed. Ours steps
after a batch, gives the same bytes for any threads, and draws from what is not observed.
"""

import functools
import statistics

from suite import contest as contests
from suite import ranking

MILLION = 1e6
TIMED = 4     # epochs that are timed, not counting the first
EPOCHS = 60   # after which quality is measured

OURS = {"sqmax bpr by sgd": ["--loss", "bpr", "--solver", "sgd", "--negatives", "1", "--learning-rate", "0.05"],
        "sqmax bpr by adam": ["--loss", "bpr", "--solver", "adam", "--negatives", "1"],
        "sqmax ssm by adam": ["--loss", "ssm", "--solver", "adam", "--negatives", "32"]}


def negatives(options):
    return int(options[options.index("--negatives") + 1])


def our_options(options, epochs):
    return ["--no-tune", "--iterations", epochs, *options]


def ours(setup, options):
    """The difference of two fits: what comes before the first epoch cancels."""
    def fit(epochs):
        return setup.train(setup.dataset, our_options(options, epochs))["seconds"]["fit"]
    triples = setup.parts["train"].nnz * negatives(options)
    return {"seconds": (fit(1 + TIMED) - fit(1)) / TIMED / triples * MILLION}


def implicit_model(setup, epochs):
    from implicit.bpr import BayesianPersonalizedRanking
    return BayesianPersonalizedRanking(factors=setup.rank, num_threads=setup.threads, iterations=epochs, random_state=0)


def implicit(setup):
    epochs = []
    train = setup.parts["train"]
    model = implicit_model(setup, 1 + TIMED)
    model.fit(train, show_progress=False, callback=lambda _, seconds, *__: epochs.append(seconds))
    return {"seconds": statistics.mean(epochs[1:]) / train.nnz * MILLION}


def quality(setup):
    rows = []
    for name, options in OURS.items():
        answer = setup.train(setup.real_dataset, our_options(options, EPOCHS), "real")
        rows.append({"method": name, "valid": answer["valid"]["ndcg@10"], "test": answer["test"]["ndcg@10"]})
    parts = setup.real_parts
    model = implicit_model(setup, EPOCHS)
    model.fit(parts["train"], show_progress=False)
    return [*rows, {"method": "implicit BPR", **ranking.quality(model.user_factors, model.item_factors, parts)}]


def contest(setup):
    contestants = {name: functools.partial(ours, setup, options) for name, options in OURS.items()}
    contestants["implicit BPR"] = functools.partial(implicit, setup)
    return contests.Contest(name="triples", title="A million sampled triples", contestants=contestants,
                            pairs=[[name, "implicit BPR", 1] for name in OURS], settings=setup.settings(),
                            quality=lambda: quality(setup))
