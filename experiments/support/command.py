"""Runs the gingham program; every result it makes is verified."""
import json
import pathlib
import subprocess
import sys


class Gingham:
    """`program`: path of the executable; `work`: where results go."""

    def __init__(self, program, work):
        self.program = str(program)
        self.work = pathlib.Path(work)
        self.n_results = 0
        self.n_verified = 0
        self.differences = []  # what verify found, a text each

    def run(self, *words, ok=(0,)):
        """The finished process; the script ends with the program's message if it fails."""
        command = [self.program] + [str(word) for word in words]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode not in ok:
            sys.exit(f"{' '.join(command)}\nended with {done.returncode}:\n{done.stderr}")
        return done

    def simulate(self, problem, name, **options):
        folder = self.work / name
        self.run("simulate", problem, "-o", folder, "--force", *as_words(options))
        return folder

    def info(self, path):
        return json.loads(self.run("info", path, "--json").stdout)

    def fit(self, method, inputs, name, **options):
        """Fits, verifies, and returns the result."""
        folder = self.work / name
        self.run("fit", method, *inputs, "-o", folder, "--force", "--quiet", *as_words(options))
        self.n_results += 1
        checked = self.run("verify", folder, ok=(0, 1))
        if checked.returncode == 0:
            self.n_verified += 1
        else:
            self.differences.append(f"{name}: {(checked.stdout + checked.stderr).strip()}")
        return Fitted(folder)

    def scores(self, found, truth):
        """Scores by name; with several truth files their averages and name_0, name_1, ..."""
        return json.loads(self.run("evaluate", found, "--truth", *truth, "--json").stdout)


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
        import numpy
        return numpy.load(self.folder / f"{name}.npy")

    def labels(self, key):
        return [int(line) for line in (self.folder / "labels" / f"{key}.txt").read_text().split()]


def as_words(options):
    words = []
    for name, value in options.items():
        words.append("--" + name.replace("_", "-"))
        if value is not True:
            words.append(str(value))
    return words
