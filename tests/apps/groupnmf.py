"""Non-negative factors as a user runs them: groups from a file, what is left out, and what cannot be."""
import os

from support import *

with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    random = numpy.random.default_rng(0)
    w, h = random.random((20, 3)), random.random((3, 12))
    h[0, :4] = h[1, 4:8] = h[2, 8:] = 0  # component i is not used by group i
    x = w @ h + 0.01 * random.random((20, 12))
    numpy.save("x.npy", x)

    def write(name, lines):
        pathlib.Path(name).write_text("".join(line + "\n" for line in lines))

    groups = ["apple"] * 4 + ["pear"] * 4 + ["plum"] * 4
    write("groups.txt", groups)
    words = ["fit", "groupnmf", "x.npy", "--rank", 3, "--groups", "groups.txt"]

    # Which group uses which component.
    expect(0, *words, "-o", "out", "--threads", 1, says="written to out")
    expect(0, *words, "-o", "two", "--threads", 2)
    check(contents("out") == contents("two"), "the same bits for one and two threads")
    expect(0, "verify", "out", says="all agree")
    found_w, found_h, norms = (numpy.load(f"out/{name}.npy") for name in ("W", "H", "group_norms"))
    check(found_w.shape == (20, 3) and found_h.shape == (3, 12) and norms.shape == (3, 3), "shapes")
    check((found_w >= 0).all() and (found_h >= 0).all(), "no negative entry")
    check(((found_w**2).sum(axis=0) <= 1 + 1e-9).all(), "columns of W are in the ball")
    for g in range(3):
        lengths = numpy.sqrt((found_h[:, 4 * g : 4 * g + 4] ** 2).sum(axis=1))
        check(numpy.allclose(lengths, norms[g]), f"norms of group {g}")
    stored = result("out")
    check(stored["measures"]["zero_blocks"] == (norms == 0).sum(), "zero blocks are counted")
    check(stored["requested"]["beta"] == "10%" and stored["parameters"]["beta"] > 0, "what 10% came to")

    # Without a penalty it is nmf; rows are the transpose's columns.
    expect(0, "fit", "nmf", "x.npy", "-o", "nmf", "--rank", 3)
    expect(0, *words, "-o", "free", "--free", "apple,pear, plum")
    check(abs(result("nmf")["objective"] - result("free")["objective"]) <= 1e-6 * (x**2).sum(), "free groups pay nothing")
    numpy.save("turned.npy", x.T.copy())
    expect(0, "fit", "groupnmf", "turned.npy", "--rank", 3, "--groups", "groups.txt", "--axis", "rows", "-o", "rows")
    expect(0, "verify", "rows")
    check(numpy.load("rows/W.npy").shape == (12, 3), "shape of W for groups of rows")

    # The factor with groups takes a penalty by name where --beta is 0; files that a penalty names are on the page.
    named = [*words, "--penalty", "columns=nonneg+group:groups.txt,0.5"]
    expect(2, *named, "-o", "both", says=["--beta as well, 10%", "one of the two"])
    expect(0, *named, "--beta", 0, "-o", "named", says="written to named")
    expect(0, "verify", "named", says="all agree")
    listed = {one["option"]: one["path"] for one in page_data("named/report.html")["results"][0]["attached"]}
    check(listed.get("penalty.columns", "").endswith("groups.txt"), f"files on the page: {listed}")

    # Groups that were not observed: what lies there does not matter.
    missing = ["apple" if i % 4 == 0 else "pear,plum" if i % 4 == 1 else "" for i in range(20)]
    write("missing.txt", missing)
    wrong = x.copy()
    wrong[::4, :4] = 77
    numpy.save("wrong.npy", wrong)
    for name in ("x", "wrong"):
        expect(0, "fit", "groupnmf", f"{name}.npy", "--rank", 3, "--groups", "groups.txt", "--missing-groups",
               "missing.txt", "-o", f"missing_{name}", says="groups said to be missing")
        expect(0, "verify", f"missing_{name}")
    check((numpy.load("missing_x/H.npy") == numpy.load("missing_wrong/H.npy")).all(), "the same factors")
    write("weights.txt", ["apple 0", "plum\t2.5"])
    expect(0, *words, "--group-weights", "weights.txt", "--norm", "inf", "--solver", "matrix", "-o", "weighted")
    expect(0, "verify", "weighted")

    # How many components.
    expect(0, "fit", "nmf", "x.npy", "-o", "auto", "--rank", "auto", "--max-rank", 6)
    expect(0, "verify", "auto")
    curve = numpy.load("auto/rank_curve.npy")
    check(result("auto")["parameters"]["rank"] == numpy.load("auto/W.npy").shape[1], "the rank that was found")
    check(curve.shape[1] == 3 and (curve[:, 0] == range(1, len(curve) + 1)).all(), "a curve")

    # The help tells what there is.
    for method, options in (("nmf", ["--rank", "--penalty", "--alpha", "--beta", "--solver", "--allow-negative"]),
                            ("groupnmf", ["--groups", "--axis", "--norm", "--free", "--group-weights", "--missing-groups"])):
        done = run("fit", method, "--help")
        for text in options + ["auto", "W", "H"]:
            check(text in done.stdout, f"{method}: {text} is not in the help")
    check("groupnmf" in run("methods").stdout, "in the list of methods")

    # What cannot be is said, and leaves nothing behind.
    write("short.txt", groups[:10])
    write("odd.txt", groups[:11] + ["a,,b"])
    write("few.txt", missing[:3])
    write("unknown.txt", ["cherry"] + missing[1:])
    write("heavy.txt", ["apple -1"])
    negative = x.copy()
    negative[3, 1] = -0.5
    numpy.save("negative.npy", negative)
    base = ["fit", "groupnmf", "x.npy", "-o", "no"]
    for more, says in ((["--groups", "short.txt"], ["short.txt", "10 lines", "expected 12", "column"]),
                       (["--groups", "short.txt", "--axis", "rows"], ["short.txt", "expected 20", "row"]),
                       (["--groups", "odd.txt"], ["odd.txt:12", "empty"]),
                       (["--groups", "groups.txt", "--free", "cherry"], ["--free", "no group 'cherry'", "apple, pear, plum"]),
                       (["--groups", "groups.txt", "--missing-groups", "few.txt"], ["few.txt", "3 lines", "expected 20"]),
                       (["--groups", "groups.txt", "--missing-groups", "unknown.txt"], ["unknown.txt:1", "cherry"]),
                       (["--groups", "groups.txt", "--group-weights", "heavy.txt"], ["heavy.txt:1", "0 or more"]),
                       (["--group", "groups.txt"], ["--group", "did you mean --groups?"]),
                       (["--norm", "1"], ["--norm", "inf"]), (["--beta", "ten"], ["--beta"]),
                       (["--rank", "0"], ["--rank"]), (["--rank", "2.5"], ["--rank", "whole number"]),
                       (["--rank", "5000"], ["--rank", "from 1 to 100"]),
                       (["--alpha", 0], ["--alpha", "no minimum"]), (["--alpha", 1, "--beta", 0], ["--alpha", "no minimum"])):
        expect(2, *base, *more, says=says)
    expect(2, "fit", "nmf", "negative.npy", "-o", "no", says=["negative.npy", "row 4, column 2", "--allow-negative"])
    expect(2, "fit", "nmf", "x.npy", "-o", "no", "--groups", "groups.txt", says="--groups")
    check(not os.path.exists("no"), "nothing is left behind")
    expect(0, "fit", "nmf", "negative.npy", "-o", "negative", "--allow-negative", "--rank", 3)
    expect(0, "verify", "negative")

finish()
