"""Rankings from interactions, by squared surrogates of softmax.

>>> import scipy.sparse, sqmax
>>> matrix = scipy.sparse.random(100, 50, density=0.2, format="csr", random_state=0).astype(bool)
>>> model = sqmax.RGp(factors=8).fit(matrix, show_progress=False)
>>> ids, scores = model.recommend(0, matrix[0], N=3)
>>> ids.shape, str(ids.dtype), str(scores.dtype)
((3,), 'int32', 'float32')
"""

from . import _core, _models, evaluation
from ._client import Client, ServerError
from ._core import NotFoundError
from ._data import Dataset, kcore, prepare, split
from ._evaluate import Report, compare, evaluate
from ._fit import fit
from ._losses import LOSSES
from ._models import Model, load
from ._version import __version__

for _name, _class in _models.CLASSES.items():
    globals()[_class.__name__] = _class

__all__ = [
    *(_class.__name__ for _class in _models.CLASSES.values()),
    "Client",
    "Dataset",
    "LOSSES",
    "Model",
    "NotFoundError",
    "Report",
    "ServerError",
    "__version__",
    "compare",
    "evaluate",
    "evaluation",
    "fit",
    "kcore",
    "load",
    "prepare",
    "split",
]
