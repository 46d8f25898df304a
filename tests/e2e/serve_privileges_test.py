"""What `sqmax serve` can still do once its port is bound, and that its work needs no more.

    serve_privileges_test.py PROGRAM
"""

import os
import pathlib
import stat
import sys
import unittest

import serving

IS_ROOT = os.geteuid() == 0
NOBODY = 65534
HAS_OTHER_THREADS = b"__tsan_init" in pathlib.Path(serving.PROGRAM).read_bytes()  # ThreadSanitizer's own


def status_of(folder: pathlib.Path) -> dict:
    lines = (folder / "status").read_text(encoding="utf-8").splitlines()
    return {name: value.split() for name, _, value in (line.partition(":") for line in lines)}


def threads_of(server) -> list:
    folder = pathlib.Path(f"/proc/{server.process.pid}")
    return [status_of(each) for each in ([folder] if HAS_OTHER_THREADS else (folder / "task").iterdir())]


class PrivilegesTest(unittest.TestCase):
    def check_threads(self, server):
        self.assertEqual(server.get("/v1/recommend?user=u1").status, 200)
        threads = threads_of(server)
        self.assertTrue(threads)
        for thread in threads:
            self.assertEqual(thread["NoNewPrivs"], ["1"])
            for kind in ("CapInh", "CapPrm", "CapEff", "CapAmb") + (("CapBnd",) if IS_ROOT else ()):
                self.assertEqual(int(thread[kind][0], 16), 0, kind)
        return threads


class Privileges(PrivilegesTest):
    def test_no_thread_has_a_capability_or_can_get_one(self):
        with serving.serve() as server:
            self.check_threads(server)
            limits = pathlib.Path(f"/proc/{server.process.pid}/limits").read_text(encoding="utf-8")
            self.assertRegex(limits, r"Max core file size +0 +0 ")
            owner = os.stat(f"/proc/{server.process.pid}/environ").st_uid
            self.assertEqual(owner, 0, "memory that may be dumped is the user's own")
        self.assertEqual("runs as root" in server.messages, IS_ROOT)

    def test_the_token_leaves_the_environment(self):
        environment = {"SQMAX_TOKEN": "Sesame-7f3a", "SQMAX_OTHER": "stays"}
        with serving.serve(environment=environment) as server:
            self.assertEqual(server.get("/v1/model", Authorization="Bearer Sesame-7f3a").status, 200)
            path = pathlib.Path(f"/proc/{server.process.pid}/environ")
            if not IS_ROOT:
                self.assertRaises(PermissionError, path.read_bytes)
                return
            self.assertIn(b"SQMAX_OTHER=stays", path.read_bytes())
            self.assertNotIn(b"Sesame", path.read_bytes())

    def test_files_that_cannot_be_opened_are_named(self):
        shop = serving.workshop()
        model = shop / "model.safetensors"
        for words, named in (((shop / "none",), "none"), ((shop / "small.tsv",), "small.tsv"),
                             ((model, "--items", shop / "none"), "none"),
                             ((model, "--events", str(shop.folder)), "Cannot open"),
                             ((model, "--events", "/dev/null"), "not a plain file"),
                             ((model, "--access-log", str(shop.folder)), "Cannot open"),
                             ((model, "--run-as", "no-such-user"), "--run-as no-such-user: there is no such")):
            with self.assertRaisesRegex(AssertionError, rf"^sqmax: [^\n]*{named}[^\n]*\.\n$"):
                serving.Server(serving.PROGRAM, *words)

    @unittest.skipIf(IS_ROOT, "for those who are not root")
    def test_only_root_becomes_somebody_else(self):
        with self.assertRaisesRegex(AssertionError, "--run-as 65534:65534: cannot become that user"):
            serving.serve("--run-as", f"{NOBODY}:{NOBODY}")


@unittest.skipUnless(IS_ROOT, "for root alone")
class SomebodyElse(PrivilegesTest):
    def setUp(self):
        self.folder = serving.workshop().folder
        self.folder.chmod(0o711)
        self.own = self.folder / "own"
        self.own.mkdir(exist_ok=True)
        os.chown(self.own, NOBODY, NOBODY)

    def test_loading_again_and_events_go_on(self):
        for user in ("nobody", f"{NOBODY}:{NOBODY}"):
            events = self.own / f"events-{user}.jsonl"
            with serving.serve("--run-as", user, "--events", str(events)) as server:
                for thread in self.check_threads(server):
                    self.assertEqual(thread["Uid"], [str(NOBODY)] * 4)
                    self.assertEqual(thread["Gid"], [str(NOBODY)] * 4)
                    self.assertNotIn("0", thread["Groups"])
                self.assertEqual(server.post("/v1/events", {"events": [{"user": "new", "item": "i1"}]}).status, 200)
                serving.workshop().train("model.safetensors", "--rank", "5")
                serving.wait_until(lambda: server.get("/v1/model").json()["rank"] == 5)
            serving.workshop().train("model.safetensors", "--rank", "4")
            self.assertIn('"new"', events.read_text(encoding="utf-8"))
            self.assertEqual((events.stat().st_uid, stat.S_IMODE(events.stat().st_mode)), (NOBODY, 0o640))
            self.assertNotIn("runs as root", server.messages)

    def test_what_that_user_cannot_read_is_not_read(self):
        model = self.folder / "private.safetensors"
        model.write_bytes((self.folder / "model.safetensors").read_bytes())
        model.chmod(0o600)
        with self.assertRaisesRegex(AssertionError, "private.safetensors.*Permission denied"):
            serving.Server(serving.PROGRAM, str(model), "--run-as", "nobody")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
