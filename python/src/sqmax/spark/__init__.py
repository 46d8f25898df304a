"""sqmax on Apache Spark: estimators and models of pyspark.ml, computed by the C++ library in the executors.

>>> from sqmax.spark import RGp                                          # doctest: +SKIP
>>> model = RGp(userCol="user", itemCol="item", rank=64).fit(interactions)   # doctest: +SKIP
>>> model.recommendForAllUsers(10).show()                                # doctest: +SKIP
"""

from __future__ import annotations

from .._losses import LOSSES, class_name
from ._estimator import SeparableEstimator
from ._evaluator import RankingEvaluator
from ._model import SeparableModel
from ._params import add_accessors, option_params


def _classes_of(loss: str) -> tuple[type, type]:
    spec, name = LOSSES[loss], class_name(loss)
    title = f"{spec['title'][0].upper()}{spec['title'][1:]}"
    model = type(
        name + "Model",
        (SeparableModel,),
        {"loss": loss, "__module__": __name__, "__doc__": f"Model fitted by {name}: {spec['title']}."},
    )
    shape = {**option_params(loss), "loss": loss, "model_class": add_accessors(model), "__module__": __name__}
    estimator = type(name, (SeparableEstimator,), {**shape, "__doc__": f"{title}.\n\n    {spec['formula']}\n"})
    return add_accessors(estimator), model


__all__ = ["RankingEvaluator"]
for _loss in [name for name, spec in LOSSES.items() if spec["separable"]]:
    for _class in _classes_of(_loss):
        globals()[_class.__name__] = _class
        __all__.append(_class.__name__)
