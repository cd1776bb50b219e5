"""Methods for several views on the command line: fit, verify, compare, and what they refuse."""
import csv
import os

from support import *

METHODS = ["kernel-sum", "kernel-product", "coregularized", "cotrained", "mvcca", "mvfl"]

with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    random = numpy.random.default_rng(1)
    labels = numpy.repeat([0, 1, 2], 30)
    for name, columns in (("a", 6), ("b", 4)):
        centers = 4 * random.normal(size=(3, columns))
        numpy.save(f"{name}.npy", centers[labels] + random.normal(size=(90, columns)))
    numpy.savetxt("labels.txt", labels, fmt="%d")
    views = ["a.npy", "b.npy"]

    for method in METHODS:
        expect(0, "fit", method, *views, "-o", method, "--truth", "labels.txt")
        check(result(method)["scores"]["nmi"] > 0.95, f"{method}: {result(method)['scores']}")
        expect(0, "verify", method)

    # All views together for these, each by itself for a method that takes one matrix.
    expect(0, "compare", *views, "--truth", "labels.txt", "--methods", ",".join(METHODS + ["kmeans"]),
           "--clusters", 3, "-o", "all", says=["mvcca", "kmeans", "written to all"])
    with open("all/compare.tsv") as file:
        rows = {row["method"]: row for row in csv.DictReader(file, delimiter="\t")}
    check(list(rows) == METHODS + ["kmeans"], f"{list(rows)}")
    for method in METHODS:
        check(float(rows[method]["nmi"]) > 0.95 and rows[method]["nmi_0"] == "", f"{rows[method]}")
        check(len(result(f"all/{method}")["inputs"]) == 2, method)
        expect(0, "verify", f"all/{method}")
    check(float(rows["kmeans"]["nmi_1"]) == result("all/kmeans/1")["scores"]["nmi"], f"{rows['kmeans']}")

    # What they say no to, and before they start.
    numpy.save("short.npy", numpy.zeros((80, 3)))
    expect(2, "fit", "mvcca", "a.npy", "short.npy", "-o", "no", says="views must have the same rows")
    hole = numpy.load("b.npy")
    hole[3, 1] = numpy.nan
    numpy.save("hole.npy", hole)
    for method in METHODS:
        expect(2, "fit", method, "a.npy", "hole.npy", "-o", "no", says=["missing", "row 4, column 2"])
    expect(2, "fit", "kernel-sum", *views, "-o", "no", "--width", "0", says="--width")
    expect(2, "fit", "kernel-sum", *views, "-o", "no", "--width", "1,2,3", says="3 widths for 2 views")
    numpy.save("tall.npy", numpy.zeros((20000, 1)))
    for method in ("kernel-sum", "kernel-product", "coregularized", "cotrained"):
        expect(2, "fit", method, "tall.npy", "tall.npy", "-o", "no", "--memory-limit", "5GB", says="this run needs about")
    check(not os.path.exists("no"), "nothing is left of what was refused")
finish()
