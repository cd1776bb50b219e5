"""Seeds for the fuzz targets: small valid and odd files of every format. seeds.py FOLDER COUNT"""
import gzip
import os
import sys

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import malformed  # noqa: E402
import random_files  # noqa: E402


def main():
    folder, count = sys.argv[1], int(sys.argv[2])
    os.makedirs(folder, exist_ok=True)
    written = 0

    def write(target, data):
        nonlocal written
        options = b"" if target in ("npy", "gzip", "lines") else bytes([written * 37 % 128])
        with open(os.path.join(folder, f"{target}-{written}"), "wb") as file:
            file.write(options + data)
        written += 1

    for number in range(count):
        rng = np.random.default_rng([number, 23])
        ending, data, _, _ = random_files.MAKERS[number % len(random_files.MAKERS)](rng)
        write(ending, data)
        write("gzip", gzip.compress(data))
    for data in (b"a\nb,c\n\na/b/c \t\n", "\ufeffä\r\n\r\nb\tc".encode(), b"\n\n", b"a\0b\n", b"a 2\nb 0.5", b""):
        write("lines", data)
    for generator in malformed.GENERATORS:
        for name, ending, data, _, _ in generator(np.random.default_rng(5)):
            if len(data) < 4096:
                write(ending, data)


main()
