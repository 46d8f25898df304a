"""Runs that are disturbed and go on: what they are, and how to tell that nothing was lost."""

import pathlib
import re
import subprocess
import time

from essences import essence

RESUMED = ["--checkpoint", "{kept}", "--resume", "--quiet"]
EVERY = ["--checkpoint-every", "0"]
SCENARIOS = {
    "train, searched": ["train", "{data}", "-o", "{folder}/model", "--budget", "6trials", "--rank", "6"],
    "train, alternation": ["train", "{data}", "-o", "{folder}/model", "--no-tune", "--loss", "wrmf", "--solver", "als",
                           "--rank", "8", "--iterations", "40", "--patience", "40"],
    "train, epochs": ["train", "{data}", "-o", "{folder}/model", "--no-tune", "--loss", "sm", "--rank", "8",
                      "--iterations", "20"],
    "train, raw": ["train", "{raw}", "-o", "{folder}/model", "--no-tune", "--loss", "rgp", "--solver", "als", "--rank",
                   "6", "--iterations", "8"],
    "train, raw, little memory": ["train", "{raw}", "-o", "{folder}/model", "--no-tune", "--loss", "rgp", "--links",
                                  "0", "--solver", "spectral", "--rank", "6", "--iterations", "8", "--memory", "64K"],
    "tune": ["tune", "{data}", "-o", "{folder}/trials", "--loss", "ssm", "--budget", "3trials", "--rank", "4",
             "--iterations", "6"],
    "compare": ["compare", "{data}", "-o", "{folder}/report", "--best-model", "{folder}/best", "--losses",
                "rgp,bpr,popularity", "--budget", "3trials", "--rank", "4", "--iterations", "4"],
    "prepare": ["prepare", "{raw}", "-o", "{folder}/data"],
    "prepare, little memory": ["prepare", "{raw}", "-o", "{folder}/data", "--memory", "64K"],
}


def is_leftover(name: str) -> bool:
    return ".tmp." in name


def names_in(folder: pathlib.Path) -> list:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


def results(folder: pathlib.Path) -> dict:
    """All files but what is kept to go on from; those that are half written by their names alone."""
    names = [name for name in names_in(folder) if not name.startswith("kept/")]
    return {name: None if is_leftover(name) else essence(folder / name) for name in names}


class Scenario:
    def __init__(self, name: str, inputs: dict, work: pathlib.Path):
        self.name, self.words, self.inputs, self.work = name, SCENARIOS[name], inputs, work
        self.runs = self.checks = 0
        work.mkdir(parents=True)

    def command(self, folder: pathlib.Path, kept: pathlib.Path | None = None) -> list:
        places = {"folder": folder, "kept": kept or folder / "kept", **self.inputs}
        words = [word.format(**places) for word in self.words + RESUMED]
        return words + (EVERY if self.words[0] != "prepare" else [])

    def fresh(self) -> pathlib.Path:
        self.runs += 1
        folder = self.work / f"run-{self.runs}"
        folder.mkdir()
        return folder

    def run(self, program: list, folder: pathlib.Path, kept: pathlib.Path | None = None, more: list | None = None):
        words = [*program, *self.command(folder, kept), *(more or [])]
        return subprocess.run(words, check=False, capture_output=True, text=True)

    def reference(self, program: str):
        folder = self.fresh()
        begin = time.monotonic()
        done = self.run([program], folder)
        self.seconds = time.monotonic() - begin
        assert done.returncode == 0, f"{self.name}: {done.stderr}"
        assert not (folder / "kept").exists(), f"{self.name}: the checkpoint is still there"
        self.expected = results(folder)

    def check_refused(self, done, folder: pathlib.Path, how: str, why: str):
        """It ended by itself, with a sentence, and what is there of its results is whole."""
        said = done.stderr.splitlines()
        if done.returncode != 1 or len(said) != 1 or not re.fullmatch(rf"sqmax: .*/.*{why}\.", said[0]):
            raise AssertionError(f"{self.name}, {how}: {done.returncode}, {done.stderr}")
        left = [name for name in names_in(folder) if is_leftover(name)]
        if left:
            raise AssertionError(f"{self.name}, {how}: {left} were left over")
        for name, value in results(folder).items():
            if self.expected.get(name) != value:
                raise AssertionError(f"{self.name}, {how}: {name} is there and is no result")

    def check_done(self, folder: pathlib.Path, how: str):
        """What a run leaves that nobody disturbed, and nothing else."""
        found = results(folder)
        left = [name for name in found if is_leftover(name)]
        for name in left:  # between a link and a rename there is a moment that nobody can tidy up after
            del found[name]
        if len(left) > 1 or found.keys() != self.expected.keys():
            raise AssertionError(f"{self.name}, {how}: {sorted(found) + left}, not {sorted(self.expected)}")
        for name, value in self.expected.items():
            if found[name] != value:
                raise AssertionError(f"{self.name}, {how}: {name} differs")
        if (folder / "kept").exists():
            raise AssertionError(f"{self.name}, {how}: {names_in(folder / 'kept')} are still in the checkpoint")

    def check(self, program: str, folder: pathlib.Path, how: str, kept: pathlib.Path | None = None):
        """The run goes on to its end, with one thread or with three by turns."""
        self.checks += 1
        threads = 1 + 2 * (self.checks % 2)
        how = f"{how}, resumed with --threads {threads}"
        done = self.run([program], folder, kept, ["--threads", str(threads)])
        if done.returncode != 0:
            raise AssertionError(f"{self.name}, {how}: {done.stderr}")
        self.check_done(folder, how)

    def calls(self, dying: str) -> int:
        """That write, in a run that nobody disturbs."""
        done = self.run([dying, "count"], self.fresh())
        assert done.returncode == 0, f"{self.name}: {done.stderr}"
        return int(done.stderr.splitlines()[-1])


def inputs_in(folder: pathlib.Path, program: str) -> dict:
    inputs = {"raw": folder / "raw.tsv", "data": folder / "data"}
    subprocess.run([program, "synth", "--users", "300", "--items", "200", "--interactions", "6000", "-o", inputs["raw"],
                    "--quiet"], check=True)
    subprocess.run([program, "prepare", inputs["raw"], "-o", inputs["data"], "--quiet"], check=True,
                   stdout=subprocess.DEVNULL)
    return inputs


def scenarios_in(folder: pathlib.Path, program: str, names=tuple(SCENARIOS)) -> list:
    """Each with its reference."""
    folder.mkdir(exist_ok=True)
    inputs = inputs_in(folder, program)
    made = [Scenario(name, inputs, folder / f"scenario-{number}") for number, name in enumerate(names)]
    for scenario in made:
        scenario.reference(program)
    return made
