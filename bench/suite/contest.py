"""A contest: contestants take turns, and their ratio is that of neighbouring moments."""

import dataclasses
import pathlib
import sys
import time
from typing import Callable

from suite import results


@dataclasses.dataclass
class Contest:
    """`contestants` maps a name to a call that answers a dict with `seconds`; `pairs` are
    (ours, theirs, at least so many times faster or None); `quality` answers rows that stand beside the
    ratios, computed once."""

    name: str
    title: str
    contestants: dict[str, Callable]
    pairs: list
    settings: dict
    quality: Callable = lambda: []


def timed(call):
    start = time.perf_counter()
    value = call()
    return time.perf_counter() - start, value


def run(contest, folder, rounds):
    """As many rounds as are missing, each stored as soon as it is there."""
    path = pathlib.Path(folder) / f"peers-{contest.name}.json"
    document = results.resumed(path, contest.settings)
    document |= {"title": contest.title, "pairs": contest.pairs}
    document.setdefault("rounds", [])
    while len(document["rounds"]) < rounds:
        document["rounds"].append({name: call() for name, call in contest.contestants.items()})
        results.write(path, document)
        show(contest.name, document["rounds"])
    if "quality" not in document:
        document["quality"] = contest.quality()
        results.write(path, document)


def show(name, rounds):
    seconds = ", ".join(f"{who} {result['seconds']:.3g} s" for who, result in rounds[-1].items())
    print(f"{name}, round {len(rounds)}: {seconds}", file=sys.stderr, flush=True)
