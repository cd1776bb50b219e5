"""Wrong words, wrong values, wrong files: the right exit code, one clear line, nothing touched."""
import os

from support import *

with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    numpy.save("x.npy", planted(20, 10))
    numpy.save("negative.npy", -planted(5, 4))
    open("hole.csv", "w").write("1,2\n3,\n5,6\n")
    os.mkdir("folder.csv")
    before = sorted(os.listdir("."))

    expect(2, "nosuch", says="no command 'nosuch'")
    expect(2, "ftt", says="did you mean fit?")
    expect(2, "fit", "kmean", "x.npy", "-o", "out", says="did you mean kmeans?")
    expect(2, "fit", "unheard", "x.npy", "-o", "out", says="there are")
    expect(2, "fit", "ssvd", "x.npy", says="--output")
    expect(2, "fit", "ssvd", "-o", "out", says="INPUT")
    expect(2, "fit", "ssvd", "x.npy", "-o", "out", "--cluster", 3, says="did you mean --clusters?")
    expect(2, "fit", "ssvd", "x.npy", "-o", "out", "--no-such-thing", 3, says="--no-such-thing")
    expect(2, "info", "x.npy", "--jsn", says="did you mean --json?")
    expect(2, "simulate", "ssvd", "-o", "out", "--colums", 3, says="did you mean --columns?")
    for option, value, hint in (("clusters", "0", "at least 1|from 1"), ("clusters", "2.5", "whole number"),
                                ("clusters", "many", "whole number"), ("tolerance", "-1", "from 0"),
                                ("tolerance", "nan", "from 0"), ("row-sparsity", "-3", "a number"),
                                ("row-sparsity", "some", "auto"), ("max-iterations", "0", "from 1"),
                                ("precision", "quad", "double"), ("threads", "-1", "from 0"), ("seed", "-1", "from 0")):
        done = expect(2, "fit", "ssvd", "x.npy", "-o", "out", f"--{option}={value}", says=f"--{option}")
        check(any(part in done.stderr for part in hint.split("|")), f"--{option} {value}: {done.stderr}")
    expect(2, "fit", "ssvd", "x.npy", "-o", "out", "--memory-limit", "lots", says="--memory-limit")
    expect(2, "fit", "ssvd", "x.npy", "-o", "out", "--memory-limit", "100kB", says=["needs about", "--memory-limit"])
    expect(2, "fit", "ssvd", "x.npy", "-o", "out", "--unlisted", "perhaps", says="--unlisted")
    expect(2, "info", "x.npy", "--shape", "3,a", says="--shape")
    expect(2, "info", "missing.csv", says="missing.csv")
    expect(2, "info", "folder.csv", says="directory")
    expect(2, "info", ".", says="unknown kind of file")
    expect(2, "info", "x.unknown", says="x.unknown")
    expect(2, "fit", "ssvd", "missing.npy", "-o", "out", says="missing.npy")
    expect(2, "fit", "ssvd", "x.npy", "x.npy", "-o", "out", says="expected one matrix")
    expect(2, "fit", "ssvd", "x.npy", "-o", "out", "--penalty", "rows=nonneg", "columns=nonneg",
           says=["columns=nonneg", "--penalty columns=nonneg"])
    expect(2, "fit", "kmeans", "hole.csv", "-o", "out", says=["hole.csv", "missing", "row 2, column 2"])
    expect(2, "fit", "spectral", "negative.npy", "-o", "out", says=["negative.npy", "negative value"])
    expect(2, "fit", "ssvd", "x.npy", "-o", "no/such/folder", says="does not exist")
    expect(2, "fit", "ssvd", "x.npy", "-o", "x.npy", says="exists already")
    expect(2, "fit", "ssvd", "x.npy", "-o", "out", "--truth", "nowhere.txt", says="nowhere.txt")
    expect(2, "evaluate", "x.npy", says="--truth")
    expect(2, "evaluate", "nowhere", "--truth", "x.npy", says="nowhere")
    expect(2, "verify", "nowhere", says="nowhere")
    expect(2, "verify", ".", says="result.json")
    expect(2, "simulate", "weather", "-o", "out", says="there is no problem")
    expect(2, "simulate", "ssvd", "-o", "out", "--rows", "0", says="--rows")
    expect(2, "simulate", "ssvd", "-o", "out", "--clusters", "50", says="do not fit")
    check(run().returncode == 2, "no words at all")
    check(sorted(os.listdir(".")) == before, f"nothing was touched: {sorted(os.listdir('.'))}")

    # An output that exists is kept; --force replaces a result but never something else.
    expect(0, "fit", "ssvd", "x.npy", "-o", "out")
    kept = contents("out")
    expect(2, "fit", "ssvd", "x.npy", "-o", "out", says="--force")
    check(contents("out") == kept, "the earlier result is untouched")
    expect(0, "fit", "ssvd", "x.npy", "-o", "out", "--force", "--clusters", 2)
    check(len(result("out")["components"]) == 2, "--force replaces it")
    os.mkdir("precious")
    open("precious/thesis.txt", "w").write("years of work")
    done = run("fit", "ssvd", "x.npy", "-o", "precious", "--force")
    check(done.returncode in (2, 5) and os.path.exists("precious/thesis.txt"), f"a folder that is no result: {done}")
    check(not [f for f in os.listdir(".") if f.startswith("precious.") or ".tmp" in f], f"left behind: {os.listdir('.')}")

    # What cannot be written is 5, and nothing is left behind.
    if os.path.isdir("/proc/self"):
        expect(5, "fit", "ssvd", "x.npy", "-o", "/proc/self/out")
    # Damaged results are refused, not believed.
    for damage in ("", "{", "[]", '{"gingham": 1}', "null"):
        os.makedirs("damaged", exist_ok=True)
        open("damaged/result.json", "w").write(damage)
        expect(2, "verify", "damaged", says="result.json")
    text = open("out/result.json").read()
    open("out/result.json", "w").write(text.replace('"name": "u"', '"name": "../../x"'))
    expect(2, "verify", "out", says="not a name")
    open("out/result.json", "w").write(text)
    os.rename("x.npy", "moved.npy")
    expect(2, "verify", "out", says="x.npy")
    expect(0, "verify", "out", "--input", "moved.npy")
    numpy.save("x.npy", planted(20, 10, seed=1))
    expect(1, "verify", "out", says="the data are not the same")
finish()
