"""The explorer page, in a real browser: as committed, over its mock, and over sqmax serve.

    explorer_test.py SQMAX [SCREENSHOTS]
"""

import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile

from browser import find_browser

SKIPPED = 77
WEB = pathlib.Path(__file__).resolve().parents[2] / "web"
GENRES = ("Comedy", "Drama", "Western", "Mystery", "Opera", "Saga")
FILMS = 30  # of each genre


def skip(reason):
    print(f"left out: {reason}", file=sys.stderr)
    sys.exit(SKIPPED)


def npm(*arguments, **environment):
    """Whether an npm command ended well."""
    return subprocess.run(["npm", *arguments], cwd=WEB, env={**os.environ, **environment}, check=False).returncode == 0


def write_films(folder):
    """600 people who mostly watch one genre; the table of films has markup in a title."""
    chance = random.Random(5)
    films = [(f"{1000 + n}", f"{GENRES[n % len(GENRES)]} & <i>{n // len(GENRES) + 1}</i>") for n in range(len(GENRES) * FILMS)]
    lines = set()
    for person in range(600):
        for _ in range(14):
            genre = person % len(GENRES) if chance.random() < 0.8 else chance.randrange(len(GENRES))
            n = int(FILMS * chance.random() ** 2) * len(GENRES) + genre
            lines.add(f"person{person}\t{films[n][0]}")
    (folder / "seen.tsv").write_text("\n".join(sorted(lines)) + "\n", encoding="utf-8")
    table = "".join(f"{item}\t{title}\thttps://films.invalid/{item}\n" for item, title in films)
    (folder / "films.tsv").write_text("item\ttitle\tlink\n" + table, encoding="utf-8")


class Served:
    """sqmax serve on a small model, at `url`."""

    def __init__(self, program, folder):
        write_films(folder)
        model = str(folder / "model.safetensors")
        # The slider has steps of a hundredth: keys find back to a blend that is one of them.
        subprocess.run([program, "train", str(folder / "seen.tsv"), "-o", model, "--rank", "8", "--budget", "6trials",
                        "--blend", "0.6", "--quiet"], check=True, stdout=subprocess.DEVNULL)
        command = [program, "serve", model, "--items", str(folder / "films.tsv"), "--port", "0", "--grace", "0"]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        self.url = self.process.stdout.readline().strip()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(timeout=20)


def main(program, screenshots):
    browser = find_browser()
    if browser is None:
        skip("there is no Chromium")
    if shutil.which("node") is None or shutil.which("npm") is None:
        skip("there is no Node")
    if not (WEB / "node_modules/playwright-core").exists() and not npm("install", "--no-save", "--no-audit", "--no-fund"):
        skip("the packages of web/ cannot be had")
    checks = npm("run", "--silent", "check-types") and npm("run", "--silent", "check-dist") and npm("test", "--silent")
    common = {"SQMAX_BROWSER": browser}
    over_mock = npm("run", "--silent", "test-page", **common, SQMAX_SCREENSHOTS=str(screenshots / "mock"))
    with tempfile.TemporaryDirectory() as folder, Served(program, pathlib.Path(folder)) as served:
        over_server = npm("run", "--silent", "test-page", **common, SQMAX_URL=served.url, SQMAX_SCREENSHOTS=str(screenshots))
    return 0 if checks and over_mock and over_server else 1


if __name__ == "__main__":
    sys.exit(main(str(pathlib.Path(sys.argv[1]).resolve()), pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else "screenshots").resolve()))
