"""The golden cases, and the same bytes by the program and by Python."""

import json
import pathlib
import subprocess

import numpy as np
import pytest

import sqmax

GOLDEN = pathlib.Path(__file__).parents[2] / "tests" / "golden"
CASES = sorted(path.parent.name for path in GOLDEN.glob("*/config.json"))


def settings(case):
    config = json.loads((GOLDEN / case / "config.json").read_text())
    keywords = {sqmax._losses.keyword_of(name): value for name, value in config["options"].items()}
    return config, keywords


def python_model(case, **more):
    config, keywords = settings(case)
    data = sqmax.prepare(GOLDEN / case / "input.tsv", split="given")
    if "rank" in config:
        more["factors"] = max(config["rank"], 1)
    made = sqmax._models.CLASSES[config["loss"]](**keywords, solver=config["solver"], **more)
    return data, made.fit(data, show_progress=False)


@pytest.mark.parametrize("case", CASES)
def test_scores_are_golden(case):
    expected = json.loads((GOLDEN / case / "expected.json").read_text())
    config, _ = settings(case)
    more = {"iterations": 5000} if config["loss"] != "popularity" else {}
    tight = {"tolerance": 1e-6} if config["loss"] != "popularity" else {}
    data, model = python_model(case, **more, **tight)
    assert data.users == expected["users"] and data.items == expected["items"]
    items = len(data.items)
    for user, scores in enumerate(expected["scores"]):
        ids, found = model.recommend(user, None, N=items, filter_already_liked_items=False)
        assert found == pytest.approx(np.array(scores)[ids], abs=config["tolerance"])


def tensors(path):
    """Everything in a file but its story."""
    content = path.read_bytes()
    length = int.from_bytes(content[:8], "little")
    header = json.loads(content[8 : 8 + length])
    header.pop("__metadata__", None)
    return {name: content[8 + length :][slice(*entry["data_offsets"])] for name, entry in header.items()}


@pytest.mark.parametrize("case", CASES)
def test_the_program_and_python_give_the_same_bytes(case, program, tmp_path):
    config, _ = settings(case)
    _, model = python_model(case, iterations=7)
    model.save(tmp_path / "python")
    options = [f"--{name}={value}" for name, value in config["options"].items()]
    rank = [f"--rank={config['rank']}"] if config.get("rank") else []
    subprocess.run(
        [program, "train", GOLDEN / case / "input.tsv", "-o", tmp_path / "program", "--quiet", "--no-tune", "--split=given",
         f"--loss={config['loss']}", f"--solver={config['solver']}", "--iterations=7", *rank, *options],
        check=True, capture_output=True)
    ours, theirs = tensors(tmp_path / "python"), tensors(tmp_path / "program")
    assert ours.keys() == theirs.keys() and len(ours) > 5
    for name, content in theirs.items():
        assert ours[name] == content, name


def test_a_search_gives_the_same_bytes(program, tmp_path):
    random = np.random.default_rng(0)
    users, items = np.nonzero(random.random((60, 25)) < np.where(np.arange(25) % 3, 0.1, 0.6))
    data = sqmax.prepare((users, items))
    data.save(tmp_path / "data")
    subprocess.run(
        [program, "train", tmp_path / "data", "-o", tmp_path / "program", "--quiet", "--budget=4trials", "--rank=5"],
        check=True, capture_output=True)
    for name in ("python", "again"):
        model = sqmax.fit(data, budget="4trials", factors=5, show_progress=False)
        model.save(tmp_path / name)
    assert (tmp_path / "python").read_bytes() == (tmp_path / "again").read_bytes()
    assert tensors(tmp_path / "python") == tensors(tmp_path / "program")
    told = subprocess.run([program, "inspect", tmp_path / "python"], check=True, capture_output=True, text=True)
    assert "rgp" in told.stdout


def test_the_program_reads_what_python_writes(program, tmp_path):
    data, model = python_model(CASES[-1])
    model.save(tmp_path / "model")
    told = subprocess.run(
        [program, "recommend", tmp_path / "model", "--user", data.users[0], "--k", "3", "--json"],
        check=True, capture_output=True, text=True)
    listed = json.loads(told.stdout)["items"]
    ids, scores = model.recommend(0, N=3)
    assert [entry["item"] for entry in listed] == [data.items[y] for y in ids if y >= 0]
    assert [entry["score"] for entry in listed] == pytest.approx(scores[ids >= 0], rel=1e-5)


def test_python_reads_what_the_program_writes(program, tmp_path):
    case = CASES[-1]
    subprocess.run([program, "prepare", GOLDEN / case / "input.tsv", "-o", tmp_path / "data", "--quiet"],
                   check=True, capture_output=True)
    prepared = sqmax.Dataset.load(tmp_path / "data")
    read = sqmax.prepare(GOLDEN / case / "input.tsv", split="ratio")
    assert prepared.users == read.users and (prepared.train != read.train).nnz == 0
    read.save(tmp_path / "ours")
    assert tensors(tmp_path / "ours") == tensors(tmp_path / "data")
