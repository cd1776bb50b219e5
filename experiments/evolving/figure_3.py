"""Figure 3: evolving against methods that see one age at a time, by `gingham compare`."""
from evolving.brains import Brain
from support.charts import line_chart
from support.statistics import decided, mean, spread, standard_error, verdict

SCORES = ("s_index", "nmi", "ari")
PAPER_ORDER = ("evolving", "ssvd", "spectral", "kmeans")  # best first
# One setting of a simulator proves little: the comparison is repeated under others.
OTHER_SETTINGS = ({"gain": 0.5}, {"background": 0.3}, {"weakest": 1, "drift": 0}, {"drift": 0.5})


def run(gingham, page, brains, sparsity):
    page.heading("Figure 3: S index at each age")
    variants = {"evolving": with_sparsity(sparsity),
                "evolving, no fusion": with_sparsity(sparsity) + ":column-fusion=0",
                "evolving, sparsity 10%": with_sparsity("10%"), **{name: name for name in PAPER_ORDER[1:]}}
    runs = gingham.each(lambda brain: found_by(gingham, brain, variants, "figure_3"), brains)
    for found, brain in zip(runs, brains):
        found["true regions"] = given(gingham, brain, brain.truth)
        found["one cluster"] = given(gingham, brain, brain.one_cluster)
    names = list(runs[0])
    at_age = {name: [[found[name]["s_index"][age] for found in runs] for age in brains[0].ages] for name in names}
    page.table("figure_3", ["method"] + [f"age {age}" for age in brains[0].ages],
               [[name] + [spread(values) for values in ages] for name, ages in at_age.items()])
    page.say("Means and standard deviations over the seeds; bars in the picture are standard errors.")
    page.picture("figure_3", line_chart(
        "S index at each age", "age", "S index",
        {name: [(age, mean(v), standard_error(v)) for age, v in enumerate(ages)]
         for name, ages in at_age.items() if name in variants}, x_names=[str(age) for age in brains[0].ages]))
    averages = {name: averages_of(runs, name) for name in names}
    page.table("averages", ["method", *SCORES, "clusters found", "largest cluster"],
               [[name] + [spread(values) for values in averages[name].values()] for name in names])
    page.say(f"All voxels in one cluster have an S index of {mean(averages['one cluster']['s_index']):.3f}: it does "
             "not punish clusters that are merged. So it is to be read together with NMI, ARI and the share of the "
             "voxels that the largest cluster holds.")
    pairs = list(zip(PAPER_ORDER, PAPER_ORDER[1:]))
    pairs += [("evolving", worse) for worse in ("spectral", "kmeans", "evolving, no fusion")]
    page.points(above(averages, at_age, better, worse) for better, worse in pairs)


def with_sparsity(sparsity):
    return f"evolving:row-sparsity={sparsity}:column-sparsity={sparsity}"


def found_by(gingham, brain, variants, name):
    """{variant: {score or property of the labels: a value per age}}"""
    rows = gingham.compare(brain.data, f"{name}_{brain.seed}", variants.values(), brain.truth, clusters=brain.clusters)
    found = {}
    for variant, row in zip(variants, rows):
        scores = {score: [row.get(f"{score}_{age}", row[score]) for age in brain.ages] for score in SCORES}
        fitted = row["fitted"]
        labels = ([fitted[0].labels(f"rows_{age}") for age in brain.ages] if len(fitted) < len(brain.ages)
                  else [one.labels("rows") for one in fitted])
        found[variant] = {**scores, **properties(labels)}
    return found


def given(gingham, brain, paths):
    """The same for files of labels."""
    each = [gingham.scores(path, [truth]) for path, truth in zip(paths, brain.truth)]
    return {**{score: [one[score] for one in each] for score in SCORES},
            **properties([path.read_text().split() for path in paths])}


def properties(labels):
    return {"clusters": [len(set(age)) for age in labels],
            "largest": [max(age.count(label) for label in set(age)) / len(age) for age in labels]}


def averages_of(runs, name):
    """{score: the average over the ages, per seed}"""
    return {score: [mean(found[name][score]) for found in runs] for score in runs[0][name]}


def differences(averages, better, worse, score):
    return [a - b for a, b in zip(averages[better][score], averages[worse][score])]


def above(averages, at_age, better, worse):
    parts = [f"{score} {verdict(differences(averages, better, worse, score))}" for score in ("s_index", "nmi")]
    ages = sum(mean(a) > mean(b) for a, b in zip(at_age[better], at_age[worse]))
    return f"{better} above {worse}: {'; '.join(parts)}; S index above at {ages} of {len(at_age[better])} ages."


def other_settings(gingham, page, seeds, sparsity, options):
    page.heading("Figure 3 under other settings of the simulator", 3)
    variants = {"evolving": with_sparsity(sparsity), **{name: name for name in PAPER_ORDER[1:]}}
    rows, texts = [], []
    for number, setting in enumerate(OTHER_SETTINGS):
        title = " ".join(f"--{name} {value}" for name, value in setting.items())
        name = f"other_{number}"
        brains = [Brain(gingham, seed, {**options, **setting}, f"{name}_brain") for seed in seeds]
        runs = gingham.each(lambda brain, name=name: found_by(gingham, brain, variants, name), brains)
        averages = {name: averages_of(runs, name) for name in variants}
        rows += [[title, name] + [spread(scores[which]) for which in ("s_index", "nmi", "largest")]
                 for name, scores in averages.items()]
        texts.append(against_best(title, averages))
    page.table("other_settings", ["setting", "method", "s_index", "nmi", "largest cluster"], rows)
    page.points(texts)


def against_best(title, averages):
    parts, better = [], set()
    for score in ("s_index", "nmi"):
        rival = max(PAPER_ORDER[1:], key=lambda name: mean(averages[name][score]))
        apart = differences(averages, "evolving", rival, score)
        parts.append(f"{score} (best: {rival}) {verdict(apart)}")
        better |= {mean(apart) > 0} if decided(apart) else set()
    text = f"{title}: evolving above the best of the others: {'; '.join(parts)}."
    if len(better) > 1:
        share = mean(averages["evolving"]["largest"])
        text += (f" The two disagree: evolving's largest cluster holds {share:.2f} of the voxels, which "
                 "the S index does not mind.")
    return text
