#!/usr/bin/env python3
"""Runs the fuzzers of build/fuzz by turns until each has had its minutes of CPU.       docs/reliability.md

    fuzz_hours.py [--minutes 60] [--only NAME…] [--slice 5] [--jobs 2] [--nice 0] [--until HH:MM]
    fuzz_hours.py --keep 12            what they found that the corpora lack goes into them, so many of each

What each had is kept in fuzz/hours.json and counts, on whatever machine and for whatever code, so it may be stopped and
called again. An input that fails is in build/fuzz/fuzz/found/<name>/, and ends the turns of its fuzzer.
"""

import argparse
import concurrent.futures
import datetime
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import threading

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = ROOT / "build/fuzz"
HOURS = ROOT / "fuzz/hours.json"
FOUND = BUILD / "fuzz/found"
CORPORA = ROOT / "fuzz/corpus"
ALL = sorted(path.name.removesuffix("_fuzz.cc") for path in (ROOT / "fuzz").glob("*_fuzz.cc"))
FAILED = ("crash-", "timeout-", "leak-", "oom-")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=60, help="of CPU for each")
    parser.add_argument("--only", nargs="+", default=ALL, choices=ALL, metavar="NAME")
    parser.add_argument("--slice", type=float, default=5, help="minutes of a turn")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="fuzzers at a time")
    parser.add_argument("--nice", type=int, default=0)
    parser.add_argument("--until", help="no turn ends later than that time of the day")
    parser.add_argument("--keep", type=int, metavar="N", help="take N inputs of each into the corpora; runs nothing else")
    return parser.parse_args()


def program(name: str) -> pathlib.Path:
    return BUILD / f"fuzz/{name}_fuzz"


def failures(name: str) -> list:
    return sorted(path.name for path in (FOUND / name).glob("*-*") if path.name.startswith(FAILED))


def end_of(until) -> datetime.datetime:
    """That time of today or, if it is over, of tomorrow."""
    if not until:
        return datetime.datetime.max
    now = datetime.datetime.now()
    hour, minute = map(int, until.split(":"))
    end = now.replace(hour=hour, minute=minute, second=0)
    return end if end > now else end + datetime.timedelta(days=1)


class Hours:
    """Who had how much, and who is to be next."""

    def __init__(self, args):
        self.args, self.lock, self.busy = args, threading.Lock(), set()
        self.end = end_of(args.until)
        self.had = json.loads(HOURS.read_text(encoding="utf-8")) if HOURS.exists() else {}
        for name in ALL:
            self.had.setdefault(name, {"minutes": 0.0, "runs": 0})

    def seconds_left(self) -> float:
        return (self.end - datetime.datetime.now()).total_seconds()

    def next(self) -> str:
        """Who had least of those that are due; nobody if none is."""
        with self.lock:
            due = [name for name in self.args.only if name not in self.busy and not failures(name)
                   and self.had[name]["minutes"] < self.args.minutes]
            if not due or self.seconds_left() < 20:
                return ""
            name = min(due, key=lambda each: self.had[each]["minutes"])
            self.busy.add(name)
            return name

    def add(self, name: str, minutes: float, runs: int):
        with self.lock:
            self.busy.remove(name)
            had = self.had[name]
            had["minutes"] = round(had["minutes"] + minutes, 1)
            had["runs"] += runs
            lines = [f'  "{each}": {json.dumps(self.had[each])}' for each in sorted(self.had)]
            HOURS.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")

    def turn(self, name: str):
        """One run of a fuzzer, and the CPU time that it took, by what the system says of the ended process."""
        (FOUND / name).mkdir(parents=True, exist_ok=True)
        seconds = min(60 * self.args.slice, self.seconds_left() - 10)
        words = [program(name), f"-max_total_time={seconds:.0f}", "-timeout=60", "-print_final_stats=1",
                 f"-artifact_prefix={FOUND / name}/", FOUND / name, *([CORPORA / name] if (CORPORA / name).exists() else [])]
        with tempfile.TemporaryFile("w+", errors="replace") as said:
            child = subprocess.Popen(["nice", "-n", f"{self.args.nice}", *map(str, words)], stdout=said, stderr=said)
            _, status, used = os.wait4(child.pid, 0)
            child.returncode = os.waitstatus_to_exitcode(status)
            said.seek(0)
            text = said.read()
        if child.returncode != 0:
            (FOUND / f"{name}.log").write_text(text[-20000:], encoding="utf-8")
            print(f"{name} failed: {FOUND / name}.log", flush=True)
        runs = re.search(r"number_of_executed_units: (\d+)", text)
        self.add(name, (used.ru_utime + used.ru_stime) / 60, int(runs[1]) if runs else 0)

    def work(self):
        while name := self.next():
            self.turn(name)


def keep(name: str, most: int):
    """The smallest of those inputs that together reach what the corpus does not."""
    with tempfile.TemporaryDirectory() as merged:
        new = pathlib.Path(merged)
        old = CORPORA / name
        old.mkdir(exist_ok=True)
        before = new / "before"
        shutil.copytree(old, before)
        subprocess.run([program(name), "-merge=1", before, FOUND / name], check=False,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        fresh = [path for path in before.iterdir() if not (old / path.name).exists()]
        for path in sorted(fresh, key=lambda path: (path.stat().st_size, path.name))[:most]:
            shutil.copy(path, old / path.name[:12])
        print(f"{name}: {min(most, len(fresh))} of {len(fresh)} taken")


def main():
    args = arguments()
    if args.keep is not None:
        for name in args.only:
            keep(name, args.keep)
        return 0
    hours = Hours(args)
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        for worker in [pool.submit(hours.work) for _ in range(args.jobs)]:
            worker.result()
    for name in args.only:
        had, bad = hours.had[name], failures(name)
        print(f"{name:12} {had['minutes']:6.1f} min {had['runs']:>12,} inputs   {' '.join(bad) or 'nothing found'}")
    return 1 if any(failures(name) for name in args.only) else 0


if __name__ == "__main__":
    sys.exit(main())
