"""Where a co-cluster begins, how it is found, and subjects of whom something is missing."""
import numpy

from multiview.methods import Views, multiview, score
from support.statistics import mean, spread, verdict

STARTS = ("pca", "ones", "random")
GAPS = {"nothing missing": {}, "10% of the cells": dict(missing=0.1), "30% of the cells": dict(missing=0.3),
        "one view of 10% of the subjects": dict(missing_views=0.1),
        "one view of 30% of the subjects": dict(missing_views=0.3),
        "one view of 60% of the subjects": dict(missing_views=0.6),
        "both, 10% and 30%": dict(missing=0.1, missing_views=0.3)}


def starts(gingham, page, simulator, seeds, digits):
    page.heading("The three starts")
    settings = {"simulated, e = 1": 1.0, "simulated, e = 0.4": 0.4}
    cases = {title: [simulator.study(e, seed) for seed in seeds] for title, e in settings.items()}
    found = {}
    for title, studies in cases.items():
        found[title] = start_scores(gingham, [(study.views, dict(clusters=2, rows=study.sizes(), columns="10,3"))
                                              for study in studies])
    if digits is not None:
        parts = [digits_part(gingham, digits, trial) for trial in range(len(seeds))]
        found["digits, fou + pix"] = start_scores(gingham, [
            (part, dict(clusters=10, rows="10%", columns="90%", scale="rows")) for part in parts])
    page.table("starts", ["NMI, objective over that of pca", *STARTS, "best of 10 starts"],
               [[title, *(f"{spread(runs[start])}, {mean(runs[start + ' objective']):.4f}"
                          for start in (*STARTS, "many"))] for title, runs in found.items()])
    page.points(f"{title}: pca above {other}: {verdict([a - b for a, b in zip(runs['pca'], runs[other])])}."
                for title, runs in found.items() for other in STARTS[1:])


def start_scores(gingham, cases):
    """{start: NMI of every case, start + " objective": over that of pca}"""
    def one(case):
        views, options = case
        fits = {start: multiview(gingham, views, f"start {start}", start=start, **options) for start in STARTS}
        fits["many"] = multiview(gingham, views, "start many", starts=10, **options)
        scores = {start: score(gingham, views, fitted) for start, fitted in fits.items()}
        lowest = fits["pca"].json["objective"]
        return {**scores, **{f"{start} objective": f.json["objective"] / lowest for start, f in fits.items()}}

    runs = gingham.each(one, cases)
    return {name: [run[name] for run in runs] for name in runs[0]}


def digits_part(gingham, folder, trial):
    labels = numpy.load(folder / "labels.npy")
    rows = numpy.sort(numpy.random.default_rng([trial, 3]).choice(len(labels), round(0.8 * len(labels)), replace=False))
    views = [numpy.load(folder / f"mfeat_{name}.npy").astype(float)[rows] for name in ("fou", "pix")]
    return Views(gingham, f"digits_start_{trial}", views, labels[rows], "rows")


def solvers(gingham, page, simulator, seeds):
    page.heading("`exact` and `palm` from the same start")

    def one(seed):
        study = simulator.study(1.0, seed)
        return [multiview(gingham, study.views, f"solver {solver}", clusters=2, rows=study.sizes(), columns="10,3",
                          solver=solver, max_iterations=5000) for solver in ("exact", "palm")]

    pairs = gingham.each(one, seeds)
    rows = []
    for k, title in enumerate(("exact", "palm")):
        fits = [pair[k] for pair in pairs]
        rows.append([title, spread([f.json["iterations"] for f in fits]),
                     spread([f.json["objective"] / pair[0].json["objective"] for f, pair in zip(fits, pairs)]),
                     ", ".join(sorted({f.status for f in fits})), mean(f.json["seconds"]["fit"] for f in fits)])
    page.table("solvers", ["solver", "iterations", "objective over that of exact", "ended as", "seconds"], rows)
    fewer = sum(a.json["iterations"] <= b.json["iterations"] for a, b in pairs)
    page.say(f"`exact` needs no more iterations than `palm` for {fewer} of {len(pairs)} seeds.")


def incomplete(gingham, page, simulator, seeds):
    page.heading("Incomplete views")
    rows = []
    for title, options in GAPS.items():
        def one(seed, options=options):
            return one_incomplete(gingham, simulator.study(1.0, seed, **options))
        runs = gingham.each(one, seeds)
        rows.append([title, *(spread([run[k] for run in runs]) if runs[0][k] is not None else ""
                              for k in range(len(runs[0])))])
    page.table("incomplete", ["missing", "NMI", "members found, complete subjects", "members found, incomplete",
                              "others taken for members, complete", "incomplete"], rows)
    page.say("Simulated, e = 1. Incomplete are subjects without one of the two views. Found: in the right cluster, of "
             "the planted members.")


def one_incomplete(gingham, study):
    fitted = multiview(gingham, study.views, "gaps", clusters=2, rows=study.sizes(), columns="10,3")
    labels = numpy.array(fitted.labels("rows"), dtype=int)
    agree = [(labels == a)[study.labels == b].sum() for a, b in ((0, 0), (1, 1), (0, 1), (1, 0))]
    if agree[2] + agree[3] > agree[0] + agree[1]:
        labels = numpy.array([1, 0, -1])[labels]
    whole = ~study.lacks_view
    member = study.labels >= 0
    return (score(gingham, study.views, fitted), share(labels == study.labels, member & whole),
            share(labels == study.labels, member & ~whole), share(labels >= 0, ~member & whole),
            share(labels >= 0, ~member & ~whole))


def share(right, where):
    return float(right[where].mean()) if where.any() else None
