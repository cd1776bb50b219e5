"""Figures 4 and 5 and Table 2: the penalty on change from weak to strong and back, by `gingham path`."""
from support.charts import line_chart
from support.statistics import decided, holds, mean, never_rises, spread, standard_error, verdict

GRID = {"upwards": "0.01:10000:13", "downwards": "10000:0.01:13"}
UP, DOWN = GRID
ROUNDING = 1e-6  # objectives that differ by less are the same


def run(gingham, page, brains, sparsity):
    paths = gingham.each(lambda brain: paths_of(gingham, brain, sparsity), brains)
    gammas = [row["column_fusion"] for row in paths[0][UP]]
    table_2(page, paths, gammas, brains[0].ages)
    figure_4(page, paths, gammas)
    figure_5(page, paths, gammas)


def paths_of(gingham, brain, sparsity):
    """{direction: the rows of a path}, from small to large gamma whichever way it went; and those of a single
    co-cluster with the sparsity penalties that the first co-cluster had at the largest gamma."""
    paths = {}
    for direction, grid in GRID.items():
        paths[direction] = gingham.path("evolving", brain.data, f"{direction}_{brain.seed}", f"column-fusion={grid}",
                                        brain.truth, clusters=brain.clusters, row_sparsity=sparsity,
                                        column_sparsity=sparsity)
    paths[DOWN].reverse()
    used = {name: str(paths[UP][-1][name + "_used"]).split(",")[0] for name in ("row_sparsity", "column_sparsity")}
    paths["single"] = gingham.path("evolving", brain.data, f"single_{brain.seed}", f"column-fusion={GRID[UP]}",
                                   clusters=1, **used)
    return paths


def column(paths, direction, name):
    """A list over gamma of lists over the seeds."""
    return [list(values) for values in zip(*([row[name] for row in path[direction]] for path in paths))]


def table_2(page, paths, gammas, ages):
    page.heading("Table 2: S index at each age against gamma")
    page.say("Each path begins every fit from its neighbour's result. Upwards: from the smallest gamma on.")
    s_index, nmi = (column(paths, UP, name) for name in ("s_index", "nmi"))
    at_age = [column(paths, UP, f"s_index_{age}" if len(ages) > 1 else "s_index") for age in ages]
    page.table("table_2", ["gamma"] + [f"age {age}" for age in ages] + ["average", "average NMI"],
               [[f"{gamma:.4g}", *(f"{mean(values[k]):.3f}" for values in at_age), spread(s_index[k]), spread(nmi[k])]
                for k, gamma in enumerate(gammas)])


def figure_4(page, paths, gammas):
    page.heading("Figure 4: average S index against gamma")
    found = {(score, way): column(paths, way, score) for score in ("s_index", "nmi") for way in GRID}
    lower = [sum(down < up * (1 - ROUNDING) for up, down in zip(*pair)) for pair in
             zip(column(paths, UP, "objective"), column(paths, DOWN, "objective"))]
    page.table("figure_4", ["gamma"] + [f"{score} {way}" for score, way in found] + ["lower objective downwards"],
               [[f"{gamma:.4g}"] + [spread(values[k]) for values in found.values()] + [f"{lower[k]} of {len(paths)}"]
                for k, gamma in enumerate(gammas)])
    page.picture("figure_4", line_chart(
        "Averages over the ages against gamma", "gamma", "score",
        {f"{score} {way}": [(gamma, mean(v), standard_error(v)) for gamma, v in zip(gammas, values)]
         for (score, way), values in found.items()}, log_x=True))
    page.points(text for way in GRID for text in rising(way, found["s_index", way], gammas))
    page.points(f"gamma = {gammas[-1]:g} above gamma = {gammas[0]:g}, {way}, {score}: "
                f"{verdict([b - a for a, b in zip(values[0], values[-1])])}." for (score, way), values in found.items())


def rising(way, values, gammas):
    """Whether the averages rise with gamma, and where they are highest."""
    means = [mean(v) for v in values]
    steps = [[b - a for a, b in zip(*pair)] for pair in zip(values, values[1:])]
    falls = [k for k, step in enumerate(steps) if mean(step) < 0]
    worst = min(range(len(steps)), key=lambda k: mean(steps[k]))
    text = f"{way}, the S index rises with gamma at every step: {holds(not falls)}"
    if falls:
        text += (f" (it falls in {len(falls)} of {len(steps)} steps, decidedly in "
                 f"{sum(decided(steps[k]) for k in falls)}; most from {gammas[worst]:.4g} to {gammas[worst + 1]:.4g}, "
                 f"by {-mean(steps[worst]):.3f})")
    best = means.index(max(means))
    top = f"{way}, it is highest at gamma = max: "
    if means[-1] == means[best]:
        return [text + ".", top + "holds."]
    above = [a - b for a, b in zip(values[best], values[-1])]
    word = "does not hold" if decided(above) else "is undecided"
    return [text + ".", top + f"{word}; it is {means[best]:.3f} at gamma = {gammas[best]:.4g} and {means[-1]:.3f} at "
            f"max, and that the first is above the second {verdict(above)}."]


def figure_5(page, paths, gammas):
    page.heading("Figure 5: the fused term against gamma")
    page.say("`auto` chooses other sparsity penalties at other gammas, and what is left for later co-clusters depends "
             "on the earlier ones. So the term is also shown for a single co-cluster whose sparsity penalties are "
             "fixed at the numbers that the first co-cluster had at the largest gamma.")
    terms = {"single, fixed penalties": "single", "all co-clusters, upwards": UP, "all co-clusters, downwards": DOWN}
    terms = {title: column(paths, way, "column_variation") for title, way in terms.items()}
    page.table("figure_5", ["gamma", *terms], [[f"{gamma:.4g}", *(mean(values[k]) for values in terms.values())]
                                               for k, gamma in enumerate(gammas)])
    page.picture("figure_5", line_chart("Fused term against gamma", "gamma", "sum of |change|",
                                        {title: [(gamma, mean(v)) for gamma, v in zip(gammas, values)]
                                         for title, values in terms.items()}, log_x=True))
    page.points(fused_words(title, list(zip(*values)), gammas) for title, values in terms.items())


def fused_words(title, seeds, gammas):
    falls = sum(never_rises(values) for values in seeds)
    zero = sum(values[-1] == 0.0 for values in seeds)
    first = [gammas[[value == 0.0 for value in values].index(True)] for values in seeds if 0.0 in values]
    text = (f"{title}: never rises with gamma in {falls} of {len(seeds)} seeds; exactly 0 at gamma = {gammas[-1]:g} in "
            f"{zero} of {len(seeds)}")
    return text + (f", first at {min(first):.4g} to {max(first):.4g}." if first else ".")
