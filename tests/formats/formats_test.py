"""Files of every released format, used by the program as it is now; and nobody has made them anew.

    formats_test.py PROGRAM
"""

import hashlib
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest
import urllib.parse

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "e2e"))
import serving  # noqa: E402

# A file that is not as it was proves nothing: whoever changes the format adds another one.
MADE_ONCE = {
    "dataset-v1.safetensors": "59ab6d4d90c4ac217c059777a37892b4d316515180d3e3334895e988706d259b",
    "distance-v1.safetensors": "6a022ebf0fd54db70f7e2e293761b67b7f40cc883f5bfc05507b5f612d42787d",
    "events-v1.jsonl": "72e5eb30a42df41b4eddc4bac2b53a6feeede701c9180dc6922f10727a109981",
    "extras-v1.safetensors": "35baa4e9db9d96888adc3afe0086716f3979a5e370b5d99f77d7e2c3a476a507",
    "method-v1.json": "6eff99f9337f4b149cf6dd203e591a0addbf16c72c68db070777d52bfa19d60b",
    "model-v1.safetensors": "14c4542faab9ee3df21139228212428cdce4c98f412ea602b4bf18978867e5fd",
    "popularity-v1.safetensors": "5a55593777ffd2b3b2a8a455906ad6c09378228f422c318e71ce091e0305f871",
    "run-v1.json": "0e50fcb608fad53da181f712301345b3fddd5c2babe8a84b24e8d53416a14f9e",
    "strong-v1.safetensors": "097b0def952890b9c7ff799d4fefb4e1be996e261730e022b76e82fa71af134f",
    "vectors-v1.safetensors": "f533741d103bf377bb59651c3d98bdf30379dbfdf5a80cbd26f9f667d4ec050d",
}


def run(*words) -> subprocess.CompletedProcess:
    return subprocess.run([serving.PROGRAM, *map(str, words), "--quiet"], check=False, capture_output=True, text=True)


class InAFolder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def json_of(self, *words):
        done = run(*words, "--json")
        self.assertEqual((done.returncode, done.stderr), (0, ""), words)
        return json.loads(done.stdout)


class Files(InAFolder):
    def test_are_those_that_were_made_once(self):
        there = {path.name for path in HERE.iterdir() if path.suffix in (".safetensors", ".json", ".jsonl")}
        self.assertEqual(there, set(MADE_ONCE))
        for name, expected in MADE_ONCE.items():
            self.assertEqual(hashlib.sha256((HERE / name).read_bytes()).hexdigest(), expected, name)

    def test_have_a_kind_and_the_first_version(self):
        kinds = {"dataset": "dataset", "strong": "dataset", "vectors": "vectors"}
        for path in HERE.glob("*.safetensors"):
            told = self.json_of("inspect", path)
            self.assertEqual((told["kind"], told["format_version"]), (kinds.get(path.stem[:-3], "model"), "1"), path)


class Models(InAFolder):
    """Each one is measured on its data again: all of its users' lists, by the metrics that it remembers."""

    def test_measure_as_they_did(self):
        for name in ("model", "distance", "popularity", "extras"):
            path = HERE / f"{name}-v1.safetensors"
            then = self.json_of("inspect", path)["story"]["test"]
            now = self.json_of("evaluate", path, HERE / "dataset-v1.safetensors")["metrics"]
            self.assertEqual(len(then), 4)
            for metric, value in then.items():
                self.assertAlmostEqual(now[metric], value, 6, (name, metric))

    def test_are_begun_from(self):
        done = self.json_of("train", HERE / "dataset-v1.safetensors", "--from", HERE / "distance-v1.safetensors",
                            "--no-tune", "--iterations", 1, "-o", self.folder / "model")
        self.assertEqual(done["loss"], "cml")

    def test_export_what_they_did(self):
        made = self.folder / "vectors"
        run("export", HERE / "model-v1.safetensors", "--to", "safetensors", "-o", made)
        told = lambda path: self.json_of("inspect", path)["tensors"]
        self.assertEqual(told(made), told(HERE / "vectors-v1.safetensors"))


class Datasets(InAFolder):
    def test_train_and_fold_in_histories(self):
        done = self.json_of("train", HERE / "strong-v1.safetensors", "--loss", "rg2", "--rank", 3, "--no-tune",
                            "-o", self.folder / "model")
        # whoever is measured never trained: their vectors are made of nothing but the histories
        self.assertAlmostEqual(done["valid"]["ndcg@10"], 0.509336, 3)


class Events(InAFolder):
    def setUp(self):
        super().setUp()
        self.path = self.folder / "events.jsonl"
        shutil.copy(HERE / "events-v1.jsonl", self.path)

    def best(self, answer):
        self.assertEqual(answer.status, 200, answer.text)
        return [(each["item"], each["score"]) for each in answer.json()["items"]]

    def test_are_counted_and_taken_into_a_recommendation(self):
        asked = lambda user: "/v1/recommend?k=2&user=" + urllib.parse.quote(user)
        with serving.Server(serving.PROGRAM, str(HERE / "model-v1.safetensors"), "--events",
                            str(self.path)) as server:
            known = self.best(server.get(asked("u0")))
            new = self.best(server.get(asked('somebody "new"')))
            folded = server.post("/v1/recommend", {"history": ["ïtem 3", "ïtem 5"], "k": 2})
            self.assertEqual(new, self.best(folded))
        self.assertIn("holds 5 events.", server.messages)
        for found, expected in zip(known + new, [("ïtem 4", 2.91756), ("ïtem 15", 1.7093865), ("ïtem 6", 1.8183329),
                                                 ("ïtem 9", 1.5745809)], strict=True):
            self.assertEqual(found[0], expected[0])
            self.assertAlmostEqual(found[1], expected[1], 4)
        self.assertEqual(self.path.read_bytes(), (HERE / "events-v1.jsonl").read_bytes())

    def test_are_prepared(self):
        done = self.json_of("prepare", self.path, "--split", "none", "-o", self.folder / "data")
        self.assertEqual((done["users"], done["items"], done["train"]), (2, 5, 5))


class Unfinished(InAFolder):
    """What another version began is refused by name, and left as it was."""

    def older(self, name, path):
        text = (HERE / name).read_text(encoding="utf-8").replace('"version":"0.1.0"', '"version":"0.0.9"')
        path.parent.mkdir(parents=True)
        path.write_text(text, encoding="utf-8")
        return text

    def expect_refusal(self, done, path, text):
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, rf"^sqmax: {path} is of another \w+: its version was \"0\.0\.9\" and is now ")
        self.assertEqual(path.read_text(encoding="utf-8"), text)

    def test_methods_of_a_comparison(self):
        path = self.folder / "report/methods/rg2.json"
        text = self.older("method-v1.json", path)
        done = run("compare", HERE / "dataset-v1.safetensors", "--losses", "rg2", "--rank", 3, "--budget", "1trials",
                   "-o", self.folder / "report")
        self.expect_refusal(done, path, text)

    def test_checkpoints(self):
        path = self.folder / "kept/run.json"
        text = self.older("run-v1.json", path)
        done = run("train", HERE / "dataset-v1.safetensors", "--loss", "rg2", "--rank", 2, "--budget", "30000trials",
                   "--search", "random", "--checkpoint", self.folder / "kept", "--resume", "-o", self.folder / "model")
        self.expect_refusal(done, path, text)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
