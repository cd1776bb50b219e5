"""Paths and comparisons: the results of separate fits, the tables of the command line, known labels from memory."""

import csv
import json

import numpy as np
import pytest
import scipy.sparse as sp

import gingham
from support import (bits, estimator, gingham_cli, option_words, plain_data, result_bits, simulation, small_options,
                     write_npy)

pandas = pytest.importorskip("pandas")
pytestmark = pytest.mark.filterwarnings("ignore")


def read_table(file):
    with open(file, newline="") as source:
        return list(csv.DictReader(source, delimiter="\t"))


def check_table(table, rows, but=("seconds", "folder")):
    """Our table says what the file says, cell by cell."""
    assert len(table) == len(rows)
    for name in rows[0]:
        if any(name.startswith(one) for one in but):
            continue
        assert name in table.columns, name
        for ours, theirs in zip(table[name], rows):
            text = theirs[name]
            if isinstance(ours, str) or text == "":
                assert text == "" and (ours == "" or ours != ours) or ours == text, (name, ours, text)
            else:
                assert float(text) == float(ours), (name, ours, text)


# -- paths

def test_a_cold_path_is_separate_fits():
    X = plain_data("ssvd")
    found = gingham.path(estimator("ssvd"), X, {"clusters": [1, 2, 3], "row_sparsity": ["5%", "20%"]}, cold=True)
    expected = [estimator("ssvd", clusters=k, row_sparsity=penalty).fit(X)
                for k in (1, 2, 3) for penalty in ("5%", "20%")]
    assert len(found) == len(found.results) == len(found.table) == 6
    for one, other in zip(found.estimators, expected):
        assert result_bits(one) == result_bits(other) and one.verify() == []
        assert (one.clusters, one.row_sparsity) == (other.clusters, other.row_sparsity)
    np.testing.assert_array_equal(found.table["objective"], [one.objective_ for one in expected])


def test_a_path_is_that_of_the_command_line(tmp_path):
    made = simulation("ssvd")
    X = plain_data("ssvd")
    truth = made.labels["rows"]
    (tmp_path / "truth.txt").write_text("".join(f"{one}\n" for one in truth))
    paths = write_npy(tmp_path, X)
    gingham_cli("path", "ssvd", *paths, "-o", tmp_path / "cli", "--quiet", "--truth", tmp_path / "truth.txt",
                "--vary", "row-sparsity=1%:40%:4", *option_words(small_options("ssvd")))
    rows = read_table(tmp_path / "cli" / "path.tsv")
    for how in (truth, truth.tolist(), tmp_path / "truth.txt", [f"{one}" for one in truth], pandas.Series(truth)):
        found = gingham.path(estimator("ssvd"), X, {"row_sparsity": "1%:40%:4"}, truth=how)
        check_table(found.table, rows)
    saved = gingham.path(estimator("ssvd"), X, {"row_sparsity": "1%:40%:4"}, truth=truth, output=tmp_path / "python")
    assert result_bits(saved.estimators[2]) == result_bits(found.estimators[2])
    ours = read_table(tmp_path / "python" / "path.tsv")
    assert [row.keys() for row in ours] == [row.keys() for row in rows]
    for mine, theirs in zip(ours, rows):
        assert {k: v for k, v in mine.items() if "seconds" not in k} == {k: v for k,
                                                                         v in theirs.items() if "seconds" not in k}
        folder = tmp_path / "python" / mine["folder"]
        assert bits(np.load(folder / "u.npy")) == bits(np.load(tmp_path / "cli" / theirs["folder"] / "u.npy"))
        gingham_cli("verify", folder, "--input", *paths, "--quiet")
        assert gingham.load(folder).verify(X) == []
    for name in ("path.tsv", "path.json", "report.html"):
        assert (tmp_path / "python" / name).is_file()


@pytest.mark.parametrize("name, vary", [("nmf", {"rank": [1, 2, 3]}), ("dictionary", {"lambda_": [0.05, 0.2]}),
                                        ("tensor", {"clusters": [1, 2]}), ("evolving", {"column_fusion": ["0", "50%"]}),
                                        ("multiview", {"clusters": [1, 2]}), ("kmeans",
                                                                              {"clusters": np.array([2, 3])})])
def test_paths_of_other_methods(name, vary, tmp_path):
    X = plain_data(name)
    found = gingham.path(estimator(name), X, vary, output=tmp_path / "out")
    (key, values), = vary.items()
    assert [str(getattr(one, key)) for one in found.estimators] == [str(value) for value in values]
    assert all(one.verify() == [] for one in found.estimators)
    words = option_words({k: v for k, v in small_options(name).items() if k != key})
    vary_text = f"{key.rstrip('_').replace('_', '-')}={','.join(map(str, values))}"
    gingham_cli("path", name, *write_npy(tmp_path, X), "-o", tmp_path / "cli", "--quiet", "--vary", vary_text, *words)
    check_table(found.table, read_table(tmp_path / "cli" / "path.tsv"))
    gingham_cli("report", tmp_path / "out", "--force", "--quiet", check=False)


def test_values_may_be_given_as_on_the_command_line():
    X = plain_data("nmf")
    one = gingham.path(estimator("nmf"), X, {"rank": "1,2,3"})
    two = gingham.path(estimator("nmf"), X, {"rank": (1, 2, 3)})
    three = gingham.path(estimator("nmf"), X, {"rank": np.arange(1, 4)})
    assert [result_bits(e) for e in one.estimators] == [result_bits(e) for e in two.estimators] == [
        result_bits(e) for e in three.estimators]
    assert len(gingham.path(estimator("nmf"), sp.csr_matrix(X), {"rank": [2]})) == 1


# -- comparisons

def test_a_comparison_is_separate_fits():
    X = plain_data("ssvd")
    ones = [estimator("ssvd"), estimator("bregman"), estimator("ssvd", clusters=1), estimator("kmeans")]
    found = gingham.compare(ones, X)
    assert len(found) == len(found.table) == 4 and len(set(found.names)) == 4
    for result, one in zip(found.estimators, ones):
        assert type(result) is type(one)
        assert result_bits(result) == result_bits(one.fit(X))
    np.testing.assert_array_equal(found.table["objective"], [one.objective_ for one in ones])


def test_a_comparison_is_that_of_the_command_line(tmp_path):
    made, X = simulation("kmeans"), plain_data("kmeans")
    truth = made.labels["rows"]
    (tmp_path / "truth.txt").write_text("".join(f"{one}\n" for one in truth))
    paths = write_npy(tmp_path, X)
    gingham_cli("compare", *paths, "-o", tmp_path / "cli", "--quiet", "--truth", tmp_path / "truth.txt", "--methods",
                "kmeans:clusters=4:restarts=2,kmeans:clusters=2:restarts=2,ssvd:clusters=2,bregman:restarts=2")
    ones = [gingham.KMeans(clusters=4, restarts=2), gingham.KMeans(clusters=2, restarts=2),
            gingham.SparseSVD(clusters=2),
            gingham.BregmanCoclustering(restarts=2)]
    rows = read_table(tmp_path / "cli" / "compare.tsv")
    found = gingham.compare(ones, X, truth=truth, output=tmp_path / "python")
    check_table(found.table, rows, but=("seconds", "folder", "options"))
    check_table(gingham.compare(ones, X, truth=truth).table, rows, but=("seconds", "folder", "options"))
    for i, one in enumerate(ones):
        scores = gingham.metrics.scores(one.fit(X).labels_, truth)
        for key in set(scores) & set(found.table.columns):
            assert found.table[key][i] == scores[key], (key, i)
    ours = read_table(tmp_path / "python" / "compare.tsv")
    assert [row.keys() for row in ours] == [row.keys() for row in rows]
    for file in ("compare.tsv", "report.html"):
        assert (tmp_path / "python" / file).is_file()


def test_comparisons_of_views_and_series():
    X = plain_data("multiview")
    found = gingham.compare([estimator("multiview"), estimator("kmeans"), estimator("kernel-sum")], X)
    assert set(found.table["method"]) >= {"multiview", "kmeans", "kernel-sum"}
    times = plain_data("evolving")
    for given in (times, np.array(times)):
        found = gingham.compare([estimator("evolving"), estimator("ssvd")], given)
        assert result_bits(found.estimators[0]) == result_bits(estimator("evolving").fit(times))
    solid = plain_data("tensor")
    found = gingham.compare([estimator("tensor"), estimator("parafac")], solid)
    assert result_bits(found.estimators[1]) == result_bits(estimator("parafac").fit(solid))


def test_a_method_that_cannot_has_a_row_that_says_why():
    X = plain_data("ssvd")  # has negative values
    found = gingham.compare([estimator("ssvd"), estimator("nmf")], X)
    row = found.table.iloc[1]
    assert any("negative" in str(cell) for cell in row), row


# -- pages, watching, bad calls

def test_pages_and_notebooks(tmp_path):
    X = plain_data("ssvd")
    for found in (gingham.path(estimator("ssvd"), X, {"clusters": [1, 2]}), gingham.compare([estimator("ssvd")], X)):
        page = found.report()
        assert page == found.report() and "default-src 'none'" in page
        assert found.report(tmp_path / "page.html") == str(tmp_path / "page.html")
        begin = page.index('id="data">') + len('id="data">')
        json.loads(page[begin:page.index("</script>", begin)])
        assert type(found).__name__ in repr(found) and "<table" in found._repr_html_()


def test_watching_a_path_and_a_comparison():
    X = plain_data("ssvd")
    calls = []
    for run in (lambda **more: gingham.path(estimator("ssvd"), X, {"clusters": [1, 2, 3]}, **more),
                lambda **more: gingham.compare([estimator("ssvd"), estimator("kmeans")], X, **more)):
        calls.clear()
        run(callback=calls.append)
        assert len(calls) > 3 and all(isinstance(one, gingham.Progress) for one in calls)
        with pytest.raises(ZeroDivisionError):
            run(callback=lambda _: 1 / 0)


@pytest.mark.parametrize("call", [
    lambda X: gingham.path(estimator("ssvd"), X, {}), lambda X: gingham.path(estimator("ssvd"), X, None),
    lambda X: gingham.path(estimator("ssvd"), X, {"no_such": [1]}), lambda X: gingham.path("ssvd", X,
                                                                                           {"clusters": [1]}),
    lambda X: gingham.path(estimator("ssvd"), X, {"clusters": []}), lambda X: gingham.path(estimator("ssvd"), X,
                                                                                           {"clusters": 3}),
    lambda X: gingham.path(estimator("ssvd"), X, {"clusters": ["x"]}), lambda X: gingham.path(estimator("ssvd"), X,
                                                                                              {"clusters": [0]}),
    lambda X: gingham.path(estimator("ssvd"), X, {"clusters": [None]}), lambda X: gingham.path(estimator("ssvd"), X,
                                                                                               {"clusters": "1:2"}),
    lambda X: gingham.path(estimator("ssvd"), None, {"clusters": [1]}), lambda X: gingham.path(gingham.SparseSVD, X,
                                                                                               {"clusters": [1]}),
    lambda X: gingham.path(estimator("ssvd"), X, {"clusters": [1]}, truth=[1, 2]),
    lambda X: gingham.path(estimator("ssvd"), X, {"clusters": [1]}, truth=np.ones((3, 3))),
    lambda X: gingham.path(estimator("ssvd"), X, {"clusters": [1]}, truth=3),
    lambda X: gingham.path(estimator("ssvd"), X, {"clusters": [1]}, truth="no/such.txt"),
    lambda X: gingham.path(estimator("ssvd"), X, {"clusters": [1]}, output=3),
    lambda X: gingham.path(estimator("ssvd"), X, {"clusters": [1]}, memory_limit="x"),
    lambda X: gingham.path(estimator("ssvd"), X, {"clusters": [1]}, unlisted="never"),
    lambda X: gingham.path(estimator("ssvd"), X, {"clusters": [object()]}),
    lambda X: gingham.path(estimator("ssvd"), X, {1: [1]}),
    lambda X: gingham.compare([], X), lambda X: gingham.compare(None, X), lambda X: gingham.compare([3], X),
    lambda X: gingham.compare(estimator("ssvd"), X), lambda X: gingham.compare([estimator("ssvd")], None),
    lambda X: gingham.compare([estimator("ssvd", clusters=-1)], X), lambda X: gingham.compare([estimator("ssvd")],
                                                                                              [["a"]]),
    lambda X: gingham.compare([estimator("ssvd")], X, truth=[1]),
    lambda X: gingham.compare([estimator("ssvd")], X, truth=[0] * len(X), mode=3),
    lambda X: gingham.compare([estimator("multiview")], None), lambda X: gingham.compare([estimator("evolving")], 3),
    lambda X: gingham.compare([estimator("ssvd")], X, memory_limit=None),
])
def test_bad_calls(call):
    with pytest.raises((ValueError, TypeError)) as caught:
        call(plain_data("ssvd"))
    assert "incompatible function arguments" not in str(caught.value) and len(str(caught.value)) < 1000
    assert not isinstance(caught.value, (UnicodeError,))


def test_labels_of_a_mode_that_is_not_there_are_refused():
    X = plain_data("ssvd")
    with pytest.raises(ValueError, match="mode: 'no such mode' is none of rows"):
        gingham.compare([estimator("ssvd")], X, truth=[0] * len(X), mode="no such mode")
    with pytest.raises(ValueError, match="truth has 2 labels, expected 20: one per item of columns"):
        gingham.compare([estimator("ssvd")], X, truth=[1, 2], mode="columns")


def test_values_that_vary_are_single_ones():
    X = np.random.default_rng(0).random((6, 5, 4))
    for values in (3, [None], [[0.1, 0.2, 0.1], [0.3, 0.4, 0.1]], ["1,2,3"]):
        with pytest.raises(TypeError, match="vary: sparsity"):
            gingham.path(gingham.TensorCoclusters(clusters=2), X, {"sparsity": values})


def test_methods_of_one_matrix_on_a_list_of_them():
    X = np.random.default_rng(0).random((30, 6))
    found = gingham.compare([gingham.KMeans(clusters=2), gingham.NMF(rank=2)], [X, X[:, :5]])
    assert [result.inputs[0]["shape"] for result in found.results] == 2 * [[30, 6], [30, 5]]
    assert all("<html" in one.report() for one in found.estimators)  # each has the matrix it saw


def test_folders_that_are_in_the_way(tmp_path):
    X = plain_data("ssvd")
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "mine.txt").write_text("mine")
    for run in (lambda **more: gingham.path(estimator("ssvd"), X, {"clusters": [1]}, output=tmp_path / "out", **more),
                lambda **more: gingham.compare([estimator("ssvd")], X, output=tmp_path / "out", **more)):
        with pytest.raises((ValueError, OSError), match="out"):
            run()
    with pytest.raises((ValueError, OSError)):
        gingham.path(estimator("ssvd"), X, {"clusters": [1]}, output=tmp_path / "out", force=True)
    assert (tmp_path / "out" / "mine.txt").read_text() == "mine", "what is not a path is not replaced"
    gingham.path(estimator("ssvd"), X, {"clusters": [1]}, output=tmp_path / "path")
    gingham.path(estimator("ssvd"), X, {"clusters": [1, 2]}, output=tmp_path / "path", force=True)
    assert len(read_table(tmp_path / "path" / "path.tsv")) == 2


def test_folders_say_how_their_data_were_read(tmp_path):
    S = sp.random(30, 20, 0.3, random_state=0, format="csr")
    gingham.write(tmp_path / "m.mtx", S)
    read = gingham.read(tmp_path / "m.mtx", unlisted="missing")
    for name, X, words in (("files", read, {}), ("memory", S, {"unlisted": "missing"})):
        gingham.path(gingham.NMF(), X, {"rank": [2]}, output=tmp_path / name, **words)
        gingham.compare([gingham.NMF(rank=2)], X, output=tmp_path / f"{name}_compared", **words)
        for folder in (*(tmp_path / name).glob("[0-9]*"), tmp_path / f"{name}_compared" / "nmf"):
            stored = gingham.load(folder)
            assert stored.result_.to_dict()["reading"]["unlisted"] == "missing"
            assert stored.verify(S) == []
        gingham_cli("verify", str(folder), "--input", str(tmp_path / "m.mtx"))
