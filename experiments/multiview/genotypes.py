"""Real genotypes in place of the simulated ones, with clinical features made by the paper's recipe."""
import numpy

from multiview.subjects import Study

RISK, OVER, MARKERS = 10, 8, 1000
APART = 0.15  # correlation of any marker of the second set with any of the first, at most
LEAST = 0.1  # share of the subjects in the second cluster, at least
COMMON = 0.42  # frequency of markers drawn at random: with rarer ones hardly anybody has more than 8 of 10
KINDS = {"linked": "risk markers that go together", "random": "risk markers drawn at random"}
OWN, DECOY, ANY = (0.6, 0.5, 0.4), (0.6, 0.5), 0.1
DECOY_SIZE = 200


class Genotypes:
    def __init__(self, folder):
        with numpy.load(folder / "tgp_1092x5000.npz") as file:
            counts = file["G"].astype(float)
        self.counts = numpy.where(counts.mean(axis=0) > 1, 2 - counts, counts)  # of the minor allele
        deviations = self.counts - self.counts.mean(axis=0)
        normal = deviations / deviations.std(axis=0)
        self.correlation = normal.T @ normal / len(normal)
        numpy.fill_diagonal(self.correlation, 0.0)
        self.sets = self.linked_sets()
        self.continents = [line.split("\t")[1] for line in (folder / "populations.tsv").read_text().splitlines()]

    def members(self, markers):
        return (self.counts[:, markers] > 0).sum(axis=1) > OVER

    def linked_sets(self):
        """A marker and the nine it correlates with most. First the one whose ninth correlation is largest; then the
        same among markers that hardly correlate with the first set, where enough subjects are members."""
        first = self.most_linked(numpy.arange(self.counts.shape[1]), 0.0)
        away = numpy.abs(self.correlation[first]).max(axis=0) < APART
        away[first] = False
        return first, self.most_linked(numpy.flatnonzero(away), LEAST)

    def most_linked(self, candidates, least):
        among = self.correlation[numpy.ix_(candidates, candidates)]
        ranked = numpy.argsort(-among, axis=0)[:RISK - 1]
        weakest = among[ranked[-1], numpy.arange(len(candidates))]
        for seed in numpy.argsort(-weakest):
            markers = candidates[[seed, *ranked[:, seed]]]
            if self.members(markers).mean() >= least:
                return markers
        raise SystemExit("no set of markers has enough members")

    def random_sets(self, rng):
        common = numpy.flatnonzero(self.counts.mean(axis=0) / 2 >= COMMON)
        drawn = rng.choice(common, 2 * RISK, replace=False)
        return drawn[:RISK], drawn[RISK:]

    def describe(self, kind):
        rest = (f"The other {MARKERS - 2 * RISK} of the {MARKERS} markers are drawn at random for every seed. A "
                f"subject with more than {OVER} of the ten minor alleles of a set is in its cluster, in the first of them "
                "if in both.")
        if kind == "random":
            return (f"Both sets are drawn at random for every seed, as the paper has it, from the markers with a minor "
                    f"allele frequency of at least {COMMON}. " + rest)
        between = [self.correlation[numpy.ix_(markers, markers)].sum() / (RISK * (RISK - 1)) for markers in self.sets]
        most = [max(set(self.continents), key=[c for c, inside in zip(self.continents, self.members(markers))
                                               if inside].count) for markers in self.sets]
        return (f"Each set is a marker and the nine it correlates with most: first the marker whose ninth correlation "
                f"is largest, then the same among markers that correlate by less than {APART} with every marker of the "
                f"first set, where at least {LEAST:.0%} of the subjects are in the cluster. Mean correlation within "
                f"the sets {between[0]:.2f} and {between[1]:.2f}. The markers of this file are spread over the genome; "
                f"what goes together does so by ancestry: the members are mostly from {most[0]} and {most[1]}. " + rest)

    def study(self, gingham, kind, e, seed):
        rng = numpy.random.default_rng([seed, 5])
        sets = self.sets if kind == "linked" else self.random_sets(rng)
        others = numpy.setdiff1d(numpy.arange(self.counts.shape[1]), numpy.concatenate(sets))
        markers = numpy.sort(numpy.concatenate([*sets, rng.choice(others, MARKERS - 2 * RISK, replace=False)]))
        inside = [self.members(one) for one in sets]
        labels = numpy.where(inside[0], 0, numpy.where(inside[1], 1, -1))
        of_marker = numpy.select([numpy.isin(markers, one) for one in sets], [0, 1], -1)
        variants = numpy.stack([(self.counts[:, one] > 0).sum(axis=1) for one in sets], axis=1)
        features = clinical(variants, e, rng)
        of_feature = numpy.array([0, 0, 0, 1, 1, 1, -1, -1, -1, -1])
        return Study(gingham, f"genotypes_{kind}_{e:g}_{seed}", [self.counts[:, markers], features], labels,
                     [of_marker, of_feature])


def clinical(variants, e, rng):
    """Ten features by the paper's recipe: three for each cluster's signs, two for each of two random groups."""
    n = len(variants)
    signs = variants * e + rng.normal(size=variants.shape) > 7.5 * e
    decoys = numpy.zeros((n, 2), dtype=bool)
    for group in decoys.T:
        group[rng.choice(n, DECOY_SIZE, replace=False)] = True
    own = [numpy.where(group, p, ANY) for group in signs.T for p in OWN]
    own += [numpy.where(group, p, ANY) for group in decoys.T for p in DECOY]
    chances = numpy.stack(own, axis=1)
    return (rng.random(chances.shape) < chances).astype(float)
