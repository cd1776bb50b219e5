"""Planted arrays, and what is read off a result."""
import itertools

import numpy

# Seeds from 0 on served for first looks; the tables begin here.
FIRST_SEED = 1000
SEPARATED = 0.8  # of the Jaccard index


class Planted:
    """Data of `gingham simulate tensor` and what is in them."""

    def __init__(self, gingham, name, seed, **options):
        self.seed, self.name = seed, f"{name}_{seed}"
        folder = gingham.simulate("tensor", f"data_{self.name}", seed=seed, **options)
        self.data = next(folder.glob("data.*"))
        self.truth = folder / "clusters.tsv"

    def fit(self, gingham, title, method="tensor", **options):
        name = f"{self.name}_{title}".replace(" ", "_").replace("%", "p").replace(",", "_")
        return gingham.fit(method, [self.data], name, **options)

    def scores(self, gingham, fitted):
        """(planted cells right, all cells right)"""
        found = gingham.scores(fitted.folder, [self.truth])
        return found["planted_right"], found["cells_right"]

    def blocks(self):
        """Per block the items of each mode, as sets."""
        return members(self.truth)


def members(path):
    """[[items of mode 0, items of mode 1, ...] per component] of a clusters.tsv."""
    lines = [line.split("\t") for line in path.read_text().splitlines()]
    place = {name: k for k, name in enumerate(lines[0])}
    modes = list(dict.fromkeys(line[place["mode"]] for line in lines[1:]))
    count = 1 + max((int(line[place["component"]]) for line in lines[1:]), default=-1)
    found = [[set() for _ in modes] for _ in range(count)]
    for line in lines[1:]:
        found[int(line[place["component"]])][modes.index(line[place["mode"]])].add(int(line[place["index"]]))
    return found


def cells_of(block):
    return set(itertools.product(*block))


def are_separated(fitted, blocks, others):
    """Whether each of `blocks` has a component of its own: by the Jaccard index of the planted cells that both hold."""
    planted = set().union(*map(cells_of, blocks + others))
    found = [{cell for cell in planted if all(item in items for item, items in zip(cell, component))}
             for component in members(fitted.folder / "clusters.tsv")]
    wanted = [cells_of(block) for block in blocks]
    return any(all(len(found[k] & cells) >= SEPARATED * len(found[k] | cells) for k, cells in zip(order, wanted))
               for order in itertools.permutations(range(len(found)), len(wanted)))


def factors(fitted):
    return fitted.series("mode")


def weights(fitted):
    return fitted.array("weights")


def model(fitted):
    """sum_k rho_k a_k o b_k o ..., dense."""
    parts = factors(fitted)
    letters = "abcdefgh"[:len(parts)]
    terms = ",".join(letter + "k" for letter in letters)
    return numpy.einsum(f"{terms},k->{letters}", *parts, weights(fitted), optimize=True)


def cosines(one, other):
    """|cosine| of every rank-one term of one result with every one of another."""
    product = 1.0
    for a, b in zip(factors(one), factors(other)):
        norms = numpy.outer(numpy.linalg.norm(a, axis=0), numpy.linalg.norm(b, axis=0))
        product = product * numpy.abs(a.T @ b) / numpy.where(norms > 0, norms, 1.0)
    return product


def fit_trace(fitted):
    """Objectives of the first stage: the fit, before anything is pruned."""
    return [row["objective"] for row in fitted.json["trace"] if row["component"] == 0]


def iterations_to(fitted, change):
    """The first iteration whose relative change of the objective is at most `change`; all, where there is none."""
    trace = fit_trace(fitted)
    for k, (before, after) in enumerate(zip(trace, trace[1:])):
        if abs(before - after) <= change * max(abs(before), 1e-300):
            return k + 2
    return len(trace)


def penalties_used(fitted):
    """lambda per mode, as numbers."""
    used = fitted.json["parameters"]["sparsity"]
    return [float(value) for value in (used if isinstance(used, list) else [used] * len(factors(fitted)))]
