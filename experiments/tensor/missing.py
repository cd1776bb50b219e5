"""Figure 10: how near the model comes to that of all entries when some are missing."""
import math

import numpy

from support.charts import line_chart
from support.statistics import holds, mean, standard_error
from tensor.arrays import model

TEN = 10.0  # dB


def figure_10(gingham, page, sources, clusters, n_draws):
    """`sources`: {title: (array, shares, options)}"""
    page.heading("Figure 10: RSE^-1 in dB against the share of missing entries")
    rows, texts = [], []
    for title, (array, shares, options) in sources.items():
        key = title.replace(" ", "_").replace("'", "")
        full = gingham.work / f"full_{key}.npy"
        numpy.save(full, array)
        whole = dict(zip(clusters, gingham.each(
            lambda count: model(gingham.fit("tensor", [full], f"full_{key}_{count}", clusters=count, **options)),
            clusters)))

        def one(task, array=array, key=key, options=options, whole=whole):
            share, draw = task
            path = gingham.work / f"holes_{key}_{share}_{draw}.npy"
            holes = numpy.random.default_rng([draw, int(1000 * share)]).random(array.shape) < share
            numpy.save(path, numpy.where(holes, numpy.nan, array))
            found = [decibels(whole[count], model(gingham.fit("tensor", [path], f"holes_{key}_{share}_{draw}_{count}",
                                                              clusters=count, **options))) for count in clusters]
            path.unlink()
            return found

        tasks = [(share, draw) for share in shares for draw in range(n_draws)]
        found = dict(zip(tasks, gingham.each(one, tasks)))
        values = {(share, count): [found[share, draw][k] for draw in range(n_draws)]
                  for share in shares for k, count in enumerate(clusters)}
        rows += [[title, share, *(f"{mean(values[share, count]):.1f} ({min(values[share, count]):.1f})"
                                  for count in clusters)] for share in shares]
        page.picture(f"figure_10_{key}", line_chart(
            f"{title}: RSE^-1, mean of {n_draws} draws", "share missing", "dB",
            {f"K = {count}": [(share, mean(values[share, count]), standard_error(values[share, count]))
                              for share in shares] for count in clusters}))
        half = {count: mean(values[0.5, count]) for count in clusters}
        texts.append(f"{title}: at least {TEN:.0f} dB at half the entries missing: "
                     + ", ".join(f"K = {count} {value:.1f} dB ({holds(value >= TEN)}; "
                                 f"{sum(x >= TEN for x in values[0.5, count])} of {n_draws} draws)"
                                 for count, value in half.items())
                     + f"; lower K is better: {holds(list(half.values()) == sorted(half.values(), reverse=True))}.")
    page.say("Every entry, zero or not, is missing with that probability. Full and partial data are fitted with the "
             "same options: "
             + "; ".join(f"{title} {', '.join(f'{name} {value}' for name, value in options.items())}"
                         for title, (_, _, options) in sources.items()) + ".")
    page.table("figure_10", ["data", "missing", *(f"K = {count}, mean (lowest)" for count in clusters)], rows)
    page.points(texts)


def decibels(full, part):
    size = float((full ** 2).sum())
    error = float(((full - part) ** 2).sum())
    if size == 0.0:
        return float("nan")
    return -10.0 * math.log10(max(error / size, 1e-12))
