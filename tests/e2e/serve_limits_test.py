"""`sqmax serve` at its limits: the demo, long headers, closed pipes, bursts, empty tokens, rates.

    serve_limits_test.py PROGRAM
"""

import concurrent.futures
import json
import pathlib
import resource
import sys
import time
import unittest

import serving

HEAD = b" HTTP/1.1\r\nHost: x\r\n"


def entries(log):
    return [json.loads(line) for line in pathlib.Path(log).read_text(encoding="utf-8").splitlines()]


class Demo(unittest.TestCase):
    def test_it_tells_its_story_and_recommends(self):
        with serving.Server(serving.PROGRAM, "--demo") as server:
            story = server.get("/v1/model").json()["story"]
            self.assertEqual(set(story["intervals"]), set(story["test"]))
            for name, (low, high) in story["intervals"].items():
                self.assertTrue(0 <= low <= story["test"][name] <= high <= 1, name)
            self.assertNotIn(None, story.values())
            answer = server.post("/v1/recommend", {"history": ["python3"], "k": 3})
            self.assertEqual(len(answer.json()["items"]), 3)
            self.assertEqual(server.get("/v1/recommend?user=gimp&k=3").status, 200)


class Heads(unittest.TestCase):
    def test_a_long_header_is_refused_and_logged(self):
        log = serving.workshop() / "long.jsonl"
        smuggled = b"GET /v1/recommend?user=u1" + HEAD + b"\r\n"
        post = b"POST /v1/recommend" + HEAD + b"Content-Type: application/json\r\n"
        with serving.serve("--access-log", log) as server:
            raw = server.raw(post + b"X: " + b"a" * 9000 +
                             b"\r\nContent-Length: %d\r\n\r\n" % len(smuggled) + smuggled)
            self.assertEqual(serving.status_of(raw), 431)
            self.assertIn(b"headers_too_large", raw)
            self.assertEqual(raw.count(b"HTTP/1.1 "), 1, "the body is no request")
            metrics = server.get("/metrics").text
            self.assertIn('sqmax_requests_total{route="other",status="431"} 1\n', metrics)
        self.assertEqual(entries(log)[0]["status"], 431)

    def test_a_header_may_have_8000_bytes(self):
        with serving.serve() as server:
            for size, status in ((8000, 200), (8001, 431)):
                line = b"X: " + b"a" * (size - 3) + b"\r\n"
                raw = server.raw(b"GET /healthz" + HEAD + line + b"\r\n")
                self.assertEqual(serving.status_of(raw), status)

    def test_what_stands_in_targets_and_headers_is_what_was_sent(self):
        log = serving.workshop() / "sent.jsonl"
        with serving.serve("--access-log", log, "--token", "50%41/b+c%") as server:
            bearer = {"Authorization": "Bearer 50%41/b+c%"}
            self.assertEqual(server.get("/v1/model", **bearer).status, 200)
            self.assertEqual(server.get("/v1/model", Authorization="Bearer 50A/b+c%").status, 401)
            # a query may have question marks
            self.assertEqual(server.get("/v1/items?q=a?b?c", **bearer).status, 200)
            raw = server.raw(b"POST /v1/recommend" + HEAD + b"Content-Length: %32\r\n\r\n{}")
            self.assertEqual(serving.status_of(raw), 400)
        self.assertEqual([entry["status"] for entry in entries(log)], [200, 401, 200, 400])


class Outputs(unittest.TestCase):
    def test_a_log_that_nobody_reads_ends_nothing(self):
        with serving.serve("--access-log", "-") as server:
            server.process.stdout.close()
            for _ in range(3):
                self.assertEqual(server.get("/v1/model").status, 200)
            self.assertIsNone(server.process.poll())

    def test_files_that_may_not_grow_end_nothing(self):
        with serving.serve("--access-log", serving.workshop() / "small.jsonl", "--events",
                   serving.workshop() / "small-events.jsonl") as server:
            _, hard = resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE)
            resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (5, hard))
            body = {"events": [{"user": "a", "item": "b"}]}
            for _ in range(2):
                self.assertEqual(server.post("/v1/events", body).status, 503)
            resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (hard, hard))
            self.assertEqual(server.post("/v1/events", body).status, 200)


class Bursts(unittest.TestCase):
    def test_each_of_a_burst_takes_the_place_of_another_idle_client(self):
        with serving.serve("--connections", "32") as server:
            idle = [self.asked(server) for _ in range(32)]
            begin = time.monotonic()
            with concurrent.futures.ThreadPoolExecutor(16) as pool:
                newcomers = list(pool.map(lambda _: self.asked(server), range(16)))
            self.assertLess(time.monotonic() - begin, 5)
            for connection in idle + newcomers:
                connection.close()

    def asked(self, server):
        """A connection that stays open after its answer."""
        connection = server.connect(timeout=10)
        connection.request("GET", "/healthz")
        self.assertEqual(serving.Answer(connection.getresponse()).status, 200)
        return connection


class Tokens(unittest.TestCase):
    def test_an_empty_token_is_no_token(self):
        path = pathlib.Path(serving.workshop() / "token")
        for text in ("", "\n", "\r\n", "\nsecret\n"):
            path.write_bytes(text.encode())
            with self.assertRaisesRegex(AssertionError, r"^sqmax: --token-file [^\n]*\.\n$"):
                serving.serve("--token-file", str(path))
        for words in (("--token", ""), ("--token", "secret "), ("--token", "a\nb")):
            with self.assertRaisesRegex(AssertionError, r"^sqmax: --token [^\n]*\.\n$"):
                serving.serve(*words)
        with self.assertRaisesRegex(AssertionError, r"^sqmax: SQMAX_TOKEN is empty[^\n]*\.\n$"):
            serving.serve(environment={"SQMAX_TOKEN": ""})
        with self.assertRaisesRegex(AssertionError, "--token-file"):
            serving.serve("--token-file", "")

    def test_a_token_file_may_come_from_another_system(self):
        path = pathlib.Path(serving.workshop() / "token")
        path.write_bytes(b"secret\r\n")
        with serving.serve("--token-file", str(path)) as server:
            self.assertEqual(server.get("/v1/model").status, 401)
            self.assertEqual(server.get("/v1/model", Authorization="Bearer secret").status, 200)


class Rates(unittest.TestCase):
    def test_who_asks_too_often_is_told_when_to_come_back(self):
        with serving.serve("--rate", "0.1") as server:
            self.assertEqual(server.get("/v1/model").status, 200)
            answer = server.get("/v1/model")
            self.assertEqual((answer.status, answer.code), (429, "rate_limited"))
            self.assertIn(int(answer.headers["retry-after"]), range(1, 11))
            self.assertEqual(server.get("/healthz").status, 200)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
