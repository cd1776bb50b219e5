"""What is compared: multiview, the other methods for views, and what sees one view or all of them as one matrix."""
import numpy

from support.command import Fitted

# As far as the kernels matter, gaussian is the default.
RIVALS = {
    "coregularized, pairwise": ("coregularized", dict(form="pairwise")),
    "coregularized, centroid": ("coregularized", dict(form="centroid")),
    "cotrained": ("cotrained", dict(max_iterations=20)),
    "mvcca": ("mvcca", {}),
    "mvfl": ("mvfl", dict(max_iterations=100)),
    "kernel-sum": ("kernel-sum", {}),
    "kernel-sum, linear": ("kernel-sum", dict(kernel="linear")),
    "kernel-product": ("kernel-product", {}),
    "coregularized, pairwise, half the width": ("coregularized", dict(form="pairwise", width="50%")),
    "kernel-sum, half the width": ("kernel-sum", dict(width="50%")),
}
SINGLE, JOINED = "ssvd, best view", "kmeans, views joined"
ALL_RIVALS = (*RIVALS, SINGLE, JOINED)
SSVD_ROWS = ("auto", "20%")


class Views:
    """Matrices with the same rows and their known labels, written where the program finds them. `scale`: of multiview
    and of what sees matrices; the other methods for views take it where it is `common`, their own default otherwise."""

    def __init__(self, gingham, name, views, labels, scale="standardize", common=False):
        self.name, self.scale = name, scale
        self.common = dict(scale=scale) if common else {}
        self.folder = gingham.work / name
        self.folder.mkdir(exist_ok=True)
        self.paths = [self.save(f"view_{k}", view) for k, view in enumerate(views)]
        self.truth = self.folder / "truth.txt"
        self.truth.write_text("".join(f"{label}\n" for label in labels))

    def save(self, name, view):
        path = self.folder / f"{name}.npy"
        numpy.save(path, numpy.asarray(view, dtype=float))
        return path


def scaled(view, scale):
    """The scales of the program, for methods that have none."""
    view = view - view.mean(axis=0)
    if scale == "standardize":
        return view / positive(view.std(axis=0))
    if scale == "unit":
        return view / positive(numpy.linalg.norm(view))
    return view / positive(numpy.linalg.norm(view, axis=1, keepdims=True))


def positive(sizes):
    return numpy.where(sizes > 0, sizes, 1.0)


def fit(gingham, views, title, method, inputs, verified, **options):
    """Kernels are verified by plain loops over all pairs of rows, in seconds where the fit takes a tenth of one: what
    is run often is verified once."""
    name = f"{views.name}/{title}".replace(", ", "_").replace(" ", "_").replace("%", "")
    if verified:
        return gingham.fit(method, inputs, name, **options)
    return Fitted(gingham.make(["fit", method, *inputs], name, options))


def score(gingham, views, fitted):
    return gingham.scores(fitted.folder, [views.truth])["nmi"]


def rivals(gingham, views, clusters, verified):
    """{title: NMI}"""
    found = {}
    brought = [scaled(numpy.load(path), views.scale) for path in views.paths]
    each = [views.save(f"scaled_{k}", view) for k, view in enumerate(brought)]
    joined = views.save("joined", numpy.hstack(brought))
    for title, (method, options) in RIVALS.items():
        fitted = fit(gingham, views, title, method, views.paths, verified, clusters=clusters, **views.common, **options)
        found[title] = score(gingham, views, fitted)
    found[SINGLE] = max(
        score(gingham, views, fit(gingham, views, f"ssvd {view} {rows}", "ssvd", [path], verified, clusters=clusters,
                                  row_sparsity=rows))
        for view, path in enumerate(each) for rows in SSVD_ROWS)
    found[JOINED] = score(gingham, views, fit(gingham, views, "kmeans", "kmeans", [joined], verified,
                                              clusters=clusters, restarts=10))
    return found


def multiview(gingham, views, title="multiview", **options):
    return fit(gingham, views, title, "multiview", views.paths, True, **{"scale": views.scale, **options})
