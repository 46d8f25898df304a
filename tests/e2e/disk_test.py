#!/usr/bin/env python3
"""A disk that is full or read-only while a run has a checkpoint: a sentence, and later the same files.

    disk_test.py PROGRAM DYING_PROGRAM

The disk is a tmpfs in a mount namespace of its own (root, or user namespaces); skipped with 77 where that is not
allowed. It holds the results and the checkpoint, or the checkpoint alone.
"""

import os
import pathlib
import subprocess
import sys
import tempfile

from scenarios import scenarios_in

NAMES = ["train, alternation", "train, raw", "tune", "compare", "prepare", "prepare, little memory"]
FULL, READ_ONLY = "No space left on device", "Read-only file system"
MOST = 2 << 20
SKIPPED = 77


class Disk:
    def __init__(self, path: pathlib.Path):
        self.path = path
        path.mkdir()

    def mount(self) -> bool:
        words = ["mount", "-t", "tmpfs", "-o", f"size={MOST}", "tmpfs", self.path]
        return subprocess.run(words, check=False, capture_output=True).returncode == 0

    def unmount(self):
        subprocess.run(["umount", self.path], check=True)

    def remount(self, how: str):
        subprocess.run(["mount", "-o", f"remount,{how}", self.path], check=True)

    def fill(self, left: int):
        """Until `left` bytes are free."""
        free = os.statvfs(self.path)
        with open(self.path / "ballast", "wb") as ballast:
            ballast.write(b"\0" * max(0, free.f_bavail * free.f_frsize - left))

    def empty(self):
        (self.path / "ballast").unlink()


class Trial:
    """One run on a new disk; with `all_there`, its results are there, too."""

    def __init__(self, scenario, programs, disk: Disk, all_there: bool):
        self.scenario, self.programs, self.disk = scenario, programs, disk
        self.folder = disk.path / "results" if all_there else scenario.fresh()
        self.kept = disk.path / "results" / "kept" if all_there else disk.path / "kept"
        self.how = "results there, too" if all_there else "only the checkpoint there"

    def __enter__(self):
        assert self.disk.mount()
        self.folder.mkdir(exist_ok=True)
        return self

    def __exit__(self, *_):
        self.disk.unmount()

    def begin(self, number: int):
        """As far as that call."""
        died = self.scenario.run([self.programs[1], f"kill@{number}"], self.folder, self.kept)
        assert died.returncode == -9, f"{self.scenario.name}: {died.returncode}, {died.stderr}"

    def refused(self, why: str) -> bool:
        """False if it came to its end after all, and then it must be the right one."""
        done = self.scenario.run(self.programs[:1], self.folder, self.kept)
        if done.returncode == 0:
            self.scenario.check_done(self.folder, self.how)
            return False
        self.scenario.check_refused(done, self.folder, f"{why}, {self.how}", why)
        return True

    def goes_on(self, why: str):
        self.scenario.check(self.programs[0], self.folder, f"after {why}, {self.how}", self.kept)
        assert not self.kept.exists(), f"{self.scenario.name}, {self.how}: the checkpoint is still there"


def full_from(left: int, trial: Trial) -> bool:
    with trial:
        trial.disk.fill(left)
        is_refused = trial.refused(FULL)
        trial.disk.empty()
        if is_refused:
            trial.goes_on(FULL)
        return is_refused


def fails_after(number: int, trial: Trial):
    """On the way, the disk is full and then read-only."""
    with trial:
        trial.begin(number)
        trial.disk.fill(0)
        trial.refused(FULL)
        trial.disk.empty()
        trial.disk.remount("ro")
        trial.refused(READ_ONLY)
        trial.disk.remount("rw")
        trial.goes_on(READ_ONLY)


def read_only_from_the_start(trial: Trial):
    with trial:
        trial.disk.remount("ro")
        assert trial.refused(READ_ONLY), f"{trial.scenario.name}: nobody noticed"
        trial.disk.remount("rw")
        trial.goes_on(READ_ONLY)


def main(programs: list):
    with tempfile.TemporaryDirectory() as name:
        base = pathlib.Path(name)
        disk = Disk(base / "disk")
        if not disk.mount():
            print("skipped: no tmpfs here")
            return SKIPPED
        disk.unmount()
        for scenario in scenarios_in(base / "good", programs[0], NAMES):
            calls = scenario.calls(programs[1])
            for all_there in (False, True):
                new = lambda: Trial(scenario, programs, disk, all_there)
                assert full_from(0, new()), f"{scenario.name}: nobody noticed"
                full_from(24 << 10, new())
                fails_after(calls // 2, new())
                read_only_from_the_start(new())
            print(f"{scenario.name}: nothing was lost")
    return 0


if __name__ == "__main__":
    if sys.argv[-1] != "inside":
        alone = ["unshare", "--mount", "--map-root-user"]
        if subprocess.run([*alone, "true"], check=False, capture_output=True).returncode != 0:
            print("skipped: no mount namespaces here")
            sys.exit(SKIPPED)
        os.execvp("unshare", [*alone, sys.executable, *sys.argv, "inside"])
    sys.exit(main(sys.argv[1:3]))
