"""A CSV with ids as text, to a sparse matrix. Ours is a whole process that also writes a dataset."""

import pathlib
import uuid

import numpy as np
from scipy.sparse import csr_matrix

from suite import contest as contests
from suite import program


def text_ids(setup):
    """The synthetic interactions with ids that are no numbers, made once."""
    path = setup.folder / f"{setup.like}-text.csv"
    if not path.exists():
        with open(setup.raw, encoding="ascii") as lines, open(path, "w", encoding="ascii") as out:
            next(lines)
            out.write("user,item\n")
            out.writelines(f"u{int(user):07d},i{int(item):06d}\n" for user, item in map(str.split, lines))
    return path


def shape_of(matrix):
    return {"users": matrix.shape[0], "items": matrix.shape[1], "interactions": int(matrix.nnz)}


def ours(setup, path):
    command = [setup.sqmax, "prepare", path, "--split", "none", "--threads", setup.threads, "--json", "--quiet",
               "-o", setup.folder / "ingested.safetensors"]
    seconds, text = contests.timed(lambda: program.checked(command))
    counts = program.json.loads(text)
    return {"seconds": seconds, "users": counts["users"], "items": counts["items"], "interactions": counts["train"]}


def ones(users, items):
    return csr_matrix((np.ones(len(users), np.float32), (users, items)))


def with_pandas(path):
    import pandas
    frame = pandas.read_csv(path)
    return ones(pandas.factorize(frame["user"])[0], pandas.factorize(frame["item"])[0])


def with_polars(path):
    """Categories of their own number each column from 0; the quickest way to codes that we found."""
    import polars
    frame = polars.read_csv(path, infer_schema=False)
    codes = [polars.col(name).cast(polars.Categorical(polars.Categories(f"{name} {uuid.uuid4()}"))).to_physical()
             for name in ("user", "item")]
    return ones(*(column.to_numpy() for column in frame.select(codes)))


def theirs(read, path):
    seconds, matrix = contests.timed(lambda: read(pathlib.Path(path)))
    return {"seconds": seconds, **shape_of(matrix)}


def contest(setup):
    path = text_ids(setup)
    return contests.Contest(
        name="ingest", title="CSV to sparse matrix",
        contestants={"sqmax prepare": lambda: ours(setup, path), "pandas": lambda: theirs(with_pandas, path),
                     "polars": lambda: theirs(with_polars, path)},
        pairs=[["sqmax prepare", "pandas", 5], ["sqmax prepare", "polars", 1.5]],
        settings=setup.settings())
