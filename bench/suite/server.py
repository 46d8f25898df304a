"""A model to serve, `sqmax serve` on a free port, and wrk to drive it; all on this machine."""

import json
import pathlib
import signal
import subprocess

HERE = pathlib.Path(__file__).resolve().parent
MOST_USERS = 20000


def model(sqmax, program, folder, items, rank, links):
    """A model file of that many items, and a file of users' ids; made once."""
    raw = pathlib.Path(folder) / f"serve-{items}.tsv"
    path = raw.with_name(f"serve-{items}-{rank}-{links}.safetensors")
    program.made(raw, sqmax, "synth", "--like", "wiki", "--items", items, "--users", 50000,
                 "--interactions", 2000000)
    program.made(path, sqmax, "train", raw, "--split", "none", "--no-tune", "--rank", rank, "--alpha", "0",
                 "--ridge", "weighted", "--solver", "exact", "--links", links)
    users = raw.with_suffix(".users")
    if not users.exists():
        with raw.open(encoding="utf-8") as lines:
            next(lines)
            ids = dict.fromkeys(line.split("\t")[0] for line in lines)
        users.write_text("\n".join(list(ids)[:MOST_USERS]) + "\n", encoding="utf-8")
    return path, users


class Server:
    def __init__(self, sqmax, *words):
        self.process = subprocess.Popen([str(word) for word in (sqmax, "serve", "--port", 0, "--quiet", *words)],
                                        stdout=subprocess.PIPE, text=True)
        self.url = self.process.stdout.readline().strip().rstrip("/")
        if not self.url:
            raise SystemExit("The server did not start.")
        self.exit_code = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGINT)
        self.exit_code = self.process.wait(60)

    def resident_bytes(self):
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text(encoding="ascii")
        return next(int(line.split()[1]) * 1024 for line in status.splitlines() if line.startswith("VmRSS"))

    def open_files(self):
        return len(list(pathlib.Path(f"/proc/{self.process.pid}/fd").iterdir()))


def drive(url, connections, seconds, *arguments):
    """Requests a second, p50 and p99 in ms, and how many failed."""
    command = ["wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "-s", HERE / "load.lua", url, "--", *arguments]
    output = subprocess.run([str(word) for word in command], check=True, capture_output=True, text=True).stdout
    found = json.loads(output.splitlines()[-1])
    return {"rate": found["requests"] / found["seconds"], **{name: found[name] for name in ("p50_ms", "p99_ms", "failed")}}
