"""Models: one class for each loss of the library, with the methods that implicit's users know."""

from __future__ import annotations

import inspect
import json
import warnings

import numpy as np
import scipy.sparse

from . import _core
from ._answers import Answers
from ._files import read_model, write_model
from ._listening import Listener, spoken
from ._losses import LOSSES, aliases_of, class_name, describe, keyword_of
from ._matrices import to_core, to_scipy, warn_of_values
from ._show import model_html

# What implicit's constructors also take; anything but these values cannot be had here.
_ELSEWHERE = {
    "dtype": (np.float32, "sqmax learns and answers in float32"),
    "use_gpu": (False, "sqmax runs on the processor"),
    "use_native": (True, "there is no other implementation"),
    "use_cg": (None, "the solver is chosen by solver="),
    "verify_negative_samples": (True, "negatives never are what the user has"),
}


class Model(Answers):
    """What all models have in common: parameters, fitting, files, and answers."""

    loss: str = ""

    def __init__(self, **params):
        for name, value in self._defaults().items():
            setattr(self, name, value)
        self.fit_callback = None
        self._fitted = None
        self._told = {}
        self._ids = (None, None)
        self.set_params(**params)

    @classmethod
    def _defaults(cls) -> dict:
        spec = LOSSES[cls.loss]
        params = {"factors": spec["rank"], "iterations": spec["iterations"]}
        for option in spec["options"]:
            default = option["default"]
            params[keyword_of(option["name"])] = int(default) if option["whole"] else default
        how = {"solver": "auto", "tolerance": None, "learning_rate": None, "cg_steps": None}
        run = {"random_state": None, "num_threads": 0, "calculate_training_loss": False}
        return {**how, **params, **run} if spec["squared"] else {**params, "solver": "auto", **run}

    @classmethod
    def _aliases(cls) -> dict:
        names = ["rank", "seed", "threads", *(option["name"] for option in LOSSES[cls.loss]["options"])]
        return {alias: keyword_of(name) for name in names for alias in aliases_of(name)}

    def get_params(self, deep: bool = True) -> dict:
        """The constructor's parameters, as scikit-learn wants them.

        >>> import sqmax
        >>> sqmax.WRMF(alpha=5.0).get_params()["alpha"]
        5.0
        """
        return {name: getattr(self, name) for name in self._defaults()}

    def set_params(self, **params):
        """Sets parameters by name; what was learned stays until the next fit.

        >>> import sqmax
        >>> sqmax.RGp().set_params(factors=16, prior=0.5).factors
        16
        >>> sqmax.RGp(facters=16)
        Traceback (most recent call last):
        ...
        TypeError: RGp has no parameter 'facters'; it has activity, alpha, ..., tolerance.
        """
        known = self._defaults()
        aliases = self._aliases()
        for given, value in params.items():
            name = aliases.get(given, given)
            if name in known:
                setattr(self, name, value)
            elif given in _ELSEWHERE:
                _check_elsewhere(given, value)
            else:
                names = ", ".join(sorted(known))
                raise TypeError(f"{type(self).__name__} has no parameter {given!r}; it has {names}.")
        return self

    def fit(self, user_items, show_progress: bool = True, callback=None):
        """Learns from a sparse matrix of users × items, or from a sqmax.Dataset.

        A stored value other than zero is an interaction; how large it is does not matter. Every fit
        starts anew.

        Parameters
        ----------
        user_items : sparse matrix or sqmax.Dataset
            Of a dataset, the training part.
        show_progress : bool
            A bar, if tqdm is installed.
        callback : callable, optional
            Called as ``callback(iteration, seconds, loss)`` after each sweep; the loss is None unless
            calculate_training_loss is set. What it raises ends the fit.

        Returns
        -------
        self

        >>> import scipy.sparse, sqmax
        >>> matrix = scipy.sparse.random(60, 40, 0.2, format="csr", random_state=1).astype(bool)
        >>> model = sqmax.WRMF(factors=4).fit(matrix, show_progress=False)
        >>> model.user_factors.shape, model.item_factors.shape
        ((60, 4), (40, 4))
        """
        dataset = self._dataset(user_items)
        request = self.request()
        with Listener(request.iterations, show_progress, callback or self.fit_callback) as listener:
            with spoken():
                fitted, told = _core.fit(dataset, request, listener.heard)
        self._take(fitted, {**told, "seed": request.seed, "data_fingerprint": dataset.fingerprint})
        return self

    def _dataset(self, user_items) -> _core.Dataset:
        core = getattr(user_items, "_core", None)
        if isinstance(core, _core.Dataset):
            return core
        matrix = to_core(user_items, "user_items", copy=True)
        if matrix.nnz == 0:
            raise ValueError("user_items has no interaction: there is nothing to learn from.")
        warn_of_values(user_items, "user_items")
        return _core.Dataset(matrix)

    def request(self) -> _core.FitRequest:
        """What the library is asked for; for tools built on this package."""
        request = _core.FitRequest()
        request.loss = self.loss
        request.settings = {
            option["name"]: _number(getattr(self, keyword_of(option["name"])), option)
            for option in LOSSES[self.loss]["options"]
        }
        request.rank = _whole(self.factors, "factors", 1)
        request.iterations = _whole(self.iterations, "iterations", 1)
        request.solver = self.solver
        request.seed = _seed(self.random_state)
        request.threads = _whole(self.num_threads, "num_threads", 0)
        request.objective = bool(self.calculate_training_loss)
        if LOSSES[self.loss]["squared"]:
            request.tolerance = self.tolerance
            request.learning_rate = self.learning_rate
            request.cg_steps = self.cg_steps
        return request

    def _take(self, fitted: _core.Fitted, told: dict) -> None:
        story = {"loss": fitted.loss, "options": fitted.options, "rank": fitted.rank, **told}
        self._fitted = fitted.with_story(json.dumps(_storable(story)))
        self._told = told
        self._ids = (None, None)
        if told["stopped"] == "diverged":
            warnings.warn(
                "The fit diverged: the vectors are those of the best epoch before that. "
                "Try a smaller learning_rate.",
                RuntimeWarning,
                stacklevel=3,
            )

    # What was learned

    @property
    def user_factors(self) -> np.ndarray | None:
        """P, users × factors: a read-only view; None before fit. Assign an array to replace it."""
        return None if self._fitted is None else self._fitted.user_factors

    @user_factors.setter
    def user_factors(self, values):
        self._replace(_core.Side.Users, values)

    @property
    def item_factors(self) -> np.ndarray | None:
        """Q, items × factors: a read-only view; None before fit. Assign an array to replace it."""
        return None if self._fitted is None else self._fitted.item_factors

    @item_factors.setter
    def item_factors(self, values):
        self._replace(_core.Side.Items, values)

    def _replace(self, side, values):
        array = np.ascontiguousarray(values, dtype=np.float32)
        if array.ndim != 2 or not np.isfinite(array).all():
            raise ValueError("Factors must be a matrix of finite numbers.")
        self._fitted = self._need().with_factors(side, array)

    @property
    def user_ids(self) -> list:
        """The raw ids of users, by position."""
        if self._ids[0] is None:
            self._ids = (self._need().users, self._ids[1])
        return self._ids[0]

    @property
    def item_ids(self) -> list:
        """The raw ids of items, by position."""
        if self._ids[1] is None:
            self._ids = (self._ids[0], self._need().items)
        return self._ids[1]

    @property
    def seen(self) -> scipy.sparse.csr_matrix:
        """What the model was trained on."""
        return to_scipy(self._need().seen)

    @property
    def report(self) -> dict:
        """How the fit or the search went: solver, steps, residual, trials, metrics."""
        return dict(self._told)

    def inner_product_vectors(self) -> tuple[np.ndarray, np.ndarray]:
        """Vectors of users and items whose plain inner products are the scores, for other indexes.

        A model with a prior has one more column than factors. What links add is not in them.
        """
        return self._need().inner_product_vectors()

    # Files

    def save(self, fileobj_or_path) -> None:
        """Writes a .safetensors file, the same that the program writes and reads."""
        write_model(self._need(), fileobj_or_path)

    @classmethod
    def load(cls, fileobj_or_path, mmap: bool = False):
        """A model from a file; with mmap, its arrays stay in the file until they are read."""
        return _model_of(read_model(fileobj_or_path, mmap), cls)

    def __getstate__(self):
        state = {"params": self.get_params(), "told": self._told}
        if self._fitted is not None:
            state["file"] = write_model(self._fitted, None)
        return state

    def __setstate__(self, state):
        Model.__init__(self, **state["params"])
        self._told = state["told"]
        if "file" in state:
            self._fitted = read_model(state["file"], False)

    def __deepcopy__(self, memo):
        copy = type(self)(**self.get_params())
        copy._fitted, copy._told = self._fitted, dict(self._told)  # what was learned never changes
        return copy

    def to_cpu(self):
        """The model itself."""
        return self

    def __repr__(self):
        changed = {k: v for k, v in self.get_params().items() if v != self._defaults()[k]}
        inside = ", ".join(f"{name}={value!r}" for name, value in changed.items())
        return f"{type(self).__name__}({inside})"

    def _repr_html_(self):
        return model_html(self)


def load(path, mmap: bool = False) -> Model:
    """A model of any loss from a file that save or ``sqmax train`` wrote."""
    return _model_of(read_model(path, mmap), Model)


def _model_of(fitted: _core.Fitted, wanted: type) -> Model:
    made = CLASSES[fitted.loss]()
    if not isinstance(made, wanted):
        raise ValueError(f"The file has a model of {type(made).__name__}, not of {wanted.__name__}.")
    made.factors = fitted.rank or made.factors
    for option in LOSSES[fitted.loss]["options"]:
        value = fitted.options[option["name"]]
        setattr(made, keyword_of(option["name"]), int(value) if option["whole"] else value)
    made._fitted = fitted
    made._told = json.loads(fitted.story)
    return made


def _check_elsewhere(name: str, value) -> None:
    wanted, why = _ELSEWHERE[name]
    same = wanted is None or (np.dtype(value) == wanted if name == "dtype" else value == wanted)
    if not same:
        raise ValueError(f"{name}={value!r} cannot be had: {why}.")


def _number(value, option: dict):
    name = keyword_of(option["name"])
    if option["choices"]:
        return value if isinstance(value, str) else str(value)
    if isinstance(value, bool) or not isinstance(value, (int, float, np.number)):
        raise ValueError(f"{name} must be a number; {value!r} is not.")
    return float(value)


def _whole(value, name: str, least: int) -> int:
    is_whole = isinstance(value, (int, np.integer)) and not isinstance(value, bool)
    if not is_whole or not least <= value < 2**31:
        raise ValueError(f"{name} must be a whole number of at least {least}; {value!r} is not.")
    return int(value)


def _seed(random_state) -> int:
    if random_state is None:
        return 0
    if isinstance(random_state, np.random.Generator):
        return int(random_state.integers(2**31))
    if isinstance(random_state, np.random.RandomState):
        return int(random_state.randint(2**31))
    return _whole(random_state, "random_state", 0)


def _storable(value):
    """Without times, so that files are the same from run to run, and without what JSON has no word for."""
    if isinstance(value, dict):
        return {key: _storable(entry) for key, entry in value.items() if key != "seconds"}
    if isinstance(value, list):
        return [_storable(entry) for entry in value]
    is_odd = isinstance(value, float) and not np.isfinite(value)
    return None if is_odd else value


def _class_of(spec: dict) -> type:
    name = class_name(spec["name"])
    lines = [f"{spec['title'][0].upper()}{spec['title'][1:]}.", "", f"    {spec['formula']}", ""]
    lines += ["Parameters", "----------"]
    lines += [f"factors : int, default {spec['rank']}\n    Length of the vectors."]
    lines += [describe(option) for option in spec["options"]]
    lines += [f"iterations : int, default {spec['iterations']}\n    Sweeps or epochs, at most."]
    lines += ["solver : str, default 'auto'\n    How to minimise: auto, " + ", ".join(_core.solvers()) + "."]
    lines += ["random_state : int, Generator or RandomState, optional\n    The seed; None is 0."]
    lines += ["num_threads : int, default 0\n    At most so many threads; 0: one for each core."]
    made = type(name, (Model,), {"loss": spec["name"], "__doc__": "\n".join(lines), "__module__": "sqmax"})

    def __init__(self, *args, **params):
        if len(args) > 1 or (args and "factors" in params):
            raise TypeError(f"{name} takes one parameter without a name, factors.")
        Model.__init__(self, **({"factors": args[0]} if args else {}), **params)

    parameters = [
        inspect.Parameter(key, inspect.Parameter.KEYWORD_ONLY, default=value)
        for key, value in made._defaults().items()
    ]
    made.__init__ = __init__
    made.__signature__ = inspect.Signature(parameters)
    return made


CLASSES = {loss: _class_of(spec) for loss, spec in LOSSES.items()}
