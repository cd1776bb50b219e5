"""Claims 1 to 3: model (9), without the box, balances the norms over the modes, and slowly."""
import numpy

from support.charts import line_chart
from support.statistics import holds, mean, spread
from tensor.arrays import Planted, factors, fit_trace, iterations_to, model, penalties_used

CLOSE = 1e-2
HOW = {"plain": dict(model="plain", balance="no"), "plain, balanced": dict(model="plain"), "box": dict(balance="no"),
       "box, balanced": {}}
LONG = dict(restarts=1, prune=0, tolerance=1e-10, line_search="none")
CASES = {"Claim 1, two-way": ("flat", ("80,80", "160,40", "20,320")),
         "Claim 3, three-way": ("paper", ("12,12,12", "6,12,24", "48,6,6"))}


def run(gingham, page, seeds, most):
    page.heading("Claims 1 to 3: the norms balance in the model without the box")
    rows, texts, first = [], [], {}
    for claim, (kind, penalties) in CASES.items():
        def one(seed, kind=kind, penalties=penalties):
            planted = Planted(gingham, kind, seed, **({"flatten": True} if kind == "flat" else {}))
            return {value: {how: planted.fit(gingham, f"{how} {value}", clusters=3, sparsity=value, max_iterations=most,
                                             **LONG, **options) for how, options in HOW.items()} for value in penalties}
        runs = gingham.each(one, seeds)
        first[claim] = runs[0]
        for value in penalties:
            fits = [run[value] for run in runs]
            rows.append([claim, value, max(uneven(fit["plain"]) for fit in fits)]
                        + [spread([iterations_to(fit[how], 1e-8) for fit in fits]) for how in HOW]
                        + [mean(at_limit(fit["box, balanced"]) for fit in fits)])
        texts.append(f"{claim}: lambda_n |a_n|_1 is equal over the modes (within {CLOSE:.0%}): "
                     f"{holds(max(row[2] for row in rows if row[0] == claim) <= CLOSE)}.")
        texts.append(same_product(claim, runs, penalties))
    page.table("plain", ["claim", "lambda", "plain: largest unevenness", *(f"{how}: iterations to 1e-8" for how in HOW),
                         "box, balanced: share of columns at 1"], rows)
    page.say("Unevenness: (largest - smallest) / largest of lambda_n |a_n|_1 over the modes, of each component, where "
             "descent alone has brought it (no balancing). The box model is the plain model of a / rho_max^(1/N) "
             "wherever no entry reaches 1: there its norms balance as well, and only the product of the lambdas "
             "counts.")
    page.points(texts)
    picture(page, first)


def uneven(fitted):
    sums = numpy.array([value * numpy.abs(a).sum(axis=0)
                        for value, a in zip(penalties_used(fitted), factors(fitted))])
    alive = sums.max(axis=0) > 0
    return float(((sums.max(axis=0) - sums.min(axis=0)) / numpy.where(alive, sums.max(axis=0), 1.0)).max())


def at_limit(fitted):
    """The share of the columns of the factors whose largest entry is 1."""
    tops = numpy.concatenate([numpy.abs(a).max(axis=0) for a in factors(fitted)])
    return float((tops >= 1 - 1e-9).mean())


def same_product(claim, runs, penalties):
    """Claim 2: with the same product of the lambdas, the same fit."""
    objectives, models = [], []
    for run in runs:
        fits = [run[value]["plain"] for value in penalties]
        objectives += [abs(fit.json["objective"] / fits[0].json["objective"] - 1) for fit in fits[1:]]
        whole = model(fits[0])
        models += [numpy.linalg.norm(model(fit) - whole) / numpy.linalg.norm(whole) for fit in fits[1:]]
    return (f"{claim.split(',')[1].strip()}, Claim 2, only the product of the lambdas counts: the objectives differ by "
            f"{max(objectives):.1e}, the models by {max(models):.1e} at most.")


def picture(page, first):
    fits = first["Claim 3, three-way"]["6,12,24"]
    lines = {}
    for title, fitted in fits.items():
        trace = fit_trace(fitted)
        lines[title] = [(k + 1, value / trace[-1] - 1) for k, value in enumerate(trace[:-1])]
    page.picture("plain", line_chart("Objective above its end, lambda 6,12,24, first seed", "iteration", "relative",
                                     lines, log_x=True, log_y=True))
