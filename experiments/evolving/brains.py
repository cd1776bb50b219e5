"""Simulated brains, and Table 1."""
import numpy

from support.command import numbered
from support.statistics import mean

# The simulator's defaults were chosen after looking at seeds from 0 on; these are fresh.
FIRST_SEED = 1000


class Brain:
    def __init__(self, gingham, seed, options, name="brain"):
        self.seed = seed
        folder = gingham.simulate("evolving", f"{name}_{seed}", seed=seed, **options)
        self.data = numbered(folder, "data_{}.npy")
        self.truth = numbered(folder / "truth", "rows_{}.txt")
        self.ages = range(len(self.data))
        self.strength = numpy.load(folder / "truth/strength.npy")
        labels = [path.read_text().split() for path in self.truth]
        self.n_regions = [len(set(age)) for age in labels]
        self.clusters = max(self.n_regions)
        self.one_cluster = [path.with_name("one_" + path.name) for path in self.truth]
        for age, path in zip(labels, self.one_cluster):
            path.write_text("0\n" * len(age))


def table_1(gingham, page, brains):
    page.heading("Table 1: the data")
    rows = []
    for age in brains[0].ages:
        shape = gingham.info(brains[0].data[age])["shape"]
        strengths = [float(brain.strength[age]) for brain in brains]
        rows.append([age, *shape, brains[0].n_regions[age], min(strengths), mean(strengths), max(strengths)])
    page.table("table_1", ["age", "voxels", "genes", "regions", "weakest signal", "mean signal", "strongest signal"],
               rows)
    page.say("Signal: how far the regions stand out at this age, over the seeds; 1 is full strength.")
