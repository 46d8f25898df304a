"""What the figures were measured on, and with what."""

import importlib.metadata
import os
import pathlib
import platform
import re
import subprocess

PACKAGES = ["implicit", "irspack", "faiss-cpu", "pandas", "polars", "numpy", "scipy"]


def version(package):
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return None


def said(*command):
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    return run.stdout.strip() if run.returncode == 0 else ""


def caches():
    found = re.findall(r"^(L\d\w*) cache:\s*(.+)$", said("lscpu"), re.M)
    return {level: size for level, size in found}


def processor():
    names = re.findall(r"^model name\s*:\s*(.+)$", pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8"), re.M)
    return names[0] if names else platform.machine()


def system():
    names = re.findall(r'^PRETTY_NAME="?([^"\n]+)', pathlib.Path("/etc/os-release").read_text(encoding="utf-8"), re.M)
    return f"{names[0] if names else platform.system()}, {platform.machine()}"


def description(sqmax):
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    root = str(pathlib.Path(__file__).resolve().parent)
    return {"processor": processor(), "cores": os.cpu_count(), "memory_gib": round(memory / 2**30, 1),
            "caches": caches(), "system": system(), "python": platform.python_version(),
            "compiler": said("g++", "--version").split("\n")[0], "sqmax": said(str(sqmax), "--version"),
            "commit": said("git", "-C", root, "rev-parse", "--short", "HEAD"),
            "packages": {package: version(package) for package in PACKAGES if version(package)}}
