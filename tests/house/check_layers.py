"""Includes point down only, nothing below apps/ prints or reads a clock it should not, headers stay light."""
import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1])
# A layer may include itself and what is listed: the order of the house.
allowed = {
    "base": [],
    "data": ["base"],
    "kernels": ["base", "data"],
    "penalties": ["base", "data", "kernels"],
    "operators": ["base", "data", "kernels"],
    "engine": ["base", "data", "kernels", "penalties"],
    "alternation": ["base", "data", "kernels", "penalties", "operators"],
    "methods": ["base", "data", "kernels", "penalties", "operators", "alternation", "engine"],
    "io": ["base", "data", "kernels", "penalties", "engine", "methods"],
    "metrics": ["base", "data", "kernels", "penalties", "engine", "methods"],
    "tools": ["base", "data", "kernels", "penalties", "operators", "alternation", "engine", "methods", "io", "metrics"],
}
printing = re.compile(r"std::(cout|cerr|clog)|(?<![a-z_])(printf|fprintf|puts|fputs|putchar|perror)\s*\(|#include <iostream>")
files_or_clocks = re.compile(r"#include <(fstream|chrono|filesystem|ctime)>|#include [<\"](mpi\.h|fcntl\.h|unistd\.h)")
heavy = re.compile(r"#include <(Eigen/|nlohmann/(?!json_fwd)|fmt/|CLI/|Spectra/|iostream|regex)")
problems = []


def code_of(path):
    text = path.read_text()
    text = re.sub(r"//[^\n]*", "", text)
    return re.sub(r'"(\\.|[^"\\\n])*"', lambda m: m.group(0) if "gingham/" in m.group(0) or ".h" in m.group(0) else '""', text)


checked = 0
for layer, below in allowed.items():
    for path in sorted((root / "src" / layer).rglob("*.[ch]pp")):
        checked += 1
        name = path.relative_to(root)
        code = code_of(path)
        for target in re.findall(r'#include "([^"]+)"', code):
            match = re.fullmatch(r"gingham/([a-z]+)/(.+)", target)
            if not match:
                problems.append(f"{name}: includes \"{target}\"; write \"gingham/<layer>/...\"")
            elif match.group(1) != layer and match.group(1) not in below:
                problems.append(f"{name}: {layer} must not include {match.group(1)}")
            elif layer == "methods" and match.group(1) == "methods":
                own, other = path.parent.name, match.group(2).split("/")[0]
                is_method = (root / "src" / "methods" / other / "info.cpp").exists()
                if own != other and is_method and "/" in match.group(2) and own != "methods":
                    problems.append(f"{name}: method {own} includes method {other}")
        if printing.search(code):
            problems.append(f"{name}: prints ({printing.search(code).group(0)})")
        if layer in ("methods", "alternation", "penalties", "operators", "kernels") and files_or_clocks.search(code):
            problems.append(f"{name}: touches files or clocks ({files_or_clocks.search(code).group(0)})")
        if path.suffix == ".hpp" and heavy.search(code):
            problems.append(f"{name}: a header includes something heavy ({heavy.search(code).group(0)})")
        if path.suffix == ".hpp" and "#pragma once" not in path.read_text():
            problems.append(f"{name}: no #pragma once")
# A rendering of one Result: it uses the layers as the programs do, prints nothing, and only programs include it.
for path in sorted((root / "report").rglob("*.[ch]pp")):
    checked += 1
    name = path.relative_to(root)
    code = code_of(path)
    for target in re.findall(r'#include "([^"]+)"', code):
        match = re.fullmatch(r"(gingham|report)/.+", target)
        if not match:
            problems.append(f"{name}: includes \"{target}\"; write \"gingham/<layer>/...\" or \"report/...\"")
    if printing.search(code):
        problems.append(f"{name}: prints ({printing.search(code).group(0)})")
    if files_or_clocks.search(code):
        problems.append(f"{name}: touches files or clocks ({files_or_clocks.search(code).group(0)})")
    if path.suffix == ".hpp" and heavy.search(code):
        problems.append(f"{name}: a header includes something heavy ({heavy.search(code).group(0)})")
    if path.suffix == ".hpp" and "#pragma once" not in path.read_text():
        problems.append(f"{name}: no #pragma once")
# The Python module stands where the programs stand: on the report and the layers, and nothing stands on it.
for path in sorted((root / "python").rglob("*.[ch]pp")):
    checked += 1
    name = path.relative_to(root)
    code = code_of(path)
    for target in re.findall(r'#include "([^"]+)"', code):
        if not re.fullmatch(r"(gingham|report)/.+", target) and not (path.parent / target).exists():
            problems.append(f"{name}: includes \"{target}\"; write \"gingham/<layer>/...\", \"report/...\" or a neighbour")
    if printing.search(code):
        problems.append(f"{name}: prints ({printing.search(code).group(0)})")
    if path.suffix == ".hpp" and "#pragma once" not in path.read_text():
        problems.append(f"{name}: no #pragma once")
for place in ("src", "report", "apps"):
    for path in (root / place).rglob("*.[ch]pp"):
        if re.search(r'#include ["<](python/|pybind11/|Python\.h)', path.read_text()):
            problems.append(f"{path.relative_to(root)}: uses Python")
folders = {p.name for p in (root / "src").iterdir() if p.is_dir()}
for unknown in sorted(folders - set(allowed)):
    problems.append(f"src/{unknown}: a layer that the order does not know")
methods = [p.name.replace("_", "-") for p in (root / "src/methods").iterdir() if (p / "info.cpp").exists()]
for place in ("apps", "report", "src/engine", "src/io", "src/metrics", "src/tools"):
    for path in (root / place).rglob("*.[ch]pp"):
        if path.name == "demo.cpp":  # a demonstration chooses what it shows
            continue
        text = re.sub(r"//[^\n]*", "", path.read_text())
        for method in methods:
            if f'"{method}"' in text:
                problems.append(f"{path.relative_to(root)}: names the method {method}")
kinds = ("matrix", "tensor", "series", "views")  # of input; a method may be called the same
for path in [*(root / "python").rglob("*.[ch]pp"), *(root / "python").rglob("*.py")]:
    text = re.sub(r"(//|#)[^\n]*", "", path.read_text())
    for method in methods:
        if method not in kinds and re.search(f"[\"']{method}[\"']", text):
            problems.append(f"{path.relative_to(root)}: names the method {method}")
print(f"{checked} files checked")
for problem in problems:
    print(problem)
sys.exit(1 if problems or checked < 50 else 0)
