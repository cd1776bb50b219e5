"""What the tests of the Python package share: every method with small data of a simulator, the command line, and
what of a result must be the same bits."""

import json
import os
import pathlib
import subprocess

import numpy as np
import scipy.sparse

import gingham
from gingham import _core

ROOT = pathlib.Path(__file__).resolve().parents[2]
CLI = pathlib.Path(os.environ.get("GINGHAM_CLI") or ROOT / "build" / "gingham").resolve()
RECORDS = {record["name"]: record for record in _core.methods()}
NAMES = list(RECORDS)

# Problem and options of a simulator, small; by method, or by kind of input for methods that have no simulator.
PROBLEMS = {
    "bregman": ("checkerboard", {"rows": 24, "columns": 18}),
    "dictionary": ("dictionary", {"samples": 80, "length": 10, "atoms": 8}),
    "evolving": ("evolving-groups", {"times": 3, "rows": 26, "columns": 18, "group_rows": 6, "group_columns": 4,
                                     "grow": 0, "appear": 0, "vanish": 0}),
    "groupnmf": ("groupnmf", {"side": 12, "groups": 3, "columns": 4}),
    "itcc": ("checkerboard", {"rows": 24, "columns": 18, "counts": True}),
    "kmeans": ("kmeans", {"rows": 40, "columns": 4}),
    "multiview": ("multiview", {"subjects": 90, "markers": 40, "risk_markers": 5, "over": 3, "decoys": 0}),
    "nmf": ("checkerboard", {"rows": 24, "columns": 18, "counts": True}),
    "online-dictionary": ("dictionary", {"samples": 80, "length": 10, "atoms": 8}),
    "spectral": ("spectral", {"rows": 30, "columns": 20}),
    "ssvd": ("ssvd", {"rows": 30, "columns": 20, "block_rows": 6, "block_columns": 5}),
    "tensor": ("tensor", {"size": "14,12,5", "clusters": 2, "block": 3, "outliers": 2}),
    "matrix": ("checkerboard", {"rows": 24, "columns": 18}),
    "views": ("multiview", {"subjects": 90, "markers": 40, "risk_markers": 5, "over": 3, "decoys": 0}),
}
PROBLEMS["parafac"] = PROBLEMS["tensor"]

# Options that keep a run short.
SMALL = {"restarts": 2, "atoms": 6, "epochs": 2, "rank": 3, "clusters": 2, "max_iterations": 40}


def class_of(name):
    return getattr(gingham, RECORDS[name]["python_class"])


def small_options(name, **more):
    keys = set(class_of(name)().get_params())
    return {**{key: value for key, value in SMALL.items() if key in keys}, **more}


def estimator(name, **more):
    return class_of(name)(**small_options(name, **more))


def simulation(name):
    problem, options = PROBLEMS.get(name) or PROBLEMS[RECORDS[name]["input"]]
    return gingham.simulate(problem, seed=3, **options)


def plain_data(name):
    """Arrays without names, as ordinary memory of Python: one array, or a list of them."""
    made = simulation(name)
    arrays = [np.array(one.toarray() if hasattr(one, "toarray") else one) for one in made.data.arrays]
    if RECORDS[name]["needs_nonnegative"]:
        arrays = [np.abs(one) for one in arrays]
    is_one = RECORDS[name]["input"] in ("matrix", "tensor")
    return arrays[0] if is_one else arrays


def extras(name):
    """Lists beside the data that the method can take: groups, say."""
    keys = {option["name"] for option in RECORDS[name]["options"]}
    return {key: value for key, value in simulation(name).lines.items() if key in keys}


def of_kind(*kinds):
    return [name for name, record in RECORDS.items() if record["input"] in kinds]


def bits(value):
    """Something that is equal only for the same bits (NaN equals itself, -0 does not equal 0)."""
    if scipy.sparse.issparse(value):
        csr = value.tocsr()
        return "csr", csr.shape, bits(csr.indptr.astype(np.int64)), bits(csr.indices.astype(np.int64)), bits(csr.data)
    if isinstance(value, np.ndarray):
        if value.dtype == object:
            return "objects", value.shape, tuple(value.tolist())
        return value.dtype.str, value.shape, np.ascontiguousarray(value).tobytes()
    if isinstance(value, float):
        return np.float64(value).tobytes()
    if isinstance(value, dict):
        return tuple((key, bits(one)) for key, one in sorted(value.items()))
    if isinstance(value, (list, tuple)):
        return tuple(bits(one) for one in value)
    return value


def result_bits(fitted, with_inputs=False):
    """All that a result says but for seconds (and what the inputs are called)."""
    result = fitted.result_
    trace = {name: result.trace[name] for name in result.trace.dtype.names if name != "seconds"}
    said = {key: value for key, value in result.to_dict().items() if key in
            ("method", "status", "objective", "terms", "gaps", "components", "restarts", "notes", "iterations")}
    said["restarts"] = [{k: v for k, v in one.items() if k != "seconds"} for one in said["restarts"]]
    clusters = {name: np.asarray(result.clusters[name]) for name in ("component", "mode", "block", "index", "value")}
    inputs = [one["digest"] for one in result.inputs] if with_inputs else None
    return bits([result.arrays, result.labels, trace, json.dumps(said), clusters, result.objective, inputs])


def gingham_cli(*words, cwd=None, check=True):
    done = subprocess.run([str(CLI), *map(str, words)], cwd=cwd, capture_output=True, text=True, timeout=120)
    assert not check or done.returncode == 0, (words, done.stderr)
    return done


def write_npy(folder, X, name="x"):
    """One array or several as .npy (or .npz of scipy); the paths."""
    parts = X if isinstance(X, list) else [X]
    paths = []
    for i, part in enumerate(parts):
        if scipy.sparse.issparse(part):
            paths.append(folder / f"{name}{i}.npz")
            scipy.sparse.save_npz(paths[-1], part)
        else:
            paths.append(folder / f"{name}{i}.npy")
            np.save(paths[-1], part)
    return paths


def option_words(options):
    """Options of Python as one types them."""
    words = []
    for key, value in options.items():
        name = "--" + key.rstrip("_").replace("_", "-")
        if value is True:
            words.append(name)
        elif value is not False and value is not None:
            words += [name, str(value)]
    return words
