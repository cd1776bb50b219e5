"""Figure 4: the objective against time, vector blocks and matrix blocks; and how far from optimal results are."""
import numpy

from groupnmf.fits import fit
from support.charts import line_chart
from support.statistics import holds, mean

SOLVERS = ("vector", "matrix")
NORMS = ("inf", "2")
POINTS = 40


class Problem:
    """A matrix with groups, as the program reads it."""

    def __init__(self, title, data, groups, rank, **options):
        self.title, self.data, self.groups, self.rank, self.options = title, data, groups, rank, options
        self.key = title.replace(" ", "_").replace(",", "")

    def fit(self, gingham, name, verified=True, **options):
        return fit(gingham, "groupnmf", self.data, f"{self.key}_{name}", verified, groups=self.groups, rank=self.rank,
                   **self.options, **options)


def figure_4(gingham, page, problems, starts, most):
    page.say(f"{starts} random starts, the same for both, at most {most} iterations, one thread each. The objective is "
             "divided by that of the first record of `vector`; runs that have ended keep their last value.")
    rows = []
    for problem in problems:
        for norm in NORMS:
            found = {}
            for solver in SOLVERS:
                found[solver] = gingham.each(
                    lambda seed, solver=solver: curve(problem.fit(
                        gingham, f"{solver}_{norm}_{seed}", seed == 0, solver=solver, norm=norm, start="random",
                        restarts=1, seed=seed, max_iterations=most)), range(starts))
            rows += compare(page, problem, norm, found)
    page.table("figure_4", ["data", "q", "solver", "objective at the end", "seconds to the end",
                            "seconds to within 1 % of the better", "seconds to within 0.1 %"], rows)
    for share, column in (("1 %", 5), ("0.1 %", 6)):
        wins = sum(first[column] < second[column] for first, second in zip(rows[::2], rows[1::2]))
        page.say(f"`vector` comes to within {share} of the better end sooner than `matrix`: "
                 f"{holds(wins == len(rows) // 2)} ({wins} of {len(rows) // 2}).")


def curve(fitted):
    """[(seconds, objective), ...]"""
    return [(row["seconds"], row["objective"]) for row in fitted.json["trace"]]


def at(line, seconds):
    times, values = zip(*line)
    return float(numpy.interp(seconds, times, values))


def compare(page, problem, norm, found):
    """Curves are averaged over the starts, each start measured in units of its own first objective."""
    units = [line[0][1] for line in found["vector"]]
    last = max(line[-1][0] for lines in found.values() for line in lines)
    first = min(line[0][0] for lines in found.values() for line in lines)
    times = numpy.geomspace(max(first, 1e-4), max(last, 2e-4), POINTS)
    shown = {solver: [(t, mean(at(line, t) / unit for line, unit in zip(lines, units))) for t in times]
             for solver, lines in found.items()}
    page.picture(f"figure_4_{problem.key}_{norm}", line_chart(
        f"{problem.title}, q = {norm}", "seconds", "objective / first", shown, log_x=True))
    goals = [min(lines[k][-1][1] for lines in found.values()) for k in range(len(units))]
    rows = []
    for solver, lines in found.items():
        rows.append([problem.title, norm, solver, mean(line[-1][1] / unit for line, unit in zip(lines, units)),
                     mean(line[-1][0] for line in lines),
                     *(mean(time_to(line, goal + share * (start - goal))
                            for line, goal, start in zip(lines, goals, units)) for share in (0.01, 0.001))])
    return rows


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
