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

    # All views together for these, a row per view for a method that takes one matrix.
    every = ["multiview:rows=30", *METHODS, "kmeans", "ssvd:clusters=2", "ssvd"]
    expect(0, "compare", *views, "--truth", "labels.txt", "--methods", ",".join(every),
           "--clusters", 3, "-o", "all", says=["mvcca", "kmeans", "best_view", "written to all"])
    with open("all/compare.tsv") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    each = ["kmeans", "ssvd", "ssvd_2"]
    check([row["method"] for row in rows] == ["multiview", *METHODS] + [name for name in each for _ in views], f"{rows}")
    for row in rows[:len(METHODS) + 1]:
        check(float(row["nmi"]) > 0.95 and row["view"] == row["best_view"] == "", f"{row}")
        check(len(result(f"all/{row['method']}")["inputs"]) == 2 and row["folder"] == row["method"], f"{row}")
        expect(0, "verify", f"all/{row['method']}")
    for method in each:
        own = [row for row in rows if row["method"] == method]
        check([row["view"] for row in own] == ["0", "1"], f"{own}")
        scores = [float(row["nmi"]) for row in own]
        check([row["best_view"] for row in own] == ["yes" if view == numpy.argmax(scores) else "" for view in (0, 1)], f"{own}")
        for view, row in enumerate(own):
            stored = result(f"all/{method}_view{view}")
            check(row["folder"] == f"{method}_view{view}" and stored["scores"]["nmi"] == scores[view], f"{row}")
            check([one["path"] for one in stored["inputs"]] == [views[view]], f"{stored['inputs']}")
            expect(0, "verify", f"all/{method}_view{view}")
    record = json.loads(open("all/compare.json").read())
    check(record["methods"]["ssvd_2_view1"]["view"] == "1" and "view" not in record["methods"]["mvcca"], f"{record['methods']}")

    # Without the truth no view is the best; a view can be refused by itself; without a method of views it is a series.
    numpy.save("positive.npy", numpy.abs(numpy.load("b.npy")))
    expect(0, "compare", "a.npy", "positive.npy", "--methods", "mvcca,spectral", "-o", "some", says=["spectral_view0", "negative value"])
    with open("some/compare.tsv") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    check([row["status"] == "refused" for row in rows] == [False, True, False] and "best_view" not in rows[0], f"{rows}")
    check(not os.path.exists("some/spectral_view0") and os.path.exists("some/spectral_view1"), f"{os.listdir('some')}")
    expect(0, "compare", *views, "--methods", "kmeans", "--truth", "labels.txt", "-o", "series")
    check(os.path.exists("series/kmeans/1/result.json"), f"{os.listdir('series')}")
    with open("series/compare.tsv") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    check(len(rows) == 1 and "view" not in rows[0] and "nmi_1" in rows[0], f"{rows}")
    expect(2, "compare", *views, "--methods", "mvcca,kmeans", "--truth", "all/kmeans_view0/clusters.tsv", "-o", "no",
           says=["--truth", "kmeans runs on every view by itself"])

    # What they say no to, and before they start.
    numpy.save("short.npy", numpy.zeros((80, 3)))
    expect(2, "fit", "mvcca", "a.npy", "short.npy", "-o", "no", says="views must have the same rows")
    expect(2, "fit", "multiview", "a.npy", "short.npy", "-o", "no", says=["80 x 3", "90 x 6", "leave the cells of a row empty"])
    for name, order in (("one", range(90)), ("two", range(89, -1, -1))):
        open(f"{name}.csv", "w").write("id,x,y\n" + "".join(f"s{i},{i % 7},{i % 5}\n" for i in order))
    expect(2, "fit", "mvcca", "one.csv", "two.csv", "-o", "no", says=["two.csv", "row 1 is called 's89'", "one.csv", "'s0'", "same order"])
    # Names of the rows come from whichever view has them, those of columns are kept for each.
    expect(0, "fit", "multiview", "a.npy", "one.csv", "-o", "named", "--columns", "2", "--rows", "30")
    member = open("named/clusters.tsv").read().splitlines()[1].split("\t")
    check(member[1] == "rows" and member[4] == f"s{member[3]}", f"{member}")
    check(open("named/names/columns_1.txt").read() == "x\ny\n" and not os.path.exists("named/names/columns_0.txt"), "names")
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
