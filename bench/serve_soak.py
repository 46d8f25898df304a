#!/usr/bin/env python3
"""Mixed load on `sqmax serve` while its model is replaced every few seconds; memory and open files are watched.

    bench/serve_soak.py [--sqmax build/release/sqmax] [--seconds 600] [--swap 5] [--clients 8] [--pause 0]
                        [--index auto]

Clients ask for all that the server has, add events, make mistakes, which must be told to them as such, and go away in
the middle. Fails if an answer has another status than it must have, if an accepted event is not in the file, if the
server does not end well (under LeakSanitizer: leaks), or if after the first minute (tenth, if the run is short) memory
or the number of open files grows: its peak in the last third is more than a tenth above that of the first third. Stored in serve_soak.json.
"""

import argparse
import http.client
import json
import pathlib
import random
import shutil
import socket
import struct
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
    parser.add_argument("--index", choices=("auto", "exact", "hnsw"), default="auto")
    return parser.parse_args()


JSON = {"Content-Type": "application/json"}
# Histories of events stay in the server's memory, which is to stay as it is: few people, few items.
EVENT_USERS, EVENT_ITEMS = 50, 100


def mistake(chance, item):
    """A request that must be refused, and the status of the refusal."""
    return chance.choice([("GET", "/v1/recommend?user=nobody%20at%20all", None, {}, 404),
                          ("GET", "/v1/recommend?k=0", None, {}, 400), ("GET", "/v1/nothing", None, {}, 404),
                          ("DELETE", "/v1/model", None, {}, 405), ("POST", "/v1/recommend", "{", JSON, 400),
                          ("POST", "/v1/recommend", json.dumps({"history": [item, "no item"]}), JSON, 400),
                          ("POST", "/v1/recommend", "{}", {"Content-Type": "text/plain"}, 415),
                          ("POST", "/v1/events", json.dumps({"events": [{"user": ""}]}), JSON, 400)])


def go_away(address, chance, target):
    """A client that does not do its part. What it must get back, and what it got: of one that still listens."""
    whole = f"GET {target} HTTP/1.1\r\nHost: soak\r\n\r\n".encode()
    host, port = address.split(":")
    with socket.create_connection((host, int(port)), timeout=30) as client:
        kind = chance.choice(["silent", "cut", "deaf", "half-closed"])
        if kind == "half-closed":
            client.sendall(whole)
            client.shutdown(socket.SHUT_WR)
            return b"HTTP/1.1 200", client.recv(65536)[:12]
        if kind != "silent":
            client.sendall(whole if kind == "deaf" else whole[:chance.randrange(1, len(whole))])
        if chance.random() < 0.5:  # a reset instead of an end
            client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    return b"", b""


def request(chance, users, items):
    """Method, target, body, headers, and the status of the answer."""
    user, item = chance.choice(users), chance.choice(items)
    quoted = urllib.parse.quote(item)
    history = {"history": chance.sample(items, 5), "k": 20}
    weighted = {**history, "weights": [chance.uniform(0.1, 3) for _ in history["history"]]}
    event = {"user": f"soak {chance.randrange(EVENT_USERS)}", "item": chance.choice(items[:EVENT_ITEMS])}
    bodies = [("/v1/recommend", history), ("/v1/recommend", weighted), ("/v1/events", {"events": [event]}),
              ("/v1/explain", {"history": history["history"], "item": item}),
              ("/v1/recommend/batch", {"requests": [history] * 5})]
    targets = [f"/v1/recommend?user={urllib.parse.quote(user)}", f"/v1/similar?item={quoted}", f"/v1/items?q={quoted}",
               "/v1/model", "/v1/map", "/healthz", "/readyz", "/metrics", "/openapi.json"]
    if chance.random() < 0.05:
        return mistake(chance, item)
    if chance.random() < 0.4:
        target, body = chance.choice(bodies)
        return "POST", target, json.dumps(body), JSON, 200
    return "GET", chance.choice(targets), None, {}, 200


class Client(threading.Thread):
    def __init__(self, url, users, items, seed, end, pause):
        super().__init__()
        self.pause = pause
        self.address, self.users, self.items = url.removeprefix("http://"), users, items
        self.chance, self.end = random.Random(seed), end
        self.count = self.refused = self.events = self.aborted = 0
        self.failed, self.is_over = [], False

    def run(self):
        connection = http.client.HTTPConnection(self.address, timeout=30)
        while time.monotonic() < self.end:
            try:
                if self.chance.random() < 0.03:
                    self.go_away()
                else:
                    self.ask(connection)
            except (OSError, http.client.HTTPException) as error:
                self.failed.append(repr(error))
                connection.close()
            self.count += 1
            time.sleep(self.pause)
        connection.close()
        self.is_over = True

    def ask(self, connection):
        method, target, body, headers, expected = request(self.chance, self.users, self.items)
        connection.request(method, target, body, headers)
        answer = connection.getresponse()
        text = answer.read()
        self.refused += expected != 200
        self.events += target == "/v1/events" and expected == 200
        if answer.status != expected:
            self.failed.append(f"{method} {target}: {answer.status}, not {expected}: {text[:200]}")

    def go_away(self):
        target = "/v1/recommend?user=" + urllib.parse.quote(self.chance.choice(self.users))
        expected, got = go_away(self.address, self.chance, target)
        self.aborted += 1
        if got != expected:
            self.failed.append(f"{target} of somebody who half closed: {got}")


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
    events = path.with_name("soak-events.jsonl")
    events.unlink(missing_ok=True)
    with server.Server(args.sqmax, live, "--events", events, "--index", args.index) as running:
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
    counts = {name: sum(getattr(client, name) for client in clients) for name in ("refused", "events", "aborted")}
    written = len(events.read_text(encoding="utf-8").splitlines())
    if written != counts["events"]:
        failed.append(f"{counts['events']} events were accepted, and {written} are in the file.")
    document = {"requests": sum(client.count for client in clients), "index": args.index, **counts,
                "failed": failed[:20], "failures": len(failed), "swaps": len(memory), **grown, "memory": memory, "files": files}
    results.write(pathlib.Path(args.output), document)
    print({name: document[name] for name in ("requests", *counts, "failures", "swaps", *grown)}, file=sys.stderr)
    sys.exit(1 if failed or max(grown.values()) > 1.1 else 0)


if __name__ == "__main__":
    main()
