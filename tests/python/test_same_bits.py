"""The command line and Python give the same bits for the same options: arrays, labels, members, trace, objective,
scores, transforms, and the files of a result."""

import json
import pathlib
import re

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn import metrics as sklearn_metrics

import gingham
from support import (NAMES, RECORDS, bits, class_of, estimator, extras, gingham_cli, of_kind, option_words, plain_data,
                     result_bits, small_options, write_npy)

pandas = pytest.importorskip("pandas")
pytestmark = pytest.mark.filterwarnings("ignore")
MATRIX_TRANSFORMERS = [name for name in of_kind("matrix") if RECORDS[name]["transforms"]]


def fit_both(name, X, folder, **options):
    """A fit by the command line, loaded, and one in Python."""
    options = small_options(name, **options)
    lists = extras(name)
    files = {}
    for key, lines in lists.items():
        files[key] = folder / f"{key}.txt"
        files[key].write_text("".join(f"{line}\n" for line in lines))
    paths = write_npy(folder, X)
    gingham_cli("fit", name, *paths, "-o", folder / "out", "--quiet", *option_words({**options, **files}))
    return folder / "out", class_of(name)(**options, **files).fit(X), paths


def check_same(directory, one):
    """Everything that the directory holds, read by plain means, is what the estimator has."""
    stored = json.loads((directory / "result.json").read_text())
    result = one.result_
    said = result.to_dict()
    for key in ("method", "gingham", "status", "objective", "terms", "gaps", "components", "notes", "iterations"):
        assert stored.get(key) == said.get(key), key
    assert [one["digest"] for one in stored["inputs"]] == [one["digest"] for one in said["inputs"]]
    assert stored["parameters"] == said["parameters"]
    for key in ("component", "iteration", "objective", "gap", "moved"):
        assert bits(np.array([record[key] for record in stored["trace"]], result.trace[key].dtype)) == bits(
            result.trace[key]), key
    arrays = {file.stem: np.load(file) if file.suffix == ".npy" else sp.load_npz(file)
              for pattern in ("*.npy", "*.npz") for file in directory.glob(pattern)}
    assert bits(arrays) == bits({name: value if sp.issparse(value) else np.ascontiguousarray(value)
                                 for name, value in result.arrays.items()})
    labels = {file.stem: np.loadtxt(file, dtype=np.int64, ndmin=1) for file in (directory / "labels").iterdir()}
    assert bits(labels) == bits(result.labels)
    check_same_members(directory / "clusters.tsv", result.clusters)
    if "share" in result.clusters:
        check_same_members(directory / "stability.tsv", result.clusters)


def check_same_members(file, clusters):
    """A table of the directory has the columns of ours, in the same words."""
    head, *rows = [line.split("\t") for line in file.read_text().splitlines()]
    assert len(rows) == len(clusters)
    for name, column in zip(head, zip(*rows)):
        for text, value in zip(column, clusters[name]):
            if name in ("value", "share"):
                assert np.float64(text).tobytes() == np.float64(value).tobytes(), (name, text, value)
            else:
                assert text == ("" if name == "block" and value == -1 else str(value)), name


@pytest.mark.parametrize("name", NAMES)
def test_every_method(name, tmp_path):
    directory, one, paths = fit_both(name, plain_data(name), tmp_path)
    check_same(directory, one)
    again = gingham.load(directory)
    assert type(again) is type(one) and result_bits(again, True) == result_bits(one, True)
    assert again.verify(plain_data(name)) == []
    gingham_cli("verify", directory, "--quiet")
    assert result_bits(estimator(name, **extras(name)).fit(plain_data(name))) == result_bits(one), "lists as files"


@pytest.mark.parametrize("name", NAMES)
def test_threads(name):
    X = plain_data(name)
    one, two = (estimator(name, threads=threads, **extras(name)).fit(X) for threads in (1, 2))
    assert result_bits(one) == result_bits(two)


@pytest.mark.parametrize("name", [name for name in of_kind("matrix") if RECORDS[name]["accepts_sparse"]])
def test_sparse(name, tmp_path):
    X = plain_data(name)
    X[np.abs(X) < np.median(np.abs(X)) / 2] = 0
    X[:, 0] = np.maximum(X[:, 0], 0.5)
    directory, one, _ = fit_both(name, sp.csr_matrix(X), tmp_path)
    check_same(directory, one)


@pytest.mark.parametrize("name", ["ssvd", "nmf", "tensor", "evolving", "multiview"])
def test_float32_files(name, tmp_path):
    X = plain_data(name)
    halves = [part.astype(np.float32) for part in X] if isinstance(X, list) else X.astype(np.float32)
    directory, one, _ = fit_both(name, halves, tmp_path)
    check_same(directory, one)


@pytest.mark.parametrize("name", ["ssvd", "bregman", "evolving"])
def test_names_and_missing_values_of_a_table(name, tmp_path):
    X = plain_data(name)
    parts = X if isinstance(X, list) else [X]
    tables, files = [], []
    for i, part in enumerate(parts):
        part[1, 2] = np.nan
        tables.append(pandas.DataFrame(part, index=[f"r{j}" for j in range(len(part))]).add_prefix("c"))
        files.append(tmp_path / f"{i}.csv")
        tables[-1].to_csv(files[-1], float_format="%.17g")
    gingham_cli("fit", name, *files, "-o", tmp_path / "out", "--quiet", *option_words(small_options(name)))
    one = estimator(name).fit(tables if isinstance(X, list) else tables[0])
    check_same(tmp_path / "out", one)
    assert (one.result_.clusters["label"] != "").all()


# -- the files of a result

def files_of(directory):
    """Files by name, with what may differ (seconds, paths, who called) taken out of result.json."""
    files = {str(path.relative_to(directory)): path.read_bytes() for path in directory.rglob("*") if path.is_file()}
    stored = json.loads(files.pop("result.json"))
    stored.pop("seconds")
    for record in stored["trace"] + stored["restarts"]:
        record.pop("seconds", None)
    for one in stored["inputs"]:
        one.pop("path")
    stored.pop("reading", None)
    page = files.pop("report.html")
    return {"files": files, "result.json": stored, "page": len(page) > 10_000}


@pytest.mark.parametrize("name", NAMES)
def test_saved_directories_are_those_of_the_command_line(name, tmp_path):
    directory, one, paths = fit_both(name, plain_data(name), tmp_path)
    one.save(tmp_path / "saved")
    by_cli, by_python = files_of(directory), files_of(tmp_path / "saved")
    assert by_python["files"].keys() == by_cli["files"].keys()
    assert by_python == by_cli
    done = gingham_cli("verify", tmp_path / "saved", "--input", *paths, "--quiet")
    assert done.stdout.strip() == ""
    again = type(one).load(tmp_path / "saved")
    assert result_bits(again, True) == result_bits(one, True)
    again.save(tmp_path / "again")
    without_page = {**files_of(tmp_path / "saved"), "page": None}
    (tmp_path / "again" / "report.html").write_text("")
    assert {**files_of(tmp_path / "again"), "page": None} == without_page


@pytest.mark.parametrize("name", NAMES)
def test_loaded_estimators_have_the_parameters_they_were_made_with(name, tmp_path):
    one = estimator(name, seed=5, threads=2, **extras(name)).fit(plain_data(name))
    one.save(tmp_path / "out")
    again = gingham.load(tmp_path / "out")
    assert bits(list(again.get_params().items())) == bits(list(one.get_params().items()))
    assert result_bits(again.fit(plain_data(name))) == result_bits(one)


# -- new data

@pytest.mark.parametrize("name", MATRIX_TRANSFORMERS)
def test_transform_is_that_of_the_command_line(name, tmp_path):
    X = plain_data(name)
    directory, one, _ = fit_both(name, X, tmp_path)
    new = X[::-1][:7] * 1.25
    for axis, part in (("rows", new), ("columns", X[:, :3] * 1.25)):
        path = write_npy(tmp_path, part, axis)[0]
        done = gingham_cli("transform", directory, path, "-o", tmp_path / f"{axis}-out", "--axis", axis, check=False)
        if done.returncode:
            with pytest.raises(ValueError):
                one.apply(part, axis=axis)
            continue
        found = one.apply(part, axis=axis)
        files = {file.stem: file for file in (tmp_path / f"{axis}-out").iterdir()}
        for key, array in found.arrays.items():
            file = files[key]
            stored = sp.load_npz(file) if file.suffix == ".npz" else np.load(file)
            assert bits(stored) == bits(array if sp.issparse(array) else np.ascontiguousarray(array)), key
        assert bits(found.arrays) == bits(gingham.load(directory).apply(part, axis=axis).arrays)
    for threads in (1, 2):
        assert bits(one.transform(new, threads=threads)) == bits(one.transform(new))


@pytest.mark.parametrize("name", MATRIX_TRANSFORMERS)
def test_rows_are_transformed_alone(name):
    """What is found for a row does not depend on the other rows."""
    X = plain_data(name)
    one = estimator(name).fit(X)
    whole = one.transform(X)
    whole = whole.toarray() if sp.issparse(whole) else whole
    for i in (0, 3):
        alone = one.transform(X[i:i + 1])
        alone = alone.toarray() if sp.issparse(alone) else alone
        np.testing.assert_allclose(alone[0], whole[i], rtol=1e-6, atol=1e-8)


# -- scores

def random_labels(rng, n):
    found, truth = rng.integers(-1, 4, n), rng.integers(0, 3, n)
    return found, np.where(rng.random(n) < 0.5, np.maximum(found, 0), truth)


def test_metrics_are_those_of_evaluate_and_of_scikit_learn(tmp_path):
    rng = np.random.default_rng(0)
    for trial in range(6):
        found, truth = random_labels(rng, 40)
        for stem, labels in (("found", found), ("truth", truth)):
            (tmp_path / f"{stem}.txt").write_text("".join(f"{one}\n" for one in labels))
        done = gingham_cli("evaluate", tmp_path / "found.txt", "--truth", tmp_path / "truth.txt", "--json")
        said = json.loads(done.stdout)
        said = said.get("scores", said)
        scores = gingham.metrics.scores(found, truth)
        for key, value in scores.items():
            assert said[key] == value, key
        known = np.maximum(found, 0), truth  # -1 is nobody's label here
        scores = gingham.metrics.scores(*known)
        assert scores["ari"] == pytest.approx(sklearn_metrics.adjusted_rand_score(*known))
        assert scores["nmi"] == pytest.approx(sklearn_metrics.normalized_mutual_info_score(
            *known, average_method="geometric"))
        values = rng.normal(size=40).round(1)
        assert gingham.metrics.auc(values,
                                   truth == 1) == pytest.approx(sklearn_metrics.roc_auc_score(truth == 1, values))
        named = np.array(["a", "b", "c", "d"])[known[0]], np.array(["x", "y", "z"])[truth % 3]
        assert gingham.metrics.scores(*named)["ari"] == pytest.approx(
            gingham.metrics.scores(known[0], truth % 3)["ari"])


def test_consensus_is_that_of_scikit_learn():
    rng = np.random.default_rng(1)
    for k in (1, 3):
        a, b = ([rng.random((k, n)) < 0.4 for n in (12, 9)] for _ in range(2))
        for modes in (a, b):
            modes[0][:, 0] = modes[1][:, 0] = True
        assert gingham.metrics.consensus_score(a, b) == pytest.approx(sklearn_metrics.consensus_score(a, b))


def test_relative_error_against_the_formula():
    rng = np.random.default_rng(2)
    estimate, truth = rng.normal(size=(2, 5, 4))
    truth[1, 1] = np.nan
    seen = ~np.isnan(truth)
    expected = ((estimate - truth)[seen] ** 2).sum() / (truth[seen] ** 2).sum()
    assert gingham.metrics.relative_squared_error(estimate, truth) == pytest.approx(expected)


# -- simulations

@pytest.mark.parametrize("name", ["kmeans", "ssvd", "tensor", "evolving", "groupnmf"])
def test_simulations_are_those_of_the_command_line(name, tmp_path):
    from support import PROBLEMS

    problem, options = PROBLEMS[name]
    gingham_cli("simulate", problem, "-o", tmp_path / "data", "--seed", 3, *option_words(options))
    made = gingham.simulate(problem, seed=3, **options)
    files = sorted(path for path in (tmp_path / "data").iterdir() if path.suffix in (".npy", ".npz", ".tns", ".csv"))
    arrays = [gingham.read(path).arrays[0] for path in files if not re.search("truth|labels", path.name)]
    known = {bits(np.asarray(one.toarray() if hasattr(one, "toarray") else one)) for one in arrays}
    for array in made.data.arrays:
        assert bits(np.asarray(array.toarray() if hasattr(array, "toarray") else array)) in known
    lines = {path.name: path.read_text().splitlines() for path in (tmp_path / "data").glob("*.txt")}
    for stem, given in made.lines.items():
        assert any(list(given) == one for one in lines.values()), (stem, list(lines))


def test_the_page_of_a_path_like_object(tmp_path):
    one = estimator("ssvd").fit(plain_data("ssvd"))
    assert one.report(pathlib.Path(tmp_path / "page.html")) == str(tmp_path / "page.html")
    assert (tmp_path / "page.html").read_text() == one.report()


def test_a_fit_is_applied_by_the_rules_it_was_made_by(tmp_path):
    S = sp.random(30, 20, 0.3, random_state=0, format="csr")
    gingham.write(tmp_path / "m.mtx", S)
    gingham_cli("fit", "nmf", "m.mtx", "-o", "fit", "--rank", "2", "--unlisted", "missing", cwd=tmp_path)
    gingham_cli("transform", "fit", "m.mtx", "-o", "new", cwd=tmp_path)
    W = np.load(tmp_path / "new" / "W.npy")
    loaded = gingham.load(tmp_path / "fit")
    fitted = gingham.NMF(rank=2).fit(S, unlisted="missing")
    for found in (loaded.transform(tmp_path / "m.mtx"), loaded.transform(S), fitted.transform(S)):
        assert bits(found) == bits(W)
    assert loaded.verify(S) == loaded.verify(tmp_path / "m.mtx") == []
