"""Running the program and looking at what it leaves behind."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import numpy

GINGHAM = os.path.abspath(sys.argv[1])
failures = []
checks = 0


def run(*words, timeout=300, **keywords):
    return subprocess.run([GINGHAM, *map(str, words)], capture_output=True, text=True, timeout=timeout, **keywords)


def check(holds, what):
    global checks
    checks += 1
    if not holds:
        failures.append(what)
        print("FAILED:", what)


def expect(code, *words, says=None, where=None, **keywords):
    """The exit code, one clear line on standard error when it is not 0, and what that line must name."""
    done = run(*words, **keywords)
    line = " ".join(map(str, words))
    check(done.returncode == code, f"{line}: exit {done.returncode}, expected {code}: {done.stderr[-500:]}")
    if code in (2, 5):
        check(done.stderr.count("\n") == 1, f"{line}: not one line: {done.stderr!r}")
        check(done.stderr.startswith("gingham: "), f"{line}: {done.stderr!r}")
    for text in [says] if isinstance(says, str) else (says or []):
        check(text in done.stderr + done.stdout, f"{line}: does not say {text!r}: {done.stderr!r}")
    return done


def result(folder):
    return json.loads((pathlib.Path(folder) / "result.json").read_text())


def page_data(file):
    """What the program handed to the script of a page."""
    page = pathlib.Path(file).read_text()
    begin = page.index('id="data">') + len('id="data">')
    return json.loads(page[begin:page.index("</script>", begin)])


def contents(folder):
    """Every file of a result, with what may differ between two equal runs left out of result.json."""
    files = {}
    for path in sorted(pathlib.Path(folder).rglob("*")):
        if path.is_file():
            files[str(path.relative_to(folder))] = path.read_bytes()
    stored = json.loads(files.pop("result.json"))
    del stored["seconds"]
    for record in stored["trace"]:
        del record["seconds"]
    for options in ("parameters", "requested"):
        for limit in ("threads", "time_limit", "max_iterations"):
            stored[options].pop(limit, None)
    files["result.json"] = stored
    files.pop("report.html", None)
    return files


def planted(rows, columns, seed=0, noise=1.0):
    random = numpy.random.default_rng(seed)
    matrix = noise * random.normal(size=(rows, columns))
    matrix[: rows // 4, : columns // 3] += 3
    return matrix


def finish():
    print(f"{checks} checks, {len(failures)} failed")
    sys.exit(1 if failures else 0)
