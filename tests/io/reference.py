"""What a file means, by pandas, SciPy and NumPy under the rules of src/io/read.hpp. None: it must be refused."""
import io
import re

import numpy as np
import pandas
import scipy.io
import scipy.sparse

NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?\Z", re.ASCII)
INFINITE = re.compile(r"[+-]?inf(inity)?\Z", re.ASCII | re.IGNORECASE)
MARKERS = ("", "NA", "NaN", "nan", "NAN")


def kind(cell):
    cell = cell.strip(" ")
    if cell in MARKERS:
        return "missing"
    if INFINITE.match(cell):
        return "infinite"
    return "number" if NUMBER.match(cell) else "text"


def value(cell):
    cell = cell.strip(" ")
    if cell in MARKERS:
        return np.nan
    number = float(cell)
    digits = re.split("[eE]", cell)[0]
    underflow = number == 0 and re.search("[1-9]", digits)
    return None if np.isinf(number) or underflow or len(cell) > 384 else number


def table(data, delimiter, labels="automatic"):
    if data.startswith(b"\xef\xbb\xbf"):
        data = data[3:]
    try:
        frame = pandas.read_csv(io.BytesIO(data), sep=delimiter, header=None, dtype=str, na_filter=False,
                                skip_blank_lines=False, engine="c", encoding="utf-8", quotechar='"')
    except Exception:
        return None
    rows = frame.values.tolist()
    if any(not isinstance(cell, str) for row in rows for cell in row):
        return None  # ragged: pandas fills up
    # Blank lines at the end are none of the table; pandas makes rows of missing cells of them.
    pieces = re.split(rb"\r?\n", data)
    if pieces[-1] == b"":
        pieces.pop()
    while len(pieces) > 1 and len(rows) > 1 and len(rows[0]) > 1 and not pieces[-1].strip(b" "):
        pieces.pop()
        rows.pop()
    first_labels = labels in ("columns", "both")
    if labels == "automatic":
        kinds = [kind(cell) for cell in rows[0]]
        first_labels = "text" in kinds and not {"number", "infinite"} & set(kinds)
        if len(kinds) > 1 and kinds[0] == "text" and set(kinds[1:]) == {"missing"}:
            return None
    column_labels = rows[0] if first_labels else []
    body = rows[1:] if first_labels else rows
    if not body:
        return None
    with_rows = labels in ("rows", "both")
    if labels == "automatic":
        below = [kind(row[0]) for row in rows[1:]]
        if not below or (not first_labels and len(rows) == 1):
            below = [kind(rows[0][0])]
        with_rows = "text" in below and not {"number", "infinite"} & set(below)
        if with_rows and not first_labels and kind(rows[0][0]) in ("number", "infinite"):
            return None
    row_labels = []
    if with_rows:
        row_labels = [row[0] for row in body]
        body = [row[1:] for row in body]
        column_labels = column_labels[1:]
    if not body[0]:
        return None
    array = []
    for row in body:
        if any(kind(cell) in ("text", "infinite") for cell in row):
            return None
        array.append([value(cell) for cell in row])
        if any(cell is None for cell in array[-1]):
            return None
    for names in (row_labels, column_labels):
        if len(set(names)) != len(names):
            return None
        if any(re.search("[\x00-\x09\x0b\x0c\x0e-\x1f\x7f-\x9f]|\r(?!\n)", name) for name in names):
            return None
    array = np.array(array, dtype=np.float64)
    return dict(kind="dense", shape=array.shape, array=array, labels=[row_labels, column_labels])


def sparse(matrix):
    matrix = scipy.sparse.coo_matrix(matrix)
    return dict(kind="sparse", shape=matrix.shape, at=np.stack([matrix.row, matrix.col], 1).astype(np.int64),
                values=matrix.data.astype(np.float64))


def dense(array):
    array = np.asarray(array)
    if array.ndim == 1:
        array = array[:, None]
    return dict(kind="dense", shape=array.shape, array=array.astype(np.float64))


def matrix_market(data):
    if data.startswith(b"\xef\xbb\xbf"):
        data = data[3:]
    if not any(line.strip() and not line.startswith(b"%") for line in data.splitlines()):
        return None  # SciPy looks for the size line for ever
    try:
        result = scipy.io.mmread(io.BytesIO(data))
    except Exception:
        return None
    return sparse(result) if scipy.sparse.issparse(result) else dense(result)


def tns(data, base=1, shape=None):
    if data.startswith(b"\xef\xbb\xbf"):
        data = data[3:]
    try:
        lines = [line.split() for line in data.decode().splitlines() if line.strip() and not line.startswith("#")]
        at = np.array([[int(field) for field in line[:-1]] for line in lines], np.int64) - base
        values = np.array([float(line[-1]) for line in lines])
    except Exception:
        return None
    if at.ndim != 2 or at.size == 0 or at.min() < 0 or np.isinf(values).any() or len({tuple(row) for row in at}) < len(at):
        return None
    shape = list(shape or at.max(0) + 1)
    if at.shape[1] == 1:
        at = np.c_[at, np.zeros(len(at), np.int64)]
        shape.append(1)
    return dict(kind="sparse", shape=[int(n) for n in shape], at=at, values=values)


def npy(data):
    try:
        array = np.load(io.BytesIO(data), allow_pickle=False)
    except Exception:
        return None
    if array.dtype.kind not in "fiub" or array.ndim == 0 or array.size == 0:
        return None
    if not np.isfinite(array[~np.isnan(array)] if array.dtype.kind == "f" else array).all():
        return None
    return dense(array)


def npz_sparse(data):
    try:
        return sparse(scipy.sparse.load_npz(io.BytesIO(data)))
    except Exception:
        return None
