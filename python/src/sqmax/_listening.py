"""Listening: progress of the library, as bars and callbacks; its sentences in Python's words."""

from __future__ import annotations

import contextlib

from ._losses import in_python


@contextlib.contextmanager
def spoken():
    """Errors of the library with the names that options have in Python."""
    try:
        yield
    except (ValueError, OSError) as error:
        sentence = in_python(str(error))
        if sentence == str(error):
            raise
        raise type(error)(sentence) from None


def bar(total, show: bool, **more):
    """A tqdm bar, or nothing if tqdm is not there or not wanted."""
    if show:
        with contextlib.suppress(ImportError):
            from tqdm.auto import tqdm

            return tqdm(total=total, **more)
    return None


class Listener:
    """Hears of sweeps: moves a bar and calls back as implicit does."""

    def __init__(self, total: int, show: bool, callback):
        self._bar = bar(total, show)
        self._callback = callback
        self._before = 0.0
        self._sweeps = 0

    @property
    def heard(self):
        """What the library calls; None if nobody listens."""
        return self if self._bar is not None or self._callback else None

    def __call__(self, step, steps, seconds, objective):
        if self._bar is not None:
            self._bar.total = steps
            self._bar.update(step - self._bar.n)
        if self._callback:
            self._callback(self._sweeps, seconds - self._before, objective)
        self._sweeps += 1
        self._before = seconds

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self._bar is not None:
            self._bar.close()
