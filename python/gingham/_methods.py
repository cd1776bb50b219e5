"""The methods of the registry."""

from . import _core
from ._options import Option
from ._records import own_options_first


class Method:
    """One method of the registry."""

    def __init__(self, record):
        self.record = record
        self.name = record["name"]
        self.input = record["input"]
        self.options = [Option.from_record(one) for one in record["options"]]
        self.lying_arrays = {one["name"] for one in record["arrays"] if one["meaning"].startswith("components x")}
        self.loss_is_mean = record["formula"].startswith("(1/n)")  # over the samples, otherwise their sum

    def __getattr__(self, name):
        try:
            return self.__dict__["record"][name]
        except KeyError:
            raise AttributeError(name) from None

    def __reduce__(self):
        return find_method, (self.name,)


METHODS = {record["name"]: Method(record) for record in own_options_first(_core.methods())}


def find_method(name):
    return METHODS[name]
