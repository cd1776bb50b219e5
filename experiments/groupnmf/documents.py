"""Figure 3: documents of some topics, a few of them labelled; accuracy on the others."""
import numpy

from groupnmf.fits import fit
from groupnmf.sparse import read, read_lines, write_lines
from support.charts import line_chart
from support.statistics import mean, spread, standard_error, verdict

EACH, LABELLED, TERMS = 60, 10, 10000
NORMS = ("inf", "2")
SHARES = ("3%", "10%", "30%")
# Only alpha beta^2 matters: one alpha, the largest of the paper's range, and beta from the end of that range on.
ALPHA, BETAS = 1e-5, (1e-2, 10.0, 100.0)
SAME = (1e-3, 1.0)  # as much alpha beta^2 as ALPHA with the second of BETAS
NUMBERED = 3  # samples on which alpha is a number as well
STARTS, TOLERANCE, MOST = 5, 1e-4, 200
NONE = ("none", "")
PICKS = ("average", "objective", "labelled")


class Corpus:
    """Counts of the most frequent terms x documents, with a topic for each document."""

    def __init__(self, name, counts, labels):
        self.name, self.labels = name, numpy.array(labels)
        frequent = numpy.argsort(-counts.row_sums(), kind="stable")[:TERMS]
        self.counts = counts.take_rows(numpy.sort(frequent))

    def draw(self, gingham, k, trial):
        """60 documents of each of k random topics that have as many, 10 of each with their label."""
        rng = numpy.random.default_rng([trial, k, 5])
        topics, sizes = numpy.unique(self.labels, return_counts=True)
        topics = rng.choice(topics[sizes >= EACH], k, replace=False)
        chosen = [rng.choice(numpy.flatnonzero(self.labels == topic), EACH, replace=False) for topic in topics]
        names = [f"topic_{topic}" if place < LABELLED else "" for topic in topics for place in range(EACH)]
        columns = numpy.concatenate(chosen)
        return Sample(gingham, f"{self.name}_{k}_{trial}", self.counts.take_columns(columns), names,
                      self.labels[columns], k)


class Simulated:
    name = "simulated"

    def __init__(self, options):
        self.options = options

    def draw(self, gingham, k, trial):
        folder = gingham.simulate("groupnmf-documents", f"documents_{k}_{trial}", topics=k, seed=trial + 1000,
                                  **self.options)
        return Sample(gingham, f"simulated_{k}_{trial}", read(folder / "data.mtx"), read_lines(folder / "groups.txt"),
                      numpy.loadtxt(folder / "truth/columns.txt", dtype=int), k)


class Sample:
    """A matrix as the program reads it. Counts are weighted by ln(documents / documents with the term) and every
    document is brought to length 1."""

    def __init__(self, gingham, name, counts, names, labels, k):
        self.gingham, self.name, self.k, self.labels = gingham, name, k, numpy.asarray(labels)
        folder = gingham.work / name
        folder.mkdir(exist_ok=True)
        self.is_open = numpy.array([name == "" for name in names])
        self.data = counts.weighted().unit_columns().write(folder / "data.mtx")
        self.groups = write_lines(folder / "groups.txt", names)
        self.truth = {part: write_lines(folder / f"truth_{part}.txt", self.labels[self.is_open == part])
                      for part in (True, False)}

    def accuracy(self, fitted, is_open):
        found = numpy.array(fitted.labels("columns"))[self.is_open == is_open]
        path = write_lines(fitted.folder.parent / f"{fitted.folder.name}.found.txt", found)
        return self.gingham.scores(path, [self.truth[is_open]])["accuracy"]

    def fit(self, start, title, method="groupnmf", **options):
        own = dict(groups=self.groups) if method == "groupnmf" else {}
        return fit(self.gingham, method, self.data, f"{self.name}/{title}_{start}", rank=self.k, start="random",
                   seed=start, restarts=1, tolerance=TOLERANCE, max_iterations=MOST, **options, **own)

    def scores(self, starts, title, **options):
        """An array with a line for each start: accuracy of open and of labelled documents, objective."""
        fits = [self.fit(start, title, **options) for start in range(starts)]
        return numpy.array([(self.accuracy(one, True), self.accuracy(one, False), one.json["objective"])
                            for one in fits])


def picked(scores, by):
    """The accuracy of open documents on average, for the lowest objective, or for the most right labels."""
    if by == "average":
        return float(scores[:, 0].mean())
    order = (scores[:, 2],) if by == "objective" else (scores[:, 2], -scores[:, 1])
    return float(scores[numpy.lexsort(order)[0], 0])


def run(gingham, page, corpora, trials, quick):
    page.say(f"{EACH} documents of each topic, {LABELLED} of them in the group of their topic, the others in none; the "
             f"{TERMS} most frequent terms; counts times ln(documents / documents with the term), documents of length "
             f"1. {2 if quick else STARTS} random starts, the same for all penalties, `--tolerance {TOLERANCE:g}`, at "
             f"most {MOST} iterations. Accuracy of the documents without a group (Hungarian): on average over the "
             "starts, for the start with the lowest objective, and for the start with the highest accuracy on the "
             "labelled documents. The baseline is `nmf` without penalties, its start picked the same way.")
    for corpus in corpora:
        for k in (5,) if quick or corpus.name == "simulated" else (5, 10):
            one_corpus(gingham, page, corpus, k, trials, 2 if quick else STARTS)


def one_corpus(gingham, page, corpus, k, trials, starts):
    title = f"{corpus.name}_{k}"
    page.heading(f"{corpus.name}, {k} topics", 3)

    def one(trial):
        sample = corpus.draw(gingham, k, trial)
        found = {NONE: sample.scores(starts, "baseline", method="nmf")}
        for norm in NORMS:
            for share in SHARES:
                found[norm, share] = sample.scores(starts, f"{norm}_{share}", norm=norm, beta=share)
            for beta in BETAS if trial in trials[:NUMBERED] else ():
                found[norm, beta] = sample.scores(starts, f"{norm}_{beta:g}", norm=norm, alpha=ALPHA, beta=beta)
        return found

    runs = gingham.each(one, trials)
    table(page, title, runs, SHARES)
    labelled_choice(page, runs)
    page.say(f"alpha = {ALPHA:g}, the first {min(NUMBERED, len(trials))} samples; beta = {BETAS[0]:g} is the end of "
             "the range that the paper recommends:")
    table(page, f"{title}_numbers", runs[:NUMBERED], BETAS)
    same_scale(page, corpus.draw(gingham, k, trials[0]))


def table(page, title, runs, betas):
    rows = [["none", "", *(spread([picked(run[NONE], by) for run in runs]) for by in PICKS), "", "", "",
             spread([run[NONE][:, 1].mean() for run in runs])]]
    lines = {"none": [(as_number(beta), mean(picked(run[NONE], "objective") for run in runs)) for beta in betas]}
    for norm in NORMS:
        for beta in betas:
            values = {by: [picked(run[norm, beta], by) for run in runs] for by in PICKS}
            gains = [[value - picked(run[NONE], by) for value, run in zip(values[by], runs)] for by in PICKS]
            rows.append([f"q = {norm}", beta, *(spread(values[by]) for by in PICKS), *(spread(gain) for gain in gains),
                         spread([run[norm, beta][:, 1].mean() for run in runs])])
            lines.setdefault(f"q = {norm}", []).append(
                (as_number(beta), mean(values["objective"]), standard_error(values["objective"])))
    page.table(f"figure_3_{title}", ["penalty", "beta", "average start", "lowest objective", "by labelled",
                                     "average - baseline", "lowest - baseline", "by labelled - baseline",
                                     "labelled documents"], rows)
    page.picture(f"figure_3_{title}", line_chart("Accuracy, start with the lowest objective", "beta", "accuracy",
                                                 lines, log_x=True))
    texts = []
    for norm in NORMS:
        for beta in betas:
            gains = [picked(run[norm, beta], "objective") - picked(run[NONE], "objective") for run in runs]
            texts.append(f"q = {norm}, beta = {beta}: above the baseline: {verdict(gains, 'samples')}.")
    page.points(texts)


def labelled_choice(page, runs):
    """beta and start together by the labelled documents, which is what somebody without the other labels can do."""
    texts = []
    for norm in NORMS:
        gains = []
        for run in runs:
            best = max((run[norm, share] for share in SHARES), key=lambda scores: scores[:, 1].max())
            gains.append(picked(best, "labelled") - picked(run[NONE], "labelled"))
        texts.append(f"q = {norm}, beta and start by the labelled documents: above the baseline with its start chosen "
                     f"so: {verdict(gains, 'samples')}.")
    page.points(texts)


def same_scale(page, sample):
    """W c, H / c takes alpha, beta to alpha c^2, beta / c."""
    values = [sample.fit(0, f"same_{alpha:g}", norm="2", alpha=alpha, beta=beta).json["objective"]
              for alpha, beta in ((ALPHA, BETAS[1]), SAME)]
    page.say(f"The same alpha beta^2 from the same start: objectives differ by {abs(values[0] / values[1] - 1):.1g} of "
             "their value.")


def as_number(beta):
    return float(str(beta).rstrip("%"))
