"""gingham compare: methods side by side, one matrix or a series, with and without the truth."""
import csv
import os

from support import *


def table(folder):
    with open(f"{folder}/compare.tsv") as file:
        return {row["method"]: row for row in csv.DictReader(file, delimiter="\t")}


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    for seed in (0, 1):
        expect(0, "simulate", "spectral", "-o", f"t{seed}", "--seed", seed, "--format", "csv")
        numpy.save(f"t{seed}/data.npy", numpy.loadtxt(f"t{seed}/data.csv", delimiter=","))
    series = ["t0/data.npy", "t1/data.npy"]
    truths = ["t0/truth/rows.txt", "t1/truth/rows.txt"]

    done = expect(0, "compare", *series, "--methods", "ssvd:clusters=3:row-sparsity=10%,spectral,kmeans",
                  "--clusters", 4, "--seed", 7, "--starts", 5, "--truth", *truths, "-o", "out",
                  says=["spectral", "accuracy", "written to out"])
    check(len(done.stdout.splitlines()) == 6, f"a line per method: {done.stdout}")
    rows = table("out")
    check(list(rows) == ["ssvd", "spectral", "kmeans"], f"{list(rows)}")
    check(rows["ssvd"]["options"] == "seed=7:clusters=3:row-sparsity=10%", rows["ssvd"]["options"])
    check(rows["spectral"]["options"] == "clusters=4:seed=7:starts=5", rows["spectral"]["options"])
    for name, row in rows.items():
        for score in ("s_index", "nmi", "ari", "accuracy"):
            each = [float(row[f"{score}_{b}"]) for b in (0, 1)]
            check(abs(float(row[score]) - sum(each) / 2) < 1e-12, f"{name}: {score} is the average")
            for b in (0, 1):
                check(result(f"out/{name}/{b}")["scores"][score] == each[b], f"{name}/{b}: {score}")
        for b in (0, 1):
            stored = result(f"out/{name}/{b}")
            check(stored["inputs"][0]["path"] == series[b] and stored["truth"] == [truths[b]], f"{name}/{b}")
            expect(0, "verify", f"out/{name}/{b}")
            scores = json.loads(expect(0, "evaluate", f"out/{name}/{b}", "--truth", truths[b], "--json").stdout)
            check(scores == stored["scores"], "evaluate agrees")
    check(float(rows["spectral"]["nmi"]) > 0.9, "spectral finds its own problem")
    record = json.loads(open("out/compare.json").read())
    check(record["methods"]["ssvd"]["requested"]["clusters"] == "3" and record["inputs"] == series, f"{record}")

    # One matrix, no truth; another mode; the same method twice.
    expect(0, "compare", series[0], "--methods", "kmeans,kmeans:clusters=5,ssvd", "--restarts", 2, "-o", "one", "--quiet")
    rows = table("one")
    check(list(rows) == ["kmeans", "kmeans_2", "ssvd"] and "nmi" not in rows["ssvd"], f"{rows}")
    check(float(rows["kmeans_2"]["objective"]) < float(rows["kmeans"]["objective"]), "more groups, less loss")
    for name in rows:
        expect(0, "verify", f"one/{name}")
    expect(0, "compare", series[0], "--methods", "spectral:clusters=4,kmeans", "--truth", "t0/truth/columns.txt",
           "--mode", "columns", "-o", "columns", says="no scores")
    rows = table("columns")
    check(float(rows["spectral"]["nmi"]) > 0.9 and rows["kmeans"]["nmi"] == "", "columns: kmeans has none")
    expect(0, "verify", "columns/spectral")

    # A tensor cut into a series.
    cube = numpy.stack([numpy.load(path) for path in series], axis=1)
    numpy.save("cube.npy", cube)
    expect(0, "compare", "cube.npy", "--series-mode", 1, "--methods", "spectral", "--clusters", 4, "--truth", *truths,
           "-o", "cut")
    expect(0, "verify", "cut/spectral/1")
    check(result("cut/spectral/1")["reading"]["slice"] == 1, "the slice is recorded")
    check(numpy.array_equal(numpy.load("cut/spectral/1/left.npy").shape[0], cube.shape[0]), "rows of the slice")
    os.rename("cube.npy", "moved.npy")
    expect(0, "verify", "cut/spectral/0", "--input", "moved.npy")

    # Refusals: a row, or an error when nothing is left.
    numpy.save("negative.npy", -numpy.load(series[0]))
    done = expect(0, "compare", "negative.npy", "--methods", "spectral,kmeans", "-o", "refused", says="negative value")
    rows = table("refused")
    check(list(rows["kmeans"])[-2:] == ["folder", "message"], f"{list(rows['kmeans'])}")
    check(rows["spectral"]["status"] == "refused" and "negative value" in rows["spectral"]["message"], f"{rows}")
    check(rows["kmeans"]["status"] == "converged" and not os.path.exists("refused/spectral"), f"{rows}")
    before = sorted(os.listdir("."))
    expect(2, "compare", "negative.npy", "--methods", "spectral", "-o", "no", says=["no method", "negative value"])

    # Wrong words.
    expect(2, "compare", series[0], "-o", "no", says="--methods")
    expect(2, "compare", series[0], "--methods", "kmeans", says="--output")
    for methods, says in (("kmens", "no method 'kmens'"), ("kmeans,", "no method ''"), ("kmeans:clusters=3,x", "no method 'x'"),
                          ("kmeans:rows=3", "no option 'rows'"), ("kmeans:3", "is not an option"),
                          ("kmeans:clusters=0", "--clusters"), ("ssvd:row-sparsity=1,x", "--row-sparsity")):
        expect(2, "compare", series[0], "--methods", methods, "-o", "no", says=says)
    expect(2, "compare", series[0], "--methods", "kmeans", "--adaptive", 1, "-o", "no", says="none of these methods")
    expect(2, "compare", series[0], "--methods", "kmeans", "--clusers", 1, "-o", "no", says="did you mean --clusters?")
    expect(2, "compare", *series, "--methods", "kmeans", "--truth", *truths, truths[0], "-o", "no", says="3 files")
    expect(2, "compare", *series, "--methods", "kmeans", "--truth", "none.txt", "-o", "no", says="none.txt")
    expect(2, "compare", series[0], "--methods", "kmeans", "-o", "out", says="--force")
    expect(2, "compare", series[0], "--methods", "kmeans", "-o", "t0", "--force", says="is not a comparison")
    check(sorted(os.listdir(".")) == before, "nothing was touched")
    expect(0, "compare", series[0], "--methods", "kmeans", "-o", "out", "--force")
    check(sorted(os.listdir("out")) == ["compare.json", "compare.tsv", "kmeans", "report.html"], f"{os.listdir('out')}")
    done = run("compare", series[0], "--methods", "kmeans", "--restarts", 1000000, "--time-limit", 1, "-o", "late")
    check(done.returncode == 3 and table("late")["kmeans"]["status"] == "time_limit", f"{done.returncode} {done.stderr}")
finish()
