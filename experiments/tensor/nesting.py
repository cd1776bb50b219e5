"""Whether the co-clusters of K are among those of K + 1."""
from support.charts import line_chart
from support.statistics import mean, standard_error, verdict
from tensor.arrays import Planted, cosines, weights

SIZES = dict(size="60,60,10", clusters=5, block="6,6,4", overlap=0.2)
FLAT = dict(size="60,60", clusters=5, block="6,6", overlap=0.2)
CASES = {"three-way, non-negative": (SIZES, {}),
         "three-way, mixed signs": (dict(signed=True, **SIZES), dict(signed=True)),
         "two-way, non-negative": (FLAT, {}), "two-way, signed model": (FLAT, dict(signed=True)),
         "two-way, mixed signs": (dict(signed=True, **FLAT), dict(signed=True))}


def kept(fits):
    """Per step from K to K + 1 the mean of the best cosine of each co-cluster with one of the K + 1; those that lambda
    has emptied are left out."""
    best = [cosines(one, other).max(axis=1)[weights(one) > 0] for one, other in zip(fits, fits[1:])]
    return [float(values.mean()) for values in best if len(values)]


def run(gingham, page, seeds, penalties, most):
    page.heading("Nesting against lambda")
    values = {}
    for number, (title, (data, options)) in enumerate(CASES.items()):
        tasks = [(value, seed) for value in penalties for seed in seeds]

        def one(task, number=number, data=data, options=options):
            value, seed = task
            planted = Planted(gingham, f"nesting{number}_{value}", seed, **data)
            return mean(kept([planted.fit(gingham, f"K{k}", clusters=k, sparsity=value, prune=0, **options)
                              for k in range(1, most + 1)]))

        found = dict(zip(tasks, gingham.each(one, tasks)))
        values[title] = {value: [found[value, seed] for seed in seeds] for value in penalties}
    page.table("nesting", ["data and model", *(f"lambda {value:g}" for value in penalties)],
               [[title, *(f"{mean(found[value]):.3f}" for value in penalties)] for title, found in values.items()])
    page.say(f"K = 1 to {most} on arrays with five blocks that overlap, not pruned; 1 is perfectly nested: the mean "
             "cosine of each co-cluster with its nearest of the next model. lambda 0 is PARAFAC in the box.")
    page.picture("nesting", line_chart("Nesting", "lambda", "mean best cosine", {
        title: [(value, mean(found[value]), standard_error(found[value])) for value in penalties]
        for title, found in values.items()}))
    page.points(f"{title}: more nested than at 0 at lambda {value:g}: "
                f"{verdict([b - a for a, b in zip(found[0], found[value])])}."
                for title, found in values.items() for value in penalties[1:])
