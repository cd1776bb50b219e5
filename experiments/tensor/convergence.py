"""Figures 8 and 9: how many iterations, against lambda and against the number of co-clusters."""
from support.charts import line_chart
from support.statistics import holds, mean
from tensor.arrays import fit_trace, iterations_to, penalties_used

SEARCHES = ("none", "grid", "backtracking", "polynomial", "majorize")
LONG = dict(restarts=1, prune=0)


class Source:
    """Files that are taken alike: an iteration count is the mean over them."""

    def __init__(self, title, paths, clusters, penalties, fixed):
        self.title, self.paths, self.clusters = title, paths, clusters
        self.penalties, self.fixed = penalties, fixed
        self.key = title.replace(" ", "_").replace("'", "")

    def fits(self, gingham, name, **options):
        return [gingham.fit("tensor", [path], f"{self.key}_{k}_{name}".replace("%", "p"), **options)
                for k, path in enumerate(self.paths)]


def figure_8(gingham, page, sources, most):
    page.heading("Figure 8: iterations to 1e-8 against lambda")
    rows, lines, texts = [], {}, []
    for source in sources:
        def one(value, source=source):
            both = [source.fits(gingham, f"figure8_{value}_{balance}", clusters=source.clusters, sparsity=value,
                                balance=balance, line_search="none", tolerance=1e-8, max_iterations=most, **LONG)
                    for balance in ("yes", "no")]
            used = mean(mean(penalties_used(fitted)) for fitted in both[0])
            members = mean(sum(sum(part["size"].values()) for part in fitted.json["components"]) for fitted in both[0])
            return [used, *(mean(iterations_to(fitted, 1e-8) for fitted in fits) for fits in both), members]
        found = gingham.each(one, source.penalties)
        rows += [[source.title, value, *cells] for value, cells in zip(source.penalties, found)]
        for k, title in ((1, ""), (2, ", not balanced")):
            chart = lines.setdefault("figure_8_shares" if "%" in source.fixed else "figure_8", {})
            chart[source.title + title] = [(cells[0], cells[k]) for cells in found]
            counts = [cells[k] for cells in found]
            falls = sum(b <= a for a, b in zip(counts, counts[1:]))
            texts.append(f"{source.title}{title}: fewer iterations with a larger lambda in {falls} of "
                         f"{len(counts) - 1} steps; from {counts[0]:.0f} to {counts[-1]:.0f}: "
                         f"{holds(counts[-1] < counts[0])}.")
    page.table("figure_8", ["data", "lambda", "lambda used", "iterations", "not balanced", "members"], rows)
    page.say(f"K: {', '.join(f'{source.title} {source.clusters}' for source in sources)}. No line search; at most "
             f"{most} iterations were allowed. Members: over all co-clusters and modes, balanced.")
    for name, shown in lines.items():
        page.picture(name, line_chart("Iterations to 1e-8", "lambda", "iterations", shown, log_x=True, log_y=True))
    page.points(texts)


def figure_9(gingham, page, sources, clusters, most):
    page.heading("Figure 9: line searches, iterations to 1e-10")
    rows, texts = [], []
    for source in sources:
        tasks = [(count, search, balance) for balance in ("no", "yes") for count in clusters for search in SEARCHES]

        def one(task, source=source):
            count, search, balance = task
            fits = source.fits(gingham, f"figure9_{count}_{search}_{balance}", clusters=count, sparsity=source.fixed,
                               line_search=search, balance=balance, tolerance=1e-9, max_iterations=most, **LONG)
            return [mean(iterations_to(fitted, 1e-10) for fitted in fits),
                    mean(fitted.json["seconds"]["fit"] for fitted in fits),
                    mean(fitted.json["objective"] for fitted in fits),
                    sum(len(fit_trace(fitted)) >= most for fitted in fits)]

        found = dict(zip(tasks, gingham.each(one, tasks)))
        for balance, title in (("no", "not balanced"), ("yes", "balanced")):
            for count in clusters:
                rows.append([source.title, title, count]
                            + [found[count, search, balance][0] for search in SEARCHES]
                            + [found[count, search, balance][1] for search in SEARCHES])
            totals = {search: [sum(found[count, search, balance][k] for count in clusters) for k in (0, 1)]
                      for search in SEARCHES}
            texts.append(f"{source.title}, {title}, iterations over all K (seconds): "
                         + ", ".join(f"{search} {count:.0f} ({seconds:.2f})" for search, (count, seconds)
                                     in totals.items())
                         + f"; every search needs fewer than none: "
                         + f"{holds(all(totals[s][0] < totals['none'][0] for s in SEARCHES[1:]))}.")
        page.picture(f"figure_9_{source.key}", line_chart(
            f"{source.title}, lambda {source.fixed}, not balanced: iterations to 1e-10", "K", "iterations",
            {search: [(count, found[count, search, "no"][0]) for count in clusters] for search in SEARCHES}))
    page.table("figure_9", ["data", "", "K", *SEARCHES, *(f"{search}, s" for search in SEARCHES)], rows)
    page.say(f"At most {most} iterations. Line searches can end at other minima: a count is that of the run as it "
             "went.")
    page.points(texts)
