"""Every kind of input gives the bits of the plain array and is left as it was."""

import copy
import decimal
import types

import numpy as np
import pytest
import scipy.sparse as sp

import gingham
from kinds import Subclass, base, cube, memmap, read_only, wide_indices
from support import RECORDS, bits, estimator, extras, of_kind, plain_data, result_bits

pandas = pytest.importorskip("pandas")
pytestmark = pytest.mark.filterwarnings("ignore")
MATRIX_METHODS = of_kind("matrix")
SPARSE_METHODS = [name for name in MATRIX_METHODS if RECORDS[name]["accepts_sparse"]]


def strided(X):
    big = np.full((3 * X.shape[0], 2 * X.shape[1]), np.pi)
    big[1::3, ::2] = X
    return big[1::3, ::2]


def unaligned(X):
    memory = bytearray(X.nbytes + 1)
    array = np.frombuffer(memory, dtype=np.uint8)[1:].view(np.float64).reshape(X.shape)
    array[:] = X
    return array


class Arraylike:
    def __init__(self, X):
        self._X = X

    def __array__(self, dtype=None, copy=None):
        return self._X if dtype is None else self._X.astype(dtype)


def on_disk(X, folder, write):
    path = folder / "array.npy"
    np.save(path, X)
    return write(path)


def anndata_of(X):
    anndata = pytest.importorskip("anndata")
    return anndata.AnnData(X.astype(np.float32) if isinstance(X, np.ndarray) else X)


DENSE = {
    "float16": lambda X, _: X.astype(np.float16),
    "float32": lambda X, _: X.astype(np.float32),
    "long double": lambda X, _: X.astype(np.longdouble),
    "int8": lambda X, _: X.astype(np.int8),
    "int32": lambda X, _: X.astype(np.int32),
    "int64": lambda X, _: X.astype(np.int64),
    "uint64": lambda X, _: X.astype(np.uint64),
    "Fortran order": lambda X, _: np.asfortranarray(X),
    "float32 in Fortran order": lambda X, _: np.asfortranarray(X, dtype=np.float32),
    "negative strides": lambda X, _: X[::-1, ::-1].copy()[::-1, ::-1],
    "strided view": lambda X, _: strided(X),
    "transposed view": lambda X, _: np.ascontiguousarray(X.T).T,
    "unaligned": lambda X, _: unaligned(X),
    "read-only": lambda X, _: read_only(X),
    "memmap": memmap,
    "other byte order": lambda X, _: X.astype(">f8"),
    "other byte order, int16": lambda X, _: X.astype(">i2"),
    "objects": lambda X, _: X.astype(object),
    "decimals": lambda X, _: np.array([[decimal.Decimal(v) for v in row] for row in X.tolist()], dtype=object),
    "list of lists": lambda X, _: X.tolist(),
    "tuple of tuples": lambda X, _: tuple(map(tuple, X.astype(int).tolist())),
    "list of arrays": lambda X, _: list(X),
    "matrix": lambda X, _: np.matrix(X),
    "subclass": lambda X, _: X.view(Subclass),
    "has __array__": lambda X, _: Arraylike(X),
    "memoryview": lambda X, _: memoryview(X),
    "masked, nothing missing": lambda X, _: np.ma.MaskedArray(X),
    "masked ints": lambda X, _: np.ma.MaskedArray(X.astype(np.int16), mask=np.zeros(X.shape, bool)),
    "DataFrame": lambda X, _: pandas.DataFrame(X),
    "DataFrame with names": lambda X, _: pandas.DataFrame(X, index=[f"r{i}" for i in range(len(X))]).add_prefix("c"),
    "DataFrame of ints": lambda X, _: pandas.DataFrame(X.astype(int)),
    "DataFrame, mixed": lambda X, _: pandas.DataFrame(X).astype({0: np.int8, 2: np.float32}),
    "DataFrame, Int64": lambda X, _: pandas.DataFrame(X.astype(int)).astype("Int64"),
    "DataFrame, Float64": lambda X, _: pandas.DataFrame(X).astype("Float64"),
    "DataFrame, objects": lambda X, _: pandas.DataFrame(X).astype(object),
    "AnnData": lambda X, _: anndata_of(X),
    "path": lambda X, folder: on_disk(X, folder, str),
    "Path": lambda X, folder: on_disk(X, folder, lambda path: path),
    "Data": lambda X, folder: on_disk(X, folder, gingham.read),
    "float32 file": lambda X, folder: on_disk(X.astype(np.float32), folder, str),
}


def unsorted_csr(X):
    csr = sp.csr_matrix(X)
    for i in range(csr.shape[0]):
        place = slice(csr.indptr[i], csr.indptr[i + 1])
        csr.indices[place], csr.data[place] = csr.indices[place][::-1].copy(), csr.data[place][::-1].copy()
    return sp.csr_matrix((csr.data, csr.indices, csr.indptr), shape=csr.shape)


def twice(X):
    """Every entry as two halves; in CSR and not in order."""
    coo = sp.coo_matrix(X)
    order = np.argsort(np.r_[coo.row, coo.row], kind="stable")
    halves = np.r_[coo.data - 1, np.ones(coo.nnz)][order]
    columns = np.r_[coo.col, coo.col][order]
    pointers = np.r_[0, 2 * np.cumsum((X != 0).sum(axis=1))]
    return sp.csr_matrix((halves, columns, pointers), shape=X.shape)


def like_coo(X):
    """What the class COO of the package sparse looks like."""
    coords = np.array(np.nonzero(X))
    return types.SimpleNamespace(coords=coords, data=X[tuple(coords)], shape=X.shape, ndim=X.ndim, fill_value=0.0)


def shuffled_coordinates(X):
    coords = np.array(np.nonzero(X))
    coords = coords[:, np.random.default_rng(2).permutation(coords.shape[1])]
    return gingham.Coordinates(coords, X[tuple(coords)], X.shape)


def sparse_file(X, folder, write):
    path = folder / "sparse.npz"
    sp.save_npz(path, sp.csr_matrix(X))
    return write(path)


SPARSE = {
    "csc": lambda X, _: sp.csc_matrix(X),
    "coo": lambda X, _: sp.coo_matrix(X),
    "lil": lambda X, _: sp.lil_matrix(X),
    "dok": lambda X, _: sp.dok_matrix(X),
    "bsr": lambda X, _: sp.csr_matrix(X).tobsr((1, 1)),
    "dia": lambda X, _: sp.dia_matrix(X),
    "csr_array": lambda X, _: sp.csr_array(X),
    "csc_array": lambda X, _: sp.csc_array(X),
    "coo_array": lambda X, _: sp.coo_array(X),
    "float32": lambda X, _: sp.csr_matrix(X.astype(np.float32)),
    "ints": lambda X, _: sp.csr_matrix(X.astype(np.int16)),
    "unsorted": lambda X, _: unsorted_csr(X),
    "duplicates": lambda X, _: twice(X),
    "duplicates in coo": lambda X, _: twice(X).tocoo(),
    "int64 indices": lambda X, _: wide_indices(X),
    "DataFrame": lambda X, _: pandas.DataFrame.sparse.from_spmatrix(sp.csr_matrix(X)),
    "AnnData, csr": lambda X, _: anndata_of(sp.csr_matrix(X.astype(np.float32))),
    "AnnData, csc": lambda X, _: anndata_of(sp.csc_matrix(X)),
    "Coordinates": lambda X, _: gingham.Coordinates(np.nonzero(X), X[np.nonzero(X)], X.shape),
    "Coordinates, shuffled": lambda X, _: shuffled_coordinates(X),
    "like sparse.COO": lambda X, _: like_coo(X),
    "sparse.COO": lambda X, _: pytest.importorskip("sparse").COO.from_numpy(X),
    "path": lambda X, folder: sparse_file(X, folder, str),
    "Data": lambda X, folder: sparse_file(X, folder, gingham.read),
}


def state_of(value):
    """The content of an input, whatever it is."""
    if sp.issparse(value) and not hasattr(value, "indptr"):
        return type(value), bits(value.tocsr())
    if sp.issparse(value):
        return bits([value.data, value.indices, value.indptr])
    if hasattr(value, "coords"):
        return bits([np.asarray(value.coords), np.asarray(getattr(value, "values", getattr(value, "data", None)))])
    if hasattr(value, "to_numpy"):
        values = [str(one) for one in value.to_numpy(dtype=object).ravel()]
        return values, list(value.dtypes), list(value.index), list(value.columns)
    if hasattr(value, "obs_names"):
        return state_of(value.X), list(value.obs_names)
    if isinstance(value, np.ma.MaskedArray):
        return bits(value.data), bits(np.ma.getmaskarray(value))
    if isinstance(value, np.ndarray):
        return bits(value), value.strides, value.flags.writeable
    if isinstance(value, dict):
        return {key: state_of(one) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [state_of(one) for one in value]
    return bits(np.asarray(value)) if isinstance(value, (Arraylike, memoryview)) else None


def same_bits(name, given, expected):
    before = copy.deepcopy(state_of(given))
    found = estimator(name).fit(given)
    assert state_of(given) == before, "the input was changed"
    assert result_bits(found) == expected


@pytest.fixture(scope="module")
def dense_bits():
    return {name: result_bits(estimator(name).fit(base())) for name in MATRIX_METHODS}


@pytest.fixture(scope="module")
def sparse_bits():
    return {name: result_bits(estimator(name).fit(sp.csr_matrix(base()))) for name in SPARSE_METHODS}


@pytest.mark.parametrize("kind", DENSE)
def test_dense(kind, dense_bits, tmp_path):
    for name in MATRIX_METHODS:
        same_bits(name, DENSE[kind](base(), tmp_path), dense_bits[name])


@pytest.mark.parametrize("kind", SPARSE)
def test_sparse(kind, sparse_bits, tmp_path):
    for name in SPARSE_METHODS:
        same_bits(name, SPARSE[kind](base(), tmp_path), sparse_bits[name])


def test_sparse_is_about_the_dense(dense_bits, sparse_bits):
    X = base()
    for name in SPARSE_METHODS:
        one, other = estimator(name).fit(X), estimator(name).fit(sp.csr_matrix(X))
        assert one.objective_ == pytest.approx(other.objective_, rel=1e-4), name
        assert one.verify(X) == [] and other.verify(sp.csr_matrix(X)) == []


def test_sparse_where_the_method_is_dense_only():
    for name in set(MATRIX_METHODS) - set(SPARSE_METHODS):
        with pytest.raises((ValueError, TypeError), match="(?i)sparse|dense"):
            estimator(name).fit(sp.csr_matrix(base()))


def test_bool():
    X = base() > 4
    for name in MATRIX_METHODS:
        expected = result_bits(estimator(name).fit(X.astype(float)))
        same_bits(name, X, expected)
        same_bits(name, pandas.DataFrame(X), expected)
        same_bits(name, X.tolist(), expected)
    same_bits("ssvd", sp.csr_matrix(X), result_bits(estimator("ssvd").fit(sp.csr_matrix(X.astype(float)))))


# -- what is missing

MISSING = {
    "masked": lambda X, hole: np.ma.MaskedArray(np.where(hole, 77, X), mask=hole),
    "masked ints": lambda X, hole: np.ma.MaskedArray(np.where(hole, 77, X).astype(int), mask=hole),
    "masked over infinity": lambda X, hole: np.ma.MaskedArray(np.where(hole, np.inf, X), mask=hole),
    "masked Fortran": lambda X, hole: np.ma.MaskedArray(np.asfortranarray(np.where(hole, 7, X)), mask=hole),
    "float32": lambda X, hole: np.where(hole, np.nan, X).astype(np.float32),
    "None in objects": lambda X, hole: np.where(hole, None, X),
    "None in lists": lambda X, hole: np.where(hole, None, X).tolist(),
    "DataFrame": lambda X, hole: pandas.DataFrame(np.where(hole, np.nan, X)),
    "Float64": lambda X, hole: pandas.DataFrame(np.where(hole, np.nan, X)).astype("Float64"),
    "Int64": lambda X, hole: pandas.DataFrame(np.where(hole, np.nan, X)).astype("Int64"),
    "NA in objects": lambda X, hole: pandas.DataFrame(X).astype(object).mask(hole, pandas.NA),
}


@pytest.mark.parametrize("kind", MISSING)
def test_missing(kind):
    X, hole = base(), np.random.default_rng(4).random(base().shape) < 0.1
    for name in MATRIX_METHODS:
        given = MISSING[kind](X, hole)
        if RECORDS[name]["accepts_missing"]:
            same_bits(name, given, result_bits(estimator(name).fit(np.where(hole, np.nan, X))))
        else:
            with pytest.raises(ValueError, match="(?i)X.*(missing|nan)"):
                estimator(name).fit(given)


def test_unlisted_cells_may_be_missing():
    X = base()
    csr = sp.csr_matrix(X)
    filled = types.SimpleNamespace(**{**vars(like_coo(X)), "fill_value": np.nan})
    for name in SPARSE_METHODS:
        if not RECORDS[name]["accepts_missing"]:
            with pytest.raises(ValueError, match="(?i)missing|unlisted"):
                estimator(name).fit(csr, unlisted="missing")
            continue
        one = estimator(name).fit(csr, unlisted="missing")
        assert result_bits(estimator(name).fit(filled)) == result_bits(one)
        assert result_bits(estimator(name).fit(sp.coo_array(X), unlisted="missing")) == result_bits(one)
        coordinates = gingham.Coordinates(np.nonzero(X), X[np.nonzero(X)], X.shape, unlisted="missing")
        assert result_bits(estimator(name).fit(coordinates)) == result_bits(one)
        dense = estimator(name).fit(np.where(X == 0, np.nan, X))
        assert one.result_.inputs[0]["missing"] == dense.result_.inputs[0]["missing"] == (X == 0).sum()
        assert one.verify() == dense.verify() == []


# -- arrays of more modes, series, views

TENSORS = {
    "Fortran order": np.asfortranarray,
    "moved axes": lambda X: np.moveaxis(np.moveaxis(X, 0, 2).copy(), 2, 0),
    "lists": lambda X: X.tolist(),
    "list of matrices": list,
    "masked": np.ma.MaskedArray,
    "read-only": read_only,
    "byte order": lambda X: X.astype(">f8"),
    "objects": lambda X: X.astype(object),
}
SPARSE_TENSORS = {
    "triple": lambda X: (np.nonzero(X), X[np.nonzero(X)], X.shape),
    "triple, array of indices": lambda X: (np.array(np.nonzero(X)).astype(np.uint8), X[np.nonzero(X)], X.shape),
    "triple of lists": lambda X: ([one.tolist() for one in np.nonzero(X)], X[np.nonzero(X)].tolist(), list(X.shape)),
    "pair": lambda X: (np.nonzero(X), X[np.nonzero(X)]),
    "shuffled": shuffled_coordinates,
    "like sparse.COO": like_coo,
    "sparse.COO": lambda X: pytest.importorskip("sparse").COO.from_numpy(X),
}


@pytest.mark.parametrize("name", of_kind("tensor"))
def test_tensors(name):
    X = cube()
    dense = result_bits(estimator(name).fit(X))
    for kind, make in TENSORS.items():
        same_bits(name, make(X), dense)
    sparse = estimator(name).fit(gingham.Coordinates(np.nonzero(X), X[np.nonzero(X)], X.shape))
    assert sparse.objective_ == pytest.approx(estimator(name).fit(X).objective_, rel=1e-4)
    for kind, make in SPARSE_TENSORS.items():
        same_bits(name, make(X), result_bits(sparse))
    flat = X[:, :, 0]
    same_bits(name, pandas.DataFrame(flat), result_bits(estimator(name).fit(flat)))


def parts_of(X):
    yield "tuple", tuple(X)
    yield "names", {f"part {i}": part for i, part in enumerate(X)}
    yield "Fortran", [np.asfortranarray(part) for part in X]
    yield "tables", [pandas.DataFrame(part) for part in X]
    yield "lists", [part.tolist() for part in X]
    yield "mixed", [pandas.DataFrame(X[0]), *X[1:]]
    yield "masked", [np.ma.MaskedArray(part) for part in X]
    yield "strided", [strided(part) for part in X]
    if len({part.shape for part in X}) == 1:
        yield "array of times x rows x columns", np.array(X)
        yield "the same in Fortran order", np.asfortranarray(X)


@pytest.mark.parametrize("name", of_kind("series", "views"))
def test_series_and_views(name, tmp_path):
    X = plain_data(name)
    expected = result_bits(estimator(name).fit(X))
    for kind, given in parts_of(X):
        same_bits(name, given, expected)
    files = []
    for i, part in enumerate(X):
        files.append(tmp_path / f"{i}.npy")
        np.save(files[-1], part)
    same_bits(name, files, expected)
    same_bits(name, [str(files[0]), *X[1:]], expected)
    assert result_bits(estimator(name).fit(gingham.read(*files))) == expected
    sparse = result_bits(estimator(name).fit([sp.csr_matrix(part) for part in X]))
    same_bits(name, [sp.csc_matrix(part) for part in X], sparse)
    same_bits(name, tuple(sp.coo_array(part) for part in X), sparse)
    same_bits(name, {i: sp.lil_matrix(part) for i, part in enumerate(X)}, sparse)


# -- groups and other lists

def test_groups_of_every_kind(tmp_path):
    X, groups = plain_data("groupnmf"), extras("groupnmf")["groups"]
    (tmp_path / "groups.txt").write_text("".join(f"{one}\n" for one in groups))
    expected = result_bits(estimator("groupnmf", groups=groups).fit(X))
    numbers = np.unique(groups, return_inverse=True)[1]
    kinds = [tuple(groups), np.array(groups), np.array(groups, dtype=object), pandas.Series(groups),
             pandas.Series(groups, dtype="category"), pandas.Categorical(groups), pandas.Index(groups),
             tmp_path / "groups.txt", str(tmp_path / "groups.txt")]
    for given in kinds:
        assert result_bits(estimator("groupnmf", groups=given).fit(X)) == expected, type(given)
    by_number = result_bits(estimator("groupnmf", groups=numbers).fit(X))
    for given in [numbers.tolist(), numbers.astype(np.uint8), numbers.astype(float), pandas.Series(numbers),
                  [str(one) for one in numbers]]:
        assert result_bits(estimator("groupnmf", groups=given).fit(X)) == by_number
    several = [[one, "all"] if i % 2 else [one] for i, one in enumerate(groups)]  # an item may be in several
    as_text = [",".join(one) for one in several]
    assert result_bits(estimator("groupnmf", groups=several).fit(X)) == result_bits(
        estimator("groupnmf", groups=as_text).fit(X))
    turned = estimator("groupnmf", groups=groups, axis="rows").fit(X.T)
    assert turned.group_norms_.shape == (len(set(groups)), 3)


# -- transform takes the same kinds

@pytest.mark.parametrize("name", ["nmf", "dictionary", "kmeans", "groupnmf"])
def test_transform_of_every_kind(name, tmp_path):
    X = base()
    one = estimator(name).fit(X)
    expected, labels, score = bits(one.transform(X)), bits(one.predict(X)), one.score(X)
    for kind, make in DENSE.items():
        if kind.startswith("DataFrame"):
            continue  # names of columns that the fit did not have: a warning, tested by scikit-learn
        given = make(X, tmp_path)
        before = copy.deepcopy(state_of(given))
        assert (bits(one.transform(given)), bits(one.predict(given)), one.score(given)) == (expected, labels, score)
        assert state_of(given) == before
    if name in SPARSE_METHODS:
        expected = bits(one.transform(sp.csr_matrix(X)))
        for kind, make in SPARSE.items():
            assert bits(one.transform(make(X, tmp_path))) == expected, kind


def test_threads_of_a_transform_are_those_of_the_fit():
    X = base()
    expected = bits(estimator("nmf").fit(X).transform(X))
    for threads in (None, 1, "2", np.int64(2)):
        one = estimator("nmf", threads=threads).fit(X)
        assert bits(one.transform(X)) == bits(one.transform(X, threads=1)) == expected


# -- kinds within kinds, files, room to spare

def test_masks_within_lists_and_coordinates_are_missing_values():
    X = np.random.default_rng(0).random((30, 6))
    rows = [np.ma.array(row, mask=row > 0.9) for row in X]
    assert gingham.SparseSVD(clusters=1).fit(rows).result_.inputs[0]["missing"] == (X > 0.9).sum()
    values = gingham.Coordinates(([0, 1], [0, 1], [0, 1]), np.ma.array([1.0, 2.0], mask=[0, 1])).values
    assert values[0] == 1 and np.isnan(values[1])


def test_a_sparse_matrix_may_have_room_for_more_entries():
    X = np.random.default_rng(0).random((30, 6))
    roomy = sp.csr_matrix(X)
    roomy.indices = np.append(roomy.indices, [0, 0]).astype(np.int32)
    roomy.data = np.append(roomy.data, [9.0, 9.0])
    expected = gingham.SparseSVD(clusters=1).fit(sp.csr_matrix(X))
    assert gingham.SparseSVD(clusters=1).fit(roomy).objective_ == expected.objective_


def test_arrays_of_files_know_what_unlisted_means(tmp_path):
    S = sp.random(30, 20, 0.3, random_state=0, format="csr")
    gingham.write(tmp_path / "m.mtx", S)
    data = gingham.read(tmp_path / "m.mtx", unlisted="missing")
    expected = gingham.NMF(rank=2).fit(S, unlisted="missing").objective_
    assert gingham.NMF(rank=2).fit(data).objective_ == gingham.NMF(rank=2).fit(data.X).objective_ == expected


def test_lists_of_paths_are_read_with_their_names(tmp_path):
    pandas = pytest.importorskip("pandas")
    X = np.random.default_rng(0).random((30, 6))
    table = pandas.DataFrame(X, index=[f"r{i}" for i in range(30)], columns=list("abcdef"))
    paths = [tmp_path / "v1.csv", tmp_path / "v2.csv"]
    for path in paths:
        table.to_csv(path)
    for given in (paths, [str(path) for path in paths]):
        one = gingham.MultiviewCoclusters(clusters=2).fit(given)
        assert set(one.result_.clusters["label"]) <= set(table.index) | set(table.columns)
        assert one.result_.inputs[0]["path"] == str(paths[0])
        assert one.transform(given).shape == (30, 2)


def test_a_table_that_is_not_of_pandas():
    X = np.random.default_rng(0).random((30, 3))
    table = types.SimpleNamespace(columns=["a", "b", "c"], to_numpy=lambda: X)
    assert gingham.SparseSVD(clusters=1).fit(table).objective_ == gingham.SparseSVD(clusters=1).fit(X).objective_


def test_several_arrays_are_not_written_to_one_file(tmp_path):
    X = np.ones((3, 2))
    np.save(tmp_path / "a.npy", X)
    with pytest.raises(ValueError, match="X: there are 2 arrays"):
        gingham.write(tmp_path / "b.npy", gingham.read(tmp_path / "a.npy", tmp_path / "a.npy"))
    assert not (tmp_path / "b.npy").exists()
