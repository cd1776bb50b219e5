"""The data of the recorded problems: simulated with a seed, cut from real sets, or made from another set.

A set is a folder with its files. `Set.make` fills it, `Set.inputs` are the files a fit reads, in order, and `Set.reading`
the options that say how. Everything depends on the seeds below alone; random numbers of this file come from numpy's PCG64.
"""
import dataclasses
import gzip
import subprocess

import numpy as np

SETS = {}


class NotThere(Exception):
    """A set cannot be made: the real data or another set it needs are missing."""


@dataclasses.dataclass
class Set:
    make: object  # (maker, folder): writes the files
    inputs: tuple = ("data.npy",)
    reading: str = ""


class Maker:
    """Makes sets under a folder, each once, with the simulators of one program and the real data of one folder."""

    def __init__(self, program, real, folder):
        self.program, self.real, self.folder = program, real, folder

    def place(self, name):
        """The folder of a set; made if it is not there."""
        folder = self.folder / name
        if not folder.exists():
            unfinished = folder.with_name(name + ".unfinished")
            unfinished.mkdir(parents=True, exist_ok=True)
            SETS[name].make(self, unfinished)
            unfinished.rename(folder)
        return folder

    def source(self, path):
        if self.real is None or not (self.real / path).exists():
            raise NotThere(f"no {path} in the folder of real data")
        return self.real / path


def simulated(name, command, inputs=("data.npy",), reading=""):
    def make(maker, folder):
        done = subprocess.run([maker.program, "simulate", *command.split(), "--force", "-o", folder / "made"],
                              capture_output=True, text=True)
        if done.returncode != 0:
            raise NotThere(f"simulate {command}: {done.stderr.strip()}")
        for file in (folder / "made").iterdir():
            file.rename(folder / file.name)
        (folder / "made").rmdir()

    SETS[name] = Set(make, tuple(inputs), reading)


def made(name, inputs=("data.npy",), reading=""):
    def keep(function):
        SETS[name] = Set(function, tuple(inputs), reading)
        return function

    return keep


def series(count, ending="npy"):
    return [f"data_{i}.{ending}" for i in range(count)]


# Files.

def write_listed(path, array, is_listed):
    """Matrix Market for two modes, .tns for more: the cells of `is_listed`, indices from 1."""
    cells = np.argwhere(is_listed)
    with open(path, "w") as file:
        if array.ndim == 2:
            file.write(f"%%MatrixMarket matrix coordinate real general\n{array.shape[0]} {array.shape[1]} {len(cells)}\n")
        for cell in cells:
            file.write(" ".join(str(i + 1) for i in cell) + f" {float(array[tuple(cell)])!r}\n")


def read_mtx(path):
    with gzip.open(path, "rt") as file:
        rows = [line.split() for line in file if not line.startswith("%")]
    x = np.zeros((int(rows[0][0]), int(rows[0][1])))
    for row, column, value in rows[1:]:
        x[int(row) - 1, int(column) - 1] = float(value)
    return x


def strongest(sums, count):
    """The places of the largest sums, in their order; ties by place."""
    return np.sort(np.argsort(-sums, kind="stable")[:count])


def with_holes(x, share, seed):
    x = np.array(x, dtype=float)
    x[np.random.default_rng(seed).random(x.shape) < share] = np.nan
    return x


def read_listed(path):
    """Lines before the cells, the words of their places, and their values."""
    lines = path.read_text().splitlines()
    begin = 0
    if path.suffix == ".mtx":
        begin = next(i for i, line in enumerate(lines) if not line.startswith("%")) + 1
    cells = [line.rpartition(" ") for line in lines[begin:]]
    return lines[:begin], [place for place, _, _ in cells], np.array([float(value) for _, _, value in cells])


def shake(path, share, rng):
    """Multiplies every value of a file by 1 + share * a standard normal number."""
    if path.suffix == ".npy":
        x = np.load(path).astype(float)
        np.save(path, x * (1 + share * rng.standard_normal(x.shape)))
        return
    head, places, x = read_listed(path)
    x = x * (1 + share * rng.standard_normal(x.shape))
    head = [line.replace(" integer ", " real ") for line in head]
    path.write_text("\n".join(head + [f"{place} {float(value)!r}" for place, value in zip(places, x)]) + "\n")


# Simulated matrices.

simulated("blocks", "ssvd --rows 80 --columns 60 --clusters 2 --block-rows 18 --block-columns 12 --seed 1")
simulated("wide", "ssvd --rows 24 --columns 200 --clusters 3 --block-rows 6 --block-columns 30 --seed 2")
simulated("checker", "checkerboard --rows 80 --columns 60 --row-clusters 3 --column-clusters 3 --seed 3")
simulated("counts", "checkerboard --rows 70 --columns 50 --row-clusters 3 --column-clusters 3 --counts --mean 4 --seed 4")
simulated("cut", "spectral --rows 120 --columns 80 --clusters 3 --seed 5 --format mtx", ["data.mtx"])
simulated("centres", "kmeans --rows 400 --columns 6 --clusters 4 --seed 6")
simulated("parts", "groupnmf --side 16 --groups 3 --columns 12 --snr 3 --seed 7")
simulated("documents", "groupnmf-documents --topics 3 --documents 30 --labelled 8 --terms 150 --topic-terms 12 --length 40 "
          "--seed 8 --format mtx", ["data.mtx"])
simulated("languages", "groupnmf-languages --languages 3 --topics 3 --documents 80 --terms 60 --topic-terms 6 --length 40 "
          "--seed 9 --format mtx", ["data.mtx"])
simulated("patches", "dictionary --samples 1200 --length 24 --atoms 36 --seed 10")


@made("blocks_holes")
def _(maker, folder):
    np.save(folder / "data.npy", with_holes(np.load(maker.place("blocks") / "data.npy"), 0.15, 11))


@made("blocks_sparse", ["data.mtx"])
def _(maker, folder):
    x = np.load(maker.place("blocks") / "data.npy")
    write_listed(folder / "data.mtx", x, np.abs(x) > 1.5)


@made("blocks_stored", ["data.mtx"])
def _(maker, folder):
    """The very numbers of `blocks`, in sparse storage."""
    x = np.load(maker.place("blocks") / "data.npy")
    write_listed(folder / "data.mtx", x, x != 0)


@made("blocks_listed", ["data.mtx"], "--unlisted missing")
def _(maker, folder):
    x = np.load(maker.place("blocks") / "data.npy")
    write_listed(folder / "data.mtx", x, np.random.default_rng(12).random(x.shape) < 0.6)


@made("counts_holes")
def _(maker, folder):
    np.save(folder / "data.npy", with_holes(np.load(maker.place("counts") / "data.npy"), 0.1, 13))


@made("counts_stored", ["data.mtx"])
def _(maker, folder):
    x = np.load(maker.place("counts") / "data.npy")
    write_listed(folder / "data.mtx", x, x != 0)


@made("counts_listed", ["data.mtx"], "--unlisted missing")
def _(maker, folder):
    x = np.load(maker.place("counts") / "data.npy")
    write_listed(folder / "data.mtx", x, np.random.default_rng(14).random(x.shape) < 0.5)


@made("groups", ["data.npy"])
def _(maker, folder):
    """`parts` without its negative cells, with groups of columns that overlap, that are nested, and weights."""
    x = np.maximum(np.load(maker.place("parts") / "data.npy"), 0.0)
    np.save(folder / "data.npy", x)
    names = (maker.place("parts") / "groups.txt").read_text().split("\n")[:x.shape[1]]
    order = list(dict.fromkeys(names))
    write = lambda file, lines: (folder / file).write_text("\n".join(lines) + "\n")
    write("plain.txt", names)
    write("overlapping.txt", [f"{name},even" if i % 2 == 0 else name for i, name in enumerate(names)])
    write("nested.txt", [f"{name}/{'left' if i % 8 < 4 else 'right'}" for i, name in enumerate(names)])
    write("weights.txt", [f"{name} {1 + i}" for i, name in enumerate(order)])
    write("first.txt", order[:1])
    write("rows.txt", ["upper" if i < x.shape[0] // 2 else "lower" for i in range(x.shape[0])])
    write("unseen.txt", [order[i // 3 % len(order)] if i % 3 == 0 else "" for i in range(x.shape[0])])


@made("groups_holes")
def _(maker, folder):
    source = maker.place("groups")
    np.save(folder / "data.npy", with_holes(np.load(source / "data.npy"), 0.1, 15))
    for file in source.glob("*.txt"):
        (folder / file.name).write_text(file.read_text())


@made("atoms")
def _(maker, folder):
    """`patches` and a stored dictionary to begin from: random directions of length 1, an atom per column."""
    x = np.load(maker.place("patches") / "data.npy")
    start = np.random.default_rng(16).standard_normal((x.shape[1], 36))
    np.save(folder / "data.npy", x)
    np.save(folder / "start.npy", start / np.linalg.norm(start, axis=0))


@made("atoms_columns")
def _(maker, folder):
    np.save(folder / "data.npy", np.ascontiguousarray(np.load(maker.place("atoms") / "data.npy").T))
    (folder / "start.npy").write_bytes((maker.place("atoms") / "start.npy").read_bytes())


@made("atoms_sparse", ["data.mtx"])
def _(maker, folder):
    x = np.load(maker.place("patches") / "data.npy")
    write_listed(folder / "data.mtx", x, np.abs(x) > np.median(np.abs(x)))
    (folder / "start.npy").write_bytes((maker.place("atoms") / "start.npy").read_bytes())


# Simulated arrays.

simulated("array", "tensor --size 26,22,12 --clusters 2 --block 8,7,4 --seed 20")
simulated("array_noisy", "tensor --size 26,22,12 --clusters 3 --block 7,7,4 --overlap 0.3 --noise dense --seed 21")
simulated("array_signed", "tensor --size 26,22,12 --clusters 2 --block 8,8,4 --signed --noise dense --noise-level 0.5 --seed 22")
simulated("array_counts", "tensor --size 26,22,12 --clusters 2 --block 8,7,4 --noise poisson --seed 23")
simulated("array_outliers", "tensor --size 26,22,12 --clusters 2 --block 8,7,4 --noise outliers --outliers 5 --seed 24")
simulated("array_holes", "tensor --size 26,22,12 --clusters 2 --block 8,7,4 --missing 0.15 --seed 25")
simulated("array_sparse", "tensor --size 26,22,12 --clusters 2 --block 8,7,4 --sparse --seed 20 --format tns", ["data.tns"],
          "--shape 26,22,12")
simulated("array_exact", "tensor --size 26,22,12 --clusters 2 --block 8,7,4 --noise none --seed 26")
simulated("four", "tensor --size 12,10,8,6 --clusters 2 --block 4 --noise dense --noise-level 0.5 --seed 27")
simulated("flat", "tensor --size 50,40,6 --clusters 2 --block 14,12,3 --flatten --seed 28")
simulated("emails", "emails --people 60 --months 16 --cliques 3 --clique-size 8 --clique-months 5 --entries 1500 --log --seed 29 "
          "--format tns", ["data.tns"], "--shape 60,60,16")
simulated("organisation", "organisation --people 60 --months 12 --departments 3 --entries 1500 --log --seed 30 --format tns",
          ["data.tns"], "--shape 60,60,12")


@made("array_listed", ["data.tns"], "--unlisted missing --shape 26,22,12")
def _(maker, folder):
    x = np.load(maker.place("array_noisy") / "data.npy")
    write_listed(folder / "data.tns", x, np.random.default_rng(31).random(x.shape) < 0.5)


@made("array_positive")
def _(maker, folder):
    np.save(folder / "data.npy", np.maximum(np.load(maker.place("array_noisy") / "data.npy"), 0.0))


# Simulated series and views.

simulated("ages", "evolving --ages 4 --voxels 40 --growth 2 --genes 80 --regions 3 --programme 12 --seed 40", series(4))
simulated("ages_counts", "evolving --ages 4 --voxels 40 --growth 2 --genes 80 --regions 3 --programme 12 --counts --seed 41 "
          "--format mtx", series(4, "mtx"))
simulated("ages_holes", "evolving --ages 4 --voxels 40 --growth 2 --genes 80 --regions 3 --programme 12 --missing 0.15 --seed 42",
          series(4))
simulated("times", "evolving-groups --times 5 --rows 60 --columns 44 --group-rows 12 --group-columns 8 --seed 43", series(5))
simulated("times_holes", "evolving-groups --times 5 --rows 60 --columns 44 --group-rows 12 --group-columns 8 --missing 0.1 "
          "--seed 44", series(5))
simulated("study_counts", "multiview --subjects 160 --markers 60 --risk-markers 6 --over 4 --other-features 4 --seed 45", series(2))
simulated("study_counts_holes", "multiview --subjects 160 --markers 60 --risk-markers 6 --over 4 --missing 0.08 --seed 46", series(2))
simulated("study_counts_unseen", "multiview --subjects 160 --markers 60 --risk-markers 6 --over 4 --missing-views 0.15 --seed 47",
          series(2))


def without_ties(name, source, seed):
    """A study whose counts of variants are blurred: no two rows or columns are alike, so rounding chooses between none."""
    @made(name, series(2))
    def _(maker, folder):
        rng = np.random.default_rng(seed)
        for file in series(2):
            x = np.load(maker.place(source) / file).astype(float)
            np.save(folder / file, x + 0.1 * rng.standard_normal(x.shape))


without_ties("study", "study_counts", 49)
without_ties("study_holes", "study_counts_holes", 50)
without_ties("study_unseen", "study_counts_unseen", 51)


@made("times_stored", series(5, "mtx"))
def _(maker, folder):
    """The large cells of `times`, in sparse storage."""
    for i, name in enumerate(series(5)):
        x = np.load(maker.place("times") / name)
        write_listed(folder / f"data_{i}.mtx", x, np.abs(x) > 1.2)


@made("times_cut", ["data.npy"], "--series-mode 2")
def _(maker, folder):
    np.save(folder / "data.npy", np.stack([np.load(maker.place("times") / name) for name in series(5)], axis=2))


@made("study_stored", series(2, "mtx"))
def _(maker, folder):
    """The blurred counts that are not 0."""
    for i, name in enumerate(series(2)):
        x, counts = (np.load(maker.place(source) / name) for source in ("study", "study_counts"))
        write_listed(folder / f"data_{i}.mtx", x, counts != 0)


# Real data, cut to size.

@made("lung")
def _(maker, folder):
    np.save(folder / "data.npy", np.load(maker.source("lung/lung200.npy")))


@made("lung_positive")
def _(maker, folder):
    x = np.load(maker.source("lung/lung200.npy"))[:60]
    np.save(folder / "data.npy", x - x.min())


@made("amino")
def _(maker, folder):
    x = np.load(maker.source("threeway/amino.npy"))[:, ::4, ::2]
    np.save(folder / "data.npy", np.maximum(x, 0.0))


@made("dorrit")
def _(maker, folder):
    x = np.load(maker.source("threeway/dorrit.npy"))[:, ::3]
    np.save(folder / "data.npy", np.maximum(x, 0.0))


@made("water")
def _(maker, folder):
    np.save(folder / "data.npy", np.load(maker.source("threeway/waterquality.npy")))


@made("girls")
def _(maker, folder):
    """Growth curves, from their mean: of both signs."""
    x = np.load(maker.source("threeway/girls.npy"))
    np.save(folder / "data.npy", x - x.mean(axis=0))


@made("enron", ["data.tns"], "--shape 60,60,44")
def _(maker, folder):
    """The 60 people with most months of e-mail; log2(count) + 1."""
    with gzip.open(maker.source("enron/enron_184x184x44.tns.gz"), "rt") as file:
        cells = np.array([[int(word) for word in line.split()] for line in file])
    x = np.zeros((184, 184, 44))
    x[cells[:, 0] - 1, cells[:, 1] - 1, cells[:, 2] - 1] = np.log2(cells[:, 3]) + 1
    people = strongest((x > 0).sum(axis=(1, 2)) + (x > 0).sum(axis=(0, 2)), 60)
    x = x[np.ix_(people, people)]
    write_listed(folder / "data.tns", x, x != 0)


@made("allen", ["data.npy"], "--series-mode 1")
def _(maker, folder):
    """150 genes x 7 ages x 11 structures, log2 energies of at least -8."""
    x = np.load(maker.source("allen_devmouse/log2_energy_genes_ages_regions.npy"))[:1800:12].astype(float)
    np.save(folder / "data.npy", np.maximum(x, -8.0))


@made("allen_energy")
def _(maker, folder):
    x = np.load(maker.source("allen_devmouse/log2_energy_genes_ages_regions.npy"))[:1800:12].astype(float)
    np.save(folder / "data.npy", 2.0 ** np.maximum(x, -8.0))


@made("allen_holes", ["data.npy"], "--series-mode 0")
def _(maker, folder):
    """7 ages x 33 regions x 80 genes, half of it missing."""
    np.save(folder / "data.npy", np.load(maker.source("allen_devmouse/energy_7ages_33regions_80genes.npz"))["V"])


@made("stages", series(6, "mtx"))
def _(maker, folder):
    """60 genes x 30 terms at six stages of the fly, the most annotated ones."""
    all_stages = [read_mtx(maker.source(f"bdgp_annotations/stage{i}_genes_x_terms.mtx.gz")) for i in range(1, 7)]
    total = sum(all_stages)
    genes, terms = strongest(total.sum(axis=1), 60), strongest(total.sum(axis=0), 30)
    for i, x in enumerate(all_stages):
        x = x[np.ix_(genes, terms)]
        write_listed(folder / f"data_{i}.mtx", x, x != 0)


@made("sources", series(3, "mtx"))
def _(maker, folder):
    """The 50 most frequent terms of each of three news sources; every other story."""
    for i in range(3):
        x = read_mtx(maker.source(f"three_sources/3sources_view{i + 1}.mtx.gz"))
        x = x[::2, strongest((x > 0).sum(axis=0), 50)]
        write_listed(folder / f"data_{i}.mtx", x, x != 0)


@made("source", ["data.mtx"])
def _(maker, folder):
    (folder / "data.mtx").write_bytes((maker.place("sources") / "data_0.mtx").read_bytes())


@made("digits", series(3))
def _(maker, folder):
    """The first 25 of four digits, in three views."""
    rows = np.concatenate([np.arange(200 * digit, 200 * digit + 25) for digit in (0, 1, 4, 6)])
    for i, view in enumerate(("fou", "zer", "kar")):
        np.save(folder / f"data_{i}.npy", np.load(maker.source(f"mfeat/mfeat_{view}.npy"))[rows].astype(float))


@made("sift")
def _(maker, folder):
    x = np.load(maker.source("sift_bigann10k/bigann10k_u8.npy"))[:300, ::2].astype(float)
    np.save(folder / "data.npy", x)
    start = np.random.default_rng(48).standard_normal((x.shape[1], 24))
    np.save(folder / "start.npy", start / np.linalg.norm(start, axis=0))
