"""Ten thousand fits leave nothing behind: no memory, no threads, no files, no references."""

import gc
import os
import pickle
import sys
import warnings

import numpy as np
import pytest
import scipy.sparse as sp

import gingham
from support import estimator, plain_data

N_FITS = 10_000


def resident_bytes():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def raising(progress):
    raise KeyError("from the callback")


def jobs():
    """What users do, each a function of a turn's number; small."""
    kmeans, nmf = plain_data("kmeans")[:12], plain_data("nmf")[:8, :6]
    ssvd, series = plain_data("ssvd")[:10, :8], [part[:8, :6] for part in plain_data("evolving")]
    tensor, csr = plain_data("tensor")[:5, :5, :3], sp.csr_matrix(nmf)
    pandas = pytest.importorskip("pandas")
    table = pandas.DataFrame(ssvd, index=[f"r{i}" for i in range(10)]).add_prefix("c")
    small = {"restarts": 1, "max_iterations": 5}

    def fitted(name, X, **more):
        return estimator(name, **{**small, **more}).fit(X)

    yield lambda i: fitted("kmeans", kmeans, seed=i).predict(kmeans)
    yield lambda i: fitted("nmf", nmf, seed=i).transform(nmf)
    yield lambda i: fitted("nmf", csr).score(csr)
    yield lambda i: fitted("ssvd", table).result_.clusters if i % 4 == 0 else fitted("ssvd", table)
    yield lambda i: fitted("evolving", series)
    yield lambda i: fitted("tensor", tensor)
    yield lambda i: fitted("groupnmf", nmf, groups=["a", "b", "a", "b", "a", "b"])
    yield lambda i: pickle.loads(pickle.dumps(fitted("ssvd", ssvd))).u_
    yield lambda i: fitted("ssvd", ssvd)._repr_html_() if i % 20 == 0 else fitted("ssvd", ssvd).rows_
    yield lambda i: fitted("kmeans", np.asfortranarray(kmeans, dtype=np.float32))
    yield lambda i: estimator("nmf", seed=-1).fit(nmf)
    yield lambda i: estimator("nmf").fit(-1 - nmf)
    yield lambda i: estimator("nmf").fit([["a"]])
    yield lambda i: estimator("nmf", **small).fit(nmf, callback=raising)
    yield lambda i: estimator("nmf", **small).fit(nmf, callback=lambda _: False)
    yield lambda i: fitted("kmeans", kmeans).fit(kmeans).fit(kmeans[::-1])


def test_no_growth_over_ten_thousand_fits():
    work = list(jobs())
    fits, sizes, i = 0, [], 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        while fits < N_FITS:
            for job in work:
                try:
                    job(i)
                except (ValueError, KeyError):
                    pass
            fits += len(work) + 2
            i += 1
            if i % 40 == 0:
                gc.collect()
                sizes.append(resident_bytes())
    warm = sizes[len(sizes) // 3]
    assert max(sizes[-3:]) - warm < 500_000, [size >> 10 for size in sizes]
    assert len(os.listdir("/proc/self/task")) <= 4 and len(os.listdir("/proc/self/fd")) < 40


@pytest.mark.parametrize("name", ["kmeans", "nmf", "ssvd", "tensor", "evolving", "multiview", "groupnmf"])
def test_references_go_back_to_what_they_were(name):
    X = plain_data(name)
    parts = X if isinstance(X, list) else [X]

    def callback(progress):
        return None

    def count():
        gc.collect()
        return [sys.getrefcount(part) for part in parts] + [sys.getrefcount(callback)]

    before = count()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for _ in range(5):
            one = estimator(name).fit(X, callback=callback)
            one.verify(), one._repr_html_(), pickle.dumps(one), one.result_.clusters
            with pytest.raises(ValueError):
                estimator(name, seed=-1).fit(X, callback=callback)
            with pytest.raises(KeyError):
                estimator(name).fit(X, callback=raising)
        del one
    assert count() == before


def test_results_are_let_go():
    one = estimator("ssvd").fit(plain_data("ssvd"))
    run = one.result_._run
    views = [one.u_, one.result_.arrays["v"]]
    del one
    gc.collect()
    held = sys.getrefcount(run)
    del views
    gc.collect()
    assert sys.getrefcount(run) < held <= 5
    assert gingham.__version__
