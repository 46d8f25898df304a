"""Losses: what the library says about them, in words that Python can spell."""

from __future__ import annotations

import keyword
import re

from . import _core

LOSSES = {loss["name"]: loss for loss in _core.losses()}

# Names that implicit's users know come first; the library's own are accepted as well.
_KNOWN_AS = {"lambda": "regularization", "rank": "factors", "seed": "random_state", "threads": "num_threads"}
_CLASSES = {"rgp": "RGp", "rgx": "RGx", "rgx-ssm": "RGxSSM", "popularity": "Popularity", "sparsemax": "Sparsemax"}


def class_name(loss: str) -> str:
    """rg2-ssm is RG2SSM."""
    return _CLASSES.get(loss, loss.upper().replace("-", ""))


def keyword_of(option: str) -> str:
    """link-ridge is link_ridge, lambda is regularization."""
    return _KNOWN_AS.get(option, option.replace("-", "_"))


def aliases_of(option: str) -> list[str]:
    """Other spellings that are accepted: rank for factors, lambda_ for regularization."""
    plain = option.replace("-", "_")
    return [] if plain == keyword_of(option) else [plain + "_" if keyword.iskeyword(plain) else plain]


def in_python(sentence: str) -> str:
    """A sentence of the library, with options as Python spells them."""
    return re.sub(r"--([a-z][a-z-]*)", lambda match: keyword_of(match[1]), sentence)


def describe(option: dict) -> str:
    """One line for a docstring."""
    default = option["default"]
    if option["choices"]:
        values = "{" + ", ".join(repr(choice) for choice in option["choices"]) + "}"
        return f"{keyword_of(option['name'])} : {values}, default {default!r}\n    {option['help']}"
    shown = int(default) if option["whole"] else default
    kind = "int" if option["whole"] else "float"
    limits = f"{option['low']:g} to {option['high']:g}"
    return f"{keyword_of(option['name'])} : {kind}, {limits}, default {shown:g}\n    {option['help']}"
