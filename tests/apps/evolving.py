"""Co-clusters over time as a user runs them: a small brain from simulation to comparison."""
import csv
import os

from support import *


def table(path):
    with open(path) as file:
        return list(csv.DictReader(file, delimiter="\t"))


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    expect(0, "simulate", "evolving", "-o", "brain", "--ages", 4, "--voxels", 40, "--genes", 120, "--regions", 3,
           "--programme", 12, "--level", 3)
    data = [f"brain/data_{i}.npy" for i in range(4)]
    truth = [f"brain/truth/rows_{i}.txt" for i in range(4)]
    words = ["evolving", *data, "--clusters", 3]

    # A result, and what it must hold.
    expect(0, "fit", *words, "-o", "one", "--threads", 1, "--truth", *truth, says=["s_index", "written to one"])
    expect(0, "fit", *words, "-o", "two", "--threads", 2, "--truth", *truth)
    check(contents("one") == contents("two"), "the same bits for one and two threads")
    expect(0, "verify", "one", says="all agree")
    stored = result("one")
    check(stored["terms"]["column_fusion"] == 0 and stored["measures"]["column_variation"] == 0, "nothing varies at max")
    check(stored["requested"]["column_fusion"] == "auto" and stored["parameters"]["column_fusion"][0] > 0,
          "the bound that max came to is recorded")
    for i in range(4):
        u, v = numpy.load(f"one/u_{i}.npy"), numpy.load(f"one/v_{i}.npy")
        rows = numpy.load(data[i]).shape[0]
        check(u.shape == (rows, 3) and v.shape == (120, 3), f"shapes at time {i}")
        check((v == numpy.load("one/v_0.npy")).all(), "columns are the same at all times")
        check(len(open(f"one/labels/rows_{i}.txt").read().split()) == rows, "a label per row")
    check(numpy.load("one/s.npy").shape == (4, 3) and numpy.load("one/levels.npy").shape == (4, 3), "s and levels")

    # Along the fusion: the variation falls to nothing, and every point verifies.
    expect(0, "path", "evolving", *data, "-o", "path", "--vary", "column-fusion=0.01:10000:5", "--row-sparsity", 0.5,
           "--column-sparsity", 0.5, "--truth", *truth, says="column_variation")
    points = table("path/path.tsv")
    variation = [float(row["column_variation"]) for row in points]
    check(len(points) == 5 and variation[-1] == 0 and variation[0] > 0, f"{variation}")
    check(all(a >= b for a, b in zip(variation, variation[1:])), f"falls: {variation}")
    check("s_index" in points[0] and "component_0_columns" in points[0], "scores and sizes")
    for row in points:
        expect(0, "verify", f"path/{row['folder']}")

    # The dual solver's gaps fall.
    expect(0, "fit", *words, "-o", "dual", "--solver", "dual", "--column-fusion", 1, "--tolerance", 1e-5)
    gaps = numpy.load("dual/dual_gaps.npy")
    check((numpy.diff(gaps, axis=0) <= 0).all() and len(gaps) > 3, "gaps fall")
    expect(0, "verify", "dual")

    # Beside the others.
    expect(0, "compare", *data, "-o", "all", "--truth", *truth, "--clusters", 3, "--methods", "evolving,ssvd,spectral,kmeans")
    rows = {row["method"]: row for row in table("all/compare.tsv")}
    check(list(rows) == ["evolving", "ssvd", "spectral", "kmeans"], f"{list(rows)}")
    check(all(f"s_index_{i}" in rows["ssvd"] for i in range(4)), "per time")
    expect(0, "verify", "all/evolving")

    # A cube is a series too; missing cells are left out.
    cube = numpy.stack([planted(12, 9, seed=i) for i in range(3)], axis=1)
    cube[numpy.random.default_rng(0).random(cube.shape) < 0.3] = numpy.nan
    numpy.save("cube.npy", cube)
    expect(0, "fit", "evolving", "cube.npy", "--series-mode", 1, "-o", "cube", "--row-fusion", "20%")
    check(result("cube")["inputs"][2]["shape"] == [12, 9], "slices")
    expect(0, "verify", "cube")

    # What cannot be is said.
    numpy.save("narrow.npy", planted(12, 7))
    numpy.save("wide.npy", planted(12, 9))
    expect(2, "fit", "evolving", "wide.npy", "narrow.npy", "-o", "no", says=["narrow.npy", "7 columns", "--column-fusion"])
    expect(0, "fit", "evolving", "wide.npy", "narrow.npy", "-o", "mirror", "--column-fusion", 0, "--row-fusion", "max")
    expect(2, "fit", "evolving", *data, "-o", "no", "--row-fusion", 1, says=["rows", "--row-fusion"])
    expect(2, "fit", "evolving", "cube.npy", "--series-mode", 1, "-o", "no", "--solver", "dual", "--column-fusion", 1,
           says=["missing", "--solver exact"])
    for name, order in (("a", "x,y"), ("b", "y,x")):
        open(f"{name}.csv", "w").write(f"{order}\n1,2\n3,4\n")
    expect(2, "fit", "evolving", "a.csv", "b.csv", "-o", "no", says=["b.csv", "column 1", "'y'", "same order"])

finish()
