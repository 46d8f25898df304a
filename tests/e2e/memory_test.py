"""The estimate of memory that a command tells is not below what it then takes, nor far above it.

    memory_test.py PROGRAM
"""

import json
import subprocess
import sys
import tempfile
import unittest

PROGRAM = sys.argv[1] if len(sys.argv) > 1 else "build/dev/sqmax"
MEGABYTE = 1 << 20
FAR_ABOVE = 6  # times


class Memory(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.run_program("synth", "--users", "12000", "--items", "4000", "--interactions", "400000",
                        "-o", cls.path("table.tsv"))
        cls.run_program("prepare", cls.path("table.tsv"), "-o", cls.path("data"))

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    @classmethod
    def path(cls, name):
        return f"{cls.folder.name}/{name}"

    @classmethod
    def run_program(cls, *words):
        done = subprocess.run([PROGRAM, *words], check=False, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done

    def check(self, *words):
        """One process each: a peak is that of the whole process."""
        done = self.run_program(*words, "--json", "--threads", "2")
        document = json.loads(done.stdout)
        estimate = document["memory"]["estimate_bytes"]
        peak = document["peak_memory_bytes"]
        said = f"{' '.join(words)}: {peak / MEGABYTE:.0f} of {estimate / MEGABYTE:.0f} MB"
        print(said, file=sys.stderr)
        self.assertIn("memory: up to ", done.stderr)
        self.assertLessEqual(peak, estimate, said)
        self.assertLessEqual(estimate, FAR_ABOVE * peak, said)

    def test_of_prepare(self):
        table = self.path("table.tsv")
        self.check("prepare", table, "-o", self.path("other"))
        self.check("prepare", table, "-o", self.path("other"), "--kcore", "3", "--split", "strong")
        self.check("prepare", table, "-o", self.path("other"), "--memory", "8M")

    def train(self, *options):
        self.check("train", self.path("data"), "-o", self.path("model"), *options)

    def test_of_every_loss(self):
        names = json.loads(self.run_program("losses", "--json").stdout)
        for loss in [each["name"] for each in names["losses"]]:
            with self.subTest(loss):
                self.train("--loss", loss, "--no-tune", "--rank", "64", "--iterations", "1")

    def test_of_every_solver(self):
        for solver in ("exact", "spectral", "als", "cg", "subspace", "newton-cg", "adam", "sgd"):
            with self.subTest(solver):
                self.train("--alpha", "0", "--ridge", "weighted", "--links", "0", "--no-tune",
                           "--solver", solver, "--rank", "100", "--iterations", "2")

    def test_of_large_ranks(self):
        for rank in ("200", "300"):
            self.train("--alpha", "0", "--links", "0", "--solver", "spectral", "--no-tune",
                       "--rank", rank, "--iterations", "1")

    def test_in_passes(self):
        for rank in ("16", "150", "300"):
            for solver in ("exact", "spectral"):
                with self.subTest(f"{solver}, {rank}"):
                    self.train("--no-tune", "--rank", rank, "--solver", solver, "--memory", "1M",
                               "--iterations", "1")

    def test_of_searches(self):
        self.train("--budget", "3trials", "--rank", "32")
        self.check("tune", self.path("data"), "--budget", "2trials", "--loss", "rg2")
        self.check("compare", self.path("data"), "--losses", "rg2,wrmf", "--budget", "1trials",
                   "--rank", "16")

    def test_of_a_raw_file(self):
        self.check("train", self.path("table.tsv"), "-o", self.path("model"), "--no-tune",
                   "--rank", "16", "--iterations", "1")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
