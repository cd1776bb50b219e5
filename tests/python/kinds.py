"""Arrays of several kinds that the tests of input share."""

import numpy as np
import scipy.sparse as sp

from support import plain_data


def base():
    """Small whole numbers, which every number type holds; more than half are 0."""
    X = np.random.default_rng(1).integers(0, 8, size=(15, 9)).astype(float)
    X[X < 4] = 0
    X[:, 0] += 1  # no empty row
    X[0] += 1
    return X


def read_only(X):
    X = X.copy()
    X.flags.writeable = False
    return X


def memmap(X, folder):
    array = np.memmap(folder / "mapped", dtype=np.float64, mode="w+", shape=X.shape)
    array[:] = X
    array.flush()
    return np.memmap(folder / "mapped", dtype=np.float64, mode="r", shape=X.shape)


class Subclass(np.ndarray):
    pass


def wide_indices(X):
    csr = sp.csr_matrix(X)
    csr.indices, csr.indptr = csr.indices.astype(np.int64), csr.indptr.astype(np.int64)
    return csr


def cube():
    X = plain_data("tensor").copy()
    X[np.abs(X) < 0.5] = 0
    return X
