"""AlternatingLeastSquares of implicit: fits that are looked at on the way, and the test at the end."""

import time

from implicit.cpu.als import AlternatingLeastSquares
from implicit.recommender_base import ModelFitError

from suite import ranking

CHECKS = [3, 5, 10, 15, 20, 30]
PATIENCE = 2


def unfitted(point, options):
    return AlternatingLeastSquares(regularization=point["regularization"], alpha=point["alpha"], **options)


def fit(model, matrix, iterations):
    """So many more: implicit goes on from the factors that a model has."""
    model.iterations = iterations
    model.fit(matrix, show_progress=False)
    return model


def checks(best=None):
    """Numbers of iterations; more of them if the trial that is to be beaten took all it had."""
    found = list(CHECKS)
    while best and best["iterations"] >= found[-1]:
        found.append(2 * found[-1])
    return found


def curve(model, parts, moments):
    """NDCG@10 on validation by number of iterations, until it has been below its best PATIENCE times in a row."""
    values = {}
    for before, moment in zip([0, *moments], moments):
        try:
            fit(model, parts["train"], moment - before)
        except ModelFitError:  # not finite
            return values or {moment: 0.0}
        values[moment] = ranking.validated(model.user_factors, model.item_factors, parts)["ndcg@10"]
        if max(values, key=values.get) not in list(values)[-PATIENCE:]:
            break
    return values


def trial(point, options, parts, moments):
    """One point of the search, with the number of iterations that served it best."""
    start = time.process_time()
    values = curve(unfitted(point, options), parts, moments)
    iterations = max(values, key=values.get)
    return {**point, "iterations": iterations, "valid": values[iterations], "curve": values,
            "seconds": time.process_time() - start}


def test(best, options, parts, known):
    """Metrics on the test part of a new fit of `known`, with the settings of the best trial."""
    model = fit(unfitted(best, options), known, best["iterations"])
    return ranking.tested(model.user_factors, model.item_factors, parts)
