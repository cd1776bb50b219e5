"""What the Python package adds to a fit: `fit` of an estimator against the engine's own calls on the same array.

    PYTHONPATH=build/python python3 bench/python_overhead.py [GIGABYTES] [REPEATS]

Both work on one array of doubles (1 GB by default), in turn, so that noise hits both; the ratio is that of the medians, and the
memory that a fit takes beyond the array is printed too. The goal is a ratio below 1.01.
"""

import gc
import resource
import statistics
import sys
import time
import warnings

import numpy as np

import gingham
from gingham import _core

OPTIONS = {"clusters": 8, "max_iterations": 10, "restarts": 1}


def engine_alone(X):
    texts = {name.replace("_", "-"): str(value) for name, value in OPTIONS.items()}
    return _core.fit("kmeans", _core.Data([_core.dense_block("X", X, [])]), texts, {}, None, 0.0)


def through_the_package(X):
    return gingham.KMeans(**OPTIONS).fit(X)


def seconds(function, X):
    gc.collect()
    begin = time.perf_counter()
    function(X)
    return time.perf_counter() - begin


def main(gigabytes=1.0, repeats=5):
    warnings.simplefilter("ignore")
    rows = int(gigabytes * 1e9 / 8 / 1000)
    X = np.random.default_rng(0).random((rows, 1000))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    times = {engine_alone: [], through_the_package: []}
    for _ in range(int(repeats)):
        for function, all_of_them in times.items():
            all_of_them.append(seconds(function, X))
    beyond = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1e6
    engine, package = (statistics.median(one) for one in times.values())
    print(f"{rows} x 1000 doubles: engine {engine:.3f} s, package {package:.3f} s, ratio {package / engine:.4f} "
          f"(goal 1.01); {beyond:.2f} GB beyond the array")


if __name__ == "__main__":
    main(*map(float, sys.argv[1:]))
