"""Runs the gingham program; every result it makes is verified."""
import concurrent.futures
import csv
import json
import pathlib
import subprocess
import threading

import numpy


class Gingham:
    """`program`: path of the executable; `work`: where results go; `jobs`: how many runs go on at the same time."""

    def __init__(self, program, work, jobs=1):
        self.program = str(program)
        self.work = pathlib.Path(work)
        self.jobs = jobs
        self.n_results = 0
        self.n_verified = 0
        self.differences = []  # what verify found, a text each
        self.statuses = {}  # how often each occurred
        self.lock = threading.Lock()

    def run(self, *words, ok=(0,)):
        """The finished process; the script ends with the program's message if it fails."""
        command = [self.program] + [str(word) for word in words]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode not in ok:
            raise SystemExit(f"{' '.join(command)}\nended with {done.returncode}:\n{done.stderr}")
        return done

    def each(self, function, items):
        """[function(item), ...], several at a time."""
        with concurrent.futures.ThreadPoolExecutor(self.jobs) as pool:
            return list(pool.map(function, items))

    def simulate(self, problem, name, **options):
        folder = self.work / name
        self.run("simulate", problem, "-o", folder, "--force", *as_words(options))
        return folder

    def info(self, path):
        return json.loads(self.run("info", path, "--json").stdout)

    def scores(self, found, truth):
        """Scores by name; with several truth files their averages and name_0, name_1, ..."""
        return json.loads(self.run("evaluate", found, "--truth", *truth, "--json").stdout)

    def fit(self, method, inputs, name, **options):
        return self.checked(self.make(["fit", method, *inputs], name, options))

    def path(self, method, inputs, name, vary, truth=(), **options):
        """The rows of path.tsv, each with its result as row["fitted"]."""
        words = ["path", method, *inputs, "--vary", vary, *truth_words(truth)]
        folder = self.make(words, name, options)
        rows = read_table(folder / "path.tsv")
        for row in rows:
            row["fitted"] = self.checked(folder / row["folder"])
        return rows

    def compare(self, inputs, name, methods, truth, **options):
        """The rows of compare.tsv, each with its results: one for the whole series, or one per matrix."""
        words = ["compare", *inputs, "--methods", ",".join(methods), *truth_words(truth)]
        folder = self.make(words, name, options)
        rows = read_table(folder / "compare.tsv")
        for row in rows:
            if row["message"]:
                raise SystemExit(f"{row['method']}: {row['message']}")
            places = sorted(path.parent for path in (folder / row["folder"]).rglob("result.json"))
            row["fitted"] = [self.checked(place) for place in places]
        return rows

    def make(self, words, name, options):
        folder = self.work / name
        options = {"threads": 1 if self.jobs > 1 else 0, **options}
        self.run(*words, "-o", folder, "--force", "--quiet", *as_words(options))
        return folder

    def checked(self, folder):
        """The result, verified."""
        done = self.run("verify", folder, ok=(0, 1))
        fitted = Fitted(folder)
        with self.lock:
            self.n_results += 1
            self.n_verified += done.returncode == 0
            self.statuses[fitted.status] = self.statuses.get(fitted.status, 0) + 1
            if done.returncode != 0:
                self.differences.append(f"{folder.relative_to(self.work)}: {(done.stdout + done.stderr).strip()}")
        return fitted


class Fitted:
    """A result directory."""

    def __init__(self, folder):
        self.folder = folder
        self.json = json.loads((folder / "result.json").read_text())

    @property
    def status(self):
        return self.json["status"]

    @property
    def explained(self):
        return sum(component["explained"] for component in self.json["components"])

    def array(self, name):
        return numpy.load(self.folder / f"{name}.npy")

    def series(self, name):
        """The arrays name_0, name_1, ..."""
        return [numpy.load(path) for path in numbered(self.folder, name + "_{}.npy")]

    def labels(self, key):
        return (self.folder / "labels" / f"{key}.txt").read_text().split()


def numbered(folder, pattern):
    paths = []
    while (folder / pattern.format(len(paths))).exists():
        paths.append(folder / pattern.format(len(paths)))
    return paths


TEXTS = ("folder", "method", "options", "status", "message")


def read_table(path):
    """The rows of a .tsv as dictionaries, numbers as numbers."""
    with open(path, encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    return [{name: cell if name in TEXTS else as_number(cell) for name, cell in row.items()} for row in rows]


def as_number(cell):
    try:
        return float(cell)
    except ValueError:
        return cell  # a percentage, a list


def truth_words(truth):
    return ["--truth", *truth] if truth else []


def as_words(options):
    words = []
    for name, value in options.items():
        words.append("--" + name.replace("_", "-"))
        if value is not True:
            words.append(str(value))
    return words
