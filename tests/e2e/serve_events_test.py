"""`sqmax serve --events`: kept at once, found again after a restart, read by prepare.

    serve_events_test.py PROGRAM
"""

import concurrent.futures
import json
import pathlib
import sys
import unittest

import serving


class Events(unittest.TestCase):
    def setUp(self):
        self.path = pathlib.Path(serving.workshop() / "events.jsonl")
        self.path.unlink(missing_ok=True)

    def post(self, server, *pairs):
        body = {"events": [{"user": user, "item": item} for user, item in pairs]}
        answer = server.post("/v1/events", body)
        self.assertEqual((answer.status, answer.json()), (200, {"accepted": len(pairs)}))

    @staticmethod
    def items(answer):
        return [each["item"] for each in answer.json()["items"]]

    def test_events_count_at_once_and_after_a_restart(self):
        with serving.serve("--events", str(self.path)) as server:
            self.assertTrue(server.get("/v1/model").json()["events"])
            first = self.items(server.get("/v1/recommend?user=u1&k=3"))[0]
            self.post(server, ("u1", first), ("new", "i1"), ("new", "i5"), ("u2", "not yet known"))
            folded = server.get("/v1/recommend?user=u1&k=40")
            self.assertNotIn(first, self.items(folded))
            newcomer = server.get("/v1/recommend?user=new&k=5")
            by_history = server.post("/v1/recommend", {"history": ["i1", "i5"], "k": 5})
            self.assertEqual(newcomer.json()["items"], by_history.json()["items"])
            server.process.kill()
        with serving.serve("--events", str(self.path)) as server:
            self.assertEqual(server.get("/v1/recommend?user=u1&k=40").text, folded.text)
            self.assertEqual(server.get("/v1/recommend?user=new&k=5").text, newcomer.text)
            self.assertEqual(server.get("/v1/recommend?user=u2").status, 200)

    def test_a_known_users_history_is_training_and_events(self):
        pairs = [line.split("\t") for line in serving.small_table().splitlines()[1:]]
        with serving.serve("--events", str(self.path)) as server:
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
        with serving.serve("--events", str(self.path)) as server:
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
        with serving.serve("--events", str(self.path)) as server:
            for user in range(12):
                self.post(server, *[(f"u{user}" if user else odd, f"i{item}") for item in range(8)])
        self.assertEqual(len(self.path.read_text(encoding="utf-8").splitlines()), 96)
        done = json.loads(serving.workshop().run("prepare", str(self.path), "-o", serving.workshop() / "e.safetensors",
                                       "--json"))
        self.assertEqual((done["users"], done["items"]), (12, 8))

    def test_many_at_once_are_all_there(self):
        with serving.serve("--events", str(self.path)) as server:
            def add(number):
                self.post(server, *[(f"p{number}", f"i{item}") for item in range(5)])

            with concurrent.futures.ThreadPoolExecutor(8) as pool:
                list(pool.map(add, range(40)))
        lines = [json.loads(line) for line in self.path.read_text(encoding="utf-8").splitlines()]
        pairs = {(line["user"], line["item"]) for line in lines}
        self.assertEqual(len(pairs), 200)

    def test_one_file_has_one_server(self):
        with serving.serve("--events", str(self.path)):
            with self.assertRaisesRegex(AssertionError, "Another server"):
                serving.workshop().run("serve", serving.workshop() / "model.safetensors", "--port", "0", "--events",
                             str(self.path))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
