"""Arrays where they lie: no copies, and none that goes away too early."""

import gc
import tracemalloc
import weakref

import numpy as np
import pytest
import scipy.sparse as sp

import gingham
from kinds import Subclass, base, cube, memmap, read_only, wide_indices
from support import bits, estimator, plain_data

pandas = pytest.importorskip("pandas")
pytestmark = pytest.mark.filterwarnings("ignore")


def core_arrays(one):
    return gingham.Data(one._data).arrays


def test_what_has_the_right_layout_is_not_copied(tmp_path):
    X = base()
    for given in (X, read_only(X), memmap(X, tmp_path), pandas.DataFrame(X), X.view(Subclass), memoryview(X)):
        assert np.shares_memory(core_arrays(estimator("nmf").fit(given))[0], np.asarray(given))
    csr = sp.csr_matrix(X)
    for given in (csr, sp.csr_array(csr), wide_indices(X)):
        kept = core_arrays(estimator("nmf").fit(given))[0]
        assert np.shares_memory(kept.data, given.data)
        assert given.indices.dtype != np.int32 or np.shares_memory(kept.indices, given.indices)
    anndata = pytest.importorskip("anndata")
    given = anndata.AnnData(X, dtype=X.dtype)
    assert np.shares_memory(core_arrays(estimator("nmf").fit(given))[0], given.X)
    times = np.array(plain_data("evolving"))
    for kept, part in zip(core_arrays(estimator("evolving").fit(times)), times):
        assert np.shares_memory(kept, part)
    solid = cube()
    assert np.shares_memory(core_arrays(estimator("tensor").fit(solid))[0], solid)
    for array in core_arrays(estimator("nmf").fit(X)):
        assert not array.flags.writeable


@pytest.mark.parametrize("make", [lambda X: X, sp.csr_matrix], ids=["dense", "sparse"])
def test_a_fit_takes_no_memory_for_the_data(make):
    X = make(np.random.default_rng(0).random((4000, 500)))  # 16 MB and more
    one = gingham.NMF(rank=1, restarts=1, max_iterations=1)
    tracemalloc.start()
    try:
        one.fit(X)
        one.transform(X)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 1_000_000


@pytest.mark.parametrize("make", [lambda X: X.copy(), np.asfortranarray, lambda X: pandas.DataFrame(X.copy()),
                                  sp.csr_matrix, sp.csc_matrix], ids=["C", "F", "table", "csr", "csc"])
def test_the_data_live_as_long_as_the_estimator(make):
    X = make(plain_data("ssvd"))
    one = estimator("ssvd").fit(X)
    page = one.report()
    gone = weakref.ref(X)
    del X
    gc.collect()
    trash = [np.full((30, 20), 7.0) for _ in range(50)]
    assert one.verify() == [] and one.report() == page and one._repr_html_()
    del one, trash
    gc.collect()
    assert gone() is None


def test_arrays_outlive_what_they_came_from(tmp_path):
    one = estimator("ssvd").fit(plain_data("ssvd"))
    kept = {"u": one.u_, **one.result_.arrays}
    before = {name: bits(np.array(value)) for name, value in kept.items()}
    simulated = gingham.simulate("kmeans", rows=30).X
    truth = gingham.simulate("ssvd").truth
    applied = estimator("nmf").fit(base()).transform(base())
    np.save(tmp_path / "x.npy", base())
    from_file = gingham.read(tmp_path / "x.npy").X
    expected = bits([simulated.copy(), {k: np.array(v) for k, v in truth.items()}, applied.copy(), from_file.copy()])
    del one
    gc.collect()
    trash = [np.full((30, 20), 7.0) for _ in range(50)]
    assert {name: bits(np.array(value)) for name, value in kept.items()} == before
    assert bits([simulated, truth, applied, from_file]) == expected and trash


def test_results_cannot_be_written_to():
    one = estimator("ssvd").fit(plain_data("ssvd"))
    with pytest.raises(ValueError):
        one.u_[0, 0] = 1
    with pytest.raises(ValueError):
        one.result_.arrays["s"][0] = 1


def test_data_changed_after_the_fit_are_noticed():
    X = plain_data("ssvd")
    one = estimator("ssvd").fit(X)
    assert one.verify() == []
    X[0, 0] += 1
    with pytest.raises(ValueError, match="changed"):
        one.verify()
    with pytest.raises(ValueError, match="changed"):
        one.report()
    X[0, 0] -= 1
    assert one.verify(X.copy()) == []
    with pytest.raises(ValueError, match="X"):
        one.verify(X + 1)
