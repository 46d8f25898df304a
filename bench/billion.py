#!/usr/bin/env python3
"""A billion synthetic interactions on one machine, beside a data set a hundredth of the size.

    bench/billion.py [--interactions 1000000000 --users 10000000 --items 1000000] [--memory 12G] [--rank 32]

Each step (synth, prepare, train; large and small) is stored in billion.json with its seconds and peak memory. Files
that exist are not made again, nor a training that is stored. The raw file goes once it is prepared, unless --keep.
"""

import argparse
import json
import pathlib
import sys

from suite import program, results

BUILD = pathlib.Path(__file__).resolve().parent.parent / "build"
SMALLER = 100
FIT = ["--no-tune", "--loss", "rgp", "--alpha", "0", "--ridge", "weighted", "--links", "0", "--solver", "exact"]


def synth(args, size, raw, _):
    shape = [word for name, value in size.items() for word in (f"--{name}", value)]
    return [args.sqmax, "synth", "--like", "billion", *shape, "-o", raw, "--quiet", "--json"]


def prepare(args, _, raw, dataset):
    return [args.sqmax, "prepare", raw, "--split", "none", "--memory", args.memory,
            "--threads", args.threads, "-o", dataset, "--quiet", "--json"]


def train(args, _, __, dataset):
    return [args.sqmax, "train", dataset, *FIT, "--rank", args.rank, "--memory", args.memory,
            "--threads", args.threads, "-o", dataset.with_suffix(".model"), "--quiet", "--json"]


def measured(command):
    run = program.watched(command)
    output = json.loads(run.pop("output"))
    return {**run, "command": " ".join(pathlib.Path(str(word)).name for word in command),
            "answer": {key: output[key] for key in ("seconds", "peak_memory_bytes", "steps", "users", "items", "train")
                       if key in output}}


def steps(args, name, size, document, path):
    """The three steps of one size, as far as their results are missing."""
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
    if "train" not in stored:
        make("train", train)
    fit = stored["train"]["answer"]["seconds"]["fit"]
    stored["seconds_per_interaction"] = fit / size["interactions"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sqmax", default=BUILD / "bench" / "sqmax")
    parser.add_argument("--interactions", type=int, default=1_000_000_000)
    parser.add_argument("--users", type=int, default=10_000_000)
    parser.add_argument("--items", type=int, default=1_000_000)
    parser.add_argument("--rank", type=int, default=32)
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
    for name, size in (("small", small), ("large", large)):
        steps(args, name, size, document, path)
    document["ratio"] = document["large"]["seconds_per_interaction"] / document["small"]["seconds_per_interaction"]
    results.write(path, document)
    print(f"time per interaction: {document['ratio']:.2f} times that of the small case")


if __name__ == "__main__":
    main()
