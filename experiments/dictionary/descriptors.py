"""Samples to learn from: real SIFT descriptors, patches of simulated embryos, or samples made of planted atoms."""
import copy

import numpy

from dictionary.learning import unit

N_APART = 500  # samples to choose settings by, and as many to score with
EMBRYOS_TO_LEARN_FROM, EMBRYOS_APART = 60, 12


class Samples:
    """`train`, `choice` and `held_out`: files. Settings are chosen by the second, tables made with the third."""

    def __init__(self, gingham, title, key, train, apart, most, seed=0):
        rng = numpy.random.default_rng([seed, 5])
        apart = apart[rng.permutation(len(apart))[:2 * N_APART]]
        half = len(apart) // 2
        self.title, self.key = title, key
        self.folder = gingham.work / key
        self.folder.mkdir(exist_ok=True)
        self.choice, self.held_out = self.save("choice", apart[:half]), self.save("held_out", apart[half:])
        self.rows = train[rng.permutation(len(train))[:most]]
        self.n = len(self.rows)
        self.train = self.part(self.n)

    def save(self, name, rows):
        path = self.folder / f"{name}.npy"
        numpy.save(path, numpy.ascontiguousarray(rows, dtype=numpy.float32))
        return path

    def part(self, n):
        """A file with the first n samples to learn from."""
        return self.save(f"first_{n}", self.rows[:n])

    def some_choice(self, n):
        return self.save(f"choice_{n}", numpy.load(self.choice)[:n])

    def fewer(self, n):
        """The same with the first n samples to learn from."""
        less = copy.copy(self)
        less.n = min(n, self.n)
        less.train = self.part(less.n)
        return less


def sift(gingham, folder, most):
    """Every descriptor to learn from comes in the eight ways its window could lie; those apart as they are."""
    values = numpy.load(folder / "bigann10k_u8.npy").astype(numpy.float32)
    order = numpy.random.default_rng(7).permutation(len(values))
    apart, train = values[order[:2 * N_APART]], values[order[2 * N_APART:]]
    return Samples(gingham, "SIFT", "sift", unit(symmetries(train)), unit(apart), most)


def symmetries(rows):
    """Mirrored and turned: 4 x 4 cells of 8 directions, so that a quarter turn is two directions on."""
    cells = rows.reshape(-1, 4, 4, 8)
    found = []
    for _ in range(4):
        found += [cells, cells[:, :, ::-1, (4 - numpy.arange(8)) % 8]]
        cells = numpy.roll(numpy.rot90(cells, 1, axes=(1, 2)), 2, axis=3)
    return numpy.concatenate([cells.reshape(len(rows), -1) for cells in found])


def embryos(gingham, seed, most, sizes):
    """Those apart come from pictures of other genes."""
    train = patches(gingham, f"embryos_{seed}", seed, EMBRYOS_TO_LEARN_FROM, sizes)
    apart = patches(gingham, f"embryos_apart_{seed}", seed + 500000, EMBRYOS_APART, sizes)
    return Samples(gingham, "simulated embryos", "embryo_patches", *(numpy.load(folder / "features.npy")
                                                                     for folder in (train, apart)), most, seed)


def patches(gingham, name, seed, bags, sizes):
    """A folder that `gingham features` made of `gingham simulate embryos`."""
    pictures = gingham.simulate("embryos", f"{name}_pictures", seed=seed, **{"bags": bags, **sizes})
    folder = gingham.work / name
    gingham.run("features", "--bags", pictures / "bags.tsv", "-o", folder, "--force", "--quiet", "--threads", 1)
    return folder


def planted(gingham, seed, most):
    folder = gingham.simulate("dictionary", "planted_samples", seed=seed, samples=most + 2 * N_APART)
    rows = unit(numpy.load(folder / "data.npy"))
    return Samples(gingham, "planted atoms", "planted", rows[:most], rows[most:], most, seed)
