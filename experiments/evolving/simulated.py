"""Tables 1 and 2 and Figures 3 to 6 on simulated brains."""
import numpy

from support.charts import line_chart
from support.pages import mean, standard_error

SCORES = ("s_index", "nmi", "ari")
GAMMAS = [10.0 ** (-2 + k / 2) for k in range(13)]  # 0.01 ... 10000
DUAL_GAMMAS = (0.1, 1.0, 10.0, 100.0)
DUAL_ITERATIONS = 50
# The order the paper reports, best first.
PAPER_ORDER = ("evolving", "ssvd", "spectral", "kmeans")
# The simulator's defaults were chosen after looking at seeds from 0 on; these are fresh.
FIRST_SEED = 1000
# One setting of a simulator proves little: the comparison is repeated where the brain is easier and where it is harder.
OTHER_SETTINGS = ({"genes": 300, "noise": 1}, {"background": 0.05}, {"background": 0.05, "voxels": 80},
                  {"weakest": 1, "drift": 0}, {"drift": 0.5})


class Brain:
    def __init__(self, gingham, seed, options, name="brain"):
        self.seed = seed
        folder = gingham.simulate("evolving", f"{name}_{seed}", seed=seed, **options)
        self.data = numbered(folder, "data_{}.npy")
        self.truth = numbered(folder / "truth", "rows_{}.txt")
        self.strength = numpy.load(folder / "truth/strength.npy")
        labels = [path.read_text().split() for path in self.truth]
        self.n_regions = [len(set(age)) for age in labels]
        self.one_cluster = []
        for age, path in zip(labels, self.truth):
            trivial = path.with_name("one_" + path.name)
            trivial.write_text("0\n" * len(age))
            self.one_cluster.append(trivial)


def numbered(folder, pattern):
    paths = []
    while (folder / pattern.format(len(paths))).exists():
        paths.append(folder / pattern.format(len(paths)))
    return paths


def run(gingham, page, n_seeds, sparsity, options):
    seeds = range(FIRST_SEED, FIRST_SEED + n_seeds)
    brains = [Brain(gingham, seed, options) for seed in seeds]
    settings = " ".join(f"--{name} {value}" for name, value in options.items())
    page.say(f"{n_seeds} simulated brains (`gingham simulate evolving --seed {FIRST_SEED} ... {settings}`), as many "
             f"co-clusters as regions; sparsity of evolving: {sparsity}. All runs start cold.")
    table_1(gingham, page, brains)
    figure_3(gingham, page, brains, sparsity)
    other_settings(gingham, page, seeds, sparsity, options)
    fits = {brain: fit_over_gammas(gingham, brain, sparsity) for brain in brains}
    figure_4(gingham, page, fits)
    figure_5(gingham, page, fits)
    figure_6(gingham, page, brains[0], sparsity)


def table_1(gingham, page, brains):
    page.heading("Table 1: the data")
    rows = []
    for age, path in enumerate(brains[0].data):
        info = gingham.info(path)
        strengths = [float(brain.strength[age]) for brain in brains]
        rows.append([age, info["shape"][0], info["shape"][1], brains[0].n_regions[age], min(strengths), mean(strengths),
                     max(strengths)])
    page.table("table_1", ["age", "voxels", "genes", "regions", "weakest signal", "mean signal", "strongest signal"],
               rows)
    page.say("Signal: how far the regions stand out at this age, over the seeds; 1 is full strength.")


def evolving_options(brain, sparsity, fusion, **more):
    return dict(clusters=max(brain.n_regions), row_sparsity=sparsity, column_sparsity=sparsity, row_fusion=0,
                column_fusion=fusion, **more)


def per_age(scores, name, n_ages):
    return [scores[f"{name}_{age}"] for age in range(n_ages)] if n_ages > 1 else [scores[name]]


def series_scores(gingham, brain, fitted):
    """{score: one value per age}, and the number of clusters that occur, per age."""
    scores = gingham.scores(fitted.folder, brain.truth)
    ages = range(len(brain.data))
    found = {name: per_age(scores, name, len(brain.data)) for name in SCORES}
    found["clusters"] = [len(set(fitted.labels(f"rows_{age}"))) for age in ages]
    return found


def matrix_scores(gingham, brain, method):
    """The same for a method that sees one age at a time."""
    found = {name: [] for name in SCORES + ("clusters",)}
    for age, path in enumerate(brain.data):
        fitted = gingham.fit(method, [path], f"{method}_{brain.seed}_{age}", clusters=max(brain.n_regions))
        scores = gingham.scores(fitted.folder, [brain.truth[age]])
        for name in SCORES:
            found[name].append(scores[name])
        found["clusters"].append(len(set(fitted.labels("rows"))))
    return found


def trivial_scores(gingham, brain):
    found = {name: [] for name in SCORES}
    for labels, truth in zip(brain.one_cluster, brain.truth):
        scores = gingham.scores(labels, [truth])
        for name in SCORES:
            found[name].append(scores[name])
    found["clusters"] = [1] * len(brain.truth)
    return found


def figure_3(gingham, page, brains, sparsity):
    page.heading("Figure 3: S index at each age")
    variants = {"evolving": (sparsity, "max"), "evolving, no fusion": (sparsity, 0),
                "evolving, sparsity 10%": ("10%", "max")}
    found = {name: [] for name in [*variants, "ssvd", "spectral", "kmeans", "one cluster"]}
    for brain in brains:
        for name, (level, fusion) in variants.items():
            label = "".join(c if c.isalnum() else "_" for c in name)
            fitted = gingham.fit("evolving", brain.data, f"{label}_{brain.seed}",
                                 **evolving_options(brain, level, fusion))
            found[name].append(series_scores(gingham, brain, fitted))
        for method in ("ssvd", "spectral", "kmeans"):
            found[method].append(matrix_scores(gingham, brain, method))
        found["one cluster"].append(trivial_scores(gingham, brain))
    n_ages = len(brains[0].data)
    at_age = {name: [[one["s_index"][age] for one in runs] for age in range(n_ages)] for name, runs in found.items()}
    page.table("figure_3", ["method"] + [f"age {age}" for age in range(n_ages)],
               [[name] + [f"{mean(v):.3f} ± {standard_error(v):.3f}" for v in ages] for name, ages in at_age.items()])
    page.picture("figure_3", line_chart(
        "S index at each age", "age", "S index",
        {name: [(age, mean(v), standard_error(v)) for age, v in enumerate(ages)]
         for name, ages in at_age.items() if name != "one cluster"}, x_names=[str(age) for age in range(n_ages)]))
    averages = {name: {score: [mean(one[score]) for one in runs] for score in SCORES + ("clusters",)}
                for name, runs in found.items()}
    page.table("averages", ["method", *SCORES, "clusters found"],
               [[name] + [mean(scores[score]) for score in scores] for name, scores in averages.items()])
    trivial = mean(averages["one cluster"]["s_index"])
    page.say(f"All voxels in one cluster have an S index of {trivial:.3f}: the S index does not punish clusters that "
             "are merged, so it is to be read together with NMI, ARI and the number of clusters found.")
    pairs = list(zip(PAPER_ORDER, PAPER_ORDER[1:]))
    pairs += [("evolving", worse) for worse in ("spectral", "kmeans", "evolving, no fusion")]
    page.points(compare(averages, at_age, better, worse) for better, worse in pairs)


def compare(averages, at_age, better, worse):
    """Says whether `better` is better, by score, from paired differences over the seeds."""
    parts = []
    for score in ("s_index", "nmi"):
        pairs = zip(averages[better][score], averages[worse][score])
        parts.append(f"{score} {verdict([a - b for a, b in pairs])}")
    ages = sum(mean(a) > mean(b) for a, b in zip(at_age[better], at_age[worse]))
    return f"{better} above {worse}: {'; '.join(parts)}; S index above at {ages} of {len(at_age[better])} ages."


def other_settings(gingham, page, seeds, sparsity, options):
    page.heading("Figure 3 under other settings of the simulator", 3)
    rows, texts = [], []
    for setting in OTHER_SETTINGS:
        title = " ".join(f"--{name} {value}" for name, value in setting.items())
        averages = {name: {"s_index": [], "nmi": []} for name in PAPER_ORDER}
        for seed in seeds:
            brain = Brain(gingham, seed, {**options, **setting}, "other")
            fitted = gingham.fit("evolving", brain.data, "other_evolving", **evolving_options(brain, sparsity, "max"))
            for name in PAPER_ORDER:
                found = (series_scores(gingham, brain, fitted) if name == "evolving"
                         else matrix_scores(gingham, brain, name))
                for score, values in averages[name].items():
                    values.append(mean(found[score]))
        rows += [[title, name, mean(scores["s_index"]), mean(scores["nmi"])] for name, scores in averages.items()]
        for score in ("s_index", "nmi"):
            rival = max(PAPER_ORDER[1:], key=lambda name: mean(averages[name][score]))
            pairs = zip(averages["evolving"][score], averages[rival][score])
            texts.append(f"{title}: evolving above the best of the others ({rival}), {score}: "
                         f"{verdict([a - b for a, b in pairs])}.")
    page.table("other_settings", ["setting", "method", "s_index", "nmi"], rows)
    page.points(texts)


def verdict(differences):
    """In words; fewer than three seeds decide nothing."""
    centre, error = mean(differences), standard_error(differences)
    word = "is undecided"
    if len(differences) > 2 and abs(centre) > 2 * error:
        word = "holds" if centre > 0 else "does not hold, the opposite does"
    return f"{word} ({centre:+.3f} ± {error:.3f}, {sum(d > 0 for d in differences)} of {len(differences)} seeds)"


def fit_over_gammas(gingham, brain, sparsity):
    """(gamma, result) from small to large, `max` last."""
    fits = []
    for gamma in [*GAMMAS, "max"]:
        name = gamma if gamma == "max" else f"{gamma:.6g}"
        fits.append((name, gingham.fit("evolving", brain.data, f"gamma_{name}_{brain.seed}",
                                       **evolving_options(brain, sparsity, name))))
    return fits


def figure_4(gingham, page, fits):
    page.heading("Figure 4 and Table 2: S index against gamma")
    gammas = [name for name, _ in next(iter(fits.values()))]
    found = {name: [] for name in gammas}
    for brain, runs in fits.items():
        for name, fitted in runs:
            found[name].append(series_scores(gingham, brain, fitted))
    n_ages = len(next(iter(fits)).data)
    rows, averages = [], {}
    for name in gammas:
        averages[name] = [mean(one["s_index"]) for one in found[name]]
        rows.append([name] + [f"{mean([one['s_index'][age] for one in found[name]]):.3f}" for age in range(n_ages)]
                    + [f"{mean(averages[name]):.3f}", f"{mean([mean(one['nmi']) for one in found[name]]):.3f}"])
    page.table("table_2", ["gamma"] + [f"age {age}" for age in range(n_ages)] + ["average", "average NMI"], rows)
    curves = {"S index": "s_index", "NMI": "nmi"}
    page.picture("figure_4", line_chart(
        "Averages over the ages against gamma", "gamma", "score",
        {title: [(gamma, mean(values), standard_error(values))
                 for gamma, values in ((g, [mean(one[score]) for one in found[n]]) for g, n in zip(GAMMAS, gammas))]
         for title, score in curves.items()}, log_x=True))
    means = [mean(averages[name]) for name in gammas]
    best = gammas[means.index(max(means))]
    down = sum(b < a for a, b in zip(means, means[1:]))
    page.points([
        f"The S index is highest at gamma = max: {verdict_of_best(means, gammas)}",
        f"gamma = max above gamma = {gammas[0]}: s_index "
        f"{verdict([a - b for a, b in zip(averages['max'], averages[gammas[0]])])}.",
        f"The average rises with gamma: it goes down in {down} of {len(means) - 1} steps; highest at {best}."])


def verdict_of_best(means, gammas):
    top, last = max(means), means[-1]
    if last >= top:
        return f"holds ({last:.3f})."
    return f"does not hold ({last:.3f}; {top:.3f} at {gammas[means.index(top)]})."


def fused_terms(fitted, n_ages):
    """sum_i || s_{i+1} v_{i+1} - s_i v_i ||_1 of each co-cluster, from the arrays of a result."""
    weights = fitted.array("s")
    scaled = [weights[age] * fitted.array(f"v_{age}") for age in range(n_ages)]
    return sum(numpy.abs(b - a).sum(axis=0) for a, b in zip(scaled, scaled[1:]))


def figure_5(gingham, page, fits):
    page.heading("Figure 5: the fused term against gamma")
    page.say("`auto` chooses other penalties at other gammas, and what is left for later co-clusters depends on the "
             "earlier ones. So the term is also shown for a single co-cluster whose sparsity penalties are fixed at "
             "the numbers that the run with gamma = max used for its first.")
    gammas = [name for name, _ in next(iter(fits.values()))]
    terms = {"single, fixed penalties": [], "first co-cluster": [], "all co-clusters": []}  # a path over gamma per seed
    for brain, runs in fits.items():
        paths = [fused_terms(fitted, len(brain.data)) for _, fitted in runs]
        terms["first co-cluster"].append([float(term[0]) for term in paths])
        terms["all co-clusters"].append([float(term.sum()) for term in paths])
        terms["single, fixed penalties"].append(single_fused_terms(gingham, brain, runs[-1][1], gammas))
    averages = {title: [mean(column) for column in zip(*paths)] for title, paths in terms.items()}
    page.table("figure_5", ["gamma", *terms], [[name, *row] for name, *row in zip(gammas, *averages.values())])
    lines = {title: list(zip(GAMMAS, path)) for title, path in averages.items()}
    page.picture("figure_5", line_chart("Fused term against gamma", "gamma", "sum of |change|", lines, log_x=True))
    page.points(fused_words(title, paths, gammas) for title, paths in terms.items())


def single_fused_terms(gingham, brain, fitted, gammas):
    """The term at every gamma for one co-cluster with the penalties that `fitted` used for its first."""
    used = {}
    for name in ("row_sparsity", "column_sparsity"):
        values = fitted.json["parameters"][name]
        used[name] = values[0] if isinstance(values, list) else values
    path = []
    for gamma in gammas:
        single = gingham.fit("evolving", brain.data, f"single_{gamma}_{brain.seed}", clusters=1, row_fusion=0,
                             column_fusion=gamma, **used)
        path.append(float(fused_terms(single, len(brain.data)).sum()))
    return path


def fused_words(title, paths, gammas):
    falls = sum(never_rises(path) for path in paths)
    zero = sum(path[-1] == 0.0 and path[-2] == 0.0 for path in paths)
    return (f"{title}: never rises with gamma in {falls} of {len(paths)} seeds; exactly 0 both at gamma = {gammas[-2]} "
            f"and at max in {zero} of {len(paths)} seeds.")


def never_rises(values, rounding=1e-9):
    return all(b <= a + rounding * max(1.0, abs(values[0])) for a, b in zip(values, values[1:]))


def figure_6(gingham, page, brain, sparsity):
    page.heading("Figure 6: duality gap per iteration of the dual solver")
    rows, lines, at_end = [], {}, []
    for gamma in DUAL_GAMMAS:
        fitted = gingham.fit("evolving", brain.data, f"dual_{gamma:g}",
                             **evolving_options(brain, sparsity, gamma, solver="dual"))
        gaps = numpy.atleast_2d(fitted.array("dual_gaps"))[:DUAL_ITERATIONS]
        paths = [path for path in map(recorded, gaps.T) if path]
        falling = sum(never_rises(path, 1e-12) for path in paths)
        lines[f"gamma {gamma:g}"] = [(k + 1, gap) for k, gap in enumerate(paths[0])]
        at_end.append(paths[0][-1] if len(paths[0]) == DUAL_ITERATIONS else 0.0)
        rows.append([f"{gamma:g}", paths[0][0], paths[0][-1], len(paths[0]), f"{falling} of {len(paths)}"])
    page.table("figure_6", ["gamma", "gap after the first iteration", "last gap shown", "iterations shown",
                            "co-clusters where it never rises"], rows)
    page.picture("figure_6", line_chart("Duality gap, first co-cluster", "iteration", "gap", lines, log_y=True))
    everywhere = all(row[4].split()[0] == row[4].split()[2] for row in rows)
    slower = all(a <= b for a, b in zip(at_end, at_end[1:]))
    page.points([
        f"The gap never rises over the first {DUAL_ITERATIONS} iterations: "
        f"{'holds' if everywhere else 'does not hold'}.",
        f"It falls more slowly for larger gamma (gap left after {DUAL_ITERATIONS} iterations): "
        f"{'holds' if slower else 'does not hold'}."])


def recorded(gaps):
    """The gaps up to the end of the run, after which there is NaN."""
    gaps = [float(gap) for gap in gaps]
    ends = [k for k, gap in enumerate(gaps) if gap != gap]
    return gaps[:ends[0]] if ends else gaps
