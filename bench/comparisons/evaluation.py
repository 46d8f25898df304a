"""Four metrics at 10 of the same vectors on the same held-out items."""

from suite import contest as contests


def ours(setup):
    return setup.library_call("evaluate", setup.ranked_model, setup.dataset)


def theirs(setup, model):
    from implicit.evaluation import ranking_metrics_at_k
    known = (setup.parts["train"] + setup.parts["valid"]).tocsr()
    seconds, found = contests.timed(lambda: ranking_metrics_at_k(
        model, known, setup.parts["test"], K=10, show_progress=False, num_threads=setup.threads))
    return {"seconds": seconds, "ndcg@10": found["ndcg"], "map@10": found["map"]}


def quality(setup, model):
    """The two libraries define NDCG alike, so the values agree."""
    return [{"method": "sqmax", "test": ours(setup)["ndcg@10"]},
            {"method": "implicit", "test": theirs(setup, model)["ndcg@10"]}]


def contest(setup):
    model = setup.implicit_with_our_vectors()
    return contests.Contest(
        name="evaluation", title="Full evaluation",
        contestants={"sqmax": lambda: ours(setup), "implicit ranking_metrics_at_k": lambda: theirs(setup, model)},
        pairs=[["sqmax", "implicit ranking_metrics_at_k", 5]],
        settings=setup.settings(), quality=lambda: quality(setup, model))
