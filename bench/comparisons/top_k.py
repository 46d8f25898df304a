"""The best ten of every user without what the user has, by the same vectors for everybody."""

import functools

import numpy as np
from threadpoolctl import threadpool_limits

from suite import contest as contests
from suite import program, ranking, tensors

K = 10
BATCH = 2048  # users of one search in faiss


def ours(setup):
    return setup.library_call("recommend", setup.ranked_model)


def our_lists(setup):
    """Lists of the program, as positions."""
    path = setup.folder / "lists.tsv"
    program.checked([setup.sqmax, "recommend", setup.ranked_model, "--all", "-o", path, "--quiet"])
    position = {name: at for at, name in enumerate(tensors.ids(setup.dataset, "items"))}
    with open(path, encoding="utf-8") as lines:
        next(lines)
        return np.array([position[line.split("\t")[1]] for line in lines]).reshape(-1, K)


def implicit_lists(model, train):
    return model.recommend(np.arange(train.shape[0]), train, N=K)[0]


def quicker_blas(model, train, threads):
    """implicit asks for one BLAS thread when it fits; here it gets what suits it better."""
    def seconds(count):
        with threadpool_limits(limits=count, user_api="blas"):
            return contests.timed(lambda: implicit_lists(model, train))[0]
    return min((1, threads), key=seconds)


class Implicit:
    def __init__(self, setup):
        self.setup = setup

    @functools.cached_property
    def model(self):
        return self.setup.implicit_with_our_vectors()

    @functools.cached_property
    def blas(self):
        return quicker_blas(self.model, self.setup.parts["train"], self.setup.threads)

    def __call__(self):
        with threadpool_limits(limits=self.blas, user_api="blas"):
            seconds, _ = contests.timed(lambda: implicit_lists(self.model, self.setup.parts["train"]))
        return {"seconds": seconds, "blas_threads": self.blas}


def without_seen(found, seen):
    """The first K of each row of `found` that are not in the same row of `seen`."""
    keep = ~np.take_along_axis(seen, found, axis=1)
    keep &= np.cumsum(keep, axis=1) <= K
    return found[keep].reshape(-1, K)


def faiss_lists(P, Q, train):
    """Users with about as many items are searched together, for as many more than K."""
    import faiss
    index = faiss.IndexFlatIP(Q.shape[1])
    index.add(Q)
    sizes = np.diff(train.indptr)
    order = np.argsort(sizes, kind="stable")
    lists = np.empty((len(P), K), np.int64)
    for begin in range(0, len(P), BATCH):
        users = order[begin:begin + BATCH]
        _, found = index.search(P[users], int(min(K + sizes[users].max(), len(Q))))
        lists[users] = without_seen(found, train[users].toarray() > 0)
    return lists


def our_vectors(setup):
    vectors = tensors.load(setup.ranked_model)
    return [np.array(vectors[f"{side}_vectors"]) for side in ("user", "item")]


def faiss_contestant(setup):
    P, Q = our_vectors(setup)
    seconds, _ = contests.timed(lambda: faiss_lists(P, Q, setup.parts["train"]))
    return {"seconds": seconds}


def quality(setup):
    """NDCG@10 of each one's lists, and the share of places where they are ours. Validation items are
    candidates here, as they are for somebody who recommends."""
    ours_now = our_lists(setup)
    P, Q = our_vectors(setup)
    train, test = setup.parts["train"], setup.parts["test"]
    everybody = {"sqmax": ours_now, "implicit": implicit_lists(setup.implicit_with_our_vectors(), train),
                 "faiss": faiss_lists(P, Q, train)}
    return [{"method": name, "test": ranking.ndcg(lists, test), "same places": float(np.mean(lists == ours_now))}
            for name, lists in everybody.items()]


def contest(setup):
    return contests.Contest(
        name="top_k", title="Top 10 of all users",
        contestants={"sqmax": lambda: ours(setup), "implicit recommend": Implicit(setup),
                     "faiss flat, filtered": lambda: faiss_contestant(setup)},
        pairs=[["sqmax", "implicit recommend", 5], ["sqmax", "faiss flat, filtered", 2]],
        settings=setup.settings(), quality=lambda: quality(setup))
