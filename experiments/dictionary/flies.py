"""Four real pictures of embryos: what their patches cost under dictionaries that have not seen them."""
import csv

import numpy

from dictionary.learning import FIXED, ONLINE, SCC, learn, objective_on
from support.statistics import mean

ATOMS, EPOCHS = 256, 20
METHODS = {"dictionary": (SCC, {}), "online-dictionary": (ONLINE, {}),
           "k-means centres": (SCC, dict(init="kmeans", **FIXED)), "random patches": (SCC, FIXED)}


def run(gingham, page, folder, others, atoms=ATOMS, epochs=EPOCHS):
    """`others`: samples to learn from instead of the three other pictures."""
    names = sorted(path.name for path in folder.glob("*.bmp"))
    features = gingham.work / "flies"
    gingham.run("features", *(folder / name for name in names), "-o", features, "--force", "--quiet")
    rows = numpy.load(features / "features.npy")
    with open(features / "patches.tsv", encoding="utf-8", newline="") as file:
        of = numpy.array([line["image"].rsplit("/", 1)[-1] for line in csv.DictReader(file, delimiter="\t")])
    page.say(f"{len(rows)} patches; {atoms} atoms, {epochs} epochs. Each picture is scored by the exact codes of its "
             "patches with a dictionary of the other three, and of as many samples of other kinds. Four pictures, one "
             "of them without terms, give nothing to learn terms from: this is about patches only.")
    foreign = {name: [(samples.title, samples.part(int((of != name).sum()))) for samples in others] for name in names}
    table = gingham.each(lambda name: one(gingham, name, rows[of == name], rows[of != name], foreign[name], atoms,
                                          epochs), names)
    titles = list(table[0])
    page.table("flies", ["picture", "patches", *titles],
               [[name, int((of == name).sum()), *row.values()] for name, row in zip(names, table)])
    page.points([f"{titles[0]} below {title} for {sum(row[titles[0]] < row[title] for row in table)} of {len(table)} "
                 f"pictures, {100 * (mean(row[title] / row[titles[0]] for row in table) - 1):.1f} % on average."
                 for title in titles[1:]])


def one(gingham, name, own, rest, foreign, atoms, epochs):
    """{title: objective}"""
    stem = name.rsplit(".", 1)[0]
    held_out, train = (gingham.work / f"flies_{stem}_{part}.npy" for part in ("own", "rest"))
    numpy.save(held_out, own)
    numpy.save(train, rest)
    found = {}
    sources = [(title, *made, train) for title, made in METHODS.items()]
    sources += [(f"dictionary of {kind}", SCC, {}, data) for kind, data in foreign]
    for title, method, options, data in sources:
        fitted = learn(gingham, method, data, f"flies_{stem}_{title.replace(' ', '_')}",
                       **{"atoms": atoms, "epochs": epochs, **options})
        found[title] = objective_on(gingham, fitted, held_out)
    return found
