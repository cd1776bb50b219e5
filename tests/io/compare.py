"""Compares what io_read_probe reads with pandas, SciPy and NumPy.

    compare.py PROBE malformed SEEDS | random COUNT | truncate COUNT | roundtrip COUNT | containers
"""
import gzip
import io
import locale
import os
import re
import sys
import tempfile
import zipfile

import numpy as np

import malformed
import random_files
import reference
from probe import Probe, differs, same_bits

INPUT = 1  # ErrorCode::input


class Check:
    def __init__(self, program, folder):
        self.folder = folder
        self.probe = Probe(program, folder)
        self.failures = 0
        self.counts = {}

    def count(self, what):
        self.counts[what] = self.counts.get(what, 0) + 1

    def fail(self, name, message):
        self.failures += 1
        if self.failures <= 40:
            print(f"FAILED {name}: {message}")

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, data):
        with open(self.path(name), "wb") as file:
            file.write(data)
        return self.path(name)

    def refusal(self, name, path, answer, place=True):
        """A refusal must name the file and, where there is one, the line, byte or array."""
        if answer["error"] != INPUT:
            self.fail(name, f"error {answer['error']}: {answer['message']}")
        elif not answer["where"].startswith(path):
            self.fail(name, f"where {answer['where']!r} does not name {path!r}")
        elif place and not re.match(r":\d+|: byte \d+|:\w+|: column 1$", answer["where"][len(path):]):
            self.fail(name, f"where {answer['where']!r} has no place")
        elif not re.search("expected|cannot|damaged|became|changed|ends|unpacks", answer["message"]):
            self.fail(name, f"message {answer['message']!r} says not what was expected")
        self.count("refused")

    def case(self, name, ending, data, what, options, expected, suffix=""):
        file_name = "case." + ending + suffix
        path = self.write(file_name, gzip.compress(data, 1) if suffix else data)
        label = f"{name}.{ending}{suffix}"
        answer = self.probe.ask(path, **options)
        if answer.get("error") is not None:
            if what in ("read", "own", "array"):
                self.fail(label, f"refused: {answer['where']}: {answer['message']}")
            self.refusal(label, path, answer)
            return
        self.count("read")
        if what == "refuse":
            self.fail(label, f"was read as {answer['shape']} {answer.get('array', answer.get('values'))}")
        elif expected is None:
            self.fail(label, "was read, but the reference refuses it")
        else:
            difference = differs(answer, expected)
            if difference:
                self.fail(label, "differs: " + difference)

    def finish(self):
        if self.probe.close() != 0:
            self.fail("probe", "did not end well")
        print(", ".join(f"{count} {what}" for what, count in sorted(self.counts.items())), f"{self.failures} failures")
        return self.failures == 0


def meaning(name, ending, data, what, options):
    if what == "refuse":
        return None
    if ending in ("csv", "tsv"):
        return reference.table(data, {"csv": ",", "tsv": "\t"}[ending], options.get("labels", "automatic"))
    if ending == "mtx":
        if name == "index_zero_based":
            return dict(kind="sparse", shape=[2, 2], at=np.array([[0, 1], [1, 0]]), values=np.array([1.5, 2.5]))
        if name == "duplicate_sum":
            return dict(kind="sparse", shape=[2, 2], at=np.array([[0, 0]]), values=np.array([3.75]))
        return reference.matrix_market(data.replace(b"\r\n", b"\n").rstrip(b"\n") + b"\n")
    if ending == "tns":
        return reference.tns(data, options.get("index_base", 1), options.get("shape"))
    if ending == "npy":
        return reference.npy(data)
    if what == "array":
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return reference.npy(archive.read(archive.namelist()[0]))
    return reference.npz_sparse(data)


def check_malformed(check, seeds):
    kinds = set()
    for seed in range(seeds):
        for generator in malformed.GENERATORS:
            for name, ending, data, what, options in generator(np.random.default_rng(seed)):
                kinds.add((ending, name))
                expected = meaning(name, ending, data, what, options)
                for suffix in ("", ".gz"):
                    check.case(name, ending, data, what, options, expected, suffix)
    print(f"{len(kinds)} kinds of files in {len({ending for ending, _ in kinds})} formats")


def check_random(check, count):
    for number in range(count):
        rng = np.random.default_rng([number, 7])
        maker = random_files.MAKERS[number % len(random_files.MAKERS)]
        ending, data, options, expected = maker(rng)
        if expected is None:
            # Labels drawn at random may clash with the rules for them; then both must refuse.
            check.case(f"random {number}", ending, data, "refuse", options, None)
        else:
            check.case(f"random {number}", ending, data, "read", options, expected, ".gz" if number % 4 == 0 else "")


def check_truncated(check, count):
    """Cut at every byte: refused, or exactly what the reference makes of the shorter file."""
    for number in range(count):
        rng = np.random.default_rng([number, 11])
        ending, data, options, _ = random_files.MAKERS[number % len(random_files.MAKERS)](rng)
        packed = gzip.compress(data, 1)
        for size in range(len(data)):
            part = data[:size]
            expected = meaning("", ending, part, "either", options)
            check.case(f"cut {number} at {size}", ending, part, "either", options, expected)
        for size in range(len(packed)):
            path = check.write("cut." + ending + ".gz", packed[:size])
            answer = check.probe.ask(path, **options)
            if answer.get("error") is None:
                check.fail(f"cut {number} at {size}", "a truncated gzip file was read")
            else:
                check.refusal(f"cut {number} at {size}", path, answer)


def check_roundtrip(check, values):
    """Write and read again, by ourselves and by the reference: bit for bit."""
    done = 0
    number = 0
    while done < values:
        rng = np.random.default_rng([number, 13])
        number += 1
        shape = [(50, 40), (2000, 1), (1, 300), (7, 9, 11), (3, 4, 5, 6)][number % 5]
        array = random_files.numbers(rng, shape)
        source = check.path("source.npy")
        np.save(source, array)
        done += array.size
        endings = ["csv", "tsv", "mtx", "npy", "npz", "tns"] if len(shape) == 2 else ["npy", "npz", "tns"]
        for ending in endings:
            for suffix in ("", ".gz"):
                target = check.path("target." + ending + suffix)
                if os.path.exists(target):
                    os.remove(target)
                answer = check.probe.ask(source, write=target)
                if answer.get("error") is not None:
                    check.fail(ending, f"not written: {answer}")
                    continue
                again = check.probe.ask(target)
                if again.get("error") is not None:
                    check.fail(ending, f"not read again: {again}")
                    continue
                got = again.get("array")
                if ending == "tns":
                    got = np.full(array.shape, -1.0)
                    got[tuple(again["at"].T)] = again["values"]
                if not same_bits(got, array):
                    check.fail(ending + suffix, "the round trip changed values")
                with open(target, "rb") as file:
                    data = file.read()
                data = gzip.decompress(data) if suffix else data
                if ending == "npz":
                    other = np.load(io.BytesIO(data))["arr_0"]
                elif ending == "tns":
                    other = reference.tns(data)["values"].reshape(array.shape)
                else:
                    other = meaning("", ending, data, "read", {})["array"]
                if not same_bits(other, array):
                    check.fail(ending + suffix, "the reference reads other values")
                check.count("round trips")
        # Sparse: through .mtx, .npz and .tns, and back.
        ending, data, options, expected = random_files.npz(rng)
        if expected and expected["kind"] == "sparse":
            source = check.write("source.npz", data)
            for target_ending in ("mtx", "npz", "tns"):
                target = check.path("sparse." + target_ending)
                answer = check.probe.ask(source, write=target)
                if answer.get("error") is not None:
                    check.fail(target_ending, f"not written: {answer}")
                    continue
                with open(target, "rb") as file:
                    data = file.read()
                size = {"shape": list(expected["shape"])} if target_ending == "tns" else {}
                again = check.probe.ask(target, **size)
                reading = {"mtx": lambda: reference.matrix_market(data), "npz": lambda: reference.npz_sparse(data),
                           "tns": lambda: reference.tns(data, 1, list(expected["shape"]))}[target_ending]()
                for who, result in (("we", expected), ("the reference", reading)):
                    difference = "refused" if again.get("error") is not None else differs(again, result)
                    if difference:
                        check.fail("sparse " + target_ending, f"{who}: {difference} {again}")
                check.count("round trips")
    print(f"{done} values")


def check_containers(check):
    """Everything around the bytes: gzip, special files, names, permissions, label files, rows from .npy."""
    good = b"1,2\n3,4\n"
    expected = reference.table(good, ",")

    def gz(name, data, what):
        path = check.write("box.csv.gz", data)
        answer = check.probe.ask(path)
        if what == "refuse":
            if answer.get("error") is None:
                check.fail(name, f"was read: {answer}")
            else:
                check.refusal(name, path, answer)
        elif answer.get("error") is not None or differs(answer, what):
            check.fail(name, f"{answer}")
        check.count("containers")

    packed = gzip.compress(good)
    gz("plain gzip", packed, expected)
    gz("two members", gzip.compress(b"1,2\n") + gzip.compress(b"3,4\n"), expected)
    gz("empty member", gzip.compress(b"") + packed + gzip.compress(b""), expected)
    gz("crc", packed[:-8] + bytes([packed[-8] ^ 1]) + packed[-7:], "refuse")
    gz("length", packed[:-1] + bytes([packed[-1] ^ 1]), "refuse")
    gz("garbage behind", packed + b"garbage", "refuse")
    gz("zeros behind", packed + bytes(512), "refuse")
    gz("one byte behind", packed + b"\x1f", "refuse")
    gz("empty", b"", "refuse")
    gz("not gzip", good, "refuse")
    gz("tar", b"case.csv".ljust(512, b"\0") + good, "refuse")
    gz("method", packed[:2] + b"\x07" + packed[3:], "refuse")
    gz("twice", gzip.compress(packed), "refuse")
    gz("bomb", gzip.compress(b"1\n" * 60_000_000), "refuse")
    for k in range(len(packed)):
        damaged = packed[:k] + bytes([packed[k] ^ 0x55]) + packed[k + 1:]
        answer = check.probe.ask(check.write("box.csv.gz", damaged))
        if answer.get("error") is None and differs(answer, expected):
            check.fail(f"gzip damaged at {k}", f"misread: {answer}")
        check.count("containers")

    def special(name, path, place=False):
        answer = check.probe.ask(path)
        if answer.get("error") is None:
            check.fail(name, f"was read: {answer}")
        elif answer["error"] != INPUT:
            check.fail(name, f"{answer}")
        check.count("containers")
        return answer

    os.mkdir(check.path("folder.csv"))
    special("directory", check.path("folder.csv"))
    os.mkfifo(check.path("pipe.csv"))
    special("pipe", check.path("pipe.csv"))
    os.symlink("/dev/zero", check.path("zero.csv"))
    special("device", check.path("zero.csv"))
    os.symlink("/dev/zero", check.path("zero.npz"))
    special("device as archive", check.path("zero.npz"))
    special("not there", check.path("nothing.csv"))
    special("unknown ending", check.write("data.xyz", good))
    special("no ending", check.write("data", good))
    answer = special("name with newline", check.write("a\nb\x1b[2J.csv", b"1,x\n"))
    if "\n" in answer["where"] or "\x1b" in answer["where"]:
        check.fail("name with newline", "control characters in the message")
    if os.getuid() != 0:
        path = check.write("secret.csv", good)
        os.chmod(path, 0)
        special("no permission", path)
    path = check.write("down.csv", good)
    answer = check.probe.ask(os.path.join(check.folder, "folder.csv", "..", "down.csv"))
    if answer.get("error") is not None or differs(answer, expected):
        check.fail("name with ..", f"{answer}")

    archive = check.path("two.npz")
    np.savez(archive, x=np.eye(2), y=np.arange(3.0))
    answer = check.probe.ask(archive + ":y")
    if answer.get("error") is not None or not same_bits(answer["array"], np.arange(3.0)[:, None]):
        check.fail("array by name", f"{answer}")
    if "x, y" not in check.probe.ask(archive)["message"]:
        check.fail("several arrays", "are not listed")
    special("array not there", archive + ":z")
    with open(archive, "rb") as file:
        check.write("two.npz.gz", gzip.compress(file.read()))
    answer = check.probe.ask(check.path("two.npz.gz:x"))
    if answer.get("error") is not None or not same_bits(answer["array"], np.eye(2)):
        check.fail("array by name in .npz.gz", f"{answer}")

    def labels(name, data, lines, ending=".txt"):
        answer = check.probe.ask(check.write("labels" + ending, data), labels_file=True)
        if lines is None and answer.get("error") != INPUT:
            check.fail("labels " + name, f"was read: {answer}")
        elif lines is not None and answer.get("lines") != lines:
            check.fail("labels " + name, f"{answer}")
        check.count("containers")

    labels("plain", b"a\nb\na\n", ["a", "b", "a"])
    labels("crlf and mark", b"\xef\xbb\xbfa\r\n-1\r\n", ["a", "-1"])
    labels("no newline", "ä\nb".encode(), ["ä", "b"])
    labels("blank", b"a\n\nb\n", None)
    labels("empty", b"", None)
    labels("control", b"a\x07\n", None)
    labels("utf8", b"a\xff\n", None)
    labels("long", b"a" * 5000, None)
    labels("npy", malformed.saved(np.array([3, -1, 2])), ["3", "-1", "2"], ".npy")
    labels("npy float", malformed.saved(np.array([3.0])), None, ".npy")
    labels("npy table", malformed.saved(np.eye(2, dtype=int)), None, ".npy")

    for number in range(60):
        rng = np.random.default_rng([number, 17])
        array = rng.standard_normal((int(rng.integers(1, 40)), int(rng.integers(1, 9)))).astype(["<f8", ">f4"][number % 2])
        array = np.asfortranarray(array) if number % 3 == 0 else array
        path = check.path("rows.npy")
        np.save(path, array)
        answer = check.probe.ask(path, stream=int(rng.integers(1, 9)))
        if answer.get("error") is not None or not same_bits(answer["array"], array.astype(float)):
            check.fail("rows from .npy", f"{answer}")
        check.count("containers")


def main():
    if os.environ.get("LC_ALL", "").startswith("de_DE"):
        locale.setlocale(locale.LC_ALL, "")
        if locale.localeconv()["decimal_point"] != ",":
            sys.exit("the locale asked for is not there")
        locale.setlocale(locale.LC_ALL, "C")
    program, what = sys.argv[1:3]
    amount = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    checks = {"malformed": lambda c: check_malformed(c, amount), "random": lambda c: check_random(c, amount),
              "truncate": lambda c: check_truncated(c, amount), "roundtrip": lambda c: check_roundtrip(c, amount),
              "containers": check_containers}
    with tempfile.TemporaryDirectory() as folder:
        check = Check(program, folder)
        checks[what](check)
        sys.exit(0 if check.finish() else 1)


main()
