"""What `linear.rs` measures, by scikit-learn: `python linear_svc.py matrix.svm`."""

import sys
import time

import numpy as np
import sklearn
from sklearn.datasets import load_svmlight_file
from sklearn.svm import LinearSVC

COSTS = [1e-3, 3.2e-3, 1e-2, 3.2e-2, 1e-1, 3.2e-1, 1.0, 3.2, 1e1]

matrix, labels = load_svmlight_file(sys.argv[1])
# LinearSVC takes no other indices.
matrix.indices = matrix.indices.astype(np.int32)
matrix.indptr = matrix.indptr.astype(np.int32)
classes = np.where(labels > 0, 1, -1)
print(f"scikit-learn {sklearn.__version__}: {matrix.shape[0]} rows, {matrix.shape[1]} columns")
started = time.process_time()
for cost in COSTS:
    model = LinearSVC(C=cost, dual=False).fit(matrix, classes)
    taken = time.process_time() - started
    missed = np.maximum(1 - classes * model.decision_function(matrix), 0)
    objective = (model.coef_**2).sum() / 2 + cost * (missed**2).sum()
    print(f"C {cost}: objective {objective:.6e}, {taken:.2f} s so far", flush=True)
