"""The atlas again: regions x genes at seven ages, nearly half of it missing."""
import numpy

from evolving.allen import CLUSTERS
from evolving.series import SHARES, Series, fusion_table, path_fits, trade_words
from support.statistics import mean, spread, verdict

N_HIDINGS = 5
FLOOR = -8.0  # log2 of the faintest energy that counts


def run(gingham, page, folder):
    """Developing mouse brain, regions x genes at seven ages with missing values"""
    source = folder / "energy_7ages_33regions_80genes.npz"
    info = gingham.info(f"{source}:V")
    page.say(f"{info['missing']} of {int(numpy.prod(info['shape']))} cells are missing; they have no weight in the "
             "fit. First the energies as they are, the genes fused.")
    rows = fits_of(gingham, f"{source}:V", "cube")
    found = fusion_table(page, "allen_missing", ("regions", "genes"), path_fits(rows, "genes", "column_fusion"))
    page.points(trade_words(found, item, "genes none", "genes max") for item in ("regions", "genes"))
    values = numpy.maximum(numpy.log2(numpy.load(source)["V"]), FLOOR)
    hidden_cells(gingham, page, values)


def fits_of(gingham, source, name, regions=0):
    return gingham.path("evolving", [source], name, f"column-fusion={SHARES}", clusters=CLUSTERS, series_mode=0,
                        row_fusion=regions)


def hidden_cells(gingham, page, values):
    page.say(f"Does fusion predict what was not shown? A tenth of the known cells is hidden, {N_HIDINGS} times; on "
             "log2 energies, each gene's mean over the regions taken off at every age. 0 is what these means alone "
             "predict, 1 is perfect.")
    found = {}
    for seed in range(N_HIDINGS):
        shown, truth, cells = hide(values, seed)
        path = gingham.work / f"hidden_{seed}.npz"
        numpy.savez(path, V=shown)
        for regions, title in ((0, "regions none, genes"), ("max", "regions max, genes")):
            rows = fits_of(gingham, f"{path}:V", f"hidden_{regions}_{seed}", regions)
            for fused, fitted in path_fits(rows, title, "column_fusion").items():
                found.setdefault(fused, []).append(predicted(Series(fitted), truth, cells))
    page.table("allen_hidden", ["fused", "share of the hidden sum of squares predicted"],
               [[title, spread(shares)] for title, shares in found.items()])
    none = "regions none, genes none"
    best = max(found, key=lambda title: mean(found[title]))
    others = dict.fromkeys(("regions none, genes max", "regions max, genes none", "regions max, genes max", best))
    page.points(f"{title}{' (chosen as the best of the table)' * (title == best)} predicts better than no fusion: "
                f"{verdict([a - b for a, b in zip(found[title], found[none])], 'hidings')}."
                for title in others if title != none)


def hide(values, seed):
    """(centred values without the hidden cells, centred values, indices of the hidden cells)"""
    observed = numpy.argwhere(~numpy.isnan(values))
    cells = tuple(numpy.random.default_rng(seed).permutation(observed)[:len(observed) // 10].T)
    shown = values.copy()
    shown[cells] = numpy.nan
    counts = (~numpy.isnan(shown)).sum(axis=1, keepdims=True)
    means = numpy.nansum(shown, axis=1, keepdims=True) / numpy.maximum(counts, 1)
    return shown - means, values - means, cells


def predicted(series, truth, cells):
    model = numpy.array([series.model(time) for time in range(len(series.u))])
    return float(1 - ((truth - model)[cells] ** 2).sum() / (truth[cells] ** 2).sum())
