"""Scores of random problems as scikit-learn gives them.

Reads problems from standard input, one per line, as JSON; prints one line of numbers per problem.
"""
import json
import sys

import numpy as np
from sklearn.metrics import (adjusted_rand_score, consensus_score, normalized_mutual_info_score,
                             roc_auc_score)


def indicator(clusters, mode, size):
    table = np.zeros((len(clusters), size), dtype=bool)
    for k, cluster in enumerate(clusters):
        table[k, cluster[mode]] = True
    return table


for line in sys.stdin:
    problem = json.loads(line)
    a, b = problem["a"], problem["b"]
    scores = [normalized_mutual_info_score(b, a, average_method="geometric"), adjusted_rand_score(b, a),
              roc_auc_score(problem["binary"], problem["scores"])]
    sets = [tuple(indicator(problem[name], mode, 12) for mode in (0, 1)) for name in ("x", "y")]
    scores.append(consensus_score(*sets))
    print(*(repr(float(s)) for s in scores))
