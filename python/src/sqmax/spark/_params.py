"""Params: those of Spark's ALS under their names, and the options of a loss as the library has them."""

from __future__ import annotations

from pyspark.ml.param import Param, Params, TypeConverters
from pyspark.ml.param.shared import HasMaxIter, HasPredictionCol, HasRegParam, HasSeed

from .._losses import LOSSES

# Two passes make the blocks, the last one the users: eight in all.
SWEEPS = 5


def param(name: str, doc: str, converter) -> Param:
    return Param(Params._dummy(), name, doc, converter)


def at_least(least: int, name: str, value: int) -> int:
    if value < least:
        raise ValueError(f"{name} must be at least {least}; {value} is not.")
    return value


class PredictionParams(HasPredictionCol):
    """What a model needs to answer."""

    userCol = param("userCol", "column of user ids, of any type that can be compared", TypeConverters.toString)
    itemCol = param("itemCol", "column of item ids, of any type that can be compared", TypeConverters.toString)
    coldStartStrategy = param(
        "coldStartStrategy", "what transform does with unknown users and items: nan or drop", TypeConverters.toString
    )
    filterSeen = param(
        "filterSeen", "whether recommendations leave out what a user has in training", TypeConverters.toBoolean
    )
    rankCol = param(
        "rankCol",
        "if not empty, transform adds this column: the place of the item in the user's list of all items, from 1; "
        "null if it is past rankDepth",
        TypeConverters.toString,
    )
    rankDepth = param("rankDepth", "how many places of a list rankCol knows", TypeConverters.toInt)

    def _set_answer_defaults(self):
        self._setDefault(
            userCol="user", itemCol="item", coldStartStrategy="nan", filterSeen=True, rankCol="", rankDepth=100
        )

    def _drops_unknown(self) -> bool:
        given = self.getOrDefault(self.coldStartStrategy)
        if given.lower() not in ("nan", "drop"):
            raise ValueError(f"coldStartStrategy must be nan or drop; {given!r} is neither.")
        return given.lower() == "drop"


class FitParams(PredictionParams, HasMaxIter, HasRegParam, HasSeed):
    """What an estimator needs besides."""

    rank = param("rank", "length of the vectors", TypeConverters.toInt)
    ratingCol = param(
        "ratingCol",
        "column of ratings; rows whose rating is not above 0 are no interactions, how large it is does not matter. "
        "Without such a column every row is one",
        TypeConverters.toString,
    )
    minRating = param("minRating", "rows with a lower rating are no interactions", TypeConverters.toFloat)
    tol = param("tol", "sweeps end when items move less than this, relatively", TypeConverters.toFloat)
    numUserBlocks = param(
        "numUserBlocks", "partitions of users; 0: as many as Spark's default parallelism", TypeConverters.toInt
    )
    itemBlockBytes = param(
        "itemBlockBytes", "vectors of items travel in ranges of at most so many bytes", TypeConverters.toInt
    )
    checkpointDir = param(
        "checkpointDir",
        "folder on any file system of Spark, in which the state after each sweep is kept; a fit of the same data and "
        "params goes on from there. Empty: none",
        TypeConverters.toString,
    )

    def _set_fit_defaults(self, loss: str):
        self._set_answer_defaults()
        spec = LOSSES[loss]
        self._setDefault(
            rank=spec["rank"],
            maxIter=SWEEPS,
            ratingCol="rating",
            minRating=0.0,
            tol=1e-3,
            seed=0,
            numUserBlocks=0,
            itemBlockBytes=64 << 20,
            checkpointDir="",
        )
        self._setDefault(**{param_name(option["name"]): option["default"] for option in options_of(loss)})


def param_name(option: str) -> str:
    return "regParam" if option == "lambda" else option


def options_of(loss: str) -> list:
    """Options of a loss that a separable law leaves open."""
    spec = LOSSES[loss]
    return [o for o in spec["options"] if o["name"] not in spec["separable"] and not o["name"].startswith("link")]


def option_params(loss: str) -> dict:
    """A Param for each of them but λ, which Spark has."""
    made = {}
    for option in options_of(loss):
        if option["name"] == "lambda":
            continue
        words = TypeConverters.toString if option["choices"] else TypeConverters.toFloat
        doc = option["help"] + (": " + ", ".join(option["choices"]) if option["choices"] else "")
        made[param_name(option["name"])] = param(param_name(option["name"]), doc, words)
    return made


def settings_of(instance, loss: str) -> dict:
    """The options of the library that an instance's params stand for."""
    settings = dict(LOSSES[loss]["separable"])
    for option in options_of(loss):
        value = instance.getOrDefault(instance.getParam(param_name(option["name"])))
        settings[option["name"]] = value if option["choices"] else float(value)
    return settings


def add_accessors(cls: type, setters: bool = True) -> type:
    """getRank() and setRank(16) for the param rank, and so on."""
    for name in [n for n in dir(cls) if isinstance(getattr(cls, n), Param)]:
        accessor = name[0].upper() + name[1:]

        def get(self, _name=name):
            return self.getOrDefault(self.getParam(_name))

        def change(self, value, _name=name):
            return self._set(**{_name: value})

        get.__doc__ = f"The value of {name}, or its default."
        change.__doc__ = f"Sets {name}: {getattr(cls, name).doc}."
        setattr(cls, "get" + accessor, get)
        if setters:
            setattr(cls, "set" + accessor, change)
    return cls
