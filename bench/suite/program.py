"""Running sqmax: every call is a process, and its answer is JSON."""

import json
import os
import pathlib
import subprocess
import threading
import time


def checked(command):
    """Standard output of a command that must succeed."""
    run = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)
    if run.returncode != 0:
        raise SystemExit(f"{' '.join(str(word) for word in command)}\n{run.stderr}")
    return run.stdout


def answer(*command):
    return json.loads(checked([*command, "--json", "--quiet"]))


def knows(sqmax, command, option):
    return option in checked([sqmax, command, "--help"])


def made(path, *command):
    """The file, made by the command with `-o` unless it is there already."""
    if not pathlib.Path(path).exists():
        pathlib.Path(path).parent.mkdir(parents=True, exist_ok=True)
        checked([*command, "--quiet", "-o", path])
    return path


def anonymous_bytes(pid):
    """Memory of the process that is no mapped file; 0 once it has ended."""
    try:
        lines = pathlib.Path(f"/proc/{pid}/status").read_text(encoding="ascii").splitlines()
    except OSError:
        return 0
    return sum(int(line.split()[1]) * 1024 for line in lines if line.startswith(("RssAnon", "RssShmem")))


def watched(command):
    """Runs to the end: seconds, peak memory (with and without mapped files) and standard output."""
    start = time.monotonic()
    child = subprocess.Popen([str(word) for word in command], stdout=subprocess.PIPE, text=True)
    peak = [0]

    def watch():
        while bytes_now := anonymous_bytes(child.pid):
            peak[0] = max(peak[0], bytes_now)
            time.sleep(0.2)

    watcher = threading.Thread(target=watch)
    watcher.start()
    text = child.stdout.read()
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    watcher.join()
    if child.returncode != 0:
        raise SystemExit(f"{' '.join(str(word) for word in command)}: exit code {child.returncode}")
    return {"seconds": time.monotonic() - start, "peak_rss_bytes": usage.ru_maxrss * 1024,
            "peak_anonymous_bytes": peak[0], "output": text}
