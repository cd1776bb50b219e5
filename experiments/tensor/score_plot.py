"""Figure 7: a score plot of samples. The paper's wine data are not to be had; `dorrit` are fluorescence landscapes."""
from support.charts import scatter_plot
from support.statistics import holds
from tensor.arrays import factors, penalties_used

CLUSTERS = 5
SPARSITY = "auto"


def figure_7(gingham, page, folder):
    page.heading("Figure 7: score plot, `dorrit` in place of the wines")
    samples = (folder / "dorrit_names.tsv").read_text().splitlines()[0].split("\t")
    rows, fits = [], {}
    for value in ("0", SPARSITY):
        fitted = gingham.fit("tensor", [folder / "dorrit.npy"], f"dorrit_score_{value}".replace("%", "p"),
                             clusters=CLUSTERS, sparsity=value)
        a = factors(fitted)[0]
        fits[value] = a
        rows.append([value, ", ".join(f"{x:.4g}" for x in penalties_used(fitted))]
                    + [f"{(column != 0).sum()} of {len(samples)}" for column in a.T])
    page.table("figure_7", ["lambda", "used"] + [f"samples in {k + 1}" for k in range(CLUSTERS)], rows)
    a = fits[SPARSITY]
    page.picture("figure_7", scatter_plot(
        f"dorrit, K = {CLUSTERS}, lambda {SPARSITY}", "membership in co-cluster 4", "membership in co-cluster 5",
        [(float(x), float(y), name) for x, y, name in zip(a[:, 3], a[:, 4], samples)]))
    alone = [int(((a[:, k] != 0) & (a[:, 7 - k] == 0)).sum()) for k in (3, 4)]
    zeros = {value: int((scores == 0).sum()) for value, scores in fits.items()}
    page.say(f"{alone[0]} samples are in 4 only, {alone[1]} in 5 only; sparsity leaves samples out of co-clusters: "
             f"{holds(zeros[SPARSITY] > zeros['0'])} ({zeros[SPARSITY]} zeros against {zeros['0']} at lambda 0).")
