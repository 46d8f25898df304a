"""`sqmax serve` over time: many threads, slow clients, draining, swaps, hostile bytes.

    serve_life_test.py PROGRAM
"""

import concurrent.futures
import json
import pathlib
import random
import shutil
import signal
import socket
import sys
import threading
import time
import unittest

import serving


class Threads(unittest.TestCase):
    """Answers are the same bytes, however many threads make them and however many ask at once."""

    NEEDS_A_SQUARE = ("weights", "explain")  # a sum over the history
    NEEDS_A_PRIOR = ("blend",)

    @classmethod
    def setUpClass(cls):
        workshop = serving.workshop()
        workshop.train("linked.safetensors", "--rank", "4", "--links", "3")
        for loss in ("bpr", "cml"):
            workshop.train(f"{loss}.safetensors", "--rank", "4", "--iterations", "5", "--loss", loss)
        workshop.train("popularity.safetensors", "--loss", "popularity")
        workshop.run("synth", "--users", "300", "--items", "2500", "--interactions", "12000", "-o", workshop / "many.tsv")
        workshop.run("train", workshop / "many.tsv", "--rank", "8", "--no-tune", "-o", workshop / "many.safetensors")

    @staticmethod
    def requests(user, item):
        """Of every route, by what it needs."""
        post = lambda target, **body: ("POST", target, body)
        return {"user": ("GET", f"/v1/recommend?user={user(7)}&k=9", None),
                "similar": ("GET", f"/v1/similar?item={item(3)}", None),
                "search": ("GET", "/v1/items?q=thing", None), "popular": ("GET", "/v1/items?k=30", None),
                **{path: ("GET", path, None) for path in ("/v1/model", "/v1/map", "/openapi.json", "/healthz", "/readyz")},
                "history": post("/v1/recommend", history=[item(1), item(5)], k=12),
                "weights": post("/v1/recommend", history=[item(2), item(9)], weights=[3, 0.5]),
                "blend": post("/v1/recommend", history=[item(2)], blend=0.3, exclude=[item(4)]),
                "explain": post("/v1/explain", history=[item(1), item(5)], item=item(9)),
                "batch": post("/v1/recommend/batch", requests=[{"user": user(u), "k": 39} for u in range(60)]),
                "histories": post("/v1/recommend/batch",
                                  requests=[{"history": [item(y), item(y + 9)], "k": 7} for y in range(30)])}

    @staticmethod
    def in_turn(user, item):
        """What changes answers: these are asked one after the other by everybody, and come to the same."""
        event = lambda who, what: ("POST", "/v1/events", {"events": [{"user": who, "item": what}]})
        return [event(user(9), item(11)), event("newcomer", item(2)), ("GET", f"/v1/recommend?user={user(9)}", None),
                ("GET", "/v1/recommend?user=newcomer", None)]

    def answers(self, kind, *words, at_once=1):
        events = pathlib.Path(serving.workshop() / "in_turn.jsonl")
        events.unlink(missing_ok=True)
        named, in_turn = self.requests(kind.user, kind.item), self.in_turn(kind.user, kind.item)
        with serving.serve("--events", str(events), *kind.words, *words, model=kind.model) as server:
            def all_of(_):
                return {name: server.ask(*each) for name, each in named.items()}

            def one_by_one(_):
                return {f"{target} {n}": server.ask(method, target, body)
                        for n, (method, target, body) in enumerate(in_turn)}

            with concurrent.futures.ThreadPoolExecutor(at_once) as pool:
                answers = list(pool.map(all_of, range(at_once)))
                for told, later in zip(answers, pool.map(one_by_one, range(at_once)), strict=True):
                    told.update(later)
            counters = server.get("/metrics").text
        for name, answer in answers[0].items():
            self.assertEqual(answer.status, 400 if name in kind.refuses else 200, (name, answer.text))
        texts = [{name: answer.text for name, answer in told.items()} for told in answers]
        for others in texts[1:]:
            self.assertEqual(others, texts[0])
        # of counters, those that count no seconds
        counted = [line for line in counters.splitlines() if line.startswith("sqmax_requests_total")]
        return texts[0], counted

    def expect_no_change(self, kind):
        alone, counted = self.answers(kind, "--threads", "1")
        self.assertEqual(self.answers(kind, "--threads", "3"), (alone, counted))
        for threads in ("1", "3"):
            self.assertEqual(self.answers(kind, "--threads", threads, at_once=6)[0], alone)
        return alone

    def test_do_not_change_an_answer(self):
        for kind in (Kind("model"), Kind("linked"), Kind("bpr", self.NEEDS_A_SQUARE + self.NEEDS_A_PRIOR),
                     Kind("cml", self.NEEDS_A_SQUARE + self.NEEDS_A_PRIOR),
                     Kind("popularity", ("similar", "explain"))):
            with self.subTest(kind.model):
                self.expect_no_change(kind)

    def test_do_not_change_an_answer_of_a_graph(self):
        pairs = pathlib.Path(serving.workshop() / "many.tsv").read_text(encoding="utf-8").splitlines()[1:]
        items = sorted({pair.split("\t")[1] for pair in pairs})
        kind = Kind("many", words=("--index", "hnsw"), user=str, item=lambda number: items[number])
        alone = self.expect_no_change(kind)
        self.assertEqual(json.loads(alone["/v1/model"])["index"]["kind"], "hnsw")

    def test_are_asked_for_every_route(self):
        """A new route is added above."""
        asked = [*self.requests(str, str).values(), *self.in_turn(str, str), ("GET", "/metrics", None)]
        with serving.serve() as server:
            paths = server.get("/openapi.json").json()["paths"]
        self.assertEqual({(method, target.split("?")[0]) for method, target, _ in asked},
                         {(method.upper(), path) for path, methods in paths.items() for method in methods})


class Kind:
    """A model that is served: what its ids are, and which requests have no meaning for it."""

    def __init__(self, name, refuses=(), words=None, user="u{}".format, item="i{}".format):
        self.model, self.refuses, self.user, self.item = f"{name}.safetensors", refuses, user, item
        self.words = words or ("--items", serving.workshop() / "titles.tsv")


class Slowness(unittest.TestCase):
    def test_a_slow_request_is_ended_in_time(self):
        with serving.serve("--timeout", "1") as server:
            for first in (b"G", b"GET / HTTP/1.1\r\nHost: x\r\na: ",
                          b"POST /v1/recommend HTTP/1.1\r\nHost: x\r\nContent-Length: 50\r\n\r\n{"):
                with socket.create_connection(("127.0.0.1", server.port), timeout=10) as client:
                    client.sendall(first)
                    begin = time.monotonic()
                    received = b""
                    client.settimeout(0.1)
                    while time.monotonic() - begin < 8:  # a byte now and then changes nothing
                        try:
                            part = client.recv(4096)
                            if not part:
                                break
                            received += part
                        except TimeoutError:
                            if not received:
                                client.sendall(b"a")
                        except ConnectionResetError:
                            break
                    self.assertEqual(serving.status_of(received), 408, first)
                    self.assertLess(time.monotonic() - begin, 5)
            with socket.create_connection(("127.0.0.1", server.port), timeout=10) as client:
                begin = time.monotonic()
                self.assertEqual(client.recv(1), b"")  # nothing was asked, nothing is said
                self.assertLess(time.monotonic() - begin, 4)

    def test_idle_clients_do_not_starve_others(self):
        with serving.serve("--connections", "32") as server:
            idle = []
            for _ in range(256):
                connection = server.connect()
                connection.request("GET", "/healthz")
                self.assertEqual(serving.Answer(connection.getresponse()).status, 200)
                idle.append(connection)
            self.assertEqual(server.get("/healthz").status, 200)
            for connection in idle:
                connection.close()

    def test_somebody_who_takes_no_answer_holds_nobody_up(self):
        with serving.serve("--timeout", "1") as server:
            stuck = []
            for _ in range(20):
                client = socket.create_connection(("127.0.0.1", server.port))
                client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
                client.sendall(b"GET /assets/app.js HTTP/1.1\r\nHost: x\r\n\r\n" * 100)
                stuck.append(client)
            self.assertEqual(server.get("/v1/recommend?user=u1").status, 200)
            for client in stuck:
                client.close()


class Ending(unittest.TestCase):
    def test_sigterm_answers_what_was_asked_and_exits_with_0(self):
        with serving.serve("--grace", "5") as server:
            kept = server.connect()
            kept.request("GET", "/healthz")
            serving.Answer(kept.getresponse())
            slow = socket.create_connection(("127.0.0.1", server.port), timeout=10)
            slow.sendall(b"GET /v1/model HTTP/1.1\r\nHost: x\r\n")
            server.process.send_signal(signal.SIGTERM)
            serving.wait_until(lambda: server.get("/readyz").status == 503)
            answer = server.get("/v1/recommend?user=u1")
            self.assertEqual((answer.status, answer.headers["connection"]), (200, "close"))
            kept.close()
            serving.wait_until(lambda: not server.listens())
            slow.sendall(b"\r\n")
            self.assertEqual(serving.status_of(slow.recv(65536)), 200)
            slow.close()
            self.assertEqual(server.process.wait(10), 0)

    def test_ctrl_c_ends_at_once(self):
        with serving.serve() as server:
            begin = time.monotonic()
            server.process.send_signal(signal.SIGINT)
            self.assertEqual(server.process.wait(10), 0)
            self.assertLess(time.monotonic() - begin, 4)

    def test_what_cannot_begin_says_why(self):
        with serving.serve() as server:
            for words in ((serving.workshop() / "model.safetensors", "--port", str(server.port)),
                          (serving.workshop() / "none",), (serving.workshop() / "small.tsv",), (),
                          (serving.workshop() / "model.safetensors", "--bind", "no.such.address.invalid")):
                with self.assertRaisesRegex(AssertionError, r"^sqmax: [^\n]*\.\n$"):
                    serving.workshop().run("serve", *words)


class Swaps(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        serving.workshop().train("other.safetensors", "--rank", "3")

    def setUp(self):
        self.path = pathlib.Path(serving.workshop() / "live.safetensors")
        self.use("model")

    def use(self, name):
        copy = self.path.with_suffix(".new")
        shutil.copy(serving.workshop() / f"{name}.safetensors", copy)
        copy.rename(self.path)

    def test_a_changed_file_takes_the_place_of_the_old_one(self):
        with serving.serve(model="live.safetensors") as server:
            rank = lambda: server.get("/v1/model").json()["rank"]
            self.assertEqual(rank(), 4)
            self.use("other")
            serving.wait_until(lambda: rank() == 3)
            self.assertIn("sqmax_model_swaps_total 1", server.get("/metrics").text)

    def test_a_damaged_file_changes_nothing(self):
        with serving.serve(model="live.safetensors") as server:
            damaged = bytearray(self.path.read_bytes())
            damaged[-1] ^= 1
            copy = self.path.with_suffix(".new")
            copy.write_bytes(damaged)
            copy.rename(self.path)
            serving.wait_until(lambda: "swaps_failed_total 1" in server.get("/metrics").text)
            self.assertEqual(server.get("/v1/model").json()["rank"], 4)
            self.use("other")
            serving.wait_until(lambda: server.get("/v1/model").json()["rank"] == 3)
        self.assertIn("The model stays as it was", server.messages)

    def test_a_file_that_is_written_in_place_takes_nothing_from_the_server(self):
        asked = [("GET", "/v1/recommend?user=u7&k=9", None), ("GET", "/v1/items?q=thing", None),
                 ("POST", "/v1/recommend", {"history": ["i1", "i5"], "k": 12}),
                 ("GET", "/v1/similar?item=i3", None)]
        with serving.serve(model="live.safetensors") as server:
            answers = lambda: [server.ask(*each).text for each in asked]
            before, size = answers(), self.path.stat().st_size
            with open(self.path, "r+b") as live:  # as cp does it
                live.truncate(0)
                self.assertEqual(answers(), before)
                live.write(b"\x7f" * size)
                live.flush()
                self.assertEqual(answers(), before)
                serving.wait_until(lambda: "swaps_failed_total 0" not in server.get("/metrics").text)
            self.assertEqual(answers(), before)
            shutil.copy(serving.workshop() / "other.safetensors", self.path)
            serving.wait_until(lambda: server.get("/v1/model").json()["rank"] == 3)

    def test_sighup_loads_it_again(self):
        with serving.serve(model="live.safetensors") as server:
            server.process.send_signal(signal.SIGHUP)
            serving.wait_until(lambda: "sqmax_model_swaps_total 1" in server.get("/metrics").text)

    def test_no_request_fails_while_models_change(self):
        with serving.serve(model="live.safetensors", *("--events", serving.workshop() / "soak.jsonl")) as server:
            end = time.monotonic() + 8
            failed, counts = [], []

            def work(number):
                chance = random.Random(number)
                connection = server.connect()
                count = 0
                while time.monotonic() < end:
                    method, target, body = mixed_request(chance)
                    headers = {"Content-Type": "application/json"} if body else {}
                    connection.request(method, target, body, headers)
                    answer = serving.Answer(connection.getresponse())
                    count += 1
                    if answer.status != 200:
                        failed.append((target, answer.status, answer.text))
                connection.close()
                counts.append(count)

            threads = [threading.Thread(target=work, args=(number,)) for number in range(6)]
            for thread in threads:
                thread.start()
            names = ["other", "model"]
            while time.monotonic() < end - 1:
                time.sleep(1)
                self.use(names[0])
                names.reverse()
            for thread in threads:
                thread.join()
            self.assertEqual(failed, [])
            self.assertEqual(len(counts), 6)
            self.assertGreater(sum(counts), 100)
            swaps = next(line for line in server.get("/metrics").text.splitlines()
                         if line.startswith("sqmax_model_swaps_total"))
            self.assertGreaterEqual(int(swaps.split()[1]), 2)


def mixed_request(chance):
    user, item = f"u{chance.randrange(serving.USERS)}", f"i{chance.randrange(serving.ITEMS)}"
    history = json.dumps({"history": [item]})
    why = json.dumps({"history": [item], "item": "i1"})
    batch = json.dumps({"requests": [{"history": [item]}] * 5})
    event = json.dumps({"events": [{"user": user, "item": item}]})
    return chance.choice([("GET", f"/v1/recommend?user={user}", None), ("GET", "/v1/model", None),
                          ("POST", "/v1/recommend", history), ("POST", "/v1/explain", why),
                          ("POST", "/v1/recommend/batch", batch), ("POST", "/v1/events", event),
                          ("GET", f"/v1/similar?item={item}", None), ("GET", "/v1/map", None),
                          ("GET", f"/v1/items?q={item}", None), ("GET", "/metrics", None)])


class Hostility(unittest.TestCase):
    def test_random_requests_get_an_answer_or_an_end(self):
        chance = random.Random(7)
        parts = [b"GET ", b"POST ", b"/v1/recommend", b"?user=", b"u1", b" HTTP/1.1", b"\r\n", b"\r\n\r\n",
                 b"Host: x\r\n", b"Content-Length: 5\r\n", b"Content-Type: application/json\r\n", b"{", b"[",
                 b'"history"', b":", b"]", b"}", b"\xff", b"\x00", b"%", b"%ff", b"&k=", b"-1", b"1e9",
                 b"Transfer-Encoding: chunked\r\n", b"a" * 3000, b"5\r\nhello\r\n0\r\n\r\n"]
        with serving.serve("--timeout", "1") as server:
            def attack(seed):
                chance_ = random.Random(seed)
                if chance_.random() < 0.3:
                    data = chance_.randbytes(chance_.randrange(1, 4000))
                else:
                    data = b"".join(chance_.choice(parts) for _ in range(chance_.randrange(1, 30)))
                return serving.status_of(server.raw(data))

            with concurrent.futures.ThreadPoolExecutor(8) as pool:
                statuses = set(pool.map(attack, [chance.random() for _ in range(600)]))
            self.assertTrue(all(status in (0, 200) or 400 <= status < 500 for status in statuses),
                            statuses)
            self.assertEqual(server.get("/v1/recommend?user=u1").status, 200)
            self.assertIsNone(server.process.poll())


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
