"""Records of the registry in the words of Python. It needs Python alone, so that stubs are made without numpy."""

import keyword


def python_name(name):
    """row-sparsity -> row_sparsity, lambda -> lambda_."""
    key = name.replace("-", "_")
    return key + "_" if keyword.iskeyword(key) else key


def is_yes_or_no(kind, words):
    return kind == "flag" or set(words) == {"yes", "no"}


def value_of(kind, words, text):
    """The Python value of what one would type for an option of this kind; None for nothing."""
    if is_yes_or_no(kind, words):
        return text == "yes"
    if not text:
        return None
    return _number_or_text(text) if kind in ("integer", "real", "penalties") else text


def _number_or_text(text):
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    return text


def own_options_first(methods):
    """The records of methods with the options that all of them have at the end."""
    common = set.intersection(*({one["name"] for one in method["options"]} for method in methods))
    for method in methods:
        method["options"].sort(key=lambda option: option["name"] in common)
    return methods
