"""Docstrings from the registry."""

import textwrap

INPUTS = {
    "matrix": "array, scipy.sparse matrix, DataFrame, AnnData, gingham.Data or path, rows x columns",
    "tensor": "array of two or more modes, scipy.sparse matrix, (coords, values, shape), gingham.Data or path",
    "series": "list of matrices over time that share columns or rows, or array of times x rows x columns",
    "views": "list (or dict by name) of matrices with the same rows",
}


def class_doc(method):
    traits = [INPUTS[method.input], "missing values (NaN) allowed" if method.accepts_missing else "no missing values",
              "sparse stays sparse" if method.accepts_sparse else "dense only"]
    if method.needs_nonnegative:
        traits.append("no negative values")
    parts = [f"{method.title}.", f"Minimises  {method.formula}", f"Takes {'; '.join(traits)}.",
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
    text = option.help.replace("--", "")
    return f"{option.key} : {kind}, default={option.default!r}\n" + textwrap.indent(textwrap.fill(text, 100), "    ")


def _attributes(method):
    for one in method.arrays:
        name, meaning = one["name"], one["meaning"]
        listed = "list of arrays" if "<" in name else "array"
        name = name.replace("_<i>", "").replace("_<n>", "") + "_"
        text = meaning.replace("<i>", "i").replace("--", "")
        yield f"{name} : {listed}{', where there is one' if one['is_optional'] else ''}\n" + textwrap.indent(
            textwrap.fill(text, 100), "    ")
    yield "labels_ : array\n    The strongest component of each row (item of the first mode), -1 for none."
    yield "result_ : gingham.Result\n    Everything about the run: status, trace, gaps, provenance."
    yield "objective_ : float"
    yield "n_iter_ : int"
