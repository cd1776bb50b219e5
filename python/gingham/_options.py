"""Options of methods and simulators: records of the registry as parameters of Python."""

import difflib
import errno
import math
import numbers
import os
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from ._core import in_python_words  # --row-sparsity -> row_sparsity, within a text
from ._records import is_yes_or_no, python_name, value_of


@dataclass(frozen=True)
class Option:
    """One option record: what it is called, what it takes, what it means."""

    name: str  # as it is typed: "row-sparsity"
    type: str  # flag, integer, real, choice, text, penalties, lines, matrix or mode_penalties
    initial: str  # the default as it is typed; empty: none
    words: tuple
    help: str
    range: str
    is_single: bool
    is_for_transform: bool

    @classmethod
    def from_record(cls, record):
        return cls(**{**record, "words": tuple(record["words"])})

    @property
    def key(self):
        """The name of the parameter."""
        return python_name(self.name)

    @property
    def is_yes_or_no(self):
        return is_yes_or_no(self.type, self.words)

    @property
    def default(self):
        return self.value_of(self.initial)

    def value_of(self, text):
        """The Python value of what one would type."""
        return value_of(self.type, self.words, text)

    def text_of(self, value, where):
        """What one would type for a value; None where the default holds.

        Raises TypeError for a value of a type that the option cannot take. Whether the value is
        within its range is the engine's to say.
        """
        if value is None:
            return None
        if isinstance(value, (bool, np.bool_)):
            if not self.is_yes_or_no:
                raise TypeError(f"{where}: {self.key} is {value}, expected {self.range}")
            return "yes" if value else "no"
        if isinstance(value, str):
            return value
        if isinstance(value, numbers.Real) and self.type in ("integer", "real", "choice", "penalties", "text"):
            return number_text(value)
        if self.type == "mode_penalties" and isinstance(value, Mapping):
            return " ".join(f"{mode}={penalty}" for mode, penalty in value.items())
        if self.type in ("penalties", "text") and not self.is_single and _is_list(value):
            parts = [None if _is_list(one) else self.text_of(one, where) for one in value]
            if None not in parts:
                return ",".join(parts)
        raise TypeError(f"{where}: {self.key} is of type {type(value).__name__}, expected {self.range}")

    def content_of(self, value, where):
        """Lines (a list of str) or a matrix (an array) given in place of a file; None for a file or a word."""
        if self.type not in ("lines", "matrix") or value is None or isinstance(value, (str, os.PathLike)):
            return None
        if self.type == "matrix":
            from ._blocks import dense_array

            array = dense_array(value, f"{where}: {self.key}")
            if array.ndim != 2:
                raise ValueError(f"{where}: {self.key} has {array.ndim} dimensions, expected 2")
            return array
        try:
            if isinstance(value, Mapping):
                lines = [f"{name} {number_text(factor)}" for name, factor in value.items()]
            elif not np.iterable(value):
                raise TypeError
            else:
                lines = [_line(one) for one in _items(value)]
        except (TypeError, ValueError):
            raise TypeError(
                f"{where}: {self.key} is of type {type(value).__name__}, expected a list or array with one "
                "entry per item, a mapping, or the path of a text file"
            ) from None
        return [checked_text(line, f"{where}: {self.key}") for line in lines]


def checked_text(text, name):
    """The text, or a ValueError that names the argument: the engine takes nothing but UTF-8."""
    try:
        text.encode()
    except UnicodeEncodeError:
        raise ValueError(f"{name}: {text!r} cannot be written as UTF-8") from None
    return text


def path_text(path, name):
    if not isinstance(path, (str, os.PathLike)):
        raise TypeError(f"{name} is of type {type(path).__name__}, expected a path")
    return checked_text(os.fsdecode(path), name)


class MissingFile(FileNotFoundError, ValueError):
    """A path that leads nowhere, for those who expect either."""


def existing_path(path, where):
    """The same for what is to be read. "file.npz:name" picks an array of a file."""
    text = path_text(path, where)
    if not os.path.exists(text) and not os.path.exists(text.rpartition(":")[0]):
        raise MissingFile(errno.ENOENT, f"{where}: {os.strerror(errno.ENOENT)}", text)
    return text


def whole_number(value, name, low, high):
    """An int, or a ValueError or TypeError that names the argument."""
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, (numbers.Real, np.number)):
        raise TypeError(f"{name} is of type {type(value).__name__}, expected a whole number from {low} to {high}")
    if not (low <= value <= high and int(value) == value):
        raise ValueError(f"{name} is {value}, expected a whole number from {low} to {high}")
    return int(value)


def unknown_parameter(where, key, known):
    """The error for a parameter that is not there: those that are, and the nearest."""
    near = difflib.get_close_matches(key, known, 1)
    hint = f" (did you mean {near[0]}?)" if near else ""
    return TypeError(f"{where}: there is no parameter {key!r}{hint}; there are {', '.join(sorted(known)) or 'none'}")


def number_text(value):
    """The shortest text that reads back as the same number."""
    if isinstance(value, numbers.Integral):
        return str(int(value))
    value = float(value)
    return str(int(value)) if value.is_integer() and abs(value) < 2**53 else repr(value)


def _is_list(value):
    return isinstance(value, (list, tuple)) or (isinstance(value, np.ndarray) and value.ndim == 1)


def _items(value):
    return value.tolist() if hasattr(value, "tolist") else list(value)


def _line(item):
    """One entry of a list of lines: a name, a number, nothing, or several names."""
    if item is None or type(item).__name__ == "NAType" or (isinstance(item, float) and item != item):
        return ""
    if isinstance(item, str):
        return item
    if isinstance(item, (list, tuple, set, frozenset)):
        return ",".join(_line(one) for one in item)
    if isinstance(item, numbers.Real) and math.isfinite(item):
        return number_text(item)
    return str(item)


def is_same(value, default):
    """Whether a parameter is at its default; arrays never are."""
    return value is default or (type(value) is type(default) and isinstance(value, (str, int, float, bool))
                                and value == default)


def settings(options, values, where):
    """Texts and contents for the engine, by the options' own names.

    `values` maps parameters to values. Raises TypeError for a parameter that is not there.
    """
    by_key = {option.key: option for option in options}
    texts, contents = {}, {}
    for key, value in values.items():
        option = by_key.get(key)
        if option is None:
            raise unknown_parameter(where, key, by_key)
        content = option.content_of(value, where)
        if content is not None:
            contents[option.name] = content
            continue
        text = option.text_of(os.fspath(value) if isinstance(value, os.PathLike) else value, where)
        if text is not None and text != "":
            texts[option.name] = checked_text(text, f"{where}: {key}")
    return texts, contents
