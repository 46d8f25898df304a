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

    REQUESTS = [("GET", "/v1/recommend?user=u7&k=9", None), ("GET", "/v1/model", None),
                ("GET", "/v1/similar?item=i3", None), ("GET", "/v1/items?q=thing", None),
                ("GET", "/v1/map", None),
                ("POST", "/v1/recommend", {"history": ["i1", "i5"], "k": 12}),
                ("POST", "/v1/recommend", {"history": ["i2", "i9"], "weights": [3, 0.5]}),
                ("POST", "/v1/recommend", {"history": ["i2"], "blend": 0.3, "exclude": ["i4"]}),
                ("POST", "/v1/explain", {"history": ["i1", "i5"], "item": "i9"}),
                ("POST", "/v1/recommend/batch",
                 {"requests": [{"user": f"u{u}", "k": 40} for u in range(60)]})]

    def answers(self, *words, at_once=1):
        with serving.serve("--items", serving.workshop() / "titles.tsv", *words) as server:
            with concurrent.futures.ThreadPoolExecutor(at_once) as pool:
                asked = pool.map(lambda each: server.ask(*each), self.REQUESTS * at_once)
                answers = list(asked)
        for answer in answers:
            self.assertEqual(answer.status, 200, answer.text)
        texts = [answer.text for answer in answers]
        count = len(self.REQUESTS)
        for begin in range(count, len(texts), count):
            self.assertEqual(texts[begin:begin + count], texts[:count])
        return texts[:count]

    def test_do_not_change_an_answer(self):
        alone = self.answers("--threads", "1")
        self.assertEqual(self.answers("--threads", "3"), alone)
        self.assertEqual(self.answers("--threads", "3", at_once=6), alone)
        self.assertEqual(self.answers("--threads", "1", at_once=6), alone)


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
