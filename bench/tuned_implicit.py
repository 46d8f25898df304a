#!/usr/bin/env python3
"""Test metrics of implicit's AlternatingLeastSquares, tuned on validation.

    bench/tuned_implicit.py NAME=DATASET.safetensors... [--trials 100] [--rank 64] [--seed 0] [--threads 1] -o FOLDER

One JSON file a data set goes to FOLDER, written after every trial: an interrupted run goes on where it was. The table
(Markdown) goes to standard output. If this Python has no implicit, that of bench/peers.py is used.
"""

import argparse
import importlib
import importlib.metadata
import importlib.util
import os
import pathlib
import sys

from suite import environment, results, search

# implicit's alpha is the whole weight of an observed pair; that of any other is 1.
RANGES = {"regularization": [0.1, 1e4], "alpha": [0.1, 1e3]}
HEAD = ["data", "validation NDCG@10", "NDCG@10", "MRR@10", "MAP@10", "NDCG@10, not refitted", "regularization", "alpha",
        "iterations", "trials", "CPU minutes"]


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("datasets", nargs="+", metavar="NAME=DATASET")
    parser.add_argument("--trials", type=int, default=100)
    parser.add_argument("--rank", type=int, default=64)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("-o", "--output", required=True)
    return parser.parse_args()


def enter(threads):
    """Where implicit is, with settings that NumPy reads when it is imported."""
    if importlib.util.find_spec("implicit") is None:
        environment.enter(threads)
    os.environ.update(environment.thread_settings(threads))


def show(name, trials):
    last, best = trials[-1], search.best_of(trials)
    words = [f"{key} {last[key]:.4g}" for key in (*RANGES, "iterations", "valid", "seconds")]
    print(f"{name}, trial {len(trials)}: {', '.join(words)}; best {best['valid']:.4f}", file=sys.stderr, flush=True)


def tune(args, name, path):
    """The document of a data set; trials that are stored already are not made again."""
    als, tensors = (importlib.import_module(f"suite.{module}") for module in ("implicit_als", "tensors"))
    settings = {"trials": args.trials, "rank": args.rank, "seed": args.seed, "ranges": RANGES,
                "data": results.fingerprint(path), "implicit": importlib.metadata.version("implicit")}
    options = {"factors": args.rank, "random_state": args.seed, "num_threads": args.threads}
    stored = pathlib.Path(args.output) / f"{name}.json"
    document, parts = results.resumed(stored, settings), tensors.parts(path)
    trials = document.setdefault("tried", [])
    while not search.finished(RANGES, trials, args.trials):
        point = search.proposal(RANGES, trials, args.trials, args.seed)
        moments = als.checks(search.best_of(trials)) if search.stepping(trials, args.trials) else als.checks()
        trials.append(als.trial(point, options, parts, moments))
        results.write(stored, document)
        show(name, trials)
    if "test" not in document:
        best = document["best"] = search.best_of(trials)
        document["test"] = als.test(best, options, parts, parts["train"] + parts["valid"])
        document["test, not refitted"] = als.test(best, options, parts, parts["train"])
        results.write(stored, document)
    return document


def row(name, document):
    best, test = document["best"], document["test"]
    minutes = sum(trial["seconds"] for trial in document["tried"]) / 60
    values = [best["valid"], *test.values(), document["test, not refitted"]["ndcg@10"]]
    cells = [name, *(f"{value:.4f}" for value in values), *(f"{best[key]:.4g}" for key in (*RANGES, "iterations")),
             str(len(document["tried"])), f"{minutes:.1f}"]
    return f"| {' | '.join(cells)} |"


def main():
    args = arguments()
    enter(args.threads)
    print(f"| {' | '.join(HEAD)} |\n|{'---|' * len(HEAD)}", flush=True)
    for name, path in (pair.split("=", 1) for pair in args.datasets):
        print(row(name, tune(args, name, path)), flush=True)


if __name__ == "__main__":
    main()
