"""Methods whose co-clusters are all pairs of a row group and a column group, as a user runs them."""
import os

from support import *

METHODS = {
    "kmeans-coclustering": [],
    "itcc": [],
    "bregman": [],
    "bregman i-divergence": ["--divergence", "i-divergence"],
    "bregman margins": ["--scheme", "margins"],
    "bregman i-divergence margins": ["--divergence", "i-divergence", "--scheme", "margins"],
}

with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    expect(0, "simulate", "checkerboard", "-o", "data", "--counts", "--separation", 1.5, "--seed", 3)
    for name, options in METHODS.items():
        out = name.replace(" ", "_")
        done = expect(0, "fit", name.split()[0], "data/data.npy", *options, "-o", out, "--row-clusters", 4,
                      "--column-clusters", 3, "--truth", "data/truth/rows.txt")
        stored = result(out)
        # The variance of counts grows with their mean: squares cut the largest groups, information does not.
        least = 0.9 if name == "itcc" or "i-divergence" in name else 0.75
        check(stored["status"] == "converged" and stored["scores"]["nmi"] > least, f"{name}: {stored['scores']}")
        check(numpy.load(f"{out}/blocks.npy").shape == (4, 3), f"{name}: blocks")
        check(len(stored["components"]) == 4, f"{name}: a component per row group")
        check(abs(sum(one["weight"] for one in stored["components"]) - 1) < 1e-12, f"{name}: weights")
        check(stored["explained"] is None or 0 < stored["explained"] < 1, f"{name}: explained")
        expect(0, "verify", out, says="all agree")
        for mode in ("rows", "columns"):
            labels = numpy.loadtxt(f"{out}/labels/{mode}.txt")
            check(set(labels) == set(range(4 if mode == "rows" else 3)), f"{name}: labels of {mode}")
            done = expect(0, "evaluate", f"{out}/labels/{mode}.txt", "--truth", f"data/truth/{mode}.txt", "--json")
            check(json.loads(done.stdout)["nmi"] > least, f"{name} {mode}: {done.stdout}")
        blocks = numpy.load(f"{out}/blocks.npy")
        blocks[0, 0] += 0.01
        numpy.save(f"{out}/blocks.npy", blocks)
        expect(1, "verify", out, says="differs")

    # More groups of columns than of rows: every group has its component.
    expect(0, "fit", "itcc", "data/data.npy", "-o", "wide", "--row-clusters", 2, "--column-clusters", 5, says="converged")
    check([len(result("wide")["components"]), numpy.load("wide/blocks.npy").shape] == [5, (2, 5)], "2 x 5 blocks")
    expect(0, "verify", "wide", says="all agree")

    # Counts in sparse storage; what a method does not take it says.
    open("small.mtx", "w").write("%%MatrixMarket matrix coordinate real general\n4 3 5\n"
                                 "1 1 2\n1 2 1\n2 1 3\n3 3 4\n4 3 1\n")
    for name, options in METHODS.items():
        method = name.split()[0]
        if method == "kmeans-coclustering":
            expect(2, "fit", method, "small.mtx", "-o", "no", says=["is sparse", method])
            continue
        expect(0, "fit", method, "small.mtx", *options, "-o", "small", "--clusters", 2, "--force")
        expect(0, "verify", "small", says="all agree")
    open("negative.csv", "w").write("1,2,3\n4,-5,6\n7,8,9\n")
    open("missing.csv", "w").write("1,2,3\n4,,6\n7,8,9\n")
    expect(2, "fit", "itcc", "negative.csv", "-o", "no", says="row 2, column 2")
    expect(2, "fit", "bregman", "negative.csv", "--divergence", "i-divergence", "-o", "no", says="--divergence euclidean")
    expect(0, "fit", "bregman", "negative.csv", "-o", "signed", "--clusters", 2)
    expect(0, "fit", "bregman", "missing.csv", "-o", "missing", "--clusters", 2)
    expect(0, "verify", "missing", says="all agree")
    expect(2, "fit", "bregman", "missing.csv", "--scheme", "margins", "-o", "no", says="--scheme blocks")
    expect(2, "fit", "itcc", "missing.csv", "-o", "no", says="complete data only")
    expect(2, "fit", "kmeans-coclustering", "missing.csv", "-o", "no", says="complete data only")
    expect(2, "fit", "itcc", "data/data.npy", "--row-clusters", 0, "-o", "no", says="--row-clusters")

finish()
