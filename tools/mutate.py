#!/usr/bin/env python3
"""Seeds one bug at a time and looks whether a test notices.                          docs/reliability.md

    mutate.py --check                    does every bug of tests/mutants still apply? Builds nothing
    mutate.py [--only GLOB…] [--sample N]  build and test each; what is known from before is not done again

Bugs are texts of a file and what replaces them. Each is compiled into programs of its own in build/mutants. The
tests of a bug's module come first, then those of modules that use it, until one fails.
"""

import argparse
import concurrent.futures
import fnmatch
import hashlib
import json
import os
import pathlib
import re
import shutil
import sys
import threading
import time
import tomllib

from mutant_build import DEV, ROOT, Dev, Failed, MutantBuild, run

MUTANTS = ROOT / "build/mutants"
RESULTS = MUTANTS / "results.json"
SKIPPED = 77  # what tests answer that cannot be run here
WANTED = 0.95

TESTS = {  # by the folder of the bug
    "src/core": ["core_tests", "data_tests", "train_tests", "cli_tests"],
    "src/kernels": ["kernels_tests", "solve_tests", "rank_tests", "train_tests"],
    "src/data": ["data_tests", "solve_tests", "cli_tests"],
    "src/loss": ["loss_tests", "theory_tests", "solve_tests", "train_tests"],
    "src/model": ["model_tests", "rank_tests", "serve_tests", "train_tests", "cli_tests"],
    "src/solve": ["solve_tests", "theory_tests", "train_tests", "serve_tests"],
    "src/rank": ["rank_tests", "train_tests", "serve_tests", "cli_tests"],
    "src/train": ["train_tests", "cli_tests"],
    "src/report": ["report_tests", "cli_tests"],
    "src/serve/http": ["serve_http_tests", "server.serve", "server.serve_access", "server.serve_limits",
                       "server.serve_events", "server.serve_life"],
    "src/serve": ["serve_tests", "serve_http_tests", "cli_tests"],
    "src/cli": ["cli_tests", "program.kill"],
}


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="only whether every bug applies exactly once")
    parser.add_argument("--only", nargs="+", default=["*"], metavar="GLOB", help="names, or files of tests/mutants")
    parser.add_argument("--sample", type=int, help="every so many-th of them; time may end before all N are tried")
    parser.add_argument("--near", action="store_true", help="only by the tests of its own module; survivors stay open")
    parser.add_argument("--fresh", action="store_true", help="forget what is known from before")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="bugs at a time")
    parser.add_argument("--minutes", type=float, default=1e9, help="begin none after so long; the rest is told")
    parser.add_argument("--root", type=pathlib.Path, default=ROOT, help=argparse.SUPPRESS)
    return parser.parse_args()


def mutants_of(root: pathlib.Path) -> list:
    found = []
    for path in sorted((root / "tests/mutants").glob("*.toml")):
        for mutant in tomllib.loads(path.read_text(encoding="utf-8"))["mutant"]:
            found.append(mutant | {"list": path.stem})
    return found


def flaws(root: pathlib.Path, mutants: list) -> list:
    """Why some of them could not be made."""
    names = [mutant["name"] for mutant in mutants]
    found = [f"two are named {name}" for name in sorted(set(names)) if names.count(name) > 1]
    for mutant in mutants:
        path = root / mutant["file"]
        times = path.read_text(encoding="utf-8").count(mutant["old"]) if path.is_file() else 0
        if times != 1:
            found.append(f"{mutant['name']}: its text occurs {times} times in {mutant['file']}, not once")
        if mutant["old"] == mutant["new"]:
            found.append(f"{mutant['name']} changes nothing")
    return found


def tests_of(mutant: dict) -> list:
    folders = [folder for folder in TESTS if mutant["file"].startswith(folder + "/")]
    return mutant.get("tests", []) + TESTS[max(folders, key=len)]


def failure_of(test: str, command: list) -> str:
    """The name of a test that failed; nothing if none did."""
    said, code = run(command)
    if code in (0, SKIPPED):
        return ""
    failed = re.search(r"\[  FAILED  \] ([^\s,]+)", said)
    return failed[1] if failed else f"{test} ({'hangs' if code == 124 else 'fails'})"


class Workshop:
    """Bugs are made and tested here, several at a time."""

    def __init__(self, near: bool):
        self.dev, self.near = Dev(), near
        self.sound, self.lock = set(), threading.Lock()  # tests that pass without a bug

    def check(self, test: str):
        """A test that fails anyway would catch everything."""
        with self.lock:
            if test in self.sound:
                return
            words = [DEV / "tests" / test, "--gtest_brief=1"] if test.endswith("_tests") else self.dev.tests[test]
            if name := failure_of(test, words):
                raise RuntimeError(f"Without a bug, {name} of {test} fails.")
            self.sound.add(test)

    def outcome(self, mutant: dict) -> str:
        folder = MUTANTS / mutant["name"]
        tests = tests_of(mutant)
        try:
            build = MutantBuild(self.dev, folder, mutant)
            for test in tests[:1] if self.near else tests:
                self.check(test)
                if name := failure_of(test, build.test_command(test)):
                    return f"caught by {name}"
        except Failed as said:
            (MUTANTS / f"{mutant['name']}.log").write_text(str(said), encoding="utf-8")
            return "does not compile"
        finally:
            shutil.rmtree(folder, ignore_errors=True)
        return "not tried by every test" if self.near else "survived"


def digest(*parts: bytes) -> str:
    return hashlib.sha256(b"\0".join(parts)).hexdigest()[:16]


def key_of(mutant: dict) -> str:
    """What an outcome depends on: the bug, its file, and the tests of its module, where survivors get theirs."""
    tests = sorted((ROOT / "tests" / tests_of(mutant)[0].removesuffix("_tests")).glob("*_test.cc"))
    return digest(json.dumps(mutant, sort_keys=True).encode(), (ROOT / mutant["file"]).read_bytes(),
                  *(test.read_bytes() for test in tests))


def tell(mutants: list, known: dict, whole: bool) -> bool:
    """The table; whether enough were caught, and of a whole run, whether every one was tried."""
    outcomes = {mutant["name"]: known.get(key_of(mutant), "not tried") for mutant in mutants}
    for mutant in mutants:
        print(f"{mutant['list']:8} {mutant['name']:52} {outcomes[mutant['name']]}")
    tried = [outcome for outcome in outcomes.values() if outcome != "not tried"]
    caught = sum(outcome.startswith("caught") for outcome in tried)
    print(f"{caught} of {len(tried)} caught, {len(outcomes) - len(tried)} not tried")
    enough = len(tried) == len(outcomes) if whole else len(tried) > 0
    return enough and caught >= WANTED * len(tried) and "does not compile" not in tried


def try_out(mutants: list, known: dict, args):
    """Adds to what is known, on disk as well, bug after bug."""
    workshop = Workshop(args.near)
    end = time.monotonic() + 60 * args.minutes

    def outcome(mutant: dict) -> str:
        return workshop.outcome(mutant) if time.monotonic() < end else "not tried"

    MUTANTS.mkdir(parents=True, exist_ok=True)
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        tried = {pool.submit(outcome, mutant): mutant for mutant in mutants}
        for done in concurrent.futures.as_completed(tried):
            mutant = tried[done]
            print(f"{mutant['name']}: {done.result()}", flush=True)
            if not done.result().startswith("not"):
                known[key_of(mutant)] = done.result()
            RESULTS.write_text(json.dumps(known, indent=1), encoding="utf-8")


def main():
    args = arguments()
    mutants = mutants_of(args.root)
    if wrong := flaws(args.root, mutants):
        print("\n".join(wrong))
        return 1
    if args.check:
        print(f"{len(mutants)} bugs apply")
        return 0
    mutants = [each for each in mutants
               if any(fnmatch.fnmatch(name, glob) for glob in args.only for name in (each["name"], each["list"]))]
    if args.sample:
        mutants = mutants[::max(1, -(-len(mutants) // args.sample))]
    known = {} if args.fresh or not RESULTS.exists() else json.loads(RESULTS.read_text(encoding="utf-8"))
    if left := [mutant for mutant in mutants if key_of(mutant) not in known]:
        try_out(left, known, args)
    return 0 if tell(mutants, known, whole=not args.sample) else 1


if __name__ == "__main__":
    sys.exit(main())
