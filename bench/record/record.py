"""What a build finds on 200 small problems of all methods, and whether another build finds the same.

    record.py make PROGRAM OUT [--like RECORD [--numbers] [--shake SHARE]] [--real FOLDER] [--only REGEX] [--jobs N] [--repeat N]
                   [--keep]
    record.py compare BEFORE AFTER [--only REGEX]
    record.py list [--only REGEX]

`make` prepares the data (sets.py), runs every problem (problems.py) with PROGRAM, build/gingham, and writes OUT/record.json:
per run objective, status, gap, iterations, the objective after the first iteration, seconds, and digests and counts of
supports and labels. With --like it takes the data and stored starts of an earlier record, so that a change of a simulator
does not show; without, they are made anew. With --numbers a percentage becomes the number that it came to in that record, so that
a change of what 100 % is does not show either. --real is the folder of real data, ../shared/data beside the project if not given;
problems whose data are not there are left out, and it says so. An option that a program does not know makes a problem
`refused`, with its words. --repeat runs each problem several times, keeps the shortest time and calls it `unsteady` if
anything else differs. --keep leaves the result directories in OUT/runs. --shake 1e-13 multiplies the values of the data by
1 + 1e-13 times a random number: what then differs from the record before is decided by rounding, not by a build.

Run a of a problem is from the method's own start at its own tolerance. `compare` wants its objective, at least in 95 of 100
problems, not above that before by more than 1e-6 of it. Run b is at tolerance 1e-10 from a named or stored start: there the
objective must be equal to 1e-8, and supports (zeros of the factors) and labels the same, whatever the order of the components.
Exceptions are listed with both numbers; the exit code is 1 if there are too many. Debian's python3 with numpy does.
"""
import argparse
import concurrent.futures
import hashlib
import json
import math
import pathlib
import re
import shutil
import subprocess
import sys
import time

import numpy as np

import compare
import problems
import sets

LIMIT_SECONDS = 100  # for one run


def digest(data):
    return hashlib.sha256(data).hexdigest()[:16]


def identifier(method, name, options):
    return f"{method} {name} {options}".strip()


def chosen(only):
    return [one for one in problems.problems() if re.search(only, identifier(*one))]


# What is kept of a result directory.

def pattern(path):
    """Where an array is not zero; a sparse one is an .npz as scipy writes it."""
    stored = np.load(path)
    if not hasattr(stored, "files"):
        return stored != 0
    nonzero = np.zeros(tuple(stored["shape"]), dtype=bool)
    rows = np.repeat(np.arange(nonzero.shape[0]), np.diff(stored["indptr"]))
    nonzero[rows, stored["indices"]] = stored["data"] != 0
    return nonzero


def support(path, n_components):
    """Count and digest of the nonzeros; components in the order of their patterns, so that theirs does not count."""
    nonzero = pattern(path)
    by_component = nonzero.reshape(nonzero.shape[0], -1)
    if by_component.shape[0] != n_components or nonzero.shape[-1] == n_components:
        by_component = by_component.T
    lines = [line.tobytes() for line in by_component]
    if len(lines) == n_components:
        lines.sort()
    return {"nonzeros": int(nonzero.sum()), "digest": digest(repr(nonzero.shape).encode() + b"".join(lines))}


def partition(path):
    """Digest of labels up to their names, except that -1 stays: in no group."""
    names = {"-1": -1}
    return digest(" ".join(str(names.setdefault(line, len(names))) for line in path.read_text().split("\n")).encode())


def summary(method, folder):
    result = json.loads((folder / "result.json").read_text())
    gaps = list(result["gaps"].values())
    factors = {array["name"]: array["file"] for array in result["arrays"]
               if any(array["name"] == stem or (stem.endswith("_") and array["name"].startswith(stem))
                      for stem in problems.SUPPORTS.get(method, []))}
    return {
        "state": "done",
        "status": result["status"],
        "objective": result["objective"],
        "gap": None if None in gaps else max(gaps, default=0.0),
        "iterations": result["iterations"],
        "first": result["trace"][0]["objective"] if result["trace"] else None,
        "seconds": result["seconds"]["fit"],
        "used": {name: value for name, value in result["parameters"].items() if isinstance(value, (float, list))},
        "components": len(result["components"]),
        "supports": {name: support(folder / file, len(result["components"])) for name, file in sorted(factors.items())},
        "labels": {file.stem: partition(file) for file in sorted((folder / "labels").glob("*.txt"))},
    }


# Runs.

def run(program, method, inputs, options, folder):
    command = [program, "fit", method, *inputs, "-o", folder, "--threads", "1", "--quiet", "--force", *options]
    begin = time.perf_counter()
    try:
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=LIMIT_SECONDS)
    except subprocess.TimeoutExpired:
        return {"state": "failed", "message": f"ran longer than {LIMIT_SECONDS} s"}
    if done.returncode == 2:
        return {"state": "refused", "message": done.stderr.strip()}
    if not (folder / "result.json").exists():
        return {"state": "failed", "message": f"exit code {done.returncode}: {done.stderr.strip()}"}
    return {**summary(method, folder), "wall": round(time.perf_counter() - begin, 4)}


def run_repeatedly(times, *arguments):
    best = run(*arguments)
    for _ in range(times - 1 if best["state"] == "done" else 0):
        again = run(*arguments)
        clock = {"seconds": min(best["seconds"], again.get("seconds", math.inf)), "wall": best["wall"]}
        if {**again, **clock} != {**best, **clock}:
            return {"state": "unsteady", "message": f"objective {best['objective']}, then {again.get('objective')}"}
        best.update(clock)
    return best


def size_of(files):
    """Digest of the files, and the sum of squares: an objective far below it is zero."""
    content, squares = hashlib.sha256(), 0.0
    for file in files:
        content.update(file.read_bytes())
        values = np.load(file).astype(float) if file.suffix == ".npy" else sets.read_listed(file)[2]
        squares += float(np.nansum(np.square(values)))
    return {"digest": content.hexdigest()[:16], "squares": squares}


def with_numbers(method, words, used):
    """The words with the numbers that percentages of an option came to; a list where an option takes one for each mode."""
    replaced = list(words)
    for at in range(1, len(words)):
        value = used.get(words[at - 1].removeprefix("--").replace("-", "_"))
        if "%" in words[at] and (isinstance(value, float) or isinstance(value, list) and method == "tensor"):
            replaced[at] = ",".join(repr(one) for one in value) if isinstance(value, list) else repr(value)
    return replaced


def solve(program, problem, maker, runs, times, keep, before):
    """Both runs of a problem; `before`: what an earlier record has of it, whose numbers are to be taken."""
    method, name, options = problem
    place = maker.place(name)
    files = [place / file for file in sets.SETS[name].inputs]
    record = {"method": method, "data": size_of(files)}
    for kind, text in (("a", options), ("b", problems.tightened(method, options))):
        words = [word.replace("{}", str(place)) for word in text.split()] + sets.SETS[name].reading.split()
        words = with_numbers(method, words, before.get(kind, {}).get("used", {}))
        folder = runs / f"{digest(identifier(*problem).encode())}.{kind}"
        record[kind] = {"options": text, **run_repeatedly(times, program, method, files, words, folder)}
        if not keep:
            shutil.rmtree(folder, ignore_errors=True)
            shutil.rmtree(folder.with_name(folder.name + ".checkpoint"), ignore_errors=True)
    return record


def make(arguments):
    out, program = arguments.out.resolve(), arguments.program.resolve()
    real = arguments.real or pathlib.Path(__file__).resolve().parents[3] / "shared" / "data"
    out.mkdir(parents=True, exist_ok=True)
    if arguments.like and not (out / "data").exists():
        shutil.copytree(arguments.like / "data", out / "data")
        rng = np.random.default_rng(0)
        for file in sorted((out / "data").glob("*/data*")) if arguments.shake else []:
            sets.shake(file, arguments.shake, rng)
    maker = sets.Maker(program, real if real.exists() else None, out / "data")
    (out / "runs").mkdir(exist_ok=True)
    wanted, left_out = [], {}
    for problem in chosen(arguments.only):
        try:
            maker.place(problem[1])
            wanted.append(problem)
        except sets.NotThere as missing:
            left_out[identifier(*problem)] = str(missing)
    before = json.loads((arguments.like / "record.json").read_text())["problems"] if arguments.numbers else {}
    begin, records = time.perf_counter(), {}
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        todo = {identifier(*one): pool.submit(solve, program, one, maker, out / "runs", arguments.repeat, arguments.keep,
                                                     before.get(identifier(*one), {}))
                for one in wanted}
        for key, future in todo.items():
            records[key] = future.result()
            if sys.stderr.isatty():
                print(f"\r{len(records)} of {len(todo)} ", end="", file=sys.stderr, flush=True)
    seconds = time.perf_counter() - begin
    if not arguments.keep:
        (out / "runs").rmdir()
    (out / "record.json").write_text(json.dumps(
        {"program": digest(program.read_bytes()), "shaken": arguments.shake, "seconds": round(seconds, 1), "left_out": left_out,
         "problems": records}, indent=1) + "\n")
    compare.print_left_out(left_out)
    compare.print_record(records)
    print(f"{len(records)} problems, {seconds:.0f} s with {arguments.jobs} at a time")
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    one = commands.add_parser("make")
    one.add_argument("program", type=pathlib.Path)
    one.add_argument("out", type=pathlib.Path)
    one.add_argument("--like", type=pathlib.Path)
    one.add_argument("--numbers", action="store_true")
    one.add_argument("--shake", type=float, default=0.0, metavar="SHARE")
    one.add_argument("--real", type=pathlib.Path)
    one.add_argument("--jobs", type=int, default=1)
    one.add_argument("--repeat", type=int, default=1)
    one.add_argument("--keep", action="store_true")
    two = commands.add_parser("compare")
    two.add_argument("before", type=pathlib.Path)
    two.add_argument("after", type=pathlib.Path)
    three = commands.add_parser("list")
    for command in (one, two, three):
        command.add_argument("--only", default="", metavar="REGEX")
    arguments = parser.parse_args()
    if arguments.command == "make" and arguments.shake and (not arguments.like or (arguments.out / "data").exists()):
        parser.error("--shake needs --like and an OUT without data")
    if arguments.command == "make" and arguments.numbers and not arguments.like:
        parser.error("--numbers needs --like")
    if arguments.command == "make":
        return make(arguments)
    if arguments.command == "compare":
        return compare.compare(arguments.before, arguments.after, arguments.only)
    for method, name, options in chosen(arguments.only):
        print(identifier(method, name, options))
    return 0


if __name__ == "__main__":
    sys.exit(main())
