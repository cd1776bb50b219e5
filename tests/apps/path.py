"""gingham path: a grid of runs, its table, and what happens when it is stopped."""
import glob
import csv
import os
import shutil
import signal
import subprocess
import time

from support import *


def table(folder):
    with open(f"{folder}/path.tsv") as file:
        return list(csv.DictReader(file, delimiter="\t"))


def points(folder):
    return {name: contents(f"{folder}/{name}") for name in sorted(os.listdir(folder)) if os.path.isdir(f"{folder}/{name}")}


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    expect(0, "simulate", "ssvd", "-o", "data")
    x, truth = "data/data.npy", "data/truth/rows.txt"
    words = ["path", "ssvd", x, "--clusters", 2, "--vary", "row-sparsity=10%:90%:3", "--vary", "column-sparsity=0,20%"]

    done = expect(0, *words, "-o", "out", "--truth", truth, says=["row_sparsity", "written to out"])
    check(len(done.stdout.splitlines()) == 9, f"a line per point: {done.stdout}")
    rows = table("out")
    check([(r["row_sparsity"], r["column_sparsity"]) for r in rows] ==
          [(a, b) for a in ("10%", "50%", "90%") for b in ("0", "20%")], "the last option varies fastest")
    for row in rows:
        stored = result(f"out/{row['folder']}")
        expect(0, "verify", f"out/{row['folder']}")
        check(abs(float(row["objective"]) - stored["objective"]) < 1e-9, "the table has the result's numbers")
        check(float(row["loss"]) == stored["terms"]["loss"] and row["status"] == stored["status"], f"{row}")
        check(int(row["component_1_rows"]) == stored["components"][1]["size"]["rows"], "sizes per mode and component")
        check(float(row["nmi"]) == stored["scores"]["nmi"], "scores")
        check(os.path.exists(f"out/{row['folder']}/report.html"), "a page per point")
    record = json.loads(open("out/path.json").read())
    check(record["method"] == "ssvd" and record["vary"]["column-sparsity"] == ["0", "20%"], f"{record}")
    check(record["inputs"] == [x] and record["command"].endswith(truth), f"{record}")

    # The same as single fits, when every run begins anew.
    expect(0, "fit", "ssvd", x, "-o", "single", "--clusters", 2, "--row-sparsity", "50%", "--column-sparsity", "20%",
           "--truth", truth)
    expect(0, *words, "-o", "cold", "--cold", "--quiet", "--truth", truth)
    check(contents("single") == contents("cold/03"), "a point is what fit gives")

    # Outputs.
    whole = points("out")
    expect(2, *words, "-o", "out", says="--force")
    expect(2, *words, "-o", "data", "--force", says="is not a path")
    expect(2, *words, "-o", "single", "--force", says="is not a path")
    shutil.rmtree("out/04")
    expect(2, *words, "-o", "out", "--resume", "--adaptive", 1, says=["--resume", "adaptive"])
    expect(2, *words, "-o", "out", "--resume", says=["--resume", "truth"])
    expect(0, *words, "-o", "out", "--truth", truth, "--resume", says="5 points were complete")
    check(points("out") == whole and len(table("out")) == 6, "resumed to the same files")
    expect(0, "path", "ssvd", x, "-o", "out", "--vary", "row-sparsity=0,1", "--force", "--quiet")
    check(sorted(os.listdir("out")) == ["00", "01", "path.json", "path.tsv", "report.html"], f"{os.listdir('out')}")

    # A tensor cut into a series, sparse data, spacings.
    numpy.save("cube.npy", planted(30, 20).reshape(1, 30, 20))
    expect(0, "path", "ssvd", "cube.npy", "--series-mode", 0, "-o", "cube", "--vary", "row-sparsity=0.01:10000:13log")
    check([float(r["row_sparsity"]) for r in table("cube")][::2] == [.01, .1, 1, 10, 100, 1000, 10000], "spaced by ratios")
    expect(0, "verify", "cube/12")

    # An array of three modes, dense and sparse: each fit begun from its neighbour's, and none worse for it.
    random = numpy.random.default_rng(2)
    cube = random.uniform(size=(14, 12, 6)) * (random.uniform(size=(14, 12, 6)) < 0.3)
    cube[:4, :5, :3] += 4
    cube[6:10, 4:9, 2:] += 3
    numpy.save("three.npy", cube)
    open("three.tns", "w").write("".join(f"{i} {j} {k} {cube[i, j, k]:.17g}\n" for i, j, k in numpy.argwhere(cube)))
    grid = ["--vary", "sparsity=1:64:4log", "--vary", "clusters=2,3", "--restarts", 2, "--quiet"]
    expect(0, "path", "tensor", "three.npy", "-o", "dense", *grid)
    expect(0, "path", "tensor", "three.npy", "-o", "anew", "--cold", *grid)
    expect(0, "path", "tensor", "three.tns", "--index-base", 0, "--shape", "14,12,6", "-o", "sparse", *grid)
    for row, cold, lean in zip(table("dense"), table("anew"), table("sparse"), strict=True):
        expect(0, "verify", f"dense/{row['folder']}")
        expect(0, "verify", f"sparse/{lean['folder']}")
        check(row["status"] == "converged", f"{row}")
        check(float(row["objective"]) <= float(cold["objective"]) * 1.02, f"{row} {cold}")
        check(abs(float(row["objective"]) - float(lean["objective"])) <= 1e-6 * float(row["objective"]), f"{row} {lean}")
    expect(0, "path", "tensor", "three.npy", "-o", "shares", "--vary", "sparsity=0,10%,100%,auto", "--restarts", 1, "--quiet")
    for row in table("shares"):
        expect(0, "verify", f"shares/{row['folder']}")
    check(float(table("shares")[2]["loss"]) == float(table("shares")[2]["objective"]), "at 100% nothing is left to penalise")

    # Wrong words.
    before = sorted(os.listdir("."))
    for spec, says in (("rows=1:2:3", "there are"), ("row-sparsity", "OPTION="), ("row-sparsity=1:2", "FROM:TO:COUNT"),
                       ("row-sparsity=1:2:x", "number of values"), ("row-sparsity=0:2:3log", "above zero"),
                       ("row-sparsity=1%:2:3", "percentage"), ("row-sparsity=some", "--row-sparsity"),
                       ("clusters=0,1", "--clusters"), ("threads=1,2", "cannot be varied")):
        expect(2, "path", "ssvd", x, "-o", "no", "--vary", spec, says=says)
    expect(2, "path", "ssvd", x, "-o", "no", says="--vary")
    expect(2, "path", "ssvd", x, "--vary", "clusters=1,2", says="--output")
    expect(2, "path", "svd", x, "-o", "no", "--vary", "clusters=1,2", says="did you mean ssvd?")
    expect(2, "path", "ssvd", x, "-o", "no", "--vry", "clusters=1,2", says="did you mean --vary?")
    expect(2, "path", "ssvd", x, "-o", "no", "--vary", "clusters=1,2", "--clusters", 3, says="also varied")
    expect(2, "path", "ssvd", "none.npy", "-o", "no", "--vary", "clusters=1,2", says="none.npy")
    check(sorted(os.listdir(".")) == before, "nothing was touched")
    for name in ("ssvd", "kmeans"):
        page = run("path", name, "--help").stdout
        check("--vary" in page and "path.tsv" in page, f"path {name} --help")

    # Stopped by a signal or the clock: what is complete stays, and --resume goes on to the same files.
    numpy.save("x.npy", planted(400, 300, seed=3))
    words = ["path", "kmeans", "x.npy", "--clusters", 12, "--restarts", 20, "--vary", "seed=0:39:40lin"]
    begin = time.time()
    expect(0, *words, "-o", "whole", "--quiet", "--threads", 1)
    duration = time.time() - begin
    process = subprocess.Popen([GINGHAM, *map(str, words), "-o", "stopped", "--threads", "1"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    while process.poll() is None and len(glob.glob("stopped/*/result.json")) < 3:
        time.sleep(0.001)
    process.send_signal(signal.SIGINT)
    said = process.communicate(timeout=60)[1]
    check(process.returncode == 3 and "--resume" in said, f"exit {process.returncode}: {said}")
    some = points("stopped")
    check(0 < len(some) < 40 and len(table("stopped")) == len(some), f"{len(some)} points before the signal")
    late = run(*words, "-o", "stopped", "--resume", "--time-limit", 0.1 * duration)
    check(late.returncode == 3, f"time limit: {late.returncode} {late.stderr}")
    expect(0, *words, "-o", "stopped", "--resume")
    check(points("stopped") == points("whole"), "resumed to the same files")
    check(len(table("stopped")) == 40, "the whole table")
finish()
