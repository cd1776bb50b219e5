"""Planted dictionaries: how many atoms come back."""
import numpy

from dictionary.learning import ONLINE, SCC, at_least, learn, objective_on, precise, within
from support.statistics import mean, spread

SAME = 0.99  # |cosine| from which on an atom counts as found
GOAL = 0.95
# Length, atoms, samples: up to twice as many atoms as values, three of them in a sample, 20 dB.
SIZES = ((32, 48, 3000), (32, 64, 3000), (64, 128, 6000))
EPOCHS = 50
# Each against online learning from as many starts.
METHODS = {"dictionary": (SCC, {}), "dictionary, batch 1": (SCC, dict(batch=1)),
           "dictionary, best of 5 starts": (SCC, dict(restarts=5)),
           "online-dictionary": (ONLINE, {}), "online-dictionary, best of 5 starts": (ONLINE, dict(restarts=5))}
BATCHES = (16, 32, 64, 128, 256, 512)  # that online learning is tried with
N_HELD_OUT = 500


def run(gingham, page, seeds, sizes, epochs):
    page.say(f"`gingham simulate dictionary`: three atoms in a sample, 20 dB, {epochs} epochs, lambda auto. Found: "
             f"|cosine| of at least {SAME} with some atom of the result. The objective is that of exact codes of "
             f"{N_HELD_OUT} samples that were not learned from; best of 5 starts: the lowest objective of those "
             f"learned from. online-dictionary has the best batch of {', '.join(map(str, BATCHES))}, by the held-out "
             "objective of a dictionary that is in no table.")
    rows, claims = [], []
    for size in sizes:
        batch = best_batch(gingham, seeds[0] - 1, size, epochs)
        found = gingham.each(lambda seed, size=size, batch=batch: one(gingham, seed, size, epochs, batch,
                                                                      seed == seeds[0]), seeds)
        for title, (method, _) in METHODS.items():
            shares, objectives = ([run[title][k] for run in found] for k in (0, 1))
            rows.append([*size, title, batch if method == ONLINE else "", spread(shares),
                         f"{sum(s >= GOAL for s in shares)} of {len(shares)}", precise(objectives),
                         mean(run[title][2] for run in found)])
            where = f"{size[1]} atoms of length {size[0]}, {title}"
            claims.append(f"{where}: a share of at least {GOAL} of the atoms comes back: {at_least(shares, GOAL)}.")
            if method == SCC:
                rival = "online-dictionary" + (", best of 5 starts" if "starts" in title else "")
                claims.append(f"{where}: within 1 % of {rival}: "
                              f"{within(objectives, [run[rival][1] for run in found], 0.01)}.")
    page.table("planted", ["length", "atoms", "samples", "method", "batch", "share of atoms found", "seeds with 95 %",
                           "held-out objective", "seconds"], rows)
    page.points(claims)


def best_batch(gingham, seed, size, epochs):
    train, held_out, _ = simulated(gingham, seed, size)
    found = gingham.each(lambda batch: objective_on(gingham, learn(
        gingham, ONLINE, train, f"{train.stem}_batch_{batch}", False, seed=seed, atoms=size[1], epochs=epochs,
        batch=batch), held_out), BATCHES)
    return BATCHES[found.index(min(found))]


def simulated(gingham, seed, size):
    """Files of samples to learn from and of others, and what was planted."""
    length, atoms, n = size
    name = f"atoms_{atoms}_{length}_{seed}"
    folder = gingham.simulate("dictionary", name, seed=seed, length=length, atoms=atoms, samples=n + N_HELD_OUT)
    data = numpy.load(folder / "data.npy")
    train, held_out = (gingham.work / f"{name}_{part}.npy" for part in ("train", "held_out"))
    numpy.save(train, data[:n])
    numpy.save(held_out, data[n:])
    return train, held_out, numpy.load(folder / "truth/dictionary.npy")


def one(gingham, seed, size, epochs, batch, verified):
    """{method: (share of atoms found, held-out objective, seconds)}"""
    train, held_out, truth = simulated(gingham, seed, size)
    results = {}
    for title, (method, options) in METHODS.items():
        options = {**options, **(dict(batch=batch) if method == ONLINE else {})}
        fitted = learn(gingham, method, train, f"{train.stem}_{title.replace(' ', '_')}", verified, seed=seed,
                       atoms=size[1], epochs=epochs, **options)
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
