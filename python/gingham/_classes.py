"""One class per method, made from its record."""

import inspect

import numpy as np
from sklearn.base import BiclusterMixin, TransformerMixin

from ._docs import class_doc
from ._estimators import Estimator, Predictor
from ._methods import METHODS
from ._options import unknown_parameter
from ._results import Result, load_run


def _make_init(method):
    parameters = [inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)]
    parameters += [inspect.Parameter(one.key, inspect.Parameter.KEYWORD_ONLY, default=one.default)
                   for one in method.options]
    signature = inspect.Signature(parameters)

    defaults = {one.key: one.default for one in method.options}

    def __init__(self, *positional, **values):
        if positional:
            raise TypeError(f"{type(self).__name__}: give parameters by name, as in {type(self).__name__}(seed=1)")
        for key in values:
            if key not in defaults:
                raise unknown_parameter(type(self).__name__, key, defaults)
        for key, default in defaults.items():
            setattr(self, key, values.get(key, default))

    __init__.__signature__ = signature
    __init__.__qualname__ = f"{method.python_class}.__init__"
    return __init__


def make_class(method):
    bases = [Estimator]
    if method.transforms:
        bases = [Predictor, TransformerMixin] + bases
    if method.input == "matrix":
        bases = [BiclusterMixin] + bases
    namespace = {"_method": method, "__init__": _make_init(method), "__doc__": class_doc(method),
                 "__module__": "gingham", "__qualname__": method.python_class}
    for shared in ("rows_", "columns_", "biclusters_"):  # ours come before those of the mixin
        namespace[shared] = getattr(Estimator, shared)
    if method.transforms and method.input == "matrix":
        namespace["transform"] = Predictor.transform  # set_output works on what a class itself defines
    return type(method.python_class, tuple(bases), namespace)


CLASSES = {method.name: make_class(method) for method in METHODS.values()}


def estimator_of(run, data=None):
    """The fitted estimator of a stored run; with the data of the fit where they are at hand."""
    method = METHODS[Result(run).method]
    texts, contents = run.options(), run.contents()
    values = {}
    for option in method.options:
        if option.name in contents and not texts.get(option.name):
            values[option.key] = contents[option.name]
        elif option.name in texts:
            values[option.key] = option.value_of(texts[option.name])
    estimator = CLASSES[method.name](**values)
    estimator._keep(run, data, _stored_features(run) if method.input == "matrix" else {})
    return estimator


def _stored_features(run):
    names = run.item_labels()[0][1] if run.item_labels() else []
    features = {"n_features_in_": Result(run).inputs[0]["shape"][1]}
    if names:
        features["feature_names_in_"] = np.array(names, dtype=object)
    return features


def load(directory, *, attached=None):
    """The fitted estimator of a result directory, of whichever class it is.

    `attached` maps an option to the path where its file is now, if that has moved since the fit.
    """
    return estimator_of(load_run(directory, attached))
