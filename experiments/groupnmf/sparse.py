"""Sparse matrices of terms x documents: read, chosen from, weighted, written."""
import gzip

import numpy


class Sparse:
    """Entries (rows[k], columns[k], values[k]), each place once."""

    def __init__(self, shape, rows, columns, values):
        self.shape, self.rows, self.columns, self.values = shape, rows, columns, values

    @property
    def transposed(self):
        return Sparse(self.shape[::-1], self.columns, self.rows, self.values)

    def take_rows(self, chosen):
        """The rows `chosen`, numbers without repetition, in this order."""
        place = numpy.full(self.shape[0], -1)
        place[chosen] = numpy.arange(len(chosen))
        kept = place[self.rows] >= 0
        return Sparse((len(chosen), self.shape[1]), place[self.rows[kept]], self.columns[kept], self.values[kept])

    def take_columns(self, chosen):
        return self.transposed.take_rows(chosen).transposed

    def row_sums(self):
        return numpy.bincount(self.rows, self.values, self.shape[0])

    def weighted(self):
        """Counts times ln(documents / documents with the term)."""
        documents = numpy.bincount(self.rows, minlength=self.shape[0])
        weights = numpy.log(self.shape[1] / numpy.maximum(documents, 1))
        return Sparse(self.shape, self.rows, self.columns, self.values * weights[self.rows])

    def unit_columns(self):
        lengths = numpy.sqrt(numpy.bincount(self.columns, self.values ** 2, self.shape[1]))
        return Sparse(self.shape, self.rows, self.columns,
                      self.values / numpy.where(lengths > 0, lengths, 1.0)[self.columns])

    def without(self, hidden):
        """Nothing in the columns where `hidden`."""
        kept = ~hidden[self.columns]
        return Sparse(self.shape, self.rows[kept], self.columns[kept], self.values[kept])

    def times(self, vector):
        return numpy.bincount(self.rows, self.values * vector[self.columns], self.shape[0])

    def dense(self):
        full = numpy.zeros(self.shape)
        full[self.rows, self.columns] = self.values
        return full

    def write(self, path):
        kept = self.values != 0
        lines = [f"{row} {column} {value!r}" for row, column, value in
                 zip((self.rows[kept] + 1).tolist(), (self.columns[kept] + 1).tolist(), self.values[kept].tolist())]
        head = f"%%MatrixMarket matrix coordinate real general\n{self.shape[0]} {self.shape[1]} {len(lines)}\n"
        path.write_text(head + "\n".join(lines) + "\n")
        return path


def stacked(parts):
    """Matrices with the same columns, one below the other."""
    first = numpy.cumsum([0] + [part.shape[0] for part in parts])
    return Sparse((int(first[-1]), parts[0].shape[1]),
                  numpy.concatenate([part.rows + start for part, start in zip(parts, first)]),
                  numpy.concatenate([part.columns for part in parts]),
                  numpy.concatenate([part.values for part in parts]))


def read(path):
    """A Matrix Market file of coordinates, compressed or not; a pattern has ones."""
    opened = gzip.open(path, "rt") if path.suffix == ".gz" else open(path, encoding="utf-8")
    with opened as file:
        width = 2 if "pattern" in file.readline() else 3
        line = file.readline()
        while line.startswith("%"):
            line = file.readline()
        rows, columns, _ = map(int, line.split())
        numbers = numpy.fromstring(file.read(), sep=" ").reshape(-1, width)
    values = numbers[:, 2].copy() if width == 3 else numpy.ones(len(numbers))
    return Sparse((rows, columns), numbers[:, 0].astype(int) - 1, numbers[:, 1].astype(int) - 1, values)


def read_lines(path):
    opened = gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else open(path, encoding="utf-8")
    with opened as file:
        return file.read().split("\n")[:-1]


def write_lines(path, lines):
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path
