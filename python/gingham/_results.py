"""What a run hands over."""

import json
import os

import numpy as np

from . import _core
from ._blocks import csr_matrix
from ._options import existing_path, path_text


def arrays_of(core_arrays):
    """Arrays of the engine by name: numpy arrays that cannot be written to, or scipy.sparse matrices."""
    return {name: csr_matrix(*value[1:]) if isinstance(value, tuple) else value
            for name, value in core_arrays.items()}


def table_of(columns):
    """A DataFrame where pandas is installed, otherwise the dict of columns."""
    try:
        import pandas
    except ImportError:
        return columns
    return pandas.DataFrame(columns)


class Result:
    """A finished run: everything that ``result.json`` holds, the arrays, and who belongs to what.

    It never changes. ``to_dict()`` is the content of ``result.json``; the attributes below are parts of it.
    """

    def __init__(self, run):
        self._run = run
        self._dict = None

    def to_dict(self):
        """The content of result.json."""
        if self._dict is None:
            self._dict = json.loads(self._run.json)
        return self._dict

    method = property(lambda self: self.to_dict()["method"], doc="Name of the method.")
    version = property(lambda self: self.to_dict()["gingham"], doc="Version that made it.")
    status = property(lambda self: self._run.status, doc="'converged', 'finished', 'iteration_limit', 'time_limit', "
                      "'cancelled', 'numerical_failure' or 'cycle'.")
    objective = property(lambda self: self._run.objective, doc="Loss of the whole model plus all penalties.")
    iterations = property(lambda self: self._run.iterations, doc="Of the restart that was kept.")
    terms = property(lambda self: self.to_dict()["terms"], doc="The parts of the objective.")
    gaps = property(lambda self: self.to_dict()["gaps"], doc="Relative optimality gap per block; 0 is optimal.")
    components = property(lambda self: self.to_dict()["components"],
                          doc="Weight, sizes and explained share of each: what `explained` loses without it.")
    explained = property(lambda self: self._run.explained,
                         doc="1 - residual / total over the observed cells; None without a model of them.")
    restarts = property(lambda self: self.to_dict()["restarts"], doc="Objective, status and iterations of each; "
                        "'left_race' and the round of those that were given up.")
    parameters = property(lambda self: self.to_dict()["parameters"], doc="Every option, defaults included.")
    inputs = property(lambda self: self.to_dict()["inputs"], doc="Name, shape, counts and digest of each input.")
    seconds = property(lambda self: self.to_dict()["seconds"], doc="Where the time went.")
    notes = property(lambda self: self.to_dict().get("notes", []), doc="What a person should know, a sentence each.")
    measures = property(lambda self: self.to_dict().get("measures", {}), doc="What the method counts besides.")
    scores = property(lambda self: self.to_dict().get("scores", {}), doc="Against known labels, where there were some.")

    @property
    def arrays(self):
        """All arrays by name; windows onto the result, not to be written to."""
        return arrays_of(self._run.arrays())

    @property
    def labels(self):
        """Per mode ('rows', 'columns_2', 'mode_0'): the strongest component of each item, -1 for none."""
        return self._run.labels()

    @property
    def trace(self):
        """One record per iteration: component, iteration, objective, gap, moved, seconds (structured array).
        NaN: not measured."""
        columns = self._run.trace()
        trace = np.empty(len(columns["gap"]), dtype=[(name, values.dtype) for name, values in columns.items()])
        for name, values in columns.items():
            trace[name] = values
        return trace

    @property
    def clusters(self):
        """Every member as in clusters.tsv: component, mode, block, index, label, value; share where there were
        several restarts (how often the member comes back in the others)."""
        parts = self._run.memberships()
        shares = self._run.stability()
        columns = {"component": _join([p["component"] for p in parts], np.int64),
                   "mode": _join([np.full(len(p["item"]), p["mode"], dtype=object) for p in parts], object),
                   "block": _join([np.full(len(p["item"]), -1 if p["block"] is None else p["block"]) for p in parts],
                                  np.int64),
                   "index": _join([p["item"] for p in parts], np.int64),
                   "label": _join([self._labels_of(p) for p in parts], object),
                   "value": _join([p["value"] for p in parts], np.float64)}
        if shares:
            columns["share"] = _join(shares, np.float64)
        order = np.argsort(columns["component"], kind="stable")
        return table_of({name: values[order] for name, values in columns.items()})

    def _labels_of(self, membership):
        names = self._run.names_of(membership["mode"], membership["block"], membership["n_items"])
        items = membership["item"]
        if not names:
            return np.full(len(items), "", dtype=object)
        return np.array(names, dtype=object)[items]

    def save(self, directory, *, force=False):
        """Write a result directory, as ``gingham fit`` does; whole or not at all."""
        self._run.save(path_text(directory, "directory"), bool(force), None, "")

    def __repr__(self):
        return (f"<gingham.Result of {self.method}: {self.status}, objective {self.objective:.6g}, "
                f"{len(self.components)} components>")

    def __getstate__(self):
        return self._run

    def __setstate__(self, run):
        self.__init__(run)


def _join(parts, dtype):
    return np.concatenate(parts).astype(dtype, copy=False) if parts else np.empty(0, dtype=dtype)


def write_page(page, path):
    """Writes a page and returns its path; without a path the page itself."""
    if path is None:
        return page
    with open(path_text(path, "path"), "w", encoding="utf-8") as file:
        file.write(page)
    return os.fspath(path)


class Transformed:
    """What was found for new items of one mode."""

    def __init__(self, found):
        self.arrays = arrays_of(found["arrays"])
        self._memberships = found["memberships"]
        self.labels = found["labels"]
        self.terms = found["terms"]
        self.gaps = found["gaps"]
        self.objective = found["objective"]
        self.status = found["status"]
        self.notes = found["notes"]
        self.n_components = found["n_components"]

    @property
    def memberships(self):
        """Who belongs to what: mode, block, number of items, and a component, item and value per member."""
        return self._memberships() if callable(self._memberships) else self._memberships

    def __getstate__(self):
        return {**self.__dict__, "_memberships": self.memberships}

    @property
    def n_items(self):
        """New items."""
        return len(next(iter(self.labels.values())))

    def __repr__(self):
        found = "".join(f"; {name} {' x '.join(map(str, array.shape))}" for name, array in self.arrays.items())
        return f"<gingham.Transformed: {self.n_items} items, {self.status}{found}>"

    def factor(self, lying=()):
        """Items x components: how much each new item has of each component. `lying` names the arrays that
        have a row per component."""
        for name, array in self.arrays.items():
            array = array.T if name in lying else array
            if array.ndim == 2 and array.shape[0] == self.n_items:
                return array
        return membership_matrix(self.memberships[0], self.n_components)


def membership_matrix(membership, n_components):
    """Items x components, dense, 0 for none."""
    matrix = np.zeros((membership["n_items"], n_components))
    matrix[membership["item"], membership["component"]] = membership["value"]
    return matrix


def load_run(directory, attached=None):
    moved = {name.replace("_", "-"): existing_path(path, name) for name, path in (attached or {}).items()}
    return _core.load(existing_path(directory, "directory"), moved)
