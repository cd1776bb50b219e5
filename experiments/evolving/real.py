"""The atlas of the paper, by structure instead of by voxel, and annotations of fly embryos."""
import numpy

from evolving.simulated import fused_terms

N_CLUSTERS = 4
MARKERS = {"FOXG1": "Tel", "NEUROD6": "Tel", "HOXB3": "MH", "HOXD4": "MH"}  # where they peak at every age
HEADER = ["fusion", "status", "iterations", "seconds", "explained", "columns' fused term", "rows that keep their label"]


def run(gingham, page, data, sparsity):
    page.heading("Real data")
    runs = (("allen_devmouse", allen_log2), ("allen_devmouse", allen_cube), ("bdgp_annotations", fly))
    for folder, experiment in runs:
        if (data / folder).is_dir():
            experiment(gingham, page, data / folder, sparsity)
        else:
            page.say(f"No folder `{folder}` in `--data`: {experiment.__doc__.splitlines()[0]} is left out.")


def fit(gingham, inputs, name, sparsity, row_fusion=0, column_fusion=0, **more):
    return gingham.fit("evolving", inputs, name, clusters=N_CLUSTERS, row_sparsity=sparsity, column_sparsity=sparsity,
                       row_fusion=row_fusion, column_fusion=column_fusion, **more)


def row_of(name, fitted):
    n_times = len(fitted.array("s"))
    return [name, fitted.status, fitted.json["iterations"], float(fitted.json["seconds"]["fit"]), fitted.explained,
            float(fused_terms(fitted, n_times).sum()), persistence(fitted, n_times)]


def persistence(fitted, n_times):
    """Share of rows with the same label at neighbouring times, among those with a label at both."""
    if "rows_0" not in fitted.json["labels"]:
        return "one label for all times"
    labels = [fitted.labels(f"rows_{time}") for time in range(n_times)]
    pairs = [(a, b) for before, after in zip(labels, labels[1:]) for a, b in zip(before, after) if a >= 0 and b >= 0]
    return sum(a == b for a, b in pairs) / len(pairs) if pairs else "none"


def allen_log2(gingham, page, folder, sparsity):
    """Developing mouse brain, genes x structures at seven ages"""
    page.heading(allen_log2.__doc__, 3)
    path = folder / "log2_energy_genes_ages_regions.npy"
    genes = (folder / "genes.txt").read_text().split()
    regions = (folder / "regions.txt").read_text().split()
    fitted = {}
    for name, fusion in (("none", {}), ("columns", dict(column_fusion="max")),
                         ("rows and columns", dict(row_fusion="max", column_fusion="max"))):
        fitted[name] = fit(gingham, [path], f"allen_{name.split()[0]}_{len(fitted)}", sparsity, series_mode=1, **fusion)
    page.table("allen", HEADER, [row_of(name, one) for name, one in fitted.items()])
    for name in ("none", "columns"):
        markers(page, name, fitted[name], genes, regions)


def markers(page, name, fitted, genes, regions):
    """Where the model puts genes whose place is known: in the structure where their fitted level stands highest above
    that of the average gene."""
    levels = fitted.array("levels")
    found = {gene: [] for gene in MARKERS}
    for age, level in enumerate(levels):
        model = (fitted.array(f"u_{age}") * level) @ fitted.array(f"v_{age}").T
        model = model - model.mean(axis=0)
        for gene in MARKERS:
            found[gene].append(regions[int(model[genes.index(gene)].argmax())])
    page.say(f"Marker genes, fusion: {name}.")
    page.table(f"allen_markers_{name}", ["gene", "peaks in"] + [f"age {age}" for age in range(len(levels))],
               [[gene, MARKERS[gene], *places] for gene, places in found.items()])
    right = sum(place == MARKERS[gene] for gene, places in found.items() for place in places)
    page.points([f"{right} of {len(MARKERS) * len(levels)} times the model has the gene where it is known to peak."])


def allen_cube(gingham, page, folder, sparsity):
    """Developing mouse brain, regions x genes at seven ages with missing values"""
    page.heading(allen_cube.__doc__, 3)
    source = f"{folder / 'energy_7ages_33regions_80genes.npz'}:V"
    info = gingham.info(source)
    cells = numpy.prod(info["shape"])
    page.say(f"{info['missing']} of {cells} cells are missing.")
    rows = []
    for name, fusion in (("none", {}), ("columns", dict(column_fusion="max"))):
        rows.append(row_of(name, fit(gingham, [source], f"cube_{name}", sparsity, series_mode=0, **fusion)))
    page.table("allen_missing", HEADER, rows)


def fly(gingham, page, folder, sparsity):
    """Fly embryos, genes x anatomy terms at six stages, sparse"""
    page.heading(fly.__doc__, 3)
    inputs = [folder / f"stage{stage}_genes_x_terms.mtx.gz" for stage in range(1, 7)]
    rows = []
    for name, fusion in (("none", {}), ("columns", dict(column_fusion="max")), ("rows", dict(row_fusion="max"))):
        rows.append(row_of(name, fit(gingham, inputs, f"fly_{name}", sparsity, **fusion)))
    page.table("fly", HEADER, rows)
