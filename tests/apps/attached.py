"""Options that name a file of lines: attached.py GINGHAM METHOD OPTION, for a method that takes one line per row or
column of a matrix."""
import gzip
import os

from support import *

METHOD, OPTION = sys.argv[2:4]
KEY = OPTION.replace("-", "_")


def changed(folder):
    """A result without what is about where its files lie."""
    files = contents(folder)
    del files["result.json"]["parameters"][KEY], files["result.json"]["requested"][KEY]
    del files["result.json"]["attached"][KEY]["path"]
    return files


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    numpy.save("x.npy", numpy.abs(planted(10, 10)))
    numpy.save("new.npy", numpy.abs(planted(3, 10, seed=1)))
    lines = ["a", "b", "", "a", "b", "a", "a", "", "b", "a"]

    def write(name, text):
        pathlib.Path(name).write_bytes(text.encode() if isinstance(text, str) else text)

    write("groups.txt", "\n".join(lines) + "\n")
    fit = ["fit", METHOD, "x.npy", "--seed", 3, f"--{OPTION}"]
    expect(0, *fit, "groups.txt", "-o", "out")
    stored = result("out")
    check(stored["parameters"][KEY] == "groups.txt" and stored["requested"][KEY] == "groups.txt", "the path as typed")
    attached = stored["attached"][KEY]
    check(attached["path"] == "groups.txt" and attached["lines"] == 10 and len(attached["digest"]) == 16, f"{attached}")
    check(attached["digest"] in pathlib.Path("out/report.html").read_text(), "the page has the digest")
    expect(0, "verify", "out", says="all agree")
    check(f"--{OPTION}" in run("fit", METHOD, "--help").stdout, "in the help")
    check(f"--{OPTION}" in run("completion", "bash").stdout, "in the completion")

    # The same lines in other clothes give the same result.
    text = "\ufeff" + "\r\n".join(line + "  " for line in lines)
    write("dos.txt", text)
    write("packed.gz", gzip.compress(text.encode()))
    for name in ("dos.txt", "packed.gz"):
        expect(0, *fit, name, "-o", "again", "--force")
        check(changed("again") == changed("out"), f"{name}: another result")

    # What cannot be read.
    write("nul.txt", b"a\nb\0\n")
    write("latin.txt", b"a\n\xe4\n")
    for name, says in (("none.txt", "none.txt"), ("nul.txt", "nul.txt:2"), ("latin.txt", "latin.txt:2"), (".", "regular"), ("", "text file")):
        expect(2, *fit, name, "-o", "no", says=[f"--{OPTION}", says])
    check(not os.path.exists("no"), "nothing is left behind")

    # verify and transform read the file again.
    transform = ["transform", "out", "new.npy", "-o", "new"]
    can_transform = "cannot be applied" not in run(*transform[:-1], "tried").stderr
    os.rename("groups.txt", "elsewhere.txt")
    for command in (["verify", "out"], transform if can_transform else ["verify", "out"]):
        expect(2, *command, says=[f"--{OPTION}", "groups.txt", f"--attached {OPTION}=FILE"])
        expect(2, *command, "--attached", "elsewhere.txt", says="--attached")
        expect(2, *command, "--attached", "nothing=elsewhere.txt", says="nothing")
        expect(0, *command, "--attached", f"{KEY}=elsewhere.txt")
    write("groups.txt", "\n".join(lines[::-1]) + "\n")
    done = expect(1, "verify", "out", says=[f"--{OPTION} groups.txt", attached["digest"], "not the same"])
    check(len(done.stdout.splitlines()) == 1, f"nothing but the change: {done.stdout}")
    if can_transform:
        story = json.loads(pathlib.Path("new/transform.json").read_text())
        check(story["fit"]["attached"][KEY] == attached, "the record of the transform")
        expect(2, *transform, "--force", says=[f"--{OPTION}", "not the same"])

    # A run goes on with the same lines, wherever they lie, and with no others.
    expect(3, *fit, "elsewhere.txt", "-o", "stopped", "--time-limit", 0)
    expect(2, *fit, "groups.txt", "-o", "stopped", "--resume", says=["--resume", f"--{OPTION}", attached["digest"]])
    expect(0, *fit, "packed.gz", "-o", "stopped", "--resume", says="resumed")
    check(changed("stopped") == changed("out"), "resumed to the same result")

    # path and compare.
    expect(0, "compare", "x.npy", "--methods", f"{METHOD}:{OPTION}=dos.txt:seed=3,{METHOD}", f"--{OPTION}", "elsewhere.txt", "-o", "both")
    for name in (METHOD, METHOD + "_2"):
        check(result(f"both/{name}")["attached"][KEY]["digest"] == attached["digest"], f"{name}")
        expect(0, "verify", f"both/{name}")
    path = ["path", METHOD, "x.npy", "--vary", "seed=3,4", "-o", "path", f"--{OPTION}"]
    expect(0, *path, "dos.txt")
    check(changed("path/00") == changed("out"), "a point of a path")
    expect(0, *path, "elsewhere.txt", "--resume", says="2 points were complete already")
    expect(2, *path, "groups.txt", "--resume", says=["--resume", KEY])

finish()
