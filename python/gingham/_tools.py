"""Several runs at once: paths over the values of options, comparisons of methods."""

import html
import os
import re
import warnings
from collections import Counter
from collections.abc import Mapping

import numpy as np

from . import _core
from ._classes import estimator_of
from ._data import as_data, limit_in_bytes
from ._estimators import Estimator
from ._options import in_python_words, is_same, settings
from ._progress import Watcher
from ._results import Result, table_of, write_page
from .metrics import _encoded


class Batch:
    """The results of several runs and their table."""

    def __init__(self, batch, data, command, output):
        self._batch = batch
        self._data = data
        self._command = command
        self._is_written = output is not None
        self.results = [Result(run) for _, _, run in batch.runs()]
        self.remarks = [in_python_words(remark) for remark in batch.remarks]
        self.is_complete = batch.is_complete
        for remark in self.remarks:
            warnings.warn(remark, stacklevel=3)

    @property
    def table(self):
        """A row per run; a DataFrame where pandas is installed, otherwise a dict of columns."""
        columns = self._batch.columns()
        if not self._is_written:
            columns.pop("folder", None)
        return table_of({name: _column(cells) for name, cells in columns.items()})

    @property
    def estimators(self):
        """A fitted estimator for every result."""
        return [estimator_of(run, self._data_of(number)) for _, number, run in self._batch.runs()]

    def _data_of(self, number):
        """What the run of this number saw: all of the data."""
        return self._data

    def report(self, path=None):
        """One page of them all; without a path its text is returned."""
        return write_page(self._batch.page(self._data, self._command), path)

    def __len__(self):
        return len(self.results)

    def __repr__(self):
        ends = Counter(result.status for result in self.results)
        said = ", ".join(f"{count} {status}" for status, count in ends.items())
        return f"<gingham.{type(self).__name__} of {len(self)} results: {said}>"

    def _repr_html_(self):
        table = self.table
        inside = table._repr_html_() if hasattr(table, "_repr_html_") else ""
        return f"<p>{html.escape(repr(self))}</p>{inside}"


class Path(Batch):
    """What :func:`gingham.path` gives: ``table``, ``results``, ``estimators``, ``report``."""


class Comparison(Batch):
    """What :func:`gingham.compare` gives: ``table``, ``results``, ``names``, ``report``."""

    def _data_of(self, number):
        """The matrix of this number where the method saw it by itself, all of them where it is negative."""
        return self._data if number < 0 else _core.Data([self._data.lend()[number]])

    @property
    def names(self):
        """Of the results: the method, with a number where it occurs again."""
        return [name for name, _, _ in self._batch.runs()]


def path(estimator, X, vary, *, truth=None, cold=False, output=None, force=False, unlisted="zero", callback=None,
         progress=False, memory_limit=0):
    """A method at every value of one or several options, each run begun from its neighbour's model.

    Parameters
    ----------
    estimator : Estimator
        Has the options that all runs share.
    X : as in ``fit``
    vary : dict
        For each option its values: a list, or text as on the command line, ``"0.01:100:13log"`` or
        ``"10%:100%:10"``. Of several options the last varies fastest.
    truth : array of labels, list of such (one per block), or path, optional
        Known labels of the rows; adds scores to the table.
    cold : bool
        Every run begins anew.
    output : path, optional
        A folder for the results and path.tsv.
    force : bool
        Replace the folder.

    Returns
    -------
    Path
    """
    _check_estimator(estimator, "estimator")
    if not isinstance(vary, Mapping) or not vary:
        raise TypeError("vary: expected a dict of options and their values")
    method = estimator._method
    data = as_data(X, method.input, "X", unlisted)
    params = estimator.get_params(deep=False)
    for name in vary:
        if name not in params:
            raise ValueError(f"vary: {type(estimator).__name__} has no parameter {name!r}")
    fixed = {key: value for key, value in params.items() if key not in vary}
    texts, contents = _given(method, fixed, type(estimator).__name__)
    by_key = {option.key: option for option in method.options}
    variations = [f"{by_key[key].name}={_values_text(by_key[key], values)}" for key, values in vary.items()]
    command = f"gingham.path({estimator!r}, X, vary={dict(vary)!r})"
    with Watcher(callback, progress, method.name) as watcher:
        batch, raised = _core.path(method.name, data, texts, contents, variations, bool(cold),
                                   _truth(truth, None, data), _destination(output, command, force),
                                   limit_in_bytes(memory_limit), watcher.function)
    if raised is not None:
        raise raised
    return _with_page(Path(batch, data, command, output), output)


def compare(estimators, X, *, truth=None, mode=None, output=None, force=False, unlisted="zero", callback=None,
            progress=False, memory_limit=0):
    """Several methods on the same data.

    A method that takes one matrix runs on every matrix of a series, or of views, by itself. A method that
    cannot work on the data has a row that says why.

    Parameters
    ----------
    estimators : list of Estimator
    X : as in ``fit``; a list for series and views
    truth : array of labels, list of such (one per block), or path, optional
    mode : str, optional
        Which labels the truth is about: 'rows' (by default), 'columns', 'mode_2'.
    output : path, optional
        A folder for the results and compare.tsv.
    force : bool
        Replace the folder.

    Returns
    -------
    Comparison
    """
    if isinstance(estimators, Estimator):
        raise TypeError(f"estimators is of type {type(estimators).__name__}, expected a list of estimators")
    if mode is not None and not isinstance(mode, str):
        raise TypeError(f"mode is of type {type(mode).__name__}, expected text: 'rows', 'columns', 'mode_2'")
    estimators = list(estimators)
    for i, one in enumerate(estimators):
        _check_estimator(one, f"estimators[{i}]")
    methods = [(one._method.name, *_given(one._method, one.get_params(deep=False), type(one).__name__))
               for one in estimators]
    data = as_data(X, _kind_of(X, estimators), "X", unlisted)
    command = f"gingham.compare([{', '.join(map(repr, estimators))}], X)"
    with Watcher(callback, progress, "compare") as watcher:
        batch, raised = _core.compare(methods, data, _truth(truth, mode, data), mode or "",
                                      _destination(output, command, force), limit_in_bytes(memory_limit),
                                      watcher.function)
    if raised is not None:
        raise raised
    return _with_page(Comparison(batch, data, command, output), output)


def _with_page(batch, output):
    """A folder has its page, as one that the command line writes."""
    if output is not None:
        batch.report(os.path.join(os.fspath(output), "report.html"))
    return batch


def _check_estimator(value, name):
    if not isinstance(value, Estimator):
        raise TypeError(f"{name} is of type {type(value).__name__}, expected an estimator of gingham")


def _given(method, values, where):
    """Settings that differ from the defaults: what one would have typed."""
    defaults = {option.key: option.default for option in method.options}
    return settings(method.options, {key: value for key, value in values.items()
                                     if not is_same(value, defaults.get(key))}, where)


def _values_text(option, values):
    if isinstance(values, str):
        return values
    if not np.iterable(values):
        raise TypeError(f"vary: {option.key} is of type {type(values).__name__}, expected a list of values")
    texts = [None if np.iterable(one) and not isinstance(one, str) else option.text_of(one, "vary") for one in values]
    if None in texts or any("," in text for text in texts):
        raise TypeError(f"vary: {option.key}: expected a list of single values, each {option.range}")
    return ",".join(texts)


def _kind_of(X, estimators):
    """A list or dict of matrices is a series or views, as the methods want it; a list of lists is one matrix."""
    several = [one._method.input for one in estimators if one._method.input in ("series", "views")]
    is_list = isinstance(X, (list, tuple)) and len(X) > 0 and all(map(_is_matrix, X))
    if is_list or isinstance(X, Mapping):
        return several[0] if several else "views"
    is_series = isinstance(X, np.ndarray) and X.ndim == 3 and several and set(several) == {"series"}
    return "series" if is_series else "tensor"


def _is_matrix(part):
    return isinstance(part, (str, os.PathLike)) or getattr(part, "ndim", 0) == 2 or hasattr(part, "obs_names")


def _truth(truth, mode, data):
    """Known labels for the engine; they must be as many as the items."""
    if mode is not None and re.fullmatch("(rows|columns)(_[0-9]+)?|mode_[0-9]+", str(mode)) is None:
        raise ValueError(f"mode: {mode!r} is none of rows, columns, mode_0, mode_1, ...")
    if truth is None:
        return _core.Truth([], [])
    if isinstance(truth, (str, os.PathLike)):
        return _core.Truth([os.fspath(truth)], [])
    several = isinstance(truth, (list, tuple)) and len(truth) > 0
    if several and all(isinstance(part, os.PathLike) for part in truth):
        return _core.Truth([os.fspath(part) for part in truth], [])
    parts = truth if several and not np.isscalar(truth[0]) else [truth]
    labels = [_encoded(part, "truth") for part in parts]
    number = _core.Run.mode_number(mode or "rows")
    sizes = [data.block(i).shape[number] for i in range(len(data)) if number < len(data.block(i).shape)]
    if len(labels) not in (1, len(data)):
        raise ValueError(f"truth: {len(labels)} lists of labels, expected one, or one for each of {len(data)} blocks")
    is_of_all = mode is None or mode in ("rows", "columns") or mode.startswith("mode_")
    for i, size in enumerate(sizes if is_of_all else []):
        given = labels[i if len(labels) > 1 else 0]
        if len(given) != size:
            raise ValueError(f"truth has {len(given)} labels, expected {size}: one per item of {mode or 'rows'}")
    return _core.Truth([], [one.tolist() for one in labels])


def _destination(output, command, force):
    return _core.Destination("" if output is None else os.fspath(output), command, bool(force))


def _column(cells):
    """Numbers where all cells are some; what is empty is not a number."""
    try:
        numbers = np.array([float(cell) if cell else np.nan for cell in cells])
    except ValueError:
        return np.array(cells, dtype=object)
    if np.isnan(numbers).all():
        return np.array(cells, dtype=object)
    whole = numbers == np.floor(numbers)
    return numbers.astype(np.int64) if len(numbers) and whole.all() and np.abs(numbers).max() < 2**53 else numbers


