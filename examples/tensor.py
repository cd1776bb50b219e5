"""Who forms a clique, when?

E-mails of an organisation by sender, receiver and month. While a project lasts, the people of a department write to
each other. Figures: the mail in the months of each co-cluster; when each of them is active.

    python3 examples/tensor.py [FOLDER]
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

# %% Data and fit: the array is sparse, and stays so
made = gingham.simulate("organisation", people=60, months=12, departments=3, entries=3000, log=True)
model = gingham.TensorCoclusters(clusters=3).fit(made.X)
senders, receivers, months = model.modes_  # each: co-clusters x items
print(made.X)
members = model.result_.clusters
for k, group in members.groupby("component"):
    names = group[group["mode"] == "mode_0"]["label"].tolist()
    when = group[group["mode"] == "mode_2"]["label"].tolist()
    print(f"co-cluster {k}: {', '.join(names[:4])} and {len(names) - 4} others, {when[0]} to {when[-1]}")
print("members that came back in all restarts: %.0f %%" % (100 * np.mean(members["share"] == 1)))

# %% Who writes to whom in the months of each co-cluster
mail = made.X.toarray()
order = np.argsort(np.where(model.labels_ < 0, 3, model.labels_), kind="stable")
figure, axes = plt.subplots(1, 3, figsize=(12, 4.8), sharey=True, layout="constrained")
for k, axis in enumerate(axes):
    image = axis.imshow(mail[:, :, months[k]].mean(axis=2)[np.ix_(order, order)], cmap="magma_r", vmin=0, vmax=3)
    strongest = np.flatnonzero(model.labels_[order] == k)
    corner, side = strongest.min() - 0.5, len(strongest)
    axis.add_patch(Rectangle((corner, corner), side, side, fill=False, lw=2.5, color=COLOURS[k]))
    first, last = (made.data.labels[0][2][end] for end in np.flatnonzero(months[k])[[0, -1]])
    axis.set_title(f"co-cluster {k}: {senders[k].sum()} senders, {receivers[k].sum()} receivers\n{first} to {last}")
    axis.set_xlabel("receiver, in the order of the co-clusters")
axes[0].set_ylabel("sender, in the order of the co-clusters")
figure.colorbar(image, ax=axes, label="log2(mails) + 1, mean per month", shrink=0.8)
figure.savefig(FOLDER / "tensor_mail.png", dpi=90)

# %% When
figure, (above, below) = plt.subplots(2, 1, figsize=(9, 4.6), sharex=True, height_ratios=[3, 1], layout="constrained")
for k in range(3):
    block = mail[np.ix_(senders[k], receivers[k])]
    above.plot(block.mean(axis=(0, 1)), color=COLOURS[k], marker="o", label=f"in co-cluster {k}")
    below.bar(np.flatnonzero(months[k]), 0.7, width=1, bottom=k - 0.35, color=COLOURS[k])
above.plot(mail.mean(axis=(0, 1)), color="grey", ls="--", label="among all")
above.set(ylabel="log2(mails) + 1, mean", title="Mail among the people of each co-cluster, and the months it has")
above.legend(frameon=False, loc="upper left", bbox_to_anchor=(1, 1))
below.set_xticks(range(12), made.data.labels[0][2], rotation=45, ha="right")
below.set(yticks=range(3), ylabel="co-cluster", ylim=(2.6, -0.6))
figure.savefig(FOLDER / "tensor_months.png", dpi=90)
