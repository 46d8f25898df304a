#!/usr/bin/env python3
"""Kills the program again and again, and lets it go on: the files must be those of a run that was left alone.

    kill_test.py PROGRAM DYING_PROGRAM [--kills 24] [--calls none|some|every] [--seed 1] [--part 1/1]

First at random moments, by SIGKILL from outside; then at calls that write, by the program itself. Models and
datasets must be equal byte by byte; reports are compared without what a clock or the memory says.
"""

import argparse
import json
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import time

CHECKPOINT = ["--checkpoint", "{folder}/kept", "--resume"]
EVERY = ["--checkpoint-every", "0"]
SCENARIOS = {
    "train, searched": ["train", "{data}", "-o", "{folder}/model", "--budget", "6trials", "--rank", "6"],
    "train, alternation": ["train", "{data}", "-o", "{folder}/model", "--no-tune", "--loss", "wrmf", "--solver", "als",
                           "--rank", "8", "--iterations", "40", "--patience", "40"],
    "train, epochs": ["train", "{data}", "-o", "{folder}/model", "--no-tune", "--loss", "sm", "--rank", "8",
                      "--iterations", "20"],
    "tune": ["tune", "{data}", "-o", "{folder}/trials", "--loss", "ssm", "--budget", "3trials", "--rank", "4",
             "--iterations", "6"],
    "compare": ["compare", "{data}", "-o", "{folder}/report", "--best-model", "{folder}/best", "--losses",
                "rgp,bpr,popularity", "--budget", "3trials", "--rank", "4", "--iterations", "4"],
    "prepare": ["prepare", "{raw}", "-o", "{folder}/data"],
}
MEASURED = {"seconds", "seconds_to_95", "fit_seconds", "peak_memory_bytes", "origin", "time", "date"}


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("dying")
    parser.add_argument("--kills", type=int, default=24)
    parser.add_argument("--calls", choices=["none", "some", "every"], default="some", help="that write, to die at")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--part", default="1/1", help="2/8: the second eighth of the kills, and of every call")
    args = parser.parse_args()
    args.part, args.parts = map(int, args.part.split("/"))
    return args


def unmeasured(value):
    if isinstance(value, dict):
        return {name: unmeasured(each) for name, each in value.items() if name not in MEASURED}
    return [unmeasured(each) for each in value] if isinstance(value, list) else value


def essence(path: pathlib.Path):
    """What a file says that does not come from a clock; nothing, if all of it may."""
    if path.suffix == ".json":
        return unmeasured(json.loads(path.read_text(encoding="utf-8")))
    return None if path.suffix in {".md", ".csv", ".html", ".svg"} else path.read_bytes()


def results(folder: pathlib.Path) -> dict:
    return {str(path.relative_to(folder)): essence(path) for path in sorted(folder.rglob("*")) if path.is_file()}


class Scenario:
    def __init__(self, name: str, words: list, inputs: dict, work: pathlib.Path):
        self.name, self.words, self.inputs, self.work = name, words, inputs, work
        self.runs = 0

    def command(self, folder: pathlib.Path) -> list:
        words = [word.format(folder=folder, **self.inputs) for word in self.words + CHECKPOINT]
        return words + ["--quiet"] + (EVERY if self.words[0] != "prepare" else [])

    def fresh(self) -> pathlib.Path:
        self.runs += 1
        folder = self.work / f"run-{self.runs}"
        folder.mkdir()
        return folder

    def reference(self, program: str):
        folder = self.fresh()
        begin = time.monotonic()
        subprocess.run([program, *self.command(folder)], check=True, capture_output=True)
        self.seconds = time.monotonic() - begin
        self.expected = results(folder)

    def check(self, program: str, folder: pathlib.Path, how: str):
        """The run goes on to its end, and leaves what one that was left alone leaves, and nothing else."""
        done = subprocess.run([program, *self.command(folder)], check=False, capture_output=True, text=True)
        if done.returncode != 0:
            raise AssertionError(f"{self.name}, {how}: {done.stderr}")
        found = results(folder)
        left = sorted(name for name in found if re.search(r"\.tmp\.[\d.]+$", name))
        for name in left:  # between a link and a rename there is a moment that nobody can tidy up after
            del found[name]
        if len(left) > 1 or found.keys() != self.expected.keys():
            raise AssertionError(f"{self.name}, {how}: {sorted(found) + left}, not {sorted(self.expected)}")
        for name, value in self.expected.items():
            if found[name] != value:
                raise AssertionError(f"{self.name}, {how}: {name} differs")

    def kill_from_outside(self, program: str, chance: random.Random) -> int:
        """Up to five times in one run; how often it was killed."""
        folder, killed = self.fresh(), 0
        for _ in range(5):
            process = subprocess.Popen([program, *self.command(folder)], stdout=subprocess.DEVNULL,
                                       stderr=subprocess.DEVNULL)
            try:
                process.wait(chance.uniform(0.0, 1.05 * self.seconds))
                break
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
                killed += 1
        self.check(program, folder, f"killed {killed} times")
        return killed

    def kill_at_call(self, program: str, dying: str, number: int) -> bool:
        """False if the program makes fewer calls."""
        folder = self.fresh()
        died = subprocess.run([dying, str(number), *self.command(folder)], check=False, capture_output=True)
        if died.returncode not in (0, -9):
            raise AssertionError(f"{self.name}, call {number}: {died.returncode}, {died.stderr.decode()}")
        if died.returncode == 0:
            return False
        self.check(program, folder, f"killed at call {number}")
        return True


def raw_table(path: pathlib.Path, program: str):
    subprocess.run([program, "synth", "--users", "300", "--items", "200", "--interactions", "6000", "-o", str(path),
                    "--quiet"], check=True)


def main():
    args = arguments()
    chance = random.Random(f"{args.seed} {args.part}")
    with tempfile.TemporaryDirectory() as name:
        base = pathlib.Path(name)
        inputs = {"raw": base / "raw.tsv", "data": base / "data"}
        raw_table(inputs["raw"], args.program)
        subprocess.run([args.program, "prepare", inputs["raw"], "-o", inputs["data"], "--quiet"], check=True,
                       stdout=subprocess.DEVNULL)
        scenarios = []
        for number, (title, words) in enumerate(SCENARIOS.items()):
            work = base / f"scenario-{number}"
            work.mkdir()
            scenarios.append(Scenario(title, words, inputs, work))
            scenarios[-1].reference(args.program)
        killed = 0
        while killed < args.kills / args.parts:
            for scenario in scenarios:
                killed += scenario.kill_from_outside(args.program, chance)
        calls = 0
        for scenario in scenarios if args.calls != "none" else []:
            last = args.part if args.calls == "every" else 1
            while scenario.kill_at_call(args.program, args.dying, last) and last < 4000:
                last += args.parts if args.calls == "every" else max(1, last // 4)
                calls += 1
        if args.calls == "some" and calls < len(scenarios):
            raise AssertionError(f"only {calls} kills while writing")
        print(f"killed {killed} times at random moments and {calls} times while writing: nothing was lost")


if __name__ == "__main__":
    sys.exit(main())
