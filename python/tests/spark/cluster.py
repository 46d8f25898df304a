"""A standalone cluster of Spark on loopback: one master, workers in processes of their own."""

from __future__ import annotations

import os
import pathlib
import re
import signal
import subprocess
import sys
import time

import pyspark

HOME = pathlib.Path(pyspark.__file__).parent
LIMIT = 60.0  # seconds that a process may take to come up


def environment() -> dict:
    """Everything talks to 127.0.0.1, with this Python on every side."""
    return {
        **os.environ,
        "SPARK_LOCAL_IP": "127.0.0.1",
        "SPARK_HOME": str(HOME),
        "PYSPARK_PYTHON": sys.executable,
        "PYSPARK_DRIVER_PYTHON": sys.executable,
        "SPARK_NO_DAEMONIZE": "1",
    }


class Process:
    """A Java process of Spark and its children, with a log that can be waited for."""

    def __init__(self, folder: pathlib.Path, name: str, arguments: list):
        self.log = folder / f"{name}.log"
        command = [str(HOME / "bin" / "spark-class"), *arguments]
        with open(self.log, "w") as log:
            self.process = subprocess.Popen(
                command, stdout=log, stderr=log, env=environment(), start_new_session=True
            )

    def wait_for(self, pattern: str) -> re.Match:
        end = time.monotonic() + LIMIT
        while time.monotonic() < end:
            found = re.search(pattern, self.log.read_text())
            if found:
                return found
            if self.process.poll() is not None:
                break
            time.sleep(0.05)
        raise RuntimeError(f"{self.log.name} never said {pattern!r}:\n{self.log.read_text()[-2000:]}")

    def kill(self) -> None:
        """With its executors, at once."""
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()


class Cluster:
    def __init__(self, folder: pathlib.Path, workers: int = 2, memory: str = "2g"):
        self.folder, self.memory = folder, memory
        package = "org.apache.spark.deploy"
        self.master = Process(
            folder, "master", [f"{package}.master.Master", "--host", "127.0.0.1", "--port", "0", "--webui-port", "0"]
        )
        self.url = self.master.wait_for(r"Starting Spark master at (spark://\S+)")[1]
        self.workers = []
        for _ in range(workers):
            self.add_worker()

    def add_worker(self) -> None:
        name = f"worker-{len(self.workers)}"
        arguments = ["org.apache.spark.deploy.worker.Worker", self.url, "--host", "127.0.0.1", "--cores", "1"]
        arguments += ["--memory", self.memory, "--webui-port", "0", "--work-dir", str(self.folder / name)]
        worker = Process(self.folder, name, arguments)
        self.workers.append(worker)
        worker.wait_for("Successfully registered with master")

    def stop(self) -> None:
        for process in [*self.workers, self.master]:
            process.kill()


def session(master: str, name: str = "sqmax", **more):
    """A session of this process on a master."""
    from pyspark.sql import SparkSession

    os.environ.update({k: v for k, v in environment().items() if k.startswith(("SPARK_", "PYSPARK_"))})
    os.environ.pop("SPARK_NO_DAEMONIZE", None)
    builder = SparkSession.builder.master(master).appName(name)
    settings = {
        "spark.ui.enabled": "false",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.memory": "2g",
        "spark.executor.memory": "1g",
        "spark.sql.shuffle.partitions": "4",
        "spark.ui.showConsoleProgress": "false",
        **more,
    }
    for key, value in settings.items():
        builder = builder.config(key, value)
    made = builder.getOrCreate()
    made.sparkContext.setLogLevel("ERROR")
    return made
