"""Figure 4: the objective against time, vector blocks and matrix blocks; and how far from optimal results are."""
import numpy

from groupnmf.fits import fit
from groupnmf.sparse import read
from support.charts import line_chart
from support.statistics import holds, mean

SOLVERS = ("vector", "matrix")
NORMS = ("inf", "2")
POINTS = 40
GOALS = (0.01, 0.001)


class Problem:
    """A matrix with groups, as the program reads it."""

    def __init__(self, title, data, groups, rank, **options):
        self.title, self.data, self.groups, self.rank, self.options = title, data, groups, rank, options
        self.key = title.replace(" ", "_").replace(",", "")

    def fit(self, gingham, name, **options):
        return fit(gingham, "groupnmf", self.data, f"{self.key}_{name}", groups=self.groups, rank=self.rank,
                   **self.options, **options)

    def nothing(self):
        """The objective of W = 0, H = 0: half the sum of squares of the data."""
        values = numpy.load(self.data) if self.data.suffix == ".npy" else read(self.data).values
        return 0.5 * float((values ** 2).sum())


def figure_4(gingham, page, problems, starts, most):
    page.say(f"{starts} random starts, the same for both, at most {most} iterations, one thread each, beta as by "
             "default. The objective is divided by that of the model without components, 1/2 |X|^2; seconds are those "
             "of the fit, the start included, files not. From one start the two may end in different minima: the "
             "goal is the worse of their two ends, or above it by a share of what it lies below 1/2 |X|^2. Runs that "
             "have ended keep their last value; a curve begins where all its starts have done an iteration.")
    rows = []
    for problem in problems:
        unit = problem.nothing()
        for norm in NORMS:
            tasks = [(seed, solver) for seed in range(starts) for solver in SOLVERS]
            curves = dict(zip(tasks, gingham.each(
                lambda task, problem=problem, norm=norm: curve(problem.fit(
                    gingham, f"{task[1]}_{norm}_{task[0]}", solver=task[1], norm=norm, start="random", restarts=1,
                    seed=task[0], threads=1, max_iterations=most)), tasks)))
            found = {solver: [curves[seed, solver] for seed in range(starts)] for solver in SOLVERS}
            rows += compare(page, problem, norm, found, unit)
    page.table("figure_4", ["data", "q", "solver", "objective at the end", "iterations", "seconds to the end",
                            "seconds to within 1 % of the goal", "seconds to within 0.1 %"], rows)
    for share, column in (("1 %", 6), ("0.1 %", 7)):
        wins = sum(first[column] < second[column] for first, second in zip(rows[::2], rows[1::2]))
        page.say(f"`vector` comes to within {share} of the goal sooner than `matrix`: "
                 f"{holds(wins == len(rows) // 2)} ({wins} of {len(rows) // 2}).")


def curve(fitted):
    """[(seconds, objective), ...]"""
    return [(row["seconds"], row["objective"]) for row in fitted.json["trace"]]


def at(line, seconds):
    times, values = zip(*line)
    return float(numpy.interp(seconds, times, values))


def compare(page, problem, norm, found, unit):
    """Curves and times are averaged over the starts."""
    last = max(line[-1][0] for lines in found.values() for line in lines)
    first = min(line[0][0] for lines in found.values() for line in lines)
    times = numpy.geomspace(max(first, 1e-4), max(last, 2e-4), POINTS)
    shown = {solver: [(t, mean(at(line, t) / unit for line in lines)) for t in times
                      if t >= max(line[0][0] for line in lines)]
             for solver, lines in found.items()}
    page.picture(f"figure_4_{problem.key}_{norm}", line_chart(
        f"{problem.title}, q = {norm}", "seconds", "objective / (1/2 |X|^2)", shown, log_x=True))
    goals = [max(lines[k][-1][1] for lines in found.values()) for k in range(len(found[SOLVERS[0]]))]
    return [[problem.title, norm, solver, mean(line[-1][1] / unit for line in lines),
             mean(len(line) for line in lines), mean(line[-1][0] for line in lines),
             *(mean(time_to(line, goal + share * (unit - goal)) for line, goal in zip(lines, goals))
               for share in GOALS)]
            for solver, lines in found.items()]


def time_to(line, goal):
    """Seconds until the objective is at most `goal`; infinity where it never is."""
    return next((seconds for seconds, objective in line if objective <= goal), float("inf"))


def optimality(gingham, page, problems, most):
    page.say(f"`--tolerance 1e-6`, at most {most} iterations. A gap is the distance of all blocks from their own best, "
             "everything else fixed, weighted with the curvature and relative to |X|.")
    tasks = [(problem, solver, norm) for problem in problems for solver in SOLVERS for norm in NORMS]
    rows = gingham.each(lambda task: optimality_row(gingham, *task, most), tasks)
    page.table("optimality",
               ["data", "solver", "q", "status", "iterations", "largest gap", "objective", "seconds"], rows)
    converged = [row for row in rows if row[3] == "converged"]
    page.say(f"{len(converged)} of {len(rows)} converged; none of these has a gap above 1e-6: "
             f"{holds(all(row[5] <= 1e-6 for row in converged))}.")


def optimality_row(gingham, problem, solver, norm, most):
    fitted = problem.fit(gingham, f"optimal_{solver}_{norm}", solver=solver, norm=norm, restarts=1, tolerance=1e-6,
                         max_iterations=most)
    return [problem.title, solver, norm, fitted.status, len(fitted.json["trace"]), max(fitted.json["gaps"].values()),
            fitted.json["objective"], fitted.json["seconds"]["fit"]]
