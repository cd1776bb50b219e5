"""What a result says about groups over time when rows and columns are the same at all times."""
import numpy

from support.statistics import mean

SHARES = "max,50%,20%,10%,0"  # from strong to weak: so the groups of neighbouring times stay matched


class Series:
    """Factors with the signs of neighbouring times aligned; `explained`: a share per co-cluster."""

    def __init__(self, fitted):
        self.u, self.v = fitted.series("u"), fitted.series("v")
        self.levels = fitted.array("levels")
        self.explained = [component["explained"] for component in fitted.json["components"]]
        for before in range(len(self.u) - 1):
            agree = sum((side[before] * side[before + 1]).sum(axis=0) for side in (self.u, self.v))
            flip = numpy.where(agree < 0, -1.0, 1.0)
            self.u[before + 1] *= flip
            self.v[before + 1] *= flip

    def model(self, time):
        return (self.u[time] * self.levels[time]) @ self.v[time].T

    def present(self, time, group):
        return bool(self.u[time][:, group].any() and self.v[time][:, group].any())


def overlap(factors):
    """Of the items in a group at either of two neighbouring times, the share in it at both and with the same sign;
    and what unrelated groups of the same sizes would share."""
    shares, by_chance = [], []
    for before, after in zip(factors, factors[1:]):
        for a, b in zip(numpy.sign(before).T, numpy.sign(after).T):
            either = numpy.count_nonzero((a != 0) | (b != 0))
            if not either:
                continue
            shares.append(numpy.count_nonzero(a * b > 0) / either)
            n, n_a, n_b = len(a), numpy.count_nonzero(a), numpy.count_nonzero(b)
            same = sum(numpy.count_nonzero(a == sign) * numpy.count_nonzero(b == sign) / n for sign in (1, -1))
            by_chance.append(same / (n_a + n_b - n_a * n_b / n))
    return (mean(shares), mean(by_chance)) if shares else (0.0, 0.0)


def size(factors):
    return mean(float(numpy.count_nonzero(factor, axis=0).mean()) for factor in factors)


def fusion_table(page, name, items, fits, more=None):
    """A row per fit; `items`: what rows and columns are called; `more`: {heading: function of the series}.

    Returns {title: {heading: value}} of what `trade_words` compares."""
    more = more or {}
    found = {}
    header = ["fused", "status", "iterations", "explained"]
    for item in items:
        header += [f"{item} per group", f"{item} kept", "by chance"]
    rows = []
    for title, fitted in fits.items():
        series = Series(fitted)
        row = [title, fitted.status, fitted.json["iterations"], fitted.explained]
        found[title] = {"explained": fitted.explained}
        for item, factors in zip(items, (series.u, series.v)):
            kept, chance = found[title][item] = overlap(factors)
            row += [f"{size(factors):.1f}", f"{kept:.2f}", f"{chance:.2f}"]
        rows.append(row + [function(series) for function in more.values()])
    page.table(name, header + list(more), rows)
    page.say("Kept: of the items in a group at either of two neighbouring times, the share that is in it at both, on "
             "the same side; by chance: what unrelated groups of these sizes share.")
    return found


def trade_words(found, item, before, after):
    """What is gained and what is paid from one fit to another."""
    (kept_a, chance_a), (kept_b, chance_b) = found[before][item], found[after][item]
    explained = [found[which]["explained"] for which in (before, after)]
    return (f"From `{before}` to `{after}`: of the {item} {kept_a:.2f} and then {kept_b:.2f} are kept from one time to "
            f"the next (by chance {chance_a:.2f} and {chance_b:.2f}); {explained[0]:.3f} and then {explained[1]:.3f} "
            "are explained.")


def path_fits(rows, item, option):
    """{title: result} of the rows of a path over a fusion option."""
    return {f"{item} {row[option] if isinstance(row[option], str) else 'none'}": row["fitted"] for row in rows}
