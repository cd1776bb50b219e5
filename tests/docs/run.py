"""Runs the commands of a page as a reader would who pastes them, and looks whether it prints what the page says.

    run.py PROGRAM PAGE [--package FOLDER] [--keep FOLDER] [--write]

Blocks fenced as ```sh run in order, in one empty folder, with `gingham` on the path; each must succeed. So do those fenced
as ```python, in one namespace (session.py), where --package names the folder that has the Python package; without it they
are passed over. A ```text block after a line `<!-- output -->` is what the block before it prints (output.py says how
closely). Blocks with any other fence are not run. --keep leaves the files in FOLDER; --write puts what was really printed
into the page, except where the page leaves lines out by `...`.
"""
import argparse
import contextlib
import os
import pathlib
import subprocess
import sys
import tempfile
import time

import output
import page
import session

LIMIT_SECONDS = 100


def environment(program, scratch):
    tools = pathlib.Path(scratch) / "bin"
    tools.mkdir()
    (tools / "gingham").symlink_to(pathlib.Path(program).resolve())
    kept = {name: value for name, value in os.environ.items() if name not in ("FORCE_COLOR", "CLICOLOR_FORCE")}
    return {**kept, "PATH": f"{tools}:{os.environ['PATH']}", "NO_COLOR": "1", "LC_ALL": "C.UTF-8"}


def run_block(block, folder, env):
    """Exit code, what a block prints, and what it says on standard error: progress, complaints."""
    done = subprocess.run(["sh", "-e"], input="\n".join(block.lines) + "\n", cwd=folder, env=env, timeout=LIMIT_SECONDS,
                          capture_output=True, text=True)
    return done.returncode, done.stdout.splitlines(), done.stderr.splitlines()


def without_python(blocks):
    """The blocks but for those of Python and what they print."""
    of_python = False
    for block in blocks:
        of_python = block.language == "python" or (of_python and block.is_output)
        if not of_python:
            yield block


def run_page(source, folder, env, notebook=None):
    """Problems found, and per output block what was really printed."""
    printed, problems, real = None, [], {}
    blocks = page.read(source.read_text())[0]
    for block in blocks if notebook else without_python(blocks):
        place = f"{source.name}:{block.first + 1}"
        if block.is_output and (block.language != "text" or printed is None):
            problems.append(f"{place}: output of nothing: it must be ```text after a block that is run")
        elif block.is_output:
            real[block.first] = (block, printed)
            line = output.missing(block.lines, printed)
            if line is not None:
                problems.append(f"{place}: not printed: {line}\n  printed was:\n    " + "\n    ".join(printed))
        elif block.language in ("sh", "python"):
            is_shell = block.language == "sh"
            code, printed, complaints = run_block(block, folder, env) if is_shell else notebook.run_block(block)
            if code != 0:
                account = "\n    ".join([*block.lines, "", *printed, *complaints])
                return [*problems, f"{place}: exit {code}\n    {account}"], real
    return problems, real


def rewrite(source, real):
    lines = source.read_text().splitlines()
    for first, (block, printed) in sorted(real.items(), reverse=True):
        if "..." in (line.strip() for line in block.lines):
            print(f"{source.name}:{first + 1}: leaves lines out; look at it yourself")
        elif output.missing(block.lines, printed) is not None or len(block.lines) != len(printed):
            lines[first:first + len(block.lines)] = printed
    source.write_text("\n".join(lines) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("page", type=pathlib.Path)
    parser.add_argument("--package", metavar="FOLDER", type=pathlib.Path)
    parser.add_argument("--keep", metavar="FOLDER", type=pathlib.Path)
    parser.add_argument("--write", action="store_true")
    asked = parser.parse_args()
    begun = time.monotonic()
    with tempfile.TemporaryDirectory() as scratch:
        folder = asked.keep or pathlib.Path(scratch) / "page"
        folder.mkdir(parents=True)
        env = environment(asked.program, scratch)
        with session.Session(asked.package, folder, env) if asked.package else contextlib.nullcontext() as notebook:
            problems, real = run_page(asked.page, folder, env, notebook)
    if asked.write:
        rewrite(asked.page, real)
    print("\n".join(problems) or f"{asked.page.name}: as it says, {time.monotonic() - begun:.1f} s")
    sys.exit(1 if problems and not asked.write else 0)


if __name__ == "__main__":
    main()
