"""The result in a notebook: the picture of the report as an image, and its components as a table."""

import base64
import html
import json
import struct
import zlib

import numpy as np

MAX_SIDE = 480  # pixels, of a picture that stands alone
MIN_SIDE = 90
MAX_PICTURES = 6
MAX_OUTLINES = 60  # more of them would hide what they surround
KINDS = {"u8": np.uint8, "f32": np.float32, "i32": np.int32}
# From pale to dark, and from blue over pale to red; what is missing is grey.
SEQUENTIAL = np.array([[247, 251, 255], [198, 219, 239], [107, 174, 214], [33, 113, 181], [8, 48, 107]], float)
DIVERGING = np.array([[33, 102, 172], [146, 197, 222], [247, 247, 247], [244, 165, 130], [178, 24, 43]], float)
MISSING = (200, 200, 200)
OUTLINES = [(230, 97, 1), (27, 158, 119), (117, 112, 179), (231, 41, 138), (102, 166, 30), (166, 118, 29)]


def html_of(estimator):
    """A fragment of HTML; every text in it is escaped."""
    name = html.escape(type(estimator).__name__)
    if not estimator.__sklearn_is_fitted__():
        return f"<pre>{html.escape(repr(estimator))}</pre>"
    result = estimator.result_
    ending = html.escape(result._run.status_words[1])
    lines = [f"<b>{name}</b>: {html.escape(estimator._method.title)}",
             f"{ending}, objective {result.objective:.6g}, {result.iterations} iterations"]
    if result.explained is not None:
        lines.append(f"together the components explain {_share(result.explained)}")
    parts = ["<p>" + "<br>".join(lines) + "</p>", *pictures(estimator), components_table(result)]
    return f"<div class='gingham'>{''.join(parts)}</div>"


def components_table(result):
    components = result.components[:20]
    if not components:
        return ""
    keys = list(components[0].get("size", {}))
    keys = keys if len(keys) <= 8 else []
    head = "".join(f"<th>{html.escape(text)}</th>" for text in ["component", "weight", "explained", *keys])
    rows = ""
    for k, one in enumerate(components):
        cells = [str(k), _number(one["weight"]), _share(one["explained"]), *(str(one["size"][key]) for key in keys)]
        rows += "<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in cells) + "</tr>"
    more = len(result.components) - len(components)
    tail = f"<p>and {more} more</p>" if more > 0 else ""
    return f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>{tail}"


def _number(value):
    return "" if value is None else f"{value:.4g}"


def _share(value):
    return "" if value is None else f"{100 * value:.1f} %"


def pictures(estimator):
    """Images of the data in the order of the components, outlined; nothing where the data are not at hand."""
    data = getattr(estimator, "_data", None)
    if data is None or not estimator._is_data_of_fit(data):
        return
    page = json.loads(estimator.result_._run.picture(data))
    side = MAX_SIDE if len(page["picture"]["blocks"]) <= 2 else MAX_SIDE // 2
    for block in page["picture"]["blocks"][:MAX_PICTURES]:
        image = base64.b64encode(png(draw(page, block, side))).decode()
        caption = html.escape(block["name"])
        yield (f"<figure style='display:inline-block;margin:4px'><img alt='{caption}' src='data:image/png;base64,"
               f"{image}'><figcaption>{caption}</figcaption></figure>")
    more = len(page["picture"]["blocks"]) - MAX_PICTURES
    if more > 0:
        yield f"<p>and {more} more in the report: <code>.report('report.html')</code></p>"


def unpack(packed):
    return np.frombuffer(zlib.decompress(base64.b64decode(packed["data"])), dtype=KINDS[packed["encoding"]])


def draw(page, block, side):
    """Pixels (height x width x 3) of one block, in the order of the components."""
    field = page["fields"][block["field"]]
    cells = unpack(field["values"]).reshape(field["rows"], field["columns"])
    scale = field["scale"]
    if cells.dtype == np.uint8:
        levels, missing = cells / 254.0, cells == 255
    else:
        span = scale["high"] - scale["low"]
        levels, missing = (cells - scale["low"]) / (span if span > 0 else 1.0), np.isnan(cells)
    if not block["arranged"]:
        for mode, number in enumerate([block["rows"], block["columns"]]):
            if page["axes"][number]["order"] is not None:
                order = unpack(page["axes"][number]["order"])
                levels, missing = levels.take(order, axis=mode), missing.take(order, axis=mode)
    pixels = colours(levels, missing, scale["diverging"])
    sizes = pixel_sizes(levels.shape, side)
    for mode, (size, wanted) in enumerate(zip(levels.shape, sizes)):
        pixels = pixels.take(np.arange(wanted) * size // wanted, axis=mode)
    outline(pixels, block, [wanted / size for size, wanted in zip(levels.shape, sizes)])
    return pixels


def pixel_sizes(shape, side):
    """Square cells, the longer side about `side` pixels; a side that would be too thin is widened."""
    zoom = side / max(shape)
    zoom = max(1, int(zoom)) if zoom >= 1 else zoom
    return [max(int(size * zoom), min(MIN_SIDE, side)) for size in shape]


def colours(levels, missing, diverging):
    stops = DIVERGING if diverging else SEQUENTIAL
    place = np.clip(np.nan_to_num(levels, nan=0.0), 0.0, 1.0) * (len(stops) - 1)
    low = np.minimum(place.astype(int), len(stops) - 2)
    share = (place - low)[..., None]
    pixels = stops[low] * (1 - share) + stops[low + 1] * share
    pixels[missing] = MISSING
    return pixels.astype(np.uint8)


def outline(pixels, block, factors):
    pairs = [(rows, columns) for rows in block["row_stretches"] for columns in block["column_stretches"]
             if rows["component"] == columns["component"] >= 0]
    for rows, columns in pairs if len(pairs) <= MAX_OUTLINES else []:
        top, bottom = (int(rows[end] * factors[0]) for end in ("begin", "end"))
        left, right = (int(columns[end] * factors[1]) for end in ("begin", "end"))
        colour = OUTLINES[rows["component"] % len(OUTLINES)]
        for begin, end in ((top, top + 2), (max(bottom - 2, top), bottom)):
            pixels[begin:end, left:right] = colour
        for begin, end in ((left, left + 2), (max(right - 2, left), right)):
            pixels[top:bottom, begin:end] = colour


def png(pixels):
    """An image file of 8-bit red, green, blue."""
    height, width = pixels.shape[:2]
    rows = np.zeros((height, 1 + 3 * width), dtype=np.uint8)  # each begins with the filter's number: none
    rows[:, 1:] = pixels.reshape(height, -1)
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return (b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", header) + _chunk(b"IDAT", zlib.compress(rows.tobytes(), 6))
            + _chunk(b"IEND", b""))


def _chunk(kind, content):
    return (struct.pack(">I", len(content)) + kind + content
            + struct.pack(">I", zlib.crc32(kind + content)))
