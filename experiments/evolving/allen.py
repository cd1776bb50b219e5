"""The atlas of the paper, by structure instead of by voxel: genes x structures at seven ages."""
import numpy

from evolving.series import SHARES, Series, fusion_table, path_fits, trade_words

CLUSTERS = 4
MARKERS = {"FOXG1": "Tel", "NEUROD6": "Tel", "HOXB3": "MH", "HOXD4": "MH"}  # where they peak at every age


def names(path):
    return path.read_text(encoding="utf-8").split()


def run(gingham, page, folder):
    """Developing mouse brain, genes x structures at seven ages"""
    raw = folder / "log2_energy_genes_ages_regions.npy"
    genes, places, ages = (names(folder / f"{what}.txt") for what in ("genes", "regions", "ages"))
    centred = gingham.work / "allen_centred.npy"
    values = numpy.load(raw).astype(float)
    values -= values.mean(axis=2, keepdims=True)
    numpy.save(centred, values - values.mean(axis=0, keepdims=True))

    whole = gingham.fit("evolving", [raw], "allen_raw", clusters=CLUSTERS, series_mode=1)
    say_raw(page, whole)
    by_structures = gingham.path("evolving", [centred], "allen_structures", f"column-fusion={SHARES}",
                                 clusters=CLUSTERS, series_mode=1)
    by_genes = gingham.path("evolving", [centred], "allen_genes", f"row-fusion={SHARES}", clusters=CLUSTERS,
                            series_mode=1, column_fusion="max")
    page.say("So a user would look at what differs between structures: from here on each gene's mean over the "
             "structures and each structure's mean over the genes are taken off at every age, with NumPy, before the "
             "fit. First the structures are fused, genes free; then the genes too, with the structures at max.")
    fits = {"raw, structures max": whole, **path_fits(by_structures, "structures", "column_fusion"),
            **path_fits(by_genes[:-1], "structures max, genes", "row_fusion")}
    found = fusion_table(page, "allen", ("genes", "structures"), fits, {
        f"markers in place of {len(MARKERS) * len(ages)}": lambda series: markers_in_place(series, genes, places)})
    page.points([trade_words(found, "structures", "structures none", "structures max"),
                 trade_words(found, "genes", "structures none", "structures max"),
                 trade_words(found, "genes", "structures max", "structures max, genes 20%")])
    say_data_markers(page, values, genes, places)
    partial = next(row["fitted"] for row in by_genes if row["row_fusion"] == "20%")
    groups(page, Series(partial), genes, places, ages)


def say_raw(page, whole):
    series = Series(whole)
    first = numpy.array([v[:, 0] for v in series.v])
    sign = numpy.sign(first.sum())
    page.say(f"As they are, the log2 energies are ruled by the genes' mean levels: the first co-cluster explains "
             f"{series.explained[0]:.3f}, the other {CLUSTERS - 1} together {sum(series.explained[1:]):.3f}, and its "
             f"weight has the same sign in {int((first * sign > 0).sum())} of {first.size} structures x ages.")


def markers_in_place(series, genes, places):
    """How often the model has a gene highest, above the average gene, where it is known to peak."""
    right = 0
    for time in range(len(series.u)):
        model = series.model(time)
        model = model - model.mean(axis=0)
        right += sum(places[int(model[genes.index(gene)].argmax())] == place for gene, place in MARKERS.items())
    return right


def say_data_markers(page, values, genes, places):
    tops = values.argmax(axis=2)
    right = sum(places[top] == place for gene, place in MARKERS.items() for top in tops[genes.index(gene)])
    page.say(f"Markers: {', '.join(f'{gene} in {place}' for gene, place in MARKERS.items())}; in the data themselves "
             f"{right} of {len(MARKERS) * values.shape[1]} are in place.")


def groups(page, series, genes, places, ages):
    page.say("The groups with structures at max and genes at 20%. A group is a contrast: its `+` genes are high in its "
             "`+` structures (weight at least 0.2) and low in the `-` ones. Early: only at the first three ages; late: "
             "only at the last three.")
    rows, texts = [], []
    for group, explained in enumerate(series.explained):
        weights = numpy.array([u[:, group] * level[group] for u, level in zip(series.u, series.levels)])
        inside = weights != 0
        always = numpy.abs(numpy.sign(weights).sum(axis=0)) == len(ages)
        early = inside[:3].any(axis=0) & ~inside[3:].any(axis=0)
        late = inside[-3:].any(axis=0) & ~inside[:-3].any(axis=0)
        rows.append([group, explained, signed(series.v[0][:, group], places, 0.2)]
                    + [signed(weights.mean(axis=0) * which, genes) for which in (always, early, late)])
        texts.append(f"Group {group}: {inside.any(axis=0).sum()} genes are in it at some age, {always.sum()} at all "
                     f"ages, {early.sum()} only early, {late.sum()} only late; genes by age: "
                     f"{', '.join(f'{age} {count}' for age, count in zip(ages, inside.sum(axis=1)))}.")
    page.table("allen_groups", ["group", "explained", "structures", "genes at all ages", "early", "late"], rows)
    page.points(texts)


def signed(weights, titles, least=0.0, most=8):
    order = [k for k in numpy.argsort(-numpy.abs(weights)) if abs(weights[k]) > least]
    return " ".join(f"{'+' if weights[k] > 0 else '-'}{titles[k]}" for k in order[:most]) or "none"
