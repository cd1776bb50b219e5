"""Tables 1 and 2: subjects with risk variants, seen by their markers and by noisy clinical features."""
import numpy

from multiview.genotypes import KINDS, Genotypes
from multiview.methods import ALL_RIVALS, multiview, rivals, score
from support.charts import line_chart
from support.statistics import holds, mean, spread, standard_error, verdict

NOISE = (1.0, 0.8, 0.6, 0.4)
SIZES, AUTO, ALL_AUTO = "multiview", "multiview, rows auto", "multiview, all auto"
OURS = (SIZES, AUTO, ALL_AUTO)
SHOWN = (SIZES, "mvfl", "mvcca", "coregularized, pairwise", "cotrained", "kernel-sum", "kmeans, views joined")
PAPER = {SIZES: "0.61-0.62", "coregularized, pairwise": "0.23-0.25", "cotrained": "0.18-0.24", "mvcca": "0.11-0.17",
         "mvfl": "0.12-0.16", "kernel-sum": "0.23-0.26", "kernel-product": "0.19-0.24",
         "ssvd, best view": "0.08-0.24"}
COLUMNS = (10, 3)


def run(gingham, page, simulator, seeds, folder):
    page.heading("Tables 1 and 2, simulated")
    page.say("`gingham simulate multiview --e ...`: by default 1092 subjects, 1000 markers, 10 clinical features. The "
             "other methods are asked for three clusters, as in the paper; `multiview` for two, of the planted sizes "
             "(10 markers, 3 features, and as many rows as were planted), the others being the rest. `rows auto`: the "
             "number of rows is not given; `all auto`: the numbers of columns are not either. Of `ssvd` the best over the views and over row sparsity auto and 20% "
             "counts, which no user could know.")
    both(gingham, page, "simulated", simulator.study, seeds, True)
    if folder is None:
        return
    source = Genotypes(folder)
    for kind in KINDS:
        page.heading(f"Tables 1 and 2, real genotypes, {KINDS[kind]}")
        page.say(source.describe(kind))
        both(gingham, page, f"genotypes_{kind}", lambda e, seed, kind=kind: source.study(gingham, kind, e, seed),
             seeds if kind == "linked" else seeds[:3], False)


def both(gingham, page, name, make, seeds, verified):
    found = {}
    for e in NOISE:
        def one(seed, e=e):
            return one_study(gingham, make(e, seed), verified and e == NOISE[0] and seed == seeds[0])
        found[e] = gingham.each(one, seeds)
    table_1(page, name, found)
    table_2(page, name, found)


def one_study(gingham, study, verified):
    """({title: NMI}, [found and false columns of cluster 0, 1 in view 0, 1])"""
    sized = multiview(gingham, study.views, clusters=2, rows=study.sizes(), columns="10,3")
    free = multiview(gingham, study.views, AUTO, clusters=2, columns="10,3")
    alone = multiview(gingham, study.views, ALL_AUTO, clusters=2)
    scores = {title: score(gingham, study.views, fitted)
              for title, fitted in ((SIZES, sized), (AUTO, free), (ALL_AUTO, alone))}
    return {**scores, **rivals(gingham, study.views, 3, verified)}, columns_found(study, free)


def columns_found(study, fitted):
    """Right and wrong ones, [cluster][view]; a found cluster is that of the planted ones it shares most rows with."""
    inside = fitted.array("omega") != 0
    shared = numpy.array([[(inside[:, k] & (study.labels == c)).sum() for k in (0, 1)] for c in (0, 1)])
    order = (0, 1) if shared[0, 0] + shared[1, 1] >= shared[0, 1] + shared[1, 0] else (1, 0)
    counts = []
    for cluster, component in enumerate(order):
        counts.append([])
        for view in (0, 1):
            chosen = fitted.array(f"v_{view}")[:, component] != 0
            right = study.columns[view] == cluster
            counts[-1].append((int((chosen & right).sum()), int((chosen & ~right).sum())))
    return counts


def table_1(page, name, found):
    titles = (*OURS, *ALL_RIVALS)
    values = {title: {e: [scores[title] for scores, _ in runs] for e, runs in found.items()} for title in titles}
    page.table(f"table_1_{name}", ["NMI", *(f"e = {e:g}" for e in NOISE), "paper"],
               [[title, *(spread(values[title][e]) for e in NOISE), PAPER.get(title, "")] for title in titles])
    page.picture(f"table_1_{name}", line_chart(
        "NMI with the planted clusters", "e", "NMI",
        {title: [(e, mean(v), standard_error(v)) for e, v in values[title].items()] for title in SHOWN}))
    texts = []
    for e in NOISE:
        best = max(ALL_RIVALS, key=lambda title, e=e: mean(values[title][e]))
        apart = [a - b for a, b in zip(values[SIZES][e], values[best][e])]
        texts.append(f"e = {e:g}: multiview above the best of the others ({best}): {verdict(apart)}.")
    below = [title for title in ALL_RIVALS
             if all(mean(a - b for a, b in zip(values[SIZES][e], values[title][e])) > 0 for e in NOISE)]
    texts.append(f"At every e multiview has the larger mean than: {', '.join(below) or 'none'}.")
    drops = [a - b for a, b in zip(values[SIZES][1.0], values[SIZES][0.4])]
    texts.append(f"multiview is better at e = 1 than at 0.4: {verdict(drops)}.")
    page.points(texts)


def table_2(page, name, found):
    rows, enough = [], True
    for cluster in (0, 1):
        for e, runs in found.items():
            row = [cluster + 1, f"{e:g}"]
            for view in (0, 1):
                right, wrong = ([counts[cluster][view][k] for _, counts in runs] for k in (0, 1))
                row += [COLUMNS[view], spread(right), spread(wrong)]
                enough &= mean(right) >= COLUMNS[view] - 1 and mean(wrong) <= 1
            rows.append(row)
    page.table(f"table_2_{name}", ["cluster", "e", "markers", "found", "false", "features", "found", "false"], rows)
    page.say(f"All but one of the columns found and one false on average, for every cluster, view and e: "
             f"{holds(enough)} (the paper has 9 or 10 of 10 markers and 3 of 3 features).")
