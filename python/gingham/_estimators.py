"""What the estimators of all methods have in common: no method is named here."""

import os
import warnings
from collections.abc import Mapping

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.exceptions import ConvergenceWarning, NotFittedError

from . import _core
from ._compat import check_features, features_of, transformer_tags
from ._data import as_blocks, as_data, limit_in_bytes, read_paths
from ._options import in_python_words, is_same, path_text, settings, whole_number
from ._progress import Watcher
from ._results import Result, Transformed, membership_matrix, write_page


class Estimator(BaseEstimator):
    """A method with its options: fitting, what was found, new data, files and pages."""

    _method = None  # of the class

    # -- fitting

    def fit(self, X, y=None, *, unlisted="zero", callback=None, progress=False, memory_limit=0):
        """Fit the model.

        Parameters
        ----------
        X : the data, as the class takes them
        y : ignored
        unlisted : {'zero', 'missing'}
            What cells mean that a sparse matrix does not list.
        callback : function, optional
            Called with a :class:`gingham.Progress` after every iteration; returning False ends the run with
            what it has.
        progress : bool
            Show a progress bar (tqdm where installed).
        memory_limit : float
            Bytes that the data and the run may take together; 0 is the data and four fifths of what is free.

        Returns
        -------
        self
        """
        method = self._method
        data = as_data(X, method.input, "X", unlisted)
        texts, contents = settings(method.options, self.get_params(deep=False), type(self).__name__)
        features = features_of(X, data.block(0).shape[1]) if method.input == "matrix" else {}
        with Watcher(callback, progress, method.name) as watcher:
            run, raised = _core.fit(method.name, data, texts, contents, watcher.function, limit_in_bytes(memory_limit))
        if run.has_model:
            self._keep(run, data, features)
        if raised is not None:
            raise raised
        self._say_how_it_ended(run)
        return self

    def fit_predict(self, X, y=None, **fit_params):
        """Fit, and return the labels of the rows: the strongest component of each, -1 for none."""
        return self.fit(X, y, **fit_params).labels_

    def _say_how_it_ended(self, run):
        tone, title, meaning = run.status_words
        if not run.has_model:
            if run.status in ("cancelled", "time_limit"):
                meaning = "it ended before there was a model"
            raise ValueError(f"{type(self).__name__}: {title}: {meaning}")
        if tone != "good" and run.status != "cancelled":  # who ends a run knows that it has ended
            meaning = meaning.partition(" The same command")[0]  # --resume is for files
            text = in_python_words(f"{type(self).__name__}: {title}: {meaning}")
            warnings.warn(text, ConvergenceWarning, stacklevel=3)

    def _keep(self, run, data, features):
        """Nothing of an earlier fit stays; a fit that fails leaves the earlier one as it was."""
        for name in self._fitted_names():
            self.__dict__.pop(name, None)
        if data is not None:
            self._data = data
        self.__dict__.update(features)
        self.result_ = Result(run)
        self.objective_ = run.objective
        self.explained_ = self.result_.explained
        self.n_iter_ = run.iterations
        self.__dict__.update(_derived_attributes(self._method, self.result_))

    def _fitted_names(self):
        options = {option.key for option in self._method.options}
        return [name for name in self.__dict__ if name.endswith("_") and name not in options or name == "_data"]

    # -- what was found

    @property
    def rows_(self):
        """Boolean, co-clusters x rows: who belongs; a list of such arrays where blocks have rows of their own."""
        return self._members(0)

    @property
    def columns_(self):
        """Boolean, co-clusters x columns; a list of such arrays where blocks have columns of their own."""
        return self._members(1)

    @property
    def biclusters_(self):
        """Rows and columns together."""
        return self.rows_, self.columns_

    @property
    def modes_(self):
        """For each mode of the data: boolean, co-clusters x items (a list where blocks have items of their own)."""
        self._check_fitted()
        n_modes = len(self.result_.inputs[0]["shape"])
        return [self._members(mode) for mode in range(n_modes)]

    def _members(self, mode):
        self._check_fitted()
        run = self.result_._run
        memberships = run.memberships()
        wanted = [one for one in memberships if run.mode_number(one["mode"]) == mode]
        if not wanted:
            raise AttributeError(f"{type(self).__name__} has no members of mode {mode}")
        n_components = run.n_components
        if self._method.checkerboard:  # every pair of a group of rows and one of columns
            groups = [max((one["component"].max(initial=-1) + 1 for one in memberships
                           if run.mode_number(one["mode"]) == m), default=0) for m in (0, 1)]
            blocks = [(membership_matrix(one, groups[mode]) != 0).T for one in wanted]
            blocks = [np.repeat(b, groups[1], axis=0) if mode == 0 else np.tile(b, (groups[0], 1)) for b in blocks]
        else:
            blocks = [(membership_matrix(one, n_components) != 0).T for one in wanted]
        return blocks[0] if wanted[0]["block"] is None else blocks

    # -- new data

    def apply(self, X, *, axis="rows", mode=None, views=None, unlisted=None, threads=None, **options):
        """Everything that is found for new items of one mode.

        Parameters
        ----------
        X : as in ``fit``
            New items of one mode; the other modes are those of the fit.
        axis : {'rows', 'columns'}
            Of what there are new items.
        mode : int, optional
            The same by number, for arrays of more modes.
        views : list of int, optional
            Which of the fit's views these are, for a method of views.
        unlisted : {'zero', 'missing'}, optional
            What cells mean that a sparse matrix does not list; by default as in the fit, as are all rules by
            which a file is read.
        **options
            Options of the method that say how a fit is applied.

        Returns
        -------
        Transformed
        """
        self._check_fitted()
        method = self._method
        if not method.transforms:
            raise AttributeError(f"{type(self).__name__} cannot be applied to new data")
        if axis not in ("rows", "columns"):
            raise ValueError(f"axis: {axis!r} is neither rows nor columns")
        number = ("rows", "columns").index(axis) if mode is None else whole_number(mode, "mode", 0, 1_000_000)
        views = None if views is None else _whole_numbers(views, "views")
        if method.input == "views":
            X, views = self._views(X, views)
        blocks = as_blocks(*self._as_in_fit(X, unlisted))
        if method.input == "matrix" and number == 0:
            check_features(self, X, blocks[0].shape[1])
        texts, _ = settings([one for one in method.options if one.is_for_transform], options, type(self).__name__)
        threads = _number_of_threads(self.threads if threads is None else threads)
        found = Transformed(_core.apply(self.result_._run, blocks, number, views or [], texts, threads))
        if found.status == "numerical_failure":
            raise ValueError("X: a number that is not finite turned up; try data on a smaller scale")
        return found

    def _as_in_fit(self, X, unlisted=None):
        """Arguments for as_data and as_blocks: files are read, and sparse matrices taken, as those of the fit."""
        reading = self.result_.to_dict()["reading"]
        rules = {name: reading[name] for name in ("unlisted", "index_base", "duplicates", "labels")}
        if unlisted is not None:
            rules["unlisted"] = unlisted
        return read_paths(X, **rules), self._method.input, "X", rules["unlisted"]

    def _views(self, X, views):
        """New rows as a list of views, and which of the fit's views they are: a table alone is one of them, and
        those of a dict are known by their names."""
        if isinstance(X, Mapping) and views is None:
            names = [one["path"] for one in self.result_.inputs]
            unknown = [name for name in X if str(name) not in names]
            if unknown:
                raise ValueError(f"X: there is no view {unknown[0]!r}; there are {', '.join(names)}")
            return X, [names.index(str(name)) for name in X]
        is_one = getattr(X, "ndim", 0) == 2 or (hasattr(X, "obs_names") and hasattr(X, "X"))
        return [X] if is_one else X, views

    # -- the result as files and pages

    def report(self, path=None, X=None):
        """The page of the result: self-contained HTML.

        Parameters
        ----------
        path : str or path, optional
            Where to write it; without one the text of the page is returned.
        X : optional
            The data of the fit, where the estimator was loaded or unpickled.
        """
        data = self._data_again(X)
        return write_page(self.result_._run.report(data, self._command()), path)

    def verify(self, X=None, *, deep=False):
        """Recompute every number of the result from the data by plain loops; the differences, a sentence each.

        Parameters
        ----------
        X : optional
            The data of the fit, where the estimator was loaded or unpickled.
        deep : bool
            Run the fit again as well, and compare all that it gives: also what percentages and ``auto`` came to.
        """
        data = self._data_again(X)
        return self.result_._run.verify(data, bool(deep))["differences"]

    def save(self, directory, *, force=False):
        """Write a result directory as ``gingham fit`` does, with its page where the data are at hand."""
        self._check_fitted()
        data = getattr(self, "_data", None)
        if data is not None and not self._is_data_of_fit(data):
            warnings.warn("save: the data have been changed since the fit; report.html is left out", stacklevel=2)
            data = None
        self.result_._run.save(path_text(directory, "directory"), bool(force), data, self._command())

    @classmethod
    def load(cls, directory, *, attached=None):
        """The estimator of a result directory, fitted; `attached` as in :func:`gingham.load`."""
        from ._classes import load

        estimator = load(directory, attached=attached)
        if not isinstance(estimator, cls):
            raise ValueError(f"{os.fspath(directory)} is a result of {type(estimator).__name__}, not {cls.__name__}")
        return estimator

    def _data_again(self, X):
        self._check_fitted()
        data = getattr(self, "_data", None) if X is None else as_data(*self._as_in_fit(X))
        if data is None:
            raise ValueError("X: an estimator that was loaded, unpickled or copied has no data; give them again")
        if not self._is_data_of_fit(data):
            raise ValueError("X: the data are not those of the fit" if X is not None else
                             "the data have been changed since the fit; give them as they were, as X")
        return data

    def _is_data_of_fit(self, data):
        return data.digests() == [one["digest"] for one in self.result_.inputs]

    def _command(self):
        defaults = {option.key: option.default for option in self._method.options}
        changed = {k: v for k, v in self.get_params(deep=False).items() if not is_same(v, defaults[k])}
        inside = ", ".join(f"{key}={_brief(value)}" for key, value in changed.items())
        return f"gingham.{type(self).__name__}({inside}).fit(X)"

    def _repr_html_(self):
        from ._picture import html_of

        return html_of(self)

    def _repr_mimebundle_(self, **_):
        return {"text/plain": repr(self), "text/html": self._repr_html_()}

    # -- conventions of scikit-learn

    def __sklearn_is_fitted__(self):
        return "result_" in self.__dict__

    def _check_fitted(self):
        if not self.__sklearn_is_fitted__():
            raise NotFittedError(f"This {type(self).__name__} instance is not fitted yet. Call 'fit' first.")

    def _more_tags(self):
        return {"allow_nan": self._method.accepts_missing, "requires_positive_X": self._method.needs_nonnegative,
                "X_types": ["2darray"] + (["sparse"] if self._method.accepts_sparse else []),
                "requires_y": False}

    def __sklearn_tags__(self):
        return transformer_tags(super().__sklearn_tags__(), self._more_tags())

    def __getstate__(self):
        state = self.__dict__.copy()
        state.pop("_data", None)  # a pickle holds the model, not the data
        if "result_" in state:  # what follows from the result is made again
            for name in _derived_attributes(self._method, self.result_):
                state.pop(name, None)
        return state

    def __setstate__(self, state):
        self.__dict__.update(state)
        if "result_" in state:
            self.__dict__.update(_derived_attributes(self._method, self.result_))


class Predictor:
    """For methods whose fit can be applied to new rows."""

    def predict(self, X, **options):
        """Labels of new rows: the strongest component of each, -1 for none; of a series a list, one array per time.
        Options as in ``apply``."""
        labels = list(self.apply(X, **options).labels.values())
        return labels if self._method.input == "series" else labels[0]

    def transform(self, X, **options):
        """New rows x components: how much each has of each; of a series a list, one array per time. Options as in
        ``apply``."""
        found = self.apply(X, **options)
        if self._method.input == "series":
            return list(found.arrays.values())
        return found.factor(self._method.lying_arrays)

    def score(self, X, y=None):
        """Minus the loss of new rows under the fitted model, per row; the higher the better."""
        found = self.apply(X)
        n_items = sum(map(len, found.labels.values())) if self._method.input == "series" else found.n_items
        n_samples = 1 if self._method.loss_is_mean else n_items
        return -found.terms["loss"] / n_samples

    @property
    def _n_features_out(self):
        return self.result_._run.n_components

    def get_feature_names_out(self, input_features=None):
        """Names of the columns that ``transform`` gives."""
        self._check_fitted()
        prefix = type(self).__name__.lower()
        return np.array([f"{prefix}{i}" for i in range(self._n_features_out)], dtype=object)


def _derived_attributes(method, result):
    return {**_array_attributes(method, result.arrays), **_label_attributes(result._run)}


def _array_attributes(method, arrays):
    """W -> W_; u_0, u_1, ... -> the list u_."""
    attributes = {}
    for one in method.arrays:
        pattern = one["name"]
        for placeholder in ("_<i>", "_<n>"):
            if pattern.endswith(placeholder):
                stem = pattern[: -len(placeholder)]
                numbered = [f"{stem}_{i}" for i in range(len(arrays))]
                attributes[stem + "_"] = [arrays[name] for name in numbered if name in arrays]
                break
        else:
            if pattern in arrays:
                attributes[pattern + "_"] = arrays[pattern]
    return attributes


def _label_attributes(run):
    """labels_ of the first mode; row_labels_ and column_labels_ of matrices; mode_labels_ of arrays of more modes.

    Where every block has items of its own it is a list."""
    by_mode = {}
    for (name, block, _), labels in zip(run.modes(), run.labels().values()):
        if block is None:
            by_mode[name] = labels
        else:
            by_mode.setdefault(name, []).append(labels)
    attributes = {}
    if by_mode:
        attributes["labels_"] = next(iter(by_mode.values()))
    if "rows" in by_mode:
        attributes["row_labels_"] = attributes["labels_"] = by_mode["rows"]
    if "columns" in by_mode:
        attributes["column_labels_"] = by_mode["columns"]
    if any(name.startswith("mode_") for name in by_mode):
        attributes["mode_labels_"] = list(by_mode.values())
    return attributes


def _whole_numbers(values, name):
    if isinstance(values, str) or not np.iterable(values):
        raise TypeError(f"{name} is of type {type(values).__name__}, expected a list of whole numbers")
    return [whole_number(one, name, 0, 1_000_000) for one in values]


def _number_of_threads(value):
    """As the option of that name takes it: None is its default, text is as it is typed."""
    value = int(value) if isinstance(value, str) and value.isdecimal() else value
    return whole_number(0 if value is None else value, "threads", 0, 4096)


def _brief(value):
    text = repr(value)
    return text if len(text) <= 60 and "\n" not in text else f"<{type(value).__name__}>"
