"""A private virtual environment, and this program running in it with the threads it may use."""

import hashlib
import os
import pathlib
import subprocess
import sys
import venv

BENCH = pathlib.Path(__file__).resolve().parent.parent
FOLDER = BENCH.parent / "build" / "bench-env"
# May have no wheel for this machine; without it there are rows less.
OPTIONAL = ["irspack==0.5.2"]


def wanted():
    text = (BENCH / "requirements.txt").read_text(encoding="utf-8")
    return hashlib.sha256((text + " ".join(OPTIONAL)).encode()).hexdigest()


def make():
    """Creates or renews the environment; nothing if it is what requirements.txt asks for."""
    stamp = FOLDER / "installed"
    if stamp.exists() and stamp.read_text(encoding="utf-8") == wanted():
        return
    print(f"Installing peers into {FOLDER}", file=sys.stderr, flush=True)
    venv.create(FOLDER, with_pip=True, clear=True)
    install = [str(FOLDER / "bin" / "python"), "-m", "pip", "install", "--quiet", "--only-binary", ":all:"]
    subprocess.run([*install, "-r", str(BENCH / "requirements.txt")], check=True)
    for package in OPTIONAL:
        subprocess.run([*install, package], check=False)
    stamp.write_text(wanted(), encoding="utf-8")


def thread_settings(threads):
    """OpenBLAS has one thread, as the authors of implicit ask: its own threads call it."""
    return {"OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1", "OMP_NUM_THREADS": str(threads),
            "POLARS_MAX_THREADS": str(threads), "IRSPACK_NUM_THREADS_DEFAULT": str(threads)}


def enter(threads):
    """Goes on in the environment, on as many cores as threads: nobody can use more."""
    make()
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:threads])
    python = FOLDER / "bin" / "python"
    if pathlib.Path(sys.prefix) == FOLDER and os.environ.get("OMP_NUM_THREADS") == str(threads):
        return
    os.execve(python, [str(python), *sys.argv], {**os.environ, **thread_settings(threads)})
