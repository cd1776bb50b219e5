"""Is the elaborate method worth it? Several methods on the same data, with known answers.

Three blocks in noise, fainter and fainter. Where the signal is strong every method finds them, and the simplest will
do; where it is weak it pays to look for few columns. Figures: agreement with what was planted against the strength of
the signal; what each method sees in the same data.

    python3 examples/compare_baselines.py [FOLDER]
"""
import pathlib
import sys

import matplotlib

matplotlib.use("Agg")  # in a notebook, leave this line out
import matplotlib.pyplot as plt
import numpy as np

import gingham

FOLDER = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "figures")
FOLDER.mkdir(parents=True, exist_ok=True)
COLOURS = plt.get_cmap("Dark2").colors

# %% Methods that put every row into some group get one group more, for the rest; those that put columns into groups of
# one level each get two per block, since half of a block's columns go up and half go down
methods = [gingham.SparseSVD(clusters=3), gingham.KMeans(clusters=4),
           gingham.KMeansCoclustering(row_clusters=4, column_clusters=7),
           gingham.BregmanCoclustering(row_clusters=4, column_clusters=7)]
names = [type(method).__name__ for method in methods]

# %% One data set, one table
made = gingham.simulate("ssvd", level=1.5)
compared = gingham.compare(methods, made.X, truth=made.row_labels)
print(compared.table[["method", "status", "nmi", "ari", "seconds"]].round(2).to_string(index=False))

# %% Agreement against strength, five data sets each
levels, seeds = [1, 1.25, 1.5, 2, 2.5, 3], range(5)
scores = np.empty((len(levels), len(seeds), len(methods)))
for i, level in enumerate(levels):
    for seed in seeds:
        data = gingham.simulate("ssvd", level=level, seed=seed)
        scores[i, seed] = gingham.compare(methods, data.X, truth=data.row_labels).table["ari"]
print("mean ari, a line per level:")
for level, line in zip(levels, scores.mean(axis=1)):
    print(f"{level:5}", dict(zip(names, line.round(2).tolist())))
figure, axis = plt.subplots(figsize=(7, 4.2), layout="constrained")
for k, name in enumerate(names):
    axis.plot(levels, scores[:, :, k].mean(axis=1), marker="o", color=COLOURS[k], label=name)
    axis.fill_between(levels, scores[:, :, k].min(axis=1), scores[:, :, k].max(axis=1), color=COLOURS[k], alpha=0.15)
axis.set(xlabel="size of the planted values (the noise has standard deviation 1)",
         ylabel="adjusted Rand index of the rows", ylim=(-0.05, 1.05),
         title="Three blocks in noise: mean and range of five data sets")
axis.legend(frameon=False, loc="lower right")
figure.savefig(FOLDER / "compare_curves.png", dpi=90)

# %% The same data in the order of each method
figure, axes = plt.subplots(1, 4, figsize=(12, 5), sharey=True, layout="constrained")
planted = np.where(made.row_labels < 0, 3, made.row_labels)
blocks = np.where(made.column_labels < 0, 3, made.column_labels)
ups = np.array([made.X[planted == k].mean(axis=0) for k in range(4)])[blocks, np.arange(len(blocks))]
columns = np.lexsort((-ups, blocks))[:40]
for axis, name, model in zip(axes, names, compared.estimators):
    labels = np.where(model.row_labels_ < 0, model.row_labels_.max() + 1, model.row_labels_)
    rows = np.lexsort((planted, labels))
    image = axis.imshow(made.X[np.ix_(rows, columns)], aspect="auto", cmap="RdBu_r", vmin=-3.5, vmax=3.5,
                        interpolation="nearest")
    for border in np.cumsum(np.bincount(labels))[:-1]:
        axis.axhline(border - 0.5, color="black", lw=1.5)
    axis.set(title=f"{name}\nari {gingham.metrics.adjusted_rand_index(model.row_labels_, made.row_labels):.2f}",
             xlabel="columns: 10 of each block,\n10 of the others")
axes[0].set_ylabel("rows, in the order of the groups that were found")
figure.colorbar(image, ax=axes, label="value", shrink=0.7)
figure.savefig(FOLDER / "compare_pictures.png", dpi=90)
