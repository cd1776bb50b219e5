"""Tables with names: pandas and AnnData in, named results out.

Counts of 60 genes in 150 cells of four kinds. The names of cells and genes come back with the result, and the result
goes back into the AnnData, beside whatever else one keeps there. Figure: the counts by component, and the genes of
each.

    python3 examples/tables.py [FOLDER]
"""
import pathlib
import sys

import matplotlib

matplotlib.use("Agg")  # in a notebook, leave this line out
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

import gingham

try:
    import anndata
except ImportError:
    anndata = None

FOLDER = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "figures")
FOLDER.mkdir(parents=True, exist_ok=True)
COLOURS = plt.get_cmap("Dark2").colors

# %% A table of counts, sparse inside
made = gingham.simulate("spectral", columns=60, inside=1.5)
cells, genes = [f"cell_{i:03}" for i in range(150)], [f"gene_{j:02}" for j in range(60)]
if anndata is not None:
    table = anndata.AnnData(made.X.astype(np.float32), obs=pd.DataFrame(index=cells), var=pd.DataFrame(index=genes))
    table.obs["kind"] = pd.Categorical([f"kind {k}" for k in made.row_labels])
else:
    table = pd.DataFrame.sparse.from_spmatrix(made.X, index=cells, columns=genes)
print(table if anndata is not None else table.shape)

# %% Fit, and the result by name
model = gingham.NMF(rank=4).fit(table)
weights = pd.DataFrame(model.H_.T, index=genes, columns=[f"component {k}" for k in range(4)])
for name in weights:
    print(f"{name}: {', '.join(weights[name].nlargest(5).index)}")
members = model.result_.clusters
print(members[members["mode"] == "rows"].nlargest(3, "value")[["component", "label", "value"]].to_string(index=False))

# %% Back into the table
if anndata is not None:
    table.obsm["X_nmf"] = model.W_.copy()
    table.varm["nmf"] = model.H_.T.copy()
    table.obs["component"] = pd.Categorical(model.row_labels_)
    print(pd.crosstab(table.obs["kind"], table.obs["component"]))
else:
    print(pd.crosstab(made.row_labels, model.row_labels_, rownames=["kind"], colnames=["component"]))

# %% The counts in the order of the components
rows, columns = (np.argsort(labels, kind="stable") for labels in (model.row_labels_, model.column_labels_))
figure, (left, right) = plt.subplots(1, 2, figsize=(11, 6), width_ratios=[1.3, 1], layout="constrained")
counts = made.X.toarray()[np.ix_(rows, columns)]
image = left.imshow(counts, aspect="auto", cmap="Blues", vmax=np.quantile(counts, 0.995), interpolation="nearest")
for draw, labels in ((left.axhline, model.row_labels_), (left.axvline, model.column_labels_)):
    for border in np.cumsum(np.bincount(labels))[:-1]:
        draw(border - 0.5, color="black", lw=1)
left.set(title="Counts, by strongest component", xlabel="genes", ylabel="cells")
left.set_xticks(range(0, 60, 4), np.array(genes)[columns][::4], rotation=90, fontsize=7)
figure.colorbar(image, ax=left, label="count", shrink=0.6)

top = np.concatenate([np.argsort(-model.H_[k])[:6] for k in range(4)])
shares = model.H_ / model.H_.max(axis=1, keepdims=True)
image = right.imshow(shares[:, top].T, aspect="auto", cmap="Purples", vmin=0, vmax=1)
right.set_yticks(range(len(top)), np.array(genes)[top], fontsize=8)
right.set(title="The six strongest genes of each component", xlabel="component", xticks=range(4))
for k, tick in enumerate(right.get_yticklabels()):
    tick.set_color(COLOURS[k // 6])
figure.colorbar(image, ax=right, label="weight, relative to the largest", shrink=0.6)
figure.savefig(FOLDER / "tables_counts.png", dpi=90)
