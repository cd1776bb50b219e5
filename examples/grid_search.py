"""How strong should a penalty be, how many components? Searches with held-out error.

Rows are held out by scikit-learn's GridSearchCV. For the penalty on groups the error of new rows decides. For the
number of components it cannot, since more components always fit a new row better; there, cells of the new rows are
hidden and foretold. Figure: both curves.

    python3 examples/grid_search.py [FOLDER]
"""
import pathlib
import sys

import matplotlib

matplotlib.use("Agg")  # in a notebook, leave this line out
import matplotlib.pyplot as plt
import numpy as np
from sklearn.model_selection import GridSearchCV

import gingham

FOLDER = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "figures")
FOLDER.mkdir(parents=True, exist_ok=True)

# %% How strong: the penalty on groups, judged by rows that were not fitted
pictures = gingham.simulate("groupnmf")
betas = [0, 0.5, 1, 2, 3, 5, 10]
estimator = gingham.GroupNMF(rank=5, groups=pictures.lines["groups"], allow_negative=True, restarts=1, tolerance=1e-4)
search = GridSearchCV(estimator, {"beta": [f"{beta}%" for beta in betas]}, cv=3).fit(pictures.X)
error = -search.cv_results_["mean_test_score"]
print("best beta:", search.best_params_["beta"], "error", error.min().round(2))

# %% and by how much is switched off, for which the runs of a path are enough
path = gingham.path(estimator, pictures.X, vary={"beta": [f"{beta}%" for beta in betas]})
off = [result.measures["zero_blocks"] for result in path.results]

figure, (left, right) = plt.subplots(1, 2, figsize=(11, 4), layout="constrained")
left.plot(betas, error, marker="o", color="crimson")
left.axvline(betas[error.argmin()], color="grey", ls=":")
left.set(xlabel="beta, %", ylabel="error of a new row", title="How strong: the penalty on groups", xscale="symlog",
         xticks=betas, xticklabels=betas)
left.yaxis.label.set_color("crimson")
other = left.twinx()
other.plot(betas, off, marker="s", color="steelblue")
other.axhline(5, color="steelblue", ls="--", lw=1)
other.set_ylabel("pairs switched off (5 were planted)", color="steelblue")

# %% How many: cells of new rows, hidden and foretold
counts = gingham.simulate("spectral").X.toarray()
ranks = list(range(1, 9))


def foretold(model, X, y=None):
    hidden = np.random.default_rng(0).random(X.shape) < 0.2
    found = model.transform(np.where(hidden, np.nan, X))
    return -np.mean((X - found @ model.H_)[hidden] ** 2)


def fitted(model, X, y=None):
    return -np.mean((X - model.transform(X) @ model.H_) ** 2)


search = GridSearchCV(gingham.NMF(restarts=1, tolerance=1e-4), {"rank": ranks}, cv=4, refit="foretold",
                      scoring={"foretold": foretold, "fitted": fitted}).fit(counts)
print("best rank:", search.best_params_["rank"])
for name, text, colour in (("foretold", "hidden cells of new rows", "crimson"),
                           ("fitted", "all cells of new rows", "grey")):
    mean, spread = (search.cv_results_[f"{what}_test_{name}"] for what in ("mean", "std"))
    right.errorbar(ranks, -mean, spread, marker="o", color=colour, label=text, capsize=3)
right.axvline(4, color="grey", ls=":", label="planted")
right.set(xlabel="rank", ylabel="mean squared error", title="How many: components of an NMF", xticks=ranks)
right.legend(frameon=False)
figure.savefig(FOLDER / "grid_search.png", dpi=90)
