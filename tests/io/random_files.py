"""Valid files of every format with random content, and what they mean. Each maker takes a NumPy generator and
returns (ending, bytes, options, reference)."""
import io

import numpy as np
import scipy.sparse

import reference


def numbers(rng, shape, missing=0.1):
    """Doubles of all sizes: integers, fractions, denormals, the ends of the range, -0.0."""
    count = int(np.prod(shape))
    kinds = rng.integers(0, 8, count)
    with np.errstate(all="ignore"):
        values = np.select(
            [kinds == 0, kinds == 1, kinds == 2, kinds == 3, kinds == 4, kinds == 5],
            [rng.integers(-1000, 1000, count).astype(float), rng.standard_normal(count),
             rng.standard_normal(count) * 10.0 ** rng.integers(-300, 300, count),
             rng.integers(1, 2**52, count).astype(np.int64).view(np.float64),
             rng.choice([0.0, -0.0, 5e-324, 1.7976931348623157e308, -2.2250738585072014e-308, 2.0**53], count),
             rng.integers(0, 2**63 - 2**53, count, dtype=np.int64).view(np.float64)], rng.random(count))
    values[~np.isfinite(values)] = 1.0
    values[rng.random(count) < missing] = np.nan
    return values.reshape(shape)


def spelled(rng, x):
    """One of the ways to write a number so that it reads back exactly."""
    x = float(x)
    way = rng.integers(0, 6)
    if way == 0:
        text = f"{x:.17g}"
    elif way == 1:
        text = f"{x:.17e}"
    elif way == 2:
        text = f"{x:.25E}"
    elif way == 3 and abs(x) < 1e20 and x == int(x) and not (x == 0 and np.signbit(x)):
        text = str(int(x))
    else:
        text = repr(x)
    return "+" + text if rng.random() < 0.1 and not text.startswith("-") else text


def line_end(rng):
    return "\r\n" if rng.random() < 0.3 else "\n"


def label(rng, k):
    words = ["gene", "Ärger", "日本", "a b", "x,y", 'say "hi"', "tab\x20", "two\nlines", "µ", "=1+1", "<b>", "N/A", "null", "-"]
    return f"{words[rng.integers(len(words))]}{k}"


def table(rng, ending=None):
    ending = ending or ("csv" if rng.random() < 0.7 else "tsv")
    delimiter = {"csv": ",", "tsv": "\t"}[ending]
    rows, columns = int(rng.integers(1, 8)), int(rng.integers(1, 8))
    array = numbers(rng, (rows, columns))
    markers = ["", "NA", "NaN", "nan", "NAN"]

    def field(text, force=False):
        if force or rng.random() < 0.15 or any(c in text for c in '"\n\r' + delimiter):
            return '"' + text.replace('"', '""') + '"'
        return " " * rng.integers(0, 2) + text if rng.random() < 0.1 and text else text

    cells = [[field(spelled(rng, x)) if x == x else field(markers[rng.integers(5)], columns == 1) for x in row]
             for row in array.tolist()]
    mode = ["none", "rows", "columns", "both"][rng.integers(4)]
    if mode in ("rows", "both"):
        for k, row in enumerate(cells):
            text = label(rng, k)
            row.insert(0, field(text, text != text.strip()))
    if mode in ("columns", "both"):
        head = [label(rng, k) for k in range(columns)]
        head = [field(text, text != text.strip()) for text in head]
        cells.insert(0, (["" if rng.random() < 0.5 else "id"] if mode == "both" else []) + head)
    end = line_end(rng)
    text = end.join(delimiter.join(row) for row in cells) + (end if rng.random() < 0.8 else "")
    data = text.encode()
    if rng.random() < 0.1:
        data = b"\xef\xbb\xbf" + data
    options = {} if rng.random() < 0.5 else {"labels": mode}
    return ending, data, options, reference.table(data, delimiter, options.get("labels", "automatic"))


def random_sparse(rng, modes):
    shape = rng.integers(1, 9, modes)
    cells = int(np.prod(shape))
    count = int(rng.integers(1, min(cells, 30) + 1))
    flat = rng.permutation(cells)[:count]
    return shape, np.stack(np.unravel_index(flat, shape), 1)


def matrix_market(rng):
    symmetry = ["general", "symmetric", "skew-symmetric"][rng.integers(3)]
    field = ["real", "integer", "pattern"][rng.integers(3)]
    form = "array" if rng.random() < 0.4 and field != "pattern" else "coordinate"
    if field == "pattern" and symmetry == "skew-symmetric":
        symmetry = "general"
    n, m = int(rng.integers(1, 8)), int(rng.integers(1, 8))
    if symmetry != "general":
        m = n
    end = line_end(rng)
    def number():
        # SciPy's own reader takes no nan in integer files and reads real values with float().
        return str(int(rng.integers(-50, 50))) if field == "integer" else spelled(rng, numbers(rng, 1, 0.0)[0])
    lines = [f"%%MatrixMarket matrix {form} {field} {symmetry}"]
    lines += ["% a comment", "%"][: rng.integers(0, 3)]
    if form == "array":
        lines.append(f"{n} {m}")
        for j in range(m):
            first = {"general": 0, "symmetric": j, "skew-symmetric": j + 1}[symmetry]
            lines += [number() for _ in range(first, n)]
    else:
        places = [(i, j) for i in range(n) for j in range(m)
                  if symmetry == "general" or i > j or (i == j and symmetry == "symmetric")]
        places = [places[k] for k in rng.permutation(len(places))[: rng.integers(0, len(places) + 1)]]
        lines.append(f"{n} {m} {len(places)}")
        for i, j in places:
            lines.append(f"{i + 1} {j + 1}" + ("" if field == "pattern" else f" {number()}"))
    text = end.join(lines) + (end if rng.random() < 0.8 else "")
    data = text.encode()
    clean = end.join(lines).encode() + b"\n"
    return "mtx", data, {}, reference.matrix_market(clean.replace(b"\r\n", b"\n"))


def tns(rng):
    modes = int(rng.integers(1, 6))
    shape, at = random_sparse(rng, modes)
    base = int(rng.integers(0, 2))
    values = numbers(rng, len(at))
    end = line_end(rng)
    lines = ["# a comment"] * int(rng.integers(0, 2))
    for place, x in zip(at, values):
        lines.append(" ".join(str(i + base) for i in place) + " " + (spelled(rng, x) if x == x else "nan"))
    data = (end.join(lines) + (end if rng.random() < 0.8 else "")).encode()
    options = {"index_base": base}
    if rng.random() < 0.5:
        options["shape"] = [int(n) for n in shape]
    return "tns", data, options, reference.tns(data, base, options.get("shape"))


def npy(rng):
    modes = int(rng.integers(1, 5))
    shape = tuple(int(n) for n in rng.integers(1, 7, modes))
    types = ["f2", "f4", "f8", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "b1"]
    name = types[rng.integers(len(types))]
    order = "<>"[rng.integers(2)]
    with np.errstate(all="ignore"):
        if name[0] == "f":
            array = numbers(rng, shape).astype(order + name)
            array[np.isinf(array)] = 0.5
        else:
            bits = rng.integers(0, 256, int(np.prod(shape)) * 8, dtype=np.uint8)
            array = bits.view("?" if name == "b1" else order + name)[: int(np.prod(shape))].reshape(shape)
            if name == "b1":
                array = (bits[: int(np.prod(shape))] > 128).reshape(shape)
    if rng.random() < 0.5:
        array = np.asfortranarray(array)
    out = io.BytesIO()
    np.lib.format.write_array(out, array, version=[(1, 0), (2, 0), (3, 0)][rng.integers(3)])
    return "npy", out.getvalue(), {}, reference.npy(out.getvalue())


def npz(rng):
    out = io.BytesIO()
    if rng.random() < 0.3:
        array = numbers(rng, (3, 4))
        (np.savez if rng.random() < 0.5 else np.savez_compressed)(out, x=array)
        return "npz", out.getvalue(), {}, reference.dense(array)
    shape, at = random_sparse(rng, 2)
    data = numbers(rng, len(at))
    with np.errstate(all="ignore"):
        if rng.random() < 0.5:
            data = data.astype(["f8", "f4", "i4", "i8", "?"][rng.integers(5)])
        if data.dtype.kind == "f":
            data[np.isinf(data)] = 2
    matrix = scipy.sparse.coo_matrix((data, (at[:, 0], at[:, 1])), shape=tuple(shape))
    matrix = matrix.asformat(["csr", "csc", "coo"][rng.integers(3)])
    scipy.sparse.save_npz(out, matrix, compressed=bool(rng.integers(2)))
    return "npz", out.getvalue(), {}, reference.npz_sparse(out.getvalue())


MAKERS = [table, matrix_market, tns, npy, npz]
