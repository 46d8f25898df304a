#!/usr/bin/env python3
"""From stored results to tables and figures.

    bench/report.py [--results build/bench-results] [--publish]

Writes RESULTS.md and figures beside the results; with --publish, bench/RESULTS.md and figures in docs/images. Parts that
were not run are left out.
"""

import argparse
import os
import pathlib

from suite import environment, figures, results, tables

ROOT = pathlib.Path(__file__).resolve().parent.parent
COMPARISONS = ["fit", "sweep", "triples", "top_k", "evaluation", "ingest"]
COMMANDS = """    make bench BENCH_ROUNDS=5 BENCH_REAL=ml-1m.safetensors
    make bench-billion
    bench/report.py --publish
"""


def stored(args, name):
    path = pathlib.Path(args.results) / f"{name}.json"
    return results.read(path) if path.exists() else None


def comparisons(args):
    found = (stored(args, f"peers-{name}") for name in COMPARISONS)
    return [document for document in found if document and document["rounds"]]


def picture(args, name, text):
    folder = os.path.relpath(args.images, args.document.parent)
    return f"![{text}]({pathlib.PurePosixPath(folder) / name})\n"


def sections(args):
    """(title, text) of what there is."""
    if found := stored(args, "machine"):
        yield "Machine", tables.machine(found)
    if found := comparisons(args):
        text = "\n".join(tables.comparison(document) for document in found)
        yield "Against other libraries", picture(args, "speed.svg", "How many times faster") + "\n" + text
    if found := stored(args, "roofline"):
        yield "Kernels against the machine's bounds", tables.roofline(found)
    if found := stored(args, "growth"):
        yield "Growth", tables.growth(found) + "\n" + picture(args, "growth.svg", "Time and memory against size")
    found = stored(args, "billion")
    if found and "ratios" in found:
        yield "A billion interactions", tables.billion(found)


def bars(documents):
    """A row of the figure for every pair."""
    rows = []
    for document in documents:
        for ours, theirs, target in document["pairs"]:
            ratio = figures.ratios(document["rounds"], ours, theirs)
            label = f"{document['title']}: {ours.removeprefix('sqmax').strip() or 'sqmax'} vs {theirs}"
            rows.append((label, ratio["median"], ratio["low"], ratio["high"], target))
    return rows


def draw(args):
    from suite import drawing
    if rows := bars(comparisons(args)):
        drawing.speed(rows, args.images / "speed.svg")
    if found := stored(args, "growth"):
        drawing.growth(found["axes"], args.images / "growth.svg")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--results", default=ROOT / "build" / "bench-results")
    parser.add_argument("--publish", action="store_true", help="into the repository")
    args = parser.parse_args()
    results_folder = pathlib.Path(args.results)
    args.document = (ROOT / "bench" if args.publish else results_folder) / "RESULTS.md"
    args.images = ROOT / "docs" / "images" if args.publish else results_folder
    environment.enter(threads=1)
    body = "\n".join(f"## {title}\n\n{text}" for title, text in sections(args))
    head = ("# Benchmark results\n\nWritten by `bench/report.py`; [README](README.md) says what is measured and how. "
            f"To make them again:\n\n{COMMANDS}\n")
    args.document.write_text(head + body, encoding="utf-8")
    draw(args)
    print(args.document)


if __name__ == "__main__":
    main()
