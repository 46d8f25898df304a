#!/usr/bin/env python3
"""How many lists a second `sqmax serve` gives, beside the trivial GET /healthz of the same server.

    bench/serve.py [--sqmax build/release/sqmax] [--rounds 3] [--seconds 5] [--connections 32]

Cases: 100,000 items by exact search and by hnsw, 10,000 items by exact search; rank 64, random users, k = 10. A round
is one turn of every case: /healthz, then lists. The load generator (wrk) runs on the same machine. Stored in serve.json.
"""

import argparse
import json
import pathlib
import statistics
import sys
import urllib.request

from suite import program, results, server

BUILD = pathlib.Path(__file__).resolve().parent.parent / "build"
CASES = [(100000, "exact"), (100000, "hnsw"), (10000, "exact")]


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sqmax", default=BUILD / "release/sqmax")
    parser.add_argument("--data", default=BUILD / "bench-data")
    parser.add_argument("--output", default=BUILD / "bench-results/serve.json")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=int, default=5)
    parser.add_argument("--connections", type=int, default=32)
    parser.add_argument("--rank", type=int, default=64)
    parser.add_argument("--links", type=int, default=20)
    return parser.parse_args()


def turn(running, users, args, seed):
    trivial = server.drive(running.url + "/healthz", args.connections, args.seconds)
    lists = server.drive(running.url, args.connections, args.seconds, users, seed)
    return {"healthz": trivial, "recommend": lists, "ratio": lists["rate"] / trivial["rate"]}


def summary(rounds):
    def median(pick):
        return statistics.median(pick(each) for each in rounds)

    return {"recommend_per_second": median(lambda each: each["recommend"]["rate"]),
            "p50_ms": median(lambda each: each["recommend"]["p50_ms"]),
            "p99_ms": median(lambda each: each["recommend"]["p99_ms"]),
            "healthz_per_second": median(lambda each: each["healthz"]["rate"]),
            "ratio": median(lambda each: each["ratio"]),
            "failed": sum(each["recommend"]["failed"] + each["healthz"]["failed"] for each in rounds)}


def main():
    args = arguments()
    running, users, document = {}, {}, {"settings": {name: str(value) for name, value in vars(args).items()}}
    rounds = {case: [] for case in CASES}
    try:
        for items, index in CASES:
            path, users[items] = server.model(args.sqmax, program, args.data, items, args.rank, args.links)
            running[items, index] = server.Server(args.sqmax, path, "--index", index)
        for number in range(args.rounds):
            for case in CASES:
                rounds[case].append(turn(running[case], users[case[0]], args, number + 1))
        for items, index in CASES:
            with urllib.request.urlopen(running[items, index].url + "/v1/model") as answer:
                found = {"index": json.load(answer)["index"], **summary(rounds[items, index])}
            document[f"{items} items, {index}"] = {**found, "rounds": rounds[items, index]}
            shown = {name: round(value, 3) if isinstance(value, float) else value for name, value in found.items()}
            print(f"{items} items, {index}: {shown}", file=sys.stderr)
    finally:
        for each in running.values():
            each.__exit__()
    results.write(pathlib.Path(args.output), document)


if __name__ == "__main__":
    main()
