"""Types of the package: a class for each loss that the library has, written when it is built.

    make_stubs.py FOLDER_OF_CORE FOLDER_OF_PACKAGE OUTPUT
"""

import importlib
import pathlib
import sys
import textwrap
import types

HEAD = '''\
from . import evaluation as evaluation
from ._core import NotFoundError as NotFoundError
from ._data import Dataset as Dataset, kcore as kcore, prepare as prepare, split as split
from ._evaluate import Comparison as Comparison, Report as Report, compare as compare, evaluate as evaluate
from ._fit import fit as fit
from ._losses import LOSSES as LOSSES
from ._models import Model as Model, load as load
from ._version import __version__ as __version__
'''

CLASS = '''

class {name}(Model):
    """{title}"""

    def __init__(
        self,
        factors: int = {rank},
        *,
{options}
        iterations: int = {iterations},
        solver: str = "auto",
        random_state: object = None,
        num_threads: int = 0,
        calculate_training_loss: bool = False,
        **others: object,
    ) -> None: ...
'''


def losses_of(core: str, package: str):
    """The module sqmax._losses on its own: NumPy may not be there yet."""
    sys.path.insert(0, core)
    made = types.ModuleType("sqmax")
    made.__path__ = [package]
    sys.modules["sqmax"] = made
    sys.modules["sqmax._core"] = importlib.import_module("_core")
    return importlib.import_module("sqmax._losses")


def option_line(losses, option: dict) -> str:
    default = option["default"]
    kind = "str" if option["choices"] else "int" if option["whole"] else "float"
    shown = repr(int(default) if option["whole"] else default).replace("'", '"')
    return f"{losses.keyword_of(option['name'])}: {kind} = {shown},"


def stub(losses) -> str:
    text = HEAD
    for spec in losses.LOSSES.values():
        lines = "\n".join(option_line(losses, option) for option in spec["options"])
        title = spec["title"][0].upper() + spec["title"][1:] + "."
        made = CLASS.format(
            name=losses.class_name(spec["name"]),
            title=title,
            rank=spec["rank"],
            iterations=spec["iterations"],
            options=textwrap.indent(lines, " " * 8),
        )
        text += made.replace("        *,\n\n", "        *,\n")
    return text


if __name__ == "__main__":
    pathlib.Path(sys.argv[3]).write_text(stub(losses_of(sys.argv[1], sys.argv[2])), encoding="utf-8")
