#!/usr/bin/env python3
"""sqmax against the libraries that people use, taking turns on the same data, rank and threads.

    bench/peers.py [--only fit,sweep,triples,top_k,evaluation,ingest] [--rounds 5] [--threads 2] [--real FILE]

Peers are installed into build/bench-env. Each comparison has a JSON file in --results, written after every round:
an interrupted run goes on where it was, and more rounds can be added later. bench/report.py makes the tables.
"""

import argparse
import importlib
import os
import pathlib
import sys

from suite import environment

BUILD = pathlib.Path(__file__).resolve().parent.parent / "build"
ALL = ["fit", "sweep", "triples", "top_k", "evaluation", "ingest"]


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sqmax", default=BUILD / "bench" / "sqmax", help="the program")
    parser.add_argument("--times", default=BUILD / "bench" / "bench" / "sqmax_library_times")
    parser.add_argument("--only", default=",".join(ALL), help="which comparisons, with commas between them")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rank", type=int, default=64)
    parser.add_argument("--like", default="ml-10m", help="the synthetic data set that is timed")
    parser.add_argument("--real", help="a prepared dataset to measure NDCG@10 on; else Debian's dependencies")
    parser.add_argument("--data", default=BUILD / "bench-data", help="folder of what is generated")
    parser.add_argument("--results", default=BUILD / "bench-results")
    parser.add_argument("--fresh", action="store_true", help="forget the rounds that are stored")
    return parser.parse_args()


def mention_load():
    load = os.getloadavg()[0]
    if load > 0.5:
        print(f"The machine is busy (load {load:.1f}): ratios will be rough.", file=sys.stderr)


def main():
    args = arguments()
    environment.enter(args.threads)
    mention_load()
    from comparisons.setup import Setup
    from suite import contest, machine, results
    setup = Setup(args)
    results.write(pathlib.Path(args.results) / "machine.json", machine.description(args.sqmax))
    for name in args.only.split(","):
        if args.fresh:
            (pathlib.Path(args.results) / f"peers-{name}.json").unlink(missing_ok=True)
        contest.run(importlib.import_module(f"comparisons.{name}").contest(setup), args.results, args.rounds)


if __name__ == "__main__":
    main()
