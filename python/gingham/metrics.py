"""Scores of found labels and co-clusters against known ones; the same numbers as ``gingham evaluate``."""

import numpy as np

from . import _core

__all__ = ["accuracy", "adjusted_rand_index", "auc", "consensus_score", "normalized_mutual_information",
           "relative_squared_error", "s_index", "scores"]


def _encoded(labels, name):
    """Labels as numbers: -1 stays -1, others are numbered."""
    array = np.asarray(labels)
    if array.ndim != 1:
        raise ValueError(f"{name} has {array.ndim} dimensions, expected 1: a label per item")
    if array.dtype.kind in "iub":
        return array.astype(np.int64)
    texts = np.array([str(one) for one in array.tolist()], dtype=object)
    numbers = np.unique(texts, return_inverse=True)[1].astype(np.int64) if len(texts) else np.empty(0, np.int64)
    numbers[np.isin(texts, ["-1", "-1.0"])] = -1
    return numbers


def _score(function, found, truth):
    return function(_encoded(found, "found"), _encoded(truth, "truth"))


def s_index(found, truth):
    """S index of two partitions (Bohland and others 2009): 1 where classes lie within or apart from each other."""
    return _score(_core.s_index, found, truth)


def normalized_mutual_information(found, truth):
    """I(a, b) / sqrt(H(a) H(b)), from 0 to 1."""
    return _score(_core.nmi, found, truth)


def adjusted_rand_index(found, truth):
    """1 for equal partitions, about 0 for unrelated ones."""
    return _score(_core.ari, found, truth)


def accuracy(found, truth):
    """Share of items whose class is right when classes are matched one to one in the best way."""
    return _score(_core.accuracy, found, truth)


def scores(found, truth):
    """All of the above by the names the command line uses: s_index, nmi, ari, accuracy."""
    return {"s_index": s_index(found, truth), "nmi": normalized_mutual_information(found, truth),
            "ari": adjusted_rand_index(found, truth), "accuracy": accuracy(found, truth)}


def auc(values, labels, positive=1):
    """Area under the ROC curve of `values` for the items whose label is `positive`; ties count one half."""
    labels = np.asarray(labels)
    return _core.auc(np.asarray(values, dtype=np.float64), (labels == positive).astype(np.int64), 1)


def relative_squared_error(estimate, truth):
    """||estimate - truth||^2 / ||truth||^2; cells whose truth is NaN are left out."""
    estimate, truth = np.asarray(estimate, dtype=np.float64), np.asarray(truth, dtype=np.float64)
    if estimate.shape != truth.shape:
        raise ValueError(f"estimate has shape {estimate.shape}, truth {truth.shape}; expected the same")
    return _core.relative_squared_error(estimate.ravel(), truth.ravel())


def consensus_score(a, b):
    """Agreement of two sets of co-clusters (Hochreiter and others 2010), from 0 to 1.

    Each is ``biclusters_`` of an estimator: for every mode a boolean array, co-clusters x items.
    """
    return _core.consensus_score(_coclusters(a, "a"), _coclusters(b, "b"))


def _coclusters(modes, name):
    arrays = [np.asarray(mode) for mode in modes]
    if not arrays or any(array.ndim != 2 or len(array) != len(arrays[0]) for array in arrays):
        raise ValueError(f"{name}: expected for every mode a boolean array, co-clusters x items")
    return [[np.flatnonzero(array[k]).tolist() for array in arrays] for k in range(len(arrays[0]))]
