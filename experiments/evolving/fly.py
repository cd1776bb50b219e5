"""Annotations of fly embryos: genes x anatomy terms at six stages, sparse."""
import gzip
import re

import numpy

from evolving.series import SHARES, Series, fusion_table, path_fits, trade_words
from support.statistics import mean

CLUSTERS = 4
STAGES = ("1-3", "4-6", "7-8", "9-10", "11-12", "13-16")
SHOWN = "20%"
PLAIN = {"primordium", "anlage", "embryonic", "statu", "nascendi", "larval"}  # say how old, not what


def run(gingham, page, folder):
    """Fly embryos, genes x anatomy terms at six stages, sparse"""
    inputs = [folder / f"stage{stage}_genes_x_terms.mtx.gz" for stage in range(1, len(STAGES) + 1)]
    terms = (folder / "terms.txt").read_text(encoding="utf-8").splitlines()
    genes = (folder / "genes.txt").read_text(encoding="utf-8").split()
    used = [terms_used(path) for path in inputs]
    shared = mean(len(a & b) / len(a | b) for a, b in zip(used, used[1:]))
    page.say(f"The vocabulary changes with age: {', '.join(str(len(stage)) for stage in used)} terms are in use, and "
             f"of those in use at one of two neighbouring stages {shared:.2f} are in use at both. So the genes are "
             "what can be fused here; the terms at max are shown for contrast.")
    rows = gingham.path("evolving", inputs, "fly_genes", f"row-fusion={SHARES}", clusters=CLUSTERS, column_fusion=0)
    contrast = gingham.fit("evolving", inputs, "fly_terms", clusters=CLUSTERS, column_fusion="max")
    fits = {**path_fits(rows, "genes", "row_fusion"), "terms max": contrast}
    found = fusion_table(page, "fly", ("genes", "terms"), fits)
    page.points(trade_words(found, item, "genes none", title)
                for item, title in (("genes", f"genes {SHOWN}"), ("genes", "genes max"), ("terms", "terms max")))
    page.points(change_words(title, Series(fitted), terms) for title, fitted in fits.items())
    shown = next(row["fitted"] for row in rows if row["row_fusion"] == SHOWN)
    groups(page, Series(shown), genes, terms)


def terms_used(path):
    with gzip.open(path, "rt") as file:
        lines = [line for line in file if not line.startswith("%")]
    return {int(line.split()[1]) for line in lines[1:]}


def defining(series, group, time, terms):
    """Terms with at least half the weight of the strongest, strongest first, with their side."""
    if not series.present(time, group):
        return []
    weights = series.v[time][:, group]
    order = numpy.argsort(-numpy.abs(weights), kind="stable")
    return [("+" if weights[k] > 0 else "-") + terms[k] for k in order[:6]
            if abs(weights[k]) >= 0.5 * abs(weights[order[0]])]


def changes(sets):
    """How many terms stay, appear, vanish from one stage to the next."""
    pairs = [(set(a), set(b)) for a, b in zip(sets, sets[1:])]
    return [sum(len(part) for part in parts) for parts in
            ([a & b for a, b in pairs], [b - a for a, b in pairs], [a - b for a, b in pairs])]


def change_words(title, series, terms):
    counts = [changes([defining(series, group, time, terms) for time in range(len(STAGES))])
              for group in range(CLUSTERS)]
    stay, appear, vanish = (sum(column) for column in zip(*counts))
    absent = sum(not series.present(time, group) for group in range(CLUSTERS) for time in range(len(STAGES)))
    return (f"{title}: of the terms that define a group (at least half the weight of its strongest), {stay} stay from "
            f"stage to stage, {appear} appear, {vanish} vanish; a group is absent {absent} of "
            f"{CLUSTERS * len(STAGES)} times.")


def groups(page, series, genes, terms):
    page.say(f"The groups with genes at {SHOWN}: the terms that define them at each stage.")
    rows, texts = [], []
    for group, explained in enumerate(series.explained):
        found = [defining(series, group, time, terms) for time in range(len(STAGES))]
        rows += [[group, stage, numpy.count_nonzero(series.u[time][:, group]), ", ".join(found[time]) or "absent"]
                 for time, stage in enumerate(STAGES)]
        weights = numpy.array([u[:, group] * level[group] for u, level in zip(series.u, series.levels)])
        steady = numpy.abs(numpy.sign(weights).sum(axis=0)) == len(STAGES)
        strongest = numpy.argsort(-numpy.abs(weights.mean(axis=0) * steady))[:6]
        stay, appear, vanish = changes(found)
        texts.append(f"Group {group} (explains {explained:.3f}): {stay} terms stay, {appear} appear, {vanish} vanish; "
                     f"words at three stages or more: {theme(found)}; {steady.sum()} genes are in it at all stages, "
                     f"strongest {', '.join(genes[k] for k in strongest)}.")
    page.table("fly_groups", ["group", "stages", "genes", "terms"], rows)
    page.points(texts)


def theme(found):
    """Words that come back at three stages or more on the same side."""
    counts = {}
    for stage in found:
        words = {term[0] + word for term in stage for word in re.findall(r"[a-z]{4,}", term) if word not in PLAIN}
        for word in words:
            counts[word] = counts.get(word, 0) + 1
    return ", ".join(f"{word} ({count})" for word, count in sorted(counts.items()) if count > 2) or "none"
