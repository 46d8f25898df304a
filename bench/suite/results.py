"""Results are JSON files, written after every round, so that an interrupted run goes on where it was."""

import hashlib
import json
import pathlib


def read(path):
    return json.loads(pathlib.Path(path).read_text(encoding="utf-8"))


def write(path, document):
    path = pathlib.Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_suffix(".new")
    draft.write_text(json.dumps(document, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    draft.replace(path)


def fingerprint(path):
    return hashlib.sha256(pathlib.Path(path).read_bytes()).hexdigest()[:16]


def resumed(path, settings):
    """What is stored, if it is of the same settings; else a new document."""
    stored = read(path) if pathlib.Path(path).exists() else {}
    return stored if stored.get("settings") == settings else {"settings": settings}
