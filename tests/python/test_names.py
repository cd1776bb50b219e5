"""Names of rows, columns and other items, from tables to results and files."""

import numpy as np
import pytest
import scipy.sparse as sp

import gingham
from kinds import base, cube
from support import class_of, estimator, plain_data, result_bits

pandas = pytest.importorskip("pandas")
pytestmark = pytest.mark.filterwarnings("ignore")


def names_in(one, mode):
    table = one.result_.clusters
    part = table[table["mode"] == mode]
    return {int(i): label for i, label in zip(part["index"], part["label"])}


def test_names_of_tables():
    X = plain_data("ssvd")
    rows, columns = [f"row {i}" for i in range(len(X))], [f"col {i}" for i in range(X.shape[1])]
    table = pandas.DataFrame(X, index=rows, columns=columns)
    anndata = pytest.importorskip("anndata")
    unnamed = estimator("ssvd").fit(X)
    assert set(unnamed.result_.clusters["label"]) == {""}
    annotated = anndata.AnnData(sp.csr_matrix(X), obs=pandas.DataFrame(index=rows), var=pandas.DataFrame(index=columns))
    for given in (table, table.astype("Float64"), table.astype(pandas.SparseDtype(float)), annotated):
        one = estimator("ssvd").fit(given)
        for mode, names in (("rows", rows), ("columns", columns)):
            found = names_in(one, mode)
            assert found and all(names[i] == label for i, label in found.items()), type(given)


@pytest.mark.parametrize("index", [pandas.Index([10, 20, 30, 40] * 5), pandas.Index([f"x{i % 3}" for i in range(20)]),
                                   pandas.date_range("2020-01-01", periods=20),
                                   pandas.Index([1.5 * i for i in range(20)]),
                                   pandas.MultiIndex.from_product([["a", "b"], range(10)]),
                                   pandas.Index([None, np.nan, "\ud800", "x"] * 5, dtype=object),
                                   pandas.Index(["a\tb", "c\nd", "\0", "", " ", "é", "'", '"', "\r", "#"] * 2)],
                         ids=["numbers", "repeated", "dates", "floats", "several levels", "not text", "odd"])
def test_names_that_are_odd(index, tmp_path):
    X = plain_data("ssvd")[:20]
    try:
        one = estimator("ssvd").fit(pandas.DataFrame(X, index=index))
    except ValueError as error:  # some may be refused, but then by name
        assert "X" in str(error)
        return
    assert result_bits(one) == result_bits(estimator("ssvd").fit(X))
    one.save(tmp_path / "out")
    lines = (tmp_path / "out" / "clusters.tsv").read_bytes().rstrip(b"\n").split(b"\n")
    assert len({line.count(b"\t") for line in lines}) == 1 and len(lines) == 1 + len(one.result_.clusters)
    again = gingham.load(tmp_path / "out")
    for found, label in zip(again.result_.clusters["label"], one.result_.clusters["label"]):
        assert found == "".join(c if c.isprintable() else "?" for c in label)
    one.report(), one._repr_html_()


def test_names_of_views_series_and_coordinates(tmp_path):
    X = plain_data("multiview")
    rows = [f"s{i}" for i in range(len(X[0]))]
    given = {"snps": pandas.DataFrame(X[0], index=rows).add_prefix("m"), "other": pandas.DataFrame(X[1], index=rows)}
    one = estimator("multiview").fit(given)
    found = names_in(one, "rows")
    assert found and all(rows[i] == label for i, label in found.items())
    assert [part["path"] for part in one.result_.inputs] == ["snps", "other"]
    table = one.result_.clusters
    features = table[(table["mode"] == "columns") & (table["block"] == 0)]
    assert len(features) and all(label == f"m{i}" for i, label in zip(features["index"], features["label"]))
    solid = cube()
    names = [[f"{mode}{i}" for i in range(size)] for mode, size in zip("abc", solid.shape)]
    coordinates = gingham.Coordinates(np.nonzero(solid), solid[np.nonzero(solid)], solid.shape, names=names)
    one = estimator("tensor").fit(coordinates)
    one.save(tmp_path / "out")
    for mode in range(3):
        found = names_in(one, f"mode_{mode}")
        assert found and all(names[mode][i] == label for i, label in found.items())
        assert all(label.encode() in (tmp_path / "out" / "clusters.tsv").read_bytes() for label in found.values())


def test_written_and_read_again(tmp_path):
    X = base()
    table = pandas.DataFrame(X, index=[f"r{i}" for i in range(len(X))]).add_prefix("c")
    for file, given in [("a.npy", X), ("a.csv", table), ("a.tsv", table), ("a.mtx", sp.csr_matrix(X)),
                        ("a.npz", sp.csr_matrix(X)), ("a.csv.gz", X), ("b.npy", np.asfortranarray(X, np.float32)),
                        ("a.tns", gingham.Coordinates(np.nonzero(cube()), cube()[np.nonzero(cube())], cube().shape))]:
        gingham.write(tmp_path / file, given)
        again = gingham.read(tmp_path / file).X
        expected = given if hasattr(given, "toarray") else np.asarray(given)
        expected = expected.toarray() if hasattr(expected, "toarray") else expected
        found = again.toarray() if hasattr(again, "toarray") else np.asarray(again)
        np.testing.assert_array_equal(found, expected, err_msg=file)
        if isinstance(given, pandas.DataFrame):
            assert list(again.index) == list(table.index) and list(again.columns) == list(table.columns)
    again = gingham.read(tmp_path / "a.csv").X
    assert result_bits(estimator("nmf").fit(again)) == result_bits(estimator("nmf").fit(table))


def test_the_class_of_names_is_known(tmp_path):
    assert class_of("nmf") is gingham.NMF
    with pytest.raises((FileNotFoundError, ValueError)):
        gingham.load(tmp_path / "nothing")
