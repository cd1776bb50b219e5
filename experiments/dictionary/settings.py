"""Figures 3 and 4: how many steps of coordinate descent, and which learning rate."""
import itertools

from dictionary.learning import SCC, first_atoms, learn, objective_on, percent_below, precise, seconds
from support.charts import line_chart
from support.statistics import mean, verdict

STEPS = (1, 3, 5, 7, 9)
BATCHES = (1, "auto")
RATES = ("adaptive", "adaptive:1", "paper")
DECADES = tuple(10.0 ** k for k in range(-3, 4))
EARLY = 2  # epochs after which speeds are compared


class Curves:
    """Held-out objectives and seconds of fits with 1, 2, ... epochs, each of its own: {(setting, seed): [...]}."""

    def __init__(self, gingham, samples, settings, seeds, atoms, epochs):
        self.seeds, self.epochs = seeds, epochs
        tasks = list(itertools.product(settings, seeds))
        self.found = dict(zip(tasks, gingham.each(lambda task: [
            scored(gingham, samples, task[1], atoms, n, task[1] == seeds[0] and n == epochs[-1], **settings[task[0]])
            for n in epochs], tasks)))

    def objectives(self, setting, epochs):
        """One per seed."""
        return [self.found[setting, seed][self.epochs.index(epochs)][0] for seed in self.seeds]

    def times(self, setting, epochs):
        return [self.found[setting, seed][self.epochs.index(epochs)][1] for seed in self.seeds]

    def line(self, setting):
        return [(n, mean(self.objectives(setting, n))) for n in self.epochs]


def scored(gingham, samples, seed, atoms, epochs, verified, by="held_out", **options):
    """(objective on samples apart, seconds)"""
    words = "_".join(str(value) for value in options.values())
    fitted = learn(gingham, SCC, samples.train, f"{samples.key}/{seed}_{atoms}_{epochs}_{words}", verified, seed=seed,
                   atoms=atoms, epochs=epochs, init=first_atoms(gingham, samples.train, atoms, seed), **options)
    return objective_on(gingham, fitted, getattr(samples, by)), seconds(fitted)


def figure_3(gingham, page, sets, seeds, atoms, epochs):
    page.say(f"{atoms} atoms, {len(seeds)} seeds (first atoms, order of the samples). Each point is a fit of its own "
             "with so many epochs, scored by the exact codes of held-out samples; seconds are of one thread, and "
             "include the last pass over all samples.")
    rows, claims, last = [], [], epochs[-1]
    for samples in sets:
        for batch in BATCHES:
            curves = Curves(gingham, samples, {k: dict(batch=batch, steps=k) for k in STEPS}, seeds, atoms, epochs)
            where = f"{samples.title}, batch {batch}"
            rows += [[samples.title, samples.n, batch, k, precise(curves.objectives(k, 1)),
                      precise(curves.objectives(k, last)), mean(curves.times(k, last)) / last] for k in STEPS]
            page.picture(f"figure_3_{samples.key}_{batch}", line_chart(
                where, "epochs", "held-out objective", {f"{k} steps": curves.line(k) for k in STEPS}))
            for few, many in ((1, 3), (3, 9)):
                lower = percent_below(curves.objectives(many, last), curves.objectives(few, last))
                claims.append(f"{where}: {many} steps end below {few}, in %: {verdict(lower)}.")
            times = [mean(curves.times(k, last)) for k in STEPS]
            claims.append(f"{where}: more steps take longer: 9 steps {times[-1] / times[0]:.2f} times as long as 1, "
                          f"3 steps {times[1] / times[0]:.2f} times.")
    page.table("figure_3", ["data", "samples", "batch", "steps", "held-out objective, 1 epoch", f"{last} epochs",
                            "seconds per epoch"], rows)
    page.points(claims)


def figure_4(gingham, page, sets, seeds, atoms, epochs, decades=DECADES):
    last = epochs[-1]
    page.say(f"{atoms} atoms, batch 1, scored as in Figure 3. natural: a / (t + b) with the best a and b of "
             f"{decades[0]:g} ... {decades[-1]:g}, {len(decades)} values each, by the objective after {last} epochs of "
             "one seed on samples that are in no table; of that search nothing is verified. `adaptive` forgets old "
             "curvatures, `adaptive:1` never; `paper` is the letter of the paper, without the guard of fresh atoms.")
    rows, claims = [], []
    for samples in sets:
        natural, at_edge = best_natural(gingham, samples, seeds[0] - 1, atoms, last, decades)
        settings = {rate: dict(batch=1, learning_rate=rate) for rate in (*RATES, natural)}
        curves = Curves(gingham, samples, settings, seeds, atoms, epochs)
        rows += [[samples.title, rate, precise(curves.objectives(rate, 1)), precise(curves.objectives(rate, EARLY)),
                  precise(curves.objectives(rate, last)), mean(curves.times(rate, last)) / last] for rate in settings]
        page.picture(f"figure_4_{samples.key}", line_chart(
            samples.title, "epochs", "held-out objective", {rate: curves.line(rate) for rate in settings}))
        for rate, n in itertools.product(RATES, (EARLY, last)):
            lower = percent_below(curves.objectives(rate, n), curves.objectives(natural, n))
            claims.append(f"{samples.title}: {rate} is below the best natural rate after {n} epochs, in %: "
                          f"{verdict(lower)}.")
        if at_edge:
            claims.append(f"{samples.title}: the best natural rate, {natural}, lies at the edge of what was searched.")
    page.table("figure_4", ["data", "learning rate", "held-out objective, 1 epoch", f"{EARLY} epochs",
                            f"{last} epochs", "seconds per epoch"], rows)
    page.points(claims)


def best_natural(gingham, samples, seed, atoms, epochs, decades):
    pairs = list(itertools.product(decades, decades))
    found = gingham.each(lambda pair: scored(
        gingham, samples, seed, atoms, epochs, False, by="choice", batch=1,
        learning_rate=f"natural:{pair[0]:g},{pair[1]:g}")[0], pairs)
    a, b = pairs[found.index(min(found))]
    edges = (decades[0], decades[-1])
    return f"natural:{a:g},{b:g}", a in edges or b in edges
