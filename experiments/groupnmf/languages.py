"""Topics of documents in several languages: which topics a language lacks, and what a translation would say."""
import numpy

from groupnmf.fits import fit, matched, used_by, zero_blocks
from groupnmf.sparse import read, read_lines, stacked, write_lines
from support.charts import line_chart
from support.statistics import holds, mean, spread, verdict

SHARES = ("0", "0.3%", "1%", "2%", "5%", "10%", "20%")
REAL_SHARES = ("0", "3%", "8%")
OF_CLASS = 0.8  # a topic belongs to a class of documents when they have this share of it
WORDS, TOPICS_SHOWN = 8, 12


class Corpus:
    """Languages one below the other, some documents hidden in some languages.

    texts: {language: terms x documents}, whole; hidden: {language: whether each document is hidden there}; scored: the
    same for those whose prediction is looked at.
    """

    def __init__(self, gingham, name, texts, hidden, scored):
        self.name, self.texts, self.hidden, self.scored = name, texts, hidden, scored
        self.languages = [language for language, text in texts.items() for _ in range(text.shape[0])]
        folder = gingham.work / name
        folder.mkdir(exist_ok=True)
        self.data = stacked([text.without(hidden[language]) for language, text in texts.items()]).write(
            folder / "data.mtx")
        self.groups = write_lines(folder / "groups.txt", self.languages)
        documents = next(iter(texts.values())).shape[1]
        self.missing = write_lines(folder / "missing_groups.txt", [
            ",".join(language for language in texts if hidden[language][j]) for j in range(documents)])

    def fit(self, gingham, share, **options):
        return fit(gingham, "groupnmf", self.data, f"{self.name}/beta_{share}", axis="rows", norm="inf", beta=share,
                   groups=self.groups, missing_groups=self.missing, **options)

    def rows_of(self, language):
        return numpy.array([name == language for name in self.languages])

    def predictions(self, w, h):
        """(mean cosine, squared error over squares) of the hidden texts."""
        cosines, errors, squares = [], 0.0, 0.0
        for language, text in self.texts.items():
            columns = numpy.flatnonzero(self.scored[language])
            if len(columns) == 0:
                continue
            real = text.take_columns(columns).dense()
            model = w[self.rows_of(language)] @ h[:, columns]
            lengths = numpy.linalg.norm(real, axis=0) * numpy.linalg.norm(model, axis=0)
            cosines += list((real * model).sum(axis=0) / numpy.where(lengths > 0, lengths, 1.0))
            errors += ((real - model) ** 2).sum()
            squares += (real ** 2).sum()
        return mean(cosines), errors / squares


def simulated(gingham, page, seeds, options, quick):
    page.heading("Simulated", 3)
    page.say("`gingham simulate groupnmf-languages`: word counts, documents seen in some of the languages only, topics "
             "absent from some languages. `groupnmf --axis rows --norm inf` with as many components as topics. A block "
             "is a topic in a language; the zero blocks that are found are compared with the topics that are absent. "
             "Hidden texts: translations that exist and are not given to the method.")
    shares = SHARES[::2] if quick else SHARES

    def one(seed):
        corpus, w, used = simulated_corpus(gingham, seed, options)
        found = {}
        for share in shares:
            fitted = corpus.fit(gingham, share, rank=used.shape[0], seed=seed)
            factor = fitted.array("W")
            zero = used_by(factor[:, matched(factor, w)], corpus.languages)
            found[share] = (*zero_blocks(zero, used), *corpus.predictions(factor, fitted.array("H")))
        return found

    runs = gingham.each(one, seeds)
    rows, lines = [], {}
    for share in shares:
        cells = [run[share] for run in runs]
        precision = [right / (right + false) if right + false else float("nan") for right, false, *_ in cells]
        recall = [right / planted if planted else 1.0 for right, _, planted, *_ in cells]
        known = [p for p in precision if p == p]
        rows.append([share, spread([c[0] for c in cells]), spread([c[1] for c in cells]), mean(c[2] for c in cells),
                     spread(known) if known else "", spread(recall), spread([c[3] for c in cells]),
                     spread([c[4] for c in cells])])
        percent = float(share.rstrip("%"))
        lines.setdefault("recall", []).append((percent, mean(recall)))
        if known:
            lines.setdefault("precision", []).append((percent, mean(known)))
        lines.setdefault("cosine of hidden texts", []).append((percent, mean(c[3] for c in cells)))
    page.table("languages_simulated", ["beta", "zero blocks, right", "false", "planted", "precision", "recall",
                                       "cosine of hidden texts", "their squared error"], rows)
    page.picture("languages_simulated", line_chart("Topics that a language lacks", "beta, %", "", lines))
    best = max(shares[1:], key=lambda share: mean(run[share][3] for run in runs))
    page.points([f"Hidden texts are predicted better with beta = {best} than without: "
                 f"{verdict([run[best][3] - run[shares[0]][3] for run in runs])} (cosine)."])


def simulated_corpus(gingham, seed, options):
    part = gingham.simulate("groupnmf-languages", f"languages_{seed}", seed=seed, **options)
    whole = gingham.simulate("groupnmf-languages", f"languages_{seed}_whole", seed=seed, translated=1, **options)
    counts, groups = read(whole / "data.mtx"), numpy.array(read_lines(part / "groups.txt"))
    texts = {name: counts.take_rows(numpy.flatnonzero(groups == name)) for name in dict.fromkeys(groups)}
    hidden, absent = (
        {name: numpy.array([name in line.split(",") for line in read_lines(folder / "missing_groups.txt")])
         for name in texts} for folder in (part, whole))
    corpus = Corpus(gingham, f"languages_{seed}_fits", texts, hidden,
                    {name: hidden[name] & ~absent[name] for name in texts})
    return corpus, numpy.load(part / "truth/W.npy"), numpy.load(part / "truth/used.npy") > 0


class Source:
    """Real documents: {language: weighted terms x documents}, a class for each document, words where known."""

    def __init__(self, name, texts, classes, words=None):
        self.name, self.texts, self.words = name, {key: text.unit_columns() for key, text in texts.items()}, words
        self.classes = numpy.array(classes)

    def lacking(self):
        """{language: class that is hidden there}: the second and third most frequent, in the last two languages."""
        names, sizes = numpy.unique(self.classes, return_counts=True)
        common = names[numpy.argsort(-sizes, kind="stable")]
        return dict(zip(list(self.texts)[-2:], common[1:]))

    def corpus(self, gingham):
        """One class is hidden whole in each of two languages; half of the other documents lack one language."""
        rng = numpy.random.default_rng(7)
        lost = numpy.where(rng.random(len(self.classes)) < 0.5, rng.integers(0, len(self.texts), len(self.classes)), -1)
        lacking = self.lacking()
        scored, hidden = {}, {}
        for k, language in enumerate(self.texts):
            absent = self.classes == lacking[language] if language in lacking else numpy.zeros(len(lost), bool)
            scored[language] = (lost == k) & ~numpy.isin(self.classes, list(lacking.values()))
            hidden[language] = scored[language] | absent
        return Corpus(gingham, self.name, self.texts, hidden, scored)


def libreoffice(folder):
    texts, words = {}, {}
    for language in ("en-us", "de", "fr", "es", "it"):
        texts[language] = read(folder / f"{language}.mtx.gz").transposed.weighted()
        words[language] = read_lines(folder / f"{language}_vocab.txt.gz")
    return Source("libreoffice", texts, read_lines(folder / "labels.txt"), words)


def reuters(folder):
    """Terms with a negative weight, words in most documents, are left away."""
    texts = {}
    for language in ("EN", "FR", "GR", "IT", "SP"):
        text = read(folder / f"reuters600_{language}.mtx.gz").transposed
        negative = numpy.unique(text.rows[text.values < 0])
        texts[language] = text.take_rows(numpy.setdiff1d(numpy.arange(text.shape[0]), negative))
    return Source("reuters", texts, read_lines(folder / "labels.txt"))


def real(gingham, page, source, rank, most):
    page.heading(source.name, 3)
    corpus, lacking = source.corpus(gingham), source.lacking()
    page.say(f"{sum(t.shape[0] for t in source.texts.values())} terms in {len(source.texts)} languages, "
             f"{len(source.classes)} documents, every text of length 1, k = {rank}, q = inf, at most {most} "
             "iterations. Hidden: "
             + ", ".join(f"all documents of class {name} in {language}" for language, name in lacking.items())
             + f"; of half of the others one language ({sum(int(s.sum()) for s in corpus.scored.values())} texts). A "
             f"topic is of a class when {OF_CLASS:.0%} of its weight lies on its documents; such topics should be "
             "absent from the language that lacks the class.")
    rows, shown = [], None
    for fitted, share in zip(gingham.each(lambda share: corpus.fit(
            gingham, share, rank=rank, restarts=1, max_iterations=most), REAL_SHARES), REAL_SHARES):
        w, h = fitted.array("W"), fitted.array("H")
        used = used_by(w, corpus.languages)
        alive = used.any(axis=1)
        right, expected, other = expected_zeros(source, used, alive, h)
        rows.append([share, int((~alive).sum()), int((~used[alive]).sum()), right, expected, other,
                     *corpus.predictions(w, h), fitted.status, len(fitted.json["trace"]),
                     fitted.json["seconds"]["fit"]])
        if share == REAL_SHARES[-1]:
            shown = (w, h, used)
    page.table(f"languages_{source.name}", ["beta", "empty topics", "zero columns", "where the class is hidden", "of",
                                            "elsewhere", "cosine of hidden texts", "their squared error", "status",
                                            "iterations", "seconds"], rows)
    page.points([f"Without regularisation there are no zero columns: {holds(rows[0][2] == 0)}; with {REAL_SHARES[-1]} "
                 f"there are {rows[-1][2]}."])
    if source.words:
        keywords(page, source, corpus, *shown)


def expected_zeros(source, used, alive, h):
    """Zero columns of topics whose class the language lacks, how many such topics there are, and other zero columns."""
    right = expected = 0
    weight = numpy.maximum(h.sum(axis=1), 1e-300)
    for language, name in source.lacking().items():
        of_class = alive & (h[:, source.classes == name].sum(axis=1) / weight > OF_CLASS)
        place = list(source.texts).index(language)
        expected += int(of_class.sum())
        right += int((of_class & ~used[:, place]).sum())
    return right, expected, int((~used[alive]).sum()) - right


def keywords(page, source, corpus, w, h, used):
    """The first topics by explained variance, and the first ones that a language lacks. With q = inf many words of a
    language have the largest weight: among them those that go most with the topic's documents."""
    explained = (w ** 2).sum(axis=0) * (h ** 2).sum(axis=1)
    order = numpy.argsort(-explained)
    partial = [k for k in order if used[k].any() and not used[k].all()][:TOPICS_SHOWN]
    rows = []
    for place, k in enumerate(order):
        if place >= TOPICS_SHOWN and k not in partial:
            continue
        for number, language in enumerate(source.texts):
            column = w[corpus.rows_of(language), k]
            words = numpy.lexsort((-source.texts[language].without(corpus.hidden[language]).times(h[k]), -column))
            top = [source.words[language][i] for i in words[:WORDS] if column[i] > 0]
            rows.append([place + 1 if number == 0 else "", language, ", ".join(top) or "(none)"])
    page.table(f"keywords_{source.name}", ["topic", "language", "words"], rows)
    page.say(f"beta = {REAL_SHARES[-1]}; topics in the order of |w|^2 |h|^2: the first {TOPICS_SHOWN}, and the first "
             f"{TOPICS_SHOWN} that are absent from a language.")
