"""Which groups persist, which change?

Eight matrices over time with four hidden groups of rows and columns: one stays, one gains members, one appears, one
vanishes. Figures: the data at each time with the groups outlined; size and strength of the groups over time.

    python3 examples/evolving.py [FOLDER]
"""
import pathlib
import sys

import matplotlib

matplotlib.use("Agg")  # in a notebook, leave this line out
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.patches import Rectangle

import gingham

FOLDER = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "figures")
FOLDER.mkdir(parents=True, exist_ok=True)
COLOURS = plt.get_cmap("Dark2").colors

# %% Data and fit
made = gingham.simulate("evolving-groups", rows=80, columns=50, group_rows=16, group_columns=8)
model = gingham.EvolvingCoclusters(clusters=4).fit(made.X)
times, groups = range(len(made.X)), range(4)
sizes = np.array([members.sum(axis=1) for members in model.rows_])  # times x groups
print(model.result_)
for k in groups:
    print(f"group {k}: rows at each time", sizes[:, k].tolist())
print("found among the planted, per time:",
      [round(gingham.metrics.adjusted_rand_index(a, b), 2) for a, b in zip(model.row_labels_, made.row_labels)])


# %% The data at each time, rows and columns in the order of the groups
def order_of(members, weights):
    """Items in the order of the groups, items of no group last; within a group those that belong for longest first,
    and then those that go up before those that go down."""
    stays = np.sum(members, axis=0)  # groups x items: at how many times
    strongest = stays.argmax(axis=0)
    group = np.where(stays.any(axis=0), strongest, len(stays))
    ups = np.sum(weights, axis=0)[np.arange(len(group)), strongest]
    return np.lexsort((-ups, -stays.max(axis=0), group))


rows, columns = order_of(model.rows_, model.u_), order_of(model.columns_, model.v_)
limit = np.quantile(np.abs(made.X), 0.99)
figure, axes = plt.subplots(2, 4, figsize=(11, 8.6), sharex=True, sharey=True, layout="constrained")
for t, axis in zip(times, axes.flat):
    image = axis.imshow(made.X[t][np.ix_(rows, columns)], cmap="RdBu_r", vmin=-limit, vmax=limit, aspect="auto",
                        interpolation="nearest")
    for k in groups:
        inside = np.flatnonzero(model.rows_[t][k][rows]), np.flatnonzero(model.columns_[t][k][columns])
        if len(inside[0]) and len(inside[1]):
            (top, bottom), (left, right) = ((place.min() - 0.5, place.max() + 0.5) for place in inside)
            axis.add_patch(Rectangle((left, top), right - left, bottom - top, fill=False, lw=2, color=COLOURS[k]))
    axis.set_title(f"time {t}")
figure.supxlabel("columns, in the order of the groups")
figure.supylabel("rows, in the order of the groups")
figure.suptitle("Four groups in noise: one stays, one appears, one grows, one vanishes")
figure.colorbar(image, ax=axes, label="value", shrink=0.6)
figure.savefig(FOLDER / "evolving_data.png", dpi=90)

# %% How large and how strong each group is
figure, (left, right) = plt.subplots(1, 2, figsize=(10, 3.6), layout="constrained")
for k in groups:
    left.plot(times, sizes[:, k], marker="o", color=COLOURS[k], label=f"group {k}")
left.set(xlabel="time", ylabel="rows", title="Members over time", ylim=(-0.5, sizes.max() + 2))
left.legend(loc="center left", frameon=False)
image = right.imshow(model.levels_.T, cmap="viridis", aspect="auto")
for t in times:
    for k in groups:
        light = model.levels_[t, k] < 0.6 * model.levels_.max()
        right.text(t, k, f"{model.levels_[t, k]:.0f}", ha="center", va="center", color="white" if light else "black")
right.set(xlabel="time", yticks=list(groups), yticklabels=[f"group {k}" for k in groups], title="Strength over time")
figure.colorbar(image, ax=right, label="u'Rv")
figure.savefig(FOLDER / "evolving_groups.png", dpi=90)
