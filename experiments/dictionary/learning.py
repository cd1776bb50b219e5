"""Learning dictionaries with the program, and what they are worth on samples they have not seen."""
import json
import math

import numpy

from support.command import Fitted
from support.statistics import deviation, mean, standard_error

# Smaller seeds served for first looks, after which batches and methods were still changed; the tables begin here.
FIRST_SEED = 2000
SCC, ONLINE = "dictionary", "online-dictionary"
# In single precision such a step is no step: a fit that codes with the dictionary it began from.
FIXED = dict(learning_rate="natural:1e-300,1", epochs=1)


def learn(gingham, method, data, name, verified=True, **options):
    words = ["fit", method, data]
    folder = gingham.make(words, name.replace(":", "_").replace(",", "_"), {"threads": 1, **options})
    return gingham.checked(folder) if verified else Fitted(folder)


def transform(gingham, fitted, data, name, coding=None):
    """The folder with the codes of `data`: exact, to a duality gap of 1e-6, or by a few steps."""
    folder = gingham.work / name
    words = ["--set", f"coding={coding}"] if coding else []
    gingham.run("transform", fitted.folder, data, "-o", folder, "--force", "--quiet", "--threads", 1, *words)
    return folder


def objective_on(gingham, fitted, data):
    """(1/n) sum of 1/2 |x - D z|^2 + lambda |z|_1 with the best z for each sample of `data`."""
    folder = transform(gingham, fitted, data, f"{fitted.folder.relative_to(gingham.work)}_on_{data.stem}")
    found = json.loads((folder / "transform.json").read_text())
    if found["status"] != "converged":
        raise SystemExit(f"{folder}: {found['status']}")
    return found["objective"]


def seconds(fitted):
    """Of learning, with the pass at its end that codes every sample; reading and evaluating left out."""
    return fitted.json["trace"][-1]["seconds"]


WRITTEN = set()  # files of first atoms


def first_atoms(gingham, data, atoms, seed):
    """A file of random samples, so that all methods begin from the same dictionary."""
    path = gingham.work / f"first_{data.parent.name}_{data.stem}_{atoms}_{seed}.npy"
    with gingham.lock:
        if path not in WRITTEN:
            WRITTEN.add(path)
            rows = numpy.load(data, mmap_mode="r")
            chosen = numpy.random.default_rng([seed, 11]).choice(len(rows), atoms, replace=False)
            numpy.save(path, unit(numpy.asarray(rows[numpy.sort(chosen)], dtype=float)).T.copy())
    return path


def unit(rows):
    """Zero-mean and of length 1; constant rows are left out."""
    rows = rows - rows.mean(axis=1, keepdims=True)
    lengths = numpy.linalg.norm(rows, axis=1, keepdims=True)
    return (rows / numpy.where(lengths > 0, lengths, 1.0))[lengths[:, 0] > 1e-9]


def precise(values):
    return f"{mean(values):.5f} ± {deviation(values):.5f}"


def percent_below(lower, higher):
    """Per seed: by how many percent the first objective is below the second."""
    return [100.0 * (b / a - 1.0) for a, b in zip(lower, higher)]


def within(values, reference, share):
    """In words, whether an objective is at most `share` above another: decided when two standard errors agree."""
    excess = [a / b - 1.0 for a, b in zip(values, reference)]
    centre, error = mean(excess), standard_error(excess)
    word = "holds" if centre + 2 * error <= share else "does not hold" if centre - 2 * error > share else "is undecided"
    if len(excess) < 3:
        word = "is undecided"
    return f"{word} ({100 * centre:+.2f} %, standard error {100 * error:.2f}, {len(excess)} seeds)"


def at_least(values, goal):
    """In words, whether the mean reaches `goal`, by two standard errors."""
    centre, error = mean(values), standard_error(values)
    word = "holds" if centre - 2 * error >= goal else "does not hold" if centre + 2 * error < goal else "is undecided"
    return (f"{word if len(values) > 2 else 'is undecided'} ({centre:.3f}, standard error {error:.3f}, "
            f"{sum(v >= goal for v in values)} of {len(values)} seeds)")


def ratio(values):
    """Geometric mean."""
    return math.exp(mean(math.log(value) for value in values))
