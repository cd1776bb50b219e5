"""Figure 5: terms of bags of pictures, from max-pooled codes."""
import json
import shutil

import numpy

from dictionary.descriptors import EMBRYOS_TO_LEARN_FROM, patches
from dictionary.learning import FIXED, ONLINE, SCC, at_least, learn, transform
from support.charts import line_chart
from support.statistics import mean, spread, standard_error, verdict

MEASURES = ("accuracy", "auc", "sensitivity", "specificity")
KMEANS, RAW, SAME_BAGS = "k-means centres, not learned further", "no codes", "dictionary, from the annotated bags"
LEARNERS = {"dictionary": (SCC, {}), "online-dictionary": (ONLINE, {}), KMEANS: (SCC, dict(init="kmeans", **FIXED))}
GOAL = 0.9
CODED_WITH_STEPS = 1000  # samples of a fit that only serves to code with a given dictionary


def run(gingham, page, seeds, sizes, most, epochs, pictures):
    page.say("`gingham simulate embryos`, `features`, a dictionary, `transform --set coding=steps`, `pool` (the "
             "largest |z| of a bag), `annotate` (5 folds, C chosen within the training folds); mean over the ten most "
             f"frequent terms, weighted by their bags; {len(seeds)} seeds. A dictionary is learned from {most} patches "
             f"of further genes ({pictures.get('bags', EMBRYOS_TO_LEARN_FROM)}): no bag that is scored, in training or "
             "in test folds, has a patch in it. "
             f"`{SAME_BAGS}`: as in the paper, from patches of the bags that are scored, test folds included, though "
             f"without their terms. {KMEANS}: the centres of k-means on the same patches. {RAW}: the SIFT numbers "
             "themselves, max-pooled. All dictionaries are coded with in the same way.")
    found = gingham.each(lambda seed: one_seed(gingham, seed, sizes, most, epochs, pictures, seed == seeds[0]), seeds)
    table(page, found)
    page.points(claims(found, sizes))
    page.picture("figure_5", line_chart("Area under the curve", "atoms", "AUC", {
        title: [(atoms, *middle([run[title, atoms]["auc"] for run in found])) for atoms in sizes]
        for title in LEARNERS}))


def middle(values):
    return mean(values), standard_error(values)


def one_seed(gingham, seed, sizes, most, epochs, pictures, verified):
    """{(learner, atoms): measures}"""
    place = f"figure_5_{seed}"
    (gingham.work / place).mkdir(exist_ok=True)
    bags = patches(gingham, f"{place}/bags", seed, 200, pictures)
    others = patches(gingham, f"{place}/others", seed + 500000, EMBRYOS_TO_LEARN_FROM, pictures)
    train, own = (drawn(gingham, folder, most, seed) for folder in (others, bags))
    found = {(RAW, 0): scores(gingham, bags, bags / "features.npy", f"{place}/raw", seed)}
    tasks = [(title, atoms, train) for title in LEARNERS for atoms in sizes]
    tasks.append((SAME_BAGS, sizes[len(sizes) // 2], own))
    for title, atoms, data in tasks:
        method, options = LEARNERS.get(title, (SCC, {}))
        name = f"{place}/{title.replace(' ', '_').replace(',', '')}_{atoms}"
        fitted = learn(gingham, method, data, name, verified,
                       **{"seed": seed, "atoms": atoms, "epochs": epochs, **options})
        codes = transform(gingham, coder(gingham, method, fitted, data, atoms), bags / "features.npy", f"{name}_codes",
                          "steps")
        found[title, atoms] = scores(gingham, bags, codes, name, seed)
        shutil.rmtree(codes)
    for folder in (bags, others):
        shutil.rmtree(folder)
        shutil.rmtree(folder.with_name(folder.name + "_pictures"))
    return found


def drawn(gingham, folder, most, seed):
    """A file with random patches."""
    rows = numpy.load(folder / "features.npy", mmap_mode="r")
    chosen = numpy.random.default_rng([seed, 6]).permutation(len(rows))[:most]
    path = folder.with_name(f"{folder.name}_drawn.npy")
    numpy.save(path, rows[numpy.sort(chosen)])
    return path


def coder(gingham, method, fitted, data, atoms):
    """A result whose codes are found by steps, with the same dictionary."""
    if method == SCC:
        return fitted
    few = fitted.folder.with_name(f"{fitted.folder.name}_few.npy")
    numpy.save(few, numpy.load(data, mmap_mode="r")[:CODED_WITH_STEPS])
    name = f"{fitted.folder.relative_to(gingham.work)}_coder"
    return learn(gingham, SCC, few, name, False, atoms=atoms, init=fitted.folder / "dictionary.npy", **FIXED)


def scores(gingham, features, codes, name, seed):
    pooled = gingham.work / f"{name}_pooled"
    gingham.run("pool", features, codes, "-o", pooled, "--force", "--quiet")
    return annotate(gingham, pooled, f"{name}_scores", seed)


def annotate(gingham, pooled, name, seed, folds=5):
    folder = gingham.work / name
    gingham.run("annotate", pooled, "-o", folder, "--force", "--quiet", "--threads", 1, "--seed", seed, "--folds",
                folds)
    found = json.loads((folder / "annotate.json").read_text())["weighted_mean"]
    return {measure: found[measure] for measure in MEASURES}


def table(page, found):
    page.table("figure_5", ["features", "atoms", *MEASURES], [
        [title, atoms or "", *(spread([run[title, atoms][measure] for run in found]) for measure in MEASURES)]
        for title, atoms in found[0]])


def claims(found, sizes):
    def auc(title, atoms):
        return [run[title, atoms]["auc"] for run in found]

    def above(one, other):
        return verdict([a - b for a, b in zip(auc(*one), auc(*other))])

    texts, scc = [], "dictionary"
    for atoms in sizes:
        texts += [f"{scc}, {atoms} atoms: AUC of at least {GOAL}: {at_least(auc(scc, atoms), GOAL)}.",
                  f"{scc}, {atoms} atoms, above no codes: {above((scc, atoms), (RAW, 0))}.",
                  f"{scc}, {atoms} atoms, above the k-means centres: {above((scc, atoms), (KMEANS, atoms))}.",
                  f"{scc}, {atoms} atoms, above online-dictionary: "
                  f"{above((scc, atoms), ('online-dictionary', atoms))}."]
    texts += [f"{title}: {sizes[-1]} atoms above {sizes[0]}: {above((title, sizes[-1]), (title, sizes[0]))}."
              for title in LEARNERS]
    own = next(atoms for title, atoms in found[0] if title == SAME_BAGS)
    texts.append(f"{own} atoms learned from the annotated bags above those of other bags: "
                 f"{above((SAME_BAGS, own), (scc, own))}.")
    return texts
