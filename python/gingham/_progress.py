"""What a user sees or is told while a run goes on."""

import sys
import time
from typing import NamedTuple

import numpy as np


class Progress(NamedTuple):
    """One finished iteration, as a callback gets it."""

    restart: int
    n_restarts: int
    component: int
    iteration: int
    objective: float
    gap: float  # NaN: not measured
    moved: float  # by the iteration, relative to the norm of the data; NaN: not measured
    seconds: float


class ProgressLine:
    """A bar of tqdm where that is installed, otherwise a plain line a second on standard error."""

    def __init__(self, title):
        self._title = title
        self._next = time.monotonic() + 1.0
        try:
            from tqdm.auto import tqdm

            self._bar = tqdm(desc=title, unit=" iterations", leave=False)
        except ImportError:
            self._bar = None

    def __call__(self, progress):
        where = f"restart {progress.restart + 1}/{progress.n_restarts} " if progress.n_restarts > 1 else ""
        distance = f"moved {progress.moved:.1e}" if np.isnan(progress.gap) else f"gap {progress.gap:.1e}"
        text = f"{where}component {progress.component} objective {progress.objective:.6g} {distance}"
        if self._bar is not None:
            self._bar.set_postfix_str(text, refresh=False)
            self._bar.update()
        elif time.monotonic() >= self._next:
            self._next = time.monotonic() + 1.0
            print(f"{self._title}: {text} {progress.seconds:.0f} s", file=sys.stderr, flush=True)

    def close(self):
        if self._bar is not None:
            self._bar.close()


class Watcher:
    """What the engine calls at each iteration: the user's callback and the progress line. As a context it
    closes the line at the end; `function` is None where nobody watches, so that a fit costs nothing."""

    def __init__(self, callback, progress, title):
        if callback is not None and not callable(callback):
            raise TypeError(f"callback is of type {type(callback).__name__}, expected a function")
        self._callback = callback
        self._line = ProgressLine(title) if progress else None
        self.function = self._notice if callback is not None or progress else None

    def _notice(self, *fields):
        progress = Progress(*fields)
        if self._line is not None:
            self._line(progress)
        answer = self._callback(progress) if self._callback is not None else None
        return False if isinstance(answer, np.bool_) and not answer else answer  # a comparison of numpy's

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self._line is not None:
            self._line.close()
