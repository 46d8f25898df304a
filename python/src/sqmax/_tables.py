"""Tables: columns of pandas, polars, pyarrow or NumPy as positions and ids."""

from __future__ import annotations

import re

import numpy as np

_USERS = ("user", "userid", "uid", "customer", "customerid", "session", "sessionid", "source")
_ITEMS = ("item", "itemid", "iid", "movie", "movieid", "product", "productid", "target")


def is_table(source) -> bool:
    """Whether it has named columns."""
    return hasattr(source, "column_names") or (hasattr(source, "columns") and hasattr(source, "__getitem__"))


def columns_of(source, roles: dict) -> dict:
    """Arrays by role: user, item, and those of rating and time that are named.

    A side that is not named is the first column with a well-known name, else the first (user) or second
    (item) column.
    """
    names = [str(name) for name in getattr(source, "column_names", None) or source.columns]
    if len(names) < 2:
        raise ValueError(f"A table of interactions has at least two columns; this one has {names}.")
    chosen = {
        "user": roles["user"] or _guess(names, _USERS, names[0]),
        "item": roles["item"] or _guess(names, _ITEMS, names[1]),
    }
    chosen.update({role: roles[role] for role in ("rating", "time") if roles[role]})
    for role, name in chosen.items():
        if name not in names:
            raise ValueError(f"There is no column {name!r} for the {role}; there are {', '.join(names)}.")
    if chosen["user"] == chosen["item"]:
        raise ValueError(f"Users and items cannot both be the column {chosen['user']!r}.")
    return {role: np.asarray(source[name].to_numpy()) for role, name in chosen.items()}


def _guess(names, known, otherwise):
    simple = {re.sub(r"[^a-z]", "", name.lower()): name for name in reversed(names)}
    return next((simple[name] for name in known if name in simple), otherwise)


def positions_and_ids(values, what: str):
    """Positions by first appearance, and the ids at these positions, as text."""
    array = np.asarray(values)
    if array.ndim != 1:
        raise ValueError(f"The column of the {what} must have one dimension; {array.ndim} are not one.")
    _refuse_missing(array, what)
    try:
        unique, first, inverse = np.unique(array, return_index=True, return_inverse=True)
    except TypeError:
        raise ValueError(f"The column of the {what} has ids of several types.") from None
    order = np.argsort(first, kind="stable")
    place = np.empty(len(order), dtype=np.int32)
    place[order] = np.arange(len(order), dtype=np.int32)
    return place[inverse.reshape(-1)], [str(value) for value in unique[order].tolist()]


def _refuse_missing(array, what: str) -> None:
    kind = array.dtype.kind
    missing = np.isnan(array).any() if kind == "f" else kind == "O" and any(v is None or v != v for v in array)
    if missing:
        raise ValueError(f"The column of the {what} has missing values.")


def numbers(values, what: str) -> np.ndarray:
    """A column of numbers; dates count in seconds."""
    array = np.asarray(values)
    if array.dtype.kind == "M":
        return array.astype("datetime64[s]").astype(np.int64)
    if array.dtype.kind not in "biuf":
        raise ValueError(f"The column of the {what} must have numbers; {array.dtype} are not.")
    if array.dtype.kind == "f" and np.isnan(array).any():
        raise ValueError(f"The column of the {what} has missing values.")
    return array
