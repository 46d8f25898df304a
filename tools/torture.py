#!/usr/bin/env python3
"""Everything that takes longer than the tests, within an hour.                       docs/reliability.md

    torture.py [--only STAGE…] [--minutes 60] [--wrap 'CMD…']

Each stage has a share of the time, and the table at the end says what became of it. A stage that has to be cut off
did not pass. Builds are stages of their own.
"""

import argparse
import datetime
import pathlib
import re
import shlex
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
DEV = ROOT / "build/dev"
PROGRAM = DEV / "sqmax"
KILL = [sys.executable, "tests/e2e/kill_test.py", PROGRAM, DEV / "tests/e2e/dying_program"]
SOAK = [sys.executable, "bench/serve_soak.py", "--sqmax", PROGRAM, "--data", ROOT / "build/torture-data",
        "--output", ROOT / "build/torture-data/soak.json", "--items", "2000", "--swap", "2"]
SKIPPED = 77  # what tests answer that cannot be run here


def build(preset: str, options: str = "") -> list:
    return ["sh", "-c", f"cmake --preset {preset} {options} && cmake --build --preset {preset}"]


def some_tests(preset: str) -> list:
    """Every sixth test, on six days all of them. At once, which takes much longer under sanitizers, is make sanitize."""
    return ["ctest", "--preset", preset, "-I", f"{1 + datetime.date.today().toordinal() % 6},,6"]


STAGES = [  # name, minutes, command
    ("build", 9, build("dev")),
    ("program", 5, ["ctest", "--preset", "dev", "-R", "^(program|server)|hardening"]),
    ("kill", 5, KILL + ["--kills", "200"]),
    ("soak", 3, SOAK + ["--seconds", "120"]),
    ("build-fuzz", 9, build("fuzz", "-D SQMAX_FUZZ_SECONDS=10")),
    ("fuzz", 2, ["ctest", "--preset", "fuzz"]),
    ("build-asan", 8, build("asan")),
    ("asan", 4, some_tests("asan")),
    ("build-tsan", 7, build("tsan")),
    ("tsan", 4, some_tests("tsan")),
    ("mutants", 4, [sys.executable, "tools/mutate.py", "--fresh", "--sample", "16", "--minutes", "3"]),
]


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="+", default=[name for name, _, _ in STAGES], metavar="STAGE")
    parser.add_argument("--minutes", type=float, default=60, help="of all stages; each has its share")
    parser.add_argument("--wrap", default="", help="a command that runs each stage")
    return parser.parse_args()


def run(command: list, seconds: float, log: pathlib.Path) -> str:
    with log.open("w", encoding="utf-8") as out:
        limit = ["timeout", "--kill-after=10", f"{seconds:.0f}"]
        code = subprocess.run([*limit, *map(str, command)], cwd=ROOT, stdout=out, stderr=subprocess.STDOUT,
                              check=False).returncode
    return {0: "passed", 124: "cut off", SKIPPED: "skipped"}.get(code, f"failed ({code})")


def told_by(log: pathlib.Path) -> str:
    """Its last line, or of ctest how many passed, and how many could not be run here."""
    lines = [line.strip() for line in log.read_text(encoding="utf-8", errors="replace").splitlines() if line.strip()]
    skipped = sum(line.endswith("(Skipped)") for line in lines)
    passed = [line for line in lines if re.search("tests passed, .* out of", line)]
    told = (passed or lines or [""])[-1][:100]
    return f"{told}; {skipped} were skipped" if skipped else told


def main():
    args = arguments()
    logs = ROOT / "build/torture"
    logs.mkdir(parents=True, exist_ok=True)
    scale = args.minutes / sum(minutes for _, minutes, _ in STAGES)
    table = []
    for name, minutes, command in STAGES:
        if name not in args.only:
            continue
        begin = time.monotonic()
        outcome = run(shlex.split(args.wrap) + command, 60 * minutes * scale, logs / f"{name}.log")
        table.append((name, outcome, time.monotonic() - begin, told_by(logs / f"{name}.log")))
        print(f"{name}: {outcome}", flush=True)
    print()
    for name, outcome, seconds, line in table:
        print(f"{name:12} {outcome:12} {seconds:6.0f} s   {line}")
    return 0 if all(outcome in ("passed", "skipped") for _, outcome, _, _ in table) else 1


if __name__ == "__main__":
    sys.exit(main())
