"""Figure 6: the duality gap of the paper's inner solver."""
from support.charts import line_chart
from support.statistics import holds, never_rises

GAMMAS = (0.1, 1.0, 10.0, 100.0)
ITERATIONS = 50


def run(gingham, page, brain, sparsity):
    page.heading("Figure 6: duality gap per iteration of the dual solver")

    def both(gamma):
        return [gingham.fit("evolving", brain.data, f"{solver}_{gamma:g}", clusters=brain.clusters, solver=solver,
                            row_sparsity=sparsity, column_sparsity=sparsity, column_fusion=gamma)
                for solver in ("dual", "exact")]

    pairs = gingham.each(both, GAMMAS)
    runs = [[recorded(gaps) for gaps in dual.array("dual_gaps").T] for dual, _ in pairs]
    falling = [sum(never_rises(gaps, 1e-12) for gaps in run) for run in runs]
    left = [run[0][min(ITERATIONS, len(run[0])) - 1] / run[0][0] for run in runs]
    page.table("figure_6", ["gamma", "gap at first", f"share left after {ITERATIONS}", "last gap", "iterations",
                            "co-clusters where it never rises"],
               [[f"{gamma:g}", run[0][0], share, run[0][-1], len(run[0]), f"{n} of {len(run)}"]
                for gamma, run, share, n in zip(GAMMAS, runs, left, falling)])
    page.say("Gaps of the last column step of the first co-cluster, from its own first to its own last iteration; "
             "falling is judged for every co-cluster and every iteration.")
    page.picture("figure_6", line_chart(
        f"Duality gap, first co-cluster, first {ITERATIONS} iterations", "iteration", "gap",
        {f"gamma {gamma:g}": [(k + 1, gap) for k, gap in enumerate(run[0][:ITERATIONS])]
         for gamma, run in zip(GAMMAS, runs)}, log_y=True))
    apart = [abs(dual.json["objective"] / exact.json["objective"] - 1) for dual, exact in pairs]
    page.points([
        f"The gap never rises: {holds(falling == [len(run) for run in runs])}.",
        f"It falls more slowly for larger gamma: {holds(left == sorted(left))} by the share of the first gap that is "
        f"left after {ITERATIONS} iterations; the iterations until the end are "
        f"{', '.join(str(len(run[0])) for run in runs)}.",
        f"Dual against exact: the objectives differ by {max(apart):.1e} of their size at most; the fits ended as "
        f"{', '.join(dual.status for dual, _ in pairs)} against {', '.join(exact.status for _, exact in pairs)}."])


def recorded(gaps):
    """Up to the end of the run, after which the last value is repeated."""
    gaps = [float(gap) for gap in gaps]
    while len(gaps) > 1 and gaps[-1] == gaps[-2]:
        gaps.pop()
    return gaps
