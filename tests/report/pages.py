"""Pages as the program makes them, of every kind, for the tests in a browser: pages.py PROGRAM FOLDER."""
import pathlib
import random
import shutil
import subprocess
import sys

program, folder = str(pathlib.Path(sys.argv[1]).resolve()), pathlib.Path(sys.argv[2])
shutil.rmtree(folder, ignore_errors=True)
folder.mkdir(parents=True)


def run(*words, codes=(0,)):
    done = subprocess.run([program, *map(str, words)], cwd=folder, capture_output=True, text=True)
    assert done.returncode in codes, (words, done.returncode, done.stderr)
    return done


def page(name, *words, codes=(0,)):
    """fit, path or compare: FOLDER/name/report.html."""
    run(*words, "-o", name, codes=codes)
    text = (folder / name / "report.html").read_text()
    assert len(text) < 5_000_000, (name, len(text))
    print(f"{name}: {len(text)} bytes")


def simulated(problem, *options):
    run("simulate", problem, "-o", "data_" + problem, *options)
    return sorted((folder / ("data_" + problem)).glob("data*"))


def table(name, rows, header):
    lines = [",".join(header)] + [",".join(map(str, row)) for row in rows]
    (folder / name).write_text("\n".join(lines) + "\n")
    return name


rng = random.Random(3)
HOSTILE = ["<script>alert(1)</script>", "</script><img src=x onerror=alert(1)>", "' onload='x", "&lt;b&gt;", "{{7*7}}"]
labels = lambda kind, n: [f'"{HOSTILE[i % 5]} {kind}{i}"' for i in range(n)]
cell = lambda i, j: "" if rng.random() < 0.05 else round((i % 3 == j % 3) * 3 + rng.random(), 3)
rows = [[name, *(cell(i, j) for j in range(20))] for i, name in enumerate(labels("row", 30))]
matrix = table("matrix.csv", rows, ["id", *labels("column", 20)])
page("matrix", "fit", "ssvd", matrix, "--clusters", 3)
page("several_restarts", "fit", "nmf", *simulated("groupnmf", "--snr", 3), "--allow-negative", "--rank", "auto", "--restarts", 3, "--max-iterations", 60)
groups = folder / "data_groupnmf"
page("groups", "fit", "groupnmf", *sorted(groups.glob("data*")), "--groups", groups / "groups.txt", "--rank", 6,
     "--allow-negative")
page("series", "fit", "evolving", *simulated("evolving", "--voxels", 40, "--genes", 120), "--clusters", 4)
page("views", "fit", "multiview", *simulated("multiview"), "--clusters", 2)
page("tensor", "fit", "tensor", *simulated("tensor"), "--clusters", 3)
page("dictionary", "fit", "dictionary", *simulated("dictionary", "--length", 64, "--samples", 800), "--atoms", 32)
page("path", "path", "ssvd", matrix, "--clusters", 3, "--vary", "row-sparsity=10%,30%,60%,90%")
page("compare", "compare", matrix, "--methods", "ssvd:clusters=3,ssvd:clusters=2")
run("report", "matrix", "tensor", "-o", "side_by_side.html")
(folder / "several").mkdir()
(folder / "side_by_side.html").rename(folder / "several/report.html")

one = table("one_row.csv", [["a", *(i + 1 for i in range(8))]], ["id", *(f"c{j}" for j in range(8))])
page("one_row", "fit", "ssvd", one, "--clusters", 1)
zeros = table("zeros.csv", [[f"r{i}", *([0] * 6)] for i in range(5)], ["id", *(f"c{j}" for j in range(6))])
page("zeros", "fit", "ssvd", zeros, "--clusters", 2)

# 10^5 x 10^4, sparse.
n, m, listed = 100_000, 10_000, 400_000
with open(folder / "large.mtx", "w") as file:
    file.write(f"%%MatrixMarket matrix coordinate real general\n{n} {m} {listed}\n")
    seen = set()
    while len(seen) < listed:
        i, j = rng.randrange(n), rng.randrange(m)
        if rng.random() < 0.5:
            i, j = i % 2000, j % 300
        if (i, j) not in seen:
            seen.add((i, j))
            file.write(f"{i + 1} {j + 1} {1 + (i + j) % 4}\n")
page("large", "fit", "ssvd", "large.mtx", "--clusters", 2, "--max-iterations", 20)
