"""Figure 2: five pictures, five groups of columns that lack one each, and much noise."""
import numpy

from groupnmf.fits import fit, matched, used_by, zero_blocks
from groupnmf.sparse import read_lines
from support.charts import line_chart
from support.images import image_grid
from support.statistics import holds, mean, spread

# Only alpha beta^2 matters for the group penalties and only alpha beta for the others (the scale of W against that of
# H is free), so alpha stands still.
ALPHA = 0.1
QUADRATIC = (1e-1, 1e0, 1e1, 1e2, 1e3, 1e4)
GROUPED = (20, 40, 80, 160, 320, 640)
SHARES = ("0.5%", "1%", "1.5%", "2%", "3%", "4%", "6%", "10%")
PENALTIES = {
    "Frobenius (5.17)": ("nmf", dict(penalty="frobenius", alpha=ALPHA), QUADRATIC),
    "l1 (5.18)": ("nmf", dict(penalty="l1", alpha=ALPHA), QUADRATIC),
    "q = inf": ("groupnmf", dict(norm="inf", alpha=ALPHA), GROUPED),
    "q = 2": ("groupnmf", dict(norm="2", alpha=ALPHA), GROUPED),
    "q = inf, alpha auto": ("groupnmf", dict(norm="inf"), SHARES),
    "q = 2, alpha auto": ("groupnmf", dict(norm="2"), SHARES),
    "q = inf, alpha auto, a number": ("groupnmf", dict(norm="inf"), (5, 10, 20)),
    "q = 2, alpha auto, a number": ("groupnmf", dict(norm="2"), (2, 3, 4)),
}
SHOWN = ("Frobenius (5.17)", "l1 (5.18)", "q = inf", "q = 2")
CRITERIA = {"noise": "a second matrix with other noise", "codes": "a second matrix with other coefficients and noise"}
RESTARTS = 10


class Pictures:
    """A simulated matrix, and two more to choose penalties by."""

    def __init__(self, gingham, seed, sizes):
        self.name = f"pictures_{seed}"
        folder = gingham.simulate("groupnmf", self.name, seed=seed, **sizes)
        self.data, self.groups = folder / "data.npy", folder / "groups.txt"
        self.w, self.h = (numpy.load(folder / f"truth/{name}.npy") for name in ("W", "H"))
        signal, first = self.w @ self.h, numpy.load(self.data)
        noise = numpy.random.default_rng([seed, 2]).normal(size=signal.shape)
        noise *= numpy.linalg.norm(first - signal) / numpy.linalg.norm(noise)
        other = gingham.simulate("groupnmf", f"{self.name}_other", seed=seed + 500000, **sizes)
        self.second, self.other = signal + noise, numpy.load(other / "data.npy")
        self.planted = used_by(self.h.T, read_lines(self.groups))


class Recovered:
    """One fit: errors on the two other matrices, zero rows found and false ones."""

    def __init__(self, pictures, value, fitted):
        self.value = value
        w, h = fitted.array("W"), fitted.array("H")
        order = matched(w, pictures.w)
        self.w, self.h = w[:, order], h[order]
        self.right, self.false, _ = zero_blocks(used_by(self.h.T, read_lines(pictures.groups)), pictures.planted)
        self.errors = {"noise": error(pictures.second, w @ h),
                       "codes": error(pictures.other, w @ codes(w, pictures.other))}
        self.similarity = mean(cosine(a, b) for a, b in zip(self.w.T, pictures.w.T))


def error(x, model):
    return float(((x - model) ** 2).sum() / (x ** 2).sum())


def cosine(a, b):
    return float(a @ b / (numpy.linalg.norm(a) * numpy.linalg.norm(b) or 1.0))


def codes(w, x, sweeps=200):
    """argmin_{H >= 0} |X - W H|, row by row."""
    gram, target = w.T @ w, w.T @ x
    h = numpy.zeros((w.shape[1], x.shape[1]))
    for _ in range(sweeps):
        for i in range(len(gram)):
            if gram[i, i] > 0:
                h[i] = numpy.maximum(h[i] + (target[i] - gram[i] @ h) / gram[i, i], 0.0)
    return h


def run(gingham, page, seeds, sizes, quick):
    page.say("`gingham simulate groupnmf`: by default five 32 x 32 pictures, five groups of 30 columns that lack one "
             "picture each, |signal|^2 / |noise|^2 = 0.3; negative entries are kept (`--allow-negative`). "
             f"alpha = {ALPHA:g} where it is a number. beta is chosen by the reconstruction error on "
             f"{CRITERIA['noise']}, or on {CRITERIA['codes']} (its columns coded with W). A zero row: no column of a "
             "group uses a component, and none of its entries is above 0.")
    found = dict(zip(seeds, gingham.each(lambda seed: one_seed(gingham, seed, sizes, quick), seeds)))
    planted = int((~found[seeds[0]][0].planted).sum())
    table(page, found, planted)
    paths(page, found, planted)
    pictures(page, *found[seeds[0]])


def one_seed(gingham, seed, sizes, quick):
    data = Pictures(gingham, seed, sizes)
    results = {}
    for title, (method, options, grid) in PENALTIES.items():
        own = dict(groups=data.groups) if method == "groupnmf" else {}
        results[title] = [Recovered(data, value, fit(
            gingham, method, data.data, f"{data.name}_fits/{title}_{value}", rank=data.w.shape[1], beta=value,
            start="random", restarts=2 if quick else RESTARTS, seed=seed, allow_negative=True, **options, **own))
            for value in (grid[1::3] if quick else grid)]
    return data, results


def chosen(results, criterion):
    if criterion == "truth":
        return max(results, key=lambda one: (one.right - one.false, one.similarity))
    return min(results, key=lambda one: one.errors[criterion])


def table(page, found, planted):
    rows, claims = [], []
    for title in PENALTIES:
        for by in (*CRITERIA, "truth"):
            picked = [chosen(results[title], by) for _, results in found.values()]
            rows.append([title, by, ", ".join(dict.fromkeys(str(one.value) for one in picked)),
                         spread([one.right for one in picked]), spread([one.false for one in picked]),
                         sum(one.right == planted and one.false == 0 for one in picked),
                         spread([one.similarity for one in picked])])
            claims.append((title, by, picked))
    page.table("figure_2", ["penalty", "beta chosen by", "beta", f"zero rows of {planted}", "false zero rows",
                            f"exact of {len(found)}", "cosine of W"], rows)
    texts = []
    for title, by, picked in claims:
        if by == "truth":
            continue
        is_exact = sum(one.right == planted and one.false == 0 for one in picked)
        count = (f"{is_exact} of {len(picked)} seeds exact, {mean(one.right for one in picked):.1f} of {planted} rows "
                 "on average")
        if title.startswith("q"):
            texts.append(f"{title}, beta by {by}: the zero rows come back: {holds(is_exact >= 0.8 * len(picked))} "
                         f"({count}).")
        else:
            texts.append(f"{title}, beta by {by}: the zero rows are lost: {holds(is_exact == 0)} ({count}).")
    page.say("Come back: all planted zero rows and no other, for at least 8 of 10 seeds. Lost: for no seed.")
    page.points(texts)


def paths(page, found, planted):
    """Zero rows against beta."""
    rows, lines = [], {}
    for title in PENALTIES:
        runs = [results[title] for _, results in found.values()]
        for k, one in enumerate(runs[0]):
            right, false = ([run[k].right for run in runs], [run[k].false for run in runs])
            is_exact = [a == planted and b == 0 for a, b in zip(right, false)]
            rows.append([title, one.value, spread(right), spread(false), sum(is_exact),
                         *(spread([run[k].errors[by] for run in runs]) for by in CRITERIA)])
            if title.endswith("auto"):
                share = float(str(one.value).rstrip("%"))
                lines.setdefault(f"{title}: right", []).append((share, mean(right)))
                lines.setdefault(f"{title}: false", []).append((share, mean(false)))
    page.table("figure_2_path", ["penalty", "beta", f"zero rows of {planted}", "false zero rows",
                                 f"exact of {len(found)}", *(f"error by {by}" for by in CRITERIA)], rows)
    page.picture("figure_2_path", line_chart("Zero rows against beta, alpha auto", "beta, %", "zero rows", lines,
                                             log_x=True))


def pictures(page, data, results):
    side = round(data.w.shape[0] ** 0.5)
    picked = {title: chosen(results[title], "truth") for title in SHOWN}
    panels = [("planted" if k == 0 else "", column.reshape(side, side)) for k, column in enumerate(data.w.T)]
    for title, one in picked.items():
        panels += [(title if k == 0 else "", column.reshape(side, side)) for k, column in enumerate(one.w.T)]
    page.picture("figure_2_pictures", image_grid("Pictures, planted and found; first seed, beta by truth", panels,
                                                 columns=data.w.shape[1]))
    panels = [("planted", thick(data.h))] + [(title, thick(one.h)) for title, one in picked.items()]
    page.picture("figure_2_coefficients", image_grid("Where H is not zero (black)", panels, columns=1, scale=4))


def thick(h):
    """Entries above 0, a row of pixels between the components."""
    return numpy.repeat(h > 0, 3, axis=0).astype(float)
