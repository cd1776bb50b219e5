"""Known groups: which parts belong to which group?

Five pictures added up in random amounts, in noise three times as strong. The columns come in five groups, each of which
lacks one of the pictures. Figures: the pictures that were found, with and without the groups; who uses what.

    python3 examples/groupnmf.py [FOLDER]
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

# %% Data and fits
made = gingham.simulate("groupnmf")
groups = np.array(made.lines["groups"])
model = gingham.GroupNMF(rank=5, groups=groups, beta="2%", allow_negative=True).fit(made.X)
plain = gingham.NMF(rank=5, allow_negative=True).fit(made.X)
print(model.result_)
print(int(model.result_.measures["zero_blocks"]), "pairs of group and picture are switched off; 5 were planted")

# %% The pictures, matched to those that were planted
planted = made.truth["W"]


def matched(found):
    """The columns of `found` in the order of the planted ones, and how alike they are."""
    cosines = (planted / np.linalg.norm(planted, axis=0)).T @ (found / np.linalg.norm(found, axis=0))
    best = cosines.argmax(axis=1)
    return found[:, best], cosines.max(axis=1), best


rows = {"planted": (planted, None, None), "with groups": matched(model.W_), "without (NMF)": matched(plain.W_)}
figure, axes = plt.subplots(4, 5, figsize=(9, 7.8), layout="constrained")
for k in range(5):
    axes[0, k].imshow(made.X[:, 30 * k].reshape(32, 32), cmap="gray_r")
    axes[0, k].set_title(f"a column of {groups[30 * k]}", fontsize=9)
for line, (name, (pictures, likeness, _)) in zip(axes[1:], rows.items()):
    for k, axis in enumerate(line):
        axis.imshow(pictures[:, k].reshape(32, 32), cmap="gray_r", vmin=0)
        axis.set_title(f"picture {k}" if likeness is None else f"cosine {likeness[k]:.2f}", fontsize=9)
    line[0].set_ylabel(name)
axes[0, 0].set_ylabel("the data")
for axis in axes.flat:
    axis.set(xticks=[], yticks=[])
figure.suptitle("Pictures found in noise three times as strong as the signal")
figure.savefig(FOLDER / "groupnmf_pictures.png", dpi=90)
for name in ("with groups", "without (NMF)"):
    print(f"{name}: cosines with the planted pictures {rows[name][1].round(2).tolist()}")

# %% Which group uses which picture
order = rows["with groups"][2]
use = {"planted": made.truth["used"], "found, with groups": model.group_norms_[:, order]}
names = list(dict.fromkeys(groups))
coefficients = plain.H_[rows["without (NMF)"][2]]
use["found, without"] = np.array([np.linalg.norm(coefficients[:, groups == name], axis=1) for name in names])
figure, axes = plt.subplots(1, 3, figsize=(11, 3.6), sharey=True, layout="constrained")
for axis, (name, values) in zip(axes, use.items()):
    values = values if values.shape == (5, 5) else values.T
    image = axis.imshow(values, cmap="Purples", vmin=0)
    for (g, k), value in np.ndenumerate(values):
        colour = "white" if value > 0.6 * values.max() else "black"
        axis.text(k, g, f"{value:.0f}", ha="center", va="center", color=colour)
    axis.set(title=name, xlabel="picture", xticks=range(5), yticks=range(5), yticklabels=names)
figure.suptitle("How much each group uses each picture (length of its coefficients)")
figure.savefig(FOLDER / "groupnmf_use.png", dpi=90)
