"""A server to test: a small model, the program, and clients that speak HTTP as they like."""

import atexit
import functools
import http.client
import json
import os
import pathlib
import random
import signal
import socket
import subprocess
import sys
import tempfile
import time

PROGRAM = sys.argv[1] if len(sys.argv) > 1 else "build/dev/sqmax"
USERS, ITEMS = 60, 40


def small_table() -> str:
    """Users and items in four groups; most people like their own group's items."""
    chance = random.Random(1)
    lines = ["user\titem"]
    for user in range(USERS):
        for item in range(ITEMS):
            if chance.random() < (0.8 if user % 4 == item % 4 else 0.1):
                lines.append(f"u{user}\ti{item}")
    return "\n".join(lines) + "\n"


def titles() -> str:
    lines = ["item\ttitle\tlink\tshelf"]
    lines += [f"i{item}\tThing number {item} ü\thttps://example.org/{item}\t{item % 4}"
              for item in range(ITEMS)]
    return "\n".join(lines) + "\n"


class Workshop:
    """A folder with data, models and titles, all made by the program."""

    def __init__(self, program: str):
        self.program = program
        self.folder_ = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.folder_.name)
        (self.folder / "small.tsv").write_text(small_table(), encoding="utf-8")
        (self.folder / "titles.tsv").write_text(titles(), encoding="utf-8")
        self.run("prepare", self / "small.tsv", "-o", self / "data.safetensors")
        self.train("model.safetensors", "--rank", "4")

    def __truediv__(self, name: str) -> str:
        return str(self.folder / name)

    def run(self, *words: str) -> str:
        done = subprocess.run([self.program, *words, "--quiet"], check=False, capture_output=True,
                              text=True)
        if done.returncode != 0:
            raise AssertionError(done.stderr)
        return done.stdout

    def train(self, name: str, *options: str) -> None:
        self.run("train", self / "data.safetensors", "--no-tune", *options, "-o", self / name)

    def close(self) -> None:
        self.folder_.cleanup()


@functools.cache
def workshop() -> Workshop:
    """That of all tests of a file."""
    made = Workshop(PROGRAM)
    atexit.register(made.close)
    return made


class Answer:
    def __init__(self, response: http.client.HTTPResponse):
        self.status = response.status
        self.headers = {name.lower(): value for name, value in response.getheaders()}
        self.text = response.read().decode("utf-8")

    def json(self):
        return json.loads(self.text)

    @property
    def code(self) -> str:
        return self.json()["error"]["code"]


class Server:
    """The program as a server, on a port of its own."""

    def __init__(self, program: str, *words: str, environment: dict | None = None):
        self.process = subprocess.Popen(
            [program, "serve", "--port", "0", *words], stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True, env={**os.environ, **(environment or {})})
        self.url = self.process.stdout.readline().strip()
        if not self.url:
            raise AssertionError(self.process.communicate()[1])
        self.port = int(self.url.rstrip("/").rsplit(":", 1)[1])

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
        self.output, self.messages = self.process.communicate(timeout=30)

    def listens(self) -> bool:
        try:
            socket.create_connection(("127.0.0.1", self.port), timeout=5).close()
            return True
        except ConnectionRefusedError:
            return False

    def connect(self, timeout: float = 20) -> http.client.HTTPConnection:
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)

    def ask(self, method: str, target: str, body=None, headers: dict | None = None) -> Answer:
        connection = self.connect()
        try:
            sent = dict(headers or {})
            if body is not None and not isinstance(body, (bytes, str)):
                body = json.dumps(body)
            if body is not None:
                sent.setdefault("Content-Type", "application/json")
            connection.request(method, target, body, sent)
            return Answer(connection.getresponse())
        finally:
            connection.close()

    def get(self, target: str, **headers: str) -> Answer:
        return self.ask("GET", target, headers=headers)

    def post(self, target: str, body, **headers: str) -> Answer:
        return self.ask("POST", target, body, headers)

    def raw(self, data: bytes, timeout: float = 10, close: bool = True) -> bytes:
        """All that comes back for these bytes, until the server closes."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=timeout) as client:
            received = b""
            try:
                client.sendall(data)
                if close:
                    client.shutdown(socket.SHUT_WR)
                while part := client.recv(65536):
                    received += part
            except (ConnectionResetError, BrokenPipeError):
                pass
            return received

    def memory(self) -> int:
        """Resident bytes."""
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text(encoding="utf-8")
        line = next(line for line in status.splitlines() if line.startswith("VmRSS"))
        return int(line.split()[1]) * 1024


def serve(*words: str, model: str = "model.safetensors", environment: dict | None = None) -> Server:
    return Server(PROGRAM, workshop() / model, *words, environment=environment)


def status_of(raw: bytes) -> int:
    """0 if nothing came."""
    return int(raw.split(b" ")[1]) if raw.startswith(b"HTTP/1.1 ") else 0


def wait_until(condition, seconds=15):
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise AssertionError("It did not happen in time.")
        time.sleep(0.02)
