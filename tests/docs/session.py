"""Blocks of Python, run one after the other in one namespace, as the cells of a notebook.

A Session has a Python of its own, which this file is run by. Each line of its standard input is a block as a JSON string.
The answer is a line of JSON: what the block prints, with the value of a last expression as a notebook shows it, and the
account of what it raised, or null. What the block's own calls warn of is raised, so that no page shows code that warns.
"""
import ast
import contextlib
import io
import json
import pathlib
import signal
import subprocess
import sys
import traceback
import warnings

LIMIT_SECONDS = 100


class Session:
    """Begins with its first block. `package` is the folder that has the package the blocks import."""

    def __init__(self, package, folder, env):
        self.folder, self.env, self.child = folder, {**env, "PYTHONPATH": str(pathlib.Path(package).resolve())}, None

    def run_block(self, block):
        """Exit code, what a block prints, and the account of what went wrong."""
        if self.child is None:
            self.child = subprocess.Popen([sys.executable, "-B", __file__], cwd=self.folder, env=self.env, text=True,
                                          stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.child.stdin.write(json.dumps("\n".join(block.lines)) + "\n")
        self.child.stdin.flush()
        answer = self.child.stdout.readline()
        if not answer:
            return 1, [], [f"Python ended with {self.child.wait()}"]
        printed, account = json.loads(answer)
        return int(account is not None), printed.splitlines(), (account or "").splitlines()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.child is not None:
            self.child.communicate()


def run(code, name, namespace):
    tree = ast.parse(code, name)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, name, "exec"), namespace)
    if last is not None:
        value = eval(compile(ast.Expression(last.value), name, "eval"), namespace)
        if value is not None:
            print(repr(value))


def main():
    warnings.filterwarnings("error", module="__main__|gingham")
    sys.path[0] = ""  # the folder of the page, not of this file
    namespace = {"__name__": "__main__"}
    answers = sys.stdout
    for number, line in enumerate(sys.stdin):
        signal.alarm(LIMIT_SECONDS)
        printed, account = io.StringIO(), None
        with contextlib.redirect_stdout(printed):
            try:
                run(json.loads(line), f"<block {number}>", namespace)
            except BaseException:
                account = traceback.format_exc()
        print(json.dumps([printed.getvalue(), account]), file=answers, flush=True)


if __name__ == "__main__":
    main()
