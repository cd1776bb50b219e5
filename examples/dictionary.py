"""Very many short samples: what are they made of?

Samples that are sums of three out of 32 hidden atoms, with noise. Figures: found against planted atoms, how many a
sample takes, how learning goes; some samples and what their few atoms make of them.

    python3 examples/dictionary.py [FOLDER]
"""
import pathlib
import sys

import matplotlib

matplotlib.use("Agg")  # in a notebook, leave this line out
import matplotlib.pyplot as plt
import numpy as np
from scipy.optimize import linear_sum_assignment

import gingham

FOLDER = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "figures")
FOLDER.mkdir(parents=True, exist_ok=True)

# %% Data and fit; the last samples are kept for later
made = gingham.simulate("dictionary", samples=5000, length=24, atoms=32)
train, test = made.X[:4500], made.X[4500:]
model = gingham.DictionaryLearning(atoms=32, epochs=15, lambda_=0.1).fit(train)
planted = made.truth["dictionary"]
cosines = np.abs(planted.T @ model.dictionary_)
order = linear_sum_assignment(-cosines)[1]
print(model.result_)
print("planted atoms found again:", int((cosines.max(axis=1) > 0.95).sum()), "of", planted.shape[1])
sizes = model.codes_.getnnz(axis=1)
print(f"atoms per sample: {sizes.mean():.2f}")

# %% What was found
figure, axes = plt.subplots(1, 3, figsize=(12, 3.8), layout="constrained")
image = axes[0].imshow(cosines[:, order], cmap="Greys", vmin=0, vmax=1)
axes[0].set(title="Cosines of planted and found atoms", xlabel="found, matched", ylabel="planted")
figure.colorbar(image, ax=axes[0])
axes[1].hist(sizes, bins=np.arange(sizes.max() + 2) - 0.5, color="steelblue", edgecolor="white")
axes[1].axvline(3, color="black", ls="--", label="planted")
axes[1].set(title="Atoms that a sample takes", xlabel="atoms", ylabel="samples", xticks=range(sizes.max() + 1))
axes[1].legend(frameon=False)
trace = model.result_.trace
axes[2].plot(trace["iteration"], trace["objective"], marker="o", color="steelblue")
axes[2].set(title="Learning", xlabel="epoch", ylabel="objective per sample", xticks=trace["iteration"][::2])
figure.savefig(FOLDER / "dictionary_atoms.png", dpi=90)

# %% New samples from few atoms: each is made zero-mean and of length 1 before it is coded
codes = model.transform(test)
normal = test - test.mean(axis=1, keepdims=True)
normal /= np.linalg.norm(normal, axis=1, keepdims=True)
again = codes @ model.dictionary_.T
error = np.linalg.norm(normal - again, axis=1)
print(f"error of new samples, of length 1: {error.mean():.2f}, atoms: {codes.getnnz(axis=1).mean():.2f}")
figure, axes = plt.subplots(2, 3, figsize=(11, 5), sharex=True, sharey=True, layout="constrained")
for i, axis in enumerate(axes.flat):
    axis.plot(normal[i], color="grey", marker=".", label="sample")
    axis.plot(again[i], color="crimson", label="from its atoms")
    atoms = codes[i].indices
    axis.set_title(f"atoms {', '.join(map(str, atoms))}; error {error[i]:.2f}", fontsize=9)
axes[0, 0].legend(frameon=False)
figure.supxlabel("place in the sample")
figure.supylabel("value")
figure.suptitle("New samples, and what their few atoms make of them")
figure.savefig(FOLDER / "dictionary_samples.png", dpi=90)
