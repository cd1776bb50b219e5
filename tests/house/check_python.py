"""Python of the package and its tests: lines, quotes, no paths and no hosts of one machine, nothing that does not parse."""
import ast
import io
import pathlib
import re
import sys
import tokenize

root = pathlib.Path(sys.argv[1])
machine = re.compile(r"""(?<![\w.*/-])/(home|root|tmp|work|usr|opt|var|mnt)/""")
hosts = re.compile(r"https?://|\b(pypi|anaconda|conda-forge)\b")
files = [root / "setup.py", root / "pyproject.toml", root / "MANIFEST.in", *(root / "python").rglob("*.py"),
         *(root / "python").rglob("*.[ch]pp"), *(root / "tests/python").glob("*.py")]
problems = []


def quotes(text):
    """Lines of strings in single quotes that hold no double ones."""
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.STRING and re.match(r"[rbfRBF]*'", token.string) and '"' not in token.string:
            yield token.start[0]


for path in sorted(files):
    name = path.relative_to(root)
    text = path.read_text(encoding="utf-8")
    longest = 120 if path.suffix != ".cpp" and path.suffix != ".hpp" else 100
    for number, line in enumerate(text.splitlines(), 1):
        where = f"{name}:{number}"
        if len(line) > longest:
            problems.append(f"{where}: {len(line)} characters, at most {longest}")
        if line != line.rstrip() or "\t" in line:
            problems.append(f"{where}: a tab, or blanks at the end")
        if machine.search(line):
            problems.append(f"{where}: a path of one machine ({machine.search(line).group(0)})")
        if hosts.search(line):
            problems.append(f"{where}: a host ({hosts.search(line).group(0)})")
    if path.suffix == ".py":
        ast.parse(text)
        problems += [f"{name}:{number}: single quotes" for number in quotes(text)]
print(f"{len(files)} files checked")
for problem in problems:
    print(problem)
sys.exit(1 if problems or len(files) < 20 else 0)
