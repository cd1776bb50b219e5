"""A result applied to new rows, columns or slices: the same as by hand, and refused with the reason where it does not fit."""
import os

from support import *


def story(folder):
    return json.loads((pathlib.Path(folder) / "transform.json").read_text())


def table(path, matrix, names, rows=None):
    lines = [",".join(["id", *names])]
    lines += [",".join([rows[i] if rows else f"r{i}", *(f"{value:.17g}" for value in row)]) for i, row in enumerate(matrix)]
    open(path, "w").write("\n".join(lines) + "\n")


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    random = numpy.random.default_rng(1)
    old = random.normal(size=(60, 4)) + 6 * (numpy.arange(60) % 3)[:, None]
    new = random.normal(size=(25, 4)) + 6 * (numpy.arange(25) % 3)[:, None]
    table("old.csv", old, "abcd")
    table("new.csv", new, "abcd", [f"n{i}" for i in range(25)])
    expect(0, "fit", "kmeans", "old.csv", "-o", "fit", "--clusters", 3)

    # The rows of the fit get their own labels back; new ones those of the nearest centre.
    expect(0, "transform", "fit", "old.csv", "-o", "same")
    check(open("same/labels/rows.txt").read() == open("fit/labels/rows.txt").read(), "the fit's own rows keep their labels")
    check(open("same/clusters.tsv").read() == open("fit/clusters.tsv").read(), "and their lines of clusters.tsv")
    check(abs(story("same")["objective"] - result("fit")["objective"]) <= 1e-9 * result("fit")["objective"], "and objective")
    done = expect(0, "transform", "fit", "new.csv", "-o", "out")
    check("25 new items of rows" in done.stdout, done.stdout)
    centers = numpy.load("fit/centers.npy")
    distances = ((new[:, None, :] - centers[None]) ** 2).sum(2)
    check((numpy.loadtxt("out/labels/rows.txt") == distances.argmin(1)).all(), "nearest centres")
    told = story("out")
    check(abs(told["objective"] - distances.min(1).sum()) <= 1e-9 * told["objective"], "the objective is that of the new rows")
    check(told["fit"]["method"] == "kmeans" and told["fit"]["parameters"]["clusters"] == 3, f"{told['fit']}")
    check(told["fit"]["inputs"] == result("fit")["inputs"] and len(told["fit"]["digest"]) == 16, "it says which fit")
    check(told["inputs"][0]["path"] == "new.csv" and told["inputs"][0]["shape"] == [25, 4], f"{told['inputs']}")
    check(told["mode"] == {"number": 0, "name": "rows"} and told["status"] == "converged", f"{told['mode']}")
    check(sum(part["size"]["rows"] for part in told["components"]) == 25, "every row has a group")
    check(list(told["seconds"]) == ["read", "transform", "write"], f"{told['seconds']}")
    check("\tn7\t" in open("out/clusters.tsv").read(), "new rows go by their names")
    check(expect(0, "transform", "fit", "new.csv", "-o", "quiet", "-q", "--threads", 2).stdout == "", "--quiet is quiet")
    files = ("clusters.tsv", "labels/rows.txt")
    check(all(open(f"out/{f}").read() == open(f"quiet/{f}").read() for f in files), "any number of threads")
    numpy.save("new.npy", new)
    expect(0, "transform", "fit", "new.npy", "-o", "plain")
    check(open("plain/labels/rows.txt").read() == open("out/labels/rows.txt").read(), "without names nothing is compared")
    expect(0, "evaluate", "out/labels/rows.txt", "--truth", "plain/labels/rows.txt", says="accuracy")

    # The place to write to.
    expect(2, "transform", "fit", "new.csv", "-o", "out", says="exists already")
    expect(0, "transform", "fit", "new.csv", "-o", "out/", "--force")
    expect(2, "transform", "fit", "new.csv", "-o", "fit", "--force", says="is not a transform")
    expect(2, "transform", "fit", "new.csv", "-o", "no/where", says="does not exist")
    expect(2, "transform", "fit", "new.csv", says="output")

    # What does not fit.
    table("wide.csv", numpy.hstack([new, new[:, :1]]), "abcde")
    expect(2, "transform", "fit", "wide.csv", "-o", "no", says=["wide.csv", "columns", "5 items found", "expected 4"])
    table("swapped.csv", new, "abdc")
    expect(2, "transform", "fit", "swapped.csv", "-o", "no", says=["swapped.csv", "item 3", "'d'", "expected 'c'"])
    numpy.save("cube.npy", numpy.zeros((3, 4, 2)))
    expect(2, "transform", "fit", "cube.npy", "-o", "no", says=["cube.npy", "3 modes"])
    expect(2, "transform", "fit", "new.csv", "new.csv", "-o", "no", says="2 inputs")
    expect(2, "transform", "fit", "new.csv", "-o", "no", "--axis", "columns", says=["new.csv", "25 items found", "expected 60"])
    numpy.save("columns.npy", old[:, :2])
    expect(2, "transform", "fit", "columns.npy", "-o", "no", "--axis", "columns", says=["kmeans", "groups rows"])
    expect(2, "transform", "fit", "new.csv", "-o", "no", "--mode", 2, says=["--mode", "modes 0 to 1"])
    expect(2, "transform", "fit", "new.csv", "-o", "no", "--mode", 1, "--axis", "rows", says=["--mode", "--axis"])
    expect(2, "transform", "nothing", "new.csv", "-o", "no", says="not a result directory")
    expect(2, "transform", "out", "new.csv", "-o", "no", says="result.json")
    expect(2, "transform", "fit", "absent.csv", "-o", "no", says="absent.csv")
    expect(2, "transform", "fit", "new.csv", "-o", "no", "--memory-limit", "1MB", says="memory")
    expect(2, "transform", "fit", "new.csv", "-o", "no", "--axes", "rows", says="did you mean --axis")
    numpy.save("x.npy", planted(40, 30))
    numpy.save("positive.npy", abs(planted(40, 30)))
    expect(0, "fit", "spectral", "positive.npy", "-o", "spectral", "--clusters", 2)
    expect(2, "transform", "spectral", "x.npy", "-o", "no", says=["spectral", "cannot be applied to new data", "kmeans"])
    expect(0, "fit", "ssvd", "x.npy", "-o", "ssvd")
    for axis in ("rows", "columns"):
        expect(0, "transform", "ssvd", "x.npy", "-o", f"ssvd-{axis}", "--axis", axis)
        check(open(f"ssvd-{axis}/labels/{axis}.txt").read() == open(f"ssvd/labels/{axis}.txt").read(), "the fit's own labels")
    os.remove("fit/centers.npy")
    expect(2, "transform", "fit", "new.csv", "-o", "no", says="centers.npy")
    check(not os.path.exists("no"), "a refusal leaves nothing behind")

    # Distances that are not finite.
    expect(0, "fit", "kmeans", "old.csv", "-o", "fit", "--clusters", 3, "--force")
    numpy.save("huge.npy", 1e200 * new)
    expect(4, "transform", "fit", "huge.npy", "-o", "no", says="not finite")
    check(not os.path.exists("no"), "nothing was written")

    # Three modes, where there is a method for them: read as the fit's data were, along every mode.
    if any(line.startswith("tensor ") for line in run("methods").stdout.splitlines()):
        cube = random.uniform(size=(12, 10, 6)) * (random.uniform(size=(12, 10, 6)) < 0.3)
        cube[:4, :5, :3] += 4
        cube[6:10, 4:, 2:] += 3
        open("cube.tns", "w").write("".join(
            f"{i} {j} {k} {cube[i, j, k]:.17g}\n" for i, j, k in numpy.argwhere(cube)))
        # A fit to a gap of 1e-10 leaves every row where its own problem has its least value.
        words = ["cube.tns", "--clusters", 2, "--index-base", 0, "--shape", "12,10,6", "--tolerance", 1e-10]
        for name, more in (("signed", ["--signed", "--sparsity", 2]), ("free", ["--model", "plain", "--sparsity", 0.2]),
                           ("cube", [])):
            expect(0, "fit", "tensor", *words, "-o", name, *more)
            for mode in range(3):
                expect(0, "transform", name, "cube.tns", "-o", f"{name}_{mode}", "--mode", mode, "--shape", "12,10,6")
                fitted, found = numpy.load(f"{name}/mode_{mode}.npy"), numpy.load(f"{name}_{mode}/mode_{mode}.npy")
                check(numpy.abs(fitted - found).max() <= 1e-8, f"{name} mode {mode}: {numpy.abs(fitted - found).max()}")
                check(((fitted != 0) == (found != 0)).all(), f"{name} mode {mode}: the same members")
                check(story(f"{name}_{mode}")["gaps"][f"mode_{mode}"] <= 1e-9, "the gap is reached")
        numpy.save("late.npy", cube[:, :, 4:])
        expect(0, "transform", "cube", "late.npy", "-o", "late", "--mode", 2)
        check(numpy.abs(numpy.load("late/mode_2.npy") - numpy.load("cube_2/mode_2.npy")[4:]).max() <= 1e-9, "slices on their own")

    # Factors: new rows and new columns, those of the fit found again; groups and what is missing.
    parts = (random.uniform(size=(3, 20)) * (random.uniform(size=(3, 20)) < 0.5)).round(3)
    counts = random.uniform(size=(40, 3)) @ parts + 0.05 * random.uniform(size=(40, 20))
    names = [f"w{j}" for j in range(20)]
    table("counts.csv", counts, names)
    words = ["--rank", 3, "--tolerance", 1e-10, "--max-iterations", 100000]
    open("groups.txt", "w").write("".join(f"{'ab'[j % 2]}\n" for j in range(20)))
    open("untranslated.txt", "w").write("a\n" + 39 * "\n")
    expect(0, "fit", "nmf", "counts.csv", "-o", "nmf", *words)
    for axis, name in (("rows", "W"), ("columns", "H")):
        expect(0, "transform", "nmf", "counts.csv", "-o", f"nmf_{name}", "--axis", axis)
        fitted, found = numpy.load(f"nmf/{name}.npy"), numpy.load(f"nmf_{name}/{name}.npy")
        check(numpy.abs(fitted - found).max() <= 1e-5 * fitted.max(), f"{name}: {numpy.abs(fitted - found).max()}")
        check(open(f"nmf_{name}/labels/{axis}.txt").read() == open(f"nmf/labels/{axis}.txt").read(), f"labels of {axis}")
        told = story(f"nmf_{name}")
        check(told["gaps"][name] <= 1e-12 and told["status"] == "converged" and told["notes"] == [], f"{told}")
        check(abs(told["objective"] - result("nmf")["objective"]) <= 1e-5 * result("nmf")["objective"], "and the objective")
    expect(0, "fit", "groupnmf", "counts.csv", "-o", "groups", *words, "--groups", "groups.txt", "--missing-groups", "untranslated.txt")
    some = counts[:6].copy()
    some[0, 3:9] = some[1] = numpy.nan
    table("some.csv", some, names)
    expect(0, "transform", "groups", "some.csv", "-o", "groups_rows", says=["1 new rows have no observed value", "--missing-groups", "W's columns"])
    check(open("groups_rows/labels/rows.txt").read().split()[1] == "-1", "nothing observed, no label")
    found, parts = numpy.load("groups_rows/W.npy"), numpy.load("groups/H.npy")
    for row, x in zip(found, some):
        seen = ~numpy.isnan(x)
        slope = parts[:, seen] @ (x[seen] - row @ parts[:, seen])
        check((row >= 0).all() and (slope <= 1e-9).all() and numpy.abs(slope * row).max() <= 1e-9, f"{row} {slope}")
    open("some.mtx", "w").write("%%MatrixMarket matrix coordinate real general\n40 2 3\n1 1 2\n7 1 1\n40 2 0.5\n")
    expect(0, "transform", "groups", "some.mtx", "-o", "groups_columns", "--axis", "columns", says="ties columns together")
    check(numpy.load("groups_columns/H.npy").shape == (3, 2), "two new columns")
    expect(2, "transform", "groups", "some.csv", "-o", "no", "--axis", "columns", says=["some.csv", "6 items found", "expected 40"])
    table("below.csv", -counts, names)
    expect(2, "transform", "nmf", "below.csv", "-o", "no", says=["below.csv", "negative"])
    os.remove("groups.txt")
    expect(2, "transform", "groups", "some.csv", "-o", "no", says="groups.txt")

    # Views: new subjects seen in all of them or only some, in any order of the inputs.
    groups = numpy.arange(90) % 3
    centers = [5 * random.normal(size=(3, columns)) for columns in (6, 4, 8)]
    views = [center[groups] + random.normal(size=(90, center.shape[1])) for center in centers]
    fresh = [center[groups[:30]] + random.normal(size=(30, center.shape[1])) for center in centers]
    names = [[f"{letter}{j}" for j in range(view.shape[1])] for letter, view in zip("abc", views)]
    for letter, view, new_view, columns in zip("abc", views, fresh, names):
        table(f"{letter}.csv", view, columns)
        table(f"{letter}_new.csv", new_view, columns, [f"n{i}" for i in range(30)])
        numpy.save(f"{letter}.npy", view)
    old_files = ["a.csv", "b.npy", "c.csv"]
    gaps = views[1].copy()
    gaps[::4] = numpy.nan
    gaps[1::5, 2] = numpy.nan
    numpy.save("gaps.npy", gaps)
    for number, words in enumerate((["--rows", "30"], ["--rows", "26"], ["--rows", "30", "--next", "deflate"], [],
                                    ["--scale", "rows", "--sign", "any", "--weights", "1,2,1"], ["--scale", "none", "--rows", "25%"],
                                    ["--solver", "palm", "--rows", "30"])):
        for name, files in (("views", old_files), ("gaps", ["a.csv", "gaps.npy", "c.csv"])):
            fitted, same = f"{name}_{number}", f"{name}_{number}_same"
            expect(0, "fit", "multiview", *files, "-o", fitted, *words)
            expect(0, "transform", fitted, *files, "-o", same)
            check(open(f"{same}/labels/rows.txt").read() == open(f"{fitted}/labels/rows.txt").read(),
                  f"{name} {words}: the fit's own rows keep their labels")
            ours, theirs = story(same)["objective"], result(fitted)["objective"]
            check(abs(ours - theirs) <= 1e-6 * theirs, f"{name} {words}: objective {ours}, of the fit {theirs}")
    labels = numpy.loadtxt("views_0/labels/rows.txt")
    check(len(set(zip(labels, groups))) == len(set(labels)) == 3, "the fit finds the groups")
    known = labels[:30]
    expect(2, "transform", "views_0", "a_new.csv", "b.npy", "c_new.csv", "-o", "no", says=["b.npy", "90 x 4", "same rows"])
    expect(0, "transform", "views_0", "c_new.csv", "a_new.csv", "-o", "some", "--views", "2,0", says="seen in 2 of 3 views (2, 0)")
    check((numpy.loadtxt("some/labels/rows.txt") == known).all(), "two views say the same")
    check(sorted(os.listdir("some")) == ["clusters.tsv", "labels", "omega.npy", "transform.json", "u_0.npy", "u_2.npy"], f"{os.listdir('some')}")
    told = story("some")
    check(told["views"] == [2, 0] and [one["path"] for one in told["inputs"]] == ["c_new.csv", "a_new.csv"], f"{told['inputs']}")
    check("\tn7\t" in open("some/clusters.tsv").read(), "new rows go by their names")
    expect(0, "transform", "views_0", "a_new.csv", "c_new.csv", "-o", "turned", "--views", "0,2")
    check(all(open(f"some/{f}", "rb").read() == open(f"turned/{f}", "rb").read() for f in ("omega.npy", "u_0.npy", "u_2.npy")), "any order")
    # A row without a cell in a view is one that was not seen there, to the last bit.
    hole = numpy.full((30, 4), numpy.nan)
    numpy.save("hole.npy", hole)
    expect(0, "transform", "views_0", "a_new.csv", "hole.npy", "c_new.csv", "-o", "holes")
    check(all(open(f"some/{f}", "rb").read() == open(f"holes/{f}", "rb").read() for f in ("omega.npy", "u_0.npy", "u_2.npy")), "as if not given")
    check((numpy.load("holes/u_1.npy") == 0).all() and "views" in story("holes"), "nothing in the view without cells")
    open("c_new.mtx", "w").write("%%MatrixMarket matrix coordinate real general\n30 8 240\n" + "".join(
        f"{i + 1} {j + 1} {fresh[2][i, j]:.17g}\n" for i, j in numpy.argwhere(fresh[2])))
    expect(0, "transform", "views_0", "c_new.mtx", "-o", "sparse", "--views", "2")
    check((numpy.loadtxt("sparse/labels/rows.txt") == known).all(), "one sparse view")
    for words, says in ((["a_new.csv"], ["1 input was given", "3 views", "--views 0,2"]),
                        (["a_new.csv", "--views", "0,1"], ["--views", "2 views for 1 inputs"]),
                        (["a_new.csv", "--views", "3"], ["--views", "no view 3", "0 to 2"]),
                        (["a_new.csv", "--views", "-1"], ["--views"]),
                        (["a_new.csv", "a_new.csv", "--views", "0,0"], ["--views", "twice"]),
                        (["a_new.csv", "--views", "first"], ["--views", "'first'", "such as 0,2"]),
                        (["a_new.csv", "--views", "1"], ["a_new.csv", "6 items found", "expected 4"]),
                        (["a_new.csv", "--views", "0", "--axis", "columns"], ["30 items found", "expected 90"])):
        expect(2, "transform", "views_0", *words, "-o", "no", says=says)
    expect(2, "transform", "fit", "new.csv", "-o", "no", "--views", "0", says=["--views", "kmeans is not a method of views"])
    table("renamed.csv", fresh[2], names[2][::-1])
    expect(2, "transform", "views_0", "renamed.csv", "-o", "no", "--views", "2", says=["renamed.csv", "item 1", "'c7'", "expected 'c0'"])
    table("other_rows.csv", fresh[2], names[2])
    expect(2, "transform", "views_0", "a_new.csv", "other_rows.csv", "-o", "no", "--views", "0,2",
           says=["other_rows.csv", "row 1 is called 'r0'", "a_new.csv", "'n0'"])
    check(not os.path.exists("no"), "a refusal leaves nothing behind")
finish()
