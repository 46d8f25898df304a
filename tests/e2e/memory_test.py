"""The estimate of memory that a command tells is not below what it then takes, nor far above it; with
--memory SIZE it is SIZE, the data and the program, but for what docs/reliability.md#memory says.

    memory_test.py PROGRAM
"""

import gzip
import json
import random
import shutil
import subprocess
import sys
import tempfile
import unittest

PROGRAM = sys.argv[1] if len(sys.argv) > 1 else "build/dev/sqmax"
MEGABYTE = 1 << 20
FAR_ABOVE = 6  # times
PROGRAM_BYTES = 60 * MEGABYTE  # with two threads
PAGES_BYTES = 64 * MEGABYTE  # of tables on disk, beside an eighth of SIZE


def unusual_table(path):
    """Few users, many items, long ids."""
    draw = random.Random(7)
    with open(path, "w", encoding="utf-8") as table:
        for _ in range(200_000):
            item = int(60_000 * draw.random() ** 2)
            table.write(f"u{draw.randrange(300)}\t{item:0100}\n")


def long_ids(path):
    """Packs to a fiftieth of what it takes in memory."""
    with gzip.open(path, "wt", compresslevel=1, encoding="utf-8") as table:
        for user in range(400_000):
            table.write(f"{user:0150}\ti{user % 50}\n")


def titles(path, interactions):
    with open(interactions, encoding="utf-8") as table:
        items = {line.rstrip("\n").split("\t")[1] for line in table}
    draw = random.Random(7)
    with open(path, "w", encoding="utf-8") as table:
        for item in sorted(items):
            table.write(f"{item}\t{draw.randbytes(6000).hex()}\tlink\n")


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
    def run_program(cls, *words, text=None):
        with open(text or "/dev/null", encoding="utf-8") as source:
            done = subprocess.run([PROGRAM, *words], check=False, capture_output=True, text=True,
                                  stdin=source)
        assert done.returncode == 0, done.stderr
        return done

    def check(self, *words, threads="2", text=None, far_above=FAR_ABOVE):
        """One process each: a peak is that of the whole process."""
        done = self.run_program(*words, "--json", "--threads", threads, text=text)
        document = json.loads(done.stdout)
        estimate = document["memory"]["estimate_bytes"]
        peak = document["peak_memory_bytes"]
        said = f"{' '.join(words)}: {peak / MEGABYTE:.0f} of {estimate / MEGABYTE:.0f} MB"
        print(said, file=sys.stderr)
        self.assertIn("memory: up to ", done.stderr)
        self.assertLessEqual(peak, estimate, said)
        self.assertLessEqual(estimate, far_above * peak, said)
        return document, done.stderr

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

    def test_of_prepare_on_disk_is_near_what_was_given(self):
        for size in (2, 6):
            document, _ = self.check("prepare", self.path("table.tsv"), "-o", self.path("other"),
                                     "--memory", f"{size}M", far_above=10)
            self.assertTrue(document["on_disk"])
            self.assertLessEqual(document["memory"]["estimate_bytes"],
                                 size * MEGABYTE * 9 / 8 + PAGES_BYTES + PROGRAM_BYTES)

    def test_of_what_is_packed_or_comes_from_a_pipe(self):
        for name in ("packed.tsv.gz", "looks_plain.tsv"):
            long_ids(self.path(name))
            self.check("prepare", self.path(name), "-o", self.path("other"), "--memory", "200M")
        self.check("prepare", "-", "-o", self.path("other"), "--memory", "8M",
                   text=self.path("table.tsv"), far_above=12)

    def test_of_titles(self):
        titles(self.path("titles.tsv"), self.path("table.tsv"))
        with open(self.path("titles.tsv"), "rb") as plain:
            with gzip.open(self.path("t.gz"), "wb", compresslevel=1) as packed:
                shutil.copyfileobj(plain, packed)
        for name in ("titles.tsv", "t.gz"):
            self.check("prepare", self.path("table.tsv"), "-o", self.path("titled"), "--items",
                       self.path(name))
        document, _ = self.check("train", self.path("titled"), "-o", self.path("model"),
                                 "--no-tune", "--rank", "8", "--iterations", "1")
        self.assertGreater(document["memory"]["data_bytes"], 40 * MEGABYTE)
        self.train("--no-tune", "--rank", "8", "--iterations", "1", "--items", self.path("titles.tsv"))

    def test_of_going_on(self):
        self.run_program("train", self.path("data"), "-o", self.path("start"), "--no-tune",
                         "--rank", "200", "--iterations", "1", "--links", "0", "--threads", "2")
        self.train("--from", self.path("start"), "--iterations", "1")

    def test_of_checkpoints(self):
        self.train("--no-tune", "--rank", "150", "--iterations", "2", "--checkpoint",
                   self.path("kept"), "--checkpoint-every", "0")
        self.check("tune", self.path("data"), "--rank", "64", "--budget", "2trials", "--loss", "wrmf",
                   "--checkpoint", self.path("kept"), "--checkpoint-every", "0")

    def test_of_unusual_shapes_and_other_threads(self):
        unusual_table(self.path("wide.tsv"))
        self.check("prepare", self.path("wide.tsv"), "-o", self.path("wide"), threads="1", far_above=16)
        for threads in ("1", "8"):
            self.check("train", self.path("wide"), "-o", self.path("model"), "--no-tune", "--rank",
                       "32", "--iterations", "1", threads=threads)
        self.check("train", self.path("wide"), "-o", self.path("model"), "--no-tune", "--rank", "16",
                   "--memory", "1M")

    def test_in_passes_is_what_was_given(self):
        searches = ("--budget", "2trials")
        for size, *command in ((40, "train", self.path("data"), "-o", self.path("m"), "--no-tune"),
                               (50, "tune", self.path("data"), *searches),
                               (50, "compare", self.path("data"), "--losses", "rgp", *searches)):
            document, told = self.check(*command, "--rank", "64", "--memory", f"{size}M")
            self.assertIn("in passes over the data", told)
            memory = document["memory"]
            self.assertLessEqual(memory["estimate_bytes"],
                                 size * MEGABYTE + memory["data_bytes"] + PROGRAM_BYTES)

    def test_in_passes(self):
        for rank in ("16", "300"):
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
