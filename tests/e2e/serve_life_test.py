"""`sqmax serve` over time: tokens, limits, slow clients, draining, swaps, events, hostile bytes.

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
import urllib.parse

import serving

PROGRAM = sys.argv[1] if len(sys.argv) > 1 else "build/dev/sqmax"
WORKSHOP = None


def setUpModule():
    global WORKSHOP
    WORKSHOP = serving.Workshop(PROGRAM)
    WORKSHOP.train("other.safetensors", "--rank", "3")


def tearDownModule():
    WORKSHOP.close()


def serve(*words, model="model.safetensors", environment=None):
    return serving.Server(PROGRAM, WORKSHOP / model, *words, environment=environment)


def wait_until(condition, seconds=15):
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise AssertionError("It did not happen in time.")
        time.sleep(0.02)


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
        with serve("--items", WORKSHOP / "titles.tsv", *words) as server:
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


class Access(unittest.TestCase):
    def check_token(self, server):
        self.assertEqual(server.get("/healthz").status, 200)
        self.assertEqual(server.get("/").status, 200)
        self.assertEqual(server.get("/openapi.json").status, 200)
        for target in ("/v1/model", "/metrics", "/v1/recommend?user=u1"):
            self.assertEqual(server.get(target).status, 401)
        for header in ("", "Bearer", "Bearer ", "Bearer secre", "Bearer secrets", "Basic secret"):
            answer = server.get("/v1/model", Authorization=header)
            self.assertEqual((answer.status, answer.code), (401, "unauthorized"))
            self.assertEqual(answer.headers["www-authenticate"], "Bearer")
        self.assertEqual(server.get("/v1/model", Authorization="bearer secret").status, 200)

    def test_a_token_guards_everything_but_the_page_and_health(self):
        log = WORKSHOP / "access.jsonl"
        with serve("--token", "secret", "--access-log", log) as server:
            self.check_token(server)
        lines = pathlib.Path(log).read_text(encoding="utf-8")
        self.assertNotIn("secret", lines + server.messages)
        entries = [json.loads(line) for line in lines.splitlines()]
        self.assertEqual({entry["status"] for entry in entries}, {200, 401})
        self.assertEqual({entry["client"] for entry in entries}, {"127.0.0.1"})
        self.assertIn("recommendUser", {entry["route"] for entry in entries})

    def test_no_token_is_in_any_log_message_or_answer(self):
        token, wrong = "Sesame-7f3a+open/9", "Sesame-7f3a-almost"
        log, events = WORKSHOP / "secret.jsonl", WORKSHOP / "secret-events.jsonl"
        right = {"Authorization": f"Bearer {token}"}
        answers = []
        with serve("--access-log", log, "--events", events,
                   environment={"SQMAX_TOKEN": token}) as server:
            for secret in (token, wrong):
                packed = urllib.parse.quote(secret, safe="")
                every = "".join(f"%{byte:02X}" for byte in secret.encode())
                for text in (secret.replace("+", "%2b"), packed, every):
                    for target in (f"/v1/model?token={text}", f"/v1/recommend?user=u1&token={text}",
                                   f"/v1/recommend?access_token={text}&user=u1", f"/v1/model?{text}",
                                   f"/v1/recommend?user=u1&k={text}", f"/v1/recommend?user={text}",
                                   f"/metrics?{text}=1", f"/healthz?token={text}"):
                        for headers in ({}, right, {"Authorization": f"Bearer {wrong}"}):
                            answers.append((secret, server.ask("GET", target, headers=headers)))
                body = {"history": ["i1"], "token": secret}
                answers.append((secret, server.ask("POST", "/v1/recommend", body, right)))
                for header in (f"Basic {secret}", secret, f"Bearer  {secret}"):
                    answers.append((secret, server.get("/v1/model", Authorization=header)))
            # what only the owner of the token can ask for, in vain: a search, and a path
            for target in ("/v1/items?q=" + urllib.parse.quote(token, safe=""),
                           "/" + urllib.parse.quote(token)):
                server.ask("GET", target, headers=right)
            for target in ("/v1/model", "/v1/recommend?user=u1", "/metrics", "/openapi.json", "/"):
                answers.append((token, server.ask("GET", target, headers=right)))
            metrics = server.ask("GET", "/metrics", headers=right)
            self.assertEqual(metrics.status, 200)
        kept = pathlib.Path(log).read_text(encoding="utf-8")
        self.assertGreater(len(kept.splitlines()), 140)
        self.assertIn("/v1/recommend?user=u1", kept, "what is no secret is logged")
        said = kept + server.messages + server.output + metrics.text
        said += pathlib.Path(events).read_text(encoding="utf-8")
        for text in (said, urllib.parse.unquote(said)):
            self.assertNotIn("Sesame", text)
        for secret, answer in answers:
            # a sentence may repeat what was wrong to the one who sent it, but not to others' logs
            if answer.status == 200:
                self.assertNotIn(secret, answer.text)

    def test_the_token_may_be_in_a_file_or_in_the_environment(self):
        path = pathlib.Path(WORKSHOP / "token")
        path.write_text("secret\n", encoding="utf-8")
        with serve("--token-file", str(path)) as server:
            self.check_token(server)
        with serve(environment={"SQMAX_TOKEN": "secret"}) as server:
            self.check_token(server)

    def test_other_origins_ask_only_if_told_so(self):
        headers = {"Origin": "https://example.org", "Access-Control-Request-Method": "POST"}
        with serve("--cors", "https://example.org") as server:
            answer = server.ask("OPTIONS", "/v1/recommend", headers=headers)
            self.assertEqual(answer.status, 204)
            self.assertEqual(answer.headers["access-control-allow-origin"], "https://example.org")
            self.assertIn("POST", answer.headers["access-control-allow-methods"])
            self.assertEqual(server.get("/v1/model").headers["access-control-allow-origin"],
                             "https://example.org")

    def test_a_rate_limits_each_client(self):
        with serve("--rate", "5") as server:
            statuses = [server.get("/v1/model").status for _ in range(12)]
            self.assertEqual(statuses[:5], [200] * 5)
            self.assertIn(429, statuses)
            answer = server.get("/v1/model")
            self.assertEqual(answer.headers["retry-after"], "1")
            self.assertEqual(server.get("/healthz").status, 200)

    def test_who_binds_to_everything_without_a_token_is_warned(self):
        with serve("--bind", "0.0.0.0") as server:
            self.assertEqual(server.get("/healthz").status, 200)
        self.assertIn("there is no --token", server.messages)
        with serve("--bind", "0.0.0.0", "--token", "x") as server:
            pass
        self.assertNotIn("--token", server.messages)


class Slowness(unittest.TestCase):
    def test_a_slow_request_is_ended_in_time(self):
        with serve("--timeout", "1") as server:
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
        with serve("--connections", "32") as server:
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
        with serve("--timeout", "1") as server:
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
        with serve("--grace", "1") as server:
            kept = server.connect()
            kept.request("GET", "/healthz")
            serving.Answer(kept.getresponse())
            slow = socket.create_connection(("127.0.0.1", server.port), timeout=10)
            slow.sendall(b"GET /v1/model HTTP/1.1\r\nHost: x\r\n")
            server.process.send_signal(signal.SIGTERM)
            wait_until(lambda: server.get("/readyz").status == 503)
            answer = server.get("/v1/recommend?user=u1")
            self.assertEqual((answer.status, answer.headers["connection"]), (200, "close"))
            kept.close()
            time.sleep(1.2)  # the grace is over
            slow.sendall(b"\r\n")
            self.assertEqual(serving.status_of(slow.recv(65536)), 200)
            slow.close()
            self.assertEqual(server.process.wait(10), 0)

    def test_ctrl_c_ends_at_once(self):
        with serve() as server:
            begin = time.monotonic()
            server.process.send_signal(signal.SIGINT)
            self.assertEqual(server.process.wait(10), 0)
            self.assertLess(time.monotonic() - begin, 4)

    def test_what_cannot_begin_says_why(self):
        with serve() as server:
            for words in ((WORKSHOP / "model.safetensors", "--port", str(server.port)),
                          (WORKSHOP / "none",), (WORKSHOP / "small.tsv",), (),
                          (WORKSHOP / "model.safetensors", "--bind", "no.such.address.invalid")):
                with self.assertRaisesRegex(AssertionError, r"^sqmax: [^\n]*\.\n$"):
                    WORKSHOP.run("serve", *words)


class Swaps(unittest.TestCase):
    def setUp(self):
        self.path = pathlib.Path(WORKSHOP / "live.safetensors")
        self.use("model")

    def use(self, name):
        copy = self.path.with_suffix(".new")
        shutil.copy(WORKSHOP / f"{name}.safetensors", copy)
        copy.rename(self.path)

    def test_a_changed_file_takes_the_place_of_the_old_one(self):
        with serve(model="live.safetensors") as server:
            rank = lambda: server.get("/v1/model").json()["rank"]
            self.assertEqual(rank(), 4)
            self.use("other")
            wait_until(lambda: rank() == 3)
            self.assertIn("sqmax_model_swaps_total 1", server.get("/metrics").text)

    def test_a_damaged_file_changes_nothing(self):
        with serve(model="live.safetensors") as server:
            damaged = bytearray(self.path.read_bytes())
            damaged[-1] ^= 1
            copy = self.path.with_suffix(".new")
            copy.write_bytes(damaged)
            copy.rename(self.path)
            wait_until(lambda: "swaps_failed_total 1" in server.get("/metrics").text)
            self.assertEqual(server.get("/v1/model").json()["rank"], 4)
            self.use("other")
            wait_until(lambda: server.get("/v1/model").json()["rank"] == 3)
        self.assertIn("The model stays as it was", server.messages)

    def test_sighup_loads_it_again(self):
        with serve(model="live.safetensors") as server:
            server.process.send_signal(signal.SIGHUP)
            wait_until(lambda: "sqmax_model_swaps_total 1" in server.get("/metrics").text)

    def test_no_request_fails_while_models_change(self):
        with serve(model="live.safetensors", *("--events", WORKSHOP / "soak.jsonl")) as server:
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


class Events(unittest.TestCase):
    def setUp(self):
        self.path = pathlib.Path(WORKSHOP / "events.jsonl")
        self.path.unlink(missing_ok=True)

    def post(self, server, *pairs):
        body = {"events": [{"user": user, "item": item} for user, item in pairs]}
        answer = server.post("/v1/events", body)
        self.assertEqual((answer.status, answer.json()), (200, {"accepted": len(pairs)}))

    @staticmethod
    def items(answer):
        return [each["item"] for each in answer.json()["items"]]

    def test_events_count_at_once_and_after_a_restart(self):
        with serve("--events", str(self.path)) as server:
            self.assertTrue(server.get("/v1/model").json()["events"])
            first = self.items(server.get("/v1/recommend?user=u1&k=3"))[0]
            self.post(server, ("u1", first), ("new", "i1"), ("new", "i5"), ("u2", "not yet known"))
            folded = server.get("/v1/recommend?user=u1&k=40")
            self.assertNotIn(first, self.items(folded))
            newcomer = server.get("/v1/recommend?user=new&k=5")
            by_history = server.post("/v1/recommend", {"history": ["i1", "i5"], "k": 5})
            self.assertEqual(newcomer.json()["items"], by_history.json()["items"])
            server.process.kill()
        with serve("--events", str(self.path)) as server:
            self.assertEqual(server.get("/v1/recommend?user=u1&k=40").text, folded.text)
            self.assertEqual(server.get("/v1/recommend?user=new&k=5").text, newcomer.text)
            self.assertEqual(server.get("/v1/recommend?user=u2").status, 200)

    def test_a_known_users_history_is_training_and_events(self):
        pairs = [line.split("\t") for line in serving.small_table().splitlines()[1:]]
        with serve("--events", str(self.path)) as server:
            # those that training does not have, because they are held out, do not come back either
            body = {"user": "u1", "k": 40}
            before = set(self.items(server.post("/v1/recommend", body)))
            some = sorted(before)[0]
            self.post(server, ("u1", some))
            self.assertEqual(set(self.items(server.post("/v1/recommend", body))), before - {some})
            everything = {item for user, item in pairs if user == "u1"}
            self.assertGreater(len(everything), 0)

    def test_a_torn_line_is_cut_and_others_stay(self):
        good = '{"user": "new", "item": "i1", "time": 1}\n'
        self.path.write_text(good + "no event\n" + good + '{"user": "torn", "it', encoding="utf-8")
        with serve("--events", str(self.path)) as server:
            self.post(server, ("new", "i2"))
            self.assertEqual(server.get("/v1/recommend?user=torn").status, 404)
            self.assertEqual(server.get("/v1/recommend?user=new").status, 200)
        self.assertIn("incomplete", server.messages)
        self.assertIn("the first is line 2", server.messages)
        lines = self.path.read_text(encoding="utf-8").splitlines()
        self.assertEqual(len(lines), 4)
        self.assertEqual(json.loads(lines[3])["item"], "i2")

    def test_prepare_reads_what_was_written(self):
        odd = 'a "quoted" ü\tname'
        with serve("--events", str(self.path)) as server:
            for user in range(12):
                self.post(server, *[(f"u{user}" if user else odd, f"i{item}") for item in range(8)])
        self.assertEqual(len(self.path.read_text(encoding="utf-8").splitlines()), 96)
        done = json.loads(WORKSHOP.run("prepare", str(self.path), "-o", WORKSHOP / "e.safetensors",
                                       "--json"))
        self.assertEqual((done["users"], done["items"]), (12, 8))

    def test_many_at_once_are_all_there(self):
        with serve("--events", str(self.path)) as server:
            def add(number):
                self.post(server, *[(f"p{number}", f"i{item}") for item in range(5)])

            with concurrent.futures.ThreadPoolExecutor(8) as pool:
                list(pool.map(add, range(40)))
        lines = [json.loads(line) for line in self.path.read_text(encoding="utf-8").splitlines()]
        pairs = {(line["user"], line["item"]) for line in lines}
        self.assertEqual(len(pairs), 200)

    def test_one_file_has_one_server(self):
        with serve("--events", str(self.path)):
            with self.assertRaisesRegex(AssertionError, "Another server"):
                WORKSHOP.run("serve", WORKSHOP / "model.safetensors", "--port", "0", "--events",
                             str(self.path))



class Hostility(unittest.TestCase):
    def test_random_requests_get_an_answer_or_an_end(self):
        chance = random.Random(7)
        parts = [b"GET ", b"POST ", b"/v1/recommend", b"?user=", b"u1", b" HTTP/1.1", b"\r\n", b"\r\n\r\n",
                 b"Host: x\r\n", b"Content-Length: 5\r\n", b"Content-Type: application/json\r\n", b"{", b"[",
                 b'"history"', b":", b"]", b"}", b"\xff", b"\x00", b"%", b"%ff", b"&k=", b"-1", b"1e9",
                 b"Transfer-Encoding: chunked\r\n", b"a" * 3000, b"5\r\nhello\r\n0\r\n\r\n"]
        with serve("--timeout", "1") as server:
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
