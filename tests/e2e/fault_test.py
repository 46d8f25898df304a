#!/usr/bin/env python3
"""Calls that write fail in whole runs: the program ends with a sentence, and goes on to the same files.

    fault_test.py PROGRAM DYING_PROGRAM [--calls 2] [--seed 1]

EIO fails once; ENOSPC from one call on. A failure that a run gets around by itself, as an open that another way of
writing takes the place of, must leave the same files at once.
"""

import argparse
import pathlib
import random
import sys
import tempfile

from scenarios import SCENARIOS, scenarios_in

REASONS = {"EIO": "Input/output error", "ENOSPC": "No space left on device"}
SLOW = {"train, searched"}  # and nothing in it that the others do not have


def try_fault(scenario, args, kind: str, number: int) -> bool:
    """Whether the run noticed."""
    folder, how = scenario.fresh(), f"{kind} at call {number}"
    done = scenario.run([args.dying, f"{kind}@{number}"], folder)
    if done.returncode == 0:
        scenario.check_done(folder, how)
        return False
    scenario.check_refused(done, folder, how, REASONS[kind])
    scenario.check(args.program, folder, how)
    return True


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("dying")
    parser.add_argument("--calls", type=int, default=2, help="of each scenario and reason, beside the first and the last")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    chance = random.Random(args.seed)
    with tempfile.TemporaryDirectory() as name:
        names = [each for each in SCENARIOS if each not in SLOW]
        for scenario in scenarios_in(pathlib.Path(name), args.program, names):
            count = scenario.calls(args.dying)
            noticed = 0
            for kind in REASONS:
                for number in sorted({1, count, *chance.sample(range(1, count + 1), min(args.calls, count))}):
                    noticed += try_fault(scenario, args, kind, number)
            if noticed == 0:
                raise AssertionError(f"{scenario.name}: no fault of {count} calls was noticed")
            print(f"{scenario.name}: {noticed} faults were noticed, and nothing was lost")


if __name__ == "__main__":
    sys.exit(main())
