"""Options that take a word or the file of a matrix: attached_matrix.py GINGHAM METHOD, for a method with --init as the
dictionaries have it."""
import os

import scipy.sparse

from support import *

METHOD = sys.argv[2]


def changed(folder):
    """A result without what is about where its files lie."""
    files = contents(folder)
    del files["result.json"]["parameters"]["init"], files["result.json"]["requested"]["init"]
    del files["result.json"]["attached"]["init"]["path"]
    return files


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    expect(0, "simulate", "dictionary", "-o", "made", "--samples", 300, "--length", 12, "--atoms", 15)
    os.rename("made/data.npy", "x.npy")
    planted_atoms = numpy.load("made/truth/dictionary.npy")
    codes = scipy.sparse.load_npz("made/truth/codes.npz")
    x = numpy.load("x.npy")
    check(planted_atoms.shape == (12, 15) and codes.shape == (300, 15) and codes.nnz == 900, "the planted truth")
    noise = x - codes @ planted_atoms.T
    check(abs(numpy.log10((x**2).sum() / (noise**2).sum()) - 2) < 0.05, "20 dB")
    numpy.save("start.npy", planted_atoms)
    numpy.savetxt("start.csv", planted_atoms, delimiter=",", fmt="%.17g")
    numpy.savez("start.npz", other=x, atoms=planted_atoms)

    fit = ["fit", METHOD, "x.npy", "--atoms", 15, "--epochs", 2, "--init"]
    expect(0, *fit, "start.npy", "-o", "out")
    stored = result("out")
    check(stored["parameters"]["init"] == "start.npy" and stored["requested"]["init"] == "start.npy", "the path as typed")
    attached = stored["attached"]["init"]
    check(attached["path"] == "start.npy" and attached["shape"] == [12, 15] and len(attached["digest"]) == 16, f"{attached}")
    check(attached["digest"] in pathlib.Path("out/report.html").read_text(), "the page has the digest")
    expect(0, "verify", "out", says="all agree")
    check("the file of a matrix" in " ".join(run("fit", METHOD, "--help").stdout.split()), "in the help")

    # The same matrix in other clothes gives the same result, a word needs no file.
    for name in ("start.csv", "start.npz:atoms"):
        expect(0, *fit, name, "-o", "again", "--force")
        check(changed("again") == changed("out"), f"{name}: another result")
    pathlib.Path("random").mkdir()
    expect(0, *fit, "random", "-o", "word")
    check(result("word")["attached"] == {} and result("word")["parameters"]["init"] == "random", "a word")

    # What cannot be taken.
    numpy.save("wrong.npy", planted_atoms.T)
    numpy.save("hole.npy", numpy.where(planted_atoms > 0.5, numpy.nan, planted_atoms))
    scipy.sparse.save_npz("sparse.npz", scipy.sparse.csr_matrix(planted_atoms))
    for name, says in (("none.npy", "none.npy"), ("wrong.npy", "15 x 12"), ("hole.npy", "missing"), ("sparse.npz", "dense"),
                       (".", "."), ("", "the file of a matrix")):
        expect(2, *fit, name, "-o", "no", says=["--init", says])
    check(not os.path.exists("no"), "nothing is left behind")

    # verify and transform read the file again.
    numpy.save("new.npy", x[:7])
    os.rename("start.npy", "elsewhere.npy")
    for command in (["verify", "out"], ["transform", "out", "new.npy", "-o", "new"]):
        expect(2, *command, says=["--init", "start.npy", "--attached init=FILE"])
        expect(0, *command, "--attached", "init=elsewhere.npy")
    story = json.loads(pathlib.Path("new/transform.json").read_text())
    check(story["fit"]["attached"]["init"] == attached, "the record of the transform")
    numpy.save("start.npy", planted_atoms[:, ::-1])
    expect(1, "verify", "out", says=["--init start.npy", attached["digest"], "12 x 15", "not the same"])
    expect(2, "transform", "out", "new.npy", "-o", "new", "--force", says=["--init", "not the same"])

    # A run goes on with the same matrix, wherever it lies, and with no other.
    expect(3, *fit, "elsewhere.npy", "-o", "stopped", "--time-limit", 0)
    expect(2, *fit, "start.npy", "-o", "stopped", "--resume", says=["--resume", "--init", attached["digest"]])
    expect(2, *fit, "random", "-o", "stopped", "--resume", says=["--resume", "--init", attached["digest"]])
    expect(0, *fit, "start.csv", "-o", "stopped", "--resume", says="resumed")
    check(changed("stopped") == changed("out"), "resumed to the same result")

    # path and compare.
    expect(0, "compare", "x.npy", "--methods", f"{METHOD}:init=start.csv,{METHOD}", "--init", "elsewhere.npy", "--atoms", 15,
           "--epochs", 2, "-o", "both")
    for name in (METHOD, METHOD + "_2"):
        check(result(f"both/{name}")["attached"]["init"]["digest"] == attached["digest"], f"{name}")
        expect(0, "verify", f"both/{name}")
    path = ["path", METHOD, "x.npy", "--vary", "seed=0,1", "--atoms", 15, "--epochs", 2, "-o", "path", "--init"]
    expect(0, *path, "start.csv")
    expect(0, *path, "elsewhere.npy", "--resume", says="2 points were complete already")
    expect(2, *path, "start.npy", "--resume", says=["--resume", "init"])

finish()
