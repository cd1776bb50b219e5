"""What the issue asks for beyond the paper: other noise, balancing, storage, more modes."""
import numpy

from support.statistics import holds, mean, spread
from tensor.arrays import Planted, factors, iterations_to, penalties_used, weights

NOISE = {"the paper's": {}, "dense, sd 0.5": dict(noise="dense", noise_level=0.5), "dense, sd 1": dict(noise="dense"),
         "Poisson": dict(noise="poisson"), "20 outliers of 10": dict(noise="outliers", outlier_size=10),
         "20 outliers of 20": dict(noise="outliers")}
MANY_MODES = {"4 modes": dict(size="20,18,12,8", block="5,5,4,3", clusters=3, overlap=0.2),
              "5 modes": dict(size="14,12,10,8,6", block="4,4,3,3,3", clusters=3, overlap=0.2)}
SAME = 1e-10


def run(gingham, page, seeds):
    noise(gingham, page, seeds)
    balancing(gingham, page, seeds)
    storage(gingham, page, seeds[:5])
    modes(gingham, page, seeds[:10])


def noise(gingham, page, seeds):
    page.heading("`auto` on other noise")
    rows = []
    for number, (title, options) in enumerate(NOISE.items()):
        def one(seed, number=number, options=options):
            planted = Planted(gingham, f"noise{number}", seed, **options)
            found = {name: planted.fit(gingham, name, clusters=3, **how)
                     for name, how in (("auto", {}), ("auto not pruned", dict(prune=0)), ("12", dict(sparsity=12)))}
            return {name: (*planted.scores(gingham, fitted), *penalties_used(fitted)) for name, fitted in found.items()}
        found = gingham.each(one, seeds)
        for name in found[0]:
            planted, everything = ([run[name][k] for run in found] for k in (0, 1))
            used = [mean(run[name][k] for run in found) for k in range(2, len(found[0][name]))]
            rows.append([title, name, spread(planted), min(planted), spread(everything), min(everything),
                         ", ".join(f"{value:.1f}" for value in used)])
    page.table("noise", ["noise", "lambda", "planted cells right", "lowest", "all cells right", "lowest",
                         "mean lambda used"], rows)


def balancing(gingham, page, seeds):
    page.heading("Balancing")
    rows, texts = [], []
    for value in (12, 20):
        def one(seed, value=value):
            planted = Planted(gingham, "paper", seed)
            return [planted.fit(gingham, f"balance {balance} {value}", clusters=3, sparsity=value, balance=balance,
                                prune=0, line_search="none", restarts=1, tolerance=1e-9, max_iterations=3000)
                    for balance in ("yes", "no")]
        pairs = gingham.each(one, seeds)
        for k, title in enumerate(("balanced", "not balanced")):
            rows.append([value, title] + [spread([iterations_to(pair[k], change) for pair in pairs])
                                          for change in (1e-8, 1e-10)])
        apart = max(abs(a.json["objective"] / b.json["objective"] - 1) for a, b in pairs)
        texts.append(f"lambda {value}: from the same start the two end at objectives that differ by {apart:.1e} of "
                     "their size at most.")
    page.table("balancing", ["lambda", "", "iterations to 1e-8", "iterations to 1e-10"], rows)
    page.say("Without line search.")
    page.points(texts)


def storage(gingham, page, seeds):
    page.heading("Dense and sparse storage; a third mode of size 1")

    def one(seed):
        dense, sparse = Planted(gingham, "paper", seed), Planted(gingham, "sparse", seed, sparse=True)
        a, b = (planted.fit(gingham, "storage", clusters=3, sparsity=12, tolerance=1e-12)
                for planted in (dense, sparse))
        flat = Planted(gingham, "flat", seed, flatten=True)
        deep = gingham.work / f"deep_{seed}.npy"
        numpy.save(deep, numpy.load(flat.data)[:, :, None])
        c = flat.fit(gingham, "matrix", clusters=3, sparsity=80, tolerance=1e-12)
        d = gingham.fit("tensor", [deep], f"deep_fit_{seed}", clusters=3, sparsity=80, tolerance=1e-12)
        return apart(a, b), apart(c, d)

    both = gingham.each(one, seeds)
    page.say("To a gap of 1e-12: several restarts reach the same minimum, and which of them is lowest by a last digit "
             "is a matter of rounding, so that results are alike only as far as they are converged.")
    page.points([f"Dense against sparse: objective, factors and weights differ by {max(x for x, _ in both):.1e} at "
                 f"most; 1e-10 {holds(max(x for x, _ in both) <= SAME)}.",
                 f"Matrix against the same with a third mode of size 1: objectives and models differ by "
                 f"{max(y for _, y in both):.1e} at most; 1e-10 {holds(max(y for _, y in both) <= SAME)}."])


def apart(one, other):
    """Largest difference of objective, weights and the factors of the modes that both have."""
    differences = [abs(one.json["objective"] / other.json["objective"] - 1)]
    differences.append(numpy.abs(weights(one) - weights(other)).max() / weights(one).max())
    differences += [numpy.abs(a - b).max() for a, b in zip(factors(one), factors(other))]
    return float(max(differences))


def modes(gingham, page, seeds):
    page.heading("Four and five modes")
    rows = []
    for title, options in MANY_MODES.items():
        def one(seed, title=title, options=options):
            planted = Planted(gingham, title.replace(" ", "_"), seed, **options)
            return planted.scores(gingham, planted.fit(gingham, "auto", clusters=options["clusters"]))
        found = gingham.each(one, seeds)
        rows.append([title, options["size"], spread([p for p, _ in found]), spread([a for _, a in found])])
    page.table("modes", ["", "size", "planted cells right", "all cells right"], rows)
    page.say("`--sparsity auto`, three blocks that share a fifth of their items in every mode.")
