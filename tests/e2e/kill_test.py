#!/usr/bin/env python3
"""Kills the program again and again, and lets it go on: the files must be those of a run that was left alone.

    kill_test.py PROGRAM DYING_PROGRAM [--kills 18] [--calls none|some|every] [--seed 1] [--part 1/1]

First at random moments, by SIGKILL from outside; then at calls that write, by the program itself.
"""

import argparse
import pathlib
import random
import subprocess
import sys
import tempfile

from scenarios import Scenario, is_leftover, names_in, scenarios_in

FEWEST_CALLS = 5  # of each scenario, with --calls some; more with more kills


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("dying")
    parser.add_argument("--kills", type=int, default=18)
    parser.add_argument("--calls", choices=["none", "some", "every"], default="some", help="that write, to die at")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--part", default="1/1", help="2/8: the second eighth of the kills, and of every call")
    args = parser.parse_args()
    args.part, args.parts = map(int, args.part.split("/"))
    return args


def kill_from_outside(scenario: Scenario, program: str, chance: random.Random) -> int:
    """Up to five times in one run; how often it was killed."""
    folder, killed = scenario.fresh(), 0
    for _ in range(5):
        process = subprocess.Popen([program, *scenario.command(folder)], stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL)
        try:
            process.wait(chance.uniform(0.0, 1.05 * scenario.seconds))
            break
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            killed += 1
    scenario.check(program, folder, f"killed {killed} times")
    return killed


def kill_at_call(scenario: Scenario, program: str, dying: str, number: int) -> bool:
    """False if the program makes fewer calls."""
    folder = scenario.fresh()
    died = scenario.run([dying, f"kill@{number}"], folder)
    if died.returncode not in (0, -9):
        raise AssertionError(f"{scenario.name}, call {number}: {died.returncode}, {died.stderr}")
    if died.returncode == 0:
        return False
    if sum(map(is_leftover, names_in(folder))) > 1:
        raise AssertionError(f"{scenario.name}, call {number}: {names_in(folder)}")
    if (folder / "kept").exists():  # as if it had also died while it kept what it had read
        (folder / "kept" / "table.safetensors.tmp.1.2").write_text("half")
    scenario.check(program, folder, f"killed at call {number}")
    return True


def numbers_of(scenario: Scenario, args, chance: random.Random) -> range | list:
    count = scenario.calls(args.dying)
    if args.calls == "every":
        return range(args.part, count + 1, args.parts)
    some = max(FEWEST_CALLS, args.kills // 8)
    return sorted({1, count, *chance.sample(range(1, count + 1), min(some - 2, count))})


def main():
    args = arguments()
    chance = random.Random(f"{args.seed} {args.part}")
    with tempfile.TemporaryDirectory() as name:
        scenarios = scenarios_in(pathlib.Path(name), args.program)
        killed = 0
        while killed < args.kills / args.parts:
            for scenario in scenarios:
                killed += kill_from_outside(scenario, args.program, chance)
        calls = 0
        for scenario in scenarios if args.calls != "none" else []:
            for number in numbers_of(scenario, args, chance):
                calls += kill_at_call(scenario, args.program, args.dying, number)
        if args.calls == "some" and calls < len(scenarios):
            raise AssertionError(f"only {calls} kills while writing")
        print(f"killed {killed} times at random moments and {calls} times while writing: nothing was lost")


if __name__ == "__main__":
    sys.exit(main())
