"""Gingham finds sparse, structured blocks in data: where a few rows cross a few columns (and times, views, modes).

One class per method, in the manner of scikit-learn; the same engine and the same bits as the command line.
"""

from . import _core, metrics
from ._blocks import Coordinates
from ._classes import CLASSES as _CLASSES
from ._classes import load
from ._data import Data, read, write
from ._estimators import Estimator
from ._progress import Progress
from ._results import Result, Transformed
from ._simulate import Simulation, simulate
from ._tools import Comparison, Path, compare, path

__version__ = _core.version
globals().update({one.__name__: one for one in _CLASSES.values()})

__all__ = sorted(
    ["Comparison", "Coordinates", "Data", "Estimator", "Path", "Progress", "Result", "Simulation", "Transformed",
     "compare", "load", "metrics", "path", "read", "simulate", "write"] + [one.__name__ for one in _CLASSES.values()]
)
