"""Data with known structure."""

from . import _core
from ._data import Data
from ._methods import METHODS
from ._options import Option, in_python_words, settings, whole_number
from ._results import arrays_of, membership_matrix

SIMULATORS = {record["name"]: {**record, "options": [Option.from_record(one) for one in record["options"]]}
              for method in METHODS.values() for record in method.simulators}


class Simulation:
    """Simulated data and what was planted in them.

    Attributes
    ----------
    X : array or list of arrays
        What a fit takes; a DataFrame where the items have names.
    labels : dict
        Per mode ('rows', 'columns_2', 'mode_0') the planted component of each item, -1 for none.
    members : dict
        Per mode: boolean, components x items.
    row_labels, column_labels : array, or list of arrays where each block of the data has its own
        The same labels, laid out as ``row_labels_`` and ``column_labels_`` of an estimator.
    biclusters : tuple
        The same members, laid out as ``biclusters_`` of an estimator.
    truth : dict of arrays
    lines : dict
        Lists that a fit takes beside the data: groups, say.
    images : list of (name, array)
    """

    def __init__(self, made):
        self.data = Data(_core.Data(made["blocks"])) if made["blocks"] else None
        self.lines = made["lines"]
        self.images = made["images"]
        self.truth = arrays_of(made["truth"])
        self.labels, self.members = {}, {}
        for one in made["memberships"]:
            key = one["mode"] if one["block"] is None else f"{one['mode']}_{one['block']}"
            n_components = int(one["component"].max(initial=-1)) + 1
            matrix = membership_matrix(one, n_components)
            self.members[key] = (matrix != 0).T
            self.labels[key] = _core.strongest(one)

    @property
    def row_labels(self):
        return _as_fitted(self.labels, "rows")

    @property
    def column_labels(self):
        return _as_fitted(self.labels, "columns")

    @property
    def biclusters(self):
        return _as_fitted(self.members, "rows"), _as_fitted(self.members, "columns")

    @property
    def X(self):
        return self.data.X if self.data is not None else None

    def __repr__(self):
        return f"<gingham.Simulation {self.data!r}>"


def _as_fitted(by_mode, mode):
    """What all blocks share, or a list with what each has of its own; the first two modes of an array are its rows
    and columns."""
    for name in (mode, {"rows": "mode_0", "columns": "mode_1"}[mode]):
        if name in by_mode:
            return by_mode[name]
    keys = [key for key in by_mode if key.startswith(f"{mode}_")]
    of_blocks = [by_mode[key] for key in sorted(keys, key=lambda key: int(key.rpartition("_")[2]))]
    if not of_blocks:
        raise AttributeError(f"nothing is planted in {mode}; there is {', '.join(by_mode) or 'nothing'}")
    return of_blocks


def simulate(problem, *, seed=0, **options):
    """Make data with known structure; the same as ``gingham simulate``.

    Parameters
    ----------
    problem : str
        ``gingham.simulate.problems`` lists them.
    seed : int
    **options
        The problem's own: ``help(gingham.simulate)`` lists them.
    """
    if problem not in SIMULATORS:
        raise ValueError(f"problem: there is no {problem!r}; there are {', '.join(SIMULATORS)}")
    texts, contents = settings(SIMULATORS[problem]["options"], options, problem)
    if contents:
        raise TypeError(f"{problem}: {next(iter(contents))} must be text or a number")
    return Simulation(_core.simulate(problem, texts, whole_number(seed, "seed", 0, 9_000_000_000_000_000)))


def _problem_doc(record):
    options = "".join(f"\n        {one.key}={one.default!r}: {in_python_words(one.help)}"
                      + (f" ({one.range})" if one.type == "choice" and not one.is_yes_or_no else "")
                      for one in record["options"])
    return f"\n    {record['name']}: {record['title']}{options}"


simulate.problems = list(SIMULATORS)
simulate.__doc__ += "\n    Problems\n    --------" + "".join(map(_problem_doc, SIMULATORS.values())) + "\n"

