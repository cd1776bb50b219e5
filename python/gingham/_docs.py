"""Docstrings from the registry."""

import textwrap

from ._options import in_python_words

INPUTS = {
    "matrix": "array, scipy.sparse matrix, DataFrame, AnnData, gingham.Data or path, rows x columns",
    "tensor": "array of two or more modes, scipy.sparse matrix, (coords, values, shape), gingham.Data or path",
    "series": "list of matrices over time that share columns or rows, or array of times x rows x columns",
    "views": "list (or dict by name) of matrices with the same rows",
}


# Who belongs to what, by the kind of input.
MEMBERS = {
    "matrix": {
        "labels_, row_labels_ : array": "The strongest component of each row, -1 for none.",
        "column_labels_ : array": "The same of each column, where the method groups columns.",
        "rows_, columns_ : boolean arrays": "Components x rows, components x columns: who belongs. Both: biclusters_.",
    },
    "tensor": {
        "labels_ : array": "The strongest component of each item of the first mode, -1 for none.",
        "mode_labels_ : list of arrays": "The same of each mode.",
        "modes_ : list of boolean arrays": "For each mode, components x items: who belongs.",
    },
    "series": {
        "labels_, row_labels_ : list of arrays": "For each time the strongest component of each row, -1 for none.",
        "column_labels_ : list of arrays": "The same of each column.",
        "rows_, columns_ : lists of boolean arrays": "For each time, components x rows or columns: who belongs.",
    },
    "views": {
        "labels_, row_labels_ : array": "The strongest component of each row, -1 for none.",
        "column_labels_ : list of arrays": "For each view the same of each column, where the method groups columns.",
        "rows_ : boolean array": "Components x rows: who belongs.",
        "columns_ : list of boolean arrays": "For each view, components x columns, where the method groups columns.",
    },
}


def class_doc(method):
    traits = [INPUTS[method.input], "missing values (NaN) allowed" if method.accepts_missing else "no missing values",
              "sparse stays sparse" if method.accepts_sparse else "dense only"]
    if method.needs_nonnegative:
        traits.append("no negative values")
    parts = [f"{method.title}.", f"Objective:  {method.formula}", f"Takes {'; '.join(traits)}.",
             "Parameters\n----------\n" + "\n".join(_parameter(option) for option in method.options),
             "Attributes\n----------\n" + "\n".join(_attributes(method)),
             "References\n----------\n" + method.reference]
    return "\n\n".join(parts) + "\n"


def _parameter(option):
    kind = "bool" if option.is_yes_or_no else option.range
    if option.type == "lines":
        kind = "list or array with one entry per item, mapping, or path of a text file"
    elif option.type == "matrix":
        kind = " or ".join([*map(repr, option.words), "array", "path of a matrix"])
    text = in_python_words(option.help)
    return f"{option.key} : {kind}, default={option.default!r}\n" + textwrap.indent(textwrap.fill(text, 100), "    ")


def _attributes(method):
    for one in method.arrays:
        name, meaning = one["name"], one["meaning"]
        listed = "list of arrays" if "<" in name else "array"
        name = name.replace("_<i>", "").replace("_<n>", "") + "_"
        text = in_python_words(meaning.replace("<i>", "i").replace("<n>", "n"))
        yield f"{name} : {listed}{', where there is one' if one['is_optional'] else ''}\n" + textwrap.indent(
            textwrap.fill(text, 100), "    ")
    for name, meaning in MEMBERS[method.input].items():
        yield f"{name}\n    {meaning}"
    yield "result_ : gingham.Result\n    Everything about the run: status, trace, gaps, provenance."
    yield "objective_ : float\n    Loss plus all penalties, as minimised."
    yield ("explained_ : float or None\n    1 - residual / total over the observed cells, as the method sees the data; "
           "None where it has no model of cells.")
    yield "n_iter_ : int\n    Iterations of the restart that was kept."
