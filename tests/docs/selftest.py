"""The tests of pages notice what they are there to notice."""
import pathlib
import sys
import tempfile

import output
import page
import run
import session

assert output.same("ssvd: converged after 29 iterations, 2 ms", "ssvd: converged after  90 iterations,  1.5 s")
assert output.same("objective 12135.595, largest gap 9.6e-07", "objective 12135.6, largest gap 0")
assert output.same("0  30.4  3.5%  22", "0 31.0 3.6% 23")
assert not output.same("0  30.4  3.5%  22", "0 30.4 3.5% 30")
assert not output.same("members 0", "members 1")
assert not output.same("nmi 0.95", "nmi 0.85")
assert not output.same("ssvd: converged after 29 iterations", "ssvd: stopped after 29 iterations")
assert not output.same("written to out_1", "written to out_2")
assert not output.same("rows 1 2", "rows 1")
assert output.missing(["a 1", "...", "c"], ["a 1", "b", "c", "d"]) is None
assert output.missing(["c", "a"], ["a", "b", "c"]) == "a"

blocks, prose = page.read("# A `b`, c?\n\n```sh\nls\n```\n<!-- output -->\n```text\nx\n```\n\nword\n```text\ny\n```\n")
assert [(block.language, block.lines, block.is_output) for block in blocks] == [
    ("sh", ["ls"], False), ("text", ["x"], True), ("text", ["y"], False)]
assert page.anchors(prose) == {"a-b-c"}
assert page.links(["see [x](y.md#z) and ![seen here](p.png)"]) == [("x", "y.md#z", False), ("seen here", "p.png", True)]

SAYS = "```sh\necho one 5\n{}\n```\n<!-- output -->\n```text\n{}\n```\n"
for commands, says, good in [("true", "one 5", True), ("true", "two 5", False), ("false", "one 5", False),
                             ("gingham --version", "gingham ...", False), ("test ! -e made; touch made", "one 5", True)]:
    with tempfile.TemporaryDirectory() as scratch:
        source = pathlib.Path(scratch) / "page.md"
        source.write_text(SAYS.format(commands, says))
        problems, real = run.run_page(source, scratch, run.environment(sys.argv[1], scratch))
        assert bool(problems) != good, (commands, says, problems)
        if not good and commands != "false":
            run.rewrite(source, real)
            assert "one 5" in source.read_text()

# Python: one namespace, the last value is shown, what raises, warns or ends Python is noticed, files are those of the shell.
PAGE = ("```sh\necho 7 > file\n```\n```python\nx = int(open('file').read())\n```\n"
        "```python\n{}\n```\n<!-- output -->\n```text\n{}\n```\n")
for code, says, good in [("x + 1", "8", True), ("print('seen')\nx + 1", "seen\n8", True), ("print(x)", "nothing", False),
                         ("x = 1", "1", False), ("y", "", False), ("import warnings\nwarnings.warn('no')", "", False),
                         ("import os\nos._exit(3)", "", False), ("def f(:", "", False)]:
    with tempfile.TemporaryDirectory() as scratch:
        source = pathlib.Path(scratch) / "page.md"
        source.write_text(PAGE.format(code, says))
        env = run.environment(sys.argv[1], scratch)
        with session.Session(scratch, scratch, env) as notebook:
            problems, real = run.run_page(source, scratch, env, notebook)
        assert bool(problems) != good, (code, says, problems)
        assert not run.run_page(source, scratch, env)[0], "without a package they are passed over"
        if code == "print(x)":
            run.rewrite(source, real)
            assert "\n7\n" in source.read_text()
print("pages that lie are noticed")
