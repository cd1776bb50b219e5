"""Figure 3: documents of some topics, a few of them labelled; accuracy on the others."""
import numpy

from groupnmf.fits import fit
from groupnmf.sparse import read, read_lines, write_lines
from support.charts import heat_map, line_chart
from support.statistics import mean, spread, standard_error, verdict

EACH, LABELLED, TERMS = 60, 10, 10000
ALPHAS = BETAS = (1e-8, 1e-6, 1e-4, 1e-2, 1.0)
SHARES = ("0.1%", "0.3%", "1%", "3%", "10%", "30%", "60%")
NORMS = ("inf", "2")
NONE, AUTO = "none", "auto"


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
                      self.labels[columns], k, trial)


class Simulated:
    name = "simulated"

    def __init__(self, options):
        self.options = options

    def draw(self, gingham, k, trial):
        folder = gingham.simulate("groupnmf-documents", f"documents_{k}_{trial}", topics=k, seed=trial + 1000,
                                  **self.options)
        return Sample(gingham, f"simulated_{k}_{trial}", read(folder / "data.mtx"), read_lines(folder / "groups.txt"),
                      numpy.loadtxt(folder / "truth/columns.txt", dtype=int), k, trial)


class Sample:
    """A matrix as the program reads it. Counts are weighted by ln(documents / documents with the term) and every
    document is brought to length 1."""

    def __init__(self, gingham, name, counts, names, labels, k, trial):
        self.name, self.k, self.trial, self.labels = name, k, trial, numpy.asarray(labels)
        folder = gingham.work / name
        folder.mkdir(exist_ok=True)
        self.folder = folder
        self.is_open = numpy.array([name == "" for name in names])
        self.data = counts.weighted().unit_columns().write(folder / "data.mtx")
        self.groups = write_lines(folder / "groups.txt", names)
        self.truth = write_lines(folder / "truth.txt", self.labels[self.is_open])

    def accuracy(self, gingham, fitted):
        """Of the documents without a label."""
        found = numpy.array(fitted.labels("columns"))[self.is_open]
        path = write_lines(fitted.folder.parent / f"{fitted.folder.name}.found.txt", found)
        return gingham.scores(path, [self.truth])["accuracy"]

    def fit(self, gingham, method, title, **options):
        verified = self.trial == 0
        own = dict(groups=self.groups) if method == "groupnmf" else {}
        return fit(gingham, method, self.data, f"{self.name}/{title}", verified, rank=self.k, seed=self.trial,
                   **options, **own)

    def score(self, gingham, method, title, **options):
        return self.accuracy(gingham, self.fit(gingham, method, title, **options))


def run(gingham, page, corpora, trials, quick):
    page.say(f"{EACH} documents of each topic, {LABELLED} of them in the group of their topic, the others in none; the "
             f"{TERMS} most frequent terms; counts times ln(documents / documents with the term), documents of length "
             "1. Accuracy of the documents without a group (Hungarian). The baseline is `nmf` without penalties. Only "
             "alpha beta^2 matters, so the map over both is constant along lines but for the start; `auto` has one "
             "parameter.")
    for corpus in corpora:
        for k in (5,) if quick else (5, 10):
            part = trials if k == 5 else trials[:5]
            one_corpus(gingham, page, corpus, k, trials, part, quick)


def one_corpus(gingham, page, corpus, k, trials, grid_trials, quick):
    alphas, betas, shares = (ALPHAS[::3], BETAS[::3], SHARES[2::3]) if quick else (ALPHAS, BETAS, SHARES)
    title = f"{corpus.name}_{k}"
    page.heading(f"{corpus.name}, {k} topics", 3)

    def one(trial):
        sample = corpus.draw(gingham, k, trial)
        found = {NONE: sample.score(gingham, "nmf", "baseline")}
        for norm in NORMS:
            for share in shares:
                found[norm, AUTO, share] = sample.score(gingham, "groupnmf", f"{norm}_{share}", norm=norm, beta=share)
            if trial not in grid_trials:
                continue
            for alpha in alphas:
                for beta in betas:
                    found[norm, alpha, beta] = sample.score(gingham, "groupnmf", f"{norm}_{alpha:g}_{beta:g}",
                                                            norm=norm, alpha=alpha, beta=beta)
        return found

    runs = gingham.each(one, trials)
    auto_table(page, title, runs, shares)
    for norm in NORMS:
        over = [run for trial, run in zip(trials, runs) if trial in grid_trials]
        gains = [[[run[norm, alpha, beta] - run[NONE] for run in over] for beta in betas] for alpha in alphas]
        page.table(f"figure_3_{title}_{norm}", ["alpha \\ beta", *(f"{beta:g}" for beta in betas)],
                   [[f"{alpha:g}", *(spread(cell) for cell in row)] for alpha, row in zip(alphas, gains)])
        page.picture(f"figure_3_{title}_{norm}", heat_map(
            f"{corpus.name}, {k} topics, q = {norm}: accuracy minus baseline", "beta", "alpha",
            [f"{beta:g}" for beta in betas], [f"{alpha:g}" for alpha in alphas],
            [[mean(cell) for cell in row] for row in gains]))
        named = [mean(gains[a][b]) > 0 for a, alpha in enumerate(alphas) for b, beta in enumerate(betas)
                 if alpha <= 1e-5 and beta <= 1e-2]
        page.say(f"q = {norm}: of the {len(named)} settings with alpha <= 1e-5 and beta <= 1e-2, the paper's range, "
                 f"{sum(named)} are above the baseline on average over {len(over)} samples.")


def auto_table(page, title, runs, shares):
    base = [run[NONE] for run in runs]
    rows = [["baseline", "", spread(base), ""]]
    lines, texts = {"baseline": [(float(s.rstrip("%")), mean(base)) for s in shares]}, []
    for norm in NORMS:
        gains = {share: [run[norm, AUTO, share] - run[NONE] for run in runs] for share in shares}
        for share in shares:
            scores = [run[norm, AUTO, share] for run in runs]
            rows.append([f"q = {norm}", share, spread(scores), spread(gains[share])])
            lines.setdefault(f"q = {norm}", []).append((float(share.rstrip("%")), mean(scores), standard_error(scores)))
        best = max(shares, key=lambda share: mean(gains[share]))
        texts.append(f"q = {norm}, the best beta ({best}) is above the baseline: {verdict(gains[best], 'samples')}.")
    page.table(f"figure_3_{title}", ["penalty", "beta", "accuracy", "minus baseline"], rows)
    page.picture(f"figure_3_{title}", line_chart("Accuracy, alpha auto", "beta, %", "accuracy", lines, log_x=True))
    page.points(texts)
