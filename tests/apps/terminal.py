"""What is printed depends on where it goes: colours and bars on a terminal only, the same words everywhere."""
import fcntl
import pty
import re
import struct
import termios

from support import *

COLOUR = re.compile(r"\x1b\[[0-9;]*m")


def on_terminal(*words, columns=80, width_from="ioctl", stderr_too=False, code=0, **variables):
    """The output of a run whose standard output is a terminal; variables with the value None are not set."""
    environment = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "COLUMNS", "LC_ALL", "LC_CTYPE")}
    environment.update(TERM="xterm-256color", LANG="C.UTF-8")
    for key, value in variables.items():
        environment.pop(key, None)
        if value is not None:
            environment[key] = value
    ours, theirs = pty.openpty()
    if width_from == "ioctl":
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
    else:
        environment["COLUMNS"] = str(columns)
    child = subprocess.Popen([GINGHAM, *map(str, words)], stdin=subprocess.DEVNULL, stdout=theirs,
                             stderr=theirs if stderr_too else subprocess.DEVNULL, env=environment)
    os.close(theirs)
    output = b""
    while True:
        try:
            piece = os.read(ours, 65536)
        except OSError:  # the other side is closed
            break
        if not piece:
            break
        output += piece
    os.close(ours)
    check(child.wait() == code, f"{words}: exit {child.returncode}: {output[-400:]}")
    return output.decode().replace("\r\n", "\n")


def words_of(text):
    """Without colours, bars and what differs from run to run."""
    text = re.sub("[▏▎▍▌▋▊▉█]+", "", COLOUR.sub("", text))
    text = re.sub(r"[0-9.]+ (ms|s)\b", "TIME", text)
    return [" ".join(line.split()) for line in text.splitlines()]


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    table = planted(40, 30)
    open("x.csv", "w").write("id," + ",".join(f"gene {j}" for j in range(30)) + "\n" + "".join(
        f"sample {i}," + ",".join(f"{x:.17g}" for x in table[i]) + "\n" for i in range(40)))
    fit = ["fit", "ssvd", "x.csv", "-o", "out", "--clusters", 2, "--force"]

    plain = expect(0, *fit).stdout
    check("\x1b" not in plain and not re.search("[▏▎▍▌▋▊▉█…]", plain), "no colours and no bars in a pipe")
    check(plain.splitlines()[0].startswith("ssvd: converged after"), f"the headline: {plain.splitlines()[0]}")
    check("sample " in plain and "gene " in plain, "the strongest members are named")
    check("together the 2 components explain" in plain, "the total is said")
    check(plain.splitlines()[-1] == "report: out/report.html", "the page comes last")
    stored = result("out")
    for component in stored["components"]:
        check(f"{100 * component['explained']:.1f}%" in plain, "shares are those of the result")
    total = 100 * stored["explained"]
    check(f"explain {total:.1f}%" in plain, "and so is their sum")

    shown = on_terminal(*fit, columns=200)
    check(COLOUR.search(shown) and "█" in shown, "colours and bars on a terminal")
    check("\x1b" not in COLOUR.sub("", shown), "nothing but colours")
    check(words_of(shown) == words_of(plain), f"the same words: {words_of(shown)} {words_of(plain)}")
    check("\x1b[32mconverged\x1b[0m" in shown, "converged is green")
    check("\x1b[33mstopped" in on_terminal(*fit, "--max-iterations", 1), "not converged is not")
    for without in ({"NO_COLOR": "1"}, {"TERM": "dumb"}, {"TERM": None}):
        text = on_terminal(*fit, columns=200, **without)
        check("\x1b" not in text and words_of(text) == words_of(plain), f"{without}: no colours, the same words")
    check(COLOUR.search(on_terminal(*fit, NO_COLOR="")), "an empty NO_COLOR means nothing")
    for locale in ({"LANG": "C"}, {"LC_ALL": "C"}, {"LANG": None}):
        text = on_terminal(*fit, **locale)
        check(COLOUR.search(text) and text.isascii(), f"{locale}: no bars without UTF-8")

    for columns in (30, 47, 80):
        for source in ("ioctl", "COLUMNS"):
            text = COLOUR.sub("", on_terminal(*fit, columns=columns, width_from=source))
            lines = text.splitlines()
            first = next(i for i, line in enumerate(lines) if line.lstrip().startswith("component"))
            last = next(i for i, line in enumerate(lines) if line.startswith("together"))
            check(last > first + 2, "the table is there")
            check(max(len(line) for line in lines[first:last]) <= columns, f"the table fits into {columns}: {text}")

    # Progress: cut to the terminal, nothing but what rewrites and paints the line.
    numpy.save("slow.npy", numpy.random.default_rng(0).normal(size=(3000, 40)))
    slow = ["fit", "kmeans", "slow.npy", "-o", "slow", "--force", "--clusters", 60, "--restarts", 1000000, "--time-limit", 2.5]
    text = on_terminal(*slow, stderr_too=True, columns=40, code=3)
    lines = [line for line in re.findall("\r\x1b\\[K([^\r\n]+)", text) if "restart" in line]
    check(lines and all(len(COLOUR.sub("", line)) < 40 for line in lines), f"the progress line fits: {lines}")
    check(COLOUR.search(lines[0]) and "…" in lines[0], f"it is painted, and says that it goes on: {lines}")
    text = on_terminal(*slow, stderr_too=True, columns=40, code=3, NO_COLOR="1")
    check(not COLOUR.search(text) and "\x1b[K" in text, "without colours it is still one line")
    text = on_terminal(*slow, stderr_too=True, columns=200, code=3, TERM="dumb")
    check("\x1b" not in text and "restart" in text, "a terminal that cannot do that gets lines")

    # Labels that a terminal would obey, or that hide the rest of the line.
    hostile = ["\u202eevil", "a\u2066b", "wide 漢字漢字漢字", "x" * 300, "é" * 100, "\u2028line", "%s%n", "\\033[31m", "<b>"]
    table = planted(40, 30)
    table[:3, :10] += 20  # the three that are named
    numpy.save("bare.npy", table)
    fit = ["fit", "ssvd", "bare.npy", "-o", "hostile", "--names", "names.txt", "--force"]
    for first in range(0, len(hostile), 3):
        names = hostile[first:first + 3] + [f"plain {i}" for i in range(37)]
        open("names.txt", "w").write("\n".join(names) + "\n")
        usual = run(*fit).stdout
        check("plain " not in usual, f"they are shown: {usual}")
        for text in (usual, on_terminal(*fit), on_terminal(*fit, columns=30)):
            left_over = COLOUR.sub("", text)
            check(not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]", left_over), f"harmless: {left_over!r}")
            check(len(left_over.splitlines()) == len(usual.splitlines()), "a label does not break its line")
    open("names.txt", "w").write("\x1b[31mred\n" + "\n".join(names[1:]) + "\n")
    done = expect(2, *fit, says="control character")
    check("\x1b" not in done.stderr, "nor does the message that refuses it")
finish()
