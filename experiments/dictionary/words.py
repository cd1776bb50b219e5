"""BDGP: real terms of 2500 groups of embryo pictures, from their visual words."""
import numpy

from dictionary.annotation import MEASURES, annotate
from dictionary.learning import FIXED, ONLINE, SCC, at_least, learn, transform
from support.statistics import spread, verdict

METHODS = {"dictionary": (SCC, {}), "online-dictionary": (ONLINE, {}),
           "k-means centres, not learned further": (SCC, dict(init="kmeans", **FIXED))}
RAW, GOAL = "the words themselves", 0.9
FOLDS = 2  # 1750 words and 1250 groups take liblinear a minute and more


def run(gingham, page, folder, seeds, atoms, epochs):
    page.say("Here the pictures are gone: what is left of a group of pictures is how often each of 1750 visual "
             "words occurs in it. So this is not Figure 5, which needs patches, but its last step on real terms: a "
             f"dictionary of {atoms} atoms from a random half of the groups, and the terms of the other half learned "
             f"from their exact codes (|z|), {FOLDS} folds; {len(seeds)} halves. `bdgp_annotations` has terms without "
             "any picture and serves nothing here.")
    with numpy.load(folder / "bdgp.npz") as file:
        visual, terms = file["visual"].astype(float), file["text"]
    found = gingham.each(lambda seed: one(gingham, visual, terms, seed, atoms, epochs), seeds)
    page.table("bdgp", ["features", *MEASURES], [
        [title, *(spread([run[title][measure] for run in found]) for measure in MEASURES)] for title in found[0]])
    aucs = {title: [run[title]["auc"] for run in found] for title in found[0]}
    page.points([f"{title}: AUC of at least {GOAL}: {at_least(values, GOAL)}." for title, values in aucs.items()]
                + [f"dictionary above {title}: {verdict([a - b for a, b in zip(aucs['dictionary'], values)])}."
                   for title, values in aucs.items() if title != "dictionary"])


def one(gingham, visual, terms, seed, atoms, epochs):
    """{title: measures}"""
    order = numpy.random.default_rng([seed, 8]).permutation(len(visual))
    half = len(order) // 2
    train, apart = (gingham.work / f"bdgp_{seed}_{part}.npy" for part in ("train", "apart"))
    numpy.save(train, visual[order[:half]])
    numpy.save(apart, visual[order[half:]])
    terms = terms[order[half:]]
    found = {RAW: annotate(gingham, pooled(gingham, f"bdgp_{seed}_raw", visual[order[half:]], terms),
                           f"bdgp_{seed}_raw_scores", seed, FOLDS)}
    for title, (method, options) in METHODS.items():
        name = f"bdgp_{seed}_{method}{'_kmeans' if options else ''}"
        fitted = learn(gingham, method, train, name, **{"seed": seed, "atoms": atoms, "epochs": epochs, **options})
        codes = dense(transform(gingham, fitted, apart, f"{name}_codes") / "codes.npz")
        found[title] = annotate(gingham, pooled(gingham, f"{name}_pooled", numpy.abs(codes), terms),
                                f"{name}_scores", seed, FOLDS)
    return found


def pooled(gingham, name, rows, terms):
    """A folder as `gingham pool` makes it, of one vector per bag."""
    folder = gingham.work / name
    folder.mkdir(exist_ok=True)
    numpy.save(folder / "pooled.npy", rows)
    lines = [f"group_{i}\t{','.join(f'term_{k}' for k in numpy.flatnonzero(row))}\n" for i, row in enumerate(terms)]
    (folder / "terms.tsv").write_text("bag\tterms\n" + "".join(lines))
    (folder / "bags.txt").write_text("".join(f"group_{i}\n" for i in range(len(terms))))
    (folder / "pool.json").write_text("{}\n")
    return folder


def dense(path):
    """A sparse matrix as the program writes it."""
    with numpy.load(path) as file:
        matrix = numpy.zeros(file["shape"])
        rows = numpy.repeat(numpy.arange(len(matrix)), numpy.diff(file["indptr"]))
        matrix[rows, file["indices"]] = file["data"]
    return matrix
