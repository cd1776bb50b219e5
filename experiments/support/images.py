"""Matrices as pictures, several in one SVG."""
import base64
import struct
import zlib
from html import escape

import numpy

GAP, CAPTION, TITLE = 16, 20, 34


def image_grid(title, panels, scale=2, columns=3):
    """`panels`: [(caption, matrix), ...]. White is 0 and below, black the largest value of each matrix."""
    rows = [panels[k:k + columns] for k in range(0, len(panels), columns)]
    y, width, parts = TITLE, 0, []
    for row in rows:
        x = GAP
        for caption, matrix in row:
            height, across = (scale * size for size in matrix.shape)
            parts.append(f'<text x="{x}" y="{y + 12}">{escape(caption)}</text>'
                         f'<image x="{x}" y="{y + CAPTION}" width="{across}" height="{height}" '
                         f'style="image-rendering:pixelated" href="data:image/png;base64,{png(matrix)}"/>'
                         f'<rect x="{x}" y="{y + CAPTION}" width="{across}" height="{height}" fill="none" '
                         'stroke="#999999"/>')
            x += across + GAP
        width = max(width, x)
        y += CAPTION + GAP + max(scale * matrix.shape[0] for _, matrix in row)
    head = (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {y}" width="{width}" '
            f'font-family="sans-serif" font-size="11"><rect width="100%" height="100%" fill="white"/>'
            f'<text x="{GAP}" y="20" font-size="14">{escape(title)}</text>')
    return "\n".join([head, *parts, "</svg>", ""])


def png(matrix):
    """A grey PNG, one pixel per cell, as base64 text."""
    shown = numpy.nan_to_num(numpy.maximum(matrix, 0.0))
    grey = (255 - 255 * shown / (shown.max() or 1.0)).astype(numpy.uint8)
    lines = b"".join(b"\0" + row.tobytes() for row in grey)
    height, width = grey.shape
    data = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0))
    data += chunk(b"IDAT", zlib.compress(lines, 9)) + chunk(b"IEND", b"")
    return base64.b64encode(data).decode()


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
