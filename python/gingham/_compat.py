"""What differs between versions of scikit-learn."""

import numpy as np
from sklearn.utils.validation import _get_feature_names


def features_of(X, n_features):
    """What a fit keeps of the columns, as every estimator of scikit-learn does: their number, and their names."""
    names = _get_feature_names(_table_of(X))
    attributes = {"n_features_in_": n_features}
    if names is not None:
        attributes["feature_names_in_"] = names
    return attributes


def check_features(estimator, X, n_features):
    """Checks the columns of new data against those of the fit."""
    table = _table_of(X)
    table = table if table is not None else np.empty((1, n_features))
    if hasattr(estimator, "_check_feature_names"):  # before 1.6
        estimator._check_feature_names(table, reset=False)
    else:
        from sklearn.utils.validation import _check_feature_names

        _check_feature_names(estimator, table, reset=False)
    if n_features != estimator.n_features_in_:
        raise ValueError(f"X has {n_features} features, but {type(estimator).__name__} is expecting "
                         f"{estimator.n_features_in_} features as input")


def _table_of(X):
    """A table with named columns, or None."""
    return X if hasattr(X, "columns") and hasattr(X, "shape") else None


def transformer_tags(tags, old):
    """The tags of 1.6 and later, from those of before."""
    tags.input_tags.allow_nan = old["allow_nan"]
    tags.input_tags.positive_only = old["requires_positive_X"]
    tags.input_tags.sparse = "sparse" in old["X_types"]
    return tags
