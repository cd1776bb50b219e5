"""mypy takes the package and typed programs that use it, and refuses wrong calls."""

import os
import pathlib
import re
import shutil
import subprocess
import sys

import gingham
import pytest

PACKAGE = pathlib.Path(gingham.__file__).resolve().parent

RIGHT = '''\
from pathlib import Path

import gingham
import numpy as np
from gingham import metrics
from numpy.typing import NDArray


def stop_soon(progress: gingham.Progress) -> bool:
    return progress.iteration < 10


def several(folder: Path, X: NDArray[np.float64]) -> float:
    nmf = gingham.NMF(rank="auto", alpha=0.5, solver="bpp", allow_negative=True).fit(X, callback=stop_soon)
    new: NDArray[np.float64] = nmf.transform(X, unlisted="missing")
    labels: NDArray[np.int64] = gingham.KMeans(clusters=4, seed=7).fit_predict(X)
    ssvd = gingham.SparseSVD(row_sparsity="20%", column_sparsity=3).fit(X.tolist())
    rows: NDArray[np.bool_] = ssvd.rows_
    group = gingham.GroupNMF(rank=3, groups=["a", "b"], norm="inf", axis="rows").set_params(rank=4)
    evolving = gingham.EvolvingCoclusters(column_fusion="max").fit([X, X])
    first: NDArray[np.float64] = evolving.u_[0]
    views = gingham.MultiviewCoclusters(columns=[5, "10%"], refine=False).fit({"left": X, "right": X})
    code = gingham.DictionaryLearning(atoms=8, init=X, lambda_="auto").fit(folder / "x.npy").predict(X, coding="steps")
    tensor = gingham.TensorCoclusters(sparsity=("5%", 2, "auto")).fit(gingham.Coordinates([[0], [0], [1]], [2.0]))
    tensor.report("page.html")
    views.save(folder, force=True)
    status: str = group.fit(X).result_.status
    loaded = gingham.KMeans.load(folder)
    found: float = loaded.objective_ + metrics.adjusted_rand_index(labels, loaded.labels_)
    return found + float(len(status) + rows.sum() + first.sum() + new.sum() + code.sum())


def tools(X: NDArray[np.float64]) -> list[str]:
    made = gingham.simulate("ssvd", rows=40, noise=0.5, seed=3)
    path = gingham.path(gingham.SparseSVD(), made.X, {"row_sparsity": [1, 2]})
    rivals = gingham.compare([gingham.SparseSVD(), gingham.KMeans()], X, truth=made.labels["rows"])
    gingham.write("x.csv", X)
    data: gingham.Data = gingham.read("x.csv", labels="none", index_base=0)
    return [one.status for one in path.results + rivals.results] + data.names + gingham.simulate.problems
'''

# Every line with a mark is refused, and no other.
WRONG = '''\
import gingham
import numpy as np

X = np.zeros((3, 3))
gingham.NMF(rnk=3)  # wrong
gingham.NMF(3)  # wrong
gingham.NMF(solver="mu")  # wrong
gingham.NMF(max_iterations="many")  # wrong
gingham.NMF(seed=0.5)  # wrong
gingham.NMF(rank=[1, 2])  # wrong
gingham.KMeans().fit(3)  # wrong
gingham.KMeans().fit(X, unlisted="nothing")  # wrong
gingham.KMeans().fit(X, callback=3)  # wrong
gingham.EvolvingCoclusters().fit(5.0)  # wrong
gingham.TensorCoclusters(balance="maybe")  # wrong
gingham.DictionaryLearning().predict(X, atoms=3)  # wrong
gingham.GroupNMF(axis="diagonal")  # wrong
gingham.simulate("ssvd", row=3)  # wrong
gingham.simulate("no such problem")  # wrong
gingham.read("x.csv", index_base=2)  # wrong
gingham.path("nmf", X, {"rank": [1]})  # wrong
gingham.compare(3, X)  # wrong
gingham.metrics.auc()  # wrong
gingham.KMeans(clusters=3).fit(X).result_.objectiv  # wrong
text: str = gingham.KMeans().fit(X).objective_  # wrong
gingham.KMeans(clusters=3).fit(X)
'''


def mypy():
    if subprocess.run([sys.executable, "-c", "import mypy"], capture_output=True).returncode == 0:
        return [sys.executable, "-m", "mypy"]
    if shutil.which("mypy"):
        return [shutil.which("mypy")]
    pytest.skip("there is no mypy")


@pytest.fixture(scope="module")
def complaints(tmp_path_factory):
    """For each file the lines that mypy complains of, and all that it says."""
    if not (PACKAGE / "__init__.pyi").exists():
        pytest.skip("the package has no stubs: it was not put together by CMake")
    folder = tmp_path_factory.mktemp("types")
    (folder / "right.py").write_text(RIGHT)
    (folder / "wrong.py").write_text(WRONG)
    environment = {**os.environ, "MYPYPATH": str(PACKAGE.parent)}  # not as an installed package: its own errors show
    environment.pop("PYTHONPATH", None)
    options = ["--strict", "--python-executable", sys.executable, "--cache-dir", os.devnull]
    said = subprocess.run([*mypy(), *options, "right.py", "wrong.py"], cwd=folder, env=environment, capture_output=True,
                          text=True)
    lines = {}
    for file, line in re.findall(r"^([^:\n]+):(\d+): error", said.stdout, re.MULTILINE):
        lines.setdefault(pathlib.Path(file).name, set()).add(int(line))
    return lines, said.stdout + said.stderr


def test_right_program_is_accepted(complaints):
    lines, said = complaints
    assert set(lines) == {"wrong.py"}, said


def test_wrong_calls_are_refused(complaints):
    lines, said = complaints
    marked = {number for number, line in enumerate(WRONG.splitlines(), 1) if line.endswith("# wrong")}
    assert lines.get("wrong.py", set()) == marked, said
