"""`sqmax serve` from outside: every route, every refusal, and what hostile clients do.

    serve_test.py PROGRAM
"""

import json
import math
import sys
import unittest

import serving


class Serving(unittest.TestCase):
    """One server for all tests of a class."""

    words: list[str] = []

    @classmethod
    def setUpClass(cls):
        cls.server = serving.serve("--items", serving.workshop() / "titles.tsv", *cls.words)

    @classmethod
    def tearDownClass(cls):
        cls.server.__exit__()

    def good(self, answer):
        self.assertEqual(answer.status, 200, answer.text)
        return answer.json()

    def get(self, target):
        return self.good(self.server.get(target))

    def post(self, target, body):
        return self.good(self.server.post(target, body))

    def assertRefused(self, answer, status, code, field=None):
        self.assertEqual((answer.status, answer.code), (status, code), answer.text)
        error = answer.json()["error"]
        self.assertEqual(error["status"], status)
        self.assertRegex(error["message"], r"^[A-Z'\"].*\.$")
        if field is not None:
            self.assertEqual(error.get("field"), field)


class Answers(Serving):
    def program_list(self, *words):
        line = serving.workshop().run("recommend", serving.workshop() / "model.safetensors", *words, "--json")
        return [each["item"] for each in json.loads(line)["items"]]

    @staticmethod
    def ids(document):
        return [each["item"] for each in document["items"]]

    def test_a_known_user_gets_what_the_program_gives(self):
        document = self.get("/v1/recommend?user=u7&k=5")
        self.assertEqual(document["user"], "u7")
        self.assertEqual(self.ids(document), self.program_list("--user", "u7", "--k", "5"))

    def test_a_history_gets_what_the_program_gives(self):
        document = self.post("/v1/recommend", {"history": ["i3", "i1"], "k": 7})
        self.assertEqual(self.ids(document), self.program_list("--history", "i1,i3", "--k", "7"))
        self.assertEqual(self.post("/v1/recommend", {"history": ["i3", "i1", "i3"], "k": 7}), document)

    def test_items_carry_what_the_table_says(self):
        item = self.get("/v1/items?id=i3")["items"][0]
        self.assertEqual(item["title"], "Thing number 3 ü")
        self.assertEqual(item["link"], "https://example.org/3")
        self.assertEqual(item["columns"], {"shelf": "3"})
        self.assertGreater(item["popularity"], 0)

    def test_candidates_and_exclusions(self):
        only = ["i1", "i2", "i3", "i4"]
        body = {"history": ["i1"], "only": only, "exclude": ["i2"]}
        self.assertEqual(set(self.ids(self.post("/v1/recommend", body))), {"i3", "i4"})
        body["allow_seen"] = True
        self.assertEqual(set(self.ids(self.post("/v1/recommend", body))), {"i1", "i3", "i4"})
        self.assertEqual(self.ids(self.post("/v1/recommend", {"history": ["i1"], "only": []})), [])

    def test_a_batch_is_its_lists(self):
        requests = [{"history": ["i1", "i5"]}, {"user": "u3", "k": 3}, {"history": []},
                    {"history": ["i2"], "blend": 0.1}]
        lists = self.post("/v1/recommend/batch", {"requests": requests})["results"]
        self.assertEqual(lists, [self.post("/v1/recommend", each) for each in requests])
        self.assertEqual(self.post("/v1/recommend/batch", {"requests": []}), {"results": []})

    def test_weights_of_one_change_nothing_and_others_do(self):
        plain = self.post("/v1/recommend", {"history": ["i1", "i2"]})
        ones = self.post("/v1/recommend", {"history": ["i2", "i1"], "weights": [1, 1]})
        self.assertEqual(self.ids(ones), self.ids(plain))
        heavy = self.post("/v1/recommend", {"history": ["i1", "i2"], "weights": [5, 0.1]})
        swapped = self.post("/v1/recommend", {"history": ["i2", "i1"], "weights": [0.1, 5]})
        self.assertEqual(heavy, swapped)
        self.assertNotEqual(heavy, plain)

    def test_contributions_and_rest_sum_to_the_score(self):
        for body in ({"history": ["i1", "i5", "i9"]}, {"history": ["i1", "i5"], "weights": [2, 0.5]},
                     {"history": ["i1"], "blend": 0.2}, {"user": "u5"}):
            best = self.post("/v1/recommend", body)["items"][0]
            why = self.post("/v1/explain", {**body, "item": best["item"]})
            total = why["rest"] + math.fsum(each["score"] for each in why["contributions"])
            self.assertAlmostEqual(total, why["score"], delta=1e-5 * (1 + abs(total)))
            self.assertAlmostEqual(best["score"], why["score"], delta=1e-3 * (1 + abs(total)))
            scores = [each["score"] for each in why["contributions"]]
            self.assertEqual(scores, sorted(scores, reverse=True))

    def test_similar_items(self):
        document = self.get("/v1/similar?item=i4&k=3")
        self.assertEqual(document["item"]["item"], "i4")
        line = serving.workshop().run("similar", serving.workshop() / "model.safetensors", "--item", "i4", "--k", "3",
                            "--json")
        self.assertEqual(self.ids(document), [each["item"] for each in json.loads(line)["items"]])

    def test_search(self):
        self.assertEqual(self.get("/v1/items?q=i17&k=3")["items"][0]["item"], "i17")
        self.assertEqual(self.get("/v1/items?q=NUMBER%2017&k=1")["items"][0]["item"], "i17")
        popular = self.get("/v1/items?k=40")["items"]
        counts = [each["popularity"] for each in popular]
        self.assertEqual(counts, sorted(counts, reverse=True))
        self.assertEqual(self.ids(self.get("/v1/items?id=i9&id=no&id=i2")), ["i9", "i2"])

    def test_the_model_and_the_map(self):
        model = self.get("/v1/model")
        self.assertEqual((model["users"], model["items"]), (serving.USERS, serving.ITEMS))
        self.assertEqual((model["loss"], model["rank"], model["events"]), ("rgp", 4, False))
        points = self.get("/v1/map?limit=10")
        self.assertEqual({len(points[name]) for name in points}, {10})

    def test_head_has_no_body_and_the_same_length(self):
        whole = self.server.get("/v1/model")
        head = self.server.ask("HEAD", "/v1/model")
        self.assertEqual((head.status, head.text), (200, ""))
        self.assertEqual(head.headers["content-length"], whole.headers["content-length"])

    def test_the_page_comes_from_memory_and_asks_nobody_else(self):
        page = self.server.get("/")
        self.assertIn("text/html", page.headers["content-type"])
        for target in ("/", "/assets/app.js", "/assets/app.css", "/v1/model", "/nothing"):
            headers = self.server.get(target).headers
            self.assertIn("default-src 'none'", headers["content-security-policy"])
            self.assertIn("frame-ancestors 'none'", headers["content-security-policy"])
            self.assertEqual(headers["x-content-type-options"], "nosniff")
            self.assertEqual(headers["referrer-policy"], "no-referrer")
            self.assertNotIn("access-control-allow-origin", headers)

    def test_many_requests_on_one_connection(self):
        connection = self.server.connect()
        for user in range(50):
            connection.request("GET", f"/v1/recommend?user=u{user}")
            answer = serving.Answer(connection.getresponse())
            self.assertEqual(self.good(answer)["user"], f"u{user}")
        connection.close()

    def test_metrics_count(self):
        def count():
            lines = self.server.get("/metrics").text.splitlines()
            name = 'sqmax_requests_total{route="similar",status="200"} '
            return sum(int(line.removeprefix(name)) for line in lines if line.startswith(name))

        before = count()
        self.get("/v1/similar?item=i4")
        self.assertEqual(count(), before + 1)


class Refusals(Serving):
    words = ["--max-body", "64K"]

    def test_queries(self):
        for target, status, code, field in (
                ("/nothing", 404, "not_found", None),
                ("/v1/recommend/", 404, "not_found", None),
                ("/assets/../../etc/passwd", 404, "not_found", None),
                ("/assets/", 404, "not_found", None),
                ("/v1/recommend?user=nobody", 404, "unknown_user", "user"),
                ("/v1/recommend", 400, "missing", "user"),
                ("/v1/recommend?user=u1&user=u2", 400, "duplicate", "user"),
                ("/v1/recommend?user=u1&kk=2", 400, "unknown_parameter", "kk"),
                ("/v1/recommend?user=u1&k=ten", 400, "wrong_type", "k"),
                ("/v1/recommend?user=u1&k=", 400, "wrong_type", "k"),
                ("/v1/recommend?user=u1&k=0", 400, "out_of_range", "k"),
                ("/v1/recommend?user=u1&k=-5", 400, "out_of_range", "k"),
                ("/v1/recommend?user=u1&k=1001", 400, "out_of_range", "k"),
                ("/v1/recommend?user=u1&k=99999999999999999999999", 400, "out_of_range", "k"),
                ("/v1/recommend?user=u1&blend=nan", 400, "wrong_type", "blend"),
                ("/v1/recommend?user=u1&blend=-1", 400, "out_of_range", "blend"),
                ("/v1/recommend?user=u1&allow_seen=yes", 400, "wrong_type", "allow_seen"),
                ("/v1/recommend?user=%zz", 400, "bad_query", None),
                ("/v1/recommend?user=%ff", 400, "bad_query", None),
                ("/v1/similar?item=nothing", 404, "unknown_item", "item"),
                ("/v1/items?q=a&id=b", 400, "contradiction", "id"),
                ("/v1/map?limit=0", 400, "out_of_range", "limit"),
                ("/healthz?x=1", 400, "unknown_parameter", "x")):
            with self.subTest(target):
                self.assertRefused(self.server.get(target), status, code, field)

    def test_the_range_is_said(self):
        message = self.server.get("/v1/recommend?user=u1&k=0").json()["error"]["message"]
        self.assertIn("between 1 and 1000", message)

    def test_bodies(self):
        for body, code, field in (
                ("", "bad_json", None),
                ("{", "bad_json", None),
                ("[]", "wrong_type", None),
                ("{}", "missing", "history"),
                ('{"history": "i1"}', "wrong_type", "history"),
                ('{"history": [1]}', "wrong_type", "history[0]"),
                ('{"history": ["i1", "i2", "zz"]}', "unknown_item", "history[2]"),
                ('{"history": ["i1"], "weights": [1, 2]}', "wrong_length", "weights"),
                ('{"history": ["i1"], "weights": ["a"]}', "wrong_type", "weights[0]"),
                ('{"history": ["i1"], "weights": [1e9]}', "out_of_range", "weights[0]"),
                ('{"history": ["i1"], "weights": [1e999]}', "bad_json", None),
                ('{"history": ["i1"], "k": 1.5}', "wrong_type", "k"),
                ('{"history": ["i1"], "k": -1}', "out_of_range", "k"),
                ('{"history": ["i1"], "k": 123456789012345678901234567890}', "out_of_range", "k"),
                ('{"history": ["i1"], "k": null}', "wrong_type", "k"),
                ('{"history": ["i1"], "hist": []}', "unknown_field", "hist"),
                ('{"history": ["i1"], "history": ["i2"]}', "duplicate", "history"),
                ('{"history": ["i1"], "user": "u1"}', "contradiction", "user"),
                ('{"history": ["i1"], "only": ["zz"]}', "unknown_item", "only[0]"),
                ('{"history": ["i1"]} x', "bad_json", None),
                (b'{"history": ["\xff"]}', "bad_json", None),
                (b'{"history": ["\xed\xa0\x80"]}', "bad_json", None),
                ('{"history": ["\\ud800"]}', "bad_json", None),
                ("[" * 60000, "bad_json", None),
                ('{"a":' * 10000, "bad_json", None)):
            with self.subTest(body[:60]):
                self.assertRefused(self.server.post("/v1/recommend", body), 400, code, field)

    def test_the_place_of_a_mistake_is_said(self):
        message = self.server.post("/v1/recommend", '{"history":\n ["i1",}').json()["error"]["message"]
        self.assertIn("line 2, byte 8", message)

    def test_batches(self):
        for requests, code, field in (
                ([{"history": []}, {"history": ["zz"]}], "unknown_item", "requests[1].history[0]"),
                ([{"k": 3}], "missing", "requests[0].history"),
                ([[]], "wrong_type", "requests[0]"),
                ([{"history": []}] * 1001, "too_many", "requests"),
                ([{"history": [], "k": 1000}] * 101, "too_many", "requests")):
            with self.subTest(field):
                answer = self.server.post("/v1/recommend/batch", {"requests": requests})
                self.assertRefused(answer, 400, code, field)

    def test_methods(self):
        answer = self.server.ask("DELETE", "/v1/recommend")
        self.assertRefused(answer, 405, "method_not_allowed")
        self.assertEqual(answer.headers["allow"], "GET, HEAD, POST")
        self.assertEqual(self.server.ask("PUT", "/v1/model", "{}").headers["allow"], "GET, HEAD")
        self.assertEqual(self.server.ask("OPTIONS", "/v1/model").status, 405)

    def test_media_types(self):
        for kind in ("text/plain", "application/x-www-form-urlencoded", "application/jsonx", ""):
            answer = self.server.post("/v1/recommend", "{}", **{"Content-Type": kind})
            self.assertRefused(answer, 415, "unsupported_media_type")
        answer = self.server.post("/v1/recommend", '{"history": []}',
                                  **{"Content-Type": "Application/JSON; charset=utf-8"})
        self.assertEqual(answer.status, 200)
        answer = self.server.post("/v1/recommend", "{}", **{"Content-Encoding": "gzip"})
        self.assertRefused(answer, 415, "unsupported_media_type")

    def test_no_events_without_a_file(self):
        answer = self.server.post("/v1/events", {"events": [{"user": "a", "item": "b"}]})
        self.assertRefused(answer, 404, "no_events")

    def test_large_bodies(self):
        answer = self.server.post("/v1/recommend", " " * 70000)
        self.assertRefused(answer, 413, "body_too_large")
        self.assertEqual(answer.headers["connection"], "close")
        self.assertEqual(self.server.post("/v1/recommend", " " * 60000 + '{"history": []}').status, 200)

    def test_lengths(self):
        def post(headers):
            return serving.status_of(self.server.raw(
                b"POST /v1/recommend HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
                + headers + b"\r\n\r\n{}"))

        self.assertEqual(post(b""), 411)
        self.assertEqual(post(b"Transfer-Encoding: chunked\r\n"), 411)
        self.assertEqual(post(b"Transfer-Encoding: chunked\r\nContent-Length: 2\r\n"), 411)
        self.assertEqual(post(b"Content-Length: -2\r\n"), 400)
        self.assertEqual(post(b"Content-Length: 2x\r\n"), 400)
        self.assertEqual(post(b"Content-Length: 2\r\nContent-Length: 3\r\n"), 400)
        self.assertEqual(post(b"Content-Length: 99999999999999999999999\r\n"), 413)

    def test_heads(self):
        for raw, status in (
                (b"GET / HTTP/2.0\r\nHost: x\r\n\r\n", 400),
                (b"GET /\r\n\r\n", 400),
                (b"GET / HTTP/1.1\r\n\r\n", 400),
                (b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400),
                (b"BREW / HTTP/1.1\r\nHost: x\r\n\r\n", 405),
                (b"CONNECT example.org:443 HTTP/1.1\r\nHost: x\r\n\r\n", 405),
                (b"GET http://example.org/ HTTP/1.1\r\nHost: x\r\n\r\n", 400),
                (b"GET /\x00 HTTP/1.1\r\nHost: x\r\n\r\n", 400),
                (b"GET / HTTP/1.1\r\nHost: x\r\n folded: y\r\n\r\n", 400),
                (b"GET / HTTP/1.1\r\nHost: x\r\nno colon\r\n\r\n", 400),
                (b"GET / HTTP/1.1\r\nHost: x\r\nbad name: y\r\n\r\n", 400),
                (b"GET / HTTP/1.1\r\nHost: x\r\na: \x01\r\n\r\n", 400),
                (b"GET /" + b"a" * 9000 + b" HTTP/1.1\r\nHost: x\r\n\r\n", 414),
                (b"GET / HTTP/1.1\r\nHost: x\r\na: " + b"b" * 20000 + b"\r\n\r\n", 431),
                (b"GET / HTTP/1.1\r\nHost: x\r\n" + b"a: b\r\n" * 200 + b"\r\n", 431),
                (b"A" * 300000, 414),
                (b"GET / HTTP/1.1\r\nHost: x\r\nRange: bytes=" + b"0-1," * 1900 + b"\r\n\r\n", 200),
                (b"GET / HTTP/1.0\r\n\r\n", 200)):
            with self.subTest(raw[:50]):
                answer = self.server.raw(raw)
                self.assertEqual(serving.status_of(answer), status)
                self.assertLessEqual(answer.count(b"\r\nConnection: "), 1)
                self.assertFalse(b"\r\nConnection: close" in answer and b"\r\nKeep-Alive: " in answer)

    def test_pipelined_requests_are_answered_in_order(self):
        one = b"GET /v1/recommend?user=u%d&k=1 HTTP/1.1\r\nHost: x\r\n\r\n"
        body = b'{"history": ["i1"], "k": 2}'
        raw = self.server.raw(b"".join(one % user for user in range(20)) +
                              b"POST /v1/recommend HTTP/1.1\r\nHost: x\r\nContent-Type: "
                              b"application/json\r\nContent-Length: %d\r\n\r\n" % len(body) + body +
                              b"GET /nothing HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        self.assertEqual(raw.count(b"HTTP/1.1 200"), 21)
        self.assertEqual(raw.count(b"HTTP/1.1 404"), 1)
        places = [raw.index(b'{"user": "u%d"' % user) for user in range(20)]
        self.assertEqual(places, sorted(places))

    def test_a_refused_body_is_not_the_next_request(self):
        smuggled = b"GET /v1/model HTTP/1.1\r\nHost: x\r\n\r\n"
        raw = self.server.raw(b"POST /v1/recommend HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked"
                              b"\r\n\r\n" + smuggled)
        self.assertEqual(raw.count(b"HTTP/1.1 "), 1)

    def test_a_client_may_wait_for_100_continue(self):
        raw = self.server.raw(b"POST /v1/recommend HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\n"
                              b"Content-Type: application/json\r\nContent-Length: 15\r\n"
                              b"Connection: close\r\n\r\n" + b'{"history": []}')
        self.assertTrue(raw.startswith(b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200"), raw[:80])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
