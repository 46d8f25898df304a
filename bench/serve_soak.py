#!/usr/bin/env python3
"""Mixed load on `sqmax serve` while its model is replaced every few seconds; memory and open files are watched.

    bench/serve_soak.py [--sqmax build/release/sqmax] [--seconds 600] [--swap 5] [--clients 8] [--pause 0]

Fails if a request fails, if the server does not end well (under LeakSanitizer: leaks), or if after the first minute
(tenth, if the run is short) memory or the number of open files grows: its peak in the last third is more than a tenth
above that of the first third. Stored in serve_soak.json.
"""

import argparse
import http.client
import json
import pathlib
import random
import shutil
import sys
import threading
import time
import urllib.parse

from suite import program, results, server

BUILD = pathlib.Path(__file__).resolve().parent.parent / "build"


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sqmax", default=BUILD / "release/sqmax")
    parser.add_argument("--data", default=BUILD / "bench-data")
    parser.add_argument("--output", default=BUILD / "bench-results/serve_soak.json")
    parser.add_argument("--seconds", type=int, default=600)
    parser.add_argument("--swap", type=float, default=5)
    parser.add_argument("--clients", type=int, default=8)
    parser.add_argument("--items", type=int, default=10000)
    parser.add_argument("--pause", type=float, default=0, help="seconds between two requests of a client")
    return parser.parse_args()


def request(chance, users, items):
    user, item = chance.choice(users), chance.choice(items)
    quoted = urllib.parse.quote(item)
    history = {"history": chance.sample(items, 5), "k": 20}
    bodies = [("/v1/recommend", history), ("/v1/explain", {"history": history["history"], "item": item}),
              ("/v1/recommend/batch", {"requests": [history] * 5})]
    targets = [f"/v1/recommend?user={urllib.parse.quote(user)}", f"/v1/similar?item={quoted}", f"/v1/items?q={quoted}",
               "/v1/model", "/v1/map", "/healthz", "/metrics"]
    if chance.random() < 0.4:
        target, body = chance.choice(bodies)
        return "POST", target, json.dumps(body), {"Content-Type": "application/json"}
    return "GET", chance.choice(targets), None, {}


class Client(threading.Thread):
    def __init__(self, url, users, items, seed, end, pause):
        super().__init__()
        self.pause = pause
        self.address, self.users, self.items = url.removeprefix("http://"), users, items
        self.chance, self.end = random.Random(seed), end
        self.count, self.failed, self.is_over = 0, [], False

    def run(self):
        connection = http.client.HTTPConnection(self.address, timeout=30)
        while time.monotonic() < self.end:
            method, target, body, headers = request(self.chance, self.users, self.items)
            try:
                connection.request(method, target, body, headers)
                answer = connection.getresponse()
                text = answer.read()
                if answer.status != 200:
                    self.failed.append(f"{target}: {answer.status} {text[:200]}")
            except (OSError, http.client.HTTPException) as error:
                self.failed.append(f"{target}: {error!r}")
                connection.close()
            self.count += 1
            time.sleep(self.pause)
        self.is_over = True


def growth(seen, settled_after):
    """The peak of the last third beside that of the first."""
    settled = [size for when, size in seen if when >= settled_after]
    third = max(1, len(settled) // 3)
    return max(settled[-third:]) / max(settled[:third])


def main():
    args = arguments()
    path, users = server.model(args.sqmax, program, args.data, args.items, 64, 20)
    live = path.with_name("live.safetensors")
    shutil.copy(path, live)
    ids = users.read_text(encoding="utf-8").split()
    with server.Server(args.sqmax, live) as running:
        begin = time.monotonic()
        end = begin + args.seconds
        with_items = http.client.HTTPConnection(running.url.removeprefix("http://"))
        with_items.request("GET", "/v1/items?k=1000")
        items = [each["item"] for each in json.load(with_items.getresponse())["items"]]
        clients = [Client(running.url, ids, items, seed, end, args.pause) for seed in range(args.clients)]
        for client in clients:
            client.start()
        memory, files = [], []
        while time.monotonic() < end:
            time.sleep(args.swap)
            fresh = live.with_suffix(".new")
            shutil.copy(path, fresh)
            fresh.rename(live)
            memory.append((time.monotonic() - begin, running.resident_bytes()))
            files.append((time.monotonic() - begin, running.open_files()))
        for client in clients:
            client.join()
        with_items.close()
    failed = [sentence for client in clients for sentence in client.failed]
    failed += ["A client ended early." for client in clients if not client.is_over]
    if running.exit_code != 0:
        failed.append(f"The server ended with {running.exit_code}.")
    settled = min(60, args.seconds / 10)
    grown = {"memory_growth": growth(memory, settled), "files_growth": growth(files, settled)}
    document = {"requests": sum(client.count for client in clients), "failed": failed[:20], "failures": len(failed),
                "swaps": len(memory), **grown, "memory": memory, "files": files}
    results.write(pathlib.Path(args.output), document)
    print({name: document[name] for name in ("requests", "failures", "swaps", *grown)}, file=sys.stderr)
    sys.exit(1 if failed or max(grown.values()) > 1.1 else 0)


if __name__ == "__main__":
    main()
