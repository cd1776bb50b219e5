"""Same subjects, several measurements: who belongs together, by which features?

Genetic markers and symptoms of the same subjects, with two groups at risk. Figures: both views with the groups on top;
who would be found if only the symptoms were known.

    python3 examples/multiview.py [FOLDER]
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

# %% Data and fit: the names of the tables come back in the result
made = gingham.simulate("multiview", subjects=300, markers=60, names=True)
views = {"markers": made.X[0], "symptoms": made.X[1]}
model = gingham.MultiviewCoclusters(clusters=2).fit(views)
print(model.result_)
for k in range(2):
    for (name, table), members in zip(views.items(), model.columns_):
        chosen = table.columns[members[k]]
        print(f"group {k}, {model.rows_[k].sum()} subjects, {len(chosen)} {name}: {', '.join(chosen[:6])} ...")
print({name: round(score, 2) for name, score in gingham.metrics.scores(model.labels_, made.row_labels).items()})

# %% Both views, subjects and features in the order of the groups
groups = np.where(model.labels_ < 0, 2, model.labels_)
rows = np.argsort(groups, kind="stable")
figure, axes = plt.subplots(1, 2, figsize=(11, 6.4), width_ratios=[2, 1], layout="constrained")
for axis, (name, table), members in zip(axes, views.items(), model.columns_):
    kind = np.select([members.all(axis=0), members[0], members[1]], [1, 0, 2], 3)  # first, both, second, none
    columns = np.argsort(kind, kind="stable")
    values = table.to_numpy()[np.ix_(rows, columns)]
    image = axis.imshow(values, aspect="auto", cmap=plt.get_cmap("Blues", int(values.max()) + 1), vmin=-0.5,
                        vmax=values.max() + 0.5, interpolation="nearest")
    for border in np.cumsum(np.bincount(groups))[:-1]:
        axis.axhline(border - 0.5, color="black", lw=1.2)
    for border in np.cumsum(np.bincount(kind, minlength=4))[:-1]:
        axis.axvline(border - 0.5, color="black", lw=0.8, ls=":")
    axis.set(title=f"{name}: of group 0 | both | 1 | none", ylabel="subjects: group 0 | 1 | none")
    if table.shape[1] <= 20:
        axis.set_xticks(range(table.shape[1]), table.columns[columns], rotation=60, ha="right")
    else:
        axis.set_xlabel(f"{name}, in the order of the groups")
    figure.colorbar(image, ax=axis, ticks=range(int(values.max()) + 1), shrink=0.5,
                    label="risk variants" if name == "markers" else "absent 0, present 1")
figure.savefig(FOLDER / "multiview_data.png", dpi=90)

# %% New subjects of whom one view is known
found = {"both": model.predict(views), "markers only": model.predict({"markers": views["markers"]}),
         "symptoms only": model.predict({"symptoms": views["symptoms"]})}
figure, axes = plt.subplots(1, 3, figsize=(10, 4), layout="compressed")
for axis, (name, labels) in zip(axes, found.items()):
    table = np.array([[np.sum((made.row_labels == a) & (labels == b)) for b in (0, 1, -1)] for a in (0, 1, -1)])
    if table[0, 0] + table[1, 1] < table[0, 1] + table[1, 0]:
        table = table[:, [1, 0, 2]]  # groups have no order of their own
    axis.imshow(table / table.sum(axis=1, keepdims=True), cmap="Greens", vmin=0, vmax=1)
    for (a, b), count in np.ndenumerate(table):
        axis.text(b, a, count, ha="center", va="center", color="white" if count > 0.6 * table[a].sum() else "black")
    axis.set(title=f"known: {name}", xlabel="found", xticks=range(3), xticklabels=["one", "other", "none"],
             yticks=range(3), yticklabels=["one", "other", "none"])
    print(f"{name}: agreement {gingham.metrics.adjusted_rand_index(labels, made.row_labels):.2f}")
axes[0].set_ylabel("planted")
figure.suptitle("Subjects by planted group and by the group they are sorted into")
figure.savefig(FOLDER / "multiview_new.png", dpi=90)
