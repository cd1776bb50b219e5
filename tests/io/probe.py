"""Talks to io_read_probe: one request, one answer, the values from the dump file."""
import json
import os
import subprocess

import numpy as np


class Probe:
    def __init__(self, program, folder, environment=None):
        self.dump = os.path.join(folder, "dump.bin")
        self.process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        env=dict(os.environ, **(environment or {})))

    def ask(self, path, **options):
        request = dict(path=path, dump=self.dump, **options)
        self.process.stdin.write(json.dumps(request).encode() + b"\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            raise SystemExit(f"the probe died on {path!r} {options}")
        answer = json.loads(line)
        if "shape" in answer and not answer.get("error"):
            with open(self.dump, "rb") as file:
                raw = file.read()
            modes = len(answer["shape"])
            if answer["kind"] == "sparse":
                entries = len(raw) // (8 * (modes + 1))
                answer["at"] = np.frombuffer(raw, np.int64, entries * modes).reshape(entries, modes)
                answer["values"] = np.frombuffer(raw, np.float64, entries, entries * modes * 8)
            else:
                answer["array"] = np.frombuffer(raw, np.float64).reshape(answer["shape"])
        return answer

    def close(self):
        self.process.stdin.close()
        return self.process.wait()


def same_bits(a, b):
    """Equal bit for bit, where all NaNs are one."""
    a = np.ascontiguousarray(a, np.float64)
    b = np.ascontiguousarray(b, np.float64)
    if a.shape != b.shape:
        return False
    a = np.where(np.isnan(a), np.nan, a)
    b = np.where(np.isnan(b), np.nan, b)
    return np.array_equal(a.view(np.int64), b.view(np.int64))


def differs(answer, expected):
    """What is different between an answer and the reference, or nothing."""
    if list(answer["shape"]) != list(expected["shape"]):
        return f"shape {answer['shape']}, reference {expected['shape']}"
    if answer["kind"] != expected["kind"]:
        return f"kind {answer['kind']}, reference {expected['kind']}"
    if "labels" in expected and answer["labels"] != expected["labels"]:
        return f"labels {answer['labels']}, reference {expected['labels']}"
    if expected["kind"] == "dense":
        return None if same_bits(answer["array"], expected["array"]) else "values"
    order = np.lexsort(expected["at"].T[::-1]) if len(expected["at"]) else []
    if not np.array_equal(answer["at"], np.asarray(expected["at"])[order].reshape(answer["at"].shape)):
        return "coordinates"
    return None if same_bits(answer["values"], np.asarray(expected["values"], float)[order]) else "values"
