"""From arrays, tables and files to the engine's data, one or several of them."""

import os
from collections.abc import Mapping

import numpy as np

from . import _core
from ._blocks import Coordinates, array_of_block, as_block, label_text, labelled_array, sizes
from ._options import existing_path, path_text, whole_number


class Data:
    """One or several arrays with the names of their items, as :func:`gingham.read` gives them.

    Every ``fit`` takes one in place of arrays. ``X`` has the arrays themselves.
    """

    def __init__(self, core):
        if not isinstance(core, _core.Data):
            raise TypeError(f"core is of type {type(core).__name__}; gingham.read makes data, a fit takes arrays")
        self._core = core

    def __len__(self):
        return len(self._core)

    @property
    def names(self):
        """What the arrays are called: files, arguments, views."""
        return [block.name for block in self._blocks()]

    @property
    def labels(self):
        """For each array, for each mode: the names of its items, an empty list where there are none."""
        return [block.labels for block in self._blocks()]

    @property
    def shapes(self):
        return [block.shape for block in self._blocks()]

    @property
    def summaries(self):
        """For each array: shape, nonzeros, missing, min, max, sum, bytes."""
        return [block.summary for block in self._blocks()]

    @property
    def arrays(self):
        """The arrays without their labels: numpy arrays, scipy.sparse matrices, Coordinates."""
        return [array_of_block(block) for block in self._blocks()]

    @property
    def X(self):
        """What a fit takes: one array or a list; with labels a DataFrame, where pandas is installed."""
        all_of_them = [labelled_array(block) for block in self._blocks()]
        return all_of_them[0] if len(all_of_them) == 1 else all_of_them

    def slices(self, mode):
        """The matrices at each item of a mode of a three-way array, as the data of a series."""
        if len(self) != 1:
            raise ValueError(f"slices: there are {len(self)} arrays, expected one of three modes")
        return Data(_core.Data(self._core.block(0).slices(mode)))

    def _blocks(self):
        return [self._core.block(i) for i in range(len(self))]

    def __repr__(self):
        parts = ", ".join(f"{b.name}: {' x '.join(map(str, b.shape))}" for b in self._blocks()[:4])
        return f"<gingham.Data {parts}{', ...' if len(self) > 4 else ''}>"


def read(*files, unlisted="zero", index_base=1, duplicates="error", labels="automatic", shape=(), names=(),
         series_mode=None, memory_limit=0, threads=None):
    """Read data files: .csv .tsv .mtx .npy .npz .tns, each also .gz.

    What is read is exactly what the file says, or a ValueError names file, line and what was expected. The
    options are those of the command line.

    Parameters
    ----------
    *files : str or path
        Several files are the times of a series or views of the same rows. ``file.npz:name`` picks an array.
    unlisted : {'zero', 'missing'}
        What a sparse file means where it lists nothing.
    index_base : {1, 0}
        First index of .mtx and .tns.
    duplicates : {'error', 'sum'}
        Several entries at one place.
    labels : {'automatic', 'none', 'rows', 'columns', 'both'}
        Labels of a table.
    shape : sequence of int
        Sizes of a .tns whose last indices do not occur.
    names : sequence of paths
        Files with the names of the items, one per mode.
    series_mode : int, optional
        Cut a three-way array into a series of matrices along this mode.
    memory_limit : float
        Bytes; 0 is four fifths of what is free.
    threads : int
        Threads to use, None or 0 for all; the result does not depend on it.

    Returns
    -------
    Data
    """
    if not files:
        raise TypeError("read: no file was given")
    if labels not in ("automatic", "none", "rows", "columns", "both"):
        raise ValueError(f"labels: {labels!r} is none of automatic, none, rows, columns, both")
    if duplicates not in ("error", "sum"):
        raise ValueError(f"duplicates: {duplicates!r} is neither error nor sum")
    _check_unlisted(unlisted)
    if isinstance(names, (str, os.PathLike)) or not np.iterable(names):
        raise TypeError(f"names is of type {type(names).__name__}, expected a list of paths, one per mode")
    index_base = whole_number(index_base, "index_base", 0, 1)
    series_mode = None if series_mode is None else whole_number(series_mode, "series_mode", 0, 2)
    return Data(_core.read([existing_path(file, "file") for file in files], unlisted, index_base, duplicates, labels,
                           list(sizes(shape)), [existing_path(file, "names") for file in names], series_mode,
                           limit_in_bytes(memory_limit),
                           whole_number(0 if threads is None else threads, "threads", 0, 4096)))


def write(path, X):
    """Write an array to a data file, whole or not at all; the kind is told by the name (see :func:`read`)."""
    data = as_data(X, "tensor", "X")
    if len(data) != 1:
        raise ValueError(f"X: there are {len(data)} arrays, expected one")
    _core.write(data.block(0), path_text(path, "path"))


def limit_in_bytes(memory_limit):
    try:
        limit = float(memory_limit)
    except (TypeError, ValueError, OverflowError):
        limit = -1.0
    if not limit >= 0:
        raise ValueError(f"memory_limit is {memory_limit!r}, expected bytes, 0 for four fifths of what is free")
    return limit


def _check_unlisted(unlisted):
    if unlisted not in ("zero", "missing"):
        raise ValueError(f"unlisted: {unlisted!r} is neither zero nor missing")


def as_data(X, kind, argument, unlisted="zero"):
    """The engine's data of one argument. `kind`: matrix, tensor, series or views."""
    _check_unlisted(unlisted)
    X = read_paths(X, unlisted=unlisted)
    return X._core if isinstance(X, Data) else _core.Data(as_blocks(X, kind, argument, unlisted))


def _is_path(X):
    return isinstance(X, (str, os.PathLike))


def read_paths(X, **rules):
    """Data where X is a path or a list of them, read by these rules; otherwise X."""
    if _is_path(X):
        return read(X, **rules)
    is_list = isinstance(X, (list, tuple)) and len(X) > 0 and all(map(_is_path, X))
    return read(*X, **rules) if is_list else X


def as_blocks(X, kind, argument, unlisted="zero"):
    """The same as a list of blocks that the engine may take."""
    _check_unlisted(unlisted)
    X = read_paths(X, unlisted=unlisted)
    if isinstance(X, Data):
        return X._core.lend()
    if kind in ("matrix", "tensor"):
        is_triple = isinstance(X, tuple) and 2 <= len(X) <= 3 and not np.isscalar(X[0]) and np.ndim(X[1]) == 1
        if kind == "tensor" and is_triple:
            X = Coordinates(*X, unlisted=unlisted)
        return [as_block(X, argument, unlisted)]
    return [as_block(part, name, unlisted) for name, part in _named_parts(X, argument, kind)]


def _named_parts(X, argument, kind):
    if isinstance(X, Mapping):
        named = [(label_text(name), part) for name, part in X.items()]
    elif isinstance(X, (list, tuple)):
        named = [(f"{argument}[{i}]", part) for i, part in enumerate(X)]
    elif isinstance(X, np.ndarray) and X.ndim == 3:
        named = [(f"{argument}[{i}]", X[i]) for i in range(len(X))]
    else:
        raise TypeError(f"{argument} is of type {type(X).__name__}, expected a list of matrices, one per "
                        + ("time" if kind == "series" else "view"))
    if not named:
        raise ValueError(f"{argument}: there are no matrices, expected at least one")
    if all(np.isscalar(part) and not _is_path(part) for _, part in named):
        raise ValueError(f"{argument} is a list of single values, expected a list of matrices")
    return [(name, read(part).X if _is_path(part) else part) for name, part in named]
