"""Search of positive numbers: log-uniform trials, then steps around the best so far that become shorter."""

import math
import random

RANDOM_SHARE = 0.6
MARGIN = 0.25  # decades; what is nearer to an end of its range lies at the edge
STEPS = (0.5, 0.05)  # decades; standard deviation of the first and the last step


def best_of(trials):
    return max(trials, key=lambda trial: trial["valid"], default=None)


def at_edge(best, ranges):
    """Names whose best value lies at an end of its range, or beyond."""
    return [name for name, (low, high) in ranges.items()
            if not MARGIN <= math.log10(best[name] / low) <= math.log10(high / low) - MARGIN]


def widened(ranges, best):
    """Decade by decade, until the best so far is well inside."""
    wide = {name: list(ends) for name, ends in ranges.items()}
    for name, ends in wide.items():
        while best and math.log10(best[name] / ends[0]) < MARGIN:
            ends[0] /= 10
        while best and math.log10(ends[1] / best[name]) < MARGIN:
            ends[1] *= 10
    return wide


def stepping(trials, budget):
    return len(trials) >= round(RANDOM_SHARE * budget)


def proposal(ranges, trials, budget, seed):
    """The next point. It depends on the trials so far and on the seed, so a search can be taken up again."""
    draw = random.Random(f"{seed} {len(trials)}")
    best = best_of(trials)
    if not stepping(trials, budget):
        return {name: math.exp(draw.uniform(*map(math.log, ends))) for name, ends in widened(ranges, best).items()}
    first_step = round(RANDOM_SHARE * budget)
    done = min(1.0, (len(trials) - first_step) / max(1, budget - first_step - 1))
    step = STEPS[0] * (STEPS[1] / STEPS[0]) ** done
    return {name: best[name] * 10 ** draw.gauss(0, step) for name in ranges}


def finished(ranges, trials, budget):
    """After all trials; later, while a best that lies at the edge is newer than a tenth of them."""
    if len(trials) < budget:
        return False
    best = best_of(trials)
    return not at_edge(best, ranges) or trials.index(best) < len(trials) - budget // 10
