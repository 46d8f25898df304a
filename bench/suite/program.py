"""Running sqmax: every call is a process, and its answer is JSON."""

import json
import pathlib
import subprocess
import threading
import time


# A process starts with the peak memory of the one that it was forked from: a shell's is small, Python's is not.
SMALL_PARENT = ["sh", "-c", '"$@"; exit $?', "sh"]


def checked(command):
    """Standard output of a command that must succeed."""
    words = [*SMALL_PARENT, *(str(word) for word in command)]
    run = subprocess.run(words, capture_output=True, text=True, check=False)
    if run.returncode != 0:
        raise SystemExit(f"{' '.join(str(word) for word in command)}\n{run.stderr}")
    return run.stdout


def answer(*command):
    return json.loads(checked([*command, "--json", "--quiet"]))


def made(path, *command):
    """The file, made by the command with `-o` unless it is there already."""
    if not pathlib.Path(path).exists():
        pathlib.Path(path).parent.mkdir(parents=True, exist_ok=True)
        checked([*command, "--quiet", "-o", path])
    return path


def memory_of(pid):
    """Peak of all memory, and now what is no mapped file, in bytes; empty once the process has ended."""
    try:
        lines = pathlib.Path(f"/proc/{pid}/status").read_text(encoding="ascii").splitlines()
    except OSError:
        return {}
    fields = {name: int(rest.split()[0]) * 1024 for name, rest in (line.split(":", 1) for line in lines)
              if name in ("VmHWM", "RssAnon")}
    return {"peak_resident_bytes": fields.get("VmHWM", 0), "peak_anonymous_bytes": fields.get("RssAnon", 0)}


class MemoryWatch(threading.Thread):
    """Looks every tenth of a second, until it is told to end."""

    def __init__(self, pid):
        super().__init__()
        self.pid = pid
        self.ended = threading.Event()
        self.peaks = {}

    def run(self):
        while not self.ended.wait(0.1):
            for name, value in memory_of(self.pid).items():
                self.peaks[name] = max(value, self.peaks.get(name, 0))


def watched(command):
    """Runs to the end: seconds, peak memory (with and without mapped files) and standard output."""
    start = time.monotonic()
    with subprocess.Popen([str(word) for word in command], stdout=subprocess.PIPE, text=True) as child:
        watch = MemoryWatch(child.pid)
        watch.start()
        text, _ = child.communicate()
        watch.ended.set()
        watch.join()
    if child.returncode != 0:
        raise SystemExit(f"{' '.join(str(word) for word in command)}: exit code {child.returncode}")
    return {"seconds": time.monotonic() - start, **watch.peaks, "output": text}
