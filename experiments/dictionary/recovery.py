"""Planted dictionaries: how many atoms come back."""
import numpy

from dictionary.learning import ONLINE, SCC, learn, objective_on, precise, within
from support.statistics import holds, mean, spread, standard_error

SAME = 0.99  # |cosine| from which on an atom counts as found
GOAL = 0.95
# Length, atoms, samples: up to twice as many atoms as values, three of them in a sample, 20 dB.
SIZES = ((32, 48, 3000), (32, 64, 3000), (64, 128, 6000))
EPOCHS = 50
RIVAL = "online-dictionary"
METHODS = {"dictionary": (SCC, {}), "dictionary, best of 5 starts": (SCC, dict(restarts=5)),
           "dictionary, batch 1": (SCC, dict(batch=1)),
           "dictionary, batch 1, best of 5 starts": (SCC, dict(batch=1, restarts=5)), RIVAL: (ONLINE, dict(batch=256))}
N_HELD_OUT = 500


def run(gingham, page, seeds, sizes, epochs):
    page.say(f"`gingham simulate dictionary`: three atoms in a sample, 20 dB, {epochs} epochs, lambda auto. Found: "
             f"|cosine| of at least {SAME} with some atom of the result. The objective is that of exact codes of "
             f"{N_HELD_OUT} samples that were not learned from; best of 5 starts: the lowest objective of those learned "
             "from.")
    rows, claims = [], []
    for size in sizes:
        found = gingham.each(lambda seed, size=size: one(gingham, seed, size, epochs, seed == seeds[0]), seeds)
        for title in METHODS:
            shares, objectives = ([run[title][k] for run in found] for k in (0, 1))
            rows.append([*size, title, spread(shares), f"{sum(s >= GOAL for s in shares)} of {len(shares)}",
                         precise(objectives), mean(run[title][2] for run in found)])
            where = f"{size[1]} atoms of length {size[0]}, {title}"
            claims.append(f"{where}: at least 95 % of the atoms come back, on average: {holds(mean(shares) >= GOAL)} "
                          f"({100 * mean(shares):.1f} %, standard error {100 * standard_error(shares):.1f}); for "
                          f"{sum(s >= GOAL for s in shares)} of {len(shares)} seeds.")
            if title != RIVAL:
                claims.append(f"{where}: within 1 % of online-dictionary run for {epochs} epochs: "
                              f"{within(objectives, [run[RIVAL][1] for run in found], 0.01)}.")
    page.table("planted", ["length", "atoms", "samples", "method", "share of atoms found", "seeds with 95 %",
                           "held-out objective", "seconds"], rows)
    page.points(claims)


def one(gingham, seed, size, epochs, verified):
    """{method: (share of atoms found, held-out objective, seconds)}"""
    length, atoms, n = size
    name = f"atoms_{atoms}_{length}_{seed}"
    folder = gingham.simulate("dictionary", name, seed=seed, length=length, atoms=atoms, samples=n + N_HELD_OUT)
    data, truth = numpy.load(folder / "data.npy"), numpy.load(folder / "truth/dictionary.npy")
    train, held_out = (gingham.work / f"{name}_{part}.npy" for part in ("train", "held_out"))
    numpy.save(train, data[:n])
    numpy.save(held_out, data[n:])
    results = {}
    for title, (method, options) in METHODS.items():
        fitted = learn(gingham, method, train, f"{name}_{title.replace(' ', '_')}", verified, seed=seed, atoms=atoms,
                       epochs=epochs, **options)
        results[title] = (share_found(fitted.array("dictionary"), truth), objective_on(gingham, fitted, held_out),
                          fitted.json["seconds"]["fit"])
    return results


def share_found(found, planted):
    """Samples are centred before they are learned from, so what was planted is too."""
    cosines = numpy.abs(unit_columns(planted - planted.mean(axis=0)).T @ unit_columns(found))
    return float((cosines.max(axis=1) >= SAME).mean())


def unit_columns(matrix):
    lengths = numpy.linalg.norm(matrix, axis=0)
    return matrix / numpy.where(lengths > 0, lengths, 1.0)
