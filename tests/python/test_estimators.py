"""The estimators are what a user of scikit-learn expects: its own checks, clones, pipelines, searches, pickles."""

import copy
import inspect
import io
import pickle

import joblib
import numpy as np
import pytest
import sklearn
from sklearn.base import BiclusterMixin, clone
from sklearn.cluster import KMeans as SklearnKMeans
from sklearn.exceptions import NotFittedError
from sklearn.metrics import adjusted_rand_score, consensus_score
from sklearn.model_selection import GridSearchCV, KFold, cross_val_score
from sklearn.pipeline import FeatureUnion, make_pipeline
from sklearn.preprocessing import FunctionTransformer, MinMaxScaler
from sklearn.utils.estimator_checks import check_estimator
from sklearn.utils.validation import check_is_fitted

import gingham
from support import NAMES, RECORDS, bits, class_of, estimator, extras, of_kind, plain_data, result_bits

pytestmark = pytest.mark.filterwarnings("ignore")
TRANSFORMERS = [name for name in NAMES if RECORDS[name]["transforms"]]
MATRIX_TRANSFORMERS = [name for name in TRANSFORMERS if RECORDS[name]["input"] == "matrix"]

# Estimator and check: the reason why it is not run. Nothing is skipped.
SKIPS = {}


def checks():
    for name in of_kind("matrix"):
        for one, check in check_estimator(class_of(name)(), generate_only=True):
            title = getattr(check, "func", check).__name__
            reason = SKIPS.get((name, title))
            marks = [pytest.mark.skip(reason=reason)] if reason else []
            yield pytest.param(one, check, id=f"{type(one).__name__}-{title}", marks=marks)


@pytest.mark.parametrize("one, check", checks())
def test_checks_of_scikit_learn(one, check):
    check(one)


# -- parameters

@pytest.mark.parametrize("name", NAMES)
def test_parameters_are_the_options_of_the_method(name):
    cls = class_of(name)
    keys = [option["name"].replace("-", "_").replace("lambda", "lambda_") for option in RECORDS[name]["options"]]
    assert sorted(inspect.signature(cls).parameters) == sorted(keys)
    assert sorted(cls().get_params()) == sorted(keys)
    for key in keys:
        assert f"\n{key} : " in cls.__doc__, "every parameter is explained"
    for array in RECORDS[name]["arrays"]:
        assert f"\n{array['name'].replace('_<i>', '').replace('_<n>', '')}_ : " in cls.__doc__
    assert cls.__module__ == "gingham" and getattr(gingham, cls.__name__) is cls


@pytest.mark.parametrize("name", NAMES)
def test_set_params_get_params_clone_repr(name):
    one = class_of(name)(seed=7)
    assert one.set_params(seed=9) is one and one.get_params()["seed"] == one.seed == 9
    with pytest.raises(ValueError, match="no_such"):
        one.set_params(no_such=1)
    with pytest.raises(TypeError):
        class_of(name)(no_such=1)
    with pytest.raises(TypeError):
        class_of(name)(1)  # only by name
    other = clone(one)
    assert other is not one and other.get_params() == one.get_params()
    assert repr(one) == f"{type(one).__name__}(seed=9)"
    assert repr(class_of(name)()) == f"{type(one).__name__}()"


@pytest.mark.parametrize("name", NAMES)
def test_a_clone_of_a_fitted_one_is_not_fitted_and_fits_alike(name):
    X = plain_data(name)
    one = estimator(name, **extras(name)).fit(X)
    other = clone(one)
    assert not hasattr(other, "result_")
    for use in (lambda: other.rows_, lambda: other.report(), lambda: other.verify(), lambda: check_is_fitted(other)):
        with pytest.raises(NotFittedError):
            use()
    check_is_fitted(one)
    assert result_bits(other.fit(X)) == result_bits(one)


@pytest.mark.parametrize("name", NAMES)
def test_fit_does_not_touch_parameters_and_may_be_called_again(name):
    X = plain_data(name)
    one = estimator(name, **extras(name))
    before = copy.deepcopy(one.get_params())
    first = result_bits(one.fit(X))
    assert bits(list(one.get_params().values())) == bits(list(before.values()))
    assert result_bits(one.fit(X)) == first
    assert result_bits(one.set_params(seed=11).fit(X)) == result_bits(estimator(name, seed=11, **extras(name)).fit(X))


@pytest.mark.parametrize("name", NAMES)
def test_attributes(name):
    X = plain_data(name)
    one = estimator(name, **extras(name))
    labels = one.fit_predict(X)
    assert labels is one.labels_ or bits(labels) == bits(one.labels_)
    first = X[0] if isinstance(X, list) else X
    if not isinstance(labels, list):
        assert labels.shape == first.shape[:1] and labels.dtype.kind == "i" and labels.min() >= -1
    assert one.objective_ == one.result_.objective and one.n_iter_ == one.result_.iterations >= 1
    for array in RECORDS[name]["arrays"]:
        stem = array["name"].replace("_<i>", "").replace("_<n>", "")
        if not array["is_optional"]:
            value = getattr(one, stem + "_")
            assert isinstance(value, list) == ("<" in array["name"])
            assert value if isinstance(value, list) else value.size


def test_inheriting_and_overriding():
    class Mine(gingham.KMeans):
        def fit(self, X, y=None):
            return super().fit(2 * np.asarray(X))

    X = plain_data("kmeans")
    one = clone(Mine(clusters=2)).fit(X)
    assert bits(one.centers_) == bits(gingham.KMeans(clusters=2).fit(2 * X).centers_)
    assert bits(pickle.loads(pickle.dumps(gingham.KMeans(clusters=2).fit(X))).centers_) == bits(one.centers_ / 2)


# -- co-clusters as in sklearn.cluster.bicluster

@pytest.mark.parametrize("name", of_kind("matrix"))
def test_biclusters_are_those_of_scikit_learn(name):
    X = plain_data(name)
    one = estimator(name, **extras(name)).fit(X)
    table = one.result_.clusters
    if "columns" not in set(table["mode"]) or "rows" not in set(table["mode"]):
        pytest.skip("has members of one side only")
    rows, columns = one.biclusters_
    assert isinstance(one, BiclusterMixin)
    assert rows.dtype == columns.dtype == bool and len(rows) == len(columns)
    assert (rows.shape[1], columns.shape[1]) == X.shape
    groups = {side: [set(part["index"]) for _, part in table[table["mode"] == side].groupby("component")]
              for side in ("rows", "columns")}
    if RECORDS[name]["checkerboard"]:  # rows first, as in sklearn's SpectralBiclustering
        pairs = [(r, c) for r in groups["rows"] for c in groups["columns"]]
        assert [(set(np.flatnonzero(r)), set(np.flatnonzero(c))) for r, c in zip(rows, columns)] == pairs
    for k in range(len(rows)):
        i, j = one.get_indices(k)
        assert one.get_shape(k) == (len(i), len(j)) == (rows[k].sum(), columns[k].sum())
        assert bits(np.asarray(one.get_submatrix(k, X))) == bits(X[np.ix_(i, j)])
    if rows.any(axis=1).all() and columns.any(axis=1).all():
        assert consensus_score(one.biclusters_, one.biclusters_) == pytest.approx(1)
        assert gingham.metrics.consensus_score(one.biclusters_, one.biclusters_) == pytest.approx(1)


# -- pipelines and searches

@pytest.mark.parametrize("name", MATRIX_TRANSFORMERS)
def test_pipeline(name):
    X = plain_data(name)
    pipeline = make_pipeline(MinMaxScaler(), estimator(name))
    found = pipeline.fit(X).transform(X[:5])
    scaled = MinMaxScaler().fit_transform(X)
    alone = estimator(name).fit(scaled)
    assert bits(found) == bits(alone.transform(scaled[:5]))
    assert bits(pipeline.predict(X[:5])) == bits(alone.predict(scaled[:5]))
    assert pipeline.score(X) == alone.score(scaled)
    assert list(pipeline.get_feature_names_out()) == list(alone.get_feature_names_out())
    assert pipeline.set_params(**{f"{pipeline.steps[-1][0]}__seed": 5})[-1].seed == 5
    union = FeatureUnion([("a", estimator(name)), ("b", FunctionTransformer())])
    assert union.fit_transform(X).shape == (len(X), alone.transform(scaled).shape[1] + X.shape[1])


@pytest.mark.parametrize("name, grid", [("dictionary", {"lambda_": [0.01, 0.1, "20%"]}),
                                        ("online-dictionary", {"lambda_": [0.01, 0.3], "atoms": [4, 6]}),
                                        ("groupnmf", {"beta": [0, "5%", 0.5]}), ("nmf", {"rank": [1, 2, 4]}),
                                        ("kmeans", {"clusters": [1, 2, 4]})])
def test_grid_search_scores_are_held_out_losses(name, grid):
    if name not in MATRIX_TRANSFORMERS:
        pytest.skip("cannot be applied to new rows")
    X = plain_data(name)
    search = GridSearchCV(estimator(name), grid, cv=KFold(3)).fit(X)
    by_hand = []
    for params in search.cv_results_["params"]:
        scores = [estimator(name, **params).fit(X[train]).score(X[test]) for train, test in KFold(3).split(X)]
        by_hand.append(np.mean(scores))
    np.testing.assert_allclose(search.cv_results_["mean_test_score"], by_hand, rtol=1e-12)
    assert search.best_params_ == search.cv_results_["params"][int(np.argmax(by_hand))]
    assert np.isfinite(by_hand).all() and len(set(by_hand)) > 1
    assert cross_val_score(estimator(name), X, cv=2).shape == (2,)


def naive_loss(name, fitted, X):
    """Squared error of new rows, from what transform gives and the fitted factors."""
    codes = fitted.transform(X)
    codes = codes.toarray() if hasattr(codes, "toarray") else codes
    if hasattr(fitted, "levels_"):  # rank-one terms u v' with weights s
        other = (fitted.v_ * fitted.s_).T
    else:
        other = fitted.dictionary_.T if hasattr(fitted, "dictionary_") else fitted.H_
    return ((X - codes @ other) ** 2).sum()


@pytest.mark.parametrize("name", MATRIX_TRANSFORMERS)
def test_score_is_minus_the_loss_per_row_and_better_for_better_models(name):
    X = plain_data(name)
    one = estimator(name, **({"normalize": False} if "normalize" in class_of(name)().get_params() else {})).fit(X)
    if hasattr(one, "centers_"):
        distances = ((X[:, None] - one.centers_[None]) ** 2).sum(axis=2)
        assert -one.score(X) * len(X) == pytest.approx(distances.min(axis=1).sum())
    else:
        ratio = -one.score(X) * len(X) / naive_loss(name, one, X)
        assert ratio == pytest.approx(round(2 * ratio) / 2, rel=1e-6), "the squared error or half of it"
    noise = np.abs(np.random.default_rng(0).normal(size=X.shape)) * 10
    assert one.score(X) > one.score(noise)


# -- copies

def copies(one):
    yield "pickle", pickle.loads(pickle.dumps(one))
    yield "old pickle", pickle.loads(pickle.dumps(one, protocol=2))
    file = io.BytesIO()
    joblib.dump(one, file)
    file.seek(0)
    yield "joblib", joblib.load(file)
    yield "deepcopy", copy.deepcopy(one)
    yield "copy", copy.copy(one)


@pytest.mark.parametrize("name", NAMES)
def test_copies_have_every_bit(name, tmp_path):
    X = plain_data(name)
    one = estimator(name, **extras(name)).fit(X)
    for how, other in copies(one):
        assert type(other) is type(one), how
        assert result_bits(other, with_inputs=True) == result_bits(one, with_inputs=True), how
        assert bits(other.result_.trace) == bits(one.result_.trace), how
        assert bits(list(other.get_params().values())) == bits(list(one.get_params().values())), how
        for key, value in vars(one).items():
            if key.endswith("_") and key != "result_" and not key.startswith("_"):
                assert bits(vars(other)[key]) == bits(value), (how, key)
        assert other.verify(X) == [], how
        other.save(tmp_path / how)
        assert result_bits(gingham.load(tmp_path / how)) == result_bits(one), how
        if name in MATRIX_TRANSFORMERS:
            assert bits(other.transform(X[:3])) == bits(one.transform(X[:3])), how


@pytest.mark.parametrize("name", NAMES)
def test_unfitted_ones_copy_too(name):
    for how, other in copies(class_of(name)(seed=3)):
        assert other.seed == 3 and not hasattr(other, "result_"), how


def test_a_pickle_does_not_hold_the_data():
    X = np.random.default_rng(0).normal(size=(20_000, 10))
    assert len(pickle.dumps(gingham.KMeans(clusters=2, restarts=1).fit(X))) < X.nbytes


# -- names of columns

@pytest.mark.parametrize("name", MATRIX_TRANSFORMERS)
def test_set_output_and_names(name):
    pandas = pytest.importorskip("pandas")
    X = pandas.DataFrame(plain_data(name)).add_prefix("c")
    one = estimator(name).fit(X)
    assert list(one.feature_names_in_) == list(X.columns) and one.n_features_in_ == X.shape[1]
    names = one.get_feature_names_out()
    assert len(set(names)) == len(names) == one.transform(X).shape[1]
    with pytest.raises(ValueError, match="(?i)feature names"):
        one.transform(X[X.columns[::-1]])
    with pytest.raises(ValueError, match="features|feature names"):
        one.transform(X.iloc[:, :-1])
    plain = one.transform(X)
    if not hasattr(plain, "toarray"):
        table = estimator(name).set_output(transform="pandas").fit(X).transform(X)
        assert list(table.columns) == list(names) and list(table.index) == list(X.index)
        assert bits(np.ascontiguousarray(table.to_numpy())) == bits(np.ascontiguousarray(plain))


# -- KMeans does what k-means does

def test_kmeans_against_plain_loops_and_scikit_learn():
    rng = np.random.default_rng(5)
    means = np.array([[0, 0], [9, 0], [0, 9.0]])
    truth = rng.permutation(np.repeat([0, 1, 2], 30))
    X = means[truth] + rng.normal(size=(90, 2))
    one = gingham.KMeans(clusters=3).fit(X)
    assert adjusted_rand_score(truth, one.labels_) == 1
    distances = ((X[:, None] - one.centers_[None]) ** 2).sum(axis=2)
    assert (distances.argmin(axis=1) == one.labels_).all()
    for k in range(3):
        np.testing.assert_allclose(one.centers_[k], X[one.labels_ == k].mean(axis=0))
    other = SklearnKMeans(3, n_init=10, random_state=0).fit(X)
    ratio = one.objective_ / other.inertia_
    assert ratio == pytest.approx(1, rel=1e-6) or ratio == pytest.approx(0.5, rel=1e-6)


@pytest.mark.parametrize("rows, clusters", [(1, 1), (3, 3), (5, 1)])
def test_kmeans_at_the_edge(rows, clusters):
    X = np.arange(2.0 * rows).reshape(rows, 2)
    one = gingham.KMeans(clusters=clusters).fit(X)
    assert sorted(set(one.labels_)) == list(range(clusters))
    if rows == clusters:
        assert one.objective_ == 0


def test_tags_say_what_the_methods_take():
    for name in of_kind("matrix"):
        one, record = class_of(name)(), RECORDS[name]
        if sklearn.__version__ < "1.6":
            tags = one._get_tags()
            assert tags["allow_nan"] == record["accepts_missing"]
            assert tags["requires_positive_X"] == record["needs_nonnegative"]
        assert hasattr(one, "transform") == hasattr(one, "predict") == record["transforms"]


def test_what_is_explained_is_one_less_the_residual_and_unknown_without_a_model_of_cells():
    X = np.random.default_rng(3).uniform(size=(12, 8))
    one = gingham.NMF(rank=3, restarts=1).fit(X)
    left = X - one.W_ @ one.H_
    assert one.explained_ == pytest.approx(1 - (left**2).sum() / (X**2).sum(), abs=1e-12)
    for k, component in enumerate(one.result_.components):
        without = left + np.outer(one.W_[:, k], one.H_[k])
        assert component["explained"] == pytest.approx(((without**2).sum() - (left**2).sum()) / (X**2).sum(), abs=1e-12)
    assert gingham.SpectralCoclustering(clusters=2).fit(X).explained_ is None
