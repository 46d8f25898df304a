#!/usr/bin/env python3
"""A billion synthetic interactions on one machine, beside a data set a hundredth of the size.

    bench/billion.py [--interactions 1000000000 --users 10000000 --items 1000000] [--memory 12G] [--rank 32] [--rounds 3]

Each step (synth, prepare; large and small) is stored in billion.json with its seconds and peak memory, and so is each
round: the small data trained a few times, the large once. Files that exist are not made again, nor rounds that are
stored. The raw file goes once it is prepared, unless --keep. --rounds 0 makes the files and trains nothing.
"""

import argparse
import json
import os
import pathlib
import statistics
import sys

from suite import figures, program, results

BUILD = pathlib.Path(__file__).resolve().parent.parent / "build"
SMALLER = 100
SMALL_RUNS = 5  # of a round: each takes a part of a second
FIT = ["--no-tune", "--loss", "rgp", "--alpha", "0", "--ridge", "weighted", "--links", "0", "--solver", "exact"]


def synth(args, size, raw, _):
    shape = [word for name, value in size.items() for word in (f"--{name}", value)]
    return [args.sqmax, "synth", "--like", "billion", *shape, "-o", raw, "--quiet", "--json"]


def prepare(args, _, raw, dataset):
    return [args.sqmax, "prepare", raw, "--split", "none", "--memory", args.memory,
            "--threads", args.threads, "-o", dataset, "--quiet", "--json"]


def train(args, dataset):
    return [args.sqmax, "train", dataset, *FIT, "--rank", args.rank, "--memory", args.memory,
            "--threads", args.threads, "-o", dataset.with_suffix(".model"), "--quiet", "--json"]


def measured(command):
    run = program.watched(command)
    output = json.loads(run.pop("output"))
    return {**run, "command": " ".join(pathlib.Path(str(word)).name for word in command),
            "answer": {key: output[key] for key in ("seconds", "peak_memory_bytes", "steps", "users", "items", "train")
                       if key in output}}


def prepared(args, name, size, document, path):
    """The dataset of one size, made unless it is there."""
    raw = pathlib.Path(args.data) / f"{name}-{'-'.join(str(value) for value in size.values())}.tsv"
    dataset = raw.with_suffix(".safetensors")
    stored = document.setdefault(name, {"size": size})

    def make(step, command):
        print(f"{name}: {step}", file=sys.stderr, flush=True)
        stored[step] = measured(command(args, size, raw, dataset))
        results.write(path, document)

    if not dataset.exists():
        if not raw.exists():
            make("synth", synth)
        make("prepare", prepare)
    if not args.keep:
        raw.unlink(missing_ok=True)
    return dataset


def trained(args, dataset):
    """One training. The model goes, and what others wrote is on the disk: nothing is left to do beside the next one."""
    run = measured(train(args, dataset))
    dataset.with_suffix(".model").unlink()
    os.sync()
    return run


def median_run(runs):
    return figures.median_run(runs, lambda run: run["answer"]["seconds"]["fit"])


def per_interaction(run, size):
    return run["answer"]["seconds"]["fit"] / size["interactions"]


def one_round(args, datasets, sizes):
    small = median_run([trained(args, datasets["small"]) for _ in range(SMALL_RUNS)])
    large = trained(args, datasets["large"])
    return {"small": small, "large": large,
            "ratio": per_interaction(large, sizes["large"]) / per_interaction(small, sizes["small"])}


def summarise(document, sizes):
    """Median runs of both, and the ratios of the rounds."""
    for name, size in sizes.items():
        document[name]["train"] = median_run([one[name] for one in document["rounds"]])
        document[name]["seconds_per_interaction"] = per_interaction(document[name]["train"], size)
    document["ratios"] = [one["ratio"] for one in document["rounds"]]
    document["ratio"] = statistics.median(document["ratios"])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sqmax", default=BUILD / "bench" / "sqmax")
    parser.add_argument("--interactions", type=int, default=1_000_000_000)
    parser.add_argument("--users", type=int, default=10_000_000)
    parser.add_argument("--items", type=int, default=1_000_000)
    parser.add_argument("--rank", type=int, default=32)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--memory", default="12G")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--keep", action="store_true", help="keep the raw files")
    parser.add_argument("--data", default=BUILD / "bench-data", help="folder with room for the raw file")
    parser.add_argument("--results", default=BUILD / "bench-results")
    args = parser.parse_args()
    pathlib.Path(args.data).mkdir(parents=True, exist_ok=True)
    large = {"users": args.users, "items": args.items, "interactions": args.interactions}
    small = {name: value // SMALLER for name, value in large.items()}
    path = pathlib.Path(args.results) / "billion.json"
    document = results.resumed(path, {"large": large, "rank": args.rank, "memory": args.memory,
                                      "threads": args.threads, "program": results.fingerprint(args.sqmax)})
    sizes = {"small": small, "large": large}
    datasets = {name: prepared(args, name, size, document, path) for name, size in sizes.items()}
    rounds = document.setdefault("rounds", [])
    while len(rounds) < args.rounds:
        print(f"round {len(rounds) + 1} of {args.rounds}", file=sys.stderr, flush=True)
        rounds.append(one_round(args, datasets, sizes))
        results.write(path, document)
    if not rounds:
        return
    summarise(document, sizes)
    results.write(path, document)
    print(f"time per interaction: {document['ratio']:.2f} times that of the small case "
          f"[{min(document['ratios']):.2f} – {max(document['ratios']):.2f}]")


if __name__ == "__main__":
    main()
