"""Type stubs of the package: python3 stubs.py FOLDER, where the package lies with its extension module.

Classes of methods and problems to simulate come from the registry, everything else from the sources, which are read
and not imported: building needs neither numpy nor scikit-learn.
"""

import ast
import importlib
import pathlib
import sys

HEAD = """\
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple, Protocol, TypeVar, Union, overload

import numpy as np
from numpy.typing import NDArray
"""
INIT_HEAD = HEAD + '''\
from sklearn.base import BaseEstimator, BiclusterMixin, TransformerMixin  # type: ignore

from . import metrics as metrics

__version__: str

_Self = TypeVar("_Self", bound="Estimator")
_File = Union[str, os.PathLike[str]]

class _Shaped(Protocol):
    """Arrays of numpy, scipy.sparse and sparse, DataFrames, AnnData, Coordinates."""

    @property
    def shape(self) -> Any: ...

_Matrix = Union[_Shaped, Sequence[Any], Data, _File]
_Tensor = Union[_Shaped, Sequence[Any], Data, _File]
_Matrices = Union[NDArray[Any], Sequence[Any], Mapping[str, Any], Data, _File]
_Lines = Union[Sequence[Any], NDArray[Any], Mapping[str, float], set[Any], _File]
_Levels = Union[float, str, Sequence[Union[float, str]], NDArray[Any]]
_Labels = NDArray[np.int64]
_Members = NDArray[np.bool_]
'''
UNTYPED = "  # type: ignore[misc]"  # a base class that is Any where scikit-learn has no types
ESTIMATOR_TAIL = """\
    def get_params(self, deep: bool = True) -> dict[str, Any]: ...
    def set_params(self: _Self, **params: Any) -> _Self: ...
    result_: Result
    objective_: float
    explained_: float | None
    n_iter_: int
    n_features_in_: int
    feature_names_in_: NDArray[np.object_]
"""
INPUTS = {"matrix": "_Matrix", "tensor": "_Tensor", "series": "_Matrices", "views": "_Matrices"}
CALLBACK = "Callable[[Progress], object] | None"
TRUTH = "Sequence[Any] | NDArray[Any] | _File | None"
# What the sources do not say: types of parameters, by function where a name means several things.
PARAMETERS = {
    "axis": 'Literal["rows", "columns"]', "callback": CALLBACK, "deep": "bool", "directory": "_File",
    "duplicates": 'Literal["error", "sum"]', "estimator": "Estimator", "estimators": "Iterable[Estimator]",
    "files": "_File", "index_base": "Literal[0, 1]",
    "memory_limit": "float", "mode": "int | None", "names": "Sequence[Any] | None", "output": "_File | None",
    "path": "_File | None", "read.labels": 'Literal["automatic", "none", "rows", "columns", "both"]',
    "read.names": "Sequence[_File]", "read.shape": "Sequence[int]", "seed": "int", "series_mode": "int | None",
    "shape": "tuple[int, ...] | None", "slices.mode": "int", "threads": "int | None", "truth": TRUTH,
    "apply.unlisted": 'Literal["zero", "missing"] | None',
    "unlisted": 'Literal["zero", "missing"]', "vary": "Mapping[str, Sequence[Any] | NDArray[Any] | str]",
    "views": "Sequence[int] | None", "compare.mode": "str | None", "write.path": "_File", "positive": "Any",
    "found": "Sequence[Any] | NDArray[Any]", "metrics.truth": "Sequence[Any] | NDArray[Any]", "lying": "Iterable[str]",
}
RETURNS = {
    "fit": "_Self", "apply": "Transformed", "report": "str", "verify": "list[str]", "save": "None",
    "Estimator.load": "_Self", "load": "Any", "predict": "_Labels", "transform": "NDArray[np.float64]",
    "score": "float",
    "get_feature_names_out": "NDArray[np.object_]", "read": "Data", "write": "None", "path": "Path",
    "compare": "Comparison", "to_dict": "dict[str, Any]", "factor": "NDArray[np.float64]", "slices": "Data",
    "toarray": "NDArray[np.float64]", "metrics.scores": "dict[str, float]", "Simulation.X": "Any", "X": "Any",
    "biclusters_": "tuple[Any, Any]", "modes_": "list[Any]",
    "ndim": "int", "names": "list[str]", "labels": "dict[str, _Labels]", "Data.labels": "list[list[list[str]]]",
    "Coordinates.names": "Sequence[Any] | None", "shapes": "list[tuple[int, ...]]", "summaries": "list[dict[str, Any]]",
    "arrays": "dict[str, Any]", "Data.arrays": "list[Any]", "method": "str", "version": "str", "status": "str",
    "objective": "float", "iterations": "int", "terms": "dict[str, Any]", "gaps": "dict[str, float]",
    "components": "list[dict[str, Any]]", "Result.restarts": "list[dict[str, Any]]", "parameters": "dict[str, Any]",
    "inputs": "list[dict[str, Any]]", "seconds": "Any", "notes": "list[str]", "Result.scores": "dict[str, Any]",
    "trace": "NDArray[Any]", "results": "list[Result]", "estimators": "list[Any]", "remarks": "list[str]",
    "is_complete": "bool", "coords": "tuple[NDArray[Any], ...]", "values": "NDArray[Any]", "shape": "tuple[int, ...]",
    "unlisted": "str", "duplicates": "str", "data": "Data | None", "lines": "dict[str, list[str]]",
    "images": "list[tuple[str, NDArray[np.uint8]]]", "truth": "dict[str, Any]", "members": "dict[str, _Members]",
    "memberships": "list[dict[str, Any]]", "n_components": "int", "n_items": "int", "__len__": "int",
    "__init__": "None",
}
CALLED = {"Coordinates"}  # classes whose objects users make; those of the others come from functions
OF_EACH = ("apply", "fit_predict")  # methods whose parameters are those of the class: see estimator_methods
SHOWN_DUNDERS = {"__init__", "__len__", "__getitem__", "__iter__", "__contains__"}


# -- from the sources


def parse(folder):
    """All functions and classes at the top of the modules, by name; modules of the same name do not occur."""
    found = {}
    for file in sorted(folder.glob("*.py")):
        for node in ast.parse(file.read_text(encoding="utf-8")).body:
            if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
                found.setdefault(node.name, node)
    return found


def exported(folder):
    """What __init__.py imports from its own modules, less what it keeps for itself."""
    for node in ast.parse((folder / "__init__.py").read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ImportFrom) and node.level == 1 and node.module:
            for alias in node.names:
                name = alias.asname or alias.name
                if not name.startswith("_"):
                    yield name


def type_of(table, name, *owners):
    for owner in owners:
        if f"{owner}.{name}" in table:
            return table[f"{owner}.{name}"]
    return table.get(name)


def written_parameter(argument, default, owners):
    kind = ast.unparse(argument.annotation) if argument.annotation else type_of(PARAMETERS, argument.arg, *owners)
    if kind is None and isinstance(default, ast.Constant) and isinstance(default.value, (bool, str)):
        kind = type(default.value).__name__
    ending = "" if default is None else f" = {ast.unparse(default)}" if isinstance(default, ast.Constant) else " = ..."
    return f"{argument.arg}: {kind or 'Any'}{ending}"


def parameters_of(node, owners):
    """The parameters as text, self and cls left out."""
    listed = node.args.posonlyargs + node.args.args
    defaults = [None] * (len(listed) - len(node.args.defaults)) + node.args.defaults
    texts = [written_parameter(one, default, owners) for one, default in zip(listed, defaults)
             if one.arg not in ("self", "cls")]
    if node.args.vararg:
        texts.append("*" + written_parameter(node.args.vararg, None, owners))
    elif node.args.kwonlyargs:
        texts.append("*")
    named = zip(node.args.kwonlyargs, node.args.kw_defaults)
    texts += [written_parameter(one, default, owners) for one, default in named]
    if node.args.kwarg:
        texts.append(f"**{node.args.kwarg.arg}: Any")
    return texts


def written_function(node, owner="", first="", indent="", module=""):
    """A function, or a method where `first` is self or cls."""
    returned = type_of(RETURNS, node.name, owner, module) or "Any"
    if first and returned == "_Self":
        first += ": type[_Self]" if first == "cls" else ": _Self"
    parameters = ([first] if first else []) + parameters_of(node, (owner, node.name, module))
    return f"{indent}def {node.name}({', '.join(parameters)}) -> {returned}: ...\n"


def own_attributes(node):
    """Public names that __init__ sets."""
    for method in node.body:
        if isinstance(method, ast.FunctionDef) and method.name == "__init__":
            for part in ast.walk(method):
                is_set = isinstance(part, ast.Attribute) and isinstance(part.ctx, ast.Store)
                if is_set and ast.unparse(part.value) == "self" and not part.attr.startswith("_"):
                    yield part.attr


def written_member(node, owner):
    indent = "    "
    if isinstance(node, ast.FunctionDef) and node.name in ("__init__", *OF_EACH) and owner not in CALLED:
        return ""
    if isinstance(node, ast.FunctionDef) and (not node.name.startswith("_") or node.name in SHOWN_DUNDERS):
        decorators = [ast.unparse(one) for one in node.decorator_list]
        first = "cls" if "classmethod" in decorators else "self"
        return "".join(f"{indent}@{one}\n" for one in decorators) + written_function(node, owner, first, indent)
    if isinstance(node, ast.AnnAssign):
        return f"{indent}{ast.unparse(node)}\n"
    if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call) and ast.unparse(node.value.func) == "property":
        name = node.targets[0].id
        return f"{indent}@property\n{indent}def {name}(self) -> {type_of(RETURNS, name, owner) or 'Any'}: ...\n"
    return ""


def written_class(node):
    bases = ", ".join(ast.unparse(one) for one in node.bases)
    text = f"\nclass {node.name}{f'({bases})' if bases else ''}:{UNTYPED if 'BaseEstimator' in bases else ''}\n"
    inside = "".join(f"    {name}: {type_of(RETURNS, name, node.name) or 'Any'}\n"
                     for name in dict.fromkeys(own_attributes(node)))
    inside += "".join(written_member(one, node.name) for one in node.body)
    return text + (inside or "    ...\n")


# -- from the registry


def records():
    """The module of the package that reads records; main says where it is."""
    return importlib.import_module("_records")


def literal(words):
    """Words, and numbers for those that read as such."""
    values = [value for word in words for value in ([word, int(word)] if word.isdigit() else [word])]
    return f"Literal[{', '.join(map(repr, values))}]"


def option_type(option):
    kind, several = option["type"], not option["is_single"]
    if kind == "mode_penalties":
        return "str | Mapping[str, str]"
    if kind in ("lines", "matrix"):
        return "_Lines" if kind == "lines" else "_Shaped | Sequence[Any] | _File"
    if kind == "choice":
        return literal(option["words"])
    if kind in ("text", "penalties"):
        return "_Levels" if several else "float | str"
    return "int" if kind == "integer" else "float"


def option_parameter(option):
    """`name: type = default`; what is empty by default may be None."""
    name, default = (records().python_name(option["name"]),
                     records().value_of(option["type"], option["words"], option["initial"]))
    kind = "bool" if isinstance(default, bool) else option_type(option)
    return f"{name}: {kind}{' | None' if default is None else ''} = {default!r}"


def array_attributes(method):
    """As in _estimators.py: W is W_; u_<i> is the list u_."""
    for array in method["arrays"]:
        stem, listed = array["name"], False
        for placeholder in ("_<i>", "_<n>"):
            if stem.endswith(placeholder):
                stem, listed = stem[: -len(placeholder)], True
        kind = "Any" if "sparse" in array["meaning"] else "NDArray[Any]"
        yield f"{stem}_: {f'list[{kind}]' if listed else kind}"


def label_attributes(method):
    kinds = {"matrix": {"labels_": "_Labels", "row_labels_": "_Labels", "column_labels_": "_Labels"},
             "tensor": {"labels_": "_Labels", "mode_labels_": "list[_Labels]"}}
    either = dict.fromkeys(("labels_", "row_labels_", "column_labels_"), "Any")  # a list where blocks differ
    return [f"{name}: {kind}" for name, kind in kinds.get(method["input"], either).items()]


def estimator_methods(method, sources):
    """What differs between classes: what X is, and the options that may be given anew."""
    X = INPUTS[method["input"]]
    fit, apply = (", ".join(parameters_of(sources["Estimator"][name], ("Estimator", name))[1:])  # X comes first
                  for name in ("fit", "apply"))
    yield f"def fit(self: _Self, X: {X}, {fit}) -> _Self: ..."
    labels = "_Labels" if method["input"] in ("matrix", "tensor") else "Any"
    yield f"def fit_predict(self, X: {X}, {fit}) -> {labels}: ..."
    if method["input"] == "matrix":
        pair = "tuple[_Members, _Members]"
        for name, kind in (("rows_", "_Members"), ("columns_", "_Members"), ("biclusters_", pair)):
            yield f"@property\n    def {name}(self) -> {kind}: ..."
    if method["transforms"]:
        anew = [option_parameter(one) for one in method["options"] if one["is_for_transform"]]
        options = ", ".join([apply.replace(", **options: Any", ""), *anew])
        new = "_Matrices | _Shaped" if method["input"] == "views" else X  # one view alone
        for name in ("apply", "predict", "transform"):
            yield f"def {name}(self, X: {new}, {options}) -> {RETURNS[name]}: ..."
        yield f"def fit_transform(self, X: {X}, {fit}) -> {RETURNS['transform']}: ..."
        for name in ("score", "get_feature_names_out"):
            yield written_function(sources["Predictor"][name], first="self").strip()


def written_estimator(method, sources):
    bases = (["BiclusterMixin"] if method["input"] == "matrix" else []) + ["Estimator"]
    if method["transforms"]:
        bases.insert(-1, "TransformerMixin")
    options = "".join(f"        {option_parameter(one)},\n" for one in method["options"])
    stored = [text.split(" = ")[0] for text in map(option_parameter, method["options"])]
    lines = stored + list(array_attributes(method)) + label_attributes(method)
    lines += [f"def __init__(\n        self,\n        *,\n{options}    ) -> None: ..."]
    lines += estimator_methods(method, sources)
    head = f"class {method['python_class']}({', '.join(bases)}):{UNTYPED if len(bases) > 1 else ''}"
    return (f"\n{head}\n    {method['title'] + '.'!r}\n\n" + "".join(f"    {line}\n" for line in lines))


def written_simulate(methods):
    """An object that is called, since it also has `problems`."""
    text = "\nclass _Simulate:\n    problems: list[str]\n"
    for problem in (one for method in methods for one in method["simulators"]):
        parameters = ["seed: int = 0"] + [option_parameter(one) for one in problem["options"]]
        text += (f"    @overload\n    def __call__(\n        self,\n        problem: Literal[{problem['name']!r}],\n"
                 + "        *,\n" + "".join(f"        {one},\n" for one in parameters) + "    ) -> Simulation: ...\n")
    return text + "\nsimulate: _Simulate\n"


# -- the files


def package_stub(folder, methods):
    sources = parse(folder)
    of_class = {name: {one.name: one for one in node.body if isinstance(one, ast.FunctionDef)}
                for name, node in sources.items() if isinstance(node, ast.ClassDef)}
    wanted = []
    for name in exported(folder):
        node = sources.get(name)
        bases = [one.id for one in getattr(node, "bases", []) if isinstance(one, ast.Name)]
        wanted += [one for one in [*bases, name] if one in sources and one not in wanted and one != "simulate"]
    text = INIT_HEAD
    for name in wanted:
        node = sources[name]
        text += written_class(node) if isinstance(node, ast.ClassDef) else "\n" + written_function(node)
        text += ESTIMATOR_TAIL if name == "Estimator" else ""
    text += "".join(written_estimator(method, of_class) for method in methods)
    return text + written_simulate(methods)


def metrics_stub(folder):
    text = HEAD
    for node in ast.parse((folder / "metrics.py").read_text(encoding="utf-8")).body:
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
            function = written_function(node, module="metrics")
            text += "\n" + (function if node.name == "scores" else function.replace("-> Any", "-> float"))
    return text


def main():
    folder = pathlib.Path(sys.argv[1])
    sys.path.insert(0, str(folder))  # the module alone: the package itself needs numpy
    methods = records().own_options_first(importlib.import_module("_core").methods())
    (folder / "metrics.pyi").write_text(metrics_stub(folder), encoding="utf-8")
    (folder / "__init__.pyi").write_text(package_stub(folder, methods), encoding="utf-8")


if __name__ == "__main__":
    main()
