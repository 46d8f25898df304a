#!/usr/bin/env python3
"""Seeds one bug at a time and looks whether a test notices.                          docs/reliability.md

    mutate.py --check                    does every bug of tests/mutants still apply? Builds nothing
    mutate.py [--only GLOB…] [--sample N]  build and test each; what is known from before is not done again

Bugs are texts of a file and what replaces them. They are made in a copy, build/mutants; a compiler cache makes
it quick. The tests of a bug's module come first, then those of modules that use it, until one fails.
"""

import argparse
import fnmatch
import hashlib
import json
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import time
import tomllib

ROOT = pathlib.Path(__file__).resolve().parent.parent
COPY = ROOT / "build" / "mutants"
BUILD = COPY / "build" / "dev"
RESULTS = COPY / "results.json"
COPIED = ["CMakeLists.txt", "CMakePresets.json", "cmake", "include", "src", "tests", "fuzz", "tools", "web/dist", "examples/data"]
WANTED = 0.95
LIMIT = ("timeout", "900")  # seconds of a test program; what takes longer hangs

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
    parser.add_argument("--sample", type=int, help="every so many-th of them, so that N are tried")
    parser.add_argument("--near", action="store_true", help="only by the tests of its own module; survivors stay open")
    parser.add_argument("--fresh", action="store_true", help="forget what is known from before")
    parser.add_argument("--jobs", type=int, help="compilers at a time")
    parser.add_argument("--minutes", type=float, default=1e9, help="begin none after so long; the rest is told")
    parser.add_argument("--wrap", default="", help="a command that runs each build and each test")
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


class Workshop:
    """The copy in which bugs are made."""

    def __init__(self, args):
        self.wrap, self.jobs, self.near = shlex.split(args.wrap), args.jobs, args.near
        for name in COPIED:
            self.copy(pathlib.Path(name))
        said, code = self.run(["cmake", "--preset", "dev"])
        if code != 0:
            sys.exit(said)
        self.sound = set()  # tests that pass without a bug

    @staticmethod
    def copy(name: pathlib.Path):
        """Files that are the same keep their age, so that nothing is built again."""
        source = ROOT / name
        files = [source] if source.is_file() else [path for path in sorted(source.rglob("*")) if path.is_file()]
        wanted = {COPY / path.relative_to(ROOT) for path in files if "__pycache__" not in path.parts}
        for target in wanted:
            path = ROOT / target.relative_to(COPY)
            if not target.exists() or target.read_bytes() != path.read_bytes():
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(path, target)
        for path in (COPY / name).rglob("*"):
            if path.is_file() and path not in wanted:
                path.unlink()

    def run(self, words: list, limit: tuple = ()):
        """What was said and the exit code; that of timeout is 124."""
        done = subprocess.run([*self.wrap, *limit, *words], cwd=COPY, check=False, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, errors="replace")
        return done.stdout, done.returncode

    def build(self, test: str) -> str:
        """What the compiler said, if it failed."""
        targets = [test] if test.endswith("_tests") else ["sqmax_program", "dying_program"]
        jobs = ["--parallel", str(self.jobs)] if self.jobs else []
        said, code = self.run(["cmake", "--build", str(BUILD), *jobs, "--target", *targets])
        return "" if code == 0 else said

    def failure(self, test: str) -> str:
        """The name of a test that failed; nothing if none did."""
        if test.endswith("_tests"):
            said, code = self.run([str(BUILD / "tests" / test), "--gtest_fail_fast", "--gtest_brief=1"], LIMIT)
        else:
            said, code = self.run(["ctest", "--test-dir", str(BUILD), "-R", f"^{re.escape(test)}$"], LIMIT)
        if code == 0:
            return ""
        failed = re.search(r"\[  FAILED  \] ([^\s,]+)", said)
        return failed[1] if failed else f"{test} ({'hangs' if code == 124 else 'dies'})"

    def check(self, test: str):
        """A test that fails anyway would catch everything."""
        if test in self.sound:
            return
        if said := self.build(test) or self.failure(test):
            sys.exit(f"Without a bug, {test} fails: {said[-2000:]}")
        self.sound.add(test)

    def outcome(self, mutant: dict) -> str:
        path = COPY / mutant["file"]
        text = path.read_text(encoding="utf-8")
        tests = tests_of(mutant)
        for test in tests[:1] if self.near else tests:
            self.check(test)
            try:
                path.write_text(text.replace(mutant["old"], mutant["new"]), encoding="utf-8")
                if said := self.build(test):
                    (COPY / f"{mutant['name']}.log").write_text(said, encoding="utf-8")
                    return "does not compile"
                if name := self.failure(test):
                    return f"caught by {name}"
            finally:
                path.write_text(text, encoding="utf-8")
        return "not tried by every test" if self.near else "survived"


def digest(*parts: bytes) -> str:
    return hashlib.sha256(b"\0".join(parts)).hexdigest()[:16]


def key_of(mutant: dict) -> str:
    return digest(json.dumps(mutant, sort_keys=True).encode(), (ROOT / mutant["file"]).read_bytes())


def tell(mutants: list, known: dict) -> bool:
    """The table; whether enough were caught."""
    outcomes = {mutant["name"]: known.get(key_of(mutant), "not tried") for mutant in mutants}
    for mutant in mutants:
        print(f"{mutant['list']:8} {mutant['name']:52} {outcomes[mutant['name']]}")
    tried = [outcome for outcome in outcomes.values() if outcome != "not tried"]
    caught = sum(outcome.startswith("caught") for outcome in tried)
    print(f"{caught} of {len(tried)} caught, {len(outcomes) - len(tried)} not tried")
    return len(tried) > 0 and caught >= WANTED * len(tried) and "does not compile" not in tried


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
    left = [mutant for mutant in mutants if key_of(mutant) not in known]
    end = time.monotonic() + 60 * args.minutes
    if left:
        workshop = Workshop(args)
        for mutant in left:
            if time.monotonic() > end:
                break
            outcome = workshop.outcome(mutant)
            print(f"{mutant['name']}: {outcome}", flush=True)
            if not outcome.startswith("not"):
                known[key_of(mutant)] = outcome
            RESULTS.write_text(json.dumps(known, indent=1), encoding="utf-8")
    return 0 if tell(mutants, known) else 1


if __name__ == "__main__":
    sys.exit(main())
