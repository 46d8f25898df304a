#!/usr/bin/env python3
"""Two processes with the same output at the same time: it is wholly that of one of them.

    two_writers_test.py PROGRAM

Files are those of the last one; a folder is for one at a time, and the other one is told so.
"""

import pathlib
import subprocess
import sys
import tempfile

from scenarios import inputs_in, is_leftover, results

COMMANDS = {
    "train": ["train", "{data}", "-o", "{folder}/model", "--no-tune", "--loss", "sm", "--rank", "8", "--iterations",
              "3"],
    "prepare": ["prepare", "{raw}", "-o", "{folder}/data"],
    "tune": ["tune", "{data}", "-o", "{folder}/trials", "--loss", "wrmf", "--budget", "4trials", "--rank", "4"],
    "compare": ["compare", "{data}", "-o", "{folder}/report", "--losses", "rgp,wrmf,popularity", "--budget", "4trials",
                "--rank", "4"],
}
REFUSED = {"train": None, "prepare": None, "tune": "trials is in use by another process.",
           "compare": "report is in use by another process."}
ROUNDS = 4


class Pair:
    def __init__(self, name: str, program: str, inputs: dict, work: pathlib.Path):
        self.name, self.program, self.inputs, self.work = name, program, inputs, work

    def start(self, folder: pathlib.Path, seed: int) -> subprocess.Popen:
        words = [word.format(folder=folder, **self.inputs) for word in COMMANDS[self.name]]
        return subprocess.Popen([self.program, *words, "--seed", str(seed), "--quiet"], stdout=subprocess.DEVNULL,
                                stderr=subprocess.PIPE, text=True)

    def alone(self, seed: int) -> dict:
        folder = self.work / f"{self.name}-{seed}"
        folder.mkdir()
        process = self.start(folder, seed)
        assert process.communicate()[1] == "" and process.returncode == 0
        return results(folder)

    def together(self, number: int, expected: list) -> int:
        """How many were refused."""
        folder = self.work / f"{self.name}-together-{number}"
        folder.mkdir()
        processes = [self.start(folder, seed) for seed in (1, 2)]
        said = [process.communicate()[1] for process in processes]
        codes = [process.returncode for process in processes]
        found = results(folder)
        assert found in expected, f"{self.name}: {sorted(found)} are of neither run, {codes}, {said}"
        assert not any(map(is_leftover, found)), f"{self.name}: {sorted(found)}"
        for code, words, alone in zip(codes, said, expected):
            assert code in (0, 1), f"{self.name}: {code}, {words}"
            if code == 1:
                self.check_sentence(words)
                assert found != alone, f"{self.name}: the results are those of the run that was refused"
        return codes.count(1)

    def check_sentence(self, words: str):
        """In use; or, if the other one was over by then, of another comparison."""
        assert REFUSED[self.name] is not None, f"{self.name}: {words}"
        is_late = self.name == "compare" and "is of another comparison: its seed was" in words
        assert is_late or words.endswith(f"{REFUSED[self.name]}\n"), f"{self.name}: {words}"
        assert words.count("\n") == 1, words


def main(program: str):
    with tempfile.TemporaryDirectory() as name:
        work = pathlib.Path(name)
        inputs = inputs_in(work, program)
        for command in COMMANDS:
            pair = Pair(command, program, inputs, work)
            expected = [pair.alone(1), pair.alone(2)]
            assert expected[0] != expected[1], f"{command}: seeds change nothing"
            refused = [pair.together(number, expected) for number in range(ROUNDS)]
            if REFUSED[command] is not None:
                assert max(refused) == 1, f"{command}: nobody was refused"
            print(f"{command}: {ROUNDS} pairs, {sum(refused)} refused")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
