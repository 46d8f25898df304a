"""Median and spread, and the slope of a power law."""

import math
import statistics


def spread(values):
    return {"median": statistics.median(values), "low": min(values), "high": max(values)}


def median_run(runs, seconds):
    """The run whose seconds(run) is in the middle, whole."""
    return sorted(runs, key=seconds)[len(runs) // 2]


def ratios(rounds, ours, theirs):
    """How many times faster ours was, round by round."""
    return spread([one[theirs]["seconds"] / one[ours]["seconds"] for one in rounds])


def slope(xs, ys):
    """Of the straight line through (log x, log y), by least squares."""
    return statistics.linear_regression([math.log(x) for x in xs], [math.log(y) for y in ys]).slope
