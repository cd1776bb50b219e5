"""Every command does what its help says, on small data, from a folder of its own."""
import os

from support import *

with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    listing = run("methods").stdout
    names = [line.split()[0] for line in listing.splitlines() if line and not line.startswith("gingham")]
    check(len(names) >= 3, "methods lists the methods")
    for name in names:
        page = run("methods", name)
        check(page.returncode == 0 and "Example:" in page.stdout, f"methods {name} explains it")
        page = run("fit", name, "--help")
        check(page.returncode == 0 and "--tolerance" in page.stdout, f"fit {name} --help lists options")
    for words in (["--help"], ["fit", "--help"], ["simulate", "--help"], ["info", "--help"], ["--version"]):
        done = run(*words)
        check(done.returncode == 0 and done.stdout and not done.stderr, f"{words} prints to standard output")
    for problem in ("ssvd", "kmeans", "spectral"):
        done = expect(0, "simulate", problem, "-o", f"data_{problem}", "--seed", 3)
        files = done.stdout.split()
        check(all(os.path.exists(f) for f in files), f"simulate {problem} names files that exist")
        expect(2, "simulate", problem, "-o", f"data_{problem}", says="exists already")
        expect(0, "simulate", problem, "-o", f"data_{problem}", "--seed", 3, "--force")
        data = [f for f in files if "/data." in f][0]
        done = expect(0, "fit", problem, data, "-o", f"fit_{problem}", "--clusters", 4 if problem != "ssvd" else 3,
                      "--truth", f"data_{problem}/clusters.tsv")
        check("nmi" in done.stdout, "scores are in the summary")
        stored = result(f"fit_{problem}")
        for key in ("gingham method parameters seed inputs status objective terms gaps iterations trace components "
                    "restarts seconds peak_bytes scores").split():
            check(key in stored, f"result.json has {key}")
        check(list(stored["seconds"]) == ["read", "fit", "evaluate", "report", "write", "phases"], f"seconds: {stored['seconds']}")
        check(stored["scores"]["nmi"] > 0.9, f"{problem}: {stored['scores']}")
        check(stored["status"] == "converged" and max(stored["gaps"].values()) <= stored["parameters"]["tolerance"],
              "converged means that the gap is below the tolerance")
        check(abs(sum(stored["terms"].values()) - stored["objective"]) <= 1e-9 * abs(stored["objective"]),
              "terms add up to the objective")
        done = expect(0, "verify", f"fit_{problem}", says="all agree")
        expect(0, "verify", f"fit_{problem}", "--deep", says="all agree")
        labels = numpy.loadtxt(f"fit_{problem}/labels/rows.txt")
        check(len(labels) == stored["inputs"][0]["shape"][0], "a label per row")
        done = expect(0, "evaluate", f"fit_{problem}", "--truth", f"data_{problem}/truth/rows.txt", "--json")
        scores = json.loads(done.stdout)
        check(list(scores)[:4] == ["s_index", "nmi", "ari", "accuracy"], f"evaluate --json: {scores}")
        check(abs(scores["nmi"] - stored["scores"]["nmi"]) < 1e-12, "evaluate and fit --truth agree")
        expect(0, "evaluate", f"fit_{problem}/labels/rows.txt", "--truth", f"data_{problem}/truth/rows.txt")

    # A factor that was changed, a number that was changed, a label that was changed: noticed.
    u = numpy.load("fit_ssvd/u.npy")
    u[0, 0] += 1e-3
    numpy.save("fit_ssvd/u.npy", u)
    expect(1, "verify", "fit_ssvd", says=["differs", "u, v"])
    expect(1, "verify", "--deep", "fit_ssvd", says="run again: u [0, 0]")
    stored = json.loads(open("fit_kmeans/result.json").read())
    text = open("fit_kmeans/result.json").read()
    open("fit_kmeans/result.json", "w").write(text.replace('"objective": ', '"objective": 1', 1))
    expect(1, "verify", "fit_kmeans", says="objective")
    lines = open("fit_spectral/labels/rows.txt").read().split()
    lines[0] = str((int(lines[0]) + 1) % 4)
    open("fit_spectral/labels/rows.txt", "w").write("\n".join(lines) + "\n")
    expect(1, "verify", "fit_spectral", says="labels/rows.txt")

    # Labels, formats, info.
    open("named.csv", "w").write("id,a,b,c\nx,1,2,3\ny,4,,6\nz,7,8,NA\n")
    info = json.loads(expect(0, "info", "named.csv", "--json").stdout)
    check(info == {"shape": [3, 3], "nonzeros": 7, "missing": 2, "min": 1.0, "max": 8.0, "sum": 31.0,
                   "labels": [True, True], "bytes": 72}, f"info --json: {info}")
    check("rows: x to z" in expect(0, "info", "named.csv").stdout, "info names the labels")
    open("t.tns", "w").write("1 1 1 2.5\n2 3 1 -1\n")
    info = json.loads(expect(0, "info", "t.tns", "--json", "--shape", "2,3,4").stdout)
    check(info["shape"] == [2, 3, 4] and info["nonzeros"] == 2 and info["min"] == -1, f"tns: {info}")
    info = json.loads(expect(0, "info", "t.tns", "--json", "--unlisted", "missing").stdout)
    check(info["missing"] == 4 and info["max"] == 2.5, f"tns, unlisted missing: {info}")

    open("labelled.csv", "w").write("id,a,b\n" + "".join(f"s{i},{i % 2 * 5},{i % 2 * 3 + i / 100}\n" for i in range(10)))
    expect(0, "fit", "kmeans", "labelled.csv", "-o", "labelled", "--clusters", 2)
    check("\ts3\t" in open("labelled/clusters.tsv").read(), "clusters.tsv carries the labels")

    # A tensor cut into a series: recorded, so that the result can be verified, also from where the data went.
    cube = planted(40, 30).reshape(40, 1, 30)
    cube[3, 0, 4] = 0
    numpy.save("cube.npy", cube)
    open("cube.tns", "w").write("".join(f"{i + 1} {k + 1} 1 {cube[i, 0, k]:.17g}\n" for i in range(40) for k in range(30)))
    for name, mode in (("cube.npy", 1), ("cube.tns", 2)):
        expect(0, "fit", "ssvd", name, "-o", name + ".out", "--series-mode", mode)
        stored = result(name + ".out")
        check(stored["reading"]["files"] == [name] and stored["reading"]["series_mode"] == mode, f"{stored['reading']}")
        check(stored["inputs"][0]["path"] == f"{name}[mode_{mode} = 0]", f"{stored['inputs']}")
        check(stored["inputs"][0]["shape"] == [40, 30], f"{stored['inputs']}")
        expect(0, "verify", name + ".out")
        os.rename(name, "moved." + name)
        expect(2, "verify", name + ".out", says=name)
        expect(0, "verify", name + ".out", "--input", "moved." + name)
        expect(2, "verify", name + ".out", "--input", "moved." + name, "moved." + name, says="--input")
    check(numpy.load("cube.npy.out/u.npy").shape == (40, 1), "rows come from the first of the other modes")
    expect(2, "fit", "ssvd", "moved.cube.npy", "-o", "no", "--series-mode", 0, says=["40 inputs", "one matrix"])
    expect(2, "fit", "ssvd", "moved.cube.npy", "-o", "no", "--series-mode", 3, says=["--series-mode", "from 0 to 2"])
    expect(2, "fit", "ssvd", "moved.cube.npy", "moved.cube.npy", "-o", "no", "--series-mode", 1, says="2 inputs")
    expect(2, "fit", "ssvd", "labelled.csv", "-o", "no", "--series-mode", 1, says=["labelled.csv", "2 modes"])

    # Names for files that hold none: recorded, in clusters.tsv, and not needed by verify.
    open("who.txt", "w").write("".join(f"person {i}\n" for i in range(40)))
    open("what.txt", "w").write("".join(f"thing {i}\n" for i in range(30)))
    numpy.save("bare.npy", planted(40, 30))
    info = json.loads(expect(0, "info", "bare.npy", "--json", "--names", ",what.txt").stdout)
    check(info["labels"] == [False, True], f"info --names: {info['labels']}")
    expect(0, "fit", "ssvd", "bare.npy", "-o", "with_names", "--names", "who.txt,what.txt")
    check(result("with_names")["reading"]["names"] == ["who.txt", "what.txt"], "the files of names are recorded")
    check("\tperson 1\t" in open("with_names/clusters.tsv").read(), "clusters.tsv carries the names")
    check("person 1" in open("with_names/report.html").read(), "and so does the page")
    expect(0, "fit", "ssvd", "moved.cube.npy", "-o", "cut_names", "--series-mode", 1, "--names", "who.txt,,what.txt")
    check("\tthing 2\t" in open("cut_names/clusters.tsv").read(), "names of a tensor's modes follow its slices")
    expect(0, "fit", "kmeans", "bare.npy", "-o", "kmeans_names", "--clusters", 2, "--names", "who.txt")
    expect(0, "transform", "kmeans_names", "bare.npy", "-o", "new_names", "--names", "who.txt")
    check("\tperson 1\t" in open("new_names/clusters.tsv").read(), "transform takes names of its own")
    os.rename("who.txt", "who_moved.txt")
    expect(0, "verify", "with_names")
    expect(2, "fit", "ssvd", "bare.npy", "-o", "no", "--names", "what.txt",
           says=["what.txt", "30 lines found", "expected 40"])
    expect(2, "fit", "ssvd", "bare.npy", "-o", "no", "--names", "who.txt", says="who.txt")
    expect(2, "fit", "ssvd", "bare.npy", "-o", "no", "--names", ",,what.txt", says=["--names", "2 modes"])

    # The same bits for 1 and 2 threads, and from the same data in another format.
    numpy.save("x.npy", planted(300, 200))
    numpy.savetxt("x.csv", planted(300, 200), delimiter=",", fmt="%.17g")
    for name, extra in (("one", ["x.npy", "--threads", 1]), ("two", ["x.npy", "--threads", 2]), ("csv", ["x.csv"])):
        expect(0, "fit", "ssvd", *extra, "-o", name, "--clusters", 2)
    one, two, csv = contents("one"), contents("two"), contents("csv")
    check(one == two, "1 and 2 threads give the same files")
    check(one["u.npy"] == csv["u.npy"], "the same data from .csv give the same factors")

    expect(0, "fit", "ssvd", "x.npy", "-o", "slash/")
    check(os.path.isdir("slash") and not os.path.exists("slash/.checkpoint"), "a trailing slash is no part of the name")

    # Quiet, progress to a pipe, a closed pipe, limits.
    done = expect(0, "fit", "ssvd", "x.npy", "-o", "quiet", "--quiet")
    check(done.stdout == "" and done.stderr == "", "--quiet is quiet")
    done = run("fit", "ssvd", "x.npy", "-o", "limit", "--max-iterations", 1)
    check(done.returncode == 0 and result("limit")["status"] == "iteration_limit", "the iteration limit is a status")
    expect(0, "verify", "limit")
    done = run("fit", "kmeans", "x.npy", "-o", "late", "--clusters", 30, "--restarts", 1000000, "--time-limit", 1)
    check(done.returncode == 3 and result("late")["status"] == "time_limit", f"time limit: {done.returncode} {done.stderr}")
    check(os.path.isdir("late.checkpoint"), "an unfinished run leaves its checkpoint")
    expect(0, "verify", "late")
    # Restarts that race: all at once where there is memory for them, one after the other where there is not.
    numpy.save("tall.npy", numpy.abs(planted(6000, 8, seed=6)))
    words = ["fit", "nmf", "tall.npy", "--rank", 4, "--restarts", 60, "--max-iterations", 30]
    expect(0, *words, "-o", "raced", "--quiet")
    stored = result("raced")
    left = [one for one in stored["restarts"] if one["status"] == "left_race"]
    check(stored["parameters"]["race"] == "yes" and len(left) > 40, "most of 60 restarts leave the race")
    check({(one["round"], one["iterations"]) for one in left} <= {(1, 5), (2, 15), (3, 35)}, "at the end of a round")
    expect(0, "verify", "raced", "--deep")
    done = expect(0, *words, "-o", "apart", "--memory-limit", "40MB")
    stored = result("apart")
    check("--race no" in done.stderr and stored["parameters"]["race"] == "no", "without memory they do not race")
    check(all(one["status"] != "left_race" for one in stored["restarts"]), "all run to their end")
    check(stored["peak_bytes"] <= 40e6 < result("raced")["peak_bytes"], "the estimate says what is held at a time")
    expect(0, "verify", "apart", "--deep")
    words[-1] = 10**8
    done = run(*words, "-o", "late_race", "--tolerance", 0, "--time-limit", 1.5)
    check(done.returncode == 3 and result("late_race")["status"] == "time_limit", f"a race out of time: {done.stderr}")
    expect(0, "verify", "late_race")

    # The two matrices that cycle, and the one that was said to: it converges, and so does its rank-one part.
    open("period3.csv", "w").write("""0.7,-1.8,-1.6,-0.4,0.4,-1.6,-0.9
-5.1,0.5,-0.1,-0.6,-0.4,2.2,1.7
-1.7,0.2,1.2,-0.2,-1.9,0.1,-0.7
1.7,-0.5,-1.4,0.5,1.1,0,0.2
""")
    open("period2.csv", "w").write("""-1.5,0.9,-0.3,-2.3,1.4,-0.8,1.7
-3.6,-1,-0.3,0.4,-2.3,-0.2,1.8
0.1,1.9,-1,1.1,0.4,1.4,1.8
-2.7,-0.8,-2.5,-0.7,-0.9,0.6,1.3
1.6,2.5,0.4,0,-1.3,-0.1,0.5
1.8,-0.5,0.5,0.9,-1.2,0.1,-0.3
""")
    five = numpy.array([[.06130, -.0743, .00580, .00580, -.0467], [-.1872, .22670, -.0176, -.0176, .14250],
                        [.13930, -.1686, .01310, .01310, -.1060], [-.0688, .08330, -.0065, -.0065, .05240],
                        [-.0075, .00900, -.0007, -.0007, .00570]])
    left, singular, right = numpy.linalg.svd(five)
    numpy.save("five.npy", five)
    numpy.save("five_rank1.npy", singular[0] * numpy.outer(left[:, 0], right[0]))
    for name, extra, status, period in (("period3.csv", ["--adaptive", 0], "cycle", 3), ("period2.csv", [], "cycle", 2),
                                        ("five.npy", [], "converged", 0), ("five_rank1.npy", [], "converged", 0)):
        expect(0, "fit", "ssvd", name, "-o", name + ".out", *extra)
        stored = result(name + ".out")
        check(stored["status"] == status, f"{name}: {stored['status']}")
        if period:
            check(f"period {period}" in stored["notes"][0], f"{name}: {stored['notes']}")
        expect(0, "verify", name + ".out")
    check(run("completion", "bash").stdout.count("compgen") >= 2, "completion prints a script")
finish()
