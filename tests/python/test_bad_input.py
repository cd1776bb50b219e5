"""What is wrong is a ValueError or TypeError that names the argument; the estimator is left as it was."""

import random
import types

import numpy as np
import pytest
import scipy.sparse as sp

import gingham
from gingham._options import MissingFile
from support import NAMES, RECORDS, class_of, estimator, extras, of_kind, plain_data, result_bits

pandas = pytest.importorskip("pandas")
pytestmark = pytest.mark.filterwarnings("ignore")
ACCEPTED = (ValueError, TypeError)


def fitted_attributes(one):
    return {key for key in vars(one) if key.endswith("_") or key.startswith("_")} - set(one.get_params())


def refused(action, *words, one=None):
    """ValueError or TypeError (no other kind), with one of the words in it, and nothing left of it in `one`."""
    before = fitted_attributes(one) if one is not None else None
    with pytest.raises(ACCEPTED) as caught:
        action()
    text = str(caught.value)
    assert type(caught.value) in (ValueError, TypeError, MissingFile), type(caught.value)
    assert not words or any(word in text for word in words), f"{text!r} does not name any of {words}"
    assert "incompatible function arguments" not in text and "_core" not in text, text
    assert len(text) < 1000
    if one is not None:
        assert fitted_attributes(one) == before
        assert not one.__sklearn_is_fitted__()


# -- data

def lying(change, format="csr"):
    matrix = sp.csr_matrix(np.arange(12.0).reshape(4, 3)).asformat(format)
    change(matrix)
    return matrix


def set_index(csr, value, at=0):
    csr.indices[at] = value


def set_pointer(csr, value, at=1):
    csr.indptr[at] = value


BAD_MATRICES = {
    "nothing": None,
    "a number": 3.0,
    "0-d": np.array(3.0),
    "1-d": np.arange(4.0),
    "list of numbers": [1.0, 2.0],
    "empty list": [],
    "empty rows": [[], []],
    "no rows": np.empty((0, 3)),
    "no columns": np.empty((3, 0)),
    "ragged": [[1.0, 2.0], [3.0]],
    "text": np.array([["a", "b"], ["c", "d"]]),
    "bytes": np.array([[b"a", b"b"]]),
    "objects with text": np.array([[1, "b"], [2, 3]], dtype=object),
    "objects": np.array([[object(), 1], [1, 2]], dtype=object),
    "list of dicts": [[{}], [{}]],
    "sets": {1, 2},
    "complex": np.ones((3, 3), dtype=complex),
    "complex list": [[1j, 2], [3, 4]],
    "dates": np.zeros((3, 3), dtype="datetime64[D]"),
    "spans": np.zeros((3, 3), dtype="timedelta64[s]"),
    "structured": np.zeros((3, 3), dtype=[("a", float), ("b", int)]),
    "void": np.zeros((3, 3), dtype="V8"),
    "infinite": np.array([[1.0, np.inf], [1, 2], [3, 4]]),
    "minus infinity": np.array([[1.0, -np.inf], [1, 2], [3, 4]]),
    "too large for a float": [[10**400, 1], [2, 3]],
    "all missing": np.full((3, 3), np.nan),
    "infinite, masked elsewhere": np.ma.MaskedArray([[np.inf, 1.0], [1, 2]], mask=[[0, 1], [0, 0]]),
    "complex, masked": np.ma.MaskedArray(np.ones((2, 2), complex)),
    "a file that is not there": "no/such/file.npy",
    "a folder": ".",
    "an odd name": "file.xyz",
    "a table of text": pandas.DataFrame({"a": ["x", "y"], "b": ["z", "w"]}),
    "a table of dates": pandas.DataFrame({"a": pandas.date_range("2020-01-01", periods=3)}),
    "a table of classes": pandas.DataFrame({"a": pandas.Categorical(["u", "v"])}),
    "an empty table": pandas.DataFrame(),
    "a column": pandas.Series([1.0, 2.0]),
    "a class": np.ndarray,
    "a function": len,
    "a generator": (i for i in range(3)),
    "sparse of complex": sp.csr_matrix(np.ones((2, 2), dtype=complex)),
    "sparse, no rows": sp.csr_matrix((0, 3)),
    "sparse, no columns": sp.csr_matrix((3, 0)),
    "sparse, infinite": sp.csr_matrix([[np.inf, 1.0], [1, 2]]),
    "sparse, index too large": lying(lambda m: set_index(m, 3)),
    "sparse, index far too large": lying(lambda m: set_index(m, 2**31 - 1, -1)),
    "sparse, index negative": lying(lambda m: set_index(m, -1)),
    "sparse, pointers fall": lying(lambda m: set_pointer(m, 9)),
    "sparse, pointers negative": lying(lambda m: set_pointer(m, -5)),
    "sparse, first pointer": lying(lambda m: set_pointer(m, 1, 0)),
    "sparse, last pointer": lying(lambda m: set_pointer(m, 99, -1)),
    "sparse, pointers too short": lying(lambda m: setattr(m, "indptr", m.indptr[:-1])),
    "sparse, values too short": lying(lambda m: setattr(m, "data", m.data[:-2])),
    "sparse, indices too short": lying(lambda m: setattr(m, "indices", m.indices[:-2])),
    "sparse, indices are floats": lying(lambda m: setattr(m, "indices", m.indices.astype(float))),
    "sparse, not in order and index too large": lying(lambda m: (set_index(m, 9), set_index(m, 0, 1))),
    "by columns, index too large": lying(lambda m: set_index(m, 2**30), "csc"),
    "by columns, index negative": lying(lambda m: set_index(m, -(2**30)), "csc"),
    "by columns, pointers fall": lying(lambda m: set_pointer(m, 9), "csc"),
    "by columns, last pointer": lying(lambda m: set_pointer(m, 2**30, -1), "csc"),
    "blocks, index too large": lying(lambda m: set_index(m, 2**30), "bsr"),
    "blocks, pointers fall": lying(lambda m: set_pointer(m, 2**30, 1), "bsr"),
    "coo, row too large": lying(lambda m: m.row.__setitem__(0, 2**30), "coo"),
    "coo, column negative": lying(lambda m: m.col.__setitem__(0, -(2**30)), "coo"),
    "coo, values too short": lying(lambda m: setattr(m, "data", m.data[:-2]), "coo"),
    "coo, rows too short": lying(lambda m: setattr(m, "row", m.row[:-2]), "coo"),
    "lists, index too large": lying(lambda m: m.rows.__setitem__(0, [1, 2**30]), "lil"),
    "coordinates, one mode": gingham.Coordinates([[0, 1]], [1.0, 2], (2,)),
    "coordinates, lengths differ": gingham.Coordinates([[0, 1], [0, 1, 2]], [1.0, 2], (2, 3)),
    "coordinates, too few values": gingham.Coordinates([[0, 1], [0, 1]], [1.0], (2, 3)),
    "coordinates, out of range": gingham.Coordinates([[0, 1], [0, 7]], [1.0, 2], (2, 3)),
    "coordinates, negative": gingham.Coordinates([[0, 1], [0, -1]], [1.0, 2], (2, 3)),
    "coordinates, not whole": gingham.Coordinates([[0, 1], [0, 0.5]], [1.0, 2], (2, 3)),
    "coordinates, twice": gingham.Coordinates([[0, 0], [1, 1]], [1.0, 2], (2, 3)),
    "coordinates, huge indices": gingham.Coordinates(np.array([[0, 2**40], [1, 1]]), [1.0, 2], (2**41, 3)),
    "coordinates, more modes than shape": gingham.Coordinates([[0, 0], [0, 1], [0, 0]], [1.0, 2], (2, 3)),
    "coordinates, text": gingham.Coordinates([[0, 0], [0, 1]], ["a", "b"], (2, 3)),
    "coordinates, names too few": gingham.Coordinates([[0, 0], [0, 1]], [1.0, 2.0], (2, 3), names=[["a"], None]),
    "coordinates, names for too many": gingham.Coordinates([[0, 0], [0, 1]], [1.0, 2.0], (2, 3), names=[None] * 3),
    "coordinates, bad word": gingham.Coordinates([[0, 0], [0, 1]], [1.0, 2.0], (2, 3), unlisted="never"),
    "coordinates, bad rule": gingham.Coordinates([[0, 0], [0, 1]], [1.0, 2.0], (2, 3), duplicates="max"),
    "like COO, filled with 1": types.SimpleNamespace(coords=np.zeros((2, 1), int), data=np.ones(1), shape=(2, 3),
                                                     fill_value=1.0),
    "names too few": types.SimpleNamespace(obs_names=["a"], var_names=["a", "b"], X=np.ones((3, 2))),
}


@pytest.mark.parametrize("kind", BAD_MATRICES)
def test_bad_matrix(kind):
    bad = BAD_MATRICES[kind]
    words = ("X", "file", ".") if isinstance(bad, str) else ("X", "unlisted", "duplicates")
    for name in NAMES:
        one = estimator(name)
        if kind == "all missing" and RECORDS[name]["accepts_missing"]:
            continue
        if RECORDS[name]["input"] in ("matrix", "tensor"):
            refused(lambda: one.fit(bad), *words, one=one)
        else:
            good = plain_data(name)
            refused(lambda: one.fit(bad), *words, one=one)
            refused(lambda: one.fit([bad] * len(good)), *words, one=one)
            refused(lambda: one.fit([good[0], bad]), *words, "rows", one=one)


@pytest.mark.parametrize("name", NAMES)
def test_a_fitted_estimator_stays_what_it_was(name):
    X = plain_data(name)
    one = estimator(name, **extras(name)).fit(X)
    before, keys = result_bits(one), set(vars(one))
    for bad in (None, np.empty((0, 3)), "no/such.npy", [["a"]]):
        with pytest.raises(ACCEPTED):
            one.fit(bad)
        assert set(vars(one)) == keys and result_bits(one) == before
    one.seed = "nonsense"
    refused(lambda: one.fit(X), "seed")
    assert result_bits(one) == before and one.verify() == []


@pytest.mark.parametrize("name", NAMES)
def test_missing_and_negative_where_they_are_not_allowed(name):
    record, X = RECORDS[name], plain_data(name)
    parts = X if isinstance(X, list) else [X]
    if not record["accepts_missing"]:
        parts[-1][1, 1] = np.nan
        one = estimator(name)
        refused(lambda: one.fit(X), "X", one=one)
        parts[-1][1, 1] = 1.0
    if record["needs_nonnegative"]:
        parts[-1][1, 1] = -1.0
        one = estimator(name)
        refused(lambda: one.fit(X), "X", one=one)
        refused(lambda: one.fit(sp.csr_matrix(X)), "X", one=one)


@pytest.mark.parametrize("name", of_kind("matrix"))
def test_more_modes_than_a_matrix_has(name):
    one = estimator(name)
    for shape in ((2, 3, 4), (2, 2, 2, 2), (1, 1, 1)):
        refused(lambda: one.fit(np.ones(shape)), "X", one=one)
    refused(lambda: one.fit([np.ones((2, 3)), np.ones((2, 3))]), "X", one=one)
    refused(lambda: one.fit(gingham.Coordinates([[0], [0], [0]], [1.0], (2, 2, 2))), "X", one=one)


@pytest.mark.parametrize("name", of_kind("tensor"))
def test_bad_triples(name):
    one = estimator(name)
    indices, values, shape = [[0, 1], [0, 1], [0, 1]], [1.0, 2.0], (2, 2, 2)
    for bad in [(indices, values, (2, 2)), (indices, values, (1, 2, 2)), (indices, [1.0], shape),
                (indices[:2], values, shape), (indices, values, "abc"), (indices, values, 3),
                (indices, values, (2, 2, 2.5)), (indices, values, (2, 2, -2)), (indices, values, None, 4),
                ([[0, -1], [0, 1], [0, 1]], values, shape), ([[0, 0.5], [0, 1], [0, 1]], values, shape), (3, values,
                                                                                                          shape),
                ([], [], ()), ([[], [], []], [], None), (None, None, None), ([["a"], ["b"], ["c"]], [1.0], shape),
                ([[0, 0], [0, 0], [0, 0]], values, shape), (indices, np.ones((2, 2)), shape),
                (indices, values, (2, 2, 2**62)), (indices, values, (2**31, 2**31, 2**31)),
                ([[2**70], [0], [0]], [1.0], shape), (indices, ["a", "b"], shape)]:
        refused(lambda: one.fit(bad), "X", "coords", "shape", one=one)


@pytest.mark.parametrize("name", of_kind("series", "views"))
def test_parts_that_do_not_fit_together(name):
    X = plain_data(name)
    one = estimator(name)
    shorter, thinner = X[1][:-1], X[1][:-1, :-1]
    if RECORDS[name]["input"] == "views":
        refused(lambda: one.fit([X[0], shorter]), "X", "rows", one=one)
    refused(lambda: one.fit([X[0], thinner]), "X", "rows", "columns", one=one)
    refused(lambda: one.fit([]), "X", one=one)
    refused(lambda: one.fit({}), "X", one=one)
    refused(lambda: one.fit(np.empty((0, 3, 3))), "X", one=one)
    refused(lambda: one.fit(np.ones((2, 2, 2, 2))), "X", one=one)
    refused(lambda: one.fit([np.ones((2, 2, 2))] * 2), "X", one=one)
    refused(lambda: one.fit(X[0]), "X", one=one)
    refused(lambda: one.fit(pandas.DataFrame(X[0])), "X", one=one)
    refused(lambda: one.fit([X[0], None]), "X[1]", "X", one=one)
    refused(lambda: one.fit({"a": X[0], "b": "no/such.npy"}), "no/such", one=one)


# -- options

def bad_values(option):
    """Values that an option cannot take, whatever it means."""
    kind = option["type"]
    if kind == "integer":
        low = int(option["range"].split(" from ")[1].split(" to ")[0])
        high = int(option["range"].split(" to ")[1])
        yield from [low - 1, high + 1, -(10**30), 10**30, 1.5, float("nan"), float("inf"), "many", "1e", " 3", "0x10",
                    True, [1], {}, object(), 1j, b"3", np.array([1, 2]), np.array(1.5)]
    elif kind == "real":
        low, high = option["range"].split(" from ")[1].split(" to ")
        yield from [float(low) - 1, float(high) * 2 + 1, float("nan"), float("inf"), -float("inf"), "many", "1.1.",
                    "--1",
                    True, [1.0], {}, object(), 1j, b"3", np.array([1.0, 2.0])]
    elif kind == "penalties":
        yield from [-1, -1e-300, float("nan"), float("inf"), "many", "%", "-3%", "nan", "1;2", True, {}, object(), 1j,
                    b"3", np.ones((2, 2)), [None], [[1]], "1,,2", [float("nan")]]
    elif kind == "flag" or set(option["words"]) == {"yes", "no"}:
        yield from [2, "maybe", 1.5, [True], {}, object(), b"yes"]
    elif kind == "choice":
        yield from ["no such word", option["words"][0].upper() + "x", 7.25, True, [option["words"][0]], {}, object(),
                    b"x"]
    elif kind == "lines":
        yield from [3, 2.5, object(), True, "no/such/file.txt", ["only one"], np.ones((2, 2)), 1j, [object()] * 3]
    elif kind == "matrix":
        yield from [3, object(), "no/such/file.npy", np.ones(3), np.ones((2, 2, 2)), [["a"]], [[1j]], np.ones((1, 1)),
                    np.full((3, 3), np.nan), np.empty((0, 0)), True, {}]
    elif kind == "text":
        yield from [object(), {}, b"x", True, 1j, float("nan"), "\0", "no such thing"]


def key_of(option):
    key = option["name"].replace("-", "_")
    return key + "_" if key == "lambda" else key


@pytest.mark.parametrize("name", NAMES)
def test_every_option_refuses_what_it_cannot_take(name):
    X = plain_data(name)
    for option in RECORDS[name]["options"]:
        key = key_of(option)
        for value in bad_values(option):
            try:
                one = estimator(name, **{**extras(name), key: value})
                refused(lambda: one.fit(X), key, one=one)
            except BaseException as error:
                raise AssertionError(f"{key}={value!r}: {error}") from error


@pytest.mark.parametrize("name", NAMES)
def test_words_of_fit(name):
    X = plain_data(name)
    one = estimator(name)
    for words, named in [({"unlisted": "never"}, "unlisted"), ({"unlisted": 3}, "unlisted"),
                         ({"unlisted": None}, "unlisted"), ({"callback": 3}, "callback"), ({"callback": "f"},
                                                                                           "callback"),
                         ({"memory_limit": -1}, "memory_limit"), ({"memory_limit": "x"}, "memory_limit"),
                         ({"memory_limit": None}, "memory_limit"), ({"memory_limit": float("nan")}, "memory_limit"),
                         ({"no_such": 1}, "no_such")]:
        refused(lambda: one.fit(X, **words), named, one=one)


@pytest.mark.parametrize("groups", [["a"], ["a"] * 99, [], ["a\nb"] * 12, [["a", "b"]] * 11, {"a": 1}, 5, "no.txt",
                                    np.array([["a"] * 6] * 2), [None] * 11])
def test_groups_that_do_not_fit(groups):
    X = plain_data("groupnmf")
    one = estimator("groupnmf", groups=groups)
    refused(lambda: one.fit(X), "groups", one=one)


# -- applying

@pytest.mark.parametrize("name", [name for name in NAMES if RECORDS[name]["transforms"]])
def test_bad_new_data(name):
    X = plain_data(name)
    one = estimator(name).fit(X)
    before = result_bits(one)
    first = X[0] if isinstance(X, list) else X
    wrap = (lambda part: [part] * len(X)) if isinstance(X, list) else (lambda part: part)
    bad_data = [None, 3.0, np.ones((2, first.shape[1] + 1)), np.empty((0, first.shape[1])), [["a"]],
                first.astype(complex),
                np.full(first.shape, np.inf), "no/such.npy", [], {}, object()]
    for bad in bad_data:
        for use in (one.transform, one.predict, one.score):
            refused(lambda: use(wrap(bad)), "X", ".npy")
    for words, named in [({"axis": "diagonal"}, "axis"), ({"axis": 0}, "axis"), ({"axis": None}, "axis"),
                         ({"mode": 9}, "mode"), ({"mode": -1}, "mode"), ({"mode": "x"}, "mode"), ({"mode": 0.5},
                                                                                                  "mode"),
                                                                                                  ({"views": [7]},
                                                                                                   "views"),
                         ({"views": [-1]}, "views"), ({"views": "0"}, "views"), ({"views": 0}, "views"),
                         ({"views": [0, 0]}, "views"), ({"views": [0.5]}, "views"), ({"threads": -1}, "threads"),
                         ({"threads": "x"}, "threads"), ({"threads": 10**9}, "threads"), ({"threads": 1.5}, "threads"),
                         ({"unlisted": "never"}, "unlisted"), ({"no_such": 1}, "no_such"), ({"seed": 1}, "seed")]:
        refused(lambda: one.transform(X, **words), named)
    assert result_bits(one) == before


@pytest.mark.parametrize("name", [name for name in NAMES if not RECORDS[name]["transforms"]])
def test_what_cannot_be_applied_says_so(name):
    one = estimator(name).fit(plain_data(name))
    assert not hasattr(one, "transform") and not hasattr(one, "predict")
    with pytest.raises(AttributeError, match=type(one).__name__):
        one.apply(plain_data(name))


# -- other functions

def test_bad_calls_of_functions(tmp_path):
    metrics = gingham.metrics
    one = estimator("ssvd").fit(plain_data("ssvd"))
    (tmp_path / "file").write_text("x")
    calls = [
        lambda: gingham.simulate("no such"), lambda: gingham.simulate(3), lambda: gingham.simulate(None),
        lambda: gingham.simulate("kmeans", seed=-1), lambda: gingham.simulate("kmeans", seed="x"),
        lambda: gingham.simulate("kmeans", seed=None), lambda: gingham.simulate("kmeans", seed=float("nan")),
        lambda: gingham.simulate("kmeans", seed=1e300), lambda: gingham.simulate("kmeans", rows=-1),
        lambda: gingham.simulate("kmeans", rows="x"), lambda: gingham.simulate("kmeans", no_such=1),
        lambda: gingham.simulate("kmeans", rows=[3]), lambda: gingham.simulate("kmeans", rows=None, columns={}),
        lambda: gingham.read("no/such.npy"), lambda: gingham.read(), lambda: gingham.read(3),
        lambda: gingham.read(None),
        lambda: gingham.read(tmp_path / "file"), lambda: gingham.read(tmp_path), lambda: gingham.read("x.npy",
                                                                                                      unlisted="q"),
        lambda: gingham.read("x.npy", index_base=7), lambda: gingham.read("x.npy", index_base="a"),
        lambda: gingham.read("x.npy", duplicates="max"), lambda: gingham.read("x.npy", labels="some"),
        lambda: gingham.read("x.npy", shape="ab"), lambda: gingham.read("x.npy", names=3),
        lambda: gingham.read("x.npy", series_mode="x"), lambda: gingham.read("x.npy", memory_limit=-3),
        lambda: gingham.read("x.npy", threads=-1), lambda: gingham.read("x.npy", threads="all"),
        lambda: gingham.write(tmp_path / "x.npy", None), lambda: gingham.write(3, np.ones((2, 2))),
        lambda: gingham.write(tmp_path / "x.unknown", np.ones((2, 2))), lambda: gingham.write(tmp_path / "x.npy",
                                                                                              np.ones(2)),
        lambda: gingham.load(3), lambda: gingham.load(None), lambda: gingham.load(tmp_path), lambda: one.save(None),
        lambda: gingham.load(tmp_path / "file"), lambda: gingham.KMeans.load(tmp_path),
        lambda: one.report(X=np.ones((2, 2))), lambda: one.verify(3), lambda: one.verify("no/such.npy"),
        lambda: one.report(3.5),
        lambda: metrics.accuracy([1], [1, 2]), lambda: metrics.accuracy(3, 3), lambda: metrics.accuracy([[1]], [[1]]),
        lambda: metrics.adjusted_rand_index([1, 2], None), lambda: metrics.normalized_mutual_information([0], [0, 1]),
        lambda: metrics.s_index("abc", "abc"), lambda: metrics.scores([1.0], [[1.0]]), lambda: metrics.auc([1, 2], [1]),
        lambda: metrics.auc(["a"], [1]), lambda: metrics.auc([[1.0]], [[1]]),
        lambda: metrics.relative_squared_error([1], [1, 2]),
        lambda: metrics.relative_squared_error(["a"], ["a"]), lambda: metrics.consensus_score(3, 3),
        lambda: metrics.consensus_score([], []), lambda: metrics.consensus_score([np.ones((2, 3))],
                                                                                 [np.ones((2, 3))] * 2),
        lambda: metrics.consensus_score([np.ones(3)], [np.ones(3)]), lambda: metrics.consensus_score(None, None),
        lambda: gingham.Coordinates(3, [1.0]), lambda: gingham.Coordinates([[0], [0]], [1.0], (2, "x")),
        lambda: gingham.Coordinates([[], []], []), lambda: gingham.Coordinates([[0, 0], [0, 1]], [1.0, 2], (2, -3)),
        lambda: gingham.Data(3), lambda: gingham.Data(np.ones((2, 2))),
    ]
    for i, call in enumerate(calls):
        try:
            refused(call)
        except BaseException as error:
            raise AssertionError(f"call {i}: {error!r}") from error


def test_files_that_are_in_the_way(tmp_path):
    one = estimator("ssvd").fit(plain_data("ssvd"))
    one.save(tmp_path / "out")
    with pytest.raises((ValueError, OSError), match="out"):
        one.save(tmp_path / "out")
    one.save(tmp_path / "out", force=True)
    with pytest.raises((ValueError, OSError)):
        one.save(tmp_path / "no" / "such" / "\0")
    with pytest.raises(ValueError, match="SparseSVD"):
        gingham.KMeans.load(tmp_path / "out")
    with pytest.raises(OSError):
        one.report(tmp_path / "no" / "such" / "page.html")
    (tmp_path / "out" / "result.json").write_text("{}")
    refused(lambda: gingham.load(tmp_path / "out"), "result.json")


# -- anything at all

ANYTHING = [None, 0, 1, -1, 2**63, 0.5, float("nan"), float("inf"), True, "", "auto", "50%", "x", "\0", b"x", (), [],
            {}, set(),
            [1], [[1.0, 2.0], [3.0, 4.0]], np.ones((3, 2)), np.ones(3), np.float32(2), np.int8(-3), np.array(4),
            object(), len,
            np.ma.masked, pandas.NA, pandas.NaT, pandas.Series([1.0]), sp.eye(3, format="csr"), range(3), iter([]), 1j,
            "--help",
            "@file", "1,2", "é\ud800", 10**400, slice(None), Ellipsis, np.datetime64("2020")]


def test_random_arguments():
    rng = random.Random(9)
    for _ in range(1500):
        name = rng.choice(NAMES)
        some = rng.sample(RECORDS[name]["options"], rng.randint(0, 3))
        options = {key_of(option): rng.choice(ANYTHING) for option in some}
        options.setdefault("max_iterations", 3)
        X = rng.choice([plain_data(name), rng.choice(ANYTHING), [rng.choice(ANYTHING) for _ in range(2)]])
        words = {key: rng.choice(ANYTHING) for key in ("unlisted", "memory_limit") if rng.random() < 0.1}
        try:
            one = class_of(name)(**options).fit(X, **words)
        except ACCEPTED as error:
            what = (name, options, X, words, str(error)[:500])
            assert type(error).__module__ in ("builtins", "gingham._options"), what
            assert "incompatible function arguments" not in str(error), what
        except MemoryError:
            pass
        else:
            assert one.verify() == [], (name, options)
