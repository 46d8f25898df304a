"""Who may ask `sqmax serve`, and how often: tokens, origins, rates, and what logs tell of them.

    serve_access_test.py PROGRAM
"""

import json
import pathlib
import sys
import unittest
import urllib.parse

import serving


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
        log = serving.workshop() / "access.jsonl"
        with serving.serve("--token", "secret", "--access-log", log) as server:
            self.check_token(server)
        lines = pathlib.Path(log).read_text(encoding="utf-8")
        self.assertNotIn("secret", lines + server.messages)
        entries = [json.loads(line) for line in lines.splitlines()]
        self.assertEqual({entry["status"] for entry in entries}, {200, 401})
        self.assertEqual({entry["client"] for entry in entries}, {"127.0.0.1"})
        self.assertIn("recommendUser", {entry["route"] for entry in entries})

    def test_no_token_is_in_any_log_message_or_answer(self):
        token, wrong = "Sesame-7f3a+open/9", "Sesame-7f3a-almost"
        log, events = serving.workshop() / "secret.jsonl", serving.workshop() / "secret-events.jsonl"
        right = {"Authorization": f"Bearer {token}"}
        answers = []
        with serving.serve("--access-log", log, "--events", events,
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
        path = pathlib.Path(serving.workshop() / "token")
        path.write_text("secret\n", encoding="utf-8")
        with serving.serve("--token-file", str(path)) as server:
            self.check_token(server)
        with serving.serve(environment={"SQMAX_TOKEN": "secret"}) as server:
            self.check_token(server)

    def test_other_origins_ask_only_if_told_so(self):
        headers = {"Origin": "https://example.org", "Access-Control-Request-Method": "POST"}
        with serving.serve("--cors", "https://example.org") as server:
            answer = server.ask("OPTIONS", "/v1/recommend", headers=headers)
            self.assertEqual(answer.status, 204)
            self.assertEqual(answer.headers["access-control-allow-origin"], "https://example.org")
            self.assertIn("POST", answer.headers["access-control-allow-methods"])
            self.assertEqual(server.get("/v1/model").headers["access-control-allow-origin"],
                             "https://example.org")

    def test_a_rate_allows_as_many_at_once_as_in_a_second(self):
        with serving.serve("--rate", "5") as server:
            self.assertEqual([server.get("/v1/model").status for _ in range(5)], [200] * 5)

    def test_who_binds_to_everything_without_a_token_is_warned(self):
        with serving.serve("--bind", "0.0.0.0") as server:
            self.assertEqual(server.get("/healthz").status, 200)
        self.assertIn("there is no --token", server.messages)
        with serving.serve("--bind", "0.0.0.0", "--token", "x") as server:
            pass
        self.assertNotIn("--token", server.messages)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
