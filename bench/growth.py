#!/usr/bin/env python3
"""Time and peak memory of a fit against the number of interactions, users, items and the rank.

    bench/growth.py [--repeats 5] [--factors 0.25,0.5,1,2,4] [--base 32000,8000,3200000,32]

One of them grows at a time, and once users, items and interactions together. Repeats go through all points in turn.
Stored after every repeat, in growth.json; bench/report.py draws the figure.
"""

import argparse
import pathlib
import sys

from suite import figures, program, results

BUILD = pathlib.Path(__file__).resolve().parent.parent / "build"
NAMES = ["users", "items", "interactions", "rank"]
AXES = {"interactions": ["interactions"], "users": ["users"], "items": ["items"], "rank": ["rank"],
        "users, items and interactions": ["users", "items", "interactions"]}
FIT = ["--no-tune", "--loss", "rgp", "--alpha", "0", "--ridge", "weighted", "--links", "0", "--solver", "exact"]


def sizes(args, axis, factor):
    base = dict(zip(NAMES, (int(word) for word in args.base.split(","))))
    return {name: round(value * factor) if name in AXES[axis] else value for name, value in base.items()}


def dataset(args, size):
    name = "-".join(str(size[key]) for key in NAMES[:3])
    shape = [word for key in NAMES[:3] for word in (f"--{key}", size[key])]
    path = pathlib.Path(args.data) / f"growth-{name}.safetensors"
    raw = path.with_suffix(".tsv")
    if not path.exists():
        program.made(raw, args.sqmax, "synth", *shape)
        program.made(path, args.sqmax, "prepare", raw, "--split", "none")
        raw.unlink()
    return path


def fit(args, size):
    answer = program.answer(args.sqmax, "train", dataset(args, size), *FIT, "--rank", size["rank"],
                            "--threads", args.threads, "-o", pathlib.Path(args.data) / "growth-model.safetensors")
    return {"seconds": answer["seconds"]["fit"], "peak_memory_bytes": answer["peak_memory_bytes"],
            "steps": answer["steps"]}


def slopes(rows):
    """A step is a pass over the data; how many it takes depends on how distinct the eigenvalues are."""
    factors = [row["factor"] for row in rows]
    seconds = [row["seconds"]["median"] for row in rows]
    return {"time_slope": figures.slope(factors, seconds),
            "step_slope": figures.slope(factors, [all_of / row["steps"] for all_of, row in zip(seconds, rows)]),
            "memory_slope": figures.slope(factors, [row["peak_memory_bytes"] for row in rows])}


def summary(points):
    """Of each axis: its points, and the slopes of time and memory."""
    axes = {}
    for point in points:
        runs = point["runs"]
        axes.setdefault(point["axis"], []).append(
            {"factor": point["factor"], **point["size"], "steps": runs[0]["steps"],
             "seconds": figures.spread([run["seconds"] for run in runs]),
             "peak_memory_bytes": max(run["peak_memory_bytes"] for run in runs)})
    return {axis: {"points": rows, **slopes(rows)} for axis, rows in axes.items()}


def run(args, path, settings):
    factors = [float(word) for word in args.factors.split(",")]
    document = results.resumed(path, settings)
    points = document.setdefault("points", [{"axis": axis, "factor": factor, "size": sizes(args, axis, factor), "runs": []}
                                            for axis in AXES for factor in factors])
    for repeat in range(args.repeats):
        for point in points:
            if len(point["runs"]) <= repeat:
                point["runs"].append(fit(args, point["size"]))
                print(point["axis"], point["size"], point["runs"][-1], file=sys.stderr, flush=True)
        document["axes"] = summary(points)
        results.write(path, document)
    return document


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sqmax", default=BUILD / "bench" / "sqmax")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--factors", default="0.25,0.5,1,2,4", help="of the base")
    parser.add_argument("--base", default="32000,8000,3200000,32", help=",".join(NAMES))
    parser.add_argument("--data", default=BUILD / "bench-data")
    parser.add_argument("--results", default=BUILD / "bench-results")
    args = parser.parse_args()
    settings = {"base": args.base, "factors": args.factors, "threads": args.threads, "fit": FIT,
                "program": results.fingerprint(args.sqmax)}
    document = run(args, pathlib.Path(args.results) / "growth.json", settings)
    for axis, found in document["axes"].items():
        print(f"{axis}: time grows with power {found['time_slope']:.2f}, time per step with {found['step_slope']:.2f}, "
              f"memory with {found['memory_slope']:.2f}")


if __name__ == "__main__":
    main()
