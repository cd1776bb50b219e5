"""What differs between versions of scikit-learn."""

import numpy as np
from sklearn.base import BaseEstimator


def features_of(X, n_features):
    """n_features_in_ and, where the columns have names, feature_names_in_, as a dict."""
    blank = BaseEstimator()  # a fit that fails leaves the estimator as it was
    check_features(blank, X, n_features, reset=True)
    return vars(blank)


def check_features(estimator, X, n_features, reset):
    """Keeps or checks the number and the names of the columns, as every estimator of scikit-learn does."""
    X = getattr(X, "X", X) if not hasattr(X, "shape") else X
    if hasattr(X, "shape") and hasattr(X, "columns"):
        _check_names(estimator, X, reset)
    elif not reset or hasattr(estimator, "feature_names_in_"):
        _check_names(estimator, np.empty((1, n_features)), reset)
    if reset:
        estimator.n_features_in_ = n_features
    elif n_features != estimator.n_features_in_:
        raise ValueError(f"X has {n_features} features, but {type(estimator).__name__} is expecting "
                         f"{estimator.n_features_in_} features as input")


def _check_names(estimator, X, reset):
    if hasattr(estimator, "_check_feature_names"):  # before 1.6
        estimator._check_feature_names(X, reset=reset)
    else:
        from sklearn.utils.validation import _check_feature_names

        _check_feature_names(estimator, X, reset=reset)


def transformer_tags(tags, old):
    """The tags of 1.6 and later, from those of before."""
    tags.input_tags.allow_nan = old["allow_nan"]
    tags.input_tags.positive_only = old["requires_positive_X"]
    tags.input_tags.sparse = "sparse" in old["X_types"]
    return tags
