"""One array, table or sparse matrix as a block of the engine, and back; no copy where the layout allows."""

import numpy as np
import scipy.sparse

from . import _core
from ._options import whole_number


class Coordinates:
    """A sparse array of any number of modes: an index per mode and a value for each entry.

    Parameters
    ----------
    coords : sequence of integer arrays, or array of shape (modes, entries)
        Zero-based indices, as ``numpy.nonzero`` gives them.
    values : array of shape (entries,)
    shape : tuple of int, optional
        By default the largest index of each mode plus one.
    names : sequence, optional
        For each mode the names of its items, or None.
    unlisted : {'zero', 'missing'}
        What cells that are not listed mean.
    duplicates : {'error', 'sum'}
        What several entries at one place mean.
    """

    def __init__(self, coords, values, shape=None, *, names=None, unlisted="zero", duplicates="error"):
        if not np.iterable(coords):
            raise TypeError(f"coords is of type {type(coords).__name__}, expected an array of indices per mode")
        self.coords = tuple(np.asarray(mode) for mode in coords)
        is_masked = isinstance(values, np.ma.MaskedArray)
        self.values = values.astype(np.float64).filled(np.nan) if is_masked else np.asarray(values)
        if shape is None:
            if any(mode.size == 0 for mode in self.coords):
                raise ValueError("coords: there are no entries; give the shape")
            shape = tuple(int(mode.max()) + 1 for mode in self.coords)
        self.shape = sizes(shape)
        self.names = names
        self.unlisted = unlisted
        self.duplicates = duplicates

    @property
    def ndim(self):
        return len(self.shape)

    def toarray(self):
        """A dense array; unlisted cells are 0, or NaN where they are missing."""
        dense = np.full(self.shape, np.nan if self.unlisted == "missing" else 0.0)
        if self.unlisted == "missing":
            dense[self.coords] = 0.0
        np.add.at(dense, self.coords, self.values)
        return dense

    def __repr__(self):
        return f"<Coordinates of {len(self.values)} entries, shape {self.shape}>"


def sizes(shape):
    if isinstance(shape, str) or not np.iterable(shape):
        raise TypeError(f"shape is of type {type(shape).__name__}, expected a size per mode")
    return tuple(whole_number(size, "shape", 0, 2**62) for size in shape)


def as_block(value, name, unlisted="zero"):
    labels = [[], []]
    if all(hasattr(value, part) for part in ("obs_names", "var_names", "X")):  # AnnData
        labels = [_index_names(value.obs_names), _index_names(value.var_names)]
        value = value.X
        if hasattr(value, "to_memory"):
            value = value.to_memory()
    elif hasattr(value, "columns") and hasattr(value, "to_numpy"):  # a table
        labels = [_index_names(getattr(value, "index", None)), _index_names(value.columns)]
        value = _table_values(value, name)
    if isinstance(value, Coordinates):
        return _coordinate_block(value, name)
    if scipy.sparse.issparse(value) and value.ndim == 2:
        return _sparse_block(value, name, labels, unlisted)
    if all(hasattr(value, part) for part in ("coords", "data", "shape")):  # as in the package sparse
        fill = getattr(value, "fill_value", 0)
        if fill == fill and fill != 0:
            raise ValueError(f"{name}: unlisted cells are {fill}, expected 0 or NaN")
        return _coordinate_block(Coordinates(value.coords, value.data, value.shape,
                                             unlisted=unlisted if fill == fill else "missing"), name)
    array = dense_array(value, name)
    if array.ndim < 2:
        raise ValueError(f"{name}: Expected 2D array, got {array.ndim}D array instead. Reshape your data with "
                         "array.reshape(-1, 1) if it is one column or array.reshape(1, -1) if it is one row.")
    _check_sizes(array.shape, name)
    return _core.dense_block(name, array, labels if array.ndim == 2 else [])


def dense_array(value, name):
    """An array of float64 in C order; the same memory where it is one already."""
    if isinstance(value, (list, tuple)) and any(isinstance(one, np.ma.MaskedArray) for one in value):
        value = np.ma.stack(value)
    if isinstance(value, np.ma.MaskedArray):
        _check_kind(value.dtype, name)
        value = _as_numbers(value, name).filled(np.nan)
    try:
        array = np.asarray(value)
    except ValueError as error:  # ragged lists
        raise ValueError(f"{name}: {error}") from None
    if array.dtype == object:
        array = _as_numbers(array, name)
    _check_kind(array.dtype, name)
    array = np.require(array, np.float64, ["C", "A"])
    return array if array.dtype.isnative else array.astype(np.float64)


def _as_numbers(array, name):
    try:
        return array.astype(np.float64)
    except (TypeError, ValueError, OverflowError) as error:
        kind = TypeError if isinstance(error, TypeError) else ValueError
        raise kind(f"{name}: {error}; expected numbers") from None


def _check_kind(dtype, name):
    if dtype.kind == "c":
        raise ValueError(f"{name}: Complex data not supported")
    if dtype.kind in "US":
        raise ValueError(f"{name}: dtype is {dtype}, expected numbers; could not convert text to float")
    if dtype.kind not in "biufO":
        raise TypeError(f"{name}: dtype is {dtype}, expected numbers")


def _check_sizes(shape, name):
    words = ["sample", "feature"] if len(shape) == 2 else ["item"] * len(shape)
    for size, word in zip(shape, words):
        if size == 0:
            raise ValueError(f"{name}: Found array with 0 {word}(s) (shape={tuple(shape)}) while a minimum of 1 is "
                             "required.")


def _index_names(index):
    """Names of the items; none for an index that only counts them."""
    if index is None or type(index).__name__ == "RangeIndex":
        return []
    return [label_text(" ".join(map(str, one)) if isinstance(one, tuple) else one) for one in index]


def label_text(name):
    return str(name).encode("utf-8", "replace").decode()  # no halves of surrogate pairs


def _table_values(table, name):
    if not hasattr(table, "iloc"):  # not of pandas
        return table.to_numpy()
    if hasattr(table, "sparse") and len(table.columns) and all(hasattr(t, "subtype") and "Sparse" in str(t)
                                                              for t in table.dtypes):
        if all(t.fill_value == 0 for t in table.dtypes):
            return table.sparse.to_coo()
    if all(isinstance(t, np.dtype) and t.kind != "O" for t in table.dtypes):
        return table.to_numpy()  # its own memory where all columns are of one kind
    try:
        return table.to_numpy(dtype=np.float64, na_value=np.nan)
    except (TypeError, ValueError):
        return dense_array(table.to_numpy(dtype=object, na_value=np.nan), name)  # says what is wrong


def _sparse_block(matrix, name, labels, unlisted):
    _check_kind(matrix.dtype, name)
    _check_sizes(matrix.shape, name)
    _check_structure(matrix, name)
    csr = matrix.tocsr()
    if not csr.has_canonical_format:  # several entries at a place are their sum, as in scipy
        _check_range(csr.indices, csr.shape[1], name)
        csr = csr.copy() if csr is matrix else csr
        csr.sum_duplicates()
    n_entries = csr.indptr[-1]  # there may be room for more
    return _core.sparse_block(name, *csr.shape, np.require(csr.indptr, np.int64, ["C", "A"]),
                              _as_int32(csr.indices[:n_entries], name), _values(csr.data[:n_entries], name), labels,
                              unlisted)


def _check_structure(matrix, name):
    """scipy trusts the indices when it changes the format of a matrix: wrong ones would write where they must not.
    Those of a matrix by rows in order are the engine's to check."""
    if matrix.format == "coo":
        if not matrix.row.shape == matrix.col.shape == matrix.data.shape:
            raise ValueError(f"{name}: {matrix.row.size} rows, {matrix.col.size} columns and {matrix.data.size} "
                             "values, expected as many")
        _check_range(matrix.row, matrix.shape[0], name)
        _check_range(matrix.col, matrix.shape[1], name)
    elif matrix.format in ("csr", "csc", "bsr"):
        block = matrix.blocksize if matrix.format == "bsr" else (1, 1)
        sizes = [size // step for size, step in zip(matrix.shape, block)]
        n_major, n_minor = reversed(sizes) if matrix.format == "csc" else sizes
        _check_pointers(matrix.indptr, n_major, min(len(matrix.indices), len(matrix.data)), name)
        _check_whole(matrix.indices, name)
        if matrix.format != "csr":
            _check_range(matrix.indices, n_minor, name)


def _check_pointers(pointers, n_major, n_entries, name):
    if pointers.dtype.kind not in "iu" or pointers.shape != (n_major + 1,) or pointers[0] != 0 or (
            pointers[-1] > n_entries) or (pointers[1:] < pointers[:-1]).any():
        raise ValueError(f"{name}: indptr is not what it should be: {n_major + 1} whole numbers that rise from 0 to "
                         f"{n_entries} at most")


def _check_whole(indices, name):
    if indices.size and indices.dtype.kind not in "iu":
        raise TypeError(f"{name}: indices are of dtype {indices.dtype}, expected whole numbers")


def _check_range(indices, size, name):
    _check_whole(indices, name)
    if indices.size and not 0 <= indices.min() <= indices.max() < size:
        wrong = indices.min() if indices.min() < 0 else indices.max()
        raise ValueError(f"{name}: index {wrong} is out of range, expected one from 0 to {size - 1}")


def _coordinate_block(value, name):
    _check_sizes(value.shape, name)
    if len(value.coords) != len(value.shape) or len(value.shape) < 2:
        raise ValueError(f"{name}: indices for {len(value.coords)} modes and a shape of {len(value.shape)}; "
                         "expected as many, and at least two")
    names = [_index_names(one) for one in value.names] if value.names is not None else []
    values = _values(value.values, name)
    for mode, size in zip(value.coords, value.shape):
        if mode.shape != values.shape:
            raise ValueError(f"{name}: {mode.size} indices and {values.size} values, expected as many")
        _check_range(mode, size, name)
    return _core.coordinate_block(name, list(value.shape), [_as_int32(mode, name) for mode in value.coords], values,
                                  names, value.unlisted, value.duplicates)


def _values(values, name):
    array = dense_array(values, name)
    if array.ndim != 1:
        raise ValueError(f"{name}: values have {array.ndim} dimensions, expected 1")
    return array


def _as_int32(indices, name):
    if indices.dtype != np.int32 and indices.size:
        low, high = indices.min(), indices.max()
        if low < 0 or high > np.iinfo(np.int32).max:
            raise ValueError(f"{name}: index {low if low < 0 else high} is out of range")
    return np.require(indices, np.int32, ["C", "A"])


def array_of_block(block):
    """A numpy array, a scipy.sparse matrix, or Coordinates."""
    kind, *parts = block.parts()
    if kind == "dense":
        return parts[0]
    if kind == "csr" and block.unlisted == "zero":
        return csr_matrix(*parts)
    if kind == "csr":  # what is not listed is missing: scipy has no word for that
        pointers, columns, values, shape = parts
        rows = np.repeat(np.arange(shape[0], dtype=np.int32), np.diff(pointers))
        parts = [rows, columns], values, shape
    coordinates, values, shape = parts
    return Coordinates(coordinates, values, shape, names=[names or None for names in block.labels],
                       unlisted=block.unlisted)


def csr_matrix(pointers, indices, values, shape):
    """Our row pointers are of 64 bits; scipy wants both kinds of indices alike."""
    kind = np.int32 if len(values) < 2**31 else np.int64
    return scipy.sparse.csr_matrix((values, indices.astype(kind, copy=False), pointers.astype(kind)), shape=shape)


def labelled_array(block):
    array, labels = array_of_block(block), block.labels
    if not any(labels) or len(block.shape) != 2 or isinstance(array, Coordinates):
        return array
    try:
        import pandas
    except ImportError:
        return array
    names = {"index": labels[0] or None, "columns": labels[1] or None}
    if scipy.sparse.issparse(array):
        return pandas.DataFrame.sparse.from_spmatrix(array, **names)
    return pandas.DataFrame(array, **names)
