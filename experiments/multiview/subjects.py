"""Subjects with two views and planted clusters."""
import numpy

from multiview.methods import Views

# Seeds from 0 on served for first looks; the tables begin here.
FIRST_SEED = 1000


class Study:
    """Two views, the clusters of the subjects, and the columns of each view that belong to them."""

    def __init__(self, gingham, name, views, labels, columns):
        self.views = Views(gingham, name, views, labels)
        self.labels, self.columns = numpy.array(labels), columns
        self.lacks_view = numpy.any([numpy.isnan(view).all(axis=1) for view in views], axis=0)

    def sizes(self):
        return ",".join(str(int((self.labels == cluster).sum())) for cluster in (0, 1))


class Simulator:
    """`gingham simulate multiview`, with options for all studies."""

    def __init__(self, gingham, options):
        self.gingham, self.options = gingham, options

    def study(self, e, seed, **more):
        name = "_".join(["study", f"{e:g}", str(seed), *(f"{key}-{value}" for key, value in more.items())])
        folder = self.gingham.simulate("multiview", name, e=e, seed=seed, **self.options, **more)
        columns = [numpy.loadtxt(folder / f"truth/columns_{view}.txt", dtype=int) for view in (0, 1)]
        views = [numpy.load(folder / f"data_{view}.npy") for view in (0, 1)]
        return Study(self.gingham, f"{name}_views", views, numpy.loadtxt(folder / "truth/rows.txt", dtype=int), columns)
