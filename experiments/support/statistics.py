"""Means, their spread, and whether a difference is decided."""
import math


def mean(values):
    values = list(values)
    return sum(values) / len(values)


def deviation(values):
    """Standard deviation over the seeds; 0 for a single value."""
    if len(values) < 2:
        return 0.0
    centre = mean(values)
    return math.sqrt(sum((v - centre) ** 2 for v in values) / (len(values) - 1))


def standard_error(values):
    return deviation(values) / math.sqrt(len(values))


def spread(values):
    return f"{round(mean(values), 3) + 0.0:.3f} ± {deviation(values):.3f}"  # + 0.0: never -0.000


def decided(differences):
    """More than two standard errors from 0; fewer than three seeds decide nothing."""
    return len(differences) > 2 and abs(mean(differences)) > 2 * standard_error(differences)


def verdict(differences, over="seeds"):
    """In words, whether the differences are above 0."""
    word = "is undecided"
    if decided(differences):
        word = "holds" if mean(differences) > 0 else "does not hold, the opposite does"
    return (f"{word} ({mean(differences):+.3f}, standard error {standard_error(differences):.3f}, "
            f"{sum(d > 0 for d in differences)} of {len(differences)} {over})")


def holds(claim):
    return "holds" if claim else "does not hold"


def never_rises(values, rounding=1e-9):
    return all(b <= a + rounding * max(1.0, abs(values[0])) for a, b in zip(values, values[1:]))
